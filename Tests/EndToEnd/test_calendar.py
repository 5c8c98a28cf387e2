"""Calendar files in and out, with the programs that people have for them."""

import json
import os
import random
import subprocess
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import icalendar
import pytest
import recurring_ical_events
import varlink
from programs import CALENDAR, REMINDCTL, Daemon

ZONE = "Europe/Berlin"


@pytest.fixture
def other():
    daemon = Daemon()
    yield daemon.start()
    daemon.end()


def calendar(*components):
    return ("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Test//EN\r\n" + "".join(components) +
            "END:VCALENDAR\r\n")


def todo(uid, *lines):
    return "".join(f"{line}\r\n" for line in ["BEGIN:VTODO", f"UID:{uid}", *lines, "END:VTODO"])


def read(daemon, text, *options):
    """Imports a text; gives what became of each task."""
    path = daemon.folder / "in.ics"
    path.write_text(text, newline="")
    return [(one["action"], one["uid"]) for one in daemon.objects("import", path, *options)]


def tasks(daemon):
    """The tasks without what belongs to a store alone."""
    return sorted(
        ({key: task[key] for key in task if key not in ("number",)}
         for task in daemon.objects("list", "--all")), key=lambda task: task["id"])


def components(daemon):
    """What an export holds, in no order."""
    text = daemon.call("export", "--all").stdout
    return sorted(text.replace("END:VTODO\n", "BEGIN:VTODO\n").replace(
        "END:VTIMEZONE\n", "BEGIN:VTODO\n").split("BEGIN:VTODO\n"))


def test_a_file_that_comes_again_changes_nothing(daemon):
    text = calendar(todo("a", "SUMMARY:Tea", "DUE:20300501T090000"), todo("b", "SUMMARY:Rent"))
    assert read(daemon, text, "--list", "work") == [("added", "a"), ("added", "b")]
    before = tasks(daemon)
    assert {task["list"] for task in before} == {"work"}
    assert read(daemon, text) == [("unchanged", "a"), ("unchanged", "b")]
    assert tasks(daemon) == before
    said = daemon.call("import", daemon.folder / "in.ics").stdout
    assert said == "0 added, 0 changed, 2 left alone.\n"


def test_an_import_is_one_step_of_undo(daemon):
    daemon.add("Mine")
    read(daemon, calendar(*(todo(f"t{index}", "SUMMARY:Tea") for index in range(300))))
    assert len(tasks(daemon)) == 301
    with varlink.Client(address=f"unix:{daemon.socket}") as client:
        with client.open("org.remindd.Reminders") as service:
            assert service.Undo()["change"]["what"] == "import"
    assert [task["title"] for task in tasks(daemon)] == ["Mine"]


def test_what_is_broken_is_refused_and_the_rest_comes_in(daemon):
    path = daemon.folder / "in.ics"
    path.write_text(calendar(todo("a", "DUE:never"), todo("b", "SUMMARY:Tea")), newline="")
    result = daemon.call("import", path, exit_code=1)
    assert result.stdout == "1 added, 0 changed, 0 left alone, 1 refused.\n"
    assert "Line 6, UID ‘a’" in result.stderr


def test_the_import_of_an_export_gives_the_same_store(daemon, other):
    daemon.add("Plain", "--note", "Two\nlines; and, more \\")
    daemon.add("Floating", "--at", "2030-05-01 09:00", "--before", "15m,1d", "--nag", "5m",
               "--tag", "a", "--list", "work", "--priority", "high")
    daemon.add("Zoned", "--at", "2030-05-01 09:00", "--tz", "America/New_York")
    daemon.add("Instant", "--in", "200d")
    daemon.add("Date", "--at", "2030-05-01", "--before", "1d")
    daemon.add("Daily", "--at", "every day at 9:00 until 2031-06-01")
    daemon.add("Ends", "--at", "monthly on the 31st", "--tz", "Asia/Tokyo")
    daemon.add("After", "--at", "every 3 days after completion")
    done = daemon.add("Done", "--at", "2030-05-01 09:00")
    daemon.call("done", done["number"])
    path = daemon.folder / "out.ics"
    assert daemon.call("export", "--all", path).stdout == f"9 tasks written to ‘{path}’.\n"
    other.call("import", path)
    assert tasks(other) == tasks(daemon)
    # Series come in last, as what changes them may come later in a file.
    assert components(other) == components(daemon)
    assert daemon.call("import", path).stdout == "0 added, 0 changed, 9 left alone.\n"


def test_an_export_is_strict(daemon):
    daemon.add("Zürich 日本 " * 30, "--at", "2030-05-01 09:00", "--tz", "Europe/Paris")
    raw = subprocess.run(
        [REMINDCTL, "export"], env=daemon.env | {"LC_ALL": "C"}, capture_output=True, check=True).stdout
    assert raw.endswith(b"END:VCALENDAR\r\n")
    assert raw.count(b"\n") == raw.count(b"\r\n")
    for line in raw.split(b"\r\n"):
        assert len(line) <= 75
        line.decode()
    parsed = icalendar.Calendar.from_ical(raw)
    assert not parsed.errors
    (zone,) = parsed.walk("VTIMEZONE")
    assert zone["TZID"] == "Europe/Paris"
    (task,) = parsed.walk("VTODO")
    assert task["SUMMARY"] == ("Zürich 日本 " * 30).strip()


def test_a_vdir_goes_both_ways_and_leaves_what_is_the_same_alone(daemon, other):
    first = daemon.add("One", "--at", "2030-05-01 09:00")
    read(daemon, calendar(todo("../../etc/passwd", "SUMMARY:Odd", "DUE:20300501T090000")))
    folder = daemon.folder / "vdir"
    said = daemon.call("export", "--vdir", folder).stdout
    assert said == f"2 files written to ‘{folder}’, 0 left alone.\n"
    names = sorted(os.listdir(folder))
    assert f"{first['id']}.ics" in names and len(names) == 2
    assert all("/" not in name and not name.startswith(".") for name in names)
    times = {name: os.stat(folder / name).st_mtime_ns for name in names}
    assert "0 files written" in daemon.call("export", "--vdir", folder).stdout
    daemon.call("edit", first["number"], "--title", "Other")
    assert "1 file written" in daemon.call("export", "--vdir", folder).stdout
    changed = [name for name in names if os.stat(folder / name).st_mtime_ns != times[name]]
    assert changed == [f"{first['id']}.ics"]
    assert "2 added" in other.call("import", folder).stdout
    assert {t["title"] for t in tasks(other)} == {"Other", "Odd"}


def test_a_journal_in_a_vdir_survives_an_export_byte_for_byte(daemon, other):
    journal = ("BEGIN:VJOURNAL\r\nUID:j\r\nDTSTAMP:20240401T000000Z\r\n"
               "DESCRIPTION:Odd\\z; text\r\nEND:VJOURNAL\r\n")
    folder = daemon.folder / "vdir"
    folder.mkdir()
    (folder / "diary.ics").write_bytes(calendar(journal).encode())
    (folder / "both.ics").write_bytes(
        calendar(todo("t", "SUMMARY:Tea"), journal.replace("UID:j", "UID:k")).encode())
    before = (folder / "diary.ics").read_bytes()
    said = daemon.call("import", folder).stdout
    assert "1 added" in said and "2 VJOURNAL" in said
    assert "1 file written" in daemon.call("export", "--vdir", folder).stdout
    assert sorted(os.listdir(folder)) == ["both.ics", "diary.ics"]
    assert (folder / "diary.ics").read_bytes() == before
    assert journal.replace("UID:j", "UID:k").encode() in (folder / "both.ics").read_bytes()
    assert "0 files written" in daemon.call("export", "--vdir", folder).stdout
    # Another folder, and another store, have them too.
    copy = daemon.folder / "copy"
    daemon.call("export", "--vdir", copy)
    assert sorted(os.listdir(copy)) == ["j.ics", "k.ics", "t.ics"]
    assert "2 VJOURNAL" in other.call("import", copy).stdout
    file = other.folder / "all.ics"
    assert "1 task and 2 other components" in other.call("export", file).stdout
    assert journal.encode() in file.read_bytes()


def tool(daemon, *arguments, **files):
    """Runs a calendar program of Debian's with configuration files of its own."""
    for name, text in files.items():
        path = daemon.folder / "config" / name / ("config.py" if name == "todoman" else "config")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return subprocess.run(
        arguments, env=daemon.env | {"XDG_CACHE_HOME": str(daemon.folder / "cache"),
                                     "LC_ALL": "C.UTF-8"},
        capture_output=True, text=True, check=True, timeout=60).stdout


def test_todoman_lists_what_we_export_and_we_read_what_it_writes(daemon):
    folder = daemon.folder / "calendars/tasks"
    folder.parent.mkdir()
    daemon.add("Pay rent", "--at", "2030-05-01 09:00", "--priority", "high")
    daemon.add("Water the plants", "--at", "every day at 9:00")
    daemon.call("export", "--vdir", folder)
    settings = f'path = "{folder.parent}/*"\ndate_format = "%Y-%m-%d"\ntime_format = "%H:%M"\n'
    listed = json.loads(tool(daemon, "todoman", "--porcelain", "list", todoman=settings))
    assert {one["summary"] for one in listed} == {"Pay rent", "Water the plants"}
    (rent,) = (one for one in listed if one["summary"] == "Pay rent")
    due = datetime(2030, 5, 1, 9, tzinfo=ZoneInfo(ZONE)).timestamp()
    assert rent["due"] == due
    tool(daemon, "todoman", "new", "--list", "tasks", "--due", "2030-06-01 10:00", "Call mum")
    tool(daemon, "todoman", "done", str(rent["id"]))
    daemon.call("import", folder)
    states = {task["title"]: (task["state"], task["due"]) for task in tasks(daemon)}
    assert states["Call mum"] == ("open", "2030-06-01T10:00:00+02:00")
    assert states["Pay rent"][0] == "done"


def test_what_is_no_file_in_a_vdir_is_told_and_the_rest_comes_in(daemon):
    folder = daemon.folder / "odd"
    (folder / "folder.ics").mkdir(parents=True)
    os.mkfifo(folder / "pipe.ics")
    (folder / "zero.ics").symlink_to("/dev/zero")
    (folder / "nowhere.ics").symlink_to("/nowhere")
    (folder / os.fsdecode(b"\xff.ics")).write_text("")
    (folder / "good.ics").write_text(CALENDAR)
    said = daemon.call("import", folder, exit_code=1)
    assert said.stderr.count("was left out") == 5, said.stderr
    assert [task["title"] for task in tasks(daemon)] == ["Tea"]


def test_khal_lists_what_we_export_and_we_read_what_it_writes(daemon):
    event = "".join(f"{line}\r\n" for line in [
        "BEGIN:VEVENT", "UID:event-1", "DTSTAMP:20240101T000000Z", "SUMMARY:Dentist",
        f"DTSTART;TZID={ZONE}:20300501T090000", f"DTEND;TZID={ZONE}:20300501T100000",
        "BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:x", "TRIGGER:-PT30M", "END:VALARM",
        "END:VEVENT"])
    read(daemon, calendar(event))
    folder = daemon.folder / "events"
    daemon.call("export", "--vdir", folder)
    settings = (f"[calendars]\n[[events]]\npath = {folder}\n[locale]\nlocal_timezone = {ZONE}\n"
                f"default_timezone = {ZONE}\ndateformat = %Y-%m-%d\nlongdateformat = %Y-%m-%d\n"
                "timeformat = %H:%M\ndatetimeformat = %Y-%m-%d %H:%M\n"
                "longdatetimeformat = %Y-%m-%d %H:%M\n[default]\ndefault_calendar = events\n")
    listed = tool(daemon, "khal", "list", "2030-05-01", "2030-05-02", khal=settings)
    assert "09:00-10:00 Dentist" in listed
    tool(daemon, "khal", "new", "2030-06-01", "10:00", "11:00", "Meeting")
    daemon.call("import", folder)
    due = {task["title"]: task["due"] for task in tasks(daemon)}
    assert due["Meeting"] == "2030-06-01T10:00:00+02:00"
    assert due["Dentist"] == "2030-05-01T09:00:00+02:00"


# What is generated: every kind of time, rule and alarm.
ZONES = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata",
         "Africa/Casablanca", "America/Sao_Paulo", "Asia/Tehran"]
RULES = ["", "FREQ=DAILY;COUNT=12", "FREQ=DAILY;INTERVAL=3;UNTIL={until}", "FREQ=WEEKLY;BYDAY=MO,TH",
         "FREQ=WEEKLY;INTERVAL=2;COUNT=9", "FREQ=MONTHLY;BYMONTHDAY=31", "FREQ=MONTHLY;BYDAY=-1FR",
         "FREQ=MONTHLY;BYDAY=2TU;COUNT=8", "FREQ=YEARLY", "FREQ=YEARLY;BYMONTH=3,10;BYDAY=-1SU"]
ALARMS = [[], ["TRIGGER:-PT15M"], ["TRIGGER:PT0S"], ["TRIGGER:-P1D", "TRIGGER:-PT1H"],
          ["TRIGGER;RELATED=END:PT0S"], ["TRIGGER:PT10M"], ["TRIGGER:-PT2H"]]
START = datetime(2030, 1, 1, tzinfo=timezone.utc)
END = datetime(2031, 1, 1, tzinfo=timezone.utc)


def item(index, choose):
    """One of the generated components."""
    kind = choose.choice(["VTODO", "VEVENT"])
    start = datetime(2030, choose.randint(1, 11), choose.randint(1, 28), choose.randint(0, 23),
                     choose.choice([0, 15, 30]))
    form = choose.choice(["floating", "utc", "zoned", "zoned"])
    zone = choose.choice(ZONES)
    end = start + timedelta(hours=choose.randint(1, 30))

    def written(name, when):
        text = when.strftime("%Y%m%dT%H%M%S")
        return {"floating": f"{name}:{text}", "utc": f"{name}:{text}Z",
                "zoned": f"{name};TZID={zone}:{text}"}[form]

    until = (start + timedelta(days=60)).strftime("%Y%m%dT%H%M%S") + ("" if form == "floating" else "Z")
    rule = choose.choice(RULES).format(until=until)
    lines = [f"BEGIN:{kind}", f"UID:item-{index}", "DTSTAMP:20290101T000000Z",
             f"SUMMARY:Item {index}", written("DTSTART", start),
             written("DUE" if kind == "VTODO" else "DTEND", end)]
    if rule:
        lines.append(f"RRULE:{rule}")
        if choose.random() < 0.3:
            lines.append(written("EXDATE", start + timedelta(days=7)))
        if choose.random() < 0.3:
            lines.append(written("RDATE", start + timedelta(days=5, hours=1)))
    for trigger in choose.choice(ALARMS):
        lines += ["BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:x", trigger, "END:VALARM"]
    return "".join(f"{line}\r\n" for line in [*lines, f"END:{kind}"])


def instants(component, zone):
    """When the libraries say that a component rings."""
    found = set()
    triggers = [alarm["TRIGGER"] for alarm in component.walk("VALARM")]

    def instant(when):
        return when.replace(tzinfo=zone) if when.tzinfo is None else when

    single = icalendar.Calendar()
    single.add_component(component)
    query = recurring_ical_events.of(single, components=[component.name])
    for one in query.between(START - timedelta(days=3), END + timedelta(days=3)):
        start = instant(one["DTSTART"].dt)
        last = instant(one["DUE" if component.name == "VTODO" else "DTEND"].dt)
        if not triggers:
            found.add((last if component.name == "VTODO" else start).timestamp())
        for trigger in triggers:
            base = last if trigger.params.get("RELATED") == "END" else start
            days = timedelta(days=trigger.dt.days) if trigger.dt.days <= -1 and \
                trigger.dt.seconds == 0 else None
            moved = base + days if days else \
                (base.astimezone(timezone.utc) + trigger.dt)
            found.add(moved.timestamp())
    return {when for when in found if START.timestamp() < when < END.timestamp()}


def test_the_libraries_expand_our_exports_to_the_instants_that_we_ring_at(daemon):
    choose = random.Random(6)
    read(daemon, calendar(*(item(index, choose) for index in range(200))))
    path = daemon.folder / "out.ics"
    daemon.call("export", "--all", path)
    ours = {}
    for one in daemon.objects("import", "--dry-run", "--now", "2030-01-01T00:00:00Z", "--count", "400",
                              path):
        rings = {datetime.fromisoformat(ring).timestamp() for ring in one["rings"]}
        ours[one["uid"]] = {when for when in rings if when < END.timestamp()}
    parsed = icalendar.Calendar.from_ical(path.read_bytes())
    components = [one for one in parsed.walk() if one.name in ("VTODO", "VEVENT")]
    assert len(components) == 200
    wrong = {}
    for component in components:
        theirs = instants(component, ZoneInfo(ZONE))
        if ours[component["UID"]] != theirs:
            wrong[component["UID"]] = sorted(
                datetime.fromtimestamp(when, timezone.utc).isoformat()
                for when in ours[component["UID"]] ^ theirs)[:4]
    assert not wrong, wrong

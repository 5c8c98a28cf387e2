"""The cases of calendar files in Tests/Cases/handout.jsonl, each a test of its name: everything that a
case expects is asked of the two programs. What the desktop shows of them is in TextCaseTests.swift."""

import json
import re
import subprocess
import threading
import time
from datetime import datetime

import pytest
from programs import REMINDCTL, ROOT, Daemon
from test_zone import set_zone

FOLDER = ROOT / "Tests/Cases"
KINDS = ("valarm", "ics-parse", "notif-text", "recurrence", "dst-gap", "dst-fold", "tz-change")
CASES = {
    case["id"]: case
    for case in map(json.loads, (FOLDER / "handout.jsonl").read_text().splitlines())
    if case["kind"] in KINDS and ("ics" in case["input"] or "generate" in case["input"])}


def test_every_case_has_its_test():
    names = {name.removeprefix("test_").replace("_", "-") for name in globals()}
    assert set(CASES) <= names


def moment(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


class Checked:
    """A case, read by a dry run at its clock. Each thing that it expects is taken out once looked at."""

    def __init__(self, daemon, name, exit_code=0):
        self.case = CASES[name]
        self.expect = dict(self.case["expect"])
        self.never = list(self.expect.pop("never", []))
        self.path = FOLDER / self.case["input"]["ics"]
        clock = self.case["clock"]
        begin = time.monotonic()
        result = daemon.call(
            "--json", "import", "--dry-run", "--now", clock["now"], "--tz", clock["tz"].split(" ")[0],
            "--count", "50", self.path, exit_code=exit_code)
        self.seconds = time.monotonic() - begin
        self.items = [json.loads(line) for line in result.stdout.splitlines()]
        self.problems = [json.loads(line) for line in result.stderr.splitlines()]
        self.rings = sorted(
            ((moment(ring), item["title"]) for item in self.items for ring in item["rings"]))

    def item(self, title):
        (item,) = (item for item in self.items if item["title"] == title)
        return item

    def rings_of(self, title):
        return [when for when, its in self.rings if its == title]

    @staticmethod
    def same(found, wanted):
        """The instants, and what the wall shows then."""
        assert found == [moment(one["utc"]) for one in wanted]
        for when, one in zip(found, wanted):
            local = moment(one["local"])
            assert local == when
            if when.utcoffset():
                assert local.utcoffset() == when.utcoffset()

    def fires(self):
        wanted = self.expect.pop("fires")
        self.same([when for when, _ in self.rings], wanted)
        for (_, title), one in zip(self.rings, wanted):
            assert one.get("title", title) == title
        if "count" in self.expect:
            assert len(self.rings) == self.expect.pop("count")

    def next_5(self):
        self.same([when for when, _ in self.rings][:5], self.expect.pop("next_5"))

    def end(self, *said):
        """`said`: what must never be, in words, and was looked at."""
        for text in self.never:
            found = re.match(r"(\d{4}-\d\d-\d\dT[\d:]+Z)|(\d{4}-\d\d-\d\d)(?!T)", text)
            if found and found[1]:
                assert moment(found[1]) not in [when for when, _ in self.rings], text
            elif found:
                assert found[2] not in [when.date().isoformat() for when, _ in self.rings], text
            else:
                assert text in said, f"nobody has looked at ‘{text}’"
        assert not self.expect, f"nobody has looked at {self.expect}"


@pytest.fixture
def read(daemon):
    return lambda name, **options: Checked(daemon, name, **options)


def only_fires(read, name, *said):
    case = read(name)
    case.next_5() if "next_5" in case.expect else case.fires()
    assert case.problems == []
    case.end(*said)


def test_A_gap_01(read):
    only_fires(read, "A-gap-01", "no pop-up at all", "two pop-ups")


def test_A_gap_02(read):
    case = read("A-gap-02")
    choice = case.expect.pop("on_2026-03-29")["one_of"]
    that_day = [one for one in case.rings if one[0].date().isoformat() == "2026-03-29"]
    assert [when for when, _ in that_day] in [[], [moment(choice[1]["utc"])]]
    case.rings = [one for one in case.rings if one not in that_day]
    case.fires()
    assert moment("2026-03-29T00:30:00Z") not in [when for when, _ in that_day]
    case.end("03:30 on 30 March or later", "two fires on 29 March",
             "a fire at 2026-03-29T00:30:00Z (01:30 CET)")


def test_A_fold_01(read):
    only_fires(read, "A-fold-01", "a second pop-up at 2024-11-03T06:30:00Z", "only at 06:30Z")


def test_A_fold_02(read):
    only_fires(read, "A-fold-02")


def test_A_rec_01(read):
    only_fires(read, "A-rec-01", "28 February", "30 April")


def test_A_rec_02(read):
    only_fires(read, "A-rec-02")


def test_A_rec_03(read):
    only_fires(read, "A-rec-03")


def test_A_rec_04(read):
    case = read("A-rec-04")
    for title, wanted in case.expect.pop("fires_by_title").items():
        case.same(case.rings_of(title), wanted)
    assert len(case.items) == 2 and case.problems == []
    case.end()


def test_A_rec_05(read):
    only_fires(read, "A-rec-05", "only 2 occurrences")


def cpu(daemon):
    """Seconds that the daemon has computed."""
    fields = open(f"/proc/{daemon.process.pid}/stat").read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / 100


def test_A_rec_06(read, daemon):
    before = cpu(daemon)
    case = read("A-rec-06")
    begin = time.monotonic()
    daemon.call("import", case.path)
    daemon.call("next", "5")
    # Of the processor, as others may be at work beside us.
    assert min(case.seconds + time.monotonic() - begin, cpu(daemon) - before) < \
        case.expect.pop("import_and_next_within_s")
    never = case.rings_of("Never again")
    assert never in [[], [moment("2024-02-01T09:00:00Z")]]
    assert len(never[1:]) == case.expect.pop("later_fires_of_Never_again")
    assert case.expect.pop("one_of_for_Never_again")[2].startswith("fires once at DTSTART")
    case.same(case.rings_of("Ordinary"), case.expect.pop("fires_of_Ordinary"))
    case.end("hang", "one CPU core busy", "1 or 2 March")


def test_A_rec_07(read):
    only_fires(read, "A-rec-07")


def test_A_val_01(read):
    only_fires(read, "A-val-01")


def test_A_val_02(read):
    only_fires(read, "A-val-02")


def test_A_val_03(read):
    case = read("A-val-03")
    case.fires()
    # Its test is RoundTripTests.dismissedRepeats.
    case.expect.pop("unless")
    case.end("2 fires", "4 fires")


def test_A_val_04(read):
    only_fires(read, "A-val-04", "a pop-up for Seen already")


def test_A_val_05(read, daemon):
    case = read("A-val-05")
    case.fires()
    daemon.call("import", case.path)
    before, begin = cpu(daemon), time.monotonic()
    daemon.call("next")
    spent = min(time.monotonic() - begin, cpu(daemon) - before)
    assert spent < case.expect.pop("next_query_within_s")
    case.end("hang or busy loop while looking for an alarm after 2022-02-02T16:30Z")


def test_A_ics_01(read):
    case = read("A-ics-01")
    assert len(case.items) == case.expect.pop("items")
    title = case.items[0]["title"]
    assert title == case.expect.pop("title")
    assert title.encode().hex() == case.expect.pop("title_utf8_hex")
    assert case.problems == []
    case.end("U+FFFD in the title", "import refused")


def test_A_ics_02(read):
    case = read("A-ics-02")
    assert len(case.items) == case.expect.pop("items")
    assert case.items[0]["title"] == case.expect.pop("title")
    case.same([moment(case.items[0]["due"])], [case.expect.pop("due")])
    case.end()


def unfolded(text):
    return text.replace("\r\n ", "").replace("\n ", "").splitlines()


def test_A_ics_03(read, daemon):
    case = read("A-ics-03")
    title = case.expect.pop("title_json")
    assert [item["title"] for item in case.items] == [title]
    assert "\\," not in title
    (written,) = (line for line in unfolded(case.path.read_text()) if line.startswith("SUMMARY"))
    daemon.call("import", case.path)
    assert case.expect.pop("export").startswith("writing it out again gives the same escaped text")
    # As it came, and also when it is written anew since something was changed.
    for change in (None, ("--note", "x"), ("--priority", "high")):
        if change:
            daemon.call("edit", 1, *change)
        assert written.replace("\\N", "\\n") in unfolded(daemon.call("export").stdout)
    case.end('"\\\\," left in the title', "a newline where the text has a backslash followed by o")


def test_A_ics_04(read):
    case = read("A-ics-04")
    for title, due in case.expect.pop("due_by_title").items():
        case.same([moment(case.item(title)["due"])], [due])
    assert len(case.items) == 2
    case.end("09:00Z for either", '07:00Z in January ("Standard" does not mean no summer time) or 08:00Z '
             "in August")


def test_A_ics_05(read):
    case = CASES["A-ics-05"]
    daemon = Daemon(zone="America/New_York")
    try:
        daemon.start()
        checked = Checked(daemon, "A-ics-05")
        earliest = moment(checked.expect.pop("earliest_allowed_pop_up")["utc"])
        assert all(when >= earliest for when, _ in checked.rings) and checked.rings
        shown = checked.expect.pop("due_date_shown")
        assert shown == "2014-07-20 in both zones"
        daemon.call("import", FOLDER / case["input"]["ics"])
        for zone in ("America/New_York", "Pacific/Auckland"):
            if zone != daemon.env["TZ"]:
                daemon.stop()
                daemon.env["TZ"] = zone
                daemon.start()
            (task,) = daemon.objects("list", "--all")
            assert (task["due"], task["dateOnly"]) == ("2014-07-20", True), zone
            (row,) = [line for line in daemon.call("list").stdout.splitlines()
                      if task["title"] in line]
            assert "20 Jul 2014" in row and "19 Jul" not in row, zone
        checked.end("a pop-up at 2014-07-20T00:00:00Z (20:00 on the 19th)")
        assert moment("2014-07-20T00:00:00Z") not in [when for when, _ in checked.rings]
    finally:
        daemon.end()


def test_A_ics_06(read, daemon):
    case = read("A-ics-06")
    assert case.expect.pop("exit_status") == 0
    assert daemon.call("import", case.path).stdout.startswith("2 added")
    assert len(daemon.objects("list", "--all")) == case.expect.pop("items_after_first")
    again = daemon.call("import", case.path)
    assert case.expect.pop("second_run_reports") == "0 new"
    assert again.stdout == (
        "0 added, 0 changed, 2 left alone.\n"
        "Kept for the export, without rings: 1 X-ACME-NOTE (known already).\n")
    assert again.stderr == ""
    assert len(daemon.objects("list", "--all")) == case.expect.pop("items_after_second")
    # What is unknown goes out as it came.
    out = unfolded(daemon.call("export", "--all").stdout)
    for todo in case.path.read_text().split("BEGIN:VTODO")[1:]:
        for line in unfolded(todo.split("END:VTODO")[0]):
            assert not line.startswith("X-") or line in out, line
    assert "X-ACME-TEXT:ignore me" in out
    case.end("4 items", "failure because of the X- properties or the unknown component")


def test_A_ics_07(read):
    case = read("A-ics-07")
    for state in ("done", "open"):
        assert [one["title"] for one in case.items if one["state"] == state] == case.expect.pop(state)
    case.fires()
    case.end("a pop-up for Mow lawn")


def test_A_ics_08(read, daemon):
    case = read("A-ics-08")
    case.same(case.rings_of("Buy stamps"), [case.expect.pop("Buy stamps")])
    assert case.expect.pop("Someday")["one_of"][0] == "stored without a date, never fires"
    assert case.item("Someday")["due"] is None and case.rings_of("Someday") == []
    daemon.call("import", case.path)
    tasks = {task["title"]: task for task in daemon.objects("list", "--all")}
    assert tasks["Someday"]["due"] is None and tasks["Someday"]["nextRing"] is None
    assert tasks["Buy stamps"]["due"] is not None
    case.end("crash", "the good item lost", "an invented date such as now or 1970")


def test_A_ics_09():
    case = CASES["A-ics-09"]
    expect = dict(case["expect"])
    seconds = {}
    for size in case["input"]["sizes"]:
        daemon = Daemon(zone="UTC")
        try:
            daemon.start()
            command = case["input"]["generate"].replace(" 20000 > big.ics", f" {size} > big.ics")
            subprocess.run(["bash", "-c", command], cwd=daemon.folder, check=True)
            path = daemon.folder / "big.ics"
            answers, ended = [], threading.Event()

            def ask():
                while not ended.is_set():
                    begin = time.monotonic()
                    daemon.call("status")
                    answers.append(time.monotonic() - begin)

            asking = threading.Thread(target=ask)
            before = cpu(daemon)
            asking.start()
            try:
                daemon.call("import", path)
            finally:
                ended.set()
                asking.join()
            seconds[size] = cpu(daemon) - before
            assert len(daemon.objects("list", "--all")) == size
            if size == expect["items"]:
                status = open(f"/proc/{daemon.process.pid}/status").read()
                peak = int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1024
                limit = int(expect.pop("peak_rss_mib").removeprefix("<= "))
                assert peak <= limit
                assert max(answers) < expect.pop("control_socket_answers_during_import_within_s")
                assert len(daemon.objects("list", "--all", "--limit", "100000")) == expect.pop("items")
                due = min(moment(one["due"]) for one in daemon.objects("list"))
                Checked.same([due], [expect.pop("earliest_due")])
                (status,) = daemon.objects("status")
                assert status["ringing"] == expect.pop("fires_now")
        finally:
            daemon.end()
    ratio = int(expect.pop("time_ratio_20000_to_2000").removeprefix("<= "))
    assert seconds[20000] <= ratio * max(seconds[2000], 0.01)
    assert not expect


def test_A_text_02(read, daemon):
    case = read("A-text-02")
    # On the bus: TextCaseTests.swift.
    assert case.expect.pop("dbus_summary_has_no") and case.expect.pop("text_kept")
    (item,) = case.items
    assert item["title"].startswith(case.expect.pop("dbus_summary_starts_with"))
    assert "ask about boiler" in item["title"] + (item["note"] or "")
    daemon.call("import", case.path)
    for command in (("list",), ("list", "--all"), ("search", "plumber")):
        shown = daemon.call(*command).stdout
        rows = [line for line in shown.splitlines() if "plumber" in line or "boiler" in line]
        assert len(rows) == case.case["expect"]["list_rows_for_item"], shown
    case.expect.pop("list_rows_for_item")
    case.end()


def test_A_text_03(read, daemon):
    case = read("A-text-03")
    assert case.expect.pop("one_of")[0].startswith("imported; summary sent as valid UTF-8")
    (item,) = case.items
    assert item["title"] == "Caf\ufffd bill"
    daemon.call("import", case.path)
    raw = subprocess.run([REMINDCTL, "list", "--all"], env=daemon.env, capture_output=True, check=True)
    assert "Caf\ufffd bill" in raw.stdout.decode("utf-8", "strict")
    assert daemon.process.poll() is None
    # On the bus: TextCaseTests.swift.
    case.expect.pop("daemon_alive_after_due"), case.expect.pop("still_on_bus")
    case.end("abort", "bus disconnect", "invalid UTF-8 in the store, in list output or on the bus")


@pytest.mark.root
def test_A_tz_01(tmp_path):
    case = CASES["A-tz-01"]
    etc = tmp_path / "etc"
    subprocess.run(["cp", "-a", "/etc", etc], check=True)
    set_zone(etc, "Asia/Tokyo")
    daemon = Daemon()
    del daemon.env["TZ"]
    inside = ["unshare", "--mount", "sh", "-c", f'mount --bind "{etc}" /etc && exec "$0" "$@"']
    path = FOLDER / case["input"]["ics"]

    def rows():
        said = subprocess.run(
            [*inside, REMINDCTL, "list", "--all"], env=daemon.env, capture_output=True, text=True,
            check=True).stdout
        (task,) = daemon.objects("list", "--all")
        return task, [line for line in said.splitlines() if task["title"] in line]

    try:
        daemon.start(through=inside)
        daemon.call("import", path)
        assert case["expect"]["list_shows_local_time"] == "10:00 before and after the switch"
        for zone, offset in (("Asia/Tokyo", "+09:00"), ("Asia/Singapore", "+08:00")):
            set_zone(etc, zone)
            limit = time.monotonic() + 30
            while (told := rows())[0]["due"] != f"2024-07-03T10:00:00{offset}":
                assert time.monotonic() < limit, told
            (row,) = told[1]
            assert "10:00" in row and "3 Jul 2024" in row, row
            # When it would ring, seen before: the engine's own clock is in ClockTests.swift.
            result = daemon.objects("import", "--dry-run", "--now", case["clock"]["now"], path)
            rings = [moment(ring) for item in result for ring in item["rings"]]
            if zone == "Asia/Singapore":
                Checked.same(rings, case["expect"]["fires"])
                assert len(rings) == case["expect"]["count"]
                assert moment("2024-07-03T01:00:00Z") not in rings
        assert set(case["expect"]) == {"fires", "count", "list_shows_local_time", "never"}
    finally:
        daemon.end()

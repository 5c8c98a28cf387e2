"""The clock of the daemon is set, its machine sleeps, its disk fails: the released program, its timers,
a recording notification server."""

import pytest
from desktop import Desktop
from machine import TROUBLES, Machine
from programs import CALENDAR, Daemon, instant
from recorder import RecordingServer


class World:
    """A daemon on a machine of its own, and what its notification server was asked for."""

    def __init__(self, bus, zone, now):
        self.server = RecordingServer(bus.env)
        self.daemon = Daemon(bus=bus.env["DBUS_SESSION_BUS_ADDRESS"], zone=zone)
        self.machine = Machine(self.daemon)
        self.machine.set_time(now)

    def popups(self):
        """Those that were asked for since the last time; what is due has rung."""
        self.daemon.call("status")
        return self.server.so_far("notify")

    def end(self):
        self.machine.close()
        self.daemon.end()
        self.server.stop()


@pytest.fixture
def world():
    worlds = []
    with Desktop(server=False) as bus:
        yield lambda zone, now: worlds.append(World(bus, zone, now)) or worlds[-1]
        for world in worlds:
            world.end()


def test_a_clock_01_a_clock_that_jumps_back_and_is_put_right_rings_once_on_time(world):
    it = world("UTC", "2024-09-10T12:00:00Z")
    task = it.daemon.add("--at", "12:10", "Tea")
    it.machine.set_time("2024-09-10T10:01:00Z")
    it.machine.pass_time(60)
    assert not it.popups()
    it.machine.set_time("2024-09-10T12:02:00Z")
    it.machine.pass_time(7 * 60 + 55)
    assert not it.popups()
    it.server.popup("Tea")
    (rang,) = [one for one in it.daemon.objects("log") if one["kind"] == "rang"]
    assert 0 <= instant(rang["at"]) - instant("2024-09-10T12:10:00Z") < 2
    it.machine.pass_time(3 * 3600)
    assert not it.popups()
    assert it.daemon.show(task)["rings"] == 1


def test_a_clock_02_a_wait_longer_than_32_bits_of_milliseconds(world):
    it = world("UTC", "2024-01-01T09:00:00Z")
    it.daemon.add("--at", "2024-03-01 09:00", "Two months")
    for days in (25, 60, 400):
        it.daemon.add("--in", f"{days} days", f"{days} days")
    it.machine.pass_time(3600)
    assert not it.popups()
    for days, titles in ((25, ["25 days"]), (60, ["60 days", "Two months"]), (400, ["400 days"])):
        it.machine.set_time("2024-01-01T08:59:00Z")
        it.machine.pass_time(days * 86_400)
        assert not it.popups()
        it.machine.pass_time(61)
        assert sorted(it.server.popup()["summary"] for _ in titles) == titles
        it.daemon.call("dismiss", "all")
    assert not it.popups()


def test_a_susp_01_a_reminder_that_came_due_in_a_suspend_rings_at_resume_marked_late(world):
    it = world("Europe/Vienna", "2025-02-11T14:00:00+01:00")
    it.daemon.add("--in", "10 min", "Tea")
    it.machine.pass_time(120)
    assert not it.popups()
    it.machine.pass_time(3600)
    body = it.server.popup("Tea")["body"]
    assert "14:10" in body and "52 min late" in body, body
    it.machine.pass_time(600)
    assert not it.popups()


def test_a_susp_02_after_a_night_asleep_an_hourly_series_rings_once_and_keeps_its_grid(world):
    it = world("Europe/Vienna", "2025-02-11T22:00:00+01:00")
    task = it.daemon.add("--every", "1 hour", "Stretch")
    # Counted from when it was added, a moment after ten.
    first = instant(task["nextRing"])
    assert 0 <= first - instant("2025-02-11T23:00:00+01:00") < 50
    it.machine.pass_time(1800)
    assert not it.popups()
    it.machine.pass_time(8 * 3600)
    assert "7 earlier occurrences were missed" in it.server.popup("Stretch")["body"]
    assert not it.popups()
    assert instant(it.daemon.show(task)["nextRing"]) == first + 8 * 3600
    it.machine.set_time("2025-02-12T06:59:00+01:00")
    for _ in range(5):
        it.machine.pass_time(3600)
        it.server.popup("Stretch")
        assert not it.popups()


@pytest.mark.parametrize("trouble", TROUBLES)
def test_a_disk_that_fails_refuses_a_change_and_hides_no_ring(world, trouble):
    it = world("UTC", "2024-09-10T12:00:00Z")
    it.daemon.add("--in", "1h", "Tea")
    it.machine.spoil_disk(trouble)
    refused = it.daemon.call("add", "--in", "1h", "Coffee", exit_code=74)
    assert str(it.daemon.database) in refused.stderr
    it.machine.pass_time(3600)
    it.server.popup("Tea")
    it.machine.mend_disk()
    it.daemon.add("--in", "1h", "Cocoa")
    assert [task["title"] for task in it.daemon.objects("list")] == ["Tea", "Cocoa"]
    assert not it.popups()


def test_the_log_has_no_text_of_a_task_whatever_fails(world):
    it = world("UTC", "2024-09-10T12:00:00Z")
    texts = {"title": "Zebratitle", "note": "Zebranote", "list": "zebralist", "tag": "zebratag"}
    given = ["--note", texts["note"], "--list", texts["list"], "--tag", texts["tag"], texts["title"]]
    it.daemon.add("--in", "1h", *given)
    it.daemon.add("--every", "day at 13:00", *given)
    it.daemon.call("add", "--at", "32 zebratitle", *given, exit_code=65)
    (file := it.daemon.folder / "bad.ics").write_text(CALENDAR.replace("DUE:2030", "DUE:Zebratitle"))
    it.daemon.call("import", file, exit_code=65)
    it.machine.spoil_disk("broken")
    it.daemon.call("add", "--in", "1h", *given, exit_code=74)
    it.server.command("fail", "org.freedesktop.DBus.Error.Failed", 2)
    it.machine.pass_time(3600)
    it.server.popup(texts["title"])
    it.machine.mend_disk()
    it.daemon.call("done", "1")
    it.machine.set_time("2024-09-10T11:00:00Z")
    it.daemon.call("edit", "2", "--note", texts["note"] * 2)
    it.daemon.call("search", texts["title"])
    it.daemon.call("undo")
    log = it.daemon.log.read_text()
    assert "broken" in log or "I/O" in log or "cannot" in log, log
    assert [text for text in texts.values() if text.lower() in log.lower()] == []

"""The main job on a real desktop: Xvfb, a session bus, dunst."""

import sqlite3
import statistics
import time
from contextlib import closing
from datetime import datetime, timezone

import waiting
from programs import instant

TOLERANCE = 0.050
"""Seconds between a reminder's time and its pop-up: promised of the median, as a machine that
does other things too may be late once."""


LATE = 5
"""Seconds from which on a pop-up says how late it is."""


def whole_second(ahead):
    """A time of day that many seconds from now or up to one more, on the second."""
    return datetime.fromtimestamp(int(time.time()) + ahead + 1, timezone.utc).isoformat()


def shown(desktop, count):
    waiting.until(lambda: desktop.displayed() == count, f"{count} pop-ups on the screen")


def test_pop_up_comes_within_50_ms_of_its_time(rings_on, monitor):
    due = {f"Tea {n}": rings_on.add("--at", whole_second(n), f"Tea {n}")["due"] for n in range(1, 8)}
    late = []
    for title in due:
        late.append(monitor.notification(title)["time"] - instant(due[title]))
        rings_on.call("done", "last")  # or the fourth would make a digest of them
    assert min(late) >= 0, f"never early: {late}"
    assert statistics.median(late) <= TOLERANCE, late


def test_pop_up_says_what_and_when(rings_on, monitor, desktop):
    rings_on.add("--in", "1s", "--note", "The ones <on> the balcony", "--priority", "high", "Plants")
    popup = monitor.notification()
    assert popup["summary"] == "Plants"
    assert "The ones &lt;on&gt; the balcony" in popup["body"]
    assert popup["hints"]["urgency"]["data"] == 2
    assert {"done", "snooze"} <= set(popup["actions"])
    shown(desktop, 1)


def test_done_button_completes_the_task_and_takes_the_pop_up_away(rings_on, monitor, desktop):
    task = rings_on.add("--in", "1s", "Water the plants")
    monitor.notification("Water the plants")
    shown(desktop, 1)
    desktop.press("Done")
    monitor.closed()
    shown(desktop, 0)
    after = rings_on.show(task)
    assert (after["state"], after["alarm"]) == ("done", "none")
    assert after["completed"]


def test_snooze_button_takes_the_pop_up_away_and_sets_a_new_time(rings_on, monitor, desktop):
    task = rings_on.add("--in", "1s", "Stretch")
    monitor.notification("Stretch")
    shown(desktop, 1)
    pressed = time.time()
    desktop.press("Snooze")
    monitor.closed()
    shown(desktop, 0)
    after = rings_on.show(task)
    assert (after["state"], after["alarm"]) == ("open", "snoozed")
    assert 598 <= instant(after["nextRing"]) - pressed <= 620


def test_task_deleted_before_its_time_has_no_pop_up(rings_on, monitor):
    deleted = rings_on.add("--in", "5s", "Deleted")
    rings_on.call("rm", deleted["number"])
    rings_on.add("--in", "6s", "Kept")
    assert monitor.notification()["summary"] == "Kept"
    rings_on.call("show", deleted["number"], exit_code=66)


def test_task_deleted_while_it_rings_loses_its_pop_up(rings_on, monitor, desktop):
    task = rings_on.add("--in", "1s", "Deleted while shown")
    monitor.notification("Deleted while shown")
    shown(desktop, 1)
    rings_on.call("rm", task["number"])
    monitor.closed()
    shown(desktop, 0)


def test_task_done_or_dismissed_by_command_loses_its_pop_up(rings_on, monitor, desktop):
    for command, state in (("done", "done"), ("dismiss", "open")):
        task = rings_on.add("--in", "1s", f"To be {command}")
        monitor.notification(f"To be {command}")
        shown(desktop, 1)
        rings_on.call(command, "last")
        shown(desktop, 0)
        assert rings_on.show(task)["state"] == state


def test_daemon_killed_before_the_time_and_started_after_it_rings_late(rings_on, monitor, desktop):
    task = rings_on.add("--in", "3s", "Missed")
    rings_on.kill()
    waiting.until(lambda: time.time() > instant(task["nextRing"]) + LATE + 1,
                  "its time has gone by", limit=LATE + 20)
    rings_on.start()
    popup = monitor.notification()
    assert popup["summary"] == "Missed"
    assert "late" in popup["body"], popup["body"]
    shown(desktop, 1)
    assert rings_on.show(task)["alarm"] == "ringing"


def test_daemon_killed_while_it_rings_shows_the_pop_up_again_in_place(rings_on, monitor, desktop):
    rings_on.add("--in", "1s", "Once only")
    monitor.notification("Once only")
    shown(desktop, 1)
    # A kill before that shows it once more by its tag: the last test here.
    with closing(sqlite3.connect(rings_on.database)) as store:
        waiting.until(lambda: store.execute("SELECT 1 FROM popup").fetchall(), "its id is stored")
    rings_on.kill()
    rings_on.start()
    waiting.until(lambda: "Once only" in rings_on.call("list", "--ringing").stdout, "it rings")
    assert monitor.notification("Once only")["replaces"] > 0
    shown(desktop, 1)


def test_pop_up_comes_back_when_the_server_is_started_again(rings_on, monitor, desktop):
    rings_on.add("--in", "1s", "Outlives the server")
    monitor.notification("Outlives the server")
    shown(desktop, 1)
    desktop.restart_server()
    assert monitor.notification("Outlives the server")["replaces"] == 0
    shown(desktop, 1)


def test_pop_up_whose_id_the_killed_daemon_could_not_store_is_replaced(rings_on, monitor, desktop):
    rings_on.add("--in", "1s", "Once")
    monitor.notification("Once")
    shown(desktop, 1)
    rings_on.kill()
    with closing(sqlite3.connect(rings_on.database)) as store, store:
        store.execute("DELETE FROM popup")
    rings_on.start()
    assert monitor.notification("Once")["replaces"] == 0
    monitor.closed()
    shown(desktop, 1)

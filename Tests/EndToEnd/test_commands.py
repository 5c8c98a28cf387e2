"""What the command line promises, with the real daemon behind it."""

import json
import os
import re
import select
import stat
import subprocess
import time

import pytest
import waiting
from programs import REMINDCTL, REMINDD, Daemon, instant, midday

KEYS = {
    "number", "id", "title", "note", "list", "tags", "priority", "state", "due", "dateOnly",
    "timeZone", "rule", "before", "nag", "alarm", "nextRing", "rings", "created", "modified",
    "completed"}


def test_add_says_what_it_understood(daemon):
    said = daemon.call("add", "--at", "2030-05-01 09:00", "Pay", "rent").stdout
    assert re.fullmatch(
        r"#1 Pay rent — Wed 1 May 2030, 09:00 CEST \(in \d+ (years|months)\)\n", said), said
    (task,) = daemon.objects("list")
    assert KEYS <= set(task)
    assert (task["title"], task["due"]) == ("Pay rent", "2030-05-01T09:00:00+02:00")
    assert (task["state"], task["alarm"], task["timeZone"]) == ("open", "pending", None)


def test_add_in_the_past_is_refused_with_a_hint(daemon):
    refused = daemon.call("add", "--at", "2020-05-01 09:00", "Pay", "rent", exit_code=65)
    assert refused.stdout == ""
    assert "2020-05-01 09:00" in refused.stderr
    assert "ago" in refused.stderr
    hint = re.search(r"hint: .*‘(.+?)’", refused.stderr)
    assert hint, refused.stderr
    assert daemon.objects("list", "--all") == []
    error = json.loads(daemon.call(
        "--json", "add", "--at", "2020-05-01 09:00", "Pay rent", exit_code=65).stderr)
    assert error["error"] == "InThePast"
    assert {"error", "message", "hint", "parameters"} <= set(error)
    daemon.call("add", "--at", hint[1], "The hint works")
    daemon.call("add", "--past", "--at", "2020-05-01 09:00", "Pay rent")
    assert len(daemon.objects("list")) == 2


@pytest.mark.parametrize("arguments, code", [
    (["add", "--at", "someday", "Pay rent"], 65),
    (["add", "--at", "2030-02-30", "Pay rent"], 65),
    (["add", "--in", "soon", "Pay rent"], 65),
    (["add", "   "], 65),
    (["add"], 64),
    (["add", "--at", "2030-05-01", "--in", "5m", "Pay rent"], 64),
    (["frobnicate"], 64),
    (["list", "--frobnicate"], 64),
    (["show", "7"], 66),
    (["done", "7"], 66),
    (["rm", "7"], 66),
])
def test_bad_input_stores_nothing_and_says_so(daemon, arguments, code):
    refused = daemon.call(*arguments, exit_code=code)
    assert refused.stdout == ""
    assert refused.stderr.strip()
    assert daemon.objects("list", "--all") == []


def test_time_from_now_counts_from_the_call(daemon):
    before = int(time.time())  # times are told in whole seconds
    task = daemon.add("--in", "90m", "Bread out of the oven")
    assert before <= instant(task["nextRing"]) - 5400 <= time.time()


def test_a_task_from_open_to_done_and_back(daemon):
    task = daemon.add("--in", "2h", "Call the dentist")
    number = task["number"]
    assert [ring["reminder"]["number"] if "reminder" in ring else ring["number"]
            for ring in daemon.objects("next")] == [number]
    snoozed = daemon.objects("snooze", number, "3h")[0]
    assert snoozed["alarm"] == "snoozed"
    assert snoozed["due"] == task["due"]
    done = daemon.objects("done", number)[0]
    assert (done["state"], done["alarm"], done["nextRing"]) == ("done", "none", None)
    assert daemon.objects("list") == []
    assert [t["number"] for t in daemon.objects("list", "--done")] == [number]
    assert daemon.objects("reopen", number)[0]["state"] == "open"
    assert daemon.show(task)["title"] == "Call the dentist"
    daemon.call("rm", task["id"])
    assert daemon.objects("list", "--all") == []


def test_dismissed_task_stays_open(daemon):
    task = daemon.add("--past", "--at", "2020-05-01 09:00", "Old")
    waiting.until(lambda: daemon.show(task)["alarm"] == "ringing", "it rings")
    daemon.call("dismiss", "last")
    after = daemon.show(task)
    assert (after["state"], after["alarm"]) == ("open", "none")


def test_numbers_are_never_used_again(daemon):
    first = daemon.add("First")
    daemon.call("rm", first["number"])
    assert daemon.add("Second")["number"] == first["number"] + 1


def test_watch_tells_of_every_change(daemon):
    watch = subprocess.Popen(
        [REMINDCTL, "--json", "watch"], env=daemon.env, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE)
    try:
        lines = waiting.Lines(watch.stdout)
        events = iter(lambda: json.loads(lines.next()), None)
        # The stream has begun when it tells of a change made after it was asked for.
        probes = 0
        while not select.select([watch.stdout], [], [], 0.2)[0]:
            probes += 1
            assert probes < 50, "watch tells nothing"
            daemon.call("add", "Probe")
        task = daemon.add("--in", "1s", "Watched")
        seen = []
        for event in events:
            if event["reminder"]["number"] == task["number"]:
                seen.append(event["event"])
                if event["event"] == "ringing":
                    daemon.call("done", task["number"])
                if event["event"] == "completed":
                    daemon.call("rm", task["number"])
                if event["event"] == "removed":
                    break
        assert [e for e in seen if e in ("added", "ringing", "completed", "removed")] == [
            "added", "ringing", "completed", "removed"]
    finally:
        watch.kill()
        watch.wait()
        watch.stdout.close()


def test_status_and_help(daemon):
    daemon.add("--in", "1h", "One")
    (status,) = daemon.objects("status")
    assert (status["open"], status["pending"]) == (1, 1)
    assert status["processID"] == daemon.process.pid
    for arguments in (["help"], ["help", "add"], ["--version"]):
        assert daemon.call(*arguments).stdout.strip()


def test_daemon_that_is_not_there_is_exit_69(daemon):
    daemon.stop()
    refused = daemon.call("list", exit_code=69)
    assert refused.stdout == ""
    assert "systemctl --user" in refused.stderr


def test_daemon_stops_even_when_asked_as_soon_as_it_is_ready(daemon):
    for _ in range(20):
        daemon.stop()
        daemon.start()


def test_everything_is_there_after_a_restart(daemon):
    daemon.add("--at", "2030-05-01 09:00", "--note", "To the landlord", "--tag", "home", "Pay rent")
    before = daemon.objects("list")
    daemon.stop()
    daemon.start()
    assert daemon.objects("list") == before


def test_store_and_socket_are_for_their_user_alone(daemon):
    daemon.add("One")
    for path, mode in ((daemon.database, 0o600), (daemon.database.parent, 0o700),
                       (daemon.socket, 0o600)):
        assert stat.S_IMODE(os.stat(path).st_mode) == mode, path


def refused_start(daemon, *arguments, **environment):
    """Starts a daemon that must refuse; gives what it says."""
    env = {key: value for key, value in (daemon.env | environment).items() if value is not None}
    result = subprocess.run([REMINDD, *map(str, arguments)], env=env, stdin=subprocess.DEVNULL,
                            capture_output=True, text=True, timeout=waiting.LIMIT)
    assert result.returncode not in (0, 70), result.stderr
    return result.stderr


def test_second_daemon_on_the_same_store_is_refused(daemon):
    said = refused_start(daemon, "--socket", daemon.runtime / "other.sock")
    assert str(daemon.database) in said
    daemon.add("The first one lives on")


def test_second_daemon_on_the_same_socket_is_refused(daemon):
    said = refused_start(daemon, "--database", daemon.folder / "other/reminders.db")
    assert str(daemon.socket) in said
    daemon.add("The first one lives on")


@pytest.mark.parametrize("runtime", ["unset", "open to others"])
def test_daemon_without_a_private_runtime_folder_is_refused(runtime):
    daemon = Daemon()
    try:
        daemon.runtime.chmod(0o755)
        value = None if runtime == "unset" else str(daemon.runtime)
        said = refused_start(daemon, XDG_RUNTIME_DIR=value)
        assert (value or "XDG_RUNTIME_DIR") in said
        assert not daemon.database.exists()
    finally:
        daemon.end()


def test_socket_path_that_is_no_socket_is_left_alone():
    daemon = Daemon()
    try:
        daemon.socket.write_text("precious")
        assert str(daemon.socket) in refused_start(daemon)
        assert daemon.socket.read_text() == "precious"
    finally:
        daemon.end()


@pytest.mark.parametrize("zone", [midday()], ids=["at noon"])
@pytest.mark.parametrize("when", [
    "10m", "tomorrow 9am", "3 days", "2 weeks", "6 months", "tomorrow", "fri", "2031-02-03"])
def test_what_list_prints_is_a_phrase_that_means_the_same(daemon, when):
    due = daemon.add("--at", when, "Readable")["due"]
    (row,) = [line for line in daemon.call("list").stdout.splitlines() if "Readable" in line]
    printed = row.split("Readable")[1].strip()
    assert daemon.objects("when", printed)[0]["due"] == due, printed

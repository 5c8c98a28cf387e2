"""The ways of working of the to-do and note apps that people come from."""

import os
import re
import subprocess

import pytest
import waiting
from programs import REMINDCTL, instant


def test_title_and_description_are_trimmed(daemon):
    task = daemon.add("  Pay rent \t", "--note", "\n  To the landlord \n\n")
    assert (task["title"], task["note"]) == ("Pay rent", "To the landlord")
    edited = daemon.objects("edit", "1", "--title", "  Pay the rent ", "--note", " ")[0]
    assert (edited["title"], edited["note"]) == ("Pay the rent", None)


@pytest.mark.parametrize("title", ["", " ", "\t\n", "\u00a0\u2003", "\u200b"])
def test_blank_title_is_refused(daemon, title):
    assert daemon.call("add", title, exit_code=65).stdout == ""
    assert daemon.objects("list", "--all") == []
    daemon.add("Tea")
    daemon.call("edit", "1", "--title", title, exit_code=65)
    assert daemon.objects("list")[0]["title"] == "Tea"


def test_edit_that_changes_nothing_writes_nothing(daemon):
    task = daemon.add(
        "Pay rent", "--at", "2038-05-01 09:00", "--note", "To the landlord", "--priority", "high",
        "--tag", "home", "--before", "15m", "--nag", "5m")
    size = os.stat(f"{daemon.database}-wal").st_size
    same = daemon.objects(
        "edit", "1", "--title", " Pay rent", "--at", "2038-05-01 09:00", "--note",
        "To the landlord ", "--priority", "high", "--tag", "home", "--before", "15m", "--nag",
        "5m")[0]
    assert same == task
    assert os.stat(f"{daemon.database}-wal").st_size == size


def test_three_priorities(daemon):
    for priority in ("low", "normal", "high"):
        assert daemon.add(priority, "--priority", priority)["priority"] == priority
    assert daemon.add("usual")["priority"] == "normal"
    assert daemon.call("list", "--sort", "priority").stdout.splitlines() == [
        "3  ! high", "2    normal", "4    usual", "1  - low"]
    assert [t["title"] for t in daemon.objects("list", "--priority", "low")] == ["low"]
    daemon.call("add", "urgent", "--priority", "urgent", exit_code=64)


def test_done_goes_to_the_end_struck_through_and_comes_back(daemon):
    for title in ("One", "Two", "Three"):
        daemon.add(title)
    daemon.call("done", "1")
    listed = daemon.call("list", "--all", "--color", "always").stdout
    assert [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in listed.splitlines()] == [
        "No date", "2    Two", "3    Three", "", "Done", "1 x  One"]
    assert "\x1b[2;9mOne\x1b[0m" in listed
    assert [t["number"] for t in daemon.objects("list")] == [2, 3]
    daemon.call("reopen", "1")
    assert [t["number"] for t in daemon.objects("list", "--all")] == [1, 2, 3]
    assert "\x1b[2;9m" not in daemon.call("list", "--all", "--color", "always").stdout


def test_view_of_what_is_completed(daemon):
    daemon.add("One")
    daemon.add("Two")
    (done,) = daemon.objects("done", "2")
    assert instant(done["completed"]) >= instant(done["created"])
    assert [t["number"] for t in daemon.objects("list", "--done")] == [2]
    assert daemon.call("list", "--done").stdout == "Done\n2 x  Two\n"
    assert re.search(r"^  completed +\w", daemon.call("show", "2").stdout, re.M)


def test_list_follows_changes_from_elsewhere(daemon):
    """The picture of it on a terminal is in test_terminal.py."""
    follower = subprocess.Popen(
        [REMINDCTL, "status", "--follow", "--format", "{open}"], env=daemon.env,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    try:
        lines = waiting.Lines(follower.stdout)
        assert lines.next() == "0"
        daemon.add("One")
        assert lines.next() == "1"
        daemon.call("rm", "1")
        assert lines.next() == "0"
    finally:
        follower.kill()
        follower.wait()
        follower.stdout.close()


def test_time_of_creation_is_kept_in_the_identifier_and_shown(daemon):
    task = daemon.add("Tea")
    in_identifier = int(task["id"].replace("-", "")[:12], 16) / 1000
    assert int(in_identifier) == instant(task["created"])
    daemon.stop()
    daemon.start()
    assert daemon.show(task)["created"] == task["created"]
    assert re.search(r"^  created +\w{3} \d+ \w{3} \d{4}, \d\d:\d\d", daemon.call("show", "1").stdout, re.M)


def test_deletion_cancels_the_reminder(daemon):
    daemon.add("Never", "--in", "5s")
    daemon.call("rm", "1")
    assert daemon.objects("status")[0]["pending"] == 0
    # What is due later rings, and that one has not.
    daemon.add("Tea", "--in", "6s")
    waiting.until(lambda: daemon.objects("list", "--ringing"), "the second one rings")
    assert [(e["kind"], e["title"]) for e in daemon.objects("log") if e["kind"] == "rang"] == [
        ("rang", "Tea")]

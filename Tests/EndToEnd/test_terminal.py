"""What is seen on a terminal: `watch` and `edit` in tmux."""

import os
import re
import signal

import pytest
import waiting
from pane import Terminal
from programs import midday


@pytest.fixture
def terminal(daemon):
    with Terminal(daemon) as terminal:
        yield terminal


def watch(terminal, last="0 tasks  q: leave"):
    """Begins it; gives the screen, which ends with that line."""
    terminal.type("echo before", enter=True)
    terminal.shows("before\n$")
    terminal.type("remindctl watch --color never")
    return terminal.until(lambda screen: screen.endswith("\n" + last), f"‘{last}’ below")


def test_watch_follows_what_happens_elsewhere(daemon, terminal):
    assert watch(terminal) == "No reminders." + "\n" * 19 + "0 tasks  q: leave"
    daemon.call("add", "Read", "--note", "Chapter two\nand three", "--tag", "books")
    daemon.call("add", "Pay rent", "--at", "2038-05-01 09:00", "--priority", "high")
    both = "\n".join([
        "Later",
        "2  ! Pay rent  Sat 1 May 2038, 09:00",
        "",
        "No date",
        "1    Read" + " " * 29 + "#books  Chapter two…",
        *[""] * 14,
        "2 tasks  q: leave"])
    terminal.until(lambda screen: screen == both, "both tasks")
    daemon.call("done", "1")
    screen = terminal.until(lambda screen: screen.endswith("\n1 task  q: leave"), "one is left")
    assert "Read" not in screen
    terminal.press("q")
    waiting.until(lambda: terminal.is_as_before, "the screen as it was")
    before = re.compile(r"\$ echo before\nbefore\n\$ remindctl watch --color never\n\$ ?")
    terminal.until(before.fullmatch, "the shell's prompt again, and nothing else")


def test_watch_follows_the_size_of_the_terminal(daemon, terminal):
    for number in range(30):
        daemon.call("add", f"Task number {number} with a long title")
    watch(terminal, "30 tasks  (lines 1-19 of 31)  q: leave")
    terminal.resize(24, 6)
    small = ["No date", *[f" {n}    Task number {n - 1} wit…" for n in range(1, 5)],
             "30 tasks  (lines 1-5 of…"]
    terminal.until(lambda screen: screen.splitlines() == small, "a part of it")
    terminal.press("G")
    screen = terminal.shows("Task number 29")
    assert screen.splitlines()[0].startswith("26 ")
    terminal.press("g")
    terminal.shows("No date")
    terminal.resize(80, 40)
    screen = terminal.shows("30 tasks  q: leave")
    assert len(screen.splitlines()) == 40
    terminal.press("C-c")
    waiting.until(lambda: terminal.is_as_before, "the screen as it was")


@pytest.mark.parametrize("zone", [midday()], ids=["at noon"])
def test_watch_sees_a_task_get_overdue(daemon, terminal):
    watch(terminal)
    daemon.call("add", "Tea", "--in", "5s")
    terminal.shows("Today\n1    Tea")
    screen = terminal.shows("1 overdue, 1 ringing")
    assert screen.startswith("Overdue\n1 *  Tea")


def test_watch_waits_for_a_daemon_that_is_restarted(daemon, terminal):
    daemon.call("add", "Read")
    watch(terminal, "1 task  q: leave")
    daemon.stop()
    screen = terminal.shows("The daemon has stopped; waiting for it")
    assert screen.startswith("No date\n1    Read")
    daemon.start()
    terminal.shows("The daemon was restarted")
    daemon.call("add", "Write")
    screen = terminal.shows("2 tasks")
    assert "Write" in screen
    daemon.kill()
    terminal.shows("The daemon has stopped")
    terminal.press("q")
    waiting.until(lambda: terminal.is_as_before, "the screen as it was")


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGQUIT"])
def test_watch_leaves_the_screen_as_it_was_when_it_is_ended(terminal, name):
    watch(terminal)
    assert terminal.format("#{alternate_on} #{cursor_flag}") == "1 0"
    os.kill(terminal.program, getattr(signal, name))
    waiting.until(lambda: terminal.is_as_before, "the screen as it was")
    terminal.type("echo after")
    terminal.shows("\nafter\n")


def test_watch_gives_the_screen_back_while_it_is_stopped(daemon, terminal):
    watch(terminal)
    terminal.press("C-z")
    waiting.until(lambda: terminal.is_as_before, "the screen as it was")
    daemon.call("add", "Read")
    terminal.type("fg")
    terminal.shows("1 task  q: leave")
    terminal.press("q")
    waiting.until(lambda: terminal.is_as_before, "the screen as it was")


def test_watch_without_a_daemon_is_an_ordinary_error(daemon, terminal):
    daemon.stop()
    terminal.type("remindctl watch; echo exit $?")
    screen = terminal.shows("exit 69")
    assert "No daemon listens on" in screen
    assert terminal.is_as_before


def test_edit_opens_an_editor_with_arguments(daemon, terminal):
    daemon.call("add", "Tea; touch /tmp/no", "--note", "Green")
    terminal.type("EDITOR='sed -i s/Green/Black/' remindctl edit 1; echo exit $?")
    terminal.shows("exit 0")
    (task,) = daemon.objects("list")
    assert (task["note"], task["title"]) == ("Black", "Tea; touch /tmp/no")
    assert not list(daemon.runtime.glob("*.txt"))


def test_edit_that_changes_nothing_writes_nothing(daemon, terminal):
    before = daemon.add("Tea", "--at", "2038-05-01 09:00", "--every", "2 weeks", "--before", "15m")
    terminal.type("EDITOR=true remindctl edit 1; echo exit $?")
    screen = terminal.shows("exit 0")
    assert "Nothing was changed." in screen
    assert daemon.show(before) == before


def test_edit_asks_again_and_keeps_what_was_typed(daemon, terminal):
    daemon.call("add", "Tea", "--at", "2038-05-01 09:00")
    editor = daemon.folder / "editor"
    editor.write_text("""#!/bin/sh
if grep -q someday "$1"; then sed -i 's/^When:.*/When: whenever/' "$1"
else sed -i 's/^When:.*/When: someday/' "$1"; fi
""")
    editor.chmod(0o700)
    terminal.type(f"clear; EDITOR={editor} remindctl edit 1; echo exit $?")
    screen = terminal.shows("give up (g)?")
    assert "remindctl: Line 5, When: " in screen
    assert "  someday\n  ^~~~~~~\n" in screen
    terminal.type("e")
    terminal.shows("  whenever\n  ^~~~~~~~\n")
    # The daemon goes meanwhile.
    daemon.stop()
    terminal.type("s")
    terminal.shows("No daemon listens on")
    terminal.type("g")
    screen = terminal.shows("exit 69")
    (kept,) = daemon.runtime.glob("remindctl-1-*.txt")
    assert str(kept) in screen.replace("\n", "")
    assert "When: whenever\n" in kept.read_text()
    assert kept.stat().st_mode & 0o777 == 0o600


def test_edit_says_what_was_changed_meanwhile(daemon, terminal):
    daemon.call("add", "Tea")
    editor = daemon.folder / "editor"
    editor.write_text("#!/bin/sh\nsed -i 's/^Title:.*/Title: Coffee/' \"$1\"\nread wait\n")
    editor.chmod(0o700)
    terminal.type(f"clear; EDITOR={editor} remindctl edit 1; echo exit $?")
    # The editor waits for a line of its own.
    waiting.until(
        lambda: any("Coffee" in form.read_text() for form in daemon.runtime.glob("*.txt")),
        "the form is changed")
    modified = daemon.show({"number": 1})["modified"]
    waiting.until(
        lambda: daemon.objects("edit", "1", "--list", daemon_list())[0]["modified"] != modified,
        "another second")
    terminal.press("Enter")
    screen = terminal.shows("give up (g)?")
    assert "The task was changed meanwhile: List is now" in screen
    terminal.type("s")
    terminal.shows("exit 0")
    (task,) = daemon.objects("list")
    assert task["title"] == "Coffee"
    assert task["list"].startswith("l")


def daemon_list(counter=iter(range(10_000))):
    """Another name each time."""
    return f"l{next(counter)}"

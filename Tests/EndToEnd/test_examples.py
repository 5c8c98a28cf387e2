"""Every example of `remindctl help COMMAND` works with the real daemon behind it."""

import os
import re
import select
import signal
import subprocess

import pytest
import waiting
from programs import CALENDAR, REMINDCTL, Daemon


def help_of(*command):
    return subprocess.run(
        [REMINDCTL, "help", *command], env={}, capture_output=True, text=True, check=True).stdout


COMMANDS = re.findall(r"^  ([a-z]+)", help_of().split("\nOptions")[0], re.M)
EXAMPLES = [
    line for command in COMMANDS
    for line in re.findall(r"^  (.*\bremindctl .*)$", help_of(command).split("\nExamples:\n")[1], re.M)]

# Examples that run until they are interrupted, once they have shown something.
ENDLESS = re.compile(r"^remindctl( --json)? watch\b")


@pytest.fixture
def world():
    """Twelve tasks, as the examples have them: all open, 7 rings."""
    daemon = Daemon().start()
    for n in range(1, 13):
        when = ("--past", "--at", "2020-05-01 09:00") if n == 7 else ("--in", f"{n}h")
        daemon.add(*when, f"Task {n} rent", "--tag", "family", "--list", "work" if n == 12 else "home")
    waiting.until(lambda: daemon.objects("show", 7)[0]["alarm"] == "ringing", "it rings")
    (daemon.folder / "tasks.ics").write_text(CALENDAR)
    daemon.call("backup", daemon.folder / "reminders-backup.db")
    (daemon.folder / "todo.txt").write_text("(A) Rent +home due:2030-05-01\n")
    yield daemon
    daemon.end()


def test_every_command_has_examples():
    assert len(COMMANDS) >= 19
    for command in COMMANDS:
        assert any(re.search(rf"\bremindctl .*\b{command}\b", line) for line in EXAMPLES), command


@pytest.mark.parametrize("line", EXAMPLES)
def test_example_works(world, line):
    if "reopen" in line:
        world.call("done", 7)
    env = world.env | {"PATH": f"{REMINDCTL.parent}:{world.env['PATH']}", "EDITOR": "true", "VISUAL": "true"}
    process = subprocess.Popen(
        ["bash", "-c", line], env=env, cwd=world.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, start_new_session=True,
        # Ignored, if the tests run in the background of a shell; bash cannot undo that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    if ENDLESS.match(line):
        try:
            waiting.until(lambda: world.call("add", "Probe") and select.select([process.stdout], [], [], 0.1)[0], "it shows")
        finally:
            os.killpg(process.pid, signal.SIGINT)
            process.communicate(timeout=waiting.LIMIT)
        return
    out, errors = process.communicate(timeout=waiting.LIMIT)
    # No desktop here: the doctor says so, and asks for an answer to the test on stderr.
    doctor = "doctor" in line
    assert process.returncode == (1 if doctor else 0), line + errors
    assert doctor or not errors, line
    assert out


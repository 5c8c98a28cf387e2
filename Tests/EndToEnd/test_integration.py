"""What docs/integration.md shows works as shown; the commands of the other documents too."""

import configparser
import json
import os
import re
import select
import shlex
import stat
import subprocess
import sys

import pytest
import waiting
from programs import REMINDCTL, ROOT, midday

DOCUMENT = (ROOT / "docs/integration.md").read_text()


def blocks(heading, language, text=DOCUMENT):
    """The blocks of code in that language below that heading, up to the next one of its level."""
    level = re.search(rf"^(#+) {re.escape(heading)}$", text, re.M)[1]
    body = re.split(
        rf"^#{{1,{len(level)}}} ", re.split(rf"^{level} {re.escape(heading)}$", text, flags=re.M)[1],
        flags=re.M)[0]
    return re.findall(rf"^```{language}(?: not run: [^\n]+)?\n(.*?)^```$", body, re.M | re.S)


@pytest.fixture
def busy(daemon):
    """A daemon with a title that means something to every bar."""
    daemon.call("add", "--at", "2038-05-01 09:00", 'Say "hi" & <b>100%</b> #[fg=red]')
    daemon.env["PATH"] = f"{REMINDCTL.parent}:{os.environ['PATH']}"
    return daemon


def first_line(daemon, command):
    """What a bar would show: the first line of a command that goes on."""
    bar = subprocess.Popen(
        ["sh", "-c", f"exec {command}"], env=daemon.env, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE)
    try:
        return waiting.Lines(bar.stdout).next()
    finally:
        bar.kill()
        bar.wait()
        bar.stdout.close()


def pressed(daemon, command):
    """Runs the command of a click while something rings."""
    task = daemon.add("--past", "--at", "2020-05-01 09:00", "Old")
    waiting.until(lambda: daemon.show(task)["alarm"] == "ringing", "it rings")
    daemon.call(*shlex.split(command)[1:])
    assert daemon.show(task)["alarm"] != "ringing"


def test_waybar(busy):
    module = json.loads(blocks("Waybar", "json")[0])["custom/reminders"]
    shown = json.loads(first_line(busy, module["exec"]))
    assert shown["text"] == "0 today"
    assert shown["class"] == "idle"
    assert shown["tooltip"].endswith(
        "Say &quot;hi&quot; &amp; &lt;b&gt;100%&lt;/b&gt; #[fg=red]")
    for click in (module["on-click"], module["on-click-right"]):
        pressed(busy, click)


def test_polybar(busy):
    module = configparser.RawConfigParser()
    module.read_string(blocks("Polybar", "ini")[0])
    line = first_line(busy, module["module/reminders"]["exec"])
    assert re.fullmatch(r'Say "hi" & <b>100%%</b> #\[fg=r… \d+ days', line), line
    pressed(busy, module["module/reminders"]["click-left"])


def test_i3blocks(busy):
    module = configparser.RawConfigParser()
    module.read_string(blocks("i3blocks", "ini")[0])
    line = first_line(busy, module["reminders"]["command"])
    assert line.startswith("Say &quot;hi&quot; &amp; &lt;b&gt;100%&lt;/b&gt; #[fg=r… "), line


def test_tmux(busy):
    (setting,) = blocks("tmux", "tmux")
    command = re.search(r'"#\((.*)\)"', setting)[1]
    line = first_line(busy, command)
    assert line.startswith('Say "hi" & <b>100%</b> ##[fg=r… '), line


@pytest.mark.parametrize("zone", [midday()], ids=["at noon"])
def test_bar_is_told_of_each_change_and_of_the_daemons_end(busy):
    bar = subprocess.Popen(
        [REMINDCTL, "status", "--follow", "--format", "{open} {ringing} {class}"], env=busy.env,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    try:
        lines = waiting.Lines(bar.stdout)
        assert lines.next() == "1 0 idle"
        busy.call("add", "Tea")
        assert lines.next() == "2 0 idle"
        busy.call("add", "Now", "--in", "3s")
        # A task that is due today is one before it rings.
        seen = [lines.next()]
        while seen[-1] != "3 1 ringing":
            seen.append(lines.next())
        assert seen[0] == "3 0 today"
        busy.stop()
        assert lines.next() == "  stopped"
        busy.start()
        assert lines.next() == "3 1 ringing"
    finally:
        bar.stdout.close()
        # Nobody reads any more.
        assert bar.wait(waiting.LIMIT) == 0


def test_hook_of_the_document_keeps_a_diary(busy):
    hook = busy.folder / "hook"
    hook.write_text(blocks("Hooks", "sh")[0])
    hook.chmod(hook.stat().st_mode | stat.S_IXUSR)
    configuration = busy.folder / "config/remindd/remindd.conf"
    configuration.parent.mkdir(parents=True, exist_ok=True)
    configuration.write_text(f"[Hooks]\nOnRing={hook}\n")
    busy.stop()
    busy.start()
    busy.call("add", "--in", "1s", "Tea")
    diary = busy.folder / "rang.txt"
    waiting.until(lambda: diary.exists() and "#2 Tea\n" in diary.read_text(), "the hook has run")


def test_events_reach_a_loop_of_the_shell(busy):
    loop = subprocess.Popen(
        ["sh", "-c", blocks("Hooks", "sh")[1]], env=busy.env, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, start_new_session=True)
    try:
        lines = waiting.Lines(loop.stdout)
        # It follows when it tells of a change made after it began.
        line = None
        while line is None:
            busy.call("add", "Probe")
            try:
                line = json.loads(lines.next(limit=0.5))
            except AssertionError:
                continue
        assert line["event"] == "added"
    finally:
        os.killpg(loop.pid, 9)
        loop.wait()
        loop.stdout.close()


def test_varlink_from_the_shell(busy):
    add, following = blocks("Varlink from the shell", "sh")
    said = subprocess.run(
        ["sh", "-c", add], env=busy.env, capture_output=True, text=True, check=True,
        timeout=waiting.LIMIT).stdout
    assert json.loads(said)["parameters"]["reminder"]["title"] == "Tea"
    titles = subprocess.run(
        ["sh", "-c", following], env=busy.env, capture_output=True, text=True, check=True,
        timeout=waiting.LIMIT).stdout.splitlines()
    assert titles == ["Tea", 'Say "hi" & <b>100%</b> #[fg=red]']


def test_varlink_from_python(busy):
    for script, said in zip(blocks("Varlink from Python", "python"), ("Call the dentist", "watching")):
        output = subprocess.run(
            [sys.executable, "-c", script], env=os.environ | busy.env, capture_output=True,
            text=True, check=True, timeout=waiting.LIMIT).stdout
        assert said in output


@pytest.mark.parametrize("heading", ["Status bars", "Calendar"])
def test_other_commands_of_the_document(busy, heading):
    (busy.folder / "tasks.ics").write_text(
        "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:1\r\nSUMMARY:Tax\r\nDUE:20380501T090000\r\n"
        "END:VTODO\r\nEND:VCALENDAR\r\n")
    commands = [line for block in blocks(heading, "sh") for line in block.splitlines()]
    assert commands
    for command in commands:
        program, *arguments = shlex.split(command)
        assert program == "remindctl"
        busy.call(*arguments, cwd=busy.folder)


def promised_fields():
    """The table of docs/integration.md: each command, and the fields of its lines."""
    part = DOCUMENT.split("## JSON from the command line")[1].split("\n## ")[0]
    for commands, fields in re.findall(r"^\| (`.*?) \| (.*) \|$", part, re.M):
        bare = re.sub(r"\([^)]*\)", "", fields)
        for command in re.findall(r"`([^`]+)`", commands):
            yield command, re.findall(r"`(\w+)`", bare)


def test_json_has_the_fields_that_are_promised(daemon, tmp_path):
    daemon.call("add", "Tea", "--in", "10m", "--tag", "hot", "--list", "at home")
    old = daemon.add("Old", "--at", "2020-01-01", "--past")
    daemon.call("add", "Milk")
    waiting.until(lambda: daemon.show(old)["alarm"] == "ringing", "it rings")
    copy, calendar = tmp_path / "copy.db", tmp_path / "tasks.ics"
    lines = {
        "add": ["add", "Bread"], "edit": ["edit", 1, "--nag", "5m"], "show": ["show", 1],
        "snooze": ["snooze", 1, "20m"], "dismiss": ["dismiss", 2], "done": ["done", 3],
        "reopen": ["reopen", 3], "rm": ["rm", 3], "list": ["list"], "search": ["search", "tea"],
        "undo": ["undo"], "next": ["next"], "log": ["log"], "explain": ["explain", 1],
        "when": ["when", "friday"], "undo --list": ["undo", "--list"], "lists": ["lists"],
        "tags": ["tags"], "pause": ["pause", "1h"], "resume": ["resume"], "status": ["status"],
        "export FILE": ["export", calendar], "import": ["import", calendar],
        "import --dry-run": ["import", "--dry-run", calendar], "backup": ["backup", copy],
        "restore": ["restore", copy]}
    promised = dict(promised_fields())
    assert set(promised) == set(lines) | {"watch", "doctor"}
    for command, words in lines.items():
        said = daemon.objects(*words)
        assert said, command
        for line in said:
            assert list(line) == promised[command], command
    checks = subprocess.run(
        [REMINDCTL, "--json", "doctor"], env=daemon.env, capture_output=True, text=True).stdout
    assert all(list(json.loads(line)) == promised["doctor"] for line in checks.splitlines())
    watch = subprocess.Popen(
        [REMINDCTL, "--json", "watch"], env=daemon.env, stdout=subprocess.PIPE)
    try:
        while not select.select([watch.stdout], [], [], 0.2)[0]:
            daemon.call("add", "Seen")
        assert list(json.loads(waiting.Lines(watch.stdout).next())) == promised["watch"]
    finally:
        watch.kill()
        watch.wait()
        watch.stdout.close()

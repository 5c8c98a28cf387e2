"""The cases of kind “cli” in Tests/Cases/handout.jsonl, each a test of its name."""

import json
import re
import subprocess

import pytest
import terminal
import varlink
import waiting
from programs import REMINDCTL, ROOT

CASES = {
    case["id"]: case
    for case in map(json.loads, (ROOT / "Tests/Cases/handout.jsonl").read_text().splitlines())
    if case["kind"] == "cli"}


def on_path(daemon, **more):
    return daemon.env | {"PATH": f"{REMINDCTL.parent}:{daemon.env['PATH']}"} | more


def shell(daemon, line, **more):
    return subprocess.run(
        ["bash", "-c", line], env=on_path(daemon, **more), stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=waiting.LIMIT)


def test_every_case_has_its_test():
    names = {name.removeprefix("test_").replace("_", "-") for name in globals()}
    assert set(CASES) <= names


def test_A_cli_01(daemon):
    case = CASES["A-cli-01"]
    with varlink.Client(f"unix:{daemon.socket}") as client, \
            client.open("org.remindd.Reminders") as service:
        for n in range(case["input"]["items"]):
            service.Add(title=f"Reminder {n}")
    line = case["input"]["command"] + "; echo ${PIPESTATUS[0]} >&2"
    ended = shell(daemon, line)
    expect = case["expect"]
    assert ended.stdout.count("\n") == expect["stdout_lines"]
    # On stderr stands nothing but the status that bash told.
    assert int(ended.stderr) in expect["exit_status_of_remindctl"]["one_of"]
    for command in ("list --json | head -1", "next 1000 | head -1", "help | true", "list | true"):
        ended = shell(daemon, f"remindctl {command}; echo ${{PIPESTATUS[0]}} >&2")
        assert int(ended.stderr) in (0, 141), command


def test_A_cli_02(daemon):
    case = CASES["A-cli-02"]
    for title in case["input"]["titles"]:
        daemon.add("--at", "2030-05-01 09:00", "--tag", "home", title)
    env = daemon.env | case["input"]["env"]
    for columns in (40, 80, 200, None):
        if columns:
            code, text, errors = terminal.run([REMINDCTL, "--color", "never", "list"], env, columns)
            assert (code, errors) == (0, "")
        else:
            text = subprocess.run(
                [REMINDCTL, "list"], env=env, capture_output=True, text=True, check=True).stdout
        starts = set()
        for title in case["input"]["titles"]:
            (row,) = [line for line in text.splitlines() if title in line or title[:3] in line]
            for column in ("Wed 1 May 2030", "#home"):
                if column in row:
                    starts.add((column, terminal.cells(row[:row.index(column)])))
        assert len(starts) == len({column for column, _ in starts}), (columns, text)
        assert starts, text
    for title, count in case["expect"]["display_cells"].items():
        assert terminal.cells(title) == count


def test_A_cli_03(daemon):
    case = CASES["A-cli-03"]
    daemon.add("--past", "--at", "2020-05-01 09:00", "--priority", "high", "Pay rent")
    daemon.call("done", daemon.add("Milk")["number"])
    env = on_path(daemon, **case["input"]["env"])
    colours = case["expect"]["esc_bytes_in_output"]
    for command in case["input"]["commands"]:
        if "|" in command:
            text = shell(daemon, command, **case["input"]["env"]).stdout
            assert text.count("\x1b") == colours
            assert text
    plain = shell(daemon, "remindctl list --all | cat", **case["input"]["env"]).stdout
    _, uncoloured, _ = terminal.run([REMINDCTL, "list", "--all"], env | {"NO_COLOR": "1"})
    assert uncoloured.count("\x1b") == colours
    _, dumb, _ = terminal.run([REMINDCTL, "list", "--all"], env | {"TERM": "dumb"})
    assert dumb.count("\x1b") == colours
    _, coloured, _ = terminal.run([REMINDCTL, "list", "--all"], env | {"NO_COLOR": ""})
    assert coloured.count("\x1b") > 0
    # The same words in all of them.
    for text in (uncoloured, dumb, re.sub(r"\x1b\[[0-9;]*m", "", coloured)):
        assert text.split() == plain.split()


def test_A_cli_04(daemon):
    case = CASES["A-cli-04"]
    for command in case["input"]["commands"]:
        refused = shell(daemon, command)
        assert refused.returncode > 0
        assert "title is empty" in refused.stderr
        assert refused.stdout == ""
    assert len(daemon.objects("list", "--all")) == case["expect"]["stored"]


# White_Space and the blanks that show nothing: Unicode's PropList.txt, and what is drawn as empty.
BLANKS = [
    "\t", "\n", "\v", "\f", "\r", " ", "\x85", "\xa0", "\u1680", *map(chr, range(0x2000, 0x200b)),
    "\u2028", "\u2029", "\u202f", "\u205f", "\u3000", "\u200b", "\u2060", "\ufeff", "\u00ad",
    "\u200e", "\u180e", "\u2800", "\u3164", "\u115f", "\uffa0"]


@pytest.mark.parametrize("blank", BLANKS, ids=lambda blank: f"U+{ord(blank):04X}")
def test_titles_of_blanks_are_refused(daemon, blank):
    for title in (blank, blank * 3, f" {blank} "):
        refused = daemon.call("add", title, exit_code=65)
        assert refused.stdout == ""
        assert refused.stderr.startswith("remindctl: ")
    daemon.call("edit", daemon.add("Tea")["number"], "--title", blank, exit_code=65)
    assert [task["title"] for task in daemon.objects("list", "--all")] == ["Tea"]

"""Completion of command lines in the real shells."""

import subprocess

import pytest
import waiting
from programs import REMINDCTL, ROOT
from shells import Bash, Fish, Zsh

SHELLS = {"bash": Bash, "zsh": Zsh, "fish": Fish}


@pytest.fixture
def tasks(daemon):
    daemon.add("Pay: rent", "--list", "home", "--tag", "money")
    daemon.add("買い物リスト", "--list", "home", "--tag", "family")
    daemon.add("It's \"done\"", "--list", "work")
    daemon.call("done", 3)
    return daemon


@pytest.fixture(params=SHELLS)
def shell(request, tasks):
    shell = SHELLS[request.param](tasks.env)
    yield shell
    shell.close()


@pytest.mark.parametrize("name", SHELLS)
def test_scripts_are_those_that_are_installed(name):
    said = subprocess.run(
        [REMINDCTL, "completions", name], env={}, capture_output=True, check=True).stdout
    assert said == (ROOT / ".build/dist/completions" / name).read_bytes()
    subprocess.run([name, "-n"], input=said, check=True)


def test_lines_are_completed(shell):
    for typed, completed in [
        ("remindctl sno", "remindctl snooze "),
        ("remindctl add --pri", "remindctl add --priority"),
        ("remindctl add --priority h", "remindctl add --priority high "),
        ("remindctl add Tea --rev", "remindctl add Tea --rev"),
        ("remindctl list --rev", "remindctl list --reverse "),
        ("remindctl list --list ho", "remindctl list --list home "),
        ("remindctl list --tag fam", "remindctl list --tag family "),
        ("remindctl --json list --sort pri", "remindctl --json list --sort priority "),
        ("remindctl add --tz Europe/Par", "remindctl add --tz Europe/Paris "),
        ("remindctl snooze 1 3", "remindctl snooze 1 30m "),
        ("remindctl reopen ", "remindctl reopen 3 "),
        ("remindctl help compl", "remindctl help completions "),
        ("remindctl completions z", "remindctl completions zsh "),
    ]:
        line, seen = shell.complete(typed)
        assert line.rstrip(" =") == completed.rstrip(), (typed, line, seen)


def test_numbers_come_with_their_titles(shell):
    _, seen = shell.complete("remindctl done ")
    assert "Pay: rent" in seen and "買い物リスト" in seen and "last" in seen
    assert "It's" not in seen
    _, seen = shell.complete("remindctl show ")
    assert "It's" in seen


def test_phrases_are_offered_whole(shell):
    _, seen = shell.complete("remindctl add Tea --at ")
    assert "end of month" in seen.replace("\\", "")
    line, seen = shell.complete("remindctl add Tea --at end")
    assert line.replace("\\", "").rstrip() == "remindctl add Tea --at end of month", (line, seen)


def test_commands_and_options_are_offered(shell):
    _, seen = shell.complete("remindctl ")
    assert all(command in seen for command in ("add", "list", "snooze", "completions"))
    _, seen = shell.complete("remindctl list --")
    assert all(f"--{option}" in seen for option in ("overdue", "list", "sort", "json", "socket"))


def test_without_a_daemon_there_is_silence(shell, tasks):
    tasks.stop()
    line, seen = shell.complete("remindctl show ")
    assert line == "remindctl show "
    assert "remindctl:" not in seen and "hint" not in seen


def test_bash_completes_values_after_a_sign(tasks):
    shell = Bash(tasks.env)
    try:
        for typed, completed in [
            ("remindctl list --list=ho", "remindctl list --list=home "),
            ("remindctl add --at=end", "remindctl add --at=end\\ of\\ month "),
            ("remindctl add --at \"end o", "remindctl add --at \"end of month\" "),
            ("remindctl add --every day\\ at\\ 9:00\\ a", "remindctl add --every day\\ at\\ 9:00\\ and\\ 18:00 "),
            ("remindctl --socket=/nowhere show ", "remindctl --socket=/nowhere show "),
        ]:
            assert shell.complete(typed)[0] == completed
    finally:
        shell.close()


def test_a_number_is_completed_on_the_screen_of_tmux(tasks):
    env = tasks.env | {"PATH": f"{REMINDCTL.parent}:{tasks.env['PATH']}", "TERM": "xterm", "LC_ALL": "C.UTF-8"}

    def tmux(*arguments):
        return subprocess.run(
            ["tmux", "-S", tasks.folder / "tmux", "-f", "/dev/null", *arguments], env=env, check=True,
            capture_output=True, text=True, timeout=waiting.LIMIT).stdout

    def screen():
        return tmux("capture-pane", "-p")

    tmux("new-session", "-d", "-x", "80", "-y", "24", "bash --norc --noprofile -i")
    try:
        tmux("send-keys", "PS1='$ '; unset HISTFILE; clear; source <(remindctl completions bash); echo rea''dy", "Enter")
        waiting.until(lambda: "\nready" in "\n" + screen(), "bash is ready")
        tmux("send-keys", "clear; remindctl done ", "Tab", "Tab")
        waiting.until(lambda: "(Pay: rent)" in screen(), "the titles are shown")
        assert "1     (Pay: rent)" in screen()
        assert "2     (買い物リスト)" in screen()
        tmux("send-keys", "2", "Tab", "Enter")
        waiting.until(lambda: tasks.show({"number": 2})["state"] == "done", "it is done")
        assert "Done: #2 買い物リスト" in waiting.until(
            lambda: "Done" in screen() and screen(), "it says so")
    finally:
        tmux("kill-server")

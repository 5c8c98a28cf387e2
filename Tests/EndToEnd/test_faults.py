"""Faults around the released daemon: what is taken away from it while it runs, and what it is started in."""

import os
import pathlib
import pty
import signal
import socket
import sqlite3
import subprocess
import time
from contextlib import closing

import pytest
import waiting
from desktop import Desktop
from programs import REMINDCTL, REMINDD, Daemon
from recorder import RecordingServer


@pytest.fixture
def cold():
    """A folder for a daemon that is not started yet."""
    daemon = Daemon()
    yield daemon
    daemon.end()


def answers(daemon):
    """Whether somebody listens: a moment after bind(2) the file is there, and nobody does yet."""
    with closing(socket.socket(socket.AF_UNIX)) as client:
        return daemon.socket.exists() and client.connect_ex(str(daemon.socket)) == 0


def test_socket_that_was_removed_is_made_anew(daemon):
    daemon.call("list")
    daemon.socket.unlink()
    waiting.until(lambda: answers(daemon), "the socket is there again")
    daemon.call("list")
    assert daemon.process.poll() is None


def test_store_that_was_emptied_names_the_newest_backup(cold):
    cold.start()
    cold.add("Tea", "--at", "2040-05-01 09:00")
    backups = cold.database.parent / "backups"
    waiting.until(lambda: list(backups.glob("reminders-*.db")), "daily copy")
    cold.stop()
    (backup,) = backups.glob("reminders-*.db")
    os.truncate(cold.database, 0)
    for suffix in ("-wal", "-shm"):
        pathlib.Path(f"{cold.database}{suffix}").unlink(missing_ok=True)
    refused = subprocess.run([REMINDD], env=cold.env, capture_output=True, text=True, timeout=waiting.LIMIT)
    assert refused.returncode == 78
    assert f"remindd --restore {backup}" in refused.stderr
    assert cold.database.stat().st_size == 0
    subprocess.run([REMINDD, "--restore", backup], env=cold.env, check=True, capture_output=True)
    cold.start()


@pytest.mark.parametrize("change", ["PRAGMA user_version = 0", "DROP TABLE popup"])
def test_store_that_lacks_tables_ends_with_78(cold, change):
    cold.start()
    cold.add("Tea", "--at", "2040-05-01 09:00")
    cold.stop()
    with closing(sqlite3.connect(cold.database, isolation_level=None)) as database:
        database.execute(change)
    refused = subprocess.run([REMINDD], env=cold.env, capture_output=True, text=True, timeout=waiting.LIMIT)
    assert refused.returncode == 78
    assert "is damaged" in refused.stderr and "SQLITE_ERROR" not in refused.stderr


def test_restore_refuses_values_that_no_list_could_read(daemon, tmp_path):
    daemon.add("Tea", "--at", "2040-05-01 09:00")
    copy = tmp_path / "copy.db"
    daemon.call("backup", copy)
    with closing(sqlite3.connect(copy, isolation_level=None)) as database:
        database.execute("UPDATE task SET deadline = 'garbage'")
    refused = daemon.call("restore", copy, exit_code=65)
    assert "deadline" in refused.stderr and "Nothing was changed" in refused.stderr
    assert [task["title"] for task in daemon.objects("list")] == ["Tea"]


def test_copies_that_kill_9_broke_off_are_removed_by_the_next_start(cold, tmp_path):
    cold.start()
    for number in range(300):
        cold.call("add", f"Task {number}", "--note", "x" * 3000)
    copy = tmp_path / "copy.db"
    left = 0
    for cycle in range(12):
        calls = [subprocess.Popen(
            [REMINDCTL, *words], env=cold.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            for words in (["backup", copy], ["restore", copy]) if cycle or words[0] == "backup"]
        if cycle == 0:
            calls[0].wait()
        time.sleep(0.004 * cycle)
        cold.kill()
        for call in calls:
            call.wait()
        parts = lambda: [*tmp_path.glob("*.remindd-part-*"), *cold.database.parent.rglob("*.remindd-part-*")]  # noqa: E731
        left += len(parts())
        cold.start()
        assert parts() == []
    assert len(cold.objects("list", "--all")) == 300


def test_hook_that_hangs_ends_with_the_daemon(cold, tmp_path):
    alive = tmp_path / "alive"
    os.mkfifo(alive)
    hook = tmp_path / "hook"
    hook.write_text(f"#!/bin/sh\nexec 3> {alive}\nsleep 1000 &\necho started >&3\nwait\n")
    hook.chmod(0o755)
    configuration = cold.folder / "config/remindd/remindd.conf"
    configuration.parent.mkdir(parents=True)
    configuration.write_text(f"[Hooks]\nOnRing={hook}\n")
    cold.start()
    cold.add("Late", "--at", "2020-05-01 09:00", "--past")
    with alive.open("rb", buffering=0) as pipe:
        assert pipe.readline() == b"started\n"
        cold.kill()
        assert pipe.read(1) == b"", "all that could write are gone"


def test_list_does_not_wait_while_another_program_has_the_lock(daemon):
    daemon.add("Tea", "--in", "20m")
    with closing(sqlite3.connect(daemon.database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        adding = subprocess.Popen(
            [REMINDCTL, "add", "Coffee", "--in", "20m"], env=daemon.env,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        slowest, end = 0, time.monotonic() + 2  # it tries for some seconds
        while (began := time.monotonic()) < end:
            daemon.call("list")
            slowest = max(slowest, time.monotonic() - began)
        assert slowest < 1
        other.execute("COMMIT")
    assert adding.wait(timeout=waiting.LIMIT) == 0, "it waited for a moment"


def edit_on_a_terminal(daemon, tmp_path, script):
    """`remindctl edit 1` with an editor that runs `script`: its process id, and the terminal."""
    editor = tmp_path / "editor"
    editor.write_text(f"#!/bin/sh\n{script}\n")
    editor.chmod(0o755)
    pid, terminal = pty.fork()
    if pid == 0:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # A shell's background ignores it.
        os.execve(REMINDCTL, ["remindctl", "edit", "1"],
                  daemon.env | {"TERM": "xterm", "EDITOR": str(editor)})
    return pid, terminal


def ended_by(number, pid, terminal):
    """What was still written on the terminal by a program that signal `number` ends."""
    shown = b""
    while True:
        try:
            shown += os.read(terminal, 4096)
        except OSError:  # EIO: the other side is closed
            break
    os.close(terminal)
    _, status = os.waitpid(pid, 0)
    assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == number
    return shown.decode()


def kept_form(text):
    assert "What you typed is kept in ‘" in text
    return pathlib.Path(text.rsplit("‘", 1)[1].split("’")[0]).read_text()


def test_ctrl_c_at_the_question_names_the_file_that_is_kept(daemon, tmp_path):
    daemon.add("Tea", "--at", "2040-05-01 09:00")
    pid, terminal = edit_on_a_terminal(
        daemon, tmp_path, "sed -i 's/^When:.*/When: xx/' \"$1\"")
    shown = b""
    while not shown.endswith(b"give up (g)? "):
        shown += os.read(terminal, 4096)
    os.write(terminal, b"\x03")
    assert "When: xx" in kept_form(ended_by(signal.SIGINT, pid, terminal))


def test_a_signal_while_the_editor_runs_names_the_file_too(daemon, tmp_path):
    daemon.add("Tea", "--at", "2040-05-01 09:00")
    pid, terminal = edit_on_a_terminal(
        daemon, tmp_path, "sed -i 's/^Title:.*/Title: Coffee/' \"$1\"; kill -TERM $PPID")
    assert "Title: Coffee" in kept_form(ended_by(signal.SIGTERM, pid, terminal))


def held_at(call, *command):
    """A program whose threads are held for two seconds in each such system call (strace(1))."""
    when = "exit" if call == "unlink" else "enter"
    return ["strace", "-f", "--seccomp-bpf", "-o", "/dev/null", "-e", f"trace={call}",
            "-e", f"inject={call}:delay_{when}=2000000", *map(str, command)]


def child_of(pid):
    return int(pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0])


def test_a_signal_after_the_form_was_stored_names_no_file_that_is_gone(daemon, tmp_path):
    daemon.add("Tea", "--at", "2040-05-01 09:00")
    editor = tmp_path / "editor"
    editor.write_text("#!/bin/sh\nsed -i 's/^Title:.*/Title: Coffee/' \"$1\"\n")
    editor.chmod(0o755)
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvpe("strace", held_at("unlink", REMINDCTL, "edit", "1"),
                   daemon.env | {"TERM": "xterm", "EDITOR": str(editor)})
    waiting.until(lambda: daemon.objects("list")[0]["title"] == "Coffee"
                  and not list(daemon.runtime.glob("*.txt")), "the form is stored, and gone")
    os.kill(child_of(pid), signal.SIGTERM)
    assert "is kept in" not in ended_by(signal.SIGTERM, pid, terminal)


def test_a_stop_that_comes_while_the_daemon_begins_is_heard(cold):
    tracer = subprocess.Popen(held_at("signalfd4", REMINDD), env=cold.env, stderr=subprocess.DEVNULL)
    try:
        waiting.until(lambda: answers(cold), "it listens")
        begins = child_of(tracer.pid)
        tasks = pathlib.Path(f"/proc/{begins}/task")
        # It is about to hear signals.
        waiting.until(lambda: any("\nState:\tt" in (task / "status").read_text() for task in tasks.iterdir()),
                      "a thread is held")
        os.kill(begins, signal.SIGTERM)
        assert tracer.wait(waiting.LIMIT) in (0, -signal.SIGTERM)
    finally:
        if tracer.poll() is None:
            os.kill(child_of(tracer.pid), signal.SIGKILL)
            tracer.wait()


def test_A_text_03_bytes_that_are_no_utf_8_harm_neither_bus_nor_store(tmp_path):
    source = pathlib.Path(__file__).parent.parent / "Cases/ics/handout/A-text-03.ics"
    calendar = tmp_path / "case.ics"
    with Desktop(server=False) as desktop:
        server = RecordingServer(desktop.env)
        daemon = Daemon(bus=desktop.env["DBUS_SESSION_BUS_ADDRESS"]).start()
        try:
            # What is due before it has come in does not ring.
            due = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(time.time() + 10)).encode()
            calendar.write_bytes(source.read_bytes().replace(b"DUE:20240501T090000Z", b"DUE:" + due))
            daemon.call("import", calendar)
            popup = server.popup()
            assert popup["summary"] == "Caf\ufffd bill"
            assert daemon.process.poll() is None
            daemon.add("Still on the bus", "--at", "2020-05-01 09:00", "--past")
            assert server.popup("Still on the bus")
            listed = subprocess.run(
                [REMINDCTL, "list"], env=daemon.env, capture_output=True, check=True).stdout
            assert "Caf\ufffd bill" in listed.decode()
            with closing(sqlite3.connect(daemon.database)) as database:
                database.text_factory = bytes
                (title,) = database.execute("SELECT title FROM task WHERE number = 1").fetchone()
                assert title.decode() == "Caf\ufffd bill"
        finally:
            daemon.end()
            server.stop()


ODD = {
    "no HOME": {"HOME": None}, "no HOME, relative XDG": {"HOME": None, "XDG_DATA_HOME": "data"},
    "tr_TR": {"LC_ALL": "tr_TR.UTF-8"}, "POSIX": {"LC_ALL": "POSIX"}, "bad locale": {"LANG": "xx_YY.ZZ"},
    "odd TZ": {"TZ": ":/nowhere"}, "TZ of blanks": {"TZ": "   "}, "POSIX TZ": {"TZ": "<+0545>-5:45"},
    "huge variable": {"BIG": "x" * 100_000}, "no PATH": {"PATH": None},
    "bus that is none": {"DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"},
    "rubbish bus": {"DBUS_SESSION_BUS_ADDRESS": "rubbish;;=,"},
}


@pytest.mark.parametrize("name", ODD)
def test_odd_environment_begins_or_says_why_not(cold, name):
    change = ODD[name]
    for key, value in change.items():
        cold.env.pop(key, None)
        if value is not None:
            cold.env[key] = value
    if cold.env.get("XDG_DATA_HOME", "").startswith("/") or "HOME" in cold.env:
        cold.start()
        assert cold.add("Tea", "--in", "20m")["number"] == 1
        cold.call("list")
        assert cold.process.poll() is None
    else:
        refused = subprocess.run([REMINDD], env=cold.env, capture_output=True, text=True, timeout=waiting.LIMIT)
        assert refused.returncode == 64
        assert "HOME" in refused.stderr


@pytest.mark.parametrize("limit, code, said", [
    ("-n 10", 78, "Only 10 files may be open"), ("-f 0", 74, "reminders.db")])
def test_limits_that_are_too_low_are_named(cold, limit, code, said):
    refused = subprocess.run(
        ["sh", "-c", f"ulimit {limit}; exec {REMINDD}"], env=cold.env, capture_output=True, text=True,
        timeout=waiting.LIMIT)
    assert refused.returncode == code
    assert said in refused.stderr


def test_store_that_is_a_link_to_nowhere_is_not_begun_anew(cold):
    cold.database.parent.mkdir(parents=True)
    cold.database.symlink_to(cold.folder / "disk/reminders.db")
    refused = subprocess.run([REMINDD], env=cold.env, capture_output=True, text=True, timeout=waiting.LIMIT)
    assert refused.returncode == 73
    assert "disk/reminders.db’, which is not there" in refused.stderr
    assert cold.database.is_symlink()


def test_few_descriptors_and_closed_streams(cold):
    script = f"ulimit -n 32; exec {REMINDD} <&- >&- 2>&-"
    cold.process = subprocess.Popen(["sh", "-c", script], env=cold.env)
    waiting.until(lambda: answers(cold), "it listens")
    for number in range(60):
        cold.add(f"Tea {number}", "--at", "2020-05-01 09:00", "--past")
    assert len(cold.objects("list")) == 60
    assert cold.process.poll() is None


def test_a_socket_that_was_announced_and_not_passed_in_is_told(daemon):
    daemon.stop()
    daemon.start(through=["sh", "-c", 'LISTEN_PID=$$ LISTEN_FDS=1 exec "$0"'])
    assert "the socket that was passed in cannot be used (Bad file descriptor)" in daemon.log.read_text()
    daemon.call("status")


def test_export_does_not_take_the_place_of_the_store(daemon):
    daemon.add("Tea", "--at", "2040-05-01 09:00")
    refused = daemon.call("export", daemon.database, exit_code=73)
    assert str(daemon.database) in refused.stderr
    daemon.add("Coffee", "--at", "2040-05-01 09:00")
    assert len(daemon.objects("list")) == 2

"""The released daemon on stores, disks and sockets that are not as they should be (A-sql-…, A-sock-…)."""

import hashlib
import json
import os
import socket
import sqlite3
import subprocess
import time
from contextlib import closing

import pytest
import waiting
from desktop import SUPPORT, Desktop
from programs import REMINDD, Daemon, instant


@pytest.fixture
def cold():
    """A folder for a daemon that is not started yet."""
    daemon = Daemon()
    yield daemon
    daemon.end()


def start_fails(daemon, code, *said, **env):
    """The daemon ends with that code and says these words on standard error."""
    result = subprocess.run(
        [REMINDD], env=daemon.env | env, stdin=subprocess.DEVNULL, capture_output=True, text=True,
        timeout=waiting.LIMIT)
    assert result.returncode == code, result.stderr
    for words in said:
        assert words in result.stderr
    return result.stderr


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def integrity(path):
    with closing(sqlite3.connect(path)) as database:
        return database.execute("PRAGMA integrity_check").fetchone()[0]


def filled(daemon, count=5):
    """A store with tasks, and no daemon on it."""
    daemon.start()
    for number in range(count):
        daemon.add(f"Task {number}", "--at", "2040-05-01 09:00")
    daemon.stop()


def test_A_sql_01_lock_of_another_program_delays_nothing_but_writes():
    with Desktop(server=False) as desktop:
        server = subprocess.Popen(
            ["/usr/bin/python3", SUPPORT / "notification_server.py"], env=desktop.env,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        lines = waiting.Lines(server.stdout)
        assert json.loads(lines.next())["event"] == "ready"
        daemon = Daemon(bus=desktop.env["DBUS_SESSION_BUS_ADDRESS"]).start()
        try:
            due = instant(daemon.add("Due meanwhile", "--in", "2s")["due"])
            other = sqlite3.connect(daemon.database, isolation_level=None)
            other.execute("BEGIN EXCLUSIVE")
            locked = time.time()
            adding = subprocess.Popen(
                [REMINDD.parent / "remindctl", "add", "Tea", "--in", "20m"], env=daemon.env,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            while (event := json.loads(lines.next()))["event"] != "notify":
                pass
            assert event["at"] < due + 1 + 2, "it popped up within 2 s of its second"
            waiting.until(lambda: time.time() > locked + 3, "3 s have passed")
            other.execute("COMMIT")
            output, errors = adding.communicate(timeout=waiting.LIMIT)
            titles = [task["title"] for task in daemon.objects("list")]
            if adding.returncode == 0:
                assert "Tea" in titles
            else:
                assert "locked" in errors and "Tea" not in titles
            assert daemon.process.poll() is None
            daemon.add("Coffee", "--in", "20m")
        finally:
            daemon.end()
            server.kill()
            server.wait()


def test_A_sql_02_store_of_a_newer_version_is_left_as_it_is(cold):
    filled(cold)
    with closing(sqlite3.connect(cold.database, isolation_level=None)) as database:
        known = database.execute("PRAGMA user_version").fetchone()[0]
        database.execute("PRAGMA user_version = 9999")
    before = sha256(cold.database)
    start_fails(cold, 78, "9999", f"up to {known}", str(cold.database))
    assert sha256(cold.database) == before
    with closing(sqlite3.connect(cold.database)) as database:
        assert database.execute("PRAGMA user_version").fetchone()[0] == 9999
        assert database.execute("SELECT count(*) FROM task").fetchone()[0] == 5


@pytest.mark.root
def test_A_sql_03_full_disk_refuses_and_loses_nothing(cold):
    folder = cold.folder / "data"
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "none", folder], check=True)
    try:
        cold.start()
        for number in range(50):
            cold.add(f"Task {number}", "--at", "2040-05-01 09:00")
        ballast = folder / "ballast"
        with ballast.open("wb", buffering=0) as file:
            with pytest.raises(OSError):
                while True:
                    file.write(b"x" * 4096)
        # What is left in the pages that SQLite has already may take a few.
        refused, stored = None, 50
        while refused is None:
            result = subprocess.run(
                [REMINDD.parent / "remindctl", "add", "Tea " + "x" * 200, "--in", "20m"],
                env=cold.env, capture_output=True, text=True, timeout=waiting.LIMIT)
            if result.returncode == 0:
                stored += 1
                assert stored < 5000
            else:
                refused = result
        assert refused.returncode == 74
        assert "full" in refused.stderr
        assert len(cold.objects("list", "--all")) == stored
        assert cold.process.poll() is None
        ballast.unlink()
        cold.add("Coffee", "--in", "20m")
        cold.stop()
        cold.start()
        assert len(cold.objects("list", "--all")) == stored + 1
        cold.stop()
        assert integrity(cold.database) == "ok"
    finally:
        if cold.process and cold.process.poll() is None:
            cold.kill()
        subprocess.run(["umount", folder], check=True)


def tasks(count):
    """The lines of a calendar file."""
    items = [f"BEGIN:VTODO\r\nUID:{n}@example.org\r\nDTSTAMP:20300101T000000Z\r\nSUMMARY:Imported {n}\r\n"
             f"DESCRIPTION:{'n' * 200}\r\nDUE:20400101T090000Z\r\nEND:VTODO\r\n" for n in range(count)]
    return f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//example//EN\r\n{''.join(items)}END:VCALENDAR\r\n"


@pytest.mark.root
def test_import_that_filled_the_disk_keeps_no_daemon_from_ringing_and_is_taken_back(cold):
    folder = cold.folder / "data"
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=6m", "none", folder], check=True)
    try:
        cold.start()
        cold.add("Tea", "--at", "2040-05-01 09:00")
        calendar = cold.folder / "many.ics"
        calendar.write_text(tasks(8000), newline="")
        assert "full" in cold.call("import", calendar, exit_code=74).stderr
        cold.kill()
        cold.start()
        assert "Tea" in {task["title"] for task in cold.objects("list")}
        subprocess.run(["mount", "-o", "remount,size=60m", folder], check=True)
        calendar.write_text(tasks(1), newline="")
        cold.call("import", calendar)
        assert {task["title"] for task in cold.objects("list", "--all")} == {"Tea", "Imported 0"}
    finally:
        if cold.process and cold.process.poll() is None:
            cold.kill()
        subprocess.run(["umount", folder], check=True)


def test_A_sock_01_left_over_socket_is_replaced(daemon):
    daemon.kill()
    assert daemon.socket.exists()
    began = time.monotonic()
    daemon.start()
    assert time.monotonic() - began < 2
    daemon.call("list")


def test_A_sock_02_too_long_a_path_is_refused_by_both(cold):
    runtime = str(cold.folder / "r").ljust(150, "r")
    os.mkdir(runtime, 0o700)
    path = f"{runtime}/remindd.sock"
    assert "107" in start_fails(cold, 73, path, XDG_RUNTIME_DIR=runtime)
    cold.env["XDG_RUNTIME_DIR"] = runtime
    result = cold.call("list", exit_code=78)
    assert path in result.stderr and "107" in result.stderr
    assert os.listdir(runtime) == []


def test_A_sock_03_clients_that_hang_up_harm_nobody(daemon):
    daemon.call("list")
    call = b'{"method":"org.remindd.Reminders.List"}\0'
    opened = lambda: len(os.listdir(f"/proc/{daemon.process.pid}/fd"))  # noqa: E731
    before = opened()
    for number in range(200):
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
            client.connect(str(daemon.socket))
            client.sendall(call if number % 2 else call[:17])
    daemon.call("list")
    assert daemon.process.poll() is None
    waiting.until(lambda: opened() <= before + 5, "the connections are closed")


DAMAGES = {
    "zeroed head": lambda data: bytes(100) + data[100:],
    "truncated": lambda data: data[:5000],
    "foreign": lambda data: b"# Shopping list\n" * 100,
}


@pytest.mark.parametrize("kind", DAMAGES)
def test_damaged_store_stays_as_it_is_and_remindctl_says_so(cold, kind):
    filled(cold)
    cold.database.write_bytes(DAMAGES[kind](cold.database.read_bytes()))
    before = sha256(cold.database)
    start_fails(cold, 78, str(cold.database))
    assert sha256(cold.database) == before
    told = cold.call("list", exit_code=69).stderr
    assert str(cold.database) in told and "It could not begin" in told


def test_odd_places_for_a_store_are_refused(cold):
    cold.database.mkdir(parents=True)
    start_fails(cold, 73, str(cold.database), "not a regular file")
    cold.database.rmdir()
    other = cold.database.with_name("other.db")
    cold.database.symlink_to(other)
    other.symlink_to(cold.database)
    start_fails(cold, 73, str(cold.database))
    assert cold.database.is_symlink()


def test_backup_and_restore(daemon, tmp_path):
    for title in ("Tea", "Coffee"):
        daemon.add(title, "--at", "2040-05-01 09:00")
    copy = tmp_path / "copy.db"
    (told,) = daemon.objects("backup", copy)
    assert told["path"] == str(copy) and told["tasks"] == 2
    assert copy.stat().st_mode & 0o777 == 0o600
    assert integrity(copy) == "ok"
    daemon.call("rm", "1")
    (told,) = daemon.objects("restore", copy)
    assert {task["title"] for task in daemon.objects("list")} == {"Tea", "Coffee"}
    assert integrity(told["keptAs"]) == "ok"
    assert daemon.add("Cocoa", "--in", "1h")["number"] == 3
    # By another name of the folder, from where the client stands.
    daemon.call("backup", "again.db", cwd=tmp_path)
    assert (tmp_path / "again.db").exists()
    (tmp_path / "precious").write_text("precious")
    daemon.call("backup", tmp_path / "precious", exit_code=65)
    daemon.call("restore", tmp_path / "precious", exit_code=65)
    daemon.call("restore", tmp_path / "nowhere", exit_code=74)
    assert len(daemon.objects("list")) == 3
    waiting.until(lambda: list(daemon.database.parent.glob("backups/reminders-*.db")), "daily copy")


def test_store_that_no_daemon_can_open_is_restored_by_the_program_itself(cold, tmp_path):
    cold.start()
    cold.add("Tea", "--at", "2040-05-01 09:00")
    copy = tmp_path / "copy.db"
    cold.call("backup", copy)
    refused = subprocess.run([REMINDD, "--restore", copy], env=cold.env, capture_output=True)
    assert refused.returncode == 75, "a daemon has the store"
    cold.kill()
    cold.database.write_bytes(b"rubbish" * 1000)
    start_fails(cold, 78)
    subprocess.run([REMINDD, "--restore", copy], env=cold.env, check=True, capture_output=True)
    (kept,) = cold.database.parent.glob("reminders.db.replaced-*[0-9]")
    assert kept.read_bytes() == b"rubbish" * 1000
    cold.start()
    assert [task["title"] for task in cold.objects("list")] == ["Tea"]


def test_old_copy_beside_the_log_of_a_killed_daemon_is_refused_and_says_what_to_do(cold):
    filled(cold)
    old = cold.database.read_bytes()
    for _ in range(2):
        cold.start()
        for number in range(40):
            cold.add(f"Later {number}", "--note", "n" * 1500)
        cold.stop()
    cold.start()
    cold.add("Last", "--note", "n" * 1500)
    cold.kill()
    cold.database.write_bytes(old)
    start_fails(cold, 78, f"{cold.database}-wal", "move that log away")
    assert cold.database.read_bytes() == old
    for suffix in ("-wal", "-shm"):
        os.unlink(f"{cold.database}{suffix}")
    cold.start()
    assert len(cold.objects("list")) == 5

"""Installed as a user would have it, under a real `systemd --user` of a user made for the purpose."""

import os
import pathlib
import re
import shutil
import socket
import subprocess

import pytest
import waiting
from desktop import SUPPORT, Monitor
from programs import ROOT
from surroundings import Surroundings

pytestmark = pytest.mark.root


class Session(Surroundings):
    """A user who is logged in."""

    def __init__(self):
        super().__init__(SUPPORT / "with-user-systemd", "--")

    def systemctl(self, *arguments):
        return self.run("systemctl", "--user", *arguments)

    def ask(self, property, unit="remindd.service"):
        return self.systemctl("show", "--value", "--property", property, unit).strip()

    def remindctl(self, *arguments):
        return self.run(self.home / ".local/bin/remindctl", *arguments)

    def tree(self):
        return {str(path.relative_to(self.home)) for path in self.home.rglob("*")
                # What the session's other services keep for themselves is not ours.
                if not path.is_relative_to(self.home / "source")
                and not path.is_relative_to(self.home / ".local/state")}


@pytest.fixture
def session():
    with Session() as session:
        give_source(session)
        yield session


def give_source(session):
    """A clone with the release built, as the user would have it."""
    source = session.home / "source"
    for part in ("Sources", "scripts", "systemd", "docs", "share", ".build/dist"):
        shutil.copytree(ROOT / part, source / part)
    for part in ("Makefile", "Package.swift", "README.md", "CHANGELOG.md", "LICENSE"):
        shutil.copy2(ROOT / part, source / part)
    for path in (source, *source.rglob("*")):
        os.chown(path, session.popen["user"], session.popen["group"])


@pytest.fixture
def screen(session):
    """A desktop in the session: a screen and dunst on the session's bus."""
    x = subprocess.Popen(
        ["Xvfb", "-displayfd", "1", "-screen", "0", "1280x720x24", "-nolisten", "tcp"],
        env=session.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, **session.popen)
    session.env["DISPLAY"] = ":" + waiting.Lines(x.stdout).next()
    dunst = subprocess.Popen(
        ["dunst"], env=session.env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, **session.popen)
    waiting.until(lambda: "true" in session.run(
        "gdbus", "call", "--session", "--dest", "org.freedesktop.DBus", "--object-path", "/",
        "--method", "org.freedesktop.DBus.NameHasOwner", "org.freedesktop.Notifications"),
        "dunst is there")
    yield
    for process in (dunst, x):
        process.kill()
        process.wait()
    x.stdout.close()


def test_installed_enabled_called_killed_and_uninstalled(session, screen):
    (session.home / ".config/systemd/user").mkdir(parents=True)
    for folder in (".config", ".config/systemd", ".config/systemd/user"):
        os.chown(session.home / folder, session.popen["user"], session.popen["group"])
    before = session.tree()

    for _ in range(2):
        session.run("make", "-C", "source", "install")
    session.systemctl("enable", "--now", "remindd.socket")
    assert session.ask("ActiveState") == "inactive"
    called_first(session)
    session.systemctl("enable", "--now", "remindd.socket", "remindd.service")
    assert session.ask("ActiveState") == "active"
    rings(session)
    heals(session)

    for _ in range(2):
        session.run("make", "-C", "source", "uninstall")
    assert session.ask("LoadState") == "not-found"
    assert not (pathlib.Path(session.env["XDG_RUNTIME_DIR"]) / "remindd.sock").exists()
    after = session.tree()
    assert not before - after
    # What the person wrote is theirs and stays.
    store = ".local/share/remindd"
    left = {path for path in after - before if not path.startswith(store + "/")}
    assert left <= {".local", ".local/share", store}, left


def called_first(session):
    """The first call of remindctl starts the daemon through the socket."""
    session.remindctl("add", "--at", "2030-05-01 09:00", "Pay", "rent")
    # It answers before it has told systemd that it is ready.
    waiting.until(lambda: session.ask("ActiveState") == "active", "it is ready")
    assert "Pay rent" in session.remindctl("list")


def rings(session):
    monitor = Monitor(session.env, **session.popen)
    try:
        session.remindctl("add", "--in", "1s", "Under systemd")
        monitor.notification("Under systemd")
        waiting.until(lambda: session.run("dunstctl", "count", "displayed").strip() == "1", "shown")
    finally:
        monitor.stop()


def heals(session):
    """A daemon that is killed comes back by itself, and rings what it would have rung."""
    pid = int(session.ask("MainPID"))
    monitor = Monitor(session.env, **session.popen)
    try:
        session.remindctl("add", "--in", "1s", "After the kill")
        os.kill(pid, 9)
        monitor.notification("After the kill")
        waiting.until(lambda: int(session.ask("MainPID")) not in (0, pid)
                      and session.ask("ActiveState") == "active", "it is there again")
        assert session.ask("NRestarts") == "1"
    finally:
        monitor.stop()


def test_hardening_is_in_force(session):
    session.run("make", "-C", "source", "install")
    session.systemctl("start", "remindd.service")
    status = pathlib.Path(f"/proc/{session.ask('MainPID')}/status").read_text()
    fields = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    assert fields["NoNewPrivs"] == "1"
    assert fields["Seccomp"] == "2"
    assert fields["Umask"] == "0077"
    assert int(fields["CapBnd"], 16) == 0
    assert session.ask("MemoryMax") == str(512 << 20)
    assert session.ask("TasksMax") == "512"


def give_program(session, path, text):
    session.run("mkdir", "-p", path.parent)
    session.run("bash", "-c", 'printf %s "$1" >"$2"; chmod +x "$2"', "give", text, path)


def set_up(session, *lines):
    """Installs it with the log in a file and the lines in the unit; gives the path of the log."""
    session.run("make", "-C", "source", "install")
    log = session.home / "log"
    unit = session.home / ".config/systemd/user/remindd.service.d/test.conf"
    give_program(session, unit, "\n".join(
        ["[Service]", f"StandardError=append:{log}", *lines, ""]))
    session.systemctl("daemon-reload")
    return log


def test_hook_reaches_the_network_and_the_daemon_does_not(session):
    log = set_up(session)
    heard = socket.create_server(("127.0.0.1", 0))
    heard.settimeout(waiting.LIMIT)
    hook = session.home / "hook"
    give_program(session, hook, f"""#!/bin/bash
        echo "hook of $REMIND_TITLE"
        echo "told: $REMIND_NOTE" >/dev/tcp/127.0.0.1/{heard.getsockname()[1]}
        title=$(/usr/bin/python3 -c 'import json; print(json.load(open(0))["title"])')
        [ "$title" = "$REMIND_TITLE" ] && exit 7
        """)
    give_program(session, session.home / ".config/remindd/remindd.conf", f"[Hooks]\nOnRing={hook}\n")
    session.systemctl("start", "remindd.service")
    note = "ünï \"quoted\" $HOME %h\nsecond line"
    session.remindctl("add", "--in", "1s", "Tea", "--note", note)
    with heard, heard.accept()[0] as connection:
        connection.settimeout(waiting.LIMIT)
        assert connection.makefile().read() == f"told: {note}\n"
    waiting.until(lambda: "the hook of #1 failed with status 7" in log.read_text(), "it is logged")
    assert "hook of #1: hook of Tea" in log.read_text()
    pid = session.ask("MainPID")
    assert os.readlink(f"/proc/{pid}/ns/net") != os.readlink("/proc/self/ns/net")


def test_hook_that_hangs_is_killed_with_all_it_started(session):
    log = set_up(session)
    hook = session.home / "hook"
    give_program(session, hook, "#!/bin/bash\nsleep 1001 &\nsleep 1001\n")
    give_program(session, session.home / ".config/remindd/remindd.conf", f"[Hooks]\nOnRing={hook}\n")
    session.systemctl("start", "remindd.service")
    session.remindctl("add", "--in", "1s", "Tea")

    def sleeping():
        return subprocess.run(["pgrep", "-u", session.env["USER"], "-f", "sleep 1001"]).returncode == 0
    waiting.until(sleeping, "it runs")
    waiting.until(lambda: "the hook of #1 took too long and was killed" in log.read_text(), "the end", 60)
    waiting.until(lambda: not sleeping(), "nothing is left")


def test_sound_is_played_from_the_sandbox(session, screen):
    played = session.home / "played"
    give_program(session, session.home / "bin/canberra-gtk-play", f"#!/bin/bash\necho \"$*\" >{played}\n")
    set_up(session, f"Environment=PATH={session.home}/bin:/usr/bin:/bin")
    session.systemctl("start", "remindd.service")
    session.remindctl("add", "--in", "1s", "Tea")
    waiting.until(lambda: played.exists() and "--id" in played.read_text(), "the player was run")


def test_without_user_namespaces_the_drop_in_of_the_readme_helps(session):
    lines = re.search(r"^```ini\n\[Service\]\n(.*?)^```", (ROOT / "README.md").read_text(), re.M | re.S)[1]
    set_up(session, *lines.splitlines())
    session.systemctl("start", "remindd.service")
    pid = session.ask("MainPID")
    assert os.readlink(f"/proc/{pid}/ns/user") == os.readlink("/proc/self/ns/user")
    session.remindctl("add", "Tea")


def test_daemon_that_cannot_start_is_left_alone(session):
    session.run("make", "-C", "source", "install")
    store = session.home / ".local/share/remindd"
    session.run("mkdir", "-p", "-m", "700", store)
    session.run("bash", "-c", f"echo precious > {store}/reminders.db")
    session.run("systemctl", "--user", "start", "--no-block", "remindd.service")
    waiting.until(lambda: session.ask("ActiveState") == "failed", "systemd gives up")
    assert session.ask("ExecMainStatus") == "78"
    assert session.ask("NRestarts") == "0"
    assert (store / "reminders.db").read_text() == "precious\n"

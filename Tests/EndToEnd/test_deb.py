"""The Debian package in a fresh Debian that boots with its own systemd: installed, upgraded, removed, purged."""

import hashlib
import json
import os
import pathlib
import subprocess

import pytest
import waiting
from desktop import SUPPORT
from programs import ROOT

pytestmark = pytest.mark.deb

STORE = "/home/ann/.local/share/remindd/reminders.db"


def make_deb(**environment):
    said = subprocess.run(
        [ROOT / "scripts/make-deb"], env=os.environ | environment, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=300)
    assert said.returncode == 0, said.stdout + said.stderr
    return ROOT / said.stdout.splitlines()[-1]


@pytest.fixture(scope="module")
def package():
    return make_deb()


@pytest.fixture(scope="module")
def newer(package):
    """The same release as a later version, made quickly."""
    version = package.name.split("_")[1].split("-")[0]
    return make_deb(VERSION=version + "+next", DPKG_DEB_COMPRESSOR_LEVEL="0")


class Machine:
    """A Debian that has booted, with ann's `systemd --user` in it."""

    def __init__(self, root):
        self._process = subprocess.Popen(
            [SUPPORT / "boot-debian", root], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        first = waiting.Lines(self._process.stdout).next(60)
        self._inside = ["nsenter", "--target", first, "--all"]
        self.ann = ["setpriv", "--reuid=1000", "--regid=1000", "--init-groups", "env", "-i", "HOME=/home/ann",
                    "USER=ann", "PATH=/usr/bin:/bin", "LANG=C.UTF-8", "XDG_RUNTIME_DIR=/run/user/1000",
                    "DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/1000/bus"]

    def end(self):
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()

    def start(self, *command, **popen):
        return subprocess.Popen([*self._inside, *self.ann, *command], **popen)

    def run(self, *command, code=0, input="", limit=120):
        """As root."""
        said = subprocess.run(
            [*self._inside, *command], input=input, capture_output=True, text=True, timeout=limit)
        assert code in (said.returncode, None), f"{command}: {said.stdout}{said.stderr}"
        return said.stdout

    def as_ann(self, *command, **run):
        return self.run(*self.ann, *command, **run)

    def ask(self, what, unit="remindd.service"):
        return self.as_ann("systemctl", "--user", "show", "--value", "-p", what, unit).strip()

    def give(self, path, target):
        with path.open("rb") as file:
            subprocess.run([*self._inside, "sh", "-c", f"cat >{target}"], stdin=file, check=True, timeout=60)

    def install(self, package):
        self.give(package, "/root/remindd.deb")
        return self.run("env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "--yes", "--reinstall",
                        "--no-install-recommends", "/root/remindd.deb")

    def has(self, path):
        return self.run("sh", "-c", f"test -e {path} && echo yes", code=None).strip() == "yes"


@pytest.fixture(scope="module")
def machine(package):
    said = subprocess.run([SUPPORT / "debian-root", package], stdout=subprocess.PIPE, text=True, timeout=600)
    assert said.returncode == 0, "there is no Debian root"
    machine = Machine(said.stdout.strip())
    try:
        waiting.until(lambda: machine.run("systemctl", "is-active", "user@1000.service", code=None)
                      .strip() == "active", "ann's systemd is there", 60)
        yield machine
    finally:
        machine.end()


@pytest.fixture
def server(machine):
    """A notification server on ann's bus; gives the lines of what it is told."""
    machine.give(SUPPORT / "notification_server.py", "/opt/notification_server.py")
    server = machine.start("/usr/bin/python3", "/opt/notification_server.py", stdin=subprocess.PIPE,
                           stdout=subprocess.PIPE)
    lines = waiting.Lines(server.stdout)
    assert json.loads(lines.next())["event"] == "ready"
    yield lines
    server.stdin.close()
    server.wait(waiting.LIMIT)
    server.stdout.close()


def rings(machine, server, title):
    machine.as_ann("remindctl", "add", "--in", "1s", title)
    while True:
        said = json.loads(server.next())
        if said["event"] == "notify" and said["summary"] == title:
            return


def test_package_has_nothing_that_lintian_minds(package):
    said = subprocess.run(
        ["lintian", "--allow-root", "--fail-on", "error,warning", "--tag-display-limit", "0", package],
        capture_output=True, text=True, timeout=300)
    assert (said.returncode, said.stdout) == (0, ""), said.stdout + said.stderr


def test_package_of_the_same_release_is_the_same_file(newer):
    once = hashlib.sha256(newer.read_bytes()).hexdigest()
    again = make_deb(VERSION=newer.name.split("_")[1].split("-")[0], DPKG_DEB_COMPRESSOR_LEVEL="0")
    assert again == newer
    assert hashlib.sha256(again.read_bytes()).hexdigest() == once


def test_installed_it_runs_at_once_and_rings(machine, server, package):
    machine.install(package)
    assert machine.ask("ActiveState") == "active"
    assert machine.ask("UnitFileState") == machine.ask("UnitFileState", "remindd.socket") == "enabled"
    for file in ("man/man1/remindctl.1.gz", "man/man8/remindd.8.gz", "man/man5/remindd.conf.5.gz",
                 "bash-completion/completions/remindctl", "zsh/vendor-completions/_remindctl",
                 "fish/vendor_completions.d/remindctl.fish", "remindd/remindd.conf", "doc/remindd/README.md"):
        assert machine.has(f"/usr/share/{file}"), file
    rings(machine, server, "Installed")


def test_nobody_but_people_gets_a_daemon(machine, package):
    """A login screen has a `systemd --user` too."""
    machine.run("useradd", "--system", "--create-home", "greeter")
    machine.run("loginctl", "enable-linger", "greeter")
    user = machine.run("id", "-u", "greeter").strip()
    waiting.until(lambda: machine.run("systemctl", "is-active", f"user@{user}.service", code=None)
                  .strip() == "active", "its systemd is there", 60)
    asked = machine.run("systemctl", "--user", f"--machine={user}@.host", "show", "-p", "ActiveState",
                        "-p", "ConditionResult", "remindd.service")
    machine.run("loginctl", "disable-linger", "greeter")
    assert asked.split() == ["ActiveState=inactive", "ConditionResult=no"]


def test_upgraded_the_new_one_runs_and_everything_is_there(machine, server, package, newer):
    machine.as_ann("remindctl", "add", "--at", "2030-05-01 09:00", "Pay rent")
    before = machine.as_ann("remindctl", "--json", "list")
    pid, store = machine.ask("MainPID"), machine.run("stat", "-c", "%i", STORE)
    listens = machine.ask("ActiveEnterTimestampMonotonic", "remindd.socket")
    machine.install(newer)
    assert "+next" in machine.run("dpkg-query", "-W", "remindd")
    assert machine.ask("ActiveState") == "active"
    assert machine.ask("MainPID") not in (pid, "0")
    assert machine.as_ann("remindctl", "--json", "list") == before
    assert machine.run("stat", "-c", "%i", STORE) == store
    # Nobody's call was refused meanwhile.
    assert machine.ask("ActiveEnterTimestampMonotonic", "remindd.socket") == listens
    rings(machine, server, "Upgraded")


def test_upgrade_starts_nothing_that_someone_stopped_or_disabled(machine, newer):
    machine.run("systemctl", "--global", "disable", "remindd.service", "remindd.socket")
    machine.as_ann("systemctl", "--user", "stop", "remindd.service", "remindd.socket")
    machine.install(newer)
    assert machine.ask("ActiveState") == "inactive"
    assert machine.run("systemctl", "--global", "is-enabled", "remindd.service", code=None).strip() == "disabled"
    machine.run("systemctl", "--global", "enable", "remindd.service", "remindd.socket")
    machine.as_ann("systemctl", "--user", "daemon-reload")
    machine.as_ann("systemctl", "--user", "start", "remindd.socket", "remindd.service")


def test_removed_and_purged_only_what_people_wrote_is_left(machine):
    assert machine.ask("ActiveState") == "active"
    pid = machine.ask("MainPID")
    files = machine.run("dpkg", "--listfiles", "remindd").split("\n")
    machine.run("apt-get", "remove", "--yes", "remindd")
    assert not machine.has(f"/proc/{pid}")
    assert not machine.has("/run/user/1000/remindd.sock")
    assert not [path for path in files if "remind" in pathlib.Path(path).name and machine.has(path)]
    machine.run("apt-get", "purge", "--yes", "remindd")
    left = machine.run("find", "/etc", "/usr", "/var/lib/systemd", "-name", "*remind*")
    assert left == ""
    assert machine.ask("LoadState") == "not-found"
    assert machine.has(STORE)

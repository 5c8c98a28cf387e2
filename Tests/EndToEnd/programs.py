"""The two released programs, each daemon in a folder of its own."""

import json
import math
import os
import pathlib
import select
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from datetime import datetime, timezone

import waiting

ROOT = pathlib.Path(__file__).resolve().parents[2]
REMINDD = ROOT / ".build/dist/remindd"
REMINDCTL = ROOT / ".build/dist/remindctl"

# A calendar file with one task.
CALENDAR = """BEGIN:VCALENDAR\r
VERSION:2.0\r
PRODID:-//example//EN\r
BEGIN:VTODO\r
UID:tea@example.org\r
DTSTAMP:20300101T000000Z\r
SUMMARY:Tea\r
DUE:20300501T090000Z\r
END:VTODO\r
END:VCALENDAR\r
"""


def instant(text):
    """Seconds since 1970 of an RFC 3339 time."""
    return datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


def midday():
    """A time zone in which it is about noon: what is today now is so for hours."""
    hours = 12 - datetime.now(timezone.utc).hour
    return f"Etc/GMT{-hours:+d}"


class Daemon:
    """A store in a folder of its own, and the daemon on it as long as it is started."""

    def __init__(self, bus=None, zone="Europe/Berlin", user=None):
        """`user` is whose programs they are: arguments for Popen, of another user's session."""
        self._folder = tempfile.TemporaryDirectory(prefix="remindd-")
        self.folder = pathlib.Path(self._folder.name)
        self.runtime = self.folder / "runtime"
        self.runtime.mkdir(mode=0o700)
        self._user = user or {}
        self._remindd, self._remindctl = REMINDD, REMINDCTL
        if user:
            # Where the user may read them, whatever the folder that they were built in.
            self._remindd, self._remindctl = (
                shutil.copy2(program, self.folder) for program in (REMINDD, REMINDCTL))
            for path in (self.folder, self.runtime):
                os.chown(path, user["user"], user["group"])
        self.socket = self.runtime / "remindd.sock"
        self.database = self.folder / "data/remindd/reminders.db"
        self.env = {
            "PATH": os.environ["PATH"], "HOME": str(self.folder), "LANG": "C.UTF-8", "TZ": zone,
            "XDG_RUNTIME_DIR": str(self.runtime), "XDG_DATA_HOME": str(self.folder / "data"),
            "XDG_CONFIG_HOME": str(self.folder / "config"),
            # Without a bus of its own a daemon must not find anybody else's.
            "DBUS_SESSION_BUS_ADDRESS": bus or f"unix:path={self.folder}/no-bus"}
        self.process = None
        self.log = self.folder / "log"

    def start(self, through=()):
        """Starts the daemon; returns when it has told that it is ready, as it would systemd.

        `through` is a command that becomes the daemon."""
        told = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        path = self.runtime / "notify"
        path.unlink(missing_ok=True)
        told.bind(str(path))
        if self._user:
            os.chown(path, self._user["user"], self._user["group"])
        with told, self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*through, self._remindd], env=self.env | {"NOTIFY_SOCKET": str(path)},
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, **self._user)
            exited = os.pidfd_open(self.process.pid)
            try:
                while True:
                    ready, _, _ = select.select([told, exited], [], [], waiting.LIMIT)
                    assert told in ready, f"remindd did not become ready: {self.log.read_text()}"
                    if b"READY=1" in told.recv(4096).split(b"\n"):
                        return self
            finally:
                os.close(exited)

    def kill(self):
        """kill -9."""
        self.process.kill()
        self.process.wait()

    def stop(self):
        """Asks it to stop, as systemd does; it must do so properly."""
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(waiting.LIMIT) == 0, self.log.read_text()

    def end(self):
        if self.process and self.process.poll() is None:
            self.kill()
        self._folder.cleanup()

    def call(self, *arguments, exit_code=0, **run):
        """Runs remindctl, which must end with that code."""
        result = subprocess.run(
            [self._remindctl, *map(str, arguments)], env=self.env, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=waiting.LIMIT, **(self._user | run))
        assert result.returncode == exit_code, (
            f"remindctl {arguments}: exit {result.returncode} in place of {exit_code}\n"
            f"{result.stdout}{result.stderr}{self.log.read_text() if self.log.exists() else ''}")
        return result

    def objects(self, *arguments):
        """What remindctl prints with --json, a list."""
        return [json.loads(line) for line in
                self.call("--json", *arguments).stdout.splitlines()]

    def add(self, *arguments):
        """Adds a task; gives it as the daemon describes it."""
        (task,) = self.objects("add", *arguments)
        return task

    def add_at_once(self, titles, seconds):
        """Adds tasks that are all due in the same second, that many seconds from now: by a shell, which
        is quicker than Python, so that none is due before it is added."""
        script = 'for title; do "$0" --json add --at "$DUE" "$title" || exit; done'
        due = datetime.fromtimestamp(math.ceil(time.time()) + seconds, timezone.utc).isoformat()
        said = subprocess.run(
            ["sh", "-c", script, self._remindctl, *titles], env=self.env | {"DUE": due},
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=True,
            timeout=waiting.LIMIT, **self._user).stdout
        return [json.loads(line) for line in said.splitlines()]

    def show(self, task):
        return self.objects("show", task["number"])[0]

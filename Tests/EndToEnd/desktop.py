"""A private headless desktop: a session bus, an X server, dunst, and a monitor that sees the bus."""

import json
import os
import pathlib
import subprocess
import tempfile

from waiting import Lines, until

SUPPORT = pathlib.Path(__file__).resolve().parent.parent / "Support"
NOTIFICATIONS = "org.freedesktop.Notifications"


class Monitor:
    """Every message on a bus, with the time at which the bus passed it on."""

    def __init__(self, env, **popen):
        self._process = subprocess.Popen(
            ["busctl", "--user", "monitor", "--json=short"], env=env, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, **popen)
        self._lines = Lines(self._process.stdout)
        errors = Lines(self._process.stderr)
        while "Monitoring bus" not in errors.next():
            pass

    def next(self, **fields):
        """The next message with these fields; `time` in it is in seconds since 1970."""
        while True:
            message = json.loads(self._lines.next())
            if all(message.get(key) == value for key, value in fields.items()):
                message["time"] = message["timestamp-realtime"] / 1e6
                return message

    def notification(self, summary=None):
        """The next pop-up that is asked for (with that title)."""
        while True:
            message = self.next(type="method_call", interface=NOTIFICATIONS, member="Notify")
            data = message["payload"]["data"]
            popup = {"time": message["time"], "replaces": data[1], "summary": data[3],
                     "body": data[4], "actions": data[5][0::2], "hints": data[6]}
            if summary in (None, popup["summary"]):
                return popup

    def notifications_before(self, member, summary):
        """The titles of all pop-ups asked for before that signal or call comes."""
        titles = []
        while True:
            message = self.next()
            if message.get("member") == member:
                return titles
            if message.get("member") == "Notify" and message["type"] == "method_call":
                titles.append(message["payload"]["data"][3])

    def closed(self):
        """Waits until the server says that a pop-up left the screen; gives its id."""
        message = self.next(type="signal", interface=NOTIFICATIONS, member="NotificationClosed")
        return message["payload"]["data"][0]

    def stop(self):
        self._process.kill()
        self._process.wait()
        self._process.stdout.close()
        self._process.stderr.close()


class Desktop:
    """Bus, screen and dunst (or only the bus), as long as the `with` lasts."""

    def __init__(self, server=True):
        self._has_server = server

    def __enter__(self):
        self._folder = tempfile.TemporaryDirectory(prefix="desktop-")
        self._processes = []
        self._start_bus()
        if self._has_server:
            self._start_screen()
            self.start_server()
        return self

    def __exit__(self, *_):
        for process in reversed(self._processes):
            process.kill()
            process.wait()
        self._folder.cleanup()

    def _spawn(self, *command, **popen):
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, **popen)
        self._processes.append(process)
        return process

    def _start_bus(self):
        bus = self._spawn(
            "dbus-daemon", f"--config-file={SUPPORT}/bus.conf", "--nofork", "--nopidfile", "--print-address",
            f"--address=unix:path={self._folder.name}/bus",
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        address = Lines(bus.stdout).next()
        bus.stdout.close()
        self.env = os.environ | {
            "DBUS_SESSION_BUS_ADDRESS": address, "XDG_RUNTIME_DIR": self._folder.name,
            "HOME": self._folder.name, "LANG": "C.UTF-8"}

    def restart_bus(self):
        """Another bus takes the place of the first one, at the same address; nobody is on it."""
        bus = self._processes.pop(0)
        bus.kill()
        bus.wait()
        (pathlib.Path(self._folder.name) / "bus").unlink(missing_ok=True)
        self._start_bus()
        self._processes.insert(0, self._processes.pop())

    def _start_screen(self):
        screen = self._spawn(
            "Xvfb", "-displayfd", "1", "-screen", "0", "1280x720x24", "-nolisten", "tcp",
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.env["DISPLAY"] = ":" + Lines(screen.stdout).next()
        screen.stdout.close()

    def start_server(self):
        """Starts dunst and waits until it owns its name."""
        folder = pathlib.Path(self._folder.name)
        self._choice = folder / "choice"
        (folder / "dunstrc").write_text((SUPPORT / "dunstrc").read_text().replace(
            "[global]", f'[global]\n    dmenu = "grep -m 1 -F -f {self._choice}"'))
        self.server = self._spawn(
            "dunst", "-config", str(folder / "dunstrc"), env=self.env,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until(lambda: "true" in self.call(
            "gdbus", "call", "--session", "--dest", "org.freedesktop.DBus", "--object-path", "/",
            "--method", "org.freedesktop.DBus.NameHasOwner", NOTIFICATIONS), "dunst is there")

    def restart_server(self):
        """Kills dunst with all it shows, and starts another."""
        self.server.kill()
        self.server.wait()
        self.start_server()

    def call(self, *command):
        return subprocess.run(
            command, env=self.env, capture_output=True, text=True, check=True, timeout=20).stdout

    def displayed(self):
        """How many pop-ups dunst shows now."""
        return int(self.call("dunstctl", "count", "displayed"))

    def press(self, label):
        """Presses the button with that label: dunst offers all buttons to the program that its
        configuration names, which chooses the first line with the label in it."""
        self._choice.write_text(label + "\n")
        self.call("dunstctl", "context")

"""Who acts on the daemon of a soak: clients, the desktop around it, and the machine below it."""

import base64
import contextlib
import random
import signal
import time

import waiting
from machine import TROUBLES
from programs import CALENDAR
from recorder import RecordingServer
from watching import Caller, message

TITLES = ["Tea", "Zahnärztin", "👩‍👩‍👧‍👦 party", "call\u0000", "x" * 900, "  ", ""]
AHEAD = ["1s", "2s", "1h", "30d", "0s", "9999y", "soon"]
SETTINGS = ["AllDayTime=08:00\n", "Snooze=5m\n", "AllDayTime=nonsense\n", ""]

STEPS = [1, 70, 3600, 90_000, 40 * 86_400, 3 * 365 * 86_400]
"""Seconds by which the clock is set wrong."""


class Client:
    """Does one thing after the other; its errors are the daemon's answers, not faults."""

    ACTS = ["change"] * 12 + ["watch", "babble", "read_slowly", "hang_up", "bring_file", "copy"]

    def __init__(self, daemon, seed, acts):
        self.daemon, self.chance, self.acts = daemon, random.Random(seed), acts
        self.calls, self.refused = 0, 0

    def run(self, end):
        while time.monotonic() < end:
            with contextlib.suppress(OSError):
                getattr(self, self.chance.choice(self.acts))()

    def rest(self):
        """Does nothing."""

    @contextlib.contextmanager
    def caller(self):
        caller = Caller(self.daemon.socket)
        try:
            yield caller
        finally:
            caller.close()

    def ask(self, caller, method, **parameters):
        self.calls += 1
        try:
            return caller.call(method, **parameters)
        except AssertionError:
            self.refused += 1
            return None

    def change(self):
        with self.caller() as caller:
            mine = []
            for _ in range(self.chance.randrange(1, 30)):
                reply = self.ask(caller, "Add", title=self.chance.choice(TITLES),
                                 **{"in": self.chance.choice(AHEAD), "tags": ["soak"]})
                if reply:
                    mine.append(reply["reminder"]["id"])
                if mine:
                    self.alter(caller, self.chance.choice(mine))

    def alter(self, caller, task):
        kind = self.chance.randrange(12)
        if kind == 0:
            self.ask(caller, "Edit", reference=task, title="edited", every="day")
        elif kind == 1:
            self.ask(caller, "Snooze", reference=task, until=self.chance.choice(AHEAD))
        elif kind == 2:
            self.ask(caller, "Done", reference=task)
        elif kind == 3:
            self.ask(caller, "Remove", reference=task)
        elif kind == 4:
            self.ask(caller, "Undo")
        elif kind == 5:
            self.ask(caller, "List", show="all", sort="title", limit=50)
        elif kind == 6:
            self.ask(caller, "Search", text="te")
        elif kind == 7:
            self.ask(caller, "When", phrase="every 3 days at noon", count=20)
        elif kind == 8:
            self.ask(caller, "Explain", reference=task)
        elif kind == 9:
            self.ask(caller, "Pause", until="1s")
        elif kind == 10:
            self.ask(caller, "Dismiss", reference="all")
        else:
            self.ask(caller, "Log", limit=20)

    def watch(self):
        with self.caller() as caller:
            caller.socket.sendall(message("Watch", more=True))
            for _ in range(self.chance.randrange(1, 10)):
                caller.reply()

    def babble(self):
        bad = [b"\0", b"{\0", b"[" * 5000 + b"\0", b"\xff\xfe\0", b'{"method":7}\0', b"x" * 2_000_000,
               b'{"method":"org.remindd.Reminders.Nothing"}\0', message("Add"), message("Edit", a=1)]
        with self.caller() as caller:
            caller.socket.sendall(self.chance.choice(bad))
            caller.reply()

    def read_slowly(self):
        with self.caller() as caller:
            caller.socket.sendall(message("List", show="all") * 20)
            for _ in range(20):
                caller.socket.recv(self.chance.randrange(1, 4000))

    def hang_up(self):
        with self.caller() as caller:
            caller.socket.sendall(message("List", more=True, show="all")[:self.chance.randrange(1, 90)])

    def bring_file(self):
        uid = f"{self.chance.randrange(50)}@soak"
        text = CALENDAR.replace("tea@example.org", uid).encode()
        with self.caller() as caller:
            self.ask(caller, "Import", base64=base64.b64encode(text).decode(),
                     dryRun=self.chance.random() < 0.3, list="soak")
            self.ask(caller, "Export", all=True)

    def copy(self):
        path = str(self.daemon.folder / f"copy-{self.chance.randrange(3)}.db")
        with self.caller() as caller:
            self.ask(caller, "Backup", path=path)
            if self.chance.random() < 0.2:
                self.ask(caller, "Restore", path=path)


class Surroundings:
    """What a desktop does to a daemon: its server misbehaves and is started anew, its settings
    change, its bus goes and is back."""

    ACTS = ["misbehave", "answer", "settle", "restart", "restart_bus"]

    def __init__(self, daemon, bus, seed, acts):
        self.daemon, self.bus, self.chance, self.acts = daemon, bus, random.Random(seed), acts
        self.server, self.servers, self.buses = RecordingServer(bus.env), 1, 1

    def run(self, end):
        while time.monotonic() < end:
            getattr(self, self.chance.choice(self.acts))()

    def misbehave(self):
        self.server.command(*self.chance.choice(
            [("hang",), ("fail", "org.freedesktop.DBus.Error.Failed", 3), ("keep", 3), ("forgetful",)]))
        pass_time(1)
        self.server.command("resume")
        self.server.command("succeed")

    def answer(self):
        shown = self.server.so_far("notify")
        for popup in shown[-5:]:
            self.server.command("press", popup["id"], self.chance.choice(["done", "snooze", "default"]))
        pass_time(0.2)

    def settle(self):
        path = self.daemon.folder / "config/remindd/remindd.conf"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("[Reminders]\n" + self.chance.choice(SETTINGS))
        self.daemon.process.send_signal(signal.SIGHUP)
        pass_time(0.2)

    def restart(self):
        self.server.stop()
        pass_time(0.5)
        self.server = RecordingServer(self.bus.env)
        self.servers += 1

    def restart_bus(self):
        self.server.stop()
        self.bus.restart_bus()
        self.buses += 1
        self.server = RecordingServer(self.bus.env)
        self.servers += 1

    def rest(self):
        pass_time(0.5)


class Ground:
    """What a machine does to a daemon: its clock is set, and put right again; its disk is full, fails,
    writes by half, each time or now and then, and is well again."""

    ACTS = ["set_clock", "put_clock_right", "spoil_disk", "spoil_disk"]

    def __init__(self, machine, seed, acts):
        self.machine, self.chance, self.acts = machine, random.Random(seed), acts
        self.steps, self.faults = 0, 0

    def run(self, end):
        while time.monotonic() < end:
            getattr(self, self.chance.choice(self.acts))()
        self.put_clock_right()

    def set_clock(self):
        self.machine.set_clock(self.chance.choice(STEPS) * self.chance.choice([-1, 1]))
        self.steps += 1
        pass_time(0.5)

    def put_clock_right(self):
        self.machine.set_clock()
        self.steps += 1
        pass_time(0.5)

    def spoil_disk(self):
        self.machine.spoil_disk(self.chance.choice(list(TROUBLES)), self.chance.choice([1, 1, 2, 7, 30]))
        self.faults += 1
        pass_time(self.chance.uniform(0, 0.3))
        self.machine.mend_disk()
        pass_time(0.5)

    def rest(self):
        pass_time(0.5)


def pass_time(seconds):
    end = time.monotonic() + seconds
    waiting.until(lambda: time.monotonic() > end, "a while has passed")

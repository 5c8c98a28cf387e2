#!/usr/bin/env python3
"""A daemon under a mixed load for a while, whose memory, descriptors and threads end where they began.

Clients add, edit, snooze, complete, delete, take back, search and list; watchers come and go; bad
messages, slow readers and clients that hang up; files are imported, exported, backed up and restored;
the settings are read again; the notification server hangs, refuses and is started anew, and so is
the bus. After each round all tasks are removed, the daemon comes to rest, and what it holds is noted.
    soak.py [--minutes 15] [--round 20] [--seed N] [--only ACT…]
"""

import argparse
import base64
import contextlib
import pathlib
import random
import signal
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import waiting  # noqa: E402
from desktop import Desktop  # noqa: E402
from programs import CALENDAR, Daemon  # noqa: E402
from recorder import RecordingServer  # noqa: E402
from watching import Caller, Process, message  # noqa: E402

TITLES = ["Tea", "Zahnärztin", "👩‍👩‍👧‍👦 party", "call\u0000", "x" * 900, "  ", ""]
AHEAD = ["1s", "2s", "1h", "30d", "0s", "9999y", "soon"]
SETTINGS = ["AllDayTime=08:00\n", "Snooze=5m\n", "AllDayTime=nonsense\n", ""]

GROWTH = 8 << 10
"""KiB that the daemon may have written to at the end beyond what it had in the first half: what the
allocator keeps is not the same each time."""

FULL = 12
"""Rounds of a soak in which memory is compared, too."""


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
        self.pass_time(1)
        self.server.command("resume")
        self.server.command("succeed")

    def answer(self):
        shown = self.server.so_far("notify")
        for popup in shown[-5:]:
            self.server.command("press", popup["id"], self.chance.choice(["done", "snooze", "default"]))
        self.pass_time(0.2)

    def settle(self):
        path = self.daemon.folder / "config/remindd/remindd.conf"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("[Reminders]\n" + self.chance.choice(SETTINGS))
        self.daemon.process.send_signal(signal.SIGHUP)
        self.pass_time(0.2)

    def restart(self):
        self.server.stop()
        self.pass_time(0.5)
        self.server = RecordingServer(self.bus.env)
        self.servers += 1

    def restart_bus(self):
        self.server.stop()
        self.bus.restart_bus()
        self.buses += 1
        self.server = RecordingServer(self.bus.env)
        self.servers += 1

    def rest(self):
        self.pass_time(0.5)

    def pass_time(self, seconds):
        end = time.monotonic() + seconds
        waiting.until(lambda: time.monotonic() > end, "a while has passed")


class Soak:
    def __init__(self, daemon, bus, chance, acts=None, clients=4):
        """`acts`: what is done, all when not given."""
        def wanted(all_acts):
            return [act for act in all_acts if acts is None or act in acts] or ["rest"]

        self.daemon, self.process = daemon, Process(daemon.process.pid)
        self.clients = [Client(daemon, chance.randrange(1 << 32), wanted(Client.ACTS))
                        for _ in range(clients)]
        self.surroundings = Surroundings(
            daemon, bus, chance.randrange(1 << 32), wanted(Surroundings.ACTS))
        self.rounds = []

    def round(self, seconds):
        end = time.monotonic() + seconds
        actors = [*self.clients, self.surroundings]
        faults = []

        def work(actor):
            try:
                actor.run(end)
            except BaseException as fault:
                faults.append(fault)

        threads = [threading.Thread(target=work, args=(actor,)) for actor in actors]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not faults, faults
        self.rounds.append(self.rest())

    def rest(self):
        """All tasks go, and with them what is on the screen; then the daemon has nothing to do."""
        with contextlib.closing(Caller(self.daemon.socket)) as caller:
            caller.call("Resume")
            for task in caller.call("List", show="all")["reminders"]:
                caller.call("Remove", reference=task["id"])
            status = caller.call("Status")
            assert (status["open"], status["ringing"]) == (0, 0), status
        waiting.until(self.is_quiet, "it has come to rest", limit=60)
        return (self.process.private(), sum(self.process.descriptors().values()),
                self.process.threads())

    def is_quiet(self):
        """Dispatch's threads end some seconds after their last work, and nothing runs any more."""
        before = self.process.processor_seconds(), self.process.threads()
        end = time.monotonic() + 6
        waiting.until(lambda: time.monotonic() > end, "six seconds have passed")
        return before == (self.process.processor_seconds(), self.process.threads())

    def check(self):
        """What the last round left beside what the first ones did, from which on memory counts:
        before that, caches fill."""
        early, late = self.rounds[:max(1, len(self.rounds) // 2)], self.rounds[-1]
        memory, descriptors, threads = (max(one[i] for one in early) for i in range(3))
        print(f"written memory {memory} KiB, then {late[0]} KiB; descriptors {descriptors}, then "
              f"{late[1]}; threads {threads}, then {late[2]}")
        if len(self.rounds) >= FULL:
            assert late[0] <= memory + GROWTH, [one[0] for one in self.rounds]
        assert late[1] <= descriptors, self.process.descriptors()
        assert late[2] <= threads, late


def run(minutes, seconds, seed, acts=None):
    """Gives the soak; AssertionError when something was left."""
    with Desktop(server=False) as bus:
        # Without the identity of the one bus: another one comes in its place.
        daemon = Daemon(bus=bus.env["DBUS_SESSION_BUS_ADDRESS"].split(",")[0])
        try:
            daemon.start()
            soak = Soak(daemon, bus, random.Random(seed), acts)
            end = time.monotonic() + 60 * minutes
            while time.monotonic() < end or len(soak.rounds) < 2:
                soak.round(seconds)
                print("round", len(soak.rounds), *soak.rounds[-1], flush=True)
            soak.check()
            daemon.stop()
            soak.surroundings.server.stop()
            return soak
        except BaseException:
            print(daemon.process.poll(), daemon.log.read_text()[-4000:])
            raise
        finally:
            daemon.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=15)
    parser.add_argument("--round", type=float, default=20, help="seconds of work between two rests")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    parser.add_argument("--only", nargs="*", help="what is done, to find what leaves something")
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    soak = run(options.minutes, options.round, options.seed, options.only)
    print(f"{sum(client.calls for client in soak.clients)} calls, "
          f"{sum(client.refused for client in soak.clients)} of them refused as they must be; "
          f"{soak.surroundings.servers} notification servers on "
          f"{soak.surroundings.buses} buses; {len(soak.rounds)} rounds")


if __name__ == "__main__":
    main()

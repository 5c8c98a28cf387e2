#!/usr/bin/env python3
"""A daemon under a mixed load for a while, whose memory, descriptors and threads end where they began.

Clients add, edit, snooze, complete, delete, take back, search and list; watchers come and go; bad
messages, slow readers and clients that hang up; files are imported, exported, backed up and restored;
the settings are read again; the notification server hangs, refuses and is started anew, and so is
the bus; the clock is set by a second to three years and put right; the disk is full, fails, writes by
half. After each round all tasks are removed, the daemon comes to rest, and what it holds is noted.
    soak.py [--minutes 15] [--round 20] [--seed N] [--only ACT…]
"""

import argparse
import contextlib
import pathlib
import random
import sqlite3
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import waiting  # noqa: E402
from desktop import Desktop  # noqa: E402
from machine import Machine  # noqa: E402
from programs import Daemon  # noqa: E402
from soak_actors import Client, Ground, Surroundings  # noqa: E402
from watching import Caller, Process, message  # noqa: E402

GROWTH = 8 << 10
"""KiB that the daemon may have written to at the end beyond what it had in the first half: what the
allocator keeps is not the same each time."""

FULL = 12
"""Rounds of a soak in which memory is compared, too."""


class Soak:
    def __init__(self, daemon, machine, bus, chance, acts=None, clients=4):
        """`acts`: what is done, all when not given."""
        def wanted(all_acts):
            return [act for act in all_acts if acts is None or act in acts] or ["rest"]

        self.daemon, self.process = daemon, Process(daemon.process.pid)
        self.clients = [Client(daemon, chance.randrange(1 << 32), wanted(Client.ACTS))
                        for _ in range(clients)]
        self.surroundings = Surroundings(
            daemon, bus, chance.randrange(1 << 32), wanted(Surroundings.ACTS))
        self.ground = Ground(machine, chance.randrange(1 << 32), wanted(Ground.ACTS))
        self.rounds = []

    def warm_up(self):
        """Looks at the store and copies it at once, until SQLite keeps a descriptor of the database for
        the next connection (os_unix.c, findReusableFd). It stays from then on, and would otherwise
        look as if the first round in which two connections met had left it."""
        path = str(self.daemon.folder / "warm-up.db")
        with contextlib.closing(Caller(self.daemon.socket)) as one, \
                contextlib.closing(Caller(self.daemon.socket)) as other:
            def keeps_one():
                one.socket.sendall(message("Doctor"))
                other.call("Backup", path=path)
                one.reply()
                return self.process.descriptors()[str(self.daemon.database)] == 3
            waiting.until(keeps_one, "a connection's descriptor is kept", limit=60)

    def round(self, seconds):
        end = time.monotonic() + seconds
        actors = [*self.clients, self.surroundings, self.ground]
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
            machine = Machine(daemon)
            soak = Soak(daemon, machine, bus, random.Random(seed), acts)
            soak.warm_up()
            end = time.monotonic() + 60 * minutes
            while time.monotonic() < end or len(soak.rounds) < 2:
                soak.round(seconds)
                print("round", len(soak.rounds), *soak.rounds[-1], flush=True)
            soak.check()
            daemon.stop()
            machine.close()
            soak.surroundings.server.stop()
            with contextlib.closing(sqlite3.connect(daemon.database)) as store:
                assert store.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
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
          f"{soak.surroundings.buses} buses; the clock set {soak.ground.steps} times, the disk spoilt "
          f"{soak.ground.faults} times; {len(soak.rounds)} rounds")


if __name__ == "__main__":
    main()

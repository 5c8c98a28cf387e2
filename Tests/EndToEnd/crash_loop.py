#!/usr/bin/env python3
"""Kills the daemon at random moments while several clients add, edit, snooze, complete and delete
reminders that ring meanwhile, and compares what is left with what the clients know.

Promised: nothing acknowledged is lost, nothing else is there by half, nothing that was deleted comes
back, nothing due stays silent, no ring counts twice, and none stands twice on the screen: on a server that
replaces by tag, as dunst and mako do; with --untagged on one that does not. With --spoilt the disk is
full, fails or writes by half now and then, too.
    crash_loop.py [--cycles 500] [--clients 4] [--seed N] [--untagged] [--spoilt]
"""

import argparse
import contextlib
import json
import os
import pathlib
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import uuid

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import varlink  # noqa: E402
import waiting  # noqa: E402
from crash_model import SOON, Client  # noqa: E402
from desktop import SUPPORT, Desktop  # noqa: E402
from machine import TROUBLES, Machine  # noqa: E402
from programs import Daemon, instant  # noqa: E402

ROUND = 20
"""After that many kills the daemon may live until all that is due has rung, and is checked."""

LIFETIME = 0.4
"""Seconds that the daemon lives at most."""


class Recorder:
    """A notification server that writes down whose pop-ups it was asked for, and counts those that
    it replaced by their tag and those that came a second time while the first one stood. They are
    explained when the server knows no tags and the kill came between the pop-up on the screen and
    its id in the store; `unexplained` are the others among them."""

    def __init__(self, env, tags):
        self._process = subprocess.Popen(
            ["/usr/bin/python3", SUPPORT / "notification_server.py", *["--tags"] * tags], env=env,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.rung, self.standing, self.doubled, self.replaced = set(), {}, 0, 0
        self.tags = tags
        self.stored, self.unexplained = set(), []
        lines = waiting.Lines(self._process.stdout)
        while json.loads(lines.next())["event"] != "ready":
            pass
        threading.Thread(target=self._read, args=(lines,), daemon=True).start()

    def _read(self, lines):
        while True:
            try:
                event = json.loads(lines.next(limit=3600))
            except (AssertionError, ValueError, OSError):
                return
            if event["event"] == "close":
                self.standing.pop(event["id"], None)
            if event["event"] == "notify":
                key = event["summary"].split(" ")[0]
                if self.standing.pop(event["former"], None):
                    self.replaced += 1
                if event["id"] not in self.standing and key in self.standing.values():
                    self.doubled += 1
                    self._explain(key)
                self.standing[event["id"]] = key
                self.rung.add(key)

    def _explain(self, key):
        ids = [number for number, other in self.standing.items() if other == key]
        known = [number for number in ids if (key, number) in self.stored]
        if known or self.tags:
            self.unexplained.append(f"{key} stands as {ids}, of which the killed daemon had stored {known}")

    def stop(self):
        self._process.kill()
        self._process.wait()


def spoil(machine, chance):
    """Spoils the disk again and again, until the daemon is gone."""
    with contextlib.suppress(AssertionError, OSError):
        while True:
            machine.spoil_disk(chance.choice(list(TROUBLES)), chance.choice([1, 2, 5, 20]))
            time.sleep(chance.uniform(0, 0.03))
            machine.mend_disk()
            time.sleep(chance.uniform(0, 0.06))
    machine.close()


class Loop:
    def __init__(self, daemon, recorder, chance, clients, spoilt):
        self.daemon, self.recorder, self.chance, self.spoilt = daemon, recorder, chance, spoilt
        self.clients = [Client(f"c{n}", chance.randrange(1 << 32)) for n in range(clients)]
        self.tasks_checked = 0

    def cycle(self):
        """Starts the daemon and lets all clients work until it is killed."""
        threads = [threading.Thread(target=self.work, args=(client,)) for client in self.clients]
        if self.spoilt:
            chance = random.Random(self.chance.randrange(1 << 32))
            threads.append(threading.Thread(target=spoil, args=(Machine(self.daemon), chance)))
        else:
            self.daemon.start()
        for thread in threads:
            thread.start()
        doom = threading.Timer(
            self.chance.uniform(0, LIFETIME), os.kill, (self.daemon.process.pid, signal.SIGKILL))
        doom.start()
        for thread in (*threads, doom):
            thread.join()
        self.daemon.process.wait()
        self.recorder.stored = self.stored_popups()

    def stored_popups(self):
        """Which pop-ups the killed daemon had stored: pairs of key and id. Read from a copy, so that
        it is the daemon itself that recovers its store."""
        with tempfile.TemporaryDirectory() as folder:
            for suffix in ("", "-wal"):
                if os.path.exists(f"{self.daemon.database}{suffix}"):
                    shutil.copy(f"{self.daemon.database}{suffix}", f"{folder}/copy{suffix}")
            with contextlib.closing(sqlite3.connect(f"{folder}/copy")) as database:
                try:
                    keys = {str(uuid.UUID(bytes=number)): title.split(" ")[0]
                            for number, title in database.execute("SELECT id, title FROM task")}
                    popups = database.execute("SELECT key, id FROM popup").fetchall()
                except sqlite3.OperationalError:
                    return set()  # killed before there was a store
        return {(keys[key], number) for key, number in popups if key in keys}

    def work(self, client):
        try:
            with varlink.Client(f"unix:{self.daemon.socket}") as connection, \
                    connection.open("org.remindd.Reminders") as service:
                while True:
                    client.act(service, varlink.VarlinkError)
        except (OSError, ValueError):
            pass  # killed: the connection broke, or a reply was cut off

    def check(self):
        self.daemon.start()
        waiting.until(self.all_has_rung, "all that is due has rung", limit=30)
        stored = {task["title"].split(" ")[0]: task for task in self.daemon.objects("list", "--all")}
        known = {task.key: task for client in self.clients for task in client.tasks}
        faults = [fault for task in known.values() for fault in task.faults(stored.get(task.key))]
        faults += [f"nobody added {key}" for key in stored.keys() - known.keys()]
        ringing = {key for key, task in stored.items() if task["alarm"] == "ringing"}
        waiting.until(lambda: ringing <= self.recorder.rung, "all that rings was on the screen")
        assert not faults, "\n".join(faults)
        self.tasks_checked += len(known)
        self.clear(stored)

    def all_has_rung(self):
        coming = [instant(task["nextRing"]) for task in self.daemon.objects("list")
                  if task["nextRing"] and task["alarm"] in ("pending", "snoozed")]
        return not [moment for moment in coming if moment < time.time() + SOON]

    def clear(self, stored):
        numbers = [str(task["number"]) for task in stored.values()]
        for start in range(0, len(numbers), 200):
            self.daemon.call("rm", *numbers[start:start + 200])
        for client in self.clients:
            client.tasks = []
        self.daemon.kill()

    def run(self, cycles):
        for number in range(1, cycles + 1):
            self.cycle()
            if number % ROUND == 0 or number == cycles:
                self.check()


class Outcome:
    def __init__(self, loop, recorder):
        self.calls = sum(client.calls for client in loop.clients)
        self.failed = sum(client.failed for client in loop.clients)
        self.tasks = loop.tasks_checked
        self.doubled, self.replaced = recorder.doubled, recorder.replaced
        self.rung, self.unexplained = len(recorder.rung), recorder.unexplained

    def check_doubled(self):
        """What stood twice was not stored when the daemon was killed, and bears no tag."""
        assert not self.unexplained, "\n".join(self.unexplained)


def run(cycles, seed, clients=4, tags=True, spoilt=False):
    """Gives what was done; AssertionError when a promise was broken."""
    with Desktop(server=False) as desktop:
        recorder = Recorder(desktop.env, tags)
        daemon = Daemon(bus=desktop.env["DBUS_SESSION_BUS_ADDRESS"])
        configuration = daemon.folder / "config/remindd/remindd.conf"
        configuration.parent.mkdir(parents=True)
        configuration.write_text("[Popups]\nDigestAbove=1000\nSound=off\n")
        try:
            loop = Loop(daemon, recorder, random.Random(seed), clients, spoilt)
            loop.run(cycles)
            return Outcome(loop, recorder)
        finally:
            daemon.end()
            recorder.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cycles", type=int, default=500)
    parser.add_argument("--clients", type=int, default=4)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    parser.add_argument("--untagged", action="store_true")
    parser.add_argument("--spoilt", action="store_true")
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    started = time.monotonic()
    outcome = run(options.cycles, options.seed, options.clients, not options.untagged, options.spoilt)
    print(f"{options.cycles} times kill -9 in {time.monotonic() - started:.0f} s: {outcome.calls} "
          f"acknowledged calls of {options.clients} clients on {outcome.tasks} tasks, none lost; "
          f"{outcome.failed} more were told that the disk fails; "
          f"{outcome.rung} rang, none silent; of pop-ups whose id could not be stored, {outcome.replaced} were "
          f"replaced by their tag and {outcome.doubled} stood twice")
    outcome.check_doubled()


if __name__ == "__main__":
    main()

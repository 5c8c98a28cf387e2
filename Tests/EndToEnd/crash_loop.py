#!/usr/bin/env python3
"""Kills the daemon at random moments while reminders are added and ring, and looks what is left.

Promised: an add that was answered is never lost, and no ring is lost (repeated it may be).
    crash_loop.py [--cycles 500] [--seed N]
"""

import argparse
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import varlink  # noqa: E402
import waiting  # noqa: E402
from desktop import SUPPORT, Desktop  # noqa: E402
from programs import Daemon, instant  # noqa: E402

ROUND = 10
"""After that many kills the daemon may live until all that is due has rung, and is checked."""


class Recorder:
    """A notification server that only writes down the titles it was given, and how many reminders
    the last digest spoke of."""

    def __init__(self, env):
        self._process = subprocess.Popen(
            ["/usr/bin/python3", SUPPORT / "notification_server.py"], env=env,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.rung, self.digest = set(), 0
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
            if event["event"] != "notify":
                continue
            if digest := re.fullmatch(r"(\d+) reminders?", event["summary"]):
                self.digest = int(digest[1])
            else:
                self.rung.add(event["summary"])

    def stop(self):
        self._process.kill()
        self._process.wait()


class Loop:
    def __init__(self, daemon, recorder, chance):
        self.daemon, self.recorder, self.chance = daemon, recorder, chance
        self.acknowledged = {}  # title: task
        self.checked = 0

    def cycle(self, number):
        """Starts the daemon, adds until it is killed, somewhere in the first half second."""
        self.daemon.start()
        doom = threading.Timer(
            self.chance.uniform(0, 0.5), os.kill, (self.daemon.process.pid, signal.SIGKILL))
        doom.start()
        try:
            self.add(number)
        except (OSError, ValueError):
            pass  # killed: the connection broke, or a reply was cut off
        doom.join()
        self.daemon.process.wait()

    def add(self, number):
        with varlink.Client(f"unix:{self.daemon.socket}") as client, \
                client.open("org.remindd.Reminders") as service:
            for n in range(1000):
                title = f"{number}/{n}"
                ahead = self.chance.choice(["1s", "1s", "2s", "30d"])
                self.acknowledged[title] = service.Add(**{"title": title, "in": ahead})["reminder"]
                # Rather many moments than many tasks.
                time.sleep(self.chance.uniform(0, 0.05))

    def check(self):
        """All that was acknowledged is there; all that is due has rung, and still rings."""
        self.daemon.start()
        due = {title for title, task in self.acknowledged.items()
               if instant(task["nextRing"]) < time.time() + 60}
        # Times are told to the second, and kept to the millisecond.
        waiting.until(lambda: time.time() > 1 + max(
            instant(self.acknowledged[title]["nextRing"]) for title in due), "all is due")
        waiting.until(lambda: self.is_shown(due), "all has rung")
        stored = {task["title"]: task for task in self.daemon.objects("list", "--all")}
        lost = self.acknowledged.keys() - stored.keys()
        assert not lost, f"acknowledged and lost: {sorted(lost)}"
        changed = [title for title, task in self.acknowledged.items()
                   if any(stored[title][key] != task[key] for key in ("id", "number", "due"))]
        assert not changed, f"not what was acknowledged: {changed}"
        silent = [title for title in due if stored[title]["alarm"] != "ringing"]
        assert not silent, f"due and not ringing: {silent}"
        self.checked += len(self.acknowledged)
        numbers = [str(task["number"]) for task in stored.values()]
        for start in range(0, len(numbers), 200):
            self.daemon.call("rm", *numbers[start:start + 200])
        self.acknowledged.clear()
        self.daemon.kill()

    def is_shown(self, due):
        """Each had a pop-up of its own, or the digest on the screen speaks of all that ring."""
        (status,) = self.daemon.objects("status")
        return due <= self.recorder.rung or self.recorder.digest == status["ringing"] >= len(due)

    def run(self, cycles):
        for number in range(1, cycles + 1):
            self.cycle(number)
            if number % ROUND == 0 or number == cycles:
                self.check()


def run(cycles, seed):
    """Gives how many acknowledged adds were looked after."""
    with Desktop(server=False) as desktop:
        recorder = Recorder(desktop.env)
        daemon = Daemon(bus=desktop.env["DBUS_SESSION_BUS_ADDRESS"])
        try:
            loop = Loop(daemon, recorder, random.Random(seed))
            loop.run(cycles)
            return loop.checked
        finally:
            daemon.end()
            recorder.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cycles", type=int, default=500)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    started = time.monotonic()
    checked = run(options.cycles, options.seed)
    print(f"{options.cycles} times kill -9 in {time.monotonic() - started:.0f} s: "
          f"{checked} acknowledged adds, none lost, no ring lost")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Measures how late rings are when much is due at once, or the notification server hangs.

Asked: with a server that hangs for 30 s, no ring, no call and not the wheel more than 50 ms late;
1,000 due in the same second ring within 300 ms, as one digest; 10,000 within 1 s.
    ring_times.py [--hang 30] [--many 1000 10000]
"""

import argparse
import contextlib
import pathlib
import sys
import threading
import time
from datetime import datetime, timezone

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import varlink  # noqa: E402
import waiting  # noqa: E402
from desktop import Desktop  # noqa: E402
from programs import Daemon, instant  # noqa: E402
from recorder import RecordingServer  # noqa: E402


@contextlib.contextmanager
def connected(daemon):
    """The interface, by Python's Varlink client."""
    with varlink.Client(f"unix:{daemon.socket}") as client, \
            client.open("org.remindd.Reminders") as service:
        yield service


@contextlib.contextmanager
def surroundings(*options):
    """A bus, a recording server and a daemon on them."""
    with Desktop(server=False) as desktop:
        server = RecordingServer(desktop.env, *options)
        daemon = Daemon(bus=desktop.env["DBUS_SESSION_BUS_ADDRESS"])
        try:
            daemon.start()
            with connected(daemon) as service:
                waiting.until(lambda: service.Status().get("notificationServer"), "it knows the server")
            yield desktop, server, daemon
        finally:
            daemon.end()
            server.stop()


class Watcher:
    """Notes when the daemon told of each ring."""

    def __init__(self, daemon):
        self.rings = {}
        began = threading.Event()

        def follow():
            with contextlib.suppress(Exception), connected(daemon) as service:
                for reply in service.Watch(_more=True):
                    began.set()
                    if reply.get("event") == "ringing":
                        self.rings.setdefault(reply["reminder"]["number"], time.time())

        threading.Thread(target=follow, daemon=True).start()
        assert began.wait(waiting.LIMIT)

    def wait(self, count, limit=60):
        waiting.until(lambda: len(self.rings) >= count, f"{count} rings", limit=limit)


def at(second):
    """A time in seconds since 1970 as the daemon takes it."""
    return datetime.fromtimestamp(second, timezone.utc).isoformat()


def hang(seconds):
    """The largest delays, in seconds, while a server hangs: of a ring, of a call."""
    with surroundings() as (_, server, daemon):
        watcher = Watcher(daemon)
        server.command("hang")
        start = int(time.time()) + 2
        with connected(daemon) as service:
            due = {service.Add(title=f"Item {n}", at=at(start + n))["reminder"]["number"]: start + n
                   for n in range(seconds)}
            calls = []
            while time.time() < start + seconds:
                before = time.monotonic()
                service.Status()
                calls.append(time.monotonic() - before)
                # Somebody may answer meanwhile, too: a change, with its write to the disk.
                if len(calls) % 50 == 0:
                    service.Add(title="Meanwhile")
        watcher.wait(seconds)
        late = [watcher.rings[number] - second for number, second in due.items()]
        assert min(late) >= 0, f"never early: {min(late)}"
        server.command("resume")
        return max(late), max(calls), len(calls)


def many(count):
    """So many due in the same second: how long until all are committed, until the digest was
    asked for, and how long `snooze all` and `done all` took; in seconds."""
    with surroundings() as (_, server, daemon), connected(daemon) as service:
        # Far enough ahead that all are added before.
        second = int(time.time() + 4 + 2 * count * time_of_an_add(service))
        for n in range(count):
            service.Add(title=f"Item {n}", at=at(second))
        assert time.time() < second - 1, "adding took too long"
        watcher = Watcher(daemon)
        popup = server.popup(limit=second - time.time() + 30)
        watcher.wait(1)
        committed = min(watcher.rings.values()) - second
        status = service.Status()
        assert (status["ringing"], status["pending"]) == (count, 0), status
        assert popup["summary"] == f"{count} reminders", popup["summary"]
        assert {"done", "snooze"} <= set(popup["actions"][0::2])
        assert committed >= 0

        again = int(time.time()) + 4 + count // 1000
        before = time.monotonic()
        daemon.call("snooze", "all", at(again))
        snoozing = time.monotonic() - before
        status = service.Status()
        assert (status["ringing"], status["pending"]) == (0, count), status
        assert server.next("close")["id"] == popup["id"]

        second_popup = server.popup(f"{count} reminders", limit=again - time.time() + 30)
        assert second_popup["time"] >= again
        before = time.monotonic()
        daemon.call("done", "all")
        finishing = time.monotonic() - before
        status = service.Status()
        assert (status["open"], status["ringing"], status["pending"]) == (0, 0, 0), status
        assert server.so_far("notify") == [], "one digest, and nothing else"
        return committed, popup["time"] - second, snoozing, finishing


def time_of_an_add(service):
    """In seconds; nothing is left of it."""
    before, tries = time.monotonic(), 50
    for _ in range(tries):
        service.Remove(str(service.Add(title="To and fro")["reminder"]["number"]))
    return (time.monotonic() - before) / tries


def milliseconds(seconds):
    return f"{seconds * 1000:.0f} ms"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hang", type=int, default=30)
    parser.add_argument("--many", type=int, nargs="*", default=[1000, 10_000])
    options = parser.parse_args()
    if options.hang:
        ring, call, calls = hang(options.hang)
        print(f"a server that hangs for {options.hang} s: a ring at most {milliseconds(ring)} late, "
              f"the longest of {calls} calls {milliseconds(call)} (asked: 50 ms each)", flush=True)
    for count in options.many:
        committed, shown, snoozing, finishing = many(count)
        print(f"{count} due in one second: committed after {milliseconds(committed)}, the digest "
              f"asked for after {milliseconds(shown)}; snooze all {milliseconds(snoozing)}, "
              f"done all {milliseconds(finishing)}", flush=True)


if __name__ == "__main__":
    main()

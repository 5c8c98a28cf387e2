#!/usr/bin/env python3
"""Attacks the socket of a daemon, one way after the other, while others use it and a reminder rings.

Asked: the others are served within 50 ms (beside what they wait for on a machine that does other
things too), a reminder rings within that time, memory stays within bounds and is given back, and
nothing is left behind. Prints a line for each attack.
    attacks.py [--tasks 1000] [--only NAME…] [--seconds 5]
"""

import argparse
import contextlib
import multiprocessing
import pathlib
import select
import socket
import sys
import time
from datetime import datetime, timezone

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import waiting  # noqa: E402
from programs import Daemon  # noqa: E402
from watching import Bystander, Caller, Process, message  # noqa: E402

LATEST = 50
"""Milliseconds."""

MEMORY = 512 << 10
"""KiB that the daemon may have resident at the worst: limits times connections, see
docs/reliability.md."""

LEFT = 32 << 10
"""KiB that may stay with the daemon when all clients have gone."""

GONE = (BrokenPipeError, ConnectionError, TimeoutError, BlockingIOError)


def connect(path):
    client = socket.socket(socket.AF_UNIX)
    client.settimeout(10)
    client.connect(path)
    return client


def thousand_connections(path, seconds):
    """1,000 at once, each with a call for the whole list whose reply it does not read."""
    clients = []
    for _ in range(1000):
        with contextlib.suppress(*GONE):
            clients.append(connect(path))
            clients[-1].sendall(message("List", show="all"))
    stay(seconds)


def slow_loris(path, seconds):
    """As many as are let in, each sending a call byte by byte."""
    text, clients = message("Status"), [connect(path) for _ in range(128)]
    end, place = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        for index, client in enumerate(clients):
            try:
                client.send(text[place:place + 1])
            except GONE:
                clients[index] = connect(path)
        place = (place + 1) % (len(text) - 1)
        stay(0.01)


def half_messages(path, seconds):
    """As many as are let in, each with the larger part of the longest message."""
    clients = []
    for _ in range(128):
        with contextlib.suppress(*GONE):
            clients.append(connect(path))
            clients[-1].sendall(b'{"method":"' + b"x" * ((1 << 20) - 100))
    stay(seconds)


def no_end(path, seconds):
    """64 MiB without a NUL, again and again."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with contextlib.suppress(*GONE), connect(path) as client:
            for _ in range(64):
                client.sendall(b"x" * (1 << 20))


def deep_nesting(path, seconds):
    """A megabyte of opening brackets, as a call and within its parameters."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for text in (b"[" * 1_000_000, b'{"method":"a.b","parameters":' + b'{"a":' * 200_000):
            with contextlib.suppress(*GONE), connect(path) as client:
                client.sendall(text + b"\0")
                client.recv(1 << 16)


def tiny_messages(path, seconds):
    """A million of the smallest calls, without waiting for their replies."""
    client = connect(path)
    client.setblocking(False)
    batch, left, replies = b'{"method":"a.b"}\0' * 1000, 1_000_000, 0
    rest = b""
    while left or rest or replies < 1_000_000:
        ready, writable, _ = select.select([client], [client] if left or rest else [], [], 30)
        assert ready or writable, f"no reply after {replies}"
        if ready:
            replies += client.recv(1 << 18).count(b"\0")
        if writable:
            if not rest:
                rest, left = batch, left - 1000
            rest = rest[client.send(rest):]


def never_reading(path, seconds):
    """Clients that ask for the whole list again and again, and watchers, who never read; others
    change tasks meanwhile, of which the watchers are told."""
    clients, calls = [], message("List", show="all") * 500
    for index in range(100):
        with contextlib.suppress(*GONE):
            clients.append(connect(path))
            clients[-1].setblocking(False)
            clients[-1].send(message("Watch", more=True) if index % 2 else calls)
    end, caller = time.monotonic() + seconds, Caller(path)
    while time.monotonic() < end:
        caller.call("Edit", reference="1", note="n" * 50_000)
        caller.call("Edit", reference="1", note="")


def connect_and_die(path, seconds):
    """A call, and gone before its reply."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with contextlib.suppress(*GONE), connect(path) as client:
            client.sendall(message("List"))


def stay(seconds):
    select.select([], [], [], seconds)


ATTACKS = [thousand_connections, slow_loris, half_messages, no_end, deep_nesting, tiny_messages,
           never_reading, connect_and_die]


class Outcome:
    def __init__(self, name, bystander, process, ring, before):
        self.name = name.replace("_", " ")
        self.calls, self.failures = len(bystander.waits), bystander.failures
        self.median, self.late, self.worst = (bystander.part(p) for p in (0.5, 0.99, 1))
        self.peak, self.ring, self.seconds = process.peak(), ring, time.monotonic() - before

    def __str__(self):
        return (f"{self.name:21} {self.seconds:5.1f} s  {self.calls:6} calls  median "
                f"{self.median:5.1f}  99 % {self.late:5.1f}  worst {self.worst:6.1f} ms  ring "
                f"{self.ring:5.1f} ms late  at most {self.peak / 1024:5.1f} MiB")


def quiet(path, seconds):
    """Nothing: what others wait for without an attack."""
    stay(seconds)


def run(attack, daemon, seconds):
    process, before = Process(daemon.process.pid), time.monotonic()
    process.forget_peak()
    attacker = multiprocessing.get_context("fork").Process(
        target=attack, args=(str(daemon.socket), seconds), daemon=True)
    attacker.start()
    watcher = Caller(daemon.socket)
    watcher.socket.sendall(message("Watch", more=True))
    watcher.reply()
    with Bystander(daemon.socket) as bystander:
        ring = ringing_late(daemon, watcher)
        attacker.join(900)
        assert attacker.exitcode == 0, f"{attack.__name__}: {attacker.exitcode}"
    watcher.close()
    return Outcome(attack.__name__, bystander, process, ring, before)


def ringing_late(daemon, watcher):
    """How late a reminder is said to ring that is due at a whole second soon, in milliseconds."""
    caller, due = Caller(daemon.socket), int(time.time()) + 3
    caller.call("Add", title="Rings", at=datetime.fromtimestamp(due, timezone.utc).isoformat())
    caller.close()
    while b'"ringing"' not in watcher.reply():
        pass
    return 1000 * (time.time() - due)


def fill(daemon, tasks):
    caller = Caller(daemon.socket)
    for number in range(tasks):
        caller.call("Add", title=f"Task {number}", at="2050-05-01 09:00", note="n" * 300)
    caller.close()


def without_clients(process):
    """Its descriptors when it serves nobody: of the sockets, the one that it listens on is left."""
    waiting.until(lambda: process.descriptors()["socket"] == 1, "the last client's end")
    return process.descriptors()


def same_as_before(process, descriptors, threads):
    """Nothing of the clients is left; Dispatch ends its threads some seconds after the last."""
    try:
        waiting.until(lambda: process.descriptors() == descriptors, "the same", limit=30)
    except AssertionError:
        raise AssertionError(f"descriptors: {process.descriptors()}, before {descriptors}") from None
    waiting.until(lambda: process.threads() <= threads, "the threads of before", limit=60)


def memory_left(process, before):
    """What is more than before, in KiB: freed memory is given back a second after the last client."""
    with contextlib.suppress(AssertionError):
        waiting.until(lambda: process.pss() <= before + LEFT, "the memory of before")
    return process.pss() - before


def faults(outcomes, base):
    for outcome in outcomes:
        if outcome.worst > LATEST + base.worst:
            yield f"{outcome.name}: others waited {outcome.worst:.0f} ms"
        if outcome.ring > LATEST + base.worst:
            yield f"{outcome.name}: a ring came {outcome.ring:.0f} ms late"
        if outcome.peak > MEMORY:
            yield f"{outcome.name}: {outcome.peak >> 10} MiB"
        if outcome.failures:
            yield f"{outcome.name}: others were not served: {outcome.failures[:3]}"


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tasks", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--only", nargs="*", default=[attack.__name__ for attack in ATTACKS])
    options = parser.parse_args(arguments)
    daemon = Daemon()
    try:
        process = Process(daemon.start().process.pid)
        fill(daemon, options.tasks)
        # The daemon keeps the descriptor of its first timer, which the first slow client brings.
        never_reading(str(daemon.socket), 0.5)
        base = run(quiet, daemon, options.seconds)
        descriptors, threads, began = without_clients(process), process.threads(), process.pss()
        print(base, flush=True)
        outcomes = []
        for attack in ATTACKS:
            if attack.__name__ in options.only:
                outcomes.append(run(attack, daemon, options.seconds))
                print(outcomes[-1], flush=True)
        same_as_before(process, descriptors, threads)
        left = memory_left(process, began)
        print(f"before: {began / 1024:.1f} MiB, after all: {process.pss() / 1024:.1f} MiB, "
              f"{sum(descriptors.values())} descriptors and {process.threads()} threads")
        found = list(faults(outcomes, base))
        if left > LEFT:
            found.append(f"{left >> 10} MiB more than before stay with the daemon")
        assert not found, "\n".join(found)
    finally:
        daemon.end()


if __name__ == "__main__":
    main()

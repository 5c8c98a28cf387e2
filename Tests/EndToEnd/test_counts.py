"""What calls cost, in counts that do not depend on the machine's mood; `make bench-counts` prints them all."""

import socket

import counts
import pytest
from watching import Process
from programs import REMINDCTL, Daemon, midday

TASKS = 200
CALLS = {
    "add": lambda n: ("add", "--at", "2040-05-01 09:00", "Pay rent"),
    "done": lambda n: ("done", 1 + n),
    "snooze": lambda n: ("snooze", 41 + n, "1h"),
    "rm": lambda n: ("rm", 81 + n),
    "show": lambda n: ("show", 121 + n),
    "next 20": lambda n: ("next", 20),
    "list": lambda n: ("list", "--all"),
}
CHANGES = ("add", "done", "snooze", "rm")
INSTRUCTIONS = {"phrase": 45_000, "rule": 110_000, "wheel": 560}
"""What is run, and how many instructions one more of it may take."""


def measure(daemon):
    for n in range(TASKS):
        daemon.call("add", "--in", f"{n + 2}h", f"Task {n}")
    return {name: counts.of_calls(daemon, [call(n) for n in range(40)]) for name, call in CALLS.items()}


@pytest.fixture(scope="module")
def measured():
    # The first change of a day makes a backup.
    daemon = Daemon(zone=midday())
    yield measure(daemon.start())
    daemon.end()


@pytest.mark.parametrize("name", CHANGES)
def test_change_is_one_write_to_the_disk(name, measured):
    # One for the commit; now and then two more when the log is copied into the file.
    assert 1 <= measured[name]["syncs"] <= 1.4, measured[name]
    assert measured[name]["written"] <= 100_000, measured[name]


@pytest.mark.parametrize("name", [name for name in CALLS if name not in CHANGES])
def test_question_writes_nothing(name, measured):
    assert measured[name]["syncs"] == 0, measured[name]
    assert measured[name]["written"] < 1024, measured[name]


@pytest.mark.parametrize("name", CALLS)
def test_call_makes_few_threads_wait(name, measured):
    assert measured[name]["switches"] <= (14 if name in CHANGES else 9), measured[name]


def test_connections_leave_no_memory_behind():
    """Each left a closure once: 40 bytes."""
    daemon = Daemon().start()
    try:
        process = Process(daemon.process.pid)
        connect(daemon, 3000)
        before = process.private()
        connect(daemon, 10_000)
        assert process.private() - before < 128, "KiB"
    finally:
        daemon.end()


def connect(daemon, times):
    for _ in range(times):
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(str(daemon.socket))
            client.sendall(b'{"method":"org.varlink.service.GetInfo"}\0')
            assert client.recv(1 << 16)


@pytest.mark.parametrize("what", INSTRUCTIONS)
def test_instructions_of(what):
    assert counts.instructions_of_one(what) <= INSTRUCTIONS[what]


def test_start_of_remindctl():
    assert counts.instructions(REMINDCTL, "--version") <= 170_000
    assert counts.system_calls(REMINDCTL, "--version", env={}) <= 45

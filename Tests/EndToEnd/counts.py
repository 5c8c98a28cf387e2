"""What the programs do, in counts: unlike times they do not depend on what else the machine does."""

import contextlib
import os
import pathlib
import re
import signal
import subprocess
import tempfile

import waiting
from programs import REMINDCTL, ROOT

BENCHMARKS = ROOT / ".build/release/Benchmarks"
SYNCS = ("fsync", "fdatasync", "sync_file_range")


def state(pid):
    """What a process has done so far: waits, bytes written to files, bytes read from them."""
    process = pathlib.Path(f"/proc/{pid}")
    fields = dict(line.split(": ") for line in (process / "io").read_text().splitlines())
    return voluntary_switches(process), int(fields["wchar"]), int(fields["rchar"])


def voluntary_switches(process):
    """How often all threads of a process have waited for something."""
    total = 0
    for task in (process / "task").iterdir():
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            total += int(re.search(r"\nvoluntary_ctxt_switches:\s+(\d+)", (task / "status").read_text())[1])
    return total


class Trace:
    """strace(1) on a running process."""

    def __init__(self, pid, names):
        self._file = tempfile.NamedTemporaryFile("r", prefix="strace-")
        self._process = subprocess.Popen(
            ["strace", "-f", "-e", "trace=" + ",".join(names), "-o", self._file.name, "-p", str(pid)],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        lines = waiting.Lines(self._process.stderr)
        while "attached" not in lines.next():
            pass

    def stop(self):
        """Ends it; gives how often each call was made."""
        self._process.send_signal(signal.SIGINT)
        self._process.wait(waiting.LIMIT)
        self._process.stderr.close()
        with self._file:
            return by_name(self._file.read())


def by_name(trace):
    """How often each call begins in what strace has written."""
    counts = {}
    for name in re.findall(r"^(?:\d+ +)?(\w+)\(", trace, re.MULTILINE):
        counts[name] = counts.get(name, 0) + 1
    return counts


def system_calls(*command, env):
    """How many system calls a program makes from its start to its end."""
    with tempfile.NamedTemporaryFile("r", prefix="strace-") as file:
        subprocess.run(["strace", "-f", "-o", file.name, *map(str, command)], env=env, check=True,
                       stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
        return sum(by_name(file.read()).values())


def instructions(*command, env=None):
    """How many instructions a program runs (valgrind's callgrind)."""
    result = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *map(str, command)],
        env=env or os.environ, check=True, stdin=subprocess.DEVNULL, capture_output=True, text=True,
        timeout=120)
    return int(re.search(r"Collected : (\d+)", result.stderr)[1])


def instructions_of_one(what):
    """Instructions of one of the operations that `Benchmarks repeat` knows."""
    few, many = 1000, 3000
    counts = [instructions(BENCHMARKS, "repeat", what, count) for count in (few, many)]
    return (counts[1] - counts[0]) / (many - few)


def of_calls(daemon, calls):
    """What one call costs the daemon, of many by remindctl one after the other: `switches` (its threads
    waited for something), bytes `written` and `read`, and `syncs` of the disk. Those of the second half are
    traced, which makes a program wait."""
    half = len(calls) // 2
    before = state(daemon.process.pid)
    make(daemon, calls[:half])
    after = state(daemon.process.pid)
    switches, written, read = ((new - old) / half for new, old in zip(after, before, strict=True))
    trace = Trace(daemon.process.pid, SYNCS)
    make(daemon, calls[half:])
    syncs = sum(trace.stop().values()) / (len(calls) - half)
    return {"switches": switches, "written": written, "read": read, "syncs": syncs}


def make(daemon, calls):
    for call in calls:
        subprocess.run([REMINDCTL, *map(str, call)], env=daemon.env, check=True,
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)

"""What a running process holds: memory, descriptors, threads; and what its clients wait for."""

import json
import pathlib
import socket
import struct
import threading
import time


class Process:
    """A process as the kernel sees it."""

    def __init__(self, pid):
        self._folder = pathlib.Path(f"/proc/{pid}")

    def _field(self, file, name):
        for line in (self._folder / file).read_text().splitlines():
            if line.startswith(name + ":"):
                return int(line.split()[1])
        raise AssertionError(f"/proc says nothing of {name}")

    def pss(self):
        """The memory that is its own, and its part of what is shared, in KiB."""
        return self._field("smaps_rollup", "Pss")

    def private(self):
        """The memory that it has written to, in KiB."""
        return self._field("smaps_rollup", "Private_Dirty")

    def peak(self):
        """The most that was resident since `forget_peak`, in KiB."""
        return self._field("status", "VmHWM")

    def forget_peak(self):
        (self._folder / "clear_refs").write_text("5")

    def threads(self):
        return self._field("status", "Threads")

    def descriptors(self):
        """What it has open, as counts by kind: `socket`, `anon_inode:[eventpoll]`, a path."""
        counts = {}
        for entry in (self._folder / "fd").iterdir():
            try:
                kind = str(entry.readlink()).split(":[")[0]
            except FileNotFoundError:
                continue
            counts[kind] = counts.get(kind, 0) + 1
        return counts

    def processor_seconds(self):
        fields = (self._folder / "stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / 100


class Caller:
    """A connection of one's own, without a library between: calls and their replies as bytes. Waits
    in connect(2), as remindctl does; a timeout of Python's would have it give up at once where the
    daemon has many to accept."""

    def __init__(self, path, limit=30):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", limit, 0))
        self.socket.connect(str(path))
        self.socket.settimeout(limit)
        self._rest = b""

    def call(self, method, **parameters):
        """The reply's parameters."""
        self.socket.sendall(message(method, **parameters))
        reply = json.loads(self.reply())
        assert "error" not in reply, reply
        return reply["parameters"]

    def reply(self):
        while b"\0" not in self._rest:
            data = self.socket.recv(1 << 16)
            assert data, "the daemon closed the connection"
            self._rest += data
        reply, self._rest = self._rest.split(b"\0", 1)
        return reply

    def close(self):
        self.socket.close()


def message(method, more=False, **parameters):
    call = {"method": f"org.remindd.Reminders.{method}", "parameters": parameters}
    if more:
        call["more"] = True
    return json.dumps(call).encode() + b"\0"


class Bystander:
    """Somebody who asks all the time and notes how long each answer took, in seconds: on one
    connection, and on a new one each time."""

    def __init__(self, path, pause=0.002):
        self._path, self._pause = path, pause
        self.waits, self.failures = [], []
        self._ended = threading.Event()
        self._threads = [threading.Thread(target=self._run, args=(isNew,)) for isNew in (False, True)]

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self._ended.set()
        for thread in self._threads:
            thread.join()

    def _run(self, is_new):
        caller = None
        while not self._ended.wait(self._pause):
            before = time.monotonic()
            try:
                if caller is None:
                    caller = Caller(self._path)
                caller.call("Next", limit=1)
                self.waits.append(time.monotonic() - before)
            except (OSError, AssertionError) as error:
                self.failures.append(f"{error!r}")
                caller = None
                continue
            if is_new:
                caller.close()
                caller = None

    def part(self, part):
        """So long did it take at most in that part of the calls, in milliseconds."""
        waits = sorted(self.waits)
        return 1000 * waits[min(len(waits) - 1, int(part * len(waits)))]

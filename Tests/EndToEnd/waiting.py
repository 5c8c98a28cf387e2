"""Waiting for what happens, each time with a limit: never for a while in the hope that it is enough."""

import os
import select
import time

LIMIT = 20.0
"""Seconds after which a test gives up on an event; a loaded machine is slow, not broken."""


class Lines:
    """The lines of a pipe, each waited for."""

    def __init__(self, pipe):
        self._fd = pipe.fileno()
        self._rest = b""

    def next(self, limit=LIMIT):
        """The next line without its end; AssertionError after `limit` seconds or at the end."""
        deadline = time.monotonic() + limit
        while b"\n" not in self._rest:
            ready, _, _ = select.select([self._fd], [], [], max(0, deadline - time.monotonic()))
            assert ready, f"no line came within {limit} s"
            data = os.read(self._fd, 1 << 16)
            assert data, f"the other side closed the pipe, after {self._rest!r}"
            self._rest += data
        line, self._rest = self._rest.split(b"\n", 1)
        return line.decode()


def until(condition, what, limit=LIMIT):
    """Asks again and again where nothing tells of a change; gives what the condition gave."""
    deadline = time.monotonic() + limit
    while True:
        if result := condition():
            return result
        assert time.monotonic() < deadline, f"after {limit} s still not: {what}"
        time.sleep(0.02)

"""A daemon on a machine whose clock is set, that sleeps, and whose disk fails: the daemon's alone."""

import errno
import socket
import time

from programs import ROOT, instant
from waiting import LIMIT

LIBRARY = ROOT / ".build/support/machine.so"

TROUBLES = {"full": errno.ENOSPC, "broken": errno.EIO, "half": -1}
"""What a disk does to a write: how Tests/Support/machine.c is told."""


class Machine:
    """Gives orders to Tests/Support/machine.c, which is loaded into the daemon."""

    def __init__(self, daemon):
        assert LIBRARY.exists(), f"{LIBRARY} is not there: run `make {LIBRARY.relative_to(ROOT)}`"
        path = daemon.runtime / "machine"
        path.unlink(missing_ok=True)
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
            listener.settimeout(LIMIT)
            listener.bind(str(path))
            listener.listen(1)
            daemon.start(through=[
                "/usr/bin/env", f"LD_PRELOAD={LIBRARY}", f"MACHINE_SOCKET={path}"])
            self._orders, _ = listener.accept()
        self._orders.settimeout(LIMIT)

    def set_clock(self, ahead=0):
        """The daemon's wall clock is set, so many seconds ahead of the machine's."""
        self._order("set", round(1000 * ahead))

    def set_time(self, text):
        """The daemon's wall clock is set to an RFC 3339 time."""
        self.set_clock(instant(text) - time.time())

    def pass_time(self, seconds):
        """So much time passes at once, as for a machine that sleeps."""
        self._order("pass", round(1000 * seconds))

    def spoil_disk(self, trouble, every=1):
        """Each `every`th write to a file goes wrong from now on: a key of TROUBLES."""
        self._order("disk", TROUBLES[trouble], every)

    def mend_disk(self):
        self._order("disk", 0, 0)

    def _order(self, *words):
        self._orders.sendall(" ".join(map(str, words)).encode())
        assert self._orders.recv(16) == b"ok", "the daemon is gone"

    def close(self):
        self._orders.close()

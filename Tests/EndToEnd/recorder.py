"""The recording notification server of Tests/Support, and what is said to it and by it."""

import json
import subprocess
import time

from desktop import SUPPORT
from waiting import LIMIT, Lines


class RecordingServer:
    """Notes each call with the time at which it was read; misbehaves on request."""

    def __init__(self, env, *options):
        self._process = subprocess.Popen(
            ["/usr/bin/python3", SUPPORT / "notification_server.py", *options], env=env,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._lines = Lines(self._process.stdout)
        self._unread = []
        self.name = self.next("ready")["name"]

    def next(self, kind, limit=LIMIT):
        """The next event of that kind; others are kept."""
        for index, event in enumerate(self._unread):
            if event["event"] == kind:
                return self._unread.pop(index)
        deadline = time.monotonic() + limit
        while True:
            event = json.loads(self._lines.next(max(0, deadline - time.monotonic())))
            event["time"] = time.time()
            if event["event"] == kind:
                return event
            self._unread.append(event)

    def popup(self, summary=None, limit=LIMIT):
        """The next pop-up that is asked for (with that title)."""
        deadline = time.monotonic() + limit
        while True:
            popup = self.next("notify", max(0, deadline - time.monotonic()))
            if summary in (None, popup["summary"]):
                return popup

    def command(self, *words):
        """Tells it what to do; returns when it has done so."""
        self._process.stdin.write((" ".join(map(str, words)) + "\n").encode())
        self._process.stdin.flush()
        self.next("ok")

    def so_far(self, kind):
        """All events of that kind until now that were not taken; the server has said all it knows."""
        self.command("caps", "body", "body-markup", "actions")
        events = [event for event in self._unread if event["event"] == kind]
        self._unread = [event for event in self._unread if event["event"] != kind]
        return events

    def stop(self):
        self._process.kill()
        self._process.wait()
        self._process.stdin.close()
        self._process.stdout.close()

"""A daemon with nothing to do does nothing."""

import pathlib
import time

import varlink
import waiting

PENDING = 10_000


def switches(pid):
    """How often each thread of a process was put on a processor."""
    counts = {}
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        try:
            status = (task / "status").read_text()
        except (FileNotFoundError, ProcessLookupError):
            continue  # the thread ended between the two looks; one fewer is a change, too
        fields = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
        counts[task.name] = (int(fields["voluntary_ctxt_switches"])
                             + int(fields["nonvoluntary_ctxt_switches"]))
    return counts


def test_nothing_wakes_while_ten_thousand_reminders_wait(rings_on, request):
    seconds = request.config.getoption("--idle-seconds")
    with varlink.Client(f"unix:{rings_on.socket}") as client, \
            client.open("org.remindd.Reminders") as service:
        for n in range(PENDING):
            # From two hours to a year ahead.
            service.Add(**{"title": f"Reminder {n}", "in": f"{7200 + n * 3155}s"})
    (status,) = rings_on.objects("status")
    assert status["pending"] == PENDING
    pid = rings_on.process.pid

    # The threads that served the calls end after some idle seconds; then it must be still.
    before, since = switches(pid), time.monotonic()

    def settled():
        nonlocal before, since
        if (now := switches(pid)) != before:
            before, since = now, time.monotonic()
        return time.monotonic() - since > 7

    waiting.until(settled, "the daemon settles", limit=60)
    end = time.monotonic() + seconds
    waiting.until(lambda: time.monotonic() > end, "the time is over", limit=seconds + 10)
    assert switches(pid) == before

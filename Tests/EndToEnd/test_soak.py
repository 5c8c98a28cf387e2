"""A mixed load leaves nothing behind; `make soak` does the same for fifteen minutes."""

import time

import pytest
import soak
import waiting
from machine import TROUBLES, Machine
from programs import Daemon, instant


@pytest.fixture
def machine():
    machine = Machine(daemon := Daemon())
    machine.daemon = daemon
    yield machine
    machine.close()
    daemon.end()


def test_a_mixed_load_leaves_neither_descriptors_nor_threads():
    done = soak.run(minutes=0, seconds=2, seed=20300501)
    assert sum(client.calls for client in done.clients) > 50
    assert len(done.rounds) == 2


def test_the_clock_of_the_daemon_alone_is_set(machine):
    task = machine.daemon.add("--in", "1h", "Tea")
    assert abs(instant(task["created"]) - time.time()) < 10
    machine.set_clock(3601)
    waiting.until(lambda: machine.daemon.show(task)["alarm"] == "ringing", "it rings")
    task = machine.daemon.add("--in", "1h", "Coffee")
    assert abs(instant(task["created"]) - 3601 - time.time()) < 10


@pytest.mark.parametrize("trouble", TROUBLES)
def test_the_disk_of_the_daemon_alone_fails(machine, trouble):
    machine.daemon.add("--in", "1h", "Tea")
    machine.spoil_disk(trouble)
    refused = machine.daemon.call("add", "--in", "1h", "Coffee", exit_code=74)
    assert str(machine.daemon.database) in refused.stderr
    machine.mend_disk()
    machine.daemon.add("--in", "1h", "Cocoa")
    assert [task["title"] for task in machine.daemon.objects("list")] == ["Tea", "Cocoa"]

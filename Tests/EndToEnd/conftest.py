import os
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from desktop import Desktop, Monitor  # noqa: E402
from programs import REMINDCTL, REMINDD, Daemon  # noqa: E402


def pytest_addoption(parser):
    parser.addoption("--idle-seconds", type=float, default=10, help="how long nothing may wake")
    parser.addoption("--crash-cycles", type=int, default=20, help="how often to kill -9")


def pytest_sessionstart(session):
    for program in (REMINDD, REMINDCTL):
        if not os.access(program, os.X_OK):
            pytest.exit(f"{program} is not there: run `make release` first", returncode=1)


@pytest.fixture(scope="module")
def desktop():
    with Desktop() as desktop:
        yield desktop


@pytest.fixture
def monitor(desktop):
    """Sees what passes on the desktop's bus from now on."""
    monitor = Monitor(desktop.env)
    yield monitor
    monitor.stop()


@pytest.fixture
def rings_on(desktop, monitor):
    """A daemon that is started on the desktop."""
    daemon = Daemon(bus=desktop.env["DBUS_SESSION_BUS_ADDRESS"])
    yield daemon.start()
    daemon.end()
    desktop.call("dunstctl", "close-all")


@pytest.fixture
def zone():
    """The daemon's time zone."""
    return "Europe/Berlin"


@pytest.fixture
def daemon(zone):
    """A daemon that is started without any desktop."""
    daemon = Daemon(zone=zone)
    yield daemon.start()
    daemon.end()

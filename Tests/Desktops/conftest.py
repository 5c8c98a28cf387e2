import contextlib
import os
import pathlib
import shutil
import sys
import tempfile

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "EndToEnd")]

from programs import REMINDCTL, REMINDD, ROOT, Daemon  # noqa: E402
from screens import SCREENS  # noqa: E402


def pytest_addoption(parser):
    parser.addoption("--pictures", default=str(ROOT / ".build/pictures"), type=pathlib.Path,
                     help="the folder for pictures of the pop-ups")


def pytest_sessionstart(session):
    for program in (REMINDD, REMINDCTL):
        if not os.access(program, os.X_OK):
            pytest.exit(f"{program} is not there: run `make release` first", returncode=1)


@pytest.fixture(scope="session")
def data():
    """The desktop file and the icon where programs look for them, readable for every user."""
    with tempfile.TemporaryDirectory(prefix="data-") as folder:
        applications, icons = (pathlib.Path(folder) / place for place in
                               ("applications", "icons/hicolor/scalable/apps"))
        for place in (applications, icons):
            place.mkdir(parents=True)
        shutil.copy(ROOT / "share/remindd.svg", icons)
        # An entry whose program is not there counts for nothing.
        (applications / "remindd.desktop").write_text(
            (ROOT / "share/remindd.desktop.in").read_text().replace("@remindctl@", "/bin/true"))
        os.chmod(folder, 0o755)
        yield folder


@pytest.fixture(scope="session", params=SCREENS)
def screen(request, data):
    with SCREENS[request.param](data) as screen:
        yield screen


@contextlib.contextmanager
def daemon_on(screen, settings=""):
    daemon = Daemon(bus=screen.env["DBUS_SESSION_BUS_ADDRESS"], user=screen.popen)
    file = daemon.folder / "config/remindd/remindd.conf"
    file.parent.mkdir(parents=True)
    file.write_text(settings)
    daemon.start()
    try:
        yield daemon
        # No pop-up of one test stands in the next one's way.
        if left := [task["number"] for task in daemon.objects("list", "--all")]:
            daemon.call("rm", *left)
        daemon.stop()
    finally:
        daemon.end()
        screen.leave()


@pytest.fixture
def rings_on(screen):
    """A daemon that is started on the desktop."""
    with daemon_on(screen) as daemon:
        yield daemon


@pytest.fixture
def snoozes_soon(screen):
    """One whose first snooze is short, and long enough to see that the screen is empty meanwhile."""
    with daemon_on(screen, "[Popups]\nSnooze=6s\n") as daemon:
        yield daemon


@pytest.fixture
def take_picture(screen, request):
    """Takes a picture of a pop-up; `what` tells it from others."""
    def take(title, what=""):
        name = "-".join(filter(None, ("popup", what, screen.name)))
        screen.picture(title, request.config.getoption("pictures") / f"{name}.png")
    return take

"""The machine's time zone is changed under the daemon, in an /etc of its own."""

import json
import os
import pathlib
import subprocess

import pytest
import waiting
from programs import Daemon

ZONES = pathlib.Path("/usr/share/zoneinfo")


def set_zone(etc, name):
    """As timedatectl does it: the link is replaced."""
    (etc / "timezone").write_text(name + "\n")
    new = etc / "localtime.new"
    new.symlink_to(ZONES / name)
    os.replace(new, etc / "localtime")


@pytest.mark.root
def test_floating_deadlines_follow_etc_localtime_without_a_restart(tmp_path):
    etc = tmp_path / "etc"
    subprocess.run(["cp", "-a", "/etc", etc], check=True)
    set_zone(etc, "Asia/Tokyo")
    daemon = Daemon()
    del daemon.env["TZ"]
    try:
        daemon.start(through=["unshare", "--mount", "sh", "-c",
                              f'mount --bind "{etc}" /etc && exec "$0"'])
        floating = daemon.add("--at", "2030-07-03 10:00", "Take tablet")
        fixed = daemon.add("--at", "2030-07-03T10:00:00+09:00", "Call")
        assert floating["nextRing"] == fixed["nextRing"] == "2030-07-03T10:00:00+09:00"
        set_zone(etc, "Asia/Singapore")
        waiting.until(
            lambda: daemon.show(floating)["nextRing"] == "2030-07-03T10:00:00+08:00",
            "the floating deadline has moved")
        assert daemon.show(fixed)["nextRing"] == "2030-07-03T09:00:00+08:00"
    finally:
        daemon.end()


def test_a_zone_that_is_none_is_told_by_the_log_and_the_doctor():
    daemon = Daemon(zone="Mars/Olympus")
    try:
        daemon.start()
        assert "TZ=‘Mars/Olympus’ is no time zone" in daemon.log.read_text()
        told = daemon.call("--json", "doctor", exit_code=1).stdout
        (zone,) = [check for check in map(json.loads, told.splitlines()) if check["name"] == "zone"]
        assert zone["result"] == "failed"
        assert "Mars/Olympus" in zone["text"] and "UTC is used" in zone["text"]
    finally:
        daemon.end()

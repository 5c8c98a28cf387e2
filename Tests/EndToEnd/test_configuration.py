"""The configuration file and the real daemon."""

import signal
import subprocess

import waiting
from programs import REMINDD


def check(path, exit_code):
    done = subprocess.run([REMINDD, "--config", str(path), "--check-config"], text=True,
                          capture_output=True, timeout=waiting.LIMIT)
    assert done.returncode == exit_code, done
    return done


def test_check_config_tells_each_fault_in_a_line_of_its_own(tmp_path):
    file = tmp_path / "remindd.conf"
    file.write_text("[Popups]\nSnoze=10m\nSound=loud\n")
    lines = check(file, 78).stderr.splitlines()
    assert [line.split(": ")[1] for line in lines] == [f"{file}:2", f"{file}:3"]
    assert "Did you mean Snooze?" in lines[0]
    assert "Sound=loud" in lines[1] and "Allowed: on or off." in lines[1]
    file.write_text("[Popups]\nSnooze=5m\n")
    assert check(file, 0).stdout == f"{file} is valid\n"
    assert "No such file" in check(tmp_path / "none", 78).stderr


def test_the_daemon_takes_new_settings_on_and_keeps_the_old_ones_when_new_ones_are_wrong(daemon):
    daemon.call("add", "Bin", "--at", "2030-05-01")
    file = daemon.folder / "config/remindd/remindd.conf"
    file.parent.mkdir(parents=True)

    def reload(text, logged):
        file.write_text(text)
        before = daemon.log.read_text().count(logged)
        daemon.process.send_signal(signal.SIGHUP)
        waiting.until(lambda: daemon.log.read_text().count(logged) > before, logged)
        return daemon.objects("list")[0]["nextRing"]

    read = "the configuration was read again"
    assert reload("[Reminders]\nAllDayTime=07:30\n", read) == "2030-05-01T07:30:00+02:00"
    kept = reload("[Reminders]\nAllDayTime=noonish\n", "the settings stay as they were")
    assert kept == "2030-05-01T07:30:00+02:00"
    assert f"{file}:2: AllDayTime=noonish" in daemon.log.read_text()
    assert reload("", read) == "2030-05-01T09:00:00+02:00"

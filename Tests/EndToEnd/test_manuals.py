"""The manual pages: sound for those who format them, and whole."""

import os
import re
import subprocess

import pytest
from programs import REMINDCTL, REMINDD, ROOT

PAGES = sorted((ROOT / ".build/dist/man").glob("*.[1-8]"))


def rendered(page):
    """What a reader sees, without line ends inside sentences."""
    text = subprocess.run(
        ["man", "--local-file", page], env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "MANWIDTH": "200"},
        capture_output=True, text=True, check=True).stdout
    return re.sub(r"\s+", " ", re.sub(r".\x08", "", text))


def page(name):
    return rendered(ROOT / ".build/dist/man" / name)


def test_every_page_is_there():
    assert [path.name for path in PAGES] == [
        "org.remindd.Reminders.7", "remindctl.1", "remindd.8", "remindd.conf.5"]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_formatters_have_nothing_to_say(path):
    groff = subprocess.run(
        ["man", "--warnings", "--local-file", path], env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"},
        capture_output=True, text=True)
    assert (groff.returncode, groff.stderr) == (0, "")
    assert groff.stdout
    mandoc = subprocess.run(["mandoc", "-T", "lint", path], capture_output=True, text=True)
    assert (mandoc.returncode, mandoc.stdout + mandoc.stderr) == (0, "")
    assert path.read_bytes().isascii()


def test_remindctl_1_has_every_command_and_option():
    text = page("remindctl.1")
    overview = subprocess.run([REMINDCTL, "help"], capture_output=True, text=True, check=True).stdout
    commands = re.findall(r"^  ([a-z]+)", overview.split("Options")[0], re.M)
    assert len(commands) >= 19
    for command in commands:
        said = subprocess.run(
            [REMINDCTL, "help", command], capture_output=True, text=True, check=True).stdout
        for option in re.findall(r"^  (--[a-z-]+)", said, re.M):
            assert option in text, (command, option)
        for example in re.findall(r"^  (remindctl .*)$", said, re.M):
            assert example in text
    for status in (0, 1, 64, 65, 66, 69, 70, 73, 74, 75, 78):
        assert re.search(rf"\b{status}\b", text.split("EXIT STATUS")[1].split("ENVIRONMENT")[0])


def test_remindd_8_has_every_option():
    said = subprocess.run([REMINDD, "--help"], capture_output=True, text=True, check=True).stdout
    options = set(re.findall(r"--[a-z-]+", said))
    assert len(options) >= 6
    text = page("remindd.8")
    for option in options:
        assert option in text, option


def test_remindd_conf_5_has_every_key_as_the_file_has_it():
    text = page("remindd.conf.5")
    lines = (ROOT / "docs/remindd.conf").read_text().splitlines()
    keys = [re.fullmatch(r"#(\w+)=(.*)", line) for line in lines]
    keys = [found.groups() for found in keys if found]
    assert len(keys) >= 15
    for name, value in keys:
        entry = re.search(rf" {name}= (.*?) Default: (.*?)\. {name}=", text)
        assert entry, name
        assert entry[2] == (value or "none"), name


def test_the_example_of_remindd_conf_5_is_valid(tmp_path):
    lines = subprocess.run(
        ["man", "--local-file", ROOT / ".build/dist/man/remindd.conf.5"],
        env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}, capture_output=True, text=True,
        check=True).stdout.split("\nEXAMPLE\n")[1].split("\nSEE ALSO")[0]
    file = tmp_path / "remindd.conf"
    file.write_text(re.sub("OnRing=.*", "OnRing=/usr/bin/true", lines))
    assert "[Popups]" in lines
    subprocess.run([REMINDD, "--check-config", "--config", file], check=True, capture_output=True)


def test_org_remindd_reminders_7_has_every_member():
    text = page("org.remindd.Reminders.7")
    interface = (ROOT / "Sources/RemindAPI/org.remindd.Reminders.varlink").read_text()
    members = re.findall(r"^(type|method|error) (\w+)", interface, re.M)
    assert len(members) > 30
    for kind, name in members:
        assert f" {kind} {name}" in text, name
    for comment in re.findall(r"^# (\S.*)\n(?:method|type)", interface, re.M):
        assert re.sub(r"\s+", " ", comment).split(".")[0] in text, comment

"""What the README shows works as shown."""

import os
import re
import shlex
import subprocess
import sys

import waiting
from programs import ROOT

README = (ROOT / "README.md").read_text()


def block(heading, language):
    """The first block of code in that language after that heading."""
    return re.search(rf"^## {heading}$.*?^```{language}\n(.*?)^```$", README, re.M | re.S)[1]


def test_commands_of_the_readme_work(daemon):
    # One that rings already, for `last`.
    ringing = daemon.add("--past", "--at", "2020-05-01 09:00", "Old")
    waiting.until(lambda: daemon.show(ringing)["alarm"] == "ringing", "it rings")
    commands = [shlex.split(line, comments=True) for line in block("Use", "sh").splitlines()]
    assert len(commands) >= 10
    for program, *arguments in commands:
        assert program == "remindctl"
        if arguments[0] != "watch":  # it runs until interrupted
            daemon.call(*arguments)


def test_python_of_the_readme_works(daemon):
    said = subprocess.run(
        [sys.executable, "-c", block("Use", "python")], env=os.environ | daemon.env,
        capture_output=True, text=True, check=True, timeout=waiting.LIMIT).stdout
    assert "in 10 minutes" in said


def test_links_of_the_readme_lead_somewhere():
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", README):
        assert (ROOT / target).exists(), target

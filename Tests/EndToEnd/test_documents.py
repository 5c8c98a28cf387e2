"""What README.md and docs/*.md show works as shown.

A block of `sh` or `python` is run, and so is every `remindctl …` in the text and in tables. A block that
cannot be run here says why, behind its language:  ```sh not run: it needs a network
In what is run there are nine tasks, of which the first rings, and a calendar file `tasks.ics`; an upper-case word stands for something else.
"""

import os
import re
import subprocess
import sys

import pytest
import waiting
from programs import CALENDAR, REMINDCTL, ROOT

DOCUMENTS = sorted(path.relative_to(ROOT).as_posix() for path in [ROOT / "README.md", *ROOT.glob("docs/*.md")])
BLOCK = re.compile(r"^```(\w*)([^\n]*)\n(.*?)^```$", re.M | re.S)
RUN = {"sh": ["bash", "-euo", "pipefail", "-c"], "python": [sys.executable, "-c"]}

# What never ends by itself is interrupted.
WRAPPER = f"""#!/bin/bash
for word; do
  if [ "$word" = watch ]; then timeout --preserve-status --signal=INT 1 {REMINDCTL} "$@"; code=$?
    [ $code = 130 ] && exit 0; exit $code
  fi
done
exec {REMINDCTL} "$@"
"""


@pytest.fixture
def run(daemon, tmp_path):
    """Runs a command where `remindctl` is the released one, with a few tasks."""
    ringing = daemon.add("--past", "--at", "2020-05-01 09:00", "Old")
    for number in range(2, 10):
        daemon.add("--at", f"2040-05-0{number} 09:00", "--list", "home", f"Task {number}")
    waiting.until(lambda: daemon.show(ringing)["alarm"] == "ringing", "it rings")
    (daemon.folder / "tasks.ics").write_text(CALENDAR)
    wrapper = tmp_path / "remindctl"
    wrapper.write_text(WRAPPER)
    wrapper.chmod(0o755)
    env = os.environ | daemon.env
    env["PATH"] = f"{tmp_path}:{REMINDCTL.parent}:{env['PATH']}"

    def run(*command):
        said = subprocess.run(
            command, env=env, cwd=daemon.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=60)
        assert said.returncode == 0, f"{command[-1]}\n{said.stdout}{said.stderr}"
        return said.stdout
    return run


@pytest.mark.parametrize("document", DOCUMENTS)
def test_blocks_of_code_run(document, run):
    for language, rest, code in BLOCK.findall((ROOT / document).read_text()):
        assert not rest or re.fullmatch(r" not run: .+", rest), f"{document}: ```{language}{rest}"
        if language in RUN and not rest:
            run(*RUN[language], code)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_commands_in_the_text_run(document, run):
    text = BLOCK.sub("", (ROOT / document).read_text())
    for command in re.findall(r"`(remindctl [^`\n]+)`", text):
        words = [word for word in command.split()[1:] if not word.startswith("-")]
        if len(words) == 1 or re.search(r"\b[A-Z]{2,}\b|…", command):
            run("remindctl", "help", words[0])
        else:
            run(*RUN["sh"], command.replace("\\|", "|"))


def test_readme_shows_ten_commands():
    text = (ROOT / "README.md").read_text()
    assert len(set(re.findall(r"^remindctl (\w+)", text, re.M))) >= 10


@pytest.mark.parametrize("document", DOCUMENTS)
def test_links_lead_somewhere(document):
    text = (ROOT / document).read_text()
    for target, heading in re.findall(r"\]\((?!https?:)([^)#]*)(#[^)]*)?\)", text):
        other = (ROOT / document).parent / target if target else ROOT / document
        assert other.exists(), target
        if heading:
            names = re.findall(r"^#+ (.+)$", other.read_text(), re.M)
            assert heading[1:] in [re.sub(r"[^\w -]", "", name).lower().replace(" ", "-") for name in names]

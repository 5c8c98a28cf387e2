"""What the programs say they are."""

import io
import re
import subprocess
import tarfile

from programs import REMINDCTL, REMINDD, ROOT


def version(program, *arguments):
    return subprocess.run([program, *arguments], env={}, capture_output=True, text=True, check=True).stdout


def test_version_and_commit_are_told():
    told = version(REMINDCTL, "--version")
    assert re.fullmatch(r"remindctl \d+\.\d+\.\d+( \([0-9a-f]{7,}\))?\n", told), told
    assert version(REMINDCTL, "--json", "--version") == told
    assert version(REMINDD, "--version") == told.replace("remindctl", "remindd")


def test_a_tarball_knows_its_commit(tmp_path):
    """`git archive` writes it where the build looks."""
    def git(*arguments):
        return subprocess.run(
            ["git", "-c", f"safe.directory={ROOT}", *arguments], cwd=ROOT, capture_output=True, check=True).stdout
    archive = git("archive", "HEAD", "Sources/CCommit")
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(tmp_path)
    commit = git("log", "-1", "--format=%h").decode().strip()
    main = tmp_path / "main.c"
    main.write_text('#define _Nonnull\n#include <stdio.h>\n#include "commit.c"\nint main(void) { puts(remindd_commit()); }\n')
    folder = tmp_path / "Sources/CCommit"
    subprocess.run(["gcc", "-I", folder, "-I", folder / "include", "-o", tmp_path / "main", main], check=True)
    assert version(tmp_path / "main") == commit + "\n"


def test_remindctl_links_no_engine_for_regular_expressions():
    """One `contains` of a text brings it in, and costs a third of the start."""
    assert b"_RegexParser" not in REMINDCTL.read_bytes()

"""What `make release` leaves, and what `make install` makes of it."""

import os
import pathlib
import re
import subprocess

from programs import REMINDCTL, REMINDD, ROOT


def run(*command, code=0, **environment):
    result = subprocess.run(
        command, cwd=ROOT, env=os.environ | environment, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=120)
    assert result.returncode == code, result.stdout + result.stderr
    return result.stdout + result.stderr


def tree(folder):
    """Every path under a folder, with what tells two of them apart."""
    return {str(path.relative_to(folder)): (path.lstat().st_mode, path.lstat().st_size)
            for path in pathlib.Path(folder).rglob("*")}


def test_remindctl_is_fully_static():
    assert "not a dynamic executable" in run("ldd", str(REMINDCTL), code=1)


def test_remindd_needs_no_swift_runtime():
    needed = run("ldd", str(REMINDD))
    assert "libsqlite3" in needed
    assert not re.search(r"lib(swift|Foundation|dispatch|BlocksRuntime|_Foundation)", needed), needed


def test_both_programs_tell_their_version():
    assert run(str(REMINDD), "--version").strip()
    assert run(str(REMINDCTL), "--version").strip()


def test_install_and_uninstall_are_exact_and_may_be_repeated(tmp_path):
    destination = tmp_path / "root"
    theirs = destination / "usr/lib/systemd/user/theirs.service"
    theirs.parent.mkdir(parents=True)
    theirs.write_text("[Service]\n")
    before = tree(destination)
    settings = {"DESTDIR": str(destination), "PREFIX": "/usr"}
    run("scripts/install-files", **settings)
    once = tree(destination)
    assert {"usr/bin/remindd", "usr/bin/remindctl", "usr/lib/systemd/user/remindd.socket",
            "usr/lib/systemd/user/remindd.service", "usr/share/man/man1/remindctl.1",
            "usr/share/man/man8/remindd.8", "usr/share/man/man5/remindd.conf.5",
            "usr/share/man/man7/org.remindd.Reminders.7",
            "usr/share/bash-completion/completions/remindctl",
            "usr/share/zsh/site-functions/_remindctl",
            "usr/share/fish/vendor_completions.d/remindctl.fish",
            "usr/share/remindd/remindd.conf", "usr/share/doc/remindd/README.md",
            "usr/share/doc/remindd/docs/phrases.md"} <= set(once)
    assert 'ExecStart="/usr/bin/remindd"' in (
        destination / "usr/lib/systemd/user/remindd.service").read_text()
    run("scripts/install-files", **settings)
    assert tree(destination) == once
    run("scripts/uninstall-files", **settings)
    assert tree(destination) == before
    run("scripts/uninstall-files", **settings)
    assert tree(destination) == before


def test_newer_version_takes_away_what_it_no_longer_has(tmp_path):
    settings = {"DESTDIR": str(tmp_path), "PREFIX": "/usr"}
    run("scripts/install-files", **settings)
    once = tree(tmp_path)
    old = tmp_path / "usr/share/man/man1/remindold.1"
    old.write_text("")
    manifest = tmp_path / "usr/lib/remindd/installed"
    manifest.write_text(manifest.read_text() + "/usr/share/man/man1/remindold.1\n")
    run("scripts/install-files", **settings)
    assert not old.exists()
    assert set(tree(tmp_path)) == set(once)


def test_tarball_installs_the_same_and_is_the_same_again(tmp_path):
    run("scripts/install-files", DESTDIR=str(tmp_path / "source"), PREFIX="/usr")
    tarball = ROOT / run("scripts/make-tarball").strip()
    assert re.fullmatch(r"remindd-[0-9].*-linux-\w+\.tar\.gz", tarball.name)
    once = tarball.read_bytes()
    run("scripts/make-tarball")
    assert tarball.read_bytes() == once
    run("tar", "-C", str(tmp_path), "-xzf", str(tarball))
    unpacked = tmp_path / tarball.name.removesuffix(".tar.gz")
    assert (unpacked / "README.md").exists()
    settings = {"DESTDIR": str(tmp_path / "tarball"), "PREFIX": "/usr"}
    run(str(unpacked / "install"), **settings)
    assert tree(tmp_path / "tarball") == tree(tmp_path / "source")
    run(str(unpacked / "uninstall"), **settings)
    assert not tree(tmp_path / "tarball")


def test_units_are_what_systemd_accepts(tmp_path):
    prefix = tmp_path / "a strange | & 100% fine prefix"
    runtime = tmp_path / "runtime"
    runtime.mkdir(mode=0o700)
    run("scripts/install-files", PREFIX=str(prefix), HOME=str(tmp_path / "home"),
        XDG_RUNTIME_DIR=str(runtime))
    units = [str(prefix / "lib/systemd/user" / name)
             for name in ("remindd.service", "remindd.socket")]
    said = run("systemd-analyze", "--user", "--man=no", "verify", *units,
               XDG_RUNTIME_DIR=str(runtime), HOME=str(tmp_path))
    assert said == "", said


def test_exposure_of_the_service_is_at_most_two(tmp_path):
    runtime = tmp_path / "runtime"
    runtime.mkdir(mode=0o700)
    run("scripts/install-files", PREFIX=str(tmp_path), HOME=str(tmp_path / "home"), XDG_RUNTIME_DIR=str(runtime))
    units = tmp_path / "lib/systemd/user"
    said = run("systemd-analyze", "--user", "--offline=true", "--threshold=20", "--no-pager", "security",
               str(units / "remindd.service"), XDG_RUNTIME_DIR=str(runtime), SYSTEMD_UNIT_PATH=f"{units}:")
    assert "Overall exposure level" in said

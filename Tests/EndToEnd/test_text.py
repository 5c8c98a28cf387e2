"""Text of any script and arguments of any bytes, through both programs."""

import os
import subprocess
import unicodedata

import pytest
import terminal
import waiting
from programs import REMINDCTL

FAMILY = "👩\u200d👩\u200d👧"
TITLES = {
    "joined emoji": f"Call {FAMILY} home", "flag": "Trip to 🇯🇵", "keycap": "Press 1️⃣", "skin tone": "Wave 👋🏽",
    "combining marks": "re\u0301sume\u0301 Z\u0351\u036b\u0343\u036a\u0302", "hebrew": "לקנות חלב", "arabic": "دفع الإيجار",
    "devanagari": "क्षत्रिय", "hangul jamo": "\u1112\u1161\u11ab", "wide": "買い物リスト", "half-width": "ｶﾀｶﾅ",
    "beyond the first plane": "𝔘𝔫𝔦 𠮷野家"}


@pytest.mark.parametrize("title", TITLES.values(), ids=TITLES)
def test_titles_come_back_as_they_were(daemon, title):
    task = daemon.add(title, "--note", f"{title}\n{title}")
    assert unicodedata.normalize("NFC", task["title"]) == unicodedata.normalize("NFC", title)
    (listed,) = daemon.objects("list")
    assert listed["title"] == task["title"]
    assert task["title"] in daemon.call("list").stdout
    assert task["title"] in daemon.call("show", task["number"]).stdout


def test_letters_from_right_to_left_are_isolated_on_a_terminal(daemon):
    daemon.add("--at", "2030-05-01 09:00", "לקנות חלב")
    _, shown, _ = terminal.run([REMINDCTL, "list"], daemon.env | {"TERM": "xterm"})
    assert "\u2068לקנות חלב\u2069" in shown
    assert "\u2068" not in daemon.call("list").stdout


@pytest.mark.parametrize("columns", [20, 40, 80])
def test_lines_end_with_the_terminal(daemon, columns):
    for title in TITLES.values():
        daemon.add("--at", "2030-05-01 09:00", f"{title} " * 5)
    _, shown, _ = terminal.run([REMINDCTL, "list"], daemon.env | {"TERM": "dumb"}, columns)
    assert "…" in shown
    for line in shown.splitlines():
        # Joined emoji are drawn as one; what is not is wider here than it is shown.
        joined = line.replace(FAMILY, "👧").replace("👋🏽", "👋").replace("🇯🇵", "🇯")
        assert terminal.cells(joined) <= columns + 1, line


@pytest.mark.parametrize("argument", [b"\xff", b"caf\xe9", b"\xed\xa0\x80", b"\xc0\xaf", b"\xf5\x80\x80\x80"])
def test_arguments_that_are_not_utf_8_are_refused(daemon, argument):
    for words in ([b"add", argument], [b"add", b"--tag", argument, b"Tea"], [argument]):
        refused = subprocess.run(
            [os.fsencode(REMINDCTL), *words], env=daemon.env, capture_output=True, timeout=waiting.LIMIT)
        assert refused.returncode == 65
        assert refused.stdout == b""
        assert b"is not UTF-8" in refused.stderr
        refused.stderr.decode()  # what is said of it is UTF-8
    assert daemon.objects("list", "--all") == []


@pytest.mark.parametrize("sign", ["\x01", "\x07", "\x1b", "\x7f", "\x9b"], ids=ascii)
def test_control_characters_are_refused_by_name(daemon, sign):
    refused = daemon.call("add", f"Pay{sign}rent", exit_code=65)
    assert f"U+{ord(sign):04X}" in refused.stderr
    assert sign not in refused.stderr
    assert daemon.objects("list", "--all") == []


def test_tabs_and_line_ends_do_not_break_a_row(daemon):
    for title in ("Pay\trent", "Pay\nrent"):
        result = subprocess.run(
            [REMINDCTL, "add", title], env=daemon.env, capture_output=True, text=True, timeout=waiting.LIMIT)
        assert result.returncode in (0, 65)
    rows = daemon.call("list").stdout.splitlines()
    assert all("\t" not in row for row in rows)
    assert len(rows) in (1, len(daemon.objects("list")) + 1)


def test_output_that_cannot_be_written_is_74(daemon):
    daemon.add("Tea")
    for words in (["list"], ["--json", "list"], ["help"], ["--version"], ["show", "1"], ["status"], ["next"],
                  ["completions", "bash"]):
        with open("/dev/full", "w") as full:
            ended = subprocess.run(
                [REMINDCTL, *words], env=daemon.env, stdout=full, stderr=subprocess.PIPE, text=True,
                timeout=waiting.LIMIT)
        assert (ended.returncode, "No space left on device" in ended.stderr) == (74, True), words
        closed = subprocess.run(
            ["sh", "-c", 'exec "$@" >&-', "sh", REMINDCTL, *words], env=daemon.env, capture_output=True,
            text=True, timeout=waiting.LIMIT)
        assert closed.returncode == 74, (words, closed.stderr)


@pytest.mark.parametrize("locale", ["C", "POSIX", "de_DE.ISO-8859-1"])
def test_output_is_ascii_where_the_locale_is(daemon, locale):
    daemon.add("--at", "2030-05-01 09:00", "買い物 café … — ‘x’")
    daemon.env["LC_ALL"] = locale
    for words in (["list"], ["show", "1"], ["next"], ["help"], ["help", "add"], ["status"], ["explain", "1"]):
        assert daemon.call(*words).stdout.isascii(), words
        code, shown, _ = terminal.run([REMINDCTL, *words], daemon.env, 40)
        assert (code, shown.isascii()) == (0, True), words
    assert daemon.call("add", "--at", "übermorgen", "Tea", exit_code=65).stderr.isascii()
    assert daemon.call("frobnicate", exit_code=64).stderr.isascii()
    # For programs nothing is lost.
    (task,) = daemon.objects("list")
    assert task["title"] == "買い物 café … — ‘x’"
    assert "übermorgen" in daemon.call("--json", "add", "--at", "übermorgen", "Tea", exit_code=65).stderr

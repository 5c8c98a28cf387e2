"""A pseudo-terminal of a given size, for programs that look at theirs."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
import unicodedata

import waiting


def run(command, env, columns=80):
    """Runs a program whose stdout is a terminal; gives its exit code, what it showed, and its stderr."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen(
        command, env=env, stdin=subprocess.DEVNULL, stdout=slave, stderr=subprocess.PIPE)
    os.close(slave)
    seen = b""
    while True:
        assert select.select([master], [], [], waiting.LIMIT)[0], f"{command} shows nothing more"
        try:
            piece = os.read(master, 65536)
        except OSError:  # EIO: the other side is closed
            break
        if not piece:
            break
        seen += piece
    os.close(master)
    errors = process.stderr.read().decode()
    process.stderr.close()
    return process.wait(waiting.LIMIT), seen.decode().replace("\r\n", "\n"), errors


def cells(text):
    """The cells of a text without joined emoji, as Unicode's East Asian Width has it."""
    return sum(
        0 if unicodedata.category(letter) in ("Mn", "Mc", "Me", "Cf") or "\u1160" <= letter <= "\u11ff"
        else 2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)

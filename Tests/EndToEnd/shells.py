"""The shells whose completion is tested, each as a user sees it: on a terminal, with the tabulator key."""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import tempfile
import termios
import time

import waiting
from programs import REMINDCTL

ESCAPES = re.compile(r"\x1b(\[[0-9;?]*[A-Za-z]|[=>]|\][^\x07]*\x07)|\r|\x07|\x0f")


class Interactive:
    """A shell on a terminal that tells its line, and clears it, when asked to."""

    command = setup = ()

    def __init__(self, env):
        self._folder = tempfile.TemporaryDirectory(prefix="remindd-shell-")
        self.env = env | {
            "PATH": f"{REMINDCTL.parent}:{env['PATH']}", "HOME": self._folder.name, "TERM": "xterm",
            "LC_ALL": "C.UTF-8"}
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            # High enough for all that is offered: zsh would show a part, and wait.
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 60, 132, 0, 0))
            os.execvpe(self.command[0], self.command, self.env)
        for line in self.setup:
            self._type(line + "\n")
        self._type("echo rea''dy\n")
        self._until(r"\nready\n")

    def close(self):
        os.close(self.fd)
        os.waitpid(self.pid, 0)
        self._folder.cleanup()

    def _type(self, text):
        os.write(self.fd, text.encode())

    def _until(self, pattern):
        """What the terminal shows up to there."""
        seen, end = b"", time.monotonic() + waiting.LIMIT
        while True:
            text = ESCAPES.sub("", seen.decode(errors="replace"))
            if found := re.search(pattern, text, re.S):
                return text, found
            left = end - time.monotonic()
            assert left > 0 and select.select([self.fd], [], [], left)[0], f"{pattern}: {text!r}"
            seen += os.read(self.fd, 65536)

    def complete(self, line):
        """Types the line and the tabulator key; gives the line that comes of it and what is shown."""
        self._type(line + "\t\x18s")
        text, found = self._until(r"LINE<(.*?)>END\n")
        return found[1], text[:found.start()]


class Bash(Interactive):
    command = ("bash", "--norc", "--noprofile", "-i")
    setup = (
        "PS1='$ '", "unset HISTFILE", "bind 'set show-all-if-ambiguous on'", "bind 'set enable-bracketed-paste off'",
        "bind 'set page-completions off'", "bind 'set completion-query-items 0'",
        """bind -x '"\\C-xs": printf "LINE<%s>END\\n" "$READLINE_LINE"; READLINE_LINE='""",
        "source <(remindctl completions bash)")


class Zsh(Interactive):
    command = ("zsh", "-f", "-i")
    setup = (
        "PS1='$ '", "unsetopt zle_bracketed_paste prompt_sp", "autoload -Uz compinit && compinit -u -D",
        "unset zle_bracketed_paste", "LISTMAX=1000", "zstyle ':completion:*' list-prompt ''", "bindkey -e",
        "setopt no_list_ambiguous", "tell() { zle -I; print -r -- \"LINE<$BUFFER>END\"; BUFFER= }", "zle -N tell",
        "bindkey '^Xs' tell", "source <(remindctl completions zsh)")


class Fish:
    """fish tells itself what it would offer."""

    def __init__(self, env):
        self._folder = tempfile.TemporaryDirectory(prefix="remindd-shell-")
        self.env = env | {"PATH": f"{REMINDCTL.parent}:{env['PATH']}", "HOME": self._folder.name, "LC_ALL": "C.UTF-8"}

    def close(self):
        self._folder.cleanup()

    def complete(self, line):
        done = subprocess.run(
            ["fish", "--no-config", "-c", "remindctl completions fish | source; complete --do-complete $argv[1]", line],
            env=self.env, capture_output=True, text=True, timeout=waiting.LIMIT)
        assert (done.returncode, done.stderr) == (0, "")
        words = [offer.split("\t")[0] for offer in done.stdout.splitlines()]
        # What fish would make of it: the one word, or what the line was.
        end = line[line.rindex(" ") + 1:]
        if len(words) == 1:
            return line.removesuffix(end) + words[0] + " ", done.stdout
        return line, done.stdout

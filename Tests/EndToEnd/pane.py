"""A real terminal: a pane of a tmux server of its own, with a shell in it."""

import pathlib
import subprocess
import tempfile

import waiting
from programs import REMINDCTL


class Terminal:
    """Ends with the `with` statement. What is seen is told by tmux, which is the terminal."""

    def __init__(self, daemon, columns=80, rows=20):
        self._folder = tempfile.TemporaryDirectory(prefix="remindctl-")
        self._socket = pathlib.Path(self._folder.name) / "tmux"
        self._env = daemon.env | {
            "PATH": f"{REMINDCTL.parent}:{daemon.env['PATH']}", "PS1": "$ ", "SHELL": "/bin/sh",
            "TERM": "xterm-256color"}
        self._env.pop("TMUX", None)
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", columns, "-y", rows, "exec sh")
        self.tmux("set", "-g", "status", "off")
        self.tmux("resize-window", "-x", columns, "-y", rows)
        self.until(lambda screen: screen.startswith("$"), "the shell's prompt")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.tmux("kill-server")
        self._folder.cleanup()

    def tmux(self, *arguments):
        return subprocess.run(
            ["tmux", "-u", "-S", self._socket, *map(str, arguments)], env=self._env, check=True,
            stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=waiting.LIMIT).stdout

    @property
    def screen(self):
        """What is to be seen, without blank lines at its end."""
        return self.tmux("capture-pane", "-p").rstrip("\n")

    def until(self, condition, what):
        """Waits for a screen that fulfils the condition; gives it."""
        seen = []

        def look():
            seen[:] = [self.screen]
            return condition(seen[0])

        try:
            waiting.until(look, what)
        except AssertionError as late:
            raise AssertionError(f"{late}; the screen:\n{seen[0]}") from None
        return seen[0]

    def shows(self, text):
        return self.until(lambda screen: text in screen, f"‘{text}’ on the screen")

    def type(self, text, enter=True):
        self.tmux("send-keys", "-l", "--", text)
        if enter:
            self.press("Enter")

    def press(self, *keys):
        self.tmux("send-keys", *keys)

    def resize(self, columns, rows):
        self.tmux("resize-window", "-x", columns, "-y", rows)

    def format(self, text):
        return self.tmux("display-message", "-p", text).strip()

    @property
    def is_as_before(self):
        """The ordinary screen, the cursor shown."""
        return self.format("#{alternate_on} #{cursor_flag} #{wrap_flag}") == "0 1 1"

    @property
    def program(self):
        """The number of the process that runs in the foreground of the shell."""
        shell = self.format("#{pane_pid}")
        return int(pathlib.Path(f"/proc/{shell}/task/{shell}/children").read_text().split()[0])

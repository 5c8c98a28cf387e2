"""What a script of Tests/Support makes, where it would run a command: a session, a desktop."""

import os
import pathlib
import pwd
import subprocess

from waiting import Lines


class Surroundings:
    """Runs commands in what the script makes, as the user whom it makes, as long as the `with` lasts."""

    def __init__(self, *script, env=None):
        self._script = script
        self._env = os.environ | (env or {})

    def __enter__(self):
        self._process = subprocess.Popen(
            [*self._script, "bash", "-c", "env -0 | tr '\\0\\n' '\\n '; echo; read _"],
            env=self._env, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        lines, self.env = Lines(self._process.stdout), {}
        while line := lines.next(limit=150):
            name, _, value = line.partition("=")
            self.env[name] = value
        self.home = pathlib.Path(self.env["HOME"])
        user = pwd.getpwnam(self.env.get("USER", pwd.getpwuid(os.getuid()).pw_name))
        self.popen = {} if user.pw_uid == os.getuid() else {
            "user": user.pw_uid, "group": user.pw_gid, "extra_groups": [], "cwd": self.home}
        return self

    def __exit__(self, *_):
        self._process.stdin.close()
        self._process.wait(60)
        self._process.stdout.close()

    def run(self, *command, code=0):
        """What the command prints; it must end with that code."""
        result = subprocess.run(
            command, env=self.env, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=150, **self.popen)
        assert result.returncode == code, f"{command}: {result.stdout}{result.stderr}"
        return result.stdout

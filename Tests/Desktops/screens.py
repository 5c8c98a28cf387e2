"""Five real notification servers: what stands on their screens, and a pointer that presses there."""

import contextlib
import dataclasses
import json
import os
import pathlib
import re
import signal

from desktop import NOTIFICATIONS, SUPPORT
from surroundings import Surroundings
from waiting import until


@dataclasses.dataclass
class Element:
    """A text or a button on the screen; the places are in pixels."""
    role: str
    name: str
    x: int
    y: int
    width: int
    height: int
    window: int


class Screen(Surroundings):
    """A desktop with its notification server, seen and touched where a person sees and touches it."""

    name = ""
    """What a server is called in docs/popups.md and in the names of pictures."""
    margin = 90
    """Pixels around the texts of a pop-up that belong to its picture; a black ground is cut off."""
    tells_texts = True
    script = None
    """What of Tests/Support makes it, where with-desktop does not."""
    """Whether what stands in a pop-up can be read."""

    def __init__(self, data):
        """`data` is a folder with desktop files and icons, like /usr/share."""
        script = (SUPPORT / self.script, "--") if self.script else (
            SUPPORT / "with-desktop", "--server", self.name)
        super().__init__(*script, env={"XDG_DATA_DIRS": f"{data}:/usr/local/share:/usr/share"})

    def elements(self):
        """What all windows on the screen consist of."""
        return [Element(**fields) for fields in json.loads(self.run(SUPPORT / "read-screen"))]

    def popup(self, title):
        """What the pop-up with that title consists of; nothing, if there is none."""
        elements = self.elements()
        windows = {element.window for element in elements if title in element.name}
        return [element for element in elements if element.window in windows]

    def shows(self, title):
        return bool(self.popup(title))

    def reads(self, title):
        """All that the pop-up with that title says, its buttons too."""
        return "\n".join(element.name for element in self.popup(title))

    def look_at(self, title):
        """Has the pop-up show its buttons."""
        until(lambda: self.shows(title), f"‘{title}’ on the screen")

    def press(self, title, label):
        """Clicks the button with that label, of the pop-up with that title."""
        self.look_at(title)
        self.click(self.rests(lambda: self._button(title, label), f"button ‘{label}’ of ‘{title}’"))

    def _button(self, title, label):
        return next((element for element in self.popup(title)
                     if "button" in element.role and element.name == label), None)

    def rests(self, find, what):
        """The element when it has come to rest: pop-ups slide into their place."""
        before = None

        def is_at_rest():
            nonlocal before
            before, now = find(), before
            return before if before == now else None
        return until(is_at_rest, what)

    def click(self, element):
        self.point_at(element)
        self.run("xdotool", "click", "1")

    def point_at(self, element):
        x, y = element.x + element.width // 2, element.y + element.height // 2
        self.run("xdotool", "mousemove", str(x), str(y))

    def leave(self):
        """Takes the pointer away from the pop-ups."""
        self.run("xdotool", "mousemove", "2", "360")

    def has_server(self, name=NOTIFICATIONS):
        return "true" in self._ask_bus("NameHasOwner", name)

    def _ask_bus(self, method, name):
        return self.run("busctl", "--user", "--json=short", "call", "org.freedesktop.DBus", "/",
                        "org.freedesktop.DBus", method, "s", name)

    def restart_server(self):
        """Kills the server with all that it shows, and starts another."""
        self.kill(NOTIFICATIONS)
        self.start_server()

    def kill(self, name):
        """kill -9 of the program that owns the name on the bus."""
        os.kill(json.loads(self._ask_bus("GetConnectionUnixProcessID", name))["data"][0], signal.SIGKILL)
        until(lambda: not self.has_server(name), f"{name} has gone")

    def start_server(self):
        self.run("start-server")

    def capabilities(self):
        reply = json.loads(self.run(
            "busctl", "--user", "--json=short", "call", NOTIFICATIONS, "/org/freedesktop/Notifications",
            NOTIFICATIONS, "GetCapabilities"))
        return set(reply["data"][0])

    def picture(self, title, path):
        """A picture of the pop-up with that title and a little around it."""
        self.look_at(title)
        frame = self.rests(lambda: self.frame(title), f"‘{title}’ rests")
        self.shoot(self.home / "screen.png")
        self.run("convert", self.home / "screen.png", "-crop", frame, "+repage", "-trim", "+repage",
                 # What is black from the edge on is no part of a pop-up.
                 "-bordercolor", "black", "-border", "1", "-alpha", "set", "-fill", "none",
                 "-floodfill", "+0+0", "black", "-shave", "1x1",
                 "-strip", "-dither", "None", "-colors", "200", self.home / "popup.png")
        self.run("optipng", "-quiet", self.home / "popup.png")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes((self.home / "popup.png").read_bytes())

    def frame(self, title):
        """The part of the screen that the pop-up covers, in imagemagick's words."""
        parts = self.popup(title)
        if not parts:
            return None
        left, top = (max(0, min(getattr(part, side) for part in parts) - self.margin) for side in "xy")
        right = max(part.x + part.width for part in parts) + self.margin
        bottom = max(part.y + part.height for part in parts) + self.margin
        return f"{right - left}x{bottom - top}+{left}+{top}"

    def shoot(self, path):
        self.run("import", "-window", "root", path)


class Dunst(Screen):
    """Gives the buttons of all that it shows to a menu program: here one that keeps the menu, and
    chooses what the test would."""

    name = "dunst"
    tells_texts = False

    def __enter__(self):
        super().__enter__()
        self._menu, self._choice = self.home / "menu", self.home / "choice"
        chooser = self.home / "chooser"
        chooser.write_text(
            f"#!/bin/sh\ncat >{self._menu}.new\ngrep -m 1 -F -f {self._choice} {self._menu}.new\n"
            f"mv {self._menu}.new {self._menu}\n")
        chooser.chmod(0o755)
        settings = self.home / ".config/dunst/dunstrc"
        settings.parent.mkdir(parents=True)
        settings.write_text(re.sub(r"(?m)^( *dmenu = ).*", rf"\1{chooser}",
                                   pathlib.Path("/etc/xdg/dunst/dunstrc").read_text()))
        self.restart_server()
        return self

    def _open_menu(self, choice=""):
        """The lines of the menu, `#LABEL (TITLE) [ID,KEY]`, of which the one with `choice` is chosen."""
        self._choice.write_text(choice)
        self._menu.unlink(missing_ok=True)
        until(self._has_menu, "menu of dunst")
        return self._menu.read_text() if self._menu.exists() else ""

    def _has_menu(self):
        """Asks for the menu; dunst forgets that while it takes the one before away."""
        self.run("dunstctl", "context")
        with contextlib.suppress(AssertionError):
            return until(lambda: self._menu.exists() or self._is_empty(), "menu of dunst", limit=1)

    def _is_empty(self):
        return self.run("dunstctl", "count", "displayed").strip() == "0"

    def popup(self, title):
        if self._is_empty() or f" ({title}) [" not in self._open_menu():
            return []
        try:
            windows = self.run("xdotool", "search", "--onlyvisible", "--class", "dunst").split()
        except AssertionError:  # it has come or gone, and its window has not yet
            return []
        place = dict(line.split("=") for line in self.run(
            "xdotool", "getwindowgeometry", "--shell", windows[0]).splitlines())
        x, y, width, height = (int(place[name]) for name in ("X", "Y", "WIDTH", "HEIGHT"))
        return [Element("window", title, x, y, width, height, 0)]

    def press(self, title, label):
        self.look_at(title)
        self._open_menu(f"#{label} ({title}) [")


class Xfce(Screen):
    name = "xfce4-notifyd"


class NotificationDaemon(Screen):
    name = "notification-daemon"


class Plasma(Screen):
    name = "plasma"
    margin = 24
    script = "with-plasma"


class Gnome(Screen):
    """GNOME Shell shows one banner at a time, and its buttons when the pointer is on it."""

    name = "gnome"
    margin = 24
    script = "with-gnome"
    shell = "org.gnome.Shell"
    _moved = 0

    def __enter__(self):
        super().__enter__()
        until(self._answers, "the shell answers", limit=60)
        return self

    def start_server(self):
        super().start_server()
        until(self._answers, "the shell answers", limit=60)

    def _answers(self):
        """A shell that has its name may not be ready yet."""
        with contextlib.suppress(AssertionError):
            return self.evaluate("true")

    def evaluate(self, script):
        reply = json.loads(self.run(
            "busctl", "--user", "--json=short", "call", self.shell, "/org/gnome/Shell", self.shell,
            "Eval", "s", script))
        done, result = reply["data"]
        assert done, f"{script}: {result}"
        return json.loads(result) if result else None

    def elements(self):
        script = (SUPPORT / "gnome-screen.js").read_text()
        return [Element(**fields) for fields in self.evaluate(script)]

    def shows(self, title):
        """Whether it stands in a banner or, where the banner had its time, in the list under the clock."""
        return any(title in name for name in self.evaluate(
            "Main.messageTray.getSources().map(s => s.notifications.map(n => n.title)).flat()"))

    def look_at(self, title):
        until(lambda: self._shows_buttons(title), f"buttons of ‘{title}’")

    def _shows_buttons(self, title):
        banner = next((part for part in self.elements() if title in part.name), None)
        if not banner:
            # The list has no buttons: the shell is asked for the banner again.
            self.evaluate(
                "(() => { for (const s of Main.messageTray.getSources()) for (const n of s.notifications) "
                f"if (n.title.includes({json.dumps(title)})) s.showNotification(n); return true; }})()")
            return False
        # A pointer that rests where the banner comes to be does not count: it has to move there.
        self._moved = 1 - self._moved
        banner.x += self._moved
        self.point_at(banner)
        return any(part.name in ("Done", "Done all") for part in self.popup(title))

    def point_at(self, element):
        self._pointer(f"pointer.notify_absolute_motion(0, {element.x + element.width / 2}, "
                      f"{element.y + element.height / 2})")

    def click(self, element):
        self.point_at(element)
        for state in ("PRESSED", "RELEASED"):
            self._pointer(f"pointer.notify_button(0, Clutter.BUTTON_PRIMARY, Clutter.ButtonState.{state})")
        self.leave()

    def leave(self):
        self._pointer("pointer.notify_absolute_motion(0, 2, 360)")

    def _pointer(self, call):
        self.evaluate(
            "(() => { const {Clutter} = imports.gi; globalThis.pointer ??= Clutter.get_default_backend()"
            ".get_default_seat().create_virtual_device(Clutter.InputDeviceType.POINTER_DEVICE);"
            f"{call}; return true; }})()")

    def restart_server(self):
        self.kill(self.shell)
        if self.has_server():
            self.kill(NOTIFICATIONS)
        self.start_server()

    def shoot(self, path):
        self.run("busctl", "--user", "call", "org.gnome.Shell.Screenshot", "/org/gnome/Shell/Screenshot",
                 "org.gnome.Shell.Screenshot", "Screenshot", "bbs", "false", "false", path)


SCREENS = {screen.name: screen for screen in (Dunst, Xfce, NotificationDaemon, Plasma, Gnome)}

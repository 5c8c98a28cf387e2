#!/usr/bin/python3
"""A notification server that records what it is told, and misbehaves on request.

Needs Debian's python3-gi (with gir1.2-glib-2.0, which comes with it) and therefore Debian's own
/usr/bin/python3. Takes org.freedesktop.Notifications on the bus of DBUS_SESSION_BUS_ADDRESS.

With --inhibited on|off it has the property Inhibited. With --deaf N it refuses its first N calls
about itself; with --caps refused, each that asks what it can do. With --tags it takes away what has the x-dunst-stack-tag of a new one (as dunst and mako
do). Every call it gets is a line of JSON on stdout: {"event": "ready", "name": ":1.2"}, {"event": "notify",
"id", "replaces", "app", "summary", "body", "actions", "hints", "timeout", "refused", "former" (what it takes
away), "at"}, {"event": "close", "id"}. Commands are lines on stdin, each answered by {"event": "ok", "command"}:

  press ID ACTION      the user presses a button (ActionInvoked)
  close ID REASON      the pop-up goes: 1 expired, 2 by the user, 3 by a call, 4 undefined
  forge ID ACTION      ActionInvoked from a connection that is not the server
  caps NAME…           what GetCapabilities says from now on
  hang                 Notify gets no reply from now on
  resume               the replies that were held back, oldest first, and no hanging any more
  fail NAME [TIMES]    Notify is refused with this D-Bus error, for ever or some times
  succeed              no longer
  press-early ACTION   the next Notify sees its button pressed before the reply
  newid                replaces_id is unknown: every Notify gets a new id
  forgetful            a replaces_id that is not on the screen gets a new id
  excess               an identical pop-up within a second is refused (as KDE Plasma does), the first at any time
  mute                 says of no pop-up that it was closed
  inhibit on|off       “do not disturb” begins or ends, with PropertiesChanged (as KDE Plasma tells)
  keep N               only the newest N pop-ups stay, the oldest expires (as GNOME Shell does)
  die                  exits in the middle of the next Notify
  release              gives up the name, and lives on
  quit
"""

import argparse
import json
import os
import sys
import time

from gi.repository import Gio, GLib

PATH = "/org/freedesktop/Notifications"
INTERFACE = "org.freedesktop.Notifications"
DESCRIPTION = """
<node><interface name="org.freedesktop.Notifications">
  <method name="Notify">
    <arg direction="in" type="s"/><arg direction="in" type="u"/><arg direction="in" type="s"/>
    <arg direction="in" type="s"/><arg direction="in" type="s"/><arg direction="in" type="as"/>
    <arg direction="in" type="a{sv}"/><arg direction="in" type="i"/>
    <arg direction="out" type="u"/>
  </method>
  <method name="CloseNotification"><arg direction="in" type="u"/></method>
  <method name="GetCapabilities"><arg direction="out" type="as"/></method>
  <method name="GetServerInformation">
    <arg direction="out" type="s"/><arg direction="out" type="s"/>
    <arg direction="out" type="s"/><arg direction="out" type="s"/>
  </method>
  %s
  <signal name="ActionInvoked"><arg type="u"/><arg type="s"/></signal>
  <signal name="NotificationClosed"><arg type="u"/><arg type="u"/></signal>
</interface></node>
"""
INHIBITED = '<property name="Inhibited" type="b" access="read"/>'


def say(event, **fields):
    print(json.dumps({"event": event, **fields}, ensure_ascii=False), flush=True)


def connect():
    flags = (Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT
             | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION)
    address = os.environ["DBUS_SESSION_BUS_ADDRESS"]
    return Gio.DBusConnection.new_for_address_sync(address, flags, None, None)


class Server:
    def __init__(self, capabilities, first_id, inhibited, deaf, tags):
        self.loop = GLib.MainLoop()
        self.capabilities = capabilities
        self.next_id = first_id
        self.shown = []
        self.held = None
        self.failure = None
        self.failures_left = None
        self.early = None
        self.new_ids = False
        self.keep = None
        self.dies = False
        self.forgetful = False
        self.mute = False
        self.recent = None
        self.inhibited = inhibited == "on"
        self.deaf = deaf
        self.tags = {} if tags else None
        self.bus = connect()
        description = DESCRIPTION % (INHIBITED if inhibited else "")
        info = Gio.DBusNodeInfo.new_for_xml(description).interfaces[0]
        self.bus.register_object(PATH, info, self.called, self.asked, None)
        self.owner = Gio.bus_own_name_on_connection(
            self.bus, INTERFACE, Gio.BusNameOwnerFlags.ALLOW_REPLACEMENT
            | Gio.BusNameOwnerFlags.REPLACE, self.ready, None)
        channel = GLib.IOChannel.unix_new(sys.stdin.fileno())
        GLib.io_add_watch(channel, GLib.PRIORITY_DEFAULT, GLib.IO_IN | GLib.IO_HUP, self.readable)
        self.pending = b""

    def ready(self, bus, name):
        say("ready", name=bus.get_unique_name())

    # What is called on the bus

    def called(self, bus, sender, path, interface, method, arguments, invocation):
        if method == "Notify":
            self.notify(arguments.unpack(), invocation)
        elif method == "CloseNotification":
            (number,) = arguments.unpack()
            say("close", id=number)
            invocation.return_value(None)
            if number in self.shown:
                self.closed(number, 3)
        elif self.deaf or (method == "GetCapabilities" and self.capabilities == ["refused"]):
            self.deaf = max(0, self.deaf - 1)
            invocation.return_dbus_error("org.freedesktop.DBus.Error.Failed", "not yet")
        elif method == "GetCapabilities":
            invocation.return_value(GLib.Variant("(as)", (self.capabilities,)))
        else:
            about = ("Recorder", "remindd", "1", "1.2")
            invocation.return_value(GLib.Variant("(ssss)", about))

    def asked(self, bus, sender, path, interface, name):
        return GLib.Variant("b", self.inhibited)

    def notify(self, arguments, invocation):
        app, replaces, _, summary, body, actions, hints, timeout = arguments
        if self.dies:
            os._exit(0)
        refused = self.takes_failure() or self.excess((app, summary, body))
        number = 0 if refused else self.number(replaces)
        former = self.former(number, hints)
        say("notify", id=number, replaces=replaces, app=app, summary=summary, body=body, actions=actions,
            hints=hints, timeout=timeout, refused=refused, former=former, at=time.time())
        if former:
            self.closed(former, 1)
        if refused:
            invocation.return_dbus_error(refused, "refused on request")
            return
        if self.early:
            self.signal("ActionInvoked", "(us)", (number, self.early))
            self.early = None
        if self.held is not None:
            self.held.append((invocation, number))
            return
        self.reply(invocation, number)

    def reply(self, invocation, number):
        invocation.return_value(GLib.Variant("(u)", (number,)))
        if number not in self.shown:
            self.shown.append(number)
        if self.keep and len(self.shown) > self.keep:
            self.closed(self.shown[0], 1)

    def takes_failure(self):
        if not self.failure or self.failures_left == 0:
            return None
        if self.failures_left is not None:
            self.failures_left -= 1
        return self.failure

    def excess(self, popup):
        """KDE Plasma refuses what is the same as the pop-up before, less than a second after it. The first
        time counts as such: on a busy machine a second may go by."""
        if self.recent is None:
            return None
        before, self.recent = self.recent, (time.monotonic(), popup)
        if popup == before[1] and self.recent[0] - before[0] < self.excess_seconds:
            self.excess_seconds = 1
            return INTERFACE + ".Error.ExcessNotificationGeneration"
        return None

    def number(self, replaces):
        if replaces and not self.new_ids and not (self.forgetful and replaces not in self.shown):
            return replaces
        self.next_id += 1
        return self.next_id - 1

    def former(self, number, hints):
        """The id of the pop-up that goes because this one has the same tag."""
        tag = hints.get("x-dunst-stack-tag")
        if self.tags is None or not tag or not number:
            return None
        former, self.tags[tag] = self.tags.get(tag), number
        return former if former != number and former in self.shown else None

    def signal(self, name, signature, values, bus=None):
        (bus or self.bus).emit_signal(None, PATH, INTERFACE, name, GLib.Variant(signature, values))

    def closed(self, number, reason):
        if number in self.shown:
            self.shown.remove(number)
        if not self.mute:
            self.signal("NotificationClosed", "(uu)", (number, reason))

    # What the test says

    def readable(self, channel, condition):
        data = os.read(sys.stdin.fileno(), 65536)
        if not data:
            self.loop.quit()
            return False
        *lines, self.pending = (self.pending + data).split(b"\n")
        for line in lines:
            self.command(line.decode().split())
        return True

    def command(self, words):
        name, *rest = words
        getattr(self, "do_" + name.replace("-", "_"))(*rest)
        self.bus.flush_sync(None)
        say("ok", command=name)

    def do_press(self, number, action):
        self.signal("ActionInvoked", "(us)", (int(number), action))

    def do_close(self, number, reason):
        self.closed(int(number), int(reason))

    def do_forge(self, number, action):
        other = connect()
        self.signal("ActionInvoked", "(us)", (int(number), action), other)
        self.signal("NotificationClosed", "(uu)", (int(number), 2), other)
        other.flush_sync(None)

    def do_caps(self, *names):
        self.capabilities = list(names)

    def do_hang(self):
        self.held = []

    def do_resume(self):
        held, self.held = self.held or [], None
        for invocation, number in held:
            self.reply(invocation, number)

    def do_fail(self, name, times=None):
        self.failure = name
        self.failures_left = int(times) if times else None

    def do_succeed(self):
        self.failure = None

    def do_press_early(self, action):
        self.early = action

    def do_newid(self):
        self.new_ids = True

    def do_forgetful(self):
        self.forgetful = True

    def do_excess(self):
        self.recent, self.excess_seconds = (0, None), float("inf")

    def do_mute(self):
        self.mute = True

    def do_inhibit(self, state):
        self.inhibited = state == "on"
        changed = GLib.Variant(
            "(sa{sv}as)", (INTERFACE, {"Inhibited": GLib.Variant("b", self.inhibited)}, []))
        self.bus.emit_signal(
            None, PATH, "org.freedesktop.DBus.Properties", "PropertiesChanged", changed)

    def do_keep(self, number):
        self.keep = int(number)

    def do_die(self):
        self.dies = True

    def do_release(self):
        Gio.bus_unown_name(self.owner)

    def do_quit(self):
        self.loop.quit()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--caps", default="body,body-markup,actions")
    parser.add_argument("--first-id", type=int, default=1)
    parser.add_argument("--inhibited", choices=("on", "off"))
    parser.add_argument("--deaf", type=int, default=0)
    parser.add_argument("--tags", action="store_true")
    options = parser.parse_args()
    server = Server([name for name in options.caps.split(",") if name], options.first_id,
                    options.inhibited, options.deaf, options.tags)
    server.loop.run()


if __name__ == "__main__":
    main()

# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""A stand-in for the portal org.freedesktop.portal.WebExtensions, which no Debian has: starts a native messaging host for a browser.

usage: portal_stand_in.py MANIFEST PROGRAM WORD...    with the session bus in the environment; run by the system's Python (python3-dbus)
"""

import json
import os
import subprocess
import sys

import dbus
import dbus.lowlevel
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

PLACE = "/org/freedesktop/portal/desktop"
NAME = "org.freedesktop.portal.WebExtensions"
MANIFEST, PROGRAM = sys.argv[1], sys.argv[2:]


class Portal(dbus.service.Object):
    def __init__(self, bus):
        self.bus = bus
        self.owned = dbus.service.BusName("org.freedesktop.portal.Desktop", bus)
        super().__init__(self.owned, PLACE)
        self.pipes = {}

    def _handle(self, kind, sender, token):
        return f"{PLACE}/{kind}/{sender.lstrip(':').replace('.', '_')}/{token}"

    @dbus.service.method("org.freedesktop.DBus.Properties", in_signature="s", out_signature="a{sv}")
    def GetAll(self, interface):
        return {"version": dbus.UInt32(1)} if interface == NAME else {}

    @dbus.service.method("org.freedesktop.DBus.Properties", in_signature="ss", out_signature="v")
    def Get(self, interface, name):
        return dbus.UInt32(1)

    @dbus.service.method(NAME, in_signature="a{sv}", out_signature="o", sender_keyword="sender")
    def CreateSession(self, options, sender=None):
        return self._handle("session", sender, options.get("session_handle_token", "token"))

    @dbus.service.method(NAME, in_signature="oss", out_signature="s")
    def GetManifest(self, session, name, extension):
        manifest = open(MANIFEST).read()
        assert json.loads(manifest)["name"] == name
        return manifest

    @dbus.service.method(NAME, in_signature="ossa{sv}", out_signature="o", sender_keyword="sender")
    def Start(self, session, name, extension, options, sender=None):
        pipes = [os.pipe() for _ in range(3)]
        subprocess.Popen([*PROGRAM, MANIFEST, extension], stdin=pipes[0][0], stdout=pipes[1][1], stderr=pipes[2][1])
        for end in (pipes[0][0], pipes[1][1], pipes[2][1]):
            os.close(end)
        self.pipes[session] = [pipes[0][1], pipes[1][0], pipes[2][0]]
        request = self._handle("request", sender, options.get("handle_token", "token"))

        def respond():
            signal = dbus.lowlevel.SignalMessage(request, "org.freedesktop.portal.Request", "Response")
            signal.append(dbus.UInt32(0), dbus.Dictionary({}, signature="sv"), signature="ua{sv}")
            signal.set_destination(sender)
            self.bus.send_message(signal)

        GLib.idle_add(respond)
        return dbus.ObjectPath(request)

    @dbus.service.method(NAME, in_signature="oa{sv}", out_signature="hhh")
    def GetPipes(self, session, options):
        ends = self.pipes.pop(session)
        # Each is a copy, which is closed once it is sent.
        passed = tuple(dbus.types.UnixFd(end) for end in ends)
        for end in ends:
            os.close(end)
        return passed


dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
portal = Portal(dbus.SessionBus())
print("ready", flush=True)
GLib.MainLoop().run()

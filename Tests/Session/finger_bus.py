# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""A private D-Bus daemon with a stand-in for fprintd (`net.reactivated.Fprint`, as its interface documents).

Takes one JSON array a line, [command, argument...], on standard input and answers with one JSON value a line. All that it started ends
with it. Needs the packages dbus, python3-dbus and python3-gi, which python3-dbusmock brings.
"""

import json
import os
import subprocess
import sys
import tempfile
import threading

import dbus
import dbus.bus
import dbus.lowlevel
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

from waiting import until

NAME = "net.reactivated.Fprint"
MANAGER, DEVICE = "/net/reactivated/Fprint/Manager", "/net/reactivated/Fprint/Device/0"


class Failure(dbus.DBusException):
    def __init__(self, name):
        super().__init__(name)
        self._dbus_error_name = f"{NAME}.Error.{name}"


class Manager(dbus.service.Object):
    has_reader = True

    @dbus.service.method(NAME + ".Manager", out_signature="o")
    def GetDefaultDevice(self):
        if not self.has_reader:
            raise Failure("NoSuchDevice")
        return dbus.ObjectPath(DEVICE)


class Device(dbus.service.Object):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.calls, self.owner, self.is_reading, self.has_fingers = [], None, False, True
        #: What the reader says of its own while it is being set up, which is from an earlier time.
        self.stale = None

    @dbus.service.method(NAME + ".Device", in_signature="s", sender_keyword="sender")
    def Claim(self, user, sender=None):
        self.calls.append(f"Claim {str(user)!r}")
        if self.owner:
            raise Failure("AlreadyInUse")
        self.owner = sender
        self.repeat(sender)

    @dbus.service.method(NAME + ".Device", sender_keyword="sender")
    def Release(self, sender=None):
        self.calls.append("Release")
        self.owner = None

    @dbus.service.method(NAME + ".Device", in_signature="s", sender_keyword="sender")
    def VerifyStart(self, finger, sender=None):
        self.calls.append(f"VerifyStart {finger}")
        if self.owner != sender:
            raise Failure("ClaimDevice")
        if not self.has_fingers:
            raise Failure("NoEnrolledPrints")
        self.is_reading = True

    @dbus.service.method(NAME + ".Device", sender_keyword="sender")
    def VerifyStop(self, sender=None):
        self.calls.append("VerifyStop")
        self.is_reading = False

    def repeat(self, receiver):
        """Says to one connection alone, by the true owner of the name, what was said before."""
        if self.stale:
            message = dbus.lowlevel.SignalMessage(DEVICE, NAME + ".Device", "VerifyStatus")
            message.append(self.stale, True, signature="sb")
            message.set_destination(receiver)
            self.connection.send_message(message)

    @dbus.service.signal(NAME + ".Device", signature="sb")
    def VerifyStatus(self, result, done):
        pass


class Bus:
    def __init__(self, folder):
        self.address = "unix:path=" + os.path.join(folder, "bus")
        # A bus that takes everybody, as the system's does.
        configuration = os.path.join(folder, "bus.conf")
        with open(configuration, "w") as file:
            file.write(f"""<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>system</type><listen>{self.address}</listen><policy context="default"><allow user="*"/><allow own="*"/>
<allow send_type="method_call"/><allow send_type="signal"/><allow send_requested_reply="true" send_type="method_return"/>
<allow send_requested_reply="true" send_type="error"/><allow receive_type="method_call"/><allow receive_type="method_return"/>
<allow receive_type="error"/><allow receive_type="signal"/></policy></busconfig>""")
        os.chmod(folder, 0o755)
        self.daemon = subprocess.Popen(
            ["dbus-daemon", "--config-file=" + configuration, "--nofork", "--nopidfile"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.bus = until(lambda: dbus.bus.BusConnection(self.address))
        self.bus.set_exit_on_disconnect(False)
        self.name = dbus.service.BusName(NAME, self.bus)
        self.manager, self.device = Manager(self.bus, MANAGER), Device(self.bus, DEVICE)

    def start(self):
        return self.address

    def status(self, result, done=True):
        """What the reader says, whoever is to hear it."""
        self.device.VerifyStatus(result, done)

    def is_reading(self):
        return self.device.is_reading

    def calls(self):
        return self.device.calls

    def end(self):
        """The reader's service ends."""
        self.bus.release_name(NAME)

    def set(self, what, value):
        setattr(self.manager if what == "has_reader" else self.device, what, value)

    def pretend(self, result):
        """A stranger on the bus says so, without owning the name, at the reader's path."""
        stranger = dbus.bus.BusConnection(self.address)
        stranger.set_exit_on_disconnect(False)
        names = [None, *(name for name in stranger.list_names() if name.startswith(":"))]
        for destination in names:
            message = dbus.lowlevel.SignalMessage(DEVICE, NAME + ".Device", "VerifyStatus")
            message.append(result, True, signature="sb")
            if destination:
                message.set_destination(destination)
            stranger.send_message(message)
        stranger.flush()
        stranger.get_unix_user("org.freedesktop.DBus")


def main():
    dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
    loop = GLib.MainLoop()
    with tempfile.TemporaryDirectory(prefix="latchkey-bus-", dir="/tmp") as folder:
        bus = Bus(folder)

        def carry_out(line, done):
            command, *arguments = json.loads(line)
            print(json.dumps(getattr(bus, command)(*arguments)), flush=True)
            done.set()

        def read():
            for line in sys.stdin:
                done = threading.Event()
                GLib.idle_add(lambda: carry_out(line, done))
                done.wait(30)
            GLib.idle_add(loop.quit)

        threading.Thread(target=read, daemon=True).start()
        try:
            loop.run()
        finally:
            bus.daemon.kill()
            bus.daemon.wait()
    # The names that it owned have gone with the bus, which dbus-python would say at length.
    sys.stdout.flush()
    os._exit(0)


main()

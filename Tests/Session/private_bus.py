# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""A private D-Bus daemon with mocks of logind, of screen savers and of what shows notifications, for the tests of SessionWatchTests.

Takes one JSON array a line, [command, argument...], on standard input and answers with one JSON value a line. All that
it started ends with it, and it ends with its input. Needs the packages dbus and python3-dbusmock.
"""

import ctypes
import json
import os
import signal
import subprocess
import sys
import tempfile

import dbus
import dbus.bus
import dbus.lowlevel

from waiting import until

LOGIN = "org.freedesktop.login1"
ROOT = "/org/freedesktop/login1"
NOTIFICATIONS = "org.freedesktop.Notifications"
SHOWN = "/org/freedesktop/Notifications"
MOCK = "org.freedesktop.DBus.Mock"
LIBC = ctypes.CDLL(None)


def end_with_parent():
    LIBC.prctl(1, signal.SIGKILL)


def typed(value):
    """What D-Bus cannot guess the type of: empty lists, and properties, which differ in theirs."""
    if isinstance(value, dict):
        return dbus.Dictionary(value, signature="sv")
    return dbus.Array([], signature="s") if value == [] else value


class PrivateBus:
    def __init__(self, folder):
        self.socket = os.path.join(folder, "bus")
        self.address = "unix:path=" + self.socket
        self.daemon = self.logind = self.server = self.bus = None
        self.strangers = {}

    # -- The bus itself --

    def start(self):
        self.daemon = self.spawn("dbus-daemon", "--session", "--nofork", "--nopidfile", "--address=" + self.address)
        self.bus = until(lambda: dbus.bus.BusConnection(self.address))
        self.bus.set_exit_on_disconnect(False)
        return self.address

    def stop(self):
        for process in (self.logind, self.server, self.daemon):
            if process:
                process.kill()
                process.wait()
        self.logind = self.server = self.daemon = self.bus = None
        self.strangers = {}
        if os.path.exists(self.socket):
            os.unlink(self.socket)

    def spawn(self, *command):
        environment = dict(os.environ, DBUS_SYSTEM_BUS_ADDRESS=self.address, DBUS_SESSION_BUS_ADDRESS=self.address)
        return subprocess.Popen(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            preexec_fn=end_with_parent)

    def connections(self):
        return sum(1 for name in self.bus.list_names() if name.startswith(":"))

    # -- Logind --

    def start_logind(self):
        self.logind = self.spawn(sys.executable, "-m", "dbusmock", "--system", "--template", "logind")
        until(lambda: self.bus.name_has_owner(LOGIN) or self.logind.poll() is not None)
        if self.logind.poll() is not None:
            raise RuntimeError("no logind mock: is python3-dbusmock installed?")

    def stop_logind(self):
        self.logind.kill()
        self.logind.wait()

    def mock(self, path=ROOT, interface=MOCK):
        return dbus.Interface(self.bus.get_object(LOGIN, path, introspect=False), interface)

    def add_session(self, name, user):
        self.mock().AddSession(name, "seat0", dbus.UInt32(user), "user%d" % user, True, signature="ssusb")
        self.emit(ROOT, LOGIN + ".Manager", "SessionNew", "so", [name, self.path(name)])

    def remove_session(self, name):
        self.emit(ROOT, LOGIN + ".Manager", "SessionRemoved", "so", [name, self.path(name)])

    def path(self, name):
        return ROOT + "/session/" + name

    def lock(self, name):
        self.mock(self.path(name), LOGIN + ".Session").Lock()

    def hint(self, name, value):
        self.mock(self.path(name), LOGIN + ".Session").SetLockedHint(value, signature="b")

    def state(self, name, property, value):
        """Has logind state something else of a session."""
        properties = dbus.Dictionary({property: dbus.String(value, variant_level=1)}, signature="sv")
        self.mock(self.path(name)).UpdateProperties(LOGIN + ".Session", properties, signature="sa{sv}")

    def sleep(self, begins):
        self.emit(ROOT, LOGIN + ".Manager", "PrepareForSleep", "b", [begins])

    def emit(self, path, interface, member, signature, arguments):
        """A signal by logind itself, whatever it holds."""
        self.mock(path).EmitSignal(
            interface, member, signature, dbus.Array(map(typed, arguments), signature="v"), signature="sssav")

    def inhibitors(self):
        return self.mock(interface=LOGIN + ".Manager").ListInhibitors()

    # -- Notifications --

    def start_notifications(self, abilities):
        self.server = self.spawn(sys.executable, "-m", "dbusmock", "--session", "--template", "notification_daemon",
                                 "--parameters", json.dumps({"capabilities": abilities}))
        until(lambda: self.bus.name_has_owner(NOTIFICATIONS))

    def stop_notifications(self):
        self.server.kill()
        self.server.wait()

    def notified(self, member, count):
        """The arguments of each call of the server's method, once there are so many."""
        server = dbus.Interface(self.bus.get_object(NOTIFICATIONS, SHOWN, introspect=False), MOCK)
        return until(lambda: (calls := server.GetMethodCalls(member)) and len(calls) >= count and [arguments for _, arguments in calls])

    def settle(self):
        """Returns when each connection has looked at all that was sent to it."""
        for name in self.bus.list_names():
            if name.startswith(":") and name != self.bus.get_unique_name():
                self.bus.call_blocking(name, "/", "org.freedesktop.DBus.Peer", "Ping", "", ())

    def press(self, number, key):
        """The server says that a button was pressed."""
        server = dbus.Interface(self.bus.get_object(NOTIFICATIONS, SHOWN, introspect=False), MOCK)
        server.EmitSignal(NOTIFICATIONS, "ActionInvoked", "us", dbus.Array([dbus.UInt32(number), key], signature="v"),
                          signature="sssav")

    # -- Anybody else --

    def send(self, sender, service, path, interface, member, signature, arguments, everywhere=False):
        """A signal by another connection, which owns a service, or none; addressed to each connection if asked to."""
        if sender not in self.strangers:
            self.strangers[sender] = dbus.bus.BusConnection(self.address)
            self.strangers[sender].set_exit_on_disconnect(False)
        stranger = self.strangers[sender]
        if service and not self.bus.name_has_owner(service):
            stranger.request_name(service)
        names = [name for name in stranger.list_names() if name.startswith(":")] if everywhere else []
        for destination in [None, *names]:
            message = dbus.lowlevel.SignalMessage(path, interface, member)
            message.append(*arguments, signature=signature)
            if destination:
                message.set_destination(destination)
            stranger.send_message(message)
        stranger.flush()
        # Answered by the bus after it has passed on what came before.
        stranger.get_unix_user("org.freedesktop.DBus")

    def process(self, name):
        bus = "org.freedesktop.DBus"
        return self.bus.call_blocking(bus, "/org/freedesktop/DBus", bus, "GetConnectionUnixProcessID", "s", (name,))

    def heard(self):
        """Returns when the process of the tests has looked at all that was sent to it: each of its connections answers in turn."""
        for name in self.bus.list_names():
            if name.startswith(":") and self.process(name) == os.getppid():
                self.bus.call_blocking(name, "/", "org.freedesktop.DBus.Peer", "Ping", "", ())


def main():
    # A socket's path has at most 107 bytes.
    room = tempfile.gettempdir() if len(os.fsencode(tempfile.gettempdir())) <= 64 else "/tmp"
    with tempfile.TemporaryDirectory(prefix="latchkey-bus-", dir=room) as folder:
        bus = PrivateBus(folder)
        try:
            for line in sys.stdin:
                command, *arguments = json.loads(line)
                print(json.dumps(getattr(bus, command)(*arguments)), flush=True)
        finally:
            bus.stop()


main()

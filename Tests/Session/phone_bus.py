# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""A private D-Bus daemon with mocks of what brings a phone's messages: ModemManager, KDE Connect and GSConnect.

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

from waiting import until

MOCK = "org.freedesktop.DBus.Mock"
MODEM = "org.freedesktop.ModemManager1"
KDE = "org.kde.kdeconnect"
GS = "org.gnome.Shell.Extensions.GSConnect"
NOTIFICATIONS = "org.gtk.Notifications"
DEVICE = "/modules/kdeconnect/devices/phone1/notifications"
MESSAGING = "/org/freedesktop/ModemManager1/Modem/0"
LIBC = ctypes.CDLL(None)


def end_with_parent():
    LIBC.prctl(1, signal.SIGKILL)


class PhoneBus:
    def __init__(self, folder):
        self.address = "unix:path=" + os.path.join(folder, "bus")
        self.processes = []
        self.count = 0
        self.gsconnect = None

    def spawn(self, *command):
        environment = dict(os.environ, DBUS_SYSTEM_BUS_ADDRESS=self.address, DBUS_SESSION_BUS_ADDRESS=self.address)
        self.processes.append(subprocess.Popen(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            preexec_fn=end_with_parent))

    def start(self):
        self.spawn("dbus-daemon", "--session", "--nofork", "--nopidfile", "--address=" + self.address)
        self.bus = until(lambda: dbus.bus.BusConnection(self.address))
        self.bus.set_exit_on_disconnect(False)
        return self.address

    def serve(self, service, path, interface):
        """A mock that owns a service."""
        self.spawn("/usr/bin/python3", "-m", "dbusmock", service, path, interface)
        until(lambda: self.bus.name_has_owner(service))
        return self.mock(service, path)

    def mock(self, service, path):
        return dbus.Interface(self.bus.get_object(service, path, introspect=False), MOCK)

    # -- ModemManager --

    def modem(self):
        top = self.serve(MODEM, "/org/freedesktop/ModemManager1", MODEM)
        messaging = MODEM + ".Modem.Messaging"
        top.AddObject(MESSAGING, messaging, dbus.Dictionary({}, signature="sv"), dbus.Array([], signature="(ssss)"))

    def sms(self, text, state=3, received=True):
        """A message comes in; answers its number."""
        self.count += 1
        path = f"/org/freedesktop/ModemManager1/SMS/{self.count}"
        self.mock(MODEM, "/org/freedesktop/ModemManager1").AddObject(
            path, MODEM + ".Sms", dbus.Dictionary({"Text": text, "State": dbus.UInt32(state)}, signature="sv"),
            dbus.Array([], signature="(ssss)"))
        self.mock(MODEM, MESSAGING).EmitSignal(
            MODEM + ".Modem.Messaging", "Added", "ob",
            dbus.Array([dbus.ObjectPath(path), dbus.Boolean(received)], signature="v"), signature="sssav")
        return self.count

    def whole(self, number, text):
        """The last part of a message has come."""
        path = f"/org/freedesktop/ModemManager1/SMS/{number}"
        self.mock(MODEM, path).UpdateProperties(
            MODEM + ".Sms", dbus.Dictionary({"Text": text, "State": dbus.UInt32(3)}, signature="sv"))

    # -- KDE Connect --

    def kdeconnect(self):
        top = self.serve(KDE, "/modules/kdeconnect", KDE + ".daemon")
        top.AddObject(DEVICE, KDE + ".device.notifications", dbus.Dictionary({}, signature="sv"),
                      dbus.Array([], signature="(ssss)"))

    def notify(self, text, title="+1 555 0100", ticker=""):
        self.count += 1
        properties = {"appName": "Messages", "title": title, "text": text, "ticker": ticker}
        self.mock(KDE, "/modules/kdeconnect").AddObject(
            f"{DEVICE}/{self.count}", KDE + ".device.notifications.notification",
            dbus.Dictionary(properties, signature="sv"), dbus.Array([], signature="(ssss)"))
        self.mock(KDE, DEVICE).EmitSignal(
            KDE + ".device.notifications", "notificationPosted", "s", dbus.Array([str(self.count)], signature="v"),
            signature="sssav")

    # -- GSConnect --

    def desktop(self):
        """What shows notifications."""
        self.serve(NOTIFICATIONS, "/org/gtk/Notifications", NOTIFICATIONS).AddMethod(
            NOTIFICATIONS, "AddNotification", "ssa{sv}", "", "")

    def show(self, body, title="Messages", as_gsconnect=True):
        """A notification is shown, by GSConnect or by another program that calls itself so."""
        connection = self.bus
        if as_gsconnect:
            if self.gsconnect is None:
                self.gsconnect = dbus.bus.BusConnection(self.address)
                self.gsconnect.set_exit_on_disconnect(False)
                self.gsconnect.request_name(GS)
            connection = self.gsconnect
        shown = dbus.Interface(
            connection.get_object(NOTIFICATIONS, "/org/gtk/Notifications", introspect=False), NOTIFICATIONS)
        self.count += 1
        notification = {"title": title, "body": body, "priority": "normal", "buttons": dbus.Array([], signature="a{sv}")}
        shown.AddNotification(GS, f"phone1|{self.count}", dbus.Dictionary(notification, signature="sv"))

    def stop(self):
        for process in self.processes:
            process.kill()
            process.wait()


def main():
    # A socket's path has at most 107 bytes.
    room = tempfile.gettempdir() if len(os.fsencode(tempfile.gettempdir())) <= 64 else "/tmp"
    with tempfile.TemporaryDirectory(prefix="latchkey-phone-", dir=room) as folder:
        bus = PhoneBus(folder)
        for line in sys.stdin:
            command, *arguments = json.loads(line)
            print(json.dumps(getattr(bus, command)(*arguments)), flush=True)
        bus.stop()


main()

# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""A program that describes itself on the accessibility bus in strange ways: strange_program.py WAY. Run by the system's Python.

It has a form of two fields, and tells of the focus in the first one. `twice`: each object is named three times by what holds it. `long`: names of
a megabyte. `silent`: it answers nothing but the first questions about the field. `circle`: its window holds itself. `late`: as `silent`, but it tells of its
focus once, and answers everything from a SIGUSR1 on.
"""

import signal
import sys

from gi.repository import Gio, GLib

ROOT = "/org/a11y/atspi/accessible/root"
OBJECT = "/org/a11y/atspi/accessible/%s"
NODE = Gio.DBusNodeInfo.new_for_xml("""<node><interface name='org.a11y.atspi.Accessible'>
<method name='GetRole'><arg type='u' direction='out'/></method><method name='GetState'><arg type='au' direction='out'/></method>
<method name='GetChildren'><arg type='a(so)' direction='out'/></method><method name='GetAttributes'><arg type='a{ss}' direction='out'/></method>
<method name='GetRelationSet'><arg type='a(ua(so))' direction='out'/></method><method name='GetInterfaces'><arg type='as' direction='out'/></method>
<property name='Name' type='s' access='read'/><property name='AccessibleId' type='s' access='read'/><property name='Parent' type='(so)' access='read'/>
</interface><interface name='org.a11y.atspi.Component'><method name='GetExtents'><arg type='u' direction='in'/><arg type='(iiii)' direction='out'/>
</method></interface></node>""")
#: Role, name, parent and children of each object.
OBJECTS = {
    ROOT: (75, "strange", None, [OBJECT % "window"]),
    OBJECT % "window": (23, "Sign In", ROOT, [OBJECT % "user", OBJECT % "password"]),
    OBJECT % "user": (79, "User name", OBJECT % "window", []),
    OBJECT % "password": (40, "Password", OBJECT % "window", []),
}
#: Editable, enabled, focusable, sensitive, showing, visible, and for the first field focused.
STATES = 1 << 7 | 1 << 8 | 1 << 11 | 1 << 24 | 1 << 25 | 1 << 30
WAY = sys.argv[1]

session = Gio.bus_get_sync(Gio.BusType.SESSION)
address = session.call_sync("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", None, None, 0, -1).unpack()[0]
bus = Gio.DBusConnection.new_for_address_sync(
    address, Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)
NAME = bus.get_unique_name()
asked = 0
is_silent = WAY in ("silent", "late")


def children(path):
    paths = list(OBJECTS[path][3])
    if WAY == "twice":
        paths = paths * 3
    if WAY == "circle" and path == OBJECT % "window":
        paths.append(path)
    return [(NAME, each) for each in paths]


def called(_, sender, path, interface, method, parameters, invocation):
    global asked
    asked += 1
    if is_silent and asked > 8:
        return
    role = OBJECTS[path][0]
    states = STATES | (1 << 12 if path == OBJECT % "user" else 0)
    answer = {
        "GetRole": lambda: GLib.Variant("(u)", (role,)), "GetState": lambda: GLib.Variant("(au)", ([states & 0xFFFFFFFF, states >> 32],)),
        "GetChildren": lambda: GLib.Variant("(a(so))", (children(path),)), "GetAttributes": lambda: GLib.Variant("(a{ss})", ({},)),
        "GetRelationSet": lambda: GLib.Variant("(a(ua(so)))", ([],)),
        "GetInterfaces": lambda: GLib.Variant("(as)", (["org.a11y.atspi.EditableText"] if role in (79, 40) else [],)),
        "GetExtents": lambda: GLib.Variant("((iiii))", ((10, 10 if role == 79 else 60, 200, 30),)),
    }[method]()
    invocation.return_value(answer)


def read(_, sender, path, interface, name):
    parent = OBJECTS[path][2]
    return {
        "Name": GLib.Variant("s", OBJECTS[path][1] * (100_000 if WAY == "long" else 1)), "AccessibleId": GLib.Variant("s", ""),
        "Parent": GLib.Variant("(so)", (NAME, parent or "/org/a11y/atspi/null")),
    }[name]


for path in OBJECTS:
    for interface in NODE.interfaces:
        bus.register_object(path, interface, called, read, None)


def tell():
    for is_on in (0, 1):
        bus.emit_signal(
            None, OBJECT % "user", "org.a11y.atspi.Event.Object", "StateChanged",
            GLib.Variant("(siiva{sv})", ("focused", is_on, 0, GLib.Variant("i", 0), {})))
    return True


def speak():
    global is_silent
    is_silent = False


tell()
if WAY == "late":
    GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal.SIGUSR1, speak)
else:
    GLib.timeout_add(300, tell)
print("ready", flush=True)
GLib.MainLoop().run()

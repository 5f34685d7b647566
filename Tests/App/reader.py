# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""What a screen reader does with the app: reads what it describes on the accessibility bus, and acts on it.

Run by the system's Python, which has GLib. It speaks the bus itself, because libatspi keeps answers. Each line of the input is a request
as JSON, each line of the output its answer. Objects have numbers, which are good until the next `tree` or `glance`.
"""

import json
import sys
import time

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

#: What one window may have of objects.
LIMIT = 4000
ACCESSIBLE, TEXT = "org.a11y.atspi.Accessible", "org.a11y.atspi.Text"
#: Numbers of AT-SPI's states.
STATES = {1: "active", 4: "checked", 7: "editable", 8: "enabled", 11: "focusable", 12: "focused", 24: "sensitive", 25: "showing", 30: "visible"}
#: Roles of what only holds others, and of what is drawn by GTK alone.
PLAIN, DRAWN = {"group", "widget", "list"}, {"scroll bar", "separator"}
found = []
events = []
bus = None


def connected():
    session = Gio.bus_get_sync(Gio.BusType.SESSION)
    address = session.call_sync("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", None, None, 0, 10_000).unpack()[0]
    flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
    return Gio.DBusConnection.new_for_address_sync(address, flags, None, None)


def call(one, interface, method, arguments=None):
    name, path = one
    answer = bus.call_sync(name, path, interface, method, arguments, None, 0, 4000)
    return answer.unpack()


def has(one, interface, property):
    try:
        return call(one, "org.freedesktop.DBus.Properties", "Get", GLib.Variant("(ss)", (interface, property)))[0]
    except GLib.Error:
        return None


def program(name):
    for one in call(("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root"), ACCESSIBLE, "GetChildren")[0]:
        if has(one, ACCESSIBLE, "Name") == name:
            return one
    return None


def text_of(one):
    count = has(one, TEXT, "CharacterCount")
    return call(one, TEXT, "GetText", GLib.Variant("(ii)", (0, count)))[0] if count else None


def described(one, depth):
    low, high = call(one, ACCESSIBLE, "GetState")[0]
    states = low | high << 32
    role = call(one, ACCESSIBLE, "GetRoleName")[0]
    # What only holds others says nothing; each question costs time.
    is_plain = role in PLAIN
    return {
        "depth": depth, "path": one[1], "role": role, "name": has(one, ACCESSIBLE, "Name"),
        "description": None if is_plain else has(one, ACCESSIBLE, "Description"), "text": None if is_plain else text_of(one),
        "states": [name for number, name in STATES.items() if states >> number & 1]}


def tree(name):
    """Every object of the program, from above to below."""
    found.clear()
    root = program(name)
    objects, waiting = [], [(root, 0)] if root else []
    while waiting and len(objects) < LIMIT:
        one, depth = waiting.pop(0)
        try:
            description = described(one, depth)
            children = [] if description["role"] in DRAWN else call(one, ACCESSIBLE, "GetChildren")[0]
        except GLib.Error:
            # It is gone by now.
            continue
        objects.append({"number": len(found), **description})
        found.append(one)
        waiting[:0] = [(child, depth + 1) for child in children]
    return objects


def asked(questions):
    """The answers to questions that are asked at once, in their order: nothing for one that got none."""
    answers, left = [None] * len(questions), len(questions)

    def answered(source, result, number):
        nonlocal left
        left -= 1
        try:
            answers[number] = source.call_finish(result).unpack()[0]
        except GLib.Error:
            # It is gone by now.
            pass

    for number, ((name, path), interface, method, arguments) in enumerate(questions):
        bus.call(name, path, interface, method, arguments, None, 0, 4000, None, answered, number)
    while left:
        GLib.MainContext.default().iteration(True)
    return answers


def glance(name):
    """What is seen of the program, in no order and without texts. It takes a quarter of the time of `tree`."""
    found.clear()
    root = program(name)
    objects, level = [], [root] if root else []
    while level and len(objects) < LIMIT:
        states = asked([(one, ACCESSIBLE, "GetState", None) for one in level])
        # GTK takes what is not visible for no part of the tree, but may not have done so yet.
        level = [one for one, state in zip(level, states) if state and (one == root or state[0] >> 30 & 1)]
        question = GLib.Variant("(ss)", (ACCESSIBLE, "Name"))
        names = asked([(one, "org.freedesktop.DBus.Properties", "Get", question) for one in level])
        children = asked([(one, ACCESSIBLE, "GetChildren", None) for one in level])
        for one, label in zip(level, names):
            objects.append({"number": len(found), "name": label})
            found.append(one)
        level = [tuple(child) for some in children for child in some or []]
    return objects


def focused(name):
    """What has the keyboard, by the fewest questions. The window that was opened last is looked at first."""
    root = program(name)
    windows = asked([(root, ACCESSIBLE, "GetChildren", None)])[0] if root else None
    for window in reversed(windows or []):
        level = [tuple(window)]
        while level:
            states = asked([(one, ACCESSIBLE, "GetState", None) for one in level])
            for one, state in zip(level, states):
                if state and state[0] >> 12 & 1:
                    try:
                        return {**described(one, 0), "extents": extents([one])[0]}
                    except GLib.Error:
                        # It is gone by now.
                        return None
            children = asked([(one, ACCESSIBLE, "GetChildren", None) for one in level])
            level = [tuple(child) for some in children for child in some or []]
    return None


def extents(objects):
    """Of each object the place in its window and the size: x, y, width, height."""
    # 1 is ATSPI_COORD_TYPE_WINDOW.
    question = GLib.Variant("(u)", (1,))
    return asked([(one, "org.a11y.atspi.Component", "GetExtents", question) for one in objects])


def places():
    """The extents of all that the last `tree` has, in its order."""
    return extents(found)


def act(number):
    return call(found[number], "org.a11y.atspi.Action", "DoAction", GLib.Variant("(i)", (0,)))[0]


def listen():
    """Asks for every event, as a screen reader does."""
    for name in ("object:", "window:", "focus:", "object:text-changed"):
        call(("org.a11y.atspi.Registry", "/org/a11y/atspi/registry"), "org.a11y.atspi.Registry", "RegisterEvent", GLib.Variant("(s)", (name,)))
    bus.signal_subscribe(None, None, None, None, None, 0, lambda *event: events.append((event[3], event[4], str(event[5].unpack()))))


def forget():
    """Drops what has been told so far."""
    heard("")
    events.clear()


def told(name, seconds=5):
    """Waits for the first event of one kind; answers when it came, or nothing."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        while GLib.MainContext.default().iteration(False):
            pass
        if any(event[1] == name for event in events):
            return time.monotonic()
        time.sleep(0.001)
    return None


def heard(name):
    """What has been told since, of one kind."""
    while GLib.MainContext.default().iteration(False):
        pass
    return [event for event in events if event[1] == name]


def heard_all():
    """What has been told since, of every kind."""
    heard("")
    return events


def main():
    global bus
    bus = connected()
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = globals()[request["do"]](*request["with"])
        except (GLib.Error, IndexError) as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)


main()

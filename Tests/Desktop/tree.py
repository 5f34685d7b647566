# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Prints what programs describe on the accessibility bus, one object a line, as JSON. Run by the system's Python, which has libatspi.

It is not how the product reads them, so that a test does not ask the product whether the product was right.
"""

import json

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

#: What a program may have of objects that a test is not about.
LIMIT = 1500


def describe(found):
    place = text = None
    if component := found.get_component_iface():
        place = component.get_extents(Atspi.CoordType.SCREEN)
        place = [place.x, place.y, place.width, place.height]
    if interface := found.get_text_iface():
        text = Atspi.Text.get_text(interface, 0, Atspi.Text.get_character_count(interface))
    states = [state.value_nick for state in found.get_state_set().get_states()]
    return {"role": found.get_role_name(), "name": found.get_name(), "place": place, "text": text, "states": states}


def main():
    Atspi.init()
    Atspi.set_timeout(1000, 3000)
    desktop = Atspi.get_desktop(0)
    waiting = [(desktop.get_child_at_index(index), 0) for index in range(desktop.get_child_count())]
    for _ in range(LIMIT):
        if not waiting:
            break
        found, depth = waiting.pop(0)
        try:
            print(json.dumps({"depth": depth, **describe(found)}), flush=True)
            children = [found.get_child_at_index(index) for index in range(min(found.get_child_count(), 100))]
        except (GLib.Error, AttributeError):
            continue
        waiting[:0] = [(child, depth + 1) for child in children if child]


main()

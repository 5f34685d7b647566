# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Where the panel is: on displays with many pixels, and on several monitors."""

import pytest

from desktop import Form
from installation import until

PANEL = (320, 112)


def field_of(form):
    """x, y, width, height of the name's field on the display, as the program itself has it."""
    form.tell("where")
    return tuple(map(int, form.target.read_text().split("\n")[4].split()))


def panel_at(desktop, form, near):
    """Waits until the panel is where a function of the field's place says; returns both."""
    def there():
        panel = desktop.panel()
        return panel and near(panel, field_of(form)) and (panel, field_of(form))

    try:
        return until(there, seconds=20)
    except AssertionError:
        raise AssertionError(f"panel {desktop.panel()}, field {field_of(form)}; said: {desktop.said()}") from None


def is_below(panel, field):
    return abs(panel[0] - field[0]) <= 4 and 0 <= panel[1] - (field[1] + field[3]) <= 8


def is_above(panel, field):
    return abs(panel[0] - field[0]) <= 4 and 0 <= field[1] - (panel[1] + panel[3]) <= 8


@pytest.mark.parametrize("program_scale", [1, 2])
def test_panel_is_drawn_twice_as_large_and_under_the_field(desktop, form_gtk3, program_scale):
    desktop.add()
    desktop.environment["GDK_SCALE"] = "2"
    desktop.fill_native_programs()
    desktop.environment["GDK_SCALE"] = str(program_scale)
    form = Form(desktop, form_gtk3)
    panel, _ = panel_at(desktop, form, is_below)
    assert panel[2:] == (2 * PANEL[0], 2 * PANEL[1])


@pytest.mark.parametrize("program_scale", [1, 2])
def test_panel_is_above_the_field_where_there_is_no_room_below(desktop, form_gtk3, program_scale):
    desktop.add()
    desktop.environment["GDK_SCALE"] = str(program_scale)
    desktop.fill_native_programs()
    form = Form(desktop, form_gtk3)
    panel_at(desktop, form, is_below)
    form.tell("focus-other")
    until(lambda: desktop.panel() is None, seconds=20)
    form.tell(f"at 100 {780 // program_scale}")
    until(lambda: field_of(form)[1] > 700, seconds=20)
    form.tell("focus-user")
    panel_at(desktop, form, is_above)


@pytest.fixture
def two_monitors(desktop):
    """Two monitors beside each other; the second one is lower and does not begin at the top."""
    for name, geometry, output in (("left", "640/160x900/220+0+0", "screen"), ("right", "640/160x500/120+640+200", "none")):
        done = desktop._run("xrandr", "--setmonitor", name, geometry, output)
        assert done.returncode == 0, done.stderr
    return desktop


@pytest.mark.parametrize("x, y, near", [
    (60, 80, is_below), (60, 780, is_above), (700, 260, is_below), (700, 560, is_above),
], ids=["left", "left below", "right", "right below"])
def test_panel_is_on_the_monitor_of_its_field(two_monitors, form_gtk3, x, y, near):
    desktop = two_monitors
    desktop.add()
    desktop.fill_native_programs()
    form = Form(desktop, form_gtk3)
    panel_at(desktop, form, is_below)
    form.tell("focus-other")
    until(lambda: desktop.panel() is None, seconds=20)
    form.tell(f"at {x} {y}")
    until(lambda: abs(field_of(form)[1] - y) < 100 and field_of(form)[0] >= x, seconds=20)
    form.tell("focus-user")
    panel_at(desktop, form, near)


def test_panel_does_not_reach_into_the_next_monitor(two_monitors, form_gtk3):
    desktop = two_monitors
    desktop.add()
    desktop.fill_native_programs()
    form = Form(desktop, form_gtk3)
    panel_at(desktop, form, is_below)
    form.tell("focus-other")
    until(lambda: desktop.panel() is None, seconds=20)
    form.tell("at 420 300")
    until(lambda: field_of(form)[0] >= 420, seconds=20)
    form.tell("focus-user")
    panel, _ = panel_at(desktop, form, lambda panel, field: 0 <= panel[1] - (field[1] + field[3]) <= 8)
    assert panel[0] + panel[2] <= 640

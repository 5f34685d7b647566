# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Forms of native programs on Wayland: found, offered, filled."""

import pytest

from desktop import Form
from installation import BINARIES, until
from test_native_forms import EMPTY, FILLED, bind
from test_programs import prepared, programs  # noqa: F401
from wayland import Sway, Weston


@pytest.fixture
def sway(tmp_path):
    with Sway(tmp_path) as made:
        yield made


@pytest.fixture
def weston(tmp_path):
    with Weston(tmp_path) as made:
        yield made


def fill(desktop, program, act):
    """Binds the account, then has a new window filled by it."""
    prepared(desktop)
    form = Form(desktop, program)
    bind(desktop, form)
    form.end()
    until(lambda: desktop.panel() is None, seconds=20)
    form = Form(desktop, program)
    desktop.wait_for_panel()
    if act == "keyboard":
        assert desktop._run(BINARIES / "latchkey", "desktop", "fill").returncode == 0
        desktop.wait_for_panel()
        desktop.key("Return")
    else:
        desktop.press_row(0)
    until(lambda: form.fields == FILLED, seconds=20)
    return form


ACTS = pytest.mark.parametrize("act", ["pointer", "keyboard"])


@ACTS
def test_form_of_gtk3_is_filled(sway, form_gtk3, act):
    fill(sway, form_gtk3, act)


@ACTS
def test_form_of_gtk4_is_filled(sway, programs, act):  # noqa: F811
    fill(sway, programs("gtk4"), act)


@pytest.mark.soak
@ACTS
@pytest.mark.parametrize("toolkit", ["qt5", "qt6"])
def test_form_of_qt_is_filled(sway, programs, toolkit, act):  # noqa: F811
    fill(sway, programs(toolkit), act)


@pytest.mark.soak
@ACTS
@pytest.mark.parametrize("toolkit", ["gtk3", "gtk4", "qt5", "qt6"])
def test_form_is_filled_where_there_are_no_layers(weston, programs, form_gtk3, toolkit, act):  # noqa: F811
    fill(weston, form_gtk3 if toolkit == "gtk3" else programs(toolkit), act)


def test_panel_is_a_layer_that_leaves_the_keyboard_to_the_program(sway, form_gtk3):
    prepared(sway)
    form = Form(sway, form_gtk3)
    x, y, width, _ = sway.wait_for_panel()
    assert abs(x + width // 2 - 640) <= 2 and 40 <= y <= 60
    sway.type("anna")
    until(lambda: form.fields[0] == "anna", seconds=20)
    assert sway.panel()
    assert sway.client.call("desktop.status")["surface"] == {"display": "wayland", "panel": "layer", "confined": True}
    assert "by gtk-layer-shell" in sway._run(BINARIES / "latchkey", "desktop", "status").stdout


@pytest.mark.soak
def test_key_that_was_meant_for_the_program_chooses_nothing_in_a_small_window(weston, form_gtk3):
    prepared(weston)
    form = Form(weston, form_gtk3)
    bind(weston, form)
    form.end()
    until(lambda: weston.panel() is None, seconds=20)
    form = Form(weston, form_gtk3)
    weston.wait_for_panel()
    assert weston.client.call("desktop.status")["surface"]["panel"] == "window"
    weston.key("Tab", "Return", "space")
    # Once something is chosen, the panel cannot be called.
    assert weston._run(BINARIES / "latchkey", "desktop", "fill").returncode == 0
    assert form.fields == EMPTY
    weston.wait_for_panel()
    weston.key("Return")
    until(lambda: form.fields == FILLED, seconds=20)

# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Forms of other toolkits, and real programs of Debian: found, offered, filled, or refused."""

import json
import pathlib
import re
import shutil
import subprocess

import pytest

from desktop import Form, built
from installation import PASSPHRASE, until
from test_native_forms import EMPTY, FILLED, bind, choose_in_the_list

TREE = pathlib.Path(__file__).parent / "tree.py"
TOOLKITS = {
    "gtk4": ("form_gtk4.c", "gtk4"), "qt5": ("form_qt.cpp", "Qt5Widgets"), "qt6": ("form_qt.cpp", "Qt6Widgets"),
}
SLOW = [pytest.param("qt5", marks=pytest.mark.soak), pytest.param("qt6", marks=pytest.mark.soak)]


@pytest.fixture(scope="session")
def programs(tmp_path_factory):
    """Builds the form of a toolkit once."""
    made = {}

    def program(toolkit):
        source, library = TOOLKITS[toolkit]
        if subprocess.run(["pkg-config", "--exists", library]).returncode != 0:
            pytest.skip(f"there is no {library} here; `scripts/install-dependencies desktop` installs it")
        if toolkit not in made:
            made[toolkit] = built(source, tmp_path_factory.mktemp(toolkit), [library])
        return made[toolkit]

    return program


@pytest.fixture(params=["gtk4", *SLOW])
def form_program(request, programs):
    return programs(request.param)


def switch_accessibility_on(desktop):
    """As the settings of a desktop do it. Qt 6 and Chromium describe nothing otherwise."""
    desktop._run(
        "gdbus", "call", "--session", "--dest", "org.a11y.Bus", "--object-path", "/org/a11y/bus", "--method",
        "org.freedesktop.DBus.Properties.Set", "org.a11y.Status", "IsEnabled", "<true>")


def prepared(desktop):
    switch_accessibility_on(desktop)
    desktop.add()
    desktop.fill_native_programs()
    return desktop


def place_on_screen(desktop, form, line, is_in_window):
    """Where the program itself says that a field is: x, y, width, height."""
    form.tell("where")
    x, y, width, height = map(int, form.target.read_text().split("\n")[line].split())
    if is_in_window:
        window, = desktop.windows("^Example server$")
        told = desktop._run("xwininfo", "-id", window).stdout
        x += int(re.search(r"Absolute upper-left X: +(-?\d+)", told)[1])
        y += int(re.search(r"Absolute upper-left Y: +(-?\d+)", told)[1])
    return x, y, width, height


# -- Toolkits --


@pytest.mark.parametrize("kind", ["", "headerbar"])
def test_panel_is_under_the_field_of_gtk4(desktop, programs, kind):
    prepared(desktop)
    form = Form(desktop, programs("gtk4"), kind)
    x, y, _, _ = desktop.wait_for_panel()
    left, top, width, height = place_on_screen(desktop, form, 3, is_in_window=True)
    # The text of a field is described, without the field's rim.
    assert left <= x <= left + 16 and top + height - 4 <= y <= top + height + 8


@pytest.mark.soak
@pytest.mark.parametrize("kind", ["", "buddies", "dialog"])
@pytest.mark.parametrize("toolkit", ["qt5", "qt6"])
def test_panel_is_under_the_field_of_qt(desktop, programs, toolkit, kind):
    prepared(desktop)
    form = Form(desktop, programs(toolkit), kind)
    x, y, _, _ = desktop.wait_for_panel()
    left, top, _, height = place_on_screen(desktop, form, 3, is_in_window=False)
    assert abs(x - left) <= 2 and abs(y - (top + height + 2)) <= 2
    bind(desktop, form)


@pytest.mark.parametrize("field", ["user", "password"])
def test_pointer_fills(desktop, form_program, field):
    prepared(desktop)
    form = Form(desktop, form_program)
    bind(desktop, form)
    form.end()
    form = Form(desktop, form_program)
    desktop.wait_for_panel()
    if field == "password":
        first = desktop.panel()
        form.tell("focus-password")
        until(lambda: desktop.panel() not in (None, first), seconds=20)
        desktop.wait_for_panel()
    desktop.press_row(0)
    until(lambda: form.fields == FILLED, seconds=20)
    # What is between the two and has no word for either is left alone.
    assert form.target.read_text().split("\n")[2] == ""


def test_keyboard_fills(desktop, form_program):
    prepared(desktop)
    form = Form(desktop, form_program)
    bind(desktop, form)
    form.end()
    form = Form(desktop, form_program)
    desktop.wait_for_panel()
    desktop.client.call("desktop.summon")
    desktop.wait_for_panel()
    desktop.key("Return")
    until(lambda: form.fields == FILLED, seconds=20)


@pytest.mark.parametrize("change", ["readonly", "hide", "insensitive", "close"])
def test_field_that_changes_between_the_choice_and_the_fill_gets_nothing(desktop, form_program, change):
    prepared(desktop)
    form = Form(desktop, form_program)
    bind(desktop, form)
    form.end()
    asked = len([line for line in desktop.asked() if line in ("GETPIN", "CONFIRM")])
    desktop.client.prefer(authentication="always")
    form = Form(desktop, form_program)
    desktop.wait_for_panel()
    desktop.answer("hold", PASSPHRASE)
    desktop.press_row(0)
    desktop.until_asked(asked + 1)
    form.tell(change)
    desktop.let_go()
    until(desktop.panel, seconds=20)
    assert form.fields == EMPTY


# -- Real programs --


class Program:
    """A program with folders of its own, driven as a user does: what it shows is found by its name, and pressed."""

    def __init__(self, desktop, name, *arguments, **environment):
        if not shutil.which(name):
            pytest.skip(f"there is no {name} here; `scripts/install-dependencies desktop` installs it")
        self.desktop = desktop
        home = desktop.folder / f"home of {name}"
        home.mkdir(exist_ok=True)
        folders = {f"XDG_{kind}_HOME": home / kind.lower() for kind in ("CONFIG", "DATA", "CACHE", "STATE")}
        variables = {"HOME": home, **folders, **environment}
        self.process = desktop._spawn(
            "env", *[f"{key}={value}" for key, value in variables.items()], name, *arguments,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def objects(self):
        """What programs describe now, and show."""
        lines = self.desktop._run("/usr/bin/python3", TREE).stdout.splitlines()
        return [found for found in map(json.loads, lines) if "showing" in found["states"]]

    def find(self, role, name=None, number=0):
        def found():
            fitting = [one for one in self.objects() if one["role"] == role and name in (None, one["name"])]
            return fitting[number] if len(fitting) > number else None

        return until(found, seconds=40)

    def press(self, *what, **which):
        x, y, width, height = self.find(*what, **which)["place"]
        self.desktop.press(x + width // 2, y + height // 2)

    def end(self):
        self.process.kill()
        self.process.wait()


@pytest.fixture
def zenity(desktop):
    prepared(desktop)
    return lambda: Program(desktop, "zenity", "--password", "--username")


def test_zenity_is_filled_and_prints_what_was_filled(desktop, zenity):
    program = zenity()
    desktop.answer(PASSPHRASE)
    choose_in_the_list(desktop, "Tab")
    until(lambda: program.find("text")["text"] == FILLED[0], seconds=20)
    program.press("push button", "OK")
    assert program.process.communicate(timeout=20)[0] == "|".join(FILLED) + "\n"


def test_zenity_takes_the_passphrase_each_time_and_is_never_bound(desktop, zenity):
    for count in (1, 2):
        program = zenity()
        desktop.answer(PASSPHRASE)
        # The first button. In any other program it is "Fill, and Offer It Here from Now On".
        choose_in_the_list(desktop, "Tab")
        until(lambda: program.find("text")["text"] == FILLED[0], seconds=20)
        assert desktop.asked().count("GETPIN") == count
        assert desktop.client.call("apps.bindings") == {"bindings": []}
        program.end()


def open_filezilla(desktop):
    program = Program(desktop, "filezilla")
    # It greets until it has once been closed in good order.
    program.press("push button", "OK")
    until(lambda: not desktop.windows("^Welcome to FileZilla$"), seconds=20)
    # Host, user name, password, port.
    program.find("password text")
    program.press("text", number=1)
    return program


@pytest.mark.soak
@pytest.mark.parametrize("act", ["pointer", "keyboard"])
def test_filezilla_is_filled(desktop, act):
    prepared(desktop)
    program = open_filezilla(desktop)
    desktop.answer(PASSPHRASE)
    choose_in_the_list(desktop, "Tab")
    until(lambda: program.find("text", number=1)["text"] == FILLED[0], seconds=20)
    assert len(program.find("password text")["text"]) == len(FILLED[1])
    program.end()
    program = open_filezilla(desktop)
    desktop.wait_for_panel()
    if act == "keyboard":
        desktop.client.call("desktop.summon")
        desktop.wait_for_panel()
        desktop.key("Return")
    else:
        desktop.press_row(0)
    until(lambda: program.find("text", number=1)["text"] == FILLED[0], seconds=20)


@pytest.mark.soak
def test_xterm_has_no_panel(desktop, form_gtk3):
    prepared(desktop)
    Program(desktop, "xterm")
    desktop.wait_for_window("^xterm$")
    desktop.type("echo Password:")
    assert desktop.panel() is None and desktop.said() == ""
    # What fills is there and well.
    Form(desktop, form_gtk3)
    desktop.wait_for_panel()

# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Programs of Debian that ask for passwords: a mail client, and a chat and a password manager, which are left alone."""

import re
import subprocess

import pytest

from desktop import Form
from installation import PASSPHRASE, until
from test_native_forms import FILLED, choose_in_the_list
from test_programs import Program, prepared

pytestmark = pytest.mark.soak


def press_beside(program, label):
    """Presses the field to the right of a label."""
    x, y, width, height = program.find("label", label)["place"]
    program.desktop.press(x + width + 40, y + min(height, 30) // 2)


def is_filled(program):
    objects = program.objects()
    names = [one["text"] for one in objects if one["role"] == "text"]
    passwords = [len(one["text"]) for one in objects if one["role"] == "password text"]
    return FILLED[0] in names and len(FILLED[1]) in passwords


def fill_twice(desktop, open_form):
    """From the list with the passphrase, then from the panel by the pointer and by the keyboard."""
    program = open_form()
    desktop.answer(PASSPHRASE)
    choose_in_the_list(desktop, "Tab", "Tab")
    until(lambda: is_filled(program), seconds=20)
    program.end()
    for act in ("pointer", "keyboard"):
        until(lambda: desktop.panel() is None, seconds=20)
        program = open_form()
        desktop.wait_for_panel()
        if act == "keyboard":
            desktop.client.call("desktop.summon")
            desktop.wait_for_panel()
            desktop.key("Return")
        else:
            desktop.press_row(0)
        until(lambda: is_filled(program), seconds=20)
        program.end()


def test_claws_mail_is_filled(desktop):
    prepared(desktop)

    def receiving():
        program = Program(desktop, "claws-mail")
        for page in ("Welcome to Claws Mail", "About You"):
            program.find("label", page)
            program.press("push button", "Next")
        program.find("label", "Receiving mail")
        press_beside(program, "Username:")
        return program

    fill_twice(desktop, receiving)


def test_pidgin_is_refused_for_the_scripts_that_it_runs(desktop):
    prepared(desktop)
    # Programs of GTK 2 describe their windows by these two libraries.
    program = Program(desktop, "pidgin", GTK_MODULES="gail:atk-bridge")
    program.press("push button", "Add...")
    program.find("dialog", "Add Account")
    # The first protocol has no passwords, the second has.
    desktop.key("space", "Down", "Return")
    press_beside(program, "Password:")
    # Debian's runs plugins in Tcl, which may lie in the user's home.
    until(lambda: "pidgin has libtcl" in desktop.said(), seconds=20)
    assert desktop.panel() is None


def test_keepassxc_is_left_alone(desktop, form_gtk3):
    prepared(desktop)
    file = desktop.folder / "own.kdbx"
    passphrase = "a passphrase of its own\n"
    subprocess.run(["keepassxc-cli", "db-create", "-p", file], input=passphrase * 2, text=True, check=True, capture_output=True)
    program = Program(desktop, "keepassxc", file)
    program.press("password text")
    # By its name, unless its window with all of its hidden pages takes too long to be read; its first focus is on no field.
    until(lambda: re.search("password manager|too slowly|not a field", desktop.said()), seconds=20)
    assert desktop.panel() is None
    program.end()
    # What fills is there and well.
    Form(desktop, form_gtk3)
    desktop.wait_for_panel()

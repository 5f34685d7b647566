# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Codes in native programs: of accounts that belong to the program, and from messages for their hosts. To any other program none."""

import pytest

from desktop import Form
from installation import PASSPHRASE, until
from test_native_forms import bind

SECRET = "otpauth://totp/files:me?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&period=30&digits=6"


def code_in(form):
    """What stands in the field for a code."""
    return form.target.read_text().split("\n")[1]


def offer(desktop, text):
    desktop.installation.latchkey("code", "offer", input=text.encode())


@pytest.fixture
def bound(desktop, form_gtk3):
    """A desktop on which the one account is bound to the program, and has codes."""
    desktop.client.call("items.add", items=[{
        "services": ["https://files.example.com"], "user": "me@example.com", "password": {"secret": "seventeen letters"},
        "authenticator": {"secret": SECRET}}])
    desktop.fill_native_programs()
    form = Form(desktop, form_gtk3)
    bind(desktop, form)
    form.end()
    return desktop


def test_code_of_the_bound_account_is_filled(bound, form_gtk3):
    bound.answer(PASSPHRASE)
    form = Form(bound, form_gtk3, "code")
    bound.wait_for_panel()
    bound.press_row(0)
    code = until(lambda: code_in(form), seconds=30)
    assert len(code) == 6 and code.isdigit()
    assert form.fields[0] == ""


def test_code_from_a_message_for_the_host_of_the_account_is_filled_once(bound, form_gtk3):
    offer(bound, "Your code is 482915\n\n@files.example.com #482915")
    bound.answer(PASSPHRASE)
    form = Form(bound, form_gtk3, "code")
    bound.wait_for_panel()
    bound.press_row(0)
    until(lambda: code_in(form) == "482915", seconds=30)
    form.end()
    # It is used up: the row that is left is that of the account.
    form = Form(bound, form_gtk3, "code")
    bound.wait_for_panel()
    bound.answer(PASSPHRASE)
    bound.press_row(0)
    assert until(lambda: code_in(form), seconds=30) != "482915"


def test_code_that_comes_while_the_panel_is_there_appears_in_it(desktop, form_gtk3):
    desktop.add()
    desktop.fill_native_programs()
    form = Form(desktop, form_gtk3)
    bind(desktop, form)
    form.end()
    form = Form(desktop, form_gtk3, "code")
    desktop.wait_for_panel()
    # The panel has no row yet, so this press does nothing.
    desktop.press_row(0)
    offer(desktop, "Your code is 482915\n\n@files.example.com #482915")
    desktop.answer(PASSPHRASE)

    def filled():
        if desktop.panel() and not desktop.windows("^Latchkey:"):
            desktop.press_row(0)
        return code_in(form)

    assert until(filled, seconds=30) == "482915"


def nothing_there(desktop, form):
    desktop.wait_for_panel()
    desktop.press_row(0)
    desktop.press_all()
    # "All Passwords…" says that a password is not what the field takes.
    desktop.wait_for_panel()
    assert code_in(form) == "" and not [line for line in desktop.log() if line["event"] == "released" and "code" in str(line)]


@pytest.mark.parametrize("text", ["Your code is 482915\n\n@files.example.com #482915", "Your code is 482915"])
def test_program_to_which_nothing_belongs_is_offered_no_code(desktop, form_gtk3, text):
    desktop.add()
    desktop.fill_native_programs()
    offer(desktop, text)
    form = Form(desktop, form_gtk3, "code")
    nothing_there(desktop, form)


def test_code_for_another_host_is_not_offered(bound, form_gtk3):
    offer(bound, "Your code is 482915\n\n@evil.example.net #482915")
    bound.answer(PASSPHRASE)
    form = Form(bound, form_gtk3, "code")
    bound.wait_for_panel()
    bound.press_row(0)
    assert until(lambda: code_in(form), seconds=30) != "482915"


def test_binding_that_is_taken_back_takes_the_codes_along(bound, form_gtk3):
    binding, = bound.client.call("apps.bindings")["bindings"]
    bound.client.call("apps.unbind", id=binding["id"])
    offer(bound, "Your code is 482915\n\n@files.example.com #482915")
    form = Form(bound, form_gtk3, "code")
    nothing_there(bound, form)


def test_code_that_expires_while_the_user_is_asked_is_not_filled(bound, form_gtk3):
    offer(bound, "Your code is 482915\n\n@files.example.com #482915")
    bound.answer("hold", PASSPHRASE)
    form = Form(bound, form_gtk3, "code")
    bound.wait_for_panel()
    asked = len([line for line in bound.asked() if line in ("GETPIN", "CONFIRM")])
    bound.press_row(0)
    bound.until_asked(asked + 1)
    binding, = bound.client.call("apps.bindings")["bindings"]
    bound.client.call("apps.unbind", id=binding["id"])
    bound.let_go()
    until(lambda: [line for line in bound.log() if line["event"] == "refused"], seconds=30)
    assert code_in(form) == ""

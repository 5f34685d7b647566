# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""What the app does at a lock, and whether a login unlocks."""

from app import unnamed
from installation import PASSPHRASE, secret, until

LOGIN = "the password of a login"



def turn(app, name, is_on=True):
    """Presses a switch, and waits until it shows that."""
    app.press(name, role="switch")
    until(lambda: ("checked" in app.wait_for(name, "switch")["states"]) == is_on)


def test_window_comes_back_locked_where_the_user_wants_it(app):
    app.client.call("items.add", items=[{"services": ["shiny.example.com"], "user": "rmondello", "password": secret("correct horse")}])
    app.start().section("AutoFill")
    turn(app, "Come Back Locked")
    app.client.call("lock")
    app.wait_for("Unlock")
    # The same process, and nothing in it of before.
    assert app.process.poll() is None
    assert not any("rmondello" in text for text in app.texts()) and not unnamed(app.tree())
    # The new window has no keyboard at first.
    until(app.focused)
    app.desktop.type(PASSPHRASE)
    app.desktop.key("Return")
    app.wait_for("shiny.example.com, rmondello")
    # It has its name on the bus again: a second start finds it.
    assert app.desktop._spawn(app.program).wait(timeout=20) == 0
    # And it is switched off by the same switch.
    app.section("AutoFill")
    turn(app, "Come Back Locked", False)
    app.client.call("lock")
    assert app.process.wait(timeout=20) == 0


def test_window_that_is_not_there_does_not_come_back(app):
    app.start().section("AutoFill")
    turn(app, "Come Back Locked")
    app.press("Close")
    assert app.process.wait(timeout=20) == 0
    app.start("--search", wait="Search Passwords")
    app.client.call("lock")
    assert app.process.wait(timeout=20) == 0


def state(app):
    return app.client.call("status").get("login", "off")


def enter(app, password, again):
    """Switches it on, and types the password of the login twice."""
    app.wait_for_switch("Unlock When You Log In", False)
    app.press("Unlock When You Log In", role="switch")
    for title, text in (("Login Password Needed", password), ("Login Password Once More", again)):
        app.wait_for(title)
        until(app.focused)
        app.desktop.type(text)
        app.desktop.key("Return")
        app.wait_until_gone(title)


def test_login_is_let_unlock_with_both_passwords(app):
    app.start().section("AutoFill")
    app.press("Unlock When You Log In", role="switch")
    app.wait_for("Login Password Needed")
    app.desktop.key("Escape")
    app.wait_until_gone("Login Password Needed")
    # One that is typed wrongly would let no login unlock, and say nothing.
    enter(app, LOGIN, LOGIN + "!")
    app.wait_for("The two passwords are not the same. Nothing was changed.")
    assert state(app) == "off"
    enter(app, LOGIN, LOGIN)
    app.wait_for("Passphrase Needed")
    app.desktop.key("Escape")
    app.wait_until_gone("Passphrase Needed")
    assert state(app) == "off"
    enter(app, LOGIN, LOGIN)
    app.prove()
    until(lambda: state(app) == "on")
    assert not unnamed(app.tree()) and LOGIN not in app.log
    app.wait_for_switch("Unlock When You Log In", True)
    app.press("Unlock When You Log In", role="switch")
    until(lambda: state(app) == "off")

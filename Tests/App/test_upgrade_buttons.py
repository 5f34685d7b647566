# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Passwords are changed at their services from the section Security, by the extensions of the services' apps."""

import pytest

from app import App, unnamed
from desktop import Desktop
from installation import secret, until
from system_apps import apps_of_the_system
from test_apps import HOST
from test_upgrade_all import Accounts
from test_upgrades import WEAK, World

UPGRADE = f"Upgrade the password of rmondello at {HOST}"


@pytest.fixture
def world(tmp_path, request):
    """A parameter makes the service."""
    with apps_of_the_system(is_alone=False):
        made = World.__new__(World)
        folder = tmp_path / "world"
        folder.mkdir()
        service = getattr(request, "param", lambda: None)()
        try:
            with Desktop(tmp_path, prepare=lambda installation: made.prepare(installation, folder, service)) as desktop:
                made.begin(desktop.client)
                # The site is asked about the app when the extension is enabled, and the section shows what is known when it is opened.
                until(lambda: any(one.get("extension") for one in desktop.client.call("upgrades.list")["accounts"]))
                # However short ago the passphrase was given.
                desktop.client.prefer(authentication="always")
                with App(desktop) as app:
                    made.window = app
                    yield made
        finally:
            made.close()


def begin(world):
    """Opens the section, and presses the button of the account."""
    app = world.window.start()
    app.section("Security")
    app.press(UPGRADE)
    app.wait_for("Upgrade This Password?")
    assert any(f"rmondello at {HOST}, by Shiny" in text for text in app.texts())
    return app


def agree(app):
    app.press("Upgrade Upgrade")
    app.prove()


def told(app, words):
    try:
        until(lambda: any(words in text for text in app.texts()), seconds=30)
    except AssertionError:
        raise AssertionError(f"{words!r} is not in {app.texts()}; log {app.log[-400:]!r}") from None


def test_one_press_and_the_passphrase_change_the_password_everywhere(world):
    app = begin(world)
    agree(app)
    told(app, f"The password of rmondello at {HOST} is a strong one now. The old one is in the account's history.")
    new = world.saved()
    assert world.service.accepts(new) and new != WEAK
    history = world.client.proven("items.history", id=world.client.call("items.list")["items"][0]["id"])
    assert WEAK in [change["password"]["secret"] for change in history["changes"]]
    assert not unnamed(app.tree())
    app.desktop.key("Escape")
    # The new password is strong, so nothing is recommended any more.
    app.wait_until_gone(UPGRADE)
    assert new not in app.log and WEAK not in app.log


def test_without_the_passphrase_nothing_is_changed(world):
    app = begin(world)
    app.press("Cancel Cancel")
    app.wait_until_gone("Upgrade This Password?")
    app.press(UPGRADE)
    app.press("Upgrade Upgrade")
    app.wait_for("Passphrase Needed")
    app.desktop.key("Escape")
    app.wait_until_gone("Passphrase Needed")
    assert not world.service.changes and world.saved() == WEAK


def test_refusal_of_the_service_is_told_in_its_words(world):
    world.service.trouble = "policy"
    app = begin(world)
    agree(app)
    told(app, "Your company's policy forbids it.")
    assert world.saved() == WEAK and world.service.accepts(WEAK)


@pytest.mark.parametrize("code, ends", [("123456", True), ("000000", False)])
def test_what_the_extension_asks_is_asked_before_the_window(world, code, ends):
    world.service.trouble = "code"
    app = begin(world)
    agree(app)
    app.wait_for("This is shown by Shiny.")
    assert not unnamed(app.tree())
    app.type("Code", code)
    app.desktop.key("Tab", "Return")
    if ends:
        told(app, "is a strong one now")
        assert world.service.accepts(world.saved()) and world.saved() != WEAK
        return
    until(lambda: len(world.service.changes) > 1)
    app.wait_for("This is shown by Shiny.")
    app.desktop.key("Escape")
    told(app, f"rmondello at {HOST}: ")
    assert world.saved() == WEAK and world.service.accepts(WEAK)


def test_change_that_nobody_knows_of_is_settled_by_the_user(world):
    world.service.trouble = "cut"
    app = begin(world)
    agree(app)
    told(app, f"rmondello at {HOST}: ")
    app.desktop.key("Escape")
    assert world.unsettled()
    app.press(f"The new password of rmondello at {HOST} works")
    app.prove()
    until(lambda: not world.unsettled())
    app.wait_until_gone("Not Settled")
    assert world.service.accepts(world.saved())


def test_several_passwords_are_changed_after_one_question(world):
    world.client.call("items.add", items=[{"services": [HOST], "user": "second", "password": secret(WEAK)}])
    app = world.window.start()
    app.section("Security")
    app.press("Upgrade All")
    app.wait_for("Upgrade 2 Passwords?")
    agree(app)
    # The service has one account; the other one's change is refused.
    told(app, "1 of 2 passwords are strong ones now.")
    told(app, f"second at {HOST}: ")
    assert world.service.accepts(next(c["newPassword"] for c in world.service.changes if c["user"] == "rmondello"))


@pytest.mark.parametrize("world", [Accounts], indirect=True)
def test_stopped_in_the_middle_the_others_are_left_alone(world):
    """The first change waits for a code; the user stops the rest, and gives it."""
    world.service.passwords["second"] = WEAK
    world.service.fates = {"rmondello": "code", "second": "code"}
    world.client.call("items.add", items=[{"services": [HOST], "user": "second", "password": secret(WEAK)}])
    app = world.window.start()
    app.section("Security")
    app.press("Upgrade All")
    agree(app)
    app.wait_for("This is shown by Shiny.")
    told(app, "1 of 2: ")
    app.press("Stop Stop")
    told(app, "The change that has begun goes on. The others are left alone.")
    [begun] = {change["user"] for change in world.service.changes}
    app.type("Code", "123456")
    app.desktop.key("Tab", "Return")
    told(app, "1 of 2 passwords are strong ones now.")
    told(app, "One was not begun.")
    assert {change["user"] for change in world.service.changes} == {begun}
    assert {user for user, password in world.service.passwords.items() if password == WEAK} == {"rmondello", "second"} - {begun}

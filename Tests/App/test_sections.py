# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""The sections Security, AutoFill and Activity, from end to end, and a window of 360 pixels."""

import shutil

import pytest

from app import unnamed
from installation import PASSPHRASE, secret, until
from test_first_steps import choose

WEAK = {"services": ["https://shiny.example.com"], "user": "rmondello", "password": secret("password1")}


@pytest.fixture
def weak(app):
    """The app with one account whose password everybody tries first."""
    app.client.call("items.add", items=[WEAK])
    return app.start()


def test_recommendation_says_why_and_is_hidden_and_shown_again(weak):
    weak.section("Security")
    weak.wait_for("This is one of the passwords that everybody tries first.")
    assert not unnamed(weak.tree())
    weak.press("Hide: rmondello at shiny.example.com")
    weak.wait_for("Nothing to Recommend")
    assert weak.client.call("recommendations.list")["recommendations"][0]["hidden"]
    weak.reach("Show Hidden")
    weak.desktop.key("space")
    weak.press("Show again: rmondello at shiny.example.com")
    until(lambda: not weak.client.call("recommendations.list")["recommendations"][0]["hidden"])


def test_recommendation_leads_to_its_account(weak):
    weak.section("Security")
    weak.press("Open the account rmondello at shiny.example.com")
    weak.wait_for("Show Password")


def test_autofill_is_switched_off_and_on(app):
    app.start().section("AutoFill")
    for wanted in (False, True):
        app.wait_for("Fill Passwords and Codes", "switch")
        app.reach("Fill Passwords and Codes")
        app.desktop.key("Return")
        until(lambda: app.client.call("status")["autoFill"] == wanted)


def test_preference_that_protects_less_takes_the_passphrase(app):
    app.start().section("AutoFill")
    app.client.call("preferences.set", lockOnSuspend=True)
    app.section("AutoFill")
    app.reach("Lock When the Computer Sleeps")
    app.desktop.key("Return")
    app.wait_for("Passphrase Needed")
    app.desktop.key("Escape")
    app.wait_until_gone("Passphrase Needed")
    assert app.client.call("status")["preferences"]["lockOnSuspend"]
    app.wait_for_switch("Lock When the Computer Sleeps", True)
    app.reach("Lock When the Computer Sleeps")
    app.desktop.key("Return")
    app.prove()
    until(lambda: not app.client.call("status")["preferences"]["lockOnSuspend"])


def test_keyboard_stays_where_it_is_after_a_change(app):
    app.client.prefer(lockOnSuspend=False)
    app.start().section("AutoFill")
    name = "Lock When the Computer Sleeps"
    app.reach(name)
    app.desktop.key("Return")
    app.wait_for_switch(name, True)
    until(lambda: (app.focused() or {}).get("name") == name, seconds=60)


def test_site_that_is_not_taken_stays_in_its_field(app):
    app.start().section("AutoFill")
    app.type("Add a Site", "not a site")
    app.desktop.key("Return")
    until(lambda: [text for text in app.texts() if "not a site" in text], seconds=60)
    app.wait_for("Dismiss")
    until(lambda: [one for one in app.tree() if one["text"] == "not a site" and "editable" in one["states"]], seconds=60)
    assert app.client.call("never.list")["sites"] == []


def test_sites_that_are_never_asked_about_are_added_and_removed(app):
    app.start().section("AutoFill")
    app.type("Add a Site", "never.example.com")
    app.desktop.key("Return")
    app.press("Ask About never.example.com Again")
    until(lambda: not app.client.call("never.list")["sites"])
    assert not unnamed(app.tree())


def test_activity_shows_the_log_and_filters_it(weak):
    item = weak.client.call("items.list")["items"][0]["id"]
    weak.client.proven("items.reveal", id=item, purpose="copy")
    weak.section("Activity")
    weak.wait_for("The log is intact: no line is missing or was changed.")
    until(lambda: lines(weak))
    assert "rmondello at shiny.example.com" in lines(weak)[0] and "copy" in lines(weak)[0]
    # A line that comes while it is looked at is shown.
    weak.client.prefer(idleMinutes=0)
    until(lambda: [line for line in lines(weak) if line.startswith("Warning: A setting was made weaker")])
    weak.type("Search activity", "weaker")
    until(lambda: len(lines(weak)) == 1)
    assert not unnamed(weak.tree())


def lines(app):
    """The lines of the log that are described."""
    return [one["name"] for one in app.tree() if one["role"] == "list item" and " · " in (one["name"] or "")]


def test_window_of_360_pixels_shows_one_part_at_a_time(weak):
    [window] = weak.desktop.windows("^Passwords$")
    weak.desktop.x("windowsize", "--sync", window, "360", "640")
    weak.press("Back")
    weak.wait_for("Sections")
    assert not weak.find("Search accounts") and not weak.find("Upgrade All")
    weak.section("All Accounts")
    weak.open("shiny")
    weak.wait_for("Show Password")
    size = weak.desktop.x("getwindowgeometry", "--shell", window)
    assert "WIDTH=360" in size, size


@pytest.mark.parametrize("ends", [False, True])
def test_new_latchkey_is_set_up_in_the_window(app, ends):
    installation = app.desktop.installation
    app.client.call("lock")
    installation.daemon.kill()
    installation.daemon.wait()
    for folder in (installation.data, installation.state):
        shutil.rmtree(folder, ignore_errors=True)
    installation.start()
    app.start(wait="New Passphrase")
    app.desktop.type("short")
    app.press("Set Up")
    app.wait_for("The passphrase needs at least 8 characters.")
    app.type("New Passphrase", PASSPHRASE)
    app.wait_for("Strong: nobody guesses it.")
    app.type("The Same Passphrase Again", PASSPHRASE)
    app.desktop.key("Return")
    app.wait_for("Your Recovery Code")
    assert not unnamed(app.tree())
    assert installation.client().hello["initialized"]
    # Going to another window and back leaves the code where it is.
    [window] = app.desktop.windows("^Passwords$")
    app.desktop.x("windowminimize", "--sync", window)
    app.desktop.x("windowactivate", "--sync", window)
    app.wait_for("Your Recovery Code")
    # It is shown once, so closing the window asks first.
    app.press("Close")
    app.wait_for("Close Without the Recovery Code?")
    app.desktop.key("Escape")
    app.wait_until_gone("Close Without the Recovery Code?")
    file = app.desktop.folder / "code.txt"
    app.press("Save to a File…")
    choose(app, file, "Save the Recovery Code")
    text = until(lambda: file.exists() and file.read_text(), seconds=60)
    assert file.stat().st_mode & 0o777 == 0o600
    if ends:
        # It is shown once, so the end of the daemon does not take it away.
        installation.daemon.kill()
        installation.daemon.wait()
        installation.start()
        assert app.process.poll() is None
    app.wait_for("Your Recovery Code")
    app.press("I Have Written It Down")
    app.wait_for("Latchkey Is Set Up")
    assert not unnamed(app.tree())
    app.press("Done")
    app.wait_for("Latchkey Is Locked" if ends else "No Accounts Yet")
    code = text.split("\n\n")[1].strip()
    app.client = installation.client()
    app.client.with_code("recover", recoveryCode=secret(code), newPassphrase=secret("six words that nobody knows"))

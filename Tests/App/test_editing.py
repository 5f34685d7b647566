# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""What is typed into the editor is lost by no key, and overwrites nothing that came from elsewhere; what is shown follows what is saved."""

import time

import pytest

from installation import secret, until
from test_accounts import PASSWORD, save
from test_quick_search import clipboard

TAGS = "Tags, with Commas between Them"


def item(app, identifier):
    return app.client.call("items.get", id=identifier)["item"]


def test_what_was_typed_is_not_thrown_away_by_one_key(app):
    app.start()
    app.press("Add Account")
    app.wait_for("Save")
    app.desktop.type("new.example.com")
    app.desktop.key("Escape")
    app.wait_for("Discard the Changes?")
    app.desktop.key("Escape")
    app.wait_until_gone("Discard the Changes?")
    # The editor has the keyboard again a moment later.
    until(lambda: app.desktop.x("getactivewindow", "getwindowname") == "Add Account", seconds=60)
    app.desktop.key("Escape")
    app.press("Discard Discard")
    app.wait_until_gone("Save")
    assert not app.client.call("items.list")["items"]


def test_editor_in_which_nothing_was_typed_closes_at_once(app):
    save(app)
    app.start().open("shiny")
    app.press("Edit Account")
    app.wait_for("Save")
    app.desktop.key("Escape")
    app.wait_until_gone("Save")
    assert not app.find("Discard the Changes?")


def test_what_was_changed_elsewhere_meanwhile_stays(app):
    identifier = save(app, tags=["old"])
    app.start().open("shiny")
    app.press("Edit Account")
    app.wait_for("Save")
    app.client.proven("items.edit", id=identifier, tags=["bank"], services=["https://shiny.example.com", "https://other.example.com"])
    app.type(TAGS, "old, home")
    app.press("Save")
    app.wait_until_gone("Save")
    now = item(app, identifier)
    assert sorted(now["tags"]) == ["bank", "home"], "one was added on each side, and one taken away"
    assert now["services"] == ["https://shiny.example.com", "https://other.example.com"]


def test_page_that_is_old_is_edited_as_it_is_saved_now(app):
    identifier = save(app)
    app.start().open("shiny")
    app.wait_for("Edit Account")
    app.client.call("items.edit", id=identifier, user="eliza")
    app.press("Edit Account")
    until(lambda: [one for one in app.tree() if one["text"] == "eliza" and "editable" in one["states"]], seconds=60)


@pytest.mark.parametrize("answer", ["Cancel", "Replace"])
def test_notes_are_replaced_after_a_question(app, answer):
    identifier = save(app, notes=secret("ten codes"))
    app.start().open("shiny")
    app.press("Edit Account")
    app.type("New Notes (empty keeps the old ones)", "one code")
    app.desktop.key("Return")
    app.wait_for("Replace the Notes?")
    if answer == "Cancel":
        app.desktop.key("Escape")
    else:
        app.press(f"{answer} {answer}")
    app.wait_until_gone("Replace the Notes?")
    if answer == "Replace":
        app.wait_until_gone("Save")
    notes = app.client.proven("items.get", id=identifier, notes=True)["item"]["notes"]
    assert notes == secret("one code" if answer == "Replace" else "ten codes")


def test_notes_are_taken_away(app):
    identifier = save(app, notes=secret("ten codes"))
    app.start().open("shiny")
    app.press("Edit Account")
    app.press("Take the Notes Away", role="switch")
    app.press("Save")
    app.wait_until_gone("Save")
    assert not app.client.proven("items.get", id=identifier, notes=True)["item"].get("notes", {}).get("secret")


def test_list_follows_what_is_saved_and_deleted_elsewhere(app):
    app.start()
    app.wait_for("No Accounts Yet")
    identifier = save(app)
    app.wait_for("shiny.example.com, rmondello")
    app.client.call("items.edit", id=identifier, user="eliza")
    app.wait_for("shiny.example.com, eliza")
    app.client.call("items.remove", id=identifier)
    app.wait_for("No Accounts Yet")
    app.section("Deleted")
    app.wait_for("shiny.example.com, eliza")


@pytest.mark.parametrize("section", ["AutoFill", "Activity", "Deleted"])
def test_account_is_opened_from_a_section_that_does_not_list_it(app, section):
    identifier = save(app)
    app.start().section(section)
    assert app.desktop._spawn(app.program, "--account", identifier).wait(timeout=60) == 0
    app.wait_for("Show Password")
    assert app.is_at("All Accounts")


def test_what_was_mended_is_not_recommended_any_more(app):
    identifier = save(app)
    app.client.call("items.edit", id=identifier, password=secret("password1"))
    app.start().section("Security")
    app.press("Open the account rmondello at shiny.example.com")
    app.press("Edit Account")
    app.press("Make a Strong Password")
    app.press("Save")
    app.wait_until_gone("Save")
    app.wait_for("Nothing to Recommend")


def test_code_that_follows_asks_nothing_by_itself(app):
    """With a passphrase for each release the next code takes another press; a question that nobody called would take what is typed."""
    save(app, authenticator=secret("otpauth://totp/Shiny:me?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&period=10"))
    app.client.prefer(authentication="always")
    app.start().open("shiny")
    app.press("Show Code")
    app.prove()
    app.wait_for("Hide Code")
    app.wait_for("Show Code")
    assert not app.find("Passphrase Needed")


def test_earlier_passwords_are_copied_and_not_kept(app):
    identifier = save(app)
    for password in ("another one", "a third one"):
        before = item(app, identifier)["modified"]
        # Each has a second of its own in the history.
        until(lambda: time.time() > before + 1)
        app.client.call("items.edit", id=identifier, password=secret(password))
    app.start().open("shiny")
    app.press("Show Earlier Passwords")

    def copies():
        return [one["number"] for one in app.tree() if (one["name"] or "").startswith("Copy the Password Used until")]

    # The newest of them comes first.
    number = until(lambda: len(found := copies()) == 2 and found, seconds=60)[0]
    app.ask("act", number)
    app.wait_for("The password is on the clipboard. It is cleared in 45 seconds.")
    assert clipboard(app) == "another one"
    # Both were listed; the press released one.
    assert [line["purpose"] for line in app.desktop.log() if line["event"] == "released"] == ["history"] * 3

# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""The section of all accounts, from end to end, as a screen reader and a keyboard use it."""

import pathlib
import re

import pytest

import saving_provider
from app import unnamed
from installation import PASSPHRASE, secret, until

PASSWORD = "Tr0ub4dor&3 horse!"
SPELLED = "capital T, r, 0, u, b, 4, d, o, r, ampersand, 3, space, h, o, r, s, e, exclamation mark"
LINK = "otpauth://totp/Shiny:me?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"


def save(app, user="rmondello", site="https://shiny.example.com", **more):
    item = {"services": [site], "user": user, "password": secret(PASSWORD), **more}
    return app.client.call("items.add", items=[item])["items"][0]["id"]


@pytest.fixture
def opened(app):
    """The app with one account open."""
    save(app, notes=secret("the street of my birth"), authenticator=secret(LINK))
    save(app, "eliza", "https://other.example.com")
    app.start().open("shiny")
    app.wait_for("Show Password")
    return app


def test_password_is_shown_by_a_press_and_read_out_by_another(opened):
    """S69: no password is on the accessibility bus before the user asks for it, and none after it is hidden."""
    opened.press("Show Password")
    opened.wait_for("Hide Password")
    assert not [text for text in opened.texts() if PASSWORD in text or SPELLED in text]
    opened.press("Read to Screen Reader")
    until(lambda: SPELLED in opened.texts())
    opened.press("Hide Password")
    opened.wait_for("Show Password")
    assert not [text for text in opened.texts() if PASSWORD in text or SPELLED in text]
    lines = [(line["event"], line["purpose"], line["user"]) for line in opened.desktop.log() if line["event"] == "released"]
    assert lines == [("released", "show", "rmondello")]


def test_notes_and_codes_are_shown_by_a_press_alone(opened):
    opened.press("Show Notes")
    opened.wait_for("Hide Notes")
    opened.press("Show Code")
    opened.wait_for("Hide Code")
    until(lambda: [text for text in opened.texts() if re.fullmatch(r"Good for \d+ seconds", text)])
    assert not [text for text in opened.texts() if "birth" in text or re.fullmatch(r"\d{6}", text)]


def test_preference_to_ask_each_time_is_kept(opened):
    opened.client.prefer(authentication="always")
    opened.press("Show Password")
    opened.wait_for("Passphrase Needed")
    opened.desktop.key("Escape")
    opened.wait_until_gone("Passphrase Needed")
    opened.press("Show Password")
    opened.wait_for("Passphrase Needed")
    opened.desktop.type("not this one")
    opened.desktop.key("Return")
    until(lambda: [text for text in opened.texts() if text.startswith("Wrong passphrase.")])
    opened.prove()
    opened.wait_for("Hide Password")


def test_another_account_hides_what_is_shown(opened):
    opened.press("Show Password")
    opened.wait_for("Hide Password")
    opened.open("eliza")
    opened.wait_for("other.example.com", "label")
    opened.wait_until_gone("Hide Password")


def test_account_is_added_changed_deleted_and_brought_back(app):
    app.start()
    app.press("Add Account")
    app.wait_for("Save")
    for text in ("new.example.com", "me@example.com", "typed by hand 7"):
        app.desktop.type(text)
        app.desktop.key("Tab")
    app.press("Save")
    app.wait_for("Show Password")
    [item] = app.client.call("items.list")["items"]
    assert (item["services"], item["user"]) == (["new.example.com"], "me@example.com")
    assert app.client.proven("items.reveal", id=item["id"])["password"] == secret("typed by hand 7")

    app.press("Edit Account")
    app.wait_for("Save")
    app.type("User Name", "other@example.com")
    app.press("Save")
    until(lambda: app.client.call("items.get", id=item["id"])["item"]["user"] == "other@example.com")
    # What was not touched stays.
    assert app.client.proven("items.reveal", id=item["id"])["password"] == secret("typed by hand 7")

    app.wait_until_gone("Save")
    app.press("Delete Account")
    until(lambda: not app.client.call("items.list")["items"])
    app.section("Deleted")
    app.open("other")
    app.press("Bring Back")
    until(lambda: app.client.call("items.list")["items"])


def test_return_that_is_held_down_saves_once(app):
    app.start()
    app.press("Add Account")
    app.wait_for("Save")
    for text in ("new.example.com", "me@example.com"):
        app.desktop.type(text)
        app.desktop.key("Tab")
    app.desktop.type("typed by hand 7")
    app.desktop.key("Return", "Return", "Return", "Escape")
    app.wait_for("Show Password")
    app.wait_until_gone("Save")
    assert len(app.client.call("items.list")["items"]) == 1


def test_account_without_a_site_is_not_saved(app):
    app.start()
    app.press("Add Account")
    app.wait_for("Save")
    app.press("Save")
    app.wait_for("Enter the website that the password is for, or a title.")
    assert not app.client.call("items.list")["items"]


def test_note_is_added_with_a_title_and_found_by_it(app):
    app.start()
    app.press("Add Account")
    app.wait_for("Save")
    app.type("Title", "Front Door")
    app.press("Save")
    app.wait_for("Enter a password or notes.")
    app.type("Notes", "left 12, right 7")
    app.press("Save")
    app.wait_until_gone("Save")
    app.wait_for("Show Notes")
    [item] = app.client.call("items.list")["items"]
    assert (item["title"], item["services"], item["user"], item["hasPassword"]) == ("Front Door", [], "", False)
    # What a note has not is not offered either.
    names = {one["name"] for one in app.tree()}
    assert not names & {"Show Password", "Copy Password", "Show Earlier Passwords", "Move to Another Provider"}
    app.press("Edit Account")
    app.wait_for("Save")
    app.type("Title", "Back Door")
    app.press("Save")
    until(lambda: app.client.call("items.get", id=item["id"])["item"]["title"] == "Back Door")
    app.wait_for("Back Door, Note")


def test_search_finds_by_words_of_site_and_user(app):
    for user, site in [("rmondello", "https://shiny.example.com"), ("eliza", "https://shiny.example.com"), ("eliza", "https://bank.example")]:
        save(app, user, site)
    app.start()
    app.type("Search accounts", "eliza shiny")
    until(lambda: [one["name"] for one in app.tree() if one["role"] == "list item" and ", " in one["name"]] == ["shiny.example.com, eliza"])
    app.type("Search accounts", "nobody")
    app.wait_for("Nothing Is Found")


def test_every_control_has_a_name(opened):
    opened.press("Show Password")
    opened.wait_for("Hide Password")
    assert not unnamed(opened.tree())
    opened.press("Edit Account")
    opened.wait_for("Save")
    assert not unnamed(opened.tree())


def test_keyboard_reaches_everything_and_comes_back(opened):
    opened.reach("Search accounts")
    names = set()
    for _ in range(60):
        opened.desktop.key("Tab")
        one = opened.focused()
        names.add(one and one["name"])
        if one and one["name"] == "Search accounts":
            break
    else:
        raise AssertionError(f"the keyboard does not come back; it was at {names}")
    assert {"Sort by", "Add Account", "Edit Account", "Delete Account", "Show Password", "Copy Password"} <= names


@pytest.mark.parametrize("section", ["All Accounts", "Activity"])
def test_tab_leads_out_of_a_long_list(app, section):
    """And not through each of its rows."""
    app.client.call("items.add", items=[
        {"services": [f"https://site{number}.example"], "user": "me", "password": secret(PASSWORD)} for number in range(60)])
    for item in app.client.call("items.list")["items"][:50]:
        app.client.call("items.reveal", id=item["id"], purpose="show")
    app.start().section(section)
    app.wait_for("Accounts" if section == "All Accounts" else "Activity", "list")
    app.reach("Search accounts" if section == "All Accounts" else "Search activity")
    first = app.focused()["name"]

    def way(key):
        """The names of what a key leads to, until it is back where it began."""
        passed = []
        while len(passed) < 40:
            app.desktop.key(key)
            one = app.focused()
            if one and one["name"] == first:
                return passed
            passed.append(one["name"] if one else "")
        raise AssertionError(f"{key} does not come back; it passed {passed}")

    # The list is one place of the way.
    for key in ("Tab", "shift+Tab"):
        assert sum("site" in name for name in way(key)) == 1, key


def test_copied_password_is_on_the_clipboard_and_marked(opened):
    opened.press("Copy Password")
    opened.wait_for("The password is on the clipboard. It is cleared in 45 seconds.")
    clipboard = ["xclip", "-selection", "clipboard", "-o"]
    assert opened.desktop._run(*clipboard).stdout == PASSWORD
    assert "x-kde-passwordManagerHint" in opened.desktop._run(*clipboard, "-t", "TARGETS").stdout
    assert [line["purpose"] for line in opened.desktop.log() if line["event"] == "released"] == ["copy"]


def test_passphrase_stays_off_the_accessibility_bus(app):
    """S69: neither what a field has nor what is told of each key says what is typed."""
    app.client.call("lock")
    app.start(wait="Passphrase")
    app.listen()
    app.desktop.type(PASSPHRASE[:12])
    assert PASSPHRASE[:12] not in "".join(app.texts())
    app.desktop.type(PASSPHRASE[12:])
    app.desktop.key("Return")
    app.wait_for("Search accounts")
    assert not app.heard("TextChanged")
    # What is told of a field that holds no secret is heard.
    app.type("Search accounts", "shiny")
    until(lambda: app.heard("TextChanged"))


def test_favorites_and_tags_are_set_found_and_chosen(app):
    save(app, "anna", "https://a.example", tags=["Work"])
    save(app, "ben", "https://b.example")
    app.start()
    app.wait_for("a.example, anna")
    app.open("b.example")
    app.reach("Favorite")
    app.desktop.key("space")
    app.wait_for("b.example, ben, favorite")
    app.press("Edit Account")
    app.type("Tags, with Commas between Them", "home, Work")
    app.desktop.key("Return")
    app.wait_until_gone("Tags, with Commas between Them")
    saved = {item["user"]: item for item in app.client.call("items.list")["items"]}
    assert saved["ben"]["favorite"] is True and saved["ben"]["tags"] == ["home", "Work"]
    assert saved["anna"]["favorite"] is False
    app.desktop.key("ctrl+f", "ctrl+a")
    app.desktop.type("work")
    until(lambda: {"a.example, anna", "b.example, ben, favorite"} <= set(app.texts()))
    app.desktop.key("ctrl+a")
    app.desktop.type("home")
    app.wait_until_gone("a.example, anna")
    app.desktop.key("ctrl+a", "BackSpace")
    app.wait_for("a.example, anna")
    # Down from "All" to "Favorites".
    app.reach("Show")
    app.desktop.key("space")
    app.wait_for("Favorites")
    app.desktop.key("Down", "Return")
    app.wait_until_gone("a.example, anna")
    app.wait_for("b.example, ben, favorite")
    app.reach("Favorite")
    app.desktop.key("space")
    app.wait_for("a.example, anna")


def test_account_is_moved_to_another_provider_after_a_question(app, tmp_path):
    enable_saver(app)
    identifier = save(app, notes=secret("the street of my birth"))
    app.start().open("shiny")
    app.press("Move to Another Provider")
    app.wait_for("Move to Another Provider?")
    app.press("Cancel Cancel")
    app.wait_until_gone("Move to Another Provider?")
    assert [item["id"] for item in app.client.call("items.list")["items"]] == [identifier]
    app.press("Move to Another Provider")
    app.press("Move to Saver Move to Saver")
    # The words of the search are still there. The provider is started for it.
    app.wait_for("Nothing Is Found", seconds=120)
    until(lambda: [row["provider"] for row in app.client.call("suggestions.list", url="https://shiny.example.com")["suggestions"]] == ["com.example.saver"])
    app.section("Deleted")
    app.wait_for("shiny.example.com, rmondello")


def test_account_for_exactly_its_hosts_is_not_moved(app):
    enable_saver(app)
    identifier = save(app, strict=True)
    app.start().open("shiny")
    app.press("Move to Another Provider")
    app.wait_for("This Account Is Not Moved")
    assert [item["id"] for item in app.client.call("items.list")["items"]] == [identifier]


def test_without_another_provider_nothing_is_moved(app):
    save(app)
    app.start().open("shiny")
    app.press("Move to Another Provider")
    app.wait_for("No other provider that is enabled saves passwords.")


def enable_saver(app):
    extensions = app.desktop.installation.data / "extensions"
    extensions.mkdir(mode=0o700, exist_ok=True)
    sample = pathlib.Path(__file__).parents[2] / "Examples/provider-python/Sample.appex"
    saving_provider.bundle(sample, extensions / "Saver.appex", "com.example.saver", "Saver")

    def stated():
        return next(one for one in app.client.call("providers.list")["providers"] if one["identifier"] == "com.example.saver")

    app.client.proven("providers.enable", identifier="com.example.saver", digest=stated()["digest"])
    until(lambda: stated()["identities"] == 0)

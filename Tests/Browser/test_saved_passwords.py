# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""The window of saved passwords: from the settings page to a form that is filled, and back."""

import json

import pytest

from browser import ORIGIN, eventually
from conftest import RMONDELLO
from latchkey import PASSPHRASE, Account

READY = "#interface:not(.waiting)"
BUTTON = "#interface button:text-is('{}')"


def settings(it):
    page = it.browser.context.new_page()
    page.goto(f"{ORIGIN}/windows/settings.html")
    page.wait_for_selector("#show-passwords")
    return page


def opened(it):
    page = settings(it)
    return it.browser.window("prompt", lambda: page.click("#show-passwords"))


def press(window, words: str, then: str | None = None) -> None:
    """Presses a button, and waits for the one that comes then."""
    window.bring_to_front()
    window.wait_for_selector(READY)
    window.click(BUTTON.format(words))
    if then:
        window.wait_for_selector(BUTTON.format(then))


def fill(window, **typed: str) -> None:
    for label, text in typed.items():
        window.locator("#interface").get_by_label(label.replace("_", " "), exact=True).fill(text)


def select(window, row: str) -> None:
    window.bring_to_front()
    window.wait_for_selector(READY)
    window.click(f"#interface [role=option]:has-text('{row}')")
    window.wait_for_selector(BUTTON.format("Edit"))


def saved(it) -> list[tuple[str, list[str]]]:
    return [(item["user"], item["services"]) for item in json.loads(it.latchkey.run("list", "--json"))]


def rows(window) -> list[str]:
    return window.locator("#interface [role=option]").all_inner_texts()


def test_an_account_is_added_offered_filled_edited_and_removed(start, site):
    it = start(accounts=[])
    window = opened(it)
    press(window, "Add Password", then="Save")
    fill(window, Site="shiny.example.com", User_name="anna", Password="typed by hand", Repeat_password="typed by hans")
    press(window, "Save")
    # What was typed is all there, also what nobody sees.
    window.wait_for_selector("#interface .message.bad")
    fields = [field.input_value() for field in window.locator("#interface input").all()]
    assert fields == ["shiny.example.com", "anna", "typed by hand", "typed by hans"] and saved(it) == []
    fill(window, Repeat_password="typed by hand")
    press(window, "Save", then="Done")
    window.wait_for_selector("#interface [role=option]")
    assert saved(it) == [("anna", ["shiny.example.com"])]
    it.page.bring_to_front()
    it.open("https://shiny.example.com/login")
    it.tap()
    it.filled(user="anna", password="typed by hand")

    select(window, "shiny.example.com")
    press(window, "Edit", then="Save")
    fill(window, User_name="berta", New_password="another one", Repeat_password="another one")
    press(window, "Save", then="Edit")
    window.wait_for_selector("text=User name: berta")
    it.page.bring_to_front()
    it.open("https://shiny.example.com/login")
    eventually(it.page, lambda: any("berta" in row for row in it.bar.texts()), "the new user name")
    it.tap()
    it.filled(user="berta", password="another one")

    press(window, "Remove…", then="Remove")
    press(window, "Keep", then="Remove…")
    assert saved(it) == [("berta", ["shiny.example.com"])]
    press(window, "Remove…", then="Remove")
    press(window, "Remove", then="Add Password")
    window.wait_for_selector("text=There is nothing here.")
    assert saved(it) == []
    it.closes(window, lambda: press(window, "Done"))


def test_the_list_is_searched_and_no_password_is_in_the_window(start, site):
    it = start(accounts=[RMONDELLO, Account("other.example.org", "zoë", RMONDELLO.password)])
    window = opened(it)
    window.wait_for_selector(READY)
    window.wait_for_selector("#interface [role=option]")
    assert len(rows(window)) == 2
    window.keyboard.type("ZOE")
    window.wait_for_selector("[role=listbox][aria-busy=false] [role=option][aria-label*='zoë']")
    assert len(rows(window)) == 1
    select(window, "other.example.org")
    # That the two have the same password is said; which one it is, nowhere.
    window.wait_for_selector("#interface .message:has-text('Another account has the same password.')")
    press(window, "Edit", then="Save")
    assert RMONDELLO.password not in window.content()
    assert [field.input_value() for field in window.locator("#interface input[type=password]").all()] == ["", ""]
    press(window, "Back", then="Edit")
    press(window, "Back", then="Add Password")
    window.wait_for_selector("#interface [role=option]")
    assert len(rows(window)) == 2 and RMONDELLO.password not in window.content()
    it.closes(window, lambda: window.keyboard.press("Escape"))


@pytest.mark.parametrize("is_given", [True, False], ids=["passphrase", "no"])
def test_it_opens_after_the_passphrase_where_that_is_asked_for(start, site, is_given):
    it = start()
    it.latchkey.run("preferences", "set", "--authentication", "always")
    page = settings(it)
    question = it.browser.window("prompt", lambda: page.click("#show-passwords"))
    question.wait_for_selector("#accept:not(.early)")
    assert question.inner_text("#title") == "Show your saved passwords?" and question.is_visible("#passphrase")
    assert "rmondello" not in question.content()
    if not is_given:
        it.closes(question, lambda: question.keyboard.press("Escape"))
        page.bring_to_front()
        page.wait_for_selector("#show-passwords")
        assert not [one for one in it.browser.context.pages if "/prompt.html" in one.url]
        return
    window = it.browser.window("prompt", lambda: it.accept(question, PASSPHRASE))
    window.wait_for_selector("#interface [role=option]")
    assert "shiny.example.com" in rows(window)[0]


def test_a_lock_takes_the_window_away(start, site):
    it = start()
    window = opened(it)
    window.wait_for_selector("#interface [role=option]")
    select(window, "shiny.example.com")
    it.latchkey.lock()
    eventually(it.page, window.is_closed, "the end of the window")
    page = it.browser.context.new_page()
    page.goto(f"{ORIGIN}/windows/settings.html")
    page.wait_for_selector("#unlock:not([hidden])")
    assert not page.is_visible("#show-passwords")

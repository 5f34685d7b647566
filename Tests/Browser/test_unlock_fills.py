# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""S71: a tap on "Unlock Latchkey…" fills the one account that fits once the passphrase is there, where the tap would have filled it unlocked."""

import pytest

from browser import eventually
from latchkey import PASSPHRASE, Account
from verdicts import nothing_released

LOGIN = "https://shiny.example.com/login"

def agreed(it, user: str = "rmondello", password: str = "correct horse battery") -> None:
    """In a browser that does not say what lies over a suggestion the user has said yes to the account here, before it was locked."""
    if not it.browser.says_what_covers:
        it.open(LOGIN)
        it.tap()
        it.filled(user=user, password=password)


def asked(it, address: str = LOGIN):
    """Locks, taps the row to unlock and returns the window that asks for the passphrase."""
    it.latchkey.lock()
    it.open(address)
    it.bar.wait("#unlock")
    prompt = it.browser.window("prompt", it.bar.click)
    it.must_be_proven()
    prompt.wait_for_selector("#accept:not(.early)")
    return prompt


def is_filled(it) -> None:
    """It is filled, and nothing more was asked."""
    eventually(it.page, lambda: it.values() == ["rmondello", "correct horse battery"], "the user name and the password in their fields")
    assert not [page for page in it.browser.context.pages if "/prompt.html" in page.url]


def is_shown_instead(it) -> None:
    """Nothing is filled, and the rows are there to choose from."""
    it.bar.wait("#row-0")
    it.browser.at_rest()
    nothing_released("fields after an unlock", *it.values())


@pytest.mark.main
def test_the_window_names_the_site_and_the_one_account_is_filled(start):
    it = start()
    agreed(it)
    prompt = asked(it)
    assert prompt.inner_text("#title") == "Unlock Latchkey to fill" and "shiny.example.com" in prompt.inner_text("#facts")
    it.accept(prompt, PASSPHRASE)
    is_filled(it)


@pytest.mark.main
def test_the_popup_fills_after_an_unlock_though_the_page_was_read_before_the_lock(start):
    it = start()
    agreed(it)
    it.open(LOGIN)
    it.bar.wait("#row-0")
    it.page.keyboard.press("Escape")
    it.bar.wait_until_gone()
    it.latchkey.lock()
    popup = it.browser.popup("document.querySelector('#unlock')?.innerText")
    prompt = it.browser.window("prompt", lambda: popup.press("Enter"))
    prompt.wait_for_selector("#accept:not(.early)")
    it.accept(prompt, PASSPHRASE)
    is_filled(it)


def test_S71_where_a_fill_would_be_asked_about_the_window_names_no_site(start):
    it = start()
    it.latchkey.run("preferences", "set", "--fills", "always", "--passphrase-file", it.latchkey.secret)
    prompt = asked(it)
    assert prompt.inner_text("#title") == "Unlock Latchkey"
    it.accept(prompt, PASSPHRASE)
    is_shown_instead(it)


def test_S71_where_the_browser_states_less_and_nothing_was_agreed_to_the_rows_are_shown(start):
    it = start()
    if it.browser.says_what_covers:
        pytest.skip("this browser states all")
    it.accept(asked(it), PASSPHRASE)
    is_shown_instead(it)


@pytest.mark.attack
def test_S71_of_two_accounts_the_user_chooses(start):
    it = start(accounts=(Account("shiny.example.com", "rmondello", "correct horse battery"), Account("shiny.example.com", "second", "another")))
    if not it.browser.says_what_covers:
        for user, secret in (("rmondello", "correct horse battery"), ("second", "another")):
            it.open(LOGIN)
            it.bar.grow()
            it.tap([user in text for text in it.bar.texts()].index(True))
            it.filled(user=user, password=secret)
    it.accept(asked(it), PASSPHRASE)
    is_shown_instead(it)


@pytest.mark.attack
def test_S71_another_unlock_ends_the_wish(start):
    it = start()
    agreed(it)
    prompt = asked(it)
    it.latchkey.unlock()
    if it.browser.says_what_covers:
        it.bar.wait("#row-0")  # in Firefox the bar has gone with the keyboard
    it.accept(prompt, PASSPHRASE)
    is_shown_instead(it)


@pytest.mark.attack
def test_S71_document_that_was_left_meanwhile_is_not_filled(start):
    it = start()
    agreed(it)
    prompt = asked(it)
    it.page.reload()
    it.accept(prompt, PASSPHRASE)
    it.browser.at_rest()
    nothing_released("fields of a page that was left", *it.values())


@pytest.mark.attack
def test_S71_field_that_was_covered_meanwhile_is_not_filled(start):
    it = start()
    agreed(it)
    prompt = asked(it)
    it.page.evaluate("""() => {
      const { left, top, width, height } = document.querySelector('#password').getBoundingClientRect();
      const cover = document.body.appendChild(document.createElement('div'));
      cover.style.cssText = `position: absolute; background: white; left: ${left + scrollX}px; top: ${top + scrollY}px; width: ${width}px; height: ${height}px`;
    }""")
    it.accept(prompt, PASSPHRASE)
    is_shown_instead(it)

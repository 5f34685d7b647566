# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""What the toolbar button and its popup say of a fill: that there was none, that it was half of one, and what waits meanwhile."""

import pytest

from browser import eventually
from conftest import RMONDELLO, SIGN_IN
from latchkey import Account
from test_saving import APPLICATION, asked

TITLE = "chrome.tabs.query({ active: true, lastFocusedWindow: true }).then(([tab]) => chrome.action.getTitle({ tabId: tab.id }))"
BADGE = "chrome.tabs.query({ active: true, lastFocusedWindow: true }).then(([tab]) => chrome.action.getBadgeText({ tabId: tab.id }))"
NOTE = "document.querySelector('#note').textContent"


def worker(it):
    return it.browser.worker()


def says(it, words):
    eventually(it.page, lambda: words in worker(it).evaluate(TITLE), words)


@pytest.mark.parametrize("act, words", [
    ("document.querySelector('form').style.display = 'none'", "nothing was filled"),
    ("document.querySelector('#password').style.opacity = 0", "not all of it was filled")], ids=["nothing", "half"])
def test_fill_that_was_none_or_half_of_one_is_said(start, site, act, words):
    it = start(fake=True)
    page = it.open("https://shiny.example.com/elsewhere")
    prompt = it.browser.window("prompt", it.bar.click)
    page.evaluate(act)
    it.accept(prompt)
    says(it, words)
    assert it.values()[1] == "" and worker(it).evaluate(BADGE) == "!"


def test_fill_that_was_whole_says_nothing(start, site):
    it = start(fake=True, trusting=True)
    it.open("https://shiny.example.com/login")
    it.bar.click()
    it.filled()
    it.browser.round_trip()
    assert (worker(it).evaluate(TITLE), worker(it).evaluate(BADGE)) == ("Latchkey", "")


def test_question_that_waits_is_marked_in_the_tab_that_was_filled_before(start, site):
    it = start()
    site.page("/session", "yes")
    page = it.open(site.page("/app", APPLICATION))
    it.tap()
    it.filled()
    # For a while a fill is made good against a page that undoes it.
    it.browser.round_trip()
    page.fill("#password", "another one")
    window = asked(it, lambda: page.press("#go", "Enter"))
    page.bring_to_front()
    eventually(page, lambda: worker(it).evaluate(BADGE) == "?", "the mark")
    says(it, "a question waits")
    it.closes(window, lambda: window.click("#cancel"))
    eventually(page, lambda: (worker(it).evaluate(TITLE), worker(it).evaluate(BADGE)) == ("Latchkey", ""), "the end of the mark")


def test_row_that_is_marked_stays_marked_when_the_list_is_made_anew(start, site):
    it = start([Account("shiny.example.com", name, f"password of {name}") for name in ("aaron", "berta", "carla")])
    it.open("https://shiny.example.com/login", focus=None)
    popup = it.browser.popup("document.querySelector('#row-2') && document.querySelector('#list') === document.activeElement")
    marked = "document.querySelector('[aria-selected=true]')?.ariaLabel"
    popup.press("ArrowDown")
    wanted = popup.evaluate(marked)
    popup.evaluate("window.first = document.querySelector('#row-0'), document.querySelector('#settings').focus()")
    worker(it).evaluate("chrome.runtime.sendMessage({ type: 'changed' })")
    popup.wait("!first.isConnected && !!document.querySelector('#row-0')")
    assert popup.evaluate(marked) == wanted and popup.evaluate("document.querySelector('[aria-selected=true]').id") == "row-1"
    # What the user has gone to keeps the focus.
    assert popup.evaluate("document.activeElement.id") == "settings"
    # One more comes above it: it is the account that stays marked, not the place.
    it.latchkey.add(Account("shiny.example.com", "aaa", "another one"))
    worker(it).evaluate("chrome.runtime.sendMessage({ type: 'changed' })")
    popup.wait("!!document.querySelector('#row-3')")
    assert popup.evaluate(marked) == wanted


def test_list_begins_anew_with_another_search(start, site):
    it = start([RMONDELLO, *(Account(f"site{number}.example.com", f"user{number}", "x") for number in range(4))])
    it.open("https://shiny.example.com/login")
    window = it.bar.open_list()
    window.wait_for_selector("#list[aria-busy=false] [role=option]")
    window.keyboard.press("ArrowDown")
    window.keyboard.press("ArrowDown")
    window.keyboard.type("user")
    window.wait_for_function("() => document.querySelectorAll('#list[aria-busy=false] [role=option]').length === 4")
    assert window.evaluate("() => [...document.querySelectorAll('[role=option]')].findIndex((row) => row.ariaSelected === 'true')") == 0


def test_reason_of_a_provider_is_shown_as_one_line_of_text(start, site):
    reason = "the vault is \u202ebusy\u2069 \n<b>now</b> " + "x" * 400
    shown = "The provider could not answer. The vault is busy <b>now</b> " + "x" * 20
    failure = {"code": 1000, "message": "The provider could not answer.", "data": {"reason": reason}}
    it = start(fake=True, failure=failure)
    page = it.open("https://shiny.example.com/login")
    it.bar.click()
    eventually(page, lambda: it.bar.texts()[0].startswith(shown), "the reason in the bar")
    assert len(it.bar.texts()[0]) <= len("The provider could not answer. ") + 300
    says(it, shown)
    popup = it.browser.popup("!!document.querySelector('#row-0')")
    popup.press("Enter")
    popup.wait(f"{NOTE}.startsWith({shown!r})")
    popup.press("Escape")
    # What else goes wrong is said as the daemon words it.
    it.latchkey.set(failure={"code": 6, "message": "Nothing was filled: no.", "data": {"reason": "no"}})
    popup = it.browser.popup("!!document.querySelector('#row-0')")
    popup.press("Enter")
    popup.wait(f"{NOTE} === 'Nothing was filled: no.'")

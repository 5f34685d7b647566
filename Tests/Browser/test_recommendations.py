# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""A weak password that was filled is spoken of on the toolbar and in the popup, and nowhere that a page could see it."""

import json

import pytest

from calm import FRAMES
from browser import eventually
from conftest import SIGN_IN
from latchkey import Account

WEAK = Account("shiny.example.com", "rmondello", "Winter2019!")
STRONG = Account("shiny.example.com", "rmondello", "rWibMFACxAUGZmxhVncy")
ROWS = "[...document.querySelectorAll('[role=option]')].map(row => row.ariaLabel)"
WATCHED = SIGN_IN + """<script>window.seen = [];
  new MutationObserver(list => seen.push('mutation')).observe(document, {subtree: true, childList: true, attributes: true});
  for (const type of ['blur', 'focus', 'message', 'toggle', 'resize', 'visibilitychange']) addEventListener(type, event => seen.push(type), true)</script>"""


def fill(it, site, account=WEAK):
    page = it.open(site.page("/watched", WATCHED), focus=None)
    popup = it.browser.popup("!!document.querySelector('#row-0')")
    popup.press("Enter")
    it.filled(password=account.password)
    return page


def test_weak_password_is_spoken_of_outside_the_page(start, site):
    it = start([WEAK])
    page = fill(it, site)
    comes(it)
    popup = it.browser.popup(f"document.querySelector('#change') && {ROWS}")
    assert any(row.startswith("Change Password…, shiny.example.com: Weak password: someone with enough time can guess it") for row in popup.shown)
    assert "guess" not in page.content()


def comes(it):
    """Waits for what is said of a password: it comes when the provider has judged it, and nothing that `quiet` asks waits for that."""
    eventually(it.page, lambda: it.browser.got("browser.recommendation"), "the recommendation")
    it.quiet()


def spoken_of(it):
    rows = it.browser.popup(f"document.querySelector('#row-0') && {ROWS}").shown
    return rows if any(row.startswith("Change Password…") for row in rows) else None


def test_strong_password_is_not(start, site):
    it = start([STRONG])
    fill(it, site, STRONG)
    it.quiet()
    assert spoken_of(it) is None


def test_pages_behave_alike_for_both(start, site):
    seen = []
    for account in (WEAK, STRONG):
        it = start([account])
        page = fill(it, site, account)
        it.quiet()
        seen.append(page.evaluate("seen"))
    assert seen[0] == seen[1]


def choose(it, title):
    """Chooses a row of the popup by keyboard."""
    popup = it.browser.popup(f"document.querySelector('#change') && {ROWS}")
    wanted = next(index for index, row in enumerate(popup.shown) if row.startswith(title))
    for _ in range(wanted):
        popup.press("ArrowDown")
    popup.press("Enter")
    return popup


def test_change_password_opens_a_tab_of_the_site(start, site):
    it = start([WEAK])
    quirks = it.latchkey.folder / "data/latchkey/quirks"
    quirks.mkdir(parents=True, exist_ok=True)
    address = "https://shiny.example.com/settings/password"
    (quirks / "change-password-URLs.json").write_text(json.dumps({"example.com": address}))
    it.latchkey.lock()
    it.latchkey.unlock()
    site.page("/settings/password", "<title>Change your password</title>")
    page = fill(it, site)
    eventually(page, lambda: spoken_of(it), "the recommendation")
    choose(it, "Change Password…")
    eventually(page, lambda: [tab for tab in it.browser.context.pages if tab.url == address], "the tab")


def test_page_of_another_site_is_not_opened(start, site):
    it = start([WEAK])
    quirks = it.latchkey.folder / "data/latchkey/quirks"
    quirks.mkdir(parents=True, exist_ok=True)
    (quirks / "change-password-URLs.json").write_text(json.dumps({"example.com": "https://shiny.example.org/password"}))
    it.latchkey.lock()
    it.latchkey.unlock()
    page = fill(it, site)
    eventually(page, lambda: spoken_of(it), "the recommendation")
    popup = choose(it, "Change Password…")
    eventually(page, lambda: "another site" in popup.evaluate("document.querySelector('#note').textContent"), "the reason")
    assert not any("example.org" in tab.url for tab in it.browser.context.pages)


def test_hidden_is_not_spoken_of_again(start, site):
    it = start([WEAK])
    page = fill(it, site)
    eventually(page, lambda: spoken_of(it), "the recommendation")
    choose(it, "Don't Warn About This Password")
    eventually(page, lambda: spoken_of(it) is None, "the end of the recommendation")
    fill(it, site)
    it.quiet()
    assert spoken_of(it) is None


def test_recommendation_outlives_a_code_and_a_fill_that_comes_to_nothing(start, site):
    it = start([WEAK])
    site.page("/code", """<!doctype html><title>Code</title><h1>Enter your security code</h1>
      <form><p><label>Code <input id="code" autocomplete="one-time-code" inputmode="numeric"></label><p><button>Continue</button></form>""")
    page = fill(it, site)
    eventually(page, lambda: spoken_of(it), "the recommendation")
    page.goto("https://shiny.example.com/code")
    it.latchkey.run("code", "offer", text="747723 is your Shiny code.\n\n@shiny.example.com #747723")
    popup = it.browser.popup("document.querySelector('#row-0')?.ariaLabel.startsWith('code for')")
    popup.press("Enter")
    it.becomes(lambda: page.input_value("#code") == "747723", "the code in its field")
    eventually(page, lambda: not popup.is_open(), "the end of the popup")
    assert any(row.startswith("Change Password…") for row in rows_of(it))
    # Nor does a row that cannot be filled take it back.
    page = it.open("https://shiny.example.com/watched", focus=None)
    popup = it.browser.popup("document.querySelector('#row-0')?.ariaLabel.startsWith('password for')")
    page.evaluate("document.querySelector('form').style.display = 'none'")
    popup.press("Enter")
    popup.wait("document.querySelector('#note').textContent.includes('nothing was filled')")
    popup.press("Escape")
    assert any(row.startswith("Change Password…") for row in rows_of(it))


def rows_of(it):
    popup = it.browser.popup(f"document.querySelector('[role=option]') && {ROWS}")
    popup.press("Escape")
    return popup.shown

# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""What a person does every day, counted: how many steps it takes, and how many questions.

A step is a click, a chord of keys or a secret typed (with the Return that ends it), from the moment at which the form or the popup is there; what is
typed to find an account is none. A question is a window or a notification that asks. No time is measured. The bounds are those of the best
password managers, with one question more where Firefox says less of what the user sees, once for each account.
"""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[1] / "Processes"))

from browser import eventually  # noqa: E402
from code_kit import Clock, Notifications  # noqa: E402
from conftest import RMONDELLO  # noqa: E402
from latchkey import PASSPHRASE, Account  # noqa: E402
from test_popup import FOUND_ROWS, SELECTED, Clipboard, type_in  # noqa: E402
from test_saved_passwords import READY, press, settings  # noqa: E402
from test_saving import SIGN_UP, items, pages, password, sign_in  # noqa: E402, F401

LOGIN = "https://shiny.example.com/login"


class Hand:
    """Does what a person does, and counts it."""

    def __init__(self, it):
        self.it, self.steps, self.asked = it, [], it.browser.got("browser.present")

    def does(self, step: str, act, *arguments):
        """One step; returns what comes of the act."""
        result = act(*arguments)
        self.steps.append(step)
        return result

    def costs(self, steps: int, questions: int = 0) -> None:
        """Checks how many steps were made, and how many questions were asked."""
        # A question that comes late counts too; a window that stays open keeps the worker at work.
        if not self.it.browser.context.pages[1:]:
            self.it.quiet()
        asked = self.it.browser.got("browser.present") - self.asked
        assert (len(self.steps), asked) == (steps, questions), self.steps


def known(it) -> None:
    """Has filled the account here before, as its owner has had it for long."""
    it.open(LOGIN)
    it.tap()
    it.filled()
    it.page.goto("about:blank")


@pytest.fixture
def notified(tmp_path):
    with Notifications(Clock(tmp_path)) as made:
        yield made


@pytest.fixture
def clipboard(tmp_path):
    made = Clipboard(tmp_path, True)
    yield made
    made.end()


def test_first_fill_on_the_very_site(start, site):
    it = start()
    it.open(LOGIN, focus=None)
    hand = Hand(it)
    hand.does("the field", it.page.click, "#user")
    if it.browser.says_what_covers:
        hand.does("the row", it.bar.click)
        it.filled()
        hand.costs(2)
    else:
        prompt = hand.does("the row", it.browser.window, "prompt", it.bar.click)
        prompt.wait_for_selector("#accept:not(.early)")
        hand.does("Fill", it.accept, prompt)
        it.filled()
        hand.costs(3, 1)


def test_fill(start, site):
    it = start()
    known(it)
    it.open(LOGIN, focus=None)
    hand = Hand(it)
    hand.does("the field", it.page.click, "#user")
    hand.does("the row", it.bar.click)
    it.filled()
    hand.costs(2)


def test_fill_while_locked(start, site):
    it = start()
    known(it)
    it.latchkey.lock()
    it.open(LOGIN, focus=None)
    hand = Hand(it)
    hand.does("the field", it.page.click, "#user")
    it.bar.wait("#unlock")
    prompt = hand.does("Unlock Latchkey…", it.browser.window, "prompt", it.bar.click)
    it.must_be_proven()
    prompt.wait_for_selector("#accept:not(.early)")
    hand.does("the passphrase", it.accept, prompt, PASSPHRASE)
    it.filled()
    hand.costs(3, 1)


def test_fill_by_keys_in_the_field(start, site):
    it = start()
    known(it)
    it.open(LOGIN)
    it.bar.arm()
    hand = Hand(it)
    hand.does("Down", it.page.keyboard.press, "ArrowDown")
    it.bar.wait("html.entered #filter:focus")
    # The keyboard is in the bar for half a second before a key in it counts.
    it.bar.rest(600)
    hand.does("Return", it.browser.press, it.page, "Enter")
    it.filled()
    hand.costs(2)


def test_fill_in_the_popup(start, site):
    it = start()
    known(it)
    it.open(LOGIN, focus=None)
    hand = Hand(it)
    popup = hand.does("the toolbar's button", it.browser.popup, SELECTED)
    hand.does("Return", popup.press, "Enter")
    it.filled()
    hand.costs(2)


def test_save_and_update(start, pages, notified):  # noqa: F811
    it = start(accounts=(), daemon=notified.environment)
    for count, (secret, button) in enumerate((("typed by hand", "Save"), ("another", "Update")), 1):
        hand = Hand(it)
        sign_in(it, "rmondello", secret)
        notified.shown(count)
        hand.does(button, notified.press, button, count)
        eventually(it.page, lambda: items(it) and password(it, "rmondello") == secret, "what was saved")
        # The notification is how the daemon's one question is shown; no window came with it.
        assert not [page for page in it.browser.context.pages if "/prompt.html" in page.url]
        hand.costs(1, 1)


def test_sign_up_with_a_strong_password(start, pages, notified):  # noqa: F811
    it = start(accounts=(), daemon=notified.environment)
    it.page.goto(pages.page("/join", SIGN_UP % ""))
    it.page.fill("#user", "me@example.com")
    hand = Hand(it)
    hand.does("the field for the new password", it.page.click, "#password")
    hand.does("Use Strong Password", it.bar.click)
    eventually(it.page, lambda: it.page.input_value("#again"), "the new password in its field")
    hand.does("the form's own button", it.page.click, "button")
    assert notified.shown()[0] == "Saved me@example.com at shiny.example.com."
    eventually(it.page, lambda: items(it), "the new account")
    hand.costs(3)


def test_copy_a_password_for_another_program(start, site, clipboard):
    it = start([RMONDELLO], daemon=clipboard.environment)
    site.page("/inside", "<h1>Signed in</h1>")
    it.open("https://shiny.example.com/inside", focus=None)
    hand = Hand(it)
    popup = hand.does("the toolbar's button", it.browser.popup, "document.querySelectorAll('#found .act').length === 2")
    hand.does("the button that copies", popup.evaluate, "document.querySelectorAll('#found .act')[1].focus()")
    popup.press("Enter")
    eventually(it.page, lambda: clipboard.clip.exists() and clipboard.clip.read_text() == RMONDELLO.password, "the password on the clipboard")
    hand.costs(2)


def test_find_a_site_and_open_it(start, site):
    it = start([RMONDELLO, Account("shiny.example.com/elsewhere", "anna", "x")])
    it.page.goto("about:blank")
    hand = Hand(it)
    popup = hand.does("the toolbar's button", it.browser.popup, "document.activeElement.id === 'search'")
    type_in(popup, "anna")
    popup.wait(f"{FOUND_ROWS}.length === 1")
    hand.does("Return", popup.press, "Enter")
    eventually(it.page, lambda: any(page.url == "https://shiny.example.com/elsewhere" for page in it.browser.context.pages), "the account's site")
    hand.costs(2)


def test_look_at_one_and_at_the_next(start, site):
    """The app for the desktop has its list beside the account; here the way back to the list is a step."""
    it = start([RMONDELLO, Account("other.example.net", "anna", "another one")])
    page = settings(it)
    hand = Hand(it)
    window = hand.does("Show Passwords…", it.browser.window, "prompt", lambda: page.click("#show-passwords"))
    # That window is what was wanted, and no question.
    hand.asked += 1
    for name, secret in (("shiny.example.com", RMONDELLO.password), ("other.example.net", "another one")):
        window.wait_for_selector(READY)
        hand.does(name, window.click, f"#interface [role=option]:has-text('{name}')")
        hand.does("Show", press, window, "Show")
        if secret == RMONDELLO.password:
            question = eventually(it.page, lambda: [one for one in it.browser.context.pages if "/prompt.html" in one.url and one != window], "the question")[0]
            question.wait_for_selector("#accept:not(.early)")
            hand.does("the passphrase", it.accept, question, PASSPHRASE)
        window.wait_for_selector(f"text={secret}")
        if secret == RMONDELLO.password:
            hand.costs(4, 1)
            hand = Hand(it)
            hand.does("Back", press, window, "Back", "Add Password")
    hand.costs(3)

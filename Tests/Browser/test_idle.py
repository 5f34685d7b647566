# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""S41: what a page does by itself does not put off the idle lock, and what the user does puts it off."""

import json

import pytest

from chromium import eventually
from latchkey import PASSPHRASE
from turned_clock import TurnedClock

#: Of the preference `idleMinutes`, as it is at first.
IDLE = 15


@pytest.fixture
def clock(tmp_path):
    return TurnedClock(tmp_path)


class Afternoon:
    """A page in the foreground, and the time that passes."""

    def __init__(self, it, clock):
        self.it, self.clock, self.minutes = it, clock, 0

    def moves_its_focus(self) -> None:
        """A script of the page moves the focus, and the extension tells the daemon of it."""
        for field in ("#password", "#user"):
            before = self.it.browser.sent("page.focused")
            self.it.page.evaluate("field => { document.activeElement.blur(); document.querySelector(field).focus(); }", field)
            eventually(self.it.page, lambda: self.it.browser.sent("page.focused") > before, "the focus")
        self.it.browser.at_rest()

    def passes(self, minutes: int, each=lambda: None) -> None:
        """Lets minutes pass, in each of which something happens."""
        for _ in range(minutes):
            each()
            self.minutes += 1
            self.clock.turn(60 * self.minutes)

    def is_locked(self) -> bool:
        # `status` itself is no act of the user's.
        return json.loads(self.it.latchkey.run("status", "--json"))["locked"]


@pytest.fixture
def afternoon(start, site, clock):
    it = start(daemon=clock.environment)
    it.open("https://shiny.example.com/login", focus=None)
    it.page.bring_to_front()
    return Afternoon(it, clock)


def test_S41_page_that_moves_its_focus_does_not_keep_latchkey_unlocked(afternoon):
    afternoon.passes(IDLE - 1, afternoon.moves_its_focus)
    assert not afternoon.is_locked()
    afternoon.passes(2, afternoon.moves_its_focus)
    eventually(afternoon.it.page, afternoon.is_locked, "the idle lock")


def test_S41_page_that_has_its_bar_drawn_again_and_again_does_not_keep_latchkey_unlocked(afternoon):
    def draws():
        afternoon.moves_its_focus()
        assert afternoon.it.bar.texts("#rows [role=option]")
        assert afternoon.it.browser.sent("renderer.suggestions") > 0

    afternoon.passes(IDLE - 1, draws)
    assert not afternoon.is_locked()
    afternoon.passes(2, afternoon.moves_its_focus)
    eventually(afternoon.it.page, afternoon.is_locked, "the idle lock")


@pytest.mark.parametrize("act", ["click", "keys"])
def test_S41_choice_of_the_user_keeps_latchkey_unlocked(afternoon, act):
    it = afternoon.it

    def choose():
        it.page.evaluate("for (const field of document.querySelectorAll('input')) field.value = ''")
        if act == "click":
            it.page.click("#user")
            it.tap()
        else:
            popup = it.browser.popup("!!document.querySelector('#row-0')")
            it.accept(it.browser.window("prompt", lambda: popup.press("Enter")), PASSPHRASE)
        it.filled()

    afternoon.passes(IDLE - 3)
    choose()
    # Beyond the time since the unlock, and not beyond that since the choice.
    afternoon.passes(IDLE - 3)
    assert not afternoon.is_locked()
    choose()
    afternoon.passes(IDLE - 3, afternoon.moves_its_focus)
    assert not afternoon.is_locked()
    afternoon.passes(5, afternoon.moves_its_focus)
    eventually(it.page, afternoon.is_locked, "the idle lock")

# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""S41: what a page does by itself does not put off the idle lock."""

import json

import pytest

from browser import eventually
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
            script = f"document.activeElement.blur(); document.querySelector('{field}').focus()"
            self.it.browser.by_itself(self.it.page, script)
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


@pytest.mark.chromium("what drives a page of Firefox counts as an act of the user from its beginning")
def test_S41_page_that_moves_its_focus_does_not_keep_latchkey_unlocked(afternoon):
    # The real time that this takes counts, too.
    afternoon.passes(IDLE - 4, afternoon.moves_its_focus)
    assert not afternoon.is_locked()
    afternoon.passes(5, afternoon.moves_its_focus)
    eventually(afternoon.it.page, afternoon.is_locked, "the idle lock")

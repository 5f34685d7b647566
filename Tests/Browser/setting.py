# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""One user of a test, and what that user does and waits for."""

import warnings
from pathlib import Path

from playwright.sync_api import Error

from bar import BUSY
from browser import Browser, eventually
from latchkey import PASSPHRASE
from verdicts import NotTried


#: Why the guard could not prove a press that the machine was too busy to carry in time.
LATE = ("late press", "no answer in time", "held up", "no press")

#: Whether a yes counts in the window of a question: the window has been in front for long enough, and has the keyboard.
READY = "() => document.hasFocus() && document.visibilityState === 'visible' && document.querySelector('main:not([hidden]) #accept:not(.early)')"
#: The same of the window of an interface.
READY_INTERFACE = "() => document.hasFocus() && document.visibilityState === 'visible' && document.querySelector('main:not([hidden]) #interface:not(.waiting)')"
#: What a window says that does not close.
STATE = "() => [document.hasFocus(), document.visibilityState, document.querySelector('#accept')?.className, document.body.innerText]"


def proven(made: list[dict]) -> list[dict]:
    """Those of some choices against which nothing speaks. Firefox does not say what lies over a bar; with the user's yes it is filled all the same."""
    return [choice for choice in made if choice["guard"]["held"] or choice["guard"]["reason"] == "not stated"]


class PressTooLate(UserWarning):
    """A test went on after a question that only a busy machine brings: each is listed at the end of the run."""


class Setting:
    """One user: a Latchkey and a browser, in a folder of their own."""

    def __init__(self, folder: Path, latchkey, browser: Browser):
        self.folder, self.latchkey, self.browser = folder, latchkey, browser
        self.page = browser.page
        self.bar = browser.bar()

    def open(self, address: str, focus: str | None = "#user"):
        self.page.goto(address)
        if focus:
            self.page.click(focus)
        return self.page

    def frame(self, name: str):
        """A frame of the page, by its name, which the browser tells a moment after the frame is there."""
        return eventually(self.page, lambda: self.page.frame(name=name), f"the frame {name}")

    def is_refused(self, before: int) -> bool:
        """Whether clicks chose nothing; `before` is how many choices there were before them."""
        return len(self.latchkey.received("renderer.choose")) == before

    def closes(self, window, act) -> None:
        """Does what closes a window, and waits until it has closed: that may be before the act is over."""
        try:
            act()
        except Error:
            eventually(self.page, window.is_closed, "the end of the window")
        eventually(self.page, window.is_closed, "the end of the window")

    def accept(self, prompt, passphrase: str | None = None) -> None:
        """Says yes in a prompt window, once it takes an answer, and waits until it has closed."""
        self._act_in(prompt, READY, "#accept", passphrase)

    def press(self, window, selector: str) -> None:
        """Presses what closes a window of an interface, once the window takes it, and waits until it has closed."""
        self._act_in(window, READY_INTERFACE, selector)

    def _act_in(self, window, ready: str, selector: str, passphrase: str | None = None) -> None:
        """Presses something once in a window that may close by itself meanwhile, and waits until it has closed.

        A press does not count before the window has been in front for a while. The window shows that by a state, which is waited for.
        """
        def said() -> str:
            return "" if window.is_closed() else f": {window.evaluate(STATE)}"

        try:
            if not window.evaluate("document.hasFocus()"):
                window.bring_to_front()
            window.wait_for_function(ready)
            if passphrase is not None:
                window.fill("#passphrase", passphrase)
            window.click(selector)
        except Error:
            if not window.is_closed():
                raise
        eventually(self.page, window.is_closed, "the end of the window", told=said)

    def tap(self, row: int = 0, passphrase: str | None = None, armed: bool = True) -> None:
        """Taps a row of the bar, and says yes where a window asks whether it was meant: to a late press, or at another place."""
        known = self._questions()
        self._press(row, armed)
        self._agree([one for one in self._answer_to_a_press() if one not in known], passphrase)

    def tap_and_agree(self, row: int = 0, passphrase: str | None = None, armed: bool = True) -> None:
        """Taps a row whose choice is asked about, and says yes."""
        self._agree([self.browser.window("prompt", lambda: self._press(row, armed))], passphrase)

    def _questions(self) -> list:
        return [page for page in self.browser.context.pages if "/prompt.html" in page.url and not page.is_closed()]

    def _answer_to_a_press(self) -> list:
        """The questions that are there once a press has been dealt with, as far as it can be without an answer."""
        def is_over():
            # A choice takes the bar away while the fields are looked at, before anything is asked.
            bars = self.bar.frames()
            return self._questions() or (not bars or not bars[-1].evaluate(BUSY)) and self.browser.is_calm()

        eventually(self.page, is_over, "what becomes of the press")
        return self._questions()

    def _agree(self, prompts: list, passphrase: str | None) -> None:
        for prompt in prompts:
            self._say_yes(prompt, passphrase)

    def _say_yes(self, prompt, passphrase: str | None) -> None:
        prompt.wait_for_selector("#accept:not(.early)")
        needs = prompt.locator("#passphrase").is_visible()
        self.accept(prompt, (passphrase or PASSPHRASE) if needs else None)

    def becomes(self, look, what: str) -> None:
        """Waits for what comes of a choice, which is asked about only where the browser does not say what covers the bar."""
        def answered():
            if self.may_be_asked():
                self.agree_to_a_late_press()
            return look()

        eventually(self.page, answered, what)

    def _press(self, row: int, armed: bool = True) -> None:
        self.bar.click(row, armed)

    def choose(self, row: int = 0) -> None:
        """Taps a row whose choice is asked about only where the browser does not say what covers the bar."""
        self._press(row)

    def quiet(self) -> None:
        """Waits until nothing that was begun goes on, neither in the extension nor in the daemon or its provider."""
        self.browser.at_rest()
        self.latchkey.pause()
        if self.page.url.startswith("http"):
            self.browser.round_trip(self.page)
        self.browser.at_rest()

    def toolbar(self) -> tuple[str, str]:
        """What the toolbar button says of the tab that is in front, and its mark."""
        return tuple(self.browser.worker().evaluate("""async () => {
          const [tab] = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
          return [await chrome.action.getTitle({ tabId: tab.id }), await chrome.action.getBadgeText({ tabId: tab.id })] }"""))

    def refuses(self) -> None:
        """Waits until the toolbar says that nothing came of a choice: so no value is on its way any more."""
        eventually(self.page, lambda: self.toolbar()[0] != "Latchkey", "what became of the choice")
        self.browser.at_rest()

    def received(self, method: str, count: int = 1) -> list[dict]:
        """The parameters of all requests of a method, once the stand-in for the daemon has got so many."""
        return eventually(
            self.page, lambda: (got := self.latchkey.received(method)) and len(got) >= count and got, f"{count} {method}")

    def values(self, *selectors: str, frame=None) -> list[str]:
        return [(frame or self.page).input_value(selector) for selector in selectors or ("#user", "#password")]

    def agree_to_a_late_press(self) -> None:
        """On a busy machine a press may arrive too late to be proven, and the guard then has the user asked outside of the page.

        Says yes to that question. It has no details; one that has any is asked for another reason and stays.
        """
        for window in self.browser.context.pages:
            if "/prompt.html" not in window.url or window.is_closed():
                continue
            try:
                if window.query_selector("main:not([hidden]) #details[hidden]") and not window.locator("#passphrase").is_visible():
                    warnings.warn("the guard asked outside of the page", PressTooLate)
                    self.accept(window)
            except Error:  # it has closed by itself
                pass

    def was_late(self) -> bool:
        """Whether the last press in a bar came too late to be proven."""
        if self.latchkey.is_real:
            return self.browser.unproven() in LATE
        chosen = self.latchkey.received("renderer.choose")
        return bool(chosen) and chosen[-1]["guard"].get("reason") in LATE

    def may_be_asked(self) -> bool:
        """Whether a fill of the user's may be asked about, though nothing is wrong with it."""
        return self.was_late()

    def must_be_proven(self) -> None:
        """Says that nothing was shown where a busy machine carried the last press too late to be proven."""
        if self.was_late():
            raise NotTried("the machine was too busy to carry the press in time")

    def filled(self, frame=None, user: str = "rmondello", password: str = "correct horse battery") -> None:
        """Waits until both fields hold what was chosen, and says yes to the question that a busy machine brings before it."""
        def look():
            if self.may_be_asked():
                self.agree_to_a_late_press()
            return (frame or self.page).evaluate(
                "([user, password]) => document.querySelector('#user')?.value === user && document.querySelector('#password')?.value === password",
                [user, password])

        eventually(self.page, look, f"{user} and the password in their fields")

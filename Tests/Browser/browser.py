# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""The browser that the tests are run in: what is the same in each, driven by Playwright.

`LATCHKEY_BROWSER` names it: chromium, or firefox. What a test needs and one of them lacks is a mark of that test; see conftest.py.
"""

import functools
import os
import shlex
import time
from abc import ABC, abstractmethod
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import BrowserContext, Error, Locator, Page

import calm

ROOT = Path(__file__).resolve().parents[2]
EXTENSION = Path(os.environ.get("LATCHKEY_EXTENSION", ROOT / "BrowserExtension"))
HOST = "org.latchkey.browser"
#: The browser in which the tests are run.
NAME = os.environ.get("LATCHKEY_BROWSER", "chromium")
#: The extension's own origin in each browser. Firefox makes one up for each profile; the tests state it.
ORIGINS = {"chromium": f"chrome-extension://{(EXTENSION / 'ID').read_text().strip()}", "firefox": "moz-extension://5e1f7a2c-0b64-4d58-9c3e-6a2d8f901b47"}
ORIGIN = ORIGINS[NAME]
HOLD = """() => {
  const { executeScript } = chrome.scripting;
  const held = new Promise((resolve) => { globalThis.release = resolve; });
  chrome.scripting.executeScript = async (...values) => { await held; return executeScript.apply(chrome.scripting, values); };
  globalThis.undo = () => { chrome.scripting.executeScript = executeScript; };
}"""

#: How long something may take to come, in seconds. On a quiet machine it is there at once; a busy one only makes it later.
PATIENCE = min(30, float(os.environ.get("LATCHKEY_PATIENCE", "30")))
#: Uncaught errors of the extension that are no fault: a part of each, and why.
BENIGN = {
    "after context unloaded": "Firefox says so itself of each question whose window, frame or page has gone; none of its scripts is left to catch it",
    "while context is inactive": "the same, where the user may still go back to the page",
    "'sha256-YjaKGiklmzC6wjXA513HAMmzus8VE61XCOT+SmwNZWA='": "the style `body {}`, by which Playwright waits for animations before it takes a picture",
}


def look_until_found(look, what: str, passing=(), pause=lambda: time.sleep(0.01), patience: float = PATIENCE, told=lambda: ""):
    """Looks until something is there, and returns it. A `passing` error means that it went away while it was looked at.

    Where it does not come, what is `told` says what was there instead.
    """
    deadline = time.monotonic() + patience
    while True:
        problem = None
        try:
            if found := look():
                return found
        except passing as error:
            problem = error
        if time.monotonic() > deadline:
            raise AssertionError(f"waited in vain for {what}{told()}") from problem
        pause()


def eventually(page: Page, look, what: str, patience: float = PATIENCE, told=lambda: ""):
    """Looks until something is there, while Playwright goes on."""
    return look_until_found(look, what, Error, lambda: page.wait_for_timeout(20), patience, told)


#: An element of a window of the extension in which a choice counts now.
COUNTS = "html:not(.arming)"


def fill_by_keys(field: Locator, text: str) -> None:
    """Types into a field as the user does: what Playwright fills in is a script's in Firefox."""
    field.focus()
    for key in "Control+A", "Delete":
        field.page.keyboard.press(key)
    field.page.keyboard.type(text)


class Closed(Exception):
    """The popup is not there any more."""


class Browser(ABC):
    """One browser with a profile of its own, and the extension in it."""

    #: Whether the browser says what covers a frame. Where it does not, no choice in a bar is known to be one.
    says_what_covers: bool
    profile: Path
    context: BrowserContext
    #: The first tab.
    page: Page

    @abstractmethod
    def bar(self, page: Page | None = None):
        """The suggestion bar of a page."""

    @abstractmethod
    def popup(self, shows: str = "document.readyState === 'complete'"):
        """Opens the toolbar popup over the page, as the keyboard shortcut does, and waits until it shows something."""

    @abstractmethod
    def targets(self, part: str) -> list[str]:
        """What runs of the extension, windows and frames and what is in the background, whose address holds a text."""

    @abstractmethod
    def worker(self):
        """The extension's background script, in which a test can look."""

    @abstractmethod
    def stop_worker(self) -> None:
        """Stops the background script as the browser does when it wants the memory back."""

    @abstractmethod
    def isolated_world(self, page: Page | None = None):
        """Returns a function that evaluates JavaScript in the world of the extension's content script."""

    @abstractmethod
    def by_itself(self, page: Page, script: str) -> None:
        """Runs a script in a page. What Playwright evaluates counts as an act of the user; this does not."""

    @abstractmethod
    def click(self, page: Page, x: float, y: float) -> None:
        """Clicks with the mouse, where what is clicked may go away with that."""

    @abstractmethod
    def mouse(self, page: Page, does: str, x: float, y: float) -> None:
        """Has the button of the mouse go `down` or `up` at a place, without waiting for the page, whose thread may be held up."""

    @abstractmethod
    def press(self, page: Page, key: str) -> None:
        """Presses a key whose frame may go away with that."""

    def begin_with(self, page: Page, script: str) -> None:
        """Has a tab run a script before those of its next document of the extension."""
        page.add_init_script(script)

    @abstractmethod
    def pin(self, is_on: bool) -> None:
        """Puts the button of the extension into the toolbar, or where the others are, as the user does."""

    @abstractmethod
    def assign_key(self, key: str) -> None:
        """Has a key open the popup, or none, as the user does."""

    def go_by_address(self, page: Page, address: str) -> None:
        """Goes to an address as one who types it into the address bar."""
        page.goto(address)

    @abstractmethod
    def uncaught(self) -> list[str]:
        """The errors that nothing in the extension has caught since this was last asked."""

    def faults(self) -> list[str]:
        """The uncaught errors of the extension that are faults of it."""
        return [error for error in self.uncaught() if not any(part in error for part in BENIGN)]

    def serve(self, command: list[str] | None, environment: dict) -> None:
        """Says what is started for the next connection of the extension: a native messaging host, or none.

        What the host writes beside its messages is kept in `host.log` of its user's state.
        """
        variables = " ".join(shlex.quote(f"{name}={value}") for name, value in environment.items())
        log = shlex.quote(str(Path(environment["XDG_STATE_HOME"]) / "host.log")) if "XDG_STATE_HOME" in environment else "/dev/null"
        words = f'exec /usr/bin/env -i {variables} {shlex.join(command)} "$@" 2>>{log}\n' if command else "exit 1\n"
        new = self.profile / "present.new"
        new.write_text(words)
        new.replace(self.profile / "present")

    def close(self) -> None:
        self.context.close()

    @contextmanager
    def holding(self):
        """Lets nothing more of the extension into a page, as on a busy machine, before what this gives is called."""
        worker = self.worker()
        worker.evaluate(HOLD)
        release = functools.partial(worker.evaluate, "globalThis.release()")
        try:
            yield release
        finally:
            release()
            worker.evaluate("globalThis.undo()")

    def listen(self) -> None:
        """Has the worker count what it begins, so that its end can be awaited."""
        self.worker().evaluate(calm.WORKER, calm.LIMIT)

    def at_rest(self) -> None:
        """Waits until nothing that the worker has begun goes on, and nothing that it has asked is unanswered."""
        eventually(self.page, self.is_calm, "the worker's rest")

    def is_calm(self) -> bool:
        """Whether nothing that the worker has begun goes on."""
        return self.worker().evaluate(calm.IS_CALM)

    def sent(self, method: str) -> int:
        """How many messages of a method the extension has sent."""
        return self.worker().evaluate(calm.SENT, method)

    def unproven(self) -> str:
        """Why the last choice in a bar was not proven by its press; empty where it was."""
        return self.worker().evaluate(calm.REASON)

    def got(self, method: str) -> int:
        """How many messages of a method have come to the extension."""
        return self.worker().evaluate(calm.GOT, method)

    def brought(self) -> int:
        """How often something was brought into a document."""
        return self.worker().evaluate(calm.BROUGHT)

    def round_trip(self, page: Page | None = None) -> None:
        """Waits until the extension has answered a page, and so what it was asked before; and until a fill of it is over."""
        self.isolated_world(page)(calm.ASK)

    def scripts(self, page: Page | None = None, part: int = 10) -> "Scripts":
        """Has the extension's scripts in the document that a page shows wait for a part of their time."""
        return Scripts(self, page or self.page, part)

    def window(self, name: str, act) -> Page:
        """Does something that opens a window of the extension, and returns that window."""
        before = list(self.context.pages)
        act()
        found = eventually(
            self.page, lambda: [page for page in self.context.pages if page not in before and f"/{name}.html" in page.url],
            f"the window {name}")[0]
        found.wait_for_load_state()
        if name == "picker":
            found.wait_for_selector(COUNTS)
        return found

    def questions(self) -> list[str]:
        """The questions about which no window opens by itself, by their names, until they have ended."""
        return self.worker().evaluate(calm.QUESTIONS)

    def bring_up(self, name: str) -> Page:
        """The window of such a question, as if the user had pressed its notification."""
        return self.window("prompt", lambda: self.worker().evaluate(calm.BRING_UP, name))

    def question(self, act) -> Page:
        """Does something that has the user asked, and returns the window of the question."""
        known, pages = set(self.questions()), list(self.context.pages)
        act()
        found = eventually(
            self.page, lambda: [page for page in self.context.pages if page not in pages and "/prompt.html" in page.url]
            or [name for name in self.questions() if name not in known], "a question")[0]
        if isinstance(found, str):
            return self.bring_up(found)
        found.wait_for_load_state()
        return found

    def close_windows(self) -> None:
        """Closes all windows and tabs but the first."""
        for page in self.context.pages:
            if page != self.page:
                page.close()


class Scripts:
    """The extension's scripts in one document."""

    def __init__(self, browser: Browser, page: Page, part: int):
        self.page = page
        self.evaluate = browser.isolated_world(page)
        self.evaluate(calm.SCRIPTS % part)

    def at_rest(self) -> None:
        """Waits until none of them waits for anything."""
        eventually(self.page, lambda: self.evaluate("waits === 0"), "the rest of the scripts")

    def looked(self, times: int = 8) -> None:
        """Waits until they have looked at elements so many more times."""
        before = self.evaluate("looks")
        eventually(self.page, lambda: self.evaluate("looks") >= before + times, "a look at the form")

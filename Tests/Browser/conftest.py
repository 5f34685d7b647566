# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0

import os
import shutil
import tempfile
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Error, sync_playwright

from chromium import EXTENSION, Chromium, eventually
from latchkey import PASSPHRASE, Account, FakeLatchkey, Latchkey
from site_server import Site

RMONDELLO = Account("shiny.example.com", "rmondello", "correct horse battery")

SIGN_IN = """<!doctype html><meta charset="utf-8"><title>Sign in to Shiny</title><h1>shiny.</h1>
<form action="/session" method="post">
<p><label>Username <input id="user" name="user" autocomplete="username"></label>
<p><label>Password <input id="password" name="password" type="password" autocomplete="current-password"></label>
<p><button>Log In</button></form>"""


@pytest.fixture(scope="session")
def playwright():
    with sync_playwright() as driver:
        yield driver


@pytest.fixture(scope="session")
def server():
    with tempfile.TemporaryDirectory(prefix="latchkey-site-") as folder:
        site = Site(Path(folder))
        yield site
        site.stop()


@pytest.fixture
def site(server):
    server.pages.clear()
    server.page("/login", SIGN_IN)
    return server


class Setting:
    """One user: a Latchkey and a browser, in a folder of their own."""

    def __init__(self, folder: Path, latchkey, browser: Chromium):
        self.folder, self.latchkey, self.browser = folder, latchkey, browser
        self.page = browser.page
        self.bar = browser.bar()

    def open(self, address: str, focus: str | None = "#user"):
        self.page.goto(address)
        if focus:
            self.page.click(focus)
        return self.page

    def closes(self, window, act) -> None:
        """Does what closes a window, and waits until it has closed: that may be before the act is over."""
        try:
            act()
        except Error:
            eventually(self.page, window.is_closed, "the end of the window")
        eventually(self.page, window.is_closed, "the end of the window")

    def accept(self, prompt, passphrase: str | None = None) -> None:
        """Says yes in a prompt window, once it takes an answer, and waits until it has closed."""

        def yes():
            if prompt.is_closed():
                return True
            try:
                prompt.wait_for_selector("#accept:not([disabled])", timeout=2_000)
                if passphrase is not None:
                    prompt.fill("#passphrase", passphrase, timeout=2_000)
                prompt.click("#accept", timeout=2_000)
                # A yes does not count in the moment in which the window comes to the front; one says it again.
                prompt.wait_for_selector("#accept:not([disabled])", timeout=2_000)
            except Error:
                pass
            return prompt.is_closed()

        eventually(self.page, yes, "the end of the prompt")

    def tap(self, row: int = 0, passphrase: str | None = None, armed: bool = True) -> None:
        """Taps a row of the bar and goes through the window that asks whether it was meant."""
        prompt = self.browser.window("prompt", lambda: self.bar.click(row, armed))
        prompt.wait_for_selector("#accept:not([disabled])")
        needs = prompt.locator("#passphrase").is_visible()
        self.accept(prompt, (passphrase or PASSPHRASE) if needs else None)

    def received(self, method: str, count: int = 1) -> list[dict]:
        """The parameters of all requests of a method, once the stand-in for the daemon has got so many."""
        return eventually(
            self.page, lambda: (got := self.latchkey.received(method)) and len(got) >= count and got, f"{count} {method}")

    def values(self, *selectors: str, frame=None) -> list[str]:
        return [(frame or self.page).input_value(selector) for selector in selectors or ("#user", "#password")]

    def filled(self, frame=None, user: str = "rmondello", password: str = RMONDELLO.password) -> None:
        """Waits until both fields hold what was chosen."""
        (frame or self.page).wait_for_function(
            "([user, password]) => document.querySelector('#user')?.value === user && document.querySelector('#password')?.value === password",
            arg=[user, password])


@pytest.fixture(scope="module")
def start_for_all(playwright, server):
    """Starts a Latchkey with accounts, and a browser beside it; all ends with the module."""
    with ExitStack() as ending:
        yield partial(begin, ending, playwright, server)


@pytest.fixture
def start(playwright, site):
    """Starts a Latchkey with accounts, and a browser beside it; all ends with the test."""
    with ExitStack() as ending:
        yield partial(begin, ending, playwright, site)


def begin(ending: ExitStack, playwright, site, accounts=(RMONDELLO,), fake: bool = False, extensions=(), shared=(), without=(),
          **state) -> Setting:
    """`without` names files that the extension lacks."""
    folder = Path(tempfile.mkdtemp(prefix="latchkey-test-"))
    ending.callback(shutil.rmtree, folder, ignore_errors=True)
    kind = FakeLatchkey if fake or os.environ.get("LATCHKEY_FAKE_ALL") else Latchkey
    latchkey = kind(folder, list(accounts), shared) if shared else kind(folder, list(accounts))
    ending.callback(latchkey.stop)
    if state:
        latchkey.set(**state)
    extension = EXTENSION
    if without:
        extension = shutil.copytree(EXTENSION, folder / "extension", ignore=lambda _folder, _names: without)
        assert all((EXTENSION / name).exists() for name in without)
    browser = Chromium(
        playwright, folder / "profile", latchkey.host, latchkey.environment, site.arguments(), extensions, extension)
    ending.callback(browser.close)
    return Setting(folder, latchkey, browser)

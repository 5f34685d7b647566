# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""What one worker of pytest has for all of its tests: a server, a browser that is put back after each, and homes to copy."""

import os
import shutil
import signal
import tempfile
import warnings
from collections import Counter
from contextlib import ExitStack, suppress
from pathlib import Path

from playwright.sync_api import Error, Playwright

from bidi import BidiError
from browser import EXTENSION, NAME, look_until_found
from chromium import Chromium
from desktop import Desktop, DesktopChromium
from firefox import Firefox, FirefoxSetting
from playwright_firefox import PlaywrightFirefox, PlaywrightFirefoxSetting
from latchkey import Account, FakeLatchkey, Latchkey, environment_in, pinentries, processes_of
from screen_reader import ScreenReader
from sealed_homes import SealedHomes
from setting import Setting
from shared_browser import SharedBrowser
from site_server import Site
from verdicts import must_hold

RMONDELLO = Account("shiny.example.com", "rmondello", "correct horse battery")
#: What is saved in so many tests that a home with it is kept; anything else is added to a copy.
USUAL = (RMONDELLO,)
#: What a user does in each browser.
SETTINGS = {"chromium": Setting, "firefox": PlaywrightFirefoxSetting}
#: How long what a test started may take to end, in seconds.
END = 20


class BrowserThrownAway(UserWarning):
    """A browser could not be put back after a test."""


class Workplace:
    """Begins settings, and ends them without a trace.

    The browser is lent to one setting at a time. A setting has a browser of its own where it begins while another one has the
    shared one, brings other extensions or a changed copy of this one, has a server of its own, or is that of a new user.
    """

    def __init__(self, playwright: Playwright, server: Site, folder: Path):
        self.playwright, self.server, self.folder = playwright, server, folder
        self.homes = SealedHomes(folder / "homes")
        #: The extension that the shared browser has.
        self.extension = EXTENSION
        self.browser: SharedBrowser | PlaywrightFirefox | None = None
        self.is_lent = False
        #: How often it was lent.
        self.lent = 0
        self.counts: Counter = Counter()

    def close(self) -> None:
        """Ends the shared browser; the next test that wants one starts another."""
        if self.browser:
            self.browser.close()
            self.browser, self.lent = None, 0

    def exchange(self, extension: Path) -> None:
        """Has another copy of the extension from now on."""
        self.extension = extension
        if self.browser and NAME == "chromium":
            self.browser.load(extension)

    def begin(self, ending: ExitStack, accounts=USUAL, fake: bool = False, extensions=(), shared=(), without=(), site: Site | None = None,
              new: bool = False, daemon: dict | None = None, **state) -> Setting:
        """Starts a Latchkey with accounts, and a browser beside it; both end with `ending`.

        `without` names files that the extension lacks, by their paths in it; `daemon` is in the daemon's environment alone, `state` is the
        stand-in's; with `new` Latchkey is set up by `latchkey init`.
        """
        site = site or self.server
        folder, latchkey = self._begin_latchkey(ending, tuple(accounts), fake, shared, new, daemon)
        if state:
            latchkey.set(**state)
        if not (self.is_lent or extensions or without or new or site is not self.server):
            return SETTINGS[NAME](folder, latchkey, self._lend(ending, latchkey))
        extension = self.extension
        if without:
            extension = shutil.copytree(extension, folder / "extension")
            for name in without:
                (extension / name).unlink()
        if NAME == "firefox":
            browser = PlaywrightFirefox(self.playwright, folder / "profile", latchkey.environment, site)
        else:
            browser = Chromium(
                self.playwright, folder / "profile", latchkey.host, latchkey.environment, site.arguments(), extensions, extension)
        ending.callback(self._end, browser)
        browser.serve(latchkey.command, latchkey.environment)
        if NAME == "firefox":
            for other in extensions:
                browser.install(other)
            browser.load(extension)
        browser.listen()
        self.counts["of their own"] += 1
        return SETTINGS[NAME](folder, latchkey, browser)

    def begin_in_firefox(self, ending: ExitStack, accounts=USUAL) -> FirefoxSetting:
        """Starts a Latchkey with accounts, and a Firefox beside it; both end with `ending`."""
        folder, latchkey = self._begin_latchkey(ending, tuple(accounts))
        browser = Firefox(folder / "profile", latchkey.environment, latchkey.command, self.server.port)
        ending.callback(browser.close)
        self.counts["Firefox"] += 1
        return FirefoxSetting(latchkey, browser)

    def begin_on_desktop(self, ending: ExitStack, manager: str, notifications: bool = True, accounts=USUAL, reader: type[ScreenReader] | None = None) -> Setting:
        """Starts a Latchkey with accounts, and a browser beside it on a desktop with a window manager; all end with `ending`.

        Unless there are `notifications`, nothing shows them. A screen `reader` is there before the browser is.
        """
        folder, latchkey = self._begin_latchkey(ending, accounts)
        desktop = Desktop(folder, latchkey.environment, manager, notifications)
        ending.callback(desktop.end)
        arguments = self.server.arguments()
        if reader:
            desktop.reader = reader(desktop)
            arguments = [*arguments, "--force-renderer-accessibility"]
        browser = DesktopChromium(desktop, self.playwright, folder / "profile", latchkey, arguments, self.extension)
        ending.callback(self._end, browser)
        self.counts["on desktops"] += 1
        return Setting(folder, latchkey, browser)

    def begin_firefox_on_desktop(self, ending: ExitStack, browser: type[PlaywrightFirefox], manager: str = "openbox") -> tuple[Desktop, PlaywrightFirefoxSetting]:
        """Starts a Latchkey with the usual account, and a Firefox of a class beside it on a desktop; all end with `ending`."""
        folder, latchkey = self._begin_latchkey(ending, USUAL)
        desktop = Desktop(folder, latchkey.environment, manager, False)
        ending.callback(desktop.end)
        shown = browser(self.playwright, folder / "profile", desktop.environment, self.server)
        ending.callback(self._end, shown)
        shown.serve(latchkey.command, latchkey.environment)
        shown.load(self.extension)
        shown.listen()
        self.counts["on desktops"] += 1
        return desktop, PlaywrightFirefoxSetting(folder, latchkey, shown)

    def _begin_latchkey(self, ending: ExitStack, accounts: tuple[Account, ...], fake: bool = False, shared=(), new: bool = False,
                        daemon: dict | None = None):
        """Starts a Latchkey in a folder of its own, and returns both; they end with `ending`."""
        folder = Path(tempfile.mkdtemp(prefix="latchkey-test-"))
        ending.callback(shutil.rmtree, folder, ignore_errors=True)
        ending.callback(self._see_end, folder)
        latchkey = self._latchkey(folder, accounts, fake, shared, new, daemon)
        ending.callback(latchkey.stop)
        return folder, latchkey

    def _latchkey(self, folder: Path, accounts: tuple[Account, ...], fake: bool, shared, new: bool, daemon: dict | None):
        if fake or os.environ.get("LATCHKEY_FAKE_ALL"):
            return FakeLatchkey(folder, list(accounts))
        if new:
            return Latchkey(folder, list(accounts), shared, more=daemon)
        kept = accounts if accounts == USUAL else ()
        return Latchkey(folder, list(accounts[len(kept):]), shared, home=self.homes.home(kept), more=daemon)

    def _lend(self, ending: ExitStack, latchkey) -> SharedBrowser | PlaywrightFirefox:
        if self.browser is None:
            place = Path(tempfile.mkdtemp(prefix="browser-", dir=self.folder))
            if NAME == "firefox":
                self.browser = PlaywrightFirefox(self.playwright, place / "profile", environment_in(place), self.server)
            else:
                self.browser = SharedBrowser(
                    self.playwright, place / "profile", environment_in(place), self.server.arguments(), self.extension)
            self.counts["shared"] += 1
        self.is_lent = True
        ending.callback(self._take_back)
        self.browser.serve(latchkey.command, latchkey.environment)
        if NAME == "firefox":
            self.browser.load(self.extension)
            # What its first-run page has asked is not the test's.
            latchkey.forget()
        self.browser.listen()
        return self.browser

    def _take_back(self) -> None:
        self.is_lent = False
        hosts = set(self.server.asked)
        self.server.asked.clear()
        faults = []
        try:
            faults = self.browser.faults()
            if NAME == "firefox":
                self.browser.reset()
            else:
                self.browser.reset(hosts)
            self.counts["put back"] += 1
            self.lent += 1
            if NAME == "firefox" and self.lent >= PlaywrightFirefox.lifetime:
                self.close()
        except (AssertionError, BidiError, Error, TimeoutError, ValueError) as error:
            self._throw_away(f"{type(error).__name__}: {error}")
        except BaseException:
            self._throw_away("the test was ended meanwhile")
            raise
        must_hold(not faults, f"not caught in the extension: {faults}")

    def _end(self, browser: Chromium | PlaywrightFirefox) -> None:
        """Ends a browser that was one test's own."""
        faults = []
        with suppress(BidiError, Error):  # the test has ended it
            faults = browser.faults()
        browser.close()
        must_hold(not faults, f"not caught in the extension: {faults}")

    def _throw_away(self, reason: str) -> None:
        """The next test gets a new browser."""
        browser, self.browser, self.lent = self.browser, None, 0
        self.counts["thrown away"] += 1
        warnings.warn(BrowserThrownAway(f"The worker's browser was thrown away, and a new one is started: {reason}"), stacklevel=2)
        with suppress(Error):
            browser.close()

    def _see_end(self, folder: Path) -> None:
        """Sees that nothing which a test started is left, and that it brought up no pinentry."""
        try:
            look_until_found(lambda: not processes_of(folder), "the end of what the test started", patience=END)
        except AssertionError:
            left = processes_of(folder)
            for process in left:
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
            raise AssertionError(f"still there after the test: {left}") from None
        assert not (asked := pinentries(folder)), f"a pinentry was started: {asked}"

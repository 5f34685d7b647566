#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""A page is filled in Chromium, in the home of a user who has set up Latchkey in the app: newcomer.py HOME EXTENSION PASSPHRASE

Tests/App starts it, in the environment of that user. What connects the browser is what the app has set up; nothing is added here.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

from playwright.sync_api import sync_playwright

sys.path.append(str(Path(__file__).parents[1]))

from browser import eventually  # noqa: E402
from chromium import Chromium  # noqa: E402
from conftest import SIGN_IN  # noqa: E402
from setting import Setting  # noqa: E402
from site_server import Site  # noqa: E402


class UsersChromium(Chromium):
    """The browser as its user has it: with the host program that was set up, and the extension from the folder that was named."""

    was_welcomed = False

    def connect(self, host, environment):
        pass


def main():
    home, extension, passphrase = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        site = Site(Path(folder))
        site.page("/login", SIGN_IN)
        browser = UsersChromium(playwright, home / ".config" / "chromium", None, dict(os.environ), site.arguments(), (), extension)
        it = Setting(home, SimpleNamespace(is_real=True), browser)
        # The extension's first page comes in front when it is there, whatever is in front then: a field that it covers is not filled.
        eventually(it.page, lambda: [page for page in browser.context.pages if "/welcome.html" in page.url], "the extension's first page")
        it.page.bring_to_front()
        it.open("https://shiny.example.com/login")
        it.tap(passphrase=passphrase)

        def answered():
            """Answers what is asked beside: a press that a busy machine carried late is asked about by itself, before the passphrase."""
            if it.was_late():
                it.agree_to_a_late_press()
            for window in browser.context.pages:
                if "/prompt.html" in window.url and not window.is_closed() and window.locator("#passphrase").is_visible():
                    it.accept(window, passphrase)
            return [it.page.input_value(field) for field in ("#user", "#password")] == ["rmondello", "seventeen letters"]

        try:
            eventually(it.page, answered, "the user name and the password in their fields")
        except AssertionError as failure:
            log = subprocess.run([home / ".local/bin/latchkey", "audit"], capture_output=True, text=True).stdout
            raise AssertionError(f"{failure}; windows {[page.url for page in browser.context.pages]}; log {log}") from None
        browser.close()
        site.stop()
    print("filled")


if __name__ == "__main__":
    main()

# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Firefox with the extension, as `devtools` has Chromium: one page, real input, nothing of this program in what is measured.

Playwright only sends what the user does and reads the marks that the page has made; all moments are taken in the browser.
"""

import time

from playwright.sync_api import sync_playwright

from playwright_firefox import PlaywrightFirefox


class Browser(PlaywrightFirefox):
    """One Firefox with the extension and a native messaging host, in a profile of its own."""

    #: It rounds the time for pages, against those that measure other things with it.
    preferences = {"privacy.reduceTimerPrecision": False}

    def __init__(self, folder, extension, host, environment, site):
        self.driver = sync_playwright().start()
        try:
            super().__init__(self.driver, folder / "profile", environment, site)
            self.serve([str(host)], environment)
            self.load(extension)
        except BaseException:
            self.driver.stop()
            raise

    def evaluate(self, expression):
        return self.page.evaluate(expression)

    def open(self, address):
        self.page.goto(address)

    def move(self, x, y):
        self.page.mouse.move(x, y)

    def click(self, x, y, rest=0):
        """A real mouse: it comes from beside the place, rests there for so many seconds, and the browser finds the frame below it."""
        if rest:
            self.move(x - 2, y)
            time.sleep(rest)
        self.move(x - 4, y)
        self.move(x, y)
        self.page.mouse.down()
        self.page.mouse.up()

    def extension_process(self):
        """The process that the extension's documents are in."""
        return self.system("() => ChromeUtils.requestProcInfo().then(({ children }) => children.find(({ type }) => type === 'extension').pid)")

    def close(self):
        super().close()
        self.driver.stop()

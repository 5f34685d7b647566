# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""The suggestion bar as the user meets it."""

from playwright.sync_api import Error, Page

import calm
from browser import ORIGIN, Browser, eventually

#: Whether the bar is at work for a click that counts: gathering evidence takes a while.
BUSY = "document.querySelector('[data-said=\"One moment…\"]') !== null"
#: The middle of an element, in its own viewport.
CENTRE = """selector => { const box = document.querySelector(selector)?.getBoundingClientRect();
  return box && box.width && [box.left + box.width / 2, box.top + box.height / 2] }"""
#: The same once the element is what a click there meets. A frame that has just been shown has no size of its own yet, and lays its
#: elements out beyond its edges: who clicks there clicks the page beside the bar.
MET = """selector => { const element = document.querySelector(selector), box = element?.getBoundingClientRect();
  const middle = box && [box.left + box.width / 2, box.top + box.height / 2];
  return middle && element.contains(document.elementFromPoint(...middle)) && middle }"""


class Bar:
    """The suggestion bar as the user meets it: a place on the screen, and what is written there."""

    #: Tells whether the frame is whole; takes whether it should be, for how long it has to be, and how long to wait for that, in milliseconds.
    watch: str

    def __init__(self, browser: Browser, page: Page):
        self.browser, self.page = browser, page

    def _all(self) -> list:
        return [frame for frame in self.page.frames if ORIGIN in frame.url and frame.url.split("#")[0].endswith("/bar.html")]

    def frames(self) -> list:
        return [frame for frame in self._all() if not self._is_spare(frame)]

    def spares(self) -> list:
        """Those that have no fields yet, and are drawn for nobody."""
        return [frame for frame in self._all() if self._is_spare(frame)]

    @staticmethod
    def _is_spare(frame) -> bool:
        try:
            return frame.evaluate("document.body?.hidden !== false")
        except Error:
            return True

    def wait(self, selector: str = "#rows > *"):
        """Waits until the bar is there and shows something; returns its frame."""
        return self._in_frame(lambda frame: frame if frame.query_selector(selector) else None, f"a bar with {selector}")

    def _in_frame(self, look, what: str):
        """What a look at the bar's frame finds. A bar may close, and another one open, at any time in between."""
        return eventually(self.page, lambda: (frames := self.frames()) and look(frames[-1]), what, told=self._told)

    def _told(self) -> str:
        """What is there instead of a bar: of each frame what it shows, and what the worker did last."""
        lines = ["; there is"]
        for frame in self.page.frames:
            try:
                lines.append(f"{frame.url}: {frame.evaluate(calm.SHOWN)}")
            except Error as error:
                lines.append(f"{frame.url}: {error.message[:200]}")
        return "\n  ".join(lines + self.browser.worker().evaluate(calm.JOURNAL))

    def wait_until_gone(self) -> None:
        eventually(self.page, lambda: not self.frames(), "the end of the bar")

    def is_absent(self) -> bool:
        """Whether no bar comes of what was done in the page."""
        # Requests of the same kinds as those that bring a bar, begun after them: once they are answered, so are those.
        self.browser.isolated_world(self.page)(calm.ASK_READ)
        self.page.evaluate(calm.FRAMES)
        return not self.frames()

    def texts(self, selector: str = "#rows > *") -> list[str]:
        read = "frame => [...document.querySelectorAll('#rows > *')].map(row => row.innerText)"
        found = self._in_frame(lambda frame: frame.query_selector(selector) and frame.evaluate(read), f"a bar with {selector}")
        return [text.replace("\n", " ").strip() for text in found]

    def box(self) -> dict:
        """Where the bar is in the viewport, by the browser's own layout; waits where it is just moving."""
        return self._in_frame(
            lambda frame: frame.query_selector("#rows > *") and frame.frame_element().bounding_box(), "a bar that is drawn")

    def arm(self):
        """Lets the time pass that the bar has to be visible before a choice in it counts; returns its frame."""
        return self._in_frame(
            lambda frame: frame if frame.query_selector("#rows > *") and frame.evaluate(self.watch, [True, 600, 3000])
            and frame.evaluate(calm.FRAMES) else None,
            "a bar that is whole and still")

    def rest(self, time: int = 1000) -> None:
        """Lets the pointer rest, for as long as the guard of a nested frame wants; the time is that of the frame or, without one, of the page."""
        frames = self.frames()
        (frames[-1] if frames else self.page).evaluate("time => new Promise((done) => setTimeout(done, time))", time)

    def is_broken(self, within: int) -> bool:
        """Whether the frame comes to know, within some milliseconds, that it is not seen as it is meant to be.

        The guard has an observer of its own, which may say so a tenth of a second later than the one that is looked at here.
        """
        try:
            frames = self.frames()
            return not frames or frames[-1].evaluate(self.watch, [False, 150, within])
        except Error:  # the bar has gone, which is as well
            return True

    def grow(self) -> None:
        """Has the bar be large, by a press on its key, and waits until it is."""
        def is_large(frame):
            return frame.evaluate("document.documentElement.classList.contains('large')")

        def key(frame):
            """The place of the key once the pointer is on it: a press on one that is not drawn yet is one on the page below it."""
            inner, box = frame.evaluate(MET, "#arrow"), frame.frame_element().bounding_box()
            if not inner or not box:
                return None
            place = box["x"] + inner[0], box["y"] + inner[1]
            self.page.mouse.move(place[0] - 3, place[1])
            self.page.mouse.move(*place)
            frame.evaluate(calm.FRAMES)
            return frame.query_selector("#arrow:hover") and place

        if is_large(self.wait()):
            return
        self.browser.click(self.page, *self._in_frame(key, "the pointer on the bar's key"))
        self._in_frame(is_large, "a large bar")

    def press(self, selector: str) -> None:
        """Presses something of the bar, once it counts."""
        self.arm()
        x, y = self._in_frame(lambda frame: self._place(frame, selector), f"{selector} of the bar")
        self.page.mouse.move(x - 3, y)
        self.browser.click(self.page, x, y)

    def open_list(self):
        """Opens the list of all passwords by the large bar, and returns its window."""
        self.grow()
        return self.browser.window("picker", lambda: self.press("#key"))

    def _place(self, frame, selector: str):
        """Where the middle of an element of the bar is in the viewport."""
        inner, box = frame.evaluate(CENTRE, selector), frame.frame_element().bounding_box()
        return inner and box and (box["x"] + inner[0], box["y"] + inner[1])

    def click(self, row: int = 0, armed: bool = True) -> None:
        """Clicks a row with the mouse, at the place where it is drawn; the small bar shows only the first."""
        if row:
            self.grow()
        if armed:
            self.arm()
        x, y = self._in_frame(lambda frame: self._place(frame, f"#rows > :nth-child({row + 1})"), f"row {row} of the bar")
        self.page.mouse.move(x - 6, y)
        self.browser.click(self.page, x, y)

    def was_early(self) -> bool:
        """Whether the bar says of the last press that it came too early."""
        try:
            frames = self.frames()
            return bool(frames) and frames[-1].evaluate("[...document.querySelectorAll('[data-said]')].some((row) => row.dataset.said.startsWith('Too early'))")
        except Error:  # the bar has gone, as it does when a choice in it counts
            return False

    def settle(self) -> None:
        """Waits until the daemon has heard of what was done in the bar: it answers a question that was asked after it."""
        try:
            if frames := self.frames():
                frames[-1].evaluate("chrome.runtime.sendMessage({type: 'suggestions'})")
        except Error:  # the bar has closed, as it does when a choice in it has been answered
            pass

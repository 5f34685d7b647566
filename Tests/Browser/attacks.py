# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""What attacks on the bar and the fields share.

An attack makes one attempt. It says `NotTried` where its condition was not there at the press; the runner then runs it again, alone.
The time of a press decides about that and about nothing else.
"""

import io

from PIL import Image
from playwright.sync_api import Error

import calm
from bar import BUSY
from browser import eventually
from conftest import SIGN_IN
from setting import proven
from verdicts import NotTried, nothing_released

#: A pause by the clock of the document or worker that it is run in.
PAUSE = "time => new Promise((done) => setTimeout(done, time))"
#: The clock that all documents of a machine share, in milliseconds.
NOW = "performance.timeOrigin + performance.now()"

#: Has the page keep a note of each press, as the bar may go with one: `made` is the input's own time, `met` is when a document got it,
#: `isWhole` is whether the bar was seen whole then, by an observer like that of its guard, and `isArming` whether its rows said that they do
#: not count yet.
KEEP = """() => {
  if (window.presses) return;
  window.presses = [];
  addEventListener('message', ({ data }) => { if (data?.press) presses.push(data.press); });
}"""
NOTE = """() => {
  if (globalThis.isNoting) return;
  globalThis.isNoting = true;
  const isBar = location.protocol.endsWith('-extension:');
  let isWhole = false;
  const see = (entries) => { for (const entry of entries) isWhole = entry.isVisible !== false && entry.intersectionRatio === 1; };
  const observer = new IntersectionObserver(see, { threshold: [0, 0.5, 0.9, 0.99, 1], trackVisibility: true, delay: 100 });
  if (isBar) observer.observe(document.documentElement);
  addEventListener('click', (event) => {
    see(observer.takeRecords());
    const isArming = isBar && document.documentElement.classList.contains('arming');
    const press = { made: performance.timeOrigin + event.timeStamp, met: performance.timeOrigin + performance.now(), isBar, isWhole, isArming };
    top.postMessage({ press }, '*');
  }, true);
}"""


#: Has the page note when a bar is first shown: before the browser draws it, and so before its guard can count.
AWAIT_BAR = """() => {
  window.came = Infinity;
  const look = () => {
    if (document.querySelector('[popover]:popover-open')) window.came = performance.timeOrigin + performance.now();
    else requestAnimationFrame(look);
  };
  look();
}"""


def pause(where, milliseconds: float) -> None:
    """Lets a time pass that is part of an attack, by the clock of a page, a frame or, while a page's thread is held up, a worker."""
    where.evaluate(PAUSE, milliseconds)


def now(where) -> float:
    """The time of the clock that presses are noted by."""
    return where.evaluate(NOW)


def choices(it) -> list[dict]:
    """The choices that the stand-in for the daemon has got."""
    return it.latchkey.received("renderer.choose")


def prompts(it) -> list:
    """The windows in which the user is asked."""
    return [page for page in it.browser.context.pages if "/prompt.html" in page.url and not page.is_closed()]


def middle(box: dict) -> tuple[float, float]:
    return box["x"] + box["width"] / 2, box["y"] + 18


def picture(it, box: dict) -> Image.Image:
    whole = Image.open(io.BytesIO(it.page.screenshot())).convert("RGB")
    # The corners are left out: what is behind them is the page's.
    return whole.crop((box["x"] + 12, box["y"] + 12, box["x"] + box["width"] - 12, box["y"] + box["height"] - 12))


def note_presses(it) -> int:
    """Has the page and all frames in it note from now on when a press meets them; returns how many notes there are."""
    it.page.evaluate(KEEP)
    for frame in it.page.frames:
        try:
            frame.evaluate(NOTE)
        except Error:  # it has just gone
            pass
    return it.page.evaluate("presses.length")


def presses(it) -> list[dict]:
    """All notes of presses so far."""
    return it.page.evaluate("window.presses ?? []")


def press_after(it, count: int) -> dict:
    """The first press that was noted after so many; waits until it is there."""
    try:
        return eventually(it.page, lambda: it.page.evaluate("count => window.presses?.[count]", count), "the note of a press")
    except AssertionError as error:
        raise NotTried("no document got the click: the bar came or went between its press and its release") from error


def click(it, x: float, y: float) -> dict:
    """Clicks once, and waits until the daemon has heard of it, if it ever will; returns the note of the press."""
    count = note_presses(it)
    it.page.mouse.move(x - 3, y)
    it.browser.click(it.page, x, y)
    press = press_after(it, count)
    heard(it)
    return press


def pressed_once(it, server):
    """A setting whose browser has carried a press into a bar; the first one of a browser waits for the thread of the page, which attacks hold up."""
    server.page("/login", SIGN_IN)
    it.open("https://shiny.example.com/login")
    it.bar.click()
    heard(it)
    return it


def heard(it) -> None:
    """Waits until the daemon has heard of what was done in the bar, if it ever will."""

    def is_over():
        bars = it.bar.frames()
        return prompts(it) or not bars or not bars[-1].evaluate(BUSY)

    eventually(it.page, is_over, "what becomes of a click that counts")
    it.bar.settle()
    # A question leaves the choice unanswered; without one, what the worker has begun ends.
    eventually(it.page, lambda: prompts(it) or it.browser.is_calm(), "the worker's rest")
    if not it.latchkey.is_real and (sent := it.browser.sent("renderer.choose")):
        it.received("renderer.choose", sent)


def nothing_came(it, before: int, frame=None) -> None:
    """Checks that a press which was heard of has released nothing and has filled nothing; `before` it there were so many choices."""
    nothing_released("choices for which the guard held", proven(choices(it)[before:]))
    nothing_released("the fields", it.values(frame=frame))


def chosen(it, act) -> dict:
    """Does one press in an armed bar or window, and returns the choice that came of it."""
    before = len(choices(it))
    act()
    eventually(it.page, lambda: len(choices(it)) > before or it.bar.was_early(), "the choice, or a word on it")
    if len(choices(it)) == before:
        raise NotTried("the bar changed just before the press, which was too early")
    return choices(it)[before]


def asked(it):
    """The window in which the user is asked, once it is there."""
    prompt = eventually(it.page, lambda: prompts(it), "the question")[0]
    prompt.wait_for_load_state()
    return prompt

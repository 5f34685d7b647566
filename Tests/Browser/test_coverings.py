# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""S38: a page that covers the bar where its own thread says nothing of it: by what the compositor moves while the thread is held up.

The daemon is a stand-in that releases
after any choice for which the guard held. So each covering ends in one of two ways: the guard does not hold, and the user is asked
outside the page; or the covering is `harmless`, and the bar looks as it did before, to the pixel.
"""

import time

import pytest
from PIL import ImageChops

from conftest import SIGN_IN
from test_clickjacking import choices, middle, picture

#: When a covering comes over the bar, and how long the thread is held up, in milliseconds after its beginning.
COMES, HELD, FREE = 1500, 1300, 4200

#: Each has a name, and whether it covers at all. What a page does in it stays away from the bar until `COMES`.
COVERINGS = {
    "popover that slides": ("over.popover = 'manual'; show(over); slide(over)", True),
    "popover=auto that slides": ("over.popover = 'auto'; show(over); slide(over)", True),
    "popover=hint that slides": ("over.popover = 'hint'; show(over); slide(over)", True),
}

#: What the page runs. A thread that is busy gets to its other tasks for a few milliseconds at a time.
RUN = """([body, thread, COMES, HELD, FREE]) => {
  const style = (text) => document.head.append(Object.assign(document.createElement('style'), {textContent: text}));
  // A popover has a backdrop, which lies over the bar from the start.
  style('#over::backdrop {display: none}');
  const inner = document.querySelector('iframe');
  const over = document.createElement('div');
  over.id = 'over';
  over.textContent = 'We use cookies';
  over.style.cssText = 'position: fixed; inset: 0; width: 100vw; height: 100vh; margin: 0; border: 0; padding: 0; z-index: 2147483647;'
    + 'pointer-events: none; background: white;';
  const show = (element) => { document.body.append(element); if (element.popover) element.showPopover(); };
  // Until it begins an animation has no effect, so that there is nothing for the browser to see while the thread still runs.
  const come = (element, from, to) => {
    Object.assign(element.style, from);
    element.animate([from, to], {delay: COMES, duration: 60, fill: 'forwards'});
  };
  const slide = (element) => {
    Object.assign(element.style, {right: 'auto', left: '-3000px'});
    come(element, {transform: 'none'}, {transform: 'translateX(3000px)'});
  };
  const again = () => { const field = document.querySelector('#user'); field.blur(); field.focus(); };
  window.isOver = false;
  new Function('over', 'inner', 'style', 'show', 'come', 'slide', 'again', 'COMES', 'HELD', body)(over, inner, style, show, come, slide, again, COMES, HELD);
  const end = performance.now() + FREE;
  const hold = (time) => { const till = performance.now() + time; while (performance.now() < till); };
  setTimeout(() => {
    if (thread === 'held up') hold(FREE - HELD);
    const work = () => { if (performance.now() > end) window.isOver = true; else { hold(120); setTimeout(work, 5); } };
    if (thread === 'busy') work();
    else setTimeout(() => { window.isOver = true; }, end - performance.now());
  }, HELD);
}"""


@pytest.fixture(scope="module")
def trusted(start_for_all, server):
    """A browser whose daemon trusts this pair of site and account, as long as the guard holds."""
    setting = start_for_all(fake=True)
    server.page("/login", SIGN_IN)
    setting.open("https://shiny.example.com/login")
    setting.bar.wait("#row-0")
    setting.tap()
    setting.filled()
    return setting


@pytest.fixture
def it(trusted, site):
    site.page("/roomy", SIGN_IN.replace("<h1>", "<h1 style='margin-top: 60px'>"))
    trusted.browser.close_windows()
    trusted.page.mouse.move(1, 1)
    return trusted


def press(it, x: float, y: float) -> None:
    """Clicks without waiting for the page, whose thread may be held up."""
    line = it.browser.line(it.page)
    for kind in ("mousePressed", "mouseReleased"):
        line.post("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
        it.page.wait_for_timeout(60)


def covered(it, body: str, thread: str, place: tuple[float, float], look=None) -> list[dict]:
    """Covers the bar, clicks at a place once the covering is there, and returns the choices that came of it."""
    before = len(choices(it))
    it.page.mouse.move(place[0] - 4, place[1])
    it.page.wait_for_timeout(600)
    it.page.evaluate(RUN, [body, thread, COMES, HELD, FREE])
    it.page.wait_for_timeout(COMES + 700)
    if look:
        look()
    press(it, *place)
    it.page.wait_for_function("window.isOver")
    it.bar.settle()
    it.page.wait_for_timeout(300)
    return choices(it)[before:]


@pytest.mark.parametrize("thread", ["held up"])
@pytest.mark.parametrize("name", COVERINGS)
def test_S38(it, name, thread):
    body, covers = COVERINGS[name]
    it.open("https://shiny.example.com/roomy")
    it.bar.arm()
    box = it.bar.box()
    clean = picture(it, box)
    differs = []

    def look():
        differs.append(ImageChops.difference(clean, picture(it, box)).getbbox() is not None)

    made = covered(it, body, thread, middle(box), look if thread == "idle" and name != "full screen" else None)
    held = [choice for choice in made if choice["guard"]["held"]]
    print(f"OUTCOME | {name} | {thread} | {'held' if held else made[-1]['guard']['reason'] if made else 'no choice'} | {differs}")
    if covers or any(differs):
        assert not held
        assert it.values() == ["", ""]
    if covers is False and differs:
        assert not differs[0], "it was thought to cover nothing"


@pytest.mark.parametrize("way", ["click", "Tab", "click on the field that has the focus"])
def test_S38_bar_that_the_user_opened_is_trusted(it, way):
    it.open("https://shiny.example.com/roomy", None)
    if way == "Tab":
        it.page.evaluate("document.querySelector('#password').focus()")
        it.page.keyboard.press("Shift+Tab")
    else:
        if way != "click":
            it.page.evaluate("document.querySelector('#user').focus()")
            it.bar.wait()
        it.page.click("#user")
    it.bar.click()
    it.filled()
    assert choices(it)[-1]["guard"]["held"] is True

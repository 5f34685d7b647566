# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""S70 on a desktop: windows that float, that are moved and that are made small, with a window manager, its mouse and its keyboard."""

import pytest

from attacks import pause
from browser import COUNTS, eventually
from conftest import SIGN_IN
from test_window_managers import begin, choose, desktops  # noqa: F401
from verdicts import nothing_released

pytestmark = pytest.mark.chromium("its windows are those of Chromium")

#: The titles of a question and of the page.
QUESTION, PAGE = "— Latchkey", "Sign in to Shiny"
#: A page that has a window float when a button is pressed.
FLOATING = SIGN_IN + """<p><button id="float" type="button">Float</button><script>
document.querySelector('#float').onclick = async () => {
  if (kind === 'video') {
    const canvas = document.createElement('canvas');
    canvas.getContext('2d').fillRect(0, 0, 300, 150);
    window.video = Object.assign(document.createElement('video'), { muted: true, srcObject: canvas.captureStream() });
    await video.play();
    await video.requestPictureInPicture();
    window.came = true;
  } else {
    window.floating = await documentPictureInPicture.requestWindow({ width: 300, height: 200 });
    window.came = true;
  }
};
</script>"""


@pytest.fixture
def floated(begin, site):  # noqa: F811
    """A desktop with a page that has a window float when its button is pressed."""
    def opened(kind: str):
        desktop, it = begin("openbox")
        it.page.goto(site.page("/floating", f"<script>const kind = '{kind}'</script>{FLOATING}"))
        return desktop, it

    return opened


def let_float(it) -> None:
    it.browser.hit(it.page, "#float")
    it.page.wait_for_function("window.came === true")


def ask_by_keys(desktop, it):
    """Has the user asked outside of the page, as each choice for a form that sends elsewhere is."""
    it.page.evaluate("document.querySelector('form').action = 'https://elsewhere.example/session'")
    it.browser.hit(it.page, "#user")
    bar = it.browser.bar(it.page)
    bar.arm()
    desktop.press("Down")
    bar.wait("html.entered #filter:focus")
    return choose(it, lambda: (bar.arm(), desktop.press("Return")))[-1]


def spread(desktop, it) -> None:
    """Has the floating window cover the screen, as a page brings about by having the user click in it."""
    number = desktop.stacked()[-1]
    desktop.xdotool("windowsize", number, 1000, 700)
    desktop.xdotool("windowmove", number, 10, 10)
    eventually(it.page, lambda: it.page.evaluate("floating.outerWidth > 950 && floating.screenX < 60"), "the large window")


def agree(desktop, it, window) -> None:
    """Says yes: a no would have the next test's question held back."""
    # What was closed may have had the keyboard.
    activate(desktop, QUESTION)
    window.wait_for_selector("#accept:not(.early)")
    it.browser.hit(window, "#accept")
    eventually(it.page, window.is_closed, "the end of the window")
    it.filled()


def number_of(desktop, name: str) -> str:
    return next(number for number in desktop.stacked() if name in desktop.xdotool("getwindowname", number))


def activate(desktop, name: str) -> None:
    desktop.xdotool("windowactivate", "--sync", number_of(desktop, name))


def place_of(window) -> list[int]:
    return window.evaluate("[screenX, screenY, outerWidth, outerHeight]")


def test_S70_question_stands_beside_a_small_window_that_floats(floated):
    desktop, it = floated("document")
    let_float(it)
    window = ask_by_keys(desktop, it)
    window.wait_for_selector("#accept:not(.early)")
    left, top, width, height = place_of(window)
    box = it.page.evaluate("[floating.screenX, floating.screenY, floating.outerWidth, floating.outerHeight]")
    assert left + width <= box[0] or box[0] + box[2] <= left or top + height <= box[1] or box[1] + box[3] <= top
    agree(desktop, it, window)


@pytest.mark.parametrize("kind", ["document", "video"])
def test_S70_what_floats_over_the_question_is_named_and_can_be_closed(floated, kind):
    desktop, it = floated(kind)
    let_float(it)
    window = ask_by_keys(desktop, it)
    if kind == "document":
        spread(desktop, it)
    window.wait_for_selector(".above:not([hidden])")
    assert "shiny.example.com" in window.inner_text(".above")
    # Tab and Return reach the window below what floats, clicks do not.
    window.wait_for_function("document.hasFocus()")
    pause(window, 900)
    desktop.press("Tab", "Return")
    pause(window, 900)
    nothing_released("the fields", it.values())
    window.evaluate("document.querySelector('.above button').focus()")
    desktop.press("Return")
    agree(desktop, it, window)


#: Has the page hear of each act first, and nobody after it: `document.open()` takes away who listened before.
MUTED = """() => {
  const text = document.documentElement.outerHTML;
  document.open();
  for (const type of ['pointerdown', 'keydown', 'visibilitychange']) addEventListener(type, (event) => event.stopImmediatePropagation(), true);
  document.write(text);
  document.close();
}"""


def test_S70_video_of_a_page_that_keeps_its_acts_to_itself_is_named(floated):
    desktop, it = floated("video")
    it.page.evaluate(MUTED)
    let_float(it)
    it.browser.hit(it.page, "#user")
    bar = it.browser.bar(it.page)
    window = choose(it, lambda: (bar.arm(), it.browser.hit_bar(it.page, "#row-0")))[-1]
    window.wait_for_selector(".above:not([hidden])")
    assert window.locator("#accept.early").count() == 1
    nothing_released("the fields", it.values())
    it.page.evaluate("document.exitPictureInPicture()")
    agree(desktop, it, window)


def test_S70_window_that_begins_to_float_later_takes_the_yes_away(floated):
    desktop, it = floated("document")
    window = ask_by_keys(desktop, it)
    window.wait_for_selector("#accept:not(.early)")
    # The user is led back to the page, which lies beside the question.
    activate(desktop, PAGE)
    it.page.wait_for_function("document.hasFocus()")
    it.page.evaluate("document.querySelector('#float').focus()")
    desktop.press("space")
    it.page.wait_for_function("window.came === true")
    spread(desktop, it)
    window.wait_for_selector(".above:not([hidden])")
    assert window.locator("#accept.early").count() == 1
    nothing_released("the fields", it.values())
    it.page.evaluate("floating.close()")
    agree(desktop, it, window)


# ---- The question itself, moved and made small


@pytest.mark.parametrize("change", ["windowmove {window} 500 400", "windowsize {window} 500 500", "windowsize {window} 300 160", "windowmove {window} 1100 100"],
                         ids=["moved", "larger", "too small", "out of sight"])
def test_S70_question_that_is_moved_or_changed_is_armed_anew(floated, change):
    desktop, it = floated("document")
    window = ask_by_keys(desktop, it)
    window.wait_for_selector("#accept:not(.early)")
    window.evaluate("() => { globalThis.states = []; new MutationObserver(() => states.push(document.querySelector('#accept').classList.contains('early'))).observe(document.querySelector('#accept'), { attributes: true }); }")
    number = number_of(desktop, QUESTION)
    desktop.xdotool(*change.format(window=number).split())
    eventually(it.page, lambda: window.evaluate("states[0] === true"), "the window that counts no more")
    if change.endswith(("300 160", "1100 100")):
        window.wait_for_selector(".above:not([hidden])")
        assert "out of sight" in window.inner_text(".above")
        pause(window, 900)
        assert window.locator(COUNTS).count() == 0
        nothing_released("the fields", it.values())
        desktop.xdotool("windowsize", number, 460, 460)
        desktop.xdotool("windowmove", number, 300, 200)
    nothing_released("the fields", it.values())
    agree(desktop, it, window)


def test_S70_question_that_lost_the_keyboard_is_armed_anew(floated):
    desktop, it = floated("document")
    window = ask_by_keys(desktop, it)
    window.wait_for_selector("#accept:not(.early)")
    activate(desktop, PAGE)
    window.wait_for_selector("#accept.early")
    agree(desktop, it, window)

# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""S70 in Firefox on a desktop: a page has a window float over the question, with a window manager."""

from contextlib import ExitStack

import pytest

from browser import COUNTS, NAME, eventually
from conftest import SIGN_IN
from desktop import Desktop, missing
from playwright_firefox import PlaywrightFirefox
from test_over_windows import answer, is_quiet
from verdicts import nothing_released

pytestmark = pytest.mark.skipif(NAME != "firefox", reason="test_floating_windows.py has those of Chromium")

FLOATING = SIGN_IN + """<p><button id="float" type="button">Float</button><script>
document.querySelector('#float').onclick = async () => {
  window.floating = await documentPictureInPicture.requestWindow({ width: 300, height: 200 });
  window.came = true;
};
</script>"""


class DesktopFirefox(PlaywrightFirefox):
    """Firefox with windows on a desktop."""

    is_headless = False


@pytest.fixture
def opened(workplace, site):
    """A desktop with a page that has a window float when its button is pressed."""
    if gone := missing("openbox"):
        pytest.skip(f"not installed: {', '.join(gone)}")
    with ExitStack() as ending:
        yield workplace.begin_firefox_on_desktop(ending, DesktopFirefox)


def spread(desktop: Desktop, it) -> None:
    """Has the floating window cover the screen, as a page brings about by having the user click in it."""
    number = desktop.stacked()[-1]
    desktop.xdotool("windowsize", number, 1240, 860)
    desktop.xdotool("windowmove", number, 10, 10)
    eventually(it.page, lambda: it.page.evaluate("floating.outerWidth > 950 && floating.screenX < 60"), "the large window")


def test_S70_question_is_not_answered_below_a_window_that_floats(opened, site):
    desktop, it = opened
    it.open(site.page("/floating", FLOATING), focus=None)
    it.page.click("#float")
    it.page.wait_for_function("window.came === true")
    it.page.click("#user")
    window = it.browser.window("prompt", lambda: it.bar.click())
    # It stands beside a small one.
    window.wait_for_selector(COUNTS)
    left, top, width, height = window.evaluate("[screenX, screenY, outerWidth, outerHeight]")
    box = it.page.evaluate("[floating.screenX, floating.screenY, floating.outerWidth, floating.outerHeight]")
    assert left + width <= box[0] or box[0] + box[2] <= left or top + height <= box[1] or box[1] + box[3] <= top
    # Firefox does not say that a window was moved: at the yes it is looked at again.
    spread(desktop, it)
    assert answer(window) == "floating"
    window.wait_for_selector(".above:not([hidden])")
    assert is_quiet(window) and "shiny.example.com" in window.inner_text(".above")
    nothing_released("the fields", it.values())
    window.evaluate("document.querySelector('.above button').focus()")
    window.keyboard.press("Enter")
    eventually(it.page, lambda: it.page.evaluate("floating.closed"), "the end of the window that floats")
    it.accept(window)
    it.filled()

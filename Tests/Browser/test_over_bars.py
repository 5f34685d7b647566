# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""S70: a bar below a window that floats, one that comes to where the pointer is or changes below it, and one that is a page's own."""

import pytest

from calm import FRAMES
from attacks import choices, chosen
from browser import COUNTS, ORIGIN, eventually
from conftest import ELSEWHERE, SIGN_IN
from floats import ASK, LOGIN, FLOATS, STOP_CLOCK, RUN_CLOCK, SCREEN, UNPLACED, floats  # noqa: F401
from setting import proven
from verdicts import must_hold, nothing_released

pytestmark = pytest.mark.attack


@pytest.mark.parametrize("boxes, holds", [([SCREEN], False), ([UNPLACED], False), (None, False), ([{**SCREEN, "left": 5000}], True)],
                         ids=["over", "somewhere", "not listed", "elsewhere"])
def test_S70_choice_in_a_bar_is_asked_about_while_something_floats_over_it(floats, boxes, holds):
    it, float_ = floats(trusting=True)
    it.open(LOGIN)
    it.bar.wait("#row-0")
    float_(boxes)
    guard = chosen(it, lambda: it.bar.click())["guard"]
    if holds:
        it.must_be_proven()
        must_hold(proven(choices(it)), "the guard did not hold")
    else:
        nothing_released("choices for which the guard held", proven(choices(it)))
        it.must_be_proven()
        assert guard["reason"] == "window above"


@pytest.mark.chromium("what the browser says of its windows is made up here; test_floating_firefox.py has a window that floats")
def test_S70_choice_in_a_bar_is_asked_about_just_after_what_floated_over_it_is_gone(floats):
    """The user meant to press in what floated, and it closes right before the press."""
    it, float_ = floats(trusting=True)
    it.open(LOGIN)
    it.bar.wait("#row-0")
    worker = it.browser.worker()
    worker.evaluate(STOP_CLOCK)
    try:
        float_([SCREEN])
        worker.evaluate("() => chrome.windows.onCreated.dispatch({ id: 90000 })")
        # It closes once the extension has seen it: what is gone before it is listed is gone before anybody sees it.
        eventually(it.page, lambda: worker.evaluate(FLOATS), "the window that floats")
        float_([])
        worker.evaluate("() => chrome.windows.onRemoved.dispatch(90000)")
        guard = chosen(it, lambda: it.bar.click())["guard"]
    finally:
        worker.evaluate(RUN_CLOCK)
    nothing_released("choices for which the guard held", proven(choices(it)))
    it.must_be_proven()
    assert guard["reason"] == "window above"


@pytest.mark.chromium("Firefox states places in another way, which test_floating_firefox.py tries")
def test_S70_bar_is_where_the_pointer_says_at_the_users_zoom(floats):
    """The browser states where the pointer is on the screen without the zoom, and in the frame with it."""
    it, float_ = floats(trusting=True)
    worker = it.browser.worker()
    worker.evaluate("() => { globalThis.ownZoom ??= chrome.tabs.getZoom.bind(chrome.tabs); chrome.tabs.getZoom = async () => 2; }")
    try:
        it.open(LOGIN)
        it.bar.wait("#row-0")
        box = it.bar.box()
        left = it.page.evaluate("screenX") + box["x"]
        # The press is in the middle of a bar that is drawn at half its size here, so its left end is reckoned to be half of it further left.
        float_([{"left": left - box["width"] / 2 - 60, "top": 1, "width": 70, "height": 3000}])
        it.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 18)
        it.bar.arm()
        guard = chosen(it, lambda: it.browser.click(it.page, box["x"] + box["width"] / 2, box["y"] + 18))["guard"]
    finally:
        worker.evaluate("() => { chrome.tabs.getZoom = ownZoom; }")
    nothing_released("choices for which the guard held", proven(choices(it)))
    it.must_be_proven()
    assert guard["reason"] == "window above"


@pytest.mark.parametrize("field", ["user", "other"])
def test_S70_choice_in_the_bar_of_a_field_with_a_list_is_asked_about(start, site, field):
    """The browser shows that list in a window of its own, over the bar, with words of the page; and a page has it shown for any field."""
    it = start(fake=True, trusting=True)
    form = SIGN_IN.replace("</form>", '<input id="other"></form>').replace(f'id="{field}"', f'id="{field}" list="names"')
    it.open(site.page("/listed", form + '<datalist id="names"><option>Press here</datalist>'))
    assert it.page.evaluate("(field) => document.querySelector('#' + field).list !== null", field)
    guard = chosen(it, lambda: it.bar.click())["guard"]
    nothing_released("choices for which the guard held", proven(choices(it)))
    it.must_be_proven()
    assert guard["reason"] == "list"


@pytest.mark.chromium("what the browser says of its windows is made up here")
def test_S70_bar_is_armed_anew_when_a_window_came_or_went(floats):
    it, float_ = floats(trusting=True)
    it.open(LOGIN)
    frame = it.bar.arm()
    frame.evaluate("""() => {
      globalThis.states = [];
      const { classList } = document.documentElement;
      new MutationObserver(() => states.push(classList.contains('arming'))).observe(document.documentElement, { attributes: true });
    }""")
    float_([])
    eventually(it.page, lambda: frame.evaluate("states.length > 1"), "the bar that is armed anew")
    assert frame.evaluate("states.slice(0, 2)") == [True, False]


def test_S70_nothing_is_offered_in_a_window_that_floats(floats):
    it, _ = floats()
    it.open(LOGIN)
    it.bar.wait("#row-0")
    worker = it.browser.worker()
    worker.evaluate("() => { globalThis.ownGet ??= chrome.windows.get.bind(chrome.windows);"
                    "chrome.windows.get = async (...given) => ({ ...await ownGet(...given), type: 'popup', alwaysOnTop: true, tabs: [{ id: 987654 }] }); }")
    try:
        it.page.reload()
        before = len(it.latchkey.received("page.focused"))
        it.page.click("#user")
        assert it.bar.is_absent()
        it.browser.at_rest()
        assert len(it.latchkey.received("page.focused")) == before
    finally:
        worker.evaluate("() => { chrome.windows.get = ownGet; }")


# ---- Bars that no script of the extension has made


@pytest.mark.parametrize("script", ["", "setInterval(() => f.contentWindow.postMessage({ word: '1,2' }, '*'), 20);"], ids=["silent", "with a word"])
def test_S70_bar_that_a_page_makes_shows_nothing_and_takes_no_key(start, site, script):
    it = start(fake=True, trusting=True)
    page = it.open(LOGIN, focus=None)
    page.evaluate("""([url, script]) => new Promise((done) => { const f = document.createElement('iframe'); f.id = 'own'; f.onload = done;
      f.style.cssText = 'width: 280px; height: 196px'; f.src = url; document.body.append(f); eval(script); })""", [f"{ORIGIN}/windows/bar.html", script])
    page.click("#user")
    it.bar.wait("#row-0")
    frame = next(frame for frame in page.frames if frame.url.startswith(ORIGIN) and frame.frame_element().get_attribute("id") == "own")
    before = {name: len(it.latchkey.received(name)) for name in ("renderer.suggestions", "renderer.choose", "renderer.unlock")}
    page.evaluate("document.querySelector('#own').focus()")
    for key in ("ArrowDown", "Enter", "a", "Enter"):
        page.keyboard.press(key)
    it.browser.at_rest()
    assert frame.evaluate("[document.body.hidden, document.documentElement.classList.contains('entered')]") == [True, False]
    assert frame.evaluate(ASK, ["suggestions", {"word": "1,2"}]) == "Not in this frame."
    nothing_released("choices", choices(it))
    assert before == {name: len(it.latchkey.received(name)) for name in before}


def test_S70_page_with_an_embedder_policy_has_a_bar(start, site):
    headers = {"Cross-Origin-Embedder-Policy": "require-corp", "Cross-Origin-Opener-Policy": "same-origin"}
    it = start()
    it.open(site.page("/isolated", SIGN_IN, **headers))
    assert it.page.evaluate("crossOriginIsolated")
    it.tap()
    it.filled()


# ---- A bar that comes to the pointer, that changes, that is moved with its window


def test_S70_bar_that_came_to_where_the_pointer_rests_is_not_trusted(start, site):
    it = start(fake=True, trusting=True)
    it.open(LOGIN, focus=None)
    it.page.focus("#user")
    box = it.bar.box()
    it.page.keyboard.press("Escape")
    it.bar.wait_until_gone()
    x, y = box["x"] + box["width"] / 2, box["y"] + 18
    it.page.mouse.move(x, y)
    # The page has the user press a key, by which the field takes the focus.
    it.page.evaluate("document.querySelector('#password').focus()")
    it.page.keyboard.press("Shift+Tab")
    it.bar.arm()
    guard = chosen(it, lambda: [it.browser.mouse(it.page, does, x, y) for does in ("down", "up")])["guard"]
    nothing_released("choices for which the guard held", proven(choices(it)))
    it.must_be_proven()
    assert guard["reason"] == "under the pointer"


def test_S70_bar_whose_window_is_moved_is_armed_anew(start, site):
    it = start(fake=True, trusting=True)
    it.open(LOGIN)
    frame = it.bar.arm()
    frame.evaluate("""(value) => {
      globalThis.states = [];
      const { classList } = document.documentElement;
      new MutationObserver(() => states.push(classList.contains('arming'))).observe(document.documentElement, { attributes: true });
      Object.defineProperty(globalThis, 'screenX', { get: () => value, configurable: true });
    }""", frame.evaluate("screenX + 40"))
    eventually(it.page, lambda: frame.evaluate("states.length > 1"), "the bar that is armed anew")
    assert frame.evaluate("states.slice(0, 2)") == [True, False]


def test_S70_bar_that_its_window_brought_to_the_pointer_is_not_trusted(start, site):
    it = start(fake=True, trusting=True)
    it.open(LOGIN)
    frame = it.bar.arm()
    it.browser.isolated_world()("void Object.defineProperty(globalThis, 'screenX', { get: () => 77 })")
    it.page.evaluate(FRAMES)
    frame.wait_for_selector(COUNTS)
    guard = chosen(it, lambda: it.bar.click())["guard"]
    nothing_released("choices for which the guard held", proven(choices(it)))
    it.must_be_proven()
    assert guard["reason"] == "under the pointer"


@pytest.mark.chromium("in Firefox bars are told of a change in another way")
def test_S70_bar_is_armed_anew_when_a_row_in_it_becomes_another(start, site):
    it = start(fake=True, trusting=True, locked=True)
    it.open(LOGIN)
    it.bar.wait("#unlock")
    frame = it.bar.arm()
    frame.evaluate("""() => {
      globalThis.states = [];
      const note = () => states.push([document.documentElement.classList.contains('arming'), document.querySelector('#row-0') !== null]);
      new MutationObserver(note).observe(document.documentElement, { attributes: true, subtree: true, childList: true });
    }""")
    it.latchkey.unlock()
    it.browser.worker().evaluate("() => chrome.runtime.sendMessage({ type: 'changed' }).catch(() => {})")
    it.bar.wait("#row-0")
    # There was no moment at which the row was there and counted already.
    first = frame.evaluate("states.find(([, isThere]) => isThere)")
    assert first == [True, True]


#: Writes down what a page can see of the keyboard from now on.
RECORD = """() => {
  window.seen = [];
  const note = ({ type, target }) => seen.push([performance.timeOrigin + performance.now(), `${type} ${target === window ? 'window' : target.id || target.localName || 'document'}`]);
  for (const type of ['focus', 'blur', 'focusin', 'focusout', 'keydown', 'keyup']) addEventListener(type, note, true);
  document.addEventListener('visibilitychange', note);
}"""


@pytest.mark.chromium("Firefox tells of a window after the page has lost the keyboard to it")
def test_S70_down_and_return_tell_a_page_nothing_before_a_window_opens(start, site):
    """One account, none, or locked: what the page sees until a window of ours is there is the same, in the same order."""
    told = {}
    it = start(fake=True)
    worker = it.browser.worker()
    worker.evaluate("() => chrome.windows.onCreated.addListener(() => { globalThis.openedAt ??= performance.timeOrigin + performance.now(); })")
    for name, host, locked in (("one", "shiny.example.com", False), ("none", "evil.example.net", False), ("locked", "shiny.example.com", True)):
        it.latchkey.set(locked=locked)
        page = it.page
        page.goto(site.page("/keys", ELSEWHERE, host=host))
        page.click("#user")
        it.bar.arm()
        page.evaluate(RECORD)
        page.keyboard.press("ArrowDown")
        it.bar.wait("html.entered #filter:focus")
        it.bar.arm()
        worker.evaluate("() => { delete globalThis.openedAt; }")
        it.browser.press(page, "Enter")
        opened = eventually(page, lambda: worker.evaluate("() => globalThis.openedAt"), "the window")
        # When a key comes up the user decides.
        told[name] = [what for at, what in page.evaluate("seen") if at < opened and not what.startswith("keyup")]
        it.browser.close_windows()
        it.latchkey.set(locked=False)
    assert told["one"] == told["none"] == told["locked"], told

# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""S70: what is drawn over a window of the extension, moved under the pointer, changed or opened in its place.

What the browser says of windows is stood in for here; test_floating_windows.py has real ones on a desktop, and test_over_bars.py what
concerns a bar.
"""

import json

import pytest

from attacks import choices, pause
from browser import COUNTS, NAME, ORIGIN, eventually
from conftest import SIGN_IN
from floats import ASK, LOGIN, STOP_CLOCK, RUN_CLOCK, SCREEN, UNPLACED, floats  # noqa: F401
from verdicts import nothing_released

pytestmark = pytest.mark.attack


def is_quiet(window) -> bool:
    """Whether nothing in a window counts, and stays so for longer than it takes to count."""
    pause(window, 900)
    return window.locator(COUNTS).count() == 0


def answer(window, **members) -> str:
    """What the background script says to a yes that skips what the window itself looks at."""
    return window.evaluate(ASK, ["answer", {"prompt": window.url.partition("prompt=")[2], "accept": True, **members}])


@pytest.mark.parametrize("boxes", [[SCREEN], [UNPLACED], None], ids=["over", "somewhere", "not listed"])
def test_S70_no_yes_while_something_floats_over_a_question_or_may(floats, boxes):
    it, float_ = floats()
    it.open(LOGIN)
    window = it.browser.window("prompt", lambda: it.bar.click())
    window.wait_for_selector("#accept:not(.early)")
    float_(boxes)
    window.wait_for_selector(".above:not([hidden])")
    assert is_quiet(window) and window.locator("#accept.early").count() == 1
    assert answer(window) == "floating"
    nothing_released("answers", it.latchkey.received("renderer.answer"))
    said = window.inner_text(".above")
    # Firefox does not say of a window that it floats: it may be a popup of another extension, which is not closed.
    assert ("may lie" in said) == (boxes != [SCREEN] or NAME == "firefox")
    assert window.locator(".above button").is_visible() == (boxes is not None and NAME != "firefox")
    float_([])
    window.wait_for_selector("#accept:not(.early)")
    assert window.locator(".above").is_hidden()
    it.accept(window)
    it.filled()


def test_S70_place_of_a_question_is_the_browsers_word(floats):
    """Firefox divides what a document says of its place by its zoom, which another extension may change."""
    it, float_ = floats()
    it.open(LOGIN)
    window = it.browser.window("prompt", lambda: it.bar.click())
    window.wait_for_selector("#accept:not(.early)")
    float_([{**SCREEN, "width": 2000}])
    assert answer(window, place={**SCREEN, "left": 3500, "width": 100}) == "floating"
    nothing_released("answers", it.latchkey.received("renderer.answer"))


def test_S70_question_that_another_extension_makes_tiny_counts_no_more(floats):
    """A document of Firefox does not see how it is zoomed."""
    it, float_ = floats()
    it.open(LOGIN)
    window = it.browser.window("prompt", lambda: it.bar.click())
    window.wait_for_selector("#accept:not(.early)")
    worker = it.browser.worker()
    worker.evaluate("() => { globalThis.ownZoom ??= chrome.tabs.getZoom.bind(chrome.tabs); chrome.tabs.getZoom = async () => 0.3; }")
    try:
        float_([])
        window.wait_for_selector(".above:not([hidden])")
        assert is_quiet(window) and "out of sight" in window.inner_text(".above")
    finally:
        worker.evaluate("() => { chrome.tabs.getZoom = ownZoom; }")
    nothing_released("answers", it.latchkey.received("renderer.answer"))


def test_S70_question_whose_tab_another_extension_leads_elsewhere_is_closed(floats, site):
    """What it shows there could pass for a question, in the place and size of ours."""
    it, _ = floats()
    it.open(LOGIN)
    window = it.browser.window("prompt", lambda: it.bar.click())
    window.wait_for_selector("#accept:not(.early)")
    url = site.page("/imitation", "<!doctype html><title>Latchkey</title><input type=password>", host="evil.example.net")
    it.browser.worker().evaluate("""async (url) => {
      const tab = (await chrome.tabs.query({})).find((one) => one.url?.includes('/windows/prompt.html'));
      await chrome.tabs.update(tab.id, { url });
    }""", url)
    eventually(it.page, window.is_closed, "the end of the window")
    answers = eventually(it.page, lambda: it.latchkey.received("renderer.answer"), "the no")
    assert [one["accept"] for one in answers] == [False]


def test_S70_question_that_another_extension_takes_the_tab_of_before_it_speaks_is_closed(floats, site):
    it, _ = floats()
    it.open(LOGIN)
    url = site.page("/imitation", "<!doctype html><title>Latchkey</title><input type=password>", host="evil.example.net")
    worker = it.browser.worker()
    worker.evaluate("""(url) => {
      globalThis.lead = ({ id }) => { chrome.tabs.onCreated.removeListener(lead); chrome.tabs.update(id, { url }); };
      chrome.tabs.onCreated.addListener(lead);
    }""", url)
    it.bar.click()
    answers = eventually(it.page, lambda: it.latchkey.received("renderer.answer"), "the no")
    assert [one["accept"] for one in answers] == [False]


def test_S70_question_that_another_extension_puts_a_tab_beside_is_closed(floats, site):
    """What is in the other tab could pass for the question. Chromium puts no tab into such a window."""
    it, _ = floats()
    it.open(LOGIN)
    window = it.browser.window("prompt", lambda: it.bar.click())
    window.wait_for_selector("#accept:not(.early)")
    url = site.page("/imitation", "<!doctype html><title>Latchkey</title><input type=password>", host="evil.example.net")
    is_beside = it.browser.worker().evaluate("""async (url) => {
      const { windowId } = (await chrome.tabs.query({})).find((one) => one.url?.includes('/windows/prompt.html'));
      return (await chrome.tabs.create({ url, windowId })).windowId === windowId;
    }""", url)
    if is_beside:
        eventually(it.page, window.is_closed, "the end of the window")
        answers = eventually(it.page, lambda: it.latchkey.received("renderer.answer"), "the no")
        assert [one["accept"] for one in answers] == [False]


def test_S70_no_yes_just_after_what_floated_over_a_question_is_gone(floats):
    it, float_ = floats()
    it.open(LOGIN)
    window = it.browser.window("prompt", lambda: it.bar.click())
    window.wait_for_selector("#accept:not(.early)")
    float_([SCREEN])
    window.wait_for_selector(".above:not([hidden])")
    worker = it.browser.worker()
    worker.evaluate(STOP_CLOCK)
    try:
        float_([])
        window.wait_for_selector("#accept:not(.early)")
        assert answer(window) == "floating"
        nothing_released("answers", it.latchkey.received("renderer.answer"))
    finally:
        worker.evaluate(RUN_CLOCK)
    it.accept(window)
    it.filled()


@pytest.mark.parametrize("answers, button", [(True, "Close the Video"), (False, "Show the Tab")], ids=["answers", "does not answer"])
def test_S70_tab_whose_video_may_lie_over_a_question_is_named(floats, answers, button):
    """Also where the document of the video is in a sandbox, which has no origin: the tab is that of the page."""
    it, _ = floats()
    it.open(LOGIN)
    window = it.browser.window("prompt", lambda: it.bar.click())
    window.wait_for_selector("#accept:not(.early)")
    worker = it.browser.worker()
    worker.evaluate("""answers => {
      globalThis.ownSend ??= chrome.tabs.sendMessage.bind(chrome.tabs);
      globalThis.ownTabs ??= chrome.tabs.update.bind(chrome.tabs);
      globalThis.shown = [];
      let isThere = true;
      chrome.tabs.update = async (tab) => { shown.push(tab); isThere = false; return {}; };
      chrome.tabs.sendMessage = (tab, message, ...more) => {
        if (message.type === 'sink') { isThere = false; return Promise.resolve({}); }
        if (message.type !== 'floats') return ownSend(tab, message, ...more);
        return isThere ? answers ? Promise.resolve({ floats: 'video' }) : new Promise(() => {}) : Promise.resolve({ floats: '' });
      };
    }""", answers)
    try:
        it.browser.isolated_world()("chrome.runtime.sendMessage({ type: 'page.floats', kind: 'video' })")
        window.wait_for_selector(".above:not([hidden])")
        said = window.inner_text(".above")
        assert "shiny.example.com" in said and "may lie" in said and ("does not answer" in said) is not answers
        assert window.inner_text(".above button") == button
        nothing_released("answers", it.latchkey.received("renderer.answer"))
        window.evaluate("document.querySelector('.above button').focus()")
        window.keyboard.press("Enter")
        window.wait_for_selector("#accept:not(.early)")
        assert len(worker.evaluate("() => shown")) == (0 if answers else 1)
    finally:
        worker.evaluate("() => { chrome.tabs.sendMessage = ownSend; chrome.tabs.update = ownTabs; }")


def test_S70_question_whose_content_grows_shows_all_or_counts_no_more(floats):
    it, _ = floats()
    it.open(LOGIN)
    window = it.browser.window("prompt", lambda: it.bar.click())
    window.wait_for_selector("#accept:not(.early)")
    # A window manager that leaves the window as large as it is.
    window.evaluate("""() => {
      globalThis.grown = [];
      globalThis.resizeBy = (_, by) => { grown.push(by); };
      document.querySelector('#facts').append(...Array.from({ length: 80 }, (_, index) => Object.assign(document.createElement('dd'), { textContent: `line ${index}` })));
    }""")
    assert eventually(it.page, lambda: window.evaluate("grown"), "the larger window")[0] > 100
    # Its buttons are pushed out of it; and when they are scrolled to, what they are about is no longer in view as a whole.
    window.evaluate("document.querySelector('#accept').scrollIntoView()")
    assert is_quiet(window) and "out of sight" in window.inner_text(".above")
    nothing_released("answers", it.latchkey.received("renderer.answer"))


@pytest.mark.parametrize("name, by, counts", [("screenX", 60, True), ("screenY", 40, True), ("outerWidth", -30, True), ("innerHeight", -600, False), ("screenX", 5000, False)],
                         ids=["moved", "moved down", "smaller", "too small", "out of sight"])
def test_S70_question_that_is_moved_or_made_small_counts_no_more(floats, name, by, counts):
    it, _ = floats()
    it.open(LOGIN)
    window = it.browser.window("prompt", lambda: it.bar.click())
    window.wait_for_selector("#accept:not(.early)")
    window.evaluate("""([name, by]) => {
      globalThis.states = [];
      const accept = document.querySelector('#accept');
      new MutationObserver(() => states.push(accept.classList.contains('early'))).observe(accept, { attributes: true });
      const value = globalThis[name] + by;
      Object.defineProperty(globalThis, name, { get: () => value, configurable: true });
    }""", [name, by])
    eventually(it.page, lambda: window.evaluate("states[0] === true"), "the window that counts no more")
    if counts:
        window.wait_for_selector("#accept:not(.early)")
    else:
        assert is_quiet(window)
        assert "out of sight" in window.inner_text(".above")
    nothing_released("answers", it.latchkey.received("renderer.answer"))


def test_S70_question_that_lost_the_keyboard_counts_no_more(floats):
    it, _ = floats()
    it.open(LOGIN)
    window = it.browser.window("prompt", lambda: it.bar.click())
    window.wait_for_selector("#accept:not(.early)")
    window.evaluate("dispatchEvent(new Event('blur'))")
    assert is_quiet(window) and window.locator("#accept.early").count() == 1
    window.evaluate("dispatchEvent(new Event('focus'))")
    window.wait_for_selector("#accept:not(.early)")
    nothing_released("answers", it.latchkey.received("renderer.answer"))


def test_S70_question_on_a_screen_without_places_can_be_answered(floats):
    """A window system that tells no places says so of each window, whichever of its screens that is on."""
    it, _ = floats()
    it.open(LOGIN)
    window = it.browser.window("prompt", lambda: it.bar.click())
    window.evaluate("""() => {
      for (const name of ['screenX', 'screenY']) Object.defineProperty(globalThis, name, { get: () => 0 });
      Object.defineProperty(screen, 'availLeft', { get: () => 5000 });
      dispatchEvent(new Event('focus'));
    }""")
    it.accept(window)
    it.filled()


def test_S70_key_that_is_held_down_agrees_to_nothing(floats):
    it, _ = floats()
    it.open(LOGIN)
    window = it.browser.window("prompt", lambda: it.bar.click())
    window.wait_for_selector("#accept:not(.early)")
    window.evaluate("document.activeElement.blur()")
    window.keyboard.down("Enter")
    window.focus("#accept")
    window.keyboard.down("Enter")
    window.keyboard.up("Enter")
    # This request takes the way of a yes, so a yes by the key would have been answered before it.
    assert window.evaluate(ASK, ["act", {"prompt": window.url.partition("prompt=")[2], "element": "none"}]) == "done"
    assert not window.is_closed()
    nothing_released("answers", it.latchkey.received("renderer.answer"))
    it.accept(window)
    it.filled()


def test_S70_frame_with_the_name_of_what_floats_is_not_taken_for_it(start, site):
    site.page("/login", SIGN_IN + '<iframe name="documentPictureInPicture"></iframe>', host="printer.local")
    it = start(fake=True)
    it.open("http://printer.local/login", focus=None)
    ask = "async () => { const [{ id }] = await chrome.tabs.query({ active: true, lastFocusedWindow: true }); return chrome.tabs.sendMessage(id, { type: 'floats' }, { frameId: 0 }); }"
    assert it.browser.worker().evaluate(ask) == {"floats": "", "box": None}


def test_S70_other_documents_of_the_tab_look_after_what_floats(start, site):
    """An act of the user in one frame allows another one to have a video float."""
    it = start(fake=True)
    site.page("/inner", "<!doctype html><button>Play</button>")
    page = it.open(site.page("/framed", SIGN_IN + '<iframe src="/inner"></iframe>'), focus=None)
    told = it.browser.isolated_world()
    told("void (globalThis.heard = [], chrome.runtime.onMessage.addListener(({ type }) => { heard.push(type); }))")
    page.frame_locator("iframe").locator("button").click()
    eventually(page, lambda: "acted" in told("heard"), "the word of the other frame")


#: A document that has a video float, and the frames in which the browser gives it no address of its origin.
VIDEO = """<!doctype html><button onclick="const canvas = document.createElement('canvas'); canvas.getContext('2d').fillRect(0, 0, 300, 150);
  const video = Object.assign(document.createElement('video'), { muted: true, srcObject: canvas.captureStream() });
  video.play().then(() => video.requestPictureInPicture()).then(() => { document.body.className = 'came'; })">Play</button>"""
FRAMES_WITHOUT = {
    "blob": "frame.src = URL.createObjectURL(new Blob([video], { type: 'text/html' }))",
    "data": "frame.src = 'data:text/html,' + encodeURIComponent(video)",
    "sandbox": "frame.sandbox = 'allow-scripts'; frame.srcdoc = video",
}


@pytest.mark.chromium("Firefox has no such videos")
@pytest.mark.parametrize("kind", FRAMES_WITHOUT)
def test_S70_video_of_a_frame_without_an_address_of_its_own_is_known(start, site, kind):
    it = start(fake=True)
    it.open(LOGIN, focus=None)
    it.page.evaluate(f"video => {{ const frame = document.createElement('iframe'); {FRAMES_WITHOUT[kind]}; document.body.append(frame); }}", VIDEO)
    frame = it.page.frame_locator("iframe")
    frame.locator("button").click()
    frame.locator(".came").wait_for()
    it.page.click("#user")
    window = it.browser.window("prompt", lambda: it.bar.click())
    # A frame that answers late is named as one that does not answer until it is asked again.
    window.wait_for_selector(".above:not([hidden]) button:text-is('Close the Video')")
    assert "may lie" in window.inner_text(".above")
    nothing_released("answers", it.latchkey.received("renderer.answer"))


#: Has a page's script of the extension find the page hidden.
HIDE = "void (Object.defineProperty(document, 'visibilityState', { get: () => 'hidden', configurable: true }), dispatchEvent(new Event('visibilitychange')))"


@pytest.mark.parametrize("by", ["question", "list", "another tab"])
def test_S70_question_or_list_that_covers_all_of_its_page_can_be_answered(floats, by):
    """The browser says of such a page that it is hidden, as it does of one whose tab is not in front: that one is left."""
    it, _ = floats()
    it.open(LOGIN)
    window = it.bar.open_list() if by == "list" else it.browser.window("prompt", lambda: it.bar.click())
    worker = it.browser.worker()
    worker.evaluate("isActive => { globalThis.ownTab ??= chrome.tabs.get.bind(chrome.tabs); chrome.tabs.get = async (...given) => ({ ...await ownTab(...given), active: isActive }); }", by != "another tab")
    try:
        it.browser.isolated_world()(HIDE)
        if by == "another tab":
            eventually(it.page, lambda: it.latchkey.received("page.left"), "the end of the session")
            return
        # What is said after it is answered after it.
        it.browser.isolated_world()("chrome.runtime.sendMessage({ type: 'page.left', by: 'visibilitychange' })")
    finally:
        worker.evaluate("() => { chrome.tabs.get = ownTab; }")
    if by == "question":
        it.accept(window)
        it.filled()
    else:
        assert window.evaluate(ASK, ["list", {"search": ""}]) == "done"
    # The window that is closed by its answer is no page.
    assert [left for left in it.latchkey.received("page.left") if left["document"]] == []


@pytest.mark.chromium("Firefox on the machine of these tests does not say where its windows are")
def test_S70_question_moves_beside_what_floats_over_it(floats):
    it, float_ = floats()
    it.open(LOGIN)
    window = it.browser.window("prompt", lambda: it.bar.click())
    window.wait_for_selector("#accept:not(.early)")
    left, top, width, height = window.evaluate("[screenX, screenY, outerWidth, outerHeight]")
    it.browser.worker().evaluate("() => { globalThis.moved = []; globalThis.ownUpdate ??= chrome.windows.update.bind(chrome.windows);"
                                 "chrome.windows.update = async (window, place) => { moved.push(place); }; }")
    try:
        # A strip of its left side is covered; the screen of these tests has room at the right.
        float_([{"left": left - 200, "top": top, "width": 210, "height": height}])
        moved = eventually(it.page, lambda: it.browser.worker().evaluate("() => moved"), "the move")[0]
        assert moved["left"] >= left + 10 and moved["top"] == top
        # A window manager that leaves it where it is is not asked again and again.
        window.wait_for_selector(".above:not([hidden])")
        assert len(it.browser.worker().evaluate("() => moved")) == 1 and window.inner_text(".above button") == "Close the Window"
        assert is_quiet(window)
    finally:
        it.browser.worker().evaluate("() => { chrome.windows.update = ownUpdate; }")
    nothing_released("answers", it.latchkey.received("renderer.answer"))


def test_S70_question_is_armed_anew_when_something_came_and_went(floats):
    """Firefox is asked what lies over a window each half second, and a press may have been meant for what came between."""
    it, float_ = floats()
    it.open(LOGIN)
    window = it.browser.window("prompt", lambda: it.bar.click())
    window.wait_for_selector("#accept:not(.early)")
    window.evaluate("""() => {
      globalThis.states = [];
      const accept = document.querySelector('#accept');
      new MutationObserver(() => states.push(accept.classList.contains('early'))).observe(accept, { attributes: true });
    }""")
    float_([])
    eventually(it.page, lambda: window.evaluate("states[0] === true && states.at(-1) === false"), "the window that is armed anew")
    nothing_released("answers", it.latchkey.received("renderer.answer"))


@pytest.mark.parametrize("name", ["popup", "picker"])
def test_S70_nothing_is_chosen_in_a_list_while_something_floats_over_it(floats, name):
    it, float_ = floats(trusting=True)
    it.open(LOGIN)
    it.bar.wait("#row-0")
    if name == "popup":
        window = it.browser.popup("document.querySelector('#row-0') !== null")
        in_window = window.evaluate
    else:
        window = it.bar.open_list()
        window.wait_for_selector("[role=option]")
        in_window = lambda expression: window.evaluate(f"() => {expression}")  # noqa: E731
    eventually(it.page, lambda: in_window(f"document.querySelector('{COUNTS}') !== null"), "a list that counts")
    float_([SCREEN])
    eventually(it.page, lambda: in_window("document.querySelector('.above:not([hidden])') !== null"), "the word on it")
    target = {} if name == "picker" else it.browser.worker().evaluate("async () => { const [{ id }] = await chrome.tabs.query({ active: true, lastFocusedWindow: true }); return { target: { tab: id, frame: 0, document: 'x' } }; }")
    got = in_window(f"(async () => {{ const {{ ask }} = await import('/windows/ask.js'); return ask('choose', {json.dumps({'handle': 'h', **target})}).then(() => 'done', (error) => error.data.reason ?? error.message) }})()")
    assert got == "floating"
    nothing_released("choices", choices(it))


# ---- Documents of the extension that somebody else has opened


def opened_by_another(it, path: str):
    """A document of the extension in a window that another extension has opened: to the browser it makes no difference who does that."""
    page = it.browser.context.new_page()
    page.goto(f"{ORIGIN}/{path}")
    return page


def test_S70_list_that_another_extension_opens_is_served_nothing(start, site):
    it = start(fake=True, trusting=True)
    it.open(LOGIN)
    it.bar.wait("#row-0")
    target = {key: it.latchkey.received("page.focused")[0]["frame"][key] for key in ("tab", "frame", "document")}
    for path in ("windows/picker.html", f"windows/picker.html?tab={target['tab']}&frame=0&document={target['document']}"):
        page = opened_by_another(it, path)
        for kind in ("suggestions", "list", "choose", "openList", "unlock", "wanted"):
            assert page.evaluate(ASK, [kind, {"target": target, "handle": "h", "provider": "p"}]) == "Not in this window.", kind
        page.close()
    nothing_released("choices", choices(it))
    nothing_released("lists", it.latchkey.received("renderer.list"))


def test_S70_popup_in_a_tab_is_served_nothing(start, site):
    it = start(fake=True, trusting=True)
    it.open(LOGIN)
    it.bar.wait("#row-0")
    page = opened_by_another(it, "windows/popup.html")
    for kind in ("status", "open", "suggestions", "choose", "unlock", "picker", "questions", "lock"):
        assert page.evaluate(ASK, [kind, {}]) == "Not in this window.", kind
    nothing_released("choices", choices(it))


def test_S70_question_is_answered_in_its_own_window_alone(start, site):
    it = start(fake=True)
    it.open(LOGIN)
    window = it.browser.window("prompt", lambda: it.bar.click())
    copy = opened_by_another(it, window.url.removeprefix(f"{ORIGIN}/"))
    prompt = window.url.partition("prompt=")[2]
    for kind in ("prompt", "answer", "act", "reveal", "fingerprint"):
        assert copy.evaluate(ASK, [kind, {"prompt": prompt, "accept": True, "element": "e"}]) == "Not in this window.", kind
    assert window.evaluate(ASK, ["answer", {"prompt": "another", "accept": True}]) == "Not in this window."
    nothing_released("answers", it.latchkey.received("renderer.answer"))
    copy.close()
    it.accept(window)
    it.filled()


def test_S70_list_fills_the_page_it_was_opened_for(start, site):
    """Whatever its document says: the one that holds the window may be another extension's, but not what it was opened for."""
    it = start(fake=True, trusting=True)
    it.open(LOGIN)
    it.bar.wait("#row-0")
    picker = it.bar.open_list()
    other = it.browser.context.new_page()
    other.goto(site.page("/login", SIGN_IN, host="evil.example.net"))
    other.click("#user")
    it.browser.bar(other).wait()
    frame = it.latchkey.received("page.focused")[-1]["frame"]
    target = {key: frame[key] for key in ("tab", "frame", "document")}
    picker.evaluate(ASK, ["list", {"search": "", "target": target}])
    sessions = {asked["session"] for asked in it.latchkey.received("renderer.list")}
    assert len(sessions) == 1

# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Latchkey on desktops with window managers that people use: what takes the focus, what is in front, and what real clicks and keys reach.

The mouse and the keyboard are those of the X server. Each desktop has one browser and one Latchkey, which its tests share.
"""

import json
from contextlib import ExitStack, suppress

import pytest
from playwright.sync_api import Page

from calm import FRAMES
from browser import ORIGIN, eventually
from chromium import Popup
from conftest import RMONDELLO, SIGN_IN
from desktop import DAEMON, Desktop, missing
from latchkey import PASSPHRASE
from setting import Setting
from test_saving import APPLICATION

pytestmark = pytest.mark.chromium("it is about windows of Chromium")

SHINY = "https://shiny.example.com/login"
TITLE = "Save password? — Latchkey"
#: `make soak` tries the second one too, and both where a page without a desktop shows the same outside of it.
MANAGERS = ("openbox", pytest.param("metacity", marks=pytest.mark.soak))
SLOWLY = [pytest.param(manager, marks=pytest.mark.soak) for manager in ("openbox", "metacity")]
#: Writes down what a page can see of its own window.
RECORD = """window.seen = [];
for (const name of ['focus', 'blur', 'resize']) addEventListener(name, (event) => { if (event.target === window) seen.push(name); });
document.addEventListener('visibilitychange', () => seen.push(document.visibilityState));"""


@pytest.fixture(scope="module")
def desktops(workplace):
    """Starts desktops, each with a browser; all end with the module."""
    with ExitStack() as ending:
        started = {}

        def desktop(manager: str, notifications: bool = True) -> Setting:
            if gone := missing(manager, *([DAEMON] if notifications else [])):
                pytest.skip(f"not installed: {', '.join(gone)}")
            if (manager, notifications) not in started:
                started[manager, notifications] = it = workplace.begin_on_desktop(ending, manager, notifications)
                it.latchkey.run("never", "add", "https://evil.example.net")
            return started[manager, notifications]

        yield desktop


@pytest.fixture
def begin(desktops, site):
    """Opens a tab on a desktop; what a test has left there ends with it."""
    site.page("/session", "yes")
    for host in ("plain.example.org", "other.example.com", "evil.example.net"):
        site.page("/app", APPLICATION, host=host)
        site.page("/session", "yes", host=host)
    used = []

    def opened(*where) -> tuple[Desktop, Setting]:
        it = desktops(*where)
        it.page = it.browser.page
        it.page.goto("about:blank")
        used.append(it)
        return it.browser.desktop, it

    yield opened
    for it in used:
        it.latchkey.unlock()
        it.browser.close_windows()
        # A question ends with its tab.
        last = it.browser.page
        it.browser.page = it.browser.context.new_page()
        last.close()
        for item in json.loads(it.latchkey.run("list", "--json")):
            if item["services"] != [RMONDELLO.service]:
                it.latchkey.run("remove", item["id"])
        it.page = it.browser.page
        eventually(it.page, lambda: it.toolbar() == ("Latchkey", ""), "the end of the questions")


def sign_in(desktop: Desktop, it: Setting, host: str) -> None:
    """Signs in by hand, on a page that stays."""
    it.page.goto(f"https://{host}/app")
    it.browser.hit(it.page, "#user")
    it.page.wait_for_function("document.hasFocus() && document.activeElement.id === 'user'")
    it.page.evaluate(RECORD)
    desktop.type("rmondello")
    desktop.press("Tab")
    desktop.type("typed by hand")
    it.browser.hit(it.page, "#go")
    it.page.wait_for_selector("text=Welcome")


def is_asked(it: Setting) -> None:
    eventually(it.page, it.browser.questions, "the question")
    it.browser.at_rest()
    it.page.evaluate(FRAMES)


def front(desktop: Desktop, it: Setting, title: str = TITLE):
    """The window of a question, once it is the active one and lies over all others."""
    window = eventually(it.page, lambda: [page for page in it.browser.context.pages if "/prompt.html" in page.url], "the window of the question")[-1]
    eventually(it.page, lambda: (desktop.active(), desktop.topmost()) == (title, title), f"{title} in front")
    eventually(it.page, lambda: window.evaluate("document.hasFocus()") and not it.page.evaluate("document.hasFocus()"), f"the focus in {title}")
    window.wait_for_selector("#accept:not(.early)")
    return window


def saved(it: Setting, host: str) -> list[str]:
    """The user names that are saved for a host."""
    return [item["user"] for item in json.loads(it.latchkey.run("list", "--json")) if item["services"] == [host]]


def is_saved(it: Setting, window, host: str) -> None:
    eventually(it.page, window.is_closed, "the end of the window")
    eventually(it.page, lambda: saved(it, host) == ["rmondello"], "the item")
    secret = it.latchkey.run("show", host, "rmondello", "--only-password", "--passphrase-file", it.latchkey.secret)
    assert secret.rstrip("\n") == "typed by hand"


# ---- What comes by itself


@pytest.mark.parametrize("manager", MANAGERS)
def test_s31_question_takes_no_focus_and_one_click_on_its_notification_saves(begin, manager):
    desktop, it = begin(manager)
    # Nothing is asked about this site.
    sign_in(desktop, it, "evil.example.net")
    eventually(it.page, lambda: it.browser.sent("page.settled"), "the form that is gone")
    it.browser.at_rest()
    it.page.evaluate(FRAMES)
    silent, notified = it.page.evaluate("seen"), len(desktop.notified())
    assert silent == [] and it.browser.questions() == []
    sign_in(desktop, it, "plain.example.org")
    is_asked(it)
    # It is written down piece by piece.
    [shown] = eventually(it.page, lambda: (new := desktop.notified()[notified:]) and "Never" in new[0] and new, "the notification")
    assert "Save the password for rmondello at plain.example.org?" in shown and shown.index("Save") < shown.index("Not Now")
    assert not [text for text in shown if "typed by hand" in text]
    assert it.page.evaluate("seen") == silent and it.page.evaluate("document.hasFocus()")
    assert "Chromium" in desktop.active() and "Chromium" in desktop.topmost()
    # A press within half a second is not counted as an answer, and a person needs longer to read it.
    it.page.evaluate("new Promise((done) => setTimeout(done, 600))")
    desktop.press_first_button()
    eventually(it.page, lambda: saved(it, "plain.example.org") == ["rmondello"], "the item")
    assert not [page for page in it.browser.context.pages if "/prompt.html" in page.url]


@pytest.mark.parametrize("manager", SLOWLY)
def test_toolbar_button_leads_to_the_question_in_front(begin, manager):
    desktop, it = begin(manager)
    sign_in(desktop, it, "other.example.com")
    is_asked(it)
    popup = it.browser.hit_toolbar(it.page)
    popup.wait("!!document.querySelector('#question-0')")
    it.browser.hit(popup, "#question-0")
    window = front(desktop, it)
    it.browser.hit(window, "#accept")
    is_saved(it, window, "other.example.com")


def test_s31_without_notifications_the_mark_and_the_popup_lead_to_the_question(begin):
    desktop, it = begin("openbox", False)
    sign_in(desktop, it, "other.example.com")
    is_asked(it)
    eventually(it.page, lambda: it.toolbar() == ("Latchkey: a question waits", "?"), "the mark on the toolbar's button")
    assert it.page.evaluate("seen") == [] and it.page.evaluate("document.hasFocus()")
    assert "Chromium" in desktop.active()
    popup = it.browser.hit_toolbar(it.page)
    popup.wait("!!document.querySelector('#question-0')")
    it.browser.hit(popup, "#question-0")
    window = front(desktop, it)
    it.browser.hit(window, "#accept")
    is_saved(it, window, "other.example.com")


# ---- The bar


@pytest.mark.parametrize("manager", MANAGERS)
def test_bar_is_shown_by_a_click_and_fills_by_a_click(begin, manager):
    desktop, it = begin(manager)
    it.page.goto(SHINY)
    it.browser.hit(it.page, "#user")
    if choose(it):
        confirm(desktop, it)
    it.filled()
    # It was asked once. On a busy machine a press may come too late to be proven, and is asked about all the same.
    for _ in range(4):
        it.page.reload()
        it.browser.hit(it.page, "#user")
        if not choose(it):
            break
        confirm(desktop, it)
    else:
        pytest.fail("it is asked each time")
    it.filled()
    assert it.page.evaluate("document.hasFocus()") and len(it.browser.context.pages) == 1


def questions(it: Setting) -> list[Page]:
    return [page for page in it.browser.context.pages if "/prompt.html" in page.url]


def choose(it: Setting, act=None, selector: str = "#row-0") -> list[Page]:
    """Chooses a row until something comes of it; what comes before it counts is done again, as a person does. Returns what asks."""
    for _ in range(5):
        if it.browser.bar(it.page).frames():
            (act or (lambda: it.browser.hit_bar(it.page, selector)))()
        with suppress(AssertionError):
            eventually(it.page, lambda: questions(it) or it.values()[1], "what comes of the choice", patience=5)
            return questions(it)
    raise AssertionError("nothing comes of the choice")


def confirm(desktop: Desktop, it: Setting) -> None:
    """Says yes in the window that asks whether a choice was meant."""
    window = eventually(it.page, lambda: questions(it), "the window")[-1]
    window.wait_for_selector("#accept:not(.early)")
    front(desktop, it, window.title())
    if window.locator("#passphrase").is_visible():
        desktop.type(PASSPHRASE)
        desktop.press("Return")
    else:
        it.browser.hit(window, "#accept")
    eventually(it.page, window.is_closed, "the end of the window")


@pytest.mark.parametrize("manager", SLOWLY)
def test_bar_fills_by_the_keyboard(begin, manager):
    desktop, it = begin(manager)
    it.page.goto(SHINY)
    it.browser.hit(it.page, "#user")
    bar = it.browser.bar(it.page)
    bar.arm()
    desktop.press("Down")
    frame = bar.wait("html.entered.large #filter:focus")
    desktop.type("rmon")
    frame.wait_for_function("() => document.querySelector('#filter').value === 'rmon' && document.querySelector('#row-0')?.ariaSelected === 'true'")
    assert choose(it, lambda: (bar.arm(), desktop.press("Return")))
    confirm(desktop, it)
    it.filled()


@pytest.mark.parametrize("manager", SLOWLY)
def test_escape_leaves_the_bar_and_tab_passes_by(begin, manager):
    desktop, it = begin(manager)
    it.page.goto(SHINY)
    it.browser.hit(it.page, "#user")
    bar = it.browser.bar(it.page)
    bar.arm()
    desktop.press("Down")
    bar.wait("html.entered #filter:focus")
    desktop.press("Escape")
    it.page.wait_for_function("document.hasFocus() && document.activeElement.id === 'user'")
    desktop.press("Escape")
    bar.wait_until_gone()
    it.browser.hit(it.page, "#user")
    bar.wait("#row-0")
    desktop.press("Tab")
    it.page.wait_for_function("document.activeElement.id === 'password'")
    bar.wait("#row-0")
    desktop.press("Tab")
    it.page.wait_for_function("document.activeElement.localName === 'button'")
    bar.wait_until_gone()
    assert it.values() == ["", ""]


@pytest.mark.parametrize("manager", SLOWLY)
def test_click_reaches_the_field_below_the_bar(begin, site, manager):
    desktop, it = begin(manager)
    close = "<style>p { margin: 2px } label { display: block } input { display: block; width: 260px }</style>"
    for path, page in (("/login", SIGN_IN), ("/close", SIGN_IN.replace("<h1>", close + "<h1>"))):
        it.page.goto(site.page(path, page))
        it.browser.hit(it.page, "#user")
        bar = it.browser.bar(it.page)
        bar.wait("#row-0")
        box, field = bar.box(), it.page.locator("#password").bounding_box()
        assert box["y"] >= field["y"] + field["height"] or box["y"] + box["height"] <= field["y"] \
            or box["x"] >= field["x"] + field["width"] or box["x"] + box["width"] <= field["x"]
        it.browser.hit(it.page, "#password")
        it.page.wait_for_function("document.activeElement.id === 'password'")
        desktop.type("typed by hand")
        eventually(it.page, lambda: it.values() == ["", "typed by hand"], "what was typed")


@pytest.mark.parametrize("manager", SLOWLY)
def test_unlock_in_the_bar_leads_to_a_window_that_takes_the_passphrase(begin, manager):
    desktop, it = begin(manager)
    it.latchkey.lock()
    it.page.goto(SHINY)
    it.browser.hit(it.page, "#user")
    it.browser.bar(it.page).wait("#unlock")
    assert choose(it, selector="#unlock")
    window = front(desktop, it, "Unlock Latchkey — Latchkey")
    desktop.type(PASSPHRASE)
    eventually(it.page, lambda: window.input_value("#passphrase") == PASSPHRASE, "what was typed")
    desktop.press("Return")
    eventually(it.page, window.is_closed, "the end of the window")
    it.browser.bar(it.page).wait("#row-0")
    eventually(it.page, lambda: "Chromium" in desktop.active(), "the browser's window in front")


@pytest.mark.parametrize("manager", SLOWLY)
def test_with_always_each_fill_takes_the_passphrase_in_a_window_in_front(begin, manager):
    desktop, it = begin(manager)
    it.latchkey.run("preferences", "set", "--authentication", "always")
    try:
        it.page.goto(SHINY)
        for _ in range(2):
            it.browser.hit(it.page, "#user")
            assert choose(it)
            confirm(desktop, it)
            it.filled()
            it.page.reload()
        assert it.values() == ["", ""]
    finally:
        it.latchkey.run("preferences", "set", "--authentication", "after", "--passphrase-file", it.latchkey.secret)


# ---- The popup and the settings


@pytest.mark.parametrize("manager", SLOWLY)
def test_key_opens_the_popup_which_searches_all_and_locks(begin, manager):
    desktop, it = begin(manager)
    it.page.goto(SHINY)
    it.browser.hit(it.page, "h1")
    popup = press_key(desktop, it)
    desktop.type("rmon")
    popup.wait("document.activeElement.id === 'search' && document.activeElement.value === 'rmon' && document.querySelector('#found li') !== null")
    # The browser's own key for emptying a search; then the rows of the page are there again.
    desktop.press("Escape")
    popup.wait("document.querySelector('#search').value === '' && !document.querySelector('#list').hidden && !document.documentElement.classList.contains('arming')")
    it.browser.hit(popup, "#all")
    window = eventually(it.page, lambda: [page for page in it.browser.context.pages if "/picker.html" in page.url], "the list")[-1]
    window.wait_for_selector("#list[aria-busy=false] [role=option]")
    eventually(it.page, lambda: "All Passwords" in desktop.active() and "All Passwords" in desktop.topmost(), "the list in front")
    assert "rmondello" in window.inner_text("#list")
    desktop.press("Escape")
    eventually(it.page, window.is_closed, "the end of the list")
    it.browser.hit(it.page, "h1")
    it.browser.hit(press_key(desktop, it), "#lock")
    eventually(it.page, lambda: json.loads(it.latchkey.run("status", "--json"))["locked"], "the lock")


def press_key(desktop: Desktop, it: Setting) -> Popup:
    """Opens the popup by the key that the browser has assigned."""
    it.page.wait_for_function("document.hasFocus()")
    desktop.press("alt+shift+y")
    popup = Popup(it.browser, eventually(it.page, lambda: it.browser.targets("/popup.html"), "the popup")[0])
    popup.wait("document.querySelector('#row-0') && document.activeElement?.id === 'list' && document.hasFocus()")
    return popup


@pytest.mark.parametrize("manager", SLOWLY)
def test_setting_that_protects_less_is_asked_about_in_front(begin, manager):
    desktop, it = begin(manager)
    it.page.goto(f"{ORIGIN}/windows/settings.html")
    it.page.wait_for_selector("#preference-lockOnSuspend")
    it.page.evaluate("document.querySelector('#preference-lockOnSuspend').scrollIntoView({ block: 'center' })")
    it.browser.hit(it.page, "#preference-lockOnSuspend")
    try:
        window = front(desktop, it, "Protect your passwords less? — Latchkey")
        desktop.type(PASSPHRASE)
        desktop.press("Return")
        eventually(it.page, window.is_closed, "the end of the window")
        it.page.wait_for_selector("#preference-lockOnSuspend:not(:checked)")
        assert json.loads(it.latchkey.run("status", "--json"))["preferences"]["lockOnSuspend"] is False
    finally:
        it.latchkey.run("preferences", "set", "--lock-on-suspend")

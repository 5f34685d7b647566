# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""The main job in Firefox: offered, chosen, confirmed outside the page, filled; and nothing where nothing belongs.

Firefox does not say what covers a frame or a field, so the first choice of each account is confirmed outside the page. These tests
are driven by Marionette, without what Playwright needs of the browser; all others run in Firefox, too, with `LATCHKEY_BROWSER=firefox`.
"""

import time
from contextlib import ExitStack
from functools import partial

import pytest

from conftest import SIGN_IN
from firefox import PROGRAM, eventually
from latchkey import PASSPHRASE

#: For tests that `make soak` alone runs: `make test-all` has others of the same rules in Firefox.
more = pytest.mark.soak
pytestmark = pytest.mark.skipif(not PROGRAM.exists(), reason=f"There is no {PROGRAM}; `scripts/install-dependencies test` installs it.")

#: What the extension for Firefox says of senders that the browser states so; `OWN` stands for its own origin.
SENDERS = {
    "a page": ({"url": "https://shiny.example.com/login", "origin": "https://shiny.example.com"}, "page"),
    "a page with a port": ({"url": "https://shiny.example.com:8443/", "origin": "https://shiny.example.com:8443"}, "page"),
    "a page that has been replaced by one of another origin": (
        {"url": "https://evil.example.net/", "origin": "https://shiny.example.com"}, None),
    "a page that has been replaced by one of the extension's": ({"url": "https://evil.example.net/windows/settings.html", "origin": "OWN"}, None),
    "a page at an address that begins like the extension's": ({"url": "OWN.example.net/windows/settings.html", "origin": "OWN"}, None),
    "a document of the extension": ({"url": "OWN/windows/settings.html", "origin": "OWN"}, "own"),
    "a document of the extension that has been replaced": ({"url": "OWN/windows/bar.html", "origin": "https://shiny.example.com"}, None),
    "another extension": ({"id": "other@example.net", "url": "OWN/windows/settings.html", "origin": "OWN"}, None),
    "a frame without an address": ({"url": "about:blank", "origin": "https://shiny.example.com"}, None),
    "a frame with its text": ({"url": "about:srcdoc", "origin": "https://shiny.example.com"}, None),
    "a sandboxed page": ({"url": "https://shiny.example.com/", "origin": "null"}, None),
    "a page without a document": ({"documentId": "", "url": "https://shiny.example.com/", "origin": "https://shiny.example.com"}, None),
    "nothing stated": ({"url": None, "origin": None}, None),
}


@pytest.fixture
def start(workplace, site):
    """Starts a Latchkey with accounts, and a Firefox beside it; both end with the test."""
    with ExitStack() as ending:
        yield partial(workplace.begin_in_firefox, ending)


@more
def test_one_tap_and_a_yes_fill_user_name_and_password(start, site):
    it = start()
    it.open("https://shiny.example.com/login")
    assert it.texts() == ["password for shiny.example.com rmondello"]
    it.tap()
    prompt = it.prompt()
    facts = it.text(prompt, "#facts")
    assert "shiny.example.com" in facts and "rmondello" in facts
    assert it.values() == ["", ""]
    it.accept(prompt)
    it.filled()


def test_first_choice_of_an_account_is_confirmed_outside_the_page(start, site):
    it = start()
    it.open("https://shiny.example.com/login")
    it.tap()
    prompt = it.prompt()
    eventually(lambda: "You are asked" in it.text(prompt, "#details"), "the reason")
    assert it.values() == ["", ""]
    it.accept(prompt)
    it.filled()


def test_a_covered_bar_fills_nothing_without_a_yes(start, site):
    """Where the browser says what covers a frame such a press counts as nothing. Here it is one more question."""
    cover = """<div id=cover popover=manual style='inset: 0; width: 100%; height: 100%; background: white; pointer-events: none'></div>
      <script>setInterval(() => { cover.hidePopover(); cover.showPopover() }, 100)</script>"""
    it = start()
    it.open("https://shiny.example.com/login")
    it.tap()
    it.accept(it.prompt())
    it.filled()
    it.open(site.page("/covered", SIGN_IN + cover))
    it.tap()
    assert "rmondello" in it.text(it.prompt(), "#facts")
    assert it.values() == ["", ""]


@more
def test_closing_the_window_is_a_no(start, site):
    it = start()
    it.open("https://shiny.example.com/login")
    it.tap()
    it.dismiss(it.prompt())
    # A focus in a document whose user is being asked waits for the end of that.
    it.browser.click("#password")
    it.texts()
    assert it.values() == ["", ""]


@more
def test_a_page_of_another_origin_is_offered_nothing(start, site):
    it = start()
    it.open(site.page("/login", SIGN_IN, host="shiny-example.com"))
    assert "rmondello" not in " ".join(it.texts())
    it.tap()
    # The bar has no row here. A click on it is shown and does nothing else.
    eventually(lambda: it.browser.in_bar("return document.querySelector('#rows').classList.contains('pulse')"), "the sign of a click")
    assert it.browser.windows("prompt") == []
    assert it.values() == ["", ""]


@more
def test_a_frame_without_an_address_of_its_own_is_offered_nothing(start, site):
    it = start()
    took = []
    for source in ("src='https://shiny.example.com/login'", f"srcdoc='{SIGN_IN}'"):
        it.open(site.page("/frame", f"<!doctype html><iframe width=600 height=400 {source}></iframe>"), focus=None)
        it.browser.wire.send("WebDriver:SwitchToFrame", id=0)
        it.browser.click("#user")
        assert it.browser.evaluate("return document.activeElement.id") == "user"
        it.browser.wire.send("WebDriver:SwitchToFrame", id=None)
        began = time.monotonic()
        if not took:
            it.texts()
            took.append(time.monotonic() - began)
    # The frame with an address has shown how long a bar takes to come.
    while time.monotonic() - began < 1 + 4 * took[0]:
        assert it.browser.in_bar("return document.URL") is None


def test_a_frame_of_another_site_is_asked_about_with_both_names(start, site):
    it = start()
    frame = "<!doctype html><iframe width=600 height=400 src='https://shiny.example.com/login'></iframe>"
    it.open(site.page("/frame", frame, host="around-it.com"), focus=None)
    it.browser.wire.send("WebDriver:SwitchToFrame", id=0)
    it.browser.click("#user")
    it.browser.wire.send("WebDriver:SwitchToFrame", id=None)
    it.tap()
    prompt = it.prompt()
    facts = it.text(prompt, "#facts")
    assert "shiny.example.com" in facts and "around-it.com" in facts
    it.accept(prompt)
    it.browser.wire.send("WebDriver:SwitchToFrame", id=0)
    it.filled()


@more
def test_a_tab_of_a_container_is_a_tab_of_its_own(start, site):
    """The same page outside and in a container: what is chosen in the one is filled there alone, and each is asked about."""
    it = start()
    address = "https://shiny.example.com/login"
    it.open(address)
    assert it.texts() == ["password for shiny.example.com rmondello"]
    outside = it.browser.open_in_container(address, 1)
    inside = it.browser.page
    it.browser.click("#user")
    it.tap()
    prompt = it.prompt()
    assert "shiny.example.com" in it.text(prompt, "#facts")
    it.accept(prompt)
    it.filled()
    it.browser.page = outside
    it.browser.wire.send("WebDriver:SwitchToWindow", handle=outside, focus=True)
    assert it.values() == ["", ""]
    # A question that was asked for one of them fills nothing in the other; and the one was left, so nothing there either.
    it.browser.click("#password")
    it.tap()
    prompt = it.prompt()
    it.browser.page = inside
    it.browser.wire.send("WebDriver:SwitchToWindow", handle=inside, focus=True)
    it.browser.evaluate("document.querySelector('form').reset()")
    it.accept(prompt)
    assert it.values() == ["", ""]
    it.browser.page = outside
    it.browser.wire.send("WebDriver:SwitchToWindow", handle=outside, focus=True)
    assert it.values() == ["", ""]


@more
def test_private_windows_have_it_only_where_the_user_lets_it_in(start, site):
    it = start()
    address = "https://shiny.example.com/login"
    began = time.monotonic()
    it.open(address)
    it.texts()
    took = time.monotonic() - began
    outside = it.browser.open_in_private_window(address)
    it.browser.click("#user")
    began = time.monotonic()
    while time.monotonic() - began < 1 + 4 * took:
        assert it.browser.in_bar("return document.URL") is None
    it.browser.wire.send("WebDriver:CloseWindow")
    it.browser.page = outside
    it.browser.wire.send("WebDriver:SwitchToWindow", handle=outside, focus=True)

    it.browser.let_into_private_windows()
    it.open(address)
    it.texts()
    it.browser.open_in_private_window(address)
    it.browser.click("#user")
    assert it.texts() == ["password for shiny.example.com rmondello"]
    it.tap()
    prompt = it.prompt()
    assert "shiny.example.com" in it.text(prompt, "#facts")
    it.accept(prompt)
    it.filled()
    private = it.browser.page
    # The tab beside it has none of it, and no list of open pages names the private one.
    it.browser.page = outside
    it.browser.wire.send("WebDriver:SwitchToWindow", handle=outside, focus=True)
    assert it.values() == ["", ""]
    it.browser.open(it.browser.own("windows/settings.html"))
    listed = "return chrome.runtime.sendMessage({ type: 'pages' }).then(({ result }) => result.pages.map(({ host }) => host))"
    assert private in it.browser.wire.send("WebDriver:GetWindowHandles") and it.browser.evaluate(listed) == []


@more
def test_locked(start, site):
    it = start()
    it.latchkey.lock()
    it.open("https://shiny.example.com/login")
    assert it.texts() == ["Unlock Latchkey… to see your passwords"]
    it.tap()
    it.accept(it.prompt(), PASSPHRASE)
    eventually(lambda: it.texts() == ["password for shiny.example.com rmondello"], "the rows")
    assert it.values() == ["", ""]


@more
@pytest.mark.parametrize("host", ["shiny.example.com", "shiny-example.com"])
def test_a_page_that_is_left_is_not_filled(start, site, host):
    it = start()
    it.open("https://shiny.example.com/login")
    it.tap()
    prompt = it.prompt()
    it.browser.open(site.page("/next", SIGN_IN, host=host))
    it.accept(prompt)
    it.browser.click("#user")
    it.texts()
    assert it.values() == ["", ""]


def test_a_background_page_that_was_stopped_wakes(start, site):
    it = start()
    it.open("https://shiny.example.com/login")
    it.texts()
    it.browser.stop_background()
    it.tap()
    it.accept(it.prompt())
    it.filled()


@more
def test_what_was_typed_is_saved_by_a_question_that_takes_no_focus(start, site):
    it = start()
    going = SIGN_IN.replace("<form", "<form onsubmit='event.preventDefault(); setTimeout(() => this.remove(), 50)'")
    it.open(site.page("/going", going))
    it.browser.type("anna")
    it.browser.click("#password")
    it.browser.type("typed by the user")
    it.browser.click("button")
    badge = "return [...Services.wm.getMostRecentWindow('navigator:browser').document.querySelectorAll('[badge]')].map((one) => one.getAttribute('badge'))"
    eventually(lambda: "?" in it.browser.system(badge), "the mark of a question")
    it.browser.open(it.browser.own("windows/popup.html"))
    # No window has opened by itself. (Without a desktop Firefox shows no notification.)
    assert len(it.browser.states()) == 1
    assert "anna" not in it.latchkey.run("list")
    it.browser.click("#question-0")
    it.accept(it.prompt())
    assert "anna" in it.latchkey.run("list")


@more
def test_the_toolbar_button_is_where_the_user_sees_it(start, site):
    it = start()
    place = it.browser.system("return CustomizableUI.getPlacementOfWidget(arguments[0])?.area", "latchkey_latchkey_org-browser-action")
    assert place == "nav-bar"


#: Loads the extension again, as an update does.
RELOAD = """const [done] = [...arguments].slice(-1);
  const { AddonManager } = ChromeUtils.importESModule('resource://gre/modules/AddonManager.sys.mjs');
  AddonManager.getAddonByID(arguments[0]).then((found) => found.reload()).then(() => done(true), () => done(false));"""


def test_the_first_steps(start, site):
    """That the page opens when the extension is installed is seen by each test of this file: `Firefox` waits for it, and closes it."""
    it = start()
    browser = it.browser
    look = "return [document.querySelector('#latchkey-state').innerText, document.querySelector('#button').dataset.done, document.querySelector('#browser').dataset.done]"
    browser.open(browser.own("windows/welcome.html"))
    eventually(lambda: browser.evaluate(look) == ["Latchkey is running, and AutoFill is on.", "true", "false"], "the steps")
    shown = browser.evaluate("return document.body.innerText")
    assert "“Pin to Toolbar”" in shown and "The first time for each account a window asks" in shown and "In Firefox no extension can turn off the list" in shown
    assert "then the pin beside Latchkey" not in shown and "chrome://extensions" not in shown
    assert "Alt+Shift+Y opens the same rows" in shown
    it.latchkey.lock()
    eventually(lambda: browser.evaluate(look)[0] == "Latchkey is locked.", "the lock")
    browser.click("#unlock")
    it.accept(it.prompt(), PASSPHRASE)
    eventually(lambda: browser.evaluate(look)[0] == "Latchkey is running, and AutoFill is on.", "the end of the lock")
    refused = "return chrome.runtime.sendMessage({ type: arguments[0] }).then(({ error }) => error.code)"
    for kind in ("providers", "consents", "suggestions", "list", "rules"):
        assert browser.evaluate(refused, kind) == -32601, kind


def test_the_first_steps_do_not_open_after_an_update(start, site):
    it = start()
    browser = it.browser
    browser.open("https://shiny.example.com/login")
    browser.wire.send("Marionette:SetContext", value="chrome")
    assert browser.wire.send("WebDriver:ExecuteAsyncScript", script=RELOAD, args=["latchkey@latchkey.org"])
    browser.wire.send("Marionette:SetContext", value="content")
    # The new one answers, and so has been told why it starts.
    it.open("https://shiny.example.com/login")
    it.texts()
    assert browser.windows("welcome") == []


def test_what_a_sender_has_to_be(start, site):
    it = start()
    own = it.browser.own("").rstrip("/")
    it.browser.open(f"{own}/windows/rules.html")
    for name, (stated, expected) in SENDERS.items():
        sender = {name: value and value.replace("OWN", own) for name, value in stated.items()}
        sender = {"id": "latchkey@latchkey.org", "documentId": "1", **sender}
        found = it.browser.evaluate(
            "return import(arguments[0]).then(({ isOwn, isPage }) => [isPage(arguments[1]), isOwn(arguments[1])])",
            f"{own}/background/browser.js", sender)
        assert found == [expected == "page", expected == "own"], name

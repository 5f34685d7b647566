# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""What comes into a document beside the one script that every page has: when, where, and what happens where it does not come."""

import json

import pytest

from calm import FRAMES
from browser import eventually
from conftest import RMONDELLO, SIGN_IN
from latchkey import Account

#: What each part adds to what all of them share.
HERE = "Object.entries({ outline: 'outline', took: 'offering', fill: 'filling', watch: 'settling' })" \
    ".filter(([name]) => latchkeyPage[name]).map(([, part]) => part)"
READING = ["outline", "offering"]
BRING = """async (files) => {
  const [tab] = await chrome.tabs.query({ active: true });
  const results = [];
  for (const file of files) results.push(...await chrome.scripting.executeScript({ target: { tabId: tab.id }, files: [file] }));
  return results.map(({ result }) => result);
}"""
HOSTS = "document.querySelectorAll('[popover]').length"


def parts(it):
    """Looks which parts are in the document that the page shows now."""
    run = it.browser.isolated_world()
    return lambda: run(HERE)


def come(it, here, wanted):
    eventually(it.page, lambda: here() == wanted, f"{wanted} and nothing else")


def test_nothing_comes_before_a_form_is_touched(start, site):
    it = start(fake=True)
    page = it.open(site.page("/name", SIGN_IN.replace('type="password"', "") + '<p><a href="#x">Help</a>'), focus=None)
    here = parts(it)
    page.hover("h1")
    page.click("a")
    page.evaluate("for (const type of ['focusin', 'input', 'pointermove', 'submit']) document.querySelector('#user').dispatchEvent(new Event(type, { bubbles: true }))")
    it.browser.at_rest()
    assert here() == [] and it.browser.sent("page.focused") == 0


@pytest.mark.parametrize("late", [False, True], ids=["there", "made later"])
def test_what_reads_a_page_comes_where_there_is_a_form_for_a_password(start, site, late):
    it = start(fake=True)
    page = it.open(site.page("/app", "<!doctype html><h1>Shiny</h1>") if late else "https://shiny.example.com/login", focus=None)
    here = parts(it)
    if late:
        page.evaluate("form => document.body.insertAdjacentHTML('beforeend', form)", SIGN_IN)
        page.evaluate(FRAMES)
        it.browser.at_rest()
        assert here() == []
        page.hover("button")
    come(it, here, READING)
    page.evaluate(FRAMES)
    it.browser.at_rest()
    assert here() == READING and it.latchkey.received("page.focused") == [] and page.evaluate(HOSTS) == 0


def test_what_fills_comes_with_the_list_and_not_before(start, site):
    it = start(fake=True)
    page = it.open(site.page("/search", '<form><input id="q" type="search" name="q"></form>'), focus="#q")
    here = parts(it)
    come(it, here, READING)
    it.received("page.focused")
    assert it.bar.is_absent() and here() == READING
    page.goto("https://shiny.example.com/login")
    here = parts(it)
    page.hover("#user")
    come(it, here, [*READING, "filling"])


def test_what_sees_the_end_of_a_form_comes_when_a_password_is_sent_off(start, site):
    it = start(fake=True)
    page = it.open(site.page("/stay", SIGN_IN.replace("<form", '<form onsubmit="return false"')))
    here = parts(it)
    page.fill("#user", "rmondello")
    page.press("#user", "Enter")
    it.received("page.submitted")
    it.browser.round_trip()
    it.browser.at_rest()
    assert "settling" not in here()
    page.fill("#password", "typed by hand")
    page.press("#password", "Enter")
    eventually(page, lambda: "settling" in here(), "what sees the end")
    page.evaluate("document.querySelector('form').remove()")
    it.received("page.settled")


def test_part_that_comes_twice_changes_nothing(start, site):
    it = start(fake=True, trusting=True)
    page = it.open("https://shiny.example.com/login")
    it.bar.wait("#row-0")
    worker = it.browser.worker()
    files = [f"page/{name}.js" for name in ("outline", "placing", "offering", "filling", "settling")]
    for _ in range(2):
        assert worker.evaluate(BRING, files) == [True] * 5
    # The bar that was open is still the only one, and is closed by the key that closes it.
    assert page.evaluate(HOSTS) == 1
    page.keyboard.press("Escape")
    page.wait_for_function("!document.querySelector('[popover]')")
    page.evaluate("window.inputs = 0; document.querySelector('#password').addEventListener('input', () => { inputs += 1 })")
    page.evaluate("document.activeElement.blur()")
    page.click("#user")
    it.bar.click()
    it.filled()
    assert page.evaluate("inputs") == 1 and page.evaluate(HOSTS) == 0


def test_form_is_told_as_sent_off_though_nothing_has_come(start, site):
    """As where the browser itself has filled a form, and the user presses its button before anything could come."""
    it = start(fake=True, without=("page/outline.js", "page/offering.js", "page/settling.js"))
    page = it.open("https://shiny.example.com/login")
    page.keyboard.type("rmondello")
    page.focus("#password")
    page.keyboard.type("typed by hand")
    page.keyboard.press("Enter")
    told = it.received("page.submitted")[0]
    fields = told["page"]["fields"]
    assert [value["value"]["secret"] for value in told["values"]] == ["rmondello", "typed by hand"]
    assert [(field["type"], field["id"], field["label"], field["autocomplete"]) for field in fields] == [
        ("text", "user", "Username", "username"), ("password", "password", "Password", "current-password")]
    assert told["page"]["forms"][0]["action"] == "/session"


@pytest.mark.parametrize("send", ["Enter", "button"])
def test_form_sent_off_at_once_is_asked_about_though_the_worker_sleeps(start, site, send):
    """By the time in which the worker is awake, the form is gone, and with it all that could be said of it later."""
    it = start(accounts=())
    page = it.page
    page.goto(site.page("/app", SIGN_IN.replace("<form", '<form onsubmit="this.remove(); return false"')))
    it.browser.stop_worker()
    keys = it.browser.devtools()
    button = page.locator("button").bounding_box()
    page.evaluate("document.querySelector('#user').focus()")
    keys.send("Input.insertText", {"text": "rmondello"})
    page.evaluate("document.querySelector('#password').focus()")
    keys.send("Input.insertText", {"text": "typed by hand"})

    def act():
        if send == "Enter":
            page.keyboard.press("Enter")
        else:
            it.browser.click(page, button["x"] + button["width"] / 2, button["y"] + button["height"] / 2)

    act()
    # The worker was started anew, without the hooks of these tests, so the toolbar's button is looked at instead.
    eventually(page, lambda: it.toolbar() == ("Latchkey: a question waits", "?"), "the mark on the toolbar's button")
    popup = it.browser.popup("document.querySelector('#question-0')?.innerText")
    assert "shiny.example.com" in popup.shown


def test_first_focus_in_the_moment_in_which_the_worker_is_stopped(start, site):
    it = start(fake=True)
    tools = it.browser.devtools()
    tools.send("ServiceWorker.enable")
    for field in ["#password", "#user"] * 3:
        page = it.open("https://shiny.example.com/login", focus=None)
        tools.send("ServiceWorker.stopAllWorkers")
        page.focus(field)
        it.bar.wait("#row-0")


def test_fill_that_cannot_get_in_says_so_and_sends_no_secret(start, site):
    it = start(fake=True, trusting=True, without=("page/filling.js",))
    page = it.open("https://shiny.example.com/login")
    run = it.browser.isolated_world()
    run("void (globalThis.told = [], chrome.runtime.onMessage.addListener((message) => { told.push(message.type) }))")
    it.bar.click()
    it.received("renderer.choose")
    eventually(page, lambda: "could not get into the page; nothing was filled" in " ".join(it.bar.texts()), "the reason")
    assert it.values() == ["", ""]
    assert "fill" not in run("told")
    title = "chrome.tabs.query({ url: 'https://shiny.example.com/*' }).then(([tab]) => chrome.action.getTitle({ tabId: tab.id }))"
    assert "could not get into the page" in it.browser.worker().evaluate(title)


def test_page_gets_what_it_is_to_ask_for_and_nothing_else(start, site):
    it = start(fake=True)
    it.open(site.page("/search", '<form><input id="q" type="search" name="q"></form>'), focus=None)
    run = it.browser.isolated_world()
    for part in ["filling", "page/filling.js", "background/background.js", "../manifest.json", "constructor", "__proto__", "", 7, None, ["reading"]]:
        answer = run("chrome.runtime.sendMessage({ type: 'page.needs', part: %s })" % json.dumps(part))
        assert answer["error"]["code"] == -32602, part
    assert run(HERE) == []
    assert run("chrome.runtime.sendMessage({ type: 'page.needs', part: 'reading', tab: 1, document: 'D1' })") == {"result": {"here": True}}
    assert run(HERE) == READING


def test_page_without_encryption_on_the_local_network_is_filled(start, site):
    site.page("/login", SIGN_IN, host="printer.local")
    it = start([Account("http://printer.local", "rmondello", RMONDELLO.password)])
    it.open("http://printer.local/login")
    it.tap()
    it.filled()

# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""What is typed is noticed wherever the form is: in closed components, and in frames that go away after a sign-in."""

import pytest

from browser import eventually, fill_by_keys
from conftest import SIGN_IN
from test_saving import APPLICATION, SIGN_UP, WELCOME, asked, is_silent, items, pages, password  # noqa: F401

#: A component that signs in by itself. `%s` is the mode of its root, and `%s` how it is sent off.
COMPONENT = """<!doctype html><meta charset="utf-8"><title>Sign in</title><main><x-login></x-login></main><script>
customElements.define('x-login', class extends HTMLElement { connectedCallback() {
  const root = this.attachShadow({ mode: '%s' });
  root.innerHTML = `<h1>Sign in</h1><form><p><label>Username <input id="user" autocomplete="username"></label>
    <p><label>Password <input id="password" type="password" autocomplete="current-password"></label><p><button type="%s" id="go">Log In</button></form>`;
  const done = (event) => { event.preventDefault(); document.querySelector('main').innerHTML = '<h1>Welcome</h1>'; };
  root.querySelector('form').addEventListener('submit', done);
  if (root.querySelector('button').type === 'button') root.querySelector('button').addEventListener('click', done);
  window.places = () => [...root.querySelectorAll('input, button')].map((node) => { const box = node.getBoundingClientRect(); return [box.left + 9, box.top + 9]; });
} });
</script>"""


@pytest.mark.parametrize("mode", ["closed", "open"])
@pytest.mark.parametrize("by", ["Return", "submit", "button"])
def test_sign_in_in_a_component_is_asked_about_once(start, pages, mode, by):  # noqa: F811
    it = start(accounts=())
    page = it.page
    page.goto(pages.page("/component", COMPONENT % (mode, "button" if by == "button" else "submit")))
    scripts = it.browser.scripts()
    user, secret, button = page.evaluate("places()")
    page.mouse.click(*user)
    page.keyboard.type("rmondello")
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    page.keyboard.type("typed by hand")
    page.keyboard.press("Escape")
    window = asked(it, lambda: page.keyboard.press("Enter") if by == "Return" else page.mouse.click(*button))
    assert window.input_value("#user") == "rmondello"
    it.accept(window)
    eventually(page, lambda: items(it), "the item")
    scripts.at_rest()
    assert password(it, "rmondello") == "typed by hand" and is_silent(it, settles=1)


def test_events_that_a_script_makes_in_a_closed_component_are_none(start, pages):  # noqa: F811
    it = start(accounts=())
    page = it.page
    body = (COMPONENT % ("closed", "button")).replace("window.places", """window.forge = () => {
      for (const field of root.querySelectorAll('input')) { field.value = 'forged'; field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true })); }
      root.querySelector('#password').dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, composed: true })); root.querySelector('button').click(); };
    window.places""")
    page.goto(pages.page("/component", body))
    page.mouse.click(*page.evaluate("places()[0]"))
    page.evaluate("forge()")
    page.wait_for_selector("text=Welcome")
    assert is_silent(it, settles=0) and it.browser.sent("page.submitted") == 0


OUTER = """<!doctype html><meta charset="utf-8"><title>Shiny</title><main><iframe name="inner" width="700" height="500" src="%s"></iframe></main>
<script>addEventListener('message', () => { document.querySelector('main').innerHTML = %s; });</script>"""
INNER = APPLICATION.replace("document.querySelector('main').innerHTML = '<h1>Welcome</h1>'", "parent.postMessage('done', '*')")


def sign_in_inside(it, outer):
    it.page.goto(outer)
    inner = it.page.frame_locator("iframe")
    fill_by_keys(inner.locator("#user"), "rmondello")
    fill_by_keys(inner.locator("#password"), "typed by hand")
    inner.locator("#go").press("Enter")
    it.page.wait_for_selector("iframe", state="detached")


def test_sign_in_whose_frame_is_taken_away_is_asked_about(start, pages):  # noqa: F811
    it = start(accounts=())
    pages.page("/session", "yes")
    pages.page("/inner", INNER)
    outer = pages.page("/outer", OUTER % ("/inner", "'<h1>Welcome</h1>'"))
    window = asked(it, lambda: sign_in_inside(it, outer))
    assert window.input_value("#user") == "rmondello"
    it.accept(window)
    eventually(it.page, lambda: items(it), "the item")
    assert password(it, "rmondello") == "typed by hand" and is_silent(it, settles=1)


#: Keeps the worker from learning of frames, as on a busy machine.
HOLD = """() => {
  const { getAllFrames } = chrome.webNavigation;
  const held = new Promise((resolve) => { globalThis.release = resolve; });
  chrome.webNavigation.getAllFrames = async (...values) => { await held; return getAllFrames.apply(chrome.webNavigation, values); };
  globalThis.undo = () => { globalThis.release(); chrome.webNavigation.getAllFrames = getAllFrames; };
}"""


@pytest.mark.parametrize("next_page, asks", [("<h1>Welcome</h1>", True), (SIGN_IN.replace("\n", ""), False)], ids=["welcome", "the same"])
def test_frame_that_is_gone_before_its_form_is_stored_counts_all_the_same(start, pages, next_page, asks):  # noqa: F811
    it = start(accounts=())
    pages.page("/inner", INNER)
    it.page.goto(pages.page("/outer", OUTER % ("/inner", repr(next_page))))
    inner = it.page.frame_locator("iframe")
    fill_by_keys(inner.locator("#user"), "rmondello")
    fill_by_keys(inner.locator("#password"), "typed by hand")
    it.browser.at_rest()
    worker = it.browser.worker()
    # The page takes the frame away as soon as the button is pressed.
    pages.page("/session", "yes")

    def go():
        worker.evaluate(HOLD)
        try:
            inner.locator("#go").press("Enter")
            it.page.wait_for_selector("iframe", state="detached")
        finally:
            worker.evaluate("globalThis.undo()")

    if asks:
        it.accept(asked(it, go))
        eventually(it.page, lambda: items(it), "the item")
        assert password(it, "rmondello") == "typed by hand"
    else:
        go()
        assert is_silent(it, settles=1) and items(it) == []


def test_page_that_asks_for_the_same_after_it_took_its_frame_away_is_not(start, pages):  # noqa: F811
    it = start(accounts=())
    pages.page("/session", "yes")
    pages.page("/inner", INNER)
    outer = pages.page("/outer", OUTER % ("/inner", repr(SIGN_IN.replace("\n", ""))))
    sign_in_inside(it, outer)
    assert is_silent(it, settles=1) and items(it) == []

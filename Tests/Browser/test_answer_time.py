# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""A page that measures how long its answer takes learns nothing of what is saved: the answer waits for no look-up."""

from browser import eventually

#: How long the worker does nothing else when it begins a look-up, in milliseconds.
HOLD = 5000
#: Has the extension's whole worker stand still from the moment in which it asks for rows; notes when that began and ended.
STAND_STILL = """(time) => {
  const connect = chrome.runtime.connectNative.bind(chrome.runtime);
  globalThis.stood = [];
  chrome.runtime.connectNative = (name) => {
    const port = connect(name);
    const post = port.postMessage.bind(port);
    port.postMessage = (message) => {
      if (message.method === 'renderer.suggestions' && stood.length === 0) {
        const began = Date.now();
        while (Date.now() - began < time);
        stood.push(began, Date.now());
      }
      post(message);
    };
    return port;
  };
}"""
#: What any page can see: when something is added to its root.
NOTE = """() => {
  window.seen = [];
  new MutationObserver(() => window.seen.push(Date.now())).observe(document.documentElement, { childList: true });
}"""


def test_S53_page_has_its_answer_before_the_look_up_begins(start, site):
    it = start()
    it.browser.worker().evaluate(STAND_STILL, HOLD)
    it.page.goto("https://shiny.example.com/login")
    it.page.evaluate(NOTE)
    it.page.focus("#user")
    it.page.wait_for_function("window.seen.length > 0")
    began, ended = eventually(it.page, lambda: it.browser.worker().evaluate("() => stood.length ? stood : null"), "the look-up")
    # The bar stood there while the worker could send nothing: its answer had left before.
    assert it.page.evaluate("window.seen[0]") < ended
    assert ended - began >= HOLD
    assert it.bar.texts()


def test_S53_bar_comes_while_a_look_up_does_not_end(start, site):
    site.page("/two", """<!doctype html><title>Sign in</title>
      <form><label>Username <input id="user" autocomplete="username"></label>
      <label>Password <input id="password" type="password" autocomplete="current-password"></label><button>Log In</button></form>""")
    it = start(fake=True, holds=True)
    it.page.goto("https://shiny.example.com/two")
    it.page.evaluate(NOTE)
    for field in ("#user", "#password", "#user"):
        before = it.page.evaluate("window.seen.length")
        it.page.focus(field)
        it.page.wait_for_function("before => window.seen.length > before", arg=before)
        eventually(it.page, it.bar.frames, "the bar")
    frame = it.bar.frames()[-1]
    assert frame.query_selector("#rows [role=option]") is None or "rmondello" not in frame.inner_text("#rows")
    assert len(it.latchkey.received("page.focused")) >= 3 and it.latchkey.received("renderer.suggestions")
    # The same page with an end to it.
    it.latchkey.set(holds=False)
    assert any("rmondello" in text for text in it.bar.texts("#rows [role=option]"))

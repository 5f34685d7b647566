# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""An app has its user sign in on a page, in a window of a real browser, and gets where that leads."""

import json
import os
import pty
import select
import shutil
import signal
import time

import pytest

from browser import eventually

pytestmark = pytest.mark.chromium("signing in for an app is refused in Firefox")

IDENTIFIER = "E5336VM85F.com.example.Shiny"
READY = "#interface:not(.waiting)"
PAGE = """<!doctype html><meta charset="utf-8"><title>Sign in elsewhere</title>
<a id="go" href="LINK">Continue</a>"""


class App:
    """The demo app on a terminal of its own, in a session that has windows."""

    def __init__(self, program, environment, page, callback):
        self.text = ""
        self.process, self.descriptor = pty.fork()
        if self.process == 0:
            os.execve(program, [str(program), "--web", page, callback], {**environment, "TERM": "dumb", "DISPLAY": ":99"})

    def wait(self, text: str) -> None:
        end = time.monotonic() + 60
        while text not in self.text:
            assert time.monotonic() < end, f"no {text!r} in {self.text!r}"
            if select.select([self.descriptor], [], [], 0.2)[0]:
                self.text += os.read(self.descriptor, 65536).decode(errors="replace")

    def end(self) -> None:
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        os.close(self.descriptor)


@pytest.fixture
def sign_in(start, site):
    """The app asks to have its user sign in at a page that leads to an address; the window of that page."""
    site.page("/.well-known/apple-app-site-association", json.dumps({"webcredentials": {"apps": [IDENTIFIER]}}), kind="application/json")
    it = start()
    config = it.folder / "config/latchkey"
    config.mkdir(mode=0o700, parents=True, exist_ok=True)
    (config / "fetch.json").write_text(json.dumps({
        "additionalRoots": str(site.certificate), "resolve": {"shiny.example.com:443": f"127.0.0.1:{site.port}"}}))
    program = it.folder / "shiny"
    shutil.copy(it.latchkey.bin / "latchkey-demo-app", program)
    it.open("https://shiny.example.com/login")
    it.bar.wait("#row-0")
    apps = []

    def run(link, callback):
        page = site.page("/authorize", PAGE.replace("LINK", link), host="other.example.com")
        before = set(it.browser.context.pages)
        question = it.browser.window("prompt", lambda: apps.append(App(program, it.latchkey.environment, page, callback)))
        question.wait_for_selector(READY)
        shown = question.inner_text("#interface")
        assert str(program) in shown and "other.example.com" in shown
        assert not [p for p in it.browser.context.pages if "/authorize" in p.url], "not before the user agreed"
        it.press(question, "button:text-is('Continue')")
        window = eventually(
            it.page, lambda: next((p for p in it.browser.context.pages if p not in before and "/authorize" in p.url), None), "the page")
        window.wait_for_selector("#go")
        return it, apps[-1], window

    yield run
    for app in apps:
        app.end()


def test_the_window_closes_at_the_apps_scheme(sign_in, site):
    site.page("/leave", "", host="other.example.com", status="302", Location="shiny://back?code=1&state=2")
    it, app, window = sign_in("/leave", "shiny")
    it.closes(window, lambda: window.click("#go"))
    app.wait("It led back to shiny://back?code=1&state=2")


def test_pages_on_the_way_are_not_the_end(sign_in, site):
    site.page("/next", PAGE.replace("LINK", "/leave"), host="other.example.com")
    site.page("/leave", "", host="other.example.com", status="302", Location="shiny://back")
    it, app, window = sign_in("/next?to=shiny://back", "shiny")
    window.click("#go")
    window.wait_for_url(lambda address: "/next" in address)
    window.wait_for_selector("#go[href='/leave']")
    # A tab of the user's own that goes there ends nothing.
    other = it.browser.context.new_page()
    other.goto("https://other.example.com/authorize")
    other.click("#go")
    other.wait_for_url(lambda address: "/next" in address)
    it.browser.round_trip(other)
    assert not window.is_closed()
    it.closes(window, lambda: window.click("#go"))
    app.wait("It led back to shiny://back")


def test_a_user_who_closes_the_window_has_not_signed_in(sign_in):
    it, app, window = sign_in("/nowhere", "shiny")
    window.close()
    app.wait("Nobody signed in.")


def test_the_window_goes_with_the_app(sign_in):
    it, app, window = sign_in("/nowhere", "shiny")
    os.kill(app.process, signal.SIGKILL)
    eventually(it.page, window.is_closed, "the end of the window")

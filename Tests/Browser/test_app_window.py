# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""An app that asks for itself is answered in windows of the browser's, where there are windows: neither the app nor a page sees them."""

import json
import os
import plistlib
import pty
import select
import shutil
import signal
import time
from contextlib import suppress

import pytest
from playwright.sync_api import Error

from browser import eventually
from conftest import RMONDELLO
from latchkey import PASSPHRASE

IDENTIFIER = "E5336VM85F.com.example.Shiny"
READY = "#interface:not(.waiting)"


class App:
    """The demo app on a terminal of its own, in a session that has windows."""

    def __init__(self, program, environment):
        self.text = ""
        self.process, self.descriptor = pty.fork()
        if self.process == 0:
            os.execve(program, [str(program)], {**environment, "TERM": "dumb", "DISPLAY": ":99"})

    def wait(self, text: str) -> None:
        end = time.monotonic() + 60
        while text not in self.text:
            assert time.monotonic() < end, f"no {text!r} in {self.text!r}"
            if select.select([self.descriptor], [], [], 0.2)[0]:
                self.text += os.read(self.descriptor, 65536).decode(errors="replace")

    def type(self, line: str = "") -> None:
        os.write(self.descriptor, line.encode() + b"\n")

    def end(self) -> None:
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        os.close(self.descriptor)


@pytest.fixture
def ask(start, site):
    """A Latchkey, a browser, a site that names the app, and the app, which has asked."""
    site.page("/.well-known/apple-app-site-association", json.dumps({"webcredentials": {"apps": [IDENTIFIER]}}), kind="application/json")
    it = start()
    config = it.folder / "config/latchkey"
    config.mkdir(mode=0o700, parents=True, exist_ok=True)
    (config / "fetch.json").write_text(json.dumps({
        "additionalRoots": str(site.certificate), "resolve": {"shiny.example.com:443": f"127.0.0.1:{site.port}"}}))
    program = it.folder / "shiny"
    shutil.copy(it.latchkey.bin / "latchkey-demo-app", program)
    (it.folder / "shiny.entitlements").write_bytes(plistlib.dumps({
        "application-identifier": IDENTIFIER, "com.apple.developer.associated-domains": ["webcredentials:shiny.example.com"]}))
    it.open("https://shiny.example.com/login")
    it.bar.wait("#row-0")
    apps = []

    def run():
        app = App(program, it.latchkey.environment)
        apps.append(app)
        app.wait("Username (Return for AutoFill): ")
        window = it.browser.window("prompt", app.type)
        window.wait_for_selector(READY)
        it.program = program
        return it, app, window

    yield run
    for app in apps:
        app.end()


def next_window(it, before, act):
    """Does what answers a window; returns the one that comes after it."""
    return it.browser.window("prompt", lambda: it.closes(before, act))


def test_S21_an_unknown_app_is_asked_about_and_then_filled_by_keyboard(ask):
    it, app, window = ask()
    shown = window.inner_text("#interface")
    assert str(it.program) in shown and IDENTIFIER in shown and "shiny.example.com" in shown
    passphrase = next_window(it, window, lambda: it.press(window, "button:text-is('Allow')"))
    passphrase.wait_for_selector("#passphrase")
    chooser = it.browser.window("prompt", lambda: it.accept(passphrase, PASSPHRASE))
    chooser.wait_for_selector("[role=option]")
    assert "rmondello" in chooser.inner_text("#interface") and RMONDELLO.password not in chooser.content()
    chooser.wait_for_selector(READY)

    def chosen():
        with suppress(Error):
            chooser.keyboard.press("Enter")
        return chooser.is_closed()

    # It takes no key in the moment in which it comes to the front.
    eventually(it.page, chosen, "the end of the list")
    app.wait("Username: rmondello")
    app.wait("•" * len(RMONDELLO.password))
    assert it.values() == ["", ""]
    lines = json.loads(it.latchkey.run("audit", "--json"))["lines"]
    released = [line for line in lines if line["event"] == "released"]
    assert [(line["requester"], line["act"]) for line in released] == [(f"{IDENTIFIER} at {it.program}", "window")]


def test_S28_a_no_ends_the_request_and_is_remembered(ask):
    it, app, window = ask()
    it.closes(window, lambda: window.keyboard.press("Escape"))
    app.wait("AutoFill: nothing was filled.")
    assert "Latchkey" not in app.text and "rmondello" not in app.text
    pages = len(it.browser.context.pages)
    app.type("me")
    app.wait("Password: ")
    assert len(it.browser.context.pages) == pages


def test_S25_the_window_goes_with_the_app(ask):
    it, app, window = ask()
    os.kill(app.process, signal.SIGKILL)
    eventually(it.page, window.is_closed, "the end of the window")

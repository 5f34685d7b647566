# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""A finger or a PIN that answers in the browser's window, with a stand-in for fprintd on a bus of its own."""

import sys
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Error

sys.path.append(str(Path(__file__).resolve().parents[1] / "Processes"))

from browser import eventually  # noqa: E402
from code_kit import Fingers  # noqa: E402
from conftest import SIGN_IN  # noqa: E402
from installation import until  # noqa: E402
from latchkey import PASSPHRASE  # noqa: E402


@pytest.fixture(scope="module")
def fingers():
    with Fingers() as made:
        yield made


def begun(start, server, fingers):
    server.page("/login", SIGN_IN)
    it = start(daemon=fingers.environment)
    it.latchkey.run("preferences", "set", "--fingerprint", "--fills", "always", "--passphrase-file", it.latchkey.secret)
    if not it.browser.says_what_covers:
        # The first fill of an account is an agreement, which takes the passphrase.
        it.open("https://shiny.example.com/login")
        it.tap_and_agree()
        it.filled()
    return it


@pytest.fixture(scope="module")
def user(start_for_all, server, fingers):
    return begun(start_for_all, server, fingers)


def asked(user):
    """The window that asks."""
    user.open("https://shiny.example.com/login")
    window = user.browser.window("prompt", user.bar.click)
    if not window.evaluate("document.hasFocus()"):
        window.bring_to_front()
    window.wait_for_selector("#accept:not(.early)")
    return window


@pytest.fixture
def prompt(user):
    user.browser.close_windows()
    return asked(user)


def use(fingers, prompt) -> None:
    """Presses the button, and returns when the reader waits."""
    begun = fingers.tell("calls").count("VerifyStart any")

    def is_begun():
        # A press does not count in the moment in which the window comes to the front; one presses again. While it reads it takes none.
        with suppress(Error):
            prompt.click("#use-finger:not(.early)", timeout=500)
        return fingers.tell("calls").count("VerifyStart any") > begun and fingers.tell("is_reading")

    eventually(prompt, is_begun, "the reader")


def ended(fingers, page) -> None:
    eventually(page, lambda: fingers.tell("calls")[-1] == "Release", "the end of the reader")


def test_a_finger_fills(user, fingers, prompt):
    assert not fingers.tell("is_reading"), "a finger counts only after a press that no page can make"
    use(fingers, prompt)
    assert "Touch the fingerprint reader" in prompt.inner_text("#finger-state")
    fingers.tell("status", "verify-match")
    eventually(user.page, lambda: user.page.input_value("#password") == "correct horse battery", "the password in its field")
    eventually(user.page, prompt.is_closed, "the end of the window")


def test_fingers_that_are_not_recognised_fill_nothing_and_the_passphrase_does(user, fingers, prompt):
    for _ in range(3):
        use(fingers, prompt)
        fingers.tell("status", "verify-no-match")
        ended(fingers, prompt)
        eventually(prompt, lambda: prompt.evaluate("document.querySelector('#finger').hidden || !document.querySelector('#use-finger').classList.contains('early')"), "what is said of it")
    assert prompt.locator("#finger").is_hidden() and "not recognised" in prompt.inner_text("#error")
    assert user.page.input_value("#password") == ""
    user.accept(prompt, PASSPHRASE)
    eventually(user.page, lambda: user.page.input_value("#password"), "the password in its field")


def test_a_PIN_fills_and_the_window_says_that_it_does(user, tmp_path):
    user.browser.close_windows()
    pin = tmp_path / "pin"
    pin.write_text("271828")
    user.latchkey.run("pin", "set", "--pin-file", pin, "--passphrase-file", user.latchkey.secret)
    prompt = asked(user)
    assert prompt.inner_text("#secret label") == "PIN or passphrase"
    assert prompt.inner_text("#title") == "Enter your PIN or passphrase to fill rmondello"
    user.accept(prompt, "271828")
    eventually(user.page, lambda: user.page.input_value("#password") == "correct horse battery", "the password in its field")
    user.latchkey.run("pin", "remove")


def test_the_reader_stops_when_the_window_is_left_and_when_it_is_closed(user, fingers, prompt):
    use(fingers, prompt)
    # As when another window lies in front; one that Playwright starts always believes that it has the focus.
    prompt.evaluate("document.hasFocus = () => false")
    ended(fingers, prompt)
    fingers.tell("status", "verify-match")
    prompt.evaluate("delete document.hasFocus")
    prompt.wait_for_selector("#use-finger:not(.early)")
    assert user.page.input_value("#password") == "" and not prompt.is_closed()
    use(fingers, prompt)
    prompt.close()
    ended(fingers, user.page)
    fingers.tell("status", "verify-match")
    assert user.page.input_value("#password") == ""


@pytest.mark.chromium("Firefox's protocol ends no renderer")
def test_the_reader_stops_when_the_renderer_of_the_window_ends(start, server, fingers):
    user = begun(start, server, fingers)
    prompt = asked(user)
    use(fingers, prompt)
    # It is never answered, and the bar in the page ends with it: both have one process.
    user.browser.line(prompt).post("Page.crash")
    until(lambda: fingers.tell("calls")[-1] == "Release", seconds=30)
    assert not fingers.tell("is_reading")

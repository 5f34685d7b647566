# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""A finger that answers in the browser's window, with a stand-in for fprintd on a bus of its own."""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[1] / "Processes"))

from browser import eventually  # noqa: E402
from code_kit import Fingers  # noqa: E402
from conftest import SIGN_IN  # noqa: E402
from latchkey import PASSPHRASE  # noqa: E402

pytestmark = pytest.mark.both


@pytest.fixture(scope="module")
def fingers():
    with Fingers() as made:
        yield made


@pytest.fixture(scope="module")
def user(start_for_all, server, fingers):
    server.page("/login", SIGN_IN)
    it = start_for_all(daemon=fingers.environment)
    it.latchkey.run("preferences", "set", "--fingerprint", "--authentication", "always", "--passphrase-file", it.latchkey.secret)
    return it


@pytest.fixture
def prompt(user):
    """The window that asks."""
    user.browser.close_windows()
    user.open("https://shiny.example.com/login")
    window = user.browser.window("prompt", user.bar.click)
    window.wait_for_selector("#accept:not([disabled])")
    return window


def use(fingers, prompt) -> None:
    """Presses the button, and returns when the reader waits."""
    begun = fingers.tell("calls").count("VerifyStart any")
    prompt.click("#use-finger")
    eventually(prompt, lambda: fingers.tell("calls").count("VerifyStart any") > begun and fingers.tell("is_reading"), "the reader")


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
        eventually(prompt, lambda: prompt.evaluate("document.querySelector('#finger').hidden || !document.querySelector('#use-finger').disabled"), "what is said of it")
    assert prompt.locator("#finger").is_hidden() and "not recognised" in prompt.inner_text("#error")
    assert user.page.input_value("#password") == ""
    user.accept(prompt, PASSPHRASE)
    eventually(user.page, lambda: user.page.input_value("#password"), "the password in its field")


def test_the_reader_stops_when_the_window_is_left_and_when_it_is_closed(user, fingers, prompt):
    use(fingers, prompt)
    # As when another window lies in front; one that Playwright starts always believes that it has the focus.
    prompt.evaluate("document.hasFocus = () => false")
    ended(fingers, prompt)
    fingers.tell("status", "verify-match")
    prompt.wait_for_selector("#use-finger:not([disabled])")
    assert user.page.input_value("#password") == "" and not prompt.is_closed()
    prompt.evaluate("delete document.hasFocus")
    use(fingers, prompt)
    prompt.close()
    ended(fingers, user.page)
    fingers.tell("status", "verify-match")
    assert user.page.input_value("#password") == ""

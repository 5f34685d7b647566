# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""What is heard by people who do not see the screen, with Orca in Chromium; and where the keyboard is after each thing they do.

All is done by keys of the X server. What Orca says of a thing in its own words, such as its role, is Orca's business.
"""

import sys
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[1] / "Processes"))

from browser import eventually  # noqa: E402
from code_kit import LINK  # noqa: E402
from conftest import RMONDELLO, SIGN_IN  # noqa: E402
from latchkey import PASSPHRASE, Account  # noqa: E402
from screen_reader import ScreenReader, not_installed  # noqa: E402
from test_codes import ONE  # noqa: E402
from test_saving import SIGN_UP, WELCOME, password  # noqa: E402

pytestmark = pytest.mark.chromium("Orca reads windows of Chromium here; Firefox is asked for its tree in test_accessibility")

LOGIN = "https://shiny.example.com/login"
ANNA = Account("shiny.example.com", "anna", "another one")


def arrives(it, address: str, field: str) -> None:
    """Opens a page, and goes to a field of it by Tab."""
    it.reader.opens()
    it.page.goto(address)
    # The screen reader reads a page anew once it has loaded.
    it.page.evaluate("new Promise((done) => setTimeout(done, 700))")
    it.browser.hit(it.page, "h1")
    it.page.wait_for_function("document.hasFocus()")
    while it.page.evaluate("document.activeElement.id") != field:
        it.reader.hush()
        before = it.page.evaluate("document.activeElement.id")
        it.desktop.press("Tab")
        # A key that comes while the page has just taken the focus goes nowhere; a person presses it again.
        with suppress(AssertionError):
            eventually(it.page, lambda: it.page.evaluate("document.activeElement.id") != before, "the next field", patience=5)


def goes_to(it, address: str, field: str) -> str:
    """The same; returns what was said until the bar was announced. The name of the field is not always said of a page that has just loaded."""
    arrives(it, address, field)
    said = it.reader.says(it.page, "Down goes there.")
    types(it)
    return said


def types(it) -> None:
    """Has keys go to the page, as its fields have them by themselves; where the screen reader has missed one, its own key says so."""
    for _ in range(4):
        with suppress(AssertionError):
            return eventually(it.page, it.reader.is_typing, "keys that go to the page", patience=4)
        it.desktop.press("Insert+a")
    raise AssertionError("keys stay commands of the screen reader")


@pytest.fixture(scope="module")
def desktop(workplace, server):
    """One Latchkey, and a browser beside it on a desktop with a screen reader; the tests share them."""
    if gone := not_installed("openbox"):
        pytest.skip(f"not installed: {', '.join(gone)}")
    with ExitStack() as ending:
        it = workplace.begin_on_desktop(ending, "openbox", False, (RMONDELLO, ANNA), reader=ScreenReader)
        it.desktop, it.reader = it.browser.desktop, it.browser.desktop.reader
        server.page("/login", SIGN_IN)
        # The screen reader misses what comes while it meets the browser for the first time.
        for _ in range(5):
            arrives(it, LOGIN, "user")
            with suppress(AssertionError):
                eventually(it.page, it.reader.is_typing, "keys that go to the page", patience=5)
                break
        yield it


@pytest.fixture
def it(desktop, site):
    site.page("/welcome", WELCOME)
    site.page("/session", WELCOME)
    desktop.latchkey.unlock()
    yield desktop
    desktop.browser.close_windows()


def enters(it, name: str) -> None:
    """Goes into the bar, and hears which row is marked."""
    it.browser.bar(it.page).arm()
    it.reader.hush()
    it.desktop.press("Down")
    it.reader.says(it.page, name)
    # The keyboard is in the bar for half a second before a key in it counts.
    it.browser.bar(it.page).rest(600)


def is_at(it, field: str) -> None:
    it.page.wait_for_function("(field) => document.hasFocus() && document.activeElement.id === field", arg=field)


def window(it):
    """The window that has come, once it takes an answer."""
    found = eventually(it.page, lambda: [page for page in it.browser.context.pages if "/prompt.html" in page.url], "the window")[-1]
    found.wait_for_selector("#accept:not(.early)")
    return found


def test_second_account_is_filled(it, site):
    goes_to(it, LOGIN, "user")
    assert "2 suggestions" in " ".join(it.reader.spoken())
    enters(it, "anna, password for shiny.example.com")
    it.reader.hush()
    it.desktop.press("Down")
    # The account comes first, since that is what tells the rows apart.
    it.reader.says(it.page, "rmondello, password for shiny.example.com")
    it.reader.hush()
    it.desktop.press("Return")
    it.becomes(lambda: it.values() == [RMONDELLO.user, RMONDELLO.password], "the account in its fields")
    it.reader.says(it.page, "Password")
    is_at(it, "password")


def test_letters_that_no_account_has_are_said_and_escape_leads_back(it, site):
    goes_to(it, LOGIN, "user")
    enters(it, "password for shiny.example.com")
    it.desktop.type("zz")
    it.reader.says(it.page, "No account has that in its name.")
    it.reader.hush()
    it.desktop.press("Escape")
    is_at(it, "user")
    it.browser.bar(it.page).wait_until_gone()
    it.reader.says(it.page, "Username")
    types(it)
    it.reader.hush()
    it.desktop.press("Down")
    it.reader.says(it.page, "2 suggestions")
    # The letters typed in the bar did not reach the page.
    assert it.values() == ["", ""]
    it.reader.hush()
    it.desktop.press("Tab")
    it.reader.says(it.page, "Password")


def test_unlock_says_for_which_site_and_leads_back_to_the_field(it, site):
    it.latchkey.lock()
    said = goes_to(it, LOGIN, "user")
    assert "Unlock Latchkey…" in said
    enters(it, "Unlock Latchkey…")
    it.reader.hush()
    it.desktop.press("Return")
    shown = window(it)
    it.reader.says(it.page, "Unlock Latchkey to fill", "shiny.example.com", "Passphrase")
    it.desktop.type("not the passphrase")
    it.reader.hush()
    it.desktop.press("Return")
    it.reader.says(it.page, "Wrong passphrase.")
    shown.wait_for_function("() => document.activeElement.id === 'passphrase'")
    it.desktop.type(PASSPHRASE)
    it.desktop.press("Return")
    eventually(it.page, shown.is_closed, "the end of the window")
    is_at(it, "user")
    it.reader.says(it.page, "2 suggestions")


def test_question_says_whose_account_it_is_and_where(it, site):
    it.latchkey.run("preferences", "set", "--fills", "always")
    try:
        goes_to(it, LOGIN, "user")
        bar = it.browser.bar(it.page)
        bar.wait("#row-1")
        # The one that was used last, in whatever order the tests run.
        user = next(name for name in ("anna", "rmondello") if name in bar.texts()[0])
        enters(it, user)
        it.reader.hush()
        it.desktop.press("Return")
        shown = window(it)
        it.reader.says(it.page, f"Enter your passphrase to fill {user}", "shiny.example.com")
        types(it)
        it.desktop.type(PASSPHRASE)
        it.desktop.press("Return")
        eventually(it.page, shown.is_closed, "the end of the window")
        is_at(it, "password")
    finally:
        it.latchkey.run("preferences", "set", "--fills", "never")


def test_strong_password_is_spoken_once_it_was_asked_for_and_not_before(it, site):
    goes_to(it, site.page("/join", SIGN_UP % ""), "password")
    enters(it, "Use Strong Password")
    it.desktop.press("Down")
    it.reader.says(it.page, "Show Before Using…")
    it.reader.hush()
    it.desktop.press("Return")
    shown = window(it)
    made = shown.inner_text("#made")
    it.reader.says(it.page, "Use this strong password?", "shiny.example.com", "Cancel")
    shown.wait_for_function("() => document.hasFocus() && document.activeElement.id === 'cancel'")
    while shown.evaluate("document.activeElement.id") != "read":
        it.desktop.press("shift+Tab")
        with suppress(AssertionError):
            eventually(it.page, lambda: shown.evaluate("document.activeElement.id === 'read'"), "the button", patience=5)
    shown.wait_for_selector("#accept:not(.early)")
    it.reader.says(it.page, "Read to Screen Reader")
    spelled = " ".join(made)
    said = " ".join(it.reader.spoken())
    assert made not in said and made[:6] not in said and spelled not in said
    it.reader.hush()
    it.desktop.press("Return")
    it.reader.says(it.page, spelled)
    it.desktop.press("Escape")
    eventually(it.page, shown.is_closed, "the end of the window")
    is_at(it, "password")


def test_save_is_a_question_whose_answer_the_keyboard_is_at(it, site):
    # Not by the desktop's keyboard: letters that come while the screen reader reads a page are its commands.
    it.page.goto(LOGIN)
    it.page.click("#user")
    it.page.keyboard.type("carla")
    it.page.keyboard.press("Tab")
    it.page.keyboard.type("typed by hand")
    it.page.keyboard.press("Enter")
    name = eventually(it.page, it.browser.questions, "the question")[0]
    it.reader.hush()
    shown = it.browser.bring_up(name)
    it.reader.says(it.page, "Save password?", "shiny.example.com", "carla", "Save push button")
    shown.wait_for_selector("#accept:not(.early)")
    shown.wait_for_function("() => document.activeElement.id === 'accept'")
    assert "typed by hand" not in " ".join(it.reader.spoken())
    it.desktop.press("Return")
    eventually(it.page, lambda: "carla" in it.latchkey.run("list"), "the item")
    assert password(it, "carla") == "typed by hand"


def test_code_is_said_by_whose_it_is(it, site):
    link = it.folder / "link"
    link.write_text(LINK)
    it.latchkey.run("edit", "shiny.example.com", "anna", "--otp-uri-file", link)
    goes_to(it, site.page("/one", ONE), "code")
    enters(it, "anna")
    it.desktop.press("Return")
    eventually(it.page, lambda: len(it.page.input_value("#code")) == 6, "the code")
    is_at(it, "code")

# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Preferences on the settings page; search, new passwords, the saved ones and the lock in the popup."""

import json

import pytest

from browser import ORIGIN, eventually
from conftest import RMONDELLO, SIGN_IN
from latchkey import PASSPHRASE, Account
from test_providers import all_passwords

#: Every control, and what it may be set to.
CONTROLS = """[...document.querySelectorAll('#preference-list input, #preference-list select')].map((control) =>
  [control.id, control.labels[0].innerText.split('\\n')[0], control.options ? [...control.options].map((option) => option.value) : null])"""


def preferences(it) -> dict:
    return json.loads(it.latchkey.run("status", "--json"))["preferences"]


@pytest.fixture(scope="module")
def user(start_for_all, server):
    server.page("/login", SIGN_IN)
    return start_for_all([RMONDELLO, Account("other.example.com", "zoe", "another password")])


@pytest.fixture
def page(user):
    user.latchkey.run(
        "preferences", "set", "--authentication", "after", "--idle-minutes", "10", "--lock-on-suspend", "--lock-on-screen-lock",
        "--passphrase-file", user.latchkey.secret)
    made = user.browser.context.new_page()
    made.goto(f"{ORIGIN}/windows/settings.html")
    made.wait_for_selector("#preference-autoFill")
    yield made
    made.close()


def test_each_preference_is_there_as_it_is(user, page):
    now = preferences(user)
    for control, label, values in page.evaluate(CONTROLS):
        name = control.removeprefix("preference-")
        value = page.evaluate("id => { const it = document.getElementById(id); return it.type === 'checkbox' ? it.checked : it.value; }", control)
        assert label and (value is now.get(name, False) if values is None else value == str(now[name])), control
    assert {control for control, _, _ in page.evaluate(CONTROLS)} >= {
        f"preference-{name}" for name in ("autoFill", "authentication", "idleMinutes", "lockOnScreenLock", "lockOnSuspend", "codeSeconds", "gitSave", "breachRanges")}


@pytest.mark.parametrize(("kind", "option", "text", "none"), [
    ("login", "--login-password-file", "second-hand trombone", "does not unlock"), ("pin", "--pin-file", "271828", "No PIN")])
def test_what_else_unlocks_is_said_and_ended_there(user, page, tmp_path, kind, option, text, none):
    state, button = f"#{kind}-state", f"#{kind}-off"
    assert none in page.inner_text(state) and page.locator(button).is_hidden()
    typed = tmp_path / "typed"
    typed.write_text(text)
    user.latchkey.run(kind, "enable" if kind == "login" else "set", "--passphrase-file", user.latchkey.secret, option, typed)
    page.reload()
    page.wait_for_selector(button)
    assert none not in page.inner_text(state)
    page.focus(button)
    page.keyboard.press("Enter")
    page.wait_for_selector(button, state="hidden")
    assert none in page.inner_text(state)
    now = json.loads(user.latchkey.run("status", "--json"))
    assert now["login"] == "off" and now["pin"] is False


def test_what_protects_more_is_changed_at_once(user, page):
    page.focus("#preference-idleMinutes")
    page.keyboard.press("Home")
    eventually(page, lambda: preferences(user)["idleMinutes"] == 1, "the change")
    page.wait_for_function("document.querySelector('#say').textContent.startsWith('Changed: ')")
    page.focus("#preference-authentication")
    page.keyboard.press("End")
    # With `always` there are no minutes to choose.
    page.wait_for_selector("#preference-authenticationMinutes", state="detached")
    assert preferences(user)["authentication"] == "always"


def test_what_protects_less_takes_the_passphrase_by_keyboard_alone(user, page):
    page.wait_for_selector("#preference-lockOnSuspend:checked")
    page.focus("#preference-lockOnSuspend")
    window = user.browser.window("prompt", lambda: page.keyboard.press("Space"))
    window.wait_for_selector("#accept:not(.early)")
    assert window.inner_text("#title") == "Protect your passwords less?" and "Lock before the computer sleeps: now on, afterwards off." in window.inner_text("#details")
    assert preferences(user)["lockOnSuspend"] is True
    window.keyboard.type(PASSPHRASE)
    user.closes(window, lambda: window.keyboard.press("Enter"))
    eventually(page, lambda: preferences(user)["lockOnSuspend"] is False, "the change")
    page.wait_for_selector("#preference-lockOnSuspend:not(:checked)")
    assert page.evaluate("document.activeElement.id") == "preference-lockOnSuspend"


def test_one_that_is_moved_during_a_question_stands_as_it_was(user, page):
    window = user.browser.window("prompt", lambda: page.click("#preference-lockOnScreenLock"))
    window.wait_for_selector("#accept:not(.early)")
    page.bring_to_front()
    page.click("#preference-autoFill")
    page.wait_for_selector("#preference-autoFill:checked")
    window.bring_to_front()
    window.focus("#passphrase")
    window.keyboard.type(PASSPHRASE)
    # A window ignores input for a moment after it has come to the front.
    window.wait_for_selector("#accept:not(.early)")
    user.closes(window, lambda: window.keyboard.press("Enter"))
    page.wait_for_selector("#preference-lockOnScreenLock:not(:checked)")
    assert preferences(user)["autoFill"] is True and preferences(user)["lockOnScreenLock"] is False


def test_S36_no_leaves_it_and_the_switch_as_they_were(user, page):
    window = user.browser.window("prompt", lambda: page.click("#preference-lockOnScreenLock"))
    window.wait_for_selector("#accept:not(.early)")
    user.closes(window, lambda: window.keyboard.press("Escape"))
    page.wait_for_selector("#preference-lockOnScreenLock:checked")
    assert preferences(user)["lockOnScreenLock"] is True


def test_a_change_of_the_command_lines_is_seen(user, page):
    user.latchkey.run("autofill", "off")
    try:
        page.wait_for_selector("#preference-autoFill:not(:checked)")
    finally:
        user.latchkey.run("autofill", "on")
    page.wait_for_selector("#preference-autoFill:checked")


def test_S36_scripts_press_is_none(user, page):
    page.evaluate("""() => { const one = document.querySelector('#preference-autoFill'); one.checked = false; one.dispatchEvent(new Event('change', { bubbles: true })); }""")
    page.select_option("#preference-codeSeconds", "30")  # Playwright makes the event by a script
    user.browser.at_rest()
    assert preferences(user)["codeSeconds"] == 180 and preferences(user)["autoFill"] is True


@pytest.mark.parametrize("message", ["{type: 'preferences'}", "{type: 'setPreferences', changes: {authentication: 'never'}}", "{type: 'lock'}",
                                     "{type: 'passwords'}", "{type: 'wanted'}"])
def test_S36_pages_have_none_of_it(user, server, message):
    user.page.goto("https://shiny.example.com/login")
    answer = user.browser.isolated_world()(f"chrome.runtime.sendMessage({message})")
    assert answer["error"]["code"] == -32601


def test_they_are_away_while_locked(user, page):
    user.latchkey.lock()
    try:
        page.wait_for_selector("#preferences", state="hidden")
    finally:
        user.latchkey.unlock()
    page.wait_for_selector("#preferences")


# The popup


@pytest.fixture
def popup(user):
    user.page.goto("https://shiny.example.com/login")
    return user.browser.popup("!!document.querySelector('#row-0') && document.activeElement?.id === 'list'")


def test_letters_typed_in_the_popup_are_searched_for_among_all(user, popup):
    for letter in "zoe":
        popup.press(letter)
    assert popup.evaluate("document.activeElement.id + document.activeElement.value") == "searchzoe"
    rows = popup.wait("document.querySelectorAll('#found li').length > 0 && [...document.querySelectorAll('#found li')].map(row => row.firstChild.ariaLabel)")
    assert all("zoe" in row for row in rows)


def test_where_fills_are_asked_about_the_list_has_a_window_which_asks(user, popup):
    user.latchkey.run("preferences", "set", "--fills", "always")
    try:
        popup = user.browser.popup("!!document.querySelector('#row-0')")
        popup.press("z")
        popup.wait("document.querySelector('#note').textContent === 'Press Enter to search all passwords.'")
        prompt = user.browser.window("prompt", lambda: popup.press("Enter"))
        window = next(page for page in user.browser.context.pages if "/picker.html" in page.url)
        prompt.wait_for_function("() => document.querySelector('#title').textContent === 'Show your saved passwords?'")
        user.accept(prompt, PASSPHRASE)
        window.wait_for_selector("#list[aria-busy=false] [role=option]")
        assert window.input_value("#search") == "z"
        window.close()
    finally:
        user.latchkey.run("preferences", "set", "--fills", "never")
    # It was searched for once.
    window = all_passwords(user)
    window.wait_for_selector("#list[aria-busy=false]")
    assert window.input_value("#search") == ""
    window.close()


def test_new_password_is_made_and_not_kept(user, popup):
    popup.evaluate("document.querySelector('#make').focus()")
    popup.press("Enter")
    first = popup.wait("!document.querySelector('#maker').hidden && document.querySelector('#made').textContent")
    assert len(first) >= 15 and popup.evaluate("document.activeElement.id") == "maker-title"
    seen = {first}
    popup.evaluate("document.querySelector('#another').focus()")
    for _ in range(12):
        popup.press("Enter")
        seen.add(popup.wait(f"document.querySelector('#made').textContent !== {json.dumps(first)} && document.querySelector('#made').textContent"))
    assert len(seen) > 8
    assert json.loads(user.latchkey.run("generated", "--json")) == [] and len(json.loads(user.latchkey.run("list", "--json"))) == 2
    popup.evaluate("document.querySelector('#make').focus()")
    popup.press("Enter")
    popup.wait("document.querySelector('#maker').hidden && document.querySelector('#made').textContent === '' && document.activeElement.id === 'list'")


def test_popup_leads_to_what_is_saved(user, popup):
    popup.evaluate("document.querySelector('#passwords').focus()")
    shown = user.browser.window("prompt", lambda: popup.press("Enter"))
    shown.wait_for_selector("#interface [role=option]")
    assert "rmondello" in shown.inner_text("#interface")
    shown.close()


def test_popup_locks(user, popup):
    popup.evaluate("document.querySelector('#lock').focus()")
    popup.press("Enter")
    try:
        eventually(user.page, lambda: json.loads(user.latchkey.run("status", "--json"))["locked"], "the lock")
        again = user.browser.popup("document.querySelector('#state').textContent === 'Locked'")
        assert again.evaluate("['search', 'passwords', 'lock'].every((id) => document.getElementById(id).hidden)")
    finally:
        user.latchkey.unlock()

# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""The popup's panel "What AutoFill sees": the fields of the page, and nothing else."""

import json

import pytest

from chromium import eventually
from conftest import RMONDELLO, SIGN_IN

ROWS = """[...document.querySelectorAll('#sight-fields li')].map(row => [...row.children].map(part => part.textContent))"""
OPEN = "!document.querySelector('#sight').hidden"
PAGE = """<!doctype html><html lang="en"><title>Sign in</title><h1>Sign in</h1><form>
<label>Email <input id="mail" type="email" name="email" value="%s"></label>
<label>Password <input id="secret" type="password" name="pass"></label>
<input name="website" style="position:absolute;left:-9999px"><label><input type="checkbox" name="keep"> Remember me</label>
<button>Sign in</button></form>"""


@pytest.fixture(scope="module")
def user(start_for_all, server):
    server.page("/login", SIGN_IN)
    return start_for_all()


def look(user, address: str):
    """Opens the popup over a page, and the panel in it, by keyboard alone."""
    user.page.goto(address)
    popup = user.browser.popup("document.activeElement?.id === 'list'")
    popup.press("Tab")
    popup.wait("document.activeElement.id === 'look'")
    popup.press("Enter")
    popup.wait(OPEN)
    return popup


def test_panel_shows_each_field_with_role_and_reasons(user, server):
    popup = look(user, server.page("/mail", PAGE % ""))
    rows = popup.wait(ROWS)
    assert [row[1] for row in rows] == ["username", "current-password", "no role"]
    assert rows[0][0] == "Email (#mail)" and rows[1][0] == "Password (#secret)"
    assert all(row[2] for row in rows)
    kind = popup.evaluate("document.querySelector('#sight-kind').textContent")
    assert "sign in" in kind and "1 field that nobody sees" in kind


def test_panel_is_worked_by_keyboard_and_read_by_a_screen_reader(user, server):
    popup = look(user, server.page("/mail", PAGE % ""))
    assert popup.evaluate("document.activeElement.id") == "sight-title"
    assert popup.evaluate("document.querySelector('#look').ariaExpanded") == "true"
    nodes = popup.send("Accessibility.getFullAXTree")["nodes"]
    named = [(node.get("role", {}).get("value"), node.get("name", {}).get("value")) for node in nodes if not node.get("ignored")]
    assert ("heading", "What AutoFill sees") in named and ("region", "What AutoFill sees") in named
    assert not any(name == "Passwords for this page" for _, name in named)
    popup.press("Tab")
    popup.wait("document.activeElement.id === 'sight-fields'")
    popup.press("Tab")
    popup.wait("document.activeElement.id === 'look'")
    popup.press("Enter")
    popup.wait("document.querySelector('#sight').hidden && document.activeElement.id === 'list'")


def test_panel_never_shows_values_or_what_is_saved(user, server):
    typed = "typed-by-somebody"
    user.page.goto(server.page("/login", SIGN_IN))
    user.page.fill("#user", typed)
    user.page.fill("#password", typed)
    popup = user.browser.popup("document.activeElement?.id === 'list'")
    popup.press("Tab")
    popup.press("Enter")
    popup.wait(OPEN)
    shown = popup.wait("document.querySelector('#sight').innerText")
    assert "current-password" in shown
    assert typed not in shown and RMONDELLO.user not in shown


def test_panel_works_while_locked(user, server):
    user.latchkey.lock()
    try:
        popup = look(user, server.page("/mail", PAGE % "value of the page"))
        shown = popup.wait("document.querySelector('#sight').innerText")
        assert "username" in shown and "value of the page" not in shown
    finally:
        user.latchkey.unlock()


@pytest.mark.parametrize("boxes", [1, 4, 6, 8])
def test_panel_sees_codes_in_one_field_and_in_boxes(user, server, boxes):
    fields = "".join(f'<input maxlength="1" inputmode="numeric" aria-label="Digit {n + 1}">' for n in range(boxes)) if boxes > 1 \
        else '<label>Verification code <input name="code" inputmode="numeric" maxlength="6"></label>'
    popup = look(user, server.page("/code", f"<title>Two-step verification</title><form><h1>Enter the code</h1><p>We sent a "
                                            f"{max(boxes, 6)}-digit code to your phone.</p>{fields}<button>Verify</button></form>"))
    assert [row[1] for row in popup.wait(ROWS)] == ["one-time-code"] * boxes


def test_panel_shows_words_of_a_page_as_words(user, server):
    page = '<form><label>&lt;img src=x onerror=alert(1)&gt; <input id="a&quot;&gt;&lt;b&gt;" type="password"></label></form>'
    popup = look(user, server.page("/hostile", page))
    assert "<img src=x" in popup.wait(ROWS)[0][0]
    assert popup.evaluate("document.querySelectorAll('#sight img, #sight b').length") == 0


def test_panel_says_so_where_there_is_nothing_to_see(user, server):
    popup = look(user, server.page("/plain", "<p>words"))
    eventually(user.page, lambda: "no fields" in (popup.evaluate("document.querySelector('#sight-kind').textContent") or ""), "the sentence")


def test_only_the_popup_may_look(user, server):
    """A content script reaches nothing but the page's own methods."""
    user.page.goto(server.page("/mail", PAGE % ""))
    answer = user.browser.isolated_world()("chrome.runtime.sendMessage({type: 'inspect'})")
    assert answer["error"]["code"] == -32601
    assert "fields" not in json.dumps(answer)

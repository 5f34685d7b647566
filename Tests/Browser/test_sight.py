# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""What AutoFill sees, on the settings page: the fields of a page that is open, and nothing else."""

import json

import pytest

from browser import ORIGIN
from conftest import RMONDELLO, SIGN_IN

ROWS = """[...document.querySelectorAll('#sight-fields li')].map(row => [...row.children].map(part => part.textContent))"""
LOOKED = "() => document.querySelector('#sight-kind').textContent !== ''"
PAGE = """<!doctype html><html lang="en"><title>Sign in</title><h1>Sign in</h1><form>
<label>Email <input id="mail" type="email" name="email" value="%s"></label>
<label>Password <input id="secret" type="password" name="pass"></label>
<input name="website" style="position:absolute;left:-9999px"><label><input type="checkbox" name="keep"> Remember me</label>
<button>Sign in</button></form>"""


@pytest.fixture(scope="module")
def user(start_for_all, server):
    server.page("/login", SIGN_IN)
    return start_for_all()


@pytest.fixture
def look(user):
    """Looks at a page on the settings page, by keyboard alone."""
    opened = []

    def begin(address: str | None):
        if address:
            user.page.goto(address)
        page = user.browser.context.new_page()
        opened.append(page)
        page.goto(f"{ORIGIN}/windows/settings.html")
        page.wait_for_selector("#sight-page option", state="attached")
        page.focus("#sight-page")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.id") == "sight-look"
        page.keyboard.press("Enter")
        page.wait_for_function(LOOKED)
        return page

    yield begin
    for page in opened:
        page.close()


def test_it_shows_each_field_with_role_and_reasons(look, server):
    page = look(server.page("/mail", PAGE % ""))
    rows = page.evaluate(ROWS)
    assert [row[1] for row in rows] == ["username", "current-password", "no role"]
    assert rows[0][0] == "Email (#mail)" and rows[1][0] == "Password (#secret)"
    assert all(row[2] for row in rows)
    kind = page.inner_text("#sight-kind")
    assert "sign in" in kind and "1 field that nobody sees" in kind


def test_it_is_read_by_a_screen_reader(user, look, server):
    page = look(server.page("/mail", PAGE % ""))
    nodes = user.browser.devtools(page).send("Accessibility.getFullAXTree")["nodes"]
    named = [(node.get("role", {}).get("value"), node.get("name", {}).get("value")) for node in nodes if not node.get("ignored")]
    assert ("heading", "What AutoFill sees") in named and ("region", "What AutoFill sees") in named
    assert ("combobox", "Page") in named and ("button", "Look") in named


def test_it_names_the_pages_that_are_open_and_looks_at_the_one_that_is_chosen(user, look, server):
    other = user.browser.context.new_page()
    other.goto(server.page("/code", "<title>Two-step</title><form><label>Verification code <input name='code' maxlength='6'></label></form>"))
    page = look(server.page("/mail", PAGE % ""))
    named = page.evaluate("[...document.querySelectorAll('#sight-page option')].map(option => option.textContent)")
    assert sorted(named) == ["shiny.example.com \u2014 \u2068Sign in\u2069", "shiny.example.com \u2014 \u2068Two-step\u2069"]
    page.select_option("#sight-page", label="shiny.example.com \u2014 \u2068Two-step\u2069")
    page.click("#sight-look")
    page.wait_for_function("() => document.querySelectorAll('#sight-fields li').length === 1")
    assert page.evaluate(ROWS)[0][1] == "one-time-code"
    # One that is gone by now.
    other.close()
    page.click("#sight-look")
    page.wait_for_function("() => document.querySelectorAll('#sight-fields li').length === 0")
    assert page.inner_text("#sight-kind")


def test_it_never_shows_values_or_what_is_saved(user, look, server):
    typed = "typed-by-somebody"
    user.page.goto(server.page("/login", SIGN_IN))
    user.page.fill("#user", typed)
    user.page.fill("#password", typed)
    shown = look(None).inner_text("#sight")
    assert "current-password" in shown
    assert typed not in shown and RMONDELLO.user not in shown


def test_it_works_while_locked(user, look, server):
    user.latchkey.lock()
    try:
        shown = look(server.page("/mail", PAGE % "value of the page")).inner_text("#sight")
        assert "username" in shown and "value of the page" not in shown
    finally:
        user.latchkey.unlock()


@pytest.mark.parametrize("boxes", [1, 4, 6, 8])
def test_it_sees_codes_in_one_field_and_in_boxes(look, server, boxes):
    fields = "".join(f'<input maxlength="1" inputmode="numeric" aria-label="Digit {n + 1}">' for n in range(boxes)) if boxes > 1 \
        else '<label>Verification code <input name="code" inputmode="numeric" maxlength="6"></label>'
    page = look(server.page("/code", f"<title>Two-step verification</title><form><h1>Enter the code</h1><p>We sent a "
                                     f"{max(boxes, 6)}-digit code to your phone.</p>{fields}<button>Verify</button></form>"))
    assert [row[1] for row in page.evaluate(ROWS)] == ["one-time-code"] * boxes


def test_it_shows_words_of_a_page_as_words(look, server):
    body = ("<title>\u202e)moc.knab( &lt;img src=x&gt;\u2066</title>"
            '<form><label>&lt;img src=x onerror=alert(1)&gt; <input id="a&quot;&gt;&lt;b&gt;" type="password"></label></form>')
    page = look(server.page("/hostile", body))
    assert "<img src=x" in page.evaluate(ROWS)[0][0] and page.evaluate("document.querySelector('#sight-page option').textContent") == (
        "shiny.example.com \u2014 \u2068)moc.knab( <img src=x>\u2069")
    assert page.evaluate("document.querySelectorAll('#authors img, #authors b').length") == 0


def test_it_says_so_where_there_is_nothing_to_see(look, server):
    assert "no fields" in look(server.page("/plain", "<p>words")).inner_text("#sight-kind")


@pytest.mark.parametrize("message", ["{type: 'inspect'}", "{type: 'pages'}", "{type: 'openIn', tab: 1}"])
def test_a_page_may_not_look(user, server, message):
    """A content script reaches nothing but the page's own methods."""
    user.page.goto(server.page("/mail", PAGE % ""))
    answer = user.browser.isolated_world()(f"chrome.runtime.sendMessage({message})")
    assert answer["error"]["code"] == -32601
    assert "fields" not in json.dumps(answer)


@pytest.mark.parametrize("message", ["{type: 'inspect'}", "{type: 'pages'}"])
def test_the_popup_may_not_look(user, server, message):
    user.page.goto(server.page("/mail", PAGE % ""))
    popup = user.browser.popup("document.activeElement?.id === 'list'")
    popup.evaluate(f"void chrome.runtime.sendMessage({message}).then((answer) => {{ window.told = answer; }})")
    assert popup.wait("window.told")["error"]["code"] == -32601

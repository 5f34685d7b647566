# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""All tabs share one connection to the daemon: no page, be it odd or hostile, keeps it from answering the others."""

import json

import pytest

import calm
from browser import ORIGIN, eventually
from conftest import SIGN_IN

#: Its first half is the last that a text of 160 units holds.
LONG = "x" * 159 + "🔑 and more"
#: As many texts of as many bytes as are told of a page: three bytes for each unit.
WIDE = "漢" * 200


def test_page_whose_texts_are_cut_within_a_character_gets_its_bar(start, site):
    it = start()
    body = SIGN_IN.replace("Sign in to Shiny", LONG).replace("Username", LONG).replace('action="/session"', f'action="/{"a" * 198}🔑"')
    it.open(site.page("/long", body.replace('name="user"', f'name="user" placeholder="{LONG}"')))
    it.bar.wait("#row-0")


@pytest.mark.parametrize("set_half", [
    "document.title = 'Sign in \\ud83d'", "document.querySelector('#user').placeholder = 'half \\ud83d of it'",
    "document.querySelector('h1').textContent = '\\udd11 Sign in'", "document.querySelector('form').setAttribute('action', '/\\ud83d')",
    "document.querySelector('#password').setAttribute('passwordrules', 'required: [\\ud83d]')"])
def test_page_that_sets_half_a_character_gets_its_bar(start, site, set_half):
    it = start()
    page = it.open("https://shiny.example.com/login", focus=None)
    page.evaluate(set_half)
    page.click("#user")
    it.bar.wait("#row-0")


def test_half_a_character_in_a_message_goes_no_further(start, site):
    """A renderer that was taken over needs no page for it. What was typed is never made something else."""
    it = start(fake=True)
    it.open("https://shiny.example.com/login", focus=None)
    page = "{ title: '\\ud83d', path: '/', forms: [{ id: '\\ud83d' }], fields: [{ ref: 0, type: 'password', '\\ud83d': '\\ud83d' }] }"
    run = it.browser.isolated_world()
    run("chrome.runtime.sendMessage({ type: 'page.focused', focused: 0, page: %s })" % page)
    run("chrome.runtime.sendMessage({ type: 'page.submitted', page: %s, values: [{ ref: 0, value: 'half \\ud83d' }, { ref: 1, value: 'whole 🔑' }], entries: [] })" % page)
    run("chrome.runtime.sendMessage({ type: 'page.settled', page: %s })" % page)
    # The page's own word may come before.
    told = [eventually(it.page, lambda: next((one for one in it.latchkey.received(method) if one["page"]["title"] == "\ufffd"), None), method)
            for method in ("page.focused", "page.submitted", "page.settled")]
    # It has none of the halves.
    assert json.dumps(told, ensure_ascii=False).encode()
    assert told[1]["values"] == [{"ref": 1, "value": {"secret": "whole 🔑"}}]
    assert all(one["page"]["title"] == "\ufffd" and one["page"]["fields"][0]["type"] == "password" for one in told)


@pytest.mark.parametrize("odd", [
    "{ title: { secret: 1 } }", "{ title: '', forms: [{ secret: 'x' }] }", "{ title: { secret: 'x', more: 1 } }",
    "{ title: (() => { let deep = []; for (let i = 0; i < 60; i++) deep = [deep]; return deep })() }",
    "{ title: (() => { let deep = {}; for (let i = 0; i < 60; i++) deep = { deep }; return deep })() }"])
def test_what_a_renderer_states_fails_its_own_request_alone(start, site, odd):
    """A message that the daemon cannot read at all is answered to nobody, and then all that wait are told no."""
    it = start()
    it.open("https://shiny.example.com/login", focus=None)
    run = it.browser.isolated_world()
    # The worker notes what is answered to no request.
    worker = it.browser.worker()
    before = worker.evaluate("() => calm.unread ?? 0")
    run("Promise.all(Array.from({ length: 40 }, () => chrome.runtime.sendMessage({ type: 'page.focused', focused: 0, page: %s }).catch(() => {})))" % odd)
    run("Promise.all(Array.from({ length: 40 }, () => chrome.runtime.sendMessage({ type: 'page.submitted', entries: [], page: %s, values: [{ ref: { secret: 1 }, value: 'x' }, { ref: 1e300, value: 'x' }] }).catch(() => {})))" % odd)
    it.browser.at_rest()
    assert worker.evaluate("() => calm.unread ?? 0") == before
    it.page.click("#user")
    it.bar.wait("#row-0")


def test_request_that_could_not_be_read_there_does_not_wait_for_ever(start, site):
    it = start(fake=True)
    it.open("https://shiny.example.com/login", focus=None)
    it.latchkey.set(unreadable=["renderer.status"])
    popup = it.browser.popup("document.querySelector('#state').textContent === 'Not connected'")
    assert "could not be read" in popup.evaluate("document.querySelector('#note').textContent")
    popup.press("Escape")
    it.latchkey.set(unreadable=[])
    it.browser.popup("!!document.querySelector('#row-0')")


def test_half_a_character_in_what_the_user_types_is_refused_and_ends_nothing(start, site):
    it = start()
    it.latchkey.lock()
    page = it.open("https://shiny.example.com/login")
    prompt = it.browser.window("prompt", it.bar.click)
    prompt.wait_for_selector("#accept:not(.early)")
    answer = prompt.evaluate("""() => chrome.runtime.sendMessage({ type: 'answer', accept: true, passphrase: 'half \\ud83d',
      prompt: new URLSearchParams(location.search).get('prompt') })""")
    assert answer["error"]["code"] == -32602
    assert not prompt.is_closed() and not page.is_closed()
    it.accept(prompt, "a passphrase for tests only")
    it.bar.wait("#row-0")


@pytest.mark.parametrize("text", ["'x'.repeat(1_100_000)", "'漢'.repeat(360_000)", "'<'.repeat(1_060_000)"])
def test_message_of_more_than_the_daemon_reads_is_refused_here(start, site, text):
    it = start()
    it.open("https://shiny.example.com/login")
    it.bar.wait("#row-0")
    settings = it.browser.context.new_page()
    settings.goto(f"{ORIGIN}/windows/settings.html")
    settings.evaluate("() => { window.changes = 0; chrome.runtime.onMessage.addListener(({ type }) => { changes += type === 'changed' }) }")
    other = it.browser.context.new_page()
    other.goto("https://shiny.example.com/login")
    run = it.browser.isolated_world(other)
    page = "{ title: %s, path: '/', forms: [], fields: [] }" % text
    for more in ("type: 'page.focused', focused: null", "type: 'page.submitted', values: []", "type: 'page.settled'"):
        answer = run("chrome.runtime.sendMessage({ %s, page: %s })" % (more, page))
        assert answer.get("error", {"code": -32602})["code"] == -32602
    # What the other tab has shown is still good: the connection is the same one.
    assert run("chrome.runtime.sendMessage({ type: 'page.focused', focused: null, page: { fields: [] } })")["result"]["bar"] is False
    assert settings.evaluate("changes") == 0
    for page in other, settings:
        page.close()
    it.page.bring_to_front()
    it.page.click("#user")
    it.bar.wait("#row-0")
    it.tap()
    it.filled()


def test_page_with_as_much_as_is_told_of_one_is_told_and_gets_its_bar(start, site):
    """What stands around forms is left out, of the last ones first, but never of the one that the user is at."""
    words = f'title="{WIDE}" name="{WIDE}" placeholder="{WIDE}" aria-label="{WIDE}" class="{WIDE}" autocomplete="{WIDE}" pattern="{"漢" * 500}"'
    around = f"<h2>{WIDE}</h2>" * 8 + f"<button>{WIDE}</button>" * 16 + "".join(f'<p><a href="#">{WIDE}</a>' for _ in range(16))
    forms = "".join(f'<form name="{WIDE}" class="{WIDE}" id="{number}{WIDE}"><input {words} inputmode="{WIDE}">{around}</form>' for number in range(28))
    it = start(fake=True, everything=True)
    page = it.open(site.page("/wide", '<!doctype html><meta charset="utf-8">' + forms + SIGN_IN + f"<input {words}>" * 20), focus=None)
    page.evaluate("document.querySelector('#user').scrollIntoView()")
    page.click("#user")
    it.bar.wait("#row-0")
    told = it.received("page.focused")[-1]["page"]
    assert 400_000 < len(json.dumps(told, ensure_ascii=False).encode()) < 800_000
    assert "buttons" in told["forms"][0] and "buttons" not in told["forms"][27]
    own = told["forms"][next(field["form"] for field in told["fields"] if field.get("id") == "user")]
    assert own["buttons"] == ["Log In"]


def test_page_that_moves_the_focus_over_and_over_asks_once_at_a_time(start, site):
    it = start(fake=True, holdsFields=True)
    page = it.open("https://shiny.example.com/login", focus=None)
    page.click("h1")
    page.evaluate("for (let count = 0; count < 150; count += 1) document.querySelector(count % 2 ? '#user' : '#password').focus()")
    # All have come before the first is answered: the second of these is asked after them.
    for _ in range(2):
        it.browser.isolated_world(page)(calm.NEED)
    it.latchkey.set(holdsFields=False)
    # The last one counts.
    it.bar.wait("#row-0")
    it.browser.at_rest()
    assert page.evaluate("document.activeElement.id") == "user"
    asked = it.latchkey.received("page.focused")
    assert len(asked) <= 3, len(asked)
    refs = {field["id"]: field["ref"] for field in asked[-1]["page"]["fields"]}
    assert asked[-1]["focused"] == refs["user"]
    eventually(page, lambda: "rmondello" in it.bar.texts()[0], "the row")

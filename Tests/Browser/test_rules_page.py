# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""The page on which authors of sites check their password rules."""

import json

import pytest

from browser import ORIGIN, eventually
from conftest import SIGN_IN

EXAMPLES = "[...document.querySelectorAll('#examples li')].map(row => row.textContent)"
FINDINGS = "[...document.querySelectorAll('#findings li')].map(row => [...row.children].map(part => part.textContent))"


@pytest.fixture(scope="module")
def user(start_for_all, server):
    server.page("/login", SIGN_IN)
    return start_for_all()


@pytest.fixture
def page(user):
    made = user.browser.context.new_page()
    made.goto(f"{ORIGIN}/windows/rules.html")
    eventually(made, lambda: made.text_content("#verdict"), "what is said of no rules")
    yield made
    made.close()


def facts(page) -> dict:
    """Read at once: what is said changes between two looks."""
    names, values = page.evaluate("['dt', 'dd'].map((part) => [...document.querySelectorAll(`#facts ${part}`)].map((one) => one.textContent))")
    return dict(zip(names, values))


def check(page, rules: str, canonical: str) -> dict:
    """Types rules as their author does, and returns what is said of them."""
    page.fill("#rules", rules)
    return eventually(page, lambda: (told := facts(page)).get("Rules") == canonical and told, f"what {rules} means")


def test_the_settings_page_leads_there_by_keyboard(user):
    page = user.browser.context.new_page()
    page.goto(f"{ORIGIN}/windows/settings.html")
    page.wait_for_selector("#providers > li")
    page.focus("#rules")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{ORIGIN}/windows/rules.html")
    # What is typed is where the focus is.
    page.wait_for_selector("#meaning:not([hidden])")
    page.keyboard.type("required: digit; maxlength: 6")
    eventually(page, lambda: facts(page).get("Rules") == "required: digit; allowed: digit; maxlength: 6", "the rules")
    page.close()


def test_rules_are_explained_with_ten_passwords(page):
    told = check(page, "required: upper; required: digit; allowed: [-!]; max-consecutive: 2; minlength: 12; maxlength: 14",
                 "required: upper; required: digit; allowed: upper, digit, [-!]; max-consecutive: 2; minlength: 12; maxlength: 14")
    assert told["Characters"] == "!-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    assert told["Length"] == "12 to 14" and told["In a row"] == "2 of a kind at most"
    assert 60 < int(told["Entropy"].removesuffix(" bits")) < 80 and "Warning" not in told
    assert page.inner_text("#verdict") == "These rules are read as they are written."
    examples = page.evaluate(EXAMPLES)
    assert len(set(examples)) == 10
    for example in examples:
        assert 12 <= len(example) <= 14 and set(example) <= set(told["Characters"])
        assert any(c.isupper() for c in example) and any(c.isdigit() for c in example)
    page.click("#again")
    eventually(page, lambda: not set(page.evaluate(EXAMPLES)) & set(examples), "ten others")


def test_what_is_lost_is_named_with_its_column_and_a_fix(page):
    check(page, "required: upper; allowed: [é🙂a-z]", "required: upper; allowed: upper, [az]")
    assert page.inner_text("#verdict") == "Something in these rules is lost."
    findings = page.evaluate(FINDINGS)
    assert [finding[0] for finding in findings] == ["Column 28", "Column 29", "Column 31"]
    assert all(message and fix for _, message, fix in findings) and "ranges" in findings[2][1]
    # By keyboard from the finding to the place; columns count characters, the text area counts otherwise.
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("(field => field.value.slice(field.selectionStart, field.selectionEnd))(document.activeElement)") == "-"


def test_rules_that_nothing_satisfies_say_why(page):
    told = check(page, "minlength: 9; maxlength: 8", "allowed: ascii-printable; minlength: 9; maxlength: 8")
    assert "9 characters long" in page.inner_text("#verdict") and "Entropy" not in told
    assert page.is_hidden("#made") and page.evaluate(EXAMPLES) == []
    told = check(page, "allowed: digit; maxlength: 4", "allowed: digit; maxlength: 4")
    assert "easy to guess" in told["Warning"] and page.is_visible("#made")


def test_rules_that_take_for_ever_to_count_with_end_at_once(page):
    """A text that a page could state too; see `PasswordGeneratorTests.hostileRules`."""
    letters = [chr(code) for code in range(0x21, 0x7F) if chr(code) not in "-]"]
    kinds = ["".join(letter for letter in letters if ord(letter) >> bit & 1) for bit in range(7)]
    rules = "; ".join(f"required: [{kind}]" for kind in kinds) + "; max-consecutive: 8; minlength: 900"
    page.fill("#rules", rules)
    eventually(page, lambda: "too many" in page.inner_text("#verdict"), "the refusal", patience=60)


def test_the_page_works_while_locked_and_shows_words_as_words(user, page):
    user.latchkey.lock()
    try:
        check(page, "allowed: [<b>&]", "allowed: [b&<>]")
        assert page.evaluate("document.querySelectorAll('main b').length") == 0
    finally:
        user.latchkey.unlock()


def test_nobody_else_may_ask(user, server, page):
    """Neither a content script, nor the page for anything else than rules."""
    user.page.goto(server.page("/login", SIGN_IN))
    answer = user.browser.isolated_world()("chrome.runtime.sendMessage({type: 'rules', rules: 'required: upper'})")
    assert answer["error"]["code"] == -32601 and "canonical" not in json.dumps(answer)
    for message in ({"type": "status"}, {"type": "providers"}, {"type": "suggestions", "target": {"tab": 1, "frame": 0, "document": "D"}}):
        assert page.evaluate("message => chrome.runtime.sendMessage(message)", message)["error"]["code"] == -32601
    long = page.evaluate("chrome.runtime.sendMessage({type: 'rules', rules: 'x'.repeat(5000)})")
    assert long["error"]["code"] == -32602

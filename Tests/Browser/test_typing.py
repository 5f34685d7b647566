# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""S42: a page that has its own values saved as if the user had typed them.

The browser vouches for events of input that a command of a script has made. The daemon is a stand-in that says what it was told: that
a form was sent off, which it always is, and that the form has settled, which has the user asked.
"""

import pytest

from conftest import SIGN_IN

#: The form is gone as soon as it has been sent off.
GOING = SIGN_IN.replace("<form", "<form onsubmit=\"event.preventDefault(); setTimeout(() => this.remove(), 50)\"")

PUT = """const field = document.querySelector('#password');
  const put = (text) => { field.focus(); field.select(); document.execCommand('insertText', false, text); };
  const set = (text) => { field.value = text; };"""

#: What the page does, and what the user does then.
FORGED = {
    "a command": ("put('forged by the page')", lambda page: None),
    "a command after a click": ("addEventListener('click', () => put('forged by the page'))", lambda page: page.click("h1")),
    "a command in a click": ("document.querySelector('button').addEventListener('click', () => put('forged by the page'))", lambda page: None),
    "a command in the place of a key": (
        "field.addEventListener('keydown', (event) => { event.preventDefault(); put('forged by the page'); })",
        lambda page: page.type("#password", "x")),
    "a command while a key goes down": (
        "field.addEventListener('keydown', () => put('forged by the page'))", lambda page: page.locator("#password").press("Shift")),
    "a command after a key": (
        "field.addEventListener('keydown', () => setTimeout(() => put('forged by the page')))", lambda page: page.locator("#password").press("Shift")),
    "a command before what a key puts in": (
        "field.addEventListener('beforeinput', () => put('forged by the page'), {once: true})", lambda page: page.type("#password", "xy")),
    "a command in another field's key": (
        "document.querySelector('#user').addEventListener('keydown', () => put('forged by the page'))", lambda page: page.type("#user", "x")),
    "a value in the middle of typing": (
        "field.addEventListener('input', () => { if (field.value === 'ab') set('forged by the page'); })", lambda page: page.type("#password", "abcd")),
    "a value while a key goes down": (
        "field.addEventListener('keydown', (event) => { if (event.key === 'c') set('forged by the page'); })", lambda page: page.type("#password", "abcd")),
}


def corrected(it):
    it.page.type("#password", "tiped by hand!")
    it.page.keyboard.press("Backspace")
    it.page.keyboard.press("Home")
    it.page.keyboard.press("ArrowRight")
    it.page.keyboard.press("Delete")
    it.page.keyboard.type("y")


TYPED = {
    "keys": (lambda it: it.page.type("#password", "typed by hand"), "typed by hand"), "corrections": (corrected, "typed by hand"),
}


@pytest.fixture(scope="module")
def user(start_for_all, server):
    return start_for_all(fake=True)


@pytest.fixture
def held(user, site):
    """A page into which nothing comes before `release`, as on a busy machine."""
    user.page.goto("about:blank")
    user.told = [len(user.latchkey.received(method)) for method in ("page.submitted", "page.settled")]
    with user.browser.holding() as user.release:
        user.page.goto(site.page("/going", GOING))
        user.page.click("#user")
        yield user


@pytest.fixture
def it(user, site):
    user.page.goto("about:blank")
    user.told = [len(user.latchkey.received(method)) for method in ("page.submitted", "page.settled")]
    user.page.goto(site.page("/going", GOING))
    user.page.click("#user")
    user.bar.wait("#row-0")  # by now everything has come that reads the page
    return user


def told(it, method: str) -> list[dict]:
    return it.latchkey.received(method)[it.told[method == "page.settled"]:]


def send(it) -> None:
    """Sends the form off, and waits until it is gone."""
    it.page.click("button")
    it.page.wait_for_function("!document.querySelector('form')")


@pytest.mark.parametrize("name", TYPED)
def test_what_the_user_typed_is_asked_about(it, name):
    act, value = TYPED[name]
    act(it)
    assert it.values("#password") == [value]
    send(it)
    it.received("page.settled", it.told[1] + 1)
    assert told(it, "page.submitted")[-1]["values"][-1]["value"] == {"secret": value}


def is_told_and_not_asked_about(it, site) -> None:
    """What was forged was sent off, and nobody is asked about it."""
    it.received("page.submitted", it.told[0] + 1)
    assert any("forged" in value["value"]["secret"] for one in told(it, "page.submitted") for value in one["values"])
    # The next form is the user's own. What comes of it comes after whatever came of the first.
    forged = told(it, "page.submitted")[-1]["frame"]["document"]
    it.page.wait_for_timeout(1000)
    it.page.goto(site.page("/going", GOING))
    it.page.click("#user")
    it.bar.wait("#row-0")
    it.page.type("#password", "typed by hand")
    send(it)
    it.received("page.settled", it.told[1] + 1)
    assert forged not in [one["document"] for one in told(it, "page.settled")]


@pytest.mark.parametrize("name", FORGED)
def test_S42(it, site, name):
    script, act = FORGED[name]
    it.page.type("#user", "rmondello")
    it.page.evaluate(f"() => {{ {PUT} {script} }}")
    act(it.page)
    send(it)
    is_told_and_not_asked_about(it, site)


@pytest.mark.chromium("Firefox has no button in a field for searches that empties it")
def test_S42_value_that_the_browser_took_away_again(it, site):
    """The browser empties a field for searches by an event that says nothing of what was put in: what a script put in before is not kept."""
    it.page.type("#user", "rmondello")
    it.page.evaluate(f"""() => {{ {PUT} put('forged by the page'); field.type = 'search'; }}""")
    box = it.page.locator("#password").bounding_box()
    it.page.mouse.click(box["x"] + box["width"] - 10, box["y"] + box["height"] / 2)
    it.page.wait_for_function("document.querySelector('#password').value === ''")
    send(it)
    it.received("page.submitted", it.told[0] + 1)
    assert all("forged" not in value["value"]["secret"] for one in told(it, "page.submitted") for value in one["values"])


def test_what_the_browser_itself_puts_in_is_told(it, site):
    """Steps up and down, and choices of a list, come by an event that says nothing of what was put in."""
    it.page.goto(site.page("/number", "<!doctype html><form onsubmit='event.preventDefault(); setTimeout(() => this.remove(), 50)'><label>Member number <input id=user type=number name=username autocomplete=username></label>"
                           "<label>Password <input id=password type=password autocomplete=current-password></label><button>Sign in</button></form>"))
    it.page.click("#user")
    it.page.keyboard.type("41")
    it.page.keyboard.press("ArrowUp")
    it.page.wait_for_function("document.querySelector('#user').value === '42'")
    it.page.type("#password", "typed by hand")
    send(it)
    it.received("page.settled", it.told[1] + 1)
    assert [value["value"]["secret"] for value in told(it, "page.submitted")[-1]["values"]] == ["42", "typed by hand"]


@pytest.mark.parametrize("name", TYPED)
@pytest.mark.parametrize("is_sent_before", [True, False])
def test_what_is_typed_before_anything_can_judge_it_is_asked_about(held, name, is_sent_before):
    act, value = TYPED[name]
    act(held)
    if is_sent_before:
        held.page.click("button")
    held.release()
    if not is_sent_before:
        held.browser.round_trip()
        held.page.click("button")
    held.received("page.settled", held.told[1] + 1)
    assert told(held, "page.submitted")[-1]["values"][-1]["value"] == {"secret": value}


@pytest.mark.parametrize("name", TYPED)
@pytest.mark.parametrize("method", ["get", "post"])
def test_what_a_form_takes_to_another_page_before_anything_has_come_into_its_own_is_asked_about(held, site, name, method):
    act, value = TYPED[name]
    site.page("/welcome", "<!doctype html><title>Welcome</title><p>Signed in.")
    held.page.goto(site.page("/leading", SIGN_IN.replace("<form", f"<form method={method} action=/welcome")))
    held.page.click("#user")
    act(held)
    held.page.click("button")
    held.page.wait_for_function("document.title === 'Welcome'")
    held.release()
    held.received("page.settled", held.told[1] + 1)
    assert told(held, "page.submitted")[-1]["values"][-1]["value"] == {"secret": value}


def test_form_that_is_sent_before_it_can_be_judged_is_told_once(held):
    held.page.type("#password", "typed by hand")
    held.page.click("button")
    held.release()
    held.received("page.settled", held.told[1] + 1)
    assert len(told(held, "page.submitted")) == 1


@pytest.mark.parametrize("name", FORGED)
def test_S42_before_anything_can_judge_it(held, site, name):
    script, act = FORGED[name]
    held.page.type("#user", "rmondello")
    held.page.evaluate(f"() => {{ {PUT} {script} }}")
    act(held.page)
    held.page.click("button")
    held.release()
    held.page.wait_for_function("!document.querySelector('form')")
    is_told_and_not_asked_about(held, site)

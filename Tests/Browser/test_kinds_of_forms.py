# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Forms as they are met: for each kind of page, where the saved password is offered, and what is filled.

One Latchkey and one browser serve all of it; the first release to the site is confirmed once, so that a tap fills at once.
"""

import pytest

from browser import eventually
from conftest import RMONDELLO, SIGN_IN
from latchkey import Account

USER, PASSWORD = RMONDELLO.user, RMONDELLO.password
SECOND = Account("shiny.example.com", "zelda", "another password")
NAME = '<p><label>Username <input id="user" name="user" autocomplete="username"></label>'
SECRET = '<p><label>Password <input id="password" name="password" type="password" autocomplete="current-password"></label>'
BUTTON = "<p><button>Log In</button>"
BOTH = {"#user": USER, "#password": PASSWORD}
ALONE = {"#password": PASSWORD}
NAMED = {"#user": USER}

#: A component around a piece of HTML; `deep` finds in all of them, as no page could find in closed ones that are not its own.
COMPONENTS = """<script>
const roots = [document];
const component = mode => class extends HTMLElement { connectedCallback() {
  const root = this.attachShadow({ mode }); roots.push(root);
  root.innerHTML = document.getElementById(this.getAttribute('of')).innerHTML;
} };
customElements.define('x-open', component('open'));
customElements.define('x-closed', component('closed'));
</script>"""


def page(body: str, title: str = "Sign in to Shiny") -> str:
    return f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title><body>{body}'


def form(*parts: str, end: str = BUTTON) -> str:
    return f'<form action="/session" method="post">{"".join(parts)}{end}</form>'


#: By name: the page, the field that takes the focus, and what is in its fields after a tap. All others stay empty.
FILLED = {
    "password-alone": (form("<h1>Welcome back</h1>", SECRET), "#password", ALONE),
    "password-revealed": (
        form(NAME, SECRET.replace('type="password"', 'type="text"')), "#user", NAMED),
    "password-masked": (
        form(NAME, '<p><label>Password <input id="password" name="password" type="text" style="-webkit-text-security: disc"></label>'),
        "#user", BOTH),
    "several-forms": (
        '<form role="search"><input type="search" name="q" id="search" placeholder="Search"></form>' + form(NAME, SECRET)
        + '<form><label>Newsletter <input id="mail" type="email" name="newsletter_email"></label><button>Subscribe</button></form>',
        "#user", BOTH),
    "side-by-side": (
        "<h2>Sign in</h2>" + form(NAME, SECRET) + "<h2>New here? Create an account</h2>"
        + '<form action="/register"><label>Email <input id="mail" type="email" name="email"></label><label>Choose a password '
        '<input id="chosen" type="password" name="new_password"></label><label>Confirm password <input id="again" type="password" '
        'name="confirm"></label><button>Sign up</button></form>',
        "#password", BOTH),
    "change-password": (
        form('<h1>Change your password</h1><p><label>Current password <input id="password" type="password" name="current"></label>'
             '<p><label>New password <input id="new" type="password" name="new"></label><p><label>New password again '
             '<input id="again" type="password" name="new2"></label>', end="<button>Change password</button>"),
        "#password", ALONE),
    "change-password-with-user-name": (
        form('<h1>Change your password</h1><p><label>User name <input id="user" name="username" autocomplete="username"></label>'
             '<p><label>Current password <input id="password" type="password" name="current"></label>'
             '<p><label>New password <input id="new" type="password" name="new"></label>', end="<button>Change password</button>"),
        "#password", BOTH),
    "phone-as-user-name": (
        form('<label>Mobile number <input id="user" type="tel" name="msisdn"></label>', SECRET), "#user", BOTH),
    "account-number-as-user-name": (
        form('<label>Customer number <input id="user" inputmode="numeric" name="customer_no"></label>', SECRET), "#user", BOTH),
    "no-form": (f"<div><h1>Sign in</h1>{NAME}{SECRET}</div><div role=button tabindex=0>Sign in</div>", "#user", BOTH),
    "fields-of-a-form-elsewhere": (
        '<form id="f" action="/session" method="post"></form><h1>Sign in</h1>'
        + (NAME + SECRET).replace("<input", '<input form="f"') + '<button form="f">Log In</button>', "#user", BOTH),
    "open-shadow-root": (
        f'<template id="in">{form(NAME, SECRET)}</template><x-open of="in"></x-open>{COMPONENTS}', "#user", BOTH),
    "closed-shadow-root": (
        f'<template id="in">{form(NAME, SECRET)}</template><x-closed of="in"></x-closed>{COMPONENTS}', "#user", BOTH),
    "closed-in-open-in-closed": (
        f'<template id="in">{form(NAME, SECRET)}</template><template id="mid"><x-closed of="in"></x-closed></template>'
        f'<template id="out"><x-open of="mid"></x-open></template><x-closed of="out"></x-closed>{COMPONENTS}', "#password", BOTH),
    "each-field-in-a-closed-root": (
        f'<template id="a">{NAME}</template><template id="b">{SECRET}</template><form><x-closed of="a"></x-closed>'
        f'<x-closed of="b"></x-closed>{BUTTON}</form>{COMPONENTS}', "#user", BOTH),
    "form-slotted-into-a-closed-root": (
        f'<template id="in"><section><slot></slot></section></template><x-closed of="in">{form(NAME, SECRET)}</x-closed>{COMPONENTS}',
        "#user", BOTH),
    "dialog": (f"<dialog open>{form(NAME, SECRET)}</dialog>", "#user", BOTH),
    "modal-dialog-in-a-closed-root": (
        f'<template id="in"><dialog>{form(NAME, SECRET)}</dialog></template><x-closed of="in"></x-closed>{COMPONENTS}'
        "<script>roots[1].querySelector('dialog').showModal()</script>", "#user", BOTH),
    "popover": (
        f'<div id="p" popover>{form(NAME, SECRET)}</div><script>document.getElementById("p").showPopover()</script>', "#user", BOTH),
    "popover-manual": (
        f'<div id="p" popover=manual>{form(NAME, SECRET)}</div><script>document.getElementById("p").showPopover()</script>',
        "#password", BOTH),
    "long-page": ("<p>words</p>" * 6000 + form(NAME, SECRET), "#user", BOTH),
    "many-controls": (
        form(*(f'<p><label><input type="checkbox" name="c{n}"> Option {n}</label>' for n in range(200)), end="<button>Save</button>")
        + form(NAME, SECRET), "#user", BOTH),
    "remember-me-and-honeypots": (
        form('<input name="email" style="position:absolute;left:-9999px" tabindex="-1" autocomplete="off">'
             '<input name="username" style="opacity:0;height:1px"><div style="display:none"><input type="password" name="pass"></div>'
             '<div aria-hidden="true" style="height:0;overflow:hidden"><label>Leave this empty <input name="website"></label></div>',
             NAME, SECRET, '<label><input type="checkbox" name="remember"> Remember me</label>'), "#user", BOTH),
}

#: Where a saved password has no place, and the field that takes the focus.
NOT_OFFERED = {
    "sign-up": (
        '<h1>Create an account</h1><form><label>Email <input id="mail" type="email" name="email"></label><label>Password <input '
        'id="chosen" type="password" name="password"></label><label>Confirm password <input id="again" type="password" '
        'name="password2"></label><button>Sign up</button></form>', ["#mail", "#chosen", "#again"]),
    "sign-up-beside-sign-in": (FILLED["side-by-side"][0], ["#mail", "#chosen"]),
    "new-passwords": (FILLED["change-password"][0], ["#new", "#again"]),
    "search-and-newsletter": (FILLED["several-forms"][0], ["#search", "#mail"]),
    "card": (
        '<form><h1>Payment</h1><label>Card number <input id="card" inputmode="numeric" autocomplete="cc-number"></label><label>Security '
        'code <input id="cvc" type="password" maxlength="4" autocomplete="cc-csc"></label><button>Pay</button></form>', ["#card", "#cvc"]),
    "user-name-in-a-comment": (
        '<form><h1>Leave a comment</h1><label>Your name <input id="name" name="author"></label><label>Email <input id="mail" '
        'name="email" type="email"></label><textarea name="comment"></textarea><button>Post</button></form>', ["#name", "#mail"]),
}

#: A popover may come to lie above the bar at any moment, so that a tap in one is confirmed outside the page.
CONFIRMED = {"popover", "popover-manual"}

#: What stands in the fields, by selector, and how many others are not empty.
VALUES = """wanted => {
  const known = typeof roots === 'undefined' ? [document] : roots;
  const inputs = known.flatMap(root => [...root.querySelectorAll('input, textarea')]).filter(input => !/checkbox|radio/.test(input.type));
  const found = {};
  for (const selector of wanted) found[selector] = inputs.find(input => input.matches(selector))?.value;
  const others = inputs.filter(input => !wanted.some(selector => input.matches(selector)) && input.value !== '');
  return { found, others: others.map(input => input.name || input.id) };
}"""


@pytest.fixture(scope="module")
def user(start_for_all, server):
    """Somebody with two accounts here, both of which have been filled once."""
    server.page("/login", SIGN_IN)
    it = start_for_all([RMONDELLO, SECOND])
    it.address = server.page
    for row, account in enumerate(sorted([RMONDELLO, SECOND], key=lambda one: one.user)):
        it.open("https://shiny.example.com/login")
        rows = it.bar.texts()
        number = [one.endswith(account.user) for one in rows].index(True)
        it.tap(row=number)
        it.filled(user=account.user, password=account.password)
    return it


def focus(it, selector: str) -> None:
    """Clicks a field, wherever it is; the mouse needs no way into a closed root."""
    place = """selector => { const known = typeof roots === 'undefined' ? [document] : roots;
      const field = known.map(root => root.querySelector(selector)).find(Boolean);
      if (!field) return null;
      field.scrollIntoView({ block: 'center' });
      const box = field.getBoundingClientRect(); return [box.left + box.width / 2, box.top + box.height / 2] }"""
    it.page.mouse.click(*eventually(it.page, lambda: it.page.evaluate(place, selector), selector))


def tap(it, user: str = USER) -> None:
    rows = it.bar.texts("#row-0")
    it.bar.click(next(number for number, row in enumerate(rows) if user in row))


def holds(it, expected: dict) -> None:
    """Waits until the fields hold what they should, and sees that no other holds anything."""
    def look():
        it.agree_to_a_late_press()
        return it.page.evaluate(VALUES, list(expected))["found"] == expected

    eventually(it.page, look, f"{expected}", patience=30)
    assert it.page.evaluate(VALUES, list(expected))["others"] == []


@pytest.mark.parametrize("name", FILLED)
def test_saved_password_is_offered_and_filled(user, name):
    body, field, expected = FILLED[name]
    user.page.goto(user.address(f"/{name}", page(body)))
    focus(user, field)
    if name in CONFIRMED:
        user.tap(row=next(number for number, row in enumerate(user.bar.texts("#row-0")) if USER in row))
    else:
        tap(user)
    holds(user, expected)


@pytest.mark.parametrize("name", NOT_OFFERED)
def test_saved_password_has_no_place(user, name):
    body, fields = NOT_OFFERED[name]
    user.page.goto(user.address(f"/{name}", page(body, "Shiny")))
    for field in fields:
        # The bar of the field before may lie over this one, and would be clicked.
        user.page.evaluate("document.activeElement.blur()")
        user.bar.wait_until_gone()
        focus(user, field)
        if not user.bar.is_absent():
            assert not any(one.user in row for row in user.bar.texts() for one in (RMONDELLO, SECOND)), field


def order(it) -> list[str]:
    return [account.user for row in it.bar.texts("#row-1") for account in (RMONDELLO, SECOND) if account.user in row]


@pytest.mark.parametrize("chosen", [RMONDELLO, SECOND], ids=lambda one: one.user)
def test_name_first_and_password_on_the_next_page(user, chosen):
    """The account whose name was filled comes first where its password is asked for, and says why."""
    step = form("<h1>Sign in</h1>", NAME, end="<button>Next</button>").replace("/session", "/step-2")
    user.page.goto(user.address("/step-1", page(step)))
    focus(user, "#user")
    assert not any("this account" in row for row in user.bar.texts("#row-1"))
    tap(user, chosen.user)
    holds(user, {"#user": chosen.user})
    user.address("/step-2", page(form("<h1>Enter your password</h1>", SECRET)))
    user.page.click("button")
    user.page.wait_for_url("**/step-2*")
    focus(user, "#password")
    rows = user.bar.texts("#row-1")
    assert chosen.user in rows[0] and "this account" in rows[0] and "this account" not in rows[1]
    user.bar.click(0)
    holds(user, {"#password": chosen.password})


def test_name_first_and_password_in_the_same_document(user):
    """One page that puts the second step in the place of the first, and keeps the name in a field that nobody sees."""
    script = f"""<script>document.querySelector('form').addEventListener('submit', event => {{ event.preventDefault();
      const name = document.querySelector('#user').value;
      document.querySelector('form').outerHTML = `{form("<h1>Enter your password</h1>", "<input type=hidden name=user id=kept>", SECRET)}`;
      document.querySelector('#kept').value = name }})</script>"""
    user.page.goto(user.address("/steps", page(form("<h1>Sign in</h1>", NAME, end="<button>Next</button>") + script)))
    focus(user, "#user")
    tap(user, SECOND.user)
    holds(user, {"#user": SECOND.user})
    user.page.click("button")
    focus(user, "#password")
    assert SECOND.user in user.bar.texts("#row-1")[0]
    user.bar.click(0)
    holds(user, {"#password": SECOND.password, "#kept": SECOND.user})


def test_name_is_remembered_for_its_tab_alone(user):
    user.page.goto(user.address("/name", page(form("<h1>Sign in</h1>", NAME, end="<button>Next</button>"))))
    focus(user, "#user")
    tap(user, SECOND.user)
    holds(user, {"#user": SECOND.user})
    other = user.browser.context.new_page()
    try:
        other.goto(user.address("/secret", page(form("<h1>Enter your password</h1>", SECRET))))
        other.click("#password")
        bar = user.browser.bar(other)
        assert not any("this account" in row for row in bar.texts("#row-1"))
    finally:
        other.close()
        user.page.bring_to_front()


def test_password_that_the_page_reveals_before_the_tap(user):
    user.page.goto(user.address("/reveal", page(form(NAME, SECRET) + """<button id="show" type="button"
      onclick="document.querySelector('#password').type = 'text'">Show</button>""")))
    user.page.click("#show")
    focus(user, "#user")
    tap(user)
    holds(user, {**NAMED, "#password": ""})


def test_password_that_is_longer_than_its_field(user):
    """The field keeps what it would keep of what is typed, as sites do that cut passwords when an account is made."""
    user.page.goto(user.address("/short", page(form(NAME, SECRET.replace("<input", f'<input maxlength="{len(PASSWORD) - 1}"')))))
    focus(user, "#user")
    tap(user)
    holds(user, {**BOTH, "#password": PASSWORD[:-1]})


def test_form_that_appears_late_in_a_closed_root(user):
    body = f'<template id="in">{form(NAME, SECRET)}</template><main></main>{COMPONENTS}' \
           "<script>setTimeout(() => { document.querySelector('main').innerHTML = '<x-closed of=in></x-closed>' }, 200)</script>"
    user.page.goto(user.address("/late-closed", page(body)))
    user.page.wait_for_function("roots.length > 1")
    focus(user, "#password")
    tap(user)
    holds(user, BOTH)


def test_framework_that_builds_its_form_anew_at_every_keystroke(user):
    """As a component does whose key changes: after each event the old fields are gone, and new ones hold the state."""
    body = """<div id="app"></div><script>
    const state = { user: '', password: '' };
    const render = () => { document.querySelector('#app').innerHTML = `<form><h1>Sign in</h1>
      <label>Username <input id="user" name="user" value="${state.user}"></label>
      <label>Password <input id="password" name="password" type="password" value="${state.password}"></label><button>Log In</button></form>` };
    document.addEventListener('input', event => { state[event.target.id] = event.target.value; render() });
    render();
    </script>"""
    user.page.goto(user.address("/rendered", page(body)))
    focus(user, "#user")
    tap(user)
    holds(user, BOTH)
    assert user.page.evaluate("state") == {"user": USER, "password": PASSWORD}


def test_page_that_swaps_its_inputs_for_others_of_the_same_look(user):
    """The fields that were described are replaced before the tap: by name and label they are the same."""
    user.page.goto(user.address("/swapped", page(form(NAME, SECRET))))
    focus(user, "#user")
    # Whoever stands first: the others need a larger bar, whose key is pressed before.
    first = user.bar.texts("#row-0")[0]
    account = next(account for account in (RMONDELLO, SECOND) if first.endswith(account.user))
    user.bar.arm()
    user.page.evaluate("for (const field of document.querySelectorAll('input')) if (field.id === 'password') field.replaceWith(field.cloneNode())")
    user.bar.click()

    def outcome():
        user.agree_to_a_late_press()
        if user.page.evaluate("document.querySelector('#password').value"):
            return "filled"
        said = [frame.evaluate("document.body.innerText") for frame in user.bar.frames()]
        return any("Too early" in text for text in said) and "early"

    # Firefox makes the bar anew, and the user who presses meanwhile is told to try once more.
    if eventually(user.page, outcome, "a fill, or what is said instead") == "early":
        number = eventually(
            user.page, lambda: next((number for number, row in enumerate(user.bar.texts(), 1) if account.user in row), None), "the row")
        user.bar.click(number - 1)
    holds(user, {"#user": account.user, "#password": account.password})

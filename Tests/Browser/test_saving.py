# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""What the user types is saved at the right place when the user says so, and strong passwords are made, kept and recovered."""

import json

import pytest

from calm import FRAMES
from browser import eventually
from conftest import RMONDELLO, SIGN_IN
from latchkey import PASSPHRASE, Account
from provider_bundle import install_saver

WELCOME = "<!doctype html><title>Shiny</title><h1>Welcome</h1><p>You are signed in."
SIGN_UP = """<!doctype html><meta charset="utf-8"><title>Create your account</title><h1>Create an account</h1>
<form action="/welcome" method="post">
<p><label>Email <input id="user" name="email" type="email" autocomplete="username"></label>
<p><label>Password <input id="password" name="password" type="password" autocomplete="new-password" passwordrules="%s"></label>
<p><label>Repeat the password <input id="again" name="again" type="password" autocomplete="new-password"></label>
<p><button>Sign Up</button></form>"""
CHANGE = """<!doctype html><meta charset="utf-8"><title>Change your password</title><h1>Change your password</h1>
<form action="/welcome" method="post">
<p><label>Current password <input id="old" type="password" autocomplete="current-password"></label>
<p><label>New password <input id="password" type="password" autocomplete="new-password"></label>
<p><label>Repeat the new password <input id="again" type="password" autocomplete="new-password"></label>
<p><button>Change Password</button></form>"""
#: A page that signs in without leaving: the answer of the server decides what it shows.
APPLICATION = """<!doctype html><meta charset="utf-8"><title>Sign in</title><main><h1>Sign in</h1>
<p><label>Username <input id="user" autocomplete="username"></label>
<p><label>Password <input id="password" type="password" autocomplete="current-password"></label>
<p><button type="button" id="go">Log In</button><p id="error"></main>
<script>document.querySelector('#go').onclick = async () => {
  const answer = await fetch('/session', { method: 'POST' }).then((response) => response.text());
  if (answer === 'yes') document.querySelector('main').innerHTML = '<h1>Welcome</h1>';
  else { document.querySelector('#error').textContent = 'Wrong.'; document.querySelector('#password').value = ''; }
}</script>"""


@pytest.fixture
def pages(site):
    site.page("/session", WELCOME)
    site.page("/welcome", WELCOME)
    return site


def items(it) -> list[dict]:
    return json.loads(it.latchkey.run("list", "--json"))


def password(it, user: str, service: str = "shiny.example.com") -> str:
    return it.latchkey.run("show", service, user, "--only-password", "--passphrase-file", it.latchkey.secret).rstrip("\n")


def generated(it) -> list[dict]:
    return json.loads(it.latchkey.run("generated", "--json"))


def audit(it) -> list[dict]:
    return json.loads(it.latchkey.run("audit", "--json"))["lines"]


def sign_in(it, user: str, secret: str, address: str = "https://shiny.example.com/login"):
    it.page.goto(address)
    it.page.fill("#user", user)
    it.page.fill("#password", secret)
    it.page.press("#password", "Enter")


def asked(it, act):
    """The window of a question that an act brings about, once it takes an answer."""
    window = it.browser.question(act)
    window.wait_for_selector("#accept:not(.early)")
    return window


def is_silent(it, settles: int | None = None, stays=None) -> bool:
    """Whether nothing is asked, once whatever would ask has been decided.

    That is after the daemon was told so often that a form is gone; `stays` are the scripts of a document whose form stays, and
    which have looked at it again and again.
    """
    if settles is not None:
        eventually(it.page, lambda: it.browser.sent("page.settled") >= settles, f"{settles} forms that are gone")
    if stays:
        stays.looked()
    before = it.browser.got("browser.present")
    it.quiet()
    assert settles is None or it.browser.sent("page.settled") == settles
    return it.browser.got("browser.present") == before and not [page for page in it.browser.context.pages if "/prompt.html" in page.url]


def test_the_question_says_where_saved_passwords_are_seen_and_removed(start, pages):
    it = start(accounts=())
    window = asked(it, lambda: sign_in(it, "rmondello", "typed by hand"))
    assert "see and remove it in Latchkey’s settings" in window.inner_text("#details")


@pytest.mark.main
@pytest.mark.main_in_firefox
def test_first_save_by_keyboard_alone(start, pages):
    it = start(accounts=())
    window = asked(it, lambda: sign_in(it, "rmondello", "typed by hand"))
    # What says below that nothing is asked would have seen this.
    assert it.browser.got("browser.present") == 1 and it.browser.sent("page.settled") == 1
    assert window.inner_text("#title") == "Save password?"
    facts = window.inner_text("#facts")
    assert "shiny.example.com" in facts and "Passwords" in facts and window.input_value("#user") == "rmondello"
    assert "typed by hand" not in window.content()
    window.wait_for_function("() => document.activeElement.id === 'accept'")
    it.closes(window, lambda: window.keyboard.press("Enter"))
    eventually(it.page, lambda: items(it), "the item")
    assert [(item["user"], item["services"]) for item in items(it)] == [("rmondello", ["shiny.example.com"])]
    assert password(it, "rmondello") == "typed by hand"
    assert any(line["event"] == "saved" for line in audit(it))
    # What is saved is known the next time, and nobody is asked.
    sign_in(it, "rmondello", "typed by hand")
    it.page.wait_for_selector("text=Welcome")
    assert is_silent(it, settles=2)


def test_keyboard_stays_at_not_now(start, pages):
    it = start(accounts=())
    window = asked(it, lambda: sign_in(it, "rmondello", "typed by hand"))
    window.wait_for_function("() => document.activeElement.id === 'accept'")
    window.keyboard.press("Shift+Tab")
    assert window.evaluate("document.activeElement.id") == "cancel"
    # The window counts anew, as after the keyboard was in the browser's own buttons.
    window.evaluate("dispatchEvent(new Event('focus'))")
    window.wait_for_selector("#accept.early")
    window.wait_for_selector("#accept:not(.early)")
    assert window.evaluate("document.activeElement.id") == "cancel"


def test_s31_question_takes_no_focus_from_the_page(start, pages):
    """S31: a page does not learn from its own focus that something is asked, and so what is not saved."""
    it = start(accounts=())
    pages.page("/session", "yes")
    it.page.goto(pages.page("/app", APPLICATION))
    it.page.evaluate("window.seen = []; for (const name of ['blur', 'focus']) addEventListener(name, (e) => { if (e.target === window) window.seen.push(name) });"
                     "document.addEventListener('visibilitychange', () => window.seen.push('visibility'))")
    it.page.fill("#user", "rmondello")
    it.page.fill("#password", "typed by hand")
    it.page.press("#go", "Enter")
    [name] = eventually(it.page, it.browser.questions, "a question")
    it.browser.at_rest()
    it.page.evaluate(FRAMES)
    assert it.page.evaluate("window.seen") == []
    assert not [page for page in it.browser.context.pages if "/prompt.html" in page.url]
    eventually(it.page, lambda: it.toolbar() == ("Latchkey: a question waits", "?"), "the mark on the toolbar's button")
    # The window is the user's own act, and in front.
    window = it.browser.bring_up(name)
    assert window.evaluate("chrome.windows.getCurrent().then((own) => own.focused)") is True


def test_question_waits_in_the_popup(start, pages):
    it = start(accounts=())
    sign_in(it, "rmondello", "typed by hand")
    eventually(it.page, it.browser.questions, "a question")
    popup = it.browser.popup("document.querySelector('#question-0')?.innerText")
    assert "shiny.example.com" in popup.shown


def test_question_is_kept_over_a_lock(start, pages):
    it = start(accounts=())
    sign_in(it, "rmondello", "typed by hand")
    before = eventually(it.page, it.browser.questions, "a question")
    it.latchkey.lock()
    [name] = eventually(it.page, lambda: [one for one in it.browser.questions() if one not in before], "the question after the lock")
    window = it.browser.bring_up(name)
    window.wait_for_selector("#accept:not(.early)")
    assert "Unlock" in window.inner_text("#accept")
    unlock = it.browser.question(lambda: it.accept(window))
    save = it.browser.question(lambda: it.accept(unlock, PASSPHRASE))
    it.accept(save)
    eventually(it.page, lambda: items(it), "the item")
    assert password(it, "rmondello") == "typed by hand"


def test_question_ends_with_its_tab(start, pages):
    it = start(accounts=())
    other = it.browser.context.new_page()
    other.goto("https://shiny.example.com/login")
    other.fill("#user", "rmondello")
    other.fill("#password", "typed by hand")
    other.press("#password", "Enter")
    eventually(it.page, it.browser.questions, "a question")
    other.close()
    eventually(it.page, lambda: it.browser.questions() == [], "the end of the question")
    assert it.toolbar()[1] == "" and items(it) == []


def test_second_password_of_a_site_takes_the_place_of_the_first(start, pages):
    it = start(accounts=())
    sign_in(it, "rmondello", "the first")
    [first] = eventually(it.page, it.browser.questions, "a question")
    sign_in(it, "rmondello", "the second")
    [name] = eventually(it.page, lambda: [one for one in it.browser.questions() if one != first], "the second question")
    assert it.browser.questions() == [name]
    window = it.browser.bring_up(name)
    it.accept(window)
    eventually(it.page, lambda: items(it), "the item")
    assert password(it, "rmondello") == "the second"


@pytest.mark.main
def test_update_of_one_of_two_accounts(start, pages):
    it = start(accounts=[RMONDELLO, Account("shiny.example.com", "other", "the other one")])
    window = asked(it, lambda: sign_in(it, "rmondello", "a newer one"))
    assert window.inner_text("#title") == "Update password?"
    it.accept(window)
    eventually(it.page, lambda: password(it, "rmondello") == "a newer one", "the update")
    assert password(it, "other") == "the other one"
    assert len(items(it)) == 2
    history = json.loads(it.latchkey.run("show", "shiny.example.com", "rmondello", "--history", "--json",
                                         "--passphrase-file", it.latchkey.secret))["history"]
    assert [change["password"] for change in history] == [RMONDELLO.password]


def test_other_host_of_the_site_is_never_updated(start, pages):
    """S13: what was saved for another host stays as it is; the password is saved anew."""
    it = start(accounts=[Account("other.example.com", "rmondello", "of the other host")])
    window = asked(it, lambda: sign_in(it, "rmondello", "typed by hand"))
    assert window.inner_text("#title") == "Save password?"
    it.accept(window)
    eventually(it.page, lambda: len(items(it)) == 2, "the item")
    assert password(it, "rmondello", "other.example.com") == "of the other host"


def test_page_that_signs_in_by_fetch(start, pages):
    it = start(accounts=())
    pages.page("/session", "yes")
    it.page.goto(pages.page("/app", APPLICATION))
    it.page.fill("#user", "rmondello")
    it.page.fill("#password", "typed by hand")
    it.accept(asked(it, lambda: it.page.click("#go")))
    eventually(it.page, lambda: items(it), "the item")
    assert password(it, "rmondello") == "typed by hand"


def test_form_that_goes_while_the_server_is_asked_and_comes_back_asks_nothing(start, pages):
    it = start(accounts=())
    page = """<!doctype html><meta charset="utf-8"><title>Sign in</title><main></main><script>
      const main = document.querySelector('main'), form = (error) => {
        main.innerHTML = `<p role="alert">${error}</p><form><label>Username <input id="user" autocomplete="username"></label>
          <label>Password <input id="password" type="password" autocomplete="current-password"></label><button id="go">Log In</button></form>`;
        document.querySelector('form').onsubmit = (event) => { event.preventDefault(); main.innerHTML = '<p>Logging you in…</p>';
          setTimeout(() => form('That is not right.'), 1800); } };
      form('');
    </script>"""
    it.page.goto(pages.page("/back", page))
    it.page.fill("#user", "rmondello")
    it.page.fill("#password", "typed by hand")
    it.page.click("#go")
    it.page.wait_for_selector("main:not(:has(form))")
    it.page.wait_for_selector("#password")
    assert is_silent(it, settles=1) and it.browser.got("browser.present") == 0


def test_rejected_login_does_not_replace_a_good_password(start, pages):
    it = start()
    pages.page("/session", SIGN_IN.replace("<h1>", "<p>That is not right.<h1>"))
    sign_in(it, "rmondello", "mistyped")
    it.page.wait_for_selector("text=That is not right.")
    assert is_silent(it, settles=1)
    # By fetch, too, where the form stays.
    pages.page("/session", "no")
    it.page.goto(pages.page("/app", APPLICATION))
    scripts = it.browser.scripts()
    it.page.fill("#user", "rmondello")
    it.page.fill("#password", "mistyped")
    it.page.click("#go")
    it.page.wait_for_selector("text=Wrong.")
    assert is_silent(it, settles=1, stays=scripts)
    assert password(it, "rmondello") == RMONDELLO.password


def test_two_steps_keep_user_name_and_password_together(start, pages):
    it = start(accounts=())
    first = pages.page("/first", """<!doctype html><title>Sign in</title><h1>Sign in</h1><form action="/second" method="post">
      <label>Username <input id="user" autocomplete="username"></label><button>Next</button></form>""")
    pages.page("/second", """<!doctype html><title>Sign in</title><h1>Enter your password</h1><form action="/welcome" method="post">
      <label>Password <input id="password" type="password" autocomplete="current-password"></label><button>Log In</button></form>""")
    it.page.goto(first)
    it.page.fill("#user", "rmondello")
    it.page.click("button")
    it.page.fill("#password", "typed by hand")
    window = asked(it, lambda: it.page.click("button"))
    assert window.input_value("#user") == "rmondello"
    it.accept(window)
    eventually(it.page, lambda: items(it), "the item")
    assert password(it, "rmondello") == "typed by hand"


def test_user_name_is_corrected_before_it_is_saved(start, pages):
    it = start(accounts=())
    window = asked(it, lambda: sign_in(it, "rmondelo", "typed by hand"))
    window.focus("#user")
    # What no item can have is refused where it stands, and the question stays.
    window.fill("#user", "rmon\x01dello")
    window.keyboard.press("Enter")
    eventually(window, lambda: "control characters" in window.inner_text("#error"), "the refusal")
    assert window.evaluate("document.activeElement.id") == "user" and items(it) == []
    window.fill("#user", "  rmondello@example.com ")
    it.closes(window, lambda: window.keyboard.press("Enter"))
    eventually(it.page, lambda: items(it), "the item")
    assert [item["user"] for item in items(it)] == ["rmondello@example.com"]
    assert password(it, "rmondello@example.com") == "typed by hand"


def test_user_name_corrected_to_that_of_an_account_updates_it_after_a_question_that_says_so(start, pages):
    it = start()
    first = asked(it, lambda: sign_in(it, "rmondelo", "a newer one"))
    assert first.inner_text("#title") == "Save password?"
    first.fill("#user", "rmondello")
    second = asked(it, lambda: it.closes(first, lambda: first.click("#accept:not(.early)")))
    assert second.inner_text("#title") == "Update password?" and "rmondello" in second.inner_text("#facts")
    assert second.is_hidden("#user")
    it.closes(second, lambda: second.click("#cancel"))
    assert password(it, "rmondello") == RMONDELLO.password and len(items(it)) == 1


def test_s31_form_that_stays_is_saved_only_when_the_user_says_so(start, pages):
    """S31: whether a site that leaves its form there has taken the password cannot be seen, so only the user can have it saved."""
    it = start(accounts=())
    pages.page("/session", "yes")
    it.page.goto(pages.page("/app", APPLICATION.replace("document.querySelector('main').innerHTML = '<h1>Welcome</h1>'",
                                                        "document.querySelector('#error').textContent = 'Welcome'")))
    popup = it.browser.popup("document.querySelector('#note').textContent.startsWith('No sign-in form here')")
    assert popup.evaluate("!!document.querySelector('#save-submitted')") is False
    popup.press("Escape")
    scripts = it.browser.scripts()
    it.page.fill("#user", "rmondello")
    it.page.fill("#password", "typed by hand")
    it.page.click("#go")
    it.page.wait_for_selector("text=Welcome")
    assert is_silent(it, settles=0, stays=scripts)
    # Neither can the page ask for it.
    answer = it.browser.isolated_world()("chrome.runtime.sendMessage({type: 'saveSubmitted'})")
    assert answer["error"]["code"] == -32601
    assert is_silent(it, settles=0) and items(it) == []


def test_what_was_typed_into_a_form_that_stays_is_saved_from_the_popup(start, pages):
    it = start(accounts=())
    pages.page("/session", "yes")
    it.page.goto(pages.page("/app", APPLICATION.replace("document.querySelector('main').innerHTML = '<h1>Welcome</h1>'",
                                                        "document.querySelector('#error').textContent = 'Welcome'")))
    scripts = it.browser.scripts()
    it.page.fill("#user", "rmondello")
    it.page.fill("#password", "typed by hand")
    it.page.click("#go")
    it.page.wait_for_selector("text=Welcome")
    assert is_silent(it, settles=0, stays=scripts)
    popup = it.browser.popup("document.querySelector('[aria-selected=true]')?.id === 'save-submitted'")
    window = asked(it, lambda: popup.press("Enter"))
    assert window.inner_text("#title") == "Save password?" and window.input_value("#user") == "rmondello"
    it.accept(window)
    eventually(it.page, lambda: items(it), "the item")
    assert password(it, "rmondello") == "typed by hand"
    # Once: it is not kept any longer.
    popup = it.browser.popup("!!document.querySelector('[role=option]')")
    assert popup.evaluate("!!document.querySelector('#save-submitted')") is False


def test_which_of_two_providers_saves_is_asked_and_what_it_has_stays_with_it(start, pages):
    it = start(accounts=())
    keeper = install_saver(it.latchkey, "Keeper")
    window = asked(it, lambda: sign_in(it, "rmondello", "typed by hand"))
    # The first one in the user's order, unless the user says otherwise.
    assert window.evaluate("[...document.querySelectorAll('#providers option')].map(one => one.textContent)") == ["Passwords", "Keeper"]
    window.select_option("#providers", keeper)
    it.accept(window)
    eventually(it.page, lambda: [line for line in audit(it) if line["event"] == "saved"], "the saving")
    assert [line["provider"] for line in audit(it) if line["event"] == "saved"] == [keeper] and items(it) == []
    # What the other one has is known, and is not asked about.
    sign_in(it, "rmondello", "typed by hand")
    it.page.wait_for_selector("text=Welcome")
    assert is_silent(it, settles=2)
    # A newer password goes to where the account is, without a choice.
    window = asked(it, lambda: sign_in(it, "rmondello", "a newer one"))
    assert window.inner_text("#title") == "Update password?" and "Keeper" in window.inner_text("#facts")
    assert window.is_hidden("#choice")
    it.accept(window)
    eventually(it.page, lambda: [line for line in audit(it) if line["event"] == "updated"], "the update")
    assert [line["provider"] for line in audit(it) if line["event"] == "updated"] == [keeper] and items(it) == []
    it.page.goto("https://shiny.example.com/login")
    it.page.click("#user")
    it.tap()
    it.filled(password="a newer one")


def test_first_of_two_providers_makes_and_keeps_the_strong_password(start, pages):
    it = start(accounts=())
    keeper = install_saver(it.latchkey, "Keeper")
    it.latchkey.run("providers", "order", keeper, "org.latchkey.passwords", "--passphrase-file", it.latchkey.secret)
    it.page.goto(pages.page("/join", SIGN_UP % ""))
    it.page.fill("#user", "me@example.com")
    it.page.click("#password")
    assert it.bar.texts()[0] == "Use Strong Password new, kept in Keeper"
    it.choose()
    it.becomes(lambda: it.page.input_value("#again"), "the new password in its field")
    made = it.page.input_value("#password")
    assert len(made) == 12 and generated(it) == []
    window = asked(it, lambda: it.page.click("button"))
    assert window.input_value("#providers") == keeper
    # The user wants it in the other one this time.
    window.select_option("#providers", "org.latchkey.passwords")
    it.accept(window)
    eventually(it.page, lambda: items(it), "the item")
    assert password(it, "me@example.com") == made


def test_password_is_chosen_in_the_interface_of_the_provider_that_makes_it(start, pages):
    it = start(accounts=())
    keeper = install_saver(it.latchkey, "Keeper")
    it.latchkey.run("providers", "order", keeper, "org.latchkey.passwords", "--passphrase-file", it.latchkey.secret)
    it.page.goto(pages.page("/join", SIGN_UP % ""))
    it.page.fill("#user", "me@example.com")
    it.page.click("#password")
    window = it.browser.window("prompt", lambda: it.bar.click(1))
    window.wait_for_selector("#interface button:text-is(\"Use it\")")
    window.wait_for_selector("#interface:not(.waiting)")
    first = window.inner_text("#interface .message")
    window.click("#interface button:text-is(\"Another one\")")
    eventually(it.page, lambda: window.inner_text("#interface .message") != first, "another one")
    chosen = window.inner_text("#interface .message")
    assert it.values("#password", "#again") == ["", ""]
    it.closes(window, lambda: window.click("#interface button:text-is(\"Use it\")"))
    it.becomes(lambda: it.page.input_value("#again"), "the password in its fields")
    assert it.values("#password", "#again") == [chosen, chosen] and generated(it) == []
    released = [line for line in audit(it) if line["event"] == "released"]
    assert any(line["purpose"] == "a generated password" and line["act"] == "window" for line in released)


def change(it, pages, old: str):
    """Changes a password at its site; the question that comes of it."""
    it.page.goto(pages.page("/change", CHANGE))
    it.page.fill("#old", old)
    it.page.fill("#password", "the new one")
    it.page.fill("#again", "the new one")
    return asked(it, lambda: it.page.click("button"))


def test_change_of_a_password_updates_the_account_that_had_the_old_one(start, pages):
    it = start(accounts=[RMONDELLO, Account("shiny.example.com", "other", "the other one")])
    # It was saved a moment ago, so it is known whose it is, also in a tab of which no user name is known.
    it.accept(asked(it, lambda: sign_in(it, "rmondello", "a newer one")))
    eventually(it.page, lambda: password(it, "rmondello") == "a newer one", "the update")
    it.page = it.browser.context.new_page()
    window = change(it, pages, "a newer one")
    assert window.inner_text("#title") == "Update password?" and "rmondello" in window.inner_text("#facts")
    it.accept(window)
    eventually(it.page, lambda: password(it, "rmondello") == "the new one", "the update")
    assert password(it, "other") == "the other one"


def test_S44_changed_password_of_an_account_that_nobody_is_asked_about_is_not_lost(start, pages):
    """S44: whose the old password was, only the providers could say; the user does instead."""
    it = start(accounts=[RMONDELLO, Account("shiny.example.com", "other", "the other one")])
    first = change(it, pages, RMONDELLO.password)
    assert first.inner_text("#title") == "Save password?" and first.input_value("#user") == ""
    first.fill("#user", "rmondello")
    second = asked(it, lambda: it.closes(first, lambda: first.click("#accept:not(.early)")))
    assert second.inner_text("#title") == "Update password?" and "rmondello" in second.inner_text("#facts")
    assert "may be the saved password" in second.inner_text("#details")
    it.accept(second)
    eventually(it.page, lambda: password(it, "rmondello") == "the new one", "the update")
    assert password(it, "other") == "the other one"


def test_S44_password_that_was_filled_is_known(start, pages):
    """S44: nobody is asked about what Latchkey has filled itself, and another one is."""
    it = start()
    it.page.goto("https://shiny.example.com/login")
    it.page.click("#user")
    it.tap()
    it.filled(password=RMONDELLO.password)
    it.page.press("#password", "Enter")
    it.page.wait_for_selector("text=Welcome")
    assert is_silent(it, settles=1)
    window = asked(it, lambda: sign_in(it, "rmondello", "a newer one"))
    assert window.inner_text("#title") == "Update password?" and "may be the saved password" not in window.inner_text("#details")
    it.closes(window, lambda: window.click("#cancel"))
    assert password(it, "rmondello") == RMONDELLO.password


def test_never_for_this_website(start, pages):
    it = start(accounts=())
    window = asked(it, lambda: sign_in(it, "rmondello", "typed by hand"))
    window.click("#never:not(.early)")
    eventually(it.page, window.is_closed, "the end of the window")
    assert eventually(it.page, lambda: json.loads(it.latchkey.run("never", "list", "--json")), "the list") == ["shiny.example.com"]
    sign_in(it, "rmondello", "typed by hand")
    it.page.wait_for_selector("text=Welcome")
    assert is_silent(it, settles=2)
    assert items(it) == []
    # Nor is a password made that nobody would keep.
    it.page.goto(pages.page("/join", SIGN_UP % ""))
    it.page.click("#password")
    assert it.bar.texts() == ["Nothing is saved for shiny.example.com."]


def test_not_now_saves_nothing(start, pages):
    it = start(accounts=())
    window = asked(it, lambda: sign_in(it, "rmondello", "typed by hand"))
    it.closes(window, lambda: window.click("#cancel"))
    assert items(it) == [] and json.loads(it.latchkey.run("never", "list", "--json")) == []


@pytest.mark.main
def test_strong_password_fills_both_fields_and_is_saved(start, pages):
    it = start(accounts=())
    it.page.goto(pages.page("/join", SIGN_UP % "required: upper; required: digit; allowed: lower; maxlength: 14"))
    it.page.fill("#user", "me@example.com")
    it.page.click("#password")
    assert it.bar.texts() == ["Use Strong Password new, kept in Passwords", "Show Before Using… in a window of its own"]
    it.choose()
    it.becomes(lambda: it.page.input_value("#again"), "the new password in its field")
    act = "window" if it.was_late() else "bar"
    made, again = it.values("#password", "#again")
    assert made == again and len(made) == 14 and made.isalnum()
    assert [one["service"] for one in generated(it)] == ["shiny.example.com"]
    window = asked(it, lambda: it.page.click("button"))
    assert window.input_value("#user") == "me@example.com"
    it.accept(window)
    eventually(it.page, lambda: items(it), "the item")
    assert password(it, "me@example.com") == made
    eventually(it.page, lambda: not generated(it), "the end of the waiting")
    released = [line for line in audit(it) if line["event"] == "released"]
    assert any(line["purpose"] == "a generated password" and line["act"] == act for line in released)


def test_generated_password_is_recovered_after_the_page_threw_it_away(start, pages):
    it = start(accounts=())
    it.page.goto(pages.page("/join", SIGN_UP % ""))
    it.page.click("#password")
    it.choose()
    it.becomes(lambda: it.page.input_value("#again"), "the new password in its field")
    made = it.page.input_value("#password")
    it.page.goto(pages.page("/elsewhere", WELCOME))
    assert is_silent(it, settles=0)
    shown = it.latchkey.run("generated", "show", "shiny.example.com", "--passphrase-file", it.latchkey.secret).rstrip("\n")
    assert shown == made
    # It outlives the daemon, which has nothing of it, and a lock.
    it.latchkey.stop()
    assert made.encode() not in b"".join(file.read_bytes() for file in it.folder.rglob("*") if file.is_file() and "profile" not in file.parts)


def test_strong_password_is_shown_on_request_outside_the_page(start, pages):
    it = start(accounts=())
    it.page.goto(pages.page("/join", SIGN_UP % ""))
    it.page.click("#password")
    window = asked(it, lambda: it.bar.click(1))
    shown = window.inner_text("#made")
    # A screen reader gets it only when it is asked to.
    assert window.get_attribute("#made", "aria-hidden") == "true"
    assert len(shown) == 20 and it.values("#password", "#again") == ["", ""] and generated(it) == []
    it.accept(window)
    it.page.wait_for_function("document.querySelector('#again').value !== ''")
    assert it.values("#password", "#again") == [shown, shown]


def test_locked_latchkey_asks_to_unlock_and_then_to_save(start, pages):
    it = start(accounts=())
    it.latchkey.lock()
    first = asked(it, lambda: sign_in(it, "rmondello", "typed by hand"))
    assert "locked" in first.inner_text("#details")

    def unlocked():
        second = it.browser.window("prompt", lambda: it.accept(first))
        it.accept(second, PASSPHRASE)

    window = asked(it, unlocked)
    it.accept(window)
    eventually(it.page, lambda: items(it), "the item")
    assert password(it, "rmondello") == "typed by hand"


def test_s31_page_can_neither_cause_nor_forge_a_save(start, pages):
    """S31: events and values that a script makes up count for nothing; only what the user typed and sent off is asked about."""
    it = start(accounts=())
    it.page.goto("https://shiny.example.com/login")
    it.page.evaluate("""() => {
      const [user, password] = ['#user', '#password'].map((selector) => document.querySelector(selector));
      for (const field of [user, password]) {
        field.focus();
        field.value = 'forged';
        field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
        field.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, key: 'Enter' }));
      }
      document.querySelector('button').click();
    }""")
    it.page.wait_for_selector("text=Welcome")
    assert is_silent(it, settles=0) and it.browser.sent("page.submitted") == 0
    # What the user typed is what counts, whatever a script puts in its place.
    it.page.goto("https://shiny.example.com/login")
    it.page.evaluate("addEventListener('submit', () => { document.querySelector('#password').value = 'forged' }, true)")
    it.page.fill("#user", "rmondello")
    it.page.fill("#password", "typed by hand")
    it.accept(asked(it, lambda: it.page.click("button")))
    eventually(it.page, lambda: items(it), "the item")
    assert password(it, "rmondello") == "typed by hand"


def test_s31_nothing_typed_rests_in_the_extension(start, pages):
    """S31: what was typed goes through the extension and is kept nowhere in it."""
    it = start(accounts=())
    window = asked(it, lambda: sign_in(it, "rmondello", "canary-of-the-user"))
    stored = window.evaluate("Promise.all([chrome.storage.session.get(null), chrome.storage.local.get(null)]).then(JSON.stringify)")
    assert "canary" not in stored and "rmondello" not in stored
    journal = (it.folder / "latchkeyd.log").read_text()
    assert "canary" not in journal

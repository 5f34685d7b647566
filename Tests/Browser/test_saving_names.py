# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Whose a password is: sign-ins that ask for several names, changes that name nobody, and passwords that were saved long ago."""

import pytest

from browser import eventually
from conftest import RMONDELLO
from latchkey import Account
from test_saving import asked, is_silent, items, pages, password  # noqa: F401

STEP = """<!doctype html><meta charset="utf-8"><title>Sign in</title><h1>Sign in</h1><form action="%s" method="post">
<p><label>%s <input id="user" name="%s" type="%s"></label><p><button>Next</button></form>"""
LAST = """<!doctype html><meta charset="utf-8"><title>Sign in</title><h1>Enter your password</h1><form action="/welcome" method="post">
<p><label>Password <input id="password" type="password" autocomplete="current-password"></label><p><button>Log In</button></form>"""
CHANGE = """<!doctype html><meta charset="utf-8"><title>Change your password</title><h1>Change your password</h1>
<form action="/welcome" method="post">%s
<p><label>Current password <input id="old" type="password"></label>
<p><label>New password <input id="password" type="password"></label>
<p><label>Repeat the new password <input id="again" type="password"></label>
<p><button>Change Password</button></form>"""
MAIL = "rmondello@example.com"
OTHER = Account("shiny.example.com", "other", "the other one")


def in_steps(it, pages, names, secret="a newer one"):  # noqa: F811
    """Signs in on three pages; the question that comes of it."""
    first = pages.page("/first", STEP % ("/second", "Username", "login", "text"))
    pages.page("/second", STEP % ("/third", "Email", "mail", "email"))
    pages.page("/third", LAST)
    it.page.goto(first)
    for name in names:
        it.page.fill("#user", name)
        it.page.click("button")
    it.page.fill("#password", secret)
    return asked(it, lambda: it.page.click("button"))


@pytest.mark.parametrize("saved", ["rmondello", MAIL])
def test_whichever_of_two_names_is_saved_is_updated(start, pages, saved):  # noqa: F811
    it = start(accounts=[Account("shiny.example.com", saved, "an old one")])
    window = in_steps(it, pages, ["rmondello", MAIL])
    assert window.inner_text("#title") == "Update password?" and saved in window.inner_text("#facts")
    it.accept(window)
    eventually(it.page, lambda: password(it, saved) == "a newer one", "the update")
    assert len(items(it)) == 1


def test_name_of_nobody_is_saved_anew(start, pages):  # noqa: F811
    it = start(accounts=[OTHER])
    window = in_steps(it, pages, ["rmondello", MAIL])
    assert window.inner_text("#title") == "Save password?" and window.input_value("#user") == MAIL
    it.closes(window, lambda: window.click("#cancel"))
    assert password(it, "other") == OTHER.password


def test_name_that_was_corrected_on_the_way_is_none(start, pages):  # noqa: F811
    it = start()
    it.page.goto(pages.page("/first", STEP % ("/second", "Username", "login", "text")))
    pages.page("/second", "<!doctype html><title>Nobody</title><h1>There is no such user</h1>")
    it.page.fill("#user", "rmondello")
    it.page.click("button")
    it.page.wait_for_selector("text=no such user")
    window = in_steps(it, pages, ["anna", "anna@example.com"])
    # The first name is that of an account, and was taken back.
    assert window.inner_text("#title") == "Save password?" and window.input_value("#user") == "anna@example.com"
    it.closes(window, lambda: window.click("#cancel"))
    assert password(it, "rmondello") == RMONDELLO.password


def change(it, pages, before, old, **values):  # noqa: F811
    it.page.goto(pages.page("/change", CHANGE % before))
    for name, value in values.items():
        it.page.fill(f"#{name}", value)
    it.page.fill("#old", old)
    it.page.fill("#password", "the new one")
    it.page.fill("#again", "the new one")


STRAY = '<p><label>Display name <input id="display" name="display"></label>'
NAMED = '<p><label>User name <input id="login" name="login"></label>'


@pytest.mark.parametrize("before, values", [("", {}), (STRAY, {"display": "Ricky"}), ("<p><input id=x1>", {"x1": "Ricky"})])
@pytest.mark.parametrize("old", [RMONDELLO.password, "not what is saved"])
def test_change_without_a_user_name_updates_the_only_account(start, pages, before, values, old):  # noqa: F811
    it = start()
    change(it, pages, before, old, **values)
    window = asked(it, lambda: it.page.click("button"))
    assert window.inner_text("#title") == "Update password?" and "rmondello" in window.inner_text("#facts")
    it.accept(window)
    eventually(it.page, lambda: password(it, "rmondello") == "the new one", "the update")
    assert len(items(it)) == 1


def known(it):
    """Has Latchkey know what is saved."""
    it.page.goto("https://shiny.example.com/login")
    it.page.click("#user")
    it.tap(row=["rmondello" in text for text in it.bar.texts()].index(True))
    it.filled(password=RMONDELLO.password)
    # In a tab of which no user name is known.
    it.page = it.browser.context.new_page()


def test_stale_saved_password_is_updated_and_the_question_says_so(start, pages):  # noqa: F811
    it = start()
    known(it)
    change(it, pages, "", "newer than what is saved")
    window = asked(it, lambda: it.page.click("button"))
    assert window.inner_text("#title") == "Update password?" and "rmondello" in window.inner_text("#facts")
    assert "is not the saved one" in window.inner_text("#details")
    it.closes(window, lambda: window.click("#cancel"))
    assert password(it, "rmondello") == RMONDELLO.password


def test_old_password_says_whose_the_new_one_is_whatever_stands_before_it(start, pages):  # noqa: F811
    it = start(accounts=[RMONDELLO, OTHER])
    known(it)
    change(it, pages, STRAY, RMONDELLO.password, display="Ricky")
    window = asked(it, lambda: it.page.click("button"))
    assert window.inner_text("#title") == "Update password?" and "rmondello" in window.inner_text("#facts")
    assert "differs from the saved one" not in window.inner_text("#details")
    it.closes(window, lambda: window.click("#cancel"))


@pytest.mark.parametrize("before, accounts", [(NAMED, (RMONDELLO,)), (STRAY, (RMONDELLO, OTHER))])
def test_change_of_another_account_replaces_nothing(start, pages, before, accounts):  # noqa: F811
    it = start(accounts=accounts)
    field = "login" if before == NAMED else "display"
    change(it, pages, before, "of another account", **{field: "anna"})
    window = asked(it, lambda: it.page.click("button"))
    assert window.inner_text("#title") == "Save password?" and window.input_value("#user") == "anna"
    it.closes(window, lambda: window.click("#cancel"))
    assert password(it, "rmondello") == RMONDELLO.password and len(items(it)) == len(accounts)


def test_wrong_password_beside_a_form_for_new_accounts_is_asked_about_by_nobody(start, pages):  # noqa: F811
    it = start()
    both = """<!doctype html><meta charset="utf-8"><title>Shiny</title><h2>Sign in</h2><form action="/login2" method="post">
      <p><label>Username <input id="user" name="user"></label><p><label>Password <input id="password" type="password" name="password"></label><p><button id="go">Sign in</button></form>
      <h2>Create an account</h2><form action="/join" method="post"><p><label>Email <input type="email" name="email"></label>
      <p><label>New password <input type="password" autocomplete="new-password"></label><p><button>Sign up</button></form>"""
    pages.page("/login2", both)
    it.page.goto(pages.page("/both", both))
    it.page.fill("#user", "rmondello")
    it.page.fill("#password", "mistyped")
    it.page.click("#go")
    assert is_silent(it, settles=1)
    assert password(it, "rmondello") == RMONDELLO.password

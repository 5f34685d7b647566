# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Pages whose names and tags say one thing, and whose words another: what the bar shows there, and what a tap fills."""

import pytest

from conftest import RMONDELLO

CODE = """<!doctype html><meta charset="utf-8"><title>Shiny</title><h1>%s</h1><p>%s
<form><p><input id="field" %s><p><button>Next</button></form>"""
MAIL = """<!doctype html><meta charset="utf-8"><title>Settings</title><h1>Change your email address</h1><form>
<p><label>New email address <input id="user" type="email" name="email"></label>
<p><label>Password <input id="password" type="password" name="password"></label><p><button>Save</button></form>"""
TWO = """<!doctype html><meta charset="utf-8"><title>Shiny</title><form><p><label>%s <input id="password" type="password"></label>
<p><label>%s <input id="again" type="password"></label><p><button>Continue</button></form>"""
SIGN_IN = """<!doctype html><meta charset="utf-8"><title>Shiny</title><form><p><label>Email <input id="user" type="email" name="email"></label>
<p><label>Password <input id="password" type="password" name="password"></label><p><button>%s</button></form>"""

SENT = ("Verify your identity", "Enter the verification code that we sent to your phone.")
CARD = ("Your card", "Enter the number that came with your card.")


@pytest.fixture(scope="module")
def shared(start_for_all):
    yield start_for_all()


@pytest.fixture
def it(shared, site):
    shared.browser.close_windows()
    yield shared


@pytest.mark.parametrize("field", ['type="tel" name="totpPin" aria-label="Enter code"', 'name="idvPin"', 'name="pin" inputmode="numeric" maxlength="6"'])
def test_field_that_programs_call_a_pin_takes_the_code_of_the_page(it, site, field):
    it.open(site.page("/code", CODE % (*SENT, field)), "#field")
    assert "No code has come" in it.bar.texts()[0]


@pytest.mark.parametrize("words, field", [
    (SENT, 'aria-label="PIN of your card" name="pin"'), (SENT, 'type="password" name="pin"'), (SENT, 'name="otp" maxlength="3"'),
    (SENT, 'autocomplete="one-time-code" maxlength="2"'), (CARD, 'name="pin" inputmode="numeric" maxlength="4"'),
    (CARD, 'name="game_pin"')])
def test_field_that_no_code_fits_gets_none(it, site, words, field):
    it.open(site.page("/code", CODE % (*words, field)), "#field")
    assert it.bar.is_absent()


def test_new_address_beside_a_password_is_not_filled_with_the_old_one(it, site):
    it.open(site.page("/mail", MAIL), "#user")
    assert it.bar.is_absent()
    it.page.fill("#user", "new@example.com")
    it.page.click("#password")
    it.tap()
    it.page.wait_for_function("document.querySelector('#password').value !== ''")
    assert it.values() == ["new@example.com", RMONDELLO.password]


def test_password_and_confirm_new_password_get_a_strong_one(it, site):
    it.open(site.page("/join", TWO % ("Password", "Confirm new password")), "#password")
    assert it.bar.texts()[0].startswith("Use Strong Password")
    it.choose()
    it.becomes(lambda: it.page.input_value("#again"), "the new password in its field")
    made, again = it.values("#password", "#again")
    assert made == again and len(made) >= 12


@pytest.mark.parametrize("words", [("Password", "New password"), ("Current password", "Confirm new password")])
def test_password_before_a_new_one_is_the_one_that_is_saved(it, site, words):
    it.open(site.page("/change", TWO % words), "#password")
    assert "rmondello" in it.bar.texts()[0]


@pytest.mark.parametrize("button, row", [("Log In", "rmondello"), ("Continue", "Use Strong Password")])
def test_words_of_a_form_count_before_its_address(it, site, button, row):
    it.open(site.page("/signup", SIGN_IN % button), "#password")
    assert row in it.bar.texts()[0]

# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""What the user agreed to once is seen in the app, and taken back there."""

import shutil

import pytest

from app import unnamed
from installation import PASSPHRASE, BrowserClient, secret, until
from test_consent import PASSWORD, SITE, TOP, choose

IDENTIFIER = "E5336VM85F.com.example.Shiny"


def test_form_in_a_page_of_another_site_is_taken_back(app):
    app.client.call("items.add", items=[{"services": ["shiny.example.com"], "user": "rmondello", "password": secret(PASSWORD)}])
    browser = BrowserClient(app.desktop.installation)
    browser.user = lambda shown: (True, PASSPHRASE if shown["kind"] != "confirm" else None)
    choose(browser, SITE, TOP)
    app.start().section("AutoFill")
    app.wait_for(SITE)
    assert any(f"in a page of {TOP}" in text for text in app.texts())
    name = f"Take Back: {SITE}, rmondello at shiny.example.com, in a page of {TOP}"
    app.press(name)
    until(lambda: not app.client.call("consents.list")["consents"])
    app.wait_until_gone(name)
    assert not unnamed(app.tree())
    browser.close()


@pytest.fixture
def granted(app, tmp_path):
    """A program of which the user has said that it is an app."""
    program = tmp_path / "shiny"
    shutil.copy("/bin/true", program)
    known = app.client.call("apps.look", path=str(program))["app"]
    app.client.proven("apps.grant", path=str(program), digest=known["digest"], identifier=IDENTIFIER, domains=["webcredentials:shiny.example.com"])
    return program


def state(app):
    return [one["state"] for one in app.client.call("apps.list")["apps"] if one["identifier"] == IDENTIFIER]


def test_app_is_refused_and_asked_about_again(app, granted):
    app.start().section("AutoFill")
    app.wait_for(IDENTIFIER)
    assert any(str(granted) in text for text in app.texts()) and not unnamed(app.tree())
    app.press(f"Refuse {IDENTIFIER}, {granted}")
    until(lambda: state(app) == ["refused"])
    app.wait_until_gone(f"Refuse {IDENTIFIER}, {granted}")
    assert any("You have refused it." in text for text in app.texts())
    app.press(f"Ask Again About {IDENTIFIER}, {granted}")
    # From a no to a question is less than before.
    app.wait_for("Passphrase Needed")
    app.desktop.key("Escape")
    app.wait_until_gone("Passphrase Needed")
    assert state(app) == ["refused"]
    app.press(f"Ask Again About {IDENTIFIER}, {granted}")
    app.prove()
    until(lambda: state(app) != ["refused"])
    app.wait_until_gone(f"Ask Again About {IDENTIFIER}, {granted}")

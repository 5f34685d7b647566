# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""S40: fields that the user is not known to see are filled after a question outside the page, which names them; each time."""

import pytest

from installation import PASSPHRASE, BrowserClient, denied, secret
from verdicts import must_hold

SITE = "https://shiny.example.com"


@pytest.fixture
def ready(running):
    client = running.unlocked()
    client.call("items.add", items=[{"services": ["shiny.example.com"], "user": "rmondello", "password": secret("hunter2" * 3)}])
    browser = BrowserClient(running)
    browser.user = lambda shown: (True, PASSPHRASE if shown["kind"] not in ("confirm", "generated") else None)
    yield browser
    browser.close()


def choose(browser, surface, **more):
    session = browser.focus(SITE)
    answer = browser.call("renderer.suggestions", session=session["session"])
    refs = {field["role"]: field["ref"] for field in session["fields"]}
    unseen = {"unseen": [refs[role] for role in more["roles"]]} if "roles" in more else {}
    return browser.call("renderer.choose", handle=answer["suggestions"][0]["handle"], surface=surface, guard={"held": True}, **unseen)


@pytest.mark.parametrize("surface", ["bar", "popup", "window"])
def test_S40_unseen_fields_are_asked_about_each_time_and_named(ready, surface):
    choose(ready, surface)
    ready.presented.clear()
    for _ in range(2):
        assert len(choose(ready, surface, roles=["current-password"])["fills"]) == 2
    must_hold([shown["kind"] for shown in ready.presented] == ["confirm", "confirm"], f"filled unseen without a question: {ready.presented}")
    for shown in ready.presented:
        assert [line for line in shown["reasons"] if "fills the user name and the password" in line and "the field for the password;" in line]
    choose(ready, surface)
    assert len(ready.presented) == 2


@pytest.mark.main
@pytest.mark.parametrize("roles", [["username"], ["username", "current-password"]])
def test_S40_a_no_fills_nothing(ready, roles):
    choose(ready, "popup")
    ready.user = lambda shown: (False, None)
    denied(9, choose, ready, "popup", roles=roles)


@pytest.mark.parametrize("unseen", ["all", {"a": 1}, [None], ["0"], [0.5], -1])
def test_S40_what_is_no_list_of_fields_is_refused(ready, unseen):
    session = ready.focus(SITE)
    answer = ready.call("renderer.suggestions", session=session["session"])
    handle = answer["suggestions"][0]["handle"]
    denied(-32602, ready.call, "renderer.choose", handle=handle, surface="popup", guard={"held": True}, unseen=unseen)

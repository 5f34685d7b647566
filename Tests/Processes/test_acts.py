# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""The user's act is good for what the user saw, and the log says the true reason where something has come in between."""

import pytest

from installation import PASSPHRASE, BrowserClient, denied, secret
from test_apps import HOST, PASSWORD, World, needs_root
from verdicts import must_hold, nothing_released

SITE = "https://shiny.example.com"
BUILT_IN = "org.latchkey.passwords"
DISABLED = "the provider was disabled in the meantime"


@pytest.fixture
def ready(running):
    client = running.unlocked()
    client.call(
        "items.add", items=[{"services": ["shiny.example.com"], "user": "rmondello", "password": secret("hunter2" * 3)}]
    )
    browser = BrowserClient(running)
    browser.client = client
    yield browser
    browser.close()


def change(client, what):
    """What comes in between, while a question stands."""
    if what == "lock and unlock":
        client.call("lock")
        client.call("unlock", passphrase=secret(PASSPHRASE))
    else:
        client.call("providers.disable", identifier=BUILT_IN)


def events(client):
    return [(line["event"], line.get("reason")) for line in client.call("audit.list")["lines"]]


def released(client):
    return [line for line in client.call("audit.list")["lines"] if line["event"] == "released"]


def asked(ready, user, code):
    """The refusal of a choice whose question the user answers so."""
    ready.user = user
    session = ready.focus(SITE)["session"]
    (row,) = ready.call("renderer.suggestions", session=session)["suggestions"]
    return denied(code, ready.call, "renderer.choose", handle=row["handle"], surface="bar", guard={"held": False})


@pytest.mark.main
def test_S55_a_yes_for_a_provider_that_was_disabled_fills_nothing_and_the_log_says_why(ready):
    failure = asked(ready, lambda shown: (change(ready.client, "disable"), (True, None))[1], 6)
    assert failure.data["reason"] == DISABLED
    assert ("refused", DISABLED) in events(ready.client)
    nothing_released("the log", released(ready.client))


@pytest.mark.main
def test_S55_a_yes_to_a_question_from_before_a_lock_fills_nothing(ready):
    asked(ready, lambda shown: (change(ready.client, "lock and unlock"), (True, None))[1], 2)
    nothing_released("the log", released(ready.client))


@pytest.mark.main
def test_S55_a_page_that_is_left_while_the_question_stands_gets_nothing(ready):
    # The daemon has heard that the page is gone before the user says yes: its question is canceled, or the yes is refused.
    asked(ready, lambda shown: (ready.wait(ready.ask("page.left", tab=1, document="D1")), (True, None))[1], {6, 9})
    nothing_released("the log", released(ready.client))


@needs_root
@pytest.mark.parametrize("what", ["lock and unlock", "disable"])
def test_S55_an_app_gets_nothing_by_a_yes_from_before(system_apps, installation, tmp_path, what):
    world = World(installation, tmp_path)
    try:
        world.client.prefer(authentication="always")
        terminal = world.run(world.root_program())
        assert HOST in terminal.wait("(?s)rmondello.*?> ")
        terminal.type("1")
        terminal.wait("Passphrase")
        change(world.client, what)
        terminal.type_unseen(PASSPHRASE)
        terminal.wait("AutoFill: nothing was filled.")
        lines = events(world.client)
        nothing_released("the log", released(world.client))
        # A lock ends what runs before there is anything to refuse.
        assert (("refused", DISABLED) in lines) == (what == "disable")
        assert ("refused", "the app took it back") not in lines
        must_hold(PASSWORD not in world.installation.output(), "the password is in the daemon's output")
    finally:
        world.close()

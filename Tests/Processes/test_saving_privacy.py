# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""A provider that advertises an account learns nothing of a sign-in that it has no part in."""

import itertools

import pytest

from installation import secret, until
from providers import BUILT_IN, HOST, Bundle, taken
from test_saving import ready, rest, settle, submit  # noqa: F401 (`ready` is a fixture)

FIRST, SECOND = "com.example.first", "com.example.second"


@pytest.fixture
def watched(ready):
    """Three providers that advertise one account. The test sees what two of them are asked."""
    ready.client.call("items.add", items=[{"services": [HOST], "user": "rmondello", "password": secret("of the built-in one")}])
    hands = {}
    for identifier in (FIRST, SECOND):
        bundle = Bundle(ready.installation, identifier, identifier, accounts=[(HOST, "rmondello", "of " + identifier)])
        hands[identifier] = taken(bundle, ready.client)
    ready.hands = hands
    return ready


def requests(hand):
    """What a provider was asked until it ended."""
    return [line["message"]["method"] for line in hand.gone() if line.get("message", {}).get("method", "").startswith("provider.")]


def updated(ready):
    return [line["provider"] for line in ready.client.call("audit.list")["lines"] if line["event"] == "updated"]


def test_S44_provider_that_only_advertises_an_account_learns_of_no_sign_in(watched):
    for count, order in enumerate(itertools.permutations([BUILT_IN, FIRST, SECOND])):
        watched.client.call("providers.order", identifiers=list(order))
        submit(watched, {0: "rmondello", 1: f"typed by hand {count}"})
        settle(watched)
        until(lambda: watched.call("renderer.status") and len(updated(watched)) == count + 1)
    # The other two do not save, so the built-in one is named. It is known to have nothing of this before the user agrees.
    assert [shown["kind"] for shown in watched.asked] == ["updatePassword"] * 6 and set(updated(watched)) == {BUILT_IN}
    assert "may be the saved password" in watched.asked[0]["reasons"][0]
    watched.client.call("lock")
    assert {name: requests(hand) for name, hand in watched.hands.items()} == {FIRST: [], SECOND: []}


def test_S44_looking_up_asks_no_provider(watched):
    """What is offered comes from the identity stores alone."""
    session = watched.focus(f"https://{HOST}")["session"]
    rows = watched.call("renderer.suggestions", session=session)["suggestions"]
    assert len(rows) == 3 and {row["user"] for row in rows} == {"rmondello"}
    watched.client.call("lock")
    assert {name: requests(hand) for name, hand in watched.hands.items()} == {FIRST: [], SECOND: []}


def test_S44_what_was_saved_is_known_until_a_lock(watched):
    for typed in ("typed by hand", "typed by hand"):
        submit(watched, {0: "rmondello", 1: typed})
        settle(watched)
        until(lambda: watched.call("renderer.status") and len(updated(watched)) == 1)
    rest(watched)
    assert len(watched.asked) == 1 and updated(watched) == [BUILT_IN]
    # A lock forgets it: the user is asked, and the provider finds that nothing changes.
    watched.client.call("lock")
    watched.installation.unlocked()
    submit(watched, {0: "rmondello", 1: "typed by hand"})
    settle(watched)
    until(lambda: watched.call("renderer.status") and len(updated(watched)) == 2)
    item = next(item for item in watched.client.call("items.list")["items"] if item["user"] == "rmondello")
    assert len(watched.client.call("items.history", id=item["id"])["changes"]) == 1

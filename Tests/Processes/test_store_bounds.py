# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Providers with more identities than people have, and those who have nothing to do with them."""

import os

import pytest

from providers import HOST, SHINY, Browser, Bundle, rows, taken

#: How many identities make one change take long. Programs that are not optimised need fewer.
LONG = 20_000 if os.environ.get("LATCHKEY_SLOW") else 8_000

#: Many identities of one site, sent in messages of a thousand.
CROWD = """
value, sent = [], 0
while sent < {count}:
    part = [provider.identity({host!r}, f"crowd-{{n:05}}") for n in range(sent, min(sent + 1000, {count}))]
    answer = provider.ask("store.save", identities=part)
    value += [answer["error"]["code"]] if "error" in answer else []
    sent += 1000
"""


def test_S45_a_crowded_site_has_so_many_rows_of_a_provider_and_all_of_the_others(running, client):
    hand = taken(Bundle(running), client)
    taken(Bundle(running, "com.example.other", accounts=[(HOST, "other")]), client)
    assert hand.run(CROWD.format(count=2500, host=HOST)) == []
    found = rows(client)
    assert len([row for row in found if row[0] == SHINY]) == 1000
    assert ("com.example.other", "other") in found
    # The newest ones.
    assert {user for provider, user in found if provider == SHINY} == {f"crowd-{n:05}" for n in range(1500, 2500)}
    # Everything stands in the list, page by page and once.
    browser = Browser(running)
    browser.rows()
    listed, cursor = [], None
    while True:
        page = browser.call("renderer.list", session=browser.session, **({"cursor": cursor} if cursor else {}))
        assert len(page["rows"]) <= 100
        listed += [row["user"] for row in page["rows"] if row["provider"] == SHINY]
        cursor = page.get("cursor")
        if cursor is None:
            break
    assert len(listed) == len(set(listed)) == 2501
    browser.close()


@pytest.mark.long
def test_S45_look_ups_are_answered_while_a_long_change_runs(running, client):
    hand = taken(Bundle(running), client)
    taken(Bundle(running, "com.example.other", accounts=[(HOST, "other")]), client)
    before = sorted(rows(client))
    assert before == sorted([(SHINY, "rmondello"), ("com.example.other", "other")])
    hand.order(do="run", code=f"value = provider.batch('replace', 'new', {LONG})")
    hand.committing()
    # What was there is answered until the change is complete, again and again. Counted from when a part of it is on the disk.
    logs = list(running.state.rglob("*shiny*-wal"))
    assert len(logs) == 1
    start = logs[0].stat().st_size
    answered = 0
    while True:
        is_written = logs[0].stat().st_size > start + (1 << 20)
        if (found := sorted(rows(client))) != before:
            break
        answered += is_written
    assert hand.done() == []
    assert found == [("com.example.other", "other")]
    assert answered >= 10


@pytest.mark.long
def test_S45_a_long_change_of_one_provider_lets_anothers_pass(running, client):
    hand = taken(Bundle(running), client)
    other = taken(Bundle(running, "com.example.other", accounts=[(HOST, "other")]), client)
    hand.order(do="run", code=f"value = provider.batch('replace', 'new', {LONG})")
    hand.committing()
    passed = 0
    while (SHINY, "rmondello") in rows(client):
        answer = other.ask("store.save", identities=[{
            "type": "password", "service": {"type": 0, "identifier": HOST}, "user": f"passing-{passed}",
            "recordIdentifier": "passing", "rank": 0}])
        assert "result" in answer
        passed += 1
    assert hand.done() == [] and passed >= 3


def test_S45_locking_waits_for_no_long_change_and_keeps_nothing_of_it(running, client):
    hand = taken(Bundle(running), client)
    hand.order(do="run", code=f"value = provider.batch('replace', 'new', {LONG})")
    hand.committing()
    client.call("lock")
    client = running.unlocked()
    # All of it or nothing, as it may have been complete before the lock.
    found = {user.split("-")[0] for _, user in rows(client) + rows(client, "https://site0-example.com")}
    assert found in ({"rmondello"}, {"new"})


@pytest.mark.long
def test_S45_a_batch_is_bounded_in_bytes(running, client):
    """Few identities, each as large as one may be: counted alone they would fill the memory of everybody's daemon."""
    hand = taken(Bundle(running), client)
    count, refused = hand.run("""
batch = provider.ask("store.begin", operation="replace")["result"]["batch"]
large = [{"type": "password", "service": {"type": 0, "identifier": "b" * 2000 + ".com"}, "user": "u" * 1000,
    "recordIdentifier": "r" * 1000, "rank": 0}] * 200
count, answer = 0, {}
while "error" not in answer and count < 40_000:
    answer = provider.ask("store.append", batch=batch, identities=large)
    count += 200
value = [count, answer.get("error", {}).get("message", "")]
""")
    assert count < 20_000 and "64 MiB" in refused
    # What fitted is still there, and others were never held up.
    assert hand.run("value = 'result' in provider.ask('store.commit', batch=batch)") is True

# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Identity stores of providers of other people: many at once, from elsewhere, written by two processes."""

import collections
import json
import os
import random
import shutil
import signal
import threading
import time

import pytest

from installation import PASSPHRASE, Installation, WireFailure, secret, until
from providers import (
    HOST, SHINY, SITE, App, Browser, Bundle, refusal, rows, store_file, taken,
)

ROUNDS = max(4, int(os.environ.get("LATCHKEY_KILLS", "0")) // 3)

#: Of a change that is broken off. Programs that are not optimised need fewer to take as long.
MANY = 10_000 if os.environ.get("LATCHKEY_SLOW") else 4_000


# Many identities at once


SITES = [f"https://site{number}-example.com" for number in (0, 1, 50, 98, 99)]


def generations(client):
    """The generations of identities that some of the sites are offered, with how many of each there are."""
    counts = collections.Counter()
    for site in SITES:
        counts.update(user.split("-")[0] for _, user in rows(client, site))
    return dict(counts)


@pytest.mark.long
def test_ten_thousand_identities_are_saved_in_one_batch(running, client):
    bundle = Bundle(running)
    hand = taken(bundle, client)
    assert hand.run("value = provider.batch('save', 'first', 10_000)") == []
    assert bundle.statement(client)["identities"] == 10_001
    assert generations(client) == {"first": 100 * len(SITES)}
    # Paged, none twice.
    listed, cursor = [], None
    while True:
        page = hand.ask("store.list", types=[], cursor=cursor)["result"]
        assert len(page["identities"]) <= 1000
        listed += [identity["recordIdentifier"] for identity in page["identities"]]
        cursor = page.get("cursor")
        if cursor is None:
            break
    assert len(listed) == len(set(listed)) == 10_001
    assert hand.run("value = provider.batch('remove', 'first', 10_000)") == []
    assert rows(client) == [(SHINY, "rmondello")] and generations(client) == {}


def test_a_batch_that_is_not_committed_changes_nothing(running, client):
    bundle = Bundle(running)
    hand = taken(bundle, client)
    for operation in ["save", "replace", "remove"]:
        assert hand.run(f"value = provider.batch('{operation}', 'first', 2000, commit=False)") == []
        assert bundle.statement(client)["identities"] == 1
    begun = hand.ask("store.begin", operation="save")["result"]["batch"]
    # A second batch is the end of the first; made-up ones, and operations that there are none, are refused.
    hand.ask("store.begin", operation="save")
    for batch in [begun, 0, -1, 4711]:
        assert hand.ask("store.append", batch=batch, identities=[])["error"]["code"] == 1200
        assert hand.ask("store.commit", batch=batch)["error"]["code"] == 1200
    assert hand.ask("store.begin", operation="drop")["error"]["code"] == -32602
    assert hand.ask("store.append", batch="x", identities=[])["error"]["code"] == -32602
    os.kill(bundle.program, signal.SIGKILL)
    hand.gone()
    assert rows(client) == [(SHINY, "rmondello")]


def test_another_providers_batch_is_nothing(running, client):
    hands = []
    for name in ["first", "second"]:
        hands.append(taken(Bundle(running, f"com.example.{name}", accounts=[(HOST, name)]), client))
    batch = hands[0].ask("store.begin", operation="replace")["result"]["batch"]
    assert hands[1].ask("store.append", batch=batch, identities=[])["error"]["code"] == 1200
    assert hands[1].ask("store.commit", batch=batch)["error"]["code"] == 1200
    assert hands[1].ask("store.list", types=[])["result"]["identities"][0]["user"] == "second"
    assert "result" in hands[0].ask("store.commit", batch=batch)
    assert [user for _, user in rows(client)] == ["second"]


@pytest.mark.long
def test_a_batch_is_all_or_nothing_whoever_is_killed_whenever(installation):
    """The provider replaces thousands of identities by others; it, or the daemon, is killed at a random moment of that."""
    chance = random.Random(20261121)
    installation.start()
    client = installation.unlocked()
    bundle = Bundle(installation, accounts=[], answers="everything")
    hand = taken(bundle, client)
    began = time.monotonic()
    assert hand.run(f"value = provider.batch('replace', 'g0', {MANY})") == []
    took, possible = time.monotonic() - began, {"g0"}
    for number in range(1, ROUNDS + 1):
        generation, is_daemon = f"g{number}", number % 2 == 0
        hand.order(do="run", code=f"value = provider.batch('replace', '{generation}', {MANY})")
        # Half of the kills wait for the commit, which is where something could break in two.
        if number % 4 >= 2:
            hand.committing()
        victim = installation.daemon.pid if is_daemon else bundle.program
        killer = threading.Timer(chance.uniform(0, took), os.kill, [victim, signal.SIGKILL])
        killer.start()
        try:
            acknowledged = hand.done() == []
        except ConnectionError:
            acknowledged = False
        killer.join()
        hand.gone()
        if is_daemon:
            until(lambda: bundle.processes() == [])
            installation.kill()
            installation.start()
            client = installation.unlocked()
        else:
            until(lambda: not bundle.statement(client)["running"])
        browser = Browser(installation)
        assert browser.choose(origin=SITES[0]) == "any"
        browser.close()
        hand.taken().filled()
        # A commit that the daemon has begun goes on without the provider; this one waits for it.
        assert "result" in hand.ask("store.save", identities=[])
        found = generations(client)
        assert list(found.values()) == [MANY // 100 * len(SITES)], f"round {number}: {found}"
        assert bundle.statement(client)["identities"] == MANY
        (now,) = found
        assert now in possible | {generation}, f"round {number}: {now} is neither old nor new"
        assert now == generation or not acknowledged, f"round {number}: acknowledged and gone"
        possible = {now} if is_daemon else {now, generation}


# A store that comes from elsewhere


def test_a_store_from_another_machine_is_discarded_and_filled_again(running, client):
    theirs = Bundle(running, accounts=[(HOST, "of the other machine"), (HOST, "another")])
    taken(theirs, client)
    running.kill()
    foreign = store_file(running).read_bytes()
    with Installation(fresh=True) as here:
        here.start()
        client = here.unlocked()
        bundle = Bundle(here, accounts=[(HOST, "of this machine")])
        hand = taken(bundle, client)
        here.kill()
        hand.gone()
        for file in store_file(here).parent.glob(SHINY + "*"):
            file.unlink()
        store_file(here).write_bytes(foreign)
        bundle.behave(fills=False)
        here.start()
        client = here.unlocked()
        hand.taken()
        assert hand.ask("store.state")["result"] == {"enabled": True, "supportsIncrementalUpdates": False}
        assert rows(client) == []
        assert hand.ask("store.list", types=[])["result"]["identities"] == []
        identity = hand.run("value = provider.identity(*provider.accounts[0])")
        assert "result" in hand.ask("store.replace", identities=[identity])
        assert hand.ask("store.state")["result"]["supportsIncrementalUpdates"] is True
        assert rows(client) == [(SHINY, "of this machine")]


@pytest.mark.parametrize("damage", ["cut", "flipped", "text", "empty", "a folder"])
def test_a_damaged_store_is_discarded_and_filled_again(running, client, damage):
    hand = taken(Bundle(running), client)
    running.kill()
    hand.gone()
    file = store_file(running)
    content = file.read_bytes()
    changed = {
        "cut": content[: len(content) // 2],
        "flipped": bytes(byte ^ 0xFF for byte in content),
        "text": b"no database\n" * 999,
        "empty": b"",
    }.get(damage)
    for other in file.parent.glob(SHINY + "*"):
        other.unlink()
    if changed is None:
        file.mkdir()
    else:
        file.write_bytes(changed)
    running.start()
    client = running.unlocked()
    if damage == "a folder":
        assert rows(client) == [], "nothing is deleted that is not a file"
        assert client.call("status")["locked"] is False
        return
    hand.taken().filled()
    assert rows(client) == [(SHINY, "rmondello")]


@pytest.mark.parametrize("is_same_place", [True, False])
def test_a_backup_holds_no_store_and_a_restored_provider_fills_its_own_again(running, client, is_same_place):
    """The same bundle is enabled still; one at another place is not the one that the user enabled."""
    bundle = Bundle(running, accounts=[(HOST, "before")])
    hand = taken(bundle, client)
    backup = running.folder / "b.latchkey"
    client.call("backup.write", path=str(backup))
    assert b"before" not in backup.read_bytes()
    with Installation(fresh=True) as other:
        there = running
        if not is_same_place:
            there = other.start()
            client = there.unlocked()
            bundle = Bundle(there, accounts=[(HOST, "before")])
            hand = taken(bundle, client)
        client.call("backup.restore", path=str(backup), passphrase=secret(PASSPHRASE), replace=True)
        hand.gone()
        # Nothing of the replaced container is offered, and soon what a fresh one holds.
        assert "before" not in str(rows(client))
        if not is_same_place:
            assert bundle.statement(client)["state"] == "changed"
            bundle.enable(client, filled=False)
        # Its container is not in the backup; what was there is kept aside.
        until(lambda: rows(client, "https://fresh.example.com") == [(SHINY, "of a fresh container")])
        assert (there.data / "replaced-1" / "containers" / SHINY / "behaviour.json").exists()


# Two processes of one provider


@pytest.fixture
def packaged(running, client):
    """An app folder with its extension and its containing app, not enabled."""
    bundle = Bundle(running, place="Shiny/PlugIns/Shiny.appex")
    App.put(bundle)
    bundle.apps = []

    def start():
        bundle.apps.append(App(bundle))
        return bundle.apps[-1]

    bundle.start = start
    yield bundle
    for app in bundle.apps:
        app.close()


def test_an_app_whose_provider_is_not_enabled_may_only_ask_for_that(running, client, packaged):
    app = packaged.start()
    assert app.hello["role"] == "app"
    assert app.call("app.state") == {"enabled": False}
    assert refusal(8, app.call, "app.open")
    for method in ["store.state", "store.removeAll", "store.list", "store.begin", "store.save", "store.commit"]:
        refusal(1201, app.call, method, operation="save", batch=1, identities=[], types=[])
    for method in ["items.list", "status", "suggestions.list", "providers.enable", "renderer.status", "provider.start"]:
        refusal(-32601, app.call, method, url=SITE, identifier=SHINY, digest=packaged.statement(client)["digest"])
    # There is no display and no browser by which the user could be asked, and nobody is asked twice.
    refusal(3, app.call, "app.requestEnable")
    assert refusal(5, app.call, "app.requestEnable").data["retryAfter"] > 0
    assert app.call("app.state") == {"enabled": False}
    packaged.enable(client)
    assert app.call("app.state") == {"enabled": True}
    assert app.call("app.requestEnable") == {"enabled": True}
    opened = app.call("app.open")
    assert opened["container"] == str(packaged.container) and len(opened["key"]["secret"]) == 44


def test_an_app_and_its_extension_have_the_same_container_and_key(running, client, packaged):
    hand = taken(packaged, client)
    opened = packaged.start().call("app.open")
    for name in ["identifier", "container", "key"]:
        assert opened[name] == hand.start["params"][name]


def test_one_writes_at_a_time_and_nothing_is_lost(running, client, packaged):
    hand = taken(packaged, client)
    app = packaged.start()
    identity = hand.run("value = provider.identity('site0-example.com', 'of the app')")
    batch = hand.ask("store.begin", operation="save")["result"]["batch"]
    for method in ["store.save", "store.remove", "store.replace", "store.removeAll"]:
        refusal(1202, app.call, method, identities=[identity])
    refusal(1202, app.call, "store.begin", operation="replace")
    refusal(1200, app.call, "store.commit", batch=batch)
    assert app.call("store.state")["supportsIncrementalUpdates"] is True, "reading is not in the way"
    assert len(app.call("store.list", types=[])["identities"]) == 1
    mine = hand.run("value = provider.identity('site0-example.com', 'of the extension')")
    assert "result" in hand.ask("store.append", batch=batch, identities=[mine])
    assert "result" in hand.ask("store.commit", batch=batch)
    assert app.call("store.save", identities=[identity]) == {}
    offered = {user for _, user in rows(client, "https://site0-example.com")}
    assert offered == {"of the extension", "of the app"}
    # The other way round, and a batch ends with its connection.
    app.call("store.begin", operation="replace")
    assert hand.ask("store.save", identities=[mine])["error"]["code"] == 1202
    app.close()
    until(lambda: "result" in hand.ask("store.save", identities=[mine]))
    batch = hand.ask("store.begin", operation="replace")["result"]["batch"]
    again = packaged.start()
    refusal(1202, again.call, "store.save", identities=[identity])
    packaged.kill(client)
    assert until(lambda: codes_of(again.call, "store.save", identities=[identity]) == 0)
    assert {user for _, user in rows(client, "https://site0-example.com")} == offered


def codes_of(call, *arguments, **options):
    try:
        call(*arguments, **options)
        return 0
    except WireFailure as failure:
        return failure.code


def test_both_write_at_once_and_what_was_acknowledged_is_there(running, client, packaged):
    hand = taken(packaged, client)
    app = packaged.start()
    hand.order(do="run", code="""
value = []
for n in range(200):
    identity = provider.identity("site0-example.com", f"extension-{n}")
    while "error" in (answer := provider.ask("store.save", identities=[identity])):
        value.append(answer["error"]["code"])
""")
    busy = []
    for number in range(200):
        identity = {"type": "password", "service": {"type": 0, "identifier": "site0-example.com"}, "rank": 0,
                    "recordIdentifier": None, "user": f"app-{number}"}
        while code := codes_of(app.call, "store.save", identities=[identity]):
            busy.append(code)
    assert set(busy) | set(hand.done()) <= {1202}
    offered = {user for _, user in rows(client, "https://site0-example.com")}
    assert offered == {f"{who}-{n}" for who in ("extension", "app") for n in range(200)}


def test_an_app_of_another_bundle_touches_nothing_of_this_one(running, client, packaged):
    other = Bundle(running, "com.example.other", place="Other/PlugIns/Other.appex", accounts=[(HOST, "other")])
    App.put(other)
    packaged.enable(client)
    app = App(other)
    packaged.apps.append(app)
    assert app.call("app.state") == {"enabled": False}
    refusal(8, app.call, "app.open")
    refusal(1201, app.call, "store.removeAll")
    other.enable(client)
    opened = app.call("app.open")
    assert opened["identifier"] == "com.example.other" and "shiny" not in json.dumps(opened)
    assert [identity["user"] for identity in app.call("store.list", types=[])["identities"]] == ["other"]
    app.call("store.removeAll")
    assert rows(client) == [(SHINY, "rmondello")]


def test_while_locked_an_app_gets_nothing(running, client, packaged):
    packaged.enable(client)
    app = packaged.start()
    key = app.call("app.open")["key"]["secret"]
    client.call("lock")
    for method in ["app.open", "app.state", "app.requestEnable"]:
        assert key not in str(refusal(2, app.call, method).data)
    for method in ["store.state", "store.list", "store.removeAll", "store.begin"]:
        refusal(1201, app.call, method, types=[], operation="save")
    client.call("unlock", passphrase=secret(PASSPHRASE))
    assert app.call("app.open")["key"]["secret"] == key


def stranger(app):
    """It may ask for a password, as every program may, and has no store."""
    assert app.hello["role"] == "client"
    for method in ["app.open", "store.list"]:
        refusal(-32601, app.call, method)
    app.close()


def test_a_program_beside_the_bundle_is_no_app(running, client, packaged):
    packaged.enable(client)
    for place in ["", "Shiny.app", "Shinyx"]:
        folder = packaged.extensions / place
        folder.mkdir(exist_ok=True)
        program = shutil.copy(packaged.root / "app", folder / "program")
        stranger(App(packaged, program))
    # A link leads to what it is, not to where it lies.
    outside = shutil.copy(packaged.root / "app", running.folder / "program")
    link = packaged.root / "link"
    link.symlink_to(outside)
    stranger(App(packaged, link))


def test_an_app_whose_bundle_was_changed_loses_the_store(running, client, packaged):
    """A program that was put into the bundle afterwards is not what the user enabled."""
    packaged.enable(client)
    shutil.copy(packaged.root / "app", packaged.root / "second")
    app = App(packaged, packaged.root / "second")
    packaged.apps.append(app)
    refusal(10, app.call, "app.open")
    assert packaged.statement(client)["state"] == "changed"
    refusal(1201, app.call, "store.list", types=[])
    assert app.call("app.state") == {"enabled": False}
    assert rows(client) == []

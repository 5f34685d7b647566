# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Providers of other people with the real daemon: what they offer, how they fail, and how they are taken away again."""

import collections
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import threading
import time

import pytest

from installation import BINARIES, PASSPHRASE, ROOT, Installation, WireFailure, secret, until
from test_memory import finds, needs_root
from providers import (
    HOST, NETWORK, READ_ONLY, READ_WRITE, SITE, SOCKETS, App, Browser, Bundle, Hand, processes, write_bundle,
)

SHINY = "com.example.shiny"
BUILT_IN = "org.latchkey.passwords"
ROUNDS = max(10, int(os.environ.get("LATCHKEY_KILLS", "0")) // 3)


@pytest.fixture
def client(running):
    return running.unlocked()


@pytest.fixture
def browser(running, client):
    made = Browser(running)
    yield made
    made.close()


def rows(client, origin=SITE):
    answer = client.call("suggestions.list", url=origin)["suggestions"]
    return [(row["provider"], row["user"]) for row in answer]


def store_file(installation, identifier=SHINY):
    return installation.state / "identities" / f"{identifier}.identities"


def refusal(code, call, *arguments, **options):
    with pytest.raises(WireFailure) as refused:
        call(*arguments, **options)
    assert refused.value.code == code, refused.value
    return refused.value


def taken(bundle, client, filled=True):
    """Enables a bundle with the test's hand on it, and waits until it has filled its store."""
    hand = Hand(bundle)
    bundle.enable(client, filled=filled)
    hand.taken()
    return hand.filled() if filled else hand


# What is offered


@pytest.fixture
def three(running, client):
    """The built-in provider and two others, each with accounts for the same site."""
    client.call("items.add", items=[{"services": [HOST], "user": "mine", "password": secret("p" * 12)}])
    until(lambda: rows(client))
    first = Bundle(
        running, "com.example.first", "First",
        accounts=[(HOST, "old", "1", 0), (HOST, "high", "2", 5), (HOST, "new", "3", 0), ("other.test", "x", "4", 9)],
    ).enable(client)
    second = Bundle(running, "com.example.second", "Second", accounts=[(HOST, "highest", "5", 99)]).enable(client)
    return first, second


def test_rows_come_by_provider_order_then_rank(running, client, three):
    offered = rows(client)
    assert sorted(offered[2:4]) == [("com.example.first", "new"), ("com.example.first", "old")]
    first = offered[1:4]
    assert first[0] == ("com.example.first", "high")
    second, mine = [("com.example.second", "highest")], [(BUILT_IN, "mine")]
    assert rows(client) == mine + first + second
    client.call("providers.order", identifiers=["com.example.second", "com.example.first"])
    assert rows(client) == second + first + mine
    browser = Browser(running)
    assert [(row["provider"], row["user"]) for row in browser.rows()] == second + first + mine
    browser.close()
    running.kill()
    running.start()
    assert rows(running.unlocked()) == second + first + mine


def test_disabling_takes_back_the_rows_the_file_and_the_process(running, client, three):
    browser = Browser(running)
    handle = [row["handle"] for row in browser.rows() if row["provider"] == "com.example.first"][0]
    assert store_file(running, "com.example.first").exists() and three[0].processes()
    client.call("providers.disable", identifier="com.example.first")
    assert [provider for provider, _ in rows(client)] == [BUILT_IN, "com.example.second"]
    assert not list(store_file(running).parent.glob("com.example.first*"))
    assert three[0].processes() == []
    refusal(10, browser.call, "renderer.choose", handle=handle, surface="popup", guard={"held": True})
    assert three[0].processes() == []
    # What it keeps itself stays.
    assert (three[0].container / "behaviour.json").exists()
    browser.close()


def test_the_command_line_lists_enables_orders_disables_and_removes(running, client):
    bundle = Bundle(running)

    def listed():
        return json.loads(running.latchkey("providers", "list", "--json").stdout)["providers"]

    def state():
        return {p["identifier"]: p["state"] for p in listed()}.get(SHINY)

    assert state() == "disabled"
    # Nobody is there who could be asked.
    assert running.latchkey("providers", "enable", SHINY, check=False).returncode == 64
    assert running.latchkey("providers", "enable", "com.example.absent", "--yes", check=False).returncode == 5
    assert state() == "disabled" and rows(client) == []
    enabled = running.latchkey("providers", "enable", SHINY, "--yes", "--json")
    assert json.loads(enabled.stdout)["state"] == "enabled"
    assert b"Shiny" in enabled.stderr, "what it asks for is said all the same"
    until(lambda: rows(client))
    running.latchkey("providers", "order", SHINY)
    assert [p["identifier"] for p in listed()] == [SHINY, BUILT_IN]
    assert running.latchkey("providers", "order", "com.example.absent", check=False).returncode == 5
    assert running.latchkey("providers", "remove", BUILT_IN, check=False).returncode == 6
    running.latchkey("providers", "disable", SHINY)
    assert state() == "disabled" and rows(client) == [] and bundle.processes() == []
    running.latchkey("providers", "remove", SHINY)
    assert state() is None and not bundle.folder.exists() and bundle.container.exists()
    assert running.latchkey("providers", "remove", SHINY, "--delete-data", check=False).returncode in (0, 5)
    client.call("lock")
    for command in ["list", "enable", "disable", "remove", "order"]:
        done = running.latchkey("providers", command, *([SHINY] if command != "list" else []), check=False)
        assert done.returncode == 3, (command, done.stderr)


# Providers that fail


def test_a_late_answer_is_dropped_and_the_same_process_serves_the_next(running, client, browser):
    """The time limit of a test's own is a second; the answer comes when the cancellation does."""
    hand = impatient(running, client, holds=["provider.provideCredential"], cancel="late")
    started = hand.run("value = os.getpid()")
    number = browser.start_choosing()
    asked = hand.expect("provider.provideCredential")
    refused = refusal(11, browser.wait, number)
    assert "correct horse" not in str(refused.data) + refused.message
    assert hand.expect("provider.cancel")["params"]["request"] == asked["params"]["request"]
    number = browser.start_choosing()
    again = hand.expect("provider.provideCredential")
    hand.run("provider.credential(list(provider.held.values())[-1])")
    fills = browser.wait(number)["fills"]
    assert {"secret": "correct horse"} in [fill["value"] for fill in fills]
    assert again["params"]["request"] != asked["params"]["request"]
    assert hand.run("value = os.getpid()") == started


def impatient(running, client, **behaviour):
    """A provider that has a second; the preference is read when the daemon starts."""
    (running.config / "preferences.json").write_text(json.dumps({"providerSeconds": 1}))
    bundle = Bundle(running, **behaviour)
    client.call("preferences.set", providerSeconds=1)
    hand = taken(bundle, client)
    hand.bundle = bundle
    return hand


def test_one_that_is_silent_to_the_cancellation_is_ended(running, client, browser):
    hand = impatient(running, client, holds=["provider.provideCredential"], cancel="ignore")
    refusal(11, browser.wait, browser.start_choosing())
    hand.gone()
    assert rows(client) == [(SHINY, "rmondello")], "its identities stay"
    hand.bundle.behave()
    assert browser.choose() == "correct horse"


def test_an_answer_after_the_page_was_left_goes_nowhere(running, client, browser):
    hand = taken(Bundle(running, holds=["provider.provideCredential"], cancel="late"), client)
    number = browser.start_choosing()
    hand.expect("provider.provideCredential")
    browser.send({"jsonrpc": "2.0", "method": "page.left", "params": {"tab": 1, "document": "D1"}})
    hand.expect("provider.cancel")
    refusal(9, browser.wait, number)
    lines = client.call("audit.list")["lines"]
    assert not [line for line in lines if line["event"] == "released"]
    # The same process goes on.
    number = browser.start_choosing(document="D2")
    hand.expect("provider.provideCredential")
    hand.run("provider.credential(list(provider.held.values())[-1])")
    browser.wait(number)


def test_a_crash_in_the_middle_of_a_request_is_answered_and_the_next_one_is_served(running, client, browser):
    bundle = Bundle(running, holds=["provider.provideCredential"])
    hand = taken(bundle, client)
    number = browser.start_choosing()
    hand.expect("provider.provideCredential")
    os.kill(bundle.program, signal.SIGKILL)
    refusal(10, browser.wait, number)
    hand.gone()
    bundle.behave()
    assert browser.choose() == "correct horse"


NO_ANSWERS = {
    "another user": {"result": {"credential": {"type": "password", "user": "else", "password": {"secret": "x"}}}},
    "a code": {"result": {"credential": {"type": "one-time-code", "code": {"secret": "1"}}}},
    "no secret": {"result": {"credential": {"type": "password", "user": "rmondello", "password": "not a secret"}}},
    "no password": {"result": {"credential": {"type": "password", "user": "rmondello"}}},
    "nothing": {"result": {}},
    "null": {"result": None},
    "an error of the daemon's": {"error": {"code": 2, "message": "Latchkey is locked."}},
    "an error that it may not answer": {"error": {"code": 8, "message": "no"}},
}


def test_an_answer_that_is_none_fills_nothing(running, client, browser):
    hand = taken(Bundle(running, holds=["provider.provideCredential"]), client)
    for number, (name, answer) in enumerate(NO_ANSWERS.items()):
        choice = browser.start_choosing()
        asked = hand.expect("provider.provideCredential")
        hand.send(id=asked["id"], **answer)
        with pytest.raises(WireFailure) as refused:
            browser.wait(choice)
        assert refused.value.code == 10, name
        released = [line for line in client.call("audit.list")["lines"] if line["event"] == "released"]
        assert len(released) == number, name
        # A right one in between: five wrong ones in a row would be something else.
        choice = browser.start_choosing()
        hand.expect("provider.provideCredential")
        hand.run("provider.credential(list(provider.held.values())[-1])")
        browser.wait(choice)


BROKEN_RULES = {
    "an answer nobody asked": "provider.send(id=4711, result={})",
    "no frame": "provider.wire.sendall(b'\\xff' * 64)",
    "an empty frame": "provider.wire.sendall(bytes(4))",
    "a flood": "[provider.send(method='store.nothing', id=n) for n in range(20000)]",
}


def test_one_that_breaks_the_rules_is_ended_and_started_again(running, client, browser):
    hand = taken(Bundle(running), client)
    for code in BROKEN_RULES.values():
        hand.order(do="run", code=code)
        hand.gone()
        assert browser.choose() == "correct horse"
        hand.taken().filled()
    assert client.call("status")["locked"] is False


def test_five_failures_in_a_row_delete_what_it_advertises(running, client, browser):
    bundle = Bundle(running)
    hand = taken(bundle, client)
    hand.run("provider.accounts = []")
    for _ in range(4):
        refusal(1101, browser.choose)
    assert rows(client) == [(SHINY, "rmondello")]
    refusal(1101, browser.choose)
    assert rows(client) == []
    assert hand.ask("store.state")["result"] == {"enabled": True, "supportsIncrementalUpdates": False}


def test_an_interface_that_never_ends_ends_with_who_asked(running, client):
    bundle = Bundle(running, holds=["provider.prepareCredentialList"])
    hand = taken(bundle, client)
    browser = Browser(running)
    browser.rows()
    browser.ask("renderer.openList", session=browser.session, provider=SHINY)
    browser.receive_until(lambda: browser.surfaces)
    request = hand.expect("provider.prepareCredentialList")["params"]["request"]
    browser.process.kill()
    browser.process.wait()
    assert hand.expect("provider.cancel")["params"]["request"] == request
    hand.gone()
    until(lambda: bundle.processes() == [])
    assert rows(client) == [(SHINY, "rmondello")]


def test_an_interface_that_is_cancelled_leaves_the_others_alone(running, client, browser):
    hand = taken(Bundle(running, holds=["provider.prepareCredentialList"]), client)
    browser.rows()
    number = browser.ask("renderer.openList", session=browser.session, provider=SHINY)
    browser.receive_until(lambda: browser.surfaces)
    request = hand.expect("provider.prepareCredentialList")["params"]["request"]
    picture = {"title": "T", "elements": [{"kind": "button", "id": "b", "label": "Fill"}]}
    assert "result" in hand.ask("interface.show", request=request, interface=picture)
    prompt = browser.surfaces[0]
    shown = browser.call("renderer.prompt", prompt=prompt)
    assert shown["provider"] == "Shiny" and shown["site"] == SITE and shown["interface"]["elements"][0]["id"] == "b"
    # What is not shown cannot be acted on, and nobody else can act.
    for element, action in [("c", "press"), ("b", "select"), ("b", "change")]:
        refusal(16, browser.call, "renderer.act", prompt=prompt, element=element, action=action, fields=[])
    other = Browser(running)
    refusal(16, other.call, "renderer.act", prompt=prompt, element="b", action="press", fields=[])
    refusal(16, other.call, "renderer.prompt", prompt=prompt)
    other.close()
    browser.call("renderer.act", prompt=prompt, element="b", action="press", fields=[])
    assert hand.expect("provider.act")["params"]["element"] == "b"
    browser.call("renderer.answer", prompt=prompt, accept=False)
    refusal(9, browser.wait, number)
    hand.expect("provider.cancel")
    refusal(16, browser.call, "renderer.act", prompt=prompt, element="b", action="press", fields=[])
    assert "error" in hand.ask("interface.show", request=request, interface=picture)


def test_one_that_prints_all_the_time_does_no_harm(running, client, browser):
    bundle = Bundle(running, prints=True).enable(client)
    for _ in range(20):
        assert browser.choose() == "correct horse"
    assert "NOISE" not in running.output()
    bundle.installation.kill()
    until(lambda: bundle.processes() == [])


def test_one_that_hangs_at_its_start_holds_up_nobody(running, client, browser):
    client.call("items.add", items=[{"services": [HOST], "user": "mine", "password": secret("p" * 12)}])
    until(lambda: rows(client))
    bundle = Bundle(running)
    hand = taken(bundle, client)
    bundle.behave(start="hang")
    bundle.kill(client)
    browser.rows()
    number = browser.ask("renderer.openList", session=browser.session, provider=SHINY)
    browser.receive_until(lambda: browser.surfaces)
    hand.taken()
    # While that one waits, everything else is answered.
    other = Browser(running)
    assert other.choose(BUILT_IN) == "p" * 12
    other.close()
    assert rows(client) == [(BUILT_IN, "mine"), (SHINY, "rmondello")]
    with pytest.raises(WireFailure) as refused:
        browser.wait(number)
    assert refused.value.code in (10, 11), refused.value
    hand.gone()
    bundle.behave()
    assert browser.choose() == "correct horse"


def test_a_lock_does_not_wait_for_one_that_hangs_at_its_start(running, client):
    """A start may take ten seconds; keys are gone from every process long before."""
    bundle = Bundle(running, start="hang")
    hand = taken(bundle, client, filled=False)
    began = time.monotonic()
    client.call("lock")
    assert time.monotonic() - began < 8, "it was waited for"
    assert bundle.processes() == []
    hand.gone()


def test_one_that_ends_at_its_start_is_no_loop(running, client, browser):
    bundle = Bundle(running, start="exit")
    hand = Hand(bundle)
    bundle.enable(client, filled=False)
    hand.taken().gone()
    browser.focus(SITE)
    assert rows(client) == []
    until(lambda: bundle.statement(client)["running"] is False)
    assert bundle.statement(client)["state"] == "enabled"


# Many identities at once


SITES = [f"https://site{number}-example.com" for number in (0, 1, 50, 98, 99)]


def generations(client):
    """The generations of identities that some of the sites are offered, with how many of each there are."""
    counts = collections.Counter()
    for site in SITES:
        counts.update(user.split("-")[0] for _, user in rows(client, site))
    return dict(counts)


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


def test_a_batch_is_all_or_nothing_whoever_is_killed_whenever(installation):
    """The provider replaces ten thousand identities by others; it, or the daemon, is killed at a random moment of that."""
    chance = random.Random(20261121)
    installation.start()
    client = installation.unlocked()
    bundle = Bundle(installation, accounts=[], answers="everything")
    hand = taken(bundle, client)
    began = time.monotonic()
    assert hand.run("value = provider.batch('replace', 'g0', 10_000)") == []
    took, possible = time.monotonic() - began, {"g0"}
    for number in range(1, ROUNDS + 1):
        generation, is_daemon = f"g{number}", number % 2 == 0
        hand.order(do="run", code=f"value = provider.batch('replace', '{generation}', 10_000)")
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
        assert list(found.values()) == [100 * len(SITES)], f"round {number}: {found}"
        assert bundle.statement(client)["identities"] == 10_000
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
    with Installation() as here:
        here.start()
        bundle = Bundle(here, accounts=[(HOST, "of this machine")])
        hand = taken(bundle, here.unlocked())
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
        assert rows(client) == [], "nothing is deleted that is no file"
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
    with Installation() as other:
        there = running
        if not is_same_place:
            there = other.start()
            client = there.unlocked()
            bundle = Bundle(there, accounts=[(HOST, "before")])
            hand = taken(bundle, client)
        client.call("backup.restore", path=str(backup), passphrase=secret(PASSPHRASE), replace=True)
        hand.gone()
        assert rows(client) == []
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


def test_a_program_beside_the_bundle_is_no_app(running, client, packaged):
    packaged.enable(client)
    for place in ["", "Shiny.app", "Shinyx"]:
        folder = packaged.extensions / place
        folder.mkdir(exist_ok=True)
        program = shutil.copy(packaged.root / "app", folder / "program")
        refusal(8, App, packaged, program)
    # A link leads to what it is, not to where it lies.
    outside = shutil.copy(packaged.root / "app", running.folder / "program")
    link = packaged.root / "link"
    link.symlink_to(outside)
    refusal(8, App, packaged, link)


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


# Isolation


@pytest.fixture
def isolated(running, client):
    isolation = client.call("status")["isolation"]
    if not isolation["available"]:
        pytest.skip(f"no isolation here: {isolation.get('reason')}")


def raises(hand, code):
    answer = hand.run(code)
    assert isinstance(answer, dict) and set(answer) == {"raised"}, f"{code}: {answer}"
    return answer["raised"]


def test_what_is_not_its_own_is_not_there(running, client, isolated):
    (running.folder / "diary.txt").write_text("dear diary")
    other = Bundle(running, "com.example.other")
    other.enable(client)
    bundle = Bundle(running)
    hand = taken(bundle, client)
    for path in [
        running.folder / "diary.txt", running.config / "peers.json", running.data / "keyring", running.data / "registry",
        running.state, store_file(running), other.container / "behaviour.json", other.folder / "provider",
        running.folder / "daemon.log", running.data / "containers" / BUILT_IN, running.socket, running.runtime,
        pathlib.Path(__file__), f"/proc/{running.daemon.pid}/environ", f"/proc/{os.getpid()}/cmdline", "/etc/shadow",
        "/sys", "/boot", "/home",
    ]:
        assert os.path.exists(path), f"{path} proves nothing"
        assert hand.run(f"value = os.path.exists({str(path)!r})") is False, path
    assert hand.run(f"value = os.listdir({str(running.folder)!r})") == ["data_home"]
    assert hand.run(f"value = os.listdir({str(bundle.container.parent)!r})") == [SHINY]
    assert hand.run(f"value = os.listdir({str(bundle.extensions)!r})") == [bundle.folder.name]
    assert hand.run("value = os.listdir('/run') + os.listdir('/var') + os.listdir('/tmp')") in ([], ["latchkey"], [
        running.folder.name])
    numbers = hand.run("value = [int(name) for name in os.listdir('/proc') if name.isdigit()]")
    assert len(numbers) <= 4, "it sees other processes"


def test_its_own_bundle_and_the_system_cannot_be_written(running, client, isolated):
    bundle = Bundle(running)
    hand = taken(bundle, client)
    for path in [bundle.folder / "new", bundle.folder / "provider", "/usr/new", "/usr/bin/bwrap", "/etc/passwd"]:
        assert raises(hand, f"open({str(path)!r}, 'a')") in ("OSError", "PermissionError"), path
    for call in [
        "os.setuid(12345)", "os.chroot('/')", "socket.sethostname('x')",
        f"os.remove({str(bundle.folder / 'provider')!r})", f"os.chmod({str(bundle.folder)!r}, 0o777)",
    ]:
        raises(hand, call)
    # What it writes beside is gone with it; what it writes into its container stays.
    hand.run(f"open({str(running.folder / 'left')!r}, 'w').write('x')")
    hand.run("open(provider.container + '/kept', 'w').write('x')")
    assert not (running.folder / "left").exists() and (bundle.container / "kept").read_text() == "x"
    assert bundle.statement(client)["state"] == "enabled"


def test_neither_the_session_bus_nor_the_daemon_can_be_reached(running, client, isolated):
    listeners = []
    runtime = pathlib.Path(running.environment["XDG_RUNTIME_DIR"])
    for name in ["bus", "keyring"]:
        listeners.append(socket.socket(socket.AF_UNIX))
        listeners[-1].bind(str(runtime / name))
        listeners[-1].listen()
    abstract = socket.socket(socket.AF_UNIX)
    abstract.bind(b"\0latchkey-test-" + str(os.getpid()).encode())
    abstract.listen()
    hand = taken(Bundle(running), client)
    for path in [runtime / "bus", runtime / "keyring", running.socket, "/run/dbus/system_bus_socket"]:
        assert raises(hand, f"socket.socket(socket.AF_UNIX).connect({str(path)!r})") == "FileNotFoundError", path
    name = f"'\\0latchkey-test-{os.getpid()}'"
    assert raises(hand, f"socket.socket(socket.AF_UNIX).connect({name})") == "ConnectionRefusedError"
    assert hand.run("value = sorted(n for n in os.environ if 'DBUS' in n or 'DISPLAY' in n or 'LATCHKEY' in n)") == []
    for listener in [*listeners, abstract]:
        listener.close()


@pytest.mark.parametrize("has_network", [False, True])
def test_the_network_is_there_with_the_entitlement_only(running, client, isolated, has_network):
    server = socket.create_server(("127.0.0.1", 0))
    bundle = Bundle(running, entitlements={NETWORK: has_network})
    hand = taken(bundle, client)
    assert bundle.statement(client)["grants"]["network"] is has_network
    connect = f"socket.create_connection(('127.0.0.1', {server.getsockname()[1]}), 10).close(); value = 'connected'"
    if has_network:
        assert hand.run(connect) == "connected"
    else:
        assert raises(hand, connect) in ("ConnectionRefusedError", "OSError")
    server.close()


def test_granted_folders_are_given_as_they_were_granted(running, client, isolated):
    for name in ["readable", "writable", "readables"]:
        (running.folder / name).mkdir()
        (running.folder / name / "file").write_text(name)
    bundle = Bundle(running, entitlements={READ_ONLY: ["/readable/"], READ_WRITE: ["writable", "absent"]})
    hand = taken(bundle, client)
    assert hand.run(f"value = open({str(running.folder / 'readable' / 'file')!r}).read()") == "readable"
    for code in [
        f"open({str(running.folder / 'readable' / 'file')!r}, 'w')", f"open({str(running.folder / 'readable' / 'x')!r}, 'w')",
        f"os.remove({str(running.folder / 'readable' / 'file')!r})", f"os.chmod({str(running.folder / 'readable')!r}, 0o777)",
        f"open({str(running.folder / 'readables' / 'file')!r})", f"os.listdir({str(running.folder / 'absent')!r})",
        f"open({str(running.folder / 'readable' / '..' / 'readables' / 'file')!r})",
    ]:
        raises(hand, code)
    assert (running.folder / "readable" / "file").read_text() == "readable"
    hand.run(f"open({str(running.folder / 'writable' / 'file')!r}, 'w').write('changed')")
    assert (running.folder / "writable" / "file").read_text() == "changed"


NEVER_GIVEN = [
    ({READ_WRITE: ["data_home"]}, "Latchkey"),
    ({READ_ONLY: ["/data_home/latchkey/containers/org.latchkey.passwords/"]}, "Latchkey"),
    ({READ_ONLY: ["runtime_dir"]}, "Latchkey"),
    ({READ_ONLY: ["config_home/latchkey"]}, "Latchkey"),
    ({READ_ONLY: ["/"]}, "home"),
    ({READ_ONLY: ["x/../.."]}, "home"),
    ({SOCKETS: ["$XDG_RUNTIME_DIR/bus"]}, "socket"),
    ({SOCKETS: ["$XDG_RUNTIME_DIR/latchkey/latchkeyd.sock"]}, "socket"),
    ({SOCKETS: ["~/runtime_dir/latchkey/latchkeyd.sock"]}, "Latchkey"),
    ({SOCKETS: ["~/data_home"]}, "Latchkey"),
    ({SOCKETS: ["~/.."]}, ""),
    ({SOCKETS: ["/var/run/docker.sock"]}, "socket"),
    # It would put a link there, and be given what that leads to at its next start.
    ({READ_WRITE: ["notes", "notes/inner"]}, "inside"),
    ({READ_WRITE: ["notes/"], READ_ONLY: ["/notes/inner/deep"]}, "inside"),
    ({READ_WRITE: ["notes"], SOCKETS: ["~/notes/socket"]}, "inside"),
    ({SOCKETS: ["$XDG_RUNTIME_DIR/gnupg", "$XDG_RUNTIME_DIR/gnupg/S.gpg-agent"]}, "inside"),
]


def test_what_no_provider_is_given_cannot_be_asked_for(running, client):
    for entitlements, reason in NEVER_GIVEN:
        bundle = Bundle(running, entitlements=entitlements)
        statement = bundle.statement(client)
        assert statement["state"] == "broken" and reason in statement["problem"], (entitlements, statement)
        with pytest.raises(WireFailure):
            client.call("providers.enable", identifier=SHINY, digest=statement.get("digest") or "")
        assert bundle.processes() == []
        shutil.rmtree(bundle.folder)
    # A name that only begins in the same way is another folder.
    asked = {READ_WRITE: ["notes"], READ_ONLY: ["notes-too", "data_home_too"]}
    assert Bundle(running, entitlements=asked).statement(client)["state"] == "disabled"


@pytest.mark.parametrize("key", [READ_WRITE, SOCKETS])
def test_a_link_does_not_lead_to_what_is_latchkeys(running, client, key):
    """Bubblewrap follows links; so does the question whether a folder may be given."""
    bundle = Bundle(running, entitlements={key: ["~/notes" if key == SOCKETS else "notes"]})
    (running.folder / "notes").mkdir()
    hand = taken(bundle, client)
    # Later on, too: somebody put it there between two starts.
    (running.folder / "notes").rmdir()
    for target in [running.data, running.runtime, running.data / "containers" / BUILT_IN, running.folder]:
        (running.folder / "notes").unlink(missing_ok=True)
        (running.folder / "notes").symlink_to(target)
        assert bundle.statement(client)["state"] == "broken", target
    browser = Browser(running)
    bundle.behave(fills=False)
    os.kill(bundle.program, signal.SIGKILL)
    hand.gone()
    with pytest.raises(WireFailure):
        browser.choose()
    assert rows(client) == [] and bundle.processes() == []
    browser.close()


def test_killing_the_daemon_ends_an_isolated_provider(running, client, isolated):
    mark = str(10**9 + os.getpid())
    bundle = Bundle(running, holds=["provider.provideCredential"])
    hand = taken(bundle, client)
    # One that ignores the end of its connection and starts others of its own.
    hand.run("import subprocess, sys; subprocess.Popen(['/usr/bin/sleep', '" + mark + "'])")
    hand.run("provider.take = lambda count: __import__('time').sleep(10**6)")
    until(lambda: processes(mark))
    running.kill()
    hand.gone()
    until(lambda: bundle.processes() == [] and processes(mark) == [])


def test_S30_after_a_lock_no_process_of_a_provider_is_left(running, client, isolated):
    mark = str(10**9 + os.getpid())
    bundle = Bundle(running)
    hand = taken(bundle, client)
    hand.run("import subprocess, sys; subprocess.Popen(['/usr/bin/sleep', '" + mark + "'], start_new_session=True)")
    until(lambda: processes(mark))
    client.call("lock")
    assert bundle.processes() == []
    hand.gone()
    until(lambda: processes(mark) == [])


# Bundles that change


def test_a_bundle_that_changed_offers_nothing_until_it_is_enabled_again(running, client, browser):
    bundle = Bundle(running)
    hand = taken(bundle, client)
    handle = [row["handle"] for row in browser.rows()][0]
    (bundle.folder / "added").write_text("x")
    assert bundle.statement(client)["state"] == "changed"
    refusal(10, browser.call, "renderer.choose", handle=handle, surface="popup", guard={"held": True})
    hand.gone()
    assert rows(client) == [] and bundle.processes() == []
    assert not store_file(running).exists()
    (bundle.folder / "added").unlink()
    assert bundle.statement(client)["state"] == "enabled"
    bundle.enable(client)
    assert browser.choose() == "correct horse"


@pytest.mark.parametrize("change", ["program", "mode", "link", "entitlements", "renamed", "gone", "owner"])
def test_a_bundle_that_changed_while_nothing_ran_is_not_started(running, client, change):
    bundle = Bundle(running)
    hand = taken(bundle, client)
    running.kill()
    hand.gone()
    if change == "program":
        with open(bundle.folder / "provider", "a") as file:
            file.write("\n")
    elif change == "mode":
        (bundle.folder / "Info.plist").chmod(0o755)
    elif change == "link":
        (bundle.folder / "link").symlink_to("/etc/passwd")
    elif change == "entitlements":
        shutil.rmtree(bundle.folder)
        write_bundle(bundle.folder, SHINY, "Shiny", {NETWORK: True})
    elif change == "renamed":
        bundle.folder.rename(bundle.extensions / "Other.appex")
    elif change == "gone":
        shutil.rmtree(bundle.folder)
    else:
        if os.geteuid() != 0:
            pytest.skip("giving a folder away needs root")
        os.chown(bundle.folder, 65534, 65534)
    running.start()
    client = running.unlocked()
    assert rows(client) == [] and not store_file(running).exists()
    expected = {"link": "broken", "gone": "missing", "owner": "broken"}.get(change, "changed")
    assert bundle.statement(client)["state"] == expected
    assert bundle.processes() == []


def test_what_was_shown_is_what_is_enabled(running, client):
    bundle = Bundle(running)
    shown = bundle.statement(client)["digest"]
    (bundle.folder / "added").write_text("x")
    refusal(6, client.call, "providers.enable", identifier=SHINY, digest=shown)
    refusal(6, client.call, "providers.enable", identifier=SHINY, digest="")
    assert bundle.statement(client)["state"] == "disabled" and bundle.processes() == []


def test_a_second_bundle_with_the_same_identifier_is_none(running, client, browser):
    bundle = Bundle(running, place="B.appex").enable(client)
    # After the first in the alphabet, and before it.
    write_bundle(bundle.extensions / "C.appex", SHINY, "Impostor", {NETWORK: True})
    states = [(p["state"], p["path"]) for p in client.call("providers.list")["providers"] if not p["builtIn"]]
    assert ("enabled", str(bundle.folder)) in states
    assert browser.choose() == "correct horse"
    write_bundle(bundle.extensions / "A.appex", SHINY, "Impostor", {NETWORK: True})
    assert [p["state"] for p in client.call("providers.list")["providers"] if p["identifier"] == SHINY][0] != "enabled"
    with pytest.raises((WireFailure, IndexError)):
        browser.choose()
    assert processes(bundle.extensions / "A.appex") == processes(bundle.extensions / "C.appex") == []
    write_bundle(running.folder / "New.appex", SHINY, "Impostor")
    refusal(13, client.call, "providers.install", path=str(running.folder / "New.appex"))


def test_a_removed_bundle_is_gone_with_everything_it_offered(running, client, browser):
    bundle = Bundle(running)
    hand = taken(bundle, client)
    handle = [row["handle"] for row in browser.rows()][0]
    client.call("providers.remove", identifier=SHINY)
    hand.gone()
    assert bundle.processes() == [] and rows(client) == [] and not store_file(running).exists()
    assert not bundle.folder.exists() and bundle.container.exists()
    refusal(10, browser.call, "renderer.choose", handle=handle, surface="popup", guard={"held": True})
    refusal(7, client.call, "providers.configure", identifier=SHINY)
    refusal(7, client.call, "providers.enable", identifier=SHINY, digest="")
    again = Bundle(running)
    client.call("providers.remove", identifier=SHINY, deleteData=True)
    assert not again.container.exists()
    refusal(7, client.call, "providers.remove", identifier=SHINY)


# Memory


@needs_root
def test_S30_nothing_of_a_provider_is_left_after_a_lock(running, client, browser):
    canary, user = "canary-9Kd-W4p-only-in-this-test", "provider-canary-user"
    bundle = Bundle(running, accounts=[(HOST, user, canary)])
    hand = taken(bundle, client)
    assert browser.choose() == canary
    key = hand.start["params"]["key"]["secret"]
    assert finds(bundle.program, canary), "the search finds what is held"
    client.call("lock")
    assert bundle.processes() == []
    for process in [running.daemon.pid, browser.process.pid]:
        for what, text in [("a password", canary), ("a user name", user), ("the key of the container", key)]:
            assert not finds(process, text), f"{what} is still in the memory of {process}"
    for file in [*running.state.rglob("*"), *running.runtime.rglob("*"), running.folder / "daemon.log"]:
        if file.is_file():
            content = file.read_bytes()
            assert canary.encode() not in content and user.encode() not in content, file.name


# The provider for pass


@pytest.fixture
def password_store():
    """An installation whose home has a password store and a key without a passphrase, with an agent outside of any sandbox."""
    if missing := [name for name in ["gpg", "gpgconf", "pass"] if not shutil.which(name)]:
        pytest.skip(f"{', '.join(missing)} is not here")
    if not (BINARIES / "latchkey-pass").exists():
        pytest.skip("latchkey-pass is not built")
    with Installation() as made:
        home = made.folder
        environment = {**made.environment, "GNUPGHOME": str(home / ".gnupg")}
        (home / ".gnupg").mkdir(mode=0o700)
        (home / "runtime_dir").mkdir(mode=0o700, exist_ok=True)

        def run(*command, text=""):
            done = subprocess.run(command, env=environment, input=text, capture_output=True, text=True)
            assert done.returncode == 0, (command, done.stderr)

        run("gpg", "--batch", "--passphrase", "", "--quick-generate-key", "someone@example.com", "default", "default", "never")
        run("pass", "init", "someone@example.com")
        made.entries = {"rmondello": "first password", "other": "second password"}
        for user, password in made.entries.items():
            run("pass", "insert", "--multiline", f"web/{HOST}/{user}", text=f"{password}\nnote: nothing\n")
        run("pass", "insert", "--multiline", "other.test/someone", text="third password\n")
        run("gpgconf", "--launch", "gpg-agent")
        folder = made.data / "extensions" / "org.latchkey.pass.appex"
        folder.parent.mkdir(parents=True, mode=0o700)
        shutil.copytree(ROOT / "Packaging" / "extensions" / "org.latchkey.pass.appex", folder)
        shutil.copy(BINARIES / "latchkey-pass", folder / "latchkey-pass")
        made.run = run
        yield made
        run("gpgconf", "--kill", "gpg-agent")


PASS = "org.latchkey.pass"


def test_pass_is_offered_by_names_and_filled_through_the_gate(password_store):
    client = password_store.start().unlocked()
    folder = password_store.data / "extensions" / "org.latchkey.pass.appex"
    asked = password_store.latchkey("providers", "info", PASS).stdout.decode()
    assert ".password-store" in asked and ".gnupg" in asked
    password_store.latchkey("providers", "enable", PASS, "--yes")
    until(lambda: len(rows(client)) == 2)
    assert sorted(rows(client)) == [(PASS, "other"), (PASS, "rmondello")]
    assert rows(client, "https://other.test") == [(PASS, "someone")]
    assert rows(client, "https://evil.test") == rows(client, f"http://{HOST}") == []
    browser = Browser(password_store)
    for row in browser.rows():
        row = [fresh for fresh in browser.rows() if fresh["user"] == row["user"]][0]
        answer = browser.call("renderer.choose", handle=row["handle"], surface="popup", guard={"held": True})
        filled = {fill["role"]: fill["value"]["secret"] for fill in answer["fills"]}
        assert filled == {"username": row["user"], "current-password": password_store.entries[row["user"]]}
    assert browser.presented == []
    released = [line for line in client.call("audit.list")["lines"] if line["event"] == "released"]
    assert [line["provider"] for line in released] == [PASS, PASS]
    # A page of another site gets nothing, whatever is chosen.
    with pytest.raises(IndexError):
        browser.choose(PASS, "https://evil.test")
    if client.call("status")["isolation"]["available"]:
        names = [_name(process) for process in processes(folder / "latchkey-pass")]
        assert "bwrap" in names and "latchkey-pass" in names
    # New entries are offered with the next start.
    password_store.run("pass", "insert", "--multiline", f"{HOST}/late", text="fourth password\n")
    client.call("lock")
    assert processes(folder / "latchkey-pass") == []
    client = password_store.unlocked()
    assert browser.choose(PASS) in password_store.entries.values()
    until(lambda: (PASS, "late") in rows(client))
    # Without the agent nothing is decrypted, and none is started for it in the sandbox.
    password_store.run("gpgconf", "--kill", "gpg-agent")
    row = browser.rows()[0]
    number = browser.ask("renderer.choose", handle=row["handle"], surface="popup", guard={"held": True})
    browser.receive_until(lambda: browser.surfaces or number in browser.answers)
    if number not in browser.answers:
        browser.call("renderer.answer", prompt=browser.surfaces[0], accept=False)
    with pytest.raises(WireFailure):
        browser.wait(number)
    browser.close()


def _name(process):
    try:
        return pathlib.Path(f"/proc/{process}/comm").read_text().strip()
    except OSError:
        return ""

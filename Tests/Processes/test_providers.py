# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Providers of other people with the real daemon: what they offer, how they fail, and what is left of them."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import time

import pytest

from git_server import HOST as GIT_HOST
from git_server import Terminal
from installation import BINARIES, PASSPHRASE, ROOT, Installation, WireFailure, secret, until
from test_git import AGREE, USE, Desk
from test_memory import finds, needs_root
from providers import (
    BUILT_IN, HOST, SHINY, SITE, Browser, Bundle, Hand, processes, refusal, rows, store_file, taken,
)
from verdicts import must_hold, nothing_released


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


@pytest.mark.parametrize("configures", [True, False])
def test_on_a_terminal_the_configuration_follows(running, client, configures):
    """A configuration that cannot be shown takes nothing back."""
    bundle = Bundle(running, configures=configures)
    hand = [("Enable it? [y/N]", "y\n"), ("assphrase: ", PASSPHRASE + "\n")]
    shown = Terminal(
        [BINARIES / "latchkey", "providers", "enable", SHINY], {**running.environment, "TERM": "xterm"},
        hand=hand + [("[ done ]", "\r")] if configures else hand)
    assert shown.status == 0 and bundle.statement(client)["state"] == "enabled"
    assert ("Set Up Obedient" in shown.screen) == configures
    assert ("`latchkey providers configure" in shown.screen) != configures


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


@pytest.mark.main
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
    assert state() == "disabled"
    nothing_released("rows of a provider that is not enabled", rows(client))
    enabled = running.latchkey("providers", "enable", SHINY, "--yes", "--json")
    assert json.loads(enabled.stdout)["state"] == "enabled"
    assert b"Shiny" in enabled.stderr, "what it asks for is said all the same"
    until(lambda: rows(client))
    running.latchkey("providers", "order", SHINY)
    assert [p["identifier"] for p in listed()] == [SHINY, BUILT_IN]
    assert running.latchkey("providers", "order", "com.example.absent", check=False).returncode == 5
    assert running.latchkey("providers", "remove", BUILT_IN, check=False).returncode == 6
    running.latchkey("providers", "disable", SHINY)
    assert state() == "disabled"
    nothing_released("rows and processes of a provider that is disabled", rows(client), bundle.processes())
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
    client.prefer(providerSeconds=1)
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


def test_a_crash_in_the_middle_of_a_request_is_made_good_by_a_new_process(running, client, browser):
    bundle = Bundle(running, holds=["provider.provideCredential"])
    hand = taken(bundle, client)
    number = browser.start_choosing()
    hand.expect("provider.provideCredential")
    bundle.behave()
    os.kill(bundle.program, signal.SIGKILL)
    fills = browser.wait(number)["fills"]
    assert [fill["value"]["secret"] for fill in fills if fill["role"] == "current-password"] == ["correct horse"]


def test_a_second_crash_in_the_same_request_is_answered_and_the_next_one_is_served(running, client, browser):
    bundle = Bundle(running, holds=["provider.provideCredential"])
    hand = taken(bundle, client)
    number = browser.start_choosing()
    hand.expect("provider.provideCredential")
    os.kill(bundle.program, signal.SIGKILL)
    hand.gone()
    hand.taken().expect("provider.provideCredential")
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


@pytest.mark.main
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


def test_a_list_is_told_the_path_of_the_page_only_where_the_user_wants_it(running, client, browser):
    hand = taken(Bundle(running, holds=["provider.prepareCredentialList"]), client)

    def told(path="/team-a/login"):
        session = browser.focus(SITE, path=path)["session"]
        number, count = browser.ask("renderer.openList", session=session, provider=SHINY), len(browser.surfaces)
        browser.receive_until(lambda: len(browser.surfaces) > count)
        services = hand.expect("provider.prepareCredentialList")["params"]["services"]
        browser.call("renderer.answer", prompt=browser.surfaces[-1], accept=False)
        refusal(9, browser.wait, number)
        hand.expect("provider.cancel")
        return [(service["type"], service["identifier"]) for service in services]

    site = (0, "example.com")
    assert told() == [(1, SITE), site]
    # It weakens what the user has, so it takes the passphrase, and of one that is known, enabled and has a list.
    refusal(3, client.call, "providers.tellPaths", identifier=SHINY, on=True)
    for other in [BUILT_IN, "com.example.nobody", ""]:
        refusal(7, client.call, "providers.tellPaths", identifier=other, on=True)
    assert told() == [(1, SITE), site]
    client.call("authenticate", passphrase=secret(PASSPHRASE), method="providers.tellPaths")
    client.call("providers.tellPaths", identifier=SHINY, on=True)
    statement = {provider["identifier"]: provider for provider in client.call("providers.list")["providers"]}
    assert statement[SHINY]["toldPaths"] is True and "toldPaths" not in statement[BUILT_IN]
    assert told() == [(1, SITE + "/team-a/login"), site]
    assert told("/") == [(1, SITE + "/"), site]
    # None of these is told to the provider: a text that is no path, a path that may have been cut, a path that may hold a token.
    for path in ["/a;jsessionid=1", "", "login", "//evil.example\\x", "/a?token=1", "/a#token", "/a b", "/a\n", "/\u00e4", "/" + "a" * 159, None]:
        assert told(path) == [(1, SITE), site], path
    # It is forgotten with what it was agreed to for.
    digest = statement[SHINY]["digest"]
    client.call("providers.disable", identifier=SHINY)
    refusal(7, client.call, "providers.tellPaths", identifier=SHINY, on=True)
    client.call("authenticate", passphrase=secret(PASSPHRASE), method="providers.enable")
    assert client.call("providers.enable", identifier=SHINY, digest=digest)["provider"]["toldPaths"] is False
    # To be told less takes nothing, of one that is not enabled either.
    client.call("providers.disable", identifier=SHINY)
    client.call("providers.tellPaths", identifier=SHINY, on=False)


def test_one_that_prints_all_the_time_does_no_harm(running, client, browser):
    bundle = Bundle(running, prints=True).enable(client)
    for _ in range(20):
        assert browser.choose() == "correct horse"
    assert "NOISE" not in running.output()
    bundle.installation.kill()
    until(lambda: bundle.processes() == [])


@pytest.mark.long
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


# Memory


@needs_root
@pytest.mark.release
def test_S30_nothing_of_a_provider_is_left_after_a_lock(running, client, browser):
    canary, user = "canary-9Kd-W4p-only-in-this-test", "provider-canary-user"
    bundle = Bundle(running, accounts=[(HOST, user, canary)])
    hand = taken(bundle, client)
    assert browser.choose() == canary
    key = hand.start["params"]["key"]["secret"]
    assert finds(bundle.program, canary), "the search finds what is held"
    client.call("lock")
    # Answered after all that came before it.
    assert client.call("status")["locked"] and browser.call("renderer.status")["locked"]
    must_hold(bundle.processes() == [], "a provider outlived the lock")
    for process in [running.daemon.pid, browser.process.pid]:
        for what, text in [("a password", canary), ("a user name", user), ("the key of the container", key)]:
            nothing_released(f"the memory of {process}", [what] if finds(process, text) else [])
    for file in [*running.state.rglob("*"), *running.runtime.rglob("*"), running.folder / "daemon.log"]:
        if file.is_file():
            content = file.read_bytes()
            nothing_released(file.name, [text for text in (canary, user) if text.encode() in content])


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


def test_git_is_given_an_entry_of_pass_whose_user_stands_inside(password_store, tmp_path):
    """Its user is known only once it was opened: git is asked about it a second time, under that user's name."""
    client = password_store.start().unlocked()
    desk = Desk(password_store, tmp_path)
    try:
        password_store.run(
            "pass", "insert", "--multiline", f"{GIT_HOST}:{desk.server.port}/login", text="right\nuser: me\n")
        password_store.latchkey("providers", "enable", PASS, "--yes")
        until(lambda: rows(client, f"https://{GIT_HOST}:{desk.server.port}") == [(PASS, "login")])
        status, screen = desk.clone(hand=[*AGREE, (USE, "y\n")], environment={"GIT_ASKPASS": "/bin/true"})
        assert status == 0, screen
        assert "login (saved for" in screen and "me (saved for" in screen
        assert desk.server.tried[-1] == ("me", "right")
    finally:
        desk.server.close()


def _name(process):
    try:
        return pathlib.Path(f"/proc/{process}/comm").read_text().strip()
    except OSError:
        return ""


def test_S48_a_choice_in_the_command_lines_own_interface_takes_the_passphrase(running, client):
    """Whoever starts the command line draws what it shows, and can act there: that is no sign of the user."""
    bundle = Bundle(running)
    bundle.enable(client)
    client.prefer(authentication="always")
    for _ in range(2):
        with pytest.raises(WireFailure) as refused:
            client.call("credentials.choose", url=SITE, provider=SHINY)
        assert refused.value.code == 3
    # It is asked for before anything of the provider's is shown.
    assert [line for line in client.call("audit.list")["lines"] if line["event"] == "released"] == []

# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""What makes a preference weaker takes the passphrase, given for that very request, and a line in the audit log."""

import json

import pytest

from installation import AUTHENTICATION_REQUIRED, PASSPHRASE, BrowserClient, Installation, WireFailure, denied, secret, until
from verdicts import must_hold

WEAKER = [
    {"authentication": "never"}, {"authenticationMinutes": 1440}, {"idleMinutes": 0}, {"idleMinutes": 10_080},
    {"lockOnSuspend": False}, {"lockOnScreenLock": False}, {"providerSeconds": 60}, {"gitSave": "always"},
    {"codeSeconds": 600}, {"codeMaildir": "/tmp/mail"}, {"breachList": "/tmp/list"}, {"breachRanges": True}, {"fingerprint": True}, {"shellSearch": True},
    {"authentication": "always", "lockOnSuspend": False},
]
STRICTER = [{"authentication": "always"}, {"idleMinutes": 1}, {"gitSave": "never"}, {"codeSeconds": 30}, {"providerSeconds": 1}]


def refused(client, **changes):
    denied(AUTHENTICATION_REQUIRED, client.call, "preferences.set", **changes)


@pytest.mark.main
def test_S36_nothing_becomes_weaker_without_the_passphrase(client):
    before = client.call("status")["preferences"]
    for changes in WEAKER:
        refused(client, **changes)
    must_hold(client.call("status")["preferences"] == before, "a preference became weaker")


@pytest.mark.main
def test_S36_one_passphrase_is_good_for_one_change(client, running):
    client.call("authenticate", passphrase=secret(PASSPHRASE), method="preferences.set")
    client.call("preferences.set", authentication="never")
    refused(client, idleMinutes=0)
    lines = [json.loads(line) for line in running.latchkey("audit", "--json").stdout.decode().splitlines()]
    assert "weakened" in json.dumps(lines) and "never" in json.dumps(lines)


def test_S36_a_passphrase_for_something_else_or_of_another_connection_does_not_count(client, running):
    client.call("authenticate", passphrase=secret(PASSPHRASE), method="items.reveal")
    refused(client, authentication="never")
    other = running.client()
    other.call("authenticate", passphrase=secret(PASSPHRASE), method="preferences.set")
    refused(client, authentication="never")
    other.close()


def test_what_becomes_stricter_takes_nothing(client):
    for changes in STRICTER:
        client.call("preferences.set", **changes)


def test_S36_command_line_without_the_passphrase_changes_nothing(client, running, tmp_path):
    wrong = tmp_path / "wrong"
    wrong.write_text("not this one")
    done = running.latchkey("preferences", "set", "--authentication", "never", "--passphrase-file", wrong, check=False)
    assert done.returncode != 0
    must_hold(client.call("status")["preferences"]["authentication"] == "after", "a preference became weaker")


@pytest.mark.parametrize("text", ['{"authentication":"alwais"}', '{"authentication":5}', '{"authentication"', "[]", "{" * 100_000])
def test_S36_odd_preferences_are_the_strictest(installation, text):
    folder = installation.config
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "preferences.json").write_text(text)
    installation.start()
    status = installation.unlocked().call("status")
    assert status["preferences"]["authentication"] == "always"
    assert status["preferencesProblems"]


@pytest.mark.parametrize("target", ["absent", "preferences.json", "/dev/null", "absent/under/it"])
def test_S36_preferences_behind_a_link_that_leads_to_no_file_are_the_strictest(installation, target):
    (installation.config / "preferences.json").symlink_to(target)
    installation.start()
    status = installation.unlocked().call("status")
    assert status["preferences"]["authentication"] == "always"
    assert status["preferencesProblems"]


def test_S36_a_backup_of_somebody_elses_replaces_nothing_without_the_passphrase(running, tmp_path):
    client = running.unlocked()
    client.call("items.add", items=[{"services": ["a.test"], "user": "me", "password": secret("one")}])
    file, theirs = tmp_path / "theirs", "a passphrase of somebody else"
    with Installation(fresh=True) as other:
        other.start()
        made = other.client()
        made.with_code("initialize", passphrase=secret(theirs))
        made.call("backup.write", path=str(file))
    before = (running.data / "keyring").read_bytes()
    for more in [{}, {"current": secret("not this one")}, {"current": secret(theirs)}]:
        with pytest.raises(WireFailure) as refused:
            client.call("backup.restore", path=str(file), passphrase=secret(theirs), replace=True, **more)
        assert refused.value.code == (4 if more else AUTHENTICATION_REQUIRED)
        assert (running.data / "keyring").read_bytes() == before
    word = tmp_path / "theirs.txt"
    word.write_text(theirs)
    assert running.latchkey("restore", file, "--replace", "--passphrase-file", word, check=False).returncode != 0
    assert len(client.call("items.list")["items"]) == 1
    mine = tmp_path / "mine.txt"
    mine.write_text(PASSPHRASE)
    both = ["--passphrase-file", word, "--current-passphrase-file", mine]
    # After so many wrong ones the daemon has one wait.
    until(lambda: running.latchkey("restore", file, "--replace", *both, check=False).returncode == 0)
    assert running.client().call("items.list")["items"] == []


def test_S36_other_settings_take_it_too(client, running):
    """Where it is off, on takes the passphrase; what is strict takes none."""
    client.call("preferences.set", authentication="always")
    client.prefer(authentication="never")
    item = client.call("items.add", items=[{"services": ["a.test"], "user": "me", "password": secret("one"), "strict": True}])["items"][0]["id"]
    passed = [("associations.developerMode", {"on": False}), ("items.edit", {"id": item, "notes": secret("a note")}),
              ("items.edit", {"id": item, "services": ["a.test"]})]
    demanded = [
        ("associations.developerMode", {"on": True}), ("associations.source", {"source": "direct"}),
        ("items.edit", {"id": item, "services": ["a.test", "b.test"]}), ("items.edit", {"id": item, "services": ["b.test"]}),
        ("items.edit", {"id": item, "strict": False}),
        ("providers.enable", {"identifier": "com.example.none", "digest": ""}),
        ("apps.grant", {"path": "/usr/bin/env", "digest": "0", "identifier": "E5336VM85F.com.example.A", "domains": []}),
    ]
    for method, params in demanded:
        with pytest.raises(WireFailure) as failure:
            client.call(method, **params)
        assert failure.value.code == AUTHENTICATION_REQUIRED, method
        # One that was given for something else is none.
        client.call("authenticate", passphrase=secret(PASSPHRASE), method="items.reveal")
        with pytest.raises(WireFailure) as failure:
            client.call(method, **params)
        assert failure.value.code == AUTHENTICATION_REQUIRED, method
    for method, params in passed:
        client.call(method, **params)
    client.proven("items.edit", id=item, services=["a.test", "b.test"])
    lines = client.call("audit.list")["lines"]
    assert [line["purpose"] for line in lines if line["event"] == "weakened"][-1] == "items.edit"


@pytest.mark.main
def test_S48_always_takes_one_passphrase_for_each_release(client):
    items = client.call(
        "items.add",
        items=[{"services": [f"{name}.test"], "user": name, "password": secret(name)} for name in "abcd"])["items"]
    client.call("preferences.set", authentication="always")
    client.call("authenticate", passphrase=secret(PASSPHRASE))
    assert client.call("items.reveal", id=items[0]["id"])["password"] == secret("a")
    for item in items:
        denied(AUTHENTICATION_REQUIRED, client.call, "items.reveal", id=item["id"])


def test_S48_comparing_takes_what_showing_takes(client):
    """An import learns which passwords are saved already. Who may not see them may not guess them either."""
    items = client.call(
        "items.add",
        items=[{"services": [f"{name}.test"], "user": name, "password": secret(name)} for name in "ab"])["items"]
    guesses = [{"id": item["id"], "password": secret("a")} for item in items] + [{"id": "none", "password": secret("a")}]
    client.call("preferences.set", authentication="always")
    with pytest.raises(WireFailure) as failure:
        client.call("items.compare", items=guesses)
    assert failure.value.code == AUTHENTICATION_REQUIRED
    assert client.proven("items.compare", items=guesses) == {"same": [True, False, False]}
    with pytest.raises(WireFailure) as failure:
        client.call("items.compare", items=guesses)
    assert failure.value.code == AUTHENTICATION_REQUIRED
    lines = client.call("audit.list")["lines"]
    assert [line["reason"] for line in lines if line["event"] == "compared"] == ["3 passwords were compared with what is saved"]
    for count in (0, 201):
        with pytest.raises(WireFailure) as failure:
            client.proven("items.compare", items=guesses[:1] * count)
        assert failure.value.code == -32602


PAGE = {
    "focused": 0, "frame": {"chain": [{"document": "D1", "origin": "https://a.test"}], "document": "D1", "frame": 0, "tab": 3},
    "page": {"fields": [{"autocomplete": "current-password", "ref": 0, "tag": "input", "type": "password"}], "forms": [],
             "language": "en", "path": "/login", "title": "A"},
}


@pytest.mark.parametrize("active", [False, True])
def test_S41_a_focus_that_no_act_of_the_user_brought_puts_off_no_lock(clock, running, active):
    client = running.unlocked()
    client.call("preferences.set", idleMinutes=5)
    browser = BrowserClient(running)
    for turn in range(1, 8):
        clock.turn(turn * 60)
        browser.call("page.focused", **PAGE, active=active)
    if active:
        assert not client.call("status")["locked"]
    else:
        until(lambda: client.call("status")["locked"])
    browser.close()


def test_S36_what_another_setting_hides_does_not_become_weaker_either(running, client):
    """With `always` the minutes do not count yet; whoever goes back to `after` would get those of somebody else."""
    client.prefer(authentication="after", authenticationMinutes=5)
    refusal_or_kept = []
    for change in [{"authentication": "always", "authenticationMinutes": 1440}, {"authentication": "always"}, {"authenticationMinutes": 1440}]:
        try:
            client.call("preferences.set", **change)
        except WireFailure as failure:
            assert failure.code == AUTHENTICATION_REQUIRED
        refusal_or_kept.append(client.call("status")["preferences"]["authenticationMinutes"])
    assert refusal_or_kept == [5, 5, 5]

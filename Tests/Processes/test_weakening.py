# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""What makes a preference weaker takes the passphrase, given for that very request, and a line in the audit log."""

import json

import pytest

from installation import AUTHENTICATION_REQUIRED, PASSPHRASE, WireFailure, secret

WEAKER = [
    {"authentication": "never"}, {"authenticationMinutes": 1440}, {"idleMinutes": 0}, {"idleMinutes": 10_080},
    {"lockOnSuspend": False}, {"lockOnScreenLock": False}, {"providerSeconds": 60}, {"gitSave": "always"}, {"gitMinutes": 30},
    {"codeSeconds": 600}, {"codeMaildir": "/tmp/mail"}, {"breachList": "/tmp/list"}, {"breachRanges": True},
    {"authentication": "always", "lockOnSuspend": False},
]
STRICTER = [{"authentication": "always"}, {"idleMinutes": 1}, {"gitSave": "never"}, {"codeSeconds": 30}, {"providerSeconds": 1}]


def refused(client, **changes):
    with pytest.raises(WireFailure) as failure:
        client.call("preferences.set", **changes)
    assert failure.value.code == AUTHENTICATION_REQUIRED


def test_S36_nothing_becomes_weaker_without_the_passphrase(client):
    before = client.call("status")["preferences"]
    for changes in WEAKER:
        refused(client, **changes)
    assert client.call("status")["preferences"] == before


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
    assert client.call("status")["preferences"]["authentication"] == "after"


@pytest.mark.parametrize("text", ['{"authentication":"alwais"}', '{"authentication":5}', '{"authentication"', "[]", "{" * 100_000])
def test_S36_odd_preferences_are_the_strictest(installation, text):
    folder = installation.config
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "preferences.json").write_text(text)
    installation.start()
    status = installation.unlocked().call("status")
    assert status["preferences"]["authentication"] == "always"
    assert status["preferencesProblems"]

# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""The initialisation itself. All other tests start from a home that was initialised before (`sealed_home.py`)."""

import json
import stat

import pytest

from installation import PASSPHRASE, Installation, WireFailure, secret
from sealed_home import LOWEST


@pytest.mark.main
def test_the_keyring_has_the_usual_cost_and_opens_after_a_restart(fresh_installation):
    client = fresh_installation.start().unlocked()
    keyring = fresh_installation.data / "keyring"
    stated = json.loads(keyring.read_text())["passphrase"]
    assert [stated[name] for name in ("memoryKiB", "iterations", "parallelism")] == [64 * 1024, 5, 4]
    assert stat.S_IMODE(keyring.stat().st_mode) == 0o600
    client.call("items.add", items=[{"services": ["shiny.example.com"], "user": "me", "password": secret("p" * 16)}])
    fresh_installation.kill()
    client = fresh_installation.start().client()
    assert client.hello["initialized"] is True and client.hello["locked"] is True
    with pytest.raises(WireFailure) as wrong:
        client.call("unlock", passphrase=secret(PASSPHRASE + "x"))
    assert wrong.value.code == 4
    client.call("unlock", passphrase=secret(PASSPHRASE))
    assert [item["user"] for item in client.call("items.list")["items"]] == ["me"]


@pytest.mark.main
def test_before_it_there_is_nothing_to_open_or_to_list(fresh_installation):
    client = fresh_installation.start().client()
    for method, params in [
        ("unlock", {"passphrase": secret(PASSPHRASE)}), ("items.list", {}),
        ("recover", {"recoveryCode": secret("AAAAA"), "newPassphrase": secret("x")}),
    ]:
        with pytest.raises(WireFailure):
            client.call(method, **params)
    with pytest.raises(WireFailure):
        client.call("initialize", passphrase=secret(""))
    assert client.call("status")["initialized"] is False and not (fresh_installation.data / "keyring").exists()


@pytest.mark.main
def test_it_happens_once(fresh_installation):
    client = fresh_installation.start().unlocked()
    before = (fresh_installation.data / "keyring").read_bytes()
    with pytest.raises(WireFailure) as refused:
        client.call("initialize", passphrase=secret("another"))
    assert refused.value.code == 13
    assert (fresh_installation.data / "keyring").read_bytes() == before


def test_two_have_different_keys_and_codes(fresh_installation):
    fresh_installation.start().unlocked()
    with Installation(fresh=True) as other:
        other.start().unlocked()
        assert other.recovery_code != fresh_installation.recovery_code
        keyrings = [json.loads((one.data / "keyring").read_text()) for one in (fresh_installation, other)]
        assert keyrings[0]["generation"] != keyrings[1]["generation"]


def test_the_home_of_the_other_tests_is_the_same_but_for_the_cost(installation):
    """The other tests prove something as long as the daemon takes this keyring for its own, and no other passphrase."""
    client = installation.start().client()
    stated = json.loads((installation.data / "keyring").read_text())["passphrase"]
    assert tuple(stated[name] for name in ("memoryKiB", "iterations", "parallelism")) == LOWEST
    assert client.hello["initialized"] is True and client.hello["locked"] is True
    with pytest.raises(WireFailure) as wrong:
        client.call("unlock", passphrase=secret(PASSPHRASE + "x"))
    assert wrong.value.code == 4
    client.call("unlock", passphrase=secret(PASSPHRASE))
    client.call("lock")
    code = client.with_code("recover", recoveryCode=secret(installation.recovery_code), newPassphrase=secret("new"))
    assert code != installation.recovery_code

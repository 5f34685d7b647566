# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""What was acknowledged survives a kill at any moment."""

import os
import random
import signal
import threading
import time

import pytest

from installation import PASSPHRASE, WireFailure, secret, until
from verdicts import nothing_lost

KILLS = int(os.environ.get("LATCHKEY_KILLS", "6"))


def add(client, number):
    answer = client.call(
        "items.add",
        items=[
            {
                "services": [f"site{number % 7}.example.com"],
                "user": f"user{number}",
                "password": secret(f"password-of-{number}"),
            }
        ],
    )
    return answer["items"][0]["id"]


def test_acknowledged_items_survive_kills_of_daemon_and_provider(installation):
    chance = random.Random(20261121)
    acknowledged = {}
    number = 0
    usual = None
    # On a machine that is busy now and was not before, a kill may come before anything was acknowledged: then there are more.
    for round in range(KILLS * 5):
        if round >= KILLS and len(acknowledged) >= KILLS // 2:
            break
        installation.start()
        client = installation.unlocked()
        if usual is None:
            begin = time.monotonic()
            acknowledged[number] = add(client, number)
            usual = time.monotonic() - begin
            number += 1
        victims = [installation.daemon.pid] if chance.random() < 0.5 else None

        def kill():
            targets = victims or installation.providers()
            for target in targets:
                try:
                    os.kill(target, signal.SIGKILL)
                except ProcessLookupError:
                    pass

        timer = threading.Timer(chance.uniform(0, 8 * usual), kill)
        timer.start()
        try:
            while timer.is_alive() or victims is None and not acknowledged.get(number - 1):
                identifier = add(client, number)
                acknowledged[number] = identifier
                number += 1
        except (ConnectionError, OSError, WireFailure):
            number += 1
        timer.join()
        installation.kill()

        installation.start()
        client = installation.unlocked()
        listed = {}
        cursor = None
        while True:
            page = client.call("items.list", **({"cursor": cursor} if cursor else {}))
            listed.update({item["id"]: item["user"] for item in page["items"]})
            cursor = page.get("cursor")
            if cursor is None:
                break
        missing = [n for n, identifier in acknowledged.items() if listed.get(identifier) != f"user{n}"]
        assert not missing, f"round {round}: acknowledged but gone: {missing}"
        for n in chance.sample(sorted(acknowledged), min(3, len(acknowledged))):
            revealed = client.call("items.reveal", id=acknowledged[n], purpose="show")
            assert revealed["password"] == secret(f"password-of-{n}")
        # The provider, which has just started, brings the identity store up to the vault: what is listed is offered.
        def offered():
            found = set()
            for site in range(7):
                rows = client.call("suggestions.list", url=f"https://site{site}.example.com/")["suggestions"]
                found |= {row["recordIdentifier"] for row in rows}
            return found

        until(lambda: offered() == set(listed), 30)
        installation.kill()
    assert len(acknowledged) >= KILLS // 2, "the kills came so early that nothing was tried"


@pytest.mark.main
def test_items_survive_a_lock_and_a_restart(running):
    client = running.unlocked()
    identifier = add(client, 1)
    client.call("lock")
    client.call("unlock", passphrase=secret(PASSPHRASE))
    shown = client.call("items.reveal", id=identifier, purpose="show")["password"]["secret"]
    nothing_lost("a password", [] if shown == "password-of-1" else [shown])


@pytest.mark.main
def test_an_identity_store_that_vanished_is_filled_again(running):
    client = running.unlocked()
    add(client, 1)
    running.kill()
    for file in (running.state / "identities").iterdir():
        file.unlink()
    running.start()
    client = running.unlocked()
    until(lambda: client.call("suggestions.list", url="https://site1.example.com/")["suggestions"])


def test_an_identity_store_of_another_generation_is_discarded(running, tmp_path):
    client = running.unlocked()
    add(client, 1)
    running.kill()
    foreign = (running.state / "identities").rename(tmp_path / "identities")
    for name in ["keyring", "registry"]:
        (running.data / name).unlink()
    (running.data / "containers").rename(tmp_path / "containers")
    foreign.rename(running.state / "identities")
    running.start()
    client = running.unlocked()
    assert client.call("suggestions.list", url="https://site1.example.com/")["suggestions"] == []


# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""A PIN that unlocks until the user logs out, by the real programs."""

import json
import os

import pytest

from code_kit import Logins
from installation import AUTHENTICATION_REQUIRED, PASSPHRASE, Installation, WireFailure, denied, secret, until
from verdicts import must_hold, nothing_released

PIN, WRONG = "271828", "271829"


@pytest.fixture
def typed(tmp_path):
    """Files of what is typed."""
    def write(text: str):
        file = tmp_path / f"typed-{len(list(tmp_path.iterdir()))}"
        file.write_text(text)
        return file

    return write


def set_pin(running, typed, pin: str = PIN, **more):
    return running.latchkey("pin", "set", "--passphrase-file", typed(PASSPHRASE), "--pin-file", typed(pin), **more)


def unlock(running, typed, text: str):
    return running.latchkey("unlock", "--passphrase-file", typed(text), check=False)


def status(running) -> dict:
    return json.loads(running.latchkey("status", "--json").stdout)


@pytest.mark.main
def test_unlocks_after_a_lock_and_not_after_a_start(running, client, typed):
    set_pin(running, typed)
    assert status(running)["pin"] is True
    running.latchkey("lock")
    assert unlock(running, typed, PIN).returncode == 0 and not status(running)["locked"]
    running.stop()
    running.start()
    assert status(running)["pin"] is False
    done = unlock(running, typed, PIN)
    must_hold(done.returncode != 0 and status(running)["locked"], "the PIN unlocks after a start")
    assert done.returncode == 4
    assert unlock(running, typed, PASSPHRASE).returncode == 0


@pytest.mark.main
def test_three_wrong_ones_take_it_away(running, client, typed):
    set_pin(running, typed)
    running.latchkey("lock")
    said = [unlock(running, typed, WRONG).stderr.decode() for _ in range(3)]
    assert "2 more tries" in said[0] and "one more try" in said[1] and "PIN is gone" in said[2]
    must_hold(status(running)["pin"] is False and status(running)["locked"], "three wrong PINs, and there may be a fourth")


@pytest.mark.main
def test_S36_setting_it_takes_the_passphrase_for_that_and_is_recorded(running, client):
    denied(AUTHENTICATION_REQUIRED, client.call, "pin.set", pin=secret(PIN))
    client.call("authenticate", passphrase=secret(PASSPHRASE), method="items.reveal")
    denied(AUTHENTICATION_REQUIRED, client.call, "pin.set", pin=secret(PIN))
    client.call("authenticate", passphrase=secret(PASSPHRASE), method="pin.set")
    client.call("pin.set", pin=secret(PIN))
    lines = running.latchkey("audit", "--json").stdout.decode()
    must_hold(PIN not in lines, "the PIN is in the log")
    assert '"pin.set"' in lines


def test_S36_it_gives_no_fresh_authentication(running, client):
    client.call("authenticate", passphrase=secret(PASSPHRASE), method="pin.set")
    client.call("pin.set", pin=secret(PIN))
    with pytest.raises(WireFailure):
        client.call("authenticate", passphrase=secret(PIN), method="preferences.set")
    with pytest.raises(WireFailure) as failure:
        client.call("preferences.set", authentication="never")
    assert failure.value.code == AUTHENTICATION_REQUIRED
    # Nor where a client says that it may be the PIN.
    client.call("authenticate", passphrase=secret(PIN), takesPIN=True, method="preferences.set")
    denied(AUTHENTICATION_REQUIRED, client.call, "preferences.set", authentication="never")


@pytest.mark.main
def test_S36_it_answers_what_is_asked_each_time_and_nothing_that_weakens_or_exports(running, client, typed, tmp_path):
    running.latchkey("add", "shiny.example.com", "rmondello", input=b"correct horse\n")
    set_pin(running, typed)
    given = ("--passphrase-file", typed(PASSPHRASE))
    running.latchkey("preferences", "set", "--authentication", "always", *given)
    pin = ("--passphrase-file", typed(PIN))
    assert running.latchkey("show", "shiny.example.com", "--only-password", *pin).stdout.decode().strip() == "correct horse"
    assert json.loads(running.latchkey("audit", "--json").stdout.decode())["lines"][-1]["authentication"] == "PIN just now"
    refused = [
        running.latchkey(*command, *pin, check=False).returncode
        for command in (("preferences", "set", "--authentication", "never"), ("export", tmp_path / "out.csv"), ("pin", "set", "--pin-file", typed(PIN)))
    ]
    must_hold(refused == [4, 4, 4] and not (tmp_path / "out.csv").exists(), f"the PIN is taken for the passphrase: {refused}")


@pytest.mark.parametrize("pin", ["", "12345", "314159 ", "abcdef", "000000", "123456", "987654", "1" * 40])
def test_what_is_no_pin_or_guessed_first_is_refused(running, client, typed, pin):
    done = set_pin(running, typed, pin, check=False)
    assert done.returncode == 13 and (not pin or pin not in done.stderr.decode())
    assert status(running)["pin"] is False


def test_nothing_sets_it_while_locked(running, client, typed):
    client.call("authenticate", passphrase=secret(PASSPHRASE), method="pin.set")
    client.call("lock")
    with pytest.raises(WireFailure) as failure:
        client.call("pin.set", pin=secret(PIN))
    assert failure.value.code == 2


def test_it_is_written_nowhere(running, client, typed):
    set_pin(running, typed)
    running.latchkey("lock")
    assert unlock(running, typed, PIN).returncode == 0
    found = [file for file in running.folder.rglob("*") if file.is_file() and PIN.encode() in file.read_bytes()]
    nothing_released("files with the PIN", found)


def test_it_is_taken_away(running, client, typed):
    set_pin(running, typed)
    running.latchkey("pin", "remove")
    running.latchkey("lock")
    assert unlock(running, typed, PIN).returncode == 4


def test_it_ends_with_the_last_login_in_which_it_was_set(typed):
    with Logins() as logins:
        logins.tell("start_logind")
        for name in ("c1", "c2"):
            logins.tell("add_session", name, os.geteuid())
            logins.tell("state", name, "Class", "user")
            logins.tell("state", name, "State", "active")
        with Installation(environment=logins.environment) as running:
            running.start()
            running.unlocked()
            set_pin(running, typed)
            logins.tell("state", "c1", "State", "closing")
            logins.tell("remove_session", "c1")
            running.latchkey("lock")
            assert unlock(running, typed, PIN).returncode == 0, "another login goes on"
            logins.tell("state", "c2", "State", "closing")
            logins.tell("remove_session", "c2")
            until(lambda: status(running)["pin"] is False)
            running.latchkey("lock")
            assert unlock(running, typed, PIN).returncode == 4

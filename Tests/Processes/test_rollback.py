# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""S50: an older copy of the sealed registry brings nothing back unseen: it is said, logged, and can be taken back."""

import json
import shutil

import pytest

from git_server import Terminal
from installation import BINARIES, PASSPHRASE, WireFailure, denied, secret, until
from providers import HOST, SHINY, Browser, Bundle
from verdicts import must_hold, nothing_released

AUTHENTICATION_REQUIRED = 3


def taken_back(running, tmp_path):
    """The user takes a site back; answers the folder with the files of before."""
    client = running.unlocked()
    client.call("never.add", site="shiny.example.com")
    client.call("lock")
    before = tmp_path / "before"
    before.mkdir()
    for folder in [running.data, running.state]:
        shutil.copytree(folder, before / folder.parent.name)
    client.call("unlock", passphrase=secret(PASSPHRASE))
    client.call("never.remove", site="shiny.example.com")
    assert sites(client) == []
    return before


def sites(client):
    return client.call("never.list")["sites"]


def put_back(running, before, *names):
    for name in names:
        folder = running.state if name.startswith("audit") else running.data
        shutil.copy(before / folder.parent.name / name, folder / name)


def told(running):
    """Unlocks, which has to say that the registry is an older copy; answers the client and what was said."""
    client = running.client()
    older = client.call("unlock", passphrase=secret(PASSPHRASE)).get("older")
    must_hold(older is not None, "an older registry is said to be one")
    assert client.call("status")["older"] == older
    return client, older


def lines(client, event="older"):
    return [line for line in client.call("audit.list")["lines"] if line["event"] == event]


@pytest.mark.parametrize("names", [
    pytest.param(["registry"], marks=pytest.mark.main), ["registry", "audit.key"], ["registry", "keyring"], ["registry", "keyring", "audit.key"],
    ["registry", "audit.log", "audit.key"],
], ids="+".join)
@pytest.mark.parametrize("is_killed", [True, False], ids=["restarted", "running"])
@pytest.mark.attack
def test_S50_an_older_registry_is_said_to_be_one(running, tmp_path, names, is_killed):
    before = taken_back(running, tmp_path)
    if is_killed:
        running.kill()
    else:
        running.client().call("lock")
    put_back(running, before, *names)
    if is_killed:
        running.start()
    client, older = told(running)
    assert older["changes"] == 1
    if "audit.log" not in names:
        assert older["since"] > 0
    assert len(lines(client)) == 1
    # It is said until it is answered, by whatever unlocks, and the line is not written again.
    client.call("lock")
    assert told(running)[1] == older and len(lines(client)) == 1


@pytest.mark.attack
@pytest.mark.parametrize("name", ["audit.log", "audit.key", "both"])
def test_S50_an_older_registry_is_said_to_be_one_without_a_log_too(running, tmp_path, name):
    before = taken_back(running, tmp_path)
    running.kill()
    put_back(running, before, "registry")
    for lost in ["audit.log", "audit.key"] if name == "both" else [name]:
        (running.state / lost).unlink()
    running.start()
    told(running)


def test_S50_the_newest_copy_opens_again(running, tmp_path):
    before = taken_back(running, tmp_path)
    running.kill()
    newest = (running.data / "registry").read_bytes()
    put_back(running, before, "registry")
    running.start()
    told(running)
    running.kill()
    (running.data / "registry").write_bytes(newest)
    running.start()
    client = running.unlocked()
    assert sites(client) == []
    assert "older" not in client.call("status")
    assert client.call("audit.verify")["intact"] is True


def test_S50_a_backup_brings_the_older_state_back_and_the_log_says_so(running, tmp_path):
    client = running.unlocked()
    client.call("never.add", site="shiny.example.com")
    backup = tmp_path / "backup"
    client.call("backup.write", path=str(backup))
    client.call("never.remove", site="shiny.example.com")
    newer = (running.data / "registry").read_bytes()
    with pytest.raises(WireFailure):
        client.call("backup.restore", path=str(backup), passphrase=secret("wrong"), replace=True)
    assert sites(client) == []
    client.call("backup.restore", path=str(backup), passphrase=secret(PASSPHRASE), replace=True)
    for _ in range(2):
        assert sites(client) == ["shiny.example.com"]
        log = client.call("audit.list")
        assert log["intact"] is True
        assert [line["event"] for line in log["lines"]].count("restored") == 1
        running.kill()
        running.start()
        client = running.unlocked()
    # What was replaced is an older copy now.
    client.call("lock")
    (running.data / "registry").write_bytes(newer)
    told(running)


@pytest.mark.main
def test_S50_a_crash_between_the_two_writes_repairs_itself(running, tmp_path):
    """The change was written beside the registry and counted; the daemon ended before it was put in place."""
    before = taken_back(running, tmp_path)
    running.kill()
    (running.data / "registry").rename(running.data / "registry.next")
    put_back(running, before, "registry")
    running.start()
    client = running.unlocked()
    assert sites(client) == []
    assert not (running.data / "registry.next").exists()
    assert client.call("audit.verify")["intact"] is True


@pytest.fixture
def restored(running, tmp_path):
    """One folder is put back whole, from before the user disabled a provider; answers the daemon, which is locked."""
    client = running.unlocked()
    client.call("items.add", items=[{"services": [HOST], "user": "mine", "password": secret("p" * 12)}])
    Bundle(running).enable(client)
    browser = Browser(running)
    until(lambda: fillable(browser))
    assert [asked(browser), asked(browser)] == [True, False]
    browser.close()
    client.call("lock")
    copy = tmp_path / "data"
    shutil.copytree(running.data, copy, symlinks=True)
    client.call("unlock", passphrase=secret(PASSPHRASE))
    client.call("providers.disable", identifier=SHINY)
    client.proven("preferences.set", authentication="never", gitSave="always")
    running.kill()
    shutil.rmtree(running.data)
    shutil.copytree(copy, running.data, symlinks=True)
    running.start()
    return running


def fillable(browser):
    """The rows of the provider at another host of the site, which is agreed to once."""
    return [row["handle"] for row in browser.rows("https://www.example.com") if row["provider"] == SHINY]


def asked(browser):
    """Whether a fill from the bar, whose guard holds, is asked about."""
    before = len(browser.presented)
    browser.call("renderer.choose", handle=fillable(browser)[0], surface="bar", guard={"held": True})
    return len(browser.presented) > before


def state(client):
    return {one["identifier"]: one["state"] for one in client.call("providers.list")["providers"]}[SHINY]


@pytest.mark.main
@pytest.mark.attack
def test_S50_a_folder_that_was_restored_opens_and_all_can_be_taken_back(restored):
    client, older = told(restored)
    assert older["changes"] == 1 and older["since"] > 0
    assert len(client.call("items.list")["items"]) == 1
    client.call("consents.takeBack")
    status = client.call("status")
    assert "older" not in status and state(client) == "disabled"
    assert (status["preferences"]["authentication"], status["preferences"]["gitSave"]) == ("after", "ask")
    assert [line["reason"] for line in lines(client)][1:] == ["all agreements were taken back"]
    assert client.call("audit.verify")["intact"] is True
    # The count went on: the copy is an older one again where it is put back once more.
    registry = (restored.data / "registry").read_bytes()
    client.call("never.add", site="shiny.example.com")
    client.call("lock")
    (restored.data / "registry").write_bytes(registry)
    assert told(restored)[1]["changes"] == 1 and len(lines(client)) == 3


@pytest.mark.attack
def test_S50_what_an_older_copy_says_was_agreed_to_is_asked_about(restored):
    """The first fill of an account at another host of its site is confirmed outside the page, and then no more."""
    client, _ = told(restored)
    browser = Browser(restored)
    try:
        client.proven("preferences.set", authentication="never")
        until(lambda: fillable(browser))
        for _ in range(2):
            must_hold(asked(browser), "an older copy's word on an earlier fill counts for nothing")
        # To let it count protects less than before.
        denied(AUTHENTICATION_REQUIRED, client.call, "consents.keepOlder")
        client.proven("consents.keepOlder")
        assert "older" not in client.call("status") and state(client) == "enabled"
        assert lines(client, "weakened")[-1]["purpose"] == "consents.keepOlder"
        assert not asked(browser)
    finally:
        browser.close()


@pytest.mark.parametrize("answer", ["y", "n"])
def test_S50_the_terminal_says_it_and_asks(restored, answer):
    shown = Terminal(
        [BINARIES / "latchkey", "unlock"], {**restored.environment, "TERM": "xterm"},
        hand=[("assphrase: ", PASSPHRASE + "\n"), ("Take all of it back? [y/N]", answer + "\n")])
    assert shown.status == 0 and "an older copy: 1 change is missing, the first of 20" in shown.screen
    client = restored.client()
    assert ("older" in client.call("status")) == (answer == "n")
    assert ("latchkey consents keep" in shown.screen) == (answer == "n")
    done = json.loads(restored.latchkey("status", "--json").stdout)
    assert ("older" in done) == (answer == "n")
    assert (b"take-back" in restored.latchkey("status").stdout) == (answer == "n")


def test_S50_a_script_is_told_and_not_asked(restored):
    done = restored.latchkey("unlock", "--passphrase-file", "-", input=PASSPHRASE.encode())
    assert b"an older copy" in done.stderr and b"latchkey consents take-back" in done.stderr
    assert restored.latchkey("consents", "take-back").returncode == 0
    nothing_released("an older copy after it was taken back", restored.client().call("status").get("older"))

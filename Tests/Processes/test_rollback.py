# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""S50: an older copy of the sealed registry does not bring back what the user took back."""

import shutil

import pytest

from installation import PASSPHRASE, WireFailure, denied, secret

STORAGE_FAILED = 14


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


def refused(running):
    """Unlocks, which has to fail, and answers the failure."""
    client = running.client()
    failure = denied(STORAGE_FAILED, client.call, "unlock", passphrase=secret(PASSPHRASE))
    assert client.call("status")["locked"] is True
    return failure


@pytest.mark.parametrize("names", [
    pytest.param(["registry"], marks=pytest.mark.main), ["registry", "audit.key"], ["registry", "keyring"], ["registry", "keyring", "audit.key"],
    ["registry", "audit.log", "audit.key"],
], ids="+".join)
@pytest.mark.parametrize("is_killed", [True, False], ids=["restarted", "running"])
def test_S50_an_older_registry_is_refused(running, tmp_path, names, is_killed):
    before = taken_back(running, tmp_path)
    if is_killed:
        running.kill()
    else:
        running.client().call("lock")
    put_back(running, before, *names)
    if is_killed:
        running.start()
    failure = refused(running)
    assert "older copy" in failure.message and "restore --replace" in failure.data["hint"]


@pytest.mark.parametrize("name", ["audit.log", "audit.key", "both"])
def test_S50_an_older_registry_is_refused_without_a_log_too(running, tmp_path, name):
    before = taken_back(running, tmp_path)
    running.kill()
    put_back(running, before, "registry")
    for lost in ["audit.log", "audit.key"] if name == "both" else [name]:
        (running.state / lost).unlink()
    running.start()
    refused(running)


def test_S50_the_newest_copy_opens_again(running, tmp_path):
    before = taken_back(running, tmp_path)
    running.kill()
    newest = (running.data / "registry").read_bytes()
    put_back(running, before, "registry")
    running.start()
    refused(running)
    (running.data / "registry").write_bytes(newest)
    client = running.unlocked()
    assert sites(client) == []
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
    refused(running)


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

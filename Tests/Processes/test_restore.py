# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""A restore and a backup with real files: whole or not at all, and what was replaced comes back."""

import json
import os
import subprocess

import pytest

from installation import PASSPHRASE, denied, secret
from verdicts import must_hold, nothing_lost


@pytest.fixture
def passphrase(running):
    file = running.folder / "passphrase"
    file.write_text(PASSPHRASE)
    return file


def saved(running, site):
    running.latchkey("add", site, "anna", input=b"a password of " + site.encode())


def listed(running):
    return {service for item in json.loads(running.latchkey("list", "--json").stdout) for service in item["services"]}


@pytest.mark.main
def test_what_was_replaced_is_named_and_comes_back(running, client, passphrase):
    run = running.latchkey
    saved(running, "old.example.com")
    run("backup", running.folder / "b")
    saved(running, "new.example.com")
    assert "replaced" not in json.loads(run("status", "--json").stdout)
    run("restore", running.folder / "b", "--replace", "--passphrase-file", passphrase)
    assert listed(running) == {"old.example.com"}
    (replaced,) = json.loads(run("status", "--json").stdout)["replaced"]
    assert replaced["path"] == str(running.data / "replaced-1")
    advice = next(line for line in run("status").stdout.decode().splitlines() if line.startswith("replaced"))
    command = advice.split("`")[1].split()
    assert command == ["latchkey", "restore", "--replaced", "1"]
    run(*command[1:], "--passphrase-file", passphrase)
    nothing_lost("an account", {"old.example.com", "new.example.com"} - listed(running))
    assert run("show", "new.example.com", "--only-password").stdout == b"a password of new.example.com\n"
    # What that one replaced is kept in turn, and the log is whole.
    assert [entry["number"] for entry in json.loads(run("status", "--json").stdout)["replaced"]] == [1]
    assert client.call("audit.verify")["intact"]
    denied(7, client.call, "backup.restore", replaced=7, passphrase=secret(PASSPHRASE))


def test_a_backup_goes_through_pipes_and_links(running, client, passphrase):
    run = running.latchkey
    saved(running, "shiny.example.com")
    whole = run("backup", "-").stdout
    assert whole.startswith(b"LATCHKEY-BACKUP")
    run("remove", "shiny.example.com")
    run("restore", "-", "--replace", "--passphrase-file", passphrase, input=whole)
    assert listed(running) == {"shiny.example.com"}
    # A pipe with a name, as process substitution makes one.
    run("remove", "shiny.example.com")
    pipe = running.folder / "pipe"
    os.mkfifo(pipe)
    writer = subprocess.Popen(["dd", f"of={pipe}", "status=none"], stdin=subprocess.PIPE)
    try:
        writer.stdin.write(whole)
        writer.stdin.close()
        run("restore", pipe, "--replace", "--passphrase-file", passphrase)
    finally:
        writer.kill()
        writer.wait()
    assert listed(running) == {"shiny.example.com"}
    # A link stays a link, and its target gets the backup.
    (running.folder / "target").write_bytes(whole)
    link = running.folder / "link"
    link.symlink_to("target")
    saved(running, "other.example.com")
    run("backup", link, "--force")
    must_hold(link.is_symlink(), "the link was replaced")
    assert (running.folder / "target").read_bytes() != whole
    assert not list(running.state.glob(".latchkey-*"))


def test_a_damaged_vault_replaces_no_good_backup(running, client):
    run = running.latchkey
    saved(running, "shiny.example.com")
    backup = running.folder / "b"
    run("backup", backup)
    whole = backup.read_bytes()
    run("lock")
    vault = running.data / "containers" / "org.latchkey.passwords" / "vault.latchkey"
    bytes_ = bytearray(vault.read_bytes())
    for offset in range(4096, len(bytes_), 61):
        bytes_[offset] ^= 1
    vault.write_bytes(bytes_)
    client.call("unlock", passphrase=secret(PASSPHRASE))
    assert run("backup", backup, "--force", check=False).returncode != 0
    nothing_lost("a good backup", [] if backup.read_bytes() == whole else ["replaced"])


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a small file system")
@pytest.mark.parametrize("share", [1.1, 1.5, 1.9])
def test_a_restore_without_space_changes_nothing(fresh_installation, passphrase_of_fresh, share):
    """A file system that has `share` times the backup free: too little, since everything is written beside what is there."""
    fresh_installation.data.parent.mkdir(parents=True, exist_ok=True)
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=32m", "tmpfs", fresh_installation.data.parent])
    if mounted.returncode != 0:
        pytest.skip("no file system can be mounted here")
    try:
        running = fresh_installation.start()
        client = running.unlocked()
        notes = "n" * 60_000
        for number in range(40):
            client.call("items.add", items=[
                {"services": ["kept.example.com"], "user": f"u{number}", "password": secret("p"), "notes": secret(notes)}])
        backup = running.folder / "b"
        client.call("backup.write", path=str(backup))
        client.call("items.add", items=[{"services": ["newer.example.com"], "user": "u", "password": secret("p")}])
        size = backup.stat().st_size
        filling = running.data.parent / "filling"
        space = os.statvfs(running.data.parent)
        with filling.open("wb") as file:
            os.posix_fallocate(file.fileno(), 0, space.f_bavail * space.f_frsize - int(share * size))
        done = running.latchkey("restore", backup, "--replace", "--passphrase-file", passphrase_of_fresh, check=False)
        assert done.returncode != 0 and b"Nothing was changed" in done.stderr, done
        nothing_lost("an account", {"kept.example.com", "newer.example.com"} - listed(running))
        filling.unlink()
        running.kill()
        running.start()
        running.client().call("unlock", passphrase=secret(PASSPHRASE))
        nothing_lost("an account after a restart", {"kept.example.com", "newer.example.com"} - listed(running))
    finally:
        fresh_installation.stop()
        subprocess.run(["umount", "--lazy", fresh_installation.data.parent], check=True)


@pytest.fixture
def passphrase_of_fresh(fresh_installation):
    file = fresh_installation.folder / "passphrase"
    file.write_text(PASSPHRASE)
    return file

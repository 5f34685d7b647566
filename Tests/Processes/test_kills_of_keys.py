# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""The daemon is killed at any moment while keys are made, changed and restored.

After each kill the next start opens by what the answer said: by the new keys where it was acknowledged, by the old or the new ones
where there was no answer. Nothing is lost, and no temporary file is left. `LATCHKEY_KILLS` says how many kills there are of each kind.
"""

import itertools
import os
import random
import threading
import time

import pytest

from installation import PASSPHRASE, Installation, WireFailure, secret
from verdicts import NotTried, must_hold, nothing_lost

KILLS = int(os.environ.get("LATCHKEY_KILLS", "3"))
#: The wire's code for keys that do not open.
WRONG = 4
#: The status of the command line whose daemon was killed.
UNAVAILABLE = 11


def temporary_files(installation):
    folders = [installation.data, installation.folder / "state_home", installation.folder / "config_home"]
    return [path for folder in folders for path in folder.rglob(".latchkey-*.tmp*")]


class Killer(threading.Thread):
    """Kills the daemon: at a random moment, or a random moment after the first file of a change appears in its data folder."""

    def __init__(self, installation, chance, seconds):
        """`seconds` is how long the act takes at most."""
        super().__init__(daemon=True)
        self.daemon_process, self.data = installation.daemon, installation.data
        self.waits_for_file = chance.random() < 0.7
        self.seconds = chance.random() * (0.006 if self.waits_for_file else seconds)
        self.start()

    def run(self):
        end = time.monotonic() + 2
        if self.waits_for_file:
            known = self.names()
            while time.monotonic() < end and self.names() == known:
                pass
        time.sleep(self.seconds)
        self.daemon_process.kill()

    def names(self):
        try:
            return set(os.listdir(self.data))
        except FileNotFoundError:
            return set()


class Keys:
    """What opens an installation, and which accounts it has then."""

    def __init__(self, passphrase, code, users):
        self.passphrase, self.code, self.users = passphrase, code, frozenset(users)

    def open(self, client):
        """Whether the passphrase opens. The code is tried, too: asking for a recovery changes nothing before it is confirmed."""
        for method, params in [
            ("unlock", {"passphrase": secret(self.passphrase)}),
            ("recover", {"recoveryCode": secret(self.code), "newPassphrase": secret("never set")}),
        ]:
            try:
                client.call(method, **params)
            except WireFailure as failure:
                assert failure.code == WRONG, failure
                return False
        return True


def account(user):
    return {"services": ["shiny.example.com"], "user": user, "password": secret(f"the password of {user}")}


def users(client):
    return {item["user"] for item in client.call("items.list")["items"]}


class World:
    """An installation whose keys are changed again and again, each time under a kill."""

    def __init__(self, installation, folder, chance):
        self.installation, self.folder, self.chance = installation, folder, chance
        self.numbers = itertools.count(1)
        installation.start()
        client = installation.unlocked()
        client.call("items.add", items=[account("first")])
        self.keys = Keys(PASSPHRASE, installation.recovery_code, {"first"})
        self.backup, self.backed_up = folder / "backup", self.keys
        client.call("backup.write", path=str(self.backup))
        client.close()
        installation.stop()

    def typed(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def change(self):
        """Returns the keys that are asked for, and whether they were acknowledged."""
        new = Keys(f"passphrase number {next(self.numbers)}", self.keys.code, self.keys.users)
        client = self.installation.client()
        killer = Killer(self.installation, self.chance, 0.5)
        return new, killer, lambda: client.call(
            "passphrase.change", passphrase=secret(self.keys.passphrase), newPassphrase=secret(new.passphrase))

    def recover(self):
        client = self.installation.client()
        passphrase = f"passphrase number {next(self.numbers)}"
        code = client.call("recover", recoveryCode=secret(self.keys.code), newPassphrase=secret(passphrase))["recoveryCode"]["secret"]
        new = Keys(passphrase, code, self.keys.users)
        return new, Killer(self.installation, self.chance, 0.03), lambda: client.call("recoveryCode.shown")

    def restore(self):
        files = [self.typed("theirs", self.backed_up.passphrase), self.typed("ours", self.keys.passphrase)]
        # The command line starts a daemon where it finds none, so it has to be there before the kill.
        self.installation.latchkey("status")
        killer = Killer(self.installation, self.chance, 0.8)

        def act():
            done = self.installation.latchkey(
                "restore", self.backup, "--replace", "--passphrase-file", files[0], "--current-passphrase-file", files[1], check=False)
            if done.returncode:
                assert done.returncode == UNAVAILABLE, done.stderr
                raise ConnectionError

        return self.backed_up, killer, act

    def round(self, act):
        """Kills one act, and checks what the next start opens. Returns whether the kill came before the answer."""
        self.installation.start()
        client = self.installation.client()
        client.call("unlock", passphrase=secret(self.keys.passphrase))
        user = f"user {next(self.numbers)}"
        client.call("items.add", items=[account(user)])
        self.keys = Keys(self.keys.passphrase, self.keys.code, self.keys.users | {user})
        new, killer, run = getattr(self, act)()
        try:
            run()
            allowed = [new]
        except (ConnectionError, OSError):
            allowed = [self.keys, new]
        killer.join()
        self.installation.kill()
        self.check(allowed)
        return len(allowed) > 1

    def check(self, allowed):
        # One that the command line has started, where the kill came before it.
        self.installation.latchkey("daemon", "stop", check=False)
        self.installation.start()
        must_hold(not temporary_files(self.installation), f"left: {temporary_files(self.installation)}")
        client = self.installation.client()
        found = [keys for keys in allowed if keys.open(client)]
        nothing_lost("keys that open", [] if found else [f"none of {[keys.passphrase for keys in allowed]}"])
        listed = users(client)
        # Keys that have the same passphrase and code differ in their accounts.
        nothing_lost("an account", [] if listed in [keys.users for keys in found] else [f"{listed} of {found[0].users}"])
        self.keys = next(keys for keys in found if keys.users == listed)
        client.close()
        self.installation.stop()


@pytest.mark.parametrize("act", ["change", "recover", "restore"])
def test_keys_survive_kills_while_they_are_changed(installation, tmp_path, act):
    world = World(installation, tmp_path, random.Random(f"{os.environ.get('LATCHKEY_SEED', '1')} {act}"))
    killed = sum(world.round(act) for _ in range(KILLS))
    if not killed:
        raise NotTried("each answer came before the kill")


def test_keys_survive_kills_while_they_are_made():
    chance = random.Random(f"{os.environ.get('LATCHKEY_SEED', '1')} made")
    for _ in range(KILLS):
        with Installation(fresh=True) as installation:
            installation.start()
            client = installation.client()
            code = client.call("initialize", passphrase=secret(PASSPHRASE))["recoveryCode"]["secret"]
            killer = Killer(installation, chance, 0.05)
            try:
                client.call("recoveryCode.shown")
                is_made = True
            except (ConnectionError, OSError):
                is_made = False
            killer.join()
            installation.kill()
            installation.start()
            must_hold(not temporary_files(installation), f"left: {temporary_files(installation)}")
            client = installation.client()
            nothing_lost("the keys", [] if client.hello["initialized"] or not is_made else ["they were acknowledged"])
            if client.hello["initialized"]:
                nothing_lost("keys that open", [] if Keys(PASSPHRASE, code, []).open(client) else ["passphrase or code"])
            else:
                client.with_code("initialize", passphrase=secret(PASSPHRASE))
            client.call("items.add", items=[account("first")])

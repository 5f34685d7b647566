# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Each file of a Latchkey damaged in each way: the daemon starts, everything that does not need the file works, `status` names the file
and the way back, and that way leads back. With `-s` the table is printed: what is lost, what is said, which command brings it back."""

import json
import pathlib
import shutil
import sys

import pytest

TESTS = pathlib.Path(__file__).parents[1]
for folder in (TESTS / "Processes", TESTS):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))

from installation import PASSPHRASE, Installation, run_program  # noqa: E402
from verdicts import must_hold  # noqa: E402

ACCOUNTS = 12
WAYS = ("truncated", "zeroed", "flipped", "deleted", "older")
VAULT = "data/containers/org.latchkey.passwords/vault.latchkey"
FILES = (
    "data/keyring", "data/registry", VAULT, "config/peers.json", "config/preferences.json", "state/audit.log", "state/audit.key",
    "state/identities",
)
#: What brings back the accounts after each damage; other files cost no account.
NEEDS_BACKUP = {"data/keyring", "data/registry"}


class World:
    """An installation with accounts and a backup, and a copy of its files as they were two changes ago."""

    def __init__(self):
        self.made = Installation(fresh=True)
        (self.made.config / "peers.json").write_text("{}")
        self.passphrase = self.made.folder / "passphrase"
        self.passphrase.write_text(PASSPHRASE)
        self.backup = self.made.folder / "backup"
        self.made.start()
        self.places = {"data": self.made.data, "config": self.made.config, "state": self.made.state}
        self.run("init", "--passphrase-file", self.passphrase)
        for number in range(ACCOUNTS):
            self.add(number)
        self.run("preferences", "set", "--idle-minutes", "20", "--passphrase-file", self.passphrase)
        self.run("show", "site1.example", "--only-password", "--passphrase-file", self.passphrase)
        self.run("lock")
        self.older = self.copied("older")
        self.run("unlock", "--passphrase-file", self.passphrase)
        self.run("preferences", "set", "--idle-minutes", "10")
        self.run("never", "add", "never.example")
        self.add(ACCOUNTS)
        self.run("backup", self.backup)
        self.made.stop()
        self.whole = self.copied("whole")

    def add(self, number):
        return self.run("add", f"site{number}.example", "anna", "--password-file", "-", input=f"password {number}".encode())

    def copied(self, name):
        target = self.made.folder / name
        for place, folder in self.places.items():
            shutil.copytree(folder, target / place)
        return target

    def reset(self):
        self.made.stop()
        for place, folder in self.places.items():
            shutil.rmtree(folder)
            shutil.copytree(self.whole / place, folder)

    def run(self, *words, input=b"", fails=False):
        done = run_program(
            [self.made.programs / "latchkey", *map(str, words)], env=self.made.environment, input=input)
        assert fails or done.returncode == 0, (words, done.returncode, done.stderr)
        return done

    def path(self, file):
        place, name = file.split("/", 1)
        return self.places[place] / name

    def damage(self, file, way):
        """False where the older copy is the same."""
        path = self.path(file)
        targets = sorted(path.iterdir()) if path.is_dir() else [path]
        old = self.older / file
        for target in (one for one in targets if one.is_file()):
            content = target.read_bytes()
            if way == "truncated":
                target.write_bytes(content[: len(content) * 2 // 3])
            elif way == "zeroed":
                target.write_bytes(bytes(len(content)))
            elif way == "flipped":
                middle = len(content) // 2
                target.write_bytes(content[:middle] + bytes([content[middle] ^ 4]) + content[middle + 1 :])
            elif way == "deleted":
                target.unlink()
            else:
                source = old / target.name if path.is_dir() else old
                if source.exists():
                    target.write_bytes(source.read_bytes())

    def accounts(self):
        """How many accounts are listed; `None` where the list is refused whole."""
        done = self.run("list", "--json", fails=True)
        return len(json.loads(done.stdout)) if done.stdout.strip() else None

    def status(self):
        done = self.run("status", "--json", fails=True)
        assert done.returncode in (0, 10), done.stderr
        status = json.loads(done.stdout)
        must_hold((done.returncode == 10) == bool(status.get("files")), f"status and its exit status disagree: {status.get('files')}")
        return status

    def close(self):
        self.made.remove()


@pytest.fixture(scope="module")
def world():
    made = World()
    yield made
    made.close()


@pytest.fixture(scope="module")
def rows():
    """Prints the table at the end."""
    found = []
    yield found
    lines = [f"{'file':24} {'way':10} {'listed':>6} {'back':>6}  {'by':8} said"]
    lines += [f"{file.rsplit('/', 1)[-1]:24} {way:10} {listed!s:>6} {back!s:>6}  {by:8} {said}" for file, way, listed, back, by, said in found]
    print("\n" + "\n".join(lines))


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("way", WAYS)
def test_one_damaged_file_costs_what_it_holds(world, rows, file, way):
    world.reset()
    world.damage(file, way)
    before = world.path(file).read_bytes() if world.path(file).is_file() else None

    world.made.start()
    locked = world.status()
    unlock = world.run("unlock", "--passphrase-file", world.passphrase, fails=True)
    listed = world.accounts() if unlock.returncode == 0 else None
    status = world.status()
    named = [one["problem"] + " " + one["hint"] for one in status.get("files", [])]
    said = named or [line for line in unlock.stderr.decode().splitlines() if line]

    by = ""
    if unlock.returncode or listed is None or listed < ACCOUNTS + 1:
        # Nobody is locked out, or lacks an account, without a word about it and the way back.
        assert any("latchkey " in line for line in said) or (file, way) in LOSES_IN_SILENCE, (unlock.stderr, status)
    by_repair = world.run("repair", "--json", fails=True)
    if json.loads(by_repair.stdout)["repaired"]:
        by = "repair"
    back = world.accounts() if unlock.returncode == 0 else None
    if back is None or back < ACCOUNTS + 1:
        by = "restore"
        words = ["restore", world.backup, "--replace", "--passphrase-file", world.passphrase]
        world.run(*words)
        back = world.accounts()
    rows.append((file, way, listed, back, by, " ".join(said)[:200]))
    must_hold(back == ACCOUNTS + 1, f"{file} {way}: {back} accounts came back")
    secret = world.run("show", "site1.example", "--only-password", "--passphrase-file", world.passphrase)
    must_hold(secret.stdout.decode().rstrip("\n") == "password 1", f"{file} {way}: another password came back")
    after = world.status()
    assert not after.get("files"), after["files"]
    if file not in NEEDS_BACKUP | {VAULT}:
        must_hold(listed == ACCOUNTS + 1, f"{file} {way}: {listed} accounts were listed before anything was brought back")
    # What was damaged is kept, unless it was never touched or is a cache.
    if by == "repair" and before is not None:
        kept = [pathlib.Path(one).read_bytes() for one in after.get("setAside", [])]
        must_hold(before in kept, f"{file} {way}: the damaged file is not kept")
    assert locked["initialized"] or (file, way) == ("data/keyring", "deleted")


#: An older vault is as good as a newer one, which docs/vault-format.md says ("Not prevented").
LOSES_IN_SILENCE = {(VAULT, "older")}

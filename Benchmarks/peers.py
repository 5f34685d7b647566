# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""The same question to KeePassXC and to Latchkey, with the same accounts, in turns."""

import importlib.util
import random
import shutil
import subprocess
import sys
from pathlib import Path

import lookups
import memory
from figures import median
from stores import Store, accounts, host

#: Calls in a row to one program before the other's turn: A B A B.
BLOCK = 10


def prepare():
    """What only this measurement needs: PyNaCl, into the environment of the tests."""
    if importlib.util.find_spec("nacl") is None:
        if sys.prefix == sys.base_prefix:
            raise RuntimeError("PyNaCl is missing, and there is no virtual environment for it: use `make bench PEERS=1`")
        requirements = Path(__file__).with_name("requirements.txt")
        subprocess.run(
            [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", requirements], check=True)
        importlib.invalidate_caches()
    for program in ("keepassxc", "keepassxc-cli", "Xvfb"):
        if not shutil.which(program):
            raise RuntimeError(f"{program} is missing: run scripts/install-dependencies peers")
    # Loaded now: minutes pass until it is used, and the environment of the tests may be made anew meanwhile.
    importlib.import_module("keepassxc")


def version():
    said = subprocess.run(["keepassxc-cli", "--version"], capture_output=True, text=True, check=True)
    return said.stdout.strip()


class Pair:
    """Both programs with so many accounts."""

    def __init__(self, count):
        from keepassxc import KeePassXC

        self.count = count
        self.ours = Store(count).fill()
        try:
            self.theirs = KeePassXC(accounts(count))
        except BaseException:
            self.ours.close()
            raise

    def their_call(self, is_hit, numbers):
        number = numbers.randrange(self.ours.sites) if is_hit else lookups.MISSING + numbers.randrange(90_000)
        took, answer = self.theirs.ask(self.theirs.logins(f"https://{host(number)}/login"))
        found = len(self.theirs.open(answer).get("entries", []))
        if (found > 0) != is_hit:
            raise RuntimeError(f"KeePassXC answered {found} entries to a {'hit' if is_hit else 'miss'}: {str(answer)[:300]}")
        return took

    def calls(self, is_hit, count):
        """(ours, theirs)"""
        numbers = random.Random(5)
        kind = lookups.hit if is_hit else lookups.miss
        ours, theirs = [], []
        for _ in range(3):
            lookups.ask(self.ours, kind, numbers), self.their_call(is_hit, numbers)
        while len(ours) < count:
            ours.extend(lookups.ask(self.ours, kind, numbers) for _ in range(BLOCK))
            theirs.extend(self.their_call(is_hit, numbers) for _ in range(BLOCK))
        return ours, theirs

    def close(self):
        self.theirs.close()
        self.ours.close()


def measure(table, sizes):
    """`sizes` is {entries: calls}."""
    table.section(f"Beside KeePassXC {version()} (get-logins over its browser socket), in turns of {BLOCK} calls")
    for count, calls in sizes.items():
        pair = Pair(count)
        try:
            for is_hit, words in [(True, "hit"), (False, "miss")]:
                ours, theirs = pair.calls(is_hit, calls)
                table.add(f"{words}, {count:,} entries: Latchkey", ours)
                table.add(f"{words}, {count:,} entries: KeePassXC", theirs)
                table.add(f"{words}, {count:,} entries: KeePassXC to Latchkey", median(theirs) / median(ours), unit="times")
            fields = memory.resident(pair.theirs.process.pid)
            daemon = memory.resident(pair.ours.installation.daemon.pid)
            table.add(f"resident, {count:,} entries: Latchkey's daemon", daemon["VmRSS"], unit="MB", note=memory.note(daemon))
            table.add(f"resident, {count:,} entries: KeePassXC", fields["VmRSS"], unit="MB", note=memory.note(fields))
        finally:
            pair.close()
    return [
        "KeePassXC's answer to a hit holds the passwords; Latchkey's names the accounts, and the password comes with the tap."
    ]

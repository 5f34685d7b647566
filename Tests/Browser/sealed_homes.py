# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Homes of Latchkey that are made once and copied for each test, so that a test neither waits for `latchkey init` nor for a costly unlock.

A copy is as good as the home itself: identity stores are bound to the machine and to the generation of the device key, containers
and the registry to the device key, and all of these are the same in a copy. What a copy must not have is what belongs to a running
daemon: its sockets, and a write-ahead log that was not written back, so a home is copied after its daemon has ended.

The passphrase of the copies costs the least that a keyring may state (`docs/vault-format.md`, section 3). The keyring is wrapped anew
here, by that page and with another implementation of its primitives, so that no program of this tree needs a switch for it.
"""

import base64
import hashlib
import json
import os
import shutil
from pathlib import Path

from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

from latchkey import PASSPHRASE, Account, Latchkey

#: The least that a reader accepts: KiB of memory, passes, lanes.
LEAST = {"memoryKiB": 19 * 1024, "iterations": 2, "parallelism": 1}
#: What of a home outlives its daemon.
KEPT = ("config", "data", "state")


def rewrap(keyring: Path) -> None:
    """Wraps the device key of a keyring with the least cost; all else stays as it is."""
    text = keyring.read_text()
    file = json.loads(text)
    assert json.dumps(file, indent=2) + "\n" == text, "the keyring has another layout than its page says"
    wrapping, generation = file["passphrase"], base64.b64decode(file["generation"])
    key = _opened(wrapping, generation)
    cheap = {**wrapping, **LEAST, "salt": base64.b64encode(os.urandom(16)).decode()}
    nonce = os.urandom(12)
    sealed = ChaCha20Poly1305(_derived(cheap)).encrypt(nonce, key, b"\x01" + _place(cheap, generation))
    cheap["wrapped"] = base64.b64encode(b"\x01" + nonce + sealed).decode()
    written = json.dumps({**file, "passphrase": cheap}, indent=2)
    before = written[:written.index('  "digest"')]
    digest = base64.b64encode(hashlib.sha256(before.encode()).digest()).decode()
    keyring.write_text(f'{before}  "digest": "{digest}"\n}}\n')


def _derived(wrapping: dict) -> bytes:
    return Argon2id(salt=base64.b64decode(wrapping["salt"]), length=32, iterations=wrapping["iterations"], lanes=wrapping["parallelism"],
                    memory_cost=wrapping["memoryKiB"]).derive(PASSPHRASE.encode())


def _place(wrapping: dict, generation: bytes) -> bytes:
    costs = b"".join(wrapping[name].to_bytes(4, "little") for name in LEAST)
    return b"latchkey-keyring/1 passphrase argon2id" + costs + base64.b64decode(wrapping["salt"]) + generation


def _opened(wrapping: dict, generation: bytes) -> bytes:
    sealed = base64.b64decode(wrapping["wrapped"])
    return ChaCha20Poly1305(_derived(wrapping)).decrypt(sealed[1:13], sealed[13:], b"\x01" + _place(wrapping, generation))


class SealedHomes:
    """The homes of one worker, by what is saved in them."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.made: dict[tuple, Path] = {}

    def home(self, accounts: tuple[Account, ...] = ()) -> Path:
        """A home with accounts, to be copied; made when it is first wanted."""
        key = tuple(tuple(vars(account).items()) for account in accounts)
        if key not in self.made:
            first = self.home() if accounts else None
            place = self.folder / f"home-{len(self.made)}"
            place.mkdir(parents=True)
            latchkey = Latchkey(place, list(accounts), home=first)
            latchkey.stop()
            if not accounts:
                rewrap(place / "data" / "latchkey" / "keyring")
            for one in list(place.iterdir()):
                if one.name not in KEPT:
                    shutil.rmtree(one) if one.is_dir() else one.unlink()
            unfinished = [file for file in place.rglob("*-wal") if file.stat().st_size]
            assert not unfinished, f"a database that was not written back: {unfinished}"
            self.made[key] = place
        return self.made[key]

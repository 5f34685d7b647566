# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""A home that was initialised once, for tests that are not about the initialisation.

Each test gets a copy of its files. Nothing in them names a path. All copies have one device key, so two installations of one
test that must not know each other's keys need `Installation(fresh=True)` for one of them.

The copy's keyring has the lowest cost that Latchkey accepts, because Argon2id at its usual cost takes more time than the rest
of most tests. The keyring is wrapped again by `docs/vault-format.md`, section 3.
"""

import base64
import ctypes
import hashlib
import json
import os
import pathlib
import shutil
import struct
import tempfile

from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from system_apps import apps_of_the_system

#: Argon2Cost.lowerBound: KiB, passes and lanes.
LOWEST = (19 * 1024, 2, 1)


class SealedHome:
    """Made when the first copy is wanted; removed by `close`."""

    def __init__(self, installation, passphrase):
        self.installation, self.passphrase = installation, passphrase
        self.folder = self.recovery_code = None

    def copy(self, installation):
        """Puts the home's files into an installation that has not been started yet."""
        if self.folder is None:
            self._make()
        for name in ["data_home", "state_home"]:
            shutil.copytree(self.folder / name, installation.folder / name, dirs_exist_ok=True, copy_function=shutil.copy)
        installation.recovery_code = self.recovery_code

    def close(self):
        if self.folder is not None:
            shutil.rmtree(self.folder)
            self.folder = None

    def _make(self):
        # A home that was made while a test had an app installed would keep that the app's site could not be reached.
        with apps_of_the_system(is_alone=False), self.installation(fresh=True) as made:
            made.start()
            client = made.unlocked()
            # Answered by the built-in provider, which has made its vault then.
            assert client.call("items.list")["items"] == []
            client.call("lock")
            client.close()
            made.stop()
            keyring = made.data / "keyring"
            keyring.write_text(cheapened(keyring.read_text(), self.passphrase.encode()))
            self.recovery_code = made.recovery_code
            self.folder = pathlib.Path(tempfile.mkdtemp(prefix="latchkey-home-"))
            for name in ["data_home", "state_home"]:
                shutil.copytree(made.folder / name, self.folder / name)


def cheapened(text, passphrase):
    """The keyring's text with the device key wrapped under the same passphrase at the lowest cost."""
    keyring = json.loads(text)
    wrapped = keyring["passphrase"]
    usual = tuple(wrapped[name] for name in ("memoryKiB", "iterations", "parallelism"))
    generation = base64.b64decode(keyring["generation"])
    salt, sealed = (base64.b64decode(wrapped[name]) for name in ("salt", "wrapped"))

    def opener(cost, salt):
        """The cipher and the associated data of the wrapped key."""
        place = b"latchkey-keyring/1 passphrase argon2id" + struct.pack("<III", *cost) + salt + generation
        return ChaCha20Poly1305(argon2id(passphrase, salt, cost)), b"\x01" + place

    cipher, associated = opener(usual, salt)
    device_key = cipher.decrypt(sealed[1:13], sealed[13:], associated)
    salt, nonce = os.urandom(16), os.urandom(12)
    cipher, associated = opener(LOWEST, salt)
    sealed = b"\x01" + nonce + cipher.encrypt(nonce, device_key, associated)
    wrapped.update(zip(("memoryKiB", "iterations", "parallelism"), LOWEST))
    wrapped.update(salt=base64.b64encode(salt).decode(), wrapped=base64.b64encode(sealed).decode())
    del keyring["digest"]
    # Two spaces for each level; the digest is over every byte before its line.
    before = json.dumps(keyring, indent=2).removesuffix("\n}") + ",\n"
    digest = base64.b64encode(hashlib.sha256(before.encode()).digest()).decode()
    return before + f'  "digest": "{digest}"\n}}\n'


def argon2id(passphrase, salt, cost):
    """32 bytes of Argon2id, version 0x13, by the library that the programs use."""
    memory, iterations, lanes = cost
    key = ctypes.create_string_buffer(32)
    status = ctypes.CDLL("libargon2.so.1").argon2id_hash_raw(
        ctypes.c_uint32(iterations), ctypes.c_uint32(memory), ctypes.c_uint32(lanes), passphrase,
        ctypes.c_size_t(len(passphrase)), salt, ctypes.c_size_t(len(salt)), key, ctypes.c_size_t(32))
    assert status == 0, f"argon2 error {status}"
    return key.raw

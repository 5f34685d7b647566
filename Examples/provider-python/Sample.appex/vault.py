# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Accounts in a sealed file in the container, under the key that Latchkey gives the provider while it is unlocked."""

import base64
import hashlib
import hmac
import json
import os
import secrets

MAGIC = b"sample-vault-1\n"


class Vault:
    def __init__(self, container, key):
        self.path = os.path.join(container, "accounts.sealed")
        key = base64.b64decode(key, validate=True)
        if len(key) != 32:
            raise ValueError("the key has 32 bytes")
        # A key for each purpose; neither can be got from the other.
        self.stream_key = hmac.digest(key, b"stream", hashlib.sha256)
        self.tag_key = hmac.digest(key, b"tag", hashlib.sha256)
        self.accounts, self.pin = [], "2468"
        if os.path.exists(self.path):
            self._load()
        else:
            self.add("shiny.example.com", "rmondello", secrets.token_urlsafe(15))
            self.add("bank.example.com", "rmondello", secrets.token_urlsafe(15), asks=True)

    def add(self, service, user, password, asks=False):
        account = {"id": secrets.token_hex(8), "service": service, "user": user, "password": password, "asks": asks}
        self.accounts.append(account)
        self._save()

    def change_pin(self, pin):
        self.pin = pin
        self._save()

    def _load(self):
        with open(self.path, "rb") as file:
            sealed = file.read()
        content = json.loads(self._open(sealed))
        self.accounts, self.pin = content["accounts"], content["pin"]

    def _save(self):
        """Whole or not at all, for this user alone."""
        sealed = self._seal(json.dumps({"accounts": self.accounts, "pin": self.pin}).encode())
        temporary = self.path + ".new"
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(sealed)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, self.path)

    # Encrypt, then authenticate: a stream of HMAC-SHA-256 in counter mode, since the standard library has no cipher.
    # Where a cryptographic library may be used, use its AES-GCM or ChaCha20-Poly1305 instead.

    def _stream(self, nonce, count):
        blocks = (hmac.digest(self.stream_key, nonce + i.to_bytes(8, "big"), hashlib.sha256) for i in range(count // 32 + 1))
        return b"".join(blocks)[:count]

    def _seal(self, plain):
        nonce = secrets.token_bytes(24)
        hidden = bytes(a ^ b for a, b in zip(plain, self._stream(nonce, len(plain))))
        body = MAGIC + nonce + hidden
        return body + hmac.digest(self.tag_key, body, hashlib.sha256)

    def _open(self, sealed):
        body, tag = sealed[:-32], sealed[-32:]
        # Before anything of it is looked at.
        if not body.startswith(MAGIC) or not hmac.compare_digest(tag, hmac.digest(self.tag_key, body, hashlib.sha256)):
            raise ValueError("the accounts were damaged or changed")
        nonce, hidden = body[len(MAGIC) : len(MAGIC) + 24], body[len(MAGIC) + 24 :]
        return bytes(a ^ b for a, b in zip(hidden, self._stream(nonce, len(hidden))))

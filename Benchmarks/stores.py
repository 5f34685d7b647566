# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Throw-away Latchkeys with so many identities, filled through the front door."""

import json
import struct
import time

from figures import milliseconds
from installation import Installation, secret

#: Of one `items.add`; the wire allows no more.
BATCH = 200
#: Public suffixes of one and of two labels, since cutting a host to its registrable domain is part of a look-up.
SUFFIXES = ["com", "org", "net", "de", "co.uk", "com.br"]


def host(number):
    """The host of a site. Each has a registrable domain of its own, as the sites that people have accounts on do: a
    thousand names below one domain would be another question (`Store.crowd`)."""
    domain = f"site{number:06d}.{SUFFIXES[number % len(SUFFIXES)]}"
    return f"login.{domain}" if number % 3 == 0 else domain


def accounts(count):
    """(host, user) of so many accounts: one to three for each site."""
    number = made = 0
    while made < count:
        for account in range(min(1 + number % 3, count - made)):
            yield host(number), f"user{account}@example.org"
            made += 1
        number += 1


class Store:
    """An installation with its daemon and a connection to it."""

    def __init__(self, count):
        self.count = count
        self.installation = Installation().start()
        self.client = self.installation.unlocked()
        # Nothing may lock or ask while it is measured.
        self.client.prefer(idleMinutes=0, authenticationMinutes=60)
        self.sites = 0
        self.added = 0
        self.batches = []

    def fill(self):
        pending = []
        names = set()
        for name, user in accounts(self.count):
            names.add(name)
            pending.append({"services": [name], "user": user, "password": secret("correct horse battery")})
            if len(pending) == BATCH:
                self.add(pending)
                pending = []
        if pending:
            self.add(pending)
        self.sites = len(names)
        self._wait_for_identities()
        return self

    def crowd(self, domain, count):
        """Adds a domain below which so many hosts have an account each."""
        for start in range(0, count, BATCH):
            self.add([{"services": [f"host{number}.{domain}"], "user": "me", "password": secret("correct horse")}
                       for number in range(start, min(start + BATCH, count))])
        self._wait_for_identities()

    def add(self, items):
        start = time.perf_counter()
        self.client.call("items.add", items=items)
        self.batches.append(milliseconds(start))
        self.added += len(items)

    def _wait_for_identities(self):
        """The provider reports its identities after it has answered; look-ups begin when all are there."""
        deadline = time.monotonic() + 60
        while (known := self.status()["providers"][0]["identities"]) != self.added:
            if time.monotonic() > deadline:
                raise RuntimeError(f"the store has {known} identities, {self.added} were added")
            time.sleep(0.05)

    def status(self):
        return self.client.call("status")

    def close(self):
        self.client.close()
        self.installation.remove()


class Question:
    """A request whose bytes are made beforehand, so that Python's JSON is no part of what is measured."""

    def __init__(self, method, **params):
        body = json.dumps({"jsonrpc": "2.0", "id": "bench", "method": method, "params": params}).encode()
        self.frame = struct.pack("=I", len(body)) + body

    def ask(self, socket):
        """(milliseconds from the first byte sent to the last one received, the answer)"""
        start = time.perf_counter()
        socket.sendall(self.frame)
        size = struct.unpack("=I", _exactly(socket, 4))[0]
        body = _exactly(socket, size)
        return milliseconds(start), json.loads(body)


def _exactly(socket, count):
    data = socket.recv(count)
    while len(data) < count:
        part = socket.recv(count - len(data))
        if not part:
            raise ConnectionError("the daemon closed the connection")
        data += part
    return data

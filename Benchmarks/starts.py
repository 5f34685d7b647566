# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""How long the daemon takes to be ready, and to unlock."""

import json
import time

from figures import milliseconds
from installation import PASSPHRASE, secret


def measure(table, stores, starts, unlocks):
    table.section("Daemon")
    for store in stores:
        measure_starts(table, store, starts)
    for store in stores:
        measure_unlock(table, store, unlocks)


def measure_starts(table, store, count):
    """From `fork` to the byte that the daemon writes when it listens; it is ended as the service manager ends it."""
    installation = store.installation
    store.client.close()
    samples = []
    for _ in range(count):
        installation.daemon.terminate()
        installation.daemon.wait(20)
        start = time.perf_counter()
        installation.start()
        samples.append(milliseconds(start))
        # A daemon that answers has its signal handlers; one that is merely ready may still miss a SIGTERM.
        installation.client().close()
    store.client = installation.unlocked()
    table.add(f"start to ready, {store.count:,} items on disk", samples)


def measure_unlock(table, store, count):
    """`unlock` is Argon2 and opening what it gives; `authenticate` is the same Argon2 and nothing else."""
    passphrase = secret(PASSPHRASE)
    call = store.client.call
    unlocking, alone = [], []
    for _ in range(count):
        call("lock")
        start = time.perf_counter()
        call("unlock", passphrase=passphrase)
        unlocking.append(milliseconds(start))
        start = time.perf_counter()
        call("authenticate", passphrase=passphrase)
        alone.append(milliseconds(start))
    table.add(f"locked to unlocked, {store.count:,} identities", unlocking, note=cost(store.installation))
    table.add("  of it Argon2 (authenticate)", alone)


def cost(installation):
    written = json.loads((installation.data / "keyring").read_text())["passphrase"]
    return (f"Argon2id {written['memoryKiB'] // 1024} MiB, {written['iterations']} passes, "
            f"{written['parallelism']} lanes")

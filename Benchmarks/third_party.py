# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""A provider of other people: what its process costs, with and without bubblewrap, and what changes of its store cost.

The provider is a program in Python, whose own start and JSON are part of the figures.
"""

import time

from figures import milliseconds
from installation import Installation
from providers import Browser, Bundle, Hand

#: Run in the provider: milliseconds of each of so many changes of one identity.
UPDATES = """
import time
value = []
for number in range({count}):
    identity = provider.identity(f"site{{number % 100}}-example.com", f"all-user-{{number:05}}", rank=number)
    began = time.perf_counter()
    answer = provider.ask("store.save", identities=[identity])
    value.append((time.perf_counter() - began) * 1e3)
    assert "result" in answer
"""
#: The same, of batches; what a batch saved is removed before the next.
BATCHES = """
import time
value = []
for number in range({count}):
    began = time.perf_counter()
    refused = provider.batch("save", "more", {size})
    value.append((time.perf_counter() - began) * 1e3)
    assert refused == provider.batch("remove", "more", {size}) == []
"""


def without_isolation():
    """An installation whose `bwrap` does not work."""
    installation = Installation()
    programs = installation.folder / "programs"
    programs.mkdir()
    (programs / "bwrap").write_text("#!/bin/sh\nexit 1\n")
    (programs / "bwrap").chmod(0o755)
    installation.environment["PATH"] = f"{programs}:{installation.environment['PATH']}"
    return installation


def measure(table, warm, cold, identities, updates, batch, batches):
    table.section("A provider of other people (renderer.choose, over latchkey-browser-host)")
    notes = []
    for name, made in [("bubblewrap", Installation()), ("no isolation", without_isolation())]:
        with made as installation:
            client = prepared(installation)
            if client.call("status")["isolation"]["available"] != (name == "bubblewrap"):
                notes.append("Bubblewrap does not work here: a provider could not be measured with it.")
                continue
            measure_requests(table, installation, client, name, warm, cold)
    table.section("Changes of its identity store (from the provider's side)")
    with Installation() as installation:
        measure_changes(table, installation, prepared(installation), identities, updates, batch, batches)
    return notes


def prepared(installation):
    client = installation.start().unlocked()
    # Nothing may lock or ask while it is measured.
    client.prefer(idleMinutes=0, authenticationMinutes=60)
    return client


def measure_requests(table, installation, client, name, warm, cold):
    bundle = Bundle(installation).enable(client)
    browser = Browser(installation)
    browser.choose()

    def tap():
        handle = browser.rows()[0]["handle"]
        start = time.perf_counter()
        browser.call("renderer.choose", handle=handle, surface="popup", guard={"held": True})
        return milliseconds(start)

    table.add(f"warm, {name}", [tap() for _ in range(warm)])
    samples = []
    for _ in range(cold):
        bundle.kill(client)
        samples.append(tap())
    table.add(f"cold, {name}", samples)
    browser.close()
    if browser.presented:
        raise RuntimeError("the user was asked during a measured tap")


def measure_changes(table, installation, client, identities, updates, batch, batches):
    bundle = Bundle(installation, accounts=[])
    hand = Hand(bundle)
    bundle.enable(client)
    hand.taken().filled()
    # A batch has at most 200,000.
    ran(hand, f"value = provider.batch('save', 'all', {identities})")
    known = bundle.statement(client)["identities"]
    if known != identities:
        raise RuntimeError(f"the store has {known} identities, {identities} were saved")
    table.add(f"one of {identities:,} identities", ran(hand, UPDATES.format(count=updates)))
    samples = ran(hand, BATCHES.format(count=batches, size=batch))
    note = f"{batch / sum(samples) * len(samples) * 1000:,.0f} identities a second"
    table.add(f"a batch of {batch:,} more", samples, note=note)
    if bundle.statement(client)["identities"] != identities:
        raise RuntimeError("a batch left something behind")


def ran(hand, code):
    """What the code leaves in `value`; it may take a while."""
    hand.patience = 600
    value = hand.run(code)
    if isinstance(value, dict):
        raise RuntimeError(f"the provider raised {value['raised']}")
    return value

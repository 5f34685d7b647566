#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""`make bench`: how fast Latchkey is and how much memory it takes, with the aims beside the figures.

Everything is driven from outside: the real programs, the real socket, the real browser. A missed aim is a result and changes
nothing about the exit status; status 1 means that something did not work and could not be measured.
"""

import argparse
import gc
import os
import sys
import traceback
from dataclasses import dataclass, field
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parents[1]
sys.path += [str(ROOT / "Tests" / "Processes"), str(ROOT / "Tests" / "Browser")]
RELEASE = ROOT / ".build" / "release"
os.environ.setdefault("LATCHKEY_BIN", str(RELEASE if (RELEASE / "latchkeyd").exists() else ROOT / ".build" / "debug"))

import app_window  # noqa: E402
import explaining  # noqa: E402
import forms  # noqa: E402
import live_forms  # noqa: E402
import lookups  # noqa: E402
import matching  # noqa: E402
import memory  # noqa: E402
import native_programs  # noqa: E402
import pages  # noqa: E402
import password_rules  # noqa: E402
import recommending  # noqa: E402
import peers  # noqa: E402
import releases  # noqa: E402
import security_codes  # noqa: E402
import starts  # noqa: E402
import third_party  # noqa: E402
from figures import Table, say  # noqa: E402
from installation import BINARIES  # noqa: E402
from stores import BATCH, Store  # noqa: E402


@dataclass
class Plan:
    """How much of everything."""

    identities: list = field(default_factory=lambda: [1_000, 10_000, 100_000])
    calls: int = 2_000
    #: After which the look-ups end with fewer calls than planned.
    seconds: int = 300
    warm: int = 200
    cold: int = 20
    starts: int = 30
    unlocks: int = 10
    crowd: int = 500
    #: Accounts that the app lists, how often it is started, and turns of the wheel over them.
    listed: int = 10_000
    windows: int = 10
    turns: int = 600
    focuses: int = 200
    taps: int = 100
    #: Of a form of a native program: focuses, presses on the panel, seconds of idleness, keys into an editor.
    native: tuple = (50, 20, 30, 2_000)
    #: Of a provider of other people: identities in its store, changes of one of them, and of so many at once.
    stored: int = 100_000
    updates: int = 500
    batch: int = 10_000
    batches: int = 10
    peers: dict = field(default_factory=lambda: {10: 400, 1_000: 100, 5_000: 40})


QUICK = Plan(
    identities=[100, 1_000, 5_000], calls=200, seconds=40, warm=20, cold=3, starts=5, unlocks=3, crowd=200, listed=1_000, windows=2, turns=60, focuses=20, taps=6, native=(5, 3, 5, 200),
    stored=2_000, updates=50, batch=1_000, batches=3, peers={10: 50, 1_000: 20, 5_000: 10})


def fill(table, plan, stores):
    table.section(f"Filling through items.add, batches of {BATCH}")
    for count in plan.identities:
        store = Store(count)
        stores.append(store)
        store.fill()
        few = store.batches[: max(1, len(store.batches) // 10)]
        last = store.batches[-len(few):]
        note = f"{count / sum(store.batches) * 1000:,.0f} items a second"
        if len(store.batches) >= 20:
            note += f"; the last tenth took {sum(last) / sum(few):.1f} times the first"
        table.add(f"a batch, up to {count:,}", store.batches, note=note)


def sections(table, plan, with_peers, stores):
    """(name, measurement) in the order in which they are made: memory right after the look-ups, restarts late."""
    yield "fill", lambda: fill(table, plan, stores)
    if len(stores) < len(plan.identities):
        return
    yield "look-ups", lambda: lookups.measure(table, stores, plan.calls, plan.seconds)
    yield "memory", lambda: memory.measure(table, stores)
    yield "releases", lambda: releases.measure(table, [stores[0], stores[-1]], plan.warm, plan.cold)
    yield "starts", lambda: starts.measure(table, [stores[0], stores[-1]], plan.starts, plan.unlocks)
    yield "pages", lambda: pages.measure(table, stores[0], plan.focuses, plan.taps, plan.cold)
    yield "pages in Firefox", lambda: pages.measure_in_firefox(table, stores[0], plan.focuses // 2, plan.taps // 2)
    yield "crowd", lambda: lookups.measure_crowd(table, stores[0], plan.crowd, min(500, plan.calls), plan.seconds)
    yield "forms", lambda: forms.measure(table)
    yield "live forms", lambda: live_forms.measure(table)
    yield "providers", lambda: third_party.measure(
        table, plan.warm, plan.cold, plan.stored, plan.updates, plan.batch, plan.batches)
    yield "matching", lambda: matching.measure(table)
    yield "explain", lambda: explaining.measure(table, stores[-1], plan.starts, plan.starts)
    yield "rules", lambda: password_rules.measure(table)
    yield "recommendations", lambda: recommending.measure(table)
    yield "native programs", lambda: native_programs.measure(table, *plan.native)
    yield "app", lambda: app_window.measure(table, plan.listed, plan.windows, plan.turns)
    yield "codes", lambda: security_codes.measure(table)
    if with_peers:
        yield "peers", lambda: peers.measure(table, plan.peers)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--peers", action="store_true", help="also ask KeePassXC the same question")
    parser.add_argument("--quick", action="store_true", help="fewer identities and calls: does it work at all?")
    options = parser.parse_args()
    plan = QUICK if options.quick else Plan()
    missing = [name for name in ("latchkeyd", "latchkey-passwords", "latchkey-browser-host") if not (BINARIES / name).exists()]
    if missing:
        say(f"{BINARIES} has no {', '.join(missing)}; `make bench` builds what is measured.")
        return 1
    try:
        if options.peers:
            peers.prepare()
    except Exception as error:
        say(f"KeePassXC cannot be measured: {error}")
        return 1
    gc.disable()  # a pause of this program is none of Latchkey's
    table, stores, notes, failures = Table(), [], [], []
    if options.quick:
        notes.append("This was --quick: fewer identities and calls than the aims speak of.")
    try:
        for name, measure in sections(table, plan, options.peers, stores):
            try:
                notes.extend(measure() or [])
            except Exception as error:
                traceback.print_exc()
                failures.append(f"{name} could not be measured: {error}")
            gc.collect()
    finally:
        for store in stores:
            store.close()
    table.print(BINARIES, [*notes, *failures])
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

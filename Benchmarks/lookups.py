# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""How long `suggestions.list` takes over the socket, and whether it depends on how much is saved."""

import random
import time

from figures import Aim, median, percentile
from stores import Question, host

#: Calls in a row to one store before the next store's turn. All stores are measured within the same minute, so that what
#: else the machine does meets them alike, and the ratio between them is worth something.
BLOCK = 50
#: Sites that were never saved.
MISSING = 900_000


def hit(store, numbers):
    return Question("suggestions.list", url=f"https://{host(numbers.randrange(store.sites))}/login"), range(1, 4)


def miss(_store, numbers):
    return Question("suggestions.list", url=f"https://{host(MISSING + numbers.randrange(90_000))}/login"), range(0, 1)


def floor(_store, _numbers):
    """A request that the daemon refuses by its name: what two processes, a socket, JSON and Python cost anyhow."""
    return Question("bench.floor"), None


def ask(store, kind, numbers):
    """One call with a site picked at random from the whole store, so that nothing is warm but what fits the caches."""
    question, rows = kind(store, numbers)
    took, answer = question.ask(store.client.socket)
    if rows is None:
        if answer.get("error", {}).get("code") != -32601:
            raise RuntimeError(f"an unknown method was answered with {answer}")
    elif "result" not in answer or len(answer["result"]["suggestions"]) not in rows:
        raise RuntimeError(f"a look-up was answered with {str(answer)[:300]}")
    return took


def alternate(stores, kinds, calls, seconds):
    """{(store, kind): samples}, in turns of `BLOCK` calls; ends early, with fewer samples, after so many seconds."""
    numbers = random.Random(2)
    samples = {(store, kind): [] for store in stores for kind in kinds}
    warm = time.monotonic() + seconds / 10
    for _ in range(min(calls, 100)):
        for pair in samples:
            ask(*pair, numbers)
        if time.monotonic() > warm:
            break
    end = time.monotonic() + seconds
    while time.monotonic() < end and len(samples[stores[-1], kinds[-1]]) < calls:
        for pair, taken in samples.items():
            taken.extend(ask(*pair, numbers) for _ in range(min(BLOCK, calls - len(taken))))
    return samples


def measure(table, stores, calls, seconds):
    kinds = [hit, miss, floor]
    samples = alternate(stores, kinds, calls, seconds)
    least, most = stores[0], stores[-1]
    table.section("Look-up over the socket (suggestions.list), from first byte sent to last byte received")
    for kind, words in [(hit, "hit, 1-3 rows"), (miss, "miss")]:
        for store in stores:
            aim = Aim(1.0) if store is most else None
            table.add(f"{words}, {store.count:,} identities", samples[store, kind], aim=aim)
    every = [sample for store in stores for sample in samples[store, floor]]
    table.add("floor: an unknown method", every, note="Python, socket, JSON: part of every row above")
    for kind, words in [(hit, "hit"), (miss, "miss")]:
        for of, take in [("medians", median), ("99th percentiles", lambda taken: percentile(taken, 0.99))]:
            ratio = take(samples[most, kind]) / take(samples[least, kind])
            table.add(f"{words}: {most.count:,} to {least.count:,}, {of}", ratio, unit="times", aim=Aim(2.0))


def measure_crowd(table, store, count, calls, seconds):
    """The one case in which a look-up grows: everything below a registrable domain is opened and matched."""
    table.section("Look-up where the site's own registrable domain is crowded")
    store.crowd("crowded.example", count)
    numbers = random.Random(3)
    # The exact host, and the first hundred of the site's others below it.
    one = lambda *_: (Question("suggestions.list", url=f"https://host{numbers.randrange(count)}.crowded.example/"), range(2, 102))
    samples = alternate([store], [one], calls, seconds)
    table.add(f"hit below a domain with {count:,} saved hosts", samples[store, one])

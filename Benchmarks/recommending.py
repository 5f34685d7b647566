# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Recommendations for ten thousand items, all of them and after one change, and looking for a password in a list of leaked ones."""

import hashlib
import os
import random
import tempfile
import time

from figures import Aim
from installation import Installation, secret

ITEMS = 10_000
LINES = 1_000_000


def passwords(count):
    """Some weak, some reused, most as a generator makes them."""
    numbers = random.Random(8)
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-"
    for number in range(count):
        if number % 10 == 0:
            yield f"Summer{1990 + number % 30}!"
        elif number % 10 == 1:
            yield f"reused password {number % 100}"
        else:
            yield "".join(numbers.choice(letters) for _ in range(20))


def breach_list(folder, lines):
    """A sorted list of so many hashes, in haveibeenpwned's layout."""
    path = os.path.join(folder, "pwned.txt")
    hashes = sorted(hashlib.sha1(str(number).encode()).hexdigest().upper() for number in range(lines))
    with open(path, "w") as file:
        file.writelines(f"{line}:{1 + number % 9}\r\n" for number, line in enumerate(hashes))
    return path


def fill(client, count):
    made = []
    batch = []
    for number, password in enumerate(passwords(count)):
        batch.append({"services": [f"site{number}.example{number % 997}.com"], "user": f"user{number}",
                      "password": secret(password), "notes": secret("")})
        if len(batch) == 200:
            made += client.call("items.add", items=batch)["items"]
            batch = []
    return [item["id"] for item in made]


def ask(client):
    start = time.perf_counter()
    answer = client.call("recommendations.list")
    took = (time.perf_counter() - start) * 1000
    if answer.get("problem") or answer["judged"] != ITEMS:
        raise RuntimeError(f"recommendations were answered with {str(answer)[:300]}")
    return took


def measure(table, rounds=(3, 20)):
    table.section(f"Recommendations for {ITEMS:,} items")
    with tempfile.TemporaryDirectory() as folder, Installation() as installation:
        installation.start()
        client = installation.unlocked()
        items = fill(client, ITEMS)

        def fresh(path):
            # The provider ends with the change, and with it all that it knew.
            client.prefer(breachList="/nowhere")
            client.prefer(breachList=path)
            client.call("items.list", search="nothing at all")
            return ask(client)

        table.add("all of them, first page, nothing known", [ask(client)] + [fresh("") for _ in range(rounds[0])],
                  aim=Aim(2_000))
        samples = []
        for turn in range(rounds[1]):
            client.call("items.edit", id=items[turn], password=secret(f"another password {turn}"))
            samples.append(ask(client))
        table.add("after one change", samples, aim=Aim(50))
        table.section(f"Leaked passwords: a list of {LINES:,} lines, {os.cpu_count()} processors")
        short, long = breach_list(tempfile.mkdtemp(dir=folder), 100), breach_list(folder, LINES)
        fresh(long)  # the list comes into the page cache
        pairs = [(fresh(short), fresh(long)) for _ in range(rounds[0])]
        table.add("all items, looked for in 100 lines", [pair[0] for pair in pairs])
        table.add("all items, looked for in 1,000,000 lines", [pair[1] for pair in pairs])
        table.add("one look-up, by the whole", [pair[1] / ITEMS for pair in pairs], aim=Aim(1),
                  note="everything else that is done for an item included")

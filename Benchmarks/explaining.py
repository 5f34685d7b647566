# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""How long `explain` takes: over the socket with much saved, and `latchkey explain --offline` as a whole program."""

import random
import subprocess
import time

from figures import milliseconds
from installation import BINARIES
from stores import Question, host


def measure(table, store, calls, runs):
    table.section("explain")
    numbers = random.Random(3)
    samples = []
    for _ in range(calls):
        url = f"https://{host(numbers.randrange(store.sites))}/login"
        took, answer = Question("explain", url=url).ask(store.client.socket)
        if not any(candidate["offered"] for candidate in answer.get("result", {}).get("candidates", [])):
            raise RuntimeError(f"nothing was explained: {str(answer)[:300]}")
        samples.append(took)
    table.add("explain, over the socket", samples, note="looks through everything by the name of the site, too")
    command = [BINARIES / "latchkey", "explain", "--offline", "https://shiny.example.com", "--saved", "example.com", "--json"]
    samples = []
    for _ in range(runs):
        began = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        samples.append(milliseconds(began))
    table.add("latchkey explain --offline, from start to end", samples)

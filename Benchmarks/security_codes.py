# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Reading codes out of messages, by the command line, on one core."""

import pathlib
import subprocess
import time

from figures import Aim
from installation import BINARIES

VECTORS = pathlib.Path(__file__).resolve().parents[1] / "Tests" / "Vectors" / "messages"


def messages():
    """Every message of the labelled set."""
    for name in ("known.txt", "held-out.txt"):
        for line in (VECTORS / name).read_text().splitlines():
            if line and not line.startswith("#"):
                yield line.split("|", 2)[2].replace("\\n", "\n")


def seconds(data):
    start = time.perf_counter()
    subprocess.run([BINARIES / "latchkey", "code", "parse", "--json"], input=data, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start


def measure(table, rounds=5, repeats=200):
    table.section("Security codes, one core, the program's start included")
    texts = list(messages()) * repeats
    data = "\0".join(texts).encode()
    samples = [seconds(data) / len(texts) * 1e6 for _ in range(rounds)]
    table.add("read one message, print it as JSON", samples, unit="µs", aim=Aim(20, "median"),
              note=f"{1e6 / min(samples):,.0f} messages a second at best")
    long = ("Your order 123456 has shipped, never share a code. " * 25_000)[:1_000_000].encode()
    table.add("read one message of a megabyte", [seconds(long) * 1e3 for _ in range(rounds)], aim=Aim(1000, "median"))

# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Reading password rules and generating passwords, by the command line, on one core."""

import random
import subprocess
import time

from figures import Aim, median
from installation import BINARIES

CLASSES = ["upper", "lower", "digit", "special", "ascii-printable", "[-!@#$%]", "[abc]", "[-.]]"]
GENERATED = {
    "the standard format": [],
    "of any 20 characters": ["--rules", "required: upper; required: lower; required: digit; required: [!#$%]"],
    "of 8, none twice in a row": ["--rules", "required: upper; required: digit; max-consecutive: 1; maxlength: 8"],
    "of 6, of four kinds": [
        "--rules", "required: upper; required: lower; required: digit; required: [!#$]; minlength: 6; maxlength: 6"],
    "of 20 out of two characters": ["--rules", "allowed: [ab]; max-consecutive: 2; maxlength: 20"],
    "of six words": ["--kind", "passphrase"],
}


def rules(count):
    """Rules as sites write them, the same in every run."""
    chance = random.Random(5)
    for _ in range(count):
        parts = [f"required: {', '.join(chance.sample(CLASSES, chance.randint(1, 2)))}" for _ in range(chance.randint(0, 4))]
        parts += [f"minlength: {chance.randint(4, 12)}"] * chance.randint(0, 1) + [f"maxlength: {chance.randint(13, 64)}"]
        yield "; ".join(parts) + chance.choice(["", ";"])


def seconds(arguments, text=None):
    start = time.perf_counter()
    subprocess.run([BINARIES / "latchkey", *arguments], input=text, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start


def add(table, name, arguments, count, least, rounds, text=None):
    """So many at once that the program's start is little of it; the aim of `least` a second stands as a time for each."""
    samples = [seconds(arguments, text) / count * 1e6 for _ in range(rounds)]
    table.add(name, samples, unit="µs", aim=Aim(1e6 / least, "median"), note=f"{1e6 / median(samples):,.0f} a second")


def measure(table, rounds=5, lines=1_000_000, passwords=100_000):
    table.section(f"Password rules, one core: {lines:,} texts, {passwords:,} passwords at once, the program's start included")
    text = "\n".join(rules(lines)).encode()
    add(table, "read one text of rules, print it again", ["rules", "parse"], lines, 200_000, rounds, text)
    add(table, "read one text of rules, print it as JSON", ["rules", "parse", "--json"], lines, 200_000, rounds, text)
    for name, arguments in GENERATED.items():
        add(table, f"a password {name}", ["generate", *arguments, "--count", str(passwords)], passwords, 100_000, rounds)
    table.add("the program's start alone", [seconds(["generate"]) * 1e3 for _ in range(rounds * 4)])

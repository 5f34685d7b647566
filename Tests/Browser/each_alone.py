#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Runs each browser test alone, in a pytest and a browser of its own: none needs what another one left.

    each_alone.py                       all of them, two at a time
    each_alone.py test_saving.py        those whose name has a text in it
    each_alone.py --part 2/5            every fifth, from the second on
    each_alone.py --minutes 20          as many as begin within 20 minutes, in an order of their own each time (`--seed`)
"""

import argparse
import os
import random
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
PYTEST = [os.path.abspath(sys.executable), "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]


def tests() -> list[str]:
    listed = subprocess.run([*PYTEST, "--collect-only"], cwd=HERE, capture_output=True, text=True, check=True).stdout
    return [line for line in listed.splitlines() if "::" in line]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("only", nargs="*", help="parts of the names of tests; all where none is given")
    parser.add_argument("-n", type=int, default=2, help="at a time (%(default)s)")
    parser.add_argument("--part", default="1/1", help="which part of how many, as 2/5 (%(default)s)")
    parser.add_argument("--minutes", type=float, help="begins none after so many minutes")
    parser.add_argument("--seed", help="the order; without `--minutes` they come as they stand")
    options = parser.parse_args()
    number, parts = map(int, options.part.split("/"))
    chosen = [test for test in tests() if not options.only or any(part in test for part in options.only)][number - 1::parts]
    if not chosen:
        raise SystemExit("no test is called so")
    if options.minutes or options.seed:
        seed = options.seed or str(time.time_ns())
        print(f"seed {seed}")
        random.Random(seed).shuffle(chosen)
    began = time.monotonic()

    def run(test: str) -> tuple[str, int | None, str]:
        if options.minutes and time.monotonic() - began > 60 * options.minutes:
            return test, None, ""
        done = subprocess.run([*PYTEST, "--timeout", "600", "--tb=short", test], cwd=HERE, capture_output=True, text=True)
        return test, done.returncode, done.stdout

    with ThreadPoolExecutor(options.n) as pool:
        results = []
        for test, status, text in pool.map(run, chosen):
            results.append((test, status))
            if status:
                print(f"FAILED alone: {test}\n{text}", flush=True)
    ran = [status for _, status in results if status is not None]
    failed = [test for test, status in results if status]
    print("\n".join(failed))
    print(f"{len(ran) - len(failed)} of {len(ran)} pass alone, {len(results) - len(ran)} were not begun, {time.monotonic() - began:.0f} s")
    return 1 if failed or not ran else 0


if __name__ == "__main__":
    sys.exit(main())

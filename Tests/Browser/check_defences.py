#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Proves that the tests of the extension's defences are alive.

Each entry of defences.json names a defence in the extension and the test that guards it. In a copy of the extension the
defence is taken away (`find`, which has to be there exactly once, becomes `replace`); then that test has to fail, while
the test of the main job still passes, so that it is the defence that is missing and not the extension that is broken.
Where one defence stands behind another, `also` takes away the others. An entry whose file, text or test is not there is
an error, before anything runs.

What needs no browser (`BrowserExtension/logic`) is proven by node in the same way: the named test of `Tests/Extension` fails, and another
of its file passes.

Two processes share the entries. Each has one browser, which loads the copies one after the other, and runs pytest in itself.
"""

import argparse
import contextlib
import io
import json
import multiprocessing
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
EXTENSION = HERE.parents[1] / "BrowserExtension"
#: Tests that node runs; an entry names one of them as FILE.test.mjs::NAME.
LOGIC = HERE.parent / "Extension"
ALIVE = "test_main_job.py::test_one_tap_fills_user_name_and_password"
#: Options of pytest for a run in this process.
QUIET = ["-q", "--tb=no", "-p", "no:cacheprovider", "-p", "no:xdist", "--timeout", "300"]


def without(entry: dict, folder: Path) -> None:
    """Makes a copy of the extension without a defence."""
    shutil.copytree(EXTENSION, folder)
    for edit in [entry, *entry.get("also", [])]:
        file = folder / edit["file"]
        text = file.read_text()
        file.write_text(text.replace(edit["find"], edit["replace"]))


def outcomes_in_node(extension: Path, file: str) -> dict[str, str]:
    """What becomes of the tests of a file of `Tests/Extension` with a copy of the extension."""
    with tempfile.TemporaryDirectory(prefix="latchkey-logic-") as folder:
        tests = Path(folder) / "Tests" / "Extension"
        shutil.copytree(LOGIC, tests)
        (Path(folder) / "BrowserExtension").symlink_to(extension)
        done = subprocess.run(["node", "--test", "--test-reporter=tap", tests / file], capture_output=True, text=True, timeout=120)
    found = re.findall(r"^ *(not )?ok \d+ - (.*)$", done.stdout, re.MULTILINE)
    return {f"{file}::{name}": "failed" if bad else "passed" for bad, name in found}


def faults(entries: list[dict]) -> list[str]:
    """What the entries name that is not there."""
    listed = subprocess.run([sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"], cwd=HERE,
                            capture_output=True, text=True, check=True).stdout
    tests = {line.removeprefix("Tests/Browser/") for line in listed.splitlines()}
    for file in sorted(LOGIC.glob("*.test.mjs")):
        tests |= outcomes_in_node(EXTENSION, file.name).keys()
    found = [f"{test}: no such test" for test in sorted({ALIVE, *(entry["test"] for entry in entries)} - tests)]
    for entry in entries:
        texts: dict[str, str] = {}
        for edit in [entry, *entry.get("also", [])]:
            file = EXTENSION / edit["file"]
            if not file.is_file():
                found.append(f"{entry['test']}: {edit['file']}: no such file")
                continue
            text = texts.setdefault(edit["file"], file.read_text())
            if (count := text.count(edit["find"])) != 1:
                found.append(f"{entry['test']}: {edit['file']}: found {count} times, not once: {edit['find']!r}")
            texts[edit["file"]] = text.replace(edit["find"], edit["replace"])
    return found


class Outcomes:
    """Notes what became of tests, and gives them the place that stays."""

    def __init__(self, place):
        self.standing = place
        self.found: dict[str, str] = {}

    def pytest_runtest_logreport(self, report):
        test = report.nodeid.removeprefix("Tests/Browser/")
        if report.skipped:
            self.found[test] = "skipped"
        elif report.when == "call":
            self.found[test] = report.outcome
        elif report.failed:
            self.found[test] = f"error at {report.when}"


class Bench:
    """What one process has for all of its entries."""

    def __init__(self):
        sys.path.insert(0, str(HERE))
        os.chdir(HERE)
        import pytest
        from playwright.sync_api import sync_playwright

        from site_server import Site
        from workplace import Workplace

        self.run_pytest = pytest.main
        self.folder = tempfile.TemporaryDirectory(prefix="latchkey-defences-", ignore_cleanup_errors=True)
        self.driver = sync_playwright()
        place = Path(self.folder.name)
        self.place = Workplace(self.driver.__enter__(), Site(place), place)

    def check(self, entry: dict) -> dict[str, str]:
        """What becomes of the test of a defence, and of the main job, without it."""
        extension = Path(tempfile.mkdtemp(prefix="copy-", dir=self.folder.name)) / "extension"
        without(entry, extension)
        if ".test.mjs::" in entry["test"]:
            found = outcomes_in_node(extension, entry["test"].split("::")[0])
            return {entry["test"]: found.get(entry["test"], "did not run"), ALIVE: "passed" if "passed" in found.values() else "failed"}
        outcomes = Outcomes(self.place)
        self.place.exchange(extension)
        with contextlib.redirect_stdout(io.StringIO()):
            self.run_pytest([*QUIET, ALIVE, entry["test"]], plugins=[outcomes])
        return outcomes.found

    def close(self) -> None:
        self.place.close()
        self.place.server.stop()
        self.driver.__exit__(None, None, None)
        self.folder.cleanup()


def work(entries, answers) -> None:
    """Takes entries by their numbers until there are none."""
    bench = Bench()
    while (given := entries.get()) is not None:
        number, entry = given
        began = time.monotonic()
        try:
            found = bench.check(entry)
        except Exception as error:  # said as what it is: not proven
            found = {entry["test"]: f"{type(error).__name__}: {error}"}
        answers.put((number, found, time.monotonic() - began))
    bench.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("only", nargs="*", help="families or parts of test names; all where none is given")
    parser.add_argument("--names", action="store_true", help="look only whether all that is named is there")
    parser.add_argument("-n", type=int, default=2, help="processes (%(default)s)")
    options = parser.parse_args()
    listed = json.loads((HERE / "defences.json").read_text())
    if not listed:
        raise SystemExit("defences.json is empty")
    if wrong := faults(listed):
        raise SystemExit("defences.json names what is not there:\n" + "\n".join(wrong))
    # Those that are left for `make soak` too.
    os.environ["LATCHKEY_SLOW"] = "1"
    if options.names:
        print(f"all that the {len(listed)} entries name is there")
        return 0
    chosen = [entry for entry in listed
              if not options.only or any(part == entry["family"] or part in entry["test"] for part in options.only)]
    if not chosen:
        raise SystemExit("no entry is of that family or name")
    os.environ.setdefault("LATCHKEY_PATIENCE", "15")
    # Where the main job fails with every defence in place (no programs, no browser), no entry can be proven.
    whole = subprocess.run([sys.executable, "-m", "pytest", *QUIET, ALIVE], cwd=HERE, capture_output=True, text=True)
    if whole.returncode:
        raise SystemExit(f"the main job fails with every defence in place:\n{whole.stdout}{whole.stderr}")
    context = multiprocessing.get_context("spawn")
    entries, answers = context.Queue(), context.Queue()
    processes = [context.Process(target=work, args=(entries, answers)) for _ in range(min(options.n, len(chosen)))]
    for given in [*enumerate(chosen), *(None for _ in processes)]:
        entries.put(given)
    began = time.monotonic()
    for process in processes:
        process.start()
    verdicts = [judged(chosen, *answers.get(timeout=3600)) for _ in chosen]
    for process in processes:
        process.join()
    proven, skipped = verdicts.count("proven"), verdicts.count("skipped")
    print(f"{proven} of {len(chosen)} proven in {time.monotonic() - began:.0f} s; {skipped} not checked, as their tests are skipped here")
    unproven = len(chosen) - proven - skipped
    print(f"{unproven} not proven" if unproven else "every defence that is taken away is missed by its test")
    return 1 if unproven or not proven else 0


def judged(chosen: list[dict], number: int, found: dict[str, str], took: float) -> str:
    """Says what became of an entry."""
    entry = chosen[number]
    test, alive = (found.get(name, "did not run") for name in (entry["test"], ALIVE))
    verdict = "skipped" if test == "skipped" else "proven" if (test, alive) == ("failed", "passed") else "unproven"
    words = {"proven": "fails without it", "skipped": "not checked, the test is skipped here"}
    said = words.get(verdict, f"NOT PROVEN: {test}, main job {alive}")
    print(f"{entry['family']:>10}  {entry['file']:27} {entry['test']}: {said} ({took:.1f} s)", flush=True)
    return verdict


if __name__ == "__main__":
    sys.exit(main())

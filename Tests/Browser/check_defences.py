#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Proves that the tests of the extension's defences are alive.

Each entry of defences.json names a defence in the extension and the test that guards it. In a copy of the extension the
defence is taken away (`find`, which has to be there exactly once, becomes `replace`); then that test has to fail, while
the test of the main job still passes, so that it is the defence that is missing and not the extension that is broken.
Where one defence stands behind another, `also` takes away the others.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
EXTENSION = HERE.parents[1] / "BrowserExtension"
ALIVE = "test_main_job.py::test_one_tap_fills_user_name_and_password"


def without(entry: dict, folder: Path) -> None:
    """Makes a copy of the extension without a defence."""
    shutil.copytree(EXTENSION, folder)
    for edit in [entry, *entry.get("also", [])]:
        file = folder / edit["file"]
        text = file.read_text()
        if text.count(edit["find"]) != 1:
            raise SystemExit(f"{edit['file']}: found {text.count(edit['find'])} times, not once: {edit['find']!r}")
        file.write_text(text.replace(edit["find"], edit["replace"]))


def outcomes(tests: list[str], extension: Path) -> dict[str, str]:
    """What pytest says of each test with an extension."""
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-rA", "--tb=no", "-p", "no:cacheprovider", *tests], cwd=HERE,
                          env={**os.environ, "LATCHKEY_EXTENSION": str(extension), "LATCHKEY_PATIENCE": "15"}, capture_output=True, text=True, timeout=1800)
    found = dict.fromkeys(tests, "did not run")
    for outcome, test in re.findall(r"^(PASSED|FAILED|ERROR) (\S.*?)(?: - .*)?$", done.stdout, re.MULTILINE):
        found[test] = outcome
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("only", nargs="*", help="families or parts of test names; all where none is given")
    options = parser.parse_args()
    entries = json.loads((HERE / "defences.json").read_text())
    if not entries:
        raise SystemExit("defences.json is empty")
    holes = 0
    for entry in entries:
        if options.only and not any(part == entry["family"] or part in entry["test"] for part in options.only):
            continue
        with tempfile.TemporaryDirectory(prefix="latchkey-defence-") as folder:
            extension = Path(folder) / "extension"
            without(entry, extension)
            found = outcomes([entry["test"], ALIVE], extension)
        proven = found[entry["test"]] == "FAILED" and found[ALIVE] == "PASSED"
        holes += not proven
        verdict = "fails without it" if proven else f"NOT PROVEN: {found[entry['test']]}, main job {found[ALIVE]}"
        print(f"{entry['family']:>7}  {entry['file']:14} {entry['test']}: {verdict}", flush=True)
    print(f"{holes} not proven" if holes else "every defence that is taken away is missed by its test")
    return 1 if holes else 0


if __name__ == "__main__":
    sys.exit(main())

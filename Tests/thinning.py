# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Which tests from outside `make test` runs, which `make test-rest`, and which `make soak` alone."""

import functools
import json
import os
import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
#: From how many variants on a test is thinned out, and which of them stay: every fifth from the first on, and the last one.
FAMILY, STEP = 3, 5
#: Which part of the tests is run: `named` those that are kept for `make test`, `rest` all others; without it both.
PART = "LATCHKEY_PART"


def thin_out(items, is_whole) -> None:
    """Of a test with many variants some are run, and in `make soak` all, but for those of which each is to run.

    What a list of defences names is always run: without it nobody would notice that the defence is gone.
    """
    families = {}
    for item in items:
        if hasattr(item, "callspec") and not item.get_closest_marker("soak") and not is_whole(item):
            families.setdefault((item.path, item.originalname), []).append(item)
    for family in families.values():
        if len(family) >= FAMILY:
            for number, item in enumerate(family[:-1]):
                if number % STEP and not is_defended(item):
                    item.add_marker(pytest.mark.soak)


@functools.cache
def defended() -> frozenset[str]:
    """The tests of which each notices that a defence is gone: FOLDER/FILE::NAME, and without a variant all of its variants."""
    found = set()
    for folder in ("Processes", "Browser"):
        for entry in json.loads((TESTS / folder / "defences.json").read_text()):
            test = entry["test"]
            found.add(test.removeprefix("../") if test.startswith("../") else f"{folder}/{test}")
    return frozenset(found)


@functools.cache
def stated() -> frozenset[str]:
    """The tests that show what the documents say, with all of their variants: FILE::NAME."""
    page = TESTS.parent / "docs" / "what-the-documents-say.md"
    return frozenset(re.findall(r"`(test_\w+\.py::test_\w+)`", page.read_text()))


def place(item) -> str:
    """Where a test stands: FOLDER/FILE::NAME."""
    return f"{item.path.parent.name}/{item.path.name}::{item.name}"


def is_defended(item) -> bool:
    """Whether a list of defences names a test, or all variants of it."""
    return not defended().isdisjoint([place(item), place(item).partition("[")[0]])


def is_named(item) -> bool:
    """Whether a list of defences or a statement of the documents names a test, or the test itself says that `make test` has it."""
    return (is_defended(item) or f"{item.path.name}::{item.originalname}" in stated()
            or item.get_closest_marker("named") is not None)


def choose_part(config, items) -> None:
    """Leaves the tests of the part that is asked for."""
    match os.environ.get(PART, ""):
        case "":
            return
        case "named" | "rest" as part:
            wanted, left = [], []
            for item in items:
                (wanted if is_named(item) == (part == "named") else left).append(item)
        case other:
            pytest.exit(f"{PART}={other}: there is no such part, only named and rest", returncode=2)
    config.hook.pytest_deselected(items=left)
    items[:] = wanted

# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0

import pathlib
import sys

import pytest

TESTS = pathlib.Path(__file__).parents[1]
sys.path[:0] = [str(TESTS / "Processes"), str(TESTS)]

from faults import compiled  # noqa: E402
from installation import BINARIES, PASSPHRASE, Installation  # noqa: E402
from sealed_home import SealedHome  # noqa: E402
from table import Table  # noqa: E402
from world import Prototype  # noqa: E402


def pytest_sessionstart(session):
    if not session.config.option.collectonly and not (BINARIES / "latchkeyd").exists():
        pytest.exit(f"there is no latchkeyd in {BINARIES}: build first", returncode=2)
    Installation.home = SealedHome(Installation, PASSPHRASE)


def pytest_sessionfinish(session):
    if Installation.home:
        Installation.home.close()


@pytest.fixture(scope="session")
def library(tmp_path_factory):
    return compiled(tmp_path_factory.mktemp("faults"))


@pytest.fixture(scope="session")
def prototype(library):
    with Prototype(library) as made:
        yield made


@pytest.fixture(scope="session")
def table(tmp_path_factory):
    """The table of all workers: each writes its rows into one folder, and prints what is there."""
    base = tmp_path_factory.getbasetemp()
    # A worker of pytest-xdist has a folder below the one that all share.
    return Table((base.parent if base.name.startswith("popen-") else base) / "failing-calls")

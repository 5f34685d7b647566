# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0

import pathlib
import sys

import pytest

TESTS = pathlib.Path(__file__).parents[1]
sys.path[:0] = [str(TESTS / "Desktop"), str(TESTS / "Processes"), str(TESTS)]

from app import App  # noqa: E402
from desktop import Desktop  # noqa: E402
from installation import BINARIES, PASSPHRASE, Installation  # noqa: E402
from sealed_home import SealedHome  # noqa: E402


def pytest_sessionstart(session):
    if not session.config.option.collectonly and not (BINARIES / "latchkey-app").exists():
        pytest.exit(f"there is no latchkey-app in {BINARIES}: build first", returncode=2)
    Installation.home = SealedHome(Installation, PASSPHRASE)


def pytest_sessionfinish(session):
    if Installation.home:
        Installation.home.close()


@pytest.fixture
def desktop(tmp_path):
    with Desktop(tmp_path) as made:
        yield made


@pytest.fixture
def app(desktop):
    """The app, not started yet."""
    with App(desktop) as made:
        yield made

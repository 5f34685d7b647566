# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0

import pathlib
import sys

import pytest

TESTS = pathlib.Path(__file__).parents[1]
sys.path[:0] = [str(TESTS / "Processes"), str(TESTS)]

from desktop import Desktop, built  # noqa: E402
from installation import BINARIES, PASSPHRASE, Installation  # noqa: E402
from sealed_home import SealedHome  # noqa: E402


def pytest_sessionstart(session):
    if not session.config.option.collectonly and not (BINARIES / "latchkey-desktop").exists():
        pytest.exit(f"there is no latchkey-desktop in {BINARIES}: build first", returncode=2)
    Installation.home = SealedHome(Installation, PASSPHRASE)


def pytest_sessionfinish(session):
    if Installation.home:
        Installation.home.close()


@pytest.fixture(scope="session")
def form_gtk3(tmp_path_factory):
    return built("form_gtk3.c", tmp_path_factory.mktemp("programs"), ["gtk+-3.0"])


@pytest.fixture
def desktop(tmp_path):
    with Desktop(tmp_path) as made:
        yield made

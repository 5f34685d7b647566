# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0

import os
import pathlib
import sys

import pytest

TESTS = pathlib.Path(__file__).parents[1]
sys.path[:0] = [str(TESTS / "Desktop"), str(TESTS / "Processes"), str(TESTS)]

from app import App  # noqa: E402
from desktop import Desktop  # noqa: E402
from installation import BINARIES, PASSPHRASE, Installation  # noqa: E402
from sealed_home import SealedHome  # noqa: E402
from thinning import choose_part, thin_out  # noqa: E402


def pytest_configure(config):
    config.addinivalue_line("markers", "alone: of the tests of apps that ask by themselves")
    config.addinivalue_line("markers", "long: takes so long that it begins first")
    config.addinivalue_line("markers", "named: `make test` has it, though no list of defences and no statement of the documents names it")
    config.addinivalue_line("markers", "soak: tried with LATCHKEY_SLOW=1; `make soak` does")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    thin_out(items, lambda item: False)
    for item in items:
        if item.get_closest_marker("soak") and not os.environ.get("LATCHKEY_SLOW"):
            item.add_marker(pytest.mark.skip(reason="LATCHKEY_SLOW=1 runs it; `make soak` does"))
    choose_part(config, items)
    # None of them begins when all others have ended.
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


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

# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0

import pytest

from installation import BINARIES, Installation
from providers import Browser


@pytest.fixture
def installation():
    with Installation() as made:
        yield made


@pytest.fixture
def running(installation):
    installation.start()
    yield installation


@pytest.fixture
def client(running):
    return running.unlocked()


@pytest.fixture
def browser(running, client):
    made = Browser(running)
    yield made
    made.close()


def pytest_sessionstart(session):
    if not (BINARIES / "latchkeyd").exists():
        pytest.exit(f"there is no latchkeyd in {BINARIES}: build first", returncode=2)

# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0

import random

import pytest

from code_kit import Clock
from installation import BINARIES, PASSPHRASE, Installation
from providers import Browser
from sealed_home import SealedHome
from system_apps import apps_of_the_system

@pytest.fixture
def installation():
    with Installation() as made:
        yield made


@pytest.fixture
def fresh_installation():
    """For what is about the first start: there is nothing in its folders."""
    with Installation(fresh=True) as made:
        yield made


@pytest.fixture
def system_apps(request):
    """For tests of apps: what root installed stays as it is meanwhile."""
    with apps_of_the_system(is_alone=request.node.get_closest_marker("alone") is not None):
        yield


@pytest.fixture
def clock(installation, tmp_path):
    """Turns the clock of the daemon, and of nobody else; to be asked for before whatever starts the daemon."""
    made = Clock(tmp_path)
    installation.daemon_environment |= made.environment
    return made


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


def pytest_addoption(parser):
    parser.addoption("--shuffle", metavar="SEED", help="run the tests in an order drawn with this seed")
    parser.addoption("--unoptimised", action="store_true", help="run what is marked release on debug programs, too")


def pytest_sessionstart(session):
    if not session.config.option.collectonly and not (BINARIES / "latchkeyd").exists():
        pytest.exit(f"there is no latchkeyd in {BINARIES}: build first", returncode=2)
    Installation.home = SealedHome(Installation, PASSPHRASE)


def pytest_sessionfinish(session):
    if Installation.home:
        Installation.home.close()


def spread(items, among):
    """One list of both, the second spread evenly over the first; the last part has none, so that no worker waits alone at the end."""
    step = len(items) * 9 // 10 // (len(among) + 1)
    mixed = []
    for number, item in enumerate(items):
        if step and number and number % step == 0 and among:
            mixed.append(among.pop(0))
        mixed.append(item)
    return mixed + among


def pytest_collection_modifyitems(config, items):
    is_debug = BINARIES.resolve().name == "debug" and not config.getoption("unoptimised")
    for item in items:
        if is_debug and item.get_closest_marker("release"):
            item.add_marker(pytest.mark.skip(reason=f"the programs in {BINARIES} are not optimised; `make test-release` runs it"))
    # None of them begins when all others have ended.
    items.sort(key=lambda item: item.get_closest_marker("long") is None)
    waiting = [item for item in items if item.get_closest_marker("waits")]
    items[:] = spread([item for item in items if item not in waiting], waiting)
    if (seed := config.getoption("shuffle")) is not None:
        # Files stay together, because some share a daemon. Each worker of pytest-xdist has to draw the same order.
        draws = random.Random(seed)
        files = {item.path: draws.random() for item in items}
        items.sort(key=lambda item: (files[item.path], draws.random()))

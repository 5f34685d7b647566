# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0

import os
import pathlib
import random
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))

from code_kit import Clock  # noqa: E402
from installation import BINARIES, PASSPHRASE, Installation  # noqa: E402
from providers import Browser  # noqa: E402
from sealed_home import SealedHome  # noqa: E402
from system_apps import apps_of_the_system  # noqa: E402
from thinning import choose_part, thin_out  # noqa: E402

MARKERS = {
    "alone": "puts apps where every daemon of the machine sees them; no other test of apps runs meanwhile",
    "long": "takes so long that it begins first",
    "waits": "mostly waits, and so runs between others that keep the processor busy",
    "named": "`make test` has it, though no list of defences and no statement of the documents names it",
    "release": "about the optimised programs: wiping, memory, hardening; `make test-release` runs them",
    "soak": "long loops and the worked example; LATCHKEY_SLOW=1 runs them, `make soak` does",
}


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


def pytest_configure(config):
    for name, meaning in MARKERS.items():
        config.addinivalue_line("markers", f"{name}: {meaning}")


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
    # Of the families of attacks (docs/security-families.md) every variant is run, and of what is about the optimised programs.
    thin_out(items, lambda item: item.originalname.startswith(("test_S", "test_s")) or item.get_closest_marker("release"))
    is_debug = BINARIES.resolve().name == "debug" and not config.getoption("unoptimised")
    for item in items:
        if is_debug and item.get_closest_marker("release"):
            item.add_marker(pytest.mark.skip(reason=f"the programs in {BINARIES} are not optimised; `make test-release` runs it"))
        if not os.environ.get("LATCHKEY_SLOW") and item.get_closest_marker("soak"):
            item.add_marker(pytest.mark.skip(reason="LATCHKEY_SLOW=1 runs it; `make soak` does"))
    choose_part(config, items)
    # None of them begins when all others have ended.
    items.sort(key=lambda item: item.get_closest_marker("long") is None)
    waiting = [item for item in items if item.get_closest_marker("waits")]
    items[:] = spread([item for item in items if item not in waiting], waiting)
    if (seed := config.getoption("shuffle")) is not None:
        # Files stay together, because some share a daemon. Each worker of pytest-xdist has to draw the same order.
        draws = random.Random(seed)
        files = {item.path: draws.random() for item in items}
        items.sort(key=lambda item: (files[item.path], draws.random()))

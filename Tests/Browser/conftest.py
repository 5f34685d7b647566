# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0

import random
import sys
import tempfile
from collections import Counter
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))

from browser import NAME  # noqa: E402
from site_server import Site  # noqa: E402
from workplace import RMONDELLO, Workplace  # noqa: E402, F401

SIGN_IN = """<!doctype html><meta charset="utf-8"><title>Sign in to Shiny</title><h1>shiny.</h1>
<form action="/session" method="post">
<p><label>Username <input id="user" name="user" autocomplete="username"></label>
<p><label>Password <input id="password" name="password" type="password" autocomplete="current-password"></label>
<p><button>Log In</button></form>"""

#: The same, with a form that sends what is filled to another site: a fill is asked about each time.
ELSEWHERE = SIGN_IN.replace('action="/session"', 'action="https://elsewhere.example/session"')


def pytest_addoption(parser):
    parser.addoption("--shuffle", metavar="SEED", help="run the tests in another order, the same for the same seed")


def pytest_report_header(config):
    return f"shuffled with seed {config.option.shuffle}" if config.option.shuffle else None


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    for item in items:
        if NAME == "firefox" and item.path.name in OF_FIREFOX:
            item.add_marker(pytest.mark.skip(reason="it starts Firefox itself, whichever browser the others are run in"))
        if NAME == "firefox" and (lacking := item.get_closest_marker("chromium")):
            item.add_marker(pytest.mark.skip(reason=lacking.args[0]))
    if config.option.shuffle:
        random.Random(config.option.shuffle).shuffle(items)


#: Tests of Firefox alone, which start it in other ways.
OF_FIREFOX = {"test_firefox.py", "test_firefox_portal.py", "test_flatpak_firefox.py"}
#: How many browsers were started and put back, by all workers.
BROWSERS = pytest.StashKey[Counter]()


def pytest_configure(config):
    config.stash[BROWSERS] = Counter()


def pytest_sessionfinish(session):
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["browsers"] = dict(session.config.stash[BROWSERS])


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    node.config.stash[BROWSERS].update(getattr(node, "workeroutput", {}).get("browsers", {}))


def pytest_terminal_summary(terminalreporter, config):
    if counts := config.stash[BROWSERS]:
        terminalreporter.write_line("browsers: " + ", ".join(f"{number} {what}" for what, number in sorted(counts.items())))


@pytest.fixture(scope="session")
def workplace(request):
    """What all tests of a worker share; where a plugin has one that stands, that one."""
    if standing := next((plugin.standing for plugin in request.config.pluginmanager.get_plugins() if hasattr(plugin, "standing")), None):
        yield standing
        return
    with sync_playwright() as playwright, tempfile.TemporaryDirectory(prefix="latchkey-work-", ignore_cleanup_errors=True) as folder:
        server = Site(Path(folder))
        work = Workplace(playwright, server, Path(folder))
        yield work
        work.close()
        server.stop()
        request.config.stash[BROWSERS].update(work.counts)


@pytest.fixture(scope="session")
def server(workplace):
    return workplace.server


@pytest.fixture
def site(server):
    server.pages.clear()
    server.page("/login", SIGN_IN)
    server.page("/elsewhere", ELSEWHERE)
    return server


@pytest.fixture(scope="module")
def start_for_all(workplace):
    """Starts a Latchkey with accounts, and a browser beside it; all ends with the module."""
    with ExitStack() as ending:
        yield partial(workplace.begin, ending)


@pytest.fixture
def start(workplace, site):
    """Starts a Latchkey with accounts, and a browser beside it; all ends with the test."""
    with ExitStack() as ending:
        yield partial(workplace.begin, ending)

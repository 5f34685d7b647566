# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""The packages that `make deb` made, and a Debian to install them in."""

import os
import shutil
import sys
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "Browser")]

from throwaway import BROWSERS, ROOT, System, base  # noqa: E402

PACKAGES = Path(os.environ.get("LATCHKEY_PACKAGES", ROOT / ".build/packages"))


def pytest_collection_modifyitems(items):
    missing = [name for name in ("debootstrap", "nsenter", "setpriv") if not shutil.which(name)]
    if os.geteuid() or missing or not list(PACKAGES.glob("*.deb")):
        reason = "needs root, debootstrap (`scripts/install-dependencies deb`) and the packages (`make deb`)"
        for item in items:
            item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session")
def packages() -> list[Path]:
    found = sorted(PACKAGES.glob("*.deb"), key=lambda one: one.name.split("_")[0])
    assert [one.name.split("_")[0] for one in found] == ["latchkey", "latchkey-app", "latchkey-desktop", "libpam-latchkey", "webext-latchkey"]
    return found


@pytest.fixture(scope="session")
def playwright():
    with sync_playwright() as running:
        yield running


@pytest.fixture(scope="module")
def bookworm():
    with System(base("bookworm", BROWSERS)) as system:
        yield system

# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Firefox as on Ubuntu, where a portal of the desktop starts the native messaging host for it. The portal is a stand-in."""

import json
import os
import shutil
import subprocess
from contextlib import contextmanager
from pathlib import Path

import pytest

from conftest import RMONDELLO
from firefox import PREFERENCES, PROGRAM, Firefox, FirefoxSetting, eventually
from latchkey import Latchkey

#: The system's, which has python3-dbus.
PYTHON = Path("/usr/bin/python3")


class PortalFirefox(Firefox):
    """A browser that asks the portal for its hosts, wherever it runs."""

    preferences = {**PREFERENCES, "widget.use-xdg-desktop-portal.native-messaging": 1}


@contextmanager
def bus(folder: Path):
    """A session bus of its own; gives its address."""
    daemon = subprocess.Popen(["dbus-daemon", "--session", "--nofork", "--print-address=1", f"--address=unix:path={folder}/bus"],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        yield daemon.stdout.readline().decode().strip()
    finally:
        daemon.kill()
        daemon.wait()


@contextmanager
def portal(latchkey, environment: dict, manifest: Path):
    stand_in = subprocess.Popen([PYTHON, Path(__file__).with_name("portal_stand_in.py"), manifest, *latchkey.command],
                                env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        assert stand_in.stdout.readline() == b"ready\n"
        yield
    finally:
        stand_in.kill()
        stand_in.wait()


@pytest.mark.soak
@pytest.mark.skipif(not PROGRAM.exists() or not shutil.which("dbus-daemon"), reason="There is no Firefox, or no dbus-daemon.")
@pytest.mark.skipif(subprocess.run([PYTHON, "-c", "import dbus, gi"], stderr=subprocess.DEVNULL).returncode != 0,
                    reason="The system's Python has no dbus or gi (python3-dbus, python3-gi).")
@pytest.mark.parametrize("is_known", [True, False], ids=["a known service", "a service that nobody knows"])
def test_firefox_behind_a_portal(workplace, site, tmp_path, is_known):
    peers = tmp_path / "user/config/latchkey/peers.json"
    peers.parent.mkdir(parents=True, mode=0o700)
    peers.write_text(json.dumps({"launchers": [os.path.realpath(PYTHON)] if is_known else []}))
    latchkey = Latchkey(tmp_path / "user", [RMONDELLO])
    try:
        with bus(tmp_path) as address:
            environment = {**latchkey.environment, "DBUS_SESSION_BUS_ADDRESS": address}
            profile = tmp_path / "profile"
            manifest = Path(environment["HOME"]) / ".mozilla/native-messaging-hosts/org.latchkey.browser.json"
            # Firefox registers nothing here that it could start by itself: the portal alone does.
            with portal(latchkey, environment, manifest):
                browser = PortalFirefox(profile, environment, ["/bin/false"], workplace.server.port)
                try:
                    it = FirefoxSetting(latchkey, browser)
                    it.open("https://shiny.example.com/login")
                    if is_known:
                        assert it.texts() == ["password for shiny.example.com rmondello"]
                        it.tap()
                        it.accept(it.prompt())
                        it.filled()
                    else:
                        # The host that was started is nobody's.
                        log = latchkey.folder / "latchkeyd.log"
                        eventually(lambda: "peer refused" in log.read_text(), "the refusal")
                        assert it.browser.in_bar("return 1") is None
                finally:
                    browser.close()
    finally:
        latchkey.stop()

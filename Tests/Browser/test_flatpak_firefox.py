# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Debian's Firefox as a Flatpak, in the sandbox that flatpak makes, set up by `latchkey browser install --flatpak`."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from browser import ROOT
from conftest import RMONDELLO
from firefox import PROGRAM, Firefox, FirefoxSetting
from latchkey import Latchkey

sys.path.append(str(Path(__file__).resolve().parents[1] / "Processes"))
from flatpak_kit import Flatpaks, obstacle  # noqa: E402

NAME = "org.mozilla.firefox"
BIN = Path(os.environ.get("LATCHKEY_BIN", ROOT / ".build/debug"))
#: What Firefox opens at run time and is linked to by nothing.
FOLDERS = [Path("/usr/share/fonts"), Path("/usr/share/glib-2.0/schemas"), Path("/usr/share/mime")]


class FlatpakFirefox(Firefox):
    """The browser in its sandbox; its profile is in the folder that the sandbox sees of the home."""

    def words(self, environment: dict) -> list:
        # A session's runtime folder is at the same place in the sandbox; that of a test is not.
        runtime = f"--env=XDG_RUNTIME_DIR={environment['XDG_RUNTIME_DIR']}"
        return ["flatpak", "run", "--system", "--share=network", runtime, "--command=/app/lib/firefox/firefox", NAME]

    def prepare(self, command: list[str], environment: dict) -> Path:
        return Path(environment["XDG_DATA_HOME"]) / "latchkey/flatpak/FirefoxExtension"

@pytest.mark.soak
@pytest.mark.skipif(not PROGRAM.exists(), reason=f"There is no {PROGRAM}.")
def test_firefox_in_a_flatpak_fills(workplace, site, tmp_path):
    if reason := obstacle():
        pytest.skip(reason)
    subprocess.run([ROOT / "scripts/make-firefox-extension", ROOT / ".build/FirefoxExtension"], check=True, stdout=subprocess.DEVNULL)
    flatpaks = Flatpaks()
    try:
        copy = tmp_path / "firefox"
        subprocess.run(["cp", "-a", PROGRAM.parent, copy], check=True)
        (copy / PROGRAM.name).rename(copy / "firefox")
        linked = [*copy.rglob("*.so"), copy / "firefox", BIN / "latchkey-browser-relay"]
        flatpaks.make_runtime([], FOLDERS, linked)
        # As the Flatpak that Mozilla makes: what is kept below its home is in its own folder.
        flatpaks.make_app(NAME, {"lib/firefox": copy}, "/app/lib/firefox/firefox", "persistent=.mozilla;")
        home = tmp_path / "home"
        home.mkdir()
        latchkey = Latchkey(home, [RMONDELLO])
        try:
            latchkey.environment["FLATPAK_SYSTEM_DIR"] = flatpaks.environment["FLATPAK_SYSTEM_DIR"]
            latchkey.run("browser", "install", "--flatpak", "--browser", "firefox", "--yes")
            environment = {name: value for name, value in latchkey.environment.items() if "DBUS" not in name}
            profile = Path(environment["HOME"]) / ".var/app" / NAME / "profile"
            browser = FlatpakFirefox(profile, environment, [], workplace.server.port)
            try:
                it = FirefoxSetting(latchkey, browser)
                it.open("https://shiny.example.com/login")
                assert it.texts() == ["password for shiny.example.com rmondello"]
                it.tap()
                it.accept(it.prompt())
                it.filled()
            finally:
                browser.close()
        finally:
            latchkey.stop()
    finally:
        flatpaks.remove()

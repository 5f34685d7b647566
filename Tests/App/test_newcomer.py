# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""The way of docs/guide.md, from `make install` to the first page that is filled, without a terminal after that command."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

import pytest

from app import App
from installation import BINARIES, PASSPHRASE, ROOT, room_for_sockets
from test_first_steps import choose

FILE = "name,url,username,password,note\nShiny,https://shiny.example.com/login,rmondello,seventeen letters,\n"
#: What is this test's own, and the newcomer's environment has not.
OTHERS = ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "TMPDIR"]

pytestmark = pytest.mark.skipif(not (BINARIES / "latchkey-pass").exists(), reason="the build is not complete")


class Newcomer(App):
    """The app that was installed below a home."""

    home = None

    @property
    def program(self):
        return self.home / ".local" / "lib" / "latchkey" / "latchkey-app"


@pytest.fixture
def newcomer(desktop):
    with tempfile.TemporaryDirectory(prefix="latchkey-", dir=room_for_sockets(), ignore_cleanup_errors=True) as made:
        home = pathlib.Path(made)
        for name in OTHERS:
            desktop.environment.pop(name, None)
        (home / "run").mkdir(mode=0o700)
        desktop.environment.update({"HOME": made, "XDG_RUNTIME_DIR": str(home / "run"), "LATCHKEY_BIN": str(BINARIES)})
        # Chromium was started once.
        (home / ".config" / "chromium").mkdir(parents=True)
        subprocess.run(["scripts/install", "--prefix", home / ".local"], env=desktop.environment, cwd=ROOT, check=True, capture_output=True)
        with Newcomer(desktop) as app:
            app.home = home
            yield app
        subprocess.run([home / ".local" / "bin" / "latchkey", "daemon", "stop"], env=desktop.environment, capture_output=True)


@pytest.mark.long
def test_way_from_the_installation_to_the_first_page_that_is_filled(newcomer):
    app, home = newcomer, newcomer.home
    entry = (home / ".local" / "share" / "applications" / "org.latchkey.Passwords.desktop").read_text()
    assert re.search(r"^Exec=(.*)$", entry, re.M)[1] == str(app.program)
    # 2. A passphrase.
    app.start(wait="New Passphrase")
    app.desktop.type(PASSPHRASE)
    app.type("The Same Passphrase Again", PASSPHRASE)
    app.desktop.key("Return")
    app.wait_for("Your Recovery Code", seconds=30)
    app.press("I Have Written It Down")
    # 3. The passwords that they have already.
    app.wait_for("Latchkey Is Set Up")
    file = home / "passwords.csv"
    file.write_text(FILE)
    app.press("Choose a file to import")
    choose(app, file)
    app.wait_for("Imported")
    app.desktop.key("Escape")
    app.wait_until_gone("Imported")
    # 4. The browser, which the installation has connected already.
    app.press("How to Load the Extension…")
    app.wait_for("Load the Extension")
    extension = next(found[0] for text in app.texts() if (found := re.search(r"/\S*/BrowserExtension\b", text)))
    app.press("Copy the Folder's Place Copy the Folder's Place")
    app.wait_until_gone("Load the Extension")
    assert app.desktop._run("xclip", "-selection", "clipboard", "-o").stdout == extension
    app.press("Done")
    app.wait_for("Shiny, rmondello")
    # 5. The first page.
    done = subprocess.run(
        [sys.executable, ROOT / "Tests" / "Browser" / "newcomer.py", home, extension, PASSPHRASE],
        env={**app.desktop.environment, **{name: os.environ[name] for name in ("LATCHKEY_SHARED",) if name in os.environ}},
        capture_output=True, text=True, timeout=110)
    assert done.returncode == 0 and done.stdout == "filled\n", done.stderr[-3000:]

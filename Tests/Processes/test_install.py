# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Installing below the home, where the programs' folder and the folder of what was saved have the same name."""

import json
import os
import pathlib
import subprocess
import tempfile

import pytest

from installation import BINARIES, PASSPHRASE, ROOT, room_for_sockets, run_program, until
from verdicts import nothing_lost

pytestmark = pytest.mark.skipif(not (BINARIES / "latchkey-pass").exists(), reason="the release build is not complete")


@pytest.fixture
def folder():
    with tempfile.TemporaryDirectory(prefix="latchkey-", dir=room_for_sockets()) as made:
        yield pathlib.Path(made)


@pytest.fixture
def home(folder):
    runtime = folder / "run"
    runtime.mkdir(mode=0o700)
    # No user manager is reachable through this runtime directory, so none of the user's own units is touched.
    environment = {"HOME": str(folder), "PATH": os.environ["PATH"], "XDG_RUNTIME_DIR": str(runtime)}
    environment["LATCHKEY_BIN"] = str(BINARIES)

    def run(*arguments, **options):
        done = run_program([str(argument) for argument in arguments], env=environment, cwd=ROOT, **options)
        assert done.returncode == 0, (arguments, done)
        return done.stdout.decode()

    yield folder, run
    latchkey = folder / ".local" / "bin" / "latchkey"
    if latchkey.exists():
        subprocess.run([str(latchkey), "daemon", "stop"], env=environment, capture_output=True)


def files(folder):
    return {str(file.relative_to(folder)) for file in folder.rglob("*") if not file.is_dir()}


@pytest.mark.main
def test_what_was_saved_survives_uninstall_and_install(home):
    folder, run = home
    install = ["scripts/install", "--prefix", folder / ".local"]
    run(*install)
    run(*install)
    latchkey = folder / ".local" / "bin" / "latchkey"
    (folder / "passphrase").write_text(PASSPHRASE)
    run(latchkey, "init", "--passphrase-file", folder / "passphrase")
    run(latchkey, "add", "shiny.example.com", "rmondello", input=b"correct horse")
    saved = folder / ".local" / "share" / "latchkey"
    assert (saved / "keyring").exists()
    run(*install, "--remove")
    assert not latchkey.exists()
    assert not (saved / "BrowserExtension").exists()
    nothing_lost("what was saved", {"keyring", "registry"} - files(saved))
    assert any(name.startswith("containers/org.latchkey.passwords/") for name in files(saved))
    run(*install, "--remove")
    run(*install)
    run(latchkey, "unlock", "--passphrase-file", folder / "passphrase")
    assert "rmondello" in run(latchkey, "list", "--json")
    run(*install, "--remove")


def test_installing_again_ends_the_daemon_that_runs(home):
    """It would believe no command line but the one that was there before."""
    folder, run = home
    install = ["scripts/install", "--prefix", folder / ".local"]
    run(*install)
    latchkey = folder / ".local" / "bin" / "latchkey"
    (folder / "passphrase").write_text(PASSPHRASE)
    run(latchkey, "init", "--passphrase-file", folder / "passphrase")
    run(latchkey, "add", "shiny.example.com", "rmondello", input=b"correct horse")
    before = json.loads(run(latchkey, "daemon", "status", "--json"))["processIdentifier"]
    assert "Unlock it then." in run(*install)
    until(lambda: not os.path.exists(f"/proc/{before}"))
    run(latchkey, "unlock", "--passphrase-file", folder / "passphrase")
    assert "rmondello" in run(latchkey, "list", "--json")
    assert not [name for name in files(folder / ".local" / "lib") if name.endswith(".new")]


@pytest.mark.main
def test_nothing_else_is_left(home):
    folder, run = home
    install = ["scripts/install", "--prefix", folder / ".local"]
    before = files(folder)
    run(*install)
    assert (folder / ".local/share/latchkey/extensions/org.latchkey.pass.appex/Info.plist").exists()
    run(*install, "--remove")
    assert files(folder) - before == set(), files(folder) - before

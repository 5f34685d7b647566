# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""What an ordinary user meets: where root runs the tests, the kernel shows it things that it shows to nobody else."""

import os
import shutil
import subprocess
import tempfile

import pytest

from installation import BINARIES, PASSPHRASE

NOBODY = 65_534
AS_NOBODY = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]


@pytest.fixture
def command():
    """Runs the command line as an ordinary user with a home of its own, and ends the daemon that it started."""
    prefix = AS_NOBODY if os.geteuid() == 0 else []
    home = tempfile.mkdtemp(prefix="latchkey-", dir="/tmp")
    environment = {"PATH": os.environ["PATH"], "HOME": home, "LANG": "C.UTF-8"}
    for name in ("CONFIG_HOME", "DATA_HOME", "STATE_HOME", "RUNTIME_DIR"):
        environment[f"XDG_{name}"] = f"{home}/{name.lower()}"
        os.mkdir(environment[f"XDG_{name}"], 0o700)
    for folder, names, _ in os.walk(home):
        for path in [folder, *(os.path.join(folder, name) for name in names)]:
            os.chown(path, NOBODY if prefix else os.geteuid(), -1)
    program = BINARIES / "latchkey"
    if subprocess.run([*prefix, program, "--version"], env=environment, capture_output=True).returncode != 0:
        shutil.rmtree(home)
        pytest.skip("an ordinary user cannot reach these programs")

    def run(*arguments, input=""):
        return subprocess.run([*prefix, program, *arguments], env=environment, input=input, capture_output=True, text=True, timeout=90)

    yield run
    run("daemon", "stop")
    shutil.rmtree(home)


def test_S51_the_command_line_takes_the_daemon_that_hides_itself_for_its_own(command):
    """The daemon forbids dumps, so its files below /proc are root's, and who is not root cannot read which program it runs."""
    made = command("init", "--passphrase-file", "-", "--json", input=PASSPHRASE)
    assert made.returncode == 0 and "recoveryCode" in made.stdout, made.stderr
    status = command("status")
    assert status.returncode == 0, status.stderr
    assert command("lock").returncode == 0
    assert command("unlock", "--passphrase-file", "-", input=PASSPHRASE).returncode == 0

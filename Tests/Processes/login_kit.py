# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Shared by the tests of unlocking at login: a computer with one login password, and a Latchkey of root or of an ordinary user behind it."""

import contextlib
import json
import os
import pathlib
import shutil
import signal
import tempfile

import pytest

from installation import BINARIES, PASSPHRASE, run_program, until
from pam_kit import NOBODY, Computer, compiled, needs_root

PASSWORD, NEXT = "tr0mbone-of-the-attic", "second-hand-trombone"


@pytest.fixture(scope="module")
def tools(tmp_path_factory):
    needs_root()
    return compiled(tmp_path_factory.mktemp("pam"))


@pytest.fixture
def computer(tools, running):
    made = Computer(tools, running.folder / "runtime_dir", running.folder / "data_home", "root", PASSWORD)
    yield made
    made.close()


def typed(running, name: str, text: str):
    file = running.folder / name
    file.write_text(text)
    return file


def enable(running, password: str = PASSWORD, **more):
    return running.latchkey(
        "login", "enable", "--passphrase-file", typed(running, "passphrase", PASSPHRASE),
        "--login-password-file", typed(running, "login-password", password), **more)


def status(running) -> dict:
    """What `latchkey status` says, also of an installation of which a part is damaged."""
    return json.loads(running.latchkey("status", "--json", check=False).stdout)


def helpers(computer, or_starting: bool = False) -> list[int]:
    """The processes that logins of this computer have started and that go on, be they latchkey-login yet or not.

    A process has no command line for a moment while a program is started in it. With `or_starting` such a process counts, though it may
    belong to a login of another computer.
    """
    found, own = [], {login.process.pid for login in computer.started}
    programs = [os.path.realpath(program) for program in (computer.arguments["helper"], computer.tools / "sign_in")]
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) not in own:
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
                # Neither a thread of the kernel nor a process that has ended has a program.
                is_starting = or_starting and words == [b""] and os.readlink(entry / "exe") in programs
            except OSError:
                continue
            if is_starting or words[0] == os.fsencode(computer.arguments["helper"]) and os.fsencode(computer.arguments["data"]) in words:
                found.append(int(entry.name))
            elif os.fsencode(computer.folder) in words and words[0] == os.fsencode(computer.tools / "sign_in"):
                found.append(int(entry.name))
    return found


def ended(computer) -> None:
    """Waits until nothing goes on that a login of this computer has started."""
    until(lambda: not helpers(computer, or_starting=True))


def stop_helpers(computer) -> None:
    def are_stopped() -> bool:
        for process in helpers(computer):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        return not helpers(computer, or_starting=True)

    until(are_stopped)


@pytest.fixture
def enabled(running, client, computer):
    enable(running)
    running.latchkey("lock")
    return running


class Ordinary:
    """A Latchkey of an ordinary user, whose programs are not root's."""

    prefix = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="latchkey-", dir="/tmp"))
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "LANG": "C.UTF-8"}
        for name in ("CONFIG_HOME", "DATA_HOME", "STATE_HOME", "RUNTIME_DIR"):
            place = self.folder / name.lower()
            place.mkdir(mode=0o700)
            os.chown(place, NOBODY, NOBODY)
            self.environment[f"XDG_{name}"] = str(place)
        os.chown(self.folder, NOBODY, NOBODY)
        self.runtime, self.data = self.folder / "runtime_dir", self.folder / "data_home"
        self.socket = self.runtime / "latchkey" / "latchkeyd.sock"

    def run(self, *command, input="", check=True):
        done = run_program([*self.prefix, *command], env=self.environment, input=input, text=True)
        if check:
            done.check_returncode()
        return done

    def latchkey(self, *arguments, **more):
        return self.run(BINARIES / "latchkey", *arguments, **more)

    def file(self, name: str, text: str) -> pathlib.Path:
        made = self.folder / name
        made.write_text(text)
        os.chown(made, NOBODY, NOBODY)
        return made

    def close(self):
        self.latchkey("daemon", "stop", check=False)
        shutil.rmtree(self.folder)


@pytest.fixture
def ordinary(tools):
    made = Ordinary()
    if made.latchkey("--version", check=False).returncode != 0:
        shutil.rmtree(made.folder)
        pytest.skip("an ordinary user cannot reach these programs")
    made.latchkey("init", "--passphrase-file", "-", input=PASSPHRASE)
    made.latchkey("login", "enable", "--passphrase-file", made.file("phrase", PASSPHRASE), "--login-password-file", made.file("word", PASSWORD))
    made.latchkey("lock")
    yield made
    made.close()


@pytest.fixture
def theirs(tools, ordinary):
    made = Computer(tools, ordinary.runtime, ordinary.data, "nobody", PASSWORD)
    yield made
    made.close()


def is_locked(ordinary) -> bool:
    return json.loads(ordinary.latchkey("status", "--json").stdout)["locked"]

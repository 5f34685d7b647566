# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Signs in by the system's own PAM: service files of a test, Latchkey's real module, and one that stands in for pam_unix."""

import os
import pathlib
import shutil
import subprocess
import tempfile

import pytest

from installation import BINARIES, ROOT

SOURCES = ROOT / "Tests" / "Processes" / "pam"
NOBODY = 65_534
LINES = {"auth": "auth", "account": "account", "password": "password", "session": "session"}


def compiled(folder: pathlib.Path) -> pathlib.Path:
    """The programs and the modules of the tests."""
    shared = ["-shared", "-fPIC"]
    for name, flags, libraries in (("pam_one_password.so", shared, ["-lpam"]), ("sign_in", [], ["-lpam"]), ("look.so", shared, ["-ldl"])):
        source = SOURCES / (name.removesuffix(".so") + ".c")
        subprocess.run(["cc", "-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", *flags, "-o", folder / name, source, *libraries], check=True)
    return folder


class Login:
    """One sign-in that is going on."""

    def __init__(self, process):
        self.process = process

    def told(self) -> str:
        return self.process.stdout.readline().strip()

    def type(self, line: str) -> None:
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def open(self) -> None:
        """Goes on to the open session."""
        assert self.told() == "authenticated 0"
        self.type("")
        assert self.told() == "open 0"

    def end(self) -> int:
        self.process.stdin.close()
        self.process.stdout.read()
        return self.process.wait(60)


class Computer:
    """A computer with one login password."""

    def __init__(self, tools: pathlib.Path, runtime: pathlib.Path, data: pathlib.Path, user: str, password: str):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="pam-", dir="/tmp"))
        self.tools, self.user = tools, user
        self.passwords = self.folder / "passwords"
        self.passwords.write_text(password)
        self.arguments = {"helper": BINARIES / "latchkey-login", "runtime": runtime, "data": data}
        self.module = BINARIES / "pam_latchkey.so"
        self.started = []

    def configure(self, service: str, more: str = "") -> None:
        """Writes the service file as pam-auth-update does: what checks the password first."""
        check = f"required {self.tools / 'pam_one_password.so'} passwords={self.passwords}"
        ours = f"optional {self.module} {' '.join(f'{name}={value}' for name, value in self.arguments.items())} {more}"
        lines = [f"{kind} {module}" for kind in LINES for module in ([check] if kind == "account" else [check, ours])]
        (self.folder / service).write_text("\n".join(lines) + "\n")

    def begin(self, *typed: str, service: str = "login", work: str = "login", more: str = "", environment=None, prefix=()) -> Login:
        self.configure(service, more)
        process = subprocess.Popen(
            [*prefix, self.tools / "sign_in", self.folder, service, self.user, work], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env={"PATH": os.environ["PATH"], **(environment or {})})
        login = Login(process)
        self.started.append(login)
        for line in typed:
            login.type(line)
        return login

    def log_in(self, *typed: str, **more) -> Login:
        login = self.begin(*typed, **more)
        login.open()
        return login

    def change_password(self, *typed: str, **more) -> None:
        login = self.begin(*typed, service=more.pop("service", "passwd"), work="passwd", **more)
        assert login.told() == "changed 0"
        assert login.end() == 0

    def close(self) -> None:
        for login in self.started:
            if login.process.poll() is None:
                login.process.kill()
            login.process.wait()
        shutil.rmtree(self.folder)


#: The capability to see what other processes run (capabilities(7)), which programs that sign users in have.
SYS_PTRACE = 19


def needs_root() -> None:
    if os.geteuid() != 0:
        pytest.skip("only root signs users in")
    words = dict(line.split(":", 1) for line in pathlib.Path("/proc/self/status").read_text().splitlines())
    if not int(words["CapEff"], 16) >> SYS_PTRACE & 1:
        pytest.skip("root may not see here which program a process runs; `make test-all` has a stage that may")

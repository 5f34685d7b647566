# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""A throw-away Latchkey in folders of its own: the real one, and the stand-in for it."""

import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# A demonstration imports this file without the `conftest.py` of the tests.
sys.path.append(str(ROOT / "Tests" / "Processes"))

from browser import look_until_found  # noqa: E402
from installation import HANG, check_crash  # noqa: E402

PASSPHRASE = "a passphrase for tests only"


@dataclass
class Account:
    service: str
    user: str
    password: str
    strict: bool = False


#: Programs that ask for a passphrase on the user's display: none of them is started, whichever are installed.
PINENTRIES = ["pinentry", "pinentry-curses", "pinentry-gnome3", "pinentry-gtk-2", "pinentry-qt", "pinentry-qt5", "pinentry-qt6", "pinentry-tty", "pinentry-x11"]


def environment_in(folder: Path) -> dict:
    """The environment of a user who has nothing but these folders: no display, no bus, no other Latchkey, no pinentry, and
    neither the language nor the clock of whoever runs the tests."""
    kept = {key: os.environ[key] for key in ("LD_LIBRARY_PATH",) if key in os.environ}
    programs = folder / "bin"
    if not programs.exists():
        programs.mkdir(parents=True)
        for name in PINENTRIES:
            (programs / name).write_text(f'#!/bin/sh\necho "$0" >> \'{folder / "pinentries"}\'\nexit 1\n')
            (programs / name).chmod(0o755)
    folders = {}
    for name, below in {"XDG_RUNTIME_DIR": "run", "XDG_CONFIG_HOME": "config", "XDG_DATA_HOME": "data", "XDG_STATE_HOME": "state",
                        "XDG_CACHE_HOME": "cache", "HOME": "home", "TMPDIR": "tmp"}.items():
        path = folder / below
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        folders[name] = str(path)
    # No bus of this machine tells of its session: locking its screen must not lock what is tested.
    buses = {"DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={folder / 'run' / 'system-bus'}"}
    return {"PATH": f"{programs}:{os.environ['PATH']}", "LANG": "C.UTF-8", "TZ": "UTC", **buses, **kept, **folders}


def pinentries(folder: Path) -> list[str]:
    """The pinentries that were started in an environment, against its will."""
    log = folder / "pinentries"
    return log.read_text().split() if log.exists() else []


def processes_of(folder: Path) -> dict[int, str]:
    """What runs with an environment or arguments that name a folder, by process number."""
    name, found = str(folder).encode(), {}
    for process in Path("/proc").iterdir():
        if not process.name.isdigit() or int(process.name) == os.getpid():
            continue
        try:
            words = (process / "cmdline").read_bytes()
            if words and (name in words or name in (process / "environ").read_bytes()):
                found[int(process.name)] = words.replace(b"\0", b" ").decode(errors="replace")[:120]
        except OSError:  # it has ended, or is somebody else's
            continue
    return found


class Latchkey:
    """The real thing: `latchkeyd` in the foreground, accounts through `latchkey`."""

    is_real = True

    def __init__(self, folder: Path, accounts: list[Account], shared: list[list[str]] = (), home: Path | None = None, more: dict | None = None):
        """With a `home` it begins with a copy of that, instead of `latchkey init`; `more` is in the environment of the daemon alone."""
        self.folder, self.more = folder, more or {}
        if home:
            shutil.copytree(home, folder, dirs_exist_ok=True)
        self.bin = Path(os.environ.get("LATCHKEY_BIN", ROOT / ".build/debug")).resolve()
        self.host = self.bin / "latchkey-browser-host"
        self.command = [str(self.host)]
        self.environment = environment_in(folder)
        self.secret = folder / "passphrase"
        self.secret.write_text(PASSPHRASE + "\n")
        self.log = open(folder / "latchkeyd.log", "ab")
        if shared:
            quirks = folder / "data/latchkey/quirks"
            quirks.mkdir(parents=True)
            groups = [{"shared": list(group)} for group in shared]
            (quirks / "shared-credentials.json").write_text(json.dumps(groups))
        self.daemon = None
        self.start()
        if home:
            self.unlock()
        else:
            self.run("init", "--passphrase-file", self.secret)
        for account in accounts:
            self.add(account)

    def start(self) -> None:
        """Starts the daemon and waits until it accepts connections."""
        self.daemon = subprocess.Popen([self.bin / "latchkeyd"], env={**self.environment, **self.more}, stdin=subprocess.DEVNULL,
                                       stdout=self.log, stderr=self.log, start_new_session=True)
        path = Path(self.environment["XDG_RUNTIME_DIR"]) / "latchkey" / "latchkeyd.sock"

        def log() -> str:
            return (self.folder / "latchkeyd.log").read_text()[-2000:]

        def listens() -> bool:
            if self.daemon.poll() is not None:
                raise RuntimeError(f"latchkeyd has ended: {log()}")
            with socket.socket(socket.AF_UNIX) as probe:
                probe.connect(str(path))
            return True

        look_until_found(listens, "the daemon's socket", OSError, told=lambda: f": {log()}")

    def run(self, *arguments, text: str = "") -> str:
        if arguments[:2] == ("preferences", "set") or "--no-strict" in arguments:
            # What makes anything weaker takes the passphrase.
            arguments = (*arguments, "--passphrase-file", self.secret)
        done = subprocess.run([self.bin / "latchkey", *map(str, arguments)], env=self.environment, input=text.encode(),
                              capture_output=True, timeout=HANG)
        check_crash(f"latchkey {arguments[0]}", done.returncode, done.stderr)
        if done.returncode:
            raise RuntimeError(f"latchkey {arguments[0]}: {done.returncode}: {done.stderr.decode()[-800:]}")
        return done.stdout.decode()

    def add(self, account: Account) -> None:
        strict = ["--strict"] if account.strict else []
        self.run("add", account.service, account.user, *strict, text=account.password + "\n")

    def forget(self) -> None:
        """What was asked of the real one is not counted."""

    def pause(self) -> None:
        """Waits until the daemon and the built-in provider have answered what they were asked before."""
        with contextlib.suppress(RuntimeError):  # as while it is locked
            self.run("list")

    def lock(self) -> None:
        self.run("lock")

    def unlock(self) -> None:
        self.run("unlock", "--passphrase-file", self.secret)

    def stop(self) -> None:
        """Ends the daemon, and whatever still runs in the session that it leads."""
        if self.daemon and self.daemon.poll() is None:
            self.daemon.terminate()
            try:
                self.daemon.wait(30)
            except subprocess.TimeoutExpired:
                self.daemon.kill()
                self.daemon.wait()
        self.log.close()
        self.check_crashes()

    def check_crashes(self) -> None:
        """Checks that neither the daemon, nor the host, nor a provider has crashed; a provider writes into the daemon's log."""
        check_crash("latchkeyd or a provider", self.daemon and self.daemon.returncode, (self.folder / "latchkeyd.log").read_bytes())
        host = Path(self.environment["XDG_STATE_HOME"]) / "host.log"
        check_crash("latchkey-browser-host", None, host.read_bytes() if host.exists() else b"")


class FakeLatchkey:
    """The stand-in, whose accounts and faults are the test's."""

    is_real = False

    def __init__(self, folder: Path, accounts: list[Account]):
        self.folder = folder
        self.state = {"saved": [vars(account) for account in accounts], "passphrase": PASSPHRASE, "autoFill": True, "locked": False}
        self.file = folder / "fake.json"
        #: How many requests count no more.
        self.forgotten = 0
        self.environment = {**environment_in(folder), "LATCHKEY_FAKE": str(self.file)}
        self.host = Path(__file__).with_name("fake_host.py")
        self.command = [sys.executable, "-I", "-S", str(self.host)]
        self.set()

    def set(self, **changes) -> None:
        self.state.update(changes)
        new = self.file.with_suffix(".tmp")
        new.write_text(json.dumps(self.state))
        new.replace(self.file)

    def add(self, account: Account) -> None:
        self.set(saved=[*self.state["saved"], vars(account)])

    def lock(self) -> None:
        self.set(locked=True)

    def unlock(self) -> None:
        self.set(locked=False)

    def pause(self) -> None:
        """It answers at once."""

    def forget(self) -> None:
        """Begins to count requests anew."""
        self.forgotten = len(self._requests())

    def _requests(self) -> list[str]:
        log = Path(str(self.file) + ".log")
        # A line is there once its end is.
        return log.read_text().split("\n")[:-1] if log.exists() else []

    def received(self, method: str) -> list[dict]:
        """The parameters of all requests of a method so far."""
        messages = [json.loads(line) for line in self._requests()[self.forgotten:]]
        return [message.get("params") for message in messages if message.get("method") == method]

    def stop(self) -> None:
        pass

# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""A throw-away Latchkey in folders of its own: the real one, and the stand-in for it."""

import json
import os
import socket
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PASSPHRASE = "a passphrase for tests only"


@dataclass
class Account:
    service: str
    user: str
    password: str
    strict: bool = False


def environment_in(folder: Path) -> dict:
    """The environment of a user who has nothing but these folders: no display, no bus, no other Latchkey."""
    kept = {key: os.environ[key] for key in ("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH") if key in os.environ}
    folders = {}
    for name, below in {"XDG_RUNTIME_DIR": "run", "XDG_CONFIG_HOME": "config", "XDG_DATA_HOME": "data", "XDG_STATE_HOME": "state",
                        "XDG_CACHE_HOME": "cache", "HOME": "home", "TMPDIR": "tmp"}.items():
        path = folder / below
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        folders[name] = str(path)
    return {"LANG": "C.UTF-8", **kept, **folders}


class Latchkey:
    """The real thing: `latchkeyd` in the foreground, accounts through `latchkey`."""

    is_real = True

    def __init__(self, folder: Path, accounts: list[Account], shared: list[list[str]] = ()):
        self.folder = folder
        self.bin = Path(os.environ.get("LATCHKEY_BIN", ROOT / ".build/debug")).resolve()
        self.host = self.bin / "latchkey-browser-host"
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
        self.run("init", "--passphrase-file", self.secret)
        for account in accounts:
            self.add(account)

    def start(self) -> None:
        """Starts the daemon and waits until it accepts connections."""
        self.daemon = subprocess.Popen([self.bin / "latchkeyd"], env=self.environment, stdin=subprocess.DEVNULL,
                                       stdout=self.log, stderr=self.log, start_new_session=True)
        path = Path(self.environment["XDG_RUNTIME_DIR"]) / "latchkey" / "latchkeyd.sock"
        deadline = time.monotonic() + 60
        while True:
            try:
                with socket.socket(socket.AF_UNIX) as probe:
                    probe.connect(str(path))
                return
            except OSError:
                if time.monotonic() > deadline or self.daemon.poll() is not None:
                    raise RuntimeError((self.folder / "latchkeyd.log").read_text()[-2000:]) from None
                time.sleep(0.02)

    def run(self, *arguments, text: str = "") -> str:
        done = subprocess.run([self.bin / "latchkey", *map(str, arguments)], env=self.environment, input=text.encode(),
                              capture_output=True, timeout=120)
        if done.returncode:
            raise RuntimeError(f"latchkey {arguments[0]}: {done.returncode}: {done.stderr.decode()[-800:]}")
        return done.stdout.decode()

    def add(self, account: Account) -> None:
        strict = ["--strict"] if account.strict else []
        self.run("add", account.service, account.user, *strict, text=account.password + "\n")

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


class FakeLatchkey:
    """The stand-in, whose accounts and faults are the test's."""

    is_real = False

    def __init__(self, folder: Path, accounts: list[Account]):
        self.folder = folder
        self.state = {"saved": [vars(account) for account in accounts], "passphrase": PASSPHRASE, "autoFill": True, "locked": False}
        self.file = folder / "fake.json"
        self.environment = {**environment_in(folder), "LATCHKEY_FAKE": str(self.file)}
        self.host = Path(__file__).with_name("fake_host.py")
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

    def received(self, method: str) -> list[dict]:
        """The parameters of all requests of a method so far."""
        log = Path(str(self.file) + ".log")
        # A line is there once its end is.
        lines = log.read_text().split("\n")[:-1] if log.exists() else []
        messages = [json.loads(line) for line in lines]
        return [message.get("params") for message in messages if message.get("method") == method]

    def stop(self) -> None:
        pass

# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Canary secrets are saved, shown, copied, changed and searched for in the app. After the lock they are nowhere.

The app cannot be read while it runs, and ends within a second of the lock. No canary is left in a file, in an argument or environment of
a process, in what the programs wrote, or on the clipboard, and none but the user name was ever on the accessibility bus.
"""

import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import threading
import time

import pytest

from app import App
from desktop import Desktop
from installation import BINARIES, PASSPHRASE, secret, until

SITE = "canaries.example.com"
USER = "canary-Ap9-user"
SECRETS = {
    "password": "canary-Ap9-password",
    "earlier password": "canary-Ap9-earlier",
    "notes": "canary-Ap9-notes",
    "set-up key": "MNQW4YLSPEWUC4BZFVRW6ZDF",
    "mistyped passphrase": "canary-Ap9-mistyped",
    "passphrase": PASSPHRASE,
}
LINK = f"otpauth://totp/Canaries:me?secret={SECRETS['set-up key']}"
#: What is shown for the user name, and what must not be anywhere after the lock.
CANARIES = {**SECRETS, "user name": USER}
#: A process without the right to trace others is refused what the kernel keeps of one that cannot be dumped, even for root.
UNPRIVILEGED = ["setpriv", "--bounding-set=-sys_ptrace", "--inh-caps=-sys_ptrace"] if os.geteuid() == 0 else ["env"]


def processes_module():
    """The module of the same name beside the tests of processes, which has the search and the watch over processes."""
    file = pathlib.Path(__file__).parents[1] / "Processes" / "test_canaries.py"
    specification = importlib.util.spec_from_file_location("canaries_of_processes", file)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


processes = processes_module()


class Unprivileged(App):
    """The app as it is without the right to trace others."""

    @property
    def program(self):
        # Of the same name, so that what it writes is kept under it.
        script = self.desktop.folder / "start" / "latchkey-app"
        if not script.exists():
            script.parent.mkdir()
            script.write_text(f"#!/bin/sh\nexec {' '.join(UNPRIVILEGED)} {BINARIES / 'latchkey-app'}\n")
            script.chmod(0o755)
        return script

    def type_secretly(self, text):
        """Types without an argument that shows in the list of processes."""
        subprocess.run(
            ["xdotool", "type", "--delay", "5", "--file", "-"], env=self.desktop.environment, input=text.encode(), check=True, timeout=60)

    def fill(self, name, text):
        self.reach(name)
        self.type_secretly(text)

    def clipboard(self):
        return self.desktop._run("xclip", "-selection", "clipboard", "-o").stdout


@pytest.fixture
def stage(tmp_path):
    def prepare(installation):
        for name in ("cache_home", "temporary"):
            (installation.folder / name).mkdir()
        more = {"XDG_CACHE_HOME": str(installation.folder / "cache_home"), "TMPDIR": str(installation.folder / "temporary")}
        installation.environment.update(more)
        desktop.environment.update(more)

    desktop = Desktop(tmp_path, prepare)
    with desktop, Unprivileged(desktop) as app:
        desktop.client.prefer(authenticationMinutes=60)
        yield app


def is_readable(process):
    """Whether the kernel lets another process of the same user open the memory of this one."""
    opened = subprocess.run([*UNPRIVILEGED, sys.executable, "-c", f"open('/proc/{process}/mem', 'rb')"], capture_output=True, text=True)
    assert opened.returncode == 0 or "PermissionError" in opened.stderr, opened.stderr
    return opened.returncode == 0


def assert_cannot_be_dumped(process):
    assert not is_readable(process)
    assert os.stat(f"/proc/{process}/mem").st_uid == 0
    assert re.search(r"Max core file size\s+0\s+0", pathlib.Path(f"/proc/{process}/limits").read_text())


def assert_no_canary_on_the_bus(app):
    """Neither what the app describes nor what it has told of since it started says a secret."""
    said = [*app.texts(), *(event[2] for event in app.heard_all())]
    for name, canary in SECRETS.items():
        assert not [text for text in said if canary in text], f"{name} is on the accessibility bus"


def search_files(app):
    """Looks through every file below the test's folders."""
    searched = set()
    for folder in (app.desktop.folder, app.desktop.installation.folder):
        for file in folder.rglob("*"):
            if not file.is_file() or file.is_symlink():
                continue
            searched.add(file.name)
            content = file.read_bytes()
            for name, canary in CANARIES.items():
                assert not processes.holds(content, canary) and canary not in file.name, f"{name} is in {file}"
    assert {"latchkey-app.log", "daemon.log", "keyring"} <= searched and len(searched) > 8, searched


def save(app):
    """Adds the account in the app, then gives it all that it has by a change."""
    app.press("Add Account")
    app.wait_for("Save")
    app.fill("Website", SITE)
    app.fill("User Name", USER)
    app.fill("Password", SECRETS["earlier password"])
    assert_no_canary_on_the_bus(app)
    app.press("Save")
    app.wait_for("Edit Account")
    app.press("Edit Account")
    app.wait_for("Save")
    app.fill("New Password (empty keeps the old one)", SECRETS["password"])
    app.fill("Set-up Link for Codes (otpauth://)", LINK)
    app.fill("New Notes (empty keeps the old ones)", SECRETS["notes"])
    assert_no_canary_on_the_bus(app)
    app.press("Save")
    app.wait_for("Replace the Notes?")
    app.press("Replace Replace")
    app.wait_until_gone("Save")
    app.wait_for("Show Code")


def show(app):
    app.press("Show Earlier Passwords")
    until(lambda: [one for one in app.tree() if one["name"].startswith("Show Used until ")], seconds=12)
    [earlier] = [one["name"] for one in app.tree() if one["name"].startswith("Show Used until ") and one["role"] == "button"]
    for name in ("Show Password", "Show Notes", "Show Code", earlier):
        app.press(name)
        app.wait_for(name.replace("Show", "Hide", 1))


def copy(app):
    """Copies everything that can be copied, the password last."""
    app.press("Copy User Name")
    until(lambda: app.clipboard() == USER)
    app.press("Copy Code")
    until(lambda: re.fullmatch(r"\d{6}", app.clipboard()))
    app.press("Copy Password")
    until(lambda: app.clipboard() == SECRETS["password"])


@pytest.mark.long
def test_after_the_lock_no_canary_is_anywhere(stage):
    app, client = stage, stage.desktop.client
    leaks, ended = [], threading.Event()
    watcher = threading.Thread(
        target=processes.watch, args=(leaks, ended, {name: text for name, text in CANARIES.items() if text != PASSPHRASE}), daemon=True)
    watcher.start()
    client.call("lock")
    app.start(wait="Passphrase")
    assert_cannot_be_dumped(app.process.pid)
    app.listen()
    for passphrase in (SECRETS["mistyped passphrase"], PASSPHRASE):
        app.type_secretly(passphrase)
        assert_no_canary_on_the_bus(app)
        app.desktop.key("Return")
        app.wait_for("Wrong passphrase." if passphrase != PASSPHRASE else "Search accounts")
    save(app)
    copy(app)
    show(app)
    assert_no_canary_on_the_bus(app)
    for section in ("Security", "Activity", "All Accounts"):
        app.section(section)
    app.fill("Search accounts", USER)
    app.wait_for(f"{SITE}, {USER}")
    app.desktop.key("Return")
    app.press("Show Password")
    app.wait_for("Hide Password")
    assert_no_canary_on_the_bus(app)
    assert_cannot_be_dumped(app.process.pid)
    purposes = {line["purpose"] for line in app.desktop.log() if line["event"] == "released"}
    assert {"show", "copy"} <= purposes, f"nothing was shown or copied: {purposes}"

    client.call("lock")
    locked = time.monotonic()
    assert app.process.wait(timeout=20) == 0
    took = time.monotonic() - locked
    print(f"The app ended {took * 1000:.0f} ms after the lock was answered.")
    assert took < 1
    assert not [text for text in app.texts() if USER in text]
    # Its time may not have run out yet.
    until(lambda: not app.clipboard(), seconds=60)
    search_files(app)
    # What a new start shows while Latchkey is locked.
    app.start(wait="Passphrase")
    assert not [text for text in app.texts() for canary in CANARIES.values() if canary in text]
    app.process.kill()
    app.process.wait()
    ended.set()
    watcher.join()
    assert leaks == []
    search_files(app)


def test_the_search_is_alive(stage):
    """A canary that stands somewhere is found there, and a process that can be read is told from one that cannot."""
    app = stage
    app.client.call("items.add", items=[{"services": [SITE], "user": USER, "password": secret(SECRETS["password"])}])
    app.start()
    search_files(app)
    for folder in ("cache_home", "temporary"):
        file = app.desktop.installation.folder / folder / "leak"
        file.write_text(SECRETS["notes"])
        with pytest.raises(AssertionError, match="notes is in"):
            search_files(app)
        file.unlink()
    # What is written on the standard error output.
    app.desktop._run("sh", "-c", f"echo {SECRETS['password']} >> '{app.desktop.folder / 'latchkey-app.log'}'")
    with pytest.raises(AssertionError, match="password is in"):
        search_files(app)
    # An ordinary field's text is on the accessibility bus, and each change of it is told there.
    app.listen()
    assert_no_canary_on_the_bus(app)
    app.fill("Search accounts", SECRETS["notes"])
    with pytest.raises(AssertionError, match="notes is on the accessibility bus"):
        assert_no_canary_on_the_bus(app)
    until(lambda: [event for event in app.heard_all() if event[1] == "TextChanged"])
    scope = pathlib.Path("/proc/sys/kernel/yama/ptrace_scope")
    if scope.exists() and scope.read_text().strip() != "0":
        pytest.skip("here the kernel lets no process read another one, so that nothing is told by a refusal")
    control = subprocess.Popen([*UNPRIVILEGED, "sleep", "60"])
    try:
        until(lambda: pathlib.Path(f"/proc/{control.pid}/comm").read_text() == "sleep\n")
        assert is_readable(control.pid) and not is_readable(app.process.pid)
    finally:
        control.kill()
        control.wait()

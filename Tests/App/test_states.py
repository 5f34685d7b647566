# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""What the app shows while Latchkey is locked, not set up, or not running, and how it ends."""

import contextlib
import os
import pathlib

import pytest

from app import unnamed
from installation import PASSPHRASE, until


def test_locked_latchkey_is_unlocked_in_the_window(app):
    app.desktop.add()
    app.client.call("lock")
    app.start(wait="Latchkey Is Locked")
    assert not unnamed(app.tree())
    # Nothing that is saved is described before.
    assert not [text for text in app.texts() if "example.com" in text]
    app.desktop.type("not this one")
    app.desktop.key("Return")
    app.wait_for("Wrong passphrase.")
    app.desktop.type(PASSPHRASE)
    # As a key that is held down: the page is gone when the first is answered.
    app.desktop.key("Return", "Return", "Return")
    app.wait_for("Search accounts")
    app.wait_for("files.example.com, me@example.com")


def test_damaged_file_is_named_above_the_accounts(app):
    app.desktop.add()
    preferences = app.desktop.installation.config / "preferences.json"
    preferences.write_text("{")
    app.start().wait_for("files.example.com, me@example.com")
    until(lambda: [text for text in app.texts() if f"{preferences} cannot be read." in text and "`latchkey repair`" in text])


def test_app_ends_at_a_lock(app):
    app.desktop.add()
    app.start().open("files")
    app.press("Show Password")
    app.wait_for("Hide Password")
    app.client.call("lock")
    assert app.process.wait(timeout=20) == 0


def test_lock_button_locks_and_ends(app):
    app.start()
    app.press("Lock")
    assert app.process.wait(timeout=30) == 0
    assert app.desktop.installation.client().hello["locked"]


def test_daemon_that_is_killed_leaves_a_window_that_can_start_it(app):
    app.start()
    app.desktop.installation.daemon.kill()
    app.desktop.installation.daemon.wait(timeout=30)
    app.wait_for("Latchkey Is Not Running")
    app.press("Start Latchkey")
    app.wait_for("Latchkey Is Locked")
    # It was started by the app, so the kit does not know it.
    with contextlib.suppress(ConnectionError):
        app.desktop.installation.client().call("stop")


def test_second_start_brings_the_first_window_to_the_front(app):
    app.start()
    second = app.desktop._spawn(app.program)
    assert second.wait(timeout=30) == 0 and app.process.poll() is None
    assert len(app.desktop.windows("^Passwords$")) == 1


def test_lock_while_nothing_is_looked_at_ends_it_too(app):
    app.start()
    until(lambda: app.desktop.windows("^Passwords$"))
    app.desktop.x("windowminimize", app.desktop.windows("^Passwords$")[0])
    app.client.call("lock")
    assert app.process.wait(timeout=30) == 0


@pytest.mark.skipif(os.geteuid() != 0, reason="the app hides its memory from other programs of its user")
def test_no_graphics_driver_gets_what_is_drawn(app):
    app.start()
    app.wait_for("No Accounts Yet")
    maps = pathlib.Path(f"/proc/{app.process.pid}/maps").read_text()
    assert "libgtk-4" in maps
    assert not [line for line in maps.splitlines() if "_dri.so" in line or "libLLVM" in line or "/dev/dri/" in line]

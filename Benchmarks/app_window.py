# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""The app's window with many accounts: how soon it is there and a letter is answered, its frames while scrolling, and its memory."""

import pathlib
import sys
import tempfile
import time

from figures import Aim
from frames import Frames
from installation import until
from stores import BATCH, accounts, secret

TESTS = pathlib.Path(__file__).resolve().parents[1] / "Tests"
sys.path[:0] = [str(TESTS / "Desktop"), str(TESTS / "App")]

from app import App  # noqa: E402
from desktop import Desktop  # noqa: E402

#: What is typed, a letter at a time.
WORD = "user1 site0042"
#: From one turn of the wheel to the next, in milliseconds: as fast as a finger turns it.
TURN = 50


def fill(client, count):
    pending = [{"services": [name], "user": user, "password": secret("correct horse battery")} for name, user in accounts(count)]
    for start in range(0, count, BATCH):
        client.call("items.add", items=pending[start:start + BATCH])


def window(app):
    """Milliseconds from the start of the program to its window, and to the first rows."""
    begun = time.monotonic()
    app.start(wait=None)
    until(lambda: app.desktop.windows("^Passwords$"))
    there = time.monotonic()
    app.wait_for("Search accounts")
    until(lambda: any(one["role"] == "list item" and ", user" in one["name"] for one in app.tree()))
    return (there - begun) * 1000, (time.monotonic() - begun) * 1000


def letters(app):
    """Milliseconds from each letter's press to the rows that it leaves, as the accessibility bus is told of them."""
    app.listen()
    app.desktop.key("ctrl+f", "ctrl+a", "BackSpace")
    took = []
    for letter in WORD:
        app.ask("forget")
        begun = time.monotonic()
        app.desktop.key("space" if letter == " " else letter)
        # A letter after which the same rows are seen is told of by nothing.
        told = app.ask("told", "PropertyChange", 1)
        if told:
            took.append((told - begun) * 1000)
    return took


def frames(desktop, turns):
    """Milliseconds that each frame takes while the wheel is turned down and up over the list."""
    with App(desktop) as app, Frames() as recorded:
        # As `App.start` does, with a socket to inherit. GTK tells a profiler of icons that it has not got from a file, and complains itself
        # that they have none: what it writes is not looked at here.
        environment = {**desktop.environment, "GSK_RENDERER": "cairo", "ADW_DISABLE_PORTAL": "1", **recorded.environment}
        desktop.environment, before = environment, desktop.environment
        process = desktop._spawn(app.program, pass_fds=[recorded.descriptor])
        desktop.environment = before
        app.wait_for("Search accounts")
        until(lambda: any(one["role"] == "list item" and ", user" in one["name"] for one in app.tree()))
        [x, y, width, height] = next(one["extents"] for one in app.places() if (one["role"], one["name"]) == ("list", "Accounts"))
        [window] = desktop.windows("^Passwords$")
        desktop.x("mousemove", "--sync", "--window", window, str(x + width // 2), str(y + height // 2))
        first = len(recorded.moved())
        for button in ("5", "4"):
            desktop._run("xdotool", "click", "--repeat", str(turns // 2), "--delay", str(TURN), button)
        took = recorded.moved()[first:]
        process.kill()
        process.wait()
        if len(took) < turns * 0.8:
            raise RuntimeError(f"{turns} turns of the wheel moved the list {len(took)} times")
        return took


def resident(process):
    """Megabytes that a process has in memory."""
    for line in pathlib.Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1000
    return 0


def measure(table, count, starts, turns):
    table.section(f"The app's window, {count:,} accounts")
    with tempfile.TemporaryDirectory() as folder, Desktop(pathlib.Path(folder)) as desktop:
        desktop.client.prefer(idleMinutes=0)
        fill(desktop.client, count)
        windows, rows = [], []
        for number in range(starts):
            with App(desktop) as app:
                there, full = window(app)
                windows.append(there)
                rows.append(full)
                if number == starts - 1:
                    table.add("resident", [resident(app.process.pid)], unit="MB", aim=Aim(120))
                    table.add("a letter typed, until the rows are told of", letters(app), aim=Aim(50, "median"))
                app.process.kill()
                app.process.wait()
        table.add("a frame while scrolling, drawn by Cairo", frames(desktop, turns), aim=Aim(16.7))
        table.add("start until the window", windows, aim=Aim(500, "median"))
        table.add("start until its rows are on the accessibility bus", rows)

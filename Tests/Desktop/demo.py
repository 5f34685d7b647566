#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""The end of `make demo`: a native program's window is filled by one press on the panel beside its field.

Root's demo app is offered the account of the site that names it. Without root's rights no app counts by itself, so the account is chosen
in the list there. Exit status 0 means that the window says that somebody signed in.
"""

import argparse
import json
import os
import pathlib
import shutil
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "Processes"))

from desktop import TREE, Desktop  # noqa: E402
from installation import BINARIES, PASSPHRASE, until  # noqa: E402
from system_apps import apps_of_the_system  # noqa: E402
from test_associated_apps import App  # noqa: E402
from test_apps import HOST, Site  # noqa: E402
from test_native_forms import choose_in_the_list  # noqa: E402

BEGUN = time.monotonic()


def say(text):
    print(f"{time.monotonic() - BEGUN:7.2f} s  {text}", flush=True)


def show(desktop, out, name):
    """A picture of the middle of the display."""
    path = (out / name).resolve()
    done = desktop._run("/usr/bin/python3", pathlib.Path(__file__).parent / "picture.py", path, 380, 280, 520, 360)
    say(f"   Picture: {out / name}" if done.returncode == 0 else f"   No picture: {done.stderr.strip().splitlines()[-1]}")


def fill(desktop, out, program, is_app):
    desktop.fill_native_programs()
    desktop._spawn(program)
    say(f"1  {program} opens its window and puts the focus into its first field.")
    desktop.wait_for_panel()
    say("2  latchkey-desktop has read the form from the accessibility bus: what each field is for, not what stands in it.")
    say("3  The daemon says which program it is, and what it may be offered. The panel appears under the field.")
    show(desktop, out, "native-panel.png")
    desktop.answer(PASSPHRASE)
    if is_app:
        say(f"4  https://{HOST} names this app, so its account is offered: a press on it.")
        desktop.press_row(0)
    else:
        say("4  Nothing of the user's counts as an app by itself (root's does): the account is chosen in the list.")
        choose_in_the_list(desktop, "Tab")
    until(lambda: [line for line in desktop.log() if line["event"] == "released"], seconds=60)
    say("5  The first time takes the passphrase. The form is looked at again, and filled through the bus.")
    until(lambda: "rmondello" in filled(desktop), seconds=30)
    show(desktop, out, "native-filled.png")
    desktop.key("Return")
    until(lambda: "Signed in as rmondello." in desktop.texts(), seconds=30)
    say("6  “Signed in as rmondello.”, says the window. Nothing was sent off before Return was pressed.")
    line = next(line for line in desktop.log() if line["event"] == "released")
    say(f"7  The audit log says: {line['user']} for {line['service']} to {line['requester']}, by the {line['act']}")


def filled(desktop):
    """What stands in the fields that hide nothing."""
    lines = [json.loads(line) for line in desktop._run("/usr/bin/python3", TREE).stdout.splitlines()]
    return [line["text"] or "" for line in lines]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("demo-out"), help="folder for the pictures")
    out = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    program, is_app = BINARIES / "shiny-window", os.geteuid() == 0
    with tempfile.TemporaryDirectory(prefix="latchkey-demo-") as name, apps_of_the_system(is_alone=is_app):
        folder = pathlib.Path(name)
        site = Site(folder)
        with Desktop(folder, prepare=site.configure) as desktop:
            desktop.add("rmondello", "correct horse battery staple", f"https://{HOST}")
            app = App(desktop, site, program) if is_app else None
            try:
                # What is in Latchkey's own folder is never touched.
                fill(desktop, out, app.program if app else shutil.copy(program, folder), is_app)
            finally:
                if app:
                    app.close()
        site.stop()
    return 0


sys.exit(main())

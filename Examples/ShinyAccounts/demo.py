#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""`make shiny-accounts`: a throw-away Latchkey, Shiny's service and its app; one command makes a weak password strong.

Then the service loses an answer on purpose, and signing in works all the same. Exit status 0 means that all of it was so.
"""

import pathlib
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Tests" / "Processes"))

from installation import Installation  # noqa: E402
from shiny_accounts import HOST  # noqa: E402
from test_shiny_upgrades import WEAK, World  # noqa: E402

BEGUN = time.monotonic()


def say(text):
    print(f"{time.monotonic() - BEGUN:7.2f} s  {text}", flush=True)


def shown(password):
    return f"a password of {len(password)} characters"


def main():
    with tempfile.TemporaryDirectory(prefix="shiny-") as folder, Installation() as installation:
        world = World(installation, pathlib.Path(folder))
        try:
            say(f"Shiny's service answers for https://{HOST} on this machine, and its app is installed in {installation.folder}")
            world.have("rmondello")
            say(f"The account rmondello has {shown(WEAK)}, from long ago.")
            say("$ latchkey upgrade " + HOST)
            done = world.upgrade()
            print(done.stderr.decode(), end="")
            print(done.stdout.decode(), end="")
            new = world.saved()
            works = done.returncode == 0 and world.shiny.takes("rmondello", new) and not world.shiny.takes("rmondello", WEAK)
            say(f"Saved is {shown(new)}; the service takes {'it, and the old one no more' if works else 'SOMETHING ELSE'}.")
            say("Once more, and the service loses its answer after it has changed the password:")
            world.shiny.post("/test/trouble", kind="cut", times=1)
            print(world.upgrade().stderr.decode(), end="")
            offered = world.offered()
            good = [password for password in offered if world.shiny.takes("rmondello", password)]
            say(f"Offered are {len(offered)} passwords, and the service takes {len(good)} of them.")
            return 0 if works and len(good) == 1 else 1
        finally:
            world.close()


if __name__ == "__main__":
    sys.exit(main())

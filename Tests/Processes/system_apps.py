# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Root's folder of entitlements, which every daemon of the machine reads: who may put something there, and when."""

import contextlib
import fcntl
import os
import pathlib
import shutil

ENTITLEMENTS = pathlib.Path("/usr/local/share/latchkey/apps")
PROGRAMS = pathlib.Path("/usr/local/lib")
#: How the names begin of what a test puts there.
MARK = "latchkey-test-"

_is_held = False


@contextlib.contextmanager
def apps_of_the_system(is_alone):
    """What root installed stays as it is meanwhile. Who puts something there `is_alone`, and nobody else looks.

    What a test left there that was killed is taken away first. Who holds the right already goes on with it.
    """
    global _is_held
    if _is_held:
        yield
        return
    with open(f"/tmp/latchkey-tests-of-apps-{os.geteuid()}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX if is_alone else fcntl.LOCK_SH)
        # Whoever put it there has ended, or the lock would not be ours. Others may be taking it away at this moment.
        for file in ENTITLEMENTS.glob(MARK + "*"):
            file.unlink(missing_ok=True)
        for folder in PROGRAMS.glob(MARK + "*"):
            shutil.rmtree(folder, ignore_errors=True)
        _is_held = True
        try:
            yield
        finally:
            _is_held = False

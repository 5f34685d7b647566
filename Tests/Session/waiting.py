# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Waiting, for the stand-ins of this folder."""

import time

import dbus


def until(condition, seconds=30):
    """Waits for a state that comes by itself; returns what came."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            if found := condition():
                return found
        except dbus.DBusException:
            if time.monotonic() > deadline:
                raise
        if time.monotonic() > deadline:
            raise TimeoutError
        time.sleep(0.02)

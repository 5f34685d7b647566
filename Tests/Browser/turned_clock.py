# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""A clock of the daemon's that a test turns, and that says when the daemon's timers have seen it."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "Processes"))

import code_kit  # noqa: E402
from browser import look_until_found  # noqa: E402


class TurnedClock(code_kit.Clock):
    """The same clock; to turn it returns when the timers have seen it."""

    def __init__(self, folder: Path):
        super().__init__(folder)
        self.looks = folder / "looks"
        self.environment["TEST_LOOKS"] = str(self.looks)

    def count(self) -> int:
        return self.looks.stat().st_size if self.looks.exists() else 0

    def turn(self, seconds: float) -> None:
        """Turns the clock, and returns when the daemon's timers have seen it."""
        super().turn(int(seconds))
        # One may have been under way. The second one was set after the turn, and the third one after what the second one began.
        wanted = self.count() + 3
        look_until_found(lambda: self.count() >= wanted, "a timer of the daemon")

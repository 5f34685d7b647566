# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""A clock of the daemon's that a test turns, and that the daemon's timers follow at once."""

import sys
import time
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "Processes"))

import code_kit  # noqa: E402

#: Each timer is looked at every few milliseconds, and one whose time has not come is set again. So a timer that was set before the
#: clock was turned ends when its time has come by the turned clock. Each look is counted.
TIMERS = r"""
#include <string.h>
#include <sys/timerfd.h>

int timerfd_settime(int timer, int flags, const struct itimerspec *wanted, struct itimerspec *old) {
    static int (*real)(int, int, const struct itimerspec *, struct itimerspec *);
    if (!real) real = (int (*)(int, int, const struct itimerspec *, struct itimerspec *))dlsym(RTLD_NEXT, "timerfd_settime");
    if (!(flags & TFD_TIMER_ABSTIME) || (!wanted->it_value.tv_sec && !wanted->it_value.tv_nsec)) return real(timer, flags, wanted, old);
    int looks = open(getenv("TEST_LOOKS"), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (looks >= 0) {
        if (write(looks, ".", 1) < 0) { /* the test will wait in vain and say so */ }
        close(looks);
    }
    struct itimerspec soon;
    memset(&soon, 0, sizeof soon);
    soon.it_value.tv_nsec = 20 * 1000 * 1000;
    return real(timer, 0, &soon, old);
}
"""


class TurnedClock(code_kit.Clock):
    """The same clock, with timers that follow it."""

    def __init__(self, folder: Path):
        usual, code_kit.CLOCK = code_kit.CLOCK, code_kit.CLOCK + TIMERS
        try:
            super().__init__(folder)
        finally:
            code_kit.CLOCK = usual
        self.looks = folder / "looks"
        self.environment["TEST_LOOKS"] = str(self.looks)

    def count(self) -> int:
        return self.looks.stat().st_size if self.looks.exists() else 0

    def turn(self, seconds: float) -> None:
        """Turns the clock, and returns when the daemon's timers have seen it."""
        super().turn(int(seconds))
        # One may have been under way. The second one was set after the turn, and the third one after what the second one began.
        wanted, end = self.count() + 3, time.monotonic() + 60
        while self.count() < wanted:
            assert time.monotonic() < end, "no timer of the daemon runs"
            time.sleep(0.005)

# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""What tests about codes need: fields that ask for one, a phone on a bus of its own, and a clock that can be turned.

The clock is turned from outside of the daemon, by a library that the test compiles and the loader puts before the system's: no
program of this tree has a switch for it that anybody could misuse.
"""

import base64
import hashlib
import hmac
import json
import pathlib
import struct
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
KEY = b"12345678901234567890"
LINK = f"otpauth://totp/Shiny:rm?secret={base64.b32encode(KEY).decode()}"

CLOCK = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

/* Every clock goes ahead by as many seconds as a file says. */
int clock_gettime(clockid_t clock, struct timespec *time) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int result = real(clock, time);
    char text[32] = {0};
    int file = open(getenv("TEST_CLOCK"), O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
        if (read(file, text, sizeof text - 1) > 0) time->tv_sec += atol(text);
        close(file);
    }
    return result;
}

/* The kernel's clock is not turned, so each timer is looked at every few milliseconds, and one whose time has not come is set
   again. A timer that was set before the clock was turned ends when its time has come by the turned clock. Each look is noted
   where a test wants to count them. */
int timerfd_settime(int timer, int flags, const struct itimerspec *wanted, struct itimerspec *old) {
    static int (*real)(int, int, const struct itimerspec *, struct itimerspec *);
    if (!real) real = (int (*)(int, int, const struct itimerspec *, struct itimerspec *))dlsym(RTLD_NEXT, "timerfd_settime");
    if (!(flags & TFD_TIMER_ABSTIME) || (!wanted->it_value.tv_sec && !wanted->it_value.tv_nsec)) return real(timer, flags, wanted, old);
    const char *noted = getenv("TEST_LOOKS");
    int looks = noted ? open(noted, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600) : -1;
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


class Clock:
    """A clock for the programs that get its environment."""

    def __init__(self, folder):
        source, self.library, self.file = folder / "clock.c", folder / "clock.so", folder / "clock"
        source.write_text(CLOCK)
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", self.library, source, "-ldl"], check=True)
        self.file.write_text("0")
        self.environment = {"LD_PRELOAD": str(self.library), "TEST_CLOCK": str(self.file)}

    def turn(self, seconds):
        new = self.file.with_suffix(".new")
        new.write_text(str(seconds))
        new.replace(self.file)


class Phone:
    """A bus with mocks of what brings a phone's messages, for a daemon that gets its environment."""

    #: What is on the bus.
    script = "phone_bus.py"
    #: What the script is started by.
    prefix = ()

    def __init__(self):
        # Not the first Python of the path: Debian's is the one that has Debian's python3-dbusmock.
        self.process = subprocess.Popen(
            [*self.prefix, "/usr/bin/python3", ROOT / "Tests/Session" / self.script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        address = self.tell("start")
        self.environment = {"DBUS_SYSTEM_BUS_ADDRESS": address, "DBUS_SESSION_BUS_ADDRESS": address}

    def tell(self, command, *arguments):
        self.process.stdin.write(json.dumps([command, *arguments]) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        assert answer, f"the phone's bus ended at {command}"
        return json.loads(answer)

    def close(self):
        self.process.stdin.close()
        self.process.wait(30)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Logins(Phone):
    """A bus with a mock of logind, which states the user's logins."""

    script = "private_bus.py"


class Notifications(Phone):
    """A bus with a stand-in for what shows notifications, and its user, who takes a second to read each."""

    script = "private_bus.py"

    def __init__(self, clock):
        """The clock is that of the daemon."""
        super().__init__()
        self.environment = {"DBUS_SESSION_BUS_ADDRESS": self.environment["DBUS_SESSION_BUS_ADDRESS"], **clock.environment}
        self.clock, self.seconds = clock, 0
        self.tell("start_notifications", "actions body body-markup")

    def shown(self, number=1):
        """The text and the buttons of a notification, once it is there: labels and their keys."""
        _, _, _, _, text, actions, _, _ = self.tell("notified", "Notify", number)[number - 1]
        return text, dict(zip(actions[1::2], actions[::2]))

    def press(self, label, number=1):
        _, keys = self.shown(number)
        # The daemon has heard that it is shown; so it is a second from then.
        self.tell("settle")
        self.seconds += 1
        self.clock.turn(self.seconds)
        self.tell("press", number, keys[label])

    def is_gone(self, number=1):
        """Waits until a notification was taken back."""
        return self.tell("notified", "CloseNotification", number)


class Fingers(Phone):
    """A bus with a stand-in for fprintd, and its reader."""

    script = "finger_bus.py"


def totp(moment, key=KEY, period=30, digits=6, digest=hashlib.sha1):
    """RFC 6238, in another language."""
    mac = hmac.new(key, struct.pack(">Q", int(moment) // period), digest).digest()
    place = mac[-1] & 15
    return str((struct.unpack(">I", mac[place:place + 4])[0] & 0x7FFFFFFF) % 10**digits).zfill(digits)


def focus_code(browser, origin, boxes=1, document="C1", chain=None, tab=1, frame=0):
    """A field for a code takes the focus, or the first of a row of boxes; answers what the page is told."""
    chain = chain or [{"origin": origin, "document": document}]
    browser.documents[document] = chain
    field = {"tag": "input", "type": "text", "autocomplete": "one-time-code", "label": "Security code"}
    fields = [{"ref": number, **field, **({"maxlength": 1} if boxes > 1 else {})} for number in range(boxes)]
    return browser.call(
        "page.focused",
        frame={"tab": tab, "frame": frame, "document": document, "chain": chain},
        page={"title": "Code", "path": "/code", "language": "en", "forms": [], "fields": fields}, focused=0)


def offers(browser, origin, **options):
    """What is offered in a field for a code: the whole answer."""
    return browser.call("renderer.suggestions", session=focus_code(browser, origin, **options)["session"])


def tap(browser, row, surface="bar"):
    """The user taps a row; answers what goes into the fields."""
    answer = browser.call("renderer.choose", handle=row["handle"], surface=surface, guard={"held": True})
    return [fill["value"]["secret"] for fill in answer["fills"]]

# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""A shell with job control on a terminal of its own, and the person who types there."""

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import termios

from installation import until

#: What the shell writes when it waits for a command.
READY = "ready-for-a-command> "
#: TIOCPKT_START of ioctl_tty(2).
TERMINAL_STARTED = 8
SHELLS = {"bash": ["bash", "--norc", "--noprofile", "--noediting", "-i"], "dash": ["dash", "-i"]}


class Shell:
    """`bash` or `dash`, as a person uses it in a terminal."""

    def __init__(self, name, environment, cwd=None):
        self.terminal, theirs = pty.openpty()

        def take():
            # As a terminal starts it: tests that run in the background have these ignored.
            for number in (signal.SIGINT, signal.SIGQUIT):
                signal.signal(number, signal.SIG_DFL)
            os.setsid()
            fcntl.ioctl(theirs, termios.TIOCSCTTY, 0)

        self.process = subprocess.Popen(
            SHELLS[name], env={**environment, "TERM": "dumb", "PS1": READY, "ENV": ""}, cwd=cwd,
            stdin=theirs, stdout=theirs, stderr=theirs, preexec_fn=take)
        os.close(theirs)
        #: Everything that the terminal has shown, and how much of it `wait` has passed.
        self.screen, self.seen = "", 0
        self.wait(READY)

    def wait(self, text):
        """Waits until a text stands there that did not before; returns what came up to it."""
        try:
            until(lambda: text in self._shown())
        except AssertionError:
            raise AssertionError(f"no {text!r} in {self.screen[self.seen:]!r}") from None
        start, self.seen = self.seen, self.screen.index(text, self.seen) + len(text)
        return self.screen[start : self.seen]

    def _shown(self):
        """What stands there since the last wait, with what has come meanwhile."""
        while select.select([self.terminal], [], [], 0)[0]:
            self.screen += os.read(self.terminal, 65536).decode(errors="replace")
        return self.screen[self.seen :]

    def type(self, text):
        os.write(self.terminal, text.encode())

    def type_unseen(self, text):
        """Types what is not echoed, and returns when it stands in the line: the terminal reports the keys after it, stop and go on."""
        fcntl.ioctl(self.terminal, termios.TIOCPKT, struct.pack("i", 1))
        self.type(text + "\x13\x11")
        while not os.read(self.terminal, 65536)[0] & TERMINAL_STARTED:
            pass
        fcntl.ioctl(self.terminal, termios.TIOCPKT, struct.pack("i", 0))

    def run(self, command):
        """Types a command and waits for the next prompt; returns what it wrote."""
        self.type(command + "\n")
        return self.wait(READY)

    @property
    def foreground(self):
        """The group of processes that the terminal belongs to at this moment."""
        return os.tcgetpgrp(self.terminal)

    @property
    def echoes(self):
        return bool(termios.tcgetattr(self.terminal)[3] & termios.ECHO)

    def close(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        os.close(self.terminal)

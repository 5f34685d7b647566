# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""S58: where there is no bubblewrap, the reader of mail has neither files nor other processes by its own filter of system calls."""

import ctypes
import json
import os
import platform
import subprocess
import sys

import pytest

from installation import ROOT

pytestmark = pytest.mark.skipif(platform.machine() != "x86_64", reason="the numbers of calls are those of x86-64")

#: Runs in a process of its own: becomes a reader, then does what a mail could have it do.
READER = """
import ctypes, errno, json, os, sys
library, victim, other, memory, queue, semaphore = sys.argv[1:]
c, name = ctypes.CDLL(None, use_errno=True), victim.encode()
c.syscall.restype = ctypes.c_long
def call(*arguments):
    ctypes.set_errno(0)
    answer = c.syscall(*[ctypes.c_long(value) if isinstance(value, int) else value for value in arguments])
    return errno.errorcode[ctypes.get_errno()] if answer == -1 else "done"
room = ctypes.create_string_buffer(4096)
one = (ctypes.c_ulong * 4)(1)
assert ctypes.CDLL(library).latchkey_confine_reader() == 0
other, memory, queue, semaphore = map(int, (other, memory, queue, semaphore))
print(json.dumps({
    # Files
    "chmod": call(90, name, 0o777), "fchmodat": call(268, -100, name, 0o777, 0), "fchmodat2": call(452, -100, name, 0o777, 0),
    "chown": call(92, name, -1, -1), "lchown": call(94, name, -1, -1), "fchownat": call(260, -100, name, -1, -1, 0),
    "utime": call(132, name, 0), "utimes": call(235, name, 0), "futimesat": call(261, -100, name, 0),
    "utimensat": call(280, -100, name, 0, 0), "setxattr": call(188, name, b"user.x", b"x", 1, 0),
    "lsetxattr": call(189, name, b"user.x", b"x", 1, 0), "getxattr": call(191, name, b"user.kept", room, 100),
    "removexattr": call(197, name, b"user.kept"), "stat": call(4, name, room), "statx": call(332, -100, name, 0, 0xFFF, room),
    "access": call(21, name, 0), "chdir": call(80, b"/"), "statfs": call(137, b"/", room),
    # What other programs share
    "shmat": call(30, memory, 0, 0o10000), "msgsnd": call(69, queue, one, 4, 0o4000), "semop": call(65, semaphore, one, 1),
    "mq_open": call(240, b"latchkey-test", 0o102, 0o600, 0),
    # Other processes
    "kill": call(62, other, 0), "setpriority": call(141, 0, other, 15), "sched_setaffinity": call(203, other, 8, one),
    "sched_setscheduler": call(144, other, 3, (ctypes.c_int * 1)(0)), "ioprio_set": call(251, 1, other, 3 << 13),
    "kcmp": call(312, os.getpid(), other, 0, 0, 0), "pidfd_open": call(434, other, 0),
    # The kernel
    "fanotify_init": call(300, 0, 0), "fsopen": call(430, b"tmpfs", 0), "open_tree": call(428, -100, b"/", 1),
    "chroot": call(161, b"/"), "acct": call(163, 0),
}))
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """The reader's own step, as a library that a test can load."""
    made = tmp_path_factory.mktemp("confine") / "confine.so"
    folder = ROOT / "Sources" / "CLinux"
    subprocess.run(["cc", "-shared", "-fPIC", "-I", folder / "include", "-o", made, folder / "Confine.c"], check=True)
    return made


def test_S58_a_reader_alone_has_no_files_and_no_neighbours(library, tmp_path):
    victim = tmp_path / "victim"
    victim.write_text("precious")
    victim.chmod(0o600)
    c = ctypes.CDLL(None)
    shared = memory, queue, semaphore = c.shmget(0, 4096, 0o1600), c.msgget(0, 0o1600), c.semget(0, 1, 0o1600)
    other = subprocess.Popen(["sleep", "60"])
    try:
        done = subprocess.run(
            [sys.executable, "-c", READER, library, victim, str(other.pid), *map(str, shared)], capture_output=True, text=True)
        said = json.loads(done.stdout)
    finally:
        other.kill()
        other.wait()
        c.shmctl(memory, 0, 0), c.msgctl(queue, 0, 0), c.semctl(semaphore, 0, 0)
    assert oct(victim.stat().st_mode & 0o777) == "0o600"
    assert [name for name, answer in said.items() if answer == "done"] == []

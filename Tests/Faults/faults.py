# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""An installation whose writes can be made to fail, in the daemon and in the built-in provider.

`faults.c` is preloaded into both. The provider runs in bubblewrap with an environment of its own, so the daemon of such an installation
finds a `bwrap` of the test first, which shows the library to the provider. What is to fail stands in a file that the test and both programs
have mapped.
"""

import contextlib
import json
import mmap
import os
import pathlib
import shutil
import subprocess
import struct

from installation import BINARIES, Client, Installation

HERE = pathlib.Path(__file__).parent
PROGRAMS = ("daemon", "provider")
NOTED, NOTE = 4096, 160
#: is_armed, program, first, goes_on, error, struck, counts.
HEAD = struct.Struct("=8I")
SIZE = HEAD.size + len(PROGRAMS) * NOTED * NOTE
#: The folders whose files count; what is written elsewhere is none of Latchkey's data.
ROOTS = ("config_home", "data_home", "state_home", "backup_home")
WRAPPER = """#!/bin/sh
for last do :; done
case $last in
*/latchkey-passwords)
    exec {bwrap} --bind '{plan}' /faults-plan --ro-bind '{library}' /faults.so --setenv LD_PRELOAD /faults.so \\
        --setenv FAULTS_PLAN /faults-plan --setenv FAULTS_PROGRAM 1 --setenv FAULTS_ROOTS '{roots}' "$@" ;;
esac
exec {bwrap} "$@"
"""


def compiled(folder):
    """The library, made with the system's compiler."""
    library = folder / "faults.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", library, HERE / "faults.c", "-ldl"], check=True)
    return library


class Plan:
    """What is to fail, and what was called."""

    def __init__(self, file):
        file.write_bytes(bytes(SIZE))
        with open(file, "r+b") as opened:
            self.memory = mmap.mmap(opened.fileno(), SIZE)

    def arm(self, program="daemon", first=0, goes_on=False, error=0):
        """Counts from now on; the call number `first` of the program fails, or that one and all later ones."""
        HEAD.pack_into(self.memory, 0, 0, PROGRAMS.index(program), first, goes_on, error, 0, 0, 0)
        struct.pack_into("=I", self.memory, 0, 1)

    def disarm(self):
        """There is space again."""
        struct.pack_into("=I", self.memory, 0, 0)

    @property
    def struck(self):
        return HEAD.unpack_from(self.memory, 0)[5]

    def calls(self, folder):
        """What was called: (program, number, words), with the paths below the folder."""
        found = []
        for place, (program, count) in enumerate(zip(PROGRAMS, HEAD.unpack_from(self.memory, 0)[6:])):
            for number in range(min(count, NOTED)):
                start = HEAD.size + (place * NOTED + number) * NOTE
                words = self.memory[start : start + NOTE].split(b"\0")[0].decode(errors="replace")
                found.append((program, number + 1, words.replace(f"{folder}/", "")))
        return found

    def close(self):
        self.memory.close()


class FaultyInstallation(Installation):
    """Begins with a copy of the folders of another one, or with nothing."""

    def __init__(self, library, copied=None):
        super().__init__(fresh=True)
        if copied:
            for name in ROOTS:
                shutil.rmtree(self.folder / name, ignore_errors=True)
            present = [copied / name for name in ROOTS if (copied / name).exists()]
            # A program may remove a file of its own meanwhile.
            done = subprocess.run(["cp", "-a", *present, self.folder], stderr=subprocess.PIPE, text=True)
            others = [line for line in done.stderr.splitlines() if "No such file or directory" not in line]
            assert not others, others
        for name in ROOTS:
            (self.folder / name).mkdir(mode=0o700, exist_ok=True)
        programs = self.folder / "bin"
        programs.mkdir()
        roots = ":".join(str(self.folder / name) for name in ROOTS)
        plan = self.folder / "plan"
        self.plan = Plan(plan)
        wrapper = programs / "bwrap"
        wrapper.write_text(WRAPPER.format(bwrap=shutil.which("bwrap"), plan=plan, library=library, roots=roots))
        wrapper.chmod(0o755)
        self.daemon_environment = {
            "PATH": f"{programs}:{os.environ['PATH']}", "LD_PRELOAD": str(library), "FAULTS_PLAN": str(plan), "FAULTS_PROGRAM": "0",
            "FAULTS_ROOTS": roots}
        self.typed = 0

    def file(self, text):
        """A file of what nobody types here."""
        self.typed += 1
        file = self.folder / f"typed-{self.typed}"
        file.write_text(text)
        return file

    def remove(self):
        try:
            super().remove()
        finally:
            self.plan.close()

# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""A real Flatpak of a stand-in for a browser, installed for all users in a folder of root's own.

The runtime is made of this machine's programs, as none can be fetched; the sandbox around it is the one that flatpak makes.
"""

import os
import platform
import re
import shutil
import subprocess
import uuid
from pathlib import Path

#: Only root can put something there, so that the daemon believes what is installed in it.
PLACE = Path("/usr/local/lib")
RUNTIME = "org.latchkey.TestPlatform"
BRANCH = "stable"
APP = """[Application]
name={name}
runtime={runtime}/{arch}/stable
sdk={runtime}/{arch}/stable
command={command}

[Context]
{context}
"""


def obstacle() -> str | None:
    """Why no Flatpak can be made here; `None` if one can."""
    if os.geteuid() != 0:
        return "only root can install a Flatpak for all users"
    if not all(shutil.which(program) for program in ("flatpak", "ostree", "bwrap")):
        return "flatpak is not installed"
    return None


def libraries_of(programs: list[Path]) -> set[Path]:
    """The shared libraries that programs are linked to, with the loader."""
    found = set()
    for program in programs:
        said = subprocess.run(["ldd", program], capture_output=True, text=True).stdout
        found |= {Path(path) for path in re.findall(r"(?:=>|^)\s+(/\S+) \(0x", said, re.MULTILINE)}
    return found


class Flatpaks:
    """An installation of Flatpaks in a folder of its own."""

    def __init__(self):
        self.folder = PLACE / f"latchkey-flatpaks-{uuid.uuid4().hex[:12]}"
        self.folder.mkdir(mode=0o755)
        self.arch = platform.machine()
        self.environment = {**os.environ, "FLATPAK_SYSTEM_DIR": str(self.folder / "flatpak")}
        self.repo = self.folder / "repo"
        self._run(["ostree", "init", "--mode=bare-user-only", f"--repo={self.repo}"])
        self.is_begun = False

    def remove(self) -> None:
        shutil.rmtree(self.folder)

    def _run(self, command: list) -> None:
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        assert done.returncode == 0, f"{command}: {done.stderr[-2000:]}"

    def make_runtime(self, programs: list[Path], folders: list[Path] = (), linked: list[Path] = ()) -> None:
        """Exports a runtime with some programs of this machine, with folders below /usr, and with what these are linked to, or others."""
        built = self.folder / "runtime"
        files = built / "files"
        (files / "bin").mkdir(parents=True)
        for program in [*programs, Path("/usr/bin/env"), Path("/usr/bin/dash"), Path("/usr/bin/true")]:
            shutil.copy(os.path.realpath(program), files / "bin" / program.name)
        (files / "bin/sh").symlink_to("dash")
        real = next(path for path in (Path("/usr/sbin/ldconfig.real"), Path("/usr/sbin/ldconfig")) if path.exists())
        shutil.copy(real, files / "bin/ldconfig")
        for folder in folders:
            shutil.copytree(folder, files / folder.relative_to("/usr"), symlinks=True, dirs_exist_ok=True)
        objects = [path for path in files.rglob("*") if path.is_file() and not path.is_symlink() and path.open("rb").read(4) == b"\x7fELF"]
        for library in libraries_of([*objects, *linked]):
            target = files / str(library).removeprefix("/usr").lstrip("/")
            target.parent.mkdir(parents=True, exist_ok=True)
            if not target.exists():
                shutil.copy(os.path.realpath(library), target)
        (files / "etc").mkdir()
        name = f"{RUNTIME}/{self.arch}/{BRANCH}"
        (built / "metadata").write_text(f"[Runtime]\nname={RUNTIME}\nruntime={name}\nsdk={name}\n")
        self._run(["flatpak", "build-export", "--runtime", "--files=files", self.repo, built, BRANCH])
        shutil.rmtree(built)
        self._install(RUNTIME)

    def make_app(self, name: str, files: dict[str, Path], command: str, context: str = "") -> None:
        """Exports and installs an app of files or folders of this machine, by their places below /app."""
        built = self.folder / name
        for place, source in files.items():
            target = built / "files" / place
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, target, symlinks=True)
            else:
                shutil.copy(os.path.realpath(source), target)
        (built / "export").mkdir()
        (built / "metadata").write_text(APP.format(name=name, runtime=RUNTIME, arch=self.arch, command=command, context=context))
        self._run(["flatpak", "build-export", "--disable-sandbox", self.repo, built, BRANCH])
        shutil.rmtree(built)
        self._install(name)

    def _install(self, name: str) -> None:
        if not self.is_begun:
            self._run(["flatpak", "remote-add", "--system", "--no-gpg-verify", "test", self.repo])
            self.is_begun = True
        self._run(["flatpak", "install", "--system", "--noninteractive", "--no-related", "test", f"{name}/{self.arch}/{BRANCH}"])

    def run_words(self, name: str, command: str | None = None) -> list[str]:
        """The words of a command that runs an app."""
        return ["flatpak", "run", "--system", *([f"--command={command}"] if command else []), name]

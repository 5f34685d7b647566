# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""A throw-away Debian: a root folder by debootstrap, in mounts and processes of its own, with one user. Needs root.

The base of a release is made once, below .cache/roots, with the browsers in it; each system is a layer over it. Its archive is the one
that this machine's apt is configured with.
"""

import os
import re
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROOTS = ROOT / ".cache/roots"
USER, NUMBER = "anna", "1000"
#: What a user has before Latchkey comes.
BROWSERS = ["chromium", "firefox-esr", "procps"]
#: A system that is booted.
SYSTEMD = ["dbus-user-session", "libpam-systemd", "procps", "systemd-sysv"]

#: Becomes the first process of the system: with its root as the root of its mounts, so that programs there may make namespaces.
INSIDE = """set -e
cd "$1"
mount -t proc proc proc
mount --rbind /dev dev
mount --rbind /sys sys
mount -t tmpfs tmpfs run
mkdir -p run/lock run/outside run/user/{number} old
chown {number}:{number} run/user/{number}
chmod 700 run/user/{number}
mount --bind "$2" run/outside
pivot_root . old
umount -l old
rmdir old
[ "$3" = systemd ] || exec /usr/bin/sleep infinity
# A container, as systemd sees it: control groups of its own. The settings of this machine's kernel are none of its business; hiding
# them would keep sandboxes from having a /proc of theirs.
ln -sf /dev/null etc/systemd/system/systemd-sysctl.service
mount -t tmpfs tmpfs sys/fs/cgroup
mkdir sys/fs/cgroup/systemd
mount -t cgroup -o none,name=systemd cgroup sys/fs/cgroup/systemd || mount -t cgroup2 cgroup2 sys/fs/cgroup
export container=lxc
exec /lib/systemd/systemd --log-level=warning
""".format(number=NUMBER)
#: Goes into control groups of its own first, so that the namespace begins there.
OUTSIDE = """set -e
for group in $1; do echo $$ > "$group/cgroup.procs" || true; done
shift
exec "$@"
"""


def sources(suite: str) -> tuple[str, str]:
    """The archive's address as this machine's apt has it, and the lines for a system of a release."""
    targets = subprocess.run(["apt-get", "indextargets", "--format", "$(SITE) $(RELEASE)", "Created-By: Packages"],
                             check=True, capture_output=True, text=True).stdout.split("\n")
    own = subprocess.run(["sh", "-c", ". /etc/os-release; echo $VERSION_CODENAME"], check=True, capture_output=True, text=True).stdout.strip()
    found = {}
    for line in targets:
        site, _, release = line.partition(" ")
        if release == own or release.startswith(own + "-"):
            found[release.replace(own, suite)] = site
    assert suite in found, f"apt on this machine has no archive of {own}"
    return found[suite], "".join(f"deb {site} {release} main\n" for release, site in sorted(found.items()))


def base(suite: str, packages: list[str]) -> Path:
    """The folder of a release with some packages; made where it is not there yet."""
    folder = ROOTS / "-".join([suite, *sorted(packages)])
    if folder.exists():
        return folder
    new = folder.with_name(folder.name + ".new")
    shutil.rmtree(new, ignore_errors=True)
    ROOTS.mkdir(parents=True, exist_ok=True)
    site, lines = sources(suite)
    subprocess.run(["debootstrap", "--variant=minbase", suite, new, site], check=True, stdout=subprocess.DEVNULL)
    (new / "etc/apt/sources.list").write_text(lines)
    shutil.copy("/etc/resolv.conf", new / "etc/resolv.conf")
    with System(None, new) as system:
        system.root("apt-get", "-qq", "update")
        system.apt("install", "--no-install-recommends", *packages)
        system.root("useradd", "--create-home", "--uid", NUMBER, USER)
        system.root("apt-get", "clean")
    new.rename(folder)
    return folder


class System:
    """One system, which ends with everything that runs in it. With a base it is a layer over that; without one, the folder itself.

    Its first process only waits, or is systemd, where the base has that.
    """

    def __init__(self, lower: Path | None, folder: Path | None = None, systemd: bool = False):
        self.work = Path(tempfile.mkdtemp(prefix="latchkey-system-"))
        self.outside = self.work / "outside"
        self.outside.mkdir()
        if lower:
            for name in ("upper", "work", "root"):
                (self.work / name).mkdir()
            folder = self.work / "root"
            layers = f"lowerdir={lower},upperdir={self.work}/upper,workdir={self.work}/work"
            first = f"mount -t overlay overlay -o {layers} {folder}\n"
        else:
            first = f"mount --bind {folder} {folder}\n"
        self.waits_as = "systemd" if systemd else "sleep"
        command = ["unshare", "--mount", "--pid", "--uts", "--fork", "--kill-child", "--propagation", "private"]
        self.groups = []
        if systemd:
            top = Path("/sys/fs/cgroup")
            # One hierarchy, or the older ones beside each other; a new group of cpuset takes no process.
            hierarchies = [top] if (top / "cgroup.procs").exists() else [one.parent for one in top.glob("*/cgroup.procs") if one.parent.name != "cpuset"]
            self.groups = [one / self.work.name for one in hierarchies]
            for group in self.groups:
                group.mkdir()
            command = ["sh", "-c", OUTSIDE, "sh", " ".join(map(str, self.groups)), *command, "--cgroup"]
        self.keeper = subprocess.Popen(
            [*command, "sh", "-c", first + INSIDE, "sh", folder, self.outside, self.waits_as], stdin=subprocess.DEVNULL)
        deadline = time.monotonic() + 30
        while not self._is_ready():
            assert self.keeper.poll() is None and time.monotonic() < deadline, "the system does not start"
            time.sleep(0.02)

    def _is_ready(self) -> bool:
        children = Path(f"/proc/{self.keeper.pid}/task/{self.keeper.pid}/children").read_text().split()
        self.first = children[0] if children else None
        try:
            return bool(self.first) and os.path.basename(os.readlink(f"/proc/{self.first}/exe")) == self.waits_as
        except OSError:
            return False

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def end(self) -> None:
        # Its only child is the first process of the system; with that end all others.
        self.keeper.kill()
        self.keeper.wait()
        deadline = time.monotonic() + 30
        while True:
            shutil.rmtree(self.work, ignore_errors=True)
            if not self.work.exists() or time.monotonic() > deadline:
                break
            time.sleep(0.1)
        while (left := [group for group in self.groups if group.exists()]) and time.monotonic() < deadline:
            # Control groups are folders that only rmdir removes, the innermost first, once their last process is gone.
            subprocess.run(["find", *left, "-depth", "-type", "d", "-exec", "rmdir", "{}", ";"], check=False, stderr=subprocess.DEVNULL)
            time.sleep(0.1)

    # ---- Looking in

    def path(self, inside: str) -> Path:
        """A path inside, as this process sees it."""
        return Path(f"/proc/{self.first}/root") / inside.lstrip("/")

    def files(self, folder: str) -> set[str]:
        """All that is below a folder inside."""
        here = self.path(folder)
        return {str(one.relative_to(here)) for one in here.rglob("*")} if here.exists() else set()

    # ---- Doing

    def entry(self, user: str | None) -> list[str]:
        """The beginning of a command that runs inside."""
        words = ["nsenter", "--target", str(self.first), "--mount", "--pid", "--"]
        if user:
            words += ["setpriv", "--reuid", NUMBER, "--regid", NUMBER, "--init-groups", "--"]
        home = f"/home/{user}" if user else "/root"
        return [*words, "env", "-i", f"HOME={home}", f"USER={user or 'root'}", "LANG=C.UTF-8", "TZ=UTC",
                "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                *([f"XDG_RUNTIME_DIR=/run/user/{NUMBER}"] if user else ["DEBIAN_FRONTEND=noninteractive"])]

    def run(self, user, *command, text: str = "", check: bool = True) -> subprocess.CompletedProcess:
        done = subprocess.run([*self.entry(user), *map(str, command)], input=text, capture_output=True, text=True, timeout=900)
        if check and done.returncode:
            raise AssertionError(f"{' '.join(map(str, command))}: {done.returncode}\n{done.stdout[-2000:]}\n{done.stderr[-3000:]}")
        return done

    def root(self, *command, **options) -> str:
        done = self.run(None, *command, **options)
        return done.stdout + done.stderr

    def user(self, *command, **options) -> str:
        return self.run(USER, *command, **options).stdout

    def apt(self, *words, **options) -> str:
        return self.root("apt-get", "-y", "-o", "Dpkg::Use-Pty=0", *words, **options)

    def bring(self, package: Path) -> str:
        """Copies a file in; returns its path there."""
        shutil.copy(package, self.outside / package.name)
        return f"/run/outside/{package.name}"

    def processes(self, program: str) -> list[str]:
        """The numbers of the processes that run a program, whichever file it is by now."""
        found = self.root("sh", "-c", "for one in /proc/[0-9]*; do echo ${one#/proc/} $(readlink $one/exe); done", check=False)
        return [line.split(" ")[0] for line in found.split("\n") if re.search(rf" {re.escape(program)}( \(deleted\))?$", line)]


def newer(package: Path, folder: Path) -> Path:
    """The same package with a higher version."""
    tree = folder / "tree"
    subprocess.run(["dpkg-deb", "-R", package, tree], check=True)
    control = tree / "DEBIAN/control"
    old = re.search(r"^Version: (.*)$", control.read_text(), re.M)[1]
    control.write_text(control.read_text().replace(old, old + "+test"))
    made = folder / package.name.replace(old, old + "+test")
    subprocess.run(["dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "-b", tree, made], check=True, stdout=subprocess.DEVNULL)
    shutil.rmtree(tree)
    return made

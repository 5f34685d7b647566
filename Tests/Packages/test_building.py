# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""What the packages are made of, and that making them again makes the same."""

import hashlib
import os
import re
import subprocess

import pytest
from throwaway import ROOT, System, base

#: The most that all packages together may have, in bytes.
LIMIT = 40 << 20


def contents(package) -> dict[str, str]:
    """The paths of a package, with type and mode, owner, and time."""
    listing = subprocess.run(["dpkg-deb", "-c", package], check=True, capture_output=True, text=True, env={**os.environ, "TZ": "UTC"}).stdout
    found = {}
    for line in listing.splitlines():
        mode, owner, _, day, moment, path = line.split(maxsplit=5)
        found[path.split(" -> ")[0]] = f"{mode} {owner} {day} {moment}"
    return found


def test_everything_is_roots_and_of_one_time(packages):
    for package in packages:
        found = contents(package)
        assert {one.split()[1] for one in found.values()} == {"root/root"}
        assert len({one.split(maxsplit=2)[2] for one in found.values()}) == 1
        assert {one.split()[0] for one in found.values()} <= {"drwxr-xr-x", "-rw-r--r--", "-rwxr-xr-x", "lrwxrwxrwx"}
        assert not [path for path in found if re.match(r"\./(home|root|usr/local)/", path)]


def test_the_app_brings_what_the_menu_and_the_shell_look_for(packages, tmp_path):
    [app] = [package for package in packages if package.name.startswith("latchkey-app_")]
    subprocess.run(["dpkg-deb", "-x", app, tmp_path], check=True)
    share = tmp_path / "usr/share"

    def read(path):
        return dict(line.split("=", 1) for line in (share / path).read_text().splitlines() if "=" in line)

    shell = read("gnome-shell/search-providers/org.latchkey.Passwords.search-provider.ini")
    service = read(f"dbus-1/services/{shell['BusName']}.service")
    assert service["Name"] == shell["BusName"]
    program, argument = service["Exec"].split()
    assert (tmp_path / program.lstrip("/")).is_file() and argument == "--search-provider"
    assert (share / "applications" / shell["DesktopId"]).is_file()
    assert shell["DefaultDisabled"] == "true"


def test_they_are_small_enough(packages):
    sizes = {package.name.split("_")[0]: package.stat().st_size for package in packages}
    print("\n  " + ", ".join(f"{name}: {size / 1e6:.1f} MB" for name, size in sizes.items()))
    assert sum(sizes.values()) <= LIMIT


def test_the_same_programs_make_the_same_bytes(tmp_path):
    digests = []
    for number, (mask, zone) in enumerate([("022", "UTC"), ("077", "Asia/Tokyo")]):
        folder = tmp_path / str(number)
        command = f"umask {mask}; TZ={zone} LC_ALL=C.UTF-8 scripts/make-packages {folder}"
        subprocess.run(["bash", "-c", command], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        digests.append({file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in folder.glob("*.deb")})
    assert len(digests[0]) == 5 and digests[0] == digests[1]


def test_another_release_of_debian_refuses_them(packages):
    """They are for the release whose ICU the programs are linked with: apt says so, and installs nothing."""
    try:
        folder = base("trixie", ["ca-certificates"])
    except subprocess.CalledProcessError:
        pytest.skip("the archive has no Debian 13")
    with System(folder) as system:
        done = system.run(None, "apt-get", "-y", "install", *[system.bring(package) for package in packages], check=False)
        assert done.returncode and "libicu72" in done.stdout + done.stderr
        assert not system.path("/usr/lib/latchkey").exists()

# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""The packages on a system with systemd, where a user is logged in: the units, and what maintainer scripts do to user managers."""

import json
import subprocess
import time

import pytest
from throwaway import NUMBER, SYSTEMD, System, base, newer

PASSPHRASE = "correct horse battery staple"
DAEMON = "/usr/lib/latchkey/latchkeyd"


def until(look, what: str, seconds: float = 60):
    deadline = time.monotonic() + seconds
    while not (found := look()):
        assert time.monotonic() < deadline, f"waited in vain for {what}"
        time.sleep(0.1)
    return found


@pytest.fixture(scope="module")
def booted():
    with System(base("bookworm", SYSTEMD), systemd=True) as system:
        state = until(lambda: system.run(None, "systemctl", "is-system-running", check=False).stdout.strip() in ("running", "degraded"), "systemd")
        assert state
        system.root("loginctl", "enable-linger", "anna")
        until(lambda: system.path(f"/run/user/{NUMBER}/systemd/private").exists(), "the user's manager")
        yield system


def manager(system, *words, check: bool = True) -> str:
    """What the user's manager says."""
    return system.run("anna", "systemctl", "--user", *words, check=check).stdout.strip()


def test_the_socket_listens_for_who_is_logged_in(booted, packages):
    booted.apt("install", "--no-install-recommends", *[booted.bring(package) for package in packages])
    assert manager(booted, "is-enabled", "latchkeyd.socket") == "enabled"
    assert manager(booted, "is-active", "latchkeyd.socket") == "active"
    assert manager(booted, "is-active", "latchkeyd.service", check=False) == "inactive"
    for unit in ("latchkey-quirks.timer", "latchkey-desktop.service"):
        assert manager(booted, "is-enabled", unit, check=False) == "disabled"
    assert booted.processes(DAEMON) == []


def test_the_service_runs_and_its_sandboxes_work(booted):
    booted.user("sh", "-c", "umask 077; cat > ~/passphrase", text=PASSPHRASE)
    booted.user("latchkey", "init", "--passphrase-file", "/home/anna/passphrase")
    booted.user("latchkey", "add", "shiny.example.com", "rmondello", text="a password\n")
    assert manager(booted, "is-active", "latchkeyd.service") == "active"
    assert booted.processes(DAEMON) == [manager(booted, "show", "--value", "-p", "MainPID", "latchkeyd.service")]
    [provider] = booted.processes("/usr/lib/latchkey/latchkey-passwords")
    mounts = {booted.root("readlink", f"/proc/{one}/ns/mnt") for one in [provider, *booted.processes(DAEMON)]}
    assert len(mounts) == 2


def test_an_update_while_unlocked_starts_the_new_daemon_by_the_socket(booted, packages, tmp_path):
    [before] = booted.processes(DAEMON)
    said = booted.apt("install", "--no-install-recommends", *[booted.bring(newer(package, tmp_path)) for package in packages])
    assert "1 running latchkeyd ended" in said, said
    until(lambda: before not in booted.processes(DAEMON), "the end of the old daemon")
    assert manager(booted, "is-active", "latchkeyd.socket") == "active"
    assert json.loads(booted.user("latchkey", "status", "--json"))["locked"]
    booted.user("latchkey", "unlock", "--passphrase-file", "/home/anna/passphrase")
    assert "rmondello" in booted.user("latchkey", "list", "--json")
    assert booted.processes(DAEMON) == [manager(booted, "show", "--value", "-p", "MainPID", "latchkeyd.service")]


def test_removing_stops_the_units_and_purging_forgets_them(booted):
    booted.apt("remove", "latchkey", "webext-latchkey")
    until(lambda: booted.processes(DAEMON) == [], "the end of the daemon")
    assert manager(booted, "is-active", "latchkeyd.socket", check=False) != "active"
    booted.apt("purge", "latchkey", "webext-latchkey")
    found = booted.root("find", "/etc", "/usr", "/var", "-iname", "*latchkey*")
    assert found == "", found


def test_the_units_are_well_formed(packages, tmp_path):
    for package in packages:
        subprocess.run(["dpkg-deb", "-x", package, tmp_path], check=True)
    units = sorted((tmp_path / "usr/lib/systemd/user").iterdir())
    assert [unit.name for unit in units] == [
        "latchkey-desktop.service", "latchkey-quirks.service", "latchkey-quirks.timer", "latchkeyd.service", "latchkeyd.socket"]
    for unit in units:
        unit.write_text(unit.read_text().replace("/usr/lib/latchkey/", f"{tmp_path}/usr/lib/latchkey/"))
    done = subprocess.run(["systemd-analyze", "--user", "--man=no", "verify", *units], capture_output=True, text=True, env={"XDG_RUNTIME_DIR": str(tmp_path), "PATH": "/usr/bin:/bin"})
    assert done.returncode == 0 and str(tmp_path) not in done.stderr, done.stderr

# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""What fills native programs is in a sandbox: what it sees there, and what it is without one."""

import os
import pathlib
import signal
import subprocess

import pytest

from desktop import Form
from installation import BINARIES, until
from test_native_forms import EMPTY, FILLED, bind, bound  # noqa: F401


def children(process):
    found = []
    for folder in pathlib.Path("/proc").iterdir():
        try:
            if folder.name.isdigit() and int((folder / "stat").read_text().rpartition(")")[2].split()[1]) == process:
                found.append(int(folder.name))
        except OSError:
            continue
    return found


def chain(process):
    """A process and what it has started, the last of which is the program in the sandbox."""
    below = children(process)
    return [process, *(chain(below[0]) if below else [])]


def is_alive(process):
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def seen(desktop, script):
    """What a shell prints in the sandbox that the program was started in."""
    words = pathlib.Path(f"/proc/{chain(desktop.agent.pid)[1]}/cmdline").read_text().split("\0")[:-1]
    # Its filter of system calls is a descriptor that nobody else has.
    at = words.index("--seccomp")
    words = words[:at] + words[at + 2:]
    command = words[:words.index("--")] + ["--", "/bin/sh", "-c", script]
    done = subprocess.run(command, env=desktop.environment, capture_output=True, text=True, timeout=30)
    return done.stdout.split()


@pytest.fixture
def running(desktop):
    desktop.fill_native_programs()
    return desktop


def test_home_and_the_session_bus_are_not_there(running):
    secret = running.installation.folder / "secret"
    secret.write_text("")
    place = running.environment["XDG_RUNTIME_DIR"]
    home = running.environment["HOME"]
    # In a test all folders are in the home: what leads to a socket that is shown is there, and nothing beside it.
    assert seen(running, f"ls -A {home}") == ["runtime_dir"]
    assert sorted(seen(running, f"ls -A {place}")) == ["at-spi", "latchkey"]
    assert len(seen(running, f"ls -A {place}/at-spi")) == 1
    assert "latchkeyd.sock" in seen(running, f"ls -A {place}/latchkey")
    assert seen(running, f"test -e {running.installation.folder}/bus || echo none") == ["none"]
    assert seen(running, "ls -A /tmp/.X11-unix") == ["X" + running.display[1:]]
    for name in ("/root", "/home", "/var/lib", "/run/user", "/etc/shadow", "/etc/machine-id"):
        assert seen(running, f"test -e {name} || echo none") == ["none"], name


@pytest.mark.parametrize("name", ["latchkey", "latchkey-app", "git-credential-latchkey", "latchkey-browser-host"])
def test_other_programs_of_latchkey_are_not_there(running, name):
    """The daemon goes by the program that asks, and an installation is in a folder of the system, which is shown."""
    words = pathlib.Path(f"/proc/{chain(running.agent.pid)[1]}/cmdline").read_text().split("\0")
    path = os.path.realpath(BINARIES / name)
    assert words[words.index(path) - 2:words.index(path)] == ["--ro-bind", "/dev/null"]
    # In place of what else is shown there, so that nothing of it is left.
    assert words.index(path) > words.index("/usr")
    assert seen(running, f"test -e {path} && test ! -s {path} && ! test -x {path} && echo empty") == ["empty"]


def test_network_is_not_there(running):
    devices = [word for word in seen(running, "cat /proc/net/dev") if word.endswith(":")]
    assert devices == ["lo:"]


def test_nothing_can_be_written(running):
    places = ["/", "/tmp", "/dev", "/dev/shm", "/usr", "/etc", running.environment["HOME"], f"{running.installation.runtime}"]
    written = seen(running, " ; ".join(f"echo x 2>/dev/null > {place}/written && echo {place}" for place in places))
    assert written == []


def test_other_processes_cannot_be_looked_into(running):
    """They have the numbers that the bus and the display name, so they are shown; their files and memory are not."""
    outside = running.agent.pid
    assert seen(running, f"test -e /proc/{outside} && echo there") == ["there"]
    assert seen(running, f"ls /proc/{outside}/root/ /proc/{outside}/cwd/ ; cat /proc/{outside}/environ /proc/keys") == []


def test_system_calls_are_filtered_and_no_privilege_is_left(running):
    inside = chain(running.agent.pid)[-1]
    status = dict(line.split(":\t", 1) for line in pathlib.Path(f"/proc/{inside}/status").read_text().splitlines() if ":\t" in line)
    assert (status["Seccomp"], status["NoNewPrivs"]) == ("2", "1")
    assert {int(status[name], 16) for name in ("CapPrm", "CapEff", "CapBnd", "CapInh", "CapAmb")} == {0}


def test_daemon_knows_it_in_the_sandbox_and_says_so(bound):  # noqa: F811
    until(lambda: bound.client.call("desktop.status")["connected"], seconds=20)
    assert bound.client.call("desktop.status")["surface"] == {"display": "x11", "panel": "field", "confined": True}
    told = bound._run(BINARIES / "latchkey", "desktop", "status").stdout
    assert "It is in a sandbox: no home, no network, no session bus." in told
    assert "The display is X11: the panel is under the field." in told
    assert "Accessibility is switched" in told


def test_end_of_what_was_started_ends_what_is_in_the_sandbox(running):
    whole = chain(running.agent.pid)
    assert len(whole) >= 3
    running.agent.send_signal(signal.SIGTERM)
    running.agent.wait(timeout=20)
    until(lambda: not [process for process in whole[1:] if is_alive(process)], seconds=20)


def test_what_is_in_the_sandbox_ends_by_command_and_nothing_starts_it_again(running):
    until(lambda: running.client.call("desktop.status")["connected"], seconds=20)
    running.client.call("desktop.stop")
    assert running.agent.wait(timeout=20) == 0


def test_sandbox_cannot_be_claimed(desktop):
    """The word that stands for it inside is not understood outside."""
    agent = desktop._spawn(BINARIES / "latchkey-desktop", "--verbose", "--screen-reader")
    assert agent.wait(timeout=20) == 64


def test_without_bubblewrap_it_fills_and_says_that_nothing_confines_it(desktop, form_gtk3):
    broken = desktop.programs / "bwrap"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    desktop.add()
    desktop.fill_native_programs()
    assert "without a sandbox" in desktop.said()
    form = Form(desktop, form_gtk3)
    assert form.fields == EMPTY
    bind(desktop, form)
    assert form.fields == FILLED
    assert desktop.client.call("desktop.status")["surface"]["confined"] is False
    told = desktop._run(BINARIES / "latchkey", "desktop", "status").stdout
    assert "It is not in a sandbox" in told
    assert os.readlink(f"/proc/{desktop.agent.pid}/ns/mnt") == os.readlink("/proc/self/ns/mnt")

# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""The programs that a user gets: they start without Swift, quickly and in little memory, and fill a form."""

import pathlib
import re
import resource
import statistics
import subprocess

import pytest

from installation import BINARIES, PASSPHRASE, BrowserClient, secret

PROGRAMS = [
    "latchkey", "latchkeyd", "latchkey-browser-host", "git-credential-latchkey", "latchkey-passwords", "latchkey-pass",
    "latchkey-fetch",
]


@pytest.mark.release
@pytest.mark.parametrize("program", PROGRAMS)
def test_swifts_libraries_come_from_the_programs_own_folder(program):
    loaded = subprocess.run(["ldd", BINARIES / program], check=True, capture_output=True, text=True).stdout
    assert "libc.so" in loaded and "not found" not in loaded
    swift = [line for line in loaded.splitlines() if re.search("libswift|Foundation|libdispatch", line)]
    assert swift
    assert [line for line in swift if f"=> {BINARIES.resolve()}/" not in line and f"=> {BINARIES}/" not in line] == []


@pytest.mark.release
@pytest.mark.parametrize("program", ["latchkey", "latchkeyd", "latchkey-fetch"])
def test_it_starts_with_an_empty_environment(program):
    done = subprocess.run([BINARIES / program, "--version"], env={}, capture_output=True)
    assert done.returncode == 0 and done.stdout.strip(), done.stderr


def processor_time(act):
    """Seconds of processor time, which other work on the machine hardly changes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    act()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


# A time is no part of a gate; `make test-all` measures it.
@pytest.mark.skipif(BINARIES.resolve().name == "debug", reason="the programs are not optimised")
@pytest.mark.parametrize("program", ["latchkey", "latchkeyd"])
def test_a_start_takes_little_time(program):
    start = lambda: subprocess.run([BINARIES / program, "--version"], check=True, capture_output=True)
    assert statistics.median(processor_time(start) for _ in range(9)) < 0.2


def resident(process):
    """Megabytes."""
    status = pathlib.Path(f"/proc/{process}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+) kB", status)[1]) / 1024


@pytest.mark.release
def test_one_fill_in_little_memory(running, client):
    client.call("items.add", items=[{"services": ["shiny.example.com"], "user": "rmondello", "password": secret("hunter2" * 3)}])
    browser = BrowserClient(running)
    browser.user = lambda shown: (True, PASSPHRASE if shown["kind"] != "confirm" else None)
    session = browser.focus("https://shiny.example.com")["session"]
    (row,) = browser.call("renderer.suggestions", session=session)["suggestions"]
    filled = browser.call("renderer.choose", handle=row["handle"], surface="bar", guard={"held": True})["fills"]
    assert {fill["role"]: fill["value"]["secret"] for fill in filled} == {
        "username": "rmondello", "current-password": "hunter2" * 3}
    (provider,) = running.providers()
    for name, process in [("latchkeyd", running.daemon.pid), ("the host", browser.process.pid), ("the provider", provider)]:
        assert resident(process) < 128, name
    browser.close()

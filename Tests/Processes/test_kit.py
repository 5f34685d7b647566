# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""The kit itself: a crash or a hang of a program is a finding, and nothing is left behind it."""

import os
import signal
import socket
import sys

import pytest

import installation as kit
from installation import Client, Installation, run_program, until
from verdicts import Finding

pytestmark = pytest.mark.main


@pytest.fixture
def hasty(monkeypatch):
    """Nobody waits two minutes here."""
    monkeypatch.setattr(kit, "HANG", 0.2)


@pytest.mark.parametrize("end", ["kill", "remove"])
def test_a_daemon_that_crashed_is_a_finding(end):
    with Installation() as made:
        made.start()
        made.daemon.send_signal(signal.SIGSEGV)
        # Swift's runtime writes of the crash. A program that was only sent the signal goes on afterwards.
        until(lambda: made.daemon.poll() is not None or "Program crashed" in made.output())
        with pytest.raises(Finding, match="crashed"):
            getattr(made, end)()
        # It is told once.
        made.stop()
    assert not made.folder.exists()


def test_a_daemon_that_is_killed_is_no_finding():
    with Installation() as made:
        made.start()
        made.kill()
        made.start()
    assert not made.folder.exists()


def test_last_words_of_a_crash_are_a_finding():
    with pytest.raises(Finding, match="Fatal error: Index out of range"):
        with Installation() as made:
            made.start()
            with open(made.folder / "daemon.log", "a") as log:
                log.write("latchkeyd/Daemon.swift:7: Fatal error: Index out of range\n")
    assert not made.folder.exists()


def test_a_program_that_crashes_or_hangs_is_a_finding(hasty):
    with pytest.raises(Finding, match="SIGABRT"):
        run_program([sys.executable, "-c", "import os; os.abort()"])
    with pytest.raises(Finding, match="has not ended"):
        run_program(["/bin/sleep", "600"])


def test_an_answer_that_does_not_come_is_a_finding(hasty, tmp_path):
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "socket"))
        listening.listen()
        client = Client(tmp_path / "socket", greet=False, timeout=kit.HANG)
        with pytest.raises(Finding, match="has not answered items.list"):
            client.call("items.list")
        client.close()
    read, write = os.pipe()
    with open(read, "rb") as stream, open(write, "wb"):
        with pytest.raises(Finding, match="has not answered page.focused"):
            kit.read_exactly(stream, 4, ["page.focused"])
        # Nobody was asked for anything.
        with pytest.raises(AssertionError) as silence:
            kit.read_exactly(stream, 4, [])
        assert not isinstance(silence.value, Finding)

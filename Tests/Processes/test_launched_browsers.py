# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""S25: a host that a service of the session started belongs to the browser that holds the other ends of its pipes.

The service is this interpreter, and the browser a copy of it, which is another file.
"""

import os
import shutil
import socket
import subprocess
import sys
import threading
import time

import pytest

from installation import BINARIES, BrowserClient
from test_sandboxed_callers import sandbox

#: Asks the service for a host and speaks through it, as a browser does, or lets others speak.
BROWSER = """
import os, socket, subprocess, sys, threading, time
place, does = sys.argv[1:3]
service = socket.socket(socket.AF_UNIX)
service.connect(place)
service.sendall(b"start")
_, pipes, _, _ = socket.recv_fds(service, 16, 4)
ends = dict(zip(("input", "output"), pipes))
# The service lets go of its own once all is as it is going to be.
if does == "share":
    subprocess.Popen(["/usr/bin/sleep", "20"], pass_fds=pipes, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
if does == "half":
    helper = subprocess.Popen(["/usr/bin/cat"], stdin=subprocess.PIPE, stdout=ends["input"])
    os.close(ends["input"])
    ends["input"] = helper.stdin.fileno()
service.sendall(b"ready")
def back():
    while data := os.read(ends["output"], 65536):
        os.write(1, data)
    os._exit(0)
threading.Thread(target=back, daemon=True).start()
while data := os.read(0, 65536):
    os.write(ends["input"], data)
"""


class Service:
    """Starts the host for whoever asks, and passes on what it is spoken to by."""

    def __init__(self, installation, keeps=False, delay=None):
        self.installation, self.keeps, self.delay = installation, keeps, delay
        self.place = installation.folder / "service"
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(self.place))
        self.listener.listen()
        self.hosts, self.kept = [], []
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()

    def _serve(self):
        connection, _ = self.listener.accept()
        connection.recv(16)
        theirs_in, ours_in = os.pipe()
        ours_out, theirs_out = os.pipe()
        self.hosts.append(subprocess.Popen(
            [BINARIES / "latchkey-browser-host", *BrowserClient.FIREFOX], env=self.installation.environment, stdin=theirs_in,
            stdout=theirs_out, stderr=subprocess.DEVNULL))
        os.close(theirs_in)
        os.close(theirs_out)
        if self.delay:
            time.sleep(self.delay)
        socket.send_fds(connection, [b"pipes"], [ours_in, ours_out])
        connection.recv(16)
        for end in (ours_in, ours_out):
            self.kept.append(end) if self.keeps else os.close(end)
        connection.close()

    def end(self):
        self.thread.join(20)
        for end in self.kept:
            os.close(end)
        for host in self.hosts:
            host.kill()
            host.wait()
        self.listener.close()


@pytest.fixture
def launched(installation, tmp_path):
    """Has a host started by a service, for a browser or something else."""
    browser, other = tmp_path / "browser", tmp_path / "other"
    for copy in (browser, other):
        shutil.copy(os.path.realpath(sys.executable), copy)
    python = os.path.realpath(sys.executable)
    services = []

    def start(program=browser, does="", is_listed=True, before=(), **service):
        installation.trust(settings=[python], browsers=[str(browser)], launchers=[python] if is_listed else [])
        installation.start()
        installation.unlocked()
        services.append(Service(installation, **service))
        return BrowserClient(installation, str(services[0].place), does, program=[*before, program, "-I", "-c", BROWSER],
                             environment={**installation.environment, "PYTHONHOME": sys.base_prefix})

    start.other = other
    yield start
    for service in services:
        service.end()


def reason(client):
    assert "error" in client.hello, client.hello
    client.process.stdin.close()
    client.process.wait(20)
    return client.hello["error"]["message"]


def test_S25_the_browser_behind_a_service_is_a_browser(launched):
    client = launched()
    assert client.hello["result"]["role"] == "browser"
    assert client.focus("https://shiny.example.com")["bar"] is False
    client.close()


def test_S25_a_browser_that_gets_its_pipes_late_is_waited_for(launched):
    client = launched(delay=1)
    assert client.hello["result"]["role"] == "browser"
    client.close()


@pytest.mark.waits
def test_S25_another_program_behind_a_service_gets_nothing(launched):
    assert "which holds the other ends of its pipes, is not a known browser" in reason(launched(launched.other))


@pytest.mark.waits
@pytest.mark.attack
def test_S25_a_browser_in_a_sandbox_of_anybodys_gets_nothing(launched):
    """Whoever made the sandbox decides what code the browser loads."""
    before = sandbox("mounts", [])
    assert "is not a known browser" in reason(launched(before=before))


@pytest.mark.waits
def test_S25_a_service_that_listens_in_gets_nothing(launched):
    assert "more than one process" in reason(launched(keeps=True))


@pytest.mark.waits
@pytest.mark.parametrize("does", ["share", "half"])
def test_S25_a_browser_that_lets_another_program_speak_gets_nothing(launched, does):
    assert "more than one process" in reason(launched(does=does))


def test_S25_a_service_that_nobody_knows_starts_nothing(launched):
    """Whoever holds its pipes: only a browser itself, and services that are known, start hosts."""
    assert "is not a known browser" in reason(launched(is_listed=False))

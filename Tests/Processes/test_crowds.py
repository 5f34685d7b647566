# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""S52, S57: nobody keeps others out by connecting, by sending halves of messages, or by not reading."""

import os
import pathlib
import resource
import select
import socket
import struct
import subprocess
import sys
import time

import pytest

from installation import BrowserClient, secret, until

MIB = 1 << 20


def connect(running):
    made = socket.socket(socket.AF_UNIX)
    # A full queue makes this wait; with a time limit the kernel would refuse at once.
    made.connect(str(running.socket))
    made.settimeout(60)
    return made


def connections(running):
    """Those that the daemon holds, with its socket itself. What descriptors it has, only root sees."""
    return sum(line.endswith(f" {running.socket}") for line in open("/proc/net/unix").read().splitlines())


def bounded(running, kind, limit):
    """Starts the daemon with a limit of its own."""
    before = resource.getrlimit(kind)
    resource.setrlimit(kind, (limit, before[1]))
    try:
        running.start()
    finally:
        resource.setrlimit(kind, before)
    return running


@pytest.mark.parametrize("trust", [{}, {"settings": [os.path.realpath(sys.executable)]}], ids=["stranger", "command line"])
def test_S52_silent_connections_leave_room_for_everybody_else(installation, trust):
    """500 of them: others still come in, and descriptors are left."""
    installation.trust(browsers=[os.path.realpath(sys.executable)], **trust)
    bounded(installation, resource.RLIMIT_NOFILE, 1024)
    before = connections(installation)
    silent = [connect(installation) for _ in range(500)]
    try:
        # `latchkey` is another process than this one, and answers a command.
        assert installation.latchkey("status", check=False).returncode == 0
        browser = BrowserClient(installation)
        assert browser.hello["result"]["role"] == "browser"
        browser.close()
        assert connections(installation) <= before + 48
        # Whoever was not let in was told so, and why.
        told = silent[-1].recv(4096)
        assert b'"code":12' in told and b"the maximum" in told, told
        assert silent[-1].recv(1) == b""
    finally:
        for each in silent:
            each.close()
    until(lambda: connections(installation) <= before)
    installation.client().close()


def test_S52_one_too_many_is_a_clear_error_of_the_command_line(installation):
    """The command line says what is wrong when its share is used up."""
    python = os.path.realpath(sys.executable)
    installation.trust(settings=[python])
    installation.start()
    code = (
        "import socket,sys,time\n"
        "s=[]\n"
        "for _ in range(30):\n  c=socket.socket(socket.AF_UNIX);c.connect(sys.argv[1]);s.append(c)\n"
        "print('ready',flush=True);sys.stdin.read()\n")
    crowd = [
        subprocess.Popen([python, "-c", code, installation.socket], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for _ in range(3)
    ]
    try:
        for each in crowd:
            assert each.stdout.readline() == b"ready\n"
        refused = until(lambda: (done := installation.latchkey("status", check=False)).returncode and done, 30)
        assert b"connections to Latchkey" in refused.stderr, refused
    finally:
        for each in crowd:
            each.stdin.close()
            each.wait(10)
    until(lambda: installation.latchkey("status", check=False).returncode == 0)


def locked_memory(running):
    status = pathlib.Path(f"/proc/{running.daemon.pid}/status").read_text()
    return int([line for line in status.splitlines() if line.startswith("VmLck:")][0].split()[1]) * 1024


def test_S52_halves_of_messages_leave_locked_memory_for_keys(installation):
    """Nine peers that have said hello, each with a message of 1 MiB that lacks its end."""
    python = os.path.realpath(sys.executable)
    installation.trust(settings=[python])
    bounded(installation, resource.RLIMIT_MEMLOCK, 8 * MIB)
    peers = [installation.client() for _ in range(9)]
    for peer in peers:
        peer.socket.sendall(struct.pack("=I", MIB))
        peer.socket.sendall(b" " * (MIB - 1))
    # All was taken in: there is nothing left to be read from any of them, and none has ended.
    assert locked_memory(installation) <= 6 * MIB
    client = installation.unlocked()
    assert client.call("status")["memoryLocked"] is True
    assert locked_memory(installation) <= 6 * MIB + MIB // 2


@pytest.mark.long
def test_S52_a_message_without_end_ends_its_connection(running):
    peer = running.client()
    peer.socket.sendall(struct.pack("=I", 100) + b"{")
    assert peer.socket.recv(1) == b""
    running.client().close()


@pytest.mark.parametrize("greet", [True, False])
def test_S52_strangers_may_not_send_long_messages(installation, greet):
    installation.trust()
    installation.start()
    peer = installation.client(greet=greet)
    peer.socket.sendall(struct.pack("=I", 100_000))
    assert peer.socket.recv(1) == b""


def test_S57_a_peer_that_does_not_read_holds_nobody_up(running):
    """It follows the audit log and takes no message: others go on as before, and it loses its connection."""
    client = running.unlocked()
    client.prefer(authenticationMinutes=1000)
    item = client.call(
        "items.add", items=[{"services": ["shiny.example.com"], "user": "me", "password": secret("p" * 16)}]
    )["items"][0]["id"]
    follower = running.client()
    follower.call("audit.list", follow=True)
    slowest = 0
    for _ in range(450):
        begun = time.monotonic()
        client.call("items.reveal", id=item)
        slowest = max(slowest, time.monotonic() - begun)
    assert slowest < 3, slowest
    watch = select.poll()
    watch.register(follower.socket, select.POLLHUP)
    assert until(lambda: watch.poll(100), 30)
    assert client.call("status")["locked"] is False

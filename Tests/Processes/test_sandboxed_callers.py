# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""S25: a sandbox that reaches the main socket does not become one of Latchkey's programs.

Whoever makes a sandbox for a program has it load a library. The library here speaks over the program's standard input.
"""

import json
import os
import pathlib
import re
import socket
import subprocess
import sys

import pytest

from installation import BINARIES, BrowserClient, Client, WireFailure, denied
from verdicts import NotTried, nothing_released

#: Connects to the daemon before the program's own code runs, and passes on what comes from either side.
RELAY = r"""
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
__attribute__((constructor)) static void relay(void) {
    struct sockaddr_un place = {.sun_family = AF_UNIX};
    strncpy(place.sun_path, getenv("TEST_SOCKET"), sizeof place.sun_path - 1);
    int daemon = socket(AF_UNIX, SOCK_STREAM, 0);
    struct pollfd ends[2] = {{.fd = 0, .events = POLLIN}, {.fd = daemon, .events = POLLIN}};
    if (connect(daemon, (struct sockaddr *)&place, sizeof place)) _exit(70);
    while (poll(ends, 2, -1) > 0)
        for (int from = 0; from < 2; from++) {
            char data[65536];
            if (!ends[from].revents) continue;
            ssize_t count = read(ends[from].fd, data, sizeof data);
            if (count <= 0 || write(ends[!from].fd, data, count) != count) _exit(0);
        }
    _exit(0);
}
"""

#: The interpreter, which the installation of a test takes for a browser, starts the host. A real one does in a sandbox what is wanted there.
STARTS = "import subprocess, sys; subprocess.run(sys.argv[1:])"


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    folder = tmp_path_factory.mktemp("relay")
    (folder / "relay.c").write_text(RELAY)
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", folder / "relay.so", folder / "relay.c"], check=True)
    return folder / "relay.so"


def libraries():
    """The folders of the programs' libraries that are not below /usr."""
    listed = subprocess.run(["ldd", BINARIES / "latchkey"], check=True, capture_output=True, text=True).stdout
    folders = {str(pathlib.Path(path).resolve().parent) for path in re.findall(r"=> (/\S+)", listed)}
    return sorted(folder for folder in folders if not folder.startswith("/usr/"))


def sandbox(kind, shown):
    """What starts a program in one kind of sandbox."""
    if kind == "bubblewrap":
        words = ["bwrap", "--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--die-with-parent", "--proc", "/proc", "--dev", "/dev"]
        for path in ["/usr", *map(str, shown)]:
            words += ["--ro-bind", path, path]
        for link in ["bin", "lib", "lib64"]:
            words += ["--symlink", f"usr/{link}", f"/{link}"]
    else:
        flags = {"mounts": ["--mount"], "processes": ["--pid", "--fork"], "users": ["--user", "--map-current-user"]}[kind]
        # Who is not root has to have a namespace of users for the others.
        own = ["--user", "--map-current-user"] if os.geteuid() != 0 and kind != "users" else []
        words = ["unshare", *own, *flags]
    if subprocess.run([*words, "true"], capture_output=True).returncode:
        pytest.skip("no such sandbox can be made here")
    return words


class Inside(Client):
    """Speaks to the daemon as the library in a program does."""

    def __init__(self, installation, library, program, before=()):
        self.awaited, self.next = {}, 1
        self.socket, theirs = socket.socketpair()
        self.socket.settimeout(30)
        started = ["env", f"LD_PRELOAD={library}", BINARIES.resolve() / program]
        #: What a browser's host says of the extension.
        self.browser = {"browser": {"extension": BrowserClient.EXTENSION}} if program == "latchkey-browser-host" else {}
        if self.browser:
            started = [sys.executable, "-c", STARTS, *started]
        self.process = subprocess.Popen(
            [*before, *started], stdin=theirs, stdout=subprocess.DEVNULL,
            env={**installation.environment, "TEST_SOCKET": str(installation.socket)})
        theirs.close()

    def greet(self):
        return self.call("hello", protocol=1, client={"name": "tests", "version": "0"}, **self.browser)

    def close(self):
        super().close()
        self.process.wait(30)


@pytest.mark.attack
@pytest.mark.parametrize("kind, program", [
    ("bubblewrap", "latchkey"), ("mounts", "latchkey"), ("processes", "latchkey"), ("users", "latchkey"),
    ("bubblewrap", "git-credential-latchkey"), ("bubblewrap", "latchkey-browser-host"), ("mounts", "latchkey-browser-host"),
    ("bubblewrap", "latchkey-desktop"),
])
def test_S25_a_sandbox_does_not_become_a_program_of_latchkey(running, library, kind, program):
    running.unlocked()
    python = [sys.base_prefix, sys.prefix, pathlib.Path(sys.executable).resolve().parent]
    shown = [running.runtime, BINARIES.resolve(), library.parent, *libraries(), *python]
    before = sandbox(kind, [path for path in shown if not str(path).startswith("/usr/")])
    # The attack works where there is no sandbox: code of the same user is no boundary.
    outside = Inside(running, library, program)
    if (role := outside.greet()["role"]) == "client":
        raise NotTried("the library has no role outside of a sandbox")
    outside.close()
    inside = Inside(running, library, program, before)
    try:
        nothing_released(f"a sandbox has the role of {role}", inside.greet())
    except WireFailure as refusal:
        assert refusal.code == 8 and "sandbox" in refusal.message, refusal
    denied(8, inside.call, "items.list")
    inside.close()


def test_S25_a_program_in_a_sandbox_may_ask_as_an_app(running):
    """What asks for a password is known by its sandbox and its sites, in there as outside."""
    running.trust()
    running.stop()
    running.start()
    code = (
        "import socket, struct, sys\n"
        "s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1])\n"
        "b = b'{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"hello\",\"params\":{\"protocol\":1,\"client\":{\"name\":\"x\",\"version\":\"0\"}}}'\n"
        "s.sendall(struct.pack('=I', len(b)) + b); n = struct.unpack('=I', s.recv(4))[0]; print(s.recv(n).decode())\n"
    )
    done = subprocess.run(
        [*sandbox("mounts", []), sys.executable, "-c", code, running.socket], capture_output=True, text=True, timeout=60)
    assert '"role":"client"' in done.stdout, done


def test_the_status_says_that_the_daemon_runs_in_a_sandbox(installation):
    """The daemon and the command line have the same mounts, and the daemon's parent has others."""
    before = sandbox("mounts", [])
    assert "sandboxed" not in json.loads(installation.start().latchkey("status", "--json").stdout)
    installation.stop()
    script = (
        'mkfifo "$1"; { cat "$1" > /dev/null; "$0"/latchkey status --json; "$0"/latchkey status; kill $$; } & '
        'exec "$0"/latchkeyd --ready-descriptor 3 3> "$1"')
    done = subprocess.run(
        [*before, "sh", "-c", script, BINARIES.resolve(), installation.folder / "ready"], env=installation.environment,
        capture_output=True, timeout=60)
    assert b'"sandboxed":true' in done.stdout and b"in a sandbox of its own" in done.stdout, done

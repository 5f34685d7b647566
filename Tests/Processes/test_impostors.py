# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""S51: a program of the user's that listens in the daemon's place is told nothing but the hello."""

import json
import os
import shutil
import socket
import subprocess
import sys

import pytest

from installation import BINARIES, PASSPHRASE, run_program, until
from verdicts import nothing_released

LATCHKEYD = (BINARIES / "latchkeyd").resolve()
PYTHON = os.path.realpath(sys.executable)
PASSWORD = "a password that git was given"

#: What tells the impostor that nobody else comes.
LAST = b'{"jsonrpc":"2.0","method":"last"}'

#: Listens, answers the hello as the daemon does and everything else with a yes, and writes down all it hears.
IMPOSTOR = r"""
import ctypes, json, os, socket, struct, sys, threading
place, heard, hello, way, real = sys.argv[1:6]
if way == "hidden":
    ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)  # PR_SET_DUMPABLE
listening = socket.socket(socket.AF_UNIX)
listening.bind(place)
listening.listen(20)
print("listens", flush=True)

def read(connection):
    head = connection.recv(4, socket.MSG_WAITALL)
    if len(head) < 4:
        return None
    return connection.recv(struct.unpack("=I", head)[0], socket.MSG_WAITALL)

def note(body):
    with open(heard, "ab") as file:
        file.write(body + b"\n")

def send(connection, body):
    connection.sendall(struct.pack("=I", len(body)) + body)

def pass_on(source, target):
    while body := read(source):
        note(body)
        send(target, body)
    target.shutdown(socket.SHUT_RDWR)

def serve(connection):
    if way == "relay":
        daemon = socket.socket(socket.AF_UNIX)
        daemon.connect(real)
        threading.Thread(target=pass_on, args=[daemon, connection], daemon=True).start()
        return pass_on(connection, daemon)
    if way == "early":
        send(connection, b'{"jsonrpc":"2.0","method":"noticed","params":{}}')
    while body := read(connection):
        note(body)
        message = json.loads(body)
        result = json.loads(hello) if message["method"] == "hello" else {}
        if "id" in message:
            send(connection, json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}).encode())

def converse(connection):
    try:
        serve(connection)
    finally:
        note(b'{"ended": true}')

while True:
    connection, _ = listening.accept()
    note(b'{"begun": true}')
    threading.Thread(target=converse, args=[connection], daemon=True).start()
"""


def command(way, folder):
    """What is started so that it runs in this way."""
    if way == "named":
        program = folder / "latchkeyd"
        shutil.copy(PYTHON, program)
        return [program]
    if way == "bound over":
        # In mounts of its own the interpreter stands where the daemon does.
        started = ["unshare", "--mount", *([] if os.geteuid() == 0 else ["--map-root-user"])]
        if subprocess.run([*started, "true"], capture_output=True).returncode:
            pytest.skip("nobody may make mounts here")
        return [*started, "sh", "-c", f'mount --bind "{PYTHON}" "{LATCHKEYD}" && exec "{LATCHKEYD}" "$@"', "sh"]
    return [PYTHON]


WAYS = [
    pytest.param("plain", marks=pytest.mark.main), "hidden", "named", "bound over", pytest.param("relay", marks=pytest.mark.main), "early",
]


def sees_all() -> bool:
    """Whether this process may look into every other one (CAP_SYS_PTRACE)."""
    [mine] = [line for line in open("/proc/self/status") if line.startswith("CapEff:")]
    return bool(int(mine.split()[1], 16) >> 19 & 1)


@pytest.fixture
def impostor(running, request, tmp_path):
    """The installation, with somebody else in the daemon's place."""
    way = request.param
    if way == "hidden" and not sees_all():
        pytest.skip("only root can see what a process runs that hides it: docs/threat-model.md")
    hello = running.client().hello
    assert hello["initialized"]
    real = running.socket.with_name("real")
    if way == "relay":
        running.socket.rename(real)
    else:
        running.stop()
        running.socket.unlink(missing_ok=True)
    running.heard = tmp_path / "heard"
    arguments = ["-c", IMPOSTOR, running.socket, running.heard, json.dumps({**hello, "locked": True}), way, real]
    process = subprocess.Popen(
        [*command(way, tmp_path), *arguments], stdout=subprocess.PIPE, env={**os.environ, "PYTHONHOME": sys.base_prefix})
    assert process.stdout.readline() == b"listens\n"
    yield running
    process.kill()
    process.wait()


def heard(installation):
    """The methods that the impostor was asked for; nothing of what it heard is secret."""
    # Connections are accepted one after the other: once it has heard of this one, it has begun all earlier ones.
    with socket.socket(socket.AF_UNIX) as last:
        last.connect(str(installation.socket))
        last.sendall(len(LAST).to_bytes(4, sys.byteorder) + LAST)
        until(lambda: LAST in installation.heard.read_bytes())

    def all_have_ended():
        lines = installation.heard.read_bytes()
        return lines if lines.count(b'{"begun": true}') == lines.count(b'{"ended": true}') else None

    lines = until(all_have_ended)
    nothing_released("what the impostor heard", [text for text in (PASSPHRASE, PASSWORD) if text.encode() in lines])
    heard = [message["method"] for message in map(json.loads, lines.splitlines()) if "method" in message]
    heard.remove("last")
    return heard


@pytest.mark.parametrize("impostor", WAYS, indirect=True)
def test_S51_the_command_line_keeps_the_passphrase(impostor):
    done = impostor.latchkey("unlock", input=PASSPHRASE.encode() + b"\n", check=False)
    assert done.returncode != 0
    assert b"is not Latchkey's daemon" in done.stderr, done.stderr
    nothing_released("what the impostor heard", set(heard(impostor)) - {"hello", "noticed"})


@pytest.mark.parametrize("impostor", WAYS, indirect=True)
def test_S51_gits_helper_keeps_the_password(impostor):
    done = run_program(
        [BINARIES / "git-credential-latchkey", "store"], env=impostor.environment,
        input=f"protocol=https\nhost=git.example.com\nusername=rmondello\npassword={PASSWORD}\n\n".encode())
    nothing_released("what the helper gives", done.stdout)
    nothing_released("what the impostor heard", set(heard(impostor)) - {"hello", "noticed"})


@pytest.mark.parametrize("impostor", WAYS, indirect=True)
def test_S51_the_browsers_host_passes_nothing_on(impostor):
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "renderer.prompt", "params": {"passphrase": PASSPHRASE}}).encode()
    done = run_program(
        [BINARIES / "latchkey-browser-host", "chrome-extension://malldjagemimmcmdgodgcdpnfmccpage/"], env=impostor.environment,
        input=len(body).to_bytes(4, sys.byteorder) + body)
    nothing_released("what the host gives", done.stdout)
    assert done.returncode != 0
    assert b"is not Latchkey's daemon" in done.stderr, done.stderr
    nothing_released("what the impostor heard", set(heard(impostor)) - {"hello", "noticed"})


def test_S51_a_daemon_that_a_service_manager_listens_for_is_known(running):
    """The kernel names who made the socket as the peer of a connection: here this process, elsewhere systemd."""
    running.unlocked()
    running.stop()
    running.socket.unlink(missing_ok=True)
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(running.socket))
    os.chmod(running.socket, 0o600)
    listening.listen(20)
    # systemd hands the socket over as descriptor 3 (sd_listen_fds(3)), to the process whose number it names.
    script = (
        "import os, sys; os.dup2(int(sys.argv[1]), 3); os.environ.update(LISTEN_FDS='1', LISTEN_PID=str(os.getpid())); "
        "os.execv(sys.argv[2], sys.argv[2:])")
    with open(running.folder / "daemon.log", "ab") as log:
        process = subprocess.Popen(
            [PYTHON, "-c", script, str(listening.fileno()), LATCHKEYD], pass_fds=[listening.fileno()], env=running.environment,
            stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    try:
        # The socket listens already, so that the first request waits for the daemon.
        running.latchkey("unlock", input=PASSPHRASE.encode() + b"\n")
        assert running.latchkey("daemon", "status").stdout.startswith(b"running")
    finally:
        process.kill()
        process.wait()
        listening.close()

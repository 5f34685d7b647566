# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""S25: programs that take the place of the daemon or of the PAM module when an ordinary user logs in. They get nothing."""

import base64
import ctypes
import json
import os
import pathlib
import shutil
import socket
import struct
import subprocess
import tempfile
import time

import pytest

from installation import BINARIES, Client, WireFailure, until
from login_kit import PASSWORD, ended, is_locked, ordinary, stop_helpers, theirs, tools
from pam_kit import Computer


def test_an_ordinary_users_login_unlocks(ordinary, theirs):
    theirs.log_in(PASSWORD)
    until(lambda: not is_locked(ordinary))


#: Asks as a program of the user what only the module may ask.
PRETENDER = """
import json, socket, struct, sys
def ask(number, method, params):
    body = json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode()
    it.sendall(struct.pack("=I", len(body)) + body)
    size = struct.unpack("=I", it.recv(4, socket.MSG_WAITALL))[0]
    return json.loads(it.recv(size, socket.MSG_WAITALL))
it = socket.socket(socket.AF_UNIX)
it.connect(sys.argv[1])
print(ask(1, "hello", {"protocol": 1, "client": {"name": "latchkey-login", "version": "1"}})["result"]["role"])
for method, params in [("login.terms", {}), ("login.unlock", {"key": {"secret": sys.argv[2]}, "locks": int(sys.argv[3])}),
                       ("login.rewrap", {"key": {"secret": sys.argv[2]}, "newKey": {"secret": "0" * 64}, "newSalt": "0" * 32})]:
    print(ask(2, method, params)["error"]["code"])
"""


def derived(ordinary) -> str:
    """The key that the login password gives, as whoever knows it can derive it."""
    stored = json.loads((ordinary.data / "latchkey" / "login-key").read_text())
    salt, key = base64.b64decode(stored["salt"]), ctypes.create_string_buffer(32)
    word, size = PASSWORD.encode(), ctypes.c_size_t
    assert ctypes.CDLL("libargon2.so.1").argon2id_hash_raw(
        stored["iterations"], stored["memoryKiB"], stored["parallelism"], word, size(len(word)), salt, size(len(salt)), key, size(32)) == 0
    return key.raw.hex()


def test_S25_a_program_of_the_user_cannot_pretend_to_be_the_module(ordinary):
    key = derived(ordinary)
    done = ordinary.run("/usr/bin/python3", "-c", PRETENDER, ordinary.socket, key, "1")
    assert done.stdout.split() == ["client", "-32601", "-32601", "-32601"], done.stderr
    assert is_locked(ordinary)
    # The key is right: root's program unlocks with it.
    done = subprocess.run(["python3", "-c", PRETENDER.replace('["error"]["code"]', ''), ordinary.socket, key, "1"], capture_output=True, text=True)
    assert done.stdout.startswith("login\n"), done.stdout + done.stderr
    assert not is_locked(ordinary)


def test_S25_root_itself_gets_nothing_but_the_login(ordinary):
    client = Client(ordinary.socket)
    assert client.hello["role"] == "login"
    for method in ("status", "unlock", "items.list", "lock"):
        with pytest.raises(WireFailure) as failure:
            client.call(method)
        assert failure.value.code == -32601
    client.close()


def test_S25_the_helper_serves_nobody_but_root(ordinary):
    done = ordinary.run(
        BINARIES / "latchkey-login", "unlock", "nobody", ordinary.runtime, ordinary.data, input=PASSWORD + "\0", check=False)
    assert done.returncode == 1 and is_locked(ordinary)


#: Takes the daemon's place, answers as it does, and writes down what comes.
IMPOSTOR = """
import json, socket, struct, sys
listener = socket.socket(socket.AF_UNIX)
listener.bind(sys.argv[1])
listener.listen()
print("listens", flush=True)
it, _ = listener.accept()
while head := it.recv(4, socket.MSG_WAITALL):
    message = json.loads(it.recv(struct.unpack("=I", head)[0], socket.MSG_WAITALL))
    print(json.dumps(message), flush=True)
    result = {"salt": "00" * 16, "memoryKiB": 19456, "iterations": 2, "parallelism": 1, "role": "login", "protocol": 1}
    body = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}, separators=(",", ":")).encode()
    it.sendall(struct.pack("=I", len(body)) + body)
print("over", flush=True)
"""


#: Listens in the daemon's place, has the daemon itself answer hello by passing the connection's bytes on, and writes down what comes.
BETWEEN = """
import socket, sys, threading
listener = socket.socket(socket.AF_UNIX)
listener.bind(sys.argv[1])
listener.listen()
print("listens", flush=True)
it, _ = listener.accept()
real = socket.socket(socket.AF_UNIX)
real.connect(sys.argv[2])
def pass_on(source, target):
    while data := source.recv(4096):
        print(data, flush=True)
        target.sendall(data)
threading.Thread(target=pass_on, args=(real, it), daemon=True).start()
pass_on(it, real)
"""


def test_S25_a_program_in_the_daemons_place_gets_nothing(ordinary, theirs):
    ordinary.latchkey("daemon", "stop")
    ordinary.socket.unlink(missing_ok=True)
    impostor = subprocess.Popen(
        [*ordinary.prefix, "/usr/bin/python3", "-c", IMPOSTOR, ordinary.socket], env=ordinary.environment, stdout=subprocess.PIPE, text=True)
    assert impostor.stdout.readline() == "listens\n"
    theirs.log_in(PASSWORD)
    heard = impostor.stdout.read()
    impostor.wait(60)
    assert "hello" in heard and "login." not in heard and heard.endswith("over\n")
    ordinary.socket.unlink()


#: Takes the daemon's place from a user and a pid namespace of its own, where it is root. It starts the real latchkeyd there and states that
#: process as the sender of each answer, which the kernel passes on. It serves two connections.
FORGER = """
import json, os, signal, socket, struct, subprocess, sys
real = subprocess.Popen([sys.argv[2]], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={"HOME": "/nowhere"})
real.send_signal(signal.SIGSTOP)
stated = [(socket.SOL_SOCKET, socket.SCM_CREDENTIALS, struct.pack("=3i", real.pid, os.getuid(), os.getgid()))]
listener = socket.socket(socket.AF_UNIX)
listener.bind(sys.argv[1])
listener.listen()
print("listens", flush=True)
for _ in range(2):
    it, _ = listener.accept()
    while head := it.recv(4, socket.MSG_WAITALL):
        message = json.loads(it.recv(struct.unpack("=I", head)[0], socket.MSG_WAITALL))
        print(json.dumps(message), flush=True)
        result = {"salt": "00" * 16, "memoryKiB": 65536, "iterations": 5, "parallelism": 1, "role": "login", "protocol": 1}
        body = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}, separators=(",", ":")).encode()
        it.sendmsg([struct.pack("=I", len(body)) + body], stated)
    print("over", flush=True)
"""


def stated_sender(path: pathlib.Path) -> int:
    """The process that the kernel states as the sender of an answer, as latchkey-login asks for it."""
    with socket.socket(socket.AF_UNIX) as made:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        made.connect(str(path))
        body = b'{"id":0}'
        made.sendall(struct.pack("=I", len(body)) + body)
        _, [(_, kind, stated)], _, _ = made.recvmsg(4096, socket.CMSG_SPACE(12))
        assert kind == socket.SCM_CREDENTIALS
        return struct.unpack("=3i", stated)[0]


def test_S25_a_program_that_states_the_daemon_as_the_sender_gets_nothing(ordinary, theirs):
    namespaces = ["unshare", "--user", "--map-root-user", "--pid", "--fork", "--kill-child"]
    if ordinary.run(*namespaces, "true", check=False).returncode != 0:
        pytest.skip("an ordinary user gets no namespaces here")
    ordinary.latchkey("daemon", "stop")
    ordinary.socket.unlink(missing_ok=True)
    forger = subprocess.Popen(
        [*ordinary.prefix, *namespaces, "/usr/bin/python3", "-c", FORGER, ordinary.socket, BINARIES / "latchkeyd"],
        env=ordinary.environment, stdout=subprocess.PIPE, text=True)
    assert forger.stdout.readline() == "listens\n"
    sender = stated_sender(ordinary.socket)
    assert os.path.samefile(f"/proc/{sender}/exe", BINARIES / "latchkeyd"), "the kernel takes the forger's word"
    theirs.log_in(PASSWORD)
    heard = forger.stdout.read()
    forger.wait(60)
    assert heard.count("over\n") == 2 and "hello" in heard and "login." not in heard
    ordinary.socket.unlink()


def test_S25_terms_from_another_process_than_the_daemon_are_not_taken(ordinary, theirs):
    """An impostor that passes hello on to the real daemon, and answers the rest itself."""
    real = ordinary.socket.with_name("real.sock")
    ordinary.latchkey("status")
    ordinary.socket.rename(real)
    impostor = subprocess.Popen(
        [*ordinary.prefix, "/usr/bin/python3", "-c", BETWEEN, ordinary.socket, real], env=ordinary.environment, stdout=subprocess.PIPE, text=True)
    assert impostor.stdout.readline() == "listens\n"
    theirs.log_in(PASSWORD)
    ended(theirs)
    impostor.kill()
    heard = impostor.stdout.read()
    impostor.wait(60)
    assert "login.unlock" not in heard and '"key"' not in heard
    ordinary.socket.unlink()
    real.rename(ordinary.socket)


def test_S25_a_socket_of_somebody_else_is_not_connected_to(ordinary, theirs, tmp_path):
    """As root the helper could be led to a socket that the user may not use."""
    ordinary.latchkey("daemon", "stop")
    ordinary.socket.unlink(missing_ok=True)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="root-", dir="/tmp"))
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(folder / "socket"))
    listener.listen()
    listener.settimeout(1)
    for lead in ("link", "hard link", "folder"):
        if lead == "link":
            ordinary.socket.symlink_to(folder / "socket")
        elif lead == "hard link":
            os.link(folder / "socket", ordinary.socket)
        else:
            shutil.move(ordinary.socket.parent, ordinary.folder / "aside")
            ordinary.socket.parent.symlink_to(folder)
            os.link(folder / "socket", folder / "latchkeyd.sock")
        theirs.log_in(PASSWORD)
        with pytest.raises(TimeoutError):
            listener.accept()
        stop_helpers(theirs)
        if lead != "folder":
            ordinary.socket.unlink()
    ordinary.socket.parent.unlink()
    shutil.rmtree(folder)


def test_S25_a_login_of_another_user_unlocks_nothing(ordinary, tools):
    computer = Computer(tools, ordinary.runtime, ordinary.data, "daemon", PASSWORD)
    computer.log_in(PASSWORD)
    time.sleep(1)
    assert is_locked(ordinary)
    stop_helpers(computer)
    computer.close()

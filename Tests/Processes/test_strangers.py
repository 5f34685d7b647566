# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""S59, S60: what strangers' programs say of files, and files whose numbers come again."""

import json
import os
import shutil
import subprocess
import sys

import pytest

#: Says hello, asks as an app does, and prints its role and whether there was an answer.
ASK = r"""
import json, socket, struct, sys
s = socket.socket(socket.AF_UNIX); s.settimeout(20); s.connect(sys.argv[1])
def ask(number, method, params):
    body = json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode()
    s.sendall(struct.pack("=I", len(body)) + body)
    while True:
        size = struct.unpack("=I", s.recv(4, socket.MSG_WAITALL))[0]
        answer = json.loads(s.recv(size, socket.MSG_WAITALL))
        if answer.get("id") == number: return answer
role = ask(1, "hello", {"protocol": 1, "client": {"name": "x", "version": "0"}})["result"]["role"]
try: answered = "error" in ask(2, "authorization.request", {"types": ["password"], "surfaces": ["window"]})
except TimeoutError: answered = False
print(json.dumps([role, answered]))
"""


def asking(installation, *more, program=sys.executable):
    return subprocess.Popen(
        [program, "-c", ASK, installation.socket, *map(str, more)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONHOME": sys.base_prefix})


def said(process):
    return json.loads(process.communicate(timeout=60)[0])


@pytest.fixture
def stranger(installation):
    """An installation that takes this interpreter for no program that it knows."""
    installation.trust()
    return installation.start()


@pytest.mark.parametrize("kind", ["pipe", "/dev/tty", "/dev/zero", "/dev/full", "/dev/fd/0", "/proc/self/mem", "folder"])
def test_S59_a_path_that_a_program_names_holds_nobody_up(stranger, tmp_path, kind):
    path = kind if kind.startswith("/") else tmp_path / kind
    if kind == "pipe":
        os.mkfifo(path)
    if kind == "folder":
        path.mkdir()
    with_it = asking(stranger, path)
    assert said(asking(stranger)) == ["client", True]
    assert said(with_it) == ["client", True]


def test_S60_a_role_does_not_go_to_the_next_file_of_the_same_number(installation, tmp_path):
    program = tmp_path / "listed"
    shutil.copy(os.path.realpath(sys.executable), program)
    installation.trust(settings=[str(program)])
    installation.start()
    assert said(asking(installation, program=program))[0] == "settings"
    number = program.stat().st_ino
    program.unlink()
    for count in range(400):
        other = tmp_path / str(count)
        shutil.copy(os.path.realpath(sys.executable), other) if count < 2 else other.touch()
        assert other.stat().st_ino != number, "the number is given to another file while the daemon compares it"
    assert said(asking(installation, program=tmp_path / "0"))[0] == "client"

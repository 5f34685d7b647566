# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""`latchkey demo`: a page to try filling and saving on, which only this computer reaches."""

import http.client
import json
import os
import re
import signal
import socket
import subprocess

import pytest

from installation import BINARIES, HANG, run_program

ENVIRONMENT = {"PATH": os.environ["PATH"], "HOME": "/nonexistent"}


@pytest.fixture
def port():
    with subprocess.Popen([BINARIES / "latchkey", "demo", "--port", "0"], env=ENVIRONMENT, stdout=subprocess.PIPE) as demo:
        try:
            yield int(re.fullmatch(rb"A page .*: http://localhost:(\d+)/\n", demo.stdout.readline())[1])
            demo.send_signal(signal.SIGINT)
            assert demo.wait(HANG) == -signal.SIGINT
        finally:
            demo.kill()


def ask(port, method="GET", path="/", body=None):
    """The status and the body of the answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=HANG)
    connection.request(method, path, body)
    answer = connection.getresponse()
    return answer.status, answer.read()


@pytest.mark.main
def test_page_to_try_latchkey_on(port, tmp_path):
    # A browser opens connections that it does not use; they hold nobody up, however many there are.
    idle = [socket.create_connection(("127.0.0.1", port), HANG) for _ in range(20)]
    for path, kind in [("", "sign-in"), ("sign-up", "sign-up"), ("code", "one-time-code")]:
        status, page = ask(port, path=f"/{path}")
        (tmp_path / "page.html").write_bytes(page)
        found = run_program([BINARIES / "latchkey", "doctor", "--json", tmp_path / "page.html"], env=ENVIRONMENT)
        [read] = json.loads(found.stdout)
        assert (status, found.returncode, read["kind"], read["findings"]) == (200, 0, kind, []), (found, page)
    # What was sent is not in the answer, which has no form: that is how a site says that it has let somebody in.
    status, page = ask(port, "POST", body=b"user=anna&password=seventeen+letters")
    assert status == 200 and b"<input" not in page and b"anna" not in page
    assert [ask(port, *other)[0] for other in [("GET", "/etc/passwd"), ("GET", "/?user=anna"), ("PUT", "/")]] == [404] * 3
    # More than it reads.
    with pytest.raises(OSError):
        ask(port, "POST", body=b"x" * (32 << 20))
    # Another address of this computer, as a neighbour would use one.
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.2", port), HANG)
    [connection.close() for connection in idle]

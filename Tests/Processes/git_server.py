# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""A real HTTPS remote on this machine: `git http-backend` behind TLS and basic authentication; and git on a terminal."""

import atexit
import base64
import datetime
import fcntl
import functools
import http.server
import os
import pathlib
import pty
import select
import signal
import ssl
import subprocess
import tempfile
import termios
import threading
import time
import urllib.parse

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from installation import HANG, PATIENCE, check_crash
from verdicts import Finding

HOST = "git.example.com"


def certificate(folder, names):
    """A certificate of its own authority; the paths of it and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, names[0])])
    now = datetime.datetime.now(datetime.timezone.utc)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=2))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name) for name in names]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    paths = folder / "certificate.pem", folder / "key.pem"
    paths[0].write_bytes(made.public_bytes(serialization.Encoding.PEM))
    paths[1].write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    return paths


@functools.cache
def repositories():
    """A folder with `one.git` and `two.git`, which are only read: made once for all servers of a process."""
    made = tempfile.TemporaryDirectory(prefix="latchkey-repositories-")
    atexit.register(made.cleanup)
    folder = pathlib.Path(made.name)
    environment = {"PATH": os.environ["PATH"], "HOME": made.name, "GIT_CONFIG_NOSYSTEM": "1"}
    options = ["-c", "user.name=t", "-c", "user.email=t@t", "-c", "init.defaultBranch=main"]
    for name in ["one.git", "two.git"]:
        work = folder / f"work-{name}"
        work.mkdir()
        (work / "file").write_text(name)
        for command in [
            ["init"], ["add", "."], ["commit", "-m", name], ["clone", "--bare", ".", str(folder / name)],
        ]:
            subprocess.run(["git", *options, *command], cwd=work, env=environment, check=True, capture_output=True)
    return folder


class GitServer:
    """Repositories `one.git` and `two.git` with a commit each; `logins` maps a repository to its (user, password) pairs."""

    def __init__(self, folder, tls=True):
        self.repositories = repositories()
        self.logins = {"one.git": {("me", "right")}, "two.git": {("me", "right")}}
        #: Every user and password that was tried.
        self.tried = []
        folder.mkdir(parents=True)
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        self.scheme = "https" if tls else "http"
        self.authority = None
        if tls:
            self.authority, key = certificate(folder, [HOST, "other.example.com", "localhost"])
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(self.authority, key)
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def url(self, repository="one.git", host=HOST, user=None):
        return f"{self.scheme}://{user + '@' if user else ''}{host}:{self.port}/{repository}"

    @property
    def service(self):
        """What a login is saved for."""
        return f"{HOST}:{self.port}" if self.scheme == "https" else f"http://{HOST}:{self.port}"

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def _handler(outer):
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.0"

            def log_message(self, *_):
                pass

            def do_GET(self):
                self._answer(b"")

            def do_POST(self):
                self._answer(self.rfile.read(int(self.headers.get("Content-Length") or 0)))

            def _answer(self, body):
                parts = urllib.parse.urlsplit(self.path)
                repository = parts.path.strip("/").split("/")[0]
                header = self.headers.get("Authorization") or ""
                login = None
                if header.startswith("Basic "):
                    login = tuple(base64.b64decode(header[6:]).decode().split(":", 1))
                    outer.tried.append(login)
                if login not in outer.logins.get(repository, set()):
                    self.send_response(401)
                    self.send_header("WWW-Authenticate", 'Basic realm="Git \\" realm"')
                    self.send_header("WWW-Authenticate", 'Vendor realm="else"')
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                    return
                done = subprocess.run(
                    ["git", "http-backend"],
                    input=body,
                    capture_output=True,
                    env={
                        "PATH": os.environ["PATH"],
                        "GIT_PROJECT_ROOT": str(outer.repositories),
                        "GIT_HTTP_EXPORT_ALL": "1",
                        "GIT_CONFIG_COUNT": "1",
                        "GIT_CONFIG_KEY_0": "safe.directory",
                        "GIT_CONFIG_VALUE_0": "*",
                        "PATH_INFO": parts.path,
                        "QUERY_STRING": parts.query,
                        "REQUEST_METHOD": self.command,
                        "CONTENT_TYPE": self.headers.get("Content-Type") or "",
                        "CONTENT_LENGTH": str(len(body)),
                        "REMOTE_USER": login[0],
                        "GIT_PROTOCOL": self.headers.get("Git-Protocol") or "",
                    },
                )
                head, _, content = done.stdout.partition(b"\r\n\r\n")
                status = 200
                headers = []
                for line in head.decode().split("\r\n"):
                    key, _, value = line.partition(": ")
                    if key.lower() == "status":
                        status = int(value.split()[0])
                    elif key:
                        headers.append((key, value))
                self.send_response(status)
                for key, value in headers:
                    self.send_header(key, value)
                # Whoever ends a TLS connection without a word may have cut it off.
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

        return Handler


class Terminal:
    """A program on a terminal of its own, and the person who sits there."""

    def __init__(self, command, environment, cwd=None, hand=()):
        """`hand` are pairs of what has to stand there and what is then typed."""
        ours, theirs = pty.openpty()

        def take():
            os.setsid()
            fcntl.ioctl(theirs, termios.TIOCSCTTY, 0)

        self.process = subprocess.Popen(
            command, env=environment, cwd=cwd, stdin=theirs, stdout=theirs, stderr=theirs, preexec_fn=take
        )
        os.close(theirs)
        self.screen = ""
        hand = list(hand)
        seen = 0
        end = time.monotonic() + HANG
        while time.monotonic() < end:
            ready, _, _ = select.select([ours], [], [], 0.1)
            if ready:
                try:
                    part = os.read(ours, 65536)
                except OSError:
                    break
                if not part:
                    break
                self.screen += part.decode(errors="replace")
            elif self.process.poll() is not None:
                break
            if hand and hand[0][0] in self.screen[seen:]:
                expected, typed = hand.pop(0)
                seen += self.screen[seen:].index(expected) + len(expected)
                typed = typed(self.screen) if callable(typed) else typed
                # Questions throw away what was typed before, and do so before they stand there.
                os.write(ours, typed.encode())
        else:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
            raise Finding(f"{command[0]} has not ended within {HANG} s:\n{self.screen}")
        os.close(ours)
        self.status = self.process.wait(PATIENCE)
        check_crash(command[0], self.status, self.screen.encode())
        assert not hand, f"never asked {hand[0][0]!r}:\n{self.screen}"

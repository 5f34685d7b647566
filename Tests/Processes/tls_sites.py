# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Real servers on this machine: TLS with certificates of an authority of the test's own, and every way to misbehave.

What a server answers is a list of parts, written as they are: bytes, or a number of seconds to dawdle.
"""

import contextlib
import gzip
import pathlib
import socket
import ssl
import subprocess
import threading


def openssl(*arguments, **options):
    subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True, **options)


class Authority:
    """A certificate authority that nobody knows but who is told of it."""

    def __init__(self, folder, name="Latchkey test authority"):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.key, self.root = self.folder / "root.key", self.folder / "root.pem"
        self._key(self.key)
        openssl(
            *("req", "-x509", "-new", "-key", self.key, "-out", self.root, "-days", "30", "-subj", f"/CN={name}"),
            *("-addext", "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=critical,keyCertSign"),
        )

    def _key(self, path):
        openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", path)

    def issue(self, *hosts, days=30, names=None):
        """A certificate and its key in one file; one of less than no days has expired.

        The first host is the common name as well. `names` are other subject alternative names, as openssl wants them; none
        at all if they are empty.
        """
        stem = self.folder / f"{hosts[0]}-{days}"
        key, request, extensions, certificate = (stem.with_name(stem.name + end) for end in [".key", ".csr", ".ext", ".crt"])
        self._key(key)
        openssl("req", "-new", "-key", key, "-out", request, "-subj", f"/CN={hosts[0]}")
        kinds = ("IP" if host.replace(".", "").isdigit() else "DNS" for host in hosts)
        stated = ",".join(f"{kind}:{host}" for kind, host in zip(kinds, hosts)) if names is None else names
        extensions.write_text(f"subjectAltName={stated}" if stated else "")
        openssl(
            *("x509", "-req", "-in", request, "-CA", self.root, "-CAkey", self.key, "-CAcreateserial"),
            *("-out", certificate, "-days", days, "-extfile", extensions),
        )
        whole = stem.with_name(stem.name + ".pem")
        whole.write_text(certificate.read_text() + key.read_text())
        return whole


def answer(body=b"", status="200 OK", headers=(), length=True):
    """A whole answer of HTTP."""
    lines = [f"HTTP/1.1 {status}", *headers]
    if length is not False:
        lines.append(f"Content-Length: {len(body) if length is True else length}")
    return ["\r\n".join(lines).encode() + b"\r\n\r\n", body]


def zipped(body, **options):
    return answer(gzip.compress(body), headers=["Content-Encoding: gzip"], **options)


class Site:
    """A server; `pages` maps a path to a list of parts, or to a function that gives one."""

    def __init__(self, certificate=None, pages=None, maximum=None):
        self.pages = dict(pages or {})
        #: Request lines and headers, as they came.
        self.requests = []
        self.context = None
        if certificate:
            self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.context.load_cert_chain(certificate)
            if maximum:
                self.context.minimum_version = ssl.TLSVersion.MINIMUM_SUPPORTED
                self.context.maximum_version = maximum
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.listener.getsockname()[1]
        self.stopped = threading.Event()
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._converse, args=[connection], daemon=True).start()

    def _converse(self, connection):
        with contextlib.suppress(OSError, ValueError), contextlib.ExitStack() as stack:
            stack.enter_context(connection)
            connection.settimeout(60)
            if self.context:
                connection = stack.enter_context(self.context.wrap_socket(connection, server_side=True))
            head = b""
            while b"\r\n\r\n" not in head:
                part = connection.recv(65_536)
                if not part:
                    return
                head += part
                if not self.context and head.startswith(b"\x16"):
                    # Somebody speaks TLS to a server that does not.
                    connection.sendall(b"".join(answer(status="400 Bad Request")))
                    return
            lines = head.decode("latin-1").split("\r\n")
            self.requests.append([line for line in lines if line])
            page = self.pages.get(lines[0].split(" ")[1], answer(status="404 Not Found"))
            for part in page() if callable(page) else page:
                if isinstance(part, bytes):
                    connection.sendall(part)
                elif self.stopped.wait(part):
                    return

    def close(self):
        self.stopped.set()
        self.listener.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Proxy:
    """An HTTP proxy that knows CONNECT, and where each host really is."""

    def __init__(self, places):
        self.places = places
        self.requests = []
        #: Request lines and headers, as they came.
        self.heads = []
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._converse, args=[connection], daemon=True).start()

    def _converse(self, connection):
        with contextlib.suppress(OSError), connection:
            head = b""
            while b"\r\n\r\n" not in head:
                part = connection.recv(65_536)
                if not part:
                    return
                head += part
            line = head.decode("latin-1").split("\r\n")[0]
            self.heads.append(head.decode("latin-1").split("\r\n"))
            self.requests.append(line)
            method, target, _ = line.split(" ")
            if method != "CONNECT" or target not in self.places:
                connection.sendall(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
                return
            with socket.create_connection(("127.0.0.1", self.places[target])) as onward:
                connection.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
                threads = [
                    threading.Thread(target=self._pass, args=ends, daemon=True)
                    for ends in [(connection, onward), (onward, connection)]
                ]
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join()

    @staticmethod
    def _pass(source, sink):
        with contextlib.suppress(OSError):
            while part := source.recv(65_536):
                sink.sendall(part)
            sink.shutdown(socket.SHUT_WR)

    def close(self):
        self.listener.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

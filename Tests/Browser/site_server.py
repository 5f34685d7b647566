# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""HTTPS pages of made-up sites, served by the test process itself; over http on port 80 as well."""

import base64
import hashlib
import http.server
import ssl
import subprocess
import threading
from pathlib import Path
from urllib.parse import urlsplit

NAMES = ["shiny.example.com", "other.example.com", "plain.example.org", "evil.example.net"]


class Site:
    """A server on 127.0.0.1 that answers for every host name; pages are looked up by (host, path)."""

    def __init__(self, folder: Path):
        self.pages: dict[tuple[str, str], tuple[str, bytes, dict]] = {}
        #: The hosts that were asked for.
        self.asked: set[str] = set()
        certificate, key = folder / "site.pem", folder / "site.key"
        if not certificate.exists():
            names = ",".join(f"DNS:{name}" for name in NAMES)
            subprocess.run(
                ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                 "-subj", "/CN=shiny.example.com", "-addext", f"subjectAltName={names}", "-keyout", key, "-out", certificate],
                check=True, capture_output=True)
        #: Its own root, too.
        self.certificate = certificate
        public = ssl.PEM_cert_to_DER_cert(certificate.read_text())
        spki = subprocess.run(["openssl", "x509", "-inform", "DER", "-pubkey", "-noout"], input=public, check=True, capture_output=True)
        body = b"".join(line for line in spki.stdout.splitlines() if b"-----" not in line)
        self.spki = base64.b64encode(hashlib.sha256(base64.b64decode(body)).digest()).decode()

        site = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                # What a form sent would be taken for the next request.
                self.rfile.read(int(self.headers.get("Content-Length") or 0))
                host = self.headers.get("Host", "").split(":")[0]
                site.asked.add(host)
                # A proxy is asked for whole addresses.
                path = urlsplit(self.path).path
                kind, body, headers = site.pages.get((host, path)) or ("text/plain", b"not found", {})
                found = int(headers.get("status", 200))
                self.send_response(found if (host, path) in site.pages else 404)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                for name, value in headers.items():
                    if name != "status":
                        self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            do_POST = do_GET

            def log_message(self, *_):
                pass

        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_):
                pass

        #: The same pages without encryption, for pages that came to be so.
        self.plain = Server(("127.0.0.1", 0), Handler)
        self.server = Server(("127.0.0.1", 0), Handler)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True, do_handshake_on_connect=False)
        self.port = self.server.server_address[1]
        for server in (self.server, self.plain):
            threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()

    def page(self, path: str, body: str, host: str = "shiny.example.com", kind: str = "text/html; charset=utf-8", **headers: str) -> str:
        """Serves a page and returns its address; `status` is that of the answer, all others are headers."""
        self.pages[(host, path)] = (kind, body.encode(), headers)
        return f"https://{host}{path}"

    def arguments(self) -> list[str]:
        """What Chromium needs to reach this server, and it alone."""
        plain = self.plain.server_address[1]
        return [f"--host-resolver-rules=MAP *:80 127.0.0.1:{plain},MAP * 127.0.0.1:{self.port}", f"--ignore-certificate-errors-spki-list={self.spki}"]

    def stop(self) -> None:
        for server in (self.server, self.plain):
            server.shutdown()
            server.server_close()

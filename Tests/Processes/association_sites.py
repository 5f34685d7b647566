# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Sites with certificates of an authority of their own, on this machine: a real TLS server that misbehaves on request."""

import datetime
import http.server
import ipaddress
import json
import ssl
import threading

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

NOW = datetime.datetime.now(datetime.timezone.utc)
DAY = datetime.timedelta(days=1)


def name(text):
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


class Authority:
    """A root that signs certificates of sites."""

    def __init__(self, folder, title="Latchkey tests"):
        self.folder = folder
        self.title = title
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.certificate = (
            x509.CertificateBuilder()
            .subject_name(name(title))
            .issuer_name(name(title))
            .public_key(self.key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(NOW - 10 * DAY)
            .not_valid_after(NOW + 10 * DAY)
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(self.key.public_key()), critical=False)
            .sign(self.key, hashes.SHA256())
        )
        self.path = folder / f"{title.replace(' ', '-')}.pem"
        self.path.write_bytes(self.certificate.public_bytes(serialization.Encoding.PEM))

    def context(self, *names, start=NOW - DAY, end=NOW + DAY):
        """What a server needs to speak for these names."""
        key = ec.generate_private_key(ec.SECP256R1())
        certificate = (
            x509.CertificateBuilder()
            .subject_name(name(names[0]))
            .issuer_name(name(self.title))
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(start)
            .not_valid_after(end)
            .add_extension(x509.SubjectAlternativeName([self._name(n) for n in names]), critical=False)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(x509.ExtendedKeyUsage([x509.oid.ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
            .sign(self.key, hashes.SHA256())
        )
        path = self.folder / f"{x509.random_serial_number():x}.pem"
        path.write_bytes(
            certificate.public_bytes(serialization.Encoding.PEM)
            + key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
        )
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(path)
        return context

    @staticmethod
    def _name(text):
        try:
            return x509.IPAddress(ipaddress.ip_address(text))
        except ValueError:
            return x509.DNSName(text)


class Sites:
    """A server that speaks for any host, each with its certificate and its pages."""

    def __init__(self, folder):
        self.folder = folder
        self.authority = Authority(folder)
        #: By host; a host that is not here gets one of the authority when it is first asked for.
        self.contexts = {}
        #: By (host, path): (status, headers, body), or a function that is given the handler.
        self.pages = {}
        #: What was asked, as (host, path).
        self.requests = []
        self.hosts = set()
        sites = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                host = self.headers.get("Host", "").split(":")[0]
                sites.requests.append((host, self.path))
                page = sites.pages.get((host, self.path), (404, {}, b"not found"))
                self.close_connection = True
                if callable(page):
                    page(self)
                else:
                    self.answer(*page)

            def answer(self, status, headers, body):
                self.send_response(status)
                if "Content-Length" not in headers:
                    self.send_header("Content-Length", str(len(body)))
                for header, value in headers.items():
                    self.send_header(header, value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_):
                pass

        default = self.authority.context("default.example.invalid")
        self.server = Server(("127.0.0.1", 0), Handler)
        # The handshake needs a certificate before the host is known.
        default.sni_callback = self._choose
        self.server.socket = default.wrap_socket(
            self.server.socket, server_side=True, do_handshake_on_connect=False
        )
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def _choose(self, connection, host, _):
        if host not in self.contexts:
            self.contexts[host] = self.authority.context(host)
        connection.context = self.contexts[host]

    def serve(self, host, path, body=b"", status=200, **headers):
        """Puts a page at a place."""
        self.hosts.add(host)
        headers = {key.replace("_", "-"): value for key, value in headers.items()}
        self.pages[(host, path)] = body if callable(body) else (status, headers, body)

    def asked(self):
        """What was asked since this was last called."""
        asked, self.requests[:] = list(self.requests), []
        return asked

    def tell(self, config, hosts=(), **more):
        """Writes the fetch.json that leads to these sites."""
        names = self.hosts | set(hosts)
        config.mkdir(parents=True, exist_ok=True, mode=0o700)
        (config / "fetch.json").write_text(
            json.dumps(
                {
                    "additionalRoots": str(self.authority.path),
                    "resolve": {f"{host}:443": f"127.0.0.1:{self.port}" for host in names},
                    **more,
                }
            )
        )

    def close(self):
        self.server.shutdown()
        self.server.server_close()

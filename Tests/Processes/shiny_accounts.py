# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Shiny's accounts of Examples/ShinyAccounts on this machine: the service behind TLS, and its app with the extension."""

import contextlib
import hashlib
import hmac
import http.client
import json
import pathlib
import plistlib
import shutil
import socket
import ssl
import struct
import subprocess
import threading
import time

from installation import BINARIES, ROOT
from tls_sites import Authority

HOST = "shiny.example.com"
ISSUER = "appleid.example.com"
APP = "A1B2C3D4E5.com.example.shiny"
EXTENSION = "com.example.shiny.upgrade"
CLIENT = "com.example.shiny.signin"
RETURN = f"https://{HOST}/auth/return"
EXAMPLE = ROOT / "Examples" / "ShinyAccounts"
PROGRAM = BINARIES / "shiny-accounts"


def code(key, moment=None):
    """What an authenticator shows (RFC 6238)."""
    counter = struct.pack(">Q", int(moment or time.time()) // 30)
    mac = hmac.new(key, counter, hashlib.sha1).digest()
    start = mac[-1] & 15
    return f"{(struct.unpack('>I', mac[start:start + 4])[0] & 0x7FFFFFFF) % 1_000_000:06}"


class ShinyAccounts:
    """The service, and a TLS end before it that speaks for its host and for the identity provider's."""

    def __init__(self, folder, issuer=True, port=0, accounts=None):
        self.folder = pathlib.Path(folder)
        arguments = [PROGRAM, "--port", str(port), "--for-tests", "--app", APP]
        if issuer:
            arguments += ["--issuer", f"https://{ISSUER}", "--client-identifier", CLIENT, "--return-url", RETURN]
        if accounts:
            arguments += ["--accounts", str(accounts)]
        self.process = subprocess.Popen(arguments, stdout=subprocess.PIPE)
        self.port = int(self.process.stdout.readline())
        self.authority = Authority(self.folder / "authority")
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.certificate = self.authority.issue(HOST, ISSUER, days=2)
        context.load_cert_chain(self.certificate)
        #: The first line of everything that came over TLS at once.
        self.asked = []
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.tls_port = self.listener.getsockname()[1]
        threading.Thread(target=self._serve, args=[context], daemon=True).start()

    def _serve(self, context):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._relay, args=[connection, context], daemon=True).start()

    def _relay(self, connection, context):
        with contextlib.suppress(OSError, ValueError), context.wrap_socket(connection, server_side=True) as near:
            with socket.create_connection(("127.0.0.1", self.port)) as far:
                back = threading.Thread(target=self._pass, args=[far, near], daemon=True)
                back.start()
                self._pass(near, far, self.asked)
                back.join()

    @staticmethod
    def _pass(source, sink, lines=None):
        with contextlib.suppress(OSError, ValueError):
            while part := source.recv(65_536):
                if lines is not None:
                    lines.append(part.split(b"\r\n", 1)[0].decode(errors="replace"))
                sink.sendall(part)
        with contextlib.suppress(OSError):
            sink.shutdown(socket.SHUT_WR)

    def configure(self, installation):
        """Has Latchkey find both hosts here, and believe their certificate."""
        place = f"127.0.0.1:{self.tls_port}"
        (installation.config / "fetch.json").write_text(
            json.dumps({
                "additionalRoots": str(self.authority.root), "resolve": {f"{HOST}:443": place, f"{ISSUER}:443": place}
            })
        )

    def ask(self, method, path, body=None, host=HOST, kind="application/json"):
        """One request, without TLS: status, headers and text."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            connection.request(method, path, body, {"Host": host, **({"Content-Type": kind} if body is not None else {})})
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read().decode()
        finally:
            connection.close()

    def post(self, path, **members):
        """A request of the API: the status, and what was answered."""
        status, _, text = self.ask("POST", path, json.dumps(members))
        return status, json.loads(text)

    def add(self, user, password, key=None):
        """An account from before there was a policy."""
        assert self.post("/test/account", user=user, password=password, **({"key": key.hex()} if key else {}))[0] == 200

    def takes(self, user, password, key=None):
        """Whether somebody signs in so."""
        status, _ = self.post("/api/session", user=user, password=password, **({"code": code(key)} if key else {}))
        return status == 200

    def put_app(self, folder, information=None, issuer=False, attributes=None):
        """The app's folder, as its author ships it; the app and its extension speak to this service. With `issuer` the extension
        is a debug build that has this service's identity provider in Apple's place."""
        folder = pathlib.Path(folder)
        extension = folder / "PlugIns" / "ShinyAccountsUpgrade.appex"
        extension.mkdir(parents=True)
        shutil.copy(EXAMPLE / "Bundle" / "Shiny.entitlements", folder)
        entitlements = plistlib.loads((EXAMPLE / "Bundle" / "ShinyAccountsUpgrade.entitlements").read_bytes())
        # The service is on this computer, which is nothing of the internet's.
        entitlements["org.latchkey.security.network.hosts"] = [f"127.0.0.1:{self.port}"]
        if issuer:
            entitlements["get-task-allow"] = True
        (extension / "ShinyAccountsUpgrade.entitlements").write_bytes(plistlib.dumps(entitlements))
        shutil.copy(BINARIES / "ShinyAccountsUpgrade", extension)
        shutil.copy(BINARIES / "ShinyAccountsApp", folder / "shiny")
        service = {"ShinyService": f"http://127.0.0.1:{self.port}"}
        (folder / "Info.plist").write_bytes(plistlib.dumps(service))
        stated = plistlib.loads((EXAMPLE / "Bundle" / "Info.plist").read_bytes())
        if issuer:
            stated["NSExtension"]["NSExtensionAttributes"]["LatchkeySignInWithAppleIssuer"] = f"https://{ISSUER}"
        stated["NSExtension"]["NSExtensionAttributes"].update(attributes or {})
        stated.update(service, **(information or {}))
        (extension / "Info.plist").write_bytes(plistlib.dumps(stated))
        return folder

    def stop(self):
        self.listener.close()
        self.process.terminate()
        self.process.wait(20)
        self.process.stdout.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

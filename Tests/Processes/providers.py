# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Providers of other people, as bundles of `obedient_provider.py`, and their containing apps."""

import json
import os
import pathlib
import plistlib
import select
import shutil
import signal
import socket
import struct
import subprocess
import sys

import pytest

from installation import HANG, PATIENCE, BrowserClient, Client, WireFailure, read_exactly, silence, until

SHINY = "com.example.shiny"
BUILT_IN = "org.latchkey.passwords"
SITE = "https://shiny.example.com"
HOST = "shiny.example.com"
ENTITLEMENT = "com.apple.developer.authentication-services.autofill-credential-provider"
NETWORK = "com.apple.security.network.client"
READ_ONLY = "com.apple.security.temporary-exception.files.home-relative-path.read-only"
READ_WRITE = "com.apple.security.temporary-exception.files.home-relative-path.read-write"
SOCKETS = "org.latchkey.security.sockets"
PROGRAM = pathlib.Path(__file__).with_name("obedient_provider.py")


def write_bundle(folder, identifier, name, entitlements=None, program=PROGRAM, capabilities=None):
    """A bundle's three files."""
    folder.mkdir(parents=True)
    information = {
        "CFBundleIdentifier": identifier,
        "CFBundleDisplayName": name,
        "CFBundleShortVersionString": "1.0",
        "CFBundleExecutable": "provider",
        "NSExtension": {
            "NSExtensionPointIdentifier": "com.apple.authentication-services-credential-provider-ui",
            "NSExtensionAttributes": {
                "ASCredentialProviderExtensionCapabilities": {
                    "ProvidesPasswords": True, "ShowsConfigurationUI": True, **(capabilities or {})}
            },
        },
    }
    (folder / "Info.plist").write_bytes(plistlib.dumps(information))
    (folder / "provider.entitlements").write_bytes(plistlib.dumps({ENTITLEMENT: True, **(entitlements or {})}))
    shutil.copy(program, folder / "provider")
    (folder / "provider").chmod(0o755)


def processes(path):
    """The processes whose command line has this path, those of bubblewrap included."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if os.fsencode(path) in (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
            except OSError:
                continue
    return found


class Bundle:
    """One provider, in the user's own folder of bundles.

    `accounts` are (host, user, password, rank); the last two may be left out.
    """

    def __init__(
        self, installation, identifier="com.example.shiny", name="Shiny", place=None, entitlements=None, accounts=None,
        capabilities=None, **behaviour,
    ):
        self.installation, self.identifier = installation, identifier
        self.extensions = installation.data / "extensions"
        self.folder = self.extensions / (place or f"{identifier}.appex")
        self.root = self.extensions / self.folder.relative_to(self.extensions).parts[0]
        write_bundle(self.folder, identifier, name, entitlements, capabilities=capabilities)
        self.container = installation.data / "containers" / identifier
        self.container.mkdir(parents=True, mode=0o700, exist_ok=True)
        os.chmod(self.container.parent, 0o700)
        self.accounts = [(HOST, "rmondello", "correct horse")] if accounts is None else accounts
        self.behave(**behaviour)

    def behave(self, **behaviour):
        """From its next start on."""
        if self.container.exists():
            (self.container / "behaviour.json").write_text(json.dumps({"accounts": self.accounts, **behaviour}))

    def statement(self, client):
        for provider in client.call("providers.list")["providers"]:
            if provider["identifier"] == self.identifier:
                return provider
        return None

    def enable(self, client, filled=True):
        client.proven("providers.enable", identifier=self.identifier, digest=self.statement(client)["digest"])
        if filled:
            until(lambda: self.statement(client)["identities"] == len(self.accounts))
        return self

    def kill(self, client):
        """Ends the process, and waits until the daemon knows."""
        os.kill(self.program, signal.SIGKILL)
        until(lambda: not self.statement(client)["running"])

    def processes(self):
        return processes(self.folder / "provider")

    @property
    def program(self):
        """The process of the provider itself, inside of bubblewrap where there is one."""
        return max(
            (p for p in self.processes() if b"bwrap" not in _command(p)), default=None
        )


def _command(process):
    try:
        return pathlib.Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")[0]
    except OSError:
        return b""


class Hand:
    """The test's hand on a provider: sees what it is asked, and orders what it does."""

    #: In seconds: how long the provider may take to say something by itself.
    patience = PATIENCE

    def __init__(self, bundle):
        # Pipes: a provider that was given no sockets has none.
        self.folder = bundle.container / "hand"
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()
        self.pipes = []
        self.waiting = []
        for _ in range(3):
            self._prepare()

    def __del__(self):
        # Each user may have only so many pipes.
        for pipe in self.pipes:
            os.close(pipe)

    def taken(self):
        """Waits for the next process of the provider."""
        place, self.read, self.write = self.waiting.pop(0)
        self._prepare()
        until(lambda: place.with_suffix(".taken").exists(), seconds=self.patience)
        self.unread = b""
        self.start = self.expect("provider.start")
        return self

    def _prepare(self):
        """Pipes for a process to come. What it writes stays in them when it ends."""
        number = len(self.pipes) // 2
        place = self.folder / f"{number:04}.free"
        for name in [".lines", ".orders"]:
            os.mkfifo(place.with_suffix(name))
        read = os.open(place.with_suffix(".lines"), os.O_RDONLY | os.O_NONBLOCK)
        write = os.open(place.with_suffix(".orders"), os.O_RDWR)
        self.pipes += [read, write]
        self.waiting.append((place, read, write))
        place.touch()

    def expect(self, method):
        """The next request of this method."""
        return self._next(lambda line: line.get("message", {}).get("method") == method)["message"]

    def filled(self):
        self._next(lambda line: "filled" in line)
        return self

    def committing(self):
        self._next(lambda line: "committing" in line)

    def run(self, code):
        """Runs a program in the provider: what it leaves in `value`, or `{"raised": …}`."""
        self.order(do="run", code=code)
        return self.done()

    def ask(self, method, **params):
        """Has the provider ask the daemon: the whole answer."""
        self.order(do="ask", method=method, params=params)
        return self._next(lambda line: "ran" in line, HANG, [method])["ran"]

    def send(self, **message):
        self.order(do="send", message=message)

    def done(self):
        return self._next(lambda line: "ran" in line, HANG)["ran"]

    def order(self, **order):
        line = json.dumps(order).encode() + b"\n"
        while line:
            line = line[os.write(self.write, line) :]

    def gone(self):
        """Waits until the process has ended, however it did; returns what it told until then."""
        told = []
        try:
            while True:
                told.append(json.loads(self._line()))
        except ConnectionError:
            return told

    def _line(self, seconds=0, awaited=()):
        """The next line; `awaited` are the methods that the provider has asked the daemon for."""
        while b"\n" not in self.unread:
            if not select.select([self.read], [], [], max(seconds, self.patience))[0]:
                if awaited:
                    raise silence("latchkeyd", awaited)
                raise TimeoutError("the provider says nothing")
            if not (part := os.read(self.read, 1 << 20)):
                raise ConnectionError("the provider ended")
            self.unread += part
        line, self.unread = self.unread.split(b"\n", 1)
        return line

    def _next(self, fits, *limits):
        while True:
            if fits(line := json.loads(self._line(*limits))):
                return line


class Browser(BrowserClient):
    """A browser whose user agrees to everything; interfaces stay open, and are acted on by the test."""

    def __init__(self, installation):
        super().__init__(installation)
        self.user = lambda shown: (True, None)
        self.surfaces = []

    def rows(self, origin=SITE, document="D1"):
        self.session = self.focus(origin, document=document)["session"]
        return self.call("renderer.suggestions", session=self.session)["suggestions"] if self.session else []

    def start_choosing(self, provider="com.example.shiny", origin=SITE, document="D1"):
        """Asks for the first row of a provider; the number to wait for."""
        handle = [row["handle"] for row in self.rows(origin, document) if row["provider"] == provider][0]
        return self.ask("renderer.choose", handle=handle, surface="popup", guard={"held": True})

    def choose(self, provider="com.example.shiny", origin=SITE):
        """The password that is filled."""
        fills = self.wait(self.start_choosing(provider, origin))["fills"]
        return {fill["role"]: fill["value"]["secret"] for fill in fills}["current-password"]

    def receive_until(self, condition):
        """Answers what the daemon asks until something has come of it."""
        while not condition():
            message = self.receive()
            if message is None:
                raise ConnectionError("the host ended")
            if "method" in message:
                self._answer(message)
            else:
                self.answers[message["id"]] = message

    def _answer(self, message):
        if message["method"] == "browser.present":
            self.send({"jsonrpc": "2.0", "id": message["id"], "result": {}})
            prompt = message["params"]["prompt"]
            shown = self.call("renderer.prompt", prompt=prompt)
            self.presented.append(shown)
            if shown["kind"] == "interface":
                self.surfaces.append(prompt)
            else:
                accept, passphrase = self.user(shown)
                answer = {"passphrase": {"secret": passphrase}} if passphrase else {}
                self.call("renderer.answer", prompt=prompt, accept=accept, **answer)
        else:
            super()._answer(message)


class App(Client):
    """The containing app of a bundle: an interpreter of its own inside the bundle's folder, which passes frames on."""

    RELAY = """
import os, socket, sys, threading
s = socket.socket(socket.AF_UNIX)
s.connect(sys.argv[1])
def back():
    while data := s.recv(65536):
        os.write(1, data)
    os._exit(0)
threading.Thread(target=back, daemon=True).start()
while data := os.read(0, 65536):
    s.sendall(data)
"""

    @staticmethod
    def put(bundle):
        """Puts the program there; before the bundle is enabled, since it belongs to what is enabled."""
        program = bundle.root / "app"
        shutil.copy(os.path.realpath(sys.executable), program)
        return program

    def __init__(self, bundle, program=None):
        self.process = subprocess.Popen(
            [program or bundle.root / "app", "-I", "-c", self.RELAY, bundle.installation.socket],
            env={**bundle.installation.environment, "PYTHONHOME": sys.base_prefix},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )
        self.next, self.awaited = 1, {}
        try:
            self.hello = self.call("hello", protocol=1, client={"name": "app", "version": "0"})
        except BaseException:
            self.close()
            raise

    def send(self, message):
        body = json.dumps(message).encode()
        self.process.stdin.write(struct.pack("=I", len(body)) + body)
        self.process.stdin.flush()

    def _exactly(self, count):
        return read_exactly(self.process.stdout, count, self.awaited.values()) or None

    def close(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


def rows(client, origin=SITE):
    answer = client.call("suggestions.list", url=origin)["suggestions"]
    return [(row["provider"], row["user"]) for row in answer]


def store_file(installation, identifier=SHINY):
    return installation.state / "identities" / f"{identifier}.identities"


def refusal(code, call, *arguments, **options):
    with pytest.raises(WireFailure) as refused:
        call(*arguments, **options)
    assert refused.value.code == code, refused.value
    return refused.value


def taken(bundle, client, filled=True):
    """Enables a bundle with the test's hand on it, and waits until it has filled its store."""
    hand = Hand(bundle)
    bundle.enable(client, filled=filled)
    hand.taken()
    return hand.filled() if filled else hand

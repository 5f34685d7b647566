# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""KeePassXC with a made-up database, and a client of its browser protocol
(https://github.com/keepassxreboot/keepassxc-browser/blob/develop/keepassxc-protocol.md)."""

import base64
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from xml.sax.saxutils import escape

import nacl.public
import nacl.utils

from figures import milliseconds

PASSWORD = "a password for measuring"
#: The name of the association between browser and database.
NAME = "bench"
SETTINGS = """[General]
ConfigVersion=2
UpdateCheckMessageShown=true
[GUI]
CheckForUpdates=false
[Security]
LockDatabaseIdle=false
LockDatabaseScreenLock=false
[Browser]
Enabled=true
AlwaysAllowAccess=true
UpdateBinaryPath=false
NoMigrationPrompt=true
"""


def encoded(data):
    return base64.b64encode(bytes(data)).decode()


def exported(accounts, public):
    """An export of KeePass 2 with one entry for each (host, user), which trusts a browser's key."""
    entry = "<Entry><UUID>{uuid}</UUID>{strings}</Entry>"
    text = lambda **values: "".join(
        f"<String><Key>{key}</Key><Value>{escape(value)}</Value></String>" for key, value in values.items())
    entries = "".join(
        entry.format(uuid=encoded(os.urandom(16)), strings=text(
            Title=host, URL=f"https://{host}", UserName=user, Password="correct horse battery"))
        for host, user in accounts)
    return (
        f"<KeePassFile><Meta><CustomData><Item><Key>KPXC_BROWSER_{NAME}</Key><Value>{public}</Value></Item></CustomData></Meta>"
        f"<Root><Group><UUID>{encoded(os.urandom(16))}</UUID><Name>Root</Name>{entries}</Group></Root></KeePassFile>")


class KeePassXC:
    """One KeePassXC on a display of its own, in folders of its own, with its database open."""

    def __init__(self, accounts):
        self.folder = Path(tempfile.mkdtemp(prefix="latchkey-peer-"))
        self.processes = []
        kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        self.environment = {"LANG": "C.UTF-8", "HOME": str(self.folder), "TMPDIR": str(self.folder), **kept}
        for name in ["CONFIG_HOME", "DATA_HOME", "STATE_HOME", "CACHE_HOME", "RUNTIME_DIR"]:
            path = self.folder / name.lower()
            path.mkdir(mode=0o700)
            self.environment[f"XDG_{name}"] = str(path)
        self.identity = nacl.public.PrivateKey.generate()
        self.log = open(self.folder / "log", "ab")
        try:
            self._start(accounts)
        except BaseException:
            self.close()
            raise

    def _start(self, accounts):
        export, database, settings = (self.folder / name for name in ("export.xml", "bench.kdbx", "keepassxc.ini"))
        export.write_text(exported(accounts, encoded(self.identity.public_key)))
        settings.write_text(SETTINGS)
        subprocess.run(
            ["keepassxc-cli", "import", "--set-password", export, database], input=f"{PASSWORD}\n{PASSWORD}\n".encode(),
            env=self.environment, stdout=self.log, stderr=self.log, check=True)
        self.environment["DISPLAY"] = self._display()
        self.process = self._spawn(
            ["keepassxc", "--config", settings, "--localconfig", self.folder / "local.ini", "--pw-stdin", database],
            stdin=subprocess.PIPE)
        self.process.stdin.write(PASSWORD.encode() + b"\n")
        self.process.stdin.close()
        self._connect()

    def _spawn(self, arguments, **options):
        process = subprocess.Popen(arguments, env=self.environment, stdout=self.log, stderr=self.log, **options)
        self.processes.append(process)
        return process

    def _display(self):
        ours, theirs = os.pipe()
        self._spawn(
            ["Xvfb", "-displayfd", str(theirs), "-screen", "0", "1024x768x24", "-nolisten", "tcp"], pass_fds=[theirs],
            stdin=subprocess.DEVNULL)
        os.close(theirs)
        number = b""
        while not number.endswith(b"\n"):
            part = os.read(ours, 16)
            if not part:
                raise RuntimeError(f"Xvfb does not start: {(self.folder / 'log').read_text()[-500:]}")
            number += part
        os.close(ours)
        return f":{number.decode().strip()}"

    def _connect(self):
        """Exchanges keys and waits until the database is open, which takes it a second or two."""
        deadline = time.monotonic() + 60
        while True:
            try:
                self._exchange_keys()
                question = self.request("test-associate", id=NAME, key=encoded(self.identity.public_key))
                answer = self.open(self.ask(question)[1])
                if answer.get("success") == "true":
                    return
                problem = answer
            except (OSError, StopIteration) as error:
                problem = error
            if time.monotonic() > deadline or self.process.poll() is not None:
                raise RuntimeError(f"KeePassXC does not open its database: {problem}")
            time.sleep(0.2)

    def _exchange_keys(self):
        path = next(path for path in self.folder.rglob("org.keepassxc.KeePassXC.BrowserServer") if path.is_socket())
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(60)
        self.socket.connect(str(path))
        session = nacl.public.PrivateKey.generate()
        self.client = encoded(nacl.utils.random(24))
        answer = self.ask(json.dumps({
            "action": "change-public-keys", "publicKey": encoded(session.public_key),
            "nonce": encoded(nacl.utils.random(24)), "clientID": self.client}).encode())[1]
        if "publicKey" not in answer:
            raise RuntimeError(f"KeePassXC does not exchange keys: {answer}")
        self.box = nacl.public.Box(session, nacl.public.PublicKey(base64.b64decode(answer["publicKey"])))

    def request(self, action, **members):
        """A sealed request, made before its time is taken, as ours are."""
        nonce = nacl.utils.random(24)
        sealed = self.box.encrypt(json.dumps({"action": action, **members}).encode(), nonce).ciphertext
        return json.dumps({
            "action": action, "message": encoded(sealed), "nonce": encoded(nonce), "clientID": self.client}).encode()

    def logins(self, url):
        return self.request("get-logins", url=url, keys=[{"id": NAME, "key": encoded(self.identity.public_key)}])

    def ask(self, request):
        """(milliseconds from the first byte sent to the last one received, the answer as it came). Nothing frames the
        messages of this protocol: an answer has ended where it is whole JSON."""
        start = time.perf_counter()
        self.socket.sendall(request)
        data = b""
        while True:
            part = self.socket.recv(1 << 20)
            if not part:
                raise ConnectionError("KeePassXC closed the connection")
            data += part
            took = milliseconds(start)
            try:
                answer = json.loads(data)
            except ValueError:
                continue
            # It tells of locking and unlocking unasked.
            if answer.get("action") in ("database-locked", "database-unlocked"):
                data = b""
                continue
            return took, answer

    def open(self, answer):
        if "message" not in answer:
            return answer
        return json.loads(self.box.decrypt(base64.b64decode(answer["message"]), base64.b64decode(answer["nonce"])))

    def close(self):
        for process in reversed(self.processes):
            if process.poll() is None:
                process.terminate()
                try:
                    process.wait(10)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)

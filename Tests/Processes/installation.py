# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""A throw-away Latchkey: folders of its own, the real daemon, and a client that speaks the wire."""

import contextlib
import json
import os
import pathlib
import re
import select
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Measurements and demonstrations import this file without the `conftest.py` of the tests.
if str(ROOT / "Tests") not in sys.path:
    sys.path.append(str(ROOT / "Tests"))

from verdicts import Finding  # noqa: E402

BINARIES = pathlib.Path(os.environ.get("LATCHKEY_BIN", ROOT / ".build" / "debug"))
PASSPHRASE = "correct horse battery staple"
#: The wire's code for a request that takes the passphrase.
AUTHENTICATION_REQUIRED = 3
#: In seconds: how long a state may take that comes by itself, however slow the machine is.
PATIENCE = 30
#: In seconds: a program of ours that has not answered a request by then hangs.
HANG = 120
#: The signals by which a program ends that has crashed.
CRASHES = {signal.SIGSEGV, signal.SIGABRT, signal.SIGILL, signal.SIGTRAP, signal.SIGBUS, signal.SIGFPE}
#: What a program in Swift writes when it crashes.
LAST_WORDS = re.compile(rb"^.*(?:Fatal error|Program crashed).*$", re.MULTILINE)


def room_for_sockets():
    """The folder for temporary folders; a short one where the usual one is long, since a socket's path has at most 107 bytes."""
    usual = tempfile.gettempdir()
    return usual if len(os.fsencode(usual)) <= 32 else "/tmp"


def check_crash(program, status, written=b""):
    """Checks that a program of ours has not crashed, by how it ended (`None` while it runs) and by what it wrote."""
    # A shell or bubblewrap ends with 128 and the signal of the program in it.
    for number in (-(status or 0), (status or 0) - 128):
        if number in CRASHES:
            raise Finding(f"{program} crashed: {signal.Signals(number).name} {written[-2000:].decode(errors='replace')}")
    if words := LAST_WORDS.search(written):
        raise Finding(f"{program} crashed: {words[0][:2000].decode(errors='replace')}")


def run_program(command, **options):
    """Runs a program of ours to its end, and returns the finished process. That it hangs or crashes is a finding."""
    words = [os.path.basename(command[0]), *command[1:]]
    try:
        done = subprocess.run(command, capture_output=True, timeout=HANG, **options)
    except subprocess.TimeoutExpired as hang:
        raise Finding(f"{words} has not ended within {HANG} s: {hang.stderr}") from None
    check_crash(words, done.returncode, done.stderr if isinstance(done.stderr, bytes) else done.stderr.encode())
    return done


def read_exactly(stream, count, awaited):
    """Reads from a pipe of a program of ours; less than `count` bytes where it ends.

    `awaited` are the methods that the program has not answered yet.
    """
    data = b""
    while len(data) < count:
        if not select.select([stream], [], [], HANG)[0]:
            raise silence("the program at the other end of a pipe", awaited)
        part = os.read(stream.fileno(), count - len(data))
        if not part:
            break
        data += part
    return data


def silence(program, awaited):
    """The error of a program that said nothing for `HANG` seconds: a finding where it owes an answer."""
    if awaited:
        return Finding(f"{program} has not answered {', '.join(awaited)} within {HANG} s")
    return AssertionError(f"{program} said nothing for {HANG} s")


class WireFailure(Exception):
    """An error that the other side answered."""

    def __init__(self, error):
        super().__init__(f"{error['code']}: {error['message']}")
        self.code = error["code"]
        self.message = error["message"]
        self.data = error.get("data", {})


def denied(code, call, *arguments, **options):
    """Calls what has to be refused with a code, and returns the refusal. That it is answered is a finding.

    `code` is a set where the order of two events decides which of its codes comes.
    """
    try:
        answer = call(*arguments, **options)
    except WireFailure as failure:
        assert failure.code in (code if isinstance(code, set) else {code}), failure
        return failure
    raise Finding(f"{arguments} {options} had to be refused, and was answered: {answer!r}")


class Client:
    """One connection to the daemon; requests are answered in the order in which they are asked."""

    def __init__(self, path, greet=True, timeout=HANG):
        #: The methods that are not answered yet, by the number of their request.
        self.awaited = {}
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(timeout)
        self.socket.connect(str(path))
        self.next = 1
        if greet:
            self.hello = self.call("hello", protocol=1, client={"name": "tests", "version": "0"})

    def send(self, message):
        body = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.socket.sendall(struct.pack("=I", len(body)) + body)

    def receive(self):
        header = self._exactly(4)
        if not header:
            return None
        size = struct.unpack("=I", header)[0] if len(header) == 4 else 0
        body = self._exactly(size) or b""
        if not size or len(body) < size:
            # Killed in the middle of a message.
            raise ConnectionError("the connection ended inside a message")
        return json.loads(body)

    def call(self, method, /, **params):
        number = self.next
        self.next += 1
        self.awaited[number] = method
        self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        while True:
            answer = self.receive()
            if answer is None:
                raise ConnectionError("the connection ended")
            if answer.get("id") == number and "method" not in answer:
                del self.awaited[number]
                if "error" in answer:
                    raise WireFailure(answer["error"])
                return answer["result"]

    def with_code(self, method, **params):
        """Asks for what makes a recovery code, and says that it was shown. Returns the code."""
        code = self.call(method, **params)["recoveryCode"]["secret"]
        self.call("recoveryCode.shown")
        return code

    def proven(self, method, /, **params):
        """Calls a method; gives the passphrase for it where it is demanded."""
        try:
            return self.call(method, **params)
        except WireFailure as failure:
            if failure.code != AUTHENTICATION_REQUIRED:
                raise
            self.call("authenticate", passphrase=secret(PASSPHRASE), method=method)
            return self.call(method, **params)

    def prefer(self, **changes):
        """Changes preferences; gives the passphrase where they become weaker."""
        return self.proven("preferences.set", **changes)

    def close(self):
        self.socket.close()

    def _exactly(self, count):
        data = b""
        while len(data) < count:
            try:
                part = self.socket.recv(count - len(data))
            except TimeoutError:
                # A test that waits for less wants to see that there is no answer.
                if self.socket.gettimeout() < HANG:
                    raise
                raise silence("latchkeyd", self.awaited.values()) from None
            if not part:
                return data if data else None
            data += part
        return data


#: Commands that may make something weaker.
WEAKENING = [
    ("preferences", "set"), ("providers", "enable"), ("providers", "debug"), ("apps", "grant"), ("apps", "forget"),
    ("associations", "developer-mode"), ("associations", "source"), ("edit",),
]


def secret(text):
    return {"secret": text}


def until(condition, seconds=PATIENCE):
    """Waits for a state that comes by itself; returns what came."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(0.01)
    raise AssertionError("it did not happen")


class Installation:
    """Folders of its own and the programs of this tree.

    Its first start copies the files of `home` into the folders, where there is one and `fresh` is not set.
    """

    #: A home that was initialised already (`sealed_home.py`). The tests set it in `conftest.py`; measurements have none.
    home = None

    def __init__(self, environment=None, fresh=False):
        self.wants_home = self.home is not None and not fresh
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="latchkey-", dir=room_for_sockets()))
        # No bus of this machine: what is plugged in and how the session is locked is none of a test's.
        nowhere = f"unix:path={self.folder}/no-bus"
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.folder),
            "LANG": "C.UTF-8",
            "DBUS_SESSION_BUS_ADDRESS": nowhere,
            "DBUS_SYSTEM_BUS_ADDRESS": nowhere,
            **{
                f"XDG_{name}": str(self.folder / name.lower())
                for name in ["CONFIG_HOME", "DATA_HOME", "STATE_HOME", "RUNTIME_DIR"]
            },
            **(environment or {}),
        }
        #: What the daemon gets beside it, and nothing that a test starts.
        self.daemon_environment = {}
        self.config = self.folder / "config_home" / "latchkey"
        self.data = self.folder / "data_home" / "latchkey"
        self.state = self.folder / "state_home" / "latchkey"
        self.runtime = self.folder / "runtime_dir" / "latchkey"
        self.socket = self.runtime / "latchkeyd.sock"
        self.daemon = None
        #: How much of the daemon's log has been searched for crashes, and the daemon whose end has been looked at.
        self.searched, self.ended = 0, None
        #: Where the daemon that runs is, and its clients, which go by no other.
        self.programs = BINARIES
        self.config.mkdir(parents=True, mode=0o700)
        python = os.path.realpath(sys.executable)
        self.trust(settings=[python], browsers=[python])

    def trust(self, **peers):
        (self.config / "peers.json").write_text(json.dumps(peers))

    def start(self, binary=None):
        """Starts the daemon and returns when it listens."""
        if self.wants_home:
            self.home.copy(self)
            self.wants_home = False
        if binary:
            self.programs = pathlib.Path(binary).parent
        if self.daemon and self.daemon.poll() is not None:
            self._check_end()
        ready, theirs = os.pipe()
        os.set_inheritable(theirs, True)
        self.log = open(self.folder / "daemon.log", "ab")
        self.daemon = subprocess.Popen(
            [binary or BINARIES / "latchkeyd", "--ready-descriptor", str(theirs)],
            env={**self.environment, **self.daemon_environment},
            pass_fds=[theirs],
            stdin=subprocess.DEVNULL,
            stdout=self.log,
            stderr=self.log,
        )
        os.close(theirs)
        is_ready = select.select([ready], [], [], HANG)[0]
        os.close(ready)
        if not is_ready:
            raise Finding(f"latchkeyd neither listens nor ends within {HANG} s of its start")
        return self

    def client(self, **options):
        return Client(self.socket, **options)

    def unlocked(self):
        """A client of an initialised and unlocked daemon."""
        client = self.client()
        if client.hello["initialized"]:
            if client.hello["locked"]:
                client.call("unlock", passphrase=secret(PASSPHRASE))
        else:
            self.recovery_code = client.with_code("initialize", passphrase=secret(PASSPHRASE))
        return client

    def latchkey(self, *arguments, input=b"", check=True):
        """Runs the command line; returns the finished process. It has the passphrase where something becomes weaker."""
        takes = any(arguments[: len(words)] == words for words in WEAKENING)
        if takes and not {"--passphrase-file", "--help"} & set(map(str, arguments)):
            file = pathlib.Path(self.environment["HOME"]) / "passphrase-for-what-weakens"
            file.write_text(PASSPHRASE)
            arguments = (*arguments, "--passphrase-file", file)
        done = run_program([self.programs / "latchkey", *map(str, arguments)], env=self.environment, input=input)
        if check and done.returncode != 0:
            raise AssertionError(f"latchkey {arguments}: {done.returncode} {done.stderr.decode()}")
        return done

    def kill(self):
        """Ends the daemon as a power failure would, and its providers with it."""
        if self.daemon and self.daemon.poll() is None:
            self.daemon.send_signal(signal.SIGKILL)
        if self.daemon:
            self.daemon.wait()
            try:
                self._check_end()
            finally:
                self.daemon = None

    def providers(self):
        """The processes of providers that this daemon started."""
        parents, names = {}, {}
        for entry in pathlib.Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                parent = [l for l in (entry / "status").read_text().splitlines() if l.startswith("PPid:")][0].split()[1]
                parents[int(entry.name)] = int(parent)
                names[int(entry.name)] = os.path.basename(os.readlink(entry / "exe"))
            except OSError:
                continue

        def is_ours(process):
            # Between the daemon and a provider stand the processes of bubblewrap.
            for _ in range(4):
                process = parents.get(process, 0)
                if self.daemon and process == self.daemon.pid:
                    return True
            return False

        return [process for process, name in names.items() if name == "latchkey-passwords" and is_ours(process)]

    def output(self):
        return (self.folder / "daemon.log").read_text(errors="replace")

    def stop(self):
        """Has the daemon end by itself, which ends its providers first."""
        if self.daemon and self.daemon.poll() is None:
            self.daemon.send_signal(signal.SIGTERM)
            try:
                self.daemon.wait(10)
            except subprocess.TimeoutExpired:
                self.kill()
        self._check_end()

    def remove(self):
        """Ends the daemon and removes the folders, whatever the daemon turns out to have done."""
        try:
            self.stop()
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)

    def _check_end(self):
        """Checks that the daemon has not crashed. Each crash is told once, however often this is called."""
        status = self.daemon.poll() if self.daemon and self.daemon is not self.ended else None
        written = b""
        with contextlib.suppress(FileNotFoundError), open(self.folder / "daemon.log", "rb") as log:
            log.seek(self.searched)
            written = log.read()
        self.searched += len(written)
        if status is not None:
            self.ended = self.daemon
        check_crash("latchkeyd", status, written)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.remove()


class BrowserClient:
    """Plays the browser: starts the native messaging host and answers what the daemon asks of the extension.

    The daemon takes this interpreter for a browser because the test lists it in peers.json.
    """

    EXTENSION = "chrome-extension://" + (ROOT / "BrowserExtension" / "ID").read_text().strip() + "/"

    #: What Firefox passes instead: the manifest, and the extension's identifier.
    FIREFOX = ("/home/anna/.mozilla/native-messaging-hosts/org.latchkey.browser.json", "latchkey@latchkey.org")

    def __init__(self, installation, *arguments, program=None, environment=None):
        """`program` are the words that start another host, in another environment."""
        self.process = subprocess.Popen(
            [*(program or [installation.programs / "latchkey-browser-host"]), *(arguments or [self.EXTENSION])],
            env=environment or installation.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.next = 1
        #: The methods that are not answered yet, by the number of their request.
        self.awaited = {}
        #: What the browser says of a document: its chain, or nothing when it is gone.
        self.documents = {}
        #: What the user does with a prompt: called with what the window shows, answers (accept, passphrase), and
        #: perhaps further members of the answer.
        self.user = lambda shown: (False, None)
        self.presented = []
        #: Answers that came while another one was waited for.
        self.answers = {}
        self.hello = self.receive()

    def send(self, message):
        body = json.dumps(message).encode()
        self.process.stdin.write(struct.pack("=I", len(body)) + body)
        self.process.stdin.flush()

    def receive(self):
        awaited = self.awaited.values()
        header = read_exactly(self.process.stdout, 4, awaited)
        if len(header) < 4:
            return None
        return json.loads(read_exactly(self.process.stdout, struct.unpack("=I", header)[0], awaited))

    def call(self, method, /, **params):
        return self.wait(self.ask(method, **params))

    def ask(self, method, /, **params):
        number = self.next
        self.next += 1
        self.awaited[number] = method
        self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        return number

    def wait(self, number):
        while number not in self.answers:
            message = self.receive()
            if message is None:
                raise ConnectionError("the host ended")
            if "method" in message:
                self._answer(message)
            else:
                self.answers[message["id"]] = message
        message = self.answers.pop(number)
        self.awaited.pop(number, None)
        if "error" in message:
            raise WireFailure(message["error"])
        return message["result"]

    def focus(self, origin, document="D1", chain=None, tab=1, frame=0, path="/login"):
        """A sign-in form takes the focus; answers the session."""
        chain = chain or [{"origin": origin, "document": document}]
        self.documents[document] = chain
        fields = [
            {"ref": 0, "tag": "input", "type": "text", "autocomplete": "username"},
            {"ref": 1, "tag": "input", "type": "password", "autocomplete": "current-password"},
        ]
        return self.call(
            "page.focused",
            frame={"tab": tab, "frame": frame, "document": document, "chain": chain},
            page={"title": "Sign in", **({} if path is None else {"path": path}), "language": "en", "forms": [], "fields": fields},
            focused=0,
        )

    def close(self):
        try:
            self.process.stdin.close()
            self.process.wait(PATIENCE)
        finally:
            self.process.kill()
            self.process.wait()
        check_crash("the browser's host", self.process.returncode)

    def _answer(self, message):
        method, params = message["method"], message.get("params", {})
        if method == "browser.present":
            self.send({"jsonrpc": "2.0", "id": message["id"], "result": {}})
            shown = self.call("renderer.prompt", prompt=params["prompt"])
            self.presented.append(shown)
            accept, passphrase, *more = self.user(shown)
            answer = {"prompt": params["prompt"], "accept": accept, **(more[0] if more else {})}
            if passphrase is not None:
                answer["passphrase"] = secret(passphrase)
            try:
                self.call("renderer.answer", **answer)
            except WireFailure as failure:
                self.presented.append(failure)
        elif method == "browser.evidence":
            chain = self.documents.get(params["document"])
            answer = {"result": {"chain": chain}} if chain else {"error": {"code": 16, "message": "gone"}}
            self.send({"jsonrpc": "2.0", "id": message["id"], **answer})

# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Apps that ask for themselves: the demo app in a terminal of its own, the real daemon, and a site that names it, or not."""

import http.server
import json
import os
import pathlib
import plistlib
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import termios
import threading
import time
import uuid

import pytest

from association_sites import Authority
from installation import BINARIES, PASSPHRASE, BrowserClient, WireFailure, secret, until
from system_apps import ENTITLEMENTS, MARK, PROGRAMS

HOST = "shiny.example.com"
IDENTIFIER = "E5336VM85F.com.example.Shiny"
PASSWORD = "seventeen letters"


def needs_root(test):
    """For what counts by itself: it has to be root's, where every daemon of the machine sees it."""
    test = pytest.mark.alone(test)
    return pytest.mark.skipif(os.geteuid() != 0, reason="what counts by itself has to be root's")(test)


class Site:
    """shiny.example.com, or another host, on this machine, with an authority of its own."""

    def __init__(self, folder, host=HOST):
        self.host, self.apps = host, [IDENTIFIER]
        #: What was asked for.
        self.asked = []
        #: The file as it is served; made of `apps` where it is None.
        self.file = None
        authority = Authority(folder)
        self.root = authority.path
        site = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                site.asked.append(self.path)
                body = site.file or json.dumps({"webcredentials": {"apps": site.apps}}).encode()
                self.send_response(200 if self.path == "/.well-known/apple-app-site-association" else 404)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        context = authority.context(host)
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True, do_handshake_on_connect=False)
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def configure(self, installation):
        port = self.server.server_address[1]
        (installation.config / "fetch.json").write_text(
            json.dumps({"additionalRoots": str(self.root), "resolve": {f"{self.host}:443": f"127.0.0.1:{port}"}})
        )

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


class Terminal:
    """A program in a terminal of its own, and the person before it."""

    def __init__(self, installation, program, environment=None, arguments=()):
        self.text = ""
        self.process, self.descriptor = pty.fork()
        if self.process == 0:
            os.execve(program, [str(program), *map(str, arguments)], {**installation.environment, "TERM": "dumb", **(environment or {})})
        self.status = None

    def read(self, seconds):
        if select.select([self.descriptor], [], [], seconds)[0]:
            try:
                part = os.read(self.descriptor, 65536)
            except OSError:
                part = b""
            self.text += part.decode(errors="replace")
            return bool(part)
        return None

    def wait(self, pattern, seconds=90):
        """Waits until something stands there that did not before; returns what came up to it."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if found := re.search(pattern, self.text):
                seen, self.text = self.text[: found.end()], self.text[found.end() :]
                return seen
            if self.read(0.2) is False:
                raise AssertionError(f"the program ended; no {pattern!r} in {self.text!r}")
        raise AssertionError(f"no {pattern!r} in {self.text!r}")

    def type(self, line):
        os.write(self.descriptor, line.encode() + b"\n")

    def type_unseen(self, line):
        """Types when nothing is shown of what is typed."""
        until(lambda: not termios.tcgetattr(self.descriptor)[3] & termios.ECHO)
        self.type(line)

    def end(self):
        while self.read(0.2):
            pass
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        os.close(self.descriptor)
        return self.text


class World:
    """A Latchkey with a password for the demo app's site, and programs to run."""

    def __init__(self, installation, folder):
        self.installation = installation
        self.folder = folder
        self.site = Site(folder)
        self.site.configure(installation)
        self.terminals = []
        self.cleanup = []
        installation.start()
        self.client = installation.unlocked()
        self.client.call(
            "items.add", items=[{"services": [HOST], "user": "rmondello", "password": secret(PASSWORD)}]
        )
        until(lambda: self.client.call("suggestions.list", url=f"https://{HOST}")["suggestions"])

    def program(self, name="shiny", folder=None):
        """A copy of the demo app that the user can change."""
        path = (folder or self.folder) / name
        shutil.copy(BINARIES / "latchkey-demo-app", path)
        path.chmod(0o755)
        return path

    def claim(self, program, identifier=IDENTIFIER, host=HOST):
        """What the program states of itself, beside it."""
        statement = {
            "application-identifier": identifier,
            "com.apple.developer.associated-domains": [f"webcredentials:{host}"],
        }
        pathlib.Path(f"{program}.entitlements").write_bytes(plistlib.dumps(statement))
        return program

    def root_program(self, identifier=IDENTIFIER):
        """The demo app as root installs it, and its entitlement file; both gone with the test."""
        name = f"{MARK}{uuid.uuid4().hex[:12]}"
        folder, apps = PROGRAMS / name, ENTITLEMENTS
        made = [path for path in [apps, apps.parent] if not path.exists()]
        folder.mkdir(mode=0o755)
        apps.mkdir(parents=True, exist_ok=True)
        for path in [folder, *made]:
            path.chmod(0o755)
        entitlements = apps / f"{name}.entitlements"

        def remove():
            shutil.rmtree(folder)
            entitlements.unlink()
            for path in made:
                path.rmdir()

        self.cleanup.insert(0, remove)
        program = self.program("shiny", folder)
        statement = {
            "application-identifier": identifier,
            "com.apple.developer.associated-domains": [f"webcredentials:{HOST}"],
            "org.latchkey.application-executable": str(program),
        }
        entitlements.write_bytes(plistlib.dumps(statement))
        entitlements.chmod(0o644)
        return program

    def run(self, program, **environment):
        terminal = Terminal(self.installation, program, environment)
        self.terminals.append(terminal)
        terminal.wait("Username \\(Return for AutoFill\\): ")
        terminal.type("")
        return terminal

    def apps(self):
        return json.loads(self.installation.latchkey("apps", "list", "--json").stdout)

    def releases(self):
        return [line for line in self.client.call("audit.list")["lines"] if line["event"] == "released"]

    def close(self):
        for terminal in self.terminals:
            if terminal.status is None:
                try:
                    terminal.end()
                except OSError:
                    pass
        self.site.stop()
        for remove in self.cleanup:
            remove()


@pytest.fixture
def world(system_apps, installation, tmp_path):
    made = World(installation, tmp_path)
    try:
        yield made
    finally:
        made.close()


def expect_filled(terminal):
    """Chooses the password in the chooser that stands there, and logs in."""
    shown = terminal.wait("(?s)rmondello.*?> ")
    assert HOST in shown
    assert PASSWORD not in shown
    terminal.type("1")
    terminal.wait("Username: rmondello")
    assert terminal.wait("•+\r?\n").count("•") == len(PASSWORD)
    terminal.wait("Log In")
    terminal.type("")
    terminal.wait("Logged in as rmondello")


def expect_nothing(terminal):
    """The app is told no, and no word of Latchkey's stands on its terminal."""
    seen = terminal.wait("AutoFill: nothing was filled.")
    assert "Latchkey" not in seen and "rmondello" not in seen
    terminal.wait("Username: ")


def allow(terminal, program):
    """Says yes to an unknown app."""
    shown = terminal.wait("> ")
    assert str(program) in shown.replace("\r\n", "") and IDENTIFIER in shown
    terminal.type("1")
    terminal.wait("Passphrase")
    terminal.type_unseen(PASSPHRASE)


@needs_root
def test_S21_the_demo_app_is_filled_for_its_domain(world):
    program = world.root_program()
    assert [(app["identifier"], app["state"], app["source"]) for app in world.apps()] == [(IDENTIFIER, "known", "system")]
    expect_filled(world.run(program))
    line = world.releases()[-1]
    assert line["requester"] == f"{IDENTIFIER} at {program}"
    assert (line["service"], line["user"], line["act"]) == (HOST, "rmondello", "terminal")
    assert world.apps()[0]["hosts"] == [HOST]
    assert PASSWORD not in world.installation.output()


@needs_root
def test_the_site_is_asked_when_an_app_is_installed_and_not_when_it_asks(world):
    assert world.site.asked == []
    world.root_program()
    until(lambda: world.site.asked, 60)
    assert world.releases() == []
    standings = lambda: world.client.call("associations.list")["associations"]  # noqa: E731
    until(lambda: [standing["verified"] for standing in standings()] == [True])


@needs_root
def test_S36_a_domain_that_was_taken_away_comes_back_with_the_passphrase_alone(world):
    world.root_program()
    until(lambda: world.site.asked, 60)
    client = world.client
    assert client.call("associations.remove", app=IDENTIFIER, domain=HOST)["removed"] == 1
    with pytest.raises(WireFailure) as refused:
        client.call("associations.add", app=IDENTIFIER, domain=HOST)
    assert refused.value.code == 3
    client.proven("associations.add", app=IDENTIFIER, domain=HOST)
    weakened = [line["purpose"] for line in client.call("audit.list")["lines"] if line["event"] == "weakened"]
    assert weakened == ["associations.add"]
    # What was never taken away takes none.
    client.call("associations.add", app=IDENTIFIER, domain="other.example.com")


@needs_root
@pytest.mark.parametrize("how", ["damaged", "removed", "older"])
def test_S36_no_file_brings_back_a_domain_that_was_taken_away(world, how):
    world.root_program()
    client, path = world.client, world.installation.state / "associations"
    standings = lambda: client.call("associations.list")["associations"]  # noqa: E731
    until(lambda: [standing["verified"] for standing in standings()] == [True], 60)
    older = path.read_bytes()
    assert client.call("associations.remove", app=IDENTIFIER, domain=HOST)["removed"] == 1
    client.call("lock")
    if how == "removed":
        path.unlink()
    else:
        path.write_bytes(older if how == "older" else older[:-1] + bytes([older[-1] ^ 1]))
    client.call("unlock", passphrase=secret(PASSPHRASE))
    until(lambda: [standing["verdict"] for standing in standings()] == ["UserRemoved"], 60)
    with pytest.raises(WireFailure) as refused:
        client.call("associations.add", app=IDENTIFIER, domain=HOST)
    assert refused.value.code == 3


@needs_root
def test_the_site_of_an_app_that_was_installed_while_locked_is_asked_after_the_unlock(world):
    world.client.call("lock")
    world.root_program()
    assert world.site.asked == []
    world.client.call("unlock", passphrase=secret(PASSPHRASE))
    until(lambda: world.site.asked, 60)


@needs_root
def test_S21_a_user_writable_program_that_claims_the_demo_apps_identifier_gets_nothing(world):
    """Neither asked about nor believed, with the same file and the same statement as root's; and root's is filled still."""
    world.root_program()
    before = len(world.releases())
    impostor = world.claim(world.program())
    expect_nothing(world.run(impostor))
    refused = world.installation.latchkey("apps", "grant", impostor, "--yes", check=False)
    assert refused.returncode == 6 and b"is taken" in refused.stderr
    assert len(world.releases()) == before
    assert [app["state"] for app in world.apps()] == ["known"]


@needs_root
def test_S21_of_two_claimants_neither_gets_anything(world):
    one, other = world.root_program(), world.root_program()
    assert [app["state"] for app in world.apps()] == ["conflict", "conflict"]
    expect_nothing(world.run(one))
    expect_nothing(world.run(other))
    assert world.releases() == []


@needs_root
def test_S26_code_that_others_can_change_makes_roots_program_nobody(world):
    compiler = shutil.which("clang") or shutil.which("cc")
    if not compiler:
        pytest.skip("there is no C compiler")
    program = world.root_program()
    library = world.folder / "preloaded.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-x", "c", "-", "-o", library], input=b"int latchkey_test;", check=True)
    expect_nothing(world.run(program, LD_PRELOAD=str(library)))
    expect_filled(world.run(program))


@needs_root
def test_S26_a_library_that_is_mounted_over_roots_makes_roots_program_nobody(world):
    """In mounts of its own a program has other files at the same paths, and no right of root's is needed for that."""
    if subprocess.run(["unshare", "-rm", "true"], capture_output=True).returncode:
        pytest.skip("no mounts of one's own can be made here")
    program = world.root_program()
    loaded = subprocess.run(["ldd", program], check=True, capture_output=True, text=True).stdout
    library = re.search(r"libm\.so\S* => (\S+)", loaded)[1]
    own = shutil.copy(library, world.folder / "libm.so.6")
    script = 'mount --bind "$1" "$2" && exec "$3"'
    terminal = Terminal(
        world.installation, shutil.which("unshare"), arguments=["-rm", "sh", "-c", script, "sh", own, os.path.realpath(library), program])
    world.terminals.append(terminal)
    terminal.wait("Username \\(Return for AutoFill\\): ")
    terminal.type("")
    expect_nothing(terminal)
    expect_filled(world.run(program))


@needs_root
def test_S21_a_file_that_others_can_change_says_nothing(world):
    program = world.root_program()
    program.chmod(0o777)
    assert [app["state"] for app in world.apps()] == ["broken"]
    expect_nothing(world.run(program))
    program.chmod(0o755)
    expect_filled(world.run(program))


def test_S21_an_unknown_app_is_asked_about_once_and_remembered(world):
    program = world.claim(world.program())
    terminal = world.run(program)
    allow(terminal, program)
    expect_filled(terminal)
    assert [(app["path"], app["state"], app["source"]) for app in world.apps()] == [(str(program), "known", "user")]
    # Whom the user admits from now on stands in the log, as every weakening does.
    weakened = [line for line in world.client.call("audit.list")["lines"] if line["event"] == "weakened"]
    assert [(line["purpose"], line["reason"]) for line in weakened] == [("authorization.request", f"{program} as {IDENTIFIER}")]
    again = world.run(program)
    expect_filled(again)


def test_S21_a_no_is_remembered_until_it_is_forgotten(world):
    program = world.claim(world.program())
    terminal = world.run(program)
    terminal.wait("> ")
    terminal.type("2")
    terminal.wait("AutoFill: nothing was filled.")
    assert [app["state"] for app in world.apps()] == ["refused"]
    world.client.call("lock")
    expect_nothing(world.run(program))
    world.client.call("unlock", passphrase=secret(PASSPHRASE))
    expect_nothing(world.run(program))
    world.installation.latchkey("apps", "forget", program)
    assert world.apps() == []


def test_S21_a_program_that_changed_is_asked_about_again(world):
    program = world.claim(world.program())
    world.installation.latchkey(
        "apps", "grant", program, "--yes", "--passphrase-file", "-", input=PASSPHRASE.encode()
    )
    expect_filled(world.run(program))
    changed = program.with_name("changed")
    shutil.copy(program, changed)
    with changed.open("ab") as file:
        file.write(b"changed")
    changed.chmod(0o755)
    changed.rename(program)
    assert [app["state"] for app in world.apps()] == ["changed"]
    terminal = world.run(program)
    shown = terminal.wait("> ")
    assert "has changed since" in shown
    terminal.type("q")
    terminal.wait("AutoFill: nothing was filled.")
    assert [app["state"] for app in world.apps()] == ["changed"]


def test_S21_what_it_states_now_is_asked_about_again(world):
    """A yes for one domain is no yes for another."""
    program = world.claim(world.program())
    world.installation.latchkey("apps", "grant", program, "--yes")
    world.claim(program, host="bank.example.com")
    terminal = world.run(program)
    assert "bank.example.com" in terminal.wait("> ")
    terminal.type("q")
    terminal.wait("AutoFill: nothing was filled.")


def test_S21_an_interpreter_under_another_name_is_nobody(world):
    """A copy of this interpreter, with the app's statement beside it."""
    program = world.folder / "shiny"
    shutil.copy(os.path.realpath(sys.executable), program)
    world.claim(program)
    refused = world.installation.latchkey("apps", "grant", program, "--yes", check=False)
    code = (
        "import socket,struct,json,sys\n"
        "s=socket.socket(socket.AF_UNIX);s.connect(sys.argv[1])\n"
        "def ask(id,method,**params):\n"
        " b=json.dumps({'jsonrpc':'2.0','id':id,'method':method,'params':params}).encode()\n"
        " s.sendall(struct.pack('=I',len(b))+b);n=struct.unpack('=I',s.recv(4))[0];print(s.recv(n).decode())\n"
        "ask(1,'hello',protocol=1,client={'name':'shiny','version':'1'})\n"
        "ask(2,'authorization.request',types=['password'],surfaces=['terminal'])\n"
    )
    environment = {**os.environ, "PYTHONHOME": sys.base_prefix}
    done = subprocess.run([program, "-c", code, world.installation.socket], capture_output=True, env=environment, text=True)
    said = [json.loads(line) for line in done.stdout.splitlines()]
    assert said[0]["result"]["role"] == "client", done.stderr
    assert said[1]["error"] == {"code": 9, "message": "The request was canceled."}
    # Told by its functions, or, where those are in a library, once it runs.
    assert refused.returncode in (0, 6), refused.stderr


def test_S21_a_script_cannot_be_granted(world):
    script = world.folder / "script"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    refused = world.installation.latchkey("apps", "grant", script, "--identifier", IDENTIFIER, "--yes", check=False)
    assert refused.returncode == 6 and b"cannot be an app" in refused.stderr
    for interpreter in ["/bin/sh", os.path.realpath(sys.executable)]:
        real = os.path.realpath(interpreter)
        refused = world.installation.latchkey("apps", "grant", real, "--identifier", IDENTIFIER, "--yes", check=False)
        assert refused.returncode == 6, interpreter


def test_S21_an_app_that_its_site_does_not_name_gets_nothing(world):
    world.site.apps = ["E5336VM85F.com.example.Other"]
    program = world.claim(world.program())
    world.installation.latchkey("apps", "grant", program, "--yes")
    terminal = world.run(program)
    shown = terminal.wait("has not confirmed this app")
    assert "rmondello" not in shown
    terminal.wait("q cancels")
    terminal.type("q")
    terminal.wait("AutoFill: nothing was filled.")
    assert world.releases() == []


def test_S26_nothing_saved_and_locked_look_to_the_app_as_one_saved_does(clock, world):
    """What the app itself writes is the same; what Latchkey draws on the terminal is for the person."""
    program = world.claim(world.program())
    world.installation.latchkey("apps", "grant", program, "--yes")

    def canceled(wait, answer):
        terminal = world.run(program)
        terminal.wait(wait)
        answer(terminal)
        terminal.wait("AutoFill: nothing was filled.")
        terminal.wait("Username: ")
        terminal.type("by hand")
        terminal.wait("Password: ")
        terminal.end()

    # A canceled app waits ten seconds.
    canceled("> ", lambda terminal: terminal.type("q"))
    clock.turn(11)
    for item in world.client.call("items.list")["items"]:
        world.client.call("items.remove", id=item["id"])
    until(lambda: not world.client.call("suggestions.list", url=f"https://{HOST}")["suggestions"])
    canceled("No saved password is for this app", lambda terminal: terminal.type("q"))
    clock.turn(22)
    world.client.call("lock")
    canceled("Passphrase", lambda terminal: terminal.type_unseen(""))
    assert world.client.call("status")["locked"] is True


def test_S28_a_locked_latchkey_asks_to_unlock_and_then_fills(world):
    program = world.claim(world.program())
    world.installation.latchkey("apps", "grant", program, "--yes")
    world.client.call("lock")
    terminal = world.run(program)
    assert str(program) in terminal.wait("Passphrase").replace("\r\n", "")
    terminal.type_unseen(PASSPHRASE)
    expect_filled(terminal)


def test_S28_copies_of_a_program_ask_to_unlock_one_at_a_time(world):
    """Each is another app by its path, so a no to one says nothing of the next; asked again and again, one gives in."""
    first, second = world.claim(world.program("shiny")), world.claim(world.program("other"), IDENTIFIER + "Two")
    for program in (first, second):
        world.installation.latchkey("apps", "grant", program, "--yes")
    world.client.call("lock")
    terminal = world.run(first)
    terminal.wait("Passphrase")
    expect_nothing(world.run(second))
    terminal.type_unseen("")
    terminal.wait("AutoFill: nothing was filled.")
    # After the no, too.
    expect_nothing(world.run(second))
    # The browser is none of them.
    browser = BrowserClient(world.installation)
    browser.user = lambda shown: (True, PASSPHRASE)
    browser.call("renderer.unlock")
    assert world.client.call("status")["locked"] is False
    browser.close()


def test_S28_programs_that_nobody_knows_ask_one_at_a_time(world):
    one, other = world.claim(world.program("shiny")), world.claim(world.program("other"), IDENTIFIER + "Two")
    terminal = world.run(one)
    terminal.wait("> ")
    expect_nothing(world.run(other))
    terminal.type("2")
    terminal.wait("AutoFill: nothing was filled.")
    expect_nothing(world.run(other))


def test_S25_a_ticket_is_nothing_for_whom_it_was_not_made(world):
    for environment in [{}, {"LATCHKEY_TICKET": "AAAAAAAAAAAAAAAAAAAAAA"}]:
        done = subprocess.run(
            [BINARIES / "latchkey", "choose", "--for-app"],
            env={**world.installation.environment, **environment},
            capture_output=True,
        )
        assert done.returncode != 0 and done.stderr.startswith(b"latchkey: ")


def test_S21_an_app_is_refused_by_the_command_line_and_asked_about_after_forgetting(world):
    program = world.claim(world.program())
    world.installation.latchkey("apps", "grant", program, "--yes")
    assert b"is " + IDENTIFIER.encode() in world.installation.latchkey("apps", "grant", program, "--yes").stderr
    world.installation.latchkey("apps", "revoke", IDENTIFIER)
    expect_nothing(world.run(program))
    details = world.installation.latchkey("apps", "info", program).stdout.decode()
    assert "you have said no to it" in details and IDENTIFIER in details
    unknown = world.installation.latchkey("apps", "revoke", "/nowhere", check=False)
    assert unknown.returncode == 5

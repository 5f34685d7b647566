# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""An app's extension changes the passwords of its service's accounts: the real daemon and built-in provider, the extension and
the app of Examples/latchkey-demo-upgrade, and a service on this machine that takes the change, or fails in its own ways."""

import http.server
import json
import os
import pathlib
import plistlib
import random
import shutil
import signal
import subprocess
import threading
import time
import urllib.parse

import pytest

from installation import BINARIES, PASSPHRASE, ROOT, BrowserClient, WireFailure, secret, until
from test_apps import HOST, IDENTIFIER, Site, Terminal
from test_saving import settle, submit
from verdicts import nothing_lost, nothing_released

EXTENSION = "com.example.Shiny.upgrade"
BUNDLE = ROOT / "Examples" / "latchkey-demo-upgrade" / "Bundle"
WEAK = "password1"


class Service:
    """Shiny's own server: one account, and whether its password can be changed as things are."""

    def __init__(self):
        self.user, self.password = "rmondello", WEAK
        self.token = "token-of-the-session"
        #: What a change runs into: nothing, "policy", "down", "cut" (changed, and no answer), "code" or "hang".
        self.trouble = None
        self.code = "123456"
        #: Set instead of the password that was proposed.
        self.own = None
        self.changes = []
        self.asked = threading.Event()
        self.go = threading.Event()
        service = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                change = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                status, reply = service.take(change)
                if status is None:
                    self.close_connection = True
                    return
                body = json.dumps(reply).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_):
                pass

        self.server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/password"
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def take(self, change):
        self.asked.set()
        self.changes.append(change)
        if self.trouble == "down":
            return 503, {}
        if self.trouble == "policy":
            return 401, {"reason": "Your company's policy forbids it."}
        if change["user"] != self.user or (change.get("password") != self.password and change.get("token") != self.token):
            return 401, {"reason": "That is not the password."}
        if self.trouble == "code" and change.get("code") != self.code:
            return 403, {}
        if self.trouble == "hang":
            self.go.wait(60)
        self.password = self.own or change["newPassword"]
        if self.trouble == "cut":
            return None, {}
        return 200, {"password": self.password, "session": "new-session"}

    def accepts(self, password):
        return password == self.password

    def stop(self):
        self.go.set()
        self.server.shutdown()
        self.server.server_close()


class World:
    """A Latchkey with a weak password, the app with its extension, a site that names it, and its service."""

    def __init__(self, installation, folder, enable=True, service=None):
        self.prepare(installation, folder, service)
        installation.start()
        self.begin(installation.unlocked(), enable)

    def prepare(self, installation, folder, service=None):
        self.installation = installation
        self.site, self.service = Site(folder), service or Service()
        self.site.configure(installation)
        self.app = folder / "Shiny"
        appex = self.app / "PlugIns" / "ShinyUpgrade.appex"
        appex.mkdir(parents=True)
        info = plistlib.loads((BUNDLE / "Info.plist").read_bytes())
        info["ShinyServiceURL"] = self.service.url
        (appex / "Info.plist").write_bytes(plistlib.dumps(info))
        # The service is on this computer, which is nothing of the internet's.
        entitlements = plistlib.loads((BUNDLE / "ShinyUpgrade.entitlements").read_bytes())
        entitlements["org.latchkey.security.network.hosts"] = [urllib.parse.urlsplit(self.service.url).netloc]
        (appex / "ShinyUpgrade.entitlements").write_bytes(plistlib.dumps(entitlements))
        shutil.copy(BINARIES / "latchkey-demo-upgrade-extension", appex / "ShinyUpgrade")
        shutil.copy(BUNDLE / "Shiny.entitlements", self.app)
        shutil.copy(BINARIES / "latchkey-demo-upgrade-app", self.app / "shiny")

    def begin(self, client, enable=True):
        self.client = client
        self.client.call("items.add", items=[{"services": [HOST], "user": "rmondello", "password": secret(WEAK)}])
        until(lambda: self.client.call("suggestions.list", url=f"https://{HOST}")["suggestions"])
        self.client.call("providers.install", path=str(self.app))
        if enable:
            self.enable()

    def statement(self):
        return next(p for p in self.client.call("providers.list")["providers"] if p["identifier"] == EXTENSION)

    def enable(self):
        statement = self.statement()
        self.client.proven("providers.enable", identifier=statement["identifier"], digest=statement["digest"])

    def upgrade(self, *arguments, input=b"", check=False):
        return self.installation.latchkey("upgrade", *arguments, input=input, check=check)

    def saved(self):
        """What the vault has for the account."""
        item = self.client.call("items.list")["items"][0]
        return self.client.proven("items.reveal", id=item["id"], purpose="show")["password"]["secret"]

    def history(self):
        item = self.client.call("items.list")["items"][0]
        return [c["password"]["secret"] for c in self.client.call("items.history", id=item["id"])["changes"]]

    def pending(self):
        """The passwords that no provider has taken over yet; one that is taken over meanwhile is saved."""
        found = []
        for one in self.client.call("generated.list")["generated"]:
            try:
                found.append(self.client.call("generated.reveal", id=one["id"], purpose="show")["password"]["secret"])
            except WireFailure as gone:
                if gone.code != 7:
                    raise
        return found

    def offered(self):
        """What stands in the place of a password, in the order in which one goes: nothing is missed that moves on meanwhile."""
        pending = self.pending()
        return [self.saved(), *pending]

    def unsettled(self):
        return self.client.call("upgrades.list")["unsettled"]

    def events(self):
        return [line["event"] for line in self.client.call("audit.list")["lines"]]

    def close(self):
        self.site.stop()
        self.service.stop()


@pytest.fixture
def world(system_apps, installation, tmp_path):
    made = World(installation, tmp_path)
    try:
        yield made
    finally:
        made.close()


@pytest.mark.main
def test_one_command_changes_the_password_everywhere(world):
    done = world.upgrade(HOST)
    assert done.returncode == 0, done.stderr
    change = world.service.changes[-1]
    new = world.saved()
    assert change == {"user": "rmondello", "password": WEAK, "newPassword": new}
    nothing_lost("the new password", [] if world.service.accepts(new) else [new])
    assert new != WEAK
    # By the extension's rules.
    assert len(new) >= 16 and new.isalnum() and any(c.isdigit() for c in new) and any(c.islower() for c in new)
    assert WEAK in world.history()
    assert world.pending() == [] and world.unsettled() == []
    assert [e for e in world.events() if e not in ("refused", "weakened")][:3] == ["released", "released", "updated"]
    for text in (done.stdout, done.stderr, world.installation.output().encode()):
        nothing_released("what the command and the daemon print", [word for word in (new, WEAK) if word.encode() in text])
    steps = done.stderr.decode()
    assert steps.index("Keeping it") < steps.index("Changing it at the service") < steps.index("Saving it")


def test_the_service_may_set_another_password(world):
    world.service.own = "the-services-own-choice-1"
    assert world.upgrade(HOST, "rmondello", "--json", check=True).returncode == 0
    assert world.saved() == "the-services-own-choice-1"
    assert world.unsettled() == []
    # That it is not the proposed one is the extension's word alone.
    (proposed,) = world.pending()
    assert proposed not in ("the-services-own-choice-1", WEAK)


def test_a_list_says_what_can_be_changed_and_what_cannot(world):
    listed = json.loads(world.upgrade("--list", HOST, "--json", check=True).stdout)
    assert listed == [
        {"service": HOST, "user": "rmondello", "provider": "Passwords", "extension": "Shiny", "refusal": None,
         "signInWithApple": None}
    ]
    world.client.call("providers.disable", identifier=EXTENSION)
    listed = json.loads(world.upgrade("--list", HOST, "--json", check=True).stdout)
    assert listed[0]["extension"] is None and "no extension" in listed[0]["refusal"]


def test_a_site_that_does_not_name_the_app_gets_no_offer(world):
    world.site.apps = ["E5336VM85F.com.example.Other"]
    done = world.upgrade(HOST)
    assert done.returncode == 6 and b"has not confirmed" in done.stderr
    assert world.service.changes == [] and world.pending() == [] and world.saved() == WEAK


def test_an_extension_that_changed_has_to_be_enabled_again(world):
    folder = pathlib.Path(world.statement()["path"])
    (folder / "more").write_text("x")
    assert world.statement()["state"] == "changed"
    done = world.upgrade(HOST)
    assert done.returncode == 6 and world.service.changes == []
    world.enable()
    assert world.upgrade(HOST).returncode == 0


def test_an_extension_for_passwords_does_not_convert_to_sign_in_with_apple(world):
    done = world.upgrade(HOST, "--to", "sign-in-with-apple")
    assert done.returncode == 6 and b"does not change to Sign in with Apple" in done.stderr
    assert world.service.changes == [] and world.saved() == WEAK


def test_a_policy_is_shown_and_both_passwords_stay(world):
    world.service.trouble = "policy"
    done = world.upgrade(HOST)
    assert done.returncode == 6 and b"Shiny: Your company's policy forbids it." in done.stderr
    assert world.saved() == WEAK and len(world.pending()) == 1 and len(world.unsettled()) == 1
    # It may be tried again, and a success settles all of it.
    world.service.trouble = None
    assert world.upgrade(HOST).returncode == 0
    assert world.unsettled() == [] and world.service.accepts(world.saved())


@pytest.mark.parametrize("trouble", ["down", "cut"])
def test_a_service_that_goes_down_in_the_middle_loses_nothing(world, trouble):
    world.service.trouble = trouble
    done = world.upgrade(HOST)
    assert done.returncode == 6 and b"cannot be reached" in done.stderr
    offered = world.offered()
    assert len(offered) == 2 and any(world.service.accepts(p) for p in offered)
    unsettled = json.loads(world.upgrade("--unsettled", "--json", check=True).stdout)
    assert [(u["service"], u["user"]) for u in unsettled] == [(HOST, "rmondello")]
    works = "old" if world.service.accepts(WEAK) else "new"
    world.upgrade("--settle", unsettled[0]["id"], "--works", works, check=True)
    assert world.unsettled() == [] and world.service.accepts(world.saved())


def test_a_second_factor_is_asked_for_in_the_terminal(world):
    world.service.trouble = "code"
    terminal = Terminal(
        world.installation, BINARIES / "latchkey", arguments=["upgrade", HOST, "--lines"])
    shown = terminal.wait("Change Password")
    assert "Shiny has sent you a code" in shown
    answer(terminal, world, "000000")
    terminal.wait("That is not the code")
    answer(terminal, world, world.service.code)
    terminal.wait("is a strong one now")
    terminal.end()
    assert world.service.accepts(world.saved()) and world.unsettled() == []
    assert "code" not in world.service.changes[0]


def answer(terminal, world, code):
    """Types a code into the extension's interface, line by line, and presses its button."""
    terminal.wait("> ")
    terminal.type("1")
    terminal.wait("Code")
    terminal.type(code)
    terminal.wait("> ")
    terminal.type("")


def test_the_systems_cancel_ends_it(world):
    world.service.trouble = "code"
    terminal = Terminal(world.installation, BINARIES / "latchkey", arguments=["upgrade", HOST, "--lines"])
    terminal.wait("q cancels|> ")
    terminal.type("q")
    terminal.wait("[Cc]anceled")
    terminal.end()
    assert world.saved() == WEAK and world.service.accepts(WEAK)


@pytest.mark.parametrize("victim", ["extension", "daemon"])
def test_a_kill_in_the_middle_loses_nothing(world, victim):
    world.service.trouble = "hang"
    running = subprocess.Popen(
        [BINARIES / "latchkey", "upgrade", HOST], env=world.installation.environment, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )
    assert world.service.asked.wait(60)
    if victim == "daemon":
        world.installation.kill()
    else:
        for process in extension_processes(world):
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
    # Only now does the service change it: nobody is there to be told.
    world.service.go.set()
    _, errors = running.communicate(timeout=60)
    assert running.returncode != 0, errors
    if victim == "daemon":
        world.installation.start()
        world.client = world.installation.unlocked()
    until(lambda: world.service.password != WEAK)
    offered = world.offered()
    assert any(world.service.accepts(p) for p in offered), "the account is lost"
    assert len(world.unsettled()) == 1


def extension_processes(world):
    folder = os.fsencode(world.statement()["path"])
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if folder in (entry / "cmdline").read_bytes() and b"ShinyUpgrade" in (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
            except OSError:
                continue
    return found


def told(ask):
    """What the daemon answers; nothing while it has not noticed yet that a provider is gone."""
    try:
        return ask()
    except WireFailure as failure:
        if failure.code != 10:
            raise
        return None


def test_after_kills_at_any_moment_what_is_offered_works(world):
    """Daemon, extension or provider, killed after a random while; by the hundred in `make soak`."""
    seed = int(os.environ.get("LATCHKEY_SEED", "8"))
    draws = random.Random(seed)
    for round in range(int(os.environ.get("LATCHKEY_KILLS", "3"))):
        running = subprocess.Popen(
            [BINARIES / "latchkey", "upgrade", HOST], env=world.installation.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        time.sleep(draws.uniform(0, 0.8))
        victim = draws.choice(["daemon", "extension", "provider"])
        if victim == "daemon":
            world.installation.kill()
        else:
            own = extension_processes(world) if victim == "extension" else world.installation.providers()
            for process in own:
                try:
                    os.kill(process, signal.SIGKILL)
                except ProcessLookupError:
                    pass
        running.wait(60)
        if world.installation.daemon is None:
            world.installation.start()
            world.client = world.installation.unlocked()
        offered = until(lambda: told(world.offered))
        assert any(world.service.accepts(p) for p in offered), f"lost in round {round} of seed {seed}"
        # As a person would, after a sign-in with the one that works.
        for unsettled in world.unsettled()[:-1]:
            world.client.call("upgrades.settle", id=unsettled["id"], isNew=False)
        for unsettled in world.unsettled():
            works = not world.service.accepts(world.saved())
            world.client.call("upgrades.settle", id=unsettled["id"], isNew=works)
        assert world.service.accepts(world.saved()), f"not settled in round {round} of seed {seed}"


@pytest.mark.parametrize("works", ["new", "old"])
def test_both_are_offered_and_a_sign_in_settles_it(world, works):
    world.service.trouble = "cut" if works == "new" else "down"
    assert world.upgrade(HOST).returncode == 6
    assert len(world.unsettled()) == 1
    site = f"https://{HOST}"
    browser = BrowserClient(world.installation)
    try:
        browser.user = lambda shown: (True, PASSPHRASE if shown["kind"] == "unlock" else None)
        session = browser.focus(site)["session"]
        rows = browser.call("renderer.suggestions", session=session)["suggestions"]
        assert [row["user"] for row in rows] == ["rmondello", "rmondello"]
        assert [("not confirmed" in row["title"]) for row in rows] == [False, True]
        row = rows[1] if works == "new" else rows[0]
        filled = browser.call("renderer.choose", handle=row["handle"], surface="bar", guard={"held": True})["fills"]
        password = next(f["value"]["secret"] for f in filled if f["role"] == "current-password")
        assert world.service.accepts(password)
        submit(browser, {0: "rmondello", 1: password}, origin=site)
        settle(browser, origin=site)

        def settled():
            browser.call("renderer.status")
            return world.unsettled() == []

        until(settled)
        # Nobody was asked whether it is to be saved.
        assert not any(shown.get("kind") in ("savePassword", "updatePassword") for shown in browser.presented)
        assert world.saved() == world.service.password
        rows = browser.call("renderer.suggestions", session=browser.focus(site, document="D2")["session"])["suggestions"]
        assert len(rows) == 1
    finally:
        browser.close()


def test_the_app_itself_asks_with_a_token_and_no_password(world):
    program = pathlib.Path(world.statement()["path"]) / "shiny"
    terminal = Terminal(world.installation, program, arguments=["rmondello", HOST, world.service.token])
    shown = terminal.wait("(?s)Not Now.*?> ")
    assert "rmondello" in shown and HOST in shown and WEAK not in shown
    terminal.type("1")
    terminal.wait("The password was changed. Your session is new-session.")
    terminal.end()
    change = world.service.changes[-1]
    assert "password" not in change and change["token"] == world.service.token
    assert world.saved() == change["newPassword"] and WEAK in world.history()


def test_the_user_may_say_no_to_the_app(world):
    program = pathlib.Path(world.statement()["path"]) / "shiny"
    terminal = Terminal(world.installation, program, arguments=["rmondello", HOST, world.service.token])
    terminal.wait("(?s)Not Now.*?> ")
    terminal.type("2")
    terminal.wait("Canceled.")
    terminal.end()
    assert world.service.changes == [] and world.saved() == WEAK and world.pending() == []


def test_another_program_cannot_ask(world, tmp_path):
    """The same file in another place is not the app; the extension of the app is not its own."""
    stranger = tmp_path / "stranger"
    shutil.copy(BINARIES / "latchkey-demo-upgrade-app", stranger)
    stranger.chmod(0o755)
    terminal = Terminal(world.installation, stranger, arguments=["rmondello", HOST, world.service.token])
    terminal.wait("The password was not changed.")
    terminal.end()
    assert world.service.changes == [] and world.pending() == []


def test_the_extension_is_no_provider(world):
    statement = world.statement()
    assert statement["provides"] == [] and "identities" not in statement
    assert statement["modification"] == {
        "app": IDENTIFIER, "domains": [f"webcredentials:{HOST}"], "kinds": ["strong-password"]
    }
    details = world.installation.latchkey("providers", "info", EXTENSION).stdout.decode()
    assert IDENTIFIER in details and "strong-password" in details
    for method, params in [
        ("credentials.choose", {"url": f"https://{HOST}", "provider": EXTENSION}),
        ("providers.configure", {"identifier": EXTENSION}),
    ]:
        with pytest.raises(WireFailure):
            world.client.call(method, **params)

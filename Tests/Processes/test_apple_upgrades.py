# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Accounts of the worked example are upgraded to Sign in with Apple: its service, its extension, its app and its identity
provider, the real daemon and built-in provider, and a browser that this test plays."""

import json
import os
import random
import subprocess
import threading
import time
import urllib.parse

import pytest

from installation import BINARIES, WireFailure, secret, until
from shiny_accounts import APP, CLIENT, EXTENSION, HOST, ISSUER, PROGRAM, RETURN, ShinyAccounts, code
from test_apps import Terminal
from test_shiny_accounts import inputs, posted
from test_shiny_upgrades import KEY, WEAK, answer
from test_upgrades import told
from test_web_authentication import Browser

pytestmark = [
    pytest.mark.soak,
    pytest.mark.skipif(not PROGRAM.exists(), reason="the examples were not built (LATCHKEY_EXAMPLES=1)"),
]
APPLE = "sign-in-with-apple"


class AppleBrowser(Browser):
    """A browser whose user signs in where a window opens, unless `ending` says otherwise."""

    def __init__(self, installation, shiny):
        super().__init__(installation)
        self.shiny, self.choice, self.ending = shiny, "continue", "sign in"
        #: What somebody makes of what is posted.
        self.change = lambda fields: fields

    def _answer(self, message):
        if message["method"] != "browser.authenticate" or self.ending != "sign in":
            return super()._answer(message)
        self.opened.put(message["params"])
        threading.Thread(target=self._sign_in, args=[message], daemon=True).start()

    def _sign_in(self, message):
        address = urllib.parse.urlsplit(message["params"]["url"])
        status, _, page = self.shiny.ask("GET", f"{address.path}?{address.query}", host=address.netloc)
        asked = {k: v for k, v in inputs(page).items() if k in ("client_id", "redirect_uri", "state", "nonce")}
        _, page = posted(self.shiny, "/auth/authorize", choice=self.choice, email="rmondello@example.com", **asked)
        fields = self.change(inputs(page))
        self.send({"jsonrpc": "2.0", "id": message["id"], "result": {"fields": fields}})


class World:
    """A Latchkey that knows a weak password of Shiny's, Shiny's app with its extension, and a browser."""

    def __init__(self, installation, folder, **app):
        self.installation, self.shiny = installation, ShinyAccounts(folder)
        self.shiny.configure(installation)
        installation.start()
        self.client = installation.unlocked()
        app = self.shiny.put_app(folder / "Shiny", **{"issuer": True, **app})
        self.client.call("providers.install", path=str(app))
        if (extension := self.statement())["state"] == "disabled":
            self.client.proven("providers.enable", identifier=EXTENSION, digest=extension["digest"])
        self.browser = None
        self.connect()

    def connect(self):
        self.browser = AppleBrowser(self.installation, self.shiny).begin()

    def statement(self):
        return next(p for p in self.client.call("providers.list")["providers"] if p["identifier"] == EXTENSION)

    def have(self, user="rmondello", key=None, services=(HOST,)):
        """An account at the service, saved in the built-in provider."""
        self.shiny.add(user, WEAK, key)
        self.client.call("items.add", items=[{"services": list(services), "user": user, "password": secret(WEAK)}])
        until(self.suggestions)

    def upgrade(self, *arguments):
        return self.installation.latchkey("upgrade", HOST, "--to", APPLE, *arguments, check=False)

    def begin(self):
        return subprocess.Popen(
            [BINARIES / "latchkey", "upgrade", HOST, "--to", APPLE], env=self.installation.environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def suggestions(self):
        return self.client.call("suggestions.list", url=f"https://{HOST}")["suggestions"]

    def items(self, removed=False):
        return self.client.call("items.list", **({"removed": True} if removed else {}))["items"]

    def converted(self):
        return self.client.call("upgrades.list").get("converted", [])

    def method(self, user="rmondello"):
        """How the service has the account sign in."""
        return self.shiny.post("/test/method", user=user)[1]["method"]

    def untouched(self):
        """Whether the password is saved and counts, as before."""
        password = self.client.call("items.reveal", id=self.items()[0]["id"], purpose="show")["password"]["secret"]
        return password == WEAK and self.shiny.takes("rmondello", WEAK) and self.converted() == []

    def close(self):
        self.browser.process.kill()
        self.browser.process.wait()
        self.shiny.stop()


@pytest.fixture
def make(installation, tmp_path):
    made = []

    def world(**app):
        made.append(World(installation, tmp_path, **app))
        return made[-1]

    yield world
    for one in made:
        one.close()


@pytest.fixture
def world(make):
    made = make()
    made.have()
    return made


def test_one_command_has_an_account_sign_in_with_apple(world):
    done = world.upgrade("--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {
        "service": HOST, "user": "rmondello", "provider": "Passwords", "extension": "Shiny", "password": "removed"}
    assert world.method() == "apple" and not world.shiny.takes("rmondello", WEAK)
    opened = world.browser.opened.get(timeout=30)
    address = urllib.parse.urlsplit(opened["url"])
    assert (address.scheme, address.netloc, address.path) == ("https", ISSUER, "/auth/authorize")
    asked = dict(urllib.parse.parse_qsl(address.query))
    assert len(asked.pop("state")) > 20 and len(asked.pop("nonce")) > 20
    assert asked == {
        "response_type": "code id_token", "response_mode": "form_post", "scope": "name email", "client_id": CLIENT,
        "redirect_uri": RETURN}
    assert opened["callback"] == {"host": HOST, "path": "/auth/return"} and opened["post"] is True
    # What is gone is offered nowhere, and can be brought back.
    assert world.items() == [] and world.suggestions() == []
    assert [item["user"] for item in world.items(removed=True)] == ["rmondello"]
    [converted] = world.converted()
    assert (converted["service"], converted["user"], converted["app"]) == (HOST, "rmondello", APP)
    steps = done.stderr.decode()
    assert steps.index("Changing it at the service") < steps.index("Sign in with Apple") < steps.index("Removing")
    for text in (done.stdout, done.stderr, world.installation.output().encode()):
        assert WEAK.encode() not in text and b"eyJ" not in text
    events = [line["event"] for line in world.client.call("audit.list")["lines"]]
    assert events[-1] == "converted" and "released" in events


def test_what_is_known_survives_a_restart_and_ends_when_the_password_comes_back(world):
    assert world.upgrade().returncode == 0
    world.installation.kill()
    world.installation.start()
    world.client = world.installation.unlocked()
    listed = json.loads(world.installation.latchkey("upgrade", "--list", "--json").stdout)
    assert [(one["user"], one["signsInWith"], one["password"]) for one in listed] == [("rmondello", "apple", "removed")]
    assert b"signs in with Apple since" in world.installation.latchkey("upgrade", "--list").stdout
    world.client.call("items.restore", id=world.items(removed=True)[0]["id"])
    assert world.converted() == [] and [item["user"] for item in world.items()] == ["rmondello"]


def test_an_item_of_other_places_stays_theirs(make):
    world = make()
    world.have(services=(HOST, "other.example.net"))
    assert world.upgrade().returncode == 0
    assert world.items()[0]["services"] == ["other.example.net"] and world.suggestions() == []
    assert world.converted()[0]["password"] == "detached"


def test_the_authenticators_code_is_asked_for_first(make):
    world = make()
    world.have(key=KEY)
    terminal = Terminal(
        world.installation, BINARIES / "latchkey", arguments=["upgrade", HOST, "--to", APPLE, "--lines"])
    terminal.wait("the code of your authenticator")
    answer(terminal, "000000x")
    terminal.wait("not right")
    assert world.browser.opened.empty(), "nobody signs in before the service has agreed"
    answer(terminal, code(KEY))
    terminal.wait("with Apple now")
    terminal.end()
    assert world.method() == "apple" and world.items() == []


@pytest.mark.parametrize("flaw", ["audience", "issuer", "nonce", "expired", "key", "unsigned", "state", "error"])
def test_what_the_issuer_gets_wrong_changes_nothing(world, flaw):
    world.shiny.post("/test/issuer", flaw=flaw)
    done = world.upgrade()
    assert done.returncode == 6 and b"still counts" in done.stderr, done.stderr
    assert world.untouched()


@pytest.mark.parametrize(
    "change",
    [
        lambda fields: {**fields, "state": "made up"}, lambda fields: {k: v for k, v in fields.items() if k != "state"},
        lambda fields: {**fields, "id_token": fields["id_token"][:-2] + "AA"}, lambda fields: {},
        lambda fields: {"state": fields["state"], "code": "c"}, lambda fields: {**fields, "code": ""},
    ],
)
def test_what_others_post_changes_nothing(world, change):
    world.browser.change = change
    assert world.upgrade().returncode == 6 and world.untouched()


def test_an_answer_is_good_for_its_own_request_only(world):
    kept = {}
    world.browser.change = lambda fields: kept.update(fields) or {"state": fields["state"]}
    assert world.upgrade().returncode == 6
    # A token that was for an earlier request, with the state of this one.
    world.browser.change = lambda fields: {**kept, "state": fields["state"]}
    assert world.upgrade().returncode == 6 and world.untouched()


def test_the_user_may_say_no(world):
    world.browser.choice = "cancel"
    done = world.upgrade()
    assert done.returncode != 0 and b"anceled" in done.stderr and world.untouched()
    world.browser.ending = None
    done = world.upgrade()
    assert done.returncode != 0 and b"anceled" in done.stderr and world.untouched()


def test_without_a_browser_or_a_network_nothing_is_opened(world):
    place = {"resolve": {f"{HOST}:443": f"127.0.0.1:{world.shiny.tls_port}", f"{ISSUER}:443": "127.0.0.1:1"}}
    file = world.installation.config / "fetch.json"
    whole = json.loads(file.read_text())
    file.write_text(json.dumps({**whole, **place}))
    assert world.upgrade().returncode == 6 and world.untouched() and world.browser.opened.empty()
    file.write_text(json.dumps(whole))
    world.browser.process.kill()
    world.browser.process.wait()
    assert world.upgrade().returncode == 6 and world.untouched()
    world.connect()
    assert world.upgrade().returncode == 0


@pytest.mark.parametrize("kind", ["down", "cut"])
def test_a_service_that_fails_in_the_middle_loses_nothing(world, kind):
    # The sign-in before the window is answered; what fails is the conversion.
    done = threading.Event()
    change = world.browser.change

    def trouble(fields):
        world.shiny.post("/test/trouble", kind=kind, times=1)
        done.set()
        return change(fields)

    world.browser.change = trouble
    ended = world.upgrade()
    assert ended.returncode == 6 and done.is_set() and b"whether it still counts" in ended.stderr, ended.stderr
    assert len(world.items()) == 1 and world.converted() == []
    assert world.method() == ("apple" if kind == "cut" else "password")


def test_a_lock_closes_the_window(world):
    world.browser.ending = "stay"
    running = world.begin()
    prompt = world.browser.opened.get(timeout=60)["prompt"]
    world.client.call("lock")
    running.communicate(timeout=60)
    assert running.returncode != 0
    while world.browser.dismissed.get(timeout=60) != prompt:
        pass
    world.client = world.installation.unlocked()
    assert world.untouched()


def test_the_window_goes_with_who_asked(world):
    world.browser.ending = "stay"
    running = world.begin()
    prompt = world.browser.opened.get(timeout=60)["prompt"]
    running.kill()
    running.communicate()
    while world.browser.dismissed.get(timeout=60) != prompt:
        pass
    assert world.untouched()


def test_after_kills_at_any_moment_the_account_is_not_lost(world):
    """The password is gone only where the service has the account sign in with Apple, and that is known."""
    seed = int(os.environ.get("LATCHKEY_SEED", "4"))
    draws = random.Random(seed)
    for round in range(int(os.environ.get("LATCHKEY_KILLS", "5"))):
        running = world.begin()
        time.sleep(draws.uniform(0, 1.5))
        world.installation.kill()
        running.communicate(timeout=60)
        world.installation.start()
        world.client = world.installation.unlocked()
        world.connect()
        items = until(lambda: told(lambda: [*world.items(), *world.items(removed=True)]))
        assert [item["user"] for item in items] == ["rmondello"], f"lost in round {round} of seed {seed}"
        if items[0].get("removed"):
            assert world.method() == "apple" and len(world.converted()) == 1, f"removed in round {round} of seed {seed}"
            return
        if world.method() == "apple":
            return  # The daemon was killed before it was told: the password is still there.
        assert world.untouched()


def app(world):
    """The app in a terminal, signed in by a person who then asks it for the upgrade."""
    program = os.path.join(world.statement()["path"], "shiny")
    terminal = Terminal(world.installation, program, arguments=["rmondello", APPLE])
    terminal.wait("Password: ")
    terminal.type_unseen(WEAK)
    shown = terminal.wait("(?s)Not Now.*?> ")
    assert "Sign in with Apple" in shown and "rmondello" in shown and WEAK not in shown
    assert world.browser.opened.empty()
    return terminal


def test_the_app_itself_asks_with_a_token_and_no_password(world):
    terminal = app(world)
    terminal.type("1")
    terminal.wait("You sign in with Apple now.")
    terminal.end()
    assert world.method() == "apple" and world.items() == [] and len(world.converted()) == 1


def test_an_account_that_nobody_saved_is_converted_all_the_same(make):
    world = make()
    world.shiny.add("rmondello", WEAK)
    terminal = app(world)
    terminal.type("1")
    terminal.wait("You sign in with Apple now.")
    terminal.end()
    assert world.method() == "apple" and [one["password"] for one in world.converted()] == ["none"]


def test_the_user_may_say_no_to_the_app(world):
    terminal = app(world)
    terminal.type("2")
    terminal.wait("Canceled.")
    terminal.end()
    assert world.untouched() and world.browser.opened.empty()


def test_a_list_says_what_can_be_converted(world):
    listed = json.loads(world.installation.latchkey("upgrade", "--list", HOST, "--json").stdout)
    assert [(one["extension"], one["signInWithApple"]) for one in listed] == [("Shiny", "Shiny")]
    assert b"or to Sign in with Apple" in world.installation.latchkey("upgrade", "--list", HOST).stdout


def test_who_enables_the_extension_is_told_of_another_issuer(world):
    statement = world.statement()["modification"]
    assert statement["kinds"] == ["strong-password", APPLE] and statement["issuer"] == f"https://{ISSUER}"


@pytest.mark.parametrize(
    "app, word",
    [
        ({"issuer": False, "attributes": {"LatchkeySignInWithAppleIssuer": f"https://{ISSUER}"}}, "get-task-allow"),
        ({"attributes": {"LatchkeySignInWithAppleReturnURL": "https://evil.example.net/auth/return"}}, "not a domain of its app"),
        ({"attributes": {"LatchkeySignInWithAppleReturnURL": f"http://{HOST}/auth/return"}}, "return URL"),
    ],
)
def test_an_extension_that_states_what_it_may_not_is_not_installed(installation, tmp_path, app, word):
    with ShinyAccounts(tmp_path) as shiny:
        installation.start()
        client = installation.unlocked()
        path = shiny.put_app(tmp_path / "Shiny", **{"issuer": True, **app})
        with pytest.raises(WireFailure) as refusal:
            client.call("providers.install", path=str(path))
        assert word in str(refusal.value)
        assert EXTENSION not in [p["identifier"] for p in client.call("providers.list")["providers"]]

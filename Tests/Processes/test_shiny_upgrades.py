# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""The worked example from end to end: its service, its app's extension, the real daemon and built-in provider."""

import pathlib

import pytest

from installation import BINARIES, secret, until
from shiny_accounts import EXTENSION, HOST, PROGRAM, ShinyAccounts, code
from test_apps import Terminal

pytestmark = [
    pytest.mark.soak,
    pytest.mark.skipif(not PROGRAM.exists(), reason="the examples were not built (LATCHKEY_EXAMPLES=1)"),
]
WEAK = "hunter2"
KEY = bytes(range(20))
RULES = "ASAccountAuthenticationModificationPasswordGenerationRequirements"


class World:
    """A Latchkey that knows a weak password of Shiny's, and Shiny's app with its extension."""

    def __init__(self, installation, folder, prefix="A1B2C3D4E5", **information):
        self.installation, self.shiny = installation, ShinyAccounts(folder)
        self.shiny.configure(installation)
        installation.start()
        self.client = installation.unlocked()
        app = self.shiny.put_app(folder / "Shiny", information)
        stated = app / "Shiny.entitlements"
        stated.write_bytes(stated.read_bytes().replace(b"A1B2C3D4E5", prefix.encode()))
        self.client.call("providers.install", path=str(app))
        extension = next(p for p in self.client.call("providers.list")["providers"] if p["identifier"] == EXTENSION)
        assert extension["state"] == "disabled", extension
        self.client.proven("providers.enable", identifier=EXTENSION, digest=extension["digest"])
        #: Where the app lies now.
        self.folder = pathlib.Path(extension["path"])

    def have(self, user, password=WEAK, key=None, saved=None):
        """An account at the service, saved in the built-in provider."""
        self.shiny.add(user, password, key)
        self.client.call("items.add", items=[{"services": [HOST], "user": user, "password": secret(saved or password)}])
        until(lambda: self.client.call("suggestions.list", url=f"https://{HOST}")["suggestions"])

    def upgrade(self, *arguments):
        return self.installation.latchkey("upgrade", HOST, *arguments, check=False)

    def app(self, user, way="strong-password", password=WEAK):
        """The app in a terminal, signed in by a person who then asks it for the upgrade."""
        terminal = Terminal(self.installation, self.folder / "shiny", arguments=[user, way])
        terminal.wait("Password: ")
        terminal.type_unseen(password)
        terminal.wait(f"signed in as {user}")
        return terminal

    def saved(self):
        item = self.client.call("items.list")["items"][0]
        return self.client.call("items.reveal", id=item["id"], purpose="show")["password"]["secret"]

    def offered(self):
        """Every password that the vault has for the account: the saved one, and those that are pending."""
        pending = self.client.call("generated.list")["generated"]
        return [self.saved()] + [
            self.client.call("generated.reveal", id=one["id"], purpose="show")["password"]["secret"] for one in pending
        ]

    def unsettled(self):
        return self.client.call("upgrades.list")["unsettled"]

    def close(self):
        self.shiny.stop()


@pytest.fixture
def make(installation, tmp_path):
    made = []

    def world(**information):
        made.append(World(installation, tmp_path, **information))
        return made[-1]

    yield world
    for one in made:
        one.close()


def test_one_command_makes_a_weak_password_strong(make):
    world = make()
    world.have("rmondello")
    done = world.upgrade("--json")
    assert done.returncode == 0, done.stderr
    new = world.saved()
    assert new != WEAK and world.shiny.takes("rmondello", new) and not world.shiny.takes("rmondello", WEAK)
    assert world.offered() == [new] and world.unsettled() == []
    for text in (done.stdout, done.stderr, world.installation.output().encode()):
        assert new.encode() not in text and WEAK.encode() not in text


def test_the_authenticators_code_is_asked_for(make):
    world = make()
    world.have("careful", key=KEY)
    terminal = Terminal(world.installation, BINARIES / "latchkey", arguments=["upgrade", HOST, "--lines"])
    terminal.wait("the code of your authenticator")
    answer(terminal, "000000x")
    terminal.wait("not right")
    answer(terminal, code(KEY))
    terminal.wait("is a strong one now")
    terminal.end()
    new = world.saved()
    # The code is spent: the next sign-in takes the next one, so the service itself is asked without one.
    assert new != WEAK and world.shiny.post("/api/session", user="careful", password=new)[1]["error"] == "codeRequired"
    assert world.shiny.post("/api/session", user="careful", password=WEAK)[1]["error"] == "wrongCredentials"
    assert world.unsettled() == []


def answer(terminal, text):
    """Types a code into the extension's interface, line by line, and presses its button."""
    terminal.wait("> ")
    terminal.type("1")
    terminal.wait("Code")
    terminal.type(text)
    terminal.wait("> ")
    terminal.type("")


def test_the_systems_cancel_reaches_the_extension_and_changes_nothing(make):
    world = make()
    world.have("careful", key=KEY)
    terminal = Terminal(world.installation, BINARIES / "latchkey", arguments=["upgrade", HOST, "--lines"])
    terminal.wait("the code of your authenticator")
    terminal.wait("q cancels|> ")
    terminal.type("q")
    terminal.wait("[Cc]anceled")
    terminal.end()
    assert world.saved() == WEAK and world.shiny.takes("careful", WEAK, KEY)
    # The next one is not disturbed by it.
    assert len(world.unsettled()) == 1 and WEAK in world.offered()


def test_the_app_asks_by_its_session_and_hands_over_no_password(make):
    world = make()
    world.have("rmondello")
    terminal = world.app("rmondello")
    shown = terminal.wait("(?s)Not Now.*?> ")
    assert "rmondello" in shown and HOST in shown and WEAK not in shown
    terminal.type("1")
    terminal.wait("Your password is a strong one now.")
    terminal.end()
    new = world.saved()
    assert new != WEAK and world.shiny.takes("rmondello", new) and not world.shiny.takes("rmondello", WEAK)
    assert world.offered() == [new] and world.unsettled() == []


def test_the_user_says_no_to_the_app(make):
    world = make()
    world.have("rmondello")
    terminal = world.app("rmondello")
    terminal.wait("(?s)Not Now.*?> ")
    terminal.type("2")
    terminal.wait("Canceled.")
    terminal.end()
    assert world.offered() == [WEAK] and world.shiny.takes("rmondello", WEAK) and world.unsettled() == []


def test_an_app_for_an_account_that_nobody_saved_saves_it(make):
    world = make()
    world.shiny.add("new here", WEAK)
    terminal = world.app("new here")
    terminal.wait("(?s)Not Now.*?> ")
    terminal.type("1")
    terminal.wait("Your password is a strong one now.")
    terminal.end()
    assert world.shiny.takes("new here", world.saved())


def test_a_policy_that_the_extension_does_not_know_refuses(make):
    world = make(NSExtension={
        "NSExtensionPointIdentifier": "com.apple.authentication-services-account-authentication-modification-ui",
        "NSExtensionAttributes": {
            "ASAccountAuthenticationModificationSupportsStrongPasswordChange": True,
            RULES: "minlength: 20; maxlength: 20; required: lower; required: digit;",
        },
    })
    world.have("rmondello")
    done = world.upgrade()
    assert done.returncode == 6 and b"A new password has 16 to 64" in done.stderr
    assert world.saved() == WEAK and world.shiny.takes("rmondello", WEAK)


def test_what_is_saved_and_wrong_changes_nothing(make):
    world = make()
    world.have("rmondello", saved="not the password")
    done = world.upgrade()
    assert done.returncode == 6 and b"not right" in done.stderr
    assert world.saved() == "not the password" and world.shiny.takes("rmondello", WEAK)


@pytest.mark.parametrize("kind", ["down", "cut"])
def test_a_service_that_fails_in_the_middle_loses_nothing(make, kind):
    world = make()
    world.have("rmondello")
    world.shiny.post("/test/trouble", kind=kind, times=1)
    done = world.upgrade()
    assert done.returncode == 6, done.stderr
    works = [password for password in world.offered() if world.shiny.takes("rmondello", password)]
    assert len(works) == 1 and (works == [WEAK]) == (kind == "down")
    unsettled = world.unsettled()
    assert len(unsettled) == 1
    world.installation.latchkey(
        "upgrade", "--settle", unsettled[0]["id"], "--works", "old" if kind == "down" else "new")
    assert world.saved() == works[0] and world.unsettled() == []
    # And the next one goes through.
    assert world.upgrade().returncode == 0 and world.shiny.takes("rmondello", world.saved())


def test_a_service_that_does_not_name_the_app_gets_no_offer(make):
    world = make(prefix="Z9Z9Z9Z9Z9")
    world.have("rmondello")
    done = world.upgrade()
    assert done.returncode == 6 and b"has not confirmed" in done.stderr
    assert world.saved() == WEAK and world.shiny.takes("rmondello", WEAK)

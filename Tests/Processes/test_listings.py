# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""What Apple's documents print as code, compiled as it is printed (Tests/ProviderSources/Listings), bundled, enabled and driven from
end to end: the extension and the app of the article on account upgrades, and the association file of session 206."""

import json
import plistlib
import re
import shutil
import urllib.parse

import pytest

from installation import BINARIES, ROOT, secret, until
from test_apps import Site, Terminal
from test_upgrades import WEAK, Service
from test_upgrades import World as DemoWorld
from test_upgrades import answer

HOST, USER = "myservice.example.com", "jappleseed"
APP = "E5336VM85F.com.example.Shiny"
EXTENSION = "com.example.Shiny.listings"
SOURCES = ROOT / "Tests" / "ProviderSources" / "Listings"
PROGRAM = BINARIES / "document-listings"
POINT = "com.apple.authentication-services-account-authentication-modification-ui"
#: The slide of session 206, as it is printed.
ASSOCIATION = b"""{
    "webcredentials": {
        "apps": [ "E5336VM85F.com.example.Shiny" ]
    }
}
"""


def put_app(folder, service, kinds=("StrongPasswordChange",)):
    """The app with its extension: one program, which does what its place asks of it."""
    appex = folder / "PlugIns" / "Listings.appex"
    appex.mkdir(parents=True)
    attributes = {"ASAccountAuthenticationModificationSupports" + kind: True for kind in kinds}
    attributes |= {
        "LatchkeySignInWithAppleClientIdentifier": "com.example.Shiny",
        "LatchkeySignInWithAppleReturnURL": f"https://{HOST}/return",
    } if "UpgradeToSignInWithApple" in kinds else {}
    info = {
        "CFBundleIdentifier": EXTENSION, "CFBundleExecutable": "Listings", "CFBundleDisplayName": "Listings",
        "CFBundleShortVersionString": "1.0", "ShinyServiceURL": service.url,
        "NSExtension": {"NSExtensionPointIdentifier": POINT, "NSExtensionAttributes": attributes},
    }
    (appex / "Info.plist").write_bytes(plistlib.dumps(info))
    hosts = [urllib.parse.urlsplit(service.url).netloc]
    (appex / "Listings.entitlements").write_bytes(plistlib.dumps({"org.latchkey.security.network.hosts": hosts}))
    shutil.copy(PROGRAM, appex / "Listings")
    shutil.copy(PROGRAM, folder / "listings")
    app = {"application-identifier": APP, "com.apple.developer.associated-domains": [f"webcredentials:{HOST}"]}
    (folder / "Shiny.entitlements").write_bytes(plistlib.dumps(app))
    return appex


class World(DemoWorld):
    """A Latchkey with a weak password of the listing's account, the app and its extension, a site that names it, and its service."""

    def __init__(self, installation, folder):
        self.installation, self.service = installation, Service()
        self.service.user = USER
        self.site = Site(folder, HOST)
        self.site.file = ASSOCIATION
        self.site.configure(installation)
        put_app(folder / "Shiny", self.service)
        installation.start()
        self.client = installation.unlocked()
        self.client.call("items.add", items=[{"services": [HOST], "user": USER, "password": secret(WEAK)}])
        until(lambda: self.client.call("suggestions.list", url=f"https://{HOST}")["suggestions"])
        self.client.call("providers.install", path=str(folder / "Shiny"))
        self.enable()

    def statement(self):
        return next(p for p in self.client.call("providers.list")["providers"] if p["identifier"] == EXTENSION)

    def app(self):
        """The app, in a terminal, with the token of its session."""
        program = self.statement()["path"] + "/listings"
        return Terminal(self.installation, program, arguments=["password", self.service.token])


@pytest.fixture
def world(system_apps, installation, tmp_path):
    made = World(installation, tmp_path)
    try:
        yield made
    finally:
        made.close()


@pytest.fixture
def service():
    made = Service()
    made.user = USER
    try:
        yield made
    finally:
        made.stop()


def test_the_association_file_of_the_slide_counts(world):
    done = world.installation.latchkey("associations", "check", HOST, "--app", APP)
    assert done.returncode == 0 and b"SiteApproved" in done.stdout, done.stdout
    world.site.file = ASSOCIATION.replace(b"Shiny", b"Other")
    assert world.installation.latchkey("associations", "check", HOST, "--app", APP, check=False).returncode == 6


def test_the_extension_changes_the_password(world):
    assert world.upgrade(HOST).returncode == 0
    assert world.service.changes[-1] == {"user": USER, "password": WEAK, "newPassword": world.saved()}
    assert world.service.accepts(world.saved()) and WEAK in world.history() and world.unsettled() == []


def test_its_sentence_is_shown_where_the_server_refuses(world):
    world.service.trouble = "policy"
    done = world.upgrade(HOST)
    assert done.returncode == 6 and b"Listings: Authentication failed." in done.stderr
    assert world.saved() == WEAK


def test_a_failure_without_a_sentence_changes_nothing(world):
    world.service.trouble = "down"
    done = world.upgrade(HOST)
    assert done.returncode == 6 and b"Authentication failed" not in done.stderr
    assert world.saved() == WEAK


def test_it_asks_for_interaction_where_the_server_wants_more(world):
    world.service.trouble = "code"
    terminal = Terminal(world.installation, BINARIES / "latchkey", arguments=["upgrade", HOST, "--lines"])
    terminal.wait("Change Password")
    answer(terminal, world, world.service.code)
    terminal.wait("is a strong one now")
    terminal.end()
    assert world.service.accepts(world.saved()) and "code" not in world.service.changes[0]


def test_the_app_asks_for_a_strong_password(world):
    terminal = world.app()
    shown = terminal.wait("(?s)Not Now.*?> ")
    assert USER in shown and HOST in shown
    terminal.type("1")
    terminal.wait("It was changed.")
    terminal.end()
    assert world.service.changes[-1] == {"user": USER, "token": world.service.token, "newPassword": world.saved()}


def test_the_app_is_told_that_its_user_said_no(world):
    terminal = world.app()
    terminal.wait("(?s)Not Now.*?> ")
    terminal.type("2")
    terminal.wait("Canceled.")
    terminal.end()
    assert world.service.changes == [] and world.saved() == WEAK


def outcomes(installation, appex, *more):
    done = installation.latchkey("providers", "test", appex, "--json", *more, check=False)
    return {c["name"]: (c["outcome"], c["reason"]) for c in json.loads(done.stdout)["checks"]}, done


def test_the_extension_passes_both_kinds_of_upgrade(installation, service, tmp_path):
    """Sign in with Apple is played by `providers test`: a credential, the user's no, and no network."""
    appex = put_app(tmp_path / "Shiny", service, ("StrongPasswordChange", "UpgradeToSignInWithApple"))
    account, answers = tmp_path / "account.json", tmp_path / "answers.json"
    account.write_text(json.dumps({"user": USER, "password": WEAK, "newPassword": "conformance-Changed-1"}))
    answers.write_text(json.dumps({"Code": service.code}))
    checks, done = outcomes(installation, appex, "--account", account, "--answers", answers)
    assert done.returncode == 0, checks
    skipped = sorted(name for name, (outcome, _) in checks.items() if outcome == "skipped")
    assert skipped == [
        "asks the user in its interface after it said 1100, and ends when cancelled",
        "refuses a kind of change that Info.plist does not state",
    ]
    assert [change["newPassword"] for change in service.changes if change.get("password") == WEAK][0] == "conformance-Changed-1"
    assert service.password == WEAK
    assert WEAK.encode() not in done.stdout + done.stderr


#: As the documents print them, each line without the space before it: the numbers are those of the sources.
PRINTED = json.loads((ROOT / "Tests" / "Processes" / "listings.json").read_text())


def written(number):
    """The lines between those that name a listing, without what this project put in between."""
    found, keeps = [], False
    for file in sorted(SOURCES.glob("*.swift")):
        for line in file.read_text().splitlines():
            if mark := re.fullmatch(r"\s*// Listing (\d+) (begins|continues|goes on below|ends)\b.*", line):
                keeps = int(mark[1]) == number and mark[2] in ("begins", "continues")
            elif keeps:
                found.append(line.strip())
    return found


@pytest.mark.parametrize("number", sorted(map(int, PRINTED)))
def test_a_listing_stands_there_as_it_is_printed(number):
    lines = [line.strip() for line in PRINTED[str(number)]]
    assert lines and [line for line in written(number) if line] == [line for line in lines if line]

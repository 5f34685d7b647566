# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""`latchkey upgrade --all`: every account that can be changed, one after another, whatever becomes of each of them."""

import json
import signal
import subprocess

import pytest

from installation import BINARIES, PASSPHRASE, BrowserClient, WireFailure, secret, until
from test_apps import HOST, Terminal
from test_upgrades import EXTENSION, WEAK, Service, World

STRONG = "rWibMFACxAUGZmxhVncy"
SITE = f"https://{HOST}"


class Accounts(Service):
    """Shiny's server with several accounts, each with a fate of its own."""

    def __init__(self):
        super().__init__()
        self.passwords, self.fates = {"rmondello": WEAK}, {}

    def take(self, change):
        user = change["user"]
        self.user, self.password, self.trouble = user, self.passwords.get(user), self.fates.get(user)
        status, reply = super().take(change)
        self.passwords[user] = self.password
        return status, reply


@pytest.fixture
def world(system_apps, installation, tmp_path):
    made = World(installation, tmp_path, service=Accounts())
    try:
        yield made
    finally:
        made.close()


def have(world, user, password=WEAK, fate=None):
    world.service.passwords[user] = password
    world.service.fates[user] = fate
    world.client.call("items.add", items=[{"services": [HOST], "user": user, "password": secret(password)}])
    until(lambda: any(s["user"] == user for s in world.client.call("suggestions.list", url=SITE)["suggestions"]))


def saved(world, user):
    item = next(item for item in world.client.call("items.list")["items"] if item["user"] == user)
    return world.client.call("items.reveal", id=item["id"], purpose="show")["password"]["secret"]


def outcomes(done):
    return {one["user"]: one["outcome"] for one in json.loads(done.stdout)}


def confirm(world):
    """Has the site asked about the app; it is asked when the extension is enabled, and nobody waits for that."""
    assert json.loads(world.upgrade("--list", HOST, "--json", check=True).stdout)[0]["extension"]


def test_all_are_changed_the_weak_ones_first(world):
    have(world, "astrong", STRONG)
    have(world, "weak")
    confirm(world)
    planned = json.loads(world.upgrade("--all", "--list", "--json", check=True).stdout)
    assert [one["user"] for one in planned][2] == "astrong" and planned[2]["reason"] is None
    assert all(one["reason"] for one in planned[:2])
    assert world.service.changes == []
    done = world.upgrade("--all", "--json", check=True)
    assert outcomes(done) == {"rmondello": "changed", "weak": "changed", "astrong": "changed"}
    assert [change["user"] for change in world.service.changes] == [one["user"] for one in planned]
    told = done.stderr.decode()
    assert "1 of 3: " in told and "3 of 3: astrong" in told and "3 of 3 changed." in told
    for user in ("rmondello", "weak", "astrong"):
        assert saved(world, user) == world.service.passwords[user] not in (WEAK, STRONG)
    for text in (done.stdout, done.stderr, world.installation.output().encode()):
        assert not any(password.encode() in text for password in [WEAK, STRONG, *world.service.passwords.values()])


def test_the_failure_of_one_is_not_the_end_of_the_others(world):
    have(world, "down", fate="down")
    have(world, "forbidden", fate="policy")
    have(world, "last", STRONG)
    confirm(world)
    done = world.upgrade("--all", "--json")
    assert done.returncode == 6, done.stderr
    assert outcomes(done) == {"rmondello": "changed", "down": "failed", "forbidden": "failed", "last": "changed"}
    messages = {one["user"]: one["message"] for one in json.loads(done.stdout)}
    assert "Your company's policy forbids it." in messages["forbidden"] and messages["rmondello"] is None
    assert b"2 of 4 changed; 2 failed, of which both passwords are kept." in done.stderr
    assert {one["user"] for one in world.unsettled()} == {"down", "forbidden"}
    for user in ("rmondello", "last"):
        assert saved(world, user) == world.service.passwords[user] not in (WEAK, STRONG)
    for user in ("down", "forbidden"):
        assert saved(world, user) == world.service.passwords[user] == WEAK
    # Once more, and only those are left that had failed; the others are changed again, as they were asked for.
    world.service.fates.clear()
    assert world.upgrade("--all").returncode == 0 and world.unsettled() == []


def test_what_cannot_be_begun_is_left_as_it_was(world):
    have(world, "second")
    confirm(world)
    world.client.call("providers.disable", identifier=EXTENSION)
    done = world.upgrade("--all", "--json")
    assert done.returncode == 0 and json.loads(done.stdout) == [] and b"no account" in done.stderr
    assert world.service.changes == [] and saved(world, "second") == WEAK


def test_one_authentication_is_asked_for(clock, world):
    have(world, "second")
    have(world, "third")
    confirm(world)
    world.client.prefer(authentication="always")
    clock.turn(30)
    assert wants_authentication(world)
    # Without it nothing is begun.
    done = world.upgrade("--all", "--json")
    assert done.returncode == 4 and world.service.changes == []
    terminal = Terminal(world.installation, BINARIES / "latchkey", arguments=["upgrade", "--all"])
    terminal.type_unseen(PASSPHRASE)
    told = terminal.wait("3 of 3 changed")
    terminal.end()
    assert told.lower().count("passphrase") == 1
    assert len(world.service.changes) == 3


def wants_authentication(world):
    """Whether the passphrase of the beginning counts no more."""
    try:
        world.client.call("upgrades.plan", service="nowhere.test")
    except WireFailure as failure:
        return failure.code == 3
    return False


@pytest.mark.parametrize("times", [1, 2])
def test_ctrl_c_ends_after_the_one_that_runs_and_a_second_one_at_once(world, times):
    have(world, "second", fate="hang")
    world.service.fates["rmondello"] = "hang"
    confirm(world)
    running = subprocess.Popen(
        [BINARIES / "latchkey", "upgrade", "--all", "--json"], env=world.installation.environment,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )
    assert world.service.asked.wait(60)
    first = world.service.changes[0]["user"]
    running.send_signal(signal.SIGINT)
    while b"Press Ctrl-C again" not in running.stderr.readline():
        assert running.poll() is None
    if times == 2:
        running.send_signal(signal.SIGINT)
        assert running.wait(60) == -signal.SIGINT
    world.service.go.set()
    output, errors = running.communicate(timeout=60)
    if times == 1:
        assert running.returncode == 8, errors
        assert {one["user"]: one["outcome"] for one in json.loads(output)} == {
            "rmondello": "not-reached", "second": "not-reached", first: "changed"}
        assert b"1 of 2 changed; 1 not begun." in errors
        assert saved(world, first) == world.service.passwords[first] != WEAK
    # Whoever asked has gone, and nothing is lost for it.
    until(lambda: world.service.passwords[first] != WEAK)
    assert world.service.passwords[first] in [saved(world, first), *world.pending()]
    assert len(world.service.changes) == 1


def test_a_lock_ends_the_run(world):
    have(world, "second", fate="hang")
    world.service.fates["rmondello"] = "hang"
    confirm(world)
    running = subprocess.Popen(
        [BINARIES / "latchkey", "upgrade", "--all", "--json"], env=world.installation.environment,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )
    assert world.service.asked.wait(60)
    world.client.call("lock")
    world.service.go.set()
    output, errors = running.communicate(timeout=60)
    assert running.returncode == 3, errors
    assert sorted(one["outcome"] for one in json.loads(output))[0] == "failed", output
    assert len(world.service.changes) == 1


def test_a_browser_changes_only_what_the_user_has_agreed_to(clock, world):
    have(world, "second")
    confirm(world)
    browser = BrowserClient(world.installation)
    try:
        asked = {"service": HOST, "user": "rmondello", "kind": "strong-password"}
        with pytest.raises(WireFailure) as refusal:
            browser.call("upgrades.run", **asked)
        assert refusal.value.code == 8
        browser.user = lambda shown: (False, None)
        with pytest.raises(WireFailure) as refusal:
            browser.call("upgrades.plan")
        assert refusal.value.code == 9 and world.service.changes == []
        # A handle that nobody gave, for an account that it would like.
        frame = {"tab": 1, "frame": 0, "document": "D1", "chain": [{"origin": SITE, "document": "D1"}]}
        with pytest.raises(WireFailure) as refusal:
            browser.call("renderer.upgrade", handle="A" * 22, frame=frame, service=HOST, user="rmondello")
        assert refusal.value.code == 16
    finally:
        browser.close()
    browser = BrowserClient(world.installation)
    try:
        browser.user = lambda shown: (True, PASSPHRASE)
        # The no of a moment ago counts for ten seconds.
        clock.turn(11)
        world.client.call("authenticate", passphrase=secret(PASSPHRASE))
        planned = browser.call("upgrades.plan", service=HOST, user="second")["accounts"]
        assert [one["user"] for one in planned] == ["second"]
        assert browser.presented[-1]["kind"] == "upgrade" and browser.presented[-1]["user"] == "second"
        with pytest.raises(WireFailure) as refusal:
            browser.call("upgrades.run", **asked)
        assert refusal.value.code == 8
        browser.call("upgrades.run", **{**asked, "user": "second"})
        assert [change["user"] for change in world.service.changes] == ["second"]
    finally:
        browser.close()

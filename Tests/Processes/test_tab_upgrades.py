# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""From a weak password that was just filled to a strong one, over the wire: what a browser may begin, and what it may not."""

import json

import pytest

from installation import PASSPHRASE, BrowserClient, WireFailure, until
from test_apps import HOST
from test_upgrades import EXTENSION, WEAK, World

SITE = f"https://{HOST}"


class Listening(BrowserClient):
    """A browser that keeps what it is told of passwords that were filled."""

    def __init__(self, installation):
        self.said, self.steps = [], []
        super().__init__(installation)

    def _answer(self, message):
        if message["method"] == "browser.recommendation":
            self.said.append(message["params"])
        if message["method"] == "upgrades.progress":
            self.steps.append(message["params"])
        super()._answer(message)

    def fill(self, tab=1, document="D1"):
        """Fills the account in a tab, and returns what is said of it."""
        session = self.focus(SITE, document=document, tab=tab)["session"]
        row = self.call("renderer.suggestions", session=session)["suggestions"][0]
        self.said.clear()
        self.call("renderer.choose", handle=row["handle"], surface="popup", guard={"held": True})

        def told():
            self.call("renderer.status")
            return self.said

        return until(told)[0]

    def upgrade(self, handle, tab=1, origin=SITE, **more):
        frame = {"tab": tab, "frame": 0, "document": "D2", "chain": [{"origin": origin, "document": "D2"}]}
        return self.call("renderer.upgrade", handle=handle, frame=frame, **more)

    def refused(self, handle, **more):
        with pytest.raises(WireFailure) as refusal:
            self.upgrade(handle, **more)
        return refusal.value.code


@pytest.fixture
def world(system_apps, installation, tmp_path):
    made = World(installation, tmp_path)
    # The site is asked when the extension is enabled, too; nobody waits for that.
    assert json.loads(made.upgrade("--list", HOST, "--json", check=True).stdout)[0]["extension"]
    made.browser = Listening(installation)
    made.browser.user = lambda shown: (True, PASSPHRASE)
    try:
        yield made
    finally:
        made.browser.close()
        made.close()


def test_S5_an_upgrade_is_for_the_account_and_the_tab_of_the_fill(world):
    browser = world.browser
    said = browser.fill()
    assert said["upgrade"] == "Shiny" and said["tab"] == 1
    # Another tab, no handle that was given, a document of a frame; and names of accounts count for nothing.
    assert browser.refused(said["handle"], tab=2) == 16
    assert browser.refused("A" * 22, service=HOST, user="rmondello", record="1") == 16
    other = Listening(world.installation)
    assert other.refused(said["handle"]) == 16
    other.close()
    assert world.service.changes == [] and world.saved() == WEAK
    answer = browser.upgrade(said["handle"], service="other.test", user="somebody else")
    assert answer == {"service": HOST, "user": "rmondello", "provider": "Passwords", "extension": "Shiny"}
    assert [step["step"] for step in browser.steps] == ["making", "keeping", "changing", "saving"]
    assert {step["handle"] for step in browser.steps} == {said["handle"]}
    assert world.service.accepts(world.saved()) and world.saved() != WEAK and WEAK in world.history()
    lines = [line for line in world.client.call("audit.list")["lines"] if line.get("act") == "popup"]
    assert [line["event"] for line in lines] == ["released", "released", "released", "updated"]
    # It was good for this one.
    assert browser.refused(said["handle"]) == 16 and len(world.service.changes) == 1


@pytest.mark.parametrize("origin", ["https://evil.test", f"http://{HOST}", "null", f"https://{HOST}.evil.test"])
def test_S5_a_tab_that_shows_another_site_has_no_upgrade(world, origin):
    said = world.browser.fill()
    assert world.browser.refused(said["handle"], origin=origin) == 16
    assert world.service.changes == [] and world.saved() == WEAK


def test_S5_what_was_said_before_ends_with_the_tab_and_the_lock(world):
    browser = world.browser
    said = browser.fill()
    browser.call("page.left", tab=1, document=None)
    assert browser.refused(said["handle"]) == 16
    first = browser.fill(document="D3")
    second = browser.fill(document="D4")
    assert first["handle"] != second["handle"] and browser.refused(first["handle"]) == 16
    world.client.call("lock")
    assert browser.refused(second["handle"]) == 2
    world.client = world.installation.unlocked()
    assert browser.refused(second["handle"]) == 16
    assert world.service.changes == [] and world.saved() == WEAK


def test_nothing_is_offered_where_the_extension_is_not_there(world):
    said = world.browser.fill()
    world.client.call("providers.disable", identifier=EXTENSION)
    # What was offered a moment ago is looked at once more.
    assert world.browser.refused(said["handle"]) == 6
    assert "upgrade" not in world.browser.fill(document="D3")
    assert world.service.changes == []


def test_the_passphrase_is_asked_for_where_the_preference_demands_it(clock, world):
    browser = world.browser
    said = browser.fill()
    world.client.prefer(authentication="always")
    browser.presented.clear()
    answers = iter([(False, None), (True, PASSPHRASE)])
    browser.user = lambda shown: next(answers)
    assert browser.refused(said["handle"]) == 9 and world.service.changes == []
    assert [(shown["kind"], shown["site"], shown["user"]) for shown in browser.presented] == [("upgrade", SITE, "rmondello")]

    # The no of a moment ago counts for ten seconds.
    assert browser.refused(said["handle"]) == 5
    clock.turn(11)
    assert browser.upgrade(said["handle"])["user"] == "rmondello"
    assert [shown["kind"] for shown in browser.presented] == ["upgrade", "upgrade"]
    assert world.service.accepts(world.saved())


def test_a_browser_that_ends_meanwhile_loses_nothing(world):
    said = world.browser.fill()
    world.service.trouble = "hang"
    frame = {"tab": 1, "frame": 0, "document": "D2", "chain": [{"origin": SITE, "document": "D2"}]}
    world.browser.ask("renderer.upgrade", handle=said["handle"], frame=frame)
    assert world.service.asked.wait(60)
    world.browser.process.kill()
    world.service.go.set()
    until(lambda: world.service.password != WEAK)
    assert any(world.service.accepts(password) for password in world.offered())

# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Apps that are asked about in a browser's window: the demo app, the real daemon, and a browser that this test plays."""

import queue

import pytest

from installation import PASSPHRASE, until
from providers import SHINY, Bundle, Hand
from test_apps import HOST, IDENTIFIER, Terminal, World
from test_web_authentication import Browser


class Window(Browser):
    """A browser whose windows wait for the test."""

    def __init__(self, installation):
        super().__init__(installation)
        self.prompts = queue.Queue()

    def _decide(self, prompt):
        self.prompts.put(prompt)

    def shown(self, prompt, is_meant=lambda shown: True):
        """What stands there once it is what the test waits for."""
        def look():
            shown = self._call("renderer.prompt", prompt=prompt)
            return shown if is_meant(shown) else None

        return until(look)

    def wanted(self, is_meant=lambda shown: True):
        prompt = self.prompts.get(timeout=60)
        return prompt, self.shown(prompt, is_meant)

    def has(self, element):
        return lambda shown: element in {e["id"] for e in (shown.get("interface") or {"elements": []})["elements"]}

    def rows(self, shown):
        lists = [e for e in shown["interface"]["elements"] if e["kind"] == "list"]
        return [row for one in lists for section in one["sections"] for row in section["rows"]]

    def select(self, prompt, row, element="passwords"):
        self._call("renderer.act", prompt=prompt, element=element, action="select", row=row, fields=[])

    def press(self, prompt, element):
        self._call("renderer.act", prompt=prompt, element=element, action="press", fields=[])

    def refuse(self, prompt):
        self._call("renderer.answer", prompt=prompt, accept=False)


@pytest.fixture
def world(system_apps, installation, tmp_path):
    made = World(installation, tmp_path)
    made.window = Window(installation).begin()
    try:
        yield made
    finally:
        made.close()
        made.window.process.kill()
        made.window.process.wait()


def ask(world):
    """The demo app, which the user has said yes to, asking in the window."""
    program = world.folder / "shiny"
    if not program.exists():
        world.claim(world.program())
        world.installation.latchkey("apps", "grant", program, "--yes", "--passphrase-file", "-", input=PASSPHRASE.encode())
    terminal = world.run(program, DISPLAY=":99")
    return program, terminal, *world.window.wanted(world.window.has("app"))


def listing(world):
    """A provider that shows its list when the test says so."""
    bundle = Bundle(world.installation, holds=["provider.prepareCredentialList"], accounts=[])
    hand = Hand(bundle)
    bundle.enable(world.client, filled=False)
    hand.taken()
    return hand


def show(world, hand, row="0"):
    """The provider's list, in its window, and what the provider was asked for."""
    request = hand.expect("provider.prepareCredentialList")["params"]
    picture = {"title": "All", "elements": [{"kind": "list", "id": "l", "sections": [
        {"title": "", "rows": [{"id": row, "title": "of a bank", "subtitle": ""}]}]}]}
    assert "result" in hand.ask("interface.show", request=request["request"], interface=picture)
    prompt, shown = world.window.wanted(world.window.has("l"))
    return request, prompt, shown


def give(hand):
    """The provider answers with an account that it has for another place."""
    hand.expect("provider.act")
    hand.run(
        "provider.send(id=[m['id'] for m in provider.held.values() if m['method'] == 'provider.prepareCredentialList'][-1], "
        "result={'credential': {'type': 'password', 'user': 'at the bank', 'password': {'secret': 'bank secret'}}})")


def test_S21_what_is_chosen_in_a_providers_list_takes_the_passphrase(world):
    hand = listing(world)
    program, terminal, prompt, shown = ask(world)
    assert [row["title"] for row in world.window.rows(shown)] == ["rmondello", "More in Shiny…"]
    world.window.select(prompt, f"more-{SHINY}")
    request, listed, shown = show(world, hand)
    assert request["services"] == [{"type": 0, "identifier": HOST}] and request["context"] == {"app": IDENTIFIER}
    assert (shown["provider"], shown["site"], shown["requester"]) == ("Shiny", HOST, str(program))
    world.window.select(listed, "0", "l")
    give(hand)
    question, shown = world.window.wanted()
    assert (shown["kind"], shown["user"], shown["requester"]) == ("authenticate", "at the bank", str(program))
    assert "another place" in " ".join(shown["reasons"]) and world.releases() == []
    world.window._call("renderer.answer", prompt=question, accept=True, passphrase={"secret": PASSPHRASE})
    terminal.wait("Username: at the bank")
    line = world.releases()[-1]
    assert (line["provider"], line["service"], line["authentication"]) == (SHINY, HOST, "passphrase just now")
    assert line["reason"] == "chosen in the provider's own list, as the user said"


def test_S21_a_no_after_the_list_gives_the_app_nothing(world):
    hand = listing(world)
    _, terminal, prompt, _ = ask(world)
    world.window.select(prompt, f"more-{SHINY}")
    _, listed, _ = show(world, hand)
    world.window.select(listed, "0", "l")
    give(hand)
    world.window.refuse(world.window.wanted()[0])
    terminal.wait("AutoFill: nothing was filled.")
    assert world.releases() == []


def test_S26_the_row_is_there_when_nothing_is_saved_and_an_app_that_is_not_confirmed_has_none(world):
    listing(world)
    for item in world.client.call("items.list")["items"]:
        world.client.call("items.remove", id=item["id"])
    until(lambda: not world.client.call("suggestions.list", url=f"https://{HOST}")["suggestions"])
    _, terminal, prompt, shown = ask(world)
    assert [row["title"] for row in world.window.rows(shown)] == ["More in Shiny…"]
    world.window.refuse(prompt)
    terminal.wait("AutoFill: nothing was filled.")


def test_S21_an_app_that_its_site_does_not_name_has_no_list_to_go_to(world):
    listing(world)
    world.site.apps = ["E5336VM85F.com.example.Other"]
    _, terminal, prompt, shown = ask(world)
    assert world.window.rows(shown) == []
    world.window.refuse(prompt)
    terminal.wait("AutoFill: nothing was filled.")
    assert world.releases() == []

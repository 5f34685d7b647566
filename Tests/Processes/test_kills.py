# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""The daemon is killed at any moment, while passwords are saved and changed, providers enabled and settings changed.

What was acknowledged is there afterwards. What was on its way when the kill came is there as it was, or as it was to be.
"""

import os
import random
import signal
import threading

import pytest

from installation import WireFailure, secret
from providers import SHINY, Bundle
from verdicts import NotTried, must_hold, nothing_lost

KILLS = int(os.environ.get("LATCHKEY_KILLS", "6"))


class Expected:
    """What each thing may be after a kill: what was acknowledged last, and what was asked for since."""

    def __init__(self):
        self.known = {}
        self.asked = {}

    def change(self, name, value, act):
        self.asked[name] = value
        answer = act()
        self.known[name] = value
        del self.asked[name]
        return answer

    def check(self, name, value):
        allowed = [self.known.get(name), *([self.asked[name]] if name in self.asked else [])]
        nothing_lost(f"one of {allowed!r} for {name}", [] if value in allowed else [f"it is {value!r}"])
        self.known[name] = value


class World:
    def __init__(self, installation, chance):
        self.chance, self.expected = chance, Expected()
        self.installation = installation
        self.bundle = Bundle(installation)
        self.items = {}
        self.number = 0
        self.client = None
        self.count = 0

    def act(self):
        """One change, picked at random."""
        self.number += 1
        number = self.number
        [name] = self.chance.choices(["add", "edit", "preference", "provider"], [4, 4, 4, 1])
        if name == "add":
            user = f"user{number}"
            add = lambda: self.client.call(  # noqa: E731
                "items.add", items=[{"services": [f"site{number % 7}.example.com"], "user": user, "password": secret(f"first {number}")}])
            self.items[user] = self.expected.change(user, f"first {number}", add)["items"][0]["id"]
        elif name == "edit" and self.items:
            user = self.chance.choice(sorted(self.items))
            password = f"changed {number}"
            self.expected.change(
                user, password, lambda: self.client.call("items.edit", id=self.items[user], password=secret(password)))
        elif name == "preference":
            key, values = self.chance.choice([
                ("authentication", ["always", "after", "never"]), ("idleMinutes", [5, 15, 60]), ("lockOnSuspend", [True, False]),
                ("providerSeconds", [2, 5, 60]), ("gitSave", ["ask", "always", "never"]),
            ])
            value = self.chance.choice(values)
            self.expected.change(key, value, lambda: self.client.prefer(**{key: value}))
        elif name == "provider":
            if self.expected.known["provider"] == "enabled":
                disable = lambda: self.client.call("providers.disable", identifier=SHINY)  # noqa: E731
                self.expected.change("provider", "disabled", disable)
            else:
                self.expected.change("provider", "enabled", lambda: self.bundle.enable(self.client, filled=False))
        self.count += 1

    def check(self):
        """Everything that was asked for so far."""
        preferences = self.client.call("status")["preferences"]
        for key in ("authentication", "idleMinutes", "lockOnSuspend", "providerSeconds", "gitSave"):
            self.expected.known.setdefault(key, preferences[key])
            self.expected.check(key, preferences[key])
        state = self.bundle.statement(self.client)["state"]
        self.expected.known.setdefault("provider", state)
        self.expected.check("provider", state)
        listed, cursor = {}, None
        while True:
            page = self.client.call("items.list", **({"cursor": cursor} if cursor else {}))
            listed |= {item["user"]: item["id"] for item in page["items"]}
            if not (cursor := page.get("cursor")):
                break
        nothing_lost("an account", set(self.items) - set(listed))
        # One that was on its way is there whole, or not at all.
        for user in set(listed) - set(self.items):
            must_hold(user in self.expected.asked, f"nobody asked for {user}")
        self.items = listed
        asked = [user for user in self.expected.asked if user in listed]
        for user in asked + self.chance.sample(sorted(listed), min(2, len(listed))):
            shown = self.client.proven("items.reveal", id=listed[user], purpose="show")["password"]["secret"]
            self.expected.check(user, shown)
        self.expected.asked.clear()


def test_what_was_acknowledged_survives_kills_and_no_setting_is_weaker(installation):
    world = World(installation, random.Random(int(os.environ.get("LATCHKEY_SEED", "20261123"))))
    for _ in range(KILLS):
        installation.start()
        world.client = installation.unlocked()
        world.check()
        timer = threading.Timer(world.chance.uniform(0.01, 0.25), os.kill, [installation.daemon.pid, signal.SIGKILL])
        timer.start()
        try:
            while True:
                world.act()
        except (ConnectionError, OSError):
            pass
        except WireFailure:
            # A change that the provider could not carry out any more; the kill is on its way.
            pass
        timer.join()
        installation.kill()
    installation.start()
    world.client = installation.unlocked()
    world.check()
    if world.count < KILLS:
        raise NotTried("the kills came so early that nothing was tried")


def password_of(user):
    return f"the password of {user}"


def account(user):
    return {"services": ["shiny.example.com"], "user": user, "password": secret(password_of(user))}


@pytest.mark.main
def test_a_kill_while_an_account_is_saved_loses_no_acknowledged_one(running):
    """Each kill comes when a request has been sent and before its answer is read. What it asked for is there whole, or not at all."""
    acknowledged, under_way = {}, {}
    for round in range(4):
        client = running.unlocked()
        for number in range(3):
            user = f"user{round}-{number}"
            client.call("items.add", items=[account(user)])
            acknowledged[user] = password_of(user)
        user = f"last{round}"
        client.send({"jsonrpc": "2.0", "id": 1000, "method": "items.add", "params": {"items": [account(user)]}})
        if round % 2:
            # The daemon has read it and works on it: an answer to a later request is under way too.
            client.send({"jsonrpc": "2.0", "id": 1001, "method": "status", "params": {}})
            while client.receive()["id"] != 1001:
                pass
        running.kill()
        under_way[user] = password_of(user)
        running.start()
        client = running.unlocked()
        listed = {item["user"]: item["id"] for item in client.call("items.list")["items"]}
        nothing_lost("an account", set(acknowledged) - set(listed))
        must_hold(set(listed) <= set(acknowledged) | set(under_way), f"nobody asked for some of {set(listed)}")
        for user, identifier in listed.items():
            shown = client.proven("items.reveal", id=identifier, purpose="show")["password"]["secret"]
            nothing_lost(f"the password of {user}", [] if shown == {**acknowledged, **under_way}[user] else [shown])
        client.close()

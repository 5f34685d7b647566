# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""The daemon or the app is killed at any moment while accounts are added, changed, deleted and brought back in the app.

What the app showed as saved is there afterwards. A change that was on its way when the kill came is there whole, or not at all.
"""

import os
import random
import signal
import threading
import time

import pytest

from installation import secret, until
from test_kills import Expected

KILLS = int(os.environ.get("LATCHKEY_KILLS", "5"))
SITE = "shiny.example.com"
#: Accounts that are not deleted, at most: a short list is read in less time.
MOST = 6
#: Earlier passwords that an account keeps (`ItemRow.historyLimit`).
HISTORY = 20


class Killed(Exception):
    """The daemon or the app was killed while the app was acting."""


class World:
    """The accounts, as the app has shown them, and the person who changes them by the keyboard."""

    def __init__(self, app, chance):
        self.app, self.chance, self.expected = app, chance, Expected()
        self.installation = app.desktop.installation
        #: The passwords of each account, the current one last.
        self.passwords = {}
        self.is_killed = threading.Event()
        self.victim = self.timer = self.changes_left = None
        self.number = self.count = 0
        #: For each kill, whether the change that was on its way was made.
        self.outcomes = []
        # One change that is left alone: kills come within the time that it takes, and that its answer takes.
        begun = time.monotonic()
        self.act()
        self.usual, self.usual_answer = time.monotonic() - begun, time.monotonic() - self.asked_at

    # -- The app --

    def wait(self, *names, without=(), seconds=30):
        """Waits until the app describes all of these and none of those; raises `Killed` where a kill comes first."""
        def is_shown():
            # Read first: what the app showed before the kill counts.
            was_killed = self.is_killed.is_set()
            shown = self.app.glance()
            if set(names) <= set(shown) and not set(without) & set(shown):
                return shown
            if was_killed:
                raise Killed
            return None

        try:
            return until(is_shown, seconds)
        except AssertionError:
            window = self.app.desktop.x("getactivewindow", "getwindowname")
            raise AssertionError(f"not {names} without {without}, but {sorted(self.app.glance())} in {window!r}") from None

    def wait_for_window(self, title):
        def is_active():
            was_killed = self.is_killed.is_set()
            if self.app.desktop.x("getactivewindow", "getwindowname") == title:
                return True
            if was_killed:
                raise Killed
            return False

        until(is_active, 30)

    def press(self, name):
        try:
            self.app.ask("act", self.wait(name)[name])
        except AssertionError:
            if self.is_killed.is_set():
                raise Killed from None
            raise

    def find(self, user, section="1"):
        """Opens an account of a section."""
        desktop = self.app.desktop
        # No other account is open then, whose buttons have the same names.
        desktop.key(f"ctrl+{section}")
        self.wait("Search accounts", "No Account Chosen")
        desktop.key("ctrl+f", "ctrl+a")
        desktop.type(user)
        self.wait(f"{SITE}, {user}")
        desktop.key("Return")

    # -- Changes, each until the app shows that it was made --

    def save(self, user):
        self.about_to_save()
        self.app.desktop.key("Return")
        # The editor closes once the daemon has answered. One that closes because the app begins anew leaves no account on the screen.
        self.wait_for_window("Passwords")
        self.wait(user, "Edit Account", without=["Save"])

    def add(self, user, password):
        self.app.desktop.key("ctrl+n")
        self.wait("Save")
        self.wait_for_window("Add Account")
        for text in (SITE, user):
            self.app.desktop.type(text)
            self.app.desktop.key("Tab")
        self.app.desktop.type(password)
        self.save(user)

    def change_password(self, user, password):
        self.find(user)
        self.wait("Edit Account", "Show Password")
        self.press("Edit Account")
        self.wait("Save")
        self.wait_for_window("Edit Account")
        self.app.desktop.key("Tab", "Tab")
        self.app.desktop.type(password)
        self.save(user)

    def delete(self, user):
        self.find(user)
        self.wait("Delete Account", "Show Password")
        self.about_to_save()
        self.press("Delete Account")
        self.wait("No Account Chosen")

    def bring_back(self, user):
        # What tells of a deletion for a few seconds has a button of the same name.
        self.wait("Search accounts", without=[f"{one} is deleted. It can be brought back for 30 days." for one in self.passwords])
        self.find(user, section="4")
        self.wait("Bring Back")
        self.about_to_save()
        self.press("Bring Back")
        self.wait("No Account Chosen", without=["Bring Back"])
        self.app.desktop.key("ctrl+1")
        self.wait("Add Account")

    def act(self):
        """One change, picked at random."""
        self.number += 1
        users = {state: sorted(user for user, known in self.expected.known.items() if known == state) for state in ("saved", "deleted")}
        weights = {
            "add": 3 if len(users["saved"]) < MOST else 0, "change": 3 if users["saved"] else 0,
            "delete": 2 if users["saved"] else 0, "bring back": 2 if users["deleted"] and len(users["saved"]) < MOST else 0,
        }
        [name] = self.chance.choices(list(weights), list(weights.values()))
        password = f"password-{self.number:04d}"
        if name == "add":
            user = f"user{self.number:04d}"
            self.passwords[user] = []
            self.change(user, "saved", lambda: self.change(f"password of {user}", password, lambda: self.add(user, password)))
        elif name == "change":
            user = self.chance.choice(users["saved"])
            self.change(f"password of {user}", password, lambda: self.change_password(user, password))
        elif name == "delete":
            user = self.chance.choice(users["saved"])
            self.change(user, "deleted", lambda: self.delete(user))
        else:
            user = self.chance.choice(users["deleted"])
            self.change(user, "saved", lambda: self.bring_back(user))
        self.count += 1

    def change(self, name, value, act):
        self.expected.change(name, value, act)
        if name.startswith("password of "):
            self.passwords[name.removeprefix("password of ")].append(value)

    # -- The kill --

    def begin_round(self):
        """Half of the kills come at any moment of some changes, the others between a press that saves and its answer."""
        self.victim = self.chance.choice(["daemon", "app"])
        is_any_moment = self.chance.random() < 0.5
        self.timer = threading.Timer(self.chance.uniform(0, 3 * self.usual if is_any_moment else self.usual_answer), self.kill)
        #: Changes that are made before the one whose press starts the timer.
        self.changes_left = None if is_any_moment else self.chance.randrange(3)
        if is_any_moment:
            self.timer.start()

    def about_to_save(self):
        self.asked_at = time.monotonic()
        if self.changes_left == 0:
            self.timer.start()
        if self.changes_left is not None:
            self.changes_left -= 1

    def kill(self):
        process = self.installation.daemon if self.victim == "daemon" else self.app.process
        os.kill(process.pid, signal.SIGKILL)
        self.is_killed.set()

    def end_round(self):
        """The daemon is started again, and so is the app or what it looks for."""
        self.timer.join()
        if self.victim == "app":
            self.app.process.wait()
        else:
            self.is_killed.clear()
            self.wait("Latchkey Is Not Running")
        self.installation.kill()
        self.installation.start()
        self.app.client = self.installation.unlocked()
        self.check()
        self.is_killed.clear()
        if self.victim == "app":
            self.app.start(wait=None)
        else:
            self.press("Start Latchkey")
        saved = [f"{SITE}, {user}" for user, state in self.expected.known.items() if state == "saved"]
        gone = [f"{SITE}, {user}" for user, state in self.expected.known.items() if state == "deleted"]
        self.wait("Search accounts", "Add Account", *saved, without=gone)
        self.wait_for_window("Passwords")
        until(self.app.focused)

    def check(self):
        client = self.app.client
        states, identifiers = {}, {}
        for state, removed in [("saved", False), ("deleted", True)]:
            page = client.call("items.list", removed=removed)
            assert "cursor" not in page, "there are more accounts than this test lists"
            for item in page["items"]:
                assert item["services"] == [SITE] and item["user"] not in states, f"{item} is no account that was saved"
                states[item["user"]], identifiers[item["user"]] = state, item["id"]
        # An account that is added has two names, and comes before its password.
        on_its_way = next(iter(self.expected.asked), None)
        before = self.expected.known.get(on_its_way)
        for user in set(states) | set(self.passwords):
            self.expected.check(user, states.get(user))
        for user, identifier in identifiers.items():
            name = f"password of {user}"
            if states[user] == "deleted":
                continue
            shown = client.proven("items.reveal", id=identifier, purpose="show")["password"]["secret"]
            self.expected.check(name, shown)
            if self.passwords[user][-1:] != [shown]:
                self.passwords[user].append(shown)
            earlier = [change["password"]["secret"] for change in client.proven("items.history", id=identifier)["changes"]]
            assert sorted(earlier) == self.passwords[user][:-1][-HISTORY:], f"{user} had {self.passwords[user]}, and the history is {earlier}"
        # What fills offers the accounts that are listed.
        wanted = {identifiers[user] for user, state in states.items() if state == "saved"}
        until(lambda: {
            row["recordIdentifier"] for row in client.call("suggestions.list", url=f"https://{SITE}/")["suggestions"]} == wanted, 30)
        assert client.call("audit.list")["intact"], "the log is not whole"
        if on_its_way:
            self.outcomes.append(self.expected.known.get(on_its_way) != before)
        self.expected.asked.clear()


@pytest.mark.timeout(300 + 15 * KILLS)
def test_what_the_app_showed_as_saved_survives_kills_of_the_daemon_and_of_the_app(app):
    seed = int(os.environ.get("LATCHKEY_SEED") or random.SystemRandom().randrange(10**9))
    print(f"LATCHKEY_SEED={seed}")
    app.client.prefer(authenticationMinutes=60, idleMinutes=0)
    app.start()
    world = World(app, random.Random(seed))
    begun = time.monotonic()
    for _ in range(KILLS):
        world.begin_round()
        try:
            while True:
                world.act()
        except Killed:
            pass
        world.end_round()
    each = (time.monotonic() - begun) / KILLS
    made = sum(world.outcomes)
    print(f"{KILLS} kills, {each:.2f} s each; the app showed {world.count} changes as saved; "
          f"of {len(world.outcomes)} that were on their way {made} were made")
    assert world.count >= KILLS // 4, "the kills came so early that little was saved"
    assert KILLS < 50 or 0 < made < len(world.outcomes), "no kill came before a change was made, or none after it"

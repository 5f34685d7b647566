# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""A fingerprint in place of the passphrase: the real daemon, and a stand-in for fprintd on a bus of its own."""

import json
import os
import subprocess

import pytest

from code_kit import Fingers
from installation import AUTHENTICATION_REQUIRED, PASSPHRASE, BrowserClient, Installation, WireFailure, secret, until

SITE = "https://shiny.example.com"


@pytest.fixture
def fingers():
    if subprocess.run(["/usr/bin/python3", "-c", "import dbus, gi"], capture_output=True).returncode != 0:
        pytest.skip("python3-dbus and python3-gi are not here")
    with Fingers() as made:
        yield made


@pytest.fixture
def running(fingers):
    # On the user's own bus somebody pretends to be the reader, and has every finger match.
    with Fingers() as liar:
        liar.tell("set", "stale", "verify-match")
        with Installation(environment={**fingers.environment, "DBUS_SESSION_BUS_ADDRESS": liar.environment["DBUS_SESSION_BUS_ADDRESS"]}) as made:
            made.start()
            yield made
        assert liar.tell("calls") == []


@pytest.fixture
def browser(running):
    client = running.unlocked()
    client.call("items.add", items=[{"services": ["shiny.example.com"], "user": "anna", "password": secret("a password")}])
    client.prefer(fingerprint=True)
    client.prefer(authentication="always")
    made = BrowserClient(running)
    made.client = client
    yield made
    made.close()


def choose(browser):
    session = browser.focus(SITE)["session"]
    [row] = browser.call("renderer.suggestions", session=session)["suggestions"]
    return browser.call("renderer.choose", handle=row["handle"], surface="bar", guard={"held": True})


class Finger:
    """What the user does in the window of a question: has the reader wait, and puts fingers onto it."""

    def __init__(self, fingers, browser, *results, passphrase=None):
        self.results, self.passphrase = results, passphrase
        self.outcomes, self.shown = [], None
        present = browser._answer

        def answer(message):
            if message["method"] != "browser.present":
                return present(message)
            browser.send({"jsonrpc": "2.0", "id": message["id"], "result": {}})
            prompt = message["params"]["prompt"]
            self.shown = browser.call("renderer.prompt", prompt=prompt)
            for result in self.results:
                asked = browser.ask("renderer.fingerprint", prompt=prompt)
                if result:
                    until(lambda: fingers.tell("is_reading"))
                    for words in result if isinstance(result, list) else [(result, True)]:
                        fingers.tell("status", *words)
                try:
                    self.outcomes.append(browser.wait(asked)["outcome"])
                except WireFailure as failure:
                    self.outcomes.append(failure.code)
            if self.outcomes[-1:] != ["matched"]:
                more = {"passphrase": secret(self.passphrase)} if self.passphrase else {}
                browser.call("renderer.answer", prompt=prompt, accept=bool(self.passphrase), **more)

        browser._answer = answer


def test_a_finger_fills(fingers, browser, running):
    finger = Finger(fingers, browser, "verify-match")
    assert choose(browser)["fills"]
    assert browser.client.call("items.list")["items"], "it is unlocked"
    with pytest.raises(WireFailure) as failure:
        browser.client.call("items.reveal", id=browser.client.call("items.list")["items"][0]["id"])
    assert failure.value.code == AUTHENTICATION_REQUIRED, "a finger counts for nothing else"
    assert finger.shown["takesFingerprint"] is True and finger.outcomes == ["matched"]
    until(lambda: fingers.tell("calls")[-1] == "Release")
    assert fingers.tell("calls") == ["Claim ''", "VerifyStart any", "VerifyStop", "Release"]
    assert "fingerprint just now" in running.latchkey("audit", "--json").stdout.decode()


def test_a_finger_that_has_to_be_put_on_again_is_waited_for(fingers, browser):
    finger = Finger(fingers, browser, [("verify-swipe-too-short", False), ("verify-finger-not-centered", False), ("verify-match", True)])
    assert choose(browser)["fills"]
    assert finger.outcomes == ["matched"]


def test_after_three_others_it_is_the_passphrase(fingers, browser):
    finger = Finger(fingers, browser, "verify-no-match", "verify-no-match", "verify-no-match", None, passphrase=PASSPHRASE)
    assert choose(browser)["fills"]
    assert finger.outcomes == ["again", "again", "passphrase", 6]


def test_the_wrong_finger_fills_nothing(fingers, browser):
    finger = Finger(fingers, browser, "verify-no-match")
    with pytest.raises(WireFailure):
        choose(browser)
    assert finger.outcomes == ["again"]


@pytest.mark.parametrize(("what", "value"), [("has_reader", False), ("has_fingers", False), ("owner", ":1.99")], ids=["no reader", "no finger", "in use"])
def test_without_a_reader_it_is_the_passphrase(fingers, browser, what, value):
    fingers.tell("set", what, value)
    finger = Finger(fingers, browser, None, passphrase=PASSPHRASE)
    assert choose(browser)["fills"]
    assert finger.outcomes == ["unavailable"]


@pytest.mark.parametrize("result", ["verify-disconnected", "verify-unknown-error", "verify-something-new"])
def test_a_reader_that_goes_meanwhile_leaves_the_passphrase(fingers, browser, result):
    finger = Finger(fingers, browser, result, passphrase=PASSPHRASE)
    assert choose(browser)["fills"]
    assert finger.outcomes == ["unavailable"]


def test_S25_what_was_said_before_the_reader_waited_does_not_count(fingers, browser):
    fingers.tell("set", "stale", "verify-match")
    finger = Finger(fingers, browser, "verify-no-match")
    with pytest.raises(WireFailure):
        choose(browser)
    assert finger.outcomes == ["again"]


class OtherFingers(Fingers):
    """A bus that another user than root runs, as one that somebody names as the system's in the user's environment."""

    prefix = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root starts a bus of another user")
def test_S25_a_bus_that_is_not_roots_has_no_reader():
    with OtherFingers() as fingers, Installation(environment=fingers.environment) as running:
        # Root is let in there, and a finger would match.
        device = ["--dest=net.reactivated.Fprint", "/net/reactivated/Fprint/Manager", "net.reactivated.Fprint.Manager.GetDefaultDevice"]
        subprocess.run(["dbus-send", f"--bus={fingers.environment['DBUS_SYSTEM_BUS_ADDRESS']}", "--print-reply", *device], check=True, capture_output=True)
        running.start()
        client = running.unlocked()
        client.call("items.add", items=[{"services": ["shiny.example.com"], "user": "anna", "password": secret("a password")}])
        client.prefer(fingerprint=True)
        client.prefer(authentication="always")
        browser = BrowserClient(running)
        finger = Finger(fingers, browser, None, passphrase=PASSPHRASE)
        assert choose(browser)["fills"]
        assert finger.outcomes == ["unavailable"] and fingers.tell("calls") == []
        browser.close()


def test_a_reader_whose_service_ends_leaves_the_passphrase(fingers, browser):
    finger = Finger(fingers, browser, Ending(fingers), passphrase=PASSPHRASE)
    assert choose(browser)["fills"]
    assert finger.outcomes == ["unavailable"]


def test_S25_a_stranger_on_the_bus_is_not_the_reader(fingers, browser):
    """On the system bus nobody but root can own the reader's name; anybody may send a signal."""
    finger = Finger(fingers, browser, Pretence(fingers))
    with pytest.raises(WireFailure):
        choose(browser)
    assert finger.outcomes == ["again"]


class Ending(list):
    """No status: the service ends."""

    def __init__(self, fingers):
        self.fingers = fingers
        super().__init__([("", False)])

    def __iter__(self):
        self.fingers.tell("end")
        return iter([])


class Pretence(list):
    """Statuses of which the first comes from a stranger."""

    def __init__(self, fingers):
        self.fingers = fingers
        super().__init__([("verify-no-match", True)])

    def __iter__(self):
        self.fingers.tell("pretend", "verify-match")
        return super().__iter__()


def test_S36_taking_fingerprints_takes_the_passphrase(running):
    client = running.unlocked()
    with pytest.raises(WireFailure) as failure:
        client.call("preferences.set", fingerprint=True)
    assert failure.value.code == AUTHENTICATION_REQUIRED
    client.prefer(fingerprint=True)
    assert json.loads(running.latchkey("preferences", "--json").stdout)["fingerprint"] is True
    client.call("preferences.set", fingerprint=False)


def test_S36_a_finger_does_not_unlock(fingers, browser):
    browser.client.call("lock")
    finger = Finger(fingers, browser, None, passphrase=PASSPHRASE)
    browser.call("renderer.unlock")
    assert finger.shown["kind"] == "unlock" and "takesFingerprint" not in finger.shown and finger.outcomes == [6]

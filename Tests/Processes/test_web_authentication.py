# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Apps that have the user sign in on a web page: the demo app, the real daemon, and a browser that this test plays."""

import queue
import threading

import pytest

from installation import BINARIES, BrowserClient, PASSPHRASE, WireFailure, until
from test_apps import HOST, IDENTIFIER, Terminal, World
from verdicts import must_hold

PAGE = "https://login.example.org/authorize?client=shiny"


class Browser(BrowserClient):
    """A browser in a thread of its own; its user says what `answers` says, and windows end as `ending` says."""

    def __init__(self, installation):
        super().__init__(installation)
        #: `None` for one who does not answer.
        self.agrees = True
        #: An address, fields, or nothing for a window that the user closes.
        self.ending = {"url": "shiny://back?code=1"}
        self.opened = queue.Queue()
        self.dismissed = queue.Queue()
        self.asked = []
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.lock = threading.Lock()

    def begin(self):
        self.thread.start()
        return self

    def _run(self):
        while message := self.receive():
            if "method" in message:
                self._answer(message)
            else:
                self.answers[message["id"]] = message

    def _answer(self, message):
        method, params = message["method"], message.get("params", {})
        if method == "browser.authenticate":
            self.opened.put(params)
            if self.ending == "stay":
                return
            answer = {"result": self.ending} if self.ending else {"error": {"code": 9, "message": "closed"}}
            self.send({"jsonrpc": "2.0", "id": message["id"], **answer})
        elif method == "browser.dismiss":
            self.dismissed.put(params["prompt"])
        elif method == "browser.present":
            self.send({"jsonrpc": "2.0", "id": message["id"], "result": {}})
            threading.Thread(target=self._decide, args=[params["prompt"]], daemon=True).start()

    def _decide(self, prompt):
        try:
            while not (shown := self._call("renderer.prompt", prompt=prompt)).get("interface") and shown["kind"] == "interface":
                pass
            if shown["kind"] == "authenticate":
                self._call("renderer.answer", prompt=prompt, accept=True, passphrase={"secret": PASSPHRASE})
                return
            buttons = {e["label"]: e["id"] for e in shown["interface"]["elements"] if e["kind"] == "button"}
            self.asked.append(shown)
            button = buttons.get("Continue") or buttons.get("Allow")
            if self.agrees and button:
                self._call("renderer.act", prompt=prompt, element=button, action="press", fields=[])
            elif self.agrees is False:
                self._call("renderer.answer", prompt=prompt, accept=False)
        except WireFailure:
            pass

    def _call(self, method, **params):
        with self.lock:
            number = self.ask(method, **params)
        while number not in self.answers:
            threading.Event().wait(0.005)
        message = self.answers.pop(number)
        if "error" in message:
            raise WireFailure(message["error"])
        return message["result"]


@pytest.fixture
def world(system_apps, installation, tmp_path):
    made = World(installation, tmp_path)
    made.browser = Browser(installation).begin()
    try:
        yield made
    finally:
        made.close()
        made.browser.process.kill()
        made.browser.process.wait()


def sign_in(world, program, callback="shiny", page=PAGE, *more):
    terminal = Terminal(world.installation, program, {"DISPLAY": ":99"}, ["--web", page, callback, *more])
    world.terminals.append(terminal)
    return terminal


def test_the_app_gets_the_address_and_nothing_else(world):
    program = world.program()
    terminal = sign_in(world, program)
    terminal.wait(r"It led back to shiny://back\?code=1")
    opened = world.browser.opened.get(timeout=30)
    assert opened["url"] == PAGE and opened["callback"] == {"scheme": "shiny"}
    assert (opened["post"], opened["ephemeral"]) == (False, False)
    assert world.browser.dismissed.get(timeout=30), "the windows are closed"
    shown = world.browser.asked[0]
    assert shown["site"] == "https://login.example.org" and str(program) in str(shown["interface"])
    # Nobody was asked to unlock, and nothing was released.
    assert world.releases() == [] and len(world.browser.asked) == 1


def test_a_private_window_is_asked_for(world):
    sign_in(world, world.program(), "shiny", PAGE, "--private").wait("It led back to")
    assert world.browser.opened.get(timeout=30)["ephemeral"] is True


@pytest.mark.parametrize(
    "ending",
    [
        {"url": "shiny2://back"}, {"url": "https://evil.example.net/shiny://back"}, {"url": "shiny://a b"}, {}, {"fields": {"code": "1"}},
        {"url": 7}, None,
    ],
)
def test_what_is_not_the_callback_is_nobodys(world, ending):
    world.browser.ending = ending
    terminal = sign_in(world, world.program())
    assert "led back" not in terminal.wait("Nobody signed in.")


def test_a_no_opens_no_window_and_is_remembered(world):
    world.browser.agrees = False
    program = world.program()
    sign_in(world, program).wait("Nobody signed in.")
    world.browser.agrees = True
    sign_in(world, program).wait("Nobody signed in.")
    assert world.browser.opened.empty() and len(world.browser.asked) == 1


@pytest.mark.attack
@pytest.mark.parametrize("is_locked", [False, True], ids=["unlocked", "locked"])
def test_S28_copies_of_a_program_open_one_window_among_them(world, is_locked):
    """A window takes the focus; so many of them take the screen."""
    if is_locked:
        world.client.call("lock")
    world.browser.agrees = None
    programs = [world.program(f"copy{number}") for number in range(6)]
    terminals = [sign_in(world, program) for program in programs]

    def refused():
        for terminal in terminals:
            while terminal.read(0):
                pass
        return sum("Nobody signed in." in terminal.text for terminal in terminals)

    until(lambda: refused() == 5)
    must_hold(len(world.browser.asked) == 1, f"{len(world.browser.asked)} windows are open")


@pytest.mark.parametrize("callback", ["javascript", "data", "chrome-extension", "http", "9x"])
def test_a_scheme_that_means_something_is_nobodys(world, callback):
    sign_in(world, world.program(), callback).wait("Nobody signed in.")
    assert world.browser.opened.empty() and world.browser.asked == []


@pytest.mark.parametrize("page", ["http://login.example.org/", "ftp://login.example.org/", "https:///"])
def test_a_page_is_secure(world, page):
    sign_in(world, world.program(), "shiny", page).wait("Nobody signed in.")
    assert world.browser.opened.empty() and world.browser.asked == []


def test_without_a_browser_nobody_signs_in(world):
    world.browser.process.kill()
    world.browser.process.wait()
    sign_in(world, world.program()).wait("Nobody signed in.")


def test_the_window_goes_with_the_app(world):
    world.browser.ending = "stay"
    terminal = sign_in(world, world.program())
    prompt = world.browser.opened.get(timeout=60)["prompt"]
    terminal.end()
    terminal.status = 0
    while world.browser.dismissed.get(timeout=60) != prompt:
        pass


def test_a_host_has_to_name_the_app(world):
    back = f"https://{HOST}/back"
    world.browser.ending = {"url": back + "?code=1"}
    program = world.claim(world.program())
    terminal = sign_in(world, program, back)
    terminal.wait(r"It led back to https://shiny.example.com/back\?code=1")
    assert world.browser.opened.get(timeout=30)["callback"] == {"host": HOST, "path": "/back"}


def test_a_host_that_does_not_name_the_app_gives_it_nothing(world):
    world.site.apps = ["E5336VM85F.com.example.Other"]
    back = f"https://{HOST}/back"
    world.browser.ending = {"url": back}
    sign_in(world, world.claim(world.program()), back).wait("Nobody signed in.")
    # Nor does a host that the app does not state, or an app that states nothing.
    world.site.apps = [IDENTIFIER]
    sign_in(world, world.claim(world.program("second")), "https://other.example.com/back").wait("Nobody signed in.")
    sign_in(world, world.program("third"), back).wait("Nobody signed in.")
    assert world.browser.opened.empty()

# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""The window of saved passwords, from the daemon's side: who may open it, what becomes of it, what its changes bring about."""

import subprocess

import pytest

from installation import BINARIES, PASSPHRASE, denied, secret, until
from passwords_window import PasswordsWindow
from providers import BUILT_IN, HOST, SHINY, Browser, Bundle, refusal, rows, taken
from verdicts import nothing_released


@pytest.fixture
def saved(client):
    """The id of an account that is saved."""
    item = client.call("items.add", items=[{"services": [HOST], "user": "rmondello", "password": secret("correct horse")}])
    return item["items"][0]["id"]


def test_what_is_added_there_is_offered_and_filled_at_once(client, browser):
    window = PasswordsWindow(browser)
    assert window.rows(window.shown()) == []
    window.add(HOST, "anna", "typed there")
    assert rows(client) == [(BUILT_IN, "anna")]
    assert browser.choose(BUILT_IN) == "typed there"
    window.open(HOST)
    window.press("Edit", until="Save")
    window.press("Save", {"User name": "berta", "New password": "changed", "Repeat password": "changed"}, until="Edit")
    assert rows(client) == [(BUILT_IN, "berta")]
    assert browser.choose(BUILT_IN) == "changed"
    window.press("Remove…", until="Keep")
    window.press("Remove", until="Add Password")
    assert rows(client) == []
    window.press("Done")
    browser.wait(window.number)
    assert window.is_over()
    # It is removed as the command line removes: for thirty days.
    removed = client.call("items.list", removed=True)["items"]
    assert [(item["user"], item["services"]) for item in removed] == [("berta", [HOST])]
    # What was released went through the gate; the window itself has released nothing.
    lines = client.call("audit.list")["lines"]
    assert [line["event"] for line in lines] == ["released", "released"]


def test_a_lock_ends_it_and_nothing_half_typed_is_saved(running, client, browser, saved):
    window = PasswordsWindow(browser)
    window.open(HOST)
    window.press("Edit", until="Save")
    window.press("Save", {"User name": "half", "New password": "half"})
    client.call("lock")
    refusal(2, browser.wait, window.number)
    assert window.is_over()
    assert running.providers() == []
    refusal(2, browser.call, "providers.configure", identifier=BUILT_IN)
    refusal(2, client.call, "providers.configure", identifier=BUILT_IN)
    client.call("unlock", passphrase=secret(PASSPHRASE))
    assert client.call("items.get", id=saved)["item"]["user"] == "rmondello"
    assert client.call("items.reveal", id=saved)["password"]["secret"] == "correct horse"


def test_nothing_is_shown_before_the_passphrase_where_the_preference_asks_for_it(client, browser, saved):
    client.prefer(authentication="always")
    browser.user = lambda shown: (False, None)
    refusal(9, PasswordsWindow, browser)
    assert [shown["kind"] for shown in browser.presented] == ["passwords"]
    assert browser.surfaces == [] and "shiny" not in str(browser.presented)


def test_the_passphrase_opens_it(client, browser, saved):
    client.prefer(authentication="always")
    browser.user = lambda shown: (True, PASSPHRASE)
    window = PasswordsWindow(browser)
    assert [row["title"] for row in window.rows(window.shown())] == [HOST]
    assert [shown["kind"] for shown in browser.presented] == ["passwords", "interface"]


def shown_password(window):
    """The element of an account's page that stands for its password."""
    return window.element(window.shown(), "saved")["id"]


@pytest.mark.parametrize("preference", ["never", "after", "always"])
def test_a_password_is_shown_there_after_authentication(client, browser, saved, preference):
    client.prefer(authentication=preference)
    browser.user = lambda shown: (True, PASSPHRASE)
    window = PasswordsWindow(browser)
    window.open(HOST)
    assert "correct horse" not in str(window.shown())
    before = len(browser.presented)
    answer = browser.call("renderer.reveal", prompt=window.prompt, element=shown_password(window))
    assert answer["password"]["secret"] == "correct horse"
    asked = [(shown["kind"], shown["thing"], shown["site"], shown["user"]) for shown in browser.presented[before:]]
    # That a button was pressed is the browser's word; a passphrase is not.
    assert asked == [("passwords", "reveal", HOST, "rmondello")]
    line = client.call("audit.list")["lines"][-1]
    assert (line["event"], line["user"], line["purpose"]) == ("released", "rmondello", "show, in a window")


@pytest.mark.parametrize("preference, questions", [("never", 1), ("after", 1), ("always", 2)])
def test_S68_the_passphrase_counts_for_the_window_that_it_was_given_for(client, browser, saved, preference, questions):
    client.prefer(authentication=preference)
    browser.user = lambda shown: (True, PASSPHRASE)

    def asked():
        return len([shown for shown in browser.presented if shown.get("thing") == "reveal"])

    def show(window):
        return browser.call("renderer.reveal", prompt=window.prompt, element=shown_password(window))["password"]["secret"]

    window = PasswordsWindow(browser)
    window.open(HOST)
    assert [show(window), show(window)] == ["correct horse", "correct horse"] and asked() == questions
    window.press("Back", until="Add Password")
    window.press("Done")
    browser.wait(window.number)
    browser.surfaces.clear()
    other = PasswordsWindow(browser)
    other.open(HOST)
    assert show(other) == "correct horse" and asked() == questions + 1


def test_S68_a_password_is_not_shown_to_who_says_no_or_has_no_window(running, client, browser, saved):
    client.prefer(authentication="always")
    browser.user = lambda shown: (True, PASSPHRASE)
    window = PasswordsWindow(browser)
    window.open(HOST)
    element = shown_password(window)
    released = len([line for line in client.call("audit.list")["lines"] if line["event"] == "released"])
    browser.user = lambda shown: (False, None)
    refusal(9, browser.call, "renderer.reveal", prompt=window.prompt, element=element)
    browser.user = lambda shown: (True, PASSPHRASE)
    # Refused: other clients, elements that stand for no password, and an element of a page that the window has left.
    refusal(-32601, client.call, "renderer.reveal", prompt=window.prompt, element=element)
    other = Browser(running)
    refusal(16, other.call, "renderer.reveal", prompt=window.prompt, element=element)
    other.close()
    for prompt, part in [(window.prompt, "nothing"), ("nothing", element), (window.prompt, window.element(window.shown(), "button")["id"])]:
        refusal(16, browser.call, "renderer.reveal", prompt=prompt, element=part)
    window.press("Remove…", until="Keep")
    refusal(16, browser.call, "renderer.reveal", prompt=window.prompt, element=element)
    window.press("Keep", until="Edit")
    client.call("lock")
    assert window.is_over()
    refusal(16, browser.call, "renderer.reveal", prompt=window.prompt, element=element)
    client.call("unlock", passphrase=secret(PASSPHRASE))
    assert len([line for line in client.call("audit.list")["lines"] if line["event"] == "released"]) == released


def test_S68_a_lock_ends_the_question_before_a_password_is_shown(client, browser, saved):
    """It names the site and the user; what is typed into it afterwards is nobody's answer."""
    window = PasswordsWindow(browser)
    window.open(HOST)
    element = shown_password(window)

    def locks(shown):
        client.call("lock")
        return True, PASSPHRASE

    browser.user = locks
    number = browser.ask("renderer.reveal", prompt=window.prompt, element=element)
    # The answer to the question, and then the request that has brought it about.
    denied(16, browser.wait, number)
    assert (browser.presented[-1]["thing"], browser.presented[-1]["user"]) == ("reveal", "rmondello")
    denied(2, browser.wait, number)
    client.call("unlock", passphrase=secret(PASSPHRASE))
    nothing_released("the log", [line for line in client.call("audit.list")["lines"] if line["event"] == "released"])


def test_S68_a_provider_of_others_cannot_have_a_saved_password_shown(running, client, browser, saved):
    hand = taken(Bundle(running, holds=["provider.prepareCredentialList"]), client)
    browser.rows()
    browser.ask("renderer.openList", session=browser.session, provider=SHINY)
    browser.receive_until(lambda: browser.surfaces)
    request = hand.expect("provider.prepareCredentialList")["params"]["request"]
    elements = [{"kind": "saved", "id": "s", "label": "Password", "record": saved}, {"kind": "button", "id": "b", "label": "Fill"}]
    assert "result" in hand.ask("interface.show", request=request, interface={"title": "T", "elements": elements})
    prompt = browser.surfaces[0]
    shown = until(lambda: browser.call("renderer.prompt", prompt=prompt).get("interface"))
    assert [part["id"] for part in shown["elements"]] == ["b"]
    refusal(16, browser.call, "renderer.reveal", prompt=prompt, element="s")
    browser.call("renderer.answer", prompt=prompt, accept=False)


def test_the_terminal_shows_it(running, client, saved):
    secrets = running.folder / "passphrase"
    secrets.write_text(PASSPHRASE)
    secrets.chmod(0o600)
    command = [BINARIES / "latchkey", "providers", "configure", "Passwords", "--passphrase-file", secrets]
    terminal = subprocess.Popen(
        command, env=running.environment, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    shown = [line for line in iter(terminal.stderr.readline, "Type a number, or q to cancel.\n") if line]
    rest = terminal.communicate("q\n", timeout=60)[1]
    assert [line for line in shown if HOST in line] and [line for line in shown if "rmondello" in line]
    assert [line for line in shown if "Add Password" in line] and "correct horse" not in "".join(shown) + rest


def test_a_browser_that_is_gone_ends_it(running, client, browser, saved):
    other = Browser(running)
    window = PasswordsWindow(other)
    window.open(HOST)
    window.press("Remove…", until="Keep")
    other.close()
    # Another one cannot go on in it.
    until(lambda: PasswordsWindow.is_over(_seen_by(browser, window)))
    assert [item["id"] for item in client.call("items.list")["items"]] == [saved]


def _seen_by(browser, window):
    seen = object.__new__(PasswordsWindow)
    seen.browser, seen.prompt = browser, window.prompt
    return seen


def test_it_is_nobody_elses(client, browser, saved):
    window = PasswordsWindow(browser)
    done = window.element(window.shown(), "button", "Done")["id"]
    for method, params in [("renderer.prompt", {}), ("renderer.act", {"element": done, "action": "press"})]:
        refusal(16, client.call, method, prompt=window.prompt, **params)
    window.open(HOST)
    # What is not shown any more cannot be pressed.
    refusal(16, window.act, element=done, action="press")
    assert window.element(window.shown(), "button", "Edit")


def test_thousands_are_listed_and_searched(client, browser):
    for part in range(15):
        items = [
            {"services": [f"site{part * 200 + index}.example"], "user": "zoë" if index == 7 else "user", "password": secret("p")}
            for index in range(200)
        ]
        client.call("items.add", items=items)
    window = PasswordsWindow(browser)
    shown = window.shown()
    assert len(window.rows(shown)) == 100 and window.element(shown, "list")["more"]
    window.act(element=window.element(shown, "list")["id"], action="search", text=secret("ZOE site2807"))
    window.wait(lambda shown: [row["title"] for row in window.rows(shown)] == ["site2807.example"])


def test_S36_a_form_that_was_open_gives_no_site_back_that_was_taken_away_meanwhile(running, client):
    client.call(
        "items.add",
        items=[{"services": ["shiny.example.com", "other.example", "third.example"], "user": "rmondello", "password": secret("x")}])
    saved = client.call("items.list")["items"][0]["id"]
    browser = Browser(running)
    browser.user = lambda shown: (True, PASSPHRASE)
    window = PasswordsWindow(browser)
    shown = window.wait(window.rows)
    window.open(window.rows(shown)[0]["title"])
    window.press("Edit", until="Save")
    client.call("items.edit", id=saved, services=["shiny.example.com"])
    shown = window.shown()
    # In another order, so that the window has something to change.
    sites = iter(["other.example", "shiny.example.com", "third.example"])
    typed = [
        {"id": part["id"], "text": secret(next(sites) if part.get("label") == "Site" else part.get("value") or "")}
        for part in shown["elements"] if part["kind"] in ("text", "secure")]
    window.act(element=window.element(shown, "button", "Save")["id"], action="press", fields=typed)
    window.wait(lambda now: any("latchkey edit" in part.get("text", "") and part.get("style") == "error" for part in now["elements"]))
    assert client.call("items.get", id=saved)["item"]["services"] == ["shiny.example.com"]
    browser.close()

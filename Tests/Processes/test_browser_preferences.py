# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Preferences on a browser's settings page: what protects less takes the passphrase, in a window that says what it is."""

import pytest

from installation import PASSPHRASE, WireFailure, secret, until
from test_weakening import STRICTER, WEAKER

NOT_PERMITTED, CANCELED, LOCKED, TOO_MANY, UNKNOWN = 8, 9, 2, 5, -32601
FILES = ("codeMaildir", "breachList")
ALLOWED = [changes for changes in WEAKER if not any(name in changes for name in FILES)]


def refused(browser, code, /, **changes):
    with pytest.raises(WireFailure) as failure:
        browser.call("renderer.setPreferences", **changes)
    assert failure.value.code == code


def asked(browser):
    return [shown for shown in browser.presented if shown["kind"] == "preferences"]


@pytest.mark.parametrize("changes", ALLOWED, ids=lambda changes: ",".join(changes))
def test_S36_browser_changes_nothing_to_less_without_the_passphrase(client, browser, changes):
    before = client.call("status")["preferences"]
    browser.user = lambda shown: (False, None)
    refused(browser, CANCELED, **changes)
    assert len(asked(browser)) == 1 and asked(browser)[0]["reasons"]
    assert client.call("status")["preferences"] == before


@pytest.mark.parametrize("changes", ALLOWED, ids=lambda changes: ",".join(changes))
def test_browser_changes_to_less_with_the_passphrase(client, browser, changes):
    # That it was entered a moment ago does not count.
    client.call("authenticate", passphrase=secret(PASSPHRASE))
    browser.user = lambda shown: (True, PASSPHRASE)
    after = browser.call("renderer.setPreferences", **changes)["preferences"]
    assert {name: after[name] for name in changes} == changes and client.call("status")["preferences"] == after
    lines = [line for line in client.call("audit.list")["lines"] if line["event"] == "weakened"]
    assert len(asked(browser)) == 1 and [line["purpose"] for line in lines] == ["renderer.setPreferences"]
    assert len(lines[0]["reason"].split("; ")) == len(asked(browser)[0]["reasons"])


def test_S36_question_speaks_the_words_of_the_page(browser):
    browser.user = lambda shown: (False, None)
    refused(browser, CANCELED, authentication="never", idleMinutes=0, gitSave="always", codeSeconds=600, lockOnSuspend=False, breachRanges=True)
    assert asked(browser)[0]["reasons"] == [
        "Ask again before showing or copying: now after 5 minutes, afterwards never.",
        "Lock after inactivity of: now 15 minutes, afterwards never.",
        "Lock before the computer sleeps: now on, afterwards off.",
        "Save logins that git has used: now ask, afterwards always.",
        "Offer a code from a message for: now 180 seconds, afterwards 600 seconds.",
        "Look for leaked passwords at haveibeenpwned.com: now off, afterwards on."]


@pytest.mark.parametrize("passphrase", [None, "", "not this one"])
def test_S36_yes_without_the_passphrase_or_with_another_is_none(client, browser, passphrase):
    before = client.call("status")["preferences"]
    browser.user = lambda shown: (True, passphrase)
    with pytest.raises(WireFailure):
        browser.call("renderer.setPreferences", authentication="never")
    assert asked(browser) and client.call("status")["preferences"] == before


@pytest.mark.parametrize("changes", STRICTER, ids=lambda changes: ",".join(changes))
def test_browser_changes_to_more_and_nobody_is_asked(client, browser, changes):
    after = browser.call("renderer.setPreferences", **changes)["preferences"]
    assert {name: after[name] for name in changes} == changes and asked(browser) == []


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("value", ["/tmp/file", ""])
def test_S36_browser_names_no_file(client, browser, name, value):
    browser.user = lambda shown: (True, PASSPHRASE)
    refused(browser, NOT_PERMITTED, **{name: value})
    refused(browser, NOT_PERMITTED, autoFill=False, **{name: value})
    assert asked(browser) == [] and client.call("status")["preferences"]["autoFill"] is True


def test_S36_while_locked_nothing_becomes_less_and_more_is_taken(client, browser):
    client.call("lock")
    browser.user = lambda shown: (True, PASSPHRASE)
    refused(browser, LOCKED, authentication="never")
    assert asked(browser) == []
    assert browser.call("renderer.setPreferences", authentication="always")["preferences"]["authentication"] == "always"


def test_S36_what_was_agreed_to_is_what_is_done(client, browser):
    """The command line makes it stricter while the user is asked: what the question said is not what would become of it."""

    def meanwhile(shown):
        client.call("preferences.set", idleMinutes=1)
        return True, PASSPHRASE

    browser.user = meanwhile
    with pytest.raises(WireFailure):
        browser.call("renderer.setPreferences", idleMinutes=240)
    assert client.call("status")["preferences"]["idleMinutes"] == 1


def test_S36_lock_while_the_user_is_asked_ends_it(client, browser):
    def meanwhile(shown):
        client.call("lock")
        return True, PASSPHRASE

    browser.user = meanwhile
    with pytest.raises(WireFailure):
        browser.call("renderer.setPreferences", authentication="never")
    assert client.call("status")["preferences"]["authentication"] == "after"


@pytest.mark.parametrize("changes", [{"authentication": "sometimes"}, {"idleMinutes": -1}, {"idleMinutes": "5"}, {"authenticationMinutes": 10 ** 12}])
def test_S36_what_makes_no_sense_is_refused_and_not_asked_about(client, browser, changes):
    browser.user = lambda shown: (True, PASSPHRASE)
    with pytest.raises(WireFailure):
        browser.call("renderer.setPreferences", **changes)
    assert asked(browser) == []


def test_a_file_that_is_not_as_it_should_be_is_not_overwritten(client, browser, running):
    client.call("preferences.set", autoFill=False)
    file = running.config / "preferences.json"
    text = file.read_text()
    file.write_text(text.replace('"after"', '"alwais"') if '"after"' in text else '{"authentication":"alwais"}')
    written = file.read_text()
    client.call("stop")
    running.daemon.wait(30)
    running.start()
    again = running.unlocked()
    other = type(browser)(running)
    try:
        other.user = lambda shown: (True, PASSPHRASE)
        assert other.call("renderer.preferences")["problems"]
        with pytest.raises(WireFailure):
            other.call("renderer.setPreferences", authentication="always")
        assert file.read_text() == written and asked(other) == [] and again.call("status")["preferences"]["authentication"] == "always"
    finally:
        other.close()


def test_browser_reads_preferences_and_locks(client, browser):
    assert browser.call("renderer.preferences")["preferences"] == client.call("status")["preferences"]
    browser.call("renderer.lock")
    until(lambda: client.call("status")["locked"])


@pytest.mark.parametrize("method", ["renderer.preferences", "renderer.setPreferences", "renderer.lock"])
def test_they_are_of_the_browser_alone(client, method):
    with pytest.raises(WireFailure) as failure:
        client.call(method)
    assert failure.value.code == UNKNOWN


def test_S36_the_command_lines_method_is_none_of_the_browsers(browser):
    with pytest.raises(WireFailure) as failure:
        browser.call("preferences.set", authentication="never")
    assert failure.value.code == UNKNOWN

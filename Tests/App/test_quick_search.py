# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""The small window that a key of the desktop opens."""

import subprocess

import pytest

from app import unnamed
from installation import PASSPHRASE, secret, until

TITLE = "Search Passwords"
ACCOUNTS = [("shiny.example.com", "rmondello", "correct horse"), ("other.example.com", "second", "battery staple")]


@pytest.fixture
def saved(app):
    app.client.call(
        "items.add", items=[{"services": [site], "user": user, "password": secret(password)} for site, user, password in ACCOUNTS])
    return app


def clipboard(app):
    return subprocess.run(
        ["xclip", "-selection", "clipboard", "-o"], env=app.desktop.environment, capture_output=True, text=True, timeout=20).stdout


def shown(app):
    return [one["name"] for one in app.tree() if one["role"] == "list item"]


def test_a_few_letters_and_return_copy_a_password(saved):
    saved.start("--search")
    saved.wait_for(TITLE)
    until(lambda: len(shown(saved)) == 2)
    assert not unnamed(saved.tree())
    saved.desktop.type("oth")
    until(lambda: shown(saved) == ["other.example.com, second"])
    saved.desktop.key("Return")
    until(lambda: clipboard(saved) == "battery staple", seconds=20)
    # Nothing of it stays behind: it was all that was open.
    assert saved.process.wait(timeout=20) == 0
    assert "battery staple" not in saved.log


def test_the_passphrase_is_asked_for_where_each_release_takes_it(saved):
    saved.client.prefer(authentication="always")
    saved.start("--search", "shiny")
    until(lambda: shown(saved) == ["shiny.example.com, rmondello"])
    saved.desktop.key("Return")
    saved.wait_for("Passphrase Needed")
    saved.desktop.key("Escape")
    saved.wait_until_gone("Passphrase Needed")
    assert clipboard(saved) != "correct horse"
    saved.desktop.key("Return")
    saved.prove()
    until(lambda: clipboard(saved) == "correct horse", seconds=20)


def test_other_keys_copy_the_user_name_and_open_the_account(saved):
    saved.start("--search", "shiny")
    until(lambda: shown(saved) == ["shiny.example.com, rmondello"])
    saved.desktop.key("ctrl+k")
    saved.wait_for("This account has no codes.")
    saved.desktop.key("ctrl+o")
    saved.wait_until_gone(TITLE)
    saved.wait_for("Copy Password")
    assert any("rmondello" in text for text in saved.texts())
    # A second start tells the first one, whose window stays.
    again = saved.desktop._spawn(saved.program, "--search", "other")
    assert again.wait(timeout=20) == 0
    saved.wait_for(TITLE)
    saved.desktop.key("ctrl+u")
    saved.wait_until_gone(TITLE)
    assert saved.process.poll() is None and clipboard(saved) == "second"


def test_escape_and_nothing_found(saved):
    saved.start("--search", "nowhere")
    saved.wait_for("Nothing Is Found")
    saved.desktop.key("Return", "ctrl+o")
    assert saved.find(TITLE)
    saved.desktop.key("Escape")
    assert saved.process.wait(timeout=20) == 0


def test_without_a_word_return_copies_nothing(saved):
    saved.start("--search")
    until(lambda: len(shown(saved)) == 2)
    saved.desktop.key("Return", "ctrl+u")
    saved.desktop.type("second")
    until(lambda: shown(saved) == ["other.example.com, second"])
    assert saved.process.poll() is None and clipboard(saved) == ""
    # A row that was gone to is meant without a word, too.
    saved.desktop.key("ctrl+a", "BackSpace")
    until(lambda: len(shown(saved)) == 2)
    saved.desktop.key("Down", "Down", "Return")
    until(lambda: clipboard(saved) == "correct horse", seconds=20)


def test_closing_the_apps_window_ends_the_search_too(saved):
    saved.start()
    assert saved.desktop._spawn(saved.program, "--search", "shiny").wait(timeout=20) == 0
    saved.wait_for(TITLE)
    [window] = saved.desktop.windows("^Passwords$")
    saved.desktop.x("windowactivate", "--sync", window)
    saved.desktop.key("alt+F4")
    assert saved.process.wait(timeout=20) == 0


def test_what_is_asked_for_a_window_that_is_closed_meanwhile_is_dropped(saved):
    saved.client.prefer(authentication="always")
    saved.start()
    assert saved.desktop._spawn(saved.program, "--search", "shiny").wait(timeout=20) == 0
    until(lambda: "shiny.example.com, rmondello" in shown(saved))
    saved.desktop.key("Return", "Return", "Escape", "Escape", "Escape")
    saved.wait_until_gone(TITLE)
    assert saved.process.poll() is None and clipboard(saved) == ""


def test_user_name_stays_on_the_clipboard_for_a_while(saved):
    saved.start("--search", "shiny")
    until(lambda: shown(saved) == ["shiny.example.com, rmondello"])
    saved.desktop.key("ctrl+u")
    saved.wait_until_gone(TITLE)
    assert clipboard(saved) == "rmondello" and saved.process.poll() is None
    saved.client.call("lock")
    assert saved.process.wait(timeout=20) == 0


def test_locked_it_asks_for_the_passphrase_first(saved):
    saved.client.call("lock")
    saved.start("--search", "shiny", wait="Passphrase")
    assert not saved.find(TITLE) and not any("rmondello" in text for text in saved.texts())
    saved.desktop.type(PASSPHRASE)
    saved.desktop.key("Return")
    saved.wait_for(TITLE)
    until(lambda: shown(saved).count("shiny.example.com, rmondello") >= 1)


def test_lock_takes_it_away(saved):
    saved.start("--search", "shiny")
    until(lambda: shown(saved) == ["shiny.example.com, rmondello"])
    saved.client.call("lock")
    assert saved.process.wait(timeout=20) == 0


@pytest.mark.parametrize("arguments", [["--search", "a", "b"], ["--account"], ["--account", "a", "b"], ["--other"]])
def test_other_arguments_are_refused(saved, arguments):
    done = subprocess.run([saved.program, *arguments], env=saved.desktop.environment, capture_output=True, text=True, timeout=20)
    assert done.returncode == 64 and done.stderr.startswith("latchkey-app: usage:")

# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Saving by a press on a notification of the desktop."""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[1] / "Processes"))

from browser import eventually  # noqa: E402
from code_kit import Clock, Notifications  # noqa: E402
from latchkey import PASSPHRASE  # noqa: E402
from test_saving import SIGN_UP, items, pages, password, sign_in  # noqa: E402, F401


@pytest.fixture
def notified(tmp_path):
    with Notifications(Clock(tmp_path)) as made:
        yield made


def is_answered(it) -> None:
    eventually(it.page, lambda: it.browser.questions() == [] and it.toolbar()[1] == "", "the end of the question")


@pytest.mark.main
@pytest.mark.main_in_firefox
def test_S31_new_password_is_saved_and_updated_by_one_press_each(start, pages, notified):  # noqa: F811
    it = start(accounts=(), daemon=notified.environment)
    sign_in(it, "rmondello", "typed by hand")
    text, keys = notified.shown()
    assert text == "Save the password for rmondello at shiny.example.com?" and list(keys) == ["Show", "Save", "Not Now", "Never"]
    # The button learns of the question by a message of its own.
    eventually(it.page, lambda: it.toolbar() == ("Latchkey: a question waits", "?"), "the mark on the toolbar's button")
    notified.press("Save")
    eventually(it.page, lambda: items(it), "the item")
    assert password(it, "rmondello") == "typed by hand"
    is_answered(it)
    sign_in(it, "rmondello", "another")
    text, keys = notified.shown(2)
    assert text.startswith("Replace the saved password for rmondello at shiny.example.com?") and "typed" not in text + "".join(keys)
    notified.press("Update", 2)
    is_answered(it)
    eventually(it.page, lambda: password(it, "rmondello") == "another", "the new password")
    assert not [page for page in it.browser.context.pages if "/prompt.html" in page.url]


@pytest.mark.parametrize("answer", ["Not Now", "Never"])
def test_no_saves_nothing(start, pages, notified, answer):  # noqa: F811
    it = start(accounts=(), daemon=notified.environment)
    sign_in(it, "rmondello", "typed by hand")
    notified.press(answer)
    is_answered(it)
    assert items(it) == [] and ("shiny.example.com" in it.latchkey.run("never", "list")) == (answer == "Never")


def test_press_on_the_notification_itself_shows_the_question(start, pages, notified):  # noqa: F811
    it = start(accounts=(), daemon=notified.environment)
    sign_in(it, "rmondello", "typed by hand")
    window = it.browser.window("prompt", lambda: notified.press("Show"))
    it.accept(window)
    eventually(it.page, lambda: items(it), "the item")


def test_answer_elsewhere_takes_the_notification_back(start, pages, notified):  # noqa: F811
    it = start(accounts=(), daemon=notified.environment)
    sign_in(it, "rmondello", "typed by hand")
    [name] = eventually(it.page, it.browser.questions, "a question")
    notified.shown()
    it.accept(it.browser.bring_up(name))
    notified.is_gone()


def test_lock_takes_the_notification_back_and_the_popup_keeps_the_question(start, pages, notified):  # noqa: F811
    it = start(accounts=(), daemon=notified.environment)
    sign_in(it, "rmondello", "typed by hand")
    before = eventually(it.page, it.browser.questions, "a question")
    notified.shown()
    it.latchkey.lock()
    notified.is_gone()
    [name] = eventually(it.page, lambda: [one for one in it.browser.questions() if one not in before], "the question after the lock")
    it.latchkey.unlock()
    it.accept(it.browser.bring_up(name))
    # It was not shown while Latchkey was locked.
    text, _ = notified.shown(2)
    assert "rmondello" in text
    notified.press("Save", 2)
    eventually(it.page, lambda: items(it), "the item")


def test_while_locked_the_notification_names_nobody(start, pages, notified):  # noqa: F811
    it = start(accounts=(), daemon=notified.environment)
    it.latchkey.lock()
    sign_in(it, "rmondello", "typed by hand")
    text, keys = notified.shown()
    assert text == "Unlock Latchkey to save the password that you used." and list(keys) == ["Show", "Unlock…", "Not Now"]
    unlock = it.browser.window("prompt", lambda: notified.press("Unlock…"))
    it.accept(unlock, PASSPHRASE)
    notified.press("Save", 2)
    eventually(it.page, lambda: items(it), "the item")
    assert password(it, "rmondello") == "typed by hand"


def test_new_account_with_a_strong_password_is_saved_with_a_word_and_an_undo(start, pages, notified):  # noqa: F811
    it = start(accounts=(), daemon=notified.environment)
    it.page.goto(pages.page("/join", SIGN_UP % ""))
    it.page.fill("#user", "me@example.com")
    it.page.click("#password")
    it.choose()
    it.becomes(lambda: it.page.input_value("#again"), "the new password in its field")
    asked = it.browser.got("browser.present")
    it.page.click("button")
    text, keys = notified.shown()
    assert text == "Saved me@example.com at shiny.example.com." and list(keys) == ["Show", "Undo"]
    # Nothing is asked.
    assert it.browser.got("browser.present") == asked
    made = password(it, "me@example.com")
    notified.press("Undo")
    eventually(it.page, lambda: items(it) == [], "the end of the item")
    # It can be had back.
    it.latchkey.run("restore-item", "shiny.example.com")
    assert password(it, "me@example.com") == made

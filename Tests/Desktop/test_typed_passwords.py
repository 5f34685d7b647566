# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Passwords that people type into native programs themselves: saved where the user says, in programs whose toolkit tells what is typed."""

import os
import pathlib
import shutil
import time

import pytest

from desktop import ARMING, Form, built
from installation import PASSPHRASE, until

SERVER = "files.example.com"
WINDOW = "^Latchkey: Save This Password\\?$"
TYPED = "typed by hand, 17"


@pytest.fixture(scope="session")
def form_gtk4(tmp_path_factory):
    return built("form_gtk4.c", tmp_path_factory.mktemp("programs"), ["gtk4"])


@pytest.fixture
def ready(desktop):
    desktop.fill_native_programs()
    return desktop


def typed(desktop, program, *kind, password=TYPED, user="me@example.com", server=SERVER):
    """A form of GTK 4 into which the user has typed all by themselves."""
    form = Form(desktop, program, *kind)
    desktop.wait_for_panel()
    for field, text in ("focus-user", user), ("focus-other", server), ("focus-password", password):
        form.tell(field)
        # A person types once they see the focus. The panel shows it: it hides at the server field and is there at the password field.
        if field == "focus-other":
            until(lambda: desktop.panel() is None, seconds=20)
        if field == "focus-password":
            desktop.wait_for_panel()
        desktop.type(text)
        # A key that comes late would go into the next field.
        until(lambda: text in form.target.read_text().split("\n")[:3], seconds=20)  # noqa: B023
    return form


def asked(desktop):
    """Waits for the question, and until it has the keyboard: what had it is gone."""
    desktop.wait_for_window(WINDOW)
    until(lambda: desktop.x("getwindowfocus", "getwindowname") == "Latchkey: Save This Password?", seconds=20)
    # The window is told so a moment later.
    time.sleep(ARMING)


def agree(desktop):
    """Agrees to what is proposed: the last field has the site, behind it is the button."""
    desktop.key("Tab", "Tab", "Return")


def saved(desktop):
    return [(item["user"], item["services"]) for item in desktop.client.call("items.list")["items"]]


def bindings(desktop):
    return [(one["program"], one["user"]) for one in desktop.client.call("apps.bindings")["bindings"]]


def told(desktop, count=1):
    """Waits until the daemon has been told so often of a password that was typed, and has answered another request since."""
    until(lambda: desktop.said().count("knows of a password that was typed") >= count, seconds=30)
    desktop.client.call("status")


def test_typed_password_is_saved_once_the_window_is_gone_and_offered_from_then_on(ready, form_gtk4):
    ready.answer(PASSPHRASE, PASSPHRASE)
    form = typed(ready, form_gtk4)
    assert not ready.windows(WINDOW)
    form.tell("close")
    asked(ready)
    assert not saved(ready)
    agree(ready)
    until(lambda: bindings(ready), seconds=60)
    assert saved(ready) == [("me@example.com", [SERVER])]
    assert bindings(ready) == [(str(form_gtk4), "me@example.com")]
    question = next(line for line in ready.asked() if line.startswith("SETDESC"))
    for word in (str(form_gtk4), SERVER, "me@example.com", "was typed", "from now on"):
        assert word in question, question
    texts = [ready.said(), (ready.installation.folder / "daemon.log").read_text(), *ready.asked(), str(ready.log())]
    assert not [text for text in texts if TYPED in text]
    assert [line["event"] for line in ready.log() if line["event"] in ("saved", "updated")] == ["saved"]
    # The program's own form is offered the account, and what is filled there is not asked about.
    form = Form(ready, form_gtk4)
    ready.wait_for_panel()
    ready.press_row(0)
    until(lambda: form.fields == ("me@example.com", TYPED), seconds=60)
    form.tell("close")
    typed(ready, form_gtk4, user="other").tell("close")
    asked(ready)
    assert ready.said().count("knows of a password that was typed") == 2


@pytest.mark.parametrize("end", ["return", "kill"])
def test_whole_password_is_saved_however_fast_the_form_goes(ready, form_gtk4, end):
    ready.answer(PASSPHRASE)
    form = typed(ready, form_gtk4, "dialog", password="half")
    ready.type(TYPED)
    if end == "return":
        ready.key("Return")
    else:
        until(lambda: form.fields[1] == "half" + TYPED, seconds=20)
        form.process.kill()
    asked(ready)
    agree(ready)
    until(lambda: bindings(ready), seconds=60)
    item, = ready.client.call("items.list")["items"]
    ready.answer(PASSPHRASE)
    assert ready.client.call("items.reveal", id=item["id"])["password"]["secret"] == "half" + TYPED


def test_form_that_stays_is_not_asked_about(ready, form_gtk4):
    """A server that says no leaves the form there, mostly with its password taken out."""
    form = typed(ready, form_gtk4)
    form.tell("focus-other")
    until(lambda: ready.panel() is None, seconds=20)
    form.tell("focus-password")
    ready.wait_for_panel()
    ready.key("ctrl+a", "BackSpace")
    until(lambda: form.fields[1] == "", seconds=20)
    ready.type("the right one")
    until(lambda: form.fields[1] == "the right one", seconds=20)
    assert not ready.windows(WINDOW) and "knows of a password" not in ready.said()
    form.tell("close")
    asked(ready)


def test_what_stood_there_before_is_not_asked_about(ready, form_gtk4):
    """The settings of an account show the password that the program keeps."""
    form = Form(ready, form_gtk4, "saved")
    ready.wait_for_panel()
    form.tell("focus-password")
    ready.wait_for_panel()
    form.tell("close")
    typed(ready, form_gtk4).tell("close")
    asked(ready)
    assert ready.said().count("knows of a password that was typed") == 1


def test_last_password_counts_where_the_server_has_refused_the_first(ready, form_gtk4):
    """The program closes its window, asks the server, and opens another window: the question is about what was typed there."""
    ready.answer(PASSPHRASE)
    typed(ready, form_gtk4, password="a mistake").tell("close")
    asked(ready)
    before = ready.windows(WINDOW)
    typed(ready, form_gtk4).tell("close")
    told(ready, 2)
    until(lambda: ready.windows(WINDOW) not in ([], before), seconds=20)
    asked(ready)
    agree(ready)
    until(lambda: bindings(ready), seconds=60)
    item, = ready.client.call("items.list")["items"]
    ready.answer(PASSPHRASE)
    assert ready.client.call("items.reveal", id=item["id"])["password"]["secret"] == TYPED
    assert not ready.windows(WINDOW)


def test_same_user_name_on_another_server_is_another_account(ready, form_gtk4):
    ready.answer(PASSPHRASE, PASSPHRASE)
    for server in SERVER, "other.example.net":
        typed(ready, form_gtk4, server=server).tell("close")
        asked(ready)
        agree(ready)
        until(lambda: [server] in [services for _, services in saved(ready)], seconds=60)  # noqa: B023
    assert len(saved(ready)) == 2 and not any("replaces" in line for line in ready.asked())


def test_never_for_this_app(ready, form_gtk4):
    typed(ready, form_gtk4).tell("close")
    asked(ready)
    ready.key("Tab", "Tab", "Tab", "Return")
    until(lambda: ready.client.call("never.list")["sites"] == [str(form_gtk4)], seconds=20)
    assert not saved(ready) and not bindings(ready)
    # A copy of the program is another program, and is asked about.
    form = typed(ready, form_gtk4)
    form.tell("close")
    copy = shutil.copy(form_gtk4, ready.folder / "copy")
    typed(ready, copy, user="other").tell("close")
    asked(ready)
    assert ready.said().count("knows of a password that was typed") == 2
    ready.key("Escape")
    ready.client.call("never.remove", site=str(form_gtk4))
    typed(ready, form_gtk4).tell("close")
    asked(ready)


@pytest.mark.parametrize("no", ["window", "passphrase"])
def test_user_who_says_no_has_nothing_saved(ready, form_gtk4, no):
    ready.answer("no")
    typed(ready, form_gtk4).tell("close")
    asked(ready)
    if no == "window":
        ready.key("Escape")
    else:
        agree(ready)
        ready.until_asked()
    until(lambda: not ready.windows(WINDOW), seconds=20)
    # A program that asks again right away is not heard. What it may be filled with is another question.
    for count in (2, 3, 4, 5):
        said = time.monotonic()
        typed(ready, form_gtk4).tell("close")
        told(ready, count)
        if not ready.windows(WINDOW):
            break
        # A busy machine took longer than the ten seconds for which the no counts.
        assert time.monotonic() - said > 7, "the no is not remembered"
        asked(ready)
        ready.key("Escape")
        until(lambda: not ready.windows(WINDOW), seconds=20)
    else:
        pytest.fail("the no is not remembered")
    assert saved(ready) == [] and bindings(ready) == []
    assert ready.client.call("never.list")["sites"] == []


def test_user_who_has_agreed_is_told_where_it_could_not_be_saved(ready, form_gtk4):
    """The program was exchanged while the passphrase was asked for, and is not the one that the user agreed to."""
    program = pathlib.Path(shutil.copy(form_gtk4, ready.folder / "program"))
    ready.answer("hold", PASSPHRASE)
    typed(ready, program).tell("close")
    asked(ready)
    agree(ready)
    ready.until_asked()
    other = shutil.copy("/bin/true", ready.folder / "other")
    os.replace(other, program)
    ready.let_go()
    ready.wait_for_window("^Latchkey: The Password Is Not Saved$")
    assert saved(ready) == [] and bindings(ready) == []
    ready.key("Escape")
    until(lambda: not ready.windows("^Latchkey: The Password Is Not Saved$"), seconds=20)


def test_locked_vault_asks_nothing(ready, form_gtk4):
    form = typed(ready, form_gtk4)
    ready.client.call("lock")
    form.tell("close")
    # The form may be forgotten by then.
    until(lambda: "password is not saved" in ready.said() or "password that was typed" in ready.said(), seconds=30)
    ready.client.call("status")
    assert not ready.windows(WINDOW) and not ready.asked()


def test_password_of_an_account_is_replaced_and_the_question_says_so(ready, form_gtk4):
    ready.add()
    ready.answer(PASSPHRASE)
    typed(ready, form_gtk4).tell("close")
    asked(ready)
    agree(ready)
    until(lambda: bindings(ready), seconds=60)
    assert saved(ready) == [("me@example.com", ["https://" + SERVER])]
    assert any("replaces" in line for line in ready.asked())
    assert [line["event"] for line in ready.log() if line["event"] in ("saved", "updated")] == ["updated"]


def test_site_that_is_none_is_asked_for_again(ready, form_gtk4):
    ready.answer(PASSPHRASE)
    typed(ready, form_gtk4, server="").tell("close")
    asked(ready)
    drawn = ready.said().count("a window is drawn")
    agree(ready)
    # A key that comes before the window is drawn anew would be for what it showed before.
    until(lambda: ready.said().count("a window is drawn") > drawn, seconds=20)
    assert not ready.asked()
    ready.key("Tab", "ctrl+a")
    ready.type(SERVER)
    ready.key("Tab", "Return")
    until(lambda: bindings(ready), seconds=60)
    assert saved(ready) == [("me@example.com", [SERVER])]


@pytest.mark.parametrize("kind", ["gtk3", "entry"])
def test_what_a_toolkit_hides_or_a_program_shows_is_not_read(ready, form_gtk3, form_gtk4, kind):
    """GTK 3 tells nobody; an entry of GTK 4 that only draws dots says that it is a plain field."""
    form = Form(ready, form_gtk3) if kind == "gtk3" else Form(ready, form_gtk4, "entry")
    until(lambda: ready.panel() or "not part of a form" in ready.said(), seconds=20)
    form.tell("focus-password")
    ready.type(TYPED)
    until(lambda: TYPED in form.target.read_text(), seconds=20)
    form.end()
    typed(ready, form_gtk4, user="other").tell("close")
    asked(ready)
    assert ready.said().count("knows of a password that was typed") == 1

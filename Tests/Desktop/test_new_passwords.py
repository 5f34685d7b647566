# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Strong passwords in native programs: made, saved where the user says, filled into both fields, and offered there from then on."""

import json
import pathlib
import shutil

import pytest

from desktop import Form
from installation import PASSPHRASE, until

SERVER = "files.example.com"


def offered(desktop, form_gtk3, server=SERVER, user="me@example.com"):
    """A form for a new account, and the window that asks what the password is for."""
    form = Form(desktop, form_gtk3, "new", server, user)
    desktop.wait_for_panel()
    desktop.press_row(0)
    desktop.wait_for_window("^Latchkey: Use a Strong Password$")
    return form


def filled(form):
    """The new password, once both of its fields have it."""
    lines = form.target.read_text().split("\n")
    return lines[1] if lines[1] and lines[1] == lines[3] else None


def saved(desktop):
    return [(item["user"], item["services"]) for item in desktop.client.call("items.list")["items"]]


@pytest.fixture
def ready(desktop):
    desktop.fill_native_programs()
    return desktop


def make(desktop):
    """Agrees to what the form has proposed: the last field has the site, behind it is the button."""
    desktop.key("Tab", "Tab", "Return")


def test_strong_password_is_made_saved_and_filled(ready, form_gtk3):
    ready.answer(PASSPHRASE)
    form = offered(ready, form_gtk3)
    make(ready)
    password = until(lambda: filled(form), seconds=60)
    assert len(password) >= 20
    assert saved(ready) == [("me@example.com", [SERVER])]
    question = next(line for line in ready.asked() if line.startswith("SETDESC"))
    for word in (str(form_gtk3), SERVER, "me@example.com", "new password", "from now on"):
        assert word in question, question
    texts = [ready.said(), (ready.installation.folder / "daemon.log").read_text(), *ready.asked(), str(ready.log())]
    assert not [text for text in texts if password in text]
    events = [line["event"] for line in ready.log()]
    assert "released" in events and "saved" in events


def test_S31_question_says_how_weak_a_password_is_that_the_site_allows(ready, form_gtk3):
    quirks = pathlib.Path(ready.installation.environment["XDG_DATA_HOME"]) / "latchkey/quirks"
    quirks.mkdir(parents=True, exist_ok=True)
    (quirks / "password-rules.json").write_text(json.dumps({SERVER: {"password-rules": "maxlength: 3; allowed: digit;"}}))
    ready.client.call("quirks.reload")
    ready.answer(PASSPHRASE)
    form = offered(ready, form_gtk3)
    make(ready)
    assert len(until(lambda: filled(form), seconds=60)) == 3
    question = next(line for line in ready.asked() if line.startswith("SETDESC"))
    assert "This site allows only 3 digits. Such a password is guessed at once." in question, question


def test_strong_password_is_offered_in_the_program_from_then_on(ready, form_gtk3):
    ready.answer(PASSPHRASE)
    form = offered(ready, form_gtk3)
    make(ready)
    password = until(lambda: filled(form), seconds=60)
    binding, = ready.client.call("apps.bindings")["bindings"]
    assert (binding["program"], binding["user"]) == (str(form_gtk3), "me@example.com")
    form.end()
    asked = len(ready.asked())
    form = Form(ready, form_gtk3)
    ready.wait_for_panel()
    ready.press_row(0)
    until(lambda: form.fields == ("me@example.com", password), seconds=30)
    assert len(ready.asked()) == asked


def test_what_the_form_proposes_can_be_changed(ready, form_gtk3):
    ready.answer(PASSPHRASE)
    form = offered(ready, form_gtk3, server="evil.example.net", user="them")
    ready.key("ctrl+a")
    ready.type("me")
    ready.key("Tab", "ctrl+a")
    ready.type("good.example.org")
    ready.key("Tab", "Return")
    until(lambda: filled(form), seconds=60)
    assert saved(ready) == [("me", ["good.example.org"])]


def test_site_that_is_none_is_asked_for_again(ready, form_gtk3):
    ready.answer(PASSPHRASE)
    form = offered(ready, form_gtk3, server="no site!")
    drawn = ready.said().count("a window is drawn")
    make(ready)
    # A key that comes before the window is drawn anew would be for what it showed before.
    until(lambda: ready.said().count("a window is drawn") > drawn, seconds=20)
    assert not ready.asked() and not filled(form)
    ready.key("Tab", "ctrl+a")
    ready.type(SERVER)
    ready.key("Tab", "Return")
    until(lambda: filled(form), seconds=60)
    assert saved(ready) == [("me@example.com", [SERVER])]


def test_password_of_an_account_that_is_saved_is_replaced_and_the_question_says_so(ready, form_gtk3):
    ready.add()
    ready.answer(PASSPHRASE)
    form = offered(ready, form_gtk3)
    make(ready)
    until(lambda: filled(form), seconds=60)
    assert saved(ready) == [("me@example.com", ["https://" + SERVER])]
    assert any("replaces" in line for line in ready.asked())
    assert [line["event"] for line in ready.log() if line["event"] in ("saved", "updated")] == ["updated"]


@pytest.mark.parametrize("no", ["window", "passphrase"])
def test_user_who_says_no_has_nothing_saved_or_filled(ready, form_gtk3, no):
    ready.answer("no")
    form = offered(ready, form_gtk3)
    if no == "window":
        ready.key("Escape")
    else:
        make(ready)
        ready.until_asked()
    until(lambda: not ready.windows("^Latchkey: Use a Strong Password$"), seconds=20)
    assert not filled(form) and saved(ready) == []
    assert ready.client.call("generated.list")["generated"] == []
    assert ready.client.call("apps.bindings") == {"bindings": []}


@pytest.mark.parametrize("change", ["plain", "remove", "readonly"])
def test_form_that_changes_meanwhile_gets_nothing_and_the_password_is_not_lost(ready, form_gtk3, change):
    ready.answer("hold", PASSPHRASE)
    form = offered(ready, form_gtk3)
    make(ready)
    ready.until_asked()
    form.tell(change)
    ready.let_go()
    until(lambda: saved(ready), seconds=60)
    # What became of it stands on the panel.
    ready.wait_for_panel()
    assert form.fields[1] == ""
    assert saved(ready) == [("me@example.com", [SERVER])]


def test_program_that_is_another_one_when_the_user_has_answered_gets_nothing(ready, form_gtk3, tmp_path):
    program = tmp_path / "own"
    shutil.copy(form_gtk3, program)
    ready.answer("hold", PASSPHRASE)
    form = offered(ready, program)
    make(ready)
    ready.until_asked()
    other = tmp_path / "other"
    shutil.copy(form_gtk3, other)
    other.open("ab").write(b"x")
    other.replace(program)
    ready.let_go()
    until(lambda: [line for line in ready.log() if line["event"] == "refused"], seconds=30)
    assert not filled(form) and saved(ready) == []


@pytest.mark.parametrize("server, first", [("server0.example.com", "user0"), ("sftp://server0.example.com:22/x", "user0"), ("", "user1")])
def test_server_that_the_form_names_orders_what_is_offered(ready, form_gtk3, server, first):
    """Both are offered whatever it names; without it the newest binding comes first."""
    for number in range(2):
        ready.add(f"user{number}", f"password {number}", f"https://server{number}.example.com")
        form = Form(ready, form_gtk3)
        ready.answer(PASSPHRASE)
        ready.wait_for_panel()
        ready.press_all()
        ready.wait_for_window("^Latchkey: All Passwords$")
        ready.key(*["Tab"] * (number + 1), "Return")
        ready.wait_for_window("^Latchkey: Use This Password Here.$")
        ready.key("Tab", "Return")
        until(lambda: form.fields == (f"user{number}", f"password {number}"), seconds=30)
        form.end()
    form = Form(ready, form_gtk3, "server", server)
    ready.wait_for_panel()
    ready.press_row(0)
    until(lambda: form.fields[0] == first, seconds=30)
    form.end()
    form = Form(ready, form_gtk3, "server", server)
    ready.wait_for_panel()
    ready.press_row(1)
    until(lambda: form.fields[0] == {"user0": "user1", "user1": "user0"}[first], seconds=30)

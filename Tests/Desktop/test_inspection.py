# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""`latchkey explain --window` and `latchkey doctor --window`: what is seen in the window that the user goes to next."""

import json
import shutil
import subprocess
import threading
import time

import pytest

from desktop import Form
from installation import BINARIES, until
from test_native_forms import bind

#: How long a person stays at a field at least: what is read of it while they move on says nothing.
PAUSE = 0.5


class Command:
    """The command line, which waits for a window."""

    def __init__(self, desktop, *arguments):
        self.process = subprocess.Popen(
            [BINARIES / "latchkey", *arguments], env=desktop.environment, text=True, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        # It says so once the daemon is asked next.
        assert "Go to a field" in self.process.stderr.readline()
        self.done = None
        self.thread = threading.Thread(target=self._read, daemon=True)
        self.thread.start()

    def _read(self):
        self.done = self.process.communicate()

    def answered(self, move):
        """What it prints once the user has gone to a field; `move` moves the focus."""
        def look():
            if self.done is None:
                move()
            return self.done
        return until(look, seconds=30)[0]


def moving(form):
    """Moves the focus to and fro, as a user does who looks for the window."""
    def move():
        form.tell("focus-user")
        time.sleep(PAUSE)
        form.tell("focus-password")
        time.sleep(PAUSE)
    return move


@pytest.fixture
def ready(desktop):
    desktop.add()
    desktop.fill_native_programs()
    return desktop


def test_explain_says_what_the_fields_are_and_what_is_offered(ready, form_gtk3):
    form = Form(ready, form_gtk3)
    bind(ready, form)
    said = json.loads(Command(ready, "explain", "--window", "--json").answered(moving(form)))
    assert said["program"] == str(form_gtk3) and said["title"] == "Example server" and said["refusal"] is None
    roles = {field["label"]: field["role"] for field in said["fields"]}
    assert roles == {"User name": "username", "Password": "current-password", "Port": None}
    assert said["offers"] == [{"user": "me@example.com", "service": "files.example.com", "ground": "binding"}]
    assert "seventeen letters" not in json.dumps(said)


def test_explain_in_words(ready, form_gtk3):
    form = Form(ready, form_gtk3)
    said = Command(ready, "explain", "--window").answered(moving(form))
    for words in (str(form_gtk3), "“Example server”", "“Password”: current-password", "Nothing that is saved belongs to this program yet"):
        assert words in said, said


def test_explain_says_why_nothing_is_offered_in_a_program(ready, form_gtk3, tmp_path):
    copy = tmp_path / "chromium"
    shutil.copy(form_gtk3, copy)
    form = Form(ready, copy)
    said = json.loads(Command(ready, "explain", "--window", "--json").answered(moving(form)))
    assert "browser" in said["refusal"] and said["offers"] == []


def test_explain_says_why_nothing_is_offered_at_a_field(ready, form_gtk3):
    form = Form(ready, form_gtk3)

    def move():
        form.tell("focus-user")
        time.sleep(PAUSE)
        form.tell("focus-other")
        time.sleep(PAUSE)

    command = Command(ready, "explain", "--window", "--json")
    form.tell("focus-other")
    said = json.loads(command.answered(move))
    focused, = [field for field in said["fields"] if field["focused"]]
    assert focused["label"] == "User name" or "not part of a form" in said["refusal"]


def test_doctor_says_what_an_author_can_do_better(ready, form_gtk3):
    form = Form(ready, form_gtk3)
    command = Command(ready, "doctor", "--window")
    said = command.answered(moving(form))
    assert "“User name”: say what it is for by its accessible identifier: username" in said, said
    assert command.process.returncode == 13


def test_doctor_finds_nothing_to_fix_in_the_demo_window(ready, tmp_path):
    # What is in Latchkey's own folder is never touched.
    ready._spawn(shutil.copy(BINARIES / "shiny-window", tmp_path))
    ready.wait_for_panel()
    command = Command(ready, "doctor", "--window")
    said = command.answered(lambda: ready.key("Tab"))
    assert "There is nothing to fix." in said and command.process.returncode == 0, said


def test_without_what_fills_native_programs_it_says_how_to_begin(desktop):
    done = desktop.installation.latchkey("explain", "--window", check=False)
    assert done.returncode == 5 and b"latchkey desktop enable" in done.stderr


@pytest.mark.parametrize("words", [["explain", "--window", "https://a.example"], ["explain", "--window", "--offline"], ["doctor"]])
def test_what_does_not_go_together_is_refused(desktop, words):
    assert desktop.installation.latchkey(*words, check=False).returncode == 64

# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""After a sign-in in an app with a weak password: the demo app, the worked example's service and extension, the real daemon."""

import plistlib
import shutil

import pytest

from installation import BINARIES, PASSPHRASE, until
from shiny_accounts import APP, HOST, PROGRAM
from test_app_windows import Window
from test_apps import Terminal
from test_shiny_upgrades import WEAK, World

pytestmark = [
    pytest.mark.soak,
    pytest.mark.skipif(not PROGRAM.exists(), reason="the examples were not built (LATCHKEY_EXAMPLES=1)"),
]


class Scene(World):
    """A Latchkey that knows a weak password of Shiny's, and another program of Shiny's that signs in by the system."""

    def __init__(self, installation, folder):
        super().__init__(installation, folder)
        self.have("rmondello")
        self.program = folder / "signing-in"
        shutil.copy(BINARIES / "latchkey-demo-app", self.program)
        self.program.chmod(0o755)
        statement = {"application-identifier": APP, "com.apple.developer.associated-domains": [f"webcredentials:{HOST}"]}
        self.program.with_name("signing-in.entitlements").write_bytes(plistlib.dumps(statement))
        installation.latchkey("apps", "grant", self.program, "--yes", "--passphrase-file", "-", input=PASSPHRASE.encode())
        self.window = Window(installation).begin()
        self.terminals = []

    def sign_in(self, **environment):
        """The app, up to where it has the password."""
        terminal = Terminal(self.installation, self.program, environment)
        self.terminals.append(terminal)
        terminal.wait("Username \\(Return for AutoFill\\): ")
        terminal.type("")
        if "DISPLAY" in environment:
            prompt, _ = self.window.wanted(self.window.has("app"))
            self.window.select(prompt, "0")
        else:
            terminal.wait("(?s)rmondello.*?> ")
            terminal.type("1")
        terminal.wait("Username: rmondello")
        assert terminal.wait("•+\r?\n").count("•") == len(WEAK)
        return terminal

    def close(self):
        self.window.process.kill()
        self.window.process.wait()
        for terminal in self.terminals:
            terminal.end()
        super().close()


@pytest.fixture
def make(installation, tmp_path):
    made = []

    def scene():
        made.append(Scene(installation, tmp_path))
        return made[-1]

    yield scene
    for one in made:
        one.close()


def test_a_yes_in_the_window_changes_the_password_after_the_app_has_its_answer(make):
    scene = make()
    scene.sign_in(DISPLAY=":99")
    prompt, shown = scene.window.wanted(scene.window.has("agree"))
    text = " ".join(e.get("text") or "" for e in shown["interface"]["elements"])
    assert "rmondello" in text and HOST in text and str(scene.program) in text and WEAK not in text
    assert scene.saved() == WEAK
    scene.window.press(prompt, "agree")
    shown = scene.window.shown(prompt, scene.window.has("done"))
    assert "was changed, and saved" in shown["interface"]["elements"][0]["text"]
    scene.window.press(prompt, "done")
    new = scene.saved()
    assert new != WEAK and scene.shiny.takes("rmondello", new) and not scene.shiny.takes("rmondello", WEAK)
    assert scene.offered() == [new] and scene.unsettled() == []
    assert new not in scene.installation.output()


def test_a_no_is_one_to_this_question_and_none_to_the_app(make):
    """The next sign-in waits for nothing, and asks nothing more: the window that comes is another app's request."""
    scene = make()
    scene.sign_in(DISPLAY=":99")
    prompt, _ = scene.window.wanted(scene.window.has("agree"))
    scene.window.press(prompt, "refuse")
    for _ in range(2):
        scene.sign_in(DISPLAY=":99")
    assert scene.window.prompts.empty()
    assert scene.offered() == [WEAK] and scene.shiny.takes("rmondello", WEAK) and scene.unsettled() == []


def test_a_terminal_is_the_apps_again(make):
    """The same program in a terminal: nothing of Latchkey's stands there, and no window comes, once it has its answer."""
    scene = make()
    terminal = scene.sign_in()
    seen = terminal.wait("Log In")
    assert "strong" not in seen
    # A sign-in in the window asks; it is the first one that does.
    scene.sign_in(DISPLAY=":99")
    scene.window.wanted(scene.window.has("agree"))
    assert scene.window.prompts.empty() and scene.offered() == [WEAK]

# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""The app as a screen reader meets it: what it describes on the accessibility bus, and what can be done there."""

import contextlib
import json
import pathlib
import subprocess

from installation import BINARIES, PASSPHRASE, until

READER = pathlib.Path(__file__).parent / "reader.py"
PROGRAM = "latchkey-app"
SECTIONS = ["All Accounts", "Codes", "Security", "Deleted", "AutoFill", "Activity"]
#: Roles of what a person acts on.
CONTROLS = {
    "button", "push button", "toggle button", "check box", "radio button", "combo box", "text", "text box", "search box", "entry",
    "password text", "switch", "list item", "menu item", "link", "slider", "spin button", "image", "list", "level bar",
}


def unnamed(tree):
    """The controls without a name of their own; GTK names those by their type. What is inside a combo box is GTK's."""
    found, inside = [], None
    for one in tree:
        if inside is not None and one["depth"] > inside:
            continue
        inside = one["depth"] if one["role"] == "combo box" else None
        if one["role"] in CONTROLS and (not one["name"] or one["name"].startswith(("Gtk", "Adw"))):
            found.append(one)
    return found


class App:
    def __init__(self, desktop):
        self.desktop = desktop
        self.client = desktop.client
        self.reader = None
        self.process = None

    def __enter__(self):
        self.reader = subprocess.Popen(
            ["/usr/bin/python3", READER], env=self.desktop.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        return self

    def __exit__(self, failure, *_):
        self.reader.kill()
        self.reader.wait()
        # GTK says so when it is handed a widget that is gone.
        assert failure or not self.process or "CRITICAL" not in self.log, self.log[-2000:]

    def start(self, *arguments, wait="Search accounts", **environment):
        """Starts the app, and waits until it describes something with a name."""
        self.desktop.environment.update({"GSK_RENDERER": "cairo", "ADW_DISABLE_PORTAL": "1", **environment})
        self.process = self.desktop._spawn(self.program, *arguments)
        if wait:
            self.wait_for(wait)
            until(self.focused)
        return self

    @property
    def program(self):
        return BINARIES / "latchkey-app"

    @property
    def log(self):
        return (self.desktop.folder / "latchkey-app.log").read_text()

    def ask(self, what, *arguments):
        self.reader.stdin.write(json.dumps({"do": what, "with": arguments}) + "\n")
        self.reader.stdin.flush()
        answer = json.loads(self.reader.stdout.readline())
        if isinstance(answer, dict) and "error" in answer:
            raise AssertionError(answer["error"])
        return answer

    def tree(self):
        return self.ask("tree", PROGRAM)

    def places(self):
        """Everything of `tree` that is in a window, each with its extents there: x, y, width, height."""
        tree = self.tree()
        return [{**one, "extents": extents} for one, extents in zip(tree, self.ask("places")) if extents]

    def glance(self):
        """The names of what is seen, with the number of the outermost object of each: a button rather than its label."""
        return {one["name"]: one["number"] for one in reversed(self.ask("glance", PROGRAM))}

    def find(self, name, role=None, shown=True):
        """The first object with a name, or nothing."""
        for one in self.tree():
            is_shown = not shown or "visible" in one["states"]
            if (one["name"] == name or one["text"] == name) and (role is None or one["role"] == role) and is_shown:
                return one
        return None

    def wait_for(self, name, role=None, seconds=60):
        try:
            return until(lambda: self.find(name, role), seconds=seconds)
        except AssertionError:
            names = [(one["role"], one["name"] or one["text"]) for one in self.tree()]
            raise AssertionError(f"no {name!r}; there are {names}; {self.log[-600:]!r}") from None

    def wait_until_gone(self, name, seconds=60):
        until(lambda: not self.find(name), seconds=seconds)

    def press(self, name, role="button"):
        for _ in range(2):
            number = self.wait_for(name, role)["number"]
            # It may be drawn anew before it is pressed.
            try:
                return self.ask("act", number)
            except AssertionError as failure:
                if "Unknown" not in str(failure):
                    raise
        return self.ask("act", self.wait_for(name, role)["number"])

    def wait_for_switch(self, name, is_on):
        """Waits until a switch shows what is so: a press before that would do the opposite."""
        until(lambda: (found := self.find(name, "switch")) and ("checked" in found["states"]) == is_on, seconds=60)

    def focused(self):
        """What has the keyboard."""
        return self.ask("focused", PROGRAM)

    def reach(self, name, key="Tab", limit=40):
        """Moves the focus by the keyboard until it is where a name says."""
        self.wait_for(name)
        passed = []
        for _ in range(limit):
            one = self.focused()
            if one and one["name"] == name:
                return one
            passed.append(one and one["name"])
            self.desktop.key(key)
        raise AssertionError(f"{name!r} is not reached by {key}; passed {passed}")

    def type(self, name, text):
        """Types into a field that has a name, by the keyboard."""
        self.reach(name)
        self.desktop.key("ctrl+a")
        self.desktop.type(text)

    def section(self, name):
        """Opens a section by the keyboard."""
        for seconds in (3, 3, 60):
            # A key that is pressed while the window manager still places the window is nobody's.
            self.desktop.key(f"ctrl+{SECTIONS.index(name) + 1}")
            with contextlib.suppress(AssertionError):
                return until(lambda: self.is_at(name), seconds=seconds)
        raise AssertionError(f"the section {name!r} is not opened by its key")

    def is_at(self, section):
        """Whether a section is open: its name stands above it, beside the list of sections where that is seen, too."""
        tree = self.tree()
        labels = sum(one["role"] == "label" and one["name"] == section for one in tree)
        return labels > any(one["role"] == "list" and one["name"] == "Sections" for one in tree)

    def open(self, words):
        """Opens the account that a search finds first."""
        self.wait_for("Search accounts")
        self.desktop.key("ctrl+f", "ctrl+a")
        self.desktop.type(words)
        self.desktop.key("Return")

    def listen(self):
        self.ask("listen")

    def heard(self, event):
        """What the app has told of since `listen`."""
        return self.ask("heard", event)

    def heard_all(self):
        """Everything that the app has told of since `listen`."""
        return self.ask("heard_all")

    def texts(self):
        """Everything that a screen reader could say of the window."""
        return [text for one in self.tree() for text in (one["name"], one["text"], one["description"]) if text]

    def prove(self, passphrase=PASSPHRASE):
        """Gives the passphrase where the app asks for it."""
        self.wait_for("Passphrase Needed")
        until(lambda: (self.focused() or {}).get("name") == "Passphrase", seconds=60)
        self.desktop.type(passphrase)
        self.desktop.key("Return")
        self.wait_until_gone("Passphrase Needed")

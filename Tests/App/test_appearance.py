# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""The app as people set up their desktops: from right to left, with large text, in high contrast, dark, and in a narrow window.

Each section is opened by the keyboard. Every control has a name and a place inside of the window, and Tab reaches all of them.
"""

import contextlib
import gettext
import pathlib
import subprocess

import pytest

from app import CONTROLS, SECTIONS, unnamed
from installation import secret, until

MODES = ["right to left", "large text", "high contrast", "dark", "360 pixels"]
ENVIRONMENTS = {"high contrast": {"ADW_DEBUG_HIGH_CONTRAST": "1"}, "dark": {"ADW_DEBUG_COLOR_SCHEME": "prefer-dark"}}
#: GTK's translation says that it is written from right to left.
HEBREW = "he_IL"
#: Roles of what Tab stops at. The rows of a list are moved between by the arrow keys.
STOPS = {"button", "push button", "toggle button", "check box", "combo box", "text", "text box", "search box", "switch"}
#: Of the window, for which the desktop has keys.
OF_WINDOW = {"Minimize", "Maximize", "Close"}
OF_WINDOW |= {gettext.translation("gtk40", "/usr/share/locale", [HEBREW], fallback=True).gettext(name) for name in OF_WINDOW}
#: What a section shows once it has what it shows.
LATEST = {
    "All Accounts": "shiny.example.com, rmondello", "Codes": "shiny.example.com, rmondello", "Deleted": "gone.example.com, gone",
    "Security": "Open the account rmondello at shiny.example.com", "AutoFill": "Save What Git Signs In With",
    "Activity": "The log is intact: no line is missing or was changed.",
}
#: A control of a line or three is less high than this, in pixels, with large text too.
HIGHEST = 150
#: The brightness of what the display shows of a window (0 to 255), and how much of it is dark: texts and, in high contrast, lines.
PICTURE = """
import sys, gi
gi.require_version("Gdk", "3.0")
from gi.repository import Gdk
pixels = Gdk.pixbuf_get_from_window(Gdk.get_default_root_window(), *map(int, sys.argv[1:5])).get_pixels()
print(sum(pixels) / len(pixels), sum(pixel < 170 for pixel in pixels) / len(pixels))
"""


class Stage:
    """The app with accounts in each section."""

    def __init__(self, app):
        self.app = app
        weak = {"user": "rmondello", "password": secret("password1")}
        link = secret("otpauth://totp/Shiny:me?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")
        added = app.client.call("items.add", items=[
            {"services": ["https://shiny.example.com"], "authenticator": link, **weak}, {"services": ["https://gone.example.com"], **weak, "user": "gone"}])
        app.client.call("items.remove", id=added["items"][1]["id"])
        app.client.prefer(idleMinutes=0)

    def start(self, mode=None):
        """Starts the app in a mode; what started it before has ended."""
        desktop = self.app.desktop
        environment = dict(ENVIRONMENTS.get(mode, {}))
        if mode == "right to left":
            environment |= {"LOCPATH": str(desktop.folder), "LANG": f"{HEBREW}.UTF-8"}
        if mode == "large text":
            # What a desktop's text scaling factor of 2 comes to.
            subprocess.run(["xrdb", "-merge"], env=desktop.environment, input=b"Xft.dpi: 192\n", check=True, timeout=60)
        self.app.start(**environment)
        if mode == "360 pixels":
            self.narrow("Passwords")
        return self

    def end(self):
        self.app.process.kill()
        self.app.process.wait()

    def narrow(self, title):
        [window] = self.app.desktop.windows(f"^{title}$")
        self.app.desktop.x("windowsize", "--sync", window, "360", "640")

    def size(self, title):
        [window] = self.app.desktop.windows(f"^{title}$")
        values = dict(line.split("=") for line in self.app.desktop.x("getwindowgeometry", "--shell", window).splitlines())
        return [int(values[name]) for name in ("X", "Y", "WIDTH", "HEIGHT")]

    def open(self, section):
        self.app.section(section)
        self.app.wait_for(LATEST[section])

    def open_account(self):
        self.open("All Accounts")
        self.app.open("shiny")
        self.app.wait_for("Show Password")

    def edit(self, mode):
        self.open_account()
        self.app.press("Edit Account")
        self.app.wait_for("Save")
        until(lambda: self.app.desktop.x("getactivewindow", "getwindowname") == "Edit Account", seconds=12)
        if mode == "360 pixels":
            self.narrow("Edit Account")

    def picture(self):
        """The brightness of the window, and its share of dark pixels."""
        done = self.app.desktop._run("/usr/bin/python3", "-c", PICTURE, *self.size("Passwords"))
        assert done.returncode == 0, done.stderr
        return [float(word) for word in done.stdout.split()]

    def place(self, name, role):
        return next(one["extents"] for one in self.app.places() if (one["name"], one["role"]) == (name, role))

    # -- What is seen, and what is wrong with it --

    def seen(self, title):
        """What is in a window; where one part is seen at a time, what is in the part that has the keyboard."""
        # While one part gives way to another, neither has it.
        return until(lambda: self.seen_now(title), seconds=12)

    def seen_now(self, title):
        objects = self.app.places()
        windows = [one for one in objects if one["depth"] == 1]
        objects = inside(objects, next(one for one in windows if one["name"] == title))
        folding = next((one for one in objects if one["name"] == "AdwLeaflet"), None)
        if not folding or not any(one["name"] == "Back" for one in objects):
            return objects
        parts = [inside(objects, one) for one in inside(objects, folding)[1:] if one["depth"] == folding["depth"] + 1]
        return next((part for part in parts if any("focused" in one["states"] for one in part)), None)

    def faults(self, title):
        """What has no name, no size or a place outside of the window. What is scrolled may be above or below it."""
        _, _, width, height = self.size(title)
        objects = self.seen(title)
        found = [f"{one['role']} {one['name']!r} has no name" for one in unnamed(objects)]
        scrolled = set()
        for one, parent in zip(objects, parents(objects)):
            if one["role"] == "scroll bar":
                scrolled |= {other["path"] for other in inside(objects, parent)}
        for one in objects:
            if one["role"] not in CONTROLS or "visible" not in one["states"]:
                continue
            x, y, wide, high = one["extents"]
            is_within = x >= 0 and x + wide <= width and (one["path"] in scrolled or y >= 0 and y + high <= height)
            if wide <= 0 or high <= 0 or not is_within or one["role"] in STOPS and high > HIGHEST:
                found.append(f"{one['role']} {one['name']!r} is at {one['extents']} in a window of {width}x{height}")
        return found

    def trapped(self, title):
        """What Tab does not reach before it comes back to where it was."""
        _, _, width, height = self.size(title)
        wanted = {
            one["path"]: one["name"] for one in self.seen(title)
            if one["role"] in STOPS and {"focusable", "sensitive", "visible"} <= set(one["states"]) and one["name"] not in OF_WINDOW}
        stops, found = set(), []
        for _ in range(120):
            self.app.desktop.key("Tab")
            one = until(self.app.focused, seconds=12)
            if one["path"] in stops:
                break
            stops.add(one["path"])
            if one["role"] in STOPS and not is_inside(one["extents"], width, height):
                # It is being scrolled to.
                with contextlib.suppress(AssertionError):
                    until(lambda: is_inside(self.app.focused()["extents"], width, height), seconds=5)
                    continue
                found.append(f"Tab reaches {one['name']!r}, which is not all in the window")
        else:
            return [f"Tab does not come back, after {len(stops)} places"]
        return found + [f"Tab does not reach {name!r}" for path, name in wanted.items() if path not in stops]


def parents(objects):
    """The parent of each object of a tree from above to below."""
    above = []
    for one in objects:
        above = [other for other in above if other["depth"] < one["depth"]]
        yield above[-1] if above else None
        above.append(one)


def inside(objects, root):
    """An object and all below it."""
    start = next(number for number, one in enumerate(objects) if one["path"] == root["path"])
    end = next((number for number in range(start + 1, len(objects)) if objects[number]["depth"] <= root["depth"]), len(objects))
    return objects[start:end]


def is_inside(extents, width, height):
    x, y, wide, high = extents
    return x >= 0 and y >= 0 and x + wide <= width and y + high <= height


@pytest.fixture
def stage(app, request):
    mode = request.node.callspec.params.get("mode") if hasattr(request.node, "callspec") else None
    if mode == "right to left":
        if not pathlib.Path("/usr/share/i18n/locales", HEBREW).exists():
            pytest.skip("needs the package locales, from which the locale of a language is made")
        subprocess.run(["localedef", "-i", HEBREW, "-f", "UTF-8", app.desktop.folder / f"{HEBREW}.UTF-8"], check=True, timeout=60)
    return Stage(app)


@pytest.mark.parametrize("mode", MODES)
def test_each_section_is_named_inside_of_the_window_and_reached_by_tab(stage, mode):
    stage.start(mode)
    found = {}
    for section in SECTIONS:
        stage.open(section)
        found[section] = stage.faults("Passwords") + stage.trapped("Passwords")
    stage.open_account()
    found["account"] = stage.faults("Passwords") + stage.trapped("Passwords")
    assert not any(found.values()), found


@pytest.mark.parametrize("mode", MODES)
def test_editor_is_named_inside_of_its_window_and_reached_by_tab(stage, mode):
    stage.start(mode).edit(mode)
    found = stage.faults("Edit Account") + stage.trapped("Edit Account")
    assert not found


def test_focus_is_never_on_something_without_a_name(stage):
    stage.start()
    found = set()
    for section in SECTIONS:
        stage.open(section)
        for _ in range(12):
            stage.app.desktop.key("Tab")
            one = until(stage.app.focused, seconds=12)
            if not one["name"]:
                found.add((section, one["role"], tuple(one["extents"])))
    assert not found


def test_parts_that_a_narrow_window_does_not_show_are_not_described(stage):
    stage.start("360 pixels").open("All Accounts")
    width = stage.size("Passwords")[2]
    controls = [one for one in stage.app.places() if one["role"] in CONTROLS and "visible" in one["states"]]
    hidden = [one["name"] for one in controls if one["extents"][0] >= width]
    assert not hidden
    # What lies below the part that is shown, as the list of sections does, is not shown either.
    assert not [one for one in controls if one["name"] == "Sections"]


def test_list_of_sections_is_on_the_side_on_which_reading_begins(stage):
    stage.start()
    stage.app.wait_for("Accounts", "list")
    sections, accounts = stage.place("Sections", "list"), stage.place("Accounts", "list")
    assert sections[0] < accounts[0]


@pytest.mark.parametrize("mode", ["right to left"])
def test_from_right_to_left_the_list_of_sections_is_on_the_right(stage, mode):
    stage.start(mode)
    width = stage.size("Passwords")[2]
    sections, accounts = stage.place("Sections", "list"), stage.place("Accounts", "list")
    assert sections[0] > accounts[0] and sections[0] > width / 2
    # An icon stands before its text, which is on its right then.
    row, label = stage.place("Codes", "list item"), stage.place("Codes", "label")
    assert label[0] + label[2] < row[0] + row[2] - 20


def test_large_text_is_twice_as_large(stage):
    stage.start()
    before = stage.place("All Accounts", "list item"), stage.place("Activity", "label")
    stage.end()
    stage.start("large text")
    after = stage.place("All Accounts", "list item"), stage.place("Activity", "label")
    assert after[1][2] > 1.8 * before[1][2] and after[0][3] > before[0][3]


def test_high_contrast_and_dark_windows_are_drawn_so(stage):
    pictures = {}
    for mode in (None, "high contrast", "dark"):
        for name in ("ADW_DEBUG_HIGH_CONTRAST", "ADW_DEBUG_COLOR_SCHEME"):
            stage.app.desktop.environment.pop(name, None)
        stage.start(mode).open_account()
        pictures[mode] = stage.picture()
        stage.end()
    assert pictures[None][0] > 170 and pictures["dark"][0] < 90, pictures
    assert pictures["high contrast"][0] > 170 and pictures["high contrast"][1] > 1.5 * pictures[None][1], pictures


def test_the_checks_are_alive(stage, monkeypatch):
    """A window that is too small, a control without a name and a focus that does not move are found."""
    stage.start().open("All Accounts")
    assert not stage.faults("Passwords")
    assert unnamed([{**one, "name": ""} for one in stage.seen("Passwords") if one["role"] == "button"])
    with monkeypatch.context() as patch:
        patch.setattr(stage, "size", lambda _: [0, 0, 300, 640])
        assert stage.faults("Passwords")
    monkeypatch.setattr(stage.app.desktop, "key", lambda *_: None)
    assert stage.trapped("Passwords")

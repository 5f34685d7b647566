# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""A Wayland desktop of its own for a test: a compositor whose screen is a window of an X server, so that its seat has a real pointer and
keyboard, and what it draws can be looked at. Programs on it know nothing of the X server."""

import contextlib
import json
import os
import re
import shutil
import struct

import pytest

from desktop import ARMING, Desktop, time
from installation import until

#: The theme of what fills: dark, so that its windows are found among those of the other programs, which are light.
THEME = "HighContrastInverse"
#: What its windows have behind their text: how much blue, of 255.
DARK = b"\x30"
#: The least width of a window of it, in pixels.
WIDTH = 250


class WaylandDesktop(Desktop):
    """The part that all compositors have in common."""

    def __init__(self, folder, **options):
        super().__init__(folder, **options)
        (folder / "screen").mkdir()
        self.server_options = ["-fbdir", str(folder / "screen")]

    def _begin_session(self):
        if not shutil.which(self.compositor):
            pytest.skip(f"there is no {self.compositor} here; `scripts/install-dependencies test desktop` installs it")
        self.runtime = self.installation.folder / "runtime_dir"
        self.runtime.mkdir(mode=0o700, exist_ok=True)
        self.environment["DISPLAY"] = self.display
        self.outside = dict(self.environment)
        self._begin_compositor()
        socket = until(lambda: [path for path in self.runtime.glob("wayland-*") if path.is_socket()], seconds=30)[0]
        del self.environment["DISPLAY"]
        self.environment.update(
            WAYLAND_DISPLAY=socket.name, GDK_BACKEND="wayland", QT_QPA_PLATFORM="wayland", XDG_SESSION_TYPE="wayland")
        self._begin_buses()
        # The keyboard of an X server without a window manager is where the pointer is.
        self._rest()

    def spawn_agent(self, binary=None):
        with self._having({**self.environment, "GTK_THEME": THEME}):
            return super().spawn_agent(binary)

    def x(self, *arguments):
        with self._having(self.outside):
            return super().x(*arguments)

    def _rest(self):
        self.x("mousemove", "1000", "700")

    @contextlib.contextmanager
    def _having(self, environment):
        usual, self.environment = self.environment, environment
        try:
            yield
        finally:
            self.environment = usual

    # -- What can be seen --

    def boxes(self):
        """(x, y, width, height) of each dark part of the screen: the windows of what fills."""
        picture = (self.folder / "screen" / "Xvfb_screen0").read_bytes()
        header, width, height = (struct.unpack_from(">I", picture, at)[0] for at in (0, 16, 20))
        line, colours = (struct.unpack_from(">I", picture, at)[0] for at in (48, 76))
        begin = header + 12 * colours
        found = []
        for y in range(height):
            row = picture[begin + y * line:begin + y * line + 4 * width:4]
            x = row.find(DARK * WIDTH)
            if x < 0:
                continue
            end = width - len(row[x:].lstrip(DARK))
            # Rows of text interrupt a window.
            if found and y - found[-1][3] <= 40 and abs(found[-1][0] - x) <= 8:
                found[-1] = (min(found[-1][0], x), found[-1][1], max(found[-1][2], end), y)
            else:
                found.append((x, y, end, y))
        return [(x, y, end - x, last + 1 - y) for x, y, end, last in found]

    def _shown_panel(self):
        """On the picture of the screen one panel is like another in its place."""
        boxes = [box for box in self.boxes() if 80 <= box[3] < 200]
        return ("panel", boxes[0]) if boxes else None

    def wait_for_panel(self):
        try:
            until(self.panel, seconds=20)
        except AssertionError:
            raise AssertionError(f"no panel; dark: {self.boxes()}; said: {self.said()[-800:]!r}") from None
        time.sleep(ARMING)
        return self.panel()


class Sway(WaylandDesktop):
    """A compositor of wlroots: it has layers, and says which windows there are."""

    compositor = "sway"

    def _begin_compositor(self):
        configuration = self.folder / "sway.conf"
        configuration.write_text("xwayland disable\noutput * bg #ffffff solid_color\noutput X11-1 resolution 1280x900\n")
        # It does not run as root, and is nobody else's here.
        other = [] if os.getuid() else ["unshare", "--user", "--map-user=1000", "--map-group=1000"]
        with self._having({**self.environment, "WLR_BACKENDS": "x11", "WLR_RENDERER": "pixman"}):
            self._spawn(*other, "sway", "-c", configuration)
        socket = until(lambda: list(self.runtime.glob("sway-ipc*")), seconds=30)[0]
        self.environment["SWAYSOCK"] = self.outside["SWAYSOCK"] = str(socket)

    def press(self, x, y):
        super().press(x, y)
        # A row under the pointer has another colour.
        self._rest()

    def windows(self, title):
        told = self._run("swaymsg", "-r", "-t", "get_tree").stdout
        waiting, found = [json.loads(told)], []
        while waiting:
            node = waiting.pop()
            waiting += node["nodes"] + node["floating_nodes"]
            if node.get("pid") and re.search(title, node["name"] or ""):
                found.append(str(node["id"]))
        return found


class Weston(WaylandDesktop):
    """The reference compositor: it has no layers, and does not say which windows there are.

    Weston 10 ends where the pointer moves on at once after a press that closes a window, so there the pointer stays.
    """

    compositor = "weston"
    seen = None

    def _begin_compositor(self):
        configuration = self.folder / "weston.ini"
        configuration.write_text(
            "[shell]\nbackground-color=0xffffffff\npanel-position=none\nlocking=false\nanimation=none\nstartup-animation=none\n"
            "[core]\nidle-time=0\n")
        self._spawn(
            "weston", "--backend=x11-backend.so", "--use-pixman", "--width=1280", "--height=900", f"--config={configuration}",
            "--socket=wayland-9")

    def wait_for_window(self, title="^Latchkey$"):
        """One that is as large as a list, and has not been waited for."""
        def other():
            large = [box for box in self.boxes() if box[3] >= 250]
            if not large:
                return False
            picture = (self.folder / "screen" / "Xvfb_screen0").read_bytes()
            return picture if picture != self.seen else False

        self.seen = until(other, seconds=20)

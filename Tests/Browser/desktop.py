# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""A desktop of a test's own: a display with a window manager, a session bus with a notification daemon, a mouse and a keyboard.

And Chromium on it, with its windows and its focus as a user has them.
"""

import ctypes
import json
import os
import re
import shutil
import signal
import subprocess
from contextlib import suppress
from pathlib import Path

from PIL import ImageGrab
from playwright.sync_api import BrowserContext, Page, Playwright

from browser import COUNTS, PATIENCE, eventually, look_until_found
from chromium import IDENTIFIER, PROGRAM, Chromium, Popup

DAEMON = "/usr/lib/notification-daemon/notification-daemon"
#: A bus that starts no programs by itself.
BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>%s</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>"""
WIDTH, HEIGHT = 1280, 900
#: Where the browser's window is.
LEFT, TOP, RIGHT, BOTTOM = 30, 20, 850, 720


#: Taken here, since nothing should be looked up between fork and exec.
PRCTL = ctypes.CDLL(None).prctl


def end_with_parent() -> None:
    PRCTL(1, signal.SIGKILL)


def missing(*programs: str) -> list[str]:
    """Those programs that are not installed."""
    return [program for program in ("Xvfb", "xdotool", "xprop", "dbus-daemon", "dbus-monitor", *programs) if not shutil.which(program)]


def until(look, what: str):
    return look_until_found(look, what)


class Desktop:
    """Everything that it starts has an environment of its own, and is ended by its process number."""

    def __init__(self, folder: Path, environment: dict, manager: str, notifications: bool = True):
        self.folder, self.processes = folder, []
        self.environment = {**environment, "GSETTINGS_BACKEND": "memory", "NO_AT_BRIDGE": "1"}
        try:
            self._start_display()
            self._start_bus()
            self.start(manager)
            until(lambda: "window id" in self._root("_NET_SUPPORTING_WM_CHECK"), manager)
            if notifications:
                self.start("dbus-monitor", "interface='org.freedesktop.Notifications'", "interface='org.freedesktop.DBus',member='NameAcquired'")
                # It writes of itself first.
                until(lambda: "NameAcquired" in self._monitored(), "dbus-monitor")
                self.start(DAEMON)
                until(lambda: "org.freedesktop.Notifications" in self._monitored(), "the notification daemon")
        except BaseException:
            self.end()
            raise

    def _start_display(self) -> None:
        reading, writing = os.pipe()
        self.start("Xvfb", "-displayfd", str(writing), "-screen", "0", f"{WIDTH}x{HEIGHT}x24", "-nolisten", "tcp", "-noreset", pass_fds=[writing])
        os.close(writing)
        with open(reading) as number:
            self.environment["DISPLAY"] = ":" + number.readline().strip()

    def _start_bus(self) -> None:
        # The daemon looks for the bus here when its environment names none.
        path = self.folder / "run" / "bus"
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = f"unix:path={path}"
        settings = self.folder / "session-bus.conf"
        settings.write_text(BUS % self.environment["DBUS_SESSION_BUS_ADDRESS"])
        self.start("dbus-daemon", f"--config-file={settings}", "--nofork", "--nopidfile")
        until(path.exists, "the session bus")

    def start(self, program: str, *arguments: str, **more) -> subprocess.Popen:
        with open(self.folder / f"{Path(program).name}.log", "wb") as log:
            process = subprocess.Popen([program, *arguments], env=self.environment, stdin=subprocess.DEVNULL, stdout=log,
                                       stderr=log, start_new_session=True, preexec_fn=end_with_parent, **more)
        self.processes.append(process)
        return process

    def end(self) -> None:
        for process in reversed(self.processes):
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.processes.clear()

    # -- Windows --

    def xprop(self, name: str) -> str:
        """The text of a property of the root window; empty where it has none."""
        return next(iter(re.findall(r'= "(.*)"', self._root(name))), "")

    def _root(self, name: str) -> str:
        return subprocess.run(["xprop", "-root", name], env=self.environment, capture_output=True, text=True).stdout

    def xdotool(self, *arguments) -> str:
        done = subprocess.run(["xdotool", *map(str, arguments)], env=self.environment, capture_output=True, text=True, timeout=PATIENCE)
        return done.stdout.strip()

    def active(self) -> str:
        """The title of the window manager's active window."""
        return self.xdotool("getactivewindow", "getwindowname")

    def topmost(self) -> str:
        """The title of the window that lies over all others that the window manager has."""
        return self.xdotool("getwindowname", self.stacked()[-1])

    def stacked(self) -> list[str]:
        """The windows that the window manager has, the topmost one last."""
        return [window.strip() for window in self._root("_NET_CLIENT_LIST_STACKING").partition("#")[2].split(",")]

    # -- Mouse and keyboard --

    def point(self, x: float, y: float) -> None:
        self.xdotool("mousemove", round(x), round(y))

    def click(self, x: float, y: float) -> None:
        """Once, as a hand does: the pointer goes there first."""
        self.point(x - 4, y)
        self.point(x, y)
        self.xdotool("click", 1)

    def type(self, text: str) -> None:
        self.xdotool("type", "--delay", 8, text)

    def press(self, *keys: str) -> None:
        self.xdotool("key", *keys)

    # -- Notifications --

    def _monitored(self) -> str:
        return (self.folder / "dbus-monitor.log").read_text(errors="replace")

    def notified(self) -> list[list[str]]:
        """All text of each notification that any program has sent to the daemon."""
        calls = self._monitored().split("member=Notify\n")[1:]
        return [re.findall(r'string "(.*)"\n', re.split(r"\n(?=signal|method|error)", call)[0]) for call in calls]

    def press_first_button(self) -> None:
        """Clicks the first button of the notification that is shown, where the daemon has drawn it."""
        shown = until(lambda: self.xdotool("search", "--onlyvisible", "--name", "^Notification$").split(), "the notification")[-1]
        place = dict(line.split("=") for line in self.xdotool("getwindowgeometry", "--shell", shown).splitlines())
        left, top, width, height = (int(place[name]) for name in ("X", "Y", "WIDTH", "HEIGHT"))
        self.click(*until(lambda: self._button(left, top, width, height), "the button of the notification"))

    def _button(self, left: int, top: int, width: int, height: int) -> tuple[float, float] | None:
        """Where the first words of the last line of a window are."""
        picture = self.picture().crop((left, top, left + width, top + height))
        dark = [(x, y) for x in range(width // 5, width - 20) for y in range(20, height - 12) if sum(picture.getpixel((x, y))) < 300]
        if not dark:
            return None
        bottom = max(y for _, y in dark)
        columns = sorted({x for x, y in dark if y > bottom - 14})
        last = next((one for one, other in zip(columns, columns[1:]) if other - one > 12), columns[-1])
        return left + (columns[0] + last) / 2, top + bottom - 5

    def picture(self):
        """What is on the screen, in red, green and blue."""
        return ImageGrab.grab(xdisplay=self.environment["DISPLAY"]).convert("RGB")


class DesktopChromium(Chromium):
    """Chromium with windows on a desktop. A page has the focus when its window has it, and not because it is driven."""

    def __init__(self, desktop: Desktop, playwright: Playwright, profile: Path, latchkey, arguments: list[str], extension: Path):
        self.desktop = desktop
        preferences = profile / "Default" / "Preferences"
        preferences.parent.mkdir(parents=True)
        preferences.write_text(json.dumps({
            "browser": {"window_placement": {
                "left": LEFT, "top": TOP, "right": RIGHT, "bottom": BOTTOM, "maximized": False,
                "work_area_left": 0, "work_area_top": 0, "work_area_right": WIDTH, "work_area_bottom": HEIGHT}},
            # What “Turn Off the Browser's Password Manager…” in the settings of Latchkey does: its list of what was typed before takes keys and clicks.
            "credentials_enable_service": False, "autofill": {"profile_enabled": False}, "extensions": {"pinned_extensions": [IDENTIFIER]}}))
        super().__init__(playwright, profile, latchkey.host, desktop.environment, arguments, extension=extension)
        self.serve(latchkey.command, latchkey.environment)
        self.listen()

    def launch(self, playwright: Playwright, environment: dict, switches: list[str]) -> BrowserContext:
        self.process = self.desktop.start(
            PROGRAM, f"--user-data-dir={self.profile}", "--remote-debugging-port=0", "--no-sandbox", "--test-type", "--password-store=basic",
            "--no-default-browser-check", *switches, "about:blank")
        told = self.profile / "DevToolsActivePort"
        port = until(lambda: told.exists() and told.read_text().partition("\n")[::2][1] and told.read_text().split()[0], "Chromium")
        self.browser = playwright.chromium.connect_over_cdp(f"http://127.0.0.1:{port}", no_defaults=True, is_local=True)
        return self.browser.contexts[0]

    def close(self) -> None:
        """The desktop ends its process."""
        with suppress(Exception):
            self.browser.close()

    # -- Places on the screen --

    def origin(self, shown) -> tuple[float, float]:
        """Where on the screen the upper left corner of what a window shows is, as the mouse in it tells; so that window is not covered there."""
        def look():
            left, top, width, height = shown.evaluate("[screenX, screenY, outerWidth, outerHeight]")
            for x in (3, 4):
                self.desktop.point(left + width * x / 6, top + height * 3 / 4)
            return shown.evaluate("globalThis.corner")

        # A move of before may come at any time.
        shown.evaluate("globalThis.corner = null, addEventListener('mousemove', (e) => { globalThis.corner = [e.screenX - e.clientX, e.screenY - e.clientY]; }, { capture: true, once: true })")
        return eventually(self.page, look, "the pointer in the window")

    def place(self, shown, selector: str) -> tuple[float, float]:
        """Where on the screen the middle of an element is."""
        left, top = self.origin(shown)
        x, y = eventually(self.page, lambda: shown.evaluate(
            "(() => { const box = document.querySelector(%s)?.getBoundingClientRect(); return box?.width ? [box.x + box.width / 2, box.y + box.height / 2] : null })()"
            % json.dumps(selector)), selector)
        return left + x, top + y

    def hit(self, shown, selector: str) -> None:
        """Clicks an element with the mouse of the desktop, once; in a window of the extension once it counts."""
        eventually(self.page, lambda: shown.evaluate(f"location.protocol !== 'chrome-extension:' || document.querySelector('{COUNTS}') !== null"), "a window that counts")
        self.desktop.click(*self.place(shown, selector))

    def hit_bar(self, page: Page, selector: str) -> None:
        """Clicks something of the bar once it counts."""
        bar = self.bar(page)
        bar.wait(selector)
        left, top = self.origin(page)
        bar.arm()
        x, y = eventually(page, lambda: (frames := bar.frames()) and bar._place(frames[-1], selector), selector)
        self.desktop.click(left + x, top + y)

    def hit_toolbar(self, page: Page) -> Popup:
        """Clicks the button of the toolbar, and returns the popup that it opens."""
        left, top = self.origin(page)
        self.desktop.click(*until(lambda: self._button(int(left), int(top)), "the button of the toolbar"))
        return Popup(self, eventually(self.page, lambda: self.targets("/popup.html"), "the popup")[0])

    def _button(self, left: int, top: int) -> tuple[float, float] | None:
        """Where the blue of Latchkey's icon is in the toolbar: the first that is there, since others follow it."""
        picture, blue = self.desktop.picture(), []
        for x in range(left + 400, RIGHT):
            column = [y for y in range(top - 40, top) if is_blue(*picture.getpixel((x, y)))]
            if blue and not column and x - blue[-1][0] > 10:
                break
            blue += [(x, y) for y in column]
        return (blue[0][0] + 5, min(y for _, y in blue) + 3) if len(blue) > 20 else None


def is_blue(red: int, green: int, blue: int) -> bool:
    return red < 70 and 70 < green < 140 and blue > 190

# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""What fills native programs: its cost while nothing happens, and the time from a focus to the panel and from a press to the fill.

The user is the test's own connection to the X server, because a program started for each key would be part of the figures.
"""

import contextlib
import ctypes
import os
import pathlib
import sys
import tempfile
import time

#: First, because the tests of browsers have another module of this name.
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Tests" / "Desktop"))

from desktop import ROW, Desktop, Form, built  # noqa: E402
from figures import Aim, milliseconds  # noqa: E402
from installation import BINARIES, PASSPHRASE, Installation, until  # noqa: E402
from memory import note, resident  # noqa: E402
from sealed_home import SealedHome  # noqa: E402
from test_native_forms import FILLED, bind  # noqa: E402

MAP_NOTIFY = 19
SUBSTRUCTURE = 1 << 19


class Display:
    """Presses the pointer and keys, and waits for windows."""

    def __init__(self, name):
        self.x = ctypes.CDLL("libX11.so.6")
        self.test = ctypes.CDLL("libXtst.so.6")
        self.x.XOpenDisplay.restype = ctypes.c_void_p
        self.x.XDefaultRootWindow.restype = ctypes.c_ulong
        self.display = ctypes.c_void_p(self.x.XOpenDisplay(name.encode()))
        if not self.display:
            raise RuntimeError(f"there is no display {name}")
        self.x.XSelectInput(self.display, ctypes.c_ulong(self.x.XDefaultRootWindow(self.display)), ctypes.c_long(SUBSTRUCTURE))
        self.x.XSync(self.display, 0)

    def forget(self):
        """Lets the events go that have come so far."""
        self.x.XSync(self.display, 1)

    def wait_for(self, kind, seconds=10):
        """Waits for an event of a kind."""
        event = (ctypes.c_long * 24)()
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            while self.x.XPending(self.display):
                self.x.XNextEvent(self.display, ctypes.byref(event))
                if event[0] & 0xffffffff == kind:
                    return
            time.sleep(0.0002)
        raise RuntimeError("a window did not come, or did not go")

    def press(self, x, y):
        self.test.XTestFakeMotionEvent(self.display, -1, int(x), int(y), 0)
        self.test.XTestFakeButtonEvent(self.display, 1, 1, 0)
        self.test.XTestFakeButtonEvent(self.display, 1, 0, 0)
        self.x.XFlush(self.display)

    def type(self, keycode):
        self.test.XTestFakeKeyEvent(self.display, keycode, 1, 0)
        self.test.XTestFakeKeyEvent(self.display, keycode, 0, 0)
        self.x.XFlush(self.display)


def wakeups(process):
    """How often the threads of a process have waited for something."""
    count = 0
    for task in pathlib.Path(f"/proc/{process}/task").iterdir():
        for line in (task / "status").read_text().splitlines():
            if line.startswith("voluntary_ctxt_switches"):
                count += int(line.split()[1])
    return count


def processor_time(*processes):
    """Seconds that processes have had so far."""
    ticks = 0
    for process in processes:
        with contextlib.suppress(FileNotFoundError):
            fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def filled(form, start):
    """Waits until a form is filled; returns the milliseconds since a time."""
    while time.perf_counter() - start < 20:
        if form.fields == FILLED:
            return milliseconds(start)
        time.sleep(0.0002)
    raise RuntimeError("the form was not filled")


def measure(table, focuses, taps, idle_seconds, keys):
    if not (BINARIES / "latchkey-desktop").exists():
        return ["There is no latchkey-desktop here: native programs could not be measured."]
    table.section("Native programs (latchkey-desktop on X11, a form on GTK 3)")
    home, Installation.home = Installation.home, SealedHome(Installation, PASSPHRASE)
    try:
        with tempfile.TemporaryDirectory() as folder:
            program = built("form_gtk3.c", pathlib.Path(folder), ["gtk+-3.0"])
            (pathlib.Path(folder) / "desktop").mkdir()
            with Desktop(pathlib.Path(folder) / "desktop") as desktop:
                without = typing(desktop, keys)
                desktop.add()
                # Nothing may lock or ask while it is measured.
                desktop.client.prefer(idleMinutes=0, authenticationMinutes=60)
                desktop.fill_native_programs()
                measure_cost(table, desktop, idle_seconds, keys, without)
                measure_times(table, desktop, program, focuses, taps)
    finally:
        Installation.home.close()
        Installation.home = home


def typing(desktop, keys):
    """Seconds of processor time that an editor on GTK 3 takes for a text, with what the display's buses take."""
    editor = desktop._spawn("zenity", "--text-info", "--editable", "--title=Editor")
    until(lambda: desktop.windows("^Editor$"), seconds=20)
    window, = desktop.windows("^Editor$")
    desktop.x("windowfocus", "--sync", window)
    display = Display(desktop.display)
    others = [process.pid for process in desktop.processes]
    before = processor_time(*others)
    for number in range(keys):
        # The letters of a keyboard's middle row.
        display.type(38 + number % 9)
        time.sleep(0.01)
    spent = processor_time(*others) - before
    editor.kill()
    editor.wait()
    return spent


def measure_cost(table, desktop, seconds, keys, without):
    agent = desktop.agent.pid
    # Until it has joined the buses and is quiet.
    time.sleep(3)
    before = wakeups(agent)
    time.sleep(seconds)
    table.add("wake-ups a second while nothing happens", (wakeups(agent) - before) / seconds, unit="/s", aim=Aim(0))
    fields = resident(agent)
    table.add("resident memory (VmRSS)", fields["VmRSS"], unit="MB", aim=Aim(60), note=note(fields))
    before = processor_time(agent)
    with_it = typing(desktop, keys)
    own = processor_time(agent) - before
    table.add(
        "more processor time for typing in an editor", 100 * own / max(without, 0.01), unit="%", aim=Aim(1),
        note=f"{keys:,} keys: {without:.2f} s without it, {with_it:.2f} s with it, of which its own are {own:.2f} s")


def measure_times(table, desktop, program, focuses, taps):
    form = Form(desktop, program)
    bind(desktop, form)
    display = Display(desktop.display)
    samples = []
    for _ in range(focuses):
        form.tell("focus-other")
        until(lambda: desktop.panel() is None, seconds=20)
        display.forget()
        start = time.perf_counter()
        form.tell("focus-user")
        display.wait_for(MAP_NOTIFY)
        samples.append(milliseconds(start))
    table.add("focus to panel", samples, aim=Aim(80))
    samples = []
    for _ in range(taps):
        form.tell("clear")
        form.tell("focus-other")
        until(lambda: desktop.panel() is None, seconds=20)
        form.tell("focus-user")
        desktop.wait_for_panel()
        x, y, width, _ = desktop.panel()
        start = time.perf_counter()
        display.press(x + width // 3, y + ROW)
        samples.append(filled(form, start))
    table.add("press to fill", samples, aim=Aim(50))
    form.end()

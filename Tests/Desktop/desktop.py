# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""A desktop of its own for a test: an X server, a window manager, buses, the daemon, and what fills native programs."""

import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

from installation import BINARIES, Installation, until
from test_git import PINENTRIES

TREE = pathlib.Path(__file__).parent / "tree.py"
PROGRAMS = pathlib.Path(__file__).parent / "programs"
#: The panel's size, and where its rows are in it.
ROW = 17
#: A press that comes sooner after the panel has appeared does nothing.
ARMING = 0.6


class Desktop:
    #: What else the X server is started with.
    server_options = []

    def __init__(self, folder, prepare=lambda installation: None):
        """`prepare` is called with the installation before its daemon starts."""
        self.folder, self.prepare = folder, prepare
        self.processes = []
        programs = folder / "programs"
        programs.mkdir()
        for name in PINENTRIES:
            (programs / name).write_text(PINENTRY.format(python=sys.executable, folder=str(programs)))
            (programs / name).chmod(0o755)
        self.programs = programs
        self.answer()
        (programs / "asked").touch()

    def __enter__(self):
        self.display = self._server()
        self.installation = Installation({"DISPLAY": self.display, "PATH": f"{self.programs}:{os.environ['PATH']}"})
        self.environment = {
            **self.installation.environment, "XAUTHORITY": "/dev/null", "NO_AT_BRIDGE": "0", "GDK_BACKEND": "x11",
            "QT_QPA_PLATFORM": "xcb", "GSETTINGS_BACKEND": "memory",
        }
        del self.environment["NO_AT_BRIDGE"]
        self._begin_session()
        self.prepare(self.installation)
        self.installation.start()
        self.client = self.installation.unlocked()
        return self

    def _begin_session(self):
        """The buses of the session, and what places its windows."""
        self._begin_buses()
        self._spawn("openbox", "--sm-disable")
        until(lambda: "window id" in self._run("xprop", "-root", "_NET_SUPPORTING_WM_CHECK").stdout)

    def _begin_buses(self):
        (self.folder / "bus.conf").write_text(BUS.format(folder=self.installation.folder))
        bus = self._spawn(
            "dbus-daemon", f"--config-file={self.folder / 'bus.conf'}", "--nofork", "--nopidfile", "--print-address=1",
            stdout=subprocess.PIPE, text=True)
        address = bus.stdout.readline().strip()
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = address
        self._spawn("/usr/libexec/at-spi-bus-launcher", "--launch-immediately")

    def __exit__(self, *_):
        # With what each has started itself: the launcher of the accessibility bus leaves the bus behind.
        for process in reversed(self.processes):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        self.installation.remove()

    def _server(self):
        ready, theirs = os.pipe()
        self.environment = dict(os.environ)
        server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(theirs), "-screen", "0", "1280x900x24", "-nolisten", "tcp", "-noreset",
             *self.server_options],
            pass_fds=[theirs], start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.processes.append(server)
        os.close(theirs)
        number = b""
        while not number.endswith(b"\n"):
            part = os.read(ready, 16)
            assert part, "the X server did not start"
            number += part
        os.close(ready)
        return ":" + number.decode().strip()

    def _spawn(self, *command, **options):
        errors = open(self.folder / f"{pathlib.Path(command[0]).name}.log", "ab")
        process = subprocess.Popen(
            [str(part) for part in command], env=self.environment, stderr=errors, start_new_session=True,
            **{"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, **options})
        self.processes.append(process)
        return process

    def _run(self, *command):
        return subprocess.run(
            [str(part) for part in command], env=self.environment, capture_output=True, text=True, timeout=60)

    # -- What fills --

    def fill_native_programs(self, binary=None):
        """Starts what finds the fields, and waits until it listens."""
        self.agent = self.spawn_agent(binary)
        # It registers for the focus last.
        until(lambda: "object:state-changed:focused" in self._registered() or self.agent.poll() is not None)
        assert self.agent.poll() is None, (self.folder / "latchkey-desktop.log").read_text()
        return self.agent

    def spawn_agent(self, binary=None):
        return self._spawn(binary or BINARIES / "latchkey-desktop", "--verbose")

    def _registered(self):
        address = self._run(
            "gdbus", "call", "--session", "--dest", "org.a11y.Bus", "--object-path", "/org/a11y/bus", "--method",
            "org.a11y.Bus.GetAddress").stdout
        found = re.search(r"'(unix:[^']+)'", address)
        if not found:
            return ""
        return self._run(
            "gdbus", "call", "--address", found[1], "--dest", "org.a11y.atspi.Registry", "--object-path",
            "/org/a11y/atspi/registry", "--method", "org.a11y.atspi.Registry.GetRegisteredEvents").stdout.replace(
                "Object:StateChanged:Focused", "object:state-changed:focused").replace(
                    "Object:StateChanged:focused", "object:state-changed:focused")

    # -- The user --

    def answer(self, *answers):
        """What the pinentry is answered, in the order of its questions."""
        (self.programs / "answers").write_text("\n".join(answers))

    def asked(self):
        return [json.loads(line) for line in (self.programs / "asked").read_text().splitlines()]

    def until_asked(self, count=1):
        until(lambda: len([line for line in self.asked() if line in ("GETPIN", "CONFIRM")]) >= count, seconds=20)

    def let_go(self):
        (self.programs / "go").touch()

    def said(self):
        """What the program that fills says of the forms in which it offers nothing."""
        return (self.folder / "latchkey-desktop.log").read_text()

    def x(self, *arguments):
        done = self._run("xdotool", *arguments)
        return done.stdout.strip() if done.returncode == 0 else None

    def windows(self, title):
        return (self.x("search", "--onlyvisible", "--name", title) or "").split()

    def panel(self):
        """(x, y, width, height) of the panel, or nothing."""
        found = self._shown_panel()
        return found and found[1]

    def _shown_panel(self):
        """What tells this panel from one in its place, and where it is; or nothing."""
        for window in self.windows("^Latchkey$"):
            values = dict(line.split("=") for line in (self.x("getwindowgeometry", "--shell", window) or "").splitlines())
            if values and int(values["HEIGHT"]) < 300:
                return window, tuple(int(values[name]) for name in ("X", "Y", "WIDTH", "HEIGHT"))
        return None

    def wait_for_panel(self):
        try:
            until(self.panel, seconds=20)
        except AssertionError:
            titles = [self.x("getwindowname", window) for window in self.windows(".")]
            raise AssertionError(f"no panel; windows: {titles}; said: {self.said()[-800:]!r}") from None
        time.sleep(ARMING)
        return self.shown_panel()

    def press(self, x, y):
        self.x("mousemove", str(x), str(y), "click", "1")

    def shown_panel(self):
        """Where the panel is; one that is shown anew on a busy machine is away for a moment."""
        try:
            until(self.panel, seconds=20)
        except AssertionError:
            titles = [(self.x("getwindowname", window), self.x("getwindowgeometry", window)) for window in self.windows(".")]
            raise AssertionError(f"no panel; windows: {titles}; said: {self.said()[-800:]!r}; log {self.log()[:5]}") from None
        return self.panel()

    def press_row(self, number):
        self._press_on_panel(lambda height: ROW + 34 * number)

    def press_all(self):
        self._press_on_panel(lambda height: height - ROW)

    def _press_on_panel(self, down):
        """A panel that was shown anew on a busy machine takes no press at first, as one that was meant for what was there before.

        What comes of a press may stand in a panel of its own before anybody has looked: then the press was taken.
        """
        for _ in range(3):
            self.shown_panel()
            found = self._shown_panel()
            if found is None:
                continue
            window, (x, y, width, height) = found
            self.press(x + width // 3, y + down(height))
            end = time.monotonic() + 1.5
            while time.monotonic() < end:
                now = self._shown_panel()
                if now is None or now[0] != window:
                    return
                time.sleep(0.05)

    def wait_for_window(self, title="^Latchkey$"):
        until(lambda: self.windows(title), seconds=20)

    def texts(self):
        """The names of everything that programs describe on the accessibility bus."""
        lines = self._run("/usr/bin/python3", TREE).stdout.splitlines()
        return [json.loads(line)["name"] for line in lines]

    def key(self, *keys):
        self.x("key", *keys)

    def type(self, text):
        self.x("type", "--delay", "5", text)

    # -- Accounts --

    def add(self, user="me@example.com", password="seventeen letters", site="https://files.example.com"):
        return self.client.call(
            "items.add", items=[{"services": [site], "user": user, "password": {"secret": password}}])

    def log(self):
        """The audit log, the newest line first."""
        return self.client.call("audit.list")["lines"][::-1]


class Form:
    """A program with a form, and what stands in its fields."""

    def __init__(self, desktop, program, *arguments):
        self.desktop, self.program = desktop, program
        self.target = desktop.folder / f"{pathlib.Path(program).name}-{len(desktop.processes)}.fields"
        self.process = desktop._spawn(
            program, self.target, *arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        until(self.target.exists)

    def tell(self, word):
        self.process.stdin.write(word + "\n")
        self.process.stdin.flush()
        assert self.process.stdout.readline() == "done\n"

    def end(self):
        self.process.kill()
        self.process.wait()
        # What became of a fill stands there for a moment.
        until(lambda: self.desktop.panel() is None, seconds=20)

    @property
    def fields(self):
        """User name and password."""
        return tuple(self.target.read_text().split("\n")[:2])


def built(source, folder, libraries):
    """A program of `programs`, built with the system's compiler."""
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", *libraries], capture_output=True, text=True, check=True)
    program = folder / pathlib.Path(source).stem
    compiler = ["c++", "-std=c++17", "-fPIC"] if source.endswith(".cpp") else ["cc"]
    subprocess.run([*compiler, "-o", program, PROGRAMS / source, *flags.stdout.split()], check=True, capture_output=True)
    return program


#: A pinentry that says what the test says. At the answer "hold" it waits until the test lets it go, then takes the next one.
PINENTRY = """#!{python}
import json, os, sys, time
folder = {folder!r}
record = open(folder + "/asked", "a")
def answer():
    left = open(folder + "/answers").read().splitlines() or ["no"]
    open(folder + "/answers", "w").write("\\n".join(left[1:]))
    return left[0]
print("OK", flush=True)
for line in sys.stdin:
    word = line.split()[0]
    if word in ("SETDESC", "GETPIN", "CONFIRM"):
        print(json.dumps(line.strip()), file=record, flush=True)
    if word in ("GETPIN", "CONFIRM"):
        said = answer()
        if said == "hold":
            while not os.path.exists(folder + "/go"):
                time.sleep(0.01)
            said = answer()
        if said == "no":
            print("ERR 83886179 canceled", flush=True)
            continue
        if word == "GETPIN":
            print("D " + said, flush=True)
    print("OK", flush=True)
"""

BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:path={folder}/bus</listen>
<standard_session_servicedirs/>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy>
</busconfig>"""

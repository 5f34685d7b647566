# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Family S29: a copied password stays out of clipboard histories and goes away again, whatever else happens to the clipboard."""

import os
import pathlib
import shutil
import signal
import subprocess
import sys

import pytest

from installation import BrowserClient, WireFailure, secret, until

CANARY = "canary clip 7f3a"


class Wayland:
    """A stand-in for wl-copy and wl-paste whose clipboard is a file; it writes every command line down."""

    def __init__(self, installation, marks):
        self.installation = installation
        self.clip = installation.folder / "clip"
        self.log = installation.folder / "log"
        self.log.touch()
        self.holder = installation.folder / "holder"
        tools = installation.folder / "tools"
        tools.mkdir()
        (tools / "wl-copy").write_text(
            "#!/bin/sh\n"
            f'[ "$1" = --help ] && {{ echo {"--sensitive" if marks else ""}; exit 0; }}\n'
            f'echo "$@" >> {self.log}\n'
            f'echo $PPID > {self.holder}\n'
            f'if [ "$1" = --clear ]; then rm -f {self.clip}; else cat > {self.clip}; fi\n'
        )
        (tools / "wl-paste").write_text(f"#!/bin/sh\n[ -f {self.clip} ] && exec cat {self.clip}\nexit 1\n")
        for tool in tools.iterdir():
            tool.chmod(0o700)
        installation.environment.update(PATH=f"{tools}:{os.environ['PATH']}", WAYLAND_DISPLAY="wayland-test")

    def copy(self, *options, check=True):
        return self.installation.latchkey("show", "shiny.example.com", "--copy", *options, check=check)

    def until_let_go(self):
        """Waits until the process that holds the password has done what it was to do."""
        until(lambda: (number := self.holder.read_text()) and is_over(int(number)))


def is_over(process):
    """Whether a process has ended; nobody may have asked for its status."""
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


@pytest.fixture
def saved(running):
    client = running.unlocked()
    client.call("items.add", items=[{"services": ["shiny.example.com"], "user": "rmondello", "password": secret(CANARY)}])
    return running


def releases(installation):
    lines = installation.client().call("audit.list", since=None, service=None, cursor=None)["lines"]
    return [line for line in lines if line["event"] == "released"]


def test_S29_the_password_is_marked_and_no_argument(saved):
    wayland = Wayland(saved, marks=True)
    done = wayland.copy("--clear-after", 1)
    assert wayland.clip.read_text() == CANARY
    assert wayland.log.read_text().startswith("--sensitive ")
    assert CANARY not in wayland.log.read_text()
    assert CANARY.encode() not in done.stdout + done.stderr


def test_S29_the_password_is_cleared_in_time(saved):
    wayland = Wayland(saved, marks=True)
    wayland.copy("--clear-after", 1)
    assert wayland.clip.exists()
    wayland.until_let_go()
    assert not wayland.clip.exists()


def test_S29_what_was_copied_since_is_left_alone(saved):
    wayland = Wayland(saved, marks=True)
    wayland.copy("--clear-after", 1)
    wayland.clip.write_text("something else")
    wayland.until_let_go()
    assert wayland.clip.read_text() == "something else"


def test_S29_a_clipboard_that_cannot_be_marked_gets_nothing(saved):
    wayland = Wayland(saved, marks=False)
    refused = wayland.copy(check=False)
    assert refused.returncode == 6
    assert not wayland.clip.exists()
    assert releases(saved) == []
    wayland.copy("--unmarked", "--clear-after", 1)
    assert wayland.clip.read_text() == CANARY


@pytest.fixture
def popup(installation):
    """A browser on a display that the daemon was started without, and what is on its clipboard."""
    wayland = Wayland(installation, marks=True)
    display = installation.environment.pop("WAYLAND_DISPLAY")
    client = installation.start().unlocked()
    client.call("items.add", items=[
        {"services": ["shiny.example.com"], "user": "rmondello", "password": secret(CANARY),
         "authenticator": secret("otpauth://totp/x?secret=MNQW4YLSPE")},
        {"title": "Door of the cellar", "services": [], "user": "", "password": secret("4711")},
    ])
    installation.environment["WAYLAND_DISPLAY"] = display
    browser = BrowserClient(installation)
    browser.wayland = wayland
    yield browser
    browser.close()
    if wayland.holder.exists() and not is_over(process := int(wayland.holder.read_text())):
        os.kill(process, signal.SIGTERM)
        wayland.until_let_go()


def found(browser, search):
    return browser.call("renderer.find", search=search)["accounts"]


@pytest.mark.main
def test_S29_the_popup_copies_and_the_browser_gets_nothing(popup):
    account = found(popup, "rmond")[0]
    assert (account["title"], account["url"]) == ("shiny.example.com", "https://shiny.example.com")
    assert account["copies"] == ["user", "password", "code"]
    answer = popup.call("renderer.copy", handle=account["handle"], what="password")
    assert answer == {"seconds": 45}
    assert popup.wayland.clip.read_text() == CANARY
    assert popup.wayland.log.read_text().startswith("--sensitive ")
    lines = releases(popup.wayland.installation)
    assert [(line["act"], line["purpose"], line["user"]) for line in lines] == [("popup", "copy", "rmondello")]
    with pytest.raises(WireFailure) as refused:
        popup.call("renderer.copy", handle=account["handle"], what="password")
    assert refused.value.code == 5


def test_S29_the_popup_copies_codes_and_what_is_for_no_site(popup):
    popup.call("renderer.copy", handle=found(popup, "shiny")[0]["handle"], what="code")
    assert len(popup.wayland.clip.read_text()) == 6
    [door] = found(popup, "cellar")
    assert door["copies"] == ["password"] and "url" not in door

    def is_copied():
        try:
            return popup.call("renderer.copy", handle=door["handle"], what="password")
        except WireFailure as early:
            assert early.code == 5

    until(is_copied)
    assert popup.wayland.clip.read_text() == "4711"
    assert [line["purpose"] for line in releases(popup.wayland.installation)] == ["copy, a code", "copy"]


@pytest.fixture
def display(tmp_path):
    if not (shutil.which("Xvfb") and shutil.which("xclip")):
        pytest.skip("needs Xvfb and xclip")
    reading, writing = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", "320x240x24", "-nolisten", "tcp"],
        pass_fds=[writing],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    with os.fdopen(reading) as numbers:
        number = numbers.readline().strip()
    assert number
    yield f":{number}"
    # Asked rather than killed, so that it takes its lock and socket away.
    server.terminate()
    server.wait(10)


@pytest.fixture
def sway(saved):
    """A Wayland compositor without a screen, with wl-clipboard as the program that pastes."""
    if not all(map(shutil.which, ("sway", "wl-copy", "wl-paste"))):
        pytest.skip("needs sway and wl-clipboard; `scripts/install-dependencies all` installs them")
    runtime = pathlib.Path(saved.environment["XDG_RUNTIME_DIR"])
    configuration = runtime / "sway.conf"
    configuration.write_text("xwayland disable\n")
    # It does not run as root.
    other = [] if os.getuid() else ["unshare", "--user", "--map-user=1000", "--map-group=1000"]
    compositor = subprocess.Popen(
        [*other, "sway", "-c", configuration],
        env={**saved.environment, "WLR_BACKENDS": "headless", "WLR_RENDERER": "pixman"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    name = until(lambda: [path.name for path in runtime.glob("wayland-*") if path.is_socket()])[0]
    saved.environment.update(WAYLAND_DISPLAY=name)
    yield saved
    compositor.terminate()
    compositor.wait(10)


def holder(seconds):
    """The process that holds a password on the clipboard for so many seconds, which no other test gives."""
    wanted = b"clipboard-holder\0--clear-after\0%d\0" % seconds
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if wanted in path.read_bytes():
                return int(path.parent.name)
        except OSError:
            continue
    return None


def test_S29_on_wayland_a_second_copy_of_the_same_password_has_a_time_of_its_own(sway):
    def paste():
        return subprocess.run(["wl-paste", "--no-newline"], env=sway.environment, capture_output=True, timeout=10)

    copy = ("show", "shiny.example.com", "--copy", "--unmarked", "--clear-after")
    sway.latchkey(*copy, 2)
    sway.latchkey(*copy, 3563)
    until(lambda: holder(2) is None)
    assert paste().stdout.decode() == CANARY
    os.kill(holder(3563), signal.SIGTERM)
    until(lambda: paste().returncode != 0)


def xclip(display, *arguments):
    return subprocess.run(
        ["xclip", "-selection", "clipboard", "-out", *arguments],
        env={"DISPLAY": display, "PATH": os.environ["PATH"]},
        capture_output=True,
        timeout=10,
    )


def test_S29_on_x11_the_hint_is_offered_and_the_password_goes_away(saved, display):
    saved.environment.update(DISPLAY=display)
    saved.latchkey("show", "shiny.example.com", "--copy", "--clear-after", 3)
    assert xclip(display).stdout.decode() == CANARY
    assert b"x-kde-passwordManagerHint" in xclip(display, "-target", "TARGETS").stdout.split()
    assert xclip(display, "-target", "x-kde-passwordManagerHint").stdout == b"secret"
    until(lambda: xclip(display).returncode != 0)


def test_S29_on_x11_a_second_copy_of_the_same_password_takes_over(saved, display):
    saved.environment.update(DISPLAY=display)
    copy = ("show", "shiny.example.com", "--copy", "--clear-after")
    saved.latchkey(*copy, 3557)
    saved.latchkey(*copy, 3567)
    until(lambda: holder(3557) is None)
    assert xclip(display).stdout.decode() == CANARY
    os.kill(holder(3567), signal.SIGTERM)
    until(lambda: xclip(display).returncode != 0)


#: A program that asks for the clipboard and is gone before the answer, again and again.
FLEETING = """
import ctypes, sys
x = ctypes.CDLL("libX11.so.6")
x.XOpenDisplay.restype = ctypes.c_void_p
for name in ("XInternAtom", "XCreateSimpleWindow", "XDefaultRootWindow"):
    getattr(x, name).restype = ctypes.c_ulong
display = ctypes.c_void_p(x.XOpenDisplay(sys.argv[1].encode()))
clipboard, text = (ctypes.c_ulong(x.XInternAtom(display, name, 0)) for name in (b"CLIPBOARD", b"UTF8_STRING"))
root = ctypes.c_ulong(x.XDefaultRootWindow(display))
for _ in range(300):
    window = ctypes.c_ulong(x.XCreateSimpleWindow(display, root, 0, 0, 1, 1, 0, ctypes.c_ulong(0), ctypes.c_ulong(0)))
    x.XConvertSelection(display, clipboard, text, text, window, ctypes.c_ulong(0))
    x.XDestroyWindow(display, window)
x.XSync(display, 0)
"""


def test_S29_programs_that_ask_and_are_gone_take_nothing_away(saved, display):
    """As an app's own window does that closes right after a copy: the server says of its answer that there is no such window."""
    saved.environment.update(DISPLAY=display)
    saved.latchkey("show", "shiny.example.com", "--copy")
    subprocess.run([sys.executable, "-c", FLEETING, display], check=True, timeout=60)
    assert xclip(display).stdout.decode() == CANARY

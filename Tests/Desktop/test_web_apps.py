# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Programs whose window is a page: filled by keys, and only where the page is the program's own."""

import contextlib
import http.server
import json
import os
import pathlib
import shutil
import string
import tempfile
import threading

import pytest

from desktop import Form
from installation import PASSPHRASE, until
from test_native_forms import choose_in_the_list
from test_programs import TREE, switch_accessibility_on

#: Where Debian has Chromium, and the files beside it that it needs.
CHROMIUM = pathlib.Path("/usr/lib/chromium/chromium")
USER = "me@example.com"
#: Everything that a keyboard has, and letters that an American one does not have.
PASSWORD = string.ascii_letters + string.digits + string.punctuation + " äöüßÄÉ€"


@pytest.fixture(scope="session")
def web_app():
    """A program of another name that draws its windows by Chromium."""
    if not CHROMIUM.exists():
        pytest.skip("there is no Chromium here; `scripts/install-dependencies test` installs it")
    # Where root alone can change it, if this is root: the daemon looks into a program of others for interpreters, too.
    folder = pathlib.Path(tempfile.mkdtemp(prefix="latchkey-web-app-", dir="/usr/local/lib" if os.getuid() == 0 else None))
    folder.chmod(0o755)
    for file in CHROMIUM.parent.iterdir():
        if file.is_file() and file != CHROMIUM and os.access(file, os.R_OK):
            (folder / file.name).symlink_to(file)
    (folder / "locales").symlink_to(CHROMIUM.parent / "locales")
    shutil.copy(CHROMIUM, folder / "example-chat")
    yield folder / "example-chat"
    shutil.rmtree(folder)


class Page:
    """A page on this machine, which tells what stands in its fields, and what keys it got where."""

    def __init__(self, body):
        page = self
        self.body = body
        self.state = {}
        #: What the page is to do next: a script.
        self.order = ""

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.answer(page.body if self.path == "/" else page.frame)

            def do_POST(self):
                told = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                if "order" not in told:
                    page.state = told
                order, page.order = page.order, ""
                self.answer(order)

            def answer(self, text):
                data = text.encode()
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                with contextlib.suppress(BrokenPipeError):
                    self.wfile.write(data)

            def log_message(self, *_):
                pass

        self.frame = FORM
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def do(self, script):
        """Has the page carry out a script."""
        self.order = script
        until(lambda: not self.order, seconds=20)

    def end(self):
        self.process.kill()
        self.process.wait()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    @property
    def fields(self):
        return self.state.get("user"), self.state.get("password")


TELL = """<script>
const field = name => document.getElementById(name)
let told = Promise.resolve()
function tell() {
  const state = { user: field('user')?.value, password: field('password')?.value, other: field('other')?.value, at: document.activeElement?.id }
  told = told.then(() => fetch('/', { method: 'POST', body: JSON.stringify(state) })).then(answer => answer.text()).then(script => { if (script) eval(script) })
}
addEventListener('input', tell)
addEventListener('focusin', tell)
addEventListener('load', () => { tell(); setInterval(() => { fetch('/', { method: 'POST', body: '{"order":true}' })
  .then(answer => answer.text()).then(script => { if (script) eval(script) }) }, 100) })
</script>"""
FORM = """<!doctype html><meta charset="utf-8"><title>Example chat</title><h1>Sign in</h1><form onsubmit="return false">
<p><label>User name <input id="user" autofocus placeholder="Your name"></label>
<p><label>Password <input id="password" type="password" placeholder="Your password"></label>
<p><button>Sign in</button></form><p><label>Note <input id="other"></label>""" + TELL
#: At the fifth character, the page does something.
AT_THE_FIFTH = "<script>addEventListener('input', event => { if (event.target.id === 'password' && event.target.value.length === 5) { %s } })</script>"


@pytest.fixture
def opened(desktop, web_app):
    """Starts programs that show a page."""
    pages = []

    def open_page(body=FORM, program=web_app, window="app", describes=True):
        page = Page(body)
        pages.append(page)
        switches = [
            "--no-sandbox", "--test-type", "--no-first-run", "--disable-gpu", "--disable-dev-shm-usage",
            "--password-store=basic", "--disable-save-password-bubble", "--disable-component-update",
            f"--user-data-dir={desktop.folder / f'profile {len(pages)}'}",
            *(["--force-renderer-accessibility"] if describes else []),
        ]
        page.process = desktop._spawn(
            program, *switches, f"--app={page.address}" if window == "app" else page.address,
            *(["--start-fullscreen"] if window == "full screen" else []))
        until(lambda: page.state, seconds=60)
        return page

    yield open_page
    for page in pages:
        page.end()
        page.close()


def ready(desktop):
    switch_accessibility_on(desktop)
    desktop.add(password=PASSWORD)
    desktop.fill_native_programs()


def bind(desktop, page, password=PASSWORD):
    """Has the one account offered in this program from now on."""
    desktop.answer(PASSPHRASE)
    # The daemon reads the whole program first, which a busy machine takes a while for.
    until(desktop.panel, seconds=90)
    choose_in_the_list(desktop, "Tab")
    until(lambda: page.fields == (USER, password), seconds=90)
    # The last character is there before it has been looked at. After that, a focus brings the panel again.
    for _ in range(20):
        page.do("field('other').focus()")
        page.do("field('user').focus()")
        with contextlib.suppress(AssertionError):
            return until(desktop.panel, seconds=2)
    raise AssertionError("the fill does not end")


@pytest.fixture
def bound(desktop, opened):
    """A desktop on which the one account is bound to the program."""
    ready(desktop)
    page = opened()
    bind(desktop, page)
    page.end()
    until(lambda: desktop.panel() is None, seconds=20)
    return desktop


@pytest.mark.parametrize("act", ["pointer", pytest.param("keyboard", marks=pytest.mark.soak)])
def test_keys_fill_user_name_and_password(bound, opened, act):
    page = opened()
    bound.wait_for_panel()
    if act == "keyboard":
        bound.client.call("desktop.summon")
        bound.wait_for_panel()
        bound.key("Return")
    else:
        bound.press_row(0)
    until(lambda: page.fields == (USER, PASSWORD), seconds=60)
    assert page.state["other"] == ""


@pytest.mark.soak
def test_what_stands_in_the_fields_is_replaced(bound, opened):
    page = opened(FORM.replace('id="user"', 'id="user" value="somebody"').replace('id="password"', 'id="password" value="1"'))
    bound.wait_for_panel()
    bound.press_row(0)
    until(lambda: page.fields == (USER, PASSWORD), seconds=60)


@pytest.mark.soak
def test_keyboard_is_as_it_was_after_a_fill(desktop, opened):
    ready(desktop)
    before = desktop._run("xkbcomp", desktop.display, "-").stdout
    assert "adiaeresis" not in before
    bind(desktop, opened())
    assert "adiaeresis" not in desktop._run("xkbcomp", desktop.display, "-").stdout


@pytest.mark.soak
def test_letters_of_the_layout_are_typed_by_its_own_keys(desktop, opened):
    desktop._run("setxkbmap", "de")
    ready(desktop)
    bind(desktop, opened())


@pytest.mark.soak
def test_caps_lock_stops_before_the_first_key(bound, opened):
    page = opened()
    bound.wait_for_panel()
    bound.key("Caps_Lock")
    bound.press_row(0)
    until(lambda: "Nothing was filled" in bound.said(), seconds=30)
    assert page.fields == ("", "")


@pytest.mark.parametrize("character", ["\t", "\n", "\u001b", "\u200b", "\U0001f511"], ids=["tab", "newline", "escape", "invisible", "emoji"])
def test_what_no_key_types_is_refused_before_the_first_key(desktop, opened, character):
    switch_accessibility_on(desktop)
    desktop.add(password=f"before{character}after")
    desktop.fill_native_programs()
    page = opened()
    desktop.answer(PASSPHRASE)
    choose_in_the_list(desktop, "Tab")
    until(lambda: "cannot be typed" in desktop.said(), seconds=30)
    assert page.fields == ("", "")


# -- Pages that are somebody else's --


@pytest.mark.soak
def test_browser_is_left_alone(desktop, opened):
    ready(desktop)
    opened(program="/usr/bin/chromium")
    until(lambda: f"{CHROMIUM}: it is a browser" in desktop.said(), seconds=40)
    assert desktop.panel() is None


def roles(desktop):
    """What programs describe now. Looking does not have them describe more."""
    return {json.loads(line)["role"] for line in desktop._run("/usr/bin/python3", TREE).stdout.splitlines()}


def test_browser_is_not_even_asked_to_describe_its_pages(desktop, opened):
    ready(desktop)
    opened(program="/usr/bin/chromium", describes=False)
    until(lambda: f"{CHROMIUM}: it is a browser" in desktop.said(), seconds=40)
    assert "frame" in roles(desktop) and "document web" not in roles(desktop)


@pytest.mark.soak
@pytest.mark.parametrize("is_first", [True, False], ids=["program first", "filling first"])
def test_program_that_describes_nothing_by_itself_is_asked_to(desktop, opened, is_first):
    switch_accessibility_on(desktop)
    desktop.add(password=PASSWORD)
    if not is_first:
        desktop.fill_native_programs()
    page = opened(describes=False)
    if is_first:
        desktop.fill_native_programs()
    bind(desktop, page)


@pytest.mark.parametrize("window", ["full screen", pytest.param("tab", marks=pytest.mark.soak)])
def test_program_with_a_place_for_addresses_is_a_browser_by_any_name(bound, opened, window):
    opened(window=window)
    until(lambda: "is not the whole of its program's window" in bound.said(), seconds=40)
    assert bound.panel() is None


def test_form_in_a_frame_is_not_the_programs(bound, opened):
    # Another port, so another origin.
    inner = Page(FORM)
    page = opened(f'<!doctype html><title>Example chat</title><iframe src="{inner.address}" width="600" height="400"></iframe>' + TELL)
    until(lambda: inner.state, seconds=20)
    inner.do("field('user').focus()")
    until(lambda: "no window of the program itself" in bound.said(), seconds=40)
    assert bound.panel() is None and page.fields == (None, None)
    inner.close()


# -- The middle of the keys --


LONG = pytest.mark.soak


@pytest.mark.parametrize("change", [
    pytest.param("field('other').focus()", id="focus"),
    pytest.param("event.target.type = 'text'", id="plain"),
    pytest.param("document.activeElement.blur()", id="blur", marks=LONG),
    pytest.param("event.target.remove()", id="remove", marks=LONG),
    pytest.param("event.target.readOnly = true", id="readonly", marks=LONG),
    pytest.param(
        "event.target.replaceWith(Object.assign(event.target.cloneNode(), { id: 'second' })); field('second').focus()", id="replace",
        marks=LONG),
])
def test_page_that_changes_in_the_middle_gets_no_more(bound, opened, change):
    page = opened(FORM + AT_THE_FIFTH % change)
    bound.wait_for_panel()
    bound.press_row(0)
    until(lambda: "filled in part" in bound.said(), seconds=60)
    page.do("tell()")
    # One key may be on its way when the page changes.
    assert PASSWORD[6] not in (page.state.get("password") or "") + page.state["other"]
    assert len(page.state["other"]) <= 1


@pytest.mark.soak
def test_second_window_of_the_program_gets_nothing(bound, opened):
    page = opened(FORM + AT_THE_FIFTH % "open('about:blank', '', 'width=300,height=200')")
    bound.wait_for_panel()
    bound.press_row(0)
    until(lambda: "filled in part: another window" in bound.said(), seconds=60)
    page.do("tell()")
    assert 5 <= len(page.fields[1]) < len(PASSWORD) and PASSWORD.startswith(page.fields[1])


def test_window_that_comes_to_the_front_in_the_middle_gets_nothing(bound, opened, form_gtk3):
    page = opened()
    bound.wait_for_panel()
    bound.press_row(0)
    until(lambda: len(page.fields[1] or "") >= 5, seconds=30)
    form = Form(bound, form_gtk3)
    until(lambda: "filled in part" in bound.said(), seconds=60)
    page.do("tell()")
    assert page.fields[0] == USER and 5 <= len(page.fields[1]) < len(PASSWORD) and PASSWORD.startswith(page.fields[1])
    assert form.fields == ("", "")


#: Takes the keyboard of the display, as menus and launchers do, and then says of each key that it came here.
GRABBER = """
import ctypes
x = ctypes.CDLL("libX11.so.6")
x.XOpenDisplay.restype = x.XDefaultRootWindow.restype = ctypes.c_void_p
display = ctypes.c_void_p(x.XOpenDisplay(None))
root = ctypes.c_void_p(x.XDefaultRootWindow(display))
while x.XGrabKeyboard(display, root, 1, 1, 1, 0):
    pass
print("taken", flush=True)
event = (ctypes.c_long * 24)()
while not x.XNextEvent(display, ctypes.byref(event)):
    if event[0] & 0xffffffff == 2:
        print("key", flush=True)
"""


def test_program_that_takes_the_keyboard_in_the_middle_gets_nothing(bound, opened, tmp_path):
    page = opened()
    bound.wait_for_panel()
    bound.press_row(0)
    until(lambda: len(page.fields[1] or "") >= 5, seconds=30)
    with (tmp_path / "keys").open("w") as keys:
        bound._spawn("python3", "-c", GRABBER, stdout=keys)
    until(lambda: "filled in part" in bound.said(), seconds=60)
    page.do("tell()")
    assert 5 <= len(page.fields[1]) < len(PASSWORD) and PASSWORD.startswith(page.fields[1])
    assert (tmp_path / "keys").read_text() == "taken\n"
    # The sentence about it goes by itself.
    until(lambda: bound.panel() is None, seconds=20)


@pytest.mark.soak
def test_key_that_the_user_holds_down_stops_the_rest(bound, opened):
    page = opened()
    bound.wait_for_panel()
    bound.press_row(0)
    until(lambda: len(page.fields[1] or "") >= 5, seconds=30)
    bound.x("keydown", "Control_L")
    until(lambda: "filled in part" in bound.said(), seconds=60)
    bound.x("keyup", "Control_L")
    page.do("tell()")
    assert 5 <= len(page.fields[1]) < len(PASSWORD) and PASSWORD.startswith(page.fields[1])

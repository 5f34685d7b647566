# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""The surfaces outside the page: toolbar popup, list of all passwords, prompt window."""

import json
import os
import signal
from pathlib import Path

import pytest

from browser import eventually
from calm import FRAMES
from conftest import RMONDELLO, SIGN_IN
from latchkey import PASSPHRASE, Account

#: The list that shows the answer to what is in the search field now, and is not drawn again.
FOUND = "#list[aria-busy=false]"
SELECTED = "document.querySelector('[aria-selected=true]')?.ariaLabel"


@pytest.mark.main
@pytest.mark.main_in_firefox
def test_popup_fills_by_keyboard_alone(start, site):
    it = start([Account("shiny.example.com", "aaron", "one password"), RMONDELLO])
    page = it.open("https://shiny.example.com/login", focus=None)
    popup = it.browser.popup("document.querySelector('#row-1') && [...document.querySelectorAll('[role=option]')].map(row => row.ariaLabel)")
    wanted = next(index for index, row in enumerate(popup.shown) if "rmondello" in row)
    for _ in range(wanted):
        popup.press("ArrowDown")
    assert popup.evaluate(SELECTED) == "password for shiny.example.com, rmondello"
    assert popup.evaluate("document.activeElement.getAttribute('aria-activedescendant')") == f"row-{wanted}"
    popup.press("Enter")
    it.filled()
    assert page.url == "https://shiny.example.com/login"


def test_popup_leaves_the_page_alone(start, site):
    it = start()
    page = it.open(site.page("/watched", SIGN_IN + """<script>window.seen = [];
      new MutationObserver(list => seen.push('mutation')).observe(document, {subtree: true, childList: true, attributes: true});
      for (const type of ['focusin', 'message', 'toggle', 'input', 'keydown']) addEventListener(type, event => seen.push(type), true)</script>"""), focus=None)
    page.evaluate(FRAMES)
    popup = it.browser.popup("!!document.querySelector('#row-0')")
    popup.press("ArrowDown")
    it.browser.at_rest()
    page.evaluate(FRAMES)
    assert page.evaluate("seen") == []


@pytest.mark.chromium("Firefox's tree for screen readers is not on the wire")
def test_popup_is_readable_by_a_screen_reader(start, site):
    it = start()
    it.open("https://shiny.example.com/login", focus=None)
    popup = it.browser.popup("!!document.querySelector('#row-0')")
    nodes = popup.send("Accessibility.getFullAXTree")["nodes"]
    named = {(node.get("role", {}).get("value"), node.get("name", {}).get("value")) for node in nodes if not node.get("ignored")}
    assert ("listbox", "Passwords for this page") in named or ("listBox", "Passwords for this page") in named
    options = {name for role, name in named if role and role.lower().startswith("option") or role == "ListBoxOption"}
    assert {"password for shiny.example.com, rmondello", "All Passwords…"} <= options


def test_popup_unlocks_by_keyboard(start, site):
    it = start()
    it.latchkey.lock()
    it.open("https://shiny.example.com/login", focus=None)
    popup = it.browser.popup(SELECTED)
    assert popup.shown.startswith("Unlock Latchkey…")
    assert popup.evaluate("document.querySelector('#state').textContent") == "Locked"
    prompt = it.browser.window("prompt", lambda: popup.press("Enter"))
    prompt.wait_for_selector("#accept:not(.early)")
    prompt.keyboard.type(PASSPHRASE)  # the field has the focus
    it.closes(prompt, lambda: prompt.keyboard.press("Enter"))
    if it.browser.says_what_covers:
        it.filled()
    else:
        it.browser.popup("!!document.querySelector('#row-0')")


def test_popup_says_so_where_there_is_no_page(start, site):
    it = start()
    it.page.goto("about:blank")
    popup = it.browser.popup("document.querySelector('#note').textContent")
    assert "No sign-in form here" in popup.shown


class Clipboard:
    """Stands in for the clipboard of a Wayland session: what is on it is in a file."""

    def __init__(self, folder: Path, marks: bool):
        self.clip, self.holder = folder / "clip", folder / "holder"
        tools = folder / "tools"
        tools.mkdir()
        (tools / "wl-copy").write_text(
            f'#!/bin/sh\n[ "$1" = --help ] && {{ echo {"--sensitive" if marks else ""}; exit 0; }}\n'
            f"echo $PPID > '{self.holder}'\nif [ \"$1\" = --clear ]; then rm -f '{self.clip}'; else cat > '{self.clip}'; fi\n")
        (tools / "wl-paste").write_text(f"#!/bin/sh\n[ -f '{self.clip}' ] && exec cat '{self.clip}'\nexit 1\n")
        for tool in tools.iterdir():
            tool.chmod(0o755)
        self.environment = {"WAYLAND_DISPLAY": "wayland-test", "PATH": f"{tools}:{os.environ['PATH']}"}

    def end(self) -> None:
        if self.holder.exists():
            os.kill(int(self.holder.read_text()), signal.SIGTERM)


@pytest.fixture(params=[True], ids=["marking"])
def clipboard(request, tmp_path):
    made = Clipboard(tmp_path, request.param)
    yield made
    made.end()


FOUND_ROWS = "[...document.querySelectorAll('#found li')].map(row => row.firstChild.ariaLabel)"
NOTE = "document.querySelector('#note').textContent"
OUTCOME = "document.querySelector('#outcome').textContent"


def type_in(popup, text: str) -> None:
    for letter in text:
        popup.press(letter)


def copy_password(it):
    """Finds the usual account, and presses the button that copies its password, by the keyboard."""
    it.page.goto("about:blank")
    popup = it.browser.popup("document.activeElement.id === 'search'")
    type_in(popup, "rmond")
    popup.wait("document.querySelectorAll('#found .act').length === 2")
    # Into the row, and over the button for the user name.
    for key in ("ArrowDown", "Tab", "Tab"):
        popup.press(key)
    assert popup.evaluate("document.activeElement.ariaLabel") == "Copy password of rmondello at shiny.example.com"
    popup.press("Enter")
    return popup


@pytest.mark.main
@pytest.mark.main_in_firefox
def test_popup_finds_an_account_on_any_page_and_opens_its_site(start, site):
    it = start([RMONDELLO, Account("shiny.example.com/elsewhere", "anna", "x")])
    it.page.goto("about:blank")
    popup = it.browser.popup("document.activeElement.id === 'search'")
    type_in(popup, "anna")
    assert popup.wait(f"document.querySelectorAll('#found li').length === 1 && {FOUND_ROWS}") == ["Open: shiny.example.com, anna"]
    popup.press("Enter")
    eventually(it.page, lambda: any(page.url == "https://shiny.example.com/elsewhere" for page in it.browser.context.pages), "the account's site")


def test_popup_copies_what_the_buttons_say(start, site, clipboard):
    it = start([RMONDELLO], daemon=clipboard.environment)
    popup = copy_password(it)
    popup.wait(f"{OUTCOME} === 'The password of rmondello at shiny.example.com is copied. It stays on the clipboard for 45 seconds.'")
    assert clipboard.clip.read_text() == RMONDELLO.password


@pytest.mark.parametrize("clipboard", [False], ids=["not marking"], indirect=True)
def test_popup_copies_what_histories_would_keep_at_the_users_word_alone(start, site, clipboard):
    it = start([RMONDELLO], daemon=clipboard.environment)
    popup = copy_password(it)
    popup.wait("!document.querySelector('#anyway').hidden")
    assert "a clipboard history would keep it" in popup.evaluate(OUTCOME)
    assert not clipboard.clip.exists()


@pytest.mark.main
def test_popup_shows_what_is_saved_for_a_page_without_a_form(start, site):
    site.page("/inside", "<h1>Signed in</h1>")
    it = start([RMONDELLO, Account("other.example.net", "anna", "x")])
    it.open("https://shiny.example.com/inside", focus=None)
    popup = it.browser.popup("document.querySelectorAll('#found li').length > 0")
    assert popup.evaluate(FOUND_ROWS) == ["Open: shiny.example.com, rmondello"]


def test_popup_fills_what_was_searched_for(start, site):
    it = start([Account("other.example.net", "anna", "x"), RMONDELLO])
    it.open("https://shiny.example.com/login", focus=None)
    popup = it.browser.popup("!!document.querySelector('#row-0')")
    type_in(popup, "rmond")
    popup.wait(f"{FOUND_ROWS}[0] === 'Fill: shiny.example.com, rmondello'")
    popup.press("Enter")
    it.filled()


def test_popup_says_first_why_the_button_is_marked_and_the_button_shows_the_lock(start, site):
    it = start()
    it.page.goto("about:blank")
    worker = it.browser.worker()
    worker.evaluate("chrome.tabs.query({ active: true, lastFocusedWindow: true }).then(([tab]) => chrome.action.setTitle({ tabId: tab.id, title: 'Latchkey: it could not be saved' }))")
    popup = it.browser.popup(NOTE)
    assert popup.shown == "It could not be saved."
    it.latchkey.lock()
    eventually(it.page, lambda: worker.evaluate("chrome.action.getTitle({})") == "Latchkey is locked", "the lock on the button")
    it.latchkey.unlock()
    eventually(it.page, lambda: worker.evaluate("chrome.action.getTitle({})") == "Latchkey", "the end of the lock")


def test_popup_picks_the_frame_with_the_form(start, site):
    it = start()
    it.open(site.page("/outer", '<input type="search"><iframe name="inner" width="700" height="500" src="/login"></iframe>'), focus=None)
    it.page.frame_locator("iframe").locator("#user").wait_for()
    popup = it.browser.popup("!!document.querySelector('#row-0')")
    popup.press("Enter")
    it.filled(it.frame("inner"))


def test_popup_waits_for_a_page_that_is_busy(start, site):
    it = start(fake=True)
    page = it.open("https://shiny.example.com/login", focus=None)
    page.evaluate("""(function busy() { setTimeout(() => { const end = performance.now() + 1500; while (performance.now() < end); busy() }, 10) })()""")
    it.browser.popup("!!document.querySelector('#row-0')")


def all_passwords(it):
    """Opens the list through the key row of the bar."""
    window = it.bar.open_list()
    window.wait_for_selector(f"{FOUND} [role=option]")
    return window


@pytest.mark.main
def test_all_passwords_is_searched_and_fills(start, site):
    it = start([RMONDELLO, *(Account(f"site{number}.example.com", f"user{number}", "x") for number in range(5))])
    it.open("https://shiny.example.com/login")
    window = all_passwords(it)
    assert window.locator("[role=option]").count() == 6
    window.keyboard.type("rmond")
    window.wait_for_selector(f"{FOUND} [role=option]:only-child")
    it.closes(window, lambda: window.keyboard.press("Enter"))
    it.filled()


def test_all_passwords_refuses_one_of_another_site(start, site):
    it = start([RMONDELLO, Account("unrelated.example.net", "someone", "x")])
    it.open("https://shiny.example.com/login")
    window = all_passwords(it)
    window.keyboard.type("someone")
    window.wait_for_selector(f"{FOUND} [role=option]:only-child[aria-disabled=true]").click(force=True)
    window.wait_for_selector("#note.bad:not([hidden])")
    assert it.values() == ["", ""]


def test_prompt_takes_no_answer_before_it_has_been_in_front(start, site):
    it = start()
    it.open("https://shiny.example.com/elsewhere")
    prompt = it.browser.window("prompt", it.bar.click)
    prompt.wait_for_selector("main:not([hidden])")
    # It comes to the front over and over, so that every moment is one right after.
    prompt.evaluate("""() => { window.presses = 0; const accept = document.querySelector('#accept');
      addEventListener('pointerdown', () => { presses += 1 }, true);
      window.front = setInterval(() => { dispatchEvent(new Event('focus')); accept.classList.remove('early') }, 20) }""")
    prompt.click("#accept")
    prompt.wait_for_function("() => presses === 1")
    # Not even after as long as it would take anything once it stayed in front.
    prompt.evaluate("new Promise((done) => setTimeout(done, 500))")
    assert it.browser.sent("renderer.answer") == 0
    assert it.values() == ["", ""] and not prompt.is_closed()
    prompt.evaluate("clearInterval(front)")
    it.accept(prompt, PASSPHRASE if prompt.locator("#passphrase").is_visible() else None)
    it.filled()


def test_prompt_never_echoes_the_passphrase(start, site):
    it = start()
    it.latchkey.lock()
    it.open("https://shiny.example.com/elsewhere")
    prompt = it.browser.window("prompt", it.bar.click)
    prompt.wait_for_selector("#accept:not(.early)")
    assert prompt.get_attribute("#passphrase", "type") == "password"
    prompt.fill("#passphrase", "a wrong one")
    prompt.click("#accept")
    prompt.wait_for_selector("#error:not(:empty)")
    assert prompt.input_value("#passphrase") == ""
    assert "a wrong one" not in prompt.content()


def test_a_key_that_opens_the_popup_is_really_assigned(start):
    """A browser drops a key of an extension's without a word where it has a use for it itself."""
    it = start(fake=True)
    keys = it.browser.worker().evaluate("chrome.commands.getAll()")
    assert [key["shortcut"] for key in keys if key["name"] == "_execute_action"] == ["Alt+Shift+Y"]


def test_pin_unlocks_where_one_is_set(start, site):
    it = start()
    it.latchkey.lock()
    it.open("https://shiny.example.com/elsewhere")
    prompt = it.browser.window("prompt", it.bar.click)
    assert prompt.inner_text("#secret label") == "Passphrase"
    it.accept(prompt, PASSPHRASE)
    file = it.folder / "pin"
    file.write_text("271828")
    it.latchkey.run("pin", "set", "--passphrase-file", it.latchkey.secret, "--pin-file", file)
    it.latchkey.lock()
    it.open("https://shiny.example.com/elsewhere")
    prompt = it.browser.window("prompt", it.bar.click)
    prompt.wait_for_selector("#accept:not(.early)")
    assert prompt.inner_text("#secret label") == "PIN or passphrase"
    it.accept(prompt, "271828")
    eventually(it.page, lambda: not json.loads(it.latchkey.run("status", "--json"))["locked"], "the unlock")
    it.latchkey.lock()
    it.open("https://shiny.example.com/elsewhere")
    prompt = it.browser.window("prompt", it.bar.click)
    prompt.wait_for_selector("#accept:not(.early)")
    assert prompt.inner_text("#secret label") == "PIN or passphrase"
    it.latchkey.run("pin", "remove")
    eventually(prompt, lambda: prompt.inner_text("#secret label") == "Passphrase", "the end of the PIN in the open window")
    it.accept(prompt, PASSPHRASE)
    eventually(it.page, lambda: not json.loads(it.latchkey.run("status", "--json"))["locked"], "the unlock")

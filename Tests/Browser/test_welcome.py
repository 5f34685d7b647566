# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""The first-run page: when it opens, what it says of each step, and what it may do."""

import json
import re
import shutil
import time
from functools import partial

import pytest

from browser import NAME, ORIGIN, eventually
from chromium import Chromium
from conftest import SIGN_IN
from latchkey import PASSPHRASE
from test_own_lists import OFF, ON, granted, switches  # noqa: F401

OWN = ORIGIN
WELCOME = f"{OWN}/windows/welcome.html"
#: What can be copied, in the order of the page.
COPIED = ["latchkey browser install", "latchkey browser status", "latchkey init", "latchkey autofill on", "chrome://password-manager/settings",
          "about:logins", "latchkey import FILE", "chrome://extensions/shortcuts", "about:addons"]
#: The parts of the first step, by the state in which each is shown.
PARTS = {"missing": "#missing", "init": "#init", "locked": "#unlock", "off": "#off"}
#: Says what is said of a step: whether it is done, and the word beside its heading.
MARK = "step => [document.getElementById(step).dataset.done, document.querySelector(`#${step} > h2 > .mark`).innerText]"
DONE, TO_DO = ["true", "Done"], ["false", "To do"]


class NewUser(Chromium):
    """A browser to which the extension is new."""

    was_welcomed = False


def welcomes(browser) -> list:
    return [page for page in browser.context.pages if page.url.startswith(WELCOME)]


def tabs(browser) -> list:
    """The addresses of all tabs, as far as the extension may know them; what is not loaded yet has one too."""
    return [tab.get("pendingUrl") or tab.get("url") for tab in browser.worker().evaluate("chrome.tabs.query({})")]


def opened(it, script: str = ""):
    """The page, once it has said what Latchkey is; `script` runs in it before its own."""
    page = it.browser.context.new_page()
    if script:
        it.browser.begin_with(page, script)
    page.goto(WELCOME)
    page.wait_for_selector("#latchkey[data-done]")
    return page


def looks(page, part: str | None, said: str) -> None:
    """Waits until the first step says something, and shows one of its parts alone; comes back to the page until then, as the user does."""

    def look():
        page.evaluate("dispatchEvent(new Event('focus'))")
        shown = [name for name, selector in PARTS.items() if page.is_visible(selector)]
        return page.inner_text("#latchkey-state") == said and shown == ([part] if part else [])

    eventually(page, look, f"{said!r} and {part}")
    assert page.evaluate(MARK, "latchkey") == (TO_DO if part else DONE)


def looks_again(page, selector: str) -> None:
    """The user comes back to the page, which then shows something."""
    page.evaluate("dispatchEvent(new Event('focus'))")
    page.wait_for_selector(selector)


# ---- When it opens


@pytest.mark.chromium("test_firefox.py has test_the_first_steps for it")
def test_it_opens_once_when_the_extension_is_installed(start, site, workplace):
    """Chromium says `install` at each start with an extension that a command line names."""
    it = start()
    for expected in (True, False, False):
        browser = NewUser(workplace.playwright, it.folder / "profile", it.latchkey.host, it.latchkey.environment, site.arguments(),
                          extension=workplace.extension)
        try:
            kept = eventually(browser.page, lambda: browser.worker().evaluate("chrome.storage.local.get()"), "what is kept")
            assert kept == {"welcomed": True}
            browser.listen()
            browser.at_rest()
            if expected:
                page = eventually(browser.page, lambda: welcomes(browser), "the first-run page")[0]
                eventually(page, lambda: page.evaluate("document.visibilityState") == "visible", "the page in front")
                tab = browser.worker().evaluate("chrome.tabs.query({ active: true, lastFocusedWindow: true })")
                assert [one["url"] for one in tab] == [WELCOME]
            assert tabs(browser) == [None, *([WELCOME] if expected else [])]
        finally:
            browser.close()


@pytest.mark.chromium("test_firefox.py has one of the same name for it")
def test_it_does_not_open_after_an_update(start, workplace, tmp_path):
    it = start(fake=True)
    copy = shutil.copytree(workplace.extension, tmp_path / "extension")
    script = copy / "background" / "background.js"
    script.write_text(script.read_text() + "\nchrome.runtime.onInstalled.addListener(({ reason }) => { chrome.storage.session.set({ reason }); });\n")
    manifest = json.loads((copy / "manifest.json").read_text())
    try:
        for version in ("0.1.0", "0.1.1"):
            (copy / "manifest.json").write_text(json.dumps({**manifest, "version": version}))
            it.browser.load(copy)
            found = eventually(it.page, lambda: it.browser.worker().evaluate("chrome.storage.session.get('reason')"), "the reason")
            assert found == {"reason": "update"}
            # Not because it was shown before.
            assert it.browser.worker().evaluate("chrome.storage.local.clear().then(() => chrome.storage.local.get())") == {}
            it.browser.listen()
            it.browser.at_rest()
            assert tabs(it.browser) == [None]
    finally:
        it.browser.load(workplace.extension)


#: Has `platform.js` meet a browser that says why the script starts and which windows there are; returns the tabs that it opens.
INSTALL = """async ([reason, kept, steps]) => {
  let windows = steps.shift(), installed;
  const made = [], stored = [], waiting = new Set();
  const turn = () => new Promise((next) => { setTimeout(next, 0); });
  chrome.windows.getAll = async () => windows;
  chrome.windows.onCreated.addListener = (listener) => { waiting.add(listener); };
  chrome.windows.onCreated.removeListener = (listener) => { waiting.delete(listener); };
  chrome.runtime.onInstalled = { addListener: (listener) => { installed = listener; } };
  chrome.storage.local.get = async () => kept;
  chrome.storage.local.set = async (values) => { stored.push(values); };
  chrome.tabs.create = async ({ windowId, url }) => { made.push([windowId, new URL(url).pathname]); };
  const platform = await import('/background/platform.js');
  platform.openOnInstall('windows/welcome.html');
  installed({ reason });
  for (let count = 0; count < 20; count += 1) await turn();
  for (windows of steps) {
    for (const listener of [...waiting]) listener();
    for (let count = 0; count < 20; count += 1) await turn();
  }
  return [made, stored];
}"""
ORDINARY, OTHER, FRONT = ({"id": 3, "incognito": False, "focused": False}, {"id": 4, "incognito": False, "focused": False},
                          {"id": 5, "incognito": False, "focused": True})
PRIVATE = {"id": 6, "incognito": True, "focused": True}
KEPT = [{"welcomed": True}]


@pytest.mark.parametrize("reason, kept, steps, opened", [
    ("install", {}, [[ORDINARY]], 3),
    ("install", {}, [[FRONT, ORDINARY]], 5),
    ("install", {}, [[PRIVATE, ORDINARY]], 3),
    ("install", {}, [[], [OTHER]], 4),
    ("install", {}, [[], [PRIVATE], [PRIVATE, OTHER]], 4),
    ("install", {}, [[PRIVATE]], None),
    ("install", {}, [[], [PRIVATE]], None),
    ("install", {}, [[]], None),
    ("install", {"welcomed": True}, [[ORDINARY]], None),
    ("update", {}, [[ORDINARY]], None),
    ("update", {"welcomed": True}, [[ORDINARY]], None),
    ("chrome_update", {}, [[ORDINARY]], None),
    ("browser_update", {}, [[ORDINARY]], None),
    ("shared_module_update", {}, [[ORDINARY]], None),
], ids=["a window", "the window in front", "never the private one", "the first window", "the first that is not private", "private ones alone",
        "a private one comes", "no window", "shown before", "update", "update, shown before", "Chromium's update", "Firefox's update", "module"])
def test_where_it_opens(start, reason, kept, steps, opened):
    it = start(fake=True)
    page = it.browser.context.new_page()
    page.goto(f"{OWN}/windows/rules.html")
    made, stored = page.evaluate(INSTALL, [reason, kept, steps])
    assert made == ([[opened, "/windows/welcome.html"]] if opened else [])
    assert stored == (KEPT if opened else [])


def test_the_settings_page_leads_there_by_keyboard(start):
    it = start()
    page = it.browser.context.new_page()
    page.goto(f"{OWN}/windows/settings.html")
    page.wait_for_selector("#providers > li")
    page.focus("#welcome")
    page.keyboard.press("Enter")
    page.wait_for_url(WELCOME)
    page.wait_for_selector("#latchkey[data-done]")
    page.focus("a[href='settings.html']")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{OWN}/windows/settings.html")


# ---- What it says of Latchkey


def test_first_step_from_nothing_to_ready(start):
    it = start()
    latchkey = it.latchkey
    # Nothing is installed, as far as the browser can tell.
    it.browser.serve(None, {})
    latchkey.stop()
    page = opened(it)
    looks(page, "missing", "Latchkey is not running or not installed. Run “latchkey browser status”.")
    # Installed, and not set up.
    for name in ("data", "config", "state"):
        shutil.rmtree(latchkey.folder / name / "latchkey", ignore_errors=True)
    latchkey.log = open(latchkey.folder / "latchkeyd.log", "ab")
    latchkey.start()
    it.browser.serve(latchkey.command, latchkey.environment)
    looks(page, "init", "Latchkey is not set up yet.")
    latchkey.run("init", "--passphrase-file", latchkey.secret)
    looks(page, None, "Latchkey is running, and AutoFill is on.")
    latchkey.run("autofill", "off")
    looks(page, "off", "AutoFill is off.")
    latchkey.lock()
    looks(page, "locked", "Latchkey is locked.")
    latchkey.unlock()
    latchkey.run("autofill", "on")
    looks(page, None, "Latchkey is running, and AutoFill is on.")


def test_what_changes_is_shown_and_said_without_coming_back(start):
    it = start()
    page = opened(it)
    assert page.evaluate(MARK, "latchkey") == DONE
    assert page.inner_text("#say") == ""
    it.latchkey.lock()
    page.wait_for_selector("#unlock:not([hidden])")
    it.latchkey.unlock()
    page.wait_for_selector("#unlock", state="hidden")
    assert page.evaluate(MARK, "latchkey") == DONE
    eventually(page, lambda: page.inner_text("#say") == "Start Latchkey: done.", "what is said")


def test_unlock_takes_a_click_and_the_passphrase(start):
    it = start()
    it.latchkey.lock()
    page = opened(it)
    page.wait_for_selector("#unlock:not([hidden])")
    page.evaluate("document.querySelector('#unlock').click()")
    page.evaluate("document.querySelector('#unlock').dispatchEvent(new MouseEvent('click', { bubbles: true }))")
    it.quiet()
    assert it.browser.sent("renderer.unlock") == 0
    assert not [one for one in it.browser.context.pages if "/prompt.html" in one.url]
    prompt = it.browser.window("prompt", lambda: page.click("#unlock"))
    it.accept(prompt, PASSPHRASE)
    page.wait_for_selector("#latchkey[data-done=true]")
    assert page.is_hidden("#unlock")


def test_a_no_leaves_it_locked_and_is_no_error(start):
    it = start()
    it.latchkey.lock()
    page = opened(it)
    prompt = it.browser.window("prompt", lambda: page.click("#unlock"))
    asked = it.browser.sent("renderer.status")
    it.closes(prompt, prompt.close)
    said = time.monotonic()
    eventually(page, lambda: it.browser.sent("renderer.status") > asked, "another look at Latchkey")
    it.browser.at_rest()
    assert page.is_hidden("#note") and page.evaluate(MARK, "latchkey") == TO_DO and page.is_visible("#unlock")

    def told():
        nonlocal said
        page.click("#unlock")
        eventually(page, lambda: page.is_visible("#note") or prompts(), "what comes of the second press")
        for again in prompts():
            # A busy machine took longer than the ten seconds for which the no counts.
            assert time.monotonic() - said > 7, "the no is not remembered"
            it.closes(again, again.close)
            said = time.monotonic()
        return page.is_visible("#note")

    def prompts():
        return [one for one in it.browser.context.pages if "/prompt.html" in one.url and not one.is_closed()]

    # Who asks again at once is told to wait.
    eventually(page, told, "the note")
    assert "said no" in page.inner_text("#note")


# ---- What it says of the browser


def test_button_is_pinned_or_not(start):
    it = start(fake=True)
    it.browser.pin(False)
    page = opened(it)
    # Chromium tells the page at once.
    shows = page.wait_for_selector if NAME == "chromium" else partial(looks_again, page)
    words = {"chromium": "then the pin beside Latchkey", "firefox": "“Pin to Toolbar”"}
    try:
        assert page.is_visible("#button") and page.evaluate(MARK, "button") == TO_DO
        assert [name for name in words if words[name] in page.inner_text("#button")] == [NAME]
        it.browser.pin(True)
        shows("#button[data-done=true]")
        assert page.evaluate(MARK, "button") == DONE
        it.browser.pin(False)
        shows("#button[data-done=false]")
    finally:
        it.browser.pin(NAME == "firefox")


@pytest.mark.parametrize("api", ["undefined", "async () => { throw new Error('no') }", "async () => null", "async () => ({})"],
                         ids=["none", "fails", "nothing", "says nothing of it"])
def test_button_is_left_out_where_the_browser_does_not_say(start, api):
    it = start(fake=True)
    page = opened(it, f"chrome.action.getUserSettings = {api}; chrome.action.onUserSettingsChanged = undefined")
    assert page.is_hidden("#button")
    shown = page.evaluate("[...document.querySelectorAll('#steps > li')].filter((step) => step.checkVisibility()).map(({ id }) => id)")
    assert shown == ["latchkey", "browser", "bring", "fill"]


@pytest.mark.chromium("in Firefox no extension can switch off the own lists of the browser")
def test_the_browsers_own_is_switched_off_and_on(start, granted, workplace):  # noqa: F811
    it = start(fake=True)
    it.browser.load(granted)
    try:
        page = opened(it)
        assert page.evaluate(MARK, "browser") == TO_DO and page.is_hidden("#browser-on")
        page.evaluate("document.querySelector('#browser-off').click()")
        page.evaluate("() => chrome.permissions.contains({ permissions: ['privacy'] })")
        assert switches(it) == ON
        page.click("#browser-off")
        page.wait_for_selector("#browser[data-done=true]")
        assert page.evaluate(MARK, "browser") == DONE and page.is_hidden("#browser-off")
        assert switches(it) == OFF
        page.evaluate("document.querySelector('#browser-on').click()")
        assert switches(it) == OFF
        page.click("#browser-on")
        page.wait_for_selector("#browser[data-done=false]")
        assert switches(it) == ON
    finally:
        it.browser.load(workplace.extension)


def test_it_says_which_key_is_really_assigned(start):
    it = start(fake=True)
    where = {"chromium": "chrome://extensions/shortcuts", "firefox": "about:addons"}
    try:
        it.browser.assign_key("Ctrl+Shift+Y")
        page = opened(it)
        assert page.inner_text("#shortcut") == "Ctrl+Shift+Y opens the same rows in the toolbar." and page.is_hidden("#no-shortcut")
        it.browser.assign_key("")
        looks_again(page, "#no-shortcut:not([hidden])")
        assert page.is_hidden("#shortcut") and "Ctrl" not in page.inner_text("#fill")
        assert [name for name in where if where[name] in page.inner_text("#no-shortcut")] == [NAME]
    finally:
        it.browser.assign_key("")


def test_what_is_not_known_has_no_state(start):
    it = start(fake=True)
    page = opened(it)
    for step in ("bring", "fill"):
        assert page.query_selector(f"#{step} .mark") is None and page.get_attribute(f"#{step}", "data-done") is None


# ---- Copying


#: Shows all parts, also when the page looks at Latchkey once more.
SHOW_ALL = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('#steps [hidden] { display: revert !important }');
  document.adoptedStyleSheets = [sheet];
}"""


def pasted(it, site) -> str:
    """What the user pastes now."""
    page = it.browser.context.new_page()
    page.goto(site.page("/paste", "<!doctype html><title>Paste</title><textarea></textarea>"))
    page.focus("textarea")
    page.keyboard.press("Control+V")
    text = eventually(page, lambda: page.input_value("textarea"), "what was pasted")
    page.close()
    return text


def test_each_button_copies_what_stands_beside_it(start, site):
    it = start(fake=True)
    page = opened(it)
    # All of them are shown, which no state of the page does.
    page.evaluate(SHOW_ALL)
    buttons = page.query_selector_all(".copied > button")
    assert [button.get_attribute("aria-label") for button in buttons] == [f"Copy: {text}" for text in COPIED]
    for button, text in zip(buttons, COPIED, strict=True):
        page.bring_to_front()
        button.click()
        eventually(page, lambda: page.inner_text("#say") == f"Copied: {text}", "what is said")
        assert [one.inner_text() for one in buttons].count("Copied") == 1 and button.get_attribute("aria-label") == f"Copied: {text}"
        assert pasted(it, site) == text


def test_nothing_is_copied_without_a_click(start, site):
    it = start(fake=True)
    page = opened(it)
    page.click("#bring > .copied > button")
    eventually(page, lambda: page.inner_text("#say") == "Copied: latchkey import FILE", "the copy")
    page.evaluate("for (const button of document.querySelectorAll('.copied > button')) button.click()")
    page.evaluate("() => new Promise((next) => { requestAnimationFrame(() => requestAnimationFrame(next)); })")
    assert page.inner_text("#say") == "Copied: latchkey import FILE"
    assert pasted(it, site) == "latchkey import FILE"


def test_where_the_browser_does_not_copy_the_command_is_selected(start):
    it = start(fake=True)
    page = opened(it, "navigator.clipboard.writeText = async () => { throw new Error('no') }")
    page.click("#bring > .copied > button")
    eventually(page, lambda: page.evaluate("getSelection().toString()") == "latchkey import FILE", "the selection")
    assert page.inner_text("#say") == "Not copied. latchkey import FILE is selected."
    assert page.inner_text("#bring > .copied > button") == "Copy"


# ---- What it may do


def test_it_may_ask_for_the_status_and_to_unlock_and_for_nothing_else(start, workplace):
    it = start()
    page = opened(it)
    text = (workplace.extension / "background" / "from-windows.js").read_text()
    kinds = {kind for listed in re.findall(r"may: \[(.*?)\]", text, re.S) for kind in re.findall(r"'(\w+)'", listed)}
    assert len(kinds) > 25 and {"status", "unlock"} < kinds
    target = {"tab": 1, "frame": 0, "document": "D"}
    for kind in sorted(kinds - {"status", "unlock"}) + ["constructor", "__proto__", "page.focused", ""]:
        answer = page.evaluate("message => chrome.runtime.sendMessage(message)", {"type": kind, "target": target})
        assert answer["error"] == {"code": -32601, "message": "Not for this document.", "data": {}}, kind
    assert set(page.evaluate("chrome.runtime.sendMessage({ type: 'status' })")["result"]) == {"initialized", "locked", "autoFill", "version"}


def test_in_a_frame_it_may_ask_for_nothing(start):
    it = start()
    page = opened(it)
    page.evaluate("""url => new Promise((done) => {
      const frame = document.createElement('iframe'); frame.onload = done; frame.src = url; document.body.append(frame) })""", WELCOME)
    frame = next(one for one in page.frames if one != page.main_frame)
    for kind in ("status", "unlock"):
        assert frame.evaluate("type => chrome.runtime.sendMessage({ type })", kind)["error"]["code"] == -32601


def test_a_page_of_the_web_reaches_nothing_of_it(start, site, workplace):
    it = start(fake=True)
    manifest = json.loads((workplace.extension / "manifest.json").read_text())
    assert [one["resources"] for one in manifest["web_accessible_resources"]] == [["windows/bar.html"]]
    page = it.open(site.page("/login", SIGN_IN), focus=None)
    for name in ("welcome.html", "welcome.js", "welcome.css"):
        url = f"{OWN}/windows/{name}"
        assert (workplace.extension / "windows" / name).is_file()
        assert page.evaluate("url => fetch(url).then(() => 'read', () => 'denied')", url) == "denied"
        for made in ("iframe", "script", "link"):
            page.evaluate("""([name, url]) => new Promise((done) => {
              const made = document.createElement(name); made.onload = made.onerror = done; made.rel = 'stylesheet';
              made[name === 'link' ? 'href' : 'src'] = url; document.body.append(made) })""", [made, url])
    assert not [frame for frame in page.frames if frame.url.startswith(OWN)]
    assert len(page.evaluate("[...document.styleSheets].map((sheet) => { try { return sheet.cssRules.length } catch { return 0 } }).filter(Boolean)")) == 0
    # Nor can a page open it or go there.
    for go in ("window.open(url)", "location.assign(url)"):
        page.evaluate("([go, url]) => { try { new Function('url', go)(url) } catch {} }", [go, WELCOME])
    if NAME == "chromium":
        eventually(page, lambda: [one.url for one in it.browser.context.pages] == ["chrome-error://chromewebdata/"] * 2, "what the browser shows instead")
    page.goto(site.page("/login", SIGN_IN))
    assert NAME == "chromium" or it.browser.targets("/welcome.html") == []
    for kind in ("status", "unlock"):
        assert it.browser.isolated_world()(f"chrome.runtime.sendMessage({{ type: '{kind}' }})")["error"]["code"] == -32601
    assert it.latchkey.received("renderer.unlock") == []


# ---- How it is read


def tree(it, page) -> list[dict]:
    """What a screen reader finds: role, name and whether it takes the focus."""
    session = it.browser.devtools(page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    session.detach()
    return [{"role": node["role"]["value"], "name": node.get("name", {}).get("value", ""),
             **{one["name"]: one["value"]["value"] for one in node["properties"] if one["name"] in ("focusable", "level", "live")}}
            for node in nodes if not node["ignored"]]


def test_everything_has_a_name_and_a_role(start):
    it = start(fake=True, locked=True)
    page = opened(it)
    page.wait_for_selector("#unlock:not([hidden])")
    page.evaluate("for (const part of document.querySelectorAll('#steps [hidden]')) part.hidden = false")
    nodes = tree(it, page)
    controls = [node for node in nodes if node.get("focusable") and node["role"] != "RootWebArea"]
    assert {node["role"] for node in controls} == {"button", "link"} and all(node["name"] for node in controls), controls
    names = [node["name"] for node in controls]
    assert len(set(names)) == len(names) == len(COPIED) + 4
    headings = [(node["level"], node["name"]) for node in nodes if node["role"] == "heading"]
    assert headings == [(1, "First steps with Latchkey"), (2, "Start Latchkey To do"), (2, "Pin the button To do"),
                        (2, "Turn off the browser's password manager To do"), (2, "Import your passwords"), (2, "Fill your first password")]
    assert len([node for node in nodes if node["role"] == "status" and node["live"] == "polite"]) == 3
    # The drawing is told in words.
    words = " ".join(node["name"] for node in nodes)
    assert "below the field for the user name is a bar with one row" in words
    assert "anna" not in words and "shiny.example.com" not in words
    assert page.get_attribute("#drawing", "aria-hidden") == "true" and page.query_selector("#drawing :is(a, button, input, [tabindex])") is None


def test_it_is_used_by_keyboard_alone(start, site):
    it = start(fake=True)
    page = opened(it)
    page.evaluate("document.activeElement.blur()")
    visited = []
    for _ in range(20):
        page.keyboard.press("Tab")
        found = page.evaluate("""() => { const one = document.activeElement;
          return one === document.body ? null : [one.getAttribute('aria-label') ?? one.innerText, getComputedStyle(one).outlineStyle] }""")
        if found is None or found[0] in visited:
            break
        assert found[1] == "solid", found
        visited.append(found[0])
    shown = page.evaluate("[...document.querySelectorAll('button, a')].filter((one) => one.checkVisibility()).map((one) => one.getAttribute('aria-label') ?? one.innerText)")
    assert visited == shown and len(shown) >= 5
    # The last Tab may have led out of the page.
    page.click("h1")
    page.focus("#bring > .copied > button")
    page.keyboard.press("Enter")
    eventually(page, lambda: page.inner_text("#say") == "Copied: latchkey import FILE", "what is said")
    assert pasted(it, site) == "latchkey import FILE"


#: The least contrast of a text to what is behind it, and what it is in; backgrounds that let something through are laid above each other.
CONTRAST = """() => {
  const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const light = (colours) => {
    context.reset();
    for (const colour of colours) { context.fillStyle = colour; context.fillRect(0, 0, 1, 1); }
    const [r, g, b] = [...context.getImageData(0, 0, 1, 1).data].map((value) => value / 255).map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  let least = [99, ''];
  for (const one of document.querySelectorAll('main *')) {
    if (!one.checkVisibility() || ![...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim())) continue;
    const behind = [];
    for (let up = one; up; up = up.parentElement) behind.unshift(getComputedStyle(up).backgroundColor);
    const [low, high] = [light(behind), light([...behind, getComputedStyle(one).color])].sort((a, b) => a - b);
    const ratio = (high + 0.05) / (low + 0.05);
    if (ratio < least[0]) least = [ratio, one.outerHTML];
  }
  return least;
}"""
#: What stands out of the window, or would be scrolled to.
WIDE = """() => [document.documentElement.scrollWidth > innerWidth, ...[...document.querySelectorAll('main *:not(.unseen)')]
  .filter((one) => one.checkVisibility()).filter((one) => { const { left, right } = one.getBoundingClientRect(); return left < 0 || right > innerWidth })
  .map((one) => one.outerHTML)]"""
HEBREW = "chrome.i18n.getMessage = (name) => name === '@@bidi_dir' ? 'rtl' : ''"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1200])
@pytest.mark.parametrize("direction", ["ltr", "rtl"])
def test_it_fits_and_is_readable(start, scheme, width, direction):
    it = start(fake=True)
    page = opened(it, HEBREW if direction == "rtl" else "")
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 700})
    page.evaluate("for (const part of document.querySelectorAll('#steps [hidden]')) part.hidden = false")
    assert page.evaluate("getComputedStyle(document.body).direction") == direction
    assert page.evaluate(WIDE) == [False]
    ratio, where = page.evaluate(CONTRAST)
    assert ratio >= 4.5, where
    # The number of a step is on the side where reading begins, and commands are read from left to right all the same.
    sides = page.evaluate("""() => { const box = document.querySelector('#latchkey').getBoundingClientRect();
      const inner = document.querySelector('#latchkey > h2').getBoundingClientRect(); return [inner.left - box.left, box.right - inner.right] }""")
    assert (sides[0] > sides[1]) is (direction == "ltr")
    assert {page.evaluate("one => getComputedStyle(one).direction", one) for one in page.query_selector_all("code, kbd")} == {"ltr"}


@pytest.mark.parametrize("said", ["", "RTL", "ltr; rtl", "auto"])
def test_a_direction_that_the_browser_does_not_name_is_left_to_right(start, said):
    it = start(fake=True)
    page = opened(it, f"chrome.i18n.getMessage = () => {json.dumps(said)}")
    assert page.evaluate("document.documentElement.dir") == "ltr"

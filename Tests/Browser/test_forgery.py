# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""S4, S5: other extensions, and renderers that say what they like."""

import json
import shutil
from pathlib import Path

import pytest

from calm import FRAMES
from browser import EXTENSION, NAME, ORIGIN, eventually
from conftest import RMONDELLO, SIGN_IN

EVIL = Path(__file__).with_name("evil-extension")
OWN = ["status", "open", "suggestions", "list", "choose", "openList", "unlock", "scale", "picker", "prompt", "answer", "act",
       "providers", "enable", "disable", "order", "configure"]

#: Resolves after more time than the guard wants a bar to be seen for.
LONG_ENOUGH = "new Promise((done) => setTimeout(done, 900))"


def evil(start, site, attack: str, **state):
    site.page("/evil", SIGN_IN.replace("<!doctype html>", f'<!doctype html><html data-evil="{attack}">'))
    it = start(fake=True, trusting=NAME == "chromium", extensions=[EVIL], **state)
    it.open("https://shiny.example.com/evil")
    it.page.wait_for_function("document.documentElement.dataset.done === 'attacked'")
    return it


@pytest.mark.parametrize("attack", ["replace", "add", "hide"])
def test_S4_bar_that_another_extension_rewrites_goes(start, site, attack):
    it = evil(start, site, attack)
    it.page.wait_for_function("!document.querySelector('[popover]')")
    it.bar.wait_until_gone()
    it.browser.round_trip()
    it.page.evaluate(FRAMES)
    assert it.bar.frames() == []
    assert it.latchkey.received("renderer.choose") == []
    assert it.values() == ["", ""]


def test_S4_imitation_gets_no_row(start, site):
    it = start(fake=True, trusting=True, extensions=[EVIL])
    it.open("https://shiny.example.com/login")
    it.bar.wait("#row-0")
    before = len(it.latchkey.received("renderer.suggestions"))
    it.page.evaluate("document.documentElement.dataset.evil = 'add'; document.body.append(document.createElement('b'))")
    it.page.wait_for_function("document.documentElement.dataset.done === 'attacked'")
    # The imitation goes with the bar that it stands in, or has asked by then.
    it.page.evaluate(LONG_ENOUGH)
    it.browser.round_trip()
    assert len(it.latchkey.received("renderer.suggestions")) == before
    assert it.latchkey.received("renderer.choose") == []


@pytest.mark.parametrize("style", [":host { mask-image: linear-gradient(transparent, transparent) !important }",
                                   "iframe { mask-image: linear-gradient(transparent, transparent) !important }"], ids=["bar", "frame"])
def test_S4_bar_that_another_extension_hides_by_what_the_browser_does_not_tell_is_not_trusted(start, site, tmp_path, style):
    copy = shutil.copytree(EVIL, tmp_path / "evil")
    script = (copy / "content.js").read_text()
    (copy / "content.js").write_text(script.replace(":host { opacity: 0.01 !important } iframe { opacity: 0.01 !important }", style))
    site.page("/evil", SIGN_IN.replace("<!doctype html>", '<!doctype html><html data-evil="style">'))
    it = start(fake=True, trusting=True, extensions=[copy])
    it.open("https://shiny.example.com/evil")
    it.page.wait_for_function("document.documentElement.dataset.done === 'attacked'")
    it.bar.click()
    assert it.received("renderer.choose")[-1]["guard"]["held"] is False


@pytest.mark.parametrize("attack", ["style", "copy"])
def test_S4_click_on_a_bar_that_another_extension_hides_does_not_count(start, site, attack):
    it = evil(start, site, attack)
    if attack == "style":
        it.bar.is_broken(within=20_000)
    else:
        copy = eventually(it.page, lambda: [frame for frame in it.bar.spares() if (box := frame.frame_element().bounding_box()) and box["x"] == 500], "the copy")[0]
        # For as long as a bar needs that is seen; this one never is.
        copy.evaluate(LONG_ENOUGH)
    x, y = (560, 320) if attack == "copy" else (it.bar.box()["x"] + 100, it.bar.box()["y"] + 20)
    it.page.mouse.move(x - 3, y)
    it.browser.click(it.page, x, y)
    it.bar.settle()
    # A page whose user is being asked has its answer after that.
    if it.browser.says_what_covers:
        it.browser.round_trip()
    assert it.is_refused(0)
    assert it.values() == ["", ""]


def test_S5_content_script_world_reaches_the_page_methods_only(start, site):
    it = start(fake=True)
    it.open("https://shiny.example.com/login")
    it.bar.wait("#row-0")
    run = it.browser.isolated_world()
    handle = it.bar.wait().evaluate("chrome.runtime.sendMessage({type: 'suggestions'})")["result"]["suggestions"][0]["handle"]
    before = [len(it.latchkey.received(name)) for name in ("renderer.suggestions", "renderer.choose", "renderer.unlock")]
    target = "target: {tab: 1, frame: 0, document: 'x'}"
    for name in [*OWN, *(f"renderer.{name}" for name in OWN), "constructor", "__proto__", "toString"]:
        answer = run(f"chrome.runtime.sendMessage({{type: '{name}', {target}, handle: '{handle}', guard: {{held: true}}, search: ''}})")
        assert answer["error"]["code"] == -32601, name
    assert before == [len(it.latchkey.received(name)) for name in ("renderer.suggestions", "renderer.choose", "renderer.unlock")]


def test_S5_forged_evidence_is_ignored(start, site):
    it = start(fake=True)
    page = it.open(site.page("/login", SIGN_IN, host="evil.example.net"))
    it.bar.wait()
    forged = {"tab": 1, "frame": 0, "document": "D1", "chain": [{"origin": "https://shiny.example.com", "document": "D1"}]}
    fields = [{"ref": 0, "tag": "input", "type": "text"}, {"ref": 1, "tag": "input", "type": "password"}]
    message = {"type": "page.focused", "focused": 0, "frame": forged, "origin": "https://shiny.example.com", "url": "https://shiny.example.com/",
               "page": {"fields": fields, "frame": forged, "origin": "https://shiny.example.com"}}
    answer = it.browser.isolated_world()(f"chrome.runtime.sendMessage({json.dumps(message)})")
    assert set(answer["result"]) == {"bar", "fields"}, "the session stays in the background script"
    got = it.latchkey.received("page.focused")[-1]
    assert [link["origin"] for link in got["frame"]["chain"]] == ["https://evil.example.net"]
    assert set(got) == {"frame", "focused", "page", "active"}
    assert got["active"] is False
    assert "origin" not in got["page"] and "frame" not in got["page"]
    it.browser.round_trip()
    assert "rmondello" not in " ".join(it.bar.texts())


def test_S5_session_is_for_its_own_document(start, site):
    """The extension's own frame asks for the document it is in, whatever it says."""
    it = start(fake=True)
    it.open("https://shiny.example.com/login")
    it.bar.wait("#row-0")
    other = it.browser.context.new_page()
    other.goto(site.page("/login", SIGN_IN, host="evil.example.net"))
    other.click("#user")
    frame = it.browser.bar(other).wait()
    session = it.latchkey.received("page.focused")[0]["frame"]
    target = {key: session[key] for key in ("tab", "frame", "document")}
    answer = frame.evaluate("target => chrome.runtime.sendMessage({type: 'suggestions', target})", target)
    assert answer["result"]["suggestions"] == []


def test_S5_row_of_one_document_cannot_be_chosen_in_another(start, site):
    it = start(fake=True, trusting=True)
    it.open("https://shiny.example.com/login")
    row = it.bar.wait("#row-0").evaluate("chrome.runtime.sendMessage({type: 'suggestions'})")["result"]["suggestions"][0]
    other = it.browser.context.new_page()
    other.goto("https://shiny.example.com/login")
    other.click("#user")
    frame = it.browser.bar(other).wait()
    answer = frame.evaluate("row => chrome.runtime.sendMessage({type: 'choose', handle: row.handle, guard: {held: true}})", row)
    assert answer["error"]["code"] == 7
    assert it.latchkey.received("renderer.choose") == []


def test_S5_extension_stores_no_secret_and_no_list(start, site):
    it = start()
    it.open("https://shiny.example.com/login")
    it.tap()
    it.filled()
    worker = it.browser.worker()
    stored = worker.evaluate("""async () => JSON.stringify([await chrome.storage.local.get(null), await chrome.storage.session.get(null),
      (await indexedDB.databases()).length, await caches.keys()])""")
    assert RMONDELLO.password not in stored and "rmondello" not in stored and "shiny" not in stored
    denied = it.browser.isolated_world()(
        "chrome.storage.session ? chrome.storage.session.get(null).then(() => 'read', () => 'denied') : 'denied'")
    assert denied == "denied"


def test_S5_page_cannot_embed_or_fetch_the_extension(start, site):
    it = start(fake=True)
    page = it.open("https://shiny.example.com/login", focus=None)
    # A page can have a frame of the bar's document (docs/threat-model.md), which shows nothing there: test_over_bars.py.
    for name in ("windows/popup.html", "windows/prompt.html", "windows/picker.html", "windows/rules.html", "windows/welcome.html",
                 "windows/look.css",
                 "background/background.js", "page/offering.js", "messages/errors.js"):
        assert (EXTENSION / name).is_file(), name
        url = f"{ORIGIN}/{name}"
        assert page.evaluate("url => fetch(url).then(() => 'read', () => 'denied')", url) == "denied"
        page.evaluate("url => new Promise(done => { const f = document.createElement('iframe'); f.onload = f.onerror = done; f.src = url; document.body.append(f) })", url)
    assert not [frame for frame in page.frames if frame.url.startswith(ORIGIN)]
    assert it.latchkey.received("renderer.suggestions") == []


@pytest.mark.chromium("what the background page of Firefox says is not on the wire")
def test_S5_nothing_is_logged(start, site):
    it = start()
    said = []
    hear = lambda message: said.append(message.text)  # noqa: E731
    it.browser.context.on("console", hear)
    it.browser.worker().on("console", hear)
    it.open("https://shiny.example.com/login")
    it.tap()
    it.filled()
    it.quiet()
    it.browser.context.remove_listener("console", hear)
    assert not [text for text in said if "rmondello" in text or RMONDELLO.password in text]
    scripts = sorted(EXTENSION.rglob("*.js"))
    assert {script.parent.name for script in scripts} == {"page", "background", "windows", "logic", "messages"}
    for script in scripts:
        assert "console." not in script.read_text(), script

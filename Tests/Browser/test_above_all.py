# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""What the browser itself draws above the bar or around it, fields that leave the document, copies of the bar, and clicks without end."""

import contextlib
import json

import pytest
from playwright.sync_api import Error

from attacks import choices, click, middle, note_presses, nothing_came, now, pause, press_after, prompts
from browser import eventually
from calm import FRAMES
from verdicts import NotTried, nothing_released

BELOW = """<!doctype html><meta charset="utf-8"><title>Shiny</title><style>body {margin: 0; font: 16px sans-serif} form {height: 400px}
input {position: absolute; left: 120px; top: 60px; width: 280px; height: 30px} #password {left: 520px; width: 200px}</style>
<form action="/session" method="post"><input id="user" name="user" autocomplete="username" aria-label="Name">
<input id="password" name="password" type="password" autocomplete="current-password" aria-label="Password"></form>"""

#: The words are the page's, and the browser shows them over the bar.
WRONG = "() => { const f = document.querySelector('#user'); f.setCustomValidity('We use cookies. '.repeat(12) + 'Click here'); f.reportValidity() }"

#: Within one event of the pointer the password field is in its form, where it is described; in every frame that is drawn it is elsewhere.
MOVED = """<!doctype html><meta charset="utf-8"><title>Newsletter</title><style>body {margin: 0; font: 16px sans-serif}
#user {position: absolute; left: 20px; top: 40px; width: 200px; height: 30px}
iframe {position: absolute; left: 0; top: 160px; width: 600px; height: 200px; border: 0; mask-image: linear-gradient(transparent, transparent)}
#password {position: absolute; left: 20px; top: 39px; width: 200px; height: 30px}</style>
<form id="form" style="position:absolute;top:0;left:0;width:600px;height:300px">
<input id="user" name="user" autocomplete="username" aria-label="Name"></form>
<iframe id="f" srcdoc="<style>input{position:absolute;left:20px;top:39px;width:200px;height:30px}</style><body>"></iframe>
<script>
const f = document.querySelector('#f'), p = document.createElement('input');
Object.assign(p, {type: 'password', name: 'password', id: 'password', autocomplete: 'current-password'});
window.got = [];
const hide = () => { p.style.left = ''; f.contentDocument.body.append(p); };
f.onload = hide;
for (const [on, off] of [['pointerover', 'pointermove'], ['pointermove', 'mousemove'], ['pointerdown', 'focusin']]) {
  addEventListener(on, (e) => { if (e.target.id === 'user' && p.ownerDocument !== document) { document.querySelector('#form').append(p); p.style.left = '300px'; } }, true);
  document.addEventListener(off, (e) => { if (e.target.id === 'user') hide(); });
}
document.addEventListener('mouseup', hide);
p.addEventListener('input', () => got.push(p.value));
</script>"""

#: Reads the address of the bar's frame in its closed root, and puts a frame of that address elsewhere.
COPYING = """const look = () => {
  const host = document.querySelector('[popover=manual]');
  const frame = host && (chrome.dom ? chrome.dom.openOrClosedShadowRoot(host) : host.openOrClosedShadowRoot)?.querySelector('iframe');
  if (frame && document.documentElement.dataset.copy && !document.querySelector('#copy')) {
    document.head.insertAdjacentHTML('beforeend', '<style>[popover=manual]::backdrop{display:none}</style>');
    const copy = document.createElement('iframe');
    copy.id = 'copy'; copy.src = frame.src; copy.style.cssText = 'position:fixed;left:300px;top:400px;border:0;width:80px;height:26px';
    document.body.append(copy);
  }
  requestAnimationFrame(look);
};
requestAnimationFrame(look);"""


def again(it, page):
    """One fill that was asked about, so that the next is not, and the page anew."""
    it.open(page)
    it.tap()
    it.filled()
    it.page.goto("about:blank")
    it.page.goto(page)
    it.page.mouse.click(200, 75)
    it.bar.arm()


def press(it):
    x, y = middle(it.bar.box())
    it.page.mouse.move(x - 4, y)
    it.browser.click(it.page, x, y)


def nothing_filled(it) -> None:
    """Waits for what comes of a choice that has to be asked about, and checks that it is that question and no fill."""
    eventually(it.page, lambda: prompts(it) or any(it.values()), "the question")
    nothing_released("the fields", it.values())


@pytest.mark.attack
def test_what_is_not_covered_is_filled_at_once(start, site):
    """Without this the others would say nothing."""
    it = start()
    again(it, site.page("/below", BELOW))
    press(it)
    eventually(it.page, lambda: any(it.values()) or prompts(it) or it.bar.was_early(), "what becomes of the press")
    if it.bar.was_early():
        raise NotTried("the bar changed just before the press, which was too early")
    it.must_be_proven()
    assert not prompts(it)
    it.filled()


@pytest.mark.attack
@pytest.mark.chromium("in Firefox a press while such words are there chooses nothing; nobody has looked why")
def test_S38_words_that_the_browser_shows_over_the_bar_take_it_away(start, site):
    it = start()
    again(it, site.page("/below", BELOW))
    it.page.evaluate(WRONG)
    eventually(it.page, lambda: not it.bar.frames(), "the bar is gone")
    # It comes back at the user's press, and the words may still be there.
    it.page.evaluate(WRONG)
    since = now(it.page)
    it.page.mouse.click(200, 75)
    it.bar.arm()
    count = note_presses(it)
    press(it)
    if press_after(it, count)["met"] - since > 10_000:
        raise NotTried("the words were gone before the press")
    nothing_filled(it)
    it.must_be_proven()


def test_S38_a_page_that_only_looks_whether_a_field_is_right_keeps_the_bar(start, site):
    it = start()
    again(it, site.page("/below", BELOW.replace('id="password"', 'id="password" required')))
    it.page.evaluate("document.querySelector('form').checkValidity()")
    press(it)
    it.filled()
    it.must_be_proven()
    assert not prompts(it)


@pytest.mark.attack
def test_S38_a_selection_is_not_drawn_over_the_bar(start, site):
    it = start()
    again(it, site.page("/below", BELOW))
    box = it.bar.box()
    clip = {name: box[name] for name in ("x", "y", "width", "height")}
    before = it.page.screenshot(clip=clip)
    it.page.evaluate("""() => {
      document.head.insertAdjacentHTML('beforeend', '<style>*::selection {background: rgb(255 255 255 / .99)}</style>');
      getSelection().selectAllChildren(document.documentElement) }""")
    it.page.evaluate(FRAMES)
    it.bar.frames()[-1].evaluate(FRAMES)
    assert it.page.screenshot(clip=clip) == before


@pytest.mark.attack
def test_S38_a_selection_around_the_frame_of_a_form_is_a_cover(start, site):
    it = start(fake=True)
    site.page("/below", BELOW)
    it.page.goto(site.page("/outer", """<!doctype html><style>body {margin: 0} ::selection {background: rgb(255 255 255 / .99)}</style>
      <iframe name="inner" src="/below" style="width:800px;height:500px;border:0"></iframe><p>text"""))
    frame = it.frame("inner")
    frame.click("#user")
    it.bar.arm()
    x, y = middle(it.bar.box())
    # Where a frame is inside of another, the pointer has to have rested in it.
    it.page.mouse.move(x - 4, y)
    it.page.evaluate("getSelection().selectAllChildren(document.documentElement)")
    pause(it.page, 700)
    click(it, x, y)
    nothing_came(it, 0, frame)
    if not choices(it):
        raise NotTried("the press was too early")
    it.must_be_proven()
    [choice] = choices(it)
    assert choice["unseen"] == [0, 1]
    assert not it.browser.says_what_covers or choice["guard"]["reason"] == "veiled"


@pytest.mark.attack
def test_S40_a_field_that_was_moved_into_another_document_is_not_filled(start, site):
    it = start()
    again(it, site.page("/below", BELOW))
    it.page.goto(site.page("/moved", MOVED))
    it.page.wait_for_function("p.ownerDocument !== document")
    for x, y in [(300, 380), (100, 55), (300, 380), (90, 55)]:
        it.page.mouse.move(x, y)
        # The extension's part that describes the fields gets as much time as a person leaves it.
        pause(it.page, 300)
    it.page.mouse.down()
    it.page.mouse.up()
    it.bar.arm()
    press(it)
    # The press ends in a fill of the name alone, in a word that nothing was filled, or in a question.
    eventually(it.page, lambda: prompts(it) or it.bar.was_early() or it.values("#user") != [""] or it.toolbar()[0] != "Latchkey", "what comes of the press")
    if it.bar.was_early():
        raise NotTried("the press was too early")
    for prompt in prompts(it):
        it.accept(prompt)
    it.quiet()
    nothing_released("the field in another document", it.page.evaluate("got"))


def test_S67_a_copy_of_the_bar_is_not_the_bar(start, site, tmp_path):
    (tmp_path / "manifest.json").write_text(json.dumps({
        "manifest_version": 3, "name": "Another extension", "version": "1",
        "content_scripts": [{"matches": ["https://*/*"], "js": ["copy.js"], "run_at": "document_start"}]}))
    (tmp_path / "copy.js").write_text(COPYING)
    it = start(extensions=[tmp_path])
    again(it, site.page("/below", BELOW))
    it.page.evaluate("document.documentElement.dataset.copy = 1")
    box = it.page.locator("#copy").bounding_box()

    def copy():
        for frame in it.page.frames:
            with contextlib.suppress(Error):
                place = frame.parent_frame and "bar.html" in frame.url and frame.frame_element().bounding_box()
                if place and place["x"] == box["x"]:
                    return frame
        return None

    frame = eventually(it.page, copy, "the copy")
    # It has not got the word, so it shows nothing, however long it is there.
    frame.evaluate("new Promise((done) => setTimeout(done, 900))")
    assert frame.evaluate("document.body.hidden")
    it.page.mouse.move(box["x"] + 10, box["y"] + 12)
    it.browser.click(it.page, box["x"] + 14, box["y"] + 13)
    it.browser.at_rest()
    nothing_released("the fields", it.values())
    assert prompts(it) == []


@pytest.mark.attack
@pytest.mark.chromium("in Firefox the bar goes with such a press, where something is saved; the threat model says so")
def test_S1_a_click_on_a_covered_bar_tells_nothing_of_what_is_saved(start, site):
    it = start()
    site.page("/below", BELOW)
    site.page("/below", BELOW, host="evil.example.net")
    seen = []
    for host in ("shiny.example.com", "evil.example.net"):
        it.page.goto(f"https://{host}/below")
        it.page.click("#user")
        it.bar.arm()
        place = middle(it.bar.box())
        it.page.evaluate("""() => { const over = document.createElement('div'); over.popover = 'manual';
          over.style.cssText = 'position:fixed;inset:0;width:100vw;height:100vh;margin:0;border:0;background:white;pointer-events:none';
          document.body.append(over); over.showPopover() }""")
        if not it.bar.is_broken(within=20_000):
            raise NotTried("the cover was not there")
        if click(it, *place)["isWhole"]:
            raise NotTried("the bar was not covered at the press")
        seen.append(it.page.evaluate("[...document.querySelectorAll('[popover=manual]')].map((one) => [one.offsetWidth, one.offsetHeight])"))
    # A press that comes before the guard knows of the cover counts, and is asked about, which the page sees: so this is no finding.
    assert seen[0] == seen[1]

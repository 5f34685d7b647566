# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""S1-S3: a page that hides, covers, shrinks or moves the bar so that the user chooses without knowing.

The daemon is a stand-in that releases after any choice for which the extension says that the guard held, so that only
the extension stands in the way. Each attack has one outcome that is right:

- `harmless`: it has no effect; the bar looks as it did before, to the pixel;
- `refused`: the click does not count at all;
- `confirmed`: the click counts, but the extension says that the guard did not hold, so a window outside the page asks.
"""

import pytest
from PIL import ImageChops

from attacks import AWAIT_BAR, NOTE, NOW, choices, click, heard, middle, note_presses, nothing_came, now, pause, picture, press_after, pressed_once, prompts
from calm import FRAMES
from browser import eventually
from conftest import SIGN_IN
from setting import proven
from verdicts import NotTried, must_hold, nothing_released

pytestmark = pytest.mark.attack

HOST = "const host = document.querySelector('[popover=manual]');"
COVER = "position: fixed; inset: 0; width: 100vw; height: 100vh; margin: 0; border: 0; padding: 0; z-index: 2147483647; pointer-events: none;"
OVER = "const over = document.createElement('div'); over.textContent = 'We use cookies'; over.style.cssText = `%s`;"

#: Moves the focus to a button of the page, from which a key moves it to the field.
BEFORE = """() => {
  if (!document.querySelector('#before')) document.body.insertAdjacentHTML('afterbegin', '<button id="before" style="position: fixed; right: 0; bottom: 0">');
  document.querySelector('#before').focus();
}"""

ATTACKS = {
    "root opacity": (HOST + "host.style.setProperty('opacity', '0.001', 'important')", "harmless"),
    "root animated": (HOST + "host.animate([{opacity: 0}, {opacity: 0}], {duration: 1e6, fill: 'both'})", "confirmed"),
    "root transition": (HOST + "host.style.cssText = 'transition: opacity 1ms !important; opacity: 0 !important'", "harmless"),
    "root transform": (HOST + "host.style.setProperty('transform', 'scale(8)', 'important')", "harmless"),
    "root clip-path": (HOST + "host.style.setProperty('clip-path', 'circle(4px)', 'important')", "harmless"),
    "root mask": (HOST + "host.style.setProperty('mask-image', 'linear-gradient(transparent, transparent)', 'important')", "harmless"),
    "root filter": (HOST + "host.style.setProperty('filter', 'opacity(0)', 'important')", "harmless"),
    "root zoom": (HOST + "host.style.setProperty('zoom', '6', 'important')", "harmless"),
    "root class": ("document.head.insertAdjacentHTML('beforeend', '<style>[popover]{opacity:0!important;visibility:hidden!important;left:0!important}</style>')", "harmless"),
    "body opacity": ("document.body.style.opacity = '0'", "harmless"),
    "html opacity": ("document.documentElement.style.opacity = '0'", None),
    "html filter": ("document.documentElement.style.filter = 'opacity(0)'", None),
    "html mask": ("document.documentElement.style.maskImage = 'linear-gradient(transparent, transparent)'", None),
    "html clip-path": ("document.documentElement.style.clipPath = 'circle(4px at 120px 180px)'", None),
    "html blend": ("document.documentElement.style.mixBlendMode = 'difference'", None),
    "html visibility": ("document.documentElement.style.visibility = 'hidden'", None),
    "html zoom": ("document.documentElement.style.zoom = '0.5'", "confirmed"),
    "partial overlay": (OVER % (COVER + "height: 50vh; background: white") + "document.body.append(over)", "harmless"),
    "full overlay": (OVER % (COVER + "background: white") + "document.documentElement.append(over)", "harmless"),
    "popover on top": (OVER % (COVER + "background: white") + "over.popover = 'manual'; document.body.append(over); over.showPopover()", "refused"),
    "partial popover on top": (
        HOST + OVER % (COVER + "background: white; width: 80px; height: 30px") + "over.style.left = host.getBoundingClientRect().x + 20 + 'px'; over.style.top = host.getBoundingClientRect().y + 3 + 'px'; over.popover = 'manual'; document.body.append(over); over.showPopover()",
        "refused"),
    "transparent popover on top": (OVER % (COVER + "opacity: 0.01") + "over.popover = 'manual'; document.body.append(over); over.showPopover()", "refused"),
}


def judge(it, before: int, count: int, since: float, limit: float) -> dict:
    """Judges a press that came before the bar takes one; returns the note of it.

    `before` it there were so many choices, and so many notes of presses (`count`). The change that the attack makes came at `since`; a
    press that met a document more than `limit` milliseconds later was none of a user who had no time to look.
    """
    press = press_after(it, count)
    heard(it)
    if (passed := press["met"] - since) >= limit:
        raise NotTried(f"the press came {passed:.0f} ms after the change, not within {limit:.0f}")
    nothing_came(it, before, inner(it))
    return press


def inner(it):
    """The frame with the form, where the page has one."""
    return it.frame("inner") if it.page.query_selector("iframe[name=inner]") else None


@pytest.fixture(scope="module")
def trusted(start_for_all, server):
    """A browser whose daemon trusts this pair of site and account, as long as the guard holds."""
    return pressed_once(start_for_all(fake=True), server)


@pytest.fixture
def it(trusted, site):
    site.page("/roomy", SIGN_IN.replace("<h1>", "<h1 style='margin-top: 60px'>"))
    trusted.browser.close_windows()
    trusted.page.mouse.move(1, 1)
    trusted.open("https://shiny.example.com/roomy")
    trusted.bar.arm()
    return trusted


@pytest.mark.parametrize("name", ATTACKS)
def test_S1(it, name):
    """Makes an attack, clicks, and judges by the outcome that is right."""
    script, outcome = ATTACKS[name]
    before = len(choices(it))
    box = it.bar.box()
    x, y = middle(box)
    clean = picture(it, box)
    it.page.evaluate(f"() => {{ {script} }}")
    it.page.evaluate(FRAMES)
    if outcome in ("refused", None) and it.browser.says_what_covers and not it.bar.is_broken(within=20_000 if outcome else 2_000) and outcome:
        raise NotTried("the cover was not there")
    if "zoom = '0.5'" in script and not it.browser.says_what_covers:
        pytest.skip("Firefox states places in what is made smaller in another way, so the click would meet the page")
    if outcome == "confirmed":
        it.bar.arm()
        box = it.bar.box()
        click(it, box["x"] + 60, box["y"] + 8)  # half the size
        nothing_came(it, before)
        if len(choices(it)) == before:
            raise NotTried("the press was too early")
        it.must_be_proven()
        eventually(it.page, lambda: prompts(it), "the question")
        return
    if outcome == "harmless":
        it.bar.arm()
    looks_the_same = it.bar.frames() and ImageChops.difference(clean, picture(it, box)).getbbox() is None
    click(it, x, y)
    if outcome == "harmless":
        if len(choices(it)) == before:
            raise NotTried("the press was too early")
        assert looks_the_same, "the attack changed how the bar looks"
        it.must_be_proven()
        must_hold(proven(choices(it)[-1:]), "the guard did not hold")
    # Whether the browser lets such an effect reach the top layer is its own affair: no click without the looks.
    elif outcome == "refused" or not looks_the_same:
        nothing_came(it, before)
        # Nor is anything asked.
        assert it.is_refused(before)


def test_S1_child_is_out_of_reach(it):
    assert it.page.evaluate("document.querySelector('[popover=manual]').shadowRoot") is None
    assert it.page.evaluate("length") == 0


@pytest.mark.parametrize("script", [
    "host.removeAttribute('popover')", "host.hidePopover()", "document.body.append(host)", "host.remove()", "host.popover = 'auto'"])
def test_S1_bar_that_is_tampered_with_goes(it, script):
    it.page.evaluate(f"() => {{ {HOST} {script} }}")
    it.page.wait_for_function("!document.querySelector('div[popover], div:empty')")
    it.bar.wait_until_gone()


@pytest.mark.parametrize("rest", [60, 400], ids=["as soon as it is there", "after a moment"])
def test_S1_bar_moved_under_the_cursor_just_before_the_click(it, rest):
    """The user is about to click a button of the page; the page moves the field so that the bar comes to be there."""
    box = it.bar.box()
    x, y = box["x"] + 120, box["y"] + 320
    before, count = len(choices(it)), note_presses(it)
    it.page.mouse.move(x, y)
    since = it.page.evaluate(f"() => {{ document.querySelector('form').style.cssText = 'position: relative; top: 300px'; return {NOW} }}")
    pause(it.page, rest)
    it.browser.click(it.page, x, y)
    # It takes 150 ms of standing still before the bar is back.
    judge(it, before, count, since, 650)


def test_S1_click_right_after_the_bar_came_does_not_fill(it):
    x, y = middle(it.bar.box())
    it.page.keyboard.press("Escape")
    it.page.wait_for_function("!document.querySelector('[popover]')")
    it.bar.wait_until_gone()
    it.page.mouse.move(x, y)
    # The mouse is there already; the bar comes because the field is asked for by the keyboard's way.
    it.page.evaluate(BEFORE)
    before, count = len(choices(it)), note_presses(it)
    it.page.evaluate(AWAIT_BAR)
    it.page.keyboard.press("Tab")
    it.bar.wait("#row-0").evaluate(NOTE)
    it.browser.click(it.page, x, y)
    press = press_after(it, count)
    heard(it)
    if not press["isBar"]:
        raise NotTried("the bar was not under the pointer yet")
    judge(it, before, count, it.page.evaluate("window.came"), 500)


def test_S1_click_right_after_a_bar_came_that_was_loaded_before(it):
    """Pointing at a field loads its bar unseen; the time in which nobody could see it does not arm it."""
    x, y = middle(it.bar.box())
    it.page.keyboard.press("Escape")
    it.page.evaluate(BEFORE)
    it.bar.wait_until_gone()
    it.page.mouse.move(1, 1)
    it.page.hover("#user")
    it.bar.wait("#row-0")
    it.bar.rest(900)
    before, count = len(choices(it)), note_presses(it)
    since = now(it.page)
    it.page.keyboard.press("Tab")
    it.page.wait_for_selector("[popover]:popover-open")
    pause(it.page, 200)  # until the browser has said that it is whole: before that no click counts
    it.browser.click(it.page, x, y)
    press = judge(it, before, count, since, 500)
    if not press["isBar"] or not press["isWhole"]:
        raise NotTried("the browser had not yet said that the bar is whole")


@pytest.mark.parametrize("script", [
    "host.showPopover()", "host.popover = 'auto'; host.showPopover()", "host.removeAttribute('popover')", "document.body.append(host)", "host.remove()"])
def test_S1_bar_that_waits_is_shown_by_nobody_else(it, script):
    it.page.evaluate("document.querySelector('#user').blur()")
    it.bar.wait_until_gone()
    it.page.mouse.move(1, 1)
    it.page.hover("#user")
    it.bar.wait("#row-0")
    it.page.evaluate(f"() => {{ {HOST} {script}; }}")
    it.page.wait_for_function("!document.querySelector('div[popover], div:empty')")
    it.bar.wait_until_gone()


FRAMED = '<!doctype html><iframe name="inner" src="/roomy" style="width: 800px; height: 600px; border: 0; %s"></iframe>'


@pytest.mark.parametrize("style", ["opacity: 0.01", "filter: opacity(0.01)", "transform: scale(0.2); transform-origin: 0 0"])
def test_S2_frame_with_the_form_made_unseen(it, site, style):
    it.page.goto(site.page("/outer", FRAMED % ""))
    frame = it.frame("inner")
    frame.click("#user")
    it.bar.arm()
    it.page.evaluate("style => { document.querySelector('iframe').style.cssText += ';' + style }", style)
    if not it.bar.is_broken(within=20_000) and it.browser.says_what_covers:
        raise NotTried("the browser did not say that the frame is unseen")
    before = len(choices(it))
    bars = it.bar.frames()
    box = bars[-1].frame_element().bounding_box() if bars else None
    if box and box["width"] > 20:
        scale = box["width"] / 280
        click(it, box["x"] + 100 * scale, box["y"] + 20 * scale)
    nothing_came(it, before, frame)
    assert it.is_refused(before)


@pytest.mark.parametrize("style", [
    "mask-image: linear-gradient(transparent, transparent)", "mask-image: linear-gradient(transparent 50%, #000)",
    "-webkit-mask-box-image: linear-gradient(transparent, transparent)", "outline: 400px solid white; outline-offset: -400px"])
@pytest.mark.parametrize("around", ["iframe", "main"], ids=["itself", "around it"])
def test_S2_frame_that_is_hidden_by_what_the_browser_does_not_tell_is_asked_about(it, site, around, style):
    it.page.goto(site.page("/outer", f"<main>{FRAMED % ''}</main>"))
    frame = it.frame("inner")
    frame.click("#user")
    it.bar.arm()
    x, y = middle(it.bar.box())
    it.page.mouse.move(x, y)
    it.page.evaluate("([around, style]) => { document.querySelector(around).style.cssText += ';' + style }", [around, style])
    it.bar.rest()
    before = len(choices(it))
    click(it, x, y)
    nothing_came(it, before, frame)


def test_S2_frame_clipped_down_to_one_row(it, site):
    it.page.goto(site.page("/outer", FRAMED % ""))
    frame = it.frame("inner")
    frame.click("#user")
    it.bar.arm()
    box = it.bar.box()
    it.page.evaluate("bottom => { document.querySelector('iframe').style.clipPath = `inset(0 0 ${bottom}px 0)` }", 600 - (box["y"] + 14))
    x, y = middle(box)
    if it.browser.says_what_covers and not it.bar.is_broken(within=20_000):
        raise NotTried("the browser did not say that the frame is clipped")
    before = len(choices(it))
    click(it, x, y)
    nothing_came(it, before, frame)
    assert it.is_refused(before)


@pytest.mark.parametrize("inside", [False, True], ids=["that is beside the bar", "that is in the bar"])
def test_S2_frame_with_the_form_moved_under_the_cursor(it, site, inside):
    it.page.goto(site.page("/outer", FRAMED % "position: absolute; top: 0; left: 0"))
    frame = it.frame("inner")
    frame.click("#user")
    it.bar.arm()
    box = it.bar.box()
    x, y = (box["x"] + 200, box["y"] + 31) if inside else (box["x"] + 200, box["y"] + box["height"] + 60)
    move = y - (box["y"] + 20)
    it.page.mouse.move(x, y)
    it.bar.rest()
    before, count = len(choices(it)), note_presses(it)
    since = it.page.evaluate(f"move => {{ document.querySelector('iframe').style.top = move + 'px'; return {NOW} }}", move)
    pause(it.page, 50)
    it.browser.click(it.page, x, y)
    judge(it, before, count, since, 500)


def test_S2_bar_of_a_frame_that_stands_still_is_trusted(it, site):
    it.page.goto(site.page("/outer", FRAMED % ""))
    frame = it.frame("inner")
    frame.click("#user")
    it.bar.arm()
    x, y = middle(it.bar.box())
    it.page.mouse.move(x, y)
    it.bar.rest()
    before = len(choices(it))
    click(it, x, y)
    if len(choices(it)) == before:
        raise NotTried("the press was too early")
    it.must_be_proven()
    if not it.browser.says_what_covers:
        assert choices(it)[-1]["guard"]["reason"] == "framed"
        return
    assert choices(it)[-1]["guard"]["held"]
    it.filled(frame)


def test_S3_nothing_is_filled_without_an_act(it):
    before = len(choices(it))
    box = it.bar.box()
    it.page.evaluate("""([x, y]) => {
      const host = document.querySelector('[popover=manual]');
      for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'])
        host.dispatchEvent(new MouseEvent(type, {bubbles: true, composed: true, clientX: x, clientY: y}));
      host.click(); host.focus();
      for (const key of ['ArrowDown', 'Enter', 'Tab', ' '])
        for (const type of ['keydown', 'keypress', 'keyup']) document.querySelector('#user').dispatchEvent(new KeyboardEvent(type, {key, bubbles: true, composed: true}));
    }""", list(middle(box)))
    it.page.evaluate(FRAMES)
    heard(it)
    nothing_released("choices", choices(it)[before:])
    nothing_released("the fields", it.values())


def test_S3_click_made_by_script_does_not_count(it):
    before = len(choices(it))
    it.bar.arm().evaluate("document.querySelector('#row-0').click()")
    heard(it)
    nothing_released("choices", choices(it)[before:])
    nothing_released("the fields", it.values())

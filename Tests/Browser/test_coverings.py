# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""S38: a page that covers the bar where its own thread says nothing of it: by what the compositor moves while the thread is held up.

Each covering is tried with a thread that is held up, one that is busy and one that idles. The daemon is a stand-in that releases
after any choice for which the guard held. So each covering ends in one of two ways: the guard does not hold, and the user is asked
outside the page; or the covering is `harmless`, and the bar looks as it did before, to the pixel.
"""

import pytest
from PIL import ImageChops

from attacks import choices, chosen, heard, middle, note_presses, nothing_came, pause, picture, press_after, pressed_once
from browser import eventually
from conftest import SIGN_IN
from setting import proven
from verdicts import NotTried, must_hold

#: When a covering comes over the bar, and how long the thread is held up, in milliseconds after its beginning.
COMES, HELD, FREE = 1000, 800, 2400

#: States of the page's thread. Each covering is an attack with the thread held up, and a few of them with all three.
HELD_UP, ALL = ("held up",), ("held up", "busy", "idle")

#: Each has a name, whether it covers at all, and with which threads it is an attack. What a page does in it stays away from the bar until `COMES`.
COVERINGS = {
    "popover that slides": ("over.popover = 'manual'; show(over); slide(over)", True, ALL),
    "popover=auto that slides": ("over.popover = 'auto'; show(over); slide(over)", True, HELD_UP),
    "popover=hint that slides": ("over.popover = 'hint'; show(over); slide(over)", True, HELD_UP),
    "popover that fades in": ("over.popover = 'manual'; show(over); come(over, {opacity: 0}, {opacity: 1})", True, HELD_UP),
    "popover that grows": ("over.popover = 'manual'; show(over); come(over, {transform: 'scale(0)'}, {transform: 'scale(1)'})", True, ALL),
    "popover by a filter": ("over.popover = 'manual'; show(over); come(over, {filter: 'opacity(0)'}, {filter: 'opacity(1)'})", True, ALL),
    "popover by clip-path": ("over.popover = 'manual'; show(over); come(over, {clipPath: 'inset(0 100% 0 0)'}, {clipPath: 'inset(0 0 0 0)'})", True, HELD_UP),
    "popover by a backdrop filter": (
        "over.style.background = 'none'; over.popover = 'manual'; show(over); come(over, {backdropFilter: 'blur(0)'}, {backdropFilter: 'blur(30px)'})", True, HELD_UP),
    "popover in a closed root": (
        "const host = document.createElement('div'); document.body.append(host); host.attachShadow({mode: 'closed'}).append(over);"
        "over.popover = 'manual'; over.showPopover(); slide(over)", True, HELD_UP),
    "popover in a root in a root": (
        "const host = document.createElement('x-y'), deep = document.createElement('div'); document.body.append(host);"
        "host.attachShadow({mode: 'closed'}).append(deep); deep.append('text'); deep.attachShadow({mode: 'closed'}).append(over);"
        "over.popover = 'manual'; over.showPopover(); slide(over)", True, HELD_UP),
    "popover by a style sheet's animation": (
        "style('@keyframes come {to {transform: translateX(3000px)}} #over {animation: come 60ms ' + COMES + 'ms forwards}');"
        "over.style.right = 'auto'; over.style.left = '-3000px'; over.popover = 'manual'; show(over)", True, HELD_UP),
    "popover by a transition": (
        "over.style.right = 'auto'; over.style.left = '-3000px'; over.style.transition = 'transform 50ms linear ' + COMES + 'ms'; over.popover = 'manual'; show(over);"
        "over.getBoundingClientRect(); over.style.transform = 'translateX(3000px)'", True, HELD_UP),
    "popover that was there first": ("over.popover = 'manual'; show(over); slide(over); again()", True, HELD_UP),
    "popover's backdrop": (
        "style('@keyframes come {to {transform: translateX(3000px)}}"
        " #over::backdrop {display: block; background: white; pointer-events: none; right: auto; left: -3000px; width: 100vw; animation: come 60ms ' + COMES + 'ms forwards}');"
        "over.style.cssText += 'width: 1px; height: 1px; inset: auto; left: 0; top: 0'; over.popover = 'manual'; show(over)", True, ALL),
    "popover that blends": (
        "over.style.mixBlendMode = 'difference'; over.popover = 'manual'; show(over); slide(over)", True, HELD_UP),
    "popover placed by an anchor": (
        "style('[popover=manual] {anchor-name: --bar} #over {position-anchor: --bar; position-area: center; position-visibility: anchors-visible}');"
        "over.popover = 'manual'; show(over); slide(over)", True, HELD_UP),
    "popover that skips its content": (
        "over.style.contentVisibility = 'auto'; over.popover = 'manual'; show(over); slide(over)", True, HELD_UP),
    "popover that scrolls and snaps": (
        "over.style.cssText += 'overflow: scroll; scroll-snap-type: x mandatory; background: none';"
        "over.innerHTML = '<div style=\"width: 300vw; height: 100%; position: relative\"><i style=\"position: absolute; left: 150vw; width: 100vw; height: 100%; background: white\"></i></div>';"
        "over.popover = 'manual'; show(over); setTimeout(() => over.scrollTo({left: 1.5 * innerWidth, behavior: 'smooth'}), HELD - 20)", True, HELD_UP),
    "popover that a scroll drives": (
        "document.body.style.minHeight = '400vh'; style('@keyframes come {from {opacity: 0} to {opacity: 1}} #over {animation: come linear both; animation-timeline: scroll(root)}');"
        "over.popover = 'manual'; show(over)", True, ALL),
    "canvas that a worker draws": (
        "const canvas = document.createElement('canvas'); canvas.id = 'over'; canvas.style.cssText = over.style.cssText + 'background: none'; canvas.popover = 'manual'; show(canvas);"
        "const drawing = canvas.transferControlToOffscreen();"
        "new Worker(URL.createObjectURL(new Blob(['onmessage = ({data: {drawing, COMES}}) => setTimeout(() => { const c = drawing.getContext(`2d`); c.fillStyle = `white`; c.fillRect(0, 0, 9999, 9999) }, COMES)'])))"
        ".postMessage({drawing, COMES}, [drawing])", True, ALL),
    "video": (
        "const video = document.createElement('video'); video.id = 'over'; video.style.cssText = over.style.cssText + 'object-fit: fill'; video.muted = true; video.popover = 'manual';"
        "const canvas = document.createElement('canvas'); canvas.getContext('2d').fillRect(0, 0, 300, 150); video.srcObject = canvas.captureStream(); video.play(); show(video); slide(video)", True, HELD_UP),
    "frame as a popover": ("const frame = document.createElement('iframe'); frame.srcdoc = 'We use cookies'; frame.style.cssText = over.style.cssText; frame.popover = 'manual'; show(frame); slide(frame)", True, ALL),
    "drawing as a popover": ("over.innerHTML = '<svg width=900 height=700><rect width=900 height=700 fill=white /></svg>'; over.popover = 'manual'; show(over); slide(over)", True, HELD_UP),
    "list of a select": (
        "style('select, ::picker(select) {appearance: base-select} ::picker(select) {pointer-events: none; position: fixed; inset: 0; width: 100vw; height: 100vh}');"
        "const select = document.createElement('select'); select.innerHTML = '<option>We use cookies'; document.body.append(select); setTimeout(() => select.showPicker(), 10)", True, ALL),
    "modal dialog": (
        "const dialog = document.createElement('dialog'); dialog.style.cssText = over.style.cssText; document.body.append(dialog); dialog.showModal(); slide(dialog)", True, ALL),
    "dialog": ("const dialog = document.createElement('dialog'); dialog.style.cssText = over.style.cssText; document.body.append(dialog); dialog.show(); slide(dialog)", False, HELD_UP),
    "box with the highest z-index": ("show(over); slide(over)", False, HELD_UP),
    "layer of its own": (
        "over.style.willChange = 'transform'; over.popover = 'manual'; show(over); slide(over)", True, HELD_UP),
    "element that may be captured": (
        "over.style.isolation = 'isolate'; over.style.transformStyle = 'flat'; over.popover = 'manual'; show(over); slide(over)", True, HELD_UP),
    "list of an input": (
        "const field = document.createElement('input'); field.setAttribute('list', 'names'); field.style.cssText = 'position: fixed; top: 0; left: 0; width: 90vw';"
        "document.body.insertAdjacentHTML('beforeend', '<datalist id=names><option>We use cookies<option>and more<option>and more</datalist>'); document.body.append(field);"
        "setTimeout(() => { try { field.showPicker() } catch {} }, 10)", None, HELD_UP),
    "picture for a cursor": (
        "style('html, html * {cursor: url(\"data:image/svg+xml,<svg xmlns=%27http://www.w3.org/2000/svg%27 width=%27128%27 height=%27128%27><rect width=%27128%27 height=%27128%27 fill=%27white%27/></svg>\") 64 64, auto !important}')",
        None, HELD_UP),
    "window that is moved": ("setTimeout(() => { moveBy(0, 44); resizeBy(0, -44) }, HELD - 20)", None, ALL),
}

#: What the page runs. A thread that is busy gets to its other tasks for a few milliseconds at a time.
RUN = """([body, thread, COMES, HELD, FREE]) => {
  const style = (text) => document.head.append(Object.assign(document.createElement('style'), {textContent: text}));
  // A popover has a backdrop, which lies over the bar from the start.
  style('#over::backdrop {display: none}');
  const inner = document.querySelector('iframe');
  const over = document.createElement('div');
  over.id = 'over';
  over.textContent = 'We use cookies';
  over.style.cssText = 'position: fixed; inset: 0; width: 100vw; height: 100vh; margin: 0; border: 0; padding: 0; z-index: 2147483647;'
    + 'pointer-events: none; background: white;';
  const show = (element) => { document.body.append(element); if (element.popover) element.showPopover(); };
  // Until it begins an animation has no effect, so that there is nothing for the browser to see while the thread still runs.
  const come = (element, from, to) => {
    Object.assign(element.style, from);
    element.animate([from, to], {delay: COMES, duration: 60, fill: 'forwards'});
  };
  const slide = (element) => {
    Object.assign(element.style, {right: 'auto', left: '-3000px'});
    come(element, {transform: 'none'}, {transform: 'translateX(3000px)'});
  };
  const again = () => { const field = document.querySelector('#user'); field.blur(); field.focus(); };
  Object.assign(window, {isOver: false, began: performance.timeOrigin + performance.now()});
  new Function('over', 'inner', 'style', 'show', 'come', 'slide', 'again', 'COMES', 'HELD', body)(over, inner, style, show, come, slide, again, COMES, HELD);
  const end = performance.now() + FREE;
  const hold = (time) => { const till = performance.now() + time; while (performance.now() < till); };
  setTimeout(() => {
    if (thread === 'held up') hold(FREE - HELD);
    const work = () => { if (performance.now() > end) window.isOver = true; else { hold(120); setTimeout(work, 5); } };
    if (thread === 'busy') work();
    else setTimeout(() => { window.isOver = true; }, end - performance.now());
  }, HELD);
}"""


@pytest.fixture(scope="module")
def trusted(start_for_all, server):
    """A browser whose daemon trusts this pair of site and account, as long as the guard holds."""
    return pressed_once(start_for_all(fake=True), server)


@pytest.fixture
def it(trusted, site):
    site.page("/roomy", SIGN_IN.replace("<h1>", "<h1 style='margin-top: 60px'>"))
    trusted.browser.close_windows()
    trusted.page.mouse.move(1, 1)
    return trusted


def press(it, x: float, y: float) -> None:
    """Clicks without waiting for the page, whose thread may be held up."""
    it.browser.mouse(it.page, "down", x, y)
    pause(it.browser.worker(), 60)
    it.browser.mouse(it.page, "up", x, y)


def covered(it, body: str, thread: str, place: tuple[float, float], look) -> None:
    """Covers the bar, and clicks at a place once, while the covering is there and the page's thread is as it is meant to be.

    It looks twice, with the pointer at the same place: before, and once the covering is there.
    """
    it.page.mouse.move(place[0] - 4, place[1])
    pause(it.page, 600)
    look()
    count = note_presses(it)
    it.page.evaluate(RUN, [body, thread, COMES, HELD, FREE])
    # The page cannot count the time while its thread is held up.
    pause(it.browser.worker(), COMES + 350)
    if thread == "idle":
        look()
    press(it, *place)
    eventually(it.page, lambda: it.page.evaluate("window.isOver"), "the end of the covering's time")
    made = press_after(it, count)["made"] - it.page.evaluate("began")
    heard(it)
    if made < COMES + 100 or (thread != "idle" and made > FREE):
        raise NotTried(f"the press came {made:.0f} ms after the beginning, when the page's thread was not {thread} below a covering")


LISTS = {"list of a select": [pytest.mark.chromium("in Firefox the list is a window of the browser's, which takes the press")]}
CASES = [
    pytest.param(name, thread, marks=([pytest.mark.attack] if thread in threads else []) + LISTS.get(name, []))
    for name, (_, _, threads) in COVERINGS.items() for thread in ALL
]


@pytest.mark.parametrize(("name", "thread"), CASES)
def test_S38(it, name, thread):
    body, covers, _ = COVERINGS[name]
    it.open("https://shiny.example.com/roomy")
    it.bar.arm()
    before, box = len(choices(it)), it.bar.box()
    pictures = []
    # A bar that the page has closed by moving the focus is covered by nothing.
    covered(it, body, thread, middle(box), lambda: it.bar.frames() and pictures.append(picture(it, box)))
    differs = len(pictures) == 2 and ImageChops.difference(*pictures).getbbox() is not None
    if covers or differs:
        nothing_came(it, before)
    assert covers is not False or not differs, "it was thought to cover nothing"


@pytest.mark.parametrize("mode", ["open", "closed"])
def test_S38_bar_of_a_field_in_a_shadow_root_that_the_user_tabbed_into_is_trusted(it, site, mode):
    it.page.goto(site.page("/rooted", f'''<!doctype html><meta charset="utf-8"><title>Sign in</title><button id="before">Before</button><sign-in></sign-in><script>
      customElements.define('sign-in', class extends HTMLElement {{ connectedCallback() {{
        this.attachShadow({{mode: '{mode}'}}).innerHTML = '<form action="/session" method="post"><p><label>Username <input autocomplete="username"></label>'
          + '<p><label>Password <input type="password"></label><p><button>Log In</button></form>'; }} }});</script>'''))
    it.page.hover("sign-in")  # brings what offers
    it.page.mouse.move(700, 600)
    it.page.focus("#before")
    it.page.keyboard.press("Tab")
    choice = chosen(it, it.bar.click)
    it.must_be_proven()
    must_hold(proven([choice]), "the guard did not hold")


@pytest.mark.attack
@pytest.mark.parametrize("way", ["click", "Tab", "click on the field that has the focus"])
def test_S38_bar_that_the_user_opened_is_trusted(it, way):
    it.open("https://shiny.example.com/roomy", None)
    if way == "Tab":
        it.page.evaluate("document.querySelector('#password').focus()")
        it.page.keyboard.press("Shift+Tab")
        it.bar.wait()
        # The hand goes to the mouse, which comes over the page to the bar.
        it.page.mouse.move(700, 600)
    else:
        if way != "click":
            it.page.evaluate("document.querySelector('#user').focus()")
            it.bar.wait()
        it.page.click("#user")
    choice = chosen(it, it.bar.click)
    it.must_be_proven()
    must_hold(proven([choice]), "the guard did not hold")
    it.filled()

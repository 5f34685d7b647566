# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""The bar that is loaded before anybody knows for which field: what it costs, who gets one, and that nobody can use it for anything."""

import pytest

from attacks import chosen, pause
from calm import FRAMES
from browser import eventually
from conftest import SIGN_IN
from verdicts import must_hold, nothing_released

SHINY = "https://shiny.example.com/login"
#: The host of a spare one: the only element in the page that this extension adds, without a box.
SPARE = "[...document.documentElement.children].find((one) => one.localName === 'div' && !one.matches('[popover]'))"


def spares(it) -> list:
    return it.bar.spares()


@pytest.fixture
def it(start, site):
    it = start(fake=True)
    it.open(SHINY, focus=None)
    return it


def arrive(it) -> None:
    """The pointer comes into the page, beside its fields."""
    for place in [(600, 500), (20, 40), (600, 500)]:
        it.page.mouse.move(*place)


def spare(it):
    # The part of the extension that does it may not be there at the first move.
    [frame] = eventually(it.page, lambda: arrive(it) or spares(it), "a spare bar")
    return frame


def test_a_spare_bar_is_drawn_for_nobody_and_asks_for_nothing(it):
    spare(it).wait_for_load_state()
    it.page.evaluate(FRAMES)
    assert it.page.evaluate(f"{SPARE}.getClientRects().length") == 0
    for method in ("page.focused", "renderer.suggestions"):
        assert it.latchkey.received(method) == []


def test_the_next_bar_is_that_one(it):
    frame = spare(it)
    it.page.keyboard.press("Tab")
    eventually(it.page, lambda: it.bar.frames() == [frame], "the same frame as a bar")
    it.bar.wait("#row-0")
    it.bar.arm()
    it.bar.click()
    it.received("renderer.choose")


def test_another_one_comes_for_the_next_field(it):
    it.page.focus("#user")
    it.bar.wait("#row-0")
    eventually(it.page, lambda: len(spares(it)) == 1, "a spare bar")
    [frame] = spares(it)
    it.page.keyboard.press("Tab")
    eventually(it.page, lambda: it.bar.frames() == [frame], "the same frame as a bar")


def test_none_before_the_pointer_comes(it):
    it.page.evaluate(FRAMES)
    assert it.page.frames[1:] == []
    assert it.latchkey.received("renderer.status") == []


@pytest.mark.parametrize("page", ['<!doctype html><h1>Shop</h1><form role="search"><input id="user" type="search" name="q"></form>', "<!doctype html><p>News"])
def test_none_where_there_is_nothing_to_sign_in_to(start, site, page):
    it = start(fake=True)
    it.open(site.page("/search", page), focus=None)
    arrive(it)
    assert it.bar.is_absent()
    assert it.page.frames[1:] == []


def test_none_while_autofill_is_off(start, site):
    it = start()
    it.latchkey.run("autofill", "off")
    it.open(SHINY, focus=None)
    arrive(it)
    assert it.bar.is_absent()
    assert it.page.frames[1:] == []


@pytest.mark.attack
@pytest.mark.parametrize("attack", [
    "host.popover = 'manual'; host.showPopover()", "host.popover = 'auto'", "document.body.append(host)", "host.remove()",
    "host.style.cssText = 'display: block !important; position: fixed; left: 0; top: 0; width: 280px; height: 36px; opacity: 1'"])
def test_S1_spare_bar_that_the_page_takes_is_no_bar(it, attack):
    frame = spare(it)
    frame.wait_for_load_state()
    it.page.evaluate(f"() => {{ const host = {SPARE}; {attack}; window.taken = host; }}")
    it.page.evaluate(FRAMES)
    # A style of the page changes nothing, so that one may be used.
    assert it.page.evaluate("taken.getBoundingClientRect().width") == 0
    it.page.keyboard.press("Tab")
    it.bar.wait("#row-0")
    if "style" in attack:
        assert it.bar.frames() == [frame]
    else:
        assert it.bar.frames() != [frame]
    it.bar.arm()
    chosen(it, it.bar.click)


@pytest.mark.attack
def test_S1_page_cannot_have_a_spare_bar_ask(it):
    """A word from anybody but the script that made it draws rows at most in a bar that no choice counts in."""
    frame = spare(it)
    frame.wait_for_load_state()
    it.page.evaluate("for (let number = 0; number < length; number += 1) window[number].postMessage({word: 'mine'}, '*')")
    assert it.page.evaluate("length") == 0
    # What a bar would ask is answered before what is asked behind it.
    frame.evaluate("new Promise((done) => setTimeout(done))")
    it.browser.round_trip()
    it.browser.at_rest()
    nothing_released("requests for rows", it.latchkey.received("renderer.suggestions"))


def test_one_comes_for_a_pointer_that_was_there_first(it, site):
    """On a busy machine the pointer may rest where it is by the time that the part which makes bars is in the page."""
    with it.browser.holding() as release:
        it.open(site.page("/early", f"<!doctype html>{SIGN_IN}"), focus=None)
        it.page.mouse.move(600, 500)
        it.page.evaluate(FRAMES)
        assert spares(it) == []
        release()
        eventually(it.page, lambda: spares(it), "a spare bar")


def test_one_comes_though_nobody_answered_at_first(it):
    it.latchkey.set(unreadable=["renderer.status"])
    arrive(it)
    it.received("renderer.status")
    it.page.evaluate(FRAMES)
    assert spares(it) == []
    it.latchkey.set(unreadable=[])
    spare(it)


#: Answers to what is asked for a field come later.
LATE = """(() => { const send = chrome.runtime.sendMessage.bind(chrome.runtime);
  chrome.runtime.sendMessage = async (message) => {
    const answer = await send(message);
    if (message.type === 'page.focused') await new Promise((next) => setTimeout(next, 400));
    return answer;
  } })()"""


def test_a_bar_comes_though_nobody_answered_at_first(start, site):
    """The program that answers cannot be started at first: the field that has the focus is asked for once more, without another act."""
    it = start(fake=True)
    it.browser.serve(None, {})
    it.open(SHINY)
    it.browser.at_rest()
    assert it.latchkey.received("page.focused") == []
    it.browser.serve(it.latchkey.command, it.latchkey.environment)
    it.bar.wait("#row-0")
    it.bar.arm()


def test_a_page_that_takes_away_what_is_not_its_own_gets_a_bar_all_the_same(it):
    """As frameworks do that take over a whole document: what waits unseen goes, the bar that the user asks for comes."""
    it.page.evaluate("""new MutationObserver((list) => { for (const { addedNodes } of list) for (const node of addedNodes)
      if (node.matches?.('div') && !node.matches(':popover-open')) node.remove() }).observe(document.documentElement, { childList: true })""")
    it.page.click("#user")
    it.bar.arm()


def test_the_pointer_goes_on_while_the_focused_field_is_asked_for(it):
    """What the pointer crosses on its way is made no bar for beside the one that is coming."""
    it.browser.isolated_world()(LATE)
    it.page.hover("#user")
    it.page.click("#password")
    it.page.hover("#user")
    it.bar.arm()
    it.page.evaluate("new Promise((done) => setTimeout(done, 600))")
    assert len(it.bar.frames()) == 1
    assert it.page.evaluate("document.querySelectorAll('[popover]').length") == 1


def test_page_learns_at_once_whether_there_is_one(it):
    """It is asked of the daemon once, not for each page: an answer to a page waits for no look-up."""
    spare(it)
    before = len(it.latchkey.received("renderer.status"))
    for _ in range(3):
        it.open(SHINY, focus=None)
        spare(it)
    assert len(it.latchkey.received("renderer.status")) == before


def test_the_spare_bar_of_a_dialog_is_made_inside_it(start, site):
    it = start(fake=True)
    it.open(site.page("/dialog", f"<!doctype html><button id=open onclick=\"document.querySelector('dialog').showModal()\">Sign in</button><dialog>{SIGN_IN}</dialog>"), focus=None)
    spare(it)
    it.page.click("#open")
    it.page.focus("#user")
    it.bar.wait("#row-0")
    assert it.page.evaluate("document.querySelector('dialog > [popover]:popover-open') !== null")


@pytest.mark.attack
def test_S40_what_was_seen_a_while_ago_does_not_count(it):
    """The fields are looked at when the pointer comes; whoever waits there for long has them looked at again."""
    run = it.browser.isolated_world(it.page)
    run("""(async () => { const page = latchkeyPage; await page.bring('reading'); await page.bring('seeing');
      const own = page.survey; page.survey = async (...all) => { await own(...all); globalThis.isSurveyed = true; }; })()""")
    it.page.hover("#user")
    it.bar.wait("#row-0")
    eventually(it.page, lambda: run("globalThis.isSurveyed === true"), "the first look")
    pause(it.page, 1200)
    it.page.evaluate("""() => { const cover = document.createElement('div'), { left, top, width, height } = document.querySelector('#password').getBoundingClientRect();
      cover.style.cssText = `position: fixed; left: ${left - 9}px; top: ${top - 9}px; width: ${width + 18}px; height: ${height + 18}px; background: white; pointer-events: none`;
      document.body.append(cover);
      const open = () => (document.querySelector('[popover]:popover-open') ? cover.remove() : requestAnimationFrame(open));
      open(); }""")
    it.page.focus("#user")
    it.bar.arm()
    choice = chosen(it, it.bar.click)
    must_hold(choice.get("unseen"), "a field that was covered meanwhile was said to be seen")
    assert len(choice["unseen"]) == 1

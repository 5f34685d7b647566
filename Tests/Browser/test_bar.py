# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""The bar as people use it: two sizes, beside the field and over no other, by pointer and keyboard, and no click without an answer."""

import json
from contextlib import suppress

import pytest
from playwright.sync_api import Error

from calm import FRAMES
from browser import eventually
from conftest import RMONDELLO, SIGN_IN
from latchkey import Account
from verdicts import must_hold, nothing_released

SMALL, LARGE = [280, 36], [280, 180]
SHINY = "https://shiny.example.com"
SIZE = """() => { const host = document.querySelector('[popover]:popover-open'); if (!host) return null;
  const { width, height } = host.getBoundingClientRect(); return [width, height] }"""
OPEN = "document.querySelector('[popover]:popover-open') !== null"
CLOSED = "document.querySelector('[popover]:popover-open') === null"
#: What stands where the pointer is, in the bar's frame, by its identifier.
UNDER = "() => { const found = document.querySelector(':hover'), all = document.querySelectorAll(':hover'); return all[all.length - 1]?.closest('[id]')?.id ?? '' }"
#: The fields of the page that the bar lies over, but for the one it is for.
COVERED = """() => { const bar = document.querySelector('[popover]:popover-open')?.getBoundingClientRect();
  return bar && [...document.querySelectorAll('input, select, textarea')].filter((one) => { const box = one.getBoundingClientRect();
    return one.type !== 'hidden' && box.left < bar.right && bar.left < box.right && box.top < bar.bottom && bar.top < box.bottom }).map((one) => one.id || one.name) }"""
TWENTY = [Account("shiny.example.com", f"person{number}", "x") for number in range(20)]
SAVED = {"none": [Account("unrelated.example.net", "x", "x")], "one": [RMONDELLO], "twenty": TWENTY, "locked": [RMONDELLO]}
#: Every place beside the field is another field's.
LISTS = "".join(f"<select id='list{number}'></select>" for number in range(20))
CROWDED = "<style>body, p {margin: 0} input, select {display: block; box-sizing: border-box; width: 100%; height: 24px}</style>" + SIGN_IN.replace(
    "<h1>shiny.</h1>", "").replace("<p><label>Username", f"{LISTS}<p><label>Username").replace("<p><button>", f"{LISTS}<p><button>")


def begin(start, state: str = "one", **more):
    it = start(fake=True, accounts=SAVED[state], **more)
    if state == "locked":
        it.latchkey.lock()
    return it


def choices(it) -> list[dict]:
    return it.latchkey.received("renderer.choose")


def into(it, letters: str = "") -> None:
    """Goes into the bar by the keyboard."""
    it.page.keyboard.press("ArrowDown")
    frame = it.bar.wait("html.entered #filter:focus")
    frame.wait_for_function("() => document.querySelector('#filter').getAttribute('aria-activedescendant')")
    it.page.keyboard.type(letters)


def marked(it) -> str:
    return it.bar.wait().evaluate("document.querySelector('[aria-selected=true]')?.ariaLabel ?? ''")


# ---- Sizes


@pytest.mark.parametrize("state", SAVED)
def test_sizes_are_two_whatever_is_saved(start, site, state):
    it = begin(start, state)
    page = it.open(f"{SHINY}/login")
    it.bar.wait()
    page.wait_for_function(OPEN)
    assert page.evaluate(SIZE) == SMALL
    it.bar.grow()
    assert page.evaluate(SIZE) == LARGE
    frame = it.bar.wait("html.large")
    it.bar.press("#arrow")
    frame.wait_for_function("() => !document.documentElement.classList.contains('large')")
    assert page.evaluate(SIZE) == SMALL


def test_small_bar_shows_the_whole_of_one_row_and_its_key(start, site):
    it = begin(start, "twenty")
    it.open(f"{SHINY}/login")
    it.bar.arm()
    shown = it.bar.wait().evaluate("""[...document.querySelectorAll('[role=option], #arrow')].filter((one) => { const box = one.getBoundingClientRect();
      return box.width && document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2)?.closest('[id]') === one }).map(({ id }) => id)""")
    assert shown == ["row-0", "arrow"]


@pytest.mark.parametrize("name", ["grow", "shrink", "leave", "room", "typed"])
def test_page_has_no_say_in_the_size(start, site, name):
    it = begin(start)
    page = it.open(f"{SHINY}/login")
    it.bar.wait("#row-0")
    answer = it.browser.isolated_world()("chrome.runtime.sendMessage({ type: 'place', act: '%s' })" % name)
    assert answer["error"]["code"] == -32601
    page.evaluate("""() => { const host = document.querySelector('[popover]'); for (const key of ['ArrowDown', 'Enter', 'Escape'])
      for (const target of [host, document.activeElement]) target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true })) }""")
    page.evaluate(FRAMES)
    it.browser.at_rest()
    assert page.evaluate(SIZE) == SMALL
    assert page.evaluate("document.activeElement.id") == "user"


def test_bar_asks_for_what_there_is_and_nothing_else(start, site):
    it = begin(start)
    it.open(f"{SHINY}/login")
    frame = it.bar.wait("#row-0")
    for act in ["fill", "constructor", "__proto__", "", 7, None]:
        answer = frame.evaluate("act => chrome.runtime.sendMessage({ type: 'place', act })", act)
        assert answer["error"]["code"] == -32602, act


#: On a busy machine the browser may not yet have said that the grown frame is whole, which is refused before.
TOO_EARLY = ("Too early. Try once more.", "Something covers this. Nothing was done.")


def test_growing_arms_anew(start, site):
    """A click within half a second of the large bar is no choice, though the small one was armed."""
    it = begin(start, "one", trusting=True)
    for _ in range(20):
        it.open(f"{SHINY}/login")
        it.bar.arm()
        frame = it.bar.wait("#row-0")
        # In the frame itself, where no time passes between the two.
        frame.evaluate("""() => { window.seen = []; addEventListener('resize', () => { window.grown ??= performance.now() });
          addEventListener('click', (event) => { if (event.target.closest('#row-0')) seen.push(performance.now() - (window.grown ?? Infinity)) }, true) }""")
        before = len(choices(it))
        it.bar.grow()
        it.bar.click(0, armed=False)
        # A busy machine carries the click later. Then it counts, and the bar goes.
        with suppress(Error):
            heard = frame.evaluate("seen.at(-1)")
            if heard is not None and 0 <= heard < 480:
                assert len(choices(it)) == before
                assert frame.evaluate("document.querySelector('#row-0').dataset.said") in TOO_EARLY
                break
    else:
        pytest.fail("no click came soon enough")
    it.bar.click()
    it.filled()


@pytest.mark.parametrize("place", ["top: 20px", "top: 100px", "top: 300px", "bottom: 20px"])
@pytest.mark.parametrize("at", ["#arrow", "#row-0"])
def test_growing_moves_no_row_under_the_pointer(start, site, place, at):
    it = begin(start, "twenty")
    it.open(site.page("/there", SIGN_IN.replace("<form", f"<form style='position: fixed; left: 20px; {place}'")))
    it.bar.arm()
    frame = it.bar.wait("#row-0")
    x, y = it.bar._place(frame, at)
    it.page.mouse.move(x - 2, y)
    it.page.mouse.move(x, y)
    eventually(it.page, lambda: frame.evaluate(UNDER) == at[1:], "the pointer")
    if at == "#arrow":
        it.browser.click(it.page, x, y)
    else:
        it.page.keyboard.press("ArrowDown")
    frame.wait_for_function("() => document.documentElement.classList.contains('large')")
    it.page.evaluate(FRAMES)
    it.page.mouse.move(x + 1, y)
    it.page.evaluate(FRAMES)
    box = it.bar.box()
    inside = box["x"] <= x <= box["x"] + box["width"] and box["y"] <= y <= box["y"] + box["height"]
    under = frame.evaluate("([x, y]) => document.elementFromPoint(x, y)?.closest('[id]')?.id ?? ''", [x + 1 - box["x"], y - box["y"]]) if inside else ""
    assert under in ("", at[1:], "strip")


# ---- Places

LAYOUTS = {
    "above one another": SIGN_IN,
    "labels above": SIGN_IN.replace("<input", "<br><input"),
    "at the top": "<style>body, p {margin: 0}</style>" + SIGN_IN.replace("<h1>shiny.</h1>", ""),
    "at the right": "<style>form {position: absolute; right: 8px; top: 200px}</style>" + SIGN_IN,
    "at the bottom": "<style>form {position: fixed; bottom: 0}</style>" + SIGN_IN,
    "beside one another": SIGN_IN.replace("<p><label>Password", "<label>Password"),
    "with a list and a box": SIGN_IN.replace("<p><button>", "<p><select id='realm'><option>one</select> <label><input type='checkbox' id='stay'>Stay</label><p><button>"),
    "without a form": SIGN_IN.replace("<form", "<div").replace("</form>", "</div>"),
}


@pytest.mark.parametrize("name", LAYOUTS)
@pytest.mark.parametrize("field", ["#user", "#password"])
def test_bar_lies_over_no_field(start, site, name, field):
    it = begin(start, "twenty")
    page = it.open(site.page("/form", LAYOUTS[name]), field)
    it.bar.wait("#row-0")
    page.wait_for_function(OPEN)
    assert page.evaluate(COVERED) == []
    it.bar.grow()
    assert page.evaluate(COVERED) == []


def test_bar_that_must_lie_over_a_field_goes_before_the_click(start, site):
    it = begin(start)
    page = it.open(site.page("/crowded", CROWDED))
    it.bar.wait("#row-0")
    page.wait_for_function(OPEN)
    covered = page.evaluate(COVERED)
    assert covered
    box = page.locator(f"#{covered[0]}").bounding_box()
    # The part of it that is seen.
    page.mouse.move(box["x"] + box["width"] - 10, 2)
    page.mouse.move(box["x"] + box["width"] - 10, box["y"] + box["height"] / 2)
    page.wait_for_function("document.querySelector('#user') === document.activeElement && " + CLOSED)
    # The field is free where the bar was. One of its own is loaded meanwhile, unseen.
    page.mouse.click(box["x"] + 10, box["y"] + box["height"] / 2)
    assert page.evaluate("document.activeElement.id") == covered[0]


def test_bar_is_not_put_over_a_field_by_one_that_comes_later(start, site):
    it = begin(start)
    page = it.open(site.page("/grows", SIGN_IN.replace("<p><label>Password", "<p id='space' style='height: 80px'></p><p><label>Password")))
    it.bar.wait("#row-0")
    page.wait_for_function(OPEN)
    page.evaluate("document.querySelector('#space').innerHTML = '<input id=late style=\"width: 400px\">'")
    eventually(page, lambda: page.evaluate(OPEN) and page.evaluate(COVERED) == [], "a bar over no field")


@pytest.mark.parametrize("state", SAVED)
def test_first_character_closes_it_and_down_opens_it_again(start, site, state):
    it = begin(start, state)
    page = it.open(f"{SHINY}/login")
    it.bar.wait()
    page.wait_for_function(OPEN)
    page.keyboard.type("p")
    page.wait_for_function(CLOSED)
    page.keyboard.type("erson1")
    page.evaluate(FRAMES)
    assert page.evaluate(CLOSED) and it.values() == ["person1", ""]
    into(it)
    # The page's script makes room for it after the frame has the keyboard.
    eventually(page, lambda: page.evaluate(SIZE) == LARGE, "a large bar")
    frame = it.bar.wait("html.large")
    assert frame.evaluate("document.querySelector('#filter').value") == "person1"
    rows = frame.evaluate("[...document.querySelectorAll('#rows [role=option]:not([hidden])')].map(row => row.innerText.split('\\n').at(-1))")
    assert rows == {"none": [], "one": [], "twenty": ["person1", *(f"person1{n}" for n in range(10))], "locked": ["to see your passwords"]}[state]


def test_what_a_script_does_closes_and_opens_nothing(start, site):
    it = begin(start)
    page = it.open(f"{SHINY}/login")
    it.bar.wait("#row-0")
    page.evaluate("""() => { const field = document.querySelector('#user'); field.value = 'x';
      field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: 'x' })) }""")
    page.evaluate(FRAMES)
    assert page.evaluate(SIZE) == SMALL
    page.keyboard.type("y")
    page.wait_for_function(CLOSED)
    page.evaluate("document.querySelector('#user').dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }))")
    page.evaluate(FRAMES)
    assert page.evaluate(CLOSED) and page.evaluate("document.activeElement.id") == "user"
    # Whoever shows it all the same ends it.
    page.evaluate("document.querySelector('[popover]').showPopover()")
    page.wait_for_function("!document.querySelector('[popover]')")
    it.bar.wait_until_gone()


def test_what_is_typed_of_a_password_is_not_told_the_bar(start, site):
    it = begin(start)
    page = it.open(f"{SHINY}/login", "#password")
    it.bar.wait("#row-0")
    page.wait_for_function(OPEN)
    page.keyboard.type("rmond")
    page.wait_for_function(CLOSED)
    into(it)
    frame = it.bar.wait("html.large")
    assert frame.evaluate("document.querySelector('#filter').value") == ""
    assert frame.evaluate("chrome.runtime.sendMessage({ type: 'place', act: 'typed' })") == {"result": {"text": ""}}


def test_click_on_the_field_opens_it_again(start, site):
    it = begin(start)
    page = it.open(f"{SHINY}/login")
    it.bar.wait("#row-0")
    page.wait_for_function(OPEN)
    page.keyboard.type("x")
    page.wait_for_function(CLOSED)
    page.click("#user")
    page.wait_for_function(OPEN)
    assert page.evaluate(SIZE) == SMALL


# ---- The keyboard


@pytest.mark.main
def test_down_letters_and_return_choose_an_account(start, site):
    """A key is a choice as a press is, half a second after the keyboard has gone into the bar."""
    it = begin(start, "twenty")
    it.open(f"{SHINY}/login")
    it.bar.arm()
    into(it, "SON17")
    eventually(it.page, lambda: marked(it) == "person17, password for shiny.example.com", "the row")
    it.page.keyboard.press("ArrowDown")
    assert marked(it) == "All Passwords…"
    it.page.keyboard.press("ArrowUp")
    it.bar.arm()
    it.browser.press(it.page, "Enter")
    it.filled(user="person17", password="x")


def test_return_right_after_it_was_opened_is_too_early(start, site):
    it = begin(start, trusting=True)
    it.open(f"{SHINY}/login")
    frame = it.bar.wait("#row-0")
    # The frame's clock stands still from the moment in which it has grown.
    frame.evaluate("addEventListener('resize', () => { const now = performance.now(); performance.now = () => now; })")
    into(it)
    frame.wait_for_function("() => document.documentElement.classList.contains('large')")
    it.page.keyboard.press("Enter")
    frame.wait_for_selector("#row-0[data-said]")
    assert frame.evaluate("document.querySelector('#row-0').dataset.said") in TOO_EARLY
    it.browser.at_rest()
    assert choices(it) == [] and it.values() == ["", ""]


@pytest.mark.parametrize("key", ["Escape", "Tab"])
def test_keys_that_leave_the_bar_lead_back_to_the_field(start, site, key):
    it = begin(start)
    page = it.open(f"{SHINY}/login")
    it.bar.wait("#row-0")
    page.wait_for_function(OPEN)
    into(it, "rm")
    it.browser.press(page, key)
    page.wait_for_function("document.activeElement.id === 'user' && !document.querySelector('[popover]')")
    it.bar.wait_until_gone()
    page.keyboard.type("abc")
    assert it.values() == ["abc", ""] and choices(it) == []


def test_letters_that_no_account_has_leave_none(start, site):
    it = begin(start, "twenty")
    page = it.open(f"{SHINY}/login")
    it.bar.wait("#row-0")
    page.wait_for_function(OPEN)
    # Nor do the words count that all rows have in common.
    into(it, "password")
    frame = it.bar.wait("#none")
    assert frame.evaluate("document.querySelectorAll('#rows [role=option]:not([hidden])').length") == 0
    for _ in range(8):
        page.keyboard.press("Backspace")
    frame.wait_for_function("() => document.querySelectorAll('#rows [role=option]:not([hidden])').length === 20 && !document.querySelector('#none')")


@pytest.mark.parametrize("state", SAVED)
def test_return_and_tab_in_the_field_stay_the_page_s(start, site, state):
    it = begin(start, state)
    page = it.open(site.page("/keys", SIGN_IN.replace("<form", "<form onsubmit='window.sent = true; return false'")))
    it.bar.wait()
    page.wait_for_function(OPEN)
    page.keyboard.press("Enter")
    page.wait_for_function("window.sent")
    page.keyboard.press("Tab")
    page.wait_for_function("document.activeElement.id === 'password'")
    assert choices(it) == [] and it.values() == ["", ""]


def test_escape_is_the_page_s_once_the_bar_has_gone(start, site):
    it = begin(start)
    page = it.open(site.page("/escape", SIGN_IN + "<script>window.keys = []; addEventListener('keydown', (event) => keys.push(event.key))</script>"))
    it.bar.wait("#row-0")
    page.wait_for_function(OPEN)
    page.keyboard.press("Escape")
    page.wait_for_function("!document.querySelector('[popover]')")
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("keys") == ["Escape", "ArrowDown"]


def test_rows_and_filter_are_read_by_a_screen_reader(start, site):
    it = begin(start)
    it.open(f"{SHINY}/login")
    it.bar.wait("#row-0")
    it.page.wait_for_function(OPEN)
    into(it)
    frame = it.bar.wait("html.large")
    nodes = it.browser.devtools(frame).send("Accessibility.getFullAXTree")["nodes"]
    named = {(node["role"]["value"].lower(), node.get("name", {}).get("value")) for node in nodes if not node.get("ignored")}
    assert {("listbox", "Passwords"), ("option", "rmondello, password for shiny.example.com"), ("option", "All Passwords…"), ("combobox", "Filter")} <= named


# ---- What a click is answered by


def test_click_that_is_too_early_is_answered_at_once(start, site):
    it = begin(start, trusting=True)
    for _ in range(20):
        # On a busy machine a click may come late, and fills; then it begins anew.
        page = it.open(f"{SHINY}/login")
        frame = it.bar.wait("#row-0")
        page.wait_for_function(OPEN)
        # Until half a second has passed the row is drawn as one that does not count yet.
        if not frame.evaluate("document.documentElement.classList.contains('arming')"):
            continue
        before = len(choices(it))
        it.bar.click(armed=False)
        said = None
        with suppress(Error):  # the bar is gone, as the click has filled
            said = frame.evaluate("document.querySelector('#row-0')?.dataset.said")
        if said == "Too early. Try once more.":
            break
    assert said == "Too early. Try once more." and len(choices(it)) == before and it.values() == ["", ""]
    frame.wait_for_function("() => !document.documentElement.classList.contains('arming')")
    it.bar.click()
    it.filled()


@pytest.mark.chromium("In Firefox the bar has gone, with what it stored, before it can be asked")
def test_click_that_counts_says_so_while_the_user_is_asked(start, site):
    it = begin(start)
    it.open(f"{SHINY}/elsewhere")
    it.bar.arm()
    frame = it.bar.wait("#row-0")
    frame.evaluate("""() => new MutationObserver(() => {
        chrome.storage.session.set({ said: document.querySelector('#row-0').dataset.said }) })
      .observe(document.querySelector('#rows'), { subtree: true, attributeFilter: ['data-said'] })""")
    said = "() => chrome.storage.session.get('said').then(({ said }) => said)"
    prompt = it.browser.window("prompt", it.bar.click)
    eventually(it.page, lambda: it.browser.worker().evaluate(said), "a word on the row")
    # The user has not answered yet.
    assert it.values() == ["", ""]
    prompt.close()


@pytest.mark.attack
@pytest.mark.parametrize("state", ["none", "locked"])
def test_S1_click_on_what_is_no_row_does_nothing_that_the_page_could_see(start, site, state):
    it = begin(start, state)
    it.open(f"{SHINY}/login")
    it.bar.arm()
    frame = it.bar.wait()
    if state == "none":
        it.bar.click()
        frame.wait_for_function("() => document.querySelector('#rows').classList.contains('pulse')")
        assert it.page.evaluate(SIZE) == SMALL
    else:
        prompt = it.browser.window("prompt", it.bar.click)
        assert it.bar.frames() == [] or it.page.evaluate(SIZE) in (SMALL, None)
        prompt.close()


@pytest.mark.chromium("Firefox does not say what covers the bar")
def test_click_on_a_bar_that_is_covered_says_so(start, site):
    it = begin(start, trusting=True)
    page = it.open(f"{SHINY}/login")
    it.bar.arm()
    frame = it.bar.wait("#row-0")
    page.evaluate("""() => { const over = document.createElement('div'); over.popover = 'manual'; document.body.append(over);
      over.style.cssText = 'inset: 0; width: 100vw; height: 100vh; opacity: 0.01; pointer-events: none'; over.showPopover() }""")
    it.bar.is_broken(within=20_000)
    it.bar.click(armed=False)
    frame.wait_for_function("() => document.querySelector('#row-0')?.dataset.said === 'Something covers this. Nothing was done.'")
    assert choices(it) == [] and it.values() == ["", ""]


# ---- Rows


@pytest.mark.main
def test_open_bar_hears_of_a_lock(start, site):
    it = start()
    it.open(f"{SHINY}/login")
    it.bar.wait("#row-0")
    it.latchkey.lock()
    eventually(it.page, lambda: it.bar.texts() == ["Unlock Latchkey… to see your passwords"], "the row to unlock")
    it.latchkey.unlock()
    eventually(it.page, lambda: it.bar.texts() == ["password for shiny.example.com rmondello"], "the rows")


def test_account_used_last_here_comes_first(start, site):
    it = start([RMONDELLO, Account("shiny.example.com", "second", "another password")])
    page = it.open(f"{SHINY}/login")
    last = it.bar.texts("#row-1")[1].split()[1]
    it.tap(row=1)
    page.wait_for_function("name => document.querySelector('#user').value === name", arg=last)
    it.browser.round_trip()
    page.reload()
    page.click("#user")
    assert it.bar.texts("#row-1")[0] == f"shiny.example.com {last}"
    # The activity knows of it after a lock, too.
    it.latchkey.lock()
    it.latchkey.unlock()
    page.reload()
    page.click("#user")
    eventually(page, lambda: it.bar.texts("#row-1")[0] == f"shiny.example.com {last}", "the account used last")


@pytest.mark.parametrize("is_rtl", [False, True], ids=["left to right", "right to left"])
def test_bar_is_read_as_the_page_is(start, site, is_rtl):
    it = begin(start)
    wide = SIGN_IN.replace("<form", "<style>input {display: block; width: 500px; margin-bottom: 90px}</style><form" + (" dir='rtl'" if is_rtl else ""))
    page = it.open(site.page("/read", wide))
    it.bar.arm()
    box, field = it.bar.box(), page.locator("#user").bounding_box()
    frame = it.bar.wait("#row-0")
    assert frame.evaluate("getComputedStyle(document.body).direction") == ("rtl" if is_rtl else "ltr")
    if is_rtl:
        assert abs(box["x"] + box["width"] - field["x"] - field["width"]) < 1
    else:
        assert abs(box["x"] - field["x"]) < 1
    x, y = it.bar._place(frame, "#arrow")
    assert (x < box["x"] + box["width"] / 2) is is_rtl
    # Both lines of a row stand at the side of the picture, whichever way their words are read.
    words = frame.evaluate("""() => [...document.querySelectorAll('#row-0 .title, #row-0 .detail')].map((line) => {
      const range = document.createRange(); range.selectNodeContents(line);
      const text = range.getBoundingClientRect(), place = line.getBoundingClientRect();
      return [text.left - place.left, place.right - text.right] })""")
    assert all(abs(gaps[is_rtl]) < 1 for gaps in words), words


# ---- What changes while the bar is shown


def known(start):
    """A bar whose choice fills at once."""
    it = start()
    it.open(f"{SHINY}/login")
    it.tap()
    it.filled()
    it.open(f"{SHINY}/login")
    it.bar.arm()
    return it


def test_press_that_has_begun_ends_on_its_row(start):
    """The bar asks anew whenever something changes; rows that say the same stay where they are."""
    it = known(start)
    frame = it.bar.wait("#row-0")
    frame.evaluate("document.querySelector('#row-0').dataset.mine = 'yes'")
    x, y = it.bar._place(frame, "#row-0")
    it.page.mouse.move(x - 6, y)
    it.page.mouse.move(x, y)
    asked = it.browser.sent("renderer.suggestions")
    it.browser.mouse(it.page, "down", x, y)
    it.latchkey.run("preferences", "set", "--idle-minutes", "33")
    eventually(it.page, lambda: it.browser.sent("renderer.suggestions") > asked, "the question of the bar")
    it.browser.at_rest()
    assert frame.evaluate("document.querySelector('#row-0').dataset.mine") == "yes"
    it.browser.mouse(it.page, "up", x, y)
    # A press that took long is asked about in a window; it counts all the same, with what the daemon offered last.
    eventually(
        it.page, lambda: it.values() == ["rmondello", RMONDELLO.password] or [one for one in it.browser.context.pages if "/prompt.html" in one.url],
        "what comes of the press")


def test_account_that_takes_anothers_place_is_not_what_was_pressed(start):
    it = known(start)
    for number in range(10):
        frame = it.bar.wait("#row-0")
        frame.evaluate("""() => { window.changed = Infinity; window.pressed = [];
          new MutationObserver(() => { window.changed = performance.now() }).observe(document.querySelector('#rows'), { childList: true });
          document.querySelector('#rows').addEventListener('click', () => { pressed.push(performance.now() - changed) }, true) }""")
        item, = [one["id"] for one in json.loads(it.latchkey.run("list", "--json"))]
        it.latchkey.run("edit", item, "--new-user", f"another{number}")
        frame.wait_for_function("name => document.querySelector('#row-0')?.innerText.includes(name)", arg=f"another{number}")
        it.bar.click(0, armed=False)
        # A busy machine carries the click later. Then it counts, and it all begins anew.
        with suppress(Error):
            heard = frame.evaluate("pressed.at(-1)")
            if heard is not None and 0 <= heard < 480:
                assert frame.evaluate("document.querySelector('#row-0').dataset.said") in TOO_EARLY
                break
        it.browser.close_windows()
        it.open(f"{SHINY}/login")
        it.bar.arm()
    else:
        pytest.fail("no click came soon enough")
    assert it.values() == ["", ""]

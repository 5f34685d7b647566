# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""By keys, by ear, in few pixels and in one's own colours: what each window and page of the extension owes to those who need it so."""

import json
from importlib.resources import files

import pytest

from browser import NAME, ORIGIN, eventually
from conftest import RMONDELLO
from latchkey import PASSPHRASE, Account
from test_saved_passwords import opened, select
from test_saving import SIGN_UP, WELCOME, asked, pages, sign_in  # noqa: F401

AXE = (files("axe_playwright_python") / "axe.min.js").read_text()
#: Each rule that is broken, and where.
BROKEN = """async () => { const { violations } = await axe.run(document, { iframes: false, rules: %s });
  return violations.map(({ id, nodes }) => [id, ...nodes.map(({ html, failureSummary }) => html.slice(0, 200) + failureSummary)].join(': ')); }"""
#: Rules about whole pages. The bar is a frame in somebody else's page, so it has no heading or landmark of its own.
OF_PAGES = {rule: {"enabled": False} for rule in ("region", "landmark-one-main", "page-has-heading-one")}


def broken(document, off: dict | None = None) -> list[str]:
    document.evaluate(AXE)
    return document.evaluate(BROKEN % json.dumps(off or {}))


#: Brings each of them about, by its name.
SURFACES = {}


def surface(name: str):
    """What is shown to people under a name."""
    def named(make):
        SURFACES[name] = make
        return make
    return named


@surface("bar")
def small_bar(it, site):
    it.open("https://shiny.example.com/login")
    it.bar.arm()
    return it.bar.wait()


@surface("large bar")
def large_bar(it, site):
    it.open("https://shiny.example.com/login")
    it.bar.arm()
    it.page.keyboard.press("ArrowDown")
    frame = it.bar.wait("html.entered.large #filter[aria-activedescendant]")
    it.page.keyboard.type("nobody has this")
    it.bar.wait("#none")
    return frame


@surface("bar of a new password")
def strong_bar(it, site):
    it.page.goto(site.page("/join", SIGN_UP % ""))
    it.page.click("#password")
    return it.bar.wait("#strong")


@surface("locked bar")
def locked_bar(it, site):
    it.latchkey.lock()
    it.open("https://shiny.example.com/login")
    return it.bar.wait("#unlock")


def own(it, name: str, shows: str):
    """A page of the extension in a tab, once it shows something."""
    page = it.browser.context.new_page()
    page.goto(f"{ORIGIN}/windows/{name}.html")
    page.wait_for_selector(shows)
    return page


@surface("list")
def picker(it, site):
    it.open("https://shiny.example.com/login")
    popup = it.browser.popup("document.querySelector('#all') !== null")
    window = it.browser.window("picker", lambda: (popup.evaluate("document.querySelector('#list').focus()"), popup.press("ArrowDown"), popup.press("ArrowDown"), popup.press("Enter")))
    window.wait_for_selector("#list[aria-busy=false] [role=option]")
    return window


@surface("unlock")
def unlock(it, site):
    it.latchkey.lock()
    it.open("https://shiny.example.com/login")
    it.bar.wait("#unlock")
    return it.browser.window("prompt", it.bar.click)


@surface("new password")
def strong(it, site):
    it.page.goto(site.page("/join", SIGN_UP % ""))
    it.page.click("#password")
    return asked(it, lambda: it.bar.click(1))


@surface("save")
def save(it, site):
    return asked(it, lambda: sign_in(it, "another", "typed by hand"))


@surface("passwords")
def passwords(it, site):
    window = opened(it)
    window.wait_for_selector("#interface [role=option]")
    return window


@surface("account")
def account(it, site):
    window = passwords(it, site)
    select(window, "rmondello")
    return window


@surface("settings")
def settings_page(it, site):
    return own(it, "settings", "#providers > li")


@surface("first steps")
def welcome(it, site):
    return own(it, "welcome", "#latchkey[data-done]")


@surface("rules")
def rules(it, site):
    page = own(it, "rules", "#rules")
    page.fill("#rules", "required: digit; nonsense")
    eventually(page, lambda: page.text_content("#verdict"), "what is said of the rules")
    return page


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", SURFACES)
def test_axe_finds_nothing(start, pages, name, scheme):  # noqa: F811
    it = start([RMONDELLO, Account("shiny.example.com", "anna", "another one")])
    if NAME == "chromium":
        it.page.emulate_media(color_scheme=scheme)
    elif scheme == "dark":
        pytest.skip("the kit has no other colours in Firefox")
    shown = SURFACES[name](it, pages)
    if NAME == "chromium" and hasattr(shown, "emulate_media"):
        shown.emulate_media(color_scheme=scheme)
    # Rows are drawn paler until they count; people read them after that.
    shown.wait_for_selector("html:not(.arming)")
    assert broken(shown, OF_PAGES if "bar" in name else None) == []


@pytest.mark.chromium("the kit evaluates no whole program in Firefox's popup")
def test_axe_finds_nothing_in_the_popup(start, pages):  # noqa: F811
    it = start([RMONDELLO, Account("shiny.example.com", "anna", "another one")])
    it.page.goto(pages.page("/welcome", WELCOME))
    popup = it.browser.popup("document.querySelectorAll('#found li').length === 2")
    popup.evaluate(AXE)
    assert popup.evaluate(f"({BROKEN % '{}'})()") == []
    # By what is typed as well, and once more for what is typed into it.
    popup.evaluate("document.querySelector('#search').focus()")
    for key in "zz":
        popup.press(key)
        popup.wait("document.querySelector('#said').textContent === 'Nothing found.'")
        popup.evaluate("document.querySelector('#said').textContent = ''")
    assert popup.evaluate(f"({BROKEN % '{}'})()") == []


@pytest.mark.parametrize("name", ["settings", "first steps", "rules"])
def test_a_window_of_320_pixels_shows_all_of_it(start, pages, name):  # noqa: F811
    """As wide as a window of 1280 pixels at a zoom of 400 %."""
    page = SURFACES[name](start(), pages)
    page.set_viewport_size({"width": 320, "height": 640})
    wide = """[...document.querySelectorAll('body *')].filter((one) => one.checkVisibility() && one.getBoundingClientRect().right > innerWidth + 0.5)
      .map((one) => one.outerHTML.slice(0, 120))"""
    assert page.evaluate("document.documentElement.scrollWidth") <= 320, page.evaluate(wide)


#: The contrast of two colours, by the formula of WCAG 2.2; what is drawn over the ground of the page is mixed with it.
CONTRAST = """([selector, pseudo]) => {
  const rgb = (colour) => { const canvas = new OffscreenCanvas(1, 1).getContext('2d');
    for (const one of [getComputedStyle(document.body).backgroundColor, colour]) { canvas.fillStyle = one; canvas.fillRect(0, 0, 1, 1); }
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3); };
  const light = (colour) => rgb(colour).map((part) => part / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
  const field = document.querySelector(selector), style = getComputedStyle(field);
  const [one, other] = pseudo ? [getComputedStyle(field, pseudo).color, style.backgroundColor] : [style.borderTopColor, getComputedStyle(document.body).backgroundColor];
  const [dark, bright] = [light(one), light(other)].sort((a, b) => a - b);
  return (bright + 0.05) / (dark + 0.05); }"""


@pytest.mark.chromium("the kit has no other colours in Firefox")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name, field", [("list", "#search"), ("unlock", "#passphrase"), ("rules", "#rules"), ("settings", "select")])
def test_edges_of_fields_and_their_hints_have_contrast(start, pages, name, field, scheme):  # noqa: F811
    page = SURFACES[name](start(), pages)
    page.emulate_media(color_scheme=scheme)
    assert page.evaluate(CONTRAST, [field, None]) >= 3
    if field != "select":
        assert page.evaluate(CONTRAST, [field, "::placeholder"]) >= 4.5


@pytest.mark.chromium("the kit has no other colours in Firefox")
def test_colours_of_ones_own_show_the_marked_row_and_the_icons(start, pages):  # noqa: F811
    window = picker(start([RMONDELLO, Account("shiny.example.com", "anna", "another one")]), pages)
    window.emulate_media(forced_colors="active")
    marked, other, ground, icon = window.evaluate("""[['[role=option][aria-selected=true]'], ['[role=option][aria-selected=false]'], ['body'], ['[aria-selected=false] .icon']]
      .map(([selector]) => getComputedStyle(document.querySelector(selector)).backgroundColor)""")
    assert marked not in (other, ground) and icon != ground


def test_keyboard_stays_where_a_question_has_put_it(start, pages):  # noqa: F811
    it = start(accounts=())
    window = it.browser.question(lambda: sign_in(it, "rmondello", "typed by hand"))
    window.wait_for_selector("main:not([hidden])")
    # Records each element that gets the focus. The window comes to the front over and over, so that no press counts meanwhile.
    window.evaluate("""() => { window.places = [document.activeElement.id]; document.addEventListener('focusin', ({ target }) => places.push(target.id));
      window.front = setInterval(() => dispatchEvent(new Event('focus')), 20); }""")
    window.keyboard.press("Enter")
    window.wait_for_selector("text=Too early. Try once more.")
    # A key that goes down too early is early when it comes up, too: that presses the button.
    window.keyboard.down("Space")
    window.evaluate("clearInterval(front)")
    window.wait_for_selector("#accept:not(.early)")
    window.wait_for_selector("#error:empty", state="attached")
    window.keyboard.up("Space")
    window.wait_for_selector("text=Too early. Try once more.")
    assert it.browser.sent("renderer.answer") == 0
    window.wait_for_selector("#accept:not(.early)")
    window.wait_for_selector("#error:empty", state="attached")
    assert window.evaluate("places") == ["accept"]
    it.closes(window, lambda: window.keyboard.press("Enter"))
    eventually(it.page, lambda: json.loads(it.latchkey.run("list", "--json")), "the item")


def test_down_brings_back_the_bar_that_escape_took_away(start, site):
    it = start()
    for more in "", ' role="combobox"':
        it.page.goto(site.page("/fields", f'<form><input id="user" autocomplete="username"{more}><input id="password" type="password"></form>'))
        it.page.click("#user")
        it.bar.wait("#row-0")
        it.page.keyboard.press("Escape")
        it.bar.wait_until_gone()
        it.page.keyboard.press("ArrowDown")
        if more:
            # The list of such a field is the page's own.
            assert it.bar.is_absent()
        else:
            it.bar.wait("#row-0")


def test_escape_in_the_bar_leads_back_to_its_field(start, site):
    it = start()
    it.open("https://shiny.example.com/login")
    it.bar.arm()
    it.page.keyboard.press("ArrowDown")
    it.bar.wait("html.entered #filter:focus")
    it.page.keyboard.press("Escape")
    it.page.wait_for_function("document.activeElement.id === 'user'")
    it.bar.wait_until_gone()
    it.page.keyboard.press("ArrowDown")
    it.bar.wait("#row-0")


def test_bar_says_once_what_it_shows(start, site):
    it = start([RMONDELLO, Account("shiny.example.com", "anna", "another one")])
    it.open("https://shiny.example.com/login")
    frame = it.bar.wait("#row-1")
    frame.wait_for_function("() => document.querySelector('#said').textContent === '2 suggestions. Down goes there.'")
    assert frame.evaluate("[...document.querySelectorAll('#rows [role=option]')].map((row) => row.ariaLabel)") == [
        "anna, password for shiny.example.com", "rmondello, password for shiny.example.com"]


def in_the_bar(it) -> None:
    """Opens a page, and goes into its bar by the keyboard; keys in it count from then on."""
    it.open("https://shiny.example.com/login")
    it.bar.arm()
    it.page.keyboard.press("ArrowDown")
    it.bar.wait("html.entered #filter[aria-activedescendant]")
    it.bar.rest(600)


def test_keyboard_is_in_the_field_again_after_an_unlock(start, site):
    it = start([RMONDELLO, Account("shiny.example.com", "anna", "another one")])
    it.latchkey.lock()
    in_the_bar(it)
    prompt = it.browser.window("prompt", lambda: it.browser.press(it.page, "Enter"))
    it.accept(prompt, PASSPHRASE)
    it.page.wait_for_function("document.activeElement.id === 'user'")
    it.bar.wait("#row-1")


def test_keyboard_is_in_the_field_again_after_the_list_of_all(start, site):
    it = start()
    in_the_bar(it)
    it.page.keyboard.press("ArrowDown")
    it.bar.wait("#key[aria-selected=true]")
    window = it.browser.window("picker", lambda: it.browser.press(it.page, "Enter"))
    it.closes(window, lambda: window.keyboard.press("Escape"))
    it.page.wait_for_function("document.activeElement.id === 'user'")

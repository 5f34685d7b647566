# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""S16, S40: a page that shows a field for a name alone, and has another one filled that nobody sees.

The daemon is a stand-in that releases after a choice for which the guard held and each field is known to be seen. So what is not
known to be seen ends in a question outside the page, and designs that are usual end in one tap.
"""

import pytest

from attacks import asked, chosen, pressed_once, prompts
from browser import COUNTS
from calm import FRAMES
from test_bar import CROWDED
from setting import proven
from verdicts import must_hold, nothing_released

#: The field for the password stands beside the bar, so that the bar covers none of it.
PAGE = """<!doctype html><meta charset="utf-8"><title>Newsletter</title><style>
body {margin: 0; background: #fff; color: #222; font: 16px sans-serif}
form {position: relative; height: 400px}
#user {position: absolute; left: 20px; top: 40px; width: 200px; height: 30px}
#place {position: absolute; left: 440px; top: 40px; width: 200px; height: 36px; margin: 0}
#password {width: 200px; height: 36px; box-sizing: border-box}
#over {position: absolute; left: -20px; top: -20px; width: 260px; height: 90px; background: #fff; pointer-events: none}
%s</style><h1>Newsletter</h1><form action="/session" method="post"><input id="user" name="user" autocomplete="username" aria-label="Name">
<div id="place"><input id="password" name="password" type="password" autocomplete="current-password">%s</div><button style="position: absolute; top: 300px">Send</button></form><script>%s</script>"""

COVER = '<div id="over"></div>'
#: No edge and no ground of its own.
BARE = "#password {border: 0; outline: 0; box-shadow: none; background: transparent; color: #222; %s}"
PLAIN = "#password {border: 0; outline: 0; background: transparent; %s}"

#: What a page does to the field: style, elements beside it, script.
UNSEEN = {
    "cover": ("", COVER, ""),
    "cover of a colour unlike the page's": ("#over {background: #eee}", COVER, ""),
    "cover by a gradient": ("#over {background: linear-gradient(#fff, #fff)}", COVER, ""),
    "cover that is a pseudo-element": ("#place::after {content: ''; position: absolute; inset: -10px; background: #fff; pointer-events: none}", "", ""),
    "cover that is a far pseudo-element": ("h1::after {content: ''; position: fixed; left: 400px; top: 0; width: 300px; height: 400px; background: #fff; pointer-events: none; z-index: 9}", "", ""),
    "cover by a shadow": ("#over {left: 230px; width: 4px; height: 4px; box-shadow: 0 0 0 400px #fff}", COVER, ""),
    "cover by a shadow inwards": ("#over {background: none; box-shadow: inset 0 0 0 100px #fff}", COVER, ""),
    "cover by a border": ("#over {background: none; box-sizing: border-box; border: 45px solid #fff}", COVER, ""),
    "cover by an outline": ("#over {left: 230px; width: 4px; height: 4px; outline: 400px solid #fff}", COVER, ""),
    "cover by a pseudo-element's shadow": ("#place::after {content: ''; position: absolute; left: 230px; width: 4px; height: 4px; box-shadow: 0 0 0 400px #fff}", "", ""),
    "cover by an outline inwards": ("#place {outline: 60px solid #fff; outline-offset: -60px}", "", ""),
    "cover by a text's shadow": ("#over {left: 230px; width: 10px; height: 30px; background: none; color: #fff; font: 30px monospace; text-shadow: -60px 0 #fff, -100px 0 #fff, -140px 0 #fff}",
                                 '<div id="over">█</div>', ""),
    "cover by a text's stroke": ("#over {left: 230px; width: 10px; height: 30px; background: none; color: #fff; -webkit-text-stroke: 400px #fff}", '<div id="over">x</div>', ""),
    "cover by large letters": ("#over {left: 230px; top: 18px; width: 0; height: 0; background: none; color: #fff; font: 300px/0 monospace; direction: rtl}", '<div id="over">█</div>', ""),
    "cover by letters below their box": (
        "#over {left: -10px; top: -42px; height: 10px; background: none; color: #fff; font: 60px/120px monospace; overflow-x: clip; overflow-y: visible; white-space: nowrap}",
        '<div id="over">████████</div>', ""),
    "cover by letters of an element without a box": (
        "#around {position: absolute; left: -10px; top: -42px; width: 0; height: 0; color: #fff; font: 60px/120px monospace; white-space: nowrap; pointer-events: none}"
        " #over {display: contents; overflow: hidden}", '<div id="around"><span id="over">████████</span></div>', ""),
    "cover by letters in a shadow root": (
        "#over {left: -10px; top: -42px; width: 0; height: 0; background: none; color: #fff; font: 60px/120px monospace; white-space: nowrap}", COVER,
        "document.querySelector('#over').attachShadow({mode: 'open'}).append('████████')"),
    "cover by a falling shadow": ("#over {left: 230px; width: 220px; height: 60px; filter: drop-shadow(-240px 0 #fff)}", COVER, ""),
    "cover by a reflection": ("#over {left: -20px; top: -120px; -webkit-box-reflect: below 0}", COVER, ""),
    "cover by a blurred ground": ("#over {background: #fff1; backdrop-filter: blur(30px)}", COVER, ""),
    "cover by a drawing": ("", '<svg id="over" style="background: none"><rect width="400" height="400" fill="#fff"/></svg>', ""),
    "cover by a canvas": ("#over {background: none}", '<canvas id="over"></canvas>',
                          "const c = document.querySelector('#over').getContext('2d'); c.fillStyle = '#fff'; c.fillRect(0, 0, 999, 999)"),
    "cover by a frame": ("", '<iframe id="over" srcdoc="<body style=background:white>"></iframe>', ""),
    "cover by a video": ("", '<video id="over"></video>', ""),
    "cover by text": ("#over {background: none; color: #fff; font: 90px monospace; line-height: 1; overflow: hidden}", '<div id="over">█████████</div>', ""),
    "cover in a closed root": ("", '<div id="host" style="position: absolute; inset: 0; pointer-events: none"></div>',
                               "document.querySelector('#host').attachShadow({mode: 'closed'}).innerHTML = '<div style=\"position: absolute; inset: -20px; background: #fff; pointer-events: none\">'"),
    "cover that is fixed": ("#over {position: fixed; left: 400px; top: 0; width: 300px; height: 400px}", COVER, ""),
    "cover by an ancestor's edge": ("#place {overflow: hidden; width: 60px}", "", ""),
    "another field over it": ("#password {position: absolute} #over {pointer-events: auto; clip-path: none; left: 0; top: 0; width: 200px; height: 36px; pointer-events: none}",
                              '<input id="over" name="topic" aria-label="Topic">', ""),
    "text in the page's colour": (PLAIN % "color: #fff", "", ""),
    "nothing around it": (PLAIN % "color: #222", "", ""),
    "text in the field's colour": ("#password {color: #fff; background: #fff}", "", ""),
    "text nearly in the field's colour": ("#password {color: rgb(250 250 250); background: #fff}", "", ""),
    "transparent text": ("#password {color: transparent}", "", ""),
    "text filled with nothing": ("#password {-webkit-text-fill-color: transparent}", "", ""),
    "text in another notation of white": ("#password {color: oklch(1 0 0); background: color(srgb 1 1 1)}", "", ""),
    "text in a gradient's colour": ("#password {color: #fff; background: linear-gradient(#fff, #fefefe)}", "", ""),
    "text on a picture": ("#password {color: #fff; background: #000 url(/white.svg)}", "", ""),
    "white ground below what says black": ("form {background: #000} #under {position: absolute; left: -500px; top: -100px; width: 900px; height: 500px; background: #fff; pointer-events: none}"
                                           "#password {position: relative; " + (PLAIN % "color: #fff")[11:], '<div id="under" style="z-index: 0"></div>', ""),
    "edge in the page's colour": ("#password {border: 2px solid #fff; outline: 0; background: #fff; color: #222}", "", ""),
    "opacity 0.12": ("#password {opacity: 0.12}", "", ""),
    "opacity of two around it": ("#place {opacity: 0.4} form {opacity: 0.4}", "", ""),
    "blended": (PLAIN % "background: #fff; border: 1px solid #000; mix-blend-mode: lighten", "", ""),
    "blended around it": ("#place {mix-blend-mode: screen}", "", ""),
    "filter brightness": ("#password {filter: brightness(100)}", "", ""),
    "filter contrast": ("#password {filter: contrast(0)}", "", ""),
    "filter blur": ("#place {filter: blur(40px)}", "", ""),
    "filter by a drawing": ("#password {filter: url(#f)}", '<svg width="0" height="0"><filter id="f"><feFlood flood-color="#fff"/></filter></svg>', ""),
    "clip-path": ("#password {clip-path: inset(0 0 0 90%)}", "", ""),
    "clip-path around it": ("#place {clip-path: circle(12px at 100px 18px)}", "", ""),
    "scaled": ("#password {transform: scale(0.3)}", "", ""),
    "scaled by its own property": ("#password {scale: 0.3}", "", ""),
    "turned": ("#password {transform: rotateY(80deg)}", "", ""),
    "turned around": ("#place {transform: rotateX(60deg)}", "", ""),
    "zoomed": ("#password {zoom: 0.4}", "", ""),
    "small": ("#password {width: 12px; height: 10px; padding: 0; border: 0}", "", ""),
    "letters without size": ("#password {font-size: 1px}", "", ""),
    "letters moved away": ("#password {text-indent: 190px}", "", ""),
    "padding that leaves no place": ("#password {padding: 0 0 0 196px}", "", ""),
    "outside the viewport": ("#place {top: 1000px}", "", ""),
    # What a style states and another property takes back.
    "shadow without size": (BARE % "box-shadow: 0 0 0 0 #000", "", ""),
    "shadow that shrinks": (BARE % "box-shadow: 0 0 0 -30px #000", "", ""),
    "shadow far away": (BARE % "box-shadow: 5000px 0 0 0 #000", "", ""),
    "shadow clipped by what is around": (BARE % "box-shadow: 0 0 0 2px #000" + " #place {overflow: hidden; height: 36px}", "", ""),
    "outline clipped by what is around": (BARE % "outline: 2px solid #000" + " #place {overflow: hidden; height: 36px}", "", ""),
    "outline far away": (BARE % "outline: 1px solid #000; outline-offset: 3000px", "", ""),
    "hint of a space": (BARE % "", "", "document.querySelector('#password').placeholder = ' '"),
    "hint that nobody sees": (BARE % "", "", "document.querySelector('#password').placeholder = '\\u200b\\u3164'"),
    "hint without size": (BARE % "" + " #password::placeholder {font-size: 0}", "", "document.querySelector('#password').placeholder = 'Password'"),
    "hint that is hidden": (BARE % "" + " #password::placeholder {visibility: hidden}", "", "document.querySelector('#password').placeholder = 'Password'"),
    "hint clipped": (BARE % "" + " #password::placeholder {letter-spacing: 900px; text-indent: 900px}", "", "document.querySelector('#password').placeholder = 'Password'"),
    "edge by a picture of the page's colour": ("#password {border: 2px solid #000; border-image: linear-gradient(#fff, #fff) 1; outline: 0; background: #fff; color: #222}", "", ""),
    "ground that is drawn nowhere": ("#password {border: 0; outline: 0; background: linear-gradient(#000, #000) no-repeat 0 0 / 0% 0%; color: #fff}", "", ""),
    "ground that is drawn elsewhere": ("#password {border: 0; outline: 0; background: linear-gradient(#000, #000) no-repeat -9999px 0; color: #fff}", "", ""),
    "ground for the text alone": ("#password {border: 0; outline: 0; background: #000; -webkit-background-clip: text; background-clip: text; color: #fff}", "", ""),
    "ground for a box without size": ("#password {border: 0; outline: 0; background: #000; background-clip: content-box; padding: 18px 100px; height: 36px; color: #fff}", "", ""),
    "ground below a shadow inwards": ("#password {border: 0; outline: 0; background: #000; box-shadow: inset 0 0 0 100px #fff; color: #fff}", "", ""),
    "ground below a picture over it": ("#password {border: 0; outline: 0; background: linear-gradient(#fff, #fff), linear-gradient(#000, #000); color: #fff}", "", ""),
    "edge of what is around that is far": (BARE % "" + " #place {border: 1px solid transparent; outline: 1px solid #000; outline-offset: 2000px}", "", ""),
    "edge of a child that is not drawn": (BARE % "", "<i style='position:absolute;left:0;top:0;width:200px;height:36px;border:1px solid #000;clip-path:inset(50%);pointer-events:none'></i>", ""),
    "edge of a child without opacity": (BARE % "", "<i style='position:absolute;left:0;top:0;width:200px;height:36px;border:1px solid #000;opacity:0;pointer-events:none'></i>", ""),
    "edge of a pseudo-element elsewhere": (BARE % "" + " #place::before {content: ''; position: absolute; left: 3000px; border: 1px solid #000; width: 9px; height: 9px}", "", ""),
    "edge of a pseudo-element without opacity": (BARE % "" + " #place::before {content: ''; position: absolute; inset: 0; opacity: 0; border: 1px solid #000; pointer-events: none}", "", ""),
}

#: Designs that are usual.
SEEN = {
    "plain": ("", "", ""),
    "dark": ("body {background: #111; color: #eee} input {background: #222; color: #eee; border: 1px solid #444}", "", ""),
    "only an edge": ("#password {background: transparent; border: 1px solid #ccc}", "", ""),
    "only a ground": ("#password {border: 0; background: #f0f0f0}", "", ""),
    "only a line below": ("#password {border: 0; border-bottom: 1px solid #999; background: transparent}", "", ""),
    "line below that is a pseudo-element": ("#password {border: 0; background: transparent; outline: 0} #place::after {content: ''; position: absolute; left: 0; right: 0; bottom: 0; border-bottom: 1px solid #777; pointer-events: none}", "", ""),
    "edge of what is around": ("#password {border: 0; background: transparent} #place {border: 1px solid #bbb}", "", ""),
    "shadow for an edge": ("#password {border: 0; box-shadow: 0 0 0 1px #999}", "", ""),
    "hint": ("#password {border: 0; background: transparent}", "", "document.querySelector('#password').placeholder = 'Password'"),
    "label that floats": ("label {position: absolute; left: 10px; top: 8px; color: #666; pointer-events: none}", '<label for="password">Password</label>', ""),
    "label that floats, and an outline of a library": (
        "#password {border: 0; background: transparent} fieldset {position: absolute; inset: -5px 0 0; border: 1px solid #aaa; pointer-events: none; margin: 0} label {position: absolute; left: 10px; top: 8px; color: #666; pointer-events: none}",
        '<fieldset aria-hidden="true"><legend></legend></fieldset><label for="password">Password</label>', ""),
    "button to show it": ("#eye {position: absolute; right: 4px; top: 6px; width: 26px; height: 24px}", '<button type="button" id="eye">o</button>', ""),
    "a gradient around": ("body {background: linear-gradient(#224, #446)} #place {background: none}", "", ""),
    "a picture around": ("body {background: url(/white.svg)}", "", ""),
    "nearly opaque": ("form {opacity: 0.97}", "", ""),
    "a little larger": ("form {transform: scale(1.02)}", "", ""),
    "moved by its style": ("form {transform: translate3d(4px, 2px, 0)}", "", ""),
    "in a slot": ("", '<x-note></x-note>',
                  "const note = document.querySelector('x-note'); note.attachShadow({mode: 'open'}).innerHTML = '<slot></slot>'; note.append(document.querySelector('#password'))"),
}


#: Of what needs no question.
IN_DOUBT = pytest.mark.chromium("In Firefox no hint counts, and a layer behind a field may lie over it")


def is_in_doubt(design: str) -> bool:
    """Whether a usual design is asked about in Firefox."""
    return design.startswith("hint") or "layer behind" in design


@pytest.fixture(scope="module")
def trusted(start_for_all, server):
    """A browser whose daemon trusts this pair of site and account."""
    return pressed_once(start_for_all(fake=True), server)


@pytest.fixture
def it(trusted, site):
    trusted.browser.close_windows()
    trusted.page.mouse.move(1, 1)
    return trusted


def unseen(it, act) -> list[int]:
    """Makes a choice, and returns which of the fields are not known to be seen."""
    return chosen(it, act).get("unseen", [])


def needs_no_question(it) -> None:
    """Chooses in the bar, and sees that no field is said to be hidden, and that it is filled at once."""
    choice = chosen(it, it.bar.click)
    it.must_be_proven()
    assert choice.get("unseen", []) == [] and proven([choice]), choice
    it.filled()
    assert not prompts(it)


def is_asked_about(it) -> list[int]:
    """Chooses in the bar, and sees that the user is asked, as a field is not known to be seen; returns those that are not."""
    refs = unseen(it, it.bar.click)
    # The stand-in releases after a choice that names none.
    must_hold(refs, "a field that nobody sees was said to be seen")
    prompt = asked(it)
    nothing_released("the fields", it.values())
    prompt.close()
    return refs


@pytest.mark.attack
@pytest.mark.parametrize("name", [
    pytest.param(name, marks=[pytest.mark.chromium("Firefox draws no reflections")] if "reflection" in name else []) for name in UNSEEN])
def test_S16_S40_field_that_nobody_sees_is_asked_about_outside(it, site, name):
    it.open(site.page("/newsletter", PAGE % UNSEEN[name]))
    it.bar.arm()
    is_asked_about(it)


#: One box around a name and a password that has neither an edge nor a ground of its own.
SHARED = """<!doctype html><meta charset="utf-8"><title>Newsletter</title><style>
body {margin: 0; background: #fff; color: #222; font: 16px sans-serif}
#place {position: absolute; left: 20px; top: 40px; width: 600px; height: 36px; border: 1px solid #888}
#place > * {position: absolute; top: 0; width: 200px; height: 36px; box-sizing: border-box; border: 0; outline: 0; background: transparent; resize: none}
#password {left: 320px; color: #222}
</style><h1>Newsletter</h1><form action="/session" method="post"><div id="place">%s<input id="password" type="password"
  autocomplete="current-password"></div>%s<button style="position: absolute; top: 300px">Send</button></form>"""
NAME = '<%s id="user" name="user" autocomplete="username" placeholder="Name"></%s>'


@pytest.mark.attack
@pytest.mark.parametrize("inside, outside", [
    (NAME % ("input", "input"), ""), (NAME % ("textarea", "textarea"), ""), ('<textarea placeholder="Message"></textarea>', NAME % ("input", "input")),
    ('<select><option>Country</option></select>', NAME % ("input", "input"))], ids=["input", "text area", "message", "list"])
def test_S40_box_around_two_fields_shows_neither(it, site, inside, outside):
    it.page.goto(site.page("/shared", SHARED % (inside, outside)))
    it.page.click("#user")
    it.bar.arm()
    is_asked_about(it)


@pytest.mark.attack
@pytest.mark.parametrize("style", ["", "mask-image: linear-gradient(to right, #000 430px, transparent 430px)"], ids=["seen", "masked"])
def test_S40_field_in_a_frame_that_is_masked_is_asked_about(it, site, style):
    """The mask is in the document around, and leaves the bar and the field for the name."""
    site.page("/newsletter", PAGE % ("", "", ""))
    it.page.goto(site.page("/outer", f'<!doctype html><iframe name="inner" src="/newsletter" style="width: 800px; height: 500px; border: 0; {style}"></iframe>'))
    frame = it.frame("inner")
    frame.click("#user")
    it.bar.arm()
    refs = unseen(it, it.bar.click)
    if not style:
        assert refs == []
        # Where the browser does not say what covers a frame, each choice in one is asked about.
        if not it.browser.says_what_covers:
            asked(it).close()
            nothing_released("the fields", it.values(frame=frame))
        return
    must_hold(refs, "a field that is masked was said to be seen")
    prompt = asked(it)
    nothing_released("the fields", it.values(frame=frame))
    prompt.close()


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.attack] if name == "plain" else [IN_DOUBT] if is_in_doubt(name) else []) for name in SEEN])
def test_S40_usual_design_needs_no_question(it, site, name):
    it.open(site.page("/usual", (PAGE % SEEN[name]).replace("Newsletter", "Sign in")))
    it.bar.arm()
    needs_no_question(it)


def test_S40_field_below_the_bar_is_seen(it, site):
    """Where there is no other place, the bar lies over the second field."""
    it.open(site.page("/crowded", CROWDED))
    it.bar.arm()
    bar, field = it.bar.box(), it.page.locator("#password").bounding_box()
    assert bar["y"] < field["y"] + field["height"] and field["y"] < bar["y"] + bar["height"]
    needs_no_question(it)


@pytest.mark.attack
@pytest.mark.parametrize("moment", ["until the bar is taken away", "since the bar is there"])
def test_S40_cover_for_a_while(it, site, moment):
    """What is seen counts before the bar is drawn and after it is taken away, and both have to be good."""
    is_first = moment == "until the bar is taken away"
    script = """const over = document.querySelector('#over');
      const look = () => {
        isShown ||= Boolean(document.querySelector('[popover]:popover-open'));
        over.hidden = isShown === %s;
        requestAnimationFrame(look);
      };
      let isShown = false;
      look();""" % ("true" if is_first else "false")
    it.open(site.page("/newsletter", PAGE % ("[hidden] {display: none !important}", COVER, script)))
    it.bar.arm()
    # The page covers the field, or takes its cover away, in a frame after the bar came.
    it.page.wait_for_function("isHidden => document.querySelector('#over').hidden === isHidden", arg=is_first)
    assert len(is_asked_about(it)) == 1


@pytest.mark.attack
def test_S40_cover_that_comes_while_the_user_is_asked_something_else(it, site):
    it.open(site.page("/newsletter", PAGE % ("", COVER.replace("id", "hidden id"), "")), focus=None)
    it.page.evaluate("document.querySelector('#user').focus()")
    choice = chosen(it, it.bar.click)
    assert choice["guard"]["held"] is False and "unseen" not in choice
    prompt = asked(it)
    it.page.evaluate("document.querySelector('#over').hidden = false")
    # What is drawn before the yes has it.
    it.page.evaluate(FRAMES)
    it.accept(prompt)
    it.page.wait_for_function("document.querySelector('#user').value")
    it.browser.round_trip()
    nothing_released("the covered field", it.values("#password"))
    assert it.values("#user") == ["rmondello"]


def test_S40_yes_outside_fills_the_field(it, site):
    it.open(site.page("/newsletter", PAGE % UNSEEN["cover"]))
    prompt = it.browser.window("prompt", it.bar.click)
    it.accept(prompt)
    it.filled()


@pytest.mark.attack
@pytest.mark.parametrize("surface", ["popup", "window"])
def test_S40_choice_outside_the_page_is_asked_about_too(it, site, surface):
    it.open(site.page("/newsletter", PAGE % UNSEEN["cover"]))
    if surface == "window":
        it.bar.arm()
        picker = it.bar.open_list()
        act = lambda: picker.click(f"{COUNTS} [role=option]")
    else:
        popup = it.browser.popup("document.querySelector('#list [role=option]')?.innerText.includes('rmondello')")
        act = lambda: popup.press("Enter")
    choice = chosen(it, act)
    must_hold(choice.get("unseen"), "a field that is covered was said to be seen")
    assert len(choice["unseen"]) == 1
    assert choice["surface"] == surface
    asked(it)
    nothing_released("the fields", it.values())


@pytest.mark.attack
@pytest.mark.parametrize("saved", ["an account", "none", "locked"])
def test_S40_marks_are_the_same_whatever_is_saved(it, site, saved):
    """The page sees one element, whose closed root holds the marks; they are drawn around each field that would be filled."""
    host = "shiny.example.com" if saved != "none" else "other.example.com"
    if saved == "locked":
        it.latchkey.lock()
    try:
        it.open(site.page("/marked", PAGE % SEEN["plain"], host=host) if saved == "none" else site.page("/marked", PAGE % SEEN["plain"]))
        it.bar.arm()
        found = it.page.evaluate("""() => { const all = [...document.querySelectorAll('[popover]')];
          return [all.length, all[0].shadowRoot, all[0].attributes.length, all[0].childNodes.length, document.querySelectorAll('body *').length] }""")
        pixels = marked(it)
    finally:
        it.latchkey.unlock()
    assert found == [1, None, 1, 0, 7]
    assert pixels == [True, True]


def marked(it) -> list[bool]:
    """Whether a mark is drawn around each of the two fields."""
    import io

    from PIL import Image
    whole = Image.open(io.BytesIO(it.page.screenshot())).convert("RGB")
    found = []
    for selector in ("#user", "#password"):
        box = it.page.locator(selector).bounding_box()
        red, green, blue = whole.getpixel((int(box["x"] + box["width"] / 2), int(box["y"] - 1)))
        found.append(blue > red + 60)
    return found

# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""S3, S16, S17, S35: what a fill touches and what it never does."""

import pytest

from calm import FRAMES
from conftest import RMONDELLO, SIGN_IN
from latchkey import Account

#: Ways in which pages hide a field from people but not from programs.
HIDDEN = {
    "display none": "display: none",
    "visibility hidden": "visibility: hidden",
    "opacity 0": "opacity: 0",
    "opacity nearly 0": "opacity: 0.02",
    "left of the page": "position: absolute; left: -4000px",
    "right of the page": "position: absolute; left: 4000px",
    "above the page": "position: absolute; top: -4000px",
    "far below": "position: absolute; top: 9000px",
    "one pixel": "width: 1px; height: 1px; padding: 0; border: 0",
    "scaled away": "transform: scale(0.001)",
    "clipped": "clip-path: inset(50%)",
    "clip": "position: absolute; clip: rect(0 0 0 0)",
    "filtered": "filter: opacity(0)",
    "masked": "mask-image: linear-gradient(transparent, transparent)",
    "masked by a box image": "-webkit-mask-box-image: linear-gradient(transparent, transparent)",
}

PARENTS = {
    "parent opacity 0": "opacity: 0",
    "parent overflow": "height: 0; overflow: hidden",
    "parent clipped": "clip-path: inset(100%)",
    "parent off the page": "position: absolute; left: -4000px",
    "parent display none": "display: none",
    "parent content-visibility": "content-visibility: hidden",
}


def honeypots() -> str:
    inputs = [f'<input class="trap" name="email{number}" autocomplete="username" style="{style}">'
              f'<input class="trap" type="password" name="again{number}" autocomplete="current-password" style="{style}">'
              for number, style in enumerate(HIDDEN.values())]
    inputs += [f'<div style="{style}"><input class="trap" name="mail{number}" autocomplete="username">'
               f'<input class="trap" type="password" name="pass{number}"></div>' for number, style in enumerate(PARENTS.values())]
    return "".join(inputs)


def traps(it) -> list[str]:
    # Firefox does not know every style, and shows what has no other.
    return it.page.evaluate("""() => [...document.querySelectorAll('.trap')].map(trap => [trap.name, trap.value, trap.style.cssText || trap.parentElement.style.cssText])
      .filter(([, value, style]) => value && style).map(([name, , style]) => name + ': ' + style)""")


@pytest.mark.parametrize("fake", [False, True], ids=["daemon", "daemon that names every field"])
def test_S16_hidden_fields_stay_empty(start, site, fake):
    it = start(fake=fake, **({"everything": True, "hidden": True} if fake else {}))
    it.open(site.page("/traps", SIGN_IN.replace("<p><button>", honeypots() + "<p><button>")))
    it.browser.scripts()
    it.tap()
    it.filled()
    it.browser.round_trip()
    assert traps(it) == []


def test_S16_field_hidden_while_the_user_is_asked_stays_empty(start, site):
    it = start(fake=True)
    page = it.open("https://shiny.example.com/elsewhere")
    it.browser.scripts()
    prompt = it.browser.window("prompt", it.bar.click)
    page.evaluate("document.querySelector('#password').style.opacity = 0")
    it.accept(prompt)
    page.wait_for_function("document.querySelector('#user').value")
    it.browser.round_trip()
    assert it.values() == ["rmondello", ""]


def test_S16_password_does_not_go_into_a_text_field(start, site):
    """Neither where the daemon says so, nor where the page changes the type while the user is asked."""
    it = start(fake=True, fills=[{"ref": 0, "role": "current-password", "value": {"secret": "told to"}}])
    it.open("https://shiny.example.com/elsewhere")
    it.browser.scripts()
    prompt = it.browser.window("prompt", it.bar.click)
    it.accept(prompt)
    it.received("renderer.choose")
    it.browser.round_trip()
    assert it.values() == ["", ""]


def test_S16_fields_that_the_suggestion_does_not_name_stay_empty(start, site):
    it = start()
    it.open(site.page("/more", SIGN_IN.replace("<p><button>", '<p><input id="nickname" name="nickname"><input id="pin" name="pin" placeholder="Reason"><p><button>')))
    it.tap()
    it.filled()
    assert it.values("#nickname", "#pin") == ["", ""]


def test_S16_field_that_was_not_named_is_not_filled_whatever_the_daemon_answers(start, site):
    fills = [{"ref": ref, "role": "username", "value": {"secret": f"value {ref}"}} for ref in (0, 2)]
    it = start(fake=True, fills=fills)
    it.open(site.page("/more", SIGN_IN.replace("<p><button>", '<p><input id="nickname" name="nickname"><p><button>')))
    it.tap()
    it.page.wait_for_function("document.querySelector('#user').value === 'value 0'")
    it.browser.round_trip()
    assert it.values("#nickname") == [""]


WATCH = """<script>
window.seen = [];
for (const type of ['submit', 'formdata', 'keydown', 'keypress', 'keyup', 'click', 'beforeunload'])
  addEventListener(type, event => seen.push([type, event.key ?? '']), true);
for (const name of ['submit', 'requestSubmit']) { const real = HTMLFormElement.prototype[name]; HTMLFormElement.prototype[name] = function () { seen.push([name, '']); real.call(this) } }
</script>"""


def test_S17_nothing_is_submitted_and_enter_is_never_pressed(start, site):
    it = start()
    page = it.open(site.page("/watch", SIGN_IN + WATCH))
    it.tap()
    it.filled()
    it.browser.round_trip()
    page.evaluate(FRAMES)
    seen = page.evaluate("seen")
    assert {kind for kind, _ in seen} <= {"keydown", "keyup", "click"}
    assert {key for kind, key in seen if kind.startswith("key")} <= {"Unidentified"}
    assert page.url == "https://shiny.example.com/watch"


def test_S3_nothing_is_filled_on_load_or_focus(start, site):
    it = start()
    page = it.open(site.page("/auto", SIGN_IN.replace('id="user"', 'id="user" autofocus')), focus=None)
    it.bar.wait("#row-0")
    page.focus("#password")
    it.bar.wait("#row-0")
    it.quiet()
    assert it.values() == ["", ""]


def test_S35_only_the_named_fields_hold_the_secret(start, site):
    it = start()
    page = it.open(site.page("/watch", SIGN_IN + WATCH + '<textarea></textarea><div contenteditable></div><input name="q">'))
    it.tap()
    it.filled()
    it.browser.round_trip()
    places = page.evaluate("""secret => {
      const found = [];
      for (const field of document.querySelectorAll('input, textarea, select')) if (field.value.includes(secret)) found.push(field.id);
      if (document.documentElement.outerHTML.includes(secret)) found.push('html');
      for (const store of [localStorage, sessionStorage]) if (JSON.stringify({...store}).includes(secret)) found.push('storage');
      if (document.cookie.includes(secret) || location.href.includes(secret) || name.includes(secret)) found.push('cookie, address or name');
      if (JSON.stringify(performance.getEntries()).includes(secret)) found.push('performance');
      for (const key of Object.getOwnPropertyNames(window)) { try { if (JSON.stringify(window[key])?.includes(secret)) found.push(key) } catch {} }
      return found }""", RMONDELLO.password)
    assert places == ["password"]
    assert page.evaluate("document.querySelector('#password').getAttribute('value')") is None


@pytest.mark.parametrize("moment", ["focusin", "keydown", "beforeinput", "input", "change"])
def test_S24_value_goes_into_its_field_though_the_focus_is_elsewhere(start, site, moment):
    """A page, or the user, moves the focus while fields are filled: what is filled follows the field and not the focus."""
    it = start()
    page = it.open(site.page("/chat", SIGN_IN + """<input id="chat" name="q" aria-label="Message"><script>
      let isOn = false;
      addEventListener('%s', (event) => { if (isOn && event.target.id !== 'chat') document.querySelector('#chat').focus() }, true);
    </script>""" % moment))
    it.bar.arm()
    page.evaluate("isOn = true")
    it.tap(armed=False)
    it.filled()
    it.browser.round_trip()
    assert it.values("#chat") == [""]


def test_events_that_frameworks_listen_for(start, site):
    it = start([Account("shiny.example.com", "zoë 日本", "pass wörd ✓")])
    page = it.open(site.page("/events", SIGN_IN + """<script>window.seen = [];
      for (const type of ['focus', 'focusin', 'keydown', 'beforeinput', 'input', 'keyup', 'change', 'blur', 'focusout'])
        document.querySelector('#password').addEventListener(type, event => seen.push(event.type + (event.composed ? '+' : '')))</script>"""))
    it.tap()
    it.filled(user="zoë 日本", password="pass wörd ✓")
    page.wait_for_function("seen.includes('blur+') || seen.includes('blur')")
    kinds = [kind.rstrip("+") for kind in page.evaluate("seen")][:9]
    assert kinds == ["focus", "focusin", "keydown", "beforeinput", "input", "keyup", "change", "blur", "focusout"]

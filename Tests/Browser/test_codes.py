# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""S32, S33: codes from a phone, from mail and from an authenticator, up to the fields of a page in a browser."""

import json
import sys
import time
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[1] / "Processes"))

from code_kit import LINK, Clock, Phone, totp  # noqa: E402
from calm import FRAMES  # noqa: E402
from attacks import prompts  # noqa: E402
from browser import eventually  # noqa: E402
from conftest import RMONDELLO, SIGN_IN  # noqa: E402

SHINY = "https://shiny.example.com"
MESSAGE = "747723 is your Shiny code.\n\n@shiny.example.com #747723"

#: Six boxes as pages write them: each goes on to the next one, and what stands in them is kept by the page itself, which draws
#: the boxes anew from it a moment after each event, as frameworks do.
BOXES = """<!doctype html><meta charset="utf-8"><title>Code</title><h1>Enter your security code</h1><form id="form">
<div id="row"></div><p><button>Continue</button></form><script>
  const kept = ['', '', '', '', '', ''];
  const row = document.querySelector('#row');
  window.submits = 0;
  document.querySelector('#form').addEventListener('submit', (event) => { event.preventDefault(); window.submits += 1; });
  for (let index = 0; index < 6; index += 1) {
    const box = document.createElement('input');
    Object.assign(box, { id: `box${index}`, maxLength: 1, inputMode: 'numeric', autocomplete: index ? 'off' : 'one-time-code' });
    box.setAttribute('aria-label', `Digit ${index + 1} of your code`);
    box.addEventListener('input', () => {
      const next = [...kept];
      next[index] = box.value;
      Promise.resolve().then(() => {
        kept.splice(0, 6, ...next);
        [...row.children].forEach((other, place) => { other.value = kept[place]; });
        if (box.value) row.children[index + 1]?.focus();
      });
    });
    row.append(box);
  }
</script>"""

ONE = """<!doctype html><meta charset="utf-8"><title>Code</title><h1>Enter your security code</h1>
<form><p><label>Code <input id="code" autocomplete="one-time-code" inputmode="numeric"></label><p><button>Continue</button></form>
<script>window.seen = []; for (const type of ['input', 'change', 'keydown', 'keyup', 'beforeinput'])
  document.querySelector('#code').addEventListener(type, (event) => window.seen.push(type));</script>"""


class Mailbox:
    """A maildir that the daemon watches."""

    def __init__(self, it):
        self.folder = it.folder / "Mail"
        for name in ("tmp", "new", "cur"):
            (self.folder / name).mkdir(parents=True)
        it.latchkey.run("preferences", "set", "--code-maildir", self.folder)

    def deliver(self, text):
        (self.folder / "tmp" / "1").write_text(f"Subject: hello\n\n{text}\n")
        (self.folder / "tmp" / "1").rename(self.folder / "new" / str(time.monotonic_ns()))


@pytest.fixture(scope="module")
def phone():
    with Phone() as made:
        for what in ("modem", "kdeconnect", "desktop"):
            made.tell(what)
        yield made


@pytest.fixture(scope="module")
def shared(start_for_all, phone, tmp_path_factory):
    """One Latchkey on a phone's bus with a clock that can be turned, and a browser beside it."""
    clock = Clock(tmp_path_factory.mktemp("clock"))
    it = start_for_all(daemon={**phone.environment, **clock.environment})
    it.phone, it.clock, it.is_known = phone, clock, False
    it.mailbox = Mailbox(it)
    until_ready(it)
    yield it


def until_ready(it):
    """Waits until codes are received from everywhere."""
    def states():
        return {source["name"]: source["state"] for source in json.loads(it.latchkey.run("status", "--json"))["codes"]}

    eventually(it.page, lambda: set(states().values()) == {"ready"}, "all sources of codes", told=lambda: f": {states()}")


@pytest.fixture
def it(shared, site):
    shared.latchkey.lock()
    shared.latchkey.unlock()
    site.page("/boxes", BOXES)
    site.page("/one", ONE)
    site.page("/one", ONE, host="plain.example.org")
    yield shared
    shared.browser.close_windows()


def boxes(it):
    return it.page.evaluate("[...document.querySelectorAll('#row input')].map(box => box.value).join('')")


def choose(it):
    """Taps the first row. The first code of an origin is confirmed outside the page, later ones only where the bar may be covered."""
    if it.is_known:
        it.choose()
    else:
        it.tap()
    it.is_known = True


def shows(it, text):
    """Waits until the open bar shows a text; all its rows then."""
    def look():
        found = it.bar.texts()
        return found if any(text in row for row in found) else None

    return eventually(it.page, look, text)


def comes(it, look, what):
    """Waits for what comes of a choice. A busy machine has it asked about first, in a window that names the code's site."""
    eventually(it.page, lambda: look() or it.was_late() and prompts(it), what)
    for window in prompts(it) if it.was_late() else []:
        it.accept(window)
    eventually(it.page, look, what)


WAYS = {
    "ModemManager": lambda it, text: it.phone.tell("sms", text),
    "KDE Connect": lambda it, text: it.phone.tell("notify", text),
    "GSConnect": lambda it, text: it.phone.tell("show", text),
    "maildir": lambda it, text: it.mailbox.deliver(text),
    "command": lambda it, text: it.latchkey.run("code", "offer", text=text),
}


@pytest.mark.parametrize("way", [pytest.param(way, marks=[pytest.mark.main] if way == "command" else []) for way in WAYS])
def test_a_message_comes_the_open_bar_shows_it_one_tap_fills_six_boxes(it, way):
    it.open(SHINY + "/boxes", "#box0")
    assert shows(it, "No code has come")
    WAYS[way](it, MESSAGE)
    found = shows(it, "code for shiny.example.com")
    assert len(found) == 1 and "747723" not in found[0]
    assert {"ModemManager", "KDE Connect", "GSConnect"} & {way} == set() or way in found[0]
    choose(it)
    comes(it, lambda: boxes(it) == "747723", "the code in its boxes")
    it.browser.round_trip()
    it.page.evaluate(FRAMES)
    assert boxes(it) == "747723" and it.page.evaluate("window.submits") == 0
    assert len(it.browser.context.pages) == 1
    # S33: used, it is gone.
    it.open(SHINY + "/boxes", "#box0")
    assert shows(it, "No code has come")


def test_s33_after_181_seconds_nothing_is_offered(it):
    """S33: neither in a bar that opens then, nor in one that is open still."""
    it.clock.turn(0)
    it.open(SHINY + "/boxes", "#box0")
    it.phone.tell("sms", MESSAGE.replace("747723", "818181"))
    assert shows(it, "code for shiny.example.com")
    try:
        it.clock.turn(181)
        it.bar.click()
        assert shows(it, "No code has come")
        assert boxes(it) == ""
        it.open(SHINY + "/boxes", "#box0")
        assert shows(it, "No code has come")
    finally:
        it.clock.turn(0)


def test_s32_a_code_that_is_bound_to_another_site_is_not_offered(it):
    """S32: the bar says that one came and is not for this page; explain says why; the page learns nothing."""
    it.open("https://plain.example.org/one", "#code")
    it.bar.wait()  # its element stands in the page before anything comes
    before = it.page.evaluate("JSON.stringify([document.documentElement.outerHTML.length, document.activeElement.id])")
    it.phone.tell("sms", MESSAGE)
    [note] = shows(it, "A code for shiny.example.com is not offered here.")
    assert "747723" not in note
    assert it.page.evaluate("JSON.stringify([document.documentElement.outerHTML.length, document.activeElement.id])") == before
    told = it.latchkey.run("explain", "https://plain.example.org/one")
    assert "not offered: a code from a text message" in told and "The code is bound to another site." in told
    # An unbound one stands below that, says so, and is confirmed outside the page.
    it.phone.tell("notify", "Your login code is 551122")
    rows = shows(it, "not bound")
    assert rows[0] == note and len(rows) == 2
    it.tap(row=1)
    it.page.wait_for_function("document.querySelector('#code').value === '551122'")


def test_one_field_gets_the_events_that_frameworks_expect(it):
    it.open(SHINY + "/one", "#code")
    it.phone.tell("sms", MESSAGE)
    shows(it, "code for shiny.example.com")
    choose(it)
    comes(it, lambda: it.page.input_value("#code") == "747723", "the code in its field")
    assert {"input", "change", "keydown", "keyup", "beforeinput"} <= set(it.page.evaluate("window.seen"))


def test_after_the_sign_in_the_accounts_authenticator_comes_first(it, site):
    link = it.folder / "link"
    link.write_text(LINK)
    it.latchkey.run("edit", "shiny.example.com", "--otp-uri-file", link)
    it.open(site.page("/login", SIGN_IN))
    it.tap()
    it.filled()
    it.open(SHINY + "/one", "#code")
    it.phone.tell("sms", MESSAGE)
    found = shows(it, "from a text message")
    assert "rmondello" in found[0] and "s left" in found[0] and len(found) == 2
    before = time.time()
    it.choose()
    it.becomes(lambda: len(it.page.input_value("#code")) == 6, "the code in its field")
    assert it.page.input_value("#code") in {totp(before), totp(time.time())}
    assert RMONDELLO.user == "rmondello"

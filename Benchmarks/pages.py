# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Focus to bar painted, and tap to fields filled, in the real browsers with the real extension.

How it is measured. Both moments are taken inside the browser, so that nothing of this program is in them:

- *focus* is the `focusin` event in the page, *filled* the `input` event after which both fields hold a value;
- *painted* and *tapped* are taken in the bar's frame by a script (`WATCH`) that stands before the bar's own in a copy of the extension which is
  otherwise the product's, byte for byte. *Painted*: once `#rows` has its first row, the next animation frame is waited for,
  and then a message posted in it, which comes when that frame has been laid out and painted and is on its way to the
  screen. The same is done in the page once it shows the bar, since a frame may be painted before it is shown: the later of
  the two counts. *Tapped*: the time stamp that the browser gave the `click`, which is that of the mouse button's input event.
- In Firefox each choice is confirmed in a window. *Asked* is when that window has been painted with its question, *agreed* the
  time stamp of the click on its button; both are taken in the window by a script of the same kind (`ASKED`).
- The page and the frame are different processes. `performance.timeOrigin + performance.now()` is the same monotonic clock in
  both; the script proves it by the exchange of time stamps that NTP uses, and the difference is printed with the table.
"""

import json
import shutil
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Error

import devtools
import firefox_page
from figures import Aim, median
from installation import BINARIES, ROOT, secret
from releases import Taps, kill_provider
from site_server import Site

HOST = "shiny.example.com"
EXTENSION = ROOT / "BrowserExtension"
#: The aims of the median and of the 99th percentile.
AIM_BAR, AIM_FILLED = (32, 80), 30
#: Longer than the guard wants to see the bar whole and still; a tap before that would be confirmed in a window.
ARMED = 0.9
#: A place without a field.
ASIDE = (800, 400)
#: How long after a page has come, or after the last field, a quick person is at the next field.
PACE = 0.5
#: For how long a quick hand rests on a field before it presses; the other figures are of one that does not rest at all.
HAND = 0.15

WATCH = """
const now = () => performance.timeOrigin + performance.now();
const tell = (what, at, more) => parent.postMessage({ bench: what, at, ...more }, '*');
const begun = { opened: performance.timeOrigin, script: now() };
new MutationObserver((_, observer) => {
  const row = document.querySelector('#rows > .row');
  if (!row) return;
  observer.disconnect();
  begun.rows = now();
  requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      const { left, top, width, height } = row.getBoundingClientRect();
      tell('painted', now(), { begun, row: [left + width / 2, top + height / 2] });
      tell('ping', now());
    };
    port2.postMessage(0);
  });
}).observe(document, { childList: true, subtree: true });
addEventListener('message', ({ data }) => { if (data.bench === 'pong') tell('clock', data.at - (data.sent + now()) / 2); });
addEventListener('click', (event) => tell('tapped', performance.timeOrigin + event.timeStamp), true);
"""

#: In the window of a question.
ASKED = """
const moment = () => performance.timeOrigin + performance.now();
new MutationObserver((_, observer) => {
  if (!document.querySelector('#facts > *')) return;
  observer.disconnect();
  requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => chrome.storage.session.set({ asked: moment() });
    port2.postMessage(0);
  });
}).observe(document, { childList: true, subtree: true });
addEventListener('click', (event) => chrome.storage.session.set({ agreed: performance.timeOrigin + event.timeStamp }), true);
"""

#: The fields are so far apart that the bar of one does not cover the other.
PAGE = """<!doctype html><meta charset="utf-8"><title>Sign in to Shiny</title>
<style>label { display: block; margin: 0 0 220px 40px }</style>
<form><label>Username <input id="user" autocomplete="username"></label>
<label>Password <input id="password" type="password" autocomplete="current-password"></label><button>Log In</button></form>
<script>
const now = () => performance.timeOrigin + performance.now(), field = id => document.getElementById(id);
let marks = {}, waiting = () => {};
const mark = (what, at) => { marks[what] = at; waiting() };
const when = (...names) => new Promise(done => {
  waiting = () => { if (names.every(name => name in marks)) done(marks) };
  waiting();
});
addEventListener('focusin', (event) => { if (event.isTrusted) marks.focus ??= now() }, true);
addEventListener('input', () => {
  if (field('user').value && field('password').value) mark('filled', marks.filled ?? now());
}, true);
addEventListener('beforetoggle', ({ newState }) => {
  if (newState !== 'open') return;
  requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => mark('shown', now());
    port2.postMessage(0);
  });
}, true);
addEventListener('message', ({ data, source }) => {
  if (data.bench === 'ping') source.postMessage({ bench: 'pong', sent: data.at, at: now() }, '*');
  if (data.row) { mark('row', data.row); Object.assign(marks, data.begun) }
  if (data.bench) mark(data.bench, data.at);
});
</script>"""

MIDDLE = "(() => { const box = %s.getBoundingClientRect(); return [box.left + box.width / 2, box.top + box.height / 2] })()"
CORNER = "(({ left, top }) => [left, top])(document.querySelector('[popover]').getBoundingClientRect())"


class SignIn:
    """A sign-in page in a browser whose user has the password for it."""

    def __init__(self, store, folder, is_firefox=False):
        self.store = store
        self.clocks = []
        #: What the time until the bar is painted is made of, by the words of the table.
        self.parts = {
            "page described, daemon says yes, frame made": [], "frame loaded": [], "rows asked for, answered": [], "painted": []}
        store.add([{"services": [HOST], "user": "rmondello", "password": secret("correct horse")}])
        # The first release to an origin is confirmed outside the page; this one is, so that the measured ones are not.
        taps = Taps(store, HOST)
        taps.close()
        copy = folder / "extension"
        shutil.copytree(EXTENSION, copy)
        bar = copy / "windows/bar.js"
        bar.write_text(WATCH + bar.read_text())
        self.site = Site(folder)
        self.address = self.site.page("/login", PAGE, host=HOST)
        host = BINARIES.resolve() / "latchkey-browser-host"
        if is_firefox:
            prompt = copy / "windows/prompt.js"
            prompt.write_text(ASKED + prompt.read_text())
            self.browser = firefox_page.Browser(folder, copy, host, store.installation.environment, self.site)
        else:
            identifier = (EXTENSION / "ID").read_text().strip()
            self.browser = devtools.Browser(folder, copy, identifier, host, store.installation.environment, self.site.arguments())

    def load(self):
        # Where the pointer rests as a page begins, its bar would be there before anything is measured.
        self.browser.move(*ASIDE)
        self.browser.open(self.address)

    def arrive(self):
        """The pointer comes into the page, and the user looks at it."""
        x, y = ASIDE
        self.browser.move(x, y - 10)
        time.sleep(PACE)

    def focus(self, identifier="user", rest=0):
        """Milliseconds from focus to the bar painted with its rows, by a mouse that rests on the field before it is pressed."""
        self.browser.evaluate("void (marks = {})")
        self.browser.click(*self.browser.evaluate(MIDDLE % f"field('{identifier}')"), rest)
        marks = self.wait("focus", "painted", "shown", "row", "clock")
        self.clocks.append(marks["clock"])
        seen = max(marks["painted"], marks["shown"])
        moments = [*(marks[name] for name in ("focus", "opened", "script", "rows")), seen]
        for part, begin, end in zip(self.parts.values(), moments, moments[1:]):
            part.append(end - begin)
        return seen - marks["focus"]

    def tap(self):
        """Milliseconds from the click on the bar's first row to both fields filled."""
        time.sleep(ARMED)
        left, top = self.browser.evaluate(CORNER)
        x, y = self.wait("row")["row"]
        self.browser.click(left + x, top + y)
        marks = self.wait("tapped", "filled")
        return marks["filled"] - marks["tapped"]

    def tap_and_agree(self):
        """Milliseconds from the click on the bar's first row to the question painted, and from the yes to both fields filled."""
        time.sleep(ARMED)
        left, top = self.browser.evaluate(CORNER)
        x, y = self.wait("row")["row"]
        self.browser.worker().evaluate("chrome.storage.session.remove(['asked', 'agreed'])")
        window = self.browser.window("prompt", lambda: self.browser.click(left + x, top + y))
        while not window.is_closed():
            try:
                # A yes does not count in the moment in which the window comes to the front.
                window.click("#accept:not([disabled])", timeout=2_000)
                window.wait_for_event("close", timeout=2_000)
            except Error:
                pass
        marks = self.wait("tapped", "filled")
        noted = self.browser.worker().evaluate("chrome.storage.session.get(['asked', 'agreed'])")
        return noted["asked"] - marks["tapped"], marks["filled"] - noted["agreed"]

    def wait(self, *names):
        limit = "new Promise(done => setTimeout(() => done(null), 8000))"
        marks = self.browser.evaluate(f"Promise.race([when(...{json.dumps(names)}), {limit}])")
        if marks is None:
            marks = self.browser.evaluate("marks")
            raise RuntimeError(f"the page waited in vain for {names}; it has {marks}")
        return marks

    def close(self):
        self.browser.close()
        self.site.stop()


def measure_focus(table, page, focuses, number, each=lambda: None):
    """From the focus to the bar, at each pace; `each` is done with a bar that is there, on a page on which the user had looked around."""
    page.load()
    page.focus()  # starts the extension's background and the host: not what is measured
    page.parts = {words: [] for words in page.parts}
    again = []
    for count in range(focuses):
        time.sleep(PACE)
        again.append(page.focus(("password", "user")[count % 2]))
    page.parts = {words: [] for words in page.parts}
    hasty, first, rested = [], [], []
    for _ in range(number):
        page.load()
        hasty.append(page.focus())
        parts = {words: list(samples) for words, samples in page.parts.items()}
        page.load()
        page.arrive()
        first.append(page.focus())
        each()
        page.load()
        rested.append(page.focus(rest=HAND))
    median_aim, worst_aim = AIM_BAR
    table.add("focus to bar painted, first field of a page", first, aim=Aim(median_aim, "median"))
    table.add("focus to bar painted, pointer at rest there before", rested, aim=Aim(median_aim, "median"))
    table.add("focus to bar painted, fields after it", again, aim=Aim(median_aim, "median"))
    table.add("focus to bar painted, all of these", first + rested + again, aim=Aim(worst_aim))
    table.add("focus to bar painted, as soon as the page is there", hasty, aim=Aim(worst_aim))
    for words, samples in parts.items():
        table.add(f"  of it: {words}", samples)


def add_memory(table, page):
    """What the process of the extension's documents takes: its share of what is shared, and what is its alone."""
    fields = {}
    for line in Path(f"/proc/{page.browser.extension_process()}/smaps_rollup").read_text().splitlines()[1:]:
        name, _, rest = line.partition(":")
        fields[name] = int(rest.split()[0]) * 1024 / 1e6
    table.add("the extension's process, its share of memory (Pss)", fields["Pss"], unit="MB",
              note=f"its alone {fields['Private_Clean'] + fields['Private_Dirty']:.1f}, resident {fields['Rss']:.1f}")


def measure(table, store, focuses, taps, cold):
    """In Chromium. Returns what has to be said about the method. Of the provider's cold starts the wire tells more; a few are enough."""
    cold = min(cold, 10)
    warm, after_kill = [], []

    def tap(page):
        if len(warm) < taps:
            warm.append(page.tap())
        else:
            kill_provider(store)
            after_kill.append(page.tap())

    def all_of(page):
        measure_focus(table, page, focuses, taps + cold, lambda: tap(page))
        table.add("tap to fields filled, provider warm", warm, aim=Aim(AIM_FILLED))
        table.add("tap to fields filled, provider cold", after_kill)

    return measure_in(table, store, "Chromium", all_of)


def measure_in_firefox(table, store, focuses, taps):
    """In Firefox, where a window asks after each tap."""
    asked, filled = [], []

    def tap(page):
        until_asked, until_filled = page.tap_and_agree()
        asked.append(until_asked)
        filled.append(until_filled)

    def all_of(page):
        measure_focus(table, page, focuses, taps, lambda: tap(page))
        table.add("tap to the question painted", asked)
        table.add("yes to fields filled", filled, aim=Aim(AIM_FILLED))

    return measure_in(table, store, "Firefox", all_of)


def measure_in(table, store, name, all_of):
    """Has all of it measured in a browser."""
    table.section(f"In {name}, {store.count:,} identities")
    folder = Path(tempfile.mkdtemp(prefix="latchkey-bench-"))
    page = None
    try:
        page = SignIn(store, folder, is_firefox=name == "Firefox")
        all_of(page)
        add_memory(table, page)
    finally:
        if page:
            page.close()
        shutil.rmtree(folder, ignore_errors=True)
    clock = median([abs(offset) for offset in page.clocks])
    if clock > 2:
        raise RuntimeError(f"the clocks of page and bar differ by {clock:.2f} ms, so what was measured means nothing")
    return [f"In {name}: clocks of page and bar agree within {clock:.2f} ms (median); a frame of the screen is 16.7 ms."]

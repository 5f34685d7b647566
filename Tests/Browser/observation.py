# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""What a page's own script can observe of the bar, recorded, and compared between what is saved for the page.

A record has two parts. `facts` is everything but time: what a state shows most often has to be the same to the letter.
`frames` says in which animation frame after the focus each thing was first seen; the medians are compared with `TOLERANCE`.

What a page can tell apart it can tell apart every time. A processor that was busy elsewhere is seen once or twice, and it
moves a series of one state as much as it moves two states apart: so the halves of each series, of which nothing but
chance tells one from the other, say how far chance goes at this moment, and that much is allowed on top.
"""

import json
from collections import Counter
from dataclasses import dataclass, field
from statistics import median

from browser import eventually
from chromium import Chromium

#: Frames by which the medians of two states may differ. What a page sees passes through four processes (renderer, browser,
#: host, daemon) whose scheduling moves it by a frame either way, so two series of the *same* state differ by one frame
#: on a quiet machine, and by `Record.chance` on a busy one.
TOLERANCE = 2

#: For something that was never seen.
NEVER = -1000

RECORDER = """
const facts = {}, frames = {}, seenBefore = {}; let zero = null, frame = 0, host = null, longest = 0, last = 0;
const name = node => !node ? 'nothing' : node === document ? 'document' : node === window ? 'window' : node.nodeType !== 1 ? '#' + node.nodeType
  : node.localName + (node.id ? '#' + node.id : '') + [...node.attributes].filter(a => a.name !== 'id').map(a => `[${a.name}=${a.value}]`).join('');
const note = (kind, detail) => {
  if (zero === null) return;
  (facts[kind] ??= []).push(detail);
  const key = kind + ' ' + JSON.stringify(detail), times = seenBefore[key] = (seenBefore[key] ?? 0) + 1;
  frames[times > 1 ? `${key} again` : key] ??= frame;
  frames[`${key} last`] = frame;
};
const box = b => [b.x, b.y, b.width, b.height].map(Math.round);
for (const type of ['focus', 'blur', 'focusin', 'focusout', 'message', 'messageerror', 'toggle', 'beforetoggle', 'resize', 'scroll', 'visibilitychange',
  'pointerover', 'pointerout', 'mouseover', 'mouseout', 'mousemove', 'keydown', 'load', 'error', 'animationstart', 'transitionrun', 'selectionchange',
  'fullscreenchange', 'securitypolicyviolation', 'copy', 'input', 'change', 'slotchange', 'command', 'interest'])
  for (const target of [window, document]) target.addEventListener(type, event => {
    if (type === 'focusin' && zero === null && event.target.id === 'user') { zero = performance.now(); frame = 0; state() }
    if (event.eventPhase) note('event', [name(event.currentTarget), type, name(event.target), name(event.relatedTarget), event.isTrusted, event.composedPath().map(name).join('<')])
  }, true);
new MutationObserver(list => { for (const m of list) {
  note('mutation', [m.type, name(m.target), m.attributeName, [...m.addedNodes].map(name), [...m.removedNodes].map(name)]);
  for (const node of m.addedNodes) if (node.nodeType === 1 && node.parentNode === document.documentElement) { host = node; watch(node) }
} }).observe(document, {subtree: true, childList: true, attributes: true, characterData: true, attributeOldValue: true});
const resize = new ResizeObserver(list => { for (const e of list) note('resize', [name(e.target), box(e.contentRect)]) });
const seen = new IntersectionObserver(list => { for (const e of list) note('intersection', [name(e.target), e.isIntersecting, e.intersectionRatio, box(e.boundingClientRect)]) }, {threshold: [0, .5, 1]});
const watch = node => { resize.observe(node); seen.observe(node) };
for (const type of PerformanceObserver.supportedEntryTypes) new PerformanceObserver(list => { for (const e of list.getEntries()) {
  if (['event', 'first-input', 'long-animation-frame'].includes(type)) continue; // durations only, of the page's own handlers
  if (type === 'longtask') { note('longtask', 1); continue }
  note('performance', [type, e.name.replace(/chrome-extension:\\/\\/[^/]*/, 'extension'), e.initiatorType ?? '']);
} }).observe({type, buffered: false});
const look = () => {
  const now = performance.now(); if (zero !== null) { frame++; longest = Math.max(longest, now - last) } last = now;
  state(); requestAnimationFrame(look);
};
const state = () => {
  const grid = []; for (let y = 10; y < innerHeight; y += 30) { const row = []; for (let x = 10; x < innerWidth; x += 60) row.push(name(document.elementFromPoint(x, y))); grid.push(row.join(' ')) }
  host = document.querySelector('[popover]') ?? host;
  const style = host && getComputedStyle(host);
  const now = {grid, windows: length, iframes: document.querySelectorAll('iframe').length, elements: document.querySelectorAll('*').length,
    focus: document.hasFocus(), active: name(document.activeElement), visibility: document.visibilityState, scroll: [scrollX, scrollY, document.documentElement.scrollWidth, document.documentElement.scrollHeight],
    host: host && [box(host.getBoundingClientRect()), host.offsetWidth, host.scrollHeight, host.shadowRoot === null, host.matches(':popover-open'), host.matches(':hover'),
      ...Object.fromEntries([...style].map(p => [p, style.getPropertyValue(p)])) ? [[...style].map(p => p + ':' + style.getPropertyValue(p)).join(';')] : []]};
  const text = JSON.stringify(now); if (zero !== null && text !== look.was) { look.was = text; note('state', now) }
};
document.addEventListener('DOMContentLoaded', () => { for (const element of document.querySelectorAll('html, body, input')) watch(element) });
requestAnimationFrame(look);
window.observed = () => ({facts, frames, longest: Math.round(longest), total: frame});
// Resolves when the page has had the time, and so many animation frames, in which whatever is due is seen.
window.passed = (time, count) => new Promise((done) => {
  const end = performance.now() + time;
  const next = () => { if (count-- > 0 || performance.now() < end) requestAnimationFrame(next); else setTimeout(done) };
  next();
});
"""


#: The same from the moment a form is sent off, for what a page sees of a question whether to save what was typed.
SENT_RECORDER = RECORDER.replace("type === 'focusin' && zero === null && event.target.id === 'user'", "type === 'submit' && zero === null") \
    .replace("'focus', 'blur',", "'submit', 'focus', 'blur',")
assert "'submit' && zero" in SENT_RECORDER and "'submit', 'focus'" in SENT_RECORDER


def first(frames: dict, parts: tuple[str, ...]) -> int:
    return min((number for key, number in frames.items() if all(part in key for part in parts)), default=-1)


@dataclass
class Record:
    """What was seen in one state, in all rounds."""

    name: str
    facts: list[dict] = field(default_factory=list)
    frames: list[dict] = field(default_factory=list)

    def moments(self, parts: tuple[str, ...], since: tuple[str, ...]) -> list[int]:
        """In which frame something was first seen, in each round; less than 0 where it, or what it is counted from, never was."""
        found = [(first(frames, parts), first(frames, since) if since else 0) for frames in self.frames]
        return [seen - begun if seen >= 0 and begun >= 0 else NEVER for seen, begun in found]

    def chance(self, parts: tuple[str, ...], since: tuple[str, ...]) -> float:
        """By how much the medians of the two halves of this series differ: what chance does to a series of one state."""
        moments = self.moments(parts, since)
        return abs(median(moments[::2]) - median(moments[1::2])) if len(moments) > 3 else 0

    def usual(self, kind: str) -> str:
        """What was seen most often."""
        seen = Counter(json.dumps(facts.get(kind), sort_keys=True) for facts in self.facts)
        return seen.most_common(1)[0][0]

    def count(self, kind: str) -> float:
        return median(len(facts.get(kind, [])) for facts in self.facts)


def observe(browser: Chromium, address: str, record: Record) -> None:
    """Opens a page that carries `RECORDER`, focuses its field, looks, points at the bar, has it be large, types,
    goes into it by the keyboard and leaves it; points at the other field, clicks it, leaves it."""
    page = browser.page
    page.goto(address)
    page.wait_for_function("document.readyState === 'complete' && performance.getEntriesByName('first-contentful-paint').length")
    page.mouse.move(5, 5)
    page.evaluate("passed(0, 8)")
    page.evaluate("document.querySelector('#user').focus()")
    browser.bar().wait()
    page.evaluate("passed(500, 18)")
    box = browser.bar().box()
    page.mouse.move(box["x"] + 100, box["y"] + 18)
    eventually(page, lambda: browser.bar().wait().query_selector("html:hover"), "the pointer on the bar")
    page.evaluate("passed(0, 12)")
    # The large one by a press; a character that closes it; the keyboard in it, and out of it again.
    browser.bar().grow()
    page.evaluate("passed(0, 12)")
    page.keyboard.press("x")
    page.wait_for_function("!document.querySelector('[popover]:popover-open')")
    page.evaluate("passed(0, 12)")
    page.keyboard.press("ArrowDown")
    eventually(page, lambda: browser.bar().wait().query_selector("html.large.entered #filter:focus"), "the keyboard in the large bar")
    page.evaluate("passed(0, 12)")
    browser.press(page, "Escape")
    page.wait_for_function("!document.querySelector('[popover]')")
    page.evaluate("passed(0, 12)")
    page.evaluate("document.querySelector('#user').blur()")
    page.evaluate("passed(0, 12)")
    field = page.locator("#password").bounding_box()
    page.mouse.move(field["x"] + field["width"] / 2, field["y"] + field["height"] / 2)
    eventually(page, lambda: page.evaluate("!!document.querySelector('[popover]')"), "an element")
    page.evaluate("passed(0, 12)")
    page.mouse.down()
    page.mouse.up()
    browser.bar().box()
    # The next bar's frame comes a while after this one.
    page.evaluate("passed(500, 30)")
    page.evaluate("document.querySelector('#password').blur()")
    page.evaluate("passed(0, 12)")
    seen = page.evaluate("observed()")
    seen["facts"].pop("longtask", None)
    record.facts.append(seen["facts"])
    record.frames.append(seen["frames"])


def record(browser: Chromium, latchkey, hosts: dict[str, str], rounds: int, before: list[Record] | None = None) -> list[Record]:
    """Records each state by turns, so that what changes with time changes all of them; the state `locked` locks before it.

    With `before` the rounds are added to records of the same states.
    """
    records = {one.name: one for one in before} if before else {name: Record(name) for name in hosts}
    observe(browser, f"https://{next(iter(hosts.values()))}/observed", Record("warming up"))
    for _ in range(rounds):
        for name, host in hosts.items():
            if name == "locked":
                latchkey.lock()
            observe(browser, f"https://{host}/observed", records[name])
        if "locked" in hosts:
            latchkey.unlock()
    return list(records.values())


def observe_sent(browser: Chromium, address: str, record: Record, user: str, password: str) -> None:
    """Opens a page that carries `SENT_RECORDER`, types into its form and sends it off; then all that comes of it comes."""
    page = browser.page
    page.goto(address)
    page.wait_for_function("document.readyState === 'complete' && performance.getEntriesByName('first-contentful-paint').length")
    settled = browser.sent("page.settled")
    page.click("#user")
    browser.bar().wait()
    page.keyboard.type(user)
    page.focus("#password")
    browser.bar().wait()
    page.keyboard.type(password)
    page.wait_for_function("!document.querySelector('[popover]:popover-open')")
    # Where the form is gone the pointer would be over something else, which is told at a moment of the browser's own.
    page.mouse.move(5, 5)
    # The next bar's frame comes a while after this one; what is recorded begins after that.
    eventually(page, browser.bar(page).spares, "the next bar's frame")
    page.evaluate("passed(500, 30)")
    page.keyboard.press("Enter")
    page.wait_for_function("!document.querySelector('form')")
    eventually(page, lambda: browser.sent("page.settled") > settled, "the end of the form")
    browser.at_rest()
    page.evaluate("passed(1500, 60)")
    seen = page.evaluate("observed()")
    seen["facts"].pop("longtask", None)
    record.facts.append(seen["facts"])
    record.frames.append(seen["frames"])


def sent(number: int) -> tuple[str, str]:
    """The user name and password that are typed in a round."""
    return f"person{number:02}", f"typed password {number:02}"


def record_sent(browser: Chromium, latchkey, hosts: dict[str, str], rounds: int) -> tuple[list[Record], dict[str, int]]:
    """Records each state by turns, and counts the questions that each has brought about; the state `locked` locks before it.

    In each round another user signs in, as the same form is asked about once. What is known for the state `same` was saved just before.
    """
    records, questions = {name: Record(name) for name in hosts}, dict.fromkeys(hosts, 0)
    for number in range(rounds):
        user, password = sent(number)
        for name, host in hosts.items():
            if name == "locked":
                latchkey.lock()
            if name == "same":
                window = browser.question(lambda: observe_sent(browser, f"https://{host}/sent", Record("saving"), user, password))
                window.wait_for_selector("#accept:not(.early)")
                window.click("#accept")
                eventually(browser.page, window.is_closed, "the end of the question")
                browser.at_rest()
            before = browser.got("browser.present")
            observe_sent(browser, f"https://{host}/sent", records[name], user, password)
            if name in ("new", "changed", "locked"):
                # The daemon asks when it has answered.
                eventually(browser.page, lambda: browser.got("browser.present") > before, "the question")
            questions[name] += browser.got("browser.present") - before
            for page in browser.context.pages:
                assert "/prompt.html" not in page.url, "a window has opened by itself"
            if name == "locked":
                latchkey.unlock()
                browser.at_rest()
    return list(records.values()), questions


#: What the side-by-side table shows of the frames: a title, what its entry in the record contains, and what it is counted from.
MOMENTS = [("element added", ('mutation ["childList"', '["div'), ()), ("toggle event", ('"toggle"',), ()), ("size seen", ('resize ["div',), ()),
           ("in the viewport", ('intersection ["div',), ()), ("large, after Down", ('resize ["div', "180]", "again"), ('"blur"',)),
           ("removed, after Escape", ('mutation ["childList"', '[],["div'), ('"focusin","input#user', '"div[popover=manual]",true')),
           ("added, after pointing", ('mutation ["childList"', '["div', "again"), ('"pointerover"', "input#password")),
           ("shown, after a click", ('"toggle"', "last"), ('"focusin"', "input#password"))]


def compare(records: list[Record], moments_shown=MOMENTS) -> tuple[bool, str]:
    """Whether all records are the same, and a table that shows them side by side."""
    lines, same = [], True
    width = max(len(record.name) for record in records) + 2
    lines.append(" " * 26 + "".join(f"{record.name:>{width}}" for record in records))
    kinds = sorted({kind for record in records for facts in record.facts for kind in facts})
    for kind in kinds:
        lines.append(f"{kind + ', seen':26}" + "".join(f"{record.count(kind):>{width}.0f}" for record in records))
        reference = records[0].usual(kind)
        for record in records:
            if record.usual(kind) != reference:
                same = False
                lines.append(f"  DIFFERS: {record.name}: {difference(json.loads(reference), json.loads(record.usual(kind)))}")
    for title, parts, since in moments_shown:
        moments = [median(record.moments(parts, since)) for record in records]
        lines.append(f"{title + ', in frame':26}" + "".join(f"{moment:>{width}.0f}" for moment in moments))
        allowed = TOLERANCE + max(record.chance(parts, since) for record in records)
        if min(moments) < 0 or max(moments) - min(moments) > allowed:
            same = False
            lines.append(f"  DIFFERS by more than {allowed:.0f} frames")
    return same, "\n".join(lines)


def difference(one: list | None, other: list | None) -> str:
    """The first entry in which two lists differ, in short."""
    for a, b in zip(one or [], other or []):
        if a != b:
            return f"{json.dumps(a)[:300]} is not {json.dumps(b)[:300]}"
    return f"{len(one or [])} entries against {len(other or [])}"

# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Describing live pages in Chromium: what the content script does between a focus and its message to the daemon.

A script that is added to a copy of the extension, which is otherwise the product's byte for byte, hears the focus before the
content script does and sees the message leave it; the time between the two is the content script's own, all of it in one task. In
the first focus of a page it is not: there what reads the page is brought into it, which is a figure of its own.
The pages are isolated from others (COOP, COEP), so that the browser's clock counts in steps of 5 microseconds.
"""

import itertools
import json
import shutil
import tempfile
from pathlib import Path

from devtools import Browser
from figures import Aim, say
from installation import BINARIES, ROOT
from site_server import Site

HOST = "shiny.example.com"
EXTENSION = ROOT / "BrowserExtension"
PAGES = sorted((ROOT / "Tests" / "Vectors" / "forms").glob("*.html"))
AIM_FORM, AIM_LONG = 1, 10
HEADERS = {"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp",
           "Content-Security-Policy": "default-src 'unsafe-inline'"}

BEFORE = """
let begun = 0;
addEventListener('focusin', (event) => { begun = performance.now(); }, true);
const send = chrome.runtime.sendMessage.bind(chrome.runtime);
chrome.runtime.sendMessage = (message) => {
  const ended = performance.now();
  if (message?.type === 'page.focused' && begun) {
    document.documentElement.dataset.bench = String(ended - begun);
    begun = 0;
  }
  return send(message);
};
"""
#: Focuses the first visible field that can be typed into: first until what reads the page is there, then so often; the times of the
#: content script, in milliseconds.
FOCUS = """(async times => {
  const frame = () => new Promise(requestAnimationFrame);
  const { dataset } = document.documentElement;
  const fields = [...document.querySelectorAll('input')].filter(field => field.matches(':enabled:read-write') && field.checkVisibility()
    && field.getBoundingClientRect().width > 8);
  const firsts = [], found = [];
  for (const field of fields.slice(0, 2)) {
    field.focus();
    for (let frames = 0; !dataset.bench && frames < 30; frames += 1) await frame();
    if (!dataset.bench) continue;
    firsts.push(Number(dataset.bench));
    break;
  }
  for (let time = 0; fields.length && time < times; time += 1) {
    document.activeElement?.blur();
    delete dataset.bench;
    fields[time % Math.min(2, fields.length)].focus();
    if (dataset.bench) found.push(Number(dataset.bench));
    await frame();
  }
  return { firsts, found };
})(TIMES)"""
ROW = """<form action="/row/{n}"><h3>Row {n}</h3><label for="u{n}">User name</label><input id="u{n}" name="user{n}">
<div><input type="password" name="p{n}" placeholder="Password"><span>8 characters</span></div>
<input name="note{n}" placeholder="Note"><input type="email" name="e{n}"><button>Save</button></form>"""
LONG = {
    "250 forms": "<title>Long</title>" + "".join(ROW.format(n=n) for n in range(250)),
    "one form": "<title>Long</title><form>" + "".join(
        f'<p><label>Field {n} <input name="f{n}" placeholder="value {n}"></label><span>some text</span>' for n in range(999))
    + '<p><label>Password <input type="password"></label><button>Sign in</button></form>',
}


def measure(table, rounds=5):
    table.section(f"Describing live pages in Chromium, {len(PAGES)} pages")
    folder = Path(tempfile.mkdtemp(prefix="latchkey-bench-"))
    site = Site(folder)
    browser = None
    try:
        copy = folder / "extension"
        shutil.copytree(EXTENSION, copy)
        manifest = json.loads((copy / "manifest.json").read_text())
        manifest["content_scripts"][0]["js"].insert(0, "bench.js")
        (copy / "manifest.json").write_text(json.dumps(manifest))
        (copy / "bench.js").write_text("{" + BEFORE + "}")
        identifier = (EXTENSION / "ID").read_text().strip()
        browser = Browser(folder, copy, identifier, BINARIES.resolve() / "latchkey-browser-host", {"HOME": str(folder)}, site.arguments())

        # A page that nobody has clicked into hears of no focus.
        browser.on_page("Emulation.setFocusEmulationEnabled", enabled=True)
        numbers = itertools.count()

        def times(text, count):
            browser.open(site.page("/page", text, host=HOST, **HEADERS) + f"?{next(numbers)}")
            return browser.evaluate(FOCUS.replace("TIMES", str(count)))

        times(LONG["one form"], 20)  # the script is compiled once it has run for a while: not what is measured
        answers = [times(page.read_text(), rounds) for page in PAGES]
        samples = [time for answer in answers for time in answer["found"]]
        table.add("describe the page of one form", samples, aim=Aim(AIM_FORM, "median"))
        for words, page in LONG.items():
            table.add(f"describe a page of 1,000 inputs, {words}", times(page, 8 * rounds)["found"], aim=Aim(AIM_LONG, "median"))
        firsts = [time for answer in answers for time in answer["firsts"]]
        table.add("first focus in a page, what reads it brought there", firsts)
        if not browser.evaluate("crossOriginIsolated"):
            say("The page was not isolated: the browser's clock counts in steps of 0.1 ms.")
    finally:
        if browser:
            browser.close()
        site.stop()
        shutil.rmtree(folder, ignore_errors=True)

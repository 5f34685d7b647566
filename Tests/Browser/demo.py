#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""`make demo`: a throw-away Latchkey, a sign-in site and a browser; one tap fills the form.

Then the part that keeps suggestions private: everything that the page's own script can observe is recorded while nothing,
one and twenty passwords are saved for it and while Latchkey is locked, and the records are compared. Exit status 0 means that
the form was filled and that the records are the same. The same is done for the question whether to save what was typed.
"""

import argparse
import json
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Error, sync_playwright

import calm
import demo_site
from browser import eventually
from chromium import Chromium
from latchkey import PASSPHRASE, Account, FakeLatchkey, Latchkey
from observation import TOLERANCE, compare, record, record_sent
from site_server import Site

ONE, NONE, TWENTY = "shiny.example.com", "plain.example.org", "other.example.com"
#: Where a password was saved a moment ago, and where nobody is to be asked.
SAME, NO_MORE = "evil.example.net", "login.example.com"
SAVED = [Account(ONE, "rmondello", "correct horse battery staple")]
SAVED += [Account(TWENTY, f"person{number:02}", f"made-up password {number}") for number in range(20)]
BEGUN = time.monotonic()


def say(text: str) -> None:
    print(f"{time.monotonic() - BEGUN:7.2f} s  {text}", flush=True)


#: Told to the extension's worker by this demo, not part of the extension: prints which messages come in, and from where.
LISTEN = """chrome.runtime.onMessage.addListener((message, sender) => {
  const from = sender.origin === location.origin ? new URL(sender.url).pathname.slice(1) : sender.origin;
  const what = message.type === 'page.focused' ? `${message.page.fields.length} fields, ${message.page.forms.length} form` : message.type === 'choose' ? JSON.stringify(message.guard) : '';
  console.log('LATCHKEY ' + JSON.stringify([message.type, from, what]));
})"""

STORY = {
    "page.focused": "1  The field took the focus. The content script on {0} describes the form: {1}; no values.",
    "suggestions": "4  The bar, a frame of the extension, asks for its rows.",
    "choose": "5  The user chose. What the guard in {0} saw: {1}",
    "prompt": "6  A window outside the page opens, to ask whether it was meant.",
    "answer": "6  The user answered there.",
}


def listen(browser: Chromium):
    """Prints what comes to the extension's worker, until the returned function is called."""
    worker = browser.context.service_workers[0] if browser.context.service_workers else browser.context.wait_for_event("serviceworker")

    def tell(message):
        if message.text.startswith("LATCHKEY "):
            kind, origin, what = json.loads(message.text[9:])
            if kind in STORY:
                say(STORY[kind].format(origin, what))

    worker.on("console", tell)
    worker.evaluate(LISTEN)
    return lambda: worker.remove_listener("console", tell)


def fill(browser: Chromium, latchkey, out: Path) -> bool:
    """The life of one suggestion."""
    page, bar = browser.page, browser.bar()
    page.goto(f"https://{ONE}/login")
    say(f"   https://{ONE}/login is open: “{page.title()}”.")
    stop = listen(browser)
    page.click("#user")
    rows = bar.texts(selector="#row-0")
    if latchkey.is_real:
        found = json.loads(latchkey.run("suggestions", f"https://{ONE}/login", "--json"))
        say(f"2  The daemon names the roles of the fields and verifies the origin that the browser states: https://{ONE}")
        say(f"3  It asks the identity stores: {len(found)} match of {len(SAVED)} saved, by {found[0]['provider']}.")
    bar.arm()
    page.screenshot(path=out / "bar.png")
    say(f"4  The bar shows: {' | '.join(rows)}. Picture: {out / 'bar.png'}")
    prompt = browser.window("prompt", bar.click)
    prompt.wait_for_selector("#accept:not(.early)")
    say("6  It says: " + prompt.inner_text("#title") + " " + prompt.inner_text("#facts").replace("\n", " "))
    prompt.set_viewport_size({"width": 440, "height": 312})
    prompt.screenshot(path=out / "confirm.png")
    if prompt.locator("#passphrase").is_visible():
        prompt.fill("#passphrase", PASSPHRASE)
    try:
        prompt.click("#accept:not(.early)")
    except Error:  # it closed with the click
        pass
    eventually(page, prompt.is_closed, "the end of the prompt")
    page.wait_for_function("document.querySelector('#password').value !== ''")
    say("7  The gate released the credential; it was filled into the two fields that were named.")
    page.evaluate(calm.FRAMES)
    page.screenshot(path=out / "filled.png")
    user, password = page.input_value("#user"), page.input_value("#password")
    say(f"   User name “{user}”, password of {len(password)} characters. Nothing was submitted: {page.url}. Picture: {out / 'filled.png'}")
    stop()
    if latchkey.is_real:
        lines = latchkey.run("audit").strip().splitlines()
        say(f"7  The audit log says: {lines[-1].strip() if lines else 'nothing'}")
    return (user, password) == (SAVED[0].user, SAVED[0].password) and page.url.endswith("/login")


def watch(browser: Chromium, latchkey, rounds: int) -> bool:
    """What the page can observe: five series, one of them a state that was recorded already."""
    say(f"   What the page's own script can observe, {rounds} rounds each, “one again” to show what chance does:")
    hosts = {"none": NONE, "one": ONE, "twenty": TWENTY, "one again": ONE, "locked": ONE}
    records = record(browser, latchkey, hosts, rounds)
    same, table = compare(records)
    # A difference that a page could use is there every time; one that a busy processor made is not. More rounds are added, not
    # taken instead: they bring out a difference, and let chance count for less.
    for more in (rounds, 2 * rounds):
        print(table)
        if same:
            break
        say(f"   Not the same: {more} more rounds, to see whether it was chance.")
        record(browser, latchkey, hosts, more, records)
        same, table = compare(records)
    else:
        print(table)
    say(f"   The records are {'the same' if same else 'NOT THE SAME'} (to the letter; moments within {TOLERANCE} frames).")
    return same


def ask(browser: Chromium, latchkey) -> bool:
    """What the page can observe of the question whether to save, or to update, what was typed into it."""
    say("   What it can observe once a form is sent off, and the user is asked or not:")
    latchkey.run("never", "add", NO_MORE)
    hosts = {"new": NONE, "changed": TWENTY, "same": SAME, "never": NO_MORE, "locked": NONE}
    records, questions = record_sent(browser, latchkey, hosts, 1)
    same, table = compare(records, ())
    print(table)
    asked = {name for name, count in questions.items() if count}
    say(f"   Asked: {', '.join(sorted(asked))}, by a notification of the desktop; no window opened. The records are {'the same' if same else 'NOT THE SAME'}.")
    return same and asked == {"new", "changed", "locked"}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path("demo-out"), help="folder for the pictures")
    parser.add_argument("--rounds", type=int, default=5, help="how often each state is recorded")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="latchkey-demo-"))
    latchkey = site = None
    try:
        say(f"   A throw-away Latchkey in {folder}")
        latchkey = (FakeLatchkey if os.environ.get("LATCHKEY_FAKE_ALL") else Latchkey)(folder, SAVED)
        say(f"   {len(SAVED)} accounts added with “latchkey add”")
        site = Site(folder)
        demo_site.serve(site, [ONE, NONE, TWENTY, SAME, NO_MORE])
        with sync_playwright() as playwright:
            browser = Chromium(playwright, folder / "profile", latchkey.host, latchkey.environment, site.arguments())
            browser.listen()
            try:
                filled = fill(browser, latchkey, options.out)
                same = watch(browser, latchkey, options.rounds)
                if latchkey.is_real:
                    same = ask(browser, latchkey) and same
            finally:
                browser.close()
        return 0 if filled and same else 1
    finally:
        if site:
            site.stop()
        if latchkey:
            latchkey.stop()
        shutil.rmtree(folder, ignore_errors=True)
        say("   Everything that was started has ended, and its folder is gone.")


if __name__ == "__main__":
    sys.exit(main())

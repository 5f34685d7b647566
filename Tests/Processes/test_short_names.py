# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""S49: after a lock the daemon holds no user name, however short it is."""

import pytest

from installation import PASSPHRASE, BrowserClient, secret
from test_memory import finds, needs_root
from verdicts import must_hold, nothing_released

SITE = "https://shiny.example.com"
#: Of lengths that Swift may keep inside a value (up to 15 bytes), and one more.
NAMES = ["zq7Xw_5b", "zq7Xw_twelve", "zq7Xw_fifteen!!", "zq7Xw_sixteen!!!"]
TYPED = "zq7Xw_typed"
PASSWORD = "a password of this test, 8vT"
PAGE = {
    "title": "Sign in", "path": "/login", "language": "en", "forms": [],
    "fields": [
        {"ref": 0, "tag": "input", "type": "text", "autocomplete": "username"},
        {"ref": 1, "tag": "input", "type": "password", "autocomplete": "current-password"},
    ],
}


@needs_root
@pytest.mark.release
def test_S49_no_name_is_left_after_a_lock(installation):
    running = installation.start()
    client = running.unlocked()
    client.prefer(authenticationMinutes=1000)
    items = client.call(
        "items.add",
        items=[{"services": ["shiny.example.com"], "user": name, "password": secret(PASSWORD)} for name in NAMES])["items"]
    for item in items:
        client.call("items.reveal", id=item["id"], purpose="show")
        client.call("items.get", id=item["id"])
    assert len(client.call("suggestions.list", url=SITE)["suggestions"]) == len(NAMES)
    client.call("explain", url=SITE)

    browser = BrowserClient(running)
    browser.user = lambda shown: (True, PASSPHRASE if shown["kind"] not in ("confirm", "savePassword") else None)
    filled = set()
    for row in range(len(NAMES)):
        session = browser.focus(SITE, document=f"D{row}")["session"]
        rows = browser.call("renderer.suggestions", session=session)["suggestions"]
        answer = browser.call("renderer.choose", handle=rows[row]["handle"], surface="bar", guard={"held": True})
        filled |= {fill["value"]["secret"] for fill in answer["fills"]}
    assert filled > set(NAMES)
    browser.focus(SITE, document="D9")
    frame = {"tab": 1, "frame": 0, "document": "D9", "chain": [{"origin": SITE, "document": "D9"}]}
    browser.call("page.submitted", frame=frame, page=PAGE, values=[
        {"ref": 0, "value": secret(TYPED)}, {"ref": 1, "value": secret(PASSWORD)}])
    assert {line.get("user") for line in client.call("audit.list")["lines"]} >= set(NAMES)
    client.call("items.remove", id=items[0]["id"])

    client.call("lock")
    # Answered after all that came before it, through the host too.
    must_hold(client.call("status")["locked"] and browser.call("renderer.status")["locked"], "it is not locked")
    # The search is alive: what is no secret is there.
    assert finds(running.daemon.pid, "latchkeyd.sock")
    nothing_released("the daemon's memory", [name for name in [*NAMES, TYPED] if finds(running.daemon.pid, name)])
    browser.close()

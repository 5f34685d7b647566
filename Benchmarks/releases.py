# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Tap to credential on the browser's wire: through latchkey-browser-host, daemon, provider, gate and audit log."""

import os
import signal
import time

from figures import Aim, milliseconds
from installation import PASSPHRASE, BrowserClient, secret
from stores import host

#: The site that is chosen for; it has one account.
SITE = host(0)


class Taps:
    """A browser that plays the user's tap. The first one is confirmed outside the page, the measured ones need nothing."""

    def __init__(self, store, site=SITE):
        self.store = store
        self.site = site
        store.client.call("authenticate", passphrase=secret(PASSPHRASE))
        self.browser = BrowserClient(store.installation)
        self.browser.user = lambda shown: (True, PASSPHRASE if shown["kind"] == "authenticate" else None)
        self.tap()
        self.asked = len(self.browser.presented)

    def tap(self):
        """Milliseconds from `renderer.choose` sent to its answer; the browser's evidence is given in between."""
        session = self.browser.focus(f"https://{self.site}")["session"]
        rows = self.browser.call("renderer.suggestions", session=session)["suggestions"]
        start = time.perf_counter()
        answer = self.browser.call("renderer.choose", handle=rows[0]["handle"], surface="bar", guard={"held": True})
        took = milliseconds(start)
        if {fill["role"] for fill in answer["fills"]} != {"username", "current-password"}:
            raise RuntimeError("the answer does not fill both fields")
        return took

    def close(self):
        if len(self.browser.presented) != self.asked:
            raise RuntimeError("the user was asked during a measured tap")
        self.browser.close()


def kill_provider(store):
    """Ends the provider and waits until the daemon knows, so that the next tap starts another one."""
    for process in store.installation.providers():
        os.kill(process, signal.SIGKILL)
    deadline = time.monotonic() + 20
    while store.status()["providers"][0]["running"]:
        if time.monotonic() > deadline:
            raise RuntimeError("the daemon does not notice that its provider has ended")
        time.sleep(0.01)


def measure(table, stores, warm, cold):
    table.section("Tap to credential on the wire (renderer.choose, over latchkey-browser-host)")
    for store in stores:
        taps = Taps(store)
        table.add(f"provider warm, {store.count:,} items", [taps.tap() for _ in range(warm)], aim=Aim(30))
        samples = []
        for _ in range(cold):
            kill_provider(store)
            samples.append(taps.tap())
        table.add(f"provider cold, {store.count:,} items", samples)
        taps.close()

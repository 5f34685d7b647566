# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""An account of the worked example is upgraded to Sign in with Apple, in a window of a real browser."""

import json
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from browser import ORIGIN, eventually
from conftest import RMONDELLO
from latchkey import PASSPHRASE

sys.path.append(str(Path(__file__).resolve().parents[1] / "Processes"))

from shiny_accounts import EXTENSION, HOST, ISSUER, PROGRAM, ShinyAccounts  # noqa: E402

pytestmark = pytest.mark.skipif(not PROGRAM.exists(), reason="the examples were not built (LATCHKEY_EXAMPLES=1)")


class Shiny(ShinyAccounts):
    """The service and its identity provider, as Chromium finds them."""

    def arguments(self):
        key = subprocess.run(["openssl", "x509", "-in", self.certificate, "-pubkey", "-noout"], check=True, capture_output=True)
        whole = subprocess.run(["openssl", "pkey", "-pubin", "-outform", "DER"], input=key.stdout, check=True, capture_output=True)
        digest = subprocess.run(["openssl", "dgst", "-sha256", "-binary"], input=whole.stdout, check=True, capture_output=True)
        name = subprocess.run(["openssl", "base64"], input=digest.stdout, check=True, capture_output=True)
        return [f"--host-resolver-rules=MAP * 127.0.0.1:{self.tls_port}", f"--ignore-certificate-errors-spki-list={name.stdout.decode().strip()}"]


class World:
    """A Latchkey with the account, a browser, and the service with its app."""

    def __init__(self, workplace, ending, folder):
        self.shiny = Shiny(folder)
        ending.callback(self.shiny.stop)
        self.it = workplace.begin(ending, site=self.shiny)
        config = self.it.folder / "config/latchkey"
        config.mkdir(mode=0o700, parents=True, exist_ok=True)
        place = f"127.0.0.1:{self.shiny.tls_port}"
        (config / "fetch.json").write_text(json.dumps({
            "additionalRoots": str(self.shiny.authority.root), "resolve": {f"{HOST}:443": place, f"{ISSUER}:443": place}}))
        self.shiny.add(RMONDELLO.user, RMONDELLO.password)
        run = self.it.latchkey.run
        run("providers", "install", self.shiny.put_app(folder / "Shiny", issuer=True))
        run("providers", "enable", EXTENSION, "--yes", "--passphrase-file", self.it.latchkey.secret)
        # The browser has found Latchkey.
        self.it.open(f"https://{HOST}/login")
        self.it.bar.wait("#row-0")

    def upgrade(self):
        """Begins; the program, and the window that it opens."""
        before = set(self.it.browser.context.pages)
        running = subprocess.Popen(
            [self.it.latchkey.bin / "latchkey", "upgrade", HOST, "--to", "sign-in-with-apple", "--passphrase-file", self.it.latchkey.secret],
            env=self.it.latchkey.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        window = eventually(
            self.it.page,
            lambda: next((p for p in self.it.browser.context.pages if p not in before and "/auth/authorize" in p.url), None), "the window")
        window.wait_for_selector("button[value=continue]")
        assert window.url.startswith(f"https://{ISSUER}/auth/authorize?") and "state=" in window.url
        return running, window

    def method(self):
        return self.shiny.post("/test/method", user=RMONDELLO.user)[1]["method"]

    def reached(self):
        """Whether anything came to the return URL over the network."""
        return [line for line in self.shiny.asked if "/auth/return" in line]


@pytest.fixture
def world(workplace, tmp_path):
    with ExitStack() as ending:
        yield World(workplace, ending, tmp_path)


def end(running):
    text, errors = running.communicate(timeout=120)
    return running.returncode, (text + errors).decode()


def test_the_answer_is_taken_and_the_window_closes(world):
    running, window = world.upgrade()
    world.it.closes(window, lambda: window.click("button[value=continue]"))
    status, text = end(running)
    assert status == 0 and "signs in to" in text, text
    assert world.method() == "apple" and not world.shiny.takes(RMONDELLO.user, RMONDELLO.password)
    assert world.reached() == [], "what was posted went to the site"
    assert RMONDELLO.user not in world.it.latchkey.run("list")
    assert "signs in with Apple since" in world.it.latchkey.run("upgrade", "--list")


def test_a_closed_window_is_a_no(world):
    running, window = world.upgrade()
    window.close()
    status, text = end(running)
    assert status != 0 and "canceled" in text, text
    assert world.method() == "password" and world.shiny.takes(RMONDELLO.user, RMONDELLO.password)
    assert RMONDELLO.user in world.it.latchkey.run("list")


def test_a_no_on_the_page_is_a_no(world):
    running, window = world.upgrade()
    world.it.closes(window, lambda: window.click("button[value=cancel]"))
    status, text = end(running)
    assert status != 0 and "canceled" in text, text
    assert world.method() == "password" and world.reached() == []


def test_the_window_goes_with_who_asked(world):
    running, window = world.upgrade()
    running.kill()
    running.communicate()
    eventually(world.it.page, window.is_closed, "the end of the window")
    assert world.shiny.takes(RMONDELLO.user, RMONDELLO.password)


def test_settings_change_an_account_after_the_passphrase(world):
    browser = world.it.browser
    page = browser.context.new_page()
    page.goto(f"{ORIGIN}/windows/settings.html")
    item = f"#upgrade-list > li[aria-label='{RMONDELLO.user} at {HOST}']"
    page.wait_for_selector(item)
    before = set(browser.context.pages)
    prompt = browser.window("prompt", lambda: page.click(f"{item} button:has-text('Sign in with Apple')"))
    eventually(prompt, lambda: "Sign in with Apple" in prompt.inner_text("#title"), "the question")
    assert RMONDELLO.user in prompt.inner_text("#facts") and HOST in prompt.inner_text("#facts")
    before.add(prompt)
    world.it.accept(prompt, PASSPHRASE)
    window = eventually(
        world.it.page, lambda: next((p for p in browser.context.pages if p not in before and "/auth/authorize" in p.url), None), "the window")
    window.wait_for_selector("button[value=continue]")
    world.it.closes(window, lambda: window.click("button[value=continue]"))
    page.wait_for_selector(f"{item} .state:has-text('signs in with Apple now')")
    assert world.method() == "apple" and world.reached() == []
    assert RMONDELLO.user not in world.it.latchkey.run("list")

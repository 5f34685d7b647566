# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""From a weak password that was filled to a strong one by one press in the popup: the service and the app of Examples/ShinyAccounts,
the real daemon and built-in provider, and Chromium."""

import base64
import contextlib
import hashlib
import json
import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from browser import ORIGIN, Closed, eventually
from chromium import Popup
from latchkey import PASSPHRASE, ROOT, Account

sys.path.append(str(ROOT / "Tests" / "Processes"))
os.environ.setdefault("LATCHKEY_BIN", str(ROOT / ".build" / "debug"))

from shiny_accounts import EXTENSION, HOST, PROGRAM, ShinyAccounts, code  # noqa: E402

pytestmark = pytest.mark.skipif(not PROGRAM.exists(), reason="the examples were not built (LATCHKEY_EXAMPLES=1)")

WEAK = "hunter2"
STRONG = "rWibMFACxAUGZmxhVncy"
KEY = bytes(range(20))
ROWS = "[...document.querySelectorAll('[role=option]')].map(row => row.ariaLabel)"
NOTE = "document.querySelector('#note').textContent"
UPGRADE = "Upgrade to a Strong Password"
RULES = "ASAccountAuthenticationModificationPasswordGenerationRequirements"


class Shiny(ShinyAccounts):
    """The service, as Chromium reaches it."""

    def arguments(self):
        """What Chromium needs to reach it, and it alone, and to believe its certificate."""
        leaf = next(self.authority.folder.glob(f"{HOST}-*.crt"))
        key = subprocess.run(["openssl", "x509", "-in", leaf, "-pubkey", "-noout"], check=True, capture_output=True).stdout
        body = b"".join(line for line in key.splitlines() if b"-----" not in line)
        mark = base64.b64encode(hashlib.sha256(base64.b64decode(body)).digest()).decode()
        return [f"--host-resolver-rules=MAP * 127.0.0.1:{self.tls_port}", f"--ignore-certificate-errors-spki-list={mark}"]


class World:
    """A user with accounts at Shiny, its app with the extension, and a browser."""

    def __init__(self, ending, workplace, folder, accounts, information=None, app=None):
        self.shiny = Shiny(folder)
        ending.callback(self.shiny.stop)
        for user, password, key in accounts:
            self.shiny.add(user, password, key)
        self.it = workplace.begin(ending, [Account(HOST, user, password) for user, password, _ in accounts], site=self.shiny)
        latchkey = self.latchkey = self.it.latchkey
        config = Path(latchkey.environment["XDG_CONFIG_HOME"]) / "latchkey"
        self.shiny.configure(type("Place", (), {"config": config}))
        bundle = self.shiny.put_app(folder / "Shiny", information)
        if app:
            import plistlib
            (bundle / "Info.plist").write_bytes(plistlib.dumps(app))
        latchkey.run("providers", "install", bundle)
        latchkey.run("providers", "enable", EXTENSION, "--yes", "--passphrase-file", latchkey.secret)
        # Asks the site, which is asked when an extension is enabled too; nobody waits for that.
        listed = json.loads(latchkey.run("upgrade", "--list", HOST, "--json"))
        assert all(one["extension"] for one in listed) and len(listed) == len(accounts)
        self.page = self.it.page

    def fill(self, user="rmondello", password=WEAK):
        """Fills the sign-in page from the popup."""
        self.it.open(f"https://{HOST}/login", focus=None)
        self.choose(f"password for {HOST}, {user}")
        self.it.filled(user=user, password=password)

    def sign_in(self, user="rmondello", password=WEAK):
        self.fill(user, password)
        self.page.click("button")
        self.page.wait_for_selector(f"#message:has-text('Signed in as {user}')")

    def popup(self, shows):
        return self.it.browser.popup(shows)

    def choose(self, title):
        """Chooses a row of the popup by keyboard, once it is there; returns the popup."""
        shows = f"{ROWS}.some(row => row.startsWith({json.dumps(title)})) && {ROWS}"
        popup = self.popup(shows)
        wanted = next(index for index, row in enumerate(popup.shown) if row.startswith(title))
        for _ in range(wanted):
            popup.press("ArrowDown")
        popup.press("Enter")
        return popup

    def told(self, text):
        """Waits until the popup, open or opened again, says something."""
        return self.popup(f"{NOTE}.includes({json.dumps(text)}) && {NOTE}").shown

    def rows(self):
        return self.popup(f"document.querySelector('#change') && {ROWS}").shown

    def leave(self):
        """The popup closes when a window takes the focus, at a moment of its own: at the latest now."""
        def look():
            for target in self.it.browser.targets("/popup.html"):
                with contextlib.suppress(Closed):
                    Popup(self.it.browser, target).evaluate("close()")
            return not self.it.browser.targets("/popup.html")

        eventually(self.page, look, "the end of the popup")

    def mark(self):
        """What the toolbar button of the page's tab says."""
        opener = self.it.browser.context.new_page()
        opener.goto(f"{ORIGIN}/windows/prompt.html")
        try:
            return opener.evaluate("""async () => {
              const [tab] = await chrome.tabs.query({ url: 'https://shiny.example.com/*' });
              return [await chrome.action.getBadgeText({ tabId: tab.id }), await chrome.action.getTitle({ tabId: tab.id })] }""")
        finally:
            opener.close()

    def saved(self, user="rmondello"):
        """What the vault has, and had before."""
        shown = json.loads(self.latchkey.run(
            "show", HOST, user, "--password", "--history", "--json", "--passphrase-file", self.latchkey.secret))
        return shown["password"], json.dumps(shown["history"])


@pytest.fixture
def world(workplace, tmp_path):
    with ExitStack() as ending:
        yield lambda accounts=(("rmondello", WEAK, None),), **more: World(ending, workplace, tmp_path, accounts, **more)


def test_weak_password_is_upgraded_by_one_tap_and_the_next_sign_in_uses_the_new_one(world):
    world = world()
    world.sign_in()
    # The toolbar says so while the page knows nothing of it, and the popup what to do about it.
    eventually(world.page, lambda: world.mark()[0] == "!" and "guess" in world.mark()[1], "the mark")
    rows = world.rows()
    assert rows[0].startswith(f"{UPGRADE}, {HOST}") and rows[1].startswith("Change Password…")
    # One tap.
    popup = world.choose(UPGRADE)
    eventually(world.page, lambda: "is a strong one now" in (popup.evaluate(NOTE) or ""), "the end of the change")
    assert UPGRADE not in " ".join(popup.evaluate(ROWS))
    # The service has the new one, the vault has it, and the old one is in its history.
    new, history = world.saved()
    assert new not in (WEAK, "") and WEAK in history
    assert world.shiny.takes("rmondello", new) and not world.shiny.takes("rmondello", WEAK)
    # The next sign-in uses it, and there is nothing to recommend any more.
    world.sign_in(password=new)
    world.it.quiet()
    assert world.popup(f"document.readyState === 'complete' && {NOTE} && ({ROWS}.length + 1)").shown == 1
    assert world.mark()[0] == ""
    assert new not in (world.latchkey.folder / "latchkeyd.log").read_text()


def test_page_sees_the_same_whatever_can_be_upgraded(world):
    world = world((("rmondello", WEAK, None), ("careful", STRONG, None)))
    watch = """() => { window.seen = [];
      new MutationObserver(() => seen.push('mutation')).observe(document, {subtree: true, childList: true, attributes: true});
      for (const type of ['message', 'toggle', 'resize', 'input']) addEventListener(type, () => seen.push(type), true) }"""
    seen = []
    for user, password in (("rmondello", WEAK), ("careful", STRONG)):
        world.it.open(f"https://{HOST}/login", focus=None)
        world.page.evaluate(watch)
        world.choose(f"password for {HOST}, {user}")
        world.it.filled(user=user, password=password)
        world.it.quiet()
        seen.append(world.page.evaluate("() => seen"))
    assert seen[0] == seen[1]


def test_strong_password_has_no_offer(world):
    world = world((("rmondello", STRONG, None),))
    world.fill(password=STRONG)
    world.it.quiet()
    assert not any(row.startswith((UPGRADE, "Change Password…")) for row in world.popup(f"document.querySelector('#row-0') && {ROWS}").shown)


def test_code_is_asked_for_in_a_window_and_the_result_waits_for_the_popup(world):
    world = world((("careful", WEAK, KEY),))
    world.fill("careful")
    window = world.it.browser.window("prompt", lambda: world.choose(UPGRADE))
    window.wait_for_selector("#interface:not(.waiting) input")
    assert "changes the password" in window.inner_text("#who") and "careful" in window.inner_text("#facts")
    world.leave()
    window.fill("#interface input", code(KEY))
    world.it.closes(window, lambda: window.keyboard.press("Enter"))
    # Nobody has seen it in the popup: the toolbar says that it is done, and the popup the rest when it is opened again.
    eventually(world.page, lambda: world.mark()[0] == "✓" and "strong one now" in world.mark()[1], "the mark")
    assert "in its history" in world.told("is a strong one now")
    assert eventually(world.page, lambda: world.mark()[0] == "", "the end of the mark")
    new, _ = world.saved("careful")
    assert world.shiny.post("/api/session", user="careful", password=new)[1]["error"] == "codeRequired"
    assert world.shiny.post("/api/session", user="careful", password=WEAK)[1]["error"] == "wrongCredentials"


def test_cancel_of_the_system_keeps_both_and_says_so(world):
    world = world((("careful", WEAK, KEY),))
    world.fill("careful")
    window = world.it.browser.window("prompt", lambda: world.choose(UPGRADE))
    window.wait_for_selector("#interface:not(.waiting) input")
    world.it.closes(window, lambda: window.click("#cancel"))
    assert "canceled" in world.told("cancel")
    assert world.saved("careful")[0] == WEAK
    # It may be tried again.
    assert any(row.startswith(UPGRADE) for row in world.rows())


def test_what_the_app_says_is_shown(world):
    world = world(information={
        "NSExtension": {
            "NSExtensionPointIdentifier": "com.apple.authentication-services-account-authentication-modification-ui",
            "NSExtensionAttributes": {
                "ASAccountAuthenticationModificationSupportsStrongPasswordChange": True,
                RULES: "minlength: 20; maxlength: 20; required: lower; required: digit;",
            },
        },
    })
    world.fill()
    world.choose(UPGRADE)
    assert "A new password has 16 to 64" in world.told("A new password has")
    assert eventually(world.page, lambda: world.mark()[0] == "!" and "16 to 64" in world.mark()[1], "the mark")
    assert world.saved()[0] == WEAK and world.shiny.takes("rmondello", WEAK)


def test_app_that_opts_out_is_not_offered_after_a_sign_in(world):
    world = world(app={"ASAccountAuthenticationModificationOptOutOfSecurityPromptsOnSignIn": True})
    world.fill()
    rows = world.rows()
    assert any(row.startswith("Change Password…") for row in rows) and not any(row.startswith(UPGRADE) for row in rows)
    # The listing has it all the same, and so has whoever asks for it.
    assert json.loads(world.latchkey.run("upgrade", "--list", "--json"))[0]["extension"]
    world.latchkey.run("upgrade", HOST, "--passphrase-file", world.latchkey.secret)
    assert world.saved()[0] != WEAK


def test_offer_is_not_for_another_site(world):
    world = world()
    world.fill()
    eventually(world.page, lambda: any(row.startswith(UPGRADE) for row in world.rows()), "the offer")
    # The tab shows another site by now; its service answers for every host here.
    world.page.goto("https://evil.example/login", wait_until="commit")
    popup = world.choose(UPGRADE)
    eventually(world.page, lambda: "ended" in (popup.evaluate(NOTE) or ""), "the refusal")
    assert world.saved()[0] == WEAK and world.shiny.takes("rmondello", WEAK)


def test_content_script_and_page_cannot_start_it(world):
    world = world()
    world.fill()
    eventually(world.page, lambda: any(row.startswith(UPGRADE) for row in world.rows()), "the offer")
    evaluate = world.it.browser.isolated_world(world.page)
    for kind in ("upgrade", "recommendation", "upgrades", "planUpgrades", "runUpgrade"):
        answer = evaluate(f"chrome.runtime.sendMessage({{type: '{kind}', handle: '', service: '{HOST}', user: 'rmondello'}})")
        assert answer["error"]["code"] == -32601, kind
    assert world.saved()[0] == WEAK


def settings(world):
    page = world.it.browser.context.new_page()
    page.goto(f"{ORIGIN}/windows/settings.html")
    page.wait_for_selector("#upgrade-list > li")
    return page


def test_settings_change_one_after_the_passphrase(world):
    world = world((("rmondello", WEAK, None), ("zoe", STRONG, None)))
    page = settings(world)
    names = page.eval_on_selector_all("#upgrade-list > li", "items => items.map(item => item.ariaLabel)")
    assert names == [f"rmondello at {HOST}", f"zoe at {HOST}"]
    button = f"#upgrade-list > li[aria-label='zoe at {HOST}'] button"
    prompt = world.it.browser.window("prompt", lambda: page.click(button))
    assert "zoe" in prompt.inner_text("#facts") and HOST in prompt.inner_text("#facts")
    world.it.accept(prompt, PASSPHRASE)
    page.wait_for_selector(f"#upgrade-list > li[aria-label='zoe at {HOST}'] .state:has-text('strong one now')")
    new, _ = world.saved("zoe")
    assert new != STRONG and world.shiny.takes("zoe", new)
    assert world.saved()[0] == WEAK


def test_settings_change_all_by_one_question_and_go_on_after_a_failure(world):
    world = world((("rmondello", WEAK, None), ("zoe", WEAK, None), ("third", STRONG, None)))
    # One of them has another password at the service by now.
    world.shiny.add("zoe", "something else")
    page = settings(world)
    prompt = world.it.browser.window("prompt", lambda: page.click("#upgrade-all"))
    eventually(page, lambda: "third at" in prompt.inner_text("#details"), "the accounts")
    world.it.accept(prompt, PASSPHRASE)
    page.wait_for_selector("#say:has-text('2 of 3 changed')", state="attached")
    for user in ("rmondello", "third"):
        assert world.shiny.takes(user, world.saved(user)[0]) and world.saved(user)[0] not in (WEAK, STRONG)
    bad = page.wait_for_selector(f"#upgrade-list > li[aria-label='zoe at {HOST}'] .state.bad")
    assert "not right" in bad.inner_text()
    assert world.saved("zoe")[0] == WEAK


def test_no_in_the_settings_changes_nothing(world):
    world = world((("rmondello", WEAK, None), ("zoe", WEAK, None)))
    page = settings(world)
    prompt = world.it.browser.window("prompt", lambda: page.click("#upgrade-all"))
    prompt.wait_for_selector("#accept:not(.early)")
    world.it.closes(prompt, lambda: prompt.click("#cancel"))
    page.wait_for_selector("#upgrade-all:not([disabled])")
    assert world.saved()[0] == WEAK and world.shiny.takes("rmondello", WEAK)

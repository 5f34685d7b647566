# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""S56: what the browser itself saves and lists, switched off at the user's wish and back when Latchkey goes.

The extension's permission for it is optional. No test can answer the browser's own question, so most have a copy of the extension to
which it is granted from the start.
"""

import json
import shutil

import pytest

from browser import ORIGIN, eventually
from chromium import IDENTIFIER

pytestmark = pytest.mark.chromium("in Firefox no extension can switch off the own lists of the browser")

PREFERENCES = {"credentials_enable_service": "passwords", "autofill.profile_enabled": "addresses", "autofill.credit_card_enabled": "cards"}
READ = """names => Promise.all(names.map((name) => chrome.settingsPrivate.getPref(name)))"""


def switches(user) -> dict:
    """What the browser's own settings page says: by switch whether it is on, and whether an extension decides."""
    page = user.browser.context.new_page()
    page.goto("chrome://settings/")
    found = page.evaluate(READ, list(PREFERENCES))
    page.close()
    return {PREFERENCES[one["key"]]: (one["value"], one.get("controlledBy") == "EXTENSION") for one in found}


ON = {"passwords": (True, False), "addresses": (True, False), "cards": (True, False)}
OFF = {"passwords": (False, True), "addresses": (False, True), "cards": (True, False)}


@pytest.fixture
def granted(tmp_path, workplace):
    """A copy of the extension that has the permission."""
    copy = tmp_path / "extension"
    shutil.copytree(workplace.extension, copy)
    manifest = json.loads((copy / "manifest.json").read_text())
    manifest["permissions"] += manifest.pop("optional_permissions")
    (copy / "manifest.json").write_text(json.dumps(manifest))
    return copy


@pytest.fixture
def user(start, granted, workplace):
    made = start(fake=True)
    made.browser.load(granted)
    yield made
    made.browser.load(workplace.extension)


def settings(user):
    page = user.browser.context.new_page()
    page.goto(f"{ORIGIN}/windows/settings.html")
    eventually(page, lambda: page.text_content("#state"), "the settings")
    return page


def test_S56_permission_is_optional(workplace):
    manifest = json.loads((workplace.extension / "manifest.json").read_text())
    assert manifest["optional_permissions"] == ["privacy"] and "privacy" not in manifest["permissions"]


def test_S56_nothing_is_changed_before_the_click_and_the_page_says_what_goes_with_it(user):
    page = settings(user)
    assert switches(user) == ON
    words = page.inner_text("#browser")
    for part in ("save passwords", "addresses", "typed before", "Payment cards stay", "Firefox", "privacy-related"):
        assert part in words
    page.evaluate("document.querySelector('#browser-off').click()")
    # Asked after the press, and so answered after what it might have begun.
    page.evaluate("() => chrome.permissions.contains({ permissions: ['privacy'] })")
    assert switches(user) == ON


def test_S56_a_click_switches_off_and_another_on_again(user):
    page = settings(user)
    page.click("#browser-off")
    page.wait_for_selector("#browser-on:not([hidden])")
    assert switches(user) == OFF
    assert page.is_hidden("#browser-off")
    page.click("#browser-on")
    page.wait_for_selector("#browser-off:not([hidden])")
    assert switches(user) == ON


def test_S56_the_browser_reverts_it_when_the_extension_goes(user, granted):
    page = settings(user)
    page.click("#browser-off")
    page.wait_for_selector("#browser-on:not([hidden])")
    assert switches(user) == OFF
    page.close()
    user.browser.tools.send("Extensions.uninstall", {"id": IDENTIFIER})
    eventually(user.page, lambda: switches(user) == ON, "the browser's own switches")
    # It is new to the browser when it comes again.
    user.browser.window("welcome", lambda: user.browser.load(granted)).close()


def test_S56_without_the_permission_nothing_can_be_changed(start):
    # In a browser of its own: one that has given a permission does not forget it.
    it = start(fake=True, without=["README.md"])
    page = settings(it)
    assert page.evaluate("""async () => {
      try { await chrome.privacy.services.passwordSavingEnabled.set({ value: false }); return 'set'; } catch { return 'refused'; }
    }""") == "refused"
    assert switches(it) == ON
    assert page.evaluate("chrome.permissions.contains({permissions: ['privacy']})") is False
    assert page.is_visible("#browser-off") and page.is_hidden("#browser-on")

# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""The browsers of a throw-away system, driven from outside. Nothing is loaded or registered by hand: packages do that."""

import json
import shlex
import subprocess
from contextlib import suppress

from playwright.sync_api import Error

from chromium import PATIENCE, Chromium, eventually
from firefox import PREFERENCES, Firefox, Tunnel
from firefox import eventually as eventually_in_firefox
from marionette import Marionette, MarionetteError
from throwaway import USER, System


class PackagedChromium(Chromium):
    """The system's Chromium, started by its own command, with a profile below the user's home."""

    def __init__(self, playwright, system: System, profile: str, arguments: list[str]):
        launcher = system.work / "chromium"
        # Playwright names a profile of this side; the profile is inside.
        launcher.write_text(f"""#!/bin/bash
words=()
for word in "$@"; do
    case "$word" in --user-data-dir=*) word=--user-data-dir={profile} ;; esac
    words+=("$word")
done
exec {shlex.join(system.entry(USER))} /usr/bin/chromium "${{words[@]}}"
""")
        launcher.chmod(0o755)
        outside = system.work / "no-profile"
        outside.mkdir(exist_ok=True)
        self.context = playwright.chromium.launch_persistent_context(
            str(outside), executable_path=str(launcher), headless=False, chromium_sandbox=True, viewport={"width": 900, "height": 700},
            ignore_default_args=["--disable-extensions", "--disable-component-extensions-with-background-pages"],
            args=["--headless=new", "--disable-gpu", "--no-first-run", *arguments], timeout=PATIENCE * 1000)
        self.context.set_default_timeout(PATIENCE * 1000)
        self.page = self.context.pages[0]
        self.tools = self.context.browser.new_browser_cdp_session()
        self.lines = {}

    def extensions(self) -> list[str]:
        """The identifiers of extensions whose background script runs."""
        found = self.tools.send("Target.getTargets")["targetInfos"]
        return sorted({target["url"].split("/")[2] for target in found if target["url"].startswith("chrome-extension:")})

    def fill(self, address: str, passphrase: str) -> tuple[str, str]:
        """Goes to a sign-in page, chooses the first row, says yes where that is asked; returns what is in the fields then."""
        page, bar = self.page, self.bar()
        # In a profile to which the extension is new its first-run page comes to the front.
        eventually(page, lambda: self.worker().evaluate("chrome.storage.local.get('welcomed')").get("welcomed"), "the first-run page")
        page.bring_to_front()
        page.goto(address)
        page.click("#user")
        bar.texts(selector="#row-0")
        bar.click()
        # Asked the first time only: later the choice in the bar is enough.
        eventually(page, lambda: self._prompts() or page.input_value("#password"), "a question, or a fill")
        for prompt in self._prompts():
            prompt.wait_for_selector("#accept:not([disabled])")
            if prompt.locator("#passphrase").is_visible():
                prompt.fill("#passphrase", passphrase)
            with suppress(Error):  # it closes with the click
                prompt.click("#accept")
            eventually(page, prompt.is_closed, "the end of the prompt")
        page.wait_for_function("document.querySelector('#password').value !== ''")
        return page.input_value("#user"), page.input_value("#password")

    def _prompts(self) -> list:
        return [one for one in self.context.pages if "/prompt.html" in one.url]


class PackagedFirefox(Firefox):
    """The system's Firefox ESR, with a profile below the user's home, which is there already or made now."""

    #: Of the tests' usual preferences all but those by which no extension of the system joins in. Firefox sets the like for every
    #: browser that is driven, and keeps them in the profile, unless it is told not to.
    OWN = {name: value for name, value in PREFERENCES.items() if name not in ("extensions.enabledScopes", "extensions.autoDisableScopes")}
    OWN["remote.prefs.recommended"] = False

    def __init__(self, system: System, profile: str, port: int, more: dict | None = None):
        self.tunnel = Tunnel(port)
        proxy = {"network.proxy.type": 1, "network.proxy.ssl": "127.0.0.1", "network.proxy.ssl_port": self.tunnel.port,
                 "network.proxy.http": "127.0.0.1", "network.proxy.http_port": self.tunnel.port}
        lines = "".join(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in {**self.OWN, **proxy, **(more or {})}.items())
        system.user("mkdir", "-p", profile)
        system.user("sh", "-c", f"cat > {profile}/user.js; rm -f {profile}/MarionetteActivePort", text=lines)
        self.profile = system.path(profile)
        self.log = open(system.work / "firefox.log", "ab")
        self.process = subprocess.Popen(
            [*system.entry(USER), "/usr/bin/firefox-esr", "--headless", "--marionette", "--remote-allow-system-access", "--no-remote", "--profile", profile],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        try:
            self.wire = Marionette(eventually_in_firefox(self._port, "Firefox"), PATIENCE)
            self.wire.send("WebDriver:NewSession", acceptInsecureCerts=True)
            self.page = self.wire.send("WebDriver:GetWindowHandle")
        except BaseException:
            self.process.kill()
            self.process.wait()
            raise

    def _port(self) -> int | None:
        assert self.process.poll() is None, "Firefox has ended"
        file = self.profile / "MarionetteActivePort"
        return int(file.read_text() or 0) if file.exists() else None

    def begin(self) -> None:
        """Waits for the first-run page, which comes to a profile to which the extension is new, and has the page of the test in front."""

        def look():
            for handle in self.wire.send("WebDriver:GetWindowHandles"):
                with suppress(MarionetteError), self.window(handle):
                    if self.wire.send("WebDriver:GetCurrentURL").endswith("/windows/welcome.html"):
                        return True
            return False

        eventually_in_firefox(look, "the first-run page")
        self.wire.send("WebDriver:SwitchToWindow", handle=self.page, focus=True)

    def addon(self) -> dict | None:
        """What Firefox says of the extension; `None` where it does not know it."""
        self.wire.send("Marionette:SetContext", value="chrome")
        try:
            return self.wire.send("WebDriver:ExecuteAsyncScript", script="""
              const done = arguments[arguments.length - 1];
              const { AddonManager } = ChromeUtils.importESModule('resource://gre/modules/AddonManager.sys.mjs');
              const { ExtensionPermissions } = ChromeUtils.importESModule('resource://gre/modules/ExtensionPermissions.sys.mjs');
              AddonManager.getAddonByID('latchkey@latchkey.org').then(async (found) => done(found && {
                active: found.isActive, scope: found.scope, signed: found.signedState, disabled: found.userDisabled,
                origins: (await ExtensionPermissions.get(found.id)).origins, version: found.version }))""", args=[])
        finally:
            self.wire.send("Marionette:SetContext", value="content")

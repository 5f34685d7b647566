# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Debian's Firefox ESR, headless, with the extension as a temporary add-on, driven by Marionette."""

import json
import os
import re
import shlex
import socket
import subprocess
import threading
from contextlib import contextmanager, suppress
from pathlib import Path

from browser import HOST, PATIENCE, ROOT, look_until_found
from marionette import Marionette, MarionetteError

PROGRAM = Path(os.environ.get("FIREFOX", "/usr/lib/firefox-esr/firefox-esr"))
EXTENSION = "latchkey@latchkey.org"

#: Firefox asks no server of its own for anything, saves no passwords, and has no other extension.
PREFERENCES = {
    "marionette.port": 0, "remote.log.level": "Warn", "extensions.enabledScopes": 1, "extensions.autoDisableScopes": 15,
    "extensions.update.enabled": False, "app.update.enabled": False, "app.normandy.enabled": False, "browser.aboutwelcome.enabled": False,
    "browser.newtabpage.enabled": False, "browser.shell.checkDefaultBrowser": False, "browser.safebrowsing.downloads.remote.enabled": False,
    "browser.safebrowsing.malware.enabled": False, "browser.safebrowsing.phishing.enabled": False, "browser.region.network.url": "",
    "datareporting.policy.dataSubmissionEnabled": False, "network.captive-portal-service.enabled": False, "network.connectivity-service.enabled": False,
    "network.dns.disablePrefetch": True, "network.prefetch-next": False, "security.OCSP.enabled": 0, "services.settings.server": "data:,",
    "signon.rememberSignons": False, "toolkit.telemetry.enabled": False,
}


def eventually(look, what: str, patience: float = PATIENCE):
    """Looks until something is there, and returns it."""
    return look_until_found(look, what, MarionetteError, patience=patience)


#: Hosts of Firefox's maker, which it asks for lists by itself.
OWN_HOSTS = re.compile(rb"(^|\.)(mozilla|firefox|mozgcp)\.")


class Tunnel:
    """A proxy that leads each https connection to the site of the tests, and http where there is a site for that; it refuses all others."""

    def __init__(self, port: int, plain: int | None = None):
        self.target, self.plain = port, plain
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        self.listener.close()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                threading.Thread(target=self._lead, args=(self.listener.accept()[0],), daemon=True).start()

    def _lead(self, client: socket.socket) -> None:
        with client, suppress(OSError):
            request = b""
            while b"\r\n\r\n" not in request and (more := client.recv(4096)):
                request += more
            method, _, rest = request.partition(b" ")
            if self.plain and rest.startswith(b"http://") and not OWN_HOSTS.search(rest.split(b"/")[2]):
                with socket.create_connection(("127.0.0.1", self.plain)) as server:
                    server.sendall(request)
                    self._pass_both(client, server)
                return
            if method != b"CONNECT" or OWN_HOSTS.search(rest.split(b" ")[0]):
                client.sendall(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
                return
            with socket.create_connection(("127.0.0.1", self.target)) as server:
                client.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
                self._pass_both(client, server)

    def _pass_both(self, client: socket.socket, server: socket.socket) -> None:
        back = threading.Thread(target=self._pass_on, args=(server, client), daemon=True)
        back.start()
        self._pass_on(client, server)
        back.join()

    @staticmethod
    def _pass_on(source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(1 << 16):
                target.sendall(data)
        with suppress(OSError):
            target.shutdown(socket.SHUT_WR)


#: Lets an extension into private windows.
LET_IN = """const [done] = [...arguments].slice(-1);
  const { AddonManager } = ChromeUtils.importESModule('resource://gre/modules/AddonManager.sys.mjs');
  const { ExtensionPermissions } = ChromeUtils.importESModule('resource://gre/modules/ExtensionPermissions.sys.mjs');
  const { extension } = WebExtensionPolicy.getByID(arguments[0]);
  ExtensionPermissions.add(extension.id, { permissions: ['internal:privateBrowsingAllowed'], origins: [] }, extension)
    .then(() => AddonManager.getAddonByID(extension.id)).then((found) => found.reload()).then(() => done(true), () => done(false));"""


class Firefox:
    """One browser with a profile of its own. `environment` names the home that it looks for the native messaging host in."""

    #: Whether the first-run page, which the extension opens in a new profile, is closed before anything else is done.
    closes_welcome = True
    preferences = PREFERENCES

    def __init__(self, profile: Path, environment: dict, command: list[str], port: int):
        self.profile = profile
        profile.mkdir(parents=True)
        self.extension = self.prepare(command, environment)
        self.tunnel = Tunnel(port)
        proxy = {"network.proxy.type": 1, "network.proxy.ssl": "127.0.0.1", "network.proxy.ssl_port": self.tunnel.port,
                 "network.proxy.http": "127.0.0.1", "network.proxy.http_port": self.tunnel.port}
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in {**self.preferences, **proxy}.items()]
        (profile / "user.js").write_text("".join(lines))
        self.log = open(profile / "firefox.log", "wb")
        self.process = subprocess.Popen(
            [*self.words(environment), "--headless", "--marionette", "--remote-allow-system-access", "--no-remote", "--profile", profile],
            env=environment, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, start_new_session=True)
        try:
            self.wire = Marionette(eventually(self._port, "Firefox"), PATIENCE)
            self.wire.send("WebDriver:NewSession", acceptInsecureCerts=True)
            self.page = self.wire.send("WebDriver:GetWindowHandle")
            self.wire.send("Addon:Install", path=str(self.extension), temporary=True)
            if self.closes_welcome:
                self.close_welcome()
        except BaseException:
            self.process.kill()
            self.process.wait()
            raise

    def words(self, environment: dict) -> list:
        """What starts the browser."""
        return [PROGRAM]

    def prepare(self, command: list[str], environment: dict) -> Path:
        """Lets the browser start Latchkey; returns the folder of the extension."""
        self._register(Path(environment["HOME"]), command, environment)
        extension = self.profile.parent / "firefox-extension"
        subprocess.run([ROOT / "scripts/make-firefox-extension", extension], check=True, stdout=subprocess.DEVNULL)
        return extension

    def _register(self, home: Path, command: list[str], environment: dict) -> None:
        """Registers a native messaging host. A script becomes it, so it is the browser's own child."""
        launcher = self.profile / "host"
        variables = " ".join(shlex.quote(f"{name}={value}") for name, value in environment.items())
        launcher.write_text(f'#!/bin/sh\nexec /usr/bin/env -i {variables} {shlex.join(command)} "$@"\n')
        launcher.chmod(0o755)
        folder = home / ".mozilla/native-messaging-hosts"
        folder.mkdir(parents=True)
        manifest = {"name": HOST, "description": "Latchkey", "path": str(launcher), "type": "stdio", "allowed_extensions": [EXTENSION]}
        (folder / f"{HOST}.json").write_text(json.dumps(manifest))

    def _port(self) -> int | None:
        assert self.process.poll() is None, (self.profile / "firefox.log").read_text()[-2000:]
        file = self.profile / "MarionetteActivePort"
        return int(file.read_text() or 0) if file.exists() else None

    def close(self) -> None:
        with suppress(MarionetteError, OSError):
            self.wire.send("Marionette:Quit", flags=["eForceQuit"])
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.wire.close()
        self.tunnel.close()
        self.log.close()

    def close_welcome(self) -> None:
        """Closes the first-run page, once it is there, and has the page in front again."""
        [tab] = eventually(lambda: self.windows("welcome"), "the first-run page")
        with self.window(tab):
            self.wire.send("WebDriver:CloseWindow")
        self.wire.send("WebDriver:SwitchToWindow", handle=self.page, focus=True)

    # ---- Windows and documents

    def evaluate(self, script: str, *arguments):
        """Runs the body of a function in the document that is looked at."""
        return self.wire.send("WebDriver:ExecuteScript", script=script, args=list(arguments), newSandbox=False)

    def system(self, script: str, *arguments):
        """Runs the body of a function in the browser itself."""
        self.wire.send("Marionette:SetContext", value="chrome")
        try:
            return self.evaluate(script, *arguments)
        finally:
            self.wire.send("Marionette:SetContext", value="content")

    @contextmanager
    def window(self, handle: str):
        """Looks at a window or tab, and then at the page again."""
        self.wire.send("WebDriver:SwitchToWindow", handle=handle, focus=False)
        try:
            yield
        finally:
            self.wire.send("WebDriver:SwitchToWindow", handle=self.page, focus=False)

    def windows(self, name: str) -> list[str]:
        """The open windows of the extension that show one of its documents."""
        found = []
        for handle in self.wire.send("WebDriver:GetWindowHandles"):
            if handle == self.page:
                continue
            with suppress(MarionetteError), self.window(handle):
                address = self.wire.send("WebDriver:GetCurrentURL")
                if address.startswith("moz-extension:") and f"/{name}.html" in address:
                    found.append(handle)
        return found

    def open(self, address: str) -> None:
        self.wire.send("WebDriver:SwitchToFrame", id=None)
        self.wire.send("WebDriver:Navigate", url=address)

    def open_in_container(self, address: str, number: int) -> str:
        """Opens a tab in one of the containers that Firefox has, in front, and looks at it from now on; returns the tab that was looked at."""
        before, known = self.page, set(self.wire.send("WebDriver:GetWindowHandles"))
        self.system("""const { gBrowser } = Services.wm.getMostRecentWindow('navigator:browser');
          gBrowser.selectedTab = gBrowser.addTab(arguments[0], { userContextId: arguments[1],
            triggeringPrincipal: Services.scriptSecurityManager.getSystemPrincipal() })""", address, number)
        [self.page] = eventually(lambda: set(self.wire.send("WebDriver:GetWindowHandles")) - known, "the tab of the container")
        self.wire.send("WebDriver:SwitchToWindow", handle=self.page, focus=True)
        eventually(lambda: self.evaluate("return location.href === arguments[0] && document.readyState === 'complete'", address), "the page")
        return before

    def open_in_private_window(self, address: str) -> str:
        """Opens a page in a private window, in front, and looks at it from now on; returns the tab that was looked at."""
        before, known = self.page, set(self.wire.send("WebDriver:GetWindowHandles"))
        self.system("""Services.wm.getMostRecentWindow('navigator:browser').OpenBrowserWindow({ private: true })""")
        [self.page] = eventually(lambda: set(self.wire.send("WebDriver:GetWindowHandles")) - known, "the private window")
        self.wire.send("WebDriver:SwitchToWindow", handle=self.page, focus=True)
        self.open(address)
        return before

    def let_into_private_windows(self) -> None:
        """Lets the extension into private windows, as the user does at its page of extensions; it begins anew with that."""
        self.wire.send("Marionette:SetContext", value="chrome")
        assert self.wire.send("WebDriver:ExecuteAsyncScript", script=LET_IN, args=[EXTENSION])
        self.wire.send("Marionette:SetContext", value="content")

    def press(self, x: float, y: float) -> None:
        """Moves the pointer to a place in the document that is looked at and clicks there, as the user does."""
        act = [{"type": "pointerMove", "x": round(x) - 6, "y": round(y)}, {"type": "pointerMove", "x": round(x), "y": round(y)},
               {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        actions = [{"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": act}]
        self.wire.send("WebDriver:PerformActions", actions=actions)

    def click(self, selector: str) -> None:
        """Clicks the middle of an element of the document that is looked at, with trusted events."""
        found = eventually(lambda: self.wire.send("WebDriver:FindElement", using="css selector", value=selector), selector)
        self.wire.send("WebDriver:ElementClick", id=next(iter(found.values())))

    def type(self, text: str) -> None:
        """Types, into whatever has the focus."""
        keys = [{"type": kind, "value": letter} for letter in text for kind in ("keyDown", "keyUp")]
        self.wire.send("WebDriver:PerformActions", actions=[{"type": "key", "id": "keyboard", "actions": keys}])

    def own(self, name: str) -> str:
        """The address of one of the extension's documents."""
        host = self.system("return WebExtensionPolicy.getByID(arguments[0]).mozExtensionHostname", EXTENSION)
        return f"moz-extension://{host}/{name}"

    def states(self) -> list[int]:
        """The states of all windows, in the order of the window manager, as the platform counts them: 2 is minimized."""
        return self.system("return [...Services.wm.getEnumerator('navigator:browser')].map((one) => one.windowState)")

    # ---- The bar

    def in_bar(self, script: str, *arguments):
        """Runs the body of a function in the bar's frame, wherever it is in the page; `None` where there is no bar."""
        return self.at_bar(lambda: self.evaluate(script, *arguments))

    def at_bar(self, act):
        """Does something while the bar's frame is looked at; `None` where there is no bar.

        Frames go by their numbers: the bar's is in a closed shadow root, and no script of the page's finds it there.
        """
        try:
            return self._at_bar([], act)
        except MarionetteError:  # the bar, or a frame around it, has gone meanwhile
            return None
        finally:
            self.wire.send("WebDriver:SwitchToFrame", id=None)

    def _at_bar(self, path: list[int], act):
        for index in range(8):
            self.wire.send("WebDriver:SwitchToFrame", id=None)
            try:
                for number in [*path, index]:
                    self.wire.send("WebDriver:SwitchToFrame", id=number)
            except MarionetteError:  # there is no frame of that number
                return None
            if "/bar.html" in str(self.evaluate("return document.URL")):
                return act()
            if (found := self._at_bar([*path, index], act)) is not None:
                return found
        return None

    # ---- The extension

    def stop_background(self) -> None:
        """Stops the extension's background page, and with it the native messaging host. Whatever asks something starts it again."""
        self.system("""const { extension } = WebExtensionPolicy.getByID(arguments[0]);
          return extension.terminateBackground({ ignoreDevToolsAttached: true, disableResetIdleForTest: true })""", EXTENSION)


#: The middle of an element of the bar, once a choice in it counts.
ARMED = """const box = document.querySelector(arguments[0])?.getBoundingClientRect();
if (!box?.width || document.documentElement.classList.contains('arming')) return null;
return [box.left + box.width / 2, box.top + box.height / 2]"""


class FirefoxSetting:
    """One user: a Latchkey and a Firefox, in a folder of their own."""

    def __init__(self, latchkey, browser: Firefox):
        self.latchkey, self.browser = latchkey, browser

    def open(self, address: str, focus: str | None = "#user") -> None:
        self.browser.open(address)
        if focus:
            self.browser.click(focus)

    def texts(self) -> list[str]:
        """What stands in the rows of the bar, once it has some."""
        read = "return [...document.querySelectorAll('#rows > *')].map(row => row.innerText.replaceAll('\\n', ' ').trim())"
        return eventually(lambda: self.browser.in_bar(read), "a bar with rows")

    def tap(self, selector: str = "#rows > *") -> None:
        """Clicks a row of the bar, once a choice in it counts."""

        def press():
            if not (place := self.browser.evaluate(ARMED, selector)):
                return False
            with suppress(MarionetteError):  # the bar goes with the press
                self.browser.press(*place)
            return True

        eventually(lambda: self.browser.at_bar(press), f"{selector} of an armed bar")

    def prompt(self) -> str:
        """The window that asks the user, once there is one."""
        return eventually(lambda: self.browser.windows("prompt"), "a prompt")[0]

    def accept(self, prompt: str, passphrase: str | None = None) -> None:
        """Says yes in a prompt window, once it takes an answer, and waits until it has closed."""

        with self.browser.window(prompt):
            eventually(lambda: self.browser.evaluate("return !document.querySelector('#accept').classList.contains('early')"), "an answer that counts")
            if passphrase is not None:
                self.browser.evaluate("document.querySelector('#passphrase').value = arguments[0]", passphrase)
            with suppress(MarionetteError):  # the window goes with the press
                self.browser.click("#accept")
        eventually(lambda: prompt not in self.browser.wire.send("WebDriver:GetWindowHandles"), "the end of the prompt")

    def dismiss(self, prompt: str) -> None:
        """Closes a prompt window by hand."""
        with self.browser.window(prompt):
            self.browser.wire.send("WebDriver:CloseWindow")

    def text(self, prompt: str, selector: str) -> str:
        with self.browser.window(prompt):
            return eventually(lambda: self.browser.evaluate("return document.querySelector(arguments[0])?.innerText", selector), selector)

    def values(self) -> list[str]:
        return self.browser.evaluate("return ['#user', '#password'].map(one => document.querySelector(one).value)")

    def filled(self, user: str = "rmondello", password: str = "correct horse battery") -> None:
        eventually(lambda: self.values() == [user, password], f"{user} and the password in their fields")

# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Debian's Chromium, headless, with the extension, driven by Playwright."""

import json
import os
import shlex
from contextlib import suppress
from pathlib import Path

from playwright.sync_api import BrowserContext, CDPSession, Error, Page, Playwright

import calm
from bar import Bar
from browser import COUNTS, EXTENSION, HOST, ORIGINS, PATIENCE, Browser, Closed, eventually
from first_run import shown_in_chromium

IDENTIFIER = (EXTENSION / "ID").read_text().strip()
ORIGIN = ORIGINS["chromium"]
PROGRAM = os.environ.get("CHROMIUM", "/usr/bin/chromium")

#: What the browser goes without. The last such list counts, so Playwright's own comes first, as far as it matters here; then the
#: lists under the address bar, two documents of the browser's own that take longer to load than all the rest.
WITHOUT = """AvoidUnnecessaryBeforeUnloadCheckSync DestroyProfileOnBrowserClose HttpsUpgrades HttpsFirstBalancedModeAutoEnable LensOverlay
  MediaRouter PaintHolding ThirdPartyStoragePartitioning AvoidCorsURLLoaderRestartOnRedirect OptimizationHints NetworkTimeServiceQuerying
  AimEnabled PreconnectToSearch WebUIOmniboxPopup WebUIOmniboxFullPopup WebUIOmniboxAimPopup""".split()
#: Whether the last window that had the focus is one of pages, and has it.
IN_FRONT = "() => chrome.windows.getLastFocused().then(({ focused, type }) => focused && type === 'normal')"


class Chromium(Browser):
    """One browser with a profile of its own."""

    says_what_covers = True
    #: Whether the browser loads the extension as it starts, as a user's does.
    loads_at_start = True
    #: Whether the extension has shown its first-run page in this profile.
    was_welcomed = True

    def __init__(self, playwright: Playwright, profile: Path, host: Path, environment: dict, arguments: list[str], extensions=(),
                 extension: Path = EXTENSION):
        self.profile = profile
        self.connect(host, environment)
        if self.was_welcomed:
            shown_in_chromium(profile, IDENTIFIER)
        loaded = ",".join(str(one) for one in [extension, *extensions])
        loading = [f"--disable-extensions-except={loaded}", f"--load-extension={loaded}"] if self.loads_at_start else []
        switches = ["--no-first-run", "--disable-gpu", f"--disable-features={','.join(WITHOUT)}", *loading, *arguments]
        self.context: BrowserContext = self.launch(playwright, environment, switches)
        self.context.set_default_timeout(PATIENCE * 1000)
        self.errors: list[str] = []
        self.context.on("weberror", self._hear)
        self.page: Page = self.context.pages[0]
        self.tools = self.context.browser.new_browser_cdp_session()
        self.lines: dict[Page, Line] = {}
        self.load(extension)

    def connect(self, host: Path, environment: dict) -> None:
        """Has the browser find the host program."""
        folder = self.profile / "NativeMessagingHosts"
        folder.mkdir(parents=True, exist_ok=True)
        launcher = self.profile / "host"
        manifest = {
            "name": HOST, "description": "Latchkey", "path": str(launcher), "type": "stdio",
            "allowed_origins": [f"chrome-extension://{IDENTIFIER}/"],
        }
        (folder / f"{HOST}.json").write_text(json.dumps(manifest))
        # It becomes the host, which so is the browser's own child.
        launcher.write_text(f"#!/bin/sh\n. {shlex.quote(str(self.profile / 'present'))}\n")
        launcher.chmod(0o755)
        self.serve([str(host)], environment)

    def launch(self, playwright: Playwright, environment: dict, switches: list[str]) -> BrowserContext:
        """Starts the browser."""
        return playwright.chromium.launch_persistent_context(
            str(self.profile), executable_path=PROGRAM, headless=False, chromium_sandbox=False, viewport={"width": 900, "height": 700}, screen={"width": 1600, "height": 1000},
            env=environment, args=["--headless=new", *switches], timeout=PATIENCE * 1000, **self.options())

    def options(self) -> dict:
        """What else the browser is started with."""
        return {}

    def load(self, extension: Path) -> None:
        """Waits for the extension: a page that is opened before it is loaded has no content script."""
        eventually(self.page, lambda: self.targets("/background.js"), "the extension")

    def devtools(self, page: Page | None = None) -> CDPSession:
        return self.context.new_cdp_session(page or self.page)

    def bar(self, page: Page | None = None) -> "ChromiumBar":
        return ChromiumBar(self, page or self.page)

    def targets(self, part: str) -> list[str]:
        """The DevTools targets whose address holds a text."""
        found = self.tools.send("Target.getTargets")["targetInfos"]
        return [target["targetId"] for target in found if part in target["url"]]

    def line(self, page: Page) -> "Line":
        """What a page is told by without waiting for its answers."""
        if page not in self.lines:
            session = self.devtools(page)
            self.lines[page] = Line(self, session.send("Target.getTargetInfo")["targetInfo"]["targetId"])
            session.detach()
        return self.lines[page]

    def click(self, page: Page, x: float, y: float) -> None:
        """Clicks with the mouse, where what is clicked may go away with that.

        Chromium never answers an input event whose frame goes before it has been dealt with, and Playwright waits for that.
        """
        page.mouse.move(x, y)
        line = self.line(page)
        for kind in ("mousePressed", "mouseReleased"):
            line.carry("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def mouse(self, page: Page, does: str, x: float, y: float) -> None:
        kind = {"down": "mousePressed", "up": "mouseReleased"}[does]
        self.line(page).post("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def press(self, page: Page, key: str) -> None:
        """Presses a key whose frame may go away with that; see `click`."""
        code = {"Enter": 13, "Tab": 9, "Escape": 27}[key]
        line = self.line(page)
        for kind in ("keyDown", "keyUp"):
            line.carry("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code)

    def by_itself(self, page: Page, script: str) -> None:
        session = self.devtools(page)
        session.send("Runtime.evaluate", {"expression": script, "userGesture": False})
        session.detach()

    def pin(self, is_on: bool) -> None:
        self._in_developer_mode("""([extensionId, pinnedToToolbar]) =>
          chrome.developerPrivate.updateExtensionConfiguration({ extensionId, pinnedToToolbar })""", is_on)

    def assign_key(self, key: str) -> None:
        self._in_developer_mode("""([extensionId, keybinding]) => chrome.developerPrivate.updateExtensionCommand(
          { extensionId, commandName: '_execute_action', keybinding })""", key)

    def _in_developer_mode(self, script: str, argument) -> None:
        """Does what the browser's own page of extensions does for the user."""
        page = self.context.new_page()
        page.goto("chrome://extensions/")
        page.evaluate(script, [IDENTIFIER, argument])
        page.close()

    def stop_worker(self) -> None:
        """Stops the extension's worker as the browser does when it wants the memory back."""
        session = self.devtools()
        told: list[tuple[str, str]] = []
        session.on("ServiceWorker.workerVersionUpdated", lambda event: told.extend(
            (one["versionId"], one["runningStatus"]) for one in event["versions"] if IDENTIFIER in one["scriptURL"]))
        session.send("ServiceWorker.enable")
        running = eventually(self.page, lambda: [version for version, status in told if status == "running"], "the worker")[-1]
        session.send("ServiceWorker.stopAllWorkers")
        # Something may start it again at once, as the same target of DevTools; that it was stopped is told all the same.
        eventually(self.page, lambda: (running, "stopped") in told, "the end of the worker")
        session.detach()

    def worker(self):
        """The extension's worker, in which a test can look."""
        return eventually(self.page, self.workers, "the extension's worker")[-1]

    def workers(self) -> list:
        """The extension's own, without those of pages."""
        return [one for one in self.context.service_workers if IDENTIFIER in one.url]

    def popup(self, shows: str = "document.readyState === 'complete'") -> "Popup":
        """Opens the toolbar popup over the page, as the keyboard shortcut does, and waits until it shows something.

        A popup closes when any window takes the focus, so the window of the page has it before. One that is still open is closed.
        """
        self.page.bring_to_front()
        for target in self.targets("/popup.html"):
            with suppress(Closed, Error):  # it closes by itself
                Popup(self, target).evaluate("window.close()")
        eventually(self.page, lambda: not self.targets("/popup.html"), "the end of the popup before")
        eventually(self.page, lambda: self.worker().evaluate(IN_FRONT), "a window in front")
        self.worker().evaluate("chrome.action.openPopup()")
        popup = Popup(self, eventually(self.page, lambda: self.targets("/popup.html"), "the popup")[0])
        popup.shown = popup.wait(shows)
        return popup

    def _hear(self, error) -> None:
        """Keeps what a script of the extension has not caught, in a window or frame of it or in a page."""
        told, page = error.error.stack or error.error.message, error.page
        if ORIGIN in told or (page and page.url.startswith(ORIGIN)):
            self.errors.append(told)

    def uncaught(self) -> list[str]:
        found, self.errors = self.errors, []
        # A worker whose process has crashed never answers, and Playwright would wait for it without end.
        for target in self.targets("/background.js"):
            with suppress(Error):  # it is just being stopped
                found += Line(self, target).ask(f"({calm.ERRORS})()")
        return found

    def isolated_world(self, page: Page | None = None):
        """Returns a function that evaluates JavaScript in the world of the extension's content script."""
        session = self.devtools(page)
        contexts = []
        session.on("Runtime.executionContextCreated", lambda event: contexts.append(event["context"]))
        session.send("Runtime.enable")
        own = eventually(
            page or self.page, lambda: [c for c in contexts if IDENTIFIER in c.get("origin", "") or c.get("name") == "Latchkey"],
            "the content script")

        def evaluate(expression: str):
            answer = session.send("Runtime.evaluate", {
                "expression": expression, "contextId": own[0]["id"], "awaitPromise": True, "returnByValue": True})
            if "exceptionDetails" in answer:
                raise RuntimeError(json.dumps(answer["exceptionDetails"])[:800])
            return answer["result"].get("value")

        return evaluate


#: Becomes true once the frame has been whole for so long that a choice in it counts, as far as this frame can see; or
#: once it is anything but whole; false where that does not come within a while.
WATCH = """async ([wanted, time, patience]) => {
  let since = null, isWhole = null;
  const observer = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      const now = entry.isVisible && entry.intersectionRatio === 1;
      if (now !== isWhole) since = performance.now();
      isWhole = now;
    }
  }, { threshold: [0, 0.25, 0.5, 0.75, 0.9, 0.99, 1], trackVisibility: true, delay: 100 });
  observer.observe(document.documentElement);
  // The guard asked the same before, so it has its answers once these are here; what it had watched counts from then on.
  if (wanted) {
    await Promise.all(['scale', 'watch'].map((type) => chrome.runtime.sendMessage({ type })));
    since = performance.now();
  }
  const end = performance.now() + patience;
  const done = () => isWhole === wanted && performance.now() - since > time && !(wanted && document.documentElement.classList.contains('arming'));
  while (!done() && performance.now() < end) await new Promise((next) => setTimeout(next, 20));
  observer.disconnect();
  return done();
}"""


class ChromiumBar(Bar):
    watch = WATCH


class Line:
    """A DevTools target that is spoken to without waiting for its answers."""

    def __init__(self, browser: Chromium, target: str):
        self.browser, self.target = browser, target
        self.session = browser.tools.send("Target.attachToTarget", {"targetId": target, "flatten": False})["sessionId"]
        self.number = 0
        self.answers: dict[int, dict] = {}
        browser.tools.on("Target.receivedMessageFromTarget", self._receive)

    def _receive(self, event: dict) -> None:
        if event["sessionId"] == self.session:
            message = json.loads(event["message"])
            if message.get("method") == "Runtime.exceptionThrown":
                thrown = message["params"]["exceptionDetails"]
                self.browser.errors.append(thrown.get("exception", {}).get("description") or thrown["text"])
            self.answers[message.get("id")] = message

    def post(self, method: str, **params) -> int:
        """Sends, and returns the number under which the answer will be."""
        self.number += 1
        message = json.dumps({"id": self.number, "method": method, "params": params})
        self.browser.tools.send("Target.sendMessageToTarget", {"sessionId": self.session, "message": message})
        return self.number

    def carry(self, method: str, **params) -> None:
        """Sends an event of the mouse or keyboard, and waits until it has been dealt with.

        One whose frame goes with it is never answered. For its answer nobody waits long.
        """
        number = self.post(method, **params)
        with suppress(AssertionError):
            eventually(self.browser.page, lambda: number in self.answers, "the event", patience=2)

    def ask(self, expression: str) -> list:
        """Evaluates an expression that has a list for its value; an empty one where there is no answer within a few seconds."""
        number = self.post("Runtime.evaluate", expression=expression, returnByValue=True)
        with suppress(AssertionError):
            eventually(self.browser.page, lambda: number in self.answers, "an answer", patience=5)
        return self.answers.get(number, {}).get("result", {}).get("result", {}).get("value") or []


class Popup(Line):
    """The toolbar popup, which Playwright does not list among its pages."""

    shown = None

    def __init__(self, browser: Chromium, target: str):
        super().__init__(browser, target)
        # It tells of what was thrown, before as well.
        self.post("Runtime.enable")

    def send(self, method: str, **params) -> dict:
        """The result; empty where the popup could not say, as in the moment in which it loads."""
        try:
            number = self.post(method, **params)
        except Error as error:
            raise Closed from error

        def is_answered():
            if number in self.answers:
                return True
            if not self.is_open():
                raise Closed
            return False

        eventually(self.browser.page, is_answered, f"the popup's answer to {method}")
        return self.answers.pop(number).get("result", {})

    def evaluate(self, expression: str):
        answer = self.send("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        return answer.get("result", {}).get("value")

    def wait(self, expression: str):
        return eventually(self.browser.page, lambda: self.evaluate(expression), expression)

    def press(self, key: str) -> None:
        is_letter = len(key) == 1
        code = ord(key.upper()) if is_letter else {"Enter": 13, "Tab": 9, "ArrowDown": 40, "ArrowUp": 38, "Escape": 27}[key]
        text = {"text": "\r"} if key == "Enter" else {"text": key} if is_letter else {}
        if not self.is_open():
            raise Closed
        if key == "Enter":
            self.wait(f"document.querySelector('{COUNTS}') !== null")
        try:
            for kind in ("keyDown", "keyUp"):
                self.send("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code, **(text if kind == "keyDown" else {}))
        except Closed:  # with the key that went down
            pass

    def is_open(self) -> bool:
        return self.target in self.browser.targets("/popup.html")

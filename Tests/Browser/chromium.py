# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Debian's Chromium, headless, with the extension, driven by Playwright."""

import json
import os
from pathlib import Path

from playwright.sync_api import BrowserContext, CDPSession, Error, Page, Playwright

ROOT = Path(__file__).resolve().parents[2]
EXTENSION = Path(os.environ.get("LATCHKEY_EXTENSION", ROOT / "BrowserExtension"))
IDENTIFIER = (EXTENSION / "ID").read_text().strip()
HOST = "org.latchkey.browser"


class Chromium:
    """One browser with a profile of its own."""

    def __init__(self, playwright: Playwright, profile: Path, host: Path, environment: dict, arguments: list[str], extensions=()):
        folder = profile / "NativeMessagingHosts"
        folder.mkdir(parents=True, exist_ok=True)
        manifest = {
            "name": HOST, "description": "Latchkey", "path": str(host), "type": "stdio",
            "allowed_origins": [f"chrome-extension://{IDENTIFIER}/"],
        }
        (folder / f"{HOST}.json").write_text(json.dumps(manifest))
        loaded = ",".join(str(extension) for extension in [EXTENSION, *extensions])
        self.context: BrowserContext = playwright.chromium.launch_persistent_context(
            str(profile), executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), headless=False,
            chromium_sandbox=False, viewport={"width": 900, "height": 700}, env=environment,
            args=["--headless=new", "--disable-gpu", "--no-first-run", f"--disable-extensions-except={loaded}",
                  f"--load-extension={loaded}", *arguments])
        self.context.set_default_timeout(10_000)
        self.page: Page = self.context.pages[0]
        self.tools = self.context.browser.new_browser_cdp_session()

    def close(self) -> None:
        self.context.close()

    def devtools(self, page: Page | None = None) -> CDPSession:
        return self.context.new_cdp_session(page or self.page)

    def bar(self, page: Page | None = None) -> "Bar":
        return Bar(self, page or self.page)

    def targets(self, part: str) -> list[str]:
        """The DevTools targets whose address holds a text."""
        found = self.tools.send("Target.getTargets")["targetInfos"]
        return [target["targetId"] for target in found if part in target["url"]]

    def stop_worker(self) -> None:
        """Stops the extension's worker as the browser does when it wants the memory back."""
        session = self.devtools()
        session.send("ServiceWorker.enable")
        session.send("ServiceWorker.stopAllWorkers")
        while self.targets("/background.js"):
            self.page.wait_for_timeout(20)
        session.detach()

    def popup(self) -> "Popup":
        """Opens the toolbar popup over the page, as the keyboard shortcut does."""
        opener = self.context.new_page()
        opener.goto(f"chrome-extension://{IDENTIFIER}/prompt.html")
        self.page.bring_to_front()
        opener.evaluate("chrome.action.openPopup()")
        opener.close()
        while not (found := self.targets("/popup.html")):
            self.page.wait_for_timeout(20)
        return Popup(self, found[0])

    def popup_shows(self, popup: "Popup", expression: str) -> bool:
        """Whether the popup comes to show something, opened again where another window's focus has closed it.

        A popup that loses the focus closes at a moment of its own, so each look may be the one that finds it gone.
        """
        for _ in range(5):
            try:
                return bool(popup.wait(expression))
            except (Error, TimeoutError):
                while self.targets("/popup.html"):
                    self.page.wait_for_timeout(20)
                popup = self.popup()
        return False

    def window(self, name: str, act) -> Page:
        """Does something that opens a window of the extension, and returns that window."""
        with self.context.expect_page(lambda page: f"/{name}.html" in page.url) as opened:
            act()
        opened.value.wait_for_load_state()
        return opened.value

    def isolated_world(self, page: Page | None = None):
        """Returns a function that evaluates JavaScript in the world of the extension's content script."""
        session = self.devtools(page)
        contexts = []
        session.on("Runtime.executionContextCreated", lambda event: contexts.append(event["context"]))
        session.send("Runtime.enable")
        (page or self.page).evaluate("1")
        own = [c for c in contexts if IDENTIFIER in c.get("origin", "") or c.get("name") == "Latchkey"]

        def evaluate(expression: str):
            answer = session.send("Runtime.evaluate", {
                "expression": expression, "contextId": own[0]["id"], "awaitPromise": True, "returnByValue": True})
            if "exceptionDetails" in answer:
                raise RuntimeError(json.dumps(answer["exceptionDetails"])[:800])
            return answer["result"].get("value")

        return evaluate


class Bar:
    """The suggestion bar as the user meets it: a place on the screen, and what is written there."""

    def __init__(self, browser: Chromium, page: Page):
        self.browser, self.page = browser, page

    def frames(self):
        return [frame for frame in self.page.frames if "chrome-extension:" in frame.url and frame.url.endswith("/bar.html")]

    def wait(self, selector: str = "#rows > *", timeout: float = 5_000):
        """Waits until the bar is there and shows something; returns its frame."""
        self.page.wait_for_function("document.querySelector('[popover]') || 1")
        frame = self._frame(timeout)
        frame.wait_for_selector(selector, timeout=timeout, state="attached")
        return frame

    def _frame(self, timeout: float):
        waited = 0
        while not self.frames():
            if waited >= timeout:
                raise TimeoutError("no bar")
            self.page.wait_for_timeout(20)
            waited += 20
        return self.frames()[-1]

    def wait_until_gone(self, timeout: float = 5_000) -> None:
        waited = 0
        while self.frames():
            assert waited < timeout, "the bar is still there"
            self.page.wait_for_timeout(20)
            waited += 20

    def is_absent(self, after: int = 600) -> bool:
        """Whether no bar comes within a time in which it would have come many times over."""
        self.page.wait_for_timeout(after)
        return not self.frames()

    def texts(self, **options) -> list[str]:
        return [text.replace("\n", " ").strip() for text in self.wait(**options).locator("#rows > *").all_inner_texts()]

    def box(self) -> dict:
        """Where the bar is in the viewport, by the browser's own layout."""
        element = self.wait().frame_element()
        box = element.bounding_box()
        assert box, "the bar is not drawn"
        return box

    def arm(self) -> None:
        """Lets the time pass that the bar has to be visible before a choice in it counts."""
        self.wait()
        self.page.wait_for_timeout(750)

    def click(self, row: int = 0, armed: bool = True) -> None:
        """Clicks a row with the mouse, at the place where it is drawn."""
        frame = self.wait()
        if armed:
            self.arm()
        inner = frame.evaluate(
            "row => { const box = document.querySelectorAll('#rows > *')[row].getBoundingClientRect();"
            "return [box.left + box.width / 2, box.top + box.height / 2] }", row)
        box = self.box()
        self.page.mouse.move(box["x"] + inner[0] - 6, box["y"] + inner[1])
        self.page.mouse.click(box["x"] + inner[0], box["y"] + inner[1])


class Popup:
    """The toolbar popup, which Playwright does not list among its pages: spoken to over its DevTools target."""

    def __init__(self, browser: Chromium, target: str):
        self.browser, self.target = browser, target
        self.session = browser.tools.send("Target.attachToTarget", {"targetId": target, "flatten": False})["sessionId"]
        self.number = 0
        self.answers: dict[int, dict] = {}
        browser.tools.on("Target.receivedMessageFromTarget", self._receive)

    def _receive(self, event: dict) -> None:
        if event["sessionId"] == self.session:
            message = json.loads(event["message"])
            self.answers[message.get("id")] = message

    def send(self, method: str, **params):
        self.number += 1
        message = json.dumps({"id": self.number, "method": method, "params": params})
        self.browser.tools.send("Target.sendMessageToTarget", {"sessionId": self.session, "message": message})
        for _ in range(250):
            if self.number in self.answers:
                return self.answers.pop(self.number).get("result")
            self.browser.page.wait_for_timeout(20)
        raise TimeoutError(method)

    def evaluate(self, expression: str):
        return self.send("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)["result"].get("value")

    def wait(self, expression: str):
        for _ in range(250):
            if value := self.evaluate(expression):
                return value
            self.browser.page.wait_for_timeout(20)
        raise TimeoutError(expression)

    def press(self, key: str) -> None:
        code = {"Enter": 13, "Tab": 9, "ArrowDown": 40, "ArrowUp": 38, "Escape": 27}[key]
        text = {"text": "\r"} if key == "Enter" else {}
        for kind in ("keyDown", "keyUp"):
            try:
                self.send("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code, **(text if kind == "keyDown" else {}))
            except Exception:  # the popup has closed with the key that went down
                return

    def is_open(self) -> bool:
        return bool(self.browser.targets("/popup.html"))

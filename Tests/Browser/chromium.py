# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Debian's Chromium, headless, with the extension, driven by Playwright."""

import functools
import json
import os
import shlex
import time
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import BrowserContext, CDPSession, Error, Page, Playwright

import calm
from first_run import shown_in_chromium

ROOT = Path(__file__).resolve().parents[2]
EXTENSION = Path(os.environ.get("LATCHKEY_EXTENSION", ROOT / "BrowserExtension"))
IDENTIFIER = (EXTENSION / "ID").read_text().strip()
HOST = "org.latchkey.browser"
PROGRAM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
HOLD = """() => {
  const { executeScript } = chrome.scripting;
  const held = new Promise((resolve) => { globalThis.release = resolve; });
  chrome.scripting.executeScript = async (...values) => { await held; return executeScript.apply(chrome.scripting, values); };
  globalThis.undo = () => { chrome.scripting.executeScript = executeScript; };
}"""

#: How long something may take to come, in seconds. On a quiet machine it is there at once; a busy one only makes it later.
PATIENCE = float(os.environ.get("LATCHKEY_PATIENCE", "60"))

#: What the browser goes without. The last such list counts, so Playwright's own comes first, as far as it matters here; then the
#: lists under the address bar, two documents of the browser's own that take longer to load than all the rest.
WITHOUT = """AvoidUnnecessaryBeforeUnloadCheckSync DestroyProfileOnBrowserClose HttpsUpgrades HttpsFirstBalancedModeAutoEnable LensOverlay
  MediaRouter PaintHolding ThirdPartyStoragePartitioning AvoidCorsURLLoaderRestartOnRedirect OptimizationHints NetworkTimeServiceQuerying
  AimEnabled PreconnectToSearch WebUIOmniboxPopup WebUIOmniboxFullPopup WebUIOmniboxAimPopup""".split()


def eventually(page: Page, look, what: str, patience: float = PATIENCE, told=lambda: ""):
    """Looks until something is there, and returns it; what goes away while it is looked at is looked for again.

    Where it does not come, what is `told` says what was there instead.
    """
    deadline = time.monotonic() + patience
    while True:
        problem = None
        try:
            if found := look():
                return found
        except Error as error:
            problem = error
        if time.monotonic() > deadline:
            raise AssertionError(f"waited in vain for {what}{told()}") from problem
        page.wait_for_timeout(20)


class Chromium:
    """One browser with a profile of its own."""

    #: Whether the browser loads the extension as it starts, as a user's does.
    loads_at_start = True
    #: Whether the extension has shown its first-run page in this profile.
    was_welcomed = True

    def __init__(self, playwright: Playwright, profile: Path, host: Path, environment: dict, arguments: list[str], extensions=(),
                 extension: Path = EXTENSION):
        self.profile = profile
        folder = profile / "NativeMessagingHosts"
        folder.mkdir(parents=True, exist_ok=True)
        launcher = profile / "host"
        manifest = {
            "name": HOST, "description": "Latchkey", "path": str(launcher), "type": "stdio",
            "allowed_origins": [f"chrome-extension://{IDENTIFIER}/"],
        }
        (folder / f"{HOST}.json").write_text(json.dumps(manifest))
        # It becomes the host, which so is the browser's own child.
        launcher.write_text(f"#!/bin/sh\n. {shlex.quote(str(profile / 'present'))}\n")
        launcher.chmod(0o755)
        self.serve([str(host)], environment)
        if self.was_welcomed:
            shown_in_chromium(profile, IDENTIFIER)
        loaded = ",".join(str(one) for one in [extension, *extensions])
        loading = [f"--disable-extensions-except={loaded}", f"--load-extension={loaded}"] if self.loads_at_start else []
        switches = ["--no-first-run", "--disable-gpu", f"--disable-features={','.join(WITHOUT)}", *loading, *arguments]
        self.context: BrowserContext = self.launch(playwright, environment, switches)
        self.context.set_default_timeout(PATIENCE * 1000)
        self.page: Page = self.context.pages[0]
        self.tools = self.context.browser.new_browser_cdp_session()
        self.lines: dict[Page, Line] = {}
        self.load(extension)

    def launch(self, playwright: Playwright, environment: dict, switches: list[str]) -> BrowserContext:
        """Starts the browser."""
        return playwright.chromium.launch_persistent_context(
            str(self.profile), executable_path=PROGRAM, headless=False, chromium_sandbox=False, viewport={"width": 900, "height": 700},
            env=environment, args=["--headless=new", *switches], timeout=PATIENCE * 1000, **self.options())

    def options(self) -> dict:
        """What else the browser is started with."""
        return {}

    def load(self, extension: Path) -> None:
        """Waits for the extension: a page that is opened before it is loaded has no content script."""
        eventually(self.page, lambda: self.targets("/background.js"), "the extension")

    def serve(self, command: list[str] | None, environment: dict) -> None:
        """Says what is started for the next connection of the extension: a native messaging host, or none."""
        variables = " ".join(shlex.quote(f"{name}={value}") for name, value in environment.items())
        words = f'exec /usr/bin/env -i {variables} {shlex.join(command)} "$@"\n' if command else "exit 1\n"
        new = self.profile / "present.new"
        new.write_text(words)
        new.replace(self.profile / "present")

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
            number = line.post("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
            end = time.monotonic() + 2
            while number not in line.answers and time.monotonic() < end:
                page.wait_for_timeout(5)

    def press(self, page: Page, key: str) -> None:
        """Presses a key whose frame may go away with that; see `click`."""
        code = {"Enter": 13, "Tab": 9, "Escape": 27}[key]
        line = self.line(page)
        for kind in ("keyDown", "keyUp"):
            number = line.post("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code)
            end = time.monotonic() + 2
            while number not in line.answers and time.monotonic() < end:
                page.wait_for_timeout(5)

    def stop_worker(self) -> None:
        """Stops the extension's worker as the browser does when it wants the memory back."""
        session = self.devtools()
        session.send("ServiceWorker.enable")
        running = set(self.targets("/background.js"))
        session.send("ServiceWorker.stopAllWorkers")
        # Something may start it again at once; that one is another.
        eventually(self.page, lambda: not running & set(self.targets("/background.js")), "the end of the worker")
        session.detach()

    def worker(self):
        """The extension's worker, in which a test can look."""
        return eventually(self.page, self.workers, "the extension's worker")[-1]

    def workers(self) -> list:
        """The extension's own, without those of pages."""
        return [one for one in self.context.service_workers if IDENTIFIER in one.url]

    @contextmanager
    def holding(self):
        """Lets nothing more of the extension into a page, as on a busy machine, before what this gives is called."""
        worker = self.worker()
        worker.evaluate(HOLD)
        release = functools.partial(worker.evaluate, "globalThis.release()")
        try:
            yield release
        finally:
            release()
            worker.evaluate("globalThis.undo()")

    def listen(self) -> None:
        """Has the worker count what it begins, so that its end can be awaited."""
        self.worker().evaluate(calm.WORKER, calm.LIMIT)

    def at_rest(self) -> None:
        """Waits until nothing that the worker has begun goes on, and nothing that it has asked is unanswered."""
        eventually(self.page, lambda: self.worker().evaluate(calm.IS_CALM), "the worker's rest")

    def sent(self, method: str) -> int:
        """How many messages of a method the extension has sent."""
        return self.worker().evaluate(calm.SENT, method)

    def got(self, method: str) -> int:
        """How many messages of a method have come to the extension."""
        return self.worker().evaluate(calm.GOT, method)

    def brought(self) -> int:
        """How often something was brought into a document."""
        return self.worker().evaluate(calm.BROUGHT)

    def round_trip(self, page: Page | None = None) -> None:
        """Waits until the extension has answered a page, and so what it was asked before; and until a fill of it is over."""
        self.isolated_world(page)(calm.ASK)

    def scripts(self, page: Page | None = None, part: int = 10) -> "Scripts":
        """Has the extension's scripts in the document that a page shows wait for a part of their time."""
        return Scripts(self, page or self.page, part)

    def popup(self, shows: str = "document.readyState === 'complete'") -> "Popup":
        """Opens the toolbar popup over the page, as the keyboard shortcut does, and waits until it shows something.

        A popup closes when any window takes the focus, at a moment of its own; one that has is opened again.
        """
        opener = self.context.new_page()
        opener.goto(f"chrome-extension://{IDENTIFIER}/windows/prompt.html")
        self.page.bring_to_front()

        def look():
            if not self.targets("/popup.html"):
                opener.evaluate("chrome.action.openPopup().catch(() => {})")
            popup = Popup(self, eventually(self.page, lambda: self.targets("/popup.html"), "the popup", patience=3)[0])
            popup.shown = popup.wait(shows)
            return popup

        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                popup = look()
                break
            except (AssertionError, Closed, Error):
                if time.monotonic() > deadline:
                    raise
        opener.close()
        return popup

    def window(self, name: str, act) -> Page:
        """Does something that opens a window of the extension, and returns that window."""
        before = list(self.context.pages)
        act()
        found = eventually(
            self.page, lambda: [page for page in self.context.pages if page not in before and f"/{name}.html" in page.url],
            f"the window {name}")[0]
        found.wait_for_load_state()
        return found

    def notifications(self) -> list[str]:
        """The notifications of the desktop that the extension shows, by their names."""
        return self.worker().evaluate("new Promise((done) => chrome.notifications.getAll((all) => done(Object.keys(all))))")

    def press_notification(self, name: str, button: int | None = None) -> None:
        """What the browser does when the user clicks a notification, or a button of it."""
        event, values = ("onClicked", [name]) if button is None else ("onButtonClicked", [name, button])
        self.worker().evaluate(f"values => chrome.notifications.{event}.dispatch(...values)", values)

    def question(self, act, is_first: bool = False) -> Page:
        """Does something that has the user asked, and returns the window of the question, which a notification may lead to.

        Before the first one there is none, which the worker is not asked about then.
        """
        shown, pages = set() if is_first else set(self.notifications()), list(self.context.pages)
        act()
        found = eventually(
            self.page, lambda: [page for page in self.context.pages if page not in pages and "/prompt.html" in page.url]
            or [name for name in self.notifications() if name not in shown], "a question")[0]
        if isinstance(found, str):
            return self.window("prompt", lambda: self.press_notification(found))
        found.wait_for_load_state()
        return found

    def close_windows(self) -> None:
        """Closes all windows and tabs but the first."""
        for page in self.context.pages:
            if page != self.page:
                page.close()

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
  // The guard asked the same before, so it has its answer once this one is here.
  if (wanted) await chrome.runtime.sendMessage({ type: 'scale' });
  const end = performance.now() + patience;
  const done = () => isWhole === wanted && performance.now() - since > time;
  while (!done() && performance.now() < end) await new Promise((next) => setTimeout(next, 20));
  observer.disconnect();
  return done();
}"""


#: The middle of an element, in its own viewport.
CENTRE = """selector => { const box = document.querySelector(selector)?.getBoundingClientRect();
  return box && box.width && [box.left + box.width / 2, box.top + box.height / 2] }"""
#: The same once the element is what a click there meets. A frame that has just been shown has no size of its own yet, and lays its
#: elements out beyond its edges: who clicks there clicks the page beside the bar.
MET = """selector => { const element = document.querySelector(selector), box = element?.getBoundingClientRect();
  const middle = box && [box.left + box.width / 2, box.top + box.height / 2];
  return middle && element.contains(document.elementFromPoint(...middle)) && middle }"""


class Bar:
    """The suggestion bar as the user meets it: a place on the screen, and what is written there."""

    def __init__(self, browser: Chromium, page: Page):
        self.browser, self.page = browser, page

    def frames(self):
        # A spare one has no fields yet, and is drawn for nobody.
        return [frame for frame in self.page.frames
                if "chrome-extension:" in frame.url and frame.url.split("#")[0].endswith("/bar.html") and not self._is_spare(frame)]

    @staticmethod
    def _is_spare(frame) -> bool:
        # A frame in another process tells of its address late, so it is asked itself before it is left out.
        try:
            return frame.url.endswith("wait") and frame.evaluate("location.hash.endsWith('wait')")
        except Error:
            return True

    def wait(self, selector: str = "#rows > *"):
        """Waits until the bar is there and shows something; returns its frame."""
        return self._in_frame(lambda frame: frame if frame.query_selector(selector) else None, f"a bar with {selector}")

    def _in_frame(self, look, what: str):
        """What a look at the bar's frame finds. A bar may close, and another one open, at any time in between."""
        return eventually(self.page, lambda: (frames := self.frames()) and look(frames[-1]), what, told=self._told)

    def _told(self) -> str:
        """What is there instead of a bar: of each frame what it shows, and what the worker did last."""
        lines = ["; there is"]
        for frame in self.page.frames:
            try:
                lines.append(f"{frame.url}: {frame.evaluate(calm.SHOWN)}")
            except Error as error:
                lines.append(f"{frame.url}: {error.message[:200]}")
        return "\n  ".join(lines + self.browser.worker().evaluate(calm.JOURNAL))

    def wait_until_gone(self) -> None:
        eventually(self.page, lambda: not self.frames(), "the end of the bar")

    def is_absent(self) -> bool:
        """Whether no bar comes of what was done in the page."""
        # Requests of the same kinds as those that bring a bar, begun after them: once they are answered, so are those.
        self.browser.isolated_world(self.page)(calm.ASK_READ)
        self.page.evaluate(calm.FRAMES)
        return not self.frames()

    def texts(self, selector: str = "#rows > *") -> list[str]:
        read = "frame => [...document.querySelectorAll('#rows > *')].map(row => row.innerText)"
        found = self._in_frame(lambda frame: frame.query_selector(selector) and frame.evaluate(read), f"a bar with {selector}")
        return [text.replace("\n", " ").strip() for text in found]

    def box(self) -> dict:
        """Where the bar is in the viewport, by the browser's own layout; waits where it is just moving."""
        return self._in_frame(
            lambda frame: frame.query_selector("#rows > *") and frame.frame_element().bounding_box(), "a bar that is drawn")

    def arm(self):
        """Lets the time pass that the bar has to be visible before a choice in it counts; returns its frame."""
        return self._in_frame(
            lambda frame: frame if frame.query_selector("#rows > *") and frame.evaluate(WATCH, [True, 600, 3000]) else None,
            "a bar that is whole and still")

    def rest(self, time: int = 1000) -> None:
        """Lets the pointer rest, for as long as the guard of a nested frame wants; the time is that of the frame or, without one, of the page."""
        frames = self.frames()
        (frames[-1] if frames else self.page).evaluate("time => new Promise((done) => setTimeout(done, time))", time)

    def is_broken(self, within: int) -> bool:
        """Whether the frame comes to know, within some milliseconds, that it is not seen as it is meant to be."""
        try:
            return not self.frames() or self.frames()[-1].evaluate(WATCH, [False, 0, within])
        except Error:  # the bar has gone, which is as well
            return True

    def grow(self) -> None:
        """Has the bar be large, by a press on its key, and waits until it is."""
        def look(frame):
            return frame.evaluate("document.documentElement.classList.contains('large')") or press(frame)

        def press(frame) -> bool:
            inner, box = frame.evaluate(MET, "#arrow"), frame.frame_element().bounding_box()
            if inner and box:
                self.page.mouse.move(box["x"] + inner[0] - 3, box["y"] + inner[1])
                self.browser.click(self.page, box["x"] + inner[0], box["y"] + inner[1])
                frame.wait_for_function("() => document.documentElement.classList.contains('large')", timeout=3000)
            return False

        # A press on one that is not drawn yet is one on the page below it, which closes it.
        self.wait().evaluate(calm.FRAMES)
        self._in_frame(look, "a large bar")

    def press(self, selector: str) -> None:
        """Presses something of the bar, once it counts."""
        self.arm()
        x, y = self._in_frame(lambda frame: self._place(frame, selector), f"{selector} of the bar")
        self.page.mouse.move(x - 3, y)
        self.browser.click(self.page, x, y)

    def open_list(self):
        """Opens the list of all passwords by the large bar, and returns its window."""
        self.grow()
        return self.browser.window("picker", lambda: self.press("#key"))

    def _place(self, frame, selector: str):
        """Where the middle of an element of the bar is in the viewport."""
        inner, box = frame.evaluate(CENTRE, selector), frame.frame_element().bounding_box()
        return inner and box and (box["x"] + inner[0], box["y"] + inner[1])

    def click(self, row: int = 0, armed: bool = True) -> None:
        """Clicks a row with the mouse, at the place where it is drawn; the small bar shows only the first."""
        if row:
            self.grow()
        if armed:
            self.arm()
        x, y = self._in_frame(lambda frame: self._place(frame, f"#rows > :nth-child({row + 1})"), f"row {row} of the bar")
        self.page.mouse.move(x - 6, y)
        self.browser.click(self.page, x, y)

    def settle(self) -> None:
        """Waits until the daemon has heard of what was done in the bar: it answers a question that was asked after it."""
        try:
            if self.frames():
                self.frames()[-1].evaluate("chrome.runtime.sendMessage({type: 'suggestions'})")
        except Error:  # the bar has closed, as it does when a choice in it has been answered
            pass


class Scripts:
    """The extension's scripts in one document."""

    def __init__(self, browser: Chromium, page: Page, part: int):
        self.page = page
        self.evaluate = browser.isolated_world(page)
        self.evaluate(calm.SCRIPTS % part)

    def at_rest(self) -> None:
        """Waits until none of them waits for anything."""
        eventually(self.page, lambda: self.evaluate("waits === 0"), "the rest of the scripts")

    def looked(self, times: int = 8) -> None:
        """Waits until they have looked at elements so many more times."""
        before = self.evaluate("looks")
        eventually(self.page, lambda: self.evaluate("looks") >= before + times, "a look at the form")


class Closed(Exception):
    """The popup is not there any more."""


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
            self.answers[message.get("id")] = message

    def post(self, method: str, **params) -> int:
        """Sends, and returns the number under which the answer will be."""
        self.number += 1
        message = json.dumps({"id": self.number, "method": method, "params": params})
        self.browser.tools.send("Target.sendMessageToTarget", {"sessionId": self.session, "message": message})
        return self.number


class Popup(Line):
    """The toolbar popup, which Playwright does not list among its pages."""

    shown = None

    def send(self, method: str, **params) -> dict:
        """The result; empty where the popup could not say, as in the moment in which it loads."""
        try:
            number = self.post(method, **params)
        except Error as error:
            raise Closed from error
        deadline = time.monotonic() + PATIENCE
        while number not in self.answers:
            if not self.is_open():
                raise Closed
            assert time.monotonic() < deadline, f"the popup does not answer {method}"
            self.browser.page.wait_for_timeout(20)
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
        try:
            for kind in ("keyDown", "keyUp"):
                self.send("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code, **(text if kind == "keyDown" else {}))
        except Closed:  # with the key that went down
            pass

    def is_open(self) -> bool:
        return self.target in self.browser.targets("/popup.html")

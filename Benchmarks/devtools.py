# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Chromium over its debugging pipe, attached to one page and to nothing else.

Playwright, which the tests use, attaches to every frame as it begins and lets it go on only after some round trips with its
own process. For a test that is right; here it would be measured as part of the bar, whose frame is what the time is about.
"""

import fcntl
import json
import os
import select
import shutil
import subprocess
import time
from pathlib import Path

from first_run import shown_in_chromium

FLAGS = [
    "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--remote-debugging-pipe", "--password-store=basic",
    "--disable-sync", "--disable-background-networking", "--disable-component-update", "--disable-default-apps",
    "--window-size=900,800", "about:blank",
]


class Browser:
    """One Chromium with an unpacked extension and a native messaging host, in a profile of its own."""

    def __init__(self, folder, extension, identifier, host, environment, arguments):
        profile = folder / "profile"
        hosts = profile / "NativeMessagingHosts"
        hosts.mkdir(parents=True)
        # The first-run page would take the place of the one that is measured.
        shown_in_chromium(profile, identifier)
        (hosts / "org.latchkey.browser.json").write_text(json.dumps({
            "name": "org.latchkey.browser", "description": "Latchkey", "path": str(host), "type": "stdio",
            "allowed_origins": [f"chrome-extension://{identifier}/"]}))
        program = os.environ.get("CHROMIUM") or shutil.which("chromium") or "/usr/bin/chromium"
        # Far from 3 and 4, which the shell below overwrites.
        theirs_in, self.output, self.input, theirs_out = (
            fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for pair in (os.pipe(), os.pipe()) for end in _closing(pair))
        self.log = open(folder / "chromium.log", "ab")
        # Chromium reads descriptor 3 and writes 4; the shell puts them there.
        self.process = subprocess.Popen(
            ["/bin/bash", "-c", f'exec "$@" 3<&{theirs_in} 4>&{theirs_out}', "bash", program, f"--user-data-dir={profile}",
             f"--disable-extensions-except={extension}", f"--load-extension={extension}", *arguments, *FLAGS],
            env=environment, pass_fds=[theirs_in, theirs_out], stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        os.close(theirs_in)
        os.close(theirs_out)
        self.buffer = b""
        self.next = 1
        page = [target for target in self.send("Target.getTargets")["targetInfos"] if target["type"] == "page"][0]
        self.page = self.send("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        self.on_page("Page.enable")

    def send(self, method, session=None, seconds=30, **params):
        """Asks and waits for the answer. Events are not of interest and are dropped."""
        number = self.next
        self.next += 1
        message = {"id": number, "method": method, "params": params, **({"sessionId": session} if session else {})}
        os.write(self.output, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + seconds
        while True:
            answer = self._receive(end, method)
            if answer.get("id") != number:
                continue
            if "error" in answer:
                raise RuntimeError(f"{method}: {answer['error']['message']}")
            return answer["result"]

    def on_page(self, method, **params):
        return self.send(method, self.page, **params)

    def evaluate(self, expression):
        answer = self.on_page("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {json.dumps(answer['exceptionDetails'])[:500]}")
        return answer["result"].get("value")

    def open(self, address):
        self.on_page("Page.navigate", url=address)
        end = time.monotonic() + 20
        while not self.evaluate(f"location.href === {json.dumps(address)} && document.readyState === 'complete'"):
            if time.monotonic() > end:
                raise RuntimeError(f"{address} does not load")
            time.sleep(0.01)

    def move(self, x, y):
        self.on_page("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def click(self, x, y, rest=0):
        """A real mouse: it comes from beside the place, rests there for so many seconds, and the browser finds the frame below it."""
        if rest:
            self.move(x - 2, y)
            time.sleep(rest)
        for kind, left in [("mouseMoved", x - 4), ("mouseMoved", x), ("mousePressed", x), ("mouseReleased", x)]:
            pressed = {} if kind == "mouseMoved" else {"button": "left", "clickCount": 1}
            self.on_page("Input.dispatchMouseEvent", type=kind, x=left, y=y, **pressed)

    def extension_process(self):
        """The process that the extension's documents are in."""
        for process in self.send("SystemInfo.getProcessInfo")["processInfo"]:
            words = Path(f"/proc/{process['id']}/cmdline").read_bytes()
            if b"--extension-process" in words:
                return process["id"]
        raise RuntimeError("no process of the browser is the extension's")

    def _receive(self, end, method):
        while b"\0" not in self.buffer:
            if not select.select([self.input], [], [], max(0, end - time.monotonic()))[0]:
                raise RuntimeError(f"the browser does not answer {method}")
            part = os.read(self.input, 1 << 16)
            if not part:
                raise RuntimeError(f"the browser ended; see {self.log.name}")
            self.buffer += part
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def close(self):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        os.close(self.input)
        os.close(self.output)
        self.log.close()


def _closing(ends):
    """Each of some descriptors; it is closed once it has been dealt with."""
    for end in ends:
        yield end
        os.close(end)

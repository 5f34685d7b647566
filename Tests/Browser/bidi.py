# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""What stands between Playwright and Firefox on the wire of WebDriver BiDi.

Firefox allows one session. So what the tests ask beside Playwright goes over Playwright's own connection: `Wire` passes on what it sends,
and puts requests of its own beside it. It also answers what Debian's ESR does not know yet and Playwright always sends.
"""

import itertools
import json
import threading
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.sync.server import serve

from browser import look_until_found

#: The first number of a request of the tests; Playwright counts from one.
OWN = 1_000_000_000
#: What the ESR lacks. Playwright has the colours of the page be those of its options, of which the tests change none.
UNKNOWN = {"emulation.setMediaFeaturesOverride"}
#: What tells of tabs, and of frames.
TABS = {"browsingContext.contextCreated", "browsingContext.contextDestroyed"}


class BidiError(Exception):
    """A request that Firefox refused."""


class Wire:
    """A server on this machine that Playwright connects to, and the connection to the Firefox of a profile."""

    def __init__(self, profile: Path, patience: float):
        self.profile, self.patience = profile, patience
        self.numbers = itertools.count(OWN)
        self.asked: dict[int, Future] = {}
        self.tabs: set[str] = set()
        self.browser = None
        self.server = serve(self._lead, "127.0.0.1", 0, max_size=None, compression=None)
        self.port = self.server.socket.getsockname()[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self.server.shutdown()

    def send(self, method: str, **params) -> dict:
        """Asks Firefox, and waits for the answer."""
        number, answer = next(self.numbers), Future()
        self.asked[number] = answer
        self.browser.send(json.dumps({"id": number, "method": method, "params": params}))
        message = answer.result(self.patience)
        if message["type"] == "error":
            raise BidiError(f"{message['error']}: {message['message']}")
        return message["result"]

    def _lead(self, client) -> None:
        with connect(f"{self._address()}{client.request.path}", max_size=None, compression=None) as self.browser:
            back = threading.Thread(target=self._bring_back, args=(client,), daemon=True)
            back.start()
            with suppress(ConnectionClosed):
                for text in client:
                    if any(name in text for name in UNKNOWN) and (message := json.loads(text))["method"] in UNKNOWN:
                        client.send(json.dumps({"type": "success", "id": message["id"], "result": {}}))
                    else:
                        self.browser.send(text)
        back.join()

    def _is_told_again(self, text: str) -> bool:
        """Whether it tells of a tab that it has told of before."""
        if "browsingContext.context" not in text or (message := json.loads(text)).get("method") not in TABS or message["params"].get("parent"):
            return False
        tab = message["params"]["context"]
        if message["method"] == "browsingContext.contextDestroyed":
            self.tabs.discard(tab)
            return False
        is_known = tab in self.tabs
        self.tabs.add(tab)
        return is_known

    def _address(self) -> str:
        """Where Firefox listens. It writes that down a moment after it has said so."""
        where = look_until_found(lambda: json.loads((self.profile / "WebDriverBiDiServer.json").read_text()), "where Firefox listens",
                                 (FileNotFoundError, ValueError), patience=self.patience)
        return f"ws://{where['ws_host']}:{where['ws_port']}"

    def _bring_back(self, client) -> None:
        with suppress(ConnectionClosed):
            for text in self.browser:
                if '"id":1' in text and (message := json.loads(text)).get("id") in self.asked:
                    self.asked.pop(message["id"]).set_result(message)
                elif not self._is_told_again(text):
                    client.send(text)
        for answer in self.asked.values():
            answer.set_exception(ConnectionError("Firefox has ended"))
        with suppress(ConnectionClosed):
            client.close()

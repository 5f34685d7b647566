# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""One Chromium for many tests: what a test left in it is taken away, and that it is gone is looked at."""

import json
from pathlib import Path

from browser import EXTENSION, ORIGIN, eventually
from chromium import IDENTIFIER, Chromium

#: What the extension and the browser hold after a reset, as the extension's worker sees it.
CLEAN = {"local": [], "session": [], "rules": [], "databases": [], "caches": [], "windows": [1], "zoom": [1],
         "title": "Latchkey", "badge": ""}
#: Empties what the extension keeps.
EMPTY = """async () => {
  const { storage, declarativeNetRequest } = chrome;
  await Promise.all([storage.local.clear(), storage.session.clear()]);
  const rules = await declarativeNetRequest.getSessionRules();
  await declarativeNetRequest.updateSessionRules({ removeRuleIds: rules.map(({ id }) => id) });
}"""
#: Says what is there.
LOOK = """async () => {
  const { storage, declarativeNetRequest, windows, tabs, action } = chrome;
  const names = async (area) => Object.keys(await area.get(null));
  const open = await windows.getAll({ populate: true });
  return {
    local: await names(storage.local), session: await names(storage.session),
    rules: [...await declarativeNetRequest.getSessionRules(), ...await declarativeNetRequest.getDynamicRules()],
    databases: await indexedDB.databases(), caches: await caches.keys(),
    windows: open.map((one) => one.tabs.length),
    zoom: await Promise.all((await tabs.query({})).map((tab) => tabs.getZoom(tab.id))),
    title: await action.getTitle({}), badge: await action.getBadgeText({}),
  };
}"""


#: Waits until the worker is known for good. An extension that is loaded again while its worker is being set up keeps that one beside the new one.
SET_UP = """async () => {
  while (serviceWorker.state !== 'activated') await new Promise((next) => { serviceWorker.addEventListener('statechange', next, { once: true }); });
  await chrome.storage.local.get();
}"""


class SharedBrowser(Chromium):
    """A browser that is put back after each test.

    The extension is loaded by DevTools, which can load it again, so that its worker and its connection start anew.
    """

    loads_at_start = False

    def __init__(self, playwright, profile: Path, environment: dict, arguments: list[str], extension: Path = EXTENSION):
        self.extension = extension
        preferences = profile / "Default" / "Preferences"
        preferences.parent.mkdir(parents=True)
        # Without it an extension that is loaded again is disabled, as no store knows it.
        preferences.write_text(json.dumps({"extensions": {"ui": {"developer_mode": True}}}))
        super().__init__(playwright, profile, Path("/bin/false"), environment, [*arguments, "--enable-unsafe-extension-debugging"],
                         extension=extension)
        self.serve(None, {})

    def options(self) -> dict:
        return {"ignore_default_args": ["--disable-extensions"], "accept_downloads": False}

    def load(self, extension: Path) -> None:
        """Loads the extension, anew where it is there already, and waits until its worker runs."""
        before = self.targets("/background.js")
        self.extension = extension
        loaded = self.tools.send("Extensions.loadUnpacked", {"path": str(extension)})
        assert loaded["id"] == IDENTIFIER, loaded
        eventually(self.page, lambda: [one for one in self.targets("/background.js") if one not in before], "the extension's worker")
        eventually(self.page, lambda: len(self.workers()) == 1, "the extension's only worker")
        self.worker().evaluate(SET_UP)

    def reset(self, hosts: set[str]) -> None:
        """Puts everything back, and looks whether it is; `hosts` are those whose pages were shown.

        Raises where something of the test is left, or where the browser does not answer any more.
        """
        self.serve(None, {})
        blank = self.context.new_page()
        for page in self.context.pages:
            if page != blank:
                page.close()
        self.page = blank
        # What was attached to targets that are gone, with what listened to it.
        self.tools.detach()
        self.tools = self.context.browser.new_browser_cdp_session()
        self.lines.clear()
        for target in self.targets(f"{IDENTIFIER}/"):
            if target not in self.targets("/background.js"):
                self.tools.send("Target.closeTarget", {"targetId": target})
        self._clear_sites(hosts)
        self.load(self.extension)
        self.worker().evaluate(EMPTY)
        self.verify()

    def _clear_sites(self, hosts: set[str]) -> None:
        """Takes away what sites have stored, and what the browser has stored of them."""
        session = self.devtools()
        session.send("Network.clearBrowserCache")
        self.context.clear_cookies()
        self.context.clear_permissions()
        for origin in [f"{scheme}://{host}" for host in hosts for scheme in ("https", "http")]:
            session.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
            kept = session.send("Storage.getUsageAndQuota", {"origin": origin})["usage"]
            assert kept == 0, f"{origin} still stores {kept} bytes"
        session.detach()

    def verify(self) -> None:
        """Looks whether the browser is as it was after its start."""
        pages = [page.url for page in self.context.pages]
        assert pages == ["about:blank"], f"pages: {pages}"
        targets = [one["url"] for one in self.tools.send("Target.getTargets")["targetInfos"] if one["type"] != "browser_ui"]
        assert sorted(targets) == ["about:blank", f"{ORIGIN}/background/background.js"], f"targets: {targets}"
        assert self.context.cookies() == []
        zooms = json.loads((self.profile / "Default" / "Preferences").read_text()).get("partition", {}).get("per_host_zoom_levels", {})
        assert not any(zooms.values()), f"zooms: {zooms}"
        [worker] = self.workers()
        found = worker.evaluate(LOOK)
        assert found == CLEAN, f"left in the browser: { {name: value for name, value in found.items() if value != CLEAN[name]} }"

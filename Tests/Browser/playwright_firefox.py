# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Debian's Firefox ESR, headless, with the extension as a temporary add-on, driven by Playwright as Chromium is.

What only the browser itself can do or see, as what runs in the extension's background page, is asked of its own window: privileged
script, which goes over Playwright's connection (see `bidi.py`).
"""

import json
import shlex
from contextlib import suppress
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import BrowserContext, Error, Page, Playwright

from bar import Bar
from bidi import BidiError, Wire
from browser import COUNTS, EXTENSION as SOURCE, HOST, ORIGINS, PATIENCE, ROOT, Browser, Closed, eventually, fill_by_keys
from firefox import EXTENSION, PREFERENCES, PROGRAM, Tunnel
from setting import Setting, proven
from site_server import Site
from verdicts import nothing_released

ORIGIN = ORIGINS["firefox"]
#: Firefox starts no process before there is something for it, and asks nobody which experiments it takes part in.
#: Pages are loaded anew when the user goes back: Playwright loses a page that Firefox has kept in memory.
QUICK = {"browser.sessionhistory.max_total_viewers": 0, "remote.events.async.mouse.enabled": True, "dom.ipc.processPrelaunch.enabled": False, "messaging-system.rsexperimentloader.enabled": False, "nimbus.rollouts.enabled": False}

#: Firefox sends BiDi no events about documents of extensions (its bug 1755014), and none about a tab that changes its process very early.
#: This script changes three functions of Firefox, so that it does:
#: - `currentRemoteType` calls the process of extensions one of web pages, but only when BiDi asks;
#: - `handleEvent` begins to report a document of an extension as soon as it exists;
#: - `observe` reports a tab again after a change of process. `Wire` drops the event where Playwright knows the tab already.
TELL_OF_EXTENSIONS = """() => {
  const { gBrowser } = Services.wm.getMostRecentWindow('navigator:browser');
  const kind = Object.getPrototypeOf(gBrowser.selectedBrowser.browsingContext);
  const real = Object.getOwnPropertyDescriptor(kind, 'currentRemoteType');
  Object.defineProperty(kind, 'currentRemoteType', { ...real, get() {
    const stated = real.get.call(this);
    return stated === 'extension' && new Error().stack.includes('root/browsingContext.sys.mjs') ? 'web' : stated;
  } });
  const { BrowsingContextListener } = ChromeUtils.importESModule('chrome://remote/content/shared/listeners/BrowsingContextListener.sys.mjs');
  const { observe } = BrowsingContextListener.prototype;
  BrowsingContextListener.prototype.observe = function (subject, topic, why) {
    const isReplaced = topic === 'browsing-context-attached' && why === 'replace' && subject.isContent && !subject.parent;
    return observe.call(this, subject, topic, isReplaced ? 'attach' : why);
  };
  const inEachProcess = `{
    const { MessageHandlerFrameChild } = ChromeUtils.importESModule(
      'chrome://remote/content/shared/messagehandler/transports/js-window-actors/MessageHandlerFrameChild.sys.mjs');
    const { handleEvent } = MessageHandlerFrameChild.prototype;
    MessageHandlerFrameChild.prototype.handleEvent = function (event) {
      const isExtensions = event.type === 'DOMWindowCreated' && this.document.nodePrincipal.isAddonOrExpandedAddonPrincipal;
      return isExtensions ? this._registry.createAllMessageHandlers() : handleEvent.call(this, event);
    };
  }`;
  Services.ppmm.loadProcessScript(`data:,${encodeURIComponent(inEachProcess)}`, true);
}"""

#: Runs script where Playwright does not: as a document of the extension does, or as the content script of a tab's document does.
#: A popup that was loaded before it is shown changes its message manager then, and not its frame: a second agent in there would do all twice.
AGENT = """
const { ExtensionContent } = ChromeUtils.importESModule('resource://gre/modules/ExtensionContent.sys.mjs');
if (!this.testsListens) addMessageListener('tests:run', async ({ data: { number, world, extension, expression } }) => {
  const answer = { number };
  try {
    if (world === 'keyboard') {
      const keyboard = Cc['@mozilla.org/text-input-processor;1'].createInstance(Ci.nsITextInputProcessor);
      keyboard.beginInputTransactionForTests(content);
      const key = new content.KeyboardEvent('', { key: expression, code: /^[a-z]$/.test(expression) ? `Key${expression.toUpperCase()}` : expression });
      keyboard.keydown(key, 0);
      keyboard.keyup(key, 0);
    } else {
      // A page of the extension allows no text to be evaluated in it; a sandbox of the same origin may.
      const own = world === 'content script' && ExtensionContent.getContextByExtensionId(extension, content)?.sandbox;
      if (world === 'content script' && !own) throw new Error('no content script');
      const place = own || new Cu.Sandbox(content, { sandboxPrototype: content, wantXrays: false });
      answer.value = await Cu.evalInSandbox(
        `(async (globalThis) => { with (globalThis) { return JSON.stringify(await (${expression})); } })(${own ? 'globalThis' : 'window'})`, place);
    }
  } catch (error) { answer.error = String(error); }
  sendAsyncMessage('tests:answer', answer);
});
this.testsListens = true;
"""
#: Runs a script in each new document of the extension, before the document's own scripts.
BEGIN = """addEventListener('DOMDocElementInserted', ({ target }) => {
  const window = target.defaultView;
  if (!window?.location.href.startsWith(%s)) return;
  Cu.evalInSandbox(%s, new Cu.Sandbox(window, { sandboxPrototype: window, wantXrays: false }));
}, true);"""
#: Has that run somewhere: in what shows the background page, or the popup, or in a tab that was marked.
RUN = """(agent, extension, place, world, expression) => new Promise((resolve) => {
  const views = [...WebExtensionPolicy.getByID(extension).extension.views];
  const tabs = [...Services.wm.getEnumerator('navigator:browser')].flatMap((one) => one.gBrowser?.browsers ?? []);
  const browser = place === 'background' || place === 'popup' ? views.find((one) => one.viewType === place && !one.unloaded)?.xulBrowser
    : tabs.find((one) => one.testsMark === place);
  if (!browser?.messageManager) return resolve(JSON.stringify({ error: `no ${place}` }));
  const manager = browser.messageManager;
  if (browser.testsAgent !== manager) {
    browser.testsAgent = manager;
    manager.loadFrameScript(`data:text/javascript;charset=utf-8,${encodeURIComponent(agent)}`, false);
  }
  const number = Math.random();
  let isAnswered = false;
  manager.addMessageListener('tests:answer', function listen({ data }) {
    if (data.number !== number) return;
    manager.removeMessageListener('tests:answer', listen);
    isAnswered = true;
    resolve(JSON.stringify(data));
  });
  manager.sendAsyncMessage('tests:run', { number, world, extension, expression });
  const window = Services.wm.getMostRecentWindow('navigator:browser');
  window.setTimeout(function look() {
    if (!browser.isConnected) resolve(JSON.stringify({ error: `no ${place} any more` }));
    else if (!isAnswered) window.setTimeout(look, 100);
  }, 100);
})"""
#: Finds a tab by its mark.
FIND = """const tab = [...Services.wm.getEnumerator('navigator:browser')].flatMap((one) => one.gBrowser?.browsers ?? []).find((one) => one.testsMark === mark);"""
#: Has the mouse go down or up at a place of a tab, without waiting for what becomes of it.
MOUSE = f"""(mark, type, x, y) => {{ {FIND}
  const window = tab.ownerDocument.defaultView;
  const utilities = window.testsUtilities ??= {{ window, parent: window, _EU_Ci: Ci, _EU_Cc: Cc }};
  if (!utilities.synthesizeMouseAtPoint) Services.scriptloader.loadSubScript('chrome://remote/content/external/EventUtils.js', utilities);
  const {{ left, top }} = tab.getBoundingClientRect();
  utilities.synthesizeMouseAtPoint(left + x, top + y, {{ type, asyncEnabled: true, clickCount: 1 }}, window, () => {{}});
  return true;
}}"""
#: Marks the tab whose document has a property, which no page knows of.
MARK = """async (mark) => {
  const look = `addMessageListener('tests:look', ({ data }) => sendAsyncMessage('tests:seen', content.wrappedJSObject[Symbol.for('tests')] === data))`;
  for (const browser of [...Services.wm.getEnumerator('navigator:browser')].flatMap((one) => one.gBrowser?.browsers ?? [])) {
    const manager = browser.messageManager;
    const seen = new Promise((resolve) => {
      manager.addMessageListener('tests:seen', function listen({ data }) { manager.removeMessageListener('tests:seen', listen); resolve(data); });
    });
    manager.loadFrameScript(`data:,${encodeURIComponent(look)}`, false);
    manager.sendAsyncMessage('tests:look', mark);
    if (await seen) { browser.testsMark = mark; return true; }
  }
  return false;
}"""


def program(path: str):
    """A program of the project, as a module."""
    loader = SourceFileLoader(Path(path).name, str(ROOT / path))
    module = module_from_spec(spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


make_extension = program("scripts/make-firefox-extension").make


#: Takes away all that sites have stored, and what was typed into fields: Firefox offers it again, and a click closes that list alone.
CLEAR = """() => {
  const { FormHistory } = ChromeUtils.importESModule('resource://gre/modules/FormHistory.sys.mjs');
  const stored = new Promise((done) => Services.clearData.deleteData(Ci.nsIClearDataService.CLEAR_ALL, { onDataDeleted: done }));
  return Promise.all([stored, FormHistory.update({ op: 'remove' })]).then(() => true);
}"""

#: Of the page, and of the screen without a display: what is larger than its window cannot be clicked.
SIZE = {"width": 900, "height": 700}
SCREEN = {"MOZ_HEADLESS_WIDTH": "1400", "MOZ_HEADLESS_HEIGHT": "1000"}


def steady(go):
    """A way to a page that is gone once more where Firefox gives it up by itself: a load ends another one that is just ending."""
    def goes(*arguments, **options):
        try:
            return go(*arguments, **options)
        except Error as error:
            if not any(part in error.message for part in ("NS_BINDING_ABORTED", "is interrupted by another navigation")):
                raise
            return go(*arguments, **options)

    return goes


def in_front(page: Page, act):
    """An act of the user in a page. Its window is brought to the front first, as a window manager does at a click."""
    def acts(*arguments, **options):
        if not page.evaluate("document.hasFocus()"):
            page.bring_to_front()
        return act(*arguments, **options)

    return acts


def typing(page: Page):
    """What fills a field by keys."""
    return lambda selector, text: fill_by_keys(page.locator(selector).first, text)


class Background:
    """The extension's background page, in which a test can look."""

    def __init__(self, browser: "PlaywrightFirefox"):
        self.browser = browser

    def evaluate(self, expression: str, argument=None):
        """Evaluates an expression, or calls a function, as Playwright does in a worker."""
        return self.browser.run("background", f"((it) => typeof it === 'function' ? it({json.dumps(argument)}) : it)({expression})")

#: Whether a window of pages is in front.
IN_FRONT = "() => Services.focus.activeWindow?.document.documentElement.getAttribute('windowtype') === 'navigator:browser'"
#: The errors of scripts of the extension that its console lists; they are told once.
ERRORS = """(origin) => {
  const errors = Services.console.getMessageArray().filter((one) => one instanceof Ci.nsIScriptError && one.sourceName?.startsWith(origin)
    && !(one.flags & (Ci.nsIScriptError.warningFlag | Ci.nsIScriptError.infoFlag)));
  Services.console.reset();
  return errors.map((one) => `${one.errorMessage} (${one.sourceName}:${one.lineNumber})`);
}"""


class PlaywrightFirefox(Browser):
    """One browser with a profile of its own."""

    says_what_covers = False
    #: How many tests have one browser: Firefox keeps something of each, grows to gigabytes, and slows down.
    lifetime = 40
    #: What documents of the extension run before their own scripts.
    beginning: str | None = None
    #: Whether its windows are on no screen.
    is_headless = True
    #: What else this Firefox is set to.
    preferences: dict = {}

    def __init__(self, playwright: Playwright, profile: Path, environment: dict, site: Site):
        self.profile = profile
        profile.mkdir(parents=True, exist_ok=True)
        self._register(Path(environment["HOME"]))
        self.serve(None, {})
        self.tunnel, self.wire = Tunnel(site.port, site.plain.server_address[1]), Wire(profile, PATIENCE)
        self.marks: dict[Page, str] = {}
        self.context: BrowserContext = self.launch(playwright, environment)
        self.context.set_default_timeout(PATIENCE * 1000)
        new_page = self.context.new_page
        self.context.new_page = lambda: self._dress(new_page())
        self._look_at(self.context.pages[0])
        self.installed: list[str] = []
        try:
            self.chrome = self.wire.send("browsingContext.getTree", **{"moz:scope": "chrome"})["contexts"][0]["context"]
            self.system(TELL_OF_EXTENSIONS)
        except BaseException:
            self.close()
            raise

    def launch(self, playwright: Playwright, environment: dict) -> BrowserContext:
        # Playwright reads where to connect to from what Firefox prints.
        starter = self.profile.parent / "start-firefox"
        starter.write_text(f"#!/bin/sh\nexec {shlex.quote(str(PROGRAM))} \"$@\" 2>&1 | sed -u 's#ws://127.0.0.1:[0-9]*#ws://127.0.0.1:{self.wire.port}#'\n")
        starter.chmod(0o755)
        proxy = {"network.proxy.type": 1, "network.proxy.ssl": "127.0.0.1", "network.proxy.ssl_port": self.tunnel.port,
                 "network.proxy.http": "127.0.0.1", "network.proxy.http_port": self.tunnel.port}
        known = {"extensions.webextensions.keepUuidOnUninstall": True, "extensions.webextensions.uuids": json.dumps({EXTENSION: ORIGIN.removeprefix("moz-extension://")})}
        return playwright.firefox.launch_persistent_context(
            str(self.profile), channel="moz-firefox", executable_path=str(starter), headless=self.is_headless, ignore_https_errors=True,
            no_viewport=True, env={**environment, **SCREEN}, timeout=PATIENCE * 1000,
            args=["--remote-allow-system-access", "--no-remote"], firefox_user_prefs={**PREFERENCES, **QUICK, **proxy, **known, **self.preferences})

    def _register(self, home: Path) -> None:
        """Registers a native messaging host. A script becomes it, so it is the browser's own child."""
        launcher = self.profile / "host"
        launcher.write_text(f"#!/bin/sh\n. {shlex.quote(str(self.profile / 'present'))}\n")
        launcher.chmod(0o755)
        folder = home / ".mozilla/native-messaging-hosts"
        folder.mkdir(parents=True, exist_ok=True)
        manifest = {"name": HOST, "description": "Latchkey", "path": str(launcher), "type": "stdio", "allowed_extensions": [EXTENSION]}
        (folder / f"{HOST}.json").write_text(json.dumps(manifest))

    def install(self, folder: Path) -> None:
        """Installs an extension until the browser ends, or is put back."""
        self.installed.append(self.wire.send("webExtension.install", extensionData={"type": "path", "path": str(folder)})["extension"])

    def load(self, extension: Path = SOURCE) -> None:
        """Installs Latchkey's extension, and closes its first-run page."""
        folder = self.profile.parent / "firefox-extension"
        make_extension(extension, folder)
        self.install(folder)
        [welcome] = eventually(
            self.page, lambda: [page for page in self.context.pages if page.url.startswith(ORIGIN)], "the first-run page", told=self._told)
        # It has its answers by then, and asks nothing more.
        welcome.wait_for_function("() => document.querySelector('#latchkey-state')?.innerText")
        welcome.close()
        self.page.bring_to_front()
        # It begins anew, without the connection that was made for that page: what it begins can be counted from its first message on.
        self.stop_worker()
        self.system("(id) => WebExtensionPolicy.getByID(id).extension.wakeupBackground().then(() => true)", EXTENSION)

    def _look_at(self, page: Page) -> None:
        """Has a tab be the one that tests look at."""
        page.set_viewport_size(SIZE)
        self.page = self._dress(page)

    def _dress(self, page: Page) -> Page:
        """Has a tab be used as the user uses it."""
        page.goto, page.reload = steady(page.goto), steady(page.reload)
        for name in "goto", "click", "focus":
            setattr(page, name, in_front(page, getattr(page, name)))
        page.fill = typing(page)
        page.go_back = lambda: self._go_back(page)
        return page

    def _go_back(self, page: Page) -> None:
        """Goes back as the user does, by the browser's own button."""
        self.system(f"(mark) => {{ {FIND} tab.goBack(false); return true; }}", self._mark(page))

    def go_by_address(self, page: Page, address: str) -> None:
        self.system(f"""(mark, address) => {{ {FIND}
          tab.ownerDocument.defaultView.gURLBar.value = address;
          tab.ownerDocument.defaultView.gURLBar.handleCommand();
          return true; }}""", self._mark(page), address)

    def close(self) -> None:
        self.context.close()
        self.wire.close()
        self.tunnel.close()

    def reset(self) -> None:
        """Takes away all that a test has left: the extensions and what they keep, windows and tabs, and what sites have stored."""
        self.serve(None, {})
        blank = self.context.new_page()
        for page in self.context.pages:
            if page != blank:
                page.close()
        self._look_at(blank)
        self.marks.clear()
        if self.beginning:
            self.system("(script) => { Services.mm.removeDelayedFrameScript(script); return true; }", self.beginning)
            self.beginning = None
        while self.installed:
            self.wire.send("webExtension.uninstall", extension=self.installed.pop())
        self.system(CLEAR)
        self.verify()

    def verify(self) -> None:
        """Looks whether the browser is as it was after its start."""
        found = self.system("""(id) => ({
          extension: WebExtensionPolicy.getByID(id) ? 1 : 0,
          tabs: [...Services.wm.getEnumerator('navigator:browser')].flatMap((one) => (one.gBrowser?.browsers ?? []).map((tab) => tab.currentURI.spec)),
          cookies: Services.cookies.cookies.length })""", EXTENSION)
        # Firefox's first window stays beside the one that is lent.
        assert found == {"extension": 0, "tabs": ["about:blank"] * 2, "cookies": 0}, found

    def _told(self) -> str:
        tabs = "() => [...Services.wm.getEnumerator('navigator:browser')].map((one) => (one.gBrowser?.browsers ?? []).map((tab) => tab.currentURI.spec))"
        return f": the pages are {[page.url for page in self.context.pages]}, and Firefox has {self.system(tabs)}"

    # ---- The browser itself

    def system(self, function: str, *arguments):
        """Calls a function in the browser's own window, and returns what it returns or resolves to."""
        answer = self.wire.send(
            "script.callFunction", functionDeclaration=f"async (text) => JSON.stringify(await ({function})(...JSON.parse(text)) ?? null)",
            arguments=[{"type": "string", "value": json.dumps(arguments)}], target={"context": self.chrome}, awaitPromise=True)
        if answer["type"] == "exception":
            raise BidiError(answer["exceptionDetails"]["text"])
        return json.loads(answer["result"]["value"])

    def run(self, place: str, expression: str, world: str = "document"):
        """Evaluates an expression in the background page or the popup, or in a tab that was marked, in one of its worlds."""
        answer = json.loads(self.system(RUN, AGENT, EXTENSION, place, world, expression))
        if "error" in answer:
            raise Closed(answer["error"]) if place == "popup" else BidiError(answer["error"])
        return json.loads(answer["value"]) if answer.get("value") else None

    def targets(self, part: str) -> list[str]:
        views = """(id) => [...WebExtensionPolicy.getByID(id).extension.views].filter(({ unloaded }) => !unloaded)
          .map((one) => [String(one.contextId), one.viewType === 'background' ? '/background.js' : one.xulBrowser?.currentURI.spec ?? ''])"""
        return [identifier for identifier, address in self.system(views, EXTENSION) if part in address]

    def worker(self) -> Background:
        return Background(self)

    def is_calm(self) -> bool:
        # Firefox ends the background page of an extension that does nothing.
        return not self.targets("/background.js") or super().is_calm()

    def pin(self, is_on: bool) -> None:
        self.system("""(area) => { CustomizableUI.addWidgetToArea('latchkey_latchkey_org-browser-action', area); return true; }""",
                    "nav-bar" if is_on else "unified-extensions-area")

    def assign_key(self, key: str) -> None:
        self.worker().evaluate("(shortcut) => chrome.commands.update({ name: '_execute_action', shortcut })", key)

    def stop_worker(self) -> None:
        self.system("""(id) => WebExtensionPolicy.getByID(id).extension
          .terminateBackground({ ignoreDevToolsAttached: true, disableResetIdleForTest: true }).then(() => true)""", EXTENSION)

    def bar(self, page: Page | None = None) -> "FirefoxBar":
        return FirefoxBar(self, page or self.page)

    def click(self, page: Page, x: float, y: float) -> None:
        page.mouse.click(x, y)

    def mouse(self, page: Page, does: str, x: float, y: float) -> None:
        self.system(MOUSE, self._mark(page), f"mouse{does}", x, y)

    def press(self, page: Page, key: str) -> None:
        page.keyboard.press(key)

    def by_itself(self, page: Page, script: str) -> None:
        self.run(self._mark(page), f"(() => {{ {script} }})()")

    def begin_with(self, page: Page, script: str) -> None:
        # Playwright's scripts do not come into documents of extensions.
        frame_script = BEGIN % (json.dumps(ORIGIN), json.dumps(script))
        self.beginning = f"data:text/javascript;charset=utf-8,{quote(frame_script)}"
        self.system("(script) => { Services.mm.loadFrameScript(script, true); return true; }", self.beginning)

    def isolated_world(self, page: Page | None = None):
        mark = self._mark(page or self.page)
        return lambda expression: self.run(mark, expression, "content script")

    def _mark(self, page: Page) -> str:
        """The mark of a tab, which is told from others by a property that its document has for a moment."""
        if page not in self.marks:
            mark = f"tab {len(self.marks)}"
            page.evaluate("(mark) => { globalThis[Symbol.for('tests')] = mark; }", mark)
            assert self.system(MARK, mark), "a tab that Firefox does not have"
            page.evaluate("() => { delete globalThis[Symbol.for('tests')]; }")
            self.marks[page] = mark
        return self.marks[page]

    def popup(self, shows: str = "document.readyState === 'complete'") -> "Popup":
        self.page.bring_to_front()
        popup = Popup(self)
        # A popup that is still open is closed, as a click on the page would do.
        with suppress(Closed):
            popup.evaluate("window.close()")
        eventually(self.page, lambda: not popup.is_open(), "the end of the popup before")

        eventually(self.page, lambda: self.system(IN_FRONT), "a window in front")
        self.worker().evaluate("chrome.action.openPopup().then(() => true)")

        def look():
            with suppress(Closed):  # its document is not there yet
                popup.shown = popup.evaluate(shows)
            return popup.shown

        eventually(self.page, look, f"a popup with {shows}")
        return popup

    def uncaught(self) -> list[str]:
        return self.system(ERRORS, ORIGIN)

    def devtools(self, page: Page | None = None):
        pytest.skip("Firefox is not spoken to by the protocol of Chromium's DevTools.")


#: Becomes true once a choice in the bar has counted for a time, as far as it knows, or once none has. It does not know what covers it.
WATCH = """async ([wanted, time, patience]) => {
  const counts = () => !document.documentElement.classList.contains('arming');
  const end = performance.now() + patience;
  for (let since = performance.now(); performance.now() - since < time;) {
    if (performance.now() > end) return false;
    await new Promise((next) => setTimeout(next, 20));
    if (counts() !== wanted) since = performance.now();
  }
  return true;
}"""


#: Whether a document shows a bar. Playwright hears of its frame later.
SHOWS = "() => Boolean(document.querySelector('html > div[popover=manual], dialog > div[popover=manual]'))"


#: Counts the clicks that a bar gets; returns how many it got.
CLICKS = """() => {
  if (globalThis.testsClicks === undefined) {
    globalThis.testsClicks = 0;
    addEventListener('click', () => { globalThis.testsClicks += 1; }, true);
  }
  return globalThis.testsClicks;
}"""


class FirefoxBar(Bar):
    watch = WATCH

    def click(self, row: int = 0, armed: bool = True) -> None:
        """Clicks a row, and waits until the bar has the click: Firefox answers before that."""
        before = self.wait().evaluate(CLICKS)
        super().click(row, armed)

        def has_it():
            try:
                return not (frames := self.frames()) or frames[-1].evaluate(CLICKS) != before
            except Error:  # the bar has gone with it
                return True

        eventually(self.page, has_it, "the click in the bar")

    def is_absent(self) -> bool:
        return super().is_absent() and not any(frame.evaluate(SHOWS) for frame in self.page.frames)


class Popup:
    """The toolbar popup, which Playwright does not list among its pages."""

    shown = None

    def __init__(self, browser: PlaywrightFirefox):
        self.browser = browser

    def evaluate(self, expression: str):
        return self.browser.run("popup", expression)

    def wait(self, expression: str):
        return eventually(self.browser.page, lambda: self.evaluate(expression), expression)

    def press(self, key: str) -> None:
        if key == "Enter":
            self.wait(f"document.querySelector('{COUNTS}') !== null")
        try:
            self.browser.run("popup", key, "keyboard")
        except Closed:  # with the key that went down
            pass

    def is_open(self) -> bool:
        return bool(self.browser.targets("/popup.html"))


#: What the button of a question says that is about filling.
FILLS = {"Fill", "Fill this once", "Use Password"}


class PlaywrightFirefoxSetting(Setting):
    """One user of Firefox, which does not say what covers a frame: the first choice of an account at a site is confirmed outside of the page."""

    def agree(self, but=None) -> None:
        """Says yes to a question whether something is to be filled, and to no other."""
        for window in self.browser.context.pages:
            with suppress(Error):  # it closes by itself
                if "/prompt.html" in window.url and window != but and not window.is_closed() and not window.locator("#passphrase").is_visible() \
                        and window.inner_text("#accept") in FILLS:
                    self.accept(window)

    def agree_to_a_late_press(self) -> None:
        self.agree()

    def is_refused(self, before: int) -> bool:
        """Whether clicks chose nothing, or a window asks whether they were meant."""
        chosen = self.latchkey.received("renderer.choose")[before:]
        nothing_released("choices against which nothing speaks", proven(chosen))
        if chosen:
            eventually(self.page, lambda: [page for page in self.browser.context.pages if "/prompt.html" in page.url], "the question")
        return True

    def may_be_asked(self) -> bool:
        return True

    def frame(self, name: str):
        # Playwright asks for the name when the frame is just coming, and may not get it.
        def look():
            return next((frame for frame in self.page.frames[1:] if frame.evaluate("name") == name), None)

        return eventually(self.page, look, f"the frame {name}")

    def becomes(self, look, what: str) -> None:
        def agreed():
            self.agree()
            return look()

        super().becomes(agreed, what)

    def choose(self, row: int = 0) -> None:
        self.tap(row)

    def closes(self, window, act) -> None:
        """Does what closes a window, says yes to what is asked before it closes, and waits until it has."""
        with suppress(Error):
            act()

        def look():
            if not window.is_closed():
                self.agree(but=window)
            return window.is_closed()

        eventually(self.page, look, "the end of the window")

# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""What tests share is as good as new: the homes that are copied, and the browser that is put back. And Latchkey that is set up anew."""

import json
import tempfile
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from browser import ORIGIN, eventually
from conftest import RMONDELLO, SIGN_IN
from latchkey import PASSPHRASE, Latchkey, processes_of
from sealed_homes import LEAST
from workplace import BrowserThrownAway

pytestmark = pytest.mark.chromium("it is about how Chromium is put back")

#: Leaves something of each kind in the browser, as a page can.
LEAVE = """async () => {
  document.cookie = 'left=1; max-age=600';
  localStorage.left = sessionStorage.left = 1;
  await new Promise((done) => { const open = indexedDB.open('left', 1); open.onsuccess = done; open.onerror = done; });
  await (await caches.open('left')).put('/left', new Response('left'));
  await navigator.serviceWorker.register('/worker.js');
  await navigator.serviceWorker.ready;
}"""
FIND = """async () => [document.cookie, localStorage.left ?? '', sessionStorage.left ?? '', (await indexedDB.databases()).length,
  (await caches.keys()).length, (await navigator.serviceWorker.getRegistrations()).length]"""
CLEAN = ["", "", "", 0, 0, 0]


@pytest.fixture
def place():
    """A folder whose path is short enough for a socket in it."""
    with tempfile.TemporaryDirectory(prefix="latchkey-test-") as folder:
        yield Path(folder)


@pytest.fixture
def begin(workplace, site):
    """Begins settings one after the other, as tests do."""
    @contextmanager
    def run(**how):
        with ExitStack() as ending:
            yield workplace.begin(ending, **how)

    return run


def test_new_user_sets_latchkey_up_and_is_filled(start, site):
    """`latchkey init` and a browser that loads the extension as it starts: what all other tests have done for them."""
    it = start(new=True)
    assert json.loads((it.folder / "data/latchkey/keyring").read_text())["passphrase"]["iterations"] > LEAST["iterations"]
    it.open("https://shiny.example.com/login")
    it.tap()
    it.filled()


def test_copied_home_opens_as_it_is(workplace, place):
    """Its identity store is bound to this machine and device key: one that was not right would be made anew."""
    home = workplace.homes.home((RMONDELLO,))
    store = "state/latchkey/identities/org.latchkey.passwords.identities"
    before = (home / store).read_bytes()
    latchkey = Latchkey(place, [], home=home)
    try:
        assert (place / store).read_bytes() == before, "made anew"
        [item] = json.loads(latchkey.run("list", "--json"))
        assert (item["user"], item["services"]) == (RMONDELLO.user, [RMONDELLO.service])
        shown = latchkey.run("show", RMONDELLO.service, RMONDELLO.user, "--only-password", "--passphrase-file", latchkey.secret)
        assert shown.rstrip("\n") == RMONDELLO.password
        latchkey.lock()
        latchkey.secret.write_text(PASSPHRASE + "!\n")
        with pytest.raises(RuntimeError):
            latchkey.unlock()
    finally:
        latchkey.stop()
    assert (home / store).read_bytes() == before


def test_copies_know_nothing_of_each_other(workplace, place):
    homes = [workplace.homes.home((RMONDELLO,)), workplace.homes.home()]
    first = Latchkey(place / "first", [], home=homes[0])
    first.run("remove", RMONDELLO.service, RMONDELLO.user)
    first.stop()
    for number, (home, count) in enumerate(zip(homes, (1, 0))):
        second = Latchkey(place / f"second{number}", [], home=home)
        assert len(json.loads(second.run("list", "--json"))) == count
        second.stop()


def test_nothing_of_a_test_is_left_in_the_browser(workplace, begin, site):
    site.page("/worker.js", "", kind="text/javascript")
    with begin(fake=True) as it:
        page = it.open("https://shiny.example.com/login")
        it.bar.wait("#row-0")
        page.evaluate(LEAVE)
        assert page.evaluate(FIND) != CLEAN
        it.browser.context.grant_permissions(["geolocation"])
        it.browser.worker().evaluate("() => chrome.storage.local.set({ left: 1 })")
        it.browser.worker().evaluate("() => chrome.action.setBadgeText({ text: 'left' })")
        it.browser.context.new_page().goto(f"{ORIGIN}/windows/rules.html")
        shared, worker, folder = it.browser, it.browser.targets("/background.js"), it.folder
        assert processes_of(folder), "the host of this test"
    assert not folder.exists() and not processes_of(folder)
    with begin(fake=True) as it:
        assert it.browser is shared and it.browser.targets("/background.js") != worker
        page = it.open("https://shiny.example.com/login")
        assert page.evaluate(FIND) == CLEAN
        assert page.evaluate("navigator.permissions.query({ name: 'geolocation' }).then(({ state }) => state)") != "granted"
        assert len(it.browser.context.pages) == 1 and page.evaluate("history.length") <= 2


@pytest.mark.parametrize("leave, said", [
    (lambda browser: browser.context.new_page(), "pages"),
    (lambda browser: browser.context.add_cookies([{"name": "left", "value": "1", "url": "https://shiny.example.com"}]), ""),
    (lambda browser: browser.worker().evaluate("() => chrome.action.setTitle({ title: 'left' })"), "title"),
    (lambda browser: browser.worker().evaluate("""() => chrome.declarativeNetRequest.updateSessionRules(
      { addRules: [{ id: 7, action: { type: 'block' }, condition: { urlFilter: '|https://left/' } }] })"""), "rules"),
    (lambda browser: browser.worker().evaluate("""() => chrome.tabs.query({}).then(([tab]) => chrome.tabs.setZoom(tab.id, 2))"""), "zoom"),
], ids=["tab", "cookie", "title", "rule", "zoom"])
def test_what_is_left_is_noticed(workplace, begin, leave, said):
    """The check of the reset is alive: it fails for each kind of thing."""
    with begin(fake=True) as it:
        shared = it.browser
    shared.verify()
    leave(shared)
    with pytest.raises(AssertionError, match=said):
        shared.verify()
    if said == "zoom":
        shared.worker().evaluate("() => chrome.tabs.query({}).then(([tab]) => chrome.tabs.setZoom(tab.id, 0))")
    shared.reset(set())


def test_extension_that_is_loaded_again_at_once_has_one_worker(workplace, begin):
    with begin(fake=True) as it:
        for _ in range(12):
            it.browser.load(workplace.extension)
            assert len(it.browser.targets("/background.js")) == 1


def test_browser_that_cannot_be_put_back_is_thrown_away(workplace, begin, site):
    with begin(fake=True) as it:
        shared = it.browser
    thrown = workplace.counts["thrown away"]
    with pytest.warns(BrowserThrownAway, match="thrown away"):
        with begin(fake=True) as it:
            assert it.browser is shared
            it.browser.verify = _fail
    assert workplace.counts["thrown away"] == thrown + 1
    with begin(fake=True) as it:
        assert it.browser is not shared
        it.open("https://shiny.example.com/login")
        it.bar.wait("#row-0")


def _fail():
    raise AssertionError("as if something were left")


def test_a_second_setting_at_the_same_time_has_a_browser_of_its_own(start, site):
    first, second = start(fake=True), start(fake=True)
    assert first.browser is not second.browser and first.folder != second.folder
    for it in (first, second):
        it.page.goto(site.page("/login", SIGN_IN))
        it.page.click("#user")
        it.bar.wait("#row-0")
    eventually(first.page, lambda: processes_of(first.folder) and processes_of(second.folder), "a host each")


def test_worker_that_is_started_again_at_once_was_stopped(start, site):
    """DevTools keeps the target of a worker that is looked at, and gives it to the next run of it."""
    it = start(fake=True)
    it.open("https://shiny.example.com/login", focus=None)
    it.browser.isolated_world()("void setInterval(() => { chrome.runtime.sendMessage({ type: 'page.offers' }).catch(() => {}); }, 1)")
    it.browser.worker().evaluate("() => { globalThis.isOld = true; }")
    it.browser.stop_worker()
    eventually(it.page, lambda: it.browser.worker().evaluate("() => globalThis.isOld !== true"), "another run of the worker")

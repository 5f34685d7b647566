# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Which documents get something: the one that was saved for, in frames of its own origin, as long as it is there."""

import pytest

from calm import FRAMES, NEED
from chromium import eventually
from conftest import RMONDELLO, SIGN_IN
from latchkey import PASSPHRASE, Account

FRAME = '<!doctype html><h1>Outer</h1><iframe name="inner" width="700" height="500" %s></iframe>'
NOTHING = ["", ""]


def inner(it, path: str = "/login"):
    def look():
        for frame in it.page.frames:
            if frame.name == "inner" and (path in frame.url or path == "about") and frame.query_selector("#user"):
                return frame
        return None

    return eventually(it.page, look, "the frame with the form")


def offered(it) -> list[str]:
    """The rows of the bar that may be chosen, once it shows something."""
    it.bar.texts()
    return it.bar.wait().evaluate("[...document.querySelectorAll('#rows [role=option]')].map(row => row.innerText)")


def test_same_origin_frame_is_filled(start, site):
    it = start()
    it.open(site.page("/outer", FRAME % 'src="/login"'), focus=None)
    frame = inner(it)
    frame.click("#user")
    it.tap()
    it.filled(frame)


def test_wrong_origin_is_offered_nothing(start, site):
    site.page("/login", SIGN_IN, host="evil.example.net")
    it = start()
    it.open("https://evil.example.net/login")
    it.bar.wait()
    assert offered(it) == []
    assert "rmondello" not in " ".join(it.bar.texts())


def test_S8_sandboxed_frame_is_offered_nothing(start, site):
    it = start()
    it.open(site.page("/outer", FRAME % 'sandbox="allow-scripts allow-forms" src="/login"'), focus=None)
    inner(it).click("#user")
    it.bar.wait()
    assert offered(it) == []


def test_S8_page_that_sandboxes_itself_is_offered_nothing(start, site):
    it = start()
    it.open(site.page("/boxed", SIGN_IN, **{"Content-Security-Policy": "sandbox allow-scripts allow-forms"}))
    it.bar.wait()
    assert offered(it) == []


def test_S9_srcdoc_frame_has_the_origin_that_the_browser_states(start, site):
    it = start()
    body = '<iframe name="inner" width="700" height="500"></iframe><script>document.querySelector("iframe").srcdoc = `%s`</script>'
    it.open(site.page("/srcdoc", body % SIGN_IN), focus=None)
    frame = inner(it, "about")
    frame.click("#user")
    it.tap()
    it.filled(frame)


def test_S9_about_blank_frame_has_the_origin_that_the_browser_states(start, site):
    it = start()
    body = '<iframe name="inner" width="700" height="500"></iframe><script>onload = () => { frames[0].document.body.innerHTML = `%s` }</script>'
    it.open(site.page("/blank", body % SIGN_IN), focus=None)
    frame = inner(it, "about")
    frame.click("#user")
    it.tap()
    it.filled(frame)


def test_S9_frame_below_an_opaque_one_is_offered_nothing(start, site):
    it = start()
    data = "data:text/html,<iframe name=inner width=600 height=400 src=https://shiny.example.com/login></iframe>"
    it.open(site.page("/data", f'<iframe width="700" height="500" src="{data}"></iframe>'), focus=None)
    inner(it).click("#user")
    it.bar.wait()
    assert offered(it) == []


@pytest.mark.parametrize("fake", [False, True], ids=["daemon", "daemon that does not look"])
def test_frame_that_navigates_while_the_user_is_asked_gets_nothing(start, site, fake):
    site.page("/other", SIGN_IN)
    it = start(fake=fake, **({"blind": True} if fake else {}))
    it.open(site.page("/outer", FRAME % 'src="/login"'), focus=None)
    frame = inner(it)
    frame.click("#user")
    prompt = it.browser.window("prompt", it.bar.click)
    frame.evaluate("location.href = '/other'")
    frame = inner(it, "/other")
    if fake:
        frame.focus("#user")  # so that this document has described fields of its own, with the same references
        it.received("page.focused", count=2)
    try:
        it.accept(prompt, PASSPHRASE if prompt.locator("#passphrase").is_visible() else None)
    except Exception:  # the daemon has taken its question back already
        pass
    it.quiet()
    assert it.values(frame=frame) == NOTHING


def test_page_that_navigates_while_the_user_is_asked_gets_nothing(start, site):
    site.page("/other", SIGN_IN)
    it = start()
    it.open("https://shiny.example.com/login")
    prompt = it.browser.window("prompt", it.bar.click)
    it.page.goto("https://shiny.example.com/other")
    try:
        it.accept(prompt, PASSPHRASE if prompt.locator("#passphrase").is_visible() else None)
    except Exception:  # the daemon has taken its question back already
        pass
    it.quiet()
    assert it.values() == NOTHING


def test_answer_for_another_document_is_dropped(start, site):
    """A daemon that names a document nobody chose for gets nothing filled anywhere."""
    it = start(fake=True, trusting=True, answer={"document": "0123456789ABCDEF0123456789ABCDEF"})
    it.open("https://shiny.example.com/login")
    it.bar.click()
    it.received("renderer.choose")
    it.quiet()
    assert it.values() == NOTHING


@pytest.mark.parametrize("size", [("280", "400"), ("600", "150"), ("320", "170")], ids=["narrow", "low", "small"])
def test_frame_without_room_for_the_bar_gets_none_and_is_filled_from_the_popup(start, site, size):
    """A bar over the field is in the way, and one that is not whole takes no choice. It is known before anything is asked."""
    width, height = size
    it = start(fake=True)
    page = it.open(site.page("/outer", f'<iframe name="inner" width="{width}" height="{height}" src="/login"></iframe>'), focus=None)
    page.frame_locator("iframe").locator("#user").click()
    # What reads the frame has come, and asks nothing.
    eventually(page, it.browser.brought, "what reads the frame")
    it.browser.isolated_world()(NEED)
    page.evaluate(FRAMES)
    it.browser.at_rest()
    assert it.bar.frames() == [] and it.latchkey.received("page.focused") == []
    popup = it.browser.popup("!!document.querySelector('#row-0')")
    popup.press("Enter")
    it.filled(page.frame(name="inner"))


def test_bar_goes_when_its_frame_has_no_room_for_it_any_more(start, site):
    it = start(fake=True)
    page = it.open(site.page("/outer", '<iframe name="inner" width="600" height="500" src="/login"></iframe>'), focus=None)
    page.frame_locator("iframe").locator("#user").click()
    it.bar.wait("#row-0")
    page.evaluate("document.querySelector('iframe').width = 250")
    it.bar.wait_until_gone()

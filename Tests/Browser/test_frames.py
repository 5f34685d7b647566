# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Which documents get something: the one that was saved for, in frames of its own origin, as long as it is there."""

from contextlib import suppress

import pytest

from browser import NAME, Closed, eventually
from conftest import ELSEWHERE, RMONDELLO, SIGN_IN
from latchkey import PASSPHRASE, Account
from verdicts import nothing_released

FRAME = '<!doctype html><h1>Outer</h1><iframe name="inner" width="700" height="500" %s></iframe>'
NOTHING = ["", ""]


def inner(it, path: str = "/login"):
    def look():
        for frame in it.page.frames:
            if frame != it.page.main_frame and frame.evaluate("name") == "inner" and (path in frame.url or path == "about") and frame.query_selector("#user"):
                return frame
        return None

    return eventually(it.page, look, "the frame with the form")


def offered(it) -> list[str]:
    """The rows of the bar that may be chosen, once it shows something."""
    it.bar.texts()
    return it.bar.wait().evaluate("[...document.querySelectorAll('#rows [role=option]')].map(row => row.innerText)")


def offers_nothing(it) -> bool:
    """Whether no row may be chosen. In Firefox, which names no origin of such a document, there is no bar."""
    if NAME == "firefox":
        it.browser.at_rest()
        if it.bar.is_absent():
            return True
    return offered(it) == []


@pytest.mark.main
def test_same_origin_frame_is_filled(start, site):
    it = start()
    it.open(site.page("/outer", FRAME % 'src="/login"'), focus=None)
    frame = inner(it)
    frame.click("#user")
    it.tap()
    it.filled(frame)


@pytest.mark.main
def test_wrong_origin_is_offered_nothing(start, site):
    site.page("/login", SIGN_IN, host="evil.example.net")
    it = start()
    it.open("https://evil.example.net/login")
    it.bar.wait()
    nothing_released("offered to another site", offered(it))
    assert it.bar.texts() == ["Nothing is saved for evil.example.net."]


def test_S8_sandboxed_frame_is_offered_nothing(start, site):
    it = start()
    it.open(site.page("/outer", FRAME % 'sandbox="allow-scripts allow-forms" src="/login"'), focus=None)
    inner(it).click("#user")
    assert offers_nothing(it)


def test_S8_page_that_sandboxes_itself_is_offered_nothing(start, site):
    it = start()
    it.open(site.page("/boxed", SIGN_IN, **{"Content-Security-Policy": "sandbox allow-scripts allow-forms"}))
    assert offers_nothing(it)


def test_S9_srcdoc_frame_has_the_origin_that_the_browser_states(start, site):
    it = start()
    body = '<iframe name="inner" width="700" height="500"></iframe><script>document.querySelector("iframe").srcdoc = `%s`</script>'
    it.open(site.page("/srcdoc", body % SIGN_IN), focus=None)
    frame = inner(it, "about")
    frame.click("#user")
    if NAME == "firefox":
        assert offers_nothing(it)
        return
    it.tap()
    it.filled(frame)


def test_S9_about_blank_frame_has_the_origin_that_the_browser_states(start, site):
    it = start()
    body = '<iframe name="inner" width="700" height="500"></iframe><script>onload = () => { frames[0].document.body.innerHTML = `%s` }</script>'
    it.open(site.page("/blank", body % SIGN_IN), focus=None)
    frame = inner(it, "about")
    frame.click("#user")
    if NAME == "firefox":
        assert offers_nothing(it)
        return
    it.tap()
    it.filled(frame)


def test_S9_frame_below_an_opaque_one_is_offered_nothing(start, site):
    it = start()
    data = "data:text/html,<iframe name=inner width=600 height=400 src=https://shiny.example.com/login></iframe>"
    it.open(site.page("/data", f'<iframe width="700" height="500" src="{data}"></iframe>'), focus=None)
    inner(it).click("#user")
    assert offers_nothing(it)


@pytest.mark.parametrize("fake", [False, True], ids=["daemon", "daemon that does not look"])
def test_frame_that_navigates_while_the_user_is_asked_gets_nothing(start, site, fake):
    if fake and NAME == "firefox":
        pytest.skip("a document behind a window tells of no focus in Firefox")
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
    site.page("/other", ELSEWHERE)
    it = start()
    it.open("https://shiny.example.com/elsewhere")
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


CRAMPED = ("Latchkey: No room for suggestions beside this field: they are here.", "↑")
SMALL = pytest.mark.parametrize("size", [("200", "400"), ("600", "30"), ("270", "200")], ids=["narrow", "low", "small"])


def framed(site, size, body: str = SIGN_IN) -> str:
    site.page("/inner", body)
    return site.page("/outer", '<input id="beside"><p><iframe name="inner" width="%s" height="%s" src="/inner"></iframe>' % size)


@SMALL
@pytest.mark.parametrize("state", ["one", "none", "locked"])
def test_frame_without_room_for_the_bar_leads_to_the_popup(start, site, size, state):
    """A bar over the field is in the way, and one that is not whole takes no choice. Outside the page this is said, whatever is saved."""
    it = start([Account("unrelated.example.net", "x", "x")] if state == "none" else [RMONDELLO], fake=True)
    if state == "locked":
        it.latchkey.lock()
    page = it.open(framed(site, size), focus=None)
    inner(it, "/inner").click("#user")
    eventually(page, lambda: it.toolbar() == CRAMPED, "a word in the toolbar")
    assert it.bar.frames() == [] and inner(it, "/inner").evaluate("document.querySelector('[popover]')") is None

    def press():
        """Chooses in the popup, which closes at a moment of its own and is opened again then."""
        while True:
            popup = it.browser.popup("!!document.querySelector('[role=option]')")
            with suppress(Closed):
                if state == "one":
                    assert "No room for suggestions beside this field" in popup.evaluate("document.querySelector('#note').textContent")
                    popup.press("Enter")
                return

    if state == "one":
        if size[1] == "30":
            # Whoever sees one field at a time is asked, as the popup does anywhere.
            it.accept(it.browser.window("prompt", press))
        else:
            press()
        it.filled(inner(it, "/inner"))
    else:
        press()
        assert it.values(frame=inner(it, "/inner")) == NOTHING


@SMALL
def test_field_that_gets_no_bar_anywhere_is_not_said_to_have_no_room(start, site, size):
    it = start(fake=True)
    it.open(framed(site, size, '<form role="search"><input id="user" type="search" name="q"></form>'), focus=None)
    inner(it, "/inner").click("#user")
    it.received("page.focused")
    it.browser.at_rest()
    assert it.bar.frames() == [] and it.toolbar() == ("Latchkey", "")


def test_word_of_the_toolbar_goes_with_the_field(start, site):
    it = start(fake=True)
    page = it.open(framed(site, ("200", "400")), focus=None)
    inner(it, "/inner").click("#user")
    eventually(page, lambda: it.toolbar() == CRAMPED, "a word in the toolbar")
    page.click("#beside")
    eventually(page, lambda: it.toolbar() == ("Latchkey", ""), "its end")


def test_frame_of_the_usual_size_has_room_for_the_small_bar(start, site):
    """300 x 150 is what a frame has that says nothing of its size."""
    it = start(fake=True)
    it.open(framed(site, ("300", "150")), focus=None)
    frame = inner(it, "/inner")
    frame.click("#user")
    it.bar.wait("#row-0")
    it.tap()
    it.filled(frame)


def test_bar_goes_when_its_frame_has_no_room_for_it_any_more(start, site):
    it = start(fake=True)
    page = it.open(site.page("/outer", '<iframe name="inner" width="600" height="500" src="/login"></iframe>'), focus=None)
    page.frame_locator("iframe").locator("#user").click()
    it.bar.wait("#row-0")
    it.bar.box()
    page.evaluate("document.querySelector('iframe').width = 250")
    it.bar.wait_until_gone()

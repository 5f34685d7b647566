# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Frames inside pages of other sites: what is asked outside both of them, and for how long and what a yes counts."""

import time

import pytest

from calm import FRAMES, NEED
from browser import ORIGIN, eventually
from conftest import RMONDELLO, SIGN_IN
from latchkey import PASSPHRASE, Account
from test_frames import FRAME, inner, offered

SECOND = Account("shiny.example.com", "second", "another password")
FRAMED = FRAME % 'src="https://shiny.example.com/login"'


def outer(site, host: str = "evil.example.net", body: str = FRAMED) -> str:
    return site.page("/outer", body, host=host)


def row_of(it, user: str) -> int:
    """Where the row of a user stands in the bar."""
    return eventually(it.page, lambda: [n for n, text in enumerate(it.bar.texts()) if f" {user}" in text], f"the row of {user}")[0]


def ask(it, frame, user: str = "rmondello"):
    """Chooses a row in a frame; returns the window that asks."""
    frame.click("#user")
    prompt = it.browser.window("prompt", lambda: it.bar.click(row_of(it, user)))
    prompt.wait_for_selector("#accept:not(.early)")
    return prompt


def agree(it, frame, user: str = "rmondello", password: str = RMONDELLO.password):
    """Chooses a row in a frame, says yes, and returns what the window said."""
    prompt = ask(it, frame, user)
    facts = prompt.inner_text("#facts") + prompt.inner_text("#details")
    it.accept(prompt, PASSPHRASE if prompt.locator("#passphrase").is_visible() else None)
    it.filled(frame, user=user, password=password)
    return facts


def choose_quietly(it, frame, user: str = "rmondello") -> None:
    """Chooses a row in a frame with the pointer resting on the bar, as the guard wants it where frames are nested."""
    frame.click("#user")
    row = row_of(it, user)
    # Only the first row stands in the small bar; the key that makes it larger lies elsewhere.
    if row:
        it.bar.grow()
    it.bar.arm()
    box = it.bar.box()
    it.page.mouse.move(box["x"] + 40, box["y"] + 20)
    it.bar.rest()
    it.bar.click(row)


def test_S6_frame_in_a_page_of_another_site_is_asked_about_once(start, site):
    it = start([RMONDELLO, SECOND])
    it.open(outer(site), focus=None)
    frame = inner(it)
    frame.click("#user")
    assert sorted(offered(it)) == [f"shiny.example.com · in a frame\n{user}" for user in ("rmondello", "second")]
    facts = agree(it, frame)
    assert "In a page of\nevil.example.net" in facts and "Site\nshiny.example.com" in facts and "rmondello" in facts

    # Remembered: the same account in the same frame of the same page is filled without a window.
    it.page.reload()
    frame = inner(it)
    choose_quietly(it, frame)
    it.filled(frame)


def test_S7_yes_counts_for_that_account_and_that_page_alone(start, site):
    it = start([RMONDELLO, SECOND])
    it.open(outer(site), focus=None)
    agree(it, inner(it))
    it.page.reload()
    assert "second" in agree(it, inner(it), "second", SECOND.password)
    it.open(outer(site, host="plain.example.org"), focus=None)
    assert "In a page of\nplain.example.org" in agree(it, inner(it))


def test_S6_no_is_remembered_for_the_moment(start, site):
    it = start()
    it.open(outer(site), focus=None)
    frame = inner(it)
    prompt = ask(it, frame)
    it.closes(prompt, lambda: prompt.click("#cancel"))
    frame.focus("#password")
    it.bar.wait("#row-0")
    it.bar.click()
    said = time.monotonic()

    def refused():
        nonlocal said
        # On a busy machine the ten seconds for which the no counts may be over, and it is asked again.
        for window in it.browser.context.pages:
            if "/prompt.html" in window.url and not window.is_closed():
                assert time.monotonic() - said > 7, "the no is not remembered"
                it.closes(window, lambda window=window: window.click("#cancel"))
                said = time.monotonic()
                it.bar.click()
        return [text for text in it.bar.texts() if "said no" in text]

    told = eventually(it.page, refused, "the refusal")
    assert "rmondello" not in told[0]
    assert it.values(frame=frame) == ["", ""]


def test_S7_settings_page_takes_a_yes_back(start, site):
    it = start()
    it.open(outer(site), focus=None)
    agree(it, inner(it))
    settings = it.browser.context.new_page()
    settings.goto(f"{ORIGIN}/windows/settings.html")
    settings.wait_for_selector("#consents li")
    text = settings.inner_text("#consents li p:first-child")
    assert "shiny.example.com" in text and "evil.example.net" in text and "rmondello" in text
    settings.click("#consents button")
    settings.wait_for_selector("#agreed", state="hidden")
    assert it.latchkey.run("consents", "list") == ""
    settings.close()
    it.page.bring_to_front()
    it.page.reload()
    assert "In a page of\nevil.example.net" in agree(it, inner(it))


def test_S6_frame_gets_nothing_of_the_page_around_it(start, site):
    """The page around it has a login; the frame has none and is offered none."""
    it = start()
    site.page("/login", SIGN_IN, host="evil.example.net")
    it.open(outer(site, "shiny.example.com", FRAME % 'src="https://evil.example.net/login"'), focus=None)
    inner(it).click("#user")
    it.bar.wait()
    assert offered(it) == []


def test_S6_frame_below_a_foreign_one_is_asked_about(start, site):
    site.page("/middle", '<iframe name="inner" width="600" height="400" src="https://shiny.example.com/login"></iframe>', host="evil.example.net")
    it = start()
    it.open(outer(site, "shiny.example.com", '<iframe width="700" height="500" src="https://evil.example.net/middle"></iframe>'), focus=None)
    assert "In a page of\nshiny.example.com" in agree(it, inner(it))


def test_S6_frame_of_another_host_of_the_site_is_not_asked_about(start, site):
    it = start()
    it.open(outer(site, "other.example.com"), focus=None)
    frame = inner(it)
    frame.click("#user")
    assert offered(it) == ["password for shiny.example.com\nrmondello"]
    it.tap()
    it.filled(frame)


def test_S14_frame_in_a_page_without_encryption_is_offered_nothing(start, site):
    outer(site)
    it = start()
    it.open("http://evil.example.net/outer", focus=None)
    inner(it).click("#user")
    it.bar.wait()
    assert offered(it) == []
    assert "not delivered securely" in it.bar.texts()[0]


@pytest.mark.parametrize("source", [
    "data:text/html,<form><input id=user><input type=password></form>", "about:blank", "javascript:'x'", "blob:null/0", "file:///etc/hostname",
], ids=["data", "about", "javascript", "blob", "file"])
def test_S9_odd_frames_beside_the_form_do_not_matter(start, site, source):
    it = start()
    page = f'<iframe src="{source}" width="300" height="80"></iframe>' + SIGN_IN
    it.open(site.page("/odd", page))
    it.tap()
    it.filled()


@pytest.mark.parametrize("kind", ["data", "blob"])
def test_S9_form_in_a_frame_without_an_address_of_its_own_gets_nothing(start, site, kind):
    script = """<script>const html = `%s`; const frame = document.querySelector('iframe');
    frame.src = '%s' === 'data' ? 'data:text/html,' + encodeURIComponent(html) : URL.createObjectURL(new Blob([html], {type: 'text/html'}))</script>"""
    it = start()
    it.open(site.page("/odd", '<iframe name="inner" width="700" height="400"></iframe>' + SIGN_IN + script % (SIGN_IN, kind)), focus=None)
    frame = eventually(it.page, lambda: [f for f in it.page.frames if f.url.startswith(kind)], "the frame")[0]
    frame.click("#user")
    it.browser.isolated_world()(NEED)
    it.page.evaluate(FRAMES)
    it.browser.at_rest()
    assert all(offered(it) == [] for _ in it.bar.frames()[:1])
    # The form of the page itself works as ever.
    it.page.click("body > form #user")
    it.tap()
    it.page.wait_for_function("document.querySelector('body > form #password').value")
    assert it.values(frame=frame) == ["", ""]


def test_question_says_whose_password_the_passphrase_is_for(start, site):
    it = start()
    it.latchkey.run("preferences", "set", "--fills", "always")
    it.open("https://shiny.example.com/login")
    prompt = it.browser.window("prompt", it.bar.click)
    prompt.wait_for_selector("#accept:not(.early)")
    assert prompt.inner_text("#title") == "Enter your passphrase to fill rmondello"
    assert prompt.inner_text("#who").startswith("Requested by ")
    # Every list of windows shows its title.
    assert "rmondello" not in prompt.title() and "passphrase" in prompt.title()
    it.accept(prompt, PASSPHRASE)
    it.filled()

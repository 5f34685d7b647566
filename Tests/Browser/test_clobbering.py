# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""S16: fields that are called as what a form or a document has of its own, by accident or to be believed."""

import pytest

from conftest import SIGN_IN
from test_saving import asked

#: What this extension, or any script, may ask an element or a document for.
NAMES = """assignedSlot parentNode parentElement localName tagName matches closest contains elements length attributes children childNodes firstChild
  firstElementChild nextSibling nodeType nodeName id name title method action submit getRootNode getAttribute hasAttribute getAttributeNames
  querySelector querySelectorAll checkVisibility getBoundingClientRect ownerDocument shadowRoot isConnected style namespaceURI""".split()
OF_DOCUMENTS = "title body head forms images activeElement documentElement createTreeWalker createElementNS getElementById visibilityState cookie".split()
FIELDS = "".join(f'<input name="{name}" size="1">' for name in NAMES)
#: What hides it stands above the form: that is what the way up leads to.
HIDDEN = '<div style="opacity: 0"><form id="f" action="/session" method="post">%s</form></div>'
TRAPS = '<p><input class="trap" name="email" autocomplete="username"><input class="trap" type="password" name="again" autocomplete="current-password">'


def press(it, field):
    """Clicks a field where it is; what Playwright asks of a page is called by such names as well."""
    x, y = it.page.evaluate("id => { const { left, top } = window[id].getBoundingClientRect(); return [left + 20, top + 9] }", field)
    it.page.mouse.click(x, y)


@pytest.mark.parametrize("body", [
    "".join(f'<img name="{name}" alt="">' for name in OF_DOCUMENTS) + SIGN_IN,
    "".join(f'<iframe name="{name}" width="20" height="20"></iframe>' for name in OF_DOCUMENTS) + SIGN_IN,
    SIGN_IN.replace("<p><button>", '<input type="hidden" name="id"><input type="hidden" name="action"><input name="title" size="4"><p><button>'),
    SIGN_IN.replace("<p><button>", FIELDS + "<p><button>")], ids=["images", "frames", "usual fields", "fields"])
def test_page_with_such_names_gets_its_bar_and_is_filled(start, site, body):
    it = start()
    it.open(site.page("/named", body), focus=None)
    press(it, "user")
    it.tap()
    it.filled()


def test_what_is_typed_into_such_a_form_is_saved(start, site):
    it = start(accounts=())
    site.page("/session", "<title>Shiny</title>Welcome")
    site.page("/named", SIGN_IN.replace("<p><button>", FIELDS + "<p><button>"))
    it.page.goto("https://shiny.example.com/named")
    for field, words in (("user", "rmondello"), ("password", "typed by hand")):
        press(it, field)
        it.page.keyboard.type(words)
    window = asked(it, lambda: it.page.keyboard.press("Enter"))
    assert window.input_value("#user") == "rmondello"


def filled_traps(it):
    return it.page.evaluate("[...document.querySelectorAll('.trap')].filter((trap) => trap.value).length")


@pytest.mark.parametrize("name", ["assignedSlot", "parentNode", "localName", "matches"])
@pytest.mark.parametrize("where", ["inside", "outside"])
def test_S16_form_that_nobody_sees_stays_empty_whatever_its_fields_are_called(start, site, name, where):
    """The walk up from a field would go on from the one that is called as the way up, past what hides the form, or for ever."""
    it = start(fake=True, everything=True, hidden=True, trusting=True)
    field = f'<input name="{name}" size="4"%s>'
    form = HIDDEN % (TRAPS + (field % "" if where == "inside" else ""))
    body = SIGN_IN + form + ("<p>" + field % ' form="f"' if where == "outside" else "")
    it.open(site.page("/traps", body))
    it.browser.scripts()
    it.bar.click()
    it.page.wait_for_function("document.querySelector('#user').value === 'rmondello'")
    it.browser.round_trip()
    assert filled_traps(it) == 0

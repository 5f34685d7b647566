# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Which sites are offered a password: the host it was saved for, others of its site, those that share accounts; and no other."""

import pytest

from browser import COUNTS, eventually
from conftest import RMONDELLO, SIGN_IN
from latchkey import PASSPHRASE, Account
from test_frames import offered
from test_popup import FOUND
from test_providers import all_passwords
from verdicts import must_hold, nothing_released

GLOSSY = "plain.example.org"


def login(site, host: str) -> str:
    return site.page("/login", SIGN_IN, host=host)


def prompt_of(it, act):
    prompt = it.browser.window("prompt", act)
    prompt.wait_for_selector("#accept:not(.early)")
    return prompt


def passphrase_for(prompt):
    return PASSPHRASE if prompt.locator("#passphrase").is_visible() else None


@pytest.mark.parametrize("saved, page", [
    pytest.param("shiny.example.com", "http://shiny.example.com/login", id="S14 http page of an https item"),
    pytest.param("shiny.example.com", "https://shiny.example.com:8443/login", id="S15 another port"),
    pytest.param("https://shiny.example.com:8443", "https://shiny.example.com/login", id="S15 port of another"),
    pytest.param("a.github.io", "https://b.github.io/login", id="S10 neighbour on a public suffix"),
    pytest.param("a.github.io", "https://github.io/login", id="S10 public suffix itself"),
    pytest.param("shiny.example.com", "https://evilshiny-example.com/login", id="S11 no boundary"),
    pytest.param("example.com", "https://example.com.evil.example.net/login", id="S11 host as prefix"),
])
def test_S10_S11_S14_S15_other_places_are_offered_nothing(start, site, saved, page):
    login(site, page.split("/")[2].split(":")[0])
    it = start([Account(saved, "rmondello", "x")])
    it.open(page)
    it.bar.wait()
    assert offered(it) == []
    assert "rmondello" not in " ".join(it.bar.texts())


def test_S14_nobodys_word_sends_an_https_password_to_http(start, site):
    it = start()
    it.open("http://shiny.example.com/login", focus=None)
    picker = all_passwords(it)
    picker.wait_for_selector(f"{FOUND} [role=option]")
    picker.keyboard.press("Enter")
    picker.wait_for_selector("#note:not([hidden])")
    assert picker.locator("#anyway").is_hidden()
    assert it.values() == ["", ""]


def test_S14_http_password_is_offered_on_https(start, site):
    it = start([Account("http://shiny.example.com", "rmondello", RMONDELLO.password)])
    it.open("https://shiny.example.com/login")
    it.tap()
    it.filled()


def test_S12_another_host_of_the_site_is_below_and_marked(start, site):
    it = start([RMONDELLO, Account("other.example.com", "other", "x"), Account("www.example.com", "strict", "x", strict=True)])
    login(site, "other.example.com")
    it.open("https://other.example.com/login")
    it.bar.wait("#row-1")
    assert offered(it) == ["other.example.com\nother", "shiny.example.com · other host\nrmondello"]
    label = it.bar.wait("#row-1").evaluate("document.querySelector('#row-1').ariaLabel")
    assert label == "rmondello, password for shiny.example.com, saved for another host of this site"
    prompt = prompt_of(it, lambda: it.bar.click(1))
    assert "Saved for\nshiny.example.com" in prompt.inner_text("#facts") and "Site\nother.example.com" in prompt.inner_text("#facts")
    it.accept(prompt, passphrase_for(prompt))
    it.filled()


def test_S12_strict_item_is_offered_to_its_own_host_alone(start, site):
    it = start([Account("shiny.example.com", "rmondello", RMONDELLO.password, strict=True)])
    login(site, "other.example.com")
    it.open("https://other.example.com/login")
    it.bar.wait()
    assert offered(it) == []
    it.open("https://shiny.example.com/login")
    it.bar.wait("#row-0")
    it.latchkey.run("edit", "shiny.example.com", "--no-strict")
    it.open("https://other.example.com/login")
    it.bar.wait("#row-0")


def test_S18_shared_password_is_asked_about_each_time(start, site):
    login(site, GLOSSY)
    it = start(shared=[["example.com", GLOSSY]])
    for _ in range(2):
        it.open(f"https://{GLOSSY}/login")
        it.bar.wait("#row-0")
        assert offered(it) == ["password for shiny.example.com · shared\nrmondello"]
        prompt = prompt_of(it, it.bar.click)
        facts = prompt.inner_text("#facts")
        assert "Saved for\nshiny.example.com" in facts and f"Site\n{GLOSSY}" in facts
        assert f"{GLOSSY} shares its accounts with shiny.example.com." in prompt.inner_text("#details")
        it.accept(prompt, passphrase_for(prompt))
        it.filled()
    lines = it.latchkey.run("audit")
    assert lines.count("shared with shiny.example.com") == 2


def use_anyway(it):
    """From the page to the question whether a password may be used where it was not saved for, by keyboard alone."""
    picker = all_passwords(it)
    picker.wait_for_selector(f"{FOUND} [role=option]")
    picker.keyboard.press("Enter")
    picker.wait_for_selector("#anyway:not([hidden])")
    assert "another host" in picker.inner_text("#note")
    picker.keyboard.press("Tab")
    picker.wait_for_selector("#anyway:focus")
    picker.wait_for_selector(COUNTS)
    return prompt_of(it, lambda: picker.keyboard.press("Enter"))


def test_S19_foreign_password_is_used_once_after_both_names(start, site):
    login(site, GLOSSY)
    it = start()
    it.open(f"https://{GLOSSY}/login", focus=None)
    prompt = use_anyway(it)
    facts = prompt.inner_text("#facts")
    assert "Saved for\nshiny.example.com" in facts and f"Site\n{GLOSSY}" in facts and "rmondello" in facts
    assert prompt.locator("#passphrase").is_visible() and not prompt.is_checked("#keeps")
    it.accept(prompt, PASSPHRASE)
    it.filled()
    it.open(f"https://{GLOSSY}/login")
    it.bar.wait()
    assert offered(it) == []


def test_S18_foreign_password_is_kept_only_where_the_user_says_so(start, site):
    login(site, GLOSSY)
    it = start()
    it.open(f"https://{GLOSSY}/login", focus=None)
    prompt = use_anyway(it)
    prompt.check("#keeps")
    it.accept(prompt, PASSPHRASE)
    it.filled()
    it.open(f"https://{GLOSSY}/login")
    it.bar.wait("#row-0")
    assert offered(it) == [f"password for {GLOSSY}\nrmondello"]
    it.latchkey.run("edit", "shiny.example.com", "--remove-service", GLOSSY)
    it.open(f"https://{GLOSSY}/login")
    it.bar.wait()
    assert offered(it) == []


LOOKALIKES = {
    "a digit for a letter": "shiny.examp1e.com", "one letter left out": "shiny.exmple.com", "two letters exchanged": "shiny.exmaple.com",
    "Cyrillic letters": "xn--shiny-example.com", "host in front": "shiny.example.com.evil.example.net",
}
#: `example` with a Cyrillic a.
LOOKALIKES["Cyrillic letters"] = "shiny." + "ex\u0430mple".encode("idna").decode() + ".com"


@pytest.mark.parametrize("host", [
    pytest.param(host, id=name, marks=[pytest.mark.main] if name == "a digit for a letter" else []) for name, host in LOOKALIKES.items()])
def test_S20_lookalike_is_offered_nothing_and_told_apart(start, site, host):
    login(site, host)
    it = start()
    page = it.open(f"https://{host}/login")
    told = eventually(it.page, lambda: [text for text in it.bar.texts() if "This is not" in text], "the warning")
    assert told == ["This is not shiny.example.com. Nothing is offered here."]
    nothing_released("offered to a lookalike", offered(it))
    # On the toolbar too, where the page can neither see nor cover it.
    popup = it.browser.popup("document.querySelector('#note').textContent.includes('This is not') && document.querySelector('#note').textContent")
    assert popup.shown.startswith("This is not shiny.example.com.")
    badge = popup.evaluate("chrome.tabs.query({active: true, lastFocusedWindow: true}).then(([tab]) => chrome.action.getBadgeText({tabId: tab.id}))")
    assert badge == "!"
    must_hold("This is not" not in page.evaluate("document.body.innerText"), "the page can read the warning")


def test_S20_page_of_another_name_is_no_lookalike(start, site):
    login(site, GLOSSY)
    it = start()
    it.open(f"https://{GLOSSY}/login")
    assert it.bar.texts() == [f"Nothing is saved for {GLOSSY}."]

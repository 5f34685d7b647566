# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""What the user is asked before a password goes to another place than it was saved for, and what of that is remembered."""

import json
import pathlib

import pytest

from installation import PASSPHRASE, BrowserClient, Installation, denied, secret, until
from verdicts import must_hold, nothing_released

SITE = "https://shiny.example.com"
TOP = "https://top.test"
PASSWORD = "hunter2" * 3


def frame_in(*origins):
    """The chain of a form in a frame, the innermost document first."""
    return [{"origin": origin, "document": f"D{number + 1}"} for number, origin in enumerate(origins)]


@pytest.fixture
def ready():
    with Installation() as installation:
        quirks = pathlib.Path(installation.environment["XDG_DATA_HOME"]) / "latchkey/quirks"
        quirks.mkdir(parents=True)
        (quirks / "shared-credentials.json").write_text(json.dumps([{"shared": ["example.com", "glossy.test"]}]))
        installation.start()
        client = installation.unlocked()
        client.call("items.add", items=[
            {"services": ["shiny.example.com"], "user": user, "password": secret(PASSWORD)} for user in ("rmondello", "second")])
        browser = BrowserClient(installation)
        browser.user = lambda shown: (True, PASSPHRASE if shown["kind"] != "confirm" else None)
        browser.client, browser.installation = client, installation
        yield browser
        browser.close()


def rows(browser, *origins):
    session = browser.focus(origins[0], chain=frame_in(*origins))["session"]
    return session, browser.call("renderer.suggestions", session=session)["suggestions"]


def choose(browser, *origins, user="rmondello", surface="popup"):
    _, found = rows(browser, *origins)
    handle = next(row["handle"] for row in found if row["user"] == user)
    return browser.call("renderer.choose", handle=handle, surface=surface, guard={"held": True})


def listed(browser, *origins, user="rmondello"):
    session = browser.focus(origins[0], chain=frame_in(*origins))["session"]
    return next(row for row in browser.call("renderer.list", session=session)["rows"] if row["user"] == user)


def anyway(browser, *origins, surface="window"):
    row = listed(browser, *origins)
    return browser.call("renderer.choose", handle=row["handle"], surface=surface, guard={"held": True}, anyway=True)


def refused(browser, act, code=6):
    return denied(code, act)


def filled(answer):
    return {fill["role"]: fill["value"]["secret"] for fill in answer["fills"]}["current-password"] == PASSWORD


def test_S6_a_frame_in_a_page_of_another_site_is_asked_about_once(ready):
    ready.client.prefer(authentication="never")
    for _ in range(2):
        assert filled(choose(ready, SITE, TOP))
    (shown,) = ready.presented
    assert (shown["kind"], shown["site"], shown["top"], shown["user"]) == ("confirm", SITE, TOP, "rmondello")


@pytest.mark.main
def test_S7_a_yes_counts_for_one_page_one_frame_and_one_account(ready):
    places = [((SITE, TOP), "rmondello"), ((SITE, TOP), "second"), ((SITE, "https://other.test"), "rmondello"),
              (("https://www.example.com", TOP), "rmondello"), ((SITE, TOP + ":8443"), "rmondello")]
    for origins, user in places + places:
        assert filled(choose(ready, *origins, user=user))
    must_hold(len(ready.presented) == len(places), f"a yes counted for another place: {ready.presented}")
    consents = ready.client.call("consents.list")["consents"]
    assert [(c["kind"], c["origin"], c["top"], c["user"]) for c in reversed(consents)] == [
        ("frame", origins[0], origins[1], user) for origins, user in places]


def test_S7_a_yes_outlives_a_restart_and_is_taken_back_by_the_command_line(ready):
    assert filled(choose(ready, SITE, TOP))
    installation = ready.installation
    until(lambda: json.loads(installation.latchkey("consents", "list", "--json").stdout))
    ready.close()
    installation.latchkey("daemon", "stop")
    installation.start()
    installation.latchkey("unlock", "--passphrase-file", "-", input=PASSPHRASE.encode())
    browser = BrowserClient(installation)
    browser.user = ready.user
    assert filled(choose(browser, SITE, TOP)) and browser.presented == []
    (consent,) = json.loads(installation.latchkey("consents", "list", "--json").stdout)
    assert (consent["top"], consent["origin"], consent["service"]) == (TOP, SITE, "shiny.example.com")
    assert installation.latchkey("consents", "forget", "0123456789abcdef", check=False).returncode != 0
    assert installation.latchkey("consents", "forget", check=False).returncode == 64
    installation.latchkey("consents", "forget", consent["id"])
    assert installation.latchkey("consents", "list").stdout == b""
    assert filled(choose(browser, SITE, TOP)) and len(browser.presented) == 1
    browser.close()


def test_S6_a_no_is_remembered_for_the_moment(ready):
    ready.user = lambda shown: (False, None)
    refused(ready, lambda: choose(ready, SITE, TOP), 9)
    # Another frame of the same page may not ask at once either.
    refused(ready, lambda: choose(ready, "https://www.example.com", TOP), 5)
    assert len(ready.presented) == 1
    assert ready.client.call("consents.list")["consents"] == []


@pytest.mark.main
def test_S6_a_page_around_the_frame_that_changed_gets_nothing(ready):
    ready.user = lambda shown: (ready.documents.update(D1=frame_in(SITE, "https://other.test")) or True, None)
    refused(ready, lambda: choose(ready, SITE, TOP))


@pytest.mark.main
def test_S18_a_shared_password_is_asked_about_each_time(ready):
    ready.client.prefer(authentication="never")
    for _ in range(2):
        _, found = rows(ready, "https://glossy.test")
        assert {(row["relation"], row["savedFor"]) for row in found} == {("shared", "shiny.example.com")}
        assert filled(choose(ready, "https://glossy.test"))
    assert [(shown["site"], shown["savedFor"]) for shown in ready.presented] == [("https://glossy.test", "shiny.example.com")] * 2
    assert ready.client.call("consents.list")["consents"] == []
    lines = ready.client.call("audit.list")["lines"]
    assert all("shared with shiny.example.com" in line["reason"] for line in lines if line["event"] == "released")


@pytest.mark.main
def test_S12_a_strict_item_is_offered_to_its_own_host_alone(ready):
    assert [row["relation"] for row in rows(ready, "https://www.example.com")[1]] == ["sameSite", "sameSite"]
    for item in ready.client.call("items.list")["items"]:
        edited = ready.client.call("items.edit", id=item["id"], strict=True)["item"]
        assert edited["strict"] is True
    for place in ("https://www.example.com", "https://glossy.test"):
        nothing_released(f"rows for {place}", rows(ready, place)[1])
    assert len(rows(ready, SITE)[1]) == 2
    assert all(item["strict"] for item in ready.client.call("items.list")["items"])


@pytest.mark.main
def test_S19_a_foreign_password_takes_both_names_and_the_passphrase(ready):
    for _ in range(2):
        assert filled(anyway(ready, "https://unrelated.test"))
        nothing_released("rows for a site of nobody's", rows(ready, "https://unrelated.test")[1])
    assert [(shown["kind"], shown["site"], shown["savedFor"]) for shown in ready.presented] == [
        ("foreign", "https://unrelated.test", "shiny.example.com")] * 2


@pytest.mark.main
def test_S19_a_foreign_password_is_used_from_the_window_of_all_passwords_alone(ready):
    for surface in ("bar", "popup"):
        refused(ready, lambda: anyway(ready, "https://unrelated.test", surface=surface))
    row = listed(ready, "https://unrelated.test")
    refused(ready, lambda: ready.call("renderer.choose", handle=row["handle"], surface="window", guard={"held": True}))
    assert ready.presented == []


@pytest.mark.main
def test_S19_there_is_no_word_for_http_opaque_and_insecure_pages(ready):
    for origins in [
        ("http://shiny.example.com",), ("http://unrelated.test",), ("null",), (SITE, "null"), (SITE, "http://top.test"),
        ("https://unrelated.test", "http://top.test"),
    ]:
        row = listed(ready, *origins)
        nothing_released(f"ways to fill {origins}", row["fills"], row.get("handle"), row.get("anyway"))


@pytest.mark.main
def test_S18_only_also_use_here_keeps_the_place(ready):
    anyway(ready, "https://unrelated.test")
    ready.user = lambda shown: (True, PASSPHRASE, {"keep": True})
    anyway(ready, "https://kept.test")
    services = {item["user"]: item["services"] for item in ready.client.call("items.list")["items"]}
    must_hold("unrelated.test" not in services["rmondello"], "a place was kept without the user's word")
    assert services == {"rmondello": ["shiny.example.com", "kept.test"], "second": ["shiny.example.com"]}
    assert [row.get("relation") for row in rows(ready, "https://kept.test")[1]] == [None]


def test_S18_a_yes_to_something_else_keeps_no_place(ready):
    """Who answers a question that offers no such thing cannot have a place kept by it."""
    ready.user = lambda shown: (True, None, {"keep": True})
    assert filled(choose(ready, SITE, TOP))
    kept = [item for item in ready.client.call("items.list")["items"] if item["services"] != ["shiny.example.com"]]
    must_hold(not kept, f"a place was kept without the user's word: {kept}")


@pytest.mark.main
def test_S20_a_lookalike_is_told_apart_and_offered_nothing(ready):
    session = ready.focus("https://shiny.examp1e.com")["session"]
    answer = ready.call("renderer.suggestions", session=session)
    nothing_released("rows for a lookalike", answer["suggestions"])
    assert answer["lookalike"] == "shiny.example.com"
    session = ready.focus("https://unrelated.test")["session"]
    assert "lookalike" not in ready.call("renderer.suggestions", session=session)
    # Who insists is told so once more.
    anyway(ready, "https://shiny.examp1e.com")
    assert any("This is not shiny.example.com" in reason for reason in ready.presented[-1]["reasons"])


def test_rule_1_a_page_learns_the_same_of_other_hosts_shared_sites_frames_and_lookalikes(ready):
    def learned(*origins):
        answer = ready.focus(origins[0], chain=frame_in(*origins))
        return {name: value for name, value in answer.items() if name != "session"}

    places = [(SITE,), ("https://www.example.com",), ("https://glossy.test",), ("https://shiny.examp1e.com",), (SITE, TOP), ("https://none.test", TOP)]
    told = {json.dumps(learned(*place), sort_keys=True) for place in places}
    must_hold(len(told) == 1, f"a page learns where something is saved: {told}")

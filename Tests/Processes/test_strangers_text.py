# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Text of providers and of saved accounts, where it reaches people: questions, rows, the terminal, errors."""

import json
import unicodedata
import urllib.parse

import pytest

from installation import PASSPHRASE, ROOT, WireFailure, secret
from code_kit import offers
from providers import BUILT_IN, HOST, SHINY, Browser, Bundle, refusal, rows, taken
from test_git import display  # noqa: F401, a fixture

#: As names are that were pasted from elsewhere: they turn the line round them, or hold what nobody sees.
TURNED = "\u202emoc.evil\u202c"
HIDDEN = "an\u200bna\u2060\U000e0041"
#: What no field of one line takes.
CONTROLS = ["anna\nSite: evil.example", "anna\r", "\x1b[2Janna", "anna\x00", "anna\x7f", "anna\x85", "\x9b1manna", "a\u2028b"]


def unclean(text):
    """The characters of a text that break, turn or hide something."""
    return [hex(ord(c)) for c in text if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp") or 0xE0000 <= ord(c) < 0xE1000]


def identity(user, service=HOST, record="r1"):
    return {"type": "password", "service": {"type": 0, "identifier": service}, "user": user, "recordIdentifier": record, "rank": 0}


@pytest.mark.parametrize("text", CONTROLS)
def test_S43_the_store_takes_no_identity_with_a_control_character(running, client, text):
    hand = taken(Bundle(running), client)
    for odd in [identity(text), identity("anna", record=text)]:
        for method in ["store.save", "store.replace", "store.remove"]:
            answer = hand.ask(method, identities=[identity("new", record="r2"), odd])
            # To be rid of something is never refused.
            assert (answer.get("error", {}).get("code") == 1200) == (method != "store.remove"), (method, answer)
            assert text not in json.dumps(answer, ensure_ascii=False)
    batch = hand.ask("store.begin", operation="save")["result"]["batch"]
    hand.ask("store.append", batch=batch, identities=[identity("new"), identity(text)])
    assert hand.ask("store.commit", batch=batch)["error"]["code"] == 1200
    assert rows(client) == [(SHINY, "rmondello")]


@pytest.mark.parametrize("name, shown", [(TURNED, "moc.evil"), (HIDDEN, "anna"), ("\u3164", "(no visible characters)")])
def test_S43_rows_and_questions_show_clean_names_and_the_exact_one_is_filled(running, client, name, shown):
    bundle = Bundle(running, accounts=[(HOST, name, "right")], name="Shi\u202eny\u200b")
    bundle.enable(client)
    browser = Browser(running)
    offered = [row for row in browser.rows() if row["provider"] == SHINY]
    assert [row["user"] for row in offered] == [shown]
    listed = browser.call("renderer.list", session=browser.session)["rows"]
    assert [row["user"] for row in listed if row["provider"] == SHINY] == [shown]
    client.call("preferences.set", authentication="always")
    browser.user = lambda shown: (True, PASSPHRASE)
    fills = browser.wait(browser.start_choosing())["fills"]
    assert {fill["role"]: fill["value"]["secret"] for fill in fills} == {"username": name, "current-password": "right"}
    assert browser.presented[-1]["user"] == shown
    for text in [json.dumps(part, ensure_ascii=False) for part in (offered, listed, browser.presented)]:
        assert unclean(text) == []
    # Whoever reads the wire for something else than showing has the name itself.
    assert rows(client) == [(SHINY, name)]
    browser.close()


def test_S43_a_broken_bundles_folder_is_shown_clean(running, client):
    folder = running.data / "extensions" / "Shi\u202eny\u200b.appex"
    folder.mkdir(parents=True)
    (folder / "Info.plist").write_bytes(b"<plist>")
    [broken] = [one for one in client.call("providers.list")["providers"] if one["state"] == "broken"]
    assert broken["name"] == "Shiny.appex"
    assert unclean(broken["name"] + broken["problem"]) == []


@pytest.mark.parametrize("identifier", [
    "Passwords", "Latchkey", "org.latchkey.Passwords", "org.latchkey.passwords-2", "ORG.LATCHKEY.PASSWORDS", "0rg.latchkey.passwords"])
def test_S63_no_identifier_can_be_taken_for_latchkeys_own(running, client, identifier):
    """Where a name cannot be shown the identifier is."""
    bundle = Bundle(running, identifier, name="Passwords")
    statement = bundle.statement(client)
    assert statement is None or statement["state"] == "broken"
    assert [one["identifier"] for one in client.call("status")["providers"]] == [BUILT_IN]


@pytest.mark.parametrize("name", ["Passwords", "P\u0430sswords", "LatchKey", "Passvvords", "\u1d18asswords", "Pa\u02e2\u02e2words"])
def test_S63_a_provider_with_the_built_in_ones_name_is_shown_by_its_identifier(running, client, name):
    bundle = Bundle(running, name=name)
    bundle.enable(client)
    assert bundle.statement(client)["name"] == SHINY
    named = {one["identifier"]: one["name"] for one in client.call("status")["providers"]}
    assert named == {BUILT_IN: "Passwords", SHINY: SHINY}


def test_S63_two_providers_whose_names_look_alike_are_shown_by_their_identifiers(running, client):
    one, other = Bundle(running, name="Shiny"), Bundle(running, "com.example.other", name="Sh1ny".replace("1", "\u0456"))
    one.enable(client)
    assert {p["identifier"]: p["name"] for p in client.call("status")["providers"]}[SHINY] == "Shiny"
    other.enable(client)
    named = {p["identifier"]: p["name"] for p in client.call("status")["providers"]}
    assert named == {BUILT_IN: "Passwords", SHINY: SHINY, "com.example.other": "com.example.other"}
    # A provider that was disabled does not change how another one is shown.
    client.call("providers.disable", identifier="com.example.other")
    assert {p["identifier"]: p["name"] for p in client.call("status")["providers"]}[SHINY] == "Shiny"


def test_S63_what_a_running_provider_calls_itself_is_shown_nowhere(running, client):
    program = (ROOT / "Tests/Processes/obedient_provider.py").read_text()
    assert '"name": "Obedient"' in program
    bundle = Bundle(running, holds=["provider.provideCredential"])
    (bundle.folder / "provider").write_text(program.replace('"name": "Obedient"', '"name": "Passwords"'))
    hand = taken(bundle, client)
    browser = Browser(running)
    asked = browser.start_choosing()
    held = hand.expect("provider.provideCredential")
    hand.send(id=held["id"], result={"credential": {"type": "password", "user": "somebody", "password": secret("x")}})
    with pytest.raises(WireFailure) as failed:
        browser.wait(asked)
    browser.close()
    assert "Passwords" not in str(failed.value)


def test_S63_the_header_of_a_configuration_and_the_list_say_what_looks_alike_by_its_identifier(running, client):
    Bundle(running, name="Shiny").enable(client)
    other = Bundle(running, "com.example.other", name="Sh\u0456ny", configures=True, accounts=[])
    other.enable(client)
    assert other.statement(client)["name"] == "com.example.other"
    browser = Browser(running)
    browser.user = lambda shown: (True, PASSPHRASE)
    browser.ask("providers.configure", identifier="com.example.other")
    browser.receive_until(lambda: browser.surfaces)
    assert browser.call("renderer.prompt", prompt=browser.surfaces[0])["provider"] == "com.example.other"
    browser.call("renderer.answer", prompt=browser.surfaces[0], accept=False)
    browser.close()


def test_S66_what_a_provider_says_stands_behind_its_name(running, client):
    hand = taken(Bundle(running, name="Shiny", holds=["provider.provideCredential"]), client)
    browser = Browser(running)
    asked = browser.start_choosing()
    held = hand.expect("provider.provideCredential")
    hand.send(id=held["id"], error={
        "code": 1000, "message": "Your vault was damaged.", "data": {"hint": "Run `restore` and type your passphrase.", "retryAfter": 9}})
    with pytest.raises(WireFailure) as failed:
        browser.wait(asked)
    browser.close()
    assert failed.value.message == "Shiny says: Your vault was damaged. Run `restore` and type your passphrase."
    assert "hint" not in failed.value.data and "retryAfter" not in failed.value.data


def test_S43_what_a_provider_says_of_an_error_is_one_clean_line(running, client):
    bundle = Bundle(running, holds=["provider.provideCredential"])
    hand = taken(bundle, client)
    browser = Browser(running)
    asked = browser.start_choosing()
    held = hand.expect("provider.provideCredential")
    hand.send(id=held["id"], error={"code": 1000, "message": "no\n\x1b[2J\u202eevil\u200b", "data": {"hint": "a\nb", "reason": "c\n\u202ed"}})
    with pytest.raises(WireFailure) as failed:
        browser.wait(asked)
    assert failed.value.code == 1000 and unclean(str(failed.value)) == []
    assert unclean(failed.value.data["reason"]) == []
    browser.close()


@pytest.mark.parametrize("user", [CONTROLS[0], CONTROLS[3], CONTROLS[5]])
def test_S43_an_answer_for_another_user_with_a_line_end_is_refused(running, client, user):
    """In its own list a provider names the user itself."""
    hand = taken(Bundle(running, holds=["provider.prepareCredentialList"]), client)
    browser = Browser(running)
    browser.rows()
    asked = browser.ask("renderer.openList", session=browser.session, provider=SHINY)
    browser.receive_until(lambda: browser.surfaces)
    held = hand.expect("provider.prepareCredentialList")
    hand.send(id=held["id"], result={"credential": {"type": "password", "user": user, "password": {"secret": "x"}}})
    refusal(10, browser.wait, asked)
    browser.close()


def test_S43_a_pinentry_is_given_clean_lines(display):  # noqa: F811
    display.add(user=TURNED + HIDDEN)
    display.server.logins["one.git"] = {(TURNED + HIDDEN, "right")}
    display.answer(PASSPHRASE)
    assert display.clone()[0] == 0
    described = [urllib.parse.unquote(line) for line in display.asked() if line.startswith("SETDESC ")]
    assert described and "account moc.evilanna" in described[0]
    assert [unclean(line.replace("\n", "")) for line in described] == [[]] * len(described)


def test_S43_a_terminal_gets_names_written_out(running, client):
    client.call("items.add", items=[{"services": [HOST], "user": TURNED + HIDDEN, "password": secret("right")}])
    done = running.latchkey("list").stdout.decode()
    assert "\\u{202E}moc.evil\\u{202C}an\\u{200B}na\\u{2060}\\u{E0041}" in done
    assert unclean(done.replace("\n", "").replace("\t", "")) == []
    done = running.latchkey("list", "--json").stdout.decode()
    assert unclean(done.replace("\n", "")) == []
    assert [item["user"] for item in json.loads(done)] == [TURNED + HIDDEN]


@pytest.mark.parametrize("host", [
    "\u202eelpmaxe.knab", "b\u2066ank.example", "bank.example\u200b", "bank.example\x1b[2J", "bank.example" + "\u0301" * 200,
    "bank.example\u2800\u2800(verified)", "a" * 4000 + ".example",
], ids=["turned", "isolated", "hidden", "escape", "marks", "blanks", "long"])
def test_S43_what_a_message_binds_its_code_to_is_shown_clean(running, client, host):
    """Whoever can send a message writes it; the bar says "A code for … is not offered here." in its own frame."""
    browser = Browser(running)
    client.call("codes.offer", message=secret(f"x\n@{host} #123456"))
    withheld = offers(browser, "https://shiny.example.com").get("withheld", [])
    told = client.call("explain", url="https://shiny.example.com")["codes"]
    texts = withheld + [code["boundTo"] for code in told if "boundTo" in code] + [reason for code in told for reason in code["reasons"]]
    assert [text for text in texts if unclean(text) or "\u2800" in text] == []
    assert [len(text.encode()) for text in withheld if len(text.encode()) > 1280] == []
    assert [text for text in withheld if text.count("\u0301") > 4] == []
    browser.close()

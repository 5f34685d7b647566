# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""`latchkey explain`: every reason for what is and is not offered, with a daemon and without one."""

import json

import pytest

from installation import secret

SITE = "https://shiny.example.com"


def explain(installation, *arguments):
    done = installation.latchkey("explain", *arguments, "--json")
    assert done.stderr == b""
    return json.loads(done.stdout)


def offline(installation, url, *saved, frames=()):
    arguments = [part for value in saved for part in ("--saved", value)]
    arguments += [part for value in frames for part in ("--frame", value)]
    return explain(installation, "--offline", url, *arguments)


def decisions(answer):
    return {candidate["service"]: candidate["decision"] for candidate in answer["candidates"]}


def test_offline_needs_neither_daemon_nor_vault(installation):
    answer = offline(installation, SITE + "/login", "shiny.example.com", "www.example.com", "evil.test")
    assert decisions(answer) == {"shiny.example.com": "exact", "www.example.com": "sameSite", "evil.test": "refused"}
    assert answer["page"]["site"] == "example.com" and answer["page"]["publicSuffix"] == "com"
    assert all(candidate["reasons"] for candidate in answer["candidates"])
    assert answer["rules"]["suffixListDate"] > 0
    assert not installation.socket.exists()


@pytest.mark.parametrize(
    "url, origin, words",
    [
        ("https://me:secret@shiny.example.com/", SITE, "user information"),
        ("HTTPS://SHINY.Example.COM", SITE, "capitals"),
        ("https://shiny.example.com:443/", SITE, "443"),
        ("https:\\\\shiny.example.com\\x", SITE, "backslash"),
        ("https://0x7f.1/", "https://127.0.0.1", "127.0.0.1"),
        ("https://shiny.example.com./", SITE, "reads shiny.example.com"),
        ("https://bücher.example/", "https://xn--bcher-kva.example", "beyond ASCII"),
        ("shiny.example.com", SITE, "without a scheme"),
    ],
)
def test_S20_what_reading_a_url_changed_is_said(installation, url, origin, words):
    (document,) = offline(installation, url)["page"]["documents"]
    assert document["origin"] == origin and words in " ".join(document["notes"])
    assert "secret" not in json.dumps(document["notes"])


@pytest.mark.parametrize("url", ["", "about:blank", "data:text/html,x", "file:///etc/passwd", "javascript:1", "https://", "https://a b"])
def test_what_is_no_origin_is_answered_all_the_same(installation, url):
    answer = offline(installation, url, "shiny.example.com")
    assert answer["refusal"] and answer["page"]["documents"][0]["origin"] is None and answer["candidates"] == []


def test_S6_a_frame_says_what_is_asked_first(installation):
    answer = offline(installation, "https://top.test", "shiny.example.com", frames=[SITE])
    (candidate,) = answer["candidates"]
    assert candidate["decision"] == "exact" and candidate["consent"]
    insecure = offline(installation, "http://top.test", "shiny.example.com", frames=[SITE])
    assert insecure["refusal"] or insecure["candidates"][0]["decision"] == "refused"


def test_S14_and_S15_say_their_reasons(installation):
    for url in ("http://shiny.example.com", SITE + ":8443"):
        (candidate,) = offline(installation, url, "shiny.example.com")["candidates"]
        assert candidate["decision"] == "refused" and len(candidate["reasons"]) >= 2


def test_S20_a_lookalike_is_named(installation):
    answer = offline(installation, "https://shiny.examp1e.com", "shiny.example.com")
    assert answer["candidates"][0]["offered"] is False
    assert answer["lookalike"] and "This is not" in answer["lookalike"]


def test_with_a_daemon_everything_near_is_explained(running):
    client = running.unlocked()
    for service, user in [("shiny.example.com", "me"), ("other.example.com", "you"), ("example.org", "far"), ("b.test", "no")]:
        client.call("items.add", items=[{"services": [service], "user": user, "password": secret("canary-explain")}])
    answer = explain(running, SITE)
    assert decisions(answer) == {"shiny.example.com": "exact", "other.example.com": "sameSite", "example.org": "refused"}
    assert [candidate["offered"] for candidate in answer["candidates"]] == [True, True, False]
    assert answer["providers"][0]["enabled"] is True and answer["state"] == "ready"
    assert "canary-explain" not in json.dumps(answer)
    assert answer["candidates"][0]["releasedBefore"] is False
    text = running.latchkey("explain", SITE).stdout.decode()
    assert "offered: shiny.example.com, me" in text and "not offered: example.org, far" in text
    client.prefer(autoFill=False)
    assert all(not candidate["offered"] for candidate in explain(running, SITE)["candidates"])


def test_S27_while_locked_nothing_that_is_saved_is_told(running):
    client = running.unlocked()
    client.call("items.add", items=[{"services": ["shiny.example.com"], "user": "me", "password": secret("x" * 9)}])
    client.call("lock")
    answer = explain(running, SITE)
    assert answer["state"] == "locked" and answer["candidates"] == [] and answer["providers"] == []
    assert "me" not in running.latchkey("explain", SITE).stdout.decode().split()


def test_an_app_is_explained_too(running):
    running.unlocked()
    answer = explain(running, "--app", "9JA89QQLNQ.com.example.nobody")
    assert answer["app"]["hosts"] == [] and answer["candidates"] == []
    text = running.latchkey("explain", "--app", "9JA89QQLNQ.com.example.nobody").stdout.decode()
    assert "no site has confirmed it" in text


@pytest.mark.parametrize(
    "arguments",
    [[], [SITE, "--app", "x"], [SITE, "--saved", "a.test"], ["--app", "x", "--frame", SITE], [SITE, "--strict"]],
)
def test_what_is_no_question_is_a_mistake_of_usage(installation, arguments):
    assert installation.latchkey("explain", *arguments, check=False).returncode == 64


def test_what_is_shown_moves_nothing_on_a_terminal(installation):
    done = installation.latchkey("explain", "--offline", "https://a.test/\x1b[2J", "--saved", "\u202eevil\x1b]0;x\x07")
    assert b"\x1b" not in done.stdout and "\u202e".encode() not in done.stdout

# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""The worked example's service: what its pages say, what its API does, and how it fails when it is told to."""

import http.client
import html
import json
import re
import urllib.parse

import pytest

from shiny_accounts import APP, CLIENT, ISSUER, PROGRAM, RETURN, ShinyAccounts, code

pytestmark = [
    pytest.mark.soak,
    pytest.mark.skipif(not PROGRAM.exists(), reason="the examples were not built (LATCHKEY_EXAMPLES=1)"),
]
WEAK, STRONG = "hunter2", "Shiny-and-Strong-9876"
KEY = bytes(range(20))


@pytest.fixture(scope="module")
def shiny(tmp_path_factory):
    with ShinyAccounts(tmp_path_factory.mktemp("shiny")) as service:
        yield service


@pytest.fixture
def user(shiny, request):
    """An account of the test's own, with a weak password."""
    name = re.sub(r"\W", "-", request.node.name)
    shiny.add(name, WEAK)
    return name


def form(**fields):
    return urllib.parse.urlencode(fields)


def posted(shiny, path, **fields):
    status, _, text = shiny.ask("POST", path, form(**fields), kind="application/x-www-form-urlencoded")
    return status, text


def inputs(text):
    """The fields of a form that posts itself."""
    return {html.unescape(name): html.unescape(value) for name, value in re.findall(r'name="([^"]*)" value="([^"]*)"', text)}


@pytest.mark.parametrize(
    "path, wanted",
    [
        ("/login", {"user": "username", "password": "current-password"}),
        ("/account/password", {"user": "username", "current": "current-password", "new": "new-password", "again": "new-password"}),
    ],
)
def test_pages_say_what_their_fields_are(shiny, path, wanted):
    _, _, text = shiny.ask("GET", path)
    tags = {tag: kind for tag, kind in re.findall(r'id="(\w+)"[^>]*autocomplete="([a-z-]+)"', text)}
    assert wanted.items() <= tags.items()
    assert ("passwordrules=" in text) == (path == "/account/password")


def test_wellknown_places(shiny):
    status, headers, _ = shiny.ask("GET", "/.well-known/change-password")
    assert (status, {k.lower(): v for k, v in headers.items()}["location"]) == (302, "/account/password")
    # W3C: what is not there has to be told apart from what is.
    assert shiny.ask("GET", "/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200")[0] == 404
    assert json.loads(shiny.ask("GET", "/.well-known/apple-app-site-association")[2]) == {"webcredentials": {"apps": [APP]}}


def test_people_sign_in_and_change_their_password(shiny, user):
    assert "Signed in as" in posted(shiny, "/session", username=user, password=WEAK)[1]
    status, text = posted(shiny, "/session", username=user, password="<script>")
    assert status == 401 and "not right" in text and "<script>" not in text
    change = dict(username=user, password=WEAK, newPassword=STRONG, again=STRONG)
    assert posted(shiny, "/account/password", **{**change, "again": "other"})[0] == 400
    assert posted(shiny, "/account/password", **{**change, "password": "wrong"})[0] == 401
    assert posted(shiny, "/account/password", **{**change, "newPassword": "short", "again": "short"})[0] == 422
    assert posted(shiny, "/account/password", **change)[0] == 200
    assert shiny.takes(user, STRONG) and not shiny.takes(user, WEAK)


def test_a_page_asks_for_the_second_factor(shiny):
    shiny.add("careful", WEAK, KEY)
    status, text = posted(shiny, "/session", username="careful", password=WEAK)
    assert status == 200 and 'autocomplete="one-time-code"' in text and WEAK not in text
    ticket = inputs(text)["ticket"]
    assert posted(shiny, "/session/code", ticket="made up", code=code(KEY))[0] == 400
    status, text = posted(shiny, "/session/code", ticket=ticket, code="000000x")
    assert status == 403
    assert posted(shiny, "/session/code", ticket=ticket, code=code(KEY))[0] == 400, "a ticket is good once"
    assert "Signed in as" in posted(shiny, "/session/code", ticket=inputs(text)["ticket"], code=code(KEY))[1]


def test_the_api_refuses_with_reasons(shiny, user):
    shiny.add("factor", WEAK, KEY)
    ask = lambda **members: shiny.post("/api/password", **{"user": user, "password": WEAK, "newPassword": STRONG, **members})
    for members, status, reason in [
        ({"password": "wrong"}, 401, "wrongCredentials"), ({"user": "nobody"}, 401, "wrongCredentials"),
        ({"password": None, "token": "made up"}, 401, "wrongCredentials"), ({"newPassword": "weak"}, 422, "policy"),
        ({"newPassword": None}, 400, "malformed"), ({"user": 7}, 400, "malformed"),
        ({"user": "factor"}, 403, "codeRequired"), ({"user": "factor", "code": "123"}, 403, "wrongCode"),
    ]:
        answer = ask(**members)
        assert (answer[0], answer[1]["error"]) == (status, reason), members
    assert shiny.takes(user, WEAK)
    assert ask(user="factor", code=code(KEY)) == (200, {})
    assert ask(user="factor", password=STRONG, newPassword=STRONG + "1", code=code(KEY))[1]["error"] == "wrongCode"
    token = shiny.post("/api/session", user=user, password=WEAK)[1]["token"]
    assert ask(password=None, token=token) == (200, {})
    assert shiny.takes(user, STRONG)


def test_it_fails_as_it_is_told_to(shiny, user):
    change = dict(user=user, password=WEAK, newPassword=STRONG)
    shiny.post("/test/trouble", kind="down", times=1)
    assert shiny.post("/api/password", **change)[0] == 503
    assert shiny.takes(user, WEAK)
    shiny.post("/test/trouble", kind="cut", times=1)
    with pytest.raises((http.client.IncompleteRead, ConnectionError)):
        shiny.post("/api/password", **change)
    assert shiny.takes(user, STRONG), "it was done all the same"


def authorize(shiny, choice="continue", email=None, **changes):
    asked = {
        "client_id": CLIENT, "redirect_uri": RETURN, "response_type": "code id_token", "response_mode": "form_post",
        "state": "st4te", "nonce": "n0nce", **changes,
    }
    status, _, page = shiny.ask("GET", "/auth/authorize?" + form(**asked), host=ISSUER)
    if status != 200:
        return status, None
    fields = {k: v for k, v in inputs(page).items() if k in ("client_id", "redirect_uri", "state", "nonce")}
    answer = posted(shiny, "/auth/authorize", choice=choice, email=email or "johnny@example.com", **fields)[1]
    assert f'action="{RETURN}"' in answer
    return status, inputs(answer)


def test_the_issuer_answers_its_client_only(shiny):
    for changes in [
        {"client_id": "com.example.other"}, {"redirect_uri": "https://evil.example.net/"}, {"response_mode": "query"},
        {"response_type": "code"},
    ]:
        assert authorize(shiny, **changes)[0] == 400, changes
    assert authorize(shiny, choice="cancel")[1] == {"error": "user_cancelled_authorize", "state": "st4te"}


def test_an_account_is_converted_once_with_what_the_issuer_gave(shiny, user):
    _, fields = authorize(shiny, email=f"{user}@example.com")
    assert fields["state"] == "st4te" and json.loads(fields["user"])["name"]["firstName"] == "Johnny"
    token = shiny.post("/api/session", user=user, password=WEAK)[1]["token"]
    convert = dict(user=user, token=token, authorizationCode=fields["code"], identityToken=fields["id_token"], nonce="n0nce")
    for changes in [{"nonce": "other"}, {"identityToken": "a.b.c"}, {"token": "made up"}]:
        assert shiny.post("/api/apple", **{**convert, **changes})[0] == 401, changes
    fresh = authorize(shiny, email=f"{user}@example.com")[1]
    convert |= {"authorizationCode": fresh["code"], "identityToken": fresh["id_token"]}
    assert shiny.post("/api/apple", **convert) == (200, {})
    assert not shiny.takes(user, WEAK) and shiny.post("/test/method", user=user)[1] == {"method": "apple"}
    shiny.add("another", WEAK)
    token = shiny.post("/api/session", user="another", password=WEAK)[1]["token"]
    assert shiny.post("/api/apple", **{**convert, "user": "another", "token": token})[0] == 401, "the code is spent"

# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""What an identity provider answers, read by `latchkey-fetch`: the issuer of the worked example over TLS, right and wrong."""

import json
import subprocess

import pytest

from installation import BINARIES
from shiny_accounts import CLIENT, HOST, ISSUER, PROGRAM, ShinyAccounts
from test_shiny_accounts import authorize

pytestmark = [
    pytest.mark.soak,
    pytest.mark.skipif(not PROGRAM.exists(), reason="the examples were not built (LATCHKEY_EXAMPLES=1)"),
]


@pytest.fixture(scope="module")
def shiny(tmp_path_factory):
    with ShinyAccounts(tmp_path_factory.mktemp("shiny")) as service:
        yield service


@pytest.fixture
def fields(shiny):
    """What the browser posts when somebody has agreed; the issuer errs as the test says."""

    def post(flaw=None, **changes):
        shiny.post("/test/issuer", **({"flaw": flaw} if flaw else {}))
        try:
            return {**authorize(shiny)[1], **changes}
        finally:
            shiny.post("/test/issuer")

    return post


def read(shiny, fields, configuration=None, **changes):
    """What latchkey-fetch makes of it."""
    place = f"127.0.0.1:{shiny.tls_port}"
    request = {"issuer": f"https://{ISSUER}", "client": CLIENT, "nonce": "n0nce", "fields": fields, **changes}
    envelope = {
        "job": "sign-in", "request": request,
        "configuration": configuration or {
            "roots": shiny.authority.root.read_text(), "resolve": {f"{ISSUER}:443": place, f"{HOST}:443": place}},
    }
    done = subprocess.run(
        [BINARIES / "latchkey-fetch"], input=json.dumps(envelope).encode(), capture_output=True, timeout=120)
    assert done.returncode == 0 and done.stderr == b"", done
    return json.loads(done.stdout)["result"]


def test_what_the_issuer_signed_is_believed(shiny, fields):
    posted = fields()
    answer = read(shiny, posted)
    assert answer["user"].startswith("000042.") and answer["email"] == "johnny@example.com"
    assert (answer["code"], answer["token"]) == (posted["code"], posted["id_token"])
    assert "refusal" not in answer and "unreachable" not in answer
    # The name is told the first time only.
    assert answer.get("givenName") in ("Johnny", None)


@pytest.mark.parametrize(
    "flaw, word",
    [
        ("audience", "another app"), ("issuer", "another issuer"), ("nonce", "another request"), ("expired", "expired"),
        ("key", "signature"), ("unsigned", "no way that is accepted"),
    ],
)
def test_what_it_got_wrong_is_refused(shiny, fields, flaw, word):
    answer = read(shiny, fields(flaw))
    assert word in answer["refusal"] and set(answer) == {"refusal"}


def test_what_others_put_together_is_refused(shiny, fields):
    good = fields()
    for changed in [
        {**good, "id_token": good["id_token"][:-2] + "AA"}, {**good, "code": ""}, {k: v for k, v in good.items() if k != "code"},
        {"error": "user_cancelled_authorize", "state": "st4te"}, {},
    ]:
        assert set(read(shiny, changed)) == {"refusal"}, changed
    assert "another request" in read(shiny, good, nonce="an older one")["refusal"]
    assert "another app" in read(shiny, good, client="com.example.other")["refusal"]
    # Another host of the same server is another issuer, whatever keys it has.
    assert "another issuer" in read(shiny, good, issuer=f"https://{HOST}")["refusal"]


def test_an_issuer_that_cannot_be_asked_says_nothing(shiny, fields):
    good = fields()
    place = f"127.0.0.1:{shiny.tls_port}"
    unknown = {"resolve": {f"{ISSUER}:443": place}}
    for configuration in [unknown, {**unknown, "roots": shiny.authority.root.read_text(), "resolve": {f"{ISSUER}:443": "127.0.0.1:1"}}]:
        answer = read(shiny, good, configuration)
        assert set(answer) == {"unreachable"}
    assert set(read(shiny, good, issuer=f"http://{ISSUER}")) == {"unreachable"}

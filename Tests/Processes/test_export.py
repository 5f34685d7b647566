# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Everything that is saved leaves in a file, which the import of another installation reads."""

import pytest

from installation import PASSPHRASE, BrowserClient, Installation, denied, secret
from verdicts import must_hold, nothing_released

LOCKED, WRONG_PASSPHRASE, METHOD_NOT_FOUND = 2, 4, -32601
LINK = "otpauth://totp/Shiny:me?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
ACCOUNTS = [
    {"services": ["shiny.example.com", "login.example.org"], "user": "rmondello", "password": 'p,"w ', "notes": "two\nlines", "authenticator": LINK,
     "favorite": True, "tags": ["Work"]},
    {"services": ["other.example"], "user": "anna", "password": "pä\nss"},
]


@pytest.fixture
def saved(running, client):
    items = [{**account, **{name: secret(account[name]) for name in ("password", "notes", "authenticator") if name in account}} for account in ACCOUNTS]
    client.call("items.add", items=items)
    return client


def passphrase(running):
    file = running.folder / "passphrase"
    file.write_text(PASSPHRASE)
    return file


def test_another_installation_reads_it(running, saved):
    file = running.folder / "out.csv"
    running.latchkey("export", file, "--passphrase-file", passphrase(running))
    assert file.stat().st_mode & 0o777 == 0o600
    with Installation() as other:
        other.start()
        other.latchkey("unlock", "--passphrase-file", passphrase(other))
        other.latchkey("import", file, "--format", "bitwarden")
        reader = other.client()
        found = {item["user"]: item for item in reader.call("items.list")["items"]}
        assert set(found) == {"rmondello", "anna"}
        shiny = found["rmondello"]
        assert len(shiny["services"]) == 2 and shiny["tags"] == ["Work"] and shiny["favorite"] and shiny["authenticator"]
        for account in ACCOUNTS:
            done = other.latchkey("show", found[account["user"]]["id"], "--only-password", "--passphrase-file", passphrase(other))
            must_hold(done.stdout.decode().removesuffix("\n") == account["password"], "another password came back")
    lines = [line for line in saved.call("audit.list")["lines"] if line["event"] == "released"]
    # Two passwords, one note and one set-up key.
    assert [(line["purpose"], line["authentication"]) for line in lines] == [("export", "passphrase just now")] * 4


def test_nothing_leaves_without_the_passphrase(running, saved):
    denied(WRONG_PASSPHRASE, saved.call, "items.export", passphrase=secret("another one"))
    wrong = running.folder / "wrong"
    wrong.write_text("another one")
    done = running.latchkey("export", running.folder / "out.csv", "--passphrase-file", wrong, check=False)
    assert done.returncode == 4 and not (running.folder / "out.csv").exists()
    nothing_released("secrets", [line for line in saved.call("audit.list")["lines"] if line["event"] == "released"])


def test_a_locked_one_exports_nothing(running, saved):
    saved.call("lock")
    denied(LOCKED, saved.call, "items.export", passphrase=secret(PASSPHRASE))


def test_no_browser_exports(running, saved):
    denied(METHOD_NOT_FOUND, BrowserClient(running).call, "items.export", passphrase=secret(PASSPHRASE))

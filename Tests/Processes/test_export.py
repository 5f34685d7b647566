# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Everything that is saved leaves in a file, which the import of another installation reads."""

import json

import pytest

from installation import PASSPHRASE, BrowserClient, Installation, denied, secret
from verdicts import must_hold, nothing_released

LOCKED, WRONG_PASSPHRASE, METHOD_NOT_FOUND = 2, 4, -32601
LINK = "otpauth://totp/Shiny:me?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
ACCOUNTS = [
    {"services": ["shiny.example.com", "login.example.org"], "user": "rmondello", "password": 'p,"w ', "notes": "two\nlines", "authenticator": LINK,
     "favorite": True, "tags": ["Work", "Shops"], "title": "The shop"},
    {"services": ["other.example"], "user": "anna", "password": "pä\nss"},
    {"services": [], "user": "guests", "password": "w1f1", "title": "Wi-Fi"},
    {"services": [], "user": "", "password": "", "notes": "left, then\nright", "title": "Front Door"},
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
        assert set(found) == {"rmondello", "anna", "guests", ""}
        shiny = found["rmondello"]
        assert len(shiny["services"]) == 2 and shiny["tags"] == ["Work", "Shops"] and shiny["favorite"] and shiny["authenticator"]
        assert [found[user].get("title") for user in ("rmondello", "anna", "guests", "")] == ["The shop", None, "Wi-Fi", "Front Door"]
        assert found[""]["hasPassword"] is False and found[""]["services"] == found["guests"]["services"] == []
        shown = other.latchkey("show", "front door", "--notes", "--passphrase-file", passphrase(other)).stdout.decode()
        assert shown.endswith("notes\nleft, then\nright\n")
        for account in ACCOUNTS[:3]:
            done = other.latchkey("show", found[account["user"]]["id"], "--only-password", "--passphrase-file", passphrase(other))
            must_hold(done.stdout.decode().removesuffix("\n") == account["password"], "another password came back")
    lines = [line for line in saved.call("audit.list")["lines"] if line["event"] == "released"]
    # Three passwords, two notes and one set-up key.
    assert [(line["purpose"], line["authentication"]) for line in lines] == [("export", "passphrase just now")] * 6


def test_a_file_that_is_read_twice_adds_nothing_twice(running, saved):
    file = running.folder / "out.csv"
    running.latchkey("export", file, "--passphrase-file", passphrase(running))
    done = running.latchkey("import", file, "--json", "--passphrase-file", passphrase(running))
    report = json.loads(done.stdout)
    assert report["imported"] == 0 and report["complete"] and len(report["skipped"]) == 4
    assert len(saved.call("items.list")["items"]) == 4


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

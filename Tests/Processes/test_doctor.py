# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""`latchkey doctor ADDRESS`: pages over real TLS, what their sites are asked for, and everything that is refused."""

import gzip
import json
import os
import subprocess

import pytest

from association_sites import DAY, NOW, Authority, Sites
from installation import BINARIES
from test_forms import GOOD, POOR

HOST = "shiny.example.com"
LOGIN = f"https://{HOST}/login"
KNOWN = "/.well-known/"
PROBE = KNOWN + "resource-that-should-not-exist-whose-status-code-should-not-be-200"
ASSOCIATION = json.dumps({"webcredentials": {"apps": ["A1B2C3D4E5.com.example.shiny"]}}).encode()
LINKS = [{
    "relation": ["delegate_permission/common.get_login_creds"],
    "target": {"namespace": "android_app", "package_name": "com.example.shiny", "sha256_cert_fingerprints": [":".join(["0A"] * 32)]},
}]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    sites = Sites(tmp_path_factory.mktemp("sites"))
    yield sites
    sites.close()


@pytest.fixture
def sites(server):
    """A site that does everything right."""
    server.pages.clear()
    server.contexts.clear()
    server.asked()
    server.serve(HOST, "/login", GOOD.encode(), Content_Type="text/html; charset=utf-8")
    server.serve(HOST, KNOWN + "change-password", status=302, Location="/settings/password")
    server.serve(HOST, "/settings/password", b"", Content_Type="text/html")
    server.serve(HOST, KNOWN + "apple-app-site-association", ASSOCIATION, Content_Type="application/json")
    server.serve(HOST, KNOWN + "assetlinks.json", json.dumps(LINKS).encode(), Content_Type="application/json")
    return server


@pytest.fixture
def doctor(sites, tmp_path):
    def run(*arguments, **configuration):
        sites.tell(tmp_path / "config" / "latchkey", [HOST], **configuration)
        places = {f"XDG_{name}_HOME": str(tmp_path / name.lower()) for name in ("CONFIG", "DATA", "STATE", "CACHE")}
        return subprocess.run(
            [BINARIES / "latchkey", "doctor", *arguments], capture_output=True, text=True, timeout=120,
            env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), "XDG_RUNTIME_DIR": str(tmp_path), **places})
    return run


def findings(answer):
    (page,) = json.loads(answer.stdout)
    return {one["rule"]: one for one in page["findings"]}


def test_good_site_has_nothing_to_fix(doctor, sites):
    answer = doctor("--strict", "--json", LOGIN)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    (page,) = json.loads(answer.stdout)
    assert page["page"] == LOGIN and page["kind"] == "sign-in"
    assert [field["role"] for field in page["fields"]] == ["username", "current-password"]
    assert page["site"]["changePassword"] == page["site"]["association"] == page["site"]["assetLinks"] == "present"
    asked = [address.removeprefix(f"https://{HOST}") for address in [one["address"] for one in page["site"]["asked"]]]
    assert asked == ["/login", PROBE, KNOWN + "change-password", "/settings/password", KNOWN + "apple-app-site-association",
                     KNOWN + "assetlinks.json"]
    assert [path for host, path in sites.asked() if host == HOST] == asked


def test_page_of_a_site_is_read_as_the_file_is(doctor, sites, tmp_path):
    sites.serve(HOST, "/login", POOR.encode(), Content_Type="text/html")
    (tmp_path / "login.html").write_text(POOR)
    fetched, read = doctor("--json", LOGIN), doctor("--json", str(tmp_path / "login.html"))
    assert fetched.returncode == read.returncode == 13
    (one,), (other,) = json.loads(fetched.stdout), json.loads(read.stdout)
    assert one["fields"] == other["fields"] and one["kind"] == other["kind"] and other["site"] is None


def test_each_missing_file_has_its_line(doctor, sites):
    for name in ("change-password", "apple-app-site-association", "assetlinks.json"):
        del sites.pages[(HOST, KNOWN + name)]
    answer = doctor("--json", LOGIN)
    assert answer.returncode == 0, answer.stderr  # notes only
    found = findings(answer)
    assert set(found) == {"change-password-url", "association-file", "asset-links"}
    assert all(one["severity"] == "note" and "\n" not in one["fix"] for one in found.values())
    assert doctor("--strict", LOGIN).returncode == 13
    lines = doctor(LOGIN).stdout
    assert "write redirect /.well-known/change-password (302)" in lines and f"{LOGIN}: 200 OK" in lines


@pytest.mark.parametrize("status, location, word", [
    (301, "/settings/password", "permanently"),
    (308, "/settings/password", "permanently"),
    (302, "/nowhere", "not there (404 Not Found)"),
    (302, "http://shiny.example.com/settings/password", "https"),
    (302, "/.well-known/change-password", "on and on"),
])
def test_change_password_that_leads_astray(doctor, sites, status, location, word):
    sites.serve(HOST, KNOWN + "change-password", status=status, Location=location)
    answer = doctor("--json", LOGIN)
    assert answer.returncode == 13
    assert word in findings(answer)["change-password-url"]["problem"]


@pytest.mark.parametrize("status", [200, 401, 403])
def test_change_password_may_want_somebody_to_sign_in(doctor, sites, status):
    sites.serve(HOST, "/settings/password", b"x", status=status)
    assert findings(doctor("--json", LOGIN)) == {}


def test_change_password_that_is_out_of_order_is_no_page(doctor, sites):
    sites.serve(HOST, "/settings/password", b"x", status=500)
    assert "500" in findings(doctor("--json", LOGIN))["change-password-url"]["problem"]


@pytest.mark.parametrize("kind", ["page", "redirect"])
def test_site_that_answers_everything_says_nothing(doctor, sites, kind):
    """The W3C document's probe: where a path that cannot exist is answered with success, so may be any."""
    if kind == "page":
        sites.serve(HOST, PROBE, b"Not found, sorry", Content_Type="text/html")
    else:
        sites.serve(HOST, PROBE, status=302, Location="/login")
    answer = doctor("--json", LOGIN)
    assert answer.returncode == 13
    assert "do not exist" in findings(answer)["change-password-url"]["problem"]


@pytest.mark.parametrize("body, word", [
    (b"<html>", "a page, not JSON"), (b"{}", "webcredentials"), (b'{"webcredentials":{"apps":[]}}', "names no app"),
    (b" " * 140_000, "larger than 128 KiB"), (b"\xef\xbb\xbf{}", "byte order mark"),
])
def test_association_file_that_is_wrong(doctor, sites, body, word):
    sites.serve(HOST, KNOWN + "apple-app-site-association", body, Content_Type="application/json")
    answer = doctor("--json", LOGIN)
    assert answer.returncode == 13 and word in findings(answer)["association-file"]["problem"]


def test_association_file_that_is_elsewhere(doctor, sites):
    sites.serve(HOST, KNOWN + "apple-app-site-association", status=302, Location="/elsewhere.json")
    assert "redirect" in findings(doctor("--json", LOGIN))["association-file"]["problem"]


@pytest.mark.parametrize("body, kind, word", [
    (b"[]", "application/json", "none of its statements"), (b"{}", "application/json", "not a JSON array"),
    (b"[", "application/json", "not JSON"), (json.dumps(LINKS).encode(), "text/plain", "application/json"),
    (json.dumps([{**LINKS[0], "target": {"namespace": "android_app", "package_name": "x"}}]).encode(), "application/json", "fingerprints"),
    (json.dumps([{**LINKS[0], "target": {"namespace": "web"}}]).encode(), "application/json", "no site"),
    (json.dumps([{"relation": ["x"], "target": {}}]).encode(), "application/json", "none of its statements"),
    (b"[1]", "application/json", "without relation"),
])
def test_asset_links_that_are_wrong(doctor, sites, body, kind, word):
    sites.serve(HOST, KNOWN + "assetlinks.json", body, Content_Type=kind)
    answer = doctor("--json", LOGIN)
    assert answer.returncode == 13 and word in findings(answer)["asset-links"]["problem"]


def test_file_that_could_not_be_asked_for_is_a_note(doctor, sites):
    for name in ("change-password", "apple-app-site-association", "assetlinks.json"):
        sites.serve(HOST, KNOWN + name, b"", status=503)
    answer = doctor("--json", LOGIN)
    assert answer.returncode == 0
    assert all("could not be asked" in one["problem"] for one in findings(answer).values()) and len(findings(answer)) == 3


@pytest.mark.parametrize("page, status, word", [
    (dict(status=301, Location="https://shiny.example.com/signin"), 6, "Ask for https://shiny.example.com/signin"),
    (dict(status=302, Location="/signin"), 6, "Ask for https://shiny.example.com/signin"),
    (dict(status=302, Location="http://shiny.example.com/login"), 6, "no https address"),
    (dict(body=b"{}", Content_Type="application/json"), 6, "application/json"),
    (dict(body=GOOD.encode()), 6, "its content type"),
    (dict(body=b"gone", status=404), 5, "404 Not Found"),
    (dict(body=b"no", status=403), 6, "403 Forbidden"),
    (dict(body=b"broken", status=500), 11, "500"),
    (dict(body=b"x" * (9 << 20), Content_Type="text/html"), 6, "larger than 8 MB"),
    (dict(body=gzip.compress(b" " * (9 << 20)), Content_Type="text/html", Content_Encoding="gzip"), 6, "larger than 8 MB"),
])
def test_refused_pages(doctor, sites, page, status, word):
    sites.serve(HOST, "/login", **page)
    answer = doctor("--json", LOGIN)
    assert answer.returncode == status and word in answer.stderr, answer.stderr
    assert answer.stdout == "" and answer.stderr.count("\n") <= 2
    # A page that is not there is not asked about any further.
    assert [path for _, path in sites.asked()] == ["/login"]


@pytest.mark.parametrize("address", [
    "http://shiny.example.com/login", "https://shiny example.com/", "HTTPS://", "file:///etc/passwd",
])
def test_refused_addresses(doctor, sites, address):
    answer = doctor("--json", address)
    assert answer.returncode in (6, 13) and answer.stdout == "" and answer.stderr.startswith("latchkey: ")
    assert sites.asked() == []


@pytest.mark.parametrize("fault", ["expired", "another host", "unknown authority"])
def test_certificates_that_are_not_believed(doctor, sites, tmp_path, fault):
    if fault == "expired":
        sites.contexts[HOST] = sites.authority.context(HOST, start=NOW - 9 * DAY, end=NOW - DAY)
    elif fault == "another host":
        sites.contexts[HOST] = sites.authority.context("other.example.com")
    else:
        sites.contexts[HOST] = Authority(tmp_path, "somebody").context(HOST)
    answer = doctor("--json", LOGIN)
    assert answer.returncode == 6 and "certificate" in answer.stderr and answer.stdout == ""
    assert sites.asked() == []


def test_site_that_is_not_there(doctor):
    answer = doctor("https://nowhere.invalid/login")
    assert answer.returncode == 11 and "cannot be asked" in answer.stderr


def test_site_that_never_ends(doctor, sites):
    def dawdle(handler):
        handler.send_response(200)
        handler.send_header("Content-Type", "text/html")
        handler.send_header("Content-Length", "1000")
        handler.end_headers()
        handler.wfile.flush()
        handler.rfile.read(1)  # until the other side has had enough

    sites.serve(HOST, "/login", dawdle)
    answer = doctor(LOGIN, deadline=1)
    assert answer.returncode == 11 and "in time" in answer.stderr


def test_hostile_page_is_just_a_page(doctor, sites):
    for body in (b"", b"\x00", b"<form" * 20_000, b"<div>" * 50_000, bytes(range(256)) * 100, b"<input" * 100_000):
        sites.serve(HOST, "/login", body, Content_Type="text/html")
        answer = doctor("--json", LOGIN)
        assert answer.returncode in (0, 13), answer.stderr
        assert len(json.loads(answer.stdout)) == 1

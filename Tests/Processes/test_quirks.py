# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""`latchkey quirks`: what is fetched is checked, and what is not right changes nothing. Real TLS, real processes."""

import fcntl
import gzip
import hashlib
import json
import os
import random
import signal
import socket
import ssl
import subprocess
import time
from types import SimpleNamespace

import pytest

from installation import BINARIES, ROOT, until
from quirks_kit import HOST, LIST, address, configure, good_set, own_set, pages, serve, suffix_list
from tls_sites import Authority, Proxy, Site, answer, zipped

KILLS = int(os.environ.get("LATCHKEY_KILLS", "6"))


@pytest.fixture(scope="session")
def authority(tmp_path_factory):
    return Authority(tmp_path_factory.mktemp("authority"))


def update(installation, *arguments, source=None, check=True):
    return installation.latchkey("quirks", "update", "--from", source or address(), *arguments, check=check)


def refused(installation, status, *words, source=None):
    """Nothing is changed, one line says why, and the status is the one documented."""
    before = own_set(installation)
    done = update(installation, source=source, check=False)
    error = done.stderr.decode()
    assert done.returncode == status, error
    assert error.startswith("latchkey: ") or "\nlatchkey: " in error, error
    for word in words:
        assert word in error, error
    assert own_set(installation) == before
    assert [file.name for file in installation.data.iterdir() if file.name.startswith(".quirks-")] == []
    return error


def is_whole(files):
    """Whether what stands on disk is exactly what its set.json says."""
    stated = json.loads(files["set.json"])["files"]
    digests = {
        name: "sha256:" + hashlib.sha256(content).hexdigest() for name, content in files.items() if name != "set.json"
    }
    return {name: entry["digest"] for name, entry in stated.items()} == digests


def test_a_set_is_fetched_checked_and_kept_with_its_date(installation, authority):
    with serve(installation, authority) as site:
        done = update(installation, "--json")
    report = json.loads(done.stdout)
    assert [file["name"] for file in report["files"]] == list(good_set())
    assert report["suffixes"] == {"version": "2026-08-19_07-02-11_UTC", "date": 1_787_122_931}
    assert abs(report["date"] - time.time()) < 60 and report["source"] == address()
    assert all(file["intact"] for file in report["files"])
    files = own_set(installation)
    assert is_whole(files) and set(files) == {*good_set(), "set.json"}
    for name, content in good_set().items():
        if name != LIST:
            assert json.loads(files[name]) == json.loads(content)
    assert b"github.io\n" in files[LIST]
    folder = installation.data / "quirks"
    assert folder.stat().st_mode & 0o777 == 0o700
    assert all(file.stat().st_mode & 0o777 == 0o600 for file in folder.iterdir())
    assert json.loads(installation.latchkey("quirks", "status", "--json").stdout) == report
    # The server learned what was asked for, and nothing else.
    for request in site.requests:
        headers = {name.lower(): value.strip() for name, value in (line.split(":", 1) for line in request[1:])}
        assert request[0].startswith("GET /quirks/") and headers["host"] == HOST
        assert len(headers) == len(request) - 1 and set(headers) <= {
            *("host", "user-agent", "accept", "accept-encoding", "connection", "content-length")
        }


def test_compressed_and_chunked_answers_are_taken(installation, authority):
    files = good_set()
    served = {name: zipped(content) for name, content in files.items()}
    rules = files["password-rules.json"]
    served["password-rules.json"] = answer(
        b"%x\r\n%s\r\n0\r\n\r\n" % (len(rules), rules), headers=["Transfer-Encoding: chunked"], length=False
    )
    with Site(authority.issue(HOST), {f"/quirks/{name}": page for name, page in served.items()}) as site:
        configure(installation, site, authority)
        update(installation)
    assert is_whole(own_set(installation))


def test_what_the_source_lacks_is_said_and_kept(installation, authority):
    with serve(installation, authority):
        update(installation)
    files = good_set(shared=b'[{"shared": ["three.example", "four.example"]}]')
    del files["password-rules.json"]
    with serve(installation, authority, files):
        done = update(installation)
    assert b"password-rules.json is not at the source; the previous one is kept" in done.stderr
    files = own_set(installation)
    assert is_whole(files) and b"three.example" in files["shared-credentials.json"]
    assert b"minlength: 8" in files["password-rules.json"]


def test_nothing_at_the_source_is_an_error(installation, authority):
    with serve(installation, authority, {}):
        refused(installation, 5, "None of the files is there")


# Whom not to believe.


def test_an_expired_certificate_is_refused(installation, authority):
    with serve(installation, authority):
        update(installation)
    with Site(authority.issue(HOST, days=-1), pages(good_set())) as site:
        configure(installation, site, authority)
        refused(installation, 11, "the certificate is not to be trusted", "expired")


def test_a_certificate_of_an_unknown_authority_is_refused(installation, authority, tmp_path):
    with Site(Authority(tmp_path).issue(HOST), pages(good_set())) as site:
        configure(installation, site, authority)
        refused(installation, 11, "the certificate is not to be trusted")
        configure(installation, site)
        refused(installation, 11, "the certificate is not to be trusted")


def test_a_self_signed_certificate_is_refused(installation, tmp_path):
    whole = tmp_path / "self.pem"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", tmp_path / "k", "-out"),
            *(tmp_path / "c", "-days", "3", "-subj", f"/CN={HOST}", "-addext", f"subjectAltName=DNS:{HOST}"),
        ],
        check=True,
        capture_output=True,
    )
    whole.write_text((tmp_path / "c").read_text() + (tmp_path / "k").read_text())
    with Site(whole, pages(good_set())) as site:
        configure(installation, site)
        refused(installation, 11, "the certificate is not to be trusted")


def test_a_certificate_of_another_host_is_refused(installation, authority):
    with Site(authority.issue("other.example", "quirks.example.org"), pages(good_set())) as site:
        configure(installation, site, authority)
        refused(installation, 11, "it is for another host")
    assert site.requests == []


def test_old_versions_of_tls_are_refused(installation, authority):
    with Site(authority.issue(HOST), pages(good_set()), maximum=ssl.TLSVersion.TLSv1_1) as site:
        configure(installation, site, authority)
        refused(installation, 11, "no connection")


def test_a_server_without_tls_is_refused(installation):
    with Site(None, pages(good_set())) as site:
        configure(installation, site)
        refused(installation, 11, "no connection")
    assert site.requests == []


def test_plain_http_is_not_even_asked_for(installation):
    done = update(installation, source="http://quirks.example/", check=False)
    assert done.returncode == 64 and b"not an https address" in done.stderr


def test_nobody_there(installation, authority):
    # Bound, and listening to nobody: a port that was given back may be another test's server a moment later.
    with socket.socket() as unheard:
        unheard.bind(("127.0.0.1", 0))
        configure(installation, SimpleNamespace(port=unheard.getsockname()[1]), authority)
        refused(installation, 11, "no connection: the connection was refused")
    refused(installation, 11, "no connection", source="https://nowhere.invalid/")


# What not to accept; the site serves a whole set, but for one page.


@pytest.mark.parametrize(
    "page, status, words",
    [
        (answer(status="301 Moved Permanently", headers=["Location: https://quirks.example/quirks/x"]), 11, ["301", "to https"]),
        (answer(status="302 Found", headers=["Location: http://evil.example/"]), 11, ["302 Found to http://evil.example/"]),
        (answer(b"oops", status="500 Internal Server Error"), 11, ["500 Internal Server Error"]),
        (answer(b"[]", status="206 Partial Content"), 11, ["206"]),
        (answer(status="204 No Content", length=False), 11, ["204"]),
        (answer(b"<!DOCTYPE html><title>Sign in</title>"), 13, ["it is a page of HTML"]),
        (answer(b'{"a.example": {"password-rules": "minlength: 8"'), 13, ["not JSON"]),
        (answer(b" " * ((1 << 20) + 1)), 13, ["larger than 1048576 bytes"]),
        (answer(b"%x\r\n%s\r\n0\r\n\r\n" % (1 << 22, b" " * (1 << 22)), headers=["Transfer-Encoding: chunked"], length=False), 13, ["larger than"]),
        (zipped(b" " * (1 << 26)), 13, ["larger than"]),
        (answer(b'{"a.example":', length=500), 11, ["broken answer"]),
        (answer(b"5\r\n{\"a.e\r\n", headers=["Transfer-Encoding: chunked"], length=False), 11, ["broken answer"]),
        (answer(b"{}", length=False), 11, ["does not say how long it is"]),
        (answer(gzip.compress(b"{}" * 1000)[:-12], headers=["Content-Encoding: gzip"]), 11, ["broken answer"]),
        (answer(b"not zipped", headers=["Content-Encoding: gzip"]), 11, ["broken answer"]),
        (answer(b"{}", headers=["Content-Encoding: br"]), 11, ["an encoding that was not asked for"]),
        (answer(gzip.compress(gzip.compress(b"{}")), headers=["Content-Encoding: gzip, gzip"]), 11, ["an encoding"]),
        ([b"SSH-2.0-OpenSSH_9.2\r\n"], 11, ["password-rules.json"]),
        ([b"HTTP/1.1 200 OK\r\n" + b"X: " + b"y" * 200_000 + b"\r\n\r\n"], 11, ["password-rules.json"]),
        ([b""], 11, ["the connection was closed"]),
    ],
    ids=lambda value: None,
)  # fmt: skip
def test_one_bad_file_leaves_everything_as_it_was(installation, authority, page, status, words):
    with serve(installation, authority) as site:
        update(installation)
        site.pages["/quirks/password-rules.json"] = page
        site.pages["/quirks/shared-credentials.json"] = answer(b'[{"shared": ["three.example", "four.example"]}]')
        refused(installation, status, "Nothing was changed. password-rules.json", *words)


@pytest.mark.parametrize("drip", ["head", "body"])
def test_a_server_that_dawdles_is_given_up(installation, authority, drip):
    body = json.dumps(["a.example"]).encode()

    def dawdle():
        if drip == "body":
            yield from answer(body, length=len(body) + 600)
        else:
            yield b"HTTP/1.1 200 OK\r\nX-Slow: "
        for _ in range(600):
            yield b"X" if drip == "head" else b" "
            yield 0.1

    with serve(installation, authority) as site:
        update(installation)
        configure(installation, site, authority, deadline=2)
        site.pages["/quirks/websites-that-append-2fa-to-password.json"] = dawdle
        start = time.monotonic()
        refused(installation, 11, "no complete answer in time")
        assert time.monotonic() - start < 30


# The public suffix list.


def test_an_older_list_never_replaces_a_newer_one(installation, authority):
    with serve(installation, authority) as site:
        update(installation)
        site.pages[f"/quirks/{LIST}"] = answer(suffix_list("2026-08-18_07-02-11_UTC"))
        refused(installation, 12, "it is older (2026-08-18_07-02-11_UTC) than the one that is there (2026-08-19")
        update(installation, "--force")
        assert b"VERSION: 2026-08-18" in own_set(installation)[LIST]
        site.pages[f"/quirks/{LIST}"] = answer(suffix_list("2026-08-20_07-02-11_UTC"))
        update(installation)
        assert b"VERSION: 2026-08-20" in own_set(installation)[LIST]


@pytest.mark.parametrize(
    "content, word",
    [
        (suffix_list("2099-01-01_00-00-00_UTC"), "future"),
        (suffix_list().replace(b"// VERSION", b"// VERS"), "VERSION"),
        (suffix_list()[:-200], "cut off"),
        (suffix_list().replace(b"// ===END ICANN DOMAINS===\n", b""), "does not belong here"),
        (b"<html></html>", "it is a page of HTML"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_list_that_is_not_whole_is_refused(installation, authority, content, word):
    with serve(installation, authority) as site:
        update(installation)
        site.pages[f"/quirks/{LIST}"] = answer(content)
        refused(installation, 13, f"Nothing was changed. {LIST}", word)


# Folders.


def folder_of(installation, files):
    folder = installation.folder / "source"
    folder.mkdir(exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return folder


def test_a_folder_is_a_source_too_and_may_hold_a_part(installation):
    folder = folder_of(installation, {LIST: suffix_list()})
    done = update(installation, source=folder)
    assert b"shared-credentials.json is not at the source; there is none" in done.stderr
    assert set(own_set(installation)) == {LIST, "set.json"}
    folder_of(installation, good_set())
    update(installation, source=folder)
    assert is_whole(own_set(installation)) and len(own_set(installation)) == 9
    assert json.loads(own_set(installation)["set.json"])["source"] == str(folder)


def test_a_folder_gives_plain_files_only(installation):
    folder = folder_of(installation, good_set())
    update(installation, source=folder)
    (folder / "password-rules.json").rename(folder / "elsewhere.json")
    (folder / "password-rules.json").symlink_to(folder / "elsewhere.json")
    refused(installation, 13, "password-rules.json: it is a symbolic link", source=folder)
    (folder / "password-rules.json").unlink()
    os.mkfifo(folder / "password-rules.json")
    refused(installation, 13, "password-rules.json: it is not a plain file", source=folder)
    (folder / "password-rules.json").unlink()
    (folder / "password-rules.json").mkdir()
    refused(installation, 13, "password-rules.json: it is not a plain file", source=folder)
    (folder / "password-rules.json").rmdir()
    (folder / "password-rules.json").write_bytes(b" " * ((1 << 20) + 1))
    refused(installation, 13, "password-rules.json: it cannot be read, or is larger", source=folder)
    (folder / "password-rules.json").write_bytes(b"[]")
    refused(installation, 13, "password-rules.json: it is not an object", source=folder)


def test_a_folder_that_is_not_there(installation):
    refused(installation, 5, "There is no folder", source=installation.folder / "nowhere")
    (installation.folder / "empty").mkdir()
    refused(installation, 5, "None of the files is there", source=installation.folder / "empty")


def test_the_published_files_are_taken(installation):
    published = ROOT.parent / "shared" / "data" / "quirks"
    if not published.exists():
        pytest.skip("../shared is not there")
    update(installation, source=published)
    listed = json.loads(installation.latchkey("quirks", "list", "--json").stdout)["files"]
    assert {file["name"]: file["entries"] for file in listed}["password-rules.json"] == 434


# Interruptions and neighbours.


def test_an_update_that_is_killed_leaves_a_whole_set(installation):
    versions = [good_set(codes=json.dumps([f"v{n}.example"]).encode()) for n in range(2)]
    folders = []
    for number, files in enumerate(versions):
        folder = installation.folder / f"source{number}"
        folder.mkdir()
        for name, content in files.items():
            (folder / name).write_bytes(content)
        folders.append(folder)
    start = time.monotonic()
    update(installation, source=folders[0])
    usual = time.monotonic() - start
    seen = set()
    for number in range(KILLS):
        process = subprocess.Popen(
            [BINARIES / "latchkey", "quirks", "update", "--from", folders[(number + 1) % 2]],
            env=installation.environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        # Somewhere in its life; most of it is the fetching, so the second half is looked at more closely.
        try:
            process.wait(usual * random.uniform(0.3, 1.1))
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
        process.wait()
        files = own_set(installation)
        assert is_whole(files)
        seen.add(files["websites-that-append-2fa-to-password.json"])
    assert seen <= {b'["v0.example"]', b'["v1.example"]'}
    update(installation, source=folders[1])
    assert {file.name for file in installation.data.iterdir()} == {"quirks", ".quirks.lock"}


def test_two_updates_do_not_mix(installation):
    folder = folder_of(installation, good_set())
    update(installation, source=folder)
    with open(installation.data / ".quirks.lock") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        refused(installation, 11, "Another `latchkey quirks` is at work", source=folder)


def test_a_damaged_set_is_said_and_mended(installation):
    folder = folder_of(installation, good_set())
    update(installation, source=folder)
    rules = installation.data / "quirks" / "password-rules.json"
    rules.write_bytes(rules.read_bytes() + b" ")
    assert b"damaged" in installation.latchkey("quirks", "list").stdout
    assert b"damaged" in installation.latchkey("quirks", "status").stdout
    (installation.data / "quirks" / "set.json").write_bytes(b"{}")
    done = installation.latchkey("quirks", "status", check=False)
    assert done.returncode == 10 and b"set.json of the quirks is damaged" in done.stderr
    update(installation, source=folder)
    assert is_whole(own_set(installation))


def test_removing(installation):
    folder = folder_of(installation, good_set())
    update(installation, source=folder)
    installation.latchkey("quirks", "remove")
    assert own_set(installation) is None
    assert installation.latchkey("quirks", "remove", check=False).returncode == 5
    assert json.loads(installation.latchkey("quirks", "status", "--json").stdout)["files"] == []
    # A newer one is needed no more.
    folder_of(installation, {LIST: suffix_list("2024-08-19_07-02-11_UTC")})
    update(installation, source=folder)


def test_no_daemon_is_started_and_one_that_runs_is_told(installation):
    folder = folder_of(installation, good_set())
    update(installation, source=folder)
    assert not installation.socket.exists()
    installation.start()

    def status():
        return json.loads(installation.latchkey("status", "--json").stdout)["quirks"]

    own = str(installation.data / "quirks" / LIST)
    assert status()["source"] == str(folder) and abs(status()["date"] - time.time()) < 60
    assert status()["groups"] == 2 and status()["problems"] == []
    assert status()["suffixes"] == own and status()["suffixesDate"] == 1_787_122_931
    installation.latchkey("quirks", "remove")
    assert status()["source"] is None and status()["groups"] == 0 and status()["suffixes"] != own
    update(installation, source=folder)
    done = installation.latchkey("status", "--verbose").stdout.decode()
    assert f"2 groups of sites; less than a day old, from {folder}" in done and own in done and "fetching" in done


def test_a_running_daemon_matches_by_the_new_set(installation):
    client = installation.start().unlocked()

    def offered(url):
        return [row["service"] for row in client.call("suggestions.list", url=url)["suggestions"]]

    folder = folder_of(installation, {LIST: suffix_list("2099-01-01_00-00-00_UTC")})
    refused(installation, 13, "future", source=folder)
    client.call(
        "items.add", items=[{"services": ["a.tenants.example"], "user": "me", "password": {"secret": "s"}}]
    )
    until(lambda: offered("https://a.tenants.example/"))
    assert offered("https://b.tenants.example/") == ["a.tenants.example"]
    folder_of(installation, {LIST: suffix_list(more=["tenants.example"])})
    update(installation, source=folder)
    assert offered("https://b.tenants.example/") == []
    assert offered("https://a.tenants.example/") == ["a.tenants.example"]
    installation.latchkey("quirks", "remove")
    assert offered("https://b.tenants.example/") == ["a.tenants.example"]


# The user's own word on the network.


def test_S39_the_proxy_of_the_users_file_is_asked(installation, authority):
    with serve(installation, authority) as site, Proxy({f"{HOST}:443": site.port}) as proxy:
        file = installation.config / "fetch.json"
        file.write_text(json.dumps({"additionalRoots": str(authority.root)}))
        for name in ["https_proxy", "HTTPS_PROXY", "all_proxy"]:
            installation.environment[name] = f"http://127.0.0.1:{proxy.port}"
        refused(installation, 11, "no connection: the host quirks.example has no address")
        assert proxy.requests == []
        configured = {"additionalRoots": str(authority.root), "proxy": f"http://127.0.0.1:{proxy.port}"}
        file.write_text(json.dumps(configured))
        installation.environment["no_proxy"] = "*"
        update(installation)
        assert set(proxy.requests) == {f"CONNECT {HOST}:443 HTTP/1.1"}
        refused(installation, 11, "the proxy refused", source="https://other.example/")
        before = len(proxy.requests)
        file.write_text(json.dumps(configured | {"noProxy": ["example"]}))
        refused(installation, 11, "no connection: the host quirks.example has no address")
        assert len(proxy.requests) == before


def test_a_proxy_cannot_pretend_to_be_the_host(installation, authority, tmp_path):
    with Site(Authority(tmp_path).issue(HOST), pages(good_set())) as site, Proxy({f"{HOST}:443": site.port}) as proxy:
        content = {"additionalRoots": str(authority.root), "proxy": f"127.0.0.1:{proxy.port}"}
        (installation.config / "fetch.json").write_text(json.dumps(content))
        refused(installation, 11, "the certificate is not to be trusted")


def test_a_configuration_that_cannot_be_read_is_not_half_believed(installation, authority):
    with serve(installation, authority):
        (installation.config / "fetch.json").write_text('{"additionalRoots": "/nowhere.pem"}')
        refused(installation, 10, "The additional roots of")
        (installation.config / "fetch.json").write_text('{"insecure": true}')
        refused(installation, 10, "fetch.json cannot be read")


def test_nothing_but_the_configuration_adds_roots(installation, authority):
    with Site(authority.issue(HOST), pages(good_set())) as site:
        configure(installation, site)
        for name in ["SSL_CERT_FILE", "SSL_CERT_DIR", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE"]:
            installation.environment[name] = str(authority.root)
        refused(installation, 11, "the certificate is not to be trusted")

# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Which apps belong to which sites: every fact about apple-app-site-association, against a real TLS server."""

import gzip
import json
import subprocess
import time

import pytest

from association_sites import DAY, NOW, Authority, Sites
from installation import BINARIES, WireFailure, secret, until

APP = "E5336VM85F.com.example.Shiny"
OTHER = "ABCDE12345.com.example.Other"
HOST = "shiny.example.com"
WELL_KNOWN = "/.well-known/apple-app-site-association"
ROOT = "/apple-app-site-association"
LIMIT = 131_072


def file(*apps, size=None):
    text = json.dumps({"webcredentials": {"apps": list(apps)}}).encode()
    return text if size is None else text + b" " * (size - len(text))


@pytest.fixture
def sites(tmp_path):
    made = Sites(tmp_path)
    yield made
    made.close()


@pytest.fixture
def check(installation, sites):
    """Runs `latchkey associations check` without a daemon; answers its status and its JSON."""

    def run(host=HOST, *arguments, app=APP, **fetch):
        sites.tell(installation.config, [HOST, host.removeprefix("*.")], **fetch)
        options = ["--app", app] if app else []
        done = installation.latchkey(
            "associations", "check", host, *options, "--without-daemon", "--json", *arguments, check=False
        )
        assert done.stdout, done.stderr
        found = json.loads(done.stdout)
        found["status"] = done.returncode
        found["error"] = done.stderr.decode()
        return found

    return run


def line(host, path, what):
    return f"Request for 'https://{host}{path}' {what}"


# MARK: What approves


def test_a_file_at_the_well_known_place_approves(check, sites):
    sites.serve(HOST, WELL_KNOWN, file(OTHER, APP), Content_Type="application/json")
    sites.serve(HOST, ROOT, file(OTHER))
    found = check()
    assert found["status"] == 0 and found["approved"] is True
    assert found["lines"] == [line(HOST, WELL_KNOWN, "succeeded: 200 OK")]
    assert found["apps"] == [OTHER, APP]
    # The first place decides, the second is not even asked.
    assert sites.asked() == [(HOST, WELL_KNOWN)]


def test_a_file_at_the_root_approves_where_the_other_place_has_none(check, sites):
    sites.serve(HOST, ROOT, file(APP))
    found = check()
    assert found["status"] == 0
    assert found["lines"] == [
        line(HOST, WELL_KNOWN, "denied: 404 Not Found"),
        line(HOST, ROOT, "succeeded: 200 OK"),
    ]


@pytest.mark.parametrize("kind", ["text/html", "application/json; charset=utf-8"])
def test_the_content_type_decides_nothing(check, sites, kind):
    sites.serve(HOST, WELL_KNOWN, file(APP), **({"Content_Type": kind} if kind else {}))
    assert check()["status"] == 0


@pytest.mark.parametrize("size", [None, LIMIT])
@pytest.mark.parametrize("compressed", [False, True])
def test_a_file_of_at_most_128_KiB_is_read(check, sites, size, compressed):
    body = file(APP, size=size)
    if compressed:
        sites.serve(HOST, WELL_KNOWN, gzip.compress(body), Content_Encoding="gzip")
    else:
        sites.serve(HOST, WELL_KNOWN, body)
    assert check()["status"] == 0


def test_members_of_other_services_are_not_looked_at(check, sites):
    body = {"applinks": {"apps": [], "details": [{"appIDs": [OTHER], "components": [{"/": "*"}]}]}}
    body |= {"webcredentials": {"apps": [APP]}, "secret": "x", "appclips": {"apps": []}}
    sites.serve(HOST, WELL_KNOWN, json.dumps(body, indent=2).encode())
    assert check()["status"] == 0


# MARK: What denies


def test_the_line_of_the_session_of_2017(check, sites):
    sites.hosts.add("wrong.example.com")
    found = check("wrong.example.com")
    assert "Request for 'https://wrong.example.com/apple-app-site-association' denied: 404 Not Found" in found["lines"]
    assert found["status"] == 6


@pytest.mark.parametrize("status", [304, 404])
def test_S23_three_and_four_hundred_deny(check, sites, status):
    for path in [WELL_KNOWN, ROOT]:
        sites.serve(HOST, path, b"" if status == 304 else file(APP), status=status)
    found = check()
    assert found["status"] == 6 and found["approved"] is False
    assert len(found["lines"]) == 2 and all(f"denied: {status}" in text for text in found["lines"])


@pytest.mark.parametrize("status", [204, 206])
def test_S23_only_200_delivers(check, sites, status):
    sites.serve(HOST, WELL_KNOWN, b"" if status == 204 else file(APP), status=status)
    found = check()
    assert found["status"] == 6
    assert f"denied: {status}" in found["lines"][0]


@pytest.mark.parametrize(
    "status, target",
    [(308, "https://shiny.example.com/file"), (302, "https://www.example.com/file"), (301, "/file")],
)
def test_S23_redirects_are_not_followed(check, sites, status, target):
    for path in [WELL_KNOWN, ROOT]:
        sites.serve(HOST, path, status=status, Location=target)
    sites.serve(HOST, "/file", file(APP))
    sites.serve("www.example.com", "/file", file(APP))
    found = check()
    assert found["status"] == 6
    assert sites.asked() == [(HOST, WELL_KNOWN), (HOST, ROOT)]
    assert "redirects are not followed" in found["lines"][0]


@pytest.mark.parametrize("compressed", [False, True])
def test_S23_129_KiB_are_too_many(check, sites, compressed):
    body = file(APP, size=129 * 1024)
    if compressed:
        sites.serve(HOST, WELL_KNOWN, gzip.compress(body), Content_Encoding="gzip")
    else:
        sites.serve(HOST, WELL_KNOWN, body)
    sites.serve(HOST, ROOT, file(APP))
    found = check()
    assert found["status"] == 6
    assert found["lines"] == [line(HOST, WELL_KNOWN, "denied: 200 OK, but it is larger than 128 KiB")]


def test_S23_one_byte_more_than_128_KiB_is_too_many(check, sites):
    sites.serve(HOST, WELL_KNOWN, file(APP, size=LIMIT + 1))
    assert check()["status"] == 6


def test_S23_129_KiB_without_a_stated_length_are_too_many(check, sites):
    def chunks(handler):
        handler.send_response(200)
        handler.send_header("Transfer-Encoding", "chunked")
        handler.end_headers()
        for _ in range(129):
            handler.wfile.write(b"400\r\n" + b" " * 1024 + b"\r\n")
        handler.wfile.write(b"0\r\n\r\n")

    sites.serve(HOST, WELL_KNOWN, chunks)
    assert check()["status"] == 6


def test_S23_a_bomb_does_not_burst(check, sites):
    """A gigabyte of spaces in a megabyte of gzip: refused at once, and without the gigabyte."""
    bomb = gzip.compress(b" " * (1 << 20)) * 1024
    sites.serve(HOST, WELL_KNOWN, bomb, Content_Encoding="gzip")
    start = time.monotonic()
    found = check()
    assert found["status"] == 6, found
    assert "larger than 128 KiB" in found["lines"][0]
    assert time.monotonic() - start < 20


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"<html>Sign in</html>",
        b'{"webcredentials":{"apps":[]},"webcredentials":{"apps":["' + APP.encode() + b'"]}}',
    ],
)
def test_S23_a_file_of_another_shape_denies(check, sites, body):
    sites.serve(HOST, WELL_KNOWN, body)
    sites.serve(HOST, ROOT, file(APP))
    found = check()
    assert found["status"] == 6
    assert found["lines"][0].startswith(line(HOST, WELL_KNOWN, "denied: 200 OK, but "))
    # What is there and wrong is the site's answer; nothing else is looked for.
    assert sites.asked() == [(HOST, WELL_KNOWN)]


@pytest.mark.parametrize("signed", [{"Content_Type": "application/pkcs7-mime"}, {}])
def test_S23_signed_files_are_refused_with_a_reason(check, sites, signed):
    body = file(APP) if signed else b"\x30\x82\x0b\xb8" + file(APP)
    sites.serve(HOST, WELL_KNOWN, body, **signed)
    found = check()
    assert found["status"] == 6
    assert "signed" in found["lines"][0]


def test_S21_an_app_is_named_letter_for_letter_or_not_at_all(check, sites):
    similar = [OTHER, APP.lower(), APP.upper(), APP + "2", APP[11:], APP[:10] + ".*", "*", APP + " ", ""]
    sites.serve(HOST, WELL_KNOWN, file(*similar))
    found = check()
    assert found["status"] == 6
    assert found["approved"] is False
    assert f"does not name {APP}" in found["error"]


# MARK: What passes


@pytest.mark.parametrize("status", [503, 599])
def test_S23_five_hundred_is_asked_about_again(check, sites, status):
    sites.serve(HOST, WELL_KNOWN, file(APP), status=status)
    sites.serve(HOST, ROOT, file(APP))
    found = check()
    assert found["status"] == 11
    assert found["lines"][0].startswith(line(HOST, WELL_KNOWN, f"failed: {status}"))
    assert sites.asked() == [(HOST, WELL_KNOWN)]


@pytest.mark.parametrize("fault", ["expired", "not yet valid", "foreign", "another host", "address"])
def test_S23_a_certificate_that_does_not_hold_approves_nobody(check, sites, tmp_path, fault):
    context = {
        "expired": lambda: sites.authority.context(HOST, start=NOW - 5 * DAY, end=NOW - DAY),
        "not yet valid": lambda: sites.authority.context(HOST, start=NOW + DAY, end=NOW + 2 * DAY),
        "foreign": lambda: Authority(tmp_path, "Somebody else").context(HOST),
        "another host": lambda: sites.authority.context("example.com", "*.other.example.com"),
        "address": lambda: sites.authority.context("127.0.0.1"),
    }[fault]()
    sites.contexts[HOST] = context
    sites.serve(HOST, WELL_KNOWN, file(APP))
    found = check()
    assert found["status"] == 11, found
    assert "certificate" in found["lines"][0]
    assert sites.asked() == []


def test_S23_a_certificate_for_a_wildcard_holds_for_one_label(check, sites):
    sites.contexts[HOST] = sites.authority.context("*.example.com")
    sites.serve(HOST, WELL_KNOWN, file(APP))
    assert check()["status"] == 0


def test_S23_a_slow_drip_ends(check, sites):
    def drip(handler):
        handler.send_response(200)
        handler.send_header("Content-Length", "100000")
        handler.end_headers()
        while True:
            handler.wfile.write(b" ")
            handler.wfile.flush()
            time.sleep(0.05)

    sites.serve(HOST, WELL_KNOWN, drip)
    start = time.monotonic()
    found = check(deadline=2)
    assert found["status"] == 11
    assert "in time" in found["lines"][0]
    assert time.monotonic() - start < 30


def test_S23_a_drip_of_headers_ends(check, sites):
    def drip(handler):
        handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
        for number in range(10_000):
            handler.wfile.write(f"X-{number}: y\r\n".encode())
            handler.wfile.flush()
            time.sleep(0.05)

    sites.serve(HOST, WELL_KNOWN, drip)
    assert check(deadline=2)["status"] == 11


def test_S23_half_an_answer_is_none(check, sites):
    """The connection ends in the middle of a file whose first half is whole JSON."""

    def half(handler):
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(file(APP)) + 1))
        handler.end_headers()
        handler.wfile.write(file(APP))
        handler.wfile.flush()
        handler.connection.close()

    sites.serve(HOST, WELL_KNOWN, half)
    assert check()["status"] == 11


@pytest.mark.parametrize(
    "bytes_", [b"", b"nonsense\r\n\r\n", b"HTTP/1.1 999\r\n\r\n", b"SSH-2.0-OpenSSH\r\n", b"\0" * 5_000]
)
def test_S23_what_is_no_HTTP_approves_nobody(check, sites, bytes_):
    def answer(handler):
        handler.wfile.write(bytes_)
        handler.wfile.flush()
        handler.connection.close()

    sites.serve(HOST, WELL_KNOWN, answer)
    assert check(deadline=5)["status"] == 11


def test_S23_a_server_that_is_not_there_approves_nobody(check, sites, installation):
    found = check(resolve={f"{HOST}:443": "127.0.0.1:1"})
    assert found["status"] == 11


def test_S23_what_a_server_writes_cannot_move_the_terminal(check, sites, installation):
    for path in [WELL_KNOWN, ROOT]:
        sites.serve(HOST, path, status=302, Location="https://x/\x1b[2Jevil" + "y" * 4_000)
    found = check()
    assert "\x1b" not in json.dumps(found) and all(len(text) < 500 for text in found["lines"])
    shown = installation.latchkey("associations", "check", HOST, "--without-daemon", check=False)
    assert b"\x1b" not in shown.stdout + shown.stderr


# MARK: Wildcards, modes, networks


def test_a_wildcard_is_served_by_its_parent(check, sites):
    sites.serve("example.com", WELL_KNOWN, file(APP))
    assert check("*.example.com")["status"] == 0
    assert sites.asked() == [("example.com", WELL_KNOWN)]
    # What is stated as a host of its own asks that host.
    assert check("www.example.com")["status"] == 6
    assert sites.asked() == [("www.example.com", WELL_KNOWN), ("www.example.com", ROOT)]


def test_developer_mode_takes_any_certificate_and_one_place(check, sites, tmp_path):
    sites.contexts[HOST] = Authority(tmp_path, "Somebody else").context("localhost", end=NOW - DAY / 2)
    sites.serve(HOST, WELL_KNOWN, file(APP))
    assert check()["status"] == 11
    assert check(HOST, "--mode", "developer")["status"] == 0
    sites.pages.pop((HOST, WELL_KNOWN))
    sites.serve(HOST, ROOT, file(APP))
    assert check(HOST, "--mode", "developer")["status"] == 6
    assert (HOST, ROOT) not in sites.asked()


def test_managed_mode_needs_a_certificate_and_takes_one_place(check, sites, tmp_path):
    sites.serve(HOST, ROOT, file(APP))
    assert check(HOST, "--mode", "managed")["status"] == 6
    sites.serve(HOST, WELL_KNOWN, file(APP))
    assert check(HOST, "--mode", "managed")["status"] == 0
    sites.contexts[HOST] = Authority(tmp_path, "Somebody else").context(HOST)
    assert check(HOST, "--mode", "managed")["status"] == 11


def test_a_content_network_answers_for_sites(check, sites):
    network = "https://cdn.example.com"
    place = f"/a/v1/{HOST}"
    sites.serve("cdn.example.com", place, file(APP))
    assert check(HOST, "--source", network)["status"] == 0
    assert sites.asked() == [("cdn.example.com", place)]
    # Its no is a no, with its reason, and the site is not asked.
    sites.serve(HOST, WELL_KNOWN, file(APP))
    sites.serve("cdn.example.com", place, status=404, Apple_Failure_Reason="SWCERR00101 Bad HTTP Response")
    found = check(HOST, "--source", network)
    assert found["status"] == 6 and "SWCERR00101" in found["lines"][0]
    assert sites.asked() == [("cdn.example.com", place)]
    # Unless it says so.
    sites.serve("cdn.example.com", place, status=404, Apple_Try_Direct="true", Apple_Failure_Reason="SWCERR00301")
    assert check(HOST, "--source", network)["status"] == 0
    assert sites.asked() == [("cdn.example.com", place), (HOST, WELL_KNOWN)]
    sites.serve("cdn.example.com", place, status=503)
    assert check(HOST, "--source", network)["status"] == 11


def test_S23_a_site_cannot_send_its_reader_elsewhere(check, sites):
    for path in [WELL_KNOWN, ROOT]:
        sites.serve(HOST, path, status=404, Apple_Try_Direct="true")
    assert check()["status"] == 6
    assert sites.asked() == [(HOST, WELL_KNOWN), (HOST, ROOT)]


# MARK: The command


def test_a_site_s_own_tests_need_no_set_up(installation, sites):
    """Neither keyring nor daemon, before and after."""
    sites.serve(HOST, WELL_KNOWN, file(APP))
    sites.tell(installation.config)
    done = installation.latchkey("associations", "check", HOST)
    assert done.stdout.decode() == (
        line(HOST, WELL_KNOWN, "succeeded: 200 OK") + f"\nThe file names 1 app:\n  {APP}\n"
    )
    done = installation.latchkey("associations", "check", HOST, "--app", APP)
    assert f"App ID '{APP}', domain '{HOST}', SiteApproved" in done.stdout.decode()
    assert not installation.data.exists() and not installation.state.exists() and not installation.socket.exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ["https://shiny.example.com/"],
        ["127.0.0.1"],
        [HOST, "--app", "com.example.Shiny"],
        [HOST, "--source", "http://cdn.example.com"],
    ],
)
def test_what_is_no_host_app_or_source_is_refused_in_one_line(installation, arguments):
    done = installation.latchkey("associations", "check", *arguments, check=False)
    assert done.returncode == 13
    assert len(done.stderr.decode().splitlines()) == 2 and b"hint: " in done.stderr


# MARK: The daemon


@pytest.fixture
def book(system_apps, installation, sites):
    """An unlocked daemon that reaches the sites."""
    sites.tell(installation.config, [HOST, "example.com", "www.example.com"])
    installation.start()
    return installation.unlocked()


def verdicts(client):
    return [
        (entry["app"], entry["domain"], entry["verdict"], entry["verified"])
        for entry in client.call("associations.list")["associations"]
    ]


def test_the_daemon_asks_and_tells_as_swcd_does(book, installation, sites):
    sites.serve(HOST, WELL_KNOWN, file(APP))
    report = book.call("associations.add", app=APP, domain=HOST)
    updated = f"Updated app ID '{APP}', domain '{HOST}', SiteApproved"
    assert report["lines"] == [line(HOST, WELL_KNOWN, "succeeded: 200 OK"), updated]
    assert verdicts(book) == [(APP, HOST, "SiteApproved", True)]
    assert [entry["text"] for entry in book.call("associations.log")["lines"]] == [updated]
    listed = json.loads(installation.latchkey("associations", "list", "--json").stdout)
    (association,) = listed["associations"]
    week = 7 * 86_400
    assert week <= association["next"] - association["checked"] < week + 43_200
    assert association["statedByApp"] is False and listed["source"] == "direct"
    log = installation.latchkey("associations", "log").stdout.decode()
    assert log.endswith(updated + "\n")


def test_associations_survive_a_kill(book, installation, sites):
    sites.serve(HOST, WELL_KNOWN, file(APP))
    book.call("associations.add", app=APP, domain=HOST)
    sites.asked()
    installation.kill()
    installation.start()
    again = installation.unlocked()
    assert verdicts(again) == [(APP, HOST, "SiteApproved", True)]
    # Nothing is due yet, so nobody is asked.
    assert sites.asked() == []


def test_S27_nothing_is_told_or_asked_while_locked(book, installation, sites):
    sites.serve(HOST, WELL_KNOWN, file(APP))
    book.call("associations.add", app=APP, domain=HOST)
    book.call("lock")
    for method, params in [
        ("list", {}),
        ("check", {"host": HOST}),
        ("add", {"app": APP, "domain": HOST}),
        ("remove", {"app": APP}),
        ("log", {}),
        ("developerMode", {"on": True}),
        ("source", {"source": "direct"}),
    ]:
        with pytest.raises(WireFailure) as refused:
            book.call("associations." + method, **params)
        assert refused.value.code == 2, method
    kept = (installation.state / "associations").read_bytes()
    assert b"shiny" not in kept and b"E5336VM85F" not in kept


def test_S21_a_file_that_somebody_changed_associates_nobody(book, installation, sites):
    sites.serve(HOST, WELL_KNOWN, file(APP))
    book.call("associations.add", app=APP, domain=HOST)
    book.call("lock")
    kept = installation.state / "associations"
    data = bytearray(kept.read_bytes())
    data[len(data) // 2] ^= 1
    kept.write_bytes(data)
    book.call("unlock", passphrase=secret("correct horse battery staple"))
    assert verdicts(book) == []
    assert "damaged" in book.call("associations.log")["lines"][-1]["text"]
    # And everything else works.
    assert book.call("status")["locked"] is False
    book.call("associations.add", app=APP, domain=HOST)
    assert verdicts(book) == [(APP, HOST, "SiteApproved", True)]


def test_S23_a_site_that_withdraws_loses_the_app(book, sites):
    sites.serve(HOST, WELL_KNOWN, file(APP, OTHER))
    book.call("associations.add", app=APP, domain=HOST)
    sites.serve(HOST, WELL_KNOWN, file(OTHER))
    report = book.call("associations.check", host=HOST)
    assert report["lines"][-1].startswith(f"Updated app ID '{APP}', domain '{HOST}', SiteDenied: ")
    assert verdicts(book) == [(APP, HOST, "SiteDenied", False)]


def test_a_site_that_is_down_is_tried_again_and_comes_back(book, sites):
    sites.serve(HOST, WELL_KNOWN, status=503)
    book.call("associations.add", app=APP, domain=HOST)
    (association,) = book.call("associations.list")["associations"]
    assert association["verdict"] == "Retrying" and not association["verified"]
    assert association["next"] - association["checked"] == 3 * 3_600
    assert "503 Service Unavailable" in association["detail"]
    sites.serve(HOST, WELL_KNOWN, file(APP))
    book.call("associations.check", host=HOST)
    assert verdicts(book) == [(APP, HOST, "SiteApproved", True)]


def test_S23_an_outage_takes_nothing_away_at_once(book, sites):
    sites.serve(HOST, WELL_KNOWN, file(APP))
    book.call("associations.add", app=APP, domain=HOST)
    sites.serve(HOST, WELL_KNOWN, status=503)
    book.call("associations.check", host=HOST)
    assert verdicts(book) == [(APP, HOST, "SiteApproved", True)]


def test_S23_parent_and_wildcard_and_host_are_three(book, sites):
    sites.serve("example.com", WELL_KNOWN, file(APP))
    for domain in ["example.com", "*.example.com", "www.example.com"]:
        book.call("associations.add", app=APP, domain=domain)
    assert verdicts(book) == [
        (APP, "example.com", "SiteApproved", True),
        (APP, "*.example.com", "SiteApproved", True),
        (APP, "www.example.com", "SiteDenied", False),
    ]


def test_S10_a_wildcard_cannot_name_strangers(book):
    for domain in ["*.github.io", "*.co.uk"]:
        with pytest.raises(WireFailure) as refused:
            book.call("associations.add", app=APP, domain=domain)
        assert refused.value.code == -32602 and "public suffix" in refused.value.message, domain


def test_bad_references_are_refused(book):
    for app, domain in [
        ("com.example.Shiny", HOST),
        (APP, "https://shiny.example.com"),
        (APP, "applinks:shiny.example.com"),
        (APP, "shiny.example.com:443"),
        (APP, "x" * 600 + ".com"),
        (APP, None),
        ("", ""),
    ]:
        with pytest.raises(WireFailure) as refused:
            book.call("associations.add", app=app, domain=domain)
        assert refused.value.code == -32602, (app, domain)
    assert verdicts(book) == []


def test_S21_modes_need_more_than_a_wish(book, sites):
    """Added by hand, an entry with a mode is neither a debug build's nor the administrator's."""
    sites.serve(HOST, WELL_KNOWN, file(APP))
    book.proven("associations.developerMode", on=True)
    for mode in ["developer", "managed", "developer+managed"]:
        book.call("associations.add", app=APP, domain=f"webcredentials:{HOST}?mode={mode}")
    assert {(verdict, verified) for _, _, verdict, verified in verdicts(book)} == {("ModeNotAllowed", False)}
    assert sites.asked() == []


def test_what_is_taken_away_is_gone(book, installation, sites):
    sites.serve(HOST, WELL_KNOWN, file(APP))
    installation.latchkey("associations", "add", APP, HOST)
    installation.latchkey("associations", "remove", APP, HOST)
    assert verdicts(book) == []
    assert installation.latchkey("associations", "remove", APP, check=False).returncode == 5


def test_the_log_can_be_followed(book, installation, sites):
    sites.serve(HOST, WELL_KNOWN, file(APP))
    following = subprocess.Popen(
        [BINARIES / "latchkey", "associations", "log", "--follow", "--json"],
        env=installation.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    try:
        book.call("associations.add", app=APP, domain=HOST)
        entry = json.loads(following.stdout.readline())
        assert entry["text"].endswith("SiteApproved")
        sites.serve(HOST, WELL_KNOWN, file(OTHER))
        book.call("associations.check", host=HOST)
        assert "SiteDenied" in json.loads(following.stdout.readline())["text"]
    finally:
        following.terminate()
        following.wait(10)


def test_the_command_asks_through_the_daemon_where_it_can(book, installation, sites):
    sites.serve(HOST, WELL_KNOWN, file(APP))
    book.call("associations.add", app=APP, domain=HOST)
    sites.serve(HOST, WELL_KNOWN, file(OTHER))
    done = installation.latchkey("associations", "check", HOST, "--app", APP, check=False)
    assert done.returncode == 6
    assert f"Updated app ID '{APP}', domain '{HOST}', SiteDenied" in done.stdout.decode()
    assert verdicts(book) == [(APP, HOST, "SiteDenied", False)]
    # By itself it changes nothing.
    sites.serve(HOST, WELL_KNOWN, file(APP))
    installation.latchkey("associations", "check", HOST, "--app", APP, "--without-daemon")
    assert verdicts(book) == [(APP, HOST, "SiteDenied", False)]


def test_another_source_starts_anew(book, installation, sites):
    sites.serve(HOST, WELL_KNOWN, file(APP))
    book.call("associations.add", app=APP, domain=HOST)
    sites.serve("cdn.example.com", f"/a/v1/{HOST}", file(OTHER))
    sites.tell(installation.config)
    book.proven("associations.source", source="https://cdn.example.com/")
    until(lambda: verdicts(book) == [(APP, HOST, "SiteDenied", False)])
    assert ("cdn.example.com", f"/a/v1/{HOST}") in sites.asked()


def test_S25_only_settings_reach_the_associations(browser):
    for method in ["list", "check", "add", "remove", "log", "developerMode", "source"]:
        with pytest.raises(WireFailure) as refused:
            browser.call("associations." + method, app=APP, domain=HOST, host=HOST)
        assert refused.value.code == -32601, method

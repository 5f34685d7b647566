# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Weak, reused and leaked passwords: what is found, what leaves the provider and the machine, and where a password is changed."""

import hashlib
import json
import os
import pathlib
import subprocess

import pytest

from association_sites import Sites
from installation import BINARIES, BrowserClient, Installation, WireFailure, secret, until
from test_doctor import PROBE

STRONG = "rWibMFACxAUGZmxhVncy"
OTHER = "T9!kzwQm4#uLpe2%Yd"
HOST = "shiny.example.com"
CHANGE = "/.well-known/change-password"
RANGES = "api.pwnedpasswords.com"


def digest(password):
    return hashlib.sha1(password.encode()).hexdigest().upper()


def breach_list(path, passwords, others=2_000):
    """A sorted list of so many other passwords and these."""
    lines = {digest(f"other-{number}"): number + 1 for number in range(others)}
    lines.update({digest(password): 7 for password in passwords})
    path.write_text("".join(f"{line}:{count}\r\n" for line, count in sorted(lines.items())))
    return path


def add(client, *accounts):
    items = [{"services": [service], "user": user, "password": secret(password), "notes": secret("")}
             for service, user, password in accounts]
    return [item["id"] for item in client.call("items.add", items=items)["items"]]


def recommendations(client, **params):
    return client.call("recommendations.list", **params)


def found(client, **params):
    """The kinds of findings by service."""
    return {one["services"][0]: [finding["kind"] for finding in one["findings"]]
            for one in recommendations(client, **params)["recommendations"] if not one["hidden"]}


# ---------------------------------------------------------------------------------------------------------------------
# Strength

def strength(*passwords, arguments=("--json",)):
    done = subprocess.run([BINARIES / "latchkey", "strength", *arguments], input="\n".join(passwords).encode() + b"\n",
                          capture_output=True, check=True)
    return done.stdout.decode()


def test_strength_agrees_with_zxcvbn():
    vectors = pathlib.Path(__file__).resolve().parents[1] / "Vectors" / "strength" / "zxcvbn.tsv"
    rows = [line.split("\t") for line in vectors.read_text().splitlines() if not line.startswith("#")]
    rows = [row for row in rows if "\\r" not in row[0] and "\\n" not in row[0]]
    assert len(rows) > 250
    answers = [json.loads(line) for line in strength(*(json.loads(row[0]) for row in rows)).splitlines()]
    assert len(answers) == len(rows)
    for (_, guesses, score, patterns), answer in zip(rows, answers):
        assert set(answer) == {"guesses", "score", "patterns"}
        assert answer["guesses"] == pytest.approx(float(guesses), rel=1e-9)
        assert answer["score"] == int(score) and answer["patterns"] == patterns.split(",")


def test_strength_answers_every_line_and_repeats_none():
    assert [json.loads(line)["score"] for line in strength("", "password", STRONG).splitlines()] == [0, 0, 4]
    assert "password" not in strength("password", arguments=())


def test_strength_answers_before_it_waits_for_more():
    with subprocess.Popen([BINARIES / "latchkey", "strength", "--json"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as running:
        for password, score in [(b"password", 0), (STRONG.encode(), 4)]:
            running.stdin.write(password + b"\n")
            running.stdin.flush()
            assert json.loads(running.stdout.readline())["score"] == score
        running.stdin.close()
        assert running.wait(timeout=60) == 0


def test_strength_loses_no_answer_to_a_line_that_is_too_long():
    done = subprocess.run([BINARIES / "latchkey", "strength", "--json"], input=b"password\n" * 300 + b"a" * 200_000, capture_output=True)
    assert done.returncode != 0 and len(done.stdout.splitlines()) == 300


def test_strength_says_when_its_input_cannot_be_read():
    folder = os.open("/", os.O_RDONLY)
    try:
        done = subprocess.run([BINARIES / "latchkey", "strength", "--json"], stdin=folder, capture_output=True)
    finally:
        os.close(folder)
    assert done.returncode != 0 and done.stdout == b"" and b"cannot be read" in done.stderr


def test_strength_refuses_endless_lines():
    done = subprocess.run([BINARIES / "latchkey", "strength", "--json"], input=b"a" * 200_000, capture_output=True)
    assert done.returncode != 0 and b"aaaa" not in done.stdout + done.stderr


# ---------------------------------------------------------------------------------------------------------------------
# Recommendations

def test_finds_and_ranks(client):
    add(client, ("a.test", "u", STRONG), ("b.test", "u", STRONG), ("weak.test", "u", "Winter2019!"),
        ("good.test", "u", OTHER), ("default.test", "u", "changeme"))
    assert found(client)["a.test"] == ["reused"] and found(client)["b.test"] == ["reused"]
    assert list(found(client)) == ["default.test", "a.test", "b.test", "weak.test"]
    answer = recommendations(client)
    assert answer["judged"] == 5 and answer.get("problem") is None
    for one in answer["recommendations"]:
        for finding in one["findings"]:
            assert finding["reason"].endswith(".") and finding["advice"]


def test_verdicts_hold_nothing_of_passwords(client):
    add(client, ("a.test", "u", STRONG), ("b.test", "u", STRONG), ("c.test", "u", "Winter2019!"))
    text = json.dumps(recommendations(client))
    for password in (STRONG, "Winter2019!"):
        assert password not in text and digest(password)[:8] not in text.upper()


def test_judges_again_what_changed(client):
    (first, _) = add(client, ("a.test", "u", STRONG), ("b.test", "u", STRONG))
    assert set(found(client)) == {"a.test", "b.test"}
    client.call("items.edit", id=first, password=secret(OTHER))
    # The old one is in the item's history, which does not count.
    assert found(client) == {}
    client.call("items.edit", id=first, password=secret(STRONG))
    client.call("items.remove", id=first)
    assert found(client) == {}
    client.call("items.restore", id=first)
    assert set(found(client)) == {"a.test", "b.test"}


def test_sites_that_share_accounts_reuse_nothing():
    with Installation() as installation:
        quirks = pathlib.Path(installation.environment["XDG_DATA_HOME"]) / "latchkey/quirks"
        quirks.mkdir(parents=True)
        (quirks / "shared-credentials.json").write_text(json.dumps([{"shared": ["one.test", "two.test"]}]))
        installation.start()
        client = installation.unlocked()
        add(client, ("one.test", "u", STRONG), ("www.two.test", "u", STRONG))
        assert found(client) == {}
        add(client, ("three.test", "u", STRONG))
        assert set(found(client)) == {"one.test", "www.two.test", "three.test"}


def test_hides_until_there_is_something_new(client, running, tmp_path):
    (name,) = add(client, ("weak.test", "u", "Winter2019!"))
    running.latchkey("recommendations", "hide", "weak.test")
    assert found(client) == {} and recommendations(client)["recommendations"][0]["hidden"]
    # It is remembered beyond the provider's process.
    client.prefer(breachList=str(breach_list(tmp_path / "list", [])))
    assert found(client) == {}
    client.prefer(breachList=str(breach_list(tmp_path / "other", ["Winter2019!"])))
    assert found(client)["weak.test"][0] == "breached"
    running.latchkey("recommendations", "hide", "weak.test")
    assert found(client) == {}
    running.latchkey("recommendations", "unhide", "weak.test")
    assert found(client)["weak.test"] == ["breached", "weak"]
    with pytest.raises(WireFailure) as failure:
        client.call("recommendations.hide", id="none", hidden=True)
    assert failure.value.code == 7 and name


def test_reuse_that_comes_later_is_shown_of_a_hidden_account_too(client, running):
    (name,) = add(client, ("weak.test", "u", "Winter2019!"))
    running.latchkey("recommendations", "hide", "weak.test")
    assert found(client) == {}
    client.call("items.edit", id=name, password=secret(STRONG))
    add(client, ("other.test", "u", STRONG))
    assert found(client) == {"weak.test": ["reused"], "other.test": ["reused"]}


def test_question_about_one_account_ends_nobodys_list(client):
    ids = add(client, *((f"weak{number}.test", "u", f"Winter{2000 + number}!") for number in range(150)))
    page = recommendations(client)
    assert len(page["recommendations"]) == 100 and page["cursor"] == 100
    client.call("recommendations.hide", id=ids[0], hidden=True)
    rest = recommendations(client, cursor=page["cursor"])
    assert len(rest["recommendations"]) == 50 and rest.get("cursor") is None
    with pytest.raises(WireFailure) as failure:
        recommendations(client, cursor=151)
    assert failure.value.code == 7


def test_long_services_make_shorter_pages(client):
    long = [f"{'a' * 60}.{'b' * 60}.{'c' * 60}{number}.test/{'d' * 1_800}" for number in range(60)]
    for number in range(6):
        client.call("items.add", items=[{"services": long, "user": f"u{number}", "password": secret("Winter2019!"), "notes": secret("")}])
    page, seen = recommendations(client), 0
    while True:
        seen += len(page["recommendations"])
        assert page["recommendations"]
        if page.get("cursor") is None:
            break
        page = recommendations(client, cursor=page["cursor"])
    assert seen == 6


def test_finds_leaks_in_a_list(client, tmp_path):
    add(client, ("leaked.test", "u", STRONG), ("good.test", "u", OTHER))
    client.prefer(breachList=str(breach_list(tmp_path / "list", [STRONG])))
    (one,) = recommendations(client)["recommendations"]
    assert one["findings"][0] == {**one["findings"][0], "kind": "breached", "number": 7}
    folder = tmp_path / "ranges"
    folder.mkdir()
    for password in (STRONG, OTHER):
        (folder / digest(password)[:5]).write_text(digest("x")[5:] + ":1\n")
    (folder / digest(OTHER)[:5]).write_text(digest(OTHER)[5:] + ":3\n")
    client.prefer(breachList=str(folder))
    assert found(client) == {"good.test": ["breached"]}


@pytest.mark.parametrize("text", ["", "hello\n", "\n".join(sorted(map(digest, "abcdef"), reverse=True))])
def test_says_when_a_list_cannot_be_searched(client, tmp_path, text):
    add(client, ("a.test", "u", STRONG))
    (tmp_path / "list").write_text(text)
    client.prefer(breachList=str(tmp_path / "list"))
    assert recommendations(client)["problem"]
    client.prefer(breachList=str(tmp_path / "none"))
    assert "cannot be opened" in recommendations(client)["problem"]


def test_list_that_is_put_in_order_is_asked(client, tmp_path):
    add(client, ("leaked.test", "u", STRONG), ("good.test", "u", OTHER))
    folder = tmp_path / "ranges"
    folder.mkdir()
    (folder / digest(OTHER)[:5]).write_text(digest("x")[5:] + ":1\n")
    client.prefer(breachList=str(folder))
    assert recommendations(client)["problem"] and found(client) == {}
    (folder / digest(STRONG)[:5]).write_text(digest(STRONG)[5:] + ":3\n")
    assert found(client) == {"leaked.test": ["breached"]}
    assert recommendations(client).get("problem") is None


def test_list_is_named_by_an_absolute_path(client):
    with pytest.raises(WireFailure):
        client.prefer(breachList="relative")


def test_command_shows_and_prints_json(client, running):
    add(client, ("a.test", "anna", STRONG), ("b.test", "u", STRONG))
    text = running.latchkey("recommendations").stdout.decode()
    assert "a.test  anna" in text and "(b.test  u)" in text and STRONG not in text
    rows = json.loads(running.latchkey("recommendations", "--json").stdout)
    assert [set(row) for row in rows] == [{"id", "services", "user", "urgency", "hidden", "findings"}] * 2


def test_nothing_is_said_while_locked(client, running):
    add(client, ("a.test", "u", "password"))
    client.call("lock")
    with pytest.raises(WireFailure) as failure:
        recommendations(client)
    assert failure.value.code == 2


# ---------------------------------------------------------------------------------------------------------------------
# The network

@pytest.fixture(scope="module")
def server(tmp_path_factory):
    sites = Sites(tmp_path_factory.mktemp("sites"))
    yield sites
    sites.close()


@pytest.fixture
def sites(server):
    server.pages.clear()
    server.asked()
    return server


@pytest.fixture
def connected(system_apps, sites):
    with Installation() as installation:
        sites.tell(installation.config, [HOST, RANGES])
        installation.start()
        installation.client_ = installation.unlocked()
        yield installation


def test_network_is_not_asked_unless_allowed(connected, sites):
    client = connected.client_
    add(client, ("a.test", "u", STRONG))
    with pytest.raises(WireFailure) as failure:
        recommendations(client, online=True)
    assert failure.value.code == 8
    client.prefer(breachRanges=True)
    recommendations(client)
    assert sites.asked() == []


def test_five_digits_leave_and_no_more(connected, sites):
    client = connected.client_
    client.prefer(breachRanges=True)
    add(client, ("leaked.test", "u", STRONG), ("good.test", "u", OTHER))
    headers = []

    def serve(password, lines):
        def page(handler):
            headers.append(dict(handler.headers))
            handler.answer(200, {"Content-Type": "text/plain"}, lines.encode())
        sites.pages[(RANGES, f"/range/{digest(password)[:5]}")] = page

    serve(STRONG, f"{digest('x')[5:]}:12\r\n{digest(STRONG)[5:]}:9\r\n{digest('y')[5:]}:0\r\n")
    serve(OTHER, f"{digest(OTHER)[5:]}:0\r\n{digest('z')[5:]}:3\r\n")
    assert found(client, online=True) == {"leaked.test": ["breached"]}
    asked = sites.asked()
    assert sorted(asked) == sorted((RANGES, f"/range/{digest(password)[:5]}") for password in (STRONG, OTHER))
    assert all({key.lower(): value for key, value in one.items()}["add-padding"] == "true" for one in headers)
    # What is known is not asked for again.
    assert found(client, online=True) == {"leaked.test": ["breached"]}
    assert sites.asked() == []


def test_what_the_network_says_counts_beside_a_list_that_cannot_be_read(connected, sites, tmp_path):
    client = connected.client_
    (tmp_path / "list").write_text("no list")
    client.prefer(breachList=str(tmp_path / "list"), breachRanges=True)
    add(client, ("leaked.test", "u", STRONG))
    sites.serve(RANGES, f"/range/{digest(STRONG)[:5]}", f"{digest(STRONG)[5:]}:9\r\n".encode())
    answer = recommendations(client, online=True)
    assert [one["services"] for one in answer["recommendations"]] == [["leaked.test"]]
    # That the list is not a list is said all the same.
    assert answer["problem"] and "left" not in answer["problem"]
    assert found(client) == {"leaked.test": ["breached"]}
    assert sites.asked() == [(RANGES, f"/range/{digest(STRONG)[:5]}")]


def test_says_that_the_network_was_not_asked(connected):
    client = connected.client_
    add(client, ("a.test", "u", STRONG))
    assert recommendations(client).get("problem") is None
    client.prefer(breachRanges=True)
    assert "--online" in recommendations(client)["problem"]


def test_says_when_the_network_does_not_answer(connected, sites):
    client = connected.client_
    client.prefer(breachRanges=True)
    add(client, ("a.test", "u", "Winter2019!"))
    answer = recommendations(client, online=True)
    assert "404" in answer["problem"] and answer["recommendations"]


# ---------------------------------------------------------------------------------------------------------------------
# Where a password is changed

@pytest.fixture
def change(sites, tmp_path):
    def run(*arguments, quirks=None):
        sites.tell(tmp_path / "config" / "latchkey", [HOST])
        folder = tmp_path / "quirks"
        folder.mkdir(exist_ok=True)
        for name, content in (quirks or {}).items():
            (folder / name).write_text(json.dumps(content))
        places = {f"XDG_{name}_HOME": str(tmp_path / name.lower()) for name in ("CONFIG", "DATA", "STATE", "CACHE")}
        return subprocess.run(
            [BINARIES / "latchkey", "change-password", "--quirks", folder, *arguments], capture_output=True, text=True,
            timeout=120, env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), "XDG_RUNTIME_DIR": str(tmp_path), **places})
    return run


LISTED = {"change-password-URLs.json": {"example.com": "https://account.example.com/password"}}


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_site_says_where(change, sites, status):
    sites.serve(HOST, CHANGE, status=status, Location="/settings/password")
    sites.serve(HOST, "/settings/password", b"")
    answer = change("--json", HOST, quirks=LISTED)
    assert json.loads(answer.stdout) == {"url": f"https://{HOST}{CHANGE}", "source": "site"}, answer.stderr
    assert [path for _, path in sites.asked()] == [PROBE, CHANGE, "/settings/password"]


def test_site_that_answers_everything_is_not_believed(change, sites):
    sites.serve(HOST, PROBE, b"welcome")
    sites.serve(HOST, CHANGE, b"welcome")
    assert change(HOST, quirks=LISTED).stdout == "https://account.example.com/password\n"
    assert change(HOST, quirks={"change-password-URLs.json": {"other.test": "https://other.test/"}}).returncode != 0


def test_site_whose_other_paths_lead_nowhere_is_not_believed(change, sites):
    sites.serve(HOST, PROBE, status=302, Location="https://unreachable.test/")
    sites.serve(HOST, CHANGE, status=302, Location="https://unreachable.test/")
    assert change(HOST, quirks=LISTED).stdout == "https://account.example.com/password\n"


def test_list_is_asked_where_the_site_has_no_page(change):
    answer = change("--json", f"https://{HOST}/login", quirks=LISTED)
    assert json.loads(answer.stdout) == {"url": "https://account.example.com/password", "source": "quirks"}


def test_pages_of_other_sites_are_refused(change):
    foreign = {"change-password-URLs.json": {"example.com": "https://account.example.org/password"}}
    answer = change(HOST, quirks=foreign)
    assert answer.returncode != 0 and "another site, account.example.org" in answer.stderr and answer.stdout == ""
    shared = {"shared-credentials.json": [{"shared": ["example.com", "example.org"]}]}
    assert change(HOST, quirks={**foreign, **shared}).stdout == "https://account.example.org/password\n"


def test_without_encryption_nothing_is_opened(change, sites):
    answer = change(f"http://{HOST}", quirks=LISTED)
    assert answer.returncode != 0 and "not encrypted" in answer.stderr
    assert sites.asked() == []


def test_redirect_that_leads_nowhere_is_not_opened(change, sites):
    sites.serve(HOST, CHANGE, status=302, Location="/gone")
    answer = change(HOST, quirks={"change-password-URLs.json": {"other.test": "https://other.test/"}})
    assert answer.returncode != 0 and "not there" in answer.stderr


# ---------------------------------------------------------------------------------------------------------------------
# After a fill

@pytest.fixture
def filled(connected):
    client = connected.client_
    browser = BrowserClient(connected)
    browser.user = lambda shown: (True, None)
    browser.said = []
    answer = browser._answer

    def listen(message):
        if message["method"] == "browser.recommendation":
            browser.said.append(message["params"])
        answer(message)

    browser._answer = listen

    def fill(password, host=HOST):
        add(client, (host, "u", password))
        session = browser.focus(f"https://{host}")["session"]
        row = browser.call("renderer.suggestions", session=session)["suggestions"][0]
        given = browser.call("renderer.choose", handle=row["handle"], surface="popup", guard={"held": True})
        assert given["fills"][1]["value"]["secret"] == password
        return browser

    yield fill
    browser.close()


def recommended(browser):
    def said():
        browser.call("renderer.status")
        return browser.said
    return until(said)[0]


def test_says_so_after_a_fill_and_finds_the_page(filled, sites):
    sites.serve(HOST, CHANGE, status=302, Location="/settings/password")
    sites.serve(HOST, "/settings/password", b"")
    browser = filled("Winter2019!")
    said = recommended(browser)
    assert said["site"] == HOST and said["tab"] == 1 and "guess" in said["reason"] and "Winter" not in json.dumps(said)
    assert browser.call("renderer.changePassword", handle=said["handle"]) == {"url": f"https://{HOST}{CHANGE}", "source": "site"}
    with pytest.raises(WireFailure) as failure:
        browser.call("renderer.changePassword", handle="another")
    assert failure.value.code == 16
    assert browser.call("renderer.hideRecommendation", handle=said["handle"]) == {}


def test_says_nothing_of_a_strong_password(filled):
    browser = filled(STRONG)
    # A weak one that is filled after it is spoken of, and it alone.
    filled("Winter2019!", "weak.test")
    recommended(browser)
    assert [said["site"] for said in browser.said] == ["weak.test"]


def test_a_page_may_not_ask(filled):
    browser = filled(STRONG)
    for method in ("recommendations.list", "recommendations.hide"):
        with pytest.raises(WireFailure) as failure:
            browser.call(method)
        assert failure.value.code == -32601

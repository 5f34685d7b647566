# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Codes from messages, mail, phones and authenticators, up to the fields of a page."""

import email.message
import json
import os
import pathlib
import subprocess
import time

import pytest

from code_kit import KEY, LINK, Clock, Phone, focus_code, offers, tap, totp
from installation import PASSPHRASE, BrowserClient, Installation, WireFailure, denied, secret, until
from providers import SHINY, SITE, Browser, Bundle, Hand
from verdicts import must_hold, nothing_released

SHOP, BANK = "https://shop.example", "https://bank.example"
BOUND = "Your code is 747723.\n\n@shop.example #747723"


def offer(installation, text, **options):
    return installation.latchkey("code", "offer", input=text.encode(), **options)


def offer_json(installation, text):
    return installation.latchkey("code", "offer", "--json", input=text.encode(), check=False)


def rows(browser, origin, **options):
    return offers(browser, origin, **options)["suggestions"]


def audit(client, event="released"):
    return [line for line in client.call("audit.list")["lines"] if line["event"] == event]


@pytest.fixture(scope="module")
def stage():
    """One daemon for what needs no other; each test drops what it offered."""
    with Installation() as made:
        made.start()
        made.control = made.unlocked()
        made.control.prefer(authenticationMinutes=1000)
        made.browser = Browser(made)
        yield made
        made.browser.close()


@pytest.fixture
def fresh(stage):
    stage.control.call("lock")
    stage.control.call("unlock", passphrase=secret(PASSPHRASE))
    stage.browser.user = lambda shown: (shown["kind"] == "confirm", None)
    stage.browser.presented.clear()
    yield stage


# ---- From a message to the fields


def test_offer_says_what_it_found_and_never_the_code(fresh):
    done = offer(fresh, BOUND)
    assert done.stdout == b"A code is offered for 180 seconds for shop.example.\n" and done.stderr == b""
    told = json.loads(offer(fresh, "Your login code is 551234", ).stdout and
                      fresh.latchkey("code", "offer", "--json", input=b"Your login code is 661234").stdout)
    assert told == {"found": True, "offered": True, "reason": told["reason"], "boundTo": None, "embedded": None, "seconds": 180}
    done = offer(fresh, "Your order 4821 has shipped", check=False)
    assert (done.returncode, done.stdout) == (5, b"") and done.stderr.startswith(b"latchkey: The message has no code: ")
    done = fresh.latchkey("code", "offer", "747723", check=False)
    assert done.returncode == 64
    done = fresh.latchkey("code", "offer", input=b"\xff\xfe", check=False)
    assert done.returncode == 13
    done = fresh.latchkey("code", "offer", input=b"x" * 300_000, check=False)
    assert done.returncode == 13


@pytest.mark.main
def test_a_bound_code_goes_into_one_field_with_one_tap(fresh):
    offer(fresh, BOUND)
    [row] = rows(fresh.browser, SHOP)
    assert row["title"] == "code for shop.example" and row["code"]["boundTo"] == "shop.example"
    assert "relation" not in row and 0 < row["code"]["secondsLeft"] <= 180
    assert tap(fresh.browser, row) == ["747723"]
    line = audit(fresh.control)[-1]
    assert (line["provider"], line["service"], line["requester"]) == ("org.latchkey.codes", "shop.example", SHOP)
    assert line["reason"] == "bound to this host" and "747723" not in json.dumps(line)


def test_S71_a_bound_code_needs_no_question_at_its_own_host(fresh):
    host = "https://first.example"
    for code in ["112233", "445566"]:
        offer(fresh, f"@first.example #{code}")
        [row] = rows(fresh.browser, host)
        assert tap(fresh.browser, row) == [code]
        assert fresh.browser.presented == []


@pytest.mark.parametrize("boxes", [4, 6, 8])
def test_a_code_goes_into_boxes_a_character_each(fresh, boxes):
    code = "12345678"[:boxes]
    offer(fresh, f"@shop.example #{code}")
    session = focus_code(fresh.browser, SHOP, boxes=boxes)
    assert session["bar"] is True and [field["role"] for field in session["fields"]] == ["one-time-code"] * boxes
    [row] = fresh.browser.call("renderer.suggestions", session=session["session"])["suggestions"]
    assert tap(fresh.browser, row) == list(code)


def test_a_code_of_another_length_is_refused_and_kept(fresh):
    offer(fresh, BOUND)
    [row] = rows(fresh.browser, SHOP, boxes=4)
    assert "boxes" in denied(6, tap, fresh.browser, row).message
    [row] = rows(fresh.browser, SHOP, boxes=6)
    assert tap(fresh.browser, row) == list("747723")


@pytest.mark.main
def test_s33_a_code_is_offered_once(fresh):
    """S33: dropped once filled, and not offered again when the same message comes by a second way."""
    offer(fresh, BOUND)
    [row] = rows(fresh.browser, SHOP)
    [other] = rows(fresh.browser, SHOP, document="C2", tab=2)
    assert tap(fresh.browser, row) == ["747723"]
    nothing_released("rows for a code that was filled", rows(fresh.browser, SHOP))
    denied(16, tap, fresh.browser, other)
    done = offer(fresh, BOUND, check=False)
    assert (done.returncode, done.stdout) == (6, b"") and b"used already" in done.stderr and b"747723" not in done.stderr
    told = json.loads(offer_json(fresh, BOUND).stdout)
    assert told == {"found": True, "offered": False, "reason": told["reason"], "boundTo": "shop.example", "embedded": None, "seconds": None}
    nothing_released("rows for a code that was filled", rows(fresh.browser, SHOP))


@pytest.mark.main
def test_s33_a_lock_drops_the_codes(fresh):
    """S33: nothing of what came before a lock is offered after it; what comes while locked is offered then."""
    offer(fresh, BOUND)
    fresh.control.call("lock")
    offer(fresh, "@shop.example #998877")
    told = offers(fresh.browser, SHOP)
    nothing_released("rows while locked", told["suggestions"])
    assert told == {"state": "locked", "suggestions": []}
    fresh.control.call("unlock", passphrase=secret(PASSPHRASE))
    [row] = rows(fresh.browser, SHOP)
    assert tap(fresh.browser, row) == ["998877"]


# ---- Who may be offered it


@pytest.mark.main
def test_s32_a_bound_code_is_offered_on_its_site_alone(fresh):
    """S32: on another site it is not offered, the page's bar is the same as ever, and explain says why."""
    offer(fresh, BOUND)
    told = offers(fresh.browser, BANK)
    nothing_released("rows for another site", told["suggestions"])
    assert told["withheld"] == ["shop.example"]
    for origin in ("http://shop.example", SHOP + ":8443", "https://shop.example.evil.test", "https://myshop.example"):
        nothing_released(f"rows for {origin}", rows(fresh.browser, origin))
    [row] = rows(fresh.browser, "https://login.shop.example")
    assert (row["relation"], row["savedFor"]) == ("sameSite", "shop.example")
    # The page is told the same, whatever there is.
    before = focus_code(fresh.browser, BANK)
    fresh.control.call("lock")
    fresh.control.call("unlock", passphrase=secret(PASSPHRASE))
    after = focus_code(fresh.browser, BANK)
    must_hold({**before, "session": ""} == {**after, "session": ""}, f"a page learns of a code: {before} {after}")


@pytest.mark.main
def test_s32_frames_get_what_names_them(fresh):
    """S32: a framed page gets a code that names its host, inside the page that the code names too."""
    chain = [{"origin": "https://pay.test", "document": "C1"}, {"origin": SHOP, "document": "C0"}]
    evil = [{"origin": "https://evil.test", "document": "C1"}, {"origin": SHOP, "document": "C0"}]
    offer(fresh, BOUND)
    nothing_released("rows in frames that the code does not name", rows(fresh.browser, "", chain=chain), rows(fresh.browser, "", chain=evil))
    offer(fresh, "@shop.example #889900 %pay.test")
    nothing_released("rows in a frame that the code does not name", rows(fresh.browser, "", chain=evil))
    [row] = rows(fresh.browser, "", chain=chain)
    assert tap(fresh.browser, row) == ["889900"]
    assert [row["code"]["boundTo"] for row in rows(fresh.browser, SHOP)] == ["shop.example"]


def test_s32_an_unbound_code_is_marked_confirmed_and_never_before_others(fresh):
    """S32: an unbound code says so, is confirmed outside the page, and stands behind what is bound."""
    fresh.browser.user = lambda shown: (False, None)
    offer(fresh, BOUND)
    offer(fresh, "Your login code is 551234")
    found = rows(fresh.browser, SHOP)
    assert [row["code"].get("boundTo") for row in found] == ["shop.example", None]
    assert found[1]["relation"] == "unbound"
    told = offers(fresh.browser, BANK)
    assert told["withheld"] == ["shop.example"] and [row["relation"] for row in told["suggestions"]] == ["unbound"]
    denied(9, tap, fresh.browser, told["suggestions"][0])
    [shown] = fresh.browser.presented
    assert (shown["kind"], shown["thing"], shown["site"]) == ("confirm", "code", BANK)
    assert any("no site" in reason for reason in shown["reasons"]) and any("shop.example" in r for r in shown["reasons"])
    must_hold("551234" not in json.dumps(fresh.browser.presented), "a question shows the code")


def test_s32_an_unbound_code_is_confirmed_once_for_each_origin(fresh):
    """S32: what was agreed to for one origin says nothing about another."""
    fresh.browser.user = lambda shown: (True, None)
    for number, (origin, asked) in enumerate([("https://one.test", 1), ("https://one.test", 1), ("https://two.test", 2)]):
        offer(fresh, f"Your login code is 55123{number}")
        [row] = rows(fresh.browser, origin)
        assert tap(fresh.browser, row) == [f"55123{number}"]
        assert len(fresh.browser.presented) == asked


def test_explain_says_what_becomes_of_each_code(fresh):
    offer(fresh, BOUND)
    text = fresh.latchkey("explain", BANK).stdout.decode()
    assert "not offered: a code from latchkey code offer" in text and "The code is bound to another site." in text
    told = json.loads(fresh.latchkey("explain", SHOP, "--json").stdout)
    [code] = told["codes"]
    assert code["offered"] is True and code["boundTo"] == "shop.example" and code["reasons"][-1] == "It is bound to this very host."
    assert "747723" not in text + json.dumps(told)
    told = fresh.control.call("explain", hosts=["shop.example"])
    assert [code["offered"] for code in told["codes"]] == [True]


def test_status_names_the_sources_and_no_bus_is_a_normal_state(fresh):
    found = {source["name"]: source for source in json.loads(fresh.latchkey("status", "--json").stdout)["codes"]}
    assert set(found) == {"modem", "kdeconnect", "gsconnect", "maildir", "command"}
    assert found["command"]["state"] == "ready" and found["maildir"]["state"] == "off"
    assert found["modem"]["state"] == "waiting" and "bus" in found["kdeconnect"]["detail"]
    assert b"codes" in fresh.latchkey("status", "--verbose").stdout


# ---- Time


def test_s33_after_181_seconds_nothing_is_offered(tmp_path):
    """S33: three minutes, by a clock that is turned."""
    clock = Clock(tmp_path)
    with Installation(clock.environment) as made:
        made.start()
        control = made.unlocked()
        control.prefer(authenticationMinutes=1000)
        browser = Browser(made)
        control.call("codes.offer", message=secret(BOUND))
        clock.turn(179)
        [row] = rows(browser, SHOP)
        assert row["code"]["secondsLeft"] <= 1
        clock.turn(181)
        assert rows(browser, SHOP) == []
        with pytest.raises(WireFailure) as failure:
            tap(browser, row)
        assert failure.value.code == 16
        control.prefer(codeSeconds=600)
        control.call("codes.offer", message=secret("@shop.example #123123"))
        clock.turn(181 + 590)
        assert len(rows(browser, SHOP)) == 1
        clock.turn(181 + 601)
        assert rows(browser, SHOP) == []
        browser.close()


@pytest.mark.parametrize("changes", [{"codeSeconds": 29}, {"codeSeconds": 601}, {"codeMaildir": "relative"}])
def test_preferences_out_of_bounds_are_refused(fresh, changes):
    with pytest.raises(WireFailure) as failure:
        fresh.control.prefer(**changes)
    assert failure.value.code == -32602


# ---- Maildir


def deliver(maildir, name, message):
    """As maildir has it: written elsewhere, and moved when it is whole."""
    (maildir / "tmp" / name).write_bytes(bytes(message) if isinstance(message, bytes) else message.as_bytes())
    (maildir / "tmp" / name).rename(maildir / "new" / name)


def mail(subject, text, html=None):
    message = email.message.EmailMessage()
    message["Subject"], message["From"], message["To"] = subject, "shop@shop.example", "me@example.com"
    message.set_content(text)
    if html:
        message.add_alternative(html, subtype="html")
    return message


def test_a_maildir_is_watched(fresh, tmp_path):
    maildir = tmp_path / "Mail"
    for name in ("tmp", "new", "cur"):
        (maildir / name).mkdir(parents=True)
    deliver(maildir, "before", mail("old", "@shop.example #111111"))
    fresh.latchkey("preferences", "set", "--code-maildir", maildir)

    def state():
        return {s["name"]: s for s in fresh.control.call("status")["codes"]}["maildir"]

    until(lambda: state()["state"] == "ready")
    assert state()["detail"] == str(maildir)
    deliver(maildir, "1", mail("Código", "Tu código es 747723 — no lo compartas.\n\n@shop.example #747723\n", "<p>no"))
    [row] = until(lambda: rows(fresh.browser, SHOP))
    assert tap(fresh.browser, row) == ["747723"]
    deliver(maildir, "2", mail("654321 is your Shop login code", "Hello!\n"))
    [row] = until(lambda: rows(fresh.browser, SHOP))
    assert row["relation"] == "unbound"
    # What is no mail, no file, old, or hidden does no harm and brings nothing.
    deliver(maildir, "3", bytes(range(256)) * 4000)
    (maildir / "new" / "4").symlink_to("/etc/passwd")
    (maildir / "new" / "5").mkdir()
    os.mkfifo(maildir / "new" / "6")
    (maildir / "tmp" / "7").write_bytes(mail("old", "@shop.example #222222").as_bytes())
    os.utime(maildir / "tmp" / "7", (time.time() - 3600,) * 2)
    (maildir / "tmp" / "7").rename(maildir / "new" / "7")
    deliver(maildir, "8", mail("last", "@shop.example #333333"))
    until(lambda: [r for r in rows(fresh.browser, SHOP) if r["code"].get("boundTo")])
    assert len(rows(fresh.browser, SHOP)) == 2
    fresh.latchkey("preferences", "set", "--code-maildir", "")
    until(lambda: state()["state"] == "off")
    deliver(maildir, "9", mail("x", "@shop.example #444444"))
    fresh.latchkey("preferences", "set", "--code-maildir", tmp_path / "nowhere")
    until(lambda: state()["state"] == "waiting")
    fresh.latchkey("preferences", "set", "--code-maildir", "")
    until(lambda: state()["state"] == "off")
    assert len(rows(fresh.browser, SHOP)) == 2


# ---- Phones


def test_phones_bring_codes_by_each_way():
    with Phone() as phone, Installation(phone.environment) as made:
        phone.tell("modem")
        phone.tell("desktop")
        made.start()
        control = made.unlocked()
        control.prefer(authenticationMinutes=1000)
        browser = Browser(made)

        def state(name):
            return {s["name"]: s for s in control.call("status")["codes"]}[name]["state"]

        until(lambda: state("modem") == "ready" and state("gsconnect") == "ready")
        assert state("kdeconnect") == "waiting"
        # A phone that comes later is heard too.
        phone.tell("kdeconnect")
        until(lambda: state("kdeconnect") == "ready")

        def arrives(host):
            return until(lambda: rows(browser, "https://" + host))[0]

        # ModemManager: whole, in parts, and what this machine sends itself.
        phone.tell("sms", "@modem.test #300000", 3, False)
        number = phone.tell("sms", "@modem.test #2", 2)
        phone.tell("sms", "Your code is 747723.\n\n@modem.test #747723")
        assert tap(browser, arrives("modem.test")) == ["747723"]
        phone.tell("whole", number, "@modem.test #200000")
        assert tap(browser, arrives("modem.test")) == ["200000"]
        # KDE Connect, where the text is in the ticker alone too.
        phone.tell("notify", "Your code is 551122\n\n@kde.test #551122")
        assert tap(browser, arrives("kde.test")) == ["551122"]
        phone.tell("notify", "", "Shop", "Shop: 551133 is your code\n@kde.test #551133")
        assert tap(browser, arrives("kde.test")) == ["551133"]
        # GSConnect, and another program that says it is GSConnect.
        phone.tell("show", "@gs.test #991199", "Messages", False)
        phone.tell("show", "Shop: your code is 661122\n@gs.test #661122")
        assert tap(browser, arrives("gs.test")) == ["661122"]
        assert rows(browser, "https://gs.test") == []
        assert {line["service"] for line in audit(control)} == {"modem.test", "kde.test", "gs.test"}
        # Nothing of a message is in the journal or in any file.
        control.call("lock")
        for file in [*pathlib.Path(made.folder).rglob("*")]:
            if file.is_file():
                content = file.read_bytes()
                assert not any(text in content for text in (b"747723", b"551122", b"661122", b"991199")), file
        browser.close()


def test_s33_what_comes_by_two_ways_is_offered_once():
    """S33: the phone tells its modem's message and its notification; a code that was used by one way is gone by the other."""
    with Phone() as phone, Installation(phone.environment) as made:
        phone.tell("modem")
        phone.tell("kdeconnect")
        made.start()
        control = made.unlocked()
        control.prefer(authenticationMinutes=1000)
        browser = Browser(made)
        until(lambda: [s["state"] for s in control.call("status")["codes"]][:2] == ["ready"] * 2)
        phone.tell("sms", BOUND)
        phone.tell("notify", BOUND)
        phone.tell("notify", "@other.test #111222")
        until(lambda: rows(browser, "https://other.test"))
        [row] = rows(browser, SHOP)
        assert tap(browser, row) == ["747723"]
        phone.tell("notify", BOUND)
        phone.tell("notify", "@third.test #111333")
        until(lambda: rows(browser, "https://third.test"))
        assert rows(browser, SHOP) == []
        browser.close()


# ---- Authenticators


def saved(stage, user="rm", link=LINK, service="shop.example", **more):
    [item] = stage.control.call(
        "items.add", items=[{"services": [service], "user": user, "password": secret("p"), "authenticator": secret(link), **more}])["items"]
    return item


def test_an_authenticators_code_is_offered_with_its_seconds(fresh):
    item = saved(fresh)
    assert item["authenticator"] is True
    fresh.browser.user = lambda shown: (True, None)
    [row] = rows(fresh.browser, SHOP)
    assert (row["title"], row["user"]) == ("code for shop.example", "rm")
    assert 1 <= row["code"]["secondsLeft"] <= 30 and "source" not in row["code"]
    before = time.time()
    [code] = tap(fresh.browser, row)
    assert code in {totp(before), totp(time.time())}
    assert fresh.browser.presented == []
    line = audit(fresh.control)[-1]
    assert (line["provider"], line["user"], line["requester"]) == ("org.latchkey.passwords", "rm", SHOP)
    # Never a code in a field for a password, never a password in one for a code.
    session = fresh.browser.focus(SHOP, document="P1", tab=7)["session"]
    assert [r["title"] for r in fresh.browser.call("renderer.suggestions", session=session)["suggestions"]] == ["password for shop.example"]
    listed = fresh.browser.call("renderer.list", session=session)["rows"]
    assert {(r["title"], r["fills"]) for r in listed} == {("password for shop.example", True), ("code for shop.example", False)}
    session = focus_code(fresh.browser, SHOP)["session"]
    listed = fresh.browser.call("renderer.list", session=session)["rows"]
    assert {(r["title"], r["fills"]) for r in listed} == {("password for shop.example", False), ("code for shop.example", True)}
    # A stranger's page gets nothing.
    assert rows(fresh.browser, "https://evil.test") == []
    fresh.control.call("items.remove", id=item["id"])


def test_after_a_sign_in_the_accounts_own_code_comes_first(fresh):
    items = [saved(fresh, user) for user in ("alice", "bob", "carol")]
    fresh.browser.user = lambda shown: (True, None)
    offer(fresh, BOUND)
    session = fresh.browser.focus(SHOP, document="P1", tab=5)["session"]
    chosen = [r for r in fresh.browser.call("renderer.suggestions", session=session)["suggestions"] if r["user"] == "bob"]
    assert tap(fresh.browser, chosen[0]) == ["bob", "p"]
    found = rows(fresh.browser, "https://login.shop.example", document="P2", tab=5)
    assert found[0]["user"] == "bob" and found[1]["code"]["boundTo"] == "shop.example"
    # In another tab nobody signed in: what is bound to the page comes first.
    assert rows(fresh.browser, SHOP, document="P3", tab=6)[0]["code"]["boundTo"] == "shop.example"
    for item in items:
        fresh.control.call("items.remove", id=item["id"])


def test_a_closed_tab_forgets_whose_account_was_filled(fresh):
    items = [saved(fresh, user) for user in ("alice", "bob")]
    fresh.browser.user = lambda shown: (True, None)
    offer(fresh, BOUND)
    session = fresh.browser.focus(SHOP, document="P1", tab=5)["session"]
    chosen = [r for r in fresh.browser.call("renderer.suggestions", session=session)["suggestions"] if r["user"] == "bob"]
    assert tap(fresh.browser, chosen[0]) == ["bob", "p"]
    assert rows(fresh.browser, SHOP, document="P2", tab=5)[0]["user"] == "bob"
    fresh.browser.call("page.left", tab=5)
    assert rows(fresh.browser, SHOP, document="P3", tab=5)[0]["code"]["boundTo"] == "shop.example"
    for item in items:
        fresh.control.call("items.remove", id=item["id"])


@pytest.mark.main
def test_the_command_line_shows_the_current_code_through_the_gate(fresh):
    item = saved(fresh, "terminal", service="terminal.test")["id"]
    before = time.time()
    code = fresh.latchkey("show", item, "--only-code").stdout.decode().strip()
    assert code in {totp(before), totp(time.time())}
    told = json.loads(fresh.latchkey("show", item, "--code", "--json").stdout)
    assert told["code"] in {totp(before), totp(time.time())} and 1 <= told["secondsLeft"] <= 30 and "password" not in told
    shown = fresh.latchkey("show", item, "--code").stdout
    assert b"code      " in shown and b"good for " in shown
    lines = [line for line in audit(fresh.control) if line["service"] == "terminal.test"]
    assert len(lines) == 3 and all("a code" in line["purpose"] for line in lines), lines
    assert not any(told["code"] in json.dumps(line) for line in lines)
    # Refusals: nothing to show, two things at once, locked.
    bare = fresh.control.call("items.add", items=[{"services": ["bare.test"], "user": "u", "password": secret("p")}])["items"][0]["id"]
    assert fresh.latchkey("show", bare, "--only-code", check=False).returncode == 5
    assert fresh.latchkey("show", item, "--only-code", "--password", check=False).returncode == 64
    with pytest.raises(WireFailure) as failure:
        fresh.control.call("items.code", id="0" * 32)
    assert failure.value.code == 7
    fresh.control.call("lock")
    assert fresh.latchkey("show", item, "--only-code", check=False).returncode != 0
    fresh.control.call("unlock", passphrase=secret(PASSPHRASE))
    for name in (item, bare):
        fresh.control.call("items.remove", id=name)


def test_keys_are_added_and_edited_from_files_and_pictures(fresh, tmp_path):
    (tmp_path / "link").write_text(LINK + "\n")
    item = fresh.latchkey("add", "otp.test", "rm", "--otp-uri-file", tmp_path / "link", input=b"p\n").stdout.decode().strip()

    def has(name=item):
        return json.loads(fresh.latchkey("show", name, "--json").stdout).get("authenticator", False)

    assert has() is True and b"its set-up key is never shown" in fresh.latchkey("show", item).stdout
    fresh.latchkey("edit", item, "--no-otp")
    assert has() is False
    fresh.latchkey("edit", item, "--otp-uri-file", "-", input=LINK.encode())
    assert has() is True
    fresh.latchkey("edit", item, "--no-otp")
    subprocess.run(["qrencode", "-o", tmp_path / "code.png", LINK], check=True)
    fresh.latchkey("edit", item, "--otp-qr-file", tmp_path / "code.png")
    assert has() is True
    fresh.browser.user = lambda shown: (True, None)
    [row] = rows(fresh.browser, "https://otp.test")
    before = time.time()
    assert tap(fresh.browser, row)[0] in {totp(before), totp(time.time())}
    (tmp_path / "noise.png").write_bytes(os.urandom(2000))
    for arguments, status in [
        (["--otp-qr-file", tmp_path / "noise.png"], 13), (["--otp-qr-file", tmp_path / "none.png"], 5),
        (["--otp-qr-file", tmp_path], 13), (["--otp-uri-file", tmp_path / "noise.png"], 13),
        (["--otp-uri-file", tmp_path / "link", "--no-otp"], 64), (["--otp-uri-file", "x", "--otp-qr-file", "y"], 64),
    ]:
        done = fresh.latchkey("edit", item, *arguments, check=False)
        assert done.returncode == status, (arguments, done.stderr)
        assert b"Traceback" not in done.stderr and KEY not in done.stderr and b"GEZD" not in done.stderr
    assert has() is True
    done = fresh.latchkey("add", "x.test", "u", "--otp-uri-file", "-", input=LINK.encode(), check=False)
    assert done.returncode == 64 and b"both come from standard input" in done.stderr
    for link in ("otpauth://hotp/x?secret=GEZDGNBV&counter=1", "GEZDGNBV", "otpauth://totp/x?secret=1"):
        (tmp_path / "link").write_text(link)
        done = fresh.latchkey("edit", item, "--otp-uri-file", tmp_path / "link", check=False)
        assert done.returncode == 13 and b"GEZD" not in done.stderr
    with pytest.raises(WireFailure) as failure:
        fresh.control.call("items.edit", id=item, authenticator=secret("otpauth://hotp/x?secret=GEZDGNBV&counter=1"))
    assert failure.value.code == 17
    fresh.control.call("items.remove", id=item)


# ---- Providers of other people


def code_identity(host):
    return {"type": "one-time-code", "service": {"type": 0, "identifier": host}, "user": "anna", "recordIdentifier": "c", "rank": 0}


@pytest.mark.attack
@pytest.mark.parametrize("states", [False, True])
def test_S64_a_provider_of_passwords_alone_offers_no_code(running, client, states):
    """It publishes codes all the same. The rest of the list that one of them stands in is kept."""
    bundle = Bundle(running, capabilities={"ProvidesOneTimeCodes": states})
    hand = Hand(bundle)
    bundle.enable(client)
    hand.taken().filled()
    host = SITE.removeprefix("https://")
    password = hand.run(f"value = provider.identity({host!r}, 'second')")
    assert "result" in hand.ask("store.save", identities=[code_identity(host), password])
    browser = Browser(running)
    try:
        found = [row for row in rows(browser, SITE) if row["provider"] == SHINY]
        listed = hand.ask("store.list", types=[])["result"]["identities"]
        assert {one["user"] for one in listed} >= {"rmondello", "second"}
        if states:
            assert len(found) == 1 and bundle.statement(client)["identities"] == 3
        else:
            nothing_released("codes that are offered", found, [one for one in listed if one["type"] != "password"])
    finally:
        browser.close()

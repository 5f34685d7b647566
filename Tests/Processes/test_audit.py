# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""S26: the audit log, edited by hand in every way: `latchkey audit --verify` says what was done to which line."""

import json
import os
import shutil
import signal
import subprocess

import pytest

from installation import BINARIES, WireFailure, denied, secret, until
from providers import HOST, SHINY, Bundle, taken
from verdicts import must_hold, nothing_released

PASSWORD = "p" * 16


@pytest.fixture
def log(running):
    """A log of six lines whose daemon has written down where it stands."""
    client = running.unlocked()
    running.item = client.call(
        "items.add", items=[{"services": ["shiny.example.com"], "user": "me", "password": secret(PASSWORD)}]
    )["items"][0]["id"]
    for _ in range(6):
        client.call("items.reveal", id=running.item, purpose="show")
    client.call("lock")
    client.call("unlock", passphrase=secret("correct horse battery staple"))
    running.control = client
    return running


def lines(log):
    return (log.state / "audit.log").read_bytes().splitlines(keepends=True)


def write(log, content):
    (log.state / "audit.log").write_bytes(b"".join(content))


def restart(log):
    """A new process, which knows nothing but the files."""
    log.kill()
    log.start()
    log.control = log.unlocked()


def verify(log):
    done = log.latchkey("audit", "--verify", "--json", check=False)
    answer = json.loads(done.stdout)
    assert done.returncode == (0 if answer["intact"] else 10), done
    assert answer["intact"] == (answer["findings"] == [])
    return [(finding["kind"], finding["first"], finding["last"]) for finding in answer["findings"]]


def both(log, content, expected):
    """What is found by the process that wrote the lines, and by one that only has the files."""
    write(log, content)
    must_hold((found := verify(log)) == expected, f"what was done to the log is not found: {found}, not {expected}")
    restart(log)
    must_hold((found := verify(log)) == expected, f"what was done to the log is not found: {found}, not {expected}")


@pytest.mark.main
def test_S26_a_log_that_nobody_touched_is_intact(log):
    assert verify(log) == []
    text = log.latchkey("audit", "--verify").stdout.decode()
    assert text == "The audit log is intact: lines 1 to 6.\n"
    restart(log)
    assert verify(log) == []


def test_S26_the_first_line_deleted(log):
    both(log, lines(log)[1:], [("deleted", 1, 1)])
    assert "Line 1, the first one, is missing." in log.latchkey("audit", "--verify", check=False).stdout.decode()


@pytest.mark.main
def test_S26_a_middle_line_deleted(log):
    all = lines(log)
    both(log, all[:2] + all[3:], [("deleted", 3, 3)])


def test_S26_several_lines_deleted(log):
    all = lines(log)
    both(log, [all[0], all[3], all[5]], [("deleted", 2, 3), ("deleted", 5, 5)])


@pytest.mark.main
def test_S26_the_last_line_deleted(log):
    both(log, lines(log)[:-1], [("deleted", 6, 6)])
    assert "the last one" in log.latchkey("audit", "--verify", check=False).stdout.decode()


def test_S26_the_whole_log_deleted(log):
    (log.state / "audit.log").unlink()
    assert verify(log) == [("deleted", 1, 6)]
    restart(log)
    assert ("deleted", 1, 6) in verify(log)
    # It is on record from now on, and the log goes on behind what is gone.
    line = log.control.call("audit.list")["lines"][-1]
    assert line["event"] == "damaged" and line["number"] == 7 and "missing" in line["reason"]


@pytest.mark.main
def test_S26_a_line_rewritten(log):
    all = lines(log)
    sealed, tag = all[3].split()
    changed = b"A" if sealed[40:41] != b"A" else b"B"
    all[3] = sealed[:40] + changed + sealed[41:] + b" " + tag + b"\n"
    both(log, all, [("rewritten", 4, 4)])


def test_S26_a_line_that_is_no_line(log):
    all = lines(log)
    all[1] = b"nothing happened\n"
    both(log, all, [("rewritten", 2, 2)])


def test_S26_two_lines_exchanged(log):
    all = lines(log)
    all[1], all[4] = all[4], all[1]
    both(log, all, [("exchanged", 2, 5)])


def test_S26_lines_in_another_order(log):
    all = lines(log)
    both(log, [all[0], all[3], all[1], all[2], all[4], all[5]], [("reordered", 2, 4)])


def test_S26_a_line_twice(log):
    all = lines(log)
    both(log, all[:4] + [all[2]] + all[4:], [("repeated", 3, 3)])


def test_S26_a_file_cut_off_in_the_middle_of_a_line(log):
    all = lines(log)
    write(log, all[:5] + [all[5][:60]])
    assert verify(log) == [("cut", 6, 6)]
    # Nothing is released behind half a line, because the line about it could not be written.
    denied(14, log.control.call, "items.reveal", id=log.item, purpose="show")
    restart(log)
    found = verify(log)
    assert ("cut", 6, 6) in found and ("deleted", 6, 6) in found or found == [("cut", 6, 6)], found
    log.control.call("items.reveal", id=log.item, purpose="show")


def test_S26_lines_added_while_locked_under_no_key(log):
    log.control.call("lock")
    all = lines(log)
    write(log, all + [all[2], b"AAAA BBBB\n"])
    log.control.call("unlock", passphrase=secret("correct horse battery staple"))
    assert verify(log) == [("repeated", 3, 3), ("added", 6, 6)] or verify(log)[0][0] == "repeated"
    kinds = {kind for kind, _, _ in verify(log)}
    assert kinds == {"repeated", "added"}


def test_S26_a_line_made_by_the_documented_format_while_locked(log):
    """Whoever has the files has the public key and everything in audit.key; that is not enough for a tag."""
    log.control.call("lock")
    key = json.loads((log.state / "audit.key").read_text())
    assert set(key) == {"firstIndex", "nextIndex", "publicKey"}, "the key file holds what lines could be made with"
    crypto = pytest.importorskip("cryptography.hazmat.primitives.ciphers.aead")
    import base64
    import hashlib
    import hmac

    sealed = os.urandom(32) + crypto.ChaCha20Poly1305(os.urandom(32)).encrypt(bytes(12), b'{"event":"released"}', b"")
    guessed = hmac.new(base64.b64decode(key["publicKey"]), (6).to_bytes(8, "big") + sealed, hashlib.sha256).digest()
    forged = base64.b64encode(sealed) + b" " + base64.b64encode(guessed) + b"\n"
    for stopped in (False, True):
        if stopped:
            log.kill()
        write(log, lines(log)[:6] + [forged, forged])
        key["nextIndex"] = 8
        (log.state / "audit.key").write_text(json.dumps(key))
        if stopped:
            log.start()
        log.control = log.unlocked()
        found = verify(log)
        assert any(kind in ("added", "rewritten", "key-file") and (first or 7) >= 6 for kind, first, _ in found), found
        assert all(line["requester"] != "forged" for line in log.control.call("audit.list")["lines"])
        log.control.call("lock")


def test_S26_lines_added_while_unlocked(log):
    write(log, lines(log) + [lines(log)[0]])
    assert verify(log) == [("repeated", 1, 1)]


def test_S26_an_older_key_file(log):
    older = (log.state / "audit.key").read_bytes()
    log.control.call("items.reveal", id=log.item, purpose="show")
    until(lambda: json.loads((log.state / "audit.key").read_text())["nextIndex"] == 7)
    (log.state / "audit.key").write_bytes(older)
    assert verify(log) == [("key-file", None, None)]
    assert "older copy" in log.latchkey("audit", "--verify", check=False).stdout.decode()
    log.kill()
    (log.state / "audit.key").write_bytes(older)
    log.start()
    log.control = log.unlocked()
    assert verify(log) == [("key-file", None, None)]


def test_S26_the_log_and_its_key_file_put_back_together(log):
    copies = {name: (log.state / name).read_bytes() for name in ("audit.log", "audit.key")}
    log.control.call("items.reveal", id=log.item, purpose="show")
    log.control.call("lock")
    log.kill()
    for name, content in copies.items():
        (log.state / name).write_bytes(content)
    log.start()
    log.control = log.unlocked()
    assert ("deleted", 7, 7) in verify(log)


@pytest.mark.parametrize("content", [None, b"", b"{}", b'{"publicKey":"AAAA","firstIndex":0,"nextIndex":6}', b"\xff" * 64])
def test_S26_a_key_file_that_is_none(log, content):
    log.kill()
    if content is None:
        (log.state / "audit.key").unlink()
    else:
        (log.state / "audit.key").write_bytes(content)
    log.start()
    log.control = log.unlocked()
    assert verify(log) == [("key-file", None, None)]
    log.control.call("items.reveal", id=log.item, purpose="show")
    assert log.control.call("audit.list")["lines"][-1]["event"] == "released"


def test_S26_a_log_of_another_installation(log):
    for name in ("audit.log", "audit.key"):
        shutil.copy(log.state / name, log.folder / name)
    from installation import Installation

    with Installation(fresh=True) as other:
        other.start()
        client = other.unlocked()
        item = client.call("items.add", items=[{"services": ["a.test"], "user": "u", "password": secret("x" * 12)}])
        client.call("items.reveal", id=item["items"][0]["id"], purpose="show")
        client.call("lock")
        other.kill()
        for name in ("audit.log", "audit.key"):
            shutil.copy(log.folder / name, other.state / name)
        other.start()
        client = other.unlocked()
        assert client.call("audit.verify")["findings"][0]["kind"] == "replaced"
        assert (other.state / "audit.log.replaced-1").exists()


def test_the_purpose_of_a_reveal_is_in_the_log(log):
    for purpose in ("show", "copy"):
        log.control.call("items.reveal", id=log.item, purpose=purpose)
    log.control.call("items.history", id=log.item)
    found = [line.get("purpose") for line in log.control.call("audit.list")["lines"]]
    assert found == ["show"] * 6 + ["show", "copy"]


def test_since_and_service_and_pages(log):
    other = log.control.call(
        "items.add", items=[{"services": ["other.test"], "user": "me", "password": secret(PASSWORD)}]
    )["items"][0]["id"]
    log.control.call("items.reveal", id=other, purpose="show")
    done = json.loads(log.latchkey("audit", "--json", "--service", "other.test").stdout)
    assert [line["service"] for line in done["lines"]] == ["other.test"]
    assert json.loads(log.latchkey("audit", "--json", "--since", "0s").stdout)["intact"] is True
    answer = log.control.call("audit.list", cursor=7)
    assert [line["number"] for line in answer["lines"]] == [7] and answer["next"] == 8


class Follower:
    def __init__(self, log, *arguments):
        self.process = subprocess.Popen(
            [BINARIES / "latchkey", "audit", "--follow", *arguments],
            env=log.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            # As in a terminal: what a shell runs in the background has the signal ignored, and hands that on.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )

    def line(self):
        return self.process.stdout.readline().decode()


def test_follow_prints_lines_as_they_come(log):
    follower = Follower(log, "--json")
    for number in range(1, 7):
        assert json.loads(follower.line())["number"] == number
    log.control.call("items.reveal", id=log.item, purpose="copy")
    line = json.loads(follower.line())
    assert line["number"] == 7 and line["purpose"] == "copy"
    follower.process.send_signal(signal.SIGINT)
    rest, errors = follower.process.communicate(timeout=20)
    assert rest == b"" and errors == b""
    assert follower.process.returncode in (0, -signal.SIGINT)


def test_follow_ends_when_locked(log):
    follower = Follower(log)
    for _ in range(6):
        assert "shiny.example.com" in follower.line()
    log.control.call("lock")
    _, errors = follower.process.communicate(timeout=20)
    assert follower.process.returncode == 3
    assert b"locked" in errors


@pytest.mark.main
def test_S27_while_locked_nothing_is_read(log):
    log.control.call("lock")
    for arguments in (["audit"], ["audit", "--verify"], ["audit", "--follow"]):
        done = log.latchkey(*arguments, check=False)
        nothing_released("the log while locked", done.stdout)
        assert done.returncode == 3 and b"locked" in done.stderr


def test_verify_takes_nothing_else(log):
    for argument in (["--follow"], ["--since", "1h"], ["--service", "x"]):
        assert log.latchkey("audit", "--verify", *argument, check=False).returncode == 64


def test_lines_written_while_locked_are_vouched_for_by_the_process(log):
    """A refusal while locked is authenticated by a key that is in memory only, and is no finding."""
    client = log.control
    client.call("lock")
    with pytest.raises(WireFailure):
        client.call("items.reveal", id=log.item, purpose="show")
    client.call("unlock", passphrase=secret("correct horse battery staple"))
    assert verify(log) == []


def test_S65_long_texts_do_not_keep_the_log_from_being_shown(running, client):
    """A provider's own list names the user; a page of the log is one message."""
    hand = taken(Bundle(running, holds=["provider.prepareCredentialList"]), client)
    client.prefer(authentication="never")
    for length in (900_000, 1_000):
        process = subprocess.Popen(
            [running.programs / "latchkey", "choose", f"https://{HOST}", "--provider", SHINY, "--json"], env=running.environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        held = hand.expect("provider.prepareCredentialList")
        hand.send(id=held["id"], result={"credential": {"type": "password", "user": "u" * length, "password": secret("x")}})
        assert process.wait(60) != 0
    # Nobody has chosen anything.
    assert [line for line in client.call("audit.list")["lines"] if line["event"] == "released"] == []


def test_S65_a_page_of_the_log_fits_into_a_message(log):
    service = "https://" + ".".join(["a" * 60] * 3) + ".example.com/" + "p" * 1_700
    item = log.control.call("items.add", items=[{"services": [service], "user": "u" * 1_000, "password": secret("x")}])["items"][0]["id"]
    for _ in range(700):
        log.control.call("items.reveal", id=item, purpose="show")
    lines, cursor = [], None
    while True:
        page = log.control.call("audit.list", **({"cursor": cursor} if cursor else {}))
        lines += page["lines"]
        if not (cursor := page.get("cursor")):
            break
    assert page["intact"] is True and len([line for line in lines if line["event"] == "released"]) >= 700
    assert [line["number"] for line in lines] == sorted({line["number"] for line in lines})

# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""`latchkey code`, as scripts use it, without a daemon."""

import base64
import hashlib
import hmac
import json
import os
import pathlib
import struct
import time

import pytest

from installation import BINARIES, run_program

VECTORS = pathlib.Path(__file__).resolve().parents[1] / "Vectors" / "messages"
KEY = b"12345678901234567890"
LINK = f"otpauth://totp/Shiny:rm?secret={base64.b32encode(KEY).decode()}&issuer=Shiny"


def latchkey(*arguments, data=b""):
    return run_program(
        [BINARIES / "latchkey", "code", *arguments], input=data, env={"PATH": os.environ["PATH"], "HOME": "/nonexistent"})


def parse(*messages):
    """The object for each message."""
    answer = latchkey("parse", "--json", data="\0".join(messages).encode())
    assert answer.returncode == 0, answer.stderr
    lines = answer.stdout.decode().split("\n")
    assert lines.pop() == ""
    return [json.loads(line) for line in lines]


def totp(moment, digest=hashlib.sha1, digits=6, period=30):
    """RFC 6238, read once more in another language."""
    mac = hmac.new(KEY, struct.pack(">Q", int(moment) // period), digest).digest()
    place = mac[-1] & 15
    return str((struct.unpack(">I", mac[place:place + 4])[0] & 0x7FFFFFFF) % 10**digits).zfill(digits)


def test_parse_prints_a_line_for_each_message():
    found = parse("Your code is 123-456.", "", "Your order 4821 has shipped", "1 is\n@shop.test #12a %pay.example x", "")
    assert [set(line) for line in found] == [{"code", "boundTo", "embedded", "reason"}] * 5
    assert [line["code"] for line in found] == ["123456", None, None, "12a", None]
    assert [line["boundTo"] for line in found] == [None, None, None, "shop.test", None]
    assert [line["embedded"] for line in found] == [None, None, None, "pay.example", None]
    assert all(line["reason"].endswith(".") for line in found)


def test_parse_reads_nothing_as_one_empty_message():
    assert [line["code"] for line in parse("")] == [None]
    assert [line["code"] for line in parse("", "")] == [None, None]


def test_parse_prints_codes_without_json():
    answer = latchkey("parse", data="Your code is 1234\0nothing\0@a.test #\u202e1\x1b[2J".encode())
    assert (answer.returncode, answer.stdout.split(b"\n")[:2]) == (0, [b"1234", b""])
    assert b"\x1b" not in answer.stdout


def test_parse_takes_any_bytes():
    data = bytes(range(1, 256)) * 40 + b"\0" + b"\xff\xfe your login code is 4821 \xc3"
    answer = latchkey("parse", "--json", data=data)
    assert answer.returncode == 0
    assert [json.loads(line)["code"] for line in answer.stdout.splitlines()][1] == "4821"


@pytest.mark.parametrize("piece", ["1 ", "a1-", "pin1-", "your code is 123456 ", "@a ", "验证码 1", "never share codes, order 4821 "])
def test_parse_takes_a_megabyte(piece):
    start = time.monotonic()
    assert len(parse(piece * (1_000_000 // len(piece.encode())))) == 1
    assert time.monotonic() - start < 60


def test_parse_takes_many_messages():
    texts = [line.split("|", 2)[2].replace("\\n", "\n") for line in (VECTORS / "known.txt").read_text().splitlines()
             if line and not line.startswith("#")]
    found = parse(*texts * 20)
    assert len(found) == len(texts) * 20 and found[:len(texts)] == found[-len(texts):]


@pytest.mark.main
def test_totp_prints_the_code_and_the_seconds_left(tmp_path):
    file = tmp_path / "link"
    file.write_text(LINK + "\n")
    for arguments, data in ((["--uri-file", file], b""), (["--uri-file", "-"], LINK.encode())):
        before = time.time()
        answer = latchkey("totp", *arguments, data=data)
        after = time.time()
        assert answer.returncode == 0, answer.stderr
        code, left, *name = answer.stdout.decode().split()
        assert code in {totp(before), totp(after)} and 1 <= int(left) <= 30 and name == ["Shiny:", "rm"]


def test_totp_takes_a_skew():
    answer = latchkey("totp", "--json", "--skew", "-3600", "--uri-file", "-", data=LINK.encode())
    now = time.time()
    [found] = json.loads(answer.stdout)
    assert set(found) == {"code", "secondsLeft", "name"}
    assert found["code"] in {totp(now - 3600), totp(now - 3602)}


@pytest.mark.parametrize("link, status", [
    ("otpauth://totp/x?secret=JBSWY3DP1", 13), ("JBSWY3DPEHPK3PXP", 13), ("otpauth://hotp/x?secret=JBSWY3DPEHPK3PXP&counter=1", 13),
    ("otpauth-migration://offline?data=JBSWY3DPEHPK3PXP", 13), ("", 13),
])
def test_totp_refuses_without_quoting(link, status):
    answer = latchkey("totp", "--uri-file", "-", data=link.encode())
    assert (answer.returncode, answer.stdout) == (status, b"")
    assert answer.stderr.startswith(b"latchkey: ") and b"JBSW" not in answer.stderr


def test_totp_takes_no_link_as_an_argument():
    answer = latchkey("totp", LINK)
    assert answer.returncode == 64 and b"GEZD" not in answer.stderr + answer.stdout

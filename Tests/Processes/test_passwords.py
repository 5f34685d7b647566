# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""`latchkey rules` and `latchkey generate`, as scripts use them; what is generated is checked by rules read here once more."""

import json
import os
import pathlib
import string
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest

from installation import BINARIES

QUIRKS = pathlib.Path(__file__).resolve().parents[3] / "shared" / "data" / "quirks" / "password-rules.json"
NAMED = {
    "upper": set(string.ascii_uppercase), "lower": set(string.ascii_lowercase), "digit": set(string.digits),
    "special": {chr(code) for code in range(0x20, 0x7F) if not chr(code).isalnum()},
    "ascii-printable": {chr(code) for code in range(0x20, 0x7F)}, "unicode": {chr(code) for code in range(0x20, 0x7F)},
}


def latchkey(*arguments, text=None):
    return subprocess.run([BINARIES / "latchkey", *arguments], input=text, capture_output=True, text=True, timeout=60,
                          env={"PATH": os.environ["PATH"], "HOME": "/nonexistent"})


def characters(classes):
    """The set that a canonical list of classes means: a custom class stands last and may hold commas."""
    named, _, custom = classes.partition("[")
    found = set(custom[:-1])
    for name in filter(None, (part.strip() for part in named.split(","))):
        found |= NAMED[name]
    return found


class Rules:
    def __init__(self, parsed):
        self.required = [characters(classes) for classes in parsed["required"]]
        self.allowed = characters(parsed["allowed"])
        self.lengths = (parsed["minlength"] or 1, parsed["maxlength"] or 10_000)
        self.run = parsed["maxConsecutive"]

    def accept(self, password):
        used = set(password)
        if not self.lengths[0] <= len(password) <= self.lengths[1] or not used <= self.allowed:
            return False
        if any(not used & classes for classes in self.required):
            return False
        return not self.run or all(character * (self.run + 1) not in password for character in used)


def test_parse_prints_a_line_for_each_line():
    texts = ["required: upper; maxlength: 12", "", "minlength: 8x", "allowed: [-!]]; max-consecutive: 2"]
    answer = latchkey("rules", "parse", "--json", text="\n".join(texts))
    assert answer.returncode == 0, answer.stderr
    lines = [json.loads(line) for line in answer.stdout.splitlines()]
    assert [set(line) for line in lines] == [
        {"canonical", "required", "allowed", "minlength", "maxlength", "maxConsecutive", "diagnostics"}] * 4
    assert lines[0]["required"] == ["upper"] and lines[0]["allowed"] == "upper" and lines[0]["maxlength"] == 12
    assert lines[1]["canonical"] == "allowed: ascii-printable" and not lines[1]["diagnostics"]
    assert set(lines[2]["diagnostics"][0]) == {"column", "message"} and lines[2]["minlength"] is None
    assert lines[3]["allowed"] == "[-!]]" and lines[3]["maxConsecutive"] == 2


def test_parse_reads_lines_as_they_are():
    # Empty ones count where something follows; a carriage return is white space, and behind a number there may be none.
    answer = latchkey("rules", "parse", "--json", text="\n\nminlength: 8\r\nrequired: upper\r\n\nrequired: [\"\\]\n")
    lines = [json.loads(line) for line in answer.stdout.splitlines()]
    assert len(lines) == 6
    assert lines[2]["minlength"] is None and lines[2]["diagnostics"]
    assert lines[3]["required"] == ["upper"] and not lines[3]["diagnostics"]
    assert lines[5]["required"] == ["[\"\\]"]
    assert latchkey("rules", "parse", "--json", text="").stdout == ""
    plain = latchkey("rules", "parse", text="required: upper; maxlength: 9\n\n ")
    assert plain.stdout.splitlines() == ["required: upper; allowed: upper; maxlength: 9"] + ["allowed: ascii-printable"] * 2


def test_parse_and_check_say_the_same():
    for text in ["required: upper, lower; required: [-a\"\\]]; max-consecutive: 2; minlength: 9; maxlength: 12", "é: x",
                 "allowed: unicode; minlength: 9; maxlength: 8", "required: [a-z], digit;; minlength: 4", "; upper"]:
        parsed = json.loads(latchkey("rules", "parse", "--json", text=text).stdout)
        checked = json.loads(latchkey("rules", "check", "--json", text).stdout)
        assert parsed == {name: checked[name] for name in parsed}


def test_parse_survives_any_bytes():
    answer = subprocess.run([BINARIES / "latchkey", "rules", "parse", "--json"], capture_output=True, timeout=60,
                            input=b"\xff\xfe\x00; required\n" + b"[" * 100_000 + b"\n\x00\n")
    assert answer.returncode == 0 and len(answer.stdout.splitlines()) == 3


def test_check_says_what_is_lost():
    assert latchkey("rules", "check", "required: upper; minlength: 12").returncode == 0
    lost = latchkey("rules", "check", "required: digits")
    assert lost.returncode == 13 and "column 11" in lost.stdout and "lost" in lost.stderr
    never = latchkey("rules", "check", "minlength: 9; maxlength: 8", "--json")
    assert never.returncode == 13 and "failure" in json.loads(never.stdout)


@pytest.mark.parametrize("arguments", [
    ["--rules", "minlength: 9; maxlength: 8"], ["--kind", "passphrase", "--words", "2"],
    ["--rules", "required: special", "--kind", "alphanumeric"]])
def test_what_cannot_be_generated_is_an_error(arguments):
    answer = latchkey("generate", *arguments)
    assert answer.returncode == 13 and answer.stdout == "" and answer.stderr.startswith("latchkey: ")


@pytest.mark.parametrize("arguments", [["--count", "0"], ["--count", "100001"], ["--kind", "easy"]])
def test_wrong_arguments(arguments):
    assert latchkey("generate", *arguments).returncode == 64


def test_s31_weak_rules_are_warned_about():
    answer = latchkey("generate", "--rules", "allowed: digit; maxlength: 4")
    assert answer.returncode == 0 and len(answer.stdout.strip()) == 4 and "easy to guess" in answer.stderr


@pytest.mark.soak
@pytest.mark.skipif(not QUIRKS.exists(), reason="the rules of real sites are not here")
def test_s31_a_thousand_passwords_for_the_rules_of_each_site():
    sites = json.loads(QUIRKS.read_text())
    texts = [site["password-rules"] for site in sites.values()]
    parsed = latchkey("rules", "parse", "--json", text="\n".join(texts)).stdout.splitlines()
    assert len(parsed) == len(texts) > 400

    def refused(pair):
        rules = Rules(json.loads(pair[1]))
        answer = latchkey("generate", "--rules", pair[0], "--count", "1000")
        passwords = answer.stdout.splitlines()
        wrong = [password for password in passwords if not rules.accept(password)]
        return pair[0] if wrong or len(passwords) != 1000 or len(set(passwords)) < 900 else None

    with ThreadPoolExecutor(2) as pool:
        assert not list(filter(None, pool.map(refused, zip(texts, parsed))))

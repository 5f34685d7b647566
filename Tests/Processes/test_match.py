# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""`latchkey match`: the decision from the command line, without daemon and vault, over the tables that the rooms are tested with."""

import json
import pathlib
import re

import pytest

from verdicts import must_hold

VECTORS = pathlib.Path(__file__).resolve().parents[1] / "Vectors" / "matching"
QUIRKS = VECTORS / "quirks"
LIST = pathlib.Path("/usr/share/publicsuffix/public_suffix_list.dat")


def table(name):
    """(saved, page, frames, decision, what is asked, strict) of each row."""
    rows = []
    for line in (VECTORS / name).read_text(encoding="utf-8").split("\n"):
        if not line or line.startswith("#"):
            continue
        plain = lambda field: re.sub(r"\{U\+([0-9A-F]+)\}", lambda number: chr(int(number[1], 16)), field)
        _, decision, asked, saved, page, frames, *_ = [plain(field) for field in line.split("\t")] + [""] * 3
        rows.append((saved, page, frames, decision.split(":")[0], asked not in ("-", "strict"), asked == "strict"))
    assert len(rows) > 50, f"{name} is nearly empty"
    return rows


def ask(installation, rows, *options):
    """The answers to rows in one batch."""
    lines = "".join(f"{saved}\t{page}\t{frames}\n" for saved, page, frames, *_ in rows)
    done = installation.latchkey("match", *options, "-", "-", input=lines.encode())
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.main
@pytest.mark.parametrize("name, options", [("pairs.tsv", ()), ("shared.tsv", ("--quirks", QUIRKS))])
def test_s6_s20_every_row_of_the_tables_in_a_batch(installation, name, options):
    """What the room decides, the program prints; and nothing was started for it."""
    # Characters that would be a line or a field of their own are asked one by one below.
    rows = [row for row in table(name) if not re.search(r"[\t\n]", "".join(row[:3]))]
    for strict in [False, True]:
        chosen = [row for row in rows if row[5] == strict]
        answers = ask(installation, chosen, *options, *(["--strict"] if strict else []))
        assert len(answers) == len(chosen)
        for row, answer in zip(chosen, answers):
            assert set(answer) == {"decision", "requiresConsent", "reason"} and answer["reason"], row
            must_hold((answer["decision"], answer["requiresConsent"]) == row[3:5], f"{row} is answered {answer}")
    assert not installation.socket.exists() and not installation.data.exists() and not installation.state.exists()


@pytest.mark.parametrize(
    "arguments, decision, consent",
    [
        (["shiny.example.com", "https://shiny.example.com/login"], "exact", False),
        (["shiny.example.com", "ht\ntps://shiny.\texample.com"], "exact", False),
        (["example.com", "https://www.example.com"], "sameSite", False),
        (["--strict", "example.com", "https://www.example.com"], "refused", False),
        (["shiny.example.com", "http://shiny.example.com"], "refused", False),
        (["shiny.example.com", "https://evil.test", "--frame", "https://shiny.example.com"], "exact", True),
        (["shiny.example.com", "https://shiny.example.com", "--frame", "https://evil.test"], "refused", False),
        (["shiny.example.com", "https://shiny.example.com", "--frame", "about:srcdoc"], "refused", False),
        (["shiny.example.com", "https://shiny.example.com", "--frame", ""], "refused", False),
        (["klm.example", "https://air.example", "--quirks", str(QUIRKS)], "refused", False),
        (["shiny.example.com", "https://shiny-store.example", "--quirks", str(QUIRKS)], "shared", True),
        (["", ""], "refused", False),
        (["-", "https://shiny.example.com"], "refused", False),
        (["shiny.example.com", "javascript:alert(1)"], "refused", False),
        (["a" * 5000, "https://" + "a." * 5000], "refused", False),
    ],
)
def test_s6_s20_one_question(installation, arguments, decision, consent):
    """Every question that can be read is answered with status 0, refusals too."""
    done = installation.latchkey("match", "--json", *arguments)
    answer = json.loads(done.stdout)
    must_hold((answer["decision"], answer["requiresConsent"]) == (decision, consent), f"{arguments} is answered {answer}")
    assert done.stderr == b""
    people = installation.latchkey("match", *arguments).stdout.decode()
    assert people.startswith(decision + ": ") and people.count("\n") == 1


@pytest.mark.parametrize("page", ["https://notexample.org", "https://x-example.org:443", "https://example.org.evil.test", "https://example.orgx"])
def test_S11_hosts_are_compared_by_label(installation, page):
    """A host that only ends or begins with the letters of another is another site."""
    answer = json.loads(installation.latchkey("match", "--json", "example.org", page).stdout)
    must_hold(answer["decision"] == "refused", f"{page} is taken for example.org: {answer}")


def test_lines_that_are_no_questions_are_answered_and_counted(installation):
    lines = b"shiny.example.com\nshiny.example.com\thttps://shiny.example.com\n\na\tb\tc\td\n\xff\t\xfe\n"
    done = installation.latchkey("match", "-", "-", input=lines, check=False)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert ["error" in answer for answer in answers] == [True, False, True, True, False]
    assert answers[1]["decision"] == "exact" and answers[4]["decision"] == "refused"
    assert done.returncode == 13 and b"3 lines" in done.stderr
    assert installation.latchkey("match", "-", "-", input=b"").stdout == b""


@pytest.mark.parametrize("arguments", [[], ["a"], ["a", "b", "c"], ["-", "-", "--frame", "x"], ["a", "b", "--frame"]])
def test_what_is_no_question_is_a_usage_error(installation, arguments):
    assert installation.latchkey("match", *arguments, check=False).returncode == 64


def test_a_folder_that_is_not_there_is_said(installation):
    done = installation.latchkey("match", "a.example", "https://a.example", "--quirks", "/nowhere", check=False)
    assert done.returncode == 5 and b"There is no folder" in done.stderr


def test_s10_the_newest_list_and_the_users_groups_are_read(installation):
    """A list in the user's folder wins when it is newer and whole; a broken file is said and changes nothing."""
    folder = installation.data / "quirks"
    folder.mkdir(parents=True)
    question = ["match", "--json", "a.split.example", "https://b.split.example"]
    assert json.loads(installation.latchkey(*question).stdout)["decision"] == "sameSite"
    if LIST.exists():
        rules = LIST.read_text(encoding="utf-8").replace("// ===END PRIVATE", "split.example\n// ===END PRIVATE")
        (folder / LIST.name).write_text(rules, encoding="utf-8")
        assert json.loads(installation.latchkey(*question).stdout)["decision"] == "refused"
        (folder / LIST.name).write_text(rules[:100_000], encoding="utf-8")
        done = installation.latchkey(*question)
        assert json.loads(done.stdout)["decision"] == "sameSite" and b"not a whole public suffix list" in done.stderr
        (folder / LIST.name).unlink()
    question = ["match", "--json", "a.example", "https://b.example"]
    (folder / "shared-credentials.json").write_text('[{"shared": ["a.example", "b.example"]}]')
    assert json.loads(installation.latchkey(*question).stdout)["decision"] == "shared"
    (folder / "shared-credentials.json").write_text('[{"shared": ["a.example", "com"]}]')
    done = installation.latchkey(*question)
    assert json.loads(done.stdout)["decision"] == "refused" and b"not a domain" in done.stderr


def test_s10_s20_related_hosts_are_offered_below_and_imitations_are_not(installation):
    """The daemon decides by the same rules, and indexes its stores anew when the list has changed while it was locked."""
    installation.start()
    client = installation.unlocked()
    for number, service in enumerate(["www.split.example", "login.split.example", "http://plain.example"]):
        item = {"services": [service], "user": f"user{number}", "password": {"secret": "p" * 16}}
        client.call("items.add", items=[item])
    services = lambda url: [row["service"] for row in client.call("suggestions.list", url=url)["suggestions"]]
    assert services("https://login.split.example") == ["login.split.example", "www.split.example"]
    assert services("https://plain.example") == ["http://plain.example"]
    assert services("http://login.split.example") == [] and services("https://www.plain.example") == []
    assert services("https://login.sp1it.example") == [] and services("https://login.split.example.evil.test") == []
    if not LIST.exists():
        pytest.skip("there is no list as text to change")
    client.call("lock")
    folder = installation.data / "quirks"
    folder.mkdir(parents=True)
    rules = LIST.read_text(encoding="utf-8").replace("// ===END PRIVATE", "split.example\n// ===END PRIVATE")
    (folder / LIST.name).write_text(rules, encoding="utf-8")
    client = installation.unlocked()
    assert services("https://login.split.example") == ["login.split.example"]
    assert services("https://other.split.example") == []

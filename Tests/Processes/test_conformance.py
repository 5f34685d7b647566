# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""`latchkey providers test` on the sample in Python, as it is and broken in one way each."""

import json
import shutil

import pytest

import saving_provider
from installation import ROOT

# What waits for time limits to pass again and again, and most of a long table whose every row takes seconds.
slow = pytest.mark.soak
SAMPLE = ROOT / "Examples" / "provider-python" / "Sample.appex"


@pytest.fixture
def bundle(tmp_path):
    """A copy that a test may break."""
    return shutil.copytree(SAMPLE, tmp_path / "Sample.appex")


def run(installation, bundle):
    """The outcome of each check, by its name, and the exit status."""
    answers = installation.folder / "answers.json"
    answers.write_text(json.dumps({"pin": "2468"}))
    done = installation.latchkey("providers", "test", bundle, "--json", "--answers", answers, check=False)
    return {c["name"]: (c["outcome"], c["reason"]) for c in json.loads(done.stdout)["checks"]}, done


def edit(bundle, old, new, file="provider"):
    text = (bundle / file).read_text()
    assert old in text
    (bundle / file).write_text(text.replace(old, new))


def test_the_sample_passes(installation):
    checks, done = run(installation, SAMPLE)
    assert done.returncode == 0, checks
    assert sorted(name for name, (outcome, _) in checks.items() if outcome == "skipped") == [
        "asks before a form that is gone replaces a password (1100), or keeps both",
        "keeps a generated password without asking",
        "makes passwords that keep to the rules",
        "replaces a password that the user wants replaced",
        "saves a password that the user wants saved",
        "shows its interface for a new password, and ends it when cancelled",
        "shows its list of codes",
        "shows its texts",
    ]
    assert "2468" not in (done.stdout + done.stderr).decode()


SAVING = [
    "saves a password that the user wants saved",
    "replaces a password that the user wants replaced",
    "keeps a generated password without asking",
    "asks before a form that is gone replaces a password (1100), or keeps both",
    "makes passwords that keep to the rules",
    "shows its interface for a new password, and ends it when cancelled",
]


@pytest.fixture
def saver(tmp_path):
    """The sample, taught to save."""
    return saving_provider.bundle(SAMPLE, tmp_path / "Saver.appex", "com.example.saver", "Saver")


def test_one_that_saves_passes(installation, saver):
    checks, done = run(installation, saver)
    assert done.returncode == 0, checks
    assert [checks[name][0] for name in SAVING] == ["passed"] * len(SAVING)
    assert "conformance-Made-Up" not in (done.stdout + done.stderr).decode()


@pytest.mark.parametrize(
    "old, new, check",
    [
        ('self.vault.add(host, params["user"], password)', "pass", SAVING[0]),
        pytest.param("                self.fill_store()\n            reply", "                pass\n            reply", SAVING[0], marks=slow),
        pytest.param('                self.keep(account, password)\n            if', "                pass\n            if", SAVING[1], marks=slow),
        ('if params["event"] == "generatedPasswordFilled":', "if 0:", None),
        pytest.param('self.pending[params["session"]] = (host, password)', 'raise sample.WireError(1100, "The user, please.")', SAVING[2], marks=slow),
        pytest.param('params["event"] == "formDidDisappear":', "0:", SAVING[3], marks=slow),
        ('self.open[params["request"]] = Replace(', "(lambda *_: None)(", SAVING[3]),
        pytest.param('Make(self, params["request"], reply)', "None", SAVING[5], marks=slow),
        pytest.param("string.digits) for", "string.punctuation) for", None, marks=slow),
        pytest.param("range(10)", "range(30)", SAVING[4], marks=slow),
        pytest.param('            reply({"passwords"', '            self.vault.add("a.test", "b", made)\n            self.fill_store()\n            reply({"passwords"', SAVING[4], marks=slow),
        ("            reply({})\n\n        def keep", "            print(password, flush=True)\n            reply({})\n\n        def keep", "prints no secret"),
    ],
)
def test_one_that_saves_wrongly_is_noticed(installation, saver, old, new, check):
    """Where `check` is None nothing is wrong with it: what it does differently is its own affair."""
    edit(saver, old, new)
    checks, done = run(installation, saver)
    assert done.returncode == (13 if check else 0), checks
    assert not check or [outcome for name, (outcome, _) in checks.items() if name.startswith(check)] == ["failed"], checks


def test_printing_all_the_time_does_no_harm(installation, bundle):
    noise = "import threading\n\n\ndef shout():\n    while True:\n        print('x' * 999, flush=True)\n\n\n"
    start = "threading.Thread(target=shout, daemon=True).start()\n"
    edit(bundle, "import hmac\n", "import hmac\n" + noise + start)
    checks, done = run(installation, bundle)
    assert done.returncode == 0, checks


@pytest.mark.parametrize(
    "old, new, check",
    [
        ('raise WireError(-32601, "There', 'raise WireError(-32600, "There', "answers an unknown method with -32601"),
        ('"user": account["user"], "password"', '"user": "else", "password"', "provides the credential of each"),
        ('raise WireError(NOT_FOUND, "', 'raise WireError(FAILED, "', "says 1101 (or 1100)"),
        pytest.param(
            "screen.reply(error",
            "0 and screen.reply(error",
            "shows its list for a domain, and ends it when",
            marks=slow,
        ),
        pytest.param("        reply({})\n        screen", "        screen", "answers a search, a page more", marks=slow),
        ("        reply({})\n", "        print(self.vault.accounts, flush=True)\n        reply({})\n", "prints no secret"),
        ('"service": {"type": 0', '"service": {"type": 7', "makes store requests that are right"),
        ("sys.dont_write_bytecode = True", "", "leaves its own bundle as it is"),
        ('"kind": "list", "id": "accounts"', '"kind": "list", "id": ""', "shows its list for a URL"),
    ],
)
def test_a_broken_one_is_noticed(installation, bundle, old, new, check):
    edit(bundle, old, new)
    checks, done = run(installation, bundle)
    assert done.returncode == 13
    assert [outcome for name, (outcome, _) in checks.items() if name.startswith(check)] == ["failed"], checks


@slow
def test_one_that_hangs_when_the_connection_ends_is_noticed(installation, bundle):
    edit(bundle, "    os._exit(0)", "    import time\n\n    time.sleep(60)")
    checks, done = run(installation, bundle)
    assert done.returncode == 13
    assert checks["ends when the connection ends"][0] == "failed"


def test_what_is_no_program_is_noticed(installation, bundle):
    (bundle / "provider").write_text("#!/bin/sh\nexit 3\n")
    checks, done = run(installation, bundle)
    assert done.returncode == 13
    assert checks["answers provider.start, with members it does not know"][0] == "failed"

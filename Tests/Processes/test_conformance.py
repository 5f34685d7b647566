# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""`latchkey providers test` on the sample in Python, as it is and broken in one way each."""

import json
import shutil

import pytest

from installation import ROOT

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
        "shows its list of codes",
        "shows its texts",
    ]
    assert "2468" not in (done.stdout + done.stderr).decode()


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
        ("screen.reply(error", "0 and screen.reply(error", "shows its list for a domain, and ends it when"),
        ("        reply({})\n        screen", "        screen", "answers a search, a page more"),
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

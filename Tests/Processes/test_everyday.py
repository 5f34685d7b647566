# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""What a person does with the command line, from the set-up to a restored backup, and what it says where it cannot do it."""

import json

import pytest

from installation import PASSPHRASE
from verdicts import must_hold, nothing_lost, nothing_released

CHROME = b"""name,url,username,password,note
Shiny,https://shiny.example.com/login,anna,from Chrome 1,
Other,https://other.test/,anna,from Chrome 2,a note
"""

pytestmark = pytest.mark.main


@pytest.fixture
def files(installation):
    """Files for what nobody types here."""

    def write(name, content):
        file = installation.folder / name
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return file

    return write


def listed(installation):
    return sorted((item["services"][0], item["user"]) for item in json.loads(installation.latchkey("list", "--json").stdout))


def test_accounts_are_added_listed_imported_locked_and_brought_back(fresh_installation, files):
    run = fresh_installation.latchkey
    passphrase = files("passphrase", PASSPHRASE)
    try:
        # The first command starts the daemon.
        assert b"write it" in run("init", "--passphrase-file", passphrase).stderr.lower()
        run("add", "shiny.example.com", "rmondello", input=b"correct horse")
        assert listed(fresh_installation) == [("shiny.example.com", "rmondello")]
        assert run("import", files("chrome.csv", CHROME)).stdout.startswith(b"Imported 2 items")
        everything = [("other.test", "anna"), ("shiny.example.com", "anna"), ("shiny.example.com", "rmondello")]
        assert listed(fresh_installation) == everything
        must_hold(b"from Chrome" not in run("list").stdout, "the list shows passwords")
        assert run("show", "other.test", "--only-password").stdout == b"from Chrome 2\n"
        backup = fresh_installation.folder / "backup.latchkey"
        run("backup", backup)
        run("remove", "other.test")
        assert listed(fresh_installation) == everything[1:]
        run("lock")
        for command in (["list"], ["show", "shiny.example.com", "--password"], ["backup", backup.with_name("other")], ["audit"]):
            done = run(*command, check=False)
            nothing_released(f"{command} while locked", done.stdout)
            assert done.returncode == 3 and b"locked" in done.stderr
        run("unlock", "--passphrase-file", passphrase)
        run("restore", backup, "--replace", "--passphrase-file", passphrase)
        nothing_lost("an account in the backup", set(everything) - set(listed(fresh_installation)))
        events = [line["event"] for line in json.loads(run("audit", "--json").stdout)["lines"]]
        must_hold(events.count("released") == 1, f"a password was shown once, and the log says {events}")
        assert run("audit", "--verify").stdout.startswith(b"The audit log is intact")
    finally:
        run("daemon", "stop", check=False)


def test_commands_that_cannot_be_carried_out_say_why_and_do_nothing(running, client, files):
    """Each with its status and its first words, as docs/command-line.md lists them."""
    run = running.latchkey
    run("add", "shiny.example.com", "rmondello", input=b"correct horse")
    before = listed(running)
    for arguments, status, words in TRANSCRIPTS:
        done = run(*arguments, check=False)
        nothing_released(f"the output of {arguments}", done.stdout)
        assert (done.returncode, words in done.stderr.decode()) == (status, True), (arguments, done)
    wrong = files("wrong", "not this one")
    run("lock")
    done = run("unlock", "--passphrase-file", wrong, check=False)
    must_hold(done.returncode != 0 and json.loads(run("status", "--json").stdout)["locked"], "a wrong passphrase has unlocked")
    assert done.returncode == 4 and b"passphrase" in done.stderr
    run("unlock", "--passphrase-file", files("right", PASSPHRASE))
    nothing_lost("an account", set(before) - set(listed(running)))
    assert listed(running) == before


TRANSCRIPTS = [
    (["nonsense"], 64, "nonsense"),
    (["show", "nowhere.test"], 5, "nowhere.test"),
    (["remove", "nowhere.test"], 5, "nowhere.test"),
    (["import", "/nowhere/at/all.csv"], 5, "/nowhere/at/all.csv"),
    (["show", "shiny.example.com", "--no-such-option"], 64, "--no-such-option"),
]

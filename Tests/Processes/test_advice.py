# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""What the programs advise is done as it stands there, by a shell, where it is given: it helps, and loses nothing.

That every advised command exists at all is tested by `AdvisedCommandTests`; the advice about an older registry by `test_rollback.py`.
"""

import os
import re
import shlex
import shutil
import signal
import subprocess

import pytest

from installation import BINARIES, HANG, PASSPHRASE, check_crash, run_program, secret, until
from verdicts import must_hold

TYPED = f"{PASSPHRASE}\n".encode()
USERS = ["anna", "bert"]


def advised(done):
    """The commands in what a program wrote for people."""
    return re.findall(r"`([^`]+)`", (done.stdout + done.stderr).decode())


def follow(installation, command, input=b"", cwd=None):
    """Has a shell run a command as a person would copy it."""
    environment = {**installation.environment, "PATH": f"{BINARIES}:{os.environ['PATH']}"}
    done = run_program(["/bin/sh", "-c", command], env=environment, input=input, cwd=cwd or installation.folder)
    assert done.returncode == 0, (command, done.stderr)
    return done


def add(client, users=USERS):
    items = [{"services": ["shiny.example.com"], "user": user, "password": secret("p" * 16)} for user in users]
    client.call("items.add", items=items)


def users(installation):
    listed = installation.latchkey("list", "--json").stdout.decode()
    return sorted(re.findall(r'"user":"([^"]*)"', listed))


def contents(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def keyless(running, tmp_path):
    """A daemon over a vault whose keyring is gone; a backup, and the keyring, are in `tmp_path`."""
    client = running.unlocked()
    add(client)
    running.latchkey("backup", tmp_path / "my backup")
    client.close()
    running.stop()
    shutil.move(running.data / "keyring", tmp_path / "keyring")
    return running.start()


@pytest.mark.main
def test_a_missing_keyring_is_said_by_all_commands_and_nothing_is_overwritten(keyless, tmp_path):
    before = contents(keyless.data)
    for command, status in [(["init"], 12), (["unlock"], 7), (["list"], 7), (["backup", tmp_path / "new"], 7), (["status"], 0)]:
        done = keyless.latchkey(*command, input=TYPED * 2, check=False)
        said = (done.stdout + done.stderr).decode()
        assert done.returncode == status, (command, said)
        must_hold(f"{keyless.data}/keyring is missing" in said, f"{command} names the file that is missing")
        must_hold("not set up" not in said, f"{command} does not take it for a new installation")
    must_hold(contents(keyless.data) == before, "no command changes what only the keyring opens")
    # The first advice: the file is put back, and found without a new start.
    shutil.move(tmp_path / "keyring", keyless.data / "keyring")
    keyless.latchkey("unlock", input=TYPED)
    assert users(keyless) == USERS


def test_the_advised_restore_brings_back_what_had_no_keyring(keyless, tmp_path):
    [restore] = [command for command in advised(keyless.latchkey("unlock", input=TYPED, check=False)) if "restore" in command]
    follow(keyless, restore.replace("FILE", shlex.quote(str(tmp_path / "my backup"))), TYPED)
    assert users(keyless) == USERS


def test_the_advised_move_keeps_what_had_no_keyring_and_init_begins_anew(keyless, tmp_path):
    move = [command for command in advised(keyless.latchkey("init", input=TYPED, check=False)) if command.startswith("mv ")]
    [again] = [command for command in advised(keyless.latchkey("status")) if command.startswith("mv ")]
    assert move == [again]
    follow(keyless, again)
    follow(keyless, "latchkey init", b"another one of four words\n")
    assert users(keyless) == []
    # What was moved opens again with its keyring.
    keyless.stop()
    shutil.rmtree(keyless.data)
    aside = keyless.data.parent / "latchkey-1"
    shutil.move(aside, keyless.data)
    shutil.move(tmp_path / "keyring", keyless.data / "keyring")
    keyless.start().latchkey("unlock", input=TYPED)
    assert users(keyless) == USERS


@pytest.mark.main
def test_the_first_steps_lead_from_one_to_the_next(fresh_installation):
    fresh_installation.start()
    for command in [["status"], ["list"], ["unlock"]]:
        done = fresh_installation.latchkey(*command, check=False)
        assert "latchkey init" in advised(done), (command, done)
    follow(fresh_installation, "latchkey init", TYPED)
    fresh_installation.latchkey("lock")
    for command in [["status"], ["list"]]:
        assert "latchkey unlock" in advised(fresh_installation.latchkey(*command, check=False))
    follow(fresh_installation, "latchkey unlock", TYPED)
    assert users(fresh_installation) == []


@pytest.mark.main
@pytest.mark.parametrize("name", ["Chrome Passwords.csv", "-u.csv", "it's $HOME `id`.csv", "*.csv"])
def test_the_file_that_an_import_advises_to_shred_is_the_one_that_was_read(running, client, tmp_path, name):
    others = ["Chrome", "Passwords.csv", "u.csv", "its", "other.csv"]
    for other in others:
        (tmp_path / other).write_text("not to be touched")
    (tmp_path / name).write_text("name,url,username,password\nx,https://a.example,me,pw\n")
    done = run_program([BINARIES / "latchkey", "import", "--", name], env=running.environment, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    follow(running, done.stderr.decode().strip().partition("Delete it: `")[2][:-1], cwd=tmp_path)
    must_hold(sorted(os.listdir(tmp_path)) == sorted(others), "the file that was read is gone, and no other")
    must_hold(all((tmp_path / other).read_text() == "not to be touched" for other in others), "no other file is overwritten")
    assert users(running) == ["me"]


def test_what_was_removed_comes_back_by_the_advised_command(running, client):
    add(client)
    anna = next(item["id"] for item in client.call("items.list")["items"] if item["user"] == "anna")
    [restore] = [command for command in advised(running.latchkey("remove", anna)) if "restore-item" in command]
    assert users(running) == ["bert"]
    follow(running, restore)
    assert users(running) == USERS


def test_the_pin_is_taken_away_by_the_advised_command(running, client, tmp_path):
    (tmp_path / "pin").write_text("471108")
    running.latchkey("pin", "set", "--pin-file", tmp_path / "pin", "--passphrase-file", "-", input=TYPED)
    [remove] = [command for command in advised(running.latchkey("status", "--verbose")) if "pin" in command]
    follow(running, remove)
    assert client.call("status")["pin"] is False and client.call("status")["locked"] is False


def test_a_second_daemon_says_how_the_first_is_ended(running, client):
    add(client)
    done = run_program([BINARIES / "latchkeyd"], env=running.environment)
    [stop] = advised(done)
    follow(running, stop)
    assert running.daemon.wait(HANG) == 0
    running.start().latchkey("unlock", input=TYPED)
    assert users(running) == USERS


def test_git_and_browsers_are_set_up_by_the_advised_commands(running, client):
    subprocess.run(["git", "config", "--global", "credential.helper", "store"], env=running.environment, check=True)
    (running.config.parent / "chromium").mkdir()
    for program in ["git", "browser"]:
        done = running.latchkey(program, "status", check=False)
        assert done.returncode != 0
        [install] = [command for command in advised(done) if command.endswith(" install")]
        follow(running, install)
        assert running.latchkey(program, "status", check=False).returncode == 0
    helpers = subprocess.run(
        ["git", "config", "--global", "--get-all", "credential.helper"], env=running.environment, check=True, capture_output=True)
    assert helpers.stdout.splitlines()[0] == b"store"


COUNTS = re.compile(rb"The import broke off: (\d+) items? saved, (\d+) not saved(?:, (\d+) perhaps saved \(lines \d+ to \d+\))?\.\n")
ROWS = 3_000


@pytest.mark.parametrize("end", ["interrupt", "lock", "kill"])
def test_an_import_that_breaks_off_says_what_was_saved_and_can_be_run_again(running, client, tmp_path, end):
    file = tmp_path / "many.csv"
    file.write_text("name,url,username,password\n" + "".join(f"x,https://s{n}.example,me{n},pw\n" for n in range(ROWS)))
    program = subprocess.Popen(
        [BINARIES / "latchkey", "import", file], env=running.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    until(lambda: client.call("items.list")["items"])
    if end == "interrupt":
        program.send_signal(signal.SIGINT)
    elif end == "lock":
        client.call("lock")
    else:
        running.kill()
    output, said = program.communicate(timeout=HANG)
    check_crash("latchkey import", program.returncode, said)
    assert program.returncode == {"interrupt": 8, "lock": 3, "kill": 11}[end] and output == b"", said
    saved, missing, perhaps = (int(number or 0) for number in COUNTS.search(said).groups())
    if end == "kill":
        running.start()
    if end != "interrupt":
        running.latchkey("unlock", input=TYPED)
    found = len(users(running))
    must_hold(saved + missing + perhaps == ROWS, "each line is counted once")
    must_hold(found in (saved, saved + perhaps), f"what is said of {saved} and {perhaps} is true of {found}")
    assert b"mport the file again: what is saved already is skipped." in said
    running.latchkey("import", file)
    assert len(users(running)) == ROWS

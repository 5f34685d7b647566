# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Git's credential helper: the real git, against a real HTTPS remote on this machine."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import threading
import time

import pytest

from git_server import HOST, GitServer, Terminal
from installation import BINARIES, PASSPHRASE, Installation, run_program, secret
from verdicts import must_hold, nothing_released

HELPER = (BINARIES / "git-credential-latchkey").resolve()
CANARY = "right-canary-4kQ-git"
USE = "Use it? ["
WHICH = "Which one? ["
#: What is typed where a program is given a login the first time since the last unlock.
PASS = ("Latchkey passphrase", PASSPHRASE + "\n")
AGREE = [(USE, "y\n"), PASS]


def number(user):
    """What is typed to choose an account from the list that stands on the screen."""
    return lambda screen: re.findall(rf"(\d+)\. {user} \(", screen)[-1] + "\n"


class Desk:
    """An installation, a server, and git with nothing but Latchkey to ask."""

    def __init__(self, installation, folder, tls=True):
        self.installation = installation
        self.environment = {
            **installation.environment,
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_ASKPASS": "",
            "SSH_ASKPASS": "",
            "TERM": "xterm",
        }
        self.server = GitServer(folder / "server", tls)
        self.folder = folder
        self.count = 0
        installation.latchkey("git", "install")

    def arguments(self, options=()):
        pairs = [f"http.curloptResolve={name}:{self.server.port}:127.0.0.1" for name in (HOST, "other.example.com")]
        if self.server.authority:
            pairs.append(f"http.sslCAInfo={self.server.authority}")
        return [part for pair in [*pairs, *options] for part in ("-c", pair)]

    def clone(self, url=None, hand=None, options=(), program=("git",), environment=None):
        """Clones; on a terminal where `hand` says what the person types, and without one otherwise."""
        self.count += 1
        target = self.folder / f"clone-{self.count}"
        command = [*program, *self.arguments(options), "clone", url or self.server.url(), str(target)]
        environment = {**self.environment, **(environment or {})}
        if hand is not None:
            done = Terminal(command, environment, hand=hand)
            output, status = done.screen, done.status
        else:
            done = run_program(command, env=environment, stdin=subprocess.DEVNULL, start_new_session=True)
            output, status = done.stderr.decode(), done.returncode
        assert (status == 0) == (target / "file").exists()
        return status, output

    def add(self, user="me", password="right", service=None):
        return self.installation.control.call(
            "items.add",
            items=[{"services": [service or self.server.service], "user": user, "password": secret(password)}],
        )["items"][0]["id"]

    def item(self, identifier):
        return self.installation.control.call("items.get", id=identifier)["item"]

    def items(self):
        return self.installation.control.call("items.list")["items"]

    def log(self):
        return self.installation.control.call("audit.list")["lines"]


@pytest.fixture
def desk(running, tmp_path):
    running.control = running.unlocked()
    made = Desk(running, tmp_path)
    yield made
    made.server.close()


def helper(installation, operation, text, environment=None):
    """The helper itself, called by something that is not a git."""
    return run_program(
        [HELPER, operation], input=text if isinstance(text, bytes) else text.encode(),
        env={**installation.environment, **(environment or {})}, start_new_session=True)


@pytest.mark.main
def test_a_saved_login_is_used_after_the_user_agreed(desk):
    desk.add(password=CANARY)
    desk.server.logins["one.git"] = {("me", CANARY)}
    status, screen = desk.clone(hand=AGREE)
    assert status == 0
    assert f"https://{HOST}:{desk.server.port}" in screen and "me (saved for" in screen
    assert os.path.realpath(sys.executable) in screen, "the prompt does not name who started git"
    assert desk.server.tried[-1] == ("me", CANARY)
    line = [line for line in desk.log() if line["event"] == "released"][-1]
    assert line["requester"] == f"https://{HOST}:{desk.server.port}" and line["user"] == "me"
    assert line["purpose"] == f"git, started by {os.path.realpath(sys.executable)}"
    must_hold(CANARY not in screen and PASSPHRASE not in screen, "a secret is on the screen")
    assert line["act"] == "terminal"


def test_git_tells_that_it_worked_and_nothing_is_asked_for_what_is_known(desk):
    identifier = desk.add()
    modified = desk.item(identifier)["modified"]
    status, screen = desk.clone(hand=AGREE)
    assert status == 0 and "Save" not in screen
    assert desk.item(identifier)["modified"] == modified and len(desk.items()) == 1


@pytest.mark.main
def test_S28_a_no_is_a_no_and_git_asks_by_itself(desk):
    desk.add()
    identifier = desk.items()[0]["id"]
    typed = [("Username for", "me\n"), ("Password for", "right\n"), ("Save it? [y/N]: ", "n\n")]
    # What git was not given is compared with nothing before the user has acted, so the question comes for the right one too.
    status, screen = desk.clone(hand=[(USE, "n\n"), *typed])
    assert status == 0 and [item["id"] for item in desk.items()] == [identifier]
    nothing_released("the log", [line for line in desk.log() if line["event"] == "released"])
    assert [line["event"] for line in desk.log()] == ["refused"]
    assert desk.log()[0]["reason"] == "the user said no"


def test_S47_the_helper_answers_no_guesses(desk):
    """What is typed for it on a terminal, and what it does without one, is the same for the right password and for a wrong one."""
    identifier = desk.add(password=CANARY)
    text = "protocol=https\nhost=%s\nusername=me\npassword=%s\n\n"
    seen = set()
    for guess in ["wrong", CANARY]:
        command = f"printf '%s' '{text % (f'{HOST}:{desk.server.port}', guess)}' | {HELPER} store; echo ended"
        shown = Terminal(["/bin/sh", "-c", command], desk.environment, hand=[("Save it? [y/N]: ", "n\n")])
        seen.add(shown.screen.replace(guess, "GUESS"))
        done = helper(desk.installation, "erase", text % (f"{HOST}:{desk.server.port}", guess))
        seen.add((done.returncode, done.stdout, done.stderr))
    assert len(seen) == 2
    assert "rejected" not in desk.item(identifier) or not desk.item(identifier)["rejected"]


def test_S47_other_passwords_than_git_was_given_are_written_down(desk):
    desk.add()
    assert desk.clone(hand=AGREE)[0] == 0
    text = f"protocol=https\nhost={HOST}:{desk.server.port}\nusername=me\npassword=wrong\n\n"
    for _ in range(5):
        helper(desk.installation, "erase", text)
    reasons = [line.get("reason") for line in desk.log() if line["event"] == "refused"]
    assert reasons.count("git names another password than it was given") == 3


def test_quit_ends_git(desk):
    desk.add()
    status, screen = desk.clone(hand=[(USE, "q\n")])
    assert status != 0 and "Username for" not in screen


def test_S5_a_server_that_says_no_does_not_cost_the_item(desk):
    """Git erases what a server did not take: the item is marked, stays, and is offered last."""
    identifier = desk.add(password="wrong")
    status, _ = desk.clone(hand=AGREE)
    assert status != 0
    item = desk.item(identifier)
    assert item["rejected"] > 0
    assert desk.installation.control.call("items.reveal", id=identifier)["password"] == secret("wrong")
    listed = desk.installation.latchkey("list").stdout.decode()
    assert "rejected" in listed
    assert "rejected" in desk.installation.latchkey("show", identifier).stdout.decode()
    assert [line["event"] for line in desk.log()] == ["released", "rejected", "released"]
    # Asked about with a note now, and behind one that nobody rejected.
    desk.add(user="other", password="right")
    desk.server.logins["one.git"] = {("other", "right")}
    status, screen = desk.clone(hand=[("Which one?", "1\n"), PASS])
    assert status == 0
    assert screen.index("1. other") < screen.index("2. me") and "said no to it the last time" in screen
    # A change of the item ends the mark.
    desk.installation.control.call("items.edit", id=identifier, password=secret("right"))
    assert "rejected" not in desk.item(identifier)


def test_a_success_ends_the_mark(desk):
    identifier = desk.add(password="right")
    desk.server.logins["one.git"] = {("nobody", "x")}
    desk.clone(hand=AGREE)
    assert desk.item(identifier)["rejected"] > 0
    desk.server.logins["one.git"] = {("me", "right")}
    status, screen = desk.clone(hand=AGREE)
    assert status == 0 and "said no to it" in screen
    assert "rejected" not in desk.item(identifier)


@pytest.mark.main
def test_a_new_login_is_saved_when_the_user_wants_it(desk):
    typed = [("Username for", "me\n"), ("Password for", "right\n")]
    status, screen = desk.clone(hand=[*typed, ("Save it? [y/N]: ", "n\n")])
    assert status == 0 and desk.items() == []
    status, screen = desk.clone(hand=[*typed, ("Save it? [y/N]: ", "y\n")])
    assert status == 0
    (item,) = desk.items()
    assert item["services"] == [desk.server.service] and item["user"] == "me"
    status, _ = desk.clone(hand=AGREE)
    assert status == 0 and len(desk.items()) == 1


def test_the_preference_saves_always_or_never(desk):
    typed = [("Username for", "me\n"), ("Password for", "right\n")]
    desk.installation.latchkey("preferences", "set", "--git-save", "never")
    assert desk.clone(hand=typed)[0] == 0 and desk.items() == []
    desk.installation.latchkey("preferences", "set", "--git-save", "always")
    assert desk.clone(hand=typed)[0] == 0 and len(desk.items()) == 1


def test_S13_a_new_password_changes_the_item_of_this_host_and_user_only(desk):
    same = desk.add(password="old")
    others = [desk.add(user="me", service="git.example.com"), desk.add(user="other"), desk.add(service="example.com")]
    before = [desk.item(identifier)["modified"] for identifier in others]
    hand = [("Which one?", "n\n"), ("Username for", "me\n"), ("Password for", "right\n"), ("Save it? [y/N]: ", "y\n")]
    status, screen = desk.clone(hand=hand)
    assert status == 0 and "Save the new password" in screen
    call = desk.installation.control.call
    assert call("items.reveal", id=same)["password"] == secret("right")
    assert [change["password"] for change in call("items.history", id=same)["changes"]] == [secret("old")]
    assert [desk.item(identifier)["modified"] for identifier in others] == before and len(desk.items()) == 4


def test_use_http_path_keeps_two_repositories_apart(desk):
    base = f"https://{HOST}:{desk.server.port}/"
    desk.server.logins = {"one.git": {("first", "1-right")}, "two.git": {("second", "2-right")}}
    desk.add(user="first", password="1-right", service=base + "one.git")
    desk.add(user="second", password="2-right", service=base + "two.git")
    option = ["credential.useHttpPath=true"]
    for repository, user in (("one.git", "first"), ("two.git", "second")):
        status, screen = desk.clone(desk.server.url(repository), hand=AGREE, options=option)
        assert status == 0
        assert user in screen and {"first": "second", "second": "first"}[user] not in screen
    # Without the path nobody but the user can know.
    status, screen = desk.clone(hand=[(WHICH, number("first")), PASS])
    assert status == 0 and "for another host or path" in screen


def test_use_http_path_saves_for_the_repository(desk):
    typed = [("Username for", "me\n"), ("Password for", "right\n"), ("Save it? [y/N]: ", "y\n")]
    assert desk.clone(hand=typed, options=["credential.useHttpPath=true"])[0] == 0
    (item,) = desk.items()
    assert item["services"] == [f"https://{HOST}:{desk.server.port}/one.git"]


def test_two_accounts_are_chosen_from_and_a_named_one_is_not(desk):
    desk.add(user="me", password="right")
    desk.add(user="you", password="also-right")
    desk.server.logins["one.git"] = {("you", "also-right")}
    status, screen = desk.clone(desk.server.url(user="you"), hand=AGREE)
    assert status == 0 and "me (saved" not in screen
    # A choice is asked about each time, and takes the passphrase for what was not given yet.
    status, screen = desk.clone(hand=[(WHICH, number("you"))])
    assert status == 0 and "1. " in screen and "2. " in screen
    desk.clone(hand=[(WHICH, number("me")), PASS])


@pytest.mark.main
def test_S15_another_host_or_port_is_not_asked_about(desk):
    port = desk.server.port
    for service in [
        "git.example.com", "git.example.com:1", "other.example.com", f"git.example.org:{port}",
        f"https://git.example.com.evil.test:{port}",
    ]:
        desk.add(service=service)
    status, output = desk.clone()
    nothing_released("what git tried", desk.server.tried)
    assert status != 0
    assert desk.log() == []


def test_S12_another_host_of_the_site_is_named_and_never_given_silently(desk):
    desk.add(service=f"other.example.com:{desk.server.port}")
    assert desk.clone()[0] != 0 and desk.server.tried == []
    for hand in (AGREE, AGREE[:1]):
        status, screen = desk.clone(hand=hand)
        assert status == 0 and "for another host or path" in screen


def test_S14_an_https_item_is_nothing_for_http(running, tmp_path):
    running.control = running.unlocked()
    desk = Desk(running, tmp_path, tls=False)
    desk.add(service=f"{HOST}:{desk.server.port}")
    desk.add(service=f"https://{HOST}:{desk.server.port}")
    status, screen = desk.clone(hand=[("Username for", "me\n"), ("Password for", "right\n")])
    assert status == 0 and "Latchkey" not in screen, "something was offered, or was to be saved, for http"
    assert len(desk.items()) == 2
    desk.add(service=f"http://{HOST}:{desk.server.port}")
    status, screen = desk.clone(hand=AGREE)
    assert status == 0
    desk.server.close()


def test_without_a_terminal_git_goes_on_at_once(desk):
    desk.add()
    for environment in ({}, {"GIT_TERMINAL_PROMPT": "0"}):
        began = time.monotonic()
        status, output = desk.clone(environment=environment)
        assert status != 0 and time.monotonic() - began < 20
        assert desk.log()[-1]["reason"] == "nobody could be asked"
    assert desk.server.tried == []


def test_GIT_TERMINAL_PROMPT_counts_on_a_terminal_too(desk):
    desk.add()
    status, screen = desk.clone(hand=[], environment={"GIT_TERMINAL_PROMPT": "0"})
    assert status != 0 and "Use it" not in screen


def test_while_locked_git_goes_on_at_once_or_the_user_unlocks(desk):
    desk.add()
    desk.installation.control.call("lock")
    began = time.monotonic()
    status, _ = desk.clone()
    assert status != 0 and time.monotonic() - began < 20
    status, screen = desk.clone(hand=[("Latchkey passphrase", PASSPHRASE + "\n"), (USE, "y\n")])
    assert status == 0 and PASSPHRASE not in screen and "Latchkey is locked" in screen


def test_while_locked_the_pin_unlocks_where_one_is_set(desk, tmp_path):
    desk.add()
    control = desk.installation.control
    control.call("authenticate", passphrase=secret(PASSPHRASE), method="pin.set")
    control.call("pin.set", pin=secret("271828"))
    control.call("lock")
    status, screen = desk.clone(hand=[("Latchkey PIN or passphrase", "271828\n"), *AGREE])
    assert status == 0 and "271828" not in screen


def test_while_locked_an_empty_passphrase_is_a_no(desk):
    desk.add()
    desk.installation.control.call("lock")
    hand = [("Latchkey passphrase", "\n"), ("Username for", "me\n"), ("Password for", "right\n")]
    status, screen = desk.clone(hand=hand)
    assert status == 0 and "Save" not in screen


def test_a_wrong_passphrase_may_be_typed_again(desk):
    desk.add()
    desk.installation.control.call("lock")
    hand = [
        ("Latchkey passphrase", "wrong\n"), ("Wrong passphrase", ""), ("Latchkey passphrase", PASSPHRASE + "\n"),
        (USE, "y\n"),
    ]
    assert desk.clone(hand=hand)[0] == 0


def test_preference_always_wants_the_passphrase_for_git(desk):
    desk.add()
    desk.installation.latchkey("preferences", "set", "--authentication", "always")
    for _ in range(2):
        assert desk.clone(hand=AGREE)[0] == 0
    assert {line["authentication"] for line in desk.log() if line["event"] == "released"} == {"passphrase just now"}


@pytest.mark.main
def test_an_agreement_holds_until_the_lock_for_the_same_program_and_place_only(desk, tmp_path):
    desk.add()
    assert desk.clone(hand=AGREE)[0] == 0
    # The same program, without a terminal even.
    assert desk.clone()[0] == 0
    line = [line for line in desk.log() if line["event"] == "released"][-1]
    assert line["authentication"].startswith("agreed to a while ago")
    # Another repository of that server is the same place; with useHttpPath it is another one.
    assert desk.clone(desk.server.url("two.git"))[0] == 0
    assert desk.clone(options=["credential.useHttpPath=true"])[0] != 0
    # Another program.
    script = tmp_path / "start.py"
    script.write_text("import subprocess, sys; sys.exit(subprocess.run(sys.argv[1:]).returncode)\n")
    copy = tmp_path / "another-python"
    shutil.copy(os.path.realpath(sys.executable), copy)
    environment = {"PYTHONHOME": sys.base_prefix}
    assert desk.clone(program=(str(copy), "-I", str(script), "git"), environment=environment)[0] != 0
    # A lock ends it.
    desk.installation.control.call("lock")
    desk.installation.control.call("unlock", passphrase=secret(PASSPHRASE))
    assert desk.clone()[0] != 0


def test_a_rejected_login_is_not_given_without_asking(desk):
    identifier = desk.add()
    assert desk.clone(hand=AGREE)[0] == 0
    desk.server.logins["one.git"] = {("me", "new")}
    assert desk.clone()[0] != 0
    assert desk.item(identifier)["rejected"] > 0
    tried = len(desk.server.tried)
    assert desk.clone()[0] != 0
    assert len(desk.server.tried) == tried, "it was given again without the user"


def test_S25_what_is_no_git_is_named_and_never_remembered(desk):
    desk.add()
    text = f"protocol=https\nhost={HOST}:{desk.server.port}\n\n"
    # This interpreter calls the helper itself: there is no git of the system's in between.
    done = Terminal(
        ["/bin/sh", "-c", f"printf '{text}' | {HELPER} get; :"], desk.environment, hand=AGREE
    )
    assert "password=right" in done.screen and "which is not the system's git" in done.screen
    again = helper(desk.installation, "get", text)
    assert again.stdout == b"" and again.returncode == 0


def test_an_expired_password_is_not_offered_and_stays(clock, desk):
    now = int(time.time())
    text = f"protocol=https\nhost={HOST}:{desk.server.port}\nusername=me\npassword=right\n"
    desk.installation.latchkey("preferences", "set", "--git-save", "always")
    assert helper(desk.installation, "store", text + f"password_expiry_utc={now + 3600}\n").returncode == 0
    (item,) = desk.items()
    assert item["expires"] == now + 3600
    done = Terminal(
        ["/bin/sh", "-c", f"printf 'protocol=https\\nhost={HOST}:{desk.server.port}\\n\\n' | {HELPER} get; :"],
        desk.environment, hand=AGREE,
    )
    assert f"password_expiry_utc={now + 3600}" in done.screen
    # It worked again, for a moment only.
    assert helper(desk.installation, "store", text + f"password_expiry_utc={now + 60}\n").returncode == 0
    assert desk.item(item["id"])["expires"] == now + 60
    clock.turn(61)
    status, screen = desk.clone(hand=[("Username for", "me\n"), ("Password for", "right\n")])
    assert status == 0 and "Use it" not in screen and len(desk.items()) == 1
    # One that has expired already is not saved at all.
    assert helper(desk.installation, "store", text.replace("me", "new") + "password_expiry_utc=1\n").returncode == 0
    assert len(desk.items()) == 1


def test_what_else_git_says_is_left_alone(desk):
    text = (
        f"capability[]=authtype\ncapability[]=state\nprotocol=https\nhost={HOST}:{desk.server.port}\n"
        "wwwauth[]=Basic realm=\"x\"\nwwwauth[]=Bearer\nstate[]=a\noauth_refresh_token=refresh-canary\n"
        "unknown=thing\nusername=me\npassword=right\n\n"
    )
    desk.installation.latchkey("preferences", "set", "--git-save", "always")
    assert helper(desk.installation, "store", "ephemeral=1\n" + text).returncode == 0
    assert desk.items() == []
    assert helper(desk.installation, "store", text).returncode == 0
    (item,) = desk.items()
    assert "notes" not in desk.installation.control.call("items.get", id=item["id"], notes=True)["item"]
    without = text.replace("username=me\npassword=right\n", "")
    assert helper(desk.installation, "get", without).returncode == 0
    # A login that is no password is none of Latchkey's.
    encoded = text.replace("password=right\n", "authtype=Bearer\ncredential=abc\n").replace("me", "it")
    assert helper(desk.installation, "store", encoded).returncode == 0
    assert len(desk.items()) == 1


@pytest.mark.parametrize(
    "text",
    [
        b"protocol=https\nhost=a.test\0b\n\n",
        b"protocol=https\nhost=" + b"a" * (1 << 18) + b"\n\n",
    ],
)
def test_what_is_no_description_is_refused(running, text):
    running.unlocked()
    for operation in ("get", "store", "erase"):
        done = helper(running, operation, text)
        assert done.returncode == 1 and done.stdout == b"" and done.stderr.count(b"\n") == 1, done


NO_SERVERS = [
    "protocol=https\nhost=evil.test/git.example.com\n",
    "protocol=https\nhost=evil.test@git.example.com\n",
    "protocol=https\nhost=git.example.com:99999\n",
    "protocol=https\nhost=\n",
    "protocol=ssh\nhost=git.example.com\n",
    "protocol=\nhost=git.example.com\n",
    "host=git.example.com\n",
    "protocol=https\nhost=git.example.com\nusername=nobody\n",
    "\n",
    "",
]


def test_for_what_is_no_server_there_is_nothing(running):
    client = running.unlocked()
    client.call(
        "items.add", items=[{"services": ["git.example.com"], "user": "me", "password": secret("right" * 3)}]
    )
    for text in NO_SERVERS:
        done = helper(running, "get", text)
        assert done.returncode == 0 and done.stdout == b"" and done.stderr == b"", text


def test_unknown_operations_are_ignored_and_none_is_a_mistake(running):
    assert helper(running, "capability", "").returncode == 0
    done = subprocess.run([HELPER], env=running.environment, stdin=subprocess.DEVNULL, capture_output=True)
    assert done.returncode == 64 and b"latchkey git install" in done.stderr


def test_without_anything_set_up_there_is_nothing(installation):
    """No daemon is started where nobody could unlock it."""
    done = helper(installation, "get", "protocol=https\nhost=git.example.com\n")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert not installation.socket.exists()


def test_S25_the_helper_may_ask_its_three_methods_only(desk, tmp_path):
    """Whoever becomes the helper by its name is another file; the role's methods are these three."""
    routes = (pathlib.Path(__file__).parents[2] / "Sources/AutoFillDaemon/Routes/Routes.swift").read_text()
    start = routes.index("static let git = Routes(")
    assert sorted(set(re.findall(r"on\((\w+\.\w+)\.self", routes[start : routes.index("]))", start)]))) == [
        "Git.Erase", "Git.Get", "Git.Store",
    ]
    for method in ("git.get", "git.store", "git.erase"):
        from installation import WireFailure

        with pytest.raises(WireFailure) as refused:
            desk.installation.control.call(method, target={"scheme": "https", "host": "a.test"}, terminal=False)
        assert refused.value.code == -32601


PINENTRY = """#!{python}
import json, os, sys
answers = {folder!r} + "/answers"
record = open({folder!r} + "/asked", "a")
print("OK", flush=True)
for line in sys.stdin:
    word = line.split()[0]
    if word in ("SETDESC", "GETPIN", "CONFIRM", "SETOK"):
        print(json.dumps(line.strip()), file=record, flush=True)
    if word in ("GETPIN", "CONFIRM"):
        left = open(answers).read().splitlines()
        answer, rest = left[0], left[1:]
        open(answers, "w").write("\\n".join(rest))
        if answer == "no":
            print("ERR 83886179 canceled", flush=True)
        elif answer == "gone":
            sys.exit(1)
        elif answer.startswith("ERR"):
            print(answer, flush=True)
        else:
            if word == "GETPIN":
                print("D " + answer, flush=True)
            print("OK", flush=True)
    else:
        print("OK", flush=True)
"""


PINENTRIES = ["pinentry-gnome3", "pinentry-qt", "pinentry-qt5", "pinentry-gtk-2", "pinentry-x11", "pinentry"]


@pytest.fixture
def display(tmp_path):
    """An installation whose daemon has a display, and a pinentry that says what the test says.

    It stands there under every name that the daemon looks for, before the system's folders.
    """
    folder = tmp_path / "programs"
    folder.mkdir()
    for name in PINENTRIES:
        (folder / name).write_text(PINENTRY.format(python=sys.executable, folder=str(folder)))
        (folder / name).chmod(0o755)
    environment = {"DISPLAY": ":77", "PATH": f"{folder}:{os.environ['PATH']}"}
    with Installation(environment) as made:
        made.start()
        made.control = made.unlocked()
        desk = Desk(made, tmp_path)
        desk.answer = lambda *answers: (folder / "answers").write_text("\n".join(answers))
        desk.asked = lambda: [json.loads(line) for line in (folder / "asked").read_text().splitlines()]
        yield desk
        desk.server.close()


def test_a_display_is_asked_before_a_terminal(display):
    display.add()
    display.answer(PASSPHRASE)
    assert display.clone()[0] == 0
    question = display.asked()[0]
    for word in (f"https://{HOST}:{display.server.port}", "account me", os.path.realpath(sys.executable), "git, started by"):
        assert word in question.replace("%2C", ","), question
    assert [line["act"] for line in display.log() if line["event"] == "released"] == ["window"]


def test_several_accounts_are_asked_about_one_after_the_other(display):
    display.add(user="me", password="nope")
    display.add(user="you", password="right")
    display.server.logins["one.git"] = {("you", "right"), ("me", "nope")}
    display.answer("no", PASSPHRASE)
    assert display.clone()[0] == 0
    assert len([line for line in display.asked() if line == "GETPIN"]) == 2


def test_a_cancelled_pinentry_is_a_no_and_git_goes_on(display):
    display.add()
    display.answer("no")
    status, output = display.clone()
    assert status != 0 and "could not read Username" in output
    assert display.log()[-1]["reason"] == "the user said no"


def test_a_pinentry_unlocks(display):
    display.add()
    display.installation.control.call("lock")
    display.answer(PASSPHRASE, "yes")
    assert display.clone()[0] == 0
    assert "GETPIN" in display.asked()


def test_a_pinentry_saves(display):
    display.answer("yes")
    assert display.clone(hand=[("Username for", "me\n"), ("Password for", "right\n")])[0] == 0
    assert len(display.items()) == 1 and "SETOK Save" in display.asked()


def test_rule_2_the_password_is_in_no_argument_environment_file_or_output(desk):
    desk.add(password=CANARY)
    desk.server.logins["one.git"] = {("me", CANARY)}
    found, ended = [], threading.Event()

    def watch():
        me = str(os.getpid())
        while not ended.is_set():
            for entry in pathlib.Path("/proc").iterdir():
                if not entry.name.isdigit() or entry.name == me:
                    continue
                for name in ("cmdline", "environ"):
                    try:
                        if CANARY.encode() in (entry / name).read_bytes():
                            found.append((entry.name, name))
                    except OSError:
                        continue

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    status, screen = desk.clone(hand=AGREE)
    ended.set()
    watcher.join()
    assert status == 0 and found == [] and CANARY not in screen
    for file in [*desk.installation.folder.rglob("*"), *(desk.folder / "clone-1").rglob("*")]:
        if file.is_file():
            assert CANARY.encode() not in file.read_bytes(), file


def test_install_is_idempotent_and_keeps_other_helpers(installation):
    config = installation.folder / ".gitconfig"
    config.write_text("[user]\n\tname = me\n[credential]\n\thelper = cache --timeout=5\n\thelper = /opt/other helper\n")
    git = lambda: subprocess.run(
        ["git", "config", "--global", "--get-all", "credential.helper"], env=installation.environment,
        capture_output=True, text=True,
    ).stdout.splitlines()
    assert installation.latchkey("git", "status", check=False).returncode == 5
    for _ in range(2):
        installation.latchkey("git", "install")
        assert git() == ["cache --timeout=5", "/opt/other helper", str(HELPER)]
    status = json.loads(installation.latchkey("git", "status", "--json").stdout)
    assert status["installed"] is True and status["helper"] == str(HELPER)
    assert status["others"] == ["cache --timeout=5", "/opt/other helper"]
    for _ in range(2):
        installation.latchkey("git", "uninstall")
        assert git() == ["cache --timeout=5", "/opt/other helper"]
    assert "name = me" in config.read_text()


#: libassuan takes lines of 1,002 bytes, their end included, and a pinentry ends at a longer one.
LONGEST_LINE = 1000


@pytest.mark.parametrize("user", ["я" * 160, "長" * 120, "a" * 900, "𐌰" * 256], ids=["Cyrillic", "Chinese", "long", "Gothic"])
def test_S62_a_question_fits_into_what_a_pinentry_takes(display, user):
    """A longer line ends it, and the user's no would be nobody's."""
    display.add(user=user)
    display.server.logins["one.git"] = {(user, "right")}
    display.answer(PASSPHRASE)
    display.clone()
    described = [line for line in display.asked() if line.startswith("SETDESC ")]
    assert described and [len(line) for line in described if len(line.encode()) > LONGEST_LINE] == []


def test_S65_what_nobody_is_asked_about_does_not_push_other_lines_out_of_the_log(desk):
    desk.add()
    for _ in range(25):
        helper(desk.installation, "get", f"protocol=https\nhost={HOST}:{desk.server.port}\n\n")
    reasons = [line["reason"] for line in desk.log() if line["event"] == "refused"]
    assert reasons == ["nobody could be asked"] * 20

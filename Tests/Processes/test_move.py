# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""An account is moved to another provider: saved there first, then removed here, where it can be brought back."""

import contextlib
import os
import pathlib
import signal
import subprocess

import pytest

import saving_provider
from installation import BINARIES, PASSPHRASE, WireFailure, secret, until
from providers import BUILT_IN, SITE, Browser, Bundle, processes

SAMPLE = pathlib.Path(__file__).parents[2] / "Examples/provider-python/Sample.appex"
SAVER = "com.example.saver"
PASSWORD = "four short words here"
LINK = "otpauth://totp/Shiny:me?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"


@pytest.fixture
def saver(running, client):
    extensions = running.data / "extensions"
    extensions.mkdir(mode=0o700, exist_ok=True)
    saving_provider.bundle(SAMPLE, extensions / "Saver.appex", SAVER, "Saver")
    digest = statement(client)["digest"]
    client.proven("providers.enable", identifier=SAVER, digest=digest)
    until(lambda: statement(client)["identities"] == 0)
    return SAVER


def statement(client, identifier=SAVER):
    return next(one for one in client.call("providers.list")["providers"] if one["identifier"] == identifier)


def save(client, user="rmondello", services=(SITE,), **more):
    item = {"services": list(services), "user": user, "password": secret(PASSWORD), **more}
    return client.call("items.add", items=[item])["items"][0]["id"]


def here(client):
    return [item["id"] for item in client.call("items.list")["items"]]


def offered(client, url=SITE):
    return {(row["provider"], row["user"]) for row in client.call("suggestions.list", url=url)["suggestions"]}


def released(client):
    return [line for line in client.call("audit.list")["lines"] if line["event"] == "released"]


def refused(client, **params):
    with pytest.raises(WireFailure) as failure:
        client.call("items.move", **params)
    return failure.value


def test_account_is_saved_there_and_removed_here(running, client, saver, browser):
    identifier = save(client)
    assert statement(client)["savesPasswords"] is True and statement(client, BUILT_IN)["savesPasswords"] is True
    moved = client.call("items.move", id=identifier, provider=saver)["item"]
    assert moved["removed"] and "notes" not in moved
    assert here(client) == []
    until(lambda: offered(client) == {(SAVER, "rmondello")})
    assert browser.choose(SAVER) == PASSWORD
    log = [tuple(line.get(name) for name in ("event", "provider", "requester", "purpose", "act")) for line in client.call("audit.list")["lines"]]
    assert ("released", BUILT_IN, SAVER, "to be kept there", "terminal") in log
    assert [line[:2] + line[4:] for line in log if line[0] == "saved"] == [("saved", SAVER, "move")]
    assert PASSWORD not in running.output()
    client.call("items.restore", id=identifier)
    assert client.call("items.reveal", id=identifier)["password"] == secret(PASSWORD)


def test_every_site_of_the_account_is_taken_along(client, saver):
    identifier = save(client, services=["shiny.example.com", "https://old.example", "bank.example"])
    client.call("items.move", id=identifier, provider=saver)
    until(lambda: all(offered(client, url) for url in [SITE, "https://old.example/login", "https://bank.example"]))


@pytest.mark.parametrize("more, named", [
    ({"notes": secret("the street of my birth")}, "notes"), ({"authenticator": secret(LINK)}, "the key of codes"),
    ({"tags": ["Work"]}, "tags"), ({"services": ["https://shiny.example.com/owner/repository"]}, "the path of a website"),
])
def test_what_no_provider_is_given_stays_behind_only_where_the_user_agrees(client, saver, more, named):
    identifier = save(client, **more)
    failure = refused(client, id=identifier, provider=saver)
    assert failure.code == 6 and named in str(failure) and "birth" not in str(failure)
    assert here(client) == [identifier] and offered(client) == {(BUILT_IN, "rmondello")}
    client.call("items.move", id=identifier, provider=saver, leavesRest=True)
    restored = client.call("items.restore", id=identifier)["item"]
    kept = client.call("items.get", id=identifier, notes=True)["item"]
    assert {name: kept[name] for name in more if name != "authenticator"} == {k: v for k, v in more.items() if k != "authenticator"}
    assert restored.get("authenticator", False) == ("authenticator" in more)


def test_account_for_exactly_its_hosts_is_not_moved(client, saver):
    """No other provider can be told of that, and would offer it to all hosts of the site."""
    identifier = save(client, strict=True)
    assert refused(client, id=identifier, provider=saver, leavesRest=True).code == 6
    assert here(client) == [identifier] and released(client) == []


@pytest.mark.parametrize("service, told", [
    ("https://me@shiny.example.com/?session=1", "shiny.example.com"), ("https://shiny.example.com/?page=1", "shiny.example.com"),
    ("https://shiny.example.com\\@evil.test/", "shiny.example.com"),
])
def test_other_provider_is_told_the_site_alone(client, saver, service, told):
    client.call("items.move", id=save(client, services=[service]), provider=saver)
    until(lambda: [row["service"] for row in client.call("suggestions.list", url=f"https://{told}")["suggestions"]] == [told])
    [line] = [line for line in client.call("audit.list")["lines"] if line["event"] == "saved"]
    assert line["service"] == f"https://{told}"


def test_site_that_stands_twice_is_told_once(client, saver):
    client.call("items.move", id=save(client, services=["shiny.example.com", SITE, SITE + "/login"]), provider=saver, leavesRest=True)
    assert len([line for line in client.call("audit.list")["lines"] if line["event"] == "saved"]) == 1


@pytest.mark.parametrize("target", [BUILT_IN, "com.example.nobody", "", "../../x"])
def test_nobody_else_is_given_it(client, saver, target):
    identifier = save(client)
    assert refused(client, id=identifier, provider=target).code == 7
    assert here(client) == [identifier] and released(client) == []


def test_provider_that_saves_nothing_is_given_nothing(running, client):
    shiny = Bundle(running).enable(client)
    identifier = save(client)
    assert refused(client, id=identifier, provider=shiny.identifier).code == 7
    assert here(client) == [identifier] and released(client) == []


def test_provider_that_is_disabled_is_given_nothing(client, saver):
    client.call("providers.disable", identifier=saver)
    identifier = save(client)
    assert refused(client, id=identifier, provider=saver).code == 7
    assert here(client) == [identifier] and released(client) == []


def test_account_that_is_gone_is_not_moved(client, saver):
    identifier = save(client)
    client.call("items.remove", id=identifier)
    assert refused(client, id=identifier, provider=saver).code == 7
    assert refused(client, id="0" * 26, provider=saver).code == 7
    assert offered(client) == set()


def test_locked_nothing_is_moved(client, saver):
    identifier = save(client)
    client.call("lock")
    assert refused(client, id=identifier, provider=saver).code == 2
    client.call("unlock", passphrase=secret(PASSPHRASE))
    assert here(client) == [identifier]


def test_passphrase_is_asked_for_as_for_showing_it(client, saver):
    identifier = save(client)
    client.prefer(authentication="always")
    assert refused(client, id=identifier, provider=saver).code == 3
    assert here(client) == [identifier] and (SAVER, "rmondello") not in offered(client)
    client.proven("items.move", id=identifier, provider=saver)
    assert here(client) == []


def test_browser_moves_nothing(client, saver, browser):
    identifier = save(client)
    with pytest.raises(WireFailure) as failure:
        browser.call("items.move", id=identifier, provider=saver)
    assert failure.value.code in (8, -32601)
    assert here(client) == [identifier]


def test_provider_that_has_another_password_asks_and_cancelling_keeps_it_here(running, client, saver):
    """The command line draws what the provider asks; no answer comes, so nothing is replaced and nothing removed."""
    client.call("items.move", id=save(client), provider=saver)
    until(lambda: (SAVER, "rmondello") in offered(client))
    identifier = client.call("items.add", items=[{"services": [SITE], "user": "rmondello", "password": secret("another one")}])["items"][0]["id"]
    done = running.latchkey("move", identifier, "--to", "Saver", input=b"", check=False)
    assert done.returncode != 0 and here(client) == [identifier]


def test_provider_that_asks_is_answered_on_the_command_line(running, client, asking):
    move = asking()
    said = answered(move, b"1\n")
    assert move.returncode == 0 and b"Moved rmondello at first.example to Saver" in said
    assert here(client) == []
    browser = Browser(running)
    assert browser.choose(SAVER) == "another one"
    browser.close()


def test_command_line_says_what_it_did_and_what_would_stay(running, client, saver):
    identifier = save(client, notes=secret("the street of my birth"))
    done = running.latchkey("move", identifier, "--to", SAVER, check=False)
    assert done.returncode != 0 and b"notes" in done.stderr and b"birth" not in done.stderr
    done = running.latchkey("move", identifier, "--to", SAVER, "--leave-rest")
    assert b"Moved rmondello at https://shiny.example.com to Saver" in done.stderr
    assert PASSWORD.encode() not in done.stdout + done.stderr
    done = running.latchkey("move", save(client, "eliza"), "--to", BUILT_IN, check=False)
    assert done.returncode != 0 and b"already" in done.stderr


@pytest.fixture
def asking(running, client, saver):
    """An account that the other provider asks about, because it has another password for it; and a way to have it moved."""
    client.call("items.move", id=save(client), provider=saver)
    until(lambda: (SAVER, "rmondello") in offered(client))
    identifier = save(client)
    client.proven("items.edit", id=identifier, services=["first.example", SITE], password=secret("another one"))
    moves = []

    def begin():
        move = subprocess.Popen(
            [BINARIES / "latchkey", "move", identifier, "--to", SAVER, "--lines"], env=running.environment,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        moves.append(move)
        told = b""
        while b"Replace the password of rmondello?" not in told:
            assert (part := os.read(move.stderr.fileno(), 4096)), move.communicate()
            told += part
        return move

    begin.account = identifier
    yield begin
    for move in moves:
        move.kill()
        move.communicate()


def test_cancelling_in_the_middle_says_what_has_arrived(client, asking):
    move = asking()
    said = answered(move, b"q\n")
    assert move.returncode != 0
    assert b"The move was cancelled. Saver has the account for first.example now, and it was not removed here." in said
    assert here(client) == [asking.account]


def test_account_that_is_changed_in_the_middle_stays(client, asking):
    move = asking()
    client.call("items.edit", id=asking.account, password=secret("the newest one"))
    said = answered(move, b"1\n")
    assert move.returncode != 0 and b"It was changed here in the meantime. Saver has the account" in said
    assert here(client) == [asking.account]
    assert client.call("items.reveal", id=asking.account)["password"] == secret("the newest one")


def test_account_that_is_being_moved_is_not_moved_by_another(client, asking):
    asking()
    assert refused(client, id=asking.account, provider=SAVER).code == 12


@pytest.mark.parametrize("act", ["lock", "disable", "kill"])
def test_what_ends_the_move_in_the_middle_leaves_the_account_here(running, client, saver, asking, act):
    move = asking()
    if act == "lock":
        client.call("lock")
    elif act == "disable":
        client.call("providers.disable", identifier=saver)
    else:
        for process in processes(running.data / "extensions/Saver.appex/provider"):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
    said = answered(move, b"1\n")
    assert move.returncode != 0 and b" has the account for first.example now, and it was not removed here." in said
    assert act != "lock" or b"locked" in said
    if act == "lock":
        client.call("unlock", passphrase=secret(PASSPHRASE))
    assert here(client) == [asking.account]
    assert client.call("items.reveal", id=asking.account)["password"] == secret("another one")


def test_account_that_is_removed_in_the_middle_is_moved(client, asking):
    move = asking()
    client.call("items.remove", id=asking.account)
    answered(move, b"1\n")
    assert move.returncode == 0 and here(client) == []


def answered(move, line):
    """Answers the interface, and waits for what the command says in the end; an end of its input would be a no."""
    with contextlib.suppress(BrokenPipeError):
        move.stdin.write(line)
        move.stdin.flush()
    move.wait(timeout=90)
    return move.communicate()[1]


def test_end_of_the_command_ends_the_move(client, asking):
    move = asking()
    move.kill()
    move.wait()
    until(lambda: not _is_moving(client, asking.account))
    assert here(client) == [asking.account]


def _is_moving(client, identifier):
    """Whether a move of it is under way: another one is refused for that first."""
    try:
        client.call("items.move", id=identifier, provider="com.example.saver", leavesRest=False)
    except WireFailure as failure:
        return failure.code == 12
    return False

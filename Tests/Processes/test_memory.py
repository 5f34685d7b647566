# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""S30: after a lock no process of ours holds a secret any more."""

import os
import pathlib
import re
import select
import signal
import subprocess

import pytest

from installation import HANG, PASSPHRASE, BrowserClient, WireFailure, denied, secret, until
from verdicts import NotTried, must_hold, nothing_released

CANARY = "canary-5Ts-C2M-XDn-576-only-in-this-test"
MISTYPED = "mistyped-passphrase-6vQ-never-right"
PIN, WRONG_PIN = "27182818284590452353602874713526", "31415926535897932384626433832795"


def memory(process):
    """Everything that a process has mapped, as a debugger of root sees it: stronger than a core dump, which leaves out
    what is marked so."""
    pieces = []
    with open(f"/proc/{process}/maps") as maps, open(f"/proc/{process}/mem", "rb", 0) as memory:
        for line in maps:
            start, end, mode = re.match(r"([0-9a-f]+)-([0-9a-f]+) (\S+)", line).groups()
            if not mode.startswith("r") or "[vvar" in line or "[vsyscall" in line:
                continue
            try:
                memory.seek(int(start, 16))
                pieces.append(memory.read(int(end, 16) - int(start, 16)))
            except (OSError, ValueError, OverflowError):
                continue
    return b"\0".join(pieces)


def finds(process, text):
    return text.encode() in memory(process) or text.encode("utf-16-le") in memory(process)


def copies(process, text):
    """For each copy of a text in what a process may write to: whether that memory is locked. The process stands still meanwhile."""
    found = []
    os.kill(process, signal.SIGSTOP)
    try:
        parts = re.split(r"^([0-9a-f]+)-([0-9a-f]+) (\S+) .*\n", pathlib.Path(f"/proc/{process}/smaps").read_text(), flags=re.MULTILINE)[1:]
        with open(f"/proc/{process}/mem", "rb", 0) as memory:
            for start, end, mode, more in zip(*[iter(parts)] * 4):
                if not mode.startswith("rw"):
                    continue
                try:
                    memory.seek(int(start, 16))
                    count = memory.read(int(end, 16) - int(start, 16)).count(text.encode())
                except OSError:
                    continue
                found += ["lo" in re.search(r"^VmFlags: (.*)", more, re.MULTILINE)[1].split()] * count
    finally:
        os.kill(process, signal.SIGCONT)
    return found


def is_gone(process, text):
    """Whether a process has no copy of a text. What it still has is in locked memory: a request ends a moment after it was answered."""
    found = copies(process, text)
    must_hold(all(found), "it is in memory that may reach swap")
    return not found


needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="reading another process's memory needs root here")


@needs_root
@pytest.mark.release
def test_S30_nothing_secret_is_left_after_a_lock(fresh_installation):
    """From the initialisation on, whose recovery code the daemon must not keep either."""
    running = fresh_installation.start()
    client = running.unlocked()
    identifier = client.call(
        "items.add",
        items=[{"services": ["shiny.example.com"], "user": "rmondello-canary-user", "password": secret(CANARY)}],
    )["items"][0]["id"]
    assert client.call("items.reveal", id=identifier, purpose="show")["password"] == secret(CANARY)

    browser = BrowserClient(running)
    browser.user = lambda shown: (True, PASSPHRASE if shown["kind"] != "confirm" else None)
    session = browser.focus("https://shiny.example.com")["session"]
    rows = browser.call("renderer.suggestions", session=session)["suggestions"]
    filled = browser.call("renderer.choose", handle=rows[0]["handle"], surface="bar", guard={"held": True})
    assert {fill["role"]: fill["value"]["secret"] for fill in filled["fills"]}["current-password"] == CANARY

    client.call("lock")
    with pytest.raises(WireFailure) as wrong:
        client.call("unlock", passphrase=secret(MISTYPED))
    assert wrong.value.code == 4
    # Answered by the host after all that came before it.
    assert browser.call("renderer.status")["locked"]
    must_hold(running.providers() == [], "a provider outlived the lock")

    daemon = running.daemon.pid
    # The search itself is alive: the name of the program is there.
    assert finds(daemon, "latchkeyd.sock")
    for name, process in [("daemon", daemon), ("browser host", browser.process.pid)]:
        for what, text in [
            ("a password", CANARY),
            ("the passphrase", PASSPHRASE),
            ("a mistyped passphrase", MISTYPED),
            ("the recovery code", running.recovery_code),
            ("a user name", "rmondello-canary-user"),
        ]:
            nothing_released(f"the memory of the {name}", [what] if finds(process, text) else [])
    browser.close()


@needs_root
@pytest.mark.release
@pytest.mark.parametrize("moment", ["before the form was sent off", "while the user was asked"])
def test_S30_what_was_typed_and_waits_is_sealed_while_locked(fresh_installation, moment):
    """The question outlives a lock, and the password that it is about cannot be read meanwhile."""
    running = fresh_installation.start()
    client = running.unlocked()
    browser = BrowserClient(running)
    kinds, seen = [], []

    def user(shown):
        kinds.append(shown["kind"])
        if kinds == ["savePassword"] and moment.startswith("while"):
            # Held while the user is asked, or the search below would prove nothing.
            assert finds(running.daemon.pid, CANARY)
            client.call("lock")
        if shown["kind"] == "unlockToSave":
            seen.append([finds(process, CANARY) for process in (running.daemon.pid, browser.process.pid)])
        return True, PASSPHRASE if shown["kind"] == "unlock" else None

    browser.user = user
    if moment.startswith("before"):
        client.call("lock")
    chain = [{"origin": "https://shiny.example.com", "document": "D1"}]
    fields = [{"ref": 0, "tag": "input", "type": "text", "autocomplete": "username", "visible": True},
              {"ref": 1, "tag": "input", "type": "password", "autocomplete": "current-password", "visible": True}]
    empty = {"title": "", "path": "/", "language": "en", "forms": []}
    browser.call("page.submitted", frame={"tab": 1, "frame": 0, "document": "D1", "chain": chain}, page={**empty, "fields": fields},
                 values=[{"ref": 0, "value": secret("rmondello")}, {"ref": 1, "value": secret(CANARY)}])
    browser.call("page.settled", tab=1, document="D1", page={**empty, "fields": []}, origin="https://shiny.example.com")

    def saved():
        browser.call("renderer.status")
        return kinds and kinds[-1] == "savePassword" and not browser.call("renderer.status")["locked"] and client.call("items.list")["items"]

    (item,) = until(saved)
    assert client.call("items.reveal", id=item["id"], purpose="show")["password"] == secret(CANARY)
    assert kinds == [*(["savePassword"] if moment.startswith("while") else []), "unlockToSave", "unlock", "savePassword"]
    nothing_released("memory while locked", seen)
    assert len(seen) == 1
    browser.close()


@needs_root
@pytest.mark.release
def test_S30_a_pin_is_in_locked_memory_while_it_is_looked_at_and_nowhere_afterwards(running):
    client = running.unlocked()
    daemon = running.daemon.pid

    def seen_while(method, **params) -> list[bool]:
        """Looks for the PIN while a request is carried out that takes it, and says for each copy whether it is locked."""
        client.send({"jsonrpc": "2.0", "id": 1000, "method": method, "params": params})

        def is_answered():
            return bool(select.select([client.socket], [], [], 0)[0])

        found = until(lambda: copies(daemon, PIN) or is_answered())
        if found is True:
            raise NotTried(f"{method} was answered before its PIN was looked for")
        assert "result" in client.receive()
        return found

    client.call("authenticate", passphrase=secret(PASSPHRASE), method="pin.set")
    must_hold(all(seen_while("pin.set", pin=secret(PIN))), "a PIN that is set is in memory that may reach swap")
    until(lambda: is_gone(daemon, PIN))
    client.call("lock")
    must_hold(all(seen_while("unlock", passphrase=secret(PIN))), "a PIN that unlocks is in memory that may reach swap")
    until(lambda: is_gone(daemon, PIN))
    client.call("lock")
    with pytest.raises(WireFailure):
        client.call("unlock", passphrase=secret(WRONG_PIN))
    until(lambda: is_gone(daemon, PIN) and is_gone(daemon, WRONG_PIN))
    client.call("pin.forget")
    nothing_released("the daemon's memory", finds(daemon, PIN), finds(daemon, WRONG_PIN))


@needs_root
@pytest.mark.release
def test_S30_the_command_line_has_the_pin_in_locked_memory_alone(running, tmp_path):
    running.unlocked()
    passphrase, pipe = tmp_path / "passphrase", tmp_path / "pin"
    passphrase.write_text(PASSPHRASE)
    os.mkfifo(pipe)
    setting = subprocess.Popen(
        [running.programs / "latchkey", "pin", "set", "--passphrase-file", passphrase, "--pin-file", pipe], env=running.environment)
    # It opens the pipe once the daemon has said that it is unlocked, and waits for the daemon again after it has read the PIN.
    with open(pipe, "w") as typed:
        running.daemon.send_signal(signal.SIGSTOP)
        typed.write(PIN)
    try:
        must_hold(all(until(lambda: copies(setting.pid, PIN))), "the command line has the PIN in memory that may reach swap")
    finally:
        running.daemon.send_signal(signal.SIGCONT)
    assert setting.wait(HANG) == 0
    until(lambda: is_gone(running.daemon.pid, PIN))


@needs_root
@pytest.mark.release
def test_S30_the_search_does_find_what_is_held(running):
    """While unlocked a provider holds what it was asked for; were it not found, the test above would prove nothing."""
    client = running.unlocked()
    client.call(
        "items.add", items=[{"services": ["shiny.example.com"], "user": "someone", "password": secret(CANARY)}]
    )
    keyring = (running.data / "keyring").read_text()
    assert keyring
    provider = running.providers()
    assert len(provider) == 1
    assert finds(provider[0], "org.latchkey.passwords")


@pytest.mark.release
def test_S30_no_core_dumps_and_no_tracing(running):
    client = running.unlocked()
    client.call("items.list")
    for process in [running.daemon.pid, *running.providers()]:
        limits = pathlib.Path(f"/proc/{process}/limits").read_text()
        must_hold(re.search(r"Max core file size\s+0\s+0", limits), f"{process} may dump its memory: {limits}")
        # A process that may not be dumped belongs to root in /proc, whoever runs it.
        must_hold(os.stat(f"/proc/{process}/mem").st_uid == 0, f"{process} may be traced")


@pytest.mark.main
def test_S27_nothing_about_accounts_is_readable_on_disk(running):
    client = running.unlocked()
    client.call(
        "items.add",
        items=[
            {
                "services": ["shiny.example.com"],
                "user": "rmondello-canary-user",
                "password": secret(CANARY),
                "notes": secret("canary-note"),
            }
        ],
    )
    client.call("lock")
    words = [CANARY, "rmondello-canary-user", "shiny.example", "canary-note", PASSPHRASE]
    seen = 0
    for file in running.folder.rglob("*"):
        if file.is_file():
            seen += 1
            content = file.read_bytes()
            nothing_released(file.name, [word for word in words if word.encode() in content])
    assert seen >= 6, "the files that were to be searched are not there"


@pytest.mark.main
def test_S27_while_locked_nothing_is_answered_about_accounts(running):
    client = running.unlocked()
    client.call(
        "items.add", items=[{"services": ["shiny.example.com"], "user": "rmondello", "password": secret(CANARY)}]
    )
    client.call("lock")
    for method, params in [
        ("suggestions.list", {"url": "https://shiny.example.com/"}),
        ("items.list", {}),
        ("items.get", {"id": "0"}),
        ("items.reveal", {"id": "0"}),
        ("audit.list", {}),
        ("backup.write", {"path": "/nowhere/at/all"}),
    ]:
        denied(2, client.call, method, **params)

# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""What providers of other people can reach, and bundles that change after the user enabled them."""

import os
import pathlib
import shutil
import signal
import socket

import pytest

from installation import WireFailure, denied, until
from providers import (
    BUILT_IN, NETWORK, READ_ONLY, READ_WRITE, SHINY, SOCKETS, Browser, Bundle, Hand, processes, refusal, rows, store_file, taken, write_bundle,
)
from verdicts import nothing_released


# Isolation


@pytest.fixture
def isolated(running, client):
    isolation = client.call("status")["isolation"]
    if not isolation["available"]:
        pytest.skip(f"no isolation here: {isolation.get('reason')}")


def raises(hand, code):
    answer = hand.run(code)
    assert isinstance(answer, dict) and set(answer) == {"raised"}, f"{code}: {answer}"
    return answer["raised"]


@pytest.mark.main
def test_what_is_not_its_own_is_not_there(running, client, isolated):
    (running.folder / "diary.txt").write_text("dear diary")
    other = Bundle(running, "com.example.other")
    other.enable(client)
    bundle = Bundle(running)
    hand = taken(bundle, client)
    for path in [
        running.folder / "diary.txt", running.config / "peers.json", running.data / "keyring", running.data / "registry",
        running.state, store_file(running), other.container / "behaviour.json", other.folder / "provider",
        running.folder / "daemon.log", running.data / "containers" / BUILT_IN, running.socket, running.runtime,
        pathlib.Path(__file__), f"/proc/{running.daemon.pid}/environ", f"/proc/{os.getpid()}/cmdline", "/etc/shadow",
        "/sys", "/boot", *([] if running.folder.is_relative_to("/home") else ["/home"]),
    ]:
        assert os.path.exists(path), f"{path} proves nothing"
        nothing_released(str(path), hand.run(f"value = os.path.exists({str(path)!r})"))
    assert hand.run(f"value = os.listdir({str(running.folder)!r})") == ["data_home"]
    assert hand.run(f"value = os.listdir({str(bundle.container.parent)!r})") == [SHINY]
    assert hand.run(f"value = os.listdir({str(bundle.extensions)!r})") == [bundle.folder.name]
    assert hand.run("value = os.listdir('/run') + os.listdir('/var') + os.listdir('/tmp')") in ([], ["latchkey"], [
        running.folder.name])
    numbers = hand.run("value = [int(name) for name in os.listdir('/proc') if name.isdigit()]")
    assert len(numbers) <= 4, "it sees other processes"


def test_its_own_bundle_and_the_system_cannot_be_written(running, client, isolated):
    bundle = Bundle(running)
    hand = taken(bundle, client)
    for path in [bundle.folder / "new", bundle.folder / "provider", "/usr/new", "/usr/bin/bwrap", "/etc/passwd"]:
        assert raises(hand, f"open({str(path)!r}, 'a')") in ("OSError", "PermissionError"), path
    for call in [
        "os.setuid(12345)", "os.chroot('/')", "socket.sethostname('x')",
        f"os.remove({str(bundle.folder / 'provider')!r})", f"os.chmod({str(bundle.folder)!r}, 0o777)",
    ]:
        raises(hand, call)
    # What it writes beside is gone with it; what it writes into its container stays.
    hand.run(f"open({str(running.folder / 'left')!r}, 'w').write('x')")
    hand.run("open(provider.container + '/kept', 'w').write('x')")
    assert not (running.folder / "left").exists() and (bundle.container / "kept").read_text() == "x"
    assert bundle.statement(client)["state"] == "enabled"


@pytest.mark.parametrize("entitlements, missing, refused", [
    ({}, "OSError", "OSError"), ({SOCKETS: ["~/absent"]}, "FileNotFoundError", "ConnectionRefusedError"),
])
def test_neither_the_session_bus_nor_the_daemon_can_be_reached(running, client, isolated, entitlements, missing, refused):
    listeners = []
    runtime = pathlib.Path(running.environment["XDG_RUNTIME_DIR"])
    for name in ["bus", "keyring"]:
        listeners.append(socket.socket(socket.AF_UNIX))
        listeners[-1].bind(str(runtime / name))
        listeners[-1].listen()
    abstract = socket.socket(socket.AF_UNIX)
    abstract.bind(b"\0latchkey-test-" + str(os.getpid()).encode())
    abstract.listen()
    hand = taken(Bundle(running, entitlements=entitlements), client)
    for path in [runtime / "bus", runtime / "keyring", running.socket, "/run/dbus/system_bus_socket"]:
        assert raises(hand, f"socket.socket(socket.AF_UNIX).connect({str(path)!r})") == missing, path
    name = f"'\\0latchkey-test-{os.getpid()}'"
    assert raises(hand, f"socket.socket(socket.AF_UNIX).connect({name})") == refused
    assert hand.run("value = sorted(n for n in os.environ if 'DBUS' in n or 'DISPLAY' in n or 'LATCHKEY' in n)") == []
    for listener in [*listeners, abstract]:
        listener.close()


def test_granted_folders_are_given_as_they_were_granted(running, client, isolated):
    for name in ["readable", "writable", "readables"]:
        (running.folder / name).mkdir()
        (running.folder / name / "file").write_text(name)
    bundle = Bundle(running, entitlements={READ_ONLY: ["/readable/"], READ_WRITE: ["writable", "absent"]})
    hand = taken(bundle, client)
    assert hand.run(f"value = open({str(running.folder / 'readable' / 'file')!r}).read()") == "readable"
    for code in [
        f"open({str(running.folder / 'readable' / 'file')!r}, 'w')", f"open({str(running.folder / 'readable' / 'x')!r}, 'w')",
        f"os.remove({str(running.folder / 'readable' / 'file')!r})", f"os.chmod({str(running.folder / 'readable')!r}, 0o777)",
        f"open({str(running.folder / 'readables' / 'file')!r})", f"os.listdir({str(running.folder / 'absent')!r})",
        f"open({str(running.folder / 'readable' / '..' / 'readables' / 'file')!r})",
    ]:
        raises(hand, code)
    assert (running.folder / "readable" / "file").read_text() == "readable"
    hand.run(f"open({str(running.folder / 'writable' / 'file')!r}, 'w').write('changed')")
    assert (running.folder / "writable" / "file").read_text() == "changed"


NEVER_GIVEN = [
    ({READ_WRITE: ["data_home"]}, "Latchkey"),
    ({READ_ONLY: ["/data_home/latchkey/containers/org.latchkey.passwords/"]}, "Latchkey"),
    ({READ_ONLY: ["runtime_dir"]}, "Latchkey"),
    ({READ_ONLY: ["config_home/latchkey"]}, "Latchkey"),
    ({READ_ONLY: ["/"]}, "home"),
    ({READ_ONLY: ["x/../.."]}, "home"),
    ({SOCKETS: ["$XDG_RUNTIME_DIR/bus"]}, "socket"),
    ({SOCKETS: ["$XDG_RUNTIME_DIR/latchkey/latchkeyd.sock"]}, "socket"),
    ({SOCKETS: ["~/runtime_dir/latchkey/latchkeyd.sock"]}, "Latchkey"),
    ({SOCKETS: ["~/data_home"]}, "Latchkey"),
    ({SOCKETS: ["~/.."]}, ""),
    ({SOCKETS: ["/var/run/docker.sock"]}, "socket"),
    # It would put a link there, and be given what that leads to at its next start.
    ({READ_WRITE: ["notes", "notes/inner"]}, "inside"),
    ({READ_WRITE: ["notes/"], READ_ONLY: ["/notes/inner/deep"]}, "inside"),
    ({READ_WRITE: ["notes"], SOCKETS: ["~/notes/socket"]}, "inside"),
    ({SOCKETS: ["$XDG_RUNTIME_DIR/gnupg", "$XDG_RUNTIME_DIR/gnupg/S.gpg-agent"]}, "inside"),
]


def test_what_no_provider_is_given_cannot_be_asked_for(running, client):
    for entitlements, reason in NEVER_GIVEN:
        bundle = Bundle(running, entitlements=entitlements)
        statement = bundle.statement(client)
        assert statement["state"] == "broken" and reason in statement["problem"], (entitlements, statement)
        with pytest.raises(WireFailure):
            client.proven("providers.enable", identifier=SHINY, digest=statement.get("digest") or "")
        assert bundle.processes() == []
        shutil.rmtree(bundle.folder)
    # A name that only begins in the same way is another folder.
    asked = {READ_WRITE: ["notes"], READ_ONLY: ["notes-too", "data_home_too"]}
    assert Bundle(running, entitlements=asked).statement(client)["state"] == "disabled"


@pytest.mark.parametrize("key", [READ_WRITE, SOCKETS])
def test_a_link_does_not_lead_to_what_is_latchkeys(running, client, key):
    """Bubblewrap follows links; so does the question whether a folder may be given."""
    bundle = Bundle(running, entitlements={key: ["~/notes" if key == SOCKETS else "notes"]})
    (running.folder / "notes").mkdir()
    hand = taken(bundle, client)
    # Later on, too: somebody put it there between two starts.
    (running.folder / "notes").rmdir()
    for target in [running.data, running.runtime, running.data / "containers" / BUILT_IN, running.folder]:
        (running.folder / "notes").unlink(missing_ok=True)
        (running.folder / "notes").symlink_to(target)
        assert bundle.statement(client)["state"] == "broken", target
    browser = Browser(running)
    bundle.behave(fills=False)
    os.kill(bundle.program, signal.SIGKILL)
    hand.gone()
    with pytest.raises(WireFailure):
        browser.choose()
    assert rows(client) == [] and bundle.processes() == []
    browser.close()


def test_killing_the_daemon_ends_an_isolated_provider(running, client, isolated):
    mark = str(10**9 + os.getpid())
    bundle = Bundle(running, holds=["provider.provideCredential"])
    hand = taken(bundle, client)
    # One that ignores the end of its connection and starts others of its own.
    hand.run("import subprocess, sys; subprocess.Popen(['/usr/bin/sleep', '" + mark + "'])")
    hand.run("provider.take = lambda count: __import__('time').sleep(10**6)")
    until(lambda: processes(mark))
    running.kill()
    hand.gone()
    until(lambda: bundle.processes() == [] and processes(mark) == [])


def test_S30_after_a_lock_no_process_of_a_provider_is_left(running, client, isolated):
    mark = str(10**9 + os.getpid())
    bundle = Bundle(running)
    hand = taken(bundle, client)
    hand.run("import subprocess, sys; subprocess.Popen(['/usr/bin/sleep', '" + mark + "'], start_new_session=True)")
    until(lambda: processes(mark))
    client.call("lock")
    assert bundle.processes() == []
    hand.gone()
    until(lambda: processes(mark) == [])


# Bundles that change


@pytest.mark.main
def test_a_bundle_that_changed_offers_nothing_until_it_is_enabled_again(running, client, browser):
    bundle = Bundle(running)
    hand = taken(bundle, client)
    handle = [row["handle"] for row in browser.rows()][0]
    (bundle.folder / "added").write_text("x")
    assert bundle.statement(client)["state"] == "changed"
    denied(10, browser.call, "renderer.choose", handle=handle, surface="popup", guard={"held": True})
    hand.gone()
    nothing_released("rows and processes of a bundle that changed", rows(client), bundle.processes())
    assert not store_file(running).exists()
    (bundle.folder / "added").unlink()
    assert bundle.statement(client)["state"] == "enabled"
    bundle.enable(client)
    assert browser.choose() == "correct horse"


@pytest.mark.parametrize("change", ["program", "mode", "link", "entitlements", "renamed", "gone", "owner"])
def test_a_bundle_that_changed_while_nothing_ran_is_not_started(running, client, change):
    bundle = Bundle(running)
    hand = taken(bundle, client)
    running.kill()
    hand.gone()
    if change == "program":
        with open(bundle.folder / "provider", "a") as file:
            file.write("\n")
    elif change == "mode":
        (bundle.folder / "Info.plist").chmod(0o755)
    elif change == "link":
        (bundle.folder / "link").symlink_to("/etc/passwd")
    elif change == "entitlements":
        shutil.rmtree(bundle.folder)
        write_bundle(bundle.folder, SHINY, "Shiny", {NETWORK: True})
    elif change == "renamed":
        bundle.folder.rename(bundle.extensions / "Other.appex")
    elif change == "gone":
        shutil.rmtree(bundle.folder)
    else:
        if os.geteuid() != 0:
            pytest.skip("giving a folder away needs root")
        os.chown(bundle.folder, 65534, 65534)
    running.start()
    client = running.unlocked()
    assert rows(client) == [] and not store_file(running).exists()
    expected = {"link": "broken", "gone": "missing", "owner": "broken"}.get(change, "changed")
    assert bundle.statement(client)["state"] == expected
    assert bundle.processes() == []


def test_what_was_shown_is_what_is_enabled(running, client):
    bundle = Bundle(running)
    shown = bundle.statement(client)["digest"]
    (bundle.folder / "added").write_text("x")
    refusal(6, client.proven, "providers.enable", identifier=SHINY, digest=shown)
    refusal(6, client.proven, "providers.enable", identifier=SHINY, digest="")
    assert bundle.statement(client)["state"] == "disabled" and bundle.processes() == []


def test_a_second_bundle_with_the_same_identifier_is_none(running, client, browser):
    bundle = Bundle(running, place="B.appex").enable(client)
    # After the first in the alphabet, and before it.
    write_bundle(bundle.extensions / "C.appex", SHINY, "Impostor", {NETWORK: True})
    states = [(p["state"], p["path"]) for p in client.call("providers.list")["providers"] if not p["builtIn"]]
    assert ("enabled", str(bundle.folder)) in states
    assert browser.choose() == "correct horse"
    write_bundle(bundle.extensions / "A.appex", SHINY, "Impostor", {NETWORK: True})
    assert [p["state"] for p in client.call("providers.list")["providers"] if p["identifier"] == SHINY][0] != "enabled"
    with pytest.raises((WireFailure, IndexError)):
        browser.choose()
    assert processes(bundle.extensions / "A.appex") == processes(bundle.extensions / "C.appex") == []
    write_bundle(running.folder / "New.appex", SHINY, "Impostor")
    refusal(13, client.call, "providers.install", path=str(running.folder / "New.appex"))


def test_a_removed_bundle_is_gone_with_everything_it_offered(running, client, browser):
    bundle = Bundle(running)
    hand = taken(bundle, client)
    handle = [row["handle"] for row in browser.rows()][0]
    client.call("providers.remove", identifier=SHINY)
    hand.gone()
    assert bundle.processes() == [] and rows(client) == [] and not store_file(running).exists()
    assert not bundle.folder.exists() and bundle.container.exists()
    refusal(10, browser.call, "renderer.choose", handle=handle, surface="popup", guard={"held": True})
    refusal(7, client.call, "providers.configure", identifier=SHINY)
    refusal(7, client.proven, "providers.enable", identifier=SHINY, digest="")
    again = Bundle(running)
    client.call("providers.remove", identifier=SHINY, deleteData=True)
    assert not again.container.exists()
    refusal(7, client.call, "providers.remove", identifier=SHINY)


def test_S39_a_granted_folder_that_another_provider_exchanges_is_not_followed(running, client, isolated):
    """One may change the folder around it, and puts a link in its place, again and again."""
    private = running.folder / "private"
    private.mkdir()
    (private / "diary").write_text("dear diary")
    inner = running.folder / "shared" / "inner"
    inner.mkdir(parents=True)
    (inner / "own").write_text("")
    changer = taken(
        Bundle(running, "com.example.changer", "Changer", entitlements={READ_WRITE: ["shared"]}, accounts=[]), client,
        filled=False)
    changer.run(f"""
import ctypes, threading
os.symlink({str(private)!r}, {str(inner) + '-link'!r})
c = ctypes.CDLL(None)
provider.on = True
def exchange():
    while provider.on:
        c.renameat2(-100, {str(inner)!r}.encode(), -100, {str(inner) + '-link'!r}.encode(), 2)
provider.thread = threading.Thread(target=exchange, daemon=True)
provider.thread.start()
""")
    reader = Bundle(running, "com.example.reader", "Reader", entitlements={READ_ONLY: ["shared/inner"]}, accounts=[])
    def listed(patience):
        """What a new process of the reader finds in the folder."""
        if reader.statement(client)["state"] == "enabled":
            client.call("providers.disable", identifier="com.example.reader")
        try:
            hand = Hand(reader)
            hand.patience = patience
            reader.enable(client, filled=False)
            return hand.taken().run(f"value = os.listdir({str(inner)!r})")
        except (AssertionError, ConnectionError, WireFailure):
            # bubblewrap noticed that something else is there now.
            return "not started"

    seen = [str(listed(3)) for _ in range(8)]
    assert not any("diary" in found for found in seen), seen
    changer.run("provider.on = False; provider.thread.join()")
    if inner.is_symlink():
        inner.unlink()
        inner.with_name("inner-link").rename(inner)
    assert listed(120) == ["own"], seen


def test_S39_what_was_granted_is_shown_and_not_handed_over(running, client, isolated):
    """A descriptor of a folder outside would lead to the folder around it."""
    (running.folder / "given").mkdir()
    (running.folder / "given" / "file").write_text("x")
    hand = taken(Bundle(running, entitlements={READ_ONLY: ["given"], NETWORK: True}), client)
    assert hand.run(f"value = os.listdir({str(running.folder / 'given')!r})") == ["file"]
    around = hand.run("""
value = []
for name in os.listdir('/proc/self/fd'):
    try: value.append(os.listdir(f'/proc/self/fd/{name}/..') + os.listdir(f'/proc/self/fd/{name}'))
    except OSError: pass
""")
    assert not any({"given", "file"} & set(names) for names in around), around

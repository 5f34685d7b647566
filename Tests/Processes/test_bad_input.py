# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Bad input gets a clear error, loses nothing, and leaves the daemon running."""

import os
import signal
import socket
import struct
import subprocess

import pytest

from installation import PASSPHRASE, WireFailure, denied, secret, until
from verdicts import must_hold, nothing_lost


def item(number=1):
    return {"services": ["shiny.example.com"], "user": f"user{number}", "password": secret("p" * 16)}


def raw(installation, data):
    """Sends bytes as they are, and returns what comes back until the daemon hangs up or has nothing to say."""
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(5)
    connection.connect(str(installation.socket))
    try:
        connection.sendall(data)
        connection.shutdown(socket.SHUT_WR)
        answer = b""
        while part := connection.recv(65536):
            answer += part
        return answer
    except (BrokenPipeError, ConnectionResetError):
        return b""
    finally:
        connection.close()


def frame(body):
    return struct.pack("=I", len(body)) + body


NONSENSE = [
    b"",
    b"\x01",
    struct.pack("=I", 0),
    struct.pack("=I", 1 << 20 | 1) + b"x" * 1000,
    struct.pack("=I", 0xFFFFFFFF),
    struct.pack("=I", 100) + b"{",
    frame(b"not json"),
    frame(b"[" * 5000),
    frame(b'{"jsonrpc":"2.0","id":1,"method":"hello","params":{"protocol":"x"}}'),
    frame(b'{"jsonrpc":"2.0","id":{},"method":"hello"}'),
    frame(b'{"jsonrpc":"2.0","id":1,"result":{}}'),
    frame(b'[{"jsonrpc":"2.0","id":1,"method":"hello"}]'),
    frame("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\ud800\"}".encode("utf-8", "surrogatepass")),
    frame(b"\xff\xfe\x00"),
    b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
]


def test_nonsense_on_the_socket_leaves_the_daemon_running(fresh_installation):
    fresh_installation.start()
    for data in NONSENSE:
        raw(fresh_installation, data)
        assert fresh_installation.client().call("status")["initialized"] is False, data
    assert fresh_installation.daemon.poll() is None


def test_an_unknown_method_is_an_answer(running):
    client = running.unlocked()
    with pytest.raises(WireFailure) as refused:
        client.call("items.lst")
    assert refused.value.code == -32601


def test_unknown_members_are_ignored(running):
    client = running.unlocked()
    assert client.call("items.list", grease={"a": [1, None]}, search="")["items"] == []


BEYOND = [
    [{"services": [], "user": "u", "password": secret("p")}],
    [{"services": ["a.test"] * 65, "user": "u", "password": secret("p")}],
    [{"services": ["a" * 2049], "user": "u", "password": secret("p")}],
    [{"services": ["a.test"], "user": "u" * 1025, "password": secret("p")}],
    [{"services": ["a.test"], "user": "u", "password": secret("p" * 4097)}],
    [{"services": ["a.test\nb.test"], "user": "u", "password": secret("p")}],
    [{"services": ["a.test"], "user": "u\0", "password": secret("p")}],
    [item(), {"services": [], "user": "u", "password": secret("p")}],
]


def test_items_beyond_the_limits_are_refused_whole(running):
    client = running.unlocked()
    for items in BEYOND:
        with pytest.raises(WireFailure) as refused:
            client.call("items.add", items=items)
        assert refused.value.code in (17, -32602), refused.value
        assert client.call("items.list")["items"] == []


@pytest.mark.main
def test_a_wrong_passphrase_opens_nothing(running):
    client = running.unlocked()
    client.call("lock")
    denied(4, client.call, "unlock", passphrase=secret(PASSPHRASE + " "))
    must_hold(client.call("status")["locked"] is True, "a wrong passphrase has unlocked")


@pytest.mark.parametrize("name", ["keyring", "registry"])
def test_a_damaged_key_file_is_named_and_left_alone(running, name):
    running.unlocked().call("items.add", items=[item()])
    running.kill()
    file = running.data / name
    whole = file.read_bytes()
    for offset in range(0, len(whole), max(1, len(whole) // 6)):
        damaged = bytearray(whole)
        damaged[offset] ^= 0x10
        file.write_bytes(damaged)
        running.start()
        with pytest.raises(WireFailure) as failure:
            running.client().call("unlock", passphrase=secret(PASSPHRASE))
        # Where the flipped byte is the version of a keyring, a newer Latchkey seems to have written it.
        assert failure.value.code in ({14} if name == "registry" else {14, 15}) and name in failure.value.message
        files = running.client().call("status")["files"]
        assert [one["path"] for one in files] == [str(file)] and "latchkey" in files[0]["hint"].lower()
        running.kill()
        assert file.read_bytes() == bytes(damaged), "a damaged file was overwritten"
    file.write_bytes(whole)
    running.start()
    assert len(running.unlocked().call("items.list")["items"]) == 1


@pytest.mark.parametrize("target", ["absent", "keyring"])
def test_a_keyring_behind_a_link_that_leads_nowhere_is_no_new_installation(running, target):
    running.unlocked().call("items.add", items=[item()])
    running.kill()
    file, kept = running.data / "keyring", running.data / "kept"
    file.rename(kept)
    file.symlink_to(target)
    running.start()
    client = running.client()
    assert client.hello["initialized"], "it looks like a new installation"
    with pytest.raises(WireFailure) as refused:
        client.call("initialize", passphrase=secret("another one"))
    assert refused.value.code == 14 and "cannot be read" in refused.value.message
    running.kill()
    file.unlink()
    kept.rename(file)
    running.start()
    assert len(running.unlocked().call("items.list")["items"]) == 1


def test_a_damaged_vault_is_an_error_and_the_daemon_goes_on(running):
    running.unlocked().call("items.add", items=[item()])
    running.kill()
    container = running.data / "containers" / "org.latchkey.passwords"
    for file in container.iterdir():
        if file.is_file() and file.stat().st_size > 4096:
            content = bytearray(file.read_bytes())
            for offset in range(0, len(content), 64):
                content[offset] ^= 0xFF
            file.write_bytes(content)
    running.start()
    client = running.unlocked()
    with pytest.raises(WireFailure) as failure:
        client.call("items.list")
    assert failure.value.code == 14
    assert client.call("status")["locked"] is False


def test_a_damaged_identity_store_is_made_anew(running):
    running.unlocked().call("items.add", items=[item()])
    running.kill()
    for file in (running.state / "identities").glob("*.identities*"):
        file.write_bytes(os.urandom(file.stat().st_size))
    running.start()
    client = running.unlocked()
    assert until(lambda: client.call("suggestions.list", url="https://shiny.example.com")["suggestions"])


def test_a_full_disk_loses_nothing(installation):
    if os.geteuid() != 0:
        pytest.skip("mounting a small file system needs root")
    installation.data.parent.mkdir(parents=True)
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", installation.data.parent])
    if mounted.returncode != 0:
        pytest.skip("a small file system cannot be mounted here")
    try:
        installation.start()
        client = installation.unlocked()
        kept = client.call("items.add", items=[item(1)])["items"][0]["id"]
        filler = installation.data.parent / "filler"
        file = os.open(filler, os.O_CREAT | os.O_WRONLY)
        with pytest.raises(OSError):
            while True:
                os.write(file, b"\0" * 512)
        os.close(file)
        failed = 0
        for number in range(20):
            try:
                client.call("items.add", items=[item(number) | {"notes": secret("n" * 60_000)}])
            except WireFailure as failure:
                assert failure.code == 14, failure
                failed += 1
        assert failed > 0, "the disk was not full"
        assert client.call("items.reveal", id=kept)["password"] == secret("p" * 16)
        filler.unlink()
        client.call("items.add", items=[item(99)])
        users = {entry["user"] for entry in client.call("items.list")["items"]}
        assert {"user1", "user99"} <= users
        client.call("stop")
        installation.daemon.wait(10)
    finally:
        installation.kill()
        subprocess.run(["umount", "-l", installation.data.parent])


def test_a_full_disk_of_small_blocks_does_not_end_the_daemon(installation):
    """What is mapped from such a disk and has no block yet ends the process that touches it."""
    if os.geteuid() != 0:
        pytest.skip("mounting a small file system needs root")
    installation.state.mkdir(parents=True)
    image = installation.data.parent / "small"
    image.parent.mkdir(parents=True, exist_ok=True)
    image.write_bytes(bytes(4 << 20))
    made = subprocess.run(["mkfs.ext4", "-q", "-b", "1024", "-m", "0", image], capture_output=True)
    if made.returncode != 0 or subprocess.run(["mount", "-o", "loop", image, installation.state]).returncode != 0:
        pytest.skip("a small file system cannot be mounted here")
    try:
        installation.state.chmod(0o700)
        installation.start()
        client = installation.unlocked()
        client.call("items.add", items=[item(1)])
        client.call("lock")
        # Opening the index anew, reading it and failing to change it, with room for a part of what is needed.
        for room in range(0, 96, 4):
            file = os.open(installation.state / "filler", os.O_CREAT | os.O_WRONLY | os.O_APPEND)
            with pytest.raises(OSError):
                while True:
                    os.write(file, bytes(512))
            os.ftruncate(file, os.fstat(file).st_size - room * 1024)
            os.close(file)
            try:
                client.call("unlock", passphrase=secret(PASSPHRASE))
                client.call("suggestions.list", url="https://shiny.example.com")
                client.call("items.add", items=[item(room)])
            except WireFailure as failure:
                assert failure.code == 14, failure
            client.call("lock")
        assert installation.daemon.poll() is None
        (installation.state / "filler").unlink()
        client.call("unlock", passphrase=secret(PASSPHRASE))
        assert until(lambda: client.call("suggestions.list", url="https://shiny.example.com")["suggestions"])
    finally:
        installation.kill()
        subprocess.run(["umount", "-l", installation.state])


def test_a_provider_that_is_killed_is_started_again(running):
    client = running.unlocked()
    client.call("items.add", items=[item()])
    (first,) = running.providers()
    os.kill(first, 9)

    def items():
        try:
            return client.call("items.list")["items"]
        except WireFailure as failure:
            assert failure.code == 10

    assert len(until(items)) == 1
    (second,) = running.providers()
    assert second != first


def test_too_many_requests_at_once_are_busy_and_the_rest_is_answered(running):
    client = running.unlocked()
    for number in range(100):
        client.send({"jsonrpc": "2.0", "id": 1000 + number, "method": "items.list", "params": {}})
    answers = [client.receive() for _ in range(100)]
    assert {answer["id"] for answer in answers} == set(range(1000, 1100))
    assert all("result" in answer or answer["error"]["code"] == 12 for answer in answers)


@pytest.mark.main
def test_backup_and_restore_bring_everything_back(running, tmp_path):
    client = running.unlocked()
    kept = client.call("items.add", items=[item(1), item(2)])["items"]
    client.call("items.remove", id=kept[1]["id"])
    file = running.folder / "b.latchkey"
    assert client.call("backup.write", path=str(file))["bytes"] == file.stat().st_size
    client.call("items.add", items=[item(3)])
    with pytest.raises(WireFailure) as refused:
        client.call("backup.restore", path=str(file), passphrase=secret(PASSPHRASE))
    assert refused.value.code == 13
    assert client.call("backup.restore", path=str(file), passphrase=secret(PASSPHRASE), replace=True)["items"] == 1
    assert [entry["user"] for entry in client.call("items.list")["items"]] == ["user1"]
    shown = client.call("items.reveal", id=kept[0]["id"])["password"]
    nothing_lost("the password in a backup", [] if shown == secret("p" * 16) else [shown])
    assert client.call("items.restore", id=kept[1]["id"])["item"]["user"] == "user2"
    rows = client.call("suggestions.list", url="https://shiny.example.com/")["suggestions"]
    assert {row["user"] for row in rows} == {"user1", "user2"}


@pytest.mark.main
def test_a_damaged_backup_changes_nothing(running):
    client = running.unlocked()
    client.call("items.add", items=[item(1)])
    file = running.folder / "b.latchkey"
    client.call("backup.write", path=str(file))
    whole = file.read_bytes()
    for offset in [0, 20, len(whole) // 2, len(whole) - 1]:
        damaged = bytearray(whole)
        damaged[offset] ^= 1
        file.write_bytes(damaged)
        with pytest.raises(WireFailure) as refused:
            client.call("backup.restore", path=str(file), passphrase=secret(PASSPHRASE), replace=True)
        assert refused.value.code in (4, 5, 14, 15), refused.value
    nothing_lost("an account", {"user1"} - {entry["user"] for entry in client.call("items.list")["items"]})


@pytest.mark.main
def test_recovery_sets_a_new_passphrase_and_a_new_code(fresh_installation):
    running = fresh_installation.start()
    client = running.unlocked()
    client.call("items.add", items=[item(1)])
    client.call("lock")
    code = running.recovery_code.lower().replace("-", " ")
    new = client.with_code("recover", recoveryCode=secret(code), newPassphrase=secret("a new one"))
    assert new != running.recovery_code
    client.call("lock")
    denied(4, client.call, "unlock", passphrase=secret(PASSPHRASE))
    client.call("unlock", passphrase=secret("a new one"))
    denied(4, client.call, "recover", recoveryCode=secret(running.recovery_code), newPassphrase=secret("x"))
    nothing_lost("an account", {"user1"} - {entry["user"] for entry in client.call("items.list")["items"]})


@pytest.mark.main
def test_changing_the_passphrase_ends_the_old_one(running):
    client = running.unlocked()
    client.call("passphrase.change", passphrase=secret(PASSPHRASE), newPassphrase=secret("another one"))
    client.call("lock")
    denied(4, client.call, "unlock", passphrase=secret(PASSPHRASE))
    client.call("unlock", passphrase=secret("another one"))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_the_daemon_ends_when_it_is_told_to(running, number):
    running.unlocked().call("items.add", items=[item()])
    providers = running.providers()
    running.daemon.send_signal(number)
    assert running.daemon.wait(20) == 0
    assert not running.socket.exists()
    assert not any(os.path.exists(f"/proc/{provider}/exe") for provider in providers)


#: More than any of these files has, and nothing on the disk.
SPARSE = 3 << 30


@pytest.mark.parametrize("name", ["state/audit.log", "data/registry", "config/fetch.json"])
def test_S37_a_file_without_end_is_not_read_whole(running, name):
    client = running.unlocked()
    client.call("items.add", items=[item(1)])
    client.call("lock")
    where, file = name.split("/")
    path = getattr(running, where) / file
    path.unlink(missing_ok=True)
    path.touch()
    os.truncate(path, SPARSE)
    try:
        client.call("unlock", passphrase=secret(PASSPHRASE))
        client.call("associations.check", host="shiny.example.com")
    except WireFailure as refused:
        assert "cannot be read" in refused.message
    peak = next(line for line in open(f"/proc/{running.daemon.pid}/status") if line.startswith("VmHWM"))
    assert int(peak.split()[1]) < 500_000
    if name == "state/audit.log":
        # Put aside and said; the log goes on.
        assert path.with_name("audit.log.replaced-1").stat().st_size == SPARSE
        assert client.call("status")["locked"] is False
        assert any(line["event"] == "damaged" for line in client.call("audit.list")["lines"])
        assert client.call("items.list")["items"]


def test_S37_a_backup_is_only_written_over_a_backup(running):
    client = running.unlocked()
    file = running.folder / "b.latchkey"
    for _ in range(2):
        assert client.call("backup.write", path=str(file))["bytes"] == file.stat().st_size
    thesis = running.folder / "thesis"
    thesis.write_text("years of work")
    link = running.folder / "link"
    link.symlink_to("/nowhere")
    for path in [thesis, link, running.folder, running.data / "keyring"]:
        with pytest.raises(WireFailure) as refused:
            client.call("backup.write", path=str(path))
        assert refused.value.code == 13, path
    assert thesis.read_text() == "years of work" and link.is_symlink()
    with pytest.raises(WireFailure) as refused:
        client.call("backup.write", path=str(running.folder) + "/new\0.txt")
    assert refused.value.code == -32602
    # One that is too large is not read.
    os.truncate(thesis, SPARSE)
    with pytest.raises(WireFailure):
        client.call("backup.restore", path=str(thesis), passphrase=secret(PASSPHRASE), replace=True)
    peak = next(line for line in open(f"/proc/{running.daemon.pid}/status") if line.startswith("VmHWM"))
    assert int(peak.split()[1]) < 500_000


def test_a_log_that_a_backup_puts_aside_says_so(running):
    client = running.unlocked()
    file = running.folder / "b.latchkey"
    client.call("backup.write", path=str(file))
    client.call("backup.restore", path=str(file), passphrase=secret(PASSPHRASE), replace=True)
    # The backup has the same key, so both lines are in one log.
    assert [line["event"] for line in client.call("audit.list")["lines"]][-2:] == ["replaced", "restored"]

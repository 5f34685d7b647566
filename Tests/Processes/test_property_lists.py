# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Property lists and JSON of strangers that are nested as deep as a file can be: refused with a reason, by a daemon that lives."""

import json
import struct
import sys

import pytest

from installation import PASSPHRASE, denied, secret
from providers import Bundle

DEPTHS = [33, 16_000, 100_000]


def xml(depth, key="NSExtension"):
    nested = "<array>" * depth + "</array>" * depth
    return f'<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict><key>{key}</key>{nested}</dict></plist>'.encode()


def binary(depth):
    """Arrays inside one another; each object names the next one."""
    body, offsets = b"bplist00", b""
    for number in range(depth):
        offsets += struct.pack(">I", len(body))
        body += b"\xa0" if number == depth - 1 else b"\xa1" + struct.pack(">I", number + 1)
    return body + offsets + bytes(6) + bytes([4, 4]) + struct.pack(">QQQ", depth, 0, len(body))


def cyclic():
    """A dictionary whose one value is itself."""
    body = b"bplist00" + b"\xd1\x01\x00" + b"\x51k"
    return body + bytes([8, 11]) + bytes(6) + bytes([1, 1]) + struct.pack(">QQQ", 2, 0, len(body))


def laughing():
    """2^30 values in 150 bytes: each of thirty arrays names the next one twice."""
    body, offsets = b"bplist00", b""
    for number in range(31):
        offsets += bytes([len(body)])
        body += b"\xa0" if number == 30 else bytes([0xA2, number + 1, number + 1])
    return body + offsets + bytes(6) + bytes([1, 1]) + struct.pack(">QQQ", 31, 0, len(body))


LISTS = {
    **{f"xml-{depth}": xml(depth) for depth in DEPTHS},
    **{f"binary-{depth}": binary(depth) for depth in DEPTHS},
    "xml-without-ends": b"<plist>" + b"<dict><key>k</key>" * 50_000,
    "cyclic": cyclic(),
    "laughing": laughing(),
}


def problems(client):
    return [provider["problem"] for provider in client.call("providers.list")["providers"] if provider["state"] == "broken"]


@pytest.mark.parametrize("name", LISTS)
def test_S37_information_of_a_bundle_that_nobody_enabled(running, client, name):
    bundle = Bundle(running)
    (bundle.folder / "Info.plist").write_bytes(LISTS[name])
    assert ["Info.plist" in problem for problem in problems(client)] == [True], problems(client)
    assert running.daemon.poll() is None


@pytest.mark.parametrize("name", LISTS)
def test_S37_entitlements_of_a_bundle_that_nobody_enabled(running, client, name):
    bundle = Bundle(running)
    (bundle.folder / "provider.entitlements").write_bytes(LISTS[name])
    found = problems(client)
    assert len(found) == 1 and "entitlements file" in found[0], found
    assert running.daemon.poll() is None


@pytest.mark.parametrize("name", ["xml-16000", "xml-100000", "binary-16000", "cyclic"])
def test_S37_a_program_that_connects_while_locked(installation, name):
    # A program without a role of its own is looked for among the bundles, whatever is in them.
    installation.trust()
    bundle = Bundle(installation)
    (bundle.folder / "Info.plist").write_bytes(LISTS[name])
    other = Bundle(installation, identifier="com.example.other", name="Other")
    (other.folder / "provider.entitlements").write_bytes(LISTS[name])
    installation.start()
    client = installation.client()
    assert client.hello["role"] == "client"
    assert installation.daemon.poll() is None


@pytest.mark.parametrize("name", ["xml-16000", "binary-16000"])
def test_S37_the_information_of_an_app_around_an_extension(running, client, name):
    bundle = Bundle(running, place="Shiny/PlugIns/com.example.shiny.appex")
    (bundle.root / "Info.plist").write_bytes(LISTS[name])
    (bundle.root / "shiny.entitlements").write_bytes(LISTS[name])
    information = (bundle.folder / "Info.plist").read_bytes().replace(
        b"com.apple.authentication-services-credential-provider-ui",
        b"com.apple.authentication-services-account-authentication-modification-ui",
    )
    information = information.replace(
        b"<key>NSExtensionPointIdentifier</key>",
        b"<key>ASAccountAuthenticationModificationSupportsStrongPasswordChange</key><true/>"
        b"<key>NSExtensionPointIdentifier</key>",
    )
    (bundle.folder / "Info.plist").write_bytes(information)
    assert "its app's" in problems(client)[0], problems(client)
    assert running.daemon.poll() is None


# Foundation's reader of JSON ends the process on this one: it stops exactly where it is as deep as that reader goes.
TRAP = b'{"y":' + b"[" * 512
JSON = {"trap": TRAP, "deep": b"[" * 100_000, "pairs": b'{"a":' * 100_000, "closed": b"[" * 50_000 + b"]" * 50_000}


@pytest.mark.parametrize("name", JSON)
def test_S37_a_list_of_peers_that_cannot_be_read_is_named(installation, name):
    (installation.config / "peers.json").write_bytes(JSON[name])
    installation.start()
    done = installation.latchkey("status", check=False)
    assert done.returncode == 10 and b"peers.json cannot be read" in done.stdout


@pytest.mark.parametrize("name", JSON)
def test_S37_a_keyring_that_cannot_be_read_is_no_end_by_a_signal(running, name):
    running.unlocked()
    running.kill()
    (running.data / "keyring").write_bytes(JSON[name])
    running.start()
    denied(14, running.client().call, "unlock", passphrase=secret(PASSPHRASE))
    assert running.daemon.poll() is None


@pytest.mark.parametrize("name", JSON)
def test_S37_hints_about_apps_that_cannot_be_read_hint_at_nothing(running, name):
    running.unlocked()
    running.kill()
    (running.state / "app-hints").write_bytes(JSON[name])
    running.start()
    assert running.unlocked().call("status")["locked"] is False


def test_S37_the_lists_are_what_they_say():
    # Each of these ends Foundation's reader, or Python's, or is read by it: they are no nonsense by mistake.
    assert json.loads("[" * 50 + "]" * 50) is not None
    with pytest.raises(RecursionError):
        json.loads(JSON["closed"])
    import plistlib

    assert plistlib.loads(xml(33))["NSExtension"] and plistlib.loads(binary(33))
    with pytest.raises((plistlib.InvalidFileException, RecursionError)):
        plistlib.loads(binary(sys.getrecursionlimit() * 2))

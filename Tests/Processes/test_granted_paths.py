# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""S61: a path is bytes between slashes. A slash beside certain scalars is no character of its own, and still a slash to the kernel."""

import os
import pathlib

import pytest

from installation import WireFailure
from providers import READ_ONLY, READ_WRITE, SOCKETS, Browser, Bundle, Hand, taken
from test_sandbox import isolated  # noqa: F401

#: A scalar that makes one character with the slash behind it (Prepend), and ones that do with the slash before them (Extend).
BEHIND = "\u0600"
BEFORE = "\u0301"

#: Runs in a provider: what it finds below the home, without what is its own.
FOUND = """
value = {}
for place, folders, files in os.walk(os.environ["HOME"]):
    folders[:] = [name for name in folders if name != "containers"]
    for name in files:
        with open(os.path.join(place, name), "rb") as file: value[os.path.join(place, name)] = file.read(32).decode(errors="replace")
"""


@pytest.fixture
def home(running):
    made = pathlib.Path(running.environment["HOME"])
    for folder in ["Shared", ".ssh", "Documents/Keeper", ".config/autostart"]:
        (made / folder).mkdir(parents=True)
    (made / ".ssh" / "id").write_text("a private key")
    (made / "Documents" / "will").write_text("a last will")
    return made


@pytest.mark.parametrize("right", [READ_ONLY, READ_WRITE])
def test_S61_what_one_provider_links_is_not_followed_for_another(running, client, isolated, home, right):  # noqa: F811
    """One may change a folder; the other is granted a folder in it, which the first has made a link."""
    link = f"x{BEHIND}"
    maker = Bundle(running, identifier="com.example.maker", name="Maker", entitlements={READ_WRITE: ["Shared"]})
    taken(maker, client).run(f"os.symlink('../.ssh', os.environ['HOME'] + '/Shared/{link}')")
    reader = Bundle(running, identifier="com.example.reader", name="Reader", entitlements={right: [f"Shared/{link}/."]})
    if reader.statement(client)["state"] == "broken":
        return
    hand = taken(reader, client)
    assert "a private key" not in hand.run(FOUND).values()
    hand.run(f"open(os.environ['HOME'] + '/Shared/{link}/authorized_keys', 'w').write('planted')")
    assert not (home / ".ssh" / "authorized_keys").exists()


def test_S61_a_provider_alone_does_not_leave_its_folders(running, client, isolated, home):  # noqa: F811
    """What it links in one of its folders would be shown to it, to be changed, at its next start."""
    link = f"{BEFORE}x{BEHIND}"
    bundle = Bundle(running, entitlements={READ_ONLY: ["Documents/Keeper"], READ_WRITE: ["Shared", f"Shared/{link}/."]})
    if bundle.statement(client)["state"] == "broken":
        return
    hand = taken(bundle, client)
    assert hand.run("value = os.listdir(os.environ['HOME'] + '/Documents')") == ["Keeper"]
    hand.run(f"os.symlink('../Documents', os.environ['HOME'] + '/Shared/{link}')")
    bundle.kill(client)
    browser = Browser(running)
    assert browser.choose() == "correct horse"
    hand.taken()
    assert "a last will" not in hand.run(FOUND).values()
    hand.run("open(os.environ['HOME'] + '/Documents/planted', 'w').close()")
    assert not (home / "Documents" / "planted").exists()
    browser.close()


@pytest.mark.parametrize("entitlements", [
    {READ_WRITE: ["Shared"], READ_ONLY: [f"Shared/{BEFORE}x"]},
    {READ_WRITE: ["Shared", f"Shared/{BEFORE}x"]},
    {READ_WRITE: ["Shared"], SOCKETS: [f"~/Shared/{BEFORE}agent"]},
    {READ_ONLY: [f"Shared/x{BEHIND}/."]},
    {READ_ONLY: [f"Shared/x{BEHIND}/.."]},
    {READ_ONLY: [f"Shared/../{BEFORE}x"]},
    {READ_ONLY: [f"Shared/../\u200dx"]},
    {READ_ONLY: [f"Documents/{BEFORE}x"]},
    {READ_ONLY: ["Documents/a\u202eb"]},
    {SOCKETS: [f"$XDG_RUNTIME_DIR/systemd/{BEFORE}private"]},
    {SOCKETS: [f"$XDG_RUNTIME_DIR/x{BEHIND}/../bus{BEHIND}/."]},
], ids=["inside of what it changes", "twice", "a socket inside", "dot", "dot dot", "up", "up by a joiner", "shown as one folder", "shown from right to left", "systemd", "bus"])
def test_S61_what_is_refused_is_refused_in_every_spelling(running, client, home, entitlements):
    assert Bundle(running, entitlements=entitlements).statement(client)["state"] == "broken"


def test_S46_folders_inside_one_another_are_counted_in_every_spelling(running, client):
    bundle = Bundle(running)
    (bundle.folder / "/".join([BEFORE + "d"] * 33)).mkdir(parents=True)
    assert bundle.statement(client)["state"] == "broken"


def test_S61_latchkeys_own_folder_is_out_of_reach_while_a_link_turns(running, client, isolated, home):  # noqa: F811
    """What was looked at has to be what is shown: the maker changes its link between the two, as often as it likes."""
    link = f"x{BEHIND}"
    (home / "Public").mkdir()
    maker = Bundle(running, identifier="com.example.maker", name="Maker", entitlements={READ_WRITE: ["Shared"]})
    hand = taken(maker, client)
    hand.run(f"os.symlink('../Public', os.environ['HOME'] + '/Shared/{link}')")
    reader = Bundle(running, identifier="com.example.reader", name="Reader", entitlements={READ_ONLY: [f"Shared/{link}/."]})
    if reader.statement(client)["state"] == "broken":
        return
    hand.run(f"""
import threading
folder = os.environ["HOME"] + "/Shared/"
def turn():
    number = 0
    while True:
        number += 1
        os.symlink(["../Public", "../data_home/latchkey"][number % 2], folder + "next")
        os.rename(folder + "next", folder + "{link}")
threading.Thread(target=turn, daemon=True).start()
""")
    for _ in range(60):
        other = Hand(reader)
        try:
            reader.enable(client, filled=False)
        except (WireFailure, TypeError):
            continue
        other.patience = 2
        try:
            seen = other.taken().run(f"value = os.listdir(os.environ['HOME'] + '/Shared/{link}')")
        except (TimeoutError, AssertionError, ConnectionError):
            seen = []
        assert not {"keyring", "registry", "containers"} & set(seen), seen
        client.call("providers.disable", identifier=reader.identifier)

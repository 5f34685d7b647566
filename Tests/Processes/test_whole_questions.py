# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""A question that a pinentry asks leaves out nothing that the user agrees to by it."""

import json
import os
import sys
import urllib.parse

import pytest

from installation import PASSPHRASE, Installation
from providers import READ_ONLY, READ_WRITE, SOCKETS, App, Browser, Bundle, refusal
from test_git import PINENTRIES, PINENTRY, display  # noqa: F401, a fixture

NOT_PERMITTED = 8


def harmless(count, length=60):
    return [f"Documents/{n:02}-" + "x" * length for n in range(count)]


def pages(display):
    return [urllib.parse.unquote(line[8:]) for line in display.asked() if line.startswith("SETDESC ")]


def asking(installation, **more):
    """A bundle with a containing app: it has no windows for questions, so that a pinentry asks."""
    bundle = Bundle(installation, place="Shiny/PlugIns/Shiny.appex", **more)
    App.put(bundle)
    return bundle


def enable(bundle):
    app = App(bundle)
    try:
        return app.call("app.requestEnable")
    finally:
        app.close()


def test_S64_no_grant_is_left_out_of_a_question(display):
    bundle = asking(display.installation, entitlements={READ_ONLY: harmless(20), READ_WRITE: [".ssh"], SOCKETS: ["~/.gnupg/S.gpg-agent"]})
    display.answer("yes", "yes", PASSPHRASE)
    assert enable(bundle)["enabled"] is True
    shown = pages(display)
    assert len(shown) == 3 and "Page 1 of 3" in shown[0]
    for path in harmless(20):
        assert sum(path in page for page in shown) == 1, path
    # What lets it do most comes first.
    assert "read and change ~/.ssh" in shown[0] and "gpg-agent" in shown[0]
    assert max(len(line.encode()) for line in display.asked()) <= 1_000


def test_S64_the_question_names_each_thing_that_a_provider_does(display):
    bundle = asking(display.installation, capabilities={
        "ProvidesOneTimeCodes": True, "SupportsSavePasswordCredentials": True, "SupportsGeneratePasswordCredentials": True})
    display.answer(PASSPHRASE)
    assert enable(bundle)["enabled"] is True
    shown = " ".join(pages(display))
    for sentence in ["fills passwords", "fills one-time codes", "is given passwords that you save", "makes new passwords"]:
        assert f"It {sentence}." in shown, sentence


def test_S64_a_no_on_any_page_is_a_no(display):
    bundle = asking(display.installation, entitlements={READ_ONLY: harmless(20), READ_WRITE: [".ssh"]})
    display.answer("yes", "no")
    assert enable(bundle)["enabled"] is False
    assert len(pages(display)) == 2 and "GETPIN" not in display.asked()
    assert bundle.statement(display.installation.control)["state"] == "disabled"


def test_S64_more_than_anybody_reads_is_not_asked(display):
    bundle = asking(display.installation, entitlements={READ_ONLY: harmless(31, 240), READ_WRITE: [".ssh"]})
    display.answer(*["yes"] * 20, PASSPHRASE)
    refusal(NOT_PERMITTED, enable, bundle)
    assert not (display.folder / "programs" / "asked").exists() or pages(display) == []
    assert bundle.statement(display.installation.control)["state"] == "disabled"


def test_S64_what_lets_it_do_most_stands_on_the_first_page(display):
    bundle = asking(
        display.installation,
        entitlements={READ_ONLY: harmless(20), READ_WRITE: [".config/autostart"], SOCKETS: ["~/.gnupg/S.gpg-agent"]})
    display.answer("yes", "yes", PASSPHRASE)
    assert enable(bundle)["enabled"] is True
    assert "autostart" in pages(display)[0] and "gpg-agent" in pages(display)[0]


def test_a_browser_asks_in_its_own_window_though_there_is_a_pinentry(display):
    bundle = Bundle(display.installation)
    browser = Browser(display.installation)
    try:
        browser.user = lambda shown: (True, PASSPHRASE)
        answer = browser.call("providers.enable", identifier=bundle.identifier, digest=bundle.statement(display.installation.control)["digest"])
    finally:
        browser.close()
    assert answer["provider"]["state"] == "enabled" and not (display.folder / "programs" / "asked").exists()


def test_S64_that_there_is_no_sandbox_stands_first(tmp_path):
    folder = tmp_path / "programs"
    folder.mkdir()
    for name in PINENTRIES:
        (folder / name).write_text(PINENTRY.format(python=sys.executable, folder=str(folder)))
        (folder / name).chmod(0o755)
    (folder / "bwrap").write_text("#!/bin/sh\nexit 1\n")
    (folder / "bwrap").chmod(0o755)
    with Installation({"DISPLAY": ":77", "PATH": f"{folder}:{os.environ['PATH']}"}) as running:
        client = running.start().unlocked()
        assert client.call("status")["isolation"]["available"] is False
        bundle = asking(running, entitlements={READ_ONLY: harmless(20)})
        (folder / "answers").write_text("\n".join(["yes", "yes", PASSPHRASE]))
        enable(bundle)
        lines = [json.loads(line) for line in (folder / "asked").read_text().splitlines()]
        first = [urllib.parse.unquote(line[8:]) for line in lines if line.startswith("SETDESC ")][0]
        assert "without isolation" in first

# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""`latchkey providers test` on the sample in Python, as it is and broken in one way each."""

import base64
import hmac
import json
import os
import plistlib
import shutil
import socket
import sys

import pytest

import saving_provider
from installation import BINARIES, ROOT

# What waits for time limits to pass again and again, and most of a long table whose every row takes seconds.
slow = pytest.mark.soak
# Most of the time passes in limits that a broken provider lets pass.
pytestmark = pytest.mark.waits
SAMPLE = ROOT / "Examples" / "provider-python" / "Sample.appex"


@pytest.fixture
def bundle(tmp_path):
    """A copy that a test may break."""
    return shutil.copytree(SAMPLE, tmp_path / "Sample.appex")


def run(installation, bundle, *more, answers={"pin": "2468"}):
    """The outcome of each check, by its name, and the exit status."""
    file = installation.folder / "answers.json"
    file.write_text(json.dumps(answers))
    done = installation.latchkey("providers", "test", bundle, "--json", "--answers", file, *more, check=False)
    return {c["name"]: (c["outcome"], c["reason"]) for c in json.loads(done.stdout)["checks"]}, done


def edit(bundle, old, new, file="provider"):
    text = (bundle / file).read_text()
    assert old in text
    (bundle / file).write_text(text.replace(old, new))


def test_the_sample_passes(installation):
    checks, done = run(installation, SAMPLE)
    assert done.returncode == 0, checks
    assert sorted(name for name, (outcome, _) in checks.items() if outcome == "skipped") == [
        "asks before a form that is gone replaces a password (1100), or keeps both",
        "keeps a generated password without asking",
        "makes passwords that keep to the rules",
        "replaces a password that the user wants replaced",
        "saves a password that the user wants saved",
        "shows its interface for a new password, and ends it when cancelled",
        "shows its list of codes",
        "shows its texts",
    ]
    assert "2468" not in (done.stdout + done.stderr).decode()


SAVING = [
    "saves a password that the user wants saved",
    "replaces a password that the user wants replaced",
    "keeps a generated password without asking",
    "asks before a form that is gone replaces a password (1100), or keeps both",
    "makes passwords that keep to the rules",
    "shows its interface for a new password, and ends it when cancelled",
]


@pytest.fixture
def saver(tmp_path):
    """The sample, taught to save."""
    return saving_provider.bundle(SAMPLE, tmp_path / "Saver.appex", "com.example.saver", "Saver")


def test_one_that_saves_passes(installation, saver):
    checks, done = run(installation, saver)
    assert done.returncode == 0, checks
    assert [checks[name][0] for name in SAVING] == ["passed"] * len(SAVING)
    assert "conformance-Made-Up" not in (done.stdout + done.stderr).decode()


@pytest.mark.parametrize(
    "old, new, check",
    [
        ('self.vault.add(host, params["user"], password)', "pass", SAVING[0]),
        pytest.param("                self.fill_store()\n            reply", "                pass\n            reply", SAVING[0], marks=slow),
        pytest.param('                self.keep(account, password)\n            if', "                pass\n            if", SAVING[1], marks=slow),
        ('if params["event"] == "generatedPasswordFilled":', "if 0:", None),
        pytest.param('self.pending[params["session"]] = (host, password)', 'raise sample.WireError(1100, "The user, please.")', SAVING[2], marks=slow),
        pytest.param('params["event"] == "formDidDisappear":', "0:", SAVING[3], marks=slow),
        ('self.open[params["request"]] = Replace(', "(lambda *_: None)(", SAVING[3]),
        pytest.param('Make(self, params["request"], reply)', "None", SAVING[5], marks=slow),
        pytest.param("string.digits) for", "string.punctuation) for", None, marks=slow),
        pytest.param("range(10)", "range(30)", SAVING[4], marks=slow),
        pytest.param('            reply({"passwords"', '            self.vault.add("a.test", "b", made)\n            self.fill_store()\n            reply({"passwords"', SAVING[4], marks=slow),
        ("            reply({})\n\n        def keep", "            print(password, flush=True)\n            reply({})\n\n        def keep", "prints no secret"),
    ],
)
def test_one_that_saves_wrongly_is_noticed(installation, saver, old, new, check):
    """Where `check` is None nothing is wrong with it: what it does differently is its own affair."""
    edit(saver, old, new)
    checks, done = run(installation, saver)
    assert done.returncode == (13 if check else 0), checks
    assert not check or [outcome for name, (outcome, _) in checks.items() if name.startswith(check)] == ["failed"], checks


def test_printing_all_the_time_does_no_harm(installation, bundle):
    noise = "import threading\n\n\ndef shout():\n    while True:\n        print('x' * 999, flush=True)\n\n\n"
    start = "threading.Thread(target=shout, daemon=True).start()\n"
    edit(bundle, "import hmac\n", "import hmac\n" + noise + start)
    checks, done = run(installation, bundle)
    assert done.returncode == 0, checks


@pytest.mark.parametrize(
    "old, new, check",
    [
        ('raise WireError(-32601, "There', 'raise WireError(-32600, "There', "answers an unknown method with -32601"),
        ('"user": account["user"], "password"', '"user": "else", "password"', "provides the credential of each"),
        ('raise WireError(NOT_FOUND, "', 'raise WireError(FAILED, "', "returns 1101 (or 1100)"),
        pytest.param(
            "screen.reply(error",
            "0 and screen.reply(error",
            "shows its list for a domain, and ends it when",
            marks=slow,
        ),
        pytest.param("        reply({})\n        screen", "        screen", "answers a search, a page more", marks=slow),
        ("        reply({})\n", "        print(self.vault.accounts, flush=True)\n        reply({})\n", "prints no secret"),
        ('"service": {"type": 0', '"service": {"type": 7', "makes store requests that are right"),
        ("sys.dont_write_bytecode = True", "", "leaves its own bundle as it is"),
        ('"kind": "list", "id": "accounts"', '"kind": "list", "id": ""', "shows its list for a URL"),
    ],
)
def test_a_broken_one_is_noticed(installation, bundle, old, new, check):
    edit(bundle, old, new)
    checks, done = run(installation, bundle)
    assert done.returncode == 13
    assert [outcome for name, (outcome, _) in checks.items() if name.startswith(check)] == ["failed"], checks


@slow
def test_one_that_hangs_when_the_connection_ends_is_noticed(installation, bundle):
    edit(bundle, "    os._exit(0)", "    import time\n\n    time.sleep(60)")
    checks, done = run(installation, bundle)
    assert done.returncode == 13
    assert checks["ends when the connection ends"][0] == "failed"


def test_what_is_no_program_is_noticed(installation, bundle):
    (bundle / "provider").write_text("#!/bin/sh\nexit 3\n")
    checks, done = run(installation, bundle)
    assert done.returncode == 13
    assert checks["answers provider.start, with members it does not know"][0] == "failed"


CONFIGURED = "takes what --answers types into its configuration"
SHOWN = "shows its configuration and ends it when cancelled, or completes at once"
EACH = "provides the credential of each identity that it saved, within 5 s"
NEW = {"Site": "new.example.com", "user": "somebody", "password": "conformance-typed", "add": ""}


def without_accounts(bundle):
    """It seals its accounts, and begins without any."""
    edit(bundle, 'self.add("shiny.example.com", "rmondello", secrets.token_urlsafe(15))', "pass", "vault.py")
    edit(bundle, 'self.add("bank.example.com", "rmondello", secrets.token_urlsafe(15), asks=True)', "pass", "vault.py")


def test_sealed_accounts_are_made_in_the_configuration(installation, bundle):
    without_accounts(bundle)
    checks, done = run(installation, bundle)
    assert done.returncode == 0, checks
    assert checks[EACH][0] == "skipped"
    checks, done = run(installation, bundle, answers=NEW)
    assert done.returncode == 0, checks
    assert [checks[name][0] for name in (CONFIGURED, EACH)] == ["passed"] * 2
    assert b"conformance-typed" not in done.stdout + done.stderr
    # What the provider then does wrongly is seen: it gives what it never was told.
    edit(bundle, '"user": account["user"], "password"', '"user": "else", "password"')
    checks, done = run(installation, bundle, answers=NEW)
    assert (done.returncode, checks[EACH][0]) == (13, "failed")


@pytest.mark.parametrize(
    "old, new, check",
    [
        ("", "", None),
        ("        reply({})\n        screen", "        print(fields, flush=True)\n        reply({})\n        screen", "prints no secret"),
        ('            self.finish({})\n', '            self.reply(error=WireError(FAILED, "No."))\n', CONFIGURED),
        pytest.param('            self.finish({})\n', "", CONFIGURED, marks=slow),
    ],
)
def test_what_is_wrong_with_a_configuration_is_noticed(installation, bundle, old, new, check):
    if check:
        edit(bundle, old, new)
    checks, done = run(installation, bundle, answers=NEW)
    assert done.returncode == (13 if check else 0), checks
    assert checks[check or CONFIGURED][0] == ("failed" if check else "passed")


def test_name_that_no_element_has_is_noticed(installation, bundle):
    checks, done = run(installation, bundle, answers={**NEW, "Usr": "somebody"})
    outcome, reason = checks["shows each element that --answers names"]
    assert (done.returncode, outcome) == (13, "failed") and "no Usr among" in reason and "User" in reason


@pytest.mark.parametrize("answer, stands, passes", [
    ("on", "False", True), ("on", "True", True), ("off", "False", False), (None, "False", False), ("yes", "False", False),
    pytest.param(None, "True", True, marks=slow), pytest.param("off", "True", False, marks=slow)])
def test_answers_set_a_toggle(installation, bundle, answer, stands, passes):
    """An account can be added only while the toggle is on."""
    edit(bundle, '                {"kind": "button", "id": "add", "label": "Add"},\n',
         '                {"kind": "toggle", "id": "mine", "label": "It is mine", "on": self.mine},\n                {"kind": "button", "id": "add", "label": "Add"},\n')
    edit(bundle, '        self.message, self.style = "Add an account, or change the PIN.", None\n',
         f'        self.message, self.style, self.mine = "Add an account, or change the PIN.", None, {stands}\n')
    edit(bundle, '        if action != "press":\n            return\n        vault = self.provider.vault\n',
         '        if action == "change":\n            self.mine = text == "on"\n        if action != "press":\n            return\n        vault = self.provider.vault\n')
    edit(bundle, '        if element == "add" and all(', '        if element == "add" and not self.mine:\n            self.reply(error=WireError(FAILED, "No."))\n            return\n        if element == "add" and all(')
    checks, done = run(installation, bundle, answers={**NEW, **({"It is mine": answer} if answer else {})})
    assert (done.returncode, checks[CONFIGURED][0]) == ((0, "passed") if passes else (13, "failed")), checks


def test_a_configuration_may_complete_at_once(installation, bundle):
    edit(bundle, 'self.open[params["request"]] = Configuration(self, params["request"], reply)', "reply({})")
    checks, done = run(installation, bundle)
    assert done.returncode == 0, checks
    assert (checks[CONFIGURED][0], checks[SHOWN][0]) == ("skipped", "passed")


def test_a_configuration_that_fails_at_once_is_noticed(installation, bundle):
    old = 'self.open[params["request"]] = Configuration(self, params["request"], reply)'
    edit(bundle, old, 'raise WireError(FAILED, "No.")')
    checks, done = run(installation, bundle)
    assert (done.returncode, checks[SHOWN][0]) == (13, "failed")


def test_what_the_page_says_of_sealing_is_what_the_sample_does(monkeypatch):
    """The numbers of docs/protocol.md, section 7, are those of the sample, which seals without a library."""
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.syspath_prepend(str(SAMPLE))
    monkeypatch.delitem(sys.modules, "vault", raising=False)
    import vault

    made = vault.Vault.__new__(vault.Vault)
    made.stream_key, made.tag_key = (hmac.digest(bytes(range(32)), word, "sha256") for word in (b"stream", b"tag"))
    monkeypatch.setattr(vault.secrets, "token_bytes", lambda count: bytes(range(count)))
    sealed = made._seal(b"correct horse")
    body = sealed[len(vault.MAGIC) + 24 :]
    printed = (ROOT / "docs" / "protocol.md").read_text()
    assert f"```\n{body[:-32].hex()}\n{body[-32:].hex()}\n```" in printed
    assert made._open(sealed) == b"correct horse"
    for place in range(len(sealed)):
        with pytest.raises(ValueError):
            made._open(sealed[:place] + bytes([sealed[place] ^ 1]) + sealed[place + 1 :])


def test_a_sealed_container_is_opened_by_its_key(installation, bundle, monkeypatch):
    without_accounts(bundle)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.syspath_prepend(str(bundle))
    monkeypatch.delitem(sys.modules, "vault", raising=False)
    import vault

    container, key = installation.folder / "sealed", installation.folder / "key"
    container.mkdir()
    key.write_text(base64.b64encode(os.urandom(32)).decode() + "\n")
    vault.Vault(str(container), key.read_text().strip()).add("sealed.example.com", "somebody", "conformance-sealed")
    checks, done = run(installation, bundle, "--container", container, "--key", key)
    assert done.returncode == 0, checks
    assert checks[EACH][0] == "passed"
    assert key.read_bytes().strip() not in done.stdout + done.stderr
    # Another key does not open it.
    checks, done = run(installation, bundle, "--container", container)
    assert done.returncode == 13
    for bad in ("", "AAEC", "no base64 of anything at all, and it is far too long for a key of 32 bytes"):
        key.write_text(bad)
        done = installation.latchkey("providers", "test", bundle, "--container", container, "--key", key, check=False)
        assert done.returncode == 13 and b" bytes" in done.stderr
    done = installation.latchkey("providers", "test", bundle, "--key", installation.folder / "none", check=False)
    assert done.returncode != 0 and b"cannot be read" in done.stderr


@pytest.mark.parametrize("option", ["--key", "--answers", "--account"])
def test_files_are_read_within_a_bound(installation, bundle, option):
    """A device has no end; what a file holds beyond the bound is refused, and said."""
    done = installation.latchkey("providers", "test", bundle, option, "/dev/zero", check=False)
    assert done.returncode == 13 and b"/dev/zero holds more than" in done.stderr
    large = installation.folder / "large"
    large.write_text(json.dumps({"pin": "x" * 70_000}))
    done = installation.latchkey("providers", "test", bundle, option, large, check=False)
    assert done.returncode == 13 and b"holds more than" in done.stderr


def test_a_link_in_a_container_is_refused(installation, bundle):
    """A provider that writes through it would change the real file."""
    container, real = installation.folder / "container", installation.folder / "real"
    (container / "inner").mkdir(parents=True)
    real.write_text("real")
    (container / "vault.json").write_text("{}")
    for link, target in [("vault.link", real), ("inner/link", real), ("folder", installation.folder), ("gone", "nowhere")]:
        (container / link).symlink_to(target)
        done = installation.latchkey("providers", "test", bundle, "--container", container, check=False)
        assert done.returncode == 13 and f"{link} is a symbolic link".encode() in done.stderr
        (container / link).unlink()
    assert real.read_text() == "real"
    # What is nothing without its process is left out; the rest is copied.
    os.mkfifo(container / "pipe")
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(container / "socket"))
    listener.close()
    checks, done = run(installation, bundle, "--container", container)
    assert done.returncode == 0, checks


def test_a_provider_of_ios_passes_with_its_keychain(installation, tmp_path):
    """Tests/ProviderSources/Ported: Swift 5 mode, a one-line main.swift, files that import only UIKit, SecItemAdd."""
    ported = tmp_path / "Ported.appex"
    ported.mkdir()
    shutil.copy(BINARIES / "ported-provider", ported / "Ported")
    point = {
        "NSExtensionPointIdentifier": "com.apple.authentication-services-credential-provider-ui",
        "NSExtensionAttributes": {"ASCredentialProviderExtensionShowsConfigurationUI": True},
    }
    info = {"CFBundleIdentifier": "com.example.ported", "CFBundleExecutable": "Ported", "NSExtension": point}
    (ported / "Info.plist").write_bytes(plistlib.dumps(info))
    granted = {
        "com.apple.developer.authentication-services.autofill-credential-provider": True,
        "com.apple.security.application-groups": ["group.com.example.ported"],
    }
    (ported / "Ported.entitlements").write_bytes(plistlib.dumps(granted))
    answers = {"Website": "shiny.example.com", "User name": "rmondello", "Password": "conformance-ported", "Passcode": "2468"}
    checks, done = run(installation, ported, answers=answers)
    assert done.returncode == 0, checks
    for name in (CONFIGURED, EACH, "asks the user in its interface after it said 1100"):
        assert checks[name][0] == "passed", checks
    # The wrong passcode gives nothing.
    checks, done = run(installation, ported, answers={**answers, "Passcode": "1234"})
    assert (done.returncode, checks["asks the user in its interface after it said 1100"][0]) == (13, "failed")

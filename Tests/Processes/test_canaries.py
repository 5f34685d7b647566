# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Rule 2, one gate: canary secrets are saved, every method of the wire is called in every role, every byte that comes back is
kept, and the canaries are in nothing but releases, each of which has its line in the audit log.

The list of methods is read from the sources: a method that is not in `CALLS` or `TOLD` fails the test.
"""

import base64
import json
import os
import pathlib
import re
import subprocess
import threading

import pytest

from code_kit import focus_code
from git_server import Terminal
from installation import BINARIES, PASSPHRASE, ROOT, BrowserClient, Client, WireFailure, secret, until
from passwords_window import PasswordsWindow
from providers import SHINY, App, Browser, Bundle, Hand
from verdicts import must_hold, nothing_released

SITE = "https://shiny.example.com"
CANARIES = {
    "password": "canary-Xq7-password",
    "earlier password": "canary-Xq7-earlier",
    "notes": "canary-Xq7-notes",
    "other provider's password": "canary-Xq7-other-provider",
    "passphrase": PASSPHRASE,
    "code": "canary-Xq7-code",
    "set-up key": "MNQW4YLSPEWVQ4JXFVXXI4A",
}
MESSAGE = f"Words of the message.\n\n@shiny.example.com #{CANARIES['code']}"
ITEM, HANDLE, SESSION, PROMPT, DIGEST = (object() for _ in range(5))
FRAME = {"tab": 1, "frame": 0, "document": "D1", "chain": [{"origin": SITE, "document": "D1"}]}
PAGE = {
    "title": "Sign in", "path": "/", "language": "en", "forms": [],
    "fields": [
        {"ref": 0, "tag": "input", "type": "text", "autocomplete": "username"},
        {"ref": 1, "tag": "input", "type": "password", "autocomplete": "current-password"},
    ],
}
IDENTITY = {
    "type": "password", "service": {"type": 0, "identifier": "shiny.example.com"}, "user": "x", "recordIdentifier": "1",
    "rank": 0,
}
TARGET = {"scheme": "https", "host": "shiny.example.com"}

#: Each method with parameters that a client would send. `LAST` end what the others need, and come at the end.
CALLS = {
    "hello": [{"protocol": 1, "client": {"name": "x", "version": "1"}}],
    # Settings.
    "status": [{}],
    "authenticate": [{"passphrase": secret("wrong")}],
    "suggestions.list": [{"url": SITE}, {"url": "shiny.example.com"}],
    "explain": [{"url": SITE}, {"url": SITE, "frames": ["https://evil.test"]}, {"hosts": ["*.example.com", "shiny.example.com"]}],
    "audit.list": [{}, {"follow": True}, {"since": 0, "service": "shiny.example.com", "cursor": 1}],
    "audit.verify": [{}],
    "items.list": [{}, {"search": "shiny"}, {"removed": True}],
    "items.get": [{"id": ITEM}, {"id": ITEM, "notes": True}],
    "items.add": [{"items": [{"services": ["added.test"], "user": "u", "password": secret("added-password")}]}],
    "items.edit": [{"id": ITEM, "user": "rmondello"}],
    "items.remove": [{"id": ITEM}],
    "items.restore": [{"id": ITEM}],
    "items.reveal": [{"id": ITEM}, {"id": ITEM, "purpose": "copy"}],
    "items.move": [{"id": ITEM, "provider": "com.example.other"}, {"id": ITEM, "provider": "org.latchkey.passwords", "leavesRest": True}],
    "items.compare": [{"items": [{"id": ITEM, "password": secret("a guess")}]}],
    "items.history": [{"id": ITEM}],
    "items.code": [{"id": ITEM}],
    "recommendations.list": [{}, {"cursor": 1}],
    "recommendations.hide": [{"id": ITEM, "hidden": True}, {"id": ITEM, "hidden": False}],
    # No extension is there that could change anything, and the reason says no more.
    "upgrades.list": [{}, {"service": SITE}],
    "upgrades.run": [
        {"service": SITE, "user": "rmondello", "kind": "strong-password"},
        {"service": SITE, "user": "rmondello", "kind": "sign-in-with-apple"}],
    "upgrades.plan": [{}, {"service": SITE, "user": "rmondello"}],
    "upgrades.settle": [{"id": "none", "isNew": True}],
    "preferences.set": [{"idleMinutes": 30}, {"gitMinutes": 5}],
    "backup.write": [{"path": "BACKUP"}],
    "files.repair": [{}],
    "codes.offer": [{"message": secret(MESSAGE)}, {"message": secret("nothing")}],
    "quirks.reload": [{}],
    "associations.list": [{}, {"app": "E5336VM85F.com.example.Shiny"}],
    "associations.check": [{"host": "nowhere.invalid"}],
    "associations.add": [{"app": "E5336VM85F.com.example.Shiny", "domain": "nowhere.invalid"}],
    "associations.remove": [{"app": "E5336VM85F.com.example.Shiny", "domain": None}],
    "associations.log": [{}, {"above": 0}],
    "associations.developerMode": [{"on": False}],
    "associations.source": [{"source": "direct"}],
    "providers.list": [{}],
    "providers.order": [{"identifiers": ["org.latchkey.passwords"]}],
    "providers.install": [{"path": "/nowhere.appex"}],
    "providers.configure": [{"identifier": "org.latchkey.passwords"}],
    "credentials.choose": [{"url": SITE, "provider": "com.example.nobody"}],
    "consents.list": [{}],
    "consents.forget": [{"ids": ["none"]}],
    "consents.keepOlder": [{}],
    "generated.list": [{}],
    "generated.reveal": [{"id": "none"}, {"id": ITEM, "purpose": "show"}],
    "generated.remove": [{"id": "none"}],
    "never.list": [{}],
    "never.add": [{"site": "never.test"}],
    "never.remove": [{"site": "never.test"}],
    "apps.list": [{}],
    "apps.look": [{"path": "/usr/bin/env"}],
    "apps.grant": [{"path": "/usr/bin/env", "digest": "0", "identifier": "E5336VM85F.com.example.Shiny", "domains": []}],
    "apps.revoke": [{"path": "/usr/bin/env"}],
    "apps.forget": [{"path": "/usr/bin/env"}],
    # The role client is not played here: these are asked by roles that have not got them (test_apps.py has the others).
    "authorization.request": [{"types": ["password"], "surfaces": ["terminal"]}],
    "authorization.savePassword": [{"url": SITE, "user": "u", "password": secret("x"), "surfaces": ["terminal"]}],
    "authorization.cancel": [{}],
    "modification.request": [
        {"user": "rmondello", "service": {"type": 1, "identifier": SITE}, "kind": "strong-password", "surfaces": ["terminal"]}],
    "webAuthentication.request": [{"url": SITE, "callback": {"scheme": "shiny"}}],
    "authorization.render": [{"ticket": "none"}],
    # Browsers.
    "page.focused": [{"frame": FRAME, "page": PAGE, "focused": 0}],
    "page.submitted": [{"frame": FRAME, "page": PAGE, "values": [
        {"ref": 0, "value": secret("rmondello")}, {"ref": 1, "value": secret(CANARIES["password"])}]}],
    "page.settled": [{"tab": 1, "document": "D1", "page": {"fields": []}, "origin": SITE}],
    "page.left": [{"tab": 9, "document": None}],
    "renderer.fingerprint": [{"prompt": "p"}],
    "renderer.stopFingerprint": [{"prompt": "p"}],
    "renderer.status": [{}],
    "renderer.preferences": [{}],
    "renderer.setPreferences": [{"autoFill": True}, {"authentication": "sometimes"}],
    "daemon.features": [{}],
    "renderer.suggestions": [{"session": SESSION}],
    "renderer.inspect": [{"page": PAGE}],
    "renderer.checkRules": [{"rules": "required: upper; minlength: 12"}, {"rules": "x" * 5000}],
    "renderer.changePassword": [{"handle": HANDLE}],
    "renderer.hideRecommendation": [{"handle": HANDLE}],
    "renderer.upgrade": [{"handle": HANDLE, "frame": FRAME}],
    "renderer.list": [{"session": SESSION}, {"session": SESSION, "search": "canary"}],
    "renderer.openList": [{"session": SESSION, "provider": "com.example.nobody"}],
    "renderer.find": [{"search": ""}, {"search": "canary", "session": SESSION}, {"search": "shiny", "origin": SITE}],
    "renderer.copy": [{"handle": HANDLE, "what": "password"}],
    "renderer.copySaved": [{"prompt": "none", "element": "e"}],
    "renderer.choose": [{"handle": HANDLE, "surface": "popup", "guard": {"held": True}}],
    "renderer.unlock": [{"session": None}],
    "renderer.prompt": [{"prompt": "none"}],
    "renderer.answer": [{"prompt": "none", "accept": True, "passphrase": secret("wrong")}],
    "renderer.act": [{"prompt": "none", "element": "e", "action": "press"}],
    "renderer.reveal": [{"prompt": "none", "element": "e"}],
    # Containing apps and providers.
    "app.open": [{}],
    "app.state": [{}],
    "app.requestEnable": [{}],
    "store.state": [{}],
    "store.list": [{}, {"service": None, "types": ["password"], "cursor": 0}],
    "store.save": [{"identities": [IDENTITY]}],
    "store.remove": [{"identities": [IDENTITY]}],
    "store.replace": [{"identities": [IDENTITY]}],
    "store.begin": [{"operation": "save"}],
    "store.append": [{"batch": 1, "identities": [IDENTITY]}],
    "store.commit": [{"batch": 1}],
    "store.removeAll": [{}],
    "interface.show": [{"request": 1, "interface": {"title": "x", "elements": []}}],
    # Only an extension that was asked to convert an account has it.
    "modification.authorize": [{"request": 1, "state": "s", "nonce": "n"}, {"request": 1}],
    # Git: the helper is called itself, further down; nobody else has these.
    "git.get": [{"target": TARGET, "terminal": False}],
    "git.store": [{"target": {**TARGET, "user": "x"}, "password": secret("x"), "terminal": False}],
    "git.erase": [{"target": {**TARGET, "user": "x"}}],
    # Only latchkey-desktop has these; Tests/Desktop has what becomes of them.
    "desktop.focused": [{"process": 1, "fields": [{"ref": 0, "role": "current-password"}]}],
    "desktop.suggestions": [{"session": "s"}],
    "desktop.choose": [{"handle": "h"}],
    "desktop.browse": [{"session": "s"}],
    "desktop.unlock": [{}],
    "desktop.typed": [{"session": "s", "user": "u", "password": {"secret": "p"}}],
    "desktop.left": [{"session": "s"}],
    "desktop.status": [{}], "desktop.inspect": [{}],
    "desktop.summon": [{}],
    "search.admit": [{"process": 1}],
    "desktop.stop": [{}],
    "apps.bindings": [{}],
    "apps.unbind": [{"id": "0" * 16}],
    # Only root has these, for the PAM module; test_login.py has what becomes of a login.
    "login.terms": [{}],
    "login.unlock": [{"key": secret("0" * 64), "locks": 0}],
    "login.rewrap": [{"key": secret("0" * 64), "newKey": secret("1" * 64), "newSalt": "2" * 32}],
}
LAST = {
    # These end the other provider's process.
    "providers.debug": [{"identifier": SHINY, "on": False}],
    "providers.tellPaths": [{"identifier": SHINY, "on": False}],
    "providers.enable": [{"identifier": SHINY, "digest": DIGEST}],
    "consents.takeBack": [{}],
    "passphrase.change": [{"passphrase": secret("wrong"), "newPassphrase": secret("new")}],
    "pin.set": [{"pin": secret("271828")}],
    "pin.forget": [{}],
    "renderer.forgetPIN": [{}],
    "login.enable": [{"key": secret("0" * 64), "salt": "1" * 32, "memoryKiB": 65536, "iterations": 5, "parallelism": 4}],
    "login.disable": [{}],
    "renderer.disableLogin": [{}],
    "recover": [{"recoveryCode": secret("AAAAA"), "newPassphrase": secret("new")}],
    "initialize": [{"passphrase": secret("another")}],
    "recoveryCode.renew": [{"passphrase": secret("wrong")}],
    "recoveryCode.shown": [{}],
    "backup.restore": [{"path": "BACKUP", "passphrase": secret("wrong"), "replace": True}],
    "providers.disable": [{"identifier": SHINY}],
    "providers.remove": [{"identifier": SHINY, "deleteData": False}],
    "lock": [{}],
    "renderer.lock": [{}],
    "unlock": [{"passphrase": secret("wrong")}],
    # With the right one it is in test_export.py, where each secret has its line.
    "items.export": [{"passphrase": secret("wrong")}, {"passphrase": secret("wrong"), "cursor": 1}],
    "stop": [{}],
}
#: What the daemon asks and tells; its other side is recorded here.
TOLD = {
    "authorization.present",
    "audit.changed", "browser.authenticate", "browser.bringUp", "browser.changed", "browser.dismiss", "browser.evidence", "browser.notice", "desktop.changed", "desktop.describe", "items.changed",
    "browser.present", "browser.recommendation", "browser.update", "upgrades.progress",
    "git.ask", "manage.check", "manage.hideRecommendation", "manage.recommendations", "manage.repair", "manage.snapshot", "manage.takeRange",
    "provider.changePassword", "provider.prepareChangePassword", "provider.convertToSignInWithApple",
    "provider.prepareConvertToSignInWithApple", "provider.act", "provider.cancel", "provider.chooseText", "provider.configure",
    "provider.generatePasswords", "provider.prepareGeneratePasswords", "provider.prepareCredentialList", "provider.prepareInterface", "provider.prepareSavePassword",
    "provider.provideCredential", "provider.savePassword", "provider.start",
}
#: Answers that may hold a secret, because the gate let it out.
GATED = {"generated.reveal", "items.reveal", "items.get", "items.history", "renderer.choose", "renderer.openList", "renderer.reveal", "credentials.choose", "git.get",
    "desktop.choose", "desktop.browse",
}
WHICH = "[q]uit git: "
HOSTILE = [
    {},
    {"id": "../../keyring", "notes": True, "purpose": "show"},
    {"id": "\u0000", "session": "x" * 5000, "handle": "A" * 22, "cursor": -1},
    {"cursor": 2**62, "search": "canary", "since": -(2**62), "service": "%"},
    {"identities": [{}], "items": [{}], "identifiers": ["x"] * 50, "batch": -1},
    {"role": "settings", "path": "/proc/self/environ", "url": "file:///etc/passwd", "identifier": "org.latchkey.passwords"},
    {"frame": {"tab": 1, "frame": 0, "document": "D", "chain": [{"origin": SITE, "document": "D"}] * 99}, "page": PAGE},
]


def methods():
    """Every method's name, from the sources."""
    found = set()
    for file in (ROOT / "Sources" / "AutoFillIPC" / "Messages").glob("*.swift"):
        found |= set(re.findall(r'static let name = "([^"]+)"', file.read_text()))
    assert len(found) > 60
    return found


class Record:
    """Every byte that reached somebody outside of the daemon and the built-in provider."""

    def __init__(self):
        self.entries = []
        self.lock = threading.Lock()

    def add(self, who, method, body):
        with self.lock:
            self.entries.append((who, method, body))


def holds(body, text):
    encoded = base64.b64encode(text.encode())
    # Two of three alignments are enough to find it inside of something longer.
    return text.encode() in body or encoded[:-4] in body or text.encode("utf-16-le") in body


def recorded(base, record, who):
    """A client that keeps what it is sent, with the method that was called last."""

    class Recorded(base):
        asked = "hello"

        def send(self, message):
            if isinstance(message, dict) and "method" in message:
                self.asked = message["method"]
            super().send(message)

        def receive(self):
            message = super().receive()
            record.add(who, self.asked, json.dumps(message).encode())
            return message

        def patiently(self, method, **params):
            try:
                return self.call(method, **params)
            except WireFailure as failure:
                return failure

    return Recorded


class Recorder(Client):
    """Answers what the daemon asks of a renderer, so that nothing waits for it."""

    def receive(self):
        message = super().receive()
        while message and "method" in message:
            if "id" in message:
                self.send({"jsonrpc": "2.0", "id": message["id"], "error": {"code": 9, "message": "no"}})
            message = super().receive()
        return message


@pytest.mark.main
def test_every_method_is_known_to_this_test():
    """A method that is added to the wire has to be added here, with parameters under which it could leak."""
    assert methods() - set(CALLS) - set(LAST) - TOLD == set()
    assert set(CALLS) | set(LAST) | TOLD <= methods()


@pytest.fixture
def stage(fresh_installation):
    record = Record()
    running = fresh_installation.start()
    control = running.unlocked()
    control.prefer(authenticationMinutes=1000)
    item = control.call(
        "items.add",
        items=[
            {
                "services": ["shiny.example.com"], "user": "rmondello", "password": secret(CANARIES["earlier password"]),
                "notes": secret(CANARIES["notes"]),
                "authenticator": secret("otpauth://totp/Shiny:rm?secret=" + CANARIES["set-up key"]),
            }
        ],
    )["items"][0]["id"]
    control.call("items.edit", id=item, password=secret(CANARIES["password"]))
    other = CANARIES["other provider's password"]
    bundle = Bundle(running, place="Shiny/PlugIns/Shiny.appex", accounts=[("shiny.example.com", "someone", other)])
    program = App.put(bundle)
    hand = Hand(bundle)
    bundle.enable(control, filled=False)
    hand.taken().filled()
    running.control, running.item, running.record, running.bundle, running.hand = control, item, record, bundle, hand
    running.program = program
    yield running


def replaced(value, change):
    """A JSON value with each text, number and mark in it changed."""
    if isinstance(value, dict):
        return {name: replaced(part, change) for name, part in value.items()}
    return [replaced(part, change) for part in value] if isinstance(value, list) else change(value)


def filled_in(stage, params, session, handle):
    values = {
        id(ITEM): stage.item, id(SESSION): session, id(HANDLE): handle, id(PROMPT): "none",
        id(DIGEST): (stage.bundle.statement(stage.control) or {}).get("digest") or "none",
    }
    backup = str(stage.folder / "backup.latchkey")
    return replaced(params, lambda value: backup if value == "BACKUP" else values.get(id(value), value))


@pytest.mark.main
@pytest.mark.long
def test_rule_2_canaries_are_in_gated_releases_only_whatever_is_asked(stage):
    record = stage.record
    leaks, ended = [], threading.Event()
    watcher = threading.Thread(target=watch, args=(leaks, ended), daemon=True)
    watcher.start()

    clients = {
        "settings": recorded(Recorder, record, "settings")(stage.socket),
        "browser": recorded(BrowserClient, record, "browser")(stage),
        "app": recorded(App, record, "app")(stage.bundle),
    }
    browser = clients["browser"]
    # An interface is drawn, and then the user cancels it.
    browser.user = lambda shown: (shown["kind"] != "interface", PASSPHRASE if shown["kind"] != "confirm" else None)

    text = "protocol=https\\nhost=shiny.example.com\\n"
    command = ["/bin/sh", "-c", f"printf '{text}' | {BINARIES / 'git-credential-latchkey'} get; :"]

    def offered():
        # A field for a code too, whose rows say where the codes came from and never which they are.
        codes = focus_code(browser, SITE)["session"]
        browser.call("renderer.suggestions", session=codes)
        browser.call("renderer.list", session=codes)
        session = browser.focus(SITE)["session"]
        rows = browser.call("renderer.suggestions", session=session)["suggestions"]
        return session, [row["handle"] for row in rows if row["provider"] == "org.latchkey.passwords"][0]

    for method, plausible in {**CALLS, "git": [], **LAST}.items():
        if method == "lock":
            break
        if method == "git":
            # Git's helper, by its own program, while everything is there still.
            hand = [(WHICH, lambda s: "y\n" if "Use it?" in s else "1\n"), ("Latchkey passphrase", PASSPHRASE + "\n")]
            done = Terminal(command, stage.environment, hand=hand)
            record.add("git", "git.get", done.screen.encode())
        for who in ("app", "settings", "browser"):
            for params in plausible + (HOSTILE if method not in ("hello", "git") else []):
                session, handle = offered() if method.startswith("renderer.") else ("none", "none")
                clients[who].patiently(method, **filled_in(stage, params, session, handle))
        # The provider asks by its own connection; what comes to it is recorded by the hand.
        if method in CALLS:
            for params in plausible[:1] + HOSTILE[:2]:
                answer = stage.hand.ask(method, **filled_in(stage, params, "none", "none"))
                record.add("provider", method, json.dumps(answer).encode())

    # The code that was offered is released once, through the gate, to the page that it is bound to.
    stage.control.call("codes.offer", message=secret(MESSAGE))
    session = focus_code(browser, SITE)["session"]
    rows = browser.call("renderer.suggestions", session=session)["suggestions"]
    row = [row for row in rows if row["provider"] == "org.latchkey.codes"][0]
    browser.call("renderer.choose", handle=row["handle"], surface="popup", guard={"held": True})

    lines = stage.control.call("audit.list")["lines"]
    assert stage.control.call("audit.list")["intact"] is True
    released = [line for line in lines if line["event"] == "released"]

    # 1. Canaries are in the answers of gated methods, each of which is alive, and nowhere else.
    found = []
    for who, method, body in record.entries:
        for name, canary in CANARIES.items():
            if holds(body, canary):
                found.append((who, method, name))
                is_gated = method in GATED and who in ("settings", "browser", "git")
                nothing_released(f"{who} by {method}", [] if is_gated else [(name, body[:300])])
    assert {method for _, method, _ in found} >= {"items.reveal", "items.get", "items.history", "renderer.choose", "git.get"}
    nothing_released("answers with the passphrase", [entry for entry in found if entry[2] == "passphrase"])
    # 2. Each of them has its line, and so has each code that an authenticator made, which is no canary.
    made = [who for who, method, body in record.entries if method == "items.code" and b"secondsLeft" in body]
    assert made
    must_hold(len(released) == len(found) + len(made), f"releases without a line in the log: {len(released)}, {found}, {made}")

    # 3. Nothing is in files, arguments and environments.
    ended.set()
    watcher.join()
    nothing_released("arguments and environments", leaks)
    search_files(stage)
    for client in clients.values():
        client.close()
    stage.control.call("lock")
    for method, plausible in {**CALLS, **LAST}.items():
        if method in ("stop", "unlock", "hello"):
            continue
        client = recorded(Recorder, Record(), "settings")(stage.socket)
        for params in plausible:
            answer = client.patiently(method, **filled_in_locked(stage, params))
            nothing_released(f"{method} while locked", [name for name, canary in CANARIES.items() if holds(str(answer).encode(), canary)])
        client.close()
    search_files(stage)


def test_rule_2_canaries_are_in_nothing_that_the_window_of_passwords_shows(stage):
    """Every page of it, with what a person types there, from the daemon's answers as the browser gets them."""
    record = stage.record
    browser = recorded(Browser, record, "browser")(stage)
    window = PasswordsWindow(browser)
    typed = {"New password": CANARIES["code"], "Repeat password": CANARIES["code"]}
    window.open("shiny.example.com")
    window.press("Edit", until="Save")
    window.press("Save", {**typed, "Repeat password": "x"}, until=None)
    window.wait(lambda shown: window.problem(shown))
    window.press("Save", typed, until="Remove…")
    window.press("Remove…", until="Keep")
    window.press("Keep", until="Edit")
    window.press("Back", until="Add Password")
    window.press("Add Password", until="Save")
    window.press("Save", {"Password": CANARIES["code"]}, until=None)
    window.wait(lambda shown: window.problem(shown))
    window.press("Back", until="Done")
    window.press("Done", until=None)
    browser.wait(window.number)
    shown = [body for who, method, body in record.entries if who == "browser" and b"elements" in body]
    assert len(shown) > 6 and any(b"rmondello" in body for body in shown)
    for who, method, body in record.entries:
        for name, canary in CANARIES.items():
            nothing_released(f"{who} by {method}", [(name, body[:300])] if holds(body, canary) else [])
    # It was changed all the same.
    assert stage.control.call("items.reveal", id=stage.item)["password"]["secret"] == CANARIES["code"]
    search_files(stage)
    browser.close()


def filled_in_locked(stage, params):
    backup = str(stage.folder / "backup-2.latchkey")
    return replaced(params, lambda value: backup if value == "BACKUP" else "none" if type(value) is object else value)


def search_files(stage):
    seen = 0
    for file in stage.folder.rglob("*"):
        # What the test's own provider keeps is its own.
        if file.is_file() and not file.is_symlink() and file.name != "behaviour.json":
            seen += 1
            content = file.read_bytes()
            for name, canary in CANARIES.items():
                nothing_released(str(file), [name] if holds(content, canary) else [])
    assert seen > 8, "the files that were to be searched are not there"


def watch(leaks, ended, canaries=CANARIES):
    """Looks at every process's arguments and environment until told to end."""
    me = os.getpid()
    while not ended.is_set():
        for entry in pathlib.Path("/proc").iterdir():
            if not entry.name.isdigit() or int(entry.name) == me:
                continue
            for name in ("cmdline", "environ"):
                try:
                    content = (entry / name).read_bytes()
                except OSError:
                    continue
                leaks += [(name, what) for what, canary in canaries.items() if canary.encode() in content]
        ended.wait(0.05)


def test_the_search_is_alive(stage):
    """A canary that stands somewhere is found, in each of the forms."""
    for form in (lambda c: c.encode(), lambda c: base64.b64encode(c.encode()), lambda c: c.encode("utf-16-le")):
        assert holds(b"xx" + form(CANARIES["password"]) + b"yy", CANARIES["password"])
    (stage.folder / "leak").write_text(CANARIES["notes"])
    with pytest.raises(AssertionError):
        search_files(stage)
    leaks, ended = [], threading.Event()
    # One of its own: the test above may look at the same moment.
    leak = {"password": "canary-" + os.urandom(8).hex()}
    process = subprocess.Popen(["sleep", "60"], env={"LEAK": leak["password"]})
    watcher = threading.Thread(target=watch, args=(leaks, ended, leak), daemon=True)
    watcher.start()
    until(lambda: leaks)
    ended.set()
    watcher.join()
    process.kill()
    process.wait()
    assert ("environ", "password") in leaks

# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""`latchkey providers test` on extensions that change how accounts sign in: one in Python, which does what the wire asks, and the
same broken in one way each. The program of Apple's listings is tested in test_listings.py."""

import json
import plistlib
import shutil
import stat

import pytest

from installation import BINARIES, ROOT
from test_upgrades import Service

slow = pytest.mark.soak
POINT = "com.apple.authentication-services-account-authentication-modification-ui"
PREFIX = "ASAccountAuthenticationModification"
PASSWORD, NEW = "conformance-Old-1", "conformance-New-1"

#: Its service is a file in its container. Each line that a test breaks stands alone.
PROGRAM = r"""#!/usr/bin/python3
import base64, json, os, plistlib, socket, struct, sys, threading
wire = socket.socket(fileno=int(os.environ.pop("LATCHKEY_PROVIDER_FD")))
# Numbers as the other side has them: an id of one side is none of the other's.
running, waiting, numbers = {}, {}, iter(range(10**9))
passwords, code = {"jappleseed": "conformance-Old-1"}, CODE
def send(message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    wire.sendall(struct.pack("=I", len(body)) + body)
def answer(id, result=None, error=None, reason=None):
    if error:
        data = {"data": {"reason": reason}} if reason else {}
        send({"id": id, "error": {"code": error, "message": "No.", **data}})
    else:
        send({"id": id, "result": result})
def ask(method, params, then):
    number = next(numbers)
    waiting[number] = then
    send({"id": number, "method": method, "params": params})
def end(request, *more, **words):
    if request in running:
        answer(running.pop(request), *more, **words)
def change(params, typed):
    user, new = params["user"], params["newPassword"]["secret"]
    if user not in passwords or passwords[user] != params.get("password", {}).get("secret"):
        return end(params["request"], error=1000, reason="Authentication failed.")
    if code and typed != code:
        return end(params["request"], error=1100)
    passwords[user] = new
    end(params["request"], {"user": user, "password": {"secret": new}})
def show(params, convert):
    elements = [{"kind": "text", "id": "code", "label": "Code"}, {"kind": "button", "id": "go", "label": "Go", "style": "default"}]
    screens[params["request"]] = (params, convert)
    ask("interface.show", {"request": params["request"], "interface": {"title": "Service", "elements": elements}}, lambda _: None)
screens = {}
def convert(params):
    def then(message):
        if "error" in message:
            refusal = message["error"]["code"]
            return end(params["request"], error=refusal if refusal == 1001 else 1000)
        end(params["request"], {})
    state = base64.b64encode(os.urandom(9)).decode()
    ask("modification.authorize", {"request": params["request"], "state": state}, then)
def act(params):
    asked, converts = screens[params["request"]]
    typed = "".join(f["text"]["secret"] for f in params["fields"])
    convert(asked) if converts else change(asked, typed)
def take(message):
    id, method, params = message.get("id"), message.get("method"), message.get("params", {})
    if method is None:
        return waiting.pop(id)(message)
    if method == "provider.start":
        return answer(id, {"name": "Service", "version": "1", "capabilities": []})
    if method == "provider.cancel":
        return end(params["request"], error=1001)
    if method == "provider.act":
        answer(id, {})
        return act(params)
    kinds = {"provider.changePassword": 0, "provider.prepareChangePassword": 1,
             "provider.convertToSignInWithApple": 2, "provider.prepareConvertToSignInWithApple": 3}
    if method not in kinds:
        return answer(id, error=-32601)
    if "userInfo" in params:
        try:
            plistlib.loads(base64.b64decode(params["userInfo"]["secret"], validate=True))
        except Exception:
            return answer(id, error=-32602)
    running[params["request"]] = id
    [lambda: change(params, ""), lambda: show(params, False), lambda: convert(params), lambda: show(params, True)][kinds[method]]()
def read(count):
    data = b""
    while len(data) < count:
        part = wire.recv(count - len(data))
        if not part:
            os._exit(0)
        data += part
    return data
while True:
    (length,) = struct.unpack("=I", read(4))
    if not 0 < length <= 1 << 20:
        os._exit(0)
    try:
        message = json.loads(read(length))
    except ValueError:
        os._exit(0)
    take(message)
"""


class Extension:
    """A bundle in its app's folder."""

    def __init__(self, folder, code=None):
        self.appex = folder / "Service" / "PlugIns" / "Service.appex"
        self.appex.mkdir(parents=True)
        self.attributes = {
            PREFIX + "SupportsStrongPasswordChange": True, PREFIX + "SupportsUpgradeToSignInWithApple": True,
            "LatchkeySignInWithAppleClientIdentifier": "com.example.Service",
            "LatchkeySignInWithAppleReturnURL": "https://service.example.com/return",
        }
        self.info = {"CFBundleIdentifier": "com.example.Service.upgrade", "CFBundleExecutable": "service"}
        self.app = {
            "application-identifier": "E5336VM85F.com.example.Service",
            "com.apple.developer.associated-domains": ["webcredentials:service.example.com"],
        }
        self.program = PROGRAM.replace("CODE", repr(code))
        self.account = folder / "account.json"
        self.account.write_text(json.dumps({"user": "jappleseed", "password": PASSWORD, "newPassword": NEW}))
        self.answers = folder / "answers.json"
        self.answers.write_text(json.dumps({"Code": "123456"}))

    def replace(self, old, new):
        assert old in self.program
        self.program = self.program.replace(old, new)

    def write(self):
        point = {"NSExtensionPointIdentifier": POINT, "NSExtensionAttributes": self.attributes}
        (self.appex / "Info.plist").write_bytes(plistlib.dumps({**self.info, "NSExtension": point}))
        (self.appex / "Service.entitlements").write_bytes(plistlib.dumps({}))
        (self.appex.parent.parent / "Service.entitlements").write_bytes(plistlib.dumps(self.app))
        program = self.appex / "service"
        program.write_text(self.program)
        program.chmod(program.stat().st_mode | stat.S_IXUSR)

    def test(self, installation, *more):
        self.write()
        done = installation.latchkey("providers", "test", self.appex, "--json", *more, check=False)
        return {c["name"]: (c["outcome"], c["reason"]) for c in json.loads(done.stdout)["checks"]}, done

    def test_all(self, installation):
        return self.test(installation, "--account", self.account, "--answers", self.answers)


@pytest.fixture
def extension(tmp_path):
    return Extension(tmp_path)


def named(checks, name):
    (found,) = [outcome for full, outcome in checks.items() if full.startswith(name)]
    return found


def skipped(checks):
    return sorted(name for name, (outcome, _) in checks.items() if outcome == "skipped")


def test_one_without_an_account_passes(installation, extension):
    checks, done = extension.test(installation)
    assert done.returncode == 0, checks
    assert skipped(checks) == [
        "asks the user in its interface after it said 1100, and ends when cancelled",
        "changes it back, within 30 s",
        "changes the password of --account, within 30 s",
        "refuses a kind of change that Info.plist does not state",
    ]


@pytest.mark.parametrize("code", [None, "123456"])
def test_one_with_an_account_passes_without_and_with_its_interface(installation, tmp_path, code):
    extension = Extension(tmp_path, code)
    checks, done = extension.test_all(installation)
    assert done.returncode == 0, checks
    assert named(checks, "changes the password of --account")[0] == "passed"
    assert named(checks, "changes it back")[0] == "passed"
    asks = "asks the user in its interface after it said 1100, and ends when cancelled"
    assert (asks in skipped(checks)) == (code is None)
    for secret in (PASSWORD, NEW):
        assert secret.encode() not in done.stdout + done.stderr


def test_the_example_passes_with_its_service(installation, tmp_path):
    """Examples/latchkey-demo-upgrade, which the template begins like: in Swift, with a service that wants a code."""
    bundle = ROOT / "Examples" / "latchkey-demo-upgrade" / "Bundle"
    appex = tmp_path / "Shiny" / "PlugIns" / "ShinyUpgrade.appex"
    appex.mkdir(parents=True)
    shutil.copy(bundle / "Shiny.entitlements", tmp_path / "Shiny")
    shutil.copy(bundle / "ShinyUpgrade.entitlements", appex)
    shutil.copy(BINARIES / "latchkey-demo-upgrade-extension", appex / "ShinyUpgrade")
    service = Service()
    try:
        service.trouble = "code"
        info = plistlib.loads((bundle / "Info.plist").read_bytes())
        (appex / "Info.plist").write_bytes(plistlib.dumps({**info, "ShinyServiceURL": service.url}))
        account, answers = tmp_path / "account.json", tmp_path / "answers.json"
        account.write_text(json.dumps({"user": service.user, "password": service.password, "newPassword": NEW}))
        answers.write_text(json.dumps({"Code": service.code}))
        done = installation.latchkey("providers", "test", appex, "--account", account, "--answers", answers, check=False)
        assert done.returncode == 0, done.stdout
        for name in ("changes the password of --account", "changes it back", "asks the user in its interface after it said 1100"):
            assert f"passed   {name}".encode() in done.stdout
        assert NEW in [change["newPassword"] for change in service.changes]
        assert service.accepts(json.loads(account.read_text())["password"])
    finally:
        service.stop()


def test_a_code_that_nobody_gave_is_a_skip_and_changes_nothing(installation, tmp_path):
    extension = Extension(tmp_path, "123456")
    checks, done = extension.test(installation, "--account", extension.account)
    assert named(checks, "changes the password of --account") == (
        "skipped", "it asks for something that --answers does not have")


REFUSES = 'return end(params["request"], error=1000, reason="Authentication failed.")'
ASKS = 'return end(params["request"], error=refusal if refusal == 1001 else 1000)'
CONVERTS = "lambda: convert(params), lambda: show(params, True)"
STATE = "state = base64.b64encode(os.urandom(9)).decode()"


def often(*row):
    return pytest.param(*row, id=row[2][:40])


def seldom(*row):
    return pytest.param(*row, id=row[2][:40], marks=slow)


@pytest.mark.parametrize(
    "old, new, check",
    [
        often(REFUSES, "pass", "says why it does not change"),
        seldom(REFUSES, 'return end(params["request"], error=1200)', "says why it does not change"),
        often(
            'if user not in passwords or passwords[user] != params.get("password", {}).get("secret"):',
            'if passwords.get(user) != params.get("password", {}).get("secret"):', "takes what an app asks for"),
        seldom("passwords[user] = new", "pass", "changes it back"),
        seldom('{"user": user, "password": {"secret": new}}', '{"user": user, "password": {"secret": "other"}}', "changes the password of"),
        often("return answer(id, error=-32602)", "os._exit(3)", "refuses userInfo"),
        often('return end(params["request"], error=1001)', "return", "shows its interface or answers where it is asked for one, and"),
        seldom('return end(params["request"], error=1001)', "return", "ends a conversion that is cancelled while"),
        often("if refusal == 1001 else 1000)", "if refusal == 1002 else 1000)", "ends with 1001"),
        seldom("error=refusal if refusal == 1001 else 1000)", 'error=refusal, reason="You said no.")', "ends with 1001"),
        seldom(ASKS, "pass", "converts nothing where"),
        often(CONVERTS, CONVERTS.replace("convert(params)", 'end(params["request"], {})'), "converts an account, or says why not"),
        seldom(STATE, 'state = "always"', "converts nothing where"),
        seldom(STATE, 'state = "x" * 1025', "converts an account, or says why not"),
        seldom('lambda: change(params, "")', "lambda: show(params, False)", "says why it does not change"),
        seldom("        return answer(id, error=-32601)", '        return answer(id, {"credential": {"type": "password"}})', "provides no credential"),
        often("    user, new = params", '    print(params["newPassword"]["secret"], flush=True)\n    user, new = params', "prints no secret"),
        seldom('return answer(id, {"name": "Service"', 'ask("store.state", {}, lambda _: None); return answer(id, {"name": "Service"',
               "answers provider.start"),
    ],
)
def test_a_broken_one_is_noticed(installation, extension, old, new, check):
    extension.replace(old, new)
    checks, done = extension.test_all(installation)
    assert done.returncode == 13, checks
    assert named(checks, check)[0] == "failed", checks


@slow
@pytest.mark.parametrize("old", ['lambda: change(params, "")', "lambda: convert(params), "])
def test_one_that_never_answers_is_noticed(installation, extension, old):
    """After 30 s it is cancelled, and the next check finds it alive."""
    extension.replace(old, "lambda: None, " if old.endswith(", ") else "lambda: None")
    checks, done = extension.test(installation)
    assert done.returncode == 13
    failed = {reason for outcome, reason in checks.values() if outcome == "failed"}
    assert "it took longer than 30 s" in failed
    assert named(checks, "shows its interface or answers where it is asked for one, and")[0] == "passed"


def test_one_that_states_one_kind_refuses_the_other(installation, extension):
    del extension.attributes[PREFIX + "SupportsUpgradeToSignInWithApple"]
    checks, done = extension.test(installation)
    # The program converts all the same: it waits for a credential that it does not get.
    assert done.returncode == 0, checks
    assert named(checks, "refuses a kind of change")[0] == "passed"
    extension.replace("lambda: convert(params), lambda", 'lambda: end(params["request"], {}), lambda')
    checks, done = extension.test(installation)
    assert (done.returncode, named(checks, "refuses a kind of change")[0]) == (13, "failed")


@pytest.mark.parametrize(
    "change, words",
    [
        (lambda e: e.attributes.pop(PREFIX + "SupportsStrongPasswordChange") and e.attributes.pop(
            PREFIX + "SupportsUpgradeToSignInWithApple"), "neither kind of upgrade"),
        (lambda e: e.attributes.update({PREFIX + "PasswordGenerationRequirements": "minlength: x"}), "password rules"),
        (lambda e: e.attributes.update({PREFIX + "PasswordGenerationRequirements": "maxlength: 4; allowed: digit"}), "easy to guess"),
        (lambda e: e.info.update({"CFBundleIdentifier": "com.example.Other.upgrade"}), "does not begin with its app's"),
        (lambda e: e.app.pop("application-identifier"), "application-identifier"),
        (lambda e: e.app.update({"com.apple.developer.associated-domains": ["applinks:a.example"]}), "no domain"),
    ],
)
def test_what_is_no_bundle_is_said(installation, extension, change, words):
    change(extension)
    extension.write()
    done = installation.latchkey("providers", "test", extension.appex, check=False)
    assert done.returncode == 13 and words in done.stderr.decode(), done.stderr


def test_one_outside_of_its_app_is_refused(installation, extension, tmp_path):
    extension.write()
    alone = tmp_path / "Service.appex"
    extension.appex.rename(alone)
    done = installation.latchkey("providers", "test", alone, check=False)
    assert done.returncode == 13 and b"it is not inside an app" in done.stderr


def test_apples_client_has_to_be_named(installation, extension):
    del extension.attributes["LatchkeySignInWithAppleReturnURL"]
    checks, done = extension.test(installation)
    assert (done.returncode, named(checks, "states how Apple knows")[0]) == (13, "failed")


@pytest.mark.parametrize("account", ["[]", "{}", '{"user": "a", "password": "b"}', '{"user": "a", "password": "b", "newPassword": "b"}',
                                     '{"user": "a", "password": "b", "newPassword": "c", "more": "d"}'])
def test_an_account_that_is_none_is_refused(installation, extension, account):
    extension.write()
    extension.account.write_text(account)
    done = installation.latchkey("providers", "test", extension.appex, "--account", extension.account, check=False)
    assert done.returncode == 13 and b"newPassword" in done.stderr + b"newPassword" * account.startswith("[")


def test_an_account_is_for_extensions_alone(installation, extension):
    sample = ROOT / "Examples" / "provider-python" / "Sample.appex"
    done = installation.latchkey("providers", "test", sample, "--account", extension.account, check=False)
    assert done.returncode == 64 and b"extensions that change passwords" in done.stderr

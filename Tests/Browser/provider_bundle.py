# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Providers of the tests' own: the sample of Examples/, with other accounts, and a mood where the test wants one."""

import importlib.util
import json
import plistlib
import shutil
from pathlib import Path

from browser import look_until_found
from latchkey import ROOT, Latchkey

SAMPLE = ROOT / "Examples" / "provider-python" / "Sample.appex"

#: Runs the sample with the accounts of plan.json.
PROGRAM = '''#!/usr/bin/env python3
import importlib.machinery, importlib.util, json, os, sys
sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
with open(os.path.join(HERE, "plan.json")) as file:
    PLAN = json.load(file)

import vault

class Planned(vault.Vault):
    def __init__(self, container, key):
        self.accounts, self.pin = PLAN["accounts"], "2468"
    def _save(self):
        pass

vault.Vault = Planned
loader = importlib.machinery.SourceFileLoader("sample", os.path.join(HERE, "sample"))
sample = importlib.util.module_from_spec(importlib.util.spec_from_loader("sample", loader))
loader.exec_module(sample)
if PLAN["silent"]:  # takes the request, and never shows anything nor answers
    sample.Choice.show = lambda self: None
connection = sample.Connection.inherited()
connection.serve(sample.Provider(connection).answer)
os._exit(0)
'''


def account(service: str, user: str, password: str, asks: bool = False) -> dict:
    return {"id": f"{user}-{service}", "service": service, "user": user, "password": password, "asks": asks}


def install(latchkey: Latchkey, name: str, accounts: list[dict], silent: bool = False, enable: bool = True) -> str:
    """Puts a provider where providers lie, and enables it; returns its identifier."""
    identifier = f"com.example.{name.lower()}"
    folder = Path(latchkey.environment["XDG_DATA_HOME"]) / "latchkey" / "extensions" / f"{name}.appex"
    folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    shutil.copytree(SAMPLE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "provider").rename(folder / "sample")
    (folder / "provider").write_text(PROGRAM)
    (folder / "provider").chmod(0o755)
    (folder / "plan.json").write_text(json.dumps({"accounts": accounts, "silent": silent}))
    info = plistlib.loads((folder / "Info.plist").read_bytes())
    info.update(CFBundleIdentifier=identifier, CFBundleDisplayName=name)
    (folder / "Info.plist").write_bytes(plistlib.dumps(info))
    if enable:
        enabled(latchkey, identifier, len(accounts))
    return identifier


def install_saver(latchkey: Latchkey, name: str) -> str:
    """Puts a provider there that saves and makes passwords and has none yet, and enables it; returns its identifier."""
    identifier = f"com.example.{name.lower()}"
    folder = Path(latchkey.environment["XDG_DATA_HOME"]) / "latchkey" / "extensions" / f"{name}.appex"
    folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    spec = importlib.util.spec_from_file_location("saving_provider", ROOT / "Tests" / "Processes" / "saving_provider.py")
    saving = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(saving)
    saving.bundle(SAMPLE, folder, identifier, name)
    enabled(latchkey, identifier, 0)
    return identifier


def enabled(latchkey: Latchkey, identifier: str, identities: int) -> None:
    """Enables a provider, and waits until it has told what it has: it is started for that, and nobody waits for it otherwise."""
    latchkey.run("providers", "enable", identifier, "--yes", "--passphrase-file", latchkey.secret)
    look_until_found(
        lambda: any(one["identifier"] == identifier and one["identities"] == identities for one in providers(latchkey)["providers"]),
        f"what {identifier} has")


def providers(latchkey: Latchkey) -> dict:
    return json.loads(latchkey.run("providers", "list", "--json"))

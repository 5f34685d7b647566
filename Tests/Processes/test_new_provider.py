# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""What `latchkey providers new` writes is built, tested and checked. Slow: it builds everything a provider links."""

import json
import os
import subprocess

import pytest

from installation import BINARIES, ROOT

pytestmark = [pytest.mark.soak, pytest.mark.timeout(3600)]


def test_the_template_builds_and_passes(installation):
    installation.latchkey("providers", "new", "Keeper", "--directory", installation.folder)
    package = installation.folder / "Keeper"
    # The home is the real one: SwiftPM keeps there what it has fetched.
    environment = {**os.environ, "LATCHKEY_PACKAGE": str(ROOT)}
    make = ["make", "-C", package, "CONFIGURATION=debug", f"LATCHKEY={BINARIES / 'latchkey'}"]
    subprocess.run([*make, "all"], env=environment, check=True)
    bundle = package / "build" / "Keeper" / "PlugIns" / "Keeper.appex"
    done = installation.latchkey("providers", "test", bundle, "--json", check=False)
    checks = {c["name"]: (c["outcome"], c["reason"]) for c in json.loads(done.stdout)["checks"]}
    assert done.returncode == 0, checks
    assert checks["shows its configuration and ends it when cancelled, or completes at once"][0] == "passed"
    subprocess.run(["swift", "test"], cwd=package, env=environment, check=True)


def test_a_release_of_the_template_brings_its_libraries(installation):
    """Its programs are small, and find Swift's libraries in the bundle: on the user's machine there are no others."""
    installation.latchkey("providers", "new", "Keeper", "--directory", installation.folder)
    package = installation.folder / "Keeper"
    environment = {**os.environ, "LATCHKEY_PACKAGE": str(ROOT)}
    subprocess.run(["make", "-C", package, "all"], env=environment, check=True)
    app = package / "build" / "Keeper"
    bundle = app / "PlugIns" / "Keeper.appex"
    for program in [bundle / "Keeper", app / "Keeper"]:
        assert program.stat().st_size < 20_000_000, program
        needed = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
        assert "not found" not in needed
        swift = [line for line in needed.splitlines() if "swift" in line.lower() or "Foundation" in line]
        assert swift and all(str(bundle / "Frameworks") in line for line in swift), needed
    done = installation.latchkey("providers", "test", bundle, "--json", check=False)
    assert done.returncode == 0, done.stdout


def test_the_template_of_an_account_modification_builds_and_is_enabled(installation):
    installation.latchkey("providers", "new", "Shiny", "--account-modification", "--directory", installation.folder)
    package = installation.folder / "Shiny"
    environment = {**os.environ, "LATCHKEY_PACKAGE": str(ROOT)}
    make = ["make", "-C", package, "CONFIGURATION=debug", f"LATCHKEY={BINARIES / 'latchkey'}"]
    subprocess.run([*make, "check"], env=environment, check=True)
    installation.start()
    client = installation.unlocked()
    client.call("providers.install", path=str(package / "build" / "Shiny"))
    identifier = "com.example.shiny.upgrade"
    statement = next(p for p in client.call("providers.list")["providers"] if p["identifier"] == identifier)
    assert statement["modification"]["kinds"] == ["strong-password"], statement
    client.proven("providers.enable", identifier=identifier, digest=statement["digest"])
    statement = next(p for p in client.call("providers.list")["providers"] if p["identifier"] == identifier)
    assert statement["state"] == "enabled", statement

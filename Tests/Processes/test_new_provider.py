# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""What `latchkey providers new` writes is built, tested and checked. Slow: it builds everything a provider links."""

import json
import os
import subprocess

import pytest

from installation import BINARIES, ROOT

pytestmark = [
    pytest.mark.skipif(not os.environ.get("LATCHKEY_SLOW"), reason="LATCHKEY_SLOW=1 builds it; `make soak` does"),
    pytest.mark.timeout(3600),
]


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
    assert checks["shows its configuration, and ends it when cancelled"][0] == "passed"
    subprocess.run(["swift", "test"], cwd=package, env=environment, check=True)

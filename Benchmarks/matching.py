# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""How long one decision takes, from the verified frames to the answer: `latchkey match --timed`, which needs no daemon."""

import json
import os
import pathlib
import subprocess
import tempfile

from figures import Aim
from installation import BINARIES

DECISIONS = 20_000
REPEATS = 20


def decisions(folder, saved, page, *frames):
    """Microseconds for a decision, of `REPEATS` runs."""
    options = [option for frame in frames for option in ("--frame", frame)]
    samples = []
    for _ in range(REPEATS):
        done = subprocess.run(
            [BINARIES / "latchkey", "match", "--timed", str(DECISIONS), "--quirks", folder, saved, page, *options],
            capture_output=True, check=True, env={"PATH": os.environ["PATH"], "HOME": folder})
        samples.append(json.loads(done.stdout)["nanoseconds"] / 1000)
    return samples


def groups(count):
    """So many groups of five domains, in the format of password-manager-resources."""
    return [{"shared": [f"site{group}-{member}.example" for member in range(5)]} for group in range(count)]


def measure(table):
    table.section(f"One match decision, mean of {DECISIONS:,} in a row")
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "shared-credentials.json"
        file.write_text("[]")
        aim = Aim(5.0, of="median")
        for name, *question in [
            ("exact", "shiny.example.com", "https://shiny.example.com"),
            ("another host of the site", "shiny.example.com", "https://login.example.com"),
            ("a stranger", "shiny.example.com", "https://stranger.test"),
            ("in a frame of another site", "shiny.example.com", "https://stranger.test", "https://shiny.example.com"),
        ]:
            table.add(name, decisions(folder, *question), unit="µs", aim=aim)
        file.write_text(json.dumps(groups(1_000)))
        table.add(
            "shared, among 1,000 groups", decisions(folder, "site500-0.example", "https://www.site500-4.example"),
            unit="µs", aim=aim)
        table.add(
            "a stranger, among 1,000 groups", decisions(folder, "site500-0.example", "https://www.site501-0.example"),
            unit="µs", aim=aim)

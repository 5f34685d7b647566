# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Reading pages and naming their fields: `latchkey forms classify --times`, on the pages of this project's corpus."""

import json
import subprocess
import tempfile
from pathlib import Path

from figures import Aim
from installation import BINARIES, ROOT

PAGES = sorted((ROOT / "Tests" / "Vectors" / "forms").glob("*.html"))
#: A page as long as none: many forms, each with a few fields.
ROW = """<form action="/row/{n}"><h3>Row {n}</h3><label for="u{n}">User name</label><input id="u{n}" name="user{n}">
<div><input type="password" name="p{n}" placeholder="Password"><span>8 characters</span></div>
<input name="note{n}" placeholder="Note"><input type="email" name="e{n}"><button>Save</button></form>"""


def classify(files):
    run = subprocess.run(
        [BINARIES / "latchkey", "forms", "classify", "--json", "--times", *map(str, files)], capture_output=True, check=True)
    return json.loads(run.stdout)


def measure(table, rounds=5):
    table.section(f"What forms ask for, {len(PAGES)} pages, one core")
    assert PAGES, "there are no pages"
    times = [page["microseconds"] for _ in range(rounds) for page in classify(PAGES)]
    # The first page of a run pays for the table of words.
    times = [time for number, time in enumerate(times) if number % len(PAGES)]
    table.add("read one page of HTML", [time["read"] / 1000 for time in times])
    table.add("name the roles of one form's fields", [time["analyzed"] / 1000 for time in times], aim=Aim(1, "median"))
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "long.html"
        page.write_text("<title>Long</title>" + "".join(ROW.format(n=n) for n in range(250)))
        small = Path(folder) / "small.html"
        small.write_text("<input>")
        samples = [classify([small, page])[1] for _ in range(3 * rounds)]
        assert len(samples[0]["controls"]) == 1000
    table.add("read a page of 1,000 inputs", [s["microseconds"]["read"] / 1000 for s in samples])
    table.add("name their roles", [s["microseconds"]["analyzed"] / 1000 for s in samples], aim=Aim(10, "median"))

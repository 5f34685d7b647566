# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Pages in Chromium and as static HTML: one analysis decides both, and names the same roles.

The extension describes each page as it does for "What AutoFill sees" and for a focused field; `latchkey forms classify --described`
goes the daemon's own way from there. What differs stands in `live_differences.json`, with the reason, and in nothing else.
"""

import difflib
import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from site_server import Site

ROOT = Path(__file__).resolve().parents[2]
OWN = sorted((ROOT / "Tests" / "Vectors" / "forms").glob("*.html"))
SHARED = sorted((ROOT.parent / "shared" / "data" / "forms").glob("*.html"))
#: The pages are read in so many parts, so that several workers can share them.
PARTS = 4


def in_turn(number):
    """The first so many parts; `make soak` reads the others, too."""
    return [pytest.param(part, marks=[pytest.mark.soak] if part >= number else []) for part in range(PARTS)]


LATCHKEY = Path(os.environ.get("LATCHKEY_BIN", ROOT / ".build/debug")) / "latchkey"
#: By page: by control (its id, name or number) the roles in Chromium and in static HTML; and the reason.
ACCEPTED = json.loads(Path(__file__).with_name("live_differences.json").read_text())
#: What waits to be opened is read by both as if it were.
OPEN = """() => {
  for (const one of document.querySelectorAll('dialog:not([open])')) try { one.show() } catch {}
  for (const one of document.querySelectorAll('[popover]')) one.removeAttribute('popover');
  for (const one of document.querySelectorAll('details')) one.open = true;
}"""
INSPECT = """async () => {
  const [tab] = await chrome.tabs.query({ active: true, url: 'https://*/*' });
  return (await chrome.tabs.sendMessage(tab.id, { type: 'inspect' })).page;
}"""
CANONICAL = re.compile(r'<link[^>]+rel="?canonical"?[^>]+href="https?://[^/"]+(/[^"?#]*)', re.I)


def classify(files, *options):
    done = subprocess.run([LATCHKEY, "forms", "classify", "--json", *options, *map(str, files)], capture_output=True, check=True)
    return json.loads(done.stdout)


def describe(it, server: Site, pages: list[Path], folder: Path, policy: str) -> list[Path]:
    """What the content script says of each page, as files; each page stands at an address that says nothing of it."""
    worker = it.browser.worker()
    files = []
    for number, page in enumerate(pages):
        content = page.read_bytes()
        text = content.decode("utf-8", "replace")
        path = found.group(1) if (found := CANONICAL.search(text)) else ""
        # The path is part of what is read; where the page does not say its own, there is none.
        kind = "text/html" if "\ufffd" in text else "text/html; charset=utf-8"
        place = path if len(path) > 1 else f"/{number}"
        server.pages[("shiny.example.com", place)] = (kind, content, {"Content-Security-Policy": policy})
        it.page.goto(f"https://shiny.example.com{place}", wait_until="domcontentloaded")
        it.page.evaluate(OPEN)
        statement = worker.evaluate(INSPECT)
        statement["path"] = path
        file = folder / f"{number}.json"
        file.write_text(json.dumps(statement))
        files.append(file)
        server.pages.clear()
    return files


def key(control: dict) -> tuple:
    return control.get("tag") or "input", control.get("id") or "", control.get("name") or ""


def differences(static: dict, live: dict, statement: dict) -> dict:
    """By control: its role in Chromium and in static HTML, where the two are not the same."""
    answers, said = static["controls"], [
        {**answer, "is_seen": field.get("visible", True) and field.get("editable", True)}
        for answer, field in zip(live["controls"], statement["fields"])]
    pairs = [None] * len(answers)
    matcher = difflib.SequenceMatcher(None, [key(one) for one in answers], [key(one) for one in said], autojunk=False)
    for left, right, count in matcher.get_matching_blocks():
        pairs[left:left + count] = said[right:right + count]
    found = {}
    for number, (one, other) in enumerate(zip(answers, pairs)):
        there = other["role"] if other else "not there"
        if there == one["role"] or (there == "not there" and one["role"] is None):
            continue
        found[one["id"] or one["name"] or f"{number}"] = [there if other is None or other["is_seen"] else "not seen", one["role"]]
    return found


def compare(it, server, pages, folder, policy):
    files = describe(it, server, pages, folder, policy)
    lives = classify(files, "--described")
    found = {}
    for page, static, live, file in zip(pages, classify(pages), lives, files):
        statement = json.loads(file.read_text())
        # Of more controls than are described, those are compared that are.
        if differs := differences(static, live, statement):
            if len(statement["fields"]) >= 64:
                differs = {name: roles for name, roles in differs.items() if roles[0] != "not there"}
            if differs:
                found[page.name] = differs
    return found


@pytest.fixture(scope="module")
def it(start_for_all):
    return start_for_all(fake=True)


@pytest.mark.parametrize("part", in_turn(2))
def test_own_pages_are_read_alike(it, server, tmp_path, part):
    pages = OWN[part::PARTS]
    found = compare(it, server, pages, tmp_path, "default-src 'unsafe-inline'")
    lines = [f"{page}: {json.dumps(roles, sort_keys=True)}" for page, roles in found.items()]
    print("\n".join(lines))
    unexplained = {page: roles for page, roles in found.items() if ACCEPTED.get(page, {}).get("controls") != roles}
    assert not unexplained, json.dumps(unexplained, indent=1)
    named = {page.name for page in pages}
    gone = [page for page in ACCEPTED if page in named and page not in found]
    assert not gone, f"no difference any more: {gone}"
    assert all(one["why"] for one in ACCEPTED.values())
    assert set(ACCEPTED) <= {page.name for page in OWN}


@pytest.mark.skipif(not SHARED, reason="../shared/data/forms is not here")
@pytest.mark.parametrize("part", in_turn(1))
def test_pages_of_real_sites_are_read_alike(it, server, tmp_path, part):
    """Without their scripts and style sheets, as static HTML is read; the most that may differ is what is reached now."""
    pages = SHARED[part::PARTS]
    found = compare(it, server, pages, tmp_path, "default-src 'none'; style-src 'unsafe-inline'")
    print(json.dumps(found, indent=1))
    print(f"{len(found)} of {len(pages)} pages differ")
    assert len(found) <= 0.1 * len(pages)

# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""S40: how many pages of real sites end in a question, because their fields are not known to be seen.

The pages come without their scripts and style sheets, so what their authors' style sheets do to fields is tried in
`test_seen_fields.py`; here it is what pages have in their fields' places: labels, signs, notices, other fields.
"""

import json
from collections import Counter

import pytest

from test_forms import OPEN, SHARED, classify

#: The largest share of pages that may end in a question.
MOST = 0.05
FILLED = {"username", "current-password", "new-password", "one-time-code"}
INSPECT = """async () => {
  const [tab] = await chrome.tabs.query({ active: true });
  return (await chrome.tabs.sendMessage(tab.id, { type: 'inspect' }, { frameId: 0 })).page;
}"""
#: What the focus of a field and a choice do: the field is brought into sight, and the content script looks which fields are seen.
SIGHT = """async (refs) => {
  const [tab] = await chrome.tabs.query({ active: true });
  const scroll = async (ref) => (await globalThis.latchkeyPage.bring('seeing'), globalThis.latchkeyPage.described.get(ref).element.deref().scrollIntoView({ block: 'center' }));
  await chrome.scripting.executeScript({ target: { tabId: tab.id, frameIds: [0] }, world: 'ISOLATED', func: scroll, args: [refs[0]] });
  return chrome.tabs.sendMessage(tab.id, { type: 'sight', refs }, { frameId: 0 });
}"""


@pytest.fixture(scope="module")
def it(start_for_all):
    return start_for_all(fake=True)


def wanted(statement: dict, live: dict) -> list[int]:
    """The references of the fields that a choice would fill, for the first field that a user would choose at."""
    both = [(field, answer["role"]) for field, answer in zip(statement["fields"], live["controls"])
            if field.get("visible", True) and field.get("editable", True) and answer["role"] in FILLED]
    first = next((one for kind in ("current-password", "new-password", "username", "one-time-code") for one in both if one[1] == kind), None)
    if not first:
        return []
    kinds = {first[1]} if first[1] in ("new-password", "one-time-code") else {"username", "current-password"}
    return [field["ref"] for field, role in both if field.get("form") == first[0].get("form") and role in kinds]


@pytest.mark.soak
@pytest.mark.timeout(1200)
@pytest.mark.skipif(not SHARED, reason="../shared/data/forms is not here")
def test_S40_few_pages_of_real_sites_end_in_a_question(it, server, tmp_path):
    worker, reasons, times, pages = it.browser.worker(), {}, [], 0
    for number, page in enumerate(SHARED):
        server.pages[("shiny.example.com", f"/{number}")] = (
            "text/html; charset=utf-8", page.read_bytes(), {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'"})
        it.page.goto(f"https://shiny.example.com/{number}", wait_until="domcontentloaded")
        it.page.evaluate(OPEN)
        statement = worker.evaluate(INSPECT)
        file = tmp_path / f"{number}.json"
        file.write_text(json.dumps(statement))
        [live] = classify([file], "--described")
        if refs := wanted(statement, live):
            pages += 1
            answer = worker.evaluate(SIGHT, refs)
            times.append(answer["took"])
            if set(answer["seen"]) != set(refs):
                reasons[page.name] = [reason for reason in answer["reasons"] if reason]
    times.sort()
    print(json.dumps(reasons, indent=1))
    print(f"{len(reasons)} of {pages} pages end in a question ({len(reasons) / pages:.1%}); {Counter(one for all in reasons.values() for one in all)}")
    print(f"a look took {times[len(times) // 2]:.0f} ms at the median, {times[int(0.95 * len(times))]:.0f} ms at the 95th percentile")
    assert pages > 100
    assert len(reasons) <= MOST * pages

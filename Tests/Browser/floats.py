# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""Windows that lie above all others, for tests: what the browser says of them is stood in for."""

import pytest

LOGIN = "https://shiny.example.com/elsewhere"
#: Has the browser list windows that lie above all others, as each family states one; `null` has it fail.
LIST = """boxes => {
  globalThis.ownGetAll ??= chrome.windows.getAll.bind(chrome.windows);
  chrome.windows.getAll = async (...given) => {
    if (boxes === null) throw new Error('not listed');
    const floating = boxes.map((box, index) => ({ id: 90000 + index, type: 'popup', alwaysOnTop: true, tabs: [{ id: 90000 + index }], ...box }));
    return [...await ownGetAll(...given), ...floating];
  };
}"""
UNLIST = "() => { if (globalThis.ownGetAll) chrome.windows.getAll = globalThis.ownGetAll; }"
#: How many of them the extension has listed last.
FLOATS = "() => chrome.storage.session.get('floating').then(({ floating }) => floating?.seen.length)"
TELL = "() => chrome.runtime.sendMessage({ type: 'floating' }).catch(() => {})"
#: Has time stand still for the background script, and go on.
STOP_CLOCK = "() => { const now = Date.now(); globalThis.ownNow ??= Date.now; Date.now = () => now; }"
RUN_CLOCK = "() => { Date.now = globalThis.ownNow; }"
#: An answer of the background script to a message of a window's own.
ASK = "async ([type, members]) => { const { ask } = await import('/windows/ask.js'); return ask(type, members).then(() => 'done', (error) => error.data?.reason ?? error.message); }"
#: All of the screen, and what has no place.
SCREEN = {"left": 1, "top": 1, "width": 4000, "height": 3000}
UNPLACED = {"left": 0, "top": 0, "width": 300, "height": 200}


@pytest.fixture
def floats(start, site):
    """Has windows float, or none: a setting with a question in front, and what says which windows float."""
    begun = []

    def begin(**state):
        it = start(fake=True, **state)
        begun.append(it)
        return it, lambda boxes: (it.browser.worker().evaluate(LIST, boxes), it.browser.worker().evaluate(TELL))

    yield begin
    for it in begun:
        it.browser.worker().evaluate(UNLIST)

// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

// Asks Latchkey's background script for the rows, as its own bar does.
'use strict';

// What Latchkey is called in this browser.
const latchkey = location.protocol === 'moz-extension:' ? 'latchkey@latchkey.org' : 'malldjagemimmcmdgodgcdpnfmccpage';
chrome.runtime.sendMessage(latchkey, { type: 'suggestions' }, (answer) => {
  document.querySelector('#got').textContent = chrome.runtime.lastError ? 'no answer' : JSON.stringify(answer);
});

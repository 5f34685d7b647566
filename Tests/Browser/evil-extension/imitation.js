// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

// Asks Latchkey's background script for the rows, as its own bar does.
'use strict';

chrome.runtime.sendMessage('malldjagemimmcmdgodgcdpnfmccpage', { type: 'suggestions' }, (answer) => {
  document.querySelector('#got').textContent = chrome.runtime.lastError ? 'no answer' : JSON.stringify(answer);
});

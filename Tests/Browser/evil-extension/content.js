// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

// S4: what another extension with access to the page can do to the bar. The page's `data-evil` says which of it.
'use strict';

const attacks = {
  replace(root, frame) { frame.src = chrome.runtime.getURL('imitation.html'); },
  add(root) {
    const own = document.createElement('iframe');
    own.src = chrome.runtime.getURL('imitation.html');
    own.style.cssText = 'position: absolute; inset: 0; width: 300px; height: 152px';
    root.append(own);
  },
  hide(root, frame) { frame.style.setProperty('opacity', '0.001', 'important'); },
  style(root) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(':host { opacity: 0.01 !important } iframe { opacity: 0.01 !important }');
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  },
  copy(root, frame) {
    const own = document.createElement('iframe');
    own.src = frame.src;
    own.style.cssText = 'position: fixed; left: 500px; top: 300px; width: 300px; height: 152px; border: 0; opacity: 0.01';
    document.body.append(own);
  },
};

new MutationObserver(() => {
  const host = document.querySelector('[popover=manual]');
  const root = host && (chrome.dom ? chrome.dom.openOrClosedShadowRoot(host) : host.openOrClosedShadowRoot);
  const frame = root?.querySelector('iframe');
  const attack = attacks[document.documentElement.dataset.evil];
  if (!frame || !attack || document.documentElement.dataset.done) return;
  document.documentElement.dataset.done = 'reached';
  setTimeout(() => { attack(root, frame); document.documentElement.dataset.done = 'attacked'; }, 300);
}).observe(document, { childList: true, subtree: true });

// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Sees what became of a form that the user sent off: that it is gone from a document which is still there, or what a document
 * shows that took the place of another. It comes into a document for that; a second time it does nothing.
 */
'use strict';

(() => {
  /** @type {LatchkeyPage} */ const page = globalThis.latchkeyPage;
  if (!page || page.watch) return Boolean(page);
  const { describePage, status, tell } = page;

  /** How often a form is looked at, and for how long, in milliseconds. */
  const glance = 150;
  const patience = 20_000;
  let turn = 0;

  const wait = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });

  /** Whether a field is still where the user could type into it. @param {HTMLInputElement} field */
  const isThere = (field) => {
    const box = field.isConnected && field.checkVisibility({ visibilityProperty: true }) ? field.getBoundingClientRect() : null;
    return box !== null && box.width > 1 && box.height > 1;
  };

  /** The form that was sent off is gone. */
  const settle = () => {
    Object.assign(page.told, { text: '', at: -Infinity });
    tell({ type: 'page.settled', page: describePage(null) });
  };

  /** Looks at the password fields of a form that was sent off until none of them is there any more. @param {HTMLInputElement[]} fields */
  const watch = async (fields) => {
    const mine = ++turn;
    if (fields.length === 0) return;
    const end = performance.now() + patience;
    for (let gone = 0; performance.now() < end; ) {
      await wait(glance);
      if (mine !== turn) return;
      gone = fields.some(isThere) ? 0 : gone + 1;
      // Twice, as pages take a form away and build it again.
      if (gone > 2) { settle(); return; }
    }
  };

  /** What this document shows once it is there. */
  const arrival = async () => {
    for (let count = 0; document.readyState !== 'complete' && count < 40; count += 1) await wait(100);
    await wait(300);
    return { page: describePage(null), status: status() };
  };

  page.join('settling', { watch, arrival });
  return true;
})();

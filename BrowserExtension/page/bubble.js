// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Tells whether the browser may be showing what is wrong with a field: in a bubble above everything else, with words of the page's choice.
 * It lies over the bar or over other fields, clicks go through it, and the browser does not count it as something that covers them.
 */
'use strict';

(() => {
  /** @type {LatchkeyPage} */ const page = globalThis.latchkeyPage;
  if (!page || page.isBubbleUp) return Boolean(page);
  const { active, dom } = page;

  /** How long it stays, in milliseconds: Chromium shows it for five seconds, or for a twentieth of one for each character. */
  const lasting = (field) => 10_000 + 60 * Math.min(String(field?.validationMessage ?? '').length, 20_000);
  /** A field that is shown to be wrong gets the focus at once. When it comes later, the page has only looked. In milliseconds. */
  const atOnce = 100;

  /** Whether there may be one now. An element of the page's own may have it anywhere; of others it goes with the focus. */
  const isBubbleUp = () => {
    if (!page.invalid) return false;
    const { field, at } = page.invalid;
    if (performance.now() - at > lasting(field)) return false;
    if (field instanceof Element && dom.localName(field).includes('-')) return true;
    return active() === field && page.focusAt - at <= atOnce;
  };

  page.join('bubble', { isBubbleUp });
  return true;
})();

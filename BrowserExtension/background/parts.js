// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import * as platform from './platform.js';

/** @typedef {import('./sessions.js').Target} Target */

/** What comes into a document beside the content script when it is needed there, by what it is for. */
const files = Object.freeze({
  reading: ['page/outline.js', 'page/leaving.js', 'page/placing.js', 'page/offering.js'],
  seeing: ['page/bubble.js', 'page/colours.js', 'page/seeing.js'],
  filling: ['page/filling.js'],
  settling: ['page/outline.js', 'page/leaving.js', 'page/settling.js'],
  leaving: ['page/leaving.js'],
  looking: ['page/bubble.js', 'page/looking.js'],
});

/** How many are remembered. What is forgotten is brought once more and then does nothing. */
const limit = 64;

/**
 * Brings parts into documents, each at most once while it is remembered; a part that did not get there is not there, and is
 * tried again when it is asked for again. Nothing here depends on what is saved.
 */
export class Parts {
  /** @type {Map<string, Promise<boolean>>} */ #brought = new Map();

  /** Whether a name is one of a part. @param {unknown} part @returns {part is keyof typeof files} */
  static isKnown(part) {
    return typeof part === 'string' && Object.hasOwn(files, part);
  }

  /**
   * @param {Target} target
   * @param {keyof typeof files} part
   * @returns {Promise<boolean>} whether it is there now
   */
  bring({ tab, document }, part) {
    const key = `${tab} ${document} ${part}`;
    const known = this.#brought.get(key);
    if (known) return known;
    const coming = platform.bring(tab, document, files[part]);
    this.#brought.set(key, coming);
    if (this.#brought.size > limit) this.#brought.delete(this.#brought.keys().next().value);
    coming.then((isThere) => { if (!isThere) this.#brought.delete(key); });
    return coming;
  }
}

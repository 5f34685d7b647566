// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import { keyOf } from '../logic/target.js';
import * as platform from './platform.js';

/** @typedef {import('./sessions.js').Target} Target */

/**
 * Tabs in which the user is at a field that has no room for the bar. The toolbar button says so and its popup has the rows; the page
 * is told nothing.
 */
export class Cramped {
  /** The document of each such tab. @type {Map<number, string>} */ #byTab = new Map();
  #instead;

  /** @param {(tab: number) => void} instead says on the button of a tab what else there is to say */
  constructor(instead) {
    this.#instead = instead;
  }

  /** A field took the focus. @param {Target} target @param {boolean} isCramped */
  note(target, isCramped) {
    if (isCramped) {
      this.#byTab.set(target.tab, keyOf(target));
      platform.warn(target.tab, 'No room for suggestions beside this field: they are here.', '↑');
    } else if (this.#byTab.delete(target.tab)) {
      this.#instead(target.tab);
    }
  }

  /** Whether the document of a form is such a one. @param {Target | null} target */
  has(target) {
    return target !== null && this.#byTab.get(target.tab) === keyOf(target);
  }

  /** A document is gone or hidden. @param {{tab: number, document: string}} target */
  left(target) {
    if (this.#byTab.get(target.tab) !== keyOf(target)) return;
    this.#byTab.delete(target.tab);
    this.#instead(target.tab);
  }

  /** @param {number} tab */
  closed(tab) {
    this.#byTab.delete(tab);
  }
}

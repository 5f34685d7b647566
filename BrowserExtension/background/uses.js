// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/** How many sites are remembered. */
const limit = 64;

/** @typedef {{title: string, user: string, provider: string}} Words What a row is known by. */

/**
 * Which account was filled last at each origin, since the last unlock: it comes first there. It is kept in memory alone, and
 * forgotten with a lock and with the connection.
 */
export class Uses {
  /** @type {Map<string, string>} */ #last = new Map();

  /** @param {string} origin @param {Words} words */
  keep(origin, words) {
    this.#last.delete(origin);
    this.#last.set(origin, textOf(words));
    if (this.#last.size > limit) this.#last.delete(this.#last.keys().next().value);
  }

  forget() {
    this.#last.clear();
  }

  /**
   * Rows with the account first that was filled last. A row that goes on from a step before stays the first, and codes are as they come.
   * @template {Words & {continues?: boolean, code?: object}} Row
   * @param {string} origin @param {Row[]} rows
   * @returns {Row[]}
   */
  sort(origin, rows) {
    const last = this.#last.get(origin);
    const found = rows.findIndex((row) => !row.code && textOf(row) === last);
    if (found <= 0 || rows[0].continues) return rows;
    return [rows[found], ...rows.slice(0, found), ...rows.slice(found + 1)];
  }
}

/** @param {Words} words */
function textOf({ title, user, provider }) {
  return JSON.stringify([title, user, provider]);
}

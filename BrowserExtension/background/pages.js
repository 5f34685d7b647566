// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/** How many documents are asked about at a time; the daemon answers so many and leaves room for what the user does. */
const most = 16;

/** Does one thing at a time for each of many, and of those that wait for their turn only the newest. */
export class Latest {
  /** @type {Map<string, Promise<void>>} */ #running = new Map();
  /** @type {Map<string, object>} */ #newest = new Map();

  /**
   * @template T
   * @param {string} key
   * @param {() => Promise<T>} act
   * @param {T} instead what is answered where something newer came before its turn
   * @returns {Promise<T>}
   */
  async run(key, act, instead) {
    const mine = {};
    this.#newest.set(key, mine);
    while (this.#running.has(key) || this.#running.size >= most) {
      await (this.#running.get(key) ?? Promise.race(this.#running.values()));
      if (this.#newest.get(key) !== mine) return instead;
    }
    const answer = act();
    this.#running.set(key, answer.then(() => {}, () => {}).then(() => { this.#running.delete(key); }));
    try {
      return await answer;
    } finally {
      if (this.#newest.get(key) === mine) this.#newest.delete(key);
    }
  }
}

/** What a document says of itself, as text that can be read at the other end: a page may state anything. @param {any} stated */
export function pageIn(stated) {
  const { title, path, language, forms, outside, fields } = stated ?? {};
  return wellFormed({ title, path, language, forms, outside, fields });
}

/** How deep what a page states may be; it is four. */
const deepest = 8;

/**
 * What a page states, as the daemon can read it. A renderer that was taken over states anything, and a message that cannot be read
 * would fail the requests of all tabs: so no object is deeper, and none has the form of a secret.
 * @param {any} value @param {number} [left]
 */
function wellFormed(value, left = deepest) {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  if (left === 0) return null;
  if (Array.isArray(value)) return value.map((one) => wellFormed(one, left - 1));
  const known = Object.entries(value).filter(([name]) => name !== 'secret');
  return Object.fromEntries(known.map(([name, one]) => [name.toWellFormed(), wellFormed(one, left - 1)]));
}

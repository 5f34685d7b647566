// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import { WireError, code } from '../messages/errors.js';

/**
 * @typedef {{title: string, user: string, provider: string, id?: string}} Words what a row says, and for a code which one it is
 * @typedef {Words & {handle?: string}} Chosen the row that the user chose; without a handle if that is no longer valid
 */

/** The rows that were given to documents, by the handles of the daemon. A document is known by a key. */
export class Rows {
  /** @type {Map<string, Words & {key: string}>} */ #byHandle = new Map();

  /** @param {(import('../messages/answers.js').Row & {handle: string})[] | undefined} given @param {string} key */
  give(given, key) {
    // Rows that cannot be filled have no handle.
    for (const { handle, title, user, provider, code: kept } of (given ?? []).filter((one) => one.handle)) this.#byHandle.set(handle, { key, title, user, provider, id: kept?.id });
  }

  /**
   * The row that the user chose, once. One of an earlier connection is known by its words.
   * @param {{handle?: any, row?: any}} chosen @param {string} key
   * @returns {Chosen}
   * @throws {WireError} for a row of another document
   */
  take({ handle, row }, key) {
    const known = this.#byHandle.get(handle);
    this.#byHandle.delete(handle);
    if (!known) return { title: row?.title, user: row?.user, provider: row?.provider, id: row?.id };
    if (known.key !== key) throw new WireError(code.notFound, 'That row belongs to another page.');
    const { title, user, provider, id } = known;
    return { title, user, provider, id, handle };
  }

  /**
   * The handle of a row of the same words, once: what the user saw and chose has not changed because a handle did.
   * @param {Words} row @param {string} key
   * @throws {WireError} where there is none
   */
  takeSame({ title, user, provider, id }, key) {
    for (const [handle, known] of this.#byHandle) {
      // Two codes may be called the same; they are still two.
      if (known.key === key && known.title === title && known.user === user && known.provider === provider && known.id === id) {
        this.#byHandle.delete(handle);
        return handle;
      }
    }
    throw new WireError(code.expired, 'This list is out of date.');
  }

  clear() {
    this.#byHandle.clear();
  }
}

/** Maximum number of documents whose rows are asked for early at a time. */
const most = 8;

/** Rows that were asked for while their bar was still loading, for the session that they were asked for and for one bar. @template Answer */
export class EarlyRows {
  /** @type {Map<string, {session: string, answer: Promise<Answer>}>} */ #byDocument = new Map();
  /** The documents whose rows are being asked for. @type {Set<string>} */ #asking = new Set();

  /**
   * A page that moves the focus on and on has them asked for once at a time, and frames of one page some at a time; their bars ask by
   * themselves. The daemon limits the requests that are open at a time, and these must not use up the limit.
   * @param {string} key @param {string} session @param {() => Promise<Answer>} request
   */
  ask(key, session, request) {
    if (this.#asking.has(key) || this.#asking.size >= most) return;
    this.#asking.add(key);
    const answer = request();
    answer.catch(() => {}) // the bar asks again
      .finally(() => this.#asking.delete(key));
    this.#byDocument.set(key, { session, answer });
  }

  /** What was asked for, once, and for no other session. @param {string} key @param {string} session @returns {Promise<Answer> | null} */
  take(key, session) {
    const known = this.#byDocument.get(key);
    this.#byDocument.delete(key);
    return known?.session === session ? known.answer : null;
  }

  /** @param {string} key */
  drop(key) {
    this.#byDocument.delete(key);
  }

  clear() {
    this.#byDocument.clear();
  }
}

// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import { pageIn } from './pages.js';
import * as platform from './platform.js';
import { originOf } from './sessions.js';

/**
 * @typedef {import('./sessions.js').Target} Target
 * @typedef {Target & {top: string, turn: number, holdsPassword: boolean, isTyped: boolean, until: number, next: string}} Submission A document in which the user
 *   sent a form off, the one at the top of its tab, and the one that came in its place.
 */

/** How often a document that took the place of another is asked what it shows, and how long between, in milliseconds. */
const tries = 25;
const pause = 200;
/** How long a page is waited for that is asked and does not answer, in milliseconds. */
const patience = 10_000;
/** How often it is looked whether the frame of a document that was left is still there. */
const looks = 10;
/** How long the daemon keeps what was typed, in milliseconds. */
const memory = 180_000;
/** Documents that are followed at a time; the daemon keeps fewer. */
const limit = 16;

/**
 * The documents in which the user has just sent something off; nothing of what that was. Where one of them is navigated
 * away from, the daemon is told what is in its place.
 */
export class Submissions {
  /** @type {Map<string, Submission>} */ #byDocument = new Map();
  #settle;

  /** @param {(params: {tab: number, document: string, page?: object, origin?: string}) => Promise<any>} settle tells the daemon */
  constructor(settle) {
    this.#settle = settle;
  }

  /**
   * @param {Target} target
   * @param {string} top
   * @param {boolean} holdsPassword whether a password was among what was sent off
   * @param {boolean} isTyped whether the user typed it; where a script had a part in it, the user alone can have it saved
   */
  keep(target, top, holdsPassword, isTyped) {
    const before = this.#byDocument.get(key(target));
    // A search after a sign-in: what comes of it is no answer to the sign-in.
    if (before?.holdsPassword && !holdsPassword) { before.isTyped = false; return; }
    this.#byDocument.delete(key(target));
    this.#byDocument.set(key(target), { ...target, top, turn: 0, holdsPassword, isTyped, until: Date.now() + memory, next: '' });
    if (this.#byDocument.size > limit) this.#byDocument.delete(this.#byDocument.keys().next().value);
  }

  /** What the daemon still keeps of a tab, the last one last. @param {number} tab @returns {Submission[]} */
  in(tab) {
    return [...this.#byDocument.values()].filter((one) => one.tab === tab && Date.now() < one.until);
  }

  /**
   * A form is gone. What a script had a part in stays with the daemon for a while: the user may still ask for it, and nobody else.
   * @param {{tab: number, document: string}} target
   * @returns {boolean} whether the daemon is to be told
   */
  settles(target) {
    const isTyped = this.#byDocument.get(key(target))?.isTyped === true;
    if (isTyped) this.drop(target);
    return isTyped;
  }

  /** @param {{tab: number, document: string}} target */
  drop(target) {
    this.#byDocument.delete(key(target));
  }

  /** @param {number} tab */
  dropIn(tab) {
    for (const one of [...this.#byDocument.values()]) if (one.tab === tab) this.drop(one);
  }

  clear() {
    this.#byDocument.clear();
  }

  /**
   * A frame shows another document now.
   * @param {number} tab @param {number} frame @param {string} document
   * @param {boolean} isElsewhere whether the user went there by what is no page's; then only the user can have it saved
   */
  navigated(tab, frame, document, isElsewhere) {
    for (const one of this.#byDocument.values()) {
      if (one.tab !== tab || (one.frame !== frame && frame !== 0)) continue;
      // Back may lead to the very document of the form, which the browser has kept.
      if (isElsewhere) one.isTyped = false;
      if (one.document !== document) this.#follow(one, frame, document);
    }
  }

  /**
   * The user leaves a document by a link, or closes what is in it. Nothing is known then of what was sent off in it or in a frame of
   * it, and only the user can have that saved. Where the document came in the place of the one with the form, what it showed counts.
   * @param {{tab: number, document: string}} target
   * @param {number} status @param {unknown} page @param {string} origin
   */
  strays(target, status, page, origin) {
    for (const one of this.#byDocument.values()) {
      if (one.tab !== target.tab || !one.isTyped) continue;
      if (one.next === target.document) this.#conclude(one, status, page, origin);
      else if ([one.document, one.top].includes(target.document)) one.isTyped = false;
    }
  }

  /**
   * A document is hidden, or gone with its frame, as sites take the frame away in which the user has signed in: the browser tells
   * nobody when, so it is looked at for a while. Where another document comes into the frame, `navigated` sees to it.
   * @param {{tab: number, document: string}} target
   */
  async left(target) {
    const one = this.#byDocument.get(key(target));
    if (!one || one.frame === 0) return;
    for (let count = 0; count < looks; count += 1) {
      await wait(pause);
      const frames = await platform.framesOf(one.tab);
      const isTopThere = frames.some(({ frame, document }) => frame === 0 && document === one.top);
      if (!isTopThere || this.#byDocument.get(key(one)) !== one) return;
      if (!frames.some(({ frame }) => frame === one.frame)) { this.#follow(one, 0, one.top); return; }
    }
  }

  /** @param {Submission} one @param {number} frame @param {string} document */
  async #follow(one, frame, document) {
    if (!one.isTyped) return;
    // A redirect by a script comes here again, and the earlier document has nothing to say any more.
    const mine = ++one.turn;
    one.next = document;
    let answer = null;
    for (let count = 0; count < tries && !answer; count += 1) {
      const asked = platform.tell(one.tab, document, { type: 'arrival' }).catch(() => null);
      answer = await Promise.race([asked, wait(patience).then(() => ({}))]);
      if (mine !== one.turn || !one.isTyped || this.#byDocument.get(key(one)) !== one) return;
      if (!answer) await wait(pause);
    }
    const now = (await platform.framesOf(one.tab)).find((entry) => entry.frame === frame);
    if (mine !== one.turn || !one.isTyped || this.#byDocument.get(key(one)) !== one) return;
    await this.#conclude(one, answer?.status, answer?.page, now && originOf(now.url));
  }

  /**
   * Tells the daemon what came in the place of a form, but for an error: whether the site has taken what was sent off is not known then.
   * @param {Submission} one @param {unknown} status @param {unknown} page @param {string | undefined} origin
   */
  async #conclude(one, status, page, origin) {
    if (Number(status) >= 400) { one.isTyped = false; return; }
    this.drop(one);
    await this.#settle({ tab: one.tab, document: one.document, ...(page ? { page: pageIn(page) } : {}), ...(origin ? { origin } : {}) });
  }
}

/** @param {{tab: number, document: string}} target */
function key({ tab, document }) {
  return `${tab} ${document}`;
}

/** @param {number} milliseconds */
function wait(milliseconds) {
  return new Promise((resolve) => { setTimeout(resolve, milliseconds, null); });
}

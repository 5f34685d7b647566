// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import { wait, inTime } from './clock.js';
import { keyOf } from './target.js';

/**
 * @typedef {import('../messages/answers.js').Target} Target
 * @typedef {{frame: number, document: string, origin: string}} Framed a frame of a tab, and what it shows
 * @typedef {{status?: unknown, page?: unknown}} Arrived what a document that took another's place says: its status in HTTP, and what it shows
 * @typedef {object} Environment what the submissions need of the browser
 * @property {(tab: number) => Promise<Framed[]>} framesOf all frames of a tab
 * @property {(tab: number, document: string) => Promise<Arrived | null>} askArrival asks a document what it shows; null while it does not know
 * @property {(params: {tab: number, document: string, page?: unknown, origin?: string}) => Promise<any>} settle tells the daemon
 * @typedef {Target & {top: string, turn: number, holdsPassword: boolean, isTyped: boolean, until: number, next: string, reloads: boolean}} Submission A document in which the user sent a form
 *   off, the one at the top of its tab, and the one that came in its place.
 */

/** Number of times a document that replaced another is asked what it shows, and the pause between, in milliseconds. */
const tries = 25;
const pause = 200;
/** Time limit for a page's answer, in milliseconds. */
const patience = 10_000;
/** Number of checks whether the frame of a left document still exists. */
const looks = 10;
/** Time for which the daemon keeps a typed password, in milliseconds. */
const memory = 180_000;
/** Maximum number of documents followed at a time; the daemon keeps fewer. */
const limit = 16;

/**
 * The documents in which the user has just sent a form, without its values. When one of them is replaced, the daemon is
 * told which document replaced it.
 */
export class Submissions {
  /** @type {Map<string, Submission>} */ #byDocument = new Map();
  #clock;
  #environment;

  /** @param {import('./clock.js').Clock} clock @param {Environment} environment */
  constructor(clock, environment) {
    this.#clock = clock;
    this.#environment = environment;
  }

  /**
   * @param {Target} target
   * @param {string} top
   * @param {boolean} holdsPassword whether the form contained a password
   * @param {boolean} isTyped whether the user typed it; otherwise only the user can ask to save it
   */
  keep(target, top, holdsPassword, isTyped) {
    const before = this.#byDocument.get(keyOf(target));
    // A search after a sign-in: the next page is not the answer to the sign-in.
    if (before?.holdsPassword && !holdsPassword) { before.isTyped = false; return; }
    this.#byDocument.delete(keyOf(target));
    this.#byDocument.set(keyOf(target), { ...target, top, turn: 0, holdsPassword, isTyped, until: this.#clock.date() + memory, next: '', reloads: false });
    if (this.#byDocument.size > limit) this.#byDocument.delete(this.#leastWanted());
  }

  /** The document to forget when there are too many: of the tab that has most of them, one in which nothing was typed, or else the oldest. */
  #leastWanted() {
    const all = [...this.#byDocument];
    const counts = new Map();
    for (const [, { tab }] of all) counts.set(tab, (counts.get(tab) ?? 0) + 1);
    const most = Math.max(...counts.values());
    const crowd = all.filter(([, { tab }]) => counts.get(tab) === most);
    return (crowd.find(([, { isTyped }]) => !isTyped) ?? crowd[0])[0];
  }

  /** The submissions of a tab that the daemon still keeps, oldest first. @param {number} tab @returns {Submission[]} */
  in(tab) {
    return [...this.#byDocument.values()].filter((one) => one.tab === tab && this.#clock.date() < one.until);
  }

  /**
   * A form was removed. A value that a script took part in stays with the daemon for a while: only the user can ask to save it.
   * @param {{tab: number, document: string}} target
   * @returns {boolean} whether the daemon is to be told
   */
  settles(target) {
    const isTyped = this.#byDocument.get(keyOf(target))?.isTyped === true;
    if (isTyped) this.drop(target);
    return isTyped;
  }

  /** @param {{tab: number, document: string}} target */
  drop(target) {
    this.#byDocument.delete(keyOf(target));
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
   * @param {boolean} isElsewhere whether the user went there by the browser's own controls; then only the user can ask to save it
   */
  navigated(tab, frame, document, isElsewhere) {
    for (const one of this.#byDocument.values()) {
      if (one.tab !== tab || (one.frame !== frame && frame !== 0)) continue;
      // Back may lead to the form's own document, which the browser kept.
      if (isElsewhere && !one.reloads) one.isTyped = false;
      one.reloads = false;
      if (one.document !== document) this.#follow(one, frame, document);
    }
  }

  /**
   * A document loads itself anew. What comes is then the site's answer, though Firefox states it as if the user had reloaded.
   * @param {{tab: number, document: string}} target
   */
  reloads(target) {
    for (const one of this.#byDocument.values()) {
      if (one.tab === target.tab && [one.document, one.top, one.next].includes(target.document)) one.reloads = true;
    }
  }

  /**
   * The user leaves a document by a link, or closes a dialog in it. Whether the site accepted a form of it, or of a frame of it, is
   * unknown then, and only the user can ask to save it. If the document had replaced the one with the form, its content counts, unless
   * it leads back before anybody has seen it.
   * @param {{tab: number, document: string}} target
   * @param {number} status @param {unknown} page null where it was there too briefly @param {string} origin
   */
  strays(target, status, page, origin) {
    for (const one of this.#byDocument.values()) {
      if (one.tab !== target.tab || !one.isTyped) continue;
      if (one.next === target.document) {
        if (page) this.#conclude(one, status, page, origin);
      } else if ([one.document, one.top].includes(target.document)) one.isTyped = false;
    }
  }

  /**
   * A document is hidden, or was removed with its frame, as sites do after a sign-in. The browser raises no event for that, so the
   * frame is checked for a while. If another document comes into the frame, `navigated` handles it.
   * @param {{tab: number, document: string}} target
   */
  async left(target) {
    const one = this.#byDocument.get(keyOf(target));
    if (!one || one.frame === 0) return;
    for (let count = 0; count < looks; count += 1) {
      await wait(this.#clock, pause);
      const frames = await this.#environment.framesOf(one.tab);
      const isTopThere = frames.some(({ frame, document }) => frame === 0 && document === one.top);
      if (!isTopThere || this.#byDocument.get(keyOf(one)) !== one) return;
      if (!frames.some(({ frame }) => frame === one.frame)) { this.#follow(one, 0, one.top); return; }
    }
  }

  /** @param {Submission} one @param {number} frame @param {string} document */
  async #follow(one, frame, document) {
    if (!one.isTyped) return;
    // A redirect by a script comes here again; the earlier document no longer counts.
    const mine = ++one.turn;
    one.next = document;
    let answer = null;
    for (let count = 0; count < tries && !answer; count += 1) {
      answer = await inTime(this.#clock, patience, this.#environment.askArrival(one.tab, document).catch(() => null), {});
      if (mine !== one.turn || !one.isTyped || this.#byDocument.get(keyOf(one)) !== one) return;
      if (!answer) await wait(this.#clock, pause);
    }
    const now = (await this.#environment.framesOf(one.tab)).find((entry) => entry.frame === frame);
    if (mine !== one.turn || !one.isTyped || this.#byDocument.get(keyOf(one)) !== one) return;
    await this.#conclude(one, answer?.status, answer?.page, now?.origin);
  }

  /**
   * Tells the daemon which document replaced a form. After an error page it is unknown whether the site accepted the form.
   * @param {Submission} one @param {unknown} status @param {unknown} page @param {string | undefined} origin
   */
  async #conclude(one, status, page, origin) {
    if (Number(status) >= 400) { one.isTyped = false; return; }
    this.drop(one);
    await this.#environment.settle({ tab: one.tab, document: one.document, ...(page ? { page } : {}), ...(origin ? { origin } : {}) });
  }
}

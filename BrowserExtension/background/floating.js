// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import * as platform from './platform.js';
import { freePlace, isOver } from './places.js';
import { keyOf } from './sessions.js';

/** @typedef {import('./places.js').Box} Box */
/** @typedef {import('./sessions.js').Target} Target */
/**
 * What lies over a place or may: windows of the browser, or what documents say that floats (`videos`, and documents without a place). `origin` is the page it belongs to, where known.
 * @typedef {{windows: number[], videos: (Target & {kind: string})[], origin: string, box: Box | null}} Cover
 */

/** Under this name the session storage keeps which documents have said that something of theirs floats. */
const name = 'floating';
/** How long a document has to say whether its video still floats, in milliseconds. One that does not answer counts as one whose video does. */
const patience = 500;

/**
 * Windows that lie above all others: documents that a page lets float (document picture-in-picture), and videos. Such a window can hide what
 * a question says, so nothing is agreed to where one lies over a window of this extension, or may.
 *
 * The browser lists floating documents with their places. It does not list videos: the documents that show them say so, and no place is
 * known. Neither says anything of other programs and browsers, and of private windows unless the user lets the extension into them.
 */
export class Floating {
  /** Changes of what is kept are made one after the other. */ #writing = Promise.resolve();

  /**
   * A document says whether something of its own floats.
   * @param {Target} target
   * @param {string} origin as the browser states it
   * @param {'video' | 'document' | ''} kind
   */
  announce(target, origin, kind) {
    this.#writing = this.#writing.then(async () => {
      const others = (await this.#kept()).filter((one) => keyOf(one) !== keyOf(target));
      await platform.keep(name, kind ? [...others, { ...target, origin, kind }].slice(-32) : others);
    }).catch(() => {});
    return this.#writing;
  }

  /** @returns {Promise<(Target & {origin: string, kind: string})[]>} */
  async #kept() {
    return await platform.kept(name) ?? [];
  }

  /**
   * What lies over a place on the screen, or may.
   * @param {unknown} place where a document of this extension says that it is
   * @returns {Promise<Cover | null>} null if nothing does
   */
  async over(place) {
    await this.#writing;
    const [windows, kept] = await Promise.all([platform.floatingWindows().catch(() => null), this.#kept()]);
    // The browser did not list its windows, so one of them may lie there.
    if (!windows) return { windows: [], videos: [], origin: '', box: null };
    const above = windows.filter((one) => isOver(boxIn(one), boxIn(place)));
    if (above.length === 0 && kept.length === 0) return null;
    const said = await this.#stillTrue(kept);
    const [openers, videos] = ['document', 'video'].map((kind) => said.filter((one) => one.kind === kind));
    if (above.length) {
      return { windows: above.map(({ id }) => Number(id)), videos: [], origin: openers.length === 1 ? openers[0].origin : '', box: boxIn(above[0]) };
    }
    // Firefox lists no longer what has got another address. Of how many there are the documents that let them float know.
    const unplaced = [...videos, ...(openers.length > windows.length ? openers : [])];
    return unplaced.length ? { windows: [], videos: unplaced, origin: unplaced[0].origin, box: null } : null;
  }

  /** What documents have said and still say. One that is gone is forgotten. @template {Target & {kind: string}} T @param {T[]} said @returns {Promise<T[]>} */
  async #stillTrue(said) {
    const answers = await Promise.all(said.map(async (one) => {
      const timeout = new Promise((resolve) => { setTimeout(resolve, patience, { floats: one.kind }); });
      const answer = await Promise.race([platform.tell(one.tab, one.document, { type: 'floats' }).catch(() => null), timeout]);
      return answer?.floats === one.kind;
    }));
    said.filter((_, index) => !answers[index]).forEach((one) => { this.announce(one, '', ''); });
    return said.filter((_, index) => answers[index]);
  }

  /**
   * A place for a window beside all that floats, as near as can be to where it is.
   * @param {unknown} place @param {unknown} room the screen
   * @returns {Promise<Box | null>}
   */
  async beside(place, room) {
    const boxes = (await platform.floatingWindows().catch(() => [])).map(boxIn);
    const [wanted, screen] = [boxIn(place), boxIn(room, true)];
    return wanted && screen && boxes.every((box) => box !== null) ? freePlace(wanted, screen, /** @type {Box[]} */ (boxes)) : null;
  }

  /** Closes what lies over a place, when the user asks for that. @param {unknown} place */
  async close(place) {
    const { windows, videos } = await this.over(place) ?? { windows: [], videos: [] };
    await Promise.all([...windows.map((window) => platform.closeWindow(window)),
      ...videos.map(({ tab, document }) => platform.tell(tab, document, { type: 'sink' }).catch(() => {}))]);
  }
}

/**
 * The box in a message or of a window. A window system that states no places (Wayland) states the corner of the screen for all of them.
 * @param {any} stated @param {boolean} [isScreen] whether it is that of a screen @returns {Box | null} null where it is not known
 */
function boxIn(stated, isScreen = false) {
  const { left, top, width, height } = stated ?? {};
  const isKnown = [left, top, width, height].every(Number.isFinite) && width > 0 && height > 0 && (isScreen || left !== 0 || top !== 0);
  return isKnown ? { left, top, width, height } : null;
}

// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import { inTime } from './clock.js';
import { freePlace, isOver, times } from './places.js';
import { keyOf } from './target.js';

/** @typedef {import('./places.js').Box} Box */
/** @typedef {import('../messages/answers.js').Target} Target */
/** @typedef {Target & {kind: string}} Said a document that has said that a `video` or a `document` of its own floats */
/**
 * What the session storage keeps, since this script may be stopped meanwhile: what documents have said; where windows floated when they were
 * last listed; and what ended or moved, with its place and the time.
 * @typedef {{said: Said[], seen: {id: number, box: Box | null}[], ended: {id?: number, box: Box | null, at: number}[]}} Kept
 */
/**
 * What lies over a place or may. `box` is its place, where known; `isKnown`: it is known to be a page's window or video. `windows` and
 * `documents` are what can be closed, `tab` the one that it belongs to, where known. `isSilent`: none of the documents answers.
 * @typedef {{box: Box | null, isKnown: boolean, isVideo: boolean, isSilent: boolean, tab: number | null, windows: number[], documents: (Said & {isSilent: boolean})[]}} Cover
 */

/**
 * @typedef {object} Environment what is needed of the browser
 * @property {boolean} statesFloating whether the browser says of a window that it lies above all others; otherwise any popup that is listed may
 * @property {() => Promise<chrome.windows.Window[]>} floatingWindows those that lie above all others, or may
 * @property {(window: number) => boolean} isOwnWindow whether a window is the extension's. It never floated: Firefox does not say what floats, and while such a window is being opened it may be anybody's
 * @property {(tab: number, document: string, message: {type: string}) => Promise<any>} tell asks a document
 * @property {(tab: number) => Promise<number>} zoomOf
 * @property {(window: number) => unknown} closeWindow
 * @property {(tab: number) => Promise<unknown>} showTab
 * @property {(name: string) => Promise<any>} kept from the session storage
 * @property {(name: string, value: object) => Promise<unknown>} keep
 */

/** The name in the session storage. */
const name = 'floating';
/** How long a document has to say whether its video still floats, in milliseconds. One that does not answer counts as one whose video does. */
const patience = 500;
/** How long what has ended or moved counts as still there, in milliseconds: a press may have been meant for it. */
const lasting = 700;

/**
 * Windows that lie above all others: documents that a page lets float (document picture-in-picture), and videos. Such a window can hide what
 * a question says, so nothing is agreed to where one lies over a window of this extension, or may.
 *
 * The browser lists floating documents with their places. It does not list videos: the documents that show them say so, and no place is
 * known. Neither says anything of other programs and browsers, and of private windows unless the user lets the extension into them.
 */
export class Floating {
  /** What is kept is read and changed by one at a time. @type {Promise<unknown>} */ #turn = Promise.resolve();
  #clock;
  #environment;

  /** @param {import('./clock.js').Clock} clock @param {Environment} environment */
  constructor(clock, environment) {
    this.#clock = clock;
    this.#environment = environment;
  }

  /**
   * A document says whether something of its own floats.
   * @param {Target} target
   * @param {'video' | 'document' | ''} kind
   */
  announce(target, kind) {
    return this.#change(({ said, ended, ...rest }) => {
      const others = said.filter((one) => keyOf(one) !== keyOf(target));
      if (kind) return { ...rest, ended, said: [...others, { ...target, kind }].slice(-32) };
      return others.length === said.length ? null : { ...rest, said: others, ended: [...ended, { box: null, at: this.#clock.date() }] };
    }).catch(() => {});
  }

  /** Lists what floats, and notes what has ended or moved since that was last done. @returns {Promise<chrome.windows.Window[] | null>} null where the browser does not list it */
  async list() {
    /** @type {chrome.windows.Window[] | null} */ let windows = null;
    await this.#change(async ({ seen, ended, ...rest }) => {
      windows = await this.#environment.floatingWindows().catch(() => null);
      if (!windows) return null;
      const now = windows.map((one) => ({ id: Number(one.id), box: boxIn(one) }));
      const there = new Set(now.map((one) => JSON.stringify(one)));
      const gone = seen.filter((one) => !there.has(JSON.stringify(one)));
      if (gone.length === 0 && seen.length === now.length) return null;
      return { ...rest, seen: now, ended: [...ended, ...gone.map((one) => ({ ...one, at: this.#clock.date() }))] };
    });
    return windows;
  }

  /** @param {(kept: Kept) => Kept | null | Promise<Kept | null>} change null where nothing is changed */
  #change(change) {
    const done = this.#turn.then(async () => {
      const kept = await change(await this.#kept());
      if (kept) await this.#environment.keep(name, { ...kept, ended: kept.ended.filter((one) => this.#isRecent(one)).slice(-64) });
    });
    this.#turn = done.catch(() => {});
    return done;
  }

  /** @returns {Promise<Kept>} */
  async #kept() {
    return { said: [], seen: [], ended: [], ...await this.#environment.kept(name) };
  }

  /** The clock may have been set back. @param {{at: number}} one */
  #isRecent({ at }) {
    return Math.abs(this.#clock.date() - at) < lasting;
  }

  /**
   * Whether something lies over a place, may, or did so a moment ago.
   * @param {unknown} place where a document of this extension says that it is
   */
  async hides(place) {
    if (await this.over(place)) return true;
    return (await this.#kept()).ended.some((one) => this.#isRecent(one) && isOver(one.box, boxIn(place)) && !this.#environment.isOwnWindow(Number(one.id)));
  }

  /**
   * What lies over a place on the screen, or may.
   * @param {unknown} place where a document of this extension says that it is
   * @returns {Promise<Cover | null>} null if nothing does
   */
  async over(place) {
    const windows = await this.list();
    // The browser did not list its windows, so one of them may lie there.
    if (!windows) return coverOf({ isKnown: false });
    const above = windows.filter((one) => isOver(boxIn(one), boxIn(place)));
    const { said: kept } = await this.#kept();
    if (above.length === 0 && kept.length === 0) return null;
    const said = await this.#stillTrue(kept);
    const [openers, videos] = ['document', 'video'].map((kind) => said.filter((one) => one.kind === kind));
    if (above.length) {
      const box = boxIn(above[0]);
      const tab = openers.length === 1 ? openers[0].tab : null;
      if (this.#environment.statesFloating) return coverOf({ box, tab, windows: above.map(({ id }) => Number(id)) });
      // Which popups float is not stated. Where documents let as many float as there are, all of them do.
      const isKnown = openers.length >= windows.length;
      return coverOf({ box, tab: isKnown ? tab : null, isKnown, documents: isKnown ? openers : [] });
    }
    // Firefox lists no longer what has got another address. Where it is the document that lets it float knows.
    const others = this.#environment.statesFloating ? [] : openers.filter((one) => isOver(one.box, boxIn(place)));
    const unlisted = [...videos, ...others].sort((one, other) => Number(one.isSilent) - Number(other.isSilent));
    return unlisted.length ? coverOf({ box: unlisted[0].box, tab: unlisted[0].tab, documents: unlisted, isVideo: unlisted[0].kind === 'video' }) : null;
  }

  /** What documents have said and still say. One that is gone is forgotten; one that does not answer may be held up. @param {Said[]} said */
  async #stillTrue(said) {
    const answers = await Promise.all(said.map(async (one) => {
      const asked = this.#environment.tell(one.tab, one.document, { type: 'floats' }).catch(() => null);
      const answer = await inTime(this.#clock, patience, asked, { floats: one.kind, isSilent: true });
      if (answer?.floats === one.kind) return { ...one, isSilent: answer.isSilent === true, box: answer.box ? boxIn(times(answer.box, await this.#environment.zoomOf(one.tab))) : null };
      await this.announce(one, '');
      return null;
    }));
    return answers.filter((one) => one !== null);
  }

  /**
   * A place for a window beside all that floats, as near as can be to where it is.
   * @param {unknown} place @param {unknown} room the screen
   * @returns {Promise<Box | null>}
   */
  async beside(place, room) {
    const boxes = (await this.#environment.floatingWindows().catch(() => [])).map((one) => boxIn(one));
    const [wanted, screen] = [boxIn(place), boxIn(room, true)];
    return wanted && screen && boxes.every((box) => box !== null) ? freePlace(wanted, screen, /** @type {Box[]} */ (boxes)) : null;
  }

  /** Closes what lies over a place, when the user asks for that. Where no document answers, its tab is shown, which can be closed. @param {unknown} place */
  async close(place) {
    const { windows, documents, isSilent } = await this.over(place) ?? coverOf({});
    if (isSilent) await this.#environment.showTab(documents[0].tab);
    await Promise.all([...windows.map((window) => this.#environment.closeWindow(window)),
      ...documents.filter((one) => !one.isSilent).map(({ tab, document }) => this.#environment.tell(tab, document, { type: 'sink' }).catch(() => {}))]);
  }
}

/** @param {Partial<Cover>} given @returns {Cover} */
function coverOf(given) {
  const documents = given.documents ?? [];
  return { box: null, isKnown: true, isVideo: false, tab: null, windows: [], documents, isSilent: documents.length > 0 && documents.every(({ isSilent }) => isSilent), ...given };
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

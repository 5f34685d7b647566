// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import { keyOf } from '../logic/target.js';
import * as platform from './platform.js';

/** @typedef {import('./sessions.js').Target} Target */
/** What a window was opened for: a question, or the document that a choice in it is for. `isThere`: its document has spoken. @typedef {{path: string, prompt?: string, target?: Target, window?: number, isThere?: boolean}} Purpose */

/** Under this name and a tab the session storage keeps what its window was opened for. @param {number | string | undefined} tab */
const nameOf = (tab) => `opened ${tab}`;

/**
 * The windows that this script has opened for questions and choices. Another extension can open the same documents wherever it likes; those
 * are served nothing.
 */
export class Opened {
  /** Ends when no window is just being opened. @type {Promise<unknown>} */ #opening = Promise.resolve();

  /**
   * Opens a window.
   * @param {Purpose} purpose
   * @param {{width: number, height: number}} size
   * @returns {Promise<number>} the window; -1 where none was opened
   */
  open(purpose, size) {
    const query = purpose.prompt === undefined ? '' : `?${new URLSearchParams({ prompt: purpose.prompt })}`;
    const opening = platform.openWindow(`${purpose.path.slice(1)}${query}`, size).then(async ({ window, tab }) => {
      if (tab >= 0) {
        await platform.keep(nameOf(tab), { ...purpose, window });
        await this.changed(tab);
      }
      return window;
    });
    this.#opening = Promise.allSettled([this.#opening, opening]);
    return opening;
  }

  /** What the window of a tab was opened for. @param {number | undefined} tab @returns {Promise<Purpose | null>} null for a window of anybody else */
  async purposeOf(tab) {
    // Its document may speak before the browser says which tab it is in.
    await this.#opening;
    return await platform.kept(nameOf(tab)) ?? null;
  }

  /** Whether a window is open in which the user chooses for a document. @param {Target} target */
  async hasListFor(target) {
    return Object.entries(await platform.allKept()).some(([name, purpose]) => name.startsWith(nameOf('')) && purpose.target && keyOf(purpose.target) === keyOf(target));
  }

  /** The document of a window speaks: nothing else may stand there from now on. @param {number | undefined} tab @param {Purpose} purpose */
  async arrived(tab, purpose) {
    if (!purpose.isThere) await platform.keep(nameOf(tab), { ...purpose, isThere: true });
  }

  /**
   * A tab may show another document, or have another beside it. What another extension has put into a window of ours could pass for ours: the
   * tab is closed, which answers no.
   * @param {number} tab
   */
  async changed(tab) {
    const purpose = await platform.kept(nameOf(tab));
    if (!purpose) return;
    const shown = await platform.shownIn(tab);
    if (shown === 'other' || (shown === 'new' && purpose.isThere)) await platform.closeTab(tab);
  }

  /** A tab has come into a window. @param {number} window */
  async joined(window) {
    const ours = Object.entries(await platform.allKept()).find(([name, purpose]) => name.startsWith(nameOf('')) && purpose.window === window);
    if (ours) await this.changed(Number(ours[0].slice(nameOf('').length)));
  }

  /** @param {number} tab @returns {Promise<string | undefined>} the question that its window was opened for */
  async closed(tab) {
    const purpose = await platform.kept(nameOf(tab));
    await platform.forget(nameOf(tab));
    return purpose?.prompt;
  }
}

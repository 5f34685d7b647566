// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import { WireError, code } from '../messages/errors.js';

/**
 * @typedef {object} Environment what the questions need of the browser and of the daemon
 * @property {(prompt: string) => Promise<{kind: string, reasons?: unknown, site?: unknown, isQuiet?: unknown}>} ask asks the daemon what a question is about
 * @property {(prompt: string) => Promise<unknown>} refuse tells the daemon that the user said no
 * @property {(prompt: string, kind: string, isWide: boolean) => Promise<number>} open opens a window; results in its number
 * @property {(window: number) => Promise<unknown>} raise
 * @property {(window: number) => unknown} close
 * @property {(isWaiting: boolean) => void} mark shows on the toolbar button whether a question waits
 */

/** The windows in which the daemon asks the user something. */
export class Prompts {
  /** Their windows; -1 for one that is being opened or that the user has not asked for yet. @type {Map<string, number>} */ #windows = new Map();
  /** Those that wait for the user to ask for their window. @type {Map<string, {kind: string, site: string}>} */ #waiting = new Map();
  /** Those whose window is being opened. @type {Set<string>} */ #opening = new Set();
  /** Those that the user wants to see, and of which it is not known yet what they ask. @type {Set<string>} */ #early = new Set();
  #environment;

  /** @param {Environment} environment */
  constructor(environment) {
    this.#environment = environment;
  }

  /** The questions that wait for the user to ask for their window. */
  get waiting() {
    return [...this.#waiting].map(([prompt, { kind, site }]) => ({ prompt, kind, site }));
  }

  /**
   * Opens a prompt's window; closing it by hand is a no. No window opens for a question that nobody has asked for: one in front takes the
   * focus, from which the page would learn that something is asked, and so what is not saved, and one behind is not seen. The daemon's
   * notification, the toolbar button and the popup lead to it.
   * @param {any} params
   */
  async present({ prompt }) {
    if (typeof prompt !== 'string') throw new WireError(code.invalidParams, 'prompt');
    this.#windows.set(prompt, -1);
    const { kind, reasons, site, isQuiet } = await this.#environment.ask(prompt).catch((error) => { this.#windows.delete(prompt); throw error; });
    if (!this.#windows.has(prompt)) throw new WireError(code.expired, 'The request has ended.');
    if (isQuiet !== true) { await this.#open(prompt, kind, Boolean(reasons)); return; }
    this.#waiting.set(prompt, { kind, site: String(site ?? '') });
    this.#environment.mark(true);
    if (this.#early.delete(prompt)) this.bringUp(prompt).catch(() => {});
  }

  /** Opens the window of a question that waits, or brings it to the front. @param {any} prompt */
  async bringUp(prompt) {
    const waiting = this.#waiting.get(prompt);
    if (!waiting && this.#windows.has(prompt)) { this.#early.add(prompt); return; }
    if (!waiting) throw new WireError(code.expired, 'This question has ended.');
    const window = this.#windows.get(prompt) ?? -1;
    if (window >= 0) await this.#environment.raise(window);
    else if (!this.#opening.has(prompt)) await this.#open(prompt, waiting.kind, false);
  }

  /** @param {string} prompt @param {string} kind @param {boolean} isWide */
  async #open(prompt, kind, isWide) {
    this.#opening.add(prompt);
    try {
      const window = await this.#environment.open(prompt, kind, isWide);
      if (this.#windows.has(prompt)) this.#windows.set(prompt, window);
      else this.#environment.close(window);
    } finally {
      this.#opening.delete(prompt);
    }
  }

  /** A window was closed. @param {number} window */
  windowClosed(window) {
    for (const [prompt, own] of [...this.#windows]) if (own === window && own >= 0) this.#refuse(prompt);
  }

  /** The document of a question was closed: a no, where nothing was answered. @param {string} prompt */
  closed(prompt) {
    if (this.#windows.has(prompt)) this.#refuse(prompt);
  }

  /** @param {string} prompt */
  #refuse(prompt) {
    this.#forget(prompt);
    this.#environment.refuse(prompt).catch(() => {});
  }

  /** The request was canceled. @param {any} prompt */
  dismiss(prompt) {
    const window = this.#windows.get(prompt);
    this.#forget(prompt);
    if (window !== undefined && window >= 0) this.#environment.close(window);
  }

  clear() {
    for (const prompt of [...this.#windows.keys()]) this.dismiss(prompt);
  }

  /** @param {string} prompt */
  #forget(prompt) {
    this.#windows.delete(prompt);
    this.#waiting.delete(prompt);
    this.#early.delete(prompt);
    this.#environment.mark(this.#waiting.size > 0);
  }
}

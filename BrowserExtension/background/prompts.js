// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import { code } from '../messages/errors.js';
import { WireError } from './native.js';
import * as platform from './platform.js';

/** Windows that hold more than a question. @type {Record<string, {width: number, height: number}>} */
const sizes = { interface: { width: 460, height: 600 }, enable: { width: 460, height: 460 }, foreign: { width: 460, height: 560 },
  savePassword: { width: 460, height: 470 }, updatePassword: { width: 460, height: 400 }, unlockToSave: { width: 460, height: 380 }, generated: { width: 460, height: 400 } };
/** One that says more than usual, and any other. */
const wide = { width: 460, height: 460 };
const usual = { width: 440, height: 340 };
/**
 * Questions that come by themselves, when a page has changed: their windows do not take the focus, from which the page would
 * learn that something is asked, and so what is not saved. The toolbar button and the popup lead to them.
 */
const quiet = new Set(['savePassword', 'updatePassword', 'unlockToSave']);

/** The windows in which the daemon asks the user something. */
export class Prompts {
  /** Their windows; -1 for one that is being opened. @type {Map<string, number>} */ #windows = new Map();
  /** Those that wait without the focus, with their sites. @type {Map<string, string>} */ #waiting = new Map();
  /** Until when a question is one that the user has just asked for, in milliseconds since 1970. */ #wantedUntil = 0;
  #request;

  /** @param {(method: string, params: object) => Promise<any>} request asks the daemon */
  constructor(request) {
    this.#request = request;
    platform.onWindowClosed((window) => {
      for (const [prompt, own] of this.#windows) {
        if (own !== window) continue;
        this.#forget(prompt);
        this.#request('renderer.answer', { prompt, accept: false }).catch(() => {});
      }
    });
  }

  /** The questions that wait in windows which came without taking the focus. */
  get waiting() {
    return [...this.#waiting].map(([prompt, site]) => ({ prompt, site }));
  }

  /** The user has asked for a question in the popup: the page has lost the focus already, and learns nothing more. */
  want() {
    this.#wantedUntil = Date.now() + 5000;
  }

  /** Opens a prompt's window. Closing it by hand is a no. @param {any} params */
  async present({ prompt }) {
    if (typeof prompt !== 'string') throw new WireError(code.invalidParams, 'prompt');
    const page = `windows/prompt.html?${new URLSearchParams({ prompt })}`;
    this.#windows.set(prompt, -1);
    const { kind, reasons, site } = await this.#request('renderer.prompt', { prompt }).catch(() => ({ kind: '', reasons: null, site: '' }));
    if (!this.#windows.has(prompt)) throw new WireError(code.expired, 'The request has ended.');
    const isQuiet = quiet.has(kind) && Date.now() > this.#wantedUntil;
    this.#wantedUntil = 0;
    if (isQuiet) this.#waiting.set(prompt, String(site ?? ''));
    platform.mark(this.#waiting.size > 0);
    const window = await platform.openWindow(page, sizes[kind] ?? (reasons ? wide : usual), !isQuiet);
    if (this.#windows.has(prompt)) this.#windows.set(prompt, window);
    else platform.closeWindow(window);
  }

  /** Brings the window of a question that waits to the front. @param {any} prompt */
  async bringUp(prompt) {
    const window = this.#waiting.has(prompt) ? this.#windows.get(prompt) : undefined;
    if (window === undefined || window < 0) throw new WireError(code.expired, 'This question has ended.');
    await platform.raiseWindow(window);
  }

  /** The request was canceled. @param {any} prompt */
  dismiss(prompt) {
    const window = this.#windows.get(prompt);
    this.#forget(prompt);
    if (window !== undefined && window >= 0) platform.closeWindow(window);
  }

  clear() {
    for (const prompt of [...this.#windows.keys()]) this.dismiss(prompt);
  }

  /** @param {string} prompt */
  #forget(prompt) {
    this.#windows.delete(prompt);
    this.#waiting.delete(prompt);
    platform.mark(this.#waiting.size > 0);
  }
}

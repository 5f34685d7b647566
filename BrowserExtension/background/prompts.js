// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import { clock } from '../logic/clock.js';
import { code } from '../messages/errors.js';
import { opened } from './memory.js';
import { WireError } from './native.js';
import * as platform from './platform.js';

/** Windows that hold more than a question. @type {Record<string, {width: number, height: number}>} */
const sizes = { interface: { width: 460, height: 600 }, enable: { width: 460, height: 460 }, foreign: { width: 460, height: 560 },
  savePassword: { width: 460, height: 470 }, updatePassword: { width: 460, height: 400 }, unlockToSave: { width: 460, height: 380 }, generated: { width: 460, height: 400 } };
/** One that says more than usual, and any other. */
const wide = { width: 460, height: 460 };
const usual = { width: 440, height: 340 };
/**
 * Questions that come by themselves, when a page has changed. No window opens for them: one in front takes the focus, from which the
 * page would learn that something is asked, and so what is not saved, and one behind is not seen. A notification of the desktop, which
 * never takes the focus, the toolbar button and the popup lead to them.
 */
const quiet = new Set(['savePassword', 'updatePassword', 'unlockToSave']);

/** The windows in which the daemon asks the user something. */
export class Prompts {
  /** Their windows; -1 for one that is being opened or that the user has not asked for yet. @type {Map<string, number>} */ #windows = new Map();
  /** Those that wait for the user to ask for their window. @type {Map<string, {kind: string, site: string}>} */ #waiting = new Map();
  /** Those whose window is being opened. @type {Set<string>} */ #opening = new Set();
  /** Until when a question is one that the user has just asked for, in milliseconds since 1970. */ #wantedUntil = 0;
  #request;

  /** @param {(method: string, params: object) => Promise<any>} request asks the daemon */
  constructor(request) {
    this.#request = request;
    platform.onWindowClosed((window) => {
      for (const [prompt, own] of this.#windows) {
        if (own !== window) continue;
        this.#refuse(prompt);
      }
    });
    platform.onNotification((prompt, isWanted) => {
      if (!this.#waiting.has(prompt)) { platform.forgetNotification(prompt); return; }
      if (isWanted) this.bringUp(prompt).catch(() => {});
      else this.#refuse(prompt);
    });
  }

  /** The questions that wait for the user to ask for their window. */
  get waiting() {
    return [...this.#waiting].map(([prompt, { kind, site }]) => ({ prompt, kind, site }));
  }

  /** The user has asked for a question in the popup: the page has lost the focus already, and learns nothing more. */
  want() {
    this.#wantedUntil = clock.date() + 5000;
  }

  /** Opens a prompt's window. Closing it by hand is a no. @param {any} params */
  async present({ prompt }) {
    if (typeof prompt !== 'string') throw new WireError(code.invalidParams, 'prompt');
    this.#windows.set(prompt, -1);
    const { kind, reasons, site } = await this.#request('renderer.prompt', { prompt }).catch((error) => { this.#windows.delete(prompt); throw error; });
    if (!this.#windows.has(prompt)) throw new WireError(code.expired, 'The request has ended.');
    const isQuiet = quiet.has(kind) && clock.date() > this.#wantedUntil;
    this.#wantedUntil = 0;
    if (!isQuiet) { await this.#open(prompt, kind, Boolean(reasons)); return; }
    this.#waiting.set(prompt, { kind, site: String(site ?? '') });
    platform.mark(true);
    // It names nobody and no site, since others may read the screen and the desktop keeps a list of notifications. It is not waited
    // for: the daemon takes an answer that comes late for a question that was not shown.
    platform.notify(prompt, 'A password can be saved', 'Latchkey asks whether to save what you have just typed.')
      .then(() => { if (!this.#waiting.has(prompt)) platform.forgetNotification(prompt); });
  }

  /** Opens the window of a question that waits, or brings it to the front. @param {any} prompt */
  async bringUp(prompt) {
    const waiting = this.#waiting.get(prompt);
    if (!waiting) throw new WireError(code.expired, 'This question has ended.');
    platform.forgetNotification(prompt);
    const window = this.#windows.get(prompt) ?? -1;
    if (window >= 0) await platform.raiseWindow(window);
    else if (!this.#opening.has(prompt)) await this.#open(prompt, waiting.kind, false);
  }

  /** @param {string} prompt @param {string} kind @param {boolean} isWide */
  async #open(prompt, kind, isWide) {
    this.#opening.add(prompt);
    try {
      const window = await opened.open({ path: '/windows/prompt.html', prompt }, sizes[kind] ?? (isWide ? wide : usual));
      if (this.#windows.has(prompt)) this.#windows.set(prompt, window);
      else platform.closeWindow(window);
    } finally {
      this.#opening.delete(prompt);
    }
  }

  /** The document of a question was closed: a no, where nothing was answered. @param {string} prompt */
  closed(prompt) {
    if (this.#windows.has(prompt)) this.#refuse(prompt);
  }

  /** @param {string} prompt */
  #refuse(prompt) {
    this.#forget(prompt);
    this.#request('renderer.answer', { prompt, accept: false }).catch(() => {});
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
    if (this.#waiting.delete(prompt)) platform.forgetNotification(prompt);
    platform.mark(this.#waiting.size > 0);
  }
}

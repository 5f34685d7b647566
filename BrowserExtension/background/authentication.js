// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import * as platform from './platform.js';
import { WireError, code } from '../messages/errors.js';

/*
 * Windows in which the user signs in on a web page for the daemon, which is told where that led to. What is looked at is the
 * top document of that one tab, and of what it asks only what goes to the callback; the window closes with it.
 */

/** @typedef {{scheme?: string, host?: string, path?: string}} Callback */
/** @typedef {{url?: string, fields?: Record<string, string>}} Answer */

/** In characters, of all that is posted. */
const limit = 262144;

export class Authentications {
  /** @type {Map<string, {window: number, stop: () => void, finish: (answer: Answer) => void, fail: (error: WireError) => void}>} */
  #open = new Map();

  /**
   * Opens a window and waits for its end.
   * @param {{prompt: string, url: string, callback: Callback, post: boolean, ephemeral: boolean}} params
   * @returns {Promise<Answer>}
   */
  async begin({ prompt, url, callback, post, ephemeral }) {
    if (!platform.canAuthenticate) throw new WireError(code.refused, 'Latchkey does not open such a window in this browser.');
    const isCallback = matcher(callback);
    if (typeof prompt !== 'string' || this.#open.has(prompt) || !isSecure(url) || !isCallback) {
      throw new WireError(code.invalidParams, 'callback');
    }
    /** @type {any} */ const entry = { window: -1, stop: () => {} };
    const ended = new Promise((resolve, reject) => { entry.finish = resolve; entry.fail = reject; });
    ended.catch(() => {}); // it may end before anybody waits
    this.#open.set(prompt, entry);
    try {
      const { window, tab } = await platform.openPage(ephemeral === true);
      entry.window = window;
      if (!this.#open.has(prompt)) throw new WireError(code.userCanceled, 'The request has ended.');
      // What is watched is only told, and goes on: what goes to a site's callback is for the daemon, and must not be sent there.
      const letGo = callback.host ? await platform.holdBack(tab, callback.host, callback.path ?? '/') : () => {};
      const unwatch = platform.watchTab(tab, (address, form) => {
        if (!isCallback(address)) return;
        if (post !== true) return entry.finish({ url: address });
        // Only what is posted there; opening the address says nothing.
        if (form) entry.finish({ fields: fieldsOf(form) });
        return undefined;
      });
      entry.stop = () => { unwatch(); letGo(); };
      if (!this.#open.has(prompt)) {
        entry.stop();
        throw new WireError(code.userCanceled, 'The request has ended.');
      }
      await platform.goTo(tab, url);
      return await ended;
    } finally {
      this.end(prompt);
    }
  }

  /** Nobody waits any more, or it is done. @param {string} prompt */
  end(prompt) {
    const entry = this.#open.get(prompt);
    if (!entry) return;
    this.#open.delete(prompt);
    entry.stop();
    entry.fail(new WireError(code.userCanceled, 'The window was closed.'));
    if (entry.window >= 0) platform.closeWindow(entry.window);
  }

  /** The user closed a window. @param {number} window */
  closed(window) {
    for (const [prompt, entry] of this.#open) {
      if (entry.window !== window) continue;
      entry.window = -1;
      this.end(prompt);
    }
  }

  clear() {
    for (const prompt of [...this.#open.keys()]) this.end(prompt);
  }
}

/** @param {unknown} url */
function isSecure(url) {
  return typeof url === 'string' && URL.canParse(url) && new URL(url).protocol === 'https:';
}

/**
 * What tells whether an address is the callback; nothing where there is none. The daemon looks once more.
 * @param {Callback | undefined} callback
 * @returns {((address: string) => boolean) | null}
 */
function matcher(callback) {
  const { scheme, host, path } = callback ?? {};
  if (typeof scheme === 'string' && scheme) {
    const start = `${scheme.toLowerCase()}:`;
    return (address) => address.toLowerCase().startsWith(start);
  }
  if (typeof host !== 'string' || !host || typeof path !== 'string') return null;
  return (address) => {
    if (!URL.canParse(address)) return false;
    const url = new URL(address);
    return url.protocol === 'https:' && url.host === host && url.pathname === path && !url.username && !url.password;
  };
}

/**
 * Each field that was posted once, with its value; a name that stands twice means nothing certain, and is left out.
 * @param {Record<string, unknown[]>} form
 * @returns {Record<string, string>}
 */
function fieldsOf(form) {
  const fields = Object.create(null);
  let size = 0;
  for (const [name, values] of Object.entries(form)) {
    if (values.length !== 1 || typeof values[0] !== 'string') continue;
    size += name.length + values[0].length;
    if (size > limit) return {}; // which is not an answer to anything
    fields[name] = values[0];
  }
  return fields;
}

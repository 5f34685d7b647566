// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import { clock } from '../logic/clock.js';
import { WireError, code } from '../messages/errors.js';
import * as platform from './platform.js';

/** Maximum length of a request in bytes: at more than 1 MiB the other end closes the connection. */
const longest = (1 << 20) - (16 << 10);

/** Pause after a failed connection, in milliseconds: a missing host must not be started on every focus. */
const pause = 1500;

/**
 * The connection to `latchkeyd` through `latchkey-browser-host`: JSON-RPC 2.0 in both directions.
 * It is opened by the first request and again by the first one after it broke.
 */
export class Wire {
  /** @type {chrome.runtime.Port | null} */ #port = null;
  /** @type {Map<number, {resolve: (value: any) => void, reject: (error: Error) => void}>} */ #waiting = new Map();
  /** @type {Promise<object> | null} */ #hello = null;
  /** @type {{resolve: (value: object) => void, reject: (error: Error) => void} | null} */ #greeted = null;
  #next = 1;
  #failed = -Infinity;
  #requests;
  #ended;
  #began;

  /**
   * @param {Record<string, (params: any) => any>} requests What the daemon may ask, by method.
   * @param {() => void} ended Called when the connection ended, and with it its sessions.
   * @param {(hello: {locked?: boolean, initialized?: boolean}) => void} began Called when the daemon has answered for the first time.
   */
  constructor(requests, ended, began) {
    this.#requests = requests;
    this.#ended = ended;
    this.#began = began;
  }

  /**
   * Sends a request and waits for its answer.
   * @param {string} method
   * @param {object} params
   * @returns {Promise<any>} the `result`; rejects with a `WireError`.
   */
  async request(method, params) {
    await this.#open();
    if (!this.#port) throw unreachable();
    // All tabs share this connection: a message that would end it, or never be answered, is refused here.
    if (!isFit({ method, params })) throw new WireError(code.invalidParams, 'The page sent too much data, or text that is not valid.');
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#send({ id, method, params });
    });
  }

  /**
   * Sends a notification if there is a connection. Without one the daemon has no session to apply it to.
   * @param {string} method
   * @param {object} params
   */
  notify(method, params) {
    if (this.#port) this.#send({ method, params });
  }

  #open() {
    if (this.#hello) return this.#hello;
    if (clock.now() - this.#failed < pause) return Promise.reject(unreachable());
    this.#hello = new Promise((resolve, reject) => { this.#greeted = { resolve, reject }; });
    const port = platform.connectNative();
    this.#port = port;
    port.onMessage.addListener((message) => { if (port === this.#port) this.#receive(message); });
    port.onDisconnect.addListener(() => {
      void chrome.runtime.lastError; // read, so that a host that is not installed is not reported as an oversight
      if (port === this.#port) this.#break();
    });
    return this.#hello;
  }

  #send(message) {
    try {
      this.#port?.postMessage({ jsonrpc: '2.0', ...message });
    } catch {
      this.#break();
    }
  }

  /** @param {any} message */
  #receive(message) {
    if (typeof message !== 'object' || message === null) return;
    if (typeof message.method === 'string') { this.#serve(message); return; }
    if (message.id === 'hello') {
      if (message.error) { this.#break(message.error); return; }
      this.#greeted?.resolve(message.result ?? {});
      this.#greeted = null;
      this.#began(message.result ?? {});
      return;
    }
    // The other end could not read a request and cannot say which one, so all waiting requests fail.
    if (message.id === null) { this.#rejectAll(errorFrom(message.error ?? {})); return; }
    const waiting = this.#waiting.get(message.id);
    if (!waiting) return;
    this.#waiting.delete(message.id);
    if (message.error) waiting.reject(errorFrom(message.error));
    else waiting.resolve(message.result ?? {});
  }

  /** @param {any} message */
  async #serve({ id, method, params }) {
    const isNotification = id === undefined || id === null;
    const serve = Object.hasOwn(this.#requests, method) ? this.#requests[method] : null;
    if (!serve) {
      if (!isNotification) this.#send({ id, error: { code: code.methodNotFound, message: 'no such method' } });
      return;
    }
    try {
      const result = await serve(params ?? {});
      if (!isNotification) this.#send({ id, result: result ?? {} });
    } catch (error) {
      const number = error instanceof WireError && typeof error.code === 'number' ? error.code : -32603;
      if (!isNotification) this.#send({ id, error: { code: number, message: 'the browser could not do this' } });
    }
  }

  /** @param {any} [cause] */
  #break(cause) {
    const port = this.#port;
    this.#port = null;
    this.#hello = null;
    if (this.#greeted) this.#failed = clock.now();
    const error = cause ? errorFrom(cause) : unreachable();
    this.#greeted?.reject(error);
    this.#greeted = null;
    this.#rejectAll(error);
    port?.disconnect();
    this.#ended();
  }

  /** @param {WireError} error */
  #rejectAll(error) {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}

/** Whether the other end can read a message: it is short enough, and no text in it has half a pair of surrogates. @param {object} message */
function isFit(message) {
  const text = JSON.stringify(message);
  // `JSON.stringify` writes such a half as an escape.
  return new TextEncoder().encode(text).length <= longest && !/(?<!\\)(?:\\\\)*\\ud[89a-f]/.test(text);
}

/** @param {any} error */
function errorFrom(error) {
  return new WireError(Number(error.code), String(error.message ?? ''), error.data);
}

function unreachable() {
  return new WireError('unreachable', 'Latchkey is not running or not installed.', { hint: 'Run “latchkey browser status”.' });
}

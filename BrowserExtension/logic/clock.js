// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Tells the time and waits. What decides by time is handed this clock, and in tests one that the test sets.
 * @typedef {object} Clock
 * @property {() => number} now milliseconds since some moment; never put back
 * @property {() => number} date milliseconds since 1970; may be put back
 * @property {(milliseconds: number, act: () => void) => () => void} after does something later; the result prevents it
 * @property {(milliseconds: number, act: () => void) => () => void} every does something again and again; the result ends it
 * @property {(act: () => void) => void} frame does something before the next frame is drawn
 */

/**
 * The browser's own clock. `scripts/check-extension` refuses other readings of the time in `background/`, `windows/` and `logic/`.
 * @type {Clock}
 */
export const clock = Object.freeze({
  now: () => performance.now(),
  date: () => Date.now(),
  after(milliseconds, act) {
    try {
      const timer = setTimeout(act, milliseconds);
      return () => clearTimeout(timer);
    } catch {
      // Firefox refuses in a document that is just being closed, in which nothing happens later.
      return () => {};
    }
  },
  every(milliseconds, act) {
    const timer = setInterval(act, milliseconds);
    return () => clearInterval(timer);
  },
  frame(act) { requestAnimationFrame(act); },
});

/**
 * Waits.
 * @template Value
 * @param {Clock} clock @param {number} milliseconds
 * @param {Value} [value] what the wait results in
 * @returns {Promise<Value>}
 */
export function wait(clock, milliseconds, value) {
  return new Promise((resolve) => { clock.after(milliseconds, () => resolve(/** @type {Value} */ (value))); });
}

/**
 * What a promise results in, or something else where that takes too long.
 * @template Value, Other
 * @param {Clock} clock @param {number} milliseconds @param {Promise<Value>} promise @param {Other} other
 * @returns {Promise<Value | Other>}
 */
export async function inTime(clock, milliseconds, promise, other) {
  let stop = () => {};
  const late = new Promise((resolve) => { stop = clock.after(milliseconds, () => resolve(other)); });
  try {
    return await Promise.race([promise, late]);
  } finally {
    stop();
  }
}

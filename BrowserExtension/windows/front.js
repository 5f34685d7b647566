// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/*
 * A prompt opens over whatever the user was doing, and a page may open windows over the prompt: a key or a click that
 * was meant for what was in front a moment ago must not answer it. So it takes nothing before it has been in front for a
 * while, and begins anew whenever it comes to the front.
 */

/** In milliseconds. */
const arming = 500;
let armedAt = Infinity;
/** @type {Set<() => void>} */ const listeners = new Set();

function tell() {
  for (const listener of listeners) listener();
}

/** Whether this window has been in front for long enough for what is done in it to be meant for it. */
export function isInFront() {
  return performance.now() >= armedAt;
}

/** Begins anew: what is shown now was not there before. */
export function arm() {
  armedAt = performance.now() + arming;
  tell();
  setTimeout(tell, arming + 20);
}

/** Calls a listener whenever `isInFront` may have changed. @param {() => void} listener */
export function onFront(listener) {
  listeners.add(listener);
}

// Whoever goes on clicking has not looked yet.
addEventListener('pointerdown', ({ isTrusted }) => { if (isTrusted && !isInFront()) arm(); }, true);
addEventListener('focus', arm);
document.addEventListener('visibilitychange', arm);

// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Tells what the user typed from what a script put into a field. Commands of scripts (`document.execCommand`) make events that the
 * browser vouches for, so that an event of input alone proves nothing. It is told here and not in the page, because a page may be gone
 * as soon as its form has been sent.
 */

/**
 * Something was put into a field, or taken out of it.
 * @typedef {{data: string | null, isAnnounced: boolean, value: string}} Step `isAnnounced`: the browser said before that the user was about
 *   to put just that into this field, and no script put it in while it heard of that, or in the place of it; `value`: what the field held then
 */

/**
 * Whether the user typed what a field holds, be it with keys, an input method, by pasting or dropping, and no script has changed it in
 * between. The browser announces what the user puts in (`beforeinput`), and never what a command of a script does.
 * @param {{start: string, steps: Step[]}} entry `start`: what Latchkey had filled before the first step
 */
function isTyped({ start, steps }) {
  let [before, isSo] = [start, true];
  for (const { data, isAnnounced, value } of steps) {
    const put = data ?? '';
    isSo = isAnnounced && (value === put || (isSo && isPutIn(before, put, value)));
    before = value;
  }
  return isSo;
}

/**
 * Whether the user typed all that a page says of its fields for passwords; not where it says something else.
 * @param {any} entries
 */
export function areTyped(entries) {
  const isStep = (step) => (step?.data === null || typeof step?.data === 'string') && typeof step.isAnnounced === 'boolean' && typeof step.value === 'string';
  const isEntry = (entry) => typeof entry?.start === 'string' && Array.isArray(entry.steps) && entry.steps.every(isStep);
  return Array.isArray(entries) && entries.every((entry) => isEntry(entry) && isTyped(entry));
}

/**
 * Whether a text is another one into which something was put, in the place of some of it or of none.
 * @param {string} before @param {string} put @param {string} value
 */
function isPutIn(before, put, value) {
  for (let at = 0; at <= value.length && before.startsWith(value.slice(0, at)); at += 1) {
    const rest = value.slice(at + put.length);
    if (value.startsWith(put, at) && at + rest.length <= before.length && before.endsWith(rest)) return true;
  }
  return false;
}

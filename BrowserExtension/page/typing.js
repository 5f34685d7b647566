// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Tells what the user typed from what a script put into a field. Commands of scripts (`document.execCommand`) make events that the
 * browser vouches for, so that an event of input alone proves nothing. It comes into a document with what reads its forms.
 */
'use strict';

(() => {
  const page = globalThis.latchkeyPage;
  if (!page || page.judge) return Boolean(page);

  /**
   * Whether a text is another one into which something was put, in the place of some of it or of none.
   * @param {string} before @param {string} put @param {string} value
   */
  const isPutIn = (before, put, value) => {
    for (let at = 0; at <= value.length && before.startsWith(value.slice(0, at)); at += 1) {
      const rest = value.slice(at + put.length);
      if (value.startsWith(put, at) && at + rest.length <= before.length && before.endsWith(rest)) return true;
    }
    return false;
  };

  /**
   * Something was put into a field.
   * @typedef {{value: string, isTyped: boolean}} Entry what a field holds after an event of this kind
   * @typedef {{event: InputEvent, announced: InputEvent | null, before: Entry | undefined, now: Entry}} Step `announced` is what the
   *   browser said before of what the user was about to put into this field; null where a script put it in while it heard of that, or in
   *   the place of that
   */

  /**
   * Whether the user typed what a field holds now, be it with keys, an input method, by pasting or dropping, and no script has changed
   * it in between. The browser announces what the user puts in (`beforeinput`), and never what a command of a script does.
   * @param {Step} step
   */
  const isTyping = ({ event: { inputType, data }, announced, before, now: { value } }) => {
    if (announced?.inputType !== inputType || announced.data !== data) return false;
    const put = data ?? '';
    return value === put || ((before?.isTyped ?? true) && isPutIn(before?.value ?? '', put, value));
  };

  /** @param {Step} step */
  const judge = (step) => { step.now.isTyped = isTyping(step); };

  // What was typed before this part was here; each step begins with what the one before it left.
  for (const step of page.steps.splice(0)) judge(step);
  page.judge = judge;
  return true;
})();

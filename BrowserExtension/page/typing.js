// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Tells what the user typed from what a script put into a field. Commands of scripts (`document.execCommand`) make events that the
 * browser vouches for, so that an event of input alone proves nothing. It comes into a document with what reads its forms.
 */
'use strict';

(() => {
  const page = globalThis.latchkeyPage;
  if (!page || page.isTyping) return Boolean(page);

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
   * Whether the user typed what a field holds now, be it with keys, an input method, by pasting or dropping, and no script has changed
   * it in between. The browser announces what the user puts in (`beforeinput`), and never what a command of a script does.
   * @param {InputEvent} event
   * @param {{value: string, isTyped: boolean} | undefined} before what the field held after the last event of this kind
   * @param {HTMLInputElement} field
   * @param {{event: InputEvent, field: unknown} | null} announced what was announced last, if nothing was put in since
   */
  const isTyping = ({ inputType, data }, before, field, announced) => {
    if (announced?.field !== field) return false;
    const { event } = announced;
    // What a script does while it hears of the announcement, or in the place of what was announced, is not the user's.
    if (event.eventPhase !== Event.NONE || event.defaultPrevented) return false;
    if (event.inputType !== inputType || event.data !== data) return false;
    const { value } = field;
    const put = data ?? '';
    return value === put || ((before?.isTyped ?? true) && isPutIn(before?.value ?? '', put, value));
  };

  page.isTyping = isTyping;
  return true;
})();

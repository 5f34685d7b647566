// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Puts values into fields after the user has chosen. It comes into a document when a list of what could be chosen is asked for
 * there, so that a tap does not wait for it, and before any value does; a second time it does nothing.
 */
'use strict';

(() => {
  /** @type {LatchkeyPage} */ const page = globalThis.latchkeyPage;
  if (!page || page.fill) return Boolean(page);
  const { active, describeField, described, fieldsAround, hides, isEditable, isField, isHere, isVisible, moment, note, refs, textTypes } = page;

  const wait = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });

  /**
   * Whether a role's value may go into a field: a password never into one that shows what is typed, nor into one that was described so.
   */
  const takes = (field, role, { description }) => {
    if (!isField(field) || !isEditable(field)) return false;
    // Boxes for a code may hide what is typed, as fields for passwords do.
    if (role === 'one-time-code') return textTypes.has(field.type) || field.type === 'password';
    if (!/password$/.test(role)) return textTypes.has(field.type);
    return hides(field) && description.type === 'password';
  };

  /**
   * The element of a reference; when the page has rebuilt its form, the field that is described in the same words.
   * @param {number} ref @param {(field: HTMLInputElement, description: any) => boolean} accepts
   */
  const find = (ref, accepts) => {
    const entry = described.get(ref);
    if (!entry) return null;
    const { description } = entry;
    const own = entry.element.deref();
    if (own && isHere(own)) return accepts(own, description) ? own : null;
    const words = ['name', 'id', 'autocomplete', 'placeholder', 'aria', 'label'];
    const likeness = (field) => {
      const forms = [];
      const other = describeField(field, forms, moment());
      if (other.type !== description.type || (other.name ?? '') !== (description.name ?? '')) return 0;
      return 1 + words.filter((word) => description[word] && description[word] === other[word]).length;
    };
    const most = words.filter((word) => description[word]).length;
    const rated = fieldsAround(null).filter((field) => accepts(field, description)).map((field) => ({ field, rate: likeness(field) }));
    const best = Math.max(0, ...rated.map(({ rate }) => rate));
    const found = rated.filter(({ rate }) => rate === best);
    if (best < 1 || best < 1 + most / 2 || found.length !== 1) return null;
    refs.set(found[0].field, ref);
    described.set(ref, { element: new WeakRef(found[0].field), description });
    return found[0].field;
  };

  /** The field of a reference that takes the value of a role. */
  const locate = ({ ref, role }) => find(ref, (field, description) => takes(field, role, { description }));

  const setters = [HTMLInputElement, HTMLTextAreaElement].map((type) => Object.getOwnPropertyDescriptor(type.prototype, 'value').set);

  /**
   * Puts a value into a field with the events that Chromium's own AutoFill sends, in its order; frameworks that
   * keep a state of their own listen for one or another of them. None of them submits anything.
   */
  const put = (field, value) => {
    const send = (event) => field.dispatchEvent(event);
    const bubbles = { bubbles: true, composed: true };
    const isActive = active() === field;
    if (!isActive) { send(new FocusEvent('focus', { composed: true })); send(new FocusEvent('focusin', bubbles)); }
    send(new KeyboardEvent('keydown', { ...bubbles, cancelable: true, key: 'Unidentified' }));
    send(new InputEvent('beforeinput', { ...bubbles, cancelable: true, inputType: 'insertReplacementText' }));
    // What the page does at these events may move the field to where nobody has looked.
    if (!isHere(field)) return;
    setters[Number(field instanceof HTMLTextAreaElement)].call(field, value);
    send(new InputEvent('input', { ...bubbles, inputType: 'insertReplacementText' }));
    send(new KeyboardEvent('keyup', { ...bubbles, key: 'Unidentified' }));
    send(new Event('change', { bubbles: true }));
    if (!isActive) { send(new FocusEvent('blur', { composed: true })); send(new FocusEvent('focusout', bubbles)); }
  };

  /**
   * Fills the named fields, and looks again until they stay filled: a page may move the focus, or tear its form down
   * and build it again, at each of the events.
   * @param {object} what
   * @param {{ref: number, role: string, value: {secret: string}, isAgreed?: boolean}[]} what.fills a field that the user does not see is
   *   filled only where the user has agreed to that outside the page
   * @param {string[]} what.sends where their forms send them, as it was when the user chose: nothing is filled that goes elsewhere by now
   */
  const fill = async ({ fills, sends }) => {
    page.isQuiet = true;
    page.endBars?.();
    const known = new Set(sends);
    if (page.destinations?.(fills.map(locate).filter((field) => field !== null)).some((one) => !known.has(one)) ?? true) return { filled: [] };
    /** @type {WeakMap<Element, number>} */ const times = new WeakMap();
    const filled = new Set();
    /** Those that took only the beginning. */
    const cut = new Set();
    for (const pause of [0, 50, 150, 300, 500, 1000, 0]) {
      for (const { ref, role, value, isAgreed } of fills) {
        const field = locate({ ref, role });
        if (!field || !isVisible(field)) continue;
        if (!isInViewport(field)) field.scrollIntoView({ block: 'nearest', behavior: 'instant' });
        if (!isInViewport(field) || !isVisible(field)) continue;
        if (isAgreed !== true && !times.has(field) && !await page.isSeen?.(field)) continue;
        const count = times.get(field) ?? 0;
        // A field keeps as much as it would of what is typed.
        const text = field.maxLength >= 0 && role !== 'one-time-code' ? value.secret.slice(0, field.maxLength) : value.secret;
        if (text !== value.secret) cut.add(ref);
        if (field.value !== text && count < 3) {
          times.set(field, count + 1);
          put(field, text);
          note(field, text);
          filled.delete(ref);
          // A page that keeps what stands in a row of boxes takes in one character after the other.
          if (fills.length > 2) await wait(0);
        } else {
          filled.add(ref);
        }
      }
      if (filled.size === fills.length && pause >= 150) break;
      await wait(pause);
    }
    const last = locate(fills.at(-1));
    if (last && filled.has(fills.at(-1).ref)) last.focus({ preventScroll: true });
    return { filled: [...filled], cut: [...cut] };
  };

  const isInViewport = (field) => {
    const box = field.getBoundingClientRect();
    return box.top >= 0 && box.bottom <= innerHeight && box.right > 0 && box.left < innerWidth;
  };

  page.join('filling', { fill, find });
  return true;
})();

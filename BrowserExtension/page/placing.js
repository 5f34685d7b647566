// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Says where the bar of a field is, in either of its two sizes. That depends on where the fields are, and the words that name its own,
 * and on nothing else. It comes into a document with offering.js; a second time it does nothing.
 */
'use strict';

(() => {
  /** @type {LatchkeyPage} */ const page = globalThis.latchkeyPage;
  if (!page || page.placeOf) return Boolean(page);
  const { dom, fieldsAround, formOf } = page;

  /** The sizes of the bar in CSS pixels: always these two, whatever is in it. */
  const small = { width: 280, height: 36 };
  const large = { width: 280, height: 180 };
  /** Between a field and its bar. */
  const gap = 3;
  /** How long the list of a form's fields is good, in milliseconds. */
  const lasting = 1000;
  /** Fields that take no text. */
  const others = 'select, textarea, input:is([type=checkbox], [type=radio], [type=date], [type=file])';
  const most = 128;

  /** @typedef {{x: number, y: number, width: number, height: number}} Box */
  /** @typedef {Box & {isUp?: boolean}} Place `isUp`: what was the small bar is its lower end */

  /** @type {WeakMap<Element, {at: number, fields: Element[]}>} */ const known = new WeakMap();

  /** The other fields of a field's form, or those near it where it has none. @param {HTMLInputElement} field */
  const rivalsOf = (field) => {
    const now = performance.now();
    const kept = known.get(field);
    const form = formOf(field);
    // Without a form the whole document is gone through, which is done once for a focus.
    if (kept && (!form || now - kept.at < lasting)) return kept.fields;
    const all = [...fieldsAround(field), ...(form ? dom.querySelectorAll(form, others) : [])];
    const fields = all.filter((one) => one !== field).slice(0, most);
    known.set(field, { at: now, fields });
    return fields;
  };

  /** @param {Element} element @returns {Box} */
  const boxOf = (element) => dom.getBoundingClientRect(element);

  /** @param {Box} one @param {Box} other */
  const isOver = (one, other) => one.x < other.x + other.width && other.x < one.x + one.width
    && one.y < other.y + other.height && other.y < one.y + one.height;

  /** The other fields that a box lies over. @param {HTMLInputElement} field @param {Box} box */
  const coveredBy = (field, box) => rivalsOf(field).filter((one) => isOver(box, boxOf(one))
    && dom.checkVisibility(one, { visibilityProperty: true }));

  /** How many boxes of a label are looked at: each line of its text has one, and each element in it. */
  const mostWords = 16;
  const range = new Range();
  /** Where the words stand that name the field for which a place is looked for. @type {Box[]} */ let words = [];

  /** @param {HTMLInputElement} field @returns {Box[]} */
  const wordsOf = (field) => {
    const own = boxOf(field);
    const boxes = [];
    for (const label of [...field.labels ?? []].slice(0, 2)) {
      if (!dom.checkVisibility(label, { visibilityProperty: true })) continue;
      range.selectNodeContents(label);
      const all = boxOf(label);
      for (const one of [...range.getClientRects()].slice(0, mostWords)) {
        // A label that is there for screen readers alone is cut to nothing.
        const isShown = one.width > 1 && one.height > 1 && all.width > 1 && all.height > 1;
        if (isShown && !isOver(one, own)) boxes.push(one);
      }
    }
    return boxes;
  };

  /** What a box had better not lie over: other fields, and what names its own. @param {HTMLInputElement} field @param {Box} box @returns {Box[]} */
  const inTheWay = (field, box) => [...coveredBy(field, box).map(boxOf), ...words.filter((one) => isOver(box, one))];

  /** The part of the window that scroll bars leave, at any zoom of the fingers. */
  const view = () => {
    const { width, height, scale } = visualViewport;
    return { width: Math.min(innerWidth, Math.round(width * scale)), height: Math.min(innerHeight, Math.round(height * scale)) };
  };

  /** @param {number} value @param {number} most */
  const within = (value, most) => Math.max(0, Math.min(value, most));

  /** Whether what stands in a field is read from right to left. @param {Element} field */
  const isRightToLeft = (field) => getComputedStyle(field).direction === 'rtl';

  /**
   * A box moved one way until nothing is in its way.
   * @param {HTMLInputElement} field @param {Box} box @param {'x' | 'y'} axis @param {1 | -1} way
   */
  const clear = (field, box, axis, way) => {
    const length = axis === 'x' ? 'width' : 'height';
    let moved = box;
    for (let count = 0; count < 16; count += 1) {
      const ends = inTheWay(field, moved).map((one) => (way > 0 ? one[axis] + one[length] + gap : one[axis] - gap - box[length]));
      if (ends.length === 0) return moved;
      moved = { ...moved, [axis]: way > 0 ? Math.max(...ends) : Math.min(...ends) };
    }
    return moved;
  };

  /**
   * The places beside a field that are in sight as a whole: below, above, behind and before it, and further away the same ways where
   * other fields are in the way.
   * @param {HTMLInputElement} field @param {{width: number, height: number}} size @returns {Generator<Box>}
   */
  function* around(field, size) {
    const { x: start, y: top, width: across, height: down } = boxOf(field);
    const { width, height } = size;
    const seen = view();
    const isReversed = isRightToLeft(field);
    const x = within(isReversed ? start + across - width : start, seen.width - width);
    const y = within(top + (down - height) / 2, seen.height - height);
    const below = { x, y: Math.max(0, top + down + gap), ...size };
    const above = { x, y: Math.min(top - gap, seen.height) - height, ...size };
    const right = () => clear(field, { x: start + across + gap, y, ...size }, 'x', 1);
    const left = () => clear(field, { x: start - gap - width, y, ...size }, 'x', -1);
    const further = [() => clear(field, below, 'y', 1), () => clear(field, above, 'y', -1)];
    for (const place of [() => below, () => above, ...(isReversed ? [left, right] : [right, left]), ...further]) {
      const box = place();
      const whole = { ...box, x: Math.round(box.x), y: Math.round(box.y) };
      if (whole.x >= 0 && whole.y >= 0 && whole.x + width <= seen.width && whole.y + height <= seen.height) yield whole;
    }
  }

  /** The first box that has nothing in its way; or else the first that lies over no other field, or the very first. @param {HTMLInputElement} field @param {Iterable<Box>} boxes @returns {Box | null} */
  const best = (field, boxes) => {
    let first = null;
    let free = null;
    for (const box of boxes) {
      if (inTheWay(field, box).length === 0) return box;
      if (coveredBy(field, box).length === 0) free ??= box;
      first ??= box;
    }
    return free ?? first;
  };

  /** Where the large bar is. @param {HTMLInputElement} field @param {Box} strip where the small one is: what is there stays there, or nothing is there any more */
  function* grown(field, strip) {
    const seen = view();
    for (const isUp of [false, true]) {
      const box = { ...strip, ...large, y: isUp ? strip.y + small.height - large.height : strip.y, isUp };
      if (box.y >= 0 && box.y + box.height <= seen.height && !isOver(box, boxOf(field))) yield box;
    }
    for (const box of around(field, large)) if (!isOver(box, strip)) yield box;
  }

  /**
   * Where the bar of a field is; null where there is no place for it: one that covers the field is in the way, and a choice in
   * one that is not whole does not count.
   * @param {HTMLInputElement} field @param {boolean} [isLarge] @returns {Place | null}
   */
  const placeOf = (field, isLarge = false) => {
    words = wordsOf(field);
    const strip = best(field, around(field, small));
    return isLarge && strip ? best(field, grown(field, strip)) : strip;
  };

  page.join('placing', { coveredBy, isRightToLeft, placeOf });
  return true;
})();

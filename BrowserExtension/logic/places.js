// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/** A window's place on the screen, in device-independent pixels. @typedef {{left: number, top: number, width: number, height: number}} Box */

/** What a window manager may draw around a window, in pixels: its title and its edges are not in what the browser states. */
const edge = 32;

/**
 * Whether a window lies over another, or may because one of the places is not known.
 * @param {Box | null} one @param {Box | null} other
 */
export function isOver(one, other) {
  if (!one || !other) return true;
  return one.left - edge < other.left + other.width && other.left < one.left + one.width + edge
    && one.top - edge < other.top + other.height && other.top < one.top + one.height + edge;
}

/** A box in pixels of another size. @param {Box} box @param {number} factor @returns {Box} */
export function times({ left, top, width, height }, factor) {
  return { left: left * factor, top: top * factor, width: width * factor, height: height * factor };
}

/**
 * Where a window has room beside others, as near as can be to where it is.
 * @param {Box} wanted @param {Box} room what it has to lie within @param {Box[]} others
 * @returns {Box | null} null where it has none
 */
export function freePlace(wanted, room, others) {
  const along = (start, length, from, extent, starts, ends) => [start, from, from + extent - length, ...starts.map((one) => one - edge - length), ...ends.map((one) => one + edge)]
    .filter((one) => one >= from && one + length <= from + extent);
  const across = along(wanted.left, wanted.width, room.left, room.width, others.map(({ left }) => left), others.map(({ left, width }) => left + width));
  const down = along(wanted.top, wanted.height, room.top, room.height, others.map(({ top }) => top), others.map(({ top, height }) => top + height));
  const distance = ({ left, top }) => Math.hypot(left - wanted.left, top - wanted.top);
  return across.flatMap((left) => down.map((top) => ({ ...wanted, left, top })))
    .filter((box) => others.every((other) => !isOver(other, box)))
    .sort((one, other) => distance(one) - distance(other))[0] ?? null;
}

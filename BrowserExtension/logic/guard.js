// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import { inTime } from './clock.js';

/** How long the bar has to be whole and still before a choice in it counts, in milliseconds. */
const arming = 500;
/** How long the guard waits for evidence after the pointer came down, in milliseconds. */
const patience = 250;
/** The longest time between a press and its event, in milliseconds; a later event was held up on its way. */
const late = 150;
/** How long evidence of a press is good for the click that ends it, in milliseconds. */
const lasting = 1500;
/** The reason where nothing is known to be wrong, and the browser does not say what covers a frame. */
export const unstated = 'not stated';

/**
 * What is known of the frame of a bar. Times are those of `Clock.now`.
 * @typedef {object} Guarded
 * @property {boolean} statesVisibility whether this browser says what covers a frame
 * @property {number} since when the guard last was broken, or begun anew
 * @property {string | null} broken why it is broken at this moment; null while it holds
 * @property {boolean} isWhole whether nothing is known to be over the frame, and no part of it missing
 * @property {number} scale the `devicePixelRatio` that the frame has to have; 0 while unknown
 * @property {number} zoom the user's own zoom of the tab; the browser states places on the screen without it
 * @property {string | null} window where the window is on the screen, and how large; null before it is known
 * @property {number | null} keyboard when the keyboard came into the frame, or the last key that came too early after that
 * @property {{x: number, y: number, since: number} | null} spot where the frame is on the screen, as told by the pointer
 *
 * @typedef {{type: 'seen', isVisible: boolean, ratio: number}} Seen an observation of IntersectionObserver v2
 * @typedef {{type: 'window', place: string}} Placed the window's place and size in this frame
 * @typedef {{type: 'resized'}} Resized the frame has another size or zoom; its scale is asked for
 * @typedef {{type: 'scaled', scale: number, zoom: number}} Scaled the answer
 * @typedef {{type: 'pointer', x: number, y: number}} Pointed the frame's corner on the screen, by an event of the pointer
 * @typedef {{type: 'entered'}} Entered the keyboard came into the frame
 * @typedef {{type: 'key'}} Keyed a key went down in the frame, or is held
 * @typedef {{type: 'begun'}} Begun what is in the frame now was not there before
 */

/**
 * What is known of a frame at first.
 * @param {number} now @param {boolean} statesVisibility
 * @returns {Guarded}
 */
export function unseen(now, statesVisibility) {
  return { statesVisibility, since: now, broken: 'unseen', isWhole: false, scale: 0, zoom: 1, window: null, keyboard: null, spot: null };
}

/**
 * What is known after an event.
 * @param {Guarded} known
 * @param {Seen | Placed | Resized | Scaled | Pointed | Entered | Keyed | Begun} event
 * @param {number} now
 * @returns {Guarded}
 */
export function after(known, event, now) {
  switch (event.type) {
    case 'seen': {
      const isWhole = isWholeIn(event, known.statesVisibility);
      if (!isWhole) return { ...known, isWhole, broken: event.ratio > 0 ? 'covered' : 'unseen', since: now };
      return known.broken ? { ...known, isWhole, broken: null, since: now } : { ...known, isWhole };
    }
    // Moved or with another size, by whomever.
    case 'window': return { ...known, window: event.place, since: [null, event.place].includes(known.window) ? known.since : now };
    case 'resized': return { ...known, scale: 0, spot: null, since: now };
    case 'scaled':
      // The spot was reckoned without them.
      return event.scale > 0 && event.zoom > 0 ? { ...known, scale: event.scale, zoom: event.zoom, spot: null } : known;
    case 'pointer': {
      const { x, y } = event;
      if (known.spot && Math.hypot(x - known.spot.x, y - known.spot.y) < 3) return known;
      // The frame was moved, or its window: it may have come to where the pointer rests.
      return { ...known, spot: { x, y, since: now }, since: known.spot ? now : known.since };
    }
    case 'entered': return { ...known, keyboard: now };
    // Keys that go on were meant for something else.
    case 'key': return isEarlyKey(known, now) ? { ...known, keyboard: now } : known;
    default: return { ...known, since: now };
  }
}

/** Whether the keyboard has come in too short a time ago. @param {Guarded} known @param {number} now */
function isEarlyKey({ keyboard }, now) {
  return keyboard !== null && now - keyboard < arming;
}

/**
 * Whether nothing of a frame is known to be missing or covered. If the browser does not say what covers it, only its edges count.
 * @param {{isVisible: boolean, ratio: number}} seen @param {boolean} statesVisibility
 */
export function isWholeIn({ isVisible, ratio }, statesVisibility) {
  return (!statesVisibility || isVisible) && ratio === 1;
}

/** The time until a choice counts as far as this frame knows, in milliseconds; `Infinity` while the guard is broken. @param {Guarded} known @param {number} now */
export function timeLeft({ broken, since }, now) {
  return broken ? Infinity : Math.max(0, arming - (now - since));
}

/** How many device-independent pixels a pixel of the frame is. @param {Guarded} known @param {number} pixels the frame's `devicePixelRatio` */
export function ratioOf({ scale, zoom }, pixels) {
  return pixels / (scale || pixels) * zoom;
}

/**
 * Why no choice is known to be one now; empty where it is. `unstated` comes last: all that can be known speaks for the choice then.
 * @param {Guarded} known @param {number} now
 * @param {{pixels: number, depth: number}} frame its `devicePixelRatio`, and in how many documents it is
 */
export function reason(known, now, { pixels, depth }) {
  if (known.broken) return known.broken;
  if (timeLeft(known, now) > 0) return 'early';
  if (!known.scale || !isSame(pixels, known.scale)) return 'zoomed';
  // A page can move or cover the frame that the bar is in. The pointer shows a move; only the browser knows what covers a frame.
  if (!known.statesVisibility) return depth > 1 ? 'framed' : unstated;
  return depth > 1 && (!known.spot || now - known.spot.since < arming) ? 'nested' : '';
}

/**
 * Judges a choice at the moment it is made.
 * @param {Guarded} known @param {number} now
 * @param {{isTrusted: boolean, isKey: boolean}} event
 * @param {{pixels: number, depth: number}} frame
 * @returns {[Guarded, {counts: boolean, held: boolean, reason: string}]} what is known then; whether the choice counts at all, and whether
 *   the guard held
 */
export function judged(known, now, { isTrusted, isKey }, frame) {
  if (!isTrusted) return [known, { counts: false, held: false, reason: 'synthetic' }];
  if (!known.isWhole) return [known, { counts: false, held: false, reason: known.broken === 'unseen' ? 'early' : 'covered' }];
  const wrong = reason(known, now, frame);
  // Whoever clicks what has only just come meant something else, and whoever goes on clicking has not looked yet.
  if (wrong === 'early') return [{ ...known, since: now }, { counts: false, held: false, reason: wrong }];
  // The keyboard has come in by a key of the user's in the field, which every list of a page is opened by as well.
  if (isKey && isEarlyKey(known, now)) return [{ ...known, keyboard: now }, { counts: false, held: false, reason: 'early' }];
  if (isKey && known.keyboard === null) return [known, { counts: true, held: false, reason: 'key' }];
  return [known, { counts: true, held: wrong === '', reason: wrong }];
}

/**
 * Gathers evidence after the pointer came down: what the documents around show at this moment, and a new observation of the frame.
 * @param {import('./clock.js').Clock} clock
 * @param {number} pressed when that was; where the browser had to ask the page's thread whose the press is, it comes late
 * @param {number} pixels the frame's `devicePixelRatio`
 * @param {() => Promise<{reason: string, scale: number}>} look asks the documents around
 * @param {(since: number) => Promise<boolean>} isSeen whether all of the frame is seen, by an observation that is not older
 * @returns {Promise<string>} what is wrong, or nothing
 */
export function evidence(clock, pressed, pixels, look, isSeen) {
  const began = clock.now();
  if (began - pressed > late) return Promise.resolve('late press');
  const gather = async () => {
    const { reason: wrong, scale } = await look();
    if (wrong !== '') return wrong || 'no answer';
    if (!isSame(pixels, scale)) return 'zoomed';
    return await isSeen(began) ? '' : 'covered';
  };
  return inTime(clock, patience, gather().catch(() => 'no answer'), 'no answer in time');
}

/**
 * What is wrong with a click that ended a press, or nothing. Assistive technology clicks without a press, and that is confirmed.
 * @param {{at: number, reason: Promise<string>} | null} press the last press, with its evidence
 * @param {number} now
 * @param {() => string} reasonNow why the guard does not hold, asked once the evidence is there
 */
export async function proof(press, now, reasonNow) {
  return press && now - press.at < lasting ? await press.reason || reasonNow() : 'no press';
}

/** Whether two scales are the same, but for what rounding does. @param {number} pixels @param {number} scale */
function isSame(pixels, scale) {
  return Math.abs(pixels / scale - 1) <= 0.01;
}

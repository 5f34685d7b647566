// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import { clock } from '../logic/clock.js';
import { ask, element, on, screenPlace } from './ask.js';

/*
 * A window of the extension opens over whatever the user was doing, and pages and other extensions may open windows over it, move it or
 * make it small: a key or a click that was meant for something else must not answer it. So nothing counts before the window has been in
 * front, still and free of floating windows for a while, with all in view that the answer is about.
 */

/** In milliseconds. */
const arming = 500;
/** The same once what lay over this window is gone: for so long a press may have been meant for that. */
const uncovered = 750;
/** How often a window is moved beside what lies over it. */
const mostMoves = 3;
/** How often it is asked whether that still lies there, in milliseconds: Firefox does not say when a window was moved. */
const again = 500;

let armedAt = Infinity;
/** What has to be in view as a whole. @type {() => Element[]} */ let needed = () => [];
/** What has been in view since then. @type {Set<Element>} */ const seen = new Set();
/** Whether nothing is known to lie over this window; null before that was asked. @type {boolean | null} */ let isFree = null;
/** What lies over it, or may, as the background script has it. @typedef {{host: string, isKnown: boolean, isVideo: boolean, isSilent: boolean, isPlaced: boolean, canClose: boolean}} Cover */
/** @type {Cover | null} */ let cover = null;
/** Nobody has said what lies there. @type {Cover} */ const unknown = { host: '', isKnown: false, isVideo: false, isSilent: false, isPlaced: false, canClose: false };
/** How far this window is zoomed, in the browser's word. A document of Firefox does not see it. */ let stated = 1;
/** Whether what has to be in view was shown. */ let isShown = false;
let turn = 0;
/** Where this window was each time that it was moved. A window manager may leave it there. @type {Set<string>} */ const movedFrom = new Set();
/** When it was moved last. */ let movedAt = -Infinity;
/** Keeps from asking again. */ let stop = () => {};
/** @type {Set<() => void>} */ const listeners = new Set();

const words = element('span', { dir: 'auto' });
const close = element('button', { type: 'button' });
const notice = element('p', { class: 'note bad above', role: 'alert', hidden: '' }, words, ' ', close);
close.addEventListener('click', ({ isTrusted }) => { if (isTrusted) ask('uncover').catch(() => {}).then(look); });

function tell() {
  document.documentElement.classList.toggle('arming', !isInFront());
  for (const listener of listeners) listener();
}

/** Whether this window has been in front for long enough for what is done in it to be meant for it. */
export function isInFront() {
  return clock.now() >= armedAt && isFree === true && document.hasFocus() && isInView();
}

/** Whether all that speaks against what is done now is that it comes too early; what else there is, is said by itself. */
export function isTooEarly() {
  return !isInFront() && notice.hidden;
}

/** Begins anew: what is shown now was not there before. */
export function arm() {
  seen.clear();
  armedAt = clock.now() + arming;
  tell();
  clock.after(arming + 20, tell);
  look();
}

/** Calls a listener whenever `isInFront` may have changed. @param {() => void} listener */
export function onFront(listener) {
  listeners.add(listener);
}

/** Names what has to be in view, once it is shown. @param {() => Element[]} elements */
export function need(elements) {
  needed = elements;
  isShown = true;
}

/** What is in this window has another size: what was in view may be so no more. */
export function checkAnew() {
  seen.clear();
}

/** How the user has zoomed what is in this window. Borders are not told apart from a small zoom. */
export function zoom() {
  const ratio = outerWidth / innerWidth;
  return Math.abs(ratio - 1) > 0.05 ? ratio : 1;
}

/** Whether an element is inside the window as a whole, and the window there on its screen. @param {Element} one */
function isSeen(one) {
  const box = one.getBoundingClientRect();
  if (box.left < 0 || box.top < 0 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1) return false;
  const { left, top, height } = screenPlace();
  // A window system that states no places states this one.
  if (left === 0 && top === 0) return true;
  const { availLeft = 0, availTop = 0, availWidth, availHeight } = /** @type {any} */ (screen);
  // The window's edges are not known, but for what is at its top.
  const [x, y, scale] = [left, top + height - innerHeight * zoom(), zoom()];
  return x + box.left * scale >= availLeft && y + box.top * scale >= availTop
    && x + box.right * scale <= availLeft + availWidth && y + box.bottom * scale <= availTop + availHeight;
}

/**
 * Whether all that is needed has been in view since the window was armed, and what is pressed is now: where text is large, not all of it
 * fits in at once. What another extension has made tiny is in nobody's view.
 */
function isInView() {
  const all = needed().filter((one) => one.checkVisibility());
  for (const one of all) if (isSeen(one)) seen.add(one);
  return Math.min(zoom(), stated) > 0.45 && all.every((one) => (one instanceof HTMLButtonElement ? isSeen(one) : seen.has(one)));
}

/** Asks what lies over this window, which moves it beside that where there is room. */
async function look() {
  stop();
  const mine = ++turn;
  const { availLeft: left = 0, availTop: top = 0, availWidth: width, availHeight: height } = /** @type {any} */ (screen);
  const here = JSON.stringify(screenPlace());
  const room = movedFrom.size < mostMoves && !movedFrom.has(here) ? { left, top, width, height } : null;
  const answer = await ask('front', { room }).catch(() => ({ cover: unknown }));
  // An outdated answer still counts if it says that something lies over this window.
  stated = answer.zoom ?? stated;
  if (mine !== turn && !answer.cover) return;
  if (answer.isMoved) {
    movedFrom.add(here);
    movedAt = clock.now();
  }
  const wasFree = isFree;
  isFree = !answer.cover;
  // For a moment it is on its way.
  cover = clock.now() - movedAt < again ? null : answer.cover ?? null;
  show();
  stop();
  if (!isFree || !chrome.windows.onBoundsChanged) stop = clock.after(again, look);
  if (isFree && wasFree !== true) armedAt = Math.max(armedAt, clock.now() + (wasFree === false ? uncovered : arming));
  tell();
  clock.after(uncovered + 20, tell);
}

/** Says why nothing can be agreed to here, and offers to close what lies over this window. */
function show() {
  // Its own height would take away what it asks for; and a button that is hidden for a moment loses the keyboard.
  if (!cover) notice.hidden = true;
  notice.hidden = !cover && !(isShown && !isInView());
  const text = cover ? textOf(cover) : 'Part of this window is out of sight. Make it larger, move it or scroll in it to see all of it.';
  close.hidden = !cover?.canClose;
  close.textContent = cover?.isSilent ? 'Show the Tab' : cover?.isVideo ? 'Close the Video' : 'Close the Window';
  if (notice.hidden || words.textContent === text) return;
  words.textContent = text;
  if (!notice.isConnected) (document.querySelector('main') ?? document.body).prepend(notice);
}

/** @param {Cover} cover */
function textOf({ host, isKnown, isVideo, isSilent, isPlaced }) {
  const what = `A floating ${isVideo ? 'video' : 'window'}${host ? ` of a tab with ${host}` : ''}`;
  const until = isSilent ? 'its tab, which does not answer, is closed' : `it is closed${isPlaced ? ' or moved away' : ''}`;
  return `${what} ${isPlaced && isKnown ? 'lies' : 'may lie'} over this window. Nothing can be agreed to here until ${until}.`;
}

/** Where this window was in the last frame. */ let last = '';

/** Once in each frame: begins anew when the window was moved or has another size, whoever did that. */
function follow() {
  const { left, top, width, height } = screenPlace();
  const now = [left, top, width, height, innerWidth, innerHeight, devicePixelRatio].join();
  if (last !== '' && now !== last) {
    arm();
    show();
  }
  last = now;
  const isArming = document.documentElement.classList.contains('arming');
  if (isArming === isInFront()) { tell(); show(); }
  clock.frame(follow);
}

/** Whether the press that goes on began before anything counted. It is over only later, and a button is pressed by its end. */ let isEarly = false;

/** Whoever goes on clicking or typing has not looked yet. */
function begin() {
  isEarly = !isInFront();
  if (isEarly) arm();
}

function finish() {
  if (isEarly) arm();
  isEarly = false;
}

/** Whether a key presses something: Space in a field is a character. @param {KeyboardEvent} event */
function isPress({ isTrusted, key, target }) {
  return isTrusted && (key === 'Enter' || (key === ' ' && target instanceof HTMLButtonElement));
}

addEventListener('pointerdown', ({ isTrusted }) => { if (isTrusted) begin(); }, true);
addEventListener('pointerup', ({ isTrusted }) => { if (isTrusted) finish(); }, true);
addEventListener('keydown', (event) => {
  if (!isPress(event)) return;
  if (!event.repeat) begin();
  // A key that is held down was pressed for what was there before.
  else if (event.target instanceof HTMLButtonElement) event.preventDefault();
}, true);
addEventListener('keyup', (event) => { if (isPress(event)) finish(); }, true);
addEventListener('focus', arm);
addEventListener('blur', () => { armedAt = Infinity; tell(); });
document.addEventListener('visibilitychange', arm);
// What came may be gone again, and a press was meant for it.
on('floating', arm);
follow();
arm();

// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import { ask, element, on, place, screenPlace } from './ask.js';

/*
 * A window of the extension opens over whatever the user was doing, and pages and other extensions may open windows over it, move it or
 * make it small: a key or a click that was meant for something else must not answer it. So nothing counts before the window has been in
 * front, still and free of floating windows for a while, with all in view that the answer is about.
 */

/** In milliseconds. */
const arming = 500;
/** How often a window is moved beside what lies over it. */
const mostMoves = 3;
/** How often it is asked whether that still lies there, in milliseconds: Firefox does not say when a window was moved. */
const again = 1000;

let armedAt = Infinity;
/** What has to be in view as a whole. @type {() => Element[]} */ let needed = () => [];
/** Whether nothing is known to lie over this window. */ let isFree = false;
/** What lies over it, or may. @typedef {{origin: string, isVideo: boolean, isPlaced: boolean}} Cover */
/** @type {Cover | null} */ let cover = null;
/** Whether what has to be in view was shown. */ let isShown = false;
let turn = 0;
let moves = 0;
let timer = 0;
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
  return performance.now() >= armedAt && isFree && isInView();
}

/** Begins anew: what is shown now was not there before. */
export function arm() {
  armedAt = performance.now() + arming;
  tell();
  setTimeout(tell, arming + 20);
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

/** Whether all that is needed is inside the window, and the window there on its screen. */
function isInView() {
  const boxes = needed().filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect());
  const { left, top, width, height } = screenPlace();
  const { availLeft = 0, availTop = 0, availWidth, availHeight } = /** @type {any} */ (screen);
  // The window's edges are not known, but for what is at its top. The user may have zoomed what is in it.
  const zoom = width / innerWidth > 1.05 ? width / innerWidth : 1;
  const [x, y] = [left, top + height - innerHeight * zoom];
  return boxes.every((box) => box.left >= 0 && box.top >= 0 && box.right <= innerWidth + 1 && box.bottom <= innerHeight + 1
    && x + box.left * zoom >= availLeft && y + box.top * zoom >= availTop
    && x + box.right * zoom <= availLeft + availWidth && y + box.bottom * zoom <= availTop + availHeight);
}

/** Asks what lies over this window, which moves it beside that where there is room. */
async function look() {
  clearTimeout(timer);
  const mine = ++turn;
  const { availLeft: left = 0, availTop: top = 0, availWidth: width, availHeight: height } = /** @type {any} */ (screen);
  const room = moves < mostMoves ? { left, top, width, height } : null;
  const answer = await ask('front', { room }).catch(() => ({ cover: { origin: '', isPlaced: false, isVideo: false } }));
  if (mine !== turn) return;
  if (answer.isMoved) moves += 1;
  const wasFree = isFree;
  isFree = !answer.cover;
  cover = answer.isMoved ? null : answer.cover ?? null;
  show();
  if (!isFree) timer = setTimeout(look, again);
  if (isFree && !wasFree) armedAt = Math.max(armedAt, performance.now() + arming);
  tell();
  setTimeout(tell, arming + 20);
}

/** Says why nothing can be agreed to here, and offers to close what lies over this window. */
function show() {
  // Its own height would take away what it asks for; and a button that is hidden for a moment loses the keyboard.
  if (!cover) notice.hidden = true;
  notice.hidden = !cover && !(isShown && !isInView());
  const text = cover ? textOf(cover) : 'Part of this window is out of sight. Make it larger, or move it, to see all of it.';
  if (notice.hidden || notice.dataset.text === text) return;
  notice.dataset.text = words.textContent = text;
  close.hidden = !cover;
  close.textContent = cover?.isVideo ? 'Close the Video' : 'Close the Window';
  if (!notice.isConnected) (document.querySelector('main') ?? document.body).prepend(notice);
}

/** @param {Cover} cover */
function textOf({ origin, isVideo, isPlaced }) {
  const what = `A floating ${isVideo ? 'video' : 'window'}${origin ? ` of ${place(origin)}` : ''}`;
  return `${what} ${isPlaced ? 'lies' : 'may lie'} over this window. Nothing can be agreed to here until it is closed${isPlaced ? ' or moved away' : ''}.`;
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
  requestAnimationFrame(follow);
}

// Whoever goes on clicking or typing has not looked yet.
addEventListener('pointerdown', ({ isTrusted }) => { if (isTrusted && !isInFront()) arm(); }, true);
addEventListener('keydown', ({ isTrusted, key }) => { if (isTrusted && key === 'Enter' && !isInFront()) arm(); }, true);
addEventListener('focus', arm);
addEventListener('blur', () => { armedAt = Infinity; tell(); });
document.addEventListener('visibilitychange', arm);
on('floating', look);
follow();
arm();

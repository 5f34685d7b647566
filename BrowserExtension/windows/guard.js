// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import { clock } from '../logic/clock.js';
import { after, evidence, isWholeIn, judged, proof, ratioOf, reason, timeLeft, unseen, unstated } from '../logic/guard.js';

/**
 * Whether this browser says what covers a frame. Firefox does not: the best that is known of a choice in a bar there is that nothing was found
 * to be wrong. A later Firefox that says it is not believed before the tests of attacks have run in it.
 */
const statesVisibility = location.protocol === 'chrome-extension:';

/**
 * Watches whether the user can see this frame as it is meant to be seen. A page cannot draw into it, but it can draw
 * over it, shrink it or let it appear under the pointer; a choice made then is not a choice.
 *
 * What breaks the guard: any part of the frame outside the viewport or clipped; anything above it, or an effect on it,
 * be it transparent (IntersectionObserver v2); a zoom that is not the user's own; a move under the pointer, also of the whole window.
 *
 * The browser reports these only while the page's own thread runs, so the last observation may be old. After each press the guard
 * asks the documents around this frame, which answer on that thread, and then makes a new observation.
 *
 * What it learns goes into `logic/guard.js`, which decides.
 */
export class Guard {
  /** @type {import('../logic/guard.js').Guarded} */ #known = unseen(clock.now(), statesVisibility);
  /** What was found out about the last press. @type {{at: number, reason: Promise<string>} | null} */ #press = null;
  /** Keeps from telling that the guard will hold. */ #stop = () => {};
  #observer;
  #askScale;
  #look;
  #watch;
  #tell;

  /**
   * @param {() => Promise<{scale: number, zoom: number}>} askScale the scale of the top document, and the tab's zoom
   * @param {(isKey: boolean) => Promise<{reason: string, scale: number}>} look asks the documents around this frame what they show at this
   *   moment, for a choice by a key or by the pointer
   * @param {() => void} watch has those documents watched from now on
   * @param {(isArmed: boolean) => void} tell is told whether the frame has been whole for long enough
   */
  constructor(askScale, look, watch, tell = () => {}) {
    this.#askScale = askScale;
    this.#look = look;
    this.#watch = watch;
    this.#tell = tell;
    this.#observer = new IntersectionObserver((entries) => this.#see(entries), /** @type {any} */ ({
      threshold: [0, 0.25, 0.5, 0.75, 0.9, 0.99, 1], trackVisibility: true, delay: 100,
    }));
    this.#observer.observe(document.documentElement);
    for (const type of ['pointerenter', 'pointermove', 'pointerdown']) {
      document.documentElement.addEventListener(type, (event) => this.#follow(/** @type {PointerEvent} */ (event)), true);
    }
    addEventListener('keydown', (event) => this.#hear(event), true);
    addEventListener('resize', () => this.#learnScale());
    this.#learnScale();
    this.#watch();
    this.#stay();
  }

  /** Once in each frame. */
  #stay() {
    this.#learn({ type: 'window', place: [screenX, screenY, outerWidth, outerHeight].join() });
    clock.frame(() => this.#stay());
  }

  /** This frame, as the decisions need it. */
  get #frame() {
    return { pixels: devicePixelRatio, depth: depth() };
  }

  /** Where the frame is on the screen, in device-independent pixels. */
  get #place() {
    const { spot } = this.#known;
    const ratio = ratioOf(this.#known, devicePixelRatio);
    return spot ? { left: spot.x, top: spot.y, width: innerWidth * ratio, height: innerHeight * ratio } : null;
  }

  /**
   * Judges a choice at the moment it is made.
   * @param {Event} event
   * @returns {{counts: boolean, held: boolean, reason: string}} whether it counts at all, and whether the guard held
   */
  judge(event) {
    this.#see(this.#observer.takeRecords());
    const act = { isTrusted: event.isTrusted, isKey: event instanceof KeyboardEvent };
    const [known, verdict] = judged(this.#known, clock.now(), act, this.#frame);
    this.#keep(known);
    return verdict;
  }

  /**
   * Completes a verdict of `judge` by evidence that was gathered after the pointer came down.
   * @param {{held: boolean, reason: string}} verdict
   * @returns {Promise<{held: boolean, reason: string, place?: object | null}>} with where the frame is on the screen
   */
  async prove({ held, reason: wrong }) {
    if (!held && wrong !== unstated) return { held, reason: wrong };
    const began = clock.now();
    const press = this.#press;
    this.#press = null;
    const found = await proof(press, clock.now(), () => reason(this.#known, clock.now(), this.#frame));
    performance.measure('guard', { start: began });
    return { held: found === '', reason: found, place: this.#place };
  }

  /** Begins anew: what is in the frame now was not there before. */
  restart() {
    this.#learn({ type: 'begun' });
  }

  /** @param {Parameters<typeof after>[1]} event */
  #learn(event) {
    this.#keep(after(this.#known, event, clock.now()));
  }

  /** @param {import('../logic/guard.js').Guarded} known */
  #keep(known) {
    const before = this.#known;
    this.#known = known;
    if (known.since !== before.since || known.broken !== before.broken) this.#announce();
  }

  /** Says whether it is armed as far as this frame knows, and again when that changes by itself. */
  #announce() {
    this.#stop();
    const left = timeLeft(this.#known, clock.now());
    this.#tell(left <= 0);
    if (left > 0 && left < Infinity) this.#stop = clock.after(left + 1, () => this.#announce());
  }

  /** @param {IntersectionObserverEntry[]} entries */
  #see(entries) {
    for (const entry of entries) this.#learn({ type: 'seen', ...seenIn(entry) });
  }

  /** Gathers evidence for what the user does by a press or a key. @param {PointerEvent | KeyboardEvent} event */
  #gather(event) {
    const began = clock.now();
    const isKey = event instanceof KeyboardEvent;
    const found = evidence(clock, event.timeStamp, devicePixelRatio, () => this.#look(isKey), isSeen);
    found.then(() => performance.measure('evidence', { start: began }));
    this.#press = { at: began, reason: found };
  }

  /** The keyboard came into the frame. */
  entered() {
    this.#learn({ type: 'entered' });
  }

  /** @param {KeyboardEvent} event */
  #hear(event) {
    if (!event.isTrusted) return;
    this.#learn({ type: 'key' });
    if (event.key === 'Enter' && !event.repeat) this.#gather(event);
  }

  /** @param {PointerEvent} event */
  #follow(event) {
    if (!event.isTrusted) return;
    if (event.type === 'pointerenter') this.#watch();
    if (event.type === 'pointerdown') this.#gather(event);
    const ratio = ratioOf(this.#known, devicePixelRatio);
    this.#learn({ type: 'pointer', x: event.screenX - event.clientX * ratio, y: event.screenY - event.clientY * ratio });
  }

  async #learnScale() {
    this.#learn({ type: 'resized' });
    this.#learn({ type: 'scaled', ...await this.#askScale() });
  }
}

/** In how many documents this frame is. */
function depth() {
  let found = 0;
  for (let one = /** @type {Window} */ (window); one !== one.parent; one = one.parent) found += 1;
  return found;
}

/** @param {IntersectionObserverEntry} entry */
function seenIn(entry) {
  return { isVisible: /** @type {any} */ (entry).isVisible === true, ratio: entry.intersectionRatio };
}

/**
 * Whether all of this frame is seen, by an observer that knows nothing yet.
 * @param {number} since an older observation does not count
 * @returns {Promise<boolean>}
 */
function isSeen(since) {
  return new Promise((resolve) => {
    const observer = new IntersectionObserver(([entry]) => {
      observer.disconnect();
      resolve(entry.time > since && isWholeIn(seenIn(entry), statesVisibility));
    }, /** @type {any} */ ({ trackVisibility: true, delay: 100 }));
    observer.observe(document.documentElement);
  });
}

// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/** How long the bar has to be whole and still before a choice in it counts, in milliseconds. */
const arming = 500;
/** How long the guard waits for evidence after the pointer came down, in milliseconds. */
const patience = 250;
/** The longest time between a press and its event, in milliseconds; a later event was held up on its way. */
const late = 150;
/**
 * Whether this browser says what covers a frame. Firefox does not: no choice in a bar is known to be one there, and each is confirmed. A later
 * Firefox that says it is not believed before the tests of attacks have run in it.
 */
const statesVisibility = location.protocol === 'chrome-extension:';
/** How long evidence of a press is good for the click that ends it, in milliseconds. */
const lasting = 1500;

/**
 * Watches whether the user can see this frame as it is meant to be seen. A page cannot draw into it, but it can draw
 * over it, shrink it or let it appear under the pointer; a choice made then is not a choice.
 *
 * What breaks the guard: any part of the frame outside the viewport or clipped; anything above it, or an effect on it,
 * be it transparent (IntersectionObserver v2); a zoom that is not the user's own; a move under the pointer, also of the whole window.
 *
 * The browser reports these only while the page's own thread runs, so the last observation may be old. After each press the guard
 * asks the documents around this frame, which answer on that thread, and then makes a new observation.
 */
export class Guard {
  /** When the guard last was broken. */ #since = performance.now();
  /** Why it is broken at this moment; null while it holds. @type {string | null} */ #broken = 'unseen';
  /** Whether anything is known to be over the frame, or part of it missing. */ #isWhole = false;
  /** The `devicePixelRatio` this frame has to have; 0 while unknown. */ #scale = 0;
  /** The user's own zoom of the tab. The browser states places on the screen without it. */ #zoom = 1;
  /** Where the window is on the screen, and how large, in the last frame. */ #window = '';
  /** Where the frame is on the screen, as told by the pointer. @type {{x: number, y: number, since: number} | null} */ #spot = null;
  /** What was found out about the last press. @type {{at: number, reason: Promise<string>} | null} */ #press = null;
  /** Tells when the guard will hold, if nothing breaks it. */ #timer = 0;
  #observer;
  #askScale;
  #look;
  #watch;
  #tell;

  /**
   * @param {() => Promise<{scale: number, zoom: number}>} askScale the scale of the top document, and the tab's zoom
   * @param {() => Promise<{reason: string, scale: number}>} look asks the documents around this frame what they show at this moment
   * @param {() => void} watch has those documents watched from now on
   * @param {(isArmed: boolean) => void} tell is told whether the frame has been whole for long enough
   */
  constructor(askScale, look, watch, tell = () => {}) {
    this.#askScale = askScale;
    this.#look = look;
    // Where the guard never holds, nothing is proven by what the documents around this frame show.
    this.#watch = statesVisibility ? watch : () => {};
    this.#tell = tell;
    this.#observer = new IntersectionObserver((entries) => this.#see(entries), /** @type {any} */ ({
      threshold: [0, 0.25, 0.5, 0.75, 0.9, 0.99, 1], trackVisibility: true, delay: 100,
    }));
    this.#observer.observe(document.documentElement);
    for (const type of ['pointerenter', 'pointermove', 'pointerdown']) {
      document.documentElement.addEventListener(type, (event) => this.#follow(/** @type {PointerEvent} */ (event)), true);
    }
    addEventListener('resize', () => this.#learnScale());
    this.#learnScale();
    this.#watch();
    this.#stay();
  }

  /** Once in each frame: begins anew when the window was moved or has another size, by whomever. */
  #stay() {
    const now = [screenX, screenY, outerWidth, outerHeight].join();
    if (this.#window !== '' && this.#window !== now) this.restart();
    this.#window = now;
    requestAnimationFrame(() => this.#stay());
  }

  /** How many device-independent pixels a pixel of this frame is. */
  get #ratio() {
    return devicePixelRatio / (this.#scale || devicePixelRatio) * this.#zoom;
  }

  /** Where the frame is on the screen, in device-independent pixels. */
  get #place() {
    const ratio = this.#ratio;
    return this.#spot ? { left: this.#spot.x, top: this.#spot.y, width: innerWidth * ratio, height: innerHeight * ratio } : null;
  }

  /**
   * Judges a choice at the moment it is made.
   * @param {Event} event
   * @returns {{counts: boolean, held: boolean, reason: string}} whether it counts at all, and whether the guard held
   */
  judge(event) {
    this.#see(this.#observer.takeRecords());
    if (!event.isTrusted) return { counts: false, held: false, reason: 'synthetic' };
    if (!this.#isWhole) return { counts: false, held: false, reason: this.#broken === 'unseen' ? 'early' : 'covered' };
    // Whoever clicks what has only just come meant something else.
    const reason = this.#reason();
    if (reason === 'early') {
      // Whoever goes on clicking has not looked yet.
      this.restart();
      return { counts: false, held: false, reason };
    }
    // What covers the bar is known by the pointer's press; keys have none.
    if (event instanceof KeyboardEvent) return { counts: true, held: false, reason: 'key' };
    return { counts: true, held: reason === '', reason };
  }

  /**
   * Completes a verdict of `judge` by evidence that was gathered after the pointer came down.
   * @param {{held: boolean, reason: string}} verdict
   * @returns {Promise<{held: boolean, reason: string, place?: object | null}>} with where the frame is on the screen
   */
  async prove({ held, reason }) {
    if (!held) return { held, reason };
    const began = performance.now();
    const press = this.#press;
    this.#press = null;
    // Assistive technology clicks without a pointer. That is confirmed.
    const found = press && began - press.at < lasting ? await press.reason || this.#reason() : 'no press';
    performance.measure('guard', { start: began });
    return { held: found === '', reason: found, place: this.#place };
  }

  /**
   * Asks around and observes, after the pointer came down.
   * @param {number} pressed when that was; where the browser had to ask the page's thread whose the press is, it comes late
   * @returns {Promise<string>} what is wrong, or nothing
   */
  async #investigate(pressed) {
    const began = performance.now();
    if (began - pressed > late) return 'late press';
    const evidence = async () => {
      const { reason, scale } = await this.#look();
      if (reason !== '') return reason || 'no answer';
      if (!(Math.abs(devicePixelRatio / scale - 1) <= 0.01)) return 'zoomed';
      return await isSeen(began) ? '' : 'covered';
    };
    const end = new Promise((resolve) => { setTimeout(resolve, patience, 'no answer in time'); });
    const found = await Promise.race([evidence().catch(() => 'no answer'), end]);
    performance.measure('evidence', { start: began });
    return found;
  }

  /** Begins anew: what is in the frame now was not there before. */
  restart() {
    this.#since = performance.now();
    this.#announce();
  }

  /** Says whether it is armed as far as this frame knows, and again when that changes by itself. */
  #announce() {
    clearTimeout(this.#timer);
    const left = this.#broken ? Infinity : arming - (performance.now() - this.#since);
    this.#tell(left <= 0);
    if (left > 0 && left < Infinity) this.#timer = setTimeout(() => this.#announce(), left + 1);
  }

  #reason() {
    if (this.#broken) return this.#broken;
    if (performance.now() - this.#since < arming) return 'early';
    if (!statesVisibility) return 'not stated';
    if (!this.#scale || Math.abs(devicePixelRatio / this.#scale - 1) > 0.01) return 'zoomed';
    // Where frames are nested, one of them may have been moved, which is seen by the pointer alone.
    if (location.ancestorOrigins.length > 1 && (!this.#spot || performance.now() - this.#spot.since < arming)) return 'nested';
    return '';
  }

  /** @param {IntersectionObserverEntry[]} entries */
  #see(entries) {
    for (const entry of entries) {
      this.#isWhole = isWhole(entry);
      if (!this.#isWhole) this.#break(entry.intersectionRatio > 0 ? 'covered' : 'unseen');
      else if (this.#broken) { this.#broken = null; this.#since = performance.now(); this.#announce(); }
    }
  }

  #break(reason) {
    this.#broken = reason;
    this.#since = performance.now();
    this.#announce();
  }

  /** @param {PointerEvent} event */
  #follow(event) {
    if (!event.isTrusted) return;
    if (event.type === 'pointerenter') this.#watch();
    if (event.type === 'pointerdown' && statesVisibility) this.#press = { at: performance.now(), reason: this.#investigate(event.timeStamp) };
    const ratio = this.#ratio;
    const x = event.screenX - event.clientX * ratio;
    const y = event.screenY - event.clientY * ratio;
    if (this.#spot && Math.hypot(x - this.#spot.x, y - this.#spot.y) < 3) return;
    // The frame was moved, or its window: it may have come to where the pointer rests.
    if (this.#spot) this.restart();
    this.#spot = { x, y, since: performance.now() };
  }

  async #learnScale() {
    this.restart();
    this.#scale = 0;
    this.#spot = null;
    const { scale, zoom } = await this.#askScale();
    if (!(scale > 0 && zoom > 0)) return;
    this.#scale = scale;
    this.#zoom = zoom;
    // It was reckoned without them.
    this.#spot = null;
  }
}

/**
 * Whether nothing of this frame is known to be missing or covered. Without the browser's word on what covers it only the edges count, and
 * the guard never holds.
 * @param {IntersectionObserverEntry} entry
 */
function isWhole(entry) {
  return (!statesVisibility || /** @type {any} */ (entry).isVisible === true) && entry.intersectionRatio === 1;
}

/**
 * Whether all of this frame is seen, by an observer that knows nothing yet.
 * @param {number} since an older observation does not count
 */
function isSeen(since) {
  return new Promise((resolve) => {
    const observer = new IntersectionObserver(([entry]) => {
      observer.disconnect();
      resolve(statesVisibility && entry.time > since && isWhole(entry));
    }, /** @type {any} */ ({ trackVisibility: true, delay: 100 }));
    observer.observe(document.documentElement);
  });
}

// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/*
 * How a list of rows is gone through by keys, which row of it is marked, which rows letters leave, and when a provider's list is asked for
 * others. The windows draw what is decided here.
 *
 * @typedef {{id: string, name: string | null}} Named a row: its identifier in the document, and what a screen reader calls it
 */

/** How long a search or further rows are waited for once they were taken, and after the last change of the rows, in milliseconds. */
const patience = 1000;
const quiet = 150;

/** Whether a key is pressed by itself: Shift aside, nothing is held, and no word is being composed. @param {KeyboardEvent | {altKey: boolean, ctrlKey: boolean, metaKey: boolean, isComposing: boolean}} event */
export function isPlain({ altKey, ctrlKey, metaKey, isComposing }) {
  return !altKey && !ctrlKey && !metaKey && !isComposing;
}

/**
 * Where a key leads in a list.
 * @param {string} key as `KeyboardEvent.key` has it
 * @param {number} marked the row that is marked; -1 where none is
 * @param {object} list
 * @param {number} list.count the number of rows
 * @param {number} list.leap how far Page Up and Page Down go
 * @param {number} [list.below] how many of the rows, the last ones, are always in sight below the others
 * @param {boolean} [list.isText] whether the keyboard is in a field, in which Home and End go through the text
 * @returns {number | null} -1 in a list without rows; null for a key that leads nowhere
 */
export function ledTo(key, marked, { count, leap, below = 0, isText = false }) {
  const last = count - 1;
  const bounded = (index) => Math.min(Math.max(0, index), last);
  switch (key) {
    case 'ArrowDown': return bounded(marked + 1);
    // Rows that are always in sight are not at the end of a long way: up from the first row is where they are.
    case 'ArrowUp': return below > 0 && marked === 0 ? last : bounded(marked - 1);
    case 'PageDown': return bounded(marked + leap);
    case 'PageUp': return bounded(marked - leap);
    case 'Home': return isText ? null : bounded(0);
    case 'End': return isText ? null : last;
    default: return null;
  }
}

/**
 * Where the marked row is in a list that was made anew: the one of the same identifier and name, or else the only one of its name, since
 * an identifier may have become another row's. The first row where it is gone.
 * @param {Named | null} marked @param {Named[]} rows
 */
export function markedIn(marked, rows) {
  if (!marked) return 0;
  const alike = rows.flatMap(({ name }, index) => (name === marked.name ? [index] : []));
  return alike.find((index) => rows[index].id === marked.id) ?? (alike.length === 1 ? alike[0] : 0);
}

/** Whether letters stand in any of a row's words; case and accents make no difference. @param {string[]} words @param {string} letters */
export function isMatch(words, letters) {
  return words.some((text) => plain(text).includes(plain(letters)));
}

/** @param {string} text */
function plain(text) {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLocaleLowerCase().trim();
}

/**
 * The search in a provider's list. One question is sent at a time and the last words win. Until it has brought its rows, those of before are
 * not chosen from: Return would choose what the user has not seen.
 */
export class Search {
  #clock;
  #send;
  #changed;
  #words = '';
  #isSending = false;
  #isOutdated = false;
  #isWaiting = false;
  #stop = () => {};

  /**
   * @param {import('./clock.js').Clock} clock
   * @param {(words: string) => Promise<unknown>} send tells the provider what is looked for; ends once that was taken or refused
   * @param {(isWaiting: boolean) => void} changed
   */
  constructor(clock, send, changed) {
    this.#clock = clock;
    this.#send = send;
    this.#changed = changed;
  }

  /** Whether the rows are still those of another search. */
  get isWaiting() {
    return this.#isWaiting;
  }

  /** The user looks for other words. @param {string} words */
  async find(words) {
    this.#words = words;
    this.#isOutdated = true;
    this.#wait(true);
    this.#stop();
    if (this.#isSending) return;
    this.#isSending = true;
    while (this.#isOutdated) {
      this.#isOutdated = false;
      await this.#send(this.#words);
    }
    this.#isSending = false;
    this.#settle(patience);
  }

  /** Rows have come: others may follow at once. */
  came() {
    if (this.#isWaiting && !this.#isSending) this.#settle(quiet);
  }

  /** Forgets the words, so that a search that was not sent yet is not sent after its window has closed. */
  forget() {
    this.#words = '';
    this.#isOutdated = false;
  }

  /** @param {number} time */
  #settle(time) {
    this.#stop();
    this.#stop = this.#clock.after(time, () => this.#wait(false));
  }

  /** @param {boolean} isWaiting */
  #wait(isWaiting) {
    this.#isWaiting = isWaiting;
    this.#changed(isWaiting);
  }
}

/** Further rows of a provider's list, asked for near the end of those that are there. One question is open at a time. */
export class Further {
  #clock;
  #ask;
  #isAsking = false;
  #hasMore = false;
  #count = 0;
  /** How many rows there were when it was last asked. */ #before = -1;
  #turn = 0;
  #stop = () => {};

  /** @param {import('./clock.js').Clock} clock @param {() => Promise<unknown>} ask ends once the question was taken */
  constructor(clock, ask) {
    this.#clock = clock;
    this.#ask = ask;
  }

  /** Rows have come. @param {number} count @param {boolean} hasMore whether the provider has more of them */
  came(count, hasMore) {
    this.#count = count;
    this.#hasMore = hasMore;
    this.#isAsking = false;
    this.#stop();
  }

  /** The end of the rows is near. @param {boolean} isWish whether the user went there; otherwise it is asked only where the last question brought something */
  async isNear(isWish) {
    if (!this.#hasMore || this.#isAsking || (!isWish && this.#before === this.#count)) return;
    this.#isAsking = true;
    this.#before = this.#count;
    const mine = ++this.#turn;
    await this.#ask();
    // Rows that came meanwhile have ended it.
    if (mine === this.#turn && this.#isAsking) this.#stop = this.#clock.after(patience, () => { this.#isAsking = false; });
  }
}

// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import { clock } from '../logic/clock.js';
import { isMatch, isPlain, ledTo, markedIn } from '../logic/list.js';
import { element } from './ask.js';

/** How far Page Up and Page Down go. */
const leap = 4;
/** How long after the keyboard has come in the marked row is named, in milliseconds: screen readers miss it while they still say where they are. */
const settled = 150;

/**
 * The keyboard in the bar, once the user has gone into it: letters filter the rows, arrows go through them, Return chooses, Escape and
 * Tab lead back to the page's field. It is loaded then and not before.
 */
export class Keys {
  /** @type {Element | null} */ #marked = null;
  #isIn = false;
  /** Whether a screen reader is told which row is marked. */ #isNamed = false;
  #stop = () => {};
  #list;
  #filter;
  #to;

  /**
   * @param {HTMLElement} list
   * @param {HTMLInputElement} filter where the letters stand
   * @param {{act: (row: Element, event: Event) => void, leave: () => void, say: (text: string) => void}} to
   */
  constructor(list, filter, to) {
    this.#list = list;
    this.#filter = filter;
    this.#to = to;
    filter.addEventListener('input', () => this.refresh());
    filter.addEventListener('keydown', (event) => this.#press(event));
  }

  /** @param {string} typed what was typed in the page's field before */
  enter(typed) {
    this.#isIn = true;
    this.#stop = clock.after(settled, () => { this.#isNamed = true; this.#name(); });
    this.#filter.value = typed + this.#filter.value;
    this.refresh();
  }

  /** The keyboard is somewhere else: all rows are there again. */
  left() {
    this.#isIn = this.#isNamed = false;
    this.#stop();
    this.#filter.value = '';
    this.#mark(null);
    this.#sift('');
  }

  /** Rows have come, or other letters: shows those that the letters are in. */
  refresh() {
    if (!this.#isIn) return;
    this.#sift(this.#filter.value);
    const rows = this.#rows;
    this.#mark(rows[markedIn(this.#marked && named(this.#marked), rows.map(named))] ?? null);
  }

  /** @param {string} letters */
  #sift(letters) {
    const all = [...this.#list.querySelectorAll('#rows .account')];
    // Rows of the page's own host differ by their user names alone.
    const wordsOf = (row) => [...row.querySelectorAll(row.querySelector('.mark') ? '.detail, bdi' : '.detail')].map((one) => one.textContent ?? '');
    for (const row of all) row.toggleAttribute('hidden', !isMatch(wordsOf(row), letters));
    const isNone = all.length > 0 && all.every((row) => row.hasAttribute('hidden'));
    const note = this.#list.querySelector('#none');
    if (Boolean(note) === isNone) return;
    note?.remove();
    const text = isNone ? 'No account has that in its name.' : '';
    this.#to.say(text);
    if (isNone) this.#list.querySelector('#rows')?.append(element('p', { id: 'none', class: 'note', role: 'none' }, text));
  }

  get #rows() {
    return [...this.#list.querySelectorAll('[role=option]:not([hidden])')];
  }

  /** @param {Element | null} row */
  #mark(row) {
    this.#marked?.setAttribute('aria-selected', 'false');
    this.#marked = row;
    row?.setAttribute('aria-selected', 'true');
    row?.scrollIntoView({ block: 'nearest' });
    this.#name();
  }

  #name() {
    if (this.#marked && this.#isNamed) this.#filter.setAttribute('aria-activedescendant', this.#marked.id);
    else this.#filter.removeAttribute('aria-activedescendant');
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    if (!event.isTrusted || !isPlain(event)) return;
    const rows = this.#rows;
    const to = ledTo(event.key, rows.indexOf(/** @type {Element} */ (this.#marked)), { count: rows.length, leap, isText: true });
    if (to !== null) {
      event.preventDefault();
      this.#mark(rows[to] ?? null);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      if (this.#marked && !event.repeat) this.#to.act(this.#marked, event);
    } else if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault();
      this.#to.leave();
    }
  }
}

/** @param {Element} row */
function named({ id, ariaLabel }) {
  return { id, name: ariaLabel };
}

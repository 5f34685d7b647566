// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import { isPlain, ledTo, markedIn } from '../logic/list.js';

/** @typedef {{row: HTMLElement, act: (event: Event) => void}} Choice A row, and what happens when it is chosen. */

/** How far Page Up and Page Down go. */
const leap = 10;

/**
 * A list of which one row is marked, moved through by arrow keys and chosen from by Enter or a click. The focus stays
 * where the user types; `aria-activedescendant` tells a screen reader which row is marked.
 */
export class Choices {
  /** @type {Choice[]} */ #rows = [];
  /** Those below the rows, which stay there when more rows come. @type {Choice[]} */ #below = [];
  /** @type {HTMLElement | null} */ #group = null;
  #marked = -1;
  #list;
  #speaker;
  #onMove;

  /**
   * @param {HTMLElement} list the element with the role `listbox`
   * @param {HTMLElement} speaker the element that has the focus meanwhile: the list itself or a search field
   * @param {(index: number, last: number) => void} [onMove] called when a key has moved the mark
   */
  constructor(list, speaker, onMove = () => {}) {
    this.#list = list;
    this.#speaker = speaker;
    this.#onMove = onMove;
    speaker.addEventListener('keydown', (event) => this.#press(event));
    list.addEventListener('click', (event) => this.#click(event));
  }

  get #all() {
    return [...this.#rows, ...this.#below];
  }

  /** The row that is marked. @returns {HTMLElement | null} */
  get marked() {
    return this.#all[this.#marked]?.row ?? null;
  }

  /**
   * @param {Choice[]} rows
   * @param {Choice[]} [below] rows of another kind, always in sight
   * @param {boolean} [isSame] whether it is the same list once more: what is marked stays marked, wherever it is now
   */
  show(rows, below = [], isSame = true) {
    const marked = isSame ? this.marked : null;
    this.#below = below;
    this.#group = below.length ? document.createElement('div') : null;
    this.#group?.setAttribute('role', 'group');
    this.#group?.setAttribute('class', 'below');
    this.#group?.append(...below.map(({ row }) => row));
    this.place([...rows.map(({ row }) => row), ...(this.#group ? [this.#group] : [])], rows, markedIn(marked && named(marked), [...rows, ...below].map(({ row }) => named(row))));
    // What is always in sight lies over the end of the list: rows are scrolled to where they are free of it.
    this.#list.style.scrollPaddingBottom = `${this.#group?.offsetHeight ?? 0}px`;
  }

  /** @param {Choice[]} rows */
  extend(rows) {
    const marked = this.marked;
    this.#rows = [...this.#rows, ...rows];
    for (const { row } of rows) this.#list.insertBefore(row, this.#group);
    this.mark(Math.max(0, this.#all.findIndex(({ row }) => row === marked)), false);
  }

  /**
   * Shows rows among other things, such as the titles of sections.
   * @param {Node[]} nodes what the list holds, the rows somewhere in it
   * @param {Choice[]} rows in their order
   * @param {number} marked the one to be marked
   * @param {boolean} [shown] whether it is scrolled to
   */
  place(nodes, rows, marked, shown = true) {
    this.#rows = rows;
    this.#list.replaceChildren(...nodes);
    for (const { row } of this.#all) row.setAttribute('aria-selected', 'false');
    this.#marked = -1;
    this.mark(marked < this.#all.length ? marked : -1, shown);
  }

  /** @param {number} index @param {boolean} [shown] */
  mark(index, shown = true) {
    this.marked?.setAttribute('aria-selected', 'false');
    this.#marked = index;
    const row = this.marked;
    if (row) {
      row.setAttribute('aria-selected', 'true');
      if (shown) row.scrollIntoView({ block: 'nearest' });
      this.#speaker.setAttribute('aria-activedescendant', row.id);
    } else {
      this.#speaker.removeAttribute('aria-activedescendant');
    }
  }

  /** @param {MouseEvent} event */
  #click(event) {
    const hit = event.target instanceof Element ? event.target.closest('[role="option"]') : null;
    const index = this.#all.findIndex(({ row }) => row === hit);
    if (index < 0) return;
    this.mark(index);
    if (event.isTrusted) this.#all[index].act(event);
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const isText = this.#speaker instanceof HTMLInputElement;
    const count = this.#all.length;
    const to = isPlain(event) ? ledTo(event.key, this.#marked, { count, leap, below: this.#below.length, isText }) : null;
    if (to !== null) {
      event.preventDefault();
      if (count === 0) return;
      this.mark(to);
      this.#onMove(to, count - 1);
    } else if (event.key === 'Enter' && event.isTrusted && !event.isComposing && !event.repeat) {
      const marked = this.#all[this.#marked];
      if (!marked && isText) return; // there is nothing to choose: as in any field
      event.preventDefault();
      marked?.act(event);
    }
  }
}

/** @param {HTMLElement} row */
function named({ id, ariaLabel }) {
  return { id, name: ariaLabel };
}

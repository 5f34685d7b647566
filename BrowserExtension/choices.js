// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/**
 * A list of which one row is marked, moved through by arrow keys and chosen from by Enter or a click. The focus stays
 * where the user types; `aria-activedescendant` tells a screen reader which row is marked.
 */
export class Choices {
  /** @type {{row: HTMLElement, act: (event: Event) => void}[]} */ #rows = [];
  #marked = -1;
  #list;
  #speaker;

  /**
   * @param {HTMLElement} list the element with the role `listbox`
   * @param {HTMLElement} speaker the element that has the focus meanwhile: the list itself or a search field
   */
  constructor(list, speaker) {
    this.#list = list;
    this.#speaker = speaker;
    speaker.addEventListener('keydown', (event) => this.#press(event));
  }

  /** @param {{row: HTMLElement, act: (event: Event) => void}[]} rows */
  show(rows) {
    this.#rows = rows;
    this.#list.replaceChildren(...rows.map(({ row }) => row));
    for (const [index, { row, act }] of rows.entries()) {
      row.addEventListener('click', (event) => { this.mark(index); if (event.isTrusted) act(event); });
    }
    this.mark(rows.length ? 0 : -1);
  }

  /** @param {{row: HTMLElement, act: (event: Event) => void}[]} rows */
  extend(rows) {
    const marked = this.#marked;
    const start = this.#rows.length;
    this.#rows = [...this.#rows, ...rows];
    this.#list.append(...rows.map(({ row }) => row));
    for (const [index, { row, act }] of rows.entries()) {
      row.addEventListener('click', (event) => { this.mark(start + index); if (event.isTrusted) act(event); });
    }
    this.mark(marked < 0 && this.#rows.length ? 0 : marked);
  }

  /** @param {number} index */
  mark(index) {
    this.#rows[this.#marked]?.row.setAttribute('aria-selected', 'false');
    this.#marked = index;
    const row = this.#rows[index]?.row;
    if (row) {
      row.setAttribute('aria-selected', 'true');
      row.scrollIntoView({ block: 'nearest' });
      this.#speaker.setAttribute('aria-activedescendant', row.id);
    } else {
      this.#speaker.removeAttribute('aria-activedescendant');
    }
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const last = this.#rows.length - 1;
    const to = { ArrowDown: Math.min(this.#marked + 1, last), ArrowUp: Math.max(this.#marked - 1, 0), Home: 0, End: last }[event.key];
    const isText = this.#speaker instanceof HTMLInputElement && (event.key === 'Home' || event.key === 'End');
    if (to !== undefined && !isText) {
      event.preventDefault();
      if (last >= 0) this.mark(to);
    } else if (event.key === 'Enter' && event.isTrusted && !event.isComposing && !event.repeat) {
      event.preventDefault();
      this.#rows[this.#marked]?.act(event);
    }
  }
}

// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import { clock } from '../logic/clock.js';
import { account as detailOf, element } from './ask.js';

/** @typedef {import('../messages/answers.js').Found} Found */
/** @typedef {{fill: (found: Found) => void, open: (found: Found) => void, copy: (found: Found, part: string) => void, passwords: () => void}} Acts */

/** How long clicks are refused after the rows have changed, in milliseconds: they were meant for the rows before. */
const still = 500;

/** What can be copied, as the buttons call it, and its icon. @type {Record<string, [string, string]>} */
const parts = { user: ['Copy user name', 'user'], password: ['Copy password', 'key'], code: ['Copy code', 'code'] };

/** Accounts that were found: a list of rows of buttons, with the keyboard's way through them. */
export class FoundList {
  #list;
  #acts;
  /** Where the keyboard comes from, and goes back to above the first row. */ #above;
  /** @type {(() => void)[]} */ #first = [];
  #changedAt = -Infinity;
  #early;

  /**
   * @param {HTMLElement} list
   * @param {HTMLElement} above
   * @param {Acts} acts
   * @param {() => void} early called instead of an act for a click that came too soon after the rows have changed
   */
  constructor(list, above, acts, early) {
    this.#early = early;
    this.#list = list;
    this.#above = above;
    this.#acts = acts;
    list.addEventListener('keydown', (event) => this.#press(event));
    list.addEventListener('focusin', ({ target }) => this.#lead(/** @type {Element} */ (target).closest('li')));
    above.addEventListener('keydown', (event) => {
      if (event.key !== 'ArrowDown' || event.isComposing || event.altKey || event.ctrlKey || event.metaKey || !this.#rows.length) return;
      event.preventDefault();
      this.#focus(0);
    });
  }

  get #rows() {
    return /** @type {HTMLElement[]} */ ([...this.#list.children]);
  }

  /** Shows what was found; the button that has the keyboard keeps it. @param {Found[]} found @returns {boolean} whether the rows say anything else now */
  show(found) {
    const before = this.#words;
    const held = this.#list.contains(document.activeElement) ? document.activeElement?.getAttribute('aria-label') : null;
    const made = found.map((one) => this.#row(one));
    this.#first = made.map(({ act }) => act);
    this.#list.replaceChildren(...made.map(({ row }) => row));
    this.#list.hidden = found.length === 0;
    this.#lead(this.#list.firstElementChild);
    const isChanged = this.#words !== before;
    if (isChanged) this.#changedAt = clock.now();
    const same = held ? [...this.#list.querySelectorAll('button')].filter((one) => one.getAttribute('aria-label') === held) : [];
    if (held) (same.length === 1 ? same[0] : this.#above).focus();
    return isChanged;
  }

  /** The rows have moved: a click may have been meant for where they were. */
  moved() {
    this.#changedAt = clock.now();
  }

  /** What the rows and their buttons say. */
  get #words() {
    return [...this.#list.querySelectorAll('button')].map((one) => one.getAttribute('aria-label')).join('\n');
  }

  /** @param {MouseEvent} event @param {() => void} act */
  #click(event, act) {
    if (!event.isTrusted) return;
    // A key is pressed for the button that has the focus, and has no place.
    if (event.detail > 0 && clock.now() - this.#changedAt < still) this.#early();
    else act();
  }

  /** Does what the first row is for. @returns {boolean} whether there is one */
  chooseFirst() {
    this.#first[0]?.();
    return this.#first.length > 0;
  }

  /** @param {Found} found */
  #row(found) {
    const { title, user, copies, url, fill, providerName } = found;
    const acts = this.#acts;
    const of = user ? `${user} at ${title}` : title;
    const [word, act] = fill ? ['Fill', () => acts.fill(found)] : url ? ['Open', () => acts.open(found)]
      : copies.includes('password') ? ['Copy', () => acts.copy(found, 'password')] : ['Show', () => acts.passwords()];
    const detail = detailOf(user, providerName);
    const main = element('button', { type: 'button', class: 'row', 'aria-label': `${word}: ${title}, ${detail}` },
      element('span', { class: 'words' }, element('span', { class: 'title' }, title), element('span', { class: 'detail' }, detail)),
      element('span', { class: 'mark' }, word));
    main.addEventListener('click', (event) => this.#click(event, act));
    const others = copies.filter((part) => Object.hasOwn(parts, part)).map((part) => {
      const [label, icon] = parts[part];
      return this.#button(label, of, icon, () => acts.copy(found, part));
    });
    if (url && fill) others.push(this.#button('Open the site', of, 'open', () => acts.open(found)));
    return { act, row: element('li', {}, main, ...others) };
  }

  /** @param {string} label @param {string} of @param {string} icon @param {() => void} act */
  #button(label, of, icon, act) {
    const made = element('button', { type: 'button', class: 'act', 'aria-label': `${label} of ${of}`, title: label },
      element('span', { class: `icon ${icon}`, 'aria-hidden': 'true' }));
    made.addEventListener('click', (event) => this.#click(event, act));
    return made;
  }

  /** Has Tab reach the buttons of one row alone. @param {Element | null} current */
  #lead(current) {
    for (const row of this.#rows) for (const one of row.children) one.setAttribute('tabindex', row === current ? '0' : '-1');
  }

  /** @param {number} index @param {number} [place] */
  #focus(index, place = 0) {
    const row = this.#rows[index];
    /** @type {HTMLElement | undefined} */ (row?.children[Math.min(place, row.children.length - 1)])?.focus();
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const row = /** @type {Element} */ (event.target).closest('li');
    if (!row) return;
    const [index, place] = [this.#rows.indexOf(/** @type {HTMLElement} */ (row)), [...row.children].indexOf(/** @type {Element} */ (event.target))];
    const last = this.#rows.length - 1;
    switch (event.key) {
      case 'ArrowDown': this.#focus(Math.min(index + 1, last), place); break;
      case 'ArrowUp': if (index === 0) this.#above.focus(); else this.#focus(index - 1, place); break;
      case 'ArrowRight': this.#focus(index, place + 1); break;
      case 'ArrowLeft': this.#focus(index, Math.max(0, place - 1)); break;
      case 'Home': this.#focus(0); break;
      case 'End': this.#focus(last); break;
      default: return;
    }
    event.preventDefault();
  }
}

// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import { clock } from '../logic/clock.js';
import { Further, Search } from '../logic/list.js';
import { element, option } from './ask.js';
import { Choices } from './choices.js';
import { receiverOf } from './interface-parts.js';

/** @typedef {import('./interface.js').Statement} Statement */
/** @typedef {import('./interface.js').Stage} Stage */
/** @typedef {import('./interface.js').Part} Part */

/** How near to the end, in rows and in pixels, further rows are asked for. */
const ahead = 5;
const nearly = 300;

/**
 * A list with sections, and with a search field where the provider wants one. At most 500 rows are there at a time
 * (docs/protocol.md); those out of sight are not laid out (`content-visibility`).
 * @param {Statement} statement
 * @param {Stage} stage
 * @returns {Part}
 */
export function drawList({ id, search: isSearched }, stage) {
  const name = stage.newName();
  const box = element('div', { role: 'listbox', id: name, 'aria-label': '', 'aria-busy': 'false' });
  const empty = element('p', { class: 'note', hidden: '' });
  const search = isSearched === true
    ? /** @type {HTMLInputElement} */ (element('input', {
      type: 'search', role: 'combobox', placeholder: 'Search', 'aria-label': 'Search', 'aria-expanded': 'true', 'aria-autocomplete': 'list',
      'aria-controls': name, autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', maxlength: '256',
    })) : null;
  // Tab goes to the search field, and not to the list as well where it scrolls.
  box.setAttribute('tabindex', search ? '-1' : '0');
  const further = new Further(clock, () => stage.act({ element: id, action: 'more' }));
  const searching = new Search(clock, (text) => stage.act({ element: id, action: 'search', text }), (isWaiting) => { box.ariaBusy = String(isWaiting); });
  const choices = new Choices(box, search ?? box, (index, last) => { if (index >= last - ahead) further.isNear(true); });

  /** The rows that are drawn, by what they say. @type {Map<string, HTMLElement[]>} */ let drawn = new Map();
  let count = 0;
  const isNearEnd = () => box.clientHeight > 0 && box.scrollHeight - box.scrollTop - box.clientHeight < nearly;
  box.addEventListener('scroll', () => { if (isNearEnd()) further.isNear(true); });
  search?.addEventListener('input', () => searching.find(search.value));

  /** @param {{id: string, title: string, subtitle: string}} row */
  function choiceFor({ id: row, title, subtitle }, known) {
    const key = JSON.stringify([row, title, subtitle]);
    const node = known.get(key)?.shift() ?? rowOf(title, subtitle);
    drawn.set(key, [...drawn.get(key) ?? [], node]);
    return { row: node, act: () => { if (!searching.isWaiting) stage.act({ element: id, action: 'select', row }); } };
  }
  function rowOf(title, subtitle) {
    const made = option({ id: stage.newName(), title: String(title ?? ''), detail: String(subtitle ?? '') });
    for (const line of made.querySelectorAll('.title, .detail')) line.setAttribute('dir', 'auto');
    return made;
  }

  return {
    node: element('div', { class: 'list' }, ...(search ? [search, receiverOf(search, stage)] : []), box, empty),
    update({ sections, more }, isFirst) {
      box.setAttribute('aria-label', stage.title() || 'Choices');
      const known = drawn;
      const marked = choices.marked;
      const scrolled = box.scrollTop;
      drawn = new Map();
      const rows = [];
      const nodes = (sections ?? []).map(({ title, rows: given }) => {
        const own = (given ?? []).map((row) => choiceFor(row, known));
        rows.push(...own);
        if (!title) return element('div', { role: 'group' }, ...own.map(({ row }) => row));
        const label = element('div', { class: 'section', id: stage.newName(), dir: 'auto', role: 'presentation' }, String(title));
        return element('div', { role: 'group', 'aria-labelledby': label.id }, label, ...own.map(({ row }) => row));
      });
      const stays = searching.isWaiting ? -1 : rows.findIndex(({ row }) => row === marked);
      choices.place(nodes, rows, Math.max(0, stays), stays < 0);
      if (stays >= 0) box.scrollTop = scrolled;

      const hasChanged = count !== rows.length || isFirst;
      count = rows.length;
      further.came(count, more === true);
      empty.hidden = count > 0;
      empty.textContent = search?.value ? 'Nothing found.' : 'There is nothing here.';
      if (search && hasChanged) stage.say(count ? `${count}${more === true ? ' or more' : ''} ${count === 1 ? 'row' : 'rows'}` : empty.textContent);
      searching.came();
      if (isNearEnd()) further.isNear(false);
    },
    wipe() {
      if (search) search.value = '';
      searching.forget();
    },
  };
}

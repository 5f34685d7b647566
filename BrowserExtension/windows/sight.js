// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/*
 * The settings page's part “What AutoFill sees”: each field of the page with its role and the reasons, for people who build sites and for
 * those who wonder why nothing is offered. It shows what the page says of its fields, never what is in them or what is saved.
 */

import { ask, element } from './ask.js';

const at = (id) => /** @type {any} */ (document.getElementById(id));

let turn = 0;

/** What each kind of form is for. @type {Record<string, string>} */
const kinds = {
  'sign-in': 'A form to sign in.', 'username-first': 'A form that asks for the user name first.',
  'password-second': 'A form that asks for the password alone.', 'sign-up': 'A form to make an account.',
  'change-password': 'A form to change a password.', 'one-time-code': 'A form that asks for a code for one use.',
  none: 'Nothing here asks for a user name, a password or a code.',
};

/** What to call a field: as people see it, or else as the page's author wrote it. */
function nameOf({ label, aria, placeholder, nearby, id, name, tag, type }) {
  const seen = [label, aria, placeholder, nearby].find(Boolean);
  const written = id ? `#${id}` : name ? `name=${name}` : '';
  return seen ? `${seen.slice(0, 60)}${written ? ` (${written})` : ''}` : `${tag === 'input' ? type || 'text' : tag} ${written}`.trim();
}

function rowFor({ role, reasons, confidence, stated }) {
  const sure = role ? `${role}, ${Math.round(confidence * 100)} % sure` : 'no role';
  return element('li', {},
    element('span', { class: 'title', dir: 'auto' }, nameOf(stated)),
    element('span', { class: role ? 'mark' : 'mark none', title: sure, 'aria-label': sure }, role ?? 'no role'),
    element('span', { class: 'reasons' }, reasons.join('; ')));
}

/** A page's title as one line of text that turns nothing around. @param {string} title */
function plain(title) {
  return [...title.toWellFormed().replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim()].slice(0, 80).join('');
}

/** The pages that are open, the last used one first. */
async function list() {
  const { pages } = await ask('pages').catch(() => ({ pages: [] }));
  const chosen = at('sight-page').value;
  at('sight-page').replaceChildren(...pages.map(({ tab, title, host }) => element('option', { value: String(tab) }, `${host} \u2014 \u2068${plain(title) || 'no title'}\u2069`)));
  if (pages.some(({ tab }) => String(tab) === chosen)) at('sight-page').value = chosen;
  at('sight-look').disabled = pages.length === 0;
}

async function show() {
  const mine = ++turn;
  try {
    const { target } = await ask('openIn', { tab: Number(at('sight-page').value) });
    const { kind, fields } = await ask('inspect', { target });
    if (mine !== turn) return;
    const seen = fields.filter(({ stated }) => stated.visible !== false);
    const hidden = fields.length - seen.length;
    const rest = hidden ? ` ${hidden} field${hidden === 1 ? '' : 's'} that nobody sees ${hidden === 1 ? 'is' : 'are'} left out.` : '';
    at('sight-kind').textContent = (seen.length ? kinds[kind] ?? kind : 'The page has no fields.') + rest;
    at('sight-fields').replaceChildren(...seen.map(rowFor));
  } catch (error) {
    if (mine !== turn) return;
    at('sight-kind').textContent = /** @type {Error} */ (error).message;
    at('sight-fields').replaceChildren();
  }
}

at('sight-look').addEventListener('click', () => show());
// Pages are opened and closed while this one is not looked at.
addEventListener('focus', () => { list(); });
list();

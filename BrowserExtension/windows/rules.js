// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import { clock } from '../logic/clock.js';
import { ask, element } from './ask.js';

/*
 * Password rules for their authors: what they mean, what is lost of them, and passwords that satisfy them. Nothing of a page,
 * and nothing that is saved, has a part in it; what is typed here goes to the daemon and is kept nowhere.
 */

const at = (id) => /** @type {any} */ (document.getElementById(id));
/** How long a pause in typing is, in milliseconds. */
const pause = 120;
let stop = () => {};
let turn = 0;

/** @typedef {{column: number, message: string, fix: string, loses: boolean}} Finding */

/** Puts the caret to a column, which counts characters of Unicode. @param {number} column */
function pointTo(column) {
  const characters = [...at('rules').value];
  const start = characters.slice(0, column - 1).join('').length;
  at('rules').focus();
  at('rules').setSelectionRange(start, start + (characters[column - 1] ?? '').length);
}

/** @param {Finding} finding */
function row({ column, message, fix }) {
  const button = element('button', { type: 'button', 'aria-label': `Go to column ${column}` }, `Column ${column}`);
  button.addEventListener('click', () => pointTo(column));
  return element('li', {}, button, element('span', {}, message), element('span', { class: 'soft' }, fix));
}

/** @param {{minlength?: number, maxlength?: number}} rules */
function lengths({ minlength, maxlength }) {
  if (minlength === undefined && maxlength === undefined) return 'any';
  return maxlength === undefined ? `${minlength} or more` : `${minlength ?? 1} to ${maxlength}`;
}

/** @param {{failure?: string, diagnostics: Finding[]}} answer */
function verdict({ failure, diagnostics }) {
  if (failure) return failure;
  return diagnostics.some(({ loses }) => loses) ? 'Something in these rules is lost.' : 'These rules are read as they are written.';
}

function show(answer) {
  const text = verdict(answer);
  const isBad = Boolean(answer.failure) || answer.diagnostics.some(({ loses }) => loses);
  at('verdict').classList.toggle('bad', isBad);
  // Said once more to a screen reader only where it is something else.
  if (at('verdict').textContent !== text) at('verdict').textContent = text;
  at('findings').replaceChildren(...answer.diagnostics.map(row));
  const facts = [
    ['Rules', answer.canonical],
    ['Characters', answer.isUnicode ? 'all of Unicode' : answer.characters],
    ['Length', lengths(answer)],
    ['In a row', answer.maxConsecutive === undefined ? 'any' : `${answer.maxConsecutive} of a kind at most`],
    ['Entropy', answer.entropy === undefined ? '' : `${answer.entropy} bits`],
    ['Warning', answer.warning ?? ''],
  ];
  at('facts').replaceChildren(...facts.filter(([, value]) => value).flatMap(([name, value]) => [element('dt', {}, name), element('dd', { dir: 'ltr' }, value)]));
  at('meaning').hidden = false;
  at('examples').replaceChildren(...answer.examples.map((example) => element('li', { dir: 'ltr' }, example)));
  at('made').hidden = answer.examples.length === 0;
}

async function check() {
  stop();
  const mine = ++turn;
  try {
    const answer = await ask('rules', { rules: at('rules').value });
    if (mine === turn) show(answer);
  } catch (error) {
    if (mine !== turn) return;
    at('verdict').classList.add('bad');
    at('verdict').textContent = [error.message, error.data?.hint].filter(Boolean).join(' ');
    at('findings').replaceChildren();
    at('meaning').hidden = true;
    at('made').hidden = true;
  }
}

at('rules').addEventListener('input', () => {
  stop();
  stop = clock.after(pause, check);
});
at('again').addEventListener('click', check);
at('rules').focus();
check();

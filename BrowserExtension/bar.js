// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import { ask, element, onChanged, option, sentence, told } from './ask.js';
import { detailOf, distinctionOf, nothingNote, secondsLeftIn, withheldNote, wordsOf } from './codes.js';
import { Guard } from './guard.js';

const rows = /** @type {HTMLElement} */ (document.getElementById('rows'));
const key = /** @type {HTMLElement} */ (document.getElementById('key'));

/** Only the answer to the last question is shown. */
let turn = 0;
let isBusy = false;
/** What keeps the seconds of codes right. */ let ticking = 0;
/** What the rows were known by. @type {string | null} */ let shown = null;

// The focus stays in the page's field, as the words that the user types belong there.
addEventListener('mousedown', (event) => event.preventDefault(), true);

/**
 * @param {Event} event
 * @param {(prove: () => Promise<{held: boolean, reason: string}>) => Promise<void>} act it asks for proof where something is filled
 */
async function onAct(event, act) {
  const verdict = guard.judge(event);
  if (!verdict.counts || isBusy) return;
  isBusy = true;
  try {
    await act(() => guard.prove(verdict));
  } catch (error) {
    await show();
    if (![9, 16].includes(/** @type {any} */ (error).code)) note(told(error), true);
  } finally {
    isBusy = false;
  }
}

/** @param {string} text @param {boolean} [isBad] */
function note(text, isBad = false) {
  rows.replaceChildren(element('p', { class: isBad ? 'note bad' : 'note', role: 'status' }, text));
}

/** @param {import('./codes.js').Row & {handle: string}} suggestion @param {number} index */
function rowFor(suggestion, index) {
  const { handle, title } = suggestion;
  const row = option({ id: `row-${index}`, title, detail: detailOf(suggestion), ...distinctionOf(suggestion) });
  row.addEventListener('click', (event) => onAct(event, async (prove) => {
    await ask('choose', { handle, row: wordsOf(suggestion), guard: await prove() });
  }));
  return row;
}

function unlockRow() {
  const row = option({ id: 'unlock', title: 'Unlock Latchkey…', detail: 'to see your passwords', icon: 'lock' });
  row.addEventListener('click', (event) => onAct(event, async () => {
    await ask('unlock');
    await show();
  }));
  return row;
}

/** What makes a new password for the page. @param {{handle: string, providerName: string}} strong */
function strongRows({ handle, providerName }) {
  const use = option({ id: 'strong', title: 'Use Strong Password', detail: `new, kept in ${providerName}`, icon: 'key' });
  const look = option({ id: 'look', title: 'Show Before Using…', detail: 'in a window of its own' });
  const row = { title: 'Use Strong Password', user: '', provider: '' };
  use.addEventListener('click', (event) => onAct(event, async (prove) => ask('choose', { handle, row, guard: await prove() })));
  look.addEventListener('click', (event) => onAct(event, async (prove) => ask('choose', { handle, row, guard: await prove(), show: true })));
  return [use, look];
}

/** Keeps the seconds of codes right, and asks again when one is over. @param {(import('./codes.js').Row & {handle: string})[]} suggestions */
function tick(suggestions) {
  const end = secondsLeftIn(suggestions);
  if (end === Infinity) return;
  const since = performance.now();
  ticking = setInterval(() => {
    const passed = Math.floor((performance.now() - since) / 1000);
    if (passed >= end) { clearInterval(ticking); show(); return; }
    suggestions.forEach((suggestion, index) => {
      const detail = document.querySelector(`#row-${index} .detail`);
      if (detail && suggestion.code) detail.textContent = detailOf(suggestion, passed);
    });
  }, 1000);
}

/** A row that comes under the pointer was not what the pointer was moved to. @param {import('./codes.js').Row[]} suggestions */
function rearmIfChanged(suggestions) {
  const words = JSON.stringify(suggestions.map(wordsOf));
  if (shown !== null && shown !== words) guard.restart();
  shown = words;
}

async function show() {
  const mine = ++turn;
  // A sandbox reaches into the frames below it: the bar there is nobody's, and is answered as such.
  key.hidden = self.origin === 'null';
  if (key.hidden) { note('Latchkey does not fill in a page that is sandboxed.'); return; }
  let answer;
  try {
    answer = await ask('suggestions');
  } catch (error) {
    if (mine === turn) note(/** @type {Error} */ (error).message, true);
    return;
  }
  if (mine !== turn) return;
  clearInterval(ticking);
  key.hidden = answer.state !== 'ready';
  const withheld = withheldNote(answer.withheld);
  if (answer.kind === 'one-time-code') rearmIfChanged(answer.suggestions ?? []);
  if (answer.state === 'locked') rows.replaceChildren(unlockRow());
  else if (answer.state !== 'ready') note('Latchkey is not set up yet. Run “latchkey init”.');
  else if (answer.refusal) note(sentence(answer.refusal));
  else if (answer.strong) rows.replaceChildren(...strongRows(answer.strong));
  else if (answer.lookalike) note(`This is not ${answer.lookalike}. Nothing is offered here.`, true);
  else if (!answer.suggestions?.length) note(withheld || nothingNote(answer));
  else {
    const above = withheld ? [element('p', { class: 'note', role: 'status' }, withheld)] : [];
    rows.replaceChildren(...above, ...answer.suggestions.map(rowFor));
    tick(answer.suggestions);
  }
}

onChanged(show);
show();
// The guard asks something too; the rows are what the user waits for, so they are asked for first.
const guard = new Guard(() => ask('scale').catch(() => ({ scale: 0, zoom: 0 })), () => ask('look'), () => { ask('watch').catch(() => {}); });
key.addEventListener('click', (event) => onAct(event, () => ask('picker')));

// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import { account, ask, element, onChanged, option, sentence } from './ask.js';
import { Guard } from './guard.js';

const rows = /** @type {HTMLElement} */ (document.getElementById('rows'));
const key = /** @type {HTMLElement} */ (document.getElementById('key'));

/** Only the answer to the last question is shown. */
let turn = 0;
let isBusy = false;

// The focus stays in the page's field, as the words that the user types belong there.
addEventListener('mousedown', (event) => event.preventDefault(), true);

/** @param {Event} event @param {(verdict: {held: boolean, reason: string}) => Promise<void>} act */
async function onAct(event, act) {
  const verdict = guard.judge(event);
  if (!verdict.counts || isBusy) return;
  isBusy = true;
  try {
    await act({ held: verdict.held, reason: verdict.reason });
  } catch (error) {
    await show();
    if (![9, 16].includes(/** @type {any} */ (error).code)) note(/** @type {Error} */ (error).message, true);
  } finally {
    isBusy = false;
  }
}

/** @param {string} text @param {boolean} [isBad] */
function note(text, isBad = false) {
  rows.replaceChildren(element('p', { class: isBad ? 'note bad' : 'note', role: 'status' }, text));
}

/** @param {{handle: string, title: string, user: string, provider: string, providerName?: string}} suggestion @param {number} index */
function rowFor({ handle, title, user, provider, providerName }, index) {
  const row = option({ id: `row-${index}`, title, detail: account(user, providerName) });
  row.addEventListener('click', (event) => onAct(event, async (verdict) => {
    await ask('choose', { handle, row: { title, user, provider }, guard: verdict });
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
  key.hidden = answer.state !== 'ready';
  if (answer.state === 'locked') rows.replaceChildren(unlockRow());
  else if (answer.state !== 'ready') note('Latchkey is not set up yet. Run “latchkey init”.');
  else if (answer.refusal) note(sentence(answer.refusal));
  else if (!answer.suggestions?.length) note(`Nothing is saved for ${answer.site ?? 'this site'}.`);
  else rows.replaceChildren(...answer.suggestions.map(rowFor));
}

onChanged(show);
show();
// The guard asks something too; the rows are what the user waits for, so they are asked for first.
const guard = new Guard(() => ask('scale').catch(() => ({ scale: 0, zoom: 0 })));
key.addEventListener('click', (event) => onAct(event, () => ask('picker')));

// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import { account, ask, onChanged, option, sentence } from './ask.js';
import { Choices } from './choices.js';

const at = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const choices = new Choices(at('list'), at('list'));
/** The document that a choice is for. @type {import('./sessions.js').Target | null} */
let target = null;
let turn = 0;
let isBusy = false;

/** @param {string} text @param {boolean} [isBad] */
function note(text, isBad = false) {
  at('note').textContent = text;
  at('note').hidden = text === '';
  at('note').classList.toggle('bad', isBad);
}

/** @param {() => Promise<unknown>} act what the user asked for; the popup closes once it is done */
function once(act) {
  return async () => {
    if (isBusy) return;
    isBusy = true;
    try {
      await act();
      close();
    } catch (error) {
      isBusy = false;
      await show();
      if (/** @type {any} */ (error).code !== 9) note(/** @type {Error} */ (error).message, true);
    }
  };
}

function allRow() {
  return { row: option({ id: 'all', title: 'All Passwords…', icon: 'key' }), act: once(() => ask('picker', { target })) };
}

function rowsFor(answer) {
  if (answer.state === 'locked') {
    const row = option({ id: 'unlock', title: 'Unlock Latchkey…', detail: 'to see your passwords', icon: 'lock' });
    return [{ row, act: once(() => ask('unlock', { target })) }];
  }
  if (answer.state !== 'ready') return [];
  const suggestions = (answer.suggestions ?? []).map(({ handle, title, user, provider, providerName }, index) => ({
    row: option({ id: `row-${index}`, title, detail: account(user, providerName) }),
    act: once(() => ask('choose', { target, handle, row: { title, user, provider }, guard: { held: true } })),
  }));
  return [...suggestions, allRow()];
}

function noteFor(answer, status) {
  if (answer.state === 'uninitialized') return 'Latchkey is not set up yet. Run “latchkey init”.';
  if (answer.state === 'locked') return '';
  if (answer.refusal) return sentence(answer.refusal);
  if (!status.autoFill) return 'AutoFill is off. “latchkey autofill on” turns it on.';
  return answer.suggestions?.length ? '' : `Nothing is saved for ${answer.site ?? 'this site'}.`;
}

async function show() {
  const mine = ++turn;
  try {
    const [status, found] = await Promise.all([ask('status'), target ? { target } : ask('open')]);
    target = found.target;
    let answer = { state: status.initialized ? 'ready' : 'uninitialized', suggestions: [] };
    if (status.locked) answer.state = 'locked';
    else if (target) answer = await ask('suggestions', { target });
    if (mine !== turn) return;
    at('state').textContent = status.locked ? 'Locked' : `AutoFill is ${status.autoFill ? 'on' : 'off'}`;
    note(target || status.locked ? noteFor(answer, status) : 'There is no page to fill here. Pages that were open before Latchkey came have to be loaded again.');
    choices.show(target || status.locked ? rowsFor(answer) : []);
  } catch (error) {
    if (mine !== turn) return;
    at('state').textContent = 'Not connected';
    const hint = /** @type {any} */ (error).data?.hint;
    note(`${/** @type {Error} */ (error).message} ${hint ?? ''}`, true);
    choices.show([]);
  }
  at('list').focus();
}

at('settings').addEventListener('click', () => chrome.runtime.openOptionsPage().then(() => close()));
onChanged(() => { if (!isBusy) show(); });
show();

// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import { sentence, told } from '../messages/errors.js';
import { account, ask, distinction, onChanged, option, say } from './ask.js';
import { Choices } from './choices.js';
import { arm, isInFront, need } from './front.js';

const at = (id) => /** @type {any} */ (document.getElementById(id));
const choices = new Choices(at('list'), at('search'));
let turn = 0;
let isBusy = false;
let isSearching = false;
/** Whether what is looked for next is what was looked for before. */ let isRepeat = true;
/** @type {string | null} */ let cursor = null;
let count = 0;

/** What the button for using a password where it was not saved for would do. @type {(() => Promise<void>) | null} */
let anyway = null;

/** @param {string} text @param {boolean} [isBad] @param {(() => Promise<void>) | null} [offer] what can be done all the same */
function note(text, isBad = false, offer = null) {
  anyway = offer;
  at('anyway').hidden = !offer;
  say(at('said'), text);
  at('note').textContent = text;
  at('note').hidden = text === '';
  at('note').classList.toggle('bad', isBad);
}

function choiceFor(listed) {
  const { handle, title, user, provider, providerName, fills, refusal } = listed;
  const chosen = { handle, row: { title, user, provider }, guard: { held: true } };
  const detail = [account(user, providerName), fills ? '' : refusal ?? 'Not for this page.'].filter(Boolean).join(' · ');
  return {
    row: option({ id: `row-${count++}`, title, detail, icon: 'key', isOff: !fills, ...(fills ? distinction(listed) : {}) }),
    act: async () => {
      const reason = sentence(refusal ?? '') || 'This password may not be filled on this page.';
      if (fills) await fill(() => ask('choose', chosen));
      else note(reason, true, listed.anyway === true && handle ? () => fill(() => ask('choose', { ...chosen, anyway: true })) : null);
    },
  };
}

/** @param {() => Promise<unknown>} act what fills the page; the window closes once it has */
async function fill(act) {
  if (isBusy) return;
  if (!isInFront()) { note('Too early. Try once more.'); return; }
  isBusy = true;
  try {
    await act();
    close();
  } catch (error) {
    isBusy = false;
    await search(true);
    if (error.code !== 9) note(told(error), true);
  }
}

/** A provider's own list, which it shows itself in a window. @param {{identifier: string, name: string}} provider @param {number} index */
function moreIn({ identifier, name }, index) {
  return {
    row: option({ id: `provider-${index}`, title: `More in ${name}…`, icon: 'key' }),
    act: () => fill(() => ask('openList', { provider: identifier })),
  };
}

/** One search at a time: the first may have to wait until the user has said who they are. @param {boolean} [isSame] whether the same is looked for once more */
async function search(isSame = false) {
  const mine = ++turn;
  isRepeat &&= isSame;
  if (isSearching) return;
  isSearching = true;
  isRepeat = true;
  at('list').ariaBusy = 'true';
  try {
    const answer = await ask('list', { search: at('search').value, cursor: null });
    if (mine !== turn) return;
    cursor = answer.cursor ?? null;
    count = 0;
    choices.show(answer.rows.map(choiceFor), (answer.providers ?? []).map(moreIn), isSame);
    // Rows that change otherwise than by what is typed were not what the pointer was moved to.
    if (isSame) arm();
    note(answer.rows.length ? '' : 'Nothing found.');
    if (answer.rows.length && at('search').value) say(at('said'), `${answer.rows.length}${cursor === null ? '' : ' or more'} found`);
  } catch (error) {
    // A no holds for what was typed meanwhile, too.
    if (error.code === 9) turn = mine;
    if (mine !== turn) return;
    choices.show([]);
    note(error.code === 2 ? 'Latchkey is locked.' : error.code === 9 ? 'Your accounts are listed once you have entered your passphrase.' : error.message, true);
  } finally {
    isSearching = false;
    at('list').ariaBusy = 'false';
    if (mine !== turn) void search(isRepeat);
  }
}

async function more() {
  if (cursor === null) return;
  const from = cursor;
  const mine = turn;
  cursor = null;
  const answer = await ask('list', { search: at('search').value, cursor: from }).catch(() => null);
  if (!answer || mine !== turn) return;
  cursor = answer.cursor ?? null;
  choices.extend(answer.rows.map(choiceFor));
}

/** Begins with what was typed in the popup. */
async function begin() {
  const { search: text } = await ask('wanted').catch(() => ({ search: '' }));
  at('search').value = text;
  await start();
}

async function start() {
  if (document.activeElement === document.body) at('search').focus();
  const answer = await ask('suggestions').catch(() => null);
  need(() => [at('site')]);
  at('site').textContent = answer?.site ? `to fill on ${answer.site}` : '';
  await search(true);
}

at('anyway').addEventListener('click', (event) => { if (event.isTrusted) anyway?.(); });
at('search').addEventListener('input', () => search());
at('list').addEventListener('scroll', () => {
  const { scrollTop, scrollHeight, clientHeight } = at('list');
  if (scrollHeight - scrollTop - clientHeight < 400) more();
});
addEventListener('keydown', (event) => { if (event.key === 'Escape') close(); });
onChanged(() => { if (!isBusy) start(); });
begin();

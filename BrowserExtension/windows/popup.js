// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import { clock } from '../logic/clock.js';
import { code, sentence, told } from '../messages/errors.js';
import { ask, on, onChanged, option, place } from './ask.js';
import { Choices } from './choices.js';
import { detailOf, distinctionOf, nothingNote, withheldNote, wordsOf } from './codes.js';
import { arm, isInFront } from './front.js';
import { adviceRows, upgradeNote } from './upgrade-rows.js';

const at = (id) => /** @type {any} */ (document.getElementById(id));
const choices = new Choices(at('list'), at('list'));
/** The document that a choice is for. @type {import('../messages/answers.js').Target | null} */
let target = null;
/** Whether the field that the user is at has no room for a bar. */ let isCramped = false;
let turn = 0;
let isBusy = false;
/** What the rows say. */ let shown = '';

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
      if (/** @type {any} */ (error).code !== 9) note(told(error), true);
    }
  };
}

/** Has a row count only once the popup has been in front for a while: it may open, or change, just where the user clicks. @param {import('./choices.js').Choice} choice */
function meant({ row, act }) {
  return { row, act: (/** @type {Event} */ event) => { if (isInFront()) act(event); else note('Too early. Try once more.'); } };
}

function allRow() {
  return { row: option({ id: 'all', title: 'All Passwords…', icon: 'key' }), act: once(() => ask('picker', { target })) };
}

/** Questions that wait for the user to ask for their window. @param {{prompt: string, kind: string, site: string}[]} questions */
function questionRows(questions) {
  return questions.map(({ prompt, kind, site }, index) => ({
    row: option({ id: `question-${index}`, title: kind === 'updatePassword' ? 'Update Password…' : 'Save Password…', detail: place(site), icon: 'key' }),
    act: once(() => ask('bringUp', { prompt })),
  }));
}

/** A form that was sent off and is still there: whether the site has taken it, the user knows. @param {boolean} [submitted] */
function submittedRows(submitted) {
  if (!submitted) return [];
  const row = option({ id: 'save-submitted', title: 'Save What You Typed…', detail: 'the password that was sent off last', icon: 'key' });
  return [{ row, act: once(() => ask('saveSubmitted')) }];
}

/** What the user may do about the password that was filled. */
const acts = {
  change: (handle) => once(() => ask('changePassword', { handle }))(),
  hide: (handle) => once(() => ask('hideRecommendation', { handle }))(),
  /** The popup stays and shows how far it is; closed, it is opened again at any time. @param {string} handle */
  upgrade: async (handle) => {
    if (isBusy) return;
    isBusy = true;
    const error = await ask('upgrade', { handle }).then(() => null, (refusal) => refusal);
    isBusy = false;
    await show();
    if (error) note(told(error), true);
  },
};

function rowsFor(answer) {
  if (answer.state === 'locked') {
    const row = option({ id: 'unlock', title: 'Unlock Latchkey…', detail: 'to see your passwords', icon: 'lock' });
    return [{ row, act: once(() => ask('unlock', { target, at: clock.date(), guard: { held: true } })) }];
  }
  if (answer.state !== 'ready') return [];
  const suggestions = (answer.suggestions ?? []).map((suggestion, index) => ({
    row: option({ id: `row-${index}`, title: suggestion.title, detail: detailOf(suggestion), ...distinctionOf(suggestion) }),
    act: once(() => ask('choose', { target, handle: suggestion.handle, row: wordsOf(suggestion), guard: { held: true } })),
  }));
  const strong = answer.strong ? [{
    row: option({ id: 'strong', title: 'Use Strong Password', detail: `new, kept in ${answer.strong.providerName}`, icon: 'key' }),
    act: once(() => ask('choose', { target, handle: answer.strong.handle, row: { title: 'Use Strong Password', user: '', provider: '' }, guard: { held: true } })),
  }] : [];
  return [...strong, ...suggestions, allRow()];
}

function noteFor(answer, status) {
  if (answer.state === 'uninitialized') return 'Latchkey is not set up yet. Run “latchkey init”.';
  if (answer.state === 'locked') return '';
  if (answer.refusal) return sentence(answer.refusal);
  if (answer.lookalike) return `This is not ${answer.lookalike}. Nothing is offered here.`;
  if (!status.autoFill) return 'AutoFill is off. The settings turn it on.';
  if (answer.state === 'nothing') return 'No sign-in form here, or no password for it yet.';
  const withheld = withheldNote(answer.withheld);
  const hint = isCramped ? 'There is no room for suggestions beside that field, so they are here.' : '';
  return withheld || (answer.suggestions?.length || answer.strong ? hint : nothingNote(answer));
}

/** A document for which there is no session: nothing is saved at all, AutoFill is off, or it has no fields. */
function unlessNothing(error) {
  if (error.code !== code.expired) throw error;
  return { state: 'nothing', suggestions: [] };
}

async function show() {
  const mine = ++turn;
  try {
    const [status, found, { questions, submitted }, { recommendation }] = await Promise.all(
      [ask('status'), target ? { target, isCramped } : ask('open'), ask('questions'), ask('recommendation')]);
    ({ target, isCramped } = found);
    let answer = { state: status.initialized ? 'ready' : 'uninitialized', suggestions: [] };
    if (status.locked) answer.state = 'locked';
    else if (target) answer = await ask('suggestions', { target }).catch(unlessNothing);
    if (mine !== turn) return;
    at('state').textContent = status.locked ? 'Locked' : `AutoFill is ${status.autoFill ? 'on' : 'off'}`;
    const isOpen = status.initialized && !status.locked;
    at('search').hidden = !isOpen || !target;
    at('passwords').hidden = at('lock').hidden = !isOpen;
    const told = status.locked ? null : upgradeNote(recommendation);
    if (told) note(told.text, told.isBad);
    else note(target || status.locked ? noteFor(answer, status) : 'No sign-in form here. Reload pages that were open before Latchkey was installed.', Boolean(answer.lookalike));
    const rows = [...questionRows(questions), ...submittedRows(submitted && status.autoFill), ...(target || status.locked ? rowsFor(answer) : []),
      ...adviceRows(status.locked ? null : recommendation, acts)].map(meant);
    choices.show(rows);
    // A row that comes under the pointer is not what the pointer was moved to.
    const words = rows.map(({ row }) => `${row.id} ${row.ariaLabel}`).join('\n');
    if (words !== shown) {
      arm();
      // A Return that was meant for a fill answers no question.
      if (choices.marked?.id.startsWith('question-')) choices.mark(rows.findIndex(({ row }) => !row.id.startsWith('question-')));
    }
    shown = words;
  } catch (error) {
    if (mine !== turn) return;
    at('state').textContent = 'Not connected';
    const hint = /** @type {any} */ (error).data?.hint;
    note(`${/** @type {Error} */ (error).message} ${hint ?? ''}`, true);
    choices.show([]);
  }
  // What the user has gone to keeps the focus.
  if (document.activeElement === document.body) at('list').focus();
}

/** Letters that are typed at the list are searched for among all passwords. @param {KeyboardEvent} event */
function search(event) {
  if (at('search').hidden || event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
  if (event.target === at('list') && event.key.length === 1 && event.key !== ' ') at('search').focus();
  else if (event.target === at('search') && event.key === 'Enter') once(() => ask('picker', { target, search: at('search').value }))();
}

addEventListener('keydown', (event) => { if (event.isTrusted) search(event); });
at('passwords').addEventListener('click', once(() => ask('passwords')));
at('lock').addEventListener('click', once(() => ask('lock')));
at('settings').addEventListener('click', () => chrome.runtime.openOptionsPage().then(() => close()));
onChanged(() => { if (!isBusy) show(); });
on('upgrade', () => { if (!isBusy) show(); });
show();

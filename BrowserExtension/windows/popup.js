// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import { clock } from '../logic/clock.js';
import { code, sentence, told } from '../messages/errors.js';
import { ask, on, onChanged, option, place, say } from './ask.js';
import { Choices } from './choices.js';
import { detailOf, distinctionOf, nothingNote, withheldNote, wordsOf } from './codes.js';
import { FoundList } from './found.js';
import { arm, isInFront } from './front.js';
import { adviceRows, upgradeNote } from './upgrade-rows.js';

const at = (id) => /** @type {any} */ (document.getElementById(id));
const choices = new Choices(at('list'), at('list'));
/** The document that a choice is for. @type {import('../messages/answers.js').Target | null} */
let target = null;
/** Whether the field that the user is at has no room for a bar. */ let isCramped = false;
let turn = 0;
let isBusy = false;
/** What the note says when nothing was searched for. */ let standing = { text: '', isBad: false };
/** Whether what was typed is being searched for, and whether it has changed meanwhile. */
let isFinding = false;
let isOutdated = false;
/** Whether what is searched for was just typed. */ let isTyped = false;
/** Whether Return was pressed for what is still being searched for. */ let isWanted = false;
/** Whether the list of what is saved is asked about, so that it has a window of its own. */ let isAsked = false;
/** Whether something has changed while the popup was busy. */ let wasChanged = false;
/** What a press is told that came before the popup has been in front, or unchanged, for a while. */
const early = 'Too early. Try once more.';
/** What would copy all the same. @type {(() => void) | null} */ let anyway = null;
/** What the rows say. */ let shown = '';
/** Why the button of this tab is marked. */ let warning = '';

/** @param {string} text @param {boolean} [isBad] @param {boolean} [isAgain] whether it is said although it stands there already */
function note(text, isBad = false, isAgain = false) {
  const isNew = at('note').textContent !== text;
  if ((isNew || isAgain) && text) say(at('said'), text);
  // The note is above the rows, so another text moves them.
  if (isNew) found.moved();
  at('note').textContent = text;
  at('note').hidden = text === '';
  at('note').classList.toggle('bad', isBad);
}

/** Says below the rows what has become of a press, until the next one. @param {string} text @param {boolean} [isBad] */
function outcome(text, isBad = false) {
  at('anyway').hidden = true;
  say(at('outcome'), text);
  at('outcome').hidden = text === '';
  at('outcome').classList.toggle('bad', isBad);
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
  return { row, act: (/** @type {Event} */ event) => { if (isInFront()) act(event); else note(early, false, true); } };
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

/** @type {Record<string, string>} */
const copied = { user: 'The user name', password: 'The password', code: 'The code' };

/** Copies while the popup stays. @param {import('../messages/answers.js').Found} found @param {string} what @param {boolean} [unmarked] */
async function copy(found, what, unmarked = false) {
  if (isBusy) return;
  if (!isInFront()) { outcome(early); return; }
  const { handle, title, user } = found;
  const whose = user && what !== 'user' ? `${user} at ${title}` : title;
  isBusy = true;
  outcome('');
  try {
    const { seconds } = await ask('copy', { handle, what, unmarked });
    outcome(`${copied[what]} of ${whose} is copied. It stays on the clipboard for ${seconds} seconds.`);
  } catch (error) {
    const { code: number, data } = /** @type {any} */ (error);
    outcome(number === code.userCanceled ? '' : told(error), true);
    // Pressed at once, it is only too early.
    at('anyway').hidden = !((number === code.refused && data?.reason === 'unmarked') || (number === code.tooManyAttempts && unmarked));
    anyway = () => copy(found, what, true);
  } finally {
    isBusy = false;
    if (wasChanged) show();
  }
}

/** @param {() => Promise<unknown>} act what is done only once the popup has been in front for a while */
function meantOnce(act) {
  if (isInFront()) once(act)();
  else outcome(early);
}

const found = new FoundList(at('found'), at('search'), {
  fill: ({ fill }) => meantOnce(() => ask('choose', { target, handle: fill?.handle, row: wordsOf(fill), guard: { held: true } })),
  open: ({ url }) => meantOnce(() => ask('openSite', { url })),
  copy,
  passwords: () => meantOnce(() => ask('passwords')),
}, () => outcome(early));

/**
 * Shows what is saved, by what is typed, or for the page where it has no form to fill. One search at a time.
 * @param {boolean} [byUser] whether the user has just typed what is searched for
 */
async function find(byUser = false) {
  isOutdated = true;
  isTyped = byUser;
  if (isFinding) return;
  isFinding = true;
  try {
    while (isOutdated) {
      isOutdated = false;
      const isOpen = !at('search').hidden;
      const search = isOpen ? at('search').value.trim() : '';
      const isList = search === '' && at('list').childElementCount > 0;
      const answer = !isOpen || isList ? { accounts: [] } : await ask('find', { search, target }).catch((error) => ({ accounts: [], error }));
      if (isOutdated) continue;
      at('list').hidden = search !== '' || at('list').childElementCount === 0;
      // Rows that change otherwise than by what is typed were not what the pointer was moved to.
      if (found.show(answer.accounts) && !isTyped) arm();
      isAsked = Boolean(search && answer.asks);
      if (isTyped) say(at('said'), search && answer.accounts.length ? `${answer.accounts.length} found` : '');
      if (answer.error) note(told(answer.error), true);
      else if (isAsked) note(target ? 'Press Enter to search all passwords.' : 'Press “Passwords…” to see what is saved.');
      else if (search && answer.accounts.length === 0) note('Nothing found.', false, isTyped);
      else note(search && !standing.isBad ? '' : standing.text, standing.isBad);
    }
  } catch (error) {
    isWanted = false;
    throw error;
  } finally {
    isFinding = false;
  }
  if (isWanted) enter();
}

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
  wasChanged = false;
  try {
    const [status, page, { questions, submitted }, { recommendation }] = await Promise.all(
      [ask('status'), target ? { target, isCramped, isOfWeb: true, warning } : ask('open'), ask('questions'), ask('recommendation')]);
    ({ target, isCramped, warning } = page);
    let answer = { state: status.initialized ? 'ready' : 'uninitialized', suggestions: [] };
    if (status.locked) answer.state = 'locked';
    else if (target) answer = await ask('suggestions', { target }).catch(unlessNothing);
    if (mine !== turn) return;
    at('state').textContent = status.locked ? 'Locked' : `AutoFill is ${status.autoFill ? 'on' : 'off'}`;
    const isOpen = status.initialized && !status.locked;
    at('search').hidden = !isOpen;
    at('passwords').hidden = at('lock').hidden = !isOpen;
    const told = status.locked ? null : upgradeNote(recommendation);
    // The reason for the mark on the button comes first.
    standing = told ?? (warning && !answer.lookalike ? { text: sentence(warning), isBad: true }
      : { text: target || !isOpen ? noteFor(answer, status) : noFormNote(page.isOfWeb), isBad: Boolean(answer.lookalike) });
    if (!at('search').value.trim()) note(standing.text, standing.isBad);
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
    await find();
  } catch (error) {
    if (mine !== turn) return;
    at('state').textContent = 'Not connected';
    const hint = /** @type {any} */ (error).data?.hint;
    note(`${/** @type {Error} */ (error).message} ${hint ?? ''}`, true);
    choices.show([]);
    found.show([]);
    at('search').hidden = true;
  }
  // What the user has gone to keeps the focus.
  if (document.activeElement === document.body) (at('list').childElementCount || at('search').hidden ? at('list') : at('search')).focus();
}

/** @param {boolean} isOfWeb */
function noFormNote(isOfWeb) {
  return `No sign-in form here. ${isOfWeb ? 'If this page was open before Latchkey was installed, reload it.' : 'Search to copy a password or to open its site.'}`;
}

/** Letters that are typed at the list are searched for among all passwords. @param {KeyboardEvent} event */
function search(event) {
  if (at('search').hidden || event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
  if (event.target === at('list') && event.key.length === 1 && event.key !== ' ') at('search').focus();
  else if (event.target === at('search') && event.key === 'Enter' && !event.repeat) enter();
}

/** Does what the best match is for. Where the list of what is saved is asked about, its own window asks. */
async function enter() {
  const search = at('search').value;
  isWanted = isFinding;
  if (search.trim() === '' || isFinding || at('search').hidden || found.chooseFirst()) return;
  if (isAsked && target) meantOnce(() => ask('picker', { target, search }));
}

addEventListener('keydown', (event) => { if (event.isTrusted) search(event); });
at('search').addEventListener('input', () => { isWanted = false; outcome(''); find(true); });
at('anyway').addEventListener('click', (/** @type {Event} */ event) => { if (event.isTrusted) anyway?.(); });
at('passwords').addEventListener('click', once(() => ask('passwords')));
at('lock').addEventListener('click', once(() => ask('lock')));
at('settings').addEventListener('click', () => chrome.runtime.openOptionsPage().then(() => close()));
onChanged(() => { if (isBusy) wasChanged = true; else show(); });
on('upgrade', () => { if (!isBusy) show(); });
show();

// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import { clock } from '../logic/clock.js';
import { ask, element, on, onChanged, option, say as announce } from './ask.js';
import { detailOf, distinctionOf, monogramOf, nothingNote, partsOf, secondsLeftIn, spokenOf, withheldNote, wordsOf } from './codes.js';

const at = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const root = document.documentElement;
const [rows, key, arrow] = [at('rows'), at('key'), at('arrow')];

/** How long what is said of a click stands there, in milliseconds. */
const legible = 2500;
/** What is said of a click that does not count, and what is not said at all. @type {Record<string, string>} */
const refusals = { early: 'Too early. Try once more.', covered: 'Something covers this. Nothing was done.', unseen: 'Too early. Try once more.' };

/** What words errors. It is needed seldom, and each file that the bar begins with is waited for. */
const wording = () => import('../messages/errors.js');

/** Only the answer to the last question is shown. */
let turn = 0;
let isBusy = false;
/** What judges clicks, once it is here. @type {import('./guard.js').Guard | null} */ let guard = null;
/** What keeps the seconds of codes right. */ let stopTicking = () => {};
/** What the rows that are drawn say. @type {string | null} */ let shown = null;
/** What the keyboard does here, once it is. @type {import('./bar-keys.js').Keys | null} */ let keys = null;
/** What happens when a row is chosen. @type {WeakMap<Element, Act>} */ const acts = new WeakMap();
/** Whether the rows that are drawn were said to those who do not see them. */ let isTold = false;
/** What a row says, where that is not all of what is drawn: the seconds of a code go on. @type {WeakMap<Element, string>} */ const said = new WeakMap();

/**
 * What the script that made this frame calls it. A page or another extension can put a copy of this document anywhere: one that has not got the
 * word shows nothing and takes no key, and the background script answers nothing without it.
 */
let word = '';
addEventListener('message', ({ source, data }) => {
  if (source !== parent || word !== '' || typeof data?.word !== 'string') return;
  word = data.word;
  begin();
});

// Asks the content script for the word.
ask('here').catch(() => {});

/** @param {string} type @param {object} [members] */
const askFor = (type, members = {}) => ask(type, { word, ...members });

// The focus stays in the page's field, as the words that the user types belong there.
addEventListener('mousedown', (event) => event.preventDefault(), true);
if (location.hash === '#rtl') root.dir = 'rtl';

/** Says something of a click, where it was made. @param {Element | null} row @param {string} text @param {boolean} [stays] */
function say(row, text, stays = false) {
  row?.setAttribute('data-said', text);
  announce(at('said'), text);
  if (!stays) clock.after(legible, () => { if (row?.getAttribute('data-said') === text) row.removeAttribute('data-said'); });
}

/** Shows that a click was seen, though there is nothing to do. @param {Element} where */
function pulse(where) {
  where.classList.remove('pulse');
  clock.frame(() => where.classList.add('pulse'));
}

/** @typedef {(prove: () => Promise<{held: boolean, reason: string}>) => Promise<void>} Act it asks for proof where something is filled */

/** @param {Event} event @param {Element} row */
async function onAct(event, row) {
  const act = acts.get(row);
  if (!act) return;
  const verdict = guard?.judge(event) ?? { counts: false, held: false, reason: 'early' };
  if (!verdict.counts) {
    if (refusals[verdict.reason]) say(row, refusals[verdict.reason]);
    return;
  }
  if (isBusy) { pulse(row); return; }
  isBusy = true;
  say(row, 'One moment…', true);
  try {
    await act(() => guard.prove(verdict));
    row.removeAttribute('data-said');
  } catch (error) {
    row.removeAttribute('data-said');
    await show();
    if (![9, 16].includes(/** @type {any} */ (error).code)) { const { told } = await wording(); note(told(error), true); }
  } finally {
    isBusy = false;
  }
}

/** Has a row do something. @param {HTMLElement} row @param {Act} act */
function does(row, act) {
  acts.set(row, act);
  row.addEventListener('click', (event) => { onAct(event, row); });
  return row;
}

/** @param {string} text @param {boolean} [isBad] */
function note(text, isBad = false) {
  fill([noteOf(text, isBad)]);
}

/** A line among the rows. It is none of them, and is said with them. @param {string} text @param {boolean} [isBad] */
function noteOf(text, isBad = false) {
  return element('p', { class: isBad ? 'note bad' : 'note', role: 'none', title: text }, text);
}

/** Says once what the bar shows, as soon as it is there to be chosen from: nobody hears it open. Once the keyboard is in it, the rows say themselves. */
function tell() {
  if (isTold || document.body.hidden) return;
  isTold = true;
  const count = rows.querySelectorAll('[role=option]').length;
  const notes = [...rows.querySelectorAll('.note')].map((one) => one.textContent);
  const [first] = rows.querySelectorAll('[role=option]');
  const told = root.classList.contains('entered') ? '' : count > 1 && first.id !== 'strong' ? `${count} suggestions` : first?.ariaLabel;
  announce(at('said'), [...notes, told && `${told}. Down goes there.`].filter(Boolean).join(' '));
}

/**
 * Shows rows. Those that say what the rows before them said take nobody's place: a press that has begun on one ends on it. Where they say
 * something else, a row that comes under the pointer is not what the pointer was moved to.
 * @param {HTMLElement[]} made
 */
function fill(made) {
  const words = made.map((row) => said.get(row) ?? row.outerHTML).join('');
  if (words === shown && rows.childElementCount === made.length) { made.forEach(renew); return; }
  // The first rows, too: where the daemon takes long, an empty bar has stood there for a while.
  guard?.restart();
  shown = words;
  isTold = false;
  root.classList.toggle('many', made.filter((row) => row.classList.contains('account')).length > 1);
  rows.replaceChildren(...made);
  keys?.refresh();
}

/** Has a row that is drawn do what one does that says the same. @param {HTMLElement} row @param {number} index */
function renew(row, index) {
  const drawn = rows.children[index];
  const [act, detail] = [acts.get(row), row.querySelector('.detail')];
  if (act) acts.set(drawn, act);
  if (!detail || !said.has(row)) return;
  /** @type {Element} */ (drawn.querySelector('.detail')).textContent = detail.textContent;
}

/** @param {import('../messages/answers.js').Row & {handle: string}} suggestion @param {number} index */
function rowFor(suggestion, index) {
  const { handle, title } = suggestion;
  const row = option({ id: `row-${index}`, title, detail: detailOf(suggestion), ...distinctionOf(suggestion) });
  row.setAttribute('aria-label', spokenOf(suggestion));
  if (suggestion.code) said.set(row, JSON.stringify([wordsOf(suggestion), distinctionOf(suggestion)]));
  else dress(row, suggestion);
  return does(row, async (prove) => { await askFor('choose', { handle, row: wordsOf(suggestion), guard: await prove() }); });
}

/** Gives an account its monogram, and has the line with its host quiet. @param {HTMLElement} row @param {import('../messages/answers.js').Row} suggestion */
function dress(row, suggestion) {
  const { words, rest } = partsOf(suggestion.title);
  const title = /** @type {Element} */ (row.querySelector('.title'));
  title.replaceChildren(...(words ? [element('span', { class: 'lead' }, words)] : []), element('bdi', {}, rest));
  const mark = row.querySelector('.mark');
  if (mark) title.append(' · ', mark);
  row.querySelector('.detail')?.setAttribute('dir', 'auto');
  row.classList.add('account');
  row.prepend(element('span', { class: 'monogram', 'aria-hidden': 'true', 'data-sign': monogramOf(suggestion) }));
}

function unlockRow() {
  const row = option({ id: 'unlock', title: 'Unlock Latchkey…', detail: 'to see your passwords', icon: 'lock' });
  return does(row, async (prove) => {
    const at = clock.date();
    const { filled } = await askFor('unlock', { at, guard: await prove() });
    if (!filled) await show();
  });
}

/** What makes a new password for the page. @param {{handle: string, providerName: string}} strong */
function strongRows({ handle, providerName }) {
  const use = option({ id: 'strong', title: 'Use Strong Password', detail: `new, kept in ${providerName}`, icon: 'key' });
  const look = option({ id: 'look', title: 'Show Before Using…', detail: 'in a window of its own' });
  const row = { title: 'Use Strong Password', user: '', provider: '' };
  does(use, async (prove) => askFor('choose', { handle, row, guard: await prove() }));
  does(look, async (prove) => askFor('choose', { handle, row, guard: await prove(), show: true }));
  return [use, look];
}

/** Keeps the seconds of codes right, and asks again when one is over. @param {(import('../messages/answers.js').Row & {handle: string})[]} suggestions */
function tick(suggestions) {
  const end = secondsLeftIn(suggestions);
  if (end === Infinity) return;
  const since = clock.now();
  stopTicking = clock.every(1000, () => {
    const passed = Math.floor((clock.now() - since) / 1000);
    if (passed >= end) { stopTicking(); show(); return; }
    suggestions.forEach((suggestion, index) => {
      const detail = document.querySelector(`#row-${index} .detail`);
      if (!detail || !suggestion.code) return;
      detail.textContent = detailOf(suggestion, passed);
      // Once the keyboard is here, a screen reader would say a name each second that it changes.
      if (!root.classList.contains('entered')) detail.closest('.row')?.setAttribute('aria-label', spokenOf(suggestion, passed));
    });
  });
}

async function show() {
  const mine = ++turn;
  // A sandbox reaches into the frames below it: the bar there is nobody's, and is answered as such.
  key.hidden = arrow.hidden = self.origin === 'null';
  if (key.hidden) { note('Latchkey does not fill in a page that is sandboxed.'); return; }
  let answer;
  try {
    answer = await askFor('suggestions');
  } catch (error) {
    if (mine === turn) note(/** @type {Error} */ (error).message, true);
    return;
  }
  if (mine !== turn) return;
  stopTicking();
  key.hidden = answer.state !== 'ready';
  at('strip').textContent = answer.site ? `Passwords for ${answer.site}` : 'Latchkey';
  const withheld = withheldNote(answer.withheld);
  if (answer.state === 'locked') fill([unlockRow()]);
  else if (answer.state !== 'ready') note('Latchkey is not set up yet. Run “latchkey init”.');
  else if (answer.refusal) {
    const { sentence } = await wording();
    if (mine === turn) note(sentence(answer.refusal));
  }
  else if (answer.strong) fill(strongRows(answer.strong));
  else if (answer.lookalike) note(`This is not ${answer.lookalike}. Nothing is offered here.`, true);
  else if (!answer.suggestions?.length) note(withheld || nothingNote(answer));
  else {
    const above = withheld ? [noteOf(withheld)] : [];
    fill([...above, ...answer.suggestions.map(rowFor)]);
    tick(answer.suggestions);
  }
}

// ---- Small and large

const isLarge = () => innerHeight > innerWidth / 3;

/** The frame has another size: what is in it now was not there before. */
function sized() {
  if (root.classList.toggle('large', isLarge())) guard?.restart();
  else rows.scrollTop = 0;
  arrow.setAttribute('aria-expanded', String(isLarge()));
}

/**
 * Opens the large bar, by an act of the user. Its own size does not say whether it is open: a frame that has just been shown has another.
 * @returns {Promise<boolean>} whether there is room for it
 */
async function grow() {
  const { fits, isUp } = await askFor('place', { act: 'room' });
  if (fits) {
    // What is under the pointer stays, or nothing is there: the frame knows first where it is going to be.
    root.classList.toggle('up', isUp === true);
    await askFor('place', { act: 'grow' });
  } else {
    say(rows.querySelector('[role=option]'), 'No room. The toolbar button has all.');
    pulse(arrow);
  }
  return fits === true;
}

arrow.addEventListener('click', async (event) => {
  if (!event.isTrusted) return;
  pulse(arrow);
  await (isLarge() ? askFor('place', { act: 'shrink' }) : grow()).catch(() => {});
});

addEventListener('click', (event) => {
  if (!event.isTrusted || !(event.target instanceof Element) || event.target.closest('[role=option], #arrow')) return;
  // It does nothing that the page could see: its answer would tell whether there is a row where the user has clicked.
  pulse(rows);
});

/** The keyboard has come in. */
async function enter() {
  if (document.body.hidden || root.classList.contains('entered')) return;
  root.classList.add('entered');
  guard?.entered();
  at('filter').hidden = false;
  at('filter').focus();
  const [{ Keys }, { text }] = await Promise.all([import('./bar-keys.js'), askFor('place', { act: 'typed' }).catch(() => ({ text: '' }))]);
  keys ??= new Keys(at('list'), /** @type {HTMLInputElement} */ (at('filter')), {
    act: (row, event) => { onAct(event, row); },
    leave: () => { askFor('place', { act: 'leave' }).catch(() => {}); },
    say: (text) => announce(at('said'), text),
  });
  keys.enter(text);
  await grow().catch(() => {});
}

/** The bar has its word, and with it fields: draws its rows, and watches from now on whether the user can see it. */
async function begin() {
  askFor('known').then(() => {
    document.body.hidden = false;
    if (document.hasFocus()) enter();
  }, () => {});
  show();
  // The guard asks something too; the rows are what the user waits for, so they are asked for first.
  const { Guard } = await import('./guard.js');
  guard ??= new Guard(() => askFor('scale').catch(() => ({ scale: 0, zoom: 0 })), (isKey) => askFor('look', { isKey }), () => { askFor('watch').catch(() => {}); },
    (isArmed) => {
      root.classList.toggle('arming', !isArmed);
      if (isArmed) tell();
    });
  if (root.classList.contains('entered')) guard.entered();
}

onChanged(() => { if (word !== '') show(); });
// A window that came or went may have lain over this one.
on('floating', () => guard?.restart());
// A sandboxed frame cannot be sent the word. It shows one fixed sentence.
if (self.origin === 'null') { document.body.hidden = false; show(); }
does(key, () => askFor('picker'));
addEventListener('resize', sized);
sized();
addEventListener('focus', enter);
addEventListener('blur', () => {
  root.classList.remove('entered');
  at('filter').hidden = true;
  keys?.left();
});

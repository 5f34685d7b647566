// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import { ask, onChanged } from './ask.js';
import { BrowserSection } from './settings-browser.js';

/*
 * The first-run page: what there is to do until the first password is filled, and which of it is done. Whether something was imported or
 * filled is not told to the extension, so those steps have no state.
 */

const at = (id) => /** @type {any} */ (document.getElementById(id));
const action = /** @type {any} */ (chrome.action);
let turn = 0;
let isBusy = false;

/** @param {string} text */
function note(text) {
  at('note').textContent = text;
  at('note').hidden = text === '';
}

/** Tells a screen reader. @param {string} text */
function say(text) {
  at('say').textContent = text;
}

/** Shows whether a step is done. @param {string} step @param {boolean} isDone */
function mark(step, isDone) {
  const sign = at(step).querySelector('h2 > .mark');
  const was = at(step).dataset.done;
  at(step).dataset.done = String(isDone);
  sign.textContent = isDone ? 'Done' : 'To do';
  sign.hidden = false;
  if (was === 'false' && isDone) say(`${at(step).querySelector('h2').firstChild.textContent.trim()}: done.`);
}

/** @param {any} error */
function words(error) {
  return [error.message, error.data?.hint].filter(Boolean).join(' ');
}

/**
 * Whether Latchkey can fill.
 * @param {{initialized: boolean, locked: boolean, autoFill: boolean} | null} status null without a connection
 * @param {string} problem
 */
function showLatchkey(status, problem) {
  const isReady = status !== null && status.initialized && !status.locked;
  const text = !status ? problem : !status.initialized ? 'Latchkey is not set up yet.' : status.locked ? 'Latchkey is locked.'
    : status.autoFill ? 'Latchkey is running, and AutoFill is on.' : 'AutoFill is off.';
  // Said once more to a screen reader only where it is something else.
  if (at('latchkey-state').textContent !== text) at('latchkey-state').textContent = text;
  at('missing').hidden = status !== null;
  at('init').hidden = !status || status.initialized;
  at('unlock').hidden = !status?.initialized || !status.locked;
  at('off').hidden = !isReady || status.autoFill;
  mark('latchkey', isReady && status.autoFill);
}

/** Whether the toolbar shows the button; the step is left out where the browser does not say. */
async function showButton() {
  const settings = await action.getUserSettings?.().catch(() => null);
  at('button').hidden = typeof settings?.isOnToolbar !== 'boolean';
  if (!at('button').hidden) mark('button', settings.isOnToolbar);
}

/** The key that really opens the popup: the user may have changed it, and another extension may have it. */
async function showKey() {
  const key = (await chrome.commands.getAll()).find(({ name }) => name === '_execute_action')?.shortcut ?? '';
  at('shortcut').querySelector('kbd').textContent = key;
  at('shortcut').hidden = key === '';
  at('no-shortcut').hidden = key !== '';
}

async function show() {
  const mine = ++turn;
  await Promise.all([showButton(), showKey(), browser.show().then((isOff) => mark('browser', isOff))]);
  const [status, problem] = await ask('status').then((answer) => [answer, ''], (error) => [null, words(error)]);
  if (mine === turn) showLatchkey(status, problem);
}

/** Does one thing at a time. @param {() => Promise<unknown>} act */
async function doing(act) {
  if (isBusy) return;
  isBusy = true;
  note('');
  try {
    await act();
  } catch (error) {
    if (error.code !== 9) note(words(error));
  } finally {
    isBusy = false;
    await show();
  }
}

/** Copies what stands beside a button; selects it where the browser does not let a page copy. @param {HTMLElement} code @param {HTMLElement} button */
async function copy(code, button) {
  const text = code.textContent ?? '';
  try {
    await navigator.clipboard.writeText(text);
    for (const one of copiers) name(one, one === button ? 'Copied' : 'Copy');
    say(`Copied: ${text}`);
  } catch {
    getSelection()?.selectAllChildren(code);
    say(`Not copied. ${text} is selected.`);
  }
}

/** @param {HTMLElement} button @param {string} word */
function name(button, word) {
  button.textContent = word;
  button.setAttribute('aria-label', `${word}: ${button.previousElementSibling?.textContent}`);
}

const browser = new BrowserSection(at, doing, say);
const copiers = /** @type {HTMLElement[]} */ ([...document.querySelectorAll('.copied > button')]);
const isFirefox = location.protocol === 'moz-extension:';

document.documentElement.dir = chrome.i18n.getMessage('@@bidi_dir') === 'rtl' ? 'rtl' : 'ltr';
for (const part of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('.firefox'))) part.hidden = !isFirefox;
for (const part of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('#button .chromium, #fill .chromium'))) part.hidden = isFirefox;
for (const button of copiers) {
  name(button, 'Copy');
  button.addEventListener('click', (event) => {
    if (event.isTrusted) copy(/** @type {HTMLElement} */ (button.previousElementSibling), button);
  });
}
at('unlock').addEventListener('click', (event) => { if (event.isTrusted) doing(() => ask('unlock')); });
action.onUserSettingsChanged?.addListener(() => { showButton(); });
onChanged(show);
// While it was not looked at something may have been done.
addEventListener('focus', () => { if (!isBusy) show(); });
show();

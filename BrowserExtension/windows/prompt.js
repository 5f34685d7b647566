// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import { clock } from '../logic/clock.js';
import { ask, element, onUpdate, place, say as sayIn } from './ask.js';
import { arm, checkAnew, isInFront, isTooEarly, need, onFront, zoom } from './front.js';
import { Interface } from './interface.js';

/*
 * The window in which the user says yes or no, types the passphrase, or meets a provider's interface. What stands above
 * that, and Cancel, is ours: a provider has no say in it.
 */

const prompt = new URLSearchParams(location.search).get('prompt') ?? '';
const at = (id) => /** @type {any} */ (document.getElementById(id));
let kind = '';
let isWaiting = false;
let hasEnded = false;
/** Whether a fingerprint answers; and whether the reader waits for one. */
let takesFinger = false;
/** What is typed here: the passphrase, or the PIN as well. */
let secret = 'passphrase';
let isReading = false;
/** @type {Interface | null} */ let shown = null;
/** What a press is told that came before this window had been in front for a while. */
const early = 'Too early. Try once more.';
/** Whether this window is just asking what it shows; and whether that has changed since. */
let isAsking = false;
let isOutdated = false;

const words = {
  unlock: { title: 'Unlock Latchkey', accept: 'Unlock' },
  authenticate: { title: 'Enter your passphrase to fill this password', accept: 'Fill' },
  confirm: { title: 'Fill this password?', accept: 'Fill' },
  foreign: { title: 'Use it on another site?', accept: 'Fill this once' },
  enable: { title: 'Enable this provider?', accept: 'Enable' },
  passwords: { title: 'Show your saved passwords?', accept: 'Show' },
  preferences: { title: 'Protect your passwords less?', accept: 'Change' },
  upgrade: { title: 'Change to a strong password?', accept: 'Change' },
  generated: { title: 'Use this strong password?', accept: 'Use Password' },
  savePassword: { title: 'Save password?', accept: 'Save', cancel: 'Not Now' },
  updatePassword: { title: 'Update password?', accept: 'Update', cancel: 'Not Now' },
  unlockToSave: { title: 'Save password?', accept: 'Unlock…', cancel: 'Not Now' },
};
/** Kinds that a yes alone answers. */
const withoutPassphrase = new Set(['confirm', 'generated', 'savePassword', 'updatePassword', 'unlockToSave']);

/** @param {[string, string | null | undefined][]} lines */
function facts(lines) {
  const told = lines.filter(([, value]) => value);
  at('facts').replaceChildren(...told.flatMap(([name, value]) => [element('dt', {}, name), element('dd', { dir: 'auto' }, value ?? '')]));
}

/** @param {string} [text] */
function end(text = 'This request has ended.') {
  hasEnded = true;
  shown?.wipe();
  say('');
  at('made').textContent = '';
  sayIn(at('error'), text);
  for (const id of ['accept', 'secret', 'keep', 'details', 'interface', 'hint', 'never', 'name', 'choice', 'generated', 'finger']) at(id).hidden = true;
  at('cancel').textContent = 'Close';
  at('cancel').onclick = () => close();
  at('cancel').focus();
}

/** @param {any} asked */
function showQuestion(asked) {
  secret = asked.takesPIN === true ? 'PIN or passphrase' : 'passphrase';
  const own = words[kind] ?? { title: 'Latchkey asks', accept: 'Allow' };
  const title = kind === 'unlock' && asked.site ? 'Unlock Latchkey to fill' : asked.thing === 'code' ? own.title.replace('passphrase', secret).replace('password', 'code') : asked.thing === 'extension' ? 'Enable this extension?' : asked.thing === 'conversion' ? 'Change to Sign in with Apple?' : asked.thing === 'reveal' ? 'Show this password?' : asked.thing === 'weak password' ? 'Use this weak password?' : own.title.replace('passphrase', secret);
  // Whose it is stands in the window alone: its title is read by every window list.
  const isCopy = asked.thing === 'copy' || asked.thing === 'copy, a code';
  const isFill = kind === 'authenticate' && asked.user && asked.thing !== 'code';
  at('title').textContent = isCopy ? `Enter your ${secret} to copy this ${asked.thing === 'copy' ? 'password' : 'code'}` : isFill ? `Enter your ${secret} to fill ${asked.user}` : title;
  at('accept').textContent = isCopy ? 'Copy' : own.accept;
  at('cancel').textContent = own.cancel ?? 'Cancel';
  at('who').textContent = asked.requester ? `Requested by ${asked.requester.replace(/^[a-z]/, (letter) => letter.toUpperCase())}` : '';
  const isEnable = kind === 'enable';
  at('error').textContent = isEnable ? '' : asked.message ?? '';
  facts([
    ['Site', asked.site && place(asked.site)], ['In a page of', asked.top && place(asked.top)], ['Saved for', asked.savedFor],
    ['User name', asked.mayRename ? '' : asked.user], [isEnable ? 'Provider' : asked.thing === 'code' && !asked.user ? 'From' : own.cancel ? 'Save in' : kind === 'generated' ? 'Kept in' : 'Saved in', asked.providers ? '' : asked.provider],
  ]);
  const lines = isEnable
    ? [
      ...(asked.thing === 'extension' ? [] : ['It learns which sites you sign in to with it.']),
      ...(asked.message ?? '').split('\n').filter(Boolean),
    ]
    : [...(asked.reasons ?? []), ...(asked.thing === 'conversion' ? ['You sign in with Apple in a window of its own; the password is removed when the site has taken it.'] : [])];
  if (kind === 'unlock' && asked.site) lines.push('If one account is saved for this site, it is filled.');
  at('details').hidden = lines.length === 0;
  at('details').replaceChildren(...lines.map((line) => element('li', { dir: 'auto' }, line)));
  at('keep').hidden = asked.mayKeep !== true;
  at('secret').hidden = withoutPassphrase.has(kind);
  at('secret').querySelector('label').textContent = secret[0].toUpperCase() + secret.slice(1);
  takesFinger = asked.takesFingerprint === true;
  at('finger').hidden = !takesFinger;
  showSaving(asked);
  document.title = `${title} — Latchkey`;
}

/** What only the questions about new passwords have. @param {any} asked */
function showSaving(asked) {
  at('never').hidden = kind !== 'savePassword' && kind !== 'updatePassword';
  at('generated').hidden = kind !== 'generated';
  const made = kind === 'generated' ? asked.password?.secret ?? '' : '';
  // Another one was not asked to be read.
  if (at('made').textContent !== made) at('made').setAttribute('aria-hidden', 'true');
  at('made').textContent = made;
  // What the user has written there already stays.
  if (asked.mayRename === true && at('name').hidden) at('user').value = asked.user ?? '';
  at('name').hidden = asked.mayRename !== true;
  at('choice').hidden = !asked.providers;
  at('providers').replaceChildren(...(asked.providers ?? []).map(({ identifier, name }) => element('option', { value: identifier }, name)));
  if (kind === 'updatePassword' || kind === 'savePassword') {
    at('details').hidden = false;
    const lines = [...(asked.reasons ?? []), kind === 'updatePassword' ? 'The password that is saved stays in the history.' : 'You can see and remove it in Latchkey’s settings, under “Show Passwords…”.'];
    at('details').replaceChildren(...lines.map((line) => element('li', {}, line)));
  }
  if (kind === 'unlockToSave') {
    at('details').hidden = false;
    at('details').replaceChildren(element('li', {}, 'Latchkey is locked. Unlock it to save what you have just typed.'));
  }
}

/** @param {any} asked */
function showInterface(asked) {
  // Without a provider it is Latchkey's own: what an app has asked for.
  const provider = asked.provider || 'Latchkey';
  if (!shown) {
    document.querySelector('main')?.classList.add('holds-interface');
    // Screen readers read an alert as a whole, which is too long for what a provider may show.
    at('question').setAttribute('role', 'dialog');
    at('title').textContent = provider;
    const wish = asked.site ? 'it to fill a page' : 'for its settings';
    at('who').textContent = asked.thing === 'change' ? 'It changes the password of this account, and asks you first' : asked.thing === 'conversion' ? 'It changes how this account signs in, and asks you first' : asked.provider ? `${asked.requester} asked ${wish}` : `${asked.requester} ${asked.thing === 'save' ? 'asks to save a password' : 'asks for a password'}`;
    facts([['Site', asked.site?.replace(/^https:\/\//, '')], ['User name', asked.user]]);
    at('accept').hidden = true;
    at('interface').hidden = false;
    at('interface').setAttribute('aria-label', `Shown by ${provider}`);
    document.title = `${provider} — Latchkey`;
    at('cancel').focus();
    shown = new Interface(at('interface'), { say, act, reveal, copy, provider });
  }
  const wasEmpty = shown.isEmpty;
  shown.show(asked.interface ?? null);
  if (document.activeElement === document.body) at('cancel').focus();
  // What a provider shows first was not there when the window came to the front.
  if (wasEmpty && !shown.isEmpty) arm();
  // A provider could ask for what is Latchkey's own; what it says, it says below a line of ours.
  at('hint').hidden = !shown.asksForSecrets;
  at('hint').textContent = `This form is from ${provider}. Never type your Latchkey passphrase into it.`;
}

/** Tells a screen reader. @param {string} text */
function say(text) {
  sayIn(at('say'), text);
}

/** Has a screen reader say the new password, by its characters; from then on it finds it in the window, too. */
function read() {
  at('made').removeAttribute('aria-hidden');
  say([...at('made').textContent].join(' '));
}

/** Carries what the user did to the provider. @param {object} done @returns {Promise<boolean>} whether it arrived */
async function act(done) {
  try {
    await ask('act', { prompt, ...done });
    at('error').textContent = '';
    return true;
  } catch (error) {
    if (![7, 16].includes(error.code)) at('error').textContent = error.message;
    // What was acted on may have changed in that moment, or all of it may have ended: what is there now says which.
    show();
    return false;
  }
}

/** Asks for the password that an element stands for. @param {string} part @returns {Promise<string | null>} null where it is not shown */
async function reveal(part) {
  try {
    const { password } = await ask('reveal', { prompt, element: part });
    at('error').textContent = '';
    return password.secret;
  } catch (error) {
    // Whoever has just said no knows why.
    if (![9, 16].includes(error.code)) at('error').textContent = error.message;
    return null;
  }
}

/**
 * Has the password that an element stands for copied.
 * @param {string} part @param {boolean} unmarked whether histories may keep it
 * @returns {Promise<'copied' | 'unmarked' | null>} null where it was not
 */
async function copy(part, unmarked) {
  try {
    await ask('copySaved', { prompt, element: part, unmarked });
    at('error').textContent = '';
    return 'copied';
  } catch (error) {
    if (![9, 16].includes(error.code)) at('error').textContent = error.message;
    return error.data?.reason === 'unmarked' ? 'unmarked' : null;
  }
}

/** Shows what is there now; one question at a time, however fast it changes. */
async function show() {
  if (hasEnded) return;
  isOutdated = true;
  if (isAsking) return;
  isAsking = true;
  while (isOutdated && !hasEnded) {
    isOutdated = false;
    try {
      const asked = await ask('prompt', { prompt });
      kind = asked.kind;
      if (kind === 'interface') showInterface(asked);
      else showQuestion(asked);
    } catch {
      if (!at('title').textContent) at('title').textContent = 'Latchkey';
      end();
    }
  }
  isAsking = false;
}

async function start() {
  await show();
  stopReading();
  /** @type {HTMLElement} */ (document.querySelector('main')).hidden = false;
  // It stays where it is put: whoever hears where the keyboard is should not be led away from there.
  if (!hasEnded && kind !== 'interface') (!at('secret').hidden ? at('passphrase') : words[kind]?.cancel ? at('accept') : at('cancel')).focus();
  shown?.focus();
  if (document.activeElement === document.body) at('cancel').focus();
  need(() => ['title', 'who', 'facts', 'accept', 'cancel'].map(at));
  fit();
  arm();
  for (const part of document.querySelectorAll('main > :not(.above), form > :not(#finger)')) growth.observe(part);
}

/** Makes this window as high as what is in it, where the screen has room for that. */
function fit() {
  const missing = Math.min(document.documentElement.scrollHeight - innerHeight, screen.availHeight - outerHeight);
  if (missing > 0) resizeBy(0, Math.ceil(missing * zoom()));
}

/** How large this window was when what is in it had another size. */ let size = '';
/** Follows what is in this window. What comes of another size of the window is somebody's wish. */
const growth = new ResizeObserver(() => {
  const now = [innerWidth, innerHeight].join();
  if (size === now) { fit(); checkAnew(); }
  size = now;
});

async function answer(accept, never = false) {
  const members = { prompt, accept };
  if (never) members.never = true;
  if (accept && !at('choice').hidden) members.provider = at('providers').value;
  if (accept && !at('name').hidden) members.user = at('user').value;
  if (accept && !withoutPassphrase.has(kind)) members.passphrase = at('passphrase').value;
  if (accept && !at('keep').hidden && at('keeps').checked) members.keep = true;
  isWaiting = true;
  paint();
  try {
    await ask('answer', members);
    at('passphrase').value = '';
    close();
  } catch (error) {
    isWaiting = false;
    paint();
    // Nothing was tried: what was typed stays.
    if (error.data?.reason === 'floating') {
      arm();
      if (isTooEarly()) sayIn(at('error'), early);
      return;
    }
    at('passphrase').value = '';
    if (error.code === -32602 && !at('name').hidden) {
      refuse('user', error.message);
      return;
    }
    if (error.code !== 4 && error.code !== 5) { end(); return; }
    const wait = error.data.retryAfter ? ` Try again in ${error.data.retryAfter} seconds.` : '';
    refuse('passphrase', `${error.message}${wait}`);
  }
}

/** Says what is wrong with what was typed. @param {string} field @param {string} text */
function refuse(field, text) {
  sayIn(at('error'), text);
  at(field).setAttribute('aria-invalid', 'true');
  at(field).focus();
}
for (const field of ['passphrase', 'user']) at(field).addEventListener('input', () => at(field).removeAttribute('aria-invalid'));

/** Shows which buttons count. They take the keyboard all the same, so that it need not move once they do. */
function paint() {
  const counts = !isWaiting && !hasEnded && isInFront();
  for (const id of ['accept', 'never', 'use-finger']) at(id).classList.toggle('early', !counts || (id === 'use-finger' && isReading));
  if (counts && at('error').textContent === early) sayIn(at('error'), '');
}

/** Does what a press of the user is for, once the window has been in front for a while. @param {() => void} act */
function meant(act) {
  if (isWaiting || hasEnded) return;
  if (isInFront()) act();
  else if (isTooEarly()) sayIn(['', early].includes(at('error').textContent) ? at('error') : at('say'), early);
}

const told = {
  again: 'That finger was not recognised. Try again.',
  busy: 'The reader is still busy. Try again.',
  unavailable: 'The fingerprint reader cannot be used now.',
};

/** Stops the reader, whether this document began it or the one before a reload. */
function stopReading() {
  if (takesFinger) ask('stopFingerprint', { prompt }).catch(() => {});
}

/** Waits for a finger, after the user has pressed the button: that no page can press through a cover. It stops when the window is left. */
async function readFinger() {
  if (!takesFinger || isReading) return;
  isReading = true;
  paint();
  at('finger-state').textContent = 'Touch the fingerprint reader.';
  const stopWatching = clock.every(250, () => { if (!document.hasFocus() || document.hidden) stopReading(); });
  let outcome = 'unavailable';
  try {
    ({ outcome } = await ask('fingerprint', { prompt }));
  } catch (error) {
    outcome = { 6: 'refused', 12: 'busy', 16: 'ended' }[error.code] ?? outcome;
  }
  stopWatching();
  isReading = false;
  if (hasEnded) return;
  if (outcome === 'matched') { close(); return; }
  if (outcome === 'ended') { end(); return; }
  takesFinger = outcome !== 'passphrase' && outcome !== 'refused';
  paint();
  at('finger').hidden = !takesFinger;
  at('finger-state').textContent = told[outcome] ?? '';
  if (!takesFinger) {
    at('error').textContent = `${outcome === 'refused' ? '' : 'That finger was not recognised. '}Enter your ${secret}.`;
    at('passphrase').focus();
  }
}
for (const type of ['blur', 'pagehide']) addEventListener(type, stopReading);
document.addEventListener('visibilitychange', stopReading);
at('use-finger').addEventListener('click', (event) => { if (event.isTrusted) meant(readFinger); });
at('read').addEventListener('click', (event) => { if (event.isTrusted) meant(read); });

at('form').addEventListener('submit', (event) => {
  event.preventDefault();
  if (event.isTrusted && kind in words) meant(() => answer(true));
});
at('cancel').onclick = () => answer(false);
at('never').addEventListener('click', (event) => { if (event.isTrusted) meant(() => answer(false, true)); });
addEventListener('keydown', (event) => { if (event.key === 'Escape') at('cancel').click(); });

/*
 * In an interface a letter is an act too: it is searched for. So nothing reaches it before the window has been in front;
 * what leads out of it does.
 */
for (const type of ['keydown', 'keypress', 'keyup', 'beforeinput', 'input', 'change', 'paste', 'drop', 'pointerdown', 'mousedown', 'click', 'submit']) {
  addEventListener(type, (event) => {
    if (kind !== 'interface' || isInFront() || event.target === at('cancel')) return;
    if (event instanceof KeyboardEvent && ['Escape', 'Tab', 'Shift'].includes(event.key)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, true);
}

onFront(() => {
  if (isReading && !isInFront()) stopReading();
  paint();
  at('interface').classList.toggle('waiting', !isInFront());
});
onUpdate(prompt, show);
start();

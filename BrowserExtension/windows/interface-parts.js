// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import { clock } from '../logic/clock.js';
import { element } from './ask.js';

/*
 * The elements of an interface that hold one thing each. A provider's words are set with `textContent` and `dir="auto"`, which
 * also keeps marks of direction from reaching beyond their own element; what is announced is announced once.
 */

/** @typedef {import('./interface.js').Statement} Statement */
/** @typedef {import('./interface.js').Stage} Stage */
/** @typedef {import('./interface.js').Part} Part */

/** A field's contents, in characters, at most: what a password may have. */
const longest = 4096;

/** A heading or a message. @param {Statement} statement @param {Stage} stage @returns {Part} */
export function drawText({ kind }, stage) {
  const node = element(kind === 'heading' ? 'h3' : 'p', { class: kind, dir: 'auto' });
  return {
    node,
    update({ text, style }) {
      const words = String(text ?? '');
      // An error is said again when it stands there again: it answers what the user has just done.
      if (kind === 'message' && words && (node.textContent !== words || style === 'error')) stage.say(words);
      node.textContent = words;
      node.classList.toggle('bad', style === 'error');
    },
  };
}

/**
 * The line below what takes text: a provider could ask there for what is Latchkey's own.
 * @param {HTMLInputElement} field @param {Stage} stage
 */
export function receiverOf(field, stage) {
  const line = element('p', { class: 'receiver', id: stage.newName(), dir: 'auto' }, `Goes to ${stage.provider}, not to Latchkey.`);
  field.setAttribute('aria-describedby', line.id);
  return line;
}

/** A text field, or one for a secret. @param {Statement} statement @param {Stage} stage @returns {Part} */
export function drawField({ kind, value, contents }, stage) {
  const name = stage.newName();
  const label = element('label', { for: name, dir: 'auto' });
  const field = /** @type {HTMLInputElement} */ (element('input', {
    id: name, type: kind === 'secure' ? 'password' : 'text', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false',
    maxlength: String(longest), inputmode: { email: 'email', number: 'numeric' }[contents] ?? 'text', ...(kind === 'text' ? { dir: 'auto' } : {}),
  }));
  if (kind === 'text') field.value = String(value ?? '');
  return {
    node: element('div', { class: kind }, label, field, receiverOf(field, stage)),
    update({ label: words, placeholder }) {
      label.textContent = String(words ?? '');
      label.hidden = !words;
      if (!words) field.setAttribute('aria-label', String(placeholder || (kind === 'secure' ? 'Password' : 'Text')));
      else field.removeAttribute('aria-label');
      field.placeholder = String(placeholder ?? '');
    },
    text: () => field.value,
    wipe: () => { field.value = ''; },
  };
}

/** @param {Statement} statement @param {Stage} stage @returns {Part} */
export function drawButton({ id }, stage) {
  const node = /** @type {HTMLButtonElement} */ (element('button', { type: 'button', dir: 'auto' }));
  const press = () => { if (!node.disabled) stage.act({ element: id, action: 'press' }); };
  node.addEventListener('click', (event) => { if (event.isTrusted) press(); });
  // Held down, Return presses a button over and over.
  node.addEventListener('keydown', (event) => { if (event.repeat && event.key === 'Enter') event.preventDefault(); });
  return {
    node,
    press,
    update({ label, style, enabled }) {
      node.textContent = String(label ?? '');
      node.classList.toggle('main', style === 'default');
      node.classList.toggle('bad', style === 'destructive');
      node.disabled = enabled === false;
    },
  };
}

/** @param {Statement} statement @param {Stage} stage @returns {Part} */
export function drawToggle({ id }, stage) {
  const box = /** @type {HTMLInputElement} */ (element('input', { type: 'checkbox', role: 'switch' }));
  const words = element('span', { dir: 'auto' });
  box.addEventListener('change', (event) => {
    if (event.isTrusted) stage.act({ element: id, action: 'change', text: box.checked ? 'on' : 'off' });
  });
  return {
    node: element('label', { class: 'toggle' }, box, words),
    update({ label, on }) {
      words.textContent = String(label ?? '');
      box.checked = on === true;
    },
  };
}

/** @param {Statement} _statement @param {Stage} stage @returns {Part} */
export function drawProgress(_statement, stage) {
  const name = stage.newName();
  const words = element('div', { id: name, dir: 'auto' });
  const bar = /** @type {HTMLProgressElement} */ (element('progress', { max: '1', 'aria-labelledby': name }));
  return {
    node: element('div', { class: 'progress' }, words, bar),
    update({ label, fraction }) {
      const said = String(label ?? '');
      if (said && words.textContent !== said) stage.say(said);
      words.textContent = said;
      if (typeof fraction === 'number') bar.value = Math.max(0, Math.min(1, fraction));
      else bar.removeAttribute('value');
    },
  };
}

/** How long a password is shown, in milliseconds. */
const showing = 30_000;

/**
 * A saved password: hidden until the user wants to see it, and again half a minute later or when the window is left.
 * @param {Statement} statement @param {Stage} stage @returns {Part}
 */
export function drawSaved({ id }, stage) {
  const name = stage.newName();
  const words = element('span', { id: name, dir: 'auto' });
  const text = element('output', { class: 'secret', 'aria-live': 'off', 'aria-labelledby': name, dir: 'ltr' });
  const button = /** @type {HTMLButtonElement} */ (element('button', { type: 'button' }));
  const copying = /** @type {HTMLButtonElement} */ (element('button', { type: 'button', 'aria-describedby': name }, 'Copy'));
  let stop = () => {};
  let stopCopied = () => {};
  /** Whether histories of the clipboard may keep what is copied: the user was told. */ let isUnmarked = false;
  let isShown = false;
  let isOver = false;
  let wanted = '';
  const hide = () => {
    stop();
    isShown = false;
    text.textContent = '••••••••';
    button.textContent = 'Show';
  };
  const leave = () => { if (document.visibilityState === 'hidden') hide(); };
  hide();
  button.addEventListener('click', async (event) => {
    if (!event.isTrusted) return;
    if (isShown) { hide(); return; }
    const asked = wanted;
    button.disabled = true;
    const password = await stage.reveal(id);
    button.disabled = false;
    button.focus({ preventScroll: true });
    // Meanwhile the page may have gone, or may be another account's.
    if (password === null || isOver || asked !== wanted || document.visibilityState === 'hidden') return;
    isShown = true;
    text.textContent = password;
    button.textContent = 'Hide';
    stop = clock.after(showing, hide);
  });
  copying.addEventListener('click', async (event) => {
    if (!event.isTrusted) return;
    stopCopied();
    copying.disabled = true;
    const outcome = await stage.copy(id, isUnmarked);
    copying.disabled = false;
    copying.focus({ preventScroll: true });
    isUnmarked = outcome === 'unmarked';
    copying.textContent = outcome === 'copied' ? 'Copied' : isUnmarked ? 'Copy Anyway' : 'Copy';
    if (outcome !== 'copied') return;
    stage.announce('Copied.');
    stopCopied = clock.after(5000, () => { copying.textContent = 'Copy'; });
  });
  // Held down, Return would press them over and over; it may have been meant for what stood here before.
  for (const one of [button, copying]) one.addEventListener('keydown', (event) => { if (event.repeat && event.key === 'Enter') event.preventDefault(); });
  document.addEventListener('visibilitychange', leave);
  return {
    node: element('div', { class: 'saved' }, words, text, button, copying),
    update({ label, record }) {
      words.textContent = String(label ?? '');
      button.setAttribute('aria-describedby', name);
      if (wanted !== String(record)) hide();
      wanted = String(record);
    },
    wipe: () => {
      isOver = true;
      stopCopied();
      hide();
      document.removeEventListener('visibilitychange', leave);
    },
  };
}

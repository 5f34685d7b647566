// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/*
 * The popup's panel that makes a new password, to be copied into an app or a form that Latchkey does not fill. The daemon makes it as it
 * makes strong passwords, and does not keep it.
 */

import { told } from '../messages/errors.js';
import { ask } from './ask.js';

const at = (id) => /** @type {any} */ (document.getElementById(id));

/** Passwords that are still to be shown: one answer has several. @type {string[]} */ let rest = [];

/** @param {string} text */
function say(text) {
  at('made-note').textContent = text;
}

async function another() {
  say('');
  try {
    if (rest.length === 0) rest = (await ask('rules', { rules: '' })).examples;
    at('made').textContent = rest.shift() ?? '';
  } catch (error) {
    at('made').textContent = '';
    say(told(error));
  }
  at('copy-made').disabled = at('made').textContent === '';
}

async function copy() {
  try {
    await navigator.clipboard.writeText(at('made').textContent);
    say('Copied. It stays on the clipboard until something else is copied, and is saved nowhere.');
  } catch {
    say('It could not be copied. Select it by hand.');
  }
}

at('make').addEventListener('click', async () => {
  const isOpen = at('maker').hidden;
  at('make').setAttribute('aria-expanded', String(isOpen));
  if (isOpen) await another();
  else at('made').textContent = '';
  at('maker').hidden = !isOpen;
  for (const other of ['note', 'found', 'list', 'outcome']) at(other).toggleAttribute('data-away', isOpen);
  (isOpen ? at('maker-title') : at('list').hidden ? at('search') : at('list')).focus();
});
at('copy-made').addEventListener('click', (/** @type {Event} */ event) => { if (event.isTrusted) copy(); });
at('another').addEventListener('click', () => another());

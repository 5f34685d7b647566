// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import { ask, element } from './ask.js';

/*
 * The window in which the user says yes or no, and types the passphrase. It opens over whatever the user was doing, so
 * it takes no yes before it has been in front for a moment: a key or a click meant for the page must not answer it.
 */

const arming = 500;
const prompt = new URLSearchParams(location.search).get('prompt') ?? '';
const at = (id) => /** @type {any} */ (document.getElementById(id));
let armedAt = Infinity;
let kind = '';
let isWaiting = false;

const words = {
  unlock: { title: 'Unlock Latchkey', accept: 'Unlock' },
  authenticate: { title: 'Is it you?', accept: 'Fill' },
  confirm: { title: 'Fill this password?', accept: 'Fill' },
};

function arm() {
  armedAt = performance.now() + arming;
  at('accept').disabled = true;
  setTimeout(() => { at('accept').disabled = isWaiting || performance.now() < armedAt; }, arming + 20);
}

/** @param {string} site @param {string} user @param {string} provider */
function facts({ site, user, provider }) {
  const lines = [['Site', site?.replace(/^https:\/\//, '')], ['User name', user], ['Saved in', provider]].filter(([, value]) => value);
  at('facts').replaceChildren(...lines.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]));
}

function end(text) {
  at('error').textContent = text;
  at('accept').disabled = true;
  at('secret').hidden = true;
  at('cancel').textContent = 'Close';
  at('cancel').onclick = () => close();
}

async function show() {
  try {
    const asked = await ask('prompt', { prompt });
    kind = asked.kind;
    const own = words[kind] ?? { title: 'Latchkey asks', accept: 'Allow' };
    at('title').textContent = own.title;
    at('accept').textContent = own.accept;
    at('who').textContent = asked.requester ? `${asked.requester} asks` : '';
    at('error').textContent = asked.message ?? '';
    facts(asked);
    at('secret').hidden = kind === 'confirm';
    document.title = `${own.title} — Latchkey`;
  } catch {
    at('title').textContent = 'Latchkey';
    end('This request has ended.');
  }
  document.querySelector('main').hidden = false;
  (at('secret').hidden ? at('cancel') : at('passphrase')).focus();
  arm();
}

async function answer(accept) {
  const members = { prompt, accept };
  if (accept && kind !== 'confirm') members.passphrase = at('passphrase').value;
  isWaiting = true;
  at('accept').disabled = true;
  try {
    await ask('answer', members);
    at('passphrase').value = '';
    close();
  } catch (error) {
    isWaiting = false;
    at('passphrase').value = '';
    if (error.code !== 4 && error.code !== 5) { end('This request has ended.'); return; }
    const wait = error.data.retryAfter ? ` Try again in ${error.data.retryAfter} seconds.` : '';
    at('error').textContent = `${error.message}${wait}`;
    at('accept').disabled = false;
    at('passphrase').focus();
  }
}

at('form').addEventListener('submit', (event) => {
  event.preventDefault();
  if (event.isTrusted && !isWaiting && performance.now() >= armedAt) answer(true);
});
at('cancel').onclick = () => answer(false);
addEventListener('keydown', (event) => { if (event.key === 'Escape') at('cancel').click(); });
addEventListener('focus', arm);
document.addEventListener('visibilitychange', arm);
show();

// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import { option, place } from './ask.js';

/** @typedef {import('../messages/answers.js').Said} Said */

/** What is being done, in words, by the steps of docs/protocol.md. @type {Record<string, string>} */
const steps = {
  making: 'A password is made…', keeping: 'It is kept…', changing: 'The site’s app changes it…',
  asking: 'The site’s app asks you something first, in a window of its own.', saving: 'It is saved…',
  'signing-in': 'You sign in with Apple, in a window of its own.', removing: 'The password is removed…',
};

/** @param {string} step */
export function stepSentence(step) {
  return Object.hasOwn(steps, step) ? steps[step] : '';
}

/** What there is to say of a change that the user has begun. @param {Said | null} said @returns {{text: string, isBad: boolean} | null} */
export function upgradeNote(said) {
  const upgrade = said?.upgrade;
  if (!said || !upgrade) return null;
  if (upgrade.phase === 'running') return { text: [`Changing the password at ${place(said.site)}…`, stepSentence(upgrade.step)].filter(Boolean).join(' '), isBad: false };
  return { text: [upgrade.message, upgrade.hint].filter(Boolean).join(' '), isBad: upgrade.phase === 'failed' };
}

/**
 * What the user may do about the password that was filled. While it is being changed there is nothing, and afterwards neither.
 * @param {Said | null} said
 * @param {{upgrade: (handle: string) => void, change: (handle: string) => void, hide: (handle: string) => void}} acts
 */
export function adviceRows(said, acts) {
  if (!said || said.upgrade?.phase === 'running' || said.upgrade?.phase === 'done') return [];
  const { handle, site, reason, extension } = said;
  const upgrade = extension ? [{
    row: option({ id: 'upgrade', title: 'Upgrade to a Strong Password', detail: `${place(site)}: changed there by ${extension}, and saved`, icon: 'key' }),
    act: () => acts.upgrade(handle),
  }] : [];
  return [...upgrade, {
    row: option({ id: 'change', title: 'Change Password…', detail: `${place(site)}: ${reason}`, icon: 'key' }),
    act: () => acts.change(handle),
  }, {
    row: option({ id: 'hide', title: 'Don\'t Warn About This Password', detail: place(site), icon: 'key' }),
    act: () => acts.hide(handle),
  }];
}

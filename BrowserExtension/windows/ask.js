// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import { clock } from '../logic/clock.js';

/** An error that the background script or the daemon answered with. */
export class AskError extends Error {
  /** @param {{code: number | string, message: string, data?: {reason?: string, hint?: string, retryAfter?: number}}} error */
  constructor({ code, message, data }) {
    super(message);
    this.code = code;
    this.data = data ?? {};
  }
}

/** Where this window is on the screen, in device-independent pixels. Firefox throws while it closes one. */
export function screenPlace() {
  try {
    return { left: screenX, top: screenY, width: outerWidth, height: outerHeight };
  } catch {
    return { left: 0, top: 0, width: 0, height: 0 };
  }
}

/**
 * Asks the background script; once more where it was just being stopped, which loses the answer but never does a
 * thing twice: what it knew, handles included, ended with it.
 * @param {string} type
 * @param {object} [members]
 * @returns {Promise<any>}
 */
export async function ask(type, members = {}) {
  const message = { type, place: screenPlace(), ...members };
  const answer = await chrome.runtime.sendMessage(message).catch(() => chrome.runtime.sendMessage(message)).catch(() => null);
  if (!answer) throw new AskError({ code: 'unreachable', message: 'Latchkey did not answer.' });
  if (answer.error) throw new AskError(answer.error);
  return answer.result;
}

/**
 * Calls a listener whenever the background script says that something changed.
 * @param {() => void} listener
 */
export function onChanged(listener) {
  on('changed', listener);
}

/**
 * Calls a listener whenever the background script says something of a kind.
 * @param {string} type
 * @param {(message: any) => void} listener
 */
export function on(type, listener) {
  chrome.runtime.onMessage.addListener((message, sender) => {
    if (sender.id === chrome.runtime.id && !sender.tab && message?.type === type) listener(message);
  });
}

/**
 * Calls a listener whenever what a prompt shows has changed.
 * @param {string} prompt
 * @param {() => void} listener
 */
export function onUpdate(prompt, listener) {
  chrome.runtime.onMessage.addListener((message, sender) => {
    if (sender.id === chrome.runtime.id && !sender.tab && message?.type === 'update' && message.prompt === prompt) listener();
  });
}

/**
 * Makes an element.
 * @param {string} name
 * @param {Record<string, string>} [attributes]
 * @param {...(Node | string)} children
 */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/**
 * The second line of a row: the account, and whose it is where several providers offer some.
 * @param {string} user @param {string} [providerName]
 */
export function account(user, providerName) {
  return [user || 'no user name', providerName].filter(Boolean).join(' · ');
}

/** What is about to be said, by where it is said. @type {WeakMap<Element, () => void>} */ const coming = new WeakMap();

/**
 * Has a screen reader say something, the same words once more too, and nothing that was to be said there before.
 * @param {Element} status an element with the role `status` or `alert` @param {string} text
 */
export function say(status, text) {
  coming.get(status)?.();
  status.textContent = '';
  if (text) coming.set(status, clock.after(20, () => { status.textContent = text; }));
}

/** An origin as people read it. @param {string} origin */
export function place(origin) {
  return origin.replace(/^https:\/\//, '');
}

/** A word beside a row, and the same for a screen reader. @type {Record<string, [string, string]>} */
const relations = {
  sameSite: ['other host', 'saved for another host of this site'],
  shared: ['shared', 'saved for another site, which shares its accounts with this one'],
  associated: ['by an app', 'saved for a site whose app this is'],
};

/**
 * What sets a password apart from one that was saved for exactly this page.
 * @param {{relation?: string, top?: string, continues?: boolean}} row
 * @returns {{mark?: string, meaning?: string}}
 */
export function distinction({ relation, top, continues }) {
  const told = relation ? [relations[relation] ?? ['other site', 'saved for another site']] : [];
  if (continues) told.unshift(['this account', 'whose user name you filled before']);
  if (top) told.push(['in a frame', `you are asked whether it may be filled inside ${place(top)}`]);
  return told.length ? { mark: told.map(([mark]) => mark).join(', '), meaning: told.map(([, meaning]) => meaning).join(', ') } : {};
}

/**
 * A row of a list: a title and a line below it, read as one by a screen reader.
 * @param {{id: string, title: string, detail?: string, icon?: string, isOff?: boolean, mark?: string, meaning?: string}} parts
 */
export function option({ id, title, detail, icon, isOff, mark, meaning }) {
  const label = [title, detail, meaning].filter(Boolean).join(', ');
  const made = element('div', { role: 'option', id, class: 'row', 'aria-selected': 'false', 'aria-label': label });
  if (isOff) made.setAttribute('aria-disabled', 'true');
  if (icon) made.append(element('span', { class: `icon ${icon}`, 'aria-hidden': 'true' }));
  const words = element('span', { class: 'words' }, element('span', { class: 'title' }, title));
  if (detail) words.append(element('span', { class: 'detail' }, detail));
  made.append(words);
  if (mark) made.append(element('span', { class: 'mark', title: meaning ?? '' }, mark));
  return made;
}

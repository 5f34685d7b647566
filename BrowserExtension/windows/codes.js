// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import { account, distinction } from './ask.js';

/** @typedef {import('../messages/answers.js').Row} Row */

/** How long ago something was. @param {number} seconds */
function ago(seconds) {
  return seconds < 60 ? `${seconds} s ago` : `${Math.floor(seconds / 60)} min ago`;
}

/**
 * The second line of a row: whose account it is, or where the code came from; and how long it is good.
 * @param {Row} row @param {number} [passed] the seconds since the row was made
 */
export function detailOf({ user, providerName, code }, passed = 0) {
  if (!code) return account(user, providerName);
  const left = code.secondsLeft === undefined ? '' : `${Math.max(0, code.secondsLeft - passed)} s left`;
  if (!code.source) return [account(user, providerName), left].filter(Boolean).join(' · ');
  return [`from ${code.source}`, ago((code.age ?? 0) + passed)].join(' · ');
}

/** What sets a row apart. @param {Row} row */
export function distinctionOf(row) {
  if (!row.code?.source) return distinction(row);
  if (row.relation === 'unbound') return { mark: 'not bound', meaning: 'its message does not say for which site it is' };
  // Both hosts are named: the one that the code is bound to, and the page's own in its title.
  if (row.relation === 'sameSite') return { mark: 'other host', meaning: `its message binds it to ${row.savedFor}, another host of this site` };
  return {};
}

/** A row as a screen reader says it: what tells it from the others comes first. @param {Row} row @param {number} [passed] as for `detailOf` */
export function spokenOf(row, passed = 0) {
  const parts = [detailOf(row, passed), row.title];
  return [...(row.code ? parts.reverse() : parts), distinctionOf(row).meaning].filter(Boolean).join(', ');
}

/** What the title of an account begins with; a monogram stands for it where there are several. */
const lead = /^password for (?=\S+$)/;

/** The title of an account in two parts: words that many rows would share, and the host. @param {string} title */
export function partsOf(title) {
  const [words] = lead.exec(title) ?? [''];
  return { words, rest: title.slice(words.length) };
}

/** The letter or digit that stands for an account. @param {Row} row */
export function monogramOf({ user, title }) {
  const [sign] = /[\p{L}\p{N}]\p{M}*/u.exec(user || partsOf(title).rest) ?? ['•'];
  return sign.toLocaleUpperCase();
}

/** What a row is known by when its handle is of no use any more. @param {Row} row */
export function wordsOf({ title, user, provider, code }) {
  return { title, user, provider, ...(code?.id ? { id: code.id } : {}) };
}

/** What is said above the rows: that a code came which is not for this page. @param {string[] | undefined} withheld */
export function withheldNote(withheld) {
  return withheld?.length ? `A code for ${withheld[0]} is not offered here.` : '';
}

/** What is said where there is no row. @param {{site?: string, kind?: string}} answer */
export function nothingNote({ site, kind }) {
  if (kind === 'one-time-code') return 'No code has come in the last minutes. It is shown here when it comes.';
  return `Nothing is saved for ${site ?? 'this site'}.`;
}

/** In how many seconds rows are out of date; `Infinity` where none is a code. @param {Row[]} rows */
export function secondsLeftIn(rows) {
  return Math.min(...rows.map(({ code }) => code?.secondsLeft ?? Infinity), Infinity);
}

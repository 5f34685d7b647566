// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import { code } from '../messages/errors.js';
import { wire } from './daemon.js';
import { describing, early, parts, rows, sessions, uses } from './memory.js';
import { WireError } from './native.js';
import * as platform from './platform.js';
import { keyOf } from './sessions.js';

/** @typedef {import('./sessions.js').Target} Target */

/*
 * The rows that a document's bar, popup or list shows, within the session of that document.
 */

/** The documents whose rows are being asked for early. */
const asking = new Set();
/** Maximum number of them. */
const most = 8;

/** Asks for the rows of a bar that is going to be shown. @param {Target} target @param {string} session */
export function askEarly(target, session) {
  const key = keyOf(target);
  // A page that moves the focus on and on has them asked for once at a time, and frames of one page some at a time; their bars ask
  // by themselves. The daemon answers so many requests at once, and an answer to a page must not be among those left over.
  if (asking.has(key) || asking.size >= most || sessions.find(target)?.session !== session) return;
  asking.add(key);
  const answer = wire.request('renderer.suggestions', { session });
  // Said on the toolbar too, where the page has no part in it.
  answer.then(({ lookalike }) => { if (lookalike) platform.warn(target.tab, `This is not ${lookalike}.`); })
    .catch(() => {}) // the bar asks again
    .finally(() => asking.delete(key));
  early.set(key, { session, answer });
}

/** What was asked for early, once, and for no other session. @param {Target} target @param {string} session */
function takeEarly(target, session) {
  const known = early.get(keyOf(target));
  early.delete(keyOf(target));
  return known?.session === session ? known.answer : null;
}

/** The rows for a document. @param {Target | null} target */
export async function suggestionsFor(target) {
  // It is there before a row is tapped. The page gets it at the same moment whatever the rows are: they are not waited for.
  if (target) parts.bring(target, 'filling');
  const answer = await within(target, (session) => takeEarly(target, session) ?? wire.request('renderer.suggestions', { session }));
  const origin = target && sessions.find(target)?.origin;
  if (origin && answer.suggestions) answer.suggestions = uses.sort(origin, answer.suggestions);
  remember(answer.suggestions, target);
  if (answer.strong) remember([{ ...strongRow, handle: answer.strong.handle }], target);
  return answer;
}

/**
 * Keeps the rows that a document is given, by their handles.
 * @param {(import('../messages/answers.js').Row & {handle: string})[] | undefined} given
 * @param {Target} target
 */
export function remember(given, target) {
  for (const { handle, title, user, provider, code: kept } of given ?? []) rows.set(handle, { key: keyOf(target), title, user, provider, id: kept?.id });
}

/** The offer of a new password, as a row: there is one of it in a document. */
const strongRow = Object.freeze({ title: 'Use Strong Password', user: '', provider: '' });

/** The row that the user chose, once; without a handle where it is one of an earlier connection. Rows of other documents are nobody's. */
export function takeRow({ handle, row }, target) {
  const known = rows.get(handle);
  rows.delete(handle);
  if (!known) return { title: row?.title, user: row?.user, provider: row?.provider, id: row?.id };
  if (known.key !== keyOf(target)) throw new WireError(code.notFound, 'That row belongs to another page.');
  return { ...known, handle };
}

/** The handle of a row of the same words, of now: what the user saw and chose has not changed because a handle did. */
export async function sameRow(row, target) {
  await suggestionsFor(target);
  for (const [handle, { key, title, user, provider, id }] of rows) {
    // Two codes may be called the same; they are still two.
    if (key === keyOf(target) && title === row.title && user === row.user && provider === row.provider && id === row.id) {
      rows.delete(handle);
      return handle;
    }
  }
  throw new WireError(code.expired, 'This list is out of date.');
}

/**
 * The session of a document; where there is none (any more), its content script is asked to describe its fields again.
 * @param {Target | null} target
 */
export async function sessionOf(target) {
  if (!target) throw new WireError(code.notFound, 'There is no page to fill.');
  const known = sessions.find(target);
  if (known) return known;
  describing.add(keyOf(target));
  await platform.tell(target.tab, target.document, { type: 'describe' }).catch(() => {});
  describing.delete(keyOf(target));
  const session = sessions.find(target);
  if (!session) throw new WireError(code.expired, 'The page is gone.');
  return session;
}

/**
 * Makes a request within the session of a document; once more with a new session where the old one had ended.
 * @template T
 * @param {Target | null} target
 * @param {(session: string) => Promise<T>} request
 */
export async function within(target, request) {
  try {
    return await request((await sessionOf(target)).session);
  } catch (error) {
    if (!target || !(error instanceof WireError) || error.code !== code.expired) throw error;
    sessions.drop(target);
    return request((await sessionOf(target)).session);
  }
}

// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import { keyOf } from '../logic/target.js';
import { WireError, code } from '../messages/errors.js';
import { wire } from './daemon.js';
import { describing, early, parts, rows, sessions } from './memory.js';
import * as platform from './platform.js';

/** @typedef {import('./sessions.js').Target} Target */

/*
 * The rows that a document's bar, popup or list shows, within the session of that document.
 */

/** Asks for the rows of a bar that is going to be shown. @param {Target} target @param {string} session */
export function askEarly(target, session) {
  if (sessions.find(target)?.session !== session) return;
  early.ask(keyOf(target), session, () => {
    const answer = wire.request('renderer.suggestions', { session });
    // Said on the toolbar too, where the page has no part in it.
    answer.then(({ lookalike }) => { if (lookalike) platform.warn(target.tab, `This is not ${lookalike}.`); }).catch(() => {});
    return answer;
  });
}

/** The rows for a document. @param {Target | null} target */
export async function suggestionsFor(target) {
  // It is there before a row is tapped. The page gets it at the same moment whatever the rows are: they are not waited for.
  if (target) parts.bring(target, 'filling');
  const answer = await within(target, (session) => early.take(keyOf(target), session) ?? wire.request('renderer.suggestions', { session }));
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
  rows.give(given, keyOf(target));
}

/** The offer of a new password, as a row: there is one of it in a document. */
const strongRow = Object.freeze({ title: 'Use Strong Password', user: '', provider: '' });

/** The handle of a row of the same words, of now. @param {import('../logic/rows.js').Words} row @param {Target} target */
export async function sameRow(row, target) {
  await suggestionsFor(target);
  return rows.takeSame(row, keyOf(target));
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

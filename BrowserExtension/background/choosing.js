// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import { unstated } from '../logic/guard.js';
import { times } from '../logic/places.js';
import { keyOf } from '../logic/target.js';
import { WireError, code, told } from '../messages/errors.js';
import { wire } from './daemon.js';
import { advice, choosing, floating, parts, rows, sessions, sights } from './memory.js';
import * as platform from './platform.js';
import { sameRow, sessionOf } from './rows.js';

/** @typedef {import('./sessions.js').Target} Target */

/** The user chose a row: gets the credential and passes it to that document only. */
export async function choose(message, target, surface) {
  await filling(target, async () => {
    const guard = { held: message.guard?.held === true, reason: String(message.guard?.reason ?? '') };
    // Neither the bar nor the popup knows what lies over its window, or did when the press was meant for it.
    if (isProven(guard) && surface !== 'window' && await isCovered(message.guard, target)) Object.assign(guard, { held: false, reason: 'window above' });
    const row = rows.take(message, keyOf(target));
    // A password saved for another site can be used only from the window of all passwords.
    const anyway = message.anyway === true && surface === 'window' ? { anyway: true } : {};
    const show = message.show === true ? { show: true } : {};
    const unasked = message.unasked === true ? { unasked: true } : {};
    let doubts = {};
    const request = async (handle) => {
      doubts = await doubtsOf(target);
      return wire.request('renderer.choose', { handle, surface, guard, ...anyway, ...show, ...unasked, ...doubts });
    };
    let answer;
    try {
      answer = await request(row.handle ?? await sameRow(row, target));
    } catch (error) {
      if (!row.handle || error.code !== code.expired) throw error;
      sessions.drop(target);
      answer = await request(await sameRow(row, target));
    }
    return deliver(answer, target, doubts);
  });
}

/** Whether nothing is known to speak against a choice but that the browser says less than others. @param {{held?: boolean, reason?: string} | null} guard */
export function isProven(guard) {
  return guard?.held === true || guard?.reason === unstated;
}

/**
 * Whether a window or video floats over a bar or popup, or did a moment ago.
 * @param {{place?: any}} guard with its place on the screen, as its document knows it @param {Target} target
 */
export async function isCovered({ place }, target) {
  return floating.hides(place && platform.zoomsPlaces ? times(place, await platform.zoomOf(target.tab)) : place);
}

/**
 * What speaks against filling a document's session without a question: fields that the user is not known to see, and other origins to which
 * the page would send what is filled.
 * @param {Target} target @returns {Promise<{unseen?: number[], unstated?: number[], sends?: string[]}>}
 */
export async function doubtsOf(target) {
  const found = await sights.unseen(target, (await sessionOf(target)).refs);
  // Where the fields are gone nothing is asked.
  if (found === null) throw new WireError(code.notFound, 'The page has changed; nothing was filled.');
  return Object.fromEntries(Object.entries(found).filter(([, doubted]) => doubted.length));
}

/**
 * Runs one fill of a document at a time. No new session of the document begins meanwhile.
 * @param {Target | null} target
 * @param {() => Promise<{notice: string, isCode: boolean}>} act returns a notice for the user, and whether a code was filled
 */
export async function filling(target, act) {
  if (!target) throw new WireError(code.notFound, 'There is no page to fill.');
  const key = keyOf(target);
  if (choosing.has(key)) throw new WireError(code.busy, 'You are being asked already.');
  let end = () => {};
  choosing.set(key, new Promise((resolve) => { end = resolve; }));
  try {
    const before = advice.of(target.tab);
    const { notice, isCode } = await act();
    // Advice about an earlier password of this tab does not apply. Advice about this one may have arrived already.
    if (!isCode && advice.of(target.tab) === before) advice.forget(target.tab);
    if (!notice && advice.of(target.tab)) advice.mark(target.tab);
    else platform.warn(target.tab, notice);
  } catch (error) {
    // The window that asked may be closed by now, so the toolbar button shows the result.
    if (error instanceof WireError && error.code !== code.userCanceled) platform.warn(target.tab, told(error));
    throw error;
  } finally {
    choosing.delete(key);
    end();
  }
}

/**
 * Fills only the document that the daemon's answer names.
 * @param {any} answer
 * @param {Target} target
 * @param {{unseen?: number[], unstated?: number[], sends?: string[]}} agreed what the daemon was told against filling them: the hidden fields, and where their forms send them
 */
export async function deliver(answer, target, { unseen = [], sends = [] }) {
  const session = sessions.find(target);
  const isMeant = session && answer.tab === target.tab && answer.document === target.document;
  const fills = (answer.fills ?? []).filter((fill) => session?.refs.has(fill.ref))
    .map((fill) => ({ ...fill, isAgreed: unseen.includes(fill.ref) }));
  if (!isMeant || fills.length === 0) throw new WireError(code.expired, 'The page has changed; nothing was filled.');
  // A document that cannot run what fills gets no secret.
  if (!await parts.bring(target, 'filling')) throw new WireError(code.refused, 'Latchkey could not get into the page; nothing was filled.');
  const done = await platform.tell(target.tab, target.document, { type: 'fill', fills, sends }).catch(() => null);
  const filled = fills.filter(({ ref }) => done?.filled?.includes(ref));
  if (filled.length === 0) throw new WireError(code.expired, 'The page has changed; nothing was filled.');
  const missing = filled.length < fills.length ? 'The page has changed; not all of it was filled.' : '';
  const isCut = filled.some(({ ref, role }) => /password$/.test(role) && done?.cut?.includes(ref));
  const cut = isCut ? 'The password is longer than this page accepts; only its beginning was filled.' : '';
  const notice = typeof answer.notice === 'string' ? answer.notice : '';
  return { notice: [missing, cut, notice].filter(Boolean).join(' '), isCode: filled.every(({ role }) => role === 'one-time-code') };
}

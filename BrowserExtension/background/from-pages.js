// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import { code } from '../messages/errors.js';
import { submissions, wire } from './daemon.js';
import { choosing, cramped, describing, early, parts, sessions } from './memory.js';
import { WireError } from './native.js';
import { Latest, pageIn } from './pages.js';
import { Parts } from './parts.js';
import * as platform from './platform.js';
import { askEarly } from './rows.js';
import { evidenceFor, evidenceOfTop, keyOf } from './sessions.js';

/*
 * What content scripts reach, and nothing else.
 */

/** What pages say of their fields, one at a time for each. */
const focusing = new Latest();

const fromPage = {
  /** A form was touched, or sent off: the content script of a document needs more there. It is asked for by name, and it is code alone. */
  async 'page.needs'({ part }, target) {
    // What fills is not the page's to ask for.
    if (!Parts.isKnown(part) || part === 'filling') throw new WireError(code.invalidParams, 'part');
    return { here: await parts.bring(target, part) };
  },

  /** A field took the focus or is pointed at, or this script asked for the page's forms. */
  async 'page.focused'(message, target, origin, isTop, after) {
    const key = keyOf(target);
    if (!describing.has(key)) await choosing.get(key);
    // A page can move the focus as often as it likes: what it says meanwhile is not asked about, but for the last of it.
    return focusing.run(key, () => focused(message, target, origin, isTop, after), { bar: false, fields: [] });
  },

  /** The user sent a form off. The answer is the same whatever is known of it, and is not waited for. */
  async 'page.submitted'(message, target, origin, isTop) {
    const frame = await (isTop ? evidenceOfTop(target, origin) : evidenceFor(target, origin));
    if (!frame || !Array.isArray(message.values)) return;
    const page = pageIn(message.page);
    // What is no text is nobody's password, and is not made another one.
    const given = message.values.map(({ ref, value }) => ({ ref, value: String(value) })).filter(({ value }) => value.isWellFormed());
    const values = given.map(({ ref, value }) => ({ ref, value: { secret: value } }));
    const typed = new Set(values.map(({ ref }) => ref));
    const top = frame.chain[frame.chain.length - 1].document;
    const holdsPassword = Array.isArray(page.fields) && page.fields.some(({ ref, type }) => type === 'password' && typed.has(ref));
    submissions.keep(target, top, holdsPassword, message.typed === true);
    // A link around a frame leads away from what was sent off in it.
    if (!isTop) parts.bring({ tab: target.tab, frame: 0, document: top }, 'leaving');
    wire.request('page.submitted', { frame, page, values }).catch(() => {});
  },

  /** The form is gone from a document that is still there. */
  async 'page.settled'(message, target, origin) {
    if (!submissions.settles(target)) return;
    const page = pageIn(message.page);
    wire.request('page.settled', { tab: target.tab, document: target.document, page, origin }).catch(() => {});
  },

  /** The user follows a link, goes back or closes something: what comes of that is no answer to what was sent off. */
  async 'page.strays'(message, target, origin, isTop) {
    // As long as it takes to keep a form: one that was sent off before is kept before.
    await (isTop ? evidenceOfTop(target, origin) : evidenceFor(target, origin));
    submissions.strays(target, Number(message.status), message.page, origin);
  },

  /** The document is hidden or being left. */
  async 'page.left'(_message, target) {
    leave([target]);
    cramped.left(target);
    submissions.left(target);
  },
};

/** Has the daemon decide on the fields of a page. */
async function focused(message, target, origin, isTop, after) {
  const frame = isTop ? evidenceOfTop(target, origin) : await evidenceFor(target, origin);
  if (!frame) throw new WireError(code.expired, 'The page is gone.');
  const field = Number.isInteger(message.focused) ? message.focused : null;
  const asked = { frame, focused: field, page: pageIn(message.page), active: message.active === true };
  const answer = await wire.request('page.focused', asked);
  if (answer.session) {
    const refs = new Set((answer.fields ?? []).map(({ ref }) => ref));
    // A bar or list that is open for this document shows rows of the session that has just ended.
    if (sessions.find(target)) platform.tellOwnDocuments({ type: 'changed' });
    sessions.keep({ ...target, session: answer.session, origin, refs });
    early.delete(keyOf(target));
    // The page has its answer before anything is looked up, so no time that it can measure depends on what is saved.
    if (answer.bar === true) after.push(() => askEarly(target, answer.session));
  }
  // Where there is no room for a bar the toolbar says so, whatever is saved.
  if (field !== null) cramped.note(target, message.cramped === true && answer.bar === true);
  return { bar: answer.bar === true, fields: answer.fields ?? [] };
}

/**
 * Answers a message of a content script.
 * @param {any} message
 * @param {chrome.runtime.MessageSender} sender
 * @param {(() => void)[]} after what is done once the answer has left
 */
export async function servePage(message, sender, after) {
  const tab = sender.tab?.id;
  const isDocument = platform.isPage(sender) && tab !== undefined && tab >= 0 && sender.frameId !== undefined;
  const type = String(message?.type);
  if (!isDocument || !Object.hasOwn(fromPage, type)) throw new WireError(code.methodNotFound, 'Not for pages.');
  const isTop = sender.frameId === 0 && platform.isCurrent(sender);
  return fromPage[type](message, { tab, frame: sender.frameId, document: sender.documentId }, sender.origin, isTop, after);
}

/** Ends the sessions of documents, and tells the daemon. @param {{tab: number, document: string}[]} targets */
export function leave(targets) {
  for (const target of targets) {
    sessions.drop(target);
    early.delete(keyOf(target));
    wire.notify('page.left', { tab: target.tab, document: target.document });
  }
}

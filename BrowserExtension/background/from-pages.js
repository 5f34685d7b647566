// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import { keyOf } from '../logic/target.js';
import { WireError, code } from '../messages/errors.js';
import { offering, submissions, wire } from './daemon.js';
import { choosing, cramped, describing, early, floating, opened, parts, sessions, wishes } from './memory.js';
import { Latest, pageIn } from './pages.js';
import { Parts } from './parts.js';
import * as platform from './platform.js';
import { askEarly } from './rows.js';
import { evidenceFor, evidenceOfTop } from './sessions.js';
import { areTyped } from './typing.js';

/*
 * The messages that content scripts may send. Every other message from a page is refused.
 */

/** Requests about fields, handled one at a time for each document. */
const focusing = new Latest();

/** Maximum number of documents in frames whose place is remembered. */
const placeLimit = 32;
/**
 * Where documents in frames were when they described a form. A frame may be gone before the background script hears that its form was
 * sent; what is above a document stays the same for as long as there is one. @type {Map<string, import('./sessions.js').Evidence>}
 */
const places = new Map();
/** The forms that are being stored, by document. @type {Map<string, Promise<unknown>>} */
const storing = new Map();

/** @param {import('./sessions.js').Evidence} frame */
function remember(frame) {
  places.delete(keyOf(frame));
  places.set(keyOf(frame), frame);
  const [first] = places.keys();
  if (places.size > placeLimit) places.delete(first);
}

const fromPage = {
  /** A form was touched or sent: injects the named further parts of the content script. The parts are code only, never data. */
  async 'page.needs'({ part }, target) {
    // A page may not request the part that fills.
    if (!Parts.isKnown(part) || part === 'filling') throw new WireError(code.invalidParams, 'part');
    const here = await parts.bring(target, part);
    // It is needed once the page has been described, and comes while the daemon answers.
    if (here && part === 'reading') parts.bring(target, 'seeing');
    return { here };
  },

  /** The user is at a page to sign in to. What is answered is the same for every page. */
  async 'page.offers'() {
    return { offers: await offering() };
  },

  /** The user acts in a document: in any of the tab something may float from now on. */
  async 'page.acted'(_message, target) {
    platform.tellTab(target.tab, { type: 'acted' });
  },

  /** Something of the document floats above all windows, or does so no longer. */
  async 'page.floats'({ kind }, target) {
    await floating.announce(target, kind === 'video' || kind === 'document' ? kind : '');
    platform.tellOwnDocuments({ type: 'floating' });
  },

  /** A field was focused or pointed at, or this script asked for the page's forms. */
  async 'page.focused'(message, target, origin, isTop, after, window) {
    const key = keyOf(target);
    // A window above all others can be put anywhere, also by the page: what is chosen in it was not meant.
    if (await platform.isFloating(window).catch(() => true)) return { bar: false, fields: [] };
    if (!describing.has(key)) await choosing.get(key);
    // A page can move the focus as often as it likes: of the messages that arrive meanwhile only the last one is handled.
    return focusing.run(key, () => focused(message, target, origin, isTop, after), { bar: false, fields: [] });
  },

  /** The user sent a form. The answer does not depend on what is saved, and the page does not wait for it. */
  async 'page.submitted'(message, target, origin, isTop) {
    const key = keyOf(target);
    const place = isTop ? evidenceOfTop(target, origin) : evidenceFor(target, origin);
    storing.set(key, place);
    const frame = await place ?? places.get(key);
    if (storing.get(key) === place) storing.delete(key);
    if (!frame || !Array.isArray(message.values)) return;
    const page = pageIn(message.page);
    // A value that is not text is ignored; converting it would invent a password.
    const given = message.values.map(({ ref, value }) => ({ ref, value: String(value) }))
      .filter(({ ref, value }) => Number.isSafeInteger(ref) && value.isWellFormed());
    const values = given.map(({ ref, value }) => ({ ref, value: { secret: value } }));
    const typed = new Set(values.map(({ ref }) => ref));
    const top = frame.chain[frame.chain.length - 1].document;
    const holdsPassword = Array.isArray(page.fields) && page.fields.some(({ ref, type }) => type === 'password' && typed.has(ref));
    submissions.keep(target, top, holdsPassword, areTyped(message.entries));
    // Following a link around a frame leaves the form that was sent inside it.
    if (!isTop) parts.bring({ tab: target.tab, frame: 0, document: top }, 'leaving');
    wire.request('page.submitted', { frame, page, values }).catch(() => {});
  },

  /** The form was removed, and its document is still open. */
  async 'page.settled'(message, target, origin) {
    if (!submissions.settles(target)) return;
    const page = pageIn(message.page);
    wire.request('page.settled', { tab: target.tab, document: target.document, page, origin }).catch(() => {});
  },

  /** The user follows a link, goes back or closes something: the next page is not the site's answer to the form. */
  async 'page.strays'(message, target, origin, isTop) {
    // Waits until a form that was sent earlier is stored.
    await (isTop ? evidenceOfTop(target, origin) : evidenceFor(target, origin));
    submissions.strays(target, Number(message.status), message.page, origin);
  },

  /** A script of the document loads it anew, as sites do after a sign-in. */
  async 'page.reloads'(_message, target) {
    submissions.reloads(target);
  },

  /** The document is hidden or being left. */
  async 'page.left'({ by }, target) {
    // A window of ours that covers all of the page hides it: the user has not left what the window asks about.
    const isBelow = by === 'visibilitychange' && await platform.isInFront(target.tab) && (choosing.has(keyOf(target)) || await opened.hasListFor(target));
    if (!isBelow) leave([target]);
    cramped.left(target);
    // What was sent before may still be on its way.
    await storing.get(keyOf(target));
    submissions.left(target);
  },
};

/** Asks the daemon to decide on the fields of a page. */
async function focused(message, target, origin, isTop, after) {
  const frame = isTop ? evidenceOfTop(target, origin) : await evidenceFor(target, origin);
  if (!frame) throw new WireError(code.expired, 'The page is gone.');
  if (!isTop) remember(frame);
  const field = Number.isInteger(message.focused) ? message.focused : null;
  const asked = { frame, focused: field, page: pageIn(message.page), active: message.active === true };
  const answer = await wire.request('page.focused', asked);
  if (answer.session) {
    const refs = new Set((answer.fields ?? []).map(({ ref }) => ref));
    // An open bar or list of this document still shows rows of the ended session.
    if (sessions.find(target)) platform.tellOwnDocuments({ type: 'changed' }, target);
    sessions.keep({ ...target, session: answer.session, origin, refs });
    early.drop(keyOf(target));
    // The page gets its answer before any look-up, so the time it can measure does not depend on what is saved.
    if (answer.bar === true) after.push(() => askEarly(target, answer.session));
  }
  // Where a field has no room for a bar, the toolbar button says so. It says the same whether anything is saved or not.
  if (field !== null) cramped.note(target, message.cramped === true && answer.bar === true);
  return { bar: answer.bar === true, fields: answer.fields ?? [] };
}

/**
 * Answers a message of a content script.
 * @param {any} message
 * @param {chrome.runtime.MessageSender} sender
 * @param {(() => void)[]} after work to do once the answer is sent
 */
export async function servePage(message, sender, after) {
  const type = String(message?.type);
  const tab = sender.tab?.id;
  // What floats is said also by documents without an origin that the browser states.
  const isKnown = type === 'page.floats' ? Boolean(sender.documentId) : platform.isPage(sender);
  const isDocument = isKnown && tab !== undefined && tab >= 0 && sender.frameId !== undefined;
  if (!isDocument || !Object.hasOwn(fromPage, type)) throw new WireError(code.methodNotFound, 'Not for pages.');
  const isTop = sender.frameId === 0 && platform.isCurrent(sender);
  return fromPage[type](message, { tab, frame: sender.frameId, document: sender.documentId }, sender.origin, isTop, after, sender.tab.windowId);
}

/** Ends the sessions of documents, and tells the daemon. @param {{tab: number, document: string}[]} targets */
export function leave(targets) {
  for (const target of targets) {
    sessions.drop(target);
    wishes.delete(keyOf(target));
    early.drop(keyOf(target));
    wire.notify('page.left', { tab: target.tab, document: target.document });
  }
}

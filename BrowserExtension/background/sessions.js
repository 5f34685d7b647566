// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import { keyOf } from '../logic/target.js';
import * as platform from './platform.js';

/**
 * @typedef {import('../messages/answers.js').Target} Target
 * @typedef {{origin: string, document: string}} Link
 * @typedef {Target & {chain: Link[]}} Evidence
 * @typedef {Target & {session: string, origin: string, refs: Set<number>}} Session
 */

/**
 * The origin that a URL of the frame tree stands for, or "null" for one that inherits its origin or has none:
 * the browser states no origins of ancestors, and a guess would be a claim.
 * @param {string} url
 */
export function originOf(url) {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  return parsed && /^https?:$/.test(parsed.protocol) ? parsed.origin : 'null';
}

/**
 * What the browser states about a document: its own origin, and the frame tree above it.
 * @param {Target} target
 * @param {string} origin `sender.origin` of a message from that very document
 * @returns {Promise<Evidence | null>} null when the document is no longer the one in its frame
 */
export async function evidenceFor({ tab, frame, document }, origin) {
  const frames = await platform.framesOf(tab);
  const byNumber = new Map(frames.map((entry) => [entry.frame, entry]));
  const own = byNumber.get(frame);
  if (!own || own.document !== document) return null;
  const chain = [{ origin, document }];
  for (let parent = own.parent; parent >= 0;) {
    const above = byNumber.get(parent);
    if (!above || chain.length > frames.length) return null;
    chain.push({ origin: originOf(above.url), document: above.document });
    parent = above.parent;
  }
  return { tab, frame, document, chain };
}

/**
 * The same of a top document at the moment in which it speaks: there is nothing above it, and what the frame tree would
 * say of it is what the browser has just said with its message.
 * @param {Target} target
 * @param {string} origin `sender.origin` of that message
 * @returns {Evidence}
 */
export function evidenceOfTop({ tab, frame, document }, origin) {
  return { tab, frame, document, chain: [{ origin, document }] };
}

/**
 * The document that holds a frame of the extension; null for anything that is not a frame directly inside a page.
 * @param {chrome.runtime.MessageSender} sender
 * @returns {Promise<Target | null>}
 */
export async function holderOf(sender) {
  const tab = sender.tab?.id;
  if (tab === undefined || !sender.documentId || !platform.isCurrent(sender)) return null;
  // A frame neither changes the document it is in nor outlives it: while the one speaks, the other is there.
  const holder = await platform.holderOfBar(tab, sender.documentId);
  return holder && { tab, frame: holder.frame, document: holder.document };
}

/** The sessions of the present connection, one for each document. They never leave the background script. */
export class Sessions {
  /** @type {Map<string, Session>} */ #byDocument = new Map();

  /** @param {Session} session */
  keep(session) {
    this.#byDocument.set(keyOf(session), session);
  }

  /** @param {{tab: number, document: string}} target */
  find(target) {
    return this.#byDocument.get(keyOf(target)) ?? null;
  }

  /** @param {{tab: number, document: string}} target */
  drop(target) {
    return this.#byDocument.delete(keyOf(target));
  }

  /**
   * Drops the sessions of a tab that a predicate names.
   * @param {number} tab
   * @param {(session: Session) => boolean} isMeant
   * @returns {Session[]} what was dropped
   */
  dropIn(tab, isMeant) {
    const dropped = [...this.#byDocument.values()].filter((session) => session.tab === tab && isMeant(session));
    for (const session of dropped) this.drop(session);
    return dropped;
  }

  clear() {
    this.#byDocument.clear();
  }
}

/** The document that a message names. @param {any} target @returns {Target | null} */
export function targetIn(target) {
  const { tab, frame, document } = target ?? {};
  return Number.isInteger(tab) && Number.isInteger(frame) && typeof document === 'string' ? { tab, frame, document } : null;
}

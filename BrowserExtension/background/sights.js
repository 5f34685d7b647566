// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import { clock, inTime } from '../logic/clock.js';
import * as platform from './platform.js';

/** @typedef {import('./sessions.js').Target} Target */

/** How long a document may take to say which fields are seen, in milliseconds: one of 20,000 elements on a slow machine. */
const patience = 3000;

/**
 * Asks the document of a bar and those around it what they show. Each answers on its own thread, so that one which is held up does
 * not answer; and what one of them does not say well counts against all.
 */
export class Sights {
  #parts;

  /** @param {import('./parts.js').Parts} parts */
  constructor(parts) {
    this.#parts = parts;
  }

  /** Has the documents watch themselves. @param {Target} target */
  async watch(target) {
    await Promise.all((await documentsAround(target)).map(async (document) => {
      if (await this.#parts.bring({ ...target, document }, 'looking')) await platform.tell(target.tab, document, { type: 'watch' }).catch(() => {});
    }));
  }

  /**
   * The fields of a document that the user is not known to see, all of them if the document does not answer; and where their forms would
   * send what is filled, beside its own origin. The result is null if the document says that none of the fields is laid out any more.
   * @param {Target} target
   * @param {Set<number>} refs those that would be filled
   * @returns {Promise<{unseen: number[], unstated: number[], sends: string[]} | null>} `unstated` are those of which this browser does not
   *   say whether they are seen, and nothing was found to hide them; no field is in both
   */
  async unseen(target, refs) {
    const asked = this.#parts.bring(target, 'seeing').then((isThere) => (isThere
      ? platform.tell(target.tab, target.document, { type: 'sight', refs: [...refs] }) : null));
    const [answer, isUnveiled] = await Promise.all([
      inTime(clock, patience, asked.catch(() => null), null), inTime(clock, patience, this.#isUnveiled(target).catch(() => false), null),
    ]);
    if (answer?.isThere === false) return null;
    const [seen, unstated] = ['seen', 'unstated'].map((name) => new Set(isUnveiled === true && Array.isArray(answer?.[name]) ? answer[name] : []));
    const sends = Array.isArray(answer?.sends) ? answer.sends.filter((one) => typeof one === 'string').slice(0, 8) : [];
    return { unseen: [...refs].filter((ref) => !seen.has(ref) && !unstated.has(ref)), unstated: [...refs].filter((ref) => unstated.has(ref)), sends };
  }

  /**
   * Whether nothing hides a document of which the browser does not tell it: its own script does not see what is around it.
   * @param {Target} target
   */
  async #isUnveiled(target) {
    const answers = await Promise.all((await documentsAround(target)).slice(1).map(async (document) => (
      await this.#parts.bring({ ...target, document }, 'looking') && platform.tell(target.tab, document, { type: 'veil' }))));
    return answers.every((answer) => answer && answer.isVeiled === false);
  }

  /**
   * @param {Target} target
   * @param {boolean} isKey whether the choice is made by a key in the bar
   * @returns {Promise<{reason: string, scale: number}>} what is wrong, or nothing; and the `devicePixelRatio` of the top document
   */
  async look(target, isKey) {
    const documents = await documentsAround(target);
    const answers = await Promise.all(documents.map((document) =>
      platform.tell(target.tab, document, { type: 'look', own: document === target.document, isKey }).catch(() => null)));
    const bad = answers.find((answer) => answer?.reason !== '');
    if (documents.length === 0 || bad !== undefined) return { reason: String(bad?.reason || 'no answer'), scale: 0 };
    return { reason: '', scale: Number(answers[answers.length - 1].scale) };
  }
}

/** A document and those around it, from the inside to the top; none where it is gone. @param {Target} target */
async function documentsAround({ tab, frame, document }) {
  const frames = await platform.framesOf(tab);
  const byNumber = new Map(frames.map((entry) => [entry.frame, entry]));
  if (byNumber.get(frame)?.document !== document) return [];
  const found = [];
  for (let next = byNumber.get(frame); next && found.length <= frames.length; next = byNumber.get(next.parent)) {
    found.push(next.document);
    if (next.parent < 0) return found;
  }
  return [];
}

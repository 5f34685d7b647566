// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import { WireError, code, told } from '../messages/errors.js';
import { originOf } from './sessions.js';
import * as platform from './platform.js';

/**
 * @typedef {import('../messages/answers.js').Said} Said
 * @typedef {import('../messages/answers.js').Upgrade} Upgrade
 */

/**
 * What there is to say of the password that was last filled in each tab, and what becomes of a change of it that the user has begun.
 * It is shown on the toolbar button and in the popup, of which no page learns anything; a sign-in leads to another page at once, so it
 * outlives the document. A change goes on when the popup has closed, and what became of it is shown when it is opened again.
 */
export class Advice {
  /** @type {Map<number, Said>} */ #byTab = new Map();
  #changed;

  /** @param {() => void} changed called when a change of a password has come further */
  constructor(changed) {
    this.#changed = changed;
  }

  /** What the daemon says of the password that was filled in a tab. @param {any} params */
  take({ tab, handle, site, reason, advice, upgrade }) {
    if (!Number.isInteger(tab) || typeof handle !== 'string') return;
    const extension = typeof upgrade === 'string' ? upgrade : '';
    this.#byTab.set(tab, { handle, site: String(site), reason: String(reason), advice: String(advice), extension, upgrade: null });
    this.mark(tab);
    // A popup that is open shows it, too.
    this.#changed();
  }

  /** @param {number} tab */
  of(tab) {
    return this.#byTab.get(tab) ?? null;
  }

  /** What is shown of a tab to the user, who has seen then what became of a change. @param {number} tab */
  show(tab) {
    const said = this.of(tab);
    if (said?.upgrade?.phase === 'done' && !said.upgrade.isSeen) {
      said.upgrade.isSeen = true;
      this.mark(tab);
    }
    return said;
  }

  /** Takes back what is said of passwords, in one tab or in all. @param {number} [only] */
  forget(only) {
    for (const tab of only === undefined ? [...this.#byTab.keys()] : [only]) if (this.#byTab.delete(tab)) platform.warn(tab, '');
  }

  /** The user does not want to see it any more. @param {string} handle */
  hide(handle) {
    for (const [tab, said] of this.#byTab) if (said.handle === handle) this.forget(tab);
  }

  /** The tab is gone. @param {number} tab */
  closed(tab) {
    this.#byTab.delete(tab);
  }

  /** Says on the button of a tab what there is to say; the browser forgets it with the page. @param {number} tab */
  mark(tab) {
    const said = this.of(tab);
    if (!said) return;
    const place = said.site;
    switch (said.upgrade?.phase) {
      case 'running': platform.warn(tab, `Changing the password at ${place}…`, '…'); break;
      case 'done': platform.warn(tab, said.upgrade.isSeen ? '' : `The password for ${place} is a strong one now.`, '✓'); break;
      case 'failed': case 'canceled': platform.warn(tab, said.upgrade.message); break;
      default: platform.warn(tab, said.reason);
    }
  }

  /**
   * Has the password changed of which something is said in the tab that the user looks at, and returns once that has begun.
   * @param {number | null} tab
   * @param {unknown} handle what the user saw
   * @param {(params: object) => Promise<any>} request
   */
  async upgrade(tab, handle, request) {
    const said = tab === null ? null : this.of(tab);
    if (tab === null || !said || said.handle !== handle || !said.extension) throw new WireError(code.expired, 'This recommendation has ended.');
    if (said.upgrade?.phase === 'running') throw new WireError(code.busy, 'It is being changed already.');
    const upgrade = /** @type {Upgrade} */ ({ phase: 'running', step: '', message: '', hint: '', isSeen: false });
    said.upgrade = upgrade;
    const top = (await platform.framesOf(tab)).find((entry) => entry.frame === 0);
    if (!top) { said.upgrade = null; throw new WireError(code.expired, 'The page is gone.'); }
    this.#tell(tab, said);
    const chain = [{ origin: originOf(top.url), document: top.document }];
    request({ handle, frame: { tab, frame: 0, document: top.document, chain } }).then(({ provider }) => {
      upgrade.phase = 'done';
      upgrade.message = `The password for ${said.site} is a strong one now.`;
      upgrade.hint = `${provider} keeps it, and the old one in its history.`;
    }, (error) => {
      upgrade.phase = error.code === code.userCanceled ? 'canceled' : 'failed';
      upgrade.message = told(error);
      upgrade.hint = String(error.data?.hint ?? '');
    }).finally(() => this.#tell(tab, said));
  }

  /** A change has come to another step. @param {any} params */
  progress({ handle, step }) {
    for (const [tab, said] of this.#byTab) {
      if (said.handle !== handle || said.upgrade?.phase !== 'running') continue;
      said.upgrade.step = String(step);
      this.#tell(tab, said);
    }
  }

  /** @param {number} tab @param {Said} said */
  #tell(tab, said) {
    // Something else may have been filled there by now, or Latchkey locked.
    if (this.of(tab) !== said) return;
    this.mark(tab);
    this.#changed();
  }
}

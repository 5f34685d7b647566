// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import { ask } from './ask.js';

const logins = {
  on: 'When you log in to the computer, its password unlocks Latchkey.',
  changed: 'Your login password has changed, so it no longer unlocks: run “latchkey login enable” again.',
  damaged: 'Unlocking at login is damaged: run “latchkey login enable” again.',
  off: 'Logging in to the computer does not unlock Latchkey: run “latchkey login enable” to let it.',
};

/** The part of the settings page that says what else unlocks, and ends it. Turning off protects more, so it takes no passphrase. */
export class UnlockingSection {
  #at;

  /**
   * @param {(id: string) => any} at
   * @param {(act: () => Promise<unknown>) => Promise<void>} doing does one thing at a time, and shows everything anew
   * @param {(text: string) => void} say tells a screen reader
   */
  constructor(at, doing, say) {
    this.#at = at;
    for (const [id, type, words] of [['login-off', 'disableLogin', 'A login no longer unlocks.'], ['pin-off', 'forgetPIN', 'The PIN is gone.']]) {
      at(id).addEventListener('click', (event) => {
        if (event.isTrusted) doing(async () => { await ask(type); say(words); });
      });
    }
  }

  /** @param {{login?: string, pin?: boolean} | null} answer the daemon's; null where Latchkey is not there or locked */
  show(answer) {
    // A daemon of an earlier version does not say.
    this.#at('unlocking').hidden = answer?.login === undefined;
    this.#at('login-state').textContent = Object.hasOwn(logins, answer?.login ?? '') ? logins[answer?.login ?? ''] : '';
    this.#at('login-off').hidden = (answer?.login ?? 'off') === 'off';
    this.#at('pin-state').textContent = answer?.pin ? 'A PIN unlocks, and answers everyday questions, until you log out.' : 'No PIN is set: run “latchkey pin set” to unlock with one until you log out.';
    this.#at('pin-off').hidden = !answer?.pin;
  }
}

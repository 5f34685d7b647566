// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import { sentence } from '../messages/errors.js';
import { ask, element, on } from './ask.js';
import { stepSentence } from './upgrade-rows.js';

/** @typedef {{service: string, user: string, provider: string, extension?: string, refusal?: string, reason?: string, signInWithApple?: string}} Account */
/** @typedef {{service?: string, user?: string, kind?: string}} Wanted */

/** What has become of a password, by the words of docs/protocol.md. @type {Record<string, string>} */
const fates = {
  removed: 'Its password was removed.', detached: 'Its password is kept for the other places that it was saved for.', none: 'No password was saved.',
  kept: 'The provider cannot remove its password: remove it there; it no longer works.', pending: 'Its password could not be removed yet; it is tried again at the next unlock.',
};

/**
 * The part of the settings page about accounts that the apps of their sites can change. What is changed is confirmed by the daemon in
 * a window of its own, which names it; this page could not have anything else changed.
 */
export class UpgradeSection {
  /** @type {Account[]} */ #accounts = [];
  /** What became of accounts, and what is being done. @type {Map<string, {text: string, isBad: boolean}>} */ #told = new Map();
  #running = false;
  #isToStop = false;
  #drawn = '';
  #at;
  #doing;
  #say;

  /**
   * @param {(id: string) => any} at
   * @param {(act: () => Promise<unknown>) => Promise<void>} doing does one thing at a time, and shows everything anew
   * @param {(text: string) => void} say tells a screen reader
   */
  constructor(at, doing, say) {
    this.#at = at;
    this.#doing = doing;
    this.#say = say;
    at('upgrade-all').addEventListener('click', (event) => {
      if (!event.isTrusted) return;
      if (!this.#running) { this.#doing(() => this.#run({})); return; }
      this.#isToStop = true;
      at('upgrade-all').disabled = true;
    });
    on('upgrading', ({ service, user, step }) => this.#tell({ service, user }, stepSentence(step) || 'It is being changed…'));
  }

  /** @param {boolean} isOpen whether Latchkey is there and unlocked */
  async show(isOpen) {
    // A daemon that does not know of it has none.
    const { accounts } = isOpen ? await ask('upgrades').catch(() => ({ accounts: [] })) : { accounts: [] };
    if (!isOpen) this.#told.clear();
    const found = /** @type {Account[]} */ (accounts ?? []).filter(({ refusal, signInWithApple }) => !refusal || signInWithApple);
    // One that has no password any more is not an account of this list; what became of it is still to be read.
    const changed = this.#accounts.filter((old) => this.#told.has(keyOf(old)) && !found.some((account) => keyOf(account) === keyOf(old)))
      .map((old) => ({ ...old, refusal: 'changed', extension: old.extension ?? old.signInWithApple, signInWithApple: undefined }));
    this.#accounts = [...found, ...changed];
    this.#draw();
  }

  #draw() {
    const told = JSON.stringify([this.#accounts, [...this.#told], this.#running]);
    this.#at('upgrades').hidden = this.#accounts.length === 0;
    this.#at('upgrade-all').hidden = this.#accounts.filter(({ refusal }) => !refusal).length < 2;
    if (told === this.#drawn) return;
    this.#drawn = told;
    const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset.upgrade;
    this.#at('upgrade-all').textContent = this.#running ? 'Stop After This One' : 'Upgrade All…';
    this.#at('upgrade-all').disabled = this.#running && this.#isToStop;
    this.#at('upgrade-list').replaceChildren(...this.#accounts.map((account) => this.#item(account)));
    const buttons = /** @type {HTMLButtonElement[]} */ ([...this.#at('upgrade-list').querySelectorAll('button:not(:disabled)')]);
    if (focused) buttons.find((button) => button.dataset.upgrade === focused)?.focus();
  }

  /** @param {Account} account */
  #item(account) {
    const name = `${account.user || 'The account'} at ${account.service}`;
    const told = this.#told.get(keyOf(account));
    const { service, user, signInWithApple } = account;
    const buttons = [
      ...(account.refusal ? [] : [this.#button(account, 'Upgrade…', `Upgrade to a Strong Password: ${name}`, { service, user })]),
      ...(signInWithApple ? [this.#button(account, 'Sign in with Apple…', `Upgrade to Sign in with Apple: ${name}`, { service, user, kind: 'sign-in-with-apple' })] : []),
    ];
    return element('li', { 'aria-label': name },
      element('h3', { dir: 'auto' }, name),
      element('p', { class: 'soft', dir: 'auto' }, [account.reason ? sentence(account.reason) : '', `Changed by ${account.extension ?? signInWithApple}, kept by ${account.provider}.`].filter(Boolean).join(' ')),
      ...(told ? [element('p', { class: told.isBad ? 'state bad' : 'state', dir: 'auto' }, told.text)] : []),
      element('div', { class: 'buttons' }, ...buttons));
  }

  /** @param {Account} account @param {string} words @param {string} label @param {Wanted} wanted */
  #button(account, words, label, wanted) {
    const made = /** @type {HTMLButtonElement} */ (element('button', { type: 'button', 'aria-label': label }, words));
    made.dataset.upgrade = [keyOf(account), wanted.kind ?? ''].join(' ');
    made.disabled = this.#running;
    made.addEventListener('click', (event) => { if (event.isTrusted) this.#doing(() => this.#run(wanted)); });
    return made;
  }

  /** @param {{service: string, user: string}} account @param {string} text @param {boolean} [isBad] */
  #tell(account, text, isBad = false) {
    this.#told.set(keyOf(account), { text, isBad });
    this.#draw();
  }

  /** One account, or all of them; the failure of one is not the end of the others. @param {Wanted} wanted */
  async #run(wanted) {
    this.#running = true;
    this.#isToStop = false;
    this.#told.clear();
    this.#draw();
    try {
      const accounts = /** @type {Account[]} */ ((await ask('planUpgrades', wanted)).accounts ?? []);
      let changed = 0;
      for (const [index, account] of accounts.entries()) {
        if (this.#isToStop) break;
        this.#say(`${index + 1} of ${accounts.length}: ${account.user} at ${account.service}.`);
        this.#tell(account, `${index + 1} of ${accounts.length}: it is being changed…`);
        try {
          const { password } = await ask('runUpgrade', { service: account.service, user: account.user, kind: wanted.kind });
          changed += 1;
          this.#tell(account, wanted.kind
            ? ['It signs in with Apple now.', fates[password] ?? ''].filter(Boolean).join(' ')
            : `It is a strong one now; ${account.provider} keeps it, and the old one in its history.`);
        } catch (error) {
          this.#tell(account, [error.message, error.data?.hint].filter(Boolean).join(' '), true);
        }
      }
      this.#say(`${changed} of ${accounts.length} changed.`);
    } finally {
      this.#running = false;
      this.#draw();
    }
  }
}

/** @param {{service: string, user: string}} account */
function keyOf({ service, user }) {
  return `${service} ${user}`;
}

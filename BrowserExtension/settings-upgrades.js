// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import { ask, element, on, sentence } from './ask.js';
import { stepSentence } from './upgrade-rows.js';

/** @typedef {{service: string, user: string, provider: string, extension?: string, refusal?: string, reason?: string}} Account */

/**
 * The part of the settings page about passwords that the apps of their sites can change. What is changed is confirmed by the daemon in
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
    this.#accounts = /** @type {Account[]} */ (accounts ?? []).filter(({ refusal }) => !refusal);
    this.#draw();
  }

  #draw() {
    const told = JSON.stringify([this.#accounts, [...this.#told], this.#running]);
    this.#at('upgrades').hidden = this.#accounts.length === 0;
    this.#at('upgrade-all').hidden = this.#accounts.length < 2;
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
    const button = /** @type {HTMLButtonElement} */ (element('button', { type: 'button', 'aria-label': `Upgrade to a Strong Password: ${name}` }, 'Upgrade…'));
    button.dataset.upgrade = keyOf(account);
    button.disabled = this.#running;
    button.addEventListener('click', (event) => {
      if (event.isTrusted) this.#doing(() => this.#run({ service: account.service, user: account.user }));
    });
    return element('li', { 'aria-label': name },
      element('h3', { dir: 'auto' }, name),
      element('p', { class: 'soft', dir: 'auto' }, [account.reason ? sentence(account.reason) : '', `Changed by ${account.extension}, kept by ${account.provider}.`].filter(Boolean).join(' ')),
      ...(told ? [element('p', { class: told.isBad ? 'state bad' : 'state', dir: 'auto' }, told.text)] : []),
      element('div', { class: 'buttons' }, button));
  }

  /** @param {{service: string, user: string}} account @param {string} text @param {boolean} [isBad] */
  #tell(account, text, isBad = false) {
    this.#told.set(keyOf(account), { text, isBad });
    this.#draw();
  }

  /** One account, or all of them; the failure of one is not the end of the others. @param {{service?: string, user?: string}} wanted */
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
          await ask('runUpgrade', { service: account.service, user: account.user });
          changed += 1;
          this.#tell(account, `It is a strong one now; ${account.provider} keeps it, and the old one in its history.`);
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

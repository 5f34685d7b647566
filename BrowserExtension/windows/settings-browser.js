// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/*
 * The part of the settings page and of the first-run page about what the browser itself saves and lists. The permission for it is an optional one: asked for
 * by a click of the user's, given back by another. The browser takes back what was set when the extension goes.
 */

/** The permission that the browser asks the user for. */
const wanted = Object.freeze({ permissions: ['privacy'] });
/** Saving passwords; filling addresses, and with it the lists of what was typed before. */
const names = Object.freeze(['passwordSavingEnabled', 'autofillAddressEnabled']);

/** The browser's switches that it lets extensions change; none without the permission. @returns {any[]} */
function switches() {
  const services = /** @type {any} */ (chrome).privacy?.services ?? {};
  return names.map((name) => services[name]).filter(Boolean);
}

/** Whether each of them is off, by us or by somebody else. @returns {Promise<{isOurs: boolean, isOff: boolean, isFixed: boolean}>} */
async function state() {
  const found = await Promise.all(switches().map((one) => one.get({})));
  return {
    isOurs: found.some(({ levelOfControl }) => levelOfControl === 'controlled_by_this_extension'),
    isOff: found.length > 0 && found.every(({ value }) => value === false),
    isFixed: found.some(({ levelOfControl }) => /^(not_controllable|controlled_by_other_extensions)$/.test(levelOfControl)),
  };
}

export class BrowserSection {
  #at;
  #doing;
  #say;

  /**
   * @param {(id: string) => any} at
   * @param {(act: () => Promise<unknown>) => Promise<void>} doing
   * @param {(text: string) => void} say
   */
  constructor(at, doing, say) {
    this.#at = at;
    this.#doing = doing;
    this.#say = say;
    at('browser-off').addEventListener('click', (event) => { if (event.isTrusted) this.#switchOff(); });
    at('browser-on').addEventListener('click', (event) => { if (event.isTrusted) this.#switchOn(); });
  }

  /** @returns {Promise<boolean>} whether all of it is off, as far as the browser says so */
  async show() {
    const { isOurs, isOff, isFixed } = await state();
    this.#at('browser-off').hidden = isOurs || isOff;
    this.#at('browser-on').hidden = !isOurs;
    this.#at('browser-state').textContent = isOurs && !isOff ? 'The browser\'s password manager is off in part.'
      : isOurs ? 'The browser\'s password manager is off. Latchkey turned it off.'
        : isFixed ? 'Another extension, or whoever runs this computer, decides this.' : '';
    return isOff;
  }

  /** The question of the browser has to come straight from the click. */
  #switchOff() {
    const asked = chrome.permissions.request(/** @type {any} */ (wanted));
    return this.#doing(async () => {
      if (!await asked) return;
      const fixed = [];
      for (const one of switches()) {
        const { levelOfControl } = await one.get({});
        if (/^controll(able|ed)_by_this_extension$/.test(levelOfControl)) await one.set({ value: false });
        else fixed.push(levelOfControl);
      }
      this.#say(fixed.length ? 'The browser lets nobody change some of it.' : 'The browser\'s password manager is off.');
    });
  }

  #switchOn() {
    return this.#doing(async () => {
      for (const one of switches()) await one.clear({});
      await chrome.permissions.remove(/** @type {any} */ (wanted)).catch(() => {});
      this.#say('The browser\'s own is as it was before.');
    });
  }
}

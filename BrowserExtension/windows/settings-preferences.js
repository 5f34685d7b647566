// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import { ask, element } from './ask.js';

/**
 * A preference, as it stands on the page. `choices` are values with their words; without them it is on or off.
 * @typedef {{name: string, words: string, detail?: string, choices?: [string | number, string][], unit?: string, only?: (preferences: any) => boolean}} Setting
 */

/** @param {number[]} numbers @param {string} one @param {string} many @param {string} [none] what 0 means */
function counts(numbers, one, many, none = '') {
  return numbers.map((number) => /** @type {[number, string]} */ ([number, number === 0 ? none : `${number} ${number === 1 ? one : many}`]));
}

/** When the passphrase is asked for while Latchkey is unlocked. @type {[string, string][]} */
const asked = [['never', 'Never while unlocked'], ['after', 'After a while'], ['always', 'Each time']];

/** @type {Setting[]} */
const settings = [
  { name: 'autoFill', words: 'Suggest passwords and codes' },
  { name: 'fills', words: 'Ask again before filling', choices: asked },
  { name: 'authentication', words: 'Ask again before showing or copying', choices: asked },
  { name: 'authenticationMinutes', words: 'Ask again after', choices: counts([1, 5, 10, 15, 30, 60, 240, 1440], 'minute', 'minutes'), unit: 'minutes', only: ({ authentication, fills }) => authentication === 'after' || fills === 'after' },
  { name: 'fingerprint', words: 'Confirm with a fingerprint', detail: 'To fill, show or copy, in place of the passphrase, while Latchkey is unlocked. It needs a finger that the computer knows (fprintd-enroll).' },
  { name: 'idleMinutes', words: 'Lock after inactivity of', choices: counts([1, 5, 10, 15, 30, 60, 240, 0], 'minute', 'minutes', 'Never'), unit: 'minutes' },
  { name: 'lockOnScreenLock', words: 'Lock with the screen' },
  { name: 'lockOnSuspend', words: 'Lock before the computer sleeps' },
  { name: 'codeSeconds', words: 'Offer a code from a message for', choices: counts([30, 60, 120, 180, 300, 600], 'second', 'seconds'), unit: 'seconds' },
  { name: 'gitSave', words: 'Save logins that git has used', choices: [['ask', 'Ask'], ['always', 'Always'], ['never', 'Never']] },
  { name: 'gitMinutes', words: 'Give git the same login again without asking for', choices: [...counts([0, 5, 15, 60, 480], 'minute', 'minutes', 'Ask each time'), [1440, 'Until the lock']], unit: 'minutes' },
  { name: 'breachRanges', words: 'Look for leaked passwords at haveibeenpwned.com', detail: 'It is told the first five digits of a fingerprint of each password, never a password.' },
];

/** The part of the settings page with the preferences. The daemon asks for the passphrase where one protects less afterwards. */
export class PreferenceSection {
  #at;
  #doing;
  #say;
  #drawn = '';
  /** What was shown last. @type {any} */ #preferences = {};

  /**
   * @param {(id: string) => any} at
   * @param {(act: () => Promise<unknown>) => Promise<void>} doing does one thing at a time, and shows everything anew
   * @param {(text: string) => void} say tells a screen reader
   */
  constructor(at, doing, say) {
    this.#at = at;
    this.#doing = doing;
    this.#say = say;
  }

  /** @param {boolean} isOpen whether Latchkey is there and unlocked @returns {Promise<any>} the daemon's answer, which says how it is unlocked, too */
  async show(isOpen) {
    // A daemon of an earlier version has none to show.
    const answer = isOpen ? await ask('preferences').catch(() => null) : null;
    this.#at('preferences').hidden = !answer;
    const { preferences = {}, problems = [] } = answer ?? {};
    // Where nobody has chosen, fills are as everything else.
    this.#draw({ ...preferences, fills: preferences.fills ?? preferences.authentication }, problems);
    return answer;
  }

  /** @param {any} preferences @param {string[]} problems */
  #draw(preferences, problems) {
    const told = JSON.stringify([preferences, problems]);
    this.#preferences = preferences;
    if (told === this.#drawn) { this.#reset(preferences); return; }
    this.#drawn = told;
    const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.id;
    this.#at('preference-problems').hidden = problems.length === 0;
    this.#at('preference-problems').replaceChildren(...problems.map((problem) => element('li', { dir: 'auto' }, problem)));
    // What is off may be left out.
    const shown = settings.filter(({ name, only, choices }) => (preferences[name] !== undefined || !choices) && (only?.(preferences) ?? true));
    this.#at('preference-list').replaceChildren(...shown.flatMap((setting) => this.#control(setting, preferences[setting.name])));
    if (focused?.startsWith('preference-')) document.getElementById(focused)?.focus();
  }

  /** What the user took back in the daemon's question stands as it was. @param {any} preferences */
  #reset(preferences) {
    for (const { name } of settings) {
      const control = /** @type {any} */ (document.getElementById(`preference-${name}`));
      if (control?.type === 'checkbox') control.checked = preferences[name] === true;
      else if (control) control.value = String(preferences[name]);
    }
  }

  /** @param {Setting} setting @param {any} value */
  #control({ name, words, detail, choices, unit = '' }, value) {
    const id = `preference-${name}`;
    const label = element('label', { for: id }, words, ...(detail ? [element('span', { class: 'soft' }, detail)] : []));
    let control;
    if (choices) {
      // One that was chosen on the command line stands in the list as well.
      const all = choices.some(([own]) => own === value) ? choices : [.../** @type {[any, string][]} */ (choices), [value, `${value} ${unit}`]];
      control = /** @type {HTMLSelectElement} */ (element('select', { id }, ...all.map(([own, text]) => element('option', { value: String(own) }, text))));
      control.value = String(value);
    } else {
      control = /** @type {HTMLInputElement} */ (element('input', { id, type: 'checkbox', role: 'switch' }));
      control.checked = value === true;
    }
    const made = control;
    made.addEventListener('change', async (event) => {
      if (!event.isTrusted) return;
      const chosen = choices ? choices.find(([own]) => String(own) === made.value)?.[0] ?? value : /** @type {HTMLInputElement} */ (made).checked;
      let hasBegun = false;
      await this.#doing(async () => {
        hasBegun = true;
        await ask('setPreferences', { changes: { [name]: chosen } });
        this.#say(`Changed: ${words}.`);
      });
      // While another change is on its way, perhaps to the passphrase, this one stands as it was.
      if (!hasBegun) this.#reset(this.#preferences);
    });
    return [label, control];
  }
}

// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import { sentence } from '../messages/errors.js';
import { ask, element, onChanged, place } from './ask.js';
import { BrowserSection } from './settings-browser.js';
import { PreferenceSection } from './settings-preferences.js';
import { UnlockingSection } from './settings-unlocking.js';
import { UpgradeSection } from './settings-upgrades.js';

/*
 * The settings page. What a bundle says of itself (its name, the folders it asks for) is text and nothing else; what it is
 * enabled to do is confirmed by the daemon in a window of its own.
 */

/**
 * @typedef {{
 *   identifier: string, name: string, version: string, state: string, problem?: string, digest?: string, builtIn: boolean,
 *   provides: string[], savesPasswords?: boolean, generatesPasswords?: boolean, asksFor?: string[],
 *   showsConfiguration: boolean, debug: boolean, isolation: string,
 *   modification?: {app: string, domains: string[], kinds: string[]},
 *   grants: {network: boolean, hosts: string[], folders: {path: string, write: boolean}[], sockets: string[], groups: string[]},
 * }} Provider
 */

const at = (id) => /** @type {any} */ (document.getElementById(id));
/** @type {Provider[]} */ let providers = [];
let turn = 0;
let isBusy = false;
/** What is drawn: a list that is drawn anew takes the button away that is just being pressed. */
let drawn = '';
let agreed = '';

const states = {
  enabled: 'Enabled', disabled: 'Not enabled', changed: 'Changed since you enabled it: it has to be enabled again',
  broken: 'Cannot be used', missing: 'Its bundle is gone',
};
const things = {
  passwords: 'fills passwords', 'one-time-codes': 'fills one-time codes', passkeys: 'fills passkeys', text: 'fills text',
  saving: 'is given passwords that you save', generating: 'makes new passwords',
};

/** @param {string[]} words */
const does = (words) => words.map((word) => things[word]).filter(Boolean).join(', ');

/** @param {string} text @param {boolean} [isBad] */
function note(text, isBad = true) {
  at('note').textContent = text;
  at('note').hidden = text === '';
  at('note').classList.toggle('bad', isBad);
}

/** Tells a screen reader. @param {string} text */
function say(text) {
  at('say').textContent = text;
}

/** Whether the user wants a provider, usable or not: those have a place in the order. @param {Provider} provider */
function isWanted({ state }) {
  return state === 'enabled' || state === 'changed' || state === 'missing';
}

/** What a provider is allowed, or would be. @param {Provider} provider */
function allowances({ provides, savesPasswords, generatesPasswords, asksFor, grants, isolation, state, builtIn, debug, modification }) {
  if (state === 'broken' || state === 'missing') return [];
  const done = does([...provides, ...(savesPasswords ? ['saving'] : []), ...(generatesPasswords ? ['generating'] : [])]);
  const lines = modification
    ? [`Changes passwords of accounts of ${modification.app} (${modification.domains.join(', ')}), when you change a password with it.`]
    : [`It ${done || 'does nothing that this Latchkey knows'}, and is told which sites you do that on.`];
  if (grants.network) lines.push('It can use the internet, but reach nothing on this computer or your network.');
  for (const host of grants.hosts ?? []) lines.push(`It can connect to ${host}, even if it is on this computer or your network.`);
  for (const { path, write } of grants.folders ?? []) lines.push(`It can ${write ? 'read and change' : 'read'} ~/${path}.`);
  for (const path of grants.sockets ?? []) lines.push(`It can talk to the program behind ${path}.`);
  if (grants.groups?.length) lines.push(`It shares a folder with others of: ${grants.groups.join(', ')}.`);
  if (builtIn) lines.push('It comes with Latchkey.');
  else if (isolation === 'none') lines.push('It is not isolated: it can do whatever your own programs can do.');
  else if (lines.length === 1) lines.push('It can use its own folder and nothing else.');
  if (debug) lines.push('It is a debug build: debuggers may look into it.');
  if (asksFor) lines.push(`You have not agreed to this before: it ${does(asksFor)}.`);
  return lines;
}

/**
 * A button that does something to a provider.
 * @param {Provider} provider
 * @param {string} action a name, by which the focus finds it again
 * @param {string} words
 * @param {() => Promise<unknown>} act
 * @param {boolean} [isOff]
 */
function button({ identifier, name }, action, words, act, isOff = false) {
  const made = /** @type {HTMLButtonElement} */ (element('button', { type: 'button', 'aria-label': `${words}: ${name}` }, words));
  made.dataset.provider = identifier;
  made.dataset.action = action;
  made.disabled = isOff;
  made.addEventListener('click', (event) => { if (event.isTrusted) doing(act); });
  return made;
}

/** @param {Provider} provider @param {number} place in the order; -1 for one without @param {number} count of those in the order */
function card(provider, place, count) {
  const { identifier, name, version, state, problem, digest, builtIn, showsConfiguration, asksFor } = provider;
  const told = [states[state] ?? state, problem ? sentence(problem) : '', state === 'enabled' && asksFor ? 'It asks for more' : ''].filter(Boolean).join('. ');
  const buttons = element('div', { class: 'buttons' });
  if (place >= 0) {
    buttons.append(
      button(provider, 'up', 'Move up', () => move(place, place - 1), place === 0),
      button(provider, 'down', 'Move down', () => move(place, place + 1), place === count - 1));
  }
  if (state === 'disabled' || state === 'changed' || asksFor) {
    buttons.append(button(provider, 'enable', 'Enable…', async () => {
      await ask('enable', { identifier, digest: digest ?? '' });
      // It wants to be set up: at once, as long as the user is at it.
      if (showsConfiguration) await ask('configure', { identifier });
    }));
  }
  if (isWanted(provider)) buttons.append(button(provider, 'disable', 'Disable', () => ask('disable', { identifier })));
  if (state === 'enabled' && showsConfiguration) buttons.append(button(provider, 'configure', 'Configure…', () => ask('configure', { identifier })));
  const made = element('li', { 'aria-label': name },
    element('h3', { dir: 'auto' }, name),
    element('p', { class: 'soft', dir: 'auto' }, [builtIn ? 'Built in' : identifier, version].filter(Boolean).join(' · ')),
    element('p', { class: `state${state === 'broken' || state === 'changed' || state === 'missing' ? ' bad' : ''}` }, told),
    element('ul', { 'aria-label': 'What it is allowed' }, ...allowances(provider).map((line) => element('li', { dir: 'auto' }, line))),
    buttons);
  made.dataset.provider = identifier;
  made.dataset.state = state;
  return made;
}

/** Draws the providers; the focus stays with the button it was on, or with the next best of the same provider. */
function draw() {
  const told = JSON.stringify(providers, (name, value) => (name === 'running' || name === 'identities' ? undefined : value));
  if (told === drawn) return;
  drawn = told;
  const { provider, action } = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset ?? {};
  const wanted = providers.filter(isWanted);
  at('providers').replaceChildren(...providers.map((one) => card(one, wanted.indexOf(one), wanted.length)));
  if (!provider) return;
  const own = /** @type {HTMLButtonElement[]} */ ([...at('providers').querySelectorAll('button:not(:disabled)')])
    .filter((made) => made.dataset.provider === provider);
  (own.find((made) => made.dataset.action === action) ?? own[0])?.focus();
}

/** @typedef {{id: string, kind: string, top?: string, origin: string, provider: string, service: string, user: string, date: number}} Consent */

/** @param {Consent} consent */
function agreement({ id, kind, top, origin, service, user, date }) {
  const what = kind === 'frame' && top ? `is filled in a frame of ${place(origin)} inside ${place(top)}`
    : kind === 'insecureLocal' ? `is filled on ${origin}, without encryption`
      : kind === 'unstated' ? `is filled on ${place(origin)} in Firefox, which does not say what lies over a suggestion` : `is filled on ${place(origin)}`;
  const words = `${user || 'The account'} (${service}) ${what}`;
  const button = /** @type {HTMLButtonElement} */ (element('button', { type: 'button', 'aria-label': `Take back: ${words}` }, 'Take back'));
  button.dataset.consent = id;
  button.addEventListener('click', (event) => { if (event.isTrusted) takeBack([id]); });
  return element('li', {}, element('p', { dir: 'auto' }, `${words}.`),
    element('p', { class: 'soft' }, `Agreed to on ${new Date(date * 1000).toLocaleDateString()}.`), button);
}

/** @param {Consent[]} consents */
function drawConsents(consents) {
  const told = JSON.stringify(consents);
  at('agreed').hidden = consents.length === 0;
  if (told === agreed) return;
  agreed = told;
  at('consents').replaceChildren(...consents.map(agreement));
}

/** @param {string[]} ids */
function takeBack(ids) {
  return doing(async () => {
    await ask('forget', { ids });
    say(ids.length === 1 ? 'Taken back.' : 'All of them are taken back.');
  });
}

/** @param {number} from @param {number} to */
async function move(from, to) {
  const wanted = providers.filter(isWanted);
  const [moved] = wanted.splice(from, 1);
  wanted.splice(to, 0, moved);
  await ask('order', { identifiers: wanted.map(({ identifier }) => identifier) });
  say(`${moved.name} is number ${to + 1} of ${wanted.length} now.`);
}

/** Does one thing at a time. @param {() => Promise<unknown>} act */
async function doing(act) {
  if (isBusy) return;
  isBusy = true;
  note('');
  try {
    await act();
  } catch (error) {
    if (error.code !== 9) note([error.message, error.data?.hint].filter(Boolean).join(' '));
  } finally {
    isBusy = false;
    await show();
  }
}

async function show() {
  const mine = ++turn;
  await browser.show();
  try {
    const status = await ask('status');
    const isOpen = status.initialized && !status.locked;
    const answer = isOpen ? await ask('providers') : null;
    const { consents } = isOpen ? await ask('consents') : { consents: [] };
    if (mine !== turn) return;
    const autoFill = `AutoFill is ${status.autoFill ? 'on' : 'off'}.`;
    at('state').textContent = !status.initialized ? 'Latchkey is not set up yet. Run “latchkey init”.' : status.locked ? `Latchkey is locked. ${autoFill}` : autoFill;
    at('unlock').hidden = !status.initialized || !status.locked;
    at('section').hidden = !answer;
    at('passwords').hidden = !answer;
    const isolation = answer?.isolation;
    at('isolation').hidden = !isolation || isolation.available;
    at('isolation').textContent = isolation?.available === false
      ? `Providers cannot be isolated here${isolation.reason ? `: ${sentence(isolation.reason)}` : '.'} Enable only those that you trust as you trust your own programs.` : '';
    providers = answer?.providers ?? [];
    draw();
    drawConsents(consents);
    unlocking.show(await preferences.show(isOpen));
    await upgrades.show(isOpen);
  } catch (error) {
    if (mine !== turn) return;
    at('state').textContent = 'Not connected';
    at('section').hidden = true;
    at('passwords').hidden = true;
    at('agreed').hidden = true;
    at('preferences').hidden = true;
    at('unlocking').hidden = true;
    at('upgrades').hidden = true;
    at('unlock').hidden = true;
    note([error.message, error.data?.hint].filter(Boolean).join(' '));
  }
}

const preferences = new PreferenceSection(at, doing, say);
const unlocking = new UnlockingSection(at, doing, say);
const upgrades = new UpgradeSection(at, doing, say);
const browser = new BrowserSection(at, doing, say);
at('unlock').addEventListener('click', (event) => { if (event.isTrusted) doing(() => ask('unlock')); });
at('show-passwords').addEventListener('click', (event) => {
  const builtIn = providers.find((provider) => provider.builtIn);
  if (event.isTrusted && builtIn) doing(() => ask('configure', { identifier: builtIn.identifier }));
});
at('forget-all').addEventListener('click', (event) => {
  const ids = [...at('consents').querySelectorAll('button')].map((button) => button.dataset.consent ?? '');
  if (event.isTrusted) takeBack(ids);
});
onChanged(show);
// While it was not looked at something may have been installed.
addEventListener('focus', () => { if (!isBusy) show(); });
show();

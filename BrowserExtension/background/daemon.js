// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import { clock } from '../logic/clock.js';
import { Submissions } from '../logic/submissions.js';
import { WireError, code } from '../messages/errors.js';
import { advice, authentications, early, rows, sessions } from './memory.js';
import { Wire } from './native.js';
import { pageIn } from './pages.js';
import * as platform from './platform.js';
import { promptsOf } from './prompts.js';
import { evidenceFor, originOf, targetIn } from './sessions.js';

/** The connection to the daemon, and what the daemon asks. */
export const wire = new Wire({
  'browser.authenticate': (params) => authentications.begin(params),
  'browser.present': (params) => prompts.present(params),
  'browser.bringUp': ({ prompt }) => { prompts.bringUp(prompt).catch(() => {}); },
  'browser.update': ({ prompt }) => platform.tellOwnDocuments({ type: 'update', prompt }),
  'browser.dismiss': ({ prompt }) => {
    authentications.end(prompt);
    prompts.dismiss(prompt);
  },
  'browser.evidence': evidence,
  'browser.notice': ({ tab, message }) => { if (Number.isInteger(tab)) platform.warn(tab, String(message)); },
  'browser.recommendation': (params) => advice.take(params),
  'upgrades.progress': (params) => {
    if (params.handle !== undefined) advice.progress(params);
    else platform.tellOwnDocuments({ type: 'upgrading', service: String(params.service), user: String(params.user), step: String(params.step) });
  },
  'browser.changed': ({ locked }) => {
    isOffering = null;
    // Settings can change while it stays locked, so the status is asked for.
    if (locked === true) platform.showLock(true);
    else wire.request('renderer.status', {}).then(showLock).catch(() => {});
    // While locked nothing is said of what is saved, and it may have been unlocked again by now.
    if (locked === true) advice.forget();
    // Locked, perhaps: what was offered is not kept.
    rows.clear();
    early.clear();
    platform.tellOwnDocuments({ type: 'changed' });
  },
}, () => {
  isOffering = null;
  sessions.clear();
  submissions.clear();
  rows.clear();
  early.clear();
  advice.forget();
  prompts.clear();
  authentications.clear();
  platform.tellOwnDocuments({ type: 'changed' });
}, showLock);

/** @param {{initialized?: boolean, locked?: boolean}} status */
function showLock({ initialized, locked }) {
  platform.showLock(initialized === true && locked === true);
}

/** Whether AutoFill is on. @type {Promise<boolean> | null} */ let isOffering = null;

/**
 * Whether AutoFill is on. It is asked once for each change of anything: an answer to a page must not take longer while the daemon looks
 * for what is saved.
 */
export function offering() {
  isOffering ??= wire.request('renderer.status', {}).then(({ initialized, autoFill }) => initialized === true && autoFill === true);
  isOffering.catch(() => { isOffering = null; });
  return isOffering;
}

/** What the daemon asks the user. */
export const prompts = promptsOf((method, params) => wire.request(method, params));

/** Where the user has just sent a form off; what was in it goes through here and is not kept. */
export const submissions = new Submissions(clock, {
  framesOf: async (tab) => (await platform.framesOf(tab)).map((one) => ({ ...one, origin: originOf(one.url) })),
  askArrival: (tab, document) => platform.tell(tab, document, { type: 'arrival' }),
  settle: ({ page, ...params }) => wire.request('page.settled', { ...params, ...(page ? { page: pageIn(page) } : {}) }).catch(() => {}),
});

platform.onWindowClosed((window) => authentications.closed(window));

/** What the browser says now about the document of a session; `expired` once it is not there any more. */
async function evidence(asked) {
  const target = targetIn(asked);
  const session = target && sessions.find(target);
  const now = session && session.frame === target.frame ? await evidenceFor(target, session.origin) : null;
  if (!now) throw new WireError(code.expired, 'The page is gone.');
  return { chain: now.chain };
}

// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import { clock } from '../logic/clock.js';
import { Floating } from '../logic/floating.js';
import { EarlyRows, Rows } from '../logic/rows.js';
import { Advice } from './advice.js';
import { Authentications } from './authentication.js';
import { Cramped } from './cramped.js';
import { Opened } from './opened.js';
import { Parts } from './parts.js';
import * as platform from './platform.js';
import { Sessions } from './sessions.js';
import { Sights } from './sights.js';

/*
 * What this run of the background script knows. It is bound to the connection to the daemon and ends with it.
 */

export const sessions = new Sessions();
/** The rows that were given to documents. */
export const rows = new Rows();
/**
 * Documents whose user is being asked, with the end of that. A focus that comes back to one waits for it: a new session
 * would end the one that the question belongs to.
 * @type {Map<string, Promise<void>>}
 */
export const choosing = new Map();
/** Rows that were asked for while their bar was still loading. @type {EarlyRows<any>} */
export const early = new EarlyRows();
/** What has been brought into documents beside the content script. */
export const parts = new Parts();
/** What the documents around a bar show. */
export const sights = new Sights(parts);
/** Documents that this script has asked to describe their fields again. */
export const describing = new Set();

/** Taps on “Unlock Latchkey…” that wait for the passphrase, by document. A tap is dropped when its document is left. @type {Map<string, object>} */
export const wishes = new Map();
/** What there is to say of passwords that were filled. */
export const advice = new Advice(() => platform.tellOwnDocuments({ type: 'upgrade' }));
/** Where the user is at a field without room for a bar. */
export const cramped = new Cramped((tab) => { if (advice.of(tab)) advice.mark(tab); else platform.warn(tab, ''); });
/** What floats above all windows. */
export const floating = new Floating(clock, platform);
/** The windows that were opened for questions and choices. */
export const opened = new Opened();
/** Windows in which the user signs in somewhere for the daemon. */
export const authentications = new Authentications();

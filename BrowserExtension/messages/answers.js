// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/*
 * The shapes of what the background script answers the extension's own documents with. They are types alone: nothing loads this file.
 */

/**
 * @typedef {{tab: number, frame: number, document: string}} Target A document of a page.
 * @typedef {{id?: string, source?: string, age?: number, boundTo?: string, secondsLeft?: number}} Code What is said of a code. The
 * code itself is not here: it leaves Latchkey after it was chosen, and goes into the page's fields and nowhere else.
 * @typedef {{title: string, user: string, provider: string, providerName?: string, relation?: string, savedFor?: string, top?: string, code?: Code}} Row
 * @typedef {{handle: string, title: string, user: string, providerName?: string, copies: string[], url?: string, fill?: Row & {handle: string}}} Found
 * An account that was searched for: what of it can be copied, its website, and the row that fills it where it may be filled.
 * @typedef {{phase: 'running' | 'done' | 'failed' | 'canceled', step: string, message: string, hint: string, isSeen: boolean}} Upgrade
 * @typedef {{handle: string, site: string, reason: string, advice: string, extension: string, upgrade: Upgrade | null}} Said What there
 * is to say of the password that was last filled in a tab.
 */

export {};

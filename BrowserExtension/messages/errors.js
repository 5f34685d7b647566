// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/** Error codes of docs/protocol.md that this extension acts on. */
export const code = Object.freeze({
  methodNotFound: -32601, invalidParams: -32602, tooManyAttempts: 5, refused: 6, notFound: 7, userCanceled: 9, busy: 12, expired: 16,
});

/** An error answer of the daemon, or of the connection to it (code `unreachable`). */
export class WireError extends Error {
  /**
   * @param {number | string} number
   * @param {string} message
   * @param {{reason?: string, hint?: string, retryAfter?: number}} [data]
   */
  constructor(number, message, data) {
    super(message);
    this.code = number;
    this.data = data ?? {};
  }
}

/** Maximum length of what is shown of a provider's reason, in characters. */
const most = 300;

/**
 * What an error says to people, with what a provider gives as the reason: its own words, so one line of them, without what
 * would turn the rest of the line around.
 * @param {any} error
 */
export function told({ code: number, message, data }) {
  if (!(number >= 1000 && number < 1200) || typeof data?.reason !== 'string') return String(message);
  const reason = data.reason.toWellFormed().replace(/[\s\p{Cc}\p{Bidi_Control}]+/gu, ' ').trim();
  return [message, sentence([...reason].slice(0, most - 1).join(''))].filter(Boolean).join(' ');
}

/** A refusal as the daemon words it, as a sentence of its own. @param {string} text */
export function sentence(text) {
  return text ? `${text[0].toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}` : '';
}

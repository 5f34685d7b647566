// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/*
 * What differs between families of browsers, for the background script. This is the Chromium family's; the extension for Firefox
 * has `Firefox/background/browser.js` in its place, which exports the same names.
 */

/** The origin of this extension's own documents. */
export const ownOrigin = new URL(chrome.runtime.getURL('')).origin;

/**
 * Whether a document is the one that its frame shows. Chromium also keeps documents that are not shown yet and documents to go back to.
 * @param {{documentLifecycle?: string}} stated what the browser states of a document, a navigation or a sender
 */
export function isCurrent({ documentLifecycle }) {
  return documentLifecycle === 'active';
}

/** Whether a message comes from one of this extension's own documents. @param {chrome.runtime.MessageSender} sender */
export function isOwn(sender) {
  return sender.id === chrome.runtime.id && sender.origin === ownOrigin;
}

/** Whether a message comes from a content script whose document and origin the browser states. @param {chrome.runtime.MessageSender} sender */
export function isPage(sender) {
  return sender.id === chrome.runtime.id && Boolean(sender.documentId) && typeof sender.origin === 'string';
}

/**
 * Opens a window of the extension.
 * @param {string} url
 * @param {{left?: number, top?: number, width: number, height: number}} place
 */
export function createWindow(url, place) {
  return chrome.windows.create({ url, type: 'popup', focused: true, ...place });
}

/** Whether the browser says of a window that it lies above all others. */
export const statesFloating = true;

/** Whether what a document says of places on the screen is divided by its zoom. */
export const zoomsPlaces = false;

/** Windows that lie above all others, or may. */
export async function floatingWindows() {
  const all = await chrome.windows.getAll({ windowTypes: ['normal', 'popup', 'panel', 'app', 'devtools'] });
  return all.filter(({ alwaysOnTop }) => alwaysOnTop);
}

/** Whether a window lies above all others, or may. @param {number} window */
export async function isFloating(window) {
  return (await chrome.windows.get(window)).alwaysOnTop === true;
}

/** Brings a window to the front. @param {number} window */
export function raiseWindow(window) {
  return chrome.windows.update(window, { focused: true, drawAttention: true });
}

/** Whether the user can sign in for an app in a window whose callback is held back before it is sent. */
export const canAuthenticate = true;

/** Does what has to begin after an answer that was given just now. Chromium has sent it by then. @param {() => void} act */
export function afterAnswer(act) {
  act();
}

/** Whether what is said to all documents of the extension reaches a bar in a page. */
export const reachesBars = true;

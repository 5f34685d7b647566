// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import { clock, inTime } from '../logic/clock.js';

/*
 * What differs between families of browsers, for the background script. This is Firefox's, from version 153; the Chromium family has
 * `background/browser.js` in its place.
 *
 * Firefox states the document and the origin of a sender as they are when it delivers the message. If the frame has shown another
 * document since the message was sent, both are those of the other document. Only the address is that of the document that sent it.
 * So a message counts only if the address agrees with the origin.
 */

/** The origin of this extension's own documents, as Firefox writes it in a sender. */
export const ownOrigin = chrome.runtime.getURL('').slice(0, -1);

/** Firefox states only documents that their frames show. */
export function isCurrent() {
  return true;
}

/** Whether a message comes from one of this extension's own documents. @param {chrome.runtime.MessageSender} sender */
export function isOwn(sender) {
  return sender.id === chrome.runtime.id && sender.origin === ownOrigin && String(sender.url).startsWith(`${ownOrigin}/`);
}

/**
 * Whether a message comes from a content script whose document and origin are known. The address of a `srcdoc` or `about:blank` frame names
 * no origin, so nothing is known of such a frame, and nothing is offered in it.
 * @param {chrome.runtime.MessageSender} sender
 */
export function isPage(sender) {
  const address = URL.canParse(sender.url ?? '') ? new URL(sender.url) : null;
  return sender.id === chrome.runtime.id && Boolean(sender.documentId)
    && address !== null && /^https?:$/.test(address.protocol) && address.origin === sender.origin;
}

/**
 * Opens a window of the extension.
 * @param {string} url
 * @param {{left?: number, top?: number, width: number, height: number}} place
 */
export function createWindow(url, place) {
  return chrome.windows.create({ url, type: 'popup', ...place });
}

/** Whether the browser says of a window that it lies above all others. */
export const statesFloating = false;

/** Whether what a document says of places on the screen is divided by its zoom. */
export const zoomsPlaces = true;

/** How long a window has to say whether it floats, in milliseconds. One that does not answer may. */
const patience = 500;

/**
 * Whether a window lies above all others, or may. Firefox does not say so of the window, but its document knows, whatever its page does. Where
 * no script of ours may run, only a document without an address can be one that another extension lets float.
 * @param {chrome.windows.Window} window with its tabs
 */
async function mayFloat({ type, tabs }) {
  return type === 'popup' && (await Promise.all((tabs ?? []).map(({ id }) => mayBeFloating(Number(id))))).includes(true);
}

/** @param {number} tabId */
async function mayBeFloating(tabId) {
  const func = () => matchMedia('(display-mode: picture-in-picture)').matches;
  const asked = chrome.scripting.executeScript({ target: { tabId }, injectImmediately: true, func }).catch(() => []);
  const [answer] = await inTime(clock, patience, asked, [{ result: true }]);
  if (answer) return answer.result !== false;
  const top = await chrome.webNavigation.getFrame({ tabId, frameId: 0 }).catch(() => null);
  return (top?.url ?? 'about:blank') === 'about:blank';
}

/** Windows that lie above all others, or may. */
export async function floatingWindows() {
  const all = await chrome.windows.getAll({ windowTypes: ['popup'], populate: true });
  const may = await Promise.all(all.map(mayFloat));
  return all.filter((_, index) => may[index]);
}

/** Whether a window lies above all others, or may. @param {number} window */
export async function isFloating(window) {
  return (await chrome.windows.get(window)).type === 'popup' && mayFloat(await chrome.windows.get(window, { populate: true }));
}

/** Brings a window to the front, also one that is minimized. @param {number} window */
export async function raiseWindow(window) {
  await chrome.windows.update(window, { state: 'normal' });
  return chrome.windows.update(window, { focused: true, drawAttention: true });
}

/**
 * Whether the user can sign in for an app in a window whose callback is held back before it is sent. That Firefox tells of an address that
 * a rule holds back is not shown yet, and the manifest for Firefox leaves the permissions for it out.
 */
export const canAuthenticate = false;

/** Does what has to begin after an answer that was given just now. Firefox sends it when the present task has ended. @param {() => void} act */
export function afterAnswer(act) {
  clock.after(0, act);
}

/**
 * Whether what is said to all documents of the extension reaches a bar in a page. In Firefox a frame of a page is told what content scripts
 * are told, whichever document it shows.
 */
export const reachesBars = false;

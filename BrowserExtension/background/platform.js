// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import { freePlace } from '../logic/places.js';
import { clock, wait } from '../logic/clock.js';
import { createWindow, floatingWindows, isCurrent, ownOrigin, raiseWindow, reachesBars, statesFloating } from './browser.js';

/*
 * The calls to the browser that the background script makes. What families of browsers do differently is in browser.js.
 */

export { afterAnswer, canAuthenticate, floatingWindows, isCurrent, isFloating, isOwn, isPage, ownOrigin, raiseWindow, statesFloating, zoomsPlaces } from './browser.js';

/** The name of the native messaging host's manifest. */
const host = 'org.latchkey.browser';

/** @returns {chrome.runtime.Port} */
export function connectNative() {
  return chrome.runtime.connectNative(host);
}

/**
 * The frames of a tab as the browser states them; empty when there is no such tab.
 * @param {number} tab
 * @returns {Promise<{frame: number, parent: number, document: string, url: string}[]>}
 */
export async function framesOf(tab) {
  const frames = await chrome.webNavigation.getAllFrames({ tabId: tab }).catch(() => null);
  return (frames ?? [])
    .filter(isCurrent)
    .map((entry) => ({ frame: entry.frameId, parent: entry.parentFrameId, document: entry.documentId, url: entry.url }));
}

/**
 * Sends a message to the content script of one document, and to no other that may have taken its frame.
 * @param {number} tab
 * @param {string} document
 * @param {object} message
 */
export function tell(tab, document, message) {
  return chrome.tabs.sendMessage(tab, message, { documentId: document });
}

/** Sends a message to the content scripts of all documents of a tab. @param {number} tab @param {object} message */
export function tellTab(tab, message) {
  chrome.tabs.sendMessage(tab, message).catch(() => {});
}

/** Has all documents say for a while whether they let a video float. Firefox's videos are its own. */
export async function askForVideos() {
  if (!statesFloating) return;
  for (const { id } of await chrome.tabs.query({})) if (id !== undefined) tellTab(id, { type: 'acted' });
}

/**
 * Runs files of this extension beside the scripts of one document, and of no other that may have taken its frame: in the world
 * of the content script, which its page cannot see.
 * @param {number} tab
 * @param {string} document
 * @param {string[]} files each of them ends with whether it found the content script there
 * @returns {Promise<boolean>} whether they are there now; not where the document is gone or the browser does not let them in
 */
export async function bring(tab, document, files) {
  const target = { tabId: tab, documentIds: [document] };
  const [done] = await chrome.scripting.executeScript({ target, files, world: 'ISOLATED', injectImmediately: true }).catch(() => []);
  return done?.result === true;
}

/**
 * Tells the extension's own documents that something changed. The browser reports an error where none of them is open; it is ignored.
 * @param {{type: string}} message
 * @param {{tab: number, document: string}} [place] the document that alone is concerned, where it is one
 */
export function tellOwnDocuments(message, place) {
  chrome.runtime.sendMessage(message).catch(() => {});
  // A bar listens to nothing else.
  if (!reachesBars && message.type === 'changed') tellBars(message, place).catch(() => {});
}

/** The host of the page that a tab shows; empty where that is not known. @param {number} tab */
export async function hostOf(tab) {
  const { url = '' } = await chrome.tabs.get(tab).catch(() => ({ url: '' }));
  return URL.canParse(url) ? new URL(url).host : '';
}

/** Whether a tab is the one that its window shows. @param {number} tab */
export async function isInFront(tab) {
  return (await chrome.tabs.get(tab).catch(() => null))?.active === true;
}

/**
 * What the window of a tab shows: `own`, a document of this extension in it alone; `new`, nothing yet; `other`.
 * @param {number} tab
 * @returns {Promise<'own' | 'new' | 'other'>}
 */
export async function shownIn(tab) {
  const { pendingUrl, url, windowId } = await chrome.tabs.get(tab).catch(() => ({}));
  if (windowId !== undefined && (await chrome.tabs.query({ windowId })).length > 1) return 'other';
  const address = pendingUrl ?? url ?? (await chrome.webNavigation.getFrame({ tabId: tab, frameId: 0 }).catch(() => null))?.url;
  return address?.startsWith(`${ownOrigin}/`) ? 'own' : address === '' || address === 'about:blank' ? 'new' : 'other';
}

/** @param {number} tab */
export function closeTab(tab) {
  return chrome.tabs.remove(tab).catch(() => {});
}

/** @param {(tab: number) => void} listener called when a tab may show another document */
export function onTabChanged(listener) {
  chrome.tabs.onUpdated.addListener((tab, { status }) => { if (status) listener(tab); });
}

/** @param {(window: number) => void} listener called when a tab has come into a window */
export function onTabJoined(listener) {
  chrome.tabs.onCreated.addListener(({ windowId }) => listener(windowId));
  chrome.tabs.onAttached.addListener((_tab, { newWindowId }) => listener(newWindowId));
}

/** Shows a tab to the user. @param {number} tab */
export async function showTab(tab) {
  const { windowId } = await chrome.tabs.update(tab, { active: true }) ?? {};
  if (windowId !== undefined) await raiseWindow(windowId);
}

/** @returns {Promise<number | null>} the tab the user looks at */
export async function activeTab() {
  const [tab] = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
  return tab?.id ?? null;
}

/** The origin of the page that a tab shows; `null` where it is none of the web. @param {number} tab @returns {Promise<string | null>} */
export async function originIn(tab) {
  const { url = '' } = await chrome.tabs.get(tab).catch(() => ({ url: '' }));
  return /^https?:/.test(url) && URL.canParse(url) ? new URL(url).origin : null;
}

/** Tabs with pages of the web, the last used ones first. @returns {Promise<{tab: number, title: string, host: string}[]>} */
export async function pageTabs() {
  const tabs = await chrome.tabs.query({ url: ['http://*/*', 'https://*/*'] });
  // What is open in private windows stands in no other.
  return tabs.filter(({ id, incognito }) => id !== undefined && !incognito).sort((one, other) => (other.lastAccessed ?? 0) - (one.lastAccessed ?? 0))
    .map(({ id, title, url }) => ({ tab: Number(id), title: title ?? '', host: new URL(url ?? '').host }));
}

/** Where a window is on the screen, in the browser's own words. @param {number} window @returns {Promise<object | null>} */
export function placeOf(window) {
  return chrome.windows.get(window).then(({ left, top, width, height }) => ({ left, top, width, height })).catch(() => null);
}

/** @param {number} tab the user's own zoom of a tab, 1 for 100 % */
export function zoomOf(tab) {
  return chrome.tabs.getZoom(tab).catch(() => 0);
}

/** @param {() => void} listener called when a window that lies above all others may have come, moved or gone; Firefox does not say that it moved */
export function onFloating(listener) {
  chrome.windows.onCreated.addListener(listener);
  chrome.windows.onRemoved.addListener(listener);
  chrome.windows.onBoundsChanged?.addListener(({ alwaysOnTop }) => { if (alwaysOnTop) listener(); });
}

/** Moves a window of the extension. @param {number} window @param {{left: number, top: number}} place */
export function moveWindow(window, { left, top }) {
  return chrome.windows.update(window, { left: Math.round(left), top: Math.round(top) });
}

/**
 * Keeps a value as long as the browser runs, where content scripts cannot read it. This script may be stopped meanwhile.
 * @param {string} name @param {unknown} value
 */
export function keep(name, value) {
  return chrome.storage.session.set({ [name]: value });
}

/** What is kept under a name. @param {string} name @returns {Promise<any>} */
export async function kept(name) {
  return (await chrome.storage.session.get(name))[name];
}

/** All that is kept, by name. @returns {Promise<Record<string, any>>} */
export function allKept() {
  return chrome.storage.session.get(null);
}

/** Ends that something is kept under a name. @param {string} name */
export function forget(name) {
  return chrome.storage.session.remove(name);
}

/** The windows for questions and choices that this run of the background script has opened. The browser gives no number twice. @type {Set<number>} */
const ownWindows = new Set();

/** Whether a window is one of those. @param {number} window */
export function isOwnWindow(window) {
  return ownWindows.has(window);
}

/**
 * Opens a window of the extension over the browser's window that was used last. A page may open popups and say where they are, and others
 * where they float; the place of this window depends on neither.
 * @param {string} page
 * @param {{width: number, height: number}} size
 * @returns {Promise<{window: number, tab: number}>} -1 for what was not opened
 */
export async function openWindow(page, { width, height }) {
  const ordinary = (await chrome.windows.getAll({ windowTypes: ['normal'] }).catch(() => [])).filter(({ alwaysOnTop }) => !alwaysOnTop);
  const last = await chrome.windows.getLastFocused().catch(() => null);
  const parent = ordinary.find(({ id }) => id === last?.id) ?? ordinary[0];
  let place = {};
  if (parent?.width && parent.height && parent.left !== undefined && parent.top !== undefined) {
    const wanted = {
      left: Math.max(0, Math.round(parent.left + (parent.width - width) / 2)),
      top: Math.max(0, Math.round(parent.top + Math.min(96, Math.max(0, (parent.height - height) / 2)))), width, height,
    };
    place = freePlace(wanted, /** @type {any} */ (parent), /** @type {any} */ (await floatingWindows().catch(() => []))) ?? wanted;
  }
  const url = chrome.runtime.getURL(page);
  const window = await createWindow(url, { width, height, ...place });
  if (window?.id !== undefined) ownWindows.add(window.id);
  return { window: window?.id ?? -1, tab: window?.tabs?.[0]?.id ?? -1 };
}

/** The name under which the extension's storage says that the first-run page was shown. */
const shown = 'welcomed';

/**
 * Opens a document of the extension in a tab, once, when the extension is installed. Chromium says `install` at each start of an extension
 * that a command line names, as packages do; so it is kept that the page was shown. No private window gets it.
 * @param {string} page
 */
export function openOnInstall(page) {
  chrome.runtime.onInstalled.addListener(async ({ reason }) => {
    if (reason !== 'install' || (await chrome.storage.local.get(shown))[shown]) return;
    // A browser that is just starting may have no window yet.
    let window = await ordinaryWindow();
    while (window === null) {
      await nextWindow();
      window = await ordinaryWindow();
    }
    await chrome.tabs.create({ windowId: window, url: chrome.runtime.getURL(page) });
    await chrome.storage.local.set({ [shown]: true });
  });
}

/** Waits until a window opens. @returns {Promise<void>} */
function nextWindow() {
  return new Promise((resolve) => {
    const opened = () => {
      chrome.windows.onCreated.removeListener(opened);
      resolve();
    };
    chrome.windows.onCreated.addListener(opened);
  });
}

/** A window with tabs that is not a private one, best the one that the user looks at. @returns {Promise<number | null>} */
async function ordinaryWindow() {
  const found = (await chrome.windows.getAll({ windowTypes: ['normal'] })).filter(({ incognito }) => !incognito);
  return (found.find(({ focused }) => focused) ?? found[found.length - 1])?.id ?? null;
}

/** Opens a tab beside the one the user looks at. @param {string} url */
export async function openTab(url) {
  await chrome.tabs.create({ url });
}

/**
 * Opens a window for a page of the web, with nothing in it yet.
 * @param {boolean} isPrivate whether it is to be a private one, where the user lets this extension into those
 * @returns {Promise<{window: number, tab: number}>}
 */
export async function openPage(isPrivate) {
  const incognito = isPrivate && await chrome.extension.isAllowedIncognitoAccess();
  const window = await chrome.windows.create({ url: 'about:blank', type: 'popup', focused: true, width: 520, height: 680, incognito });
  return { window: window?.id ?? -1, tab: window?.tabs?.[0]?.id ?? -1 };
}

/** Shows a page in a tab, once what the tab was opened with is there: that could take the page's place. @param {number} tab @param {string} url */
export async function goTo(tab, url) {
  for (let count = 0; count < 80 && (await chrome.tabs.get(tab)).status !== 'complete'; count += 1) {
    await wait(clock, 25);
  }
  return chrome.tabs.update(tab, { url });
}

/**
 * Tells which addresses the top document of a tab asks for, before anything is sent there, and what a form posts to them.
 * @param {number} tab
 * @param {(address: string, form: Record<string, unknown[]> | null) => void} listener
 * @returns {() => void} stops it
 */
export function watchTab(tab, listener) {
  const filter = { urls: ['https://*/*'], tabId: tab, types: /** @type {any} */ (['main_frame']) };
  /** @param {any} details */
  const asked = ({ url, method, requestBody }) => { listener(url, (method === 'POST' && requestBody?.formData) || null); };
  // An address of an app's own scheme is asked for by nobody: it stands in a redirect.
  /** @param {any} details */
  const redirected = ({ redirectUrl }) => { if (!/^https?:/i.test(redirectUrl)) listener(redirectUrl, null); };
  chrome.webRequest.onBeforeRequest.addListener(asked, filter, ['requestBody']);
  chrome.webRequest.onBeforeRedirect.addListener(redirected, filter);
  return () => {
    chrome.webRequest.onBeforeRequest.removeListener(asked);
    chrome.webRequest.onBeforeRedirect.removeListener(redirected);
  };
}

/**
 * Keeps the top document of a tab from ever being asked for at an address: who watches the tab is told of it, and nothing is sent.
 * @param {number} tab
 * @param {string} host
 * @param {string} path
 * @returns {Promise<() => void>} lets go of it
 */
export async function holdBack(tab, host, path) {
  // The filter's last sign is the end of the address, or what begins its query or fragment.
  /** @type {any} */ const condition = {
    urlFilter: `|https://${host}${path}^`, isUrlFilterCaseSensitive: true, resourceTypes: ['main_frame'], tabIds: [tab],
  };
  /** @type {any} */ const rule = { id: tab, priority: 1, action: { type: 'block' }, condition };
  await chrome.declarativeNetRequest.updateSessionRules({ removeRuleIds: [tab], addRules: [rule] });
  return () => { chrome.declarativeNetRequest.updateSessionRules({ removeRuleIds: [tab] }).catch(() => {}); };
}

/** Whether a question waits, and whether Latchkey is locked. */
const standing = { isWaiting: false, isLocked: /** @type {boolean | null} */ (null) };
/** What the toolbar button says in tabs of which nothing else is said. */
let usual = 'Latchkey';
/** The tabs that have nothing of their own to say since something was said of them. @type {Set<number>} */ const plain = new Set();

/** Marks the toolbar button of every tab: something waits for an answer. @param {boolean} isWaiting */
export function mark(isWaiting) {
  standing.isWaiting = isWaiting;
  chrome.action.setBadgeText({ text: isWaiting ? '?' : '' }).catch(() => {});
  sayUsual();
}

/** Shows on the toolbar button whether Latchkey is locked. @param {boolean} isLocked */
export function showLock(isLocked) {
  if (standing.isLocked === isLocked) return;
  standing.isLocked = isLocked;
  const path = Object.fromEntries([16, 32, 48].map((size) => [size, `/icons/${isLocked ? 'locked-' : ''}${size}.png`]));
  chrome.action.setIcon({ path }).catch(() => {});
  sayUsual();
}

function sayUsual() {
  usual = standing.isWaiting ? 'Latchkey: a question waits' : standing.isLocked ? 'Latchkey is locked' : 'Latchkey';
  chrome.action.setTitle({ title: usual }).catch(() => {});
  for (const tab of plain) chrome.action.setTitle({ tabId: tab, title: usual }).catch(() => plain.delete(tab));
}

/** @param {number} window */
export function closeWindow(window) {
  return chrome.windows.remove(window).catch(() => {});
}

/**
 * Marks the toolbar button of a tab with what went wrong or goes on, or with nothing.
 * @param {number} tab
 * @param {string} text
 * @param {string} [sign]
 */
export function warn(tab, text, sign = '!') {
  // Without a text of its own a tab has that of all tabs; a title cannot be taken back, so it follows that of all tabs.
  chrome.action.setBadgeText({ tabId: tab, text: text ? sign : /** @type {any} */ (null) }).catch(() => {});
  chrome.action.setTitle({ tabId: tab, title: text ? `Latchkey: ${text}` : usual }).catch(() => {});
  if (text) plain.delete(tab);
  else plain.add(tab);
}

/** What the toolbar button of a tab says of that tab alone, such as what went wrong there. @param {number} tab */
export async function warningOf(tab) {
  const title = await chrome.action.getTitle({ tabId: tab }).catch(() => usual);
  return title === usual || !title.startsWith('Latchkey: ') ? '' : title.slice('Latchkey: '.length);
}

/** @param {(window: number) => void} listener */
export function onWindowClosed(listener) {
  chrome.windows.onRemoved.addListener(listener);
}

/** What began a navigation that may be the end of a form that was sent off: a form, a script or a link of the page. */
const fromPages = new Set(['form_submit', 'link', 'auto_subframe', 'manual_subframe']);

/**
 * @param {(tab: number, frame: number, document: string, isElsewhere: boolean) => void} listener is told as well whether the user
 *   went there by what is not a page's: the address bar, a bookmark, Back, Reload
 */
export function onNavigated(listener) {
  chrome.webNavigation.onCommitted.addListener((details) => {
    const { tabId, frameId, documentId, url, transitionType, transitionQualifiers } = details;
    const isElsewhere = !fromPages.has(transitionType) || transitionQualifiers.some((one) => one === 'forward_back' || one === 'from_address_bar');
    if (isCurrent(details) && !url.startsWith(ownOrigin)) listener(tabId, frameId, documentId, isElsewhere);
  }, { url: [{ schemes: ['http', 'https', 'about', 'data', 'blob'] }] });
}

/*
 * The frame tree that Chromium states (`getAllFrames`, `getFrame`) leaves the extension's own frames out; what holds one
 * is stated once, when its document is committed. That is kept where it outlives a stop of the worker, and ends with
 * the browser; content scripts cannot read it.
 */

/** @typedef {{bar: string, frame: number, document: string}} Holder */
/** What this run of the worker was told, by tab and bar. @type {Map<string, Holder>} */ const holders = new Map();
/** What waits for the commit of a bar; the bar may ask more than once before. @type {Map<string, ((holder: Holder) => void)[]>} */ const awaited = new Map();
/** Writes one after the other, as each reads first. */ let writing = Promise.resolve();

chrome.webNavigation.onCommitted.addListener(({ tabId, parentFrameId, documentId, parentDocumentId }) => {
  if (!documentId || !parentDocumentId) return;
  const holder = { bar: documentId, frame: parentFrameId, document: parentDocumentId };
  holders.set(`${tabId} ${documentId}`, holder);
  if (holders.size > 64) holders.delete(holders.keys().next().value);
  for (const resolve of awaited.get(documentId) ?? []) resolve(holder);
  writing = writing.then(async () => {
    // Each document of a tab has a bar and a spare one at most; a few more are just closing.
    await chrome.storage.session.set({ [`bars ${tabId}`]: [holder, ...await holdersIn(tabId)].slice(0, 32) });
  }).catch(() => {});
}, { url: [{ urlPrefix: `${ownOrigin}/windows/bar.html` }] });

/** @param {number} tab @returns {Promise<Holder[]>} */
async function holdersIn(tab) {
  const key = `bars ${tab}`;
  return (await chrome.storage.session.get(key))[key] ?? [];
}

/**
 * The document that a bar is in.
 * @param {number} tab
 * @param {string} bar the bar's own document
 * @returns {Promise<Holder | null>}
 */
export async function holderOfBar(tab, bar) {
  const known = holders.get(`${tab} ${bar}`);
  if (known) return known;
  // Listening first: the frame may ask before its commit is told, or while that is being stored.
  const told = new Promise((resolve) => {
    awaited.set(bar, [...awaited.get(bar) ?? [], resolve]);
    clock.after(5000, () => resolve(null));
  });
  const kept = (await holdersIn(tab)).find((holder) => holder.bar === bar);
  const holder = kept ?? await told;
  awaited.delete(bar);
  return holder;
}

/**
 * Sends something to each bar, or to those in one document, addressed by the identifiers of their own documents.
 * @param {object} message
 * @param {{tab: number, document: string}} [place]
 */
async function tellBars(message, place) {
  await writing;
  const stored = await chrome.storage.session.get(place ? `bars ${place.tab}` : null);
  for (const [key, kept] of Object.entries(stored)) {
    const tab = Number(/^bars (\d+)$/.exec(key)?.[1] ?? NaN);
    if (Number.isNaN(tab)) continue;
    // One that does not answer is gone, or has not begun to listen: it is not forgotten, since it will ask what document it is in.
    for (const { bar, document } of /** @type {Holder[]} */ (kept)) {
      if (!place || place.document === document) tell(tab, bar, message).catch(() => {});
    }
  }
}

/** Forgets the bars of a tab that is gone. @param {number} tab */
export function forgetBars(tab) {
  return chrome.storage.session.remove(`bars ${tab}`);
}

/** @param {(tab: number) => void} listener */
export function onTabClosed(listener) {
  chrome.tabs.onRemoved.addListener(listener);
}

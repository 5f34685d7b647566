// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import * as platform from './platform.js';
import { code, Wire, WireError } from './native.js';
import { evidenceFor, evidenceOfTop, holderOf, keyOf, Sessions } from './sessions.js';

/*
 * The background script stands between pages, the extension's own documents and the daemon, and keeps them apart:
 * a content script reaches `fromPage` and nothing else, a document of the extension `fromOwn` and nothing else. Where a
 * message comes from is what the browser states in `sender`; whatever a message says about its own place is dropped.
 *
 * This script may be stopped and started again at any time. All it knows is bound to its connection to the daemon and
 * ends with it; what is needed again is asked for again, from the content script of that very document.
 */

/** @typedef {import('./sessions.js').Target} Target */

const sessions = new Sessions();
/** The rows that were given out, by handle. @type {Map<string, {key: string, title: string, user: string, provider: string}>} */
const rows = new Map();
/**
 * Documents whose user is being asked, with the end of that. A focus that comes back to one waits for it: a new session
 * would end the one that the question belongs to.
 * @type {Map<string, Promise<void>>}
 */
const choosing = new Map();
/**
 * Rows that were asked for while their bar was still loading, by document; for the session they were asked for and for
 * one bar.
 * @type {Map<string, {session: string, answer: Promise<any>}>}
 */
const early = new Map();
/** Documents that this script has asked to describe their fields again. */
const describing = new Set();
/** Prompt windows, by prompt. @type {Map<string, number>} */
const prompts = new Map();

const wire = new Wire({
  'browser.present': present,
  'browser.update': ({ prompt }) => platform.tellOwnDocuments({ type: 'update', prompt }),
  'browser.dismiss': dismiss,
  'browser.evidence': evidence,
  'browser.changed': () => {
    // Locked, perhaps: what was offered is not kept.
    rows.clear();
    early.clear();
    platform.tellOwnDocuments({ type: 'changed' });
  },
}, () => {
  sessions.clear();
  rows.clear();
  early.clear();
  for (const prompt of [...prompts.keys()]) dismiss({ prompt });
  platform.tellOwnDocuments({ type: 'changed' });
});

chrome.runtime.onMessage.addListener((message, sender, respond) => {
  const serve = senderIsOurs(sender) ? serveOwn(message, sender) : servePage(message, sender);
  serve.then(
    (result) => respond({ result: result ?? {} }),
    (error) => respond({ error: error instanceof WireError
      ? { code: error.code, message: error.message, data: error.data }
      : { code: -32603, message: 'Something went wrong inside the Latchkey extension.', data: {} } }),
  );
  return true;
});

/** @param {chrome.runtime.MessageSender} sender */
function senderIsOurs(sender) {
  return sender.id === chrome.runtime.id && sender.origin === platform.ownOrigin;
}

// ---------------------------------------------------------------------------------------------------------------------
// Content scripts

const fromPage = {
  /** A field took the focus or is pointed at, or this script asked for the page's forms. */
  async 'page.focused'(message, target, origin, isTop) {
    const key = keyOf(target);
    if (!describing.has(key)) await choosing.get(key);
    const frame = isTop ? evidenceOfTop(target, origin) : await evidenceFor(target, origin);
    if (!frame) throw new WireError(code.expired, 'The page is gone.');
    const focused = Number.isInteger(message.focused) ? message.focused : null;
    const { title, path, language, forms, outside, fields } = message.page ?? {};
    const page = { title, path, language, forms, outside, fields };
    const answer = await wire.request('page.focused', { frame, focused, page });
    if (answer.session) {
      const refs = new Set((answer.fields ?? []).map((field) => field.ref));
      // A bar or list that is open for this document shows rows of the session that has just ended.
      if (sessions.find(target)) platform.tellOwnDocuments({ type: 'changed' });
      sessions.keep({ ...target, session: answer.session, origin, refs });
      early.delete(key);
      // The page has its answer no later for that, whatever the rows are: nothing here waits for them.
      if (answer.bar === true) askEarly(key, answer.session);
    }
    return { bar: answer.bar === true, fields: answer.fields ?? [] };
  },

  /** The document is hidden or being left. */
  async 'page.left'(_message, target) {
    leave([target]);
  },
};

/** Asks for the rows of a bar that is going to be shown. @param {string} key @param {string} session */
function askEarly(key, session) {
  const answer = wire.request('renderer.suggestions', { session });
  answer.catch(() => {}); // the bar asks again
  early.set(key, { session, answer });
}

async function servePage(message, sender) {
  const tab = sender.tab?.id;
  const isDocument = sender.id === chrome.runtime.id && tab !== undefined && tab >= 0 && sender.frameId !== undefined
    && sender.documentId && typeof sender.origin === 'string';
  const type = String(message?.type);
  if (!isDocument || !Object.hasOwn(fromPage, type)) throw new WireError(code.methodNotFound, 'Not for pages.');
  const isTop = sender.frameId === 0 && sender.documentLifecycle === 'active';
  return fromPage[type](message, { tab, frame: sender.frameId, document: sender.documentId }, sender.origin, isTop);
}

// ---------------------------------------------------------------------------------------------------------------------
// Documents of the extension

const fromOwn = {
  async status() {
    return wire.request('renderer.status', {});
  },

  /** The popup was opened: finds the form of the page the user looks at, without the page taking part. */
  async open() {
    const tab = await platform.activeTab();
    return { target: tab === null ? null : await formIn(tab) };
  },

  async suggestions(_message, target) {
    const answer = await within(target, (session) => takeEarly(target, session) ?? wire.request('renderer.suggestions', { session }));
    remember(answer.suggestions, target);
    return answer;
  },

  async list({ search, cursor }, target) {
    const params = { search: String(search ?? ''), cursor: cursor ?? null };
    const answer = await within(target, (session) => wire.request('renderer.list', { ...params, session }));
    remember(answer.rows, target);
    return answer;
  },

  choose,

  /** A provider's own list: what the user chooses there is filled as if it had been a row of ours. */
  async openList({ provider }, target) {
    if (typeof provider !== 'string') throw new WireError(code.invalidParams, 'provider');
    await filling(target, async () => deliver(
      await within(target, (session) => wire.request('renderer.openList', { session, provider })), /** @type {Target} */ (target)));
  },

  async unlock(_message, target) {
    const session = target ? await sessionOf(target).catch(() => null) : null;
    return wire.request('renderer.unlock', { session: session?.session ?? null });
  },

  /** What `devicePixelRatio` is in a document that no page can zoom: the top one, seen from outside its own scripts. */
  async scale(_message, target) {
    const top = (await platform.framesOf(target.tab)).find((entry) => entry.frame === 0);
    const [answer, zoom] = await Promise.all([
      top ? platform.tell(target.tab, top.document, { type: 'scale' }).catch(() => null) : null,
      platform.zoomOf(target.tab),
    ]);
    return { scale: answer?.scale ?? 0, zoom };
  },

  /** “All Passwords…” */
  async picker(_message, target) {
    tellPage(target, { type: 'close' });
    await platform.openWindow(`picker.html?${new URLSearchParams(/** @type {any} */ (target))}`, { width: 460, height: 560 });
  },

  async prompt({ prompt }) {
    return wire.request('renderer.prompt', { prompt });
  },

  async answer({ prompt, accept, passphrase }) {
    const secret = typeof passphrase === 'string' ? { passphrase: { secret: passphrase } } : {};
    return wire.request('renderer.answer', { prompt, accept: accept === true, ...secret });
  },

  /** What the user did in a provider's interface. What was typed travels as secrets: it may be one. */
  async act({ prompt, element, action, row, text, fields }) {
    return wire.request('renderer.act', {
      prompt, element, action,
      ...(typeof row === 'string' ? { row } : {}),
      ...(typeof text === 'string' ? { text: { secret: text } } : {}),
      ...(Array.isArray(fields) ? { fields: fields.map(({ id, text: typed }) => ({ id, text: { secret: String(typed) } })) } : {}),
    });
  },

  async providers() {
    return wire.request('providers.list', {});
  },

  /** The daemon asks the user, in a window of its own kind, before it does so. */
  async enable({ identifier, digest }) {
    return wire.request('providers.enable', { identifier: String(identifier), digest: String(digest) });
  },

  async disable({ identifier }) {
    return wire.request('providers.disable', { identifier: String(identifier) });
  },

  async order({ identifiers }) {
    if (!Array.isArray(identifiers)) throw new WireError(code.invalidParams, 'identifiers');
    return wire.request('providers.order', { identifiers: identifiers.map(String) });
  },

  async configure({ identifier }) {
    return wire.request('providers.configure', { identifier: String(identifier) });
  },
};

/** What each document of the extension may ask for, and how a choice made in it is called on the wire. */
const documents = {
  '/bar.html': { surface: 'bar', may: ['suggestions', 'choose', 'unlock', 'scale', 'picker'] },
  '/popup.html': { surface: 'popup', may: ['status', 'open', 'suggestions', 'choose', 'unlock', 'picker'] },
  '/picker.html': { surface: 'window', may: ['suggestions', 'list', 'choose', 'openList', 'unlock'] },
  '/prompt.html': { surface: 'window', may: ['prompt', 'answer', 'act'] },
  '/settings.html': { surface: 'window', may: ['status', 'unlock', 'providers', 'enable', 'disable', 'order', 'configure'] },
};

async function serveOwn(message, sender) {
  const path = new URL(sender.url ?? platform.ownOrigin).pathname;
  const page = Object.hasOwn(documents, path) ? documents[path] : null;
  const type = String(message?.type);
  const isTop = !sender.tab || sender.frameId === 0;
  if (!page || !page.may.includes(type) || isTop === (page.surface === 'bar')) {
    throw new WireError(code.methodNotFound, 'Not for this document.');
  }
  // The bar speaks for the document that the browser says it is in; windows say which one they were opened for.
  const target = page.surface === 'bar' ? await holderOf(sender) : targetIn(message.target);
  if (page.surface === 'bar' && !target) throw new WireError(code.expired, 'The page is gone.');
  return fromOwn[type](message, target, page.surface);
}

/** What was asked for early, once, and for no other session. @param {Target} target @param {string} session */
function takeEarly(target, session) {
  const known = early.get(keyOf(target));
  early.delete(keyOf(target));
  return known?.session === session ? known.answer : null;
}

/** @param {any} target @returns {Target | null} */
function targetIn(target) {
  const { tab, frame, document } = target ?? {};
  return Number.isInteger(tab) && Number.isInteger(frame) && typeof document === 'string' ? { tab, frame, document } : null;
}

/**
 * The session of a document; where there is none (any more), its content script is asked to describe its fields again.
 * @param {Target | null} target
 */
async function sessionOf(target) {
  if (!target) throw new WireError(code.notFound, 'There is no page to fill.');
  const known = sessions.find(target);
  if (known) return known;
  describing.add(keyOf(target));
  await platform.tell(target.tab, target.document, { type: 'describe' }).catch(() => {});
  describing.delete(keyOf(target));
  const session = sessions.find(target);
  if (!session) throw new WireError(code.expired, 'The page is gone.');
  return session;
}

/**
 * Makes a request within the session of a document; once more with a new session where the old one had ended.
 * @template T
 * @param {Target | null} target
 * @param {(session: string) => Promise<T>} request
 */
async function within(target, request) {
  try {
    return await request((await sessionOf(target)).session);
  } catch (error) {
    if (!target || !(error instanceof WireError) || error.code !== code.expired) throw error;
    sessions.drop(target);
    return request((await sessionOf(target)).session);
  }
}

/** @param {{handle: string, title: string, user: string, provider: string}[] | undefined} given @param {Target} target */
function remember(given, target) {
  for (const { handle, title, user, provider } of given ?? []) rows.set(handle, { key: keyOf(target), title, user, provider });
}

/** The user chose a row: gets the credential and hands it to that very document and to nothing else. */
async function choose(message, target, surface) {
  await filling(target, async () => {
    const guard = { held: message.guard?.held === true, reason: String(message.guard?.reason ?? '') };
    const row = takeRow(message, target);
    const request = async (handle) => wire.request('renderer.choose', { handle, surface, guard });
    let answer;
    try {
      answer = await request(row.handle ?? await sameRow(row, target));
    } catch (error) {
      if (!row.handle || error.code !== code.expired) throw error;
      sessions.drop(target);
      answer = await request(await sameRow(row, target));
    }
    await deliver(answer, target);
  });
}

/**
 * Does what fills a document, one at a time, while no new session of it is begun.
 * @param {Target | null} target
 * @param {() => Promise<void>} act
 */
async function filling(target, act) {
  if (!target) throw new WireError(code.notFound, 'There is no page to fill.');
  const key = keyOf(target);
  if (choosing.has(key)) throw new WireError(code.busy, 'You are being asked already.');
  let end = () => {};
  choosing.set(key, new Promise((resolve) => { end = resolve; }));
  try {
    await act();
    platform.warn(target.tab, '');
  } catch (error) {
    // Whatever asked may be closed by now; the toolbar button is not.
    if (error instanceof WireError && error.code !== code.userCanceled) platform.warn(target.tab, error.message);
    throw error;
  } finally {
    choosing.delete(key);
    end();
  }
}

/** The row that the user chose, once; without a handle where it is one of an earlier connection. Rows of other documents are nobody's. */
function takeRow({ handle, row }, target) {
  const known = rows.get(handle);
  rows.delete(handle);
  if (!known) return { title: row?.title, user: row?.user, provider: row?.provider };
  if (known.key !== keyOf(target)) throw new WireError(code.notFound, 'That row belongs to another page.');
  return { ...known, handle };
}

/** The handle of a row of the same words, of now: what the user saw and chose has not changed because a handle did. */
async function sameRow(row, target) {
  await fromOwn.suggestions({}, target);
  for (const [handle, { key, title, user, provider }] of rows) {
    if (key === keyOf(target) && title === row.title && user === row.user && provider === row.provider) {
      rows.delete(handle);
      return handle;
    }
  }
  throw new WireError(code.expired, 'This list is out of date.');
}

async function deliver(answer, target) {
  const session = sessions.find(target);
  const isMeant = session && answer.tab === target.tab && answer.document === target.document;
  const fills = (answer.fills ?? []).filter((fill) => session?.refs.has(fill.ref));
  if (!isMeant || fills.length === 0) throw new WireError(code.expired, 'The page has changed; nothing was filled.');
  const done = await platform.tell(target.tab, target.document, { type: 'fill', fills }).catch(() => null);
  if (!done?.filled) throw new WireError(code.expired, 'The page has changed; nothing was filled.');
}

/** Tells the content script of a document; one that is gone has nothing to be told. */
function tellPage(target, message) {
  platform.tell(target.tab, target.document, message).catch(() => {});
}

/** The document of a tab whose form the popup is for. @returns {Promise<Target | null>} */
async function formIn(tab) {
  const frames = await platform.framesOf(tab);
  // A page that does not answer does not keep the others from being looked at; one that is just busy is waited for.
  const patience = new Promise((resolve) => { setTimeout(resolve, 3000, null); });
  const scores = await Promise.all(frames.map(({ document }) =>
    Promise.race([platform.tell(tab, document, { type: 'probe' }).catch(() => null), patience])));
  let best = -1;
  for (const [index, answer] of scores.entries()) {
    if (answer && (best < 0 || answer.score > scores[best].score)) best = index;
  }
  return best < 0 ? null : { tab, frame: frames[best].frame, document: frames[best].document };
}

// ---------------------------------------------------------------------------------------------------------------------
// What the daemon asks

/** Windows that hold more than a question. @type {Record<string, {width: number, height: number}>} */
const sizes = { interface: { width: 460, height: 600 }, enable: { width: 460, height: 460 } };

/** Opens a prompt's window. Closing it by hand is a no. */
async function present({ prompt }) {
  if (typeof prompt !== 'string') throw new WireError(code.invalidParams, 'prompt');
  const page = `prompt.html?${new URLSearchParams({ prompt })}`;
  prompts.set(prompt, -1);
  const { kind } = await wire.request('renderer.prompt', { prompt }).catch(() => ({ kind: '' }));
  if (!prompts.has(prompt)) throw new WireError(code.expired, 'The request has ended.');
  const window = await platform.openWindow(page, sizes[kind] ?? { width: 440, height: 340 });
  if (prompts.has(prompt)) prompts.set(prompt, window);
  else platform.closeWindow(window);
}

function dismiss({ prompt }) {
  const window = prompts.get(prompt);
  prompts.delete(prompt);
  if (window !== undefined && window >= 0) platform.closeWindow(window);
}

platform.onWindowClosed((window) => {
  for (const [prompt, own] of prompts) {
    if (own !== window) continue;
    prompts.delete(prompt);
    wire.request('renderer.answer', { prompt, accept: false }).catch(() => {});
  }
});

/** What the browser says now about the document of a session; `expired` once it is not there any more. */
async function evidence(asked) {
  const target = targetIn(asked);
  const session = target && sessions.find(target);
  const now = session && session.frame === target.frame ? await evidenceFor(target, session.origin) : null;
  if (!now) throw new WireError(code.expired, 'The page is gone.');
  return { chain: now.chain };
}

// ---------------------------------------------------------------------------------------------------------------------
// Pages that are left

/** @param {{tab: number, document: string}[]} targets */
function leave(targets) {
  for (const target of targets) {
    sessions.drop(target);
    early.delete(keyOf(target));
    wire.notify('page.left', { tab: target.tab, document: target.document });
  }
}

platform.onNavigated((tab, frame, document) => {
  leave(sessions.dropIn(tab, (session) => session.document !== document && (session.frame === frame || frame === 0)));
});

platform.onTabClosed((tab) => {
  platform.forgetBars(tab);
  const dropped = sessions.dropIn(tab, () => true);
  for (const session of dropped) early.delete(keyOf(session));
  if (dropped.length > 0) wire.notify('page.left', { tab, document: null });
});

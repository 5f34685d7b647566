// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import { code, told } from '../messages/errors.js';
import { Advice } from './advice.js';
import * as platform from './platform.js';
import { Authentications } from './authentication.js';
import { Cramped } from './cramped.js';
import { Wire, WireError } from './native.js';
import { Latest, pageIn } from './pages.js';
import { Parts } from './parts.js';
import { Prompts } from './prompts.js';
import { evidenceFor, evidenceOfTop, holderOf, keyOf, Sessions } from './sessions.js';
import { Sights } from './sights.js';
import { Submissions } from './submissions.js';
import { Uses } from './uses.js';

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
/** The rows that were given out, by handle. @type {Map<string, {key: string, title: string, user: string, provider: string, id?: string}>} */
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
/** The documents for which they are on their way; at most so many at a time. */
const asking = new Set();
const most = 8;
/** What has been brought into documents beside the content script. */
const parts = new Parts();
/** What the documents around a bar show. */
const sights = new Sights(parts);
/** What pages say of their fields, one at a time for each. */
const focusing = new Latest();
/** Documents that this script has asked to describe their fields again. */
const describing = new Set();
/** What there is to say of passwords that were filled. */
const advice = new Advice(() => platform.tellOwnDocuments({ type: 'upgrade' }));
/** Where the user is at a field without room for a bar. */
const cramped = new Cramped((tab) => { if (advice.of(tab)) advice.mark(tab); else platform.warn(tab, ''); });
/** The accounts that were filled last. */
const uses = new Uses();
/** Windows in which the user signs in somewhere for the daemon. */
const authentications = new Authentications();

const wire = new Wire({
  'browser.authenticate': (params) => authentications.begin(params),
  'browser.present': (params) => prompts.present(params),
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
  'browser.changed': () => {
    // While locked nothing is said of what is saved.
    const forget = () => { advice.forget(); uses.forget(); };
    if (!advice.isEmpty || !uses.isEmpty) wire.request('renderer.status', {}).then(({ locked }) => { if (locked) forget(); }, () => {});
    // Locked, perhaps: what was offered is not kept.
    rows.clear();
    early.clear();
    platform.tellOwnDocuments({ type: 'changed' });
  },
}, () => {
  sessions.clear();
  submissions.clear();
  rows.clear();
  early.clear();
  advice.forget();
  uses.forget();
  prompts.clear();
  authentications.clear();
  platform.tellOwnDocuments({ type: 'changed' });
});

/** What the daemon asks the user. */
const prompts = new Prompts((method, params) => wire.request(method, params));

/** Where the user has just sent a form off; what was in it goes through here and is not kept. */
const submissions = new Submissions((params) => wire.request('page.settled', params).catch(() => {}));

chrome.runtime.onMessage.addListener((message, sender, respond) => {
  /** What is done once the answer has left: a page measures how long it takes. @type {(() => void)[]} */
  const after = [];
  const serve = platform.isOwn(sender) ? serveOwn(message, sender) : servePage(message, sender, after);
  serve.then(
    (result) => { respond({ result: result ?? {} }); for (const act of after) act(); },
    (error) => respond({ error: error instanceof WireError
      ? { code: error.code, message: error.message, data: error.data }
      : { code: -32603, message: 'Something went wrong inside the Latchkey extension.', data: {} } }),
  );
  return true;
});

// ---------------------------------------------------------------------------------------------------------------------
// Content scripts

const fromPage = {
  /** A form was touched, or sent off: the content script of a document needs more there. It is asked for by name, and it is code alone. */
  async 'page.needs'({ part }, target) {
    // What fills is not the page's to ask for.
    if (!Parts.isKnown(part) || part === 'filling') throw new WireError(code.invalidParams, 'part');
    return { here: await parts.bring(target, part) };
  },

  /** A field took the focus or is pointed at, or this script asked for the page's forms. */
  async 'page.focused'(message, target, origin, isTop, after) {
    const key = keyOf(target);
    if (!describing.has(key)) await choosing.get(key);
    // A page can move the focus as often as it likes: what it says meanwhile is not asked about, but for the last of it.
    return focusing.run(key, () => focused(message, target, origin, isTop, after), { bar: false, fields: [] });
  },

  /** The user sent a form off. The answer is the same whatever is known of it, and is not waited for. */
  async 'page.submitted'(message, target, origin, isTop) {
    const frame = await (isTop ? evidenceOfTop(target, origin) : evidenceFor(target, origin));
    if (!frame || !Array.isArray(message.values)) return;
    const page = pageIn(message.page);
    // What is no text is nobody's password, and is not made another one.
    const given = message.values.map(({ ref, value }) => ({ ref, value: String(value) })).filter(({ value }) => value.isWellFormed());
    const values = given.map(({ ref, value }) => ({ ref, value: { secret: value } }));
    const typed = new Set(values.map(({ ref }) => ref));
    const top = frame.chain[frame.chain.length - 1].document;
    const holdsPassword = Array.isArray(page.fields) && page.fields.some(({ ref, type }) => type === 'password' && typed.has(ref));
    submissions.keep(target, top, holdsPassword, message.typed === true);
    // A link around a frame leads away from what was sent off in it.
    if (!isTop) parts.bring({ tab: target.tab, frame: 0, document: top }, 'leaving');
    wire.request('page.submitted', { frame, page, values }).catch(() => {});
  },

  /** The form is gone from a document that is still there. */
  async 'page.settled'(message, target, origin) {
    if (!submissions.settles(target)) return;
    const page = pageIn(message.page);
    wire.request('page.settled', { tab: target.tab, document: target.document, page, origin }).catch(() => {});
  },

  /** The user follows a link, goes back or closes something: what comes of that is no answer to what was sent off. */
  async 'page.strays'(message, target, origin, isTop) {
    // As long as it takes to keep a form: one that was sent off before is kept before.
    await (isTop ? evidenceOfTop(target, origin) : evidenceFor(target, origin));
    submissions.strays(target, Number(message.status), message.page, origin);
  },

  /** The document is hidden or being left. */
  async 'page.left'(_message, target) {
    leave([target]);
    cramped.left(target);
    submissions.left(target);
  },
};

/** Has the daemon decide on the fields of a page. */
async function focused(message, target, origin, isTop, after) {
  const frame = isTop ? evidenceOfTop(target, origin) : await evidenceFor(target, origin);
  if (!frame) throw new WireError(code.expired, 'The page is gone.');
  const field = Number.isInteger(message.focused) ? message.focused : null;
  const asked = { frame, focused: field, page: pageIn(message.page), active: message.active === true };
  const answer = await wire.request('page.focused', asked);
  if (answer.session) {
    const refs = new Set((answer.fields ?? []).map(({ ref }) => ref));
    // A bar or list that is open for this document shows rows of the session that has just ended.
    if (sessions.find(target)) platform.tellOwnDocuments({ type: 'changed' });
    sessions.keep({ ...target, session: answer.session, origin, refs });
    early.delete(keyOf(target));
    // The page has its answer before anything is looked up, so no time that it can measure depends on what is saved.
    if (answer.bar === true) after.push(() => askEarly(target, answer.session));
  }
  // Where there is no room for a bar the toolbar says so, whatever is saved.
  if (field !== null) cramped.note(target, message.cramped === true && answer.bar === true);
  return { bar: answer.bar === true, fields: answer.fields ?? [] };
}

/** Asks for the rows of a bar that is going to be shown. @param {Target} target @param {string} session */
function askEarly(target, session) {
  const key = keyOf(target);
  // A page that moves the focus on and on has them asked for once at a time, and frames of one page some at a time; their bars ask
  // by themselves. The daemon answers so many requests at once, and an answer to a page must not be among those left over.
  if (asking.has(key) || asking.size >= most || sessions.find(target)?.session !== session) return;
  asking.add(key);
  const answer = wire.request('renderer.suggestions', { session });
  // Said on the toolbar too, where the page has no part in it.
  answer.then(({ lookalike }) => { if (lookalike) platform.warn(target.tab, `This is not ${lookalike}.`); })
    .catch(() => {}) // the bar asks again
    .finally(() => asking.delete(key));
  early.set(key, { session, answer });
}

/** @param {any} message @param {chrome.runtime.MessageSender} sender @param {(() => void)[]} after what is done once the answer has left */
async function servePage(message, sender, after) {
  const tab = sender.tab?.id;
  const isDocument = platform.isPage(sender) && tab !== undefined && tab >= 0 && sender.frameId !== undefined;
  const type = String(message?.type);
  if (!isDocument || !Object.hasOwn(fromPage, type)) throw new WireError(code.methodNotFound, 'Not for pages.');
  const isTop = sender.frameId === 0 && platform.isCurrent(sender);
  return fromPage[type](message, { tab, frame: sender.frameId, document: sender.documentId }, sender.origin, isTop, after);
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
    const target = tab === null ? null : await formIn(tab);
    return { target, isCramped: cramped.has(target) };
  },

  /** “What AutoFill sees”: the page's fields as they would be decided on, without values; nothing of what is saved is looked at. */
  async inspect(_message, target) {
    const found = target && (await platform.tell(target.tab, target.document, { type: 'inspect' }).catch(() => null))?.page;
    if (!found) throw new WireError(code.notFound, 'There is no page to look at.');
    const page = pageIn(found);
    const { kind, fields } = await wire.request('renderer.inspect', { page });
    const stated = new Map((page.fields ?? []).map((field) => [field.ref, field]));
    return { kind, fields: fields.map(({ ref, ...answer }) => ({ ...answer, stated: stated.get(ref) ?? {} })) };
  },

  /** What password rules mean, for a site's author; nothing of a page or of what is saved is looked at. */
  async rules({ rules }) {
    return wire.request('renderer.checkRules', { rules: String(rules) });
  },

  async suggestions(_message, target) {
    // It is there before a row is tapped. The page gets it at the same moment whatever the rows are: they are not waited for.
    if (target) parts.bring(target, 'filling');
    const answer = await within(target, (session) => takeEarly(target, session) ?? wire.request('renderer.suggestions', { session }));
    const origin = target && sessions.find(target)?.origin;
    if (origin && answer.suggestions) answer.suggestions = uses.sort(origin, answer.suggestions);
    remember(answer.suggestions, target);
    if (answer.strong) remember([{ ...strongRow, handle: answer.strong.handle }], target);
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
    await filling(target, async () => {
      const unseen = await unseenIn(/** @type {Target} */ (target));
      const answer = await within(target, (session) => wire.request('renderer.openList', { session, provider, ...unseen }));
      return deliver(answer, /** @type {Target} */ (target), unseen);
    });
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

  /** A bar wants to know later what is around it: the documents are watched from now on. */
  async watch(_message, target) {
    await sights.watch(target);
  },

  /** What is wrong with the documents around a bar at this moment. */
  async look(_message, target) {
    return sights.look(target);
  },

  /** The bar wants to be large or small, or gives the keyboard back: its page's content script does that. */
  async place({ act }, target) {
    if (!['room', 'grow', 'shrink', 'leave', 'typed'].includes(act)) throw new WireError(code.invalidParams, 'act');
    return platform.tell(target.tab, target.document, { type: 'place', act });
  },

  /** “All Passwords…” */
  async picker(_message, target) {
    tellPage(target, { type: 'close' });
    await platform.openWindow(`windows/picker.html?${new URLSearchParams(/** @type {any} */ (target))}`, { width: 460, height: 560 });
  },

  /** Questions that wait in windows of their own, which came without taking the focus. */
  async questions() {
    const tab = await platform.activeTab();
    const isKept = tab !== null && submissions.in(tab).some(({ holdsPassword }) => holdsPassword);
    return { questions: prompts.waiting, submitted: isKept };
  },

  /** The user wants saved what was sent off in the tab, though its form may still be there: no page can ask for that. */
  async saveSubmitted() {
    const tab = await platform.activeTab();
    const kept = tab === null ? [] : submissions.in(tab).filter(({ holdsPassword }) => holdsPassword);
    if (kept.length === 0) throw new WireError(code.expired, 'What was typed is not kept any more. Sign in once more.');
    const { document } = kept[kept.length - 1];
    submissions.drop({ tab, document });
    prompts.want();
    await wire.request('page.settled', { tab, document, asked: true });
  },

  /** What there is to say of the password that was filled in the tab the user looks at. */
  async recommendation() {
    const tab = await platform.activeTab();
    return { recommendation: tab === null ? null : advice.show(tab) };
  },

  /** One press: the password that was filled in this tab is changed, at its service and where it is kept. */
  async upgrade({ handle }) {
    await advice.upgrade(await platform.activeTab(), handle, (params) => wire.request('renderer.upgrade', params));
  },

  /** Opens the page of the site where its password is changed, in a tab of its own. */
  async changePassword({ handle }) {
    const { url } = await wire.request('renderer.changePassword', { handle: String(handle) });
    if (typeof url !== 'string' || !URL.canParse(url) || new URL(url).protocol !== 'https:') {
      throw new WireError(code.refused, 'This is no https address; it is not opened.');
    }
    await platform.openTab(url);
  },

  /** The user does not want to see it any more. */
  async hideRecommendation({ handle }) {
    await wire.request('renderer.hideRecommendation', { handle: String(handle) });
    advice.hide(handle);
  },

  /** Brings such a window to the front. */
  async bringUp({ prompt }) {
    await prompts.bringUp(prompt);
  },

  async prompt({ prompt }) {
    return wire.request('renderer.prompt', { prompt });
  },

  async answer({ prompt, accept, passphrase, keep, never, provider, user }) {
    const more = { ...(never === true ? { never } : {}), ...(typeof provider === 'string' ? { provider } : {}),
      ...(typeof user === 'string' ? { user } : {}) };
    const secret = typeof passphrase === 'string' ? { passphrase: { secret: passphrase } } : {};
    return wire.request('renderer.answer', { prompt, accept: accept === true, ...(keep === true ? { keep } : {}), ...more, ...secret });
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

  /** The accounts whose passwords can be changed, and those that cannot. */
  async upgrades() {
    return wire.request('upgrades.list', { ranked: true });
  },

  /** The daemon asks the user, in a window of its own kind, which accounts are to be changed; only those are then. */
  async planUpgrades({ service, user, kind }) {
    return wire.request('upgrades.plan', typeof service === 'string' ? { service, user: String(user), kind: upgradeKind(kind) } : {});
  },

  async runUpgrade({ service, user, kind }) {
    return wire.request('upgrades.run', { service: String(service), user: String(user), kind: upgradeKind(kind) });
  },

  async consents() {
    return wire.request('consents.list', {});
  },

  /** Takes back what the user agreed to. */
  async forget({ ids }) {
    if (!Array.isArray(ids)) throw new WireError(code.invalidParams, 'ids');
    return wire.request('consents.forget', { ids: ids.map(String) });
  },
};

/** What each document of the extension may ask for, and how a choice made in it is called on the wire. */
const documents = {
  '/windows/bar.html': { surface: 'bar', may: ['suggestions', 'choose', 'unlock', 'scale', 'watch', 'look', 'place', 'picker'] },
  '/windows/popup.html': { surface: 'popup', may: ['status', 'open', 'inspect', 'suggestions', 'choose', 'unlock', 'picker', 'questions', 'bringUp',
    'saveSubmitted', 'recommendation', 'upgrade', 'changePassword', 'hideRecommendation'] },
  '/windows/picker.html': { surface: 'window', may: ['suggestions', 'list', 'choose', 'openList', 'unlock'] },
  '/windows/prompt.html': { surface: 'window', may: ['prompt', 'answer', 'act'] },
  '/windows/settings.html': { surface: 'window', may: ['status', 'unlock', 'providers', 'enable', 'disable', 'order', 'configure', 'consents', 'forget',
    'upgrades', 'planUpgrades', 'runUpgrade'] },
  '/windows/rules.html': { surface: 'window', may: ['rules'] },
};

/** @param {unknown} kind */
function upgradeKind(kind) {
  return kind === 'sign-in-with-apple' ? kind : 'strong-password';
}

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

/** @param {(import('../messages/answers.js').Row & {handle: string})[] | undefined} given @param {Target} target */
function remember(given, target) {
  for (const { handle, title, user, provider, code: kept } of given ?? []) rows.set(handle, { key: keyOf(target), title, user, provider, id: kept?.id });
}

/** The offer of a new password, as a row: there is one of it in a document. */
const strongRow = Object.freeze({ title: 'Use Strong Password', user: '', provider: '' });

/** The user chose a row: gets the credential and hands it to that very document and to nothing else. */
async function choose(message, target, surface) {
  await filling(target, async () => {
    const guard = { held: message.guard?.held === true, reason: String(message.guard?.reason ?? '') };
    const row = takeRow(message, target);
    // A password that was not saved for the page is used there from the window with all of them, and from nowhere else.
    const anyway = message.anyway === true && surface === 'window' ? { anyway: true } : {};
    const show = message.show === true ? { show: true } : {};
    let unseen = {};
    const request = async (handle) => {
      unseen = await unseenIn(target);
      return wire.request('renderer.choose', { handle, surface, guard, ...anyway, ...show, ...unseen });
    };
    let answer;
    try {
      answer = await request(row.handle ?? await sameRow(row, target));
    } catch (error) {
      if (!row.handle || error.code !== code.expired) throw error;
      sessions.drop(target);
      answer = await request(await sameRow(row, target));
    }
    const origin = sessions.find(target)?.origin;
    const done = await deliver(answer, target, unseen);
    if (origin && !row.id && row.user) uses.keep(origin, row);
    return done;
  });
}

/** The fields of a document's session that the user is not known to see. @param {Target} target @returns {Promise<{unseen?: number[]}>} */
async function unseenIn(target) {
  const unseen = await sights.unseen(target, (await sessionOf(target)).refs);
  // Nobody is asked whether to fill what is not there.
  if (unseen === null) throw new WireError(code.notFound, 'The page has changed; nothing was filled.');
  return unseen.length ? { unseen } : {};
}

/**
 * Does what fills a document, one at a time, while no new session of it is begun.
 * @param {Target | null} target
 * @param {() => Promise<{notice: string, isCode: boolean}>} act returns what the user should know all the same, and whether it was a code
 */
async function filling(target, act) {
  if (!target) throw new WireError(code.notFound, 'There is no page to fill.');
  const key = keyOf(target);
  if (choosing.has(key)) throw new WireError(code.busy, 'You are being asked already.');
  let end = () => {};
  choosing.set(key, new Promise((resolve) => { end = resolve; }));
  try {
    const before = advice.of(target.tab);
    const { notice, isCode } = await act();
    // What was said of an earlier password of this tab is not said of this one; what there is to say of this one may be here already.
    if (!isCode && advice.of(target.tab) === before) advice.forget(target.tab);
    if (!notice && advice.of(target.tab)) advice.mark(target.tab);
    else platform.warn(target.tab, notice);
  } catch (error) {
    // Whatever asked may be closed by now; the toolbar button is not.
    if (error instanceof WireError && error.code !== code.userCanceled) platform.warn(target.tab, told(error));
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
  if (!known) return { title: row?.title, user: row?.user, provider: row?.provider, id: row?.id };
  if (known.key !== keyOf(target)) throw new WireError(code.notFound, 'That row belongs to another page.');
  return { ...known, handle };
}

/** The handle of a row of the same words, of now: what the user saw and chose has not changed because a handle did. */
async function sameRow(row, target) {
  await fromOwn.suggestions({}, target);
  for (const [handle, { key, title, user, provider, id }] of rows) {
    // Two codes may be called the same; they are still two.
    if (key === keyOf(target) && title === row.title && user === row.user && provider === row.provider && id === row.id) {
      rows.delete(handle);
      return handle;
    }
  }
  throw new WireError(code.expired, 'This list is out of date.');
}

/** @param {any} answer @param {Target} target @param {{unseen?: number[]}} agreed the fields that the user need not see, as the question has named them */
async function deliver(answer, target, { unseen = [] }) {
  const session = sessions.find(target);
  const isMeant = session && answer.tab === target.tab && answer.document === target.document;
  const fills = (answer.fills ?? []).filter((fill) => session?.refs.has(fill.ref))
    .map((fill) => ({ ...fill, isAgreed: unseen.includes(fill.ref) }));
  if (!isMeant || fills.length === 0) throw new WireError(code.expired, 'The page has changed; nothing was filled.');
  // No secret goes where nothing could be done with it.
  if (!await parts.bring(target, 'filling')) throw new WireError(code.refused, 'Latchkey could not get into the page; nothing was filled.');
  const done = await platform.tell(target.tab, target.document, { type: 'fill', fills }).catch(() => null);
  const filled = fills.filter(({ ref }) => done?.filled?.includes(ref));
  if (filled.length === 0) throw new WireError(code.expired, 'The page has changed; nothing was filled.');
  const missing = filled.length < fills.length ? 'The page has changed; not all of it was filled.' : '';
  const notice = typeof answer.notice === 'string' ? answer.notice : '';
  return { notice: [missing, notice].filter(Boolean).join(' '), isCode: filled.every(({ role }) => role === 'one-time-code') };
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

platform.onWindowClosed((window) => authentications.closed(window));

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

platform.onNavigated((tab, frame, document, isElsewhere) => {
  submissions.navigated(tab, frame, document, isElsewhere);
  // The browser forgets with the page what the button says.
  if (frame === 0) advice.mark(tab);
  leave(sessions.dropIn(tab, (session) => session.document !== document && (session.frame === frame || frame === 0)));
});

platform.onTabClosed((tab) => {
  platform.forgetBars(tab);
  advice.closed(tab);
  cramped.closed(tab);
  submissions.dropIn(tab);
  const dropped = sessions.dropIn(tab, () => true);
  for (const session of dropped) early.delete(keyOf(session));
  // What was filled in it is remembered for as long as it is open.
  wire.notify('page.left', { tab, document: null });
});

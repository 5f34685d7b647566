// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import { clock, inTime } from '../logic/clock.js';
import { times } from '../logic/places.js';
import { keyOf } from '../logic/target.js';
import { WireError, code } from '../messages/errors.js';
import { choose, deliver, doubtsOf, filling, isCovered, isProven } from './choosing.js';
import { prompts, submissions, wire } from './daemon.js';
import { advice, cramped, floating, opened, sessions, sights, wishes } from './memory.js';
import { pageIn } from './pages.js';
import * as platform from './platform.js';
import { remember, sessionOf, suggestionsFor, within } from './rows.js';
import { holderOf, targetIn } from './sessions.js';

/** @typedef {import('./sessions.js').Target} Target */
/** @typedef {import('../messages/answers.js').Found} Found */

/*
 * The messages that the extension's own documents may send.
 */

/** How long a tap waits for the passphrase, in milliseconds. */
const unlocking = 60_000;
/** What “All Passwords…” is to be searched for, until its window is there. */
let wanted = '';

/** What would be filled in a document, to compare. @param {Target} target */
function fieldsIn(target) {
  return [...sessions.find(target)?.refs ?? []].join();
}

const fromOwn = {
  async status() {
    return wire.request('renderer.status', {});
  },

  /** The popup was opened: finds the form of the visible page; the page cannot influence which one. */
  async open() {
    const tab = await platform.activeTab();
    const [target, origin, warning] = tab === null ? [null, null, ''] : await Promise.all([formIn(tab), platform.originIn(tab), platform.warningOf(tab)]);
    return { target, isCramped: cramped.has(target), isOfWeb: origin !== null, warning };
  },

  /** What is saved, by what was typed, or what is saved for the visible page. */
  async find({ search }, target) {
    const tab = await platform.activeTab();
    const origin = tab === null ? null : await platform.originIn(tab);
    const params = { search: String(search ?? ''), ...(origin ? { origin } : {}) };
    // A page that is busy does not hold up the search.
    const session = target && await inTime(clock, 1000, sessionOf(target).then((found) => found.session, () => null), null);
    const answer = await wire.request('renderer.find', session ? { ...params, session } : params);
    if (session) remember(answer.accounts.flatMap((/** @type {Found} */ { fill }) => fill ?? []), target);
    return answer;
  },

  /** Has the daemon put something on the clipboard; what it is does not come through here. */
  async copy({ handle, what, unmarked }) {
    return wire.request('renderer.copy', { handle: String(handle), what: String(what), ...(unmarked === true ? { unmarked } : {}) });
  },

  /** Opens a saved account's website in a tab. */
  async openSite({ url }) {
    if (typeof url !== 'string' || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) throw new WireError(code.refused, 'This is not the address of a website.');
    await platform.openTab(url);
  },

  /** The open pages of the web. */
  async pages() {
    return { pages: await platform.pageTabs() };
  },

  /** The form of one of them. */
  async openIn({ tab }) {
    return { target: Number.isSafeInteger(tab) ? await formIn(tab) : null };
  },

  /** “What AutoFill sees”: the decision for each field of the page, without values. Does not read saved accounts. */
  async inspect(_message, target) {
    const found = target && (await platform.tell(target.tab, target.document, { type: 'inspect' }).catch(() => null))?.page;
    if (!found) throw new WireError(code.notFound, 'There is no page to look at.');
    const page = pageIn(found);
    const { kind, fields } = await wire.request('renderer.inspect', { page });
    const stated = new Map((page.fields ?? []).map((field) => [field.ref, field]));
    return { kind, fields: fields.map(({ ref, ...answer }) => ({ ...answer, stated: stated.get(ref) ?? {} })) };
  },

  async preferences() {
    return wire.request('renderer.preferences', {});
  },

  /** Changes preferences; where they protect less afterwards, the daemon asks for the passphrase first. */
  async setPreferences({ changes }) {
    return wire.request('renderer.setPreferences', { ...changes });
  },

  /** Has only the passphrase unlock after a login. Protects more, so nothing is asked. */
  async disableLogin() {
    return wire.request('renderer.disableLogin', {});
  },

  /** Takes the PIN of this session away. */
  async forgetPIN() {
    return wire.request('renderer.forgetPIN', {});
  },

  async lock() {
    return wire.request('renderer.lock', {});
  },

  /** Opens the window of what Latchkey itself keeps; answered when it is closed. */
  async passwords() {
    const { providers } = await wire.request('providers.list', {});
    const builtIn = providers.find((/** @type {{builtIn: boolean}} */ provider) => provider.builtIn);
    return wire.request('providers.configure', { identifier: String(builtIn?.identifier) });
  },

  /** Explains password rules to a site's author. Reads neither pages nor saved accounts. */
  async rules({ rules }) {
    return wire.request('renderer.checkRules', { rules: String(rules) });
  },

  suggestions: (_message, target) => suggestionsFor(target),

  async list({ search, cursor }, target) {
    const params = { search: String(search ?? ''), cursor: cursor ?? null };
    const answer = await within(target, (session) => wire.request('renderer.list', { ...params, session }));
    remember(answer.rows, target);
    return answer;
  },

  choose,

  /** A provider's own list: the user's choice in it is filled like a row of the bar. */
  async openList({ provider }, target) {
    if (typeof provider !== 'string') throw new WireError(code.invalidParams, 'provider');
    await filling(target, async () => {
      const doubts = await doubtsOf(/** @type {Target} */ (target));
      const answer = await within(target, (session) => wire.request('renderer.openList', { session, provider, ...doubts }));
      return deliver(answer, /** @type {Target} */ (target), doubts);
    });
  },

  /**
   * Asks to unlock. After a tap that would have filled without a question the one account that fits is filled, if this very question has
   * unlocked: its window has named the site. Answers whether it was filled.
   */
  async unlock({ at, guard }, target, surface) {
    // Looked at in every case, since the page can notice that.
    const isClear = async () => {
      const doubts = await doubtsOf(/** @type {Target} */ (target)).catch(() => null);
      return doubts !== null && !doubts.unseen && !doubts.sends;
    };
    const mayFill = target !== null && guard && await isClear() && isProven(guard) && !await isCovered(guard, target);
    if (!mayFill) {
      await wire.request('renderer.unlock', { session: null });
      return { filled: false };
    }
    const wish = {};
    wishes.set(keyOf(target), wish);
    try {
      let fields = '';
      const { fills } = await within(target, async (session) => {
        fields = fieldsIn(target);
        return wire.request('renderer.unlock', { session, fills: true });
      });
      // Nothing is filled if the user has left or hidden the page meanwhile, or the page has other fields now.
      const isStill = async () => wishes.get(keyOf(target)) === wish && fieldsIn(target) === fields && Math.abs(clock.date() - Number(at)) < unlocking && await platform.isInFront(target.tab);
      if (fills !== true || !await isStill() || !await isClear()) return { filled: false };
      const { suggestions = [], strong } = await suggestionsFor(target);
      const [row] = suggestions;
      const isOnly = !strong && suggestions.length === 1 && !row.relation && !row.savedFor && !row.top;
      if (!isOnly || !await isStill() || await isCovered(guard, target)) return { filled: false };
      // A question would tell the page that there is an account. The user chooses it from the rows.
      const filled = await choose({ handle: row.handle, row, guard, unasked: true }, target, surface).then(() => true, (error) => {
        if (error.code === code.userCanceled) return false;
        throw error;
      });
      return { filled };
    } finally {
      if (wishes.get(keyOf(target)) === wish) wishes.delete(keyOf(target));
    }
  },

  /** A bar listens. What has made it tells it its word; nobody else can. */
  async here(_message, target) {
    await platform.tell(target.tab, target.document, { type: 'greet' });
  },

  /** A bar asks whether it counts as one. */
  async known() {},

  /** The `devicePixelRatio` of the top document, read where its scripts cannot change it. */
  async scale(_message, target) {
    const top = (await platform.framesOf(target.tab)).find((entry) => entry.frame === 0);
    const [answer, zoom] = await Promise.all([
      top ? platform.tell(target.tab, top.document, { type: 'scale' }).catch(() => null) : null,
      platform.zoomOf(target.tab),
    ]);
    // Firefox has divided places on the screen by the zoom already, so its bar is not to do that again.
    return { scale: answer?.scale ?? 0, zoom: platform.zoomsPlaces && zoom > 0 ? 1 : zoom };
  },

  /** Starts watching the documents around a bar, for its later question. */
  async watch(_message, target) {
    platform.askForVideos();
    await sights.watch(target);
  },

  /** What the documents around a bar show now; the reason is empty if nothing covers it. */
  async look({ isKey }, target) {
    return sights.look(target, isKey === true);
  },

  /** The bar asks for another size or returns the keyboard focus; its page's content script does that. */
  async place({ act }, target) {
    if (!['room', 'grow', 'shrink', 'leave', 'typed'].includes(act)) throw new WireError(code.invalidParams, 'act');
    return platform.tell(target.tab, target.document, { type: 'place', act });
  },

  /** “All Passwords…”, and what is to be searched for in it. */
  async picker({ search }, target, surface) {
    if (surface === 'bar') await lookAsForAChoice(target);
    wanted = String(search ?? '').slice(0, 256);
    // The bar closes after the window has opened, as with the other rows, so the order of events does not tell the page which row was chosen.
    await opened.open({ path: '/windows/picker.html', target }, { width: 460, height: 560 });
    tellPage(target, { type: 'close' });
  },

  /** What the window was opened to search for, once. The window's address would stay in the browser's history. */
  async wanted() {
    const search = wanted;
    wanted = '';
    return { search };
  },

  /** Questions that wait for the user to ask for their window. */
  async questions() {
    const tab = await platform.activeTab();
    const isKept = tab !== null && submissions.in(tab).some(({ holdsPassword }) => holdsPassword);
    return { questions: prompts.waiting, submitted: isKept };
  },

  /** Saves what was sent in the tab even if its form is still there. Only the user can ask for this. */
  async saveSubmitted() {
    const tab = await platform.activeTab();
    const kept = tab === null ? [] : submissions.in(tab).filter(({ holdsPassword }) => holdsPassword);
    if (kept.length === 0) throw new WireError(code.expired, 'The typed password is no longer kept. Sign in again.');
    const { document } = kept[kept.length - 1];
    submissions.drop({ tab, document });
    await wire.request('page.settled', { tab, document, asked: true });
  },

  /** The recommendation about the password that was filled in the visible tab. */
  async recommendation() {
    const tab = await platform.activeTab();
    return { recommendation: tab === null ? null : advice.show(tab) };
  },

  /** Changes the password that was filled in this tab, at its service and in its provider. */
  async upgrade({ handle }) {
    await advice.upgrade(await platform.activeTab(), handle, (params) => wire.request('renderer.upgrade', params));
  },

  /** Opens the page of the site where its password is changed, in a tab of its own. */
  async changePassword({ handle }) {
    const { url } = await wire.request('renderer.changePassword', { handle: String(handle) });
    if (typeof url !== 'string' || !URL.canParse(url) || new URL(url).protocol !== 'https:') {
      throw new WireError(code.refused, 'This is not an https address; it is not opened.');
    }
    await platform.openTab(url);
  },

  /** Hides the recommendation. */
  async hideRecommendation({ handle }) {
    await wire.request('renderer.hideRecommendation', { handle: String(handle) });
    advice.hide(handle);
  },

  /** Brings such a window to the front. */
  async bringUp({ prompt }) {
    await prompts.bringUp(prompt);
  },

  /**
   * What lies over the window that asks, or may; the window is moved beside it first where there is room. An empty answer if nothing does.
   */
  async front({ place, room }, _target, _surface, sender) {
    platform.askForVideos();
    const [cover, zoom] = await Promise.all([floating.over(place), sender.tab ? platform.zoomOf(sender.tab.id) : 1]);
    if (!cover) return { zoom };
    const beside = sender.tab && room ? await floating.beside(place, platform.zoomsPlaces ? times(room, zoom) : room) : null;
    if (beside) await platform.moveWindow(sender.tab.windowId, beside).catch(() => {});
    const { box, isKnown, isVideo, isSilent, tab, windows, documents } = cover;
    const host = tab === null ? '' : await platform.hostOf(tab);
    return { cover: { host, isKnown, isVideo, isSilent, isPlaced: box !== null, canClose: windows.length + documents.length > 0 }, zoom, isMoved: beside !== null };
  },

  /** Closes what lies over the window that asks, or shows whose it is. */
  async uncover({ place }) {
    await floating.close(place);
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

  /** Waits for a finger that answers a question. */
  async fingerprint({ prompt }) {
    return wire.request('renderer.fingerprint', { prompt: String(prompt) });
  },

  async stopFingerprint({ prompt }) {
    return wire.request('renderer.stopFingerprint', { prompt: String(prompt) });
  },

  /** The user's act in a provider's interface. Typed text is sent as secrets, because it may be one. */
  async act({ prompt, element, action, row, text, fields }) {
    return wire.request('renderer.act', {
      prompt, element, action,
      ...(typeof row === 'string' ? { row } : {}),
      ...(typeof text === 'string' ? { text: { secret: text } } : {}),
      ...(Array.isArray(fields) ? { fields: fields.map(({ id, text: typed }) => ({ id, text: { secret: String(typed) } })) } : {}),
    });
  },

  /** The password that an element of the built-in provider's window stands for; the daemon asks the user first. */
  async reveal({ prompt, element }) {
    return wire.request('renderer.reveal', { prompt: String(prompt), element: String(element) });
  },

  /** Has that password copied; it does not come through here. */
  async copySaved({ prompt, element, unmarked }) {
    return wire.request('renderer.copySaved', { prompt: String(prompt), element: String(element), ...(unmarked === true ? { unmarked } : {}) });
  },

  async providers() {
    return wire.request('providers.list', {});
  },

  /** The daemon asks the user in a separate window first. */
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

  /** The accounts whose passwords can be changed, and those for which that is impossible. */
  async upgrades() {
    return wire.request('upgrades.list', { ranked: true });
  },

  /** The daemon asks the user in a separate window which accounts to change, and changes only those. */
  async planUpgrades({ service, user, kind }) {
    return wire.request('upgrades.plan', typeof service === 'string' ? { service, user: String(user), kind: upgradeKind(kind) } : {});
  },

  async runUpgrade({ service, user, kind }) {
    return wire.request('upgrades.run', { service: String(service), user: String(user), kind: upgradeKind(kind) });
  },

  async consents() {
    return wire.request('consents.list', {});
  },

  /** Revokes consents. */
  async forget({ ids }) {
    if (!Array.isArray(ids)) throw new WireError(code.invalidParams, 'ids');
    return wire.request('consents.forget', { ids: ids.map(String) });
  },
};

/** The messages each document of the extension may send, and the wire's name for a choice made in it. */
const documents = {
  '/windows/bar.html': { surface: 'bar', may: ['here', 'known', 'suggestions', 'choose', 'unlock', 'scale', 'watch', 'look', 'place', 'picker'] },
  '/windows/popup.html': { surface: 'popup', may: ['front', 'uncover', 'status', 'open', 'suggestions', 'choose', 'unlock', 'picker', 'questions', 'bringUp',
    'saveSubmitted', 'recommendation', 'upgrade', 'changePassword', 'hideRecommendation', 'passwords', 'lock', 'rules', 'find', 'copy', 'openSite'] },
  '/windows/picker.html': { surface: 'window', may: ['front', 'uncover', 'suggestions', 'list', 'choose', 'openList', 'unlock', 'wanted'] },
  '/windows/prompt.html': { surface: 'window', may: ['front', 'uncover', 'prompt', 'answer', 'act', 'reveal', 'copySaved', 'fingerprint', 'stopFingerprint'] },
  '/windows/settings.html': { surface: 'window', may: ['status', 'unlock', 'providers', 'enable', 'disable', 'order', 'configure', 'consents', 'forget',
    'upgrades', 'planUpgrades', 'runUpgrade', 'preferences', 'setPreferences', 'disableLogin', 'forgetPIN', 'pages', 'openIn', 'inspect'] },
  '/windows/welcome.html': { surface: 'window', may: ['status', 'unlock'] },
  '/windows/rules.html': { surface: 'window', may: ['rules'] },
};

/**
 * Looks at the fields of a page before any window opens, as a choice does. The look returns the keyboard focus to the page; without it the
 * page could tell from its focus events whether an account was chosen. @param {Target} target
 */
async function lookAsForAChoice(target) {
  await doubtsOf(target).catch(() => {});
}

/** @param {unknown} kind */
function upgradeKind(kind) {
  return kind === 'sign-in-with-apple' ? kind : 'strong-password';
}

/** Documents that are served only in a window that was opened for them. */
const forWindows = new Set(['/windows/picker.html', '/windows/prompt.html']);
/** What is agreed to by it, which a window that lies above can bring about. */
const agreeing = new Set(['answer', 'act', 'reveal', 'copySaved', 'fingerprint', 'choose', 'openList', 'upgrade', 'copy']);

/** The documents of bars that had their word, those that came last. @type {Set<string>} */ const known = new Set();

/**
 * Whether a bar was made by the content script of the document that it is in, which has told it a word: the page can make such a frame, too.
 * @param {Target} target @param {chrome.runtime.MessageSender} sender @param {unknown} word
 */
async function isOurs(target, sender, word) {
  const bar = `${target.tab} ${sender.documentId}`;
  if (known.has(bar)) return true;
  const answer = await platform.tell(target.tab, target.document, { type: 'knows', word: String(word) }).catch(() => null);
  if (answer?.isKnown !== true) return false;
  known.add(bar);
  if (known.size > 64) known.delete(known.values().next().value);
  return true;
}

/** Answers a message of one of the extension's own documents. @param {any} message @param {chrome.runtime.MessageSender} sender */
export async function serveOwn(message, sender) {
  const path = new URL(sender.url ?? platform.ownOrigin).pathname;
  const page = Object.hasOwn(documents, path) ? documents[path] : null;
  const type = String(message?.type);
  const isTop = !sender.tab || sender.frameId === 0;
  if (!page || !page.may.includes(type) || isTop === (page.surface === 'bar')) {
    throw new WireError(code.methodNotFound, 'Not for this document.');
  }
  const purpose = forWindows.has(path) ? await opened.purposeOf(sender.tab?.id) : { path: page.surface === 'popup' && sender.tab ? '' : path };
  if (purpose?.path !== path || (purpose.prompt !== undefined && message.prompt !== undefined && message.prompt !== purpose.prompt)) {
    throw new WireError(code.methodNotFound, 'Not in this window.');
  }
  if (forWindows.has(path)) await opened.arrived(sender.tab?.id, purpose);
  // For the bar the browser states the document; a window has the one it was opened for; the popup names the one it has found.
  const target = page.surface === 'bar' ? await holderOf(sender) : targetIn(purpose.target ?? message.target);
  if (page.surface === 'bar' && !target) throw new WireError(code.expired, 'The page is gone.');
  if (page.surface === 'bar' && type !== 'here' && !await isOurs(/** @type {Target} */ (target), sender, message.word)) throw new WireError(code.methodNotFound, 'Not in this frame.');
  // What a document says of its place depends on its zoom, which another extension may change.
  if (sender.tab && page.surface === 'window') message.place = await platform.placeOf(sender.tab.windowId);
  const isYes = agreeing.has(type) && (type !== 'answer' || message.accept === true);
  if (isYes && page.surface !== 'bar' && await floating.hides(message.place)) {
    throw new WireError(code.refused, 'A floating window lies over this one, or did a moment ago. Nothing was done.', { reason: 'floating' });
  }
  return fromOwn[type](message, target, page.surface, sender);
}

/** Sends a message to the content script of a document. A closed document is ignored. */
function tellPage(target, message) {
  platform.tell(target.tab, target.document, message).catch(() => {});
}

/** The document of a tab whose form the popup is for. @returns {Promise<Target | null>} */
async function formIn(tab) {
  const frames = await platform.framesOf(tab);
  // A frame that does not answer must not hide the others; a busy one gets some time.
  const scores = await Promise.all(frames.map(({ document }) =>
    inTime(clock, 3000, platform.tell(tab, document, { type: 'probe' }).catch(() => null), null)));
  let best = -1;
  for (const [index, answer] of scores.entries()) {
    if (answer && (best < 0 || answer.score > scores[best].score)) best = index;
  }
  return best < 0 ? null : { tab, frame: frames[best].frame, document: frames[best].document };
}

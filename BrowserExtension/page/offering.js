// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Asks the background script whether the field that the user points at or focuses gets a bar, and shows the bar's frame beside it
 * when told to. It comes into a document when the user touches a form there, with outline.js; a second time it does nothing.
 */
'use strict';

(() => {
  /** @type {LatchkeyPage} */ const page = globalThis.latchkeyPage;
  if (!page || page.took) return Boolean(page);
  const { active, closest, coveredBy, describePage, described, dom, fieldsAround, isEditable, isField, isHere, isRightToLeft, isVisible, named, placeOf, refs, tell } = page;

  /** Whether the window has the focus; an element takes the place of a property of the document by its name. */
  const { hasFocus } = Document.prototype;

  /** How long the field has to stand still before the bar is shown again after a move, in milliseconds. */
  const stillness = 150;
  /** How long after a bar was shown the next one is loaded, in milliseconds. */
  const rest = 300;
  /** How long after a question that nobody answered it is asked once more, in milliseconds: a connection that failed is tried again by then. */
  const again = 1600;
  /** How old a look at the fields may be when the bar is shown, in milliseconds. */
  const fresh = 1000;
  const xhtml = 'http://www.w3.org/1999/xhtml';
  /** Whether the browser says what the user can see; where it does not, time in which a bar was unseen would arm its guard. */
  const statesVisibility = chrome.runtime.getURL('').startsWith('chrome-extension:');
  /** The origin of a bar. */
  const barOrigin = new URL(chrome.runtime.getURL('')).origin;

  // ---- Whether there is one

  /** The field that the bar is for. @type {HTMLInputElement | null} */
  let current = null;
  let turn = 0;
  /** Whether the user has typed into it since it took the focus. */
  let hasTyped = false;
  /** One to which the keyboard has just gone back from its bar: that asks for none. @type {HTMLInputElement | null} */
  let left = null;
  /** The bar that Escape took away: Down brings it back, by no better right than it had. @type {{field: HTMLInputElement, isMeant: boolean} | null} */
  let dismissed = null;
  /** What takes away a bar that the keyboard has left. */ let leaving = 0;
  /** Whether there was a bar for the last field; before the first field, whether AutoFill is on at all. @type {boolean | null} */
  let isOffering = null;
  /** The question whether any are. @type {Promise<any> | null} */ let wanting = null;

  /** @param {HTMLInputElement | null} field @param {boolean} [isCramped] whether it has no room for a bar, which is said outside the page */
  const report = async (field, isCramped = false) => {
    const description = describePage(field);
    // The browser's own record of the user's acts. No script of the page can make one.
    const active = navigator.userActivation.isActive;
    const message = { type: 'page.focused', focused: field ? refs.get(field) ?? null : null, page: description, active, cramped: isCramped };
    const { result, error } = await tell(message) ?? { error: { code: 'unreachable' } };
    const answer = result ?? { bar: false, fields: [], isMissing: error?.code === 'unreachable' };
    for (const { ref, role } of answer.fields) named.set(ref, role);
    isOffering = result?.bar ?? null;
    return answer;
  };

  /**
   * A field took the focus, or is clicked while it has it.
   * @param {HTMLInputElement} field
   * @param {boolean | FocusEvent} [by] whether the browser says that the user did that to this very field, since a script can move the focus
   *   too; the focus itself where it does not say (Firefox)
   */
  const took = async (field, by = false) => {
    const isMeant = (typeof by === 'boolean' ? by : isByTab(by)) || wasPressed(field);
    if (field === current && bar) {
      bar.isMeant ||= isMeant;
      if (isMeant) clearTimeout(leaving);
      if (bar.isAway && isMeant) comeBack();
      return;
    }
    if (field === left && !isMeant) return;
    closeBar();
    current = field;
    dismissed = null;
    hasTyped = false;
    const mine = ++turn;
    if (!isEditable(field) || !isVisible(field)) return;
    if (!placeOf(field)) { report(field, true); return; }
    await offer(field, isMeant, () => mine === turn && active() === field && placeOf(field));
  };

  /** Whether a focus is the first one after a Tab of the user's, which scripts were done with and have let pass. @param {FocusEvent} event met at the window and at each shadow root */
  const isByTab = (event) => {
    const { tab } = page;
    return tab?.focus === event && event.timeStamp - tab.key.timeStamp < 500 && tab.key.eventPhase === 0 && !tab.key.defaultPrevented;
  };

  /** Whether the user has just pressed where a field is: a label that lies over it hands the focus on without naming a device. @param {HTMLInputElement} field */
  const wasPressed = (field) => {
    const { x, y, at } = page.pressedAt ?? { x: NaN, y: NaN, at: -Infinity };
    const { left, top, right, bottom } = dom.getBoundingClientRect(field);
    return performance.now() - at < 1000 && x >= left && x <= right && y >= top && y <= bottom;
  };

  /**
   * Asks for the field with the focus, and shows the bar that there is for it.
   * @param {HTMLInputElement} field @param {boolean} isMeant @param {() => unknown} isWanted whether the focus is still there, and room for a bar
   */
  const offer = async (field, isMeant, isWanted) => {
    let own = asking = asked?.field === field && performance.now() - asked.at < 5000 ? asked : ask(field);
    asked = null;
    try {
      for (let tries = 0; tries < 3 && (await own.answer).isMissing; tries += 1) {
        await new Promise((next) => { setTimeout(next, again); });
        if (!isWanted()) return;
        own = asking = ask(field);
      }
      const { bar: isOffered, fields } = await own.answer;
      if (!isOffered || !isWanted()) return;
      // The frame loads while it is found out which fields the user sees: it lies over some of them once it is shown.
      await own.looked;
      if (performance.now() - own.lookedAt > fresh) await look(own, fields);
      if (!page.survey || !isWanted()) return;
      openBar(field, fields, isMeant);
      // So that the next field has not to wait for its frame.
      setTimeout(() => { if (bar) keepSpare(); }, rest);
    } finally {
      if (asking === own) {
        asking = null;
        // What was made ready for a field that has lost the focus by now.
        if (!bar) forget();
      }
    }
  };

  /**
   * What was asked for a field, and when the fields of the answer were looked at.
   * @typedef {{field: HTMLInputElement, at: number, answer: Promise<{bar: boolean, fields: {ref: number}[], isMissing?: boolean}>, looked: Promise<void>, lookedAt: number}} Asked
   */
  /** For the field under the pointer. @type {Asked | null} */ let asked = null;
  /** For the field with the focus, until there is a bar or none. @type {Asked | null} */ let asking = null;

  /** Asks whether there is a bar for a field, and gets all ready for it but showing it. @param {HTMLInputElement} field @returns {Asked} */
  const ask = (field) => {
    const answer = report(field);
    /** @type {Asked} */ const own = { field, at: performance.now(), answer, looked: Promise.resolve(), lookedAt: -Infinity };
    own.looked = answer.then(async ({ bar: isOffered, fields }) => {
      // A no is not kept for the focus: it may be nobody's answer, or of a moment in which the field could not be seen.
      if (!isOffered && own === asked) asked = null;
      if (!isOffered || (own !== asked && own !== asking)) return;
      prepare(field, fields);
      await look(own, fields);
    });
    return own;
  };

  /** Finds out which fields the user sees. @param {Asked} own @param {{ref: number}[]} fields */
  const look = async (own, fields) => {
    if (!page.survey) await page.bring('seeing');
    await page.survey?.(fields.map(({ ref }) => ref));
    own.lookedAt = performance.now();
  };

  /**
   * The pointer is at something else: loads the bar of a field that is about to take the focus, with the same questions and the
   * same frame, only earlier and unseen.
   * @param {EventTarget} field
   */
  const point = (field) => {
    // Whoever goes to a field that the bar lies over finds it free before the click.
    if (bar?.isUp && coveredBy(bar.field, bar.place).includes(field)) closeBar();
    // The pointer goes on while the focused field's own question is open; what is made ready for that stays.
    if (asking) return;
    forget();
    if (!isField(field)) { keepSpare(); return; }
    if (page.isQuiet || field === active() || !isEditable(field) || !isVisible(field) || !placeOf(field)) return;
    // The session of a bar that is open is not ended for a field that may never take the focus.
    if (bar) return;
    asked = ask(field);
  };

  // ---- Where the pointer is

  /** Where it was seen last, or null where that is not known: it is in another frame or outside. @type {{x: number, y: number} | null} */ let pointer = page.pressedAt ?? null;

  /** Where the window was then. */ let windowPlace = [screenX, screenY, outerWidth, outerHeight].join();

  /** Whether the pointer is known to be outside of a box. @param {{x: number, y: number} | null} at @param {{x: number, y: number, width: number, height: number}} box */
  const isOutside = (at, { x, y, width, height }) => at !== null && (at.x < x || at.y < y || at.x > x + width || at.y > y + height);

  /** @param {PointerEvent} event */
  const seePointer = ({ isTrusted, type, target, relatedTarget, clientX: x, clientY: y }) => {
    if (!isTrusted) return;
    const isAway = type === 'pointerout' ? relatedTarget === null : target instanceof Element && dom.matches(target, 'iframe, frame, object, embed, fencedframe');
    pointer = isAway ? null : { x, y };
    if (bar?.isUp) bar.isClear ||= isOutside(pointer, bar.place);
  };
  for (const type of ['pointermove', 'pointerdown', 'pointerover', 'pointerout']) addEventListener(type, seePointer, true);

  // ---- The bar

  /**
   * `fields` are those that a choice would fill, null before they are known. `isUp`: it is shown; `isAway`: the user typed, so it is not
   * shown before it is asked for; `isEntered`: the keyboard is in it; `isClear`: the pointer was
   * outside of it when it was shown, or has been there since: it did not come to where the pointer rests.
   * @typedef {{home: Element, host: HTMLElement, root: ShadowRoot, frame: HTMLIFrameElement, fields: {ref: number}[] | null, word: string, field: HTMLInputElement | null, isMeant: boolean, sheet: CSSStyleSheet,
   *   watch: MutationObserver, place: any, since: number, isLoaded: boolean, isUp: boolean, isAway: boolean, isLarge: boolean, isEntered: boolean, isClear: boolean}} Bar
   */
  /** @type {Bar | null} */ let bar = null;
  /** One that is loaded but not shown: a spare one, or one for the fields of an answer. @type {Bar | null} */ let waiting = null;

  /** Everything outside a modal dialog is inert, so the bar of a field in one has to be inside it. */
  const homeOf = (field) => closest(field, 'dialog:modal') ?? dom.documentElement(document);

  /** The address of a bar, which is read the way the page is. @param {Element} field */
  const addressFor = (field) => `${chrome.runtime.getURL('windows/bar.html')}${isRightToLeft(field) ? '#rtl' : ''}`;

  /** @param {Element} home @param {string} address @returns {Bar} */
  const makeBar = (home, address) => {
    const host = document.createElementNS(xhtml, 'div');
    const frame = document.createElementNS(xhtml, 'iframe');
    const root = host.attachShadow({ mode: 'closed' });
    const sheet = new CSSStyleSheet();
    frame.src = address;
    frame.title = 'Latchkey';
    frame.tabIndex = -1;
    root.adoptedStyleSheets = [sheet];
    root.append(frame);
    const made = {
      home, host, root, frame, fields: null, word: String(crypto.getRandomValues(new BigUint64Array(2))), field: null, isMeant: false, sheet, watch: new MutationObserver(() => end(made)),
      place: null, since: 0, isLoaded: false, isUp: false, isAway: false, isLarge: false, isEntered: false, isClear: false,
    };
    made.watch.observe(root, { attributes: true, childList: true, characterData: true, subtree: true });
    // A dialog that is closed and shown anew comes above the bar that is in it.
    if (dom.localName(home) === 'dialog') made.watch.observe(home, { attributes: true, attributeFilter: ['open', 'popover'] });
    sheet.replaceSync(':host { display: none !important }');
    home.append(host);
    return made;
  };

  /** Has a bar loaded before it is known for which field, once the user is at a page to sign in to: its frame takes longer than all else. */
  const keepSpare = async () => {
    const root = dom.documentElement(document);
    const isWanted = () => !waiting && isOffering !== false && !page.isQuiet && document.visibilityState === 'visible' && root?.isConnected;
    if (!isWanted() || !document.querySelector('[type=password]')) return;
    if (isOffering === null) {
      wanting ??= tell({ type: 'page.offers' });
      const offers = (await wanting)?.result?.offers;
      // Where nobody answered, it is asked again later.
      if (offers === undefined) setTimeout(() => { wanting = null; }, 10_000);
      isOffering ??= offers ?? null;
    }
    if (isOffering && isWanted()) waiting = makeBar(root, addressFor(root));
  };

  /** The bar of this frame alone learns the word by which it is known, and that it has fields. @param {Bar} one */
  const greet = (one) => {
    if (one.isLoaded && one.fields) one.frame.contentWindow?.postMessage({ word: one.word }, barOrigin);
  };

  /**
   * Has a bar loaded for the fields of an answer. It is drawn where it is going to be, unseen and behind everything else: a frame
   * that is not drawn at all would first be drawn some time after it is shown.
   * @param {HTMLInputElement} field @param {{ref: number}[]} fields
   */
  const prepare = (field, fields) => {
    const home = homeOf(field);
    const address = addressFor(field);
    const isFit = waiting?.home === home && isWhole(waiting) && waiting.frame.src === address && (!waiting.fields || String(waiting.fields.map(({ ref }) => ref)) === String(fields.map(({ ref }) => ref)));
    if (waiting && !isFit) end(waiting);
    waiting ??= makeBar(home, address);
    if (waiting.fields) return;
    waiting.fields = fields;
    // Each of the fields has a mark, whatever the rows are. The marks lie below the frame.
    waiting.root.prepend(...fields.map(() => document.createElementNS(xhtml, 'div')));
    waiting.watch.takeRecords();
    waiting.host.popover = 'manual';
    waiting.place = placeOf(field);
    if (waiting.place && statesVisibility) dress(waiting);
    greet(waiting);
    const made = waiting;
    requestAnimationFrame(() => follow(made));
  };

  /** @param {HTMLInputElement} field @param {{ref: number}[]} fields @param {boolean} isMeant */
  const openBar = (field, fields, isMeant) => {
    prepare(field, fields);
    bar = /** @type {Bar} */ (waiting);
    waiting = null;
    bar.field = field;
    bar.isMeant = isMeant;
    bar.isAway = hasTyped;
    if (hasTyped) place();
    else appear();
  };

  /** Shows the bar where it belongs. */
  const appear = () => {
    place();
    bar.since = 0;
    bar.isUp = true;
    bar.isClear = isOutside(pointer, bar.place);
    bar.host.showPopover();
  };

  /** Takes the bar away; it comes back small. */
  const vanish = () => {
    bar.isUp = bar.isLarge = false;
    bar.host.hidePopover();
  };

  /** Shows the bar that went when the user typed. */
  const comeBack = () => {
    bar.isAway = hasTyped = false;
    if (placeOf(bar.field)) appear();
    else closeBar();
  };

  /** @param {Bar} one */
  const end = (one) => {
    // A frame that goes away with the keyboard in it takes it nowhere.
    if (one.isEntered && active() === one.frame) leave();
    one.watch.disconnect();
    one.host.remove();
    if (one === bar) bar = null;
    if (one === waiting) waiting = null;
  };

  /** Closes the bar. @returns {boolean} whether there was one */
  const closeBar = () => {
    turn += 1;
    const wasOpen = bar !== null;
    if (bar) end(bar);
    return wasOpen;
  };

  /** Takes back what was done for the field under the pointer. */
  const forget = () => {
    asked = null;
    if (waiting?.fields) end(waiting);
  };

  const endBars = () => {
    closeBar();
    forget();
    if (waiting) end(waiting);
  };

  /** Whether it is where it was put, with all that belongs to it. @param {Bar} one */
  const isWhole = ({ home, host, frame, fields }) => host.parentNode === home && frame.isConnected && host.matches(fields ? '[popover=manual]' : ':not([popover])');

  /** Draws a line around each field that would be filled. @param {Bar} one */
  const marks = ({ fields }) => fields.map(({ ref }, index) => {
    const field = described.get(ref)?.element.deref();
    const { left, top, width: across, height: down } = field && isHere(field) ? field.getBoundingClientRect() : new DOMRect();
    return `div:nth-of-type(${index + 1}) { left: ${left - 2}px; top: ${top - 2}px; width: ${across + 4}px; height: ${down + 4}px; ${across ? '' : 'display: none'} }`;
  }).join('');

  const place = () => {
    bar.place = placeOf(bar.field, bar.isLarge);
    dress(bar);
  };

  /** Gives a bar its look and its place: unseen while it waits. @param {Bar} one */
  const dress = (one) => {
    const { x, y, width, height } = one.place;
    const isWaiting = one === waiting;
    one.sheet.replaceSync(`
      :host {
        all: initial !important; position: fixed !important; left: ${x}px !important; top: ${y}px !important;
        width: ${width}px !important; height: ${height}px !important; overflow: hidden !important;
        border-radius: 10px !important; box-shadow: 0 6px 24px #0004, 0 0 0 1px #80808066 !important;
        animation: none !important; transition: none !important; z-index: ${isWaiting ? -2147483648 : 2147483647} !important;
        user-select: none !important; -webkit-user-select: none !important; ${isWaiting ? 'opacity: 0 !important; pointer-events: none !important;' : ''}
      }
      :host(:popover-open) { display: block !important; }
      :host::backdrop { display: none !important; }
      :host(:not(:popover-open)) { display: ${isWaiting ? 'block' : 'none'} !important; }
      iframe { all: initial; display: block; position: relative; width: ${width}px; height: ${height}px; border: 0; border-radius: 10px; user-select: none; -webkit-user-select: none; }
      div { all: initial; position: fixed; box-sizing: border-box; border: 2px solid #2a6fdb; border-radius: 5px; pointer-events: none; }
      ${marks(one)}
    `);
  };

  const isSame = (one, other) => ['x', 'y', 'width', 'height'].every((name) => one?.[name] === other[name]);

  /**
   * Once a frame while the bar is open: closes it when its field is gone or the keyboard has left it, and when the field moves takes
   * the bar away until the field stands still. So the bar never moves to where the pointer is: it goes, and comes back unarmed.
   */
  const follow = (one) => {
    if (one !== bar && one !== waiting) return;
    const where = [screenX, screenY, outerWidth, outerHeight].join();
    // A window that was moved may have brought the bar to where the pointer rests.
    if (where !== windowPlace) {
      windowPlace = where;
      pointer = null;
      if (bar) bar.isClear = false;
    }
    const { host, frame, field } = one;
    // It is shown and hidden by nobody but this script.
    if (!isWhole(one) || host.matches(':popover-open') !== one.isUp) {
      // Frameworks take away what is not theirs: one that waits is made anew when it is wanted.
      if (one === waiting) end(one);
      else endBars();
      return;
    }
    requestAnimationFrame(() => follow(one));
    if (!field) return;
    const isLeft = one.isEntered && (active() !== frame || !hasFocus.call(document));
    if (!isHere(field) || !isEditable(field) || isLeft) { closeBar(); return; }
    if (one.isAway) return;
    const now = placeOf(field, one.isLarge);
    if (!now) {
      closeBar();
      if (active() === field) report(field, true);
    } else if (!isSame(one.place, now)) {
      if (one.isUp) { leave(); vanish(); }
      one.place = placeOf(field, one.isLarge);
      one.since = performance.now();
    } else if (!one.isUp && performance.now() - one.since > stillness) {
      appear();
    }
  };

  /** Takes the bar away, so that it lies over no field; it comes back unarmed. @returns {boolean} whether there was one */
  const withdrawBar = () => {
    if (!bar?.isUp) return false;
    leave();
    vanish();
    bar.place = placeOf(bar.field);
    bar.since = performance.now() + 2 * stillness;
    return true;
  };

  /** The bar that the user sees, if there is one: what it is for, and whether it is where it was put. */
  const shownBar = () => {
    if (!bar?.isUp) return null;
    const { home, host, frame, field, isMeant, isLarge, isClear, isEntered } = bar;
    const isInPlace = () => {
      const now = placeOf(field, isLarge);
      const box = host.getBoundingClientRect();
      return Boolean(now) && isSame(bar?.place, now) && ['x', 'y', 'width', 'height'].every((name) => Math.abs(box[name] - now[name]) < 1);
    };
    return { home, host, frame, field, isMeant, isClear, isEntered, isInPlace };
  };

  // ---- What the user does

  /** The first character that is typed takes the bar away, whatever is in it. @param {HTMLInputElement} field */
  const typed = (field) => {
    if (field !== current) return;
    hasTyped = true;
    if (!bar || bar.isAway) return;
    bar.isAway = true;
    if (bar.isUp) vanish();
  };

  /** The keyboard goes into the bar. @param {boolean} [isLast] */
  const enter = (isLast = false) => {
    if (bar.isAway) {
      const wasTyped = hasTyped;
      comeBack();
      hasTyped = wasTyped;
    }
    if (!bar?.isUp) return;
    const { frame } = bar;
    bar.isEntered = true;
    frame.focus({ preventScroll: true });
    if (bar?.frame !== frame || active() === frame) return;
    bar.isEntered = false;
    if (isLast || active() !== bar.field) { closeBar(); return; }
    // Firefox lets no focus go to another process while a key goes down.
    setTimeout(() => { if (bar?.frame === frame && active() === bar.field) enter(true); });
  };

  /** The keyboard goes back to the field. */
  const leave = () => {
    if (!bar?.isEntered) return;
    const { field } = bar;
    left = field;
    // It is in the bar until it has gone: that the bar's frame loses the focus closes nothing.
    field.focus({ preventScroll: true });
    if (bar) bar.isEntered = false;
    setTimeout(() => { if (left === field) left = null; }, stillness);
  };

  /** A key that the user pressed. @param {KeyboardEvent} event @returns {boolean} whether it was for the bar, and not for the page */
  const pressed = ({ key, altKey, ctrlKey, metaKey, shiftKey, isComposing }) => {
    if (key === 'Escape') {
      const wasSeen = bar !== null && !bar.isAway;
      dismissed = wasSeen ? bar : null;
      closeBar();
      return wasSeen;
    }
    if (key !== 'ArrowDown' || altKey || ctrlKey || metaKey || shiftKey || isComposing) return false;
    const field = active();
    // In several lines the key is for going from one to the next.
    if (!field || (bar ?? dismissed)?.field !== field || (dom.localName(field) === 'textarea' && field.value)) return false;
    if (!bar) {
      // In a field with a list of the page's own, Down goes into that list.
      if (dom.matches(field, '[list], [role=combobox], [aria-autocomplete], [aria-haspopup], [aria-controls], [aria-owns]')) return false;
      left = null;
      took(field, dismissed.isMeant);
      return true;
    }
    enter();
    return bar !== null;
  };

  /** The field or the window lost the focus. @param {FocusEvent} event */
  const lost = ({ isTrusted, type, target }) => {
    // One that went into the bar is followed there.
    if (!isTrusted || bar?.isEntered) return;
    if (type === 'focusout') closeBar();
    else if (target === window) endBars();
  };

  /** What the bar itself asks for, after an act of the user in it. */
  const acts = {
    /** Whether there is room for the large one, and where. */
    room: () => {
      const place = bar?.isUp ? placeOf(bar.field, true) : null;
      if (bar?.isUp && !place) report(bar.field, true);
      return { fits: place !== null, isUp: place?.isUp === true };
    },
    grow: () => {
      if (!bar?.isUp || bar.isLarge || !placeOf(bar.field, true)) return {};
      bar.isLarge = true;
      place();
      return {};
    },
    shrink: () => {
      if (!bar?.isUp || !placeOf(bar.field)) return {};
      bar.isLarge = false;
      place();
      return {};
    },
    leave: () => {
      const one = bar;
      dismissed = bar;
      leave();
      // A screen reader loses its place where what it was in is gone before it has heard of the next.
      leaving = setTimeout(() => { if (one && bar === one && !one.isEntered) closeBar(); }, stillness);
      return {};
    },
    /** What the user has typed of a name; what is typed into a field for a password is nobody's business. */
    typed: () => ({ text: hasTyped && bar?.field && bar.field.type !== 'password' ? bar.field.value.slice(0, 64).toWellFormed() : '' }),
  };

  chrome.runtime.onMessage.addListener((message, sender, respond) => {
    if (sender.id !== chrome.runtime.id || sender.tab) return false;
    if (message?.type === 'place' && Object.hasOwn(acts, message.act)) respond(acts[message.act]());
    // Whether a bar is one that this script has made.
    if (message?.type === 'knows') respond({ isKnown: [bar, waiting].some((one) => one?.word === message.word) });
    // A bar listens; which one is not known. That a frame is loaded is not always told.
    if (message?.type === 'greet') {
      for (const one of [bar, waiting]) if (one) { one.isLoaded = true; greet(one); }
      respond({});
    }
    return false;
  });

  // ---- What the background script asks

  const focusedField = () => (isField(active()) ? active() : null);

  const describe = async () => { await report(focusedField()); return {}; };

  const inspect = () => (page.outline ? { page: describePage(focusedField()) } : null);

  /** How likely a form of this document is what the user wants to fill from the popup. */
  const probe = () => {
    const focused = active();
    let best = 0;
    let count = 0;
    for (const field of fieldsAround(isField(focused) ? focused : null)) {
      if (!isEditable(field) || !isVisible(field)) continue;
      count += 1;
      best = Math.max(best, (field.type === 'password' ? 4 : 1) + (field === focused && document.hasFocus() ? 8 : 0));
    }
    return { score: best + (count ? 1 : 0) + (window === top ? 0.5 : 0) };
  };

  page.join('reading', { took, point, describe, inspect, probe, closeBar, endBars, lost, pressed, typed, shownBar, withdrawBar, isOwn: (element) => element !== null && (element === bar?.host || element === waiting?.host) });
  return true;
})();

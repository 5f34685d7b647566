// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Asks the background script whether the field that the user points at or focuses gets a bar, and shows the bar's frame under it
 * when told to. It comes into a document when the user touches a form there, with outline.js; a second time it does nothing.
 */
'use strict';

(() => {
  const page = globalThis.latchkeyPage;
  if (!page || page.took) return Boolean(page);
  const { active, closest, describePage, described, dom, isEditable, isField, isVisible, named, refs, tell } = page;

  /** Sizes of the bar in CSS pixels: always the same, whatever is in it. */
  const width = 300;
  const height = 152;
  const gap = 4;
  /** How long the field has to stand still before the bar is shown again after a move, in milliseconds. */
  const stillness = 150;
  const xhtml = 'http://www.w3.org/1999/xhtml';

  // ---- Whether there is one

  /** The field that the bar is for. @type {HTMLInputElement | null} */
  let current = null;
  let turn = 0;

  /** @param {HTMLInputElement | null} field */
  const report = async (field) => {
    const description = describePage(field);
    // The browser's own record of the user's acts. No script of the page can make one.
    const active = navigator.userActivation.isActive;
    const message = { type: 'page.focused', focused: field ? refs.get(field) ?? null : null, page: description, active };
    const answer = (await tell(message))?.result ?? { bar: false, fields: [] };
    for (const { ref, role } of answer.fields) named.set(ref, role);
    return answer;
  };

  /**
   * A field took the focus, or is clicked while it has it.
   * @param {HTMLInputElement} field
   * @param {boolean} [isMeant] whether the user did that to this very field; a script can move the focus too
   */
  const took = async (field, isMeant = false) => {
    if (field === current && bar) { bar.isMeant ||= isMeant; return; }
    closeBar();
    current = field;
    const mine = ++turn;
    if (!isEditable(field) || !isVisible(field) || !placeOf(field)) return;
    const answer = asked?.field === field && performance.now() - asked.at < 5000 ? asked.answer : report(field);
    asked = null;
    const isWanted = () => mine === turn && active() === field && placeOf(field);
    const { bar: isOffered, fields } = await answer;
    if (!isOffered || !isWanted()) return;
    // The frame loads while it is found out which fields the user sees: it lies over some of them once it is shown.
    prepare(homeOf(field), fields);
    await page.survey(fields.map(({ ref }) => ref));
    if (isWanted()) openBar(field, fields, isMeant);
  };

  /** What was answered for the field under the pointer. @type {{field: HTMLInputElement, at: number, answer: Promise<object>} | null} */
  let asked = null;

  /**
   * The pointer is at something else: loads the bar of a field that is about to take the focus, with the same questions and the
   * same frame, only earlier and unseen.
   * @param {EventTarget} field
   */
  const point = async (field) => {
    forget();
    // The session of a bar that is open is not ended for a field that may never take the focus.
    if (bar || !isField(field) || page.isQuiet || field === active() || !isEditable(field) || !isVisible(field) || !placeOf(field)) return;
    const own = asked = { field, at: performance.now(), answer: report(field) };
    const { bar: isOffered, fields } = await own.answer;
    if (isOffered && asked === own) prepare(homeOf(field), fields);
  };

  // ---- The bar

  /** @typedef {{home: Element, host: HTMLElement, frame: HTMLIFrameElement, fields: {ref: number}[], field: HTMLInputElement | null, isMeant: boolean, sheet: CSSStyleSheet, watch: MutationObserver, place: string, since: number}} Bar */
  /** @type {Bar | null} */ let bar = null;
  /** One that is loaded but not shown. @type {Bar | null} */ let waiting = null;

  /** Everything outside a modal dialog is inert, so the bar of a field in one has to be inside it. */
  const homeOf = (field) => closest(field, 'dialog:modal') ?? dom.documentElement(document);

  /** @param {Element} home @param {{ref: number}[]} fields those that a choice would fill @returns {Bar} */
  const makeBar = (home, fields) => {
    const host = document.createElementNS(xhtml, 'div');
    const frame = document.createElementNS(xhtml, 'iframe');
    const root = host.attachShadow({ mode: 'closed' });
    const sheet = new CSSStyleSheet();
    host.popover = 'manual';
    frame.src = chrome.runtime.getURL('bar.html');
    frame.title = 'Latchkey';
    frame.tabIndex = -1;
    root.adoptedStyleSheets = [sheet];
    // Each of the fields has a mark, whatever the rows are. The marks lie below the frame.
    root.append(...fields.map(() => document.createElementNS(xhtml, 'div')), frame);
    const made = { home, host, frame, fields, field: null, isMeant: false, sheet, watch: new MutationObserver(() => end(made)), place: '', since: 0 };
    made.watch.observe(root, { attributes: true, childList: true, characterData: true, subtree: true });
    sheet.replaceSync(':host { display: none !important }');
    home.append(host);
    requestAnimationFrame(() => follow(made));
    return made;
  };

  /** Has a bar loaded for the fields of an answer. @param {Element} home @param {{ref: number}[]} fields */
  const prepare = (home, fields) => {
    if (waiting?.home !== home || String(waiting.fields.map(({ ref }) => ref)) !== String(fields.map(({ ref }) => ref))) forget();
    waiting ??= makeBar(home, fields);
  };

  /** @param {HTMLInputElement} field @param {{ref: number}[]} fields @param {boolean} isMeant */
  const openBar = (field, fields, isMeant) => {
    prepare(homeOf(field), fields);
    bar = /** @type {Bar} */ (waiting);
    waiting = null;
    bar.field = field;
    bar.isMeant = isMeant;
    place();
    bar.host.showPopover();
  };

  /** @param {Bar} one */
  const end = (one) => {
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
    if (waiting) end(waiting);
  };

  const endBars = () => {
    closeBar();
    forget();
  };

  /**
   * Where the bar of a field is; a text, to be compared. Empty where there is no place for it: one that covers the field is in
   * the way, and a choice in one that is not whole does not count. It depends on nothing but where the field is.
   */
  const placeOf = (field) => {
    const { left, top, bottom } = field.getBoundingClientRect();
    const isBelow = bottom + gap + height <= innerHeight;
    if (innerWidth < width || (!isBelow && top - gap - height < 0)) return '';
    const x = Math.max(0, Math.min(left, innerWidth - width));
    const y = isBelow ? Math.max(0, bottom + gap) : Math.min(top - gap, innerHeight) - height;
    return `${Math.round(x)} ${Math.round(y)}`;
  };

  /** Draws a line around each field that would be filled. @param {Bar} one */
  const marks = ({ fields }) => fields.map(({ ref }, index) => {
    const field = described.get(ref)?.element.deref();
    const { left, top, width: across, height: down } = field?.isConnected ? field.getBoundingClientRect() : new DOMRect();
    return `div:nth-of-type(${index + 1}) { left: ${left - 2}px; top: ${top - 2}px; width: ${across + 4}px; height: ${down + 4}px; ${across ? '' : 'display: none'} }`;
  }).join('');

  const place = () => {
    const { sheet, field } = bar;
    bar.place = placeOf(field);
    const [x, y] = bar.place.split(' ');
    sheet.replaceSync(`
      :host {
        all: initial !important; position: fixed !important; left: ${x}px !important; top: ${y}px !important;
        width: ${width}px !important; height: ${height}px !important; overflow: hidden !important;
        border-radius: 10px !important; box-shadow: 0 6px 24px #0004, 0 0 0 1px #0002 !important;
        animation: none !important; transition: none !important; z-index: 2147483647 !important;
      }
      :host(:popover-open) { display: block !important; }
      :host(:not(:popover-open)) { display: none !important; }
      iframe { all: initial; display: block; position: relative; width: ${width}px; height: ${height}px; border: 0; border-radius: 10px; }
      div { all: initial; position: fixed; box-sizing: border-box; border: 2px solid #2a6fdb; border-radius: 5px; pointer-events: none; }
      ${marks(bar)}
    `);
  };

  /**
   * Once a frame while the bar is open: closes it when its field is gone, and when the field moves takes the bar away until
   * the field stands still. So the bar never moves to where the pointer is: it goes, and comes back unarmed.
   */
  const follow = (one) => {
    if (one !== bar && one !== waiting) return;
    const { home, host, frame, field } = one;
    const isWhole = host.parentNode === home && frame.isConnected && host.matches('[popover=manual]');
    const isHidden = !host.matches(':popover-open');
    // One that waits is shown by nobody but this script.
    if (!isWhole || (field ? isHidden && !bar.since : !isHidden)) { endBars(); return; }
    requestAnimationFrame(() => follow(one));
    if (!field) return;
    if (!field.isConnected || !isEditable(field)) { closeBar(); return; }
    const now = placeOf(field);
    if (!now) { closeBar(); return; }
    if (now !== bar.place) {
      if (!isHidden) host.hidePopover();
      bar.place = now;
      bar.since = performance.now();
    } else if (isHidden && performance.now() - bar.since > stillness) {
      bar.since = 0;
      place();
      host.showPopover();
    }
  };

  /** Takes the bar away, so that it lies over no field; it comes back unarmed. @returns {boolean} whether there was one */
  const withdrawBar = () => {
    if (!bar?.field || !bar.host.matches(':popover-open')) return false;
    bar.host.hidePopover();
    bar.since = performance.now() + 2 * stillness;
    return true;
  };

  /** The bar that the user sees, if there is one: what it is for, and whether it is where it was put. */
  const shownBar = () => {
    if (!bar?.field || !bar.host.matches(':popover-open')) return null;
    const { host, field, isMeant } = bar;
    const isInPlace = () => {
      const box = host.getBoundingClientRect();
      const [x, y] = (bar?.place ?? '').split(' ').map(Number);
      const off = [box.left - x, box.top - y, box.width - width, box.height - height];
      return placeOf(field) === bar?.place && off.every((distance) => Math.abs(distance) < 1);
    };
    return { host, field, isMeant, isInPlace };
  };

  page.join('reading', { took, point, report, closeBar, endBars, shownBar, withdrawBar, isOwn: (element) => element === bar?.host });
  return true;
})();

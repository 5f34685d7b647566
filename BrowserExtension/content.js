// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/*
 * The part of Latchkey that runs beside a page. It describes the fields around the one that took the focus, shows the
 * bar's frame under it when told to, and puts values into fields after the user has chosen. It never learns what is
 * saved, never reads what a field holds before it fills it, and does nothing until the user points at a field or focuses it.
 */
'use strict';

(() => {
  /** Sizes of the bar in CSS pixels: always the same, whatever is in it. */
  const width = 300;
  const height = 152;
  const gap = 4;
  /** How long the field has to stand still before the bar is shown again after a move, in milliseconds. */
  const stillness = 150;
  const limits = { fields: 64, forms: 32, text: 160, nodes: 20000 };
  const textTypes = new Set(['', 'text', 'email', 'tel', 'number', 'url', 'search']);
  const xhtml = 'http://www.w3.org/1999/xhtml';

  // ---- The composed tree: elements with the open shadow roots between them

  /** @param {Node} node @returns {Element | null} */
  const parentOf = (node) => {
    const parent = node.assignedSlot ?? node.parentNode;
    if (parent instanceof ShadowRoot) return parent.host;
    return parent instanceof Element ? parent : null;
  };

  /** @param {Element} element @param {string} selector @returns {Element | null} */
  const closest = (element, selector) => {
    for (let node = element; node; node = parentOf(node)) if (node.matches(selector)) return node;
    return null;
  };

  /**
   * Elements of a tree, open shadow roots included, in order; stops after `limits.nodes`.
   * @param {ParentNode & Node} root
   */
  function* elementsIn(root) {
    const roots = [root];
    const walkers = [document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT)];
    for (let count = 0; walkers.length && count < limits.nodes;) {
      const node = walkers.at(-1).nextNode();
      if (!node) { walkers.pop(); roots.pop(); continue; }
      count += 1;
      yield node;
      if (node.shadowRoot) walkers.push(document.createTreeWalker(node.shadowRoot, NodeFilter.SHOW_ELEMENT));
    }
  }

  /** Whether something can be typed into an element at all. @param {unknown} element */
  const isField = (element) => element instanceof HTMLInputElement
    && (textTypes.has(element.type) || element.type === 'password');

  const isEditable = (field) => !field.disabled && !field.readOnly && !field.matches(':disabled');

  const formOf = (field) => field.form ?? closest(field, 'form');

  /** The element that has the focus, inside open shadow roots too. */
  const active = () => {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    return element;
  };

  // ---- Visibility

  /**
   * What hides an element by style, itself and all above it.
   * @param {Element} element
   * @param {Map<Element, boolean>} [known] answers for elements of the same moment
   */
  const isStyledVisible = (element, known = new Map()) => {
    let opacity = 1;
    for (let node = element; node; node = parentOf(node)) {
      const style = getComputedStyle(node);
      opacity *= Number(style.opacity);
      if (opacity < 0.1 || /opacity\(/.test(style.filter) || (style.maskImage || 'none') !== 'none') return false;
      if (opacity === 1 && known.has(node)) return known.get(node);
    }
    if (opacity === 1) for (let node = parentOf(element); node && !known.has(node); node = parentOf(node)) known.set(node, true);
    return true;
  };

  /**
   * Whether a person can see an element: it is drawn, has a size, is not transparent, clipped away or covered, and lies in
   * the viewport or at most one viewport's height above or below it.
   */
  const isVisible = (element, known) => {
    if (!element.isConnected || !element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true })) return false;
    const box = element.getBoundingClientRect();
    if (box.width < 8 || box.height < 8) return false;
    const x = (box.left + box.right) / 2;
    const y = (box.top + box.bottom) / 2;
    if (x < 0 || x > innerWidth || y + scrollY < 0 || y < -innerHeight || y > 2 * innerHeight) return false;
    if (!isStyledVisible(element, known)) return false;
    return y < 0 || y >= innerHeight || isHit(element, box);
  };

  /** Whether a click at one of five places in its box would reach an element: what is clipped away or covered is not reached. */
  const isHit = (element, { left, top, width, height }) => {
    const root = element.getRootNode();
    return [[0.5, 0.5], [0.1, 0.5], [0.9, 0.5], [0.5, 0.15], [0.5, 0.85]].some(([across, down]) => {
      const hit = root.elementFromPoint(left + across * width, top + down * height);
      return hit === element || (bar && hit === bar.host);
    });
  };

  // ---- Descriptions

  /** @type {WeakMap<Element, number>} */ const refs = new WeakMap();
  /** @type {Map<number, {element: WeakRef<HTMLInputElement>, description: object}>} */ const described = new Map();
  let nextRef = 0;

  const clean = (text) => (text ?? '').slice(0, 4 * limits.text).replace(/\s+/g, ' ').trim().slice(0, limits.text);

  /** The text of an element, without scripts, and without reading more of a long one than is needed. */
  const textOf = (element) => {
    if (element instanceof HTMLInputElement) return clean(/^(submit|button|reset)$/.test(element.type) ? element.value : element.alt);
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    let text = '';
    for (let node = walker.nextNode(), count = 0; node && count < 64 && text.length < limits.text; node = walker.nextNode(), count += 1) {
      if (!/^(script|style|noscript|template|textarea)$/i.test(node.parentElement?.localName ?? '')) text += ` ${node.data.slice(0, limits.text)}`;
    }
    return clean(text);
  };

  const textsOf = (elements, most) => [...elements].slice(0, most).map((element) => textOf(element)
    || clean(element.getAttribute('aria-label'))).filter(Boolean);

  const labelOf = (field) => {
    const own = textsOf(field.labels ?? [], 4);
    if (own.length) return clean(own.join(' '));
    const root = field.getRootNode();
    const named = clean(field.getAttribute('aria-labelledby')).split(' ').filter(Boolean).map((id) => root.getElementById?.(id));
    return clean(textsOf(named.filter(Boolean), 4).join(' '));
  };

  /** The text that stands right before a field, up to the field before it. */
  const nearbyOf = (field) => {
    for (let node = field, depth = 0; node && depth < 4; node = parentOf(node), depth += 1) {
      for (let before = node.previousSibling, count = 0; before && count < 6; before = before.previousSibling, count += 1) {
        if (before instanceof Element && (isField(before) || before.querySelector?.('input, select, textarea'))) return '';
        const text = before instanceof Element ? textOf(before) : clean(before.data);
        if (text && before.nodeType !== Node.COMMENT_NODE) return text;
      }
      if (node.matches('form, body')) return '';
    }
    return '';
  };

  const attribute = (element, name) => clean(element.getAttribute(name));

  const withoutEmpty = (object) => Object.fromEntries(Object.entries(object).filter(([, value]) => value !== '' && value !== null));

  const describeField = (field, forms, known) => {
    let ref = refs.get(field);
    if (ref === undefined) refs.set(field, ref = nextRef++);
    const form = formOf(field);
    if (form && !forms.includes(form) && forms.length < limits.forms) forms.push(form);
    const description = withoutEmpty({
      tag: 'input', type: field.type, name: attribute(field, 'name'), id: attribute(field, 'id'),
      autocomplete: attribute(field, 'autocomplete'), inputmode: attribute(field, 'inputmode'), pattern: attribute(field, 'pattern'),
      passwordrules: attribute(field, 'passwordrules'), placeholder: attribute(field, 'placeholder'),
      aria: attribute(field, 'aria-label') || attribute(field, 'title'), label: labelOf(field), nearby: nearbyOf(field),
      maxlength: field.maxLength >= 0 ? field.maxLength : null, form: forms.includes(form) ? forms.indexOf(form) : null,
      visible: isVisible(field, known), editable: isEditable(field),
    });
    described.set(ref, { element: new WeakRef(field), description });
    return { ref, ...description };
  };

  const buttons = 'button, input[type=submit], input[type=image], [role=button]';

  const describeForm = (form) => ({
    name: attribute(form, 'name'), id: attribute(form, 'id'), action: attribute(form, 'action').split(/[?#]/)[0], method: attribute(form, 'method'),
    buttons: textsOf(form.querySelectorAll(buttons), 8),
    headings: textsOf([...form.querySelectorAll('h1, h2, h3, legend'), ...(form.parentElement?.querySelectorAll(':scope > :is(h1, h2, h3)') ?? [])], 4),
  });

  /** The buttons and headings that belong to no form, in the tree of a field or the document. */
  const describeOutside = (root) => {
    const free = (selector) => [...root.querySelectorAll(selector)].slice(0, 200).filter((element) => !closest(element, 'form'));
    return { buttons: textsOf(free(buttons), 8), headings: textsOf(free('h1, h2, h3, legend'), 4) };
  };

  /**
   * The fields that belong to one: those of its form, or of the page where there is none; the nearest, in order.
   * @param {HTMLInputElement | null} field
   */
  const fieldsAround = (field) => {
    const form = field && formOf(field);
    const all = [];
    for (const element of elementsIn(form ?? document)) if (isField(element)) all.push(element);
    if (form && 'elements' in form) for (const element of form.elements) if (isField(element) && !form.contains(element)) all.push(element);
    const place = field ? Math.max(0, all.indexOf(field)) : Math.max(0, all.findIndex((other) => other.type === 'password'));
    const start = Math.max(0, Math.min(place - limits.fields / 2, all.length - limits.fields));
    return all.slice(start, start + limits.fields);
  };

  /** @param {HTMLInputElement | null} focused */
  const describePage = (focused) => {
    for (const [ref, { element }] of described) if (!element.deref()) described.delete(ref);
    const forms = [];
    const known = new Map();
    const fields = fieldsAround(focused).map((field) => describeField(field, forms, known));
    return {
      title: clean(document.title), path: location.pathname.slice(0, limits.text), language: clean(document.documentElement?.lang),
      forms: forms.map(describeForm), outside: describeOutside(focused?.getRootNode() ?? document), fields,
    };
  };

  // ---- Telling the background script

  /** The field that the bar is for. @type {HTMLInputElement | null} */
  let current = null;
  let turn = 0;

  /** Sends a message; null where nobody answers, or where the extension was updated and this script is one of the old. */
  const tell = async (message) => {
    try { return await chrome.runtime.sendMessage(message); } catch { return null; }
  };

  /** @param {HTMLInputElement | null} field */
  const report = async (field) => {
    const page = describePage(field);
    const message = { type: 'page.focused', focused: field ? refs.get(field) ?? null : null, page };
    const answer = await tell(message);
    return answer?.result ?? { bar: false, fields: [] };
  };

  const took = async (field) => {
    if (field === current && bar) return;
    closeBar();
    current = field;
    const mine = ++turn;
    if (!isEditable(field) || !isVisible(field)) return;
    const answer = asked?.field === field && performance.now() - asked.at < 5000 ? asked.answer : report(field);
    asked = null;
    if ((await answer).bar && mine === turn && active() === field) openBar(field);
  };

  /** What the pointer is at. @type {EventTarget | null} */ let pointed = null;
  /** What was answered for the field under the pointer. @type {{field: HTMLInputElement, at: number, answer: Promise<object>} | null} */
  let asked = null;

  /** Loads the bar of a field that is about to take the focus: the same questions and the same frame, only earlier and unseen. */
  const point = async (field) => {
    forget();
    pointed = field;
    // The session of a bar that is open is not ended for a field that may never take the focus.
    if (bar || !isField(field) || isQuiet || field === active() || !isEditable(field) || !isVisible(field)) return;
    const own = asked = { field, at: performance.now(), answer: report(field) };
    if ((await own.answer).bar && asked === own) waiting = makeBar(homeOf(field));
  };

  // ---- The bar

  /** @typedef {{home: Element, host: HTMLElement, frame: HTMLIFrameElement, field: HTMLInputElement | null, sheet: CSSStyleSheet, watch: MutationObserver, place: string, since: number}} Bar */
  /** @type {Bar | null} */ let bar = null;
  /** One that is loaded but not shown. @type {Bar | null} */ let waiting = null;

  /** Everything outside a modal dialog is inert, so the bar of a field in one has to be inside it. */
  const homeOf = (field) => closest(field, 'dialog:modal') ?? document.documentElement;

  /** @param {Element} home @returns {Bar} */
  const makeBar = (home) => {
    const host = document.createElementNS(xhtml, 'div');
    const frame = document.createElementNS(xhtml, 'iframe');
    const root = host.attachShadow({ mode: 'closed' });
    const sheet = new CSSStyleSheet();
    host.popover = 'manual';
    frame.src = chrome.runtime.getURL('bar.html');
    frame.title = 'Latchkey';
    frame.tabIndex = -1;
    root.adoptedStyleSheets = [sheet];
    root.append(frame);
    const made = { home, host, frame, field: null, sheet, watch: new MutationObserver(() => end(made)), place: '', since: 0 };
    made.watch.observe(root, { attributes: true, childList: true, characterData: true, subtree: true });
    sheet.replaceSync(':host { display: none !important }');
    home.append(host);
    requestAnimationFrame(() => follow(made));
    return made;
  };

  /** @param {HTMLInputElement} field */
  const openBar = (field) => {
    const home = homeOf(field);
    if (waiting?.home !== home) forget();
    bar = waiting ?? makeBar(home);
    waiting = null;
    bar.field = field;
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

  const closeBar = () => {
    turn += 1;
    if (bar) end(bar);
  };

  /** Takes back what was done for the field under the pointer. */
  const forget = () => {
    asked = null;
    if (waiting) end(waiting);
  };

  /** Where the field is; a text, to be compared. */
  const placeOf = (field) => {
    const { left, top, bottom } = field.getBoundingClientRect();
    const isBelow = bottom + gap + height <= innerHeight || top - gap - height < 0;
    const x = Math.max(0, Math.min(left, innerWidth - width));
    const y = isBelow ? Math.max(0, Math.min(bottom + gap, innerHeight - height)) : top - gap - height;
    return `${Math.round(x)} ${Math.round(y)}`;
  };

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
      iframe { all: initial; display: block; width: ${width}px; height: ${height}px; border: 0; border-radius: 10px; }
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
    if (!isWhole || (field ? isHidden && !bar.since : !isHidden)) { closeBar(); forget(); return; }
    requestAnimationFrame(() => follow(one));
    if (!field) return;
    if (!field.isConnected || !isEditable(field)) { closeBar(); return; }
    const now = placeOf(field);
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

  // ---- Filling

  /** No bar until the user acts again: set while this script moves the focus itself. */
  let isQuiet = false;

  const wait = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });

  /** Whether a role's value may go into a field: a password only into what is, or was described as, a password field. */
  const takes = (field, role, description) => {
    if (!isField(field) || !isEditable(field)) return false;
    const isPassword = /password$/.test(role);
    return isPassword ? field.type === 'password' || description.type === 'password' : textTypes.has(field.type);
  };

  /** The element of a reference; when the page has rebuilt its form, the field that is described in the same words. */
  const locate = ({ ref, role }) => {
    const entry = described.get(ref);
    if (!entry) return null;
    const { description } = entry;
    const own = entry.element.deref();
    if (own?.isConnected) return takes(own, role, description) ? own : null;
    const words = ['name', 'id', 'autocomplete', 'placeholder', 'aria', 'label'];
    const likeness = (field) => {
      const forms = [];
      const other = describeField(field, forms, new Map());
      if (other.type !== description.type || (other.name ?? '') !== (description.name ?? '')) return 0;
      return 1 + words.filter((word) => description[word] && description[word] === other[word]).length;
    };
    const most = words.filter((word) => description[word]).length;
    const rated = fieldsAround(null).filter((field) => takes(field, role, description)).map((field) => ({ field, rate: likeness(field) }));
    const best = Math.max(0, ...rated.map(({ rate }) => rate));
    const found = rated.filter(({ rate }) => rate === best);
    if (best < 1 || best < 1 + most / 2 || found.length !== 1) return null;
    refs.set(found[0].field, ref);
    described.set(ref, { element: new WeakRef(found[0].field), description });
    return found[0].field;
  };

  const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set;

  /**
   * Puts a value into a field with the events that Chromium's own AutoFill sends, in its order; frameworks that
   * keep a state of their own listen for one or another of them. None of them submits anything.
   */
  const put = (field, value) => {
    const send = (event) => field.dispatchEvent(event);
    const bubbles = { bubbles: true, composed: true };
    const isActive = active() === field;
    if (!isActive) { send(new FocusEvent('focus', { composed: true })); send(new FocusEvent('focusin', bubbles)); }
    send(new KeyboardEvent('keydown', { ...bubbles, cancelable: true, key: 'Unidentified' }));
    send(new InputEvent('beforeinput', { ...bubbles, cancelable: true, inputType: 'insertReplacementText' }));
    setValue.call(field, value);
    send(new InputEvent('input', { ...bubbles, inputType: 'insertReplacementText' }));
    send(new KeyboardEvent('keyup', { ...bubbles, key: 'Unidentified' }));
    send(new Event('change', { bubbles: true }));
    if (!isActive) { send(new FocusEvent('blur', { composed: true })); send(new FocusEvent('focusout', bubbles)); }
  };

  /**
   * Fills the named fields, and looks again until they stay filled: a page may move the focus, or tear its form down
   * and build it again, at each of the events.
   * @param {{ref: number, role: string, value: {secret: string}}[]} fills
   */
  const fill = async (fills) => {
    isQuiet = true;
    closeBar();
    forget();
    /** @type {WeakMap<Element, number>} */ const times = new WeakMap();
    const filled = new Set();
    for (const pause of [0, 50, 150, 300, 500, 1000, 0]) {
      for (const { ref, role, value } of fills) {
        const field = locate({ ref, role });
        if (!field || !isVisible(field)) continue;
        if (!isInViewport(field)) field.scrollIntoView({ block: 'nearest', behavior: 'instant' });
        if (!isInViewport(field) || !isVisible(field)) continue;
        const count = times.get(field) ?? 0;
        if (field.value !== value.secret && count < 3) {
          times.set(field, count + 1);
          put(field, value.secret);
          filled.delete(ref);
        } else {
          filled.add(ref);
        }
      }
      if (filled.size === fills.length && pause >= 150) break;
      await wait(pause);
    }
    const last = locate(fills.at(-1));
    if (last && filled.has(fills.at(-1).ref)) last.focus({ preventScroll: true });
    return { filled: [...filled] };
  };

  const isInViewport = (field) => {
    const box = field.getBoundingClientRect();
    return box.top >= 0 && box.bottom <= innerHeight && box.right > 0 && box.left < innerWidth;
  };

  // ---- What happens in the page and what the background script asks

  /** @type {WeakSet<ShadowRoot>} */ const heard = new WeakSet();

  /** @param {Event} event */
  const onFocus = (event) => {
    if (!event.isTrusted) return;
    const path = event.composedPath();
    // A focus that moves within a shadow root does not leave it, so each one on the way is listened to as well.
    for (const node of path) {
      if (node instanceof ShadowRoot && !heard.has(node)) {
        heard.add(node);
        node.addEventListener('focusin', onFocus, true);
      }
    }
    if (isField(path[0]) && !isQuiet) took(path[0]);
  };

  addEventListener('focusin', onFocus, true);
  addEventListener('focusout', (event) => { if (event.isTrusted) closeBar(); }, true);
  addEventListener('blur', (event) => { if (event.isTrusted && event.target === window) { closeBar(); forget(); } }, true);
  addEventListener('keydown', (event) => {
    if (!event.isTrusted) return;
    isQuiet = false;
    if (event.key === 'Escape' && bar) { closeBar(); event.preventDefault(); event.stopImmediatePropagation(); }
  }, true);
  addEventListener('pointermove', (event) => {
    const field = event.composedPath()[0];
    if (event.isTrusted && field !== pointed) point(field);
  }, true);
  addEventListener('pointerdown', (event) => {
    if (!event.isTrusted) return;
    isQuiet = false;
    const field = event.composedPath()[0];
    if (isField(field) && field === active()) took(field);
  }, true);
  document.addEventListener('visibilitychange', () => { if (document.visibilityState === 'hidden') left(); });
  addEventListener('pagehide', () => left());

  const left = () => {
    closeBar();
    forget();
    if (described.size) tell({ type: 'page.left' });
  };

  /** How likely a form of this document is what the user wants to fill from the popup. */
  const score = () => {
    const focused = active();
    let best = 0;
    let count = 0;
    for (const field of fieldsAround(isField(focused) ? focused : null)) {
      if (!isEditable(field) || !isVisible(field)) continue;
      count += 1;
      best = Math.max(best, (field.type === 'password' ? 4 : 1) + (field === focused && document.hasFocus() ? 8 : 0));
    }
    return best + (count ? 1 : 0) + (window === top ? 0.5 : 0);
  };

  const requests = {
    describe: async () => { await report(isField(active()) ? active() : null); return {}; },
    probe: () => ({ score: score() }),
    scale: () => ({ scale: devicePixelRatio }),
    close: () => { closeBar(); return {}; },
    fill: ({ fills }) => fill(fills),
  };

  chrome.runtime.onMessage.addListener((message, sender, respond) => {
    if (sender.id !== chrome.runtime.id || sender.tab || !Object.hasOwn(requests, message?.type)) return false;
    Promise.resolve(requests[message.type](message)).then(respond, () => respond(null));
    return true;
  });

  const start = () => { if (isField(active()) && document.hasFocus()) took(active()); };
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', start, { once: true });
  else start();
})();

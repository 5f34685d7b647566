// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/*
 * The part of Latchkey that runs beside a page. It describes the fields around the one that took the focus, shows the
 * bar's frame under it when told to, and puts values into fields after the user has chosen. It never learns what is
 * saved, never reads what a field holds before it fills it, and does nothing until the user points at a field or focuses it.
 * What the user types and sends off is the business of submission.js.
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

  // ---- The composed tree: elements with the shadow roots between them, open and closed

  /** Elements of HTML itself that may have a shadow root; others have a hyphen in their names. */
  const hosts = new Set(`article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span`.split(' '));
  /** Those of them that have been found to have a closed one. @type {WeakSet<Element>} */ const closedHosts = new WeakSet();

  /**
   * The shadow root of an element, be it open or closed: what a component hides from the page's other scripts, the user sees.
   * To ask for a closed one takes long, and is done for every element only where `isThorough`; elsewhere for those of components' own
   * names, for empty ones, and for those that were found before.
   * @param {Element} element @returns {ShadowRoot | null}
   */
  const shadowOf = (element, isThorough = false, name = element.localName) => {
    const isCustom = name.includes('-');
    if (!isCustom && !hosts.has(name)) return null;
    if (element.shadowRoot) return element.shadowRoot;
    if (!isCustom && !isThorough && element.firstChild && !closedHosts.has(element)) return null;
    let root = null;
    try { root = chrome.dom.openOrClosedShadowRoot(element) ?? null; } catch { /* none, or no such call in this browser */ }
    if (root && !isCustom) closedHosts.add(element);
    return root;
  };

  /** The slot that shows a node; the browser names it only where the shadow root is open. @param {Node} node */
  const slotOf = (node) => {
    if (node.assignedSlot || !(node.parentNode instanceof Element)) return node.assignedSlot ?? null;
    const root = shadowOf(node.parentNode);
    return root && ([...root.querySelectorAll('slot')].find((slot) => slot.assignedNodes().includes(node)) ?? null);
  };

  /** @param {Node} node @returns {Element | null} */
  const parentOf = (node) => {
    const parent = slotOf(node) ?? node.parentNode;
    if (parent instanceof ShadowRoot) return parent.host;
    return parent instanceof Element ? parent : null;
  };

  /** @param {Element} element @param {string} selector @returns {Element | null} */
  const closest = (element, selector) => {
    for (let node = element; node; node = parentOf(node)) if (node.matches(selector)) return node;
    return null;
  };

  /**
   * Elements of a tree with its shadow roots, in order.
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
      const root = shadowOf(node);
      if (root) walkers.push(document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT));
    }
  }

  /** Whether something can be typed into an element at all. @param {unknown} element */
  const isField = (element) => element instanceof HTMLInputElement
    && (textTypes.has(element.type) || element.type === 'password');

  const isEditable = (field) => !field.disabled && !field.readOnly && !field.matches(':disabled');

  const formOf = (field) => field.form ?? closest(field, 'form');

  /** The element that has the focus, inside shadow roots too. */
  const active = () => {
    let element = document.activeElement;
    for (let inner = element; inner; inner = shadowOf(inner, true)?.activeElement) element = inner;
    return element;
  };

  /** What an event of the pointer is about, inside closed shadow roots too. @param {PointerEvent} event */
  const targetOf = (event) => {
    let element = event.composedPath()[0];
    while (element instanceof Element) {
      const inner = shadowOf(element, true)?.elementFromPoint(event.clientX, event.clientY);
      if (!inner || inner === element) break;
      element = inner;
    }
    return element;
  };

  // ---- Visibility

  /**
   * What is the same for all elements of one moment: the viewport, and the elements that neither they nor what is above them hide by
   * their style.
   * @typedef {{width: number, height: number, top: number, plain: Set<Element>}} Moment
   * @returns {Moment}
   */
  const moment = () => ({ width: innerWidth, height: innerHeight, top: scrollY, plain: new Set() });

  /**
   * What hides an element by style, itself and all above it.
   * @param {Element} element
   * @param {Moment} now
   */
  const isStyledVisible = (element, { plain }) => {
    let opacity = 1;
    const above = [];
    for (let node = element; node; node = parentOf(node)) {
      if (opacity === 1 && plain.has(node)) break;
      const style = getComputedStyle(node);
      opacity *= Number(style.opacity);
      if (opacity < 0.1 || /opacity\(/.test(style.filter) || (style.maskImage || 'none') !== 'none') return false;
      above.push(node);
    }
    if (opacity === 1) for (const node of above) plain.add(node);
    return true;
  };

  /**
   * Whether a person can see an element: it is drawn, has a size, is not transparent, clipped away or covered, and lies in
   * the viewport or at most one viewport's height above or below it, or anywhere that can be scrolled to.
   */
  const isVisible = (element, now = moment(), isAnywhere = false) => {
    if (!element.isConnected || !element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true })) return false;
    const box = element.getBoundingClientRect();
    if (box.width < 8 || box.height < 8) return false;
    const x = (box.left + box.right) / 2;
    const y = (box.top + box.bottom) / 2;
    if (x < 0 || x > now.width || y + now.top < 0) return false;
    if (!isAnywhere && (y < -now.height || y > 2 * now.height)) return false;
    if (!isStyledVisible(element, now)) return false;
    return y < 0 || y >= now.height || isHit(element, box);
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
  /** The roles that the daemon has named, by reference. @type {Map<number, string>} */ const named = new Map();
  let nextRef = 0;

  const { clean } = latchkeyOutline;

  /** The text of an element, without scripts, and without reading more of a long one than is needed. */
  const textOf = (element) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    let text = '';
    for (let node = walker.nextNode(), count = 0; node && count < 64 && text.length < limits.text; node = walker.nextNode(), count += 1) {
      if (!/^(script|style|noscript|template|textarea|option|button)$/i.test(node.parentElement?.localName ?? '')) text += ` ${node.data.slice(0, limits.text)}`;
    }
    return clean(text);
  };

  const textsOf = (elements, most) => [...elements].slice(0, most).map(textOf).filter(Boolean);

  const labelOf = (field, labels) => {
    const own = textsOf(labels, 4);
    if (own.length) return clean(own.join(' '));
    const root = field.getRootNode();
    const named = clean(field.getAttribute('aria-labelledby')).split(' ').filter(Boolean).map((id) => root.getElementById?.(id));
    return clean(textsOf(named.filter(Boolean), 4).join(' '));
  };

  const attribute = (element, name) => clean(element.getAttribute(name));

  /** What is no text for people but a rule: cut short it would be another one. */
  const rule = (element, name) => { const text = (element.getAttribute(name) ?? '').trim(); return text.length <= 500 ? text : ''; };

  const attributes = (element, names) => Object.fromEntries(names.split(' ').map((name) => [name, attribute(element, name)]));

  const withoutEmpty = (object) => Object.fromEntries(Object.entries(object).filter(([, value]) => value !== '' && value !== null));

  /** Names that frameworks, tests and style sheets have for a field. */
  const otherNames = new Set(['class', 'formcontrolname', 'ng-model', 'data-ng-model', 'v-model', 'data-testid', 'data-test-id', 'data-test',
    'data-qa', 'data-cy', 'data-name', 'data-field', 'data-bind', 'ng-reflect-name', 'data-automation-id']);

  const otherNamesOf = (field) => clean(field.getAttributeNames().filter((name) => otherNames.has(name)).map((name) => field.getAttribute(name)).join(' '));

  /**
   * @param {Element} field an `input`, `select` or `textarea`
   * @param {Element[]} forms those that are known, to which the field's own is added
   * @param {Moment} now
   * @param {string} [nearby] what stands beside it
   * @param {Iterable<Element>} [labels]
   */
  const describeField = (field, forms, now, nearby = '', labels = field.labels ?? []) => {
    let ref = refs.get(field);
    if (ref === undefined) refs.set(field, ref = nextRef++);
    const form = formOf(field);
    if (form && !forms.includes(form) && forms.length < limits.forms) forms.push(form);
    const description = withoutEmpty({
      tag: field.localName, type: field.localName === 'input' ? field.type : '',
      ...attributes(field, 'name id autocomplete inputmode placeholder'), pattern: rule(field, 'pattern'), passwordrules: rule(field, 'passwordrules'),
      other: otherNamesOf(field), aria: attribute(field, 'aria-label') || attribute(field, 'title'), label: labelOf(field, labels), nearby,
      minlength: field.minLength >= 0 ? field.minLength : null, maxlength: field.maxLength >= 0 ? field.maxLength : null, form: forms.includes(form) ? forms.indexOf(form) : null,
      // What nobody types into is never filled: whether its look is another element's does not matter.
      visible: !isField(field) || isVisible(field, now, true), editable: !isField(field) || isEditable(field),
    });
    described.set(ref, { element: new WeakRef(field), description });
    return { ref, ...description };
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

  /**
   * What the page shows, or where that is more than is looked at, what is around a field.
   * @param {HTMLInputElement | null} focused
   */
  const outlineAround = (focused) => {
    const whole = latchkeyOutline.read(document.body ?? document.documentElement, shadowOf);
    if (!focused || whole.eventOf.has(focused)) return whole;
    let root = formOf(focused) ?? focused;
    for (let depth = 0; depth < 6 && root === focused; depth += 1) root = parentOf(root) ?? root;
    return latchkeyOutline.read(root, shadowOf);
  };

  /**
   * Those of a page's controls that are described: all, or the nearest that a person types into.
   * @param {Element[]} controls @param {HTMLInputElement | null} focused
   */
  const nearest = (controls, focused) => {
    if (controls.length <= limits.fields) return controls;
    const form = focused && formOf(focused);
    const typed = controls.filter((control) => isField(control) || (form && formOf(control) === form));
    const place = focused ? typed.indexOf(focused) : typed.findIndex((control) => control.type === 'password');
    const start = Math.max(0, Math.min(place - limits.fields / 2, typed.length - limits.fields));
    return typed.slice(start, start + limits.fields);
  };

  /** @param {HTMLInputElement | null} focused */
  const describePage = (focused) => {
    for (const [ref, { element }] of described) {
      if (element.deref()) continue;
      described.delete(ref);
      named.delete(ref);
    }
    const outline = outlineAround(focused);
    const chosen = nearest(outline.controls, focused);
    const isChosen = new Set(chosen);
    const nearby = latchkeyOutline.surroundings(outline, isChosen);
    /** @type {Element[]} */ const forms = [];
    const now = moment();
    const fields = chosen.map((field) => describeField(field, forms, now, nearby.get(field), outline.labels.get(field) ?? []));
    // Texts stand before so many of the fields that are described.
    const before = [0];
    for (const control of outline.controls) before.push(before.at(-1) + (isChosen.has(control) ? 1 : 0));
    const context = (form) => latchkeyOutline.context(outline, form, (control) => before[control]);
    const describeForm = (form) => ({
      ...attributes(form, 'name id class method'), action: latchkeyOutline.pathOf(form.getAttribute('action')), ...context(form),
    });
    return {
      title: clean(document.title), path: location.pathname.slice(0, limits.text), language: clean(document.documentElement?.lang),
      forms: forms.map(describeForm), outside: context(null), fields,
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
    const answer = (await tell(message))?.result ?? { bar: false, fields: [] };
    for (const { ref, role } of answer.fields) named.set(ref, role);
    return answer;
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

  /**
   * Whether a role's value may go into a field: a password only into what is, or was described as, a password field, or into a
   * plain one that was named for it before there was anything to fill, as pages have it that show what is typed.
   */
  const takes = (field, role, { ref, description }) => {
    if (!isField(field) || !isEditable(field)) return false;
    // Boxes for a code may hide what is typed, as fields for passwords do.
    if (role === 'one-time-code') return textTypes.has(field.type) || field.type === 'password';
    if (!/password$/.test(role)) return textTypes.has(field.type);
    return field.type === 'password' || description.type === 'password' || (field.type === 'text' && named.get(ref) === role);
  };

  /** The element of a reference; when the page has rebuilt its form, the field that is described in the same words. */
  const locate = ({ ref, role }) => {
    const entry = described.get(ref);
    if (!entry) return null;
    const { description } = entry;
    const own = entry.element.deref();
    if (own?.isConnected) return takes(own, role, { ref, description }) ? own : null;
    const words = ['name', 'id', 'autocomplete', 'placeholder', 'aria', 'label'];
    const likeness = (field) => {
      const forms = [];
      const other = describeField(field, forms, moment());
      if (other.type !== description.type || (other.name ?? '') !== (description.name ?? '')) return 0;
      return 1 + words.filter((word) => description[word] && description[word] === other[word]).length;
    };
    const most = words.filter((word) => description[word]).length;
    const rated = fieldsAround(null).filter((field) => takes(field, role, { ref, description })).map((field) => ({ field, rate: likeness(field) }));
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
          globalThis.latchkeyPage.filled(field, value.secret);
          filled.delete(ref);
          // A page that keeps what stands in a row of boxes takes in one character after the other.
          if (fills.length > 2) await wait(0);
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

  /** @param {unknown} node */
  const isElement = (node) => node instanceof Element;

  /** @param {EventTarget} node */
  const hear = (node) => {
    if (!(node instanceof ShadowRoot) || heard.has(node)) return;
    heard.add(node);
    node.addEventListener('focusin', onFocus, true);
  };

  /** @param {Event} event */
  const onFocus = (event) => {
    if (!event.isTrusted) return;
    const path = event.composedPath();
    // A focus that moves within a shadow root does not leave it, so each one on the way is listened to as well.
    path.forEach(hear);
    let field = path[0];
    // The path ends at a closed one.
    for (let root = isElement(field) && shadowOf(field, true); root?.activeElement; root = shadowOf(field, true)) {
      hear(root);
      field = root.activeElement;
    }
    if (isField(field) && !isQuiet) took(field);
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
    const field = targetOf(event);
    if (event.isTrusted && field !== pointed) point(field);
  }, true);
  addEventListener('pointerdown', (event) => {
    if (!event.isTrusted) return;
    isQuiet = false;
    const field = targetOf(event);
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
    inspect: () => ({ page: describePage(isField(active()) ? active() : null) }),
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

  /** What submission.js shares with this script; the page has neither. `filled` is told what was put into a field. */
  globalThis.latchkeyPage = { describePage, fieldsAround, formOf, isField, refs, tell, filled: () => {} };

  const start = () => { if (isField(active()) && document.hasFocus()) took(active()); };
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', start, { once: true });
  else start();
})();

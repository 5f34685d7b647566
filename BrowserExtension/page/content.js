// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/*
 * This part runs beside every page, alone until a form is touched or is one to sign in. It listens, finds the field that
 * something is about, describes those around it, and tells what was sent. `bring` gets the rest.
 * None of it learns what is saved or reads what a field holds before the user or Latchkey gave it that.
 */
'use strict';

(() => {
  const limits = { fields: 64, forms: 32, text: 160, nodes: 20000 };
  const textTypes = new Set(['', 'text', 'email', 'tel', 'number', 'url', 'search', 'textarea']);

  /** Asks nodes, since a field's name can hide its form's own property. */
  const dom = {};
  for (const [{ prototype }, names] of [[Node, 'parentNode ownerDocument isConnected firstChild nextSibling contains childNodes'], [HTMLFormElement, 'elements'],
    [Document, 'documentElement body'], [Element, 'localName assignedSlot matches closest checkVisibility firstElementChild getAttribute hasAttribute getBoundingClientRect querySelectorAll']]) {
    for (const name of names.split(' ')) {
      const { get, value } = Object.getOwnPropertyDescriptor(prototype, name);
      dom[name] = Function.prototype.call.bind(get ?? value);
    }
  }

  // ---- The composed tree: elements and shadow roots, open and closed

  /** Elements of HTML itself that may have a shadow root. */
  const hosts = new Set(`article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span`.split(' '));
  /** Those that were found to have a closed one. @type {WeakSet<Element>} */ const closedHosts = new WeakSet();

  /**
   * Open or closed: the user sees both. To ask for a closed one takes long: only `isThorough` asks every
   * element, others ask components, empty elements and known ones.
   * @param {Element} element @returns {ShadowRoot | null}
   */
  const shadowOf = (element, isThorough = false, name = dom.localName(element)) => {
    const isCustom = name.includes('-');
    if (!isCustom && !hosts.has(name)) return null;
    if (element.shadowRoot) return element.shadowRoot;
    if (!isCustom && !isThorough && element.firstChild && !closedHosts.has(element)) return null;
    let root = null;
    try { root = (chrome.dom ? chrome.dom.openOrClosedShadowRoot(element) : element.openOrClosedShadowRoot) ?? null; } catch { /* none */ }
    if (root && !isCustom) closedHosts.add(element);
    return root;
  };

  /** The slot that shows a node; the browser names those of open roots. @param {Node} node */
  const slotOf = (node) => {
    const slot = dom.assignedSlot(node);
    const parent = dom.parentNode(node);
    if (slot || !(parent instanceof Element)) return slot;
    const root = shadowOf(parent);
    return root && ([...root.querySelectorAll('slot')].find((slot) => slot.assignedNodes().includes(node)) ?? null);
  };

  /** @param {Node} node @returns {Element | null} */
  const parentOf = (node) => {
    const parent = slotOf(node) ?? dom.parentNode(node);
    if (parent instanceof ShadowRoot) return parent.host;
    return parent instanceof Element ? parent : null;
  };

  /** @param {Element} element @param {string} selector @returns {Element | null} */
  const closest = (element, selector) => {
    for (let node = element; node; node = parentOf(node)) if (dom.matches(node, selector)) return node;
    return null;
  };

  /** Elements of a tree with its shadow roots, in order. @param {ParentNode & Node} root */
  function* elementsIn(root) {
    const walkers = [document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT)];
    for (let count = 0; walkers.length && count < limits.nodes;) {
      const node = walkers.at(-1).nextNode();
      if (!node) { walkers.pop(); continue; }
      count += 1;
      yield node;
      const root = shadowOf(node);
      if (root) walkers.push(document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT));
    }
  }

  /** Whether it may be filled: an input, or a text area that says what it takes. @param {unknown} element */
  const isField = (element) => (element instanceof HTMLInputElement || (element instanceof HTMLTextAreaElement
    && dom.matches(element, '[autocomplete~=username i], [autocomplete~=one-time-code i]'))) && (textTypes.has(element.type) || element.type === 'password');

  /** A page can move a node elsewhere. @param {Node} node */
  const isHere = (node) => dom.isConnected(node) && dom.ownerDocument(node) === document;

  const isEditable = (field) => !field.disabled && !field.readOnly && !field.matches(':disabled');

  /** It shows dots. */
  const hides = (field) => field.type === 'password' || /disc|circle|square/.test(getComputedStyle(field).webkitTextSecurity);

  const formOf = (field) => field.form ?? closest(field, 'form');

  /** In shadow roots too. */
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
   * The same for all elements of one moment: the viewport, and elements that no style hides.
   * @typedef {{width: number, height: number, top: number, plain: Set<Element>}} Moment
   * @returns {Moment}
   */
  const moment = () => ({ width: innerWidth, height: innerHeight, top: scrollY, plain: new Set() });

  /** What hides an element by style, itself and all above it. @param {Element} element @param {Moment} now */
  const isStyledVisible = (element, { plain }) => {
    let opacity = 1;
    const above = [];
    for (let node = element; node; node = parentOf(node)) {
      if (opacity === 1 && plain.has(node)) break;
      const style = getComputedStyle(node);
      opacity *= Number(style.opacity);
      if (opacity < 0.1 || /opacity\(/.test(style.filter) || [style.maskImage, style.webkitMaskBoxImageSource].some((image) => (image || 'none') !== 'none')) return false;
      above.push(node);
    }
    if (opacity === 1) for (const node of above) plain.add(node);
    return true;
  };

  /**
   * Whether a person can see an element: it is drawn, has a size, is not transparent, clipped or covered, and lies at most one viewport's
   * height outside the viewport, or anywhere that can be scrolled to.
   */
  const isVisible = (element, now = moment(), isAnywhere = false) => {
    if (!isHere(element) || !element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true })) return false;
    const box = element.getBoundingClientRect();
    if (box.width < 8 || box.height < 8) return false;
    const x = (box.left + box.right) / 2;
    const y = (box.top + box.bottom) / 2;
    if (x < 0 || x > now.width || y + now.top < 0) return false;
    if (!isAnywhere && (y < -now.height || y > 2 * now.height)) return false;
    if (!isStyledVisible(element, now)) return false;
    return y < 0 || y >= now.height || isHit(element, box);
  };

  /** Whether a click at one of five places of it would reach it. */
  const isHit = (element, { left, top, width, height }) => {
    const root = element.getRootNode();
    return [[0.5, 0.5], [0.1, 0.5], [0.9, 0.5], [0.5, 0.15], [0.5, 0.85]].some(([across, down]) => {
      const hit = root.elementFromPoint(left + across * width, top + down * height);
      return hit === element || page.isOwn?.(hit);
    });
  };

  // ---- Descriptions

  /** @type {WeakMap<Element, number>} */ const refs = new WeakMap();
  /** @type {Map<number, {element: WeakRef<HTMLInputElement>, description: object}>} */ const described = new Map();
  /** The roles that the daemon has named, by reference. @type {Map<number, string>} */ const named = new Map();
  let nextRef = 0;

  const clean = (text) => {
    if (!text) return '';
    const isPlain = text.length <= limits.text && !/^\s|\s$|\s\s|[\0-\x1f]/.test(text);
    return (isPlain ? text : text.slice(0, 4 * limits.text).replace(/[\s\0-\x1f]+/g, ' ').trim().slice(0, limits.text)).toWellFormed();
  };

  /** The path of an address, without a query. @param {string | null} address */
  const pathOf = (address) => (address ?? '').split(/[?#]/)[0].replace(/^(?:[a-z]+:)?\/\/[^/]*/i, '').slice(0, 200).toWellFormed();

  /** The text of an element, without scripts, and no more of a long one than is needed. */
  const textOf = (element) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    let text = '';
    for (let node = walker.nextNode(), count = 0; node && count < 64 && text.length < limits.text; node = walker.nextNode(), count += 1) {
      if (!/^(script|style|noscript|template|textarea|option|button)$/i.test(dom.localName(node.parentElement))) text += ` ${node.data.slice(0, limits.text)}`;
    }
    return clean(text);
  };

  const textsOf = (elements) => [...elements].slice(0, 4).map(textOf).filter(Boolean);

  const labelOf = (field, labels) => {
    const own = textsOf(labels);
    if (own.length) return clean(own.join(' '));
    const root = field.getRootNode();
    const named = clean(field.getAttribute('aria-labelledby')).split(' ').filter(Boolean).map((id) => root.getElementById?.(id));
    return clean(textsOf(named.filter(Boolean)).join(' '));
  };

  const attribute = (element, name) => clean(dom.getAttribute(element, name));

  /** What is not text for people but a rule: cut short it would be another one. */
  const rule = (element, name) => { const text = (element.getAttribute(name) ?? '').trim(); return text.length <= 500 && text.isWellFormed() ? text : ''; };

  const attributes = (element, names) => Object.fromEntries(names.split(' ').map((name) => [name, attribute(element, name)]));

  const withoutEmpty = (object) => Object.fromEntries(Object.entries(object).filter(([, value]) => value !== '' && value !== null));

  /** Names that frameworks and tests have for a field. */
  const otherNames = /^(class|formcontrolname|(data-)?ng-model|v-model|ng-reflect-name|data-(test(-?id)?|qa|cy|name|field|bind|automation-id))$/;

  const otherNamesOf = (field) => clean(field.getAttributeNames().filter((name) => otherNames.test(name)).map((name) => field.getAttribute(name)).join(' '));

  /**
   * @param {Element} field an `input`, `select` or `textarea` @param {Element[]} forms those that are known, to which its own is added
   * @param {Moment} now @param {string} [nearby] what stands beside it @param {Iterable<Element>} [labels]
   */
  const describeField = (field, forms, now, nearby = '', labels = field.labels ?? []) => {
    let ref = refs.get(field);
    if (ref === undefined) refs.set(field, ref = nextRef++);
    const form = formOf(field);
    if (form && !forms.includes(form) && forms.length < limits.forms) forms.push(form);
    const description = withoutEmpty({
      tag: field.localName, type: field.localName !== 'input' ? '' : hides(field) ? 'password' : field.type,
      ...attributes(field, 'name id autocomplete inputmode placeholder'), pattern: rule(field, 'pattern'), passwordrules: rule(field, 'passwordrules'),
      other: otherNamesOf(field), aria: attribute(field, 'aria-label') || attribute(field, 'title'), label: labelOf(field, labels), nearby,
      minlength: field.minLength >= 0 ? field.minLength : null, maxlength: field.maxLength >= 0 ? field.maxLength : null, form: forms.includes(form) ? forms.indexOf(form) : null,
      // Only fields are filled, so only they are looked at.
      visible: !isField(field) || isVisible(field, now, true), editable: !isField(field) || isEditable(field),
    });
    described.set(ref, { element: new WeakRef(field), description });
    return { ref, ...description };
  };

  /** Those of a field's form, or of the page where it has none; the nearest, in order. @param {HTMLInputElement | null} field */
  const fieldsAround = (field) => {
    const form = field && formOf(field);
    const all = [];
    for (const element of elementsIn(form ?? document)) if (isField(element)) all.push(element);
    if (form instanceof HTMLFormElement) for (const element of dom.elements(form)) if (isField(element) && !dom.contains(form, element)) all.push(element);
    const place = field ? Math.max(0, all.indexOf(field)) : Math.max(0, all.findIndex((other) => other.type === 'password'));
    const start = Math.max(0, Math.min(place - limits.fields / 2, all.length - limits.fields));
    return all.slice(start, start + limits.fields);
  };

  /** @param {HTMLInputElement | null} focused */
  const describePage = (focused) => {
    for (const [ref, { element }] of described) {
      if (element.deref()) continue;
      described.delete(ref);
      named.delete(ref);
    }
    // A form that is sent when it is first touched is told without what is around its fields.
    const outline = page.outline?.(focused);
    const chosen = outline?.controls ?? fieldsAround(focused);
    const isChosen = new Set(chosen);
    const nearby = outline?.surroundings(isChosen);
    const context = outline?.contexts(isChosen) ?? (() => ({}));
    /** @type {Element[]} */ const forms = [];
    const now = moment();
    const fields = chosen.map((field) => describeField(field, forms, now, nearby?.get(field), outline && (outline.labels.get(field) ?? [])));
    const describeForm = (form) => ({
      ...attributes(form, 'name id class method'), action: pathOf(dom.getAttribute(form, 'action')), ...context(form),
    });
    const description = {
      title: clean(document.title), path: location.pathname.slice(0, limits.text), language: clean(dom.documentElement(document)?.lang),
      forms: forms.map(describeForm), outside: context(null), fields,
    };
    return page.shorten?.(description, forms.indexOf(focused && formOf(focused))) ?? description;
  };

  // ---- What comes when it is needed

  /** Sends a message; null where nobody answers. */
  const tell = async (message) => {
    try { return await chrome.runtime.sendMessage(message); } catch { return null; }
  };

  /** Those here or on their way. @type {Map<string, Promise<void>>} */ const parts = new Map();
  /** Called when one is here. @type {Map<string, () => void>} */ const arrivals = new Map();

  /** Has a part brought here. @param {'reading' | 'seeing' | 'settling'} part */
  const bring = (part) => {
    if (!parts.has(part)) {
      parts.set(part, new Promise((resolve) => {
        arrivals.set(part, resolve);
        const needs = { type: 'page.needs', part };
        // Once more: the worker may have ended.
        tell(needs).then((answer) => answer ?? tell(needs)).then((answer) => {
          if (!answer?.result?.here) parts.delete(part);
          resolve();
        });
      }));
    }
    return parts.get(part);
  };

  /** A part adds what it can do. @param {string} part @param {object} members */
  const join = (part, members) => {
    Object.assign(page, members);
    arrivals.get(part)?.();
  };

  // ---- The field that the user is at

  const took = async (field, isMeant) => {
    if (!page.took) {
      await bring('reading');
      if (active() !== field) return;
    }
    page.took?.(field, isMeant);
  };

  /** What the pointer is at. @type {EventTarget | null} */ let pointed = null;

  const point = async (target) => {
    pointed = target;
    if (!page.point) {
      // Whoever points into a form for a password is about to use it.
      const isNear = isField(target) || target instanceof Element && dom.closest(target, 'form:has([type=password])');
      await (isNear ? bring('reading') : parts.get('reading'));
      if (pointed !== target) return;
    }
    page.point?.(target);
  };

  // ---- What the user sends off

  /** What a click may send a form by. A link to another address sends nothing. */
  const buttons = 'button, input:is([type=submit], [type=image], [type=button]), [role=button], a:is(:not([href]), [href=""], [href^="#"]:not([href*="/"]), [href^="javascript:" i])';
  /** How long the same is not told again, in ms. */ const pause = 1500;
  /** No user name or password is longer. */ const longest = 4096;

  /** What fields were given: `start` by Latchkey, then by steps. @type {WeakMap<HTMLInputElement, {value: string, isPassword: boolean, start: string, steps: object[]}>} */
  const given = new WeakMap();
  /** What the browser says the user is about to put in. @type {{event: Event, field: unknown} | null} */ let act = null;
  /** The last one. @type {WeakRef<HTMLInputElement> | null} */ let last = null;

  /** @param {HTMLInputElement} field @param {string} value @param {string} [start] @param {object[]} [steps] */
  const note = (field, value, start = value, steps = []) => {
    // A page shows a password as text.
    const isPassword = hides(field) || given.get(field)?.isPassword === true;
    given.set(field, { value: value.length <= longest && value.isWellFormed() ? value : '', isPassword, start, steps });
    last = new WeakRef(field);
  };

  /** What was typed may have been sent: told at once. @param {Element | null} [by] by what */
  const send = async (by = null) => {
    const field = last?.deref();
    if (!field?.isConnected) return;
    const [form, other] = [formOf(field), by && (by.localName === 'form' ? by : by.form ?? dom.closest(by, 'form'))];
    if (other && form !== other) return true;
    const fields = fieldsAround(field).filter((one) => given.get(one)?.value);
    if (fields.length === 0) return;
    const description = describePage(field);
    const byRef = new Map(fields.map((one) => [refs.get(one), given.get(one)]));
    for (const one of description.fields) if (byRef.get(one.ref)?.isPassword) one.type = 'password';
    const values = description.fields.filter(({ ref }) => byRef.has(ref)).map(({ ref }) => ({ ref, value: byRef.get(ref).value }));
    const text = JSON.stringify(values);
    if (text === page.told.text && performance.now() - page.told.at < pause) return;
    page.told = { text, at: performance.now() };
    const passwords = fields.filter((one) => given.get(one).isPassword);
    const entries = passwords.map((one) => given.get(one));
    tell({ type: 'page.submitted', page: description, values, entries });
    if (passwords.length) await bring('settling');
    page.watch?.(passwords);
  };

  const touch = (event) => { if (event.isTrusted) act = { event, field: event.composedPath()[0] }; };

  /** What the user does to a form, by event. @type {Record<string, (event: any) => void>} */
  const acts = {
    input: (event) => {
      const field = event.composedPath()[0];
      if (!event.isTrusted || !isField(field)) return;
      page.typed?.(field);
      const announced = act?.field === field && !act.event.eventPhase && !act.event.defaultPrevented ? act.event : null;
      act = null;
      let { start, steps } = given.get(field) ?? { start: '', steps: [] };
      const { data = null, inputType } = event;
      const { value } = field;
      // What takes the place of all is all that counts. One step too many, and what was typed is unknown.
      if (value === (data ?? '')) [start, steps] = ['', []];
      const isAnnounced = announced?.inputType === inputType && announced?.data === data;
      if (field.type !== 'textarea') steps.splice(999, 1, { data, isAnnounced, value: value.length > longest ? null : value });
      note(field, value, start, steps);
      bring('reading');
    },
    click: (event) => {
      const hit = event.composedPath().find((node) => node instanceof Element && dom.matches(node, buttons));
      if (event.isTrusted && hit) send(hit);
    },
    keydown: (event) => {
      const [field] = event.composedPath();
      if (event.isTrusted && event.key === 'Enter' && !event.isComposing && isField(field) && field.type !== 'textarea') send();
    },
    submit: (event) => {
      // A script can bring it about, but no act before it.
      if (event.isTrusted && navigator.userActivation.isActive) send(event.target);
    },
    beforeinput: touch,
  };

  // ---- What happens in the page

  /** A field is wrong, which the browser may show in a bubble. @param {Event} event */
  const invalid = (event) => {
    if (!event.isTrusted) return;
    page.invalid = { field: event.composedPath()[0], at: performance.now() };
    if (page.isBubbleUp?.()) page.endBars?.();
  };

  /** @type {WeakSet<ShadowRoot>} */ const heard = new WeakSet();

  /** @param {EventTarget} node */
  const hear = (node) => {
    if (!(node instanceof ShadowRoot) || heard.has(node)) return;
    heard.add(node);
    node.addEventListener('focusin', onFocus, true);
    node.addEventListener('invalid', invalid, true);
    // What is in a closed one is seen inside it alone; so is sending inside any.
    for (const [type, act] of Object.entries(acts)) if (node.mode === 'closed' || type === 'submit') node.addEventListener(type, act, true);
  };

  /** @param {FocusEvent} event */
  const onFocus = (event) => {
    if (!event.isTrusted) return;
    page.focusAt = performance.now();
    if (page.tab) page.tab.focus ??= event;
    const path = event.composedPath();
    // A focus that moves within a shadow root does not leave it.
    path.forEach(hear);
    let field = path[0];
    // The path ends at a closed one.
    for (let root = field instanceof Element && shadowOf(field, true); root?.activeElement; root = shadowOf(field, true)) {
      hear(root);
      field = root.activeElement;
    }
    // Chromium names the device.
    if (isField(field) && !page.isQuiet) took(field, event.sourceCapabilities === undefined ? event : Boolean(event.sourceCapabilities));
  };

  // ---- What else happens

  const left = ({ type }) => {
    page.endBars?.();
    if (described.size) tell({ type: 'page.left', by: type });
  };

  /** What else the user does. @type {Record<string, (event: any) => void>} */
  const moves = {
    focusin: onFocus,
    invalid,
    focusout: (event) => page.lost?.(event),
    blur: (event) => page.lost?.(event),
    keydown: (event) => {
      if (!event.isTrusted) return;
      page.isQuiet = false;
      if (event.key === 'Tab') page.tab = { key: event };
      if (page.pressed?.(event)) { event.preventDefault(); event.stopImmediatePropagation(); }
    },
    pointermove: (event) => {
      const target = targetOf(event);
      if (event.isTrusted && target !== pointed) point(target);
    },
    pointerdown: (event) => {
      if (!event.isTrusted) return;
      page.isQuiet = false;
      page.pressedAt = { x: event.clientX, y: event.clientY, at: event.timeStamp };
      const field = targetOf(event);
      if (isField(field) && field === active()) took(field, true);
    },
    visibilitychange: (event) => { if (document.visibilityState === 'hidden') left(event); },
    pagehide: left,
  };

  const listen = () => {
    for (const each of [moves, acts]) for (const [type, act] of Object.entries(each)) addEventListener(type, act, true);
  };
  listen();
  // `document.open()` takes them away with the root; none is added twice.
  new MutationObserver(listen).observe(document, { childList: true });

  // ---- What the background script asks

  /** What a part answers that is brought here for it. @type {Record<string, 'reading' | 'settling'>} */
  const answers = { describe: 'reading', inspect: 'reading', probe: 'reading', arrival: 'settling' };
  /** @type {Record<string, (message: any) => any>} */
  const requests = { scale: () => ({ scale: devicePixelRatio }), close: () => { page.closeBar?.(); return {}; }, fill: (what) => page.fill?.(what) ?? null };
  for (const [type, part] of Object.entries(answers)) requests[type] = async () => { await bring(part); return page[type]?.() ?? null; };

  chrome.runtime.onMessage.addListener((message, sender, respond) => {
    if (sender.id !== chrome.runtime.id || sender.tab || !Object.hasOwn(requests, message?.type)) return false;
    Promise.resolve(requests[message.type](message)).then(respond, () => respond(null));
    return true;
  });

  // What the parts in this document share (shared.js). They add to it by `join`.
  /** @type {LatchkeyPage} */ const page = {
    isQuiet: false, active, bring, clean, closest, describeField, described, describePage, dom, fieldsAround, formOf, hides, invalid: null, focusAt: 0,
    isEditable, isField, isHere, isVisible, join, most: limits.fields, moment, named, note, parentOf, refs, send, shadowOf, tell, textTypes, told: { text: '', at: -Infinity },
  };
  globalThis.latchkeyPage = page;

  const start = () => {
    if (isField(active()) && document.hasFocus()) took(active());
    // The first bar there does not wait for what shows it.
    else if (document.querySelector('[type=password]')) bring('reading');
  };
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', start, { once: true });
  else start();
})();

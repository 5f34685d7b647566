// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/*
 * A page as a person goes through it: its fields in order, and between them lines of text, headings, links and buttons. The same
 * is made of static HTML by FormReading (Outline.swift), so that one analysis decides on both; what differs is that here the
 * browser knows what is shown. It comes into a document when the user touches a form there, and tells whether it found the
 * content script; a second time it does nothing.
 */
'use strict';

(() => {
  /** @type {LatchkeyPage} */ const page = globalThis.latchkeyPage;
  if (!page || page.outline) return Boolean(page);
  const { clean, dom, formOf, isField, most, parentOf, shadowOf } = page;

  /** What the names of elements mean here; one look-up for each element. */
  const is = { heading: 1, silent: 2, inline: 4, control: 8, button: 16, link: 32, form: 64 };
  /** @type {Map<string, number>} */ const names = new Map();
  for (const [words, flag] of /** @type {[string, number][]} */ ([
    ['h1 h2 h3 h4 h5 h6 legend', is.heading],
    // What they hold is not text of the page, and no field.
    ['script style template noscript option datalist svg title head object iframe canvas math audio video', is.silent],
    // They do not end the line that they stand in.
    ['span b strong i em u small font abbr sup sub mark bdi bdo code wbr img s q cite kbd var time data tt big nobr acronym slot', is.inline],
    ['input select textarea', is.control], ['button', is.button], ['a', is.link], ['form', is.form],
  ])) for (const name of words.split(' ')) names.set(name, flag);
  /** @type {Record<string, number>} */ const roles = { __proto__: null, button: is.button, heading: is.heading, link: is.link };
  const buttonTypes = new Set(['submit', 'button', 'image', 'reset']);
  const limits = { line: 480, text: 160, depth: 500, nodes: 20000, bytes: 700_000 };

  const isShown = (element) => dom.checkVisibility(element) || getComputedStyle(element).display === 'contents';

  /**
   * @typedef {{kind: 'text' | 'heading' | 'link' | 'button' | 'field', text: string, form: Element | null, control: number}} Event
   *   `control` is how many controls come before it
   * @typedef {{element: Element, parent: Place | null, fields: number, events: number, fieldsEnd: number, eventsEnd: number, isWhole: boolean}} Place
   *   where in the outline its own begin and end, and whether it is a form or all of the page
   * @typedef {{controls: Element[], fields: Element[], events: Event[], eventOf: Map<Element, number>,
   *   labels: Map<Element, Element[]>, parents: Map<Element, Place>, places: Map<Element, Place>}} Outline
   */

  /**
   * Goes through the shown elements of a tree, shadow roots included. Every call on a node costs more than what is done with the answer,
   * so that none is made that can be spared.
   * @param {Element} root
   * @returns {Outline}
   */
  const read = (root) => {
    const controls = [];
    const fields = [];
    /** @type {Event[]} */ const events = [];
    const eventOf = new Map();
    const labels = new Map();
    const parents = new Map();
    const places = new Map();
    let line = '';
    let level = { button: false, heading: false, link: false, form: null };
    let nodes = 0;
    /** The elements that state a role, of the trees that were entered. */
    const roled = new Set(dom.querySelectorAll(root, '[role]'));
    if (dom.hasAttribute(root, 'role')) roled.add(root);

    const kind = () => (level.button ? 'button' : level.link ? 'link' : level.heading ? 'heading' : 'text');
    const add = (kindOf, text) => events.push({ kind: kindOf, text, form: level.form, control: controls.length });
    const flush = () => {
      if (line === '') return;
      const text = clean(line);
      line = '';
      if (text) add(kind(), text);
    };
    const append = (text) => { if (line.length < limits.line) line += text.slice(0, limits.line); };

    const control = (element, name, parent) => {
      flush();
      const type = name === 'input' ? element.type : '';
      if (type === 'hidden') return;
      controls.push(element);
      if (buttonTypes.has(type)) {
        const text = [element.value, element.alt, element.getAttribute('aria-label'), element.title].map(clean).find(Boolean);
        if (text && type !== 'reset') add('button', text);
        return;
      }
      eventOf.set(element, events.length);
      parents.set(element, parent);
      fields.push(element);
      add('field', '');
    };

    const childrenOf = (element, name, shadow) => {
      if (name === 'slot') {
        const assigned = element.assignedNodes();
        if (assigned.length) return assigned;
      }
      return (shadow ?? element).childNodes;
    };

    /** Elements that are known to be shown, the one that comes next last; and one that is known not to be. @type {Element[]} */
    const ahead = [];
    let hidden = null;

    /**
     * Whether an element is shown. One that is shown shows all that it stands in, so that the first and inmost of a chain is asked
     * for all of it.
     */
    const isShownHere = (node, flags) => {
      if (node === ahead.at(-1)) { ahead.pop(); return true; }
      ahead.length = 0;
      let inmost = node;
      // What a slot shows stands elsewhere.
      for (let kind = flags; kind !== is.control && kind !== is.inline && ahead.length < 8;) {
        const child = dom.firstElementChild(inmost);
        if (!child || child === hidden) break;
        kind = names.get(dom.localName(child)) ?? 0;
        if (kind === is.silent) break;
        ahead.push(child);
        inmost = child;
      }
      if (inmost !== node) {
        if (dom.checkVisibility(inmost)) { ahead.reverse(); return true; }
        ahead.length = 0;
        hidden = inmost;
      }
      return isShown(node);
    };

    const visit = (node, parent, depth) => {
      if ((nodes += 1) > limits.nodes || depth > limits.depth) return;
      const own = node.localName;
      if (own === undefined) {
        if (node.nodeType !== Node.TEXT_NODE) return;
        const { data } = node;
        if (line !== '' || /\S/.test(data)) append(data);
        return;
      }
      // What is not text here is a field of a form.
      const name = typeof own === 'string' ? own : dom.localName(node);
      const role = roled.size && roled.has(node) ? dom.getAttribute(node, 'role') : null;
      const flags = names.get(name) ?? 0;
      const isInline = flags === is.inline && !role;
      if (!isInline) flush();
      if (flags === is.silent || !isShownHere(node, flags)) return;
      if (flags === is.control) { control(node, name, parent); return; }
      if (name === 'img') { if (node.alt) append(` ${node.alt}`); return; }
      const outer = level;
      const roleOf = role ? role.toLowerCase() : '';
      const meaning = flags | (roles[roleOf] ?? 0);
      if (meaning & (is.button | is.heading | is.link | is.form)) {
        level = {
          button: outer.button || Boolean(meaning & is.button), heading: outer.heading || Boolean(meaning & is.heading),
          link: outer.link || Boolean(meaning & is.link), form: flags === is.form ? node : outer.form,
        };
      }
      const start = events.length;
      const place = { element: node, parent, fields: fields.length, events: start, fieldsEnd: 0, eventsEnd: 0, isWhole: flags === is.form || name === 'body' };
      const shadow = shadowOf(node, false, name);
      if (name === 'slot' || shadow) {
        if (shadow) for (const element of shadow.querySelectorAll('[role]')) roled.add(element);
        for (const child of childrenOf(node, name, shadow)) visit(child, place, depth + 1);
      } else {
        for (let child = dom.firstChild(node); child; child = dom.nextSibling(child)) visit(child, place, depth + 1);
      }
      if (name === 'label' && node.control) labels.set(node.control, [...labels.get(node.control) ?? [], node]);
      if (!isInline) flush();
      if (meaning & is.button && events.length === start) {
        const text = clean(dom.getAttribute(node, 'aria-label') ?? (dom.getAttribute(node, 'title') || dom.getAttribute(node, 'value')));
        if (text) add('button', text);
      } else if (flags === is.heading) {
        // A heading that is one link is a heading.
        const own = events.slice(start);
        if (!own.some((event) => event.kind === 'heading')) for (const event of own) if (event.kind === 'link') event.kind = 'heading';
      }
      level = outer;
      place.fieldsEnd = fields.length;
      place.eventsEnd = events.length;
      if (place.fieldsEnd > place.fields || flags === is.form) places.set(node, place);
    };

    visit(root, null, 0);
    flush();
    return { controls, fields, events, eventOf, labels, parents, places };
  };

  // ---- What stands beside a field

  const joined = (first, second) => clean(`${first} ${second}`);
  const firstText = (events) => events.find((event) => event.kind === 'text');
  const lastText = (events) => events.findLast((event) => event.kind === 'text');

  /** The elements around a field that hold no other, the inmost first. */
  const boxesOf = (outline, field, number) => {
    const boxes = [];
    for (let place = outline.parents.get(field); place && boxes.length < 5; place = place.parent) {
      if (place.fields !== number || place.fieldsEnd !== number + 1 || place.isWhole) break;
      boxes.push(place);
    }
    return boxes;
  };

  const nearby = ({ events }, position, free, boxes) => {
    const before = lastText(events.slice(free, Math.max(free, position)).slice(-8))?.text ?? '';
    const box = boxes.find((one) => firstText(events.slice(one.events, Math.min(one.eventsEnd, one.events + 12))));
    if (!box) return before;
    const { events: start, eventsEnd: end } = box;
    const own = lastText(events.slice(start, Math.max(start, position)));
    if (own) return own.text;
    const after = firstText(events.slice(Math.min(position + 1, end), end).slice(0, 4))?.text ?? '';
    return after && before ? joined(before, after) : after || before;
  };

  /** The texts beside fields. @param {Outline} outline @param {Set<Element>} wanted @returns {Map<Element, string>} */
  const surroundings = (outline, wanted) => {
    const found = new Map();
    let free = 0;
    // What a field leaves to the next ends at most three events behind it: two fields further on it is past.
    const first = outline.fields.findIndex((field) => wanted.has(field));
    const last = outline.fields.findLastIndex((field) => wanted.has(field));
    for (let number = Math.max(0, first - 2); number <= last; number += 1) {
      const field = outline.fields[number];
      const position = outline.eventOf.get(field);
      const boxes = boxesOf(outline, field, number);
      if (wanted.has(field)) found.set(field, nearby(outline, position, free, boxes));
      // What stands in the box of one field is not said of the next.
      const end = boxes.at(-1)?.eventsEnd ?? position;
      free = Math.max(free, Math.min(end, position + 3), position + 1);
    }
    return found;
  };

  // ---- What is said of a form

  /** @param {Event[]} events @param {(control: number) => number} placeOf */
  const contextOf = (events, placeOf) => {
    const texts = { buttons: [], headings: [], links: [] };
    const places = { buttons: [], headings: [], links: [] };
    const most = { buttons: 16, headings: 8, links: 16 };
    const leads = [];
    let sawField = false;
    for (const { kind, text, control } of events) {
      if (kind === 'field') { sawField = true; continue; }
      if (kind === 'text') { if (!sawField && leads.length < 4) leads.push(text); continue; }
      const list = `${kind}s`;
      if (texts[list].length >= most[list]) continue;
      texts[list].push(text);
      places[list].push(placeOf(control));
    }
    return { ...texts, places, lead: clean(leads.join(' ')) };
  };

  /**
   * What the events in a form say of it, or those outside of all forms.
   * @param {Outline} outline @param {Element | null} form @param {(control: number) => number} placeOf
   */
  const context = (outline, form, placeOf) => {
    const place = form && outline.places.get(form);
    /** @type {Map<Element, boolean>} */ const known = new Map();
    const holds = (one) => {
      if (!known.has(one)) { const own = outline.places.get(one); known.set(one, Boolean(own && own.fieldsEnd > own.fields)); }
      return known.get(one);
    };
    // A parser may have closed a form around nothing; what it asks for stands behind it.
    if (!form || !place || !holds(form)) {
      return contextOf(outline.events.filter((event) => !event.form || !holds(event.form)), placeOf);
    }
    const own = contextOf(outline.events.slice(place.events, place.eventsEnd), placeOf);
    if (own.headings.length === 0) {
      const above = outline.events.slice(Math.max(0, place.events - 12), place.events).reverse();
      const heading = above.find(({ kind }) => kind === 'heading' || kind === 'field');
      if (heading?.kind === 'heading') {
        own.headings.push(heading.text);
        own.places.headings.push(placeOf(heading.control));
      }
    }
    return own;
  };

  // ---- What the content script asks

  /**
   * What the page shows, or where that is more than is looked at, what is around a field.
   * @param {HTMLInputElement | null} focused
   */
  const around = (focused) => {
    const whole = read(dom.body(document) ?? dom.documentElement(document));
    if (!focused || whole.eventOf.has(focused)) return whole;
    let root = formOf(focused) ?? focused;
    for (let depth = 0; depth < 6 && root === focused; depth += 1) root = parentOf(root) ?? root;
    return read(root);
  };

  /**
   * Those of a page's controls that are described: all, or the nearest that a person types into.
   * @param {Element[]} controls @param {HTMLInputElement | null} focused
   */
  const nearest = (controls, focused) => {
    if (controls.length <= most) return controls;
    const form = focused && formOf(focused);
    const typed = controls.filter((control) => isField(control) || (form && formOf(control) === form));
    const place = focused ? typed.indexOf(focused) : typed.findIndex((control) => control.type === 'password');
    const start = Math.max(0, Math.min(place - most / 2, typed.length - most));
    return typed.slice(start, start + most);
  };

  const bytesOf = (value) => new TextEncoder().encode(JSON.stringify(value)).length;

  /**
   * A description that is not longer than what can be told at once: what is said around forms is left out, of the last ones first.
   * @param {{forms: object[]}} description @param {number} own the form that the user is at
   */
  const shorten = (description, own) => {
    let bytes = bytesOf(description);
    for (let index = description.forms.length - 1; index >= 0 && bytes > limits.bytes; index -= 1) {
      if (index === own) continue;
      const { name, id, class: classes, method, action } = description.forms[index];
      const short = { name, id, class: classes, method, action };
      bytes -= bytesOf(description.forms[index]) - bytesOf(short);
      description.forms[index] = short;
    }
    return description;
  };

  /** What gives the context of a form. @param {Outline} outline @param {Set<Element>} described the controls that are described */
  const contexts = (outline, described) => {
    // Texts stand before so many of the fields that are described.
    const before = [0];
    for (const control of outline.controls) before.push(before.at(-1) + (described.has(control) ? 1 : 0));
    return (form) => context(outline, form, (control) => before[control]);
  };

  page.shorten = shorten;
  page.outline = (focused) => {
    const outline = around(focused);
    return {
      controls: nearest(outline.controls, focused), labels: outline.labels, surroundings: (wanted) => surroundings(outline, wanted),
      contexts: (described) => contexts(outline, described),
    };
  };
  return true;
})();

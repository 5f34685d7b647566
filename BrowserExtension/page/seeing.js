// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Decides which fields the user is known to see. Fields that are not known to be seen are filled only after a question outside
 * the page, which names them. It comes into a document with the bar; a second time it does nothing.
 *
 * The browser's own word comes first: an IntersectionObserver with visibility counts anything over a field, be it transparent to
 * clicks. It does not know masks, colours and sizes, so these are looked at here. It also counts labels and small signs that lie
 * in many fields, so what lies there is gone through before a field counts as covered.
 */
'use strict';

(() => {
  const page = globalThis.latchkeyPage;
  if (!page || page.survey) return Boolean(page);
  const { described, dom, isEditable, isField, isVisible, parentOf, shadowOf } = page;

  /** How long the browser's word is waited for, in milliseconds. */
  const patience = 250;
  /** How long a verdict is good for a fill, in milliseconds. */
  const lasting = 300;
  const limits = { elements: 20_000, around: 6 };
  /** How long the page's thread is kept at a time, in milliseconds: a page may have thousands of elements. */
  const share = 12;
  /** The least contrast, as WCAG 2.2 counts it: of an edge or a ground, and of text. */
  const least = { edge: 1.05, text: 1.3 };

  // ---- Colours

  /** @typedef {[number, number, number, number]} Colour red, green and blue to 255, and alpha to 1 */
  /** @type {Map<string, Colour>} */ const read = new Map();
  /** @type {CanvasRenderingContext2D | null | undefined} */ let canvas;

  /** @param {string} text @returns {Colour} */
  const colour = (text) => {
    const known = read.get(text);
    if (known) return known;
    const plain = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/.exec(text);
    let found = plain && [Number(plain[1]), Number(plain[2]), Number(plain[3]), Number(plain[4] ?? 1)];
    if (!found) {
      canvas ??= /** @type {any} */ (new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true }));
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = '#0000';
      canvas.fillStyle = text;
      canvas.fillRect(0, 0, 1, 1);
      const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
      found = [red, green, blue, alpha / 255];
    }
    if (read.size > 200) read.clear();
    read.set(text, /** @type {Colour} */ (found));
    return /** @type {Colour} */ (found);
  };

  /** One colour over another. @param {Colour} top @param {Colour} below @returns {Colour} */
  const over = (top, below) => /** @type {Colour} */ ([0, 1, 2].map((index) => top[index] * top[3] + below[index] * (1 - top[3])).concat(1));

  const luminance = ([red, green, blue]) => {
    const linear = (value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
  };

  /** The contrast of a colour with each ground that may be below it: the least. @param {Colour} top @param {Colour[]} grounds */
  const contrast = (top, grounds) => Math.min(...grounds.map((ground) => {
    const [one, other] = [luminance(over(top, ground)), luminance(ground)];
    return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  }));

  const colours = (text) => (text.match(/(?:rgba?|hsla?|color|color-mix|lab|lch|oklab|oklch)\([^()]*\)|#[\da-f]{3,8}\b|\btransparent\b/gi) ?? []).map(colour);

  /** What an element paints below all else of it, by its style; null where nobody can say. @returns {Colour[] | null} */
  const paint = (style) => {
    const ground = colour(style.backgroundColor);
    // A ground for the letters or the inner box alone is not what is around them.
    if ((ground[3] > 0 || style.backgroundImage !== 'none') && !/^(border|padding)-box(, (border|padding)-box)*$/.test(style.backgroundClip)) return null;
    if (style.backgroundImage === 'none') return ground[3] > 0 ? [ground] : [];
    const stops = colours(style.backgroundImage);
    // A small picture, such as a sign in the corner of a field, says nothing of the ground.
    const sizes = style.backgroundSize.split(/[ ,]+/);
    const isSmall = /^no-repeat(, no-repeat)*$/.test(style.backgroundRepeat) && sizes.every((size) => /^[\d.]+px$/.test(size) && parseFloat(size) <= 48);
    if (isSmall) return ground[3] > 0 ? [ground] : [];
    if (/url\(|image\(|element\(|paint\(/.test(style.backgroundImage) || stops.length === 0) return null;
    // Which of several is seen, and whether one that is moved or made small is seen at all, nobody can say.
    const isWhole = sizes.every((size) => /^(auto|cover|100%)$/.test(size)) && /^[\d.]+%( [\d.]+%)?$|^0px 0px$/.test(style.backgroundPosition);
    if (style.backgroundRepeat.includes(',') || !isWhole) return null;
    return stops.map((stop) => (ground[3] > 0 ? over(stop, ground) : stop));
  };

  const contains = (outer, inner) => outer.left <= inner.left + 1 && outer.top <= inner.top + 1 && outer.right >= inner.right - 1 && outer.bottom >= inner.bottom - 1;

  /** The colours that may be below an element, its own left out; null where nobody can say. @returns {Colour[] | null} */
  const groundOf = (element) => {
    const box = dom.getBoundingClientRect(element);
    /** @type {Colour[][]} */ const layers = [];
    for (let node = parentOf(element); node; node = parentOf(node)) {
      const isRoot = node === dom.documentElement(document) || node === dom.body(document);
      // An element that does not reach as far as the field, or is laid out elsewhere, is not what is below it.
      if (!isRoot && !contains(dom.getBoundingClientRect(node), box)) continue;
      const painted = paint(getComputedStyle(node));
      if (!painted) return null;
      if (painted.length) layers.push(painted);
      if (painted.length && painted.every(([, , , alpha]) => alpha === 1)) break;
    }
    const isDark = /dark/.test(getComputedStyle(dom.documentElement(document)).colorScheme) && matchMedia('(prefers-color-scheme: dark)').matches;
    /** @type {Colour[]} */ let found = [isDark ? [18, 18, 18, 1] : [255, 255, 255, 1]];
    for (const layer of layers.reverse()) found = layer.flatMap((top) => found.map((below) => over(top, below))).slice(0, 16);
    return found;
  };

  // ---- What a field looks like

  const lengths = (text) => [...text.matchAll(/-?[\d.]+px/g)].map(([length]) => parseFloat(length));
  const shadows = (text) => (text === 'none' ? [] : text.split(/,(?![^(]*\))/));

  /** Whether what an element draws outside its box is cut off by what is around it. */
  const isCut = (element) => {
    const { left, top, right, bottom } = dom.getBoundingClientRect(element);
    const outer = { left: left - 2, top: top - 2, right: right + 2, bottom: bottom + 2 };
    for (let node = parentOf(element); node; node = parentOf(node)) {
      const style = getComputedStyle(node);
      const cuts = !/^visible( visible)?$/.test(style.overflow) || /paint|strict|content/.test(style.contain) || style.contentVisibility === 'auto';
      if (cuts && !contains(dom.getBoundingClientRect(node), outer)) return true;
    }
    return false;
  };

  /** Whether a shadow can be seen beside what it is of, as far as its lengths tell. @param {string} shadow */
  const isDrawn = (shadow) => {
    const [across = 0, down = 0, blur = 0, spread = 0] = lengths(shadow);
    const far = Math.max(Math.abs(across), Math.abs(down));
    return far <= 40 && far + blur + spread >= 1 && spread > -far - blur;
  };

  /**
   * Whether an element's edge, shadow or ground stands out: only what no other property of it takes back.
   * @param {Colour[]} grounds @param {Element} element the one that has the style, itself or as a pseudo-element
   */
  const standsOut = (style, grounds, element) => {
    const edges = style.borderImageSource === 'none' && ['Top', 'Right', 'Bottom', 'Left'].some((side) => !/none|hidden/.test(style[`border${side}Style`])
      && parseFloat(style[`border${side}Width`]) >= 0.5 && contrast(colour(style[`border${side}Color`]), grounds) >= least.edge);
    if (edges) return true;
    const inwards = shadows(style.boxShadow).filter((one) => /inset/.test(one));
    // What is drawn inwards may lie over all of the ground.
    const painted = inwards.some((one) => lengths(one).reduce((most, length) => Math.max(most, Math.abs(length)), 0) > 6) ? null : paint(style);
    if (painted?.some((own) => contrast(own, grounds) >= least.edge)) return true;
    const isShade = (one) => isDrawn(one) && colours(one).some((shade) => contrast(shade, grounds) >= least.edge);
    if (inwards.some(isShade)) return true;
    const hasOutline = !/none|hidden/.test(style.outlineStyle) && parseFloat(style.outlineWidth) >= 0.5 && Math.abs(parseFloat(style.outlineOffset)) <= 8
      && contrast(colour(style.outlineColor), grounds) >= least.edge;
    return (hasOutline || shadows(style.boxShadow).some((one) => !/inset/.test(one) && isShade(one))) && !isCut(element);
  };

  /** Whether a field says by a hint what it asks for. @param {DOMRect} box @param {Colour[]} grounds */
  const isHinting = (field, box, grounds) => {
    if (!/[\p{L}\p{N}].*[\p{L}\p{N}]/u.test(field.placeholder ?? '')) return false;
    const hint = getComputedStyle(field, '::placeholder');
    const isInPlace = Math.abs(parseFloat(hint.textIndent)) <= box.width / 4 && !(Math.abs(parseFloat(hint.letterSpacing)) > 8) && !(Math.abs(parseFloat(hint.wordSpacing)) > 8);
    return isInPlace && hint.display !== 'none' && hint.visibility === 'visible' && Number(hint.opacity) > 0.3 && parseFloat(hint.fontSize) >= 7
      && contrast(colour(hint.webkitTextFillColor || hint.color), grounds) >= least.text;
  };

  /** Whether a pseudo-element is drawn at a field, as far as can be said where it is. @param {DOMRect} box */
  const isBeside = (node, look, box) => {
    const isPlain = look.visibility === 'visible' && Number(look.opacity) >= 0.5 && /^(none|matrix\(1, 0, 0, 1, 0, 0\))$/.test(look.transform)
      && look.filter === 'none' && look.clipPath === 'none' && (look.maskImage || 'none') === 'none' && look.mixBlendMode === 'normal';
    if (!isPlain || /^(fixed|sticky)$/.test(look.position)) return false;
    if (look.position !== 'absolute') return true;
    const around = dom.getBoundingClientRect(node);
    const [left, top, width, height] = [look.left, look.top, look.width, look.height].map(parseFloat);
    if (getComputedStyle(node).position === 'static' || ![left, top, width, height].every(Number.isFinite)) return false;
    const edges = ['Top', 'Bottom'].map((side) => parseFloat(look[`border${side}Width`]));
    const place = { left: around.left + left, top: around.top + top, right: around.left + left + width, bottom: around.top + top + height + edges[0] + edges[1] };
    return overlap({ left: place.left, top: place.top - 4, right: place.right, bottom: place.bottom + 4 }, box) > 0;
  };

  /** Whether people can see that there is a field: itself, what it asks for, or what is drawn around it alone. */
  const isDiscernible = (field, style, box, grounds) => {
    if (standsOut(style, grounds, field)) return true;
    if (!field.value && isHinting(field, box, grounds)) return true;
    let node = parentOf(field);
    for (let count = 0; node && count < limits.around; node = parentOf(node), count += 1) {
      const around = dom.getBoundingClientRect(node);
      if (around.height > Math.max(3.5 * box.height, 110) || !contains(around, { ...box.toJSON(), top: box.top + 2, bottom: box.bottom - 2 })) break;
      const others = [...dom.querySelectorAll(node, 'input')].filter((one) => one !== field && isField(one) && isVisible(one));
      if (others.length && field.maxLength !== 1) break;
      const grounds = groundOf(node);
      if (!grounds) continue;
      for (const pseudo of [null, '::before', '::after']) {
        const look = getComputedStyle(node, pseudo);
        if (pseudo && /^(none|normal)$/.test(look.content)) continue;
        if (pseudo ? isBeside(node, look, box) && standsOut(look, grounds, node) : standsOut(look, grounds, node)) return true;
      }
      for (const one of [...dom.querySelectorAll(node, 'fieldset, div, span, label, i')].slice(0, 24)) {
        if (one === field || !dom.checkVisibility(one, { visibilityProperty: true }) || overlap(dom.getBoundingClientRect(one), box) === 0) continue;
        if (effect(one) === '' && standsOut(getComputedStyle(one), grounds, one)) return true;
      }
    }
    return false;
  };

  /** What hides an element by its own style or that of one around it; empty where nothing does. */
  const effect = (field) => {
    let opacity = 1;
    for (let node = field; node; node = parentOf(node)) {
      const style = getComputedStyle(node);
      opacity *= Number(style.opacity);
      if (opacity < 0.5) return 'transparent';
      if ([style.maskImage, style.webkitMaskBoxImageSource].some((image) => (image || 'none') !== 'none') || (style.clipPath || 'none') !== 'none' || !/^(auto|rect\(auto.*)?$/.test(style.clip || 'auto')) return 'clipped';
      if (style.filter !== 'none' || style.mixBlendMode !== 'normal') return 'altered';
      const [, values] = /^matrix\((.*)\)$/.exec(style.transform) ?? [];
      const [across, skew, lean, down] = (values ?? '1,0,0,1').split(',').map(Number);
      if (/** @type {any} */ (node).currentCSSZoom < 0.6) return 'distorted';
      if ((style.transform !== 'none' && !values) || skew || lean || across < 0.6 || across > 2 || down < 0.6 || down > 2) return 'distorted';
      if (!/^none$/.test(style.rotate || 'none') || !/^none$/.test(style.scale || 'none')) return 'distorted';
    }
    return '';
  };

  /** What is wrong with the size and the colours of a field; empty where nothing is. @param {Element[] | null} all every element */
  const look = async (field, all) => {
    const style = getComputedStyle(field);
    const box = dom.getBoundingClientRect(field);
    const inner = {
      width: box.width - ['paddingLeft', 'paddingRight', 'borderLeftWidth', 'borderRightWidth'].reduce((sum, name) => sum + parseFloat(style[name]), 0),
      height: box.height - ['paddingTop', 'paddingBottom', 'borderTopWidth', 'borderBottomWidth'].reduce((sum, name) => sum + parseFloat(style[name]), 0),
    };
    const isBox = field.maxLength === 1;
    if (box.width < (isBox ? 12 : 40) || box.height < 12 || inner.width < 8 || inner.height < 6) return 'small';
    if (parseFloat(style.fontSize) < 7 || Math.abs(parseFloat(style.textIndent)) > inner.width / 2) return 'small';
    const behind = groundOf(field);
    const own = paint(style);
    const isOpaque = own?.length && own.every(([, , , alpha]) => alpha === 1);
    if (!own || (!behind && !isOpaque)) return 'colours';
    /** @type {Colour[]} */ const grounds = behind && own.length ? own.flatMap((top) => behind.map((below) => over(top, below))) : own.length ? own : behind ?? [];
    if (contrast(colour(style.webkitTextFillColor || style.color), grounds) < least.text) return 'colours';
    // On a ground that nobody knows a field of one colour stands out, or has an edge of its own.
    if (behind ? !isDiscernible(field, style, box, behind) : !standsOut(style, own, field)) return 'nothing to see';
    // What is below a transparent field need not be what is around it.
    return isOpaque ? '' : litter(field, box, grounds, all, false);
  };

  // ---- What lies in the place of a field

  const overlap = (one, other) => Math.max(0, Math.min(one.right, other.right) - Math.max(one.left, other.left))
    * Math.max(0, Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top));

  const drawn = new Set('img svg canvas video iframe object embed input select textarea button progress meter audio picture math'.split(' '));

  let sharedUntil = 0;
  /** Whether the page has to have its thread back before more is looked at. */
  const isLong = () => performance.now() > sharedUntil;
  /** Lets the page go on, and begins the next share of its thread. */
  const yieldThread = async () => {
    const { scheduler } = /** @type {any} */ (globalThis);
    await (scheduler?.yield ? scheduler.yield() : new Promise((resolve) => { setTimeout(resolve); }));
    sharedUntil = performance.now() + share;
  };

  /** Every element with the shadow roots; null where they are too many. @returns {Promise<Element[] | null>} */
  const elements = async () => {
    const found = [];
    const roots = [dom.documentElement(document)];
    for (let root = roots.shift(); root; root = roots.shift()) {
      for (const one of dom.querySelectorAll(root, '*')) {
        found.push(one);
        if (found.length > limits.elements) return null;
        if (isLong()) await yieldThread();
        const inner = shadowOf(one, true);
        for (const child of inner?.children ?? []) { found.push(child); roots.push(child); }
      }
    }
    return found;
  };

  const sum = (numbers) => numbers.reduce((all, one) => all + Math.abs(one), 0);

  /**
   * How far outside its box an element draws, in pixels: the browser's word on what covers a field leaves that out. A shadow that
   * lets most of what is below it through is none.
   * @param {CSSStyleDeclaration & Record<string, any>} style
   */
  const reachOf = (style) => {
    let far = 0;
    for (const name of ['boxShadow', 'textShadow']) {
      // One shadow begins where a colour does.
      for (const one of shadows(style[name])) {
        if (!/inset/.test(one) && colours(one).some(([, , , alpha]) => alpha >= 0.5)) far = Math.max(far, sum(lengths(one)));
      }
    }
    if (!/none|hidden/.test(style.outlineStyle)) far = Math.max(far, sum(lengths(`${style.outlineWidth} ${style.outlineOffset}`)));
    if (/url\(/.test(style.filter) || (style.webkitBoxReflect || 'none') !== 'none') far = Infinity;
    else if (/drop-shadow/.test(style.filter)) far = Math.max(far, sum(lengths(style.filter)));
    if (style.borderImageSource !== 'none') far = Math.max(far, 50 * sum((style.borderImageOutset.match(/[\d.]+/g) ?? []).map(Number)));
    far = Math.max(far, parseFloat(style.webkitTextStrokeWidth) || 0);
    const letters = parseFloat(style.fontSize);
    return letters > 60 ? Math.max(far, letters) : far;
  };

  /** Whether what an element draws outside its box lies over much of a field. @param {DOMRect} box */
  const reaches = (place, style, box) => {
    const far = reachOf(style);
    if (!(far > 6)) return false;
    const { left, top, right, bottom } = place;
    return overlap({ left: left - far, top: top - far, right: right + far, bottom: bottom + far }, box) > 0.25 * box.width * box.height;
  };

  /**
   * The fields over which something draws from afar.
   * @param {HTMLInputElement[]} fields @param {Element[] | null} all
   */
  const overdrawn = async (fields, all) => {
    /** @type {Set<HTMLInputElement>} */ const found = new Set();
    if (!all) return new Set(fields);
    const boxes = fields.map((field) => ({ field, box: dom.getBoundingClientRect(field) }));
    for (const one of all) {
      if (isLong()) await yieldThread();
      if (page.isOwn?.(one)) continue;
      const style = getComputedStyle(one);
      if (style.display === 'none' || style.visibility !== 'visible') continue;
      for (const pseudo of ['', '::before', '::after']) {
        const look = pseudo ? getComputedStyle(one, pseudo) : style;
        if (pseudo && /^(none|normal)$/.test(look.content)) continue;
        if (!(reachOf(look) > 6)) continue;
        for (const { field, box } of boxes) {
          // Its own lies around it, and that of what is around it behind it; an outline is drawn last of all.
          const isAround = !pseudo && (one === field || dom.contains(one, field));
          if (isAround && !(parseFloat(look.outlineWidth) > 6 && !/none|hidden/.test(look.outlineStyle))) continue;
          // Where a pseudo-element is nobody can say.
          if (one !== field && (pseudo || reaches(dom.getBoundingClientRect(one), look, box))) found.add(field);
        }
      }
    }
    return found;
  };

  const hasText = (element) => [...dom.childNodes(element)].some((node) => node instanceof Text && node.data.trim());

  /**
   * What lies over or under a field that is more than a label or a small sign; empty where nothing is. Labels are text that can
   * be read on the field's ground; small signs leave most of it free.
   * @param {Element[] | null} all every element
   * @param {boolean} isOver whether it is asked what lies over it: then styles of pseudo-elements and shadows count everywhere
   */
  const litter = async (field, box, grounds, all, isOver) => {
    if (!all) return 'too large';
    const area = box.width * box.height;
    let signs = 0;
    const above = new Set();
    for (let node = field; node; node = parentOf(node)) above.add(node);
    for (const one of all) {
      if (isLong()) await yieldThread();
      if (page.isOwn?.(one)) continue;
      const isAround = above.has(one);
      const place = dom.getBoundingClientRect(one);
      const shared = overlap(place, box);
      if (isOver && dom.checkVisibility(one, { opacityProperty: true, visibilityProperty: true })) {
        for (const pseudo of ['::before', '::after']) {
          const style = getComputedStyle(one, pseudo);
          if (/^(none|normal)$/.test(style.content) || !(shared || isAround || /absolute|fixed/.test(style.position))) continue;
          const painted = paint(style);
          const isPlain = painted?.length === 0 && style.boxShadow === 'none' && (style.backdropFilter || 'none') === 'none';
          if (!isPlain && parseFloat(style.width) * parseFloat(style.height) > area / 4) return 'covered';
          if (!isPlain && !(parseFloat(style.width) >= 0 && parseFloat(style.height) >= 0)) return 'covered';
        }
      }
      if (isAround || shared === 0) continue;
      const style = getComputedStyle(one);
      if (style.visibility !== 'visible' || Number(style.opacity) === 0) continue;
      const painted = paint(style);
      if ((style.backdropFilter || 'none') !== 'none' || style.mixBlendMode !== 'normal' || style.filter !== 'none') return 'covered';
      const edge = Math.max(...['Top', 'Right', 'Bottom', 'Left'].map((side) => parseFloat(style[`border${side}Width`])));
      const isPicture = drawn.has(dom.localName(one)) || painted === null || painted.length > 0 || style.boxShadow !== 'none' || edge > 4;
      if (isPicture) signs += shared;
      else if (hasText(one) && contrast(colour(style.webkitTextFillColor || style.color), grounds) < least.text) return 'covered';
      if (signs > 0.4 * area) return 'covered';
    }
    return '';
  };

  // ---- The decision

  const statesVisibility = chrome.runtime.getURL('').startsWith('chrome-extension:');

  /** @typedef {{reason: string, at: number}} Verdict empty where the field is known to be seen */
  /** @type {WeakMap<Element, Verdict>} */ const verdicts = new WeakMap();

  /** What the browser says of elements, which it computes with the next frame. @param {Element[]} wanted */
  const observe = (wanted) => new Promise((resolve) => {
    /** @type {Map<Element, IntersectionObserverEntry>} */ const found = new Map();
    const finish = () => { observer.disconnect(); clearTimeout(timer); resolve(found); };
    const isSeen = (entry) => entry && (/** @type {any} */ (entry).isVisible || entry.intersectionRatio < 0.5);
    const observer = new IntersectionObserver((list) => {
      for (const entry of list) found.set(entry.target, entry);
      // What covers a frame from outside is known a little later.
      if (found.size === wanted.length && (window === top || wanted.every((one) => isSeen(found.get(one))))) finish();
    }, /** @type {any} */ ({ trackVisibility: true, delay: 100, threshold: [0, 0.5] }));
    const timer = setTimeout(finish, patience);
    for (const one of wanted) observer.observe(one);
    if (wanted.length === 0) finish();
  });

  /** @param {HTMLInputElement} field @param {any} entry what the browser says @param {Element[] | null} all every element */
  const judge = async (field, entry, all) => {
    if (!entry) return 'no answer';
    // Firefox does not say what covers an element. No field is known to be seen there.
    if (!statesVisibility) return 'not stated';
    if (!isVisible(field)) return 'hidden';
    if (entry.intersectionRatio < 0.5) return 'out of sight';
    const own = effect(field) || await look(field, all);
    if (own || entry.isVisible) return own;
    if (window !== top) return 'covered';
    const grounds = groundOf(field);
    const painted = paint(getComputedStyle(field));
    const below = grounds && painted?.length ? painted.flatMap((over1) => grounds.map((ground) => over(over1, ground))) : grounds ?? painted ?? [];
    return below.length ? litter(field, dom.getBoundingClientRect(field), below, all, true) : 'covered';
  };

  /**
   * What is wrong with each field, except for what is drawn over it from afar, which takes longest.
   * @param {HTMLInputElement[]} fields
   */
  const judgeNear = async (fields) => {
    const entries = await observe(fields);
    sharedUntil = performance.now() + share;
    const all = await elements();
    /** @type {Map<HTMLInputElement, string>} */ const found = new Map();
    for (const field of fields) found.set(field, await judge(field, entries.get(field), all));
    return { found, all };
  };

  /** Finds out which fields are seen. @param {HTMLInputElement[]} fields @returns {Promise<Map<HTMLInputElement, string>>} what is wrong with each */
  const judgeAll = async (fields) => {
    const { found, all } = await judgeNear(fields);
    for (const field of await overdrawn(fields, all)) found.set(field, 'covered');
    for (const [field, reason] of found) verdicts.set(field, { reason, at: performance.now() });
    return found;
  };

  /** The element of a reference, or the one that the page has put into its place. */
  const fieldOf = (ref) => {
    const known = described.get(ref)?.element.deref();
    return known?.isConnected ? known : page.find?.(ref, (field) => isField(field) && isEditable(field)) ?? null;
  };

  /** What was wrong with each field before the bar was drawn, by the field's reference. @type {Map<number, string>} */
  let before = new Map();
  /** The slow part of that survey. It goes on while the bar is shown, since the bar does not change it. */
  let surveying = Promise.resolve();

  /** Looks before the bar is drawn, and leaves the slow part for later. @param {number[]} refs */
  const survey = async (refs) => {
    const fields = new Map(refs.map((ref) => [ref, fieldOf(ref)]).filter(([, field]) => field));
    const { found, all } = await judgeNear([...fields.values()]);
    const mine = new Map([...fields].map(([ref, field]) => [ref, found.get(field) ?? 'gone']));
    before = mine;
    surveying = overdrawn([...fields.values()], all).then((distant) => {
      for (const [ref, field] of fields) if (distant.has(field)) mine.set(ref, 'covered');
    }, () => { for (const ref of refs) mine.set(ref, 'no answer'); });
  };

  /**
   * The fields that the user is known to see at the moment of a choice, and whether any is laid out. The bar lies over
   * some of them and is taken away for that.
   * @param {number[]} refs
   */
  const sight = async (refs) => {
    const began = performance.now();
    const wasShown = page.withdrawBar?.() ?? false;
    const fields = new Map(refs.map((ref) => [ref, fieldOf(ref)]).filter(([, field]) => field));
    const [found] = await Promise.all([judgeAll([...fields.values()]), surveying]);
    const reason = (ref) => found.get(fields.get(ref)) ?? 'gone';
    // What was wrong before the bar was drawn counts though the page may have closed the bar since.
    const earlier = (ref) => before.get(ref) ?? (wasShown ? 'not looked at' : '');
    const all = refs.map((ref) => ({ ref, reason: reason(ref) || earlier(ref) }));
    return {
      seen: all.filter(({ reason }) => reason === '').map(({ ref }) => ref),
      isThere: [...fields.values()].some((field) => dom.checkVisibility(field)),
      reasons: all.map(({ reason }) => reason),
      took: performance.now() - began,
    };
  };

  /** Whether a field is seen as it is about to be filled. @param {HTMLInputElement} field */
  const isSeen = async (field) => {
    const known = verdicts.get(field);
    if (known && performance.now() - known.at < lasting) return known.reason === '';
    return (await judgeAll([field])).get(field) === '';
  };

  chrome.runtime.onMessage.addListener((message, sender, respond) => {
    if (sender.id !== chrome.runtime.id || sender.tab || message?.type !== 'sight' || !Array.isArray(message.refs)) return false;
    sight(message.refs.map(Number)).then(respond, () => respond(null));
    return true;
  });

  page.join('seeing', { survey, isSeen });
  return true;
})();

// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Decides which fields the user is known to see. Fields that are not known to be seen are filled only after a question outside
 * the page, which names them. It comes into a document right after offering.js; a second time it does nothing.
 *
 * The browser's own word comes first: an IntersectionObserver with visibility counts anything over a field, be it transparent to
 * clicks. It does not know masks, colours and sizes, so these are looked at here. It also counts labels and small signs that lie
 * in many fields, so what lies there is gone through before a field counts as covered.
 */
'use strict';

(() => {
  /** @type {LatchkeyPage} */ const page = globalThis.latchkeyPage;
  if (!page || page.survey) return Boolean(page);
  const { described, dom, isEditable, isField, isHere, isVisible, parentOf, shadowOf } = page;
  const { colour, colours, contains, contrast, groundOf, isBlur, over, paint, parts } = page.colours;

  /** Those of a document, whatever in it is called like a property of it. */
  const buttonsIn = (/** @type {Document} */ root) => dom.querySelectorAll(dom.documentElement(root), '[formaction]');

  /** The document's own hit test, whatever in it is called like it. */
  const hitInDocument = Document.prototype.elementFromPoint.bind(document);

  /** How long the browser's word is waited for, in milliseconds; and, in a frame, how long after that what covers the frame from outside. */
  const silence = 900;
  const patience = 250;
  /** How long a verdict is good for a fill, in milliseconds. */
  const lasting = 300;
  const limits = { elements: 20_000, around: 6, near: 120 };
  /** How long the page's thread is kept at a time, in milliseconds: a page may have thousands of elements. */
  const share = 12;
  /** The least contrast, as WCAG 2.2 counts it: of an edge or a ground, and of text. */
  const least = { edge: 1.05, hair: 1.1, text: 1.3 };

  /** @typedef {[number, number, number, number]} Colour red, green and blue to 255, and alpha to 1 */
  /** @typedef {{left: number, top: number, right: number, bottom: number}} Place */
  /** @typedef {{one: Element, place: Place, isBeneath: boolean}} Near something drawn near a field */
  /** @typedef {{sides: Set<string>, covers: Place[], near: Near[]}} Sight */

  /** Whether the browser says what covers an element. Firefox does not, so no field is known to be seen there. */
  const statesVisibility = chrome.runtime.getURL('').startsWith('chrome-extension:');
  /** What is wrong with a field where nothing was found to be. */
  const unstated = 'not stated';

  // ---- What a field looks like

  const lengths = (text) => [...text.matchAll(/-?[\d.]+px/g)].map(([length]) => parseFloat(length));
  const shadows = (text) => (text === 'none' ? [] : parts(text));
  const isLine = (kind) => !/none|hidden/.test(kind);
  const grown = ({ left, top, right, bottom }, by) => ({ left: left - by, top: top - by, right: right + by, bottom: bottom + by });
  const overlap = (one, other) => Math.max(0, Math.min(one.right, other.right) - Math.max(one.left, other.left))
    * Math.max(0, Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top));

  /** What is seen of the place of an element that is clipped by those around it. */
  const clipOf = (element) => {
    let clip = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    let { position } = getComputedStyle(element);
    for (let node = parentOf(element); node && position !== 'fixed'; node = parentOf(node)) {
      const style = getComputedStyle(node);
      if (position === 'absolute' && style.position === 'static' && style.transform === 'none') continue;
      position = style.position;
      // What `html` and `body` clip they clip at the window.
      if (node === dom.documentElement(document) || (node === dom.body(document) && getComputedStyle(dom.documentElement(document)).overflow === 'visible')) continue;
      if (/^visible( visible)?$/.test(style.overflow) && !/paint|strict|content/.test(style.contain) && style.contentVisibility !== 'auto') continue;
      const { left, top, right, bottom } = dom.getBoundingClientRect(node);
      clip = { left: Math.max(clip.left, left), top: Math.max(clip.top, top), right: Math.min(clip.right, right), bottom: Math.min(clip.bottom, bottom) };
    }
    return clip;
  };

  /**
   * The sides of a place of which most is seen: not clipped, and not below something.
   * @param {Place} place @param {Place} clip @param {Place[]} covers @returns {Set<string>}
   */
  const sidesOf = ({ left, top, right, bottom }, clip, covers) => {
    const strips = {
      Top: { left, right, top, bottom: top + 2 }, Bottom: { left, right, top: bottom - 2, bottom },
      Left: { top, bottom, left, right: left + 2 }, Right: { top, bottom, left: right - 2, right },
    };
    const isFree = (strip) => {
      const area = (strip.right - strip.left) * (strip.bottom - strip.top);
      return covers.reduce((all, cover) => all + overlap(strip, cover), 0) <= 0.5 * area;
    };
    return new Set(Object.keys(strips).filter((side) => {
      const line = strips[side];
      const isCut = side === 'Top' ? line.top < clip.top - 0.5 : side === 'Bottom' ? line.bottom > clip.bottom + 0.5
        : side === 'Left' ? line.left < clip.left - 0.5 : line.right > clip.right + 0.5;
      return !isCut && isFree(line);
    }));
  };

  /** Whether sides show that there is a field: a line below it, or two that face each other. @param {Set<string>} sides */
  const isFrame = (sides) => sides.has('Bottom') || (sides.has('Left') && sides.has('Right'));

  /** The sides at which a shadow is seen, as far as its lengths tell. @param {string} shadow @returns {string[]} */
  const shadowSides = (shadow) => {
    const [across = 0, down = 0, blur = 0, spread = 0] = lengths(shadow);
    const far = Math.max(Math.abs(across), Math.abs(down));
    const away = /inset/.test(shadow) ? -1 : 1;
    if (far > 40 || far + blur + spread < 1) return [];
    return [['Bottom', down], ['Top', -down], ['Right', across], ['Left', -across]]
      .filter(([, by]) => Number(by) * away + spread + blur / 2 >= 0.5).map(([side]) => String(side));
  };

  /**
   * Whether an element's edge, shadow or ground stands out: only what no other property of it takes back.
   * @param {Colour[]} grounds @param {Set<string>} sides those that are seen
   * @param {boolean} [isCut] whether what it draws outside its box may be cut off
   */
  const standsOut = (style, grounds, sides, isCut = false) => {
    const stands = (shade, width) => contrast([shade], grounds) >= (width < 1.5 ? least.hair : least.edge);
    const isSeenAt = (found) => isFrame(new Set(found.filter((side) => sides.has(side))));
    const outline = isLine(style.outlineStyle) && parseFloat(style.outlineWidth) >= 0.5 ? parseFloat(style.outlineOffset) : NaN;
    if (Math.abs(outline) <= 8 && isSeenAt(outline < 0 || !isCut ? ['Bottom', 'Left', 'Right'] : []) && stands(colour(style.outlineColor), parseFloat(style.outlineWidth))) return true;
    // An outline that is drawn inwards lies over all other edges.
    const isOutlined = outline < 0 && colour(style.outlineColor)[3] > 0;
    if (!isOutlined && style.borderImageSource === 'none' && isSeenAt(['Top', 'Right', 'Bottom', 'Left'].filter((side) => {
      const width = parseFloat(style[`border${side}Width`]);
      return isLine(style[`border${side}Style`]) && width >= 0.5 && stands(colour(style[`border${side}Color`]), width);
    }))) return true;
    const drawn = shadows(style.boxShadow).filter((one) => colours(one).some(([, , , alpha]) => alpha > 0) && lengths(one).some((length) => length !== 0));
    const inwards = drawn.filter((one) => /inset/.test(one));
    // What is drawn inwards may lie over all of the ground.
    const painted = isOutlined || inwards.some((one) => lengths(one).reduce((most, length) => Math.max(most, Math.abs(length)), 0) > 6) ? null : paint(style);
    if (painted?.length && contrast(painted, grounds) >= least.edge) return true;
    // The first shadow lies over the others.
    const isShade = (one) => Boolean(one) && isSeenAt(shadowSides(one)) && colours(one).some((shade) => contrast([shade], grounds) >= least.edge);
    return (!isOutlined && isShade(inwards[0])) || (!isCut && isShade(drawn.find((one) => !/inset/.test(one))));
  };

  /** Properties of a hint that move, clip or cover it, with the values that do not. In Firefox none counts: it moves each by a margin of its own. */
  const still = {
    position: /^static$/, float: /^none$/, transform: /^none$/, translate: /^none$/, rotate: /^none$/, scale: /^none$/, clipPath: /^none$/, clip: /^auto$/,
    maskImage: /^none$/, webkitMaskBoxImageSource: /^none$/, filter: /^none$/, mixBlendMode: /^normal$/, webkitTextStrokeWidth: /^0px$/, textDecorationLine: /^none$/,
    marginTop: /^0px$/, marginRight: /^0px$/, marginBottom: /^0px$/, marginLeft: /^-?[0-8](\.\d+)?px$/, paddingTop: /^0px$/, paddingLeft: /^\d(\.\d+)?px$/,
    offsetPath: /^none$/, contentVisibility: /^visible$/, zoom: /^1$/, boxShadow: /^none$/, borderTopWidth: /^0px$/, borderLeftWidth: /^0px$/,
  };

  /** Whether a field says by a hint what it asks for. @param {DOMRect} box @param {Colour[]} grounds */
  const isHinting = (field, box, grounds) => {
    // The first letters are those that fit. Some letters have no shape.
    const text = (field.placeholder ?? '').replace(/\p{Default_Ignorable_Code_Point}/gu, '');
    if (!/^\S/.test(text) || !/[\p{L}\p{N}].*[\p{L}\p{N}]/u.test(text.slice(0, 12))) return false;
    const hint = getComputedStyle(field, '::placeholder');
    const isStill = Object.entries(still).every(([name, value]) => hint[name] === undefined || hint[name] === '' || value.test(hint[name]));
    const high = parseFloat(hint.lineHeight);
    const isInPlace = isStill && !(high > box.height + 8) && !(high < 8) && Math.abs(parseFloat(hint.textIndent)) <= box.width / 4 && !(Math.abs(parseFloat(hint.letterSpacing)) > 4) && !(Math.abs(parseFloat(hint.wordSpacing)) > 8);
    return isInPlace && hint.display !== 'none' && hint.visibility === 'visible' && Number(hint.opacity) > 0.3 && parseFloat(hint.fontSize) >= 7 && paint(hint)?.length === 0
      && contrast([colour(hint.webkitTextFillColor || hint.color)], grounds) >= least.text;
  };

  /** Where a pseudo-element is drawn, as far as that can be said; null where it cannot. @returns {Place | null} */
  const placeOf = (node, look) => {
    const isPlain = look.visibility === 'visible' && Number(look.opacity) >= 0.5 && /^(none|matrix\(1, 0, 0, 1, 0, 0\))$/.test(look.transform)
      && look.filter === 'none' && look.clipPath === 'none' && (look.maskImage || 'none') === 'none' && look.mixBlendMode === 'normal'
      && [look.translate, look.rotate, look.scale, look.webkitMaskBoxImageSource].every((value) => (value || 'none') === 'none');
    if (!isPlain || look.position !== 'absolute' || parseFloat(look.zIndex) < 0) return null;
    const around = dom.getBoundingClientRect(node);
    const [left, top, width, height] = [look.left, look.top, look.width, look.height].map(parseFloat);
    if (getComputedStyle(node).position === 'static' || ![left, top, width, height].every(Number.isFinite)) return null;
    const edges = look.boxSizing === 'border-box' ? [0, 0, 0, 0] : ['Top', 'Right', 'Bottom', 'Left'].map((side) => parseFloat(look[`border${side}Width`]));
    return { left: around.left + left, top: around.top + top, right: around.left + left + width + edges[1] + edges[3], bottom: around.top + top + height + edges[0] + edges[2] };
  };

  /** Whether a place encloses a field, or is a line along its lower edge. @returns {'' | 'around' | 'line'} */
  const isAbout = (place, box) => {
    if (contains(place, { left: box.left + 3, top: box.top + 3, right: box.right - 3, bottom: box.bottom - 3 })) return 'around';
    const isBelow = Math.abs(place.bottom - box.bottom) <= 8 && place.bottom - place.top <= 6;
    return isBelow && Math.min(place.right, box.right) - Math.max(place.left, box.left) >= 0.6 * (box.right - box.left) ? 'line' : '';
  };

  /**
   * Whether people can see that there is a field: itself, what it asks for, or what is drawn around it alone.
   * @param {Sight} sight
   */
  const isDiscernible = (field, style, box, grounds, { sides, covers, near }) => {
    if (standsOut(style, grounds, sides, isCut(field))) return true;
    const covered = covers.reduce((all, cover) => all + overlap(cover, box), 0);
    if (!field.value && covered <= 0.2 * box.width * box.height && isHinting(field, box, grounds)) return true;
    /** Whether what is drawn at a place shows the field. Nothing may lie over its edges. */
    const shows = (node, look, place, grounds, except) => {
      const kind = isAbout(place, box);
      if (!kind) return false;
      const above = near.filter(({ one, isBeneath }) => !isBeneath && !except(one)).map((one) => one.place);
      const found = sidesOf(place, clipOf(node), above);
      // A line is all edge.
      if (kind === 'line') return found.has('Bottom') && standsOut(look, grounds, new Set(['Top', 'Bottom', 'Left', 'Right']), true);
      return standsOut(look, grounds, found, isCut(node));
    };
    let node = parentOf(field);
    for (let count = 0; node && count < limits.around; node = parentOf(node), count += 1) {
      const around = dom.getBoundingClientRect(node);
      if (around.height > Math.max(3.5 * box.height, 110) || !contains(around, { ...box.toJSON(), top: box.top + 2, bottom: box.bottom - 2 })) break;
      // A box around several fields may belong to another one of them, so it does not show this one.
      const others = [...dom.querySelectorAll(node, 'input, select, textarea')]
        .filter((one) => one !== field && (isField(one) || dom.localName(one) !== 'input') && isVisible(one));
      if (others.length && field.maxLength !== 1) break;
      const grounds = groundOf(node);
      if (!grounds) continue;
      const isInside = (one) => dom.contains(node, one);
      const style = getComputedStyle(node);
      if (style.visibility === 'visible' && !/^(inline|contents)$/.test(style.display) && shows(node, style, around, grounds, () => false)) return true;
      for (const pseudo of ['::before', '::after']) {
        const look = getComputedStyle(node, pseudo);
        if (/^(none|normal)$/.test(look.content)) continue;
        const place = placeOf(node, look);
        if (place && shows(node, look, place, grounds, () => false)) return true;
      }
      for (const one of [...dom.querySelectorAll(node, 'fieldset, div, span, label, i')].slice(0, 24)) {
        if (one === field || !dom.checkVisibility(one, { visibilityProperty: true }) || dom.contains(one, field)) continue;
        const look = getComputedStyle(one);
        if (!isInside(one) || look.display === 'inline' || isBehind(one, node) || effect(one) !== '') continue;
        if (shows(one, look, dom.getBoundingClientRect(one), grounds, (other) => other === one || dom.contains(one, other) || dom.contains(other, one))) return true;
      }
    }
    return false;
  };

  /** Whether an element may lie behind those around it. @param {Element | null} [last] the last that is asked about */
  const isBehind = (element, last = null) => {
    for (let node = element; node; node = node === last ? null : parentOf(node)) if (parseFloat(getComputedStyle(node).zIndex) < 0) return true;
    return false;
  };

  /** Whether what an element draws outside its box is cut off by what is around it. */
  const isCut = (element) => !contains(clipOf(element), grown(dom.getBoundingClientRect(element), 2));

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
      if ([style.rotate, style.scale, style.offsetPath].some((value) => (value || 'none') !== 'none') || / \S+ /.test(style.translate)) return 'distorted';
    }
    return '';
  };

  /**
   * What is wrong with the size and the colours of a field; empty where nothing is.
   * @param {IntersectionObserverEntry & {isVisible?: boolean}} entry what the browser says @param {Element[] | null} all every element
   */
  const look = async (field, entry, all) => {
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
    if (contrast([colour(style.webkitTextFillColor || style.color)], grounds) < least.text) return 'colours';
    if (!isBlur(style)) return 'altered';
    if (!all) return 'too large';
    const near = await nearby(field, box, all, entry.isVisible === true);
    const covers = near.filter(({ isBeneath }) => !isBeneath).map(({ place }) => place);
    const whole = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity };
    const sides = sidesOf(box, entry.intersectionRatio >= 0.995 ? whole : entry.intersectionRect, covers);
    const sight = { sides, covers, near };
    // What is below an opaque field may have its colour, though nothing around it has.
    const isKnown = behind && !(isOpaque && isLaidUnder(near, box));
    // On a ground that nobody knows a field of one colour stands out, or has an edge of its own.
    const isThere = isKnown ? isDiscernible(field, style, box, behind, sight) : standsOut(style, own, sides) || (isOpaque && !field.value && covers.length === 0 && isHinting(field, box, own));
    if (!isThere) return 'nothing to see';
    // What is below a transparent field need not be what is around it.
    return isOpaque ? '' : litter(field, box, grounds, all, false);
  };

  // ---- What lies in the place of a field

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
    if (isLine(style.columnRuleStyle)) far = Math.max(far, parseFloat(style.columnRuleWidth) || 0);
    if (style.textDecorationLine !== 'none') far = Math.max(far, sum(lengths(`${style.textDecorationThickness} ${style.textUnderlineOffset}`)));
    if ((style.textEmphasisStyle || 'none') !== 'none') far = Math.max(far, parseFloat(style.fontSize));
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

  /** What else of an element a page may give a style, and draw from afar with. @returns {string[]} */
  const partsOf = (one) => {
    const kind = dom.localName(one) === 'input' ? one.type : '';
    return kind === 'file' ? ['::file-selector-button'] : kind === 'range' ? ['::-webkit-slider-thumb', '::-webkit-slider-runnable-track'] : hasText(one) ? ['::first-letter'] : [];
  };

  /**
   * What is drawn near a field, except for what is around it or in it.
   * @param {DOMRect} box @param {Element[]} all every element @param {boolean} isBare whether the browser says that nothing lies over the field
   */
  const nearby = async (field, box, all, isBare) => {
    const wide = grown(box, limits.near);
    /** @type {Near[]} */ const found = [];
    for (const one of all) {
      if (isLong()) await yieldThread();
      const place = dom.getBoundingClientRect(one);
      if (overlap(place, wide) === 0 || page.isOwn?.(one) || one === field || dom.contains(one, field) || dom.contains(field, one)) continue;
      if (!dom.checkVisibility(one, { opacityProperty: true, visibilityProperty: true })) continue;
      const style = getComputedStyle(one);
      const far = reachOf(style);
      if (!(far >= 1) && !isPicture(one, style, place)) continue;
      // What the browser says not to lie over the field lies under it, where it lies in its place at all.
      found.push({ one, place: grown(place, isPicture(one, style, place) || far >= 1 ? Math.min(far, limits.near) : 0), isBeneath: isBare && overlap(place, box) > 0 });
    }
    return found;
  };

  /** Whether much of what is right around a field lies on something that is not around it in the document. @param {Near[]} near */
  const isLaidUnder = (near, box) => {
    const ring = grown(box, 8);
    const area = (place) => (place.right - place.left) * (place.bottom - place.top);
    const covered = near.reduce((all, { place }) => all + overlap(place, ring) - overlap(place, box), 0);
    return covered > 0.4 * (area(ring) - area(box));
  };

  /** Whether an element draws more than letters and thin edges. @param {Place} place */
  const isPicture = (one, style, place) => {
    const [top, right, bottom, left] = ['Top', 'Right', 'Bottom', 'Left'].map((side) => parseFloat(style[`border${side}Width`]));
    // An element may be all edge.
    const isEdge = Math.max(top, right, bottom, left) > 4 || (top + bottom > 0 && place.bottom - place.top - top - bottom < 2) || (left + right > 0 && place.right - place.left - left - right < 2);
    const painted = paint(style);
    return drawn.has(dom.localName(one)) || painted === null || painted.length > 0 || style.boxShadow !== 'none' || isEdge || style.content !== 'normal' || isLine(style.columnRuleStyle);
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
      for (const pseudo of ['', '::before', '::after', ...partsOf(one)]) {
        const look = pseudo ? getComputedStyle(one, pseudo) : style;
        if (/before|after/.test(pseudo) && /^(none|normal)$/.test(look.content)) continue;
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

  const isText = (node) => node instanceof Text && node.data.trim() !== '';
  const hasText = (element) => [...dom.childNodes(element)].some(isText);

  /** Whether a backdrop draws anything, or changes what lies behind it. @param {CSSStyleDeclaration} style */
  const isDrawn = (style) => style.display !== 'none' && (paint(style)?.length !== 0 || style.boxShadow !== 'none' || (style.backdropFilter || 'none') !== 'none'
    || style.filter !== 'none' || isLine(style.borderTopStyle) || isLine(style.outlineStyle));

  /** How much of a place the letters of an element and its shadow root lie over: unless they are clipped, they are drawn outside its box too. */
  const written = (element, box) => {
    const { display, overflowX, overflowY } = getComputedStyle(element);
    const isClipped = overflowX !== 'visible' && overflowY !== 'visible' && !/^(contents|inline|table-)/.test(display);
    if (isClipped) return 0;
    const range = new Range();
    return [...dom.childNodes(element), ...shadowOf(element, true)?.childNodes ?? []].filter(isText).reduce((most, text) => {
      range.selectNode(text);
      return Math.max(most, overlap(range.getBoundingClientRect(), box));
    }, 0);
  };

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
    let isExplained = false;
    if (isOver && isBehind(field)) return 'covered';
    const above = new Set();
    for (let node = field; node; node = parentOf(node)) above.add(node);
    for (const one of all) {
      if (isLong()) await yieldThread();
      if (page.isOwn?.(one)) continue;
      const isAround = above.has(one);
      // Where the column of a table is, the browser does not say.
      const place = dom.getBoundingClientRect(/^col(group)?$/.test(dom.localName(one)) ? one.closest('table') ?? one : one);
      const shared = overlap(place, box);
      const isWritten = shared === 0 && isOver && !statesVisibility && !isAround && written(one, box) > 0;
      if (isOver && dom.checkVisibility(one, { opacityProperty: true, visibilityProperty: true })) {
        for (const pseudo of ['::before', '::after']) {
          const style = getComputedStyle(one, pseudo);
          if (/^(none|normal)$/.test(style.content) || !(shared || isAround || /absolute|fixed/.test(style.position))) continue;
          const painted = paint(style);
          const isPlain = painted?.length === 0 && style.boxShadow === 'none' && (style.backdropFilter || 'none') === 'none' && !/\(/.test(style.content.replace(/^"(\\.|[^"])*"$/, ''));
          if (!isPlain && parseFloat(style.width) * parseFloat(style.height) > area / 4) return 'covered';
          if (!isPlain && !(parseFloat(style.width) >= 0 && parseFloat(style.height) >= 0)) return 'covered';
          isExplained = true;
        }
        if (isUnbound(one, place, shared > 0 || isAround, box)) return 'covered';
      }
      // The backdrop of a popover covers the whole page, even if the popover itself is not drawn.
      if (isOver && !statesVisibility && !isAround && dom.matches(one, ':popover-open, :modal, :fullscreen') && isDrawn(getComputedStyle(one, '::backdrop'))) return 'covered';
      if (isAround || (shared === 0 && !isWritten)) continue;
      const style = getComputedStyle(one);
      if (style.visibility !== 'visible' || Number(style.opacity) === 0) continue;
      isExplained = true;
      if ((style.backdropFilter || 'none') !== 'none' || style.mixBlendMode !== 'normal' || style.filter !== 'none') return 'covered';
      // What is drawn inside a drawing is counted as that, unless it is drawn outside of it.
      const drawing = one instanceof SVGElement ? one.ownerSVGElement : null;
      if (shared > 0 && (drawing ? !contains(dom.getBoundingClientRect(drawing), place) : isPicture(one, style, place))) signs += shared;
      else if ((isWritten || hasText(one)) && contrast([colour(style.webkitTextFillColor || style.color)], grounds) < least.text) return 'covered';
      if (signs > 0.4 * area) return 'covered';
    }
    // The browser says that something lies over the field. Where it is none of what was found it may be anything.
    return isOver && statesVisibility && !isExplained && !isEffect(field) ? 'covered' : '';
  };

  /** Whether the browser counts a field as not known to be seen for an effect of it, or of what is around it. */
  const isEffect = (field) => {
    for (let node = field; node; node = parentOf(node)) {
      const { backdropFilter, opacity, transform } = getComputedStyle(node);
      if (Number(opacity) < 1 || (backdropFilter || 'none') !== 'none' || !/^(none|matrix\(1, 0, 0, 1, .*)$/.test(transform)) return true;
    }
    return false;
  };

  /** Whether an element may draw where it is not, by parts of it that are no elements. @param {Place} place @param {boolean} isHere */
  const isUnbound = (one, place, isHere, box) => {
    const name = dom.localName(one);
    if (name === 'input' && /^(file|range)$/.test(one.type)) return overlap(grown(place, 300), box) > 0;
    if (name === 'details' && one.open) {
      const content = getComputedStyle(one, '::details-content');
      return content.position === 'absolute' || content.position === 'fixed' || paint(content)?.length !== 0;
    }
    const { display, listStyleImage, overflow } = getComputedStyle(one);
    if (isHere && display === 'list-item' && listStyleImage !== 'none') return true;
    return /scroll|auto/.test(overflow) && ['up', 'down', 'left', 'right'].some((side) => {
      const { content } = getComputedStyle(one, `::scroll-button(${side})`);
      return Boolean(content) && !/^(none|normal)$/.test(content);
    });
  };

  // ---- The decision

  /** Whether the browser's hit test finds a field at most of five points of it: a label or a button may be on it. @param {HTMLInputElement} field */
  const isHit = (field) => {
    const { left, top, width, height } = dom.getBoundingClientRect(field);
    const root = field.getRootNode();
    const hit = root === document ? hitInDocument : (/** @type {number} */ x, /** @type {number} */ y) => /** @type {ShadowRoot} */ (root).elementFromPoint(x, y);
    const points = [[0.5, 0.5], [0.1, 0.25], [0.9, 0.25], [0.1, 0.75], [0.9, 0.75]];
    return points.filter(([across, down]) => hit(left + across * width, top + down * height) === field).length >= 3;
  };

  /** @typedef {{reason: string, at: number}} Verdict empty where the field is known to be seen */
  /** @type {WeakMap<Element, Verdict>} */ const verdicts = new WeakMap();

  /** What the browser says of elements, which it computes with the next frame. @param {Element[]} wanted */
  const observe = (wanted) => new Promise((resolve) => {
    /** @type {Map<Element, IntersectionObserverEntry>} */ const found = new Map();
    let isTold = false;
    const finish = () => { observer.disconnect(); clearTimeout(timer); resolve(found); };
    const isSeen = (entry) => entry && (/** @type {any} */ (entry).isVisible || entry.intersectionRatio < 0.5);
    const observer = new IntersectionObserver((list) => {
      for (const entry of list) found.set(entry.target, entry);
      if (found.size < wanted.length) return;
      if (window === top || wanted.every((one) => isSeen(found.get(one)))) { finish(); return; }
      // What covers a frame from outside is known a little later.
      if (!isTold) { clearTimeout(timer); timer = setTimeout(finish, patience); }
      isTold = true;
    }, /** @type {any} */ ({ trackVisibility: true, delay: 100, threshold: [0, 0.5] }));
    let timer = setTimeout(finish, silence);
    for (const one of wanted) observer.observe(one);
    if (wanted.length === 0) finish();
  });

  /** @param {HTMLInputElement} field @param {any} entry what the browser says @param {Element[] | null} all every element */
  const judge = async (field, entry, all) => {
    if (!entry) return 'no answer';
    if (!isVisible(field)) return 'hidden';
    if (page.isBubbleUp()) return 'covered';
    if (entry.intersectionRatio < 0.5) return 'out of sight';
    const own = effect(field) || await look(field, entry, all);
    if (own || entry.isVisible) return own;
    // A script inside a frame cannot see what the page around lays over it. Firefox does not say; there each choice in a frame is asked about.
    if ((window !== top && statesVisibility) || (!statesVisibility && !isHit(field))) return 'covered';
    const grounds = groundOf(field);
    const painted = paint(getComputedStyle(field));
    const below = grounds && painted?.length ? painted.flatMap((over1) => grounds.map((ground) => over(over1, ground))) : grounds ?? painted ?? [];
    if (!below.length) return 'covered';
    return await litter(field, dom.getBoundingClientRect(field), below, all, true) || (statesVisibility ? '' : unstated);
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
    return known && isHere(known) ? known : page.find?.(ref, (field) => isField(field) && isEditable(field)) ?? null;
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
    const all = refs.map((ref) => ({ ref, reason: [reason(ref), earlier(ref)].find((one) => one && one !== unstated) ?? reason(ref) }));
    return {
      seen: all.filter(({ reason }) => reason === '').map(({ ref }) => ref),
      isThere: [...fields.values()].some((field) => dom.checkVisibility(field)),
      unstated: all.filter(({ reason }) => reason === unstated).map(({ ref }) => ref),
      reasons: all.map(({ reason }) => reason),
      sends: destinations([...fields.values()]),
      took: performance.now() - began,
    };
  };

  /**
   * Where the forms of some fields send what is in them, by themselves and by their buttons: origins beside the document's own, or the scheme
   * of an address that has none. Text of others in a page can be a form or a button without being a script.
   * @param {(HTMLInputElement | HTMLTextAreaElement)[]} fields
   */
  const destinations = (fields) => {
    const found = new Set();
    /** @param {Element} element @param {string} name @param {string} base */
    const note = (element, name, base) => {
      const written = dom.getAttribute(element, name)?.trim();
      // Without one it goes to the document itself.
      if (!written) return;
      let address;
      try { address = new URL(written, base); } catch { found.add('an unreadable address'); return; }
      if (['javascript:', 'about:'].includes(address.protocol) || address.origin === origin) return;
      found.add(address.origin === 'null' ? address.protocol : address.origin);
    };
    for (const field of fields) {
      const { form, baseURI } = field;
      if (!form) continue;
      note(form, 'action', baseURI);
      const root = field.getRootNode();
      const buttons = [...(root === document ? buttonsIn(document) : root.querySelectorAll('[formaction]'))]
        .filter((button) => button.form === form && ['submit', 'image'].includes(button.type));
      // Those that the user may press come first.
      for (const isShown of [true, false]) for (const button of buttons) if (dom.checkVisibility(button) === isShown) note(button, 'formaction', baseURI);
    }
    // Nothing is hidden among many.
    return found.size > 8 ? ['more places than can be named', ...[...found].slice(0, 7)] : [...found];
  };

  /** Whether nothing is found to hide a field as it is about to be filled. @param {HTMLInputElement} field */
  const isSeen = async (field) => {
    const known = verdicts.get(field);
    const reason = known && performance.now() - known.at < lasting ? known.reason : (await judgeAll([field])).get(field);
    return reason === '' || reason === unstated;
  };

  chrome.runtime.onMessage.addListener((message, sender, respond) => {
    if (sender.id !== chrome.runtime.id || sender.tab || message?.type !== 'sight' || !Array.isArray(message.refs)) return false;
    sight(message.refs.map(Number)).then(respond, () => respond(null));
    return true;
  });

  page.join('seeing', { survey, isSeen, destinations });
  return true;
})();

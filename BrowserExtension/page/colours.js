// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Reads colours and their contrast, and which colours are below an element, from computed styles. `seeing.js` decides by them. It
 * comes into a document with that; a second time it does nothing.
 */
'use strict';

(() => {
  /** @type {LatchkeyPage} */ const page = globalThis.latchkeyPage;
  if (!page || page.colours) return Boolean(page);
  const { dom, parentOf } = page;

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

  /**
   * The contrast of colours with the grounds that may be below them: the least. Both stand for all that is between them, as the
   * stops of a gradient do, so that where one may be lighter than the other and darker there is none.
   * @param {Colour[]} tops @param {Colour[]} grounds
   */
  const contrast = (tops, grounds) => {
    const found = tops.flatMap((top) => grounds.map((ground) => (luminance(over(top, ground)) + 0.05) / (luminance(ground) + 0.05)));
    if (found.every((one) => one >= 1)) return Math.min(...found);
    return found.every((one) => one <= 1) ? 1 / Math.max(...found) : 1;
  };

  /** The darkest and the lightest that may be between colours. @param {Colour[]} found @returns {Colour[]} */
  const range = (found) => (found.length < 2 ? found
    : [Math.min, Math.max].map((most) => /** @type {Colour} */ ([0, 1, 2].map((index) => most(...found.map((one) => one[index]))).concat(1))));

  const parts = (text) => text.split(/,(?![^(]*\))/);
  const colours = (text) => (text.match(/(?:rgba?|hsla?|color|color-mix|lab|lch|oklab|oklch)\([^()]*\)|#[\da-f]{3,8}\b|\btransparent\b/gi) ?? []).map(colour);

  /** How many pictures a background has. @param {string} text */
  const layersOf = (text) => {
    let depth = 0;
    return [...text].reduce((count, letter) => {
      depth += letter === '(' ? 1 : letter === ')' ? -1 : 0;
      return count + (letter === ',' && depth === 0 ? 1 : 0);
    }, 1);
  };

  /** Whether a filter of what is behind leaves the colours as they are. */
  const isBlur = (style) => /^(none|blur\([0-4]?\d(\.\d+)?px\))?$/.test(style.backdropFilter ?? '');

  /** What an element paints below all else of it, by its style; null where nobody can say. @returns {Colour[] | null} */
  const paint = (style) => {
    const ground = colour(style.backgroundColor);
    // A ground for the letters or the inner box alone is not what is around them.
    if ((ground[3] > 0 || style.backgroundImage !== 'none') && !/^(border|padding)-box(, (border|padding)-box)*$/.test(style.backgroundClip)) return null;
    if (style.backgroundImage === 'none') return ground[3] > 0 ? [ground] : [];
    const stops = colours(style.backgroundImage);
    if (/[a-z]/.test(style.backgroundBlendMode.replace(/normal/g, '')) || / in (?!srgb[ ,])/.test(style.backgroundImage)) return null;
    // A small picture, such as a sign in the corner of a field, says nothing of the ground. Many may lie all over it.
    const sizes = style.backgroundSize.split(/[ ,]+/);
    const isSmall = /^no-repeat(, no-repeat)*$/.test(style.backgroundRepeat) && sizes.every((size) => /^[\d.]+px$/.test(size) && parseFloat(size) <= 48);
    if (isSmall) {
      const across = parts(style.backgroundSize).reduce((all, size) => all + parseFloat(size), 0);
      const isFew = layersOf(style.backgroundImage) <= 2 && across * Math.ceil(layersOf(style.backgroundImage) / parts(style.backgroundSize).length) <= 64;
      return !isFew ? null : ground[3] > 0 ? [ground] : [];
    }
    if (/url\(|image\(|element\(|paint\(/.test(style.backgroundImage) || stops.length === 0) return null;
    // Which of several is seen, and whether one that is moved or made small is seen at all, nobody can say.
    const isWhole = sizes.every((size) => /^(auto|cover|100%)$/.test(size)) && /^[\d.]+%( [\d.]+%)?$|^0px 0px$/.test(style.backgroundPosition);
    if (style.backgroundRepeat.includes(',') || !isWhole) return null;
    const painted = stops.map((stop) => (ground[3] > 0 ? over(stop, ground) : stop));
    return painted.every(([, , , alpha]) => alpha === 1) ? range(painted) : painted.length > 8 ? null : painted;
  };

  const contains = (outer, inner) => outer.left <= inner.left + 1 && outer.top <= inner.top + 1 && outer.right >= inner.right - 1 && outer.bottom >= inner.bottom - 1;

  /** The colours that may be below an element, its own left out; null where nobody can say. @returns {Colour[] | null} */
  const groundOf = (element) => {
    const box = dom.getBoundingClientRect(element);
    /** @type {Colour[][]} */ const layers = [];
    const [html, body] = [dom.documentElement(document), dom.body(document)];
    for (let node = parentOf(element); node; node = parentOf(node)) {
      const style = getComputedStyle(node);
      // What the ground of `body` is drawn on: the whole window, unless `html` has one of its own.
      const isCanvas = node === html || (node === body && paint(getComputedStyle(html))?.length === 0);
      // An element that does not reach as far as the field, or is laid out elsewhere, is not what is below it.
      if (!isCanvas && !contains(dom.getBoundingClientRect(node), box)) continue;
      if (!isBlur(style)) return null;
      if (style.visibility !== 'visible') { if (isCanvas) return null; continue; }
      const painted = paint(style);
      if (!painted) return null;
      // The boxes of lines are not where the element is.
      if (painted.length && !isCanvas && /^(inline|ruby.*)$/.test(style.display)) return null;
      if (painted.length) layers.push(painted);
      if (painted.length && painted.every(([, , , alpha]) => alpha === 1)) break;
    }
    const isDark = /dark/.test(getComputedStyle(html).colorScheme) && matchMedia('(prefers-color-scheme: dark)').matches;
    /** @type {Colour[]} */ let found = [isDark ? [18, 18, 18, 1] : [255, 255, 255, 1]];
    for (const layer of layers.reverse()) found = range(layer.flatMap((top) => found.map((below) => over(top, below))));
    return found;
  };

  page.join('colours', { colours: { colour, colours, contains, contrast, groundOf, isBlur, over, paint, parts } });
  return true;
})();

// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Tells the bar's guard what this document shows now. A page that holds up its own thread cannot answer, and the guard counts no
 * answer as a bad one. It comes into the document of a bar and into each document around it; a second time it does nothing.
 *
 * A browser computes what covers a frame only while the thread of the page around it runs. Animations run without that thread. So an
 * answer names whatever could cover the bar or move it without the thread, and whether the thread has been running all the time.
 */
'use strict';

(() => {
  /** @type {LatchkeyPage} */ const page = globalThis.latchkeyPage;
  if (!page || page.look) return Boolean(page);
  const { active, dom, parentOf, shadowOf } = page;

  /** The time before an answer in which nothing may have been wrong, in milliseconds: that of the guard. */
  const arming = 500;
  /** The longest time between two frames of a thread that runs, in milliseconds. */
  const longest = 200;
  /** What the browser may show a list of its own for. */
  const lists = 'input[list]';
  /** What may show another document. */
  const frames = 'iframe, frame, object, embed, fencedframe';
  /** How long this document is watched after it was last asked to be, in milliseconds. */
  const patience = 60_000;

  /** What the document is asked by, as the browser has it: an element takes the place of the document's own property by its name. */
  const ask = {};
  for (const [{ prototype }, names] of [[Document, 'querySelectorAll getAnimations pictureInPictureElement visibilityState hasFocus documentElement']]) {
    for (const name of names.split(' ')) {
      const { get, value } = Object.getOwnPropertyDescriptor(prototype, name) ?? {};
      const member = Function.prototype.call.bind(get ?? value ?? (() => null));
      ask[name] = (...rest) => member(document, ...rest);
    }
  }

  /** What is shown above all else in a document, the bar itself included. An older browser does not know all of them. */
  const top = [':popover-open', ':modal', ':fullscreen', ':picture-in-picture', ':active-view-transition', 'select:open', 'input:open']
    .filter((selector) => CSS.supports(`selector(${selector})`)).join();

  /** The shadow roots that were found when all elements were gone through. @type {WeakRef<ShadowRoot>[]} */ let roots = [];

  /** Goes through all elements. @returns {boolean} whether that were all of them */
  const findRoots = () => {
    roots = [];
    const queue = [ask.querySelectorAll('*')];
    let count = 0;
    for (let list = queue.shift(); list; list = queue.shift()) {
      for (const element of list) {
        if ((count += 1) > 30_000) return false;
        const root = shadowOf(element, true);
        if (root) { roots.push(new WeakRef(root)); queue.push(root.querySelectorAll('*')); }
      }
    }
    return true;
  };

  /** How far inwards an outline may be drawn, in pixels: rings around what has the focus are. */
  const ring = 4;

  /**
   * Whether an element is hidden or covered, as a whole or in part, by what the browser's word on what covers a frame leaves out: masks, and
   * outlines that are drawn inwards, of itself or of what is around it.
   * @param {Element | null} element @param {Element | null} [last] what is around this one does not matter
   */
  const isVeiled = (element, last = null) => {
    for (let node = element; node; node = node === last ? null : parentOf(node)) {
      const { maskImage, webkitMaskBoxImageSource, outlineStyle, outlineWidth, outlineOffset } = /** @type {any} */ (getComputedStyle(node));
      if ((maskImage || 'none') !== 'none' || (webkitMaskBoxImageSource || 'none') !== 'none') return true;
      if (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0 && parseFloat(outlineOffset) < -ring) return true;
    }
    return false;
  };

  /** Whether this browser says what covers a frame, and what hides it. Firefox does not. */
  const statesVisibility = chrome.runtime.getURL('').startsWith('chrome-extension:');

  /** Whether an effect on an element hides or changes it. One on the root of a document reaches what is above all else. @param {Element} element */
  const isAltered = (element) => {
    const { opacity, filter, maskImage, clipPath, mixBlendMode, visibility } = getComputedStyle(element);
    return Number(opacity) < 1 || [filter, maskImage, clipPath].some((value) => (value || 'none') !== 'none') || mixBlendMode !== 'normal' || visibility !== 'visible';
  };

  /**
   * Whether anything is selected in this document. The browser paints a selection over whole frames, in a colour that the page chooses, and
   * still reports those frames as visible.
   */
  const isSelected = () => [document, ...roots.map((one) => one.deref()).filter(Boolean)].some((root) => selectionOf(root)?.type === 'Range');

  /** @param {any} root */
  const selectionOf = (root) => (root === document ? getSelection() : root.getSelection?.());

  /** Whether the browser may show the list of a field, in a window of its own, which a page can have it do for any field. */
  const hasLists = () => [null, ...roots.map((one) => one.deref()).filter(Boolean)].some((root) =>
    (root ? root.querySelectorAll(lists) : ask.querySelectorAll(lists)).length > 0);

  /** Whether any frame of this document is. Those that cannot all be found may be. */
  const areFramesVeiled = () => !findRoots() || isSelected() || [null, ...roots.map((one) => one.deref()).filter(Boolean)].some((root) =>
    [...(root ? root.querySelectorAll(frames) : ask.querySelectorAll(frames))].some((one) => isVeiled(one)));

  /**
   * What could cover the bar, hide it or move it, now or at a moment in which this script does not run; empty where nothing can.
   * In a document around that of the bar other elements may lie above its frame, so that no animation may run there.
   */
  const fault = () => {
    if (page.isBubbleUp()) return 'something above';
    if (ask.pictureInPictureElement() || globalThis.documentPictureInPicture?.window) return 'window above';
    const bar = page.shownBar?.() ?? null;
    const host = bar?.host ?? null;
    for (const root of [null, ...roots.map((one) => one.deref()).filter(Boolean)]) {
      for (const element of root ? root.querySelectorAll(top) : ask.querySelectorAll(top)) {
        // The dialog that the bar is in was shown before the bar, which goes when that dialog is shown anew. Another one around it may have
        // come later: in Firefox, which does not say what covers the bar, it counts as above.
        const isBelow = element === host || (host && dom.matches(element, 'dialog:not(:fullscreen)') && dom.contains(element, host)
          && (statesVisibility || (element === bar.home && dom.matches(element, ':modal:not(:popover-open)'))));
        if (host ? !isBelow : dom.matches(element, ':fullscreen, :active-view-transition')) return 'something above';
      }
      for (const { effect, playState } of root ? root.getAnimations() : ask.getAnimations()) {
        const target = effect?.target;
        const isAbove = !host || !target || dom.contains(target, host) || /^::(view|backdrop)/.test(effect.pseudoElement ?? '');
        if (isAbove && playState !== 'finished') return 'animation';
      }
    }
    if (host && !statesVisibility && [ask.documentElement(), host, bar.frame].some(isAltered)) return 'veiled';
    // What has the focus in a document around that of the bar is the frame that leads to it.
    if (host ? isVeiled(bar.frame, host) : isSelected() || isVeiled(active())) return 'veiled';
    // The page's own zoom, which makes the bar small.
    if (host && (/** @type {any} */ (bar.frame).currentCSSZoom ?? 1) !== 1) return 'zoomed';
    if (host && hasLists()) return 'list';
    if (host && !bar.isInPlace()) return 'moved';
    return '';
  };

  /** Until when, and since when, this document is watched. */ let until = 0;
  let since = Infinity;
  /** When the last frame began. */ let last = 0;
  /** What was wrong last, and when. */ let wrong = { at: -Infinity, reason: '' };
  let count = 0;

  const note = () => {
    const reason = fault();
    if (reason) wrong = { at: performance.now(), reason };
  };

  /** Looks at the time that has passed since the last frame. */
  const clock = () => {
    const now = performance.now();
    if (now - last > longest) wrong = { at: now, reason: 'held up' };
    return now;
  };

  /** Once in each frame: before anything of it is drawn, and behind that before the page's own tasks. */
  const tick = () => {
    const now = clock();
    if (now > until) { since = Infinity; return; }
    last = now;
    if (count++ % 16 === 0) findRoots();
    note();
    globalThis.scheduler?.postTask(note, { priority: 'user-blocking' });
    requestAnimationFrame(tick);
  };

  const watch = () => {
    until = performance.now() + patience;
    if (since !== Infinity) return;
    since = last = performance.now();
    requestAnimationFrame(tick);
  };

  /** The end of a frame that has not begun yet. */
  const frame = () => new Promise((resolve) => { requestAnimationFrame(() => { const { port1, port2 } = new MessageChannel(); port1.onmessage = resolve; port2.postMessage(0); }); });

  /**
   * What is wrong now or was a moment ago; empty where nothing is. It is answered after a frame of this document, so that the browser has
   * computed anew what covers the frames in it.
   * @param {boolean} isOwn whether the bar is in this document
   * @param {boolean} isKey whether a key in the bar is asked about, and not a press on it
   */
  const look = async (isOwn, isKey) => {
    if (ask.visibilityState() !== 'visible') return 'hidden';
    if (isOwn && page.shownBar?.()?.isMeant === false) return 'not asked for';
    clock();
    const judge = () => {
      const now = performance.now();
      if (!(now - since >= arming)) return 'not watched';
      if (now - wrong.at < arming) return wrong.reason;
      const bar = page.shownBar?.() ?? null;
      if (isOwn !== Boolean(bar)) return 'no bar';
      // The keyboard is in the bar by a key of the user's in the field, or it is nobody's.
      if (isOwn && !(bar.isMeant && ask.hasFocus() && bar.isEntered === isKey && active() === (isKey ? bar.frame : bar.field))) return 'focus';
      if (isOwn && !isKey && !bar.isClear) return 'under the pointer';
      if (!findRoots()) return 'too large';
      return fault();
    };
    const reason = judge();
    if (reason) return reason;
    await frame();
    await frame();
    return judge();
  };

  const requests = {
    watch: () => { watch(); return {}; },
    veil: () => ({ isVeiled: areFramesVeiled() }),
    look: async ({ own, isKey }) => ({ reason: await look(own === true, isKey === true), scale: devicePixelRatio }),
  };

  chrome.runtime.onMessage.addListener((message, sender, respond) => {
    if (sender.id !== chrome.runtime.id || sender.tab || !Object.hasOwn(requests, message?.type)) return false;
    Promise.resolve(requests[message.type](message)).then(respond, () => respond(null));
    return true;
  });

  page.join('looking', { look });
  return true;
})();

// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Tells what this document has float above all windows, which may lie over a question of ours. Unlike `content.js` it also runs in documents
 * that inherit or have no origin (`blob:`, `data:`, a sandbox): any of them can have a video float. It does nothing else.
 */
'use strict';

(() => {
  const tell = (message) => { chrome.runtime.sendMessage(message).catch(() => {}); };

  const videoOf = Object.getOwnPropertyDescriptor(Document.prototype, 'pictureInPictureElement')?.get;
  const { exitPictureInPicture } = Document.prototype;
  /** What was told of it last: a `video`, a `document` or nothing. */ let floated = '';
  let until = 0;
  let looking = 0;

  /** A frame of that name takes the place of the property where there is none. */
  const floatingOf = Object.getOwnPropertyDescriptor(window, 'documentPictureInPicture')?.get;
  const floats = () => (videoOf?.call(document) ? 'video' : floatingOf?.call(window).window ? 'document' : '');

  /** Where a document that floats is on the screen, in pixels of this one: each document has its own. @param {Window | null | undefined} other */
  const boxOf = (other) => {
    const ratio = other ? other.devicePixelRatio / devicePixelRatio : 0;
    return other ? { left: other.screenX * ratio, top: other.screenY * ratio, width: other.outerWidth * ratio, height: other.outerHeight * ratio } : null;
  };

  const note = () => { if (floats() !== floated) tell({ type: 'page.floats', kind: floated = floats() }); };

  /**
   * Looks for it after an act of the user, which alone allows it: a video that is not in the document sends no event there. The act allows it
   * in other documents of the tab as well, and a page can keep us from hearing of it: so we are also told whenever it matters.
   * @param {boolean} [isTold] whether the background script says so
   */
  const look = (isTold = false) => {
    const now = performance.now();
    if (!isTold && now > until - 5000 && (window !== top || window.length)) tell({ type: 'page.acted' });
    until = now + 6000;
    note();
    looking ||= setInterval(() => {
      note();
      if (!floated && performance.now() > until) looking = clearInterval(looking) ?? 0;
    }, 250);
  };

  const acted = ({ isTrusted }) => { if (isTrusted) look(); };

  const listen = () => {
    for (const type of ['keydown', 'pointerdown', 'visibilitychange']) addEventListener(type, acted, true);
    for (const type of ['enterpictureinpicture', 'leavepictureinpicture']) addEventListener(type, note, true);
  };
  listen();
  // `document.open()` takes them away with the root; none is added twice.
  new MutationObserver(listen).observe(document, { childList: true });

  /** What the background script asks. @type {Record<string, () => any>} */
  const requests = {
    floats: () => ({ floats: floats(), box: boxOf(floatingOf?.call(window).window) }),
    sink: () => {
      if (floats() === 'video') exitPictureInPicture.call(document);
      floatingOf?.call(window).window?.close();
      return {};
    },
    acted: () => { look(true); return {}; },
  };

  chrome.runtime.onMessage.addListener((message, sender, respond) => {
    if (sender.id !== chrome.runtime.id || sender.tab || !Object.hasOwn(requests, message?.type)) return false;
    respond(requests[message.type]());
    return false;
  });
})();

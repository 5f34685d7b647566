// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Sees how the user leaves this document or the form in it: by a link, Back or Escape, which says nothing of what was sent off
 * before, or by a form that is sent, by whomever. It comes with what reads the forms, and into the document around a frame in which
 * something was sent off; a second time it does nothing.
 */
'use strict';

(() => {
  /** @type {LatchkeyPage} */ const page = globalThis.latchkeyPage;
  if (!page || page.isLeaving) return Boolean(page);
  page.isLeaving = true;
  const { describePage, dom, tell } = page;

  /** Links to another address, in this tab. `href` is asked as it is written: `#` is a button of the page's, `#/news` a view of it. */
  const links = ':any-link:not([target=_blank], [download], [href=""], [href^="#"]:not([href*="/"]), [href^="javascript:" i], [href^="mailto:" i], [href^="tel:" i])';
  /** Buttons that take a form or a dialog away, and send nothing. */
  const closers = '[type=reset], [formmethod=dialog], [popovertargetaction=hide], [command=close], [data-dismiss], [data-bs-dismiss]';

  /**
   * How long a document has to be complete to be a site's answer to a form, and how long it has to be there where a part of it is still
   * loading, both in milliseconds. A script may lead back before.
   */
  const least = 300;
  const leastUnfinished = 1000;

  /** The user goes elsewhere. What this document shows then tells what became of a form that led to it. @param {boolean} [isAnswer] */
  const stray = (isAnswer = true) => { page.conclude?.(); tell({ type: 'page.strays', page: isAnswer ? describePage(null) : null, status: status() }); };

  /** Whether this document was there for long enough to have been seen. */
  const wasThere = () => {
    const { domInteractive = 0, domComplete = 0 } = performance.getEntriesByType('navigation')[0] ?? {};
    const now = performance.now();
    return domComplete > 0 ? now - domComplete >= least : domInteractive > 0 && now - domInteractive >= leastUnfinished;
  };

  /** The HTTP status with which this document came; 0 where there is none. */
  const status = () => performance.getEntriesByType('navigation')[0]?.responseStatus ?? 0;

  addEventListener('click', (event) => {
    if (!event.isTrusted || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    if (event.composedPath().some((node) => node instanceof Element && dom.matches(node, `${links}, ${closers}`))) stray();
  }, true);

  addEventListener('keydown', (event) => { if (event.isTrusted && event.key === 'Escape' && page.told.text) stray(); }, true);

  // A link in a closed shadow root, Back within an application, and forms that a script sends. The browser makes this event.
  globalThis.navigation?.addEventListener('navigate', async (event) => {
    if (!event.isTrusted) return;
    const source = event.sourceElement;
    const form = source instanceof HTMLFormElement ? source : source?.form;
    // Another form of the page leads away from what was typed, as a link does.
    if (form) { if (await page.send(form) && event.userInitiated) stray(); }
    // Firefox states no way back as the user's.
    else if (event.navigationType === 'traverse') stray(wasThere());
    else if (event.navigationType === 'reload') { if (!event.userInitiated) tell({ type: 'page.reloads' }); }
    else if (event.userInitiated && !event.formData && event.downloadRequest === null
      && !event.hashChange && source && dom.matches(source, links)) stray();
  });

  page.join('leaving', { status });
  return true;
})();

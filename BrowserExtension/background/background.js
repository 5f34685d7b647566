// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import { keyOf } from '../logic/target.js';
import { WireError } from '../messages/errors.js';
import { prompts, submissions, wire } from './daemon.js';
import { leave, servePage } from './from-pages.js';
import { serveOwn } from './from-windows.js';
import { advice, cramped, early, floating, opened, sessions } from './memory.js';
import * as platform from './platform.js';

/*
 * The background script stands between pages, the extension's own documents and the daemon, and keeps them apart:
 * a content script reaches `from-pages.js` and nothing else, a document of the extension `from-windows.js` and nothing else. Where a
 * message comes from is what the browser states in `sender`; whatever a message says about its own place is dropped.
 *
 * This script may be stopped and started again at any time. All it knows is bound to its connection to the daemon and
 * ends with it; what is needed again is asked for again, from the content script of that very document.
 */

chrome.runtime.onMessage.addListener((message, sender, respond) => {
  /** What is done once the answer has left: a page measures how long it takes. @type {(() => void)[]} */
  const after = [];
  const serve = platform.isOwn(sender) ? serveOwn(message, sender) : servePage(message, sender, after);
  serve.then(
    (result) => { respond({ result: result ?? {} }); for (const act of after) platform.afterAnswer(act); },
    (error) => respond({ error: error instanceof WireError
      ? { code: error.code, message: error.message, data: error.data }
      : { code: -32603, message: 'Something went wrong inside the Latchkey extension.', data: {} } }),
  );
  return true;
});

platform.openOnInstall('windows/welcome.html');

// Each window of the extension asks then whether anything lies over it.
platform.onFloating(() => {
  floating.list().catch(() => {});
  platform.tellOwnDocuments({ type: 'floating' });
});

platform.onNavigated((tab, frame, document, isElsewhere) => {
  submissions.navigated(tab, frame, document, isElsewhere);
  // The browser forgets with the page what the button says.
  if (frame === 0) advice.mark(tab);
  leave(sessions.dropIn(tab, (session) => session.document !== document && (session.frame === frame || frame === 0)));
});

platform.onTabChanged((tab) => { opened.changed(tab).catch(() => {}); });

platform.onTabJoined((window) => { opened.joined(window).catch(() => {}); });

platform.onTabClosed((tab) => {
  platform.forgetBars(tab);
  // Its window may stay, with a tab that another extension has put into it.
  opened.closed(tab).then((prompt) => { if (prompt !== undefined) prompts.closed(prompt); });
  advice.closed(tab);
  cramped.closed(tab);
  submissions.dropIn(tab);
  const dropped = sessions.dropIn(tab, () => true);
  for (const session of dropped) early.drop(keyOf(session));
  // What was filled in it is remembered for as long as it is open.
  wire.notify('page.left', { tab, document: null });
});

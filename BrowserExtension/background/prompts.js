// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import { Prompts } from '../logic/prompts.js';
import { opened } from './memory.js';
import * as platform from './platform.js';

/** Windows that hold more than a question. @type {Record<string, {width: number, height: number}>} */
const sizes = { interface: { width: 460, height: 600 }, enable: { width: 460, height: 460 }, foreign: { width: 460, height: 560 },
  savePassword: { width: 460, height: 470 }, updatePassword: { width: 460, height: 400 }, unlockToSave: { width: 460, height: 380 }, authenticate: { width: 460, height: 490 }, passwords: { width: 460, height: 490 }, generated: { width: 460, height: 400 } };
/** One that says more than usual, and any other. */
const wide = { width: 460, height: 460 };
const usual = { width: 440, height: 340 };

/** The windows in which the daemon asks the user something. @param {(method: string, params: object) => Promise<any>} request asks the daemon */
export function promptsOf(request) {
  const prompts = new Prompts({
    ask: (prompt) => request('renderer.prompt', { prompt }),
    refuse: (prompt) => request('renderer.answer', { prompt, accept: false }),
    open: (prompt, kind, isWide) => opened.open({ path: '/windows/prompt.html', prompt }, sizes[kind] ?? (isWide ? wide : usual)),
    raise: platform.raiseWindow,
    close: platform.closeWindow,
    mark: platform.mark,
  });
  platform.onWindowClosed((window) => prompts.windowClosed(window));
  return prompts;
}

# SPDX-FileCopyrightText: 2026 The Latchkey authors
# SPDX-License-Identifier: Apache-2.0
"""How a test knows that nothing more comes: nothing that was begun still goes on.

The extension is as it is; what it calls of the browser is counted, and of what goes over its connection the names of the methods.
"""

#: Waits of the worker that only limit how long something else may take.
LIMIT = 3000

#: Counts in the worker what was begun and has not ended. It has to be there before the first connection.
WORKER = """(limit) => {
  if (globalThis.calm) return;
  const calm = globalThis.calm = { open: 0, waiting: new Set(), sent: {}, got: {}, brought: 0, journal: [], errors: [], reason: '', questions: new Set(), bringUp: null };
  addEventListener('error', ({ message, error, filename, lineno }) => { calm.errors.push(error?.stack ?? `${message} (${filename}:${lineno})`); });
  addEventListener('unhandledrejection', ({ reason }) => { calm.errors.push(`rejected: ${reason?.stack ?? reason}`); });
  const note = (...words) => { calm.journal = [...calm.journal.slice(-59), `${Math.round(performance.now())} ${words.join(' ')}`]; };
  chrome.runtime.onMessage.addListener((message, sender) => {
    note('heard', message?.type, 'of frame', sender.frameId);
    if (['choose', 'unlock'].includes(message?.type)) calm.reason = message.guard?.reason ?? '';
    return false;
  });
  const count = (of, name) => { of[name] = (of[name] ?? 0) + 1; };
  const later = globalThis.setTimeout;
  const never = globalThis.clearTimeout;
  const timers = new Set();
  const ended = (timer) => { if (timers.delete(timer)) calm.open -= 1; };
  globalThis.setTimeout = (act, time = 0, ...more) => {
    if (time >= limit) return later(act, time, ...more);
    const timer = later(() => { ended(timer); act(...more); }, time);
    timers.add(timer);
    calm.open += 1;
    return timer;
  };
  globalThis.clearTimeout = (timer) => { ended(timer); never(timer); };
  for (const [area, name] of [[chrome.tabs, 'sendMessage'], [chrome.scripting, 'executeScript'], [chrome.windows, 'create'],
    [chrome.webNavigation, 'getAllFrames']]) {
    const real = area[name].bind(area);
    area[name] = (...all) => {
      calm.open += 1;
      const end = () => {
        calm.open -= 1;
        if (name === 'executeScript') calm.brought += 1;
      };
      const answer = real(...all);
      answer.then(end, end);
      answer.then(() => note('did', name), (error) => note('failed', name, error.message));
      return answer;
    };
  }
  const connect = chrome.runtime.connectNative.bind(chrome.runtime);
  chrome.runtime.connectNative = (name) => {
    const port = connect(name);
    const shows = new Map();
    const heard = [];
    const listen = port.onMessage.addListener.bind(port.onMessage);
    port.onMessage.addListener = (listener) => { heard.push(listener); listen(listener); };
    calm.bringUp = (prompt) => { for (const listener of heard) listener({ jsonrpc: '2.0', method: 'browser.bringUp', params: { prompt } }); };
    const post = port.postMessage.bind(port);
    port.postMessage = (message) => {
      if (message.method) count(calm.sent, message.method);
      if (message.method === 'renderer.prompt') shows.set(message.id, message.params.prompt);
      note('sent', message.method ?? 'answer', message.id);
      if (message.method && message.id !== undefined) calm.waiting.add(message.id);
      post(message);
    };
    listen((message) => {
      if (message.result?.isQuiet === true && shows.has(message.id)) calm.questions.add(shows.get(message.id));
      if (message.method === 'browser.dismiss') calm.questions.delete(message.params.prompt);
      note('got', message.method ?? (message.error ? `error ${message.error.code} ${message.error.data?.reason}` : 'answer'), message.id);
      if (message.method) count(calm.got, message.method);
      else if (message.id === null) calm.unread = (calm.unread ?? 0) + 1;
      else calm.waiting.delete(message.id);
    });
    port.onDisconnect.addListener(() => { calm.waiting.clear(); calm.questions.clear(); });
    return port;
  };
}"""
#: A worker that was started anew goes on with nothing.
IS_CALM = "() => !globalThis.calm || (calm.open === 0 && calm.waiting.size === 0)"
BROUGHT = "() => calm.brought"
SENT = "(method) => calm.sent[method] ?? 0"
GOT = "(method) => calm.got[method] ?? 0"

#: The questions that wait without a window of their own having opened, by their names.
QUESTIONS = "() => [...calm.questions]"
#: What comes to the extension when the user presses the notification of a question.
BRING_UP = "(prompt) => { calm.bringUp(prompt); }"

#: What the worker has not caught; it is told once.
ERRORS = "() => globalThis.calm?.errors.splice(0) ?? []"

#: Why the last choice in a bar was not proven by its press; empty where it was.
REASON = "() => globalThis.calm?.reason ?? ''"

#: What the worker did last, by its own clock, by names alone.
JOURNAL = "() => globalThis.calm ? [`${Math.round(performance.now())} now`, ...calm.journal] : []"
#: What a frame shows: where the keyboard is, and its bars.
SHOWN = """() => {
  const bars = [...document.querySelectorAll('html > div, dialog > div')].filter((one) => !one.children.length && !one.textContent).map((one) => {
    const { display, opacity, zIndex } = getComputedStyle(one);
    return [one.popover, one.matches(':popover-open'), display, opacity, zIndex, ...Object.values(one.getBoundingClientRect().toJSON()).slice(0, 4)].join(' ');
  });
  const rows = document.querySelector('#rows');
  return { ready: document.readyState, seen: document.visibilityState, focus: document.hasFocus(), at: document.activeElement?.id, size: [innerWidth, innerHeight], bars, rows: rows?.innerText };
}"""

#: Has the waits of the extension's scripts in a document take a part of their time, and counts how often they look at an element.
#: Their time limit for the browser's answer about a field (250 ms) is not shortened: a busy browser would miss it.
SCRIPTS = """(() => {
  const later = globalThis.setTimeout, never = globalThis.clearTimeout, waiting = new Set();
  const look = Element.prototype.checkVisibility;
  Object.assign(globalThis, { looks: 0 });
  Object.defineProperty(globalThis, 'waits', { get: () => waiting.size });
  globalThis.setTimeout = (act, time = 0, ...more) => {
    const wait = later(() => { waiting.delete(wait); act(...more); }, time === 250 || time === 900 ? time : time / %d);
    waiting.add(wait);
    return wait;
  };
  globalThis.clearTimeout = (wait) => { waiting.delete(wait); never(wait); };
  Element.prototype.checkVisibility = function (...all) { looks += 1; return look.apply(this, all); };
})()"""

#: One question of the page's, which is answered after all that was asked before it, and after a fill that goes on.
ASK = "chrome.runtime.sendMessage({type: 'page.focused', focused: null, page: {title: '', path: '/', language: '', forms: [], fields: []}})"
#: Has what reads a page brought; it is answered after the same of documents that were touched before.
NEED = "chrome.runtime.sendMessage({type: 'page.needs', part: 'reading'})"
#: Both, for a page that was touched.
ASK_READ = f"{NEED}.then(() => {ASK})"
FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"

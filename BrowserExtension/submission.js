// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/*
 * The other part of Latchkey that runs beside a page: it notices when the user sends a form off, and when the form is gone
 * after that. What it tells is what the user typed, or what Latchkey filled, and never what a script of the page put into a
 * field: only input that the browser itself vouches for counts, and only the user's own key or click sends anything off. It
 * is told nothing in return.
 */
'use strict';

(() => {
  const { describePage, fieldsAround, formOf, isField, refs, tell } = globalThis.latchkeyPage;
  /** What leads on, where it is clicked. */
  const buttons = 'button, input[type=submit], input[type=image], input[type=button], [role=button], a';
  /** How long the same form is not told again, how often it is looked at, and for how long, in milliseconds. */
  const pause = 1500;
  const glance = 150;
  const patience = 20_000;
  /** A longer value is nobody's user name or password. */
  const longest = 4096;

  /** What the user gave a field. @type {WeakMap<HTMLInputElement, {value: string, isPassword: boolean}>} */
  const given = new WeakMap();
  /** The field that was given something last. @type {WeakRef<HTMLInputElement> | null} */ let last = null;
  /** What was told last. */ let told = { text: '', at: -Infinity };
  let turn = 0;

  /** @param {HTMLInputElement} field @param {string} value */
  const note = (field, value) => {
    // A page that shows what was typed makes a text field of it, and it is a password all the same.
    const isPassword = field.type === 'password' || given.get(field)?.isPassword === true;
    given.set(field, { value: value.length <= longest ? value : '', isPassword });
    last = new WeakRef(field);
  };

  globalThis.latchkeyPage.filled = note;

  addEventListener('input', (event) => {
    const field = event.composedPath()[0];
    if (event.isTrusted && isField(field)) note(field, field.value);
  }, true);

  /** The user may just have sent off what was typed. @param {Element | null} [by] what was clicked */
  const send = (by = null) => {
    const field = last?.deref();
    if (!field?.isConnected) return;
    const [form, other] = [formOf(field), by && (by.form ?? by.closest('form'))];
    if (form && other && form !== other) return;
    const fields = fieldsAround(field).filter((one) => given.get(one)?.value);
    if (fields.length === 0) return;
    const page = describePage(field);
    const byRef = new Map(fields.map((one) => [refs.get(one), given.get(one)]));
    for (const one of page.fields) if (byRef.get(one.ref)?.isPassword) one.type = 'password';
    const values = page.fields.filter(({ ref }) => byRef.has(ref)).map(({ ref }) => ({ ref, value: byRef.get(ref).value }));
    const text = JSON.stringify(values);
    if (text === told.text && performance.now() - told.at < pause) return;
    told = { text, at: performance.now() };
    tell({ type: 'page.submitted', page, values });
    watch(fields.filter((one) => given.get(one)?.isPassword));
  };

  /** Whether a field is still where the user could type into it. @param {HTMLInputElement} field */
  const isThere = (field) => {
    const box = field.isConnected && field.checkVisibility({ visibilityProperty: true }) ? field.getBoundingClientRect() : null;
    return box !== null && box.width > 1 && box.height > 1;
  };

  /** Looks at the password fields of a form that was sent off until none of them is there any more. @param {HTMLInputElement[]} fields */
  const watch = async (fields) => {
    const mine = ++turn;
    if (fields.length === 0) return;
    const end = performance.now() + patience;
    for (let gone = 0; performance.now() < end; ) {
      await new Promise((resolve) => { setTimeout(resolve, glance); });
      if (mine !== turn) return;
      gone = fields.some(isThere) ? 0 : gone + 1;
      // Twice, as pages take a form away and build it again.
      if (gone > 2) {
        told = { text: '', at: -Infinity };
        tell({ type: 'page.settled', page: describePage(null) });
        return;
      }
    }
  };

  addEventListener('click', (event) => {
    const hit = event.composedPath().find((node) => node instanceof Element && node.matches(buttons));
    // What comes of the click comes after it.
    if (event.isTrusted && hit) send(hit);
  }, true);
  addEventListener('keydown', (event) => {
    if (event.isTrusted && event.key === 'Enter' && !event.isComposing && isField(event.composedPath()[0])) send();
  }, true);
  addEventListener('submit', (event) => {
    // A script can bring about an event that the browser vouches for; it cannot bring about the user's act before it.
    if (event.isTrusted && navigator.userActivation.isActive) send();
  }, true);

  const wait = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });

  chrome.runtime.onMessage.addListener((message, sender, respond) => {
    if (sender.id !== chrome.runtime.id || sender.tab || message?.type !== 'arrival') return false;
    (async () => {
      for (let count = 0; document.readyState !== 'complete' && count < 40; count += 1) await wait(100);
      await wait(300);
      respond({ page: describePage(null) });
    })();
    return true;
  });
})();

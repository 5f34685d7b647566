// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/*
 * Sees what became of a form that the user sent off: that it is gone from a document which is still there, or what a document
 * shows that took the place of another. It comes into a document for that; a second time it does nothing.
 */
'use strict';

(() => {
  /** @type {LatchkeyPage} */ const page = globalThis.latchkeyPage;
  if (!page || page.watch) return Boolean(page);
  const { describePage, fieldsAround, status, tell } = page;

  /** How often a form is looked at, and for how long, in milliseconds. */
  const glance = 150;
  const patience = 20_000;
  /** How many looks at a page without its form are enough of an answer: five seconds. */
  const answered = 33;
  let turn = 0;

  const wait = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });

  /** Whether a field is still where the user could type into it. @param {HTMLInputElement} field */
  const isThere = (field) => {
    const box = field.isConnected && field.checkVisibility({ visibilityProperty: true }) ? field.getBoundingClientRect() : null;
    return box !== null && box.width > 1 && box.height > 1;
  };

  /** The form that was sent off is gone. */
  const settle = () => {
    Object.assign(page.told, { text: '', at: -Infinity });
    tell({ type: 'page.settled', page: describePage(null) });
  };

  /** Names that a way out has, which only a person who is signed in is shown. */
  const exit = /\b(log|sign)[ -]?(out|off)\b|abmelden|ausloggen|d[ée]connexion|se d[ée]connecter|cerrar sesi[oó]n|sair|esci|uitloggen|wyloguj|выйти|çıkış|ログアウト|登出|退出|로그아웃/i;
  const buttons = 'a, button, [role=button], [role=menuitem]';

  /**
   * Whether the page says that the user is in: by its address, another form, or a way out.
   * @param {string} before the address when the form was sent @param {Set<Element>} known the fields that were seen then
   */
  const saysSo = (before, known) => location.href !== before || fieldsAround(null).some((one) => !known.has(one) && isThere(one))
    || [...document.querySelectorAll(buttons)].some((one) => one.textContent.length < 60 && exit.test(one.textContent) && isThere(one));

  /** While a form is gone and the page has said nothing. */
  let isPending = false;

  /** The user goes elsewhere: what the page shows now is its answer. */
  const conclude = () => { if (isPending) { turn += 1; isPending = false; settle(); } };

  /**
   * Looks at the password fields of a form that was sent off until none of them is there any more. A form that is gone while the server is
   * asked may come back: the page has to say more, or the time has to be up. @param {HTMLInputElement[]} fields
   */
  const watch = async (fields) => {
    const mine = ++turn;
    isPending = false;
    if (fields.length === 0) return;
    const before = location.href;
    const known = new Set(fieldsAround(null).filter(isThere));
    const end = performance.now() + patience;
    for (let gone = 0; performance.now() < end; ) {
      await wait(glance);
      if (mine !== turn) return;
      gone = fields.some(isThere) ? 0 : gone + 1;
      // Twice, as pages take a form away and build it again.
      isPending = gone > 2;
      if (isPending && (gone > answered || saysSo(before, known))) { conclude(); return; }
    }
  };

  /** What this document shows once it is there. */
  const arrival = async () => {
    for (let count = 0; document.readyState !== 'complete' && count < 40; count += 1) await wait(100);
    await wait(300);
    return { page: describePage(null), status: status() };
  };

  page.join('settling', { watch, arrival, conclude });
  return true;
})();

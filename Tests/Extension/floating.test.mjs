// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0
// S70: what floats above a question of ours, may, or did a moment ago, and what a wish to close it closes. What browsers say of their
// windows is tested in Tests/Browser.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { Floating } from '../../BrowserExtension/logic/floating.js';
import { freePlace, isOver, times } from '../../BrowserExtension/logic/places.js';
import { VirtualClock } from './virtual_clock.mjs';

/** A question of ours, what lies over it, and what does not. */
const question = { left: 400, top: 300, width: 440, height: 340 };
const over = { left: 300, top: 200, width: 300, height: 200 };
const elsewhere = { left: 1200, top: 200, width: 300, height: 200 };

/** A browser. A document answers what `answers` has under its name; one that is not there has gone. */
class Browser {
  clock = new VirtualClock();
  answers = {};
  boxes = {};
  own = new Set();
  closed = [];
  shown = [];
  sunk = [];
  #windows = [];
  #kept = {};
  #environment;

  /** @param {boolean} statesFloating as Chromium does, and Firefox does not */
  constructor(statesFloating = true) {
    this.#environment = {
      statesFloating,
      floatingWindows: async () => { if (!this.#windows) throw new Error('no'); return this.#windows; },
      isOwnWindow: (window) => this.own.has(window),
      tell: async (tab, document, { type }) => {
        if (type === 'sink') this.sunk.push(document);
        if (!(document in this.answers)) throw new Error('gone');
        return this.answers[document] === 'silent' ? new Promise(() => {}) : { floats: this.answers[document], box: this.boxes[document] };
      },
      zoomOf: async () => 2,
      closeWindow: async (window) => { this.closed.push(window); },
      showTab: async (tab) => { this.shown.push(tab); },
      kept: async (name) => this.#kept[name],
      keep: async (name, value) => { this.#kept[name] = structuredClone(value); },
    };
  }

  /** The module, each time as after a stop of the background script. */
  get floating() {
    return new Floating(this.clock, this.#environment);
  }

  /** Windows float; the first one has the same number each time. */
  async float(...boxes) {
    this.#windows = boxes.map((box, index) => ({ id: 7 + index, ...box }));
    await this.floating.list();
  }

  /** The browser does not list its windows. */
  listNone() {
    this.#windows = null;
  }

  /** A document says that something of its own floats, and says so again when it is asked. */
  async announce(document, kind, answer = kind) {
    if (answer) this.answers[document] = answer;
    await this.floating.announce({ tab: 3, frame: 0, document }, kind);
  }

  /** Waits for what takes as long as a document that does not answer has time to. */
  async #patiently(promise) {
    await this.clock.pass(500);
    return promise;
  }

  over = (place = question) => this.#patiently(this.floating.over(place));
  hides = (place = question) => this.#patiently(this.floating.hides(place));

  /** What becomes of a wish to close what lies over the question. */
  async close() {
    await this.#patiently(this.floating.close(question));
    return { closed: this.closed, shown: this.shown, sunk: this.sunk };
  }
}

describe('what floated and is gone', () => {
  for (const [name, after] of [['closed', []], ['moved', [elsewhere]]]) {
    test(`S70: counts as there for a moment: ${name}`, async () => {
      const browser = new Browser();
      await browser.float(over);
      assert.equal(await browser.hides(), true);
      await browser.clock.pass(60_000);
      await browser.float(...after);
      const floating = browser.floating;
      assert.equal(await floating.over(question), null);
      await browser.clock.pass(699);
      assert.equal(await floating.hides(question), true);
      await browser.clock.pass(1);
      assert.equal(await floating.hides(question), false);
    });
  }

  test('S70: is nobody’s concern where it was elsewhere', async () => {
    const browser = new Browser();
    await browser.float(elsewhere);
    await browser.float({ ...elsewhere, top: 500 });
    await browser.float();
    assert.equal(await browser.floating.hides(question), false);
  });

  test('S70: was anywhere, where its place was not known', async () => {
    const browser = new Browser();
    await browser.float({ ...elsewhere, width: 0 });
    await browser.float();
    assert.equal(await browser.floating.hides(question), true);
  });

  test('is none of ours: such a window was being opened, and not known for one', async () => {
    const browser = new Browser(false);
    await browser.float(over);
    browser.own.add(7);
    await browser.float();
    assert.equal(await browser.floating.hides(question), false);
  });

  test('is none of ours, though that is known only once it has gone', async () => {
    const browser = new Browser(false);
    await browser.float(over);
    await browser.float();
    browser.own.add(7);
    assert.equal(await browser.floating.hides(question), false);
  });

  for (const [name, after] of [['closed', []], ['moved', [{ ...elsewhere, id: 8 }]]]) {
    test(`S70: counts though one of ours was opened beside it, or in the moment in which it came: ${name}`, async () => {
      for (const before of [[over, elsewhere], [over]]) {
        const browser = new Browser(false);
        browser.own.add(7);
        await browser.float({ ...elsewhere, id: 7 });
        await browser.float(...before.map((box, index) => ({ ...box, id: 8 + index })));
        await browser.float(...after);
        assert.equal(await browser.floating.hides(question), true);
      }
    });
  }

  test('S70: a video that ended counts as there for a moment', async () => {
    const browser = new Browser();
    await browser.announce('D1', 'video');
    assert.equal(await browser.hides(), true);
    await browser.announce('D1', '');
    const floating = browser.floating;
    assert.equal(await floating.over(question), null);
    assert.equal(await floating.hides(question), true);
    await browser.clock.pass(700);
    assert.equal(await floating.hides(question), false);
  });

  test('S70: counts for no longer where the clock is set back', async () => {
    const browser = new Browser();
    await browser.float(over);
    await browser.float();
    const { date } = browser.clock;
    browser.clock.date = () => date() - 3_600_000;
    assert.equal(await browser.floating.hides(question), false);
  });
});

describe('what floats', () => {
  test('S70: may lie over the question where the browser lists no windows', async () => {
    const browser = new Browser();
    browser.listNone();
    assert.deepEqual(await browser.over(), { box: null, isKnown: false, isVideo: false, tab: null, windows: [], documents: [], isSilent: false });
  });

  test('S70: as a window that the browser states, is closed', async () => {
    const browser = new Browser();
    await browser.float(over);
    assert.equal((await browser.over()).isKnown, true);
    assert.deepEqual(await browser.close(), { closed: [7], shown: [], sunk: [] });
  });

  test('S70: as a window that is not known to be a page’s, is not closed', async () => {
    // Firefox lists popups of other extensions, and of files, in the same words as documents that float.
    const browser = new Browser(false);
    await browser.float(over);
    assert.equal((await browser.over()).isKnown, false);
    assert.deepEqual(await browser.close(), { closed: [], shown: [], sunk: [] });
    await browser.announce('D1', 'document');
    assert.equal((await browser.over()).isKnown, true);
    // Its own document closes it, which closes nothing else.
    assert.deepEqual(await browser.close(), { closed: [], shown: [], sunk: ['D1'] });
    await browser.float(over, elsewhere);
    assert.equal((await browser.over()).isKnown, false);
  });

  test('S70: as a video whose tab does not answer, has that tab shown', async () => {
    const browser = new Browser();
    await browser.announce('D1', 'video', 'silent');
    const { isSilent, tab } = await browser.over();
    assert.deepEqual({ isSilent, tab }, { isSilent: true, tab: 3 });
    assert.deepEqual(await browser.close(), { closed: [], shown: [3], sunk: [] });
    // Once the tab is closed, or answers, it is over.
    delete browser.answers.D1;
    assert.equal(await browser.over(), null);
  });

  test('S70: as a video that answers, is closed before a tab is shown', async () => {
    const browser = new Browser();
    await browser.announce('D1', 'video', 'silent');
    await browser.announce('D2', 'video');
    assert.equal((await browser.over()).isSilent, false);
    assert.deepEqual(await browser.close(), { closed: [], shown: [], sunk: ['D2'] });
  });

  test('S70: without being listed, is where its document says', async () => {
    // Firefox lists no longer what has got another address, and a popup that is listed may be anything. A document states places divided by its zoom.
    const browser = new Browser(false);
    await browser.float(elsewhere);
    await browser.announce('D1', 'document');
    // It may lie anywhere.
    assert.equal((await browser.over()).box, null);
    browser.boxes.D1 = times(over, 1 / 2);
    const { box, documents } = await browser.over();
    assert.deepEqual([box, documents.length], [over, 1]);
    assert.deepEqual(await browser.close(), { closed: [], shown: [], sunk: ['D1'] });
    browser.boxes.D1 = elsewhere;
    assert.equal(await browser.over(), null);
  });
});

describe('places', () => {
  for (const [name, one, lies] of [['unknown', null, true], ['over', over, true], ['beside it, but for its edge', { ...over, left: 90 }, true], ['beside it', { ...over, left: 60 }, false]]) {
    test(`S70: a window that is ${name} ${lies ? 'lies over another, or may' : 'lies over no other'}`, () => { assert.equal(isOver(one, question), lies); });
  }

  const room = { left: 0, top: 0, width: 1600, height: 1000 };
  const cases = [
    ['nothing', [], [400, 300]], ['a small window', [over], [400, 432]], ['a high one', [{ ...over, height: 700 }], [632, 300]],
    ['two', [over, { ...over, left: 700, width: 900 }], [400, 432]], ['one that fills the screen', [{ left: 10, top: 10, width: 1580, height: 900 }], null],
  ];
  for (const [name, others, place] of cases) {
    test(`S70: beside ${name} there is the nearest place, or none`, () => {
      assert.deepEqual(freePlace(question, room, others), place && { ...question, left: place[0], top: place[1] });
    });
  }
});

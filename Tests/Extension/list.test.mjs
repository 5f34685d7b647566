// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0
// How a list is gone through by keys, which row of it is marked, which rows letters leave, and when a provider is asked for others. That a
// window draws what is decided here, and says it to a screen reader, is tested in Tests/Browser.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { Further, Search, isMatch, isPlain, ledTo, markedIn } from '../../BrowserExtension/logic/list.js';
import { VirtualClock, settled } from './virtual_clock.mjs';

/** The rows that keys lead to, one after the other. */
function way(keys, list, from = 0) {
  const rows = [];
  for (const key of keys) rows.push(from = ledTo(key, from, list));
  return rows;
}

describe('keys', () => {
  test('arrows go through the rows and stop at their ends', () => {
    assert.deepEqual(way(['ArrowUp', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp'], { count: 3, leap: 4 }), [0, 1, 2, 2, 1]);
  });

  test('Page Up and Page Down leap, and stop at the ends', () => {
    assert.deepEqual(way(['PageDown', 'PageDown', 'PageDown', 'PageUp', 'PageUp'], { count: 20, leap: 10 }), [10, 19, 19, 9, 0]);
  });

  test('Home and End lead to the ends, but for a field, in which they go through the text', () => {
    assert.deepEqual(way(['End', 'Home'], { count: 7, leap: 4 }, 3), [6, 0]);
    for (const key of ['End', 'Home']) assert.equal(ledTo(key, 3, { count: 7, leap: 4, isText: true }), null);
  });

  test('up from the first row are the rows that are always in sight below', () => {
    assert.equal(ledTo('ArrowUp', 0, { count: 5, leap: 4, below: 2 }), 4);
    assert.equal(ledTo('ArrowUp', 4, { count: 5, leap: 4, below: 2 }), 3);
  });

  test('the first key marks the first row where none is marked', () => {
    assert.deepEqual(['ArrowDown', 'ArrowUp'].map((key) => ledTo(key, -1, { count: 5, leap: 4 })), [0, 0]);
  });

  test('in a list without rows they lead to none, and other keys lead nowhere', () => {
    for (const key of ['ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'Home', 'End']) assert.equal(ledTo(key, -1, { count: 0, leap: 4, below: 0 }), -1, key);
    for (const key of ['Enter', 'a', 'constructor', 'Tab']) assert.equal(ledTo(key, 0, { count: 3, leap: 4 }), null, key);
  });

  test('a key that is held with another, or composes a word, is not one of the list', () => {
    const plain = { altKey: false, ctrlKey: false, metaKey: false, isComposing: false };
    assert.equal(isPlain(plain), true);
    for (const name of Object.keys(plain)) assert.equal(isPlain({ ...plain, [name]: true }), false, name);
  });
});

describe('the marked row, when the list is made anew', () => {
  const [anna, berta, carla] = ['anna', 'berta', 'carla'].map((name, index) => ({ id: `row-${index}`, name }));

  test('stays marked, wherever it is now', () => {
    assert.equal(markedIn(berta, [{ id: 'row-0', name: 'aaron' }, { id: 'row-1', name: 'anna' }, { id: 'row-2', name: 'berta' }]), 2);
  });

  test('of two rows of one name is the one of the same identifier, and otherwise none', () => {
    const twins = [anna, { id: 'row-1', name: 'berta' }, { id: 'row-2', name: 'berta' }];
    assert.equal(markedIn(twins[2], twins), 2);
    assert.equal(markedIn({ id: 'row-7', name: 'berta' }, twins), 0);
  });

  test('is the first where it is gone, or where none was marked', () => {
    assert.equal(markedIn(berta, [anna, carla]), 0);
    assert.equal(markedIn(null, [anna, carla]), 0);
    // The identifier is another row's now.
    assert.equal(markedIn(berta, [anna, { id: 'row-1', name: 'carla' }]), 0);
  });
});

describe('letters', () => {
  const cases = [['ann', true], ['ANN', true], ['Ánn', true], [' nna ', true], ['', true], ['anne', false], ['password', false]];
  for (const [letters, found] of cases) {
    test(`“${letters}” ${found ? 'stands' : 'does not stand'} in “Änna”`, () => { assert.equal(isMatch(['shiny.example.com', 'Änna'], letters), found); });
  }

  test('a ligature is what it is written for', () => { assert.equal(isMatch(['o\uFB03ce'], 'office'), true); });
});

describe('a search in a provider’s list', () => {
  /** A search whose questions are taken when the test says so. */
  function begun() {
    const clock = new VirtualClock();
    const sent = [];
    const states = [];
    const search = new Search(clock, (words) => new Promise((taken) => { sent.push({ words, taken }); }), (isWaiting) => { states.push(isWaiting); });
    return { clock, sent, states, search, words: () => sent.map(({ words }) => words) };
  }

  test('one question is sent at a time, and the last words win', async () => {
    const { search, sent, words } = begun();
    for (const text of ['b', 'ba', 'ban']) search.find(text);
    assert.deepEqual(words(), ['b']);
    sent[0].taken();
    await settled();
    assert.deepEqual(words(), ['b', 'ban']);
    sent[1].taken();
    await settled();
    assert.deepEqual(words(), ['b', 'ban']);
  });

  test('no row is chosen before its rows are there and have been for a moment', async () => {
    const { clock, search, sent } = begun();
    assert.equal(search.isWaiting, false);
    search.find('b');
    assert.equal(search.isWaiting, true);
    // Rows of an earlier question, as this one has not been taken.
    search.came();
    await clock.pass(5000);
    assert.equal(search.isWaiting, true);
    sent[0].taken();
    await settled();
    search.came();
    await clock.pass(149);
    assert.equal(search.isWaiting, true);
    // Others follow.
    search.came();
    await clock.pass(149);
    assert.equal(search.isWaiting, true);
    await clock.pass(1);
    assert.equal(search.isWaiting, false);
  });

  test('a provider that has nothing else to show is waited for a second', async () => {
    const { clock, search, sent, states } = begun();
    search.find('b');
    sent[0].taken();
    await clock.pass(999);
    assert.equal(search.isWaiting, true);
    await clock.pass(1);
    assert.equal(search.isWaiting, false);
    assert.deepEqual(states, [true, false]);
  });

  test('other letters begin anew', async () => {
    const { clock, search, sent } = begun();
    search.find('b');
    sent[0].taken();
    await settled();
    search.came();
    search.find('ba');
    await clock.pass(5000);
    assert.equal(search.isWaiting, true);
  });

  test('is forgotten with its window: what was not sent by then is not sent', async () => {
    const { search, sent, words } = begun();
    search.find('b');
    search.find('ba');
    search.forget();
    sent[0].taken();
    await settled();
    assert.deepEqual(words(), ['b']);
  });
});

describe('further rows of a provider’s list', () => {
  function begun(count = 50) {
    const clock = new VirtualClock();
    let asked = 0;
    const further = new Further(clock, async () => { asked += 1; });
    further.came(count, true);
    return { clock, further, asked: () => asked };
  }

  test('are asked for once at a time', async () => {
    const { clock, further, asked } = begun();
    for (let turn = 0; turn < 5; turn += 1) further.isNear(true);
    assert.equal(asked(), 1);
    await clock.pass(999);
    further.isNear(true);
    assert.equal(asked(), 1);
    await clock.pass(1);
    further.isNear(true);
    assert.equal(asked(), 2);
  });

  test('are asked for again once some have come', async () => {
    const { further, asked } = begun();
    further.isNear(false);
    further.came(100, true);
    further.isNear(false);
    assert.equal(asked(), 2);
  });

  test('are not asked for without an end where a question brings nothing, but once more by the user', async () => {
    const { further, asked } = begun();
    further.isNear(false);
    for (let turn = 0; turn < 5; turn += 1) {
      further.came(50, true);
      further.isNear(false);
    }
    assert.equal(asked(), 1);
    further.isNear(true);
    assert.equal(asked(), 2);
  });

  test('are not asked for where there are none', () => {
    const { further, asked } = begun();
    further.came(50, false);
    further.isNear(true);
    assert.equal(asked(), 0);
  });

  test('a question that is taken after its rows have come ends no later one', async () => {
    const clock = new VirtualClock();
    const taken = [];
    const further = new Further(clock, () => new Promise((resolve) => { taken.push(resolve); }));
    further.came(50, true);
    further.isNear(true);
    further.came(100, true);
    further.isNear(true);
    taken[0]();
    await clock.pass(1000);
    further.isNear(true);
    assert.equal(taken.length, 2);
  });

  test('what a question that is over was to end, ends no later one', async () => {
    const { clock, further, asked } = begun();
    further.isNear(true);
    await clock.pass(900);
    further.came(100, true);
    further.isNear(true);
    await clock.pass(150);
    further.isNear(true);
    assert.equal(asked(), 2);
  });
});

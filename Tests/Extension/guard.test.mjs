// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0
// When a choice in a bar counts: what the guard has to know, for how long, and what breaks it. What a browser reports of coverings, and that
// the guard hears of it, is tested in Tests/Browser.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { after, evidence, judged, proof, ratioOf, reason, timeLeft, unseen } from '../../BrowserExtension/logic/guard.js';
import { VirtualClock } from './virtual_clock.mjs';

const whole = { type: 'seen', isVisible: true, ratio: 1 };
const frame = { pixels: 1, depth: 1 };
const click = { isTrusted: true, isKey: false };

/** What is known after events, each with its time. */
function known(...events) {
  return events.reduce((before, [now, event]) => after(before, event, now), unseen(0, true));
}

/** The verdict on a choice. */
const verdict = (state, now, event = click, at = frame) => judged(state, now, event, at)[1];

/** A bar that has been whole since 0, of a tab with the usual zoom. */
const standing = (...events) => known([0, whole], [0, { type: 'scaled', scale: 1, zoom: 1 }], [0, { type: 'window', place: 'here' }], ...events);

describe('the time before a choice counts', () => {
  test('S1: a choice counts once the bar has been whole for 500 ms', () => {
    assert.deepEqual(verdict(standing(), 499), { counts: false, held: false, reason: 'early' });
    assert.deepEqual(verdict(standing(), 500), { counts: true, held: true, reason: '' });
    assert.equal(timeLeft(standing(), 499), 1);
    assert.equal(timeLeft(standing(), 500), 0);
  });

  test('S2: clicking on and on never counts', () => {
    let state = standing();
    for (let now = 400; now < 5000; now += 400) {
      const [next, { counts }] = judged(state, now, click, frame);
      assert.equal(counts, false);
      state = next;
    }
  });

  const anew = [
    ['new rows', [{ type: 'begun' }]],
    ['another size', [{ type: 'resized' }, { type: 'scaled', scale: 1, zoom: 1 }]],
    ['S70: a window that is moved', [{ type: 'window', place: 'there' }]],
    ['S1: a bar that was covered', [{ ...whole, isVisible: false }, whole]],
    ['S1: a bar that was loaded out of sight', [{ ...whole, ratio: 0 }, whole]],
    ['S2: a frame that is moved under the pointer', [{ type: 'pointer', x: 10, y: 10 }, { type: 'pointer', x: 10, y: 13 }]],
  ];
  for (const [name, events] of anew) {
    test(`${name} begins anew`, () => {
      const state = standing(...events.map((event) => [1000, event]));
      assert.equal(verdict(state, 1499).reason, 'early');
      assert.equal(verdict(state, 1500).held, true);
    });
  }

  const key = { isTrusted: true, isKey: true };

  test('S71: a key counts 500 ms after the keyboard has come in, and proves what a press does', () => {
    const state = standing([1000, { type: 'entered' }]);
    assert.deepEqual(verdict(state, 1499, key), { counts: false, held: false, reason: 'early' });
    assert.deepEqual(verdict(state, 1500, key), { counts: true, held: true, reason: '' });
  });

  test('S71: keys that go on begin anew', () => {
    let state = standing([1000, { type: 'entered' }]);
    for (let now = 1400; now < 5000; now += 400) state = after(state, { type: 'key' }, now);
    assert.deepEqual(verdict(state, 5099, key), { counts: false, held: false, reason: 'early' });
    assert.equal(verdict(after(state, { type: 'key' }, 5400), 5400, key).held, true, 'a key after a rest is a choice');
  });

  const nothing = [
    ['a window that stays', { type: 'window', place: 'here' }],
    ['the first word of the pointer', { type: 'pointer', x: 10, y: 10 }],
    ['another report that all is seen', whole],
  ];
  for (const [name, event] of nothing) {
    test(`${name} changes nothing`, () => { assert.equal(verdict(standing([1000, event]), 1001).held, true); });
  }

  test('a pointer that is reckoned up to 3 pixels off is no move', () => {
    const state = standing([0, { type: 'pointer', x: 10, y: 10 }], [1000, { type: 'pointer', x: 12, y: 12 }]);
    assert.equal(verdict(state, 1001).held, true);
  });
});

describe('what breaks the guard', () => {
  const broken = [
    ['S1: something over it', { ...whole, isVisible: false }, 'covered'],
    ['S2: a part that is cut off', { ...whole, ratio: 0.99 }, 'covered'],
    ['a bar out of sight', { ...whole, ratio: 0 }, 'early'],
  ];
  for (const [name, event, why] of broken) {
    test(name, () => {
      const state = standing([1000, event]);
      assert.deepEqual(verdict(state, 5000), { counts: false, held: false, reason: why });
      assert.equal(timeLeft(state, 5000), Infinity);
    });
  }

  for (const [name, pixels] of [['a page that is zoomed by a style', 0.9], ['a page that is zoomed a little', 1.02]]) {
    test(`S1: ${name}`, () => { assert.deepEqual(verdict(standing(), 1000, click, { ...frame, pixels }), { counts: true, held: false, reason: 'zoomed' }); });
  }

  test('a scale that nobody has stated', () => {
    for (const scaled of [{ scale: 0, zoom: 1 }, { scale: 1, zoom: 0 }, { scale: NaN, zoom: 1 }, {}]) {
      assert.equal(verdict(known([0, whole], [0, { type: 'scaled', ...scaled }]), 1000).reason, 'zoomed');
    }
  });

  test('S2: in nested frames the pointer has to have been over the bar for 500 ms', () => {
    const nested = { ...frame, depth: 2 };
    assert.equal(verdict(standing(), 1000, click, nested).reason, 'nested');
    const state = standing([1000, { type: 'pointer', x: 10, y: 10 }]);
    assert.equal(verdict(state, 1499, click, nested).reason, 'nested');
    assert.equal(verdict(state, 1500, click, nested).held, true);
  });

  describe('a browser that does not say what covers a frame', () => {
    const silent = (...events) => [[0, { ...whole, isVisible: false }], [0, { type: 'scaled', scale: 1, zoom: 1 }], ...events]
      .reduce((before, [now, event]) => after(before, event, now), unseen(0, false));

    test('S71: says so last, and no choice is known to be one', () => {
      assert.deepEqual(verdict(silent(), 1000), { counts: true, held: false, reason: 'not stated' });
      assert.deepEqual(verdict(silent([0, { type: 'entered' }]), 1000, { ...click, isKey: true }), { counts: true, held: false, reason: 'not stated' });
    });

    const wrong = [
      ['too early', silent([600, { type: 'begun' }]), click, frame, 'early'],
      ['a part that is cut off', silent([600, { ...whole, ratio: 0.99 }]), click, frame, 'covered'],
      ['zoomed', silent(), click, { ...frame, pixels: 0.9 }, 'zoomed'],
      ['a key by nobody', silent(), { ...click, isKey: true }, frame, 'key'],
      ['in nested frames, wherever the pointer was', silent([0, { type: 'pointer', x: 10, y: 10 }]), click, { ...frame, depth: 2 }, 'framed'],
    ];
    for (const [name, state, event, at, why] of wrong) {
      test(`S71: what is wrong comes first: ${name}`, () => { assert.equal(verdict(state, 1000, event, at).reason, why); });
    }
  });
});

describe('what a choice is made by', () => {
  test('S3: what a script does is no choice', () => {
    assert.deepEqual(verdict(standing(), 1000, { ...click, isTrusted: false }, frame), { counts: false, held: false, reason: 'synthetic' });
  });

  test('S71: a key in a frame into which the keyboard did not come by its field proves nothing', () => {
    assert.deepEqual(verdict(standing(), 1000, { ...click, isKey: true }, frame), { counts: true, held: false, reason: 'key' });
    assert.equal(verdict(standing(), 499, { ...click, isKey: true }, frame).counts, false);
  });
});

describe('the evidence of a press', () => {
  const good = async () => ({ reason: '', scale: 1 });
  const seen = async () => true;

  /** What is found, and after how long. */
  async function found(look, isSeen = seen, { pressed = 0, pixels = 1 } = {}) {
    const clock = new VirtualClock();
    const began = clock.now();
    const answer = evidence(clock, began - pressed, pixels, look, isSeen);
    await clock.pass(250);
    return answer;
  }

  test('nothing is wrong where all say so', async () => { assert.equal(await found(good), ''); });
  test('what a document says', async () => { assert.equal(await found(async () => ({ reason: 'held up', scale: 1 })), 'held up'); });
  test('a document that says nothing', async () => { assert.equal(await found(async () => ({ scale: 1 })), 'no answer'); });
  test('a document that fails', async () => { assert.equal(await found(() => Promise.reject(new Error('gone'))), 'no answer'); });
  test('a document that is zoomed', async () => { assert.equal(await found(async () => ({ reason: '', scale: 1.1 })), 'zoomed'); });
  test('a document without a scale', async () => { assert.equal(await found(async () => ({ reason: '' })), 'zoomed'); });
  test('S38: a frame that is not seen anew', async () => { assert.equal(await found(good, async () => false), 'covered'); });
  test('S38: an answer that takes longer than 250 ms', async () => { assert.equal(await found(() => new Promise(() => {})), 'no answer in time'); });

  test('S38: a press that was held up for more than 150 ms, about which nobody is asked', async () => {
    const nobody = () => { throw new Error('asked'); };
    assert.equal(await found(nobody, nobody, { pressed: 151 }), 'late press');
    assert.equal(await found(good, seen, { pressed: 150 }), '');
  });

  test('an observation counts from the press on', async () => {
    let asked = 0;
    await found(good, async (since) => { asked = since; return true; });
    assert.equal(asked, new VirtualClock().now());
  });

  test('S38: a click without a press, or long after it, proves nothing', async () => {
    const press = { at: 0, reason: Promise.resolve('') };
    assert.equal(await proof(null, 0, () => ''), 'no press');
    assert.equal(await proof(press, 1500, () => ''), 'no press');
    assert.equal(await proof(press, 1499, () => ''), '');
  });

  test('what is wrong with the press or with the frame now is wrong with the click', async () => {
    assert.equal(await proof({ at: 0, reason: Promise.resolve('covered') }, 1, () => ''), 'covered');
    assert.equal(await proof({ at: 0, reason: Promise.resolve('') }, 1, () => reason(standing([0, { ...whole, isVisible: false }]), 1, frame)), 'covered');
  });
});

test('S70: where the frame is on the screen goes by the zoom of the tab', () => {
  const state = known([0, { type: 'scaled', scale: 3, zoom: 2 }]);
  assert.equal(ratioOf(state, 1.5), 1);
  assert.equal(ratioOf(unseen(0, true), 1.5), 1);
});

// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0
// What takes the place of a page in which the user sent a form off, and when the daemon is told.

import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';

import { Submissions } from '../../BrowserExtension/logic/submissions.js';
import { VirtualClock } from './virtual_clock.mjs';

const form = { tab: 1, frame: 0, document: 'form' };
const inner = { tab: 1, frame: 7, document: 'inner' };
const welcome = { title: 'Welcome' };

let clock, frames, answers, asked, told, submissions;

beforeEach(() => {
  clock = new VirtualClock();
  frames = [{ frame: 0, document: 'next', origin: 'https://a.example' }];
  /** What documents say; a function for one that takes its time. */
  answers = { next: { status: 200, page: welcome } };
  [asked, told] = [[], []];
  submissions = new Submissions(clock, {
    framesOf: async () => frames,
    askArrival: async (tab, document) => {
      asked.push([clock.now(), document]);
      const answer = answers[document];
      return typeof answer === 'function' ? answer() : answer ?? null;
    },
    settle: async (params) => { told.push(params); },
  });
});

/** A form with a password that the user typed. */
const sent = (target = form, top = 'form') => submissions.keep(target, top, true, true);
const settledForm = { tab: 1, document: 'form', page: welcome, origin: 'https://a.example' };

describe('a page that takes the place of a form', () => {
  test('is told of, with what it shows and the origin that the browser states', async () => {
    sent();
    submissions.navigated(1, 0, 'next', false);
    await clock.pass(0);
    assert.deepEqual(told, [settledForm]);
    assert.deepEqual(submissions.in(1), [], 'the form is settled');
  });

  test('is asked until it knows, every 200 ms, 25 times', async () => {
    sent();
    answers.next = null;
    submissions.navigated(1, 0, 'next', false);
    await clock.pass(60_000);
    assert.equal(asked.length, 25);
    assert.equal(asked[24][0] - asked[0][0], 24 * 200);
    assert.deepEqual(told, [{ tab: 1, document: 'form', origin: 'https://a.example' }]);
  });

  test('that does not answer for 10 s is told of without what it shows', async () => {
    sent();
    answers.next = () => new Promise(() => {});
    submissions.navigated(1, 0, 'next', false);
    await clock.pass(9_999);
    assert.deepEqual(told, []);
    await clock.pass(1);
    assert.deepEqual(told, [{ tab: 1, document: 'form', origin: 'https://a.example' }]);
  });

  for (const status of [400, 401, 500]) {
    test(`with an error (${status}) is no yes`, async () => {
      sent();
      answers.next = { status, page: welcome };
      submissions.navigated(1, 0, 'next', false);
      await clock.pass(60_000);
      assert.deepEqual(told, []);
      assert.equal(submissions.in(1)[0].isTyped, false, 'only the user can ask to save it');
    });
  }

  test('that leads on by a script does not count, the one behind it does', async () => {
    sent();
    answers.next = () => new Promise((resolve) => { clock.after(300, () => resolve({ status: 200, page: { title: 'Please wait' } })); });
    answers.last = { status: 200, page: welcome };
    submissions.navigated(1, 0, 'next', false);
    await clock.pass(100);
    submissions.navigated(1, 0, 'last', false);
    await clock.pass(1_000);
    assert.deepEqual(told, [settledForm]);
  });

  test('that the user went to by the browser’s controls asks nothing', async () => {
    sent();
    submissions.navigated(1, 0, 'next', true);
    await clock.pass(60_000);
    assert.deepEqual([told, asked], [[], []]);
  });

  test('that the form’s own page has loaded anew is the site’s answer', async () => {
    sent();
    submissions.reloads(form);
    submissions.navigated(1, 0, 'next', true);
    await clock.pass(0);
    assert.deepEqual(told, [settledForm]);
    sent();
    submissions.reloads(form);
    submissions.navigated(1, 0, 'form', false);
    submissions.navigated(1, 0, 'next', true);
    await clock.pass(0);
    assert.equal(told.length, 1, 'it counts once');
  });

  test('in another tab or another frame is another matter', async () => {
    sent(inner, 'top');
    submissions.navigated(2, 7, 'next', false);
    submissions.navigated(1, 8, 'next', false);
    await clock.pass(60_000);
    assert.deepEqual(asked, []);
    submissions.navigated(1, 0, 'next', false);
    await clock.pass(0);
    assert.deepEqual(told, [{ ...settledForm, document: 'inner' }], 'the page around a frame takes its place, too');
  });

  test('is not told of where the form was dropped meanwhile', async () => {
    for (const drop of [() => submissions.clear(), () => submissions.dropIn(1), () => submissions.drop(form)]) {
      sent();
      answers.next = null;
      submissions.navigated(1, 0, 'next', false);
      await clock.pass(100);
      drop();
      answers.next = { status: 200, page: welcome };
      await clock.pass(60_000);
      assert.deepEqual(told, []);
    }
  });
});

describe('a user who goes elsewhere', () => {
  for (const document of ['form', 'top']) {
    test(`by a link of the ${document} is no answer of the site`, async () => {
      sent({ ...form }, 'top');
      submissions.strays({ ...form, document }, 200, welcome, 'https://a.example');
      submissions.navigated(1, 0, 'next', false);
      await clock.pass(60_000);
      assert.deepEqual(told, []);
    });
  }

  test('from the page that took the form’s place has seen what it shows', async () => {
    sent();
    answers.next = null;
    submissions.navigated(1, 0, 'next', false);
    await clock.pass(0);
    submissions.strays({ ...form, document: 'next' }, 200, null, 'https://a.example');
    assert.deepEqual(told, [], 'it was there too briefly');
    submissions.strays({ ...form, document: 'next' }, 200, welcome, 'https://a.example');
    await clock.pass(60_000);
    assert.deepEqual(told, [settledForm]);
  });

  test('from a page in another tab is another matter', () => {
    sent();
    submissions.strays({ tab: 2, frame: 0, document: 'form' }, 200, welcome, '');
    assert.equal(submissions.in(1)[0].isTyped, true);
  });
});

describe('a frame with a form', () => {
  beforeEach(() => {
    sent(inner, 'top');
    frames = [{ frame: 0, document: 'top', origin: 'https://a.example' }, { frame: 7, document: 'inner', origin: 'https://b.example' }];
    answers.top = { status: 200, page: welcome };
  });

  test('that is removed is settled by the page around it', async () => {
    submissions.left(inner);
    await clock.pass(300);
    assert.deepEqual(told, []);
    frames = frames.slice(0, 1);
    await clock.pass(200);
    assert.deepEqual(told, [{ tab: 1, document: 'inner', page: welcome, origin: 'https://a.example' }]);
  });

  test('that is hidden and stays asks nothing, and is looked after for 2 s', async () => {
    submissions.left(inner);
    await clock.pass(2_000);
    frames = frames.slice(0, 1);
    await clock.pass(60_000);
    assert.deepEqual([told, asked], [[], []]);
  });

  test('whose page is gone as well is left to what takes its place', async () => {
    submissions.left(inner);
    frames = [{ frame: 0, document: 'next', origin: 'https://a.example' }];
    await clock.pass(60_000);
    assert.deepEqual(told, []);
  });

  test('at the top of its tab is no frame', async () => {
    sent();
    frames = [];
    submissions.left(form);
    await clock.pass(60_000);
    assert.deepEqual(asked, []);
  });
});

describe('what is kept', () => {
  test('a form that was removed settles what the user typed, and nothing else', () => {
    sent();
    assert.equal(submissions.settles(form), true);
    assert.equal(submissions.settles(form), false, 'once');
    submissions.keep(form, 'form', true, false);
    assert.equal(submissions.settles(form), false);
    assert.equal(submissions.in(1).length, 1, 'the user can still ask to save it');
  });

  test('after a search in the same page the next page is no answer to the sign-in', async () => {
    sent();
    submissions.keep(form, 'form', false, true);
    submissions.navigated(1, 0, 'next', false);
    await clock.pass(60_000);
    assert.deepEqual(told, []);
    assert.equal(submissions.in(1)[0].holdsPassword, true);
  });

  test('a form is kept as long as the daemon keeps it', async () => {
    sent();
    await clock.pass(179_999);
    assert.equal(submissions.in(1).length, 1);
    await clock.pass(1);
    assert.equal(submissions.in(1).length, 0);
  });

  test('of more than 16 the tab with most of them loses what nobody typed, or else its oldest', () => {
    submissions.keep({ tab: 2, frame: 0, document: 'alone' }, 'alone', true, false);
    for (let number = 0; number < 16; number += 1) submissions.keep({ ...form, document: `form ${number}` }, 'top', true, number !== 3);
    const documents = () => submissions.in(1).map(({ document }) => document);
    assert.ok(!documents().includes('form 3') && documents().includes('form 0'));
    submissions.keep({ ...form, document: 'one more' }, 'top', true, true);
    assert.ok(!documents().includes('form 0') && documents().includes('one more'));
    assert.equal(submissions.in(2).length, 1);
  });
});

// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0
// Which row a choice is for: one that was given to that very document, once; and the rows that are asked for before their bar is there.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { EarlyRows, Rows } from '../../BrowserExtension/logic/rows.js';
import { code } from '../../BrowserExtension/messages/errors.js';
import { settled } from './virtual_clock.mjs';

const anna = { title: 'shiny.example.com', user: 'anna', provider: 'org.latchkey' };
const [page, other] = ['7 A', '7 B'];

function given(...rows) {
  const all = new Rows();
  all.give(rows, page);
  return all;
}

describe('the row that was chosen', () => {
  test('is known by its handle, once', () => {
    const rows = given({ handle: 'h1', ...anna });
    assert.deepEqual(rows.take({ handle: 'h1' }, page), { ...anna, id: undefined, handle: 'h1' });
    // After that it is known by its words alone, as one of an earlier connection.
    assert.equal(rows.take({ handle: 'h1', row: anna }, page).handle, undefined);
  });

  test('S5: of another document is refused, and used up', () => {
    const rows = given({ handle: 'h1', ...anna });
    assert.throws(() => rows.take({ handle: 'h1' }, other), { code: code.notFound });
    assert.equal(rows.take({ handle: 'h1', row: anna }, page).handle, undefined);
  });

  test('says what was given, whatever its document says of it now', () => {
    const rows = given({ handle: 'h1', ...anna });
    assert.equal(rows.take({ handle: 'h1', row: { ...anna, user: 'berta' } }, page).user, 'anna');
  });

  test('without a handle that is known is the one of its words', () => {
    assert.deepEqual(given().take({ handle: 'old', row: { ...anna, id: 'c1', guard: 'x' } }, page), { ...anna, id: 'c1' });
  });

  test('of another document that cannot be filled is nobody’s', () => {
    const rows = given({ ...anna });
    assert.equal(rows.take({ row: anna }, other).handle, undefined);
    assert.throws(() => rows.takeSame(anna, page), { code: code.expired });
  });

  test('without any words is none', () => {
    assert.equal(given().take({}, page).title, undefined);
    assert.throws(() => given({ handle: 'h1', ...anna }).takeSame(given().take({}, page), page), { code: code.expired });
  });
});

describe('a row of the same words', () => {
  test('has another handle now, once', () => {
    const rows = given({ handle: 'h1', ...anna, user: 'berta' }, { handle: 'h2', ...anna });
    assert.equal(rows.takeSame(anna, page), 'h2');
    assert.throws(() => rows.takeSame(anna, page), { code: code.expired });
  });

  for (const name of ['title', 'user', 'provider']) {
    test(`with another ${name} is another row`, () => {
      assert.throws(() => given({ handle: 'h1', ...anna }).takeSame({ ...anna, [name]: 'x' }, page), { code: code.expired });
    });
  }

  test('S5: of another document is another row', () => {
    assert.throws(() => given({ handle: 'h1', ...anna }).takeSame(anna, other), { code: code.expired });
  });

  test('of two codes that are called the same is the one that was chosen', () => {
    const rows = given({ handle: 'h1', ...anna, code: { id: 'c1' } }, { handle: 'h2', ...anna, code: { id: 'c2' } });
    const chosen = rows.take({ handle: 'h2' }, page);
    rows.give([{ handle: 'h3', ...anna, code: { id: 'c1' } }, { handle: 'h4', ...anna, code: { id: 'c2' } }], page);
    assert.equal(rows.takeSame(chosen, page), 'h4');
  });

  test('is gone with what was offered before a lock', () => {
    const rows = given({ handle: 'h1', ...anna });
    rows.clear();
    assert.throws(() => rows.takeSame(anna, page), { code: code.expired });
  });
});

describe('rows that are asked for early', () => {
  /** Questions that end when the test says so. */
  function begun() {
    const open = [];
    const early = new EarlyRows();
    const ask = (key, session = 's1') => early.ask(key, session, () => new Promise((answered, failed) => { open.push({ answered, failed }); }));
    return { early, open, ask };
  }

  test('are for one bar', async () => {
    const { early, open, ask } = begun();
    ask(page);
    const answer = early.take(page, 's1');
    open[0].answered('rows');
    assert.equal(await answer, 'rows');
    assert.equal(early.take(page, 's1'), null);
  });

  test('are for no other session and no other document', () => {
    const { early, ask } = begun();
    ask(page);
    ask(other);
    assert.equal(early.take(page, 's2'), null);
    assert.equal(early.take(page, 's1'), null);
    early.drop(other);
    assert.equal(early.take(other, 's1'), null);
  });

  test('of a document are asked for once at a time, and again after that', async () => {
    const { early, open, ask } = begun();
    for (let turn = 0; turn < 9; turn += 1) ask(page);
    assert.equal(open.length, 1);
    open[0].failed(new Error('no'));
    await settled();
    ask(page);
    assert.equal(open.length, 2);
    assert.notEqual(early.take(page, 's1'), null);
  });

  test('are asked for eight documents at a time', async () => {
    const { open, ask } = begun();
    for (let frame = 0; frame < 20; frame += 1) ask(`7 ${frame}`);
    assert.equal(open.length, 8);
    open[3].answered('rows');
    await settled();
    ask(page);
    assert.equal(open.length, 9);
  });
});

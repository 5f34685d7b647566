// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0
// When a window opens for a question of the daemon, what its end says to the daemon, and which questions wait for the user to ask for them.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { Prompts } from '../../BrowserExtension/logic/prompts.js';
import { code } from '../../BrowserExtension/messages/errors.js';
import { settled } from './virtual_clock.mjs';

/** What the daemon says of a question about which a window opens by itself, and of one that waits. */
const shown = { kind: 'fill', site: 'shiny.example.com' };
const quiet = { kind: 'savePassword', site: 'shiny.example.com', isQuiet: true };

/** Questions, and all that they had done. Windows open when the test says so, unless they do at once. */
function begun({ about = shown, isHeld = false } = {}) {
  const done = [];
  const held = [];
  let window = 10;
  const note = (name) => async (...words) => { done.push([name, ...words].join(' ')); };
  const open = async (prompt, kind, isWide) => {
    done.push(`open ${prompt} ${kind}${isWide ? ' wide' : ''}`);
    window += 1;
    const mine = window;
    if (isHeld) await new Promise((opened) => { held.push(opened); });
    return mine;
  };
  const environment = {
    ask: async () => { if (about instanceof Error) throw about; return about; },
    refuse: note('refuse'), raise: note('raise'), close: note('close'), open, mark: (isWaiting) => { done.push(`mark ${isWaiting}`); },
  };
  const prompts = new Prompts(environment);
  return { prompts, environment, done, acts: () => done.filter((one) => !one.startsWith('mark')), marked: () => done.findLast((one) => one.startsWith('mark')), open: async () => { held.shift()(); await settled(); } };
}

describe('a question that the user’s act has brought up', () => {
  test('opens a window, larger where it gives reasons', async () => {
    const { prompts, acts } = begun();
    await prompts.present({ prompt: 'p' });
    assert.deepEqual([acts(), prompts.waiting], [['open p fill'], []]);
    const more = begun({ about: { ...shown, reasons: ['one'] } });
    await more.prompts.present({ prompt: 'p' });
    assert.deepEqual(more.acts(), ['open p fill wide']);
  });

  const ends = [
    ['its window is closed', (prompts) => prompts.windowClosed(11)],
    ['its document is closed', (prompts) => prompts.closed('p')],
  ];
  for (const [name, end] of ends) {
    test(`is answered no, once, when ${name}`, async () => {
      const { prompts, acts } = begun();
      await prompts.present({ prompt: 'p' });
      end(prompts);
      for (const [, again] of ends) again(prompts);
      assert.deepEqual(acts(), ['open p fill', 'refuse p']);
    });
  }

  test('is answered by nothing that another window does', async () => {
    const { prompts, acts } = begun();
    await prompts.present({ prompt: 'p' });
    prompts.windowClosed(99);
    prompts.closed('q');
    assert.deepEqual(acts(), ['open p fill']);
  });

  test('takes its window away when it has ended, which is no answer', async () => {
    const { prompts, acts } = begun();
    await prompts.present({ prompt: 'p' });
    prompts.dismiss('p');
    prompts.windowClosed(11);
    assert.deepEqual(acts(), ['open p fill', 'close 11']);
  });

  test('that ended while its window was being opened has that closed', async () => {
    const { prompts, acts, open } = begun({ isHeld: true });
    const presented = prompts.present({ prompt: 'p' });
    await settled();
    prompts.dismiss('p');
    await open();
    await presented;
    assert.deepEqual(acts(), ['open p fill', 'close 11']);
  });

  test('that ended before it was known what it asks opens no window', async () => {
    const { prompts, acts } = begun();
    const presented = prompts.present({ prompt: 'p' });
    prompts.dismiss('p');
    await assert.rejects(presented, { code: code.expired });
    assert.deepEqual(acts(), []);
  });

  test('of which the daemon knows nothing is forgotten', async () => {
    const { prompts, acts } = begun({ about: new Error('no') });
    await assert.rejects(prompts.present({ prompt: 'p' }), /no/);
    prompts.closed('p');
    assert.deepEqual(acts(), []);
    await assert.rejects(prompts.present({ prompt: 7 }), { code: code.invalidParams });
  });

  test('ends with the connection, as all others', async () => {
    const { prompts, acts } = begun();
    await prompts.present({ prompt: 'p' });
    await prompts.present({ prompt: 'q' });
    prompts.clear();
    assert.deepEqual(acts().slice(2), ['close 11', 'close 12']);
  });
});

describe('a question that nobody has asked for', () => {
  test('S31: opens no window, and is marked until it has ended', async () => {
    const { prompts, acts, marked } = begun({ about: quiet });
    await prompts.present({ prompt: 'p' });
    assert.deepEqual([acts(), marked()], [[], 'mark true']);
    assert.deepEqual(prompts.waiting, [{ prompt: 'p', kind: 'savePassword', site: 'shiny.example.com' }]);
    prompts.dismiss('p');
    assert.deepEqual([acts(), marked(), prompts.waiting], [[], 'mark false', []]);
  });

  test('has no window that could be closed', async () => {
    const { prompts, acts } = begun({ about: quiet });
    await prompts.present({ prompt: 'p' });
    prompts.windowClosed(-1);
    assert.deepEqual([acts(), prompts.waiting.length], [[], 1]);
  });

  test('is marked as long as any of them waits', async () => {
    const { prompts, marked } = begun({ about: quiet });
    await prompts.present({ prompt: 'p' });
    await prompts.present({ prompt: 'q' });
    prompts.dismiss('p');
    assert.equal(marked(), 'mark true');
    prompts.dismiss('q');
    assert.equal(marked(), 'mark false');
  });

  test('opens one window, which comes to the front when it is asked for again', async () => {
    const { prompts, acts, open } = begun({ about: quiet, isHeld: true });
    await prompts.present({ prompt: 'p' });
    const first = prompts.bringUp('p');
    await prompts.bringUp('p');
    await open();
    await first;
    await prompts.bringUp('p');
    assert.deepEqual(acts(), ['open p savePassword', 'raise 11']);
  });

  test('is answered no when the window is closed that the user asked for', async () => {
    const { prompts, acts } = begun({ about: quiet });
    await prompts.present({ prompt: 'p' });
    await prompts.bringUp('p');
    prompts.windowClosed(11);
    assert.deepEqual(acts(), ['open p savePassword', 'refuse p']);
    assert.deepEqual(prompts.waiting, []);
  });

  test('is not answered by a window that could not be opened, and opens another the next time', async () => {
    const { prompts, acts, environment } = begun({ about: quiet });
    await prompts.present({ prompt: 'p' });
    const { open } = environment;
    environment.open = async () => { throw new Error('no window'); };
    await assert.rejects(prompts.bringUp('p'), /no window/);
    environment.open = open;
    await prompts.bringUp('p');
    assert.deepEqual(acts(), ['open p savePassword']);
  });

  test('that the user wants to see before it is known what it asks comes up then', async () => {
    const { prompts, acts } = begun({ about: quiet });
    const presented = prompts.present({ prompt: 'p' });
    await prompts.bringUp('p');
    assert.deepEqual(acts(), []);
    await presented;
    await settled();
    assert.deepEqual(acts(), ['open p savePassword']);
  });

  test('that has ended cannot be brought up', async () => {
    const { prompts, acts } = begun({ about: quiet });
    await prompts.present({ prompt: 'p' });
    prompts.dismiss('p');
    await assert.rejects(prompts.bringUp('p'), { code: code.expired });
    await assert.rejects(prompts.bringUp(undefined), { code: code.expired });
    assert.deepEqual(acts(), []);
  });
});

// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import { element } from './ask.js';
import { drawList } from './interface-list.js';
import { drawButton, drawField, drawProgress, drawSaved, drawText, drawToggle } from './interface-parts.js';

/**
 * What a provider shows (docs/protocol.md, “Interfaces”), drawn. It is a description and nothing else: its texts become
 * text nodes, its names are compared and never become names in this document, and what is not known is not drawn.
 *
 * @typedef {{kind: string, id: string} & Record<string, any>} Statement an element as it travels
 * @typedef {{element: string, action: string, row?: string, text?: string}} Done what the user did
 * @typedef {{
 *   act: (done: Done) => Promise<boolean>,
 *   reveal: (element: string) => Promise<string | null>,
 *   announce: (text: string) => void,
 *   copy: (element: string, unmarked: boolean) => Promise<'copied' | 'unmarked' | null>,
 *   say: (text: string) => void,
 *   pressDefault: () => void,
 *   provider: string,
 *   title: () => string,
 *   newName: () => string,
 * }} Stage what a part may do
 * @typedef {{
 *   node: HTMLElement,
 *   update: (statement: Statement, isFirst: boolean) => void,
 *   text?: () => string,
 *   press?: () => void,
 *   wipe?: () => void,
 *   isSecret?: boolean,
 * }} Part an element as it is drawn
 */

/** @type {Record<string, (statement: Statement, stage: Stage) => Part>} */
const kinds = {
  heading: drawText, message: drawText, text: drawField, secure: drawField, button: drawButton, toggle: drawToggle,
  list: drawList, progress: drawProgress, saved: drawSaved,
};

/** What the focus goes to first. */
const typed = 'input:not(:disabled), [role="listbox"]';
const pressed = ':not(.saved) > button:not(:disabled)';

export class Interface {
  /** By element; an element of the same name and kind is the same one, with what was typed into it. @type {Map<string, Part>} */ #parts = new Map();
  /** @type {Statement[]} */ #statements = [];
  #names = 0;
  #isActing = false;
  #isEmpty = true;
  /** Whether there was nothing here that could take the focus. */
  #isIdle = true;
  /** What is to be said once all is drawn. @type {string[]} */ #said = [];
  #root;
  #title = element('h2', { dir: 'auto' });
  #stage;
  #act;

  /**
   * @param {HTMLElement} root
   * @param {{act: (done: object) => Promise<boolean>, reveal: (element: string) => Promise<string | null>, copy: (element: string, unmarked: boolean) => Promise<'copied' | 'unmarked' | null>, say: (text: string) => void, provider: string}} frame `provider`: whose interface it is
   */
  constructor(root, { act, reveal, copy, say, provider }) {
    this.#root = root;
    this.#act = act;
    this.#stage = {
      act: (done) => this.#tell(done),
      reveal,
      copy,
      say: (text) => { this.#said.push(text); },
      announce: (text) => { this.say(text); },
      pressDefault: () => this.#pressDefault(),
      provider,
      title: () => this.#title.textContent ?? '',
      newName: () => `part-${++this.#names}`,
    };
    this.say = say;
    root.addEventListener('keydown', (event) => {
      // A button, a list and an input method have their own use for Return.
      const isTaken = event.defaultPrevented || event.isComposing || event.repeat || event.target instanceof HTMLButtonElement;
      if (event.key !== 'Enter' || isTaken || !event.isTrusted) return;
      event.preventDefault();
      this.#pressDefault();
    });
    // A provider may take its time to show something, or never do.
    root.replaceChildren(element('p', { class: 'note' }, 'Waiting for the provider…'));
  }

  /** Whether the provider has shown nothing yet. */
  get isEmpty() {
    return this.#isEmpty;
  }

  get asksForSecrets() {
    return this.#statements.some(({ kind }) => kind === 'secure');
  }

  /** @param {{title: string, elements: Statement[]} | null} statement */
  show(statement) {
    if (!statement) return;
    this.#isEmpty = false;
    const focused = document.activeElement;
    const hadFocus = this.#isIdle || this.#root.contains(focused);
    const scrolled = this.#root.scrollTop;
    this.#statements = statement.elements.filter(({ kind }) => Object.hasOwn(kinds, kind));
    if (this.#title.textContent !== statement.title) this.#stage.say(statement.title);
    this.#title.textContent = statement.title;

    const kept = new Map();
    for (const part of this.#statements) {
      const key = keyOf(part);
      const known = this.#parts.get(key);
      const drawn = known ?? kinds[part.kind](part, this.#stage);
      drawn.update(part, !known);
      kept.set(key, drawn);
    }
    for (const [key, part] of this.#parts) {
      if (kept.has(key)) continue;
      part.wipe?.();
      part.node.remove();
    }
    this.#parts = kept;
    this.#arrange([this.#title, ...[...kept.values()].map(({ node }) => node)]);
    this.#root.scrollTop = scrolled;
    if (hadFocus && (!this.#root.contains(focused) || !isUsable(focused))) this.focus();
    else if (hadFocus && focused !== document.activeElement) /** @type {HTMLElement} */ (focused).focus({ preventScroll: true });
    if (this.#said.length) this.say(this.#said.join('. '));
    this.#said = [];
  }

  /** Takes away what is secret in it, before it ends. */
  wipe() {
    for (const part of this.#parts.values()) part.wipe?.();
  }

  /** Gives the focus to the first thing that something is typed into, or else to a button. */
  focus() {
    const first = this.#root.querySelector(typed) ?? this.#root.querySelector('button.main:not(:disabled)') ?? this.#root.querySelector(pressed);
    this.#isIdle = !first;
    // What stands above is read first.
    /** @type {HTMLElement | null} */ (first)?.focus({ preventScroll: true });
  }

  /** Brings the drawn parts into their order, moving none that stands right: one that is moved loses the focus. @param {HTMLElement[]} nodes */
  #arrange(nodes) {
    const wanted = new Set(nodes);
    for (const child of [...this.#root.children]) if (!wanted.has(/** @type {HTMLElement} */ (child))) child.remove();
    for (const [index, node] of nodes.entries()) {
      if (this.#root.children[index] !== node) this.#root.insertBefore(node, this.#root.children[index] ?? null);
    }
  }

  #pressDefault() {
    const statement = this.#statements.find(({ kind, style, enabled }) => kind === 'button' && style === 'default' && enabled !== false);
    if (statement) this.#parts.get(keyOf(statement))?.press?.();
  }

  /** @param {Done} done */
  async #tell(done) {
    const decides = done.action === 'press' || done.action === 'select';
    if (!decides) return this.#act(done);
    // One decision at a time: a second click is meant for what the first one brings.
    if (this.#isActing) return false;
    this.#isActing = true;
    const fields = this.#statements.filter(({ kind }) => kind === 'text' || kind === 'secure')
      .map((statement) => ({ id: statement.id, text: this.#parts.get(keyOf(statement))?.text?.() ?? '' }));
    const arrived = await this.#act({ ...done, fields });
    this.#isActing = false;
    return arrived;
  }
}

/** @param {Statement} statement */
function keyOf({ kind, id, search }) {
  // A list with a search field is worked in another way than one without.
  return JSON.stringify([kind, id, kind === 'list' && search === true]);
}

/** @param {Element | null} node */
function isUsable(node) {
  return node !== null && node.isConnected && !(/** @type {any} */ (node).disabled);
}

// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/*
 * What the scripts in a page share, in a world of their own: `globalThis.latchkeyPage`. This file is for readers and editors; no browser
 * loads it. `scripts/check-extension` refuses a member that is used and not listed here, or listed and made nowhere.
 *
 * @typedef {object} LatchkeyPage
 *
 * Made by content.js:
 * @property {{key: KeyboardEvent, focus?: FocusEvent} | undefined} tab the last Tab, and the first focus after it
 * @property {boolean} isQuiet no bar is shown: the script itself moves the focus, and the user has not acted since
 * @property {{x: number, y: number, at: number} | undefined} pressedAt where and when the pointer last came down
 * @property {number} focusAt when the focus last came to a field
 * @property {{field: Element, at: number} | null} invalid the field that the browser last called wrong, and when
 * @property {{text: string, at: number}} told what was last said to be sent off
 * @property {() => Element | null} active the element with the focus, in shadow roots too
 * @property {(part: 'reading' | 'seeing' | 'settling') => Promise<void>} bring has a part brought here
 * @property {(part: string, members: object) => void} join a part adds what it can do
 * @property {(message: object) => Promise<any>} tell sends a message; null where nobody answers
 * @property {(by?: string | null) => Promise<void>} send tells that a form was sent off
 * @property {(text: string) => string} clean a text in one line, cut short
 * @property {(element: Element, selector: string) => Element | null} closest as of the DOM, through shadow roots
 * @property {Record<string, Function>} dom what the DOM answers, whatever the page has put in its place
 * @property {(field: HTMLInputElement, forms: Map<Element, number>, now: object, nearby?: string, labels?: Iterable<Element>) => object} describeField
 * @property {(focused: HTMLInputElement | null) => object} describePage
 * @property {Map<number, {element: WeakRef<HTMLInputElement>, description: object}>} described by reference
 * @property {(field: HTMLInputElement | null) => HTMLInputElement[]} fieldsAround those of its form, or of the page where it has none
 * @property {(field: HTMLInputElement) => Element | null} formOf
 * @property {(field: HTMLInputElement) => boolean} hides whether it shows dots for what is typed
 * @property {(field: HTMLInputElement) => boolean} isEditable
 * @property {(element: unknown) => boolean} isField whether it may be filled
 * @property {(node: Node) => boolean} isHere whether a node is in this document
 * @property {(element: Element, now?: object, isAnywhere?: boolean) => boolean} isVisible
 * @property {number} most how many fields are described
 * @property {() => object} moment what `isVisible` is asked at
 * @property {Map<number, string>} named the roles that the daemon has named, by reference
 * @property {(field: HTMLInputElement, value: string, start?: string, steps?: object[]) => void} note takes down what a field was given
 * @property {(node: Node) => Node | null} parentOf through shadow roots
 * @property {WeakMap<Element, number>} refs
 * @property {(element: Element) => ShadowRoot | null} shadowOf
 * @property {Set<string>} textTypes types of fields that hold text
 *
 * Made by outline.js:
 * @property {(text: string) => string} shorten
 * @property {(focused: HTMLInputElement | null) => object} outline what the page shows between its fields
 *
 * Made by placing.js:
 * @property {Function} coveredBy
 * @property {(field: Element) => boolean} isRightToLeft
 * @property {Function} placeOf where the bar of a field is
 *
 * Made by offering.js:
 * @property {(field: HTMLInputElement, isMeant?: boolean) => Promise<void>} took a field has the focus
 * @property {(field: HTMLInputElement | null) => void} point the pointer is over it
 * @property {() => Promise<object>} describe answers the worker: the page around the field
 * @property {() => object | null} inspect answers the worker: the page, for the settings
 * @property {() => {score: number} | null} probe answers the worker: how likely this document is the one that is meant
 * @property {() => void} closeBar
 * @property {() => void} endBars
 * @property {(event: FocusEvent) => void} lost a field has lost the focus
 * @property {(event: KeyboardEvent) => void} pressed
 * @property {(field: HTMLInputElement) => void} typed
 * @property {() => object | null} shownBar the bar that is shown
 * @property {() => boolean} withdrawBar takes the bar away for now; whether it was shown
 * @property {(element: Element | null) => boolean} isOwn whether an element is a bar's
 *
 * Made by seeing.js:
 * @property {Function} survey looks which fields the user is known to see
 * @property {(element: Element) => boolean} isSeen
 * @property {(fields: Element[]) => string[]} destinations where the forms of fields send them, beside the own origin
 *
 * Made by colours.js:
 * @property {Record<string, any>} colours
 *
 * Made by bubble.js:
 * @property {() => boolean} isBubbleUp whether the browser may be showing what is wrong with a field
 *
 * Made by leaving.js:
 * @property {boolean} isLeaving
 * @property {() => number} status of the document, in HTTP
 *
 * Made by filling.js:
 * @property {(what: {fills: object[], sends: string[]}) => Promise<object>} fill
 * @property {(ref: number, accepts: Function) => HTMLInputElement | null} find the field of a reference, also where its page has made it anew
 *
 * Made by looking.js:
 * @property {Function} look answers the worker: what could cover the bar
 *
 * Made by settling.js:
 * @property {Function} watch looks after a form that was sent off
 * @property {() => void} conclude takes what the page shows for the answer to a form that is gone
 * @property {() => Promise<object | null>} arrival answers the worker: what took the place of a form
 */

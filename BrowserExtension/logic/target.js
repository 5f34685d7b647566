// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/** What a document of a tab is known by in maps. @param {{tab: number, document: string}} target */
export function keyOf({ tab, document }) {
  return `${tab} ${document}`;
}

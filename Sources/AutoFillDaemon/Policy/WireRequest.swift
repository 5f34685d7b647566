// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// A request of a client: of which connection, from which program, by which method.
struct WireRequest: Sendable, Hashable {
    let client: Int
    let program: String
    let method: String
}

// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// The request that is being answered: its connection, program and method.
///
/// It is bound to the task, so that no function between the wire and a decision can omit it or substitute another one.
struct WireRequest: Sendable, Hashable {
    let client: Int
    let program: String
    let method: String

    /// Set by `Routes.answer` alone. The first connection has the number 1.
    @TaskLocal static var current = WireRequest(client: 0, program: "latchkeyd", method: "")
}

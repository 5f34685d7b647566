// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// The request that is answered now: of which connection, from which program, by which method.
///
/// It goes along with the task, so that no function between the wire and a decision can leave it out or name another one.
struct WireRequest: Sendable, Hashable {
    let client: Int
    let program: String
    let method: String

    /// Set by `Routes.answer` alone. The first connection has the number 1.
    @TaskLocal static var current = WireRequest(client: 0, program: "latchkeyd", method: "")
}

// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillMatching

/// The recommendations that browsers were given for filled passwords, so that they can refer to one by its handle alone.
struct AdviceShelf: Sendable {
    /// One recommendation, shown in one tab.
    struct Entry: Sendable, Equatable {
        let connection: Int
        let tab: Int
        /// The origin for which the password was filled.
        let origin: Origin
        /// The built-in provider's record identifier for the account.
        let record: String
    }

    /// Maximum number of recommendations; beyond it the oldest is dropped.
    static let limit = 64

    private var entries: [(handle: String, entry: Entry)] = []

    /// Keeps a recommendation under a new handle, in place of an earlier one for the same tab.
    mutating func keep(_ entry: Entry, as handle: String) {
        forget(tab: entry.tab, of: entry.connection)
        entries.append((handle, entry))
        if entries.count > Self.limit { entries.removeFirst() }
    }

    /// The recommendation of a handle; `nil` for a handle of another connection.
    func entry(_ handle: String, of connection: Int) -> Entry? {
        entries.first { $0.handle == handle && $0.entry.connection == connection }?.entry
    }

    mutating func forget(_ handle: String) {
        entries.removeAll { $0.handle == handle }
    }

    /// Removes the recommendation of a tab that was closed, or in which another password was filled.
    mutating func forget(tab: Int, of connection: Int) {
        entries.removeAll { $0.entry.connection == connection && $0.entry.tab == tab }
    }

    mutating func forget(connection: Int) {
        entries.removeAll { $0.entry.connection == connection }
    }

    mutating func forgetAll() {
        entries = []
    }
}

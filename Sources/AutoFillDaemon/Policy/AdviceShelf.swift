// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillMatching

/// What browsers were told about passwords that were filled in them, so that they can come back to it by a handle alone.
struct AdviceShelf: Sendable {
    /// One recommendation, shown in one tab.
    struct Entry: Sendable, Equatable {
        let connection: Int
        let tab: Int
        /// Where the password was filled.
        let origin: Origin
        /// The built-in provider's key for the account.
        let record: String
    }

    /// The oldest go beyond this many.
    static let limit = 64

    private var entries: [(handle: String, entry: Entry)] = []

    /// Keeps one under a new handle; it takes the place of what was said in that tab before.
    mutating func keep(_ entry: Entry, as handle: String) {
        forget(tab: entry.tab, of: entry.connection)
        entries.append((handle, entry))
        if entries.count > Self.limit { entries.removeFirst() }
    }

    /// What a handle stands for; nothing for a handle of another connection.
    func entry(_ handle: String, of connection: Int) -> Entry? {
        entries.first { $0.handle == handle && $0.entry.connection == connection }?.entry
    }

    mutating func forget(_ handle: String) {
        entries.removeAll { $0.handle == handle }
    }

    /// Something else was filled in a tab, or it was closed.
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

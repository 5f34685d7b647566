// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import GRDB

/// The two connections to a store's file: changes wait for one another on the one, and reading waits for none of them on the other.
final class StoreConnections: Sendable {
    let writer: DatabaseQueue
    let reader: DatabaseQueue
    /// Why there is no file and the store is in memory; `nil` where there is one. In memory both connections are the same.
    let fault: String?

    init(writer: DatabaseQueue, reader: DatabaseQueue, fault: String? = nil) {
        self.writer = writer
        self.reader = reader
        self.fault = fault
    }

    deinit {
        // The last one to be closed tidies the WAL away, which one that only reads cannot.
        try? reader.close()
    }
}

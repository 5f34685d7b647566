// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets
package import Foundation

/// `audit.key`: to whom lines are sealed and where the log stands. No secret: nobody can make a line with it.
///
/// Nothing authenticates it. It tells accidents apart from one another; what counts is in the sealed registry.
package struct AuditKeyFile: Codable, Equatable, Sendable {
    package var publicKey: Data
    /// The index of the first line that is kept.
    package var firstIndex: Int
    package var nextIndex: Int

    /// Reads the file; nothing where there is none or where its numbers are none to count with.
    package init?(contentsOf path: String) {
        guard let bytes = SmallFile.read(path, atMost: 1 << 16),
            let file = try? BoundedJSON.decode(Self.self, from: bytes),
            file.publicKey.count == 32, file.firstIndex >= 0, file.firstIndex <= file.nextIndex,
            file.nextIndex < 1 << 40
        else { return nil }
        self = file
    }

    package init(publicKey: Data, firstIndex: Int, nextIndex: Int) {
        self.publicKey = publicKey
        self.firstIndex = firstIndex
        self.nextIndex = nextIndex
    }

    package func write(to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        try AtomicFile.write(Array(try encoder.encode(self)), to: path)
    }
}

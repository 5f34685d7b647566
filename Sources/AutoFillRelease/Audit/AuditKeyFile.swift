// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets
package import Foundation

/// `audit.key`: the public key that lines are sealed to, and the position of the log. Not a secret: it cannot
/// authenticate a line.
///
/// The file is not authenticated. It serves to tell kinds of accidents apart; the authoritative values are in the
/// sealed registry.
package struct AuditKeyFile: Codable, Equatable, Sendable {
    package var publicKey: Data
    /// The index of the first line that was kept.
    package var firstIndex: Int
    package var nextIndex: Int

    /// Reads the file, or returns `nil` if there is none or its numbers are out of range.
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

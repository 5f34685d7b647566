// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A passkey's blob. It prints as nothing.
public struct ASImportableFIDO2LargeBlob: Codable, Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The number of bytes before compression.
    public var uncompressedSize: Int
    /// The bytes, compressed with DEFLATE.
    public var data: Data

    /// A blob with all its members.
    public init(
        uncompressedSize: Int,
        data: Data
    ) {
        self.uncompressedSize = uncompressedSize
        self.data = data
    }

    /// Never what it holds.
    public var description: String { "ASImportableFIDO2LargeBlob(redacted)" }

    /// A mirror without children, so that `dump` and test failures show nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

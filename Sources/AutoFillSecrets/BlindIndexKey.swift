// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// A 256-bit key that turns words into index values which say nothing without it.
///
/// A blind value is HMAC-SHA256 of purpose, a zero byte and the word, cut to 16 bytes. Equal words give equal values, so
/// whoever has a file sees which rows share a word, and no more. A false match takes 2^64 words, and is harmless: what
/// was found is opened and matched exactly.
public struct BlindIndexKey: Sendable {
    /// The size of a blind value in bytes.
    public static let blindByteCount = 16

    private let key: AuthenticationKey

    /// - Returns: nil unless the secret has exactly 32 bytes.
    public init?(_ secret: SecretBytes) {
        guard let key = AuthenticationKey(secret) else { return nil }
        self.key = key
    }

    init(derived secret: SecretBytes) {
        self.key = AuthenticationKey(derived: secret)
    }

    /// The blind value of a word.
    ///
    /// - Parameter purpose: Keeps words of different kinds and files apart. It must not contain a zero byte.
    public func blind(_ word: [UInt8], purpose: String) -> [UInt8] {
        Array(key.code(for: [Array(purpose.utf8), [0], word]).prefix(Self.blindByteCount))
    }
}

extension BlindIndexKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "BlindIndexKey(redacted)" }

    public var debugDescription: String { description }

    public var customMirror: Mirror { Mirror(self, children: []) }
}

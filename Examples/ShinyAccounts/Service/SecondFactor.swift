// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import SecurityCodes

/// The second factor of an account: a set-up key that an authenticator holds too (RFC 6238).
struct SecondFactor: Codable, Equatable, Sendable {
    let key: [UInt8]
    /// The step whose code was last taken: a code is good once.
    private(set) var lastStep: Int64?

    init(key: [UInt8]) {
        self.key = key
    }

    /// Takes a code of this moment, or of one step before or after it, that was not taken before.
    mutating func take(_ code: String, at time: Int64) -> Bool {
        guard let generator = CodeGenerator() else { return false }
        let now = time / 30
        for step in (now - 1)...(now + 1) where step > (lastStep ?? .min) {
            let expected = key.withUnsafeBytes { generator.code(at: step * 30, key: $0) }
            guard let expected, Self.areEqual(expected.text, code) else { continue }
            lastStep = step
            return true
        }
        return false
    }

    /// Takes the same time wherever they differ.
    private static func areEqual(_ one: String, _ other: String) -> Bool {
        guard one.utf8.count == other.utf8.count else { return false }
        return zip(one.utf8, other.utf8).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

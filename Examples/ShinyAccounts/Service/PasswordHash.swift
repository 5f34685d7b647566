// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import CArgon2

/// A password as it is kept: Argon2id with a salt of its own, in the text form that libargon2 reads and writes.
struct PasswordHash: Codable, Equatable, Sendable {
    /// `$argon2id$v=19$m=…,t=…,p=…$SALT$HASH`.
    let text: String

    /// 19 MiB, two passes, one lane: OWASP's least for a service, since every sign-in pays it.
    private static let cost = (memoryKiB: UInt32(19 * 1024), passes: UInt32(2), lanes: UInt32(1))

    /// Hashes a password; nothing where there is no memory for it.
    init?(_ password: String) {
        var generator = SystemRandomNumberGenerator()
        let salt = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let password = Array(password.utf8)
        let size = argon2_encodedlen(
            Self.cost.passes, Self.cost.memoryKiB, Self.cost.lanes, UInt32(salt.count), 32, Argon2_id)
        var encoded = [CChar](repeating: 0, count: size)
        let status = argon2id_hash_encoded(
            Self.cost.passes, Self.cost.memoryKiB, Self.cost.lanes, password, password.count, salt, salt.count, 32,
            &encoded, size)
        guard status == ARGON2_OK.rawValue else { return nil }
        text = String(decoding: encoded.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Whether this is the password; libargon2 compares in constant time.
    func matches(_ password: String) -> Bool {
        let password = Array(password.utf8)
        return argon2id_verify(text, password, password.count) == ARGON2_OK.rawValue
    }
}

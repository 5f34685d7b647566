// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import Crypto

/// HKDF-SHA256 (RFC 5869) from a secret to a secret of 32 bytes.
enum KeyDerivation {
    static func derive(from input: SecretBytes, salt: [UInt8], label: String, extra: [UInt8] = []) -> SecretBytes {
        let key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: input.withUnsafeBytes { SymmetricKey(data: $0) },
            salt: salt,
            info: Array(label.utf8) + extra,
            outputByteCount: 32
        )
        return key.withUnsafeBytes { SecretBytes(copying: $0, in: .keys) }
    }

    /// Bytes from the kernel that are no secret: salts, generations, identifiers.
    static func publicRandom(count: Int) -> [UInt8] {
        SecretBytes.random(count: count).withUnsafeBytes { Array($0) }
    }
}

extension SecretBytes {
    /// A key of 32 bytes for one purpose: HKDF-SHA256 (RFC 5869) with this secret as input and the label as info.
    ///
    /// Only for secrets that cannot be guessed, such as keys; a passphrase needs Argon2id.
    public func derivingKey(label: String, salt: [UInt8] = []) -> SecretBytes {
        KeyDerivation.derive(from: self, salt: salt, label: label)
    }
}

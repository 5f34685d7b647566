// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillSecrets
internal import Crypto
package import Foundation

/// A secret that is kept over a lock: sealed to the audit log's public key (RFC 9180, base mode), so that it can be sealed while locked
/// and opened by the next session only. It stays in memory.
package struct SealedForLater: Sendable {
    private static let suite = HPKE.Ciphersuite.Curve25519_SHA256_ChachaPoly
    private static let purpose = Data("latchkey waiting secret v1".utf8)

    private let key: Data
    private let text: Data

    /// - Parameter publicKey: The raw representation of the audit log's key, 32 bytes.
    /// - Throws: `CryptoKitError` when it is not a Curve25519 public key.
    package init(_ secret: SecretBytes, to publicKey: Data) throws {
        let recipient = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: publicKey)
        var sender = try HPKE.Sender(recipientKey: recipient, ciphersuite: Self.suite, info: Self.purpose)
        text = try secret.withUnsafeBytes { try sender.seal($0) }
        key = sender.encapsulatedKey
    }

    /// The secret, or `nil` if it was sealed for another device key.
    package func opened(_ keys: AuditKeys) -> SecretBytes? {
        guard
            var recipient = try? HPKE.Recipient(
                privateKey: keys.privateKey, ciphersuite: Self.suite, info: Self.purpose, encapsulatedKey: key),
            var plain = try? recipient.open(text)
        else { return nil }
        defer { plain.resetBytes(in: plain.startIndex..<plain.endIndex) }
        return plain.withUnsafeBytes { SecretBytes(copying: $0) }
    }
}

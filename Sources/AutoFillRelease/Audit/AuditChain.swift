// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillSecrets
package import Crypto
package import Foundation

/// The audit log's keys, derived from the device key's seed.
package struct AuditKeys {
    package let privateKey: Curve25519.KeyAgreement.PrivateKey
    /// The key of the first line.
    fileprivate let first: Data

    package init(seed: SecretBytes) throws {
        let material = seed.withUnsafeBytes { SymmetricKey(data: $0) }
        let scalar = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: material, info: Data("audit private key".utf8), outputByteCount: 32)
        privateKey = try scalar.withUnsafeBytes { try .init(rawRepresentation: $0) }
        first = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: material, info: Data("audit first line".utf8), outputByteCount: 32
        ).withUnsafeBytes { Data($0) }
    }

    package var publicKey: Data { privateKey.publicKey.rawRepresentation }
}

/// The key that authenticates one line. Advancing replaces it by the next line's key.
///
/// It exists in memory only: stealing the files does not allow anyone to forge a line, and taking over the process does
/// not allow anyone to change earlier lines.
package struct AuditChain: Sendable {
    /// The index of the line that the key is for, counted from 0.
    package private(set) var index = 0
    private var key: Data

    package init(_ keys: AuditKeys) {
        key = keys.first
    }

    package mutating func advance() {
        key = Data(HMAC<SHA256>.authenticationCode(for: Data("next".utf8), using: SymmetricKey(data: key)))
        index += 1
    }

    package mutating func advance(to target: Int) {
        while index < target { advance() }
    }

    package func tag(_ sealed: Data) -> Data {
        let numbered = withUnsafeBytes(of: UInt64(index).bigEndian) { Data($0) } + sealed
        return Data(HMAC<SHA256>.authenticationCode(for: numbered, using: SymmetricKey(data: key)))
    }
}

/// One line of the file: `base64(sealed) SP base64(tag)`.
package struct AuditRow: Sendable {
    private static let suite = HPKE.Ciphersuite.Curve25519_SHA256_ChachaPoly
    private static let purpose = Data("latchkey audit line v1".utf8)

    package let sealed: Data
    package let tag: Data

    /// Reads a line without its line end, or returns `nil` if it has another form.
    package init?(_ line: some Collection<UInt8>) {
        let parts = line.split(separator: 0x20, omittingEmptySubsequences: false)
        guard parts.count == 2, let sealed = Data(base64Encoded: Data(parts[0])), sealed.count > 32,
            let tag = Data(base64Encoded: Data(parts[1])), tag.count == 32
        else { return nil }
        self.sealed = sealed
        self.tag = tag
    }

    /// Seals a line to a public key, and authenticates it for a position in the log.
    package init(sealing plain: Data, to publicKey: Data, _ chain: AuditChain) throws {
        let key = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: publicKey)
        var sender = try HPKE.Sender(recipientKey: key, ciphersuite: Self.suite, info: Self.purpose)
        sealed = sender.encapsulatedKey + (try sender.seal(plain))
        tag = chain.tag(sealed)
    }

    package func opened(_ keys: AuditKeys) -> Data? {
        guard
            var recipient = try? HPKE.Recipient(
                privateKey: keys.privateKey, ciphersuite: Self.suite, info: Self.purpose,
                encapsulatedKey: sealed.prefix(32))
        else { return nil }
        return try? recipient.open(sealed.dropFirst(32))
    }

    package var text: String { "\(sealed.base64EncodedString()) \(tag.base64EncodedString())\n" }
}

// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import Crypto
internal import CryptoExtras

/// The keys that an issuer publishes: a JSON Web Key Set (RFC 7517), as far as it can sign identity tokens.
struct IssuerKeys: Sendable {
    /// One of them.
    enum Key: Sendable {
        case rsa(_RSA.Signing.PublicKey)
        case ecdsa(P256.Signing.PublicKey)

        /// What a token says in `alg` that it signed.
        var algorithm: String {
            switch self {
            case .rsa: "RS256"
            case .ecdsa: "ES256"
            }
        }

        /// Whether the signature over these bytes is this key's, by the one algorithm that is the key's own (RFC 7518, 3.3 and 3.4).
        func hasSigned(_ bytes: [UInt8], _ signature: [UInt8]) -> Bool {
            switch self {
            case .rsa(let key):
                // RS256 demands the padding of PKCS #1 v1.5, which CryptoExtras names by its weakness in encryption.
                key.isValidSignature(
                    .init(rawRepresentation: signature), for: SHA256.hash(data: bytes), padding: .insecurePKCS1v1_5)
            case .ecdsa(let key):
                (try? P256.Signing.ECDSASignature(rawRepresentation: signature))
                    .map { key.isValidSignature($0, for: bytes) } ?? false
            }
        }
    }

    /// In bytes.
    static let maximumSize = 65_536
    private static let maximumCount = 64

    private var keys: [String: Key] = [:]

    /// Reads a key set. Keys of other kinds are passed over, as the RFC wants it; two of one name are refused, since a token could not say
    /// which of them it means.
    init(_ bytes: [UInt8]) throws(IdentityTokenRefusal) {
        guard bytes.count <= Self.maximumSize, let value = try? JSONValue(readingText: bytes),
            case .array(let entries)? = value["keys"], entries.count <= Self.maximumCount
        else { throw IdentityTokenRefusal(.keySet, "the issuer publishes something that is not a key set") }
        for entry in entries {
            guard case .string(let identifier)? = entry["kid"], !identifier.isEmpty, identifier.utf8.count <= 256,
                let key = Self.key(entry)
            else { continue }
            guard keys.updateValue(key, forKey: identifier) == nil else {
                throw IdentityTokenRefusal(.keySet, "the issuer publishes two keys of one name")
            }
        }
        guard !keys.isEmpty else {
            throw IdentityTokenRefusal(.keySet, "the issuer publishes no key that signs identity tokens")
        }
    }

    subscript(identifier: String) -> Key? { keys[identifier] }

    private static func key(_ entry: JSONValue) -> Key? {
        func bytes(_ member: String) -> [UInt8]? {
            guard case .string(let text)? = entry[member], text.utf8.count <= 2_048 else { return nil }
            return Base64URL.decode(text.utf8)
        }
        func says(_ member: String, _ value: String) -> Bool {
            entry[member] == nil || entry[member] == .string(value)
        }
        guard says("use", "sig") else { return nil }
        switch entry["kty"] {
        case .string("RSA"):
            guard says("alg", "RS256"), let modulus = bytes("n"), let exponent = bytes("e"),
                // 2,048 bits or more, or it throws.
                let key = try? _RSA.Signing.PublicKey(n: modulus, e: exponent)
            else { return nil }
            return .rsa(key)
        case .string("EC"):
            guard says("alg", "ES256"), entry["crv"] == .string("P-256"), let x = bytes("x"), let y = bytes("y"),
                x.count == 32, y.count == 32, let key = try? P256.Signing.PublicKey(rawRepresentation: x + y)
            else { return nil }
            return .ecdsa(key)
        default: return nil
        }
    }
}

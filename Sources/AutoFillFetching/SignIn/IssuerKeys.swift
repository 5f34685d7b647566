// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import JWTKit

/// The keys that an issuer publishes: a JSON Web Key Set (RFC 7517), as far as it can sign identity tokens.
struct IssuerKeys: Sendable {
    /// One of them.
    enum Key: Sendable {
        case rsa(JWTKit.Insecure.RSA.PublicKey)
        case ecdsa(ES256PublicKey)

        /// What a token says in `alg` that it signed.
        var algorithm: String {
            switch self {
            case .rsa: "RS256"
            case .ecdsa: "ES256"
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
        else { throw IdentityTokenRefusal(.keySet, "what the issuer publishes is no key set") }
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
        func text(_ member: String) -> String? {
            guard case .string(let text)? = entry[member], text.utf8.count <= 2_048,
                IdentityToken.isBase64URL(text.utf8[...])
            else { return nil }
            return text
        }
        func says(_ member: String, _ value: String) -> Bool {
            entry[member] == nil || entry[member] == .string(value)
        }
        guard says("use", "sig") else { return nil }
        switch entry["kty"] {
        case .string("RSA"):
            guard says("alg", "RS256"), let modulus = text("n"), let exponent = text("e"),
                let key = try? JWTKit.Insecure.RSA.PublicKey(modulus: modulus, exponent: exponent)
            else { return nil }
            return .rsa(key)
        case .string("EC"):
            guard says("alg", "ES256"), entry["crv"] == .string("P-256"), let x = text("x"), let y = text("y"),
                let key = try? ES256PublicKey(parameters: (x, y))
            else { return nil }
            return .ecdsa(key)
        default: return nil
        }
    }
}

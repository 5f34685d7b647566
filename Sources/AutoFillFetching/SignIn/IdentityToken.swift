// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import Crypto
internal import FoundationEssentials

/// An identity token (OpenID Connect Core, 2), read strictly: what is not understood is refused.
///
/// The steps are those of OpenID Connect Core, 3.1.3.7 and 3.3.2.11. A token chooses neither how it is checked nor by which key:
/// its `kid` names one of the issuer's keys, the key decides the algorithm, and an `alg` that says another is refused.
struct IdentityToken: Sendable {
    /// What the app asked for, and when it is now.
    struct Expectation: Sendable {
        var issuer: String
        /// The app's maker, as the issuer knows them.
        var client: String
        var nonce: String
        /// What came with the token.
        var code: String?
        /// In seconds since 1970.
        var now: Int64
    }

    /// Who signed in.
    struct Claims: Sendable, Equatable {
        var subject: String
        var email: String?
    }

    /// In bytes.
    static let maximumSize = 16_384
    /// How far the issuer's clock may be from this one, in seconds.
    private static let skew: Int64 = 60
    /// No token is good for longer, in seconds; Apple's are for ten minutes to a day.
    private static let longest: Int64 = 86_400

    /// What is signed (RFC 7515, section 5.1): the first two parts and the dot between them, as they came.
    private let signed: [UInt8]
    private let signature: [UInt8]
    private let algorithm: String
    private let keyIdentifier: String
    private let payload: JSONValue

    /// Reads a token without believing it.
    init(_ text: String) throws(IdentityTokenRefusal) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
        guard text.utf8.count <= Self.maximumSize, parts.count == 3, let signature = Base64URL.decode(parts[2]),
            let header = Self.json(parts[0]), case .object(let fields) = header, let payload = Self.json(parts[1]),
            case .object = payload
        else { throw IdentityTokenRefusal(.malformed, "it is not a token") }
        // Whoever made the token does not choose the key: `jwk`, `jku`, `x5c`, `x5u`. And `crit` names what has to be understood.
        guard Set(fields.keys).isSubset(of: ["alg", "kid", "typ"]), Self.isType(fields["typ"]) else {
            throw IdentityTokenRefusal(.header, "its header asks for more than is understood here")
        }
        guard case .string(let algorithm)? = fields["alg"], algorithm == "RS256" || algorithm == "ES256" else {
            throw IdentityTokenRefusal(.algorithm, "it is signed in no way that is accepted")
        }
        guard case .string(let keyIdentifier)? = fields["kid"] else {
            throw IdentityTokenRefusal(.key, "it names no key")
        }
        guard !signature.isEmpty else { throw IdentityTokenRefusal(.signature, "it is not signed") }
        signed = Array(text.utf8.dropLast(parts[2].count + 1))
        self.signature = signature
        self.algorithm = algorithm
        self.keyIdentifier = keyIdentifier
        self.payload = payload
    }

    /// Checks the signature first, then what is claimed.
    func verify(_ expected: Expectation, keys: IssuerKeys) throws(IdentityTokenRefusal) -> Claims {
        guard let key = keys[keyIdentifier] else {
            throw IdentityTokenRefusal(.key, "it is signed by a key that the issuer does not publish")
        }
        guard key.algorithm == algorithm else {
            throw IdentityTokenRefusal(.algorithm, "its key is for another kind of signature")
        }
        guard key.hasSigned(signed, signature) else {
            throw IdentityTokenRefusal(.signature, "its signature is not right")
        }
        return try claims(expected)
    }

    private func claims(_ expected: Expectation) throws(IdentityTokenRefusal) -> Claims {
        guard payload["iss"] == .string(expected.issuer) else {
            throw IdentityTokenRefusal(.issuer, "another issuer made it")
        }
        // A list of one is that one; of several, the app would be one among strangers.
        guard payload["aud"] == .string(expected.client) || payload["aud"] == .array([.string(expected.client)]) else {
            throw IdentityTokenRefusal(.audience, "it was made for another app")
        }
        if let party = payload["azp"], party != .string(expected.client) {
            throw IdentityTokenRefusal(.audience, "it was made for another app")
        }
        guard let expires = Self.time(payload["exp"]), let issued = Self.time(payload["iat"]) else {
            throw IdentityTokenRefusal(.time, "it does not say when it is good")
        }
        guard expires > expected.now else { throw IdentityTokenRefusal(.time, "it has expired") }
        guard issued <= expected.now + Self.skew,
            payload["nbf"].map({ (Self.time($0) ?? .max) <= expected.now + Self.skew }) ?? true
        else { throw IdentityTokenRefusal(.time, "it is not good yet") }
        guard issued < expires, expires - issued <= Self.longest else {
            throw IdentityTokenRefusal(.time, "it is good for longer than tokens are")
        }
        guard payload["nonce"] == .string(expected.nonce) else {
            throw IdentityTokenRefusal(.nonce, "it belongs to another request")
        }
        guard case .string(let subject)? = payload["sub"], !subject.isEmpty, subject.utf8.count <= 255 else {
            throw IdentityTokenRefusal(.subject, "it does not say who signed in")
        }
        if let code = expected.code, let stated = payload["c_hash"], stated != .string(Self.half(code)) {
            throw IdentityTokenRefusal(.code, "it belongs to another authorization code")
        }
        var claims = Claims(subject: subject)
        if case .string(let email)? = payload["email"], email.utf8.count <= 320 { claims.email = email }
        return claims
    }

    /// "The left-most half of the hash of the octets of the ASCII representation" (3.3.2.11); both algorithms hash by SHA-256.
    static func half(_ code: String) -> String {
        let hash = SHA256.hash(data: Data(code.utf8))
        return Base64URL.encode(hash.prefix(16))
    }

    private static func isType(_ value: JSONValue?) -> Bool {
        guard let value else { return true }
        guard case .string(let type) = value else { return false }
        return type.lowercased() == "jwt"
    }

    /// Seconds since 1970, of a time that is one: whole or not, and not before 1970.
    private static func time(_ value: JSONValue?) -> Int64? {
        switch value {
        case .integer(let seconds) where (0...(1 << 40)).contains(seconds): seconds
        case .number(let seconds) where seconds >= 0 && seconds <= Double(1 << 40): Int64(seconds)
        default: nil
        }
    }

    private static func json(_ part: some Collection<UInt8>) -> JSONValue? {
        Base64URL.decode(part).flatMap { try? JSONValue(readingText: $0) }
    }
}

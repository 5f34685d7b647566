// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import CryptoExtras
internal import Foundation
internal import JWTKit

/// An identity provider for tests, shaped like Apple's: the authorization code flow with an `id_token` beside the code, answered by
/// a form that the browser posts. It takes everybody at their word, so it must never be anybody's real one.
actor Issuer {
    /// What is wrong with the tokens, at a test's wish.
    enum Flaw: String, Codable, Sendable {
        case audience, issuer, nonce, expired, key, unsigned, state, error
    }

    /// What the app's maker has registered with the provider.
    struct Client: Sendable {
        let identifier: String
        let returnURL: String
    }

    /// Who has signed in.
    struct Person: Sendable {
        let subject: String
        let email: String
    }

    /// What the browser posts to the return URL.
    struct Answer: Sendable {
        let fields: [(name: String, value: String)]
        let returnURL: String
    }

    private struct Grant {
        let person: Person
        let nonce: String?
        let expires: Date
    }

    let name: String
    private let client: Client
    private let key: JWTKit.Insecure.RSA.PrivateKey
    private let stranger: JWTKit.Insecure.RSA.PrivateKey
    private let keyIdentifier = AccountBook.randomText()
    private var people: [String: Person] = [:]
    private var grants: [String: Grant] = [:]
    private var flaw: Flaw?

    /// - Parameter name: What stands as `iss` in its tokens: its address.
    init(name: String, client: Client) throws {
        self.name = name
        self.client = client
        key = try JWTKit.Insecure.RSA.PrivateKey(backing: _RSA.Signing.PrivateKey(keySize: .bits2048))
        stranger = try JWTKit.Insecure.RSA.PrivateKey(backing: _RSA.Signing.PrivateKey(keySize: .bits2048))
    }

    func have(_ flaw: Flaw?) {
        self.flaw = flaw
    }

    /// Whether this is a request of the client's; a provider sends nothing to an address that it does not know.
    nonisolated func knows(client identifier: String, returnURL: String) -> Bool {
        identifier == client.identifier && returnURL == client.returnURL
    }

    /// Somebody agreed.
    func authorize(email: String, state: String?, nonce: String?) async throws -> Answer {
        var fields: [(name: String, value: String)] = []
        if flaw == .error {
            fields = [("error", "server_error")]
        } else {
            let isNew = people[email] == nil
            let person = people[email] ?? Person(subject: "000042.\(AccountBook.randomText())", email: email)
            people[email] = person
            let code = AccountBook.randomText()
            let nonce = flaw == .nonce ? "another" : nonce
            grants[code] = Grant(person: person, nonce: nonce, expires: Date() + 300)
            fields = [("code", code), ("id_token", try await token(for: person, nonce: nonce))]
            // Told once, as Apple does: whoever wants to know the name keeps it.
            if isNew {
                let user = ["name": ["firstName": "Johnny", "lastName": "Appleseed"]]
                let text = String(decoding: try JSONEncoder().encode(user), as: UTF8.self)
                fields.append(("user", String(text.dropLast()) + #","email":"\#(email)"}"#))
            }
        }
        if let state { fields.append(("state", flaw == .state ? "another" : state)) }
        return Answer(fields: fields, returnURL: client.returnURL)
    }

    /// Somebody did not.
    func refuse(state: String?) -> Answer {
        Answer(
            fields: [("error", "user_cancelled_authorize")] + (state.map { [("state", $0)] } ?? []),
            returnURL: client.returnURL)
    }

    /// Exchanges a code, once; the token endpoint.
    func redeem(_ code: String, client identifier: String, returnURL: String) async throws -> String {
        guard knows(client: identifier, returnURL: returnURL), let grant = grants.removeValue(forKey: code),
            grant.expires > Date()
        else { throw Refusal(.tokenRefused, "This code is not good.") }
        return try await token(for: grant.person, nonce: grant.nonce)
    }

    /// What the service makes of what its extension delivers: the token is read, and the code exchanged.
    func person(for identityToken: String, nonce: String, code: String) async throws -> Person {
        let refusal = Refusal(.tokenRefused, "The sign-in could not be confirmed.")
        let keys = await JWTKeyCollection().add(
            rsa: key.publicKey, digestAlgorithm: .sha256, kid: JWKIdentifier(string: keyIdentifier))
        guard let told = try? await keys.verify(identityToken, as: IssuedToken.self), told.nonce == nonce,
            told.audience == client.identifier, told.issuer == name
        else { throw refusal }
        let exchanged = try await redeem(code, client: client.identifier, returnURL: client.returnURL)
        guard let confirmed = try? await keys.verify(exchanged, as: IssuedToken.self),
            confirmed.subject == told.subject
        else { throw refusal }
        return Person(subject: confirmed.subject, email: confirmed.email)
    }

    /// Its public keys, as a JSON Web Key Set.
    func keySet() throws -> String {
        let parts = try key.publicKey.getKeyPrimitives()
        let members = [
            "kty": "RSA", "kid": keyIdentifier, "use": "sig", "alg": "RS256", "n": Self.base64URL(parts.modulus),
            "e": Self.base64URL(parts.publicExponent),
        ]
        return String(decoding: try JSONEncoder().encode(["keys": [members]]), as: UTF8.self)
    }

    private func token(for person: Person, nonce: String?) async throws -> String {
        let now = Date()
        let token = IssuedToken(
            issuer: flaw == .issuer ? "https://elsewhere.example.net" : name,
            audience: flaw == .audience ? "com.example.other" : client.identifier, subject: person.subject,
            issuedAt: Int64(now.timeIntervalSince1970),
            expires: Int64(now.timeIntervalSince1970) + (flaw == .expired ? -3_600 : 600), nonce: nonce,
            email: person.email)
        if flaw == .unsigned {
            let header = Self.base64URL(Data(#"{"alg":"none","kid":"\#(keyIdentifier)"}"#.utf8))
            return "\(header).\(Self.base64URL(try JSONEncoder().encode(token)))."
        }
        let identifier = JWKIdentifier(string: keyIdentifier)
        let keys = await JWTKeyCollection().add(
            rsa: flaw == .key ? stranger : key, digestAlgorithm: .sha256, kid: identifier)
        return try await keys.sign(token, kid: identifier)
    }

    private static func base64URL(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}

/// The claims of an identity token, as Apple's has them.
struct IssuedToken: JWTPayload {
    var issuer: String
    var audience: String
    var subject: String
    var issuedAt: Int64
    var expires: Int64
    var nonce: String?
    var email: String
    var isEmailVerified = true

    private enum CodingKeys: String, CodingKey {
        case issuer = "iss"
        case audience = "aud"
        case subject = "sub"
        case issuedAt = "iat"
        case expires = "exp"
        case nonce, email
        case isEmailVerified = "email_verified"
    }

    func verify(using algorithm: some JWTAlgorithm) throws {
        guard Date().timeIntervalSince1970 < Double(expires) else {
            throw Refusal(.tokenRefused, "The sign-in took too long.")
        }
    }
}

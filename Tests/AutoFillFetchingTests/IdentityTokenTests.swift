// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import Crypto
import CryptoExtras
import Foundation
import Testing

@testable import AutoFillFetching

/// An issuer with keys made for these tests, which signs whatever it is given.
struct TestIssuer: Sendable {
    enum Signer: Sendable { case rsa, pss, ecdsa, stranger, secret, nobody }

    static let shared = try? TestIssuer()

    private let rsa = try? _RSA.Signing.PrivateKey(keySize: .bits2048)
    private let ecdsa = P256.Signing.PrivateKey()
    private let stranger = P256.Signing.PrivateKey()

    private init() throws {}

    func entries() throws -> [[String: String]] {
        let rsa = try #require(rsa).publicKey.getKeyPrimitives()
        let point = ecdsa.publicKey.rawRepresentation
        return [
            [
                "kty": "RSA", "kid": "rsa", "use": "sig", "alg": "RS256", "n": Self.base64URL(rsa.modulus),
                "e": Self.base64URL(rsa.publicExponent),
            ],
            [
                "kty": "EC", "crv": "P-256", "kid": "ec", "use": "sig", "alg": "ES256",
                "x": Self.base64URL(point.prefix(32)), "y": Self.base64URL(point.suffix(32)),
            ],
        ]
    }

    func keySet() throws -> [UInt8] {
        Array(try JSONEncoder().encode(["keys": try entries()]))
    }

    func token(_ claims: String, header: String = #"{"alg":"ES256","kid":"ec"}"#, by signer: Signer = .ecdsa) throws
        -> String
    {
        let input = Self.base64URL(Data(header.utf8)) + "." + Self.base64URL(Data(claims.utf8))
        let bytes = Data(input.utf8)
        let rsa = try #require(rsa)
        let signature: Data =
            switch signer {
            case .rsa: try rsa.signature(for: bytes, padding: .insecurePKCS1v1_5).rawRepresentation
            case .pss: try rsa.signature(for: bytes, padding: .PSS).rawRepresentation
            case .ecdsa: try ecdsa.signature(for: bytes).rawRepresentation
            case .stranger: try stranger.signature(for: bytes).rawRepresentation
            // The oldest trick: the public key, which everybody has, taken for a secret.
            case .secret:
                Data(
                    HMAC<SHA256>.authenticationCode(
                        for: bytes, using: SymmetricKey(data: Data(rsa.publicKey.pemRepresentation.utf8))))
            case .nobody: Data()
            }
        return input + "." + Self.base64URL(signature)
    }

    static func base64URL(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}

@Suite struct IdentityTokenTests {
    private typealias Rule = IdentityTokenRefusal.Rule

    private static let now: Int64 = 1_790_000_000
    private let issuer: TestIssuer
    private let expected = IdentityToken.Expectation(
        issuer: "https://appleid.example.com", client: "com.example.shiny.signin", nonce: "n0nce", code: "c0de",
        now: Self.now)

    init() throws {
        issuer = try #require(TestIssuer.shared)
    }

    /// The claims of a good token, some of them put as JSON in the place of those; an empty text leaves one out.
    static func claims(_ changes: [String: String] = [:]) -> String {
        let good = [
            "iss": #""https://appleid.example.com""#, "aud": #""com.example.shiny.signin""#, "sub": #""000042.me""#,
            "iat": "\(now - 5)", "exp": "\(now + 595)", "nonce": #""n0nce""#, "email": #""me@example.com""#,
        ]
        let members = good.merging(changes) { $1 }.filter { !$0.value.isEmpty }
        return "{" + members.sorted { $0.key < $1.key }.map { #""\#($0.key)":\#($0.value)"# }.joined(separator: ",")
            + "}"
    }

    private func verified(_ token: String, keys: [UInt8]? = nil) async -> Result<
        IdentityToken.Claims, IdentityTokenRefusal
    > {
        do throws(IdentityTokenRefusal) {
            let keys = try IssuerKeys(keys ?? ((try? issuer.keySet()) ?? []))
            return .success(try await IdentityToken(token).verify(expected, keys: keys))
        } catch {
            return .failure(error)
        }
    }

    private func rule(_ token: String, keys: [UInt8]? = nil) async -> IdentityTokenRefusal.Rule? {
        if case .failure(let refusal) = await verified(token, keys: keys) { refusal.rule } else { nil }
    }

    // MARK: Accepted

    @Test(arguments: [
        (#"{"alg":"ES256","kid":"ec"}"#, TestIssuer.Signer.ecdsa), (#"{"alg":"RS256","kid":"rsa"}"#, .rsa),
        (#"{"alg":"RS256","kid":"rsa","typ":"JWT"}"#, .rsa),
    ])
    func believesWhatTheIssuerSigned(header: String, signer: TestIssuer.Signer) async throws {
        let claims = try await verified(issuer.token(Self.claims(), header: header, by: signer)).get()
        #expect(claims == .init(subject: "000042.me", email: "me@example.com"))
    }

    @Test(arguments: [
        ["aud": #"["com.example.shiny.signin"]"#], ["azp": #""com.example.shiny.signin""#], ["email": ""],
        ["c_hash": "\"\(IdentityToken.half("c0de"))\""], ["iat": "\(now + 30)"], ["nbf": "\(now)"], ["more": "[1,{}]"],
    ])
    func believesWhatMayBeSo(changes: [String: String]) async throws {
        #expect(try await rule(issuer.token(Self.claims(changes))) == nil)
    }

    // MARK: Refused

    @Test(arguments: [
        (["iss": #""https://appleid.example.com/""#], IdentityTokenRefusal.Rule.issuer), (["iss": ""], .issuer),
        (["iss": #""https://evil.example.net""#], .issuer), (["iss": #"["https://appleid.example.com"]"#], .issuer),
        (["aud": #""com.example.other""#], .audience), (["aud": "[]"], .audience), (["aud": ""], .audience),
        (["aud": #"["com.example.shiny.signin","com.example.other"]"#], .audience), (["aud": "null"], .audience),
        (["azp": #""com.example.other""#], .audience),
        (["exp": "\(now)"], .time), (["exp": "\(now - 1)"], .time), (["exp": ""], .time), (["exp": "\"later\""], .time),
        (["exp": "1e300"], .time), (["exp": "-1"], .time), (["exp": "\(now + 86_400)"], .time),
        (["iat": "\(now + 61)"], .time), (["iat": ""], .time), (["iat": "9223372036854775807"], .time),
        (["iat": "\(now + 50)", "exp": "\(now + 40)"], .time), (["nbf": "\(now + 61)"], .time),
        (["nbf": "\"x\""], .time),
        (["nonce": #""another""#], .nonce), (["nonce": ""], .nonce), (["nonce": "null"], .nonce),
        (["nonce": #""N0NCE""#], .nonce),
        (["sub": ""], .subject), (["sub": #""""#], .subject), (["sub": "42"], .subject),
        (["c_hash": "\"\(IdentityToken.half("another"))\""], .code), (["c_hash": "null"], .code),
    ])
    func refusesOtherClaims(changes: [String: String], rule: IdentityTokenRefusal.Rule) async throws {
        #expect(await self.rule(try issuer.token(Self.claims(changes))) == rule)
    }

    @Test(arguments: [
        (#"{"alg":"none","kid":"ec"}"#, TestIssuer.Signer.nobody, IdentityTokenRefusal.Rule.algorithm),
        (#"{"alg":"None","kid":"ec"}"#, .nobody, .algorithm), (#"{"alg":"nOnE"}"#, .nobody, .algorithm),
        (#"{"kid":"ec"}"#, .ecdsa, .algorithm), (#"{"alg":"","kid":"ec"}"#, .nobody, .algorithm),
        (#"{"alg":["ES256"],"kid":"ec"}"#, .ecdsa, .algorithm),
        (#"{"alg":"HS256","kid":"rsa"}"#, .secret, .algorithm), (#"{"alg":"HS384","kid":"rsa"}"#, .secret, .algorithm),
        (#"{"alg":"HS512","kid":"rsa"}"#, .secret, .algorithm), (#"{"alg":"RS256","kid":"rsa"}"#, .secret, .signature),
        (#"{"alg":"PS256","kid":"rsa"}"#, .pss, .algorithm), (#"{"alg":"RS256","kid":"rsa"}"#, .pss, .signature),
        (#"{"alg":"RS512","kid":"rsa"}"#, .rsa, .algorithm), (#"{"alg":"es256","kid":"ec"}"#, .ecdsa, .algorithm),
        (#"{"alg":"RS256","kid":"ec"}"#, .rsa, .algorithm), (#"{"alg":"ES256","kid":"rsa"}"#, .ecdsa, .algorithm),
        (#"{"alg":"ES256","kid":"ec"}"#, .stranger, .signature), (#"{"alg":"ES256","kid":"ec"}"#, .nobody, .signature),
        (#"{"alg":"ES256","kid":"unknown"}"#, .ecdsa, .key), (#"{"alg":"ES256","kid":"EC"}"#, .ecdsa, .key),
        (#"{"alg":"ES256"}"#, .ecdsa, .key), (#"{"alg":"ES256","kid":7}"#, .ecdsa, .key),
        (#"{"alg":"ES256","kid":"ec","crit":["exp"]}"#, .ecdsa, .header),
        (#"{"alg":"ES256","kid":"ec","jwk":{"kty":"EC"}}"#, .stranger, .header),
        (#"{"alg":"ES256","kid":"ec","jku":"https://evil.example.net/keys"}"#, .stranger, .header),
        (#"{"alg":"ES256","kid":"ec","x5c":[]}"#, .ecdsa, .header),
        (#"{"alg":"ES256","kid":"ec","b64":false}"#, .ecdsa, .header),
        (#"{"alg":"ES256","kid":"ec","typ":"at+jwt"}"#, .ecdsa, .header),
        (#"{"alg":"ES256","kid":"ec","typ":1}"#, .ecdsa, .header),
        (#"{"alg":"none","alg":"ES256","kid":"ec"}"#, .ecdsa, .malformed), (#"["ES256"]"#, .ecdsa, .malformed),
        ("", .ecdsa, .malformed),
    ])
    func refusesOtherHeaders(header: String, signer: TestIssuer.Signer, rule: IdentityTokenRefusal.Rule) async throws {
        #expect(await self.rule(try issuer.token(Self.claims(), header: header, by: signer)) == rule)
    }

    @Test func refusesEveryChangedCharacter() async throws {
        let token = Array(try issuer.token(Self.claims()).utf8)
        for index in stride(from: 0, to: token.count, by: 7) {
            var changed = token
            changed[index] = changed[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            #expect(await rule(String(decoding: changed, as: UTF8.self)) != nil, "character \(index)")
        }
    }

    @Test func refusesWhatIsNoToken() async throws {
        let token = try issuer.token(Self.claims())
        let parts = token.split(separator: ".").map(String.init)
        for text in [
            "", ".", "..", "...", parts[0], parts[0] + "." + parts[1], token + ".", "." + token, token + ".more",
            token + "=",
            " " + token, token + "\n", parts[0] + ".." + parts[2], "\(parts[0]).\(parts[1])+.\(parts[2])", "\u{0}",
            "é.é.é",
            parts[0] + "." + TestIssuer.base64URL(Data([0xFF, 0xFE])) + "." + parts[2],
            parts[0] + "." + TestIssuer.base64URL(Data("[]".utf8)) + "." + parts[2],
            String(repeating: "a", count: IdentityToken.maximumSize) + "." + parts[1] + "." + parts[2],
        ] {
            #expect(await rule(text) == .malformed, "\(text.prefix(40))")
        }
        #expect(await rule(parts[0] + "." + parts[1] + ".") == .signature)
        let twice = Self.claims().dropLast() + #","aud":"com.example.other"}"#
        #expect(await rule(try issuer.token(String(twice))) == .malformed)
    }

    @Test func refusesKeySetsThatAreNone() async throws {
        let token = try issuer.token(Self.claims())
        let good = try issuer.entries()
        func set(_ entries: [[String: String]]) throws -> [UInt8] { Array(try JSONEncoder().encode(["keys": entries])) }
        for text in ["", "[]", "{}", #"{"keys":{}}"#, #"{"keys":[]}"#, #"{"keys":[null,7,[]]}"#, "<html>"] {
            #expect(await rule(token, keys: Array(text.utf8)) == .keySet, "\(text)")
        }
        // Two of one name; and those that the key may not be: for secrets, for encryption, of another curve, too short.
        #expect(await rule(token, keys: try set(good + [good[1]])) == .keySet)
        for change in [
            ["use": "enc"], ["alg": "RS256"], ["crv": "P-384"], ["kty": "oct", "k": "AAAA"], ["x": "AAAA"],
            ["x": "not base64!"],
            ["kid": ""],
        ] {
            #expect(await rule(token, keys: try set([good[0], good[1].merging(change) { $1 }])) == .key, "\(change)")
        }
        let short = good[0].merging(["n": "AQAB"]) { $1 }
        #expect(
            await rule(
                try issuer.token(Self.claims(), header: #"{"alg":"RS256","kid":"rsa"}"#, by: .rsa),
                keys: try set([short, good[1]])) == .key)
    }
}

@Suite struct IdentityTokenJobTests {
    private let issuer: TestIssuer

    init() throws {
        issuer = try #require(TestIssuer.shared)
    }

    private func answer(_ fields: [String: String]) async throws -> SignInCheck.Answer {
        let job = try IdentityTokenJob(
            .init(
                issuer: "https://appleid.example.com", client: "com.example.shiny.signin", nonce: "n0nce",
                fields: fields),
            now: { 1_790_000_000 })
        return await job.reading(keys: try issuer.keySet())
    }

    private var good: [String: String] {
        get throws { ["code": "c0de", "id_token": try issuer.token(IdentityTokenTests.claims())] }
    }

    @Test func saysWhoSignedIn() async throws {
        let user = #"{"name":{"firstName":"Johnny","lastName":"Appleseed"},"email":"someone@else.example"}"#
        let told = try await answer(try good.merging(["user": user]) { $1 })
        #expect(told.user == "000042.me" && told.code == "c0de" && told.refusal == nil)
        #expect(told.givenName == "Johnny" && told.familyName == "Appleseed")
        // What is signed, not what is beside it.
        #expect(told.email == "me@example.com")
    }

    @Test(arguments: [
        "", "{", "[]", #"{"name":7}"#, #"{"name":{"firstName":["J"],"lastName":null}}"#,
        #"{"name":{"firstName":"\u0007"}}"#,
    ])
    func aNameThatIsNoneIsLeftOut(user: String) async throws {
        let told = try await answer(try good.merging(["user": user]) { $1 })
        #expect(told.user == "000042.me" && told.givenName == nil && told.familyName == nil)
    }

    @Test func refusesAnAnswerThatLacksOrBreaksAnything() async throws {
        let token = try good["id_token"] ?? ""
        for fields in [
            [:], ["code": "c0de"], ["id_token": token], ["code": "", "id_token": token],
            ["code": "c0de", "id_token": ""],
            ["code": "c\u{7}de", "id_token": token], ["code": String(repeating: "c", count: 4_097), "id_token": token],
            ["code": "c0de", "id_token": token + "x"],
        ] {
            let told = try await answer(fields)
            #expect(told.user == nil && told.token == nil && told.refusal != nil)
        }
    }
}

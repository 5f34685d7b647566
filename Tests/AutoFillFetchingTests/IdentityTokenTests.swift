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
    enum Signer: Sendable { case rsa, pss, ecdsa, der, stranger, secret, ecSecret, zero, nobody }

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

    /// A key set whose keys are changed, each by its name.
    func keySet(changing changes: [String: [String: String]]) throws -> [UInt8] {
        let changed = try entries().map { entry in entry.merging(changes[entry["kid"] ?? ""] ?? [:]) { $1 } }
        return Array(try JSONEncoder().encode(["keys": changed]))
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
            case .ecSecret:
                Data(
                    HMAC<SHA256>.authenticationCode(
                        for: bytes, using: SymmetricKey(data: Data(ecdsa.publicKey.pemRepresentation.utf8))))
            // The same signature in the form of certificates, which tokens do not use (RFC 7518, section 3.4).
            case .der: try ecdsa.signature(for: bytes).derRepresentation
            // Once believed by a library, for every key (CVE-2022-21449).
            case .zero: Data(count: 64)
            case .nobody: Data()
            }
        return input + "." + Self.base64URL(signature)
    }

    static func base64URL(_ data: Data) -> String { Base64URL.encode(data) }
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

    private func verified(_ token: String, keys: [UInt8]? = nil) -> Result<IdentityToken.Claims, IdentityTokenRefusal> {
        do throws(IdentityTokenRefusal) {
            let keys = try IssuerKeys(keys ?? ((try? issuer.keySet()) ?? []))
            return .success(try IdentityToken(token).verify(expected, keys: keys))
        } catch {
            return .failure(error)
        }
    }

    private func rule(_ token: String, keys: [UInt8]? = nil) -> IdentityTokenRefusal.Rule? {
        if case .failure(let refusal) = verified(token, keys: keys) { refusal.rule } else { nil }
    }

    // MARK: Accepted

    @Test(arguments: [
        (#"{"alg":"ES256","kid":"ec"}"#, TestIssuer.Signer.ecdsa), (#"{"alg":"RS256","kid":"rsa"}"#, .rsa),
        (#"{"alg":"RS256","kid":"rsa","typ":"JWT"}"#, .rsa),
    ])
    func believesWhatTheIssuerSigned(header: String, signer: TestIssuer.Signer) throws {
        let claims = try verified(issuer.token(Self.claims(), header: header, by: signer)).get()
        #expect(claims == .init(subject: "000042.me", email: "me@example.com"))
    }

    @Test(arguments: [
        ["aud": #"["com.example.shiny.signin"]"#], ["azp": #""com.example.shiny.signin""#], ["email": ""],
        ["c_hash": "\"\(IdentityToken.half("c0de"))\""], ["iat": "\(now + 30)"], ["nbf": "\(now)"], ["more": "[1,{}]"],
    ])
    func believesWhatMayBeSo(changes: [String: String]) throws {
        #expect(try rule(issuer.token(Self.claims(changes))) == nil)
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
    func refusesOtherClaims(changes: [String: String], rule: IdentityTokenRefusal.Rule) throws {
        #expect(self.rule(try issuer.token(Self.claims(changes))) == rule)
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
        (#"{"alg":"none","alg":"ES256","kid":"ec"}"#, .ecdsa, .malformed),
        (#"{"alg":"ES256","alg":"ES256","kid":"ec"}"#, .ecdsa, .malformed),
        (#"{"alg":"ES256","kid":"rsa","kid":"ec"}"#, .ecdsa, .malformed),
        (#"{"alg":"HS256","kid":"ec"}"#, .ecSecret, .algorithm),
        (#"{"alg":"ES256","kid":"ec"}"#, .ecSecret, .signature),
        (#"{"alg":"ES256","kid":"ec"}"#, .der, .signature), (#"{"alg":"ES256","kid":"ec"}"#, .zero, .signature),
        (#"{"alg":"ES256","kid":"ec"}"#, .rsa, .signature), (#"{"alg":"RS256","kid":"rsa"}"#, .ecdsa, .signature),
        (#"{"alg":"ES384","kid":"ec"}"#, .ecdsa, .algorithm), (#"{"alg":"EdDSA","kid":"ec"}"#, .ecdsa, .algorithm),
        (#"{"alg":"ES256","kid":"ec","crit":[]}"#, .ecdsa, .header),
        (#"{"alg":"ES256","kid":"ec","zip":"DEF"}"#, .ecdsa, .header),
        (#"["ES256"]"#, .ecdsa, .malformed),
        ("", .ecdsa, .malformed),
    ])
    func refusesOtherHeaders(header: String, signer: TestIssuer.Signer, rule: IdentityTokenRefusal.Rule) throws {
        #expect(self.rule(try issuer.token(Self.claims(), header: header, by: signer)) == rule)
    }

    @Test func refusesEveryChangedCharacter() throws {
        let token = Array(try issuer.token(Self.claims()).utf8)
        for index in stride(from: 0, to: token.count, by: 7) {
            var changed = token
            changed[index] = changed[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            #expect(rule(String(decoding: changed, as: UTF8.self)) != nil, "character \(index)")
        }
    }

    @Test func refusesWhatIsNoToken() throws {
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
            #expect(rule(text) == .malformed, "\(text.prefix(40))")
        }
        #expect(rule(parts[0] + "." + parts[1] + ".") == .signature)
        let twice = Self.claims().dropLast() + #","aud":"com.example.other"}"#
        #expect(rule(try issuer.token(String(twice))) == .malformed)
    }

    /// A signature has one length, and bytes have one text: what is longer, shorter or written otherwise was changed on its way.
    @Test(arguments: [
        (#"{"alg":"ES256","kid":"ec"}"#, TestIssuer.Signer.ecdsa), (#"{"alg":"RS256","kid":"rsa"}"#, .rsa),
    ])
    func refusesASignatureOfAnotherLength(header: String, signer: TestIssuer.Signer) throws {
        let token = try issuer.token(Self.claims(), header: header, by: signer)
        let parts = token.split(separator: ".").map(String.init)
        let signature = try #require(Base64URL.decode(parts[2].utf8))
        #expect(rule(token) == nil)
        let others: [[UInt8]] = [
            signature + [0], [0] + signature, signature + signature, signature.dropLast(), Array(signature.dropFirst()),
            [0],
        ]
        for changed in others {
            #expect(
                rule("\(parts[0]).\(parts[1]).\(Base64URL.encode(changed))") == .signature, "\(changed.count) bytes")
        }
    }

    @Test func refusesWhatIsNotCanonicalBase64URL() throws {
        let token = try issuer.token(Self.claims(["more": "\"\""]))
        let parts = token.split(separator: ".").map(String.init)
        // 64 bytes leave four bits of the last character unused; the headers and claims are padded until they leave some as well.
        #expect(parts[2].utf8.count == 86 && rule(token) == nil)
        let last = try #require(parts[2].last)
        #expect("AQgw".contains(last))
        for other in ["B", "C", "P", "R", "h", "x", "_"] {
            #expect(rule("\(parts[0]).\(parts[1]).\(parts[2].dropLast())\(other)") == .malformed, "\(other)")
        }
        let header = #"{"alg":"ES256","kid":"ec"} "#
        for (spaces, bits) in [("", 0), (" ", 1), ("  ", 2)] {
            let padded = try issuer.token(Self.claims() + spaces, header: header + spaces)
            let parts = padded.split(separator: ".").map(String.init)
            #expect(rule(padded) == nil)
            for index in 0..<2 where parts[index].utf8.count % 4 != 0 {
                var changed = parts
                // The next character of the alphabet differs in the last bit alone, which belongs to no byte.
                changed[index] = String(parts[index].dropLast()) + String(try following(parts[index].last))
                #expect(rule(changed.joined(separator: ".")) == .malformed, "part \(index), \(bits)")
            }
        }
        for text in ["A", "AAAAA", "A===", "AA==", "AB", "AAB", "A A", "AA\n", "A+AA", "A/AA", "\u{C3}A"] {
            #expect(Base64URL.decode(text.utf8) == nil, "\(text)")
        }
        #expect(Base64URL.decode("".utf8) == [] && Base64URL.decode("-_8".utf8) == [0xFB, 0xFF])
    }

    private func following(_ character: Character?) throws -> Character {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        return alphabet[try #require(character.flatMap { alphabet.firstIndex(of: $0) }) + 1]
    }

    /// Keys with which anybody could sign, or that are not what they say they are.
    @Test(arguments: [
        ("rsa", ["e": "AQ"]), ("rsa", ["e": "Ag"]), ("rsa", ["e": ""]), ("rsa", ["e": "AQAB="]), ("rsa", ["n": ""]),
        ("rsa", ["n": "AQAC"]), ("rsa", ["kty": "EC"]), ("rsa", ["alg": "HS256"]), ("rsa", ["alg": "PS256"]),
        ("rsa", ["kty": "oct", "k": "AAAA"]),
        ("ec", ["kty": "RSA"]), ("ec", ["x": ""]), ("ec", ["y": "AQ"]), ("ec", ["crv": "p-256"]),
        ("ec", ["x": zeros, "y": zeros]), ("ec", ["alg": "ES384"]), ("ec", ["kty": "oct", "k": "AAAA"]),
    ])
    func passesOverKeysThatSignNothing(name: String, change: [String: String]) throws {
        let header = name == "rsa" ? #"{"alg":"RS256","kid":"rsa"}"# : #"{"alg":"ES256","kid":"ec"}"#
        let token = try issuer.token(Self.claims(), header: header, by: name == "rsa" ? .rsa : .ecdsa)
        #expect(rule(token, keys: try issuer.keySet(changing: [name: change])) == .key)
    }

    static let zeros = String(repeating: "A", count: 43)

    @Test func refusesAnRSAKeyOf1024Bits() throws {
        let modulus = Base64URL.encode([0xC1] + [UInt8](repeating: 0xA5, count: 127))
        let token = try issuer.token(Self.claims(), header: #"{"alg":"RS256","kid":"rsa"}"#, by: .rsa)
        #expect(rule(token, keys: try issuer.keySet(changing: ["rsa": ["n": modulus]])) == .key)
    }

    @Test func refusesKeySetsThatAreNone() throws {
        let token = try issuer.token(Self.claims())
        let good = try issuer.entries()
        func set(_ entries: [[String: String]]) throws -> [UInt8] { Array(try JSONEncoder().encode(["keys": entries])) }
        for text in ["", "[]", "{}", #"{"keys":{}}"#, #"{"keys":[]}"#, #"{"keys":[null,7,[]]}"#, "<html>"] {
            #expect(rule(token, keys: Array(text.utf8)) == .keySet, "\(text)")
        }
        // Two of one name; and those that the key may not be: for secrets, for encryption, of another curve, too short.
        #expect(rule(token, keys: try set(good + [good[1]])) == .keySet)
        for change in [
            ["use": "enc"], ["alg": "RS256"], ["crv": "P-384"], ["kty": "oct", "k": "AAAA"], ["x": "AAAA"],
            ["x": "not base64!"],
            ["kid": ""],
        ] {
            #expect(rule(token, keys: try set([good[0], good[1].merging(change) { $1 }])) == .key, "\(change)")
        }
        let short = good[0].merging(["n": "AQAB"]) { $1 }
        #expect(
            rule(
                try issuer.token(Self.claims(), header: #"{"alg":"RS256","kid":"rsa"}"#, by: .rsa),
                keys: try set([short, good[1]])) == .key)
    }
}

@Suite struct IdentityTokenJobTests {
    private let issuer: TestIssuer

    init() throws {
        issuer = try #require(TestIssuer.shared)
    }

    private func answer(_ fields: [String: String]) throws -> SignInCheck.Answer {
        let job = try IdentityTokenJob(
            .init(
                issuer: "https://appleid.example.com", client: "com.example.shiny.signin", nonce: "n0nce",
                fields: fields),
            now: { 1_790_000_000 })
        return job.reading(keys: try issuer.keySet())
    }

    private var good: [String: String] {
        get throws { ["code": "c0de", "id_token": try issuer.token(IdentityTokenTests.claims())] }
    }

    @Test func saysWhoSignedIn() throws {
        let user = #"{"name":{"firstName":"Johnny","lastName":"Appleseed"},"email":"someone@else.example"}"#
        let told = try answer(try good.merging(["user": user]) { $1 })
        #expect(told.user == "000042.me" && told.code == "c0de" && told.refusal == nil)
        #expect(told.givenName == "Johnny" && told.familyName == "Appleseed")
        // What is signed, not what is beside it.
        #expect(told.email == "me@example.com")
    }

    @Test(arguments: [
        "", "{", "[]", #"{"name":7}"#, #"{"name":{"firstName":["J"],"lastName":null}}"#,
        #"{"name":{"firstName":"\u0007"}}"#,
    ])
    func aNameThatIsNoneIsLeftOut(user: String) throws {
        let told = try answer(try good.merging(["user": user]) { $1 })
        #expect(told.user == "000042.me" && told.givenName == nil && told.familyName == nil)
    }

    @Test func refusesAnAnswerThatLacksOrBreaksAnything() throws {
        let token = try good["id_token"] ?? ""
        for fields in [
            [:], ["code": "c0de"], ["id_token": token], ["code": "", "id_token": token],
            ["code": "c0de", "id_token": ""],
            ["code": "c\u{7}de", "id_token": token], ["code": String(repeating: "c", count: 4_097), "id_token": token],
            ["code": "c0de", "id_token": token + "x"],
        ] {
            let told = try answer(fields)
            #expect(told.user == nil && told.token == nil && told.refusal != nil)
        }
    }
}

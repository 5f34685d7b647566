// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ShinyAccounts

@Suite struct IssuerTests {
    private static let client = Issuer.Client(
        identifier: "com.example.shiny.signin", returnURL: "https://shiny.example.com/auth/return")
    private let issuer: Issuer

    init() throws {
        issuer = try Issuer(name: "https://appleid.example.com", client: Self.client)
    }

    private func fields(_ answer: Issuer.Answer) -> [String: String] {
        Dictionary(uniqueKeysWithValues: answer.fields.map { ($0.name, $0.value) })
    }

    @Test func confirmsWhoSignedInOnce() async throws {
        let answer = fields(try await issuer.authorize(email: "a@example.com", state: "s", nonce: "n"))
        #expect(answer["state"] == "s" && answer["user"] != nil)
        let (token, code) = (try #require(answer["id_token"]), try #require(answer["code"]))
        let person = try await issuer.person(for: token, nonce: "n", code: code)
        #expect(person.email == "a@example.com")
        await #expect(throws: Refusal.self) { try await issuer.person(for: token, nonce: "n", code: code) }
        #expect(fields(try await issuer.authorize(email: "a@example.com", state: nil, nonce: nil))["user"] == nil)
    }

    @Test(arguments: [Issuer.Flaw.audience, .issuer, .nonce, .expired, .key, .unsigned])
    func doesNotConfirmAFlawedToken(flaw: Issuer.Flaw) async throws {
        await issuer.have(flaw)
        let answer = fields(try await issuer.authorize(email: "a@example.com", state: "s", nonce: "n"))
        let (token, code) = (try #require(answer["id_token"]), try #require(answer["code"]))
        await #expect(throws: Refusal.self) { try await issuer.person(for: token, nonce: "n", code: code) }
    }

    @Test func knowsItsOwnClientOnly() async {
        #expect(issuer.knows(client: Self.client.identifier, returnURL: Self.client.returnURL))
        #expect(!issuer.knows(client: "com.example.other", returnURL: Self.client.returnURL))
        #expect(!issuer.knows(client: Self.client.identifier, returnURL: "https://evil.example.net/auth/return"))
        let refused = await issuer.refuse(state: "s")
        #expect(fields(refused) == ["error": "user_cancelled_authorize", "state": "s"])
    }
}

// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import AutoFillDaemon
@testable import AutoFillProviders
@testable import DaemonTesting

/// What is asked of an identity provider, and what may come back.
@Suite struct AppleSignInTests {
    private let client: AppleClient

    init() throws {
        client = try AppleClient(
            identifier: "com.example.shiny", returnURL: "https://shiny.example.com/return", issuer: nil)
    }

    private func signIn(state: String? = "st4te", nonce: String? = "n0nce") throws -> AppleSignIn {
        try #require(AppleSignIn(for: client, state: state, nonce: nonce))
    }

    private func parameters(_ signIn: AppleSignIn) throws -> [String: String] {
        let items = try #require(URLComponents(string: signIn.url)?.queryItems)
        return Dictionary(uniqueKeysWithValues: items.map { ($0.name, $0.value ?? "") })
    }

    @Test func asksAsAppleDocumentsIt() throws {
        let signIn = try signIn()
        #expect(signIn.url.hasPrefix("https://appleid.apple.com/auth/authorize?"))
        #expect(
            try parameters(signIn) == [
                "response_type": "code id_token", "response_mode": "form_post", "scope": "name email",
                "client_id": "com.example.shiny", "redirect_uri": "https://shiny.example.com/return",
                "state": "st4te", "nonce": "n0nce",
            ])
    }

    @Test(arguments: ["a&state=b", "a=b#c?d", "ü%20+ ;", "\"<>\\"])
    func nothingOfAStateIsReadAsMore(text: String) throws {
        let signIn = try signIn(state: text, nonce: text)
        #expect(try parameters(signIn)["state"] == text && parameters(signIn)["nonce"] == text)
        #expect(signIn.url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
    }

    @Test func oneIsMadeWhereTheExtensionHasNone() throws {
        let (first, second) = (try signIn(state: nil, nonce: nil), try signIn(state: nil, nonce: nil))
        let (asked, other) = (try parameters(first), try parameters(second))
        #expect(first.ownState == nil && asked["state"]?.isEmpty == false && asked["nonce"]?.isEmpty == false)
        #expect(
            asked["state"] != other["state"] && asked["nonce"] != other["nonce"] && asked["state"] != asked["nonce"])
        // It binds all the same.
        #expect(first.read(["code": "c", "id_token": "t"]) == .refused("the answer belongs to another request"))
    }

    @Test(arguments: ["", "a\u{0}", "a\nb", String(repeating: "a", count: 1_025)])
    func refusesWhatBindsNothing(text: String) {
        #expect(AppleSignIn(for: client, state: text, nonce: "n") == nil)
        #expect(AppleSignIn(for: client, state: "s", nonce: text) == nil)
    }

    @Test func takesTheAnswerToItsRequestAndNothingElseOfIt() throws {
        let fields = ["state": "st4te", "code": "c", "id_token": "t", "user": "{}", "more": "x"]
        #expect(try signIn().read(fields) == .answer(["code": "c", "id_token": "t", "user": "{}"]))
    }

    @Test(arguments: [
        [:], ["code": "c", "id_token": "t"], ["state": "", "code": "c", "id_token": "t"],
        ["state": "st4t", "code": "c", "id_token": "t"], ["state": "st4te ", "code": "c", "id_token": "t"],
        ["state": "ST4TE", "code": "c", "id_token": "t"], ["state": "n0nce", "code": "c", "id_token": "t"],
        ["state": "st4te"], ["state": "st4te", "code": "c"], ["state": "st4te", "id_token": "t"],
        ["state": "st4te", "error": "server_error", "code": "c", "id_token": "t"],
        ["state": "another", "error": "user_cancelled_authorize"], ["error": "user_cancelled_authorize"],
        ["state": "st4te", "code": String(repeating: "c", count: 32_769), "id_token": "t"],
    ])
    func refuses(fields: [String: String]) throws {
        guard case .refused = try signIn().read(fields) else {
            Issue.record("it was taken: \(fields.keys.sorted())")
            return
        }
    }

    @Test(arguments: ["user_cancelled_authorize", "access_denied"])
    func noOnThePageIsTheUsersNo(error: String) throws {
        #expect(try signIn().read(["state": "st4te", "error": error]) == .canceled)
    }

    @Test func marksTellOneFromAnotherAndNothingElse() throws {
        let marks = try signIn().marks(for: "a")
        #expect(marks == (try signIn().marks(for: "a")) && marks.allSatisfy { $0.count == 32 })
        // What is a state is no nonce, and another extension's is another one.
        #expect(Set(try signIn(state: "x", nonce: "x").marks(for: "a")).count == 2)
        #expect(Set(marks).isDisjoint(with: try signIn().marks(for: "b")))
        #expect(Set(marks).isDisjoint(with: try signIn(state: "n0nce", nonce: "st4te").marks(for: "a")))
    }
}

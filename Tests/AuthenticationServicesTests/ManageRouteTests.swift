// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import Foundation
import ProviderTesting
import Testing

@testable import AuthenticationServices

@Suite(.timeLimit(.minutes(1)))
struct ManageRouteTests {
    private static let item: JSONValue = .object([
        "id": .string("i"), "services": .array([.string("a.example")]), "user": .string("u"), "created": .integer(1),
        "modified": .integer(2),
    ])

    @Test(arguments: [
        ("manage.list", #"{}"#), ("manage.list", #"{"search":"x","removed":true,"cursor":4}"#),
        ("manage.get", #"{"id":"i"}"#), ("manage.reveal", #"{"id":"i","purpose":"show"}"#),
        ("manage.compare", #"{"items":[{"id":"i","password":{"secret":"p"}},{"id":"i","password":{"secret":"q"}}]}"#),
        (
            "manage.compare",
            #"{"items":[{"id":"i","password":{"secret":"p"},"notes":{"secret":"n"}},{"id":"i","password":{"secret":"p"},"notes":{"secret":"other"}}]}"#
        ),
        ("manage.code", #"{"id":"i"}"#),
        ("manage.remove", #"{"id":"i"}"#), ("manage.restore", #"{"id":"i"}"#), ("manage.history", #"{"id":"i"}"#),
        ("manage.edit", #"{"id":"i","user":"u"}"#), ("manage.snapshot", #"{}"#),
        ("manage.check", #"{}"#),
        ("manage.add", #"{"items":[{"services":["a.example"],"user":"u","password":{"secret":"p"}}]}"#),
        ("manage.add", #"{"items":[]}"#),
    ])
    func carriesEachRequest(method: String, params: String) async throws {
        let answer = try await ManageRoute(managing: FixedItems()).answer(method, try JSONValue(text: params))
        let expected: JSONValue =
            switch method {
            case "manage.list": .object(["items": .array([Self.item]), "cursor": .integer(9)])
            case "manage.add" where params.contains("[]"): .object(["items": .array([])])
            case "manage.add": .object(["items": .array([Self.item])])
            case "manage.reveal": .object(["password": .secret(SecretBytes(utf8: "p"))])
            case "manage.compare": .object(["same": .array([.bool(true), .bool(false)])])
            case "manage.code":
                .object(["code": .secret(SecretBytes(utf8: "482193")), "secondsLeft": .integer(17)])
            case "manage.history":
                .object([
                    "changes": .array([.object(["date": .integer(0), "password": .secret(SecretBytes(utf8: "o"))])])
                ])
            case "manage.snapshot": .object(["file": .string("f")])
            case "manage.check": .object(["items": .integer(7)])
            case "manage.get":
                .object(["item": Self.item.with("notes", .secret(SecretBytes(utf8: "n")))])
            default: .object(["item": Self.item])
            }
        #expect(answer == expected)
    }

    @Test(arguments: [
        ("manage.get", #"{}"#), ("manage.get", #"{"id":1}"#), ("manage.get", #"{"id":{"secret":"i"}}"#),
        ("manage.list", #"{"cursor":"x"}"#), ("manage.list", #"{"cursor":1.5}"#),
        ("manage.add", #"{}"#), ("manage.add", #"{"items":{}}"#), ("manage.add", #"{"items":[1]}"#),
        ("manage.add", #"{"items":[{"services":["a"],"user":"u","password":"plain text"}]}"#),
        ("manage.compare", #"{}"#), ("manage.compare", #"{"items":[{"id":"i","password":"plain text"}]}"#),
        ("manage.edit", #"{"user":"u"}"#), ("manage.edit", #"{"id":"i","services":"a.example"}"#),
    ])
    func refusesParametersThatAreNotRight(method: String, params: String) async throws {
        let refusal = await Refusal.of {
            try await ManageRoute(managing: FixedItems()).answer(method, try JSONValue(text: params))
        }
        #expect(refusal?.code == WireError.Code.invalidParams.rawValue)
    }

    @Test
    func refusesMoreThan200ItemsAtOnce() async throws {
        let item = #"{"services":["a"],"user":"u","password":{"secret":"p"}}"#
        let params = try JSONValue(
            text: #"{"items":["# + Array(repeating: item, count: 201).joined(separator: ",") + "]}"
        )
        let refusal = await Refusal.of { try await ManageRoute(managing: FixedItems()).answer("manage.add", params) }
        #expect(refusal?.code == WireError.Code.invalidParams.rawValue)
    }

    @Test(arguments: [
        (CredentialManagingError(.notFound, "gone", hint: "h") as any Error, WireError(.notFound, "gone", hint: "h")),
        (CredentialManagingError(.invalidItem, "m"), WireError(.invalidItem, "m")),
        (CredentialManagingError(.storageFailed, "m"), WireError(.storageFailed, "m")),
        (CredentialManagingError(.unsupportedVersion, "m"), WireError(.unsupportedVersion, "m")),
        (CredentialManagingError(.busy, "m"), WireError(.busy, "m")),
        (CocoaError(.fileNoSuchFile), WireError(.internalError, "The provider has a malfunction.")),
        (
            NSError(domain: "hunter2", code: 1, userInfo: [NSLocalizedDescriptionKey: "hunter2"]),
            WireError(.internalError, "The provider has a malfunction.")
        ),
    ])
    func passesOnOnlyTheProvidersOwnErrors(thrown: any Error, expected: WireError) async throws {
        do {
            _ = try await ManageRoute(managing: FixedItems(error: thrown)).answer(
                "manage.get",
                try JSONValue(text: #"{"id":"i"}"#)
            )
            Issue.record("it was answered")
        } catch let error as WireError {
            #expect(error == expected)
        }
    }

    @Test(arguments: ["manage.", "manage.list ", "items.list", ""])
    func knowsNothingElse(method: String) async throws {
        #expect(try await ManageRoute(managing: FixedItems()).answer(method, .object([:])) == nil)
    }
}

/// Always the same item, or always the same error.
struct FixedItems: CredentialManaging {
    var error: (any Error)?

    private func item(notes: SecretText? = nil) throws -> CredentialItem {
        if let error { throw error }
        return CredentialItem(
            id: "i",
            services: ["a.example"],
            user: "u",
            created: Date(timeIntervalSince1970: 1.9),
            modified: Date(timeIntervalSince1970: 2),
            notes: notes
        )
    }

    func items(matching search: String, removed: Bool, cursor: Int?) throws -> CredentialItemPage {
        // Notes that a careless provider leaves in a listing do not travel.
        CredentialItemPage(items: [try item(notes: SecretText("n"))], cursor: 9)
    }
    func item(_ id: String) throws -> CredentialItem { try item(notes: SecretText("n")) }
    func add(_ items: [NewCredentialItem]) throws -> [CredentialItem] { try items.map { _ in try item() } }
    func edit(_ id: String, _ changes: CredentialItemChanges) throws -> CredentialItem { try item() }
    func remove(_ id: String) throws -> CredentialItem { try item() }
    func restore(_ id: String) throws -> CredentialItem { try item() }
    func password(of id: String) throws -> SecretText { SecretText("p") }
    func oneTimeCode(of id: String) throws -> CurrentOneTimeCode {
        CurrentOneTimeCode(code: SecretText("482193"), secondsLeft: 17)
    }
    func history(of id: String) throws -> [PastPassword] {
        [PastPassword(until: Date(timeIntervalSince1970: .nan), password: SecretText("o"))]
    }
    func snapshot() throws -> String { "f" }
    func check() throws -> Int { 7 }
}

extension JSONValue {
    /// Reads the text of a value.
    init(text: String) throws {
        let request = #"{"jsonrpc":"2.0","id":1,"result":"# + text + "}"
        let message = try SecretBytes(utf8: request).withUnsafeBytes { try Message(decoding: $0) }
        guard case .response(_, .success(let value)) = message else { throw WireError(.parseError, "no value") }
        self = value
    }

    fileprivate func with(_ name: String, _ value: JSONValue) -> JSONValue {
        guard case .object(var members) = self else { return self }
        members[name] = value
        return .object(members)
    }
}

// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecurityCodes
import Testing

@testable import ShinyAccounts

@Suite struct AccountBookTests {
    private static let strong = "Shiny-and-Strong-9876"
    private let key = Array("12345678901234567890".utf8)

    private func book(file: URL? = nil) throws -> AccountBook {
        try AccountBook(file: file, now: { 1_790_000_000 })
    }

    private func code(of key: [UInt8], at time: Int64) throws -> String {
        let generator = try #require(CodeGenerator())
        return try #require(key.withUnsafeBytes { generator.code(at: time, key: $0) }).text
    }

    private func refusal(_ body: () async throws -> Void) async -> Refusal.Reason? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? Refusal)?.reason
        }
    }

    @Test func takesAnOldWeakPasswordAndANewStrongOne() async throws {
        let book = try book()
        try await book.add("rmondello", password: "hunter2", isOld: true)
        try await book.changePassword(Proof(user: "rmondello", password: "hunter2"), to: Self.strong)
        _ = try await book.signIn(Proof(user: "rmondello", password: Self.strong))
        #expect(
            await refusal { _ = try await book.signIn(Proof(user: "rmondello", password: "hunter2")) }
                == .wrongCredentials)
    }

    @Test(arguments: [
        "short-A1", "no-capitals-here-1", "NO-SMALL-LETTERS-1", "No-Digits-In-Here", "With a space A1 x", "",
    ])
    func refusesWhatThePolicyDoesNotTake(password: String) async throws {
        let book = try book()
        try await book.add("rmondello", password: "hunter2", isOld: true)
        let change = await refusal {
            try await book.changePassword(Proof(user: "rmondello", password: "hunter2"), to: password)
        }
        #expect(change == .policy)
        #expect(await refusal { try await book.add("new", password: password) } != nil)
        _ = try await book.signIn(Proof(user: "rmondello", password: "hunter2"))
    }

    @Test func tellsNobodyWhichAccountsThereAre() async throws {
        let book = try book()
        try await book.add("rmondello", password: "hunter2", isOld: true)
        for proof in [
            Proof(user: "rmondello", password: "hunter3"), Proof(user: "nobody", password: "hunter2"),
            Proof(user: "nobody", password: "a decoy"), Proof(user: "rmondello", password: nil),
            Proof(user: "rmondello", token: "made up"), Proof(user: "", password: ""),
        ] {
            #expect(await refusal { _ = try await book.signIn(proof) } == .wrongCredentials)
        }
    }

    @Test func wantsTheSecondFactorOnceForEachCode() async throws {
        let book = try book()
        try await book.add("rmondello", password: "hunter2", secondFactor: SecondFactor(key: key), isOld: true)
        let now: Int64 = 1_790_000_000
        let change: @Sendable (String?) async throws -> Void = { code in
            try await book.changePassword(
                Proof(user: "rmondello", password: "hunter2", code: code), to: Self.strong)
        }
        #expect(await refusal { try await change(nil) } == .codeRequired)
        #expect(await refusal { try await change("000000x") } == .wrongCode)
        let old = try code(of: key, at: now - 90)
        #expect(await refusal { try await change(old) } == .wrongCode)
        let code = try code(of: key, at: now)
        try await change(code)
        let again = await refusal {
            _ = try await book.signIn(Proof(user: "rmondello", password: Self.strong, code: code))
        }
        #expect(again == .wrongCode)
    }

    @Test func aSessionChangesItsOwnPasswordAndEndsWithIt() async throws {
        let book = try book()
        try await book.add("rmondello", password: "hunter2", isOld: true)
        try await book.add("other", password: "hunter2", isOld: true)
        let token = try await book.signIn(Proof(user: "rmondello", password: "hunter2"))
        let foreign = await refusal {
            try await book.changePassword(Proof(user: "other", token: token), to: Self.strong)
        }
        #expect(foreign == .wrongCredentials)
        try await book.changePassword(Proof(user: "rmondello", token: token), to: Self.strong)
        let ended = await refusal {
            try await book.changePassword(Proof(user: "rmondello", token: token), to: Self.strong + "-1")
        }
        #expect(ended == .wrongCredentials)
    }

    @Test func aConvertedAccountHasNoPassword() async throws {
        let book = try book()
        try await book.add("rmondello", password: "hunter2", isOld: true)
        try await book.add("other", password: "hunter2", isOld: true)
        try await book.convert(Proof(user: "rmondello", password: "hunter2"), subject: "000042.x", email: nil)
        #expect(await book.method(of: "rmondello") == "apple")
        #expect(
            await refusal { _ = try await book.signIn(Proof(user: "rmondello", password: "hunter2")) }
                == .wrongCredentials)
        let taken = await refusal {
            try await book.convert(Proof(user: "other", password: "hunter2"), subject: "000042.x", email: nil)
        }
        #expect(taken == .taken)
    }

    @Test func whatIsKeptHoldsNoPassword() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "shiny-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: file) }
        let before = try book(file: file)
        try await before.add("rmondello", password: "hunter2", isOld: true)
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text.contains("argon2id") && !text.contains("hunter2"))
        _ = try await book(file: file).signIn(Proof(user: "rmondello", password: "hunter2"))
        try Data("[".utf8).write(to: file)
        #expect(throws: (any Error).self) { try book(file: file) }
    }
}

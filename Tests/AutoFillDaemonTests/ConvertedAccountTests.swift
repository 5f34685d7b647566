// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import AutoFillIPC
import AutoFillSecrets
import Foundation
import ShownText
import Testing

@testable import AutoFillDaemon
@testable import AutoFillSecrets
@testable import DaemonTesting

/// Accounts that sign in with Apple, and what was used for that, in the registry.
@Suite struct ConvertedAccountTests {
    private let folder: TemporaryFolder
    private let key = DeviceKey.random().registryKey
    private var path: String { folder.path + "/registry" }

    init() throws {
        folder = try TemporaryFolder(inMemory: true)
    }

    private func account(_ user: String = "anna", _ fate: PasswordFate = .pending, date: Int64 = 1) -> ConvertedAccount
    {
        ConvertedAccount(
            service: "shiny.example.com", user: user, provider: BundleIdentifier.builtIn.rawValue, record: "r-" + user,
            app: FakeApp.identifier, date: date, password: fate)
    }

    private func marks(_ text: String) -> [Data] { [Data(("state " + text).utf8), Data(("nonce " + text).utf8)] }

    @Test func isThereAfterARestart() throws {
        var registry = try SealedRegistry(creatingAt: path, key: key)
        try registry.note(account())
        try registry.note(account("bob"))
        try registry.note(.removed, of: account("bob"))
        var read = try SealedRegistry(contentsOf: path, key: key)
        #expect(read.converted == [account(), account("bob", .removed)])
        // What is known of an account is known once, the latest.
        try read.note(account("anna", date: 7))
        #expect(read.converted == [account("bob", .removed), account("anna", date: 7)])
        try read.forgetConverted { $0.user == "bob" }
        #expect(try SealedRegistry(contentsOf: path, key: key).converted == [account("anna", date: 7)])
    }

    @Test func whatHasBecomeOfAnotherPasswordIsNotNoted() throws {
        var registry = try SealedRegistry(creatingAt: path, key: key)
        try registry.note(account())
        try registry.note(.removed, of: account("anna", date: 2))
        #expect(registry.converted == [account()])
    }

    @Test func nothingIsChangedWhereItCannotBeWritten() throws {
        var registry = try SealedRegistry(creatingAt: path, key: key)
        try registry.note(account())
        #expect(try registry.use(marks("1")))
        try FileManager.default.removeItem(atPath: folder.path)
        #expect(throws: (any Error).self) { try registry.note(account("bob")) }
        #expect(throws: (any Error).self) { try registry.note(.removed, of: account()) }
        #expect(throws: (any Error).self) { try registry.forgetConverted { _ in true } }
        #expect(throws: (any Error).self) { try registry.use(marks("2")) }
        #expect(registry.converted == [account()] && registry.used == marks("1"))
    }

    @Test func stateAndNonceAreGoodOnce() throws {
        var registry = try SealedRegistry(creatingAt: path, key: key)
        #expect(try registry.use(marks("1")))
        #expect(try !registry.use(marks("1")))
        // One of the two is enough.
        #expect(try !registry.use([marks("1")[0], marks("2")[1]]))
        #expect(try !registry.use([marks("2")[0], marks("1")[1]]))
        #expect(try !registry.use([marks("3")[0], marks("3")[0]]))
        // What was refused was not used.
        #expect(try registry.use(marks("2")))
        var read = try SealedRegistry(contentsOf: path, key: key)
        #expect(try !read.use(marks("1")) && !read.use(marks("2")))
    }

    @Test func soManyAreRemembered() throws {
        var registry = try SealedRegistry(creatingAt: path, key: key)
        try registry.setUsed((0..<SealedRegistry.usedLimit).map { Data("\($0)".utf8) })
        #expect(try registry.use(marks("last")))
        #expect(registry.used.count == SealedRegistry.usedLimit && registry.used.suffix(2) == marks("last")[...])
        try registry.setConverted((0..<ConvertedAccount.limit).map { account("\($0)") })
        try registry.note(account("last"))
        #expect(registry.converted.count == ConvertedAccount.limit && registry.converted.first?.user == "1")
    }

    @Test func onlyItsOwnRecordIsMeant() {
        #expect(account().isOf(.builtIn, record: "r-anna"))
        #expect(!account().isOf(.builtIn, record: "r-bob") && !account().isOf(.builtIn, record: nil))
        #expect(!account().isOf(.receivedCodes, record: "r-anna"))
        var unsaved = account()
        unsaved.record = nil
        #expect(!unsaved.isOf(.builtIn, record: nil))
        #expect(!account().concerns(service: "a.shiny.example.com", user: "anna"))
        #expect(!account().concerns(service: "shiny.example.com", user: "bob"))
    }
}

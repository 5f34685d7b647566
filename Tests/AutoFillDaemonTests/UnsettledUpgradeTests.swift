// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import AutoFillIPC
import AutoFillRelease
import AutoFillSecrets
import Foundation
import Testing

@testable import AutoFillDaemon
@testable import AutoFillSecrets
@testable import DaemonTesting

/// Changes of passwords of which the end is not known, in the registry.
@Suite struct UnsettledUpgradeTests {
    private let folder: TemporaryFolder
    private let key = DeviceKey.random().registryKey
    private var path: String { folder.path + "/registry" }

    init() throws {
        folder = try TemporaryFolder(inMemory: true)
    }

    private func upgrade(_ id: String, user: String = "anna", date: Int64 = 1_790_000_000) -> UnsettledUpgrade {
        UnsettledUpgrade(
            id: id, service: "shiny.example.com", user: user, provider: .builtIn, session: id, date: date,
            marking: HeldCredential(
                identity: .shiny, provider: .builtIn, password: HeldSecret(WireSecret(SecretBytes(utf8: "new-" + id)))))
    }

    @Test func tellsTheNewPasswordAndHoldsItNowhere() throws {
        let upgrade = upgrade("a")
        #expect(upgrade.isNew(SecretBytes(utf8: "new-a")))
        for other in ["new-b", "", "new-a ", "canary"] { #expect(!upgrade.isNew(SecretBytes(utf8: other))) }
        let bytes = try JSONEncoder().encode(upgrade)
        #expect(bytes.range(of: Data("new-a".utf8)) == nil)
        // The same password is marked otherwise each time.
        #expect(self.upgrade("a").mark != upgrade.mark)
    }

    @Test func isThereAfterARestart() throws {
        var registry = try SealedRegistry(creatingAt: path, key: key)
        try registry.note(upgrade("a"))
        try registry.note(upgrade("b", user: "bob"))
        var read = try SealedRegistry(contentsOf: path, key: key)
        #expect(read.unsettled.map(\.id) == ["a", "b"])
        #expect(read.unsettled[0].isNew(SecretBytes(utf8: "new-a")))
        #expect(try read.settle { $0.concerns(service: "shiny.example.com", user: "anna") }.map(\.id) == ["a"])
        #expect(try SealedRegistry(contentsOf: path, key: key).unsettled.map(\.id) == ["b"])
    }

    @Test func othersAreNotConcerned() throws {
        let upgrade = upgrade("a")
        #expect(upgrade.concerns(service: "shiny.example.com", user: "anna"))
        #expect(!upgrade.concerns(service: "shiny.example.com", user: "bob"))
        #expect(!upgrade.concerns(service: "a.shiny.example.com", user: "anna"))
        #expect(!upgrade.concerns(service: "example.com", user: "anna"))
    }

    @Test func nothingIsChangedWhereItCannotBeWritten() throws {
        var registry = try SealedRegistry(creatingAt: path, key: key)
        try registry.note(upgrade("a"))
        try FileManager.default.removeItem(atPath: folder.path)
        #expect(throws: (any Error).self) { try registry.note(upgrade("b")) }
        #expect(throws: (any Error).self) { try registry.settle { _ in true } }
        #expect(registry.unsettled.map(\.id) == ["a"])
    }

    @Test func tooManyAreForgottenAndNoneForItsDate() throws {
        var registry = try SealedRegistry(creatingAt: path, key: key)
        try registry.note(upgrade("old", date: 1_790_000_000 - UnsettledUpgrade.span))
        try registry.note(upgrade("new"))
        #expect(registry.unsettled.map(\.id) == ["old", "new"])
        try registry.setUnsettled((0..<UnsettledUpgrade.limit).map { upgrade("\($0)") })
        try registry.note(upgrade("last"))
        #expect(registry.unsettled.count == UnsettledUpgrade.limit)
        #expect(registry.unsettled.last?.id == "last" && registry.unsettled.first?.id == "1")
    }
}

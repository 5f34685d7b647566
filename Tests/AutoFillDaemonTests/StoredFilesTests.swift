// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillAsking
import AutoFillIPC
import AutoFillSecrets
import Foundation
import Testing

@testable import AutoFillDaemon
@testable import DaemonTesting

/// Damaged files cost what they hold: they are named, kept, and made anew where that loses nothing more.
@Suite(.timeLimit(.minutes(2))) struct StoredFilesTests {
    private let torn = Data(#"{"form"#.utf8)

    private func tear(_ path: String) throws {
        try torn.write(to: URL(fileURLWithPath: path))
    }

    private func problems(_ daemon: FakeInstallation) async -> [String] {
        (await daemon.capabilities.settings.status.wholeStatus().files ?? []).map(\.path.lastPathPart)
    }

    @Test func aTornKeyringIsNamedAndABackupTakesItsPlace() async throws {
        let daemon = try await FakeInstallation()
        try await daemon.begin()
        let (path, backup) = (daemon.directories.data + "/keyring", daemon.folder.path + "/backup")
        _ = try await daemon.capabilities.settings.backups.writeBackup(to: backup)
        await daemon.broker.lock(reason: "test")
        try tear(path)
        await daemon.broker.readFilesAgain()

        #expect(await problems(daemon) == ["keyring"])
        let standing = await daemon.broker.standing()
        #expect(standing.initialized && standing.locked, "it is no new installation")
        for act in [
            { try await daemon.broker.unlock(passphrase: daemon.passphrase) },
            { _ = try await daemon.capabilities.settings.keyrings.initialize(passphrase: daemon.passphrase, on: 1) },
            {
                _ = try await daemon.capabilities.settings.keyrings.recover(
                    code: daemon.passphrase, newPassphrase: daemon.passphrase, on: 1)
            },
        ] as [() async throws -> Void] {
            await #expect {
                try await act()
            } throws: {
                code($0) == .storageFailed && ($0 as? WireError)?.hint?.contains("latchkey restore") == true
            }
        }
        let repair = await daemon.capabilities.settings.status.files.repair()
        #expect(repair.repaired.isEmpty && repair.files.map(\.path) == [path] && repair.locked)
        #expect(FileManager.default.contents(atPath: path) == torn)

        let restored = try await daemon.capabilities.settings.backups.restoreBackup(
            .init(path: backup, passphrase: WireSecret(daemon.passphrase)))
        #expect(restored.items == 1)
        #expect(await problems(daemon) == [])
    }

    @Test func whatIsInMemoryIsWrittenAgain() async throws {
        let daemon = try await FakeInstallation()
        try await daemon.begin()
        _ = try await daemon.broker.setPreferences(.init(idleMinutes: 7))
        let files = ["data/latchkey/keyring", "data/latchkey/registry", "config/latchkey/preferences.json"]
        for file in files { try tear(daemon.folder.path + "/" + file) }
        #expect(await problems(daemon) == ["keyring", "registry", "preferences.json"])
        let repair = await daemon.capabilities.settings.status.files.repair()
        #expect(repair.files.isEmpty && repair.repaired.allSatisfy { $0.outcome.contains("nothing is lost") })
        #expect(Set(repair.setAside) == Set(files.map { daemon.folder.path + "/" + $0 + ".damaged-1" }))
        #expect(await problems(daemon) == [])

        await daemon.broker.lock(reason: "test")
        await daemon.broker.readFilesAgain()
        try await daemon.broker.unlock(passphrase: daemon.passphrase)
        #expect(await daemon.broker.preferences.idleMinutes == 7)
    }

    @Test func whatTheRestDoesNotNeedIsMovedAside() async throws {
        let daemon = try await FakeInstallation()
        try await daemon.begin()
        let files = ["config/latchkey/peers.json", "config/latchkey/preferences.json", "data/latchkey/login-key"]
        for round in 1...2 {
            for file in files { try tear(daemon.folder.path + "/" + file) }
            await daemon.broker.readFilesAgain()
            #expect(await daemon.broker.preferences.authentication == "always")
            #expect(await problems(daemon) == ["peers.json", "preferences.json", "login-key"])
            let repair = await daemon.capabilities.settings.status.files.repair()
            #expect(repair.files.isEmpty && repair.repaired.count == 3)
            #expect(repair.setAside.count == 3 * round, "none takes the place of another")
            await daemon.broker.readFilesAgain()
            #expect(await problems(daemon) == [])
            #expect(await daemon.broker.preferences.authentication == "always", "a repair makes nothing weaker")
        }
    }

    @Test func aDamagedRegistryIsNamedAfterTheUnlock() async throws {
        let daemon = try await FakeInstallation()
        try await daemon.begin()
        await daemon.broker.lock(reason: "test")
        let whole = daemon.folder.read("data/latchkey/registry")
        try tear(daemon.directories.data + "/registry")
        await #expect { try await daemon.broker.unlock(passphrase: daemon.passphrase) } throws: {
            code($0) == .storageFailed
        }
        #expect(await problems(daemon) == ["registry"])
        try Data(whole).write(to: URL(fileURLWithPath: daemon.directories.data + "/registry"))
        try await daemon.broker.unlock(passphrase: daemon.passphrase)
        #expect(await problems(daemon) == [])
    }

    /// A file in the place of the folder keeps everything out, as a full disk or a folder that is read-only does.
    @Test func aStateFolderThatTakesNoFileLocksNobodyOut() async throws {
        let daemon = try await FakeInstallation()
        try await daemon.begin()
        await daemon.broker.lock(reason: "test")
        let state = daemon.directories.state
        try FileManager.default.removeItem(atPath: state)
        try tear(state)
        try await daemon.broker.unlock(passphrase: daemon.passphrase)
        #expect(await problems(daemon) == ["audit.log", "identities"])
        // It goes on by itself when there is room.
        try FileManager.default.removeItem(atPath: state)
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
        #expect(await problems(daemon) == ["identities"])
        let shown = try await daemon.capabilities.settings.items.reveal(.init(id: "r1"), program: "/usr/bin/latchkey")
        #expect(shown.password.bytes.text == "canary")
        await daemon.broker.lock(reason: "test")
        try await daemon.broker.unlock(passphrase: daemon.passphrase)
        #expect(await problems(daemon) == [])
    }

    @Test func aVaultThatCannotBeReadWholeIsNamed() async throws {
        let notes = Notes()
        let daemon = try await FakeInstallation { provider in
            _ = try provider.began()
            while true {
                let asked = try provider.ask()
                switch asked.method {
                case "manage.list" where notes.values("repaired").isEmpty:
                    try provider.reply(asked, ["items": [], "unreadable": 2])
                case "manage.list": try provider.reply(asked, ["items": []])
                case "manage.repair":
                    notes.add(to: "repaired")
                    try provider.reply(asked, ["kept": 5, "lost": 2])
                default: try provider.fail(asked)
                }
            }
        }
        try await daemon.begin()
        _ = try await daemon.capabilities.settings.items.manage(Items.List.name, .object([:]))
        let named = try #require(await daemon.capabilities.settings.status.wholeStatus().files?.first)
        #expect(
            named.problem == "The vault is damaged: 2 accounts cannot be read."
                && named.hint.contains("latchkey repair"))
        let repair = await daemon.capabilities.settings.status.files.repair()
        #expect(repair.repaired.map(\.outcome) == ["5 accounts were kept; 2 could not be read."])
        #expect(await problems(daemon) == [])
    }
}

extension Broker {
    /// Reads the files that are read at a start of the daemon.
    fileprivate func readFilesAgain() {
        keyringFile = .reading(directories.data + "/keyring")
        preferencesFile = PreferencesFile(path: PreferencesFile.path(in: directories))
    }
}

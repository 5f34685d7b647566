// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillAsking
import AutoFillIPC
import AutoFillRelease
import AutoFillSecrets
import Foundation
import ProcessTesting
import Testing

@testable import AutoFillDaemon
@testable import DaemonTesting

/// Keys, authentication and backups of a whole broker.
@Suite(.timeLimit(.minutes(2))) struct BrokerKeysTests {
    private let wrong = SecretBytes(utf8: "wrong")

    private func reveal(_ daemon: FakeInstallation) async throws -> String {
        try await daemon.capabilities.settings.items.reveal(.init(id: "r1"), program: "/usr/bin/latchkey").password
            .bytes.text
    }

    /// A backup that somebody else made, which their own passphrase opens; its authentication code is wrong or right.
    private func foreignBackup(_ daemon: FakeInstallation, isWhole: Bool) throws -> Settings.RestoreBackup.Params {
        let passphrase = SecretBytes(utf8: "theirs")
        let (keyring, deviceKey, _) = try Keyring.create(passphrase: passphrase, cost: .testOnlyFast)
        let other = try Keyring.create(passphrase: passphrase, cost: .testOnlyFast).deviceKey
        let file = Backup(keyring: keyring.encoded(), registry: [1], snapshot: nil)
            .encoded(key: (isWhole ? deviceKey : other).backupKey)
        let path = daemon.folder.path + "/theirs"
        try Data(file).write(to: URL(fileURLWithPath: path))
        return .init(
            path: path, passphrase: WireSecret(passphrase), replace: true, current: WireSecret(daemon.passphrase))
    }

    @Test func lockAndUnlock() async throws {
        let daemon = try await FakeInstallation()
        try await daemon.begin()
        #expect(try await reveal(daemon) == "canary")
        await daemon.broker.lock(reason: "test")
        await #expect { try await reveal(daemon) } throws: { code($0) == .locked }
        await #expect { try await daemon.broker.unlock(passphrase: wrong) } throws: { code($0) == .wrongPassphrase }
        await #expect { try await reveal(daemon) } throws: { code($0) == .locked }
        try await daemon.broker.unlock(passphrase: daemon.passphrase)
        #expect(try await reveal(daemon) == "canary")
    }

    @Test("S26: an unlock that was begun before a lock does not end after it")
    func lockWhileTheKeyIsDerivedStays() async throws {
        let daemon = try await FakeInstallation()
        try await daemon.begin()
        await daemon.broker.lock(reason: "test")
        await daemon.broker.set { await daemon.broker.lock(reason: "the lid was closed") }
        await #expect {
            try await daemon.broker.unlock(passphrase: daemon.passphrase)
        } throws: {
            code($0) == .locked
        }
        await daemon.broker.set {}
        await #expect { try await reveal(daemon) } throws: { code($0) == .locked }
        try await daemon.broker.unlock(passphrase: daemon.passphrase)
        #expect(try await reveal(daemon) == "canary")
    }

    @Test("S26: a lock while a passphrase is verified, a backup restored or everything made anew is kept")
    func lockWhileKeysAreDerivedIsKept() async throws {
        let (daemon, other) = (try await FakeInstallation(), try await FakeInstallation())
        try await daemon.begin()
        let path = daemon.folder.path + "/backup"
        _ = try await daemon.capabilities.settings.backups.writeBackup(to: path)
        await daemon.broker.set { await daemon.broker.lock(reason: "the lid was closed") }
        await #expect {
            try await daemon.broker.authenticate(passphrase: daemon.passphrase, for: nil, on: 1)
        } throws: {
            code($0) == .locked
        }
        await daemon.broker.set {}
        try await daemon.broker.unlock(passphrase: daemon.passphrase)
        let spent = await daemon.broker.spendFreshAuthentication()
        #expect(spent == nil)
        await daemon.broker.set { await daemon.broker.lock(reason: "the lid was closed") }
        let restored = try await daemon.capabilities.settings.backups.restoreBackup(
            .init(path: path, passphrase: WireSecret(daemon.passphrase), replace: true))
        #expect(restored == .init(items: 1, locked: true))
        #expect(await daemon.broker.unlocked == nil)
        await daemon.broker.set {}
        try await daemon.broker.unlock(passphrase: daemon.passphrase)
        #expect(try await reveal(daemon) == "canary")
        await other.broker.set { await other.broker.lock(reason: "the lid was closed") }
        await #expect { try await other.initialize(passphrase: other.passphrase) } throws: {
            code($0) == .locked
        }
        #expect(await !other.broker.isInitialized)
    }

    @Test func nothingWorksBeforeThereAreKeys() async throws {
        let daemon = try await FakeInstallation()
        await #expect { try await reveal(daemon) } throws: { code($0) == .notInitialized }
        await #expect { try await daemon.broker.unlock(passphrase: wrong) } throws: { code($0) == .notInitialized }
        await #expect { try await daemon.keyrings.recover(code: wrong, newPassphrase: wrong, on: 0) } throws: {
            code($0) == .notInitialized
        }
        await #expect {
            try await daemon.capabilities.settings.backups.writeBackup(to: daemon.folder.path + "/x")
        } throws: {
            code($0) == .notInitialized
        }
    }

    // MARK: Recovery codes

    private func keyring(_ daemon: FakeInstallation) -> [UInt8] {
        daemon.folder.read("data/latchkey/keyring")
    }

    /// Whether a recovery code opens the keyring on disk.
    private func opens(_ code: SecretBytes, _ daemon: FakeInstallation) throws -> Bool {
        let found = try Keyring(decoding: keyring(daemon))
        return (try? found.unlock(recoveryCode: RecoveryCode(parsing: code))) != nil
    }

    @Test func noCodeCountsBeforeItIsShownAndTheOldOneUntilThen() async throws {
        let daemon = try await FakeInstallation()
        let first = try await daemon.keyrings.initialize(passphrase: daemon.passphrase, on: 1)
        #expect(await !daemon.broker.isInitialized)
        #expect(keyring(daemon) == [])
        try await daemon.keyrings.recoveryCodeShown(on: 1)
        #expect(try opens(first, daemon))
        let second = try await daemon.keyrings.renewRecoveryCode(passphrase: daemon.passphrase, on: 1)
        #expect(try opens(first, daemon) && !opens(second, daemon))
        try await daemon.keyrings.recoveryCodeShown(on: 1)
        #expect(try !opens(first, daemon) && opens(second, daemon))
        let new = SecretBytes(utf8: "a new one")
        let third = try await daemon.keyrings.recover(code: second, newPassphrase: new, on: 1)
        #expect(try opens(second, daemon) && !opens(third, daemon))
        try await daemon.broker.authenticate(passphrase: daemon.passphrase)
        try await daemon.keyrings.recoveryCodeShown(on: 1)
        #expect(try !opens(second, daemon) && opens(third, daemon))
        try await daemon.broker.authenticate(passphrase: new)
    }

    @Test(
        "A new installation fills while it is unlocked, unless something was chosen before", arguments: [false, true])
    func fillsOfANewInstallation(hasChosen: Bool) async throws {
        let daemon = try await FakeInstallation()
        if hasChosen { _ = try await daemon.broker.setPreferences(.init(authentication: "always")) }
        _ = try await daemon.keyrings.initialize(passphrase: daemon.passphrase, on: 1)
        try await daemon.keyrings.recoveryCodeShown(on: 1)
        #expect(await daemon.broker.preferences.fills == (hasChosen ? nil : "never"))
        #expect(await daemon.broker.authentication.fills == (hasChosen ? .always : .never))
    }

    @Test(arguments: ["another connection", "twice", "a minute later", "a lock", "another change"])
    func aCodeThatWasNotShownInTimeNeverCounts(way: String) async throws {
        let daemon = try await FakeInstallation()
        let first = try await daemon.initialize(passphrase: daemon.passphrase)
        let second = try await daemon.keyrings.renewRecoveryCode(passphrase: daemon.passphrase, on: 1)
        let passphrase = way == "another change" ? SecretBytes(utf8: "another") : daemon.passphrase
        switch way {
        case "twice":
            try await daemon.keyrings.recoveryCodeShown(on: 1)
        case "a minute later": daemon.pass(.seconds(60))
        case "a lock": await daemon.broker.lock(reason: "test")
        case "another change":
            try await daemon.keyrings.changePassphrase(from: daemon.passphrase, to: passphrase)
        default: break
        }
        await #expect { try await daemon.keyrings.recoveryCodeShown(on: way == "another connection" ? 2 : 1) } throws: {
            code($0) == .expired
        }
        #expect(try opens(way == "twice" ? second : first, daemon))
        try await daemon.broker.authenticate(passphrase: passphrase)
    }

    @Test func aNewCodeTakesThePassphrase() async throws {
        let daemon = try await FakeInstallation()
        try await daemon.begin()
        await #expect { try await daemon.keyrings.renewRecoveryCode(passphrase: wrong, on: 1) } throws: {
            code($0) == .wrongPassphrase
        }
        await #expect { try await daemon.keyrings.recoveryCodeShown(on: 1) } throws: { code($0) == .expired }
    }

    // MARK: A disk that fails

    @Test func aRefusedPassphraseIsNotOnTheDisk() async throws {
        let daemon = try await FakeInstallation()
        try await daemon.begin()
        let before = keyring(daemon)
        let syncs = FileFaults(.synchronize, 2)
        await FileCalls.$testOnlyFault.withValue(syncs.next) {
            await #expect {
                try await daemon.keyrings.changePassphrase(from: daemon.passphrase, to: SecretBytes(utf8: "new"))
            } throws: {
                code($0) == .storageFailed && ($0 as? WireError)?.reason == nil
            }
        }
        #expect(keyring(daemon) == before)
        #expect(await daemon.capabilities.settings.status.status().keyringUnsettled == nil)
        try await daemon.broker.authenticate(passphrase: daemon.passphrase)
    }

    @Test func whatIsNotKnownIsSaidUntilItIs() async throws {
        let daemon = try await FakeInstallation()
        try await daemon.begin()
        // The new keyring cannot be taken away again.
        let faults = (FileFaults(.synchronize, 2, goesOn: true), FileFaults(.rename, 2, goesOn: true))
        @Sendable func fault(_ call: FileCalls.Call, _ path: String) -> Int32? {
            faults.0.next(call, path) ?? faults.1.next(call, path)
        }
        await FileCalls.$testOnlyFault.withValue(fault) {
            await #expect {
                try await daemon.keyrings.changePassphrase(from: daemon.passphrase, to: SecretBytes(utf8: "new"))
            } throws: {
                ($0 as? WireError)?.reason == "unsettled"
            }
            #expect(await daemon.capabilities.settings.status.status().keyringUnsettled == true)
        }
        try await daemon.broker.authenticate(passphrase: daemon.passphrase)
        // The disk works again.
        #expect(await daemon.capabilities.settings.status.status().keyringUnsettled == nil)
        let found = try Keyring(decoding: keyring(daemon))
        _ = try found.unlock(passphrase: daemon.passphrase)
    }

    @Test func keysAreMadeOnce() async throws {
        let daemon = try await FakeInstallation()
        try await daemon.begin()
        await #expect { try await daemon.initialize(passphrase: wrong) } throws: { code($0) == .alreadyExists }
    }

    @Test func emptyPassphraseIsRefusedInWordsOfTheWire() async throws {
        let daemon = try await FakeInstallation()
        await #expect {
            do {
                _ = try await daemon.initialize(passphrase: SecretBytes(count: 0))
            } catch {
                throw WireError(saying: error)
            }
        } throws: {
            code($0) == .invalidParams
        }
        #expect(await !daemon.broker.isInitialized)
    }

    @Test func textThatIsNoRecoveryCodeIsSaidToBeNone() async throws {
        let daemon = try await FakeInstallation()
        try await daemon.begin()
        await #expect { try await daemon.keyrings.recover(code: wrong, newPassphrase: wrong, on: 0) } throws: {
            code($0) == .invalidParams
        }
    }

    @Test func guessingIsSlowedDown() async throws {
        let daemon = try await FakeInstallation()
        try await daemon.begin()
        for _ in 0..<3 {
            await #expect { try await daemon.broker.authenticate(passphrase: wrong) } throws: {
                code($0) == .wrongPassphrase
            }
        }
        await #expect { try await daemon.broker.authenticate(passphrase: daemon.passphrase) } throws: { error in
            code(error) == .tooManyAttempts && (error as? WireError)?.retryAfter == 2
        }
        daemon.pass(.seconds(2))
        try await daemon.broker.authenticate(passphrase: daemon.passphrase)
    }

    @Test func authenticationRunsOut() async throws {
        let daemon = try await FakeInstallation()
        try await daemon.begin()
        daemon.pass(.seconds(301))
        await #expect { try await reveal(daemon) } throws: { code($0) == .authenticationRequired }
        try await daemon.broker.authenticate(passphrase: daemon.passphrase)
        #expect(try await reveal(daemon) == "canary")
    }

    @Test func nothingBeforeTheHostOfANewServiceReachesTheQuestion() async throws {
        let daemon = try await FakeInstallation()
        try await daemon.begin()
        await #expect {
            try await daemon.capabilities.settings.items.requireFresh(
                forEditing: .init(id: "r1", services: ["https://me:canary@a.example"]))
        } throws: { code($0) == .invalidItem && !"\($0)".contains("canary") }
        await #expect {
            try await daemon.capabilities.settings.items.requireFresh(
                forEditing: .init(id: "r1", services: ["https://canary@a.example"]))
        } throws: {
            (code($0), ($0 as? WireError)?.reason)
                == (.authenticationRequired, "rmondello at shiny.example.com: also used for https://a.example")
        }
    }

    @Test func idlenessLocks() async throws {
        let daemon = try await FakeInstallation()
        try await daemon.begin()
        #expect(await daemon.broker.lockIfIdle() == start + .seconds(900))
        daemon.pass(.seconds(900))
        #expect(await daemon.broker.lockIfIdle() == nil)
        await #expect { try await reveal(daemon) } throws: { code($0) == .locked }
    }

    @Test("S26: a backup that somebody else made proves nothing about the user", arguments: [false])
    func foreignBackupIsNoAuthentication(isWhole: Bool) async throws {
        let daemon = try await FakeInstallation()
        try await daemon.begin()
        daemon.pass(.seconds(301))
        let params = try foreignBackup(daemon, isWhole: isWhole)
        await #expect { try await daemon.capabilities.settings.backups.restoreBackup(params) } throws: {
            code($0) == .storageFailed
        }
        await #expect { try await reveal(daemon) } throws: { code($0) == .authenticationRequired }
    }

    @Test("S26: a backup that somebody else made does not end the wait after wrong passphrases")
    func foreignBackupDoesNotEndTheWait() async throws {
        let daemon = try await FakeInstallation()
        try await daemon.begin()
        for _ in 0..<3 { _ = try? await daemon.broker.authenticate(passphrase: wrong) }
        let params = try foreignBackup(daemon, isWhole: false)
        await #expect(throws: WireError.self) { try await daemon.capabilities.settings.backups.restoreBackup(params) }
        await #expect { try await daemon.broker.authenticate(passphrase: wrong) } throws: {
            code($0) == .tooManyAttempts
        }
    }

    @Test("S36: a backup that somebody else made takes no place without the passphrase of what is here")
    func foreignBackupReplacesNothing() async throws {
        let daemon = try await FakeInstallation()
        try await daemon.begin()
        for current in [nil, WireSecret(wrong)] {
            var params = try foreignBackup(daemon, isWhole: true)
            params.current = current
            let refused = params
            await #expect { try await daemon.capabilities.settings.backups.restoreBackup(refused) } throws: {
                code($0) == (current == nil ? .authenticationRequired : .wrongPassphrase)
            }
        }
        #expect(try await reveal(daemon) == "canary")
    }

    @Test func restoreWithoutReplaceLeavesWhatIsThere() async throws {
        let daemon = try await FakeInstallation()
        try await daemon.begin()
        var params = try foreignBackup(daemon, isWhole: true)
        params.replace = nil
        let refused = params
        await #expect { try await daemon.capabilities.settings.backups.restoreBackup(refused) } throws: {
            code($0) == .alreadyExists
        }
        #expect(try await reveal(daemon) == "canary")
    }

    @Test("a backup whose vault does not open changes nothing and leaves nothing")
    func backupWithADamagedVaultIsRefused() async throws {
        let healthy = try await FakeInstallation()
        try await healthy.begin()
        let path = healthy.folder.path + "/backup"
        _ = try await healthy.capabilities.settings.backups.writeBackup(to: path)
        let daemon = try await FakeInstallation(provider: FakeInstallation.provider(findsDamage: true))
        try await daemon.begin()
        let params = Settings.RestoreBackup.Params(
            path: path, passphrase: WireSecret(healthy.passphrase), replace: true,
            current: WireSecret(daemon.passphrase))
        await #expect { try await daemon.capabilities.settings.backups.restoreBackup(params) } throws: {
            ($0 as? WireError)?.message.hasSuffix("Nothing was changed.") == true
        }
        #expect(try await reveal(daemon) == "canary")
        let names = try FileManager.default.contentsOfDirectory(atPath: daemon.directories.data)
        #expect(Set(names).isDisjoint(with: ["restoring", "switching", "replacing", "replaced-1"]))
    }

    @Test func backupOpensOnAnotherMachineAndItsLogIsIntactThere() async throws {
        let (here, there) = (try await FakeInstallation(), try await FakeInstallation())
        try await here.begin()
        _ = try await reveal(here)
        await here.broker.lock(reason: "so that the log's head is written down")
        try await here.broker.unlock(passphrase: here.passphrase)
        let path = here.folder.path + "/backup"
        #expect(try await here.capabilities.settings.backups.writeBackup(to: path) == here.folder.read("backup").count)
        let restored = try await there.capabilities.settings.backups.restoreBackup(
            .init(path: path, passphrase: WireSecret(here.passphrase)))
        #expect(restored == .init(items: 1))
        #expect(try await reveal(there) == "canary")
        for _ in 0..<2 {
            let audit = try await there.capabilities.shared.auditTrail.auditLines(.init())
            #expect(audit.intact)
            #expect(audit.lines.map(\.event) == ["restored", "released"])
            await there.broker.lock(reason: "test")
            try await there.broker.unlock(passphrase: here.passphrase)
        }
    }

    @Test(
        "a snapshot outside the container is refused, and the container stays",
        arguments: [
            "", ".", "..", "../x", "/etc/passwd", "a/b", ".hidden",
        ])
    func snapshotOutsideTheContainerIsRefused(name: String) async throws {
        let daemon = try await FakeInstallation(provider: FakeInstallation.provider(snapshot: name))
        try await daemon.begin()
        let path = daemon.folder.path + "/backup"
        await #expect { try await daemon.capabilities.settings.backups.writeBackup(to: path) } throws: {
            code($0) == .providerUnavailable
        }
        let container = daemon.directories.data + "/containers/org.latchkey.passwords"
        #expect(FileManager.default.fileExists(atPath: container + "/snapshot-1"))
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test(arguments: ["relative", "", "./x"])
    func backupPathHasToBeAbsolute(path: String) async throws {
        let daemon = try await FakeInstallation()
        try await daemon.begin()
        await #expect { try await daemon.capabilities.settings.backups.writeBackup(to: path) } throws: {
            code($0) == .invalidParams
        }
    }

    @Test(arguments: ["/nonexistent", "/dev/zero", "/tmp"])
    func whatIsNoFileIsNotRestored(path: String) async throws {
        let daemon = try await FakeInstallation()
        await #expect {
            try await daemon.capabilities.settings.backups.restoreBackup(
                .init(path: path, passphrase: WireSecret(SecretBytes(utf8: "x"))))
        } throws: {
            code($0) == .notFound
        }
    }
}

extension Broker {
    /// Sets what happens between the derivation of a key and its use.
    fileprivate func set(whenDerived act: @escaping @DaemonActor () async -> Void) {
        whenDerived = act
    }
}

// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillAsking
import AutoFillIPC
import AutoFillRelease
import Testing

@testable import AutoFillDaemon
@testable import AutoFillSecrets
@testable import DaemonTesting

/// Unlocking at login, at a whole daemon. `Tests/Processes/test_login.py` has the module and the program that it starts.
@Suite(.timeLimit(.minutes(2))) struct LoginFeatureTests {
    private let password = SecretBytes(utf8: "second-hand trombone")
    private let other = SecretBytes(utf8: "tr0mbone of the attic")

    private func enabled(_ daemon: FakeInstallation? = nil) async throws -> FakeInstallation {
        let daemon = if let daemon { daemon } else { try await FakeInstallation() }
        try await daemon.begin()
        try await daemon.broker.enableLogin(password)
        return daemon
    }

    /// What `latchkey-login` sends.
    private func derived(_ daemon: FakeInstallation, _ password: SecretBytes) async throws -> Login.Unlock.Params {
        let terms = try await daemon.capabilities.settings.login.terms()
        return .init(key: WireSecret(try Self.key(password, salt: terms.salt)), locks: terms.locks)
    }

    private static func key(_ password: SecretBytes, salt: String) throws -> SecretBytes {
        let salt = try #require(LoginPassword.bytes(ofSalt: salt))
        return try LoginPassword.key(from: password, salt: salt, cost: .testOnlyFast)
    }

    @Test func unlocks() async throws {
        let daemon = try await enabled()
        await daemon.broker.lock(reason: "test")
        let key = try await derived(daemon, password)
        try await daemon.capabilities.settings.login.unlock(key)
        #expect(await daemon.broker.isUnlocked)
        #expect(await daemon.broker.standingAuthentication(isFill: false) == .recentLogin)
        // Once more, for a second session.
        try await daemon.capabilities.settings.login.unlock(key)
        #expect(await daemon.capabilities.settings.login.state == "on")
    }

    @Test func anotherPasswordUnlocksNothing() async throws {
        let daemon = try await enabled()
        await daemon.broker.lock(reason: "test")
        let key = try await derived(daemon, other)
        await #expect { try await daemon.capabilities.settings.login.unlock(key) } throws: {
            code($0) == .wrongPassphrase
        }
        #expect(await !daemon.broker.isUnlocked)
        #expect(await daemon.capabilities.settings.login.state == "changed")
    }

    @Test("S36: it gives no fresh authentication, and none at all to those who want to be asked each time")
    func isNoFreshAuthentication() async throws {
        let daemon = try await enabled()
        await daemon.broker.lock(reason: "test")
        let key = try await derived(daemon, password)
        try await daemon.capabilities.settings.login.unlock(key)
        #expect(await daemon.broker.spendFreshAuthentication() == nil)
    }

    @Test func theNewPasswordOfTheUserUnlocks() async throws {
        let daemon = try await enabled()
        await daemon.broker.lock(reason: "test")
        let old = try await derived(daemon, password)
        let salt = String(repeating: "07", count: 16)
        try await daemon.capabilities.settings.login.rewrap(
            .init(
                key: old.key, newKey: WireSecret(try Self.key(other, salt: salt)), newSalt: salt))
        #expect(await !daemon.broker.isUnlocked)
        await #expect { try await daemon.capabilities.settings.login.unlock(old) } throws: {
            code($0) == .wrongPassphrase
        }
        let key = try await derived(daemon, other)
        try await daemon.capabilities.settings.login.unlock(key)
        #expect(await daemon.broker.isUnlocked)
    }

    @Test(arguments: ["", "07", String(repeating: "07", count: 17), String(repeating: "0g", count: 16)])
    func aSaltThatIsNoneChangesNothing(salt: String) async throws {
        let daemon = try await enabled()
        let old = try await derived(daemon, password)
        await #expect {
            try await daemon.capabilities.settings.login.rewrap(
                .init(key: old.key, newKey: old.key, newSalt: salt))
        } throws: {
            code($0) == .invalidParams
        }
        try await daemon.capabilities.settings.login.unlock(old)
    }

    @Test func theOldPasswordIsNeededForANewOne() async throws {
        let daemon = try await enabled()
        let wrong = try await derived(daemon, other)
        await #expect {
            try await daemon.capabilities.settings.login.rewrap(
                .init(
                    key: wrong.key, newKey: wrong.key, newSalt: String(repeating: "07", count: 16)))
        } throws: {
            code($0) == .wrongPassphrase
        }
        let key = try await derived(daemon, password)
        try await daemon.capabilities.settings.login.unlock(key)
    }

    @Test func staysWithANewPassphrase() async throws {
        let daemon = try await enabled()
        try await daemon.keyrings.changePassphrase(from: daemon.passphrase, to: SecretBytes(utf8: "another passphrase"))
        #expect(await daemon.capabilities.settings.login.state == "on")
    }

    @Test func endsWithARestore() async throws {
        let daemon = try await enabled()
        let backups = await daemon.capabilities.settings.backups
        let path = daemon.folder.path + "/backup"
        _ = try await backups.writeBackup(to: path)
        _ = try await backups.restoreBackup(
            .init(path: path, passphrase: WireSecret(daemon.passphrase), replace: true))
        #expect(await daemon.capabilities.settings.login.state == "off")
        await #expect { try await daemon.capabilities.settings.login.terms() } throws: { code($0) == .notFound }
    }

    @Test("S26: an unlock that was begun before a lock does not end after it")
    func lockInBetweenStays() async throws {
        let daemon = try await enabled()
        await daemon.broker.lock(reason: "test")
        let key = try await derived(daemon, password)
        await daemon.broker.lock(reason: "the lid was closed")
        await #expect { try await daemon.capabilities.settings.login.unlock(key) } throws: { code($0) == .locked }
        #expect(await !daemon.broker.isUnlocked)
        #expect(await daemon.capabilities.settings.login.state == "on")
    }

    @Test(
        arguments: [
            (18 * 1024, 5, 4), (64 * 1024, 65, 4), (64 * 1024, 5, 17), (64 * 1024 - 1, 5, 4), (64 * 1024, 4, 4),
            (64 * 1024, 5, 0), (256 * 1024 + 1, 5, 4), (64 * 1024, 17, 4), (64 * 1024, 5, 5), (19 * 1024, 2, 1),
        ] as [(UInt32, UInt32, UInt32)])
    func refusesACostThatNoLoginTakes(cost: (UInt32, UInt32, UInt32)) async throws {
        let daemon = try await FakeInstallation()
        try await daemon.begin()
        await #expect {
            try await daemon.broker.enableLogin(password, cost)
        } throws: {
            code($0) == .invalidParams && ($0 as? WireError)?.message.contains("64 to 256 MiB, 5 to 16 passes") == true
        }
        #expect(await daemon.capabilities.settings.login.state == "off")
    }

    @Test func cannotBeEnabledWhileLocked() async throws {
        let daemon = try await FakeInstallation()
        try await daemon.begin()
        await daemon.broker.lock(reason: "test")
        await #expect { try await daemon.broker.enableLogin(password) } throws: { code($0) == .locked }
    }
}

extension Broker {
    fileprivate func enableLogin(
        _ password: SecretBytes, _ cost: (memoryKiB: UInt32, iterations: UInt32, parallelism: UInt32)? = nil
    ) throws {
        let (salt, standard) = (LoginPassword.salt(), Argon2Cost.standard)
        let cost = cost ?? (standard.memoryKiB, standard.iterations, standard.parallelism)
        // The daemon cannot see at which cost a key was derived, so these are derived quickly.
        let key = try LoginPassword.key(from: password, salt: salt, cost: .testOnlyFast)
        try login.enable(
            .init(
                key: WireSecret(key), salt: LoginPassword.text(ofSalt: salt), memoryKiB: cost.memoryKiB,
                iterations: cost.iterations, parallelism: cost.parallelism), in: unlockedSession())
    }
}

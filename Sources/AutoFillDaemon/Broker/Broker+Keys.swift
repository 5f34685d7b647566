// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillIdentityStore
internal import AutoFillSecrets
internal import Foundation
internal import Logging

/// Making, opening, changing and wiping keys.
extension Broker {
    func initialize(passphrase: SecretBytes) async throws -> SecretBytes {
        guard !isInitialized else {
            throw WireError(
                .alreadyExists, "There is a Latchkey here already.",
                hint: "Use `latchkey passphrase change` or `latchkey restore --replace`.")
        }
        let cost = self.cost
        let (keyring, deviceKey, recoveryCode) = try await Task.detached {
            try Keyring.create(passphrase: passphrase, cost: cost)
        }.value
        guard !isInitialized else { throw WireError(.alreadyExists, "There is a Latchkey here already.") }
        // The registry first: a keyring without one would be an installation that cannot be opened.
        let keys = try UnlockedKeys(deviceKey: deviceKey, directories: directories, creatingRegistry: true)
        try audit.initialize(seed: keys.auditSeed)
        try keyringFile.save(keyring)
        opened(keys)
        updateOffers()
        logger.info("initialized")
        return recoveryCode.text
    }

    func unlock(passphrase: SecretBytes) async throws {
        let deviceKey = try await verified(passphrase)
        guard unlocked == nil else { return }
        opened(try UnlockedKeys(deviceKey: deviceKey, directories: directories, creatingRegistry: false))
        await openProviders()
        logger.info("unlocked")
    }

    /// Proves that the user is there, locked or not.
    func authenticate(passphrase: SecretBytes) async throws {
        _ = try await verified(passphrase)
    }

    /// The passphrase's device key. Slowed down after wrong ones, and the try is counted before it is made.
    private func verified(_ passphrase: SecretBytes) async throws -> DeviceKey {
        guard let keyring = keyringFile.keyring else {
            throw WireError(.notInitialized, "There is nothing here yet.", hint: "Begin with `latchkey init`.")
        }
        return try await attempt { try keyring.unlock(passphrase: passphrase) }
    }

    func attempt(_ open: @escaping @Sendable () throws -> DeviceKey) async throws -> DeviceKey {
        if let wait = limiter.wait(at: time.now()) {
            let seconds = Int(wait.components.seconds) + 1
            throw WireError(
                .tooManyAttempts, "Too many wrong passphrases: wait \(seconds) seconds.", retryAfter: seconds)
        }
        limiter.begin(at: time.now())
        let deviceKey: DeviceKey
        do {
            deviceKey = try await Task.detached(operation: open).value
        } catch {
            throw WireError(saying: error)
        }
        limiter.succeed()
        authentication.authenticated(at: time.now())
        idle.active(at: time.now())
        return deviceKey
    }

    func opened(_ keys: UnlockedKeys) {
        unlocked = keys
        authentication.authenticated(at: time.now())
        idle.active(at: time.now())
        checkAudit()
        tellBrowsers()
        // A store that is missing is a normal state: the provider fills it again.
        Task { await self.fill(.builtIn) }
    }

    /// Wipes the keys and ends every provider; answered when both are gone.
    func lock(reason: String) async {
        let wasUnlocked = unlocked != nil
        settle()
        unlocked = nil
        lockCount += 1
        batches = [:]
        leases = StoreLeases()
        book.endAll()
        for run in runs.values { run.cancel() }
        authentication.forget()
        let count = lockCount
        for write in writes.values { _ = await write.result }
        await withTaskGroup { group in
            for supervisor in supervisors.values { group.addTask { await supervisor.endAndWait(before: count) } }
        }
        guard wasUnlocked else { return }
        logger.info("locked", metadata: ["reason": "\(reason)"])
        tellBrowsers()
    }

    func changePassphrase(from old: SecretBytes, to new: SecretBytes) async throws {
        let deviceKey = try await verified(old)
        try await save(deviceKey) { keyring, cost in
            (try keyring.changingPassphrase(deviceKey, to: new, cost: cost), nil)
        }
    }

    func recover(code: SecretBytes, newPassphrase: SecretBytes) async throws -> SecretBytes {
        guard let keyring = keyringFile.keyring else {
            throw WireError(.notInitialized, "There is nothing here yet.", hint: "Restore a backup first.")
        }
        let deviceKey = try await attempt { try keyring.unlock(recoveryCode: RecoveryCode(parsing: code)) }
        let newCode = try await save(deviceKey) { keyring, cost in
            let changed = try keyring.changingPassphrase(deviceKey, to: newPassphrase, cost: cost)
            let renewed = try changed.renewingRecoveryCode(deviceKey)
            return (renewed.keyring, renewed.recoveryCode)
        }
        if unlocked == nil {
            opened(try UnlockedKeys(deviceKey: deviceKey, directories: directories, creatingRegistry: false))
            await openProviders()
        }
        return newCode?.text ?? SecretBytes(count: 0)
    }

    @discardableResult private func save(
        _ deviceKey: DeviceKey, _ change: @escaping @Sendable (Keyring, Argon2Cost) throws -> (Keyring, RecoveryCode?)
    ) async throws -> RecoveryCode? {
        guard let keyring = keyringFile.keyring else { throw WireError(.notInitialized, "There is nothing here yet.") }
        let cost = self.cost
        do {
            let (changed, code) = try await Task.detached { try change(keyring, cost) }.value
            try keyringFile.save(changed)
            return code
        } catch {
            throw WireError(saying: error)
        }
    }

    // MARK: Locking by itself

    /// When to look at idleness again; locks when it is time.
    func lockIfIdle() async -> ContinuousClock.Instant? {
        guard unlocked != nil, let deadline = idle.deadline else { return nil }
        guard deadline <= time.now() else { return deadline }
        await lock(reason: "idle")
        return nil
    }

    func setPreferences(_ changes: PreferenceChanges) throws -> Preferences {
        try preferencesFile.apply(changes)
        authentication.preference = preferences.authenticationPreference
        idle.span = preferences.idleSpan
        tellBrowsers()
        return preferences
    }

    // MARK: Audit

    private func checkAudit() {
        guard var keys = unlocked else { return }
        do {
            if audit.belongs(to: keys.auditSeed) {
                auditFaults = audit.read(seed: keys.auditSeed, head: keys.registry.audit).faults
            } else {
                auditFaults = keys.registry.audit == nil ? [] : ["the log was replaced"]
                try audit.initialize(seed: keys.auditSeed)
            }
            if auditFaults.isEmpty { try keys.registry.setAudit(audit.head) }
            unlocked = keys
        } catch {
            logger.error("the audit log cannot be kept")
        }
        for fault in auditFaults { logger.error("audit log", metadata: ["fault": "\(fault)"]) }
    }

    /// Remembers that a credential went to an origin. Writing it down is not waited for: what a crash forgets is
    /// confirmed once more.
    func remember(_ digest: Data) {
        unlocked?.registry.noteReleased(digest)
        Task { self.settle() }
    }

    /// Writes down what releases left to be written: the log's key and where the log stands.
    private func settle() {
        do {
            try audit.settle()
            try unlocked?.registry.setAudit(audit.head)
        } catch {
            logger.error("the registry cannot be written; what was released now is confirmed again")
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillIPC
internal import AutoFillMatching
internal import AutoFillQuirks
internal import AutoFillRelease
internal import AutoFillSecrets
internal import Logging

/// Creates, opens, changes and wipes keys.
extension Broker {
    /// Unlocks with the passphrase or the PIN, unless something locked while the key was derived: that takes a moment, in which the lid may
    /// be closed.
    @discardableResult func unlock(passphrase: SecretBytes) async throws -> UserAct.Authentication {
        let locks = lockCount
        let (deviceKey, isByPIN) = try await pin.deviceKey(
            typed: passphrase, generation: keyringFile.keyring?.generation
        ) { try await verified(passphrase) }
        if isByPIN { limiter.succeedByPIN() }
        await whenDerived()
        guard lockCount == locks else { throw Self.lockedMeanwhile }
        let given: UserAct.Authentication = isByPIN ? .pin : .passphrase
        guard unlocked == nil else { return given }
        do {
            opened(try openedKeys(deviceKey), by: isByPIN ? .pin : .passphrase)
            unlockFault = nil
        } catch {
            unlockFault = WireError(saying: error)
            throw WireError(saying: error)
        }
        await tellObserversAndWait { await $0.sessionOpened() }
        logger.info("unlocked", metadata: ["by": "\(authentication.means.rawValue)"])
        return given
    }

    /// What the registry lacks, if it is an older copy about which the user has not decided; `nil` while locked.
    var older: OlderRegistry? { unlocked?.registry.older.map(OlderRegistry.init) }

    /// Opens the keys, the registry and the stores under freshly read rules. The rules may have changed while locked, and indexes are
    /// rebuilt with them.
    func openedKeys(_ deviceKey: DeviceKey) throws -> UnlockedKeys {
        try readQuirks()
        return try UnlockedKeys(
            deviceKey: deviceKey, directories: directories, creatingRegistry: false,
            counter: counter(deviceKey), terms: rules.terms)
    }

    /// The counter of registry changes under a device key.
    func counter(_ deviceKey: DeviceKey) -> RegistryCounter {
        .inFiles(audit, keyringFile, deviceKey, now: time.date, logger: logger)
    }

    /// Reads the quirks folders again. Open stores are reindexed where necessary.
    func readQuirks() throws {
        let read = MatchingRules(quirksFolders.load())
        let sites = SiteQuirks(folders: quirksFolders)
        for problem in read.quirks.problems + sites.problems { logger.warning("\(problem)") }
        try session?.change { try $0.use(read.terms) }
        rules = read
        siteQuirks = sites
    }

    /// Proves that the user is there, locked or not.
    ///
    /// - Parameter takesPIN: Whether the PIN does as well, while unlocked. It counts as one that has unlocked just now.
    /// - Returns: What was given.
    @discardableResult func authenticate(
        passphrase: SecretBytes, takesPIN: Bool = false
    ) async throws -> UserAct.Authentication {
        guard takesPIN, isUnlocked else {
            _ = try await verified(passphrase)
            return .passphrase
        }
        let locks = lockCount
        let (_, isByPIN) = try await pin.deviceKey(
            typed: passphrase, generation: keyringFile.keyring?.generation
        ) { try await verified(passphrase) }
        guard isByPIN else { return .passphrase }
        limiter.succeedByPIN()
        await whenDerived()
        guard lockCount == locks else { throw Self.lockedMeanwhile }
        authentication.authenticated(at: time.now(), by: .pin)
        idle.active(at: time.now())
        return .pin
    }

    /// The device key that a passphrase opens. Attempts are delayed after wrong ones, and each is counted before it is made.
    ///
    /// - Throws: `notInitialized`; `tooManyAttempts` while attempts are delayed; `wrongPassphrase` when it is wrong.
    func verified(_ passphrase: SecretBytes) async throws -> DeviceKey {
        try InstallationSwitch.finish(for: self)
        guard let keyring = keyringFile.keyring else { throw notInitialized }
        return try await attempt(mayBePIN: SessionPIN.hasForm(passphrase)) {
            try keyring.unlock(passphrase: passphrase)
        }
    }

    /// Tries to open the device key. Attempts are delayed after wrong ones, and each is counted before it is made.
    func attempt<Opened: Sendable>(
        mayBePIN: Bool = false, _ open: @escaping @Sendable () throws -> Opened
    ) async throws -> Opened {
        if let wait = limiter.wait(at: time.now()) {
            let seconds = Int(wait.components.seconds) + 1
            throw WireError(
                .tooManyAttempts, "Too many wrong passphrases: wait \(seconds) seconds.", retryAfter: seconds)
        }
        limiter.begin(at: time.now(), mayBePIN: mayBePIN)
        let locks = lockCount
        let opened: Opened
        do {
            opened = try await Task.detached(operation: open).value
        } catch {
            throw WireError(saying: error)
        }
        limiter.succeed()
        if lockCount == locks { authentication.authenticated(at: time.now()) }
        idle.active(at: time.now())
        return opened
    }

    func opened(_ keys: UnlockedKeys, by means: AuthenticationPolicy.Means = .passphrase) {
        session = UnlockedSession(keys, epoch: epoch)
        tellObservers { $0.sessionBegan() }
        authentication.authenticated(at: time.now(), by: means)
        idle.active(at: time.now())
        tellBrowsers()
    }

    /// Wipes the keys and ends every provider; answered when both are gone.
    func lock(reason: String) async {
        let wasUnlocked = unlocked != nil
        tellObservers { $0.sessionEnds() }
        session = nil
        lockCount += 1
        authentication.forget()
        fresh.forgetAll()
        tellObservers { $0.sessionEnded() }
        known.forgetAll()
        await tellObserversAndWait { await $0.sessionClosed(wasUnlocked: wasUnlocked) }
        guard wasUnlocked else { return }
        logger.info("locked", metadata: ["reason": "\(reason)"])
        tellBrowsers(isLock: true)
    }

    // MARK: Automatic lock

    /// Locks if the user has been idle for long enough; otherwise returns when to check again, or `nil` if no lock is due.
    func lockIfIdle() async -> ContinuousClock.Instant? {
        settleKeyring()
        if let act = front.takeLastAct() { idle.active(at: act) }
        guard unlocked != nil, let deadline = idle.deadline else { return nil }
        guard deadline <= time.now() else { return deadline }
        await lock(reason: "idle")
        return nil
    }

    /// Tries again to write the keyring that counts, where it is not known whether the disk holds it. False while it still is not.
    @discardableResult func settleKeyring() -> Bool {
        guard !keyringFile.isSettled else { return true }
        guard keyringFile.settle() else { return false }
        logger.notice("the disk holds the keyring that counts")
        return true
    }

    func setPreferences(_ changes: PreferenceChanges) async throws -> Preferences {
        let old = preferences
        try preferencesFile.apply(changes)
        authentication.preference = preferences.authenticationPreference
        authentication.fills = preferences.fillPreference
        idle.span = preferences.idleSpan
        await tellObserversAndWait { await $0.preferencesChanged(from: old) }
        return preferences
    }

}

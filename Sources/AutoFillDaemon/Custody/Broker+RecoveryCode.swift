// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillIPC
internal import AutoFillRelease
internal import AutoFillSecrets
internal import Logging

/// Keyrings with a new recovery code. The code is answered first, and nothing is written before the client has shown it.
extension Broker {
    /// Makes a device key, and the first keyring; answers its recovery code.
    func initialize(passphrase: SecretBytes, on client: Int) async throws -> SecretBytes {
        try requireUninitialized()
        let (cost, locks) = (cost, lockCount)
        let (keyring, deviceKey, code) = try await Task.detached {
            try Keyring.create(passphrase: passphrase, cost: cost)
        }.value
        await whenDerived()
        guard lockCount == locks else { throw Self.lockedMeanwhile }
        try requireUninitialized()
        prepared.keep(
            .init(purpose: .initialization, keyring: keyring, old: nil, deviceKey: deviceKey), for: client,
            at: time.now())
        return code.text
    }

    /// Makes a keyring under a new passphrase, by means of the recovery code; answers its own recovery code.
    func recover(code: SecretBytes, newPassphrase: SecretBytes, on client: Int) async throws -> SecretBytes {
        try await prepare(.recovery, on: client) { keyring, cost in
            let deviceKey = try keyring.unlock(recoveryCode: RecoveryCode(parsing: code))
            return (try keyring.changingPassphrase(deviceKey, to: newPassphrase, cost: cost), deviceKey)
        }
    }

    /// Makes a keyring under the same passphrase; answers its recovery code.
    func renewRecoveryCode(passphrase: SecretBytes, on client: Int) async throws -> SecretBytes {
        try await prepare(.renewal, on: client) { keyring, _ in (keyring, try keyring.unlock(passphrase: passphrase)) }
    }

    private func prepare(
        _ purpose: PreparedKeyrings.Prepared.Purpose, on client: Int,
        _ open: @escaping @Sendable (Keyring, Argon2Cost) throws -> (Keyring, DeviceKey)
    ) async throws -> SecretBytes {
        try InstallationSwitch.finish(for: self)
        guard let old = keyringFile.keyring else { throw notInitialized }
        let (cost, locks) = (cost, lockCount)
        let (changed, deviceKey) = try await attempt { try open(old, cost) }
        await whenDerived()
        guard lockCount == locks else { throw Self.lockedMeanwhile }
        let (keyring, code) = try changed.renewingRecoveryCode(deviceKey)
        prepared.keep(
            .init(purpose: purpose, keyring: keyring, old: old, deviceKey: deviceKey), for: client, at: time.now())
        return code.text
    }

    /// Writes the keyring that waits for this connection to show its recovery code. From then on the new code counts, and no older one.
    ///
    /// - Throws: `expired` if none waits: it took too long, or Latchkey was locked or the keyring changed meanwhile. `storageFailed` if
    ///   it cannot be written.
    func recoveryCodeShown(on client: Int) async throws {
        guard let prepared = prepared.take(client, at: time.now()), prepared.old != nil || !isInitialized else {
            throw Self.codeExpired
        }
        switch prepared.purpose {
        case .initialization: try begin(prepared)
        case .recovery:
            // Before the old code ends: where this fails, nothing has changed.
            try login.disable()
            try save(prepared.keyring, over: prepared.old)
            pin.forget()
        case .renewal: try save(prepared.keyring, over: prepared.old)
        }
        // The new code counts from here on. Where the keys cannot be opened, the next unlock says why.
        guard prepared.purpose != .renewal, unlocked == nil, let keys = try? openedKeys(prepared.deviceKey) else {
            return
        }
        opened(keys)
        await tellObserversAndWait { await $0.sessionOpened() }
    }

    /// Writes the first registry, and then the keyring: a keyring without a registry would be an installation that cannot be opened.
    private func begin(_ prepared: PreparedKeyrings.Prepared) throws {
        try requireUninitialized()
        try DataWithoutKeyring.beginInitialization(in: directories)
        let keys = try UnlockedKeys(
            deviceKey: prepared.deviceKey, directories: directories, creatingRegistry: true,
            counter: counter(prepared.deviceKey), terms: rules.terms)
        _ = try audit.open(seed: keys.auditSeed, head: nil, isNew: true)
        try save(prepared.keyring, over: nil)
        DataWithoutKeyring.endInitialization(in: directories)
        logger.info("initialized")
    }

    /// Writes a keyring in the place of the one that it was made from.
    ///
    /// - Throws: `expired` if that one does not count any more; `storageFailed` if it cannot be written, with the reason `unsettled` if it
    ///   is not known which of the two a crash leaves.
    func save(_ new: Keyring, over old: Keyring?) throws {
        // Only the count of the registry may have changed.
        guard keyringFile.keyring == keyringFile.keyring.flatMap({ old?.counting(like: $0) }) else {
            throw Self.codeExpired
        }
        do {
            try keyringFile.save(new)
        } catch let error as SecretsError where error.code == .unsettled {
            logger.error("it is not known which keyring the disk holds")
            throw WireError(
                .storageFailed,
                "The disk failed in the middle of the change, so it is unsettled: what counted before counts, but after a crash or a "
                    + "restart the new passphrase and recovery code may.", reason: "unsettled",
                hint:
                    "Keep the old ones and the new ones. Latchkey tries again; `latchkey status` says so until the old ones are on "
                    + "the disk.")
        } catch {
            throw WireError(saying: error)
        }
    }

    private static let codeExpired = WireError(
        .expired, "This took too long, or Latchkey was locked or its keys were changed meanwhile. Nothing was changed.",
        hint: "Try again. The recovery code that was shown last does not count.")

    /// A new keyring must not take the place of one that is here, or is missing.
    private func requireUninitialized() throws {
        try InstallationSwitch.finish(for: self)
        guard !isInitialized else {
            throw WireError(
                .alreadyExists, "Latchkey is already set up here.",
                hint: "Use `latchkey passphrase change` or `latchkey restore FILE --replace`.")
        }
        try DataWithoutKeyring.requireNone(missingKeyring)
    }
}

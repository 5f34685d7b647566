// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillIPC
internal import AutoFillRelease
internal import AutoFillSecrets
internal import Logging

/// Makes and changes the keyring. A new recovery code is answered first, and nothing is written before the client has shown it.
@DaemonActor final class KeyringFeature: SessionObserver {
    private let broker: Broker
    /// Keyrings whose recovery codes are being shown.
    private var prepared = PreparedKeyrings()

    init(_ broker: Broker) {
        self.broker = broker
        broker.add(self)
    }

    func sessionEnded() { prepared.forgetAll() }

    func clientLeft(_ client: ClientConnection) { prepared.forget(client.number) }

    /// Makes a device key, and the first keyring; answers its recovery code.
    func initialize(passphrase: SecretBytes, on client: Int) async throws -> SecretBytes {
        try requireUninitialized()
        let (cost, locks) = (broker.cost, broker.lockCount)
        let (keyring, deviceKey, code) = try await Task.detached {
            try Keyring.create(passphrase: passphrase, cost: cost)
        }.value
        await broker.whenDerived()
        guard broker.lockCount == locks else { throw Broker.lockedMeanwhile }
        try requireUninitialized()
        keep(.init(purpose: .initialization, keyring: keyring, old: nil, deviceKey: deviceKey), for: client)
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

    func changePassphrase(from old: SecretBytes, to new: SecretBytes) async throws {
        let deviceKey = try await broker.verified(old)
        guard let keyring = broker.keyringFile.keyring else { throw broker.notInitialized }
        let cost = broker.cost
        let changed: Keyring
        do {
            changed = try await Task.detached {
                try keyring.changingPassphrase(deviceKey, to: new, cost: cost)
            }.value
        } catch {
            throw WireError(saying: error)
        }
        try save(changed, over: keyring)
        broker.pin.forget()
    }

    private func prepare(
        _ purpose: PreparedKeyrings.Prepared.Purpose, on client: Int,
        _ open: @escaping @Sendable (Keyring, Argon2Cost) throws -> (Keyring, DeviceKey)
    ) async throws -> SecretBytes {
        try InstallationSwitch.finish(for: broker)
        guard let old = broker.keyringFile.keyring else { throw broker.notInitialized }
        let (cost, locks) = (broker.cost, broker.lockCount)
        let (changed, deviceKey) = try await broker.attempt { try open(old, cost) }
        await broker.whenDerived()
        guard broker.lockCount == locks else { throw Broker.lockedMeanwhile }
        let (keyring, code) = try changed.renewingRecoveryCode(deviceKey)
        keep(.init(purpose: purpose, keyring: keyring, old: old, deviceKey: deviceKey), for: client)
        return code.text
    }

    private func keep(_ keyring: PreparedKeyrings.Prepared, for client: Int) {
        prepared.keep(keyring, for: client, at: broker.time.now())
        // Wipes its keys where the client never says that it has shown the code.
        Task {
            try? await broker.time.wait(broker.time.now() + PreparedKeyrings.lifetime)
            prepared.forgetOld(at: broker.time.now())
        }
    }

    /// Writes the keyring that waits for this connection to show its recovery code. From then on the new code counts, and no older one.
    ///
    /// - Throws: `expired` if none waits: it took too long, or Latchkey was locked or the keyring changed meanwhile. `storageFailed` if
    ///   it cannot be written.
    func recoveryCodeShown(on client: Int) async throws {
        guard let prepared = prepared.take(client, at: broker.time.now()), prepared.old != nil || !broker.isInitialized
        else {
            throw Self.codeExpired
        }
        switch prepared.purpose {
        case .initialization:
            try begin(prepared)
            await fillWhileUnlocked()
        case .recovery:
            // Before the old code ends: where this fails, nothing has changed.
            try broker.login.disable()
            try save(prepared.keyring, over: prepared.old)
            broker.pin.forget()
        case .renewal: try save(prepared.keyring, over: prepared.old)
        }
        // The new code counts from here on. Where the keys cannot be opened, the next unlock says why.
        guard prepared.purpose != .renewal, broker.unlocked == nil,
            let keys = try? broker.openedKeys(prepared.deviceKey)
        else {
            return
        }
        broker.opened(keys)
        await broker.tellObserversAndWait { await $0.sessionOpened() }
    }

    /// Writes the first registry, and then the keyring: a keyring without a registry would be an installation that cannot be opened.
    private func begin(_ prepared: PreparedKeyrings.Prepared) throws {
        try requireUninitialized()
        try DataWithoutKeyring.beginInitialization(in: broker.directories)
        let keys = try UnlockedKeys(
            deviceKey: prepared.deviceKey, directories: broker.directories, creatingRegistry: true,
            counter: broker.counter(prepared.deviceKey), terms: broker.rules.terms)
        _ = try broker.audit.open(seed: keys.auditSeed, head: nil, isNew: true)
        try save(prepared.keyring, over: nil)
        DataWithoutKeyring.endInitialization(in: broker.directories)
        broker.logger.info("initialized")
    }

    /// A new installation fills without the passphrase while it is unlocked, unless its owner has chosen otherwise before.
    private func fillWhileUnlocked() async {
        guard broker.preferences == PreferencesFile.defaults, broker.preferencesFile.problems.isEmpty else { return }
        do {
            _ = try await broker.setPreferences(.init(fills: "never"))
        } catch {
            broker.logger.warning("preferences.json could not be written", metadata: ["error": "\(error)"])
        }
    }

    /// Writes a keyring in the place of the one that it was made from.
    ///
    /// - Throws: `expired` if that one does not count any more; `storageFailed` if it cannot be written, with the reason `unsettled` if it
    ///   is not known which of the two a crash leaves.
    private func save(_ new: Keyring, over old: Keyring?) throws {
        // Only the count of the registry may have changed.
        guard broker.keyringFile.keyring == broker.keyringFile.keyring.flatMap({ old?.counting(like: $0) }) else {
            throw Self.codeExpired
        }
        do {
            try broker.keyringFile.save(new)
        } catch let error as SecretsError where error.code == .unsettled {
            broker.logger.error("it is not known which keyring the disk holds")
            throw WireError(
                .storageFailed,
                "The disk failed in the middle of the change, so it is unsettled: what counted before counts, but after a crash or a "
                    + "restart the new passphrase and recovery code may.", reason: WireError.unsettled,
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
        if let problem = broker.keyringFile.problem { throw problem }
        try InstallationSwitch.finish(for: broker)
        guard !broker.isInitialized else {
            throw WireError(
                .alreadyExists, "Latchkey is already set up here.",
                hint: "Use `latchkey passphrase change` or `latchkey restore FILE --replace`.")
        }
        try DataWithoutKeyring.requireNone(broker.missingKeyring)
    }
}

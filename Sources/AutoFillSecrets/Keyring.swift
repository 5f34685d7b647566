// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// The device key, wrapped twice: under a key from the passphrase and under a key from the recovery code.
///
/// A pure value. `docs/vault-format.md` states its bytes; `AtomicFile` writes them. Nothing in it is secret to whoever
/// cannot guess the passphrase.
public struct Keyring: Hashable, Sendable {
    /// Names the device key; see `DeviceKey.generation`.
    public let generation: [UInt8]
    /// What a guess at the passphrase costs.
    public let cost: Argon2Cost
    let passphraseSalt: [UInt8]
    let passphraseWrapped: [UInt8]
    let recoverySalt: [UInt8]
    let recoveryWrapped: [UInt8]
    /// How many changes of the registry count, sealed; `nil` in keyrings from before they were counted.
    private(set) var counted: [UInt8]?

    /// Makes a new device key, and a keyring that holds it.
    ///
    /// - Returns: The keyring to be written, the key to go on with, and the code to be shown to the person once.
    /// - Throws: `SecretsError` with `emptyPassphrase` or `outOfMemory`.
    public static func create(
        passphrase: SecretBytes,
        cost: Argon2Cost = .standard
    ) throws -> (keyring: Keyring, deviceKey: DeviceKey, recoveryCode: RecoveryCode) {
        let deviceKey = DeviceKey.random()
        let code = RecoveryCode.random()
        let byPassphrase = try wrap(deviceKey, passphrase: passphrase, cost: cost)
        let byCode = wrap(deviceKey, code: code)
        let keyring = Keyring(
            generation: deviceKey.generation,
            cost: cost,
            passphraseSalt: byPassphrase.salt,
            passphraseWrapped: byPassphrase.wrapped,
            recoverySalt: byCode.salt,
            recoveryWrapped: byCode.wrapped
        )
        return (keyring, deviceKey, code)
    }

    /// Unwraps the device key with the passphrase; takes as long as the cost says.
    ///
    /// - Throws: `SecretsError` with `wrongPassphrase` or `outOfMemory`.
    public func unlock(passphrase: SecretBytes) throws -> DeviceKey {
        let key = SealKey(derived: try cost.derive(from: passphrase, salt: passphraseSalt))
        let associated = Self.passphraseAssociated(cost: cost, salt: passphraseSalt, generation: generation)
        guard let secret = try? key.open(passphraseWrapped, associated: associated, in: .keys), secret.count == 32
        else {
            throw SecretsError(.wrongPassphrase, "the passphrase is wrong")
        }
        return DeviceKey(secret: secret, generation: generation)
    }

    /// Unwraps the device key with the recovery code.
    ///
    /// - Throws: `SecretsError` with `wrongRecoveryCode`.
    public func unlock(recoveryCode: RecoveryCode) throws -> DeviceKey {
        let key = recoveryCode.wrappingKey(salt: recoverySalt)
        let associated = Self.recoveryAssociated(salt: recoverySalt, generation: generation)
        guard let secret = try? key.open(recoveryWrapped, associated: associated, in: .keys), secret.count == 32 else {
            throw SecretsError(.wrongRecoveryCode, "the recovery code belongs to another keyring")
        }
        return DeviceKey(secret: secret, generation: generation)
    }

    /// The same device key and recovery code under another passphrase.
    ///
    /// - Throws: `SecretsError` with `emptyPassphrase`, `wrongDeviceKey` or `outOfMemory`.
    public func changingPassphrase(
        _ deviceKey: DeviceKey,
        to passphrase: SecretBytes,
        cost: Argon2Cost = .standard
    ) throws -> Keyring {
        try requireOwn(deviceKey)
        let byPassphrase = try Self.wrap(deviceKey, passphrase: passphrase, cost: cost)
        return Keyring(
            generation: generation,
            cost: cost,
            passphraseSalt: byPassphrase.salt,
            passphraseWrapped: byPassphrase.wrapped,
            recoverySalt: recoverySalt,
            recoveryWrapped: recoveryWrapped,
            counted: counted
        )
    }

    /// The same device key and passphrase under another recovery code; the old code opens nothing from then on.
    ///
    /// - Throws: `SecretsError` with `wrongDeviceKey`.
    public func renewingRecoveryCode(_ deviceKey: DeviceKey) throws -> (keyring: Keyring, recoveryCode: RecoveryCode) {
        try requireOwn(deviceKey)
        let code = RecoveryCode.random()
        let byCode = Self.wrap(deviceKey, code: code)
        let keyring = Keyring(
            generation: generation,
            cost: cost,
            passphraseSalt: passphraseSalt,
            passphraseWrapped: passphraseWrapped,
            recoverySalt: byCode.salt,
            recoveryWrapped: byCode.wrapped,
            counted: counted
        )
        return (keyring, code)
    }

    /// How many changes of the registry this keyring has counted; 0 where it counts none.
    ///
    /// - Throws: `SecretsError` with `damaged` where the count was not sealed under the device key.
    public func registryCount(_ deviceKey: DeviceKey) throws -> Int {
        guard let counted else { return 0 }
        let bytes = try deviceKey.keyringCountKey.open(counted, associated: Self.countAssociated(generation))
        guard bytes.count == 8 else { throw SecretsError(.damaged, "the keyring's count is damaged") }
        return Int(clamping: bytes.withUnsafeBytes { UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self)) })
    }

    /// The same keys, and another count.
    public func counting(_ deviceKey: DeviceKey, registry count: Int) throws -> Keyring {
        try requireOwn(deviceKey)
        let bytes = withUnsafeBytes(of: UInt64(clamping: count).littleEndian) { Array($0) }
        var keyring = self
        keyring.counted = deviceKey.keyringCountKey.seal(bytes, associated: Self.countAssociated(generation))
        return keyring
    }

    /// The same keys, with the count of another keyring that holds the same device key.
    public func counting(like other: Keyring) -> Keyring {
        guard other.generation == generation else { return self }
        var keyring = self
        keyring.counted = other.counted
        return keyring
    }

    private static func countAssociated(_ generation: [UInt8]) -> [UInt8] {
        Array("latchkey-keyring/2 registry".utf8) + generation
    }

    private func requireOwn(_ deviceKey: DeviceKey) throws {
        guard deviceKey.generation == generation else {
            throw SecretsError(.wrongDeviceKey, "the device key belongs to another keyring")
        }
    }

    private static func wrap(
        _ deviceKey: DeviceKey,
        passphrase: SecretBytes,
        cost: Argon2Cost
    ) throws -> (salt: [UInt8], wrapped: [UInt8]) {
        guard passphrase.count > 0 else {
            throw SecretsError(.emptyPassphrase, "the passphrase is empty")
        }
        let salt = KeyDerivation.publicRandom(count: 16)
        let key = SealKey(derived: try cost.derive(from: passphrase, salt: salt))
        let associated = passphraseAssociated(cost: cost, salt: salt, generation: deviceKey.generation)
        return (salt, key.seal(deviceKey.secret, associated: associated))
    }

    private static func wrap(_ deviceKey: DeviceKey, code: RecoveryCode) -> (salt: [UInt8], wrapped: [UInt8]) {
        let salt = KeyDerivation.publicRandom(count: 16)
        let associated = recoveryAssociated(salt: salt, generation: deviceKey.generation)
        return (salt, code.wrappingKey(salt: salt).seal(deviceKey.secret, associated: associated))
    }

    /// Binds the wrapped key to everything that stands beside it, so that no member can be exchanged.
    private static func passphraseAssociated(cost: Argon2Cost, salt: [UInt8], generation: [UInt8]) -> [UInt8] {
        let parameters = [cost.memoryKiB, cost.iterations, cost.parallelism]
        return Array("latchkey-keyring/1 passphrase argon2id".utf8)
            + parameters.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
            + salt + generation
    }

    private static func recoveryAssociated(salt: [UInt8], generation: [UInt8]) -> [UInt8] {
        Array("latchkey-keyring/1 recovery hkdf-sha256".utf8) + salt + generation
    }
}

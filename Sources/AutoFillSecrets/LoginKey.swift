// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// The device key, wrapped once more: under a key that Argon2id derives from the user's login password.
///
/// A pure value. `docs/vault-format.md` states its bytes. It is kept beside the keyring and in no backup. Whoever reads it can guess at the
/// login password, at the price that the cost states for each guess.
public struct LoginKey: Hashable, Sendable {
    /// Names the device key; see `DeviceKey.generation`.
    public let generation: [UInt8]
    /// The cost of a guess at the login password.
    public let cost: Argon2Cost
    /// The salt of the derivation, 16 bytes.
    public let salt: [UInt8]
    let wrapped: [UInt8]

    init(generation: [UInt8], cost: Argon2Cost, salt: [UInt8], wrapped: [UInt8]) {
        self.generation = generation
        self.cost = cost
        self.salt = salt
        self.wrapped = wrapped
    }

    /// Wraps a device key under a key that was derived elsewhere.
    ///
    /// - Parameter derived: 32 bytes that Argon2id gave for the login password, with this salt and cost.
    public init(_ deviceKey: DeviceKey, derived: SecretBytes, salt: [UInt8], cost: Argon2Cost) {
        let associated = Self.associated(cost: cost, salt: salt, generation: deviceKey.generation)
        self.init(
            generation: deviceKey.generation, cost: cost, salt: salt,
            wrapped: SealKey(derived: derived).seal(deviceKey.secret, associated: associated))
    }

    /// Unwraps the device key with the key that was derived from the login password.
    ///
    /// - Throws: `SecretsError` with `wrongLoginPassword`.
    public func unlock(derived: SecretBytes) throws -> DeviceKey {
        let associated = Self.associated(cost: cost, salt: salt, generation: generation)
        guard derived.count == 32,
            let secret = try? SealKey(derived: derived).open(wrapped, associated: associated, in: .keys),
            secret.count == 32
        else {
            throw SecretsError(.wrongLoginPassword, "the login password is another one now")
        }
        return DeviceKey(secret: secret, generation: generation)
    }

    /// Binds the wrapped key to everything beside it, so that no member can be exchanged.
    private static func associated(cost: Argon2Cost, salt: [UInt8], generation: [UInt8]) -> [UInt8] {
        let parameters = [cost.memoryKiB, cost.iterations, cost.parallelism]
        return Array("latchkey-login-key/1 argon2id".utf8)
            + parameters.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
            + salt + generation
    }
}

// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// The root of every key on this machine: 256 random bits that exist unwrapped only while unlocked.
public struct DeviceKey: Sendable, Equatable {
    /// Names this device key without telling anything about it: 16 random bytes, public, kept in the keyring.
    public let generation: [UInt8]
    let secret: SecretBytes

    init(secret: SecretBytes, generation: [UInt8]) {
        self.secret = secret
        self.generation = generation
    }

    static func random() -> DeviceKey {
        DeviceKey(secret: .random(count: 32, in: .keys), generation: KeyDerivation.publicRandom(count: 16))
    }

    /// Seals the payloads of every identity store.
    public var identityStoreSealKey: SealKey { SealKey(derived: derive("latchkey/1 identity-store seal")) }
    /// Blinds the index of every identity store.
    public var identityStoreIndexKey: BlindIndexKey {
        BlindIndexKey(derived: derive("latchkey/1 identity-store index"))
    }
    /// Unwraps the audit log's private half; 32 bytes.
    public var auditKeySeed: SecretBytes { derive("latchkey/1 audit") }
    /// Seals the registry of providers.
    public var registryKey: SealKey { SealKey(derived: derive("latchkey/1 registry")) }
    /// Seals which app belongs to which domain.
    public var associationsKey: SealKey { SealKey(derived: derive("latchkey/1 associations")) }
    /// Seals how many changes of the registry the keyring has counted.
    var keyringCountKey: SealKey { SealKey(derived: derive("latchkey/1 keyring count")) }
    /// Authenticates a backup as a whole.
    public var backupKey: AuthenticationKey { AuthenticationKey(derived: derive("latchkey/1 backup")) }

    /// The key of one provider's container: 32 bytes, handed to that provider while unlocked.
    ///
    /// - Parameters:
    ///   - identifier: The provider's bundle identifier.
    ///   - salt: Random bytes made when the provider was installed, so that a reinstalled one starts anew.
    public func containerKey(for identifier: String, salt: [UInt8]) -> SecretBytes {
        KeyDerivation.derive(
            from: secret,
            salt: salt,
            label: "latchkey/1 container\u{0}",
            extra: Array(identifier.utf8)
        )
    }

    private func derive(_ label: String) -> SecretBytes {
        KeyDerivation.derive(from: secret, salt: generation, label: label)
    }
}

extension DeviceKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "DeviceKey(redacted)" }

    public var debugDescription: String { description }

    public var customMirror: Mirror { Mirror(self, children: []) }
}

// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// The device key under a PIN, for unlocking again in the session in which the PIN was set.
///
/// It takes the PIN and a random half that exists in locked memory only, so a copy of the wrapped key is worth nothing once this value is
/// gone. A PIN is guessed quickly by whoever can read that memory, so its owner counts the tries and forgets it early.
public struct SessionPIN: Sendable {
    /// How many digits a PIN may have.
    public static let lengths = 6...32

    /// Names the device key; see `DeviceKey.generation`.
    public let generation: [UInt8]
    private let cost: Argon2Cost
    private let half: SecretBytes
    let salt: [UInt8]
    let wrapped: SecretBytes

    /// Wraps a device key; takes as long as the cost says.
    ///
    /// - Throws: `SecretsError` with `malformedPIN`, `memoryNotLocked`, or `outOfMemory`.
    public init(_ deviceKey: DeviceKey, pin: SecretBytes, cost: Argon2Cost = .standard) throws {
        try Self.check(pin)
        generation = deviceKey.generation
        self.cost = cost
        half = .random(count: 32, in: .keys)
        guard half.isLocked else {
            throw SecretsError(.memoryNotLocked, "memory cannot be locked here, so a PIN could reach swap")
        }
        salt = KeyDerivation.publicRandom(count: 16)
        let key = try Self.key(pin, half, salt, cost)
        var sealed = key.seal(deviceKey.secret, associated: Self.associated(generation))
        wrapped = SecretBytes(wiping: &sealed)
    }

    /// Unwraps the device key; takes as long as the cost says.
    ///
    /// - Throws: `SecretsError` with `wrongPIN` or `outOfMemory`.
    public func unlock(pin: SecretBytes) throws -> DeviceKey {
        let key = try Self.key(pin, half, salt, cost)
        let secret = wrapped.withUnsafeBytes {
            try? key.open($0, associated: Self.associated(generation), in: .keys)
        }
        guard let secret, secret.count == 32 else { throw SecretsError(.wrongPIN, "the PIN is wrong") }
        return DeviceKey(secret: secret, generation: generation)
    }

    /// Whether what was typed has the form of a PIN: 6 to 32 ASCII digits.
    public static func hasForm(_ typed: SecretBytes) -> Bool {
        lengths.contains(typed.count) && typed.withUnsafeBytes { $0.allSatisfy { (0x30...0x39).contains($0) } }
    }

    /// Refuses what has not the form of a PIN, and what is guessed first: one digit over and over, and digits in their order.
    ///
    /// - Throws: `SecretsError` with `malformedPIN`.
    public static func check(_ pin: SecretBytes) throws {
        guard hasForm(pin) else {
            throw SecretsError(
                .malformedPIN, "a PIN has \(lengths.lowerBound) to \(lengths.upperBound) digits and nothing else")
        }
        let steps = pin.withUnsafeBytes { digits in
            Set(zip(digits, digits.dropFirst()).map { (Int($1) - Int($0) + 10) % 10 })
        }
        guard steps != [0], steps != [1], steps != [9] else {
            throw SecretsError(
                .malformedPIN, "digits that are all the same, or follow one another, are guessed first")
        }
    }

    private static func key(
        _ pin: SecretBytes, _ half: SecretBytes, _ salt: [UInt8], _ cost: Argon2Cost
    ) throws -> SealKey {
        let derived = try cost.derive(from: pin, salt: salt)
        let joined = SecretBytes(count: derived.count + half.count, in: .keys)
        joined.withUnsafeMutableBytes { joined in
            derived.withUnsafeBytes { joined.copyMemory(from: $0) }
            half.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(rebasing: joined[derived.count...]).copyMemory(from: $0)
            }
        }
        return SealKey(derived: KeyDerivation.derive(from: joined, salt: salt, label: "latchkey-session-pin/1"))
    }

    private static func associated(_ generation: [UInt8]) -> [UInt8] {
        Array("latchkey-session-pin/1".utf8) + generation
    }
}

extension SessionPIN: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "SessionPIN(redacted)" }

    public var debugDescription: String { description }

    public var customMirror: Mirror { Mirror(self, children: []) }
}

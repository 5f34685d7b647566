// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Crypto
internal import FoundationEssentials

/// A 256-bit key that seals bytes: nobody without it can read them, change them or move them to another place.
///
/// A sealed value is one format byte (1), a nonce of 12 bytes, the ciphertext and a tag of 16 bytes. The format byte is
/// authenticated too.
///
/// The cipher is ChaCha20-Poly1305 (RFC 8439) and not AES-GCM for two reasons. It takes constant time on every machine,
/// with or without AES instructions. And nonces are random here: after 2^32 values under one key the odds of a repeated
/// nonce are 2^-33, and a repeat reveals the XOR of two payloads and lets those two be forged, where with AES-GCM
/// it gives away the authentication of everything under that key. Ten thousand values sealed each hour for fifty years
/// stay below 2^33, and each store has a key of its own.
public struct SealKey: Sendable {
    /// Bytes that sealing adds to a plaintext.
    public static let overhead = 1 + 12 + 16
    private static let format: UInt8 = 1

    private let secret: SecretBytes

    /// - Returns: nil unless the secret has exactly 32 bytes.
    public init?(_ secret: SecretBytes) {
        guard secret.count == 32 else { return nil }
        self.secret = secret
    }

    init(derived secret: SecretBytes) {
        precondition(secret.count == 32)
        self.secret = secret
    }

    /// A new random key.
    public static func random() -> SealKey {
        SealKey(derived: .random(count: 32, in: .keys))
    }

    /// Seals bytes for the place that `associated` names; `open` needs the same.
    public func seal(_ plaintext: UnsafeRawBufferPointer, associated: [UInt8]) -> [UInt8] {
        do {
            let box = try ChaChaPoly.seal(plaintext, using: symmetricKey, authenticating: [Self.format] + associated)
            var sealed: [UInt8] = []
            sealed.reserveCapacity(plaintext.count + Self.overhead)
            sealed.append(Self.format)
            sealed.append(contentsOf: box.combined)
            return sealed
        } catch {
            // The key has the right size; what is left is a plaintext of more than 256 GiB, which cannot be in memory.
            fatalError("sealing failed: \(error)")
        }
    }

    /// Seals a secret for the place that `associated` names.
    public func seal(_ plaintext: SecretBytes, associated: [UInt8]) -> [UInt8] {
        plaintext.withUnsafeBytes { seal($0, associated: associated) }
    }

    /// Seals bytes that need no wiping for the place that `associated` names.
    public func seal(_ plaintext: [UInt8], associated: [UInt8]) -> [UInt8] {
        plaintext.withUnsafeBytes { seal($0, associated: associated) }
    }

    /// Opens what `seal` gave.
    ///
    /// - Throws: `SecretsError` with `unsupportedVersion` for a format byte that this build does not know, `damaged` for
    ///   everything else; which key or which place would have been right cannot be told.
    public func open(
        _ sealed: UnsafeRawBufferPointer, associated: [UInt8], in arena: SecretArena = .own
    ) throws -> SecretBytes {
        guard sealed.count >= Self.overhead else {
            throw SecretsError(.damaged, "a sealed value is too short")
        }
        guard sealed[0] == Self.format else {
            throw SecretsError(.unsupportedVersion, "a sealed value has the unknown format \(sealed[0])")
        }
        let combined = UnsafeRawBufferPointer(rebasing: sealed[1...])
        do {
            let box = try ChaChaPoly.SealedBox(combined: combined)
            var plaintext = try ChaChaPoly.open(box, using: symmetricKey, authenticating: [Self.format] + associated)
            return Self.moveAndWipe(&plaintext, into: arena)
        } catch {
            throw SecretsError(.damaged, "a sealed value does not open")
        }
    }

    /// Opens what `seal` gave; see the variant for buffers.
    public func open(_ sealed: [UInt8], associated: [UInt8], in arena: SecretArena = .own) throws -> SecretBytes {
        try sealed.withUnsafeBytes { try open($0, associated: associated, in: arena) }
    }

    /// A key for one purpose: HKDF-SHA256 (RFC 5869) with this key as input, the label as info.
    public func derive(label: String, salt: [UInt8]) -> SealKey {
        SealKey(derived: KeyDerivation.derive(from: secret, salt: salt, label: label))
    }

    /// Made for each use, so that the key lives in locked memory only; swift-crypto wipes its copy.
    private var symmetricKey: SymmetricKey {
        secret.withUnsafeBytes { SymmetricKey(data: $0) }
    }

    /// The cipher returns a `Data` of its own in ordinary memory. It is referenced once, so writing to it changes that
    /// very memory and makes no copy.
    static func moveAndWipe(_ plaintext: inout Data, into arena: SecretArena = .own) -> SecretBytes {
        let secret = plaintext.withUnsafeBytes { SecretBytes(copying: $0, in: arena) }
        plaintext.withUnsafeMutableBytes { bytes in
            if let base = bytes.baseAddress { latchkey_wipe(base, bytes.count) }
        }
        return secret
    }
}

extension SealKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "SealKey(redacted)" }

    public var debugDescription: String { description }

    public var customMirror: Mirror { Mirror(self, children: []) }
}

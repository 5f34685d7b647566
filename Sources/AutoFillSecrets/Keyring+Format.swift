// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import FoundationEssentials

extension Keyring {
    private static let format = "latchkey-keyring"
    /// Keyrings without a count have version 1, those with one version 2.
    private static let versions = 1...2
    /// A keyring has less than 1 KiB.
    private static let byteLimit = 16 * 1024

    /// Reads a keyring as `encoded` writes it, byte for byte.
    ///
    /// Strict on purpose: whatever this version does not write itself is damage, found by the digest before a passphrase
    /// is asked for, so that a damaged file is never taken for a wrong passphrase.
    ///
    /// - Throws: `SecretsError` with `unsupportedVersion`, `costOutOfBounds` or `damaged`.
    public init(decoding bytes: [UInt8]) throws {
        guard bytes.count <= Self.byteLimit else { throw Self.damaged("it is too large") }
        guard let head = try? BoundedJSON.decode(Head.self, from: bytes), head.format == Self.format else {
            throw Self.damaged("it is not a keyring")
        }
        guard Self.versions.contains(head.version) else {
            throw SecretsError(.unsupportedVersion, "the keyring has the unknown version \(head.version)")
        }
        guard let body = try? BoundedJSON.decode(Body.self, from: bytes) else {
            throw Self.damaged("a member is missing")
        }
        guard body.passphrase.kdf == "argon2id", body.recovery.kdf == "hkdf-sha256" else {
            throw Self.damaged("it names an unknown derivation")
        }
        let cost = try Argon2Cost(
            memoryKiB: body.passphrase.memoryKiB,
            iterations: body.passphrase.iterations,
            parallelism: body.passphrase.parallelism
        )
        self.init(
            generation: try Self.bytes(body.generation, 16, "generation"),
            cost: cost,
            passphraseSalt: try Self.bytes(body.passphrase.salt, 16, "passphrase.salt"),
            passphraseWrapped: try Self.bytes(body.passphrase.wrapped, 32 + SealKey.overhead, "passphrase.wrapped"),
            recoverySalt: try Self.bytes(body.recovery.salt, 16, "recovery.salt"),
            recoveryWrapped: try Self.bytes(body.recovery.wrapped, 32 + SealKey.overhead, "recovery.wrapped"),
            counted: try body.registry.map { try Self.bytes($0, 8 + SealKey.overhead, "registry") }
        )
        guard encoded() == bytes else { throw Self.damaged("its digest or its layout is wrong") }
    }

    /// The keyring's one and only encoding: JSON in a fixed layout with a digest over everything before the digest.
    public func encoded() -> [UInt8] {
        let text = """
            {
              "format": "\(Self.format)",
              "version": \(counted == nil ? 1 : 2),
              "generation": "\(Self.text(generation))",
              "passphrase": {
                "kdf": "argon2id",
                "memoryKiB": \(cost.memoryKiB),
                "iterations": \(cost.iterations),
                "parallelism": \(cost.parallelism),
                "salt": "\(Self.text(passphraseSalt))",
                "wrapped": "\(Self.text(passphraseWrapped))"
              },
              "recovery": {
                "kdf": "hkdf-sha256",
                "salt": "\(Self.text(recoverySalt))",
                "wrapped": "\(Self.text(recoveryWrapped))"
              },\(counted.map { "\n  \"registry\": \"\(Self.text($0))\"," } ?? "")

            """
        let digest = Array(SHA256.hash(data: Array(text.utf8)))
        return Array((text + "  \"digest\": \"\(Self.text(digest))\"\n}\n").utf8)
    }

    private struct Head: Decodable {
        let format: String
        let version: Int
    }

    private struct Body: Decodable {
        struct Passphrase: Decodable {
            let kdf: String
            let memoryKiB: UInt32
            let iterations: UInt32
            let parallelism: UInt32
            let salt: String
            let wrapped: String
        }

        struct Recovery: Decodable {
            let kdf: String
            let salt: String
            let wrapped: String
        }

        let generation: String
        let passphrase: Passphrase
        let recovery: Recovery
        let registry: String?
    }

    private static func text(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString()
    }

    private static func bytes(_ text: String, _ count: Int, _ member: String) throws -> [UInt8] {
        guard let data = Data(base64Encoded: text), data.count == count else {
            throw damaged("the member \(member) is wrong")
        }
        return Array(data)
    }

    private static func damaged(_ why: String) -> SecretsError {
        SecretsError(.damaged, "the keyring is damaged: \(why)")
    }
}

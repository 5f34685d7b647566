// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AutoFillSecrets

/// A keyring that was written by another program, in Python, from `docs/vault-format.md` alone.
@Suite struct KeyringVectorTests {
    private static let keyring = """
        {
          "format": "latchkey-keyring",
          "version": 1,
          "generation": "ZGVmZ2hpamtsbW5vcHFycw==",
          "passphrase": {
            "kdf": "argon2id",
            "memoryKiB": 19456,
            "iterations": 2,
            "parallelism": 1,
            "salt": "AAECAwQFBgcICQoLDA0ODw==",
            "wrapped": "AQAAAAAAAAAAAAAAABHf7I1/92dhN+cWlsAfPF/gnl9yNCQDZAHT3rNMp7ssl6fORRvD+gVFfcxRCwGd2Q=="
          },
          "recovery": {
            "kdf": "hkdf-sha256",
            "salt": "yMnKy8zNzs/Q0dLT1NXW1w==",
            "wrapped": "AQEBAQEBAQEBAQEBAbPrGRaCiAcFPPZA0gAlx2iJ8m7FSLqXhS9H3Rhuz8nEGDATZgcXUn55isQo8DXWrA=="
          },
          "digest": "f/Lez5NYkTnIQtgmxykG6uLY4R6MLM8VjEA+0SRopnM="
        }

        """

    @Test func opensWithThePassphrase() throws {
        let device = try Keyring(decoding: Array(Self.keyring.utf8)).unlock(
            passphrase: SecretBytes(utf8: "correct horse")
        )
        #expect(device.secret.withUnsafeBytes { Array($0) } == Array(0..<32))
        #expect(device.generation == Array(100..<116))
    }

    @Test func opensWithTheRecoveryCode() throws {
        let code = try RecoveryCode(parsing: SecretBytes(utf8: "3ahrz-6dmv2-9gqy5-ckti8-fpx4b-jso7e-nw3a5"))
        let device = try Keyring(decoding: Array(Self.keyring.utf8)).unlock(recoveryCode: code)
        #expect(device.secret.withUnsafeBytes { Array($0) } == Array(0..<32))
    }

    @Test func derivesTheDocumentedKeys() throws {
        let device = DeviceKey(
            secret: SecretBytes(copyingTestBytes: Array(0..<32)),
            generation: Array(100..<116)
        )
        #expect(
            device.auditKeySeed
                == SecretBytes(
                    copyingTestBytes: bytes("72bb63fa7372a9f9460bc99668cd51a2d4dc0462508a6f552c5feae5facf361d")
                )
        )
        #expect(
            device.containerKey(for: "org.latchkey.passwords", salt: Array("salt".utf8))
                == SecretBytes(
                    copyingTestBytes: bytes("c8e1437601cd556854c53e568044fceac96ebf69ebb246174d09a3e33d2566ee")
                )
        )
    }

    @Test func encodesToTheSameBytes() throws {
        #expect(try Keyring(decoding: Array(Self.keyring.utf8)).encoded() == Array(Self.keyring.utf8))
    }
}

extension SecretBytes {
    fileprivate convenience init(copyingTestBytes bytes: [UInt8]) {
        var bytes = bytes
        self.init(wiping: &bytes)
    }
}

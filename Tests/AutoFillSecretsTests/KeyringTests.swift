// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Testing

@testable import AutoFillSecrets

@Suite struct KeyringTests {
    /// Made once: each derivation is slow by design.
    private static let made = Result { try Keyring.create(passphrase: passphrase, cost: .testOnlyFast) }
    private static let passphrase = SecretBytes(utf8: "correct horse battery staple")

    @Test func opensWithThePassphraseAndWithTheCode() throws {
        let (keyring, deviceKey, code) = try Self.made.get()
        let read = try Keyring(decoding: keyring.encoded())
        #expect(read == keyring)
        #expect(try read.unlock(passphrase: Self.passphrase) == deviceKey)
        #expect(try read.unlock(recoveryCode: code) == deviceKey)
    }

    @Test(arguments: ["", "correct horse battery staplE", "correct horse battery staple\n", "correct"])
    func refusesAWrongPassphrase(text: String) throws {
        let keyring = try Self.made.get().keyring
        #expect { try keyring.unlock(passphrase: SecretBytes(utf8: text)) } throws: { code($0) == .wrongPassphrase }
    }

    @Test func refusesAnEmptyPassphrase() throws {
        let (keyring, deviceKey, _) = try Self.made.get()
        let empty = SecretBytes(count: 0)
        #expect { try Keyring.create(passphrase: empty, cost: .testOnlyFast) } throws: { code($0) == .emptyPassphrase }
        #expect { try keyring.changingPassphrase(deviceKey, to: empty, cost: .testOnlyFast) } throws: {
            code($0) == .emptyPassphrase
        }
    }

    @Test func refusesAnotherRecoveryCode() throws {
        let keyring = try Self.made.get().keyring
        #expect { try keyring.unlock(recoveryCode: .random()) } throws: { code($0) == .wrongRecoveryCode }
    }

    @Test func theOldPassphraseEndsWithTheChange() throws {
        let (keyring, deviceKey, code) = try Self.made.get()
        let next = SecretBytes(utf8: "another")
        let changed = try keyring.changingPassphrase(deviceKey, to: next, cost: .testOnlyFast)
        #expect(changed.generation == keyring.generation)
        #expect(try changed.unlock(passphrase: next) == deviceKey)
        #expect(try changed.unlock(recoveryCode: code) == deviceKey)
        #expect { try changed.unlock(passphrase: Self.passphrase) } throws: {
            AutoFillSecretsTests.code($0) == .wrongPassphrase
        }
    }

    @Test func theOldCodeEndsWithTheRenewal() throws {
        let (keyring, deviceKey, code) = try Self.made.get()
        let (renewed, newCode) = try keyring.renewingRecoveryCode(deviceKey)
        #expect(try renewed.unlock(recoveryCode: newCode) == deviceKey)
        #expect(try renewed.unlock(passphrase: Self.passphrase) == deviceKey)
        #expect { try renewed.unlock(recoveryCode: code) } throws: {
            AutoFillSecretsTests.code($0) == .wrongRecoveryCode
        }
    }

    @Test func refusesADeviceKeyOfAnotherKeyring() throws {
        let keyring = try Self.made.get().keyring
        #expect { try keyring.renewingRecoveryCode(.random()) } throws: { code($0) == .wrongDeviceKey }
        #expect {
            try keyring.changingPassphrase(.random(), to: SecretBytes(utf8: "x"), cost: .testOnlyFast)
        } throws: {
            code($0) == .wrongDeviceKey
        }
    }

    @Test func refusesEveryFlippedBit() throws {
        let encoded = try Self.made.get().keyring.encoded()
        let clear: Set<SecretsError.Code> = [.damaged, .unsupportedVersion, .costOutOfBounds]
        for bit in 0..<encoded.count * 8 {
            var damaged = encoded
            damaged[bit / 8] ^= 1 << (bit % 8)
            #expect(throws: SecretsError.self) { try Keyring(decoding: damaged) }
            do { _ = try Keyring(decoding: damaged) } catch { #expect(clear.contains(try #require(code(error)))) }
        }
    }

    @Test func refusesEveryTruncation() throws {
        let encoded = try Self.made.get().keyring.encoded()
        for count in 0..<encoded.count {
            #expect { try Keyring(decoding: Array(encoded.prefix(count))) } throws: { code($0) == .damaged }
        }
        #expect { try Keyring(decoding: encoded + [0x0A]) } throws: { code($0) == .damaged }
    }

    /// What a digest cannot stop: somebody who edits the file and computes the digest anew.
    @Test func neverGivesAWrongKeyForAForgedMember() throws {
        let (keyring, _, recoveryCode) = try Self.made.get()
        let flipped: ([UInt8], Int) -> [UInt8] = { bytes, bit in
            var bytes = bytes
            bytes[bit / 8] ^= 1 << (bit % 8)
            return bytes
        }
        let forge: ([UInt8]?, [UInt8]?, [UInt8]?, [UInt8]?, [UInt8]?, Argon2Cost?) throws -> Keyring = {
            generation,
            salt,
            wrapped,
            recoverySalt,
            recoveryWrapped,
            cost in
            let forged = Keyring(
                generation: generation ?? keyring.generation,
                cost: cost ?? keyring.cost,
                passphraseSalt: salt ?? keyring.passphraseSalt,
                passphraseWrapped: wrapped ?? keyring.passphraseWrapped,
                recoverySalt: recoverySalt ?? keyring.recoverySalt,
                recoveryWrapped: recoveryWrapped ?? keyring.recoveryWrapped
            )
            return try Keyring(decoding: forged.encoded())
        }
        for bit in 0..<128 {
            let byCode = [
                try forge(flipped(keyring.generation, bit), nil, nil, nil, nil, nil),
                try forge(nil, nil, nil, flipped(keyring.recoverySalt, bit), nil, nil),
                try forge(nil, nil, nil, nil, flipped(keyring.recoveryWrapped, bit * 3), nil),
            ]
            for forged in byCode {
                #expect { try forged.unlock(recoveryCode: recoveryCode) } throws: { code($0) == .wrongRecoveryCode }
            }
        }
        let byPassphrase = [
            try forge(flipped(keyring.generation, 5), nil, nil, nil, nil, nil),
            try forge(nil, flipped(keyring.passphraseSalt, 77), nil, nil, nil, nil),
            try forge(nil, nil, flipped(keyring.passphraseWrapped, 300), nil, nil, nil),
            try forge(nil, nil, keyring.recoveryWrapped, nil, nil, nil),
            try forge(nil, nil, nil, nil, nil, try Argon2Cost(memoryKiB: 19 * 1024, iterations: 3, parallelism: 1)),
        ]
        for forged in byPassphrase {
            #expect { try forged.unlock(passphrase: Self.passphrase) } throws: { code($0) == .wrongPassphrase }
        }
    }

    @Test(arguments: [0, 3, 99, -1]) func refusesAnotherVersionClearly(version: Int) throws {
        let text = String(decoding: try Self.made.get().keyring.encoded(), as: UTF8.self)
        let other = text.replacing("\"version\": 1,", with: "\"version\": \(version),")
        #expect { try Keyring(decoding: Array(other.utf8)) } throws: { code($0) == .unsupportedVersion }
        let minimal = "{\"format\": \"latchkey-keyring\", \"version\": \(version)}"
        #expect { try Keyring(decoding: Array(minimal.utf8)) } throws: { code($0) == .unsupportedVersion }
    }

    @Test(arguments: [
        ("memoryKiB\": 19456", "memoryKiB\": 19455"), ("memoryKiB\": 19456", "memoryKiB\": 1048577"),
        ("memoryKiB\": 19456", "memoryKiB\": 4294967295"), ("iterations\": 2", "iterations\": 1"),
        ("iterations\": 2", "iterations\": 65"), ("parallelism\": 1", "parallelism\": 0"),
        ("parallelism\": 1", "parallelism\": 17"),
    ])
    func refusesACostOutOfBounds(member: String, replacement: String) throws {
        let text = String(decoding: try Self.made.get().keyring.encoded(), as: UTF8.self)
        let other = text.replacing(member, with: replacement)
        #expect(other != text)
        #expect { try Keyring(decoding: Array(other.utf8)) } throws: { code($0) == .costOutOfBounds }
    }

    @Test(arguments: [
        "", "{}", "[]", "null", "{", "\u{FEFF}{}", "{\"format\":\"latchkey-keyring\"}",
        "{\"format\":\"latchkey-keyring\",\"version\":1}", "{\"format\":\"other\",\"version\":1}",
        "{\"format\":\"latchkey-keyring\",\"version\":1e99}", String(repeating: "[", count: 15_000),
        String(repeating: " ", count: 17_000),
    ])
    func refusesWhatIsNoKeyring(text: String) {
        #expect { try Keyring(decoding: Array(text.utf8)) } throws: { code($0) == .damaged }
    }

    @Test func refusesAnotherLayoutOfTheSameMembers() throws {
        let text = String(decoding: try Self.made.get().keyring.encoded(), as: UTF8.self)
        for other in [text.filter { $0 != "\n" }, text + " ", text.replacing("  ", with: "\t")] {
            #expect { try Keyring(decoding: Array(other.utf8)) } throws: { code($0) == .damaged }
        }
    }
}

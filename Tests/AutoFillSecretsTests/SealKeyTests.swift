// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AutoFillSecrets

@Suite struct SealKeyTests {
    let key = SealKey.random()

    @Test(arguments: [0, 1, 64, 5000]) func opensWhatItSealed(count: Int) throws {
        let secret = SecretBytes.random(count: count)
        let sealed = key.seal(secret, associated: [1, 2])
        #expect(sealed.count == count + SealKey.overhead)
        #expect(try key.open(sealed, associated: [1, 2]) == secret)
    }

    @Test func neverSealsTheSameTwice() {
        #expect(key.seal([1, 2, 3], associated: []) != key.seal([1, 2, 3], associated: []))
    }

    @Test func refusesAnotherKey() {
        let sealed = key.seal([1], associated: [])
        #expect { try SealKey.random().open(sealed, associated: []) } throws: { code($0) == .damaged }
    }

    @Test func refusesAnotherPlace() {
        let sealed = key.seal([1], associated: Array("here".utf8))
        #expect { try key.open(sealed, associated: Array("there".utf8)) } throws: { code($0) == .damaged }
        #expect { try key.open(sealed, associated: []) } throws: { code($0) == .damaged }
    }

    @Test func refusesEveryFlippedBit() {
        let sealed = key.seal(Array("a payload".utf8), associated: [7])
        for bit in 0..<sealed.count * 8 {
            var damaged = sealed
            damaged[bit / 8] ^= 1 << (bit % 8)
            #expect { try key.open(damaged, associated: [7]) } throws: {
                code($0) == (bit < 8 ? .unsupportedVersion : .damaged)
            }
        }
    }

    @Test func refusesEveryTruncation() {
        let sealed = key.seal(Array("a payload".utf8), associated: [])
        for count in 0..<sealed.count {
            #expect { try key.open(Array(sealed.prefix(count)), associated: []) } throws: { code($0) == .damaged }
        }
        #expect { try key.open(sealed + [0], associated: []) } throws: { code($0) == .damaged }
    }

    @Test(arguments: [0, 16, 31, 33]) func refusesAKeyOfAnotherSize(count: Int) {
        #expect(SealKey(SecretBytes(count: count)) == nil)
        #expect(BlindIndexKey(SecretBytes(count: count)) == nil)
        #expect(AuthenticationKey(SecretBytes(count: count)) == nil)
    }

    @Test func derivedKeysAreApart() throws {
        let sealed = key.derive(label: "a", salt: [1]).seal([1], associated: [])
        #expect(try key.derive(label: "a", salt: [1]).open(sealed, associated: []).count == 1)
        #expect(throws: SecretsError.self) { try key.derive(label: "b", salt: [1]).open(sealed, associated: []) }
        #expect(throws: SecretsError.self) { try key.derive(label: "a", salt: [2]).open(sealed, associated: []) }
        #expect(throws: SecretsError.self) { try key.open(sealed, associated: []) }
    }

    /// RFC 5869, test case 1.
    @Test func followsTheHKDFStandard() {
        let input = SecretBytes.repeating(0x0B, count: 22)
        let info = (0xF0...0xF9).map { UInt8($0) }
        let derived = KeyDerivation.derive(from: input, salt: Array(0...12), label: "", extra: info)
        #expect(
            derived.withUnsafeBytes { Array($0) }
                == bytes("3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf")
        )
    }

    @Test func blindValuesDependOnEverything() throws {
        let index = try #require(BlindIndexKey(.repeating(1, count: 32)))
        let other = try #require(BlindIndexKey(.repeating(2, count: 32)))
        let blind = index.blind([1, 2], purpose: "a")
        #expect(blind.count == BlindIndexKey.blindByteCount)
        #expect(blind == index.blind([1, 2], purpose: "a"))
        #expect(blind != index.blind([1, 3], purpose: "a"))
        #expect(blind != index.blind([1, 2], purpose: "b"))
        #expect(blind != other.blind([1, 2], purpose: "a"))
        #expect(index.blind(Array("bc".utf8), purpose: "a") != index.blind(Array("c".utf8), purpose: "ab"))
    }

    /// The code was computed with Python.
    @Test func authenticationCodesAreHMAC() throws {
        let key = try #require(AuthenticationKey(.repeating(0xAA, count: 32)))
        let code = key.code(for: [Array("latch".utf8), Array("key".utf8)])
        #expect(code == bytes("def1530dd4056a89b2ad1409c1aa84931c66c559d00da50fe9b37312cdafc117"))
        #expect(key.isValid(code, for: [Array("latchkey".utf8)]))
        #expect(!key.isValid(code, for: [Array("latchkez".utf8)]))
        #expect(!key.isValid(Array(code.dropLast()), for: [Array("latchkey".utf8)]))
        #expect(!key.isValid([], for: [Array("latchkey".utf8)]))
    }

    @Test("S30: keys print as nothing") func keysPrintNothing() throws {
        let device = DeviceKey.random()
        let values: [Any] = [
            key, device, device.backupKey, device.identityStoreIndexKey, device.identityStoreSealKey,
            RecoveryCode.random(),
        ]
        for value in values {
            #expect("\(value)".hasSuffix("(redacted)"))
            #expect(String(reflecting: value).hasSuffix("(redacted)"))
            #expect(Mirror(reflecting: value).children.isEmpty)
        }
    }
}

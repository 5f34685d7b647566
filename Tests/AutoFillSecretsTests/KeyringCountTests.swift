// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AutoFillSecrets

@Suite struct KeyringCountTests {
    private let keyring: Keyring
    private let key: DeviceKey

    init() throws {
        (keyring, key, _) = try Keyring.create(passphrase: SecretBytes(utf8: "p"), cost: .testOnlyFast)
    }

    @Test func aNewKeyringCountsNothing() throws {
        #expect(try keyring.registryCount(key) == 0)
        #expect(String(decoding: keyring.encoded(), as: UTF8.self).contains("\"version\": 1,"))
    }

    @Test(arguments: [0, 1, 255, 1 << 40, Int.max])
    func countsAreReadAgain(count: Int) throws {
        let bytes = try keyring.counting(key, registry: count).encoded()
        #expect(String(decoding: bytes, as: UTF8.self).contains("\"version\": 2,"))
        let read = try Keyring(decoding: bytes)
        #expect(try read.registryCount(key) == count)
        #expect(read.encoded() == bytes)
        #expect(try read.unlock(passphrase: SecretBytes(utf8: "p")) == key)
    }

    @Test func aChangedPassphraseKeepsTheCount() throws {
        let counted = try keyring.counting(key, registry: 7)
        let changed = try counted.changingPassphrase(key, to: SecretBytes(utf8: "q"), cost: .testOnlyFast)
        #expect(try changed.registryCount(key) == 7)
        #expect(try changed.renewingRecoveryCode(key).keyring.registryCount(key) == 7)
        #expect(try keyring.counting(like: counted).registryCount(key) == 7)
    }

    @Test("S50: nobody without the device key can make a count")
    func aForgedCountIsRefused() throws {
        let (other, otherKey, _) = try Keyring.create(passphrase: SecretBytes(utf8: "p"), cost: .testOnlyFast)
        #expect(throws: SecretsError.self) { try keyring.counting(otherKey, registry: 1) }
        #expect(try keyring.counting(like: other.counting(otherKey, registry: 9)).registryCount(key) == 0)
        let text = String(decoding: try keyring.counting(key, registry: 1).encoded(), as: UTF8.self)
        let foreign = String(decoding: try keyring.counting(key, registry: 2).encoded(), as: UTF8.self)
        // The digest tells an accident.
        let mixed = zip(text.split(separator: "\n"), foreign.split(separator: "\n")).map { mine, other in
            mine.contains("registry") ? other : mine
        }.joined(separator: "\n")
        #expect(throws: SecretsError.self) { try Keyring(decoding: Array((mixed + "\n").utf8)) }
    }
}

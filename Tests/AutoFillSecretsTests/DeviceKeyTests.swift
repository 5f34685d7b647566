// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AutoFillSecrets

@Suite struct DeviceKeyTests {
    @Test func everyPurposeHasAKeyOfItsOwn() throws {
        let device = DeviceKey.random()
        let sealed = device.registryKey.seal([1], associated: [])
        #expect(try device.registryKey.open(sealed, associated: []).count == 1)
        #expect(throws: SecretsError.self) { try device.identityStoreSealKey.open(sealed, associated: []) }
        #expect(device.auditKeySeed.count == 32)
        #expect(device.auditKeySeed != device.secret)
    }

    @Test func providersAreCutOffFromOneAnother() {
        let device = DeviceKey.random()
        let key = device.containerKey(for: "org.example.a", salt: [1])
        #expect(key.count == 32)
        #expect(key == device.containerKey(for: "org.example.a", salt: [1]))
        #expect(key != device.containerKey(for: "org.example.b", salt: [1]))
        #expect(key != device.containerKey(for: "org.example.a", salt: [2]))
        #expect(key != DeviceKey.random().containerKey(for: "org.example.a", salt: [1]))
    }

    @Test func anotherGenerationDerivesOtherKeys() {
        let device = DeviceKey.random()
        let other = DeviceKey(secret: device.secret, generation: DeviceKey.random().generation)
        #expect(device.auditKeySeed != other.auditKeySeed)
        #expect(device != other)
    }
}

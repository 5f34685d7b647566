// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AutoFillSecrets

@Suite struct Argon2CostTests {
    @Test func acceptsItsBounds() throws {
        #expect(try Argon2Cost(memoryKiB: 19 * 1024, iterations: 2, parallelism: 1) == .lowerBound)
        #expect(try Argon2Cost(memoryKiB: 1024 * 1024, iterations: 64, parallelism: 16).parallelism == 16)
        let standard = Argon2Cost.standard
        #expect(
            try Argon2Cost(
                memoryKiB: standard.memoryKiB,
                iterations: standard.iterations,
                parallelism: standard.parallelism
            )
                == standard
        )
    }

    @Test(
        arguments: [
            (0, 0, 0), (19 * 1024 - 1, 2, 1), (19 * 1024, 1, 1), (19 * 1024, 2, 0), (1024 * 1024 + 1, 2, 1),
            (19 * 1024, 65, 1), (19 * 1024, 2, 17), (UInt32.max, .max, .max),
        ] as [(UInt32, UInt32, UInt32)]
    )
    func refusesWhatIsBeyondThem(memoryKiB: UInt32, iterations: UInt32, parallelism: UInt32) {
        #expect {
            try Argon2Cost(memoryKiB: memoryKiB, iterations: iterations, parallelism: parallelism)
        } throws: {
            code($0) == .costOutOfBounds
        }
    }

    @Test func theKeyDependsOnEverything() throws {
        let passphrase = SecretBytes(utf8: "a")
        let salt = [UInt8](repeating: 0, count: 16)
        let key = try Argon2Cost.testOnlyFast.derive(from: passphrase, salt: salt)
        let dearer = try Argon2Cost(memoryKiB: 19 * 1024, iterations: 2, parallelism: 2)
        #expect(try Argon2Cost.testOnlyFast.derive(from: passphrase, salt: salt) == key)
        #expect(try Argon2Cost.testOnlyFast.derive(from: SecretBytes(utf8: "b"), salt: salt) != key)
        #expect(try Argon2Cost.testOnlyFast.derive(from: passphrase, salt: salt.reversed() + [1]) != key)
        #expect(try dearer.derive(from: passphrase, salt: salt) != key)
        #expect(passphrase == SecretBytes(utf8: "a"), "the passphrase is left as it was")
    }

    /// RFC 9106 recommends three passes over 64 MiB; `make bench` measures how long a guess takes.
    @Test func theStandardCostIsWhatTheRFCRecommends() throws {
        let standard = Argon2Cost.standard
        #expect(standard.memoryKiB >= 64 * 1024 && standard.iterations >= 3 && standard.parallelism >= 4)
        let salt = [UInt8](repeating: 0, count: 16)
        let key = try standard.derive(from: SecretBytes(utf8: "a"), salt: salt)
        #expect(try Argon2Cost.lowerBound.derive(from: SecretBytes(utf8: "a"), salt: salt) != key)
    }
}

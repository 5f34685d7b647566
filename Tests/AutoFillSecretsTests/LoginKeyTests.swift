// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import AutoFillSecrets

@Suite struct LoginKeyTests {
    private static let password = SecretBytes(utf8: "second-hand trombone")
    private static let made = Result {
        let (deviceKey, salt) = (DeviceKey.random(), LoginPassword.salt())
        let derived = try Self.derived(password, salt)
        return (deviceKey, LoginKey(deviceKey, derived: derived, salt: salt, cost: .testOnlyFast))
    }

    private static func derived(_ password: SecretBytes, _ salt: [UInt8]) throws -> SecretBytes {
        let text = try LoginPassword.key(from: password, salt: salt, cost: .testOnlyFast)
        return try #require(LoginPassword.bytes(ofKey: text))
    }

    private func derived(_ key: LoginKey, _ password: SecretBytes = password) throws -> SecretBytes {
        try Self.derived(password, key.salt)
    }

    @Test func opensWithTheKeyOfItsPassword() throws {
        let (deviceKey, key) = try Self.made.get()
        #expect(key.generation == deviceKey.generation)
        #expect(try key.unlock(derived: derived(key)) == deviceKey)
    }

    @Test(arguments: ["second-hand trombone ", "Second-hand trombone", "x"])
    func refusesAnotherPassword(text: String) throws {
        let (_, key) = try Self.made.get()
        let other = try derived(key, SecretBytes(utf8: text))
        #expect { try key.unlock(derived: other) } throws: { code($0) == .wrongLoginPassword }
    }

    @Test(arguments: [0, 31, 33])
    func refusesAKeyOfAnotherLength(count: Int) throws {
        let (_, key) = try Self.made.get()
        let other = SecretBytes.random(count: count)
        #expect { try key.unlock(derived: other) } throws: { code($0) == .wrongLoginPassword }
    }

    @Test func refusesAnEmptyPassword() {
        #expect {
            try LoginPassword.key(from: SecretBytes(count: 0), salt: LoginPassword.salt(), cost: .testOnlyFast)
        } throws: {
            code($0) == .emptyPassphrase
        }
    }

    @Test func noMemberCanBeExchanged() throws {
        let (_, key) = try Self.made.get()
        let derived = try self.derived(key)
        let cost = try Argon2Cost(memoryKiB: 19 * 1024, iterations: 3, parallelism: 1)
        for other in [
            LoginKey(
                generation: [UInt8](repeating: 1, count: 16), cost: key.cost, salt: key.salt, wrapped: key.wrapped),
            LoginKey(generation: key.generation, cost: cost, salt: key.salt, wrapped: key.wrapped),
            LoginKey(
                generation: key.generation, cost: key.cost, salt: [UInt8](repeating: 1, count: 16),
                wrapped: key.wrapped),
            LoginKey(generation: key.generation, cost: key.cost, salt: key.salt, wrapped: key.wrapped.reversed()),
        ] {
            #expect { try other.unlock(derived: derived) } throws: { code($0) == .wrongLoginPassword }
        }
    }

    @Test func readsWhatItWrites() throws {
        let (_, key) = try Self.made.get()
        #expect(try LoginKey(decoding: key.encoded()) == key)
    }

    @Test(arguments: [
        ("\"version\": 1", "\"version\": 2", SecretsError.Code.unsupportedVersion),
        ("\"memoryKiB\": 19456", "\"memoryKiB\": 19455", .costOutOfBounds),
        ("\"iterations\": 2", "\"iterations\": 65", .costOutOfBounds),
        ("latchkey-login-key", "latchkey-keyring", .damaged),
        ("\"salt\": \"", "\"salt\": \"AAAA", .damaged),
        ("\n}\n", "}\n", .damaged), ("\n}\n", "\n}\n\n", .damaged), ("{", "", .damaged),
        ("\"salt\"", "\"unknown\": 1,\n  \"salt\"", .damaged),
    ])
    func refusesWhatItDoesNotWrite(find: String, replacement: String, expected: SecretsError.Code) throws {
        let (_, key) = try Self.made.get()
        let text = String(decoding: key.encoded(), as: UTF8.self)
        let changed = text.replacing(find, with: replacement, maxReplacements: 1)
        #expect(changed != text)
        #expect { try LoginKey(decoding: Array(changed.utf8)) } throws: { code($0) == expected }
    }

    @Test func readsAKeyInHexadecimal() throws {
        let text = String(repeating: "0a", count: 31) + "ff"
        let bytes = try #require(LoginPassword.bytes(ofKey: SecretBytes(utf8: text)))
        #expect(bytes.withUnsafeBytes { Array($0) } == [UInt8](repeating: 10, count: 31) + [255])
    }

    @Test(arguments: [
        "", "0a", String(repeating: "0", count: 63), String(repeating: "0", count: 65),
        String(repeating: "0", count: 63) + "g", String(repeating: "0", count: 63) + "A",
    ])
    func refusesOtherTexts(text: String) {
        #expect(LoginPassword.bytes(ofKey: SecretBytes(utf8: text)) == nil)
    }

    @Test func saltsAreReadAsTheyAreWritten() {
        let salt = LoginPassword.salt()
        #expect(LoginPassword.bytes(ofSalt: LoginPassword.text(ofSalt: salt)) == salt)
        #expect(LoginPassword.text(ofSalt: [0, 10, 255]) == "000aff")
    }

    @Test(arguments: [
        "", "07", String(repeating: "07", count: 17), String(repeating: "0g", count: 16),
        String(repeating: "0A", count: 16), " " + String(repeating: "0", count: 31),
    ])
    func refusesOtherSalts(text: String) {
        #expect(LoginPassword.bytes(ofSalt: text) == nil)
    }

    @Test func takesTheCostThatIsSet() {
        #expect(LoginPassword.takes(.standard))
        #expect(!LoginPassword.takes(.lowerBound))
    }

    /// Where they differed, a key would be stored that no login opens.
    @Test(arguments: [
        ("least_memory", LoginPassword.memoryKiB.lowerBound), ("most_memory", LoginPassword.memoryKiB.upperBound),
        ("least_passes", LoginPassword.iterations.lowerBound), ("most_passes", LoginPassword.iterations.upperBound),
        ("least_lanes", LoginPassword.parallelism.lowerBound), ("most_lanes", LoginPassword.parallelism.upperBound),
    ])
    func hasTheBoundsOfTheProgramInC(name: String, bound: UInt32) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        let source = try String(
            contentsOf: root.appending(path: "Packaging/login/latchkey-login.c"), encoding: .utf8)
        // As in `enum { least_memory = 64 * 1024, least_passes = 5 };`
        let values = source.matches(of: try Regex("\\b\(name) = ([0-9* ]+)", as: (Substring, Substring).self))
        #expect(values.count == 1)
        let factors = try #require(values.first).output.1.split(separator: "*").map {
            UInt32($0.trimmingCharacters(in: .whitespaces))
        }
        #expect(factors.reduce(1 as UInt32?) { product, next in product.flatMap { p in next.map { p * $0 } } } == bound)
    }

    /// The vector of Argon2id in RFC 9106 has a secret and associated data, which are not used here. This one is from `argon2id_hash_raw`
    /// of libargon2, which `latchkey-login` calls.
    @Test func derivesAsTheReferenceDoes() throws {
        let key = try LoginPassword.key(
            from: SecretBytes(utf8: "password"), salt: Array("somesaltsomesalt".utf8), cost: .testOnlyFast)
        let text = key.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        #expect(text == "2b5dc4054886ec957ef59c73b661c54dd6fb274590b278f657c6d96aac8fa6d1")
    }
}

// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import Foundation
import Testing

@testable import AutoFillDaemon
@testable import DaemonTesting

@Suite struct BackupTests {
    /// Made once: a keyring takes a moment.
    static let made = try? Keyring.create(passphrase: SecretBytes(utf8: "p"), cost: .testOnlyFast)

    private let deviceKey: DeviceKey
    private let backup: Backup
    private let file: [UInt8]

    init() throws {
        let made = try #require(Self.made)
        deviceKey = made.deviceKey
        backup = Backup(keyring: made.keyring.encoded(), registry: [1, 2, 3], snapshot: Array("snapshot".utf8))
        file = backup.encoded(key: deviceKey.backupKey)
    }

    /// A file with a right authentication code around any sections.
    private func file(version: UInt8 = 1, _ sections: [(UInt8, [UInt8])]) -> [UInt8] {
        var bytes = Array("LATCHKEY-BACKUP\u{0}".utf8) + [version]
        for (kind, content) in sections {
            bytes += [kind] + withUnsafeBytes(of: UInt64(content.count).bigEndian) { Array($0) } + content
        }
        return bytes + deviceKey.backupKey.code(for: [bytes])
    }

    private func read(_ bytes: [UInt8]) throws -> Backup {
        try Backup.Unverified(decoding: bytes).verified(with: deviceKey)
    }

    @Test func whatWasWrittenIsRead() throws {
        let read = try read(file)
        #expect(read.keyring == backup.keyring)
        #expect(read.registry == backup.registry)
        #expect(read.snapshot == backup.snapshot)
        #expect(read.encoded(key: deviceKey.backupKey) == file)
    }

    @Test func providerThatNeverKeptAnythingHasNoSnapshot() throws {
        let without = Backup(keyring: backup.keyring, registry: [], snapshot: nil)
        let read = try read(without.encoded(key: deviceKey.backupKey))
        #expect(read.snapshot == nil)
        #expect(read.registry == [])
    }

    @Test func itsKeyringOpensWithThePassphraseOfTheDay() throws {
        let unverified = try Backup.Unverified(decoding: file)
        #expect(try unverified.keyring.unlock(passphrase: SecretBytes(utf8: "p")) == deviceKey)
        #expect(throws: SecretsError.self) { try unverified.keyring.unlock(passphrase: SecretBytes(utf8: "q")) }
    }

    @Test func everyTruncationIsRefused() {
        for length in 0..<file.count { #expect(throws: WireError.self) { try read(Array(file[..<length])) } }
    }

    @Test func everyFlippedBitIsRefused() {
        for offset in file.indices {
            var damaged = file
            damaged[offset] ^= 1 << UInt8(offset % 8)
            #expect(throws: WireError.self) { try read(damaged) }
        }
    }

    @Test func whatFollowsTheEndIsRefused() {
        #expect(throws: WireError.self) { try read(file + [0]) }
        #expect(throws: WireError.self) { try read(file + file) }
    }

    @Test(arguments: [0, 2, 255] as [UInt8])
    func otherVersionsAreSaidToBeOther(version: UInt8) {
        #expect {
            try read(file(version: version, [(1, backup.keyring), (2, [])]))
        } throws: {
            code($0) == .unsupportedVersion
        }
    }

    @Test func codeOfAnotherKeyIsRefused() throws {
        let other = try Keyring.create(passphrase: SecretBytes(utf8: "p"), cost: .testOnlyFast).deviceKey
        let forged = backup.encoded(key: other.backupKey)
        #expect { try read(forged) } throws: { code($0) == .storageFailed }
    }

    @Test func sectionsThatAreMissingDoubledOrUnknownAreRefused() {
        let ring = backup.keyring
        for sections in [
            [], [(1, ring)], [(2, [])], [(1, ring), (1, ring), (2, [])], [(1, ring), (2, []), (2, [])],
            [(1, ring), (2, []), (3, []), (3, [])], [(1, ring), (2, []), (4, [])], [(0, []), (1, ring), (2, [])],
            [(1, []), (2, [])], [(1, Array(ring.dropLast())), (2, [])],
        ] as [[(UInt8, [UInt8])]] {
            #expect(throws: WireError.self) { try read(file(sections)) }
        }
    }

    @Test(arguments: [1, 0xFF, 1 << 32, UInt64(Int64.max), UInt64(Int64.max) + 1, .max])
    func sizesBeyondTheFileAreRefused(size: UInt64) {
        var bytes = Array("LATCHKEY-BACKUP\u{0}".utf8) + [1, 2]
        bytes += withUnsafeBytes(of: size.bigEndian) { Array($0) }
        bytes += deviceKey.backupKey.code(for: [bytes])
        #expect(throws: WireError.self) { try read(bytes) }
    }

    @Test(arguments: 0..<300 as Range<UInt64>)
    func randomBytesAreRefused(seed: UInt64) {
        var generator = SystemRandomNumberGenerator()
        let noise = (0..<Int(seed)).map { _ in UInt8.random(in: 0...255, using: &generator) }
        #expect(throws: WireError.self) { try read(noise) }
        #expect(throws: WireError.self) { try read(Array(file[..<17]) + noise) }
    }

    @Test(arguments: ["/nonexistent", "/dev/zero", "/", "", "/proc/self/mem"])
    func whatIsNoFileIsNotRead(path: String) {
        #expect(Backup.contents(of: path) == nil)
    }

    @Test func linkToABackupIsRead() throws {
        let folder = try TemporaryFolder()
        try Data(file).write(to: URL(fileURLWithPath: folder.path + "/a"))
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/b", withDestinationPath: folder.path + "/a")
        #expect(Backup.contents(of: folder.path + "/b").map { Array($0) } == file)
    }
}

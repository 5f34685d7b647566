// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import AutoFillIPC
import AutoFillRelease
import Foundation
import Testing

@testable import AutoFillDaemon
@testable import AutoFillSecrets
@testable import DaemonTesting

@Suite struct SealedRegistryTests {
    private let folder: TemporaryFolder
    private let key = DeviceKey.random().registryKey
    private var path: String { folder.path + "/registry" }

    init() throws {
        folder = try TemporaryFolder(inMemory: true)
    }

    private func digest(_ number: Int) -> Data {
        SealedRegistry.releaseDigest(origin: "https://\(number).example", provider: .builtIn, identity: .shiny)
    }

    @Test func newRegistryKnowsTheBuiltInProvider() throws {
        let made = try SealedRegistry(creatingAt: path, key: key)
        let read = try SealedRegistry(contentsOf: path, key: key)
        #expect(read.provider(.builtIn) == made.provider(.builtIn))
        #expect(read.provider(.builtIn)?.salt.count == 32)
        #expect(read.provider(try #require(BundleIdentifier("com.example.other"))) == nil)
        #expect(read.audit == nil)
        #expect(!read.wasReleased(digest(1)))
    }

    @Test func saltsAreMadeAnew() throws {
        let first = try SealedRegistry(creatingAt: path, key: key).provider(.builtIn)
        let second = try SealedRegistry(creatingAt: path, key: key).provider(.builtIn)
        #expect(first?.salt != second?.salt)
    }

    @Test func releasesAndHeadAreKept() throws {
        var registry = try SealedRegistry(creatingAt: path, key: key)
        let head = AuditLog.Head(count: 3, digest: Data([1, 2]))
        registry.noteReleased(digest(1))
        #expect(registry.wasReleased(digest(1)))
        try registry.setAudit(head)
        let read = try SealedRegistry(contentsOf: path, key: key)
        #expect(read.wasReleased(digest(1)))
        #expect(!read.wasReleased(digest(2)))
        #expect(read.audit == head)
    }

    @Test func oldestReleasesAreForgotten() throws {
        let registry = try SealedRegistry(creatingAt: path, key: key)
        for number in 0...5_000 { registry.noteReleased(digest(number)) }
        #expect(!registry.wasReleased(digest(0)))
        #expect(registry.wasReleased(digest(1)))
        #expect(registry.wasReleased(digest(5_000)))
    }

    @Test("S27: the file tells nothing without the key")
    func fileTellsNothing() throws {
        _ = try SealedRegistry(creatingAt: path, key: key)
        #expect(!String(decoding: folder.read("registry"), as: UTF8.self).contains("org.latchkey"))
    }

    @Test func missingFileIsAnErrorAndNotANewRegistry() {
        #expect { try SealedRegistry(contentsOf: path, key: key) } throws: { code($0) == .storageFailed }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func anotherKeyDoesNotOpenIt() throws {
        _ = try SealedRegistry(creatingAt: path, key: key)
        let other = DeviceKey.random().registryKey
        #expect { try SealedRegistry(contentsOf: path, key: other) } throws: { code($0) == .storageFailed }
    }

    @Test func everyFlippedBitIsDamage() throws {
        _ = try SealedRegistry(creatingAt: path, key: key)
        let sealed = folder.read("registry")
        for offset in sealed.indices {
            for bit in 0..<8 {
                var damaged = sealed
                damaged[offset] ^= 1 << UInt8(bit)
                try Data(damaged).write(to: URL(fileURLWithPath: path))
                #expect { try SealedRegistry(contentsOf: path, key: key) } throws: { code($0) == .storageFailed }
            }
        }
    }

    @Test func everyTruncationIsDamage() throws {
        _ = try SealedRegistry(creatingAt: path, key: key)
        let sealed = folder.read("registry")
        for length in 0..<sealed.count {
            try Data(sealed[..<length]).write(to: URL(fileURLWithPath: path))
            #expect { try SealedRegistry(contentsOf: path, key: key) } throws: { code($0) == .storageFailed }
        }
    }

    @Test func newerVersionIsSaidToBeNewer() throws {
        let content = Array(#"{"version":3,"providers":[],"released":[]}"#.utf8)
        let sealed = key.seal(content, associated: Array("latchkey registry v1".utf8))
        try Data(sealed).write(to: URL(fileURLWithPath: path))
        #expect { try SealedRegistry(contentsOf: path, key: key) } throws: { code($0) == .unsupportedVersion }
    }

    @Test func registryThatCannotBeKeptKeepsTheOldFile() throws {
        var registry = try SealedRegistry(creatingAt: path, key: key)
        let sealed = folder.read("registry")
        let aside = folder.path + "-aside"
        try FileManager.default.moveItem(atPath: folder.path, toPath: aside)
        #expect(throws: (any Error).self) { try registry.setAudit(.init(count: 1, digest: Data())) }
        try FileManager.default.moveItem(atPath: aside, toPath: folder.path)
        #expect(folder.read("registry") == sealed)
    }

    @Test func releasesOfDifferentThingsHaveDifferentNames() {
        var digests: Set<Data> = []
        for (origin, user, record, service) in [
            ("https://a", "b", "c", "d"), ("https://ab", "", "c", "d"), ("https://a", "bc", "", "d"),
            ("https://a", "b", "cd", ""), ("https://a", "", "bc", "d"), ("https://a", "b", "c", "e"),
            ("https://a", "c", "b", "d"),
        ] {
            digests.insert(
                SealedRegistry.releaseDigest(
                    origin: origin, provider: .builtIn,
                    identity: .init(
                        type: .password, service: ServiceIdentifier(written: service), user: user,
                        recordIdentifier: record)))
        }
        #expect(digests.count == 7)
    }
}

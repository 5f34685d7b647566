// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import AutoFillIPC
import AutoFillRelease
import Foundation
import Synchronization
import Testing

@testable import AutoFillDaemon
@testable import AutoFillSecrets
@testable import DaemonTesting

@Suite struct RegistryCounterTests {
    /// What counts, with a hand on it: it can fail, and it can be made to forget.
    private final class Counts: Sendable {
        let log = Mutex(0)
        let keyring = Mutex(0)
        let isBroken = Mutex(false)
        /// Runs before a change is counted.
        let whenCounting = Mutex<@Sendable () -> Void>({})

        var counter: RegistryCounter {
            RegistryCounter(
                known: { _ in max(self.log.withLock { $0 }, self.keyring.withLock { $0 }) },
                commit: { count in
                    self.whenCounting.withLock({ $0 })()
                    if self.isBroken.withLock({ $0 }) { throw WireError(.storageFailed, "full") }
                    self.log.withLock { $0 = count }
                },
                settled: { count in self.keyring.withLock { $0 = max($0, count) } })
        }
    }

    private static let subject = ConsentBook.Subject(
        kind: .frame, top: "https://top.test", origin: "https://frame.test", provider: .builtIn, identity: .shiny)

    private let folder: TemporaryFolder
    private let key = DeviceKey.random().registryKey
    private let counts = Counts()
    private var path: String { folder.path + "/registry" }

    init() throws {
        folder = try TemporaryFolder(inMemory: true)
    }

    private func file(_ name: String = "registry") throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + name))
    }

    private func put(_ bytes: Data, _ name: String = "registry") throws {
        try bytes.write(to: URL(fileURLWithPath: folder.path + "/" + name))
    }

    private func open() throws -> SealedRegistry {
        try SealedRegistry(contentsOf: path, key: key, counter: counts.counter)
    }

    /// A registry with one change, and the files of before.
    private func changed() throws -> (registry: SealedRegistry, before: Data) {
        var registry = try SealedRegistry(creatingAt: path, key: key, counter: counts.counter)
        let before = try file()
        try registry.setNever(["one.test"])
        return (registry, before)
    }

    @Test("S50: an older copy says how much it lacks, until it is answered, and the count stays")
    func namesAnOlderCopy() throws {
        let first: Data
        var registry: SealedRegistry
        (registry, first) = try changed()
        let second = try file()
        try registry.setNever([])
        let newest = try file()
        for (older, changes) in [(first, 2), (second, 1)] {
            try put(older)
            var opened = try open()
            #expect(opened.older == .init(changes: changes, known: 2))
            #expect(counts.keyring.withLock { $0 } == 2)
            // The line in the log is noted, and nothing of that makes it the newest.
            try opened.noteOlder(since: 9)
            #expect(try open().older == .init(changes: changes, since: 9, known: 2, isLogged: true))
            // The newest copy can still be put back.
            try put(newest)
            #expect(try open().older == nil)
        }
        try put(first)
        var answered = try open()
        try answered.keepOlder()
        #expect(answered.count == 3)
        #expect(try open().older == nil)
        // What was the newest one before is an older one now.
        try put(newest)
        #expect(try open().older == .init(changes: 1, known: 3))
    }

    @Test("S50: a change to an older copy does not make it pass for a newer one")
    func aChangeDoesNotHideAnOlderCopy() throws {
        let (_, before) = try changed()
        try put(before)
        var opened = try open()
        try opened.setNever(["other.test"])
        #expect(try open().older == .init(changes: 1, known: 1))
        #expect(try open().count == 2)
    }

    @Test("S50: what an older copy says the user agreed to does not count before the answer")
    func olderAgreementsWait() throws {
        var registry = try SealedRegistry(creatingAt: path, key: key, counter: counts.counter)
        registry.noteReleased(Data([1]))
        registry.note(Self.subject, at: 1)
        try registry.setNever(["one.test"])
        let before = try file()
        _ = try registry.forgetConsents { _ in true }
        try put(before)
        var opened = try open()
        #expect(opened.older != nil)
        #expect(!opened.wasReleased(Data([1])) && !opened.holds(Self.subject))
        try opened.keepOlder()
        #expect(opened.wasReleased(Data([1])) && opened.holds(Self.subject))
    }

    @Test("S50: taking all back leaves no agreement, and keeps what the user has refused")
    func takesAllBack() throws {
        var registry = try SealedRegistry(creatingAt: path, key: key, counter: counts.counter)
        let other = try #require(BundleIdentifier("com.example.other"))
        try registry.setProvider(other) { ($0.isEnabled, $0.isToldPaths) = (true, true) }
        registry.noteReleased(Data([1]))
        registry.note(Self.subject, at: 1)
        try registry.setNever(["one.test"])
        try registry.takeAllBack()
        let opened = try open()
        #expect(!opened.wasReleased(Data([1])) && !opened.holds(Self.subject))
        #expect(opened.isEnabled(.builtIn) && !opened.isEnabled(other))
        #expect(opened.provider(other)?.isToldPaths == false)
        #expect(opened.provider(other)?.salt == registry.provider(other)?.salt)
        #expect(opened.neverSites == ["one.test"])
    }

    @Test("S50: one of the two counts is enough", arguments: [true, false])
    func knowsByEitherCount(logForgets: Bool) throws {
        let (_, before) = try changed()
        try put(before)
        if logForgets { counts.log.withLock { $0 = 0 } } else { counts.keyring.withLock { $0 = 0 } }
        #expect(try open().older?.changes == 1)
    }

    @Test("S50: what is kept by the way does not count, and does not open an older copy")
    func headsDoNotCount() throws {
        var registry = try changed().registry
        let before = try file()
        registry.noteReleased(Data([1]))
        try registry.setAudit(.init(count: 3, digest: Data([1])))
        #expect(registry.count == 1)
        try put(before)
        #expect(try open().count == 1)
    }

    @Test func aCrashBeforeTheCountLeavesTheOldState() throws {
        let (_, before) = try changed()
        let newer = try file()
        // Written beside it, and not counted.
        counts.log.withLock { $0 = 0 }
        counts.keyring.withLock { $0 = 0 }
        try put(before)
        try put(newer, "registry.next")
        #expect(try open().neverSites == [])
        #expect(throws: (any Error).self) { try file("registry.next") }
    }

    @Test func aCrashBehindTheCountIsRepaired() throws {
        let (_, before) = try changed()
        try put(try file(), "registry.next")
        try put(before)
        counts.keyring.withLock { $0 = 0 }
        let opened = try open()
        #expect(opened.neverSites == ["one.test"])
        #expect(opened.count == 1)
        #expect(counts.keyring.withLock { $0 } == 1)
        #expect(throws: (any Error).self) { try file("registry.next") }
        #expect(try open().neverSites == ["one.test"])
    }

    @Test("S50: a change that waits is put in place only if it is the one that was counted")
    func anOldChangeThatWaitsIsNoRepair() throws {
        let first: Data
        var registry: SealedRegistry
        (registry, first) = try changed()
        let second = try file()
        try registry.setNever(["two.test"])
        try put(first)
        for waiting in [first, second, Data("nonsense".utf8)] {
            try put(waiting, "registry.next")
            #expect(try open().older?.changes == 2)
        }
    }

    @Test func aChangeThatCannotBeCountedHasNotHappened() throws {
        var registry = try changed().registry
        let before = try file()
        counts.isBroken.withLock { $0 = true }
        #expect { try registry.setNever([]) } throws: { code($0) == .storageFailed }
        #expect(registry.neverSites == ["one.test"])
        #expect(try file() == before)
        #expect(throws: (any Error).self) { try file("registry.next") }
        #expect(try open().neverSites == ["one.test"])
        counts.isBroken.withLock { $0 = false }
        try registry.setNever([])
        #expect(try open().neverSites == [])
    }

    @Test func nobodyWaitsForAChangeThatIsWrittenElsewhereOrSeesItBefore() async throws {
        let registry = try SealedRegistry(creatingAt: path, key: key, counter: counts.counter)
        let (counting, isCounting) = AsyncStream.makeStream(of: Void.self)
        let disk = DispatchSemaphore(value: 0)
        counts.whenCounting.withLock {
            $0 = {
                isCounting.yield()
                disk.wait()
            }
        }
        async let change: Void = registry.turn.takeElsewhere(or: Broker.lockedMeanwhile) {
            var registry = registry
            try registry.setNever(["one.test"])
        }
        for await _ in counting { break }
        #expect(registry.neverSites == [] && registry.count == 0)
        registry.noteReleased(Data([1]))
        #expect(registry.wasReleased(Data([1])))
        disk.signal()
        try await change
        #expect(registry.neverSites == ["one.test"] && registry.count == 1)
        #expect(counts.keyring.withLock { $0 } == 1)
        var same = registry
        try same.setAudit(nil)
        let opened = try open()
        #expect(opened.neverSites == ["one.test"] && opened.wasReleased(Data([1])))
    }

    @Test func aLockRefusesTheChangesThatStillWait() async throws {
        let registry = try SealedRegistry(creatingAt: path, key: key, counter: counts.counter)
        let before = try file()
        registry.turn.end()
        await #expect(throws: WireError.self) {
            try await registry.turn.takeElsewhere(or: Broker.lockedMeanwhile) {
                var registry = registry
                try registry.setNever(["one.test"])
            }
        }
        #expect(try file() == before)
    }

    @Test func aLogThatWasLostDoesNotMatter() throws {
        _ = try changed()
        counts.log.withLock { $0 = 0 }
        #expect(try open().count == 1)
    }

    @Test func aRegistryOfABackupIsNewerThanAllBefore() throws {
        let before: Data
        var registry: SealedRegistry
        (registry, before) = try changed()
        try registry.setNever(["two.test"])
        let restored = try SealedRegistry.restored(Array(before), key: key, above: 2, at: 17)
        try put(Data(restored))
        var opened = try open()
        #expect(opened.count == 3)
        #expect(opened.restored == 17)
        #expect(opened.neverSites == [])
        #expect(opened.audit == nil)
        try opened.forgetRestored()
        #expect(try open().restored == nil)
    }
}

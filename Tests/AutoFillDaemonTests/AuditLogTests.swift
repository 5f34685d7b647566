// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import Foundation
import Testing

@testable import AutoFillDaemon

@Suite struct AuditLogTests {
    private let folder: TemporaryFolder
    private let seed = SecretBytes.random(count: 32)

    init() throws {
        folder = try TemporaryFolder(inMemory: true)
    }

    private func line(_ number: Int) -> AuditLine {
        AuditLine(time: Int64(number), event: "released", requester: "line \(number)")
    }

    /// A log with so many lines, its key file up to date.
    private func log(lines: Int, limit: Int = AuditLog.limit) throws -> AuditLog {
        let log = AuditLog(folder: folder.path, limit: limit)
        try log.initialize(seed: seed)
        for number in 0..<lines { try log.append(line(number)) }
        try log.settle()
        return log
    }

    private func reopened(limit: Int = AuditLog.limit) -> AuditLog {
        AuditLog(folder: folder.path, limit: limit)
    }

    private func requesters(_ reading: AuditLog.Reading) -> [String] {
        reading.lines.map(\.requester)
    }

    @Test(arguments: [0, 1, 7])
    func whatWasAppendedIsRead(count: Int) throws {
        let log = try log(lines: count)
        for reading in [log.read(seed: seed, head: log.head), reopened().read(seed: seed, head: log.head)] {
            #expect(reading.faults == [])
            #expect(reading.lines == (0..<count).map(line))
        }
    }

    @Test func linesAddedWhileLockedAreReadLater() throws {
        _ = try log(lines: 2)
        // Opened anew there is no seed anywhere, as while locked.
        let locked = reopened()
        try locked.append(line(2))
        #expect(requesters(locked.read(seed: seed, head: nil)) == ["line 0", "line 1", "line 2"])
    }

    @Test("S27: the file tells nothing without the key")
    func fileTellsNothing() throws {
        let log = AuditLog(folder: folder.path)
        try log.initialize(seed: seed)
        try log.append(
            AuditLine(time: 1, event: "released", service: "canary.example", user: "canary", requester: "canary"))
        #expect(!String(decoding: folder.read("audit.log"), as: UTF8.self).contains("canary"))
        let reading = log.read(seed: .random(count: 32), head: nil)
        #expect(reading.lines == [])
        #expect(!reading.faults.isEmpty)
    }

    @Test func logBelongsToItsKeyOnly() throws {
        let log = try log(lines: 1)
        #expect(log.belongs(to: seed))
        #expect(!log.belongs(to: .random(count: 32)))
    }

    @Test func withoutAKeyFileNothingIsWritten() {
        #expect { try reopened().append(line(0)) } throws: { code($0) == .storageFailed }
        #expect(reopened().read(seed: seed, head: nil).faults == [])
        #expect(reopened().head == nil)
    }

    @Test func headNamesTheLastLine() throws {
        let log = try log(lines: 2)
        let head = try #require(log.head)
        #expect(head.count == 2)
        try log.append(line(2))
        #expect(log.head != head)
        #expect(log.read(seed: seed, head: head).faults == [])
    }

    @Test func newLogKeepsTheOldOneAside() throws {
        let log = try log(lines: 2)
        let old = folder.read("audit.log")
        try log.initialize(seed: .random(count: 32))
        #expect(folder.read("audit.log.replaced") == old)
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/audit.log"))
    }

    // MARK: Crashes

    @Test func crashBeforeTheKeyFileIsWrittenLosesNothing() throws {
        let log = try log(lines: 2)
        try log.append(line(2))
        let head = log.head
        let after = reopened()
        #expect(requesters(after.read(seed: seed, head: head)) == ["line 0", "line 1", "line 2"])
        #expect(after.read(seed: seed, head: head).faults == [])
        #expect(after.head == head)
        try after.append(line(3))
        #expect(reopened().read(seed: seed, head: nil).faults == [])
    }

    @Test func everyCrashInsideALineLosesThatLineOnly() throws {
        _ = try log(lines: 1)
        let before = folder.read("audit.log")
        let key = folder.read("audit.key")
        try reopened().append(line(1))
        let whole = folder.read("audit.log")
        for end in before.count..<whole.count {
            try Data(whole[..<end]).write(to: URL(fileURLWithPath: folder.path + "/audit.log"))
            try Data(key).write(to: URL(fileURLWithPath: folder.path + "/audit.key"))
            let after = reopened()
            #expect(after.read(seed: seed, head: nil).faults == [])
            #expect(after.read(seed: seed, head: nil).lines == [line(0)])
            try after.append(line(9))
            #expect(requesters(after.read(seed: seed, head: nil)) == ["line 0", "line 9"])
        }
    }

    @Test func nothingIsWrittenBehindHalfALine() throws {
        let log = try log(lines: 1)
        let handle = try #require(FileHandle(forWritingAtPath: folder.path + "/audit.log"))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("half".utf8))
        #expect { try log.append(line(1)) } throws: { code($0) == .storageFailed }
        let after = reopened()
        try after.append(line(2))
        #expect(requesters(after.read(seed: seed, head: nil)) == ["line 0", "line 2"])
        #expect(after.read(seed: seed, head: nil).faults == [])
    }

    @Test func fullDiskRefusesAndLosesNothing() throws {
        let log = try log(lines: 1)
        let kept = folder.read("audit.log")
        try FileManager.default.removeItem(atPath: folder.path + "/audit.log")
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/audit.log", withDestinationPath: "/dev/full")
        #expect { try log.append(line(1)) } throws: { code($0) == .storageFailed }
        try FileManager.default.removeItem(atPath: folder.path + "/audit.log")
        try Data(kept).write(to: URL(fileURLWithPath: folder.path + "/audit.log"))
        try log.append(line(2))
        #expect(requesters(log.read(seed: seed, head: nil)) == ["line 0", "line 2"])
        #expect(log.read(seed: seed, head: nil).faults == [])
    }

    // MARK: Shortening

    @Test func olderHalfGoesBeyondTwiceTheLimit() throws {
        let log = try log(lines: 8, limit: 4)
        #expect(log.read(seed: seed, head: nil).lines.count == 8)
        let head = log.head
        try log.append(line(8))
        try log.settle()
        for log in [log, reopened(limit: 4)] {
            let reading = log.read(seed: seed, head: head)
            #expect(reading.faults == [])
            #expect(requesters(reading) == ["line 5", "line 6", "line 7", "line 8"])
        }
        try log.append(line(9))
        #expect(log.read(seed: seed, head: log.head).faults == [])
    }

    @Test func headFromBeforeTheFirstKeptLineIsNoFault() throws {
        let log = try log(lines: 3, limit: 4)
        let head = log.head
        for number in 3..<20 {
            try log.append(line(number))
            try log.settle()
        }
        #expect(log.read(seed: seed, head: head).faults == [])
    }

    @Test(arguments: [true, false])
    func crashWhileItIsShortenedLosesNothing(isShortened: Bool) throws {
        let log = try log(lines: 8, limit: 4)
        try log.append(line(8))
        let long = folder.read("audit.log")
        try log.settle()
        let short = folder.read("audit.log")
        try change { key in
            key["firstIndex"] = 0
            key["shorteningTo"] = 5
        }
        try Data(isShortened ? short : long).write(to: URL(fileURLWithPath: folder.path + "/audit.log"))
        let after = reopened(limit: 4)
        #expect(after.read(seed: seed, head: log.head).faults == [])
        #expect(after.read(seed: seed, head: log.head).lines.count == (isShortened ? 4 : 9))
        try after.append(line(9))
        try after.settle()
        #expect(reopened(limit: 4).read(seed: seed, head: log.head).faults == [])
        #expect(requesters(reopened(limit: 4).read(seed: seed, head: nil)).last == "line 9")
    }

    // MARK: Others' hands

    @Test(
        "S26: a line that is missing, moved or added is noticed",
        arguments: [
            "first", "middle", "last", "all", "swapped", "doubled", "emptied", "forged", "cut",
        ])
    func changedLinesAreNoticed(change: String) throws {
        let log = try log(lines: 5)
        var lines = folder.read("audit.log").split(separator: 0x0A).map { Array($0) }
        switch change {
        case "first": lines.removeFirst()
        case "middle": lines.remove(at: 2)
        case "last": lines.removeLast()
        case "all": lines = []
        case "swapped": lines.swapAt(1, 2)
        case "doubled": lines.insert(lines[2], at: 2)
        case "emptied": lines[2] = []
        case "forged": lines.append(lines[4])
        default: lines[2].removeLast()
        }
        let file = Data(lines.flatMap { $0 + [0x0A] })
        try file.write(to: URL(fileURLWithPath: folder.path + "/audit.log"))
        #expect(!log.read(seed: seed, head: nil).faults.isEmpty)
        #expect(!reopened().read(seed: seed, head: log.head).faults.isEmpty)
    }

    @Test("S26: a log that was shortened together with its key file is noticed by the head")
    func rolledBackLogIsNoticed() throws {
        let log = try log(lines: 2)
        let (file, key) = (folder.read("audit.log"), folder.read("audit.key"))
        try log.append(line(2))
        try log.settle()
        try Data(file).write(to: URL(fileURLWithPath: folder.path + "/audit.log"))
        try Data(key).write(to: URL(fileURLWithPath: folder.path + "/audit.key"))
        #expect(!reopened().read(seed: seed, head: log.head).faults.isEmpty)
    }

    @Test("S26: a log that was emptied together with its key file is noticed")
    func emptiedLogIsNoticed() throws {
        let log = try log(lines: 5)
        try Data().write(to: URL(fileURLWithPath: folder.path + "/audit.log"))
        try change { $0["firstIndex"] = 5 }
        #expect(!reopened().read(seed: seed, head: log.head).faults.isEmpty)
    }

    @Test("S26: a beginning that was taken out together with the key file's first index is noticed")
    func beheadedLogIsNoticed() throws {
        let log = try log(lines: 5)
        let lines = folder.read("audit.log").split(separator: 0x0A).suffix(3)
        try Data(lines.flatMap { Array($0) + [0x0A] }).write(to: URL(fileURLWithPath: folder.path + "/audit.log"))
        try change { $0["firstIndex"] = 2 }
        #expect(!reopened().read(seed: seed, head: log.head).faults.isEmpty)
    }

    @Test("S26: another key in the key file is noticed before lines are added under it")
    func otherKeyIsNoticed() throws {
        let log = try log(lines: 2)
        try change { $0["nextKey"] = Data(repeating: 7, count: 32).base64EncodedString() }
        #expect(!reopened().read(seed: seed, head: log.head).faults.isEmpty)
    }

    @Test("S26: a missing key file is noticed")
    func missingKeyFileIsNoticed() throws {
        let log = try log(lines: 2)
        try FileManager.default.removeItem(atPath: folder.path + "/audit.key")
        #expect(!reopened().read(seed: seed, head: log.head).faults.isEmpty)
        #expect(!reopened().belongs(to: seed))
    }

    @Test func everyFlippedBitOfTheLogIsNoticedOrChangesNothing() throws {
        let log = try log(lines: 2)
        let file = folder.read("audit.log")
        for offset in file.indices {
            var damaged = file
            damaged[offset] ^= 1 << UInt8(offset % 8)
            try Data(damaged).write(to: URL(fileURLWithPath: folder.path + "/audit.log"))
            let reading = log.read(seed: seed, head: log.head)
            #expect(!reading.faults.isEmpty || reading.lines == [line(0), line(1)])
        }
    }

    @Test func everyFlippedBitOfTheKeyFileIsNoTrap() throws {
        _ = try log(lines: 2)
        let (file, key) = (folder.read("audit.log"), folder.read("audit.key"))
        for offset in key.indices {
            var damaged = key
            damaged[offset] ^= 1 << UInt8(offset % 8)
            try Data(damaged).write(to: URL(fileURLWithPath: folder.path + "/audit.key"))
            try Data(file).write(to: URL(fileURLWithPath: folder.path + "/audit.log"))
            let log = reopened()
            try? log.append(line(2))
            _ = log.read(seed: seed, head: nil)
            try? log.settle()
        }
    }

    @Test(
        "S25: absurd numbers in the key file are no trap",
        arguments: [
            ("nextIndex", Int.max), ("nextIndex", -1), ("nextIndex", .min), ("firstIndex", -1), ("firstIndex", .min),
            ("firstIndex", .max), ("firstIndex", 3), ("shorteningTo", -1), ("shorteningTo", .max), ("shorteningTo", 3),
            ("nextIndex", 1 << 40),
        ])
    func absurdNumbersAreNoTrap(member: String, number: Int) throws {
        let log = try log(lines: 2)
        try change { $0[member] = number }
        let after = reopened()
        #expect(!after.read(seed: seed, head: log.head).faults.isEmpty)
        #expect(throws: WireError.self) { try after.append(line(2)) }
        try after.settle()
    }

    /// Rewrites members of the key file.
    private func change(_ body: (inout [String: Any]) -> Void) throws {
        let url = URL(fileURLWithPath: folder.path + "/audit.key")
        var members = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any])
        body(&members)
        try JSONSerialization.data(withJSONObject: members).write(to: url)
    }
}

// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillRelease
import AutoFillSecrets
import Foundation
import ShownText
import Testing

@testable import AutoFillDaemon
@testable import DaemonTesting

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
        _ = try log.open(seed: seed, head: nil, isNew: true)
        for number in 0..<lines { try log.append(line(number)) }
        try log.settle { _ in }
        return log
    }

    /// As after a start of the daemon and an unlock.
    private func reopened(head: AuditLog.Head? = nil, limit: Int = AuditLog.limit) throws -> (AuditLog, [AuditFinding])
    {
        let log = AuditLog(folder: folder.path, limit: limit)
        return (log, try log.open(seed: seed, head: head))
    }

    private func read(_ log: AuditLog) -> [AuditLine] {
        log.lines(seed: seed, from: 1, limit: .max).lines
    }

    private func requesters(_ log: AuditLog) -> [String] {
        read(log).map(\.requester)
    }

    private static let year: Int64 = 365 * 86_400

    @Test(arguments: [
        (10 * year, "by the clock, 3650 days have passed since the line before"),
        (-year, "the clock was put back by 8760 h since the line before"),
    ])
    func aJumpOfTheClockHasALine(seconds: Int64, reason: String) throws {
        let start = 20 * Self.year
        func line(_ time: Int64) -> AuditLine { AuditLine(time: time, event: "released", requester: "x") }
        let log = AuditLog(folder: folder.path)
        _ = try log.open(seed: seed, head: nil, isNew: true)
        for time in [start, start + 86_400, start + 86_400 - 3_600] { try log.append(line(time)) }
        #expect(read(log).map(\.event) == ["released", "released", "released"])
        try log.append(line(start + 82_800 + seconds))
        try log.append(line(start + 82_800 + seconds))
        #expect(read(log).map(\.event).suffix(3) == ["clock", "released", "released"])
        #expect(read(log)[3].reason == reason)
        // At an unlock of another process, without another line.
        try log.settle { _ in }
        let (again, findings) = try reopened(head: log.head)
        #expect(findings == [])
        #expect(try again.noteClock(at: start + 82_800 + seconds) == nil)
        #expect(try again.noteClock(at: start + 82_800 + 2 * seconds) == reason)
        #expect(try again.noteClock(at: start + 82_800 + 2 * seconds) == nil)
        #expect(read(again).map(\.event).last == "clock")
    }

    @Test(arguments: [0, 1, 7])
    func whatWasAppendedIsRead(count: Int) throws {
        let log = try log(lines: count)
        let (again, findings) = try reopened(head: log.head)
        #expect(findings == [])
        for log in [log, again] {
            #expect(log.findings(seed: seed, head: log.head) == [])
            #expect(requesters(log) == (0..<count).map { "line \($0)" })
            #expect(read(log).map(\.number) == (0..<count).map { $0 + 1 })
        }
    }

    @Test func pagesGoOnWhereTheyStopped() throws {
        let log = try log(lines: 5)
        let first = log.lines(seed: seed, from: 1, limit: 2) { $0.time != 1 }
        #expect(first.lines.map(\.number) == [1, 3] && first.next == 4 && first.end == 6)
        let second = log.lines(seed: seed, from: first.next, limit: 2)
        #expect(second.lines.map(\.number) == [4, 5] && second.next == 6)
        #expect(log.lines(seed: seed, from: .max, limit: 2).lines == [])
        #expect(log.lines(seed: seed, from: .min, limit: 9).lines.count == 5)
    }

    @Test("S26: a change of the file between two pages is noticed")
    func changeBetweenPagesIsNoticed() throws {
        let log = try log(lines: 3)
        // Remembered once the file is old enough for the time of its last change to tell.
        repeat { _ = log.lines(seed: seed, from: 1, limit: 1) } while !log.remembersPages
        #expect(log.findings(seed: seed, head: log.head) == [] && read(log).count == 3)
        let path = folder.path + "/audit.log"
        let handle = try #require(FileHandle(forUpdatingAtPath: path))
        try handle.seek(toOffset: 4)
        let byte = try #require(try handle.read(upToCount: 1))
        try handle.seek(toOffset: 4)
        try handle.write(contentsOf: byte == Data("A".utf8) ? Data("B".utf8) : Data("A".utf8))
        try handle.close()
        #expect(log.findings(seed: seed, head: log.head).map(\.kind) == ["rewritten"])
        #expect(log.lines(seed: seed, from: 1, limit: 1).lines.map(\.number) == [2])
    }

    @Test func anAddedLineIsOnTheNextPage() throws {
        let log = try log(lines: 2)
        repeat { _ = log.lines(seed: seed, from: 1, limit: 1) } while !log.remembersPages
        try log.append(line(2))
        #expect(read(log).map(\.number) == [1, 2, 3] && log.findings(seed: seed, head: nil).isEmpty)
        log.forgetPages()
        #expect(!log.remembersPages)
    }

    @Test func linesAddedWhileLockedAreReadLater() throws {
        let log = try log(lines: 2)
        let head = log.head
        // The keys have gone; the log goes on, and whoever starts anew from the files believes it.
        try log.append(line(2))
        let (again, findings) = try reopened(head: head)
        #expect(findings == [])
        #expect(requesters(again) == ["line 0", "line 1", "line 2"])
    }

    @Test("S26: a log that was never opened writes nothing, since it has no key")
    func withoutAKeyNothingIsWritten() throws {
        _ = try log(lines: 1)
        let closed = AuditLog(folder: folder.path)
        #expect { try closed.append(line(0)) } throws: { code($0) == .storageFailed }
        #expect(closed.head == nil)
        #expect(closed.findings(seed: seed, head: nil) == [])
    }

    @Test("S26: the key file holds nothing that lines could be made with")
    func keyFileHoldsNoKey() throws {
        _ = try log(lines: 2)
        let members = try #require(
            try JSONSerialization.jsonObject(with: Data(folder.read("audit.key"))) as? [String: Any])
        #expect(Set(members.keys) == ["firstIndex", "nextIndex", "publicKey"])
    }

    @Test("S27: the file tells nothing without the key")
    func fileTellsNothing() throws {
        let log = try log(lines: 0)
        try log.append(
            AuditLine(time: 1, event: "released", service: "canary.example", user: "canary", requester: "canary"))
        #expect(!String(decoding: folder.read("audit.log"), as: UTF8.self).contains("canary"))
        #expect(log.lines(seed: .random(count: 32), from: 1, limit: .max).lines == [])
    }

    @Test func headNamesTheLastLine() throws {
        let log = try log(lines: 2)
        let head = try #require(log.head)
        #expect(head.count == 2)
        try log.append(line(2))
        #expect(log.head != head)
        #expect(log.findings(seed: seed, head: head) == [])
    }

    @Test func newLogKeepsTheOldOneAside() throws {
        let log = try log(lines: 2)
        let old = folder.read("audit.log")
        _ = try log.open(seed: .random(count: 32), head: nil, isNew: true)
        #expect(folder.read("audit.log.replaced-1") == old)
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/audit.log"))
    }

    // MARK: Crashes

    @Test(arguments: [1, 5]) func crashBeforeItIsSettledLosesNothing(count: Int) throws {
        let log = try log(lines: 2)
        let head = log.head
        for number in 2..<2 + count { try log.append(line(number)) }
        let (after, findings) = try reopened(head: head)
        #expect(findings == [])
        #expect(read(after).count == 2 + count)
        #expect(after.head == log.head)
        try after.append(line(9))
        // What the registry knows is never ahead of the key file.
        try after.settle { _ in }
        #expect(try reopened(head: after.head).1 == [])
    }

    @Test func everyCrashInsideALineLosesThatLineOnly() throws {
        let log = try log(lines: 1)
        let head = log.head
        let before = folder.read("audit.log")
        let key = folder.read("audit.key")
        try log.append(line(1))
        let whole = folder.read("audit.log")
        for end in before.count..<whole.count {
            try Data(whole[..<end]).write(to: URL(fileURLWithPath: folder.path + "/audit.log"))
            try Data(key).write(to: URL(fileURLWithPath: folder.path + "/audit.key"))
            let (after, findings) = try reopened(head: head)
            #expect(findings == [])
            #expect(requesters(after) == ["line 0"])
            try after.append(line(9))
            #expect(requesters(after) == ["line 0", "line 9"])
        }
    }

    @Test func nothingIsWrittenBehindHalfALine() throws {
        let log = try log(lines: 1)
        let handle = try #require(FileHandle(forWritingAtPath: folder.path + "/audit.log"))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("half".utf8))
        #expect { try log.append(line(1)) } throws: { code($0) == .storageFailed }
        let (after, findings) = try reopened(head: log.head)
        #expect(findings == [])
        try after.append(line(2))
        #expect(requesters(after) == ["line 0", "line 2"])
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
        #expect(requesters(log) == ["line 0", "line 2"])
        #expect(log.findings(seed: seed, head: log.head) == [])
    }

    // MARK: A key file that says too little

    @Test(
        "S26: a line is read back though the key file was damaged, or set back, and the registry knows nothing",
        arguments: [
            #"{"firstIndex":0,"nextIndex":0,"publicKey":"#, #"{"firstIndex":3,"nextIndex":5,"publicKey":"#, "{",
        ])
    func keyFileThatSaysTooLittle(text: String) throws {
        let log = try log(lines: 9, limit: 4)
        let before = requesters(log)
        #expect(before.count == 4)
        let key = try AuditKeys(seed: seed).publicKey
        let path = folder.path + "/audit.key"
        try Data((text == "{" ? text : text + "\"\(key.base64EncodedString())\"}").utf8)
            .write(to: URL(fileURLWithPath: path))
        let (again, _) = try reopened(limit: 4)
        try again.append(line(99))
        #expect(requesters(again) == before + ["line 99"])
        try again.settle { _ in }
        #expect(try requesters(reopened(head: again.head, limit: 4).0).last == "line 99")
    }

    // MARK: Shortening

    @Test func olderHalfGoesBeyondTwiceTheLimit() throws {
        let log = try log(lines: 8, limit: 4)
        #expect(read(log).count == 8)
        try log.append(line(8))
        try log.settle { _ in }
        let (again, findings) = try reopened(head: log.head, limit: 4)
        #expect(findings == [])
        for log in [log, again] {
            #expect(log.findings(seed: seed, head: log.head) == [])
            #expect(requesters(log) == ["line 5", "line 6", "line 7", "line 8"])
            #expect(read(log).map(\.number) == [6, 7, 8, 9])
        }
        try log.append(line(9))
        try log.settle { _ in }
        #expect(try reopened(head: log.head, limit: 4).1 == [])
    }

    @Test func crashWhileItIsShortenedLosesNothing() throws {
        let log = try log(lines: 8, limit: 4)
        try log.append(line(8))
        let long = folder.read("audit.log")
        try log.settle { _ in }
        // The registry knows the new beginning, the file still has the old one.
        try Data(long).write(to: URL(fileURLWithPath: folder.path + "/audit.log"))
        let (after, findings) = try reopened(head: log.head, limit: 4)
        #expect(findings == [])
        try after.append(line(9))
        try after.settle { _ in }
        #expect(try reopened(head: after.head, limit: 4).1 == [])
        #expect(requesters(after).last == "line 9")
    }

    @Test func nothingIsTakenOutBeforeTheRegistryKnows() throws {
        let log = try log(lines: 8, limit: 4)
        try log.append(line(8))
        #expect(throws: CancellationError.self) { try log.settle { _ in throw CancellationError() } }
        #expect(read(log).count == 9)
        #expect(try reopened(head: nil, limit: 4).1 == [])
    }

    // MARK: Others' hands

    @Test(
        "S26: what was done to which line is told",
        arguments: [
            ("first", "deleted", 1, 1), ("middle", "deleted", 3, 3), ("last", "deleted", 5, 5),
            ("all", "deleted", 1, 5),
            ("swapped", "exchanged", 2, 3), ("apart", "exchanged", 1, 5), ("doubled", "repeated", 3, 3),
            ("emptied", "rewritten", 3, 3), ("forged", "repeated", 5, 5), ("cut", "rewritten", 3, 3),
            ("turned", "reordered", 1, 5), ("stranger", "added", 2, 2), ("two", "rewritten", 2, 3),
        ] as [(String, String, Int, Int)])
    func changedLinesAreTold(change: String, kind: String, first: Int, last: Int) throws {
        let log = try log(lines: 5)
        var lines = folder.read("audit.log").split(separator: 0x0A).map { Array($0) }
        switch change {
        case "first": lines.removeFirst()
        case "middle": lines.remove(at: 2)
        case "last": lines.removeLast()
        case "all": lines = []
        case "swapped": lines.swapAt(1, 2)
        case "apart": lines.swapAt(0, 4)
        case "doubled": lines.insert(lines[2], at: 2)
        case "emptied": lines[2] = []
        case "forged": lines.append(lines[4])
        case "turned": lines.reverse()
        case "stranger": lines.insert(Array("AAAA AAAA".utf8), at: 2)
        case "two": for index in 1...2 { lines[index][0] ^= 1 }
        default: lines[2].removeLast()
        }
        let file = Data(lines.flatMap { $0 + [0x0A] })
        try file.write(to: URL(fileURLWithPath: folder.path + "/audit.log"))
        // What the process finds, and what one that has only the files finds.
        let findings = [log.findings(seed: seed, head: log.head), try reopened(head: log.head).1]
        for found in findings {
            #expect(
                found.map { [$0.kind, String($0.first ?? 0), String($0.last ?? 0)] } == [[kind, "\(first)", "\(last)"]])
        }
    }

    @Test("S26: a log that was shortened together with its key file is noticed by the head")
    func rolledBackLogIsNoticed() throws {
        let log = try log(lines: 2)
        let (file, key) = (folder.read("audit.log"), folder.read("audit.key"))
        try log.append(line(2))
        try log.settle { _ in }
        try Data(file).write(to: URL(fileURLWithPath: folder.path + "/audit.log"))
        try Data(key).write(to: URL(fileURLWithPath: folder.path + "/audit.key"))
        #expect(try reopened(head: log.head).1.map(\.kind) == ["key-file", "deleted"])
    }

    @Test("S26: a log that was emptied together with its key file is noticed, and goes on")
    func emptiedLogIsNoticed() throws {
        let log = try log(lines: 5)
        try Data().write(to: URL(fileURLWithPath: folder.path + "/audit.log"))
        try change { $0["firstIndex"] = 5 }
        let (after, findings) = try reopened(head: log.head)
        #expect(findings.map(\.kind) == ["deleted"])
        try after.append(line(5))
        #expect(read(after).map(\.number) == [6])
        #expect(after.findings(seed: seed, head: after.head) == [])
    }

    @Test("S26: a beginning that was taken out together with the key file's first index is noticed")
    func beheadedLogIsNoticed() throws {
        let log = try log(lines: 5)
        let lines = folder.read("audit.log").split(separator: 0x0A).suffix(3)
        try Data(lines.flatMap { Array($0) + [0x0A] }).write(to: URL(fileURLWithPath: folder.path + "/audit.log"))
        try change { $0["firstIndex"] = 2 }
        #expect(try reopened(head: log.head).1.contains { $0.kind == "deleted" && $0.first == 1 && $0.last == 2 })
    }

    @Test("S26: a missing key file is noticed")
    func missingKeyFileIsNoticed() throws {
        let log = try log(lines: 2)
        try FileManager.default.removeItem(atPath: folder.path + "/audit.key")
        #expect(log.findings(seed: seed, head: log.head).map(\.kind) == ["key-file"])
        #expect(try reopened(head: log.head).1.map(\.kind) == ["key-file"])
    }

    @Test("S26: a log under another key is set aside, and said to be another's")
    func logOfAnotherKeyIsSetAside() throws {
        let log = try log(lines: 2)
        let other = AuditLog(folder: folder.path)
        let findings = try other.open(seed: .random(count: 32), head: log.head)
        #expect(findings.map(\.kind) == ["replaced", "deleted"])
        #expect(FileManager.default.fileExists(atPath: folder.path + "/audit.log.replaced-1"))
    }

    @Test("S26: a key file that names another key does not make the log another one's")
    func changedPublicKeyKeepsTheLog() throws {
        let log = try log(lines: 2)
        let file = folder.read("audit.log")
        try change { $0["publicKey"] = Data(repeating: 7, count: 32).base64EncodedString() }
        let (after, findings) = try reopened(head: log.head)
        #expect(findings.map(\.message) == ["The file audit.key was changed."])
        #expect(folder.read("audit.log") == file && SetAside.files(in: folder.path).isEmpty)
        #expect(requesters(after) == ["line 0", "line 1"])
        #expect(after.findings(seed: seed, head: log.head) == [])
        #expect(try reopened(head: after.head).1 == [])
    }

    @Test func nothingSetAsideIsOverwritten() throws {
        var kept: [Data] = []
        for _ in 0..<3 {
            _ = try log(lines: 1)
            kept.append(Data(folder.read("audit.log")))
            _ = try AuditLog(folder: folder.path).open(seed: .random(count: 32), head: nil, isNew: true)
        }
        #expect(SetAside.files(in: folder.path).map { $0.lastPathPart } == (1...3).map { "audit.log.replaced-\($0)" })
        #expect((1...3).map { Data(folder.read("audit.log.replaced-\($0)")) } == kept)
    }

    /// A folder where `audit.key` should be keeps it from being written, as a full disk does.
    @Test func aKeyFileThatCannotBeWrittenIsWrittenLater() throws {
        let log = try log(lines: 1)
        let (path, blocked) = (folder.path + "/audit.key", folder.path + "/audit.key/full")
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: blocked, withIntermediateDirectories: true)
        let after = AuditLog(folder: folder.path)
        _ = try after.open(seed: seed, head: log.head)
        #expect(after.fault != nil)
        try after.append(line(1))
        #expect(throws: (any Error).self) { try after.settle { _ in } }
        after.retry()
        #expect(after.fault != nil, "it is still not written")
        try FileManager.default.removeItem(atPath: path)
        after.retry()
        #expect(after.fault == nil && requesters(after) == ["line 0", "line 1"])
        #expect(try reopened(head: after.head).1 == [])
    }

    @Test func everyFlippedBitOfTheLogIsNoticedOrChangesNothing() throws {
        let log = try log(lines: 2)
        let file = folder.read("audit.log")
        for offset in file.indices {
            var damaged = file
            damaged[offset] ^= 1 << UInt8(offset % 8)
            try Data(damaged).write(to: URL(fileURLWithPath: folder.path + "/audit.log"))
            #expect(!log.findings(seed: seed, head: log.head).isEmpty || requesters(log) == ["line 0", "line 1"])
        }
    }

    @Test func everyFlippedBitOfTheKeyFileIsNoTrap() throws {
        let head = try log(lines: 2).head
        let (file, key) = (folder.read("audit.log"), folder.read("audit.key"))
        for offset in key.indices {
            var damaged = key
            damaged[offset] ^= 1 << UInt8(offset % 8)
            try Data(damaged).write(to: URL(fileURLWithPath: folder.path + "/audit.key"))
            try Data(file).write(to: URL(fileURLWithPath: folder.path + "/audit.log"))
            let log = AuditLog(folder: folder.path)
            _ = try log.open(seed: seed, head: head)
            try log.append(line(2))
            try log.settle { _ in }
        }
    }

    @Test(
        "S25: absurd numbers in the key file are no trap, and are noticed",
        arguments: [
            ("nextIndex", Int.max), ("nextIndex", -1), ("nextIndex", .min), ("firstIndex", -1), ("firstIndex", .min),
            ("firstIndex", .max), ("firstIndex", 3), ("nextIndex", 1 << 40), ("nextIndex", 1 << 39),
        ])
    func absurdNumbersAreNoTrap(member: String, number: Int) throws {
        let log = try log(lines: 2)
        try change { $0[member] = number }
        let (after, findings) = try reopened(head: log.head)
        #expect(findings.map(\.kind) == ["key-file"])
        try after.append(line(2))
        try after.settle { _ in }
        #expect(requesters(after) == ["line 0", "line 1", "line 2"])
    }

    /// Rewrites members of the key file.
    private func change(_ body: (inout [String: Any]) -> Void) throws {
        let url = URL(fileURLWithPath: folder.path + "/audit.key")
        var members = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any])
        body(&members)
        try JSONSerialization.data(withJSONObject: members).write(to: url)
    }
}

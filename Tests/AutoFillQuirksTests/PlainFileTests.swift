// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing

@testable import AutoFillQuirks

@Suite final class PlainFileTests {
    private let folder = NSTemporaryDirectory() + "latchkey-source-\(UInt64.random(in: 0 ... .max))"

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    @Test func takesPlainFilesOnly() throws {
        #expect(throws: PlainFile.Refusal.missing) { try PlainFile.opened(folder + "/a") }
        #expect(throws: PlainFile.Refusal.noFile(reason: "it is not a plain file")) { try PlainFile.opened(folder) }
        #expect(mkfifo(folder + "/pipe", 0o600) == 0)
        #expect(throws: PlainFile.Refusal.noFile(reason: "it is not a plain file")) {
            try PlainFile.opened(folder + "/pipe")
        }
        try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: "/etc/passwd")
        #expect(throws: PlainFile.Refusal.noFile(reason: "it is a symbolic link")) {
            try PlainFile.opened(folder + "/link")
        }
    }

    @Test func readsWithinABound() throws {
        try Data(repeating: 7, count: 100_000).write(to: URL(fileURLWithPath: folder + "/a"))
        let file = try PlainFile.opened(folder + "/a")
        defer { close(file) }
        #expect(PlainFile.read(file, atMost: 99_999) == nil)
        lseek(file, 0, SEEK_SET)
        #expect(PlainFile.read(file, atMost: 100_000)?.count == 100_000)
    }
}

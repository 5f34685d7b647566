// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillRelease
import Foundation
import Testing

@testable import AutoFillDaemon
@testable import DaemonTesting

@Suite struct AppHintsTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder(inMemory: true)
    }

    private func decision(_ path: String, _ digest: String, isAllowed: Bool) -> AppDecision {
        AppDecision(path: path, digest: digest, isAllowed: isAllowed, identifier: "i", domains: [], date: 1)
    }

    private func program(_ path: String, _ digest: String) -> CallerProgram {
        CallerProgram(path: path, digest: digest, standing: .changeable("a test"))
    }

    @Test("S26: what the user said is known while locked, without the paths")
    func hints() throws {
        let path = folder.path + "/hints"
        var hints = AppHints(path: path)
        try hints.keep([
            decision("/home/me/yes", "d1", isAllowed: true), decision("/home/me/no", "d2", isAllowed: false),
            decision("/usr/bin/no", "", isAllowed: false),
        ])
        let read = AppHints(path: path)
        for hints in [hints, read] {
            #expect(hints.isAllowed(program("/home/me/yes", "another")))
            #expect(!hints.isAllowed(program("/home/me/no", "d2")))
            #expect(hints.isRefused(program("/home/me/no", "d2")))
            #expect(!hints.isRefused(program("/home/me/no", "d3")))
            #expect(hints.isRefused(program("/usr/bin/no", "d9")))
            #expect(!hints.isRefused(program("/home/me/other", "d2")))
        }
        let text = String(decoding: folder.read("hints"), as: UTF8.self)
        #expect(!text.contains("home") && !text.contains("d2\""))
    }

    @Test("S26: a file of nonsense hints at nothing", arguments: ["", "{}", "[1]", "\u{0}"])
    func nonsense(text: String) throws {
        let path = try folder.write(text, to: "hints")
        #expect(!AppHints(path: path).isAllowed(program("/a", "d")))
        #expect(!AppHints(path: path).isRefused(program("/a", "d")))
    }

    @Test func forgottenIsForgotten() throws {
        var hints = AppHints(path: folder.path + "/hints")
        try hints.keep([decision("/a", "d", isAllowed: true)])
        try hints.keep([])
        #expect(!hints.isAllowed(program("/a", "d")))
    }
}

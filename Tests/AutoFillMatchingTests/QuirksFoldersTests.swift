// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import AutoFillMatching

@Suite final class QuirksFoldersTests {
    private let root = FileManager.default.temporaryDirectory.appendingPathComponent("latchkey-\(UUID().uuidString)")
        .path
    private let distributed = "/usr/share/publicsuffix/public_suffix_list.dat"

    init() throws {
        for name in ["user", "system"] {
            try FileManager.default.createDirectory(atPath: "\(root)/\(name)", withIntermediateDirectories: true)
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    private func write(_ text: String, _ path: String) throws {
        try text.write(toFile: "\(root)/\(path)", atomically: true, encoding: .utf8)
    }

    private var folders: QuirksFolders { QuirksFolders(paths: ["\(root)/user", "\(root)/system", "\(root)/nowhere"]) }

    /// The distribution's list with other rules at its end.
    private func list(_ rules: String, version: String = "") throws -> String {
        let text = try String(contentsOfFile: distributed, encoding: .utf8)
        return version + text.replacingOccurrences(of: "// ===END PRIVATE", with: rules + "\n// ===END PRIVATE")
    }

    @Test func nothingIsTheDistributionsListAndNoGroups() {
        let quirks = folders.load()
        #expect(quirks.problems == [] && quirks.folder == nil && quirks.shared.count == 0)
        #expect(quirks.suffixes.version == PublicSuffixes.distribution.version)
    }

    @Test func userComesBeforeSystem() throws {
        try write(#"[{"shared": ["a.example", "b.example"]}]"#, "system/shared-credentials.json")
        #expect(folders.load().folder == root + "/system")
        try write("[]", "user/shared-credentials.json")
        let quirks = folders.load()
        #expect(quirks.folder == root + "/user" && quirks.shared.count == 0)
    }

    @Test("S19: a bad file shares nothing and says so; the next folder's counts") func badFileIsLeftOut() throws {
        try write(#"[{"shared": ["a.example", "b.example"]}]"#, "system/shared-credentials.json")
        try write(#"[{"shared": ["a.example", "com"]}]"#, "user/shared-credentials.json")
        let quirks = folders.load()
        #expect(quirks.folder == root + "/system")
        #expect(quirks.problems.count == 1 && quirks.problems[0].contains("not a domain"))
    }

    @Test func whatIsNoRegularFileIsLeftOut() throws {
        mkfifo("\(root)/user/shared-credentials.json", 0o600)
        try FileManager.default.createDirectory(
            atPath: "\(root)/user/public_suffix_list.dat", withIntermediateDirectories: true)
        let quirks = folders.load()
        #expect(quirks.problems.count == 2)
        #expect(quirks.shared.count == 0)
    }

    @Test("S10: the newest list wins") func newestListWins() throws {
        guard FileManager.default.fileExists(atPath: distributed) else { return }
        try write(list("example.com"), "user/public_suffix_list.dat")
        let quirks = folders.load()
        #expect(quirks.suffixes.source == root + "/user/public_suffix_list.dat")
        #expect(quirks.suffixes.version != PublicSuffixes.distribution.version)
        #expect(
            MatchPolicy(quirks).outcome("a.example.com", on: ["https://b.example.com"]).decision == "refused:otherHost")
        #expect(MatchPolicy(.none).outcome("a.example.com", on: ["https://b.example.com"]).decision == "sameSite")
    }

    @Test("S10: an older list does not win, wherever it lies") func olderListLoses() throws {
        guard FileManager.default.fileExists(atPath: distributed) else { return }
        try write(list("example.com", version: "// VERSION: 2019-01-01_00-00-00_UTC\n"), "user/public_suffix_list.dat")
        #expect(folders.load().suffixes.source == PublicSuffixes.distribution.source)
        try write(
            list("example.net", version: "// VERSION: 2024-02-29_23-59-59_UTC\n"), "system/public_suffix_list.dat")
        let suffixes = folders.load().suffixes
        #expect(suffixes.source == root + "/system/public_suffix_list.dat")
        #expect(suffixes.date == 1_709_251_199)
    }

    @Test(
        "S10: a list that lost its end makes nobody one site",
        arguments: ["", "com\n", "<html>", "// ===END PRIVATE DOMAINS===\ncom\n"])
    func truncatedListIsLeftOut(text: String) throws {
        try write(text, "user/public_suffix_list.dat")
        let quirks = folders.load()
        #expect(quirks.suffixes.version == PublicSuffixes.distribution.version)
        #expect(quirks.problems.count == 1)
        guard FileManager.default.fileExists(atPath: distributed) else { return }
        try write(String(list("").prefix(200_000)), "user/public_suffix_list.dat")
        #expect(folders.load().suffixes.version == PublicSuffixes.distribution.version)
    }

    @Test func namedFolderIsTakenAsItIs() throws {
        try write("com\nexample.com\n", "user/public_suffix_list.dat")
        try write(#"[{"shared": ["a.example", "b.example"]}]"#, "system/shared-credentials.json")
        let quirks = QuirksFolders(named: root + "/user").load()
        #expect(quirks.shared.count == 0)
        #expect(quirks.suffixes.registrableDomain(of: "x.a.example.com") == "a.example.com")
        #expect(quirks.suffixes.registrableDomain(of: "example.com") == nil)
    }

    @Test func environmentNamesTheUsersFolder() {
        func first(_ environment: [String: String]) -> String? { QuirksFolders(environment: environment).paths.first }
        #expect(first(["XDG_DATA_HOME": "/d", "HOME": "/h"]) == "/d/latchkey/quirks")
        #expect(first(["XDG_DATA_HOME": "relative", "HOME": "/h"]) == "/h/.local/share/latchkey/quirks")
        #expect(first([:]) == "/usr/local/share/latchkey/quirks")
        #expect(QuirksFolders(data: "/d/latchkey").paths == QuirksFolders(environment: ["XDG_DATA_HOME": "/d"]).paths)
    }
}

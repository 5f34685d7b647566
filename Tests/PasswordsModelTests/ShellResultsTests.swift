// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import PasswordsModel
import Testing

struct ShellResultsTests {
    private static func item(_ number: Int, _ site: String, _ user: String) -> Item {
        Item(id: "id\(number)", services: [site], user: user, created: 0, modified: 0)
    }

    @Test(
        arguments: [
            (["shiny"], ["id1"]), (["example"], ["id2", "id1"]), (["exam", "rmon"], ["id1"]),
            (["EXAMPLE", "other"], ["id2"]),
            (["nowhere"], []), (["s"], []), ([" ", "s"], []), ([], []), ([""], []), (["s", "h"], ["id2", "id1"]),
        ] as [([String], [String])])
    func wordsFind(words: [String], ids: [String]) {
        var results = ShellResults([
            Self.item(1, "shiny.example.com", "rmondello"), Self.item(2, "other.example.com", "second"),
        ])
        #expect(results.ids(for: words) == ids)
    }

    @Test func tagsFindNothing() {
        var item = Self.item(1, "shiny.example.com", "rmondello")
        item.tags = ["Divorce"]
        var results = ShellResults([item])
        #expect(results.ids(for: ["divorce"]).isEmpty)
        #expect(results.ids(for: ["shiny"]) == ["id1"])
    }

    @Test func thereAreNoMoreThanASearchShows() {
        var results = ShellResults((0..<500).map { Self.item($0, "site\($0).example.com", "user") })
        #expect(results.ids(for: ["example"]).count == ShellResults.limit)
    }

    @Test func whatIsShownIsCleanedAndOfAccountsThatAreThere() throws {
        let results = ShellResults([Self.item(1, "https://shiny.example.com", "r\u{202E}mon\ndello")])
        let entry = try #require(results.entry("id1"))
        #expect(entry.title == "shiny.example.com")
        #expect(!entry.user.unicodeScalars.contains { $0 == "\u{202E}" || $0 == "\n" })
        #expect(results.entry("id2") == nil)
    }
}

// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillMatching
import Testing

@testable import AutoFillDaemon

@Suite struct AdviceShelfTests {
    private func entry(_ record: String, connection: Int = 1, tab: Int = 3) throws -> AdviceShelf.Entry {
        .init(connection: connection, tab: tab, origin: try #require(Origin(url: "https://a.example")), record: record)
    }

    @Test func handleIsGoodForItsConnectionOnly() throws {
        var shelf = AdviceShelf()
        shelf.keep(try entry("1"), as: "h")
        #expect(shelf.entry("h", of: 1)?.record == "1")
        #expect(shelf.entry("h", of: 2) == nil)
        #expect(shelf.entry("g", of: 1) == nil)
    }

    @Test func forgets() throws {
        var shelf = AdviceShelf()
        shelf.keep(try entry("1"), as: "h")
        shelf.keep(try entry("2", connection: 2), as: "g")
        shelf.forget(connection: 1)
        #expect(shelf.entry("h", of: 1) == nil)
        #expect(shelf.entry("g", of: 2) != nil)
        shelf.forgetAll()
        #expect(shelf.entry("g", of: 2) == nil)
    }

    @Test func tabHasTheLastOneOnly() throws {
        var shelf = AdviceShelf()
        shelf.keep(try entry("1"), as: "h")
        shelf.keep(try entry("2"), as: "g")
        shelf.keep(try entry("3", tab: 4), as: "f")
        shelf.keep(try entry("4", connection: 2), as: "e")
        #expect(shelf.entry("h", of: 1) == nil)
        #expect(shelf.entry("g", of: 1)?.record == "2")
        shelf.forget(tab: 3, of: 1)
        #expect(shelf.entry("g", of: 1) == nil)
        #expect(shelf.entry("f", of: 1) != nil && shelf.entry("e", of: 2) != nil)
        shelf.forget("f")
        #expect(shelf.entry("f", of: 1) == nil)
    }

    @Test func doesNotGrowWithoutEnd() throws {
        var shelf = AdviceShelf()
        for number in 0...AdviceShelf.limit { shelf.keep(try entry("\(number)", tab: number), as: "\(number)") }
        #expect(shelf.entry("0", of: 1) == nil)
        #expect(shelf.entry("\(AdviceShelf.limit)", of: 1) != nil)
    }
}

// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import Foundation
import ProviderTesting
import Testing

@testable import AuthenticationServices

@MainActor
@Suite(.timeLimit(.minutes(1)))
struct ListViewTests {
    private let list = ListView()

    private func shown() throws -> InterfaceElement {
        let element = try #require(InterfaceBuilder(list).elements.first)
        try InterfaceStatement(title: "", elements: [element]).check()
        return element
    }

    private func titles() throws -> [String] { try shown().sections?.flatMap(\.rows).map(\.title) ?? [] }

    private func act(_ action: String, row: String? = nil, text: String? = nil) throws {
        let text = text.map { WireSecret(SecretBytes(utf8: $0)) }
        // What the user does something with has been shown before.
        _ = try shown()
        try list.response(to: InterfaceAct(element: "", action: action, row: row, text: text))()
    }

    private func rows(_ range: Range<Int>) -> [ListView.Row] {
        range.map { .init(identifier: "id \($0)", title: "user \($0)", subtitle: "host\($0).example") }
    }

    @Test
    func pagesTenThousandRows() throws {
        list.sections = [.init(title: "A", rows: rows(0..<5000)), .init(title: "B", rows: rows(5000..<10_000))]
        #expect(try titles() == (0..<100).map { "user \($0)" })
        var seen = Set(try titles())
        for page in 2...5 {
            try act("more")
            #expect(try titles().count == page * 100)
        }
        var pages = 5
        while try shown().more == true {
            try act("more")
            let titles = try titles()
            #expect(titles.count == 500)
            seen.formUnion(titles)
            pages += 1
        }
        #expect(pages == 100)
        #expect(seen.count == 10_000)
        #expect(try shown().sections?.map(\.title) == ["B"])
        // Nothing comes after the end, and a search that is over leads back to the beginning.
        try act("more")
        #expect(try titles().last == "user 9999")
        try act("search", text: "")
        #expect(try titles() == (0..<100).map { "user \($0)" })
    }

    @Test
    func searchesTenThousandRows() throws {
        list.sections = [
            .init(title: "Suggested", rows: [.init(identifier: "x", title: "Zoë Straße", subtitle: "Ｅxample.com")]),
            .init(title: "All", rows: rows(0..<10_000)),
        ]
        try act("search", text: "9876")
        #expect(try titles() == ["user 9876"])
        #expect(try shown().sections?.map(\.title) == ["All"])
        try act("search", text: "USER HOST98")
        #expect(try titles().count == 100)
        #expect(try shown().more == true)
        for text in ["zoe", "ZOË", "Zoe\u{308}", "  example.COM   zoe ", "ZOË EXAMPLE"] {
            try act("search", text: text)
            #expect(try titles() == ["Zoë Straße"], "\(text)")
        }
        try act("search", text: "nobody")
        #expect(try titles() == [])
        #expect(try shown().more == false)
        #expect(try shown().search == true)
        try act("search", text: " \n")
        #expect(try titles().count == 100)
    }

    @Test
    func goesOnSearchingInWhatIsSet() throws {
        list.sections = [.init(title: "", rows: rows(0..<10))]
        try act("search", text: "user 7")
        list.sections = [.init(title: "", rows: rows(0..<80))]
        #expect(try titles() == (0..<80).map { "user \($0)" }.filter { $0.contains("7") })
    }

    @Test
    func leavesSearchAndPagesToTheProvider() throws {
        var searched: [String] = []
        var asked = 0
        list.onSearch = { [list] text in
            searched.append(text)
            list.sections = [.init(title: "Found", rows: [.init(identifier: "f", title: "Fernando")])]
        }
        list.onMore = { [list] in
            asked += 1
            list.sections = [.init(title: "", rows: rows(0..<250))]
            list.hasMore = false
        }
        list.sections = [.init(title: "", rows: rows(0..<150))]
        list.hasMore = true
        try act("more")
        #expect(asked == 0)
        #expect(try titles().count == 150)
        #expect(try shown().more == true)
        try act("more")
        #expect(asked == 1)
        #expect(try titles().count == 250)
        #expect(try shown().more == false)
        try act("more")
        #expect(asked == 1)
        try act("search", text: "no such word")
        #expect(searched == ["no such word"])
        #expect(try titles() == ["Fernando"])
    }

    @Test
    func aRowKeepsItsNameWhereverItMoves() throws {
        list.sections = [.init(title: "", rows: rows(0..<3))]
        let names = try shown().sections?.flatMap(\.rows).map(\.id) ?? []
        list.sections = [.init(title: "", rows: rows(7..<8) + rows(2..<3) + rows(0..<1))]
        let later = try shown().sections?.flatMap(\.rows).map(\.id) ?? []
        #expect(Array(later.dropFirst()) == [names[2], names[0]])
        #expect(!names.contains(later[0]))
        // What is gone cannot be chosen, nor does another row get its name.
        var chosen: [String] = []
        list.onSelect = { chosen.append($0.identifier) }
        #expect(throws: WireError.self) { try act("select", row: names[1]) }
        try act("select", row: names[0])
        #expect(chosen == ["id 0"])
    }

    @Test
    func theSameRowTwiceHasTwoNames() throws {
        list.sections = [.init(title: "A", rows: rows(0..<1)), .init(title: "B", rows: rows(0..<1))]
        let names = try shown().sections?.flatMap(\.rows).map(\.id) ?? []
        #expect(Set(names).count == 2)
        var chosen = 0
        list.onSelect = { _ in chosen += 1 }
        for name in names { try act("select", row: name) }
        #expect(chosen == 2)
    }

    @Test
    func refusesWhatIsNotThere() throws {
        list.sections = [.init(title: "", rows: rows(0..<150))]
        list.onSelect = { _ in Issue.record("it was chosen") }
        _ = try shown()
        for row in [nil, "", "0", "101", "-1", "id 0", "1.1", "1.2", "01", "1 "] {
            #expect(throws: WireError.self) { try act("select", row: row) }
        }
        #expect(throws: WireError.self) { try act("search") }
        #expect(throws: WireError.self) { try act("search", text: String(repeating: "x", count: 1025)) }
        #expect(throws: WireError.self) { try act("press") }
        list.isSearchable = false
        #expect(throws: WireError.self) { try act("search", text: "x") }
    }

    @Test
    func showsSectionsWithoutRows() throws {
        list.sections = [.init(title: "Empty", rows: []), .init(title: "Full", rows: rows(0..<1))]
        #expect(try shown().sections?.map(\.title) == ["Empty", "Full"])
        list.sections = (0..<300).map { .init(title: "\($0)", rows: []) }
        #expect(try shown().sections?.count == 100)
    }

    @Test
    func staysInPlaceWhenTheListGrowsAndGoesBackWhenItShrinks() throws {
        list.sections = [.init(title: "", rows: rows(0..<1000))]
        for _ in 0..<8 {
            _ = try shown()
            try act("more")
        }
        #expect(try titles().last == "user 899")
        list.sections = [.init(title: "", rows: rows(0..<2000))]
        #expect(try titles().last == "user 899")
        list.sections = [.init(title: "", rows: rows(0..<5))]
        #expect(try titles().count == 5)
    }
}

// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import ShownText
import Testing

@testable import PasswordsModel

@Suite struct AccountListTests {
    @Test func accountsThatLookAlikeSayWhenTheyWereChanged() {
        var items = [1, 2, 3].map {
            Item(id: "\($0)", services: ["shiny.example.com"], user: $0 == 3 ? "anna" : "me", created: 0, modified: $0)
        }
        func details(_ list: AccountList) -> [String] {
            list.rows.map { $0.details { "day \($0)" }.text }.sorted()
        }
        var list = AccountList()
        list.replace(with: items)
        #expect(details(list) == ["anna", "me, changed day 1", "me, changed day 2"])
        items[1].title = "Mine"
        list.update("2", items[1])
        #expect(details(list) == ["anna", "me", "me"])
    }

    @Test func titleNamesAnAccountAndFindsIt() {
        let items = [
            Item(id: "1", services: ["shiny.example.com"], user: "me", created: 0, modified: 0, title: "The shop"),
            Item(id: "2", services: [], user: "", created: 0, modified: 0, title: "Front Door", hasPassword: false),
        ]
        var list = AccountList()
        list.replace(with: items)
        #expect(list.rows.map(\.title.text) == ["Front Door", "The shop"])
        #expect(list.rows[0].user.text == "Note")
        list.search(for: "shop")
        #expect(list.rows.map(\.id) == ["1"])
        list.search(for: "shiny")
        #expect(list.rows.map(\.id) == ["1"])
        // The search of the desktop is shown places and user names alone.
        var results = ShellResults(items)
        #expect(results.ids(for: ["front"]).isEmpty && results.ids(for: ["shop"]).isEmpty)
        #expect(results.ids(for: ["shiny"]) == ["1"] && results.entry("1")?.title == "shiny.example.com")
    }

    private static func item(
        _ id: String, _ services: [String], _ user: String, modified: Int64 = 0, hasCode: Bool = false,
        isFavorite: Bool = false, tags: [String] = []
    ) -> Item {
        Item(
            id: id, services: services, user: user, created: 0, modified: modified, authenticator: hasCode ? true : nil,
            favorite: isFavorite, tags: tags)
    }

    private static func labelled() -> AccountList {
        var list = AccountList()
        list.replace(with: [
            item("1", ["a.example"], "a", isFavorite: true, tags: ["Work"]),
            item("2", ["b.example"], "b", hasCode: true, tags: ["home", "WORK"]),
            item("3", ["c.example"], "c", hasCode: true),
        ])
        return list
    }

    @Test func offersEachTagOnceWhateverItsCase() {
        #expect(Self.labelled().choices.map(\.name) == ["All", "Favorites", "home", "Work"])
        #expect(Self.list().choices == [.everything])
    }

    @Test(arguments: [
        (AccountList.Choice.everything, ["1", "2", "3"]), (.favorites, ["1"]), (.tag("Work"), ["1", "2"]),
        (.tag("home"), ["2"]), (.tag("gone"), ["1", "2", "3"]),
    ])
    func showsOneChoice(choice: AccountList.Choice, ids: [String]) {
        var list = Self.labelled()
        list.show(choice)
        #expect(list.rows.map(\.id) == ids)
    }

    @Test func choiceAndSearchAndSectionCountTogether() {
        var list = Self.labelled()
        list.show(.tag("Work"))
        list.showCodesOnly(true)
        #expect(list.rows.map(\.id) == ["2"])
        list.search(for: "a.example")
        #expect(list.rows.isEmpty)
        list.search(for: "work")
        #expect(list.rows.map(\.id) == ["2"])
    }

    @Test func choiceThatNobodyHasAnyLongerShowsEverything() {
        var list = Self.labelled()
        list.show(.favorites)
        list.update("1", Self.item("1", ["a.example"], "a", tags: ["Work"]))
        #expect(list.choice == .everything && list.rows.count == 3)
        list.show(.tag("Work"))
        list.update("1", Self.item("1", ["a.example"], "a"))
        #expect(list.choice == .tag("WORK") && list.rows.map(\.id) == ["2"])
    }

    @Test func favoriteIsSpoken() {
        #expect(
            Self.labelled().rows.map { $0.spoken { "\($0)" }.text } == [
                "a.example, a, favorite", "b.example, b", "c.example, c",
            ])
    }

    private static func list() -> AccountList {
        var list = AccountList()
        list.replace(with: [
            item("1", ["https://shiny.example.com"], "rmondello", modified: 3),
            item("2", ["bank.example", "shiny.example.com"], "Eliza", modified: 9, hasCode: true),
            item("3", ["mail.example"], "anna", modified: 5),
        ])
        return list
    }

    @Test(arguments: [
        ("", ["2", "3", "1"]), ("SHINY", ["2", "1"]), ("eliza shiny", ["2"]), ("shiny eliza", ["2"]),
        ("mondello", ["1"]), ("https://shiny.example.com", ["2", "1"]), ("example.comrmondello", []), ("nobody", []),
        ("  ", ["2", "3", "1"]),
    ])
    func findsWhatHasAllWords(search: String, found: [String]) {
        var list = Self.list()
        list.search(for: search)
        #expect(list.rows.map(\.id) == found)
    }

    @Test func findsTheSameLetterByLetterAndAfterLettersAreTakenAway() {
        var list = Self.list()
        let address = "https://shiny.example.com"
        let typed = address.indices.map { String(address[...$0]) }
        for text in ["s", "sh", "shi", "shin", "sh", "s m", "", "eliza"] + typed {
            list.search(for: text)
            var other = Self.list()
            other.search(for: text)
            #expect(list.rows == other.rows, "\(text)")
        }
    }

    @Test(arguments: [
        (AccountList.Order.site, ["2", "3", "1"]), (.user, ["3", "2", "1"]), (.newest, ["2", "3", "1"]),
    ])
    func ordersRows(order: AccountList.Order, ids: [String]) {
        var list = Self.list()
        list.sort(by: order)
        #expect(list.rows.map(\.id) == ids)
    }

    @Test func showsOnlyAccountsWithCodesWhereThatIsWanted() {
        var list = Self.list()
        list.showCodesOnly(true)
        #expect(list.rows.map(\.id) == ["2"])
        list.search(for: "mail")
        #expect(list.rows.isEmpty)
    }

    @Test func takesOverAChangeAndARemoval() {
        var list = Self.list()
        list.search(for: "mail")
        list.update("3", Self.item("3", ["other.example"], "anna"))
        #expect(list.rows.isEmpty)
        list.search(for: "")
        list.update("1", nil)
        #expect(list.rows.map(\.id) == ["2", "3"])
    }

    @Test func showsNoDirectionalCharactersOfAName() {
        var list = AccountList()
        list.replace(with: [Self.item("1", ["evil\u{202E}moc.example"], "a\nb")])
        #expect(!list.rows[0].spoken({ "\($0)" }).text.contains("\u{202E}") && !list.rows[0].user.text.contains("\n"))
    }
}

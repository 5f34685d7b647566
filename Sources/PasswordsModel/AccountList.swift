// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC
internal import ShownText

/// The accounts of one section: which of them are shown, and in which order.
package struct AccountList: Sendable {
    /// What the rows are ordered by.
    package enum Order: Int, CaseIterable, Sendable {
        case site, user, newest

        package var name: String {
            switch self {
            case .site: "Site"
            case .user: "User name"
            case .newest: "Last changed"
            }
        }
    }

    /// Which of a section's accounts are shown.
    package enum Choice: Hashable, Sendable {
        case everything
        case favorites
        /// Those with a tag, whatever the case of its letters.
        case tag(String)

        func isSame(as other: Choice) -> Bool {
            guard case .tag(let tag) = self, case .tag(let otherTag) = other else { return self == other }
            return tag.lowercased() == otherTag.lowercased()
        }

        package var name: String {
            switch self {
            case .everything: "All"
            case .favorites: "Favorites"
            case .tag(let tag): DisplayText(tag).text
            }
        }
    }

    private var all: [AccountRow] = []
    package private(set) var rows: [AccountRow] = []
    package private(set) var search = ""
    package private(set) var order = Order.site
    /// Whether only accounts with an authenticator's codes are shown.
    package private(set) var isCodesOnly = false
    package private(set) var choice = Choice.everything
    /// What the user can choose; `everything` alone where no account is a favorite or has a tag.
    package private(set) var choices = [Choice.everything]

    /// Whether a search finds what has its words among its tags.
    private let searchesTags: Bool

    package init(searchesTags: Bool = true) {
        self.searchesTags = searchesTags
    }

    package var isEmpty: Bool { all.isEmpty }

    /// Takes the place of all accounts.
    package mutating func replace(with items: [Item]) {
        all = items.map { AccountRow($0, searchesTags: searchesTags) }
        sort()
    }

    /// Updates one account in the list. `nil` removes it from this section.
    package mutating func update(_ id: String, _ item: Item?) {
        all.removeAll { $0.id == id }
        if let item { all.append(AccountRow(item, searchesTags: searchesTags)) }
        sort()
    }

    package mutating func search(for text: String) {
        // Of an address only the host is looked for, so what stands before it may find less than the whole.
        let isNarrower = text.hasPrefix(search) && !search.isEmpty && !text.contains(":")
        search = text
        let words = SearchedText.words(text)
        // What is not found for "sh" is not found for "shi" either.
        rows = (isNarrower ? rows : candidates).filter { $0.searched.contains(words) }
    }

    package mutating func sort(by order: Order) {
        self.order = order
        sort()
    }

    package mutating func showCodesOnly(_ isCodesOnly: Bool) {
        self.isCodesOnly = isCodesOnly
        filter()
    }

    /// Shows all accounts, the favorites, or those with one tag. All are shown if no account is a favorite or has that tag any more.
    package mutating func show(_ choice: Choice) {
        self.choice = choices.first { $0.isSame(as: choice) } ?? .everything
        filter()
    }

    package func index(of id: String) -> Int? { rows.firstIndex { $0.id == id } }

    /// The account with an id, whether it is shown or not.
    package func row(_ id: String) -> AccountRow? { all.first { $0.id == id } }

    private var candidates: [AccountRow] {
        let section = isCodesOnly ? all.filter(\.hasCode) : all
        return switch choice {
        case .everything: section
        case .favorites: section.filter(\.isFavorite)
        case .tag(let tag):
            section.filter { row in row.tags.contains { $0.lowercased() == tag.lowercased() } }
        }
    }

    /// Favorites first, then the tags by their letters. Of tags that differ in case alone, the first one found names both.
    private mutating func collectChoices() {
        var tags: [String: String] = [:]
        for row in all { for tag in row.tags where tags[tag.lowercased()] == nil { tags[tag.lowercased()] = tag } }
        let named = tags.sorted { $0.key < $1.key }.map { Choice.tag($0.value) }
        choices = [.everything] + (all.contains(where: \.isFavorite) ? [.favorites] : []) + named
        choice = choices.first { $0.isSame(as: choice) } ?? .everything
    }

    private mutating func markTwins() {
        let counts = Dictionary(grouping: all, by: \.look).mapValues(\.count)
        for index in all.indices { all[index].hasTwin = counts[all[index].look] ?? 0 > 1 }
    }

    private mutating func sort() {
        markTwins()
        switch order {
        case .site: all.sort { $0.searched < $1.searched }
        case .user:
            let keyed = all.map { ($0.userName.lowercased(), $0) }
            all = keyed.sorted { $0.0 == $1.0 ? $0.1.searched < $1.1.searched : $0.0 < $1.0 }.map(\.1)
        case .newest: all.sort { ($1.modified, $0.id) < ($0.modified, $1.id) }
        }
        collectChoices()
        filter()
    }

    private mutating func filter() {
        let words = SearchedText.words(search)
        rows = candidates.filter { $0.searched.contains(words) }
    }
}

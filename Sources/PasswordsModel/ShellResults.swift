// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC
internal import ShownText

/// What the search of the desktop is shown: the places and user names of accounts, and nothing else.
package struct ShellResults: Sendable {
    /// More than these no search shows.
    package static let limit = 20
    /// Words that are shorter in all find half of everything.
    private static let lettersNeeded = 2

    private var list = AccountList(searchesTags: false)

    package init(_ items: [Item]) {
        // Titles, and items without a website, are not told to the desktop's search.
        list.replace(
            with: items.filter { !$0.services.isEmpty }.map { item in
                var item = item
                item.title = nil
                return item
            })
    }

    /// The ids of the accounts that have all of these words in their places or user name.
    package mutating func ids(for words: [String]) -> [String] {
        let text = words.prefix(16).map { $0.prefix(64) }.joined(separator: " ")
        guard text.count(where: { !$0.isWhitespace }) >= Self.lettersNeeded else { return [] }
        list.search(for: text)
        return list.rows.prefix(Self.limit).map(\.id)
    }

    /// What is shown of an account.
    package func entry(_ id: String) -> (title: String, user: String)? {
        list.row(id).map { ($0.title.text, $0.user.text) }
    }
}

// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC
package import ShownText

/// One account as a list shows it. Nothing in it is a secret.
///
/// What is shown is cleaned when it is shown: a list of 10,000 shows twenty.
package struct AccountRow: Sendable, Equatable, Identifiable {
    package let id: String
    package let modified: Int64
    package let hasCode: Bool
    package let isFavorite: Bool
    package let tags: [String]
    private let service: String
    package let userName: String
    /// What a search looks through, and what the order by place compares.
    let searched: SearchedText

    /// - Parameter searchesTags: Whether the user's own words for the account find it, too.
    package init(_ item: Item, searchesTags: Bool = true) {
        id = item.id
        modified = item.modified
        hasCode = item.authenticator == true
        isFavorite = item.favorite == true
        tags = item.tags ?? []
        service = item.services.first ?? ""
        userName = item.user
        searched = SearchedText(item.services.map { String(Self.host($0)) } + [item.user] + (searchesTags ? tags : []))
    }

    /// The first place that it is saved for.
    package var title: DisplayText { Self.name(of: service) }

    package var user: DisplayText { DisplayText(userName, placeholder: "(no user name)") }

    /// A place as people name it: https goes without saying.
    package static func name(of service: String) -> DisplayText { DisplayText(host(service)) }

    static func host(_ service: some StringProtocol) -> Substring {
        service.hasPrefix("https://") ? Substring(service.dropFirst(8)) : Substring(service)
    }

    /// What a screen reader says of the row.
    package var spoken: DisplayText { isFavorite ? "\(title), \(user), favorite" : "\(title), \(user)" }
}

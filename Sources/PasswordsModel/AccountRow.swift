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
    package let hasPassword: Bool
    package let isFavorite: Bool
    package let tags: [String]
    /// Whether another account of the list has the same title and user.
    var hasTwin = false
    private let service: String
    private let ownTitle: String?
    package let userName: String
    /// What a search looks through, and what the order by place compares.
    let searched: SearchedText

    /// - Parameter searchesTags: Whether the user's own words for the account find it, too.
    package init(_ item: Item, searchesTags: Bool = true) {
        id = item.id
        modified = item.modified
        hasCode = item.authenticator == true
        hasPassword = item.hasPassword != false
        isFavorite = item.favorite == true
        tags = item.tags ?? []
        service = item.place
        ownTitle = item.title
        userName = item.user
        let hosts = item.services.map { String(Self.host($0)) }
        searched = SearchedText((ownTitle.map { [$0] } ?? []) + hosts + [item.user] + (searchesTags ? tags : []))
    }

    /// The title, or the first website if there is no title.
    package var title: DisplayText { ownTitle.map { DisplayText($0) } ?? Self.name(of: service) }

    package var user: DisplayText { DisplayText(userName, placeholder: hasPassword ? "(no user name)" : "Note") }

    /// A place as people name it: https goes without saying.
    package static func name(of service: String) -> DisplayText { DisplayText(host(service)) }

    /// The title of an account, by the same rule as `title`.
    package static func title(of item: Item) -> DisplayText {
        item.title.map { DisplayText($0) } ?? name(of: item.place)
    }

    static func host(_ service: some StringProtocol) -> Substring {
        service.hasPrefix("https://") ? Substring(service.dropFirst(8)) : Substring(service)
    }

    /// The line below the title: the user, and the time of the last change if another account looks the same.
    ///
    /// - Parameter moment: Writes a time in seconds since 1970.
    package func details(_ moment: (Int64) -> String) -> DisplayText {
        hasTwin ? "\(user), changed \(DisplayText(moment(modified)))" : user
    }

    /// What a screen reader says of the row.
    package func spoken(_ moment: (Int64) -> String) -> DisplayText {
        isFavorite ? "\(title), \(details(moment)), favorite" : "\(title), \(details(moment))"
    }

    /// The parts of a row that a person sees; rows with equal parts look the same.
    var look: [String] { [ownTitle ?? service, userName] }
}

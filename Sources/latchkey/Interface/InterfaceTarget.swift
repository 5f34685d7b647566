// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ShownText

/// Something in an interface that a person can do something with.
enum InterfaceTarget: Hashable, Sendable {
    case field(String)
    case toggle(String)
    case button(String)
    /// The search field of a list.
    case search(String)
    case row(list: String, row: String)
    /// The further rows of a list.
    case more(String)

    /// Whether characters that are typed here are text.
    var takesText: Bool {
        switch self {
        case .field, .search: true
        case .toggle, .button, .row, .more: false
        }
    }
}

/// Who shows an interface, and for what. Drawn by Latchkey above everything that comes from the provider.
struct InterfaceHeader: Equatable, Sendable {
    var provider: DisplayText
    var site: DisplayText?

    /// One line, harmless.
    var line: String {
        let site: DisplayText = site.map { ", for \($0)" } ?? ""
        let line: DisplayText = "Latchkey: \(provider) asks\(site)"
        return line.text
    }
}

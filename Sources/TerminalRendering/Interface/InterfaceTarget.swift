// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import ShownText

/// Something in an interface that the user can act on.
package enum InterfaceTarget: Hashable, Sendable {
    case field(String)
    case toggle(String)
    case button(String)
    /// The search field of a list.
    case search(String)
    case row(list: String, row: String)
    /// The control that loads further rows of a list.
    case more(String)

    /// Whether typed characters are text here.
    package var takesText: Bool {
        switch self {
        case .field, .search: true
        case .toggle, .button, .row, .more: false
        }
    }
}

/// The header of an interface: who shows it and for what. Latchkey draws it above everything from the provider.
package struct InterfaceHeader: Equatable, Sendable {
    package var provider: DisplayText
    package var site: DisplayText?

    package init(provider: DisplayText, site: DisplayText? = nil) {
        self.provider = provider
        self.site = site
    }

    /// The header as one escaped line.
    package var line: String {
        let site: DisplayText = site.map { ", for \($0)" } ?? ""
        let line: DisplayText = "Latchkey: \(provider) asks\(site)"
        return line.text
    }
}

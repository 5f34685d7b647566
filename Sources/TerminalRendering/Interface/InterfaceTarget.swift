// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import ShownText

/// Something in an interface that a person can do something with.
package enum InterfaceTarget: Hashable, Sendable {
    case field(String)
    case toggle(String)
    case button(String)
    /// The search field of a list.
    case search(String)
    case row(list: String, row: String)
    /// The further rows of a list.
    case more(String)

    /// Whether characters that are typed here are text.
    package var takesText: Bool {
        switch self {
        case .field, .search: true
        case .toggle, .button, .row, .more: false
        }
    }
}

/// Who shows an interface, and for what. Drawn by Latchkey above everything that comes from the provider.
package struct InterfaceHeader: Equatable, Sendable {
    package var provider: DisplayText
    package var site: DisplayText?

    package init(provider: DisplayText, site: DisplayText? = nil) {
        self.provider = provider
        self.site = site
    }

    /// One line, harmless.
    package var line: String {
        let site: DisplayText = site.map { ", for \($0)" } ?? ""
        let line: DisplayText = "Latchkey: \(provider) asks\(site)"
        return line.text
    }
}

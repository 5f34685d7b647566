// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AuthenticationServices
internal import Foundation

/// An item in words, as the window says them.
extension CredentialItem {
    /// The first site, or the title if there is no site.
    var site: String { services.first ?? title ?? "" }

    /// Whose account it is, and where.
    var account: String { user.isEmpty ? site : "\(user) at \(site)" }

    /// Names the item on the command line.
    var shortName: Substring { id.prefix(8) }

    /// The day of its last change, in UTC.
    var lastChange: String { modified.formatted(.iso8601.year().month().day()) }
}

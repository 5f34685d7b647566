// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// How things stand between an app and a domain.
public enum AssociationVerdict: Hashable, Sendable {
    /// Not asked yet.
    case pending
    /// The site's file names the app.
    case siteApproved
    /// The site answered, and its answer is no.
    case siteDenied(AssociationDenial)
    /// The site could not be asked; it is tried again. `isApproved` tells whether an earlier yes still counts.
    case retrying(AssociationTrouble, failures: Int, next: Int64, isApproved: Bool)
    /// The site could not be asked, and the tries are used up until the next week's check.
    case unreachable(AssociationTrouble)
    /// The entry's mode is not allowed here: no site is asked.
    case modeNotAllowed(AssociatedDomain.Mode)
    /// The user took it away; nothing but the user brings it back.
    case removed
}

/// Why a site's answer is no. The text is one line and safe to show.
public struct AssociationDenial: Hashable, Sendable {
    public let reason: String

    public init(reason: String) {
        self.reason = reason
    }
}

/// Why a site could not be asked. The text is one line and safe to show.
public struct AssociationTrouble: Hashable, Sendable {
    public let reason: String

    public init(reason: String) {
        self.reason = reason
    }
}

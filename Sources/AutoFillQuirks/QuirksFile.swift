// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// The files of a set of quirks, under the names that their publishers give them.
public enum QuirksFile: String, Sendable, CaseIterable {
    case sharedCredentials = "shared-credentials.json"
    case historicalCredentials = "shared-credentials-historical.json"
    case appDomains = "apple-appIDs-to-domains-shared-credentials.json"
    case embeddedServices = "websites-that-ask-for-credentials-for-other-services-when-embedded-as-third-party.json"
    case passwordRules = "password-rules.json"
    case changePassword = "change-password-URLs.json"
    case appendedCodes = "websites-that-append-2fa-to-password.json"
    case suffixes = "public_suffix_list.dat"

    /// The most bytes that are read of it: about ten times what it has in 2026.
    public var maximumSize: Int { self == .suffixes ? 4 << 20 : 1 << 20 }

    /// Those that are JSON.
    public static var documents: [QuirksFile] { allCases.filter { $0 != .suffixes } }
}

// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What the user said about a program that claims to be an app: yes or no, for the file as it was then.
package struct AppDecision: Codable, Hashable, Sendable {
    package var path: String
    /// SHA-256 of the file, in hexadecimal.
    package var digest: String
    package var isAllowed: Bool
    /// What it claimed.
    package var identifier: String
    package var domains: [String]
    package var isDebugBuild: Bool?
    /// In seconds since 1970.
    package var date: Int64

    package init(
        path: String, digest: String, isAllowed: Bool, identifier: String, domains: [String],
        isDebugBuild: Bool? = nil, date: Int64
    ) {
        self.path = path
        self.digest = digest
        self.isAllowed = isAllowed
        self.identifier = identifier
        self.domains = domains
        self.isDebugBuild = isDebugBuild
        self.date = date
    }

    /// Decisions that are kept; beyond it the oldest is forgotten, and asked for again.
    package static let limit = 500
}

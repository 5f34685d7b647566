// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// The user's decision about a program that claims to be an app, for the file as it was at that time.
package struct AppDecision: Codable, Hashable, Sendable {
    package var path: String
    /// The SHA-256 digest of the file, in hexadecimal.
    package var digest: String
    package var isAllowed: Bool
    /// The identifier that the program claimed.
    package var identifier: String
    package var domains: [String]
    package var isDebugBuild: Bool?
    /// The time of the decision in seconds since 1970.
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

    /// Maximum number of decisions kept. Beyond it the oldest is forgotten, and the user is asked again.
    package static let limit = 500
}

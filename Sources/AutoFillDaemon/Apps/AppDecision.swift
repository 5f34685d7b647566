// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What the user said about a program that claims to be an app: yes or no, for the file as it was then.
struct AppDecision: Codable, Hashable, Sendable {
    var path: String
    /// SHA-256 of the file, in hexadecimal.
    var digest: String
    var isAllowed: Bool
    /// What it claimed.
    var identifier: String
    var domains: [String]
    var isDebugBuild: Bool?
    /// In seconds since 1970.
    var date: Int64

    /// Decisions that are kept; beyond it the oldest is forgotten, and asked for again.
    static let limit = 500
}

extension SealedRegistry {
    func decision(on path: String) -> AppDecision? {
        apps.first { $0.path == path }
    }

    /// Remembers what the user said, instead of what was said about that program before.
    mutating func setDecision(_ decision: AppDecision) throws {
        try setApps((apps.filter { $0.path != decision.path } + [decision]).suffix(AppDecision.limit))
    }

    /// Forgets what the user said about a program; whether there was anything.
    mutating func forgetDecision(on path: String) throws -> Bool {
        let rest = apps.filter { $0.path != path }
        guard rest.count < apps.count else { return false }
        try setApps(rest[...])
        return true
    }
}

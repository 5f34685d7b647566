// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillRelease

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

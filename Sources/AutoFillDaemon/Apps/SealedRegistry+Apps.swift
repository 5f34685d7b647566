// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillRelease

extension SealedRegistry {
    func decision(on path: String) -> AppDecision? {
        apps.first { $0.path == path }
    }

    /// Stores the user's decision on a program in place of an earlier one.
    mutating func setDecision(_ decision: AppDecision) throws {
        try setApps((apps.filter { $0.path != decision.path } + [decision]).suffix(AppDecision.limit))
    }

    /// Removes the user's decision on a program. Returns whether there was one.
    mutating func forgetDecision(on path: String) throws -> Bool {
        let rest = apps.filter { $0.path != path }
        guard rest.count < apps.count else { return false }
        try setApps(rest[...])
        return true
    }
}

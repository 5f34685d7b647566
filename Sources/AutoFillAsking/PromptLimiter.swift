// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Remembers refusals, so that a program cannot repeat its question until the user gives in.
package struct PromptLimiter: Sendable {
    /// Number of refusals within `window` after which no question is asked for another `window`.
    private static let tolerance = 3
    private static let window = Duration.seconds(60)
    private static let quiet = Duration.seconds(10)

    private var refusals: [String: [ContinuousClock.Instant]] = [:]

    package init() {}

    /// The time a requester has to wait before it may ask again, or `nil` if it may ask now.
    package func wait(for requester: String, at now: ContinuousClock.Instant) -> Duration? {
        let recent = (refusals[requester] ?? []).filter { now - $0 < Self.window }
        guard let last = recent.last else { return nil }
        let pause = recent.count >= Self.tolerance ? Self.window : Self.quiet
        let rest = pause - (now - last)
        return rest > .zero ? rest : nil
    }

    package mutating func refused(_ requester: String, at now: ContinuousClock.Instant) {
        refusals = refusals.compactMapValues { times in
            let recent = times.filter { now - $0 < Self.window }
            return recent.isEmpty ? nil : recent
        }
        refusals[requester, default: []].append(now)
    }

    package mutating func agreed(_ requester: String) {
        refusals[requester] = nil
    }
}

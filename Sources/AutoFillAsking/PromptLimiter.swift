// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Remembers refusals of prompts, so that asking until the user gives in does not work.
package struct PromptLimiter: Sendable {
    /// After this many refusals within `window`, no question is asked for as long.
    private static let tolerance = 3
    private static let window = Duration.seconds(60)
    private static let quiet = Duration.seconds(10)

    private var refusals: [String: [ContinuousClock.Instant]] = [:]

    package init() {}

    /// How long a requester has to leave the user alone; nothing when it may ask.
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

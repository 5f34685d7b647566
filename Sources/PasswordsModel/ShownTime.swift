// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// How long a secret stays on the screen. The clock is a parameter.
package struct ShownTime: Sendable, Equatable {
    /// A shown password is hidden again after this time.
    package static let limit = Duration.seconds(30)

    package let end: ContinuousClock.Instant

    /// - Parameter now: When it was shown.
    package init(from now: ContinuousClock.Instant, for span: Duration = limit) {
        end = now + span
    }

    package func isOver(at now: ContinuousClock.Instant) -> Bool { now >= end }

    /// Whole seconds that are left, rounded up.
    package func secondsLeft(at now: ContinuousClock.Instant) -> Int {
        let left = now.duration(to: end)
        guard left > .zero else { return 0 }
        return Int(left.components.seconds) + (left.components.attoseconds > 0 ? 1 : 0)
    }
}

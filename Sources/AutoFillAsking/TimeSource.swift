// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// The clocks of the daemon. Tests supply their own.
package struct TimeSource: Sendable {
    package var now: @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
    /// The date in seconds since 1970.
    package var date: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970) }
    /// Suspends until the given instant.
    package var wait: @Sendable (ContinuousClock.Instant) async throws -> Void = {
        try await Task.sleep(until: $0, clock: .continuous)
    }

    package init() {}

    package init(
        now: @escaping @Sendable () -> ContinuousClock.Instant, date: @escaping @Sendable () -> Int64,
        wait: @escaping @Sendable (ContinuousClock.Instant) async throws -> Void
    ) {
        self.now = now
        self.date = date
        self.wait = wait
    }
}

// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Slows down guessing: three free tries, then a wait that doubles up to five minutes.
struct AttemptLimiter: Sendable {
    private static let freeTries = 3
    private static let longestWait = Duration.seconds(300)

    private var failures = 0
    private var blockedUntil: ContinuousClock.Instant?

    init() {}

    /// How long to wait before the next attempt; `nil` if it may be made now.
    func wait(at now: ContinuousClock.Instant) -> Duration? {
        guard let blockedUntil, blockedUntil > now else { return nil }
        return now.duration(to: blockedUntil)
    }

    /// Counts an attempt. Call it before the attempt is made, so that many at once are not all free.
    mutating func begin(at now: ContinuousClock.Instant) {
        failures += 1
        guard failures >= Self.freeTries else { return }
        let doublings = min(failures - Self.freeTries, 9)
        blockedUntil = now + min(.seconds(1 << doublings), Self.longestWait)
    }

    mutating func succeed() {
        self = AttemptLimiter()
    }
}

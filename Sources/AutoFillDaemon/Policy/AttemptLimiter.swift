// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Slows down guessing: three free tries, then a wait that doubles up to five minutes.
struct AttemptLimiter: Sendable {
    private static let freeTries = 3
    private static let longestWait = Duration.seconds(300)

    private var failures = 0
    /// How many of them may have been meant to be the PIN.
    private var mistypedPINs = 0
    private var blockedUntil: ContinuousClock.Instant?

    init() {}

    /// How long to wait before the next attempt; `nil` if it may be made now.
    func wait(at now: ContinuousClock.Instant) -> Duration? {
        guard let blockedUntil, blockedUntil > now else { return nil }
        return now.duration(to: blockedUntil)
    }

    /// Counts an attempt. Call it before the attempt is made, so that many at once are not all free.
    ///
    /// - Parameter mayBePIN: Whether what was typed has the form of a PIN.
    mutating func begin(at now: ContinuousClock.Instant, mayBePIN: Bool = false) {
        failures += 1
        if mayBePIN { mistypedPINs += 1 }
        guard failures >= Self.freeTries else { return }
        let doublings = min(failures - Self.freeTries, 9)
        blockedUntil = now + min(.seconds(1 << doublings), Self.longestWait)
    }

    mutating func succeed() {
        self = AttemptLimiter()
    }

    /// The right PIN takes back what may have been mistyped for it, and no wrong passphrase: with the PIN alone nobody may guess on.
    mutating func succeedByPIN() {
        failures -= mistypedPINs
        mistypedPINs = 0
        if failures < Self.freeTries { blockedUntil = nil }
    }
}

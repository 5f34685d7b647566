// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillRelease

/// How often a browser's popup copies passwords and codes before the passphrase is asked for, so that one that was taken over, or somebody at
/// the keyboard for a minute, does not empty the vault.
struct CopyLimit: Sendable {
    /// The most copies within `span`.
    static let copies = 10
    static let span = Duration.seconds(600)
    /// The shortest time between two copies.
    static let pause = Duration.seconds(1)
    /// Why the passphrase is asked for.
    static let sentence = "\(copies) passwords or codes were copied within ten minutes, so this takes your passphrase."

    private var times: [ContinuousClock.Instant] = []
    private var last: ContinuousClock.Instant?
    private var epoch: UserAct.Epoch?

    /// Counts a wish to copy. Returns `false` where the one before was a moment ago.
    mutating func begin(at now: ContinuousClock.Instant) -> Bool {
        if let last, now < last + Self.pause { return false }
        last = now
        return true
    }

    /// Counts a copy. Returns `false`, and counts nothing, where it takes the passphrase.
    mutating func reserve(in epoch: UserAct.Epoch, at now: ContinuousClock.Instant) -> Bool {
        if epoch != self.epoch { times = [] }
        self.epoch = epoch
        times.removeAll { now >= $0 + Self.span }
        guard times.count < Self.copies else { return false }
        times.append(now)
        return true
    }

    /// Begins anew with a copy for which the user gave the passphrase.
    mutating func wasProven(at now: ContinuousClock.Instant) { times = [now] }
}

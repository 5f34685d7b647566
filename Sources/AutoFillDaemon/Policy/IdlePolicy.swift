// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Decides when idleness locks.
struct IdlePolicy: Sendable {
    /// The idle time; `nil` means never.
    var span: Duration?
    private var lastActivity: ContinuousClock.Instant

    init(span: Duration?, now: ContinuousClock.Instant) {
        self.span = span
        lastActivity = now
    }

    mutating func active(at now: ContinuousClock.Instant) {
        lastActivity = max(lastActivity, now)
    }

    /// When to lock, unless there is activity before; `nil` if idleness never locks. A time that is not after `now` means lock.
    var deadline: ContinuousClock.Instant? {
        span.map { lastActivity + $0 }
    }
}

// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// The refusals of git because nobody could be asked. A program can cause any number of them by itself, and each would take the place of
/// a line about a release in the audit log, so only some of them get a line of their own.
struct UnaskedRefusals: Sendable {
    /// At most this many lines are written in a `span`.
    private static let limit = 20
    private static let span = Duration.seconds(3_600)

    private var began: ContinuousClock.Instant?
    private var count = 0

    /// The reason to write for one more refusal; `nil` for one that is only counted. What was counted stands in the next line.
    mutating func reason(at now: ContinuousClock.Instant) -> String? {
        var untold = 0
        if let began, now < began + Self.span {
            count += 1
        } else {
            untold = max(0, count - Self.limit)
            (began, count) = (now, 1)
        }
        guard count <= Self.limit else { return nil }
        return untold == 0 ? "nobody could be asked" : "nobody could be asked, nor \(untold) times before"
    }
}

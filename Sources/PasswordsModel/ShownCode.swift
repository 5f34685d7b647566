// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillSecrets

/// The code of an authenticator that is shown: until when it is good, and when it is hidden.
package struct ShownCode: Sendable {
    /// What is to be done at an instant.
    package enum Step: Sendable, Equatable {
        /// The code is valid for this many more seconds.
        case counting(Int)
        /// The next code is to be fetched.
        case next
        case hide
    }

    /// Codes follow one another on the screen for this time after the press that showed the first.
    package static let limit = Duration.seconds(90)

    package let code: SecretBytes
    private let good: ShownTime
    private let shown: ShownTime

    /// - Parameters:
    ///   - secondsLeft: How long the code is good.
    ///   - shown: What is left of the time on the screen, for a code that follows another.
    package init(_ code: SecretBytes, secondsLeft: Int, now: ContinuousClock.Instant, shown: ShownTime? = nil) {
        self.code = code
        good = ShownTime(from: now, for: .seconds(min(3_600, max(0, secondsLeft))))
        self.shown = shown ?? ShownTime(from: now, for: Self.limit)
    }

    package func step(at now: ContinuousClock.Instant) -> Step {
        if shown.isOver(at: now) { return .hide }
        return good.isOver(at: now) ? .next : .counting(good.secondsLeft(at: now))
    }

    /// The code that follows this one.
    package func followed(by code: SecretBytes, secondsLeft: Int, now: ContinuousClock.Instant) -> ShownCode {
        ShownCode(code, secondsLeft: secondsLeft, now: now, shown: shown)
    }
}

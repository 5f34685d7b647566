// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillMatching

/// What the command line shows: a password, a code, notes or an earlier password.
package struct Reveal: ReleasePurpose {
    private let connection: Int
    package let requester: String
    package let wanted: String?

    /// - Parameters:
    ///   - program: the one that asks.
    ///   - connection: on which it asks.
    package init(to program: String, connection: Int, for wanted: String? = nil) {
        requester = program
        self.connection = connection
        self.wanted = wanted
    }

    package var destination: Destination { .commandLine(requester, connection: connection) }
    // What a provider keeps can be looked at, too, where it is not offered.
    package var needsEnabledProvider: Bool { false }
    package var takenBack: String { "the command line is gone" }

    package func check(
        _ credential: HeldCredential, _ act: UserAct, _ policy: MatchPolicy
    ) throws(ReleaseRefusal) -> String? {
        guard act.surface == .terminal else { throw ReleaseRefusal(reason: "only the command line reveals") }
        return nil
    }
}

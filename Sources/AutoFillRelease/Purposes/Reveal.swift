// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillMatching

/// Shows a secret at the command line: a password, a code, notes or an earlier password.
package struct Reveal: ReleasePurpose {
    private let connection: Int
    package let requester: String
    package let wanted: String?

    /// - Parameters:
    ///   - program: The requesting program.
    ///   - connection: The number of its connection.
    package init(to program: String, connection: Int, for wanted: String? = nil) {
        requester = program
        self.connection = connection
        self.wanted = wanted
    }

    package var destination: Destination { .commandLine(requester, connection: connection) }
    // Items can also be looked at while their provider is disabled.
    package var needsEnabledProvider: Bool { false }
    package var failed: String { "Nothing was shown" }
    package var takenBack: String { "the command line is gone" }

    package func check(
        _ credential: HeldCredential, _ act: UserAct, _ policy: MatchPolicy
    ) throws(ReleaseRefusal) -> String? {
        guard act.surface == .terminal else { throw ReleaseRefusal(reason: "only the command line reveals") }
        return nil
    }
}

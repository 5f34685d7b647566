// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
package import AutoFillMatching

/// Fills a newly generated and kept password into the fields of a native program.
package struct NativeGenerated: ReleasePurpose {
    private let chosen: VerifiedProgram
    private let confirmed: VerifiedProgram?

    /// - Parameter confirmed: The program as identified after everything else.
    package init(chosen: VerifiedProgram, confirmed: VerifiedProgram?) {
        self.chosen = chosen
        self.confirmed = confirmed
    }

    package var destination: Destination { .program(chosen) }
    package var requester: String { chosen.place }
    package var wanted: String? { "a generated password" }
    package var takenBack: String { "the form was left" }

    package func check(
        _ credential: HeldCredential, _ act: UserAct, _ policy: MatchPolicy
    ) throws(ReleaseRefusal) -> String? {
        guard let confirmed, confirmed == chosen else {
            throw ReleaseRefusal(reason: "the program was replaced in the meantime")
        }
        // One with a record identifier is an existing credential, not a new one.
        guard credential.identity.type == .password, credential.identity.recordIdentifier == nil else {
            throw ReleaseRefusal(reason: "it is not a new password")
        }
        // The user has seen the place that it is saved for, and any program can press there.
        guard act.surface == .window, act.authentication == .passphrase else {
            throw ReleaseRefusal(reason: "a new password in a program takes the passphrase")
        }
        return "made for this program, as the user said"
    }
}

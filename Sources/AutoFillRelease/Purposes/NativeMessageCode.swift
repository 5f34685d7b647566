// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
package import AutoFillMatching
package import SecurityCodes

/// Fills a code from a message into the field of a native program.
package struct NativeMessageCode: ReleasePurpose {
    private let secret: HeldSecret
    private let binding: SecurityCode
    private let chosen: VerifiedProgram
    private let confirmed: VerifiedProgram?
    private let hosts: [AssociatedHost]
    private let wasReleasedBefore: Bool

    /// - Parameters:
    ///   - secret: The code as it is held now.
    ///   - binding: What the message says about the code's place, without the code itself.
    ///   - confirmed: The program as identified after everything else, like `hosts`.
    ///   - hosts: The hosts that name the program's app as theirs, and those of the accounts that the user has bound to the program.
    ///   - wasReleasedBefore: Whether a code with this binding went to this program before.
    package init(
        _ secret: HeldSecret, binding: SecurityCode, chosen: VerifiedProgram, confirmed: VerifiedProgram?,
        hosts: [AssociatedHost], wasReleasedBefore: Bool
    ) {
        self.secret = secret
        self.binding = binding
        self.chosen = chosen
        self.confirmed = confirmed
        self.hosts = hosts
        self.wasReleasedBefore = wasReleasedBefore
    }

    package var destination: Destination { .program(chosen) }
    package var requester: String { chosen.place }
    // The code does not come from a provider.
    package var needsEnabledProvider: Bool { false }
    package var takenBack: String { "the form was left" }

    package func check(
        _ credential: HeldCredential, _ act: UserAct, _ policy: MatchPolicy
    ) throws(ReleaseRefusal) -> String? {
        guard act.surface == .panel else {
            throw ReleaseRefusal(reason: "nothing was chosen in Latchkey's own interface")
        }
        guard let confirmed, confirmed == chosen else {
            throw ReleaseRefusal(reason: "the program was replaced in the meantime")
        }
        guard wasReleasedBefore || act.authentication == .passphrase else {
            throw ReleaseRefusal(reason: "the first time in a program takes the passphrase")
        }
        guard secret.isSame(as: credential.password) else { throw ReleaseRefusal(reason: "it is another code") }
        guard !hosts.isEmpty else { throw ReleaseRefusal(reason: "nothing is saved for this program") }
        let standing = CodeOffers(policy.suffixes).standing(of: binding, forAppWith: hosts)
        guard standing.basis != nil else { throw ReleaseRefusal(reason: standing.refusedBecause) }
        return standing == .unbound ? "bound to no site" : "bound to a host of the program"
    }
}

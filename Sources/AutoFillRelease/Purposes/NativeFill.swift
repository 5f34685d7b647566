// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillAssociations
internal import AutoFillCredentials
package import AutoFillMatching

/// Fills a saved password into the fields of a native program that does not ask by itself.
package struct NativeFill: ReleasePurpose {
    /// Why this credential may go to this program.
    package enum Ground: Sendable {
        /// The site that it was saved for names the program's app as its own.
        case association(VerifiedApp, VerifiedAssociation?)
        /// The user has bound the account to the program.
        case binding(ProgramBinding)
        /// The user chooses it for this one time.
        case choice
    }

    private let chosen: VerifiedProgram
    private let confirmed: VerifiedProgram?
    private let ground: Ground
    private let wasReleasedBefore: Bool

    /// - Parameters:
    ///   - confirmed: The program as identified after everything else, like what is in `ground`.
    ///   - wasReleasedBefore: Whether this credential went to this program before.
    package init(
        chosen: VerifiedProgram, confirmed: VerifiedProgram?, on ground: Ground, wasReleasedBefore: Bool
    ) {
        self.chosen = chosen
        self.confirmed = confirmed
        self.ground = ground
        self.wasReleasedBefore = wasReleasedBefore
    }

    package var destination: Destination { .program(chosen) }
    package var requester: String { chosen.place }
    package var isOfTheAccount: Bool { true }
    package var takenBack: String { "the form was left" }

    package func check(
        _ credential: HeldCredential, _ act: UserAct, _ policy: MatchPolicy
    ) throws(ReleaseRefusal) -> String? {
        guard act.surface == .panel || act.surface == .window else {
            throw ReleaseRefusal(reason: "nothing was chosen in Latchkey's own interface")
        }
        guard let confirmed, confirmed == chosen else {
            throw ReleaseRefusal(reason: "the program was replaced in the meantime")
        }
        // Any program of an X11 session can press on the panel, so a press alone never admits a program.
        guard wasReleasedBefore || act.authentication == .passphrase else {
            throw ReleaseRefusal(reason: "the first time in a program takes the passphrase")
        }
        switch ground {
        case .association(let app, let association):
            guard app.program == chosen.program else { throw ReleaseRefusal(reason: "the program is another app") }
            try policy.check(credential, for: app.identifier, association)
            return nil
        case .binding(let binding):
            let identity = credential.identity
            guard binding.covers(chosen), binding.provider == credential.provider.rawValue,
                binding.record == identity.recordIdentifier, binding.user == identity.user,
                binding.service == identity.service.value
            else { throw ReleaseRefusal(reason: "it is not bound to this program") }
            return "bound to this program by the user"
        case .choice:
            guard act.agreements.contains(.foreign), act.authentication == .passphrase else {
                throw ReleaseRefusal(reason: "the user has not confirmed that it may be used here")
            }
            return "chosen for this program, as the user said"
        }
    }
}

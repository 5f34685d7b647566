// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillMatching

/// What a credential is released for. Each kind has a type of its own in `Purposes`, and there are no others.
package protocol ReleasePurpose: Sendable {
    /// What the user's act has to name.
    var destination: Destination { get }
    /// Who gets it, as the audit log says it.
    var requester: String { get }
    /// What it is wanted for, for the audit log; `nil` where that goes without saying.
    var wanted: String? { get }
    /// Whether it is the password that an account has.
    var isOfTheAccount: Bool { get }
    /// Whether its provider has to be enabled at the moment of the release.
    var needsEnabledProvider: Bool { get }
    /// Why nothing is released once who asked does not want it any more.
    var takenBack: String { get }

    /// Decides once more, by what is verified, whether the credential may go there.
    ///
    /// - Returns: what the release rests on, where that is more than that it was saved for this place.
    func check(
        _ credential: HeldCredential, _ act: UserAct, _ policy: MatchPolicy
    ) throws(ReleaseRefusal) -> String?
}

extension ReleasePurpose {
    package var wanted: String? { nil }
    package var isOfTheAccount: Bool { false }
    package var needsEnabledProvider: Bool { true }
}

/// Why a release is refused.
package struct ReleaseRefusal: Error, Equatable {
    package let reason: String

    package init(reason: String) {
        self.reason = reason
    }
}

/// How things stand at the moment of a release, after everything that took time.
package struct ReleaseMoment: Sendable {
    private let epoch: UserAct.Epoch?
    private let isProviderEnabled: Bool
    private let isTakenBack: Bool
    private let ended: String?

    /// - Parameters:
    ///   - epoch: the present one; `nil` while locked.
    ///   - isTakenBack: whether who asked does not want it any more.
    ///   - ended: why the credential itself is none any more.
    package init(
        epoch: UserAct.Epoch?, isProviderEnabled: Bool, isTakenBack: Bool = false, ended: String? = nil
    ) {
        self.epoch = epoch
        self.isProviderEnabled = isProviderEnabled
        self.isTakenBack = isTakenBack
        self.ended = ended
    }

    func check(_ purpose: any ReleasePurpose, _ act: UserAct) throws(ReleaseRefusal) {
        guard epoch == act.epoch else { throw ReleaseRefusal(reason: "Latchkey was locked in the meantime") }
        if let ended { throw ReleaseRefusal(reason: ended) }
        guard isProviderEnabled || !purpose.needsEnabledProvider else {
            throw ReleaseRefusal(reason: "the provider was disabled in the meantime")
        }
        guard !isTakenBack else { throw ReleaseRefusal(reason: purpose.takenBack) }
    }
}

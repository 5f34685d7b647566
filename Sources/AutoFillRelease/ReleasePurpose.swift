// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillMatching

/// The purpose of a release. Each kind has its own type in `Purposes`; there are no others.
package protocol ReleasePurpose: Sendable {
    /// The destination that the user's act has to name.
    var destination: Destination { get }
    /// The recipient, as the audit log words it.
    var requester: String { get }
    /// The use of the secret, as the audit log words it, or `nil` if that is obvious.
    var wanted: String? { get }
    /// Whether it is an account's current password.
    var isOfTheAccount: Bool { get }
    /// Whether its provider has to be enabled at the moment of the release.
    var needsEnabledProvider: Bool { get }
    /// The beginning of what the requester is told of a refusal.
    var failed: String { get }
    /// The reason for the refusal when the requester no longer wants the credential.
    var takenBack: String { get }

    /// Decides again, from verified facts, whether the credential may be released.
    ///
    /// - Returns: The basis of the release, or `nil` if it is simply that the credential was saved for this place.
    func check(
        _ credential: HeldCredential, _ act: UserAct, _ policy: MatchPolicy
    ) throws(ReleaseRefusal) -> String?
}

extension ReleasePurpose {
    package var wanted: String? { nil }
    package var failed: String { "Nothing was filled" }
    package var isOfTheAccount: Bool { false }
    package var needsEnabledProvider: Bool { true }
}

/// The reason why a release is refused.
package struct ReleaseRefusal: Error, Equatable {
    package let reason: String

    package init(reason: String) {
        self.reason = reason
    }
}

/// The circumstances at the moment of a release, determined after everything that took time.
package struct ReleaseMoment: Sendable {
    private let epoch: UserAct.Epoch?
    private let isProviderEnabled: Bool
    private let isTakenBack: Bool
    private let ended: String?

    /// - Parameters:
    ///   - epoch: The current epoch, or `nil` while locked.
    ///   - isTakenBack: Whether the requester no longer wants the credential.
    ///   - ended: The reason why the credential itself is no longer valid, or `nil` if it is.
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

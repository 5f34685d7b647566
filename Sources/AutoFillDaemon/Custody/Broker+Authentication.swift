// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillIPC
internal import AutoFillRelease

/// The facts about the session that user questions depend on.
extension Broker: UserAuthenticating {
    var isUnlocked: Bool { unlocked != nil }

    var hasPIN: Bool { pin.isSet }

    var takesFingerprints: Bool { preferences.fingerprint == true }

    var asksAlways: Bool { authentication.preference == .always }

    /// The time between the last unlock and the next lock.
    var epoch: UserAct.Epoch { .init(lockCount) }

    /// The authentication that is required before a choice counts.
    func requirement(of choice: UserChoice) -> UserAct.Requirement {
        authentication.requirement(
            on: choice.surface, isSettled: choice.isSettled, guardHeld: choice.guardHeld,
            isFill: choice.isFill, consent: choice.demanded, followsPassword: choice.followsPassword, at: time.now())
    }

    /// How the user counts as authenticated when no question is asked.
    func standingAuthentication(isFill: Bool) -> UserAct.Authentication {
        let preference = isFill ? authentication.fills : authentication.preference
        return preference == .never ? .notAsked : authentication.means.recent
    }

    func spendFreshAuthentication() -> UserAct.Authentication? {
        fresh.spend(for: WireRequest.current, at: time.now())
    }

    func checkUnlocked() throws {
        _ = try requireUnlocked()
    }
}

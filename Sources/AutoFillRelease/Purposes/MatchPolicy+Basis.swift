// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAssociations
internal import AutoFillCredentials
internal import AutoFillMatching

extension MatchPolicy {
    /// Decides the match with a document again, and checks that the user agreed to everything it demands.
    func basis(
        of saved: SavedService, for chosen: VerifiedOrigin, _ act: UserAct
    ) throws(ReleaseRefusal) -> String? {
        let match = match(saved, for: chosen.chain)
        if let refusal = match.refusal {
            guard act.agreements.contains(.foreign), mayBeUsedAnyway(saved, in: chosen.chain) else {
                throw ReleaseRefusal(reason: refusal.rawValue)
            }
            guard act.surface != .bar, act.authentication == .passphrase else {
                throw ReleaseRefusal(reason: "a password saved for another place takes the passphrase")
            }
            return "used here anyway, as the user said" + (act.agreements.contains(.keeping) ? ", and from now on" : "")
        }
        for consent in match.consent where !act.agreements.contains(.to(consent)) {
            throw ReleaseRefusal(reason: "the user did not agree to it \(consent.words)")
        }
        let agreed = match.consent.map { $0.words + ", agreed to" }
        let relation = match.decision == .sameSite ? ["another host of the same site"] : []
        let whole = (relation + agreed).joined(separator: "; ")
        return whole.isEmpty ? nil : whole
    }

    /// Decides again whether a credential is for an app, by that app's own association.
    func check(
        _ credential: HeldCredential, for app: AppIdentifier, _ association: VerifiedAssociation?
    ) throws(ReleaseRefusal) {
        let own = association.flatMap { $0.app == app ? $0 : nil }
        let match = match(credential.identity, for: own.map { [$0] } ?? [])
        guard match.decision == .associated else {
            throw ReleaseRefusal(reason: (match.refusal ?? .notAssociated).rawValue)
        }
    }
}

extension UserAct {
    /// A tap inside a page is only a choice. If authentication is demanded, it has to have taken place outside the page.
    func checkTap() throws(ReleaseRefusal) {
        guard
            surface != .bar || requirement != .authentication
                || [.passphrase, .pin, .fingerprint].contains(authentication)
        else {
            throw ReleaseRefusal(reason: "a tap in a page does not authenticate")
        }
    }

    /// A credential for an app is chosen on a surface that the app does not draw.
    func checkSurfaceOfOurs() throws(ReleaseRefusal) {
        guard surface == .terminal || surface == .window else {
            throw ReleaseRefusal(reason: "nothing was chosen in Latchkey's own interface")
        }
    }
}

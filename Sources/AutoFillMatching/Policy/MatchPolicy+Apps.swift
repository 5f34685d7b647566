// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension MatchPolicy {
    /// Whether a credential may be offered to an app whose verified associations are these.
    ///
    /// An association stands for its host over https, or for every host below it. Another host of the same site has not said that
    /// the app is its own, and other people may answer for it; so what was saved there is not offered.
    public func match(_ saved: SavedService, associated hosts: [AssociatedHost]) -> Match {
        guard let origin = saved.origin else { return .refused(.unreadableService, of: saved, []) }
        var reasons: [MatchStep] = [.savedFor(origin)]
        var refusal = MatchRefusal.notAssociated
        for host in hosts where covers(host, origin.host) {
            guard let page = Origin(scheme: .https, host: origin.host) else { continue }
            guard origin.port == page.port || origin.isUpgraded(by: page) else {
                refusal = .otherPort
                continue
            }
            // One word for all hosts below is not the host's own.
            guard !saved.isStrict || !host.coversSubdomains else {
                refusal = .strict
                continue
            }
            reasons.append(.associated(host))
            return Match(decision: .associated, savedFor: origin.written, steps: reasons)
        }
        return .refused(refusal, of: saved, reasons)
    }

    /// Whether an association stands for a host. One for all hosts below a public suffix stands for none.
    private func covers(_ association: AssociatedHost, _ host: String) -> Bool {
        guard association.coversSubdomains else { return association.host == host }
        return host.hasSuffix("." + association.host) && suffixes.areSameSite(association.host, host)
    }
}

extension AssociatedHost: CustomStringConvertible {
    /// As it is written in an entitlement.
    public var description: String { coversSubdomains ? "*." + host : host }
}

// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension AssociationBook {
    /// The domains whose sites say that they are an app's, and nothing else: what may be offered to it.
    public func verifiedAssociations(for app: AppIdentifier) -> [VerifiedAssociation] {
        guard let record = content.apps.first(where: { $0.identifier == app }) else { return [] }
        return record.domains.compactMap { try? verify($0, of: record).get() }
    }

    /// The verified association of an app that covers a host, or why there is none.
    public func association(of app: AppIdentifier, with host: String) -> Result<VerifiedAssociation, AssociationRefusal>
    {
        guard let record = content.apps.first(where: { $0.identifier == app }) else { return .failure(.notStated) }
        var refusal = AssociationRefusal.notStated
        for domain in record.domains where domain.domain.covers(host: host) {
            switch verify(domain, of: record) {
            case .success(let association): return .success(association)
            case .failure(let reason): refusal = reason
            }
        }
        return .failure(refusal)
    }

    /// How everything stands, in the order in which it came.
    ///
    /// - Parameter app: Only this one's, where it is something.
    public func standings(of app: AppIdentifier? = nil) -> [Standing] {
        content.apps.filter { app == nil || $0.identifier == app }.flatMap { record in
            record.domains.map { domain in
                Standing(
                    association: UnverifiedAssociation(app: record.identifier, domain: domain.domain),
                    verdict: refusedMode(domain, of: record) ?? domain.state.verdict,
                    isVerified: (try? verify(domain, of: record).get()) != nil, isStatedByApp: domain.isStatedByApp,
                    approved: domain.state.approved, checked: domain.state.checked, next: domain.state.next)
            }
        }
    }

    /// What happened lately.
    ///
    /// - Parameter number: The last line that is known already.
    public func log(above number: Int = 0) -> [AssociationLog.Line] {
        content.log.lines.filter { $0.number > number }
    }

    public var isDeveloperModeOn: Bool { content.isDeveloperModeOn }

    public var source: AssociationSource { content.source }

    /// Whether apps under development may have their sites asked whatever the certificate.
    public func setDeveloperMode(_ isOn: Bool) throws {
        let moment = now()
        try change { content in
            guard content.isDeveloperModeOn != isOn else { return }
            content.isDeveloperModeOn = isOn
            content.log.add("Developer mode \(isOn ? "on" : "off")", at: moment)
            // What a site said while any certificate would do counts for nothing after.
            content.forgetFindings(at: moment) { !$0.mode.isEmpty }
        }
    }

    /// Who is asked for sites' files from now on; what another source said counts for nothing any more.
    public func setSource(_ source: AssociationSource) throws {
        let moment = now()
        try change { content in
            guard content.source != source else { return }
            content.source = source
            content.log.add("Source of associations: \(source)", at: moment)
            content.forgetFindings(at: moment) { $0.mode.isEmpty }
        }
    }

    func verify(_ domain: Domain, of app: App) -> Result<VerifiedAssociation, AssociationRefusal> {
        if let refused = refusedMode(domain, of: app) { return .failure(.notApproved(refused)) }
        return AssociationVerifier.verify(
            UnverifiedAssociation(app: app.identifier, domain: domain.domain), domain.state, now: now())
    }

    /// Why a site is not even asked; nothing where it is.
    func refusedMode(_ domain: Domain, of app: App) -> AssociationVerdict? {
        if domain.isRemoved { return .removed }
        let mode = domain.domain.mode
        if mode.contains(.developer), !content.isDeveloperModeOn || !app.isDebugBuild {
            return .modeNotAllowed(.developer)
        }
        if mode.contains(.managed), !administration.allows(app.identifier, domain.domain) {
            return .modeNotAllowed(.managed)
        }
        return nil
    }
}

extension AssociationBook.Content {
    fileprivate mutating func forgetFindings(at moment: Int64, where isMeant: (AssociatedDomain) -> Bool) {
        for app in apps.indices {
            for place in apps[app].domains.indices where isMeant(apps[app].domains[place].domain) {
                apps[app].domains[place].state = AssociationState(declared: moment)
            }
        }
    }
}

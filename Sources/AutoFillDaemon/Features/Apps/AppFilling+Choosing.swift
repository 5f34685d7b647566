// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillAssociations
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillMatching
internal import AutoFillRelease

/// Shows the user the credentials that an app may be given, and waits for a choice.
extension AppFilling {
    /// The user's choice for an app.
    enum AppChoice {
        case row(AppChooser.Row)
        /// The user wants to choose in this provider's own list.
        case list(BundleIdentifier)
    }

    /// Shows the credentials that may go to the app, and returns the user's choice.
    func choice(
        of type: CredentialType, for app: VerifiedApp, _ requester: AppRequester, _ surface: AppSurface
    ) async throws -> AppChoice {
        let domains = app.entitlement.domains.map(AppRequests.host)
        let shown = try await SystemSurface(
            .init(
                requester: requester.name, provider: nil,
                site: domains.isEmpty ? nil : domains.prefix(3).joined(separator: ", ")),
            on: questions.interfaces, over: surface.renderer)
        defer { Task { await shown.end() } }
        await shown.show(AppChooser.waiting)
        await appAssociations.declare(app.entitlement)
        let standings = await appAssociations.associations?.check(app.identifier) ?? []
        let verified = await appAssociations.associations?.verifiedAssociations(for: app.identifier) ?? []
        let problems =
            verified.isEmpty
            ? standings.map { Self.sentence($0) } : []
        let lists = await lists(of: type, for: verified)
        _ = try broker.requireUnlocked()
        // Watch before reading the codes, so that a code that comes in between is not missed.
        if type == .oneTimeCode { watch(shown) }
        defer { unwatch(shown) }
        var chooser = AppChooser(app: app, rows: try await rows(of: type, for: verified), problems: problems)
        chooser.type = type
        chooser.lists = lists
        chooser.withheld = type == .oneTimeCode ? withheldCodes(for: verified) : []
        await shown.show(chooser.interface)
        while true {
            switch try await shown.nextEvent() {
            case .changed:
                // Redraw only if something changed for this app: the user may be in the middle of something.
                let verified = await appAssociations.associations?.verifiedAssociations(for: app.identifier) ?? []
                if chooser.replace(try await rows(of: type, for: verified)) { await shown.show(chooser.interface) }
            case .act(let act):
                switch chooser.take(act) {
                case .chosen(let row):
                    await shown.end()
                    return .row(row)
                case .list(let provider):
                    await shown.end()
                    return .list(provider)
                case .redraw: await shown.show(chooser.interface)
                case .nothing: continue
                }
            }
        }
    }

    /// The credentials saved for hosts that name the app as their own, by provider order, rank, then recency. The lookup does not count as
    /// activity of the user: an arriving code causes it too.
    private func rows(of type: CredentialType, for associations: [VerifiedAssociation]) async throws
        -> [AppChooser.Row]
    {
        let terms = broker.rules.terms.terms(for: associations.compactMap(\.host))
        let policy = broker.rules.policy
        let offered = try await stores.lookup(terms) { _, identities in
            identities.filter {
                $0.type == type && policy.match($0, for: associations).decision == .associated
            }
        }
        guard let keys = broker.unlocked else { throw Broker.lockedMeanwhile }
        var rows: [AppChooser.Row] = []
        let received = type == .oneTimeCode ? receivedRows(for: associations) : []
        rows += received.filter { !$0.isUnbound }
        for (provider, found) in offered {
            let name = keys.order.count > 1 ? self.broker.name(of: provider) : nil
            rows += found.enumerated().sorted { ($1.element.rank, $0.offset) < ($0.element.rank, $1.offset) }
                .map { .init(provider: provider, identity: $0.element, providerName: name) }
        }
        return rows + received.filter(\.isUnbound)
    }

    /// A site's verdict as a sentence for people.
    private static func sentence(_ standing: AssociationBook.Standing) -> String {
        let detail = AssociationText.detail(standing.verdict).map { ": \($0)" } ?? ""
        return "\(standing.association.domain.domain) has not confirmed this app "
            + "(\(AssociationText.word(standing.verdict))\(detail))."
    }
}

// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillMatching
internal import AutoFillRelease
internal import SecurityCodes
internal import ShownText

/// Finds the identities that match a page, and makes rows of them.
@DaemonActor final class PageRows {
    let broker: Broker
    let stores: IdentityStores
    let consents: UserConsents
    let pageSessions: PageSessions
    let lastUses: LastUses

    init(
        _ broker: Broker, stores: IdentityStores, consents: UserConsents, pageSessions: PageSessions, lastUses: LastUses
    ) {
        self.lastUses = lastUses
        self.broker = broker
        self.stores = stores
        self.consents = consents
        self.pageSessions = pageSessions
    }

    /// Maximum number of identities of other hosts after those of the exact host: a site may have any number of hosts.
    nonisolated private static let relatedLimit = 100

    /// The identities that match: those of the exact host first, then those of other hosts. Equals are sorted by provider order, rank, last
    /// use, then recency (the order in which a store returns them).
    ///
    /// - Parameter limit: the maximum for each provider, so that one provider does not crowd out the others.
    func matches(
        limit: Int, type: CredentialType = .password, _ origin: Origin,
        _ decide: @escaping @Sendable (SavedService) -> Match
    ) async throws -> [FoundIdentity] {
        _ = try broker.requireUnlocked()
        let words = broker.rules.terms.terms(for: origin)
        let uses = lastUses.times
        let found = try await stores.lookup(words) { provider, identities in
            let offered =
                identities
                .filter { $0.type == type }
                .map { FoundIdentity(provider: provider, identity: $0, match: decide(SavedService($0))) }
                .filter(\.match.isOffered)
            let sorted = Self.withoutRepetition(offered.sorted { Self.isBefore($0, $1, uses) })
            let exact = sorted.prefix { $0.match.decision == .exact }
            return Array((exact + sorted[exact.endIndex...].prefix(Self.relatedLimit)).prefix(limit))
        }
        return found.flatMap(\.value).sorted { $0.match.rank < $1.match.rank }
    }

    /// Sorts by match, rank, then last use. Sorting is stable, so recency decides among equals.
    nonisolated private static func isBefore(
        _ one: FoundIdentity, _ other: FoundIdentity, _ uses: LastUses.Times
    ) -> Bool {
        (one.match.rank, other.identity.rank, uses.time(of: other))
            < (other.match.rank, one.identity.rank, uses.time(of: one))
    }

    /// Keeps one row, the best, of a credential that was saved for several hosts of a site.
    nonisolated private static func withoutRepetition(_ found: [FoundIdentity]) -> [FoundIdentity] {
        var seen: Set<String> = []
        return found.filter { found in
            guard let record = found.identity.recordIdentifier else { return true }
            return seen.insert(record + "\u{0}" + found.identity.user).inserted
        }
    }

    /// The saved site that a page without matches imitates; `nil` if there is none.
    func lookalike(_ origin: Origin) async throws -> Lookalike? {
        let words = broker.rules.lookalikes.terms(for: origin)
        guard !words.isEmpty else { return nil }
        let candidates = try await stores.lookup(words) { $1 }.flatMap(\.value)
        return broker.rules.lookalikes.warning(for: origin, among: candidates.map(SavedService.init))
    }

    func row(_ found: FoundIdentity, in session: String, at place: VerifiedOrigin) -> Row {
        let (identity, provider, match) = (found.identity, found.provider, found.match)
        return Row(
            handle: pageSessions.book.offer(identity, of: provider, in: session), title: title(identity),
            user: DisplayText(identity.user, placeholder: ""), provider: provider.rawValue,
            providerName: shownName(of: provider), fills: true,
            relation: match.needsLabel ? match.decision.word : nil,
            savedFor: match.needsLabel ? DisplayText(match.savedFor) : nil,
            top: consents.open(match, for: identity, of: provider, in: place.chain).lazy.compactMap { consent in
                if case .frame(let top, _) = consent { DisplayText(top.description) } else { nil }
            }.first)
    }

    func unfillable(_ identity: CredentialIdentity, of provider: BundleIdentifier, because reason: String)
        -> Row
    {
        Row(
            title: title(identity), user: DisplayText(identity.user, placeholder: ""), provider: provider.rawValue,
            providerName: shownName(of: provider), fills: false, refusal: DisplayText(reason))
    }

    /// The provider's name for a row; `nil` if there is only one provider.
    func shownName(of provider: BundleIdentifier) -> DisplayText? {
        (broker.unlocked?.stores.count ?? 0) > 1 ? DisplayText(broker.name(of: provider)) : nil
    }

    func title(_ identity: CredentialIdentity) -> DisplayText {
        let service = Origin(written: identity.service.value)?.written ?? identity.service.value
        return identity.type == .oneTimeCode ? "code for \(service)" : "password for \(service)"
    }
}

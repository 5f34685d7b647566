// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillIdentityStore
internal import AutoFillMatching
internal import AutoFillRelease

/// Explains why a credential is offered for a page or an app, and why others are not.
@DaemonActor final class ExplainFeature {
    let broker: Broker
    let stores: IdentityStores
    let codeMessages: CodeMessages

    init(_ broker: Broker, stores: IdentityStores, codeMessages: CodeMessages) {
        self.broker = broker
        self.stores = stores
        self.codeMessages = codeMessages
    }

    /// Maximum number of identities in an explanation.
    private static let explainedLimit = 200

    func explain(_ params: Explain.Params) async throws -> Explain.Answer {
        var answer = Explain.Answer(
            state: !broker.isInitialized ? "uninitialized" : broker.unlocked == nil ? "locked" : "ready",
            preferences: broker.preferences,
            suffixes: .init(source: broker.rules.quirks.suffixes.source, date: broker.rules.quirks.suffixes.date),
            sharedGroups: broker.rules.quirks.shared.count, quirksFolder: broker.rules.quirks.folder)
        guard let keys = broker.unlocked else { return answer }
        answer.providers = explainedProviders(keys)
        if let hosts = params.hosts {
            let associated = hosts.compactMap(AssociatedHost.init(written:))
            answer = try await explain(answer, terms: broker.rules.terms.terms(for: associated), page: nil, near: []) {
                [policy = broker.rules.policy] in policy.match($0, associated: associated)
            }
            answer.codes = codeMessages.explainedCodes { offers, code in
                offers.standing(of: code, forAppWith: associated)
            }
            return answer
        }
        let page = PageExplanation(url: params.url ?? "", frames: params.frames ?? [], broker.rules.quirks)
        guard let chain = page.chain else {
            answer.refusal = page.refusal
            return answer
        }
        // Also search for what a person would look for under this name, beyond what the index finds.
        let label = page.site.flatMap { $0.split(separator: ".").first.map(String.init) }
        let terms = Set(
            broker.rules.terms.terms(for: chain.document) + broker.rules.lookalikes.terms(for: chain.document)
        ).sorted()
        answer = try await explain(answer, terms: terms, page: chain, near: label.map { [$0] } ?? []) {
            [policy = broker.rules.policy] in policy.match($0, for: chain)
        }
        answer.codes = codeMessages.explainedCodes { offers, code in offers.standing(of: code, in: chain) }
        if !answer.candidates.contains(where: { $0.decision != "refused" }) {
            let saved = answer.candidates.map { SavedService(ServiceIdentifier(written: $0.service)) }
            answer.lookalike = broker.rules.lookalikes.warning(for: chain.document, among: saved)?.sentence
        }
        return answer
    }

    private func explainedProviders(_ keys: UnlockedKeys) -> [ExplainedProvider] {
        keys.registry.providers.compactMap { provider in
            BundleIdentifier(provider.identifier).map { identifier in
                ExplainedProvider(
                    identifier: provider.identifier, name: broker.name(of: identifier),
                    enabled: keys.registry.isEnabled(identifier),
                    identities: keys.stores[identifier].flatMap { try? $0.state.count })
            }
        }
    }

    private func explain(
        _ explained: Explain.Answer, terms: [String], page: FrameChain?, near: [String],
        _ decide: @escaping @Sendable (SavedService) -> Match
    ) async throws -> Explain.Answer {
        let limit = Self.explainedLimit
        let matches = try await stores.reading { store in
            var identities = try store.lookup(terms: terms)
            for word in near { identities += try store.page(search: word, limit: limit).identities }
            var seen: Set<CredentialIdentity> = []
            return identities.filter { $0.type != .passkey && seen.insert($0).inserted }.map {
                ($0, decide(SavedService($0)))
            }
        }
        let keys = try broker.requireUnlocked()
        var found: [(match: Match, order: Int, provider: BundleIdentifier, identity: CredentialIdentity)] = []
        for (order, (provider, matches)) in matches.enumerated() {
            found += matches.map { ($0.1, order, provider, $0.0) }
        }
        let sorted = found.enumerated().sorted { one, other in
            (one.element.match.rank, one.element.order, one.offset)
                < (other.element.match.rank, other.element.order, other.offset)
        }.map(\.element)
        var answer = explained
        answer.candidates = sorted.prefix(limit).map { found in
            candidate(found.identity, of: found.provider, found.match, keys, page)
        }
        answer.truncated = sorted.count > limit
        return answer
    }

    private func candidate(
        _ identity: CredentialIdentity, of provider: BundleIdentifier, _ match: Match, _ keys: UnlockedKeys,
        _ page: FrameChain?
    ) -> ExplainedCandidate {
        let digest = page.map {
            SealedRegistry.releaseDigest(origin: $0.place, provider: provider, identity: identity)
        }
        var reasons = match.reasons
        let isFilled = identity.type == .password || identity.type == .oneTimeCode
        if match.isOffered, identity.type == .oneTimeCode {
            reasons.append("it is a source of one-time codes: offered only in fields that ask for a code")
        } else if match.isOffered, !isFilled {
            reasons.append("it is a \(identity.type.rawValue), which is not filled into pages")
        }
        if match.isOffered, !broker.preferences.autoFill { reasons.append("AutoFill is switched off") }
        return ExplainedCandidate(
            provider: provider.rawValue, service: identity.service.value, user: identity.user,
            type: identity.type.rawValue, offered: match.isOffered && isFilled && broker.preferences.autoFill,
            decision: match.decision.word, consent: match.consent.map(\.sentence), reasons: reasons,
            releasedBefore: match.isOffered ? digest.map(keys.registry.wasReleased) : nil,
            rejected: keys.registry.marks(CredentialMarks.name(of: identity, provider: provider)).rejected)
    }
}

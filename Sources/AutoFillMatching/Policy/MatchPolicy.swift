// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials

/// The decision that keeps people safe from phishing, made here and nowhere else.
public struct MatchPolicy: Sendable {
    public let suffixes: PublicSuffixes
    public let shared: SharedCredentials

    public init(suffixes: PublicSuffixes, shared: SharedCredentials) {
        self.suffixes = suffixes
        self.shared = shared
    }

    public init(_ quirks: Quirks) {
        self.init(suffixes: quirks.suffixes, shared: quirks.shared)
    }

    /// Whether a credential may be offered to a document in its frames, and after which questions.
    public func match(_ saved: SavedService, for chain: FrameChain) -> Match {
        decide(saved, document: chain.document, ancestors: chain.ancestors)
    }

    /// What would be offered to a top document of an origin, for a user's own question. It is not evidence, and no release may
    /// rest on it.
    public func match(_ saved: SavedService, supposing origin: Origin) -> Match {
        decide(saved, document: origin, ancestors: [])
    }

    /// Whether a credential may be given to a program of this machine that names the server it talks to, such as git.
    public func match(_ saved: SavedService, for server: NamedServer) -> Match {
        decide(saved, document: server.origin, ancestors: [])
    }

    /// The decision itself, a function of its arguments and of nothing else.
    func decide(_ saved: SavedService, document: Origin, ancestors: [Origin]) -> Match {
        guard let origin = saved.origin else { return .refused(.unreadableService, of: saved, []) }
        var reasons: [MatchStep] = [.savedFor(origin)]
        // 1. Around a document nobody may stand who can be rewritten on the way.
        if let insecure = ancestors.first(where: { !$0.isPotentiallyTrustworthy }) {
            reasons.append(.insecureAncestor(insecure))
            return .refused(.insecureAncestor, of: saved, reasons)
        }
        // 2. Host, scheme and port of the form's own document.
        let decision = compare(origin, document, isStrict: saved.isStrict, &reasons)
        if case .refused(let refusal) = decision { return .refused(refusal, of: saved, reasons) }
        // 3. What the user has to agree to.
        var consent: [Consent] = []
        if decision == .shared { consent.append(.sharedService(savedFor: origin.host)) }
        if !ancestors.isEmpty {
            if ancestors.allSatisfy({ isOneSite($0, document) }) {
                reasons.append(.framesOfOneSite)
            } else {
                let top = ancestors.last ?? document
                consent.append(.frame(top: top, frame: document))
                reasons.append(.frame(document, top: top))
                if shared.asksForOtherServices(document.host) {
                    reasons.append(.asksForOthers(document))
                }
            }
        }
        if document.scheme == .http, decision != .exact, document.isLocal, !document.isPotentiallyTrustworthy {
            consent.append(.insecureLocal(host: document.host))
            reasons.append(.local(document))
        }
        return Match(decision: decision, consent: consent, savedFor: origin.written, steps: reasons)
    }

    /// How two origins are related, in the order exact host, same site, shared accounts.
    private func compare(_ saved: Origin, _ page: Origin, isStrict: Bool, _ reasons: inout [MatchStep]) -> MatchDecision
    {
        if saved.host == page.host {
            if saved.scheme == .https, page.scheme == .http {
                reasons.append(.neverOnHTTP)
                return .refused(.otherScheme)
            }
            guard saved.port == page.port || saved.isUpgraded(by: page) else {
                reasons.append(.port(page.port))
                return .refused(.otherPort)
            }
            reasons.append(.sameHost(page))
            return .exact
        }
        if suffixes.areSameSite(saved.host, page.host) {
            reasons.append(.sameSite(page: page, saved: saved))
            if isStrict { return .refused(.strict) }
            if saved.scheme != page.scheme { return .refused(.otherScheme) }
            if saved.port != page.port { return .refused(.otherPort) }
            return .sameSite
        }
        guard shared.shares(savedFor: saved.host, with: page.host, suffixes: suffixes) else {
            reasons.append(.stranger(page))
            return .refused(.otherHost)
        }
        reasons.append(.shared(page: page, saved: saved))
        if isStrict { return .refused(.strict) }
        guard saved.scheme == .https, page.scheme == .https else { return .refused(.otherScheme) }
        guard saved.port == 443, page.port == 443 else { return .refused(.otherPort) }
        return .shared
    }

    /// Whether two origins are of one site with one scheme, as the HTML standard has "same site": ports do not count.
    public func isOneSite(_ first: Origin, _ second: Origin) -> Bool {
        first.scheme == second.scheme
            && (first.host == second.host || suffixes.areSameSite(first.host, second.host))
    }
}

extension SavedService {
    /// The origin that it was saved for; nothing for an app and for what cannot be read.
    public var origin: Origin? {
        service.kind == .domain || service.kind == .url ? Origin(written: service.value) : nil
    }
}

extension Origin {
    /// Whether another origin is this one over https, on the ports that both have by default.
    func isUpgraded(by other: Origin) -> Bool {
        scheme == .http && other.scheme == .https && port == 80 && other.port == 443 && host == other.host
    }
}

extension Match {
    static func refused(_ refusal: MatchRefusal, of saved: SavedService, _ reasons: [MatchStep]) -> Match {
        Match(
            decision: .refused(refusal), savedFor: saved.origin?.written ?? saved.service.value,
            steps: reasons + [.refused(refusal)])
    }
}

// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillIdentityStore
internal import AutoFillMatching
internal import AutoFillRelease
internal import AutoFillSecrets
internal import Foundation
internal import Logging
internal import ShownText

/// A credential that git may be given.
struct GitCandidate: Sendable {
    let provider: BundleIdentifier
    let identity: CredentialIdentity
    let fit: GitFit
    let marks: CredentialMarks

    /// The better ones first: those that no server said no to, that fit more closely, that their provider ranks higher.
    static func sorted(_ candidates: [GitCandidate]) -> [GitCandidate] {
        candidates.enumerated().sorted { one, other in
            let (a, b) = (one.element, other.element)
            // A provider may state any number: none is turned round.
            return (a.marks.rejected == nil ? 0 : 1, a.fit.rawValue, b.identity.rank, one.offset)
                < (b.marks.rejected == nil ? 0 : 1, b.fit.rawValue, a.identity.rank, other.offset)
        }.map(\.element)
    }

    /// Under which it is marked and agreed to.
    var name: String { CredentialMarks.name(of: identity, provider: provider) }
    /// Whether it may be given without the user's looking at it.
    var isPlain: Bool { fit != .elsewhere && marks.rejected == nil }

    /// What the user acts on by choosing it.
    func subject(for request: GitRequest, in epoch: UserAct.Epoch) -> ActSubject {
        ActSubject(identity: identity, provider: provider, destination: .git(request), epoch: epoch)
    }

    var account: GitAccount {
        let note: DisplayText? =
            if marks.rejected != nil {
                "the server said no to it the last time"
            } else if fit == .elsewhere {
                "not for this very place"
            } else {
                nil
            }
        return GitAccount(
            user: DisplayText(identity.user, placeholder: "(no user name)"),
            service: DisplayText(identity.service.value), note: note)
    }
}

/// What git's credential helper asks: get, store, erase.
extension Broker {
    // MARK: Get

    /// A login for git, after the user agreed; nothing where there is none, where nobody can be asked, and where the user says no.
    func gitGet(_ params: Git.Get.Params, on client: ClientConnection) async throws -> Git.Get.Answer {
        guard isInitialized, let request = GitRequest(params.target), let caller = client.gitCaller else {
            return .init()
        }
        let asking = GitAsking(request: request, caller: caller, client: client, hasTerminal: params.terminal)
        return try await running(for: nil, on: client) { broker in
            do {
                guard try await broker.gitUnlock(asking) else { return .init() }
                return try await broker.gitGive(asking)
            } catch GitAsking.Answer.quit {
                return .init(quit: true)
            }
        }
    }

    private func gitGive(_ asking: GitAsking) async throws -> Git.Get.Answer {
        let (request, caller) = (asking.request, asking.caller)
        let candidates = try await gitCandidates(request)
        guard let first = candidates.first else { return .init() }
        let epoch = epoch
        let remembered = candidates.lazy.compactMap { candidate in
            self.rememberedAct(on: candidate.subject(for: request, in: epoch), candidate, asking).map {
                (candidate, $0)
            }
        }.first
        let (chosen, act): (GitCandidate, UserAct)
        if let remembered {
            (chosen, act) = remembered
        } else {
            guard asking.hasTerminal || desk.hasPinentry else {
                _ = try gate.refuse(
                    first.identity, of: first.provider, requester: request.site, surface: "terminal",
                    reason: "nobody could be asked", purpose: caller.purpose)
                return .init()
            }
            do {
                (chosen, act) = try await gitChoice(among: candidates, asking, in: epoch)
            } catch let error as WireError where error.code == .userCanceled || error.code == .tooManyAttempts {
                _ = try gate.refuse(
                    first.identity, of: first.provider, requester: request.site, surface: asking.surface(desk).rawValue,
                    reason: error.code == .userCanceled ? "the user said no" : "the user said no a moment ago",
                    purpose: caller.purpose)
                return .init()
            }
        }
        let (credential, _) = try await credential(
            for: chosen.identity, of: chosen.provider, site: request.origin, client: asking.client)
        let fingerprint = credential.fingerprint(gitMemory.fingerprintKey)
        let isRemembered = act.authentication == .remembered
        let password = try release(
            credential, for: GitLogin(request, startedBy: caller.purpose, wasChosen: !isRemembered), act: act)
        gitMemory.released(chosen.identity, of: chosen.provider, for: request, fingerprint: fingerprint)
        if !isRemembered, chosen.isPlain, preferences.gitMemory > .zero {
            gitMemory.agree(caller, request, Data(chosen.name.utf8), until: time.now() + preferences.gitMemory)
        }
        return .init(user: credential.identity.user, password: password, expires: chosen.marks.expires)
    }

    /// What fits, the best first; what has expired is nobody's.
    func gitCandidates(
        _ request: GitRequest, providers: [BundleIdentifier]? = nil, includingExpired: Bool = false
    ) async throws -> [GitCandidate] {
        _ = try requireUnlocked()
        let now = time.date()
        let matches = try await gitMatches(request, in: providers)
        let keys = try requireUnlocked()
        let found = matches.flatMap { provider, matches in
            matches.compactMap { identity, isExact -> GitCandidate? in
                guard request.user == nil || identity.user == request.user,
                    let fit = GitFit(identity.service, isExact: isExact, for: request)
                else { return nil }
                let marks = keys.registry.marks(CredentialMarks.name(of: identity, provider: provider))
                guard includingExpired || marks.expires.map({ $0 > now }) ?? true else { return nil }
                return GitCandidate(provider: provider, identity: identity, fit: fit, marks: marks)
            }
        }
        // Of an item that was saved for several services the best one stands for it.
        var best: [String: GitCandidate] = [:]
        for candidate in found where best[candidate.name].map({ candidate.fit < $0.fit }) ?? true {
            best[candidate.name] = candidate
        }
        let unique = found.filter { best[$0.name]?.identity == $0.identity }
        return GitCandidate.sorted(unique)
    }

    /// What providers have for the server, and whether it is for that very one.
    private func gitMatches(_ request: GitRequest, in providers: [BundleIdentifier]?) async throws
        -> [(provider: BundleIdentifier, value: [(CredentialIdentity, Bool)])]
    {
        let (words, policy) = (rules.terms.terms(for: request.origin), rules.policy)
        return try await lookup(words, of: providers) { _, identities in
            identities.filter { $0.type == .password }.compactMap { identity in
                switch policy.match(SavedService(identity), for: NamedServer(request.origin)).decision {
                case .exact: (identity, true)
                case .sameSite: (identity, false)
                default: nil
                }
            }
        }
    }

    // MARK: Store

    /// A login worked. What git was given stays as it is; anything else is saved when the user wants it. Before the user has said so it
    /// is compared with nothing that is saved.
    func gitStore(_ params: Git.Store.Params, on client: ClientConnection) async throws -> Git.Store.Answer {
        let ignored = Git.Store.Answer(outcome: "ignored")
        guard unlocked?.stores[.builtIn] != nil, let request = GitRequest(params.target), let user = request.user,
            let caller = client.gitCaller, params.expires.map({ $0 > time.date() }) ?? true
        else { return ignored }
        let given = params.password
        let password = given.bytes
        let fingerprint = HeldSecret.fingerprint(password, gitMemory.fingerprintKey)
        switch gitMemory.compare(request, fingerprint: fingerprint) {
        case .same(let provider, let identity):
            try worked(CredentialMarks.name(of: identity, provider: provider), expires: params.expires)
            return .init(outcome: "known")
        case .other(let provider, let identity): try noteGuess(at: identity, of: provider, request, caller)
        case .unknown: break
        }
        let candidates = try await gitCandidates(request, providers: [.builtIn], includingExpired: true).filter {
            $0.fit != .elsewhere
        }
        // What was sent in the clear is no secret worth keeping, unless it was never meant to leave this machine.
        guard request.origin.scheme == .https || request.origin.isPotentiallyTrustworthy || !candidates.isEmpty else {
            return ignored
        }
        let asking = GitAsking(request: request, caller: caller, client: client, hasTerminal: params.terminal)
        // The very place and the very user, and no other: an item for the whole server is not one for a repository.
        let old = candidates.first { ($0.fit == .path) == (request.path != nil) }?.identity.recordIdentifier
        return try await running(for: nil, on: client) { broker in
            guard try await broker.gitMaySave(user, isNew: old == nil, asking) else { return ignored }
            guard let id = old else {
                let added: Items.Add.Answer = try await broker.manage(
                    Items.Add.name,
                    JSONValue(
                        encoding: Items.Add.Params(items: [
                            NewItem(services: [request.service], user: user, password: params.password)
                        ]))
                ).decoded()
                if let id = added.items.first?.id, params.expires != nil {
                    try broker.worked(CredentialMarks.name(record: id, provider: .builtIn), expires: params.expires)
                }
                return .init(outcome: "saved")
            }
            // Only a user who has been asked has acted. Without that nothing is compared, and the answer is the same for any password.
            if broker.preferences.gitSave != "always", try await broker.gitHas(password, id) {
                try broker.worked(CredentialMarks.name(record: id, provider: .builtIn), expires: params.expires)
                return .init(outcome: "known")
            }
            _ = try await broker.manage(
                Items.Edit.name, JSONValue(encoding: ItemChanges(id: id, password: params.password)))
            try broker.worked(CredentialMarks.name(record: id, provider: .builtIn), expires: params.expires)
            return .init(outcome: "updated")
        }
    }

    /// Whether an item of the built-in provider has a password. Nothing is released: who asks has it already.
    private func gitHas(_ password: SecretBytes, _ id: String) async throws -> Bool {
        let answer: Items.Reveal.Answer = try await supervisor.manage(
            "manage.reveal", JSONValue(encoding: Items.Reveal.Params(id: id)), launch: launch()
        ).decoded()
        return HeldSecret(answer.password).isSame(as: password)
    }

    /// Git was given a password and names another one: a guess, or a password from elsewhere. Either way it is written down.
    private func noteGuess(
        at identity: CredentialIdentity, of provider: BundleIdentifier, _ request: GitRequest, _ caller: GitCaller
    ) throws {
        _ = try gate.refuse(
            identity, of: provider, requester: request.site, surface: "terminal",
            reason: "git names another password than it was given", purpose: caller.purpose)
    }

    /// A server took it: an earlier no is forgotten.
    private func worked(_ name: String, expires: Int64?) throws {
        try unlocked?.registry.mark(name) { marks in
            marks.rejected = nil
            marks.expires = expires ?? marks.expires
        }
    }

    // MARK: Erase

    /// A server did not take it. The item is marked and stays; nobody is asked, and nothing is told.
    func gitErase(_ params: Git.Erase.Params, on client: ClientConnection) async throws -> Git.Erase.Answer {
        guard unlocked != nil, let request = GitRequest(params.target), let caller = client.gitCaller else {
            return .init(marked: 0)
        }
        let fingerprint = params.password.map { HeldSecret.fingerprint($0.bytes, gitMemory.fingerprintKey) }
        var rejected: [(provider: BundleIdentifier, identity: CredentialIdentity)] = []
        switch gitMemory.compare(request, fingerprint: fingerprint) {
        case .same(let provider, let identity): rejected = [(provider, identity)]
        case .other(let provider, let identity): try noteGuess(at: identity, of: provider, request, caller)
        case .unknown:
            // A password that git was not given is compared with nothing: how many are marked would tell whether it is saved.
            guard params.password == nil, request.user != nil, unlocked?.stores[.builtIn] != nil else { break }
            for candidate in try await gitCandidates(request, providers: [.builtIn], includingExpired: true)
            where candidate.fit != .elsewhere {
                rejected.append((candidate.provider, candidate.identity))
            }
        }
        for (provider, identity) in rejected {
            let name = CredentialMarks.name(of: identity, provider: provider)
            gitMemory.forget(Data(name.utf8))
            try unlocked?.registry.mark(name) { $0.rejected = time.date() }
            try audit.append(
                AuditLine(
                    time: time.date(), event: "rejected", provider: provider.rawValue, service: identity.service.value,
                    user: identity.user, requester: request.site, reason: "the server did not take it",
                    purpose: caller.purpose))
        }
        return .init(marked: rejected.count)
    }

    // MARK: Marks of items

    /// Adds to items what became known of them.
    func marked<Answer: Sendable>(_ answer: Answer) -> Answer {
        switch answer {
        case var page as ItemPage:
            page.items = page.items.map(marked)
            return page as? Answer ?? answer
        case var single as ItemAnswer:
            single.item = marked(single.item)
            return single as? Answer ?? answer
        default: return answer
        }
    }

    private func marked(_ item: Item) -> Item {
        guard let marks = unlocked?.registry.marks(CredentialMarks.name(record: item.id, provider: .builtIn)) else {
            return item
        }
        var item = item
        item.rejected = marks.rejected
        item.expires = marks.expires
        return item
    }

    /// What was known of an item's old state says nothing about the new one.
    func forgetMarks(of change: ItemChanges) {
        let name = CredentialMarks.name(record: change.id, provider: .builtIn)
        try? unlocked?.registry.mark(name) { marks in
            marks.rejected = nil
            if change.password != nil { marks.expires = nil }
        }
        known.forget(record: change.id, of: .builtIn)
    }
}

extension Preferences {
    /// How long an agreement for git holds.
    var gitMemory: Duration { .seconds((gitMinutes ?? 0) * 60) }
}

// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillMatching
internal import AutoFillProviders
internal import AutoFillRelease
internal import AutoFillSecrets
internal import Foundation

/// Answers git's credential helper: get, store, erase.
@DaemonActor final class GitFeature: SessionObserver {
    let broker: Broker
    let stores: IdentityStores
    let providers: InstalledProviders
    let questions: UserQuestions
    let providerInterfaces: ProviderInterfaces
    let runs: Runs
    let items: SavedItems
    /// The releases to git and the user's agreements, since the last unlock.
    private(set) var memory = GitMemory()
    private var unasked = UnaskedRefusals()

    init(
        _ broker: Broker, stores: IdentityStores, providers: InstalledProviders, questions: UserQuestions,
        providerInterfaces: ProviderInterfaces, runs: Runs, items: SavedItems
    ) {
        self.broker = broker
        self.stores = stores
        self.providers = providers
        self.questions = questions
        self.providerInterfaces = providerInterfaces
        self.runs = runs
        self.items = items
    }

    func sessionEnded() {
        memory = GitMemory()
    }

    // MARK: Get

    /// A login for git, after the user has agreed. The answer is empty if there is none, if the user cannot be asked, or if the user
    /// refuses.
    func get(_ params: Git.Get.Params, on client: ClientConnection) async throws -> Git.Get.Answer {
        guard broker.isInitialized, let request = GitRequest(params.target), let caller = client.gitCaller else {
            return .init()
        }
        return try await runs.running(for: nil, on: client) { [self] in
            do {
                var asking = GitAsking(
                    request: request, caller: caller, client: client, hasTerminal: params.terminal)
                let wasLocked = broker.unlocked == nil
                guard try await self.unlock(asking) else { return .init() }
                asking.hasGivenPassphrase = wasLocked && broker.authentication.means == .passphrase
                return try await give(asking, to: client)
            } catch GitAsking.Answer.quit {
                return .init(quit: true)
            }
        }
    }

    /// - Parameter isAgain: Whether the user was asked already about a login that has another user name now.
    private func give(
        _ asking: GitAsking, to client: ClientConnection, isAgain: Bool = false
    ) async throws -> Git.Get.Answer {
        let (request, caller) = (asking.request, asking.caller)
        let candidates = try await self.candidates(for: request)
        guard let first = candidates.first else { return .init() }
        let epoch = broker.epoch
        let remembered = GitCandidate.onlyExact(candidates).flatMap { candidate in
            questions.rememberedAct(
                candidate.choice(for: request, in: epoch), asking, in: memory.agreements,
                for: broker.preferences.gitMemory
            ).map { (candidate, $0) }
        }
        let (chosen, act): (GitCandidate, UserAct)
        if let remembered {
            (chosen, act) = remembered
        } else {
            guard asking.hasTerminal || questions.desk.hasPinentry else {
                if let reason = unasked.reason(at: broker.time.now()) {
                    _ = try broker.gate.refuse(
                        first.identity, of: first.provider, requester: request.site, surface: "terminal",
                        reason: reason, purpose: caller.purpose)
                }
                return .init()
            }
            do {
                (chosen, act) = try await choice(among: candidates, asking, in: epoch)
            } catch let error as WireError where error.code == .userCanceled || error.code == .tooManyAttempts {
                _ = try broker.gate.refuse(
                    first.identity, of: first.provider, requester: request.site,
                    surface: asking.surface(questions.desk).rawValue,
                    reason: error.code == .userCanceled ? "the user said no" : "the user said no a moment ago",
                    purpose: caller.purpose)
                return .init()
            } catch let error as WireError where error.code == .authenticationRequired {
                // The pinentry could not show itself, and there is no terminal.
                _ = try broker.gate.refuse(
                    first.identity, of: first.provider, requester: request.site, surface: "terminal",
                    reason: "nobody could be asked", purpose: caller.purpose)
                return .init()
            }
        }
        let credential: HeldCredential
        do {
            credential = try await providerInterfaces.credential(
                for: chosen.identity, of: chosen.provider, site: request.origin, client: client
            ).0
        } catch let error as WireError where error.reason == InterfaceDesk.nowhere {
            // A provider may learn whose a login is only when it opens it: then it is there under that user's name now.
            let hasNewName = try await self.candidates(for: request).contains {
                $0.name == chosen.name && $0.identity.user != chosen.identity.user
            }
            guard hasNewName, !isAgain else {
                throw WireError(
                    .providerUnavailable,
                    "\(broker.name(of: chosen.provider)) has to ask you something first, for which git has no window. "
                        + "Fill this login once in a browser, and let git try again.")
            }
            var again = asking
            again.hasGivenPassphrase = asking.hasGivenPassphrase || act.authentication == .passphrase
            return try await give(again, to: client, isAgain: true)
        }
        let fingerprint = credential.fingerprint(memory.fingerprintKey)
        let isRemembered = act.authentication == .remembered
        let password = try broker.release(
            credential, for: GitLogin(request, startedBy: caller.purpose, wasChosen: !isRemembered), act: act)
        memory.released(chosen.identity, of: chosen.provider, for: request, fingerprint: fingerprint)
        if !isRemembered {
            memory.agreements.agree(caller, request, Data(chosen.name.utf8), at: broker.time.now())
        }
        return .init(user: credential.identity.user, password: password, expires: chosen.marks.expires)
    }

    /// The credentials that fit a request, the best first. Expired ones are left out unless they are asked for.
    func candidates(
        for request: GitRequest, providers: [BundleIdentifier]? = nil, includingExpired: Bool = false
    ) async throws -> [GitCandidate] {
        _ = try broker.requireUnlocked()
        let now = broker.time.date()
        let matches = try await matches(for: request, in: providers)
        let keys = try broker.requireUnlocked()
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
        // An item saved for several services is represented by its best match.
        var best: [String: GitCandidate] = [:]
        for candidate in found where best[candidate.name].map({ candidate.fit < $0.fit }) ?? true {
            best[candidate.name] = candidate
        }
        let unique = found.filter { best[$0.name]?.identity == $0.identity }
        return GitCandidate.sorted(unique)
    }

    /// The providers' credentials for the server, each with whether it matches that server exactly.
    private func matches(for request: GitRequest, in providers: [BundleIdentifier]?) async throws
        -> [(provider: BundleIdentifier, value: [(CredentialIdentity, Bool)])]
    {
        let (words, policy) = (broker.rules.terms.terms(for: request.origin), broker.rules.policy)
        return try await stores.lookup(words, of: providers) { _, identities in
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

    /// Records that a login worked. A login that git got from here stays as it is; another one is saved if the user wants that. Before the
    /// user has agreed, the password is not compared with any saved one.
    func store(_ params: Git.Store.Params, on client: ClientConnection) async throws -> Git.Store.Answer {
        let ignored = Git.Store.Answer(outcome: "ignored")
        guard broker.unlocked?.stores[.builtIn] != nil, let request = GitRequest(params.target),
            let user = request.user,
            let caller = client.gitCaller, params.expires.map({ $0 > broker.time.date() }) ?? true
        else { return ignored }
        let given = params.password
        let password = given.bytes
        let fingerprint = HeldSecret.fingerprint(password, memory.fingerprintKey)
        switch memory.compare(request, fingerprint: fingerprint) {
        case .same(let provider, let identity):
            try worked(CredentialMarks.name(of: identity, provider: provider), expires: params.expires)
            return .init(outcome: "known")
        case .other(let provider, let identity): try noteGuess(at: identity, of: provider, request, caller)
        case .unknown: break
        }
        let candidates = try await self.candidates(for: request, providers: [.builtIn], includingExpired: true).filter {
            $0.fit != .elsewhere
        }
        // A password sent without encryption is not worth keeping, unless it never leaves this machine.
        guard request.origin.scheme == .https || request.origin.isPotentiallyTrustworthy || !candidates.isEmpty else {
            return ignored
        }
        let asking = GitAsking(request: request, caller: caller, client: client, hasTerminal: params.terminal)
        // Exactly this place and this user: an item for the whole server is not one for a repository.
        let old = candidates.first { ($0.fit == .path) == (request.path != nil) }?.identity.recordIdentifier
        return try await runs.running(for: nil, on: client) { [self] in
            guard try await maySave(user, isNew: old == nil, asking) else { return ignored }
            guard let id = old else {
                let added: Items.Add.Answer = try await items.manage(
                    Items.Add.name,
                    JSONValue(
                        encoding: Items.Add.Params(items: [
                            NewItem(services: [request.service], user: user, password: params.password)
                        ]))
                ).decoded()
                if let id = added.items.first?.id, params.expires != nil {
                    try worked(CredentialMarks.name(record: id, provider: .builtIn), expires: params.expires)
                }
                return .init(outcome: "saved")
            }
            // Compare only after the user was asked. With `always` nothing is compared, so the answer is the same for any password.
            if broker.preferences.gitSave != "always", try await has(password, id) {
                try worked(CredentialMarks.name(record: id, provider: .builtIn), expires: params.expires)
                return .init(outcome: "known")
            }
            _ = try await items.manage(
                Items.Edit.name, JSONValue(encoding: ItemChanges(id: id, password: params.password)))
            try worked(CredentialMarks.name(record: id, provider: .builtIn), expires: params.expires)
            return .init(outcome: "updated")
        }
    }

    /// Whether an item of the built-in provider has a password. This releases nothing: the requester already has the password.
    private func has(_ password: SecretBytes, _ id: String) async throws -> Bool {
        let answer: Items.Reveal.Answer = try await providers.supervisor.manage(
            "manage.reveal", JSONValue(encoding: Items.Reveal.Params(id: id)), launch: providers.launch()
        ).decoded()
        return HeldSecret(answer.password).isSame(as: password)
    }

    /// Records in the audit log that git names another password than it was given: a guess, or a password from elsewhere.
    private func noteGuess(
        at identity: CredentialIdentity, of provider: BundleIdentifier, _ request: GitRequest, _ caller: GitCaller
    ) throws {
        _ = try broker.gate.refuse(
            identity, of: provider, requester: request.site, surface: "terminal",
            reason: "git names another password than it was given", purpose: caller.purpose)
    }

    /// Records that a server accepted a login; an earlier rejection is removed.
    private func worked(_ name: String, expires: Int64?) throws {
        try broker.change { keys in
            try keys.registry.mark(name) { marks in
                marks.rejected = nil
                marks.expires = expires ?? marks.expires
            }
        }
    }

    // MARK: Erase

    /// Records that a server rejected a login. The item is marked and kept; the user is neither asked nor told.
    func erase(_ params: Git.Erase.Params, on client: ClientConnection) async throws -> Git.Erase.Answer {
        guard broker.unlocked != nil, let request = GitRequest(params.target), let caller = client.gitCaller else {
            return .init(marked: 0)
        }
        let fingerprint = params.password.map { HeldSecret.fingerprint($0.bytes, memory.fingerprintKey) }
        var rejected: [(provider: BundleIdentifier, identity: CredentialIdentity)] = []
        switch memory.compare(request, fingerprint: fingerprint) {
        case .same(let provider, let identity): rejected = [(provider, identity)]
        case .other(let provider, let identity): try noteGuess(at: identity, of: provider, request, caller)
        case .unknown:
            // A password that git did not get from here is not compared: the number of marked items would tell whether it is saved.
            guard params.password == nil, request.user != nil, broker.unlocked?.stores[.builtIn] != nil else { break }
            for candidate in try await self.candidates(for: request, providers: [.builtIn], includingExpired: true)
            where candidate.fit != .elsewhere {
                rejected.append((candidate.provider, candidate.identity))
            }
        }
        for (provider, identity) in rejected {
            let name = CredentialMarks.name(of: identity, provider: provider)
            memory.agreements.forget(Data(name.utf8))
            try broker.change { keys in try keys.registry.mark(name) { $0.rejected = broker.time.date() } }
            try broker.audit.append(
                AuditLine(
                    time: broker.time.date(), event: "rejected", provider: provider.rawValue,
                    service: identity.service.value,
                    user: identity.user, requester: request.site, reason: "the server did not take it",
                    purpose: caller.purpose))
        }
        return .init(marked: rejected.count)
    }
}

extension Preferences {
    /// How long an agreement for git holds.
    var gitMemory: Duration { .seconds((gitMinutes ?? 0) * 60) }
}

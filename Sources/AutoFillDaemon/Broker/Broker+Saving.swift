// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillIdentityStore
internal import AutoFillMatching
internal import AutoFillQuirks
internal import AutoFillRelease
internal import AutoFillSecrets
internal import Logging
internal import ShownText

/// What the user typed into a page is saved, if the user wants that: section 8a of `docs/protocol.md`, reasons in `docs/saving.md`.
extension Broker {
    /// A form was sent off. What was typed waits in locked memory until the form is gone; a page learns nothing from the answer,
    /// which is always the same and comes before anything is looked up.
    func submitted(_ params: Submission.Submitted.Params, on client: ClientConnection) {
        guard preferences.autoFill, isInitialized, let origin = savingOrigin(params.frame),
            !saves.isNever(origin.origin.written),
            let form = SubmittedForm(params.page, values: params.values)
        else { return }
        let (tab, host, now) = (params.frame.tab, origin.origin.host, time.now())
        if let user = form.user {
            saves.note(
                user: user, in: form.userField, connection: client.number, tab: tab, host: host, at: now)
        }
        guard let password = form.password else { return }
        let users = saves.users(connection: client.number, tab: tab, host: host, at: now)
        let user = form.user ?? users.first ?? ""
        // Who makes an account, or changes its password, names it there or nowhere: another name may be another account's.
        let others =
            password.kind == .current ? ([form.otherUser].compactMap(\.self) + users).filter { $0 != user } : []
        saves.keep(
            SaveBook.Candidate(
                connection: client.number, tab: tab, document: params.frame.document, origin: origin, user: user,
                otherUsers: others, isUserSure: form.user == nil || form.isUserSure, password: password.value,
                kind: password.kind,
                oldPassword: form.oldPassword, began: now))
        saves.useNames(connection: client.number, tab: tab, host: host)
        expireSaves()
    }

    /// The document of a form, where a password may be saved for it: its origin is known and it was delivered securely, or is on
    /// the local network.
    private func savingOrigin(_ frame: FrameEvidence) -> VerifiedOrigin? {
        guard frame.document == frame.chain.first?.document else { return nil }
        let chain = frame.chain.map {
            ClaimedDocument(origin: ClaimedOrigin($0.origin), documentIdentifier: $0.document)
        }
        guard let origin = try? OriginVerifier.verify(chain).get(),
            origin.origin.isPotentiallyTrustworthy || origin.origin.isLocal
        else { return nil }
        return origin
    }

    /// Wipes what nobody came back for.
    private func expireSaves() {
        guard saveExpiry == nil, let next = saves.expire(at: time.now()) else { return }
        let wait = next - time.now()
        saveExpiry = Task {
            try await Task.sleep(for: max(wait, .seconds(1)))
            self.saveExpiry = nil
            self.saves.expire(at: self.time.now())
            self.expireSaves()
        }
    }

    /// The form is gone: unless the page asks for the same again, which is a no of the site's, the user is asked. Where the form is
    /// still there, the user may ask for it.
    func settled(_ params: Submission.Settled.Params, on client: ClientConnection) {
        guard let candidate = saves.take(client.number, params.tab, params.document, at: time.now()) else {
            guard params.asked == true else { return }
            return tell(
                client, params.tab, "Nothing was saved: what was typed is not kept, or the site is on the never list.")
        }
        let now = params.origin.flatMap(Origin.init(stated:))
        let isSamePlace = now.map { $0.host == candidate.origin.origin.host } ?? true
        let isAsked = params.asked == true
        if !isAsked, let page = params.page, isSamePlace, AfterSubmission(page).rejects(candidate.kind) { return }
        // Few at a time: a renderer that makes up submissions must not keep the providers busy.
        guard runs.values.count(where: { $0.connection == client.number }) < 8 else { return }
        // In a task of its own: the answer to the page must not wait for what is looked up.
        Task {
            do {
                try await self.running(for: nil, on: client) { broker in
                    try await broker.offerSaving(candidate, isAsked: isAsked, on: client)
                }
            } catch let error as WireError {
                guard ![.userCanceled, .timedOut, .busy, .tooManyAttempts].contains(error.code) else { return }
                self.tell(client, candidate.tab, "The password was not saved: \(error.message)")
            } catch {}
        }
    }

    private func tell(_ client: ClientConnection, _ tab: Int, _ message: String) {
        guard let params = try? JSONValue(encoding: Submission.Notice.Params(tab: tab, message: message)) else {
            return
        }
        client.peer?.notify(Submission.Notice.name, params)
    }

    // MARK: The question

    private func offerSaving(
        _ candidate: SaveBook.Candidate, isAsked: Bool, on client: ClientConnection
    ) async throws {
        let origin = candidate.origin.origin
        let requester = "save for " + origin.description
        if unlocked == nil {
            try await ask(question(.unlockToSave, candidate, client), as: requester, over: client) { _ in }
            try await unlockByPrompt(over: client)
        }
        _ = try requireUnlocked()
        guard !saves.isNever(origin.written) else { return }
        do {
            try await settle(candidate, isAsked: isAsked, on: client)
        } catch is PromptDesk.Never {
            _ = try changeNever(origin.written, isNever: true)
        }
    }

    /// Decides, asks, and has it saved.
    ///
    /// - Parameter agreed: The provider, where the user has said yes to saving and corrected the user name. That name may be of an
    ///   account that is saved already, so it is decided once more; what would replace something is asked about.
    private func settle(
        _ candidate: SaveBook.Candidate, isAsked: Bool, agreed: BundleIdentifier? = nil, on client: ClientConnection
    ) async throws {
        let origin = candidate.origin.origin
        let requester = "save for " + origin.description
        let locks = lockCount
        let names = ([candidate.user] + candidate.otherUsers).filter { !$0.isEmpty }
        let accounts = try await accounts(
            at: origin, users: names, password: candidate.password, old: candidate.oldPassword)
        let savers = savers()
        let decision = SaveDecision(
            user: candidate.user, others: candidate.otherUsers, isNameSure: candidate.isUserSure, kind: candidate.kind,
            accounts: accounts, savers: savers.count, appendsCode: siteQuirks.appendsCode(origin.host),
            mayHoldCode: candidate.password.endsLikeCode,
            gaveOld: candidate.oldPassword != nil)
        // What was signed in to is the account that is saved, under whichever name of those that were given.
        let name = names.first { name in accounts.contains { $0.user == name } } ?? candidate.user
        if try await settleUpgrades(by: candidate.renamed(name), isKnown: decision == .nothing(.known), on: client) {
            return
        }
        guard lockCount == locks else { throw Self.lockedMeanwhile }
        switch decision {
        case .nothing(let reason):
            logger.debug("nothing to be saved", metadata: ["reason": "\(reason.rawValue)"])
            if isAsked || agreed != nil {
                tell(client, candidate.tab, "Nothing was saved: \(reason.rawValue).")
            }
        case .save(let user):
            let made = saves.filled(candidate.password)
            let chosen: BundleIdentifier
            if let agreed {
                chosen = agreed
            } else {
                let first = made.map(\.keeper).flatMap { savers.contains($0) ? $0 : nil }
                let order = [first].compactMap(\.self) + savers.filter { $0 != first }
                let agreement = try await ask(
                    savingQuestion(candidate, order, client), as: requester, over: client
                ) { _ in }
                guard let provider = agreement.provider.flatMap({ BundleIdentifier($0) }) ?? order.first else {
                    throw Self.lockedMeanwhile
                }
                if let name = agreement.user, name != candidate.user {
                    guard lockCount == locks else { throw Self.lockedMeanwhile }
                    return try await settle(candidate.renamed(name), isAsked: isAsked, agreed: provider, on: client)
                }
                chosen = provider
            }
            guard lockCount == locks, self.savers().contains(chosen) else { throw Self.lockedMeanwhile }
            // What the provider finds that it would have to replace was not named in the question: it asks itself.
            try await save(
                candidate, user: user, in: chosen, event: "formDidDisappear", word: "saved", made, client)
        case .update(let accounts):
            let agreement = try await ask(
                updatingQuestion(candidate, accounts, client), as: requester, over: client
            ) { _ in }
            guard lockCount == locks,
                let account = accounts.first(where: { $0.provider.rawValue == agreement.provider }) ?? accounts.first,
                self.savers().contains(account.provider)
            else { throw Self.lockedMeanwhile }
            try await save(
                candidate, user: account.user, in: account.provider, event: "userInitiated", word: "updated",
                saves.filled(candidate.password), client)
        }
    }

    /// Whether something new is to be saved, by which of some providers, and under which user name.
    private func savingQuestion(
        _ candidate: SaveBook.Candidate, _ order: [BundleIdentifier], _ client: ClientConnection
    ) -> PromptDesk.Question {
        var question = question(.savePassword, candidate, client)
        question.mayRename = true
        question.provider = order.first.map { DisplayText(name(of: $0)) }
        if order.count > 1 { question.providers = order.map(named) }
        return question
    }

    /// Whether the password of an account is to be replaced, in which of the providers that have the account.
    private func updatingQuestion(
        _ candidate: SaveBook.Candidate, _ accounts: [SaveDecision.Account], _ client: ClientConnection
    ) -> PromptDesk.Question {
        var question = question(.updatePassword, candidate, client)
        question.user = accounts.first.map { DisplayText($0.user, placeholder: "(no user name)") }
        question.provider = accounts.first.map { DisplayText(name(of: $0.provider)) }
        if accounts.count > 1 { question.providers = accounts.map { named($0.provider) } }
        if accounts.contains(where: { $0.isSame == nil }) {
            question.reasons = ["It may be the password that is saved already. Then nothing changes."]
        }
        if !accounts.isEmpty, accounts.allSatisfy({ $0.hadOld == false }) {
            question.reasons.append("The old password that was typed is not the one that is saved.")
        }
        return question
    }

    private func named(_ provider: BundleIdentifier) -> ProviderName {
        ProviderName(identifier: provider.rawValue, name: DisplayText(name(of: provider)))
    }

    private func question(
        _ kind: PromptDesk.Question.Kind, _ candidate: SaveBook.Candidate, _ client: ClientConnection
    ) -> PromptDesk.Question {
        var question = PromptDesk.Question(
            kind: kind, requester: client.requester, site: candidate.origin.origin.description,
            user: candidate.user.isEmpty ? nil : candidate.user)
        let chain = candidate.origin.chain
        if chain.top != chain.document { question.top = DisplayText(chain.top.description) }
        return question
    }

    // MARK: What there is already

    /// How many accounts of one host are compared at most.
    private static let accountLimit = 20

    /// The accounts that were saved for exactly the host, by the identity stores alone, those of the given names first. What was typed is compared
    /// with what was released or saved since the last unlock: a provider that only advertises an account must not learn of a sign-in.
    func accounts(
        at origin: Origin, users: [String], password: SecretBytes, old: SecretBytes?
    ) async throws -> [SaveDecision.Account] {
        _ = try requireUnlocked()
        let (words, policy) = (rules.terms.terms(for: origin), rules.policy)
        var found: [SaveDecision.Account] = []
        let saved = try await lookup(words) { _, identities in
            identities.filter { identity in
                identity.type == .password
                    && policy.match(SavedService(identity), supposing: origin).decision == .exact
            }
        }
        for (provider, identities) in saved {
            let named = identities.filter { users.contains($0.user) } + identities.filter { !users.contains($0.user) }
            for identity in named.prefix(Self.accountLimit) {
                let compared = known.compare(password, with: identity, of: provider)
                found.append(
                    SaveDecision.Account(
                        provider: provider, user: identity.user,
                        isUpdatable: provider == .builtIn || savingProviders[provider] != nil,
                        isSame: compared?.isSame,
                        hadOld: old.flatMap { known.compare($0, with: identity, of: provider)?.isSame },
                        isWithCode: compared?.isWithCode ?? false))
            }
        }
        return found
    }

    // MARK: Saving

    /// Has a provider save; what it cannot save without asking, it asks outside of every page.
    private func save(
        _ candidate: SaveBook.Candidate, user: String, in provider: BundleIdentifier, event: String, word: String,
        _ made: SaveBook.Filled?, _ client: ClientConnection
    ) async throws {
        let origin = candidate.origin
        let locks = lockCount
        let service = ServiceIdentifier(kind: .url, value: origin.origin.description)
        let params = Saving.Save.Params(
            request: 0, service: ServiceStatement(service), user: user, password: WireSecret(candidate.password),
            session: made?.session ?? SuggestionBook.randomName(), event: event, kind: made?.kind,
            context: RequestContext(origin))
        do {
            try await supervisor(of: provider).save(params, launch: launch(of: provider))
        } catch let error as WireError where error.code == .providerExtension(100) {
            _ = try await presented(
                .save(params), of: provider,
                .init(
                    requester: client.requester, provider: name(of: provider), site: origin.origin.description,
                    user: user), context: RequestContext(origin), client: client)
        }
        if lockCount == locks { known.saved(HeldSecret(params.password), at: origin.origin, user: user, by: provider) }
        signsInByPassword { $0.concerns(service: origin.origin.written, user: user) }
        updateOffers()
        try audit.append(
            AuditLine(
                time: time.date(), event: word, provider: provider.rawValue, service: origin.origin.description,
                user: user, requester: origin.origin.description, act: "window"))
        // The built-in provider kept it while another one was to save it: now that one has it.
        if let made, made.keeper == .builtIn, provider != .builtIn {
            await forgetPending(at: candidate.origin.origin) { $0.isSame(as: candidate.password) }
        }
        tellBrowsers()
    }

    /// Has the built-in provider forget a password that it keeps as pending for a place.
    func forgetPending(at origin: Origin, where isMeant: (HeldSecret) -> Bool) async {
        guard let pending = try? await pendingPasswords().generated else { return }
        for one in pending where one.service == origin.written {
            let answer: Generated.Reveal.Answer? = try? await supervisor.manage(
                "manage.revealGenerated", JSONValue(encoding: Generated.Reveal.Params(id: one.id)), launch: launch()
            ).decoded()
            guard let answer, isMeant(HeldSecret(answer.password)) else { continue }
            try? await removePending(ItemReference(id: one.id))
        }
    }

    // MARK: Never

    func neverSites() throws -> NeverSites.Sites {
        .init(sites: try requireUnlocked().registry.neverSites)
    }

    /// Adds a site to those that the user never wants to be asked for, or takes it back.
    func changeNever(_ site: String, isNever: Bool) throws -> NeverSites.Sites {
        var sites = Set(try requireUnlocked().registry.neverSites)
        guard let origin = Origin(written: site) else {
            throw WireError(.invalidParams, "\(site.prefix(64)) is no host and no http or https URL.")
        }
        if isNever {
            guard sites.count < SealedRegistry.neverLimit else {
                throw WireError(.invalidParams, "There are \(SealedRegistry.neverLimit) sites on the list already.")
            }
            sites.insert(origin.written)
        } else if sites.remove(origin.written) == nil {
            throw WireError(.notFound, "\(origin.written) is not on the list.", hint: "`latchkey never list` shows it.")
        }
        try unlocked?.registry.setNever(sites)
        saves.setNever(Array(sites))
        return try neverSites()
    }
}

extension SecretBytes {
    /// Whether it ends with six digits, as most codes are.
    fileprivate var endsLikeCode: Bool {
        withUnsafeBytes { $0.count > 6 && $0.suffix(6).allSatisfy { (0x30...0x39).contains($0) } }
    }
}

// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillMatching
internal import AutoFillProviders
internal import AutoFillQuirks
internal import AutoFillRelease
internal import AutoFillSecrets
internal import Logging
internal import ShownText

/// Saves passwords that the user typed into pages, if the user wants that: section 8a of `docs/protocol.md`, reasons in `docs/saving.md`.
@DaemonActor final class PasswordSaving {
    let broker: Broker
    let stores: IdentityStores
    let providers: InstalledProviders
    let questions: UserQuestions
    let abilities: ProviderAbilities
    let providerInterfaces: ProviderInterfaces
    let pending: PendingPasswords
    let submittedForms: SubmittedForms
    let convertedAccounts: ConvertedAccounts
    let waitingForms: WaitingForms
    let unsettledUpgrades: UnsettledUpgrades
    let savedStrongPasswords: SavedStrongPasswords

    init(
        _ broker: Broker, stores: IdentityStores, providers: InstalledProviders, questions: UserQuestions,
        abilities: ProviderAbilities, providerInterfaces: ProviderInterfaces, pending: PendingPasswords,
        submittedForms: SubmittedForms, convertedAccounts: ConvertedAccounts, waitingForms: WaitingForms,
        unsettledUpgrades: UnsettledUpgrades, savedStrongPasswords: SavedStrongPasswords
    ) {
        self.savedStrongPasswords = savedStrongPasswords
        self.broker = broker
        self.stores = stores
        self.providers = providers
        self.questions = questions
        self.abilities = abilities
        self.providerInterfaces = providerInterfaces
        self.pending = pending
        self.submittedForms = submittedForms
        self.convertedAccounts = convertedAccounts
        self.waitingForms = waitingForms
        self.unsettledUpgrades = unsettledUpgrades
    }

    /// Asks the user about saving once the form is gone, unless the page asks for the same password again: then the site has rejected it.
    /// While the form is still there, the user can request the question.
    func settled(_ params: Submission.Settled.Params, on client: ClientConnection) {
        guard
            let candidate = submittedForms.saves.take(client.number, params.tab, params.document, at: broker.time.now())
        else {
            guard params.asked == true else { return }
            return tell(
                client, params.tab,
                "Nothing was saved: the typed password is no longer held, or the site is on the never list.")
        }
        let now = params.origin.flatMap(Origin.init(stated:))
        let isSamePlace = now.map { $0.host == candidate.origin.origin.host } ?? true
        let isAsked = params.asked == true
        if !isAsked, let page = params.page, isSamePlace, AfterSubmission(page).rejects(candidate.kind) { return }
        // The task holds no password: it waits for an hour, and over locks.
        guard let (form, ended) = waitingForms.take(candidate) else { return }
        let tab = candidate.tab
        // In a task of its own, so that the answer to the page does not wait for the look-up.
        Task {
            do {
                try await self.waitingForms.ask(form, after: ended) { form in
                    // After a lock the question comes again although nobody has just asked for it.
                    try await self.offerSaving(form, isAsked: isAsked && form.isFirstAttempt, on: client)
                }
            } catch let error as WireError {
                guard ![.userCanceled, .timedOut, .busy, .tooManyAttempts].contains(error.code) else { return }
                self.tell(client, tab, "The password was not saved: \(error.message)")
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

    private func offerSaving(_ waiting: WaitingForm, isAsked: Bool, on client: ClientConnection) async throws {
        let origin = waiting.form.origin.origin
        var isExpected = isAsked
        while broker.unlocked == nil {
            // Without a name: while locked nobody learns whose account it is.
            var question = question(.unlockToSave, waiting.form, client)
            question.isExpected = isExpected
            // No notification right after a lock: the user has just locked Latchkey, and is not asked to unlock it.
            if waiting.isFirstAttempt, !isExpected { question.notification = .unlocking }
            isExpected = false
            try await questions.ask(question, as: seat(for: origin, client), over: client) { _ in nil }
            do {
                try await questions.unlockByPrompt(over: client)
            } catch let error as WireError where [.busy, .tooManyAttempts, .timedOut].contains(error.code) {
                // Another question asks for the passphrase just now, or the user did not come to it. This one waits on.
                continue
            }
        }
        guard !submittedForms.saves.isNever(origin.written) else { return }
        guard let candidate = waiting.opened(try broker.requireUnlocked().auditKeys()) else {
            throw WireError(.expired, "The typed password was not kept over the lock.")
        }
        do {
            try await settle(candidate, of: waiting, isAsked: isAsked, on: client)
        } catch is PromptDesk.Never {
            _ = try await submittedForms.changeNever(origin.written, isNever: true)
        }
    }

    /// Decides, asks the user, and has the password saved.
    ///
    /// - Parameter agreed: The provider, if the user agreed to saving and corrected the user name. The new name may be that of a saved
    ///   account, so the decision is made again, and replacing a password needs another question.
    private func settle(
        _ candidate: SaveBook.Candidate, of waiting: WaitingForm, isAsked: Bool, agreed: BundleIdentifier? = nil,
        on client: ClientConnection
    ) async throws {
        let origin = candidate.origin.origin
        let requester = seat(for: origin, client)
        let unlocked = try broker.unlockedSession()
        let names = ([candidate.user] + candidate.otherUsers).filter { !$0.isEmpty }
        let accounts = try await submittedForms.accounts(
            at: origin, users: names, password: candidate.password, old: candidate.oldPassword)
        let savers = abilities.savers()
        let decision = SaveDecision(
            user: candidate.user, others: candidate.otherUsers, isNameSure: candidate.isUserSure,
            isNameChosen: agreed != nil, kind: candidate.kind,
            accounts: accounts, savers: savers.count, appendsCode: broker.siteQuirks.appendsCode(origin.host),
            mayHoldCode: candidate.password.endsLikeCode,
            gaveOld: candidate.oldPassword != nil)
        // The sign-in belongs to the saved account, under whichever of the given names it is saved.
        let name =
            names.lazy.compactMap { SaveDecision.saved($0, in: accounts, isExact: agreed != nil) }.first
            ?? candidate.user
        if try await unsettledUpgrades.settleUpgrades(
            by: candidate.renamed(name), isKnown: decision == .nothing(.known), on: client)
        {
            return
        }
        try unlocked.check()
        switch decision {
        case .nothing(let reason):
            broker.logger.debug("nothing to be saved", metadata: ["reason": "\(reason.rawValue)"])
            if isAsked || agreed != nil {
                tell(client, candidate.tab, "Nothing was saved: \(reason.rawValue).")
            }
        case .save(let user):
            let made = submittedForms.saves.filled(candidate.password)
            let chosen: BundleIdentifier
            if agreed == nil, !isAsked,
                await savedStrongPasswords.canSaveUnasked(candidate, made: made, accounts: accounts, savers: savers)
            {
                // A newer form of the site may have taken the place of this one.
                try Task.checkCancellation()
                try unlocked.check()
                waiting.isAgreed = true
                let began = broker.time.date()
                try await save(
                    candidate, user: user, in: .builtIn, event: "formDidDisappear", word: "saved", act: "none", made,
                    client)
                return savedStrongPasswords.announce(user, at: origin, since: began)
            }
            if let agreed {
                chosen = agreed
            } else {
                let first = made.map(\.keeper).flatMap { savers.contains($0) ? $0 : nil }
                let order = [first].compactMap(\.self) + savers.filter { $0 != first }
                let agreement = try await questions.ask(
                    savingQuestion(candidate, order, client, isAsked: isAsked), as: requester, over: client,
                    agreed: { await waiting.agree() }, verify: { _ in nil })
                guard let provider = agreement.provider.flatMap({ BundleIdentifier($0) }) ?? order.first else {
                    throw Broker.lockedMeanwhile
                }
                if let name = agreement.user, name != candidate.user {
                    // Another question may come of it.
                    waiting.isAgreed = false
                    try unlocked.check()
                    return try await settle(
                        candidate.renamed(name), of: waiting, isAsked: isAsked, agreed: provider, on: client)
                }
                chosen = provider
            }
            guard unlocked.isCurrent, self.abilities.savers().contains(chosen) else {
                throw Broker.lockedMeanwhile
            }
            waiting.isAgreed = true
            // The question did not name what the provider would replace, so the provider asks for that itself.
            try await save(
                candidate, user: user, in: chosen, event: "formDidDisappear", word: "saved", made, client)
        case .update(let accounts):
            let agreement = try await questions.ask(
                updatingQuestion(candidate, accounts, client, isAsked: isAsked || agreed != nil), as: requester,
                over: client,
                agreed: { await waiting.agree() }, verify: { _ in nil })
            guard unlocked.isCurrent,
                let account = accounts.first(where: { $0.provider.rawValue == agreement.provider }) ?? accounts.first,
                self.abilities.savers().contains(account.provider)
            else { throw Broker.lockedMeanwhile }
            waiting.isAgreed = true
            try await save(
                candidate, user: account.user, in: account.provider, event: "userInitiated", word: "updated",
                submittedForms.saves.filled(candidate.password), client)
        }
    }

    /// The question whether to save a new password, in which provider, and under which user name.
    private func savingQuestion(
        _ candidate: SaveBook.Candidate, _ order: [BundleIdentifier], _ client: ClientConnection, isAsked: Bool
    ) -> PromptDesk.Question {
        var question = question(.savePassword, candidate, client)
        question.mayRename = true
        question.provider = order.first.map { DisplayText(broker.name(of: $0)) }
        if order.count > 1 { question.providers = order.map(named) }
        question.isExpected = isAsked
        if !isAsked { question.notification = .saving(question) }
        return question
    }

    /// The question whether to replace an account's password, and in which of the providers that have the account.
    private func updatingQuestion(
        _ candidate: SaveBook.Candidate, _ accounts: [SaveDecision.Account], _ client: ClientConnection, isAsked: Bool
    ) -> PromptDesk.Question {
        var question = question(.updatePassword, candidate, client)
        question.user = accounts.first.map { DisplayText($0.user, placeholder: "(no user name)") }
        question.provider = accounts.first.map { DisplayText(broker.name(of: $0.provider)) }
        if accounts.count > 1 { question.providers = accounts.map { named($0.provider) } }
        if accounts.contains(where: { $0.isSame == nil }) {
            question.reasons = ["This may be the saved password. If so, nothing changes."]
        }
        if !accounts.isEmpty, accounts.allSatisfy({ $0.hadOld == false }) {
            question.reasons.append("The current password that you entered is not the saved one.")
        }
        question.isExpected = isAsked
        if !isAsked { question.notification = .updating(question) }
        return question
    }

    private func named(_ provider: BundleIdentifier) -> ProviderName {
        ProviderName(identifier: provider.rawValue, name: DisplayText(broker.name(of: provider)))
    }

    /// The name under which `UserQuestions` counts questions about a site. It has the browser in it, because each browser may have a
    /// question about the same site open.
    private func seat(for origin: Origin, _ client: ClientConnection) -> String {
        "save for \(origin) in \(client.number)"
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

    // MARK: Saving

    /// Has a provider save a password; if the provider needs the user, it asks outside every page.
    private func save(
        _ candidate: SaveBook.Candidate, user: String, in provider: BundleIdentifier, event: String, word: String,
        act: String = "window", _ made: SaveBook.Filled?, _ client: ClientConnection
    ) async throws {
        let origin = candidate.origin
        let unlocked = try broker.unlockedSession()
        let service = ServiceIdentifier(kind: .url, value: origin.origin.description)
        let params = Saving.Save.Params(
            request: 0, service: ServiceStatement(service), user: user, password: WireSecret(candidate.password),
            session: made?.session ?? RandomName.make(), event: event, kind: made?.kind,
            context: RequestContext(origin))
        try await providerInterfaces.save(
            params, in: provider, requester: client.requester, at: origin.origin, context: RequestContext(origin),
            client: client)
        if unlocked.isCurrent {
            broker.known.saved(HeldSecret(params.password), at: origin.origin, user: user, by: provider)
        }
        convertedAccounts.signsInByPassword { $0.concerns(service: origin.origin.written, user: user) }
        stores.updateOffers()
        try broker.audit.append(
            AuditLine(
                time: broker.time.date(), event: word, provider: provider.rawValue, service: origin.origin.description,
                user: user, requester: origin.origin.description, act: act))
        // The built-in provider kept it as pending for another one, which has it now.
        if let made, made.keeper == .builtIn, provider != .builtIn {
            await pending.forgetPending(at: candidate.origin.origin) { $0.isSame(as: candidate.password) }
        }
        broker.tellBrowsers()
    }

}

extension SecretBytes {
    /// Whether it ends with six digits, as most codes are.
    fileprivate var endsLikeCode: Bool {
        withUnsafeBytes { $0.count > 6 && $0.suffix(6).allSatisfy { (0x30...0x39).contains($0) } }
    }
}

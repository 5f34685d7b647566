// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillAssociations
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillMatching
internal import AutoFillProviders
internal import AutoFillQuirks
internal import AutoFillRelease
internal import AutoFillSecrets
internal import Logging
internal import ShownText

/// Carries out what `PasswordUpgrade` decides.
@DaemonActor final class PasswordChanges {
    let broker: Broker
    let stores: IdentityStores
    let providers: InstalledProviders
    let abilities: ProviderAbilities
    let providerInterfaces: ProviderInterfaces
    let pending: PendingPasswords
    let submittedForms: SubmittedForms
    let convertedAccounts: ConvertedAccounts
    let appAssociations: AppAssociations
    let changes: AccountChanges

    init(
        _ broker: Broker, stores: IdentityStores, providers: InstalledProviders, abilities: ProviderAbilities,
        providerInterfaces: ProviderInterfaces, pending: PendingPasswords,
        submittedForms: SubmittedForms, convertedAccounts: ConvertedAccounts, appAssociations: AppAssociations,
        changes: AccountChanges
    ) {
        self.broker = broker
        self.stores = stores
        self.providers = providers
        self.abilities = abilities
        self.providerInterfaces = providerInterfaces
        self.pending = pending
        self.submittedForms = submittedForms
        self.convertedAccounts = convertedAccounts
        self.appAssociations = appAssociations
        self.changes = changes
    }

    /// The state that a change collects.
    private struct UpgradeState {
        let session = RandomName.make()
        var kind = ""
        var candidate: HeldCredential?
        var params: Modification.ChangePassword.Params?
        /// The password that the service has now, as the extension reports it.
        var answer: Modification.Changed?
        /// Whether the extension was asked. From then on the service may have the proposed password, whatever the extension reports.
        var wasAsked = false
        /// Whether the account's provider keeps the service's current password, at least as pending.
        var isKept = false
    }

    /// Changes a password. Returns the extension's `userInfo` for its app.
    ///
    /// - Throws: the error for the requester when the password was not changed.
    func carryOut(_ job: UpgradeJob) async throws -> WireSecret? {
        let outcome = try await changes.run(PasswordUpgrade(), of: job, progress: UpgradeState()) {
            step, state, cancellation in
            try await self.attempt(step, of: job, &state, cancellation)
        } finish: { ending, state in
            if !ending.isUnsettled { await self.settle(job, state, hasChanged: ending == .changed) }
        }
        try note(outcome.ending, of: job)
        // A success for the app: its service has the new password, which is kept as pending.
        if outcome.ending == .notSaved, job.isForApp, outcome.progress.isKept {
            return outcome.progress.answer?.userInfo
        }
        if let error = outcome.ending.error(job, keeper: broker.name(of: job.keeper), fault: outcome.fault) {
            throw error
        }
        broker.tellBrowsers()
        return outcome.progress.answer?.userInfo
    }

    private func attempt(
        _ step: PasswordUpgrade.Step, of job: UpgradeJob, _ state: inout UpgradeState, _ cancellation: Cancellation
    ) async throws -> PasswordUpgrade.Event {
        switch step {
        case .make:
            let (candidate, kind) = try await make(job)
            state.candidate = candidate
            state.kind = kind
            return .made(true)
        case .keep:
            guard let candidate = state.candidate else { return .kept(false) }
            let params = candidate.depositRequest(session: state.session, kind: state.kind, context: Self.context(job))
            // Only the account's own provider keeps it: a pending password in another one would not be found with the account.
            try await providers.supervisor(of: job.keeper).save(params, launch: providers.launch(of: job.keeper))
            return .kept(true)
        case .note:
            guard let candidate = state.candidate else { return .noted(false) }
            guard !cancellation.isCancelled, !Task.isCancelled else { return .canceled }
            state.params = try await released(candidate, of: job)
            guard !cancellation.isCancelled else { return .canceled }
            try note(candidate, as: state.session, of: job)
            return .noted(true)
        case .change(let withInterface):
            guard let params = state.params, let candidate = state.candidate else { return .lost(.malfunction) }
            state.wasAsked = true
            let question = ExtensionQuestion { supervisor, launch in
                try await supervisor.changePassword(params, launch: launch)
            } withInterface: { supervisor, request, launch, show in
                try await supervisor.prepareChange(params, request: request, launch: launch, show: show)
            }
            switch await changes.askExtension(
                question, of: job, withInterface: withInterface, thing: "change", cancellation)
            {
            case .success(let answer):
                let password = HeldSecret(answer.password)
                // The unchanged password is not a valid answer: the extension may have set the proposed one all the same.
                guard password.isPlainText, answer.user.utf8.count <= 1_024,
                    job.existing?.isSame(as: password) != true
                else { return .lost(.malfunction) }
                state.answer = answer
                state.isKept = candidate.isSame(as: password)
                return .changed(isProposed: candidate.isSame(as: password))
            case .failure(let error): return changes.event(for: error, of: job, cancellation)
            }
        case .keepOther:
            guard let answer = state.answer else { return .otherKept(false) }
            let params = saveRequest(answer, of: job, state, event: "generatedPasswordFilled")
            try await providers.supervisor(of: job.keeper).save(params, launch: providers.launch(of: job.keeper))
            // The first note covers the proposed password only.
            try note(
                HeldCredential(
                    identity: job.account, provider: job.keeper, password: HeldSecret(answer.password)),
                as: RandomName.make(), of: job)
            state.isKept = true
            return .otherKept(true)
        case .save:
            guard let answer = state.answer else { return .saved(false) }
            try await saveChanged(saveRequest(answer, of: job, state, event: "userInitiated"), of: job)
            await rename(to: answer.user, of: job)
            // A form sent off before may be handled later; its old password must not replace the new one.
            if let existing = job.existing {
                submittedForms.saves.forget(at: job.origin, user: job.account.user) { existing.isSame(as: $0) }
            }
            return .saved(true)
        case .end: return .lost(.malfunction)
        }
    }

    /// Writes down that a password may be the account's from now on.
    private func note(_ password: HeldCredential, as id: String, of job: UpgradeJob) throws {
        try broker.change { keys in
            try keys.registry.note(
                UnsettledUpgrade(
                    id: id, service: job.origin.written, user: job.account.user, provider: job.keeper, session: id,
                    date: broker.time.date(), marking: password))
        }
    }

    // MARK: The parts

    static func context(_ job: UpgradeJob) -> RequestContext {
        RequestContext(app: job.target.app.rawValue)
    }

    /// Makes a password by the extension's rules; if it has none, by the rules known for the site.
    private func make(_ job: UpgradeJob) async throws -> (HeldCredential, kind: String) {
        let identity = pending.newIdentity(at: job.origin, user: job.account.user)
        // Start the extension first: if it cannot be started, nothing has changed.
        _ = try await providers.supervisor(of: job.target.identifier).warm(providers.launch(of: job.target.identifier))
        guard let maker = ([job.keeper] + abilities.savers()).first(where: abilities.generates) else {
            throw WireError(.refused, "No provider that is enabled makes passwords.")
        }
        let quirks = job.target.rules == nil ? broker.siteQuirks.passwordRules(for: job.origin.host) : nil
        let params = Saving.Generate.Params(
            request: 0, service: ServiceStatement(identity.service), fieldRules: job.target.rules, quirkRules: quirks,
            context: Self.context(job))
        let made = try await providers.supervisor(of: maker).generate(
            params, for: identity, kept: job.keeper, launch: providers.launch(of: maker))
        // The user has agreed to a strong one.
        let name = broker.name(of: maker)
        if let weakness = await WeakPassword.warning(of: made.0, params, maker: name) {
            throw WireError(.refused, weakness.text, reason: "a weak password")
        }
        return made
    }

    /// Releases both passwords through the gate, as parameters for the extension.
    private func released(_ candidate: HeldCredential, of job: UpgradeJob) async throws
        -> Modification.ChangePassword.Params
    {
        let association = await appAssociations.association(of: job.target.app, with: job.origin.host)
        let existing = try job.existing.map { try changes.released($0, to: job, association) }
        let change = PasswordToChange(
            by: job.target.identifier, of: job.target.app, association: association, isNew: true)
        let proposed = try broker.release(
            candidate, for: change, act: job.proof.act(onNew: candidate, to: change.destination), client: job.requester)
        return .init(
            request: 0, service: ServiceStatement(type: 0, identifier: job.origin.host), user: job.account.user,
            password: existing, newPassword: proposed, userInfo: job.userInfo)
    }

    private func saveRequest(
        _ answer: Modification.Changed, of job: UpgradeJob, _ state: UpgradeState, event: String
    ) -> Saving.Save.Params {
        Saving.Save.Params(
            request: 0, service: ServiceStatement(pending.newIdentity(at: job.origin, user: job.account.user).service),
            user: job.account.user, password: answer.password, session: state.session, event: event, kind: state.kind,
            context: Self.context(job))
    }

    /// Has the provider save the service's current password; if the provider needs the user, it asks the user.
    private func saveChanged(_ params: Saving.Save.Params, of job: UpgradeJob) async throws {
        let unlocked = try broker.unlockedSession()
        do {
            try await providers.supervisor(of: job.keeper).save(params, launch: providers.launch(of: job.keeper))
        } catch let error as WireError where error.code == .providerExtension(100) {
            _ = try await providerInterfaces.presented(
                .save(params), of: job.keeper,
                .init(
                    requester: job.requester, provider: broker.name(of: job.keeper), site: job.origin.description,
                    user: params.user), context: Self.context(job), client: job.renderer)
        }
        if unlocked.isCurrent {
            broker.known.saved(HeldSecret(params.password), at: job.origin, user: params.user, by: job.keeper)
        }
        convertedAccounts.signsInByPassword { $0.concerns(service: job.origin.written, user: params.user) }
        stores.updateOffers()
    }

    /// Updates the user name in the provider's record if the service has changed it, but never to another account's name.
    private func rename(to user: String, of job: UpgradeJob) async {
        guard !user.isEmpty, user != job.account.user, let record = job.account.recordIdentifier else { return }
        do {
            guard try await changes.savedAccounts(at: job.origin, user: user).isEmpty else { return }
            _ = try await providers.supervisor(of: job.keeper).manage(
                "manage.edit", JSONValue(encoding: ItemChanges(id: record, user: user)),
                launch: providers.launch(of: job.keeper))
        } catch {
            broker.logger.notice("the user name of an account changed, and its provider did not save it")
        }
    }

    // MARK: The end

    /// Removes what was noted of a change that is settled, and a pending password that nobody was told.
    private func settle(_ job: UpgradeJob, _ state: UpgradeState, hasChanged: Bool) async {
        do {
            try broker.change { keys in
                try keys.registry.settle { upgrade in
                    // A success settles every note on the account; a change that did not begin settles only its own.
                    hasChanged
                        ? upgrade.concerns(service: job.origin.written, user: job.account.user)
                        : upgrade.id == state.session
                }
            }
        } catch {
            broker.logger.error("the registry cannot be written; a change of a password stays unsettled")
        }
        guard let candidate = state.candidate, job.keeper == .builtIn, !state.wasAsked else { return }
        await pending.forgetPending(at: job.origin) { candidate.isSame(as: $0) }
    }

    private func note(_ ending: PasswordUpgrade.Ending, of job: UpgradeJob) throws {
        let (event, reason): (String, String?) =
            switch ending {
            case .changed: ("updated", nil)
            case .untouched: ("refused", "the password was not changed")
            case .failed: ("unsettled", "the extension reported a failure")
            case .canceled: ("unsettled", "the user cancelled")
            case .unknown: ("unsettled", "the extension did not say how it ended")
            case .notSaved: ("unsettled", "the provider did not take it over")
            }
        try broker.audit.append(
            AuditLine(
                time: broker.time.date(), event: event, provider: job.keeper.rawValue, service: job.origin.description,
                user: job.account.user, requester: job.target.description, act: job.proof.surface.rawValue,
                reason: reason))
    }
}

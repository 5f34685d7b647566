// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAssociations
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillMatching
internal import AutoFillRelease
internal import AutoFillSecrets
internal import Logging
internal import Synchronization

/// Carries out what `AppleConversion` decides.
extension Broker {
    /// What has come about on the way.
    private struct ConversionState {
        /// Whether the extension was given a credential.
        let authorization = Given()
        var params: Modification.Convert.Params?
        var answer: Modification.Converted?
        var account: ConvertedAccount?

        final class Given: Sendable {
            private let state = Mutex(false)

            var isGiven: Bool { state.withLock { $0 } }

            func give() {
                state.withLock { $0 = true }
            }
        }
    }

    /// Converts an account, and returns what the extension gave along for its app, and what has become of the password. Throws
    /// what who asked is told of any other end.
    func convert(_ job: UpgradeJob) async throws -> (userInfo: WireSecret?, fate: PasswordFate?) {
        let outcome = try await run(AppleConversion(), of: job, progress: ConversionState()) {
            broker, step, state, cancellation in
            try await broker.attempt(step, of: job, &state, cancellation)
        }
        let (ending, state) = (outcome.ending, outcome.progress)
        try note(ending, of: job, state)
        if let error = ending.error(job, isAuthorized: state.authorization.isGiven, fault: outcome.fault) {
            throw error
        }
        tellBrowsers()
        guard case .converted(let fate) = ending else { return (state.answer?.userInfo, nil) }
        return (state.answer?.userInfo, fate)
    }

    private func attempt(
        _ step: AppleConversion.Step, of job: UpgradeJob, _ state: inout ConversionState,
        _ cancellation: Cancellation
    ) async throws -> AppleConversion.Event {
        switch step {
        case .prepare:
            // One that cannot even be started has changed nothing.
            _ = try await supervisor(of: job.target.identifier).warm(launch(of: job.target.identifier))
            state.params = try await releasedToConvert(job)
            guard !cancellation.isCancelled else { throw Self.lockedMeanwhile }
            return .prepared(true)
        case .convert(let withInterface):
            guard let params = state.params else { return .lost(.malfunction) }
            let authorization = state.authorization
            let authorize: ProviderSupervisor.Authorize = { [weak self] asked in
                guard let self else { throw Self.lockedMeanwhile }
                let answer = try await self.signInWithApple(asked, for: job)
                authorization.give()
                return answer
            }
            let question = ExtensionQuestion { supervisor, launch in
                try await supervisor.convert(params, launch: launch, authorize: authorize)
            } withInterface: { supervisor, request, launch, show in
                try await supervisor.prepareConvert(
                    params, request: request, launch: launch, show: show, authorize: authorize)
            }
            switch await ask(question, of: job, withInterface: withInterface, thing: "conversion", cancellation) {
            case .success(let answer):
                state.answer = answer
                return .converted(isAuthorized: authorization.isGiven)
            case .failure(let error): return event(for: error, of: job, cancellation)
            }
        case .record:
            guard unlocked != nil else { throw Self.lockedMeanwhile }
            let account = ConvertedAccount(
                service: job.origin.written, user: job.account.user, provider: job.keeper.rawValue,
                record: job.account.recordIdentifier, app: job.target.app.rawValue, date: time.date(),
                // What has no name its provider cannot be told to remove.
                password: !job.isSaved ? .notSaved : job.account.recordIdentifier == nil ? .kept : .pending)
            try unlocked?.registry.note(account)
            // Which of two passwords counts is no question any more.
            _ = try? unlocked?.registry.settle { $0.concerns(service: account.service, user: account.user) }
            state.account = account
            return .recorded(true)
        case .remove:
            guard let account = state.account else { return .removed(.notSaved) }
            return .removed(account.password == .pending ? await remove(account) : account.password)
        case .end: return .lost(.malfunction)
        }
    }

    // MARK: The parts

    /// The password through the gate, as the extension is given it; none where an app asked.
    private func releasedToConvert(_ job: UpgradeJob) async throws -> Modification.Convert.Params {
        let association = await association(of: job.target.app, with: job.origin.host)
        let existing = try job.existing.map { try released($0, to: job, association) }
        return .init(
            request: 0, service: ServiceStatement(type: 0, identifier: job.origin.host), user: job.account.user,
            password: existing, userInfo: job.userInfo)
    }

    // MARK: The password

    /// Has the provider remove the password of an account that is written down, and writes down what has become of it.
    ///
    /// - Parameter isLate: whether time has passed since; what was changed in it is the user's, and stays.
    private func remove(_ account: ConvertedAccount, isLate: Bool = false) async -> PasswordFate {
        let fate: PasswordFate
        do {
            fate = try await removed(account, isLate: isLate)
        } catch let error as WireError where error.code == .notPermitted {
            // It keeps its accounts to itself.
            fate = .kept
        } catch let error as WireError where error.code == .notFound {
            fate = .removed
        } catch {
            logger.notice(
                "a password of an account that signs in with Apple now could not be removed yet",
                metadata: ["provider": "\(account.provider)"])
            fate = .pending
        }
        do {
            try unlocked?.registry.note(fate, of: account)
        } catch {
            logger.error(
                "the registry cannot be written; what has become of a password is not known at the next unlock")
        }
        updateOffers()
        return fate
    }

    private func removed(_ account: ConvertedAccount, isLate: Bool) async throws -> PasswordFate {
        guard let keeper = BundleIdentifier(account.provider), let record = account.record,
            let origin = Origin(written: account.service)
        else { return .kept }
        let launch = try await launch(of: keeper)
        let supervisor = supervisor(of: keeper)
        let answer = try await supervisor.manage(
            "manage.get", JSONValue(encoding: ItemReference(id: record)), launch: launch)
        let known: ItemAnswer = try answer.withoutSecrets.decoded()
        let item = known.item
        guard item.removed == nil else { return .removed }
        guard item.user == account.user, !isLate || item.modified <= account.date else { return .kept }
        // What the item has for other places is no business of this site's.
        let others = item.services.filter { service in
            let saved = CredentialIdentity(
                type: .password, service: ServiceIdentifier(written: service), user: item.user, recordIdentifier: record
            )
            return rules.policy.match(SavedService(saved), supposing: origin).decision != .exact
        }
        if others.isEmpty {
            _ = try await supervisor.manage(
                "manage.remove", JSONValue(encoding: ItemReference(id: record)), launch: launch)
            return .removed
        }
        _ = try await supervisor.manage(
            "manage.edit", JSONValue(encoding: ItemChanges(id: record, services: others)), launch: launch)
        return .detached
    }

    /// Brings to its end what a crash, a lock or a provider that was not there has kept from it.
    func finishConversions() async {
        for account in unlocked?.registry.converted ?? [] where account.password == .pending {
            _ = await remove(account, isLate: true)
        }
    }

    // MARK: What is known

    /// The accounts that sign in with Apple; those of some places, or all.
    func converted(at origins: [Origin]?) throws -> [ConvertedStatement] {
        let places = origins.map { Set($0.map(\.written)) }
        return try requireUnlocked().registry.converted.reversed().filter { places?.contains($0.service) ?? true }
            .map { account in
                ConvertedStatement(
                    service: account.service, user: account.user,
                    provider: BundleIdentifier(account.provider).map(name(of:)) ?? account.provider,
                    app: account.app, date: account.date, password: account.password.rawValue)
            }
    }

    /// Whether a password is still there of an account that signs in with Apple: it opens nothing.
    func isConverted(_ identity: CredentialIdentity, of provider: BundleIdentifier) -> Bool {
        (unlocked?.registry.converted ?? []).contains {
            $0.isOf(provider, identity) && ($0.password == .kept || $0.password == .pending)
        }
    }

    /// What the command line has added or brought back is a password of its account again.
    func noteReturn(_ method: String, _ params: JSONValue) {
        guard unlocked?.registry.converted.isEmpty == false else { return }
        if method == Items.Restore.name, let item: ItemReference = try? params.decoded() {
            signsInByPassword { $0.isOf(.builtIn, record: item.id) }
        } else if method == Items.Add.name, let added: Items.Add.Params = try? params.decoded() {
            for item in added.items {
                let places = Set(item.services.compactMap { Origin(written: $0)?.written })
                signsInByPassword { places.contains($0.service) && $0.user == item.user }
            }
        }
    }

    /// Accounts have a password again: somebody has saved one, or brought it back.
    func signsInByPassword(where isMeant: (ConvertedAccount) -> Bool) {
        do {
            try unlocked?.registry.forgetConverted(where: isMeant)
        } catch {
            logger.error("the registry cannot be written; an account is shown as signing in with Apple")
        }
    }

    private func note(_ ending: AppleConversion.Ending, of job: UpgradeJob, _ state: ConversionState) throws {
        let (event, reason): (String, String?) =
            switch ending {
            case .converted(let fate): ("converted", fate.words)
            case .untouched: ("refused", "the account was not changed")
            case .failed: ("unsettled", "the extension says that it failed")
            case .canceled: ("unsettled", "the user cancelled")
            case .unknown: ("unsettled", "the extension did not say how it ended")
            case .notRecorded: ("unsettled", "it could not be written down")
            }
        // Without a credential the service cannot have converted anything.
        let isOpen = event == "unsettled" && state.authorization.isGiven
        try audit.append(
            AuditLine(
                time: time.date(), event: event == "unsettled" && !isOpen ? "refused" : event,
                provider: job.keeper.rawValue, service: job.origin.description, user: job.account.user,
                requester: job.target.description, act: job.proof.surface.rawValue, reason: reason,
                purpose: "Sign in with Apple"))
    }
}

extension PasswordFate {
    /// As the audit log says it.
    fileprivate var words: String {
        switch self {
        case .pending: "the password is still to be removed"
        case .removed: "the password was removed"
        case .detached: "the password is kept for other places alone"
        case .kept: "the provider cannot remove the password"
        case .notSaved: "no password was saved"
        }
    }
}

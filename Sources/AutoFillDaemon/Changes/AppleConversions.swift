// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillAssociations
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillMatching
internal import AutoFillProviders
internal import AutoFillRelease
internal import Synchronization

/// Carries out what `AppleConversion` decides.
@DaemonActor final class AppleConversions {
    let broker: Broker
    let providers: InstalledProviders
    let convertedAccounts: ConvertedAccounts
    let appAssociations: AppAssociations
    let changes: AccountChanges

    init(
        _ broker: Broker, providers: InstalledProviders, convertedAccounts: ConvertedAccounts,
        appAssociations: AppAssociations,
        changes: AccountChanges
    ) {
        self.broker = broker
        self.providers = providers
        self.convertedAccounts = convertedAccounts
        self.appAssociations = appAssociations
        self.changes = changes
    }

    /// The state that a conversion collects.
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

    /// Converts an account. Returns the extension's `userInfo` for its app, and the fate of the password.
    ///
    /// - Throws: the error for the requester when the account was not converted.
    func convert(_ job: UpgradeJob) async throws -> (userInfo: WireSecret?, fate: PasswordFate?) {
        let outcome = try await changes.run(AppleConversion(), of: job, progress: ConversionState()) {
            step, state, cancellation in
            try await self.attempt(step, of: job, &state, cancellation)
        }
        let (ending, state) = (outcome.ending, outcome.progress)
        try note(ending, of: job, state)
        if let error = ending.error(job, isAuthorized: state.authorization.isGiven, fault: outcome.fault) {
            throw error
        }
        broker.tellBrowsers()
        guard case .converted(let fate) = ending else { return (state.answer?.userInfo, nil) }
        return (state.answer?.userInfo, fate)
    }

    private func attempt(
        _ step: AppleConversion.Step, of job: UpgradeJob, _ state: inout ConversionState,
        _ cancellation: Cancellation
    ) async throws -> AppleConversion.Event {
        switch step {
        case .prepare:
            // Start the extension first: if it cannot be started, nothing has changed.
            _ = try await providers.supervisor(of: job.target.identifier).warm(
                providers.launch(of: job.target.identifier))
            state.params = try await releasedToConvert(job)
            guard !cancellation.isCancelled else { throw Broker.lockedMeanwhile }
            return .prepared(true)
        case .convert(let withInterface):
            guard let params = state.params else { return .lost(.malfunction) }
            let authorization = state.authorization
            let authorize: ProviderSupervisor.Authorize = { [weak self] asked in
                guard let self else { throw Broker.lockedMeanwhile }
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
            switch await changes.askExtension(
                question, of: job, withInterface: withInterface, thing: "conversion", cancellation)
            {
            case .success(let answer):
                state.answer = answer
                return .converted(isAuthorized: authorization.isGiven)
            case .failure(let error): return changes.event(for: error, of: job, cancellation)
            }
        case .record:
            let unlocked = try broker.unlockedSession()
            let account = ConvertedAccount(
                service: job.origin.written, user: job.account.user, provider: job.keeper.rawValue,
                record: job.account.recordIdentifier, app: job.target.app.rawValue, date: broker.time.date(),
                // Without a record identifier the provider cannot be told which password to remove.
                password: !job.isSaved ? .notSaved : job.account.recordIdentifier == nil ? .kept : .pending)
            try unlocked.change { try $0.registry.note(account) }
            // The conversion settles which of two passwords counts: none does now.
            _ = try? unlocked.change { keys in
                try keys.registry.settle { $0.concerns(service: account.service, user: account.user) }
            }
            state.account = account
            return .recorded(true)
        case .remove:
            guard let account = state.account else { return .removed(.notSaved) }
            return .removed(account.password == .pending ? await convertedAccounts.remove(account) : account.password)
        case .end: return .lost(.malfunction)
        }
    }

    // MARK: The parts

    /// The parameters for the extension, with the password released through the gate; without a password when an app asked.
    private func releasedToConvert(_ job: UpgradeJob) async throws -> Modification.Convert.Params {
        let association = await appAssociations.association(of: job.target.app, with: job.origin.host)
        let existing = try job.existing.map { try changes.released($0, to: job, association) }
        return .init(
            request: 0, service: ServiceStatement(type: 0, identifier: job.origin.host), user: job.account.user,
            password: existing, userInfo: job.userInfo)
    }

    // MARK: The password

    // MARK: What is known

    private func note(_ ending: AppleConversion.Ending, of job: UpgradeJob, _ state: ConversionState) throws {
        let (event, reason): (String, String?) =
            switch ending {
            case .converted(let fate): ("converted", fate.words)
            case .untouched: ("refused", "the account was not changed")
            case .failed: ("unsettled", "the extension reported a failure")
            case .canceled: ("unsettled", "the user cancelled")
            case .unknown: ("unsettled", "the extension did not say how it ended")
            case .notRecorded: ("unsettled", "it could not be written down")
            }
        // Without a credential the service cannot have converted anything.
        let isOpen = event == "unsettled" && state.authorization.isGiven
        try broker.audit.append(
            AuditLine(
                time: broker.time.date(), event: event == "unsettled" && !isOpen ? "refused" : event,
                provider: job.keeper.rawValue, service: job.origin.description, user: job.account.user,
                requester: job.target.description, act: job.proof.surface.rawValue, reason: reason,
                purpose: "Sign in with Apple"))
    }
}

extension PasswordFate {
    /// The wording for the audit log.
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

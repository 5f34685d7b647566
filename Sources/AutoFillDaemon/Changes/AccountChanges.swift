// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillAssociations
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillMatching
internal import AutoFillProviders
internal import AutoFillRelease

/// The common part of all changes of how an account signs in.
@DaemonActor final class AccountChanges {
    let broker: Broker
    let stores: IdentityStores
    let providers: InstalledProviders
    let providerInterfaces: ProviderInterfaces
    /// Accounts that are being changed.
    private(set) var upgrading: Set<String> = []

    init(
        _ broker: Broker, stores: IdentityStores, providers: InstalledProviders, providerInterfaces: ProviderInterfaces
    ) {
        self.broker = broker
        self.stores = stores
        self.providers = providers
        self.providerInterfaces = providerInterfaces
    }

    /// The outcome of a change.
    struct ChangeOutcome<Change: AccountChange, Progress: Sendable>: Sendable {
        let ending: Change.Step.Ending
        let progress: Progress
        /// The last error that a provider, an extension or the disk reported; `nil` if there was none.
        let fault: WireError?
    }

    /// Runs a change to its end. Once the service may have been told, the change is completed even if the requester disconnects or the user
    /// cancels.
    ///
    /// - Parameters:
    ///   - progress: the state that the steps read and update.
    ///   - attempt: carries out a step and returns its event; an error that it throws counts as the step's failure.
    ///   - finish: is called once, before another change of the account may begin.
    /// - Throws: `busy` where one is under way.
    func run<Change: AccountChange, Progress: Sendable>(
        _ change: Change, of job: UpgradeJob, progress: Progress,
        attempt:
            @escaping @DaemonActor @Sendable (Change.Step, inout Progress, Cancellation) async throws ->
            Change.Event,
        finish: @escaping @DaemonActor @Sendable (Change.Step.Ending, Progress) async -> Void = { _, _ in }
    ) async throws -> ChangeOutcome<Change, Progress> {
        guard upgrading.insert(job.key).inserted else {
            throw WireError(.busy, "This account is being changed already.")
        }
        let cancellation = Cancellation()
        let task = Task {
            defer { self.upgrading.remove(job.key) }
            var (change, progress) = (change, progress)
            var fault: WireError?
            var step = change.first
            while true {
                if let ending = step.ending {
                    await finish(ending, progress)
                    return ChangeOutcome<Change, Progress>(ending: ending, progress: progress, fault: fault)
                }
                if let word = step.word { job.progress(word) }
                if cancellation.isCancelled, !change.mayHaveChanged {
                    step = change.take(.canceled)
                    continue
                }
                do {
                    step = change.take(try await attempt(step, &progress, cancellation))
                } catch {
                    fault = WireError(saying: error)
                    step = change.take(step.failure)
                }
            }
        }
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            cancellation.cancel()
        }
    }

    /// Asks a job's extension. If the user cancels or the requester disconnects, only this question ends, not the change.
    ///
    /// - Parameter thing: what the interface is for, where that is not a sign-in.
    func askExtension<Answer: Sendable>(
        _ question: ExtensionQuestion<Answer>, of job: UpgradeJob, withInterface: Bool, thing: String? = nil,
        _ cancellation: Cancellation
    ) async -> Result<Answer, any Error> {
        let work = Task {
            guard withInterface else {
                return try await question.silently(
                    self.providers.supervisor(of: job.target.identifier),
                    self.providers.launch(of: job.target.identifier))
            }
            let header = InterfaceDesk.Header(
                requester: job.requester, provider: job.target.name, site: job.origin.description,
                user: job.account.user, thing: thing)
            return try await self.providerInterfaces.presenting(
                job.target.identifier, header, client: job.renderer, question.withInterface
            ).0
        }
        cancellation.whenCancelled { work.cancel() }
        return await work.result
    }

    /// The event that corresponds to an extension's error.
    func event<Event: AccountChangeEvent>(
        for error: any Error, of job: UpgradeJob, _ cancellation: Cancellation
    ) -> Event {
        guard let error = error as? WireError else {
            return cancellation.isCancelled ? .lost(.interrupted) : .canceled
        }
        if error.reason == InterfaceDesk.nowhere { return .needsUser(canAsk: false) }
        switch error.code {
        case .providerExtension(100): return .needsUser(canAsk: job.renderer.peer != nil)
        case .providerExtension(1), .userCanceled: return cancellation.isCancelled ? .lost(.interrupted) : .canceled
        case _ where (1000..<1200).contains(error.code.rawValue): return .failed(error.reason)
        case .timedOut: return .lost(.timeUp)
        case .locked: return .lost(.interrupted)
        default: return .lost(.ended)
        }
    }

    /// The passwords saved for exactly one origin, in the user's order of providers. A record that is saved for it in two spellings is
    /// listed once.
    func savedAccounts(at origin: Origin, user: String? = nil) async throws -> [UpgradeAccount] {
        _ = try broker.requireUnlocked()
        let (words, policy) = (broker.rules.terms.terms(for: origin), broker.rules.policy)
        return try await stores.lookup(words) { _, identities in
            var seen: Set<String> = []
            return identities.filter { identity in
                identity.type == .password && (user == nil || identity.user == user)
                    && policy.match(SavedService(identity), supposing: origin).decision == .exact
                    && (identity.recordIdentifier.map { seen.insert($0).inserted } ?? true)
            }
        }.flatMap { provider, identities in
            identities.map { UpgradeAccount(identity: $0, keeper: provider, origin: origin) }
        }
    }

    /// Releases the saved password through the gate, for the job's extension.
    func released(
        _ existing: HeldCredential, to job: UpgradeJob, _ association: VerifiedAssociation?
    ) throws -> WireSecret {
        let change = PasswordToChange(
            by: job.target.identifier, of: job.target.app, association: association, isNew: false)
        return try broker.release(
            existing, for: change, act: job.proof.act(on: existing, to: change.destination), client: job.requester)
    }
}

/// The two ways to ask an extension: without its interface, and with it.
struct ExtensionQuestion<Answer: Sendable>: Sendable {
    let silently: @Sendable (ProviderSupervisor, ProviderSupervisor.Launch) async throws -> Answer
    let withInterface:
        @Sendable (ProviderSupervisor, Int, ProviderSupervisor.Launch, @escaping ProviderSupervisor.Show)
            async throws -> Answer
}

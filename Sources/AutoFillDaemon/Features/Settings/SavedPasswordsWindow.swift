// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillIdentityStore
internal import AutoFillMatching
internal import AutoFillProviders
internal import AutoFillRelease
internal import ShownText

/// The built-in provider's own window, in which the user sees, changes, adds and removes what it keeps.
@DaemonActor final class SavedPasswordsWindow: HandEdits {
    let broker: Broker
    let stores: IdentityStores
    let providers: InstalledProviders
    let questions: UserQuestions
    let providerInterfaces: ProviderInterfaces
    let convertedAccounts: ConvertedAccounts
    let runs: Runs
    /// Number of open windows.
    private var shown = 0

    init(
        _ broker: Broker, stores: IdentityStores, providers: InstalledProviders, questions: UserQuestions,
        providerInterfaces: ProviderInterfaces, convertedAccounts: ConvertedAccounts, runs: Runs
    ) {
        self.broker = broker
        self.stores = stores
        self.providers = providers
        self.questions = questions
        self.providerInterfaces = providerInterfaces
        self.convertedAccounts = convertedAccounts
        self.runs = runs
        stores.handEdits = self
    }

    /// Shows the window, and returns when the user has finished. It shows all sites and user names and can change them, so the user
    /// authenticates first if the preference requires it.
    func showSavedPasswords(on client: ClientConnection) async throws {
        let proof = try await requireUser(toShowPasswordsOn: client)
        // The window's pages show verdicts, which depend on facts known here: start judging now; nothing waits for it.
        Task { _ = try? await providers.judge() }
        shown += 1
        defer { shown -= 1 }
        try await runs.running(for: nil, on: client) { [self] in
            var header = InterfaceDesk.Header(requester: client.requester, provider: broker.name(of: .builtIn))
            header.proof = proof
            _ = try await providerInterfaces.presented(.configuration, of: .builtIn, header, client: client)
        }
    }

    /// Returns what the user gave when asked in a window; `nil` where nobody was asked.
    private func requireUser(toShowPasswordsOn client: ClientConnection) async throws -> InterfaceDesk.Proof? {
        if client.role == .settings {
            _ = try questions.terminalProof()
            return nil
        }
        let unlocked = try broker.unlockedSession()
        guard !broker.authentication.isAuthenticated(at: broker.time.now()) else { return nil }
        var question = PromptDesk.Question(kind: .passwords, requester: client.requester)
        if !broker.asksAlways { question.reasons = ["Until you close the window, it shows and copies all of them."] }
        question.isRoutine = true
        let answer = try await questions.askUser(question, as: "passwords", over: client)
        try unlocked.check()
        return answer.means.map { .init(epoch: unlocked.epoch, means: $0) }
    }

    // MARK: What is changed there

    /// The identities that the store does not hold yet; `nil` while the window is not shown.
    func newIdentities(among identities: [CredentialIdentity], in store: IdentityStore) async throws
        -> [CredentialIdentity]?
    {
        guard shown > 0 else { return nil }
        let terms = broker.rules.terms
        let unknown = try await stores.reading(of: [store.provider]) { store in
            identities.filter { identity in
                guard identity.type == .password, let origin = Origin(written: identity.service.value) else {
                    return false
                }
                let known = try? store.lookup(terms: terms.terms(for: origin))
                return !(known ?? []).contains {
                    $0.type == identity.type && $0.service == identity.service && $0.user == identity.user
                        && $0.recordIdentifier == identity.recordIdentifier
                }
            }
        }
        return unknown.first?.value ?? []
    }

    /// Settles what the daemon knows of items that were changed in the open window, as after a change by the command line.
    ///
    /// - Parameter new: The identities that the provider saved for the first time.
    func saved(_ identities: [CredentialIdentity], new: [CredentialIdentity]) {
        let accounts = Set(
            new.compactMap { identity in
                Origin(written: identity.service.value).map { [$0.written, identity.user] }
            })
        if !accounts.isEmpty { convertedAccounts.signsInByPassword { accounts.contains([$0.service, $0.user]) } }
        for record in Set(identities.compactMap(\.recordIdentifier)) {
            // An identity does not tell which of its secrets has changed, so an expiry date of the old one no longer holds.
            try? broker.change { keys in
                try keys.registry.mark(CredentialMarks.name(record: record, provider: .builtIn)) { $0 = .init() }
            }
            broker.known.forget(record: record, of: .builtIn)
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillMatching
internal import AutoFillProviders
internal import AutoFillRelease
internal import Logging

/// Settles password changes whose outcome is unknown, by a later sign-in or by the user.
@DaemonActor final class UnsettledUpgrades {
    let broker: Broker
    let stores: IdentityStores
    let providers: InstalledProviders
    let questions: UserQuestions
    let providerInterfaces: ProviderInterfaces
    let pending: PendingPasswords
    let changes: AccountChanges

    init(
        _ broker: Broker, stores: IdentityStores, providers: InstalledProviders, questions: UserQuestions,
        providerInterfaces: ProviderInterfaces, pending: PendingPasswords, changes: AccountChanges
    ) {
        self.broker = broker
        self.stores = stores
        self.providers = providers
        self.questions = questions
        self.providerInterfaces = providerInterfaces
        self.pending = pending
        self.changes = changes
    }

    /// Settles changes after a site has accepted a sign-in with a password. The user is not asked.
    ///
    /// - Parameter known: whether it is the password that is saved.
    /// - Returns: Whether it was the new one, which is saved now.
    func settleUpgrades(
        by candidate: SaveBook.Candidate, isKnown known: Bool, on client: ClientConnection
    ) async throws -> Bool {
        let now = broker.time.date()
        let all = try broker.requireUnlocked().registry.unsettled.filter { upgrade in
            upgrade.service == candidate.origin.origin.written && !upgrade.isOver(at: now)
                && (candidate.user.isEmpty || upgrade.user == candidate.user)
        }
        if let upgrade = all.last(where: { $0.isNew(candidate.password) }) {
            do {
                try await takeOver(WireSecret(candidate.password), of: upgrade, on: client)
                return true
            } catch {
                guard broker.unlocked != nil else { throw error }
                // The provider is gone or refuses: the typed password is handled like any other.
                broker.logger.notice(
                    "a new password could not be taken over by the provider that keeps it",
                    metadata: ["provider": "\(upgrade.provider)"])
                return false
            }
        }
        // The old password counts. The pending one is kept until it expires: a page that refuses a sign-in without a form looks the same. A
        // change that is running now is settled by itself alone.
        let settled = all.filter { !changes.upgrading.contains($0.jobKey) }
        if known, candidate.kind == .current, !candidate.user.isEmpty, !settled.isEmpty {
            try broker.change { keys in
                try keys.registry.settle { upgrade in settled.contains { $0.id == upgrade.id } }
            }
        }
        return false
    }

    /// Settles a change by the user's statement which of the two passwords counts.
    func settleUpgrade(_ params: Upgrades.Settle.Params, on client: ClientConnection) async throws {
        guard let upgrade = try broker.requireUnlocked().registry.unsettled.first(where: { $0.id == params.id }) else {
            throw WireError(.notFound, "There is no such change.")
        }
        _ = try questions.terminalProof()
        guard !changes.upgrading.contains(upgrade.jobKey) else {
            throw WireError(.busy, "This account is being changed at this moment.")
        }
        guard params.isNew else {
            try broker.change { keys in try keys.registry.settle { $0.id == upgrade.id } }
            return
        }
        guard upgrade.provider == BundleIdentifier.builtIn.rawValue else {
            throw WireError(
                .notPermitted, "Its provider does not hand out pending passwords.",
                hint: "Save it there, then say that the old one does not count.")
        }
        guard let password = try await pending.pendingPassword(of: upgrade) else {
            throw WireError(
                .expired, "The new password is no longer pending: it was saved, or it expired.",
                hint: "`latchkey show` prints the saved password. `--works old` ends the question.")
        }
        try await takeOver(password, of: upgrade, on: client)
    }

    /// The provider takes over the new password; the old one goes into its history.
    private func takeOver(_ password: WireSecret, of upgrade: UnsettledUpgrade, on client: ClientConnection)
        async throws
    {
        guard let keeper = BundleIdentifier(upgrade.provider), let origin = Origin(written: upgrade.service) else {
            throw WireError(.storageFailed, "The record of this change cannot be read.")
        }
        let unlocked = try broker.unlockedSession()
        let params = Saving.Save.Params(
            request: 0, service: ServiceStatement(pending.newIdentity(at: origin, user: upgrade.user).service),
            user: upgrade.user, password: password, session: upgrade.session, event: "userInitiated")
        do {
            try await providers.supervisor(of: keeper).save(params, launch: providers.launch(of: keeper))
        } catch let error as WireError where error.code == .providerExtension(100) {
            _ = try await providerInterfaces.presented(
                .save(params), of: keeper,
                .init(
                    requester: client.requester, provider: broker.name(of: keeper), site: origin.description,
                    user: upgrade.user),
                client: client)
        }
        try broker.change { keys in
            try keys.registry.settle { $0.concerns(service: upgrade.service, user: upgrade.user) }
        }
        if unlocked.isCurrent {
            broker.known.saved(HeldSecret(password), at: origin, user: upgrade.user, by: keeper)
        }
        stores.updateOffers()
        try broker.audit.append(
            AuditLine(
                time: broker.time.date(), event: "updated", provider: upgrade.provider, service: origin.description,
                user: upgrade.user, requester: origin.description, reason: "a change of the password is settled"))
        broker.tellBrowsers()
    }
}

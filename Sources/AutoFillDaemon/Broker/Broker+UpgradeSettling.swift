// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillMatching
internal import AutoFillRelease
internal import AutoFillSecrets
internal import Logging

/// Changes of passwords of which the end is not known: both passwords are offered until a sign-in, or the user, settles it.
extension Broker {
    /// Marks the identity of a password that is pending; no provider's record is named so.
    private static let recordPrefix = "unsettled:"

    // MARK: Offered

    /// The new passwords that may count at a place, as rows beside the accounts' own. Only the built-in provider hands out what
    /// is pending; others show it in their own lists.
    func unsettled(at origin: VerifiedOrigin) -> [Found] {
        (unlocked?.registry.unsettled ?? []).reversed().compactMap { upgrade in
            guard upgrade.provider == BundleIdentifier.builtIn.rawValue, upgrade.service == origin.origin.written,
                !upgrade.isOver(at: time.date())
            else { return nil }
            let identity = CredentialIdentity(
                type: .password, service: ServiceIdentifier(written: upgrade.service), user: upgrade.user,
                recordIdentifier: Self.recordPrefix + upgrade.id)
            let match = rules.policy.match(SavedService(identity), for: origin.chain)
            return match.decision == .exact ? Found(provider: .builtIn, identity: identity, match: match) : nil
        }
    }

    /// Whether an identity is of a password that is pending.
    static func isUnsettled(_ identity: CredentialIdentity) -> Bool {
        identity.recordIdentifier?.hasPrefix(recordPrefix) == true
    }

    /// The password of such an identity; nothing for an identity that is a provider's.
    func pendingCredential(
        for identity: CredentialIdentity, of provider: BundleIdentifier
    ) async throws -> HeldCredential? {
        guard provider == .builtIn, Self.isUnsettled(identity) else { return nil }
        let id = identity.recordIdentifier?.dropFirst(Self.recordPrefix.count) ?? ""
        guard let upgrade = try requireUnlocked().registry.unsettled.first(where: { $0.id == id }),
            let password = try await pendingPassword(of: upgrade)
        else { throw WireError(.expired, "This password is not kept any more.") }
        return HeldCredential(identity: identity, provider: provider, password: HeldSecret(password))
    }

    private func pendingPassword(of upgrade: UnsettledUpgrade) async throws -> WireSecret? {
        for pending in try await pendingPasswords().generated where pending.service == upgrade.service {
            let answer: Generated.Reveal.Answer = try await supervisor.manage(
                "manage.revealGenerated", JSONValue(encoding: Generated.Reveal.Params(id: pending.id)), launch: launch()
            ).decoded()
            if upgrade.isNew(HeldSecret(answer.password)) { return answer.password }
        }
        return nil
    }

    // MARK: Settled

    /// A sign-in with a password was taken by the site: what it settles is settled, and the user is not asked about it.
    ///
    /// - Parameter known: whether it is the password that is saved.
    /// - Returns: Whether it was the new one, which is saved now.
    func settleUpgrades(
        by candidate: SaveBook.Candidate, isKnown known: Bool, on client: ClientConnection
    ) async throws -> Bool {
        let now = time.date()
        let all = try requireUnlocked().registry.unsettled.filter { upgrade in
            upgrade.service == candidate.origin.origin.written && !upgrade.isOver(at: now)
                && (candidate.user.isEmpty || upgrade.user == candidate.user)
        }
        if let upgrade = all.last(where: { $0.isNew(candidate.password) }) {
            do {
                try await takeOver(WireSecret(candidate.password), of: upgrade, on: client)
                return true
            } catch {
                guard unlocked != nil else { throw error }
                // Its provider is not there any more, or will not: what was typed is dealt with as any other password.
                logger.notice(
                    "a new password could not be taken over by the provider that keeps it",
                    metadata: ["provider": "\(upgrade.provider)"])
                return false
            }
        }
        // The old one counts. What is pending stays so for its time: a page that says no without a form looks the same. What is being
        // changed at this moment is settled by nobody else.
        let settled = all.filter { !upgrading.contains($0.jobKey) }
        if known, candidate.kind == .current, !candidate.user.isEmpty, !settled.isEmpty {
            try unlocked?.registry.settle { upgrade in settled.contains { $0.id == upgrade.id } }
        }
        return false
    }

    /// The user says which of the two counts.
    func settleUpgrade(_ params: Upgrades.Settle.Params, on client: ClientConnection) async throws {
        guard let upgrade = try requireUnlocked().registry.unsettled.first(where: { $0.id == params.id }) else {
            throw WireError(.notFound, "There is no such change.")
        }
        _ = try terminalProof()
        guard !upgrading.contains(upgrade.jobKey) else {
            throw WireError(.busy, "This account is being changed at this moment.")
        }
        guard params.isNew else {
            try unlocked?.registry.settle { $0.id == upgrade.id }
            return
        }
        guard upgrade.provider == BundleIdentifier.builtIn.rawValue else {
            throw WireError(
                .notPermitted, "The provider that keeps it does not hand out what is pending.",
                hint: "Save it there, then say that the old one does not count.")
        }
        guard let password = try await pendingPassword(of: upgrade) else {
            throw WireError(
                .expired, "The new password is not pending any more: it was saved, or its time is over.",
                hint: "`latchkey show` has what is saved. `--works old` ends the question.")
        }
        try await takeOver(password, of: upgrade, on: client)
    }

    /// The provider takes over the new password; the old one goes into its history.
    private func takeOver(_ password: WireSecret, of upgrade: UnsettledUpgrade, on client: ClientConnection)
        async throws
    {
        guard let keeper = BundleIdentifier(upgrade.provider), let origin = Origin(written: upgrade.service) else {
            throw WireError(.storageFailed, "What was noted of this change cannot be read.")
        }
        let locks = lockCount
        let params = Saving.Save.Params(
            request: 0, service: ServiceStatement(newIdentity(at: origin, user: upgrade.user).service),
            user: upgrade.user, password: password, session: upgrade.session, event: "userInitiated")
        do {
            try await supervisor(of: keeper).save(params, launch: launch(of: keeper))
        } catch let error as WireError where error.code == .providerExtension(100) {
            _ = try await presented(
                .save(params), of: keeper,
                .init(
                    requester: client.requester, provider: name(of: keeper), site: origin.description,
                    user: upgrade.user),
                client: client)
        }
        try unlocked?.registry.settle { $0.concerns(service: upgrade.service, user: upgrade.user) }
        if lockCount == locks { known.saved(HeldSecret(password), at: origin, user: upgrade.user, by: keeper) }
        updateOffers()
        try audit.append(
            AuditLine(
                time: time.date(), event: "updated", provider: upgrade.provider, service: origin.description,
                user: upgrade.user, requester: origin.description, reason: "a change of the password is settled"))
        tellBrowsers()
    }
}
